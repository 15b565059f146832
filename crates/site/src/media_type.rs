//! The media types of files, by the extensions of their names.

use std::path::Path;

/// Extensions and what web servers send for them.
#[rustfmt::skip]
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("html", "text/html"), ("htm", "text/html"), ("shtml", "text/html"),
    ("xhtml", "application/xhtml+xml"), ("xht", "application/xhtml+xml"),
    ("css", "text/css"), ("js", "text/javascript"), ("mjs", "text/javascript"),
    ("json", "application/json"), ("map", "application/json"),
    ("webmanifest", "application/manifest+json"), ("jsonld", "application/ld+json"),
    ("wasm", "application/wasm"), ("xml", "text/xml"), ("xsl", "text/xml"), ("xslt", "text/xml"),
    ("atom", "application/atom+xml"), ("rss", "application/rss+xml"),
    ("rdf", "application/rdf+xml"), ("txt", "text/plain"), ("md", "text/markdown"),
    ("csv", "text/csv"), ("vtt", "text/vtt"), ("pdf", "application/pdf"),
    ("svg", "image/svg+xml"), ("png", "image/png"), ("apng", "image/apng"), ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"), ("gif", "image/gif"), ("webp", "image/webp"), ("avif", "image/avif"),
    ("bmp", "image/bmp"), ("ico", "image/x-icon"),
    ("woff", "font/woff"), ("woff2", "font/woff2"), ("ttf", "font/ttf"), ("otf", "font/otf"),
    ("eot", "application/vnd.ms-fontobject"),
    ("mp4", "video/mp4"), ("webm", "video/webm"), ("ogv", "video/ogg"), ("mov", "video/quicktime"),
    ("mp3", "audio/mpeg"), ("m4a", "audio/mp4"), ("ogg", "audio/ogg"), ("oga", "audio/ogg"),
    ("opus", "audio/ogg"), ("wav", "audio/wav"), ("flac", "audio/flac"),
];

/// Returns the media type of the file at `path`. If the name has no extension, or contains the query of a page
/// (`page?id=3`), the file is HTML if its content is, because servers and mirroring tools store pages in this
/// way.
pub fn media_type(path: &Path, is_html: impl FnOnce() -> bool) -> &'static str {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let row = MEDIA_TYPES.iter().find(|(name, _)| extension == *name);
    match row {
        Some((_, media_type)) => media_type,
        None if is_html() => "text/html",
        None => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types_follow_extensions_then_content() {
        for (path, is_html, expected) in [
            ("a/b.HTML", false, "text/html"),
            ("a.mjs", false, "text/javascript"),
            ("page?id=3", true, "text/html"),
            ("data.bin", false, "application/octet-stream"),
        ] {
            assert_eq!(media_type(Path::new(path), || is_html), expected, "{path}");
        }
    }
}
