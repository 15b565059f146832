//! escapes-root: references whose `..` segments leave the site.

use super::context::{ReferenceContext, TrimmedReference};
use crate::audit::checks::Check;
use crate::audit::finding::ReferenceFinding;
use crate::diagnostic::Severity;
use crate::plural::counted;
use crate::url::traversal::{ParentTraversal, depth};

/// Nothing is above the root of a URL; another site may be above the site's folder.
pub(super) fn finding(
    subject: &ReferenceContext<'_>,
    written: &TrimmedReference<'_>,
) -> Option<ReferenceFinding> {
    let dotted = written.text.contains("..") || written.text.contains("%2");
    let base = subject.base.filter(|_| dotted)?;
    let target = subject.target.ok()?;
    let traversal = ParentTraversal::of(base, written.text)?;
    if traversal.above_root > 0 {
        let root = match subject.is_published {
            true => "the root of the server",
            false => "the root of SITE",
        };
        let message = format!(
            "escapes {root} by {}; browsers stop at the root of the server, other programs do not",
            counted(traversal.above_root, "level")
        );
        // If the target does not exist either, the number of `..` segments is not the only mistake.
        let is_missing =
            target.as_str().starts_with(subject.site.as_str()) && !subject.target_exists;
        let shorter = shorter(subject, written, traversal.above_root);
        return Some(
            ReferenceFinding::new(Check::EscapesRoot, message)
                .at(written.start)
                .suggest(shorter.filter(|_| !is_missing)),
        );
    }
    let site = subject.site.as_str();
    let left = depth(subject.site).saturating_sub(traversal.min_depth);
    if left == 0 || !base.as_str().starts_with(site) || target.as_str().starts_with(site) {
        return None;
    }
    let finding = if subject.is_published {
        let message = format!("leaves the site for {target}, which is not checked");
        ReferenceFinding::new(Check::EscapesRoot, message).at_most(Severity::Note)
    } else {
        let message = format!(
            "escapes the folder of the site by {}",
            counted(left, "level")
        );
        ReferenceFinding::new(Check::EscapesRoot, message)
    };
    Some(finding.at(written.start))
}

/// The reference without its first `count` segments `..`, if it resolves to the same target.
fn shorter(
    subject: &ReferenceContext<'_>,
    written: &TrimmedReference<'_>,
    count: usize,
) -> Option<String> {
    let (root, path) = match written.text.strip_prefix('/') {
        Some(path) => ("/", path),
        None => ("", written.text),
    };
    let mut rest = path;
    for _ in 0..count {
        rest = rest.strip_prefix("../")?;
    }
    let shorter = format!("{root}{rest}");
    let (base, target) = (subject.base?, subject.target.ok()?);
    (!rest.is_empty() && base.resolves_to(&shorter, subject.encoding, target)).then_some(shorter)
}
