//! Rewrites the documents of a container and copies everything else in it.
//!
//! One thread reads the items in order, several threads rewrite and compress them, and one thread
//! writes them in order. The bytes of an unchanged item are copied from the old file; if no item
//! changes, no file is written. The largest document bounds the memory, not the size of the
//! container.

pub(super) mod item;
mod output;

use std::io::{self, BufReader, BufWriter, Write};
use std::path::PathBuf;

use item::rewrite_item;
use output::{BUFFER, Output};

use super::entry::skip;
use super::outcome::{EntryReport, FileError};
use super::plan::{Mode, Plan};
use super::report::Report;
use super::revisits::Revisits;
use crate::container::{Access, PackError, PieceBytes};
use crate::files::open_file;
use crate::output::{Original, WriteError, diff, replace_stream};
use crate::parallel::{self, QueueItem};
use crate::revisits::CaptureDigest;
use crate::temporary::is_temporary;
use crate::wacz::pack;
use crate::warc::ArchiveReader;
use crate::warc_container::{Container, Piece, each_piece};
use crate::{ContainerError, ContainerFormat, ReadError, SkipError};
use rehref_site::{Diagnostic, Entry, diagnostic::display_path, plural::counted};

/// The reason a container could not be rewritten.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Container(#[from] ContainerError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
}

impl Error {
    /// For `map_err`: the new file cannot be written.
    fn output(error: io::Error) -> Error {
        Error::Parallel(parallel::Error::Output(error))
    }
}

impl From<PackError> for Error {
    fn from(error: PackError) -> Error {
        match error {
            PackError::Output(error) => Error::output(error),
            PackError::Container(error) => Error::Container(error),
        }
    }
}

/// Rewrites the container `entry`, of kind `format`, on as many threads as `plan` says. `None`: the
/// run was interrupted before the end of the container.
pub(super) fn process(
    plan: &Plan,
    revisits: &Revisits<'_>,
    entry: &Entry,
    format: ContainerFormat,
) -> Option<EntryReport> {
    let path = plan.corpus.root.join(&entry.path);
    let processed = match (ContainerRun { plan, revisits, entry, format, path }).replace() {
        Err(Error::Parallel(parallel::Error::Cancelled)) => return None,
        Err(Error::Container(error)) => {
            skip(plan, entry, &SkipError::coding(error)).map_err(Error::File)
        }
        processed => processed,
    };
    Some(processed.unwrap_or_else(|error| EntryReport::failed(entry, error, None)))
}

/// A container that is rewritten.
struct ContainerRun<'r> {
    plan: &'r Plan,
    revisits: &'r Revisits<'r>,
    entry: &'r Entry,
    format: ContainerFormat,
    path: PathBuf,
}

fn read_error(error: io::Error) -> FileError {
    FileError::Read(ReadError::Read(error))
}

