//! Files that are pictures, archives or the like, whatever their name is.

use crate::message::http_coding::is_compressed;

/// The bytes of such files at an offset, which text does not have there.
#[rustfmt::skip]
const MAGIC: &[(usize, &[u8])] = &[
    (0, b"\x89PNG"), (0, b"GIF87a"), (0, b"GIF89a"), (0, b"\xFF\xD8\xFF"), (8, b"WEBPVP8"), (8, b"WAVEfmt "),
    (0, b"%PDF-1."), (0, b"%PDF-2."), (0, b"wOFF\0"), (0, b"wOF2\0"),
    (0, b"PK\x03\x04"), (0, b"7z\xBC\xAF"), (257, b"ustar"),
];

/// The number of bytes that [`is_binary_content`] looks at.
pub const MAGIC_LENGTH: usize = 262;

/// Returns true if a file that begins with `bytes` is a picture, an archive or another binary file: PNG, GIF, JPEG, WebP,
/// WAV, PDF, WOFF, ZIP, gzip, Zstandard, 7z or tar.
pub fn is_binary_content(bytes: &[u8]) -> bool {
    let has =
        |(at, magic): &(usize, &[u8])| bytes.get(*at..).is_some_and(|it| it.starts_with(magic));
    is_compressed(bytes) || MAGIC.iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_binary_file() {
        let tar = [&[b'a'; 257][..], b"ustar\x0000"].concat();
        for (bytes, expected) in [
            (&b"\x1F\x8B\x08\0<p>"[..], true),
            (b"RIFF\x10\0\0\0WEBPVP8 ", true),
            (b"%PDF-1.7", true),
            (&tar, true),
            (b"RIFF is a format", false),
            (b"GIF8 is no GIF", false),
            (b"PK", false),
            (b"<!doctype html>", false),
            (b"", false),
        ] {
            assert_eq!(is_binary_content(bytes), expected, "{bytes:?}");
        }
    }
}
