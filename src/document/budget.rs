//! A limit on the memory that a document takes: for its references, for the parts of a message, and for what the
//! audit finds in it.
//!
//! Each resolved reference is a URL at least as long as its base URL: a page of 180 kB with a base URL of
//! 80 kB and 10,000 links would be rewritten to 800 MB. And what lists short references without a tag for
//! each (`ping`) takes hundreds of times its size.

use super::Document;
use super::container::Container;
use super::html::raw::TooComplex;
use super::reference::{BaseOf, Reference};

/// The bytes that any document may take, and the number of further ones per byte of source.
const BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 30;

/// The bytes of a reference, at least, besides its base URL: itself, its text, what is decided on it.
const REFERENCE: usize = 320;

/// The bytes of a part of a message, at least: its headers, its number, its type, its anchors.
const PART: usize = 1000;

/// The bytes that a document of `size` bytes may take.
pub(crate) fn memory_budget(size: usize) -> usize {
    size.saturating_mul(BYTES_PER_BYTE).saturating_add(BYTES)
}

/// The number of parts that a message of `size` bytes may have.
pub(super) fn most_parts(size: usize) -> usize {
    memory_budget(size) / PART
}

/// Checks that the references of `document` fit into the budget of its size, and into `memory`, the bytes
/// that are free.
///
/// # Errors
/// When they do not.
pub(super) fn check(document: &Document<'_>, memory: Option<usize>) -> Result<(), TooComplex> {
    let budget = memory_budget(document.working_bytes().len());
    let (mut left, error) = match memory {
        Some(memory) if memory < budget => (memory, TooComplex::Memory),
        _ => (budget, TooComplex::References),
    };
    let simple = document.simple.len().saturating_mul(REFERENCE);
    let bases = base_lengths(document);
    let costs = document.references.iter().map(|it| cost(it, &bases));
    for cost in costs.chain([simple]) {
        left = left.checked_sub(cost).ok_or(error)?;
    }
    Ok(())
}

/// The most bytes that the base URL of each scope has, beyond the document's own URL.
fn base_lengths(document: &Document<'_>) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::with_capacity(document.scopes.len());
    for scope in &document.scopes {
        let around = scope.parent.and_then(|at| lengths.get(at)).copied();
        let base = scope.base.and_then(|at| document.containers.get(at));
        let own = base.map_or(0, |Container { text, .. }| text.as_str().len());
        lengths.push(around.unwrap_or(0).saturating_add(own));
    }
    lengths
}

fn cost(reference: &Reference, bases: &[usize]) -> usize {
    let (scope, codebase) = match &reference.base {
        BaseOf::Scope(scope) | BaseOf::Fallback(scope) => (Some(scope), 0),
        BaseOf::Codebase(scope, codebase) => (Some(scope), codebase.len()),
        BaseOf::Unknown => (None, 0),
    };
    let base = scope.and_then(|at| bases.get(*at)).copied();
    // It is a base URL of the reference and a part of its target.
    let urls = base.unwrap_or(0).saturating_add(codebase).saturating_mul(2);
    urls.saturating_add(REFERENCE)
}

#[cfg(test)]
mod tests {
    use super::TooComplex;
    use crate::document::{Document, DocumentError, DocumentKind, ParseOptions};

    fn parse(kind: DocumentKind, source: &str) -> Result<usize, DocumentError> {
        let options = ParseOptions {
            kind,
            ..ParseOptions::default()
        };
        let document = Document::parse(source.as_bytes(), &options)?;
        Ok(document.references.len())
    }

    #[test]
    fn base_urls_that_many_references_take_are_refused() {
        let long = "x".repeat(40_000);
        let links = "<a href=y>".repeat(10_000);
        let applet = format!("<applet codebase={long} archive='{}'>", "a,".repeat(10_000));
        let srcdoc =
            format!("<base href=/{long}/><iframe srcdoc='<base href=/b/>{links}'></iframe>");
        for source in [format!("<base href=/{long}/>{links}"), applet, srcdoc] {
            assert_eq!(
                parse(DocumentKind::Html, &source),
                Err(TooComplex::References.into())
            );
        }
        let xml = format!(
            "<f xmlns='http://www.w3.org/2005/Atom' xml:base='/{long}/'>{}</f>",
            "<link href='y'/>".repeat(10_000)
        );
        assert_eq!(
            parse(DocumentKind::Xml, &xml),
            Err(TooComplex::References.into())
        );
    }

    #[test]
    fn lists_without_a_tag_for_each_reference_are_limited() {
        let page = |count| format!("<a ping='{}'>", "x ".repeat(count));
        assert_eq!(parse(DocumentKind::Html, &page(200_000)), Ok(200_000));
        assert_eq!(
            parse(DocumentKind::Html, &page(1_000_000)),
            Err(TooComplex::References.into())
        );
    }

    #[test]
    fn pages_of_nothing_but_links_fit() {
        let page = "<a href=x>".repeat(1_000_000);
        assert_eq!(parse(DocumentKind::Html, &page), Ok(1_000_000));
        let page = format!(
            "<base href=https://example.org/a/b/c/>{}",
            "<a href=x>".repeat(100_000)
        );
        assert_eq!(parse(DocumentKind::Html, &page), Ok(100_001));
    }

    #[test]
    fn messages_of_nothing_but_parts_are_limited() {
        let message = |parts: usize| {
            let head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
            format!("{head}{}", "--b\r\n\r\n".repeat(parts))
        };
        let parse = |parts| parse(DocumentKind::Message, &message(parts));
        assert_eq!(parse(50_000), Ok(0));
        assert_eq!(parse(150_000), Err(TooComplex::Parts.into()));
    }
}
