//! `srcset` and `imagesrcset`: "parse a srcset attribute" (HTML Standard section 4.8.4.3.10).

use rehref_url::Span;

/// Returns the spans of the URLs of all image candidates, including candidates whose descriptors browsers reject.
pub fn urls(text: &str) -> Vec<Span> {
    let mut urls = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        let end = rest.find(|c: char| c.is_ascii_whitespace());
        let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
        if token.is_empty() {
            return urls;
        }
        let url = token.trim_end_matches(',');
        urls.extend(Span::within(text, url));
        // A comma at the end of the token ends the candidate: no descriptors follow.
        rest = if url == token { after_descriptors(after) } else { after };
    }
}

/// The text after the descriptors that `text` begins with: after the next comma outside parentheses.
fn after_descriptors(text: &str) -> &str {
    let mut in_parentheses = false;
    let end = text.find(|c| {
        match c {
            '(' => in_parentheses = true,
            ')' => in_parentheses = false,
            _ => {}
        }
        c == ',' && !in_parentheses
    });
    end.and_then(|at| text.get(at + 1..)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::urls;

    #[test]
    fn commas_and_descriptors_divide_candidates() {
        for (text, expected) in [
            ("", &[][..]),
            (" , ,", &[]),
            ("a.png", &["a.png"]),
            ("a.png 1x, b.png 2x", &["a.png", "b.png"]),
            ("a.png,b.png 2x", &["a.png,b.png"]),
            ("a.png, b.png", &["a.png", "b.png"]),
            ("a.png,, b.png", &["a.png", "b.png"]),
            ("data:,x 1x,\tc 100w 50h ,d", &["data:,x", "c", "d"]),
            ("a (1,2) , b", &["a", "b"]),
            ("a (1,2 , b", &["a"]),
            ("w_400,h_300/ä.jpg 400w", &["w_400,h_300/ä.jpg"]),
        ] {
            let found: Vec<&str> = urls(text).iter().map(|url| url.of_str(text)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
