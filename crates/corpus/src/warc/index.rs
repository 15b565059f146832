//! Reads the status of a capture from its record: content, a redirect or an error.

use super::record::{RecordHeader, RecordKind};
use rehref_document::message::headers::Headers;
use rehref_site::CaptureStatus;
use rehref_url::Url;

/// Returns the URL and the status of the capture whose record has this header; `None` for requests and other records
/// that are not captures. `start` is the start of its block.
pub fn capture_status(head: &RecordHeader, start: &[u8]) -> Option<(Url, CaptureStatus)> {
    let kind = head.kind();
    if kind == RecordKind::Other {
        return None;
    }
    let url = head.url()?;
    let headers = if kind.has_http() { Headers::response(start) } else { None };
    let status = headers.and_then(|headers| match headers.status_code() {
        // Not Modified: the same content as an earlier capture.
        304 => None,
        300..=399 => {
            let location = headers.value(start, "Location")?;
            let target = url.resolve(location.trim(), encoding_rs::UTF_8).ok()?;
            let target = target.as_str().split('#').next().unwrap_or_default();
            Some(CaptureStatus::Redirect(target.into()))
        }
        status @ 400.. => Some(CaptureStatus::Error(status)),
        _ => None,
    });
    Some((url, status.unwrap_or(CaptureStatus::Content)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_site::{CaptureIndex, CaptureTarget};

    fn index(captures: &[(&str, &str, &str)]) -> CaptureIndex {
        let mut index = CaptureIndex::default();
        for (kind, url, block) in captures {
            let head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\r\n");
            let head = RecordHeader::new(head.into_bytes(), 0);
            if let Some((url, status)) = capture_status(&head, block.as_bytes()) {
                index.add(&url, status);
            }
        }
        index
    }

    #[test]
    fn redirects_are_followed_to_content_or_errors() {
        let ok = "HTTP/1.1 200 OK\r\n\r\n";
        let index = index(&[
            ("response", "http://a/", ok),
            ("response", "http://a/", "HTTP/1.1 500 Oops\r\n\r\n"),
            ("response", "<http://a/gone>", "HTTP/1.1 404 Not Found\r\n\r\n"),
            ("response", "http://a/d", "HTTP/1.1 301 x\r\nLocation: /d/#x\r\n\r\n"),
            ("resource", "http://a/d/", "<p>"),
            ("response", "http://a/out", "HTTP/1.1 302 x\r\nlocation: //c/\r\n\r\n"),
            ("response", "http://a/loop", "HTTP/1.1 302 x\r\nLocation: loop\r\n\r\n"),
            ("revisit", "https://b/", "HTTP/1.1 200 OK\r\n\r\n"),
            ("request", "http://a/asked", "GET / HTTP/1.1\r\n\r\n"),
            ("resource", "urn:x", ""),
        ]);
        for (url, target) in [
            ("http://a/", CaptureTarget::Content("http://a/")),
            ("https://a/", CaptureTarget::Content("http://a/")),
            ("http://a/gone", CaptureTarget::Error(404)),
            ("http://a/d", CaptureTarget::Content("http://a/d/")),
            ("http://a/out", CaptureTarget::External),
            ("http://a/loop", CaptureTarget::Loop),
            ("http://b/", CaptureTarget::Content("https://b/")),
            ("http://a/asked", CaptureTarget::NotArchived),
            ("ftp://a/", CaptureTarget::NotArchived),
        ] {
            assert_eq!(index.target(url), target, "{url}");
        }
        let mut incomplete = index.clone();
        incomplete.set_incomplete();
        assert_eq!(incomplete.target("ftp://a/"), CaptureTarget::Unread);
        assert_eq!(incomplete.target("http://a/gone"), CaptureTarget::Error(404));
        for (url, has) in [("https://a/x", true), ("http://c/", false), ("x", false)] {
            assert_eq!(index.has_host_of(url), has, "{url}");
        }
    }
}
