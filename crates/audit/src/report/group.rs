//! Groups findings by cause.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use memchr::{memchr, memchr2, memmem, memrchr};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

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
    /// At least one finding; the one that represents the group, and the others by document, line and column.
    pub findings: Vec<&'a Finding>,
    /// The number of targets that the findings have.
    pub targets: usize,
    /// The folder or page that all targets are in, if the findings have nothing else in common.
    pub place: Option<&'a str>,
}

impl<'a> Group<'a> {
    /// The finding that represents the group.
    pub fn first(&self) -> Option<&'a Finding> {
        self.findings.first().copied()
    }

    /// The number of documents that the findings are in.
    pub fn documents(&self) -> usize {
        let paths = self.findings.iter().map(|it| &*it.location.path);
        paths.collect::<FxHashSet<&str>>().len()
    }
}

/// Groups findings by cause: the worst severity first, then the largest groups, then in the order
/// of their first findings. Represents a group by a finding whose line in the sources is known, if there is one: the
/// others may be in navigation that a template makes.
pub fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut grouping = Grouping::by_target(findings);
    grouping.join(SAME_REFERENCE, same_reference, false);
    grouping.join(SAME_PLACE, same_place, true);
    let mut groups = grouping.finish();
    for group in &mut groups {
        let place = |finding: &&Finding| finding.source.as_ref().map(|it| it.position.is_some());
        let best = group.findings.iter().enumerate();
        let best = best.max_by_key(|(at, finding)| (place(finding), Reverse(*at)));
        if let Some((at, _)) = best
            && let Some(until) = group.findings.get_mut(..=at)
        {
            until.rotate_right(1);
        }
    }
    groups.sort_by_key(|group| {
        let level = group.first().map_or(Severity::Note, |first| first.severity);
        Reverse((level, group.findings.len()))
    });
    groups
}

/// The findings with the numbers of their groups. A site may have millions of findings, each in a group of its own
/// until these are joined.
struct Grouping<'a> {
    findings: &'a [Finding],
    /// The number of the group of each finding.
    numbers: Vec<usize>,
    groups: Vec<Members>,
}

struct Members {
    /// The place of its first finding among all.
    first: usize,
    /// The group that has its findings: another one after they were joined.
    joined_to: usize,
    targets: usize,
    has_one_reference: bool,
    /// Whether the findings have nothing in common but the place of their targets.
    has_one_place: bool,
}

/// The common parts of the findings of a group.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    severity: Severity,
    check: Check,
    wording: Cow<'a, str>,
    /// The target, or if there is none the reference, or the place.
    what: Option<&'a str>,
    has_target: bool,
}

/// Numbers by keys, which it does not store: nearly every finding of a site may have a key of its own.
#[derive(Default)]
struct KeyNumbers(HashTable<(u64, usize)>);

impl KeyNumbers {
    /// The number of `key`: `next` if no number has it yet. `key_of` gives the key of a number.
    fn number<'a>(
        &mut self,
        key: &Key<'a>,
        next: usize,
        key_of: impl Fn(usize) -> Option<Key<'a>>,
    ) -> usize {
        let hash = FxBuildHasher.hash_one(key);
        let is_same = |(known, number): &(u64, usize)| {
            *known == hash && key_of(*number).as_ref() == Some(key)
        };
        let entry = self.0.entry(hash, is_same, |(hash, _)| *hash);
        entry.or_insert((hash, next)).get().1
    }
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

/// The message without numbers that differ between documents.
fn wording(finding: &Finding) -> Cow<'_, str> {
    let message = &*finding.message;
    match finding.check {
        Check::DuplicateId => match message.split_once("line ") {
            Some((before, after)) => {
                let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
                format!("{before}line {after}").into()
            }
            None => message.into(),
        },
        Check::DanglingSymlink => message.split(';').next().unwrap_or(message).into(),
        _ => message.into(),
    }
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

