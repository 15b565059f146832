//! A reference as the checks see it.

use encoding_rs::Encoding;

use crate::document::html::Usage;
use crate::document::reference::Class;
use crate::url::{AbsoluteUrl, ResolveError};

/// A reference as the checks see it.
#[derive(Clone, Copy)]
pub struct ReferenceContext<'r> {
    /// The reference as the author wrote it, decoded.
    pub reference: &'r str,
    /// Its class, which is known before it is resolved.
    pub class: Class,
    /// The use that the page makes of the target; computed only if a check needs it.
    pub usage: &'r dyn Fn() -> Usage,
    /// The base URL, if it is known.
    pub base: Option<&'r AbsoluteUrl>,
    /// The document's own URL.
    pub own: &'r AbsoluteUrl,
    /// The site's URL.
    pub site: &'r AbsoluteUrl,
    /// Whether the site is published at that URL; if not, it is a placeholder.
    pub is_published: bool,
    /// The target of the reference, or why it has none.
    pub target: Result<&'r AbsoluteUrl, &'r ResolveError>,
    /// Whether the target is a file of the site; then the reference is not a misspelt URL.
    pub target_exists: bool,
    /// The encoding of its query.
    pub encoding: &'static Encoding,
}

/// A reference without the white space around it, which belongs to the document.
pub(super) struct TrimmedReference<'r> {
    pub(super) text: &'r str,
    /// The byte of the reference at which the text starts.
    pub(super) start: usize,
}

impl<'r> TrimmedReference<'r> {
    pub(super) fn of(reference: &'r str) -> TrimmedReference<'r> {
        let text = reference.trim_ascii_start();
        TrimmedReference {
            start: reference.len() - text.len(),
            text: text.trim_ascii_end(),
        }
    }

    /// The text with `with` in place of the bytes from `from` to `to`.
    pub(super) fn replaced(&self, from: usize, to: usize, with: &str) -> Option<String> {
        let (before, after) = (self.text.get(..from)?, self.text.get(to..)?);
        Some([before, with, after].concat())
    }
}
