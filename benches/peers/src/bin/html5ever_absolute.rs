//! html5ever, its tree RcDom, the `url` crate and html5ever's serializer: `href` and `src` of all
//! elements. (RcDom's serializer leaves out what is in `template`.)

use std::process::ExitCode;

use html5ever::serialize::{SerializeOpts, serialize};
use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, local_name, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom, SerializableHandle};
use rehref_peers::Failure;
use url::Url;

fn main() -> ExitCode {
    rehref_peers::run(absolute)
}

fn absolute(html: &[u8], own: &str) -> Result<Vec<u8>, Failure> {
    let own = Url::parse(own)?;
    let dom = parse_document(RcDom::default(), ParseOpts::default())
        .from_utf8()
        .one(html);
    let base = base(&dom.document)
        .and_then(|href| own.join(&href).ok())
        .unwrap_or(own);
    for element in elements(&dom.document) {
        make_absolute(&element, &base);
    }
    let mut output = Vec::with_capacity(html.len() + html.len() / 4);
    let document = SerializableHandle::from(dom.document);
    serialize(&mut output, &document, SerializeOpts::default())?;
    Ok(output)
}

/// The `href` of the first `base` element that has one.
fn base(document: &Handle) -> Option<String> {
    elements(document).find_map(|element| {
        let NodeData::Element { name, attrs, .. } = &element.data else { return None };
        let attributes = attrs.borrow();
        let mut attributes = attributes.iter();
        (name.local == local_name!("base"))
            .then(|| attributes.find(|attribute| attribute.name.local == local_name!("href")))
            .flatten()
            .map(|attribute| attribute.value.to_string())
    })
}

fn make_absolute(element: &Handle, base: &Url) {
    let NodeData::Element { attrs, .. } = &element.data else { return };
    for attribute in attrs.borrow_mut().iter_mut() {
        let is_url = matches!(
            attribute.name.local,
            local_name!("href") | local_name!("src")
        );
        if is_url && let Ok(target) = base.join(&attribute.value) {
            attribute.value = target.as_str().into();
        }
    }
}

/// All elements in document order, without recursion: documents may nest deeply.
fn elements(document: &Handle) -> impl Iterator<Item = Handle> {
    let mut stack = vec![document.clone()];
    std::iter::from_fn(move || {
        let node = stack.pop()?;
        stack.extend(node.children.borrow().iter().rev().cloned());
        Some(node)
    })
    .filter(|node| matches!(node.data, NodeData::Element { .. }))
}
