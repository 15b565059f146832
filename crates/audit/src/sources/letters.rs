//! Text as its letters and digits alone. Generators keep these, whatever they do to white space, quotes,
//! dashes and markup.

/// The number of letters on each side of a link that are compared.
const REACH: usize = 24;

/// Appends the letters and digits of `text`, in lower case.
pub(super) fn push(letters: &mut String, text: &str) {
    for c in text.chars() {
        push_char(letters, c);
    }
}

/// Appends `c` in lower case, if it is a letter or a digit.
pub(super) fn push_char(letters: &mut String, c: char) {
    match c {
        _ if c.is_ascii_alphanumeric() => letters.push(c.to_ascii_lowercase()),
        _ if c.is_ascii() => {}
        _ if c.is_alphanumeric() => letters.extend(c.to_lowercase()),
        _ => {}
    }
}

/// The letters of `text`.
pub(super) fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    push(&mut letters, text);
    letters
}

/// The letters of a block before and after a place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Context {
    before: Box<str>,
    after: Box<str>,
    /// Whether the block starts where `before` does.
    starts: bool,
    /// Whether the block ends where `after` does.
    ends: bool,
}

impl Context {
    /// The context of the byte at `at` in the letters of a block.
    pub(super) fn of(block: &str, at: usize) -> Context {
        let (before, after) = block.split_at_checked(at).unwrap_or((block, ""));
        let start = before.char_indices().rev().nth(REACH - 1);
        let start = start.map_or(0, |(start, _)| start);
        let end = after.char_indices().nth(REACH);
        let end = end.map_or(after.len(), |(end, _)| end);
        Context {
            before: before.get(start..).unwrap_or_default().into(),
            after: after.get(..end).unwrap_or_default().into(),
            starts: start == 0,
            ends: end == after.len(),
        }
    }

    /// The number of letters that both contexts have next to the place, on both sides. A side on which all
    /// letters agree counts as if it had the most that are compared.
    pub(super) fn agreement(&self, other: &Context) -> usize {
        let before = (self.before.chars().rev(), other.before.chars().rev());
        let after = (self.after.chars(), other.after.chars());
        let is_same_start = self.starts == other.starts && self.before == other.before;
        let is_same_end = self.ends == other.ends && self.after == other.after;
        side(before, is_same_start) + side(after, is_same_end)
    }
}

/// The score of one side.
fn side(
    (one, other): (impl Iterator<Item = char>, impl Iterator<Item = char>),
    is_same: bool,
) -> usize {
    if is_same { REACH } else { one.zip(other).take_while(|(one, other)| one == other).count() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_what_generators_keep() {
        for (text, expected) in [
            ("See *the* “Guide”, don’t", "seetheguidedont"),
            ("ÄÖ_ß 12.3 漢字", "äöß123漢字"),
            ("--- ¶ &", ""),
        ] {
            assert_eq!(letters(text), expected);
        }
    }

    #[test]
    fn contexts_agree_from_the_place_outwards() {
        let long = "abcdefghijklmnopqrstuvwxyz";
        let block = format!("{long}|{long}").replace('|', "");
        for (one, at, other, there, expected) in [
            ("abcdef", 3, "abcdef", 3, 2 * REACH),
            ("", 0, "", 0, 2 * REACH),
            ("abcdef", 3, "xbcdef", 3, REACH + 2),
            ("abcdef", 3, "abcdefg", 3, REACH + 3),
            ("abcdef", 3, "abcxef", 3, REACH),
            ("abcdef", 3, "abcdef", 2, 0),
            // Farther letters are not compared.
            (&block, 26, &format!("x{block}x"), 27, 2 * REACH),
            (&block, 26, &format!("{long}{}", "abcdefghijklmnopqrstuvwx"), 26, REACH + 24),
        ] {
            let score = Context::of(one, at).agreement(&Context::of(other, there));
            assert_eq!(score, expected, "{one} {other}");
        }
    }
}
