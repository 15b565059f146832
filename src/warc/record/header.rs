//! The header of a record.

use crate::document::message::headers::{HeaderField, Headers, line_end};
use crate::document::{TextEdit, splice};

/// The header of a record, byte for byte.
#[derive(Clone, Debug)]
pub struct RecordHeader {
    bytes: Vec<u8>,
    headers: Headers,
    version: usize,
}

/// What a record is (ISO 28500 section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// `warcinfo`: describes what follows.
    Warcinfo,
    /// `response`: what a server sent, headers and all.
    Response,
    /// `resource`: the content alone.
    Resource,
    /// `request`: what was asked.
    Request,
    /// `metadata`: what the crawler has to say.
    Metadata,
    /// `revisit`: the same as another record.
    Revisit,
    /// `conversion`: another form of a record.
    Conversion,
    /// `continuation`: more of a record that is in several parts.
    Continuation,
    /// Something of which the standard does not know.
    Other,
}

/// The kinds by their names.
const KINDS: &[(&str, RecordKind)] = &[
    ("warcinfo", RecordKind::Warcinfo),
    ("response", RecordKind::Response),
    ("resource", RecordKind::Resource),
    ("request", RecordKind::Request),
    ("metadata", RecordKind::Metadata),
    ("revisit", RecordKind::Revisit),
    ("conversion", RecordKind::Conversion),
    ("continuation", RecordKind::Continuation),
];

impl RecordHeader {
    /// The header in `bytes`, whose first line begins at `version`.
    pub(in crate::warc) fn new(bytes: Vec<u8>, version: usize) -> RecordHeader {
        let (_, fields) = line_end(&bytes, version..bytes.len());
        let headers = Headers::without_status(&bytes, fields..bytes.len());
        RecordHeader {
            bytes,
            headers,
            version,
        }
    }

    /// All of it, from the version to the empty line.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The value of the first field of that name.
    pub fn value(&self, name: &str) -> Option<String> {
        self.headers.value(&self.bytes, name)
    }

    /// What the record is.
    pub fn kind(&self) -> RecordKind {
        let kind = self.value("WARC-Type").unwrap_or_default();
        let known = KINDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(kind.trim()));
        known.map_or(RecordKind::Other, |(_, kind)| *kind)
    }

    /// How long its block is.
    pub fn content_length(&self) -> Option<u64> {
        self.value("Content-Length")?.trim().parse().ok()
    }

    /// The URL that it is the record of. Some programs write it in angle brackets, as the grammar of
    /// WARC 1.0 had it. Bytes that are not UTF-8 become percent-escapes, as in the request.
    pub fn target_uri(&self) -> Option<String> {
        let uri = self.headers.get(&self.bytes, "WARC-Target-URI")?;
        let uri = escaped(uri.value_in(&self.bytes));
        let uri = uri.trim();
        let bare = uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>'));
        Some(bare.unwrap_or(uri).to_owned()).filter(|uri| !uri.is_empty())
    }

    /// Whether it is a part of a record in several parts.
    pub fn is_segment(&self) -> bool {
        self.value("WARC-Segment-Number").is_some()
    }

    /// The header with other values for these fields, each the first of its name.
    #[must_use]
    pub fn with_values(&self, values: &[(&str, String)]) -> RecordHeader {
        let field = |name: &str| -> Option<&HeaderField> { self.headers.get(&self.bytes, name) };
        let mut edits: Vec<TextEdit> = values
            .iter()
            .filter_map(|(name, value)| Some(TextEdit::new(field(name)?.value, value.as_str())))
            .collect();
        edits.sort_by_key(|edit| edit.span);
        RecordHeader::new(splice(&self.bytes, &edits), self.version)
    }
}

/// `bytes` without line ends, and with percent-escapes for what is not UTF-8.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text.replace(['\r', '\n'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_uris() {
        for (value, uri) in [
            (&b"http://h/a"[..], Some("http://h/a")),
            (b"<http://h/a>", Some("http://h/a")),
            (b"http://h/\xE9\xFF?\xE4=1", Some("http://h/%E9%FF?%E4=1")),
            (b"<http://h/\xC3\xA9\xC3>", Some("http://h/\u{e9}%C3")),
            (b"http://h/\r\n a", Some("http://h/ a")),
            (b"<>", None),
            (b"", None),
        ] {
            let head = [b"WARC/1.0\r\nWARC-Target-URI: ", value, b"\r\n\r\n"].concat();
            let found = RecordHeader::new(head, 0).target_uri();
            assert_eq!(found.as_deref(), uri, "{value:?}");
        }
    }
}
