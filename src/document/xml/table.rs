//! The table of the attributes and texts of XML vocabularies that hold URLs.
//!
//! The attributes of XHTML, SVG and MathML that HTML documents know too are in
//! [`crate::document::html::attributes`] and count in addition; the first row here that fits comes
//! before them.
//!
//! What only identifies something is not in the table: Atom `id`, `rdf:about`, `rdf:resource`,
//! category schemes, namespace names. RSS `guid` is only where it says that it is a permanent link:
//! RSS takes it for one by default, but what feeds write there is often no URL, and readers know items
//! by it.

use super::{XmlKind, XmlNamespace};
use crate::document::html::ValueKind;
use crate::document::json::JsonKind;

/// Which part of an element holds the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuePlace<'a> {
    /// An attribute, by its expanded name.
    Attribute(XmlNamespace, &'a str),
    /// The text, in an element without child elements.
    Text,
}

/// What must hold of the element besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Nothing.
    Always,
    /// `type` says that the text is escaped HTML.
    TypeHtml,
    /// `type` is CSS, or there is none.
    TypeCss,
    /// `type` is this.
    Type(&'static str),
    /// `isPermaLink` is `true`.
    PermaLink,
    /// Its parent has this local name.
    Parent(&'static str),
    /// Its own `template` has parameters.
    TemplateParameters,
}

/// A row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Row {
    /// The elements' namespace; `None` for any.
    pub namespace: Option<XmlNamespace>,
    /// The elements' local names; empty for any.
    pub elements: &'static [&'static str],
    /// What holds the value.
    pub place: ValuePlace<'static>,
    /// What the value holds.
    pub kind: XmlKind,
    /// What must hold besides.
    pub when: When,
    /// An empty value is a reference (to the base URL).
    pub empty_resolves: bool,
    /// A fragment-only value means a place in this document whatever the base URL is.
    pub fragment_is_local: bool,
    /// The document that defines it.
    pub source: &'static str,
}

impl Row {
    const fn new(
        namespace: XmlNamespace,
        elements: &'static [&'static str],
        place: ValuePlace<'static>,
        kind: XmlKind,
        source: &'static str,
    ) -> Row {
        Row {
            namespace: Some(namespace),
            elements,
            place,
            kind,
            when: When::Always,
            empty_resolves: false,
            fragment_is_local: false,
            source,
        }
    }

    const fn in_any_namespace(mut self) -> Row {
        self.namespace = None;
        self
    }

    const fn when(mut self, when: When) -> Row {
        self.when = when;
        self
    }

    const fn empty_resolves(mut self) -> Row {
        self.empty_resolves = true;
        self
    }

    const fn fragment_is_local(mut self) -> Row {
        self.fragment_is_local = true;
        self
    }
}

use ValuePlace::Text;
use XmlKind::{Css, Html, Template};
use XmlNamespace as Ns;

const URL: XmlKind = XmlKind::References(ValueKind::Url);
const ANY: &[&str] = &[];

