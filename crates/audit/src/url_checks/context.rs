//! A reference as the checks see it.

use std::ops::Range;

use encoding_rs::Encoding;

use rehref_document::html::Usage;
use rehref_document::reference::Class;
use rehref_url::{AbsoluteUrl, ResolveError};

/// A reference as the checks see it.
#[derive(Clone, Copy)]
pub struct ReferenceContext<'r> {
    /// The reference as the author wrote it, decoded. The single checks get it without the white
    /// space around it, which belongs to the document.
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
    /// Whether the target is in the site and has no file, so that following the reference fails.
    pub target_is_missing: bool,
    /// The encoding of its query.
    pub encoding: &'static Encoding,
}

impl<'r> ReferenceContext<'r> {
    /// The URL to resolve a corrected reference against.
    pub(super) fn base_or_own(&self) -> &'r AbsoluteUrl {
        self.base.unwrap_or(self.own)
    }

    /// The reference with `text` in place of the bytes in `range`.
    pub(super) fn replaced(&self, range: Range<usize>, text: &str) -> Option<String> {
        let before = self.reference.get(..range.start)?;
        let after = self.reference.get(range.end..)?;
        Some([before, text, after].concat())
    }
}
