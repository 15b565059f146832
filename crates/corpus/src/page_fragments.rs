//! HTML that is only a piece of a page, which a script inserts into pages: there, its links resolve against the URL of the page.

use std::path::PathBuf;

use serde::Serialize;

use crate::files::with_file_bytes;
use crate::page_script::is_script;
use crate::stale_paths::strings::StringSyntax;
use crate::{Corpus, FileRole};
use rehref_site::{diagnostic::display_path, path_in_url};

/// A file with a part of a page, and the script that inserts it into pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InsertedFragment {
    /// The path of the file below the root.
    pub path: String,
    /// The path of the script, or of the page that contains the script.
    pub inserted_by: String,
}

impl Corpus {
    /// Returns the files of `fragments` that a script, or an attribute that scripts read, names.
    pub(crate) fn inserted_fragments(&self, fragments: &[PathBuf]) -> Vec<InsertedFragment> {
        let mut wanted: Vec<(&PathBuf, String)> =
            fragments.iter().map(|path| (path, path_in_url(path))).collect();
        let mut found = Vec::new();
        for file in self.files() {
            if wanted.is_empty() {
                break;
            }
            let syntax = match self.role(file) {
                Ok(FileRole::Document(kind)) => StringSyntax::of_document(kind),
                Ok(FileRole::Other) => Some(StringSyntax::of_path(file)),
                _ => None,
            };
            let is_code = |it: &StringSyntax| match it {
                StringSyntax::Html => true,
                StringSyntax::Script => is_script(file),
                StringSyntax::Xml | StringSyntax::Text => false,
            };
            let syntax = syntax.filter(is_code);
            let Some(syntax) = syntax else { continue };
            let mut named = vec![false; wanted.len()];
            let read = with_file_bytes(&self.root.join(file), |bytes, _| {
                let has_name = |path: &str| {
                    let name = path.rsplit('/').next().unwrap_or(path);
                    memchr::memmem::find(bytes, name.as_bytes()).is_some()
                };
                let may_load = |sign: &&str| memchr::memmem::find(bytes, sign.as_bytes()).is_some();
                if wanted.iter().any(|(path, url)| *path != file && has_name(url))
                    && LOADERS.iter().any(may_load)
                {
                    syntax.strings(bytes, |string| {
                        for ((path, url), named) in wanted.iter().zip(&mut named) {
                            *named |= *path != file && is_name_of(&string.text, url);
                        }
                    });
                }
            });
            // The run itself reports a file that cannot be read.
            if read.is_ok() {
                let mut named = named.into_iter();
                wanted.retain(|(path, _)| {
                    let is_named = named.next().unwrap_or_default();
                    if is_named {
                        let inserted_by = display_path(file);
                        found.push(InsertedFragment { path: display_path(path), inserted_by });
                    }
                    !is_named
                });
            }
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        found
    }
}

/// Parts of the calls and attributes that load a file into a page.
const LOADERS: [&str; 8] =
    ["fetch(", "XMLHttpRequest", ".load(", ".get(", ".ajax(", "hx-get", "-include", "include-"];

/// Returns true if `text`, a string of a script, may name the file at `path`: one ends with the other, after whole
/// names.
fn is_name_of(text: &str, path: &str) -> bool {
    let text = text.split(['?', '#', ' ']).next().unwrap_or_default();
    let start = text.rfind("../").map_or(0, |at| at + "../".len());
    let text =
        text.get(start..).unwrap_or_default().trim_start_matches("./").trim_start_matches('/');
    let ends = |whole: &str, end: &str| {
        whole.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'))
    };
    !text.is_empty() && !text.ends_with('/') && (ends(path, text) || ends(text, path))
}

/// Returns true if `html` is a piece of a page: it has no tag that only whole pages have.
pub(crate) fn is_page_fragment(html: &[u8]) -> bool {
    const TAGS: [&[u8]; 6] = [b"!doctype", b"html", b"head", b"title", b"body", b"frameset"];
    let is_of_page = |at: usize| {
        let rest = html.get(at + 1..).unwrap_or_default();
        TAGS.iter().any(|tag| {
            let end = rest.get(tag.len());
            rest.get(..tag.len()).is_some_and(|name| name.eq_ignore_ascii_case(tag))
                && end.is_some_and(|b| b.is_ascii_whitespace() || *b == b'>')
        })
    };
    !memchr::memchr_iter(b'<', html).any(is_of_page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_name_files_by_the_ends_of_their_paths() {
        for (text, expected) in [
            ("partials/nav.html", true),
            ("/docs/partials/nav.html?v=1", true),
            ("../../partials/nav.html", true),
            ("nav.html", true),
            ("nav.html #menu", true),
            ("./nav.html", true),
            ("av.html", false),
            ("other/nav.html", false),
            ("partials/", false),
            ("../", false),
        ] {
            assert_eq!(is_name_of(text, "partials/nav.html"), expected, "{text}");
        }
    }

    #[test]
    fn whole_pages_have_a_tag_of_their_own() {
        for (html, expected) in [
            ("<nav><a href=x></nav>", true),
            ("<header><p>", true),
            ("<!DOCTYPE html><p>", false),
            ("<HTML><p>", false),
            ("<p><title>x</title>", false),
            ("<p><body", true),
        ] {
            assert_eq!(is_page_fragment(html.as_bytes()), expected, "{html}");
        }
    }
}
