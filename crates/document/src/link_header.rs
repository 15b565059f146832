//! The values of `Link` headers, in messages and in the files of hosts.

use super::metadata::Rel;
use super::srcset;
use rehref_url::Span;

/// Returns the spans of the references in a `Link`: in angle brackets, outside of quotes (RFC 8288 section 3), and in
/// a quoted `imagesrcset` (HTML Standard, "process link headers").
pub(crate) fn urls(text: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open = None;
    let mut quote = None;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match (c, open) {
            _ if is_escaped => is_escaped = false,
            ('\\', _) if quote.is_some() => is_escaped = true,
            ('"', None) => match quote.take() {
                None => quote = Some(at),
                Some(start) => found.extend(image_candidates(text, start, at)),
            },
            _ if quote.is_some() => {}
            ('<', None) => open = Some(at + 1),
            ('>', Some(_)) => found.extend(open.take().map(|start| Span::from(start..at))),
            _ => {}
        }
    }
    found
}

/// Returns the link types of the link in a `Link` whose reference is at `span`, by its parameters; none for an image
/// of an `imagesrcset`, which is not in angle brackets.
pub(crate) fn link_types(text: &str, span: Span) -> Rel {
    let before = text.get(..span.start).unwrap_or_default();
    if !before.trim_end().ends_with('<') {
        return Rel::NONE;
    }
    let rest = text.get(span.end..).unwrap_or_default();
    let mut is_quoted = false;
    let end = rest.find(|c| {
        is_quoted ^= c == '"';
        matches!(c, ',' | '<') && !is_quoted
    });
    let own = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    let value = |wanted: &str| {
        let mut parameters = own.split(';').filter_map(|it| it.split_once('='));
        let found = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case(wanted));
        found.map(|(_, value)| value.trim().trim_matches('"'))
    };
    Rel::of(value("rel"), value("hreflang"))
}

/// The URLs between the quotes at `start` and `end` if these hold an `imagesrcset` without escapes.
fn image_candidates(text: &str, start: usize, end: usize) -> Vec<Span> {
    let before = text.get(..start).and_then(|it| it.trim_ascii_end().strip_suffix('='));
    let name = before.and_then(|it| it.rsplit([';', ' ', '\t']).find(|word| !word.is_empty()));
    let value = text.get(start + 1..end).unwrap_or_default();
    if !name.is_some_and(|it| it.eq_ignore_ascii_case("imagesrcset")) || value.contains('\\') {
        return Vec::new();
    }
    srcset::urls(value).into_iter().map(|url| url.shifted(start + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_in_brackets_and_in_imagesrcset() {
        for (text, expected) in [
            ("<a>; rel=next", &["a"][..]),
            ("<a>; rel=\"x\", </b,c>; title=\"<d> \\\" <e>\"", &["a", "/b,c"]),
            (
                "<a>; rel=preload; ImageSrcset = \"b 1x, c,d 2x\"; title=\"e 1x\", <f>",
                &["a", "b", "c,d", "f"],
            ),
            ("<a>; imagesrcset=\"b\\\" 1x\"; ximagesrcset=\"c\"", &["a"]),
            ("<>", &[""]),
            ("<a", &[]),
            ("a", &[]),
        ] {
            let found: Vec<&str> =
                urls(text).into_iter().map(|range| &text[range.range()]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn an_image_of_a_link_has_no_link_types() {
        let text = "<a>; imagesrcset=\"b\"; rel=canonical";
        let types: Vec<bool> =
            urls(text).into_iter().map(|span| link_types(text, span).names_page()).collect();
        assert_eq!(types, [true, false]);
    }
}
