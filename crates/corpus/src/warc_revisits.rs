//! Revisit records (ISO 28500, 6.7) and the captures that they refer to.

use std::path::Path;

use super::container::PieceBytes;
use super::revisits::{CaptureDigest, ContentKey};
use crate::coding::DECODED_LIMIT;
use crate::warc::content::may_revisit_document;
use crate::warc::source::pairs;
use crate::warc::{
    ArchiveError, ArchiveSource, Format, PAYLOAD_DIGEST, Record, RecordHeader, RecordKind, Records,
};
use crate::{ContainerError, ContainerFormat, RevisitDigests};
use rehref_url::Url;

/// Returns the keys of the capture that the revisit record `head` refers to, the most exact first; `None` if `head` is
/// another record, or states no digest.
pub(super) fn revisit_keys(head: &RecordHeader) -> Option<Vec<ContentKey>> {
    if head.kind() != RecordKind::Revisit {
        return None;
    }
    let digest = digest(head)?;
    let target = head.value("WARC-Refers-To-Target-URI");
    let uri = target.or_else(|| head.target_uri()).unwrap_or_default();
    let date = head.value("WARC-Refers-To-Date");
    Some(keys(head.value("WARC-Refers-To"), date, &uri, &digest))
}

/// Returns the keys of the capture `head`; `None` if `head` is not a capture with content, or states no digest.
pub(super) fn capture_keys(head: &RecordHeader) -> Option<Vec<ContentKey>> {
    if !matches!(head.kind(), RecordKind::Response | RecordKind::Resource) {
        return None;
    }
    let uri = head.target_uri().unwrap_or_default();
    let (id, date) = (head.value("WARC-Record-ID"), head.value("WARC-Date"));
    Some(keys(id, date, &uri, &digest(head)?))
}

fn digest(head: &RecordHeader) -> Option<String> {
    Some(head.value(PAYLOAD_DIGEST)?.trim().to_owned())
}

/// The keys of a capture: its ID, its URL and date, its URL, each with its digest.
fn keys(id: Option<String>, date: Option<String>, uri: &str, digest: &str) -> Vec<ContentKey> {
    let uri = uri.trim().trim_start_matches('<').trim_end_matches('>');
    let uri = uri.split('#').next().unwrap_or_default();
    let url = Url::parse(uri).map_or_else(|_| uri.to_owned(), |url| url.as_str().to_owned());
    let id = id.map(|id| ContentKey::of(&["id", id.trim(), digest]));
    let dated = date.map(|date| ContentKey::of(&["date", date.trim(), &url, digest]));
    let by_url = ContentKey::of(&["url", &url, digest]);
    id.into_iter().chain(dated).chain([by_url]).collect()
}

/// Adds the revisit records of `archives` to `digests`.
///
/// # Errors
/// Returns an error if one of the archives cannot be read to its end.
pub(super) fn add_revisits(
    archives: &[ArchiveSource],
    digests: &mut RevisitDigests,
) -> Result<(), ContainerError> {
    let mut add = |_, head: &_, _: &[u8]| {
        if let Some(keys) = revisit_keys(head) {
            digests.add_revisit(&keys);
        }
        false
    };
    for archive in archives {
        Records::open(archive, false)?.next_record(&mut add)?;
    }
    Ok(())
}

/// Returns the keys of the capture `head`, if one of the revisits in `digests` refers to it.
pub(super) fn revisited_keys(
    head: &RecordHeader,
    digests: &RevisitDigests,
) -> Option<Vec<ContentKey>> {
    capture_keys(head).filter(|keys| digests.has_revisit_of(keys))
}

/// Adds the captures of the container `before` that revisits in `digests` refer to, with the digests that `after`
/// states: the same container with other contents.
///
/// # Errors
/// Returns an error if one of the archives cannot be read.
pub fn add_rewritten_captures(
    format: ContainerFormat,
    before: &Path,
    after: &Path,
    digests: &mut RevisitDigests,
) -> Result<(), ContainerError> {
    // Each record is a piece of its own, also if it shares its gzip member.
    let open =
        |archive: &ArchiveSource| Ok::<_, ArchiveError>(Records::open(archive, false)?.hashing());
    for [before, after] in pairs(format.archives(before)?, &format.archives(after)?) {
        let (mut before, mut after) = (open(&before)?, open(&after)?);
        let is_wanted = |_: usize, _: &_, _: &[u8]| false;
        while let (Some(old), Some(new)) =
            (before.next_record(is_wanted)?, after.next_record(is_wanted)?)
        {
            if let Some(keys) = revisited_keys(&old.head, digests) {
                let [old, new] = [old, new].map(|record| digest(&record.head));
                let changed = new.as_deref().filter(|_| old != new);
                digests.add_capture(&keys, changed);
            }
        }
    }
    Ok(())
}

/// Returns the revisit record `head` if `digest` is that of the capture that it refers to; `None` if it stays.
pub(super) fn with_digest(head: &RecordHeader, digest: &CaptureDigest) -> Option<RecordHeader> {
    let CaptureDigest::Changed(digest) = digest else { return None };
    Some(head.with_values(&[(PAYLOAD_DIGEST, digest.to_string())]))
}

