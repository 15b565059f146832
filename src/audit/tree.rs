//! All documents of a tree, one after the other in the order of the walk, worked on in parallel.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::document::ParseOptions;
use crate::rewrite::entry::{Panicked, with_backstop};
use crate::rewrite::plan::Selection;
use crate::site::{Entry, EntryKind, Walk};

/// A tree that is only read.
#[derive(Debug)]
pub struct Tree {
    /// The site's root directory.
    pub root: PathBuf,
    /// What is in it.
    pub walk: Walk,
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
    /// A parser underneath panicked.
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

/// Why a run ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The threads cannot be started.
    #[error("threads cannot be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// [`Tree::cancel`] was set.
    #[error("interrupted after {done} of {files} files")]
    Interrupted {
        /// How many files were looked at.
        done: usize,
        /// How many there are.
        files: usize,
    },
    /// Whoever takes the results gave up.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// How many files are in flight before their results are handed on, which bounds the memory that
/// results take.
const BATCH: usize = 1024;

impl Tree {
    /// Does `work` on every document, in parallel, with its path, its bytes and how it is to be
    /// parsed, and hands the results to `take` in the order of the walk. `progress` is called for
    /// every file.
    ///
    /// # Errors
    /// See [`TreeError`]; trouble with single documents is handed to `take`.
    pub fn each_document<T: Send>(
        &self,
        work: impl Fn(&Path, &[u8], &ParseOptions) -> T + Sync,
        progress: impl Fn() + Sync,
        mut take: impl FnMut(&Path, Result<T, DocumentTrouble>) -> io::Result<()>,
    ) -> Result<(), TreeError> {
        let files = self.files();
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()?;
        let one = |entry: &&Entry| {
            let path = entry.path.as_path();
            let kind = match self.selection.document_kind(&self.root, path) {
                Ok(kind) => kind?,
                Err(error) => return Some(Err(DocumentTrouble::Read(error))),
            };
            let options = ParseOptions {
                kind,
                ..self.options
            };
            let bytes = match fs::read(self.root.join(path)) {
                Ok(bytes) => bytes,
                Err(error) => return Some(Err(DocumentTrouble::Read(error))),
            };
            Some(with_backstop(|| work(path, &bytes, &options)).map_err(DocumentTrouble::from))
        };
        let mut done = 0;
        for batch in files.chunks(BATCH) {
            let results: Vec<Option<Result<T, DocumentTrouble>>> = threads.install(|| {
                batch
                    .par_iter()
                    .map(|entry| {
                        if self.cancel.load(Ordering::Relaxed) {
                            return None;
                        }
                        let result = one(entry);
                        progress();
                        result
                    })
                    .collect()
            });
            if self.cancel.load(Ordering::Relaxed) {
                return Err(TreeError::Interrupted {
                    done,
                    files: files.len(),
                });
            }
            done += batch.len();
            for (entry, result) in batch.iter().zip(results) {
                if let Some(result) = result {
                    take(&entry.path, result)?;
                }
            }
        }
        Ok(())
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files().is_empty()
    }

    fn files(&self) -> Vec<&Entry> {
        let entries = self.walk.entries.iter();
        entries
            .filter(|entry| entry.kind == EntryKind::File)
            .collect()
    }
}
