//! Precompressed documents (`page.html.gz`): their coding, their kind, and the page they replace.

use std::path::{Path, PathBuf};

use crate::coding::Coding;
use rehref_document::{DocumentKind, FileKind, file_kind};

/// A compressed document that a server sends in place of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedPage {
    /// The coding with which the file is compressed, such as gzip.
    pub coding: Coding,
    /// The kind of the decompressed document.
    pub kind: DocumentKind,
    /// The path of the page that the file replaces, below the site's root.
    pub page: PathBuf,
}

/// Suffixes that servers look for beside a page, as nginx's `gzip_static` does; and that of SVG that is always
/// gzip-compressed (SVG 1.1, appendix J).
const SUFFIXES: &[(&str, Coding)] =
    &[("gz", Coding::Gzip), ("br", Coding::Brotli), ("zst", Coding::Zstd), (SVGZ, Coding::Gzip)];

const SVGZ: &str = "svgz";

impl CompressedPage {
    /// Recognizes a compressed document by the name of the file at `path`; `None` if the name is
    /// not one of a compressed document.
    pub fn of(path: &Path) -> Option<CompressedPage> {
        // Most names have no suffix, and to take the path apart costs more.
        let name = path.as_os_str().as_encoded_bytes();
        let end = name.get(memchr::memrchr(b'.', name)? + 1..)?;
        let mut suffixes = SUFFIXES.iter();
        let &(suffix, coding) =
            suffixes.find(|(suffix, _)| end.eq_ignore_ascii_case(suffix.as_bytes()))?;
        // `.gz` is a name, not an extension.
        path.extension()?;
        let (kind, page) = if suffix == SVGZ {
            (DocumentKind::Xml, path.to_owned())
        } else {
            let FileKind::Document(kind) = file_kind(path.file_stem()?) else { return None };
            (kind, path.with_extension(""))
        };
        Some(CompressedPage { coding, kind, page })
    }
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
