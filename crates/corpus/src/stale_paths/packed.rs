//! Data that scripts hold compressed: a string of base64 that decodes to zlib or gzip, as documentation
//! generators write their navigation and search data.

use data_encoding::{BASE64, BASE64_NOPAD};

use crate::coding::{Coding, decode, decoded_limit};

/// The starts of compressed data in base64: those of zlib with and without compression level, and of gzip.
const STARTS: &[(&[u8], Coding)] = &[
    (b"eJ", Coding::Deflate),
    (b"eN", Coding::Deflate),
    (b"eA", Coding::Deflate),
    (b"H4sI", Coding::Gzip),
];

/// The shortest string that is decoded, in bytes: what is packed is long.
pub(super) const SHORTEST: usize = 32;

/// Returns the unpacked bytes of the string `text`; `None` if it holds no compressed data.
pub(super) fn unpacked(text: &[u8]) -> Option<Vec<u8>> {
    if text.len() < SHORTEST {
        return None;
    }
    let start = text.get(..64).unwrap_or(text);
    let is_url = start.starts_with(b"data:");
    let data = match is_url.then(|| memchr::memmem::find(start, b";base64,")) {
        Some(Some(at)) => text.get(at + ";base64,".len()..)?,
        _ => text,
    };
    if data.len() < SHORTEST {
        return None;
    }
    let (_, coding) = STARTS.iter().find(|(start, _)| data.starts_with(start))?;
    let compressed = BASE64.decode(data).or_else(|_| BASE64_NOPAD.decode(data));
    let compressed = compressed.ok()?;
    let limit = decoded_limit(compressed.len());
    let (bytes, _) = decode(*coding, &compressed, limit).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZLIB: &str =
        "eJyLrlYqSa0oUbJSSkzKLy1R0lEqSCzJAHLTSzNTUvUT9TJKcnOUanXgyvJLMlKLEMrAuqCKYgHmwhnV";
    const GZIP: &str = "H4sIAAAAAAACA4uuVipJrShRslJKTMovLVHSUSpILMkActNLM1NS9RP1Mkpyc5RqdeDK8ksyUosQ\
                        ysC6oIpiAZ0K9xNNAAAA";

    #[test]
    fn only_compressed_data_is_unpacked() {
        let data = "[{\"text\":\"about\",\"path\":\"guide/a.html\"},{\"text\":\"other\",\"path\":\"about.html\"}]";
        for (text, expected) in [
            (ZLIB.to_owned(), Some(data)),
            (GZIP.to_owned(), Some(data)),
            (format!("data:application/octet-stream;base64,{GZIP}"), Some(data)),
            (ZLIB[..40].to_owned(), None),
            (ZLIB.replace('y', "!"), None),
            (format!("x{ZLIB}"), None),
            (BASE64.encode(data.as_bytes()), None),
            ("eJwDAAAAAAE=".to_owned(), None),
        ] {
            let bytes = unpacked(text.as_bytes());
            let found = bytes.map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
