//! The files from which a generator makes pages, by the paths of the pages, and the paths of pages after moves.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::FileIndex;
use crate::pages::{Pages, in_form_of, page_key, renamed};
use crate::path::{decoded_path, lower_case};
use rehref_document::is_markdown;
use rehref_generators::markdown::{Absence, FolderFiles, PageUrl, StatedUrl, label_key};

/// The extensions of modules.
const MODULES: &[&str] =
    &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "vue", "json", "md", "mdx"];

/// The start of keys of pages that are names of documents in any directory.
const NAMES: &str = "//";

/// The name by which Hugo finds the document at `file` in any directory, in lower case.
pub fn name_of_page(file: &str) -> Option<&str> {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let (stem, _) = name.rsplit_once('.')?;
    let is_index = matches!(stem, "index" | "_index");
    if is_index { folder.rsplit('/').next() } else { Some(stem) }
}

impl FileIndex {
    /// Sets the URLs that documents state in their front matter, by their paths below the root. Call this
    /// before [`FileIndex::with_server`].
    #[must_use]
    pub fn with_stated(mut self, stated: impl Iterator<Item = (String, StatedUrl)>) -> FileIndex {
        Arc::make_mut(&mut self.tree).stated =
            stated.map(|(path, url)| (path.into(), url)).collect();
        self
    }

    /// Sets the labels of documents, which links in other documents name: the key of each label, with the path
    /// of its document. The first of two equal labels is used.
    #[must_use]
    pub fn with_labels(mut self, labels: impl Iterator<Item = (String, String)>) -> FileIndex {
        let known = &mut Arc::make_mut(&mut self.tree).labels;
        for (label, path) in labels {
            known.entry(label.into()).or_insert_with(|| path.into());
        }
        self
    }

    /// Returns true if any document has a label.
    pub fn has_labels(&self) -> bool {
        !self.tree.labels.is_empty()
    }

    /// Returns the path of the document that has this label.
    pub fn labeled(&self, label: &str) -> Option<&str> {
        self.tree.labels.get(&*label_key(label)).map(|path| &**path)
    }

    /// Returns true if the generator finds a fragment in any document of the project, not only in the target.
    pub fn has_anchors_of_project(&self) -> bool {
        self.pages().is_some_and(|it| it.dialect.row().anchors_of_project)
    }

    /// Returns true if the tree contains all documents of the project, so that all labels are known.
    pub fn knows_labels(&self) -> bool {
        self.pages().is_some_and(|it| it.folders.iter().all(|folder| folder.source.is_empty()))
    }

    /// Returns true if `path` names the document `file` without its extension.
    pub fn is_document_name(&self, path: &str, file: &str) -> bool {
        let path = self.normalized(path);
        let roots = self.server.sources.iter().flat_map(|sources| &sources.roots);
        let mut files = roots.filter_map(|root| file.strip_prefix(root.as_str())).chain([file]);
        files.any(|file| {
            let extension = file.strip_prefix(&*path).and_then(|it| it.strip_prefix('.'));
            extension.is_some_and(|it| !it.contains(['/', '.']))
        })
    }

