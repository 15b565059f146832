//! Finds the facts that only the pages that link to a file state: the charset of a style sheet that declares none, and the
//! kind of a file whose name does not tell it (`<link rel=stylesheet href=style.php>`).
//!
//! Browsers decode such a sheet in the encoding of the page that links to it (CSS Syntax Level 3
//! section 3.2, "environment encoding"), so that `url(表.png)` in Shift_JIS needs no declaration. Both
//! take a look at the pages, and only at those that may link to a file for which it matters.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memmem;

use super::linked_file::{LinkedFile, LinkedFiles};
use crate::files::{first_bytes, with_file_bytes_up_to};
use crate::{Corpus, Selection, catch_panic};
use rehref_document::{
    Document, DocumentKind, FileKind, ParseOptions, Rel, SNIFF_LENGTH, css,
    encoding::byte_order_mark, file_kind, kind_if_loaded, may_be_loaded,
};
use rehref_site::{SiteUrl, path_in_url};
use rehref_url::{AbsoluteUrl, Standard};

/// The bytes at the start of a file that decide whether it may be loaded as a document.
const LOADED_LENGTH: usize = 1 << 20;

/// The largest number of names that are searched for in a page before it is parsed.
const SEARCHED: usize = 16;

/// A file whose charset or kind pages may decide.
struct Candidate<'w> {
    path: &'w Path,
    /// The file's name, as most pages spell it.
    name: &'w str,
    /// The kind by its bytes, if pages load it as that.
    kind: DocumentKind,
    linked: LinkedFile,
}

/// A `link` element that loads a file of the site.
struct Link {
    rel: Rel,
    path: String,
    /// With its question mark; may be empty.
    query: String,
}

/// The link types of the elements that load a document of a kind.
const LOADED_BY: [(DocumentKind, Rel); 3] = [
    (DocumentKind::Css, Rel::STYLESHEET),
    (DocumentKind::WebManifest, Rel::MANIFEST),
    (DocumentKind::JsonFeed, Rel::ALTERNATE),
];

