//! Redirects of the pages that a generator makes of documents, in the forms that generators read.

use std::path::Path;

use super::json::{array, quoted};
use super::redirect::{HEADER, Redirect};
use crate::Page;
use rehref_generators::markdown::PageUrl;
use rehref_url::{RelativeForm, Url, percent_decoded};

/// The redirect of a page whose document moved.
#[derive(Clone, Debug)]
pub struct PageRedirect<'e> {
    /// The old path of the document.
    pub file: &'e Path,
    /// Its new path.
    pub new_file: &'e Path,
    /// The old page.
    pub old: Page,
    /// The new page.
    pub new: Page,
    /// The URLs of both.
    pub redirect: Redirect,
}

impl PageRedirect<'_> {
    /// The URL of the new page, relative to the file at the path `old`, below the URL of the generator's site.
    fn relative_from(&self, old: &str) -> String {
        let url = |path: &str| Url::parse(&format!("http://h/{path}"));
        let (Ok(from), Ok(to)) = (url(old), url(&self.new.own_url)) else {
            return format!("/{}", self.new.own_url);
        };
        let reference = from.relativize(&to, RelativeForm::Path);
        reference.unwrap_or_else(|| format!("/{}", self.new.own_url))
    }

    /// The URL of the new page, relative to the file that `form` writes for the old one.
    pub fn relative_from_file(&self, form: Option<PageUrl>) -> String {
        let file = form.map(|form| form.file(&self.old.own_url));
        self.relative_from(file.as_deref().unwrap_or(&self.old.own_url))
    }

    /// The old URL as generators have it in their configuration: from the root of their site, not encoded.
    pub fn old_path(&self) -> String {
        decoded(&self.old.own_url)
    }

    /// The same of the new URL.
    pub fn new_path(&self) -> String {
        decoded(&self.new.own_url)
    }
}

fn decoded(path: &str) -> String {
    let path = percent_decoded(path);
    format!("/{}", String::from_utf8_lossy(&path))
}

/// `lines` after the header and `start`, with `end` after them.
fn text(start: &str, lines: impl Iterator<Item = String>, end: &str) -> Vec<u8> {
    let lines: String = lines.collect();
    [HEADER, start.as_bytes(), lines.as_bytes(), end.as_bytes()].concat()
}

/// The settings of the plugin mkdocs-redirects, for `mkdocs.yml`.
pub(super) fn mkdocs(pages: &[PageRedirect<'_>]) -> Vec<u8> {
    let lines = pages.iter().map(|page| {
        let (old, new) = (quoted(&page.old.source), quoted(&page.new.source));
        format!("        {old}: {new}\n")
    });
    text("plugins:\n  - redirects:\n      redirect_maps:\n", lines, "")
}

/// The option `redirects` of the plugin `client-redirects` of Docusaurus, in JSON.
pub(super) fn docusaurus(pages: &[PageRedirect<'_>]) -> Vec<u8> {
    array(pages.iter().map(|page| {
        let (old, new) = (quoted(&page.old_path()), quoted(&page.new_path()));
        format!("{{\"from\":{old},\"to\":{new}}}")
    }))
}

/// The table of `book.toml`. A target is a URL, relative to the old page: a book need not be at the root of its host.
pub(super) fn mdbook(pages: &[PageRedirect<'_>]) -> Vec<u8> {
    let lines = pages.iter().map(|page| {
        let target = quoted(&page.relative_from(&page.old.own_url));
        format!("{} = {target}\n", quoted(&page.old_path()))
    });
    text("[output.html.redirect]\n", lines, "")
}

/// The setting of sphinx-reredirects, for `conf.py`.
pub(super) fn sphinx_reredirects(pages: &[PageRedirect<'_>]) -> Vec<u8> {
    let lines = pages.iter().map(|page| {
        let target = quoted(&page.relative_from(&page.old.own_url));
        format!("    {}: {target},\n", quoted(&sphinx_name(page)))
    });
    text("redirects = {\n", lines, "}\n")
}

/// The name of a document. sphinx-reredirects writes the page of a name with special characters to a file with
/// percent-escapes in its name, but that of a name with an extension to a file of this name.
fn sphinx_name(page: &PageRedirect<'_>) -> String {
    let source = &page.old.source;
    let stem = source.rsplit_once('.').map_or(&**source, |(stem, _)| stem);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_.-~".contains(&byte);
    if stem.bytes().all(is_plain) { stem.to_owned() } else { format!("{stem}.html") }
}

/// The setting of sphinxext-rediraffe, for `conf.py`.
pub(super) fn rediraffe(pages: &[PageRedirect<'_>]) -> Vec<u8> {
    let lines = pages.iter().map(|page| {
        let (old, new) = (quoted(&page.old.source), quoted(&page.new.source));
        format!("    {old}: {new},\n")
    });
    text("rediraffe_redirects = {\n", lines, "}\n")
}
