//! Redirects of the pages that a generator makes of documents, in the forms that generators read.

use std::path::Path;

use super::json::quoted;
use super::redirect::Redirect;
use crate::Page;
use rehref_generators::markdown::{PageUrl, RedirectLine, RedirectName};
use rehref_url::{RelativeForm, Url, percent_decoded};

/// The redirect of a page whose document moved.
#[derive(Clone, Debug)]
pub struct PageRedirect<'e> {
    /// The old path of the document.
    pub file: &'e Path,
    /// The new path of the document.
    pub new_file: &'e Path,
    /// The page before the move.
    pub old: Page,
    /// The page after the move.
    pub new: Page,
    /// The redirect from the URL of the old page to that of the new page.
    pub redirect: Redirect,
}

impl PageRedirect<'_> {
    /// Returns the redirect as `line` of a configuration.
    pub(super) fn line(&self, RedirectLine(texts, old, new): RedirectLine) -> String {
        let named = |name, page: &Page| {
            quoted(&match name {
                RedirectName::File => page.source.clone(),
                RedirectName::DocumentName => sphinx_name(&page.source),
                RedirectName::RootUrl => decoded(&page.own_url),
                RedirectName::FromOld => self.relative_from(&self.old.own_url),
            })
        };
        let [before, between, after] = texts;
        let (old, new) = (named(old, &self.old), named(new, &self.new));
        format!("{before}{old}{between}{new}{after}")
    }

    /// The URL of the new page, relative to the file at the path `old`, below the URL of the generator's site.
    fn relative_from(&self, old: &str) -> String {
        let url = |path: &str| Url::parse(&format!("http://h/{path}"));
        let (Ok(from), Ok(to)) = (url(old), url(&self.new.own_url)) else {
            return format!("/{}", self.new.own_url);
        };
        let reference = from.relativize(&to, RelativeForm::Path);
        reference.unwrap_or_else(|| format!("/{}", self.new.own_url))
    }

    /// Returns the URL of the new page, relative to the file that `form` writes for the old one.
    pub fn relative_from_file(&self, form: Option<PageUrl>) -> String {
        let file = form.map(|form| form.file(&self.old.own_url));
        self.relative_from(file.as_deref().unwrap_or(&self.old.own_url))
    }

    /// Returns the old URL in the form of a generator's configuration: a path from the root of the site, not
    /// encoded.
    pub fn old_path(&self) -> String {
        decoded(&self.old.own_url)
    }

    /// Returns the new URL in the form of a generator's configuration.
    pub fn new_path(&self) -> String {
        decoded(&self.new.own_url)
    }
}

fn decoded(path: &str) -> String {
    let path = percent_decoded(path);
    format!("/{}", String::from_utf8_lossy(&path))
}

/// The name of a document. sphinx-reredirects writes the page of a name with special characters to a file with
/// percent-escapes in its name, but that of a name with an extension to a file of this name.
fn sphinx_name(source: &str) -> String {
    let stem = source.rsplit_once('.').map_or(source, |(stem, _)| stem);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/_.-~".contains(&byte);
    if stem.bytes().all(is_plain) { stem.to_owned() } else { format!("{stem}.html") }
}
