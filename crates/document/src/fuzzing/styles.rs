//! Properties of style sheets and of `srcset`.

use super::input::Input;
use crate::css::{CssSyntax, escape, urls};
use crate::srcset as candidates;
use rehref_url::Span;

/// Texts that replace URLs: characters that are hard in CSS, without U+0000, which CSS cannot express.
const REPLACEMENTS: &[&str] = &[
    "", "a", "f0", " ", "'", "\"", "()", "\\", "\\\n", "\n", "\r\n", "\x0C", "\t", "\x01\x7F", "<",
    "é", "/*", "#?/.",
];

/// All properties of a style sheet.
pub(super) fn css(data: &[u8]) {
    let mut input = Input::new(data);
    let with = [input.pick(REPLACEMENTS), input.pick(REPLACEMENTS)].concat();
    let numbers: Vec<usize> = (0..=255).collect();
    let ends = [input.pick(&numbers), input.pick(&numbers)];
    let pick = |end: usize| move |count: usize| end % count;
    let css = input.text();
    urls_are_in_order(&css);
    replaced_urls_are_read_back(&css, &with);
    replaced_pieces_are_read_back(&css, &with, &[&pick(ends[0]), &pick(ends[1])]);
}

/// The URLs of `css` are in order, do not overlap, and their texts map to their spans.
pub(crate) fn urls_are_in_order(css: &str) {
    let mut end = 0;
    for url in urls(css) {
        assert!(end <= url.span.start && url.span.start <= url.span.end);
        assert!(css.get(url.span.range()).is_some());
        let length = url.text.as_str().len();
        assert!(url.text.source_span(Span::from(0..length)).end <= url.span.len());
        end = url.span.end;
    }
}

fn texts(css: &str) -> Vec<(String, CssSyntax)> {
    let urls = urls(css).into_iter();
    urls.map(|url| (url.text.as_str().to_owned(), url.syntax)).collect()
}

/// A URL that `with` replaces reads as `with`, and all others as before.
pub(crate) fn replaced_urls_are_read_back(css: &str, with: &str) {
    let before = texts(css);
    for (at, url) in urls(css).into_iter().enumerate() {
        let mut expected = before.clone();
        expected[at].0 = with.to_owned();
        let mut edited = css.to_owned();
        edited.replace_range(url.span.range(), &escape(with, url.syntax));
        assert_eq!(texts(&edited), expected, "{edited:?}");
    }
}

/// Returns true if the raw text of a URL up to some place, `raw_before`, ends with an escape in hexadecimal
/// that would swallow a digit or a space after it (CSS Syntax Level 3 section 4.3.7): the model of
/// [`rehref_generators::Text::is_after_open_escape`].
pub(crate) fn is_open_escape(raw_before: &str) -> bool {
    let bytes = raw_before.as_bytes();
    let digits = bytes.iter().rev().take_while(|b| b.is_ascii_hexdigit()).count();
    // In a row of backslashes, every second one is escaped.
    let before = bytes.iter().rev().skip(digits);
    let backslashes = before.take_while(|&&b| b == b'\\').count();
    (1..=6).contains(&digits) && backslashes % 2 == 1
}

/// As [`replaced_urls_are_read_back`], for a part of each URL. `ends` pick its start and end from so many
/// places.
pub(crate) fn replaced_pieces_are_read_back(
    css: &str,
    with: &str,
    ends: &[&dyn Fn(usize) -> usize; 2],
) {
    let before = texts(css);
    for (at, url) in urls(css).into_iter().enumerate() {
        let text = url.text.as_str();
        let boundaries = (0..=text.len()).filter(|&i| text.is_char_boundary(i));
        let boundaries: Vec<usize> = boundaries.collect();
        let [a, b] = ends.map(|pick| boundaries[pick(boundaries.len())]);
        let (from, to) = (a.min(b), a.max(b));
        let source = url.text.source_span(Span::from(from..to));
        let source = url.span.start + source.start..url.span.start + source.end;
        // See `is_open_escape`: nothing can follow a backslash at the end of all.
        if source.start == css.len() && css.ends_with('\\') {
            continue;
        }
        let kept = &css[url.span.start..source.start];
        let space = if is_open_escape(kept) { " " } else { "" };
        let edit = format!("{space}{}", escape(with, url.syntax));
        let mut expected = before.clone();
        expected[at].0.replace_range(from..to, with);
        let mut edited = css.to_owned();
        edited.replace_range(source, &edit);
        assert_eq!(texts(&edited), expected, "{edited:?}");
    }
}

/// The URLs of a `srcset` are in order, and none is empty or holds white space; one that is replaced reads
/// as its replacement, and all others as before.
pub(super) fn srcset(data: &[u8]) {
    const WITH: &str = "x,y";
    let text = Input::new(data).text();
    let texts = |text: &str| -> Vec<String> {
        let spans = candidates::urls(text).into_iter();
        spans.map(|url| url.of_str(text).to_owned()).collect()
    };
    let before = texts(&text);
    let mut end = 0;
    for (at, span) in candidates::urls(&text).into_iter().enumerate() {
        let url = span.of_str(&text);
        assert!(
            end <= span.start
                && !url.is_empty()
                && !url.contains(|c: char| c.is_ascii_whitespace())
        );
        assert!(!url.starts_with(',') && !url.ends_with(','));
        end = span.end;
        let mut expected = before.clone();
        expected[at] = WITH.to_owned();
        let mut edited = text.clone();
        edited.replace_range(span.range(), WITH);
        assert_eq!(texts(&edited), expected, "{edited:?}");
    }
}
