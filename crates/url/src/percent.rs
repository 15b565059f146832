//! Percent-encoding: the encode sets (URL Standard, section 1.3) and encoding with them.

use super::byte_sets::ByteSets;
use encoding_rs::{EncoderResult, Encoding, UTF_8};

/// A percent-encode set: the ASCII characters that are escaped in a component. Every set also escapes all
/// non-ASCII characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncodeSet(u8);

impl EncodeSet {
    /// The C0 control percent-encode set: opaque paths and opaque hosts.
    pub(crate) const C0_CONTROL: Self = Self(1);
    /// The fragment percent-encode set.
    pub const FRAGMENT: Self = Self(1 << 1);
    /// The query percent-encode set, for schemes that are not special.
    pub(crate) const QUERY: Self = Self(1 << 2);
    /// The special-query percent-encode set.
    pub(crate) const SPECIAL_QUERY: Self = Self(1 << 3);
    /// The path percent-encode set.
    pub const PATH: Self = Self(1 << 4);
    /// The userinfo percent-encode set.
    pub(crate) const USERINFO: Self = Self(1 << 5);

    /// Returns true if `byte` is written as `%XX`.
    #[inline]
    pub fn contains(self, byte: u8) -> bool {
        SETS.of(byte) & self.0 != 0
    }
}

static SETS: ByteSets = ByteSets::new(
    &[
        (EncodeSet::FRAGMENT.0, " \"<>`"),
        (EncodeSet::QUERY.0, " \"#<>"),
        (EncodeSet::SPECIAL_QUERY.0, " \"#<>'"),
        (EncodeSet::PATH.0, " \"#<>?^`{}"),
        (EncodeSet::USERINFO.0, " \"#<>?^`{}/:;=@[\\]|"),
    ],
    // C0 controls, DEL and what is not ASCII are in all sets.
    0xFF,
);

fn push_escaped(out: &mut String, byte: u8) {
    out.push('%');
    for nibble in [byte >> 4, byte & 15] {
        let digit = char::from_digit(nibble.into(), 16).unwrap_or('0');
        out.push(digit.to_ascii_uppercase());
    }
}

/// Appends `input` to `out`, UTF-8 percent-encoded with `set`.
pub fn encode(out: &mut String, input: &str, set: EncodeSet) {
    // Most inputs stay. A loop without branches finds that out faster than a search.
    if input.bytes().fold(0, |sets, byte| sets | SETS.of(byte)) & set.0 == 0 {
        out.push_str(input);
    } else {
        encode_bytes(out, input.as_bytes(), set);
    }
}

fn encode_bytes(out: &mut String, input: &[u8], set: EncodeSet) {
    for &byte in input {
        if set.contains(byte) {
            push_escaped(out, byte);
        } else {
            out.push(char::from(byte));
        }
    }
}

/// Appends `input` to `out`, percent-encoded after encoding it with `encoding` (URL Standard,
/// section 1.3): UTF-16 and "replacement" count as UTF-8, and a character that `encoding` lacks
/// becomes `%26%23NNN%3B` with its decimal code point.
pub(crate) fn encode_with(
    out: &mut String,
    input: &str,
    set: EncodeSet,
    encoding: &'static Encoding,
) {
    let encoding = encoding.output_encoding();
    if encoding == UTF_8 || input.is_ascii() && encoding.is_ascii_compatible() {
        return encode(out, input, set);
    }
    let mut encoder = encoding.new_encoder();
    let mut buffer = [0u8; 512];
    let mut rest = input;
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        encode_bytes(out, buffer.get(..written).unwrap_or_default(), set);
        rest = rest.get(read..).unwrap_or_default();
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(unmappable) => {
                out.push_str(&format!("%26%23{}%3B", u32::from(unmappable)));
            }
        }
    }
}

/// Returns the byte for the escape with these two hexadecimal digits; `None` if one is not a digit.
pub fn escaped_byte(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Percent-decodes `input` to bytes (URL Standard, section 1.3). Invalid escapes stay.
pub fn decode(input: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(input.len());
    let mut rest = input.as_bytes();
    while let Some(at) = memchr::memchr(b'%', rest) {
        let (before, escape) = rest.split_at(at);
        out.extend_from_slice(before);
        let escaped = match escape {
            [_, high, low, after @ ..] => escaped_byte(*high, *low).map(|byte| (byte, after)),
            _ => None,
        };
        let (byte, after) = escaped.unwrap_or((b'%', escape.get(1..).unwrap_or_default()));
        out.push(byte);
        rest = after;
    }
    out.extend_from_slice(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(input: &str, label: &str) -> String {
        let mut out = String::new();
        let encoding = Encoding::for_label(label.as_bytes()).expect("a known label");
        encode_with(&mut out, input, EncodeSet::SPECIAL_QUERY, encoding);
        out
    }

    #[test]
    fn queries_are_encoded_in_the_charset_of_the_document() {
        for (input, label, expected) in [
            ("å", "utf-8", "%C3%A5"),
            ("å", "utf-16le", "%C3%A5"),
            ("å", "windows-1252", "%E5"),
            ("å", "windows-1251", "%26%23229%3B"),
            ("\u{2212}", "shift_jis", "%81|"),
            ("\u{203E}\\", "iso-2022-jp", "%1B(J~%1B(B\\"),
            ("\u{E}A", "iso-2022-jp", "%26%2365533%3BA"),
            ("\u{E5E5}", "gb18030", "%26%2358853%3B"),
        ] {
            assert_eq!(query(input, label), expected, "{input} in {label}");
        }
        let long = "å".repeat(5000);
        assert_eq!(query(&long, "windows-1252"), "%E5".repeat(5000));
    }

    #[test]
    fn decoding_keeps_invalid_escapes() {
        for (input, expected) in
            [("a%41%4", &b"aA%4"[..]), ("%%30%zz%", b"%0%zz%"), ("%e9", b"\xE9")]
        {
            assert_eq!(decode(input), expected, "{input}");
        }
    }

    #[test]
    fn escapes_stand_for_every_byte_in_either_case() {
        for byte in 0..=0xFF {
            for escape in [format!("%{byte:02x}"), format!("%{byte:02X}")] {
                assert_eq!(decode(&escape), [byte], "{escape}");
            }
        }
    }
}
