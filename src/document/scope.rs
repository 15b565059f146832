//! Scopes: parts of a document that have a base URL of their own.

/// A part of a document with a base URL: the document itself, a `srcdoc` document in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The scope whose base URL is the fallback base URL of this one; `None` for the document
    /// itself.
    pub parent: Option<usize>,
    /// The container of the `href` of the `base` element that counts.
    pub base: Option<usize>,
    /// The `base` element is in a `noscript`: browsers that run scripts ignore it.
    pub base_in_noscript: bool,
}
