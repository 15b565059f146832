//! Warns of documents that visitors also read at the paths of symbolic links.

use std::path::Path;

use super::summary::first_paths;
use crate::corpus::Corpus;
use crate::document::DocumentKind;
use crate::plural::counted;
use crate::site::{EntryKind, named_document_kind};

/// The warning of symbolic links to pages in other directories; `None` if `corpus` has none. From there, the
/// relative links of a page lead elsewhere, and its links are those of its own path.
pub(super) fn to_pages(corpus: &Corpus) -> Option<String> {
    let entries = &corpus.walk.entries;
    if entries.iter().all(|entry| entry.kind != EntryKind::Symlink) {
        return None;
    }
    let files = corpus.file_index();
    let mut links: Vec<&str> = files
        .aliases()
        .filter(|(link, target)| folder(link) != folder(target))
        .filter(|(_, target)| {
            let kind = named_document_kind(Path::new(target));
            matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml))
        })
        .map(|(link, _)| link)
        .collect();
    links.sort_unstable();
    if links.is_empty() {
        return None;
    }
    let (verb, count) = match links.len() {
        1 => (
            "leads to a document in another directory",
            "1 symbolic link".to_owned(),
        ),
        more => (
            "lead to documents in other directories",
            counted(more, "symbolic link"),
        ),
    };
    Some(format!(
        "{count} {verb}: rehref reads such a document only at its own path, but its relative links lead elsewhere \
         from the path of the symbolic link; to make copies of the documents, copy SITE with `cp -rL` first: {}",
        first_paths(links.into_iter())
    ))
}

fn folder(path: &str) -> &str {
    path.rfind('/')
        .and_then(|end| path.get(..end))
        .unwrap_or_default()
}
