//! `links --format parquet`.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

use crate::audit::links::Link;
use crate::cli::exit::CliError;
use crate::cli::{reports, terminal};
use crate::corpus::folder_of;
use crate::table::{Rows, Table, TableWriter};

/// The columns: the members of a line of JSON, which are the fields of a [`Link`].
pub(super) const LINKS: Table = Table {
    format: "rehref-links",
    schema: "
message link {
    REQUIRED BYTE_ARRAY document (STRING);
    REQUIRED INT64 line;
    REQUIRED INT64 column;
    REQUIRED BYTE_ARRAY element (STRING);
    REQUIRED BYTE_ARRAY attribute (STRING);
    REQUIRED BYTE_ARRAY carrier (STRING);
    REQUIRED BYTE_ARRAY reference (STRING);
    OPTIONAL BYTE_ARRAY base (STRING);
    OPTIONAL BYTE_ARRAY target (STRING);
    OPTIONAL BYTE_ARRAY fragment (STRING);
    REQUIRED BYTE_ARRAY kind (STRING);
    OPTIONAL BYTE_ARRAY file (STRING);
    OPTIONAL BOOLEAN found;
}",
};

/// Adds the row of `link`.
pub(super) fn add(rows: &mut Rows, link: &Link) {
    rows.add()
        .text(&link.document)
        .integer(link.line)
        .integer(link.column)
        .text(&link.element)
        .text(&link.attribute)
        .text(link.carrier)
        .text(&link.reference)
        .optional_text(link.base.as_deref())
        .optional_text(link.target.as_deref())
        .optional_text(link.fragment.as_deref())
        .text(link.kind)
        .optional_text(link.file.as_deref())
        .optional_boolean(link.found);
}

/// A Parquet file that is being written. The file gets its final name when it is complete, because readers cannot
/// read an incomplete Parquet file.
pub(super) struct ParquetSink {
    writer: TableWriter<Staged>,
    /// The file to write; `None` for stdout.
    path: Option<PathBuf>,
}

/// The destination of the bytes until the file is complete.
enum Staged {
    Stdout,
    /// A file without a name. The system removes it when the run ends.
    File(File),
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Staged::Stdout => terminal::write_stdout(bytes).map(|()| bytes.len()),
            Staged::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl ParquetSink {
    pub(super) fn open(path: Option<PathBuf>) -> Result<ParquetSink, CliError> {
        let staged = match &path {
            None => Staged::Stdout,
            Some(path) => Staged::File(staged(path).map_err(CliError::io(path.display()))?),
        };
        let writer = TableWriter::new(&LINKS, staged).map_err(CliError::stdout)?;
        Ok(ParquetSink { writer, path })
    }

    pub(super) fn write(&mut self, rows: Rows) -> io::Result<()> {
        let written = self.writer.append(rows);
        written.map_err(|error| match &self.path {
            Some(path) => io::Error::new(error.kind(), format!("{}: {error}", path.display())),
            None => error,
        })
    }

    pub(super) fn finish(self) -> Result<(), CliError> {
        let name = self.path.as_deref().unwrap_or(Path::new("stdout"));
        let error = || CliError::io(name.display());
        let staged = self.writer.finish().map_err(error())?;
        let (Staged::File(mut file), Some(path)) = (staged, &self.path) else {
            return Ok(());
        };
        file.rewind().map_err(error())?;
        reports::write_stream(path, &mut |out| io::copy(&mut file, out).map(|_| ()))
    }
}

/// A file without a name, beside `path`.
fn staged(path: &Path) -> io::Result<File> {
    match path.metadata() {
        // There is no room for files beside a device.
        Ok(metadata) if !metadata.is_file() => tempfile::tempfile(),
        _ => tempfile::tempfile_in(folder_of(path)),
    }
}
