//! The table of URL attributes.
//!
//! Sources: the attribute index and the obsolete features of the HTML Standard, HTML 4.01, SVG 2 and
//! SVG 1.1, MathML 3, and for the metadata names the vocabularies themselves. The first row that
//! fits an attribute counts.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::element::Namespace;

/// The syntax of an attribute value with URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// One URL, potentially surrounded by spaces.
    Url,
    /// Image candidates (`srcset`).
    Srcset,
    /// URLs separated by white space (`ping`).
    SpaceSeparated,
    /// URLs separated by commas (applet `archive`).
    CommaSeparated,
    /// A number and perhaps a URL (`meta http-equiv=refresh`).
    Refresh,
    /// CSS: a list of declarations (`style`) or a property's value (SVG `fill`).
    Css,
    /// A whole HTML document (`srcdoc`).
    Html,
}

/// A condition on the other attributes of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always met.
    Always,
    /// `http-equiv` is `refresh`.
    HttpEquivRefresh,
    /// `property` or `name` is one of [`URL_METADATA`].
    UrlMetadata,
    /// `valuetype` is `ref`.
    ValueTypeRef,
}

/// The base URL of the references of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeBase {
    /// The document base URL.
    Document,
    /// The fallback base URL: for the `href` of `base`, which sets the base URL.
    Fallback,
    /// The fallback base URL too: for attributes that browsers read before any `base`.
    BeforeBase,
    /// The element's `codebase` if it has one, else the document base URL.
    Codebase,
}

/// What a page does with the target of a reference. Browsers treat what they load differently from
/// what a user follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Usage {
    /// A link or a form, which a user follows.
    Link,
    /// An image, sound or film that the page loads.
    Image,
    /// Anything else that the page loads: a script, a style sheet, a frame.
    Resource,
    /// A URL in CSS: mostly an image, but also a style sheet or a font.
    Style,
    /// Data for other programs, and whatever is unknown.
    Other,
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct AttributeRow {
    /// The elements' namespace.
    pub namespace: Namespace,
    /// The elements' local names in the tree; empty for any.
    pub elements: &'static [&'static str],
    /// The attribute's name, in lower case as the tokenizer returns it.
    pub attribute: &'static str,
    /// The syntax of the value.
    pub kind: ValueKind,
    /// What the other attributes must say for the row to count.
    pub when: Condition,
    /// The base URL of the references.
    pub base: AttributeBase,
    /// An empty value is a reference (to the base URL). In other attributes the Standard makes an
    /// empty value an error, or gives it a meaning of its own (`form action`: the document's URL).
    pub empty_resolves: bool,
    /// A value that is only a fragment means a place in this document, whatever the base URL is.
    pub fragment_is_local: bool,
    /// The value cannot be absolute (applet `code` is a name below the code base).
    pub relative_only: bool,
    /// The row counts only where RDFa is asked for.
    pub rdfa: bool,
    /// What a page does with the URLs; `None` where the `rel` of the element decides.
    pub usage: Option<Usage>,
    /// The document that defines the attribute.
    pub source: &'static str,
}

const HTML: Namespace = Namespace::Html;
const SVG: Namespace = Namespace::Svg;
const MATHML: Namespace = Namespace::MathMl;
const ANY: &[&str] = &[];

const STANDARD: &str = "HTML Standard, attributes";
const OBSOLETE: &str = "HTML Standard, obsolete features";
const HTML4: &str = "HTML 4.01, attributes";
const VENDOR: &str = "browsers of the 1990s";
const RDFA: &str = "RDFa Core 1.1";
const SVG2: &str = "SVG 2, linking";
const XLINK: &str = "SVG 1.1, linking (XLink)";
const MATHML3: &str = "MathML 3, attributes";

