//! Fingerprints: numbers that identify findings after unrelated edits.

use std::collections::HashMap;

use super::super::checks::{Check, LOST};
use super::super::finding::Finding;
use rehref_site::fnv::{OFFSET, absorb};
use rehref_url::scheme;

/// Returns for each finding a number that stays the same when its document is edited elsewhere. It
/// is a hash of the check, document, element, attribute, reference and target; of the message if
/// there is no reference. The target of a relative reference does not count: document and reference determine it,
/// and the URL of the site may be another one tomorrow. Findings in which all these are equal are numbered. Lines and columns do
/// not count.
pub fn fingerprints<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Vec<u64> {
    let mut seen: HashMap<u64, u64> = HashMap::new();
    findings
        .into_iter()
        .map(|finding| {
            let hash = of(finding);
            let before = seen.entry(hash).or_default();
            let number = *before;
            *before += 1;
            absorb(hash, &number.to_le_bytes())
        })
        .collect()
}

/// Returns a number that identifies `text`.
pub(super) fn fingerprint_of(text: &str) -> u64 {
    absorb(OFFSET, text.as_bytes())
}

fn of(finding: &Finding) -> u64 {
    // A missing target that a check explains is one that `--only broken` reports.
    let check = match finding.check {
        Check::WrongCase | Check::SchemeLookalike => Check::BrokenTarget,
        check => check,
    };
    if LOST.contains(&check)
        && let Some(target) = &finding.target
    {
        // OLD may be in another directory, and the text of the page elsewhere.
        return absorb(absorb(OFFSET, check.id().as_bytes()), target.as_bytes());
    }
    let place = [
        check.id(),
        &finding.location.path,
        &finding.location.element,
        &finding.location.attribute,
    ];
    let what: &[Option<&str>] = match &finding.reference {
        Some(reference) => &[Some(reference), portable_target(finding, reference)],
        None => &[None, Some(&finding.message)],
    };
    let parts = place.into_iter().map(Some).chain(what.iter().copied());
    parts.fold(OFFSET, |hash, part| match part {
        // No UTF-8 has this byte, so two different lists of parts never give the same bytes.
        Some(part) => absorb(absorb(hash, part.as_bytes()), &[0xFF]),
        None => absorb(hash, &[0xFE]),
    })
}

/// The target of `reference`, unless that depends on the URL of the site.
fn portable_target<'f>(finding: &'f Finding, reference: &str) -> Option<&'f str> {
    let is_relative = scheme::split(reference.trim_ascii()).is_none();
    finding.target.as_deref().filter(|_| !is_relative)
}

#[cfg(test)]
mod tests {
    use super::super::super::checks::Check;
    use super::*;
    use rehref_document::Position;
    use rehref_site::Location;

    fn finding(line: usize, reference: Option<&str>, target: Option<&str>) -> Finding {
        let position = Position { line, column: 1 };
        let location = Location::new("a.html", Some(position), "a", "href");
        let mut finding = Finding::new(Check::BrokenTarget, location, "no file".to_owned());
        finding.reference = reference.map(Box::from);
        finding.target = target.map(Box::from);
        finding
    }

    #[test]
    fn lines_do_not_count_and_the_rest_does() {
        let before = fingerprints(&[
            finding(1, Some("x"), Some("/x")),
            finding(1, Some("x"), Some("/x")),
            finding(2, Some("y"), Some("/x")),
            finding(2, Some("z"), None),
            finding(2, None, None),
        ]);
        let mut different = before.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), before.len());
        let after = fingerprints(&[
            finding(7, Some("new"), Some("/new")),
            finding(8, Some("x"), Some("/x")),
            finding(8, Some("x"), Some("/x")),
            finding(9, Some("y"), Some("/x")),
            finding(9, Some("z"), None),
            finding(9, None, None),
        ]);
        assert_eq!(before, after[1..]);
        let on = |target| fingerprints(&[finding(1, Some("x"), Some(target))]);
        assert_eq!(on("file:///home/me/x"), on("file:///tmp/ci/x"));
        assert_eq!(on("https://a.example/x"), on("https://b.example/x"));
        let stated = |target| fingerprints(&[finding(1, Some("file:///x"), Some(target))]);
        assert_ne!(stated("file:///x"), stated("file:///y"));
        // Baselines and code scanning store fingerprints, so they must never change.
        assert_eq!(before[0], 2669472449143184545);
    }
}