/// A revisit record: refers to the content of another record, and states its digest.
pub(crate) struct RevisitRecord {
    pub(crate) record: Record,
    /// The keys of the capture that it refers to.
    pub(crate) keys: Vec<ContentKey>,
    pub(super) format: Format,
}

impl RevisitRecord {
    /// Returns true if the revisit record with this header states a digest. A larger block is not a copy of HTTP
    /// headers.
    pub(super) fn is_wanted(head: &RecordHeader) -> bool {
        let is_small = |length| length <= DECODED_LIMIT as u64;
        head.content_length().is_some_and(is_small) && revisit_keys(head).is_some()
    }

    /// Returns true if the content may be a document, as far as the revisit shows it.
    pub(crate) fn may_be_document(&self) -> bool {
        may_revisit_document(&self.record.head, &self.record.block)
    }

    /// Replaces the digest that it states. Unless `needs_bytes`, the new bytes are not assembled.
    pub(crate) fn rewrite(
        mut self,
        digest: &CaptureDigest,
        needs_bytes: bool,
    ) -> Result<PieceBytes, ContainerError> {
        let new = with_digest(&self.record.head, digest);
        let is_changed = new.is_some();
        self.record.head = new.unwrap_or(self.record.head);
        PieceBytes::of_record(&self.record, self.format, is_changed, needs_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(kind: &str, fields: &[&str]) -> RecordHeader {
        let fields = fields.join("\r\n");
        RecordHeader::parse(&format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{fields}\r\n\r\n"))
    }

    const URL: &str = "WARC-Target-URI: http://h/a";
    const ID: &str = "WARC-Record-ID: <urn:uuid:1>";
    const DATE: &str = "WARC-Date: 2026-01-01T00:00:00Z";
    const OF_URL: &str = "WARC-Refers-To-Target-URI: <http://H/a#x>";
    const OF_ID: &str = "WARC-Refers-To: <urn:uuid:1>";
    const OF_DATE: &str = "WARC-Refers-To-Date: 2026-01-01T00:00:00Z";
    const DIGEST: &str = "WARC-Payload-Digest: sha1:OLD";
    const OTHER: &str = "WARC-Target-URI: http://h/b";

    #[test]
    fn a_revisit_refers_by_id_or_date_or_url_and_its_digest() {
        for (revisit, is_found) in [
            (&[URL, DIGEST][..], true),
            (&[OTHER, DIGEST], false),
            (&[OTHER, OF_URL, DIGEST], true),
            (&[URL, OF_URL, OF_DATE, DIGEST], true),
            (&[OTHER, OF_ID, DIGEST], true),
            (&[OTHER, OF_DATE, DIGEST], false),
            (&[URL, "WARC-Refers-To-Target-URI: http://h/b", DIGEST], false),
            (&[URL, "WARC-Payload-Digest: sha1:old"], false),
            (&[URL, "WARC-Payload-Digest: sha256:00"], false),
        ] {
            let revisit = head("revisit", revisit);
            let keys = revisit_keys(&revisit).unwrap();
            let mut digests = RevisitDigests::default();
            digests.add_revisit(&keys);
            let capture = head("response", &[URL, ID, DATE, DIGEST]);
            let found = revisited_keys(&capture, &digests);
            assert_eq!(found.is_some(), is_found, "{revisit:?}");
            digests.add_capture(&found.unwrap_or_default(), Some("sha1:NEW"));
            let new = with_digest(&revisit, digests.of(&keys));
            assert_eq!(new.is_some(), is_found);
            let stated = new.and_then(|head| head.value(PAYLOAD_DIGEST));
            assert!(stated.is_none_or(|digest| digest == "sha1:NEW"));
        }
        assert_eq!(revisit_keys(&head("revisit", &[URL])), None);
        assert_eq!(revisit_keys(&head("response", &[URL, DIGEST])), None);
        assert_eq!(capture_keys(&head("revisit", &[URL, DIGEST])), None);
    }

    /// Two captures of a URL with the same digest may be rewritten differently, because of their HTTP headers.
    #[test]
    fn the_id_counts_before_the_date_and_the_date_before_the_url() {
        let later = ["WARC-Record-ID: <urn:uuid:2>", "WARC-Date: 2026-02-02T00:00:00Z"];
        let captures = [
            head("response", &[URL, ID, DATE, DIGEST]),
            head("response", &[URL, later[0], later[1], DIGEST]),
        ];
        for (more, expected) in [
            (&["WARC-Refers-To: <urn:uuid:2>", OF_DATE][..], "1"),
            (&["WARC-Refers-To: <urn:uuid:3>", "WARC-Refers-To-Date: 2026-02-02T00:00:00Z"], "1"),
            (&["WARC-Refers-To-Date: 2026-03-03T00:00:00Z"], "0"),
            (&[OF_DATE], "0"),
        ] {
            let keys = revisit_keys(&head("revisit", &[&[URL, DIGEST], more].concat())).unwrap();
            let mut digests = RevisitDigests::default();
            digests.add_revisit(&keys);
            for (number, capture) in captures.iter().enumerate() {
                if let Some(keys) = revisited_keys(capture, &digests) {
                    digests.add_capture(&keys, Some(&number.to_string()));
                }
            }
            assert_eq!(*digests.of(&keys), CaptureDigest::Changed(expected.into()), "{more:?}");
        }
    }
}