const fn attr(name: &'static str) -> ValuePlace<'static> {
    ValuePlace::Attribute(Ns::None, name)
}

const XML_BASE: &str = "XML Base, section 3";
const XINCLUDE: &str = "XInclude 1.0, section 3.1";
const XLINK: &str = "XLink 1.1, section 5.4";
const XSLT: &str = "XSLT 1.0, section 2.6";
const SVG2: &str = "SVG 2, styling";
const STANDARD: &str = "HTML Standard, attributes";
const ATOM: &str = "RFC 4287";
const ATOM03: &str = "Atom 0.3";
const APP: &str = "RFC 5023";
const THREADING: &str = "RFC 4685";
const RSS: &str = "RSS 2.0";
const CONTENT: &str = "RSS 1.0 content module";
const COMMENT_API: &str = "The Comment API";
const MEDIA: &str = "Media RSS 1.5";
const ITUNES: &str = "Apple's podcast tags";
const FEEDBURNER: &str = "FeedBurner";
const SITEMAP: &str = "sitemaps.org protocol 0.9";
const GOOGLE: &str = "Google's sitemap extensions";
const OPENSEARCH: &str = "OpenSearch 1.1";
const MOZILLA: &str = "MDN, OpenSearch plugins";
const OPML: &str = "OPML 2.0";
const TILES: &str = "Microsoft, browser configuration schema";

/// The table.
#[rustfmt::skip]
pub const ROWS: &[Row] = &[
    Row::new(Ns::Other, ANY, ValuePlace::Attribute(Ns::Xml, "base"), URL, XML_BASE)
        .in_any_namespace().empty_resolves(),
    Row::new(Ns::XInclude, &["include"], attr("href"), URL, XINCLUDE),
    Row::new(Ns::Xslt, &["import", "include"], attr("href"), URL, XSLT),

    Row::new(Ns::Svg, ANY, attr("style"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("clip-path"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("color-profile"), Css, "SVG 1.1, styling"),
    Row::new(Ns::Svg, ANY, attr("cursor"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("fill"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("filter"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("marker"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("marker-end"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("marker-mid"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("marker-start"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("mask"), Css, SVG2),
    Row::new(Ns::Svg, ANY, attr("stroke"), Css, SVG2),
    Row::new(Ns::Svg, &["style"], Text, Css, SVG2).when(When::TypeCss),

    Row::new(Ns::Xhtml, ANY, attr("style"), Css, STANDARD),
    Row::new(Ns::Xhtml, &["style"], Text, Css, STANDARD).when(When::TypeCss),
    Row::new(Ns::Xhtml, &["script"], Text, XmlKind::Json(JsonKind::ImportMap), STANDARD)
        .when(When::Type("importmap")),
    Row::new(Ns::Xhtml, &["script"], Text, XmlKind::Json(JsonKind::SpeculationRules), STANDARD)
        .when(When::Type("speculationrules")),
    Row::new(Ns::Xhtml, &["script"], Text, XmlKind::Json(JsonKind::JsonLd), "JSON-LD 1.1, section 7")
        .when(When::Type("application/ld+json")),
    Row::new(Ns::MathMl, ANY, attr("style"), Css, "MathML Core, section 2.1"),

    Row::new(Ns::Atom, &["link"], attr("href"), URL, ATOM).empty_resolves(),
    Row::new(Ns::Atom, &["content"], attr("src"), URL, ATOM),
    Row::new(Ns::Atom, &["generator"], attr("uri"), URL, ATOM),
    Row::new(Ns::Atom, &["generator"], attr("url"), URL, ATOM03),
    Row::new(Ns::Atom, &["icon", "logo", "uri"], Text, URL, ATOM),
    Row::new(Ns::Atom, &["url"], Text, URL, ATOM03),
    Row::new(
        Ns::Atom, &["content", "rights", "subtitle", "summary", "title"], Text, Html, ATOM,
    ).when(When::TypeHtml),
    Row::new(Ns::Atom, &["copyright", "info", "tagline"], Text, Html, ATOM03).when(When::TypeHtml),
    Row::new(Ns::AtomPublishing, &["categories", "collection"], attr("href"), URL, APP)
        .empty_resolves(),
    Row::new(Ns::AtomThreading, &["in-reply-to"], attr("href"), URL, THREADING),
    Row::new(Ns::AtomThreading, &["in-reply-to"], attr("source"), URL, THREADING),

    Row::new(Ns::Rss, &["comments", "docs", "link"], Text, URL, RSS),
    Row::new(Ns::Rss, &["url"], Text, URL, RSS).when(When::Parent("image")),
    Row::new(Ns::Rss, &["guid"], Text, URL, RSS).when(When::PermaLink),
    Row::new(Ns::Rss, &["enclosure", "source"], attr("url"), URL, RSS),
    Row::new(Ns::Rss, &["description"], Text, Html, RSS),
    Row::new(Ns::RssContent, &["encoded"], Text, Html, CONTENT),
    Row::new(Ns::CommentApi, &["comment", "commentRss", "commentRSS"], Text, URL, COMMENT_API),
    Row::new(
        Ns::Media, &["content", "peerLink", "player", "subTitle", "text", "thumbnail"],
        attr("url"), URL, MEDIA,
    ),
    Row::new(Ns::Media, &["license", "peerLink", "subTitle"], attr("href"), URL, MEDIA),
    Row::new(Ns::Media, &["description", "text", "title"], Text, Html, MEDIA)
        .when(When::TypeHtml),
    Row::new(Ns::Itunes, &["image"], attr("href"), URL, ITUNES),
    Row::new(Ns::Itunes, &["new-feed-url"], Text, URL, ITUNES),
    Row::new(Ns::FeedBurner, &["origEnclosureLink", "origLink"], Text, URL, FEEDBURNER),

    Row::new(Ns::Sitemap, &["loc"], Text, URL, SITEMAP),
    Row::new(Ns::SitemapImage, &["license", "loc"], Text, URL, GOOGLE),
    Row::new(
        Ns::SitemapVideo, &["content_loc", "gallery_loc", "player_loc", "thumbnail_loc"],
        Text, URL, GOOGLE,
    ),
    Row::new(Ns::SitemapVideo, &["uploader"], attr("info"), URL, GOOGLE),

    Row::new(Ns::OpenSearch, &["Url"], attr("template"), Template, OPENSEARCH)
        .when(When::TemplateParameters),
    Row::new(Ns::OpenSearch, &["Url"], attr("template"), URL, OPENSEARCH),
    Row::new(Ns::OpenSearch, &["Image"], Text, URL, OPENSEARCH),
    Row::new(Ns::MozSearch, &["IconUpdateUrl", "SearchForm", "UpdateUrl"], Text, URL, MOZILLA),
    Row::new(Ns::OpenSearch, &["IconUpdateUrl", "SearchForm", "UpdateUrl"], Text, URL, MOZILLA),

    Row::new(Ns::Opml, &["outline"], attr("htmlUrl"), URL, OPML),
    Row::new(Ns::Opml, &["outline"], attr("url"), URL, OPML),
    Row::new(Ns::Opml, &["outline"], attr("xmlUrl"), URL, OPML),
    Row::new(Ns::Opml, &["docs", "ownerId"], Text, URL, OPML),
    Row::new(
        Ns::BrowserConfig,
        &[
            "TileImage", "badge", "polling-uri", "polling-uri2", "polling-uri3", "polling-uri4",
            "polling-uri5", "square150x150logo", "square310x310logo", "square70x70logo",
            "wide310x150logo",
        ],
        attr("src"), URL, TILES,
    ),
];

/// `xlink:href` of elements that no other row, here or in the table of HTML, knows.
pub const ANY_XLINK: &Row = &Row::new(
    Ns::Other,
    ANY,
    ValuePlace::Attribute(Ns::XLink, "href"),
    URL,
    XLINK,
)
.in_any_namespace()
.empty_resolves()
.fragment_is_local();

/// `href` of the processing instruction `xml-stylesheet` ("Associating Style Sheets with XML
/// documents 1.0", section 4).
pub const XML_STYLESHEET: &Row = &Row::new(
    Ns::None,
    &["?xml-stylesheet"],
    attr("href"),
    URL,
    "Associating Style Sheets with XML documents 1.0, section 4",
)
.fragment_is_local();

/// An element as the table looks at it.
pub struct Subject<'a> {
    /// Its namespace.
    pub namespace: XmlNamespace,
    /// Its local name.
    pub local: &'a str,
    /// Its parent's local name.
    pub parent: Option<&'a str>,
}

/// The row for a part of an element, given a look-up of the element's attributes without a
/// namespace by name.
pub fn find<'v>(
    subject: &Subject<'_>,
    place: &ValuePlace<'_>,
    other: impl Fn(&str) -> Option<&'v str>,
) -> Option<&'static Row> {
    ROWS.iter().find(|row| {
        row.namespace.is_none_or(|known| known == subject.namespace)
            && row.place == *place
            && (row.elements.is_empty() || row.elements.contains(&subject.local))
            && match row.when {
                When::Always => true,
                When::TypeHtml => other("type").is_some_and(|value| {
                    ["html", "text/html"]
                        .iter()
                        .any(|known| value.trim_ascii().eq_ignore_ascii_case(known))
                }),
                When::TypeCss => other("type").is_none_or(|value| {
                    value.is_empty() || value.trim_ascii().eq_ignore_ascii_case("text/css")
                }),
                When::Type(wanted) => other("type").is_some_and(|value| {
                    let value = value.split(';').next().unwrap_or("");
                    value.trim_ascii().eq_ignore_ascii_case(wanted)
                }),
                When::PermaLink => other("isPermaLink")
                    .is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case("true")),
                When::Parent(name) => subject.parent == Some(name),
                When::TemplateParameters => {
                    other("template").is_some_and(|value| value.contains('{'))
                }
            }
    })
}
