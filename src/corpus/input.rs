//! The input of a run: the files of a site and how to read them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::container::ContainerFile;
use super::place::SitePlace;
use super::selection::Selection;
use crate::document::ParseOptions;
use crate::parallel::ThreadOptions;
use crate::site::{EntryKind, FileTree, SiteUrl};
use crate::url::Standard;

/// A site as it is stored: a walked directory, or a single archive.
#[derive(Debug)]
pub struct Corpus {
    /// The root directory, canonical; of a single archive, the directory it is in.
    pub root: PathBuf,
    /// The URL of the root.
    pub site_url: SiteUrl,
    /// The entries below the root; for a single archive, the archive alone.
    pub walk: FileTree,
    /// Selects the files that are documents.
    pub selection: Selection,
    /// How to parse all documents, unless a document or its container declares otherwise.
    pub options: ParseOptions,
    /// The standard that references are resolved by.
    pub standard: Standard,
    /// The number of threads; 0: one per core.
    pub threads: usize,
    /// Once set, no further file or record is started.
    pub cancel: Arc<AtomicBool>,
}

/// Watches the progress of a run.
pub trait Observer: Sync {
    /// The run will process `files` files.
    fn start(&self, files: usize) {
        let _ = files;
    }
    /// A file was processed. Called on any thread, in any order.
    fn progress(&self) {}
}

impl Corpus {
    /// The tree below `root` (canonical), published at `site_url`; everything else is the default:
    /// all documents, the WHATWG standard, a thread per core.
    pub fn new(root: PathBuf, walk: FileTree, site_url: SiteUrl) -> Corpus {
        Corpus {
            root,
            site_url,
            walk,
            selection: Selection::default(),
            options: ParseOptions::default(),
            standard: Standard::default(),
            threads: 0,
            cancel: Arc::default(),
        }
    }

    /// The files of `place`, published at `site_url`, read in the same way.
    #[must_use]
    pub fn reading(&self, place: &SitePlace, site_url: SiteUrl) -> Corpus {
        Corpus {
            root: place.root(),
            site_url,
            walk: place.walk(),
            selection: self.selection.clone(),
            cancel: Arc::clone(&self.cancel),
            ..*self
        }
    }

    /// The paths of all files below the root, in the order of the walk.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let entries = self.walk.entries.iter();
        entries
            .filter(|entry| entry.kind == EntryKind::File)
            .map(|entry| entry.path.as_path())
    }

    pub(crate) fn thread_options(&self) -> ThreadOptions<'_> {
        ThreadOptions {
            threads: self.threads,
            cancel: &self.cancel,
        }
    }

    /// The container at `path`, with the options to read it. `name` is its name in messages.
    pub(crate) fn container_file<'c>(&self, path: &'c Path, name: &'c str) -> ContainerFile<'c> {
        ContainerFile {
            path,
            name,
            options: self.options,
            standard: self.standard,
        }
    }
}
