//! Plain scalars of YAML: the texts that need no quotes.

/// Returns true if `text` can stand anywhere as a plain scalar, and programs read it as a string.
pub(super) fn is_plain(text: &str) -> bool {
    is_string(text)
        && !text.contains(is_old_line_end)
        && [format!("- {text}\n"), format!("[{text}]\n")].iter().all(|list| is_list_of(list, text))
}

/// Without a parser, every scalar gets quotes.
#[cfg(not(feature = "markdown"))]
fn is_list_of(_: &str, _: &str) -> bool {
    false
}

/// Returns true if `list` is a list of one plain scalar with this `value`.
#[cfg(feature = "markdown")]
fn is_list_of(list: &str, value: &str) -> bool {
    use saphyr_parser::{Event, Parser, ScalarStyle};

    let mut parser = Parser::new_from_str(list);
    let (mut nodes, mut is_value) = (0, false);
    while let Some(event) = parser.next_event() {
        match event {
            Ok((Event::Scalar(found, ScalarStyle::Plain, 0, None), _)) => {
                nodes += 1;
                is_value = found == value;
            }
            Ok((Event::SequenceStart(..), _)) => nodes += 1,
            Ok((Event::Scalar(..) | Event::MappingStart(..) | Event::Alias(_), _)) | Err(_) => {
                return false;
            }
            Ok(_) => {}
        }
    }
    nodes == 2 && is_value
}

/// The words that are not strings in YAML 1.1 or 1.2.
const WORDS: &[&str] =
    &["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", "=", "<<"];

/// Returns true if YAML 1.1 ends a line at `c`, which YAML 1.2 has as a character like others.
pub(super) fn is_old_line_end(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// Returns true if programs read the plain scalar `text` as a string, not as a number, a date or one of [`WORDS`].
fn is_string(text: &str) -> bool {
    let of_number = |c: char| c.is_ascii_digit() || "+-.:_ abcdefinotxzABCDEFINOTXZ".contains(c);
    let may_be_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && text.chars().all(of_number);
    !may_be_number && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_strings_wherever_they_stand() {
        for text in [
            "a/b.md", "01-intro.md", "a b", "1/2", "a#b", "v1.2", "ä", "a:b", "12:30.md", "=.md",
            "<<.md",
        ] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "", "a: b", "a #b", "- a", "[a", "a, b", "a]", "*a", "&a", "!a", "@a", "%a", "`a`",
            "'a'", "1", "1.5", "2024-01-01", "0x1F", "1e3", "yes", "NULL", " a", "a ", "#a",
            "a\nb", "a:", "?", "-", "=", "<<", "a\u{2028}b",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
