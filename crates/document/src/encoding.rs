//! The charset of a document, and its working bytes: the bytes that spans count in.
//!
//! A document in an ASCII-compatible encoding is processed as bytes. UTF-16 and ISO-2022-JP are
//! transcoded to UTF-8, and back after the edits; a document that would lose a byte on the way is
//! refused.

use std::borrow::Cow;

use encoding_rs::{
    DecoderResult, Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use super::document_kind::DocumentKind;
use super::prescan::{prescan, xml_declaration};

/// Returns the length of the byte order mark of UTF-8 that `bytes` begin with; 0 without one.
pub fn byte_order_mark(bytes: &[u8]) -> usize {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    if bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

/// The source of a charset, in the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CharsetSource {
    /// A byte order mark.
    ByteOrderMark,
    /// The caller (`--charset`, a header).
    Given,
    /// A `meta` element, found by the prescan or later by the tree builder; `@charset` in CSS;
    /// the XML declaration.
    Meta,
    /// Nothing declares it: UTF-8 if the bytes are valid UTF-8, else windows-1252.
    Fallback,
}

/// The charset of a document, and the source that declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charset {
    pub encoding: &'static Encoding,
    pub source: CharsetSource,
}

impl Default for Charset {
    fn default() -> Charset {
        Charset { encoding: UTF_8, source: CharsetSource::Fallback }
    }
}

/// Finds the charset of a document of this kind: the byte order mark, `given` (`--charset`, a
/// header), the document's own declaration, a guess.
///
/// The declaration is found by the prescan of the HTML Standard ("encoding sniffing algorithm",
/// section 13.2.3.2), in style sheets by CSS Syntax section 3.2, in XML by the XML declaration (XML
/// 1.0 appendix F). Web app manifests and plain text (`robots.txt`) are UTF-8 (RFC 8259 section 8.1,
/// RFC 9309 section 2.3).
pub fn sniff_charset(
    kind: DocumentKind,
    bytes: &[u8],
    given: Option<&'static Encoding>,
) -> Charset {
    let given = match kind {
        DocumentKind::WebManifest
        | DocumentKind::JsonFeed
        | DocumentKind::Lines(_)
        | DocumentKind::Redirects(_)
        | DocumentKind::Markdown(_)
        | DocumentKind::Navigation(_) => Some(UTF_8),
        _ => given,
    };
    let (encoding, source) = if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        (encoding, CharsetSource::ByteOrderMark)
    } else if let Some(encoding) = given {
        (encoding, CharsetSource::Given)
    } else if let Some(encoding) = declared(kind, bytes) {
        (encoding, CharsetSource::Meta)
    } else if malformed_utf8_at(bytes).is_none() {
        (UTF_8, CharsetSource::Fallback)
    } else {
        (WINDOWS_1252, CharsetSource::Fallback)
    };
    Charset { encoding, source }
}

/// Returns the encoding that the first bytes of a document of this kind declare, if any.
pub(super) fn declared(kind: DocumentKind, bytes: &[u8]) -> Option<&'static Encoding> {
    match kind {
        DocumentKind::Css => super::css::charset(bytes),
        DocumentKind::Xml | DocumentKind::Xhtml => xml_declaration(bytes),
        _ => prescan(bytes),
    }
}

/// The error of a document that would change if it were transcoded to UTF-8 and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LossyTranscoding {
    /// Decoding and encoding it in the encoding of this name would change bytes.
    #[error(
        "the document is not valid {0}, so decoding would lose bytes; save the document as UTF-8"
    )]
    RoundTrip(&'static str),
    /// The document declares one of the encodings that browsers do not decode (Encoding Standard section
    /// 14.1: ISO-2022-KR, ISO-2022-CN, HZ).
    #[error(
        "the document declares a charset that browsers do not support; save the document as UTF-8"
    )]
    Replacement,
}

/// Returns the working bytes: `bytes`, or UTF-8 of its own for encodings that are not ASCII-compatible. A byte order
/// mark is part of the text (U+FEFF).
///
/// # Errors
/// Returns an error if the round trip would change a byte, and for encodings that the Encoding Standard maps to
/// "replacement".
pub fn working_bytes<'a>(
    bytes: &'a [u8],
    encoding: &'static Encoding,
) -> Result<Cow<'a, [u8]>, LossyTranscoding> {
    if encoding == REPLACEMENT {
        return Err(LossyTranscoding::Replacement);
    }
    if encoding != UTF_16BE && encoding != UTF_16LE && encoding != ISO_2022_JP {
        return Ok(Cow::Borrowed(bytes));
    }
    let lossy = LossyTranscoding::RoundTrip(encoding.name());
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
    let text = text.ok_or(lossy)?.into_owned().into_bytes();
    if original_bytes(&text, encoding)? != bytes {
        return Err(lossy);
    }
    Ok(Cow::Owned(text))
}

/// Encodes `working`, which is UTF-8, in the document's encoding: the inverse of [`working_bytes`].
///
/// # Errors
/// Returns an error if `working` holds a character that the encoding does not have.
pub fn original_bytes(
    working: &[u8],
    encoding: &'static Encoding,
) -> Result<Vec<u8>, LossyTranscoding> {
    let lossy = LossyTranscoding::RoundTrip(encoding.name());
    let text = std::str::from_utf8(working).map_err(|_| lossy)?;
    if encoding == UTF_16LE {
        return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect());
    }
    if encoding == UTF_16BE {
        return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect());
    }
    match encoding.encode(text) {
        (bytes, _, false) => Ok(bytes.into_owned()),
        _ => Err(lossy),
    }
}

