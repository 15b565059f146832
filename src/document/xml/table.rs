//! The table of the attributes and texts of XML vocabularies that hold URLs.
//!
//! The attributes of XHTML, SVG and MathML that HTML documents have too are in
//! [`crate::document::html::attributes`]. A row here counts before a row there.
//!
//! Values that only identify something are not in the table: Atom `id`, `rdf:about`,
//! `rdf:resource`, category schemes, namespace names. RSS `guid` counts only with
//! `isPermaLink="true"`: RSS treats `guid` as a permanent link by default, but many feeds write
//! other texts there, and readers recognise items by it.

use super::{XmlKind, XmlNamespace};
use crate::document::html::ValueKind;
use crate::document::json::JsonKind;
use crate::document::value_rules::ValueRules;

/// The part of an element that holds the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValuePlace<'a> {
    /// An attribute, by its expanded name.
    Attribute(XmlNamespace, &'a str),
    /// The text, in an element without child elements.
    Text,
}

/// A condition on the rest of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// Always met.
    Always,
    /// `type` is `html` or `text/html`: the text is escaped HTML.
    TypeHtml,
    /// `type` is CSS, empty or missing.
    TypeCss,
    /// `type`, without parameters, is this.
    Type(&'static str),
    /// `isPermaLink` is `true`.
    PermaLink,
    /// The parent has this local name.
    Parent(&'static str),
    /// The attribute `template` has parameters (`{searchTerms}`).
    TemplateParameters,
}

/// A row of the table.
struct Row {
    /// The elements' namespace.
    namespace: XmlNamespace,
    /// The elements' local names; empty for any.
    elements: &'static [&'static str],
    /// The part of the element that holds the value.
    place: ValuePlace<'static>,
    /// What the value holds.
    kind: XmlKind,
    /// A condition on the rest of the element.
    when: When,
}

impl Row {
    const fn new(
        namespace: XmlNamespace,
        elements: &'static [&'static str],
        place: ValuePlace<'static>,
        kind: XmlKind,
    ) -> Row {
        Row {
            namespace,
            elements,
            place,
            kind,
            when: When::Always,
        }
    }

    const fn when(mut self, when: When) -> Row {
        self.when = when;
        self
    }
}

use JsonKind::{ImportMap, JsonLd, SpeculationRules};
use ValuePlace::Text;
use XmlKind::{Css, Html, Json, Template};
use XmlNamespace as Ns;

const ANY: &[&str] = &[];

