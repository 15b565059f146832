//! The contents of a corpus without documents, for a message about it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::files::CompressedPage;
use crate::{Corpus, FileRole, container_format};
use rehref_document::{DocumentKind, is_markdown};
use rehref_site::EntryKind;

/// Counts of the files of a corpus that are not documents, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The numbers of files that are not documents by name and content, by extension: in lower case with its
    /// dot, or empty.
    pub others: BTreeMap<String, usize>,
    /// The number of documents and containers that `include` and `exclude` do not select.
    pub deselected: usize,
    /// The number of compressed pages, which need `--compressed`.
    pub compressed: usize,
    /// The number of archives and WACZ files.
    pub containers: usize,
    /// The number of symbolic links, which are not followed.
    pub symlinks: usize,
}

impl Inventory {
    /// Counts the files of `corpus`, which has no document.
    pub fn of(corpus: &Corpus) -> Inventory {
        let mut inventory = Inventory::default();
        let selection = &corpus.selection;
        for path in corpus.files() {
            let name = path.file_name().unwrap_or_default();
            let is_container = container_format(name).is_some();
            let is_document = DocumentKind::of_built_path(path).is_some()
                || is_markdown(path) && selection.markdown.is_some();
            if !selection.has(path) && (is_container || is_document) {
                inventory.deselected += 1;
            } else if is_container {
                inventory.containers += 1;
            } else if CompressedPage::of(path).is_some() {
                inventory.compressed += 1;
            } else {
                *inventory.others.entry(extension(path)).or_default() += 1;
            }
        }
        let entries = corpus.walk.entries.iter();
        inventory.symlinks = entries.filter(|entry| entry.kind == EntryKind::Symlink).count();
        inventory
    }
}

impl Corpus {
    /// Returns true if the only documents are in archives, whose records have URLs of their own.
    pub fn has_only_archives(&self) -> bool {
        let is_document = |path| {
            let role = self.role(path);
            matches!(role, Ok(FileRole::Document(_) | FileRole::Compressed(_)))
        };
        self.archives().next().is_some() && !self.files().any(is_document)
    }

    /// Returns true if a file is a document, or a container that may contain documents. A file that cannot be
    /// read may be one.
    pub fn may_have_documents(&self) -> bool {
        self.files().any(|path| {
            let role = self.role(path);
            !matches!(role, Ok(FileRole::Other | FileRole::UnreadPage))
        })
    }

    /// Returns true if any file is an archive or a WACZ file.
    pub fn has_containers(&self) -> bool {
        let mut names = self.files().filter_map(Path::file_name);
        names.any(|name| container_format(name).is_some())
    }
}

/// The extension of the file at `path`, in lower case, with its dot.
fn extension(path: &Path) -> String {
    let extension = path.extension().filter(|extension| !extension.is_empty());
    extension.map_or_else(String::new, |extension| {
        format!(".{}", extension.to_string_lossy().to_ascii_lowercase())
    })
}
