//! What is in a file, read without new memory for each.

use std::cell::Cell;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// How much memory a thread keeps from one file to the next: more than nearly all documents take.
const KEPT_BYTES: usize = 4 << 20;

/// What a file of unknown size is first read into.
const FIRST_BYTES: usize = 64 << 10;

thread_local! {
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Reads the file at `path` and hands its bytes and metadata to `work`, whose result comes back.
///
/// # Errors
/// When the file cannot be read; then `work` is not done.
pub fn with_file_bytes<T>(path: &Path, work: impl FnOnce(&[u8], &Metadata) -> T) -> io::Result<T> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let size = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    // Taken out, so that `work` may read another file.
    let mut buffer = BUFFER.take();
    let filled = read_all(&mut file, size, &mut buffer)?;
    // `work` may replace it, which not every system lets one do with an open file.
    drop(file);
    let result = work(buffer.get(..filled).unwrap_or_default(), &metadata);
    if buffer.len() <= KEPT_BYTES {
        BUFFER.set(buffer);
    }
    Ok(result)
}

/// Fills `buffer` from its start with what `file` holds, `size` bytes as far as is known, and says
/// how much that is.
fn read_all(file: &mut impl Read, size: usize, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let mut filled = 0;
    loop {
        if buffer.len() <= size.max(filled) {
            // One byte more than there should be shows that there is no more.
            let wanted = size.saturating_add(1).max(2 * filled).max(FIRST_BYTES);
            grow(buffer, wanted)?;
        }
        let room = buffer.get_mut(filled..).unwrap_or_default();
        let asked = room.len();
        let read = match file.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        filled += read;
        if read == 0 || (filled == size && read < asked) {
            return Ok(filled);
        }
    }
}

fn grow(buffer: &mut Vec<u8>, length: usize) -> io::Result<()> {
    let length = match length.next_power_of_two() {
        // Not again for each file that is a little larger.
        rounded if rounded <= KEPT_BYTES => rounded,
        _ => length,
    };
    buffer.try_reserve_exact(length.saturating_sub(buffer.len()))?;
    buffer.resize(length, 0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives at most `step` bytes at a time, and is interrupted before each.
    struct Drip<'d> {
        rest: &'d [u8],
        step: usize,
        is_interrupted: bool,
    }

    impl Read for Drip<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            self.is_interrupted = !self.is_interrupted;
            if self.is_interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let step = self.step.min(room.len());
            self.rest.read(&mut room[..step])
        }
    }

    #[test]
    fn all_is_read_whatever_the_size_is_said_to_be() {
        let bytes: Vec<u8> = (0..3 * FIRST_BYTES).map(|i| i as u8).collect();
        for length in [0, 1, 5, FIRST_BYTES - 1, FIRST_BYTES, 3 * FIRST_BYTES] {
            let contents = &bytes[..length];
            for said in [
                0,
                1,
                length.saturating_sub(1),
                length,
                length + 1,
                2 * length,
            ] {
                for step in [1 << 10, FIRST_BYTES, usize::MAX] {
                    for mut buffer in [Vec::new(), vec![b'x'; 7], vec![b'x'; 4 * FIRST_BYTES]] {
                        let mut drip = Drip {
                            rest: contents,
                            step,
                            is_interrupted: false,
                        };
                        let filled = read_all(&mut drip, said, &mut buffer).unwrap();
                        // What grows while it is read may be taken as long as it was said to be.
                        let is_whole = filled == length || filled == said && said < length;
                        assert!(
                            is_whole && buffer[..filled] == contents[..filled],
                            "{length} bytes, said to be {said}, by {step}: {filled}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_file_is_read_while_another_is_worked_on() {
        let directory = tempfile::tempdir().unwrap();
        let [long, short] = ["long", "short"].map(|name| directory.path().join(name));
        std::fs::write(&long, vec![b'l'; KEPT_BYTES + 1]).unwrap();
        std::fs::write(&short, b"short").unwrap();
        let length = with_file_bytes(&short, |outer, _| {
            let length = with_file_bytes(&long, |inner, metadata| {
                assert_eq!(metadata.len(), inner.len() as u64);
                inner.len()
            });
            assert_eq!(outer, b"short");
            length.unwrap()
        });
        assert_eq!(length.unwrap(), KEPT_BYTES + 1);
        // What the longer one left is not seen.
        assert!(with_file_bytes(&short, |bytes, _| bytes == b"short").unwrap());
        assert!(with_file_bytes(&directory.path().join("none"), |_, _| ()).is_err());
    }
}
