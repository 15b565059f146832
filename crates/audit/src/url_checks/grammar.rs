//! not-in-grammar: characters that neither RFC 3986 nor the URL Standard allows in a URL. Letters
//! outside ASCII are allowed: such references are IRIs (RFC 3987), and browsers accept them.

use std::borrow::Cow;

use super::ReferenceContext;
use crate::checks::Check;
use crate::finding::{Confidence, ReferenceFinding};
use rehref_url::grammar::{self, Class};
use rehref_url::{AbsoluteUrl, Components, Standard};

/// Reports the first character that URLs must not contain. Skips opaque URLs, which have grammars
/// of their own, and `javascript:`, which has none.
pub(super) fn finding(subject: &ReferenceContext<'_>) -> Option<ReferenceFinding> {
    let target = subject.target.ok().filter(|it| it.is_hierarchical())?;
    let (at, message) = first_fault(subject.reference)?;
    let message = format!("the URL contains {message}");
    let finding = ReferenceFinding::new(Check::NotInGrammar, message).at(at);
    let repaired = repaired(subject, target);
    // Browsers ask the server for the very same URL.
    let after = |text: &String| subject.base_or_own().resolve(text, subject.encoding).ok();
    let is_equal = repaired.as_ref().and_then(after).is_some_and(|after| after == *target);
    // Nobody means to write a character that nobody sees.
    let is_seen = !subject.reference.chars().any(|c| invisible(c).is_some());
    let is_certain = is_equal && is_seen && !subject.target_is_missing;
    let confidence = if is_certain { Confidence::Certain } else { Confidence::Guess };
    Some(finding.suggest(repaired).confidence(confidence))
}

/// The first byte that URLs must not contain, and its description.
fn first_fault(text: &str) -> Option<(usize, Cow<'static, str>)> {
    let unseen = text.char_indices().find_map(|(at, c)| Some((at, invisible(c)?.into())));
    let violation = grammar::check(&in_ascii(text)).err();
    let in_grammar = violation.map(|it| (it.offset, describe(it.class, text, it.offset)));
    let faults = [unseen, in_grammar, escaped_break(text)];
    faults.into_iter().flatten().min_by_key(|(at, _)| *at)
}

/// `text` with a letter for every byte outside ASCII, so that offsets stay.
fn in_ascii(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let bytes = text.bytes();
    bytes.map(|byte| if byte.is_ascii() { byte.into() } else { 'a' }).collect()
}

/// Names characters outside ASCII that IRIs do not allow or that are invisible.
fn invisible(c: char) -> Option<&'static str> {
    Some(match c {
        '\u{80}'..='\u{9F}' => "a control character",
        '\u{A0}' => "a no-break space",
        '\u{200B}' | '\u{2060}' | '\u{FEFF}' => "an invisible zero-width character",
        '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
            "an invisible bidirectional control character"
        }
        '\u{2028}' | '\u{2029}' => "a line break",
        '\u{FFF0}'..='\u{FFFF}' => {
            "a replacement character: a program decoded the URL with the wrong charset"
        }
        _ => return None,
    })
}

fn describe(class: Class, text: &str, at: usize) -> Cow<'static, str> {
    let c = text.get(at..).and_then(|rest| rest.chars().next());
    match (class, c) {
        (Class::Space, _) => "a space, which ends it for many programs".into(),
        (Class::National, Some('\\')) => {
            "a backslash: browsers treat it as a slash, other programs do not".into()
        }
        (Class::Control, Some('\n' | '\r' | '\t')) => {
            "a line break or tab: browsers remove such characters, other programs do not".into()
        }
        (Class::BadEscape, _) => {
            "a \"%\" without two hexadecimal digits (%25 is a percent sign)".into()
        }
        (Class::Punctuation, Some('#')) => "a second \"#\"".into(),
        (Class::National | Class::Punctuation | Class::Authority, Some(c)) => {
            format!("{c:?}, which must be percent-encoded").into()
        }
        (Class::IpLiteral, _) => "brackets around a text that is not an IP address".into(),
        _ => class.to_string().into(),
    }
}

/// Finds an escaped line break or NUL that a server may treat as part of a command (RFC 1738
/// section 6, RFC 3986 section 7.3). In the query of a web page such escapes are legitimate.
fn escaped_break(text: &str) -> Option<(usize, Cow<'static, str>)> {
    if !text.contains('%') {
        return None;
    }
    let parts = Components::split(Standard::Rfc3986, text);
    let is_web = parts.scheme.is_none_or(|scheme| scheme.to_ascii_lowercase().starts_with("http"));
    let end = text.find(|c| c == '#' || c == '?' && is_web);
    let mut escapes = text.get(..end.unwrap_or(text.len()))?.match_indices('%');
    let (at, _) = escapes.find(|(at, _)| {
        let digits = text.get(at + 1..at + 3).unwrap_or_default();
        ["0d", "0a", "00"].iter().any(|bad| bad.eq_ignore_ascii_case(digits))
    })?;
    let message = "an escaped line break or NUL, with which a URL can pass commands to a server \
                   (RFC 3986 section 7.3)";
    Some((at, message.into()))
}

/// The reference with only the characters escaped that the grammar does not allow, if that resolves
/// to the same target.
fn repaired(subject: &ReferenceContext<'_>, target: &AbsoluteUrl) -> Option<String> {
    // Browsers drop tabs and line breaks anywhere, so the correction has none.
    let text = subject.reference.replace(['\t', '\n', '\r'], "");
    let repaired = escape(&text, target.standard() == Standard::Whatwg);
    let repaired = match grammar::check(&in_ascii(&repaired)) {
        Ok(()) => repaired,
        Err(violation) if violation.class == Class::FirstSegmentColon => format!("./{repaired}"),
        Err(_) => return None,
    };
    let base = subject.base_or_own();
    let after = base.resolve(&repaired, subject.encoding).ok()?;
    let same = escape(after.as_str(), false) == escape(target.as_str(), false);
    (same && repaired != subject.reference && escaped_break(&repaired).is_none())
        .then_some(repaired)
}

/// `url` with every character escaped that the grammar does not allow. With
/// `backslashes_are_slashes`, as in browsers, backslashes before the query become slashes.
fn escape(url: &str, backslashes_are_slashes: bool) -> String {
    let mut out = String::with_capacity(url.len() + 8);
    let (mut in_path, mut in_fragment) = (true, false);
    let authority = url.find("//").map_or(0, |at| {
        let rest = url.get(at + 2..).unwrap_or_default();
        at + 2 + rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len())
    });
    for (at, c) in url.char_indices() {
        let is_escape = || {
            let digits = url.as_bytes().get(at + 1..at + 3);
            digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        };
        match c {
            '\\' if in_path && backslashes_are_slashes => out.push('/'),
            // The brackets of an IP address.
            '[' | ']' if at < authority => out.push(c),
            '%' if is_escape() => out.push(c),
            '#' if !in_fragment => out.push(c),
            _ if c.is_ascii_control()
                || "#% \"<>\\^`{|}[]".contains(c)
                || invisible(c).is_some() =>
            {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
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
