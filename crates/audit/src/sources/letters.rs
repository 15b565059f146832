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

/// Returns the letters of `text`.
pub(super) fn letters(text: &str) -> String {
    let mut letters = String::with_capacity(text.len());
    push(&mut letters, text);
    letters
}

/// The letters of a block before and after a place in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Context([Side; 2]);

/// The letters on one side of a place, from there outwards.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Side {
    letters: Box<str>,
    /// Whether these are all up to the start or the end of the block.
    is_whole: bool,
}

impl Side {
    fn of(mut outwards: impl Iterator<Item = char>) -> Side {
        let letters: String = outwards.by_ref().take(REACH).collect();
        Side { letters: letters.into(), is_whole: outwards.next().is_none() }
    }
}

impl Context {
    /// Returns the context of the byte at `at` in the letters of a block.
    pub(super) fn of(block: &str, at: usize) -> Context {
        let (before, after) = block.split_at_checked(at).unwrap_or((block, ""));
        Context([Side::of(before.chars().rev()), Side::of(after.chars())])
    }

    /// Returns the number of letters that both contexts have next to the place, on both sides. A side on which all
    /// letters agree counts as if it had the most that are compared.
    pub(super) fn agreement(&self, other: &Context) -> usize {
        let sides = self.0.iter().zip(&other.0);
        let common = sides.map(|(one, other)| {
            let pairs = one.letters.chars().zip(other.letters.chars());
            let same = pairs.take_while(|(one, other)| one == other);
            if one == other { REACH } else { same.count() }
        });
        common.sum()
    }
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
