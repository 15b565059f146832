//! The captures of a crawl, by URL: the counterpart of a [`super::FileIndex`]. A crawl may be stored in
//! several archives.

use super::redirect_rule::REDIRECT_LIMIT;
use crate::string_table::{StringNumber, StringTable};
use rehref_url::scheme::with_other_scheme;
use rehref_url::{Components, Standard, Url};

/// The captures of a crawl by URL. Each URL needs about 30 bytes in addition to its text.
#[derive(Clone, Debug, Default)]
pub struct CaptureIndex {
    /// The URLs of captures and the targets of redirects.
    urls: StringTable,
    /// The best capture of each URL.
    best: Vec<Best>,
    hosts: StringTable,
    /// Whether a part of the crawl could not be read.
    is_incomplete: bool,
}

/// The best capture of a URL, the best ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Best {
    Content,
    Redirect(StringNumber),
    Listed,
    Error(u16),
    /// No capture: the URL is only the target of a redirect.
    None,
}

/// The result of the best capture of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaptureStatus {
    /// The archive has the content.
    Content,
    /// A redirect to this URL.
    Redirect(Box<str>),
    /// An index lists content, or a redirect whose target it does not have. Its archive is elsewhere.
    Listed,
    /// An error with this status code.
    Error(u16),
}

/// The end of the redirects that begin at a URL of a crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureTarget<'i> {
    /// The crawl has the content of this URL.
    Content(&'i str),
    /// A redirect goes to a URL that the crawl does not have.
    External,
    /// The content is in an archive that is elsewhere.
    Listed,
    /// The crawl has only an error with this status code.
    Error(u16),
    /// The redirects form a loop.
    Loop,
    /// The crawl has no capture of the URL.
    NotArchived,
    /// The crawl has no capture of the URL, but a part of the crawl could not be read.
    Unread,
}

impl CaptureIndex {
    /// Adds a capture of `url`. For several captures of one URL, content takes precedence over a redirect, a
    /// redirect over an entry of an index, and an entry over an error.
    pub fn add(&mut self, url: &Url, status: CaptureStatus) {
        if let Some(host) = host_of(url.as_str()) {
            self.hosts.insert(host);
        }
        let Some(url) = self.insert(url.as_str()) else { return };
        let new = match status {
            CaptureStatus::Content => Best::Content,
            CaptureStatus::Redirect(to) => self.insert(&to).map_or(Best::None, Best::Redirect),
            CaptureStatus::Listed => Best::Listed,
            CaptureStatus::Error(status) => Best::Error(status),
        };
        if let Some(best) = self.best.get_mut(url as usize)
            && new.rank() < best.rank()
        {
            *best = new;
        }
    }

    fn insert(&mut self, url: &str) -> Option<StringNumber> {
        let number = self.urls.insert(url)?;
        self.best.resize(self.urls.len(), Best::None);
        Some(number)
    }

    /// Notes that a part of the crawl could not be read.
    pub fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// Returns true if the crawl has any URL with the host and port of `url`.
    pub fn has_host_of(&self, url: &str) -> bool {
        host_of(url).is_some_and(|host| self.hosts.number(host).is_some())
    }

    /// Returns the number of URLs, including those without content. All numbers of URLs are smaller.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns the numbers of the URLs with content.
    pub fn contents(&self) -> impl Iterator<Item = StringNumber> {
        let numbered = (0..).zip(&self.best);
        numbered.filter_map(|(number, best)| (*best == Best::Content).then_some(number))
    }

    /// Returns the number of `url`, if the crawl has its content.
    pub fn content(&self, url: &str) -> Option<StringNumber> {
        let number = self.urls.number(url);
        number.filter(|number| self.best(*number) == Best::Content)
    }

    /// Returns the URL that has the number `number` in this index.
    pub fn url(&self, number: StringNumber) -> &str {
        self.urls.get(number)
    }

    /// Follows the redirects from `url`, which has no fragment, and returns their end. Archives do not
    /// distinguish `http:` and `https:`.
    pub fn target<'i>(&'i self, url: &str) -> CaptureTarget<'i> {
        let Some(mut at) = self.captured(url) else {
            return if self.is_incomplete {
                CaptureTarget::Unread
            } else {
                CaptureTarget::NotArchived
            };
        };
        for _ in 0..REDIRECT_LIMIT {
            match self.best(at) {
                Best::Content => return CaptureTarget::Content(self.url(at)),
                Best::Error(status) => return CaptureTarget::Error(status),
                Best::Listed => return CaptureTarget::Listed,
                Best::Redirect(to) => match self.captured(self.url(to)) {
                    Some(next) => at = next,
                    None => return CaptureTarget::External,
                },
                Best::None => return CaptureTarget::External,
            }
        }
        CaptureTarget::Loop
    }

    fn best(&self, number: StringNumber) -> Best {
        let best = self.best.get(number as usize);
        best.copied().unwrap_or(Best::None)
    }

    /// The number of `url`, or of the same URL with the other scheme, if the archive has a capture of it.
    fn captured(&self, url: &str) -> Option<StringNumber> {
        let captured = |url: &str| {
            let number = self.urls.number(url);
            number.filter(|number| self.best(*number) != Best::None)
        };
        captured(url).or_else(|| captured(&with_other_scheme(url)?))
    }
}

impl Best {
    fn rank(self) -> usize {
        match self {
            Best::Content => 0,
            Best::Redirect(_) => 1,
            Best::Listed => 2,
            Best::Error(_) => 3,
            Best::None => 4,
        }
    }
}

fn host_of(url: &str) -> Option<&str> {
    Components::split(Standard::Whatwg, url).host_and_port()
}
