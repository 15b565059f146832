//! The report of `rehref audit` and `rehref compare`: what is accepted, what is printed, the exit status.

use std::borrow::Cow;

use super::super::advice::{self, Advice};
use super::super::exit::{CliError, Exit, usage_error};
use super::super::opened::OpenedSite;
use super::super::reports::{self, Requested, requested};
use super::super::{site_url, terminal};
use super::arguments::{Arguments, FORMATS, Format};
use super::baseline::write_baseline;
use super::checks::Elsewhere;
use super::{print, sources};
use rehref_audit::Finding;
use rehref_audit::checks::LOST;
use rehref_audit::finding::ReportedFile;
use rehref_audit::report::{Summary, below, merged};
use rehref_corpus::Corpus;
use rehref_site::plural::counted;

/// The audit of a site, without ignored findings and those of the baseline.
pub(in crate::cli) struct SiteAudit {
    pub(in crate::cli) opened: OpenedSite,
    pub(in crate::cli) findings: Vec<Finding>,
    pub(in crate::cli) summary: Summary,
    /// The number of links with targets above SITE, also of those that `--only` leaves out.
    pub(super) above: usize,
    /// The directory that the paths of documents in findings begin with.
    pub(super) documents_below: String,
    /// True if the findings may be fixed; not where a site of another URL is taken for one at a root.
    pub(super) is_fixable: bool,
    /// Where the site seems to be, if this is another place.
    pub(super) elsewhere: Option<Elsewhere>,
}

impl SiteAudit {
    /// Names the files of findings from the working directory on: what is lost is in `old`, the rest in the site.
    pub(in crate::cli) fn name_files(&mut self, old: &str) {
        self.documents_below = std::mem::replace(&mut self.summary.site, ".".to_owned());
        for finding in &mut self.findings {
            let site = if LOST.contains(&finding.check) { old } else { &*self.documents_below };
            finding.location.path = below(site, &finding.location.path).into();
        }
    }
}

/// Prints the findings; with `--update-baseline`, writes them to the baseline first.
pub(super) fn report(arguments: &Arguments, audit: SiteAudit) -> Result<Exit, CliError> {
    report_all(vec![(arguments, audit)])
}

/// Prints the findings of several sites together, as [`report`] does for one.
pub(in crate::cli) fn report_all(
    mut audits: Vec<(&Arguments, SiteAudit)>,
) -> Result<Exit, CliError> {
    let Some((first, _)) = audits.first() else { return Ok(Exit::Done) };
    let (first, is_one) = (*first, audits.len() == 1);
    let name_subject = |arguments: &Arguments| {
        let name = arguments.place.to_string_lossy();
        terminal::set_subject(if is_one { "" } else { &name });
    };
    let (mut is_failing, mut advice) = (false, Vec::new());
    for (arguments, audit) in &mut audits {
        name_subject(arguments);
        is_failing |= accept(arguments, audit, &mut advice)?;
    }
    terminal::set_subject("");
    let corpora = audits.iter().map(|(_, it)| {
        let site = if is_one { "" } else { &*it.summary.site };
        (below(site, &below(&it.documents_below, "")), &it.opened.corpus)
    });
    let corpora: Vec<(String, &Corpus)> = corpora.collect();
    let source = |file: ReportedFile<'_>| print::text_of(file, &corpora);
    let (summary, findings) = match audits.as_slice() {
        [(_, it)] => (Cow::Borrowed(&it.summary), Cow::Borrowed(&it.findings)),
        all => {
            let all = all.iter().map(|(_, it)| (&it.summary, it.findings.clone()));
            let (summary, findings) = merged(all);
            (Cow::Owned(summary), Cow::Owned(findings))
        }
    };
    // The errors are told, and "No findings" would be no news.
    let is_nothing = summary.documents == 0 && findings.is_empty() && !summary.unread.is_empty();
    for Requested { format, file, .. } in requested(&first.report.format, &FORMATS)? {
        if is_nothing && file.is_none() && format == Format::Text {
            continue;
        }
        // The same run gives the same report, for programs and in a file.
        let has_times = terminal::is_verbose() || file.is_none() && format == Format::Text;
        let seconds = summary.seconds.filter(|_| has_times);
        let summary = Summary { seconds, ..summary.clone().into_owned() };
        let report = print::report(format, &first.report, &source, &summary, &findings)?;
        reports::write(file.as_deref(), report)?;
    }
    if summary.hidden_failures > 0 {
        let hidden = counted(summary.hidden_failures, "finding");
        terminal::error(format!(
            "the run fails because of {hidden} that --min-level hides\nhelp: --fail-on sets the levels that fail the run"
        ));
    }
    let is_incomplete = !summary.unread.is_empty();
    for ((arguments, _), advice) in audits.iter().zip(advice) {
        name_subject(arguments);
        advice::print(advice);
    }
    terminal::set_subject("");
    Ok(Exit::of(is_incomplete, is_failing))
}

