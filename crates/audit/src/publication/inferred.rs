//! What the documents of a site say about the URL that it is published at.

use super::sources::{Source, Sources, total};
use rehref_site::SiteUrl;

/// The statements of the documents of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inferred {
    /// Where the site is published.
    pub publication: Publication,
    /// The first page with links to itself (`#top`) that says that its URL lacks the extension of its file.
    pub short_page: Option<ShortPage>,
}

/// The URL that a site is published at, as far as the site says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Publication {
    /// The site does not say it. It may have canonical links that do not fit the paths of their pages.
    Unknown(Option<Misfit>),
    /// All that the site says fits this URL.
    At(PublicationUrl),
    /// The site names several URLs of its root.
    Contradictory(Vec<PublicationUrl>),
}

/// A URL of the root of a site, and what says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicationUrl {
    /// The URL.
    pub url: SiteUrl,
    /// How often each source says so.
    pub sources: Sources,
}

/// Canonical links and `og:url` elements that do not say where the site is: their URLs are not those of web
/// servers, or have other paths than their pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misfit {
    /// How many there are of each source.
    pub sources: Sources,
    /// The URL of the first.
    pub url: String,
    /// The folder that most of them fit.
    pub folder: Option<RootFolder>,
}

/// A folder below the root of a site that seems to be the root of the site that is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootFolder {
    /// Its path in URLs, below the root, with a slash at its end.
    pub path: String,
    /// The URL that pages below it say it has.
    pub url: SiteUrl,
    /// How often each source says so.
    pub sources: Sources,
}

/// A page that says that its URL lacks the extension of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortPage {
    /// The URL, without a slash at its end.
    pub url: String,
    /// The extension.
    pub extension: String,
}

impl PublicationUrl {
    /// Whether the site says so itself, and not only its links.
    pub fn is_stated(&self) -> bool {
        self.sources.keys().any(|source| *source != Source::Links)
    }
}

impl Misfit {
    /// Whether more pages say that a folder is at the URL that `at` says is that of the root. The URLs of a sitemap
    /// are those of files.
    pub(super) fn outweighs(&self, at: &PublicationUrl) -> bool {
        let is_sitemap = at.sources.contains_key(&Source::Sitemap);
        let at_root = |it: &RootFolder| it.url == at.url && total(&it.sources) > total(&at.sources);
        self.folder.as_ref().is_some_and(|folder| !is_sitemap && at_root(folder))
    }
}