/// Returns the first byte of the first sequence in `bytes` that is malformed in `charset`.
pub fn malformed_at(bytes: &[u8], charset: Charset) -> Option<usize> {
    if charset.source == CharsetSource::Fallback {
        // The fallback is UTF-8 only if all bytes are valid, and windows-1252 has every byte.
        return None;
    }
    if charset.encoding == UTF_8 {
        return malformed_utf8_at(bytes);
    }
    let mut decoder = charset.encoding.new_decoder_without_bom_handling();
    let mut buffer = [0; 4096];
    let mut read = 0;
    loop {
        let rest = bytes.get(read..).unwrap_or_default();
        let (result, more, _) = decoder.decode_to_utf8_without_replacement(rest, &mut buffer, true);
        read += more;
        match result {
            DecoderResult::InputEmpty => return None,
            DecoderResult::OutputFull => {}
            DecoderResult::Malformed(length, after) => {
                return Some(read.saturating_sub(usize::from(length) + usize::from(after)));
            }
        }
    }
}

/// The first byte of the first sequence in `bytes` that is malformed in UTF-8.
fn malformed_utf8_at(bytes: &[u8]) -> Option<usize> {
    let error = simdutf8::compat::from_utf8(bytes).err()?;
    Some(error.valid_up_to())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn malformed_utf8_is_found_where_the_standard_library_finds_it(
            pieces in proptest::collection::vec(
                (0..200_usize, proptest::sample::select(vec![
                    &b"\xC3\xA4"[..], b"\xE6\xBC\xA2", b"\xF0\x9F\x98\x80", b"\x80", b"\xC3", b"\xE6\xBC",
                    b"\xF0\x9F\x98", b"\xED\xA0\x80", b"\xFF", b"",
                ])),
                0..6,
            ),
            valid in 0..6_usize,
        ) {
            let mut bytes = Vec::new();
            for (at, (ascii, piece)) in pieces.iter().enumerate() {
                bytes.extend(std::iter::repeat_n(b'a', *ascii));
                let is_valid = std::str::from_utf8(piece).is_ok();
                bytes.extend(piece.iter().filter(|_| is_valid || at >= valid));
            }
            let expected = std::str::from_utf8(&bytes).err().map(|error| error.valid_up_to());
            proptest::prop_assert_eq!(malformed_utf8_at(&bytes), expected);
        }
    }

    #[test]
    fn the_strongest_source_gives_the_charset() {
        for (bytes, given, encoding, source) in [
            (&b"\xEF\xBB\xBFx"[..], Some(WINDOWS_1252), UTF_8, CharsetSource::ByteOrderMark),
            (b"\xFF\xFEx\0", None, UTF_16LE, CharsetSource::ByteOrderMark),
            (b"<meta charset=koi8-r>", Some(UTF_8), UTF_8, CharsetSource::Given),
            (b"<meta charset=koi8-r>", None, encoding_rs::KOI8_R, CharsetSource::Meta),
            (b"<meta charset=utf-16>", None, UTF_8, CharsetSource::Meta),
            ("grüße".as_bytes(), None, UTF_8, CharsetSource::Fallback),
            (b"gr\xFC\xDFe", None, WINDOWS_1252, CharsetSource::Fallback),
        ] {
            let found = sniff_charset(DocumentKind::Html, bytes, given);
            assert_eq!(found, Charset { encoding, source });
        }
    }

    #[test]
    fn a_round_trip_of_transcoding_changes_nothing() {
        let text = "\u{feff}<a href=\u{1F600}>ä日</a>";
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let working = working_bytes(&utf16, UTF_16LE).unwrap();
        assert_eq!(&*working, text.as_bytes());
        assert_eq!(original_bytes(&working, UTF_16LE).unwrap(), utf16);

        let jis = b"<p>\x1b$B%I\x1b(B</p>";
        let working = working_bytes(jis, ISO_2022_JP).unwrap();
        assert_eq!(&*working, "<p>ド</p>".as_bytes());
        assert_eq!(original_bytes(&working, ISO_2022_JP).unwrap(), jis);
    }

    #[test]
    fn malformed_sequences_are_placed() {
        let long = [vec![b'a'; 9000], b"\x81 x".to_vec()].concat();
        for (bytes, label, expected) in [
            (&b"plain"[..], "utf-8", None),
            ("grüße".as_bytes(), "utf-8", None),
            (b"gr\xFC\xDFe", "utf-8", Some(2)),
            (b"\xEF\xBB\xBFa\xE2\x82", "utf-8", Some(4)),
            (b"gr\xFC\xDFe\x81", "windows-1252", None),
            (b"\x83\\\x83\x7C", "shift_jis", None),
            (b"a\x83\x5C\x81 x", "shift_jis", Some(3)),
            (b"a\x81", "shift_jis", Some(1)),
            (&long, "shift_jis", Some(9000)),
            (b"ab\x81\x30\x81,x", "gb18030", Some(2)),
            (b"a\xA1", "windows-1253", None),
            (b"ab\xD2", "windows-1253", Some(2)),
        ] {
            let charset = Charset {
                encoding: Encoding::for_label(label.as_bytes()).unwrap(),
                source: CharsetSource::Meta,
            };
            let found = malformed_at(bytes, charset);
            assert_eq!(found, expected, "{label} {}", bytes.escape_ascii());
            let source = CharsetSource::Fallback;
            assert_eq!(malformed_at(bytes, Charset { source, ..charset }), None);
        }
    }

    #[test]
    fn a_lossy_round_trip_is_refused() {
        assert!(working_bytes(b"a\0b", UTF_16LE).is_err(), "half a code unit");
        assert!(working_bytes(b"\x00\xD8", UTF_16LE).is_err(), "a lone surrogate");
        assert!(working_bytes(b"\x1b(B\x1b(Bx", ISO_2022_JP).is_err(), "idle escape");
        assert!(working_bytes(b"x", REPLACEMENT).is_err());
    }
}