    /// Returns the documents that `pages` are made of, by the paths of the pages.
    pub(super) fn page_files(&self, pages: &Pages) -> FxHashMap<Box<str>, Box<str>> {
        let mut files: FxHashMap<Box<str>, Box<str>> = FxHashMap::default();
        // Where a page is counts more than what its path is from the directory of the documents, or in the tree.
        let mut others = [Vec::new(), Vec::new(), Vec::new()];
        let mut absent = Vec::new();
        for file in self.own_files() {
            let page = self.page_of(pages, file);
            let page =
                page.filter(|page| page.is_document || !page.own_url.ends_with(&*page.source));
            if self.absence(file).is_some() {
                // Another document may have the same page.
                absent.extend(page.into_iter().flat_map(|page| {
                    [page.own_url, page.url, page.tree_url].map(|url| (url, file))
                }));
            } else if let Some(page) = page {
                let [trees, languages, belows] = &mut others;
                if pages.dialect.row().has_bundles {
                    // A path in the content need not be one in the tree.
                    let (source, _) = pages.without_language(&page.source);
                    let folder = pages.language_of_page(file, &page);
                    belows.push((format!("{folder}{source}").to_lowercase(), file));
                    let language = pages.language_of(file);
                    let (own, _) = pages.without_language(file);
                    belows.extend(
                        name_of_page(&own).map(|name| {
                            (format!("{NAMES}{language}{}", name.to_lowercase()), file)
                        }),
                    );
                }
                for url in [&page.own_url, &page.url] {
                    files.insert(page_key(url).into(), file.into());
                }
                trees.push((page.tree_url, file));
                languages.extend(page.untranslated.into_iter().map(|url| (url, file)));
                // A page of another language is another page.
                if !pages.is_of_missing(&page.below) && !pages.is_translated(file) {
                    belows.push((page.below, file));
                }
            }
        }
        let mut several = FxHashSet::default();
        for (url, file) in others.into_iter().flatten().chain(absent) {
            let key = page_key(&url);
            if key.starts_with(NAMES) && files.get(key).is_some_and(|it| **it != *file) {
                several.insert(key.to_owned());
            }
            files.entry(key.into()).or_insert_with(|| file.into());
        }
        files.retain(|key, _| !several.contains(&**key));
        files
    }

    /// Returns the only document in any directory whose name is that of `path`, with or without its extension.
    /// Hugo finds the target of a `ref` in the document at `own` in this way.
    pub fn named(&self, path: &str, own: &str) -> Option<&str> {
        let path = path.trim_start_matches('/').to_lowercase();
        let stem = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
        let language = self.pages().map_or("", |pages| pages.language_of(own));
        // Documents of the first language may stand in for others.
        let has_others = self.pages().is_some_and(|it| it.has_stand_ins(own));
        let mut languages = std::iter::once(language).chain(has_others.then_some(""));
        languages.find_map(|language| {
            let file = match path.contains('/') {
                true => self.pages.get(page_key(&format!("{language}{path}"))),
                false => self.pages.get(&*format!("{NAMES}{language}{stem}")),
            };
            file.map(|file| &**file)
        })
    }

    /// Returns the document to which the generator leads from that at `own` instead of `path`: its translation in the language
    /// that the name of `own` ends with.
    pub fn translation(&self, path: &str, own: &str) -> Option<&str> {
        let translation = self.pages()?.translation(path, own).filter(|it| it != path)?;
        self.file(&translation)
    }

    /// As [`FileIndex::named`], for a name alone, and only for a generator that looks names up.
    pub fn with_name(&self, name: &str, own: &str) -> Option<&str> {
        let looks_up = self.pages().is_some_and(|it| it.dialect.row().has_bundles);
        if looks_up && !name.contains('/') { self.named(name, own) } else { None }
    }

    /// Returns the file that the generator copies to `path`, from the root of the site.
    pub(super) fn copied_file(&self, path: &str) -> Option<&str> {
        let mut sources = self.server.sources(path);
        let found = sources.find_map(|source| self.file(&source));
        found.filter(|file| !is_markdown(Path::new(file)))
    }

    /// Returns true if a generator publishes `file`, at any URL.
    pub fn is_published(&self, file: &str) -> bool {
        self.pages().is_some_and(|pages| pages.source(&decoded_path(file)).is_some())
    }

    /// Returns the path of the page of `file`, relative to the URL of the tree; `None` if the generator makes
    /// no page of it.
    pub fn url_of_page(&self, file: &str) -> Option<String> {
        let page = self.page_of(self.pages()?, file).filter(|it| it.is_document)?;
        Some(page.url)
    }

    /// Returns true if the generator also makes something else at the URL of the page of `file`, such as a redirect in its
    /// configuration.
    pub fn is_page_made_twice(&self, file: &str) -> bool {
        let page = self.pages().and_then(|pages| self.page_of(pages, file));
        let made = self.server.sources.iter().flat_map(|it| &it.made);
        page.filter(|it| it.is_document).is_some_and(|page| {
            made.map(String::as_str).any(|it| page_key(it) == page_key(&page.own_url))
        })
    }

