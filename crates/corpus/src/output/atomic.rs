//! Atomic writing: a file is written under a temporary name beside its place, then renamed.

use std::ffi::OsStr;
use std::fs::{self, File, FileTimes, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::attributes;
use super::canonical_future::canonical_future;
use super::error::WriteError;
use super::folder::{Folder, Place};
use crate::files::open_file;
use rehref_url::Spliced;

/// A function that writes the contents of a file piece by piece, unbuffered. It returns false if the file is
/// not wanted: then no file is created, and an old file with this name stays.
pub type WriteContents<'w> = &'w mut dyn FnMut(&mut dyn Write) -> io::Result<bool>;

/// The most bytes that are gathered from pieces for one write.
const BUFFER: usize = 128 << 10;

/// Returns the [`WriteContents`] of a file whose contents are in memory.
pub(super) fn in_memory(contents: Spliced<'_>) -> impl FnMut(&mut dyn Write) -> io::Result<bool> {
    move |file| {
        let mut out = BufWriter::with_capacity(contents.len().min(BUFFER), file);
        contents.pieces().try_for_each(|piece| out.write_all(piece))?;
        out.flush()?;
        Ok(true)
    }
}

/// The metadata that a new file takes from the file it is made from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Keep {
    /// Only the permissions to read, write and run the file; see [`permissions_of_copy`].
    Permissions,
    /// The owner, the group, the whole mode, and the extended attributes with the access control lists.
    All,
}

/// The old file or directory that a new one replaces.
#[derive(Clone, Copy, Debug)]
pub struct Original<'o> {
    /// The path of the old file or directory.
    pub path: &'o Path,
    /// The metadata of the old file or directory.
    pub metadata: &'o Metadata,
}

impl Keep {
    /// Gives the open file or directory `new`, whose final place is `path`, the metadata of `original`.
    pub(super) fn apply(
        self,
        original: Original<'_>,
        new: &File,
        path: &Path,
    ) -> Result<(), WriteError> {
        let old = original.metadata;
        let permissions = match self {
            Keep::Permissions => permissions_of_copy(old),
            Keep::All => {
                keep_owner(new, old).map_err(WriteError::Owner)?;
                let open = if old.is_dir() {
                    File::open(original.path)
                } else {
                    open_file(original.path).map(|(file, _)| file)
                };
                let kept = open.and_then(|original| attributes::keep(&original, new));
                kept.map_err(WriteError::Attributes)?;
                // Set after the owner, since a change of owner takes the set-user-ID bit away.
                old.permissions()
            }
        };
        new.set_permissions(permissions).map_err(WriteError::at(path))
    }
}

/// Writes `contents` as the file `path`, with the permissions of `like`. Replaces an old file.
/// `path` may lead through symbolic links; a file that it names through one is replaced itself.
///
/// # Errors
/// Returns an error if any step fails; then `path` is unchanged.
pub fn write_file(path: &Path, contents: &[u8], like: &Metadata) -> Result<(), WriteError> {
    let path = canonical_future(path).map_err(WriteError::at(path))?;
    let place = Place::open(&path)?;
    let contents = &mut in_memory(contents.into());
    let like = Original { path: &place.path, metadata: like };
    write_stream(&place, like, Keep::Permissions, contents).map(|_| ())
}

/// Writes what `write` writes as the file at `place`, which keeps the metadata `keep` of `like`.
/// Returns whether the file was written.
///
/// # Errors
/// Returns an error if any step fails; then an old file is unchanged. With [`Keep::All`], where the new file takes the
/// place of `like`: when `like` is not what it was when its metadata was read.
pub(super) fn write_stream(
    place: &Place,
    like: Original<'_>,
    keep: Keep,
    write: WriteContents<'_>,
) -> Result<bool, WriteError> {
    let mut file = place.temporary_file()?;
    if !write(&mut file.made).map_err(WriteError::at(&place.path))? {
        return Ok(false);
    }
    keep.apply(like, &file.made, &place.path)?;
    if let Keep::All = keep
        && !is_unchanged(like).map_err(WriteError::Read)?
    {
        return Err(WriteError::Changed);
    }
    file.persist()?;
    Ok(true)
}

