//! A reference with what a policy needs to decide on it.

use encoding_rs::Encoding;

use rehref_document::Constraints;
use rehref_document::reference::Class;
use rehref_url::{AbsoluteUrl, Span};

/// A reference with the data that a policy needs to decide on it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'r> {
    /// The reference as the author wrote it, decoded.
    pub reference: &'r str,
    /// The text of the reference before the first template markup in it.
    pub known: &'r str,
    /// The place of the reference in the working bytes of the document.
    pub span: Span,
    /// The class of the reference, which decides whether it is resolved.
    pub class: Class,
    /// The constraints of the place on the URL.
    pub constraints: Constraints,
    /// The base URL before the run; `None` if it is unknown.
    pub base: Option<&'r AbsoluteUrl>,
    /// The base URL after the run; `None` if it is unknown.
    pub base_after: Option<&'r AbsoluteUrl>,
    /// The base URLs before and after the run, for a reference that the generator treats as a URL of the page
    /// if it finds no document. `None` for other references.
    pub page: Option<(&'r AbsoluteUrl, &'r AbsoluteUrl)>,
    /// True if a slash at the end of the reference names the directory, not the index file that servers send
    /// for it: in the `href` of a `base` element, or at the start of other URLs.
    pub names_folder: bool,
    /// True if the reference is a link in an HTML page that visitors follow.
    pub is_page: bool,
    /// True if the reference is in Markdown.
    pub is_markdown: bool,
    /// True in a file of a server whose rules match only paths.
    pub has_paths: bool,
    /// True in Markdown of a generator whose rules are not known.
    pub is_unread: bool,
    /// True if the page shows the target as an image.
    pub is_image: bool,
    /// True if `--keep-links` selects the element, so that the reference stays as written.
    pub is_kept: bool,
    /// True if a script of the page compares the reference, as written, with a path.
    pub is_compared: bool,
    /// The URL of the document before the run.
    pub own: &'r AbsoluteUrl,
    /// The URL of the document after the run.
    pub own_after: &'r AbsoluteUrl,
    /// True if servers send the document for URLs at any depth, so that references must not be relative to its own
    /// URL.
    pub is_served_anywhere: bool,
    /// True if the base URL after the run depends on the depth of the URL for which servers send the document.
    pub base_follows_depth: bool,
    /// The encoding of the query in the reference.
    pub encoding: &'static Encoding,
}
