//! Link destinations: their grammar, decoded and written (CommonMark 0.31 section 6.3, "link destination").

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

use encoding_rs::UTF_8;
use markup5ever::data::NAMED_ENTITIES;
use memchr::{memchr2, memmem};

use crate::data::scalar::in_path;
use crate::{Escape, Text};
use rehref_url::{Span, TextEdit, percent_decoded, splice_text};

/// The form of a URL in Markdown, which determines its escapes and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DestinationForm {
    /// `[a](<b c>)`: between angle brackets.
    Angle,
    /// `[a](b)`: without brackets, up to white space or the closing parenthesis.
    Plain,
    /// `[a]: b`: as [`DestinationForm::Plain`], but it cannot be empty.
    Definition,
    /// `<https://example.org/>`: an absolute URL, without escapes (section 6.5).
    Autolink,
    /// `https://example.org/` in running text, without escapes (GFM section 6.9).
    Bare,
    /// A path or URL without escapes, up to the end of a line, a quote or a backtick: roles, directives, shortcodes.
    Verbatim,
    /// As [`DestinationForm::Verbatim`], but the path of a file, perhaps with a fragment: `%` and `?` are characters like
    /// others.
    Path,
    /// As [`DestinationForm::Path`], in a string of JavaScript, in which a backslash before a character of a path means
    /// nothing.
    Script,
    /// A word of a shortcode of Hugo without quotes, which anything but letters, digits, `-`, `_` and `.` needs.
    Word,
    /// A path or URL within a tag of Liquid, up to the fragment that follows the tag: `/a" | relative_url }}#b`,
    /// `a.md %}#b`.
    Tagged,
}

/// The deepest level of parentheses in a destination without brackets: "implementations may impose limits", and
/// CommonMark's own has this one.
const PARENTHESES: usize = 32;

/// Returns the destination at the start of `bytes`, without brackets around it, and its form; `None` if there is none.
/// A destination without brackets may be empty.
pub(super) fn at_start(bytes: &[u8]) -> Option<(Span, DestinationForm)> {
    match bytes.first() {
        Some(b'<') => Some((angle(bytes)?, DestinationForm::Angle)),
        _ => Some((plain(bytes)?, DestinationForm::Plain)),
    }
}

fn angle(bytes: &[u8]) -> Option<Span> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 2,
            b'>' => return Some(Span::from(1..at)),
            b'<' | b'\n' | b'\r' => return None,
            _ => at += 1,
        }
    }
}

fn plain(bytes: &[u8]) -> Option<Span> {
    let (mut at, mut open) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'(' if open == PARENTHESES => return None,
            b'(' => open += 1,
            b')' if open == 0 => break,
            b')' => open -= 1,
            byte if *byte <= b' ' || *byte == 0x7F => break,
            _ => {}
        }
        at += 1;
    }
    (open == 0).then(|| Span::from(0..at))
}

/// A backslash in the URL.
pub(super) const BACKSLASH: &str = "%5C";

/// Decodes `raw`, the bytes of a destination of this form in UTF-8, to its URL.
pub fn decode(raw: &[u8], form: DestinationForm) -> Text {
    if matches!(form, DestinationForm::Verbatim | DestinationForm::Word) {
        return Text::decode_verbatim(raw, UTF_8);
    }
    if form == DestinationForm::Tagged {
        return decode_tagged(raw);
    }
    let mut text = Text::default();
    let has_escapes = has_escapes(form);
    let is_special = |byte| match byte {
        b'%' | b'?' => matches!(form, DestinationForm::Path | DestinationForm::Script),
        b'\\' => true,
        b'&' | 0 => has_escapes,
        _ => false,
    };
    let escape = |rest: &[u8]| {
        let first = rest.first().map(|byte| char::from(*byte));
        let in_path = || first.and_then(in_path).map(|it| (it.into(), 1));
        let escape = escape_at_start(rest).filter(|_| has_escapes);
        // In a URL of HTML it would be a slash: programs that make HTML encode it.
        let backslash = if form == DestinationForm::Script { "" } else { BACKSLASH };
        let backslash = || rest.starts_with(b"\\").then_some((backslash.into(), 1));
        Ok::<_, Infallible>(escape.or_else(backslash).or_else(in_path))
    };
    let Ok(()) = text.append(raw, 0..raw.len(), UTF_8, is_special, escape);
    text
}

