//! What a file of a site is, decided without rehref: by its name, or by its first bytes where the
//! name does not say.

use std::path::Path;

use encoding_rs::Encoding;
use rehref::DocumentKind;

/// Extensions of files that may begin like HTML and are not pages.
#[rustfmt::skip]
const OTHER: &[&str] = &[
    "adoc", "c", "cc", "conf", "cpp", "cs", "csv", "d", "diff", "el", "go", "h", "hpp", "hs", "ini", "java", "js", "json", "jsonl", "less", "log", "lua", "map", "md", "mjs", "ml", "patch", "pl", "pm", "po", "pot", "properties", "py", "rb", "rs", "rst", "rtf", "sass", "scss", "sh", "sql", "tex", "toml", "ts", "tsv", "txt", "vim", "vtt", "xsd", "xsl", "xslt", "yaml", "yml", "dtd", "ent", "apng", "avif", "bmp", "cur", "eot", "flac", "gif", "ico", "jpeg", "jpg", "jxl", "m4a", "m4v", "mid", "mov", "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "otf", "png", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp", "woff", "woff2", "7z", "br", "bz2", "class", "deb", "dll", "doc", "docx", "dvi", "eps", "epub", "exe", "gz", "iso", "jar", "lz", "lzma", "mo", "o", "odp", "ods", "odt", "pdf", "ppt", "pptx", "ps", "rar", "rpm", "so", "swf", "tar", "tgz", "war", "xls", "xlsx", "xz", "z", "zip", "zst", "mbox", "warc",
];

/// The kind of the document at `path`, which begins with `bytes`; `None` if it is not a document.
pub fn document_kind(path: &Path, bytes: &[u8]) -> Option<DocumentKind> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    // A mirror keeps queries in names.
    let name = name.split('?').next()?;
    match name {
        "robots.txt" => return Some(DocumentKind::Robots),
        "manifest.json" => return Some(DocumentKind::WebManifest),
        _ => {}
    }
    let mut extensions: Vec<&str> = name.split('.').skip(1).collect();
    if extensions.last().is_some_and(|it| OTHER.contains(it)) {
        return None;
    }
    // `index.html.pt-br`, `index.html.ja.utf8`
    while extensions.len() > 1 && extensions.last().is_some_and(|it| is_variant(it)) {
        extensions.pop();
    }
    Some(match extensions.pop().unwrap_or_default() {
        "html" | "htm" | "shtml" => DocumentKind::Html,
        "xhtml" | "xht" => DocumentKind::Xhtml,
        "css" => DocumentKind::Css,
        "webmanifest" => DocumentKind::WebManifest,
        "svg" | "xml" | "atom" | "rss" | "rdf" | "opml" => DocumentKind::Xml,
        "mhtml" | "mht" | "eml" => DocumentKind::Message,
        _ if !is_html(bytes) => return None,
        _ => DocumentKind::Html,
    })
}

/// Whether an extension is a language or a charset, as in content negotiation.
fn is_variant(extension: &str) -> bool {
    let (language, region) = extension.split_once('-').unwrap_or((extension, "xx"));
    let is_language = matches!(language.len(), 2 | 3) && matches!(region.len(), 2..=8);
    let is_known = [
        "css", "htm", "svg", "xml", "rss", "rdf", "mht", "eml", "xht", "bak",
    ];
    is_language && !is_known.contains(&extension)
        || Encoding::for_label(extension.as_bytes()).is_some()
}

/// Whether it begins like HTML.
fn is_html(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(1000)]).to_ascii_lowercase();
    let start = start.trim_start_matches('\u{FEFF}').trim_ascii_start();
    let start = match start.strip_prefix("<?xml") {
        Some(rest) => rest.split_once("?>").map_or("", |(_, rest)| rest),
        None => start,
    };
    ["<!doctype html", "<html", "<head", "<body", "<!--"]
        .iter()
        .any(|tag| start.trim_ascii_start().starts_with(tag))
}