impl AttributeRow {
    const fn new(
        namespace: Namespace,
        elements: &'static [&'static str],
        attribute: &'static str,
        kind: ValueKind,
        source: &'static str,
    ) -> AttributeRow {
        AttributeRow {
            namespace,
            elements,
            attribute,
            kind,
            when: Condition::Always,
            base: AttributeBase::Document,
            empty_resolves: false,
            fragment_is_local: false,
            relative_only: false,
            rdfa: false,
            usage: Some(match kind {
                ValueKind::Css => Usage::Style,
                _ => Usage::Other,
            }),
            source,
        }
    }

    const fn usage(mut self, usage: Usage) -> AttributeRow {
        self.usage = Some(usage);
        self
    }

    const fn usage_by_rel(mut self) -> AttributeRow {
        self.usage = None;
        self
    }

    const fn when(mut self, when: Condition) -> AttributeRow {
        self.when = when;
        self
    }

    const fn relative_to(mut self, base: AttributeBase) -> AttributeRow {
        self.base = base;
        self
    }

    const fn empty_resolves(mut self) -> AttributeRow {
        self.empty_resolves = true;
        self
    }

    const fn fragment_is_local(mut self) -> AttributeRow {
        self.fragment_is_local = true;
        self
    }

    const fn rdfa(mut self) -> AttributeRow {
        self.rdfa = true;
        self
    }

    const fn relative_only(mut self) -> AttributeRow {
        self.relative_only = true;
        self
    }
}

use Usage::{Image, Link, Resource};
use ValueKind::{CommaSeparated, Css, Html, Refresh, SpaceSeparated, Srcset, Url};

