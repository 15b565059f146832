//! The pages of files, also of those in bundles of Hugo: directories with a document, which are where its page is.

use super::FileIndex;
use crate::pages::{Page, Pages};
use crate::path::decoded_path;

/// The names of the documents of bundles.
const BUNDLE_NAMES: &[&str] = &["index.md", "index.html"];

/// The names of the documents of sections, which are bundles, too.
const SECTION_NAMES: &[&str] = &["_index.md", "_index.html"];

/// Returns true if `file` is the page of a section.
fn is_section_page(file: &str) -> bool {
    file.rsplit('/').next().is_some_and(|name| name.starts_with("_index."))
}

impl FileIndex {
    pub(super) fn page_of(&self, pages: &Pages, file: &str) -> Option<Page> {
        self.page_at(pages, file, file)
    }

    /// Returns the page of the file whose old path is `old`, at `path`.
    pub(super) fn page_at(&self, pages: &Pages, path: &str, old: &str) -> Option<Page> {
        let page = pages.page(&decoded_path(path), self.tree.stated.get(old))?;
        if self.first_index(pages, old).is_some() {
            return None;
        }
        if !pages.dialect.row().has_bundles {
            return Some(page);
        }
        if page.is_document {
            let is_part = self.bundle_around(path).is_some_and(|it| !is_section_page(it));
            return (!is_part).then_some(page);
        }
        Some(self.in_bundle(pages, &page, path, old).unwrap_or(page))
    }

    /// Returns the index document of the directory of `file` because of which the generator makes no page of `file`:
    /// `index.md` beside `README.md`.
    pub fn index_before(&self, file: &str) -> Option<&str> {
        self.first_index(self.pages()?, file)
    }

    fn first_index(&self, pages: &Pages, file: &str) -> Option<&str> {
        let row = pages.dialect.row();
        let (folder, name) = file.split_at(file.rfind('/').map_or(0, |slash| slash + 1));
        let is_index = row.has_one_index && row.index_names.contains(&name);
        let mut first = row.index_names.iter().take_while(|it| **it != name);
        first.find_map(|it| self.file(&format!("{folder}{it}"))).filter(|_| is_index)
    }

    /// The same for a file in a bundle, which is where the page of the bundle is; `None` if it is in none.
    fn in_bundle(&self, pages: &Pages, page: &Page, path: &str, old: &str) -> Option<Page> {
        let folder_of = |file: &str| file.rfind('/').map_or(0, |slash| slash + 1);
        let at = |bundle: &str, file: &str| {
            let rest = file.get(folder_of(bundle)..)?.to_owned();
            let new = format!("{}{}", path.strip_suffix(&*rest)?, bundle.get(folder_of(bundle)..)?);
            Some((bundle.to_owned(), new, rest))
        };
        let there = self.bundle_around(path);
        // A bundle whose directory is not there yet moves along.
        let is_new = |(_, new, _): &(String, String, String)| {
            !self.is_folder(new.get(..folder_of(new)).unwrap_or_default().trim_end_matches('/'))
        };
        let old = self.bundle_around(old).and_then(|it| at(it, old)).filter(is_new);
        let (bundle, new, rest) = match there {
            Some(there) if !is_section_page(there) || old.is_none() => at(there, path)?,
            _ => old?,
        };
        let of_bundle = pages.page(&decoded_path(&new), self.tree.stated.get(&*bundle))?;
        // The files of the page `a.html` are in `a/`.
        let below = |url: &str| match url
            .strip_suffix(".html")
            .filter(|it| *it != "index" && !it.ends_with("/index"))
        {
            Some(stem) => format!("{stem}/{rest}"),
            None => format!("{}{rest}", url.get(..folder_of(url)).unwrap_or_default()),
        };
        Some(Page {
            url: below(&of_bundle.url),
            own_url: below(&of_bundle.own_url),
            tree_url: below(&of_bundle.tree_url),
            below: below(&of_bundle.below),
            ..page.clone()
        })
    }

    /// The page of the leaf bundle that has `file`, if that is another.
    pub(super) fn leaf_around(&self, file: &str) -> Option<&str> {
        self.pages().filter(|it| it.dialect.row().has_bundles)?;
        self.bundle_around(file).filter(|it| !is_section_page(it))
    }

    /// The document of the bundle that has `file`, and is another: the outermost `index.md`, or else the nearest one
    /// of a section.
    fn bundle_around(&self, file: &str) -> Option<&str> {
        let pages = self.pages();
        let own = pages.map(|it| it.without_language(file).0);
        let folders = || file.match_indices('/').map(|(at, _)| file.get(..=at).unwrap_or_default());
        let of_folder = |folder: &str, names: &[&str]| {
            let paths = names.iter().map(|name| format!("{folder}{name}"));
            let mut paths = paths.filter(|it| own.as_deref() != Some(it));
            paths.find_map(|path| {
                let mut others = pages.into_iter().flat_map(|it| it.translations_of(&path));
                self.file(&path).or_else(|| others.find_map(|it| self.file(&it)))
            })
        };
        let mut leaves = folders().filter_map(|folder| of_folder(folder, BUNDLE_NAMES));
        let section = || folders().rev().find_map(|folder| of_folder(folder, SECTION_NAMES));
        leaves.next().or_else(section)
    }
}
