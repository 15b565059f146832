//! An independent witness: a second opinion on what a run did to a document.
//!
//! It shares no code with `rehref`. HTML documents are parsed with html5ever's own tokenizer and
//! `RcDom` (scripting off), XML with a small reader of the witness's own; the two trees are walked
//! side by side, and everything that is not a link has to be equal. Links have to lead to the same
//! target; the table of attributes that hold links is a separate one, written from the HTML
//! Standard, its obsolete features and SVG 2. Style sheets are read by a CSS tokenizer of its own,
//! JSON by `serde_json`.
//!
//! It does *not* see: bytes of HTML that leave no trace in the tree (quotes, letter case of
//! tag names, white space inside tags). That is for a comparison of the bytes outside the edited
//! spans. Of CSS, JSON and XML it compares every character outside of links.

// Each test program uses a part of it; without Rust's harness (`tests/corpora`), none of its tests.
#![allow(dead_code, unreachable_pub, unused_imports)]

mod attributes;
mod comparison;
mod css;
mod encoding;
mod files;
mod json;
mod links;
mod nodes;
mod pairs;
mod rules;
mod tests;
mod trees;
mod values;
mod vocabularies;
mod xml;
mod xml_documents;

use std::rc::Rc;

use url::Url;

use comparison::{Comparison, Setting, Side, parse};
use encoding::decode;

pub use {
    encoding::sniff_encoding,
    files::{FileType, compare_file, file_type},
    pairs::{Link, LinkPair, list_links, pair_links},
    trees::{Expectation, TreeComparison, compare_trees, document_url},
};

const HTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";
const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";
const MATHML_NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";
const XLINK_NAMESPACE: &str = "http://www.w3.org/1999/xlink";
const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";

/// The requirements on the output, beyond that every link leads where it led. A `bool` is `absolute`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Every link is written as an absolute URL wherever that can be done.
    pub absolute: bool,
    /// The run was told to follow the links in JSON-LD.
    pub json_ld: bool,
    /// The run was told to follow `about` and `resource`.
    pub rdfa: bool,
    /// Links are collected in pairs, and may lead anywhere.
    pub pairs: bool,
}

impl From<bool> for Options {
    fn from(absolute: bool) -> Options {
        Options { absolute, ..Options::default() }
    }
}

/// The number of compared values. `changed` counts the values with URLs that differ as strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub elements: usize,
    pub url_attributes: usize,
    pub urls: usize,
    pub changed: usize,
    /// Documents, style sheets and data within the document: `srcdoc`, conditional comments,
    /// `style`, import maps, ...
    pub embedded: usize,
}

impl Stats {
    pub fn add(&mut self, other: Stats) {
        self.elements += other.elements;
        self.url_attributes += other.url_attributes;
        self.urls += other.urls;
        self.changed += other.changed;
        self.embedded += other.embedded;
    }
}

/// Compares an HTML document before and after a run.
///
/// Both are taken to stand at `document_url` and to be in the encoding the input declares. Every
/// link of `output` must lead where it led in `input`; with `absolute` it must also be written as
/// an absolute URL wherever that can be done. Nothing else in the tree may differ.
pub fn compare_documents(
    input: &[u8],
    output: &[u8],
    document_url: &Url,
    options: impl Into<Options>,
) -> Result<Stats, Vec<String>> {
    let document_url = Rc::new(document_url.clone());
    let document_urls = (Rc::clone(&document_url), document_url);
    walk_documents(input, output, document_urls, options.into())?.finish()
}

fn walk_documents(
    input: &[u8],
    output: &[u8],
    document_urls: (Rc<Url>, Rc<Url>),
    mut options: Options,
) -> Result<Comparison, Vec<String>> {
    let (encoding, mark) = sniff_encoding(input);
    if output.len() < mark || output[..mark] != input[..mark] {
        return Err(vec!["the byte order mark is lost".to_string()]);
    }
    let before = parse(&decode(&input[mark..], encoding), Setting::Page);
    let after = if input == output {
        None
    } else {
        Some(parse(&decode(&output[mark..], encoding), Setting::Page))
    };
    let after = after.as_ref().unwrap_or(&before);
    // Nobody knows what is relative to a base that a template will fill in.
    let is_template = |href: String| values::is_template_markup(&href);
    options.absolute &= !attributes::first_base_href(&before).is_some_and(is_template);
    let mut comparison = Comparison::new(
        Side::new(&before, &document_urls.0, encoding),
        Side::new(after, &document_urls.1, encoding),
        Setting::Page,
        options,
    );
    comparison.compare_trees(&before, after);
    Ok(comparison)
}
