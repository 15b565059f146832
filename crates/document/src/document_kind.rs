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
    /// The kinds that people choose by name.
    #[doc(hidden)]
    pub const NAMES: [(&'static str, DocumentKind); 8] = [
        ("html", DocumentKind::Html),
        ("xhtml", DocumentKind::Xhtml),
        ("xml", DocumentKind::Xml),
        ("css", DocumentKind::Css),
        ("message", DocumentKind::Message),
        ("manifest", DocumentKind::WebManifest),
        ("robots", DocumentKind::Lines(LineSyntax::Robots)),
        ("markdown", DocumentKind::Markdown(MarkdownDialect::GITHUB)),
    ];

    /// Returns the kind with this name; the error lists all names.
    ///
    /// # Errors
    /// Returns an error if no kind has this name.
    #[doc(hidden)]
    pub fn of_name(name: &str) -> Result<DocumentKind, String> {
        let named = DocumentKind::NAMES.iter().find(|row| row.0 == name);
        named.map(|row| row.1).ok_or_else(|| {
            let names = DocumentKind::NAMES.map(|row| row.0);
            format!("{name:?} is not a kind of document; pass one of {}", names.join(", "))
        })
    }

    /// Returns the name of the kind, if people can choose it.
    #[doc(hidden)]
    pub fn name(self) -> Option<&'static str> {
        DocumentKind::NAMES.iter().find(|row| row.1 == self).map(|row| row.0)
    }

    /// Returns true if visitors see documents of this kind at their URLs: HTML pages.
    pub fn is_page(self) -> bool {
        matches!(self, DocumentKind::Html | DocumentKind::Xhtml)
    }
}
