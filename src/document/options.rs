//! The kind of a document and the options to parse it with.

use encoding_rs::Encoding;

use super::html::engine::Engine;
use super::redirects::RedirectSyntax;
use super::{Span, TemplateDialects, robots};

/// How to parse a document: what the caller knows about it, and what to collect.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// The kind of the document.
    pub kind: DocumentKind,
    /// Whether JSON-LD in `script` elements holds references.
    pub json_ld: bool,
    /// Whether the RDFa attributes `about` and `resource` hold references.
    pub rdfa: bool,
    /// The charset from `--charset` or a header. A byte order mark takes precedence.
    pub charset: Option<&'static Encoding>,
    /// Whether a server replaces the server-side includes of an HTML document, whose paths are
    /// references then.
    pub server_includes: bool,
    /// The template markup that makes a reference unknown.
    pub templates: TemplateDialects,
    /// Whether a document that begins with any headers is a message. Otherwise only well-known headers
    /// make it one; see [`super::message::sniff`].
    pub message: bool,
    /// Whether [`super::Document::metadata`] is collected.
    pub metadata: bool,
    /// Whether simple references of HTML go into [`super::Document::simple`] instead of
    /// [`super::Document::references`].
    pub simple: bool,
    /// The engine that reads HTML. All engines find the same references.
    pub engine: Engine,
}

/// The kind of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// HTML.
    #[default]
    Html,
    /// XHTML: read as XML, as browsers do.
    Xhtml,
    /// XML: SVG, feeds, sitemaps and others.
    Xml,
    /// A style sheet.
    Css,
    /// A web app manifest.
    WebManifest,
    /// `robots.txt`.
    Robots,
    /// Redirect rules of a server.
    Redirects(RedirectSyntax),
    /// A message: headers, and content that may be parts with headers of their own (MIME, MHTML).
    Message,
}

impl DocumentKind {
    /// For a kind of plain text in UTF-8: the function that finds the spans of its URLs in the text
    /// of a file. `None` for the kinds with a syntax of their own.
    pub(crate) fn plain_text(self) -> Option<fn(&str) -> Vec<Span>> {
        match self {
            DocumentKind::Robots => Some(robots::sitemaps),
            _ => None,
        }
    }
}