    /// Returns the pairs of documents of which a generator makes the same page: only one of each is built.
    pub fn documents_of_one_page(&self) -> Vec<(&str, &str)> {
        let Some(pages) = self.pages() else { return Vec::new() };
        let files = self.own_files().filter(|it| self.absence(it).is_none());
        let mut files: Vec<&str> = files.collect();
        files.sort_unstable();
        let mut known: FxHashMap<String, &str> = FxHashMap::default();
        let mut found = Vec::new();
        for file in files {
            let Some(page) = self.page_of(pages, file).filter(|it| it.is_document) else {
                continue;
            };
            let url = page.own_url.strip_suffix("index.html").unwrap_or(&page.own_url);
            // The page of a document is in a directory of its name.
            let is_in_folder = pages.dialect.row().has_sections && pages.form != PageUrl::Html;
            let key = if is_in_folder { url.trim_end_matches('/') } else { url };
            match known.get(key) {
                Some(other) => found.push((*other, file)),
                None => _ = known.insert(key.to_owned(), file),
            }
        }
        found
    }

    /// Returns true if `file` is in a directory whose files render hooks publish.
    pub fn is_asset(&self, file: &str) -> bool {
        self.pages().is_some_and(|pages| {
            let path = file.strip_prefix(&*pages.project).unwrap_or(file);
            pages.dialect.row().roots.iter().any(|root| path.starts_with(root))
        })
    }

    /// Returns true if `file` is a template of a theme, which may be part of any page.
    pub fn is_theme_template(&self, file: &str) -> bool {
        let folder = self.pages().and_then(|pages| pages.folder_of(file));
        folder.is_some_and(|it| it.is_template(Path::new(file)))
    }

    /// Returns true if `file` is included in pages, and has no page of its own.
    pub fn is_part(&self, file: &str) -> bool {
        let parts = self.pages().map_or(&[][..], |pages| pages.dialect.row().parts);
        !parts.is_empty() && file.split('/').any(|name| parts.contains(&name))
    }

    /// Returns true if `file` has no page, but pages may import it: MDX, or an image of a strict generator.
    pub fn is_imported(&self, file: &str) -> bool {
        let is_imported = |pages: &Pages| {
            let row = pages.dialect.row();
            let is_part = row.has_expressions() && is_markdown(&decoded_path(file));
            let is_image = row.is_strict && file.ends_with(".svg");
            (is_part || is_image) && self.page_of(pages, file).is_none()
        };
        self.pages().is_some_and(is_imported)
    }

    /// Returns the path that the page of `file` would have without rewrite rules, if such rules publish
    /// documents elsewhere.
    pub fn rewritten_page(&self, file: &str) -> Option<String> {
        let pages = self.pages().filter(|it| !it.rewritten.is_empty())?;
        let page = self.page_of(pages, file).filter(|it| it.is_document)?;
        Some(page.tree_url)
    }

    /// Returns the reason for which a build leaves out the page of the document at `file`, or that of the bundle which has
    /// `file`.
    pub fn absence(&self, file: &str) -> Option<&Absence> {
        let file = self.leaf_around(file).unwrap_or(file);
        self.tree.stated.get(file)?.absence()
    }

    /// Returns true if the generator makes no page of `file`, because the list of documents lacks it, a
    /// pattern excludes it, its front matter says so, or another document is the index of its directory.
    pub fn is_unpublished(&self, file: &str) -> bool {
        let folder = self.pages().and_then(|pages| pages.folder_of(file));
        let is_unpublished = |it: &StatedUrl| it.is_unpublished() || it.is_left_out();
        self.tree.stated.get(file).is_some_and(is_unpublished)
            || folder.is_some_and(|it| it.content.is_excluded)
            || self.index_before(file).is_some()
    }

    /// Returns true if `file` is the list of documents, and all listed documents must exist.
    pub fn is_complete_list(&self, file: &str) -> bool {
        self.pages().is_some_and(|pages| {
            let row = pages.dialect.row();
            let name = file.rsplit('/').next();
            row.is_list_complete && row.list == name
        })
    }

