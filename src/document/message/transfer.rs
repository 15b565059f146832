//! Transfer encodings (RFC 2045): bodies decoded with a map back to their bytes, and changes brought
//! into them.

use super::comments::without_comments;
use super::{base64, quoted_printable};
use crate::document::TextEdit;
use crate::document::text::Offsets;

/// How a body is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransferEncoding {
    /// As it is: `7bit`, `8bit`, `binary`.
    #[default]
    Identity,
    /// `quoted-printable`
    QuotedPrintable,
    /// `base64`
    Base64,
}

/// A body decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DecodedBody {
    /// The content.
    pub(crate) bytes: Vec<u8>,
    /// Where its bytes stand in the body.
    pub(crate) offsets: Offsets,
}

/// A body is not in the encoding that its header names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not valid {0}")]
pub struct MalformedBody(&'static str);

impl TransferEncoding {
    /// The encoding that the value of a `Content-Transfer-Encoding` names; there may be none.
    ///
    /// # Errors
    /// The name of one that nobody knows.
    pub fn of(value: Option<&str>) -> Result<TransferEncoding, String> {
        let value = without_comments(value.unwrap_or_default());
        let value = value.split(['(', ';']).next().unwrap_or_default().trim();
        match &*value.to_ascii_lowercase() {
            "" | "7bit" | "8bit" | "binary" => Ok(TransferEncoding::Identity),
            "quoted-printable" => Ok(TransferEncoding::QuotedPrintable),
            "base64" => Ok(TransferEncoding::Base64),
            other => Err(other.to_owned()),
        }
    }

    /// The content of `body`.
    ///
    /// # Errors
    /// When it is not in this encoding, so that writing it anew would lose something.
    pub(crate) fn decode(self, body: &[u8]) -> Result<DecodedBody, MalformedBody> {
        match self {
            TransferEncoding::Identity => Ok(DecodedBody {
                bytes: body.to_vec(),
                offsets: Offsets::default(),
            }),
            TransferEncoding::QuotedPrintable => Ok(quoted_printable::decode(body)),
            TransferEncoding::Base64 => base64::decode(body).ok_or(MalformedBody("base64")),
        }
    }

    /// The changes of `body` that make `changes` of its content, which are in order and do not
    /// overlap. TextEdits of `body` have ranges of that.
    pub(crate) fn change(self, body: &[u8], changes: Vec<TextEdit>) -> Vec<TextEdit> {
        match self {
            TransferEncoding::Identity => changes,
            TransferEncoding::QuotedPrintable => {
                let offsets = quoted_printable::decode(body).offsets;
                let in_body = |change: TextEdit| TextEdit {
                    span: offsets.source_span(change.span),
                    ..change
                };
                let changes: Vec<TextEdit> = changes.into_iter().map(in_body).collect();
                quoted_printable::change(body, &changes)
            }
            TransferEncoding::Base64 => base64::change(body, &changes),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::splice;

    #[test]
    fn names() {
        use TransferEncoding::{Base64, Identity, QuotedPrintable};
        for (value, expected) in [
            (None, Ok(Identity)),
            (Some("7bit"), Ok(Identity)),
            (Some(" Quoted-Printable (for us)"), Ok(QuotedPrintable)),
            (Some("(for us) base64"), Ok(Base64)),
            (Some("BASE64;"), Ok(Base64)),
            (Some("x-uuencode"), Err("x-uuencode".to_owned())),
        ] {
            assert_eq!(TransferEncoding::of(value), expected, "{value:?}");
        }
    }

    /// A body of an encoding: lines of pieces that mean something there.
    fn body(encoding: TransferEncoding) -> BoxedStrategy<Vec<u8>> {
        let line_end = prop_oneof![Just("\r\n"), Just("\n")];
        match encoding {
            TransferEncoding::Base64 => (any::<Vec<u8>>(), 1..30_usize, line_end)
                .prop_map(|(content, quanta, line_end)| {
                    let encoded = base64::encode(&content);
                    let lines: Vec<&[u8]> = encoded.as_bytes().chunks(4 * quanta).collect();
                    let mut body = lines.join(line_end.as_bytes());
                    body.extend_from_slice(line_end.as_bytes());
                    body
                })
                .boxed(),
            _ => {
                let piece = prop_oneof![
                    4 => "[a-z<>\"/:.-]{1,12}".prop_map(String::into_bytes),
                    1 => Just(b"=3D".to_vec()),
                    1 => Just(b"=e9".to_vec()),
                    1 => Just(b"=2".to_vec()),
                    1 => Just(b"=".to_vec()),
                    1 => Just(b" ".to_vec()),
                    1 => Just(b"\t".to_vec()),
                    1 => Just(b"\xFC".to_vec()),
                    1 => Just(b"--".to_vec()),
                    2 => Just(b"=\n".to_vec()),
                    2 => Just(b"= \r\n".to_vec()),
                    1 => Just(b" \r\n".to_vec()),
                    1 => Just(b"\n".to_vec()),
                ];
                prop::collection::vec(piece, 0..40)
                    .prop_map(|pieces| pieces.concat())
                    .boxed()
            }
        }
    }

    /// TextEdits in order, from cuts at any places and what comes there.
    fn changes(content: &[u8], cuts: &[(prop::sample::Index, String)]) -> Vec<TextEdit> {
        let places = cuts.iter().map(|(at, _)| at.index(content.len() + 1));
        // Nothing parts CR from LF.
        let is_in_line_end =
            |at: usize| content[..at].ends_with(b"\r") && content[at..].starts_with(b"\n");
        let places = places.map(|at| at - usize::from(is_in_line_end(at)));
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable();
        places
            .chunks_exact(2)
            .zip(cuts)
            .map(|(ends, (_, with))| TextEdit::new(ends[0]..ends[1], with.clone()))
            .collect()
    }

    fn check(encoding: TransferEncoding, body: &[u8], cuts: &[(prop::sample::Index, String)]) {
        let content = encoding.decode(body).unwrap().bytes;
        let changes = changes(&content, cuts);
        let made = encoding.change(body, changes.clone());
        for pair in made.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start, "{made:?}");
        }
        let new_body = splice(body, &made);
        let found = encoding.decode(&new_body).unwrap().bytes;
        assert_eq!(
            found.escape_ascii().to_string(),
            splice(&content, &changes).escape_ascii().to_string(),
            "{} with {changes:?} is {}",
            body.escape_ascii(),
            new_body.escape_ascii()
        );
        if encoding == TransferEncoding::QuotedPrintable {
            let old: Vec<&[u8]> = body.split(|b| *b == b'\n').collect();
            for line in new_body.split(|b| *b == b'\n') {
                let length = line.strip_suffix(b"\r").unwrap_or(line).len();
                assert!(
                    length <= 76 || old.contains(&line),
                    "{}",
                    line.escape_ascii()
                );
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_decoded_changes_as_asked(
            quoted in body(TransferEncoding::QuotedPrintable),
            base64 in body(TransferEncoding::Base64),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), "[a-z:/=?-]{0,90}"), 0..6),
        ) {
            check(TransferEncoding::QuotedPrintable, &quoted, &cuts);
            check(TransferEncoding::Base64, &base64, &cuts);
        }
    }

    #[test]
    fn without_changes_nothing_changes() {
        for encoding in [TransferEncoding::QuotedPrintable, TransferEncoding::Base64] {
            assert_eq!(encoding.change(b"YQ==\r\n", Vec::new()), Vec::new());
        }
    }
}
