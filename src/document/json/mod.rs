//! JSON that holds URLs: import maps, speculation rules, JSON-LD, web app manifests.
//!
//! - [`urls`] finds the strings, values and names of members alike, that are URLs;
//! - [`JsonUrl::edit`] is how one is changed, [`escape`] how characters are written in a string;
//! - [`url_like`] writes a relative reference where a bare one would not be a URL.
//!
//! Queries are in UTF-8 whatever the charset of the document: all of these are read by the URL
//! parser as it is, not by HTML's "encoding-parse a URL".
//!
//! Strict JSON only, as `JSON.parse` reads it: where browsers see no JSON, there are no
//! references. A byte order mark is no JSON either; it is the caller's to take off a file.
//!
//! Of members with the same name `JSON.parse` takes the last. The others lead nowhere, so that
//! rewriting them changes nothing; they are rewritten too, since an old URL that is left beside a
//! new one reads like a mistake.

mod import_map;
mod json_ld;
#[cfg(test)]
mod properties;
mod string;
mod table;
mod tree;

use crate::document::{Span, TextEdit};
use thiserror::Error;

use super::text::Text;
use tree::{Tree, Value};

pub use import_map::{is_url_like, url_like};
pub use string::escape;

/// What a JSON text is for, which says which of its strings are URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// The content of `script type=importmap` (HTML Standard, section 8.1.5.3, "Import map
    /// processing model"). The base is that of the document.
    ///
    /// URLs are the addresses and the specifier keys that are URL-like, all scope prefixes, and
    /// the keys of `integrity`; bare specifiers and bare addresses are not. Whether an address
    /// ends with the slash that its key calls for shows only when it is resolved, so that one
    /// without it, which browsers ignore, is listed as well.
    ImportMap,
    /// The content of `script type=speculationrules` (HTML Standard, section 7.6.1, "Speculation
    /// rules"), or a file that the `Speculation-Rules` header names. The base is that of the
    /// document, of a file its own URL; see [`JsonRole::Speculation`].
    ///
    /// URLs are the strings of `urls`, also of rules that today's browsers drop for a member they
    /// do not know. `href_matches` holds URL patterns, which are matched and never fetched: no
    /// references.
    SpeculationRules,
    /// The content of `script type=application/ld+json` (JSON-LD 1.1, section 7, "Embedding
    /// JSON-LD in HTML Documents"). The base is that of the document.
    ///
    /// URLs are the values of `@id` and of a table of schema.org's properties, at any depth,
    /// alone or in arrays. Blank nodes (`_:b0`), compact IRIs (`schema:Thing`) and keywords are
    /// not, nor is anything of `@context`.
    JsonLd,
    /// A web app manifest (W3C Web Application Manifest, with Application Information and the
    /// WICG's Manifest Incubations). The base is the manifest's own URL.
    ///
    /// `id`, an identity that must stay what it is, and the origins of `scope_extensions` are no
    /// references. Neither is an empty string: it means that the member is not given.
    WebManifest,
}

/// A string of a JSON text that is a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonUrl {
    /// Its bytes in the text, without the quotes.
    pub range: Span,
    /// The string, escapes resolved, with a map back to the bytes of `range`.
    pub text: Text,
    /// What is special about it.
    pub role: JsonRole,
}

/// What is special about a URL in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonRole {
    /// Nothing.
    Plain,
    /// An address of an import map. It must be [`is_url_like`] as it is written.
    Address,
    /// A specifier key of an import map. It must be [`is_url_like`] as it is written. Compared,
    /// never fetched; with a slash at its end it is a prefix.
    SpecifierKey,
    /// A key of an import map's `integrity`. It must be [`is_url_like`] as it is written.
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
    /// search action), which must come out as it is.
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

/// Why a text holds no references.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotJson {
    /// `JSON.parse` fails.
    #[error("not JSON")]
    Syntax {
        /// The byte of the text where it stops being JSON.
        at: usize,
    },
    /// It is JSON, of a shape for which its reader rejects the whole of it.
    #[error("JSON with a value of the wrong type")]
    Shape {
        /// The byte of the text where the value starts that is none of an object (of JSON-LD, an
        /// object or an array).
        at: usize,
    },
}