    /// Returns true if the generator renders templates in a file with these `bytes`, whatever its language is.
    pub fn renders(&self, bytes: &[u8]) -> bool {
        let is_first = self.pages().is_some_and(|pages| pages.dialect.row().renders_first());
        is_first && (bytes.starts_with(b"---") || memchr::memmem::find(bytes, b"{%").is_some())
    }

    /// Returns true if a bundler finds a module at `path`, even without the extension of its file or folder.
    /// `text` is the path as it is written, which may begin at the directory of the project.
    pub fn has_module(&self, path: &str, text: &str) -> bool {
        let from_root = self.path_from_alias(text);
        let path = from_root.as_deref().unwrap_or(path);
        self.file(path).is_some() || self.module(path).is_some()
    }

    /// Returns the path of `text`, which begins with the alias of the project's directory.
    pub fn path_from_alias(&self, text: &str) -> Option<String> {
        let pages = self.pages()?;
        Some(format!("{}{}", pages.alias_root, pages.below_alias(text)?))
    }

    /// Returns the file of the module that a bundler finds at `path`, without the extension of its file or folder.
    pub fn module(&self, path: &str) -> Option<&str> {
        MODULES.iter().find_map(|extension| {
            let of_file = self.file(&format!("{path}.{extension}"));
            of_file.or_else(|| self.file(&format!("{path}/index.{extension}")))
        })
    }

    /// Returns true if the generator makes no page of the Markdown document at `file`.
    pub fn makes_no_page(&self, file: &str) -> bool {
        let path = decoded_path(file);
        self.pages().is_some_and(|pages| {
            let row = pages.dialect.row();
            (row.is_strict || row.has_bundles)
                && is_markdown(&path)
                && !pages.folders.is_empty()
                && pages.page(&path, self.tree.stated.get(file)).is_none()
        })
    }

    /// Returns true if the generator publishes the directory of `own`, but not that of `target`, or `target` is
    /// a file that a theme adds there.
    pub fn leaves_sources(&self, own: &str, target: &str) -> bool {
        let name = target.split(['?', '#']).next().unwrap_or_default();
        let may_be_theme = || {
            let has_theme = self.pages().is_some_and(|it| it.dialect.row().has_theme_files);
            let file = name.rsplit('/').next().unwrap_or_default();
            has_theme && file.contains('.') && !is_markdown(Path::new(file))
        };
        self.is_in_sources(own) && (!self.is_in_sources(target) || may_be_theme())
    }

    /// Returns true if the generator copies `file` unchanged.
    pub fn is_copied(&self, file: &str) -> bool {
        let folder = self.pages().and_then(|pages| pages.folder_of(file));
        folder.is_some_and(|it| it.content.files == FolderFiles::Copied)
    }

    /// Returns true if `path` is in a directory that the generator publishes.
    pub fn is_in_sources(&self, path: &str) -> bool {
        let mut folders = self.pages().into_iter().flat_map(|pages| &pages.folders);
        folders.any(|it| path.starts_with(&*it.folder))
    }

    /// Returns true if the generator does not read `file`.
    pub fn is_outside_sources(&self, file: &str) -> bool {
        // With components and modules, it may be a part of a page.
        let has_parts = |pages: &&Pages| pages.dialect.row().root_alias.is_some();
        let pages = self.pages().filter(|pages| !has_parts(pages));
        pages.is_some_and(|pages| pages.skips(&decoded_path(file)))
    }

    /// Returns the number of directories between the document at `file` and the root of the published
    /// directories; `None` if the generator does not publish the document.
    pub fn published_depth(&self, file: &str) -> Option<usize> {
        let source = self.pages()?.source(&decoded_path(file))?;
        Some(source.components().count().saturating_sub(1))
    }

