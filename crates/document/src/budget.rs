//! A limit on the memory that a document takes: for its references, for the parts of a message, and for what the
//! audit finds in it.
//!
//! Each resolved reference is a URL at least as long as its base URL: a page of 180 kB with a base URL of
//! 80 kB and 10,000 links would be rewritten to 800 MB. And what lists short references without a tag for
//! each (`ping`) takes hundreds of times its size.

use super::container::Container;
use super::document::Document;
use super::html::raw::{TooComplex, Wanted};
use super::options::ParseOptions;
use super::reference::{BaseOf, Reference};
use rehref_generators::memory_budget;

/// The bytes of a reference, at least, besides its base URL: itself, its text, what is decided on it.
const REFERENCE: usize = 320;

/// The further bytes of a reference that has a container of its own.
pub(super) const CONTAINER: usize = 40;

/// The further bytes of a reference in CSS, JSON or a redirect rule. Such a reference may be three bytes long, and a
/// growing list has room for twice its items.
pub(super) const PIECE: usize = 100;

/// The bytes of a part of a message, at least: its headers, its number, its type, its anchors.
const PART: usize = 1000;

/// Returns the number of parts that a message of `size` bytes may have.
pub(super) fn most_parts(size: usize) -> usize {
    memory_budget(size) / PART
}

/// The memory that is left for the references of a document while they are collected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// `None` once it is exceeded.
    left: Option<usize>,
    /// The error when it is exceeded.
    error: TooComplex,
}

impl Budget {
    /// Returns the budget of a document of `size` bytes, or `memory`, the bytes that are free, if that is less.
    pub(super) fn new(size: usize, memory: Option<usize>) -> Budget {
        let budget = memory_budget(size);
        match memory {
            Some(memory) if memory < budget => {
                Budget { left: Some(memory), error: TooComplex::Memory }
            }
            _ => Budget { left: Some(budget), error: TooComplex::References },
        }
    }

    pub(super) fn take(&mut self, bytes: usize) {
        self.left = self.left.and_then(|left| left.checked_sub(bytes));
    }

    pub(super) fn take_references(&mut self, count: usize) {
        self.take(count.saturating_mul(REFERENCE));
    }

    /// Takes the memory of a text that is longer than its source of `length` bytes: it is a text and a part
    /// of a target.
    pub(super) fn take_expansion(&mut self, text: &str, length: usize) {
        let more = text.len().saturating_sub(length);
        self.take(more.saturating_mul(2));
    }

    /// Returns the number of things of `size` bytes that fit.
    pub(super) fn room_for(&self, size: usize) -> usize {
        self.left.unwrap_or(0) / size.max(1)
    }

    /// Returns the data of a reader that leaves the references to an extractor.
    pub(super) fn wanted(&self, options: &ParseOptions) -> Wanted {
        Wanted { memory: self.room_for(1), ..options.wanted() }
    }

    /// Takes the memory of a list that is read before its contents are taken, until [`Budget::give_back`].
    pub(super) fn take_list<T>(&mut self, list: &[T]) -> usize {
        // It may have room for twice as many.
        let bytes = size_of_val(list).saturating_mul(2);
        self.take(bytes);
        bytes
    }

    /// Gives back what [`Budget::take_list`] took.
    pub(super) fn give_back(&mut self, bytes: usize) {
        self.left = self.left.map(|left| left.saturating_add(bytes));
    }

    pub(super) fn exceed(&mut self) {
        self.left = None;
    }

    /// # Errors
    /// When more was taken than there is.
    pub(super) fn result(&self) -> Result<(), TooComplex> {
        self.left.map(|_| ()).ok_or(self.error)
    }
}

/// Checks that the references of `document` fit into the budget of its size, and into `memory`, the bytes
/// that are free.
///
/// # Errors
/// Returns an error if they do not.
pub(super) fn check(document: &Document<'_>, memory: Option<usize>) -> Result<(), TooComplex> {
    let mut budget = Budget::new(document.working_bytes().len(), memory);
    budget.take_references(document.simple.len());
    let bases = base_lengths(document);
    for reference in &document.references {
        budget.take(cost(reference, &bases));
    }
    budget.result()
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
        BaseOf::Codebase(scope, codebase) => (Some(scope), codebase.url.len()),
        BaseOf::Unknown => (None, 0),
    };
    let base = scope.and_then(|at| bases.get(*at)).copied();
    // It is a base URL of the reference and a part of its target.
    let urls = base.unwrap_or(0).saturating_add(codebase).saturating_mul(2);
    urls.saturating_add(REFERENCE)
}

#[cfg(test)]
mod tests {
    use super::{CONTAINER, Container, REFERENCE, Reference, TooComplex};
    use crate::{Document, DocumentError, DocumentKind, ParseOptions};
    use rehref_url::TextEdit;

