//! Features of pages and scripts that browsers refuse to pages opened from disk. Each `file:` page has an
//! origin of its own, so that its requests to other files fail by CORS, and with them module scripts.

use std::collections::BTreeSet;

use super::document_kind::DocumentKind;
use super::html::scanner::attributes::{attributes_from, decoded};
use super::scripts::{SCRIPTS, STYLES, elements, inline_code, is_called};
use rehref_url::Span;

const REQUESTS: &str = "fetch and XMLHttpRequest";
const MODULES: &str = "module scripts";
const XSLT: &str = "XSLT style sheets";
const MASKS: &str = "masks and filters from other files";

/// Features of scripts, and the names that call them.
const CALLS: &[(&str, &[&str])] = &[
    (REQUESTS, &["fetch(", "XMLHttpRequest"]),
    (REQUESTS, &["$.ajax(", "$.get(", "$.getJSON(", "$.getScript(", "$.post(", "jQuery.ajax("]),
    (MODULES, &["import("]),
    ("service workers", &["serviceWorker.register("]),
    ("workers", &["new Worker(", "new SharedWorker(", "Worklet.addModule("]),
    // Most scripts replace the state for another fragment or query, which browsers allow.
    ("changes to the URL of the page (history.pushState)", &["history.pushState("]),
    (
        "access to documents in other frames",
        &["contentDocument", "parent.document", "top.document"],
    ),
];

/// The names of jQuery in the comment at its start.
const JQUERY: &[&str] = &["jQuery v", "jQuery JavaScript Library v"];

/// The bytes at the start of a script in which it states its name.
const LIBRARY_START: usize = 256;

type UsesFeature = fn(&[u8]) -> bool;

/// Features of elements: the start of the tag, an attribute, and whether its value uses the feature.
const ELEMENTS: &[(&str, &str, &str, UsesFeature)] = &[
    (MODULES, "<script", "type", |value| has_word(value, "module")),
    (MODULES, "<link", "rel", |value| has_word(value, "modulepreload")),
    ("SVG symbols from other files", "<use", "href", is_other_file),
    ("subtitles", "<track", "src", is_other_file),
    (XSLT, "<?xml-stylesheet", "type", |value| {
        has_word(value, "text/xsl") || has_word(value, "text/xslt")
    }),
];

/// Properties of CSS, and attributes of SVG, whose URLs browsers request by CORS.
const MASK_PROPERTIES: &[&str] = &["mask", "mask-image", "clip-path", "filter"];

/// The name of the limit for a page or style sheet whose file name has no extension: from disk, browsers show
/// the page as text, and do not apply the style sheet.
pub const NAMELESS: &str = "names without .html or .css";

/// The extensions by which browsers know pages, and style sheets, on disk.
const PAGE_EXTENSIONS: &[&str] = &["html", "htm", "shtml", "xhtml", "xht", "xml", "svg"];

/// Returns true if browsers show a document of this `kind` as text, or do not apply it, if its file on disk has this
/// `extension`.
pub fn is_nameless(kind: DocumentKind, extension: &str) -> bool {
    let is = |known: &&str| extension.eq_ignore_ascii_case(known);
    match kind {
        DocumentKind::Html | DocumentKind::Xhtml => !PAGE_EXTENSIONS.iter().any(is),
        DocumentKind::Css => !is(&"css"),
        _ => false,
    }
}

/// Returns the features of the script `code` that do not work from disk.
pub fn disk_limits_of_script(code: &[u8]) -> BTreeSet<&'static str> {
    let is_used = |signs: &[&str]| signs.iter().any(|sign| is_called(code, sign.as_bytes()));
    // It only does what other scripts ask for.
    let start = code.get(..LIBRARY_START.min(code.len())).unwrap_or_default();
    let is_jquery =
        JQUERY.iter().any(|sign| memchr::memmem::find(start, sign.as_bytes()).is_some());
    if is_jquery {
        return BTreeSet::new();
    }
    CALLS.iter().filter(|(_, signs)| is_used(signs)).map(|(limit, _)| *limit).collect()
}

/// Returns the features of the page `html`, with the scripts in it, that do not work from disk.
pub fn disk_limits_of_page(html: &[u8]) -> BTreeSet<&'static str> {
    let mut limits = BTreeSet::new();
    for script in inline_code(html, SCRIPTS) {
        limits.extend(disk_limits_of_script(script.content.of(html)));
    }
    for (limit, start, attribute, is_used) in ELEMENTS {
        let tags = elements(html, start.as_bytes());
        let mut values = tags.flat_map(|tag| values(html, tag, attribute));
        if values.any(is_used) {
            limits.insert(*limit);
        }
    }
    for style in inline_code(html, STYLES) {
        limits.extend(disk_limits_of_style(style.content.of(html)));
    }
    let mut end = 0;
    // A `<` in a tag begins no other.
    if tags_with_url_functions(html)
        .any(|tag| tag >= end && masks_by_attribute(html, tag, &mut end))
    {
        limits.insert(MASKS);
    }
    limits
}

