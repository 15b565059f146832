//! Percent-escapes of a path, escapes by table, and patterns.

use std::fmt::Write;

use crate::url::percent::escaped_byte;

/// The bytes that `path` has as escapes.
pub(super) fn escaped(path: &str) -> impl Iterator<Item = u8> {
    path.match_indices('%').filter_map(|(at, _)| {
        let [high, low] = *path.as_bytes().get(at + 1..at + 3)? else {
            return None;
        };
        escaped_byte(high, low)
    })
}

/// Appends `bytes` to `out`, those in the table as the table says.
pub(super) fn push(out: &mut Vec<u8>, bytes: &[u8], table: &[(u8, &str)]) {
    for &byte in bytes {
        match table.iter().find(|(from, _)| *from == byte) {
            Some((_, to)) => out.extend_from_slice(to.as_bytes()),
            None => out.push(byte),
        }
    }
}

/// The regular expression (PCRE) that matches `path` and nothing else. It needs no further escapes
/// within double quotes: no quote, no variable, no two backslashes in a row.
pub(super) fn pattern(path: &[u8]) -> String {
    let mut pattern = "^".to_owned();
    for &byte in path {
        match byte {
            b'/' | b'_' | b'-' => pattern.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => pattern.push(char::from(byte)),
            b'.' => pattern.push_str(r"\."),
            // Writing to a string cannot fail.
            _ => drop(write!(pattern, r"\x{byte:02X}")),
        }
    }
    pattern.push('$');
    pattern
}
