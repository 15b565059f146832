//! The canonical path of a file that need not exist yet.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use rehref_site::canonical;

/// Returns the canonical path that `path` will have when it exists. Resolves symbolic links in the part that exists
/// already.
pub(super) fn canonical_future(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    let mut existing = absolute.as_path();
    let mut missing = Vec::new();
    loop {
        match canonical(existing) {
            Ok(mut path) => {
                for name in missing.iter().rev() {
                    if *name == Component::ParentDir {
                        path.pop();
                    } else {
                        path.push(name);
                    }
                }
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(existing).is_ok() {
                    // A dangling link: writing through it would create a file in another place.
                    return Err(io::Error::new(
                        io::ErrorKind::NotFound,
                        "a symbolic link whose target does not exist",
                    ));
                }
                match (existing.parent(), existing.components().next_back()) {
                    (Some(parent), Some(name)) => {
                        missing.push(name);
                        existing = parent;
                    }
                    _ => return Err(error),
                }
            }
            Err(error) => return Err(error),
        }
    }
}
