//! Escapes: percent-escapes of a path, escapes by table, and patterns for a path.

use std::fmt::Write;

use crate::url::percent::escaped_byte;

/// The bytes that `path` has as percent-escapes.
pub(super) fn escaped_bytes(path: &str) -> impl Iterator<Item = u8> {
    path.match_indices('%').filter_map(|(at, _)| {
        let [high, low] = *path.as_bytes().get(at + 1..at + 3)? else {
            return None;
        };
        escaped_byte(high, low)
    })
}

/// Appends `bytes` to `out`, each byte of `table` replaced by its escape.
pub(super) fn push_escaped(out: &mut Vec<u8>, bytes: &[u8], table: &[(u8, &str)]) {
    for &byte in bytes {
        match table.iter().find(|(from, _)| *from == byte) {
            Some((_, to)) => out.extend_from_slice(to.as_bytes()),
            None => out.push(byte),
        }
    }
}

/// The regular expression (PCRE) that matches `path` and nothing else. It needs no further escapes
/// within double quotes of Apache's or nginx's configuration, because it never has a quote, a
/// variable or two backslashes in a row.
pub(super) fn path_pattern(path: &[u8]) -> String {
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
