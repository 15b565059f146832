//! An independent reader of WARC files: records, digests and the documents in them. Shares no code
//! with rehref, so that it can be wrong only in other places.

use std::io::Read;

use data_encoding::{BASE32, HEXLOWER};
use flate2::bufread::{GzDecoder, MultiGzDecoder};
use sha1::Digest;

/// A record: its header fields, with the names as written, and its block.
pub struct Record {
    fields: Vec<(String, String)>,
    pub block: Vec<u8>,
}

/// Names and values of header fields, in order.
pub type Fields = Vec<(String, String)>;

impl Record {
    /// The value of the first field `name`, in any letter case.
    pub fn value(&self, name: &str) -> Option<&str> {
        field(&self.fields, name)
    }

    /// The target URI without angle brackets; empty where there is none.
    pub fn target_uri(&self) -> &str {
        let uri = self.value("WARC-Target-URI").unwrap_or_default();
        uri.trim_start_matches('<').trim_end_matches('>')
    }

    /// The HTTP header fields and the body of a response, as they were sent.
    pub fn http(&self) -> Option<(Fields, &[u8])> {
        if self.value("WARC-Type") != Some("response") {
            return None;
        }
        let (head, body) = split_head(&self.block)?;
        Some((fields(head), body))
    }

    /// The decoded text of an HTML page or a style sheet; `None` for all other records.
    pub fn document(&self) -> Option<String> {
        let (media_type, content) = match (self.value("WARC-Type")?, self.http()) {
            (_, Some((fields, body))) => {
                let mut body = body.to_vec();
                if field(&fields, "Transfer-Encoding").is_some() {
                    body = unchunked(&body);
                }
                if field(&fields, "Content-Encoding").is_some() {
                    body = members(&body).concat();
                }
                let media_type = field(&fields, "Content-Type").map(str::to_ascii_lowercase);
                (media_type, body)
            }
            ("resource", _) => (self.value("Content-Type").map(str::to_owned), self.block.clone()),
            _ => return None,
        };
        let is_document = match media_type {
            Some(media_type) => {
                ["text/html", "text/css"].iter().any(|known| media_type.starts_with(known))
            }
            None => content.starts_with(b"<!DOCTYPE html"),
        };
        is_document.then(|| String::from_utf8(content).unwrap())
    }
}

/// The gzip members of `file`, each decompressed; `file` itself as the only one if it is not gzip.
pub fn members(file: &[u8]) -> Vec<Vec<u8>> {
    if !file.starts_with(b"\x1F\x8B") {
        return vec![file.to_vec()];
    }
    let (mut rest, mut members) = (file, Vec::new());
    while !rest.is_empty() {
        let (mut decoder, mut member) = (GzDecoder::new(rest), Vec::new());
        decoder.read_to_end(&mut member).unwrap();
        members.push(member);
        rest = decoder.into_inner();
    }
    members
}

/// The records of a WARC file, compressed or not.
pub fn records(file: &[u8]) -> Vec<Record> {
    let mut plain = Vec::new();
    if file.starts_with(b"\x1F\x8B") {
        MultiGzDecoder::new(file).read_to_end(&mut plain).unwrap()
    } else {
        (&*file).read_to_end(&mut plain).unwrap()
    };
    let (mut rest, mut records) = (&plain[..], Vec::new());
    while !rest.is_empty() {
        let (head, after) = split_head(rest).expect("an empty line ends the header");
        assert!(head.starts_with(b"WARC/1."), "a record begins here");
        let fields = fields(head);
        let length: usize = field(&fields, "Content-Length").unwrap().parse().unwrap();
        let (block, after) = after.split_at(length);
        let block = block.to_vec();
        records.push(Record { fields, block });
        rest = after.strip_prefix(b"\r\n\r\n").expect("two line ends");
    }
    records
}

/// Whether `digest`, such as `sha1:...` in base 32 or hexadecimal digits, is the one of `bytes`.
pub fn digest_fits(digest: &str, bytes: &[u8]) -> bool {
    let (algorithm, value) = digest.split_once(':').unwrap();
    let hash = match algorithm.to_ascii_lowercase().as_str() {
        "sha1" => sha1::Sha1::digest(bytes).to_vec(),
        "sha256" | "sha-256" => sha2::Sha256::digest(bytes).to_vec(),
        "md5" => md5::Md5::digest(bytes).to_vec(),
        _ => panic!("unknown algorithm: {algorithm}"),
    };
    value == BASE32.encode(&hash) || value.to_ascii_lowercase() == HEXLOWER.encode(&hash)
}

fn field<'f>(fields: &'f [(String, String)], name: &str) -> Option<&'f str> {
    let mut values = fields.iter().filter(|(it, _)| it.eq_ignore_ascii_case(name));
    values.next().map(|(_, value)| value.as_str())
}

/// What stands before and after the first empty line; the last line end is part of the first.
fn split_head(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.windows(4).position(|it| it == b"\r\n\r\n")?;
    Some((&bytes[..end + 2], &bytes[end + 4..]))
}

/// The fields after the first line. Bytes outside ASCII are percent-encoded, as in a URL.
fn fields(head: &[u8]) -> Vec<(String, String)> {
    let ascii: String = head
        .iter()
        .map(|&byte| match byte {
            0..0x80 => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    let unfolded = ascii.replace("\r\n\t", "\t").replace("\r\n ", " ");
    let lines = unfolded.lines().skip(1);
    let pairs = lines.filter_map(|line| line.split_once(':'));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

/// The content of a chunked body. Nothing may follow it but line ends.
fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    loop {
        let end = body.windows(2).position(|it| it == b"\r\n").unwrap();
        let length = std::str::from_utf8(&body[..end]).unwrap();
        let length = usize::from_str_radix(length, 16).unwrap();
        let (chunk, rest) = body[end + 2..].split_at(length);
        content.extend_from_slice(chunk);
        body = rest.strip_prefix(b"\r\n").expect("a line end");
        if length == 0 {
            assert!(body.iter().all(|byte| b"\r\n".contains(byte)));
            return content;
        }
    }
}
