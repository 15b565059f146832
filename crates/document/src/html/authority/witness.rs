//! The witness of the authority: html5ever's own tokenizer and `RcDom` on the same document.

mod metadata;

use std::collections::BTreeSet;
use std::panic::UnwindSafe;

use html5ever::interface::TreeSink;
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

use super::{Wanted, find_values, parser};
use crate::container::ContainerKind;
use crate::html::attributes;
use crate::html::element::Namespace;
use crate::{Document, ParseOptions};
use rehref_url::Span;

pub(crate) use metadata::compare_metadata;
#[cfg(test)]
pub(super) use metadata::numbered;

/// An element's namespace and name, and its attributes.
type ElementAndAttributes = (String, Vec<(String, String)>);

/// Elements in tree order with all their attributes; template contents included.
fn elements(document: &Handle) -> Vec<ElementAndAttributes> {
    let mut found = Vec::new();
    let mut stack = vec![document.clone()];
    while let Some(node) = stack.pop() {
        if let NodeData::Element { name, attrs, template_contents, .. } = &node.data {
            let attributes = attrs
                .borrow()
                .iter()
                .map(|attr| {
                    let prefix = attr.name.prefix.as_ref().map_or("", |prefix| prefix);
                    let separator = if prefix.is_empty() { "" } else { ":" };
                    let local = &attr.name.local;
                    (format!("{prefix}{separator}{local}"), attr.value.to_string())
                })
                .collect();
            found.push((format!("{}|{}", &*name.ns, &*name.local), attributes));
            if let Some(contents) = template_contents.borrow().as_ref() {
                stack.push(contents.clone());
            }
        }
        stack.extend(node.children.borrow().iter().rev().cloned());
    }
    found
}

/// html5ever's own parse. `None` where it panics, which 0.39 does for some `meta` contents.
fn witness(html: &str) -> Option<Vec<ElementAndAttributes>> {
    without_panic(|| {
        let mut options = ParseOpts::default();
        options.tree_builder.scripting_enabled = false;
        let dom = parse_document(RcDom::default(), options).one(html);
        elements(&dom.document)
    })
}

fn url_attributes(elements: &[ElementAndAttributes]) -> BTreeSet<(String, String, String)> {
    let mut found = BTreeSet::new();
    for (name, attributes) in elements {
        let (namespace, local) = name.split_once('|').unwrap();
        let namespace = match namespace {
            "http://www.w3.org/1999/xhtml" => Namespace::Html,
            "http://www.w3.org/2000/svg" => Namespace::Svg,
            _ => Namespace::MathMl,
        };
        let other = |wanted: &str| {
            attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        for (attribute, value) in attributes {
            if attributes::find(namespace, local, attribute, other).is_some() {
                found.insert((local.to_owned(), attribute.clone(), value.clone()));
            }
        }
    }
    found
}

/// Compares the authority with the witness, and returns the differences.
pub(crate) fn compare(html: &str) -> Result<usize, String> {
    let Some(expected) = witness(html) else {
        // No panic here is what remains to be shown.
        let _ = find_values(html.as_bytes(), 0, Wanted::VALUES);
        return Ok(0);
    };
    let without_content = |mut elements: Vec<ElementAndAttributes>| {
        for (name, attributes) in &mut elements {
            let local_name = name.rsplit('|').next().unwrap_or(name);
            if parser::LIKE_META.contains(&local_name) {
                attributes.retain(|(name, _)| name != "content");
            }
        }
        elements
    };
    let start = if html.starts_with('\u{FEFF}') { 3 } else { 0 };
    let parsed = parser::parse(html.as_bytes(), start, Wanted::VALUES);
    let found = without_content(elements(&parsed.dom().get_document()));
    if found != without_content(expected.clone()) {
        return Err(format!("elements differ:\n{found:?}\n{expected:?}"));
    }
    let options =
        ParseOptions { charset: Some(encoding_rs::UTF_8), rdfa: true, ..ParseOptions::default() };
    let document = Document::parse(html.as_bytes(), &options).map_err(|e| e.to_string())?;
    let values: BTreeSet<_> = document
        .containers
        .iter()
        .filter(|container| container.parent.is_none())
        .filter_map(|container| match &container.kind {
            ContainerKind::Attribute { element, row } => {
                let name = row.attribute;
                let text = container.text.as_str().to_owned();
                Some((element.name.clone().into_owned(), name.to_owned(), text))
            }
            _ => None,
        })
        .collect();
    let expected = url_attributes(&expected);
    if values != expected {
        return Err(format!("URL attributes differ:\n{values:?}\n{expected:?}"));
    }
    let spans = document.containers.iter().filter_map(|container| {
        let is_value = matches!(container.kind, ContainerKind::Attribute { .. });
        (is_value && container.parent.is_none()).then_some(container.span)
    });
    let spans: Vec<Span> = spans.collect();
    for pair in spans.windows(2) {
        if pair[0].end > pair[1].start {
            return Err(format!("spans overlap: {pair:?}"));
        }
    }
    Ok(values.len())
}

/// The result of `parse`; `None` where it panics.
fn without_panic<T>(parse: impl FnOnce() -> T + UnwindSafe) -> Option<T> {
    // Fuzzers end the process in the hook.
    #[cfg(fuzzing)]
    let hook = std::panic::take_hook();
    let parsed = std::panic::catch_unwind(parse);
    #[cfg(fuzzing)]
    std::panic::set_hook(hook);
    parsed.ok()
}
