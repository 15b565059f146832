//! The captures of a crawl that are extracted: for each URL the newest content, or else a redirect.
//!
//! A crawl may have millions of URLs, so all texts are in tables, and captures have their numbers.

use crate::coding::DECODED_LIMIT;
use crate::warc::content::media_type_of;
use crate::warc::index::capture_status;
use crate::warc::{RecordHeader, RecordKind};
use std::collections::BTreeSet;

use rehref_site::CaptureStatus;
use rehref_site::string_table::{StringNumber, StringTable};
use rehref_url::Url;

/// Returns true if content of this media type is a page.
fn is_page(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml")
}

/// The place of a record: the number of its archive in the crawl, and that of the record in its archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RecordPlace(u32, u32);

impl RecordPlace {
    pub(super) fn new(archive: usize, record: usize) -> RecordPlace {
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        RecordPlace(number(archive), number(record))
    }
}

/// The content of a URL: in a record of this URL, or of another one that a revisit record names.
#[derive(Clone, Copy, Debug)]
struct Content {
    place: RecordPlace,
    /// The number of its media type, in lower case and without parameters; that of HTML and CSS also where only the
    /// name or the content shows it.
    media_type: StringNumber,
    date: StringNumber,
}

/// The captures of a URL.
#[derive(Clone, Copy, Debug, Default)]
struct Captures {
    content: Option<Content>,
    redirect: Option<StringNumber>,
    has_failed: bool,
}

/// A revisit: a capture whose content is in another record.
pub struct Revisit {
    url: StringNumber,
    date: StringNumber,
    refers_to: Option<StringNumber>,
    digest: Option<StringNumber>,
}

/// The captures of a crawl, by URL. A URL takes about 50 bytes besides its own, and while it is read another 100.
#[derive(Default)]
pub(super) struct CrawlIndex {
    pub(super) urls: StringTable,
    captures: Vec<Captures>,
    media_types: StringTable,
    dates: StringTable,
    /// The digests of payloads.
    digests: StringTable,
    /// The first record with each of the digests.
    by_digest: Vec<Option<Content>>,
    revisits: Vec<Revisit>,
    /// The records that are larger than memory should hold, so that they are not extracted.
    pub(super) too_large: BTreeSet<RecordPlace>,
    /// The number of URLs of which the crawl has only errors.
    pub(super) errors: usize,
    /// The number of revisits whose content no record has.
    pub(super) unresolved_revisits: usize,
    /// The first page of the crawl.
    pub(super) first_page: Option<StringNumber>,
}

impl CrawlIndex {
    /// Adds the record at `place` with this header. `start` is the start of its block. Returns `None` if it is not a
    /// capture that is extracted, or a table is full, with four billion strings.
    pub(super) fn add(
        &mut self,
        place: RecordPlace,
        head: &RecordHeader,
        start: &[u8],
    ) -> Option<()> {
        let (url, status) = capture_status(head, start)?;
        // Programs store their logs and arguments as `metadata:` and the like.
        if !matches!(url.scheme(), "http" | "https" | "ftp") {
            return None;
        }
        let url = self.insert(url.as_str())?;
        match status {
            CaptureStatus::Content => self.add_record(place, url, head, start)?,
            CaptureStatus::Redirect(to) => {
                if let Ok(to) = Url::parse(&to) {
                    let to = self.insert(to.as_str())?;
                    self.captures.get_mut(url as usize)?.redirect = Some(to);
                }
            }
            // Only of index files.
            CaptureStatus::Listed => {}
            CaptureStatus::Error(_) => self.captures.get_mut(url as usize)?.has_failed = true,
        }
        Some(())
    }

