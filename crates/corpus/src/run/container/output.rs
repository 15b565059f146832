//! Writes the pieces of a container in order: into the new file, or, for archives that are packed into a file later, each
//! into a temporary file, with the places of its records.

use std::io::{self, BufWriter, Read, SeekFrom, Write};
use std::ops::Range;

use crate::container::{PieceBytes, Places, RewrittenArchive};
use crate::temporary::TemporaryFile;
use crate::warc::ArchiveReader;

/// The size of the write buffer of a new container, in bytes.
pub(super) const BUFFER: usize = 1 << 18;

/// The output of a container.
pub(super) struct Output<'o> {
    out: &'o mut dyn Write,
    /// Copies from the whole old file, or from the archive that is being written.
    old: Copier,
    /// The archive that is being written; `None` if the container is one archive.
    archive: Option<Archive>,
    /// The archives before it that changed.
    rewritten: Vec<RewrittenArchive>,
    /// Whether the new bytes are written at all.
    needs_bytes: bool,
}

/// An archive that is being written.
struct Archive {
    name: String,
    /// `None` if the new bytes are not written.
    file: Option<BufWriter<TemporaryFile>>,
    /// The number of its new bytes so far.
    length: u64,
    places: Vec<Places>,
    is_changed: bool,
}

impl Archive {
    /// Adds the place of `bytes`.
    fn add(&mut self, bytes: &PieceBytes) {
        let (old, length, is_changed) = match bytes {
            PieceBytes::Copy(range) => (Some(range.clone()), range.end - range.start, false),
            PieceBytes::Bytes(bytes, place) => {
                (place.clone(), u64::try_from(bytes.len()).unwrap_or(u64::MAX), true)
            }
        };
        let new = self.length..self.length + length;
        self.length = new.end;
        self.is_changed |= is_changed;
        let is_written = self.file.is_some();
        self.places.extend(old.map(|old| Places {
            new: if is_written { new } else { old.clone() },
            old,
            is_changed,
        }));
    }
}

impl<'o> Output<'o> {
    /// Writes to `out`, with unchanged parts from `old`; nothing unless `needs_bytes`.
    pub(super) fn new(old: ArchiveReader, out: &'o mut dyn Write, needs_bytes: bool) -> Output<'o> {
        Output { out, old: Copier::new(old), archive: None, rewritten: Vec::new(), needs_bytes }
    }

    /// Begins the archive `name`, whose old bytes are `old`.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be created or written.
    pub(super) fn start(&mut self, name: String, old: ArchiveReader) -> io::Result<()> {
        self.end()?;
        self.old = Copier::new(old);
        let file = self.needs_bytes.then(TemporaryFile::new).transpose()?;
        let file = file.map(|file| BufWriter::with_capacity(BUFFER, file));
        self.archive =
            Some(Archive { name, file, length: 0, places: Vec::new(), is_changed: false });
        Ok(())
    }

    /// Writes `bytes`.
    ///
    /// # Errors
    /// Returns an error if reading the old bytes or writing the new ones fails.
    pub(super) fn add(&mut self, bytes: PieceBytes) -> io::Result<()> {
        let out: Option<&mut dyn Write> = match &mut self.archive {
            Some(archive) => {
                archive.add(&bytes);
                archive.file.as_mut().map(|file| file as &mut dyn Write)
            }
            None => self.needs_bytes.then_some(&mut *self.out),
        };
        let Some(out) = out else { return Ok(()) };
        match bytes {
            PieceBytes::Copy(range) => self.old.copy(range, out),
            PieceBytes::Bytes(bytes, _) => {
                self.old.flush(out)?;
                out.write_all(&bytes)
            }
        }
    }

    /// Ends the archive that is being written. Keeps it if it changed.
    fn end(&mut self) -> io::Result<()> {
        let Some(archive) = self.archive.take() else { return Ok(()) };
        if archive.is_changed {
            let mut file = None;
            if let Some(mut writer) = archive.file {
                self.old.flush(&mut writer)?;
                let written = writer.into_inner().map_err(|error| error.into_error())?;
                file = Some(written.into_file());
            }
            self.rewritten.push(RewrittenArchive {
                name: archive.name,
                file,
                places: archive.places,
            });
        }
        Ok(())
    }

    /// Ends the output. Returns the writer, if new bytes are written, and the archives that are still to be packed.
    ///
    /// # Errors
    /// Returns an error if reading the old bytes or writing the new ones fails.
    pub(super) fn finish(
        mut self,
    ) -> io::Result<(Option<&'o mut dyn Write>, Vec<RewrittenArchive>)> {
        match self.archive {
            Some(_) => self.end()?,
            None => self.old.flush(self.out)?,
        }
        Ok((self.needs_bytes.then_some(self.out), self.rewritten))
    }
}

/// Copies ranges of the old file. Ranges that follow each other become one copy, made when the next
/// range does not follow, or at a flush.
struct Copier {
    file: ArchiveReader,
    pending: Range<u64>,
}

impl Copier {
    fn new(file: ArchiveReader) -> Copier {
        Copier { file, pending: 0..0 }
    }

    /// Copies `range` of the old file to `out`, now or at the next flush.
    fn copy(&mut self, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
        if self.pending.end == range.start {
            self.pending.end = range.end;
            return Ok(());
        }
        self.flush(out)?;
        self.pending = range;
        Ok(())
    }

    /// Writes what is pending to `out`.
    ///
    /// # Errors
    /// Returns an error if reading or writing fails, or the old file ends within the range.
    fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let pending = std::mem::replace(&mut self.pending, 0..0);
        let length = pending.end - pending.start;
        if length == 0 {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(pending.start))?;
        let copied = io::copy(&mut self.file.by_ref().take(length), out)?;
        if copied == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