    /// Returns true if a generator publishes `file` at `path`: the path of a URL, or if `is_relative` is true a
    /// path that is relative to the page of another file.
    pub fn is_published_at(&self, file: &str, path: &str, is_relative: bool) -> bool {
        let Some(page) = self.pages().and_then(|pages| self.page_of(pages, file)) else {
            return false;
        };
        let is_page = page.is_document;
        let form = self.pages().map(|pages| pages.form);
        let row = self.pages().map(|pages| pages.dialect.row());
        let is_exact = row.is_some_and(|row| row.is_slash_exact);
        let extension = file.rsplit_once('.').map_or("", |(_, extension)| extension);
        let extensions = row.map_or(&[][..], |row| row.file_extensions);
        let is_copy =
            extensions.is_empty() || extensions.contains(&extension) || extension == "html";
        if !is_page && !is_copy {
            return false;
        }
        // There is no other page of the name.
        let renames = self.pages().is_some_and(|it| it.dialect.row().renames_links);
        let has_name = |path: &str| !path.is_empty() && !path.ends_with('/');
        let is_index = page.own_url.is_empty()
            || page.own_url.ends_with('/')
            || page.own_url.ends_with("index.html");
        let is_html = || path.strip_suffix(".html").is_some_and(|it| page_key(it) == it);
        let is_other_form = is_page
            && match form {
                Some(PageUrl::Directory) => is_html() && !page.own_url.ends_with(".html"),
                Some(PageUrl::Html) => {
                    path.ends_with('/') && !is_index
                        || is_html() && page.own_url.ends_with('/')
                        || renames && has_name(path) && !path.ends_with(".html")
                }
                _ => false,
            };
        let by_key = is_page || page.own_url.ends_with("index.html");
        // `/a/` is a directory, `/a` is none.
        let is_folder = |path: &str| {
            let path = path.strip_suffix(".html").unwrap_or(path);
            path.is_empty() || path.ends_with('/') || path == "index" || path.ends_with("/index")
        };
        let is_same_kind = |url: &str| !is_exact || is_folder(url) == is_folder(path);
        let is_at = |url: &str| match by_key {
            true => page_key(url) == page_key(path) && is_same_kind(url),
            false => url == path,
        };
        let own_path = || self.pages()?.own_path(path);
        let is_tree = is_relative
            && (is_at(&page.tree_url) || own_path().is_some_and(|path| path == page.own_url));
        let is_untranslated = || page.untranslated.iter().any(|it| is_at(it));
        !is_other_form && (is_at(&page.url) || is_at(&page.own_url) || is_tree || is_untranslated())
    }

    /// Returns true if each directory has a page that lists its files, as on a code host.
    pub fn lists_folders(&self) -> bool {
        self.server.sources.as_ref().is_some_and(|sources| sources.lists_folders)
    }

    /// Returns true if the files are sources from which a generator makes pages.
    pub fn reads_sources(&self) -> bool {
        self.server.sources.is_some()
    }

    /// Returns the path of a page for a source; see [`crate::Server::page_path`].
    pub(crate) fn page_path(&self, path: &str, old: &str, new: &str) -> Option<String> {
        let is_named = self.server.is_named_index(path, old);
        let of_page = || self.path_of_page(path, old, new);
        let of_page = (!is_named).then(of_page).flatten();
        of_page.or_else(|| self.server.page_path(path, old, new))
    }

    /// The document to which mdBook makes the link `path` lead, which goes on after the extension: it drops the rest (`a.mdx`).
    pub(super) fn before_rest(&self, path: &str) -> Option<&str> {
        self.pages().filter(|it| it.dialect.row().renames_links)?;
        let (before, rest) = path.rsplit_once(".md")?;
        let document = path.get(..before.len() + ".md".len())?;
        self.file(document).filter(|_| !rest.contains('/'))
    }

    /// Returns true if the generator does not publish `file`.
    pub fn is_unserved(&self, file: &str) -> bool {
        self.pages().is_some_and(|pages| self.page_of(pages, file).is_none())
    }

    /// Returns the document of the page at `path`.
    pub(super) fn page_file(&self, path: &str) -> Option<&str> {
        let path = self.renamed(path);
        let key = page_key(&path);
        let lower_case = || {
            if self.has_lower_case_pages() { self.pages.get(&*lower_case(key)) } else { None }
        };
        let file = self.pages.get(key).or_else(lower_case);
        file.map(|file| &**file)
    }

