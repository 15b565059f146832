//! JSON that holds URLs: import maps, speculation rules, JSON-LD, web app manifests.
//!
//! - [`urls`] finds the strings, values and names of members alike, that are URLs;
//! - [`JsonUrl::edit`] is how one is changed, [`escape`] how characters are written in a string;
//! - [`url_like`] writes a relative reference where a bare one would not be a URL.
//!
//! Queries are in UTF-8 whatever the charset of the document: browsers read all of these with the URL
//! parser directly, not with HTML's "encoding-parse a URL".
//!
//! Strict JSON only, as `JSON.parse` reads it: a text that browsers reject holds no
//! references. A byte order mark is not JSON either; the caller strips it.
//!
//! Of members with the same name `JSON.parse` keeps the last. The others have no effect; they are
//! rewritten too, because an old URL beside a new one looks like a mistake.

mod import_map;
mod json_ld;
#[cfg(test)]
mod properties;
mod string;
mod table;
mod tree;
mod url;
mod url_like;

use tree::{Tree, Value};
use url::Found;

pub use string::escape;
pub use tree::NotJson;
pub use url::{JsonRole, JsonUrl};
pub use url_like::{is_url_like, url_like};

/// The use of a JSON text, which decides which of its strings are URLs.
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
            span: place,
            role,
        })
        .collect())
}

fn first(tree: &Tree) -> usize {
    tree.node(0).map_or(0, |root| root.span.start)
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