    fn parse(kind: DocumentKind, source: &str) -> Result<usize, DocumentError> {
        let options = ParseOptions { kind, ..ParseOptions::default() };
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
            assert_eq!(parse(DocumentKind::Html, &source), Err(TooComplex::References.into()));
        }
        let xml = format!(
            "<f xmlns='http://www.w3.org/2005/Atom' xml:base='/{long}/'>{}</f>",
            "<link href='y'/>".repeat(10_000)
        );
        assert_eq!(parse(DocumentKind::Xml, &xml), Err(TooComplex::References.into()));
    }

    #[test]
    fn lists_without_a_tag_for_each_reference_are_limited() {
        let page = |count| format!("<a ping='{}'>", "x ".repeat(count));
        assert_eq!(parse(DocumentKind::Html, &page(200_000)), Ok(200_000));
        assert_eq!(parse(DocumentKind::Html, &page(1_000_000)), Err(TooComplex::References.into()));
    }

    #[test]
    fn every_carrier_stops_where_the_memory_ends() {
        let repeat = |before: &str, piece: &str, after: &str| {
            format!("{before}{}{after}", piece.repeat(1000))
        };
        let svg = "<svg xmlns='http://www.w3.org/2000/svg'>";
        let manifest = |urls: &str| format!("{{\"icons\":[{urls}{{\"src\":\"x\"}}]}}");
        for (kind, source) in [
            (DocumentKind::Html, repeat("", "<a href=x>", "")),
            (DocumentKind::Html, repeat("<style>", "a{b:url(x)}", "</style>")),
            (DocumentKind::Html, repeat("", "<iframe srcdoc='<a href=x>'></iframe>", "")),
            (
                DocumentKind::Xhtml,
                repeat("<html xmlns='http://www.w3.org/1999/xhtml'>", "<a href='x'/>", "</html>"),
            ),
            (DocumentKind::Xml, repeat(svg, "<a href='x'/>", "</svg>")),
            (DocumentKind::Xml, repeat(svg, "<style>a{b:url(x)}</style>", "</svg>")),
            (DocumentKind::Css, repeat("", "a{b:url(x)}", "")),
            (DocumentKind::WebManifest, manifest(&"{\"src\":\"x\"},".repeat(999))),
        ] {
            let parse = |memory| {
                let options =
                    ParseOptions { kind, memory: Some(memory), ..ParseOptions::default() };
                let document = Document::parse(source.as_bytes(), &options)?;
                Ok(document.references.len())
            };
            assert_eq!(parse(2_000_000), Ok(1000), "{kind:?} {source:.60}");
            let memory: Result<_, DocumentError> = Err(TooComplex::Memory.into());
            for little in [0, 10_000, 319_999] {
                assert_eq!(parse(little), memory, "{kind:?} {source:.60}");
            }
        }
    }

    #[test]
    fn what_is_charged_is_not_less_than_what_is_kept() {
        // A text has a block of its own, 32 bytes at least; a changed reference an edit with its text, too.
        let kept = size_of::<Container>() + size_of::<Reference>() + 32;
        let changed = size_of::<Vec<TextEdit>>() + size_of::<TextEdit>() + 64;
        assert!(kept + changed <= REFERENCE + CONTAINER, "{kept} {changed}");
    }

    #[test]
    fn lists_of_very_short_urls_are_charged_while_they_are_read() {
        let urls = |piece: &str| [piece; 1000].concat();
        let script = format!(
            "<script type=speculationrules>{{\"prefetch\":[{{\"urls\":[{}\"x\"]}}]}}</script>",
            urls("\"x\",")
        );
        let css = format!("a{{b:image-set({})}}", urls("\"x\","));
        for (kind, source) in [(DocumentKind::Html, script), (DocumentKind::Css, css)] {
            let parse = |memory| {
                let options =
                    ParseOptions { kind, memory: Some(memory), ..ParseOptions::default() };
                let document = Document::parse(source.as_bytes(), &options)?;
                Ok(document.references.len())
            };
            let error: Result<usize, DocumentError> = Err(TooComplex::Memory.into());
            assert!(parse(700_000).is_ok_and(|found| found >= 1000), "{kind:?}");
            assert_eq!(parse(430_000), error, "{kind:?}");
        }
    }

    #[test]
    fn entities_that_many_references_use_are_refused() {
        let page = |length| {
            let entity = "x".repeat(length);
            let uses = "<a href='&e;'/>".repeat(2000);
            format!(
                "<!DOCTYPE svg [<!ENTITY e \"{entity}\">]><svg xmlns='http://www.w3.org/2000/svg'>{uses}</svg>"
            )
        };
        assert_eq!(parse(DocumentKind::Xml, &page(1000)), Ok(2000));
        assert_eq!(parse(DocumentKind::Xml, &page(20_000)), Err(TooComplex::References.into()));
    }

    #[test]
    fn values_of_json_are_limited() {
        let nested =
            |depth: usize| format!("{{\"icons\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        let parse = |depth| parse(DocumentKind::WebManifest, &nested(depth));
        assert_eq!(parse(1_000_000), Ok(0));
        assert_eq!(parse(6_000_000), Err(TooComplex::References.into()));
    }

    #[test]
    fn pages_of_nothing_but_links_fit() {
        let page = "<a href=x>".repeat(1_000_000);
        assert_eq!(parse(DocumentKind::Html, &page), Ok(1_000_000));
        let page =
            format!("<base href=https://example.org/a/b/c/>{}", "<a href=x>".repeat(100_000));
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
