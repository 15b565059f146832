//! Checks a reference against `URI-reference` of RFC 3986 (section 4.1 and appendix A), and finds the
//! first byte that is not in that grammar.

use std::net::Ipv6Addr;

use thiserror::Error;

use super::byte_sets::{ByteSets, LOWERCASE_AND_DIGITS, UPPERCASE};
use super::components::{Components, split_before};
use super::percent::escaped_byte;

/// The reason why a byte is not in the grammar of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Error)]
pub enum Class {
    /// One of ``{ } | \ ^ ~ [ ] ` ``, which RFC 1808 calls national.
    #[error("a national character, which must be percent-encoded")]
    National,
    /// One of `< > " #`, which RFC 1808 calls punctuation.
    #[error("a delimiter, which must be percent-encoded")]
    Punctuation,
    /// A `%` without two hexadecimal digits after it.
    #[error("\"%\" without two hexadecimal digits")]
    BadEscape,
    /// A control character.
    #[error("a control character")]
    Control,
    /// A space.
    #[error("a space")]
    Space,
    /// A byte outside ASCII.
    #[error("a character outside ASCII")]
    NonAscii,
    /// RFC 3986: the first segment of a relative path holds a colon.
    #[error("a colon in the first segment of a relative path")]
    FirstSegmentColon,
    /// RFC 3986: the port is not a number, or the host holds a delimiter.
    #[error("a delimiter that a host or port cannot contain")]
    Authority,
    /// RFC 3986: the host in brackets is not an IP address.
    #[error("not an IP address in brackets")]
    IpLiteral,
}

/// The error of a reference that is not in the grammar: its first invalid byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("byte {offset}: {class}")]
pub struct Violation {
    /// The byte offset into the reference, from 0.
    pub offset: usize,
    /// The reason why the byte is not in the grammar.
    pub class: Class,
}

/// The components, each with the set of the bytes that it allows besides escapes.
const REG_NAME: u8 = 1;
const USERINFO: u8 = 1 << 1;
/// `pchar` and `/`.
const PATH: u8 = 1 << 2;
/// Query and fragment.
const QUERY: u8 = 1 << 3;
const ALL: u8 = REG_NAME | USERINFO | PATH | QUERY;
/// The characters that RFC 1808 calls national, for [`Class::National`].
const NATIONAL: u8 = 1 << 4;

static SETS: ByteSets = ByteSets::new(
    &[
        (ALL, LOWERCASE_AND_DIGITS),
        (ALL, UPPERCASE),
        (ALL, "-._~!$&'()*+,;="),
        (USERINFO | PATH | QUERY, ":"),
        (PATH | QUERY, "@/"),
        (QUERY, "?"),
        (NATIONAL, "{}|\\^~[]`"),
    ],
    0,
);

/// Returns true if all bytes of `text` may be in a path without escapes.
pub(crate) fn is_path(text: &str) -> bool {
    text.bytes().all(|byte| SETS.of(byte) & PATH != 0)
}

/// Checks `reference` against `URI-reference`.
///
/// # Errors
/// The first [`Violation`].
pub fn check(reference: &str) -> Result<(), Violation> {
    let parts = Components::split_rfc3986(reference);
    let mut at = parts.path_start();
    if let Some(authority) = parts.authority {
        check_authority(authority, at - authority.len())?;
    }
    let first = parts.path.split('/').next().unwrap_or_default();
    if parts.scheme.or(parts.authority).is_none()
        && let Some((before, _)) = first.split_once(':')
    {
        scan(before, 0, PATH)?;
        return violation(before.len(), Class::FirstSegmentColon);
    }
    scan(parts.path, at, PATH)?;
    at += parts.path.len();
    for part in [parts.query, parts.fragment].into_iter().flatten() {
        scan(part, at + 1, QUERY)?;
        at += 1 + part.len();
    }
    Ok(())
}

