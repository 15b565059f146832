//! JSON that holds URLs: import maps, speculation rules, JSON-LD, web app manifests, JSON Feed.
//!
//! - [`urls`] finds the strings that are URLs, both values and names of members;
//! - [`edit`] changes a URL, [`escape`] writes characters in a string;
//! - [`url_like()`] writes a relative reference where a bare one would not be a URL.
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

use rehref_generators::Text;
use rehref_url::Span;
pub(crate) use tree::{Node, Tree, Value};

pub use string::escape;
pub use tree::NotJson;
pub use url::{JsonRole, edit};
pub use url_like::{is_relative, is_url_like, url_like};

/// The use of a JSON text, which decides which of its strings are URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// The content of `script type=importmap` (HTML Standard, section 8.1.5.3, "Import map
    /// processing model"). The base is that of the document.
    ///
    /// URLs are the addresses and the specifier keys that are URL-like, all scope prefixes, and
    /// the keys of `integrity`, whose values are digests; bare specifiers and bare addresses are not. An address without the
    /// slash that its key requires counts too, although browsers ignore it: only resolving it
    /// shows its last character.
    ImportMap,
    /// The content of `script type=speculationrules` (HTML Standard, section 7.6.1, "Speculation
    /// rules"). The base is that of the document.
    ///
    /// URLs are the strings of `urls`, also of rules that today's browsers drop for a member they
    /// do not know. `href_matches` holds URL patterns, which are matched and never fetched: they
    /// are not references.
    SpeculationRules,
    /// The content of `script type=application/ld+json` (JSON-LD 1.1, section 7, "Embedding
    /// JSON-LD in HTML Documents"). The base is that of the document.
    ///
    /// URLs are the values of `@id` and of a table of schema.org's properties, at any depth,
    /// alone or in arrays. Blank nodes (`_:b0`), compact IRIs (`schema:Thing`), keywords and the
    /// strings of `@context` are not.
    JsonLd,
    /// A web app manifest (W3C Web Application Manifest, with Application Information and the
    /// WICG's Manifest Incubations). The base is the manifest's own URL.
    ///
    /// `id`, an identity that must not change, and the origins of `scope_extensions` are not
    /// references. Neither is an empty string: it means that the member is not given.
    WebManifest,
    /// A feed (JSON Feed 1.1). Its readers count the links in the HTML of an item from the item's URL.
    JsonFeed,
}

/// Returns the most bytes that reading `text` takes.
pub fn memory(text: &str) -> usize {
    // A list of what is open may have room for twice its items.
    Tree::most_nodes(text).saturating_mul(size_of::<Node>() + 2 * size_of::<usize>())
}

/// Returns the URLs of `text`, in source order: the spans of the strings without their quotes, and their roles.
pub fn urls(kind: JsonKind, text: &str) -> Result<Vec<(Span, JsonRole)>, NotJson> {
    let tree = Tree::parse(text)?;
    match tree.nodes.first() {
        Some(Node { value: Value::Object, .. }) => {}
        Some(Node { value: Value::Array, .. }) if kind == JsonKind::JsonLd => {}
        root => return Err(NotJson::Shape { at: root.map_or(0, |root| root.span.start) }),
    }
    let mut found = match kind {
        JsonKind::ImportMap => import_map::urls(&tree)?,
        JsonKind::SpeculationRules => table::urls(&tree, table::SPECULATION_RULES),
        JsonKind::JsonLd => json_ld::urls(&tree),
        JsonKind::WebManifest => table::urls(&tree, table::WEB_MANIFEST),
        JsonKind::JsonFeed if !table::is_feed(&tree) => return Err(NotJson::Shape { at: 0 }),
        JsonKind::JsonFeed => {
            let urls = table::urls(&tree, table::JSON_FEED).into_iter();
            urls.chain(table::contents(&tree)).collect()
        }
    };
    if matches!(kind, JsonKind::WebManifest | JsonKind::JsonFeed) {
        found.retain(|(span, _)| !span.is_empty());
    }
    found.sort_by_key(|(span, _)| span.start);
    Ok(found)
}

/// Returns the string at `span` of the JSON text `text`, without its quotes.
pub fn string_at(span: Span, text: &str) -> Text {
    string::decode(span.of_str(text))
}

#[cfg(test)]
mod tests {
    use super::properties::urls;
    use super::*;

    #[test]
    fn a_text_of_another_shape_is_an_error() {
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
    fn an_edit_escapes_its_replacement() {
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
            let raw = found[0].span.of_str(&json);
            let edited = edit(raw, &found[0].text, replace.into(), with).apply(raw);
            let edited = json.replace(raw, &edited);
            assert_eq!(edited, format!(r#"{{"start_url":"{expected}"}}"#));
        }
    }
}