/// Whether a file is still the one whose metadata was read, with the same contents as far as its
/// size and its time tell.
fn is_unchanged(file: Original<'_>) -> io::Result<bool> {
    let (old, new) = (file.metadata, fs::symlink_metadata(file.path)?);
    let is_same = file_id(old) == file_id(&new);
    Ok(is_same && old.len() == new.len() && old.modified()? == new.modified()?)
}

/// Returns the device and the number of a file or directory, which all its names share; `None` where the system has
/// none.
pub(super) fn file_id(metadata: &Metadata) -> Option<(u64, u64)> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = metadata;
        None
    }
}

/// Replaces the contents of the file `old`, whose path contains no symbolic link. The file keeps its owner, its
/// group, its whole mode and its extended attributes. The metadata of `old` is from the time when the file was
/// read.
///
/// # Errors
/// Returns an error if any step fails, or when the file changed since; then it is unchanged.
pub fn replace_file(old: Original<'_>, contents: Spliced<'_>) -> Result<(), WriteError> {
    replace_stream(old, &mut in_memory(contents)).map(|_| ())
}

/// As [`replace_file`], with the contents that `write` writes. Returns true if the file was replaced.
///
/// # Errors
/// Returns the errors of [`replace_file`].
pub fn replace_stream(old: Original<'_>, write: WriteContents<'_>) -> Result<bool, WriteError> {
    write_stream(&Place::open(old.path)?, old, Keep::All, write)
}

/// Copies the regular file `from` to `to` with the metadata `keep` and its times.
///
/// # Errors
/// Returns an error if any step fails; then `to` is unchanged.
pub(super) fn copy_file(from: &Path, to: &Place, keep: Keep) -> Result<(), WriteError> {
    let (mut source, metadata) = open_file(from).map_err(WriteError::Read)?;
    let times = times_of(&metadata).map_err(WriteError::Read)?;
    let mut file = to.temporary_file()?;
    let write_error = || WriteError::at(&to.path);
    io::copy(&mut source, &mut file.made).map_err(write_error())?;
    let like = Original { path: from, metadata: &metadata };
    keep.apply(like, &file.made, &to.path)?;
    file.made.set_times(times).map_err(write_error())?;
    file.persist()
}

/// Makes `to` another name of the file `from`. Replaces an old file.
///
/// # Errors
/// Returns an error if any step fails, also because the file system has no hard links, or `to` is on another one; then
/// `to` is unchanged.
pub(super) fn link_file(from: &Path, to: &Place) -> Result<(), WriteError> {
    let original = Place::open(from)?;
    let link = |folder: &Folder, name: &OsStr| folder.link(&original.folder, original.name(), name);
    match link(&to.folder, to.name()) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done.map_err(WriteError::at(&to.path)),
    }
    let id = |path| fs::symlink_metadata(path).ok().and_then(|found| file_id(&found));
    if id(from).is_some_and(|own| id(&to.path) == Some(own)) {
        // Renaming a name of a file to another of its names does nothing.
        return Ok(());
    }
    to.temporary(link)?.persist()
}

/// Creates the symbolic link `to` with the text `target`, whether the target exists or not. Only
/// Windows follows `from`, the link that `to` is made from, to learn what kind of link to create.
///
/// # Errors
/// Returns an error if it cannot be created, or something other than a symbolic link has the name `to`.
pub(super) fn make_symlink(target: &Path, to: &Place, from: &Path) -> Result<(), WriteError> {
    match fs::symlink_metadata(&to.path) {
        Ok(found) if !found.is_symlink() => return Err(WriteError::in_the_way(&to.path, &found)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(WriteError::at(&to.path)(error));
        }
        _ => {}
    }
    to.temporary(|folder, name| folder.symlink(target, name, from))?.persist()
}

