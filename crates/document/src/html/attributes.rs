//! The table of URL attributes.
//!
//! Sources: the attribute index and the obsolete features of the HTML Standard, HTML 4.01, SVG 2 and
//! SVG 1.1, MathML 3, and for the metadata names the vocabularies themselves. The first row that
//! fits an attribute counts.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::element::Namespace;
use crate::json::is_url_like;
use crate::value_rules::{FetchOptionKind, Timing, Usage, ValueBase, ValueKind, ValueRules};

/// A condition on the other attributes of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always met.
    Always,
    /// `http-equiv` is `refresh`.
    HttpEquivRefresh,
    /// `http-equiv` is `content-security-policy`.
    HttpEquivPolicy,
    /// `property` or `name` is one of [`URL_METADATA`], or of [`URL_METADATA_IF_LIKE_ONE`] and the value is a URL rather
    /// than text; or `itemprop` has one of [`URL_ITEM_PROPERTIES`].
    UrlMetadata,
    /// `name` is one of [`PAIRED_METADATA`].
    PairedMetadata,
    /// `valuetype` is `ref`; or it is missing, `name` is one of [`MEDIA_PARAMETERS`], and `value` is
    /// the name of a media file ([`MEDIA_EXTENSIONS`]).
    ParameterUrl,
    /// `name` or `id` is `rustdoc-vars`.
    RustdocVars,
    /// The element animates `href`: its `attributeName` is `href` or `xlink:href`.
    AnimatesHref,
}

/// A row of the table of URL attributes.
#[derive(Debug, PartialEq, Eq)]
pub struct AttributeRow {
    /// The namespace of the elements.
    pub namespace: Namespace,
    /// The elements' local names in the tree; empty for any.
    pub elements: &'static [&'static str],
    /// The attribute's name, in lower case as the tokenizer returns it.
    pub attribute: &'static str,
    /// The kind of the value, such as a URL or CSS, and the rules for its URLs.
    pub rules: ValueRules,
    /// The condition on the other attributes for the row to count.
    pub when: Condition,
}

const HTML: Namespace = Namespace::Html;
const SVG: Namespace = Namespace::Svg;
const MATHML: Namespace = Namespace::MathMl;
const ANY: &[&str] = &[];

pub(super) const fn row(
    namespace: Namespace,
    elements: &'static [&'static str],
    attribute: &'static str,
    rules: ValueRules,
) -> AttributeRow {
    AttributeRow { namespace, elements, attribute, rules, when: Condition::Always }
}

impl AttributeRow {
    /// Returns true if the value is metadata of the page, for other programs than browsers.
    pub fn is_metadata(&self) -> bool {
        self.when == Condition::UrlMetadata
    }

    const fn when(self, when: Condition) -> AttributeRow {
        AttributeRow { when, ..self }
    }
}

const fn of(kind: ValueKind) -> ValueRules {
    ValueRules::of(kind)
}

const URL: ValueRules = of(Url);
const CSS: ValueRules = of(Css);
/// A presentation attribute of SVG.
const PRESENTATION: ValueRules = CSS.timing(Delayed);
/// In SVG.
const LOCAL_URL: ValueRules = URL.fragment_is_local();
/// Scripts join the names of files to it.
const FOLDER: ValueRules = URL.prefix();
/// Relative to the `codebase`.
const IN_CODEBASE: ValueRules = URL.in_codebase().usage(Resource);

use FetchOptionKind::{Cors, Integrity};
use Timing::{Delayed, Later};
use Usage::{Image, Link, Resource};
use ValueKind::{
    CommaSeparated, Css, FetchOption, Html, Pairs, Policy, Refresh, SemicolonSeparated,
    SpaceSeparated, Srcset, Url,
};