/// The URLs of `text`, in source order.
pub fn urls(kind: JsonKind, text: &str) -> Result<Vec<JsonUrl>, NotJson> {
    let tree = Tree::parse(text)?;
    match tree.node(0).map(|root| root.value) {
        Some(Value::Object) => {}
        Some(Value::Array) if kind == JsonKind::JsonLd => {}
        _ => return Err(NotJson::Shape { at: first(&tree) }),
    }
    let mut found = match kind {
        JsonKind::ImportMap => import_map::urls(&tree)?,
        JsonKind::SpeculationRules => table::speculation_rules(&tree),
        JsonKind::JsonLd => json_ld::urls(&tree),
        JsonKind::WebManifest => table::web_manifest(&tree),
    };
    found.sort_by_key(|found| found.place.start);
    Ok(found
        .into_iter()
        .map(|Found { place, role }| JsonUrl {
            text: string::decode(place.of_str(text)),
            range: place,
            role,
        })
        .collect())
}

fn first(tree: &Tree) -> usize {
    tree.node(0).map_or(0, |root| root.span.start)
}

/// Where a URL stands, without its quotes, and what is special about it.
struct Found {
    place: Span,
    role: JsonRole,
}

impl JsonUrl {
    /// Whether it is resolved against a base. Where not, it is parsed alone, which is another thing
    /// than resolving an absolute URL: `https:a` in an import map is `https://a/` whatever the base
    /// ("resolve a URL-like module specifier").
    pub fn takes_base(&self) -> bool {
        !self.role.must_be_url_like() || import_map::is_relative(self.text.as_str())
    }

    /// The edit of `json`, the text that this was found in, that puts `with` in place of `replace`,
    /// a span of [`JsonUrl::text`]. `with` may have any characters; the edit brings ASCII only.
    ///
    /// The edit replaces the whole string where what stays of it could become something else together
    /// with `with`: a `<` the start of markup, a lone surrogate half of a pair.
    pub fn edit(&self, json: &str, replace: Span, with: &str) -> TextEdit {
        let source = self.range.of_str(json);
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
            return TextEdit::new(self.range, escape(&[before, with, after].concat()));
        }
        TextEdit::new(part.shifted(self.range.start), escape(with))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_hold_no_references() {
        use JsonKind::*;
        for (kind, text, expected) in [
            (ImportMap, "", NotJson::Syntax { at: 0 }),
            (ImportMap, "{imports: {}}", NotJson::Syntax { at: 1 }),
            (ImportMap, " []", NotJson::Shape { at: 1 }),
            (SpeculationRules, "[]", NotJson::Shape { at: 0 }),
            (JsonLd, "\"a\"", NotJson::Shape { at: 0 }),
            (WebManifest, "null", NotJson::Shape { at: 0 }),
            (WebManifest, "{} //", NotJson::Syntax { at: 3 }),
        ] {
            assert_eq!(urls(kind, text), Err(expected), "{text}");
        }
        assert_eq!(urls(JsonLd, "[]"), Ok(vec![]));
    }

    #[test]
    fn edits_table() {
        for (string, replace, with, expected) in [
            ("a/b", 0..2, "../", "../b"),
            (r"a\/b", 0..2, "../", "../b"),
            (r"\u0061/b", 2..3, "\"c", r#"\u0061/\"c"#),
            ("ä/b", 0..0, "x", "xä/b"),
            ("ä/b<c", 0..2, "", r"/b\u003Cc"),
            ("<X/script>", 1..2, "", r"\u003C/script\u003E"),
            (r"\ud83dx\ude00", 3..4, "", r"\uFFFD\uFFFD"),
            (r"\u003Cab", 1..2, "!--", r"\u003C!--b"),
        ] {
            let json = format!(r#"{{"start_url":"{string}"}}"#);
            let found = urls(JsonKind::WebManifest, &json).unwrap();
            let edited = found[0].edit(&json, replace.into(), with).apply(&json);
            assert_eq!(edited, format!(r#"{{"start_url":"{expected}"}}"#));
        }
    }
}
