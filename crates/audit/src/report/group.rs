//! Groups findings by cause.

use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash, Hasher};

use memchr::{memchr, memchr2, memmem, memrchr};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::super::checks::Check;
use super::super::finding::Finding;
use rehref_site::Severity;

/// A reference that is written the same everywhere counts as one cause if it has at least this many
/// targets: a template's `search.html`, missing in every folder.
const SAME_REFERENCE: usize = 4;
/// Missing targets in one place count as one cause if there are at least this many: a folder that
/// was not built, the ids of a page that was rewritten.
const SAME_PLACE: usize = 4;

/// Findings that one mistake explains. They have the same check and message, and the same target
/// (without a target, the same reference), or the same reference in many folders, or many targets
/// in one place.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The finding that reports show for the whole group.
    pub first: &'a Finding,
    /// The other findings of the group, sorted by document, line and column.
    pub others: Vec<&'a Finding>,
    /// The number of different targets of the findings.
    pub targets: usize,
    /// The folder or page that contains all targets, if the findings have nothing else in common.
    pub place: Option<&'a str>,
    has_one_reference: bool,
}

impl<'a> Group<'a> {
    /// Returns the number of findings in the group.
    pub fn count(&self) -> usize {
        1 + self.others.len()
    }

    /// Returns the findings of the group; the first represents the group.
    pub fn findings(&self) -> impl Iterator<Item = &'a Finding> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// Returns the number of documents that the findings are in.
    pub fn documents(&self) -> usize {
        self.findings().map(|it| &*it.location.path).collect::<FxHashSet<&str>>().len()
    }
}

/// Groups findings by cause: the worst severity first, then the largest groups, then in the order
/// of their first findings. Represents a group by a finding whose line in the sources is known, if there is one: the
/// others may be in navigation that a template makes.
pub fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut groups = by_target(findings);
    // The reference, if all findings of the group have the same one and a target.
    join(&mut groups, SAME_REFERENCE, false, |group| {
        let reference = group.first.target.as_ref().and(group.first.reference.as_deref());
        reference.filter(|_| group.has_one_reference)
    });
    join(&mut groups, SAME_PLACE, true, |group| place(group.first).filter(|_| group.targets == 1));
    for group in &mut groups {
        let line = |it: &Finding| it.source.as_ref().map(|it| it.position.is_some());
        let best = group.findings().enumerate();
        let best = best.max_by_key(|(at, finding)| (line(finding), Reverse(*at)));
        if let Some((at @ 1.., best)) = best {
            group.others.remove(at - 1);
            group.others.insert(0, std::mem::replace(&mut group.first, best));
        }
    }
    groups.sort_by_key(|group| Reverse((group.first.severity, group.count())));
    groups
}

/// The common parts of the findings of a group.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    severity: Severity,
    check: Check,
    wording: Wording<'a>,
    /// The target, or if there is none the reference, or the place.
    what: Option<&'a str>,
    has_target: bool,
}

fn key<'a>(finding: &'a Finding, what: Option<&'a str>) -> Key<'a> {
    Key {
        severity: finding.severity,
        check: finding.check,
        wording: wording(finding),
        what,
        has_target: target(finding).is_some(),
    }
}

/// A message without its values, those in backticks and numbers, which differ between the findings of a cause.
#[derive(Clone, Copy)]
struct Wording<'a>(&'a str);

impl<'a> Wording<'a> {
    fn words(self) -> impl Iterator<Item = &'a str> {
        let words =
            self.0.split('`').step_by(2).flat_map(|it| it.split(|c: char| c.is_ascii_digit()));
        words.filter(|it| !it.is_empty())
    }
}

impl PartialEq for Wording<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.words().eq(other.words())
    }
}

impl Eq for Wording<'_> {}

impl Hash for Wording<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words().for_each(|word| word.hash(state));
    }
}

fn wording(finding: &Finding) -> Wording<'_> {
    let message = &*finding.message;
    Wording(match finding.check {
        // The number of references to it comes last.
        Check::DanglingSymlink => message.split(';').next().unwrap_or(message),
        _ => message,
    })
}

/// The reference. The targets of symbolic links have more `..` segments in deeper folders; these
/// are dropped.
fn reference(finding: &Finding) -> Option<&str> {
    let reference = finding.reference.as_deref()?;
    match finding.check {
        Check::DanglingSymlink => Some(reference.trim_start_matches("../")),
        _ => Some(reference),
    }
}

/// Returns the target, without its fragment if the check is not about that: if a file does not exist, none of its
/// fragments do.
pub(super) fn target(finding: &Finding) -> Option<&str> {
    let whole = finding.target.as_deref()?;
    match finding.check {
        Check::BrokenFragment | Check::LostAnchor => Some(whole),
        _ => whole.split('#').next(),
    }
}

