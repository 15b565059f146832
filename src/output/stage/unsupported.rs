//! Systems that cannot exchange two directories in one step.

use std::fs::Metadata;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Exchanged, StageError};
use crate::output::WriteError;

/// A new tree beside an old one; there is none on this system.
#[derive(Debug)]
pub enum Stage {}

impl Stage {
    /// Refuses.
    ///
    /// # Errors
    /// Always, since this system cannot exchange two directories in one step.
    pub fn beside(root: &Path) -> Result<Stage, StageError> {
        Err(StageError::CannotExchange {
            parent: root.parent().unwrap_or(root).to_owned(),
            source: io::ErrorKind::Unsupported.into(),
        })
    }

    /// The root of the new tree.
    pub fn path(&self) -> &Path {
        match *self {}
    }

    /// Makes a directory of the new tree.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn make_directory(&self, _: &Path) -> Result<(), WriteError> {
        match *self {}
    }

    /// Brings an unchanged file into the new tree.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn link_or_copy(&self, _: &Path, _: &Path) -> Result<(), WriteError> {
        match *self {}
    }

    /// Writes a changed file of the new tree.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn write_file(&self, _: &Path, _: &[u8], _: &Metadata) -> Result<(), WriteError> {
        match *self {}
    }

    /// Writes a changed file of the new tree.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn write_stream(
        &self,
        _: &Path,
        _: &Metadata,
        _: &mut dyn FnMut(&mut dyn Write) -> io::Result<bool>,
    ) -> Result<bool, WriteError> {
        match *self {}
    }

    /// Makes a symbolic link of the new tree.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn make_symlink(&self, _: &Path, _: &Path, _: &Path) -> Result<(), WriteError> {
        match *self {}
    }

    /// Finishes a directory of the new tree.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn finish_directory(&self, _: &Path, _: &Path) -> Result<(), WriteError> {
        match *self {}
    }

    /// Puts the new tree in the place of the old one.
    ///
    /// # Errors
    /// None, since there is no stage.
    pub fn exchange(self) -> Result<Exchanged, StageError> {
        match self {}
    }
}

/// Stages that interrupted runs left beside `root`: none on this system.
pub fn leftovers(_: &Path) -> Vec<PathBuf> {
    Vec::new()
}
