//! Groups findings by cause.

use std::borrow::Cow;
use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::checks::Check;
use super::super::finding::Finding;
use crate::diagnostic::Severity;

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
    let mut collected = by_target(findings);
    join(&mut collected, SAME_REFERENCE, same_reference);
    join(&mut collected, SAME_PLACE, same_place);
    let mut groups: Vec<Group<'_>> = collected
        .into_iter()
        .filter(|members| !members.findings.is_empty())
        .map(|members| Group {
            findings: members
                .findings
                .into_iter()
                .map(|(_, found)| found)
                .collect(),
            targets: members.targets,
            place: members.place,
        })
        .collect();
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

/// A group, whose findings have their positions among all findings.
struct Members<'a> {
    findings: Vec<(usize, &'a Finding)>,
    targets: usize,
    place: Option<&'a str>,
}

/// The common parts of the findings of a group; the last is the target or the reference.
type Key<'a> = (Severity, Check, Cow<'a, str>, Option<&'a str>);

/// A key that several groups share, and the place that the targets of all are in.
type Cause<'a> = (Key<'a>, Option<&'a str>);

fn key<'a>(finding: &'a Finding, what: Option<&'a str>) -> Key<'a> {
    (finding.severity, finding.check, wording(finding), what)
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
    let whole = whole.get(..whole.find(['?', '#']).unwrap_or(whole.len()))?;
    let host = whole.find("://").map_or(0, |at| at + "://".len());
    let root = host + whole.get(host..)?.find('/')? + 1;
    let path = whole.get(root..)?;
    let slash = match finding.check {
        Check::EscapesRoot => path.find('/'),
        Check::BrokenTarget => path.rfind('/'),
        _ => None,
    };
    whole.get(..root + slash? + 1)
}

fn by_target(findings: &[Finding]) -> Vec<Members<'_>> {
    let mut known: FxHashMap<(Key<'_>, bool), usize> = FxHashMap::default();
    let mut groups: Vec<Members<'_>> = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let target = target(finding);
        let what = target.or(reference(finding));
        let group = *known
            .entry((key(finding, what), target.is_some()))
            .or_insert_with(|| {
                groups.push(Members {
                    findings: Vec::new(),
                    targets: usize::from(target.is_some()),
                    place: None,
                });
                groups.len() - 1
            });
        if let Some(group) = groups.get_mut(group) {
            group.findings.push((at, finding));
        }
    }
    groups
}

/// The reference of a group, if all its findings have the same one and a target.
fn same_reference<'a>(group: &Members<'a>) -> Option<Cause<'a>> {
    let &(_, first) = group.findings.first()?;
    let reference = first.target.as_ref().and(first.reference.as_deref())?;
    let mut findings = group.findings.iter();
    let is_same = findings.all(|(_, other)| other.reference.as_deref() == Some(reference));
    is_same.then(|| (key(first, Some(reference)), None))
}

/// The place of a group's target, if it has one target.
fn same_place<'a>(group: &Members<'a>) -> Option<Cause<'a>> {
    let &(_, first) = group.findings.first().filter(|_| group.targets == 1)?;
    let place = place(first)?;
    Some((key(first, Some(place)), Some(place)))
}

/// Joins groups, if at least `least` have the same `cause`: moves the findings of all, in their
/// order, into the first.
fn join<'a>(
    groups: &mut [Members<'a>],
    least: usize,
    cause: fn(&Members<'a>) -> Option<Cause<'a>>,
) {
    let mut alike: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    for (at, group) in groups.iter().enumerate() {
        if let Some(cause) = cause(group) {
            alike.entry(cause).or_default().push(at);
        }
    }
    for ((_, place), same) in alike.into_iter().filter(|(_, same)| same.len() >= least) {
        let mut findings = Vec::new();
        for &at in &same {
            if let Some(group) = groups.get_mut(at) {
                findings.append(&mut group.findings);
            }
        }
        findings.sort_unstable_by_key(|&(at, _)| at);
        if let Some(group) = same.first().and_then(|&at| groups.get_mut(at)) {
            *group = Members {
                findings,
                targets: same.len(),
                place,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Location;
    use crate::document::Position;

    fn finding(document: &str, reference: &str, target: &str) -> Finding {
        let position = Position { line: 1, column: 1 };
        let location = Location {
            path: document.into(),
            position: Some(position),
            element: "a".into(),
            attribute: "href".into(),
        };
        let mut finding = Finding::new(Check::BrokenTarget, location, "no file".to_owned());
        finding.reference = Some(reference.to_owned());
        finding.target = (!target.is_empty()).then(|| target.to_owned());
        finding
    }

    fn shape(findings: &[Finding]) -> Vec<(&str, usize, usize, usize)> {
        groups(findings)
            .iter()
            .map(|group| {
                let document = &*group.first().unwrap().location.path;
                (
                    document,
                    group.findings.len(),
                    group.documents(),
                    group.targets,
                )
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
            [
                ("a", 3, 2, 1),
                ("c", 2, 2, 0),
                ("a", 1, 1, 1),
                ("e", 1, 1, 0)
            ]
        );
    }

    #[test]
    fn one_reference_from_many_folders_is_one_group() {
        let mut findings: Vec<Finding> = (0..3)
            .map(|n| finding(&format!("{n}/a"), "s.html", &format!("/{n}/s.html")))
            .collect();
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
            (
                Check::BrokenTarget,
                |n| format!("/a/b/{n}?q=/#f"),
                Some("/a/b/"),
            ),
            (Check::BrokenTarget, |n| format!("/{n}.html"), None),
            (
                Check::BrokenTarget,
                |n| format!("https://h/a/{n}"),
                Some("https://h/a/"),
            ),
            (Check::BrokenTarget, |n| format!("https://h/{n}"), None),
            (Check::EscapesRoot, |n| format!("/a/{n}/c"), Some("/a/")),
            (Check::BrokenFragment, |n| format!("/a#{n}"), Some("/a")),
            (Check::BadUrl, |n| format!("/a/b/{n}"), None),
        ];
        for (check, target, place) in table {
            let mut findings: Vec<Finding> = (0..4)
                .map(|n| finding("z", &format!("r{n}"), &target(n)))
                .collect();
            for found in &mut findings {
                found.check = check;
            }
            let found = groups(&findings);
            assert_eq!(found.first().unwrap().place, place, "{}", target(1));
            assert_eq!(found.len(), if place.is_some() { 1 } else { 4 });
            // Too few findings, or a suggestion of its own, prevent a group.
            assert_eq!(groups(findings.get(..3).unwrap()).len(), 3);
            findings[0].suggestion = Some("a".to_owned());
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
            link(
                "b/c/x.js",
                "../../../js/x.js",
                "a symbolic link whose target does not exist",
            ),
            link(
                "b/y.js",
                "../../js/y.js",
                "a symbolic link whose target does not exist",
            ),
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
        let levels: Vec<Severity> = groups
            .iter()
            .filter_map(Group::first)
            .map(|f| f.severity)
            .collect();
        assert_eq!(levels, [Severity::Error, Severity::Note]);
    }
}
