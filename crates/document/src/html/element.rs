//! Elements and quotes, as the readers of HTML and XML return them.

use std::borrow::Cow;
use std::fmt;

/// A namespace, or a vocabulary that has several namespaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Namespace {
    #[default]
    None,
    /// A namespace without known URLs.
    Other,
    /// HTML and XHTML.
    Html,
    Svg,
    MathMl,
    XLink,
    /// The prefix `xml`.
    Xml,
    XInclude,
    Xslt,
    /// Atom 1.0 and 0.3.
    Atom,
    /// The Atom Publishing Protocol.
    AtomPublishing,
    /// Atom Threading Extensions.
    AtomThreading,
    /// RSS of all versions.
    Rss,
    /// The content module of RSS 1.0.
    RssContent,
    /// The Comment API (`wfw:commentRss`).
    CommentApi,
    /// Media RSS.
    Media,
    /// Apple's podcast tags.
    Itunes,
    /// Google's podcast tags.
    GooglePlay,
    /// Podcasting 2.0.
    Podcast,
    FeedBurner,
    /// The container of EPUB (`META-INF/container.xml`).
    Ocf,
    /// `META-INF/encryption.xml` of EPUB.
    XmlEncryption,
    /// Package documents of EPUB (`.opf`).
    Package,
    /// Navigation of EPUB 2 (`.ncx`).
    Ncx,
    /// Media overlays of EPUB (`.smil`).
    Overlay,
    /// The attributes of EPUB in other vocabularies (`epub:textref`).
    Epub,
    Sitemap,
    SitemapImage,
    SitemapVideo,
    OpenSearch,
    /// Mozilla's additions to OpenSearch.
    MozSearch,
    Opml,
    /// Microsoft's browser configuration schema (`browserconfig.xml`).
    BrowserConfig,
}

impl Namespace {
    /// Returns a short name of the vocabulary for people; empty for no namespace.
    pub fn label(self) -> &'static str {
        self.properties().0
    }

    /// Returns true if readers of the vocabulary resolve relative URLs. Sitemaps, RSS and the like define no
    /// base URL, so their readers expect absolute ones.
    pub fn has_relative_urls(self) -> bool {
        self.properties().1
    }

    /// Returns true if browsers render documents of the vocabulary.
    pub(crate) fn is_rendered(self) -> bool {
        matches!(self, Namespace::Html | Namespace::Svg | Namespace::MathMl)
    }

    fn properties(self) -> (&'static str, bool) {
        match self {
            Namespace::None | Namespace::Html | Namespace::BrowserConfig => ("", true),
            Namespace::Rss | Namespace::Opml => ("", false),
            Namespace::Other => ("*", true),
            Namespace::Svg => ("svg", true),
            Namespace::MathMl => ("math", true),
            Namespace::XLink => ("xlink", true),
            Namespace::Xml => ("xml", true),
            Namespace::XInclude => ("xi", true),
            Namespace::Xslt => ("xsl", true),
            Namespace::Atom => ("atom", true),
            Namespace::AtomPublishing => ("app", true),
            Namespace::AtomThreading => ("thr", true),
            Namespace::RssContent => ("content", false),
            Namespace::CommentApi => ("wfw", false),
            Namespace::Media => ("media", false),
            Namespace::Itunes => ("itunes", false),
            Namespace::GooglePlay => ("googleplay", false),
            Namespace::Podcast => ("podcast", false),
            Namespace::FeedBurner => ("feedburner", false),
            Namespace::Ocf => ("container", true),
            Namespace::XmlEncryption => ("enc", true),
            Namespace::Package => ("opf", true),
            Namespace::Ncx => ("ncx", true),
            Namespace::Overlay => ("smil", true),
            Namespace::Epub => ("epub", true),
            Namespace::Sitemap => ("sitemap", false),
            Namespace::SitemapImage => ("image", false),
            Namespace::SitemapVideo => ("video", false),
            Namespace::OpenSearch => ("os", false),
            Namespace::MozSearch => ("moz", false),
        }
    }
}

/// The name of an element, with its namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub namespace: Namespace,
    /// The local name in the tree (`img` for the tag `image`); `?xml-stylesheet` for that processing
    /// instruction of XML.
    pub name: Cow<'static, str>,
}

impl Element {
    /// Returns true if it is the element of HTML of this name.
    pub(crate) fn is_html(&self, name: &str) -> bool {
        self.namespace == Namespace::Html && self.name == name
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.namespace.label() {
            "" => f.write_str(&self.name),
            label => write!(f, "{label}:{}", self.name),
        }
    }
}

/// The quotes around an attribute value in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// `name="value"`
    Double,
    /// `name='value'`
    Single,
    /// `name=value`
    Unquoted,
    /// `name`: no value and no equals sign.
    NoValue,
}
