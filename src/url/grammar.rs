//! Checks a reference against the grammar of a standard, and finds where it leaves it.

use std::net::Ipv6Addr;

use thiserror::Error;

use super::percent::escaped_byte;
use super::scheme;
use super::split::split_before;

/// A grammar of references.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grammar {
    /// The BNF of RFC 1808, section 2.2, in which national characters have to be escaped.
    Rfc1808,
    /// The BNF of its drafts 03 and 05, section 2.2, in which they need not be.
    Drafts1995,
    /// `URI-reference` of RFC 3986, section 4.1 and appendix A.
    Rfc3986,
}

/// Why a byte is not in the grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Error)]
pub enum Class {
    /// One of ``{ } | \ ^ ~ [ ] ` ``, which RFC 1808 calls national.
    #[error("a national character, which has to be escaped")]
    National,
    /// One of `< > " #`, which RFC 1808 calls punctuation.
    #[error("a delimiter, which has to be escaped")]
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
    /// RFC 1808: the first segment of a path is empty.
    #[error("an empty first path segment")]
    EmptyFirstSegment,
    /// RFC 3986: the first segment of a relative path holds a colon.
    #[error("a colon in the first segment of a relative path")]
    FirstSegmentColon,
    /// RFC 3986: the port is not a number, or the host holds a delimiter.
    #[error("a delimiter where host or port cannot hold it")]
    Authority,
    /// RFC 3986: the host in brackets is not an IP address.
    #[error("not an IP address in brackets")]
    IpLiteral,
}

/// The first byte of a reference that is not in a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[error("byte {offset}: {class}")]
pub struct Violation {
    /// The byte offset into the reference, from 0.
    pub offset: usize,
    /// Why it is not in the grammar.
    pub class: Class,
}

/// The characters that a component allows besides letters, digits and escapes.
type Allowed = &'static str;

/// RFC 1808: safe, extra and the reserved characters: query, fragment, opaque part.
const UCHAR_RESERVED: Allowed = "$-_.+!*'(),;/?:@&=";
/// RFC 1808: `pchar`, `/` and `;`: path and parameters.
const PATH_1808: Allowed = "$-_.+!*'(),:@&=/;";
/// RFC 1808: `net_loc`.
const NET_LOC: Allowed = "$-_.+!*'(),:@&=;?";
/// RFC 1808: national.
const NATIONAL: Allowed = "{}|\\^~[]`";
/// RFC 3986: `pchar` and `/`.
const PATH_3986: Allowed = "-._~!$&'()*+,;=:@/";
/// RFC 3986: query and fragment.
const QUERY_3986: Allowed = "-._~!$&'()*+,;=:@/?";
/// RFC 3986: `userinfo`.
const USERINFO: Allowed = "-._~!$&'()*+,;=:";
/// RFC 3986: `reg-name`.
const REG_NAME: Allowed = "-._~!$&'()*+,;=";

/// Checks `reference` against `grammar`.
///
/// # Errors
/// The first [`Violation`].
pub fn check(grammar: Grammar, reference: &str) -> Result<(), Violation> {
    let (rest, fragment) = match reference.split_once('#') {
        Some((rest, fragment)) => (rest, Some((fragment, rest.len() + 1))),
        None => (reference, None),
    };
    let scanner = match grammar {
        Grammar::Rfc1808 => Scanner { national: false },
        Grammar::Drafts1995 => Scanner { national: true },
        Grammar::Rfc3986 => Scanner { national: false },
    };
    if grammar == Grammar::Rfc3986 {
        scanner.rfc3986(rest)?;
    } else {
        scanner.rfc1808(rest)?;
    }
    match (fragment, grammar) {
        (None, _) => Ok(()),
        (Some((text, at)), Grammar::Rfc3986) => scanner.scan(text, at, QUERY_3986),
        (Some((text, at)), _) => scanner.scan(text, at, UCHAR_RESERVED),
    }
}

struct Scanner {
    /// Whether national characters are unreserved.
    national: bool,
}