    /// Returns the path, with the extension of documents, that leads to the page of the document at `path`, if
    /// the generator renames links and a link to `path` leads to no page.
    pub fn renamed_path(&self, path: &str) -> Option<String> {
        let pages = self.pages().filter(|it| it.dialect.row().renames_links)?;
        let page = self.page_of(pages, &self.normalized(path))?.tree_url;
        Some(format!("{}.md", page.strip_suffix(".html")?))
    }

    /// `path` as the generator writes it in pages.
    fn renamed<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let renames = self.pages().is_some_and(|it| it.dialect.row().renames_links);
        if renames { renamed(path) } else { path.into() }
    }

    pub(crate) fn has_lower_case_pages(&self) -> bool {
        let sources = self.server.sources.as_ref();
        sources.is_some_and(|sources| sources.is_lower_case)
    }

    /// Returns true if the generator looks links up by the paths of sources, which are no URLs.
    pub(crate) fn reads_paths(&self) -> bool {
        self.pages().is_some_and(|it| it.dialect.row().reads_paths)
    }

    /// Returns true if `path` is that of the page of `old`, of which no page is made at its new path `new`.
    pub(crate) fn loses_page(&self, path: &str, old: &str, new: &str) -> bool {
        let is_page = self.page_file(path) == Some(old);
        let has_page =
            |pages: &Pages| pages.page(&decoded_path(new), self.tree.stated.get(old)).is_some();
        is_page && self.pages().is_some_and(|pages| !has_page(pages))
    }

    /// Returns the path of the page of `new` in the form of `path`, which is that of the page of `old`.
    pub(crate) fn path_of_page(&self, path: &str, old: &str, new: &str) -> Option<String> {
        let pages = self.pages()?;
        let named = self.renamed(path);
        let key = page_key(&named);
        let is_same = |one: &str, other: &str| {
            if self.has_lower_case_pages() {
                lower_case(one) == lower_case(other)
            } else {
                one == other
            }
        };
        let before = self.page_of(pages, old)?;
        // The document keeps its front matter.
        let after = self.page_at(pages, new, old)?;
        // In another directory that is published, a copied file is not where the tree has it.
        let in_tree = match [&before, &after].map(|it| it.tree_url.strip_suffix(&*it.own_url)) {
            [Some(old), Some(new)] if old != new && !after.is_document => {
                format!("{old}{}", after.own_url)
            }
            _ => after.tree_url.clone(),
        };
        let untranslated = before.untranslated.into_iter().zip(after.untranslated);
        // A file beside the content, which a path from a document in it names.
        let start = named.strip_suffix(&*before.own_url).filter(|it| it.ends_with('/'));
        let beside = start
            .filter(|_| !before.is_document)
            .map(|start| (named.to_string(), format!("{start}{}", after.own_url)));
        let (old, new) = [
            (before.url, after.url),
            (before.own_url, after.own_url),
            (before.tree_url, in_tree),
            (before.below, after.below),
        ]
        .into_iter()
        .chain(untranslated)
        .chain(beside)
        .find(|(before, _)| is_same(page_key(before), key))?;
        let page = in_form_of(&named, &old, &new);
        let stem = page.strip_suffix(".html").filter(|_| *named != *path);
        Some(stem.map_or(page.clone(), |stem| format!("{stem}.md")))
    }

    /// Returns true if a generator makes pages of some of the files.
    pub fn has_pages(&self) -> bool {
        self.pages().is_some() || self.projects().iter().any(FileIndex::has_pages)
    }

    /// Returns the pages that a generator makes of the files; `None` if the server sends the files themselves.
    pub fn pages(&self) -> Option<&Pages> {
        self.server.sources.as_ref()?.pages.as_ref()
    }

    /// Returns the source of a page at this path, in lower case if the URLs of pages are.
    pub(super) fn source(&self, path: &str) -> Option<&str> {
        self.file(path).or_else(|| {
            let lower_case = self.has_lower_case_pages().then(|| lower_case(path))?;
            self.tree.lower_case.get(&*lower_case).map(|file| &**file)
        })
    }
}
