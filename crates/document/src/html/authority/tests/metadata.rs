//! Anchors and ignore marks against html5ever's own parse.

use proptest::prelude::*;

use super::super::witness::{compare_metadata, numbered};
use super::*;
use crate::Metadata;
use crate::metadata::Rel;

#[test]
fn html5lib_tree_construction_facts() {
    let Some(folder) = conformance_path("html5lib-tests/tree-construction") else { return };
    let (mut inputs, mut anchors) = (0, 0);
    for path in files_in(&folder, "dat") {
        let data = fs::read_to_string(&path).unwrap();
        for test in format!("\n{data}").split("\n#data\n").skip(1) {
            let html = test.split("\n#errors").next().unwrap();
            match compare_metadata(html) {
                Ok(count) => anchors += count,
                Err(difference) => panic!("{}: {difference}", path.display()),
            }
            inputs += 1;
        }
    }
    println!("{inputs} inputs, {anchors} anchors");
    assert!(inputs > 1500 && anchors > 3000);
}

#[test]
fn a_url_in_the_document_may_be_one_of_the_witness() {
    assert_eq!(compare_metadata("<p><img usemap=u2><p>").err(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn same_facts_as_html5ever(pieces in proptest::collection::vec(
        proptest::sample::select(super::properties::PIECES), 0..40,
    )) {
        prop_assert_eq!(compare_metadata(&pieces.concat()).err(), None);
    }

    #[test]
    fn facts_change_nothing_else(pieces in proptest::collection::vec(
        proptest::sample::select(super::properties::PIECES), 0..40,
    )) {
        let html = numbered(&pieces.concat());
        let with = |metadata| {
            let options = ParseOptions { metadata, ..ParseOptions::default() };
            let document = Document::parse(html.as_bytes(), &options).unwrap();
            let mut references = document.references.clone();
            for reference in &mut references {
                reference.rel = Rel::NONE;
            }
            let places: Vec<_> = references.iter().map(|r| document.span_of(r)).collect();
            (references, places, document.scopes.clone(), document.head_start)
        };
        prop_assert_eq!(with(true), with(false));
    }

    #[test]
    fn any_bytes_have_facts(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let options = ParseOptions { metadata: true, ..ParseOptions::default() };
        if let Ok(document) = Document::parse(&bytes, &options) {
            prop_assert!(document.metadata.unwrap_or_else(Metadata::default).bases.len() <= 1);
        }
    }
}
