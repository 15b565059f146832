//! The kind of a document and the options to parse it with.

use encoding_rs::Encoding;

use super::html::engine::Engine;

/// How a document is parsed: what the caller knows of it, and what to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParseOptions {
    /// What the document is.
    pub kind: DocumentKind,
    /// Whether JSON-LD in `script` elements is looked into.
    pub json_ld: bool,
    /// Whether the RDFa attributes `about` and `resource` hold references.
    pub rdfa: bool,
    /// The charset that is known from elsewhere (`--charset`, a header). A byte order mark is
    /// stronger.
    pub charset: Option<&'static Encoding>,
    /// Whether a document that begins with headers is a message, though they may be any. Without
    /// it the headers have to be well-known ones; see [`super::message::sniff`].
    pub message: bool,
    /// Whether [`super::Document::metadata`] is collected.
    pub metadata: bool,
    /// Whether simple references of HTML go into [`super::Document::simple`] instead of
    /// [`super::Document::references`].
    pub simple: bool,
    /// The engine that reads HTML; both find the same.
    pub engine: Engine,
}

/// What a document is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// HTML.
    #[default]
    Html,
    /// XHTML: read as XML, and as HTML where it is not well-formed.
    Xhtml,
    /// XML: SVG, feeds, sitemaps and others.
    Xml,
    /// A style sheet.
    Css,
    /// A web app manifest.
    WebManifest,
    /// `robots.txt`.
    Robots,
    /// A message: headers, and content that may be parts with headers of their own (MIME, MHTML).
    Message,
}
