//! Digests as WARC writes them: `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
//!
//! The standard fixes neither algorithm nor spelling, so that a digest is understood by trying: the
//! spelling in which a digest of the old bytes reads as written is the one that the new one gets.

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

/// The spellings, most used first.
const SPELLINGS: &[(&Encoding, Case)] = &[
    (&BASE32, Case::AsItIs),
    (&BASE32_NOPAD, Case::AsItIs),
    (&HEXLOWER, Case::AsItIs),
    (&HEXUPPER, Case::AsItIs),
    (&BASE64, Case::AsItIs),
    (&BASE64_NOPAD, Case::AsItIs),
    (&BASE32, Case::Lower),
    (&BASE32_NOPAD, Case::Lower),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    AsItIs,
    Lower,
}

/// A way to compute and to write digests.
#[derive(Clone, Copy)]
pub struct DigestFormat<'v> {
    /// What stands before the digest, as `sha1:`.
    label: &'v str,
    digest: Digester,
    spelling: &'static (&'static Encoding, Case),
}

impl DigestFormat<'_> {
    /// Whether the algorithm of the digest `value` is known.
    pub fn knows(value: &str) -> bool {
        algorithm(value).is_some()
    }

    /// The scheme by which `value` is the digest of `bytes`; `None` where it is not.
    pub fn of<'v>(value: &'v str, bytes: &[u8]) -> Option<DigestFormat<'v>> {
        let (label, digest, written) = algorithm(value)?;
        let computed = digest(bytes);
        let spelling = SPELLINGS
            .iter()
            .find(|spelling| spelled(spelling, &computed) == written)?;
        Some(DigestFormat {
            label,
            digest,
            spelling,
        })
    }

    /// The digest of `bytes`, written the same way.
    pub fn value(&self, bytes: &[u8]) -> String {
        let digest = spelled(self.spelling, &(self.digest)(bytes));
        format!("{}{digest}", self.label)
    }
}

type Algorithm<'v> = (&'v str, Digester, &'v str);

/// The label of the digest `value`, its algorithm and what is written.
fn algorithm(value: &str) -> Option<Algorithm<'_>> {
    let (label, written) = value.split_at_checked(value.find(':')? + 1)?;
    let name = label.trim_end_matches(':').to_ascii_lowercase();
    let name = name.replace('-', "");
    let (_, digest) = ALGORITHMS.iter().find(|(known, _)| *known == name)?;
    Some((label, *digest, written))
}

fn spelled((encoding, case): &(&Encoding, Case), digest: &[u8]) -> String {
    let text = encoding.encode(digest);
    match case {
        Case::AsItIs => text,
        Case::Lower => text.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_keep_their_spelling() {
        for (old, new) in [
            (
                "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ",
                "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            ),
            (
                "sha1:3i42h3s6nnfq2msvx7xzkyayscx5qbyj",
                "sha1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
            ),
            (
                "SHA-1:da39a3ee5e6b4b0d3255bfef95601890afd80709",
                "SHA-1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
            ),
            (
                "sha1:DA39A3EE5E6B4B0D3255BFEF95601890AFD80709",
                "sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
            ),
            (
                "md5:d41d8cd98f00b204e9800998ecf8427e",
                "md5:5d41402abc4b2a76b9719d911017c592",
            ),
            (
                "md5:1B2M2Y8AsgTpgAmY7PhCfg==",
                "md5:XUFAKrxLKna5cZ2REBfFkg==",
            ),
            (
                "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
            ),
        ] {
            let scheme = DigestFormat::of(old, b"").expect(old);
            assert_eq!(scheme.value(b""), old);
            assert_eq!(scheme.value(b"hello"), new);
        }
    }

    #[test]
    fn what_does_not_fit_has_no_scheme() {
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
