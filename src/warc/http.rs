//! The HTTP message in a record: where its payload is, and what that is without its codings.

use super::chunked::{self, Chunked};
use crate::coding::{Coding, Compressor, DECODED_LIMIT, DecodeError, Effort, decode};
use crate::document::message::headers::Headers;
use crate::span::Span;

/// The headers of a response.
#[derive(Clone, Debug)]
pub struct Message {
    headers: Headers,
}

impl Message {
    /// The message that `block` begins with; `None` where that is no response.
    pub fn parse(block: &[u8]) -> Option<Message> {
        let headers = Headers::parse(block, 0..block.len());
        headers.status?;
        Some(Message { headers })
    }

    /// Its status.
    pub fn status(&self) -> u16 {
        self.headers.status.map_or(0, |status| status.code)
    }

    /// Its headers.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// Where the body is in a block of this length.
    pub fn body(&self, length: usize) -> Span {
        Span::from(self.headers.body.min(length)..length)
    }
}

/// A payload without the codings that it was sent in.
#[derive(Debug)]
pub struct Payload {
    /// What is in it.
    pub content: Vec<u8>,
    /// The body without its transfer coding, where that is something else.
    unchunked: Option<Chunked>,
    /// The content codings, in the order in which they were put on.
    compressors: Vec<Compressor>,
}

/// Why the payload of a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    /// A coding that is not known here.
    #[error("its coding `{0}` is not known")]
    UnknownCoding(String),
    /// It begins with a chunk, but does not go on with chunks to its end.
    #[error("the chunked body is damaged or cut")]
    Chunks,
    /// It does not begin as what it is said to be, and is no text that was stored decoded either.
    #[error("it is no {0}, which its coding is said to be")]
    OtherCoding(String),
    /// It cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

/// Names that stand for no coding; browsers take those that are not in RFC 9110 so, too.
const IDENTITY: &[&str] = &["", "identity", "none", "binary", "utf-8"];

impl Payload {
    /// The payload of a body without codings.
    pub fn plain(body: &[u8]) -> Payload {
        Payload {
            content: body.to_vec(),
            unchunked: None,
            compressors: Vec::new(),
        }
    }

    /// The payload of the message `headers` (read from `source`) with this `body`. Programs that
    /// write archives often store a body without its codings and leave the headers: a coding that the
    /// body plainly has not is passed over.
    ///
    /// # Errors
    /// When a coding is not known, or the body is damaged.
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
                None if chunked::begins_with_chunk(body) => return Err(PayloadError::Chunks),
                None => {}
            }
        }
        let codings = listed("Content-Encoding").into_iter().chain(transfer);
        let mut codings: Vec<String> = codings.collect();
        while let Some(name) = codings.pop() {
            let Some(coding) = Coding::named(&name) else {
                return Err(PayloadError::UnknownCoding(name));
            };
            if payload.content.is_empty() {
                continue;
            }
            // Who undoes codings undoes the chunks first; text is a sign that it was done.
            let is_undone = payload.unchunked.is_none() && is_text(&payload.content);
            if !coding.fits(&payload.content) {
                match is_undone {
                    true => continue,
                    false => return Err(PayloadError::OtherCoding(name)),
                }
            }
            match decode(coding, &payload.content, DECODED_LIMIT) {
                Ok((content, compressor)) => {
                    payload.content = content;
                    payload.compressors.push(compressor);
                }
                // These two have no signature.
                Err(DecodeError::Damaged(_))
                    if matches!(coding, Coding::Brotli | Coding::Deflate) && is_undone => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(payload)
    }

    /// The body with `content` in the codings that the payload had; `body` is the old one.
    ///
    /// # Errors
    /// For want of memory.
    pub fn body_with(&self, body: &[u8], content: &[u8]) -> std::io::Result<Vec<u8>> {
        let mut compressors = self.compressors.iter().rev();
        let mut new = match compressors.next() {
            Some(first) => first.encode(content, Effort::Quick)?,
            None => content.to_vec(),
        };
        for further in compressors {
            new = further.encode(&new, Effort::Quick)?;
        }
        Ok(match &self.unchunked {
            Some(chunked) => chunked.with_data(body, &new),
            None => new,
        })
    }

    /// Whether `other`, with the body `new`, is in the same codings as this one with the body `old`.
    /// Of compressed bytes that is the coding; of others, chunks and all, every byte.
    pub fn is_coded_as(&self, other: &Payload, old: &[u8], new: &[u8]) -> bool {
        if self.compressors.is_empty() && other.compressors.is_empty() {
            let expected = self.body_with(old, &other.content);
            return expected.is_ok_and(|expected| expected == new);
        }
        self.unchunked.is_some() == other.unchunked.is_some()
            && self.compressors.len() == other.compressors.len()
    }

    /// The body without its transfer coding, where it has one.
    pub fn unchunked(&self) -> Option<&[u8]> {
        self.unchunked.as_ref().map(|chunked| &*chunked.data)
    }
}

