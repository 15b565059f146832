//! Namespaces (Namespaces in XML 1.0): the namespaces with URLs, and the scopes of prefixes.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::html::{Element, Namespace as Ns};

/// Namespace names, by the specifications that the variants' documentation names.
#[rustfmt::skip]
const NAMESPACES: &[(&str, Ns)] = &[
    ("", Ns::None),
    ("http://www.w3.org/1999/xhtml", Ns::Html),
    ("http://www.w3.org/2000/svg", Ns::Svg),
    ("http://www.w3.org/1998/Math/MathML", Ns::MathMl),
    ("http://www.w3.org/1999/xlink", Ns::XLink),
    ("http://www.w3.org/XML/1998/namespace", Ns::Xml),
    ("http://www.w3.org/2001/XInclude", Ns::XInclude),
    ("http://www.w3.org/1999/XSL/Transform", Ns::Xslt),
    ("http://www.w3.org/2005/Atom", Ns::Atom),
    ("http://purl.org/atom/ns#", Ns::Atom),
    ("http://www.w3.org/2007/app", Ns::AtomPublishing),
    ("http://purl.org/syndication/thread/1.0", Ns::AtomThreading),
    ("http://purl.org/rss/1.0/", Ns::Rss),
    ("http://my.netscape.com/rdf/simple/0.9/", Ns::Rss),
    ("http://channel.netscape.com/rdf/simple/0.9/", Ns::Rss),
    ("http://my.netscape.com/publish/formats/rss-0.91.dtd", Ns::Rss),
    ("http://backend.userland.com/rss", Ns::Rss),
    ("http://backend.userland.com/RSS2", Ns::Rss),
    ("http://blogs.law.harvard.edu/tech/rss", Ns::Rss),
    ("http://purl.org/rss/1.0/modules/content/", Ns::RssContent),
    ("http://wellformedweb.org/CommentAPI/", Ns::CommentApi),
    ("http://search.yahoo.com/mrss/", Ns::Media),
    ("http://search.yahoo.com/mrss", Ns::Media),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", Ns::Itunes),
    ("http://www.itunes.com/DTDs/PodCast-1.0.dtd", Ns::Itunes),
    ("http://www.google.com/schemas/play-podcasts/1.0", Ns::GooglePlay),
    ("http://www.google.com/schemas/play-podcasts/1.0/play-podcasts.xsd", Ns::GooglePlay),
    ("https://podcastindex.org/namespace/1.0", Ns::Podcast),
    ("https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", Ns::Podcast),
    ("http://rssnamespace.org/feedburner/ext/1.0", Ns::FeedBurner),
    ("http://www.sitemaps.org/schemas/sitemap/0.9", Ns::Sitemap),
    ("https://www.sitemaps.org/schemas/sitemap/0.9", Ns::Sitemap),
    ("http://www.google.com/schemas/sitemap/0.84", Ns::Sitemap),
    ("http://www.google.com/schemas/sitemap-image/1.1", Ns::SitemapImage),
    ("http://www.google.com/schemas/sitemap-video/1.1", Ns::SitemapVideo),
    ("urn:oasis:names:tc:opendocument:xmlns:container", Ns::Ocf),
    ("http://www.w3.org/2001/04/xmlenc#", Ns::XmlEncryption),
    ("http://www.idpf.org/2007/opf", Ns::Package),
    ("http://openebook.org/namespaces/oeb-package/1.0/", Ns::Package),
    ("http://www.daisy.org/z3986/2005/ncx/", Ns::Ncx),
    ("http://www.w3.org/ns/SMIL", Ns::Overlay),
    ("http://www.idpf.org/2007/ops", Ns::Epub),
    ("http://a9.com/-/spec/opensearch/1.1/", Ns::OpenSearch),
    ("http://a9.com/-/spec/opensearchdescription/1.0/", Ns::OpenSearch),
    ("http://www.mozilla.org/2006/browser/search/", Ns::MozSearch),
];

/// The vocabulary of elements without a namespace, by the name of a root element without one. RSS,
/// OPML and browser configurations have no namespace by design. In the others the author forgot it:
/// browsers ignore them, but authors and other readers mean this vocabulary.
#[rustfmt::skip]
const ROOTS: &[(&str, Ns)] = &[
    ("rss", Ns::Rss),
    ("opml", Ns::Opml),
    ("browserconfig", Ns::BrowserConfig),
    ("html", Ns::Html),
    ("svg", Ns::Svg),
    ("math", Ns::MathMl),
    ("package", Ns::Package),
    ("ncx", Ns::Ncx),
    ("urlset", Ns::Sitemap),
    ("sitemapindex", Ns::Sitemap),
];

/// The namespace of this name.
fn namespace(name: &str) -> Ns {
    let known = NAMESPACES.iter().find(|(known, _)| *known == name);
    known.map_or(Ns::Other, |(_, namespace)| *namespace)
}

/// Returns the vocabulary of elements without a namespace in a document with this root element.
pub(super) fn vocabulary(root: &[u8]) -> Ns {
    let known = ROOTS.iter().find(|(name, _)| name.as_bytes() == root);
    known.map_or(Ns::None, |(_, namespace)| *namespace)
}

/// The expanded name of an element or an attribute.
#[derive(Default)]
pub(super) struct Name<'s> {
    pub(super) namespace: Ns,
    pub(super) local: Cow<'s, str>,
}

impl Name<'_> {
    pub(super) fn is(&self, namespace: Ns, local: &str) -> bool {
        self.namespace == namespace && self.local == local
    }

    pub(super) fn to_element(&self) -> Element {
        Element { namespace: self.namespace, name: self.local.clone().into_owned().into() }
    }

    /// Returns true if it is `xml:base`.
    pub(super) fn is_xml_base(&self) -> bool {
        self.is(Ns::Xml, "base")
    }
}

/// The prefixes in scope.
#[derive(Default)]
pub(super) struct Scopes<'s> {
    /// The bindings of each prefix (empty: no prefix), innermost last.
    bindings: HashMap<&'s [u8], Vec<Ns>>,
}

impl<'s> Scopes<'s> {
    /// Binds a prefix until it is unbound.
    pub(super) fn bind(&mut self, prefix: &'s [u8], name: Option<&str>) {
        let namespace = name.map_or(Ns::Other, namespace);
        self.bindings.entry(prefix).or_default().push(namespace);
    }

    /// Removes the innermost binding of a prefix.
    pub(super) fn unbind(&mut self, prefix: &[u8]) {
        if let Some(bindings) = self.bindings.get_mut(prefix) {
            bindings.pop();
        }
    }

    /// Returns the namespace of a prefix; `None` if it is not bound.
    pub(super) fn namespace(&self, prefix: &[u8]) -> Option<Ns> {
        let innermost = self.bindings.get(prefix).and_then(|b| b.last().copied());
        match prefix {
            b"xml" => Some(Ns::Xml),
            b"" => innermost.or(Some(Ns::None)),
            _ => innermost,
        }
    }
}

/// Returns a name's prefix (empty for none) and local part.
pub(super) fn split(name: &[u8]) -> (&[u8], &[u8]) {
    let colon = memchr::memchr(b':', name);
    let parts = colon.and_then(|at| Some((name.get(..at)?, name.get(at + 1..)?)));
    parts.unwrap_or((&[], name))
}
