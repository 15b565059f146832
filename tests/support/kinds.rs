//! The kind of a file of a site, decided without rehref: by its name, or by its first bytes where the
//! name does not say.

use std::path::Path;

use encoding_rs::Encoding;
use rehref::DocumentKind;

/// Extensions of files that may begin like HTML and are not pages.
#[rustfmt::skip]
const OTHER: &[&str] = &[
    "adoc", "c", "cc", "conf", "cpp", "cs", "csv", "d", "diff", "el", "go", "h", "hpp", "hs", "ini", "java", "js", "json", "jsonl", "less", "log", "lua", "map", "md", "mjs", "ml", "patch", "pm", "po", "pot", "properties", "py", "rb", "rs", "rst", "rtf", "sass", "scss", "sh", "sql", "tex", "toml", "ts", "tsv", "txt", "vim", "vtt", "xsd", "yaml", "yml", "dtd", "ent", "apng", "avif", "bmp", "cur", "eot", "flac", "gif", "ico", "jpeg", "jpg", "jxl", "m4a", "m4v", "mid", "mov", "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "otf", "png", "tif", "tiff", "ttf", "wasm", "wav", "webm", "webp", "woff", "woff2", "7z", "br", "bz2", "class", "deb", "dll", "doc", "docx", "dvi", "eps", "epub", "exe", "gz", "iso", "jar", "lz", "lzma", "mo", "o", "odp", "ods", "odt", "pdf", "ppt", "pptx", "ps", "rar", "rpm", "so", "swf", "tar", "tgz", "war", "xls", "xlsx", "xz", "z", "zip", "zst", "mbox", "warc",
];

/// Extensions of programs that make pages. With a query in its name, a file is such a page.
const PROGRAMS: &[&str] = &["asp", "cgi", "inc", "jsp", "php", "pl", "tmpl", "tpl"];

/// The kind of the document at `path`, which begins with `bytes`; `None` if it is not a document.
pub fn document_kind(path: &Path, bytes: &[u8]) -> Option<DocumentKind> {
    let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
    // A mirror keeps queries in names.
    let (name, has_query) = name.split_once('?').map_or((&*name, false), |it| (it.0, true));
    match name {
        "robots.txt" => return Some(DocumentKind::Lines(rehref::LineSyntax::Robots)),
        "feed.json" => return Some(DocumentKind::JsonFeed),
        "manifest.json" => return Some(DocumentKind::WebManifest),
        _ => {}
    }
    let mut extensions: Vec<&str> = name.split('.').skip(1).collect();
    if extensions.last().is_some_and(|it| OTHER.contains(it)) {
        return None;
    }
    if !has_query && extensions.last().is_some_and(|it| PROGRAMS.contains(it)) {
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
        "m3u8" => DocumentKind::Lines(rehref::LineSyntax::Playlist),
        "webmanifest" => DocumentKind::WebManifest,
        "svg" | "xml" | "atom" | "rss" | "rdf" | "opml" | "xsl" | "xslt" | "opf" | "ncx"
        | "smil" => DocumentKind::Xml,
        "mhtml" | "mht" | "eml" => DocumentKind::Message,
        _ if !is_html(bytes) => return None,
        _ => DocumentKind::Html,
    })
}

/// Whether an extension is a language or a charset, as in content negotiation.
fn is_variant(extension: &str) -> bool {
    let (language, region) = extension.split_once('-').unwrap_or((extension, "xx"));
    let is_language = matches!(language.len(), 2 | 3) && matches!(region.len(), 2..=8);
    let is_known = ["css", "htm", "svg", "xml", "rss", "rdf", "mht", "eml", "xht", "bak"];
    is_language && !is_known.contains(&extension)
        || Encoding::for_label(extension.as_bytes()).is_some()
}

/// Whether it begins as a page, after comments, and holds no code.
fn is_html(bytes: &[u8]) -> bool {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(8192)]).to_ascii_lowercase();
    let mut rest = start.trim_start_matches('\u{FEFF}').trim_ascii_start();
    loop {
        let skipped = match rest {
            _ if rest.starts_with("<!--") => rest.split_once("-->"),
            _ if rest.starts_with("<?xml ") => rest.split_once("?>"),
            _ => break,
        };
        rest = skipped.map_or("", |(_, rest)| rest.trim_ascii_start());
    }
    let is_code = ["<?php", "<? ", "<?=", "<%", "{%"].iter().any(|code| start.contains(code));
    let tags = [
        "<!doctype html", "<html", "<head", "<body", "<frameset", "<meta", "<link", "<base",
        "<title",
    ];
    !is_code && tags.iter().any(|tag| rest.starts_with(tag))
}
