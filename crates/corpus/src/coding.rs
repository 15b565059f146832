//! Content codings, both ways: the compressions that servers send and mirrors store beside their pages.
//!
//! [`decode`] returns a [`Compressor`] with the decoded bytes, which compresses the rewritten bytes in
//! the same way. No I/O.

use std::io::{self, Read};

use flate2::bufread::{DeflateDecoder, DeflateEncoder, MultiGzDecoder, ZlibDecoder, ZlibEncoder};
use flate2::{Compression, GzBuilder, GzHeader};

/// The maximum size of decompressed data: more than documents have, and less than would exhaust memory.
pub const DECODED_LIMIT: usize = 256 << 20;

/// The largest size of decoded bytes of any file, and the number of further ones per encoded byte. Pages
/// are compressed to a tenth, tables without end to a hundredth; what is compressed further is made to
/// exhaust memory.
const DECODED: usize = 16 << 20;
const DECODED_PER_BYTE: usize = 100;

/// Returns true if `encoded` compressed bytes may have `decoded` decompressed bytes, in a stream that is never
/// in memory as a whole. Archives with a larger ratio are refused.
pub fn is_plausible_size(encoded: u64, decoded: u64) -> bool {
    let [base, factor] =
        [DECODED, DECODED_PER_BYTE].map(|it| u64::try_from(it).unwrap_or(u64::MAX));
    decoded <= encoded.saturating_mul(factor).saturating_add(base)
}

/// The total sizes of several compressed parts of one file, which share one limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// The total number of compressed bytes.
    pub encoded: u64,
    /// The total number of decompressed bytes.
    pub decoded: u64,
}

impl Sizes {
    /// Adds the sizes of a part. Returns true if the total may be decompressed.
    pub fn add(&mut self, encoded: u64, decoded: u64) -> bool {
        self.encoded = self.encoded.saturating_add(encoded);
        self.decoded = self.decoded.saturating_add(decoded);
        self.are_plausible()
    }

    /// Returns true if the total may be decompressed; see [`is_plausible_size`].
    pub fn are_plausible(&self) -> bool {
        is_plausible_size(self.encoded, self.decoded)
    }
}

/// Returns the maximum size to which `encoded` bytes are decompressed.
pub fn decoded_limit(encoded: usize) -> usize {
    let limit = encoded.saturating_mul(DECODED_PER_BYTE).saturating_add(DECODED);
    limit.min(DECODED_LIMIT)
}

/// A content coding (RFC 9110 section 8.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// `gzip` (RFC 1952), also under its old name `x-gzip`.
    Gzip,
    /// `deflate`: with the header of RFC 1950, as RFC 9110 wants it, or without, as some servers send it.
    Deflate,
    /// `br` (RFC 7932).
    Brotli,
    /// `zstd` (RFC 8878).
    Zstd,
}

/// The codings by their names in HTTP headers.
const NAMES: &[(&str, Coding)] = &[
    ("gzip", Coding::Gzip),
    ("x-gzip", Coding::Gzip),
    ("deflate", Coding::Deflate),
    ("br", Coding::Brotli),
    ("zstd", Coding::Zstd),
];

impl Coding {
    /// Returns the coding with this name in `Content-Encoding` or `Transfer-Encoding`, in any letter case.
    pub fn named(name: &str) -> Option<Coding> {
        let known = NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, coding)| *coding)
    }

    /// Returns true if `bytes` may be compressed with this coding. Deflate and Brotli have no magic number, so
    /// any bytes may.
    pub fn fits(self, bytes: &[u8]) -> bool {
        match self {
            Coding::Gzip => bytes.starts_with(&[0x1F, 0x8B]),
            Coding::Zstd => {
                bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD])
                    || matches!(bytes, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
            }
            Coding::Deflate | Coding::Brotli => true,
        }
    }
}

/// The effort of a compression: more time for a smaller result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As a server compresses each response.
    Quick,
    /// As a file is compressed once, for many readers.
    Best,
}

/// A compressor that uses the coding and settings with which other bytes were compressed.
#[derive(Clone, Debug)]
pub enum Compressor {
    /// With this header.
    Gzip(Box<GzHeader>),
    /// Deflate with the header of RFC 1950.
    Zlib,
    /// Deflate without a header.
    RawDeflate,
    /// Brotli.
    Brotli,
    /// Zstandard.
    Zstd,
}

