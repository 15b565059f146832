//! escapes-root: references whose `..` segments leave the site.

use super::ReferenceContext;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use rehref_site::Severity;
use rehref_site::plural::counted;
use rehref_url::traversal::{ParentTraversal, depth, may_go_up};

/// Reports a reference that escapes the root of the server, where nothing can be, or the site's
/// folder, where another site may be.
pub(super) fn finding(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    let base = subject.base.filter(|_| may_go_up(subject.reference))?;
    let target = subject.target.ok()?;
    let traversal = ParentTraversal::of(base, subject.reference)?;
    let found = |message: String| ReferenceFinding::new(Check::EscapesRoot, message);
    if traversal.above_root > 0 {
        let root =
            if subject.is_published { "the root of the host" } else { "the root of the site" };
        let message = format!(
            "the link escapes {root} by {}; browsers stop at the root of the host, other programs do not",
            counted(traversal.above_root, "level")
        );
        // If the target does not exist either, the number of `..` segments is not the only mistake.
        let is_missing =
            target.as_str().starts_with(subject.site.as_str()) && !subject.target_exists;
        let shorter = shorter(subject, traversal.above_root);
        return Some(found(message).suggest(shorter.filter(|_| !is_missing)));
    }
    let site = subject.site.as_str();
    let left = depth(site).saturating_sub(traversal.min_depth);
    if left == 0 || !base.as_str().starts_with(site) || target.as_str().starts_with(site) {
        return None;
    }
    Some(if subject.is_published {
        let message =
            format!("the link goes to `{target}`, outside the audited site, so it was not checked");
        found(message).at_most(Severity::Warning)
    } else {
        let levels = counted(left, "level");
        found(format!("the link escapes the directory of the site by {levels}"))
    })
}

/// The reference without its first `count` segments `..`, if it resolves to the same target.
fn shorter(subject: &ReferenceContext<'_>, count: usize) -> Option<String> {
    let (root, mut rest) = match subject.reference.strip_prefix('/') {
        Some(path) => ("/", path),
        None => ("", subject.reference),
    };
    for _ in 0..count {
        rest = rest.strip_prefix("../")?;
    }
    let shorter = format!("{root}{rest}");
    let (base, target) = (subject.base?, subject.target.ok()?);
    (!rest.is_empty() && base.resolves_to(&shorter, subject.encoding, target)).then_some(shorter)
}