/// The table.
#[rustfmt::skip]
pub const URL_ATTRIBUTES: &[AttributeRow] = &[
    AttributeRow::new(HTML, &["a", "area"], "href", Url, STANDARD).empty_resolves().usage(Link),
    AttributeRow::new(HTML, &["base"], "href", Url, STANDARD).relative_to(AttributeBase::Fallback),
    AttributeRow::new(HTML, &["link"], "href", Url, STANDARD).usage_by_rel(),
    AttributeRow::new(HTML, &["audio", "img", "input", "source", "video"], "src", Url, STANDARD)
        .usage(Image),
    AttributeRow::new(HTML, &["embed", "iframe", "script", "track"], "src", Url, STANDARD)
        .usage(Resource),
    // Browsers upgrade `http:` in `img src`, never in `srcset`.
    AttributeRow::new(HTML, &["img", "source"], "srcset", Srcset, STANDARD).usage(Resource),
    AttributeRow::new(HTML, &["link"], "imagesrcset", Srcset, STANDARD).usage(Resource),
    AttributeRow::new(HTML, &["video"], "poster", Url, STANDARD).usage(Image),
    AttributeRow::new(HTML, &["object"], "data", Url, STANDARD).usage(Resource),
    AttributeRow::new(HTML, &["form"], "action", Url, STANDARD).usage(Link),
    AttributeRow::new(HTML, &["button", "input"], "formaction", Url, STANDARD).usage(Link),
    AttributeRow::new(HTML, &["blockquote", "del", "ins", "q"], "cite", Url, STANDARD),
    AttributeRow::new(HTML, &["a", "area"], "ping", SpaceSeparated, STANDARD).usage(Resource),
    AttributeRow::new(HTML, ANY, "itemid", Url, STANDARD),
    AttributeRow::new(HTML, ANY, "style", Css, STANDARD),
    AttributeRow::new(HTML, &["iframe"], "srcdoc", Html, STANDARD),
    // Metadata is for other programs.
    AttributeRow::new(HTML, &["meta"], "content", Refresh, STANDARD)
        .when(Condition::HttpEquivRefresh),
    AttributeRow::new(HTML, &["meta"], "content", Url, "the metadata vocabularies")
        .when(Condition::UrlMetadata),

    AttributeRow::new(HTML, &["frame"], "src", Url, OBSOLETE).usage(Resource),
    AttributeRow::new(HTML, &["bgsound"], "src", Url, OBSOLETE).usage(Image),
    AttributeRow::new(HTML, &["frame", "iframe", "img"], "longdesc", Url, OBSOLETE),
    AttributeRow::new(HTML, &["img", "input", "object"], "usemap", Url, OBSOLETE)
        .fragment_is_local(),
    AttributeRow::new(HTML, &["img", "input"], "lowsrc", Url, OBSOLETE).usage(Image),
    AttributeRow::new(HTML, &["img", "input"], "dynsrc", Url, VENDOR).usage(Image),
    AttributeRow::new(
        HTML,
        &["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"],
        "background", Url, OBSOLETE,
    ).usage(Image),
    AttributeRow::new(HTML, &["html"], "manifest", Url, OBSOLETE)
        .relative_to(AttributeBase::BeforeBase),
    AttributeRow::new(HTML, &["head"], "profile", SpaceSeparated, OBSOLETE),
    AttributeRow::new(HTML, &["isindex"], "action", Url, OBSOLETE).usage(Link),
    AttributeRow::new(HTML, &["command", "menuitem"], "icon", Url, OBSOLETE),
    AttributeRow::new(HTML, &["ilayer", "layer"], "src", Url, VENDOR).usage(Resource),
    AttributeRow::new(HTML, &["ilayer", "layer"], "background", Url, VENDOR).usage(Image),

    AttributeRow::new(HTML, &["applet", "object"], "codebase", Url, HTML4),
    AttributeRow::new(HTML, &["object"], "classid", Url, HTML4)
        .relative_to(AttributeBase::Codebase).usage(Resource),
    AttributeRow::new(HTML, &["object"], "archive", SpaceSeparated, HTML4)
        .relative_to(AttributeBase::Codebase).usage(Resource),
    AttributeRow::new(HTML, &["applet"], "archive", CommaSeparated, HTML4)
        .relative_to(AttributeBase::Codebase).usage(Resource),
    AttributeRow::new(HTML, &["applet"], "code", Url, HTML4)
        .relative_to(AttributeBase::Codebase).relative_only().usage(Resource),

    AttributeRow::new(HTML, ANY, "about", Url, RDFA).empty_resolves().rdfa(),
    AttributeRow::new(HTML, ANY, "resource", Url, RDFA).empty_resolves().rdfa(),
    AttributeRow::new(HTML, &["param"], "value", Url, HTML4).when(Condition::ValueTypeRef),

    AttributeRow::new(SVG, ANY, "style", Css, SVG2),
    AttributeRow::new(SVG, ANY, "fill", Css, SVG2),
    AttributeRow::new(SVG, ANY, "stroke", Css, SVG2),
    AttributeRow::new(SVG, ANY, "filter", Css, SVG2),
    AttributeRow::new(SVG, ANY, "clip-path", Css, SVG2),
    AttributeRow::new(SVG, ANY, "mask", Css, SVG2),
    AttributeRow::new(SVG, ANY, "marker", Css, SVG2),
    AttributeRow::new(SVG, ANY, "marker-start", Css, SVG2),
    AttributeRow::new(SVG, ANY, "marker-mid", Css, SVG2),
    AttributeRow::new(SVG, ANY, "marker-end", Css, SVG2),
    AttributeRow::new(SVG, ANY, "cursor", Css, SVG2),
    AttributeRow::new(SVG, ANY, "color-profile", Css, "SVG 1.1, color"),

    AttributeRow::new(SVG, &["a"], "href", Url, SVG2).empty_resolves().usage(Link),
    AttributeRow::new(SVG, &["a"], "xlink:href", Url, XLINK).empty_resolves().usage(Link),
    AttributeRow::new(SVG, &["feImage", "image"], "href", Url, SVG2)
        .fragment_is_local().usage(Image),
    AttributeRow::new(SVG, &["script", "use"], "href", Url, SVG2)
        .fragment_is_local().usage(Resource),
    AttributeRow::new(
        SVG,
        &[
            "animate", "animateMotion", "animateTransform", "discard", "linearGradient", "mpath",
            "pattern", "radialGradient", "set", "textPath",
        ],
        "href", Url, SVG2,
    ).fragment_is_local(),
    AttributeRow::new(SVG, &["feImage", "image"], "xlink:href", Url, XLINK)
        .fragment_is_local().usage(Image),
    AttributeRow::new(SVG, &["script", "use"], "xlink:href", Url, XLINK)
        .fragment_is_local().usage(Resource),
    AttributeRow::new(SVG, ANY, "xlink:href", Url, XLINK).fragment_is_local(),

    AttributeRow::new(MATHML, ANY, "style", Css, MATHML3),
    AttributeRow::new(MATHML, ANY, "href", Url, MATHML3).empty_resolves().usage(Link),
    AttributeRow::new(MATHML, ANY, "xlink:href", Url, MATHML3).empty_resolves().usage(Link),
    AttributeRow::new(MATHML, &["mglyph"], "src", Url, MATHML3).usage(Image),
    AttributeRow::new(MATHML, &["math"], "altimg", Url, MATHML3),
];