/// The rows, in the order in which they are tried.
#[rustfmt::skip]
pub const URL_ATTRIBUTES: &[AttributeRow] = &[
    // HTML Standard, attributes.
    row(HTML, &["a", "area"], "href", URL.empty_resolves().usage(Link)),
    row(HTML, &["base"], "href", URL.relative_to(ValueBase::Fallback)),
    row(HTML, &["link"], "href", ValueRules { usage: None, ..URL }),
    row(HTML, &["img"], "src", URL.usage(Image)),
    row(HTML, &["audio", "input", "model", "source", "video"], "src", URL.usage(Image).timing(Delayed)),
    row(HTML, &["iframe", "script"], "src", URL.usage(Resource)),
    row(HTML, &["embed", "track"], "src", URL.usage(Resource).timing(Delayed)),
    // Browsers upgrade `http:` in `img src`, never in `srcset`.
    row(HTML, &["img", "source"], "srcset", of(Srcset).usage(Resource)),
    row(HTML, &["link"], "imagesrcset", of(Srcset).usage(Resource)),
    row(HTML, &["video"], "poster", URL.usage(Image).timing(Delayed)),
    row(HTML, &["object"], "data", URL.usage(Resource).timing(Delayed)),
    row(HTML, &["form"], "action", URL.usage(Link)),
    row(HTML, &["button", "input"], "formaction", URL.usage(Link)),
    row(HTML, &["blockquote", "del", "ins", "q"], "cite", URL),
    row(HTML, &["a", "area"], "ping", of(SpaceSeparated).usage(Resource).timing(Later)),
    row(HTML, ANY, "itemid", URL),
    row(HTML, ANY, "style", CSS),
    row(HTML, &["iframe"], "srcdoc", of(Html)),
    row(HTML, &["meta"], "content", of(Refresh)).when(Condition::HttpEquivRefresh),

    // HTML Standard, attributes that say how a file is loaded; CSP 3 section 3.3.
    row(HTML, &["link"], "integrity", of(FetchOption(Integrity)).beside("href")),
    row(HTML, &["script"], "integrity", of(FetchOption(Integrity)).beside("src")),
    row(HTML, &["link"], "crossorigin", of(FetchOption(Cors)).beside("href")),
    row(HTML, &["audio", "img", "script", "video"], "crossorigin", of(FetchOption(Cors)).beside("src")),
    row(HTML, &["meta"], "content", of(Policy)).when(Condition::HttpEquivPolicy),

    // The metadata vocabularies, for other programs.
    row(HTML, &["meta"], "content", URL).when(Condition::UrlMetadata),
    row(HTML, &["meta"], "content", of(Pairs)).when(Condition::PairedMetadata),

    // Attribution Reporting, section 2.
    row(HTML, &["a", "area", "img", "script"], "attributionsrc", of(SpaceSeparated).usage(Resource)),

    // AMP HTML.
    row(HTML, &["amp-anim", "amp-audio", "amp-img", "amp-video"], "src", URL.usage(Image)),
    row(HTML, &[
        "amp-3d-gltf", "amp-autocomplete", "amp-bodymovin-animation", "amp-iframe",
        "amp-install-serviceworker", "amp-list", "amp-state", "amp-video-iframe",
    ], "src", URL.usage(Resource)),
    row(HTML, &["amp-anim", "amp-img"], "srcset", of(Srcset).usage(Resource)),
    row(HTML, &["amp-video", "amp-video-iframe"], "poster", URL.usage(Image)),
    row(HTML, &["amp-story"], "poster-landscape-src", URL.usage(Image)),
    row(HTML, &["amp-story"], "poster-portrait-src", URL.usage(Image)),
    row(HTML, &["amp-story"], "poster-square-src", URL.usage(Image)),
    row(HTML, &["amp-story"], "publisher-logo-src", URL.usage(Image)),
    row(HTML, &["form"], "action-xhr", URL.usage(Link)),

    // Custom elements that many sites have: model-viewer, Shoelace, LottieFiles, zero-md.
    row(HTML, &["lottie-player", "model-viewer", "sl-icon", "sl-include", "zero-md"], "src", URL.usage(Resource)),
    row(HTML, &["model-viewer"], "poster", URL.usage(Image)),
    row(HTML, &["model-viewer"], "environment-image", URL.usage(Image)),
    row(HTML, &["model-viewer"], "skybox-image", URL.usage(Image)),
    row(HTML, &["sl-breadcrumb-item", "sl-button", "sl-icon-button"], "href", URL.usage(Link)),
    row(HTML, &["sl-avatar"], "image", URL.usage(Image)),
    row(HTML, &["sl-icon-button"], "src", URL.usage(Resource)),

    // Sphinx; up to 7.1, it is the script.
    row(HTML, &["html"], "data-content_root", FOLDER),
    row(HTML, &["script"], "data-url_root", FOLDER),

    // rustdoc; up to 1.72, the element is a `div`.
    row(HTML, &["div", "meta"], "data-root-path", FOLDER).when(Condition::RustdocVars),
    row(HTML, &["div", "meta"], "data-static-root-path", FOLDER).when(Condition::RustdocVars),

    // HTML Standard, obsolete features.
    row(HTML, &["frame"], "src", URL.usage(Resource)),
    row(HTML, &["bgsound"], "src", URL.usage(Image)),
    row(HTML, &["frame", "iframe", "img"], "longdesc", URL),
    row(HTML, &["img", "input", "object"], "usemap", LOCAL_URL),
    row(HTML, &["img", "input"], "lowsrc", URL.usage(Image)),
    row(HTML, &["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"], "background", URL.usage(Image).timing(Delayed)),
    row(HTML, &["html"], "manifest", URL.relative_to(ValueBase::BeforeBase)),
    row(HTML, &["head"], "profile", of(SpaceSeparated)),
    row(HTML, &["isindex"], "action", URL.usage(Link)),
    row(HTML, &["command", "menuitem"], "icon", URL),

    // Browsers of the 1990s.
    row(HTML, &["img", "input"], "dynsrc", URL.usage(Image)),
    row(HTML, &["ilayer", "layer"], "src", URL.usage(Resource)),
    row(HTML, &["ilayer", "layer"], "background", URL.usage(Image)),

    // VML, which mail programs and old browsers read.
    row(HTML, &["v:fill", "v:image", "v:imagedata", "v:stroke"], "src", URL.usage(Image)),
    row(HTML, &["v:image", "v:oval", "v:rect", "v:roundrect", "v:shape"], "href", URL.usage(Link)),

    // HTML 4.01, attributes.
    row(HTML, &["applet", "object"], "codebase", URL),
    row(HTML, &["object"], "classid", IN_CODEBASE),
    row(HTML, &["object"], "archive", of(SpaceSeparated).in_codebase().usage(Resource)),
    row(HTML, &["applet"], "archive", of(CommaSeparated).in_codebase().usage(Resource)),
    row(HTML, &["applet"], "code", ValueRules { relative_only: true, ..IN_CODEBASE }),
    // Most pages leave `valuetype` out, and the plug-in knows by the name which parameters are URLs.
    row(HTML, &["param"], "value", URL.usage(Resource).timing(Delayed)).when(Condition::ParameterUrl),

    // RDFa Core 1.1.
    row(HTML, ANY, "about", ValueRules { rdfa: true, ..URL.empty_resolves() }),
    row(HTML, ANY, "resource", ValueRules { rdfa: true, ..URL.empty_resolves() }),

    // SVG 2, linking.
    row(SVG, ANY, "style", CSS),
    row(SVG, ANY, "fill", PRESENTATION),
    row(SVG, ANY, "stroke", PRESENTATION),
    row(SVG, ANY, "filter", PRESENTATION),
    row(SVG, ANY, "clip-path", PRESENTATION),
    row(SVG, ANY, "mask", PRESENTATION),
    row(SVG, ANY, "marker", PRESENTATION),
    row(SVG, ANY, "marker-start", PRESENTATION),
    row(SVG, ANY, "marker-mid", PRESENTATION),
    row(SVG, ANY, "marker-end", PRESENTATION),
    row(SVG, ANY, "cursor", PRESENTATION),
    row(SVG, &["a"], "href", URL.empty_resolves().usage(Link)),
    row(SVG, &["a"], "ping", of(SpaceSeparated).usage(Resource)),
    row(SVG, &["feImage", "image"], "href", LOCAL_URL.usage(Image)),
    row(SVG, &["script", "use"], "href", LOCAL_URL.usage(Resource)),
    row(SVG, &[
        "animate", "animateMotion", "animateTransform", "discard", "linearGradient", "mpath",
        "pattern", "radialGradient", "set", "textPath",
    ], "href", LOCAL_URL),

    // SVG 1.1, color.
    row(SVG, ANY, "color-profile", PRESENTATION),

    // SVG 1.1, linking (XLink).
    row(SVG, &["a"], "xlink:href", URL.empty_resolves().usage(Link)),
    row(SVG, &["feImage", "image"], "xlink:href", LOCAL_URL.usage(Image)),
    row(SVG, &["script", "use"], "xlink:href", LOCAL_URL.usage(Resource)),
    row(SVG, &[
        "altGlyph", "animate", "animateColor", "animateMotion", "animateTransform", "color-profile",
        "cursor", "filter", "font-face-uri", "glyphRef", "linearGradient", "mpath", "pattern",
        "radialGradient", "set", "textPath", "tref",
    ], "xlink:href", LOCAL_URL),

    // SVG Animations 2, the values of an animated `href`.
    row(SVG, &["animate", "set"], "to", LOCAL_URL).when(Condition::AnimatesHref),
    row(SVG, &["animate"], "from", LOCAL_URL).when(Condition::AnimatesHref),
    row(SVG, &["animate"], "values", of(SemicolonSeparated).fragment_is_local()).when(Condition::AnimatesHref),

    // MathML 3, attributes.
    row(MATHML, ANY, "style", CSS),
    row(MATHML, ANY, "href", URL.empty_resolves().usage(Link)),
    row(MATHML, ANY, "xlink:href", URL.empty_resolves().usage(Link)),
    row(MATHML, &["mglyph"], "src", URL.usage(Image)),
    row(MATHML, &["math"], "altimg", URL),
];

