//! The payload of a record: decodes the codings of HTTP, and encodes a new payload with the same ones.

use crate::coding::{Coding, Compressor, DecodeError, Effort, decode, decoded_limit};
use rehref_document::message::chunked::{self, Chunked};
use rehref_document::message::headers::Headers;

/// A decoded body, with the codings that it had.
#[derive(Debug)]
pub struct Payload {
    /// The bytes of the payload, without its codings.
    pub content: Vec<u8>,
    /// The body without the chunked transfer coding, where it had that.
    unchunked: Option<Chunked>,
    /// The compressions that were decoded, the outermost first.
    compressors: Vec<Compressor>,
}

/// The reason the payload of a record cannot be decoded, or encoded again.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PayloadError(pub(super) String);

/// Names that mean no coding. Browsers ignore those that RFC 9110 does not have, too.
const IDENTITY: &[&str] = &["", "identity", "none", "binary", "utf-8"];

impl Payload {
    /// Returns the payload of a body without codings.
    pub fn plain(body: &[u8]) -> Payload {
        Payload { content: body.to_vec(), unchunked: None, compressors: Vec::new() }
    }

    /// Decodes the `body` of a message with these `headers`, which were parsed from `source`. Programs
    /// that write archives often store a decoded body with the headers of the coded one: a coding that
    /// the body plainly does not have is ignored.
    ///
    /// # Errors
    /// See [`PayloadError`].
    pub fn of(headers: &Headers, source: &[u8], body: &[u8]) -> Result<Payload, PayloadError> {
        let listed = |name: &str| -> Vec<String> {
            let fields = headers.fields.iter().filter(|field| field.is(source, name));
            let values: Vec<String> = fields.map(|field| field.unfolded(source)).collect();
            let names = values.iter().flat_map(|value| value.split(','));
            names
                .map(|name| name.trim().to_ascii_lowercase())
                .filter(|name| !IDENTITY.contains(&name.as_str()))
                .collect()
        };
        let mut payload = Payload::plain(body);
        let mut transfer = listed("Transfer-Encoding");
        if transfer.last().is_some_and(|coding| coding == "chunked") {
            transfer.pop();
            payload.unchunked = Chunked::parse(body);
            match &payload.unchunked {
                Some(chunked) => payload.content.clone_from(&chunked.data),
                None if chunked::begins_with_chunk(body) => {
                    let message = "the chunked body is damaged or cut off";
                    return Err(PayloadError(message.to_owned()));
                }
                None => {}
            }
        }
        let codings = listed("Content-Encoding").into_iter().chain(transfer);
        let mut codings: Vec<String> = codings.collect();
        while let Some(name) = codings.pop() {
            let Some(coding) = Coding::named(&name) else {
                return Err(PayloadError(format!("the content coding `{name}` is not supported")));
            };
            if payload.content.is_empty() {
                continue;
            }
            // A program that decodes bodies decodes the chunks first; text is a sign that it did.
            let is_decoded = payload.unchunked.is_none() && is_text(&payload.content);
            if !coding.fits(&payload.content) {
                // Text was stored decoded.
                if is_decoded {
                    continue;
                }
                let message = format!("the content is not {name}, although the headers say so");
                return Err(PayloadError(message));
            }
            let limit = decoded_limit(payload.content.len());
            match decode(coding, &payload.content, limit) {
                Ok((content, compressor)) => {
                    payload.content = content;
                    payload.compressors.push(compressor);
                }
                // These two have no signature.
                Err(DecodeError::Damaged(_))
                    if matches!(coding, Coding::Brotli | Coding::Deflate) && is_decoded => {}
                Err(error) => return Err(PayloadError(error.to_string())),
            }
        }
        Ok(payload)
    }

    /// Encodes `content` with the codings that `body` had, from which `self` was decoded.
    ///
    /// # Errors
    /// Returns an error if an encoder fails, for lack of memory.
    pub fn body_with(&self, body: &[u8], content: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut new = content.to_vec();
        for compressor in self.compressors.iter().rev() {
            new = compressor.encode(&new, Effort::Quick)?;
        }
        Ok(match &self.unchunked {
            Some(chunked) => chunked.with_data(body, &new),
            None => new,
        })
    }

    /// Returns true if `other`, decoded from the body `new`, had the same codings as `self`, decoded from `old`.
    /// Compressed bodies need the same number of compressions; in other bodies every byte must be that
    /// of [`Payload::body_with`], chunks included.
    pub fn is_coded_like(&self, other: &Payload, old: &[u8], new: &[u8]) -> bool {
        if self.compressors.is_empty() && other.compressors.is_empty() {
            let expected = self.body_with(old, &other.content);
            return expected.is_ok_and(|expected| expected == new);
        }
        self.unchunked.is_some() == other.unchunked.is_some()
            && self.compressors.len() == other.compressors.len()
    }

