//! Transfer encodings (RFC 2045): decodes bodies with a map back to their bytes, and encodes edits.

use super::body::DecodedBody;
use super::comments::without_comments;
use super::{base64, quoted_printable};
use rehref_generators::Offsets;
use rehref_url::TextEdit;

/// The transfer encoding of a body, such as base64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransferEncoding {
    /// None: `7bit`, `8bit`, `binary`.
    #[default]
    Identity,
    /// `quoted-printable`
    QuotedPrintable,
    /// `base64`
    Base64,
    /// base64 in another text than a message, whose lines may have any length.
    Base64Text,
}

/// The error for a body that is not in the encoding that its header names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not valid {0}")]
pub struct MalformedBody(&'static str);

impl TransferEncoding {
    /// Returns the encoding that the value of a `Content-Transfer-Encoding` names; `None` for a part without that
    /// header.
    ///
    /// # Errors
    /// The name of an unknown encoding.
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

    /// Decodes `body`.
    ///
    /// # Errors
    /// Returns an error if `body` is not in this encoding, so that encoding it again would lose bytes.
    pub(crate) fn decode(self, body: &[u8]) -> Result<DecodedBody, MalformedBody> {
        match self {
            TransferEncoding::Identity => {
                Ok(DecodedBody { bytes: body.to_vec(), offsets: Offsets::default() })
            }
            TransferEncoding::QuotedPrintable => Ok(quoted_printable::decode(body)),
            TransferEncoding::Base64 | TransferEncoding::Base64Text => {
                base64::decode(body).ok_or(MalformedBody("base64"))
            }
        }
    }

    /// Encodes `edits` of the content, which are in order and do not overlap, as edits of `body`.
    pub(crate) fn encode_edits(self, body: &[u8], edits: Vec<TextEdit>) -> Vec<TextEdit> {
        match self {
            TransferEncoding::Identity => edits,
            TransferEncoding::QuotedPrintable => {
                let offsets = quoted_printable::decode(body).offsets;
                let in_body =
                    |edit: TextEdit| TextEdit { span: offsets.source_span(edit.span), ..edit };
                let edits: Vec<TextEdit> = edits.into_iter().map(in_body).collect();
                quoted_printable::encode_edits(body, &edits)
            }
            TransferEncoding::Base64 => base64::encode_edits(body, &edits, base64::LINE),
            TransferEncoding::Base64Text => base64::encode_edits(body, &edits, usize::MAX),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use rehref_url::splice;

    #[test]
    fn an_encoding_is_found_by_name_in_any_case_and_with_comments() {
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

    /// A body in an encoding: lines of pieces with a meaning there.
    fn body(encoding: TransferEncoding) -> BoxedStrategy<Vec<u8>> {
        let line_end = prop_oneof![Just("\r\n"), Just("\n")];
        match encoding {
            TransferEncoding::Base64 | TransferEncoding::Base64Text => {
                (any::<Vec<u8>>(), 1..30_usize, line_end)
                    .prop_map(|(content, quanta, line_end)| {
                        let encoded = data_encoding::BASE64.encode(&content);
                        let lines: Vec<&[u8]> = encoded.as_bytes().chunks(4 * quanta).collect();
                        let mut body = lines.join(line_end.as_bytes());
                        body.extend_from_slice(line_end.as_bytes());
                        body
                    })
                    .boxed()
            }
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
                prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat()).boxed()
            }
        }
    }

    /// Edits in order, from cuts at any places and their replacements.
    fn edits(content: &[u8], cuts: &[(prop::sample::Index, String)]) -> Vec<TextEdit> {
        let places = cuts.iter().map(|(at, _)| at.index(content.len() + 1));
        // Nothing separates CR from LF.
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
        let edits = edits(&content, cuts);
        let encoded = encoding.encode_edits(body, edits.clone());
        for pair in encoded.windows(2) {
            assert!(pair[0].span.end <= pair[1].span.start, "{encoded:?}");
        }
        let new_body = splice(body, &encoded);
        let found = encoding.decode(&new_body).unwrap().bytes;
        assert_eq!(
            found.escape_ascii().to_string(),
            splice(&content, &edits).escape_ascii().to_string(),
            "{} with {edits:?} is {}",
            body.escape_ascii(),
            new_body.escape_ascii()
        );
        if encoding == TransferEncoding::QuotedPrintable {
            let old: Vec<&[u8]> = body.split(|b| *b == b'\n').collect();
            for line in new_body.split(|b| *b == b'\n') {
                let length = line.strip_suffix(b"\r").unwrap_or(line).len();
                assert!(length <= 76 || old.contains(&line), "{}", line.escape_ascii());
            }
        }
    }

    proptest! {
        #[test]
        fn a_decoded_body_has_the_edits_that_were_encoded(
            quoted in body(TransferEncoding::QuotedPrintable),
            base64 in body(TransferEncoding::Base64),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), "[a-z:/=?-]{0,90}"), 0..6),
        ) {
            check(TransferEncoding::QuotedPrintable, &quoted, &cuts);
            check(TransferEncoding::Base64, &base64, &cuts);
        }
    }

    #[test]
    fn no_edits_encode_as_no_edits() {
        for encoding in [TransferEncoding::QuotedPrintable, TransferEncoding::Base64] {
            assert_eq!(encoding.encode_edits(b"YQ==\r\n", Vec::new()), Vec::new());
        }
    }
}
