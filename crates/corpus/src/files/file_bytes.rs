//! The bytes of files: read into buffers that each thread keeps, instead of new memory for each file,
//! and compared.

use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use super::memory;
use super::open::open_file;

/// The largest buffer that a thread keeps for its next file: larger than nearly all documents.
const LARGEST_KEPT_BUFFER: usize = 4 << 20;

thread_local! {
    /// As many as files that are read at the same time, each within the work on another.
    static BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// Reads the file at `path`, calls `work` with its bytes and metadata, and returns the result.
///
/// # Errors
/// Returns an error if the file cannot be read; then `work` is not called.
pub fn with_file_bytes<T>(path: &Path, work: impl FnOnce(&[u8], &Metadata) -> T) -> io::Result<T> {
    with_file_bytes_up_to(path, u64::MAX, work)
}

/// As [`with_file_bytes`], but does not read a file of more than `most` bytes: calls `work` with no bytes.
///
/// # Errors
/// Returns an error if the file cannot be read; then `work` is not called.
pub fn with_file_bytes_up_to<T>(
    path: &Path,
    most: u64,
    work: impl FnOnce(&[u8], &Metadata) -> T,
) -> io::Result<T> {
    let (mut file, metadata) = open_file(path)?;
    if metadata.len() > most {
        return Ok(work(&[], &metadata));
    }
    memory::check(metadata.len())?;
    // Taken out, because `work` may read another file.
    let mut buffer = BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default();
    buffer.clear();
    buffer.try_reserve(usize::try_from(metadata.len()).unwrap_or(usize::MAX))?;
    // Up to the known size, so that the system is not asked for the end. Some files have no size.
    let size = if metadata.len() > 0 { metadata.len() } else { u64::MAX };
    file.by_ref().take(size).read_to_end(&mut buffer)?;
    // `work` may replace the file, and some systems refuse to replace an open file.
    drop(file);
    let result = work(&buffer, &metadata);
    if buffer.capacity() <= LARGEST_KEPT_BUFFER {
        BUFFERS.with_borrow_mut(|kept| kept.push(buffer));
    }
    Ok(result)
}

/// Returns the first bytes of the file at `path`: `most`, or fewer if the file has fewer.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn first_bytes(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let (file, _) = open_file(path)?;
    let mut bytes = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the offset of the first byte in which two files differ; `None` if they are equal.
///
/// # Errors
/// Returns an error if one of them cannot be read; the text names it.
pub fn first_difference(one: &Path, other: &Path) -> Result<Option<u64>, String> {
    const CHUNK: u64 = 1 << 16;
    let open = |path: &Path| match open_file(path) {
        Ok((file, _)) => Ok(file),
        Err(error) => Err(format!("{}: {error}", path.display())),
    };
    let chunk = |file: &mut File, path: &Path, buffer: &mut Vec<u8>| {
        buffer.clear();
        let read = file.take(CHUNK).read_to_end(buffer);
        read.map_err(|error| format!("{}: {error}", path.display()))
    };
    let (mut first, mut second) = (open(one)?, open(other)?);
    let (mut bytes, mut other_bytes) = (Vec::new(), Vec::new());
    let mut offset = 0;
    loop {
        chunk(&mut first, one, &mut bytes)?;
        chunk(&mut second, other, &mut other_bytes)?;
        if bytes != other_bytes {
            let pairs = bytes.iter().zip(&other_bytes);
            let common = pairs.take_while(|(one, other)| one == other).count();
            return Ok(Some(offset + u64::try_from(common).unwrap_or(u64::MAX)));
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        offset += u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_on_a_file_can_read_another_file() {
        let directory = tempfile::tempdir().unwrap();
        let [long, short] = ["long", "short"].map(|name| directory.path().join(name));
        std::fs::write(&long, vec![b'l'; LARGEST_KEPT_BUFFER + 1]).unwrap();
        std::fs::write(&short, b"short").unwrap();
        let length = with_file_bytes(&short, |outer, _| {
            let length = with_file_bytes(&long, |inner, metadata| {
                assert_eq!(metadata.len(), inner.len() as u64);
                inner.len()
            });
            assert_eq!(outer, b"short");
            length.unwrap()
        });
        assert_eq!(length.unwrap(), LARGEST_KEPT_BUFFER + 1);
        // The bytes of the longer file are not visible.
        assert!(with_file_bytes(&short, |bytes, _| bytes == b"short").unwrap());
        assert!(with_file_bytes(&directory.path().join("none"), |_, _| ()).is_err());
    }

    /// The size of such a file is 0 in its metadata.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_is_read_to_its_end_whatever_its_size_says() {
        let read = |bytes: &[u8], _: &Metadata| bytes.starts_with(b"Linux");
        assert!(with_file_bytes(Path::new("/proc/version"), read).unwrap());
    }
}
