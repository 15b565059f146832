//! The charsets of style sheets that declare none: those of the pages that link to them.
//!
//! Browsers decode such a sheet in the encoding of the page that links to it (CSS Syntax Level 3
//! section 3.2, "environment encoding"), so that `url(表.png)` in Shift_JIS needs no declaration. That
//! takes a look at the pages, and only at those that may link to a sheet for which it matters.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memmem;

use crate::files::with_file_bytes_up_to;
use crate::{Corpus, catch_panic};
use rehref_document::{
    Document, DocumentKind, FileKind, ParseOptions, Rel, css, encoding::byte_order_mark, file_kind,
};
use rehref_site::{SiteUrl, path_in_url};
use rehref_url::{AbsoluteUrl, Standard};

/// A sheet whose charset matters.
struct Sheet<'w> {
    path: &'w Path,
    /// The file's name, as most pages spell it.
    name: &'w str,
    /// The charset of the pages so far; `None` if they differ.
    charset: Option<Option<&'static Encoding>>,
}

impl Corpus {
    /// The charset of the style sheet at `path`, with these `bytes`, by the pages that link to it.
    /// The first sheet for which that matters makes the pages be read; few sites have one.
    pub(super) fn style_charset(&self, path: &Path, bytes: &[u8]) -> Option<&'static Encoding> {
        if !matters(bytes) {
            return None;
        }
        self.style_charsets.get_or_init(|| self.find_style_charsets()).get(path).copied()
    }

    /// The charsets of the style sheets in the tree.
    fn find_style_charsets(&self) -> HashMap<PathBuf, &'static Encoding> {
        let most = self.options.max_size.unwrap_or(u64::MAX);
        let read = |path: &Path| {
            with_file_bytes_up_to(&self.root.join(path), most, |bytes, _| bytes.to_vec())
        };
        let files = || self.files().filter_map(|path| Some((path, file_kind(path.file_name()?))));
        let is_sheet = |kind| kind == FileKind::Document(DocumentKind::Css);
        let mut sheets: HashMap<String, Sheet<'_>> = files()
            .filter(|(path, kind)| is_sheet(*kind) && read(path).is_ok_and(|bytes| matters(&bytes)))
            .filter_map(|(path, _)| {
                let sheet = Sheet { path, name: path.file_name()?.to_str()?, charset: None };
                Some((path_in_url(path), sheet))
            })
            .collect();
        if sheets.is_empty() {
            return HashMap::new();
        }
        for (path, kind) in files() {
            let FileKind::Document(kind @ (DocumentKind::Html | DocumentKind::Xhtml)) = kind else {
                continue;
            };
            let Ok(bytes) = read(path) else {
                continue;
            };
            let mut sheet_names = sheets.values().map(|sheet| sheet.name);
            let may_link = |name: &str| memmem::find(&bytes, name.as_bytes()).is_some();
            if !sheet_names.any(|name| !name.is_ascii() || may_link(name)) {
                continue;
            }
            // The run itself reports what is wrong with the page.
            let linked = catch_panic(|| linked_sheets(&bytes, kind, path, &self.site_url));
            let Ok(Some((charset, linked))) = linked else {
                continue;
            };
            for path in linked {
                if let Some(sheet) = sheets.get_mut(&path) {
                    let known = sheet.charset.get_or_insert(Some(charset));
                    *known = known.filter(|known| *known == charset);
                }
            }
        }
        let found = sheets.into_values();
        found.filter_map(|sheet| Some((sheet.path.to_owned(), sheet.charset??))).collect()
    }
}

/// Whether the charset of a sheet with these `bytes` changes its URLs, and neither the sheet nor a byte
/// order mark declares it.
fn matters(bytes: &[u8]) -> bool {
    if bytes.is_ascii() || byte_order_mark(bytes) > 0 || css::charset(bytes).is_some() {
        return false;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            // The run itself reports a panic.
            let urls = catch_panic(|| css::urls(text)).unwrap_or_default();
            urls.iter().any(|url| !url.text.as_str().is_ascii())
        }
        // Every encoding that contains ASCII has the same comments, and Windows-1252 has a character for each byte.
        Err(_) => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            let is_ascii = catch_panic(|| css::is_ascii_outside_comments(&text));
            !is_ascii.unwrap_or_default()
        }
    }
}

/// The charset that the sheets of a page are decoded in by default, and the paths, as in URLs, of those
/// that it links to in its site.
fn linked_sheets(
    bytes: &[u8],
    kind: DocumentKind,
    path: &Path,
    site_url: &SiteUrl,
) -> Option<(&'static Encoding, Vec<String>)> {
    let options = ParseOptions { kind, metadata: true, ..ParseOptions::default() };
    let document = Document::parse(bytes, &options).ok()?;
    let own = AbsoluteUrl::new(Standard::Whatwg, site_url.file_url(path).ok()?);
    let bases = document.base_urls(&own);
    let references = document.references.iter();
    let linked =
        references.filter(|reference| reference.rel.has(Rel::STYLESHEET)).filter_map(|reference| {
            let target = document.target_of(reference, &bases, &own)?.ok()?;
            let (_, rest) = SiteUrl::containing([site_url], target.as_str())?;
            rest.split(['?', '#']).next().map(str::to_owned)
        });
    let charset = document.charset.encoding;
    // An encoding that is not ASCII-compatible is that of the bytes of the page alone.
    let charset = if charset == UTF_16LE || charset == UTF_16BE { UTF_8 } else { charset };
    Some((charset, linked.collect()))
}
