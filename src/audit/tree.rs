//! All documents of a tree, one after the other in the order of the walk, worked on in parallel.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::coding::{DECODED_LIMIT, DecodeError, decode};
use crate::corpus::Selection;
use crate::corpus::{Panicked, catch_panic};
use crate::document::ParseOptions;
use crate::parallel::{self, QueueItem, ThreadOptions, in_order};
use crate::site::{CompressedPage, EntryKind, FileTree, with_file_bytes};

/// A tree that is only read.
#[derive(Debug)]
pub struct Tree {
    /// The site's root directory.
    pub root: PathBuf,
    /// What is in it.
    pub walk: FileTree,
    /// Which documents are looked into.
    pub selection: Selection,
    /// What is known of all documents.
    pub options: ParseOptions,
    /// How many threads work; 0 for as many as there are cores.
    pub threads: usize,
    /// Looked at before each document.
    pub cancel: Arc<AtomicBool>,
}

/// Why nothing could be done with a document.
#[derive(Debug, thiserror::Error)]
pub enum DocumentTrouble {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is a compressed page, and cannot be decompressed.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A parser underneath panicked.
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

impl Tree {
    /// Does `work` on every document, in parallel, with its path, its bytes and how it is to be
    /// parsed, and hands the results to `take` in the order of the walk. `progress` is called for
    /// every file.
    ///
    /// # Errors
    /// See [`parallel::Error`]; trouble with single documents is handed to `take`.
    pub fn each_document<T: Send>(
        &self,
        work: impl Fn(&Path, &[u8], &ParseOptions) -> T + Sync,
        progress: impl Fn() + Sync,
        take: impl FnMut(&Path, Result<T, DocumentTrouble>) -> io::Result<()>,
    ) -> Result<(), parallel::Error> {
        let files: Vec<&Path> = self.files().collect();
        self.documents(&files, work, progress, take)
    }

    /// As [`Tree::each_document`] for some of the files, in this order.
    ///
    /// # Errors
    /// See [`parallel::Error`]; trouble with single documents is handed to `take`.
    pub fn these_documents<T: Send>(
        &self,
        paths: &[&Path],
        work: impl Fn(&Path, &[u8], &ParseOptions) -> T + Sync,
        take: impl FnMut(&Path, Result<T, DocumentTrouble>) -> io::Result<()>,
    ) -> Result<(), parallel::Error> {
        self.documents(paths, work, || {}, take)
    }

    fn documents<T: Send>(
        &self,
        files: &[&Path],
        work: impl Fn(&Path, &[u8], &ParseOptions) -> T + Sync,
        progress: impl Fn() + Sync,
        mut take: impl FnMut(&Path, Result<T, DocumentTrouble>) -> io::Result<()>,
    ) -> Result<(), parallel::Error> {
        let threads = ThreadOptions {
            threads: self.threads,
            cancel: &self.cancel,
        };
        let look = |path: &Path| {
            if let Some(page) = self.selection.compressed_page(path) {
                return self.compressed(path, &page, &work).map(Some);
            }
            let kind = self.selection.document_kind(&self.root, path);
            let Some(kind) = kind.map_err(DocumentTrouble::Read)? else {
                return Ok(None);
            };
            let options = ParseOptions {
                kind,
                ..self.options
            };
            let (result, length) = with_file_bytes(&self.root.join(path), |bytes, _| {
                let result = catch_panic(|| work(path, bytes, &options));
                (result, bytes.len())
            })
            .map_err(DocumentTrouble::Read)?;
            Ok(Some((result?, length)))
        };
        in_order(
            files,
            threads,
            |path| {
                let looked = look(path);
                progress();
                // What is found in a document grows with it.
                let bytes = match &looked {
                    Ok(Some((_, length))) => *length,
                    _ => 0,
                };
                QueueItem {
                    value: looked.map(|it| it.map(|(result, _)| result)).transpose(),
                    bytes,
                }
            },
            |path, result| match result {
                Some(result) => take(path, result),
                None => Ok(()),
            },
        )
    }

    /// Does `work` on a compressed page.
    fn compressed<T>(
        &self,
        path: &Path,
        page: &CompressedPage,
        work: &impl Fn(&Path, &[u8], &ParseOptions) -> T,
    ) -> Result<(T, usize), DocumentTrouble> {
        let options = ParseOptions {
            kind: page.kind,
            ..self.options
        };
        with_file_bytes(&self.root.join(path), |bytes, _| {
            let (decoded, _) = decode(page.coding, bytes, DECODED_LIMIT)?;
            let result = catch_panic(|| work(path, &decoded, &options))?;
            Ok((result, decoded.len()))
        })
        .map_err(DocumentTrouble::Read)?
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files().count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The paths of all files below the root, in the order of the walk.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let entries = self.walk.entries.iter();
        entries
            .filter(|entry| entry.kind == EntryKind::File)
            .map(|entry| entry.path.as_path())
    }
}
