//! Decides which files are documents, and of what kind: by their name, or by their first bytes if
//! the name does not say.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use rehref_generators::markdown::MarkdownDialect;
use rustc_hash::FxHashMap;

use crate::DocumentKind;
use crate::ascii::starts_with_ignore_case;
use crate::lines::LineSyntax;
use crate::message::sniff::begins_with_headers;
use crate::redirects::RedirectSyntax;

/// The kind of a file, as its name shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A document.
    Document(DocumentKind),
    /// Not a document.
    Other,
    /// The name does not say (`page.php?id=3`): the first bytes decide, see
    /// [`sniff_document_kind`].
    Unknown,
}

/// Extensions of documents, by their kinds.
#[rustfmt::skip]
const DOCUMENT_EXTENSIONS: &[(DocumentKind, &[&str])] = &[
    (DocumentKind::Html, &["html", "htm", "shtml"]),
    (DocumentKind::Xhtml, &["xhtml", "xht"]),
    (DocumentKind::Css, &["css"]),
    (DocumentKind::WebManifest, &["webmanifest"]),
    (DocumentKind::Xml,
        &["svg", "xml", "atom", "rss", "rdf", "opml", "xsl", "xslt", "opf", "ncx", "smil"]),
    (DocumentKind::Lines(LineSyntax::Playlist), &["m3u8"]),
    (DocumentKind::Message, &["mhtml", "mht", "eml"]),
];

/// Extensions of the pages in which servers look for server-side includes.
const SERVER_INCLUDE_EXTENSIONS: &[&str] = &["shtm", "shtml", "stm"];

/// Returns true if servers replace the server-side includes of the file at `path`, by its name.
pub fn has_server_includes(path: &Path) -> bool {
    has_extension(path, SERVER_INCLUDE_EXTENSIONS)
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    let own = path.extension().and_then(OsStr::to_str);
    own.is_some_and(|own| known.iter().any(|known| own.eq_ignore_ascii_case(known)))
}

/// Returns true if the file at `path` is neither a document nor text, by its name.
pub fn is_binary(path: &Path) -> bool {
    has_extension(path, BINARY_EXTENSIONS)
}

/// Names of documents whose extension does not tell their kind.
#[rustfmt::skip]
const DOCUMENT_NAMES: &[(DocumentKind, &[&str])] = &[
    (DocumentKind::WebManifest, &["manifest.json"]),
    (DocumentKind::JsonFeed, &["feed.json"]),
    (DocumentKind::Lines(LineSyntax::Robots), &["robots.txt"]),
    (DocumentKind::Lines(LineSyntax::Headers), &["_headers"]),
    (DocumentKind::Lines(LineSyntax::Urls),
        &["sitemap.txt", "urllist.txt", "llms.txt", "llms-full.txt", "security.txt", "humans.txt"]),
    // Hugo makes `_redirects` of `index.redirects`.
    (DocumentKind::Redirects(RedirectSyntax::Netlify), &["_redirects", "index.redirects"]),
    (DocumentKind::Redirects(RedirectSyntax::Apache), &[".htaccess"]),
];

/// Extensions of text that is never sniffed: it may quote HTML.
#[rustfmt::skip]
const TEXT_EXTENSIONS: &[&str] = &[
    "adoc", "c", "cc", "cjs", "conf", "cpp", "cs", "csv", "cxx", "d", "diff", "el", "go", "h", "hh",
    "hpp", "hs", "ini", "java", "js", "json", "jsonl", "kt", "less", "log", "lua", "m4", "map", "md",
    "mjs", "ml", "patch", "pm", "po", "pot", "properties", "ps1", "py", "rb", "rs", "rst", "rtf",
    "sass", "scss", "sh", "sql", "swift", "tex", "textile", "toml", "ts", "tsv", "txt", "vim", "vtt",
    "xsd", "yaml", "yml", "dtd", "ent",
    // containers of messages or pages, which are not documents themselves
    "mbox",
];