const fn attr(name: &'static str) -> ValuePlace<'static> {
    ValuePlace::Attribute(Ns::None, name)
}

/// A URL; an empty value is not one.
const URL: XmlKind = XmlKind::References(ValueRules::of(ValueKind::Url));

/// A URL; an empty value is a reference to the base URL.
pub(super) const URL_OR_EMPTY: XmlKind = XmlKind::References(ValueRules {
    empty_resolves: true,
    ..ValueRules::of(ValueKind::Url)
});

/// `xlink:href` of elements that have no row, here or in the table of HTML (XLink 1.1 section 5.4).
pub(super) const ANY_XLINK: XmlKind = XmlKind::References(ValueRules {
    empty_resolves: true,
    fragment_is_local: true,
    ..ValueRules::of(ValueKind::Url)
});

/// `href` of the processing instruction `xml-stylesheet` ("Associating Style Sheets with XML
/// documents 1.0", section 4).
pub(super) const XML_STYLESHEET: XmlKind = XmlKind::References(ValueRules {
    fragment_is_local: true,
    ..ValueRules::of(ValueKind::Url)
});

/// The table; the first row that fits counts.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    // XInclude 1.0 section 3.1, XSLT 1.0 section 2.6.
    Row::new(Ns::XInclude, &["include"], attr("href"), URL),
    Row::new(Ns::Xslt, &["import", "include"], attr("href"), URL),

    // SVG 2, styling; `color-profile`: SVG 1.1.
    Row::new(Ns::Svg, ANY, attr("style"), Css),
    Row::new(Ns::Svg, ANY, attr("clip-path"), Css),
    Row::new(Ns::Svg, ANY, attr("color-profile"), Css),
    Row::new(Ns::Svg, ANY, attr("cursor"), Css),
    Row::new(Ns::Svg, ANY, attr("fill"), Css),
    Row::new(Ns::Svg, ANY, attr("filter"), Css),
    Row::new(Ns::Svg, ANY, attr("marker"), Css),
    Row::new(Ns::Svg, ANY, attr("marker-end"), Css),
    Row::new(Ns::Svg, ANY, attr("marker-mid"), Css),
    Row::new(Ns::Svg, ANY, attr("marker-start"), Css),
    Row::new(Ns::Svg, ANY, attr("mask"), Css),
    Row::new(Ns::Svg, ANY, attr("stroke"), Css),
    Row::new(Ns::Svg, &["style"], Text, Css).when(When::TypeCss),

    // HTML Standard, attributes; JSON-LD 1.1 section 7; MathML Core section 2.1.
    Row::new(Ns::Xhtml, ANY, attr("style"), Css),
    Row::new(Ns::Xhtml, &["style"], Text, Css).when(When::TypeCss),
    Row::new(Ns::Xhtml, &["script"], Text, Json(ImportMap)).when(When::Type("importmap")),
    Row::new(Ns::Xhtml, &["script"], Text, Json(SpeculationRules))
        .when(When::Type("speculationrules")),
    Row::new(Ns::Xhtml, &["script"], Text, Json(JsonLd)).when(When::Type("application/ld+json")),
    Row::new(Ns::MathMl, ANY, attr("style"), Css),

    // Atom: RFC 4287; `generator url`, `url`, `copyright`, `info` and `tagline`: Atom 0.3.
    Row::new(Ns::Atom, &["link"], attr("href"), URL_OR_EMPTY),
    Row::new(Ns::Atom, &["content"], attr("src"), URL),
    Row::new(Ns::Atom, &["generator"], attr("uri"), URL),
    Row::new(Ns::Atom, &["generator"], attr("url"), URL),
    Row::new(Ns::Atom, &["icon", "logo", "uri"], Text, URL),
    Row::new(Ns::Atom, &["url"], Text, URL),
    Row::new(Ns::Atom, &["content", "rights", "subtitle", "summary", "title"], Text, Html)
        .when(When::TypeHtml),
    Row::new(Ns::Atom, &["copyright", "info", "tagline"], Text, Html).when(When::TypeHtml),
    // The Atom Publishing Protocol (RFC 5023) and Threading Extensions (RFC 4685).
    Row::new(Ns::AtomPublishing, &["categories", "collection"], attr("href"), URL_OR_EMPTY),
    Row::new(Ns::AtomThreading, &["in-reply-to"], attr("href"), URL),
    Row::new(Ns::AtomThreading, &["in-reply-to"], attr("source"), URL),

    // RSS 2.0, RSS 1.0 content module, the Comment API.
    Row::new(Ns::Rss, &["comments", "docs", "link"], Text, URL),
    Row::new(Ns::Rss, &["url"], Text, URL).when(When::Parent("image")),
    Row::new(Ns::Rss, &["guid"], Text, URL).when(When::PermaLink),
    Row::new(Ns::Rss, &["enclosure", "source"], attr("url"), URL),
    Row::new(Ns::Rss, &["description"], Text, Html),
    Row::new(Ns::RssContent, &["encoded"], Text, Html),
    Row::new(Ns::CommentApi, &["comment", "commentRss", "commentRSS"], Text, URL),
    // Media RSS 1.5, Apple's podcast tags, FeedBurner.
    Row::new(Ns::Media, &["content", "peerLink", "player"], attr("url"), URL),
    Row::new(Ns::Media, &["subTitle", "text", "thumbnail"], attr("url"), URL),
    Row::new(Ns::Media, &["license", "peerLink", "subTitle"], attr("href"), URL),
    Row::new(Ns::Media, &["description", "text", "title"], Text, Html).when(When::TypeHtml),
    Row::new(Ns::Itunes, &["image"], attr("href"), URL),
    Row::new(Ns::Itunes, &["new-feed-url"], Text, URL),
    Row::new(Ns::FeedBurner, &["origEnclosureLink", "origLink"], Text, URL),

    // sitemaps.org protocol 0.9, Google's sitemap extensions.
    Row::new(Ns::Sitemap, &["loc"], Text, URL),
    Row::new(Ns::SitemapImage, &["license", "loc"], Text, URL),
    Row::new(Ns::SitemapVideo, &["content_loc", "gallery_loc"], Text, URL),
    Row::new(Ns::SitemapVideo, &["player_loc", "thumbnail_loc"], Text, URL),
    Row::new(Ns::SitemapVideo, &["uploader"], attr("info"), URL),

    // OpenSearch 1.1; MDN, OpenSearch plugins.
    Row::new(Ns::OpenSearch, &["Url"], attr("template"), Template).when(When::TemplateParameters),
    Row::new(Ns::OpenSearch, &["Url"], attr("template"), URL),
    Row::new(Ns::OpenSearch, &["Image"], Text, URL),
    Row::new(Ns::MozSearch, &["IconUpdateUrl", "SearchForm", "UpdateUrl"], Text, URL),
    Row::new(Ns::OpenSearch, &["IconUpdateUrl", "SearchForm", "UpdateUrl"], Text, URL),

    // OPML 2.0.
    Row::new(Ns::Opml, &["outline"], attr("htmlUrl"), URL),
    Row::new(Ns::Opml, &["outline"], attr("url"), URL),
    Row::new(Ns::Opml, &["outline"], attr("xmlUrl"), URL),
    Row::new(Ns::Opml, &["docs", "ownerId"], Text, URL),
    // Microsoft, browser configuration schema.
    Row::new(
        Ns::BrowserConfig,
        &[
            "TileImage", "badge", "polling-uri", "polling-uri2", "polling-uri3", "polling-uri4",
            "polling-uri5", "square150x150logo", "square310x310logo", "square70x70logo",
            "wide310x150logo",
        ],
        attr("src"), URL,
    ),
];

