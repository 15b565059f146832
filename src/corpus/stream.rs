//! The documents of a corpus, processed in parallel, with the results in order.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::iter;
use std::path::Path;

use super::catch_panic::catch_panic;
use super::container::{Access, Container, ContainerFormat, Item, Piece, Remark};
use super::document::SourceDocument;
use super::error::{ContainerError, CorpusError, ReadError};
use super::file::FileDocument;
use super::formats::container_format;
use super::input::Corpus;
use crate::parallel::{self, QueueItem, in_order_from};
use crate::site::{CaptureIndex, lossy};

/// The documents of a corpus that link to each other as one site: its files, or the records of one
/// of its archives.
#[derive(Clone, Copy, Debug)]
pub struct Collection<'c> {
    corpus: &'c Corpus,
    /// The path of the container below the root; `None` for the files.
    container: Option<(&'c Path, &'static ContainerFormat)>,
    /// Whether documents that are not selected are read.
    has_unselected: bool,
}

impl Corpus {
    /// The documents that are files of their own.
    pub fn file_collection(&self) -> Collection<'_> {
        Collection {
            corpus: self,
            container: None,
            has_unselected: false,
        }
    }

    /// The collections of the corpus: its files, then each of its archives.
    pub fn collections(&self) -> Vec<Collection<'_>> {
        let containers = self.files().filter_map(|path| {
            let kind = container_format(path.file_name()?)?;
            self.selection.has(path).then_some(Collection {
                corpus: self,
                container: Some((path, kind)),
                has_unselected: false,
            })
        });
        iter::once(self.file_collection())
            .chain(containers)
            .collect()
    }
}

/// A file, or an item of a container, that is to be read.
enum Unit<'c> {
    File(usize, &'c Path),
    Item(Box<dyn Item>),
}

impl<'c> Collection<'c> {
    /// The corpus that the documents are part of.
    pub fn corpus(&self) -> &'c Corpus {
        self.corpus
    }

    /// The same collection with the documents beside a [single](super::Selection::single) one.
    pub(crate) fn with_neighbors(self) -> Collection<'c> {
        Collection {
            has_unselected: true,
            ..self
        }
    }

    /// The paths of the files of a directory, in the order of the walk; of an archive none.
    pub fn files(&self) -> impl Iterator<Item = &'c Path> {
        let files = self.container.is_none().then(|| self.corpus.files());
        files.into_iter().flatten()
    }

    /// The path of the archive below the root; `None` for the files of a directory.
    pub fn archive(&self) -> Option<&'c Path> {
        self.container.map(|(path, _)| path)
    }

    /// The URLs that the archive holds; `None` for the files of a directory.
    ///
    /// # Errors
    /// When the archive is damaged.
    pub fn captures(&self) -> Result<Option<CaptureIndex>, ContainerError> {
        self.container
            .map(|(path, kind)| (kind.captures)(&self.corpus.root.join(path)))
            .transpose()
    }

    /// Calls `work` on every document, or on those of `items`, in parallel, and hands the results
    /// to `take` in the order of the collection, each with the name of its document. `progress` is
    /// called for every file of a directory. Returns remarks on the archive as a whole.
    ///
    /// # Errors
    /// When the archive is damaged or `take` fails. `take` gets the error for a single document that
    /// cannot be read.
    pub fn each_document<T: Send>(
        &self,
        items: Option<&BTreeSet<usize>>,
        work: impl Fn(&SourceDocument<'_>) -> T + Sync,
        progress: impl Fn() + Sync,
        mut take: impl FnMut(&str, Result<T, ReadError>) -> io::Result<()>,
    ) -> Result<Vec<Remark>, CorpusError> {
        if items.is_some_and(BTreeSet::is_empty) {
            return Ok(Vec::new());
        }
        let is_wanted = |item: usize| items.is_none_or(|items| items.contains(&item));
        let mut container = self.open()?;
        let mut files = self.corpus.files().enumerate();
        let mut failed = None;
        let units = iter::from_fn(|| match &mut container {
            None => {
                let (item, path) = files.find(|(item, _)| is_wanted(*item))?;
                let value = Unit::File(item, path);
                Some(QueueItem { value, bytes: 0 })
            }
            Some(container) => match next_item(&mut **container, &is_wanted) {
                Ok(item) => {
                    let item = item?;
                    let bytes = item.size();
                    let value = Unit::Item(item);
                    Some(QueueItem { value, bytes })
                }
                Err(error) => {
                    failed = Some(error);
                    None
                }
            },
        });
        let completion = in_order_from(
            self.corpus.thread_options(),
            units,
            |unit| {
                let (result, bytes) = self.read(&unit, &work);
                if let Unit::File(..) = unit {
                    progress();
                }
                let value = (unit.into_name(), result);
                QueueItem { value, bytes }
            },
            |(name, result)| match result {
                Ok(results) => results
                    .into_iter()
                    .try_for_each(|result| take(&name, Ok(result))),
                Err(error) => take(&name, Err(error)),
            },
        )?;
        match failed {
            Some(error) => Err(error.into()),
            None if completion.is_complete => {
                Ok(container.map_or_else(Vec::new, |it| it.remarks(false)))
            }
            None => Err(match container {
                Some(_) => CorpusError::Interrupted,
                None => parallel::Error::Interrupted {
                    done: completion.done,
                    files: self.corpus.files().count(),
                }
                .into(),
            }),
        }
    }

    fn open(&self) -> Result<Option<Box<dyn Container>>, ContainerError> {
        let Some((path, kind)) = self.container else {
            return Ok(None);
        };
        let name = path.to_string_lossy();
        let path = self.corpus.root.join(path);
        let file = self.corpus.container_file(&path, &name);
        (kind.open)(file, Access::Documents).map(Some)
    }

    /// The results of `work` for the documents of `unit`, and how many bytes these have: about as
    /// much memory as the results take.
    fn read<T>(
        &self,
        unit: &Unit<'_>,
        work: &impl Fn(&SourceDocument<'_>) -> T,
    ) -> (Result<Vec<T>, ReadError>, usize) {
        let (mut results, mut bytes) = (Vec::new(), 0);
        let mut work = |document: &SourceDocument<'_>| {
            bytes += document.bytes.len();
            results.push(work(document));
        };
        let read = match unit {
            Unit::File(item, path) => match self.has_unselected {
                true => self.corpus.role_of_neighbor(path),
                false => self.corpus.role(path),
            }
            .map_err(ReadError::Read)
            .and_then(|role| {
                let work = |file: &FileDocument<'_>| work(&file.document);
                self.corpus.read_file(path, *item, &role, work)
            })
            .map(|_| ()),
            Unit::Item(item) => {
                catch_panic(|| item.read(&mut work)).unwrap_or_else(|panicked| Err(panicked.into()))
            }
        };
        (read.map(|()| results), bytes)
    }
}

impl<'c> Unit<'c> {
    fn into_name(self) -> Cow<'c, str> {
        match self {
            Unit::File(_, path) => lossy(path.as_os_str()),
            Unit::Item(item) => Cow::Owned(item.name().to_owned()),
        }
    }
}

/// The next item of `container` that may hold documents.
fn next_item(
    container: &mut dyn Container,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Result<Option<Box<dyn Item>>, ContainerError> {
    loop {
        match container.next(is_wanted)? {
            Some(Piece::Item(item)) => return Ok(Some(item)),
            Some(Piece::Other(_)) => {}
            None => return Ok(None),
        }
    }
}
