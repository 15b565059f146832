//! Escapes of redirect rules: percent-escapes of a path, escapes by table, and patterns for a path.

use std::fmt::Write;

use rehref_url::percent::{EncodeSet, escaped_byte};
use rehref_url::percent_decoded;

/// Returns the bytes that the percent-escapes in `path` represent, without the other text.
pub fn escaped_bytes(path: &str) -> impl Iterator<Item = u8> {
    path.match_indices('%').filter_map(|(at, _)| {
        let [high, low] = *path.as_bytes().get(at + 1..at + 3)? else { return None };
        escaped_byte(high, low)
    })
}

/// Appends `bytes` to `out`, each byte of `table` replaced by its escape.
pub fn push_escaped(out: &mut Vec<u8>, bytes: &[u8], table: &[(u8, &str)]) {
    for &byte in bytes {
        match table.iter().find(|(from, _)| *from == byte) {
            Some((_, to)) => out.extend_from_slice(to.as_bytes()),
            None => out.push(byte),
        }
    }
}

/// Returns the regular expression (PCRE) that matches `path` and nothing else. It needs no further escapes within
/// double quotes of Apache's or nginx's configuration, because it never has a quote, a variable or two backslashes in
/// a row.
pub fn path_pattern(path: &[u8]) -> String {
    starting_with(path) + "$"
}

/// As [`path_pattern`], for all paths that start with `path`.
pub fn starting_with(path: &[u8]) -> String {
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
    pattern
}