/// The error of bytes that cannot be decompressed.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// They are damaged, or of another coding.
    #[error("the compressed data is damaged: {0}")]
    Damaged(#[source] io::Error),
    /// Other bytes follow the compressed ones.
    #[error("other bytes follow the compressed data")]
    TrailingBytes,
    /// The decoded bytes would be more than the limit, in bytes.
    #[error("the decompressed data is larger than {} MiB", .0 >> 20)]
    TooLarge(usize),
}

/// Decodes `bytes` to at most `limit` bytes.
///
/// # Errors
/// See [`DecodeError`].
pub fn decode(
    coding: Coding,
    bytes: &[u8],
    limit: usize,
) -> Result<(Vec<u8>, Compressor), DecodeError> {
    let mut rest = bytes;
    let (decoded, compressor) = match coding {
        Coding::Gzip => {
            let mut decoder = MultiGzDecoder::new(&mut rest);
            let decoded = read_all(&mut decoder, bytes.len(), limit)?;
            let header = decoder.header().cloned().ok_or_else(damaged)?;
            (decoded, Compressor::Gzip(Box::new(header)))
        }
        Coding::Deflate => match read_all(&mut ZlibDecoder::new(&mut rest), bytes.len(), limit) {
            Ok(decoded) => (decoded, Compressor::Zlib),
            Err(DecodeError::Damaged(_)) => {
                rest = bytes;
                let mut decoder = DeflateDecoder::new(&mut rest);
                let decoded = read_all(&mut decoder, bytes.len(), limit)?;
                (decoded, Compressor::RawDeflate)
            }
            Err(other) => return Err(other),
        },
        Coding::Brotli => (unbrotli(&mut rest, limit)?, Compressor::Brotli),
        Coding::Zstd => {
            let mut decoder =
                zstd::Decoder::with_buffer(&mut rest).map_err(DecodeError::Damaged)?;
            let decoded = read_all(&mut decoder, bytes.len(), limit)?;
            (decoded, Compressor::Zstd)
        }
    };
    match rest {
        [] => Ok((decoded, compressor)),
        _ => Err(DecodeError::TrailingBytes),
    }
}

/// Reads `decoder` to its end. `encoded`: the number of bytes that it reads from.
fn read_all(decoder: &mut impl Read, encoded: usize, limit: usize) -> Result<Vec<u8>, DecodeError> {
    let mut decoded = Vec::with_capacity(encoded.saturating_mul(4).min(limit).min(1 << 20));
    let most = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    decoder.take(most).read_to_end(&mut decoded).map_err(DecodeError::Damaged)?;
    if decoded.len() > limit { Err(DecodeError::TooLarge(limit)) } else { Ok(decoded) }
}

fn damaged() -> DecodeError {
    DecodeError::Damaged(io::ErrorKind::InvalidData.into())
}

/// The number of bytes that Brotli decodes at a time.
const STEP: usize = 64 << 10;

/// Decodes Brotli and advances `rest` past the compressed bytes. The readers of the crate would not
/// show where they end.
fn unbrotli(rest: &mut &[u8], limit: usize) -> Result<Vec<u8>, DecodeError> {
    use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};
    let heap = brotli::enc::StandardAlloc::default;
    let mut state = BrotliState::new(heap(), heap(), heap());
    let mut decoded = Vec::new();
    let mut step = vec![0; STEP];
    let (mut left, mut at, mut total) = (rest.len(), 0, 0);
    loop {
        let (mut room, mut filled) = (step.len(), 0);
        let result = BrotliDecompressStream(
            &mut left, &mut at, rest, &mut room, &mut filled, &mut step, &mut total, &mut state,
        );
        decoded.extend_from_slice(step.get(..filled).unwrap_or_default());
        if decoded.len() > limit {
            return Err(DecodeError::TooLarge(limit));
        }
        match result {
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::ResultSuccess => break,
            BrotliResult::NeedsMoreInput => {
                return Err(DecodeError::Damaged(io::ErrorKind::UnexpectedEof.into()));
            }
            BrotliResult::ResultFailure => return Err(damaged()),
        }
    }
    *rest = rest.get(at..).unwrap_or_default();
    Ok(decoded)
}

