//! The documents of a corpus, processed in parallel, with the results in order.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io;
use std::iter;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::container::Access;
use super::formats::is_archive_index;
use super::warc_container::{Container, Piece, RecordItem, add_captures_to_index};
use super::warc_revisits::add_revisits;
use crate::parallel::{self, QueueItem, in_order_from};
use crate::warc::cdx;
use crate::{
    ContainerError, ContainerFormat, Corpus, FileDocument, ReadError, RevisitDigests,
    SourceDocument, catch_panic, container_format,
};
use rehref_document::lossy;
use rehref_site::{CaptureIndex, Diagnostic};

/// A group of documents that form one site: the files of a corpus, or the records of all its archives.
#[derive(Clone, Debug)]
pub struct Collection<'c> {
    corpus: &'c Corpus,
    /// The archives, in the order of the walk; `None` for the files.
    archives: Option<Vec<(&'c Path, ContainerFormat)>>,
    /// Whether documents that are not selected are read.
    has_unselected: bool,
}

impl Corpus {
    /// Returns the collection of the documents that are files.
    pub fn file_collection(&self) -> Collection<'_> {
        Collection { corpus: self, archives: None, has_unselected: false }
    }

    /// Returns the paths of the archives below the root, in the order of the walk, each with the kind of its archive.
    pub fn archives(&self) -> impl Iterator<Item = (&Path, ContainerFormat)> {
        self.files().filter_map(|path| {
            let format = container_format(path.file_name()?)?;
            self.selection.has(path).then_some((path, format))
        })
    }

    /// Returns the revisits in all archives, without their captures; `None` after an interruption. Of a damaged
    /// archive, returns the revisits before the damage.
    pub fn revisits(&self) -> Option<RevisitDigests> {
        let mut digests = RevisitDigests::default();
        for (path, format) in self.archives() {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            // The run reports the damage when it reads the documents.
            let archives = format.archives(&self.root.join(path));
            let _ = archives.and_then(|archives| add_revisits(&archives, &mut digests));
        }
        Some(digests)
    }

    /// The paths of the index files of archives (CDX, CDXJ) below the root.
    fn index_paths(&self) -> impl Iterator<Item = &Path> {
        self.files().filter(|path| is_archive_index(path) && self.selection.has(path))
    }

    /// Returns the collections of the corpus: its files, then all its archives, if it has any. Crawlers write one
    /// crawl to many archives, so a page in one links to pages in the others.
    pub fn collections(&self) -> Vec<Collection<'_>> {
        let archives: Vec<_> = self.archives().collect();
        let archives = (!archives.is_empty()).then_some(Collection {
            corpus: self,
            archives: Some(archives),
            has_unselected: false,
        });
        iter::once(self.file_collection()).chain(archives).collect()
    }
}

