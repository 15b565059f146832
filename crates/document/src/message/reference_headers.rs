//! The table of headers that hold references, and the places of the references in their values.

use std::borrow::Cow;
use std::convert::Infallible;

use encoding_rs::{UTF_8, WINDOWS_1252};
use memchr::memchr;

use super::comments::end_without_comments;
use super::headers::HeaderField;
use rehref_generators::Text;
use rehref_url::Span;

/// The meaning and the syntax of a header's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderRole {
    /// An absolute URL, the base URL of the message.
    Base,
    /// Like [`HeaderRole::Base`], between `<URL:` and `>`.
    Bracketed,
    /// The URL of the message, which is also its base URL if no other header gives one.
    Location,
    /// A reference.
    Reference,
    /// References in angle brackets, with parameters (RFC 8288).
    Link,
    /// The syntax of `meta http-equiv=refresh`.
    Refresh,
}

/// A row of the table of headers that contain references.
#[derive(Debug)]
pub struct ReferenceHeader {
    /// The name of the header, in the usual letter case.
    pub name: &'static str,
    pub role: HeaderRole,
}

/// The table of headers with references. If several headers state the base URL, the first row applies: RFC 2110
/// and draft-fielding-uri-url-00, then the headers of the drafts of 1994 and 1995.
#[rustfmt::skip]
pub const REFERENCE_HEADERS: &[ReferenceHeader] = &[
    ReferenceHeader { name: "Content-Base", role: HeaderRole::Base },
    ReferenceHeader { name: "Content-Location", role: HeaderRole::Location },
    ReferenceHeader { name: "Base", role: HeaderRole::Bracketed },
    ReferenceHeader { name: "Base-URL", role: HeaderRole::Bracketed },
    ReferenceHeader { name: "Location", role: HeaderRole::Reference },
    ReferenceHeader { name: "Link", role: HeaderRole::Link },
    ReferenceHeader { name: "Refresh", role: HeaderRole::Refresh },
];

impl HeaderRole {
    /// Returns true if headers with this role state a base URL.
    pub fn gives_base(self) -> bool {
        matches!(self, HeaderRole::Base | HeaderRole::Bracketed | HeaderRole::Location)
    }

    /// Returns true if the header sets the base URL only with an absolute URL.
    pub fn must_be_absolute(self) -> bool {
        matches!(self, HeaderRole::Base | HeaderRole::Bracketed)
    }

    /// Returns true if programs that read the header expect absolute URLs.
    pub fn wants_absolute(self) -> bool {
        self.gives_base() || self == HeaderRole::Reference
    }

    /// Returns the span of the URL in the value of `field`: without brackets, quotes and comments. The whole value for
    /// roles that may hold several or other text.
    pub fn span(self, source: &[u8], field: &HeaderField) -> Span {
        let value = field.value.of(source);
        let inner = match self {
            HeaderRole::Reference | HeaderRole::Link | HeaderRole::Refresh => return field.value,
            HeaderRole::Base | HeaderRole::Bracketed | HeaderRole::Location => {
                // A comment may follow, as anywhere in mail.
                let bare = value.get(..end_without_comments(value)).unwrap_or_default();
                let in_brackets = match self {
                    HeaderRole::Bracketed => first_in_brackets(value),
                    _ => within(bare, b'<', b'>'),
                };
                in_brackets
                    .map(|inner| without_wrapper(value, inner))
                    .or_else(|| within(bare, b'"', b'"'))
                    .unwrap_or(Span::from(0..bare.len()))
            }
        };
        inner.shifted(field.value.start)
    }

    /// Decodes a value: without the white space in a URL, without the line ends in other values.
    pub(crate) fn text(self, raw: &[u8]) -> Text {
        // No header declares the encoding of a value.
        let encoding = match std::str::from_utf8(raw) {
            Ok(_) => UTF_8,
            Err(_) => WINDOWS_1252,
        };
        let keeps_space = matches!(self, HeaderRole::Link | HeaderRole::Refresh);
        let is_dropped =
            |byte: u8| matches!(byte, b'\r' | b'\n') || !keeps_space && byte.is_ascii_whitespace();
        let drop = |_: &[u8]| Ok::<_, Infallible>(Some((Cow::Borrowed(""), 1)));
        let mut text = Text::default();
        let Ok(()) = text.append(raw, 0..raw.len(), encoding, is_dropped, drop);
        text
    }
}

