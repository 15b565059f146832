//! Digests in the form of WARC: `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
//!
//! The standard fixes neither the algorithm nor the spelling. A [`DigestFormat`] is therefore found by
//! trying: it is the spelling in which the digest of the old bytes equals the value. The digest of the
//! new bytes gets the same spelling.

use data_encoding::{BASE32, BASE32_NOPAD, BASE64, BASE64_NOPAD, Encoding, HEXLOWER, HEXUPPER};
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// Computes a digest.
type Digester = fn(&[u8]) -> Vec<u8>;

/// The algorithms by their names, in lower case and without hyphens.
const ALGORITHMS: &[(&str, Digester)] = &[
    ("sha1", |bytes| Sha1::digest(bytes).to_vec()),
    ("md5", |bytes| Md5::digest(bytes).to_vec()),
    ("sha256", |bytes| Sha256::digest(bytes).to_vec()),
    ("sha384", |bytes| Sha384::digest(bytes).to_vec()),
    ("sha512", |bytes| Sha512::digest(bytes).to_vec()),
];

/// The spellings, most used first: an encoding, and whether its letters are in lower case.
const SPELLINGS: &[(&Encoding, bool)] = &[
    (&BASE32, false),
    (&BASE32_NOPAD, false),
    (&HEXLOWER, true),
    (&HEXUPPER, false),
    (&BASE64, false),
    (&BASE64_NOPAD, false),
    (&BASE32, true),
    (&BASE32_NOPAD, true),
];

/// The form of a digest: its algorithm, and the encoding of its value.
#[derive(Clone, Copy)]
pub struct DigestFormat<'v> {
    /// The algorithm as written, with its colon: `sha1:`.
    label: &'v str,
    digest: Digester,
    spelling: &'static (&'static Encoding, bool),
}

impl DigestFormat<'_> {
    /// Returns true if the algorithm of the digest `value` is supported.
    pub fn knows(value: &str) -> bool {
        algorithm(value).is_some()
    }

    /// Returns the format in which `value` is the digest of `bytes`; `None` if it is not their digest.
    pub fn of<'v>(value: &'v str, bytes: &[u8]) -> Option<DigestFormat<'v>> {
        let (label, digest, written) = algorithm(value)?;
        let computed = digest(bytes);
        let spelling = SPELLINGS.iter().find(|spelling| spelled(spelling, &computed) == written)?;
        Some(DigestFormat { label, digest, spelling })
    }

    /// Returns the digest of `bytes` in this format.
    pub fn value(&self, bytes: &[u8]) -> String {
        let digest = spelled(self.spelling, &(self.digest)(bytes));
        format!("{}{digest}", self.label)
    }
}

/// Splits the digest `value` into its label, the function of its algorithm, and the spelled digest.
fn algorithm(value: &str) -> Option<(&str, Digester, &str)> {
    let (label, written) = value.split_at_checked(value.find(':')? + 1)?;
    let name = label.trim_end_matches(':').to_ascii_lowercase();
    let name = name.replace('-', "");
    let (_, digest) = ALGORITHMS.iter().find(|(known, _)| *known == name)?;
    Some((label, *digest, written))
}

fn spelled((encoding, is_lower): &(&Encoding, bool), digest: &[u8]) -> String {
    let text = encoding.encode(digest);
    if *is_lower { text.to_ascii_lowercase() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_keep_their_spelling() {
        for (old, new) in [
            ("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"),
            ("sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj", "sha1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n"),
            (
                "SHA-1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "SHA-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
            ),
            (
                "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
                "sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
            ),
            ("md5:d41d8cd98f00b204e9800998ecf8427e", "md5:5d41402abc4b2a76b9719d911017c592"),
            ("md5:1B2M2Y8AsgTpgAmY7PhCfg==", "md5:XUFAKrxLKna5cZ2REBfFkg=="),
            (
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
            ),
        ] {
            let format = DigestFormat::of(old, b"").expect(old);
            assert_eq!(format.value(b""), old);
            assert_eq!(format.value(b"hello"), new);
        }
    }

    #[test]
    fn a_wrong_digest_has_no_format() {
        for (value, is_known) in [
            ("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", true),
            ("sha1:", true),
            ("blake3:af1349b9f5f9a1a6a0404dea36dcc949", false),
            ("d41d8cd98f00b204e9800998ecf8427e", false),
            ("", false),
        ] {
            assert_eq!(DigestFormat::knows(value), is_known, "{value}");
            assert!(DigestFormat::of(value, b"").is_none(), "{value}");
        }
    }
}
