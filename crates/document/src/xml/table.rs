//! The table of the attributes and texts of XML vocabularies that hold URLs.
//!
//! The attributes of XHTML, SVG and MathML that HTML documents have too are in
//! [`crate::html::attributes`]. A row here takes precedence over a row there.
//!
//! Values that only identify something are not in the table: Atom `id`, `rdf:about`,
//! `rdf:resource`, category schemes, namespace names. RSS `guid` counts only with
//! `isPermaLink="true"`: RSS treats `guid` as a permanent link by default, but many feeds write
//! other texts there, and readers recognise items by them.

use super::names::Name;
use crate::html::Namespace as Ns;
use crate::value_rules::{ValueBase, ValueKind, ValueRules};

/// A condition on the rest of the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Always met.
    Always,
    /// `type` is `html` or `text/html`: the text is escaped HTML.
    TypeHtml,
    /// [`When::TypeHtml`], and `mode` is `base64` (Atom 0.3).
    Base64Html,
    /// `isPermaLink` is `true`.
    PermaLink,
    /// The parent has this local name.
    Parent(&'static str),
}

/// A row of the table: the elements' namespace and local names, the names of the attributes
/// without a namespace, or with the prefix `epub:`, that hold the values ([`TEXT`]), their rules, and a condition.
pub(crate) type Row = (Ns, &'static [&'static str], &'static [&'static str], ValueRules, When);

use When::{Always, TypeHtml};

/// A fragment of HTML, escaped.
const HTML: ValueRules = ValueRules::of(ValueKind::HtmlFragment);
const BASE64_HTML: ValueRules = ValueRules::of(ValueKind::Base64Html);

/// Not an attribute: the text of an element without child elements.
const TEXT: &[&str] = &[];

/// A URL; an empty value is not one.
const URL: ValueRules = ValueRules::of(ValueKind::Url);

/// A URL whose reader fills parts in (OpenSearch 1.1, "URL template syntax").
const URL_WITH_PLACEHOLDERS: ValueRules = URL.placeholders();

/// The path of a file in a container of EPUB.
const IN_CONTAINER: ValueRules = URL.relative_to(ValueBase::Parent);

/// A URL; an empty value is a reference to the base URL.
pub(super) const URL_OR_EMPTY: ValueRules = URL.empty_resolves();

/// `xlink:href` of elements that have no row, here or in the table of HTML (XLink 1.1 section 5.4).
pub(super) const ANY_XLINK: ValueRules = URL.empty_resolves().fragment_is_local();

/// `href` of the processing instruction `xml-stylesheet` ("Associating Style Sheets with XML
/// documents 1.0", section 4). The parser reads it before any `base` element.
pub(super) const XML_STYLESHEET: ValueRules =
    URL.fragment_is_local().relative_to(ValueBase::BeforeBase);

