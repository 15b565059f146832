//! Properties of URLs, for generated base URLs and references.

use crate::fuzzing::pieces;
use crate::fuzzing::urls::*;
use crate::{RelativeForm, Standard};
use encoding_rs::{Encoding, UTF_8};
use proptest::prelude::*;
use proptest::sample::select;

use crate::test_data::cases;

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::collection::vec(select(pieces::URL), 0..10).prop_map(|tokens| tokens.concat()),
        1 => any::<String>(),
    ]
}

fn base() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => select(pieces::BASE_URLS).prop_map(str::to_owned),
        1 => (select(pieces::BASE_URLS), text()).prop_map(|(base, text)| {
            Standard::Whatwg.resolve(base, &text, UTF_8).unwrap_or_else(|_| base.to_owned())
        }),
        1 => text(),
    ]
}

fn encoding() -> impl Strategy<Value = &'static Encoding> {
    select(ENCODINGS)
}

fn standard() -> impl Strategy<Value = Standard> {
    select(Standard::all().collect::<Vec<_>>())
}

fn form() -> impl Strategy<Value = RelativeForm> {
    select(RelativeForm::all().collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

    #[test]
    fn a_serialization_parses_to_itself(base in base(), text in text(), encoding in encoding()) {
        serialization_parses_to_itself(&base, &text, encoding);
    }

    #[test]
    fn what_is_relativized_resolves_back(
        base in base(),
        text in text(),
        standard in standard(),
        form in form(),
        allow_empty: bool,
    ) {
        relativized_resolves_back(standard, &base, &text, form, allow_empty);
    }

    #[test]
    fn whatwg_always_has_a_shortest_reference(base in base(), text in text()) {
        shortest_reference_exists(&base, &text);
    }

    #[test]
    fn a_respelling_leads_where_it_should(
        before in base(),
        after in base(),
        author in text(),
        encoding in encoding(),
    ) {
        respelling_keeps_the_target(&before, &after, &author, encoding);
    }

    #[test]
    fn respelling_under_the_other_standards(
        author in text(),
        standard in standard(),
        base in base(),
    ) {
        respelling_means_the_target(standard, &base, &author);
    }

    #[test]
    fn no_text_panics(base in text(), text in text()) {
        nothing_panics(&base, &text);
    }
}
