//! Paths that resolve against the roots of a generator's content, and names and ids of documents.

use std::path::Path;

use super::FileIndex;
use crate::pages::PublishedFolder;
use crate::path::as_folder;
use rehref_generators::markdown::{StatedUrl, names_source};

/// A file that was found by a path from a root of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InRoot {
    /// The path below the root of the tree.
    pub path: String,
    /// The path of the root of the content.
    pub root: String,
    /// The length in bytes of the start of the written path that represents the root.
    pub start: usize,
    /// True if the written text is the id of a document, not its path.
    pub is_id: bool,
}

/// The path to which `path` leads from the directory `root`, which has a slash at its end or is empty; `None` if that
/// is above the tree.
fn below(root: &str, path: &str) -> Option<String> {
    let (mut root, mut path) = (root, path);
    loop {
        path = path.strip_prefix("./").unwrap_or(path);
        let Some(rest) = path.strip_prefix("../") else {
            return Some(format!("{root}{path}"));
        };
        let above = root.strip_suffix('/')?;
        root = above.get(..above.rfind('/').map_or(0, |slash| slash + 1))?;
        path = rest;
    }
}

/// The id of a document whose place gives `id` and whose front matter gives `name`.
fn named(id: String, name: Option<&str>) -> String {
    match (name, id.rsplit_once('/')) {
        (Some(name), Some((directory, _))) => format!("{directory}/{name}"),
        (Some(name), None) => name.to_owned(),
        (None, _) => id,
    }
}

fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

impl FileIndex {
    /// Returns the file or page to which `path`, without query and fragment, leads from a root of the content,
    /// in the document at `own`, the path of its URL. Returns `None` if it leads to none from any root.
    pub fn in_content_roots(&self, path: &str, own: &str) -> Option<InRoot> {
        if let Some(folder) = self.folder_of_sidebar(own) {
            return self.document_of_id(path, folder, own);
        }
        let is_source = self.is_source_path(path, own);
        let (start, roots) = self.content_roots(path, own)?;
        let rest = path.get(start..)?;
        let mut found = roots.into_iter().filter_map(|root| {
            let path = below(root, rest)?;
            Some(InRoot { path, root: root.to_owned(), start, is_id: false })
        });
        let found = found.find(|found| match is_source {
            true => self.file(&found.path).is_some_and(|file| self.leads_to_document(own, file)),
            false => {
                let has_languages =
                    self.pages().is_some_and(|it| it.dialect.row().has_language_roots);
                let response = self.find(&found.path, "");
                response.and_then(|it| it.file()).is_some_and(|file| {
                    !has_languages || start == 0 || self.is_published_at(file, &found.path, false)
                })
            }
        });
        found.or_else(|| self.shared_resource(path, own))
    }

    /// The file that `path` leads to from the same document in another language: files of bundles stand in for those
    /// that a language does not have.
    fn shared_resource(&self, path: &str, own: &str) -> Option<InRoot> {
        let pages = self.pages().filter(|it| it.dialect.row().has_language_roots)?;
        let folder = pages.folder_of(own)?;
        let rest = own.strip_prefix(&*folder.folder)?;
        let bundle = rest.get(..=rest.rfind('/')?).filter(|_| !names_source(path))?;
        let mut languages = pages.folders.iter().filter(|it| !it.roots.is_empty());
        let path = languages.find_map(|it| {
            let file = below(&format!("{}{bundle}", it.folder), path)?;
            self.file(&file).map(str::to_owned)
        });
        Some(InRoot { path: path?, root: String::new(), start: 0, is_id: false })
    }

    /// Returns the directory of documents whose sidebar is the file at `own`, or a part of it.
    pub fn folder_of_sidebar(&self, own: &str) -> Option<&PublishedFolder> {
        let pages = self.pages()?;
        let is_category = || pages.dialect.row().is_category(Path::new(own));
        let found = pages.folders.iter().find(|it| it.sidebars.iter().any(|it| it == own));
        found.or_else(|| pages.folder_of(own).filter(|_| is_category()))
    }

    /// The id of the document at `file`, which is in `folder` or would be.
    fn id_of(
        &self,
        file: &str,
        stated: Option<&StatedUrl>,
        folder: &PublishedFolder,
    ) -> Option<String> {
        let id = self
            .pages()?
            .dialect
            .row()
            .document_id(file.strip_prefix(&*folder.folder)?, folder.content.page_names);
        Some(named(id, stated.and_then(StatedUrl::name)))
    }

    /// Returns true if the file at `own` may name the document at `file` by the last part of its id.
    fn is_in_category(&self, file: &str, own: &str) -> bool {
        let is_category =
            self.pages().is_some_and(|it| it.dialect.row().is_category(Path::new(own)));
        is_category && Path::new(file).parent() == Path::new(own).parent()
    }

