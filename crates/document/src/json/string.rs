//! Decodes and escapes the characters of a JSON string (ECMA-404, section 9).

use std::fmt::Write;

use rehref_generators::Text;

/// Decodes the characters between the quotes of a string, with a map back to them. Lone surrogates
/// become U+FFFD, as before URL parsing (Infra Standard, section 4.7, "convert a string into a scalar
/// value string").
pub(super) fn decode(source: &str) -> Text {
    let mut text = Text::default();
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let (plain, escaped) = rest.split_at(rest.find('\\').unwrap_or(rest.len()));
        text.push_plain(plain);
        at += plain.len();
        if let Some((character, length)) = escape_sequence(escaped) {
            text.push_exception(character.encode_utf8(&mut [0; 4]), at..at + length);
            at += length;
        } else if !escaped.is_empty() {
            // The reader has rejected strings with a backslash that escapes nothing.
            text.push_plain("\\");
            at += 1;
        }
    }
    text
}

/// The escape sequence at the start of `rest`: its character and its length in bytes.
fn escape_sequence(rest: &str) -> Option<(char, usize)> {
    let character = match rest.as_bytes().get(1)? {
        b'u' => return unicode_escape(rest),
        b'b' => '\u{8}',
        b'f' => '\u{C}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        &other @ (b'"' | b'\\' | b'/') => char::from(other),
        _ => return None,
    };
    Some((character, 2))
}

fn unicode_escape(rest: &str) -> Option<(char, usize)> {
    let first = code_unit(rest)?;
    let second = rest.get(6..).and_then(code_unit);
    let units = [first].into_iter().chain(second);
    let character = char::decode_utf16(units).next()?.unwrap_or('\u{FFFD}');
    Some((character, 6 * character.len_utf16()))
}

/// The code unit of the `\uXXXX` at the start of `rest`.
fn code_unit(rest: &str) -> Option<u16> {
    let digits = rest.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|b| b.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

/// Escapes `with` for a JSON string in any document: in ASCII, for every charset, and with `<` and `>`
/// as escapes, so that a `script` element never gets `</script`, `<!--` or `-->` (HTML Standard,
/// section 4.12.1.3, "Restrictions for contents of script elements").
pub fn escape(with: &str) -> String {
    let mut escaped = String::with_capacity(with.len());
    for character in with.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            ' '..='\u{7F}' if !matches!(character, '<' | '>') => escaped.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a string does not fail.
                    let _ = write!(escaped, "\\u{unit:04X}");
                }
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_url::Span;

    #[test]
    fn escapes_are_decoded() {
        for (source, expected) in [
            ("", ""),
            ("a/ä😀", "a/ä😀"),
            (r#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
            (r"\u0041\u00e4\u20AC", "Aä€"),
            (r"\uD83D\uDE00x", "😀x"),
            (r"\ud83d", "\u{FFFD}"),
            (r"\ude00\ud83d", "\u{FFFD}\u{FFFD}"),
            (r"\ud83dx\ude00", "\u{FFFD}x\u{FFFD}"),
            (r"\ud83d\ud83d\ude00", "\u{FFFD}😀"),
            (r"\ud83d\u0041", "\u{FFFD}A"),
            // Sequences that no string holds must do no harm.
            (r"\x\u12", r"\x\u12"),
            (r"\u+123", r"\u+123"),
            (r"\", r"\"),
        ] {
            let text = decode(source);
            assert_eq!(text.as_str(), expected, "{source}");
            assert_eq!(
                text.source_span(Span::from(0..expected.len())),
                Span::from(0..source.len())
            );
        }
        let text = decode(r"a\/b\uD83D\uDE00c");
        assert_eq!(text.source_span(Span::from(1..2)), Span::from(1..3));
        assert_eq!(text.source_span(Span::from(2..3)), Span::from(3..4));
        assert_eq!(text.source_span(Span::from(3..7)), Span::from(4..16));
        assert_eq!(text.source_span(Span::from(7..8)), Span::from(16..17));
    }

    #[test]
    fn escaped_text_is_ascii_and_decodes_to_itself() {
        for (with, expected) in [
            ("../a?b=c&d#e", "../a?b=c&d#e"),
            ("a\"b\\c", "a\\\"b\\\\c"),
            ("</script><!-- -->", r"\u003C/script\u003E\u003C!-- --\u003E"),
            ("\0\n\u{1f}\u{7f}", "\\u0000\\u000A\\u001F\u{7f}"),
            ("ä\u{2028}😀", r"\u00E4\u2028\uD83D\uDE00"),
        ] {
            assert_eq!(escape(with), expected);
            assert_eq!(decode(expected).as_str(), with);
        }
    }
}