/// The target, without its fragment if the check is not about that: if a file does not exist, none
/// of its fragments do.
pub(super) fn target(finding: &Finding) -> Option<&str> {
    let whole = finding.target.as_deref()?;
    match finding.check {
        Check::BrokenFragment => Some(whole),
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
    if finding.check == Check::BrokenFragment {
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

/// The reference of a group, if all its findings have the same one and a target.
fn same_reference<'a>(group: &Members, first: &'a Finding) -> Option<&'a str> {
    let reference = first.target.as_ref().and(first.reference.as_deref());
    reference.filter(|_| group.has_one_reference)
}

/// The place of a group's target, if it has one target.
fn same_place<'a>(group: &Members, first: &'a Finding) -> Option<&'a str> {
    place(first).filter(|_| group.targets == 1)
}

impl<'a> Grouping<'a> {
    /// Groups the findings by their targets, or if they have none by their references.
    fn by_target(findings: &'a [Finding]) -> Grouping<'a> {
        let key = |finding| key(finding, target(finding).or_else(|| reference(finding)));
        let mut known = KeyNumbers::default();
        let mut groups: Vec<Members> = Vec::new();
        let numbers = findings.iter().enumerate().map(|(at, finding)| {
            let next = groups.len();
            let first = |number: usize| findings.get(groups.get(number)?.first);
            let number = known.number(&key(finding), next, |number| first(number).map(key));
            let is_other = first(number).is_some_and(|it| it.reference != finding.reference);
            match groups.get_mut(number) {
                Some(group) => group.has_one_reference &= !is_other,
                None => groups.push(Members {
                    first: at,
                    joined_to: next,
                    targets: usize::from(target(finding).is_some()),
                    has_one_reference: true,
                    has_one_place: false,
                }),
            }
            number
        });
        Grouping { findings, numbers: numbers.collect(), groups }
    }

    /// Joins groups to the first of them, if at least `least` have the same `cause`. `by_place`: it is the place of
    /// the targets.
    fn join(
        &mut self,
        least: usize,
        cause: fn(&Members, &'a Finding) -> Option<&'a str>,
        by_place: bool,
    ) {
        let Grouping { findings, groups, .. } = self;
        let key = |number: usize| {
            let group = groups.get(number).filter(|it| it.joined_to == number)?;
            let first = findings.get(group.first)?;
            Some(key(first, Some(cause(group, first)?)))
        };
        let mut known = KeyNumbers::default();
        // The number of groups that have the same cause, by the first of them.
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        let of_groups = (0..groups.len()).map(|number| {
            let first = known.number(&key(number)?, number, key);
            *counts.entry(first).or_default() += 1;
            Some(first)
        });
        let firsts: Vec<Option<usize>> = of_groups.collect();
        for (group, first) in groups.iter_mut().zip(firsts) {
            let Some(first) = first else { continue };
            let count = counts.get(&first).copied().unwrap_or_default();
            if count >= least {
                group.joined_to = first;
                group.targets = count;
                group.has_one_place = by_place;
            }
        }
    }

    /// The groups in the order of their first findings.
    fn finish(self) -> Vec<Group<'a>> {
        let first = |group: &Members| self.findings.get(group.first);
        let mut groups: Vec<Group<'a>> = Vec::new();
        // The groups that were joined to others come after these.
        let mut places: Vec<usize> = Vec::with_capacity(self.groups.len());
        for (number, group) in self.groups.iter().enumerate() {
            let known = places.get(group.joined_to).copied();
            places.push(known.unwrap_or(groups.len()));
            if group.joined_to == number {
                groups.push(Group {
                    findings: Vec::new(),
                    targets: group.targets,
                    place: first(group).and_then(place).filter(|_| group.has_one_place),
                });
            }
        }
        for (finding, number) in self.findings.iter().zip(&self.numbers) {
            let place = places.get(*number).copied();
            if let Some(group) = place.and_then(|place| groups.get_mut(place)) {
                group.findings.push(finding);
            }
        }
        groups
    }
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
                let document = &*group.first().unwrap().location.path;
                (document, group.findings.len(), group.documents(), group.targets)
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
            found.message = format!("an element in line {line} has this id already").into();
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
        let levels: Vec<Severity> =
            groups.iter().filter_map(Group::first).map(|f| f.severity).collect();
        assert_eq!(levels, [Severity::Error, Severity::Note]);
    }
}
