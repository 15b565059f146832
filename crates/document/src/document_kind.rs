//! The kind of a document.

use super::lines::LineSyntax;
use super::redirects::RedirectSyntax;
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};

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
    /// JSON Feed.
    JsonFeed,
    /// Text whose lines name URLs: `robots.txt`, `_headers`, a playlist, a list of URLs.
    Lines(LineSyntax),
    /// Markdown.
    Markdown(MarkdownDialect),
    /// A file of a generator that names documents in Markdown.
    Navigation(NavigationKind),
    /// Redirect rules of a server.
    Redirects(RedirectSyntax),
    /// A message: headers, and content that may be parts with headers of their own (MIME, MHTML).
    Message,
}

impl DocumentKind {
    /// Returns true if visitors see documents of this kind at their URLs: HTML pages.
    pub fn is_page(self) -> bool {
        matches!(self, DocumentKind::Html | DocumentKind::Xhtml)
    }
}
