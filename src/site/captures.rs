//! The captures of a crawl, by URL: the counterpart of a [`super::FileIndex`]. A crawl may be stored in
//! several archives.

use std::collections::{HashMap, HashSet};

use super::redirect_rule::REDIRECT_LIMIT;
use crate::url::{Components, Standard, Url};

/// The captures of a crawl.
#[derive(Clone, Debug, Default)]
pub struct CaptureIndex {
    captures: HashMap<Box<str>, CaptureStatus>,
    hosts: HashSet<Box<str>>,
    /// Whether a part of the crawl could not be read.
    is_incomplete: bool,
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
    /// Adds a capture of `url`. Of several captures of one URL, content counts before a redirect, a
    /// redirect before what an index lists, and that before an error.
    pub fn add(&mut self, url: &Url, status: CaptureStatus) {
        if let Some(host) = host_of(url.as_str()) {
            self.hosts.insert(host.into());
        }
        let known = self.captures.get(url.as_str());
        if known.is_none_or(|known| rank(&status) < rank(known)) {
            self.captures.insert(url.as_str().into(), status);
        }
    }

    /// Notes that a part of the crawl could not be read.
    pub fn set_incomplete(&mut self) {
        self.is_incomplete = true;
    }

    /// Whether the archive has any URL with the host and port of `url`.
    pub fn has_host_of(&self, url: &str) -> bool {
        host_of(url).is_some_and(|host| self.hosts.contains(host))
    }

    /// The URLs whose content the archive has, in no order.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        let captures = self.captures.iter();
        captures
            .filter(|(_, capture)| **capture == CaptureStatus::Content)
            .map(|(url, _)| &**url)
    }

    /// Follows the redirects from `url`, which has no fragment. Archives do not distinguish `http:` and
    /// `https:`.
    pub fn target<'i>(&'i self, url: &str) -> CaptureTarget<'i> {
        let Some(mut at) = self.get(url) else {
            return match self.is_incomplete {
                true => CaptureTarget::Unread,
                false => CaptureTarget::NotArchived,
            };
        };
        for _ in 0..REDIRECT_LIMIT {
            match at.1 {
                CaptureStatus::Content => return CaptureTarget::Content(at.0),
                CaptureStatus::Error(status) => return CaptureTarget::Error(*status),
                CaptureStatus::Listed => return CaptureTarget::Listed,
                CaptureStatus::Redirect(to) => match self.get(to) {
                    Some(next) => at = next,
                    None => return CaptureTarget::External,
                },
            }
        }
        CaptureTarget::Loop
    }

    fn get(&self, url: &str) -> Option<(&str, &CaptureStatus)> {
        let found = self.captures.get_key_value(url).or_else(|| {
            let other = match url.strip_prefix("https:") {
                Some(rest) => format!("http:{rest}"),
                None => format!("https:{}", url.strip_prefix("http:")?),
            };
            self.captures.get_key_value(other.as_str())
        });
        found.map(|(url, capture)| (&**url, capture))
    }
}

fn rank(capture: &CaptureStatus) -> usize {
    match capture {
        CaptureStatus::Content => 0,
        CaptureStatus::Redirect(_) => 1,
        CaptureStatus::Listed => 2,
        CaptureStatus::Error(_) => 3,
    }
}

fn host_of(url: &str) -> Option<&str> {
    Components::split(Standard::Whatwg, url).host_and_port()
}
