//! The ordinary characters of the parts of a URL, which no standard changes, and paths of them.

use super::byte_sets::{ByteSets, LOWERCASE_AND_DIGITS, UPPERCASE};

/// The parts of a simple reference, each with the set of the bytes that it may have.
const IN_NAME: u8 = 1;
pub(crate) const IN_TAIL: u8 = 2;
pub(crate) const IN_HOST: u8 = 4;
pub(crate) const IN_TAIL_OF_VALUE: u8 = 8;
const IN_TAILS: u8 = IN_TAIL | IN_TAIL_OF_VALUE;

static SETS: ByteSets = ByteSets::new(
    &[
        (IN_NAME | IN_TAILS | IN_HOST, LOWERCASE_AND_DIGITS),
        (IN_NAME | IN_TAILS | IN_HOST, "-"),
        (IN_NAME | IN_TAILS, UPPERCASE),
        (IN_NAME | IN_TAILS, "_~+"),
        (IN_TAILS | IN_HOST, "."),
        // A `$` may start template markup.
        (IN_TAILS, "!()*,;=:@/?"),
        (IN_TAIL, "&"),
    ],
    0,
);

pub(crate) fn is(byte: u8, set: u8) -> bool {
    SETS.of(byte) & set != 0
}

/// Returns true if all bytes of `host` are lower case letters, digits, hyphens and dots.
pub(crate) fn is_simple_host(host: &str) -> bool {
    host.bytes().all(|byte| is(byte, IN_HOST))
}

/// Returns the end of the path at the start of `text`, before a query or a fragment. `None` unless it is a path of
/// ordinary names, separated by slashes, none of which begins or ends with a dot or has two dots side by side.
pub fn path_end(text: &[u8]) -> Option<usize> {
    let mut previous = b'/';
    for (at, &byte) in text.iter().enumerate() {
        if !is(byte, IN_NAME) {
            match byte {
                // A name follows a slash, a dot or the start.
                b'/' | b'.' if is(previous, IN_NAME) => {}
                b'?' | b'#' => return (previous != b'.').then_some(at),
                _ => return None,
            }
        }
        previous = byte;
    }
    (previous != b'.').then_some(text.len())
}

/// Returns true if `text` is empty or is a path as [`path_end`] describes it.
pub fn is_path(text: &str) -> bool {
    path_end(text.as_bytes()) == Some(text.len())
}
