//! Splits a message into entities in entities (RFC 2046), with their spans.
//!
//! No crate does this for us. mail-parser, the best of them, accepts a delimiter in the middle of a line
//! and as the start of a longer one, so that it may end a part in the middle. That does little harm
//! to a reader of mail, but much to a program that writes the parts again.

use memchr::memmem;

use super::headers::{Headers, line_end, status_code};
use super::media_type::MediaType;
use super::transfer::TransferEncoding;
use rehref_url::Span;

/// The depth to which parts in parts are split.
const NESTING: usize = 16;

/// Headers and the body after them: a whole message, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// The index of the enclosing entity, which is earlier in the list. `None` for the message itself.
    pub parent: Option<usize>,
    /// The number of the part: `2` is the second part of the message, `2.1` the first part in that part. Empty
    /// for the message itself.
    pub number: String,
    pub headers: Headers,
    /// The media type of the entity's body.
    pub media_type: MediaType,
    /// The encoding of the body, or the name of an unknown encoding.
    pub encoding: Result<TransferEncoding, String>,
    /// The body, without the line end before the next delimiter.
    pub body: Span,
    /// The structure of the body: a single body, nested parts, or parts that cannot be read.
    pub content: EntityContent,
}

/// The structure of the body of an entity: a single body, nested parts, or parts that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityContent {
    /// One body.
    Single,
    /// Parts, or a message: the entities whose parent this is.
    Parts,
    /// Encrypted parts.
    Encrypted,
    /// Parts without a boundary, which cannot be split.
    Unbounded,
    /// Parts below the depth to which they are split.
    TooDeep,
    /// None: a redirect or a request for authentication, before the server's next response.
    Redirect,
}

/// Splits the message `source` into entities, each after the enclosing one. `default` is the type of the body
/// if no header states one. If the message has more than `most` entities, returns only one more than `most`.
pub fn entities(source: &[u8], default: &MediaType, most: usize) -> Vec<Entity> {
    let mut splitter = Splitter { source, found: Vec::new(), most };
    splitter.responses(default);
    splitter.found
}

struct Splitter<'s> {
    source: &'s [u8],
    found: Vec<Entity>,
    most: usize,
}

/// The place of an entity in the message.
#[derive(Clone, Copy)]
struct Place<'p> {
    parent: Option<usize>,
    number: &'p str,
    default: &'p MediaType,
    depth: usize,
}

impl Splitter<'_> {
    /// Splits the message, and the responses before it that redirected the client to it
    /// (`curl -i -L`).
    fn responses(&mut self, default: &MediaType) {
        let end = self.source.len();
        let mut place = Place { parent: None, number: "", default, depth: 0 };
        let mut start = 0;
        loop {
            let headers = Headers::parse(self.source, start..end);
            let is_redirect =
                headers.status.is_some_and(|status| status < 400 || matches!(status, 401 | 407))
                    && status_code(self.source, headers.body..end).is_some();
            if !is_redirect || self.found.len() > self.most {
                return self.entity(headers, end, place);
            }
            start = headers.body;
            self.found.push(Entity {
                parent: place.parent,
                number: String::new(),
                body: Span { start, end: start },
                headers,
                media_type: MediaType::default(),
                encoding: Ok(TransferEncoding::Identity),
                content: EntityContent::Redirect,
            });
            place.parent = Some(self.found.len() - 1);
        }
    }

    /// Splits the entity with these headers, whose body ends at `end`.
    fn entity(&mut self, headers: Headers, end: usize, place: Place<'_>) {
        if self.found.len() > self.most {
            return;
        }
        let value = |name: &str| headers.value(self.source, name);
        let media_type = value("Content-Type")
            .and_then(|value| MediaType::parse(&value))
            .unwrap_or_else(|| place.default.clone());
        let encoding = TransferEncoding::of(value("Content-Transfer-Encoding").as_deref());
        let body = Span::from(headers.body.min(end)..end);
        let boundary = media_type.parameter("boundary").unwrap_or_default();
        let boundary = boundary.trim_end();
        let is_multipart = media_type.top_level() == "multipart";
        let is_message = media_type.is_message() && encoding == Ok(TransferEncoding::Identity);
        let content = match &*media_type.essence {
            "multipart/encrypted" => EntityContent::Encrypted,
            _ if !is_multipart && !is_message => EntityContent::Single,
            _ if place.depth >= NESTING => EntityContent::TooDeep,
            _ if is_multipart && boundary.is_empty() => EntityContent::Unbounded,
            _ => EntityContent::Parts,
        };
        let default = match &*media_type.essence {
            "multipart/digest" => "message/rfc822",
            _ => "text/plain",
        };
        self.found.push(Entity {
            parent: place.parent,
            number: place.number.to_owned(),
            headers,
            media_type,
            encoding,
            body,
            content,
        });
        if content != EntityContent::Parts {
            return;
        }
        let parent = Some(self.found.len() - 1);
        let ranges = if is_multipart { parts(self.source, body, boundary) } else { vec![body] };
        for (index, range) in ranges.into_iter().enumerate() {
            if self.found.len() > self.most {
                return;
            }
            let dot = if place.number.is_empty() { "" } else { "." };
            let number = format!("{}{dot}{}", place.number, index + 1);
            let headers = Headers::without_status(self.source, range);
            let place = Place {
                parent,
                number: &number,
                default: &MediaType::of(default),
                depth: place.depth + 1,
            };
            self.entity(headers, range.end, place);
        }
    }
}