/// Extensions of files that are neither documents nor text.
#[rustfmt::skip]
const BINARY_EXTENSIONS: &[&str] = &[
    // images, sound, film, fonts
    "apng", "avif", "bmp", "cur", "eot", "flac", "gif", "ico", "jpeg", "jpg", "jxl", "m4a", "m4v",
    "mid", "mov", "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "otf", "png", "tif",
    "tiff", "ttf", "wasm", "wav", "webm", "webp", "woff", "woff2",
    // documents, archives, programs
    "7z", "br", "bz2", "class", "deb", "dll", "doc", "docx", "dvi", "eps", "epub", "exe", "gz",
    "iso", "jar", "lz", "lzma", "mo", "o", "odp", "ods", "odt", "pdf", "ppt", "pptx", "ps",
    "rar", "rpm", "so", "swf", "tar", "tgz", "war", "xls", "xlsx", "xz", "z", "zip", "zst",
    "warc",
];

/// Extensions of the source code of programs that make pages: it may begin like a page, and a link
/// in it may be in the middle of a string. A file with a query in its name is what such a program
/// made instead (`page.php?id=3`).
#[rustfmt::skip]
const PROGRAM_EXTENSIONS: &[&str] = &[
    "asa", "ascx", "asp", "aspx", "astro", "cfc", "cfm", "cgi", "coffee", "cshtml", "ctp", "ejs",
    "erb", "fcgi", "ftl", "gohtml", "gotmpl", "haml", "handlebars", "hbs", "heex", "inc", "j2",
    "jade", "jinja", "jinja2", "jsp", "jspf", "jspx", "jsx", "latte", "leex", "liquid", "mako",
    "master", "mdx", "mustache", "njk", "php", "php3", "php4", "php5", "php7", "phps", "phtml", "pl",
    "pug", "razor", "rhtml", "slim", "svelte", "tmpl", "tpl", "tsx", "tt", "tt2", "twig", "vbhtml",
    "vm", "vue",
];

/// Extensions of Markdown, which is a document only where a run reads the source of a site.
const MARKDOWN_EXTENSIONS: &[&str] = &["md", "mdx", "markdown", "mdown", "mkd", "mkdn"];

/// Returns true if the file at `path` is Markdown, by its name.
pub fn is_markdown(path: &Path) -> bool {
    has_extension(path, MARKDOWN_EXTENSIONS)
}

/// Returns true if the file at `path` is a program or a template that makes pages, by its name.
pub fn is_program(path: &Path) -> bool {
    has_extension(path, PROGRAM_EXTENSIONS)
}

impl DocumentKind {
    /// Returns the kind of the document at `path`, by its file name. Returns `None` if the name is not that of
    /// a document (`logo.png`), or does not determine the kind (`page.php`). Markdown is read by GitHub's
    /// rules.
    pub fn of_path(path: impl AsRef<Path>) -> Option<DocumentKind> {
        let path = path.as_ref();
        match is_markdown(path) {
            true => Some(DocumentKind::Markdown(MarkdownDialect::GITHUB)),
            false => DocumentKind::of_built_path(path),
        }
    }

    /// As [`DocumentKind::of_path`] for a file of a built site, in which Markdown is not a document.
    #[doc(hidden)]
    pub fn of_built_path(path: impl AsRef<Path>) -> Option<DocumentKind> {
        match file_kind(path.as_ref().file_name()?) {
            FileKind::Document(kind) => Some(kind),
            FileKind::Other | FileKind::Unknown => None,
        }
    }
}

/// Returns a name or a path as text, with replacement characters for bytes that are not UTF-8. Valid UTF-8 is
/// validated faster than by `to_string_lossy`.
pub fn lossy(name: &OsStr) -> Cow<'_, str> {
    let text = name.to_str().map(Cow::Borrowed);
    text.unwrap_or_else(|| name.to_string_lossy())
}

