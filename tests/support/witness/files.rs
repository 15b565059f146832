//! Files of every kind that a site holds.

use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use url::Url;

use super::comparison::{Comparison, Setting, Side};
use super::json::Vocabulary;
use super::links::Bases;
use super::rules::Rule;
use super::values::around;
use super::xml_documents::walk_xml;
use super::{Options, Stats, walk_documents};

/// The kind of a file, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    Html,
    /// XML that is parsed as HTML where it cannot be read.
    Xhtml,
    Xml,
    Css,
    Manifest,
    Robots,
    Other,
}

/// The kind of the file by its name, or, where that says nothing, by its first bytes.
pub fn file_type(path: &Path, bytes: &[u8]) -> FileType {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // A mirror keeps queries in names.
    let name = name.split('?').next().unwrap_or_default().to_ascii_lowercase();
    match name.as_str() {
        "robots.txt" => return FileType::Robots,
        "manifest.json" => return FileType::Manifest,
        _ => {}
    }
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" | "htm" | "shtml" => FileType::Html,
        "xhtml" | "xht" => FileType::Xhtml,
        "svg" | "xml" | "atom" | "rss" | "rdf" | "opml" | "osdx" | "xsl" | "xslt" | "mathml"
        | "mml" | "ncx" | "opf" | "kml" | "gpx" | "xspf" | "smil" => FileType::Xml,
        "css" => FileType::Css,
        "webmanifest" => FileType::Manifest,
        _ if is_html(bytes) => FileType::Html,
        _ => FileType::Other,
    }
}

/// Whether it begins like HTML.
fn is_html(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let start = bytes.trim_ascii_start();
    ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| {
        start.get(..tag.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(tag.as_bytes()))
            && !start.get(tag.len()).is_some_and(u8::is_ascii_alphanumeric)
    })
}

/// Compares a file before and after a run, as what its name says it is.
///
/// `url` is its own URL. Files of unknown kinds have to be the same, byte by byte.
pub fn compare_file(
    path: &Path,
    input: &[u8],
    output: &[u8],
    url: &Url,
    options: impl Into<Options>,
) -> Result<Stats, Vec<String>> {
    compare_as(file_type(path, input), input, output, url, options.into())
}

pub(super) fn compare_as(
    kind: FileType,
    input: &[u8],
    output: &[u8],
    url: &Url,
    options: Options,
) -> Result<Stats, Vec<String>> {
    let url = Rc::new(url.clone());
    match walk_as(kind, input, output, (Rc::clone(&url), url), options)? {
        Some(comparison) => comparison.finish(),
        None => Ok(Stats::default()),
    }
}

/// The comparison, not finished; nothing for what has no links and is the same.
pub(super) fn walk_as(
    kind: FileType,
    input: &[u8],
    output: &[u8],
    urls: Bases,
    options: Options,
) -> Result<Option<Comparison>, Vec<String>> {
    let text = |encoding, compare| {
        walk_text(input, output, urls.clone(), options, encoding, compare).map(Some)
    };
    match kind {
        FileType::Xhtml | FileType::Xml => walk_xml(input, output, urls, options),
        FileType::Html => walk_documents(input, output, urls, options).map(Some),
        FileType::Css => text(css_encoding(input), &style_sheet),
        FileType::Manifest => {
            let encoding = Encoding::for_bom(input).unwrap_or((UTF_8, 0));
            text(encoding, &manifest)
        }
        FileType::Robots => text((UTF_8, 0), &robots),
        FileType::Other if input == output => Ok(None),
        FileType::Other => Err(vec!["the bytes differ".to_string()]),
    }
}

type CompareTexts = dyn Fn(&mut Comparison, &Bases, &str, &str) -> Result<(), String>;

fn walk_text(
    input: &[u8],
    output: &[u8],
    urls: Bases,
    options: Options,
    (encoding, mark): (&'static Encoding, usize),
    compare: &CompareTexts,
) -> Result<Comparison, Vec<String>> {
    if output.len() < mark || output[..mark] != input[..mark] {
        return Err(vec!["the byte order mark is lost".to_string()]);
    }
    let (text, faulty) = decode_strictly(&input[mark..], encoding);
    let (text_after, faulty_after) = decode_strictly(&output[mark..], encoding);
    let side = |url: &Rc<Url>| Side {
        document_url: Rc::clone(url),
        base: Rc::clone(url),
        outer_base: Rc::clone(url),
        encoding,
    };
    let sides = (side(&urls.0), side(&urls.1));
    let mut comparison = Comparison::new(sides.0, sides.1, Setting::Page, options);
    comparison.carrier = "file".to_string();
    comparison.stats.changed = usize::from(text != text_after);
    if !faulty && faulty_after {
        comparison.report_at(|| "file".to_string(), "bytes that are no text appeared");
    }
    if let Err(problem) = compare(&mut comparison, &urls, &text, &text_after) {
        comparison.report_at(|| "file".to_string(), &problem);
    }
    Ok(comparison)
}

fn decode_strictly<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> (Cow<'a, str>, bool) {
    encoding.decode_without_bom_handling(bytes)
}

/// A byte order mark, `@charset`, or UTF-8.
fn css_encoding(bytes: &[u8]) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(bytes) {
        return found;
    }
    let label = bytes.strip_prefix(b"@charset \"").and_then(|rest| {
        let end = rest.iter().take(1024).position(|&byte| byte == b'"')?;
        rest[end + 1..].starts_with(b";").then_some(&rest[..end])
    });
    let encoding = match label.and_then(Encoding::for_label) {
        // It could not have been read in them.
        Some(encoding) if encoding != UTF_16LE && encoding != UTF_16BE => encoding,
        _ => UTF_8,
    };
    (encoding, 0)
}

fn style_sheet(
    comparison: &mut Comparison,
    bases: &Bases,
    before: &str,
    after: &str,
) -> Result<(), String> {
    comparison.compare_css(Rule::CSS, bases, before, after)
}

fn manifest(
    comparison: &mut Comparison,
    bases: &Bases,
    before: &str,
    after: &str,
) -> Result<(), String> {
    comparison.compare_json(Vocabulary::Manifest, bases, before, after)
}

fn robots(
    comparison: &mut Comparison,
    bases: &Bases,
    before: &str,
    after: &str,
) -> Result<(), String> {
    let (lines, lines_after) =
        (before.split_inclusive(['\r', '\n']), after.split_inclusive(['\r', '\n']));
    if lines.clone().count() != lines_after.clone().count() {
        return Err("the number of lines differs".to_string());
    }
    for (line, line_after) in lines.zip(lines_after) {
        let urls = sitemap_of(line).zip(sitemap_of(line_after));
        let result = match urls {
            Some((url, url_after)) => {
                if around(line, &[url]) == around(line_after, &[url_after]) {
                    comparison.compare_urls(Rule::SINGLE_UTF8, bases, url, url_after)
                } else {
                    Err("what stands around the URL differs".to_string())
                }
            }
            None if line == line_after => Ok(()),
            None => Err("the line differs".to_string()),
        };
        result.map_err(|problem| format!("{line:?} -> {line_after:?}: {problem}"))?;
    }
    Ok(())
}

/// The URL of a `Sitemap` line.
fn sitemap_of(line: &str) -> Option<&str> {
    let (field, value) = line.split_once(':')?;
    let field = field.trim_start_matches('\u{FEFF}').trim();
    // A comment begins behind a space: in a URL `#` is its fragment.
    let end = value.find(" #").or_else(|| value.find("\t#")).unwrap_or(value.len());
    field.eq_ignore_ascii_case("sitemap").then(|| value[..end].trim())
}
