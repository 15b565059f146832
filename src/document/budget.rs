//! A limit on the memory that the references of a document take.
//!
//! Each resolved reference is a URL at least as long as its base URL: a page of 180 kB with a base URL of
//! 80 kB and 10,000 links would be rewritten to 800 MB. And what lists short references without a tag for
//! each (`ping`) takes hundreds of times its size.

use super::container::Container;
use super::reference::{BaseOf, Reference};
use super::{Document, DocumentError};

/// The bytes that the references of any document may take, and the number of further ones per byte of
/// source.
const BYTES: usize = 64 << 20;
const BYTES_PER_BYTE: usize = 30;

/// The bytes of a reference, at least, besides its base URL.
const REFERENCE: usize = 200;

/// Checks that the references of `document` fit into the budget of its size.
///
/// # Errors
/// [`DocumentError::TooLarge`] when they do not.
pub(super) fn check(document: &Document<'_>) -> Result<(), DocumentError> {
    let mut left = document
        .working_bytes()
        .len()
        .saturating_mul(BYTES_PER_BYTE)
        .saturating_add(BYTES);
    let simple = document.simple.len().saturating_mul(REFERENCE);
    let bases = base_lengths(document);
    let costs = document.references.iter().map(|it| cost(it, &bases));
    for cost in costs.chain([simple]) {
        left = left.checked_sub(cost).ok_or(DocumentError::TooLarge)?;
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
                Err(DocumentError::TooLarge)
            );
        }
        let xml = format!(
            "<f xmlns='http://www.w3.org/2005/Atom' xml:base='/{long}/'>{}</f>",
            "<link href='y'/>".repeat(10_000)
        );
        assert_eq!(parse(DocumentKind::Xml, &xml), Err(DocumentError::TooLarge));
    }

    #[test]
    fn lists_without_a_tag_for_each_reference_are_limited() {
        let page = |count| format!("<a ping='{}'>", "x ".repeat(count));
        assert_eq!(parse(DocumentKind::Html, &page(300_000)), Ok(300_000));
        assert_eq!(
            parse(DocumentKind::Html, &page(1_000_000)),
            Err(DocumentError::TooLarge)
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
}
