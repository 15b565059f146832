//! What in a site says where it is published, and how often.

use std::collections::BTreeMap;

use rehref_site::plural::counted;

/// How often each source says a thing.
pub type Sources = BTreeMap<Source, usize>;

/// Something in a site that says where the site is published.
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
    /// Absolute links to pages that the site has.
    Links,
}

/// How often all sources together say a thing.
pub fn total(sources: &Sources) -> usize {
    sources.values().sum()
}

/// The sources with a verb: `34 canonical links, 1 sitemap and CNAME say`.
pub fn say(sources: &Sources) -> String {
    let is_one = sources.len() == 1 && total(sources) == 1;
    let verb = if is_one { "says" } else { "say" };
    format!("{} {verb}", named(sources))
}

/// The sources: `34 canonical links, 1 sitemap and CNAME`.
pub fn named(sources: &Sources) -> String {
    let names = sources.iter().map(|(source, count)| match source {
        Source::Canonical => counted(*count, "canonical link"),
        Source::OpenGraph => counted(*count, "og:url element"),
        Source::Sitemap => counted(*count, "sitemap"),
        Source::Robots => "robots.txt".to_owned(),
        Source::Cname => "CNAME".to_owned(),
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