/// The table; the first row that fits counts.
#[rustfmt::skip]
pub(crate) const ROWS: &[Row] = &[
    // XInclude 1.0 section 3.1, XSLT 1.0 section 2.6.
    (Ns::XInclude, &["include"], &["href"], URL, Always),
    (Ns::Xslt, &["import", "include"], &["href"], URL, Always),

    // Atom: RFC 4287; `generator url`, `url`, `copyright`, `info` and `tagline`: Atom 0.3.
    (Ns::Atom, &["link"], &["href"], URL_OR_EMPTY, Always),
    (Ns::Atom, &["content"], &["src"], URL, Always),
    (Ns::Atom, &["generator"], &["uri", "url"], URL, Always),
    (Ns::Atom, &["icon", "logo", "uri", "url"], TEXT, URL, Always),
    (Ns::Atom, &["content", "copyright", "info", "summary", "tagline", "title"], TEXT, BASE64_HTML,
        When::Base64Html),
    (Ns::Atom, &["content", "rights", "subtitle", "summary", "title"], TEXT, HTML, TypeHtml),
    (Ns::Atom, &["copyright", "info", "tagline"], TEXT, HTML, TypeHtml),
    // The Atom Publishing Protocol (RFC 5023) and Threading Extensions (RFC 4685).
    (Ns::AtomPublishing, &["categories", "collection"], &["href"], URL_OR_EMPTY, Always),
    (Ns::AtomThreading, &["in-reply-to"], &["href", "source"], URL, Always),

    // RSS 2.0, RSS 1.0 content module, the Comment API.
    (Ns::Rss, &["comments", "docs", "link"], TEXT, URL, Always),
    (Ns::Rss, &["url"], TEXT, URL, When::Parent("image")),
    (Ns::Rss, &["guid"], TEXT, URL, When::PermaLink),
    (Ns::Rss, &["enclosure", "source"], &["url"], URL, Always),
    (Ns::Rss, &["description"], TEXT, HTML, Always),
    (Ns::Html, &["body"], TEXT, HTML, When::Parent("item")),
    (Ns::RssContent, &["encoded"], TEXT, HTML, Always),
    (Ns::CommentApi, &["comment", "commentRss", "commentRSS"], TEXT, URL, Always),
    // Media RSS 1.5, Apple's podcast tags, FeedBurner.
    (Ns::Media, &["content", "peerLink", "player"], &["url"], URL, Always),
    (Ns::Media, &["subTitle", "text", "thumbnail"], &["url"], URL, Always),
    (Ns::Media, &["license", "peerLink", "subTitle"], &["href"], URL, Always),
    (Ns::Media, &["description", "text", "title"], TEXT, HTML, TypeHtml),
    (Ns::Itunes, &["image"], &["href"], URL, Always),
    (Ns::Itunes, &["new-feed-url"], TEXT, URL, Always),
    (Ns::GooglePlay, &["image"], &["href"], URL, Always),
    (Ns::GooglePlay, &["new-feed-url"], TEXT, URL, Always),
    // Podcasting 2.0.
    (Ns::Podcast, &["chapters", "funding", "license", "trailer", "transcript"], &["url"], URL, Always),
    (Ns::Podcast, &["contentLink", "image", "person"], &["href"], URL, Always),
    (Ns::Podcast, &["person"], &["img"], URL, Always),
    (Ns::Podcast, &["images"], &["srcset"], ValueRules::of(ValueKind::Srcset), Always),
    (Ns::Podcast, &["remoteItem"], &["feedUrl"], URL, Always),
    (Ns::Podcast, &["socialInteract", "source"], &["uri"], URL, Always),
    (Ns::FeedBurner, &["origEnclosureLink", "origLink"], TEXT, URL, Always),

    // EPUB 3.3 (Open Container Format, package documents, media overlays) and EPUB 2 (`guide`, `tours`, NCX).
    (Ns::Ocf, &["rootfile"], &["full-path"], IN_CONTAINER, Always),
    (Ns::Ocf, &["link"], &["href"], IN_CONTAINER, Always),
    (Ns::XmlEncryption, &["CipherReference"], &["URI"], IN_CONTAINER, Always),
    (Ns::Package, &["item", "link", "reference", "site"], &["href"], URL, Always),
    (Ns::Ncx, &["audio", "content", "img"], &["src"], URL, Always),
    (Ns::Overlay, &["audio", "text"], &["src"], URL, Always),
    (Ns::Overlay, &["body", "seq"], &["epub:textref"], URL, Always),

    // sitemaps.org protocol 0.9, Google's sitemap extensions.
    (Ns::Sitemap, &["loc"], TEXT, URL, Always),
    (Ns::SitemapImage, &["license", "loc"], TEXT, URL, Always),
    (Ns::SitemapVideo, &["content_loc", "gallery_loc"], TEXT, URL, Always),
    (Ns::SitemapVideo, &["player_loc", "thumbnail_loc"], TEXT, URL, Always),
    (Ns::SitemapVideo, &["uploader"], &["info"], URL, Always),

    // OpenSearch 1.1; MDN, OpenSearch plugins.
    (Ns::OpenSearch, &["Url"], &["template"], URL_WITH_PLACEHOLDERS, Always),
    (Ns::OpenSearch, &["Image"], TEXT, URL, Always),
    (Ns::MozSearch, &["IconUpdateUrl", "SearchForm", "UpdateUrl"], TEXT, URL, Always),
    (Ns::OpenSearch, &["IconUpdateUrl", "SearchForm", "UpdateUrl"], TEXT, URL, Always),

    // OPML 2.0.
    (Ns::Opml, &["outline"], &["htmlUrl", "url", "xmlUrl"], URL, Always),
    (Ns::Opml, &["docs", "ownerId"], TEXT, URL, Always),
    // Microsoft, browser configuration schema.
    (Ns::BrowserConfig, &[
        "TileImage", "badge", "polling-uri", "polling-uri2", "polling-uri3", "polling-uri4",
        "polling-uri5", "square150x150logo", "square310x310logo", "square70x70logo",
        "wide310x150logo",
    ], &["src"], URL, Always),
];

/// Returns the rules for the value of an attribute without a namespace, or for the element's text (`None`). `parent`:
/// the local name of the element around. `other` looks up the value of an attribute without a namespace by its name.
pub(super) fn find<'v>(
    element: &Name<'_>,
    parent: Option<&str>,
    attribute: Option<&str>,
    other: impl Fn(&str) -> Option<&'v str>,
) -> Option<ValueRules> {
    // Has no rows, and is what most XML besides feeds and sitemaps has.
    if matches!(element.namespace, Ns::None | Ns::Other) {
        return None;
    }
    let is = |value: &str, known: &str| value.trim_ascii().eq_ignore_ascii_case(known);
    let is_html = || other("type").is_some_and(|value| is(value, "html") || is(value, "text/html"));
    let row = ROWS.iter().find(|(namespace, elements, attributes, _, when)| {
        *namespace == element.namespace
            && attribute.map_or(attributes.is_empty(), |name| attributes.contains(&name))
            && elements.contains(&&*element.local)
            && match *when {
                Always => true,
                TypeHtml => is_html(),
                When::Base64Html => {
                    is_html() && other("mode").is_some_and(|value| is(value, "base64"))
                }
                When::PermaLink => other("isPermaLink").is_some_and(|value| is(value, "true")),
                When::Parent(name) => parent == Some(name),
            }
    });
    row.map(|(.., rules, _)| *rules)
}