/// Creates the directory `to` with the permissions of `from`, and with those that its owner needs to
/// write to it. So an interrupted run leaves no directory that its readers cannot enter. `parent` is the
/// open directory that holds `to`; where it is `None`, symbolic links in the path of `to` are followed.
///
/// # Errors
/// Returns an error if it cannot be created, or exists.
pub(super) fn make_directory(
    from: &Path,
    to: &Path,
    parent: Option<&Folder>,
) -> Result<(), WriteError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        let mut builder = fs::DirBuilder::new();
        let like = fs::metadata(from).map_err(WriteError::Read)?;
        let mode = permissions_of_copy(&like).mode() | 0o700;
        let created = match (parent, to.file_name()) {
            (Some(parent), Some(name)) => parent.make_directory(name, mode),
            _ => builder.mode(mode).create(to),
        };
        created.map_err(WriteError::at(to))?;
        // The process's umask may have taken permissions away.
        let made = fs::symlink_metadata(to).map_err(WriteError::at(to))?;
        if made.permissions().mode() & 0o777 == mode {
            Ok(())
        } else {
            Folder::open(to)
                .and_then(|folder| folder.set_permissions(Permissions::from_mode(mode)))
                .map_err(WriteError::at(to))
        }
    }
    #[cfg(not(unix))]
    {
        let _ = (from, parent);
        fs::create_dir(to).map_err(WriteError::at(to))
    }
}

/// Gives the directory `to` the permissions and times of `from`, after everything in it was written.
///
/// # Errors
/// Returns an error if either cannot be read or changed.
pub(super) fn finish_directory(from: &Path, to: &Path) -> Result<(), WriteError> {
    let metadata = fs::metadata(from).map_err(WriteError::Read)?;
    let times = times_of(&metadata).map_err(WriteError::Read)?;
    let folder = Folder::open(to).map_err(WriteError::at(to))?;
    folder
        .set_times(times)
        .or_else(ignore_unsupported)
        .and_then(|()| folder.set_permissions(permissions_of_copy(&metadata)))
        .map_err(WriteError::at(to))
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

/// Returns true if the file with the metadata `found` has all permissions of a copy of `original`, and no
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

/// Returns the owner and the group of `old`, each only if that of `new` differs.
#[cfg(unix)]
pub(super) fn differing_owner(old: &Metadata, new: &Metadata) -> (Option<u32>, Option<u32>) {
    use std::os::unix::fs::MetadataExt;
    let differing = |old: u32, new: u32| (old != new).then_some(old);
    (differing(old.uid(), new.uid()), differing(old.gid(), new.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

fn times_of(metadata: &Metadata) -> io::Result<FileTimes> {
    let times = FileTimes::new().set_modified(metadata.modified()?);
    // Not every file system stores the time of the last access.
    Ok(match metadata.accessed() {
        Ok(accessed) => times.set_accessed(accessed),
        Err(_) => times,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::TEMPORARY_PREFIX;

    #[test]
    fn errors_name_the_destination() {
        let directory = tempfile::tempdir().unwrap();
        let like = fs::metadata(directory.path()).unwrap();
        let missing = directory.path().join("missing").join("x.html");
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
                "{} is a directory, which is in the way\nhelp: remove it, or choose another place for the output",
                taken.display()
            )
        );
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
    #[test]
    fn a_file_that_changed_since_it_was_read_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = &directory.path().canonicalize().unwrap().join("a.html");
        let other = directory.path().join("other.html");
        fs::write(path, "read").unwrap();
        let metadata = &fs::metadata(path).unwrap();
        let old = Original { path, metadata };
        let longer = || fs::write(path, "edited").unwrap();
        let exchanged = || {
            fs::write(&other, "read").unwrap();
            fs::rename(&other, path).unwrap();
        };
        for change in [&exchanged as &dyn Fn(), &longer] {
            change();
            let found = fs::read(path).unwrap();
            let error = replace_file(old, b"new"[..].into()).unwrap_err();
            assert!(matches!(error, WriteError::Changed), "{error}");
            assert_eq!(fs::read(path).unwrap(), found);
        }
        let metadata = &fs::metadata(path).unwrap();
        replace_file(Original { path, metadata }, b"new"[..].into()).unwrap();
        assert_eq!(fs::read(path).unwrap(), b"new");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
