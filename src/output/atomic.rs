//! Atomic writing: a file is written under a temporary name beside its place, then renamed.

use std::fs::{self, File, FileTimes, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use super::error::WriteError;
use crate::site::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX};

/// Writes the contents of a file piece by piece, unbuffered. Returns whether the file is wanted at
/// all; if not, it is not created, and an old file of its name stays.
pub type WriteContents<'w> = &'w mut dyn FnMut(&mut dyn Write) -> io::Result<bool>;

/// The [`WriteContents`] of a file whose contents are in memory.
pub(super) fn whole(contents: &[u8]) -> impl FnMut(&mut dyn Write) -> io::Result<bool> {
    |file| file.write_all(contents).map(|()| true)
}

/// The metadata that a new file takes from the file it is made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keep {
    /// Only the permissions to read, write and run the file; see [`permissions_of_copy`].
    Permissions,
    /// The owner, the group and the whole mode.
    OwnerAndMode,
}

impl Keep {
    /// Gives the open file or directory `new`, whose final place is `path`, the metadata of `old`.
    pub(super) fn apply(self, old: &Metadata, new: &File, path: &Path) -> Result<(), WriteError> {
        let permissions = match self {
            Keep::Permissions => permissions_of_copy(old),
            Keep::OwnerAndMode => {
                keep_owner(new, old).map_err(WriteError::Owner)?;
                // Set after the owner, since a change of owner takes the set-user-ID bit away.
                old.permissions()
            }
        };
        new.set_permissions(permissions)
            .map_err(WriteError::at(path))
    }
}

/// Writes `contents` as the file `path`, with the permissions of `like`. Replaces an old file.
///
/// # Errors
/// When any step fails; then `path` is unchanged.
pub fn write_file(path: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
    write_stream(path, like, Keep::Permissions, &mut whole(contents)).map(|_| ())
}

/// Writes what `write` writes as the file `path`, which keeps the metadata `keep` of `like`. Returns
/// whether the file was written.
///
/// # Errors
/// When any step fails; then `path` is unchanged.
pub(super) fn write_stream(
    path: &Path,
    like: &Metadata,
    keep: Keep,
    write: WriteContents<'_>,
) -> Result<bool, WriteError> {
    let mut file = temporary_beside(path)?;
    if !write(file.as_file_mut()).map_err(WriteError::at(path))? {
        return Ok(false);
    }
    keep.apply(like, file.as_file(), path)?;
    persist(file, path)?;
    Ok(true)
}

/// Gives the file `path` new contents, and keeps its owner, its group and its whole mode.
///
/// # Errors
/// When any step fails; then `path` is unchanged.
pub fn replace_file(path: &Path, contents: &[u8]) -> Result<(), WriteError> {
    replace_stream(path, &mut whole(contents)).map(|_| ())
}

/// As [`replace_file`], with the contents that `write` writes. Returns whether the file was replaced.
///
/// # Errors
/// When any step fails; then `path` is unchanged.
pub fn replace_stream(path: &Path, write: WriteContents<'_>) -> Result<bool, WriteError> {
    let old = fs::metadata(path).map_err(WriteError::Read)?;
    write_stream(path, &old, Keep::OwnerAndMode, write)
}

/// Copies the regular file `from` to `to` with the metadata `keep` and its times.
///
/// # Errors
/// When any step fails; then `to` is unchanged.
pub(super) fn copy_file(from: &Path, to: &Path, keep: Keep) -> Result<(), WriteError> {
    let mut source = File::open(from).map_err(WriteError::Read)?;
    let metadata = source.metadata().map_err(WriteError::Read)?;
    let times = times_of(&metadata).map_err(WriteError::Read)?;
    let mut file = temporary_beside(to)?;
    io::copy(&mut source, file.as_file_mut()).map_err(WriteError::at(to))?;
    keep.apply(&metadata, file.as_file(), to)?;
    file.as_file()
        .set_times(times)
        .map_err(WriteError::at(to))?;
    persist(file, to)
}

/// Makes `to` another name of the file `from`. Replaces an old file.
///
/// # Errors
/// When any step fails, also because the file system has no hard links, or `to` is on another one; then
/// `to` is unchanged.
pub(super) fn link_file(from: &Path, to: &Path) -> Result<(), WriteError> {
    match fs::hard_link(from, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done.map_err(WriteError::at(to)),
    }
    let directory = to.parent().unwrap_or(Path::new("."));
    let link = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .suffix(TEMPORARY_SUFFIX)
        .make_in(directory, |temporary| fs::hard_link(from, temporary))
        .map_err(WriteError::at(to))?;
    // If `to` is a name of the file already, renaming does nothing, and the temporary name goes here.
    let temporary = link.into_temp_path();
    fs::rename(&temporary, to).map_err(WriteError::at(to))
}

