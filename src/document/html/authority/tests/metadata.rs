//! Anchors and ignore marks against html5ever's own parse.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::document::Metadata;
use crate::document::metadata::Rel;

/// Each start tag with an `id` and an `itemid` (a URL) of its own, every third with an ignore mark.
fn numbered(html: &str) -> String {
    let mut out = String::new();
    let mut number = 0;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let after = rest.get(at + 1..).unwrap();
        let name = after.find(|c: char| !c.is_ascii_alphanumeric());
        let name = &after[..name.unwrap_or(after.len())];
        out += &rest[..at + 1 + name.len()];
        if name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            out += &format!(" id=i{number} itemid=u{number} ");
            if number % 3 == 2 {
                out += "data-rehref-ignore ";
            }
            number += 1;
        }
        rest = &after[name.len()..];
    }
    out + rest
}

/// The `id`s in the document tree, and for each `itemid` whether the HTML elements that have it, or
/// their ancestors, have an ignore mark.
type Expected = (BTreeSet<String>, BTreeMap<String, BTreeSet<bool>>);

fn expected(html: &str) -> Option<Expected> {
    std::panic::catch_unwind(|| {
        let mut options = ParseOpts::default();
        options.tree_builder.scripting_enabled = false;
        let dom = parse_document(RcDom::default(), options).one(html);
        let mut found = Expected::default();
        let mut stack = vec![(dom.document.clone(), true, false)];
        while let Some((node, in_tree, around)) = stack.pop() {
            let mut marked = around;
            if let NodeData::Element {
                name,
                attrs,
                template_contents,
                ..
            } = &node.data
            {
                let attrs = attrs.borrow();
                let value = |wanted: &str| {
                    let own = attrs.iter().find(|attr| &*attr.name.local == wanted);
                    own.map(|attr| attr.value.to_string())
                };
                marked |= value("data-rehref-ignore").is_some_and(|list| {
                    let mut ids = list
                        .split(|c: char| c == ',' || c.is_ascii_whitespace())
                        .filter(|id| !id.is_empty())
                        .peekable();
                    ids.peek().is_none() || ids.any(|id| id == "any")
                });
                if in_tree {
                    found.0.extend(value("id").filter(|id| !id.is_empty()));
                }
                if name.ns == html5ever::ns!(html)
                    && let Some(url) = value("itemid")
                {
                    found.1.entry(url).or_default().insert(marked);
                }
                if let Some(contents) = template_contents.borrow().as_ref() {
                    stack.push((contents.clone(), false, marked));
                }
            }
            let children = node.children.borrow();
            stack.extend(
                children
                    .iter()
                    .map(|child| (child.clone(), in_tree, marked)),
            );
        }
        found
    })
    .ok()
}

/// The differences between the metadata and the witness, and the number of anchors.
fn compare_metadata(html: &str) -> Result<usize, String> {
    let html = numbered(html);
    let Some((ids, covered)) = expected(&html) else {
        return Ok(0);
    };
    let options = ParseOptions {
        charset: Some(encoding_rs::UTF_8),
        metadata: true,
        ..ParseOptions::default()
    };
    let document = Document::parse(html.as_bytes(), &options).map_err(|e| e.to_string())?;
    let metadata = document.metadata.as_ref().ok_or("no metadata")?;
    let found: BTreeSet<String> = metadata.anchors.iter().map(str::to_owned).collect();
    if found != ids {
        return Err(format!("{html}\nanchors: {found:?}\n{ids:?}"));
    }
    if !metadata.duplicate_ids.is_empty() {
        return Err(format!("{html}\nduplicates: {:?}", metadata.duplicate_ids));
    }
    for reference in &document.references {
        let url = document.text_of(reference);
        let is_covered = metadata.ignores(document.span_of(reference).start, "any");
        let is_numbered = url
            .strip_prefix('u')
            .is_some_and(|n| n.parse::<u32>().is_ok());
        let allowed = covered.get(url);
        if is_numbered && !allowed.is_some_and(|allowed| allowed.contains(&is_covered)) {
            return Err(format!(
                "{html}\n{url} is covered: {is_covered}, not {allowed:?}"
            ));
        }
    }
    Ok(found.len())
}

#[test]
fn html5lib_tree_construction_facts() {
    let Some(folder) = conformance("html5lib-tests/tree-construction") else {
        return;
    };
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
