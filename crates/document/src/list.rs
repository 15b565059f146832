//! Lists of URLs in one attribute value.

use rehref_url::Span;

/// Returns the spans of the tokens of a "set of space-separated tokens" (HTML Standard section 2.3.7; Infra, "split on
/// ASCII whitespace").
pub fn space_separated(text: &str) -> Vec<Span> {
    let tokens = text.split_ascii_whitespace();
    tokens.filter_map(|token| Span::within(text, token)).collect()
}

/// Returns the spans of the tokens of a list with this separator, without the white space around them and without
/// empty tokens: commas (HTML 4.01 section 13.4, `archive` of `applet`; Infra, "split on commas"), semicolons (SMIL
/// Animation section 3.2.2, `values`).
pub fn separated_by(separator: char, text: &str) -> Vec<Span> {
    let tokens = text.split(separator).map(str::trim_ascii);
    tokens.filter(|token| !token.is_empty()).filter_map(|token| Span::within(text, token)).collect()
}

/// Returns the spans of the URLs in a list of pairs `name=value` with semicolons between them: the values of names
/// like `polling-uri2` (Microsoft, "Pinned sites and tiles").
pub fn values_of_uris(text: &str) -> Vec<Span> {
    let is_uri = |name: &str| {
        let name = name.trim_ascii().trim_end_matches(|last: char| last.is_ascii_digit());
        name.to_ascii_lowercase().ends_with("-uri")
    };
    let pairs = text.split(';').filter_map(|pair| pair.split_once('='));
    let values = pairs.filter(|(name, _)| is_uri(name)).map(|(_, value)| value.trim_ascii());
    values.filter(|it| !it.is_empty()).filter_map(|it| Span::within(text, it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split() {
        let spaced = " a\tb,c\n\u{b}d ";
        let words: Vec<&str> =
            space_separated(spaced).into_iter().map(|range| &spaced[range.range()]).collect();
        assert_eq!(words, ["a", "b,c", "\u{b}d"]);

        let commas = " a.jar ,, b c.jar,ä.jar, ";
        let items: Vec<&str> =
            separated_by(',', commas).into_iter().map(|range| &commas[range.range()]).collect();
        assert_eq!(items, ["a.jar", "b c.jar", "ä.jar"]);
        assert!(separated_by(',', "").is_empty());
        let values = separated_by(';', "a,b; ;c").into_iter();
        let values: Vec<&str> = values.map(|range| &"a,b; ;c"[range.range()]).collect();
        assert_eq!(values, ["a,b", "c"]);
        let pairs = "name=A;action-uri= ./a?b=c ;icon-uri=;Polling-URI2=d;cycle=1;uri=e;icon-uri";
        let values = values_of_uris(pairs).into_iter();
        let values: Vec<&str> = values.map(|range| &pairs[range.range()]).collect();
        assert_eq!(values, ["./a?b=c", "d"]);
    }
}
