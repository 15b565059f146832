//! Scalars decoded and written: the escapes of their quoting, and the characters that mean something in a URL where a
//! scalar is the path of a file.

use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt::Write;

use encoding_rs::UTF_8;

use super::plain_scalar::{is_old_line_end, is_plain};
use crate::{Escape, Text};
use rehref_url::{TextEdit, percent_decoded, splice_text};

/// The quotes around a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quoting {
    /// YAML without quotes.
    YamlPlain,
    /// YAML in single quotes.
    YamlSingle,
    /// YAML in double quotes; strings of JSON.
    YamlDouble,
    /// Lines of YAML after `|` or `>`, each after this number of spaces. The first has none in the span.
    YamlBlock(u8),
    /// TOML in single quotes.
    TomlLiteral,
    /// TOML in double quotes.
    TomlBasic,
    /// JavaScript in single quotes.
    ScriptSingle,
}

/// Returns true if a scalar without quotes may become one with quotes when its text changes; see [`edits`].
pub fn gets_quotes(before: Quoting, after: Quoting) -> bool {
    before == Quoting::YamlPlain && matches!(after, Quoting::YamlSingle | Quoting::YamlDouble)
}

/// The syntax in which a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScalarSyntax {
    /// The quotes around the text.
    pub quoting: Quoting,
    /// True if the scalar is the path of a file, in which `%`, `?` and `#` have no special meaning.
    pub is_path: bool,
}

impl ScalarSyntax {
    /// Returns the syntax of a scalar that is a URL or any text, not a file path.
    pub fn of_text(quoting: Quoting) -> ScalarSyntax {
        ScalarSyntax { quoting, is_path: false }
    }
}

/// Decodes `raw`, the bytes of a scalar in UTF-8, without quotes. Turns the path of a file into the path of a
/// URL.
pub fn decode(raw: &[u8], syntax: ScalarSyntax) -> Text {
    let mut text = Text::default();
    let is_special = |byte| {
        let is_escape = match syntax.quoting {
            Quoting::YamlPlain | Quoting::TomlLiteral => false,
            Quoting::YamlSingle => byte == b'\'',
            Quoting::YamlDouble | Quoting::TomlBasic | Quoting::ScriptSingle => byte == b'\\',
            Quoting::YamlBlock(_) => byte == b'\n',
        };
        is_escape || syntax.is_path && in_path(char::from(byte)).is_some()
    };
    let escape = |rest: &[u8]| Ok::<_, Infallible>(escape_at_start(rest, syntax));
    let Ok(()) = text.append(raw, 0..raw.len(), UTF_8, is_special, escape);
    text
}

/// Returns the form in the path of a URL of a character that means something else there.
pub(crate) fn in_path(c: char) -> Option<&'static str> {
    match c {
        '%' => Some("%25"),
        '?' => Some("%3F"),
        '#' => Some("%23"),
        _ => None,
    }
}

fn escape_at_start(rest: &[u8], syntax: ScalarSyntax) -> Option<Escape> {
    let decoded = match (rest, syntax.quoting) {
        ([b'\'', b'\'', ..], Quoting::YamlSingle) => Some(('\'', 2)),
        ([b'\\', ..], Quoting::YamlDouble | Quoting::TomlBasic) => backslash(rest),
        ([b'\\', b'\'', ..], Quoting::ScriptSingle) => Some(('\'', 2)),
        ([b'\\', ..], Quoting::ScriptSingle) => backslash(rest),
        ([b'\n', line @ ..], Quoting::YamlBlock(indent)) => {
            let spaces = line.iter().take(usize::from(indent)).take_while(|b| **b == b' ');
            Some(('\n', 1 + spaces.count()))
        }
        _ => None,
    };
    if !syntax.is_path {
        return decoded.map(|(c, length)| (Cow::Owned(c.to_string()), length));
    }
    let first = rest.first().map(|byte| char::from(*byte));
    let (c, length) = decoded.or(first.map(|c| (c, 1)))?;
    let encoded = in_path(c).map(Cow::Borrowed);
    let own = || (length > 1).then(|| Cow::Owned(c.to_string()));
    encoded.or_else(own).map(|characters| (characters, length))
}

