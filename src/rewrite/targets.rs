//! Targets: which URLs are the site's own, and where they lead after the run.

use std::borrow::Cow;
use std::sync::Arc;

use super::pretty::Pretty;
use crate::moves::MovedUrls;
use crate::site::{FileIndex, SitePath, SiteUrl};
use crate::url::{AbsoluteUrl, Url};

/// What is known of the targets of a site.
#[derive(Clone, Debug)]
pub struct Targets(Option<Arc<Site>>);

/// A site before and after a run.
#[derive(Clone, Debug)]
pub struct Site {
    /// Where the site is published.
    pub before: SiteUrl,
    /// Further URLs that mean this site.
    pub also: Vec<SiteUrl>,
    /// Where it will be published.
    pub after: SiteUrl,
    /// The files before, where anything asks for them.
    pub files: FileIndex,
    /// What changes place.
    pub moved: MovedUrls,
    /// How URLs of index files and folders are to be written.
    pub pretty: Pretty,
}

/// Where a target leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MappedTarget {
    /// Outside the site, where it stays.
    External,
    /// Into the site, where it stays.
    Unmoved,
    /// Into the site, where it has this URL now.
    Moved(Url),
}

impl Targets {
    /// No site is known: everything stays where it is.
    pub fn unmoved() -> Targets {
        Targets(None)
    }

    /// The targets of `site`.
    pub fn of(site: Site) -> Targets {
        Targets(Some(Arc::new(site)))
    }

    /// The site, where one is known.
    pub fn site(&self) -> Option<&Site> {
        self.0.as_deref()
    }

    /// Where `target` leads.
    pub fn map(&self, target: &AbsoluteUrl) -> MappedTarget {
        let Some(site) = &self.0 else {
            return MappedTarget::Unmoved;
        };
        let site_urls = std::iter::once(&site.before).chain(&site.also);
        match SiteUrl::containing(site_urls, target.as_str()) {
            Some((site_url, rest)) => site.map(rest, *site_url == site.before),
            None => MappedTarget::External,
        }
    }

    /// Where the base URL of a document leads: one that ends with a slash names the folder, whatever
    /// becomes of its index file.
    pub fn map_base(&self, base: &AbsoluteUrl) -> MappedTarget {
        let lead = self.map(base);
        let (Some(site), MappedTarget::Moved(_)) = (&self.0, &lead) else {
            return lead;
        };
        let path = site.before.below(base.as_str());
        match path.filter(|path| path.is_empty() || path.ends_with('/')) {
            Some(path) if site.before == site.after => match site.moved.follow_folder(path) {
                Some(folder) => Url::parse(&format!("{}{folder}", site.after.url()))
                    .map_or(MappedTarget::Unmoved, MappedTarget::Moved),
                None => MappedTarget::Unmoved,
            },
            _ => lead,
        }
    }

    /// Where the base URL of a document leads, as a URL.
    pub fn follow_base<'u>(&self, base: &'u AbsoluteUrl) -> Cow<'u, AbsoluteUrl> {
        match self.map_base(base) {
            MappedTarget::External | MappedTarget::Unmoved => Cow::Borrowed(base),
            MappedTarget::Moved(url) => Cow::Owned(AbsoluteUrl::new(base.standard(), url)),
        }
    }

    /// Where `target` leads, as a URL.
    pub fn follow<'u>(&self, target: &'u AbsoluteUrl) -> Cow<'u, AbsoluteUrl> {
        match self.map(target) {
            MappedTarget::External | MappedTarget::Unmoved => Cow::Borrowed(target),
            MappedTarget::Moved(url) => Cow::Owned(AbsoluteUrl::new(target.standard(), url)),
        }
    }
}

impl Site {
    /// Where the URL leads that goes on with `rest` behind the site's own. It is `known` under the
    /// site's URL, or else under another.
    fn map(&self, rest: &str, known: bool) -> MappedTarget {
        let path_end = rest.find(['?', '#']).unwrap_or(rest.len());
        let (path, tail) = rest.split_at(path_end);
        let query_end = tail.find('#').unwrap_or(tail.len());
        let (query, fragment) = tail.split_at(query_end);
        let place = SitePath {
            path: Cow::Borrowed(path),
            query: Cow::Borrowed(query),
        };
        let moved = self.moved.follow(&self.files, &place);
        let place = moved.as_ref().unwrap_or(&place);
        let pretty = self.pretty.write(&self.files, place);
        let is_same_place = known && self.before == self.after;
        let place = match (&pretty, &moved) {
            (Some(place), _) | (None, Some(place)) => place,
            (None, None) if is_same_place => return MappedTarget::Unmoved,
            (None, None) => place,
        };
        let rest = format!("{}{}{fragment}", place.path, place.query);
        // A relative reference that begins with a name is resolved faster than a URL is parsed.
        let is_plain = place.path.starts_with(|c: char| c.is_ascii_alphanumeric())
            && !place.path.contains(':');
        let url = match is_plain {
            true => self.after.url().resolve(&rest, encoding_rs::UTF_8),
            false => Url::parse(&format!("{}{rest}", self.after.url())),
        };
        // Paths of the site are paths of any site, so that this cannot fail.
        url.map_or(MappedTarget::Unmoved, MappedTarget::Moved)
    }
}
