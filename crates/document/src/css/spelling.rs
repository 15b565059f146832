//! The raw text of strings and unquoted URLs: reading it and writing it.

use rehref_generators::Text;
use rehref_url::Span;

/// The syntax of a URL in CSS, which decides how [`escape`] writes characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CssSyntax {
    /// A `<url-token>`: `url(x)` (CSS Syntax Level 3 section 4.3.6).
    Unquoted,
    /// A `<string-token>` in this quote (CSS Syntax Level 3 section 4.3.5), in
    /// `url()`, `src()`, `@import`, `image-set()` and `image()`.
    Quoted(u8),
}

/// Decodes the raw text at the start of `source` and returns its length: up to the closing quote, or up
/// to the white space or parenthesis after an unquoted URL.
pub(super) fn decode(source: &str, syntax: CssSyntax) -> (Text, usize) {
    let mut text = Text::default();
    let mut at = 0;
    loop {
        let rest = source.get(at..).unwrap_or_default();
        let plain =
            rest.find(|c| matches!(c, '\\' | '\0') || ends(syntax, c)).unwrap_or(rest.len());
        let (characters, rest) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        text.push_plain(characters);
        at += plain;
        let length = match rest.as_bytes().first() {
            Some(0) => {
                text.push_exception("\u{FFFD}", Span::from(at..at + 1));
                1
            }
            Some(b'\\') => {
                let (character, after) = escape_at(rest.get(1..).unwrap_or_default(), syntax);
                let source = Span::from(at..at + 1 + after);
                let mut buffer = [0; 4];
                text.push_exception(character.map_or("", |c| c.encode_utf8(&mut buffer)), source);
                source.len()
            }
            _ => return (text, at),
        };
        at += length;
    }
}

fn ends(syntax: CssSyntax, c: char) -> bool {
    match syntax {
        CssSyntax::Unquoted => c == ')' || is_space(c),
        CssSyntax::Quoted(quote) => c == char::from(quote),
    }
}

/// The escape whose backslash is before `rest` (CSS Syntax Level 3 sections 4.3.5 and 4.3.7):
/// its character, if any, and its length after the backslash.
fn escape_at(rest: &str, syntax: CssSyntax) -> (Option<char>, usize) {
    let Some(first) = rest.chars().next() else {
        // At the end of a string, a backslash is nothing.
        let is_string = matches!(syntax, CssSyntax::Quoted(_));
        return ((!is_string).then_some('\u{FFFD}'), 0);
    };
    let newline = newline_length(rest);
    if newline > 0 {
        return (None, newline);
    }
    let first_bytes = rest.bytes().take(MAX_DIGITS);
    let digits = first_bytes.take_while(u8::is_ascii_hexdigit).count();
    if digits == 0 {
        let character = if first == '\0' { '\u{FFFD}' } else { first };
        return (Some(character), first.len_utf8());
    }
    let (hex, after) = rest.split_at_checked(digits).unwrap_or_default();
    let space = match after.as_bytes().first() {
        Some(b' ' | b'\t') => 1,
        _ => newline_length(after),
    };
    let character = u32::from_str_radix(hex, 16)
        .ok()
        .filter(|&code_point| code_point != 0)
        .and_then(char::from_u32)
        .unwrap_or('\u{FFFD}');
    (Some(character), digits + space)
}

/// The most hexadecimal digits that an escape has.
const MAX_DIGITS: usize = 6;

fn newline_length(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r' | b'\x0C', ..] => 1,
        _ => 0,
    }
}

/// Newlines before they are normalised, tab and space (CSS Syntax Level 3 sections 3.3 and 4.2).
pub(super) fn is_space(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\x0C' | '\t' | ' ')
}

/// Escapes `with`, a piece of a URL, for this syntax: a character that would end the URL or is not
/// allowed in it becomes an escape (CSS Syntax Level 3 section 4.3.7).
///
/// An escape in hexadecimal ends with a space, so no character after it can become a part of it.
/// See [`Text::is_after_open_escape`] for an escape before the piece. U+0000, which no URL has, becomes
/// U+FFFD, because CSS cannot express it. `<` is escaped although CSS does not require it: `</style`
/// would end a `style` element.
pub fn escape(with: &str, syntax: CssSyntax) -> String {
    let mut escaped = String::with_capacity(with.len());
    for c in with.chars() {
        let ends_or_breaks = match syntax {
            CssSyntax::Unquoted => matches!(c, '"' | '\'' | '(' | ')' | ' '),
            CssSyntax::Quoted(quote) => c == char::from(quote),
        };
        if c.is_ascii_control() || c == '<' || (c == ' ' && ends_or_breaks) {
            escaped.push_str(&format!("\\{:x} ", u32::from(c)));
        } else {
            if c == '\\' || ends_or_breaks {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}