/// Finds the first byte of `text`, which starts at byte `at` of the reference, that is neither in an
/// escape nor allowed in `component`.
fn scan(text: &str, at: usize, component: u8) -> Result<(), Violation> {
    let bytes = text.as_bytes();
    for (index, &byte) in bytes.iter().enumerate() {
        let sets = SETS.of(byte);
        let class = match byte {
            _ if sets & component != 0 => continue,
            b'%' => match bytes.get(index + 1..index + 3) {
                Some(&[high, low]) if escaped_byte(high, low).is_some() => continue,
                _ => Class::BadEscape,
            },
            _ if sets & NATIONAL != 0 => Class::National,
            b' ' => Class::Space,
            0..0x20 | 0x7F => Class::Control,
            0x80.. => Class::NonAscii,
            b'<' | b'>' | b'"' | b'#' => Class::Punctuation,
            // The other characters are reserved, and allowed in other components.
            _ => Class::Authority,
        };
        return violation(at + index, class);
    }
    Ok(())
}

/// Checks `input` against `authority` of RFC 3986, section 3.2.
fn check_authority(input: &str, start: usize) -> Result<(), Violation> {
    let mut at = start;
    let mut rest = input;
    if let Some((userinfo, after)) = input.split_once('@') {
        scan(userinfo, at, USERINFO)?;
        at += userinfo.len() + 1;
        rest = after;
    }
    let port = if let Some(open) = rest.strip_prefix('[') {
        let literal = open.split_once(']');
        let Some((literal, port)) = literal.filter(|(literal, _)| is_ip_literal(literal)) else {
            return violation(at, Class::IpLiteral);
        };
        at += literal.len() + 2;
        port
    } else {
        let (host, port) = split_before(rest, |byte| byte == b':');
        scan(host, at, REG_NAME)?;
        at += host.len();
        port
    };
    let Some(digits) = port.strip_prefix(':') else {
        return if port.is_empty() { Ok(()) } else { violation(at, Class::Authority) };
    };
    match digits.bytes().position(|byte| !byte.is_ascii_digit()) {
        None => Ok(()),
        Some(index) => violation(at + 1 + index, Class::Authority),
    }
}

fn violation(offset: usize, class: Class) -> Result<(), Violation> {
    Err(Violation { offset, class })
}

/// Returns true if `literal` is an `IPv6address` or `IPvFuture` of RFC 3986, section 3.2.2.
fn is_ip_literal(literal: &str) -> bool {
    let Some(future) = literal.strip_prefix(['v', 'V']) else {
        return literal.parse::<Ipv6Addr>().is_ok();
    };
    future.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && address.bytes().all(|byte| SETS.of(byte) & USERINFO != 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(reference: &str) -> Option<(usize, Class)> {
        let violation = check(reference).err()?;
        Some((violation.offset, violation.class))
    }

    #[test]
    fn violations_of_rfc_3986() {
        for (reference, expected) in [
            ("g~h", None),
            ("g|h", Some((1, Class::National))),
            ("a/b:c", None),
            ("1a:h", Some((2, Class::FirstSegmentColon))),
            (":g", Some((0, Class::FirstSegmentColon))),
            ("g;x=1:2", Some((5, Class::FirstSegmentColon))),
            ("./a:b", None),
            ("//h:80/x:y", None),
            ("//h:8a/", Some((5, Class::Authority))),
            ("//u:p@h/", None),
            ("//u@p@h/", Some((5, Class::Authority))),
            ("//[::1]:8/", None),
            ("//[::g]/", Some((2, Class::IpLiteral))),
            ("//[v1.a:b]/", None),
            ("//[v.a]/", Some((2, Class::IpLiteral))),
            ("//[v1.]/", Some((2, Class::IpLiteral))),
            ("//[vg.a]/", Some((2, Class::IpLiteral))),
            ("//[::1", Some((2, Class::IpLiteral))),
            ("//[::1]x/", Some((7, Class::Authority))),
            ("///g", None),
            ("a b", Some((1, Class::Space))),
            ("g%20h%ff", None),
            ("%7Eu/%zz", Some((5, Class::BadEscape))),
            ("g%2", Some((1, Class::BadEscape))),
            ("g%zz", Some((1, Class::BadEscape))),
            ("g<h", Some((1, Class::Punctuation))),
            ("g\th", Some((1, Class::Control))),
            ("a?b?c", None),
            ("a#b#c", Some((3, Class::Punctuation))),
            ("a?[b]", Some((2, Class::National))),
            ("  g  ", Some((0, Class::Space))),
            ("é", Some((0, Class::NonAscii))),
            ("http:?x", None),
        ] {
            assert_eq!(found(reference), expected, "{reference}");
        }
    }
}
