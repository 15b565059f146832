//! Percent-escapes of a path, escapes by table, and patterns.

use std::fmt::Write;

/// The bytes of `path`, each with whether it stands there as an escape.
fn bytes(path: &str) -> impl Iterator<Item = (u8, bool)> {
    let mut rest = path.as_bytes();
    std::iter::from_fn(move || {
        let (&first, after) = rest.split_first()?;
        rest = after;
        if let (b'%', [high, low, after @ ..]) = (first, after)
            && let (Some(high), Some(low)) = (digit(*high), digit(*low))
        {
            rest = after;
            return Some((high << 4 | low, true));
        }
        Some((first, false))
    })
}

fn digit(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

/// The bytes of `path` without escapes.
pub(super) fn decoded(path: &str) -> Vec<u8> {
    bytes(path).map(|(byte, _)| byte).collect()
}

/// The bytes that `path` has as escapes.
pub(super) fn escaped(path: &str) -> impl Iterator<Item = u8> {
    bytes(path).filter_map(|(byte, escaped)| escaped.then_some(byte))
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
