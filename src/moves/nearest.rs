//! Finds the path of a tree that is most similar to a path that does not exist.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rehref_document::is_markdown;
use rehref_site::Entry;
use rehref_site::nearest::{has_similar_length, nearest};

/// The bound on the cost of all searches together, in comparisons of two lengths: less than a
/// second.
const WORK: usize = 20_000_000;

/// The cost of comparing two names, in comparisons of two lengths.
const COMPARISON: usize = 50;

/// The most entries of the same name to compare.
const NAMESAKES: usize = 64;

/// Searches a tree for similar names, within a bound on the cost of all searches together.
pub(super) struct Nearest<'a> {
    entries: Vec<Candidate<'a>>,
    by_name: HashMap<&'a OsStr, Vec<usize>>,
    by_folder: HashMap<&'a Path, Vec<usize>>,
    work_left: usize,
}

struct Candidate<'a> {
    path: &'a Path,
    /// The path in lower case.
    text: String,
}

impl<'a> Nearest<'a> {
    /// Indexes the names of a tree.
    pub(super) fn new(entries: &'a [Entry]) -> Nearest<'a> {
        let entries: Vec<Candidate> = entries
            .iter()
            .filter(|entry| entry.kind.is_of_site())
            .map(|entry| Candidate { path: &entry.path, text: text(&entry.path) })
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
        Nearest { entries, by_name, by_folder, work_left: WORK }
    }

    /// Returns the path nearest to `missing`: the same with an extension, else one with the same name in another folder,
    /// else one with a similar name in the same folder, else a similar path. `None` if no path is similar, or if earlier
    /// searches used up the bound.
    pub(super) fn find(&mut self, missing: &Path) -> Option<PathBuf> {
        let name = missing.file_name()?;
        let namesakes = self.by_name.get(name).into_iter().flatten();
        let siblings = missing.parent().and_then(|it| self.by_folder.get(it));
        let text = text(missing);
        let similar = (name.to_string_lossy().chars().count() / 3).max(1);
        let namesakes: Vec<usize> = namesakes.copied().take(NAMESAKES).collect();
        let scan = self.entries.len() * namesakes.len().max(1);
        let work_left = self.work_left.checked_sub(scan);
        self.work_left = work_left.unwrap_or(self.work_left);
        let may_scan = work_left.is_some();
        // The candidate nearest to `text`, at most `limit` edits away. Stops when the work left does
        // not suffice for the next comparison.
        let mut best = |candidates: &mut dyn Iterator<Item = usize>, limit| {
            let candidates = candidates.filter_map(|at| self.entries.get(at));
            let affordable = candidates.map_while(|candidate| {
                let cost =
                    if has_similar_length(&candidate.text, &text, limit) { COMPARISON } else { 1 };
                self.work_left = self.work_left.checked_sub(cost)?;
                Some((&candidate.text, candidate.path))
            });
            nearest(affordable, &text, limit).map(|(_, path)| path.to_owned())
        };
        let bare = |at: &usize| {
            let path = self.entries.get(*at).map(|it| it.path);
            path.is_some_and(|it| it.extension().is_some() && it.file_stem() == Some(name))
        };
        let mut stems = siblings.into_iter().flatten().copied().filter(bare);
        if let Some(path) = stems.next().and_then(|at| self.entries.get(at)) {
            return Some(path.path.to_owned());
        }
        // Of a built site and its sources, the sources move.
        let is_source = |at: &usize| {
            self.entries.get(*at).is_some_and(|namesake| {
                let mut all = self.entries.iter().map(|it| it.path);
                all.any(|it| is_markdown(it) && it.starts_with(namesake.path))
            })
        };
        let has_choice = may_scan && namesakes.len() > 1;
        let sources = namesakes.iter().copied().filter(|at| has_choice && is_source(at));
        let sources: Vec<usize> = sources.collect();
        let is_html = missing.extension().is_some_and(|it| it == "html" || it == "htm");
        let bare = if is_html { missing.with_extension("") } else { missing.to_owned() };
        let is_page = |at: &usize| {
            let path = self.entries.get(*at).map(|it| it.path);
            let is_of_name = |it: &Path| is_markdown(it) && it.with_extension("").ends_with(&bare);
            may_scan && path.is_some_and(is_of_name)
        };
        let is_bare = missing.extension().is_none();
        let pages = (0..self.entries.len()).filter(|at| is_bare && is_page(at));
        let pages: Vec<usize> = pages.collect();
        best(&mut sources.into_iter(), usize::MAX)
            .or_else(|| best(&mut pages.into_iter(), usize::MAX))
            .or_else(|| best(&mut namesakes.into_iter(), usize::MAX))
            .or_else(|| best(&mut (0..self.entries.len()).filter(is_page), usize::MAX))
            .or_else(|| best(&mut siblings.into_iter().flatten().copied(), similar))
            .or_else(|| best(&mut (0..self.entries.len()), similar))
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::EntryKind;

    fn tree(paths: impl IntoIterator<Item = String>) -> Vec<Entry> {
        let entry = |path: String| Entry { path: path.into(), kind: EntryKind::File };
        paths.into_iter().map(entry).collect()
    }

    #[test]
    fn nearest_names() {
        let paths =
            ["a/index.html", "a/b/index.html", "guide/intro.html", "guide/README", "x.html"];
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
        let entries = tree((0..20_000).map(|n| format!("a/{n:05}")));
        let mut nearest = Nearest::new(&entries);
        for n in 0..20_000 {
            nearest.find(Path::new(&format!("b/{n:05}x")));
        }
        assert!(nearest.work_left < COMPARISON);
    }
}
