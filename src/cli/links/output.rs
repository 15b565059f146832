//! The output of a format: stdout, or a file that gets its content when the run is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::PathBuf;

use crate::cli::exit::CliError;
use crate::cli::{reports, terminal};
use rehref_corpus::folder_of;

/// The output of a format. Errors of writing name the file.
pub(super) struct Output {
    /// The file to write; `None` for stdout.
    path: Option<PathBuf>,
    to: Destination,
}

/// Where the bytes go until the output is complete.
enum Destination {
    Stdout,
    /// A device or a pipe, which cannot be replaced.
    Device(BufWriter<File>),
    /// A file without a name. The system removes it when the run ends.
    Staged(BufWriter<File>),
}

impl Output {
    /// The output to the file at `path`, or to stdout.
    ///
    /// # Errors
    /// When `path` is a directory, or files cannot be created beside it.
    pub(super) fn open(path: Option<PathBuf>) -> Result<Output, CliError> {
        let Some(file) = &path else {
            let to = Destination::Stdout;
            return Ok(Output { path, to });
        };
        let opened = match file.metadata() {
            Ok(metadata) if !metadata.is_file() => OpenOptions::new()
                .write(true)
                .open(file)
                .map(|device| Destination::Device(BufWriter::new(device))),
            _ => tempfile::tempfile_in(folder_of(file))
                .map(|staged| Destination::Staged(BufWriter::new(staged))),
        };
        let to = opened.map_err(CliError::io(file.display()))?;
        Ok(Output { path, to })
    }

    /// Writes the complete output to its file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn finish(self) -> Result<(), CliError> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        let error = || CliError::io(path.display());
        match self.to {
            Destination::Stdout => Ok(()),
            Destination::Device(mut device) => device.flush().map_err(error()),
            Destination::Staged(staged) => {
                let staged = staged.into_inner().map_err(io::IntoInnerError::into_error);
                let mut staged = staged.map_err(error())?;
                staged.rewind().map_err(error())?;
                reports::write_stream(path, &mut |out| io::copy(&mut staged, out).map(|_| ()))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.to {
            Destination::Stdout => terminal::write_stdout(bytes).map(|()| bytes.len()),
            Destination::Device(file) | Destination::Staged(file) => file.write(bytes),
        };
        written.map_err(|error| match &self.path {
            Some(path) => io::Error::new(error.kind(), format!("{}: {error}", path.display())),
            None => error,
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
