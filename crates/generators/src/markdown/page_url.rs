//! The forms of the URLs of pages, and what decides the URL of one.

use encoding_rs::UTF_8;

use rehref_url::AbsoluteUrl;

/// The URL that visitors have of a page, against which browsers resolve the URLs that the generator leaves alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageUrl {
    /// `guide/a.md` is the page `guide/a/`, `guide/index.md` is `guide/`.
    Directory,
    /// `guide/a.md` is the page `guide/a`, `guide/index.md` is `guide`.
    Bare,
    /// `guide/a.md` is the page `guide/a.html`, `guide/index.md` is `guide/index.html`.
    Html,
}

impl PageUrl {
    /// The URL of the page made of the document at `url`. The document URL of an index document may be that of its
    /// directory. `None`: `url` is no hierarchical URL.
    pub fn of_document(self, url: &AbsoluteUrl) -> Option<AbsoluteUrl> {
        let path = url.as_str().split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let is_index =
            name.is_empty() || INDEX_STEMS.iter().any(|it| stem.eq_ignore_ascii_case(it));
        let reference = match (self, is_index) {
            (PageUrl::Directory | PageUrl::Html, true) => ".".to_owned(),
            (PageUrl::Html, false) => format!("./{stem}.html"),
            (PageUrl::Directory, false) => format!("./{stem}/"),
            (PageUrl::Bare, false) => format!("./{stem}"),
            (PageUrl::Bare, true) => {
                let folder = path.strip_suffix(name)?.trim_end_matches('/');
                let folder = folder.rsplit('/').next().unwrap_or_default();
                format!("../{folder}")
            }
        };
        url.resolve(&reference, UTF_8).ok()
    }

    /// The path of the page `stem` in `folder`, or of the page of `folder`.
    pub(super) fn path(self, folder: &str, stem: Option<&str>) -> String {
        match (self, stem) {
            (PageUrl::Directory, Some(stem)) => format!("{folder}{stem}/"),
            (PageUrl::Bare, Some(stem)) => format!("{folder}{stem}"),
            (PageUrl::Directory | PageUrl::Bare, None) => folder.to_owned(),
            (PageUrl::Html, stem) => format!("{folder}{}.html", stem.unwrap_or("index")),
        }
    }

    /// The path of the file that the generator writes for the page at `path`.
    pub fn file(self, path: &str) -> String {
        match path.is_empty() || path.ends_with('/') {
            true => format!("{path}index.html"),
            false if self == PageUrl::Bare => format!("{path}/index.html"),
            false => path.to_owned(),
        }
    }
}

/// The names, without extension, of the documents that are the page of their directory.
const INDEX_STEMS: &[&str] = &["index", "_index", "readme"];

/// The meaning of a key of front matter for the URL of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlKey {
    /// The URL, below that of the site or of the documents.
    Url,
    /// The URL if it starts with a slash, else one relative to the directory.
    Slug,
    /// The last name in the URL, except for the page of a directory.
    Name,
    /// The URL, or a template for it.
    Permalink,
    /// The title in the URL.
    Title,
    /// The date in the URL.
    Date,
    /// The categories in the URL.
    Categories,
    /// Whether there is a page.
    Published,
}

/// How the names of documents become those of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNames {
    /// They are the same.
    Same,
    /// In lower case, and with hyphens in place of spaces.
    Hugo,
    /// Without the numbers before them that give the order. Names that start with an underscore have no page.
    Docusaurus,
    /// As [`super::Permalinks`] say.
    Jekyll,
}

/// A setting in the configuration of a generator that decides the URLs of pages.
#[derive(Debug)]
pub struct PageSetting {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The URLs of pages with it.
    pub page: PageUrl,
}