/// The parts between the delimiter lines with this boundary in the bytes `body` of `source`. The text
/// before the first and after the last delimiter is not a part. Without a last delimiter the last part
/// ends with the body.
fn parts(source: &[u8], body: Span, boundary: &str) -> Vec<Span> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let delimiter = [b"--", boundary.as_bytes()].concat();
    for at in memmem::find_iter(body.of(source), &delimiter) {
        let start = body.start + at;
        let before = Span::from(body.start..start).of(source);
        if !(before.is_empty() || before.ends_with(b"\n")) {
            continue;
        }
        let (line, next) = line_end(source, start..body.end);
        let rest = Span::from(start + delimiter.len()..line).of(source);
        let (is_last, padding) = match rest.strip_prefix(b"--") {
            Some(padding) => (true, padding),
            None => (false, rest),
        };
        if !padding.trim_ascii().is_empty() {
            continue;
        }
        if let Some(from) = open {
            // The line end before the delimiter belongs to it.
            let line_end = match before {
                [.., b'\r', b'\n'] => 2,
                _ => 1,
            };
            found.push(Span::from(from..start.saturating_sub(line_end).max(from)));
        }
        if is_last {
            return found;
        }
        open = Some(next);
    }
    found.extend(open.map(|from| Span::from(from..body.end)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each entity as `number type [body]`.
    fn outline(source: &str) -> Vec<String> {
        entities(source.as_bytes(), &MediaType::of("text/plain"), 1000)
            .iter()
            .map(|entity| {
                let body = match entity.content {
                    EntityContent::Single => {
                        format!("{:?}", &source[entity.body.start..entity.body.end])
                    }
                    content => format!("{content:?}"),
                };
                format!("{} {} {body}", entity.number, entity.media_type.essence)
            })
            .collect()
    }

    #[test]
    fn a_message_is_split_into_parts_in_parts() {
        let source = "Content-Type: multipart/mixed; boundary=b\r\n\r\npreamble --b\r\n--b\r\n\
            Content-Type: text/html\r\n\r\n<p>\r\nx--b\r\n--bb\r\n\r\n--b \t\r\n\r\nplain\r\n--b\r\n\
            Content-Type: multipart/related; boundary=bb\r\n\r\n--bb\r\n\r\n1\r\n--bb--\r\n--b\r\n\
            Content-Type: message/rfc822\r\n\r\nContent-Type: text/css\r\n\r\na{}\r\n--b--\r\n--b\r\nepilogue";
        assert_eq!(
            outline(source),
            [
                " multipart/mixed Parts",
                "1 text/html \"<p>\\r\\nx--b\\r\\n--bb\\r\\n\"",
                "2 text/plain \"plain\"",
                "3 multipart/related Parts",
                "3.1 text/plain \"1\"",
                "4 message/rfc822 Parts",
                "4.1 text/css \"a{}\"",
            ]
        );
    }

    #[test]
    fn malformed_messages_are_split_as_far_as_possible() {
        for (source, expected) in [
            ("", &[" text/plain \"\""][..]),
            ("no header", &[" text/plain \"\""]),
            ("A: b\n\nx", &[" text/plain \"x\""]),
            ("Content-Type: multipart/mixed\n\n--\nx", &[" multipart/mixed Unbounded"]),
            ("Content-Type: multipart/mixed; boundary=x\n\ntext", &[" multipart/mixed Parts"]),
            (
                "Content-Type: multipart/mixed; boundary=x\n\n--x\n--x\nA: b\n\nopen\n",
                &[" multipart/mixed Parts", "1 text/plain \"\"", "2 text/plain \"open\\n\""],
            ),
            (
                "Content-Type: multipart/digest; boundary=x\n\n--x\n\nSubject: s\n\ny\n--x--",
                &[" multipart/digest Parts", "1 message/rfc822 Parts", "1.1 text/plain \"y\""],
            ),
            (
                "Content-Type: multipart/encrypted; boundary=x\n\n--x\n\ny\n--x--",
                &[" multipart/encrypted Encrypted"],
            ),
            (
                "HTTP/1.1 401 No\nA: b\n\nHTTP/1.1 407 No\nA: b\n\nHTTP/1.1 200 OK\n\nx",
                &["  Redirect", "  Redirect", " text/plain \"x\""],
            ),
            (
                "HTTP/1.1 404 No\nA: b\n\nHTTP/1.1 200 OK\n\nx",
                &[" text/plain \"HTTP/1.1 200 OK\\n\\nx\""],
            ),
            (
                "HTTP/1.1 301 Moved\nLocation: /x\n\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>",
                &["  Redirect", " text/html \"<p>\""],
            ),
        ] {
            assert_eq!(outline(source), expected, "{source}");
        }
    }

    #[test]
    fn deep_parts_are_not_split() {
        let source = "Content-Type: message/rfc822\n\n".repeat(100);
        let found = entities(source.as_bytes(), &MediaType::of("text/plain"), 1000);
        assert_eq!(found.len(), NESTING + 1);
        assert_eq!(found.last().unwrap().content, EntityContent::TooDeep);
    }
}