/// The part of `raw`, a [`DestinationForm::Tagged`], between the path and the fragment, and the form of the path.
fn tag(raw: &[u8]) -> Option<(Range<usize>, DestinationForm)> {
    let end = memmem::find(raw, b"}#")? + 1;
    let inner = raw.get(..end - 2)?;
    let (start, form) = match raw.get(end - 2)? {
        b'%' => (inner.trim_ascii_end().len(), DestinationForm::Path),
        _ => match memchr2(b'"', b'\'', inner) {
            Some(quote) => (quote, DestinationForm::Verbatim),
            None => (memchr2(b' ', b'>', inner)?, DestinationForm::Word),
        },
    };
    Some((start..end, form))
}

fn decode_tagged(raw: &[u8]) -> Text {
    let Some((tag, form)) = tag(raw) else { return Text::decode_verbatim(raw, UTF_8) };
    let is_of_path = |byte| matches!(byte, b'%' | b'?') && form == DestinationForm::Path;
    let of_path = |rest: &[u8]| {
        let first = rest.first().map(|byte| char::from(*byte));
        Ok::<_, Infallible>(first.and_then(in_path).map(|it| (it.into(), 1)))
    };
    let skip = |rest: &[u8]| Ok::<_, Infallible>(Some((Cow::Borrowed(""), rest.len())));
    let mut text = Text::default();
    let Ok(()) = text.append(raw, 0..tag.start, UTF_8, is_of_path, of_path);
    let Ok(()) = text.append(raw, tag.clone(), UTF_8, |byte| byte.is_ascii(), skip);
    let Ok(()) = text.append(raw, tag.end..raw.len(), UTF_8, |_| false, of_path);
    text
}

fn has_escapes(form: DestinationForm) -> bool {
    use DestinationForm::{Angle, Definition, Plain};
    matches!(form, Angle | Plain | Definition)
}

/// Decodes the escape at the start of `rest` (CommonMark sections 2.4 and 2.5).
fn escape_at_start(rest: &[u8]) -> Option<Escape> {
    match rest {
        [b'\\', b'\\', ..] => Some((BACKSLASH.into(), 2)),
        [b'\\', next, ..] if next.is_ascii_punctuation() => {
            Some((Cow::Owned(char::from(*next).to_string()), 2))
        }
        [0, ..] => Some(("\u{FFFD}".into(), 1)),
        [b'&', ..] => entity(rest).map(|(characters, length)| (characters.into(), length)),
        _ => None,
    }
}

/// The longest name of an entity, with its ampersand and semicolon.
const LONGEST_ENTITY: usize = 34;

/// The entity or numeric character reference at the start of `bytes`, which begins with `&`: the characters it stands
/// for and its length in bytes. Unlike in HTML, it needs its semicolon.
fn entity(bytes: &[u8]) -> Option<(String, usize)> {
    let near = bytes.get(..LONGEST_ENTITY).unwrap_or(bytes);
    let end = near.iter().position(|byte| *byte == b';')? + 1;
    let name = std::str::from_utf8(bytes.get(1..end)?).ok()?;
    let number = |digits: &str, radix, most: usize| {
        let is_number = (1..=most).contains(&digits.len()) && !digits.starts_with('+');
        let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
        let character = char::from_u32(code).filter(|c| *c != '\0');
        Some(character.unwrap_or('\u{FFFD}').to_string())
    };
    let digits = name.strip_prefix('#').and_then(|it| it.strip_suffix(';'));
    let characters = match digits {
        Some(digits) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16, 6)?,
            None => number(digits, 10, 7)?,
        },
        None => named_entity(name)?,
    };
    Some((characters, end))
}

/// Returns the characters of the entity `name`, which ends with a semicolon.
pub(super) fn named_entity(name: &str) -> Option<String> {
    let (first, second) = *NAMED_ENTITIES.get(name).filter(|it| it.0 != 0)?;
    let codes = [first, second].into_iter().filter(|code| *code != 0);
    Some(codes.filter_map(char::from_u32).collect())
}

