//! Warnings of symbolic links to documents, which visitors also read at the paths of the links, and of links that an
//! output tree breaks.

use std::collections::HashSet;
use std::path::Path;

use super::is_page;
use crate::cli::first_paths::first_paths;
use rehref_corpus::Corpus;
use rehref_corpus::run::plan::Plan;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::{EntryKind, FileIndex, canonical};

/// Returns the warning of symbolic links to pages in other directories, or to such directories; `None` if `corpus` has
/// none. From there, the relative links of a page may lead elsewhere, and its links are those of its own path.
pub(in crate::cli) fn to_pages(corpus: &Corpus) -> Option<String> {
    let mut entries = corpus.walk.entries.iter();
    entries.find(|entry| entry.kind == EntryKind::Symlink)?;
    of_index(&corpus.file_index())
}

/// As [`to_pages`], of a site with this index of its files.
pub(in crate::cli) fn of_index(files: &FileIndex) -> Option<String> {
    // The directories with a page in them, and those above.
    let mut with_pages: HashSet<&str> = HashSet::new();
    if files.aliases().any(|(_, target)| files.is_folder(target)) {
        for page in files.files().filter(|path| is_page(Path::new(path))) {
            let mut path = page;
            while let Some((folder, _)) = path.rsplit_once('/').filter(|it| with_pages.insert(it.0))
            {
                path = folder;
            }
        }
    }
    let aliases = files.aliases().filter(|(link, target)| folder(link) != folder(target));
    let to_pages =
        aliases.filter(|(_, target)| is_page(Path::new(target)) || with_pages.contains(target));
    let mut links: Vec<&str> = to_pages.map(|(link, _)| link).collect();
    links.sort_unstable();
    (!links.is_empty()).then(|| {
        format!(
            "{} to documents in other directories: {}; rehref reads a document only at its own path, but from the path of a symbolic link, its relative links may have other targets\nhelp: to make copies of the documents, copy the site with `cp -rL` first",
            counted(links.len(), "symbolic link"),
            first_paths(&links)
        )
    })
}

/// Returns the note on symbolic links to directories outside of SITE, whose files no command reads.
pub(in crate::cli) fn outward(corpus: &Corpus) -> Option<String> {
    let links = corpus.walk.entries.iter().filter(|it| it.kind == EntryKind::Symlink);
    let is_outward = |path: &Path| {
        let target = canonical(&corpus.root.join(path));
        target.is_ok_and(|it| it.is_dir() && !it.starts_with(&corpus.root))
    };
    let outward = links.map(|it| &*it.path).filter(|it| is_outward(it));
    let outward: Vec<String> = outward.map(display_path).collect();
    (!outward.is_empty()).then(|| {
        format!(
            "{} to directories outside of the site: {}; rehref does not read the files there, nor check links to them\nhelp: to include them, copy the site with `cp -rL` first",
            counted(outward.len(), "symbolic link"),
            first_paths(&outward)
        )
    })
}

/// Returns the warning of symbolic links that are dangling in the tree `out` that `plan` wrote, and were not in SITE:
/// relative ones that point out of SITE. `None` if there are none.
pub(super) fn dead_in_output(plan: &Plan, out: &Path) -> Option<String> {
    let links = plan.corpus.walk.entries.iter().filter(|it| it.kind == EntryKind::Symlink);
    let dead = links.filter(|entry| {
        let copy = out.join(plan.new_path(&entry.path));
        let was_alive = plan.corpus.root.join(&entry.path).exists();
        was_alive && copy.is_symlink() && !copy.exists()
    });
    let dead: Vec<String> = dead.map(|entry| display_path(&entry.path)).collect();
    (!dead.is_empty()).then(|| {
        format!(
            "the output has {} without a target, since the target is outside the site: {}\nhelp: to write files in place of links, copy the site with `cp -rL` first",
            counted(dead.len(), "relative symbolic link"),
            first_paths(&dead)
        )
    })
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |it| it.0)
}
