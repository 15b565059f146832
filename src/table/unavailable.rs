//! The writer of a build without the feature `parquet`. The command refuses `--format parquet` before a run.

use std::io::{self, Write};

use super::rows::Rows;
use super::{NOT_BUILT, Table};

/// The writer of a build without Parquet, which cannot be created.
pub struct TableWriter<W: Write + Send> {
    out: W,
}

impl<W: Write + Send> TableWriter<W> {
    /// Returns an error.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &Table, _: W) -> io::Result<TableWriter<W>> {
        Err(io::Error::other(NOT_BUILT))
    }

    pub fn append(&mut self, _: Rows) -> io::Result<()> {
        Ok(())
    }

    pub fn finish(self) -> io::Result<W> {
        Ok(self.out)
    }
}
