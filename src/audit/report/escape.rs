//! Text that shows what is in it: nothing that moves the cursor or turns the direction of reading.

use std::borrow::Cow;

/// Whether a character does not show, or changes how others show.
pub(super) fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{FEFF}'
            | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FFF9}'..='\u{FFFB}'
            | '\u{FFFE}' | '\u{FFFF}'
            | '\u{E0000}'..='\u{E007F}')
}

/// How such a character is written: `\n`, `\u{1b}`.
pub(super) fn escaped(c: char) -> String {
    match c {
        '\t' | '\n' | '\r' => c.escape_default().to_string(),
        _ => c.escape_unicode().to_string(),
    }
}

/// The text with all such characters written out.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_unseen(c) {
            shown.push_str(&escaped(c));
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// At most `most` characters: of longer text the beginning and the end.
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
    fn what_does_not_show_is_written_out() {
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
