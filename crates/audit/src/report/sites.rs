//! One report of several sites.

use std::path::Path;

use super::super::finding::{Finding, Unread};
use super::summary::{Summary, below};

/// Merges the figures and findings of several sites into those of one site, whose root is the working
/// directory.
pub fn merged<'s>(
    sites: impl IntoIterator<Item = (&'s Summary, Vec<Finding>)>,
) -> (Summary, Vec<Finding>) {
    let mut all = Summary::default();
    let mut findings = Vec::new();
    for (number, (summary, of_site)) in sites.into_iter().enumerate() {
        let name = |file: &str| below(&summary.site, file);
        findings.extend(of_site.into_iter().map(|mut finding| {
            finding.location.path = name(&finding.location.path).into();
            finding
        }));
        let unread = summary.unread.iter();
        let unread = unread.map(|it| Unread { path: name(&it.path), message: it.message.clone() });
        all.unread.extend(unread);
        let site = Path::new(&summary.site).display();
        all.stale.extend(summary.stale.iter().map(|it| format!("{site}: {it}")));
        let sources = all.sources.take().filter(|it| Some(it) == summary.sources.as_ref());
        all.sources = if number == 0 { summary.sources.clone() } else { sources };
        all.version.clone_from(&summary.version);
        all.documents += summary.documents;
        all.references += summary.references;
        all.external += summary.external;
        all.seconds = [all.seconds, summary.seconds].into_iter().flatten().reduce(f64::max);
        all.fail_on = [all.fail_on, summary.fail_on].into_iter().flatten().min();
        all.hidden_failures += summary.hidden_failures;
        all.baselined += summary.baselined;
        all.ignored += summary.ignored;
        all.fails_on_stale |= summary.fails_on_stale;
        if let Some((urls, anchors)) = summary.compared {
            let (all_urls, all_anchors) = all.compared.unwrap_or_default();
            all.compared = Some((all_urls + urls, all_anchors + anchors));
        }
    }
    all.site = ".".to_owned();
    (all, findings)
}
