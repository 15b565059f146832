use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;

const PIECES: &[&str] = &[
    "url(",
    "URL( ",
    "src(",
    "image-set(",
    "@import ",
    "@namespace ",
    "@supports ",
    "var(",
    "f(",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    ":",
    " ",
    "\n",
    "\r\n",
    "\x0C",
    "'",
    "\"",
    "\\",
    "\\20",
    "\\20 ",
    "\\61",
    "\\)",
    "\\\n",
    "\\\r\n",
    "\\d800 ",
    "\0",
    "a",
    "b.png",
    "é",
    "\u{1F600}",
    "0",
    "/*",
    "*/",
    "<!--",
    "url(x)",
    "url('y')",
    "src(\"z\")",
    "\\75 rl(",
    "@import 'i';",
    "\u{1}",
    "#",
    "-",
    "--x",
    "1e",
    ".5",
    "+",
    "<",
    "//",
    "@",
];

/// Pieces of the raw text of a URL in any syntax.
const RAW_PIECES: &[&str] = &[
    "a",
    "5",
    "#",
    "é",
    "\\61",
    "\\20",
    "\\20 ",
    "\\1F600\n",
    "\\)",
    "\\'",
    "\\\\",
    "\0",
];

const AROUND: &[(&str, &str)] = &[
    ("url(", ")"),
    ("url( ", " )"),
    ("src('", "')"),
    ("@import \"", "\";"),
    ("image-set('\\\n", "\\\r\n')"),
];

fn css() -> impl Strategy<Value = String> {
    let pieces = |from, most| {
        proptest::collection::vec(select(from), 0..most).prop_map(|pieces| pieces.concat())
    };
    let url = (select(AROUND), pieces(RAW_PIECES, 6))
        .prop_map(|((before, after), raw)| [before, &raw, after].concat());
    prop_oneof![
        pieces(PIECES, 30),
        proptest::collection::vec(url, 1..3).prop_map(|urls| urls.concat()),
    ]
}

/// Pieces of URLs, and characters that are hard in CSS. Without U+0000, which CSS cannot express.
fn replacement() -> impl Strategy<Value = String> {
    "[a-f0-9/?#. '\"()\\\\\n\r\x0C\t\x01\x7F<é]{0,8}"
}

fn spoken(css: &str) -> Vec<(String, CssSyntax)> {
    urls(css)
        .into_iter()
        .map(|url| (url.text.as_str().to_owned(), url.syntax))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_string(css in any::<String>(), bytes in any::<Vec<u8>>(), css2 in css()) {
        charset(&bytes);
        is_open_escape(&css);
        urls(&css);
        let mut end = 0;
        for url in urls(&css2) {
            prop_assert!(end <= url.span.start && url.span.start <= url.span.end);
            prop_assert!(css2.get(url.span.range()).is_some());
            let length = url.text.as_str().len();
            prop_assert!(url.text.source_span(Span::from(0..length)).end <= url.span.len());
            end = url.span.end;
        }
    }

    #[test]
    fn whole_urls_are_replaced(css in css(), with in replacement()) {
        let before = spoken(&css);
        for (at, url) in urls(&css).into_iter().enumerate() {
            let mut expected = before.clone();
            expected[at].0 = with.clone();
            let mut edited = css.clone();
            edited.replace_range(url.span.range(), &escape(&with, url.syntax));
            prop_assert_eq!(spoken(&edited), expected, "{:?}", edited);
        }
    }

    #[test]
    fn pieces_of_urls_are_replaced(
        css in css(),
        with in replacement(),
        ends in any::<(Index, Index)>(),
    ) {
        let before = spoken(&css);
        for (at, url) in urls(&css).into_iter().enumerate() {
            let text = url.text.as_str();
            let boundaries: Vec<usize> =
                (0..=text.len()).filter(|&i| text.is_char_boundary(i)).collect();
            let (a, b) = (ends.0.get(&boundaries), ends.1.get(&boundaries));
            let (from, to) = (*a.min(b), *a.max(b));
            let source = url.text.source_span(Span::from(from..to));
            let source = url.span.start + source.start..url.span.start + source.end;
            // See `is_open_escape`: nothing can follow a backslash at the end of all.
            if source.start == css.len() && css.ends_with('\\') {
                continue;
            }
            let kept = &css[url.span.start..source.start];
            let space = if is_open_escape(kept) { " " } else { "" };
            let edit = format!("{space}{}", escape(&with, url.syntax));
            let mut expected = before.clone();
            expected[at].0.replace_range(from..to, &with);
            let mut edited = css.clone();
            edited.replace_range(source, &edit);
            prop_assert_eq!(spoken(&edited), expected, "{:?}", edited);
        }
    }
}