/// Escapes of a substitution of Apache within double quotes. `$1` is a group, `&` in older versions
/// the whole match, and `${NAME}` a variable of the configuration. Within the quotes a backslash
/// escapes only itself and the quote, so the substitution gets one backslash from four.
pub const SUBSTITUTION: [(u8, &str); 5] =
    [(b'$', r"\$"), (b'&', r"\&"), (b'{', r"\{"), (b'\\', r"\\\\"), (b'"', r#"\""#)];

/// Escapes within double quotes of nginx's configuration, and of Apache's.
pub const QUOTED: [(u8, &str); 2] = [(b'\\', r"\\"), (b'"', r#"\""#)];

/// Escapes within double quotes in which nginx also expands variables. A dollar sign has no escape in
/// the configuration, so it is percent-encoded.
pub const QUOTED_WITH_VARIABLES: [(u8, &str); 3] = [(b'\\', r"\\"), (b'"', r#"\""#), (b'$', "%24")];

/// The syntax of a URL in a file of redirect rules: its escapes and its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSyntax {
    /// The escapes of characters in the URL.
    pub escape: RuleEscape,
    /// The quote around the URL; `None` if it has no quotes.
    pub quote: Option<u8>,
}

impl RuleSyntax {
    /// How the URL reference `url` is written; `None` if it cannot be written so.
    pub(crate) fn encode(self, url: &str) -> Option<String> {
        let text = self.escape.encode(url)?;
        let ends_value = |byte: u8| match self.quote {
            Some(b'"') => byte.is_ascii_control(),
            Some(quote) => byte.is_ascii_control() || byte == quote,
            None => byte.is_ascii_control() || byte.is_ascii_whitespace(),
        };
        (!text.bytes().any(ends_value)).then_some(text)
    }
}

/// The escapes of a URL in a file of redirect rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleEscape {
    /// As it is.
    Verbatim,
    /// A path with its percent-encoding decoded, in quotes or without white space.
    Path,
    /// A literal part of a regular expression for a decoded path.
    Pattern,
    /// The substitution of Apache's `RedirectMatch`.
    Substitution,
    /// A string with backslash escapes.
    Quoted,
}

impl RuleEscape {
    /// Returns the URL reference that `raw` stands for.
    pub(super) fn decode(self, raw: &str) -> String {
        match self {
            RuleEscape::Verbatim => raw.to_owned(),
            RuleEscape::Path => encoded(&unescaped(raw)),
            RuleEscape::Pattern => literal(raw).map_or_else(|| raw.to_owned(), |it| encoded(&it)),
            RuleEscape::Substitution => {
                let text = unescaped_twice(raw);
                let (path, rest) = text.split_at(text.find(['?', '#']).unwrap_or(text.len()));
                encoded(path.as_bytes()) + rest
            }
            RuleEscape::Quoted => String::from_utf8_lossy(&unescaped(raw)).into_owned(),
        }
    }

    /// `url` with the escapes; `None` if it cannot be written with them.
    fn encode(self, url: &str) -> Option<String> {
        let (path, rest) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
        let decoded = || percent_decoded(path);
        let mut bytes = Vec::new();
        match self {
            RuleEscape::Verbatim => bytes.extend(url.bytes()),
            RuleEscape::Path if !rest.is_empty() => return None,
            RuleEscape::Path => push_escaped(&mut bytes, &decoded(), &QUOTED),
            RuleEscape::Pattern if !rest.is_empty() => return None,
            RuleEscape::Pattern => {
                let pattern = path_pattern(&decoded());
                let literal = pattern.trim_start_matches('^').trim_end_matches('$');
                bytes.extend(literal.bytes());
            }
            RuleEscape::Substitution => {
                // Apache percent-encodes the path itself, so that some escapes cannot be written.
                let is_changed = |b: u8| matches!(b, b'/' | b'?' | b'#') || b.is_ascii_control();
                if escaped_bytes(path).any(is_changed) {
                    return None;
                }
                push_keeping_groups(&mut bytes, &decoded());
                push_keeping_groups(&mut bytes, rest.as_bytes());
            }
            RuleEscape::Quoted => push_escaped(&mut bytes, url.as_bytes(), &QUOTED),
        }
        String::from_utf8(bytes).ok()
    }
}

/// As [`push_escaped`] with [`SUBSTITUTION`], but `$1` stays a group.
fn push_keeping_groups(out: &mut Vec<u8>, bytes: &[u8]) {
    for (at, byte) in bytes.iter().enumerate() {
        let is_group = *byte == b'$' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if is_group { out.push(b'$') } else { push_escaped(out, &[*byte], &SUBSTITUTION) }
    }
}

/// A path with the bytes percent-encoded that a URL cannot hold.
fn encoded(path: &[u8]) -> String {
    let mut url = String::with_capacity(path.len());
    for &byte in path {
        if EncodeSet::PATH.contains(byte) || matches!(byte, b'%' | b'\\') {
            url.push_str(&format!("%{byte:02X}"));
        } else {
            url.push(char::from(byte));
        }
    }
    url
}

/// `text` without the backslashes before quotes and backslashes.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes().peekable();
    while let Some(byte) = rest.next() {
        let escaped = rest.next_if(|next| byte == b'\\' && matches!(next, b'"' | b'\\' | b'\''));
        bytes.push(escaped.unwrap_or(byte));
    }
    bytes
}

/// A substitution of Apache within quotes, without the backslashes of the quotes and its own.
fn unescaped_twice(text: &str) -> String {
    let once = String::from_utf8_lossy(&unescaped(text)).into_owned();
    let mut characters = once.chars();
    let mut text = String::with_capacity(once.len());
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            _ => text.push(character),
        }
    }
    text
}

/// Returns the bytes that a regular expression without its anchors matches if it matches only these; `None` if it has
/// an operator.
pub(super) fn literal(pattern: &str) -> Option<Vec<u8>> {
    let (bytes, end) = literal_start(pattern);
    (end == pattern.len()).then_some(bytes)
}

/// Returns the longest beginning of a regular expression that is literal: the bytes that it matches, and its length.
pub fn literal_start(pattern: &str) -> (Vec<u8>, usize) {
    let source = pattern.as_bytes();
    let mut bytes = Vec::new();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let (value, length) = match (byte, source.get(at + 1..)) {
            (b'\\', Some([b'x', high, low, ..])) => match escaped_byte(*high, *low) {
                Some(value) => (value, 4),
                None => break,
            },
            (b'\\', Some([next, ..])) if next.is_ascii_punctuation() => (*next, 2),
            (
                b'\\' | b'(' | b')' | b'[' | b'{' | b'^' | b'$' | b'.' | b'|' | b'?' | b'*' | b'+',
                _,
            ) => break,
            _ => (byte, 1),
        };
        // An operator after it makes it optional.
        if matches!(source.get(at + length), Some(b'?' | b'*' | b'+' | b'{')) {
            break;
        }
        bytes.push(value);
        at += length;
    }
    // An alternative makes all of it optional.
    if pattern.contains('|') { (Vec::new(), 0) } else { (bytes, at) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decoded_url_is_encoded_as_it_was_written() {
        for (escape, raw, url) in [
            (RuleEscape::Verbatim, "/a/*", "/a/*"),
            (RuleEscape::Path, "/a/100%", "/a/100%25"),
            (RuleEscape::Pattern, r"/a/old\.html", "/a/old.html"),
            (RuleEscape::Pattern, r"/a\x20b\x5C", "/a%20b%5C"),
            (RuleEscape::Substitution, r"/a\$1\&\{b}?c=$1", "/a$1&%7Bb%7D?c=$1"),
            (RuleEscape::Quoted, r#"/a\"b\\c"#, "/a\"b\\c"),
        ] {
            assert_eq!(escape.decode(raw), url, "{raw}");
        }
        let quoted = Some(b'"');
        for (escape, quote, url, raw) in [
            (RuleEscape::Pattern, None, "/a%20b/x.html", Some(r"/a\x20b/x\.html")),
            (RuleEscape::Pattern, None, "/a?b", None),
            (RuleEscape::Substitution, None, "/a/$1?x=&", Some(r"/a/$1?x=\&")),
            (RuleEscape::Substitution, quoted, "/a%2Fb", None),
            (RuleEscape::Substitution, None, "/a%20b", None),
            (RuleEscape::Substitution, quoted, "/a%20b", Some("/a b")),
            (RuleEscape::Path, None, "/a%25", Some("/a%")),
            (RuleEscape::Path, None, "/a%20b", None),
            (RuleEscape::Path, quoted, "/a%20b", Some("/a b")),
            (RuleEscape::Path, quoted, "/a%0Ab", None),
            (RuleEscape::Quoted, quoted, "/a b'", Some("/a b'")),
            (RuleEscape::Quoted, Some(b'\''), "/a b", Some("/a b")),
            (RuleEscape::Quoted, Some(b'\''), "/a'b", None),
        ] {
            let syntax = RuleSyntax { escape, quote };
            assert_eq!(syntax.encode(url).as_deref(), raw, "{url}");
        }
    }

    #[test]
    fn the_literal_start_of_a_pattern_ends_before_its_first_operator() {
        for (pattern, expected) in [
            (r"/blog/(.*)", "/blog/"),
            (r"/a\.html", "/a.html"),
            ("/ab?", "/a"),
            ("/a|/b", ""),
            (r"/a\d", "/a"),
        ] {
            let (bytes, _) = literal_start(pattern);
            assert_eq!(String::from_utf8_lossy(&bytes), expected, "{pattern}");
        }
    }
}
