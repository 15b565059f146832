//! The captures of a crawl that are extracted: for each URL the newest content, or else a redirect.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::site::CaptureStatus;
use crate::url::Url;
use crate::warc::content::media_type_of;
use crate::warc::index::capture_status;
use crate::warc::record::{RecordHeader, RecordKind};

/// Whether content of this media type is a page.
pub(super) fn is_page(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml")
}

/// The place of a record: the number of its archive in the crawl, and that of the record in its archive.
pub(super) type RecordPlace = (usize, usize);

/// The content of a URL.
#[derive(Debug)]
pub(super) struct Content {
    /// The record that has the content, of this URL or of another one that a revisit record names.
    pub(super) place: RecordPlace,
    /// The media type, in lower case and without parameters; that of HTML and CSS also where only the name or the
    /// content shows it.
    pub(super) media_type: String,
    date: String,
}

/// A revisit: a capture whose content is in another record.
struct Revisit {
    url: Url,
    date: String,
    refers_to: Option<String>,
    digest: Option<String>,
}

/// The captures of a crawl, by URL.
#[derive(Default)]
pub(super) struct CrawlIndex {
    /// The URLs with content.
    pub(super) contents: BTreeMap<Url, Content>,
    /// The URLs that only redirect, with their targets.
    pub(super) redirects: BTreeMap<Url, Url>,
    /// The URLs of which the crawl has only errors.
    pub(super) errors: usize,
    /// The revisits whose content no record has.
    pub(super) unresolved_revisits: usize,
    /// The first page of the crawl.
    pub(super) first_page: Option<Url>,
    failed: BTreeSet<Url>,
    revisits: Vec<Revisit>,
    /// The records by the digests of their payloads.
    digests: HashMap<String, (RecordPlace, String)>,
}

impl CrawlIndex {
    /// Adds the record at `place` with this header, if it is a capture. `start` is the start of its block.
    pub(super) fn add(&mut self, place: RecordPlace, head: &RecordHeader, start: &[u8]) {
        let Some((url, status)) = capture_status(head, start) else {
            return;
        };
        // Programs store their logs and arguments as `metadata:` and the like.
        if !matches!(url.scheme(), "http" | "https" | "ftp") {
            return;
        }
        let date = head.value("WARC-Date").unwrap_or_default();
        let digest = head
            .value("WARC-Payload-Digest")
            .map(|it| it.trim().to_owned());
        match status {
            CaptureStatus::Content if head.kind() == RecordKind::Revisit => {
                let refers_to = head.value("WARC-Refers-To-Target-URI");
                self.revisits.push(Revisit {
                    url,
                    date,
                    refers_to,
                    digest,
                });
            }
            CaptureStatus::Content => {
                let media_type = media_type_of(head, start);
                if self.first_page.is_none() && is_page(&media_type) {
                    self.first_page = Some(url.clone());
                }
                if let Some(digest) = digest {
                    self.digests
                        .entry(digest)
                        .or_insert_with(|| (place, media_type.clone()));
                }
                self.add_content(
                    url,
                    Content {
                        place,
                        media_type,
                        date,
                    },
                );
            }
            CaptureStatus::Redirect(to) => {
                if let Ok(to) = Url::parse(&to) {
                    self.redirects.insert(url, to);
                }
            }
            // Only of index files.
            CaptureStatus::Listed => {}
            CaptureStatus::Error(_) => {
                self.failed.insert(url);
            }
        }
    }

    fn add_content(&mut self, url: Url, content: Content) {
        let known = self.contents.get(&url);
        if known.is_none_or(|known| known.date <= content.date) {
            self.contents.insert(url, content);
        }
    }

    /// Resolves revisits, and drops redirects of URLs that have content. To be called after the last record.
    pub(super) fn finish(&mut self) {
        for revisit in std::mem::take(&mut self.revisits) {
            let Revisit {
                url,
                date,
                refers_to,
                digest,
            } = revisit;
            let refers_to = refers_to.and_then(|url| Url::parse(url.trim()).ok());
            let by_digest = digest.and_then(|digest| self.digests.get(&digest).cloned());
            let found = by_digest.or_else(|| {
                let content = refers_to.and_then(|url| self.contents.get(&url));
                let content = content.or_else(|| self.contents.get(&url))?;
                Some((content.place, content.media_type.clone()))
            });
            match found {
                Some((place, media_type)) => {
                    let content = Content {
                        place,
                        media_type,
                        date,
                    };
                    self.add_content(url, content);
                }
                None => self.unresolved_revisits += 1,
            }
        }
        self.digests.clear();
        self.redirects
            .retain(|url, _| !self.contents.contains_key(url));
        let known = |url: &Url| self.contents.contains_key(url) || self.redirects.contains_key(url);
        self.errors = self.failed.iter().filter(|url| !known(url)).count();
        self.failed.clear();
    }
}
