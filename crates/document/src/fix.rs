//! Fixes: replacements of single references, each at its place.

use std::collections::HashMap;
use std::sync::Arc;

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
    by_document: Arc<HashMap<String, HashMap<Span, Fix>>>,
}

impl Fixes {
    /// Collects fixes, each with the URL of its document.
    pub fn new(fixes: impl IntoIterator<Item = (String, Fix)>) -> Fixes {
        let mut by_document: HashMap<String, HashMap<Span, Fix>> = HashMap::new();
        for (document, fix) in fixes {
            by_document.entry(document).or_default().insert(fix.span, fix);
        }
        Fixes { by_document: Arc::new(by_document) }
    }

    /// The replacement for `reference`, at `span` of the document whose URL is `document`.
    pub fn replacement(&self, document: &str, span: Span, reference: &str) -> Option<&str> {
        let fix = self.by_document.get(document)?.get(&span)?;
        (fix.reference == reference).then_some(&*fix.replacement)
    }
}