impl ContainerRun<'_> {
    /// Writes the rewritten container to the place that the mode says.
    fn replace(&self) -> Result<EntryReport, Error> {
        let mode = &self.plan.mode;
        let new_path = self.plan.new_path(&self.entry.path);
        let (_, metadata) = open_file(&self.path).map_err(read_error)?;
        // Separate from the errors of writing, since a damaged container is skipped.
        let mut ended = Ok(EntryReport::default());
        let mut write = |out: &mut dyn Write| {
            let mut out = BufWriter::with_capacity(BUFFER, out);
            match self.rewrite(&mut out) {
                Ok(result) => {
                    let is_changed = result.report.archives.rewritten > 0;
                    ended = Ok(result);
                    out.flush()?;
                    Ok(is_changed)
                }
                Err(Error::Parallel(parallel::Error::Output(error))) if !is_temporary(&error) => {
                    Err(error)
                }
                Err(error) => {
                    ended = Err(error);
                    Ok(false)
                }
            }
        };
        let old = Original { path: &self.path, metadata: &metadata };
        let written = match (mode.new_tree(), mode) {
            (Some(tree), _) => tree.write_stream(new_path, old, &mut write),
            (None, Mode::InPlace) => replace_stream(old, &mut write),
            (None, _) => write(&mut io::sink()).map_err(WriteError::Read),
        };
        let is_written = written.map_err(FileError::Write)?;
        let mut result = ended?;
        if let (false, Some(tree)) = (is_written, mode.new_tree()) {
            tree.copy_file(&self.path, new_path).map_err(FileError::Write)?;
        }
        if let (true, Mode::Diff) = (is_written, mode) {
            result.diff = diff::binary(&self.entry.path, new_path);
        }
        Ok(result)
    }

    fn rewrite(&self, out: &mut dyn Write) -> Result<EntryReport, Error> {
        let corpus = &self.plan.corpus;
        let name = display_path(&self.entry.path);
        let whole = BufReader::new(open_file(&self.path).map_err(read_error)?.0);
        let file = corpus.container_file(&self.path, &name);
        let mut container = Container::open(file, self.format, Access::Everything)?;
        let mut written = Output::new(Box::new(whole), out, self.plan.mode.writes());
        let mut result = EntryReport::default();
        let report = &mut result.report;
        let mut failed = None;
        let mut unresolved_revisits = 0;
        let next = || -> Result<Option<Piece>, Error> {
            let piece = container.next(|_| true)?;
            if let Some(Piece::Revisit(_)) = &piece {
                self.revisits.compute()?;
            }
            Ok(piece)
        };
        let damage = each_piece(
            corpus.thread_options(),
            next,
            |piece| {
                let value = self.piece(piece);
                let bytes = match &value.written {
                    Ok(WrittenPiece::Bytes(bytes)) => bytes.size(),
                    _ => 0,
                };
                QueueItem { value, bytes }
            },
            |piece| {
                report.add(piece.report);
                unresolved_revisits += usize::from(piece.is_unresolved);
                match piece.written {
                    Ok(WrittenPiece::Start(name, bytes)) => written.start(name, bytes),
                    Ok(WrittenPiece::Bytes(bytes)) => written.add(bytes),
                    Err(error) => {
                        failed = Some(error);
                        Ok(())
                    }
                }
            },
        )?;
        if let Some(error) = failed.map(Error::Container).or(damage) {
            return Err(error);
        }
        let is_changed = report.documents.rewritten > 0 || report.archives.revisits > 0;
        let mut warnings: Vec<Diagnostic> = container.warnings().collect();
        if is_changed {
            let (out, archives) = written.finish().map_err(Error::output)?;
            if self.format == ContainerFormat::Wacz {
                let of_entries = pack(&self.path, archives, out)?.into_iter();
                warnings.extend(of_entries.map(|warning| warning.at_path(&name)));
            }
        }
        // Also if nothing changes: their captures may change in a run of their own.
        if unresolved_revisits > 0 {
            report.diagnostics.push(unresolved(&name, unresolved_revisits));
        }
        report.diagnostics.extend(warnings);
        report.archives.seen = 1;
        report.archives.records = container.items();
        if is_changed {
            result.changed = Some(report.references.rewritten);
            report.archives.rewritten = 1;
            report.add_changed(name, report.references.rewritten);
        }
        Ok(result)
    }

    fn piece(&self, piece: Piece) -> RewrittenPiece {
        let needs_bytes = self.plan.mode.writes();
        let mut report = Report::default();
        let mut is_unresolved = false;
        let written = match piece {
            Piece::Start(name, bytes) => Ok(WrittenPiece::Start(name, bytes)),
            Piece::Other(written) => Ok(WrittenPiece::Bytes(written)),
            // Only of `Access::Revisited`.
            Piece::Capture(_) => Ok(WrittenPiece::Bytes(PieceBytes::Bytes(Vec::new(), None))),
            Piece::Item(item) => {
                let rewritten = rewrite_item(self.plan, *item, needs_bytes);
                report = rewritten.report;
                rewritten.written.map(WrittenPiece::Bytes)
            }
            Piece::Revisit(revisit) => {
                let digest = self.revisits.digest(&revisit.keys);
                match digest {
                    CaptureDigest::Changed(_) => report.archives.revisits = 1,
                    CaptureDigest::Unchanged => {}
                    CaptureDigest::NotFound => is_unresolved = revisit.may_be_document(),
                }
                revisit.rewrite(digest, needs_bytes).map(WrittenPiece::Bytes)
            }
        };
        RewrittenPiece { report, written, is_unresolved }
    }
}

/// The warning of revisits whose captures are in no archive of the run, although they may be documents.
fn unresolved(name: &str, revisits: usize) -> Diagnostic {
    let (refer, digests) = match revisits {
        1 => ("refers to a capture", "its digest was"),
        _ => ("refer to captures", "their digests were"),
    };
    let records = counted(revisits, "revisit record");
    let message = format!(
        "{records} {refer} that no archive in the site has, so {digests} not updated\nhelp: rewrite the archives of a crawl together, in one directory"
    );
    Diagnostic::warning(name, "revisit-records", message)
}

/// A rewritten piece of a container.
struct RewrittenPiece {
    report: Report,
    written: Result<WrittenPiece, ContainerError>,
    /// Whether it is a revisit of a document that no archive has.
    is_unresolved: bool,
}

/// The replacement of a piece in the new container.
enum WrittenPiece {
    /// The start of an archive: its name and its old bytes.
    Start(String, ArchiveReader),
    /// The bytes in place of the piece.
    Bytes(PieceBytes),
}
