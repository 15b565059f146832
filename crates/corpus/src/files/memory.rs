//! The memory that a large file may take.
//!
//! Linux promises memory that it does not have, and ends a process that uses it. So whether a large file
//! fits is asked before it is read.

use std::fs;
use std::io::{self, Read};

/// A file of fewer bytes is read without asking.
const LARGE: u64 = 256 << 20;

/// The memory that a document takes, for each of its bytes: one for itself, and about one for its references
/// and their edits.
const BYTES_PER_BYTE: u64 = 2;

/// Checks that a document of `size` bytes fits into the memory.
///
/// # Errors
/// Returns an error if it does not, where the system can tell.
pub(super) fn check(size: u64) -> io::Result<()> {
    let needed = size.saturating_mul(BYTES_PER_BYTE);
    let available = if size < LARGE { None } else { available() };
    let Some(free) = available.filter(|free| needed > *free) else { return Ok(()) };
    let [size, needed, free] = [size, needed, free].map(|bytes| bytes / 1_000_000);
    let message = format!(
        "the file is too large: {size} MB take at least {needed} MB of memory, and {free} MB are free\nhelp: split it, exclude it with --exclude, or use a machine with more memory"
    );
    Err(io::Error::new(io::ErrorKind::OutOfMemory, message))
}

/// Reads `source`, whose size is unknown, to its end.
///
/// # Errors
/// Returns an error if it cannot be read, or does not fit into the memory, where the system can tell.
pub fn read_to_end(mut source: impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let start = bytes.len();
        source.by_ref().take(LARGE).read_to_end(bytes)?;
        let read = u64::try_from(bytes.len() - start).unwrap_or(u64::MAX);
        if read < LARGE {
            return Ok(());
        }
        check(u64::try_from(bytes.len()).unwrap_or(u64::MAX).saturating_add(LARGE))?;
    }
}

/// Returns the number of bytes that the references of a document of `size` bytes may use: the free memory while
/// the document is in memory. Returns `None` for a document that always fits, and if the system does not report
/// its free memory.
pub fn for_references(size: u64) -> Option<usize> {
    let free = (size >= LARGE).then(available)??;
    Some(usize::try_from(free).unwrap_or(usize::MAX))
}

/// The bytes that this process may still take: what Linux would free for it, or the limit of its
/// container.
fn available() -> Option<u64> {
    let free = fs::read_to_string("/proc/meminfo").ok();
    let free = free.and_then(|text| available_in(&text));
    let limits = ["memory.max", "memory/memory.limit_in_bytes"];
    let limits = limits.iter().filter_map(|name| {
        let limit = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
        limit.trim().parse().ok()
    });
    limits.chain(free).min()
}

/// The bytes in the line `MemAvailable` of `/proc/meminfo`.
fn available_in(meminfo: &str) -> Option<u64> {
    let value = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read() {
        let text = "MemTotal:  24105000 kB\nMemAvailable:   23693044 kB\nBuffers: 1 kB\n";
        assert_eq!(available_in(text), Some(23_693_044 << 10));
        assert_eq!(available_in("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn only_what_does_not_fit_is_refused() {
        assert!(check(LARGE - 1).is_ok());
        if available().is_some() {
            let error = check(1 << 60).unwrap_err().to_string();
            assert!(error.starts_with("the file is too large: 1152921504606 MB take "), "{error}");
        }
    }
}
