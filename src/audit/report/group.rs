//! Groups findings by cause.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::HashMap;

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
    /// The findings, in their order; at least one.
    pub findings: Vec<&'a Finding>,
    /// How many targets they have.
    pub targets: usize,
    /// The folder or page that all targets are in, if that is what they have in common.
    pub place: Option<&'a str>,
}

impl<'a> Group<'a> {
    /// The finding that represents the group.
    pub fn first(&self) -> Option<&'a Finding> {
        self.findings.first().copied()
    }

    /// How many documents the findings are in.
    pub fn documents(&self) -> usize {
        let changes = self
            .findings
            .windows(2)
            .filter(|pair| matches!(pair, [a, b] if a.location.path != b.location.path))
            .count();
        changes + usize::from(!self.findings.is_empty())
    }
}

/// Groups findings by cause: the worst severity first, then the largest groups, then in the order
/// of their first findings.
pub fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut collected = by_target(findings);
    join_references(findings, &mut collected);
    join_places(findings, &mut collected);
    let mut groups: Vec<Group<'_>> = collected
        .into_iter()
        .filter(|members| !members.places.is_empty())
        .map(|members| Group {
            findings: members
                .places
                .iter()
                .filter_map(|&at| findings.get(at))
                .collect(),
            targets: members.targets,
            place: members.place,
        })
        .collect();
    groups.sort_by_key(|group| {
        let level = group.first().map_or(Severity::Note, |first| first.severity);
        Reverse((level, group.findings.len()))
    });
    groups
}

/// The positions of a group's findings.
struct Members<'a> {
    places: Vec<usize>,
    targets: usize,
    place: Option<&'a str>,
}

/// The common parts of the findings of a group; the last is the target or the reference.
type Key<'a> = (Severity, Check, Cow<'a, str>, Option<&'a str>);

fn key<'a>(finding: &'a Finding, what: Option<&'a str>) -> Key<'a> {
    (finding.severity, finding.check, wording(finding), what)
}

/// The message without numbers that differ between documents.
fn wording(finding: &Finding) -> Cow<'_, str> {
    let message = finding.message.as_str();
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

/// The target, without its fragment if the check is not about that.
fn target(finding: &Finding) -> Option<&str> {
    let whole = finding.target.as_deref()?;
    match finding.check {
        Check::BrokenFragment => Some(whole),
        _ => whole.split('#').next(),
    }
}

/// The place that may be missing as a whole if the target is missing: its folder (for a path outside the
/// site, the first one), or the page that has none of the ids. `None` for the root of the site, and
/// if each finding has a suggestion of its own.
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
    let mut known: HashMap<(Key<'_>, bool), usize> = HashMap::new();
    let mut groups: Vec<Members<'_>> = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let what = target(finding).or(reference(finding));
        let group = *known
            .entry((key(finding, what), finding.target.is_some()))
            .or_insert_with(|| {
                groups.push(Members {
                    places: Vec::new(),
                    targets: usize::from(finding.target.is_some()),
                    place: None,
                });
                groups.len() - 1
            });
        if let Some(group) = groups.get_mut(group) {
            group.places.push(at);
        }
    }
    groups
}

/// Joins groups that have one reference and differ only in the target.
fn join_references(findings: &[Finding], groups: &mut [Members<'_>]) {
    let mut alike: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        let mut members = group.places.iter().filter_map(|&at| findings.get(at));
        let Some(first) = members.next().filter(|first| first.target.is_some()) else {
            continue;
        };
        let reference = first.reference.as_deref();
        if reference.is_some() && members.all(|other| other.reference.as_deref() == reference) {
            alike.entry(key(first, reference)).or_default().push(at);
        }
    }
    for same in alike.into_values() {
        if same.len() >= SAME_REFERENCE {
            join(groups, &same, None);
        }
    }
}

/// Joins groups whose targets are all in one place.
fn join_places<'a>(findings: &'a [Finding], groups: &mut [Members<'a>]) {
    let mut alike: HashMap<Key<'a>, Vec<usize>> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        let first = group.places.first().and_then(|&at| findings.get(at));
        if let Some(first) = first.filter(|_| group.targets == 1)
            && let Some(place) = place(first)
        {
            alike.entry(key(first, Some(place))).or_default().push(at);
        }
    }
    for ((.., place), same) in alike {
        if same.len() >= SAME_PLACE {
            join(groups, &same, place);
        }
    }
}

/// Moves the members of some groups, in their order, into the first of them.
fn join<'a>(groups: &mut [Members<'a>], same: &[usize], place: Option<&'a str>) {
    let mut places: Vec<usize> = Vec::new();
    for &at in same {
        if let Some(group) = groups.get_mut(at) {
            places.append(&mut group.places);
        }
    }
    places.sort_unstable();
    if let Some(group) = same.first().and_then(|&at| groups.get_mut(at)) {
        group.places = places;
        group.targets = same.len();
        group.place = place;
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
            path: document.to_owned(),
            position: Some(position),
            element: "a".to_owned(),
            attribute: "href".to_owned(),
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
                let document = group.first().unwrap().location.path.as_str();
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
            found.message = format!("an element in line {line} has this id already");
            found
        };
        assert_eq!(groups(&[id(7), id(8), id(123)]).len(), 1);
        let link = |document: &str, reference: &str, message: &str| {
            let mut found = finding(document, reference, "");
            found.check = Check::DanglingSymlink;
            found.message = message.to_owned();
            found
        };
        let links = [
            link(
                "a/x.js",
                "../../js/x.js",
                "a symbolic link whose target does not exist; 3 references to it",
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