/// Values of `meta property` and `meta name` whose `content` is a URL, in lower case.
#[rustfmt::skip]
pub const URL_METADATA: &[&str] = &[
    // The Open Graph protocol
    "og:url", "og:see_also",
    "og:image", "og:image:url", "og:image:secure_url",
    "og:audio", "og:audio:url", "og:audio:secure_url",
    "og:video", "og:video:url", "og:video:secure_url",
    // X (Twitter) cards
    "twitter:url", "twitter:image", "twitter:image:src", "twitter:image0", "twitter:image1",
    "twitter:image2", "twitter:image3", "twitter:player", "twitter:player:stream",
    // Pinned sites and tiles
    "msapplication-config", "msapplication-starturl", "msapplication-tileimage",
    "msapplication-square70x70logo", "msapplication-square150x150logo",
    "msapplication-square310x310logo", "msapplication-wide310x150logo",
    // Search engines
    "thumbnail",
];

/// The row of an attribute of an element. `other` returns the values of the element's other
/// attributes by name.
pub fn find<'a>(
    namespace: Namespace,
    element: &str,
    attribute: &str,
    other: impl Fn(&str) -> Option<&'a str>,
) -> Option<&'static AttributeRow> {
    rows_named(attribute).iter().copied().find(|row| {
        row.namespace == namespace
            && (row.elements.is_empty() || row.elements.contains(&element))
            && is_met(row.when, &other)
    })
}

/// Whether a condition is met. `other` returns the values of the element's attributes by name.
pub fn is_met<V: AsRef<str>>(when: Condition, other: impl Fn(&str) -> Option<V>) -> bool {
    let is = |name: &str, wanted: &str| {
        other(name).is_some_and(|value| value.as_ref().eq_ignore_ascii_case(wanted))
    };
    match when {
        Condition::Always => true,
        Condition::HttpEquivRefresh => is("http-equiv", "refresh"),
        Condition::ValueTypeRef => is("valuetype", "ref"),
        Condition::UrlMetadata => ["property", "name"].into_iter().any(|name| {
            other(name).is_some_and(|value| {
                let value = value.as_ref().trim_ascii();
                URL_METADATA
                    .iter()
                    .any(|known| value.eq_ignore_ascii_case(known))
            })
        }),
    }
}

/// The rows with this attribute name, in the table's order: a filter before the element is known.
pub fn rows_named(attribute: &str) -> &'static [&'static AttributeRow] {
    static BY_NAME: LazyLock<HashMap<&str, Vec<&AttributeRow>>> = LazyLock::new(|| {
        let mut by_name: HashMap<&str, Vec<&AttributeRow>> = HashMap::new();
        for row in URL_ATTRIBUTES {
            by_name.entry(row.attribute).or_default().push(row);
        }
        by_name
    });
    BY_NAME.get(attribute).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_fits_by_namespace_element_and_condition() {
        let none = |_: &str| None;
        let kind = |ns, element, attribute| find(ns, element, attribute, none).map(|row| row.kind);
        assert_eq!(kind(HTML, "a", "href"), Some(Url));
        assert_eq!(kind(HTML, "div", "href"), None);
        assert_eq!(kind(HTML, "div", "itemid"), Some(Url));
        assert_eq!(kind(HTML, "img", "srcset"), Some(Srcset));
        assert_eq!(kind(HTML, "meta", "content"), None);
        assert_eq!(kind(SVG, "base", "href"), None);
        assert_eq!(kind(HTML, "svg", "xlink:href"), None);
        let refresh = |name: &str| (name == "http-equiv").then_some("Refresh");
        assert_eq!(
            find(HTML, "meta", "content", refresh).map(|row| row.kind),
            Some(Refresh)
        );
        let image = |name: &str| (name == "property").then_some("OG:image");
        assert_eq!(
            find(HTML, "meta", "content", image).map(|row| row.kind),
            Some(Url)
        );
        let title = |name: &str| (name == "property").then_some("og:title");
        assert_eq!(find(HTML, "meta", "content", title), None);
    }

    #[test]
    fn no_row_hides_a_later_one() {
        for (at, row) in URL_ATTRIBUTES.iter().enumerate() {
            for element in row.elements {
                let first = URL_ATTRIBUTES.iter().position(|other| {
                    other.namespace == row.namespace
                        && other.attribute == row.attribute
                        && other.when == row.when
                        && (other.elements.is_empty() || other.elements.contains(element))
                });
                assert_eq!(first, Some(at), "{element} {}", row.attribute);
            }
        }
    }

    #[test]
    fn metadata_names_are_lower_case() {
        for name in URL_METADATA {
            assert_eq!(*name, name.to_ascii_lowercase());
        }
    }
}
