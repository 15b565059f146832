//! The files that the captures of a crawl become.

use std::sync::Arc;

use super::index::{CrawlIndex, RecordPlace};
use super::names;
use rehref_rewrite::{BaseElements, Captured, CapturedPaths, Policy, SiteMapping, SitePolicy};
use rehref_site::SiteUrl;
use rehref_site::string_table::{StringList, StringNumber};
use rehref_url::RelativeForm;

/// The files of the output.
pub(super) struct Files {
    /// The records with content, in order, each with the number of a URL that has it.
    by_record: Vec<(RecordPlace, StringNumber)>,
    /// The pages that redirect: the number of the path, and that of the URL with the target.
    pub(super) redirects: Vec<(StringNumber, StringNumber)>,
    pub(super) paths: Arc<CapturedPaths>,
}

impl Files {
    pub(super) fn new(mut index: CrawlIndex, output: SiteUrl) -> Files {
        let sorted = index.sorted();
        let captured = |url| match index.redirect(url) {
            _ if index.place(url).is_some() => Captured::Content(StringNumber::MAX),
            Some(to) => Captured::Redirect(to),
            None => Captured::Nothing,
        };
        let captured = (0..).take(index.urls.len()).map(captured).collect();
        let urls = std::mem::take(&mut index.urls);
        let mut paths = CapturedPaths { urls, captured, paths: StringList::default(), output };
        // The end of the redirects from a URL, if that is a page.
        let page = |paths: &CapturedPaths, url| {
            index.redirect(url)?;
            let end = paths.target(paths.url(url))?;
            index.is_page(end).then_some(end)
        };
        let media_type = |url| {
            let of_page = || page(&paths, url).map(|_| "text/html");
            index.media_type(url).or_else(of_page)
        };
        let named = |url: &StringNumber| Some((paths.url(*url), media_type(*url)?));
        let names = names::paths(sorted.iter().filter_map(named));
        let (mut by_record, mut redirects) = (Vec::new(), Vec::new());
        let with_file = sorted.into_iter().filter(|url| media_type(*url).is_some());
        let numbered: Vec<(StringNumber, StringNumber)> = (0..).zip(with_file).collect();
        for (path, url) in numbered {
            if let Some(place) = index.place(url) {
                by_record.push((place, url));
                if let Some(captured) = paths.captured.get_mut(url as usize) {
                    *captured = Captured::Content(path);
                }
            } else if let Some(end) = page(&paths, url) {
                redirects.push((path, end));
            }
        }
        paths.paths = names;
        by_record.sort_by_key(|(place, _)| *place);
        Files { by_record, redirects, paths: Arc::new(paths) }
    }

    /// Returns the URLs that have the content of the record at `place`.
    pub(super) fn of_record(&self, place: RecordPlace) -> &[(RecordPlace, StringNumber)] {
        let start = self.by_record.partition_point(|(it, _)| *it < place);
        let from = self.by_record.get(start..).unwrap_or_default();
        let count = from.partition_point(|(it, _)| *it == place);
        from.get(..count).unwrap_or_default()
    }

    /// Returns the number of records with content.
    pub(super) fn records(&self) -> usize {
        self.by_record.chunk_by(|one, other| one.0 == other.0).count()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let urls = self.by_record.iter().map(|(_, url)| *url);
        let of_records = urls.filter_map(|url| self.paths.path_of(url));
        let of_redirects = self.redirects.iter().map(|(path, _)| self.paths.path(*path));
        of_records.chain(of_redirects)
    }

    /// Returns the policy for the documents: links to files become relative, all others absolute.
    pub(super) fn policy(&self, output: SiteUrl) -> Policy {
        Policy::site(SitePolicy {
            form: Some(RelativeForm::Path),
            base_elements: BaseElements::Drop,
            mapping: SiteMapping::extracted(output, Arc::clone(&self.paths)),
        })
    }
}