/// Drops the findings that `--update-baseline` accepts and that `--min-level` hides, and finds the lines of `--sources`. Adds
/// what else to tell after the report to `advice`. Returns whether the run fails.
fn accept(
    arguments: &Arguments,
    audit: &mut SiteAudit,
    advice: &mut Vec<Vec<Advice>>,
) -> Result<bool, CliError> {
    let SiteAudit { findings, summary, .. } = audit;
    if let Some(path) = &arguments.findings.baseline
        && arguments.findings.update_baseline
    {
        if !summary.unread.is_empty() {
            return usage_error(format!(
                "rehref did not update {}, because it could not read some files of the site (see above)",
                path.display()
            ));
        }
        write_baseline(path, findings, &arguments.findings, &audit.opened.corpus)?;
        summary.baselined = findings.len();
        findings.clear();
    }
    let limit = arguments.findings.fails_on();
    let is_failing = |finding: &&Finding| limit.is_some_and(|limit| finding.severity >= limit);
    let failing = findings.iter().filter(is_failing).count();
    // Findings that --min-level hides may show that SITE is the wrong directory.
    let above = advice::audited_root::links_above(findings).max(audit.above);
    findings.retain(|finding| Some(finding.severity) >= arguments.findings.min_level);
    summary.hidden_failures = failing - findings.iter().filter(is_failing).count();
    if let Some(directory) = &arguments.report.sources {
        let published = arguments.report.published.clone();
        sources::locate(findings, directory, published, &audit.opened.corpus);
    }
    let mut all = Vec::new();
    let is_inferred = arguments.reading.site.url.is_none();
    if let Some(url) = summary.url.as_ref().filter(|it| !it.starts_with(site_url::SOME_HOST))
        && is_inferred
        && !findings.is_empty()
    {
        all.push(advice::audited_root::inferred_url(url));
    }
    let count = summary.references;
    all.extend(advice::audit::of_findings(&audit.opened.corpus, findings, above, count));
    // Fixes for another root than that of the site would break it.
    let is_root = || advice::audited_root::deeper(&audit.opened.corpus, findings).is_none();
    let has_files = !audit.opened.corpus.has_only_archives();
    if audit.is_fixable && arguments.build.is_none() && has_files && is_root() {
        all.extend(advice::audit::fixes(arguments, findings));
    }
    let site_url = &audit.opened.corpus.site_url;
    let seems = match &audit.elsewhere {
        Some(Elsewhere::Directory(folder)) => {
            let is_mounted = !site_url.has_mounts() || site_url.is_mounted(&format!("{folder}/"));
            let mount = format!("add --mount URL={folder} with the URL of this directory");
            Some((format!("in its directory {folder}"), (!is_mounted).then_some(mount)))
        }
        Some(Elsewhere::Place(place)) => Some((place.clone(), None)),
        Some(Elsewhere::Told) | None => None,
    };
    if let Some((place, help)) = seems.filter(|_| !findings.is_empty()) {
        let help = help.unwrap_or_else(|| "correct SITE or --url first (see above)".to_owned());
        all.push(Advice::Note(format!(
            "the site seems to be {place}, so findings may be wrong\nhelp: {help}"
        )));
    }
    if !findings.is_empty() {
        all.extend(advice::code_hosts::of_reports(&arguments.report, &audit.opened.corpus));
    }
    advice.push(all);
    let is_stale = !summary.stale.is_empty() && summary.fails_on_stale;
    Ok(failing > 0 || is_stale)
}