/// Returns the edits of `raw`, a destination with the decoded text `text`, that apply `changes` of the text,
/// which are in order and do not overlap. If the result would be read differently, replaces the whole
/// destination.
pub fn edits(
    raw: &[u8],
    text: &Text,
    changes: Vec<TextEdit>,
    form: DestinationForm,
) -> Vec<TextEdit> {
    let wanted = splice_text(text.as_str(), &changes);
    match form {
        DestinationForm::Path | DestinationForm::Script => {
            let path = file_path(&wanted).unwrap_or(wanted);
            return vec![TextEdit::new(0..raw.len(), path)];
        }
        DestinationForm::Word if !wanted.chars().all(is_of_word) => {
            return vec![TextEdit::new(0..raw.len(), format!("\"{wanted}\""))];
        }
        DestinationForm::Tagged => {
            let Some((tag, form)) = tag(raw) else {
                return vec![TextEdit::new(0..raw.len(), wanted)];
            };
            let (path, fragment) = wanted.split_at(wanted.find('#').unwrap_or(wanted.len()));
            let path = match form {
                DestinationForm::Path => file_path(path).unwrap_or_else(|| path.to_owned()),
                DestinationForm::Word if !path.chars().all(is_of_word) => format!("\"{path}\""),
                _ => path.to_owned(),
            };
            return vec![
                TextEdit::new(0..tag.start, path),
                TextEdit::new(tag.end..raw.len(), fragment),
            ];
        }
        _ => {}
    }
    let written = text.source_edits(changes, |text| escape(text, form, false));
    let result = rehref_url::splice(raw, &written);
    if reads_as(&result, &wanted, form) {
        return written;
    }
    let anew = match form {
        // A title may follow.
        DestinationForm::Plain | DestinationForm::Definition if wanted.is_empty() => "<>".into(),
        _ => escape(&wanted, form, true),
    };
    vec![TextEdit::new(0..raw.len(), anew)]
}

