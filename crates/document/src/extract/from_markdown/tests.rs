//! The examples of the CommonMark and GFM specifications: the HTML that they give tells which links there are.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::container::ContainerKind;
use crate::html::ValueKind;
use crate::test_data::conformance;
use crate::{Document, DocumentKind, ParseOptions};
use rehref_generators::markdown::MarkdownDialect;
use rehref_url::{TextEdit, Url, percent_decoded, splice};

/// The examples of one of the files, if it is there.
fn examples(file: &str) -> Vec<Value> {
    let examples = conformance(&format!("markdown/{file}"));
    examples.map_or_else(Vec::new, |json| serde_json::from_str(&json).unwrap())
}

fn parse(source: &str, kind: DocumentKind) -> Document<'_> {
    let options = ParseOptions { kind, metadata: true, ..ParseOptions::default() };
    Document::parse(source.as_bytes(), &options).unwrap()
}

fn markdown(source: &str, dialect: MarkdownDialect) -> Document<'_> {
    parse(source, DocumentKind::Markdown(dialect))
}

/// The URLs of links and images, in any spelling the same, without those of other schemes.
fn urls(document: &Document<'_>) -> BTreeSet<String> {
    let base = Url::parse("https://h/d/").unwrap();
    // Neither specification has wiki links.
    let references = document.references.iter().filter(|it| !it.constraints.is_wiki());
    let texts = references.map(|reference| document.text_of(reference));
    texts
        .filter(|text| !text.starts_with("mailto:") && !text.starts_with("xmpp:"))
        .map(|text| {
            // A scheme that is no real one may hold anything.
            let url = base.resolve(text, encoding_rs::UTF_8);
            let url = url.map_or_else(|_| text.to_owned(), |url| url.to_string());
            String::from_utf8_lossy(&percent_decoded(&url)).into_owned()
        })
        .collect()
}

/// Examples in which the HTML has other URLs than the Markdown, and why.
fn is_other(source: &str) -> bool {
    // URLs without a scheme get one, and FTP is read as text. The authority reads a footnote after an exclamation mark as an image.
    source.contains("www.") || source.contains("ftp://foo.bar.baz") || source.contains("![^1]")
}

fn check(file: &str, skip: impl Fn(&Value) -> bool) {
    let mut failed = Vec::new();
    for example in examples(file).iter().filter(|it| !skip(it)) {
        let source = example["markdown"].as_str().unwrap();
        let html = example["html"].as_str().unwrap();
        let number = &example["example"];
        let extensions = example["extensions"].as_str().unwrap_or_default();
        let dialect = if extensions.contains("autolink") {
            MarkdownDialect::GITHUB
        } else {
            MarkdownDialect::PLAIN
        };
        let found = markdown(source, dialect);
        let expected = urls(&parse(html, DocumentKind::Html));
        let mut own = urls(&found);
        // Definitions that nothing refers to have no place in the HTML.
        own.retain(|url| expected.contains(url) || !is_unused(&found, url));
        if own != expected {
            failed.push(format!("{number}: {source:?}\n  {own:?}\n  {expected:?}"));
        }
    }
    assert!(failed.is_empty(), "{}\n{}", failed.len(), failed.join("\n"));
}

/// Returns true if `url` is that of a definition only, which no link may use.
fn is_unused(document: &Document<'_>, url: &str) -> bool {
    let mut references = document.references.iter();
    let is_definition = |container: usize| {
        let kind = document.containers.get(container).map(|it| &it.kind);
        matches!(kind, Some(ContainerKind::Markdown(row)) if row.name == "link definition")
    };
    let base = Url::parse("https://h/d/").unwrap();
    references.any(|reference| {
        let text = document.text_of(reference);
        let own = base.resolve(text, encoding_rs::UTF_8);
        let own = own.map_or_else(|_| text.to_owned(), |it| it.to_string());
        let own = String::from_utf8_lossy(&percent_decoded(&own)).into_owned();
        own == url && is_definition(reference.container)
    })
}

#[test]
fn the_links_of_commonmark() {
    check("commonmark-0.31.json", |_| false);
}

#[test]
fn the_links_of_gfm() {
    check("gfm.json", |example| is_other(example["markdown"].as_str().unwrap()));
}

#[test]
fn a_new_destination_is_read_as_it_was_meant() {
    const NEW: &[&str] =
        &["new/place.md", "a(b/c)d(e.md#x", "x&copy;y&z=1|`w`", "", "a%20b.md?q=[1]*_~", "%5Ca(b"];
    let mut count = 0;
    for file in ["commonmark-0.31.json", "gfm.json"] {
        for example in examples(file) {
            let source = example["markdown"].as_str().unwrap();
            for new in NEW {
                count += rewrite_all(source, new);
            }
        }
    }
    println!("{count} destinations");
}

/// Replaces each URL of Markdown in `source` by `new`, where it can be written, and checks that exactly these are
/// read then.
fn rewrite_all(source: &str, new: &str) -> usize {
    let document = markdown(source, MarkdownDialect::GITHUB);
    let mut changes = vec![Vec::new(); document.containers.len()];
    let mut expected = Vec::new();
    for reference in &document.references {
        let container = &document.containers[reference.container];
        let text = document.text_of(reference);
        let is_absolute = reference.constraints.absolute;
        let wanted =
            if is_absolute { format!("https://new.example/{new}") } else { new.to_owned() };
        let is_own = matches!(container.kind, ContainerKind::Markdown(_))
            && !reference.constraints.is_wiki();
        let is_one = container.kind.rules().is_some_and(|it| it.kind == ValueKind::Url);
        // In running text, where a URL ends depends on what it ends with.
        let is_bare =
            matches!(&container.kind, ContainerKind::Markdown(row) if row.name == "URL in text");
        if is_own && is_one && !is_bare && container.can_hold(&wanted) {
            changes[reference.container].push(TextEdit::new(reference.span, wanted.clone()));
            expected.push(wanted);
        } else {
            expected.push(text.to_owned());
        }
    }
    let edits = document.edits(changes);
    let changed = splice(document.working_bytes(), &edits);
    let changed = String::from_utf8(changed).unwrap();
    let found = markdown(&changed, MarkdownDialect::GITHUB);
    let texts: Vec<&str> = found.references.iter().map(|it| found.text_of(it)).collect();
    assert_eq!(texts, expected, "{source:?} became {changed:?}");
    edits.len()
}

#[test]
fn html_ends_with_its_block_whatever_is_open_in_it() {
    for (source, expected) in [
        // A raw text element.
        ("<n>\n<style>url(\n\n<v>b", &[""][..]),
        ("<div>\n<style>a{b:url(x)}\n\n[l](y) <i>url(z)</i>\n", &["x", "y"]),
        ("<style>\na{b:url(x)}\n\nc{d:url(y)}\n</style>\n", &["x", "y"]),
        ("> <div>\n> <style>a{b:url(x)}\n> c{d:url(y)}</style>\n", &["x", "y"]),
        // The value of an attribute.
        ("<div><a href=\"x\n\n[l](y)\n\n<b title=\"\">\n", &["y"]),
        ("<div><a href=\"x\ny\">\n", &["x\ny"]),
        ("a <a\nhref=\"x\ny\">\n", &["x\ny"]),
        ("a <a href=x><img src=y\n/>\n", &["x", "y"]),
    ] {
        let document = markdown(source, MarkdownDialect::GITHUB);
        let references = document.references.iter();
        let found: Vec<&str> = references.map(|it| document.text_of(it)).collect();
        assert_eq!(found, expected, "{source}");
    }
}