impl Corpus {
    /// Returns the charset of the style sheet at `path`, with these `bytes`, by the pages that link to it. The first
    /// sheet for which that matters makes the pages be read; few sites have one.
    pub(super) fn style_charset(&self, path: &Path, bytes: &[u8]) -> Option<&'static Encoding> {
        if !matters(bytes) {
            return None;
        }
        self.linked_files().get(path)?.charset?
    }

    /// Returns the kind of the file at `path`, whose name and first bytes do not tell it, by the pages that load it.
    /// The first file that looks like a style sheet with URLs, a manifest or a feed makes the pages be read. `start`:
    /// its first [`SNIFF_LENGTH`] bytes, if they are known.
    pub(crate) fn linked_kind(&self, path: &Path, start: Option<Vec<u8>>) -> Option<DocumentKind> {
        if self.linked_files.get().is_none() {
            self.kind_if_loaded(path, start)?;
        }
        self.linked_files().get(path)?.kind
    }

    fn kind_if_loaded(&self, path: &Path, start: Option<Vec<u8>>) -> Option<DocumentKind> {
        if !may_be_loaded(path.file_name()?) {
            return None;
        }
        let read = |most| first_bytes(&self.root.join(path), most).ok();
        let start = start.or_else(|| read(SNIFF_LENGTH))?;
        let is_text = memchr::memchr(0, &start).is_none();
        if start.len() < SNIFF_LENGTH || !is_text {
            return kind_if_loaded(&start).filter(|_| is_text);
        }
        kind_if_loaded(&read(LOADED_LENGTH)?)
    }

    /// Returns the files whose charset or kind pages decide.
    pub(crate) fn linked_files(&self) -> &LinkedFiles {
        self.linked_files.get_or_init(|| self.find_linked_files())
    }

    fn find_linked_files(&self) -> LinkedFiles {
        let most = self.options.max_size.unwrap_or(u64::MAX);
        let read = |path: &Path| {
            with_file_bytes_up_to(&self.root.join(path), most, |bytes, _| bytes.to_vec())
        };
        let is_sheet = |path: &Path| {
            let kind = file_kind(path.file_name().unwrap_or_default());
            kind == FileKind::Document(DocumentKind::Css)
        };
        let kind_of = |path: &Path| {
            if is_sheet(path) {
                read(path).is_ok_and(|bytes| matters(&bytes)).then_some(DocumentKind::Css)
            } else {
                self.kind_if_loaded(path, None)
            }
        };
        let candidate = |path| {
            let name = Path::file_name(path)?.to_str()?;
            let candidate =
                Candidate { path, name, kind: kind_of(path)?, linked: LinkedFile::default() };
            Some((path_in_url(path), candidate))
        };
        let mut candidates: HashMap<String, Candidate<'_>> =
            self.files().filter_map(candidate).collect();
        if candidates.is_empty() {
            return LinkedFiles::new();
        }
        let names: BTreeSet<&str> = candidates.values().map(|it| it.name).collect();
        // A page may spell other names in many ways; and to search for many names costs more than to parse the page.
        let is_searched = names.len() <= SEARCHED && names.iter().all(|name| name.is_ascii());
        let files = self.file_index();
        let pages = Selection { html: self.selection.html.clone(), ..Selection::default() };
        for path in self.files() {
            let kind = pages.document_kind(&self.root, path);
            let Ok(Some(kind @ (DocumentKind::Html | DocumentKind::Xhtml))) = kind else {
                continue;
            };
            let Ok(bytes) = read(path) else { continue };
            let may_link = |name: &&str| memmem::find(&bytes, name.as_bytes()).is_some();
            if is_searched && !names.iter().any(may_link) {
                continue;
            }
            // The run itself reports what is wrong with the page.
            let linked = catch_panic(|| links(&bytes, kind, path, &self.site_url));
            let Ok(Some((charset, linked))) = linked else { continue };
            for Link { rel, path, query } in linked {
                let file = files.find(&path, &query).and_then(|it| it.file());
                let Some(found) = file.and_then(|file| candidates.get_mut(file)) else { continue };
                if !LOADED_BY.iter().any(|(kind, by)| *kind == found.kind && rel.has(*by)) {
                    continue;
                }
                found.linked.kind = Some(found.kind);
                let known = found.linked.charset.get_or_insert(Some(charset));
                *known = known.filter(|known| *known == charset);
            }
        }
        candidates.into_values().map(|it| (it.path.to_owned(), it.linked)).collect()
    }
}

/// Returns true if the charset of a sheet with these `bytes` changes its URLs, and neither the sheet nor a byte
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

/// The charset that the sheets of a page are decoded in by default, and its `link` elements that load files of its
/// site.
fn links(
    bytes: &[u8],
    kind: DocumentKind,
    path: &Path,
    site_url: &SiteUrl,
) -> Option<(&'static Encoding, Vec<Link>)> {
    let options = ParseOptions { kind, metadata: true, ..ParseOptions::default() };
    let document = Document::parse(bytes, &options).ok()?;
    let own = AbsoluteUrl::new(Standard::Whatwg, site_url.file_url(path).ok()?);
    let bases = document.base_urls(&own);
    let loads = |rel: Rel| LOADED_BY.iter().any(|(_, by)| rel.has(*by));
    let links = document.references.iter().filter(|it| loads(it.rel)).filter_map(|reference| {
        let target = document.target_of(reference, &bases, &own)?.ok()?;
        let (_, rest) = SiteUrl::containing([site_url], target.as_str())?;
        let rest = rest.split('#').next()?;
        let (path, query) = rest.split_at(rest.find('?').unwrap_or(rest.len()));
        Some(Link { rel: reference.rel, path: path.to_owned(), query: query.to_owned() })
    });
    let charset = document.charset.encoding;
    // An encoding that is not ASCII-compatible is that of the bytes of the page alone.
    let charset = if charset == UTF_16LE || charset == UTF_16BE { UTF_8 } else { charset };
    Some((charset, links.collect()))
}