    /// The document in `folder` with this id, in the sidebar at `own`.
    fn document_of_id(&self, id: &str, folder: &PublishedFolder, own: &str) -> Option<InRoot> {
        let id_of = |file: &str| self.id_of(file, self.tree.stated.get(file), folder);
        let is_of_id = |file: &&str| id_of(file).is_some_and(|it| it == id);
        let is_short = |file: &&str| {
            self.is_in_category(file, own) && id_of(file).is_some_and(|it| last_part(&it) == id)
        };
        let is_category = self.pages()?.dialect.row().is_category(Path::new(own));
        let mut usual = ["md", "mdx"]
            .into_iter()
            .filter_map(|extension| self.file(&format!("{}{id}.{extension}", folder.folder)));
        let is_document = |file: &&str| file.ends_with(".md") || file.ends_with(".mdx");
        let all = || self.files().filter(is_document);
        let found = is_category.then(|| all().find(is_short)).flatten();
        let found = found.or_else(|| usual.find(is_of_id));
        let found = found.or_else(|| all().find(is_of_id))?;
        let root = folder.folder.clone();
        Some(InRoot { path: found.to_owned(), root, start: 0, is_id: true })
    }

    /// Returns the new form of `id`, that of the document that moves from `old` to `new`, in the sidebar that moves from
    /// `own` to `own_after`; `None` if the document is not in that sidebar after the move.
    pub fn id_after(
        &self,
        id: &str,
        [old, new]: [&str; 2],
        [own, own_after]: [&str; 2],
    ) -> Option<String> {
        let found = self.id_of(new, self.tree.stated.get(old), self.folder_of_sidebar(own)?)?;
        let is_short = !id.contains('/') && self.is_in_category(new, own_after);
        Some(if is_short { last_part(&found).to_owned() } else { found })
    }

    /// Returns the roots against which `path` resolves in the document at `own`, in order, and the length in
    /// bytes of its start that selects them. Returns `None` if no root of the content applies.
    pub fn content_roots<'i>(&'i self, path: &str, own: &str) -> Option<(usize, Vec<&'i str>)> {
        let sources = self.server.sources.as_ref()?;
        let pages = sources.pages.as_ref();
        if let Some((pages, rest)) = pages.and_then(|it| Some((it, it.below_alias(path)?))) {
            return Some((path.len() - rest.len(), vec![&pages.alias_root]));
        }
        let folder = pages.and_then(|it| it.folder_of(own));
        let folder = folder.filter(|it| !it.content.roots.is_empty());
        let start = usize::from(path.starts_with('/'));
        match (folder, start) {
            (Some(folder), 1) if !names_source(path) => {
                let language = folder.content.language.as_str();
                let has_roots = pages.is_some_and(|it| it.dialect.row().has_language_roots);
                (has_roots || !language.is_empty()).then(|| (start, vec![language, ""]))
            }
            (Some(folder), _) => {
                let roots = folder.roots.iter().map(String::as_str);
                Some((start, roots.chain(pages.map(|it| it.project.as_str())).collect()))
            }
            (None, _) => {
                let roots = sources.roots.iter().map(String::as_str);
                Some((start, roots.chain([""]).collect()))
            }
        }
    }

    /// Returns true if the generator reads `path` in the document at `own` only as the path of a document.
    pub fn is_source_path(&self, path: &str, own: &str) -> bool {
        let Some(pages) = self.pages() else { return false };
        let has_roots = pages.folder_of(own).is_some_and(|it| !it.content.roots.is_empty());
        has_roots && names_source(path) && pages.below_alias(path).is_none()
    }

    /// Returns true if a path in the document at `own` may lead to `file`, a document of the same kind that has
    /// a page.
    pub fn leads_to_document(&self, own: &str, file: &str) -> bool {
        let Some(pages) = self.pages() else { return false };
        if pages.dialect.row().has_sections {
            let folder = pages.folder_of(file);
            let group = |path: &str| pages.folder_of(path)?.content.group;
            let has_page = match folder.is_some_and(|it| it.content.is_excluded) {
                true => folder == pages.folder_of(own),
                false => self.page_of(pages, file).is_some(),
            };
            return has_page && group(own).is_some() && group(own) == group(file);
        }
        self.is_published(file)
    }

    /// Returns the folder to which `path`, with a slash at its end, leads from a root of the content; `None` if
    /// it leads to none.
    pub fn content_folder(&self, path: &str) -> Option<String> {
        let sources = self.server.sources.as_ref()?;
        let folder = as_folder(path.trim_start_matches('/'))?;
        let mut folders = sources.roots.iter().map(|root| format!("{root}{folder}"));
        folders.find(|it| self.is_folder(it)).map(|it| it + "/")
    }
}
