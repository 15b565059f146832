//! `--gitignore`: leaves out the files that git ignores, and says so.

use std::path::Path;

use super::first_paths::first_paths;
use super::terminal;
use rehref_corpus::files::mark_ignored;
use rehref_site::FileTree;
use rehref_site::plural::counted;

/// Marks the entries of `walk`, the tree at `root`, that git ignores; notes which these are, and warns of rules that
/// cannot be read.
pub(super) fn ignore(root: &Path, walk: &mut FileTree) {
    let ignore_files = mark_ignored(root, walk);
    for error in &ignore_files.errors {
        terminal::warning(format!("--gitignore: {error}"));
    }
    let ignored: Vec<_> = walk.ignored().map(Path::to_string_lossy).collect();
    if !ignored.is_empty() {
        let paths = first_paths(&ignored);
        let count = counted(ignored.len(), "path");
        terminal::note(format!("--gitignore excludes {count} in the site: {paths}"));
    } else if !ignore_files.have_rules {
        terminal::warning(
            "--gitignore: no .gitignore applies to the site, so the option has no effect",
        );
    }
}
