//! Paths by patterns as those of `.gitignore`: what a generator leaves out of its site, what git ignores.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(feature = "disk")]
use ignore::gitignore::{Gitignore, GitignoreBuilder};

#[cfg(not(feature = "disk"))]
use super::no_patterns::Gitignore;

/// Returns true if the file at `path` belongs to an installed package, which is not part of a site.
pub fn is_installed(path: &Path) -> bool {
    let mut names = path.components().map(|it| it.as_os_str().to_string_lossy()).peekable();
    while let Some(name) = names.next() {
        // Modules of Go are in directories of hosts.
        let is_host = |it: &str| {
            let end = it.rsplit_once('.').map_or("", |(_, end)| end);
            end.len() > 1 && end.bytes().all(|it| it.is_ascii_alphabetic())
        };
        let mut has_modules = || names.peek().is_some_and(|it| is_host(it) || it == "bundle");
        if name == "node_modules" || name == "vendor" && has_modules() {
            return true;
        }
    }
    false
}

/// A list of patterns that exclude files in a folder, as in `.gitignore`.
#[derive(Clone, Debug, Default)]
pub struct Excluded {
    /// The files that the rules were read from, which tell them apart.
    sources: Vec<String>,
    folder: PathBuf,
    /// The rules, those that win first.
    rules: Arc<[Gitignore]>,
    /// The files that match, and are not excluded.
    kept: Arc<BTreeSet<PathBuf>>,
}

impl Excluded {
    /// Parses the patterns in `lines`; later ones take precedence. Ignores lines that are not patterns.
    pub fn new(lines: Vec<String>) -> Excluded {
        let rules = compiled(&lines).into_iter().collect();
        Excluded { sources: lines, rules, ..Excluded::default() }
    }

    /// Returns the patterns of git's ignore files for paths in `folder`. The first of `rules` take precedence.
    pub fn by_git(folder: &Path, rules: Vec<Gitignore>) -> Excluded {
        let sources = rules.iter().map(|it| it.path().to_string_lossy().into_owned()).collect();
        Excluded { sources, folder: folder.to_owned(), rules: rules.into(), ..Excluded::default() }
    }

    /// Returns these patterns with exceptions for `files`.
    #[must_use]
    pub fn without(self, files: impl IntoIterator<Item = PathBuf>) -> Excluded {
        Excluded { kept: Arc::new(files.into_iter().collect()), ..self }
    }

    /// Returns true if there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns true if the patterns exclude the whole folder.
    pub fn has_folder(&self) -> bool {
        let is_around =
            |rules: &&Gitignore| self.folder.ancestors().skip(1).any(|it| it == rules.path());
        let rules = self.rules.iter().filter(is_around);
        let decided = rules.flat_map(|rules| decision(rules, &self.folder, true)).next();
        !self.folder.as_os_str().is_empty() && decided.flatten().is_some()
    }

    /// Returns true if the file at the relative `path` is excluded.
    pub fn has(&self, path: &Path) -> bool {
        self.pattern_of(path, false).is_some()
    }

    /// Returns the pattern that excludes the file at the relative `path`, or the directory if it `may_be_directory`.
    pub(super) fn pattern_of(&self, path: &Path, may_be_directory: bool) -> Option<&str> {
        if !path.is_relative() || path.as_os_str().is_empty() || self.kept.contains(path) {
            return None;
        }
        // A second slash in a row would begin a path from the root for the matcher.
        let path: PathBuf = self.folder.join(path).components().collect();
        let rules = self.rules.iter().filter(|rules| path.starts_with(rules.path()));
        rules.flat_map(|rules| decision(rules, &path, may_be_directory)).next()?
    }
}

/// The patterns in `lines`.
#[cfg(feature = "disk")]
fn compiled(lines: &[String]) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new("");
    for line in lines {
        // The generator reports it.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}

#[cfg(not(feature = "disk"))]
fn compiled(_: &[String]) -> Option<Gitignore> {
    None
}

/// The decision of `rules` about the file at `path`: the pattern that excludes it, or `Some(None)` if one includes it.
#[cfg(feature = "disk")]
fn decision<'r>(
    rules: &'r Gitignore,
    path: &Path,
    may_be_directory: bool,
) -> Option<Option<&'r str>> {
    match rules.matched_path_or_any_parents(path, may_be_directory) {
        ignore::Match::None => None,
        ignore::Match::Ignore(glob) => Some(Some(glob.original())),
        ignore::Match::Whitelist(_) => Some(None),
    }
}

#[cfg(not(feature = "disk"))]
fn decision<'r>(rules: &'r Gitignore, _: &Path, _: bool) -> Option<Option<&'r str>> {
    match *rules {}
}

impl PartialEq for Excluded {
    fn eq(&self, other: &Excluded) -> bool {
        (&self.sources, &self.folder) == (&other.sources, &other.folder)
    }
}

impl Eq for Excluded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_slashes_count_as_one() {
        let mut rules = GitignoreBuilder::new("/site/a");
        rules.add_line(None, "c.md").unwrap();
        let excluded = Excluded::by_git(Path::new("/site"), vec![rules.build().unwrap()]);
        assert!(excluded.has(Path::new("a//b//c.md")));
        assert!(!excluded.has(Path::new("a//../d.md")));
    }

    #[test]
    fn patterns_exclude_files_and_directories() {
        let lines = [".*", "/a/", "!/a/b.md", "*.txt", "# c.md"].map(str::to_owned);
        let excluded = Excluded::new(lines.into());
        for (path, expected) in [
            ("a/c.md", true),
            ("x/a/c.md", false),
            (".a/b.md", true),
            ("x/.b.md", true),
            ("c/d.txt", true),
            ("c.md", false),
            ("", false),
        ] {
            assert_eq!(excluded.has(Path::new(path)), expected, "{path}");
        }
    }
}
