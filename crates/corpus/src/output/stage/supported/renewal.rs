//! The old directories with the contents of the new tree: a shell, an editor or a server that is in one of them goes
//! on.

use std::fs;
use std::io;
use std::path::Path;

use super::removal::remove_tree;
use super::{Stage, exchange_in};
use crate::output::atomic::file_id;
use crate::output::error::WriteError;
use crate::output::folder::OpenFolders;
use crate::output::sync::sync_file_system;

impl Stage {
    /// Makes the old tree, whose place the new one has taken, equal to it, and exchanges them once more: the path of
    /// the tree holds the new contents before, in and after it.
    ///
    /// # Errors
    /// Returns an error if a part of the old tree cannot be changed. The new tree is in its place.
    pub(super) fn renew(&mut self) -> Result<(), WriteError> {
        // The directories that the build opened were of the tree before the exchange.
        self.open_folders = OpenFolders::default();
        remove_differing(&self.root, &self.site).map_err(WriteError::at(&self.root))?;
        let is_there = |place: &Path| self.root.join(place).symlink_metadata().is_ok();
        self.add_tree(&self.site, Path::new(""), is_there)?;
        sync_file_system(&self.new).map_err(WriteError::at(&self.root))?;
        exchange_in(&self.parent, &self.root, &self.site).map_err(WriteError::at(&self.site))?;
        self.parent.sync_all().map_err(WriteError::at(&self.site))
    }
}

/// Removes all that is in the tree `old` and is not the same file, or a directory too, in the tree `new`.
fn remove_differing(old: &Path, new: &Path) -> io::Result<()> {
    let mut pending = vec![(old.to_owned(), new.to_owned())];
    while let Some((old, new)) = pending.pop() {
        for entry in fs::read_dir(&old)? {
            let entry = entry?;
            let (path, metadata) = (entry.path(), entry.metadata()?);
            let counterpart = new.join(entry.file_name());
            match fs::symlink_metadata(&counterpart) {
                Ok(other) if metadata.is_dir() && other.is_dir() => {
                    pending.push((path, counterpart));
                }
                Ok(other) if file_id(&other) == file_id(&metadata) => {}
                _ if metadata.is_dir() => remove_tree(&path)?,
                _ => fs::remove_file(path)?,
            }
        }
    }
    Ok(())
}