/// The elements that do nothing without a URL, with parts of the names of the attributes that may give one; scripts and
/// templates have names of their own for them (`data-src`, `:href`).
const NEED_URL: &[(&[u8], &[&[u8]])] = &[(b"img", &[b"src"]), (b"link", &[b"href", b"src"])];

/// Returns true if HTML elements of this name, in any letter case, have no effect without a URL.
pub fn needs_url(element: &[u8]) -> bool {
    NEED_URL.iter().any(|(name, _)| name.eq_ignore_ascii_case(element))
}

/// Returns true if no attribute in the list gives the element the URL that it needs.
pub fn lacks_url<'a>(element: &[u8], names: impl IntoIterator<Item = &'a [u8]>) -> bool {
    let row = NEED_URL.iter().find(|(name, _)| name.eq_ignore_ascii_case(element));
    row.is_some_and(|(_, parts)| {
        !names.into_iter().any(|name| {
            let name = name.to_ascii_lowercase();
            // Markup of a template may stand for any attribute.
            memchr::memchr3(b'{', b'%', b'<', &name).is_some()
                || parts.iter().any(|part| memchr::memmem::find(&name, part).is_some())
        })
    })
}

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
    // Google Scholar and Highwire Press
    "citation_abstract_html_url", "citation_abstract_pdf_url", "citation_full_html_url",
    "citation_fulltext_html_url", "citation_pdf_url", "citation_public_url", "citation_xml_url",
];

