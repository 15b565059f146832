//! The pages and files that a generator makes of no document: sections, terms, aliases, and what `--generated` names.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::FileIndex;
use crate::pages::{Pages, page_key};
use crate::path::{decoded_path, path_in_url, with_slash};

impl FileIndex {
    /// Returns the paths, as [`page_key`] gives them, of the pages that the generator makes besides `pages`.
    pub(super) fn made_pages(&self, pages: &Pages) -> FxHashSet<Box<str>> {
        let row = pages.dialect.row();
        let mut made: FxHashSet<Box<str>> = FxHashSet::default();
        let mut add = |path: &str| _ = made.insert(page_key(path.trim_matches('/')).into());
        let documents = self.own_files().filter(|_| row.has_section_pages);
        for file in documents.filter(|it| self.absence(it).is_none()) {
            if let Some(page) = self.page_of(pages, file).filter(|it| it.is_document)
                && let Some((section, rest)) = page.source.split_once('/')
                // The page of a bundle is that of its directory.
                && !rest.starts_with("index.")
            {
                let decoded = decoded_path(file);
                let root = decoded.to_str().and_then(|it| it.strip_suffix(&*page.source));
                let index = format!("{}{section}/_index.md", root.unwrap_or_default());
                let stated = self.tree.stated.get(&*path_in_url(Path::new(&index)));
                if stated.is_some_and(|it| it.absence().is_some()) {
                    continue;
                }
                let of_section = pages.page(Path::new(&index), stated);
                add(&of_section.map_or(String::new(), |it| it.own_url));
                let language = pages.language_of_page(file, &page);
                if !language.is_empty() {
                    add(language);
                    add(&format!("{language}{section}"));
                }
            }
        }
        let stated = self.own_files().filter_map(|file| Some((file, self.tree.stated.get(file)?)));
        for (file, stated) in stated {
            let mut own = stated.made_pages().peekable();
            let page = own.peek().and_then(|_| self.page_of(pages, file));
            let Some(page) = page else { continue };
            let language = pages.language_of_page(file, &page);
            for (taxonomy, name) in own {
                match taxonomy {
                    Some(taxonomy) => {
                        add(&format!("{language}{taxonomy}"));
                        add(&format!("{language}{taxonomy}/{}", row.term_path(name)));
                    }
                    None if name.starts_with('/') => add(name),
                    None => {
                        let folder = page.own_url.trim_end_matches('/').rsplit_once('/');
                        add(&format!("{}/{name}", folder.map_or("", |(folder, _)| folder)));
                    }
                }
            }
        }
        made
    }

    /// Returns true if `--generated` names the file at `path`, so that a build makes it.
    pub fn is_generated(&self, path: &str) -> bool {
        let generated = &self.server.generated;
        let sources = self.server.sources.iter();
        let mut roots = sources.flat_map(|it| &it.roots).map(String::as_str).chain([""]);
        !generated.is_empty()
            && roots.any(|root| {
                path.strip_prefix(root).is_some_and(|it| generated.has(&decoded_path(it)))
            })
    }

    /// Returns the patterns of `--generated` that matched no missing target.
    pub fn unused_generated(&self) -> Vec<&str> {
        self.server.generated.unused()
    }

    /// Returns true if the generator makes the page or file at `path`, of no file.
    pub(crate) fn is_made(&self, path: &str) -> bool {
        if self.is_generated(path) {
            return true;
        }
        let Some(sources) = &self.server.sources else { return false };
        let own = self.pages().and_then(|it| it.own_path(path));
        let is_in = |folder: &String| {
            let mut paths = [Some(path), own.as_deref()].into_iter().flatten();
            paths.any(|path| path == folder || path.starts_with(&with_slash(folder)))
        };
        let folders = self.pages().map_or(&[][..], |it| &it.made_folders);
        let pages = self.pages().map_or(&[][..], |it| &it.made_pages);
        let is_page = pages.iter().any(|it| page_key(it) == page_key(path));
        let mut paths = [Some(path), own.as_deref()].into_iter().flatten();
        let is_own = paths.any(|path| self.made.contains(page_key(path)));
        if is_page || is_own || folders.iter().any(is_in) {
            return true;
        }
        let roots = sources.roots.iter().filter_map(|root| path.strip_prefix(root.as_str()));
        let mut paths = roots.chain([path]);
        paths.any(|path| sources.made.iter().any(|made| page_key(made) == page_key(path)))
    }
}