/// The folder or page that may be the common cause: the folder of a broken target, the first folder
/// of a path that escapes the root, the page of a broken fragment. `None` for the root of the site,
/// and if the finding has a suggestion, which is its own cause.
fn place(finding: &Finding) -> Option<&str> {
    let whole = finding.target.as_deref()?;
    if finding.suggestion.is_some() {
        return None;
    }
    if matches!(finding.check, Check::BrokenFragment | Check::LostAnchor) {
        return whole.split_once('#').map(|(page, _)| page);
    }
    let end = memchr2(b'?', b'#', whole.as_bytes());
    let whole = whole.get(..end.unwrap_or(whole.len()))?;
    let host = memmem::find(whole.as_bytes(), b"://").map_or(0, |at| at + "://".len());
    let root = host + memchr(b'/', whole.get(host..)?.as_bytes())? + 1;
    let path = whole.get(root..)?.as_bytes();
    let slash = match finding.check {
        Check::EscapesRoot => memchr(b'/', path),
        Check::BrokenTarget => memrchr(b'/', path),
        _ => None,
    };
    whole.get(..root + slash? + 1)
}

/// The numbers below `count`, sorted by the hash of their `key`; those without a key are left out. Nearly every finding
/// of a site may have a key of its own, so that the keys are not stored.
fn by_hash<'a>(count: usize, key: impl Fn(usize) -> Option<Key<'a>>) -> Vec<(u64, usize)> {
    let numbers = (0..count).filter_map(|at| Some((FxBuildHasher.hash_one(key(at)?), at)));
    let mut sorted: Vec<(u64, usize)> = numbers.collect();
    sorted.sort_unstable();
    sorted
}

/// Groups the findings by their targets, or if they have none by their references.
fn by_target(findings: &[Finding]) -> Vec<Group<'_>> {
    let key = |at: usize| {
        let finding = findings.get(at)?;
        Some(key(finding, target(finding).or_else(|| reference(finding))))
    };
    let sorted = by_hash(findings.len(), key);
    let same = sorted.chunk_by(|one, other| one.0 == other.0 && key(one.1) == key(other.1));
    let groups = same.filter_map(|same| {
        let (first, others) = same.split_first()?;
        let first = findings.get(first.1)?;
        let others: Vec<&Finding> = others.iter().filter_map(|it| findings.get(it.1)).collect();
        Some(Group {
            targets: usize::from(target(first).is_some()),
            place: None,
            has_one_reference: others.iter().all(|it| it.reference == first.reference),
            first,
            others,
        })
    });
    let mut groups: Vec<Group<'_>> = groups.collect();
    // The findings are in one slice.
    groups.sort_unstable_by_key(|group| std::ptr::from_ref(group.first));
    groups
}

