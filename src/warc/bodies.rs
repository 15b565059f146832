//! What is said of a body, and whether it is so: lengths and digests.

use super::digest::DigestFormat;
use crate::document::message::headers::Headers;
use crate::document::{TextEdit, splice};

/// A body in the forms that lengths and digests are of: programs differ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bodies<'b> {
    /// As it stands in the record.
    pub(super) body: &'b [u8],
    /// Without its transfer coding, where it has one.
    pub(super) unchunked: Option<&'b [u8]>,
    /// Without any coding.
    pub(super) content: &'b [u8],
}

/// Old bytes and those that took their place.
pub(super) type Pair<'b> = (&'b [u8], &'b [u8]);

impl<'b> Bodies<'b> {
    /// Each form with its counterpart.
    pub(super) fn paired(&self, new: &Bodies<'b>) -> Vec<Pair<'b>> {
        let unchunked = self.unchunked.zip(new.unchunked);
        [
            Some((self.body, new.body)),
            unchunked,
            Some((self.content, new.content)),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The headers of HTTP with the length of the new body where they had that of the old one.
pub(super) fn with_length(source: &[u8], old: &Bodies<'_>, new: &Bodies<'_>) -> Vec<u8> {
    let pairs = old.paired(new);
    let said = length_in(source).and_then(|said| said.trim().parse().ok());
    let fitting = said.and_then(|said| new_lengths(said, &pairs).next());
    match fitting {
        Some(length) => with_length_of(source, &length.to_string()),
        None => source.to_vec(),
    }
}

/// The headers of HTTP with this `Content-Length`, where they have any.
pub(super) fn with_length_of(source: &[u8], length: &str) -> Vec<u8> {
    let headers = Headers::parse(source, 0..source.len());
    let field = headers.get(source, "Content-Length");
    let edit = field.map(|field| TextEdit::new(field.value, length));
    splice(source, edit.as_slice())
}

fn length_in(source: &[u8]) -> Option<String> {
    Headers::parse(source, 0..source.len()).value(source, "Content-Length")
}

/// The new lengths of what had the length `said`.
fn new_lengths(said: usize, pairs: &[Pair<'_>]) -> impl Iterator<Item = usize> {
    let fitting = pairs.iter().filter(move |(old, _)| old.len() == said);
    fitting.map(|(_, new)| new.len())
}

/// The new digests of what had the digest `value`, written like that.
pub(super) fn new_digests(value: &str, pairs: &[Pair<'_>]) -> impl Iterator<Item = String> {
    let fitting = pairs.iter();
    fitting.filter_map(move |(old, new)| Some(DigestFormat::of(value, old)?.value(new)))
}

/// Whether new headers say of the length of the new body what the old ones said of the old one; where
/// that was wrong, whether they say the same.
pub(super) fn length_fits([old, new]: [&[u8]; 2], pairs: &[Pair<'_>]) -> bool {
    let [was, is] = [old, new].map(length_in);
    let said = was.as_deref().and_then(|was| was.trim().parse().ok());
    let mut fitting = said.into_iter().flat_map(|said| new_lengths(said, pairs));
    match fitting.next() {
        None => was == is,
        Some(first) => {
            let is: Option<usize> = is.and_then(|is| is.trim().parse().ok());
            is.is_some_and(|is| is == first || fitting.any(|length| length == is))
        }
    }
}

/// Whether a new digest is as right as the old one was; where that did not fit, whether it is the same.
pub(super) fn digest_fits(was: Option<&str>, is: Option<&str>, pairs: &[Pair<'_>]) -> bool {
    let [was, is] = [was, is].map(|value| value.map(str::trim));
    let mut fitting = was.into_iter().flat_map(|was| new_digests(was, pairs));
    match fitting.next() {
        None => was == is,
        Some(first) => is == Some(&*first) || fitting.any(|digest| is == Some(&*digest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: &[Pair<'_>] = &[(b"chunked", b"new chunked"), (b"one", b"another")];

    #[test]
    fn lengths() {
        let headers = |length: &str| format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
        for (old, new, fits) in [
            ("7", "11", true),
            ("3", "7", true),
            ("3", "11", false),
            ("3", "3", false),
            ("99", "99", true),
            ("99", "11", false),
            ("x", "x", true),
            ("x", "7", false),
        ] {
            let (old, new) = (headers(old), headers(new));
            let both = [old.as_bytes(), new.as_bytes()];
            assert_eq!(length_fits(both, PAIRS), fits, "{both:?}");
        }
        assert!(length_fits([b"A: b\n\n", b"A: b\n\n"], PAIRS));
        assert!(!length_fits([headers("3").as_bytes(), b"A: b\n\n"], PAIRS));
        assert_eq!(
            with_length_of(headers("12").as_bytes(), "0"),
            headers("0").into_bytes()
        );
    }

    #[test]
    fn digests() {
        // MD5 of "one", "another" and "new chunked".
        let [one, another, chunked] = [&b"one"[..], b"another", b"new chunked"].map(|bytes| {
            let empty = DigestFormat::of("md5:d41d8cd98f00b204e9800998ecf8427e", b"").unwrap();
            empty.value(bytes)
        });
        for (was, is, fits) in [
            (Some(&*one), Some(&*another), true),
            (Some(&*one), Some(&*one), false),
            (Some(&*one), Some(&*chunked), false),
            (Some(&*one), None, false),
            (Some("md5:00"), Some("md5:00"), true),
            (Some("md5:00"), Some(&*another), false),
            (Some("blake3:00"), Some("blake3:00"), true),
            (None, None, true),
            (None, Some(&*another), false),
        ] {
            assert_eq!(digest_fits(was, is, PAIRS), fits, "{was:?} {is:?}");
        }
    }
}
