use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::fuzzing::pieces;
use crate::fuzzing::styles::{
    is_open_escape, replaced_pieces_are_read_back, replaced_urls_are_read_back, urls_are_in_order,
};

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
    let url = (select(AROUND), pieces(pieces::CSS_URL, 6))
        .prop_map(|((before, after), raw)| [before, &raw, after].concat());
    prop_oneof![
        pieces(pieces::CSS, 30),
        proptest::collection::vec(url, 1..3).prop_map(|urls| urls.concat()),
    ]
}

/// Pieces of URLs, and characters that are hard in CSS. Without U+0000, which CSS cannot express.
fn replacement() -> impl Strategy<Value = String> {
    "[a-f0-9/?#. '\"()\\\\\n\r\x0C\t\x01\x7F<é]{0,8}"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn any_string(css in any::<String>(), bytes in any::<Vec<u8>>(), generated in css()) {
        charset(&bytes);
        is_open_escape(&css);
        urls(&css);
        urls_are_in_order(&generated);
    }

    #[test]
    fn whole_urls_are_replaced(css in css(), with in replacement()) {
        replaced_urls_are_read_back(&css, &with);
    }

    #[test]
    fn pieces_of_urls_are_replaced(
        css in css(),
        with in replacement(),
        ends in any::<(Index, Index)>(),
    ) {
        let pick = |index: Index| move |count: usize| index.index(count);
        replaced_pieces_are_read_back(&css, &with, &[&pick(ends.0), &pick(ends.1)]);
    }
}
