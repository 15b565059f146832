//! Fixes: replacements of single references, each at its place.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use rehref_url::Span;

/// The replacement of one reference of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The place of the reference in the working bytes of its document.
    pub span: Span,
    /// The reference as the author wrote it, decoded. A document that now has another reference at
    /// `span` changed after the fix was found; the fix does not apply.
    pub reference: String,
    /// The new reference; it is escaped for its place when it is written.
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
