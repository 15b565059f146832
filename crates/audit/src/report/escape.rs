//! Escapes text for reports: no character in them moves the cursor or changes the reading direction.

use std::borrow::Cow;

pub(super) use rehref_site::diagnostic::{escaped as visible, is_unseen};

/// Like [`visible`], but writes a character as `special` does, if that returns a text.
pub(super) fn visible_with(text: &str, special: impl Fn(char) -> Option<&'static str>) -> String {
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match special(c) {
            Some(replacement) => shown.push_str(replacement),
            None if is_unseen(c) => shown.extend(c.escape_default()),
            None => shown.push(c),
        }
    }
    shown
}

/// Returns the character reference for a character that is markup in HTML and XML, also in attributes in double
/// quotes.
pub(super) fn character_reference(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        _ => None,
    }
}

/// Text for HTML, also for attributes in double quotes, with invisible characters escaped.
pub(super) fn markup(text: &str) -> String {
    visible_with(text, character_reference)
}

/// Text for HTML, shortened to 300 characters: references and targets may be long.
pub(super) fn cut(text: &str) -> String {
    markup(&shortened(&visible(text), 300))
}

/// `text`, or the start and the end of a text of more than `most` characters.
pub(super) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= most {
        return Cow::Borrowed(text);
    }
    let kept = most.saturating_sub(1);
    let end = kept / 3;
    let head = text.chars().take(kept - end);
    let tail = text.chars().skip(count - end);
    Cow::Owned(head.chain(['…']).chain(tail).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_escaped() {
        for (text, expected) in [
            ("plain ünï 漢", "plain ünï 漢"),
            ("a\tb\nc\r", "a\\tb\\nc\\r"),
            ("\x1b[31m\0\x7f\u{85}", "\\u{1b}[31m\\u{0}\\u{7f}\\u{85}"),
            ("x\u{202e}gpj.exe", "x\\u{202e}gpj.exe"),
            ("\u{feff}", "\\u{feff}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn long_text_loses_its_middle() {
        for (text, most, expected) in [
            ("abcdef", 6, "abcdef"),
            ("abcdefg", 6, "abcd…g"),
            ("漢字漢字漢字漢字漢字", 7, "漢字漢字…漢字"),
            ("abc", 1, "…"),
        ] {
            assert_eq!(shortened(text, most), expected);
        }
    }
}
