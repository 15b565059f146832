//! The chunked transfer coding (RFC 9112 section 7.1): decodes a body, and encodes other data in the
//! same chunks.

use memchr::memchr;
use rehref_url::Span;

/// A decoded chunked body. All spans are bytes of that body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunked {
    /// The data of all chunks.
    pub data: Vec<u8>,
    chunks: Vec<Chunk>,
    /// The last chunk, whose size is zero, with the trailer.
    end: Span,
}

/// A chunk with data.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    /// The hexadecimal digits of the size.
    size: Span,
    /// The rest of the line of the size, with its line end.
    extension: Span,
    data: Span,
    /// The line end after the data.
    line_end: Span,
}

impl Chunked {
    /// Decodes `body`; `None` if it is not chunked, ends before the last chunk, or continues after the trailer.
    pub fn parse(body: &[u8]) -> Option<Chunked> {
        let (chunked, rest) = up_to_last_chunk(body)?;
        is_trailer(rest).then_some(chunked)
    }

    /// Encodes `data` in chunks as large as those of `body`, from which `self` was decoded; the last
    /// chunk gets the rest. A chunk of the same size keeps its line as written, and the trailer stays.
    pub fn with_data(&self, body: &[u8], data: &[u8]) -> Vec<u8> {
        let mut new = Vec::with_capacity(data.len() + (body.len() - self.data.len()));
        let mut rest = data;
        for (number, chunk) in (1..).zip(&self.chunks) {
            if rest.is_empty() {
                break;
            }
            let old_length = chunk.data.len();
            let length =
                if number == self.chunks.len() { rest.len() } else { old_length.min(rest.len()) };
            let (data, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            rest = after;
            if length == old_length {
                new.extend_from_slice(chunk.size.of(body))
            } else {
                new.extend_from_slice(format!("{length:x}").as_bytes())
            }
            for part in [chunk.extension.of(body), data, chunk.line_end.of(body)] {
                new.extend_from_slice(part);
            }
        }
        if !rest.is_empty() {
            // `body` has no chunk with data.
            new.extend_from_slice(format!("{:x}\r\n", rest.len()).as_bytes());
            new.extend_from_slice(rest);
            new.extend_from_slice(b"\r\n");
        }
        new.extend_from_slice(self.end.of(body));
        new
    }
}

/// Decodes `body` up to its last chunk, and returns the bytes after the line of that chunk too; `None`
/// where `body` is not chunked or has no last chunk.
fn up_to_last_chunk(body: &[u8]) -> Option<(Chunked, &[u8])> {
    let mut chunked = Chunked { data: Vec::new(), chunks: Vec::new(), end: Span::from(0..0) };
    let mut at = 0;
    loop {
        let line = body.get(at..)?;
        let (line, rest) = line.split_at(memchr(b'\n', line).map_or(line.len(), |end| end + 1));
        let digits = size_digits(line);
        let size = std::str::from_utf8(line.get(..digits)?).ok()?;
        let length = usize::from_str_radix(size, 16).ok()?;
        if !may_follow_size(line.get(digits..)?) {
            return None;
        }
        if length == 0 {
            chunked.end = Span::from(at..body.len());
            return Some((chunked, rest));
        }
        let start = at + line.len();
        let data = Span::from(start..start.checked_add(length)?);
        chunked.data.extend_from_slice(rest.get(..length)?);
        let line_end = match rest.get(length..)? {
            [b'\r', b'\n', ..] => 2,
            [b'\n', ..] => 1,
            _ => return None,
        };
        chunked.chunks.push(Chunk {
            size: Span::from(at..at + digits),
            extension: Span::from(at + digits..start),
            data,
            line_end: Span::from(data.end..data.end + line_end),
        });
        at = data.end + line_end;
    }
}

/// Returns true if `body` consists of chunks up to the last one, with any bytes after it.
pub(crate) fn has_last_chunk(body: &[u8]) -> bool {
    up_to_last_chunk(body).is_some()
}

/// Returns true if `body` begins with the line of a chunk's size, so that it must be chunked.
pub fn begins_with_chunk(body: &[u8]) -> bool {
    let digits = size_digits(body);
    let rest = body.get(digits..).unwrap_or_default();
    let line = rest.split_inclusive(|b| *b == b'\n').next();
    digits > 0 && line.is_none_or(may_follow_size)
}

fn size_digits(line: &[u8]) -> usize {
    line.iter().take_while(|b| b.is_ascii_hexdigit()).count()
}

/// Returns true if a line may end with `rest` after the size: with white space, which some servers write, or
/// with an extension.
fn may_follow_size(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    rest.is_empty() || rest.starts_with(b";")
}

/// Returns true if `rest`, the bytes after the line of the last chunk, is a trailer with its empty line. Some
/// programs write one more line end, and quite a few servers no trailer at all.
fn is_trailer(mut rest: &[u8]) -> bool {
    while let Some(end) = memchr(b'\n', rest) {
        let (line, after) = rest.split_at(end + 1);
        if line.trim_ascii().is_empty() {
            return matches!(after, b"" | b"\r\n" | b"\n");
        }
        rest = after;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn chunked_bodies_are_decoded_and_others_refused() {
        for (body, data) in [
            ("3\r\nabc\r\n0\r\n\r\n", Some("abc")),
            ("3;x=y\r\nabc\r\n2  \r\nde\r\n0\r\n\r\n", Some("abcde")),
            ("A\r\n0123456789\r\n0\r\nX: y\r\n\r\n", Some("0123456789")),
            ("3\nabc\n0\n\n", Some("abc")),
            ("3\r\nabc\r\n0\r\n", Some("abc")),
            ("3\r\nabc\r\n0", Some("abc")),
            ("0\r\n\r\n", Some("")),
            ("", None),
            ("<p>", None),
            ("3\r\nabc\r\n", None),
            ("3\r\nabcd\r\n0\r\n\r\n", None),
            ("5\r\nabc\r\n0\r\n\r\n", None),
            ("3\r\nabc\r\n0\r\n\r\n\r\n", Some("abc")),
            ("0\r\n\r\nmore", None),
            ("0\r\n\r\n\r\n\r\n", None),
            ("ffffffffffffffff\r\nabc\r\n", None),
            ("3 x\r\nabc\r\n0\r\n\r\n", None),
        ] {
            let parsed = Chunked::parse(body.as_bytes());
            let found = parsed.as_ref().map(|it| it.data.as_slice());
            assert_eq!(found, data.map(str::as_bytes), "{body:?}");
            if let Some(parsed) = parsed {
                let same = parsed.with_data(body.as_bytes(), &parsed.data);
                assert_eq!(same, body.as_bytes());
            }
        }
    }

    #[test]
    fn a_body_begins_with_a_chunk_if_its_first_line_is_a_size() {
        for (body, is_chunk) in [
            ("3\r\nabc", true),
            ("1aF;x=y\r\n", true),
            ("8  \r\n", true),
            ("1000", true),
            ("ffffffffffffffffff\r\n", true),
            ("", false),
            ("\r\n3\r\n", false),
            ("<p>", false),
            ("a page\n", false),
        ] {
            assert_eq!(begins_with_chunk(body.as_bytes()), is_chunk, "{body:?}");
        }
    }

    #[test]
    fn other_data_gets_the_same_chunks() {
        for (body, data, expected) in [
            (
                "3;x\r\nabc\r\n02\r\nde\r\n0\r\nT: 1\r\n\r\n",
                "fghijk",
                "3;x\r\nfgh\r\n3\r\nijk\r\n0\r\nT: 1\r\n\r\n",
            ),
            ("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "f", "1\r\nf\r\n0\r\n\r\n"),
            ("3\r\nabc\r\n0\r\n\r\n", "", "0\r\n\r\n"),
            ("0\r\n\r\n", "ab", "2\r\nab\r\n0\r\n\r\n"),
        ] {
            let parsed = Chunked::parse(body.as_bytes()).unwrap();
            let new = parsed.with_data(body.as_bytes(), data.as_bytes());
            assert_eq!(String::from_utf8(new).unwrap(), expected);
        }
    }

    proptest! {
        #[test]
        fn decoded_and_encoded_again_a_body_is_the_same(
            chunks in proptest::collection::vec(
                (proptest::collection::vec(any::<u8>(), 1..40), 0_usize..3, any::<bool>()),
                0..6,
            ),
            other in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut body = Vec::new();
            for (data, zeros, has_extension) in &chunks {
                let extension = if *has_extension { ";a=b" } else { "" };
                let line = format!("{}{:X}{extension}\r\n", "0".repeat(*zeros), data.len());
                body.extend_from_slice(line.as_bytes());
                body.extend_from_slice(data);
                body.extend_from_slice(b"\r\n");
            }
            body.extend_from_slice(b"0\r\n\r\n");
            let data: Vec<u8> = chunks.iter().flat_map(|it| it.0.clone()).collect();
            let parsed = Chunked::parse(&body).unwrap();
            prop_assert_eq!(&parsed.data, &data);
            prop_assert_eq!(&parsed.with_data(&body, &data), &body);
            let changed = parsed.with_data(&body, &other);
            prop_assert_eq!(Chunked::parse(&changed).unwrap().data, other);
        }

        #[test]
        fn nothing_panics(body in proptest::collection::vec(
            proptest::sample::select(b"0123af;\r\n x".to_vec()), 0..60,
        )) {
            if let Some(parsed) = Chunked::parse(&body) {
                prop_assert_eq!(parsed.with_data(&body, &parsed.data), body);
            }
        }
    }
}