/// Returns the kind of the file called `name`. Ignores the part of the name after a `?`, which is a query that
/// a mirroring tool kept.
pub fn file_kind(name: &OsStr) -> FileKind {
    let name = lower_case_name(name);
    let (name, has_query) = match name.split_once('?') {
        Some((name, _)) => (name, true),
        None => (&*name, false),
    };
    if let Some((kind, _)) = DOCUMENT_NAMES.iter().find(|(_, known)| known.contains(&name)) {
        return FileKind::Document(*kind);
    }
    let Some((stem, extension)) = name.rsplit_once('.') else { return FileKind::Unknown };
    match EXTENSIONS.get(extension) {
        Some(Extension::Document(kind)) => return FileKind::Document(*kind),
        Some(Extension::Program) if has_query => return FileKind::Unknown,
        Some(Extension::Program | Extension::Other) => return FileKind::Other,
        None => {}
    }
    // `index.html.en`, `index.html.pt-br`, `index.html.ja.utf8`: content negotiation.
    let mut suffixes = vec![extension];
    let mut rest = stem;
    while let Some((stem, suffix)) = rest.rsplit_once('.') {
        if let Some(Extension::Document(kind)) = EXTENSIONS.get(suffix) {
            let are_variants = suffixes.iter().all(|suffix| is_variant(suffix));
            return if are_variants { FileKind::Document(*kind) } else { FileKind::Unknown };
        }
        suffixes.push(suffix);
        rest = stem;
    }
    FileKind::Unknown
}

/// The kind of a file by its extension.
#[derive(Clone, Copy, Debug)]
enum Extension {
    Document(DocumentKind),
    Program,
    Other,
}

/// All known extensions. Every file of a site is looked up, some several times.
static EXTENSIONS: LazyLock<FxHashMap<&str, Extension>> = LazyLock::new(|| {
    let others = TEXT_EXTENSIONS.iter().chain(BINARY_EXTENSIONS);
    let others = others.map(|it| (*it, Extension::Other));
    let programs = PROGRAM_EXTENSIONS.iter().map(|it| (*it, Extension::Program));
    let documents = DOCUMENT_EXTENSIONS.iter().flat_map(|(kind, extensions)| {
        extensions.iter().map(|it| (*it, Extension::Document(*kind)))
    });
    others.chain(programs).chain(documents).collect()
});

/// A file name in lower case. Most are that already.
fn lower_case_name(name: &OsStr) -> Cow<'_, str> {
    let name = lossy(name);
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        name
    }
}

/// Returns true if a suffix is a language (`pt-br`) or a charset (`utf8`, `euc-kr`), as in content
/// negotiation.
fn is_variant(suffix: &str) -> bool {
    let mut subtags = suffix.split('-');
    let is_language = subtags.next().is_some_and(|tag| {
        matches!(tag.len(), 2..=3) && tag.bytes().all(|b| b.is_ascii_alphabetic())
    }) && subtags
        .all(|tag| matches!(tag.len(), 2..=8) && tag.bytes().all(|b| b.is_ascii_alphanumeric()));
    is_language && suffix != "bak" || Encoding::for_label(suffix.as_bytes()).is_some()
}

/// The number of bytes at the start of a file that [`sniff_document_kind`] needs. It leaves room for a
/// copyright notice before the page.
pub const SNIFF_LENGTH: usize = 8192;

/// The number of bytes at the start of a response that decide (MIME Sniffing Standard section 5.2).
const RESPONSE_LENGTH: usize = 1445;

/// The tags at the start of a response of unknown type that make it HTML (MIME Sniffing Standard
/// section 7.1).
#[rustfmt::skip]
const HTML_SIGNATURES: &[&[u8]] = &[
    b"<!DOCTYPE HTML", b"<HTML", b"<HEAD", b"<SCRIPT", b"<IFRAME", b"<H1", b"<DIV", b"<FONT",
    b"<TABLE", b"<A", b"<STYLE", b"<TITLE", b"<B", b"<BODY", b"<BR", b"<P", b"<!--",
];

/// The tags that make it XHTML after an XML declaration.
const XHTML_SIGNATURES: &[&[u8]] = &[b"<!DOCTYPE HTML", b"<HTML"];

/// The tags at the start of a file that make it a page. A piece of one (`<div>`) may be anything: a
/// template, a part of a program, text.
#[rustfmt::skip]
const PAGE_SIGNATURES: &[&[u8]] = &[
    b"<!DOCTYPE HTML", b"<HTML", b"<HEAD", b"<BODY", b"<FRAMESET", b"<META", b"<LINK", b"<BASE",
    b"<TITLE",
];

/// The starts of code of a program or a template, which no page has: PHP, ASP, JSP, ERB, Jinja.
const CODE: &[&[u8]] = &[b"<?php", b"<?=", b"<? ", b"<?\n", b"<?\r", b"<%", b"{%"];

