//! The URL record of the URL Standard, and resolution of a reference against it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use url::Position;

/// A parsed, absolute URL (URL Standard section 4.1), kept in its serialization.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url(url::Url);

/// Why a string is no URL, in the words of the URL Standard's parser.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(#[from] url::ParseError);

impl ParseError {
    /// Whether the string is a relative reference for which no base URL that can serve was there:
    /// nothing is wrong with the reference itself.
    pub fn is_missing_base(&self) -> bool {
        matches!(
            self.0,
            url::ParseError::RelativeUrlWithoutBase
                | url::ParseError::RelativeUrlWithCannotBeABaseBase
        )
    }
}

impl Url {
    /// Parses an absolute URL. Leading and trailing control characters and spaces are stripped,
    /// tabs and newlines removed (URL Standard section 4.4).
    pub fn parse(input: &str) -> Result<Url, ParseError> {
        Ok(Url(url::Url::parse(input)?))
    }

    /// Resolves `reference` against this base URL. `query_encoding` is the encoding of the
    /// document that holds the reference: the query is encoded in it, as the URL Standard
    /// section 5.3 (percent-encode after encoding) says.
    pub fn resolve(
        &self,
        reference: &str,
        query_encoding: &'static Encoding,
    ) -> Result<Url, ParseError> {
        resolve(Some(self), reference, query_encoding)
    }

    /// Like [`Url::resolve`], but without a base URL: only an absolute URL will do.
    pub fn parse_encoded(
        input: &str,
        query_encoding: &'static Encoding,
    ) -> Result<Url, ParseError> {
        resolve(None, input, query_encoding)
    }

    /// The serialization (URL Standard section 4.5). Always ASCII.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The scheme, lower case, without its colon.
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// The path as serialized; the whole opaque part where [`Url::is_opaque`].
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// The query without its question mark.
    pub fn query(&self) -> Option<&str> {
        self.0.query()
    }

    /// The fragment without its number sign.
    pub fn fragment(&self) -> Option<&str> {
        self.0.fragment()
    }

    /// The host as serialized.
    pub fn host_str(&self) -> Option<&str> {
        self.0.host_str()
    }

    /// The byte range of the path within [`Url::as_str`].
    pub fn path_range(&self) -> Range<usize> {
        self.0[..Position::BeforePath].len()..self.0[..Position::AfterPath].len()
    }

    /// The serialization without the fragment.
    pub fn without_fragment(&self) -> &str {
        &self.0[..Position::AfterQuery]
    }

    /// Whether the path is opaque (`mailto:a@b`): such a URL is not hierarchical, has no
    /// directories, and cannot be the base of a relative reference.
    pub fn is_opaque(&self) -> bool {
        self.0.cannot_be_a_base()
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn resolve(
    base: Option<&Url>,
    reference: &str,
    query_encoding: &'static Encoding,
) -> Result<Url, ParseError> {
    let encoding = query_encoding.output_encoding();
    let base = base.map(|base| &base.0);
    // Encoding is asked of the `url` crate only where it can matter; its call is not free.
    let parsed = if encoding == UTF_8 || reference.is_ascii() {
        url::Url::options().base_url(base).parse(reference)
    } else {
        url::Url::options()
            .base_url(base)
            .encoding_override(Some(&|query| encode_query(query, encoding)))
            .parse(reference)
    };
    Ok(Url(parsed?))
}

/// "Percent-encode after encoding" (URL Standard section 1.3), up to the percent-encoding of the
/// bytes: a character the encoding lacks becomes `%26%23` its number `%3B`.
fn encode_query<'a>(query: &str, encoding: &'static Encoding) -> Cow<'a, [u8]> {
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::with_capacity(query.len() + 16);
    let mut rest = query;
    loop {
        let room = encoder
            .max_buffer_length_from_utf8_without_replacement(rest.len())
            .unwrap_or(rest.len() * 4 + 16);
        bytes.reserve(room);
        let (result, read) =
            encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true);
        rest = rest.get(read..).unwrap_or("");
        match result {
            EncoderResult::Unmappable(c) => {
                bytes.extend_from_slice(format!("%26%23{}%3B", u32::from(c)).as_bytes());
            }
            EncoderResult::InputEmpty => return Cow::Owned(bytes),
            EncoderResult::OutputFull => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{GBK, SHIFT_JIS, UTF_16LE, WINDOWS_1252};

    #[test]
    fn query_is_encoded_in_the_documents_charset() {
        let base = Url::parse("https://h/d/p").unwrap();
        for (encoding, reference, expected) in [
            (UTF_8, "?é", "https://h/d/p?%C3%A9"),
            (WINDOWS_1252, "?é", "https://h/d/p?%E9"),
            (UTF_16LE, "?é", "https://h/d/p?%C3%A9"),
            (
                WINDOWS_1252,
                "?\u{4e00}é",
                "https://h/d/p?%26%2319968%3B%E9",
            ),
            (SHIFT_JIS, "?\u{4e00}", "https://h/d/p?%88%EA"),
            (GBK, "é?é#é", "https://h/d/%C3%A9?%A8%A6#%C3%A9"),
        ] {
            let target = base.resolve(reference, encoding).unwrap();
            assert_eq!(
                target.as_str(),
                expected,
                "{reference} in {}",
                encoding.name()
            );
        }
    }

    #[test]
    fn a_missing_base_is_told_from_a_bad_url() {
        assert!(Url::parse("a/b").unwrap_err().is_missing_base());
        assert!(!Url::parse("http://[::1").unwrap_err().is_missing_base());
        let opaque = Url::parse("mailto:a@b").unwrap();
        assert!(opaque.is_opaque());
        assert!(opaque.resolve("x", UTF_8).unwrap_err().is_missing_base());
    }
}
