//! Front matter: the metadata at the start of a document, of which some values are links.

pub(super) mod block;
pub mod keys;

pub(super) use block::find;

use super::dialect::MarkdownDialect;
use super::rows::{self, DataValue, DataValues, may_be_url};
use crate::data::{self, Node, ScalarSyntax, Step};
use rehref_url::Span;

/// Returns the span of the front matter of `source` with its delimiters, and the spans of its strings that are
/// on one line. Malformed front matter has no strings.
pub fn strings(source: &str) -> Option<(Span, Vec<Span>)> {
    let found = find(source)?;
    let mut strings = Vec::new();
    let text = found.content.of_str(source);
    let result = data::visit(text, found.language, |_, scalar| {
        strings.push(scalar.span.shifted(found.content.start));
    });
    if result.is_err() {
        strings.clear();
    }
    Some((found.whole, strings))
}

/// The keys whose values name the document itself, or its template.
const OWN_NAMES: &[&str] = &["id", "layout", "name", "slug", "title", "type"];

/// Calls `found` for the span of each string in the front matter of `source` that may be the name of another document, for
/// a layout (`next-page: tuples`): letters, digits, `-` and `_`. Malformed front matter has none, or those before the error.
pub fn names(source: &str, mut found: impl FnMut(Span)) {
    let Some(front_matter) = find(source) else { return };
    let text = front_matter.content.of_str(source);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    // The run reports the error.
    let _ = data::visit(text, front_matter.language, |path, scalar| {
        let key = path.last().and_then(Step::name);
        let is_name = key.is_some_and(|key| !OWN_NAMES.contains(&key))
            && scalar.span.of_str(text).chars().all(is_part);
        if is_name && !scalar.span.is_empty() {
            found(scalar.span.shifted(front_matter.content.start));
        }
    });
}