    /// Returns the body after decoding the chunked transfer coding, if it had this coding.
    pub fn unchunked(&self) -> Option<&[u8]> {
        self.unchunked.as_ref().map(|chunked| &*chunked.data)
    }
}

/// Returns true if bytes look like text rather than like compressed data.
fn is_text(bytes: &[u8]) -> bool {
    !bytes.iter().any(|b| matches!(b, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(headers: &str, body: &[u8]) -> Result<Payload, PayloadError> {
        let block = format!("HTTP/1.1 200 OK\r\n{headers}\r\n");
        let headers = Headers::response(block.as_bytes()).unwrap();
        Payload::of(&headers, block.as_bytes(), body)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        crate::warc::gzip::member(&[bytes]).unwrap()
    }

    fn chunked(bytes: &[u8]) -> Vec<u8> {
        let (one, other) = bytes.split_at(bytes.len() / 2);
        let mut body = Vec::new();
        for part in [one, other] {
            body.extend(format!("{:x}\r\n", part.len()).into_bytes());
            body.extend_from_slice(part);
            body.extend_from_slice(b"\r\n");
        }
        [&body[..], b"0\r\n\r\n"].concat()
    }

    #[test]
    fn codings_are_decoded_and_encoded_again() {
        let page = b"<p>a page".as_slice();
        let gzipped = gzip(page);
        for (headers, body) in [
            ("", page.to_vec()),
            ("Content-Encoding: gzip\r\n", gzipped.clone()),
            ("content-encoding: identity, GZIP\r\n", gzipped.clone()),
            ("Content-Encoding: gzip, gzip\r\n", gzip(&gzipped)),
            ("Content-Encoding: none\r\n", page.to_vec()),
            ("Content-Encoding: UTF-8\r\n", page.to_vec()),
            ("Content-Encoding: binary, gzip\r\n", gzipped.clone()),
            ("Transfer-Encoding: chunked\r\n", chunked(page)),
            ("Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n", chunked(&gzipped)),
            ("Transfer-Encoding: gzip, chunked\r\n", chunked(&gzipped)),
            // Stored decoded, with the headers of the coded body.
            ("Content-Encoding: gzip\r\n", page.to_vec()),
            ("Content-Encoding: br\r\n", page.to_vec()),
            ("Content-Encoding: deflate\r\n", page.to_vec()),
            ("Transfer-Encoding: chunked\r\n", page.to_vec()),
        ] {
            let found = payload(headers, &body).unwrap();
            assert_eq!(found.content, page, "{headers}");
            let new = found.body_with(&body, b"<p>another one").unwrap();
            let rewritten = payload(headers, &new).unwrap();
            assert_eq!(rewritten.content, b"<p>another one", "{headers}");
            assert_eq!(rewritten.compressors.len(), found.compressors.len(), "{headers}");
            let unchunked = [&rewritten, &found].map(|it| it.unchunked().is_some());
            assert_eq!(unchunked[0], unchunked[1], "{headers}");
        }
    }

    #[test]
    fn a_body_that_cannot_be_decoded_is_an_error() {
        const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
        const CHUNKED_GZIP: &str = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
        let page = b"<p>a page".as_slice();
        let mut gzipped = gzip(page);
        gzipped.truncate(15);
        let damaged_chunks = "the chunked body is damaged or cut off";
        let chunks = chunked(page);
        let gzipped_chunks = chunked(&gzip(page));
        for (headers, body, message) in [
            (CHUNKED, &chunks[..chunks.len() - 8], damaged_chunks),
            (CHUNKED, &chunks[..5], damaged_chunks),
            (CHUNKED, b"5;x=y\r\n<p>\r\n0\r\n\r\n", damaged_chunks),
            (CHUNKED, b"3\r\n<p>\r\n0\r\n\r\nmore", damaged_chunks),
            (CHUNKED_GZIP, &gzipped_chunks[..gzipped_chunks.len() - 8], damaged_chunks),
            (CHUNKED_GZIP, &chunks, "the content is not gzip, although"),
            (
                "Content-Encoding: gzip\r\n",
                b"\x1b\0\0\xf8text",
                "the content is not gzip, although",
            ),
            (
                "Transfer-Encoding: chunked\r\nContent-Encoding: br\r\n",
                &chunks,
                "the compressed data is damaged",
            ),
            (
                "Content-Encoding: compress\r\n",
                &b"x"[..],
                "the content coding `compress` is not supported",
            ),
            ("Content-Encoding: gzip\r\n", &gzipped, "the compressed data is damaged"),
            ("Content-Encoding: br\r\n", b"\0\x01\x02\x03", "the compressed data is damaged"),
        ] {
            let error = payload(headers, body).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