/// Returns true if the name does not show the kind of the file, so that it may be a document if a page loads
/// it: `style`, `style.php`, `app.json`.
pub fn may_be_loaded(name: &OsStr) -> bool {
    let name = lower_case_name(name);
    let name = name.split('?').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match EXTENSIONS.get(extension) {
        None | Some(Extension::Program) => true,
        Some(Extension::Other) => extension == "json",
        Some(Extension::Document(_)) => false,
    }
}

/// Members of a web app manifest, at least one of which most have.
const MANIFEST_MEMBERS: &[&[u8]] =
    &[b"\"icons\"", b"\"screenshots\"", b"\"shortcuts\"", b"\"start_url\""];

/// The notations of CSS that have URLs.
const STYLE_URLS: &[&[u8]] = &[b"url(", b"@import", b"image-set("];

/// Returns the kind of document that a file [with such a name](may_be_loaded) has if a page loads it, by the
/// bytes at its start. Returns `None` for a file without URLs, and for the code of a program.
pub fn kind_if_loaded(start: &[u8]) -> Option<DocumentKind> {
    let has = |text: &&[u8]| memchr::memmem::find(start, text).is_some();
    if CODE.iter().any(has) {
        return None;
    }
    let is_json = without_byte_order_mark(start).trim_ascii_start().starts_with(b"{");
    if !is_json {
        STYLE_URLS.iter().any(has).then_some(DocumentKind::Css)
    } else if has(&&b"jsonfeed.org/version/"[..]) {
        Some(DocumentKind::JsonFeed)
    } else {
        MANIFEST_MEMBERS.iter().any(has).then_some(DocumentKind::WebManifest)
    }
}

/// Returns the kind of a file that begins with `start` and whose name does not determine the kind: HTML or a message;
/// `None` if neither.
pub fn sniff_document_kind(start: &[u8]) -> Option<DocumentKind> {
    if is_page(start) {
        Some(DocumentKind::Html)
    } else if begins_with_headers(start) {
        Some(DocumentKind::Message)
    } else {
        None
    }
}

/// Returns true if a file that begins with `start` is a whole page of HTML, perhaps after comments, and not
/// the code of a program that makes pages.
fn is_page(start: &[u8]) -> bool {
    let decoded = without_byte_order_mark(start);
    let text = after_comments(&decoded);
    let is_page = match after_xml_declaration(text) {
        Some(text) => begins_with_one_of(after_comments(text), XHTML_SIGNATURES),
        None => begins_with_one_of(text, PAGE_SIGNATURES),
    };
    let has = |code: &&[u8]| memchr::memmem::find(&decoded, code).is_some();
    is_page && !CODE.iter().any(has)
}

/// `text` without the white space and the comments at its start.
fn after_comments(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let comment = text.strip_prefix(b"<!--");
    let end = comment.and_then(|comment| Some((comment, memchr::memmem::find(comment, b"-->")?)));
    match end.and_then(|(comment, end)| comment.get(end + 3..)) {
        Some(rest) => after_comments(rest),
        None => text,
    }
}

/// Returns, for a document without a declared kind that begins with `start`: whether an XML declaration shows
/// that it is XML, and whether it is XHTML.
pub fn sniff_xml(start: &[u8]) -> Option<DocumentKind> {
    let decoded = without_byte_order_mark(start);
    let text = after_xml_declaration(decoded.trim_ascii_start())?;
    Some(if begins_with_one_of(after_comments(text), XHTML_SIGNATURES) {
        DocumentKind::Xhtml
    } else {
        DocumentKind::Xml
    })
}

/// Returns true if a response of unknown type that begins with `start` is HTML: it has a signature of the
/// MIME Sniffing Standard section 7.1, perhaps after a UTF-8 or UTF-16 byte order mark. Unlike the
/// standard, it also counts as HTML if an XML declaration and a document type or an `html` element
/// follow (XHTML).
pub fn sniff_html(start: &[u8]) -> bool {
    let start = start.get(..RESPONSE_LENGTH).unwrap_or(start);
    let text = without_byte_order_mark(start);
    let text = text.trim_ascii_start();
    match after_xml_declaration(text) {
        Some(text) => begins_with_one_of(text, XHTML_SIGNATURES),
        None => begins_with_one_of(text, HTML_SIGNATURES),
    }
}

