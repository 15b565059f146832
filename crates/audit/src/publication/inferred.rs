//! The URL that a site is published at, as far as its documents say it, and what in them says so.

use std::collections::BTreeMap;

use rehref_site::SiteUrl;
use rehref_site::plural::counted;

/// The sources that state the same URL, each with the number of its statements.
pub type Sources = BTreeMap<Source, usize>;

/// A source in a site that states the site's URL, such as a canonical link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// `link rel=canonical`.
    Canonical,
    /// `meta property=og:url` (The Open Graph protocol).
    OpenGraph,
    /// The URLs in a sitemap.
    Sitemap,
    /// A `Sitemap` line of `robots.txt`.
    Robots,
    /// The file `CNAME`, by which hosts of static sites know the name of the site.
    Cname,
    /// The file with this name, the configuration of the site's generator.
    Configuration(&'static str),
    /// The headers of a saved page, a message.
    Headers,
    /// Absolute links to pages that the site has.
    Links,
}

/// Returns the number of statements of all sources together.
pub fn total(sources: &Sources) -> usize {
    sources.values().sum()
}

/// Returns the sources with a verb, for messages: `34 canonical links, 1 sitemap and CNAME say`.
pub fn say(sources: &Sources) -> String {
    let is_one = sources.len() == 1 && total(sources) == 1;
    let verb = if is_one { "says" } else { "say" };
    format!("{} {verb}", named(sources))
}

/// Returns the sources for messages: `34 canonical links, 1 sitemap and CNAME`.
pub fn named(sources: &Sources) -> String {
    let names = sources.iter().map(|(source, count)| match source {
        Source::Canonical => counted(*count, "canonical link"),
        Source::OpenGraph => counted(*count, "og:url element"),
        Source::Sitemap => counted(*count, "sitemap"),
        Source::Robots => "robots.txt".to_owned(),
        Source::Cname => "CNAME".to_owned(),
        Source::Configuration(file) => (*file).to_owned(),
        Source::Headers => counted(*count, "Content-Location header"),
        Source::Links => counted(*count, "link"),
    });
    let names: Vec<String> = names.collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} and {last}", others.join(", "))
        }
        _ => names.concat(),
    }
}

/// The URL at which a site is published, as far as the site states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Publication {
    /// The site does not say it. It may have canonical links that do not fit the paths of their pages.
    Unknown(Option<Misfit>),
    /// All that the site says fits this URL.
    At(PublicationUrl),
    /// The site names several URLs of its root.
    Contradictory(Vec<PublicationUrl>),
}

/// A URL of the site's root, and the sources that state it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicationUrl {
    /// The URL of the site's root.
    pub url: SiteUrl,
    /// The sources that state the URL, each with the number of its statements.
    pub sources: Sources,
}

/// Canonical links and `og:url` elements that do not show the URL of the site, because their URLs are not those
/// of web servers, or have other paths than their pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misfit {
    /// The number of statements by each source.
    pub sources: Sources,
    /// The URL in the first of these statements.
    pub url: String,
    /// The folder in which most of these URLs match the paths of their pages.
    pub folder: Option<RootFolder>,
}

/// A folder below the site's root that seems to be the root of the published site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootFolder {
    /// The path of the folder in URLs, relative to the root, with a slash at its end.
    pub path: String,
    /// The URL of the folder, as the pages in it state it.
    pub url: SiteUrl,
    /// The sources that state the URL, each with the number of its statements.
    pub sources: Sources,
}

impl PublicationUrl {
    /// Returns true if the site states the URL explicitly. False if the URL is only inferred from links.
    pub fn is_stated(&self) -> bool {
        self.sources.keys().any(|source| *source != Source::Links)
    }
}

impl Misfit {
    /// Returns true if more pages say that a folder is at the URL that `at` says is that of the root. The URLs of a
    /// sitemap are those of files.
    pub(super) fn outweighs(&self, at: &PublicationUrl) -> bool {
        let is_sitemap = at.sources.contains_key(&Source::Sitemap);
        let at_root = |it: &RootFolder| it.url == at.url && total(&it.sources) > total(&at.sources);
        self.folder.as_ref().is_some_and(|folder| !is_sitemap && at_root(folder))
    }
}
