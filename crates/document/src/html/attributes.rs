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
    /// URLs separated by semicolons (SVG animation `values`).
    SemicolonSeparated,
    /// A number and perhaps a URL (`meta http-equiv=refresh`).
    Refresh,
    /// CSS: a list of declarations (`style`) or a property's value (SVG `fill`).
    Css,
    /// A whole HTML document (`srcdoc`).
    Html,
    /// Digests of the file that another attribute of the element names (Subresource Integrity).
    Integrity,
    /// The CORS mode in which browsers load the file that another attribute names (`crossorigin`).
    Cors,
    /// A Content Security Policy, which may list digests of inline styles and scripts.
    Policy,
}

/// A condition on the other attributes of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always met.
    Always,
    /// `http-equiv` is `refresh`.
    HttpEquivRefresh,
    /// `http-equiv` is `content-security-policy`.
    HttpEquivPolicy,
    /// `property` or `name` is one of [`URL_METADATA`].
    UrlMetadata,
    /// `valuetype` is `ref`; or it is missing, `name` is one of [`MEDIA_PARAMETERS`], and `value` is
    /// the name of a media file ([`MEDIA_EXTENSIONS`]).
    ParameterUrl,
    /// The element animates `href`: its `attributeName` is `href` or `xlink:href`.
    AnimatesHref,
}

/// The base URL of the references of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeBase {
    /// The document base URL.
    Document,
    /// The fallback base URL: for the `href` of `base`, which sets the base URL.
    Fallback,
    /// The fallback base URL: for attributes that browsers read before any `base`.
    BeforeBase,
    /// The element's `codebase` if it has one, else the document base URL.
    Codebase,
}

/// The use of a reference's target by the page. Browsers treat resources that they load differently
/// from links that a user follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Usage {
    /// A link or a form, which a user follows.
    Link,
    /// An image, sound or film that the page loads.
    Image,
    /// Any other resource that the page loads: a script, a style sheet, a frame.
    Resource,
    /// A URL in CSS: mostly an image, but also a style sheet or a font.
    Style,
    /// Data for other programs, and any unknown use.
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
    /// The condition on the other attributes for the row to count.
    pub when: Condition,
    /// The base URL of the references.
    pub base: AttributeBase,
    /// The other attribute of the element that the value depends on: the `codebase` that its
    /// references are relative to, the URL of the file that its digests are of.
    pub beside: Option<&'static str>,
    /// Whether an empty value is a reference (to the base URL). In other attributes the Standard makes an
    /// empty value an error, or gives it a meaning of its own (`form action`: the document's URL).
    pub empty_resolves: bool,
    /// Whether a value that is only a fragment means a place in this document, whatever the base URL.
    pub fragment_is_local: bool,
    /// Whether the value cannot be absolute (applet `code` is a name below the code base).
    pub relative_only: bool,
    /// Whether the row counts only if the caller asks for RDFa.
    pub rdfa: bool,
    /// The use of the targets by the page; `None` where the `rel` of the element decides.
    pub usage: Option<Usage>,
}

const HTML: Namespace = Namespace::Html;
const SVG: Namespace = Namespace::Svg;
const MATHML: Namespace = Namespace::MathMl;
const ANY: &[&str] = &[];

pub(super) const fn row(
    namespace: Namespace,
    elements: &'static [&'static str],
    attribute: &'static str,
    kind: ValueKind,
) -> AttributeRow {
    AttributeRow {
        namespace,
        elements,
        attribute,
        kind,
        when: Condition::Always,
        base: AttributeBase::Document,
        beside: None,
        empty_resolves: false,
        fragment_is_local: false,
        relative_only: false,
        rdfa: false,
        usage: Some(match kind {
            ValueKind::Css => Usage::Style,
            _ => Usage::Other,
        }),
    }
}

impl AttributeRow {
    const fn usage(mut self, usage: Usage) -> AttributeRow {
        self.usage = Some(usage);
        self
    }

    const fn when(mut self, when: Condition) -> AttributeRow {
        self.when = when;
        self
    }

    const fn relative_to(mut self, base: AttributeBase) -> AttributeRow {
        self.base = base;
        if matches!(base, AttributeBase::Codebase) {
            self.beside = Some("codebase");
        }
        self
    }

