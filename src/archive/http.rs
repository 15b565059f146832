//! The HTTP message in a record: where its payload is, and what that is without its codings.

use std::ops::Range;

use super::chunked::Chunked;
use crate::coding::{Coding, DECODED_LIMIT, DecodeError, Effort, Wrapped, decode};
use crate::document::message::headers::Headers;

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
    pub fn body(&self, length: usize) -> Range<usize> {
        self.headers.body.min(length)..length
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
    wrapped: Vec<Wrapped>,
}

/// Why the payload of a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    /// A coding that is not known here.
    #[error("its coding `{0}` is not known")]
    UnknownCoding(String),
    /// It cannot be decoded.
    #[error(transparent)]
    Decode(#[from] DecodeError),
}

impl Payload {
    /// The payload of a body without codings.
    pub fn plain(body: &[u8]) -> Payload {
        Payload {
            content: body.to_vec(),
            unchunked: None,
            wrapped: Vec::new(),
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
                .filter(|name| !name.is_empty() && name != "identity")
                .collect()
        };
        let mut payload = Payload::plain(body);
        let mut transfer = listed("Transfer-Encoding");
        if transfer.last().is_some_and(|coding| coding == "chunked") {
            transfer.pop();
            payload.unchunked = Chunked::parse(body);
            if let Some(chunked) = &payload.unchunked {
                payload.content.clone_from(&chunked.data);
            }
        }
        let codings = listed("Content-Encoding").into_iter().chain(transfer);
        let mut codings: Vec<String> = codings.collect();
        while let Some(name) = codings.pop() {
            let Some(coding) = Coding::named(&name) else {
                return Err(PayloadError::UnknownCoding(name));
            };
            if payload.content.is_empty() || !coding.fits(&payload.content) {
                continue;
            }
            match decode(coding, &payload.content, DECODED_LIMIT) {
                Ok((content, wrapped)) => {
                    payload.content = content;
                    payload.wrapped.push(wrapped);
                }
                // These two have no signature; text is a sign that they were undone.
                Err(DecodeError::Damaged(_))
                    if matches!(coding, Coding::Brotli | Coding::Deflate)
                        && is_text(&payload.content) => {}
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
        let mut wrapped = self.wrapped.iter().rev();
        let mut new = match wrapped.next() {
            Some(first) => first.encode(content, Effort::Quick)?,
            None => content.to_vec(),
        };
        for further in wrapped {
            new = further.encode(&new, Effort::Quick)?;
        }
        Ok(match &self.unchunked {
            Some(chunked) => chunked.with_data(body, &new),
            None => new,
        })
    }

    /// Whether it is compressed in its body.
    pub fn is_coded(&self) -> bool {
        !self.wrapped.is_empty()
    }

    /// The body without its transfer coding, where it has one.
    pub fn unchunked(&self) -> Option<&[u8]> {
        self.unchunked.as_ref().map(|chunked| &*chunked.data)
    }
}

/// Whether bytes look like text rather than like something compressed.
fn is_text(bytes: &[u8]) -> bool {
    let start = bytes.get(..512).unwrap_or(bytes);
    !start
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
        crate::archive::gzip::member(&[bytes]).unwrap()
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
            assert_eq!(again.wrapped.len(), found.wrapped.len(), "{headers}");
            let unchunked = [&again, &found].map(|it| it.unchunked().is_some());
            assert_eq!(unchunked[0], unchunked[1], "{headers}");
        }
    }

    #[test]
    fn what_cannot_be_undone_is_an_error() {
        let mut gzipped = gzip(b"<p>a page");
        gzipped.truncate(15);
        for (headers, body, message) in [
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