impl Compressor {
    /// Compresses `bytes` with the same coding; for gzip, with the same name, time and comment in the
    /// header.
    ///
    /// # Errors
    /// Returns an error if the encoder fails, for lack of memory.
    pub fn encode(&self, bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
        let (level, brotli_quality, zstd_level) = match effort {
            Effort::Quick => (Compression::default(), 5, zstd::DEFAULT_COMPRESSION_LEVEL),
            Effort::Best => (Compression::best(), 11, 19),
        };
        let mut encoded = Vec::new();
        match self {
            Compressor::Gzip(header) => {
                let mut builder = GzBuilder::new()
                    .mtime(header.mtime())
                    .operating_system(header.operating_system());
                if let Some(name) = header.filename() {
                    builder = builder.filename(name);
                }
                if let Some(comment) = header.comment() {
                    builder = builder.comment(comment);
                }
                builder.buf_read(bytes, level).read_to_end(&mut encoded)?;
            }
            Compressor::Zlib => {
                ZlibEncoder::new(bytes, level).read_to_end(&mut encoded)?;
            }
            Compressor::RawDeflate => {
                DeflateEncoder::new(bytes, level).read_to_end(&mut encoded)?;
            }
            Compressor::Brotli => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: brotli_quality,
                    size_hint: bytes.len(),
                    ..Default::default()
                };
                brotli::BrotliCompress(&mut &*bytes, &mut encoded, &params)?;
            }
            Compressor::Zstd => encoded = zstd::bulk::compress(bytes, zstd_level)?,
        }
        Ok(encoded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn compressors() -> Vec<(Coding, Compressor)> {
        let named = GzBuilder::new()
            .filename("page.html")
            .comment("c")
            .mtime(7)
            .write(Vec::new(), Compression::fast())
            .finish()
            .unwrap();
        let (_, gzip) = decode(Coding::Gzip, &named, 0).unwrap();
        vec![
            (Coding::Gzip, gzip),
            (Coding::Deflate, Compressor::Zlib),
            (Coding::Deflate, Compressor::RawDeflate),
            (Coding::Brotli, Compressor::Brotli),
            (Coding::Zstd, Compressor::Zstd),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn decoded_bytes_are_encoded_in_the_same_way(
            bytes in proptest::collection::vec(any::<u8>(), 0..2000),
        ) {
            for (coding, compressor) in compressors() {
                for effort in [Effort::Quick, Effort::Best] {
                    let encoded = compressor.encode(&bytes, effort).unwrap();
                    prop_assert!(coding.fits(&encoded));
                    let (decoded, again) = decode(coding, &encoded, bytes.len()).unwrap();
                    prop_assert_eq!(&decoded, &bytes);
                    prop_assert_eq!(again.encode(&bytes, effort).unwrap(), encoded);
                }
            }
        }
    }

    #[test]
    fn the_gzip_header_is_kept() {
        let (_, compressor) = &compressors()[0];
        let encoded = compressor.encode(b"x", Effort::Best).unwrap();
        let decoder = MultiGzDecoder::new(&*encoded);
        let header = decoder.header().unwrap();
        assert_eq!(header.filename(), Some(&b"page.html"[..]));
        assert_eq!((header.comment(), header.mtime()), (Some(&b"c"[..]), 7));
    }

    #[test]
    fn bytes_too_large_or_damaged_are_refused() {
        let zeros = vec![0; 1 << 20];
        for (coding, compressor) in compressors() {
            let encoded = compressor.encode(&zeros, Effort::Quick).unwrap();
            let error = decode(coding, &encoded, zeros.len() - 1).unwrap_err();
            assert!(matches!(error, DecodeError::TooLarge(_)), "{coding:?}");
            let cut = &encoded[..encoded.len() - 1];
            assert!(decode(coding, cut, zeros.len()).is_err(), "{coding:?}");
            let longer = [&encoded[..], b"more"].concat();
            assert!(decode(coding, &longer, zeros.len()).is_err(), "{coding:?}");
            assert!(decode(coding, b"<p>text", 100).is_err(), "{coding:?}");
        }
    }

    #[test]
    fn several_gzip_members_are_one_content() {
        let (_, compressor) = &compressors()[0];
        let members = [b"one ", b"two "].map(|it| compressor.encode(it, Effort::Quick).unwrap());
        let (decoded, _) = decode(Coding::Gzip, &members.concat(), 8).unwrap();
        assert_eq!(decoded, b"one two ");
    }

    #[test]
    fn names_of_http_headers() {
        for (name, coding) in [
            ("GZIP", Some(Coding::Gzip)),
            ("x-gzip", Some(Coding::Gzip)),
            ("br", Some(Coding::Brotli)),
            ("identity", None),
            ("compress", None),
        ] {
            assert_eq!(Coding::named(name), coding, "{name}");
        }
    }
}
