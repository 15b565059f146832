//! Files that appear whole or not at all: written beside their place, then renamed.

use std::fs::{self, File, FileTimes, Metadata};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// Writes `contents` as the file `path`, with the permissions of `like`. What was there is replaced.
///
/// # Errors
/// When any step fails; then `path` is as it was.
pub fn write_file(path: &Path, contents: &[u8], like: &Metadata) -> io::Result<()> {
    let mut file = temporary_beside(path)?;
    file.write_all(contents)?;
    persist(file, path, like, None)
}

/// Like [`write_file`] for a file that is its own model.
///
/// # Errors
/// When any step fails; then `path` is as it was.
pub fn replace_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_file(path, contents, &fs::metadata(path)?)
}

/// Copies the regular file `from` to `to` with its permissions and times.
///
/// # Errors
/// When any step fails; then `to` is as it was.
pub fn copy_file(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let metadata = source.metadata()?;
    let mut file = temporary_beside(to)?;
    io::copy(&mut source, file.as_file_mut())?;
    persist(file, to, &metadata, Some(times_of(&metadata)?))
}

/// Makes the symbolic link `to` say what `from` says, without looking where it leads.
///
/// # Errors
/// When `from` cannot be read, or something other than a link stands at `to`.
pub fn copy_symlink(from: &Path, to: &Path) -> io::Result<()> {
    let target = fs::read_link(from)?;
    match fs::symlink_metadata(to) {
        Ok(there) if there.is_symlink() => fs::remove_file(to)?,
        Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    symlink(&target, to, from)
}

/// Gives the directory `to` the permissions and times of `from`, once all is written in it.
///
/// # Errors
/// When either cannot be read or changed.
pub fn finish_directory(from: &Path, to: &Path) -> io::Result<()> {
    let metadata = fs::metadata(from)?;
    let times = times_of(&metadata)?;
    // A directory is opened for its times only where the system lets one; elsewhere they stay.
    if let Ok(directory) = File::open(to) {
        directory.set_times(times).or_else(ignore_unsupported)?;
    }
    fs::set_permissions(to, metadata.permissions())
}

fn ignore_unsupported(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied => Ok(()),
        _ => Err(error),
    }
}

fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let directory = path.parent().unwrap_or(Path::new("."));
    tempfile::Builder::new()
        .prefix(".rehref-")
        .suffix(".tmp")
        .tempfile_in(directory)
}

fn persist(
    file: NamedTempFile,
    path: &Path,
    like: &Metadata,
    times: Option<FileTimes>,
) -> io::Result<()> {
    file.as_file().set_permissions(like.permissions())?;
    if let Some(times) = times {
        file.as_file().set_times(times)?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn times_of(metadata: &Metadata) -> io::Result<FileTimes> {
    let times = FileTimes::new().set_modified(metadata.modified()?);
    // Not every file system keeps the time of the last access.
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
    // Windows asks what the link leads to when it is made.
    if fs::metadata(original).is_ok_and(|metadata| metadata.is_dir()) {
        std::os::windows::fs::symlink_dir(target, link)
    } else {
        std::os::windows::fs::symlink_file(target, link)
    }
}
