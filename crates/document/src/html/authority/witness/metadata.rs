//! Anchors and ignore marks in html5ever's own parse.

use std::collections::{BTreeMap, BTreeSet};

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{NodeData, RcDom};

use crate::container::ContainerKind;
use crate::html::AttributeRow;
use crate::{Document, ParseOptions, Reference};

/// Returns each start tag with an `id` and an `itemid` (a URL) of its own, every third with an ignore mark.
pub(in crate::html::authority) fn numbered(html: &str) -> String {
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

/// The `id`s in the document tree, and the `name`s of its `a` elements; and for each `itemid` whether the HTML
/// elements that have it, or their ancestors, have an ignore mark.
type Expected = (BTreeSet<String>, BTreeMap<String, BTreeSet<bool>>);

fn expected(html: &str) -> Option<Expected> {
    super::without_panic(|| {
        let mut options = ParseOpts::default();
        options.tree_builder.scripting_enabled = false;
        let dom = parse_document(RcDom::default(), options).one(html);
        let mut found = Expected::default();
        let mut stack = vec![(dom.document.clone(), true, false)];
        while let Some((node, in_tree, around)) = stack.pop() {
            let mut marked = around;
            if let NodeData::Element { name, attrs, template_contents, .. } = &node.data {
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
                let is_html = name.ns == html5ever::ns!(html);
                if in_tree {
                    let old_name = value("name").filter(|_| is_html && &*name.local == "a");
                    let names = [value("id"), old_name].into_iter().flatten();
                    found.0.extend(names.filter(|name| !name.is_empty()));
                }
                if is_html && let Some(url) = value("itemid") {
                    found.1.entry(url).or_default().insert(marked);
                }
                if let Some(contents) = template_contents.borrow().as_ref() {
                    stack.push((contents.clone(), false, marked));
                }
            }
            let children = node.children.borrow();
            stack.extend(children.iter().map(|child| (child.clone(), in_tree, marked)));
        }
        found
    })
}

/// Returns the differences between the metadata and the witness, and the number of anchors.
pub(crate) fn compare_metadata(html: &str) -> Result<usize, String> {
    let html = numbered(html);
    let Some((ids, covered)) = expected(&html) else { return Ok(0) };
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
    // Values in a `srcdoc` are numbered, too, but not its elements; other attributes may have the same values.
    let is_own = |reference: &&Reference| {
        document.container_of(reference).is_some_and(|it| {
            let is_item = |row: &AttributeRow| row.attribute == "itemid";
            it.parent.is_none()
                && matches!(it.kind, ContainerKind::Attribute { row, .. } if is_item(row))
        })
    };
    for reference in document.references.iter().filter(is_own) {
        let url = document.text_of(reference);
        let is_covered = metadata.ignores(document.span_of(reference).start, "any");
        let is_numbered = url.strip_prefix('u').is_some_and(|n| n.parse::<u32>().is_ok());
        let allowed = covered.get(url);
        if is_numbered && !allowed.is_some_and(|allowed| allowed.contains(&is_covered)) {
            return Err(format!("{html}\n{url} is covered: {is_covered}, not {allowed:?}"));
        }
    }
    Ok(found.len())
}
