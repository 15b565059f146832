//! Systems that cannot exchange two directories in one step.

use std::path::{Path, PathBuf};

use crate::output::error::{StageError, WriteError};
use crate::output::folder::Place;
use crate::output::new_tree::NewTree;

/// A new tree beside an old one; none can exist on this system.
#[derive(Debug)]
pub enum Stage {}

impl Stage {
    /// Always returns an error on this system.
    ///
    /// # Errors
    /// Always, since this system cannot exchange two directories in one step.
    pub fn beside(root: &Path) -> Result<Stage, StageError> {
        let parent = root.parent().unwrap_or(root).display();
        Err(StageError(format!(
            "two directories in {parent} cannot be exchanged in one step (unsupported), so an interrupted run could leave half a tree\nhelp: use --out instead of --in-place"
        )))
    }

    /// Copies or links everything at `from` to the new tree.
    ///
    /// # Errors
    /// None, since no stage exists.
    pub fn keep_tree(&self, _: &Path, _: &Path) -> Result<(), WriteError> {
        match *self {}
    }

    /// Exchanges the new tree with the old one.
    ///
    /// # Errors
    /// None, since no stage exists.
    pub fn exchange(self) -> Result<Vec<String>, StageError> {
        match self {}
    }
}

impl NewTree for Stage {
    fn root(&self) -> &Path {
        match *self {}
    }

    fn open(&self, _: &Path) -> Result<Place, WriteError> {
        match *self {}
    }

    fn make_directory(&self, _: &Path, _: &Path) -> Result<bool, WriteError> {
        match *self {}
    }
}

/// Returns the stages that interrupted runs left beside `root`: none on this system.
pub fn leftovers(_: &Path) -> Vec<PathBuf> {
    Vec::new()
}
