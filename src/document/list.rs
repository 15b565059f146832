//! Lists of URLs in one attribute value.

use crate::document::Span;

/// The byte ranges of the tokens of a "set of space-separated tokens" (HTML Standard section
/// 2.3.7; Infra, "split on ASCII whitespace").
pub fn space_separated(text: &str) -> Vec<Span> {
    tokens(text, |c| c.is_ascii_whitespace())
}

/// The byte ranges of the tokens of a comma-separated list, white space around them stripped
/// (HTML 4.01 section 13.4, `archive` of `applet`; Infra, "split on commas"). Empty ones are left out.
pub fn comma_separated(text: &str) -> Vec<Span> {
    tokens(text, |c| c == ',')
        .into_iter()
        .filter_map(|range| {
            let token = text.get(range.range())?;
            let start = range.start + token.len() - token.trim_ascii_start().len();
            let end = start + token.trim_ascii().len();
            (start < end).then_some(Span { start, end })
        })
        .collect()
}

fn tokens(text: &str, is_separator: impl Fn(char) -> bool) -> Vec<Span> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if is_separator(c) {
            if start < at {
                ranges.push(Span { start, end: at });
            }
            start = at + c.len_utf8();
        }
    }
    if start < text.len() {
        ranges.push(Span::from(start..text.len()));
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split() {
        let spaced = " a\tb,c\n\u{b}d ";
        let words: Vec<&str> = space_separated(spaced)
            .into_iter()
            .map(|range| &spaced[range.range()])
            .collect();
        assert_eq!(words, ["a", "b,c", "\u{b}d"]);

        let commas = " a.jar ,, b c.jar,ä.jar, ";
        let items: Vec<&str> = comma_separated(commas)
            .into_iter()
            .map(|range| &commas[range.range()])
            .collect();
        assert_eq!(items, ["a.jar", "b c.jar", "ä.jar"]);
        assert!(comma_separated("").is_empty());
    }
}