/// The escapes of one letter (YAML 1.2 section 5.7; TOML has some of them).
const LETTERS: &[(u8, char)] = &[
    (b'0', '\0'),
    (b'a', '\x07'),
    (b'b', '\x08'),
    (b't', '\t'),
    (b'n', '\n'),
    (b'v', '\x0B'),
    (b'f', '\x0C'),
    (b'r', '\r'),
    (b'e', '\x1B'),
    (b' ', ' '),
    (b'"', '"'),
    (b'/', '/'),
    (b'\\', '\\'),
    (b'N', '\u{85}'),
    (b'_', '\u{A0}'),
    (b'L', '\u{2028}'),
    (b'P', '\u{2029}'),
];

/// The escape at the start of `rest`: its character, and its length in bytes.
fn backslash(rest: &[u8]) -> Option<(char, usize)> {
    let letter = *rest.get(1)?;
    if let Some((_, c)) = LETTERS.iter().find(|(known, _)| *known == letter) {
        return Some((*c, 2));
    }
    let length = match letter {
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let digits = std::str::from_utf8(rest.get(2..2 + length)?).ok()?;
    let is_number = digits.bytes().all(|b| b.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(code)?, 2 + length))
}

/// Returns the edits of `raw`, a scalar with the decoded text `text`, that apply `changes` of the text, which
/// are in order and do not overlap. Adds quotes to a scalar without quotes if the result needs them.
pub fn edits(
    raw: &[u8],
    text: &Text,
    changes: Vec<TextEdit>,
    syntax: ScalarSyntax,
) -> Vec<TextEdit> {
    let wanted = splice_text(text.as_str(), &changes);
    // An escape of a URL may be in several changes.
    if !syntax.is_path {
        let written = text.source_edits(changes, |text| escape(text, syntax.quoting));
        if reads_as(&rehref_url::splice(raw, &written), &wanted, syntax) {
            return written;
        }
    }
    let value =
        if syntax.is_path { file_path(&wanted).unwrap_or_else(|| wanted.clone()) } else { wanted };
    let written = match syntax.quoting {
        Quoting::YamlPlain if value.contains(is_old_line_end) => {
            format!("\"{}\"", escape(&value, Quoting::YamlDouble))
        }
        Quoting::YamlPlain if !is_plain(&value) => {
            format!("'{}'", escape(&value, Quoting::YamlSingle))
        }
        quoting => escape(&value, quoting),
    };
    vec![TextEdit::new(0..raw.len(), written)]
}

/// The path of the file at `path`, the path of a URL; `None` if no text has it.
fn file_path(path: &str) -> Option<String> {
    String::from_utf8(percent_decoded(path).to_vec()).ok()
}

/// Returns true if `text` can be written in this syntax.
pub fn can_hold(text: &str, syntax: ScalarSyntax) -> bool {
    let value = if syntax.is_path { file_path(text) } else { Some(text.to_owned()) };
    value.is_some_and(|value| {
        let forbids = |c: char| {
            c.is_control()
                || match syntax.quoting {
                    Quoting::TomlLiteral => c == '\'',
                    // These have no escape for it.
                    Quoting::YamlSingle | Quoting::YamlBlock(_) => is_old_line_end(c),
                    _ => false,
                }
        };
        !value.contains(forbids)
    })
}

/// Returns true if `raw`, in place of a scalar of this syntax, is one whose text is `wanted`.
fn reads_as(raw: &[u8], wanted: &str, syntax: ScalarSyntax) -> bool {
    let reads_plain = || std::str::from_utf8(raw).is_ok_and(is_plain);
    (syntax.quoting != Quoting::YamlPlain || reads_plain())
        && decode(raw, syntax).as_str() == wanted
}

