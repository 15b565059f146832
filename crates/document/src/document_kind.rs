//! The kind of a document.

use super::lines::LineSyntax;
use super::redirects::RedirectSyntax;
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};

/// The kind of a document, which determines the parser and the places that contain links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentKind {
    /// HTML, in any version.
    #[default]
    Html,
    /// XHTML, which rehref parses as XML, as browsers do.
    Xhtml,
    /// Other XML: SVG, feeds, sitemaps and others.
    Xml,
    /// A CSS style sheet.
    Css,
    /// A web app manifest (JSON).
    WebManifest,
    /// A feed in the format JSON Feed.
    JsonFeed,
    /// A text file whose lines name URLs: `robots.txt`, `_headers`, a playlist, a list of URLs.
    Lines(LineSyntax),
    /// Markdown, in this dialect.
    Markdown(MarkdownDialect),
    /// A configuration or navigation file of a generator, which names Markdown documents.
    Navigation(NavigationKind),
    /// A file with redirect rules of a server.
    Redirects(RedirectSyntax),
    /// A message: headers, and a body that may consist of parts with their own headers (MIME, MHTML).
    Message,
}

impl DocumentKind {
    /// The kinds that `--kind` accepts, with their names.
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

    /// Returns the kind with the name `name`, such as `html`.
    ///
    /// # Errors
    /// Returns an error that lists all names, if no kind has this name.
    #[doc(hidden)]
    pub fn of_name(name: &str) -> Result<DocumentKind, String> {
        let named = DocumentKind::NAMES.iter().find(|row| row.0 == name);
        named.map(|row| row.1).ok_or_else(|| {
            let names = DocumentKind::NAMES.map(|row| row.0);
            format!("{name:?} is not a kind of document; pass one of {}", names.join(", "))
        })
    }

    /// Returns the name of the kind, such as `html`. Returns `None` for a kind that `--kind` does not accept.
    #[doc(hidden)]
    pub fn name(self) -> Option<&'static str> {
        DocumentKind::NAMES.iter().find(|row| row.1 == self).map(|row| row.0)
    }

    /// Returns true for HTML and other kinds that browsers show as pages.
    pub fn is_page(self) -> bool {
        matches!(self, DocumentKind::Html | DocumentKind::Xhtml)
    }
}
