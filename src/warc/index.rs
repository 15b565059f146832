//! The URLs that an archive holds.

use std::collections::{HashMap, HashSet};

use super::http::Message;
use super::record::{Head, RecordKind};
use crate::url::{Components, Standard, Url};

use super::document::url_of;

/// What was got for each URL of an archive.
#[derive(Clone, Debug, Default)]
pub struct ArchiveIndex {
    captures: HashMap<Box<str>, Capture>,
    hosts: HashSet<Box<str>>,
}

/// The best that was got for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Capture {
    /// Its content.
    Content,
    /// A redirect to this URL.
    Redirect(Box<str>),
    /// An error: the status of HTTP.
    Error(u16),
}

/// Where a URL leads in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Led<'i> {
    /// To the content of this URL, which is in the archive.
    To(&'i str),
    /// To another URL that is not in the archive.
    Away,
    /// To an error, or to nothing.
    Nowhere(Option<u16>),
}

/// How often redirects lead on from one to the next: browsers follow no more.
const HOPS: usize = 20;

impl ArchiveIndex {
    /// Notes the record with this header, whose block starts like that. Requests and other records
    /// that are no captures are passed over.
    pub fn add(&mut self, head: &Head, start: &[u8]) {
        let is_capture = matches!(
            head.kind(),
            RecordKind::Response | RecordKind::Resource | RecordKind::Revisit
        );
        let Some(url) = url_of(head).filter(|_| is_capture) else {
            return;
        };
        let capture = match head.kind() {
            RecordKind::Resource => Capture::Content,
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

    /// Whether any URL of the host of `url` is in the archive.
    pub fn has_host_of(&self, url: &str) -> bool {
        host_of(url).is_some_and(|host| self.hosts.contains(host))
    }

    /// The URLs whose content is in the archive, in no order.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        let captures = self.captures.iter();
        captures
            .filter(|(_, capture)| **capture == Capture::Content)
            .map(|(url, _)| &**url)
    }

    /// Where `url` leads (without fragment); `http:` and `https:` are the same to archives.
    pub fn lead<'i>(&'i self, url: &str) -> Led<'i> {
        let Some(mut at) = self.get(url) else {
            return Led::Nowhere(None);
        };
        for _ in 0..HOPS {
            match at.1 {
                Capture::Content => return Led::To(at.0),
                Capture::Error(status) => return Led::Nowhere(Some(*status)),
                Capture::Redirect(to) => match self.get(to) {
                    Some(next) => at = next,
                    None => return Led::Away,
                },
            }
        }
        Led::Nowhere(None)
    }

    fn get(&self, url: &str) -> Option<(&str, &Capture)> {
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

fn capture(url: &Url, start: &[u8]) -> Capture {
    let Some(message) = Message::parse(start) else {
        return Capture::Content;
    };
    let location = || {
        let location = message.headers().value(start, "Location")?;
        let target = url.resolve(location.trim(), encoding_rs::UTF_8).ok()?;
        let target = target.as_str().split('#').next().unwrap_or_default();
        Some(Capture::Redirect(target.into()))
    };
    match message.status() {
        // Not a redirect but the same as before.
        304 => Capture::Content,
        300..=399 => location().unwrap_or(Capture::Content),
        status @ 400.. => Capture::Error(status),
        _ => Capture::Content,
    }
}

fn rank(capture: &Capture) -> usize {
    match capture {
        Capture::Content => 0,
        Capture::Redirect(_) => 1,
        Capture::Error(_) => 2,
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
            index.add(&Head::new(head.into_bytes(), 0), block.as_bytes());
        }
        index
    }

    #[test]
    fn where_urls_lead() {
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
        for (url, led) in [
            ("http://a/", Led::To("http://a/")),
            ("https://a/", Led::To("http://a/")),
            ("http://a/gone", Led::Nowhere(Some(404))),
            ("http://a/d", Led::To("http://a/d/")),
            ("http://a/out", Led::Away),
            ("http://a/loop", Led::Nowhere(None)),
            ("http://b/", Led::To("https://b/")),
            ("http://a/asked", Led::Nowhere(None)),
            ("ftp://a/", Led::Nowhere(None)),
        ] {
            assert_eq!(index.lead(url), led, "{url}");
        }
        for (url, has) in [("https://a/x", true), ("http://c/", false), ("x", false)] {
            assert_eq!(index.has_host_of(url), has, "{url}");
        }
    }
}
