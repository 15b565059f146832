//! `srcset` and `imagesrcset`: "parse a srcset attribute" (HTML Standard section 4.8.4.3.10).

use crate::document::Span;

/// An image candidate string: byte ranges of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The URL.
    pub url: Span,
    /// The descriptors, white space around them stripped; empty where there are none.
    pub descriptors: Span,
}

/// All candidates of the value, those with descriptors that browsers reject included: their URL is
/// one all the same.
pub fn candidates(text: &str) -> Vec<Candidate> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let is_space = |b: u8| b.is_ascii_whitespace();
    let mut candidates = Vec::new();
    let mut position = 0;
    loop {
        while byte(position).is_some_and(|b| is_space(b) || b == b',') {
            position += 1;
        }
        let start = position;
        while byte(position).is_some_and(|b| !is_space(b)) {
            position += 1;
        }
        if start == position {
            return candidates;
        }
        let with_commas = bytes.get(start..position).unwrap_or_default();
        let commas = with_commas.iter().rev().take_while(|&&b| b == b',').count();
        let url = Span::from(start..position - commas);
        let descriptors = if commas > 0 {
            Span::at(url.end)
        } else {
            let end = descriptors_end(bytes, position);
            let raw = text.get(position..end).unwrap_or_default();
            let from = position + raw.len() - raw.trim_ascii_start().len();
            let range = Span::from(from..from + raw.trim_ascii().len());
            position = end + 1;
            range
        };
        candidates.push(Candidate { url, descriptors });
    }
}

/// The descriptor tokenizer's end of a candidate: the next comma outside parentheses, or the end.
fn descriptors_end(bytes: &[u8], from: usize) -> usize {
    let mut in_parens = false;
    for (at, b) in bytes.iter().enumerate().skip(from) {
        match b {
            b'(' => in_parens = true,
            b')' => in_parens = false,
            b',' if !in_parens => return at,
            _ => {}
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::candidates;

    fn parts(text: &str) -> Vec<(&str, &str)> {
        candidates(text)
            .into_iter()
            .map(|c| (&text[c.url.range()], &text[c.descriptors.range()]))
            .collect()
    }

    #[test]
    fn candidates_are_told_apart() {
        for (text, expected) in [
            ("", vec![]),
            (" , ,", vec![]),
            ("a.png", vec![("a.png", "")]),
            ("a.png 1x, b.png 2x", vec![("a.png", "1x"), ("b.png", "2x")]),
            ("a.png,b.png 2x", vec![("a.png,b.png", "2x")]),
            ("a.png, b.png", vec![("a.png", ""), ("b.png", "")]),
            ("a.png,, b.png", vec![("a.png", ""), ("b.png", "")]),
            (
                "data:,x 1x,\tc 100w 50h ,d",
                vec![("data:,x", "1x"), ("c", "100w 50h"), ("d", "")],
            ),
            ("a (1,2) , b", vec![("a", "(1,2)"), ("b", "")]),
            ("a (1,2 , b", vec![("a", "(1,2 , b")]),
            (
                "w_400,h_300/ä.jpg 400w",
                vec![("w_400,h_300/ä.jpg", "400w")],
            ),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
