//! The index of an archive: its captures by URL.

use std::collections::{HashMap, HashSet};

use super::record::{RecordHeader, RecordKind};
use crate::document::message::headers::Headers;
use crate::url::{Components, Standard, Url};

/// The captures of an archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveIndex {
    captures: HashMap<Box<str>, CaptureStatus>,
    hosts: HashSet<Box<str>>,
}

/// The best capture of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaptureStatus {
    /// The content.
    Content,
    /// A redirect to this URL.
    Redirect(Box<str>),
    /// An error with this status code.
    Error(u16),
}

/// The end of the redirects that begin at a URL of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureTarget<'i> {
    /// The archive has the content of this URL.
    Content(&'i str),
    /// A redirect goes to a URL that the archive does not have.
    External,
    /// The archive has an error with this status code, a redirect loop, or no capture of the URL.
    Missing(Option<u16>),
}

/// The most redirects in a row that browsers follow (Fetch Standard, "HTTP-redirect fetch").
const REDIRECT_LIMIT: usize = 20;

impl ArchiveIndex {
    /// Adds the record with this header, if it is a capture. `start` is the start of its block.
    pub fn add(&mut self, head: &RecordHeader, start: &[u8]) {
        let is_capture = matches!(
            head.kind(),
            RecordKind::Response | RecordKind::Resource | RecordKind::Revisit
        );
        let Some(url) = head.url().filter(|_| is_capture) else {
            return;
        };
        let capture = match head.kind() {
            RecordKind::Resource => CaptureStatus::Content,
            _ => capture(&url, start),
        };
        if let Some(host) = host_of(url.as_str()) {
            self.hosts.insert(host.into());
        }
        let known = self.captures.get(url.as_str());
        if known.is_none_or(|known| rank(&capture) < rank(known)) {
            self.captures.insert(url.as_str().into(), capture);
        }
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
            return CaptureTarget::Missing(None);
        };
        for _ in 0..REDIRECT_LIMIT {
            match at.1 {
                CaptureStatus::Content => return CaptureTarget::Content(at.0),
                CaptureStatus::Error(status) => return CaptureTarget::Missing(Some(*status)),
                CaptureStatus::Redirect(to) => match self.get(to) {
                    Some(next) => at = next,
                    None => return CaptureTarget::External,
                },
            }
        }
        CaptureTarget::Missing(None)
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

fn capture(url: &Url, start: &[u8]) -> CaptureStatus {
    let Some(headers) = Headers::response(start) else {
        return CaptureStatus::Content;
    };
    let location = || {
        let location = headers.value(start, "Location")?;
        let target = url.resolve(location.trim(), encoding_rs::UTF_8).ok()?;
        let target = target.as_str().split('#').next().unwrap_or_default();
        Some(CaptureStatus::Redirect(target.into()))
    };
    match headers.status_code() {
        // Not Modified: the same content as an earlier capture.
        304 => CaptureStatus::Content,
        300..=399 => location().unwrap_or(CaptureStatus::Content),
        status @ 400.. => CaptureStatus::Error(status),
        _ => CaptureStatus::Content,
    }
}

fn rank(capture: &CaptureStatus) -> usize {
    match capture {
        CaptureStatus::Content => 0,
        CaptureStatus::Redirect(_) => 1,
        CaptureStatus::Error(_) => 2,
    }
}

fn host_of(url: &str) -> Option<&str> {
    Components::split(Standard::Whatwg, url).host_and_port()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(captures: &[(&str, &str, &str)]) -> ArchiveIndex {
        let mut index = ArchiveIndex::default();
        for (kind, url, block) in captures {
            let head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\r\n");
            index.add(&RecordHeader::new(head.into_bytes(), 0), block.as_bytes());
        }
        index
    }

    #[test]
    fn redirects_are_followed_to_content_or_errors() {
        let ok = "HTTP/1.1 200 OK\r\n\r\n";
        let index = index(&[
            ("response", "http://a/", ok),
            ("response", "http://a/", "HTTP/1.1 500 Oops\r\n\r\n"),
            (
                "response",
                "<http://a/gone>",
                "HTTP/1.1 404 Not Found\r\n\r\n",
            ),
            (
                "response",
                "http://a/d",
                "HTTP/1.1 301 x\r\nLocation: /d/#x\r\n\r\n",
            ),
            ("resource", "http://a/d/", "<p>"),
            (
                "response",
                "http://a/out",
                "HTTP/1.1 302 x\r\nlocation: //c/\r\n\r\n",
            ),
            (
                "response",
                "http://a/loop",
                "HTTP/1.1 302 x\r\nLocation: loop\r\n\r\n",
            ),
            ("revisit", "https://b/", "HTTP/1.1 200 OK\r\n\r\n"),
            ("request", "http://a/asked", "GET / HTTP/1.1\r\n\r\n"),
            ("resource", "urn:x", ""),
        ]);
        for (url, target) in [
            ("http://a/", CaptureTarget::Content("http://a/")),
            ("https://a/", CaptureTarget::Content("http://a/")),
            ("http://a/gone", CaptureTarget::Missing(Some(404))),
            ("http://a/d", CaptureTarget::Content("http://a/d/")),
            ("http://a/out", CaptureTarget::External),
            ("http://a/loop", CaptureTarget::Missing(None)),
            ("http://b/", CaptureTarget::Content("https://b/")),
            ("http://a/asked", CaptureTarget::Missing(None)),
            ("ftp://a/", CaptureTarget::Missing(None)),
        ] {
            assert_eq!(index.target(url), target, "{url}");
        }
        for (url, has) in [("https://a/x", true), ("http://c/", false), ("x", false)] {
            assert_eq!(index.has_host_of(url), has, "{url}");
        }
    }
}