/// Creates the symbolic link `to` with the text `target`, whether the target exists or not. Only
/// Windows follows `from`, the link that `to` is made from, to learn what kind of link to create.
///
/// # Errors
/// When it cannot be created, or something other than a symbolic link has the name `to`.
pub(super) fn make_symlink(target: &Path, to: &Path, from: &Path) -> Result<(), WriteError> {
    match fs::symlink_metadata(to) {
        Ok(found) if found.is_symlink() => fs::remove_file(to).map_err(WriteError::at(to))?,
        Ok(found) => return Err(WriteError::in_the_way(to, &found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(WriteError::at(to)(error)),
    }
    symlink(target, to, from).map_err(WriteError::at(to))
}

/// Gives the directory `to` the permissions and times of `from`, after everything in it was written.
///
/// # Errors
/// When either cannot be read or changed.
pub(super) fn finish_directory(from: &Path, to: &Path) -> Result<(), WriteError> {
    let metadata = fs::metadata(from).map_err(WriteError::Read)?;
    let times = times_of(&metadata).map_err(WriteError::Read)?;
    // Not every system opens directories; where opening fails, the new times stay.
    if let Ok(directory) = File::open(to) {
        directory
            .set_times(times)
            .or_else(ignore_unsupported)
            .map_err(WriteError::at(to))?;
    }
    fs::set_permissions(to, permissions_of_copy(&metadata)).map_err(WriteError::at(to))
}

fn ignore_unsupported(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied => Ok(()),
        _ => Err(error),
    }
}

/// The permissions of a copy: who may read, write and run it. It loses the set-user-ID and
/// set-group-ID bits, which would hand the rights of the user who runs this to the author of the
/// original.
#[cfg(unix)]
fn permissions_of_copy(original: &Metadata) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(original.permissions().mode() & 0o777)
}

#[cfg(not(unix))]
fn permissions_of_copy(original: &Metadata) -> Permissions {
    original.permissions()
}

/// Whether the file with the metadata `found` has all permissions of a copy of `original`, and no
/// others.
#[cfg(unix)]
pub(super) fn has_permissions_of_copy(found: &Metadata, original: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    found.permissions().mode() & 0o7777 == permissions_of_copy(original).mode()
}

#[cfg(not(unix))]
pub(super) fn has_permissions_of_copy(found: &Metadata, original: &Metadata) -> bool {
    found.permissions() == original.permissions()
}

/// Gives the open file or directory `new` the owner and group of `old`.
#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) -> io::Result<()> {
    match differing_owner(old, &new.metadata()?) {
        (None, None) => Ok(()),
        (owner, group) => std::os::unix::fs::fchown(new, owner, group),
    }
}

/// The owner and the group of `old`, each only if that of `new` differs.
#[cfg(unix)]
pub(super) fn differing_owner(old: &Metadata, new: &Metadata) -> (Option<u32>, Option<u32>) {
    use std::os::unix::fs::MetadataExt;
    let differing = |old: u32, new: u32| (old != new).then_some(old);
    (
        differing(old.uid(), new.uid()),
        differing(old.gid(), new.gid()),
    )
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

fn temporary_beside(path: &Path) -> Result<NamedTempFile, WriteError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Opened here rather than by `tempfile`, whose errors name the temporary file.
    tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .suffix(TEMPORARY_SUFFIX)
        .make_in(directory, |temporary| options.open(temporary))
        .map_err(WriteError::at(path))
}

fn persist(file: NamedTempFile, path: &Path) -> Result<(), WriteError> {
    match file.persist(path) {
        Ok(_) => Ok(()),
        Err(error) => match fs::symlink_metadata(path) {
            Ok(found) if found.is_dir() => Err(WriteError::in_the_way(path, &found)),
            _ => Err(WriteError::at(path)(error.error)),
        },
    }
}

fn times_of(metadata: &Metadata) -> io::Result<FileTimes> {
    let times = FileTimes::new().set_modified(metadata.modified()?);
    // Not every file system stores the time of the last access.
    Ok(match metadata.accessed() {
        Ok(accessed) => times.set_accessed(accessed),
        Err(_) => times,
    })
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path, _: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symlink(target: &Path, link: &Path, original: &Path) -> io::Result<()> {
    // Windows has two kinds of symbolic links.
    if fs::metadata(original).is_ok_and(|metadata| metadata.is_dir()) {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_destination() {
        let directory = tempfile::tempdir().unwrap();
        let like = fs::metadata(directory.path()).unwrap();
        let missing = directory.path().join("missing/x.html");
        let error = write_file(&missing, b"", &like).unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("cannot write {}: ", missing.display()))
                && !error.contains(TEMPORARY_PREFIX),
            "{error}"
        );
        let taken = directory.path().join("taken");
        fs::create_dir(&taken).unwrap();
        let error = write_file(&taken, b"", &like).unwrap_err().to_string();
        assert_eq!(
            error,
            format!(
                "{} is a directory, which is in the way; remove it or choose another OUT",
                taken.display()
            )
        );
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
