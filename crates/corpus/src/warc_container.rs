//! WARC archives as containers: files of their own, and those in a WACZ file.

use std::{io, iter};

use super::container::{Access, PieceBytes, Replaced, Rewrite};
use super::revisits::ContentKey;
use super::warc_counts::RecordCounts;
use super::warc_revisits::{RevisitRecord, capture_keys, revisit_keys, revisited_keys};
use crate::parallel::{self, QueueItem, ThreadOptions, in_order_from};
use crate::warc::index::capture_status;
use crate::warc::sequence::{ArchiveSequence, Step};
use crate::warc::{
    ArchiveError, ArchiveReader, ArchiveSource, Capture, Format, Record, Records, record,
};
use crate::{
    ContainerError, ContainerFile, ContainerFormat, ReadError, RecordDocuments, Role, SkipError,
    SourceDocument,
};
use rehref_document::ParseOptions;
use rehref_site::{CaptureIndex, Diagnostic};
use rehref_url::Standard;

/// A part of a container, in the order of the file.
pub(crate) enum Piece {
    /// The start of an archive in the container: its name and its bytes, in which the next pieces have their places.
    /// Only of [`Access::Everything`], and of containers that are packed.
    Start(String, ArchiveReader),
    /// An item that may hold documents.
    Item(Box<RecordItem>),
    /// An item that refers to the content of another one. Only of [`Access::Everything`].
    Revisit(Box<RevisitRecord>),
    /// An item that a revisit refers to by these keys, and that holds no document. Only of [`Access::Revisited`].
    Capture(Vec<ContentKey>),
    /// An unwanted item, or the bytes between items.
    Other(PieceBytes),
}

impl Piece {
    /// Returns a rough count of the bytes that it holds in memory.
    pub(crate) fn size(&self) -> usize {
        match self {
            Piece::Item(item) => item.record.size(),
            Piece::Revisit(revisit) => revisit.record.size(),
            Piece::Other(bytes) => bytes.size(),
            Piece::Start(..) | Piece::Capture(_) => 0,
        }
    }
}

/// Calls `work` on every piece that `next` reads, on several threads, and `take` on each result, in order. Returns the
/// error of `next` that ended the pieces.
///
/// # Errors
/// Returns an error if the threads cannot be started, `take` fails, or the work was cancelled.
pub(crate) fn each_piece<T: Send, E: Send>(
    options: ThreadOptions<'_>,
    mut next: impl FnMut() -> Result<Option<Piece>, E> + Send,
    work: impl Fn(Piece) -> QueueItem<T> + Sync,
    take: impl FnMut(T) -> io::Result<()>,
) -> Result<Option<E>, parallel::Error> {
    let mut damage = None;
    let pieces = iter::from_fn(|| match next() {
        Ok(piece) => piece.map(|value| QueueItem { bytes: value.size(), value }),
        Err(error) => {
            damage = Some(error);
            None
        }
    });
    let completion = in_order_from(options, pieces, work, take)?;
    if completion.is_complete { Ok(damage) } else { Err(parallel::Error::Cancelled) }
}

/// Adds the captures of all archives, also of those after a damaged one.
pub(super) fn add_captures_to_index(
    archives: &[ArchiveSource],
    index: &mut CaptureIndex,
) -> Result<(), ContainerError> {
    let mut damaged = Ok(());
    for archive in archives {
        damaged = damaged.and(captures_of(archive, index).map_err(ContainerError::from));
    }
    damaged
}

fn captures_of(archive: &ArchiveSource, index: &mut CaptureIndex) -> Result<(), ArchiveError> {
    let end = Records::open(archive, false)?.next_record(|_, head, start| {
        if let Some((url, status)) = capture_status(head, start) {
            index.add(&url, status);
        }
        false
    });
    end.map(|_| ())
}

/// A container that is being read from its start to its end: the only archive of a WARC file, or those of a WACZ file.
pub(crate) struct Container<'a> {
    records: ArchiveSequence,
    access: Access<'a>,
    /// The name in messages.
    name: String,
    /// The format of the archive that is being read.
    format: Format,
    options: ParseOptions,
    standard: Standard,
    counts: RecordCounts,
    /// The keys of captures that hold no document, which are pieces before the next one.
    captures: Vec<Vec<ContentKey>>,
}

