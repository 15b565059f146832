//! The kind of a document.

use super::redirects::RedirectSyntax;
use super::robots;
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};
use rehref_url::Span;

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
    /// For a kind of plain text in UTF-8: the function that finds the spans of its URLs in the text
    /// of a file. `None` for the kinds with a syntax of their own.
    pub fn plain_text(self) -> Option<fn(&str) -> Vec<Span>> {
        match self {
            DocumentKind::Robots => Some(robots::sitemaps),
            _ => None,
        }
    }
}
