//! The chunked transfer coding (RFC 9112 section 7.1), undone and redone.

use crate::span::Span;
use memchr::memchr;

/// A chunked body taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunked {
    /// The data of all chunks.
    pub data: Vec<u8>,
    chunks: Vec<Chunk>,
    /// From the size of the last chunk on, which is zero, with its trailer.
    end: Span,
}

/// A chunk that has data.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Chunk {
    /// Its size as written, and where its line goes on.
    size: Span,
    /// The rest of that line, with its end.
    extension: Span,
    length: usize,
    /// What ends its data.
    line_end: Span,
}

impl Chunked {
    /// Takes `body` apart; `None` where it is not chunked, or not to its end.
    pub fn parse(body: &[u8]) -> Option<Chunked> {
        let mut chunked = Chunked {
            data: Vec::new(),
            chunks: Vec::new(),
            end: Span::from(0..0),
        };
        let mut at = 0;
        loop {
            let line = body.get(at..)?;
            let line_length = memchr(b'\n', line)? + 1;
            let digits = line.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            let size = std::str::from_utf8(line.get(..digits)?).ok()?;
            let length = usize::from_str_radix(size, 16).ok()?;
            if !is_behind_size(line.get(digits..line_length)?) {
                return None;
            }
            if length == 0 {
                chunked.end = Span::from(at..body.len());
                return has_end(line.get(line_length..)?).then_some(chunked);
            }
            let data = at + line_length;
            let data_end = data.checked_add(length)?;
            chunked.data.extend_from_slice(body.get(data..data_end)?);
            let line_end = match body.get(data_end..)? {
                [b'\r', b'\n', ..] => 2,
                [b'\n', ..] => 1,
                _ => return None,
            };
            chunked.chunks.push(Chunk {
                size: Span::from(at..at + digits),
                extension: Span::from(at + digits..data),
                length,
                line_end: Span::from(data_end..data_end + line_end),
            });
            at = data_end + line_end;
        }
    }

    /// `data` in chunks as large as those of `body`, which was taken apart; the last one takes what
    /// is left. A chunk that keeps its size keeps its line; the trailer stays.
    pub fn with_data(&self, body: &[u8], data: &[u8]) -> Vec<u8> {
        let mut new = Vec::with_capacity(data.len() + (body.len() - self.data.len()));
        let mut rest = data;
        let last = self.chunks.len().checked_sub(1);
        let slice = |span: Span| span.of(body);
        for (index, chunk) in self.chunks.iter().enumerate() {
            let length = match Some(index) == last {
                true => rest.len(),
                false => chunk.length.min(rest.len()),
            };
            let Some((data, behind)) = rest.split_at_checked(length).filter(|_| length > 0) else {
                break;
            };
            rest = behind;
            match length == chunk.length {
                true => new.extend_from_slice(slice(chunk.size)),
                false => new.extend_from_slice(format!("{length:x}").as_bytes()),
            }
            new.extend_from_slice(slice(chunk.extension));
            new.extend_from_slice(data);
            new.extend_from_slice(slice(chunk.line_end));
        }
        if !rest.is_empty() {
            // There was no chunk with data.
            new.extend_from_slice(format!("{:x}\r\n", rest.len()).as_bytes());
            new.extend_from_slice(rest);
            new.extend_from_slice(b"\r\n");
        }
        new.extend_from_slice(slice(self.end));
        new
    }
}

/// Whether `body` begins with the line of a chunk's size, so that it must be chunked.
pub fn begins_with_chunk(body: &[u8]) -> bool {
    let digits = body.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    let rest = body.get(digits..).unwrap_or_default();
    let line = rest.split_inclusive(|b| *b == b'\n').next();
    digits > 0 && line.is_none_or(is_behind_size)
}

/// Whether a line may go on like that behind the size: white space, which some servers write, an
/// extension, the end of the line.
fn is_behind_size(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    rest.is_empty() || rest.starts_with(b";")
}

/// Whether what follows the line of the last chunk is a trailer and an empty line, and nothing else
/// but perhaps one more line end, as some programs write it.
fn has_end(mut rest: &[u8]) -> bool {
    loop {
        let Some(end) = memchr(b'\n', rest) else {
            // Cut off after the last chunk, as not a few servers do.
            return rest.is_empty();
        };
        let (line, behind) = rest.split_at(end + 1);
        if line.trim_ascii().is_empty() {
            return matches!(behind, b"" | b"\r\n" | b"\n");
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bodies() {
        for (body, data) in [
            ("3\r\nabc\r\n0\r\n\r\n", Some("abc")),
            ("3;x=y\r\nabc\r\n2  \r\nde\r\n0\r\n\r\n", Some("abcde")),
            ("A\r\n0123456789\r\n0\r\nX: y\r\n\r\n", Some("0123456789")),
            ("3\nabc\n0\n\n", Some("abc")),
            ("3\r\nabc\r\n0\r\n", Some("abc")),
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
                let again = parsed.with_data(body.as_bytes(), &parsed.data);
                assert_eq!(again, body.as_bytes());
            }
        }
    }

    #[test]
    fn beginnings() {
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
    fn other_data_in_the_same_chunks() {
        for (body, data, expected) in [
            (
                "3;x\r\nabc\r\n02\r\nde\r\n0\r\nT: 1\r\n\r\n",
                "fghijk",
                "3;x\r\nfgh\r\n3\r\nijk\r\n0\r\nT: 1\r\n\r\n",
            ),
            (
                "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
                "f",
                "1\r\nf\r\n0\r\n\r\n",
            ),
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
        fn what_is_chunked_comes_apart_and_together(
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