/// A file, or an item of a container, that is to be read.
enum Unit<'c> {
    File(usize, &'c Path),
    /// An item, and the number of items in the archives before its own.
    Item(usize, Box<RecordItem>),
    /// An archive that cannot be read to its end.
    Damaged(&'c Path, ContainerError),
}

impl<'c> Collection<'c> {
    /// Returns the corpus that the documents are part of.
    pub fn corpus(&self) -> &'c Corpus {
        self.corpus
    }

    /// Returns this collection with the documents beside a [single](super::Selection::single) document.
    pub fn with_neighbors(self) -> Collection<'c> {
        Collection { has_unselected: true, ..self }
    }

    /// Returns the paths of the files of a directory, in the order of the walk. Empty for archives.
    pub fn files(&self) -> impl Iterator<Item = &'c Path> {
        let files = self.archives.is_none().then(|| self.corpus.files());
        files.into_iter().flatten()
    }

    /// Returns true if the documents are records of archives.
    pub fn is_archived(&self) -> bool {
        self.archives.is_some()
    }

    /// Returns the URLs in the archives and in the index files beside them; `None` for the files of a
    /// directory. For a damaged archive, returns the URLs before the damage; [`Collection::each_document`]
    /// reports the damage. `unread` receives the name of each index file that cannot be read, and the reason.
    pub fn captures(&self, mut unread: impl FnMut(&str, &dyn Display)) -> Option<CaptureIndex> {
        let mut index = CaptureIndex::default();
        for (path, format) in self.archives.as_ref()? {
            let archives = format.archives(&self.corpus.root.join(path));
            if archives.and_then(|it| add_captures_to_index(&it, &mut index)).is_err() {
                index.set_incomplete();
            }
        }
        for path in self.corpus.index_paths() {
            if let Err(error) = cdx::captures(&self.corpus.root.join(path), &mut index) {
                index.set_incomplete();
                unread(&lossy(path.as_os_str()), &error);
            }
        }
        Some(index)
    }

    /// Calls `work` on every document, or on those of `items`, in parallel. Passes the results to `take`, each
    /// with the name of its document, in the order of the collection. Calls `progress` for every file of a
    /// directory. Returns warnings about the archives.
    ///
    /// # Errors
    /// Returns an error if `take` fails. `take` gets the error for a single document that cannot be read, and for an
    /// archive that cannot be read to its end, with the name of the archive.
    pub fn each_document<T: Send>(
        &self,
        items: Option<&BTreeSet<usize>>,
        work: impl Fn(&SourceDocument<'_>) -> T + Sync,
        progress: impl Fn() + Sync,
        mut take: impl FnMut(&str, Result<T, ReadError>) -> io::Result<()>,
    ) -> Result<Vec<Diagnostic>, parallel::Error> {
        if items.is_some_and(BTreeSet::is_empty) {
            return Ok(Vec::new());
        }
        let is_wanted = |item: usize| items.is_none_or(|items| items.contains(&item));
        let mut files = self.files().enumerate();
        let mut archives = Archives {
            corpus: self.corpus,
            left: self.archives.as_deref().unwrap_or_default().iter(),
            open: None,
            items: 0,
            warnings: Vec::new(),
        };
        let units = iter::from_fn(|| {
            if self.is_archived() {
                let value = archives.next(&is_wanted)?;
                let bytes = if let Unit::Item(_, item) = &value { item.record.size() } else { 0 };
                return Some(QueueItem { value, bytes });
            }
            let (item, path) = files.find(|(item, _)| is_wanted(*item))?;
            let value = Unit::File(item, path);
            Some(QueueItem { value, bytes: 0 })
        });
        let completion = in_order_from(
            self.corpus.thread_options(),
            units,
            |unit| {
                // About as much memory as the results take.
                let (mut results, mut bytes) = (Vec::new(), 0);
                let (name, read) = self.visit(unit, &progress, &mut |document| {
                    bytes += document.bytes.len();
                    results.push(work(document));
                });
                QueueItem { value: (name, read.map(|()| results)), bytes }
            },
            |(name, result)| match result {
                Ok(results) => results.into_iter().try_for_each(|result| take(&name, Ok(result))),
                Err(error) => take(&name, Err(error)),
            },
        )?;
        if self.is_archived() && !completion.is_complete {
            return Err(parallel::Error::Cancelled);
        }
        completion.of_all(self.corpus.files().count())?;
        Ok(archives.warnings)
    }

    /// Calls `work` with the documents of `unit`. Returns the name of the unit, and why it cannot be read.
    fn visit(
        &self,
        unit: Unit<'c>,
        progress: &dyn Fn(),
        work: &mut dyn FnMut(&SourceDocument<'_>),
    ) -> (Cow<'c, str>, Result<(), ReadError>) {
        match unit {
            Unit::File(item, path) => {
                let role = if self.has_unselected {
                    self.corpus.role_of_neighbor(path)
                } else {
                    self.corpus.role(path)
                };
                let read = role.map_err(ReadError::Read).and_then(|role| {
                    let work = |file: &FileDocument<'_>| work(&file.document);
                    self.corpus.read_file(path, item, &role, work)
                });
                progress();
                (lossy(path.as_os_str()), read.map(|_| ()))
            }
            Unit::Item(before, item) => {
                let mut work = |document: &SourceDocument<'_>| {
                    work(&SourceDocument { item: before + document.item, ..*document });
                };
                let read = catch_panic(|| item.read(&mut work)).map_err(ReadError::from).flatten();
                (Cow::Owned(item.name), read)
            }
            Unit::Damaged(path, error) => (lossy(path.as_os_str()), Err(error.into())),
        }
    }
}

/// The archives of a collection, read one after the other.
struct Archives<'a, 'c> {
    corpus: &'c Corpus,
    left: std::slice::Iter<'a, (&'c Path, ContainerFormat)>,
    open: Option<(&'c Path, Container<'c>)>,
    /// The number of items in the archives before the open one.
    items: usize,
    /// The warnings of the archives that were read to their end.
    warnings: Vec<Diagnostic>,
}

impl<'c> Archives<'_, 'c> {
    /// The next item that is wanted and may hold documents, or the archive that cannot be read further. `None` at
    /// the end of the last archive.
    fn next(&mut self, is_wanted: &dyn Fn(usize) -> bool) -> Option<Unit<'c>> {
        loop {
            let Some((archive, container)) = &mut self.open else {
                let (archive, format) = *self.left.next()?;
                let name = archive.to_string_lossy();
                let path = self.corpus.root.join(archive);
                let file = self.corpus.container_file(&path, &name);
                match Container::open(file, format, Access::Documents) {
                    Ok(container) => self.open = Some((archive, container)),
                    Err(error) => return Some(Unit::Damaged(archive, error)),
                }
                continue;
            };
            let before = self.items;
            match container.next(|item| is_wanted(before + item)) {
                Ok(Some(Piece::Item(item))) => return Some(Unit::Item(before, item)),
                Ok(Some(_)) => {}
                Ok(None) => {
                    self.items += container.items();
                    self.warnings.extend(container.warnings());
                    self.open = None;
                }
                Err(error) => return Some(Unit::Damaged(archive, error)),
            }
        }
    }
}