/// Joins groups to the first of them, if at least `least` have the same `cause`. `by_place`: it is the place of
/// the targets.
fn join<'a>(
    groups: &mut Vec<Group<'a>>,
    least: usize,
    by_place: bool,
    cause: impl Fn(&Group<'a>) -> Option<&'a str>,
) {
    let key = |at: usize| {
        let group = groups.get(at)?;
        Some(key(group.first, Some(cause(group)?)))
    };
    let sorted = by_hash(groups.len(), key);
    let same = sorted.chunk_by(|one, other| one.0 == other.0 && key(one.1) == key(other.1));
    let many: Vec<&[(u64, usize)]> = same.filter(|same| same.len() >= least).collect();
    let mut is_joined = vec![false; groups.len()];
    for same in many {
        let Some(((_, first), others)) = same.split_first() else { continue };
        let mut joined: Vec<&Finding> = Vec::new();
        for (_, at) in others {
            if let (Some(group), Some(is_joined)) = (groups.get_mut(*at), is_joined.get_mut(*at)) {
                *is_joined = true;
                joined.push(group.first);
                joined.append(&mut group.others);
            }
        }
        if let Some(group) = groups.get_mut(*first) {
            group.others.append(&mut joined);
            group.others.sort_unstable_by_key(|it| std::ptr::from_ref::<Finding>(it));
            group.targets = same.len();
            group.place = place(group.first).filter(|_| by_place);
        }
    }
    let mut is_joined = is_joined.into_iter();
    groups.retain(|_| is_joined.next() == Some(false));
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_document::Position;
    use rehref_site::Location;

    fn finding(document: &str, reference: &str, target: &str) -> Finding {
        let position = Position { line: 1, column: 1 };
        let location = Location::new(document, Some(position), "a", "href");
        let mut finding = Finding::new(Check::BrokenTarget, location, "no file".to_owned());
        finding.reference = Some(reference.into());
        finding.target = (!target.is_empty()).then(|| target.into());
        finding
    }

    fn shape(findings: &[Finding]) -> Vec<(&str, usize, usize, usize)> {
        groups(findings)
            .iter()
            .map(|group| {
                (&*group.first.location.path, group.count(), group.documents(), group.targets)
            })
            .collect()
    }

    #[test]
    fn groups_are_of_one_target() {
        let findings = [
            finding("a", "x", "/x"),
            finding("a", "y", "/y"),
            finding("a", "/y", "/y"),
            finding("b", "y", "/y"),
            finding("c", "z", ""),
            finding("d", "z", ""),
            finding("e", "w", ""),
        ];
        assert_eq!(
            shape(&findings),
            [("a", 3, 2, 1), ("c", 2, 2, 0), ("a", 1, 1, 1), ("e", 1, 1, 0)]
        );
    }

    #[test]
    fn one_reference_from_many_folders_is_one_group() {
        let mut findings: Vec<Finding> =
            (0..3).map(|n| finding(&format!("{n}/a"), "s.html", &format!("/{n}/s.html"))).collect();
        assert_eq!(shape(&findings).len(), 3);
        findings.insert(1, finding("0/z", "other", "/other"));
        findings.push(finding("3/a", "s.html", "/3/s.html"));
        assert_eq!(shape(&findings), [("0/a", 4, 4, 4), ("0/z", 1, 1, 1)]);
        // Another document spells a target differently, so the template is not its cause.
        findings.push(finding("4/a", "../0/s.html", "/0/s.html"));
        assert_eq!(shape(&findings).len(), 5);
    }

    #[test]
    fn many_targets_in_one_place_are_one_group() {
        type Row = (Check, fn(usize) -> String, Option<&'static str>);
        let table: [Row; 7] = [
            (Check::BrokenTarget, |n| format!("/a/b/{n}?q=/#f"), Some("/a/b/")),
            (Check::BrokenTarget, |n| format!("/{n}.html"), None),
            (Check::BrokenTarget, |n| format!("https://h/a/{n}"), Some("https://h/a/")),
            (Check::BrokenTarget, |n| format!("https://h/{n}"), None),
            (Check::EscapesRoot, |n| format!("/a/{n}/c"), Some("/a/")),
            (Check::BrokenFragment, |n| format!("/a#{n}"), Some("/a")),
            (Check::BadUrl, |n| format!("/a/b/{n}"), None),
        ];
        for (check, target, place) in table {
            let mut findings: Vec<Finding> =
                (0..4).map(|n| finding("z", &format!("r{n}"), &target(n))).collect();
            for found in &mut findings {
                found.check = check;
            }
            let found = groups(&findings);
            assert_eq!(found.first().unwrap().place, place, "{}", target(1));
            assert_eq!(found.len(), if place.is_some() { 1 } else { 4 });
            // Too few findings, or a suggestion of its own, prevent a group.
            assert_eq!(groups(findings.get(..3).unwrap()).len(), 3);
            findings[0].suggestion = Some("a".into());
            assert_eq!(groups(&findings).len(), 4);
        }
    }

    #[test]
    fn lines_and_depth_make_no_difference() {
        let id = |line: usize| {
            let mut found = finding("a", "toc", "");
            found.check = Check::DuplicateId;
            found.message = format!("the element on line {line} already has the id `toc`").into();
            found
        };
        assert_eq!(groups(&[id(7), id(8), id(123)]).len(), 1);
        let link = |document: &str, reference: &str, message: &str| {
            let mut found = finding(document, reference, "");
            found.check = Check::DanglingSymlink;
            found.message = message.to_owned().into();
            found
        };
        let links = [
            link(
                "a/x.js",
                "../../js/x.js",
                "a symbolic link whose target does not exist; 3 links to it",
            ),
            link("b/c/x.js", "../../../js/x.js", "a symbolic link whose target does not exist"),
            link("b/y.js", "../../js/y.js", "a symbolic link whose target does not exist"),
        ];
        assert_eq!(groups(&links).len(), 2);
    }

    #[test]
    fn worse_levels_come_first() {
        let mut findings = vec![finding("a", "x", "/x"); 5];
        for (at, finding) in findings.iter_mut().enumerate() {
            if at < 3 {
                finding.severity = Severity::Note;
            }
        }
        let groups = groups(&findings);
        let levels: Vec<Severity> = groups.iter().map(|group| group.first.severity).collect();
        assert_eq!(levels, [Severity::Error, Severity::Note]);
    }
}