/// Further values of `meta property` (Open Graph protocol), in which authors write URLs or names. Only a
/// `content` that looks like a URL is one.
pub const URL_METADATA_IF_LIKE_ONE: &[&str] = &["article:author", "article:publisher"];

/// Values of `meta itemprop` whose `content` is a URL, in lower case (schema.org).
pub const URL_ITEM_PROPERTIES: &[&str] =
    &["contenturl", "embedurl", "image", "logo", "thumbnailurl", "url"];

/// Values of `meta name` whose `content` has URLs among its pairs of names and values, in lower case
/// (Microsoft, "Pinned sites and tiles").
pub const PAIRED_METADATA: &[&str] = &["msapplication-notification", "msapplication-task"];

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

/// Returns true if the path of `url` ends in an extension of [`MEDIA_EXTENSIONS`].
fn is_media_file(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default().trim_ascii();
    let extension = path.rsplit_once('.').map(|(_, extension)| extension);
    extension
        .is_some_and(|own| MEDIA_EXTENSIONS.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

/// Returns the row of an attribute of an element. `other` returns the values of the element's other attributes by
/// name.
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

/// Returns true if a condition is met. `other` returns the values of the element's attributes by name.
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
        Condition::RustdocVars => ["name", "id"].iter().any(|name| is(name, "rustdoc-vars")),
        Condition::UrlMetadata => is_url_metadata(other),
        Condition::PairedMetadata => PAIRED_METADATA.iter().any(|known| is("name", known)),
    }
}

fn is_url_metadata<V: AsRef<str>>(other: impl Fn(&str) -> Option<V>) -> bool {
    let is_in = |known: &[&str], value: &str| known.iter().any(|it| it.eq_ignore_ascii_case(value));
    let content = |is: &dyn Fn(&str) -> bool| {
        other("content").is_some_and(|content| is(content.as_ref().trim_ascii()))
    };
    let is_url = |value: &str| {
        let keyword = METADATA_KEYWORDS.iter().find(|(known, _)| value.eq_ignore_ascii_case(known));
        let is_keyword = |word: &str| content(&|it| it.eq_ignore_ascii_case(word));
        is_in(URL_METADATA, value) && !keyword.is_some_and(|(_, keyword)| is_keyword(keyword))
            || is_in(URL_METADATA_IF_LIKE_ONE, value) && content(&is_url_like)
    };
    let mut names = ["property", "name"].into_iter().filter_map(&other);
    names.any(|value| is_url(value.as_ref().trim_ascii()))
        || other("itemprop").is_some_and(|value| {
            value.as_ref().split_ascii_whitespace().any(|it| is_in(URL_ITEM_PROPERTIES, it))
        })
}

/// Returns the rows with this attribute name, in the table's order: a filter before the element is known.
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
        let kind =
            |ns, element, attribute| find(ns, element, attribute, none).map(|row| row.rules.kind);
        assert_eq!(kind(HTML, "a", "href"), Some(Url));
        assert_eq!(kind(HTML, "div", "href"), None);
        assert_eq!(kind(HTML, "div", "itemid"), Some(Url));
        assert_eq!(kind(HTML, "img", "srcset"), Some(Srcset));
        assert_eq!(kind(HTML, "meta", "content"), None);
        assert_eq!(kind(SVG, "base", "href"), None);
        assert_eq!(kind(HTML, "svg", "xlink:href"), None);
        let refresh = |name: &str| (name == "http-equiv").then_some("Refresh");
        assert_eq!(find(HTML, "meta", "content", refresh).map(|row| row.rules.kind), Some(Refresh));
        let image = |name: &str| (name == "property").then_some("OG:image");
        assert_eq!(find(HTML, "meta", "content", image).map(|row| row.rules.kind), Some(Url));
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