/// The names of an element that a row can depend on.
pub(super) struct Subject<'a> {
    pub(super) namespace: XmlNamespace,
    pub(super) local: &'a str,
    /// The parent's local name.
    pub(super) parent: Option<&'a str>,
}

/// What a part of an element holds. `other` looks up the value of an attribute without a namespace
/// by its name.
pub(super) fn find<'v>(
    subject: &Subject<'_>,
    place: &ValuePlace<'_>,
    other: impl Fn(&str) -> Option<&'v str>,
) -> Option<XmlKind> {
    let is = |value: &str, known: &str| value.trim_ascii().eq_ignore_ascii_case(known);
    let row = ROWS.iter().find(|row| {
        row.namespace == subject.namespace
            && row.place == *place
            && (row.elements.is_empty() || row.elements.contains(&subject.local))
            && match row.when {
                When::Always => true,
                When::TypeHtml => {
                    other("type").is_some_and(|value| is(value, "html") || is(value, "text/html"))
                }
                When::TypeCss => {
                    other("type").is_none_or(|value| value.is_empty() || is(value, "text/css"))
                }
                When::Type(wanted) => other("type")
                    .is_some_and(|value| is(value.split(';').next().unwrap_or(""), wanted)),
                When::PermaLink => other("isPermaLink").is_some_and(|value| is(value, "true")),
                When::Parent(name) => subject.parent == Some(name),
                When::TemplateParameters => {
                    other("template").is_some_and(|value| value.contains('{'))
                }
            }
    });
    row.map(|row| row.kind)
}
