//! Findings by folder, at the least depth that distinguishes the folders of a site. Folders that hold
//! everything do not count.

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
    /// The path as the report shows it: below [`Folders::common`].
    pub(super) label: &'a str,
    pub(super) counts: SeverityCounts,
}

/// All folders with findings, at one depth.
pub(super) struct Folders<'a> {
    /// The deepest folder that all documents with findings are in, as [`Folder::path`].
    pub(super) common: &'a str,
    /// The depth below `common`.
    depth: usize,
    /// The most errors first, then warnings, then notes, then by name.
    pub(super) worst: Vec<Folder<'a>>,
}

impl<'a> Folders<'a> {
    pub(super) fn new(findings: &'a [Finding]) -> Self {
        let common = common_folder(findings.iter().map(|finding| &*finding.location.path));
        let depth = depth(findings, common.len());
        let mut counts: BTreeMap<&str, SeverityCounts> = BTreeMap::new();
        for finding in findings {
            let path = at_depth(&finding.location.path, common.len(), depth);
            counts.entry(path).or_default().add(finding.severity);
        }
        let mut worst: Vec<Folder<'_>> = counts
            .into_iter()
            .map(|(path, counts)| Folder {
                path,
                label: match path.get(common.len()..) {
                    None | Some("") => "./",
                    Some(below) => below,
                },
                counts,
            })
            .collect();
        worst.sort_by_key(|folder| std::cmp::Reverse(folder.counts));
        Folders { common, depth, worst }
    }

    /// Returns the folder that a document is counted with.
    pub(super) fn of<'d>(&self, document: &'d str) -> &'d str {
        at_depth(document, self.common.len(), self.depth)
    }
}

/// Returns the longest start of all `paths` that ends with a slash; empty if there is none.
pub(super) fn common_folder<'p>(mut paths: impl Iterator<Item = &'p str>) -> &'p str {
    let folder = |path: &'p str| {
        let end = path.rfind('/').map_or(0, |at| at + 1);
        path.get(..end).unwrap_or_default()
    };
    let first = paths.next().map_or("", folder);
    paths.fold(first, |common, path| {
        let pairs = common.bytes().zip(path.bytes());
        let same = pairs.take_while(|(one, other)| one == other).count();
        if common.len() == same {
            return common;
        }
        // Bytes before a slash are whole characters.
        let end = common.as_bytes().get(..same).unwrap_or_default();
        let end = memchr::memrchr(b'/', end).map_or(0, |at| at + 1);
        common.get(..end).unwrap_or_default()
    })
}

/// The least depth below the common folder, of `common` bytes, with enough folders; if no depth has
/// enough, the one with the most.
fn depth(findings: &[Finding], common: usize) -> usize {
    let mut best = (0, 1);
    for depth in 1..=DEEPEST {
        let folders: BTreeSet<&str> = findings
            .iter()
            .map(|finding| at_depth(&finding.location.path, common, depth))
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

/// The document's folder, cut to at most `depth` names after the first `common` bytes.
fn at_depth(document: &str, common: usize, depth: usize) -> &str {
    let below = document.get(common..).unwrap_or_default();
    let end = below.match_indices('/').take(depth).last().map_or(0, |(at, slash)| at + slash.len());
    document.get(..common + end).unwrap_or_default()
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
            assert_eq!(at_depth(document, 0, depth), expected, "{document}");
        }
        assert_eq!(at_depth("a/b/c/d.html", 2, 1), "a/b/");
    }

    #[test]
    fn the_common_folder_holds_every_path() {
        for (paths, expected) in [
            (&[][..], ""),
            (&["a.html"], ""),
            (&["a/b.html"], "a/"),
            (&["a/b/c.html", "a/b/d.html"], "a/b/"),
            (&["a/b/c.html", "a/bc/d.html"], "a/"),
            (&["a/b/c.html", "a/b.html"], "a/"),
            (&["a/ä.html", "a/à.html"], "a/"),
            (&["a/b.html", "c.html"], ""),
        ] {
            assert_eq!(common_folder(paths.iter().copied()), expected, "{paths:?}");
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
        assert_eq!(folders.worst[0].label, "./");
        let deep: Vec<String> = (0..9).map(|n| format!("docs/en/{n}/x/y.html")).collect();
        let deep = findings(&deep);
        let folders = Folders::new(&deep);
        assert_eq!((folders.depth, folders.worst.len()), (1, 9));
        assert_eq!((folders.common, folders.worst[3].label), ("docs/en/", "3/"));
        assert_eq!(folders.of("docs/en/3/x/y.html"), "docs/en/3/");
    }
}
