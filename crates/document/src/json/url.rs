//! URLs in JSON: their spans, roles and edits.

use super::string::escape;
use rehref_generators::Text;
use rehref_url::{Span, TextEdit};

/// The role of a URL in JSON, which decides how it is resolved and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonRole {
    /// A URL without special rules.
    Plain,
    /// An address or a key of an import map. It must be [`super::is_url_like`] as it is written. With a slash at its end, it is
    /// the start of other URLs.
    UrlLike,
    /// The start of other URLs, if it ends with a slash.
    Prefix,
    /// A URL with [placeholders](crate::placeholders).
    Placeholders,
    /// Not a URL, but the digests of the file whose URL is the string at `key` (import maps,
    /// `integrity`).
    Integrity {
        /// Bytes of the JSON text, without the quotes.
        key: Span,
    },
    /// Not a URL, but HTML (JSON Feed). It resolves against the URL of its item, the string at `link`.
    Html {
        /// Bytes of the JSON text, without the quotes.
        link: Option<Span>,
    },
    /// A URL of JSON-LD whose base is not the document's but the `@base` of a context (JSON-LD
    /// 1.1, section 4.1.3, "Base IRI").
    OtherBase,
}

/// A URL found in a JSON text: its span without the quotes, and its role.
pub(super) type Found = (Span, JsonRole);

/// Returns the edit of `raw`, the bytes of a JSON string without its quotes, that replaces `replace`, a span of its
/// decoded `text`, by `with`. `with` may have any characters; the replacement is ASCII.
///
/// The edit replaces the whole string if the rest of it could combine with `with`: a `<` could
/// become the start of markup, a lone surrogate half of a pair.
pub fn edit(raw: &str, text: &Text, replace: Span, with: &str) -> TextEdit {
    let decoded = text.as_str();
    let replace =
        Span { start: replace.start.min(decoded.len()), end: replace.end.min(decoded.len()) };
    let part = text.source_span(replace);
    let kept = [raw.get(..part.start), raw.get(part.end..)];
    let reacts = |kept: &str| kept.contains(['<', '>']) || decoded.contains('\u{FFFD}');
    if kept.into_iter().flatten().any(reacts) {
        let before = decoded.get(..replace.start).unwrap_or_default();
        let after = decoded.get(replace.end..).unwrap_or_default();
        return TextEdit::new(0..raw.len(), escape(&[before, with, after].concat()));
    }
    TextEdit::new(part, escape(with))
}