impl Scanner {
    /// Finds the first byte of `text`, which starts at byte `at`, that is not allowed.
    fn scan(&self, text: &str, at: usize, allowed: Allowed) -> Result<(), Violation> {
        let bytes = text.as_bytes();
        for (index, &byte) in bytes.iter().enumerate() {
            let class = match byte {
                b'%' => match bytes.get(index + 1..index + 3) {
                    Some(&[high, low]) if escaped_byte(high, low).is_some() => continue,
                    _ => Class::BadEscape,
                },
                _ if byte.is_ascii_alphanumeric() || allowed.as_bytes().contains(&byte) => continue,
                _ if NATIONAL.as_bytes().contains(&byte) => {
                    if self.national {
                        continue;
                    }
                    Class::National
                }
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

    /// `absoluteURL | relativeURL` of RFC 1808, section 2.2. An absolute URL that is not a `generic-RL`
    /// may be any sequence of `uchar` and `reserved` after its scheme.
    fn rfc1808(&self, input: &str) -> Result<(), Violation> {
        if let Some((scheme, rest)) = scheme::split_1990s(input) {
            return self.scan(rest, scheme.len() + 1, UCHAR_RESERVED);
        }
        let mut at = 0;
        let mut rest = input;
        if let Some(after) = rest.strip_prefix("//") {
            let (net_loc, after) = split_before(after, |byte| byte == b'/');
            self.scan(net_loc, 2, NET_LOC)?;
            at = 2 + net_loc.len();
            rest = after;
        }
        if let Some(after) = rest.strip_prefix('/') {
            at += 1;
            rest = after;
        }
        if rest.starts_with('/') {
            return violation(at, Class::EmptyFirstSegment);
        }
        let (path, query) = split_before(rest, |byte| byte == b'?');
        self.scan(path, at, PATH_1808)?;
        self.scan(query, at + path.len(), UCHAR_RESERVED)
    }

    /// `URI-reference` of RFC 3986, section 4.1, without its fragment.
    fn rfc3986(&self, input: &str) -> Result<(), Violation> {
        let (scheme, hier_part) = match scheme::split(input) {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, input),
        };
        let mut at = input.len() - hier_part.len();
        let mut rest = hier_part;
        let authority = hier_part.strip_prefix("//");
        if let Some(after) = authority {
            let (authority, after) = split_before(after, |byte| matches!(byte, b'/' | b'?'));
            self.authority(authority, at + 2)?;
            at += 2 + authority.len();
            rest = after;
        }
        let (path, query) = split_before(rest, |byte| byte == b'?');
        let first = path.split('/').next().unwrap_or_default();
        let colon = first.find(':').filter(|_| scheme.or(authority).is_none());
        if let Some(colon) = colon {
            self.scan(first.get(..colon).unwrap_or_default(), at, PATH_3986)?;
            return violation(at + colon, Class::FirstSegmentColon);
        }
        self.scan(path, at, PATH_3986)?;
        self.scan(query, at + path.len(), QUERY_3986)
    }

    /// `authority` of RFC 3986, section 3.2.
    fn authority(&self, input: &str, start: usize) -> Result<(), Violation> {
        let mut at = start;
        let mut rest = input;
        if let Some((userinfo, after)) = input.split_once('@') {
            self.scan(userinfo, at, USERINFO)?;
            at += userinfo.len() + 1;
            rest = after;
        }
        let (host, port) = if let Some(open) = rest.strip_prefix('[') {
            let literal = open.split_once(']');
            let Some((literal, after)) = literal.filter(|(literal, _)| is_ip_literal(literal))
            else {
                return violation(at, Class::IpLiteral);
            };
            at += literal.len() + 2;
            (None, after)
        } else {
            let (host, port) = split_before(rest, |byte| byte == b':');
            (Some(host), port)
        };
        if let Some(host) = host {
            self.scan(host, at, REG_NAME)?;
            at += host.len();
        }
        let digits = port.strip_prefix(':').unwrap_or(port);
        if digits.len() < port.len() || port.is_empty() {
            at += port.len() - digits.len();
            match digits.bytes().position(|byte| !byte.is_ascii_digit()) {
                None => return Ok(()),
                Some(index) => at += index,
            }
        }
        violation(at, Class::Authority)
    }
}

fn violation(offset: usize, class: Class) -> Result<(), Violation> {
    Err(Violation { offset, class })
}

/// `IPv6address / IPvFuture` of RFC 3986, section 3.2.2.
fn is_ip_literal(literal: &str) -> bool {
    let Some(future) = literal.strip_prefix(['v', 'V']) else {
        return literal.parse::<Ipv6Addr>().is_ok();
    };
    future.split_once('.').is_some_and(|(version, address)| {
        !version.is_empty()
            && version.bytes().all(|byte| byte.is_ascii_hexdigit())
            && !address.is_empty()
            && address
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || USERINFO.as_bytes().contains(&byte))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(grammar: Grammar, reference: &str) -> Option<(usize, Class)> {
        check(grammar, reference)
            .err()
            .map(|violation| (violation.offset, violation.class))
    }

    #[test]
    fn rfc_1808() {
        for (reference, expected) in [
            ("g;x?y#s", None),
            ("//h;x?y/p", None),
            ("/", None),
            ("", None),
            ("//", None),
            ("a//b", None),
            ("/a", None),
            ("//h//a", Some((4, Class::EmptyFirstSegment))),
            ("///a", None),
            ("////a", Some((3, Class::EmptyFirstSegment))),
            ("x:///a", None),
            ("g~h", Some((1, Class::National))),
            ("a b", Some((1, Class::Space))),
            ("1+2:x", None),
            ("g;a/b", None),
            ("g%2", Some((1, Class::BadEscape))),
            ("g%zz", Some((1, Class::BadEscape))),
            ("a?b?c", None),
            ("a#b#c", Some((3, Class::Punctuation))),
            ("g<h", Some((1, Class::Punctuation))),
            ("g\th", Some((1, Class::Control))),
            ("gé", Some((1, Class::NonAscii))),
            ("mailto:a@b", None),
            ("http://h/~u", Some((9, Class::National))),
            ("g?a|b#c", Some((3, Class::National))),
        ] {
            assert_eq!(found(Grammar::Rfc1808, reference), expected, "{reference}");
        }
    }

    #[test]
    fn the_drafts_allow_national_characters() {
        for reference in ["g~h", "g|h", "g\\h", "[g]", "a{b}?c^d#`"] {
            assert_eq!(found(Grammar::Drafts1995, reference), None, "{reference}");
            let class = found(Grammar::Rfc1808, reference).map(|(_, class)| class);
            assert_eq!(class, Some(Class::National), "{reference}");
        }
        assert_eq!(found(Grammar::Drafts1995, "a b"), Some((1, Class::Space)));
    }

    #[test]
    fn rfc_3986() {
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
            ("//[::1", Some((2, Class::IpLiteral))),
            ("//[::1]x/", Some((7, Class::Authority))),
            ("///g", None),
            ("a#b#c", Some((3, Class::Punctuation))),
            ("a?[b]", Some((2, Class::National))),
            ("  g  ", Some((0, Class::Space))),
            ("é", Some((0, Class::NonAscii))),
            ("http:?x", None),
        ] {
            assert_eq!(found(Grammar::Rfc3986, reference), expected, "{reference}");
        }
    }
}