/// `start` after its byte order mark; in UTF-8 if the mark is one of UTF-16. Without a mark nothing is
/// decoded: in a tree of many binary files that took a tenth of the run.
fn without_byte_order_mark(start: &[u8]) -> Cow<'_, [u8]> {
    match Encoding::for_bom(start) {
        Some((encoding, length)) if encoding == UTF_8 => {
            Cow::Borrowed(start.get(length..).unwrap_or_default())
        }
        Some((utf_16, _)) => Cow::Owned(utf_16.decode(start).0.into_owned().into_bytes()),
        None => Cow::Borrowed(start),
    }
}

/// The text after the XML declaration; `None` if there is no declaration.
fn after_xml_declaration(text: &[u8]) -> Option<&[u8]> {
    let rest = text.strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(rest, b"?>")?;
    let is_declaration = rest.first().is_some_and(u8::is_ascii_whitespace);
    is_declaration.then(|| rest.get(end + 2..).unwrap_or_default().trim_ascii_start())
}

fn begins_with_one_of(text: &[u8], signatures: &[&[u8]]) -> bool {
    signatures.iter().any(|signature| {
        starts_with_ignore_case(text, signature)
            && (signature.ends_with(b"--")
                || matches!(
                    text.get(signature.len()),
                    Some(b' ' | b'\t' | b'\n' | b'\x0C' | b'\r' | b'>' | b'/')
                ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pages_may_load_whatever_its_name_is() {
        for (name, expected) in [
            ("style", true),
            ("Style.PHP", true),
            ("style.php?v=1", true),
            ("app.json", true),
            ("style.v2", true),
            ("style.css", false),
            ("a.png", false),
            ("a.js", false),
        ] {
            assert_eq!(may_be_loaded(OsStr::new(name)), expected, "{name}");
        }
        for (start, kind) in [
            (&b"a { b: url(c) }"[..], Some(DocumentKind::Css)),
            (b"a { b: c }", None),
            (b"<?php ?>a { b: url(c) }", None),
            (b"\xEF\xBB\xBF {\"icons\": []}", Some(DocumentKind::WebManifest)),
            (b"{\"a\": \"url(b)\"}", None),
            (b"{\"version\": \"https://jsonfeed.org/version/1\"}", Some(DocumentKind::JsonFeed)),
        ] {
            assert_eq!(kind_if_loaded(start), kind, "{}", start.escape_ascii());
        }
    }

    #[test]
    fn the_name_tells_the_kind() {
        use FileKind::{Other, Unknown};
        const HTML: FileKind = FileKind::Document(DocumentKind::Html);
        const CSS: FileKind = FileKind::Document(DocumentKind::Css);
        for (name, kind) in [
            ("index.html", HTML),
            ("INDEX.HTM", HTML),
            ("a.b.xhtml", FileKind::Document(DocumentKind::Xhtml)),
            ("x.shtml", HTML),
            ("index.html.en", HTML),
            ("index.html.pt-br", HTML),
            ("index.html.zh-Hans-CN", HTML),
            ("index.html.ja.utf8", HTML),
            ("index.html.ko.euc-kr", HTML),
            ("index.html.gz", Other),
            ("index.html.br", Other),
            ("index.html.bak", Unknown),
            ("index.html.orig", Unknown),
            ("page.php?id=3", Unknown),
            ("page", Unknown),
            ("page.php", Other),
            ("page.cgi", Other),
            ("header.inc", Other),
            ("script.pl", Other),
            ("script.pl?x=1", Unknown),
            ("layout.html.erb", Other),
            ("style.css", CSS),
            ("saved.mhtml", FileKind::Document(DocumentKind::Message)),
            ("saved.MHT", FileKind::Document(DocumentKind::Message)),
            ("letter.eml", FileKind::Document(DocumentKind::Message)),
            ("letters.mbox", Other),
            ("logo.SVG", FileKind::Document(DocumentKind::Xml)),
            ("robots.txt", FileKind::Document(DocumentKind::Lines(LineSyntax::Robots))),
            ("manifest.json", FileKind::Document(DocumentKind::WebManifest)),
            ("Feed.json?page=2", FileKind::Document(DocumentKind::JsonFeed)),
            (".htaccess", FileKind::Document(DocumentKind::Redirects(RedirectSyntax::Apache))),
            (".htpasswd", Unknown),
            ("view.php?f=main.js", Unknown),
            ("view.php?id=3.html", Unknown),
            ("view?f=main.js", Unknown),
            ("style.css?v=1", CSS),
            ("style.css?v=1.html", CSS),
            ("index.html?x=1", HTML),
            ("index.html.de?x=a.b?c", HTML),
            ("?x.html", Unknown),
        ] {
            assert_eq!(file_kind(OsStr::new(name)), kind, "{name}");
        }
    }

    #[test]
    fn a_file_is_a_page_if_it_begins_as_a_whole_one() {
        use DocumentKind::{Html, Message};
        for (start, kind) in [
            ("<!doctype html><p>", Some(Html)),
            ("\n  <HTML lang=de>", Some(Html)),
            ("<!-- saved --> <!-- twice -->\n<head>", Some(Html)),
            ("\u{FEFF}<meta charset=utf-8>", Some(Html)),
            ("<link rel=stylesheet href=a>", Some(Html)),
            ("<base href=/>", Some(Html)),
            ("<title>x</title>", Some(Html)),
            ("<?xml version='1.0'?><!-- x --><html>", Some(Html)),
            ("Content-Type: text/html\nDate: now\n\n<p>", Some(Message)),
            ("<!-- a comment, then code -->\n$x = \"<a href=\\\"y\\\">\";", None),
            ("<!-- without an end", None),
            ("<a href=x>", None),
            ("<p>", None),
            ("<b>Read me</b>", None),
            ("<div>", None),
            ("<script>", None),
            ("<?xml version='1.0'?><svg>", None),
            ("<!doctype html><?php echo 1 ?>", None),
            ("<html><body><?= $x ?>", None),
            ("<html><% if (x) { %>", None),
            ("<html>{% block body %}", None),
            ("<html><?xml version='1.0'?>", Some(Html)),
            ("text <html>", None),
            ("", None),
        ] {
            assert_eq!(sniff_document_kind(start.as_bytes()), kind, "{start}");
        }
    }

    #[test]
    fn an_xml_declaration_tells_xml() {
        use DocumentKind::{Xhtml, Xml};
        for (start, kind) in [
            ("<?xml version='1.0'?><rss>", Some(Xml)),
            ("\u{FEFF}<?xml version='1.0'?>\n<html>", Some(Xhtml)),
            ("<?xml version='1.0'?><!DOCTYPE html PUBLIC 'x'>", Some(Xhtml)),
            ("<?xml-stylesheet href='x'?><html>", None),
            ("<rss>", None),
        ] {
            assert_eq!(sniff_xml(start.as_bytes()), kind, "{start}");
        }
    }

    #[test]
    fn the_first_bytes_of_a_response_tell_html() {
        for html in [
            "<!doctype html><p>",
            "\n  <HTML lang=de>",
            "<!-- saved -->",
            "\u{FEFF}<head>",
            "<a href=x>",
            "<p>",
            "<?xml version='1.0'?><html>",
            "\n<?xml version='1.0' encoding='UTF-8'?>\n<!DOCTYPE html PUBLIC 'x'>",
        ] {
            assert!(sniff_html(html.as_bytes()), "{html}");
        }
        for other in [
            "",
            "<",
            "<abbr>",
            "<?php echo 1;",
            "{}",
            "text <html>",
            "<?xml?>",
            "<?xml version='1.0'?><svg>",
            "<?xml version='1.0'?><a>",
            "<?xml version='1.0'?><!DOCTYPE svg>",
            "<?xml version='1.0'?><?xml version='1.0'?><html>",
            "<?xml version='1.0' <html>",
            "<?xml-stylesheet href='x'?><html>",
            "<svg>",
        ] {
            assert!(!sniff_html(other.as_bytes()), "{other}");
        }
        let utf16: Vec<u8> = "\u{FEFF}<html>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert!(sniff_html(&utf16));
    }
}
