//! The ignore files of git: marks the files of a tree that git ignores, for `--gitignore`.

use std::cmp::Reverse;
use std::io;
use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustc_hash::FxHashSet;

use super::file_bytes::with_file_bytes_up_to;
use super::git_index::GitIndex;
use rehref_site::walk::{EntryKind, FileTree};
use rehref_site::{Excluded, is_installed};

const IGNORE_FILE: &str = ".gitignore";

/// The largest ignore file that is read, in bytes: many times the size of any that people write.
const LARGEST: u64 = 256 << 10;

/// The ignore files of git that apply to a tree.
#[derive(Debug, Default)]
pub struct IgnoreFiles {
    /// True if any of these ignore files contains a rule.
    pub have_rules: bool,
    /// Error messages for malformed lines, and for files that could not be read.
    pub errors: Vec<String>,
}

/// Returns the nearest directory at or above `folder` (a canonical path) that is the root of a git work tree.
pub fn work_tree_of(folder: &Path) -> Option<PathBuf> {
    let mut above = folder.ancestors();
    above.find(|folder| folder.join(".git").symlink_metadata().is_ok()).map(Path::to_owned)
}

/// Marks as [`EntryKind::Ignored`] the entries of `tree`, the tree at `root` (a canonical path), that git ignores, and
/// removes the entries below these.
///
/// Reads what git reads, in this order: each `.gitignore` from the directory of the entry up to the root of the work
/// tree, `.git/info/exclude`, and the file that `core.excludesFile` names. A rule that matches `root` itself, or a
/// directory above it, does not count: the caller has chosen this directory. Nor does the index of git, for which a
/// file that git tracks is never ignored. As for git, a symbolic link is not an ignore file.
pub fn mark_ignored(root: &Path, tree: &mut FileTree) -> IgnoreFiles {
    let mut found = IgnoreFiles::default();
    let above = rules_above(root, &mut found);
    mark(root, tree, &above, &mut found);
    found
}

/// As [`mark_ignored`], but reads only the ignore files in the tree: for a copy of a site, whose place is
/// unrelated to the site.
pub fn mark_ignored_by_own_files(root: &Path, tree: &mut FileTree) {
    mark(root, tree, &[], &mut IgnoreFiles::default());
}

/// Returns the ignore rules of git for the paths in `tree`, the tree at `root` (a canonical path). They do not
/// apply to files that git tracks.
pub fn git_rules(root: &Path, tree: &FileTree) -> Excluded {
    let found = &mut IgnoreFiles::default();
    let mut folders: Vec<PathBuf> = ignoring_folders(tree).collect();
    folders.retain(|folder| !is_installed(folder));
    folders.sort_by_key(|folder| Reverse(folder.components().count()));
    let within = folders.iter().map(|folder| rules_of(&root.join(folder), IGNORE_FILE, found));
    let mut rules: Vec<Gitignore> = within.collect();
    rules.extend(rules_above(root, found));
    let excluded = Excluded::by_git(root, rules);
    let files = tree.entries.iter().filter(|entry| entry.kind == EntryKind::File);
    let mut matched = files.map(|entry| &entry.path).filter(|path| excluded.has(path)).peekable();
    let work_tree = matched.peek().and_then(|_| work_tree_of(root));
    let index = work_tree.and_then(|it| GitIndex::of(&it, root));
    let Some(index) = index else { return excluded };
    let tracked: Vec<PathBuf> = matched.filter(|path| index.has(path)).cloned().collect();
    excluded.without(tracked)
}

/// The directories of `tree` with ignore files.
fn ignoring_folders(tree: &FileTree) -> impl Iterator<Item = PathBuf> {
    let files = tree.entries.iter().filter(|entry| entry.kind == EntryKind::File);
    let files = files.filter(|entry| entry.path.ends_with(IGNORE_FILE));
    files.filter_map(|entry| entry.path.parent().map(Path::to_owned))
}

fn mark(root: &Path, tree: &mut FileTree, above: &[Gitignore], found: &mut IgnoreFiles) {
    let directories: FxHashSet<PathBuf> = ignoring_folders(tree).collect();
    // The rules of the directories that hold the present entry, the outermost first.
    let mut within: Vec<(PathBuf, Gitignore)> = Vec::new();
    let mut enter = |folder: &Path, within: &mut Vec<(PathBuf, Gitignore)>| {
        if directories.contains(folder) {
            let rules = rules_of(&root.join(folder), IGNORE_FILE, found);
            within.push((folder.to_owned(), rules));
        }
    };
    enter(Path::new(""), &mut within);
    tree.mark_ignored(|entry| {
        while within.pop_if(|(folder, _)| !entry.path.starts_with(folder)).is_some() {}
        let path = root.join(&entry.path);
        let is_directory = entry.kind == EntryKind::Directory;
        let nearest_first = within.iter().rev().map(|(_, rules)| rules).chain(above);
        let mut matches = nearest_first.map(|rules| rules.matched(&path, is_directory));
        let is_ignored = matches.find(|it| !it.is_none()).is_some_and(|it| it.is_ignore());
        if is_directory && !is_ignored {
            enter(&entry.path, &mut within);
        }
        is_ignored
    });
}

/// The rules from outside the tree at `root`, those that win first.
fn rules_above(root: &Path, found: &mut IgnoreFiles) -> Vec<Gitignore> {
    let Some(work_tree) = work_tree_of(root) else { return Vec::new() };
    let above = root.ancestors().skip(1);
    let mut rules: Vec<Gitignore> = above
        .take_while(|folder| folder.starts_with(&work_tree))
        .map(|folder| rules_of(folder, IGNORE_FILE, found))
        .collect();
    rules.push(rules_of(&work_tree, ".git/info/exclude", found));
    let (global, _) = GitignoreBuilder::new(&work_tree).build_global();
    found.have_rules |= !global.is_empty();
    rules.push(global);
    rules
}

/// The rules of the file `name` in `folder`, which apply to the paths below `folder`; none if there is no such file.
fn rules_of(folder: &Path, name: &str, found: &mut IgnoreFiles) -> Gitignore {
    let path = folder.join(name);
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => {}
        _ => return Gitignore::empty(),
    }
    let shown = path.display();
    let text = with_file_bytes_up_to(&path, LARGEST, |bytes, metadata| {
        if metadata.len() > LARGEST {
            Err(io::Error::other("larger than 256 KiB"))
        } else {
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    });
    let text = text.flatten().unwrap_or_else(|error| {
        found.errors.push(format!("{shown}: {error}"));
        String::new()
    });
    let mut builder = GitignoreBuilder::new(folder);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    for (number, line) in (1..).zip(text.lines()) {
        if let Err(error) = builder.add_line(None, line) {
            found.errors.push(format!("{shown}:{number}: {error}"));
        }
    }
    let rules = builder.build().unwrap_or_else(|error| {
        found.errors.push(format!("{shown}: {error}"));
        Gitignore::empty()
    });
    found.have_rules |= !rules.is_empty();
    rules
}