/// Whether bytes look like text rather than like something compressed.
fn is_text(bytes: &[u8]) -> bool {
    !bytes
        .iter()
        .any(|b| matches!(b, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(headers: &str, body: &[u8]) -> Result<Payload, PayloadError> {
        let block = format!("HTTP/1.1 200 OK\r\n{headers}\r\n");
        let message = Message::parse(block.as_bytes()).unwrap();
        Payload::of(message.headers(), block.as_bytes(), body)
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
    fn codings_are_undone_and_redone() {
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
            (
                "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
                chunked(&gzipped),
            ),
            ("Transfer-Encoding: gzip, chunked\r\n", chunked(&gzipped)),
            // Stored without what the headers say.
            ("Content-Encoding: gzip\r\n", page.to_vec()),
            ("Content-Encoding: br\r\n", page.to_vec()),
            ("Content-Encoding: deflate\r\n", page.to_vec()),
            ("Transfer-Encoding: chunked\r\n", page.to_vec()),
        ] {
            let found = payload(headers, &body).unwrap();
            assert_eq!(found.content, page, "{headers}");
            let new = found.body_with(&body, b"<p>another one").unwrap();
            let again = payload(headers, &new).unwrap();
            assert_eq!(again.content, b"<p>another one", "{headers}");
            assert_eq!(
                again.compressors.len(),
                found.compressors.len(),
                "{headers}"
            );
            let unchunked = [&again, &found].map(|it| it.unchunked().is_some());
            assert_eq!(unchunked[0], unchunked[1], "{headers}");
        }
    }

    #[test]
    fn what_cannot_be_undone_is_an_error() {
        const CHUNKED: &str = "Transfer-Encoding: chunked\r\n";
        const CHUNKED_GZIP: &str = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
        let page = b"<p>a page".as_slice();
        let mut gzipped = gzip(page);
        gzipped.truncate(15);
        let damaged_chunks = "the chunked body is damaged or cut";
        let chunks = chunked(page);
        let gzipped_chunks = chunked(&gzip(page));
        for (headers, body, message) in [
            (CHUNKED, &chunks[..chunks.len() - 8], damaged_chunks),
            (CHUNKED, &chunks[..5], damaged_chunks),
            (CHUNKED, b"5;x=y\r\n<p>\r\n0\r\n\r\n", damaged_chunks),
            (CHUNKED, b"3\r\n<p>\r\n0\r\n\r\nmore", damaged_chunks),
            (
                CHUNKED_GZIP,
                &gzipped_chunks[..gzipped_chunks.len() - 8],
                damaged_chunks,
            ),
            (CHUNKED_GZIP, &chunks, "it is no gzip, which its coding"),
            (
                "Content-Encoding: gzip\r\n",
                b"\x1b\0\0\xf8text",
                "it is no gzip, which its coding",
            ),
            (
                "Transfer-Encoding: chunked\r\nContent-Encoding: br\r\n",
                &chunks,
                "the compressed bytes are damaged",
            ),
            (
                "Content-Encoding: compress\r\n",
                &b"x"[..],
                "its coding `compress` is not known",
            ),
            (
                "Content-Encoding: gzip\r\n",
                &gzipped,
                "the compressed bytes are damaged",
            ),
            (
                "Content-Encoding: br\r\n",
                b"\0\x01\x02\x03",
                "the compressed bytes are damaged",
            ),
        ] {
            let error = payload(headers, body).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
