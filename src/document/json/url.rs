//! URLs in JSON: their spans, roles and edits.

use super::string::escape;
use super::url_like::is_relative;
use crate::document::text::Text;
use crate::document::{Span, TextEdit};

/// A string of a JSON text that is a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonUrl {
    /// Its bytes in the text, without the quotes.
    pub span: Span,
    /// The string, escapes resolved, with a map back to the bytes of `span`.
    pub text: Text,
    /// The role, which decides how it is resolved and written.
    pub role: JsonRole,
}

/// The role of a URL in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonRole {
    /// A URL without special rules.
    Plain,
    /// An address of an import map. It must be [`super::is_url_like`] as it is written.
    Address,
    /// A specifier key of an import map. It must be [`super::is_url_like`] as it is written. Compared,
    /// never fetched; with a slash at its end it is a prefix.
    SpecifierKey,
    /// A key of an import map's `integrity`. It must be [`super::is_url_like`] as it is written.
    IntegrityKey,
    /// A scope prefix of an import map, any URL. Compared, never fetched; with a slash at its end
    /// it is a prefix.
    ScopeKey,
    /// The `scope` of a web app or of its service worker: a prefix whatever its end, never
    /// fetched.
    Scope,
    /// A URL of a speculation rule.
    Speculation {
        /// Whether the rule says `"relative_to": "document"`: then the base is the document's
        /// even where the rules are a file of their own.
        relative_to_document: bool,
    },
    /// A URL with a part that its reader fills in (`%s` of a protocol handler, `{query}` of a
    /// search action), which must not change.
    Template,
    /// A URL of JSON-LD whose base is not the document's but the `@base` of a context (JSON-LD
    /// 1.1, section 4.1.3, "Base IRI").
    OtherBase,
}

impl JsonRole {
    /// Whether a reference without `/`, `./` or `../` in front would not be one here.
    pub fn must_be_url_like(self) -> bool {
        matches!(
            self,
            JsonRole::Address | JsonRole::SpecifierKey | JsonRole::IntegrityKey
        )
    }
}

/// A URL found in a JSON text: its span without the quotes, and its role.
pub(super) struct Found {
    pub(super) place: Span,
    pub(super) role: JsonRole,
}

impl JsonUrl {
    /// Whether it is resolved against a base. Otherwise it is parsed alone, which differs from
    /// resolving an absolute URL: `https:a` in an import map is `https://a/` whatever the base
    /// ("resolve a URL-like module specifier").
    pub fn takes_base(&self) -> bool {
        !self.role.must_be_url_like() || is_relative(self.text.as_str())
    }

    /// The edit of `json`, the text that holds this URL, that replaces `replace`, a span of
    /// [`JsonUrl::text`], by `with`. `with` may have any characters; the replacement is ASCII.
    ///
    /// The edit replaces the whole string if the rest of it could combine with `with`: a `<` could
    /// become the start of markup, a lone surrogate half of a pair.
    pub fn edit(&self, json: &str, replace: Span, with: &str) -> TextEdit {
        let source = self.span.of_str(json);
        let text = self.text.as_str();
        let replace = Span {
            start: replace.start.min(text.len()),
            end: replace.end.min(text.len()),
        };
        let part = self.text.source_span(replace);
        let kept = [source.get(..part.start), source.get(part.end..)];
        let reacts = |kept: &str| kept.contains(['<', '>']) || text.contains('\u{FFFD}');
        if kept.into_iter().flatten().any(reacts) {
            let before = text.get(..replace.start).unwrap_or_default();
            let after = text.get(replace.end..).unwrap_or_default();
            return TextEdit::new(self.span, escape(&[before, with, after].concat()));
        }
        TextEdit::new(part.shifted(self.span.start), escape(with))
    }
}
