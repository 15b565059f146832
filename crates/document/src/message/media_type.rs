//! Media types: the values of `Content-Type`.

use super::comments::without_comments;
use crate::DocumentKind;
use crate::lines::LineSyntax;

/// A parsed `Content-Type`: a media type with its parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MediaType {
    /// Type and subtype in lower case: `text/html`.
    pub essence: String,
    /// The parameters in order, names in lower case.
    parameters: Vec<(String, String)>,
}

/// The media types of documents.
const DOCUMENTS: &[(&str, DocumentKind)] = &[
    ("text/html", DocumentKind::Html),
    ("application/xhtml+xml", DocumentKind::Xhtml),
    ("text/css", DocumentKind::Css),
    ("text/xml", DocumentKind::Xml),
    ("application/xml", DocumentKind::Xml),
    ("application/manifest+json", DocumentKind::WebManifest),
    ("application/feed+json", DocumentKind::JsonFeed),
    ("application/vnd.apple.mpegurl", DocumentKind::Lines(LineSyntax::Playlist)),
];

impl MediaType {
    /// Returns the media type without parameters.
    pub fn of(essence: &str) -> MediaType {
        MediaType { essence: essence.to_owned(), parameters: Vec::new() }
    }

    /// Returns the media type of a kind of document.
    pub fn of_document(kind: DocumentKind) -> MediaType {
        let known = DOCUMENTS.iter().find(|(_, known)| *known == kind);
        MediaType::of(known.map_or("text/plain", |(essence, _)| essence))
    }

    /// Parses the value of a `Content-Type`, unfolded; `None` if the value names no type.
    pub fn parse(value: &str) -> Option<MediaType> {
        let value = &*without_comments(value);
        let (essence, rest) = value.split_at(value.find(';').unwrap_or(value.len()));
        // A comment may follow without a space.
        let essence = essence.split('(').next()?.trim().to_ascii_lowercase();
        let (kind, subtype) = essence.split_once('/')?;
        if kind.is_empty() || subtype.is_empty() {
            return None;
        }
        Some(MediaType { essence, parameters: parameters(rest) })
    }

    /// Returns true if a body of this type is itself a message (`message/rfc822`, `message/global`).
    pub fn is_message(&self) -> bool {
        matches!(&*self.essence, "message/rfc822" | "message/global")
    }

    /// Returns the type without its subtype: `text` of `text/html`.
    pub fn top_level(&self) -> &str {
        self.essence.split('/').next().unwrap_or_default()
    }

    /// Returns the value of a parameter, which may be split and have a charset (RFC 2231).
    pub fn parameter(&self, name: &str) -> Option<String> {
        let get = |name: &str| {
            let found = self.parameters.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.as_str())
        };
        let extended = |value: &str| {
            let text = value.splitn(3, '\'').nth(2).unwrap_or(value);
            String::from_utf8_lossy(&rehref_url::percent_decoded(text)).into_owned()
        };
        // `name` itself, or a piece of it: as written, or with a charset and escapes.
        let either = |name: &str| {
            let written = get(name).map(str::to_owned);
            written.or_else(|| get(&format!("{name}*")).map(extended))
        };
        either(name).or_else(|| {
            let pieces = (0..).map_while(|number| either(&format!("{name}*{number}")));
            pieces.reduce(|whole, piece| whole + &piece)
        })
    }

    /// Returns the kind of document that a body of this type is.
    pub fn document_kind(&self) -> Option<DocumentKind> {
        let known = DOCUMENTS.iter().find(|(name, _)| *name == self.essence);
        let is_xml = self.essence.ends_with("+xml");
        known.map(|(_, kind)| *kind).or(is_xml.then_some(DocumentKind::Xml))
    }
}

/// The parameters in `rest`, each after a semicolon.
fn parameters(rest: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = rest;
    while let Some(at) = rest.find(';') {
        rest = rest.get(at + 1..).unwrap_or_default().trim_start();
        let name_end = rest.find(['=', ';']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(name_end);
        rest = after;
        let Some(value) = after.strip_prefix('=') else { continue };
        let value = value.trim_start();
        let (value, after) = match value.strip_prefix('"') {
            Some(quoted) => quoted_string(quoted),
            None => {
                let end = value.find(|c: char| c == ';' || c.is_ascii_whitespace());
                let (value, after) = value.split_at(end.unwrap_or(value.len()));
                (value.to_owned(), after)
            }
        };
        rest = after;
        found.push((name.trim().to_ascii_lowercase(), value));
    }
    found
}

/// The quoted string at the start of `text`, after its first quote, and the text after it.
fn quoted_string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return (value, text.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(characters.next().map(|(_, c)| c)),
            c => value.push(c),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_a_type_and_parameters() {
        for (value, essence, name, parameter) in [
            ("text/html", Some("text/html"), "charset", None),
            ("Text/HTML; CharSet=UTF-8", Some("text/html"), "charset", Some("UTF-8")),
            (
                "multipart/related;\t type=\"text/html\";  boundary=\"a;b\\\"c \"",
                Some("multipart/related"),
                "boundary",
                Some("a;b\"c "),
            ),
            ("a/b ; x ; boundary = y z; q=1", Some("a/b"), "boundary", Some("y")),
            ("a/b; boundary*0=\"x y\"; boundary*1=z", Some("a/b"), "boundary", Some("x yz")),
            ("a/b; charset*=us-ascii'en'utf%2D8", Some("a/b"), "charset", Some("utf-8")),
            ("(c) a/b (d); (e) charset=x (f)", Some("a/b"), "charset", Some("x")),
            ("a/b(c); charset=x", Some("a/b"), "charset", Some("x")),
            ("a/b; charset=\"open", Some("a/b"), "charset", Some("open")),
            ("a/b;;charset=x", Some("a/b"), "charset", Some("x")),
            ("text", None, "", None),
            ("/html", None, "", None),
            ("", None, "", None),
        ] {
            let found = MediaType::parse(value);
            let of = |it: &MediaType| it.essence.clone();
            assert_eq!(found.as_ref().map(of).as_deref(), essence, "{value}");
            let found = found.and_then(|it| it.parameter(name));
            assert_eq!(found.as_deref(), parameter, "{value}");
        }
    }

    #[test]
    fn a_media_type_is_a_kind_of_document() {
        for (essence, kind) in [
            ("text/html", Some(DocumentKind::Html)),
            ("image/svg+xml", Some(DocumentKind::Xml)),
            ("application/xhtml+xml", Some(DocumentKind::Xhtml)),
            ("text/plain", None),
            ("image/png", None),
        ] {
            assert_eq!(MediaType::of(essence).document_kind(), kind, "{essence}");
        }
    }
}
