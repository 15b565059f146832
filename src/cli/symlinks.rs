//! Warns of symbolic links to documents, which visitors also read at the paths of the links, and of links that an
//! output tree breaks.

use std::collections::HashSet;
use std::path::Path;

use super::first_paths::first_paths;
use rehref_corpus::Corpus;
use rehref_corpus::run::plan::Plan;
use rehref_document::DocumentKind;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::{EntryKind, FileIndex};

/// The warning of symbolic links to pages in other directories, or to such directories; `None` if `corpus` has none.
/// From there, the relative links of a page may lead elsewhere, and its links are those of its own path. `files` is the
/// index of the files of `corpus`, if there is one already.
pub(super) fn to_pages(corpus: &Corpus, files: Option<&FileIndex>) -> Option<String> {
    let entries = &corpus.walk.entries;
    if entries.iter().all(|entry| entry.kind != EntryKind::Symlink) {
        return None;
    }
    let own;
    let files = match files {
        Some(files) => files,
        None => {
            own = corpus.file_index();
            &own
        }
    };
    // The directories with a page in them, and those above.
    let mut with_pages: HashSet<&str> = HashSet::new();
    if files.aliases().any(|(_, target)| files.is_folder(target)) {
        for page in files.files().filter(|path| is_page(path)) {
            let mut path = page;
            while let Some(end) = path.rfind('/') {
                path = path.get(..end).unwrap_or_default();
                if !with_pages.insert(path) {
                    break;
                }
            }
        }
    }
    let mut links: Vec<&str> = files
        .aliases()
        .filter(|(link, target)| folder(link) != folder(target))
        .filter(|(_, target)| is_page(target) || with_pages.contains(target))
        .map(|(link, _)| link)
        .collect();
    links.sort_unstable();
    if links.is_empty() {
        return None;
    }
    let point = if links.len() == 1 { "points" } else { "point" };
    Some(format!(
        "{} {point} to documents in other directories: rehref reads a document only at its own path, but from the \
         path of a symbolic link, its relative links may have other targets; to make copies of the documents, copy \
         SITE with `cp -rL` first: {}",
        counted(links.len(), "symbolic link"),
        first_paths(links.into_iter())
    ))
}

/// The warning of symbolic links that are dangling in the tree `out` that `plan` wrote, and were not in SITE:
/// relative ones that point out of SITE. `None` if there are none.
pub(super) fn dead_in_output(plan: &Plan, out: &Path) -> Option<String> {
    let entries = plan.corpus.walk.entries.iter();
    let links = entries.filter(|entry| entry.kind == EntryKind::Symlink);
    let dead: Vec<String> = links
        .filter(|entry| {
            let copy = out.join(plan.new_path(&entry.path));
            let was_alive = plan.corpus.root.join(&entry.path).exists();
            was_alive && copy.is_symlink() && !copy.exists()
        })
        .map(|entry| display_path(&entry.path))
        .collect();
    if dead.is_empty() {
        return None;
    }
    let (point, are, them) = match dead.len() {
        1 => ("points", "is", "the link"),
        _ => ("point", "are", "the links"),
    };
    Some(format!(
        "{} {point} out of SITE and {are} dangling in the output; to write files in place of {them}, copy SITE with \
         `cp -rL` first: {}",
        counted(dead.len(), "relative symbolic link"),
        first_paths(dead.iter().map(String::as_str))
    ))
}

fn is_page(path: &str) -> bool {
    let kind = DocumentKind::of_path(Path::new(path));
    matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml))
}

fn folder(path: &str) -> &str {
    path.rfind('/').and_then(|end| path.get(..end)).unwrap_or_default()
}