/// The places after the `<` of the start tags of `html` that hold a `url()`.
fn tags_with_url_functions(html: &[u8]) -> impl Iterator<Item = usize> {
    let mut from = 0;
    memchr::memmem::find_iter(html, b"url(").filter_map(move |at| {
        // Each byte is read once: without a tag in between, it is in the same tag as the one before, or in none.
        let start = std::mem::replace(&mut from, at);
        let start = start + memchr::memrchr2(b'<', b'>', html.get(start..at)?)?;
        let is_tag = matches!(html.get(start..start + 2)?, [b'<', b] if b.is_ascii_alphabetic());
        is_tag.then_some(start + 1)
    })
}

/// Returns true if an attribute of the tag whose name begins at `start` takes a mask or filter from another file. Sets
/// `end` to the end of the last attribute read.
fn masks_by_attribute(html: &[u8], start: usize, end: &mut usize) -> bool {
    let name = html.get(start..).unwrap_or_default().iter();
    let name = name.take_while(|b| !b.is_ascii_whitespace() && **b != b'/').count();
    attributes_from(html, start + name).any(|(name, value)| {
        *end = value.after;
        let is = |it: &&str| name.eq_ignore_ascii_case(it.as_bytes());
        let value = || decoded(value.span.of(html), value.quote);
        is(&"style") && !disk_limits_of_style(value().as_bytes()).is_empty()
            || MASK_PROPERTIES.iter().any(is) && has_other_file(value().as_bytes())
    })
}

/// Returns the features of the style sheet `css` that do not work from disk.
pub fn disk_limits_of_style(css: &[u8]) -> BTreeSet<&'static str> {
    let is_mask = |before: &[u8]| {
        let before = before.trim_ascii_end();
        let name = before.rsplit(|b| !is_name_byte(*b)).next();
        let name = name.unwrap_or_default().to_ascii_lowercase();
        let name = name.strip_prefix(b"-webkit-").unwrap_or(&name);
        MASK_PROPERTIES.iter().any(|it| it.as_bytes() == name)
    };
    // Each byte is read once, also where no declaration ends.
    let mut declarations = css.split(|b| matches!(b, b';' | b'}'));
    let has_mask = declarations.any(|declaration| {
        let colons = memchr::memchr_iter(b':', declaration);
        let mut parts = colons.filter_map(|at| declaration.split_at_checked(at));
        let mask = parts.find(|(before, _)| is_mask(before));
        mask.is_some_and(|(_, value)| has_other_file(value))
    });
    has_mask.then_some(MASKS).into_iter().collect()
}

/// Returns true if a `url()` in `value` names another file.
fn has_other_file(value: &[u8]) -> bool {
    memchr::memmem::find_iter(value, b"url(").any(|at| {
        let url = value.get(at + "url(".len()..).unwrap_or_default();
        let url = url.trim_ascii_start();
        is_other_file(url.strip_prefix(b"'").or(url.strip_prefix(b"\"")).unwrap_or(url))
    })
}

/// Returns true if the reference `url` names another file than its own document.
fn is_other_file(url: &[u8]) -> bool {
    let url = url.trim_ascii_start();
    !url.is_empty() && !url.starts_with(b"#") && !url.starts_with(b"data:")
}

pub(super) fn has_word(value: &[u8], word: &str) -> bool {
    let mut words = value.split(u8::is_ascii_whitespace);
    words.any(|it| it.eq_ignore_ascii_case(word.as_bytes()))
}

