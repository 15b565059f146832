//! Fixes: replacements of single references, each at its place.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use rehref_url::Span;

/// A replacement for one reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The span of the reference in the working bytes of its document: in UTF-8 for UTF-16 and ISO-2022-JP,
    /// else in the bytes of the file.
    pub span: Span,
    /// The old reference as the author wrote it, decoded. If the document now has another reference at `span`,
    /// it has changed since, and the fix does not apply.
    pub reference: String,
    /// The new reference, decoded. It is escaped for its place when the document is written.
    pub replacement: String,
}

/// The fixes of a site's documents. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Fixes {
    by_document: Arc<FxHashMap<String, FxHashMap<Span, Fix>>>,
}

impl Fixes {
    /// Collects fixes, each with the URL of its document.
    pub fn new<'d>(fixes: impl IntoIterator<Item = (&'d str, Fix)>) -> Fixes {
        let mut by_document: FxHashMap<String, FxHashMap<Span, Fix>> = FxHashMap::default();
        for (document, fix) in fixes {
            let of_document = match by_document.get_mut(document) {
                Some(of_document) => of_document,
                None => by_document.entry(document.to_owned()).or_default(),
            };
            of_document.insert(fix.span, fix);
        }
        Fixes { by_document: Arc::new(by_document) }
    }

    /// Returns the replacement for `reference`, at `span` of the document whose URL is `document`.
    pub fn replacement(&self, document: &str, span: Span, reference: &str) -> Option<&str> {
        let fix = self.by_document.get(document)?.get(&span)?;
        (fix.reference == reference).then_some(&*fix.replacement)
    }
}