    const fn beside(mut self, attribute: &'static str) -> AttributeRow {
        self.beside = Some(attribute);
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
}

use AttributeBase::{BeforeBase, Codebase, Fallback};
use Usage::{Image, Link, Resource};
use ValueKind::{
    CommaSeparated, Cors, Css, Html, Integrity, Policy, Refresh, SemicolonSeparated,
    SpaceSeparated, Srcset, Url,
};

/// The rows, in the order in which they are tried.
#[rustfmt::skip]
pub const URL_ATTRIBUTES: &[AttributeRow] = &[
    // HTML Standard, attributes.
    row(HTML, &["a", "area"], "href", Url).empty_resolves().usage(Link),
    row(HTML, &["base"], "href", Url).relative_to(Fallback),
    AttributeRow { usage: None, ..row(HTML, &["link"], "href", Url) },
    row(HTML, &["audio", "img", "input", "source", "video"], "src", Url).usage(Image),
    row(HTML, &["embed", "iframe", "script", "track"], "src", Url).usage(Resource),
    // Browsers upgrade `http:` in `img src`, never in `srcset`.
    row(HTML, &["img", "source"], "srcset", Srcset).usage(Resource),
    row(HTML, &["link"], "imagesrcset", Srcset).usage(Resource),
    row(HTML, &["video"], "poster", Url).usage(Image),
    row(HTML, &["object"], "data", Url).usage(Resource),
    row(HTML, &["form"], "action", Url).usage(Link),
    row(HTML, &["button", "input"], "formaction", Url).usage(Link),
    row(HTML, &["blockquote", "del", "ins", "q"], "cite", Url),
    row(HTML, &["a", "area"], "ping", SpaceSeparated).usage(Resource),
    row(HTML, ANY, "itemid", Url),
    row(HTML, ANY, "style", Css),
    row(HTML, &["iframe"], "srcdoc", Html),
    row(HTML, &["meta"], "content", Refresh).when(Condition::HttpEquivRefresh),

    // HTML Standard, attributes that say how a file is loaded; CSP 3 section 3.3.
    row(HTML, &["link"], "integrity", Integrity).beside("href"),
    row(HTML, &["script"], "integrity", Integrity).beside("src"),
    row(HTML, &["link"], "crossorigin", Cors).beside("href"),
    row(HTML, &["audio", "img", "script", "video"], "crossorigin", Cors).beside("src"),
    row(HTML, &["meta"], "content", Policy).when(Condition::HttpEquivPolicy),

    // The metadata vocabularies, for other programs.
    row(HTML, &["meta"], "content", Url).when(Condition::UrlMetadata),

    // HTML Standard, obsolete features.
    row(HTML, &["frame"], "src", Url).usage(Resource),
    row(HTML, &["bgsound"], "src", Url).usage(Image),
    row(HTML, &["frame", "iframe", "img"], "longdesc", Url),
    row(HTML, &["img", "input", "object"], "usemap", Url).fragment_is_local(),
    row(HTML, &["img", "input"], "lowsrc", Url).usage(Image),
    row(HTML, &["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"], "background", Url)
        .usage(Image),
    row(HTML, &["html"], "manifest", Url).relative_to(BeforeBase),
    row(HTML, &["head"], "profile", SpaceSeparated),
    row(HTML, &["isindex"], "action", Url).usage(Link),
    row(HTML, &["command", "menuitem"], "icon", Url),

    // Browsers of the 1990s.
    row(HTML, &["img", "input"], "dynsrc", Url).usage(Image),
    row(HTML, &["ilayer", "layer"], "src", Url).usage(Resource),
    row(HTML, &["ilayer", "layer"], "background", Url).usage(Image),

    // HTML 4.01, attributes.
    row(HTML, &["applet", "object"], "codebase", Url),
    row(HTML, &["object"], "classid", Url).relative_to(Codebase).usage(Resource),
    row(HTML, &["object"], "archive", SpaceSeparated).relative_to(Codebase).usage(Resource),
    row(HTML, &["applet"], "archive", CommaSeparated).relative_to(Codebase).usage(Resource),
    AttributeRow {
        relative_only: true, ..row(HTML, &["applet"], "code", Url).relative_to(Codebase).usage(Resource)
    },
    // Most pages leave `valuetype` out, and the plug-in knows by the name which parameters are URLs.
    row(HTML, &["param"], "value", Url).when(Condition::ParameterUrl).usage(Resource),

    // RDFa Core 1.1.
    AttributeRow { rdfa: true, ..row(HTML, ANY, "about", Url).empty_resolves() },
    AttributeRow { rdfa: true, ..row(HTML, ANY, "resource", Url).empty_resolves() },

    // SVG 2, linking.
    row(SVG, ANY, "style", Css),
    row(SVG, ANY, "fill", Css),
    row(SVG, ANY, "stroke", Css),
    row(SVG, ANY, "filter", Css),
    row(SVG, ANY, "clip-path", Css),
    row(SVG, ANY, "mask", Css),
    row(SVG, ANY, "marker", Css),
    row(SVG, ANY, "marker-start", Css),
    row(SVG, ANY, "marker-mid", Css),
    row(SVG, ANY, "marker-end", Css),
    row(SVG, ANY, "cursor", Css),
    row(SVG, &["a"], "href", Url).empty_resolves().usage(Link),
    row(SVG, &["feImage", "image"], "href", Url).fragment_is_local().usage(Image),
    row(SVG, &["script", "use"], "href", Url).fragment_is_local().usage(Resource),
    row(SVG, &[
        "animate", "animateMotion", "animateTransform", "discard", "linearGradient", "mpath",
        "pattern", "radialGradient", "set", "textPath",
    ], "href", Url).fragment_is_local(),

    // SVG 1.1, color.
    row(SVG, ANY, "color-profile", Css),

    // SVG 1.1, linking (XLink).
    row(SVG, &["a"], "xlink:href", Url).empty_resolves().usage(Link),
    row(SVG, &["feImage", "image"], "xlink:href", Url).fragment_is_local().usage(Image),
    row(SVG, &["script", "use"], "xlink:href", Url).fragment_is_local().usage(Resource),
    row(SVG, &[
        "altGlyph", "animate", "animateColor", "animateMotion", "animateTransform", "color-profile",
        "cursor", "filter", "font-face-uri", "glyphRef", "linearGradient", "mpath", "pattern",
        "radialGradient", "set", "textPath", "tref",
    ], "xlink:href", Url).fragment_is_local(),

    // SVG Animations 2, the values of an animated `href`.
    row(SVG, &["animate", "set"], "to", Url).when(Condition::AnimatesHref).fragment_is_local(),
    row(SVG, &["animate"], "from", Url).when(Condition::AnimatesHref).fragment_is_local(),
    row(SVG, &["animate"], "values", SemicolonSeparated).when(Condition::AnimatesHref)
        .fragment_is_local(),

    // MathML 3, attributes.
    row(MATHML, ANY, "style", Css),
    row(MATHML, ANY, "href", Url).empty_resolves().usage(Link),
    row(MATHML, ANY, "xlink:href", Url).empty_resolves().usage(Link),
    row(MATHML, &["mglyph"], "src", Url).usage(Image),
    row(MATHML, &["math"], "altimg", Url),
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

/// Names of `meta` whose `content` may be a keyword instead of a URL, with the keyword (Microsoft,
/// "Browser configuration schema reference": `none` asks for no file).
const METADATA_KEYWORDS: &[(&str, &str)] = &[("msapplication-config", "none")];

/// Names of `param` whose value is the URL of what a plug-in plays: Flash and QuickTime (`movie`,
/// `src`), Windows Media Player (`url`, `filename`), others (`data`).
const MEDIA_PARAMETERS: &[&str] = &["data", "filename", "movie", "src", "url"];

/// Extensions of the files that plug-ins play.
#[rustfmt::skip]
const MEDIA_EXTENSIONS: &[&str] = &[
    // Shockwave and Flash
    "dcr", "dir", "dxr", "f4v", "flv", "spl", "swf",
    // QuickTime and MPEG
    "m4a", "m4v", "mov", "mp2", "mp3", "mp4", "mpeg", "mpg", "qt", "qtl",
    // Windows Media
    "asf", "asx", "avi", "wax", "wma", "wmv", "wpl", "wvx",
    // Real
    "ra", "ram", "rm", "rmvb", "rpm", "smi", "smil",
    // Sound and free formats
    "aif", "aiff", "au", "m3u", "m3u8", "mid", "midi", "oga", "ogg", "ogv", "opus", "wav", "webm",
    // Pictures, documents and models
    "djvu", "gif", "jpeg", "jpg", "pdf", "png", "svg", "svgz", "u3d", "wrl", "x3d", "xap",
];

/// Whether the path of `url` ends in an extension of [`MEDIA_EXTENSIONS`].
fn is_media_file(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_ascii();
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension
        .is_some_and(|own| MEDIA_EXTENSIONS.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

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
        Condition::HttpEquivPolicy => is("http-equiv", "content-security-policy"),
        Condition::ParameterUrl => match other("valuetype") {
            Some(_) => is("valuetype", "ref"),
            None => {
                MEDIA_PARAMETERS.iter().any(|known| is("name", known))
                    && other("value").is_some_and(|value| is_media_file(value.as_ref()))
            }
        },
        // The HTML tokenizer gives names in lower case, XML as they are.
        Condition::AnimatesHref => ["attributename", "attributeName"]
            .into_iter()
            .any(|name| is(name, "href") || is(name, "xlink:href")),
        Condition::UrlMetadata => ["property", "name"].into_iter().any(|name| {
            other(name).is_some_and(|value| {
                let value = value.as_ref().trim_ascii();
                let keyword =
                    METADATA_KEYWORDS.iter().find(|(known, _)| value.eq_ignore_ascii_case(known));
                URL_METADATA.iter().any(|known| value.eq_ignore_ascii_case(known))
                    && !keyword.is_some_and(|(_, keyword)| is("content", keyword))
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
        assert_eq!(find(HTML, "meta", "content", refresh).map(|row| row.kind), Some(Refresh));
        let image = |name: &str| (name == "property").then_some("OG:image");
        assert_eq!(find(HTML, "meta", "content", image).map(|row| row.kind), Some(Url));
        let title = |name: &str| (name == "property").then_some("og:title");
        assert_eq!(find(HTML, "meta", "content", title), None);
    }

    #[test]
    fn the_other_attributes_decide_whether_a_value_is_a_url() {
        type Others = &'static [(&'static str, &'static str)];
        let cases: &[(Namespace, &str, &str, Others, bool)] = &[
            (HTML, "param", "value", &[("valuetype", "ref"), ("value", "x")], true),
            (HTML, "param", "value", &[("name", "Movie"), ("value", "a/b.SWF?x")], true),
            (HTML, "param", "value", &[("name", "FileName"), ("value", "a.wmv")], true),
            (HTML, "param", "value", &[("name", "movie"), ("value", "true")], false),
            (HTML, "param", "value", &[("name", "title"), ("value", "b.swf")], false),
            (
                HTML,
                "param",
                "value",
                &[("name", "movie"), ("valuetype", "data"), ("value", "b.swf")],
                false,
            ),
            (
                HTML,
                "meta",
                "content",
                &[("name", "msapplication-config"), ("content", "None")],
                false,
            ),
            (
                HTML,
                "meta",
                "content",
                &[("name", "msapplication-config"), ("content", "b.xml")],
                true,
            ),
            (HTML, "meta", "content", &[("name", "thumbnail"), ("content", "none")], true),
            (SVG, "set", "to", &[("attributename", "href")], true),
            (SVG, "animate", "values", &[("attributeName", "xlink:href")], true),
            (SVG, "animate", "from", &[("attributename", "fill")], false),
            (SVG, "path", "xlink:href", &[], false),
            (SVG, "tref", "xlink:href", &[], true),
        ];
        for (namespace, element, attribute, others, is_url) in cases {
            let other = |name: &str| {
                let found = others.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| *value)
            };
            let found = find(*namespace, element, attribute, other);
            assert_eq!(found.is_some(), *is_url, "{element} {attribute} {others:?}");
        }
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
