//! A build without the feature `parquet` writes no Parquet; the command says so before a run.

use std::io::{self, Write};

use super::Table;
use super::rows::Rows;

/// A writer that is never created.
pub struct TableWriter<W: Write + Send> {
    out: W,
}

impl<W: Write + Send> TableWriter<W> {
    /// Creates nothing.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: &Table, _: W) -> io::Result<TableWriter<W>> {
        Err(io::Error::other(
            "this build of rehref lacks the feature `parquet`; build rehref with this feature",
        ))
    }

    pub fn append(&mut self, _: Rows) -> io::Result<()> {
        Ok(())
    }

    pub fn finish(self) -> io::Result<W> {
        Ok(self.out)
    }
}
