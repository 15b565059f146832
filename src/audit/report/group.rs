//! Findings of one cause together.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::super::checks::{Check, Level};
use super::super::finding::Finding;

/// From how many targets on a reference that is written the same everywhere is taken for one
/// cause: a template's `search.html`, missing in every folder.
const SAME_REFERENCE: usize = 4;

/// Findings that one mistake explains: the same check and message, and the same target (where there
/// is none, the same reference), or the same reference from many folders.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// The findings, in their order; at least one.
    pub findings: Vec<&'a Finding>,
    /// How many targets they have.
    pub targets: usize,
}

impl<'a> Group<'a> {
    /// The finding that stands for all.
    pub fn first(&self) -> Option<&'a Finding> {
        self.findings.first().copied()
    }

    /// How many documents they are in.
    pub fn documents(&self) -> usize {
        let changes = self
            .findings
            .windows(2)
            .filter(|pair| matches!(pair, [a, b] if a.document != b.document))
            .count();
        changes + usize::from(!self.findings.is_empty())
    }
}

/// The findings by cause: the worst level first, then the largest groups, then in the order of
/// their first findings.
pub fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut collected = by_target(findings);
    join_references(findings, &mut collected);
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
        })
        .collect();
    groups.sort_by_key(|group| {
        let level = group.first().map_or(Level::Note, |first| first.level);
        Reverse((level, group.findings.len()))
    });
    groups
}

/// The positions of a group's findings.
struct Members {
    places: Vec<usize>,
    targets: usize,
}

/// What findings of one group have in common; the last is the target, or the reference.
type Key<'a> = (Level, Check, &'a str, Option<&'a str>);

fn key<'a>(finding: &'a Finding, what: Option<&'a str>) -> Key<'a> {
    (finding.level, finding.check, &finding.message, what)
}

/// The target, without its fragment where that makes no difference.
fn target(finding: &Finding) -> Option<&str> {
    let whole = finding.target.as_deref()?;
    match finding.check {
        Check::BrokenFragment => Some(whole),
        _ => whole.split('#').next(),
    }
}

fn by_target(findings: &[Finding]) -> Vec<Members> {
    let mut known: HashMap<(Key<'_>, bool), usize> = HashMap::new();
    let mut groups: Vec<Members> = Vec::new();
    for (at, finding) in findings.iter().enumerate() {
        let what = target(finding).or(finding.reference.as_deref());
        let group = *known
            .entry((key(finding, what), finding.target.is_some()))
            .or_insert_with(|| {
                groups.push(Members {
                    places: Vec::new(),
                    targets: usize::from(finding.target.is_some()),
                });
                groups.len() - 1
            });
        if let Some(group) = groups.get_mut(group) {
            group.places.push(at);
        }
    }
    groups
}

/// Moves groups of one reference that differ in nothing but the target into the first of them.
fn join_references(findings: &[Finding], groups: &mut [Members]) {
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
    for same in alike
        .into_values()
        .filter(|same| same.len() >= SAME_REFERENCE)
    {
        let mut places: Vec<usize> = Vec::new();
        for &at in &same {
            if let Some(group) = groups.get_mut(at) {
                places.append(&mut group.places);
            }
        }
        places.sort_unstable();
        if let Some(group) = same.first().and_then(|&at| groups.get_mut(at)) {
            group.places = places;
            group.targets = same.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(document: &str, reference: &str, target: &str) -> Finding {
        Finding {
            check: Check::BrokenTarget,
            level: Level::Error,
            document: document.to_owned(),
            line: Some(1),
            column: Some(1),
            element: "a".to_owned(),
            attribute: "href".to_owned(),
            reference: Some(reference.to_owned()),
            target: (!target.is_empty()).then(|| target.to_owned()),
            message: "no file".to_owned(),
            suggestion: None,
        }
    }

    fn shape(findings: &[Finding]) -> Vec<(&str, usize, usize, usize)> {
        groups(findings)
            .iter()
            .map(|group| {
                let document = group.first().unwrap().document.as_str();
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
        // Another document says the same target with other words: not the template's.
        findings.push(finding("4/a", "../0/s.html", "/0/s.html"));
        assert_eq!(shape(&findings).len(), 5);
    }

    #[test]
    fn worse_levels_come_first() {
        let mut findings = vec![finding("a", "x", "/x"); 5];
        for (at, finding) in findings.iter_mut().enumerate() {
            if at < 3 {
                finding.level = Level::Note;
            }
        }
        let groups = groups(&findings);
        let levels: Vec<Level> = groups
            .iter()
            .filter_map(Group::first)
            .map(|f| f.level)
            .collect();
        assert_eq!(levels, [Level::Error, Level::Note]);
    }
}