impl<'a> Container<'a> {
    /// Opens the container `file`, which is of this `format`.
    ///
    /// # Errors
    /// Returns an error if the archives in it cannot be found.
    pub(super) fn open(
        file: ContainerFile<'_>,
        format: ContainerFormat,
        access: Access<'a>,
    ) -> Result<Container<'a>, ContainerError> {
        let archives = format.archives(file.path)?;
        Ok(Container {
            records: ArchiveSequence::new(archives, matches!(access, Access::Everything)),
            access,
            name: file.name.to_owned(),
            format: Format::Plain,
            options: file.options,
            standard: file.standard,
            counts: RecordCounts::default(),
            captures: Vec::new(),
        })
    }

    /// Begins to read an archive. An archive of a WACZ file is a piece if everything is read.
    fn begin(
        &mut self,
        archive: &ArchiveSource,
        format: Format,
    ) -> Result<Option<Piece>, ArchiveError> {
        self.format = format;
        let (Access::Everything, Some(name)) = (self.access, archive.entry_name()) else {
            return Ok(None);
        };
        let bytes = archive.open().map_err(|error| archive.unreadable(error))?;
        Ok(Some(Piece::Start(name.to_owned(), bytes)))
    }

    fn piece(&self, piece: record::Piece) -> Piece {
        match piece {
            record::Piece::Record(record) => match revisit_keys(&record.head) {
                Some(keys) => {
                    Piece::Revisit(Box::new(RevisitRecord { record, keys, format: self.format }))
                }
                None => {
                    let uri = record.head.target_uri().unwrap_or_default();
                    Piece::Item(Box::new(RecordItem {
                        name: format!("{} > {uri}", self.name),
                        record,
                        format: self.format,
                        options: self.options,
                        standard: self.standard,
                    }))
                }
            },
            record::Piece::Range(range) => Piece::Other(PieceBytes::Copy(range)),
            record::Piece::Member(bytes) => Piece::Other(PieceBytes::Bytes(bytes, None)),
        }
    }

    /// Returns the next piece; `None` at the end. An item whose number is not `is_wanted` is a piece without
    /// documents. Items are numbered from 1. After an error, continues after the damaged part.
    pub(crate) fn next(
        &mut self,
        is_wanted: impl Fn(usize) -> bool,
    ) -> Result<Option<Piece>, ContainerError> {
        loop {
            if let Some(keys) = self.captures.pop() {
                return Ok(Some(Piece::Capture(keys)));
            }
            let (counts, access, captures) = (&mut self.counts, self.access, &mut self.captures);
            let step = self.records.next(|number, head, start| {
                let mut may_hold_references =
                    || is_wanted(number) && counts.may_hold_references(number, head, start);
                match access {
                    Access::Documents => may_hold_references(),
                    Access::Everything => may_hold_references() || RevisitRecord::is_wanted(head),
                    Access::Revisited(digests) => {
                        let Some(keys) = revisited_keys(head, digests) else { return false };
                        let may_hold_references = may_hold_references();
                        if !may_hold_references {
                            captures.push(keys);
                        }
                        may_hold_references
                    }
                }
            });
            match step? {
                None if self.captures.is_empty() => return Ok(None),
                None => {}
                Some(Step::Archive(archive, format)) => {
                    if let Some(start) = self.begin(&archive, format)? {
                        return Ok(Some(start));
                    }
                }
                Some(Step::Piece(piece)) => return Ok(Some(self.piece(piece))),
            }
        }
    }

    /// Returns the number of items read so far.
    pub(crate) fn items(&self) -> usize {
        self.records.count()
    }

    /// Warnings of the items read so far.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Diagnostic> {
        self.counts.skipped().map(|warning| warning.at_path(&self.name))
    }
}

/// A record that may hold a document.
pub(crate) struct RecordItem {
    pub(crate) record: Record,
    /// The name in messages.
    pub(crate) name: String,
    format: Format,
    options: ParseOptions,
    standard: Standard,
}

impl RecordItem {
    /// Replaces the documents with the bytes that `rewrite` returns.
    ///
    /// # Errors
    /// Returns an error if they cannot be decoded or encoded, or `rewrite` fails.
    pub(crate) fn replace(&mut self, rewrite: &mut Rewrite<'_>) -> Result<Replaced, SkipError> {
        let capture = Capture::of(&self.record).map_err(SkipError::coding)?;
        let Some(capture) = capture else { return Ok(Replaced::NoDocument) };
        let (mut headers, mut content) = (None, None);
        for document in self.documents(&capture).all() {
            let replaced = match document.role {
                Role::Headers => &mut headers,
                Role::Content | Role::ErrorBody => &mut content,
            };
            *replaced = rewrite(&document)?;
        }
        if headers.is_none() && content.is_none() {
            return Ok(Replaced::Unchanged);
        }
        let replaced = capture.replace(&mut self.record, headers.as_deref(), content.as_deref());
        replaced.map(Replaced::Changed).map_err(SkipError::coding)
    }

    /// Returns the bytes in the new archive.
    ///
    /// # Errors
    /// Returns an error if they cannot be compressed.
    pub(crate) fn written(
        &self,
        is_changed: bool,
        needs_bytes: bool,
    ) -> Result<PieceBytes, ContainerError> {
        PieceBytes::of_record(&self.record, self.format, is_changed, needs_bytes)
    }

    fn documents<'r>(&'r self, capture: &'r Capture) -> RecordDocuments<'r> {
        RecordDocuments::new(&self.record, capture, &self.name, self.options, self.standard)
    }

    /// Returns the keys by which revisits refer to it; empty if none can.
    pub(crate) fn content_keys(&self) -> Vec<ContentKey> {
        capture_keys(&self.record.head).unwrap_or_default()
    }

    /// Hands its documents to `work`, in order.
    ///
    /// # Errors
    /// Returns an error if they cannot be decoded; then `work` is not called.
    pub(crate) fn read(&self, work: &mut dyn FnMut(&SourceDocument<'_>)) -> Result<(), ReadError> {
        if let Some(capture) = Capture::of(&self.record).map_err(ReadError::decode)? {
            let documents = self.documents(&capture);
            documents.all().for_each(|document| work(&document));
        }
        Ok(())
    }
}
