//! not-in-grammar: characters that no URL has, by RFC 3986 and the URL Standard alike. Letters
//! outside ASCII are allowed: such references are IRIs (RFC 3987), and browsers accept them.

use std::borrow::Cow;

use super::context::{ReferenceContext, TrimmedReference};
use crate::audit::checks::Check;
use crate::audit::finding::ReferenceFinding;
use crate::url::grammar::{self, Class};
use crate::url::{AbsoluteUrl, Components, Standard};

/// Opaque URLs have grammars of their own, and `javascript:` has none.
pub(super) fn finding(
    subject: &ReferenceContext<'_>,
    written: &TrimmedReference<'_>,
) -> Option<ReferenceFinding> {
    let target = subject.target.ok()?;
    if !target.is_hierarchical() {
        return None;
    }
    let (at, what) = first_fault(written.text)?;
    Some(
        ReferenceFinding::new(Check::NotInGrammar, what)
            .at(written.start + at)
            .suggest(repaired(subject, written, target)),
    )
}

fn first_fault(text: &str) -> Option<(usize, Cow<'static, str>)> {
    let unseen = text
        .char_indices()
        .find_map(|(at, c)| Some((at, Cow::Borrowed(invisible(c)?))));
    let in_grammar = grammar::check(&in_ascii(text)).err().map(|violation| {
        (
            violation.offset,
            describe(violation.class, text, violation.offset),
        )
    });
    let line_break = escaped_break(text);
    [unseen, in_grammar, line_break]
        .into_iter()
        .flatten()
        .min_by_key(|(at, _)| *at)
}

/// `text` with a letter for every byte outside ASCII.
fn in_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let ascii = |byte: u8| {
        if byte.is_ascii() {
            char::from(byte)
        } else {
            'a'
        }
    };
    Cow::Owned(text.bytes().map(ascii).collect())
}

/// Names characters outside ASCII that IRIs do not allow or that are invisible.
fn invisible(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{80}'..='\u{9F}' => "a control character",
        '\u{A0}' => "a no-break space",
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' => "an invisible space of no width",
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            "an invisible mark of writing direction"
        }
        '\u{2028}' | '\u{2029}' => "a line break",
        '\u{FFF0}'..='\u{FFFF}' => "a replacement character: something was decoded wrongly",
        _ => return None,
    })
}

fn describe(class: Class, text: &str, at: usize) -> Cow<'static, str> {
    let c = text.get(at..).and_then(|rest| rest.chars().next());
    match (class, c) {
        (Class::Space, _) => "a space, which ends the URL for many programs".into(),
        (Class::National, Some('\\')) => {
            "a backslash: browsers treat it as a slash, other programs do not".into()
        }
        (Class::Control, Some('\n' | '\r' | '\t')) => {
            "a line break or tab: browsers drop it, other programs do not".into()
        }
        (Class::BadEscape, _) => {
            "\"%\" without two hexadecimal digits; a percent sign itself is written %25".into()
        }
        (Class::Punctuation, Some('#')) => "a second \"#\"".into(),
        (Class::National | Class::Punctuation | Class::Authority, Some(c)) => {
            format!("{c:?}, which must be percent-encoded in a URL").into()
        }
        _ => class.to_string().into(),
    }
}

/// An escaped line break or NUL where a server gets to see it as part of a command (RFC 1738
/// section 6, RFC 3986 section 7.3). Queries of web pages hold such escapes rightly.
fn escaped_break(text: &str) -> Option<(usize, Cow<'static, str>)> {
    if !text.contains('%') {
        return None;
    }
    let parts = Components::split(Standard::Rfc3986, text);
    let is_web = parts
        .scheme
        .is_none_or(|scheme| scheme.to_ascii_lowercase().starts_with("http"));
    let end = text
        .find(if is_web { ['?', '#'] } else { ['#', '#'] })
        .unwrap_or(text.len());
    let (at, _) = text.get(..end)?.match_indices('%').find(|(at, _)| {
        text.get(at + 1..at + 3).is_some_and(|escape| {
            ["0d", "0a", "00"]
                .iter()
                .any(|bad| bad.eq_ignore_ascii_case(escape))
        })
    })?;
    let what = "an escaped line break or NUL, with which a URL can pass commands to a server \
                (RFC 3986 section 7.3)";
    Some((at, what.into()))
}

/// The reference with only the characters escaped that the grammar does not allow, if that resolves
/// to the same target.
fn repaired(
    subject: &ReferenceContext<'_>,
    written: &TrimmedReference<'_>,
    target: &AbsoluteUrl,
) -> Option<String> {
    // Browsers drop tabs and line breaks anywhere, so the correction has none.
    let text: String = written
        .text
        .chars()
        .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
        .collect();
    let repaired = escape(&text, target.standard() == Standard::Whatwg);
    let repaired = match grammar::check(&in_ascii(&repaired)) {
        Ok(()) => repaired,
        Err(violation) if violation.class == Class::FirstSegmentColon => format!("./{repaired}"),
        Err(_) => return None,
    };
    let base = subject.base.unwrap_or(subject.own);
    let after = base.resolve(&repaired, subject.encoding).ok()?;
    let same = escape(after.as_str(), false) == escape(target.as_str(), false);
    (same && repaired != written.text && escaped_break(&repaired).is_none()).then_some(repaired)
}

/// `url` with escapes for all that is not in the grammar; backslashes before the query as slashes
/// where browsers take them so.
fn escape(url: &str, backslashes_are_slashes: bool) -> String {
    let mut out = String::with_capacity(url.len() + 8);
    let bytes = url.as_bytes();
    let (mut in_path, mut in_fragment) = (true, false);
    let authority = url.find("//").map_or(0, |at| {
        let rest = url.get(at + 2..).unwrap_or_default();
        at + 2 + rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())
    });
    for (at, c) in url.char_indices() {
        let is_escape = || {
            matches!(bytes.get(at + 1..at + 3), Some([high, low])
                if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
        };
        match c {
            '\\' if in_path && backslashes_are_slashes => out.push('/'),
            // The brackets of an IP address.
            '[' | ']' if at < authority => out.push(c),
            '%' if is_escape() => out.push(c),
            '#' if in_fragment => out.push_str("%23"),
            '%'
            | ' '
            | '"'
            | '<'
            | '>'
            | '\\'
            | '^'
            | '`'
            | '{'
            | '|'
            | '}'
            | '['
            | ']'
            | '\0'..='\x1F'
            | '\x7F' => out.push_str(&format!("%{:02X}", u32::from(c))),
            _ if invisible(c).is_some() => {
                let mut buffer = [0; 4];
                for byte in c.encode_utf8(&mut buffer).bytes() {
                    out.push_str(&format!("%{byte:02X}"));
                }
            }
            _ => out.push(c),
        }
        in_fragment |= c == '#';
        in_path &= !matches!(c, '?' | '#');
    }
    out
}
