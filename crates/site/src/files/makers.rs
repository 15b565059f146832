//! Makers of pages, files and anchors that a tree does not have.

use std::path::Path;

use super::FileIndex;
use crate::path::{decoded_path, with_slash};
use rehref_document::is_markdown;
use rehref_generators::markdown::{Maker, Makes};

/// The maker of a file that git ignores, in messages.
const BUILD: &str = "a build (git ignores the path)";

/// The maker of a file in a directory beside that of the documents, in messages.
const OUTSIDE: &str = "the directory of documents that is not in the site";
/// The same of a language or version that is built by itself.
const OTHER: &str = "the build of another language or version";
/// The same of a version that a build copies.
const VERSION: &str = "the build of a version whose directory does not exist";

/// Returns true if `path` has an extension, and is not the number of a version.
fn names_file(path: &str) -> bool {
    let extension = Path::new(path).extension().map_or(&b""[..], |it| it.as_encoded_bytes());
    extension.len() > 1 && extension.iter().any(u8::is_ascii_alphabetic)
}

impl FileIndex {
    /// The maker of the page or file at `path`, from the root of the site or of the content, to which the document at
    /// `own` links.
    pub fn maker_of(&self, own: Option<&str>, path: &str) -> Option<&'static str> {
        let sources = self.server.sources.as_ref()?;
        let roots = sources.roots.iter().filter_map(|root| path.strip_prefix(root.as_str()));
        let paths: Vec<&str> = roots.chain([path]).collect();
        // The generator makes no page for what it does not read.
        let is_of_site =
            own.is_none_or(|own| !self.is_outside_sources(own) || self.is_published(path));
        let mut makers = sources.makers.iter().filter(|_| is_of_site);
        let found = makers.find(|it| paths.iter().any(|path| it.makes_page(path)));
        let is_ignored = || {
            // The file itself, or one of the documents whose page has the path.
            let bare = path.trim_end_matches('/');
            let folders = sources.pages.iter().flat_map(|it| &it.folders);
            let folders = folders.filter(|it| !it.is_missing);
            let below = folders.filter_map(|it| {
                let rest = bare.strip_prefix(&*it.url)?;
                Some(format!("{}{rest}", it.folder))
            });
            let roots = sources.roots.iter().map(|root| format!("{root}{bare}"));
            below.chain(roots).chain([bare.to_owned()]).any(|path| {
                let names = [format!("{path}.md"), format!("{path}/index.md"), path];
                names.iter().any(|it| sources.ignored.has(&decoded_path(it)))
            })
        };
        let is_sibling = || sources.pages.as_ref().is_some_and(|it| it.is_sibling(path));
        let found = found.map(|it| it.name);
        let is_outside = || {
            let mut outside = sources.pages.iter().flat_map(|it| &it.outside);
            outside.any(|url| with_slash(path.trim_end_matches('/')).starts_with(url.as_str()))
        };
        let templated = || {
            let mut templates = sources.pages.iter().flat_map(|it| &it.templates);
            templates.find(|it| paths.iter().any(|path| it.makes(path))).map(|it| it.maker)
        };
        found
            .or_else(templated)
            .or_else(|| is_ignored().then_some(BUILD))
            .or_else(|| self.is_of_missing(path).then_some(VERSION))
            .or_else(|| is_sibling().then_some(OTHER))
            .or_else(|| is_outside().then_some(OUTSIDE))
    }

    /// Returns true if a page at `path` would be of a directory that a build makes.
    pub(super) fn is_of_missing(&self, path: &str) -> bool {
        let Some(pages) = self.pages() else { return false };
        let own = pages.own_path(path);
        !names_file(path) && pages.is_of_missing(own.as_deref().unwrap_or(path))
    }

    /// The directory of another program around the HTML at `file`, which no generator of documents publishes: a bundler
    /// makes a page of it.
    pub fn bundled_in<'f>(&self, file: &'f str) -> Option<&'f str> {
        let is_page = || self.pages().is_some_and(|pages| self.page_of(pages, file).is_some());
        if !self.reads_sources() || is_markdown(Path::new(file)) || is_page() {
            return None;
        }
        let folders = file.match_indices('/').filter_map(|(at, _)| file.get(..at));
        let has_package = |it: &&str| self.file(&format!("{it}/package.json")).is_some();
        folders.filter(|it| *it != self.project.trim_end_matches('/')).filter(has_package).last()
    }

    /// The maker of the label `name`.
    pub fn maker_of_label(&self, name: &str) -> Option<&'static str> {
        let mut makers = self.server.sources.as_ref()?.makers.iter();
        makers.find(|it| it.makes_label(name)).map(|it| it.name)
    }

    /// The makers of other ids of the headings of all pages.
    pub fn maker_of_heading_ids(&self) -> Option<&'static str> {
        let mut makers = self.server.sources.as_ref()?.makers.iter();
        makers.find(|it| it.makes == Makes::HeadingIds).map(|it| it.name)
    }

    /// Returns the maker of an anchor on a page whose document names `makers`.
    pub fn maker_of_anchor(&self, makers: &[(&'static Maker, String)]) -> Option<String> {
        let known = &self.server.sources.as_ref()?.makers;
        let is_there = |maker: &Maker| maker.project.is_none() || known.contains(&maker);
        let of_page = makers.iter().find(|(maker, _)| is_there(maker));
        let everywhere = || known.iter().find(|it| it.makes_anchors_everywhere());
        of_page.map(|(_, name)| name.clone()).or_else(|| everywhere().map(|it| it.name.to_owned()))
    }
}