/// The text between the first `<` and the next `>`.
fn first_in_brackets(value: &[u8]) -> Option<Span> {
    let start = memchr(b'<', value)? + 1;
    let length = memchr(b'>', value.get(start..)?)?;
    Some(Span::from(start..start + length))
}

/// The bytes `inner` of `value`, which were in brackets, without a `URL:` before them.
fn without_wrapper(value: &[u8], inner: Span) -> Span {
    let text = inner.of(value).trim_ascii_start();
    let url = match text.split_at_checked(4) {
        Some((name, url)) if name.eq_ignore_ascii_case(b"URL:") => url,
        _ => text,
    };
    Span::from(inner.end - url.len()..inner.end)
}

/// The text between `open` and `close` at the ends of `value`.
fn within(value: &[u8], open: u8, close: u8) -> Option<Span> {
    let inner = value.strip_prefix(&[open])?.strip_suffix(&[close])?;
    Some(Span::from(1..1 + inner.len()))
}

#[cfg(test)]
mod tests {
    use super::super::headers::Headers;
    use super::*;
    use crate::{Document, DocumentKind, ParseOptions};
    use rehref_url::TextEdit;

    #[test]
    fn a_value_is_read_without_brackets_comments_and_folding() {
        for (role, line, expected) in [
            (HeaderRole::Bracketed, "Base: <URL:http://h/\r\n  a/ b>", "http://h/a/b"),
            (HeaderRole::Bracketed, "Base: < url: http://h/ >", "http://h/"),
            (HeaderRole::Bracketed, "Base-URL: <http://h/\r\n\ta>", "http://h/a"),
            (HeaderRole::Bracketed, "Base: http://h/", "http://h/"),
            (HeaderRole::Base, "Content-Base:\r\n http://h/\r\n\ta", "http://h/a"),
            (HeaderRole::Base, "Content-Base: \"http://h/\"", "http://h/"),
            (HeaderRole::Location, "Content-Location: a/\u{fc}", "a/\u{fc}"),
            (HeaderRole::Bracketed, "Base: <URL:http://h/a> (the <base>)", "http://h/a"),
            (HeaderRole::Bracketed, "Base: (c) <URL:http://h/a>", "http://h/a"),
            (HeaderRole::Bracketed, "Base: http://h/ (c)", "http://h/"),
            (HeaderRole::Base, "Content-Base: http://h/ (c (d))", "http://h/"),
            (HeaderRole::Base, "Content-Base: http://h/a(b)", "http://h/a(b)"),
            (HeaderRole::Base, "Content-Base: \"http://h/\" (c)", "http://h/"),
            (HeaderRole::Base, "Content-Base: <http://h/>", "http://h/"),
            (HeaderRole::Location, "Content-Location: a\r\n (c)", "a"),
            (HeaderRole::Location, "Content-Location: <URL:a> (c)", "a"),
            (HeaderRole::Location, "Content-Location: x\"y (a comment)", "x\"y"),
            (HeaderRole::Reference, "Location: a (c)", "a(c)"),
            (HeaderRole::Refresh, "Refresh: 0;\r\n url=x y", "0; url=x y"),
        ] {
            let source = line.as_bytes();
            let headers = Headers::parse(source, 0..source.len());
            let span = role.span(source, &headers.fields[0]);
            let text = role.text(&source[span.start..span.end]);
            assert_eq!(text.as_str(), expected, "{line}");
        }
        assert_eq!(HeaderRole::Location.text(b"a\xFC").as_str(), "a\u{fc}");
    }

    #[test]
    fn a_url_that_begins_a_folded_line_is_replaced_within_the_line() {
        let source = "Content-Type: text/html\r\nLink: <\r\n >, <\r\n\ta b>\r\n\
                      Refresh: 0; url='\r\n c'\r\n\r\n";
        let options = ParseOptions { kind: DocumentKind::Message, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        let texts = document.references.iter().map(|it| document.text_of(it));
        assert_eq!(texts.collect::<Vec<_>>(), ["", "a b", "c"]);
        let mut changes = vec![Vec::new(); document.containers.len()];
        for it in &document.references {
            changes[it.container].push(TextEdit::new(it.span, "http://h/"));
        }
        let changed = document.with_edits(&document.edits(changes)).unwrap();
        let expected = "Content-Type: text/html\r\nLink: <\r\n http://h/>, <\r\n\thttp://h/>\r\n\
                        Refresh: 0; url='\r\n http://h/'\r\n\r\n";
        assert_eq!(String::from_utf8(changed).unwrap(), expected);
    }
}
