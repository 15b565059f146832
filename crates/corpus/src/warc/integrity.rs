//! Checks whether headers have the length and the digest of a body, and replaces them by those of a new
//! body.

use super::digest::DigestFormat;
use rehref_document::message::headers::Headers;
use rehref_url::{TextEdit, splice};

/// A body in all its forms. Programs differ in which of them they write the length and the digest of.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyForms<'b> {
    /// As in the record.
    pub(super) body: &'b [u8],
    /// Without its chunked transfer coding, if it has that.
    pub(super) unchunked: Option<&'b [u8]>,
    /// Without any coding.
    pub(super) content: &'b [u8],
}

/// Old bytes and the new bytes that replace them.
pub(super) type Pair<'b> = (&'b [u8], &'b [u8]);

impl<'b> BodyForms<'b> {
    /// Pairs each form with the same form of the body `new`.
    pub(super) fn paired(&self, new: &BodyForms<'b>) -> Vec<Pair<'b>> {
        let mut pairs = vec![(self.body, new.body), (self.content, new.content)];
        pairs.extend(self.unchunked.zip(new.unchunked));
        pairs
    }
}

/// Replaces the `Content-Length` of the HTTP headers `source`, if that is the length of a form of the old
/// body, by the length of this form of the new body.
pub(super) fn with_length(source: &[u8], old: &BodyForms<'_>, new: &BodyForms<'_>) -> Vec<u8> {
    let pairs = old.paired(new);
    let length = parsed(length_in(source)).and_then(|length| new_lengths(length, &pairs).next());
    match length {
        Some(length) => with_length_of(source, &length.to_string()),
        None => source.to_vec(),
    }
}

/// Replaces the `Content-Length` of the HTTP headers `source`, if they have one.
pub(super) fn with_length_of(source: &[u8], length: &str) -> Vec<u8> {
    let headers = Headers::parse(source, 0..source.len());
    let field = headers.get(source, "Content-Length");
    let edit = field.map(|field| TextEdit::new(field.value, length));
    splice(source, edit.as_slice())
}

fn length_in(source: &[u8]) -> Option<String> {
    Headers::parse(source, 0..source.len()).value(source, "Content-Length")
}

fn parsed(length: Option<String>) -> Option<usize> {
    length?.trim().parse().ok()
}

/// The new lengths of the bytes that had this `length`.
fn new_lengths(length: usize, pairs: &[Pair<'_>]) -> impl Iterator<Item = usize> {
    let fitting = pairs.iter().filter(move |(old, _)| old.len() == length);
    fitting.map(|(_, new)| new.len())
}

/// Returns the new digests of the bytes that had the digest `value`, in the same format.
pub(super) fn new_digests(value: &str, pairs: &[Pair<'_>]) -> impl Iterator<Item = String> {
    let pairs = pairs.iter();
    pairs.filter_map(move |(old, new)| Some(DigestFormat::of(value, old)?.value(new)))
}

/// Returns true if the `Content-Length` of the new headers is that of the new body, in a form of which the old
/// headers have the length; where the old one was wrong, whether it is unchanged.
pub(super) fn length_fits(headers: [&[u8]; 2], pairs: &[Pair<'_>]) -> bool {
    let [old, new] = headers.map(length_in);
    let mut right =
        parsed(old.clone()).into_iter().flat_map(|length| new_lengths(length, pairs)).peekable();
    match right.peek() {
        None => old == new,
        Some(_) => parsed(new).is_some_and(|new| right.any(|length| length == new)),
    }
}

/// Like [`length_fits`], for two values of the same digest field.
pub(super) fn digest_fits(old: Option<&str>, new: Option<&str>, pairs: &[Pair<'_>]) -> bool {
    let [old, new] = [old, new].map(|value| value.map(str::trim));
    let mut right = old.into_iter().flat_map(|value| new_digests(value, pairs)).peekable();
    match right.peek() {
        None => old == new,
        Some(_) => right.any(|digest| new == Some(&*digest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: &[Pair<'_>] = &[(b"chunked", b"new chunked"), (b"one", b"another")];

    #[test]
    fn a_length_must_be_that_of_the_same_form() {
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
        assert_eq!(with_length_of(headers("12").as_bytes(), "0"), headers("0").into_bytes());
    }

    #[test]
    fn a_digest_must_be_that_of_the_same_form() {
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