/// Returns the values of `attribute`, with or without a prefix, in the tag of `html` with these bytes after its name.
pub(super) fn values<'h>(
    html: &'h [u8],
    tag: Span,
    attribute: &str,
) -> impl Iterator<Item = &'h [u8]> {
    let tag_and_before = html.get(..=tag.end).unwrap_or(html);
    attributes_from(tag_and_before, tag.start).filter_map(move |(name, value)| {
        let local = name.rsplit(|b| *b == b':').next()?;
        local.eq_ignore_ascii_case(attribute.as_bytes()).then(|| value.span.of(html))
    })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_found_in_scripts_and_tags_only() {
        for (page, expected) in [
            ("<p>fetch(x) &lt;script type=module>", &[][..]),
            ("<SCRIPT Type = 'Module' src=x></SCRIPT>", &["module scripts"]),
            ("<script data-type=x type=module></script>", &["module scripts"]),
            ("<script data-type=module src=module.js></script>", &[]),
            ("<link rel='preload ModulePreload' href=x>", &["module scripts"]),
            ("<link rel=preload href=modulepreload>", &[]),
            ("<script>import('./x.mjs')</script>", &["module scripts"]),
            ("<svg><use xlink:href='i.svg#x'>", &["SVG symbols from other files"]),
            ("<svg><use href=#x><use href=''>", &[]),
            ("<video><track srclang=de src=x.vtt>", &["subtitles"]),
            (
                "<?xml version='1.0'?><?xml-stylesheet href='x' type='text/xsl'?><a/>",
                &["XSLT style sheets"],
            ),
            ("<?xml-stylesheet href='x' type='text/css'?><a/>", &[]),
            (
                "<style>a { -webkit-mask : linear-gradient(red), url( 'x.svg#m') }</style>",
                &["masks and filters from other files"],
            ),
            ("<style>a { mask: url(#m); b: url(x); filter: url(data:x) }</style>", &[]),
            ("<p title=x\nSTYLE='mask:url(s.svg#m)'>", &["masks and filters from other files"]),
            ("<g mask = url(s.svg#m)>", &["masks and filters from other files"]),
            (
                "<rect fill='url(#a)' filter=\"url(&quot;s.svg#m&quot;)\"/>",
                &["masks and filters from other files"],
            ),
            ("<p style='mask:url(&quot;#m&quot;);background:url(x)' mask-x=url(x)>", &[]),
            ("<g mask=url(#m) fill=url(s.svg#g)>mask=url(s.svg#m)</g>", &[]),
            (
                "<script>top.document; history.pushState(x); history.replaceState(x)</script>",
                &[
                    "access to documents in other frames",
                    "changes to the URL of the page (history.pushState)",
                ],
            ),
            ("<script>history.replaceState(x, '', '#a'); reimport(x); x.important()</script>", &[]),
            ("<script type=text/x>prefetch(x)</script>fetch(", &[]),
            (
                "<script>window.fetch(x)</script><script>new Worker(x)",
                &["fetch and XMLHttpRequest", "workers"],
            ),
            ("<script>navigator.serviceWorker.register('/x')</script>", &["service workers"]),
        ] {
            let found: Vec<&str> = disk_limits_of_page(page.as_bytes()).into_iter().collect();
            assert_eq!(found, expected, "{page}");
        }
    }

    #[test]
    fn browsers_know_files_on_disk_by_their_extensions() {
        for (kind, extension, expected) in [
            (DocumentKind::Html, "HTML", false),
            (DocumentKind::Html, "php?id=3", true),
            (DocumentKind::Html, "", true),
            (DocumentKind::Css, "css", false),
            (DocumentKind::Css, "css?v=3", true),
            (DocumentKind::Xml, "rss", false),
        ] {
            assert_eq!(is_nameless(kind, extension), expected, "{extension}");
        }
    }

    #[test]
    fn jquery_alone_does_nothing() {
        for (code, expected) in [
            ("/*! jQuery v3.7.1 | (c) */ new window.XMLHttpRequest; e.contentDocument", &[][..]),
            ("/*!\n * jQuery JavaScript Library v3.7.1\n */ new window.XMLHttpRequest", &[]),
            ("/*! jQuery UI */ $.ajax({url: x})", &[REQUESTS]),
            ("$.getJSON('x.json')", &[REQUESTS]),
            ("new window.XMLHttpRequest", &[REQUESTS]),
        ] {
            let found: Vec<&str> = disk_limits_of_script(code.as_bytes()).into_iter().collect();
            assert_eq!(found, expected, "{code}");
        }
    }

    #[test]
    fn declarations_that_never_end_are_read_once() {
        // Reading the rest of the style for each colon would take minutes.
        let open = "a{b:'\n".repeat(100_000);
        assert!(disk_limits_of_style(open.as_bytes()).is_empty());
        for (end, has_mask) in [
            ("mask:url(x)", true),
            (":mask:a:url('x')", true),
            ("}mask:url(#x)", false),
            ("mask;:url(x)", false),
        ] {
            let style = format!("{open}{end}");
            let found = disk_limits_of_style(style.as_bytes());
            assert_eq!(found.contains(MASKS), has_mask, "{end}");
        }
    }
}