/// Returns true if a word of a shortcode of Hugo may have the character without quotes.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// The path of the file at `url`, the path of a URL and perhaps a fragment; `None` if no text has it.
fn file_path(url: &str) -> Option<String> {
    let (path, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let path = String::from_utf8(percent_decoded(path).to_vec()).ok()?;
    // It would begin a fragment.
    (!path.contains('#')).then(|| path + fragment)
}

/// Returns true if `text` can be written in this form.
pub fn can_hold(text: &str, form: DestinationForm) -> bool {
    if matches!(form, DestinationForm::Path | DestinationForm::Script) {
        let path = file_path(text);
        return path.is_some_and(|path| can_hold(&path, DestinationForm::Verbatim));
    }
    let forbids = |c: char| match form {
        DestinationForm::Verbatim
        | DestinationForm::Path
        | DestinationForm::Script
        | DestinationForm::Word
        | DestinationForm::Tagged => matches!(c, '\n' | '\r' | '`' | '"' | '\0'),
        _ if c == '\\' => true,
        DestinationForm::Angle => matches!(c, '\n' | '\r' | '\0'),
        DestinationForm::Plain | DestinationForm::Definition => c <= ' ' || c == '\x7F',
        DestinationForm::Autolink => c <= ' ' || matches!(c, '<' | '>' | '\x7F'),
        DestinationForm::Bare => c <= ' ' || matches!(c, '<' | '\x7F'),
    };
    !text.chars().any(forbids)
}

/// Returns true if `raw`, in place of a destination of this form, is one whose text is `wanted`.
fn reads_as(raw: &[u8], wanted: &str, form: DestinationForm) -> bool {
    let ends_well = match form {
        DestinationForm::Angle => {
            let whole = [b"<", raw, b">"].concat();
            angle(&whole).is_some_and(|span| span.len() == raw.len())
        }
        DestinationForm::Plain | DestinationForm::Definition => is_plain(raw) && !raw.is_empty(),
        DestinationForm::Autolink
        | DestinationForm::Bare
        | DestinationForm::Verbatim
        | DestinationForm::Path
        | DestinationForm::Script
        | DestinationForm::Word
        | DestinationForm::Tagged => true,
    };
    ends_well && decode(raw, form).as_str() == wanted
}

fn is_plain(raw: &[u8]) -> bool {
    let whole = |span: Span| span.len() == raw.len();
    raw.first() != Some(&b'<') && plain(raw).is_some_and(whole)
}

/// Escapes `text` for this form. `all`: also parentheses, which need no escape in pairs.
fn escape(text: &str, form: DestinationForm, all: bool) -> String {
    if !has_escapes(form) {
        return text.to_owned();
    }
    let mut escaped = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = text.get(at..).unwrap_or_default().as_bytes();
        match c {
            // A bar ends the cell of a table, a backtick may begin code.
            '<' | '>' | '|' | '`' => escaped.extend(['\\', c]),
            '(' | ')' if all && form != DestinationForm::Angle => escaped.extend(['\\', c]),
            '&' if entity(rest).is_some() => escaped.push_str("&amp;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use DestinationForm::*;

    #[test]
    fn a_destination_ends_where_commonmark_says() {
        for (source, expected) in [
            ("/url \"title\")", Some(("/url", Plain))),
            ("<a b>)", Some(("a b", Angle))),
            ("<a\\>b>)", Some(("a\\>b", Angle))),
            ("<a\nb>)", None),
            ("<a<b>)", None),
            ("<a", None),
            ("a(b)c)d", Some(("a(b)c", Plain))),
            ("a\\)b)", Some(("a\\)b", Plain))),
            ("a(b", None),
            (")", Some(("", Plain))),
            ("", Some(("", Plain))),
            ("a\u{7F}", Some(("a", Plain))),
            ("ä\u{A0}b)", Some(("ä\u{A0}b", Plain))),
        ] {
            let found = at_start(source.as_bytes());
            let found = found.map(|(span, form)| (span.of_str(source), form));
            assert_eq!(found, expected, "{source}");
        }
        let deep = |levels| format!("{}{}", "(".repeat(levels), ")".repeat(levels));
        assert!(at_start(deep(32).as_bytes()).is_some());
        assert!(at_start(deep(33).as_bytes()).is_none());
    }

    #[test]
    fn escapes_and_entities_are_decoded() {
        for (raw, form, expected) in [
            ("a\\(b\\)c", Plain, "a(b)c"),
            ("a\\b", Plain, "a%5Cb"),
            ("a&amp;b&copy=1&auml;", Angle, "a&b&copy=1ä"),
            ("&#35;&#x23;&#X23;&#;&#x;", Plain, "###&#;&#x;"),
            ("a&#0;b", Plain, "a\u{FFFD}b"),
            ("a&amp;b\\c", Autolink, "a&amp;b%5Cc"),
            ("a&amp;b", Verbatim, "a&amp;b"),
            ("a%20b?c#d", Path, "a%2520b%3Fc#d"),
            (".\\/\\_a%b.md", Script, "./_a%25b.md"),
            ("/a\" | relative_url }}#b", Tagged, "/a#b"),
            ("a%20b c.md %}#d", Tagged, "a%2520b c.md#d"),
        ] {
            assert_eq!(decode(raw.as_bytes(), form).as_str(), expected, "{raw}");
        }
    }

    #[test]
    fn edits_keep_the_spelling_and_are_read_as_wanted() {
        for (raw, form, old, new, expected) in [
            ("a/b\\_c.md", Plain, "a/", "d/e/", "d/e/b\\_c.md"),
            ("a(b)c", Plain, "a", "x(y)", "x(y)(b)c"),
            // The pair is broken up.
            ("a(b)c", Plain, "a(", "x(y(", "x\\(y\\(b\\)c"),
            ("a)b", Angle, "a", "x(", "x()b"),
            ("a b", Angle, "a", "<>", "\\<\\> b"),
            ("a", Plain, "a", "", "<>"),
            ("", Plain, "", "b", "b"),
            ("", Angle, "", "b", "b"),
            ("a", Definition, "a", "", "<>"),
            ("a&amp;b", Plain, "a", "x&copy;&y", "x&amp;copy;&y&amp;b"),
            ("a", Plain, "a", "b|c`d", "b\\|c\\`d"),
            ("a.md", Word, "a", "b-c_d", "b-c_d.md"),
            ("/a' | relative_url }}#b", Tagged, "/a#b", "/c/d#e", "/c/d' | relative_url }}#e"),
            ("a.md -%}#b", Tagged, "a", "c", "c.md -%}#b"),
            ("https://a/b", Autolink, "a/b", "c/(d", "https://c/(d"),
        ] {
            let text = decode(raw.as_bytes(), form);
            let at = text.as_str().find(old).unwrap();
            let change = TextEdit::new(at..at + old.len(), new);
            let wanted = change.apply(text.as_str());
            let edits = edits(raw.as_bytes(), &text, vec![change], form);
            let written = rehref_url::splice(raw.as_bytes(), &edits);
            let written = String::from_utf8(written).unwrap();
            assert_eq!(written, expected, "{raw}");
            if written != "<>" {
                assert_eq!(decode(written.as_bytes(), form).as_str(), wanted);
            }
        }
    }
}
