//! Precompressed documents (`page.html.gz`): their coding, their kind, and the page they replace.

use std::path::{Path, PathBuf};

use crate::coding::Coding;
use rehref_document::{DocumentKind, FileKind, file_kind};

/// A compressed document that a server sends in place of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedPage {
    /// The compression.
    pub coding: Coding,
    /// The kind of the decompressed document.
    pub kind: DocumentKind,
    /// The path of the page that the file replaces, below the site's root.
    pub page: PathBuf,
}

/// Suffixes that servers look for beside a page, as nginx's `gzip_static` does.
const SUFFIXES: &[(&str, Coding)] =
    &[("gz", Coding::Gzip), ("br", Coding::Brotli), ("zst", Coding::Zstd)];

/// The extension of SVG that is always gzip-compressed (SVG 1.1, appendix J).
const SVGZ: &str = "svgz";

impl CompressedPage {
    /// Recognizes a compressed document by the name of the file at `path`; `None` if the name is
    /// not one of a compressed document.
    pub fn of(path: &Path) -> Option<CompressedPage> {
        if !has_suffix(path) {
            return None;
        }
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if extension == SVGZ {
            return Some(CompressedPage {
                coding: Coding::Gzip,
                kind: DocumentKind::Xml,
                page: path.to_owned(),
            });
        }
        let (_, coding) = SUFFIXES.iter().find(|(suffix, _)| *suffix == extension)?;
        let FileKind::Document(kind) = file_kind(path.file_stem()?) else {
            return None;
        };
        Some(CompressedPage { coding: *coding, kind, page: path.with_extension("") })
    }
}

/// Whether the name of `path` ends with one of the suffixes. Most names do not, and to take the path
/// apart costs more.
fn has_suffix(path: &Path) -> bool {
    let path = path.as_os_str().as_encoded_bytes();
    let suffixes = SUFFIXES.iter().map(|(suffix, _)| *suffix);
    memchr::memrchr(b'.', path).and_then(|dot| path.get(dot + 1..)).is_some_and(|name| {
        suffixes.chain([SVGZ]).any(|suffix| name.eq_ignore_ascii_case(suffix.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_page_is_a_document_name_and_a_suffix() {
        use Coding::{Brotli, Gzip, Zstd};
        use DocumentKind::{Css, Html, Xml};
        for (path, expected) in [
            ("a/index.html.gz", Some((Gzip, Html, "a/index.html"))),
            ("a.css.BR", Some((Brotli, Css, "a.css"))),
            ("sitemap.xml.zst", Some((Zstd, Xml, "sitemap.xml"))),
            ("index.html.de.gz", Some((Gzip, Html, "index.html.de"))),
            ("logo.svgz", Some((Gzip, Xml, "logo.svgz"))),
            ("index.html", None),
            ("crawl.warc.gz", None),
            ("script.js.gz", None),
            ("all.tar.gz", None),
            ("page.gz", None),
            (".gz", None),
        ] {
            let found = CompressedPage::of(Path::new(path));
            let expected = expected.map(|(coding, kind, page)| CompressedPage {
                coding,
                kind,
                page: page.into(),
            });
            assert_eq!(found, expected, "{path}");
        }
    }
}