/// The keys of front matter that `--front-matter` adds as links.
#[derive(Clone, Copy, Debug, Default)]
pub struct FrontMatterKeys(&'static [String]);

/// The error of a text that does not name a key of front matter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a key; write it like logo, or hero.image for the key image in hero")]
pub struct BadKey(String);

impl FrontMatterKeys {
    /// Parses the keys `given`, each with any number of parent keys: `image`, `hero.image`.
    ///
    /// # Errors
    /// Returns an error if one is not a key.
    pub fn new(given: &[String]) -> Result<FrontMatterKeys, BadKey> {
        let is_name = |name: &str| !name.is_empty() && !name.contains(['[', ']', ':']);
        let bad = given.iter().find(|key| !key.split('.').all(is_name));
        if let Some(bad) = bad {
            return Err(BadKey(bad.clone()));
        }
        let patterns = given.iter().map(|key| format!("**.{key}"));
        Ok(FrontMatterKeys(patterns.collect::<Vec<_>>().leak()))
    }
}

/// The keys whose values are images, of generators, and of themes and plugins that many sites have.
#[rustfmt::skip]
const IMAGE_KEYS: &[&str] = &[
    "**.image", "**.images", "**.image.src", "**.image.path", "**.image.url", "**.image.light", "**.image.dark",
    "**.image.feature", "**.image.teaser", "**.cover", "**.cover.src", "**.cover_image", "**.coverImage",
    "**.thumbnail", "**.thumb", "**.banner", "**.teaser", "**.featured_image", "**.featuredImage", "**.feature_image",
    "**.header_image", "**.overlay_image", "**.hero_image", "**.heroImage", "**.og_image", "**.ogImage",
    "**.social_image", "**.logo", "**.avatar", "**.favicon", "**.icon.src", "**.icon.light", "**.icon.dark",
    "**.poster",
];

/// The keys whose values are other links. Keys that say where the page itself is or was are not links: `slug`, `url`,
/// `permalink`, `aliases`, `redirect_from`, `id`.
#[rustfmt::skip]
const LINK_KEYS: &[&str] = &[
    "**.src", "**.link", "**.href", "**.redirect_to", "**.pdf", "**.video", "**.audio",
    // The blog of Material for MkDocs.
    "links.**",
];

/// Returns the values of the front matter of `source` that may be links or contain links. `further` adds keys
/// to those of the table.
pub fn values(source: &str, dialect: MarkdownDialect, further: FrontMatterKeys) -> DataValues {
    let Some(found) = find(source) else { return DataValues::default() };
    let text = found.content.of_str(source);
    let (mut values, mut markdown) = (Vec::new(), Vec::new());
    let result = data::nodes(text, found.language, |path, node| {
        let Node::Scalar { string: Some(scalar), .. } = node else { return };
        let is_of = |pattern: &str| data::matches(pattern, path);
        let has_link = || {
            let text = scalar.span.of_str(text);
            // A template may replace what begins with a dollar.
            dialect.row().has_markdown_strings && text.contains("](") && !text.contains("]($")
        };
        if dialect.row().markdown_keys.iter().any(|pattern| is_of(pattern)) || has_link() {
            markdown.push(DataValue {
                span: scalar.span.shifted(found.content.start),
                syntax: ScalarSyntax::of_text(scalar.quoting),
                row: &rows::FRONT_MATTER,
            });
            return;
        }
        if scalar.whole().is_none() {
            return;
        }
        let is_known = |keys: &[&str]| keys.iter().any(|pattern| is_of(pattern));
        let (row, is_sure) = if is_known(IMAGE_KEYS) {
            (&rows::FRONT_MATTER_IMAGE, false)
        } else if is_known(LINK_KEYS) {
            (&rows::FRONT_MATTER, false)
        } else if further.0.iter().any(|pattern| is_of(pattern)) {
            (&rows::FRONT_MATTER, true)
        } else {
            return;
        };
        let syntax = ScalarSyntax::of_text(scalar.quoting);
        let value = data::scalar::decode(scalar.span.of_str(text).as_bytes(), syntax);
        if is_sure || may_be_url(value.as_str()) {
            values.push(DataValue { span: scalar.span.shifted(found.content.start), syntax, row });
        }
    });
    DataValues { values, markdown, error: result.err().map(|error| (found.content, error)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn front_matter_is_between_lines() {
        for (source, expected) in [
            ("---\na: b\n---\nx", Some("a: b\n")),
            ("\u{FEFF}--- \r\na: b\r\n...\r\n", Some("a: b\r\n")),
            ("+++\na = 1\n+++", Some("a = 1\n")),
            ("---\n---\n", Some("")),
            ("---\na\n+++\n", None),
            ("----\na\n---\n", None),
            ("\n---\na\n---\n", None),
            ("--", None),
        ] {
            let found = find(source).map(|it| it.content.of_str(source));
            assert_eq!(found, expected, "{source}");
        }
    }

    fn found<'s>(source: &'s str, keys: &[&str]) -> Vec<&'s str> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let keys = FrontMatterKeys::new(&keys).unwrap();
        let found = values(source, MarkdownDialect::PLAIN, keys);
        assert_eq!(found.error, None, "{source}");
        let values = found.values.iter();
        values.map(|it| it.span.of_str(source)).collect()
    }

    #[test]
    fn values_of_known_keys_that_look_like_paths_are_links() {
        for (source, expected) in [
            ("---\nimage: a/b.png\n---\n", &["a/b.png"][..]),
            ("---\nä: x\nimages: ['a.png', \"b.png\"]\n---\n", &["a.png", "b.png"]),
            (
                "---\nhero:\n  image: {src: /a.svg, alt: b}\n  actions:\n  - text: c\n    link: ./d\n---\n",
                &["/a.svg", "./d"],
            ),
            ("---\nimage: A picture\nlogo: star\nlink: 1.5\n---\n", &[]),
            ("---\nslug: a/b\nurl: /c/\naliases: [/d/]\nid: e/f\n---\n", &[]),
            ("+++\nimage = 'a.png'\n[cover]\nimage = \"b.png\"\n+++\n", &["a.png", "b.png"]),
            ("image: a.png\n", &[]),
        ] {
            assert_eq!(found(source, &[]), expected, "{source}");
        }
    }

    #[test]
    fn further_keys_are_links_whatever_their_values_look_like() {
        let source = "---\na: b\nc: {d: e f, g: h}\nd: i\n---\n";
        assert_eq!(found(source, &["a", "c.d"]), ["b", "e f"]);
        for bad in ["", "a..b", "a[]", "a: b"] {
            assert!(FrontMatterKeys::new(&[bad.to_owned()]).is_err(), "{bad}");
        }
    }
}
