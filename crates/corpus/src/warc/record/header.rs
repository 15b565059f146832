//! The header of a record.

use rehref_document::message::headers::{Headers, line_end};
use rehref_url::{TextEdit, Url, splice};

/// The header of a record, byte for byte.
#[derive(Clone, Debug)]
pub struct RecordHeader {
    bytes: Vec<u8>,
    headers: Headers,
    /// The offset of the line with the version, in bytes: stray line ends may come before it.
    version: usize,
}

/// The type of a record (ISO 28500 section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// `response`: the answer of a server, headers and all.
    Response,
    /// `resource`: the content alone.
    Resource,
    /// `revisit`: the same content as another record.
    Revisit,
    /// Any other: `warcinfo`, `request`, `metadata`, `conversion`, `continuation`.
    Other,
}

impl RecordKind {
    /// Returns true if the block of such a record may begin with the headers of an HTTP response.
    pub fn has_http(self) -> bool {
        matches!(self, RecordKind::Response | RecordKind::Revisit)
    }
}

impl RecordHeader {
    /// Returns the header in `bytes`, whose first line begins at `version`.
    pub(in crate::warc) fn new(bytes: Vec<u8>, version: usize) -> RecordHeader {
        let (_, fields) = line_end(&bytes, version..bytes.len());
        let headers = Headers::without_status(&bytes, fields..bytes.len());
        RecordHeader { bytes, headers, version }
    }

    /// Returns the header in `text`, which begins with the version.
    #[cfg(test)]
    pub(crate) fn parse(text: &str) -> RecordHeader {
        RecordHeader::new(text.into(), 0)
    }

    /// Returns all bytes, from the version to the empty line.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the value of the first field of that name.
    pub fn value(&self, name: &str) -> Option<String> {
        self.headers.value(&self.bytes, name)
    }

    /// Returns the type of the record: the value of `WARC-Type`.
    pub fn kind(&self) -> RecordKind {
        let kind = self.value("WARC-Type").unwrap_or_default();
        match &*kind.trim().to_ascii_lowercase() {
            "response" => RecordKind::Response,
            "resource" => RecordKind::Resource,
            "revisit" => RecordKind::Revisit,
            _ => RecordKind::Other,
        }
    }

    /// Returns the length of the block in bytes.
    pub fn content_length(&self) -> Option<u64> {
        self.value("Content-Length")?.trim().parse().ok()
    }

    /// Returns the `WARC-Target-URI`, from which the record was fetched. Some programs write it in angle brackets, as
    /// the grammar of WARC 1.0 had it. Bytes that are not UTF-8 become percent-escapes, as in the request.
    pub fn target_uri(&self) -> Option<String> {
        let uri = self.headers.get(&self.bytes, "WARC-Target-URI")?;
        let uri = escaped(uri.value.of(&self.bytes));
        let uri = uri.trim();
        let bare = uri.strip_prefix('<').and_then(|uri| uri.strip_suffix('>'));
        Some(bare.unwrap_or(uri).to_owned()).filter(|uri| !uri.is_empty())
    }

    /// Returns the target URI without its fragment; `None` if it is not a URL against which references can
    /// resolve.
    pub fn url(&self) -> Option<Url> {
        let uri = self.target_uri()?;
        let uri = uri.split('#').next()?;
        Url::parse(uri).ok().filter(|url| !url.is_opaque())
    }

    /// Replaces the values of these fields, each the first of its name. Missing fields are not added.
    #[must_use]
    pub fn with_values(&self, values: &[(&str, String)]) -> RecordHeader {
        let mut edits: Vec<TextEdit> = values
            .iter()
            .filter_map(|(name, value)| {
                let field = self.headers.get(&self.bytes, name)?;
                Some(TextEdit::new(field.value, value.as_str()))
            })
            .collect();
        edits.sort_by_key(|edit| edit.span);
        RecordHeader::new(splice(&self.bytes, &edits), self.version)
    }
}

/// Removes the line ends from `bytes`, and percent-encodes bytes that are not UTF-8.
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
    fn a_target_uri_loses_its_brackets_and_line_ends() {
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
