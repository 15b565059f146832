//! The output of a format: stdout, or a file that gets its content when the run is complete.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::PathBuf;

use crate::cli::exit::CliError;
use crate::cli::{reports, terminal};
use rehref_corpus::folder_of;

/// The output of a format. Errors of writing name the file.
pub(super) enum Output {
    Stdout,
    /// The file at a path. Its content is staged in a file without a name, which the system removes when the run ends.
    File(PathBuf, BufWriter<File>),
    /// A device or a pipe, which cannot be replaced.
    Device(PathBuf, BufWriter<File>),
}

impl Output {
    /// Returns the output to the file at `path`, or to stdout.
    ///
    /// # Errors
    /// Returns an error if files cannot be created beside `path`.
    pub(super) fn open(path: Option<PathBuf>) -> Result<Output, CliError> {
        let Some(path) = path else { return Ok(Output::Stdout) };
        let error = CliError::io(path.display());
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let device = OpenOptions::new().write(true).open(&path).map_err(error)?;
            return Ok(Output::Device(path, BufWriter::new(device)));
        }
        let staged = tempfile::tempfile_in(folder_of(&path)).map_err(error)?;
        Ok(Output::File(path, BufWriter::new(staged)))
    }

    /// Writes the complete output to its file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(super) fn finish(self) -> Result<(), CliError> {
        match self {
            Output::Stdout => Ok(()),
            Output::Device(path, mut device) => {
                device.flush().map_err(CliError::io(path.display()))
            }
            Output::File(path, staged) => {
                let staged = staged.into_inner().map_err(io::IntoInnerError::into_error);
                let staged = staged.and_then(|mut staged| staged.rewind().map(|()| staged));
                let mut staged = staged.map_err(CliError::io(path.display()))?;
                reports::write_stream(&path, &mut |out| io::copy(&mut staged, out).map(|_| ()))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Stdout => terminal::write_stdout(bytes).map(|()| bytes.len()),
            Output::File(path, file) | Output::Device(path, file) => {
                file.write(bytes).map_err(|error| {
                    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
                })
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