/// Escapes `text` for this quoting.
fn escape(text: &str, quoting: Quoting) -> String {
    match quoting {
        Quoting::YamlPlain | Quoting::TomlLiteral => text.to_owned(),
        Quoting::YamlSingle => text.replace('\'', "''"),
        Quoting::YamlBlock(indent) => {
            text.replace('\n', &format!("\n{}", " ".repeat(usize::from(indent))))
        }
        Quoting::YamlDouble | Quoting::TomlBasic | Quoting::ScriptSingle => {
            let quote = if quoting == Quoting::ScriptSingle { '\'' } else { '"' };
            let mut escaped = String::with_capacity(text.len());
            for c in text.chars() {
                if quoting != Quoting::TomlBasic && is_old_line_end(c) {
                    // JSON has this escape, too. Writing to a string returns no error.
                    let _ = write!(escaped, "\\u{:04x}", u32::from(c));
                    continue;
                }
                if c == quote || c == '\\' {
                    escaped.push('\\');
                }
                escaped.push(c);
            }
            escaped
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Quoting::*;

    #[test]
    fn escapes_are_those_of_the_quoting() {
        for (raw, quoting, expected) in [
            ("a\\nb''c", YamlPlain, "a\\nb''c"),
            ("a''b\\n'c", YamlSingle, "a'b\\n'c"),
            ("\\x41\\u00e4\\U0001F600\\/\\\"", YamlDouble, "Aä😀/\""),
            ("\\xG1\\u+123\\q\\uD800\\", YamlDouble, "\\xG1\\u+123\\q\\uD800\\"),
            ("a\\b''", TomlLiteral, "a\\b''"),
            ("a\\\\\\u0062", TomlBasic, "a\\b"),
            ("a\\n\n  b\n\n   c\r\n  d", YamlBlock(2), "a\\n\nb\n\n c\r\nd"),
        ] {
            let text = decode(raw.as_bytes(), ScalarSyntax::of_text(quoting));
            assert_eq!(text.as_str(), expected, "{raw}");
        }
    }

    #[test]
    fn the_path_of_a_file_is_the_path_of_a_url() {
        for (raw, quoting, expected) in [
            ("a b/100%.md", YamlPlain, "a b/100%25.md"),
            ("a#b?.md", YamlSingle, "a%23b%3F.md"),
            ("\\x23''\\u00e4", YamlDouble, "%23''ä"),
        ] {
            let syntax = ScalarSyntax { quoting, is_path: true };
            assert_eq!(decode(raw.as_bytes(), syntax).as_str(), expected, "{raw}");
        }
    }

    #[test]
    fn edits_are_read_as_wanted() {
        for (raw, quoting, is_path, old, new, expected) in [
            ("a/b.md", YamlPlain, false, "a/", "c/d/", "c/d/b.md"),
            ("a.md", YamlPlain, false, "a", "c: d", "'c: d.md'"),
            ("a.md", YamlPlain, false, "a.md", "1", "'1'"),
            ("a.md", YamlPlain, false, "a.md", "it's #1", "'it''s #1'"),
            ("a''b", YamlSingle, false, "b", "c'd", "a''c''d"),
            ("\\u00e4/a", YamlDouble, false, "a", "b\"c\\", "\\u00e4/b\\\"c\\\\"),
            ("a", TomlLiteral, false, "a", "b\\c", "b\\c"),
            ("a", TomlBasic, false, "a", "b\\c", "b\\\\c"),
            ("\\'/a", ScriptSingle, false, "a", "b'\"", "\\'/b\\'\""),
            ("a/x.md", YamlPlain, true, "a", "b%20c%25", "b c%/x.md"),
            ("a#b.md", YamlDouble, true, "a", "c%22", "c\\\"#b.md"),
            ("a.md", YamlPlain, true, "a", "%23a", "'#a.md'"),
            ("x\n  [a](b)\n  y", YamlBlock(2), false, "b", "c/d", "x\n  [a](c/d)\n  y"),
        ] {
            let syntax = ScalarSyntax { quoting, is_path };
            let text = decode(raw.as_bytes(), syntax);
            let at = text.as_str().find(old).unwrap();
            let change = TextEdit::new(at..at + old.len(), new);
            assert!(can_hold(&change.replacement, syntax));
            let edits = edits(raw.as_bytes(), &text, vec![change], syntax);
            let written = rehref_url::splice(raw.as_bytes(), &edits);
            assert_eq!(String::from_utf8(written).unwrap(), expected, "{raw}");
        }
    }

    #[test]
    fn what_a_scalar_cannot_hold() {
        for (text, quoting, is_path, expected) in [
            ("a'b", TomlLiteral, false, false),
            ("a'b", TomlBasic, false, true),
            ("a\nb", YamlDouble, false, false),
            ("a\u{2028}b", YamlDouble, false, true),
            ("a%E2%80%A8b", YamlPlain, true, true),
            ("a%E2%80%A8b", YamlSingle, true, false),
            ("a%FFb", YamlPlain, true, false),
            ("a%0Ab", YamlPlain, true, false),
            ("a%FFb", YamlPlain, false, true),
        ] {
            let syntax = ScalarSyntax { quoting, is_path };
            assert_eq!(can_hold(text, syntax), expected, "{text}");
        }
    }
}
