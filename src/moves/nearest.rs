//! The name nearest to one that is not there.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::nearest::{has_similar_length, nearest};
use crate::site::{Entry, EntryKind};

/// What all searches together may cost, in looks at a name's length: less than a second.
const WORK: usize = 20_000_000;

/// What a comparison of two names costs, in such looks.
const COMPARISON: usize = 50;

/// Of how many files of the same name the nearest is looked for.
const NAMESAKES: usize = 64;

/// Searches a tree for names, within a bound on the work of all searches together.
pub(super) struct Nearest<'a> {
    entries: Vec<Candidate<'a>>,
    by_name: HashMap<&'a OsStr, Vec<usize>>,
    by_folder: HashMap<&'a Path, Vec<usize>>,
    work_left: usize,
}

struct Candidate<'a> {
    path: &'a Path,
    /// The path without regard to letter case.
    text: String,
}

impl<'a> Nearest<'a> {
    /// Makes a tree's names ready to be searched.
    pub(super) fn new(entries: &'a [Entry]) -> Nearest<'a> {
        let entries: Vec<Candidate> = entries
            .iter()
            .filter(|entry| entry.kind != EntryKind::Leftover)
            .map(|entry| Candidate {
                path: &entry.path,
                text: text(&entry.path),
            })
            .collect();
        let mut by_name: HashMap<_, Vec<usize>> = HashMap::new();
        let mut by_folder: HashMap<_, Vec<usize>> = HashMap::new();
        for (at, candidate) in entries.iter().enumerate() {
            if let (Some(name), Some(folder)) =
                (candidate.path.file_name(), candidate.path.parent())
            {
                by_name.entry(name).or_default().push(at);
                by_folder.entry(folder).or_default().push(at);
            }
        }
        Nearest {
            entries,
            by_name,
            by_folder,
            work_left: WORK,
        }
    }

    /// What is nearest to `missing`: something of the same name in another folder, else of a similar
    /// name in the same folder, else of a similar path. `None` where nothing is similar, or where
    /// the searches before have cost too much.
    pub(super) fn find(&mut self, missing: &Path) -> Option<PathBuf> {
        let none = Vec::new();
        let name = missing.file_name()?;
        let namesakes = self.by_name.get(name).unwrap_or(&none);
        let siblings = missing.parent().and_then(|it| self.by_folder.get(it));
        let text = text(missing);
        let similar = name.to_string_lossy().chars().count() / 3;
        let all = 0..self.entries.len();
        let left = &mut self.work_left;
        let found = best(
            &self.entries,
            namesakes.iter().copied().take(NAMESAKES),
            &text,
            usize::MAX,
            left,
        )
        .or_else(|| {
            best(
                &self.entries,
                siblings.unwrap_or(&none).iter().copied(),
                &text,
                similar.max(1),
                left,
            )
        })
        .or_else(|| best(&self.entries, all, &text, similar.max(1), left));
        Some(found?.to_owned())
    }
}

/// The candidate nearest to `text`, with `limit` edits at the most. Where the work left does not
/// suffice, the candidates that remain are not compared.
fn best<'a>(
    entries: &[Candidate<'a>],
    candidates: impl Iterator<Item = usize>,
    text: &str,
    limit: usize,
    work_left: &mut usize,
) -> Option<&'a Path> {
    let candidates = candidates.filter_map(|at| entries.get(at));
    let affordable = candidates.map_while(|candidate| {
        let cost = match has_similar_length(&candidate.text, text, limit) {
            true => COMPARISON,
            false => 1,
        };
        *work_left = work_left.checked_sub(cost)?;
        Some((&candidate.text, candidate.path))
    });
    nearest(affordable, text, limit).map(|(_, path)| path)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: impl IntoIterator<Item = String>) -> Vec<Entry> {
        let entry = |path: String| Entry {
            path: path.into(),
            kind: EntryKind::File,
        };
        paths.into_iter().map(entry).collect()
    }

    #[test]
    fn nearest_names() {
        let paths = [
            "a/index.html",
            "a/b/index.html",
            "guide/intro.html",
            "guide/README",
            "x.html",
        ];
        let entries = tree(paths.map(str::to_owned));
        let mut nearest = Nearest::new(&entries);
        for (missing, expected) in [
            ("intro.html", Some("guide/intro.html")),
            ("x/b/index.html", Some("a/b/index.html")),
            ("guide/itnro.html", Some("guide/intro.html")),
            ("guide/readme", Some("guide/README")),
            ("giude/intr.html", Some("guide/intro.html")),
            ("y.html", Some("x.html")),
            ("something-else.html", None),
            ("q", None),
        ] {
            let found = nearest.find(Path::new(missing));
            assert_eq!(found.as_deref(), expected.map(Path::new), "{missing}");
        }
    }

    #[test]
    fn the_work_is_bounded() {
        let entries = tree((0..20_000).map(|n| format!("folder/some-page-{n:05}.html")));
        let mut nearest = Nearest::new(&entries);
        for n in 0..20_000 {
            nearest.find(Path::new(&format!("elsewhere/any-page-{n:05}.xhtml")));
        }
        assert!(nearest.work_left < COMPARISON);
    }
}