    /// Adds a record with content, or a revisit.
    fn add_record(
        &mut self,
        place: RecordPlace,
        url: StringNumber,
        head: &RecordHeader,
        start: &[u8],
    ) -> Option<()> {
        let date = head.value("WARC-Date").unwrap_or_default();
        let date = self.dates.insert(&date)?;
        let digest = head.value("WARC-Payload-Digest");
        let digest = digest.and_then(|digest| self.digests.insert(digest.trim()));
        self.by_digest.resize(self.digests.len(), None);
        if head.kind() == RecordKind::Revisit {
            let refers_to = head.value("WARC-Refers-To-Target-URI");
            let refers_to = refers_to.and_then(|url| Url::parse(url.trim()).ok());
            let refers_to = refers_to.and_then(|url| self.insert(url.as_str()));
            self.revisits.push(Revisit { url, date, refers_to, digest });
            return Some(());
        }
        let length = head.content_length().map(usize::try_from);
        if !matches!(length, Some(Ok(length)) if length <= DECODED_LIMIT) {
            self.too_large.insert(place);
            return None;
        }
        let media_type = media_type_of(head, start);
        if is_page(&media_type) {
            self.first_page.get_or_insert(url);
        }
        let media_type = self.media_types.insert(&media_type)?;
        let content = Content { place, media_type, date };
        if let Some(first) = digest.and_then(|digest| self.by_digest.get_mut(digest as usize)) {
            first.get_or_insert(content);
        }
        self.add_content(url, content);
        Some(())
    }

    fn insert(&mut self, url: &str) -> Option<StringNumber> {
        let number = self.urls.insert(url)?;
        self.captures.resize(self.urls.len(), Captures::default());
        Some(number)
    }

    fn add_content(&mut self, url: StringNumber, content: Content) {
        let known = self.content(url);
        let date = |content: Content| self.dates.get(content.date);
        if known.is_none_or(|known| date(known) <= date(content))
            && let Some(captures) = self.captures.get_mut(url as usize)
        {
            captures.content = Some(content);
        }
    }

    /// Resolves revisits. To be called after the last record.
    pub(super) fn finish(&mut self) {
        for revisit in std::mem::take(&mut self.revisits) {
            let Revisit { url, date, refers_to, digest } = revisit;
            let by_digest = digest.and_then(|digest| *self.by_digest.get(digest as usize)?);
            let refers_to = || refers_to.and_then(|url| self.content(url));
            match by_digest.or_else(refers_to).or_else(|| self.content(url)) {
                Some(content) => self.add_content(url, Content { date, ..content }),
                None => self.unresolved_revisits += 1,
            }
        }
        (self.digests, self.by_digest) = (StringTable::default(), Vec::new());
        self.dates = StringTable::default();
        let is_error =
            |it: &&Captures| it.has_failed && it.content.is_none() && it.redirect.is_none();
        self.errors = self.captures.iter().filter(is_error).count();
    }

    /// Returns the numbers of all URLs, in the order of the URLs.
    pub(super) fn sorted(&self) -> Vec<StringNumber> {
        let mut numbers: Vec<StringNumber> = (0..).zip(&self.captures).map(|it| it.0).collect();
        numbers.sort_unstable_by_key(|number| self.urls.get(*number));
        numbers
    }

    fn content(&self, url: StringNumber) -> Option<Content> {
        self.captures.get(url as usize)?.content
    }

    /// Returns the record with the content of a URL.
    pub(super) fn place(&self, url: StringNumber) -> Option<RecordPlace> {
        self.content(url).map(|content| content.place)
    }

    /// Returns the media type of the content of a URL.
    pub(super) fn media_type(&self, url: StringNumber) -> Option<&str> {
        Some(self.media_types.get(self.content(url)?.media_type))
    }

    /// Returns true if the content of a URL is a page.
    pub(super) fn is_page(&self, url: StringNumber) -> bool {
        self.media_type(url).is_some_and(is_page)
    }

    /// Returns the target of a URL that only redirects.
    pub(super) fn redirect(&self, url: StringNumber) -> Option<StringNumber> {
        let captures = self.captures.get(url as usize)?;
        captures.redirect.filter(|_| captures.content.is_none())
    }
}
