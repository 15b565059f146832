//! Findings by folder, at the least depth that distinguishes the folders of a site.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::finding::Finding;
use super::super::summary::SeverityCounts;

/// A depth with at least this many folders is deep enough.
const ENOUGH: usize = 8;
/// Deeper folders are counted with the one above them.
const DEEPEST: usize = 4;

/// A folder with findings in it and below it.
pub(super) struct Folder<'a> {
    /// The path below the site's root, with a trailing slash; empty for the root.
    pub(super) path: &'a str,
    pub(super) counts: SeverityCounts,
}

impl Folder<'_> {
    /// The path as the report shows it.
    pub(super) fn label(&self) -> &str {
        if self.path.is_empty() {
            "./"
        } else {
            self.path
        }
    }
}

/// All folders with findings, at one depth.
pub(super) struct Folders<'a> {
    depth: usize,
    /// The most errors first, then warnings, then notes, then by name.
    pub(super) worst: Vec<Folder<'a>>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(findings: &'a [Finding]) -> Self {
        let depth = depth(findings);
        let mut counts: BTreeMap<&str, SeverityCounts> = BTreeMap::new();
        for finding in findings {
            let path = at_depth(&finding.location.path, depth);
            counts.entry(path).or_default().add(finding.severity);
        }
        let mut worst: Vec<Folder<'_>> = counts
            .into_iter()
            .map(|(path, counts)| Folder { path, counts })
            .collect();
        worst.sort_by_key(|folder| std::cmp::Reverse(folder.counts));
        Folders { depth, worst }
    }

    /// The folder that a document is counted with.
    pub(super) fn of<'d>(&self, document: &'d str) -> &'d str {
        at_depth(document, self.depth)
    }
}

/// The least depth with enough folders; if no depth has enough, the one with the most.
fn depth(findings: &[Finding]) -> usize {
    let mut best = (0, 1);
    for depth in 1..=DEEPEST {
        let folders: BTreeSet<&str> = findings
            .iter()
            .map(|finding| at_depth(&finding.location.path, depth))
            .collect();
        if folders.len() > best.0 {
            best = (folders.len(), depth);
        }
        if folders.len() >= ENOUGH {
            break;
        }
    }
    best.1
}

/// The document's folder, cut to at most `depth` names.
fn at_depth(document: &str, depth: usize) -> &str {
    let end = document
        .match_indices('/')
        .take(depth)
        .last()
        .map_or(0, |(at, slash)| at + slash.len());
    document.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::super::super::checks::Check;
    use super::*;

    #[test]
    fn a_folder_is_cut_to_the_depth() {
        for (document, depth, expected) in [
            ("a.html", 1, ""),
            ("a/b.html", 1, "a/"),
            ("a/b/c/d.html", 1, "a/"),
            ("a/b/c/d.html", 2, "a/b/"),
            ("a/b.html", 4, "a/"),
        ] {
            assert_eq!(at_depth(document, depth), expected, "{document}");
        }
    }

    #[test]
    fn the_depth_is_where_folders_differ() {
        let findings = |paths: &[String]| -> Vec<Finding> {
            let finding =
                |path: &String| Finding::of_file(Check::BrokenTarget, path.clone(), String::new());
            paths.iter().map(finding).collect()
        };
        let flat = findings(&["a.html".to_owned(), "b.html".to_owned()]);
        let folders = Folders::new(&flat);
        assert_eq!((folders.depth, folders.worst.len()), (1, 1));
        assert_eq!(folders.worst[0].label(), "./");
        let deep: Vec<String> = (0..9).map(|n| format!("docs/en/{n}/x/y.html")).collect();
        let deep = findings(&deep);
        let folders = Folders::new(&deep);
        assert_eq!((folders.depth, folders.worst.len()), (3, 9));
        assert_eq!(folders.of("docs/en/3/x/y.html"), "docs/en/3/");
    }
}
