//! The input of a run: the files of a site and how to read them.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use rustc_hash::{FxHashMap, FxHashSet};

use super::link_base::Inclusions;
use super::linked_file::LinkedFiles;
use super::page_script::PageScripts;
use crate::ServedAnywhere;
use crate::files::{CompressedPage, mark_ignored_by_own_files, with_file_bytes};
use crate::parallel::ThreadOptions;
use crate::{ContainerFile, Selection, SitePlace};
use rehref_document::{ParseOptions, is_markdown};
use rehref_generators::markdown::{
    self, MarkdownDialect, StatedUrl, destination, label_key, labels,
};
use rehref_site::{
    Entry, EntryKind, FileIndex, FileTree, IndexFiles, Server, SiteUrl, path_in_url,
    symlink_target, with_slash,
};
use rehref_url::{AbsoluteUrl, ParseError, Standard, Url, percent_decoded};

/// A site as it is stored: a walked directory, or a single document or archive.
#[derive(Debug)]
pub struct Corpus {
    /// The root directory, canonical; for a single archive, the directory of the archive.
    pub root: PathBuf,
    /// The URL at which the root directory is published.
    pub site_url: SiteUrl,
    /// Other URLs at which the root directory is published (`--also`).
    pub also: Vec<SiteUrl>,
    /// The entries below the root; for a single archive, only the archive.
    pub walk: FileTree,
    /// The rules by which the site's server finds files, other than redirects.
    pub server: Server,
    /// The index files among the entries.
    pub index_files: IndexFiles,
    /// The selection of files that are documents.
    pub selection: Selection,
    /// The documents that servers send for URLs at any depth.
    pub served_anywhere: ServedAnywhere,
    /// The options for parsing documents, unless a document or its container declares others.
    pub options: ParseOptions,
    /// A cache of the charsets and kinds that pages determine for the files that they load; see
    /// [`Corpus::style_charset`] and [`Corpus::linked_kind`].
    pub linked_files: OnceLock<LinkedFiles>,
    /// A cache of the traits of the scripts that pages load; see [`Corpus::script_traits`].
    pub page_scripts: OnceLock<PageScripts>,
    /// A cache of the URLs that Markdown documents state; see [`Corpus::stated_urls`].
    pub stated_urls: OnceLock<FxHashMap<PathBuf, StatedUrl>>,
    /// A cache of the labels of Markdown documents and their neighbors; see [`Corpus::labels`].
    pub labels: OnceLock<Vec<(String, PathBuf)>>,
    /// A cache of the files that documents include; see [`Corpus::inclusions`].
    pub inclusions: OnceLock<Inclusions>,
    /// The standard that references are resolved by.
    pub standard: Standard,
    /// The number of threads; 0: one per core.
    pub threads: usize,
    /// True if a run over a corpus without documents succeeds (`--allow-empty`).
    pub may_be_empty: bool,
    /// Set to cancel the run: no further file or record is then started.
    pub cancel: Arc<AtomicBool>,
}

impl Corpus {
    /// Creates the corpus of the tree below `root` (canonical), published at `site_url` by `server`. Everything
    /// else has its default: all documents, the WHATWG standard, a thread per core.
    pub fn new(root: PathBuf, walk: FileTree, site_url: SiteUrl, server: Server) -> Corpus {
        Corpus {
            index_files: index_files(&server, &walk, |path| path),
            linked_files: OnceLock::new(),
            page_scripts: OnceLock::new(),
            stated_urls: OnceLock::new(),
            labels: OnceLock::new(),
            inclusions: OnceLock::new(),
            root,
            site_url,
            also: Vec::new(),
            walk,
            server,
            selection: Selection::default(),
            served_anywhere: ServedAnywhere::default(),
            options: ParseOptions::default(),
            standard: Standard::default(),
            threads: 0,
            may_be_empty: false,
            cancel: Arc::default(),
        }
    }

    /// Sets another URL of the root, and drops all cached data that depend on the URL.
    pub fn publish_at(&mut self, site_url: SiteUrl) {
        self.site_url = site_url;
        self.linked_files = OnceLock::new();
    }

    /// Returns the [siblings](SiteUrl::siblings) of the URL of the root that are not known to be URLs of the root.
    pub fn unknown_siblings(&self) -> Vec<SiteUrl> {
        let mut siblings = self.site_url.siblings();
        siblings.retain(|it| !self.site_url.is_placeholder() && !self.also.contains(it));
        siblings
    }

    /// Returns the index files of the tree in which each entry has the path that `new_path` gives it.
    pub fn index_files_at<'p>(&'p self, new_path: impl Fn(&'p Path) -> &'p Path) -> IndexFiles {
        index_files(&self.server, &self.walk, new_path)
    }

    /// Returns a corpus of the files of `place`, published at `site_url`, with the options of this one. If this
    /// corpus omits the files that git ignores, so does the new one; `counterpart` maps paths of this corpus to
    /// paths of the new one.
    #[must_use]
    pub fn reading(
        &self,
        place: &SitePlace,
        site_url: SiteUrl,
        counterpart: impl Fn(&Path) -> PathBuf,
    ) -> Corpus {
        let server = self.server.clone();
        let mut walk = place.walk();
        if self.selection.gitignore {
            mark_ignored_by_own_files(&place.root(), &mut walk);
            let ignored: FxHashSet<PathBuf> = self.walk.ignored().map(counterpart).collect();
            walk.mark_ignored(|entry| ignored.contains(&entry.path));
        }
        let new = Corpus::new(place.root(), walk, site_url, server);
        let mut selection = self.selection.clone();
        let renamed = selection.single.as_mut().zip(place.document_name());
        let index_files = match renamed {
            // A copy takes the place of the document, whatever its name is.
            Some((single, name)) => {
                name.clone_into(&mut single.path);
                self.index_files.clone()
            }
            None => new.index_files,
        };
        Corpus {
            index_files,
            also: self.also.clone(),
            selection,
            served_anywhere: self.served_anywhere.clone(),
            options: self.options,
            standard: self.standard,
            threads: self.threads,
            cancel: Arc::clone(&self.cancel),
            ..new
        }
    }

    /// Returns the paths of all files below the root, in the order of the walk.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let entries = self.walk.entries.iter();
        entries.filter(|entry| entry.kind == EntryKind::File).map(|entry| entry.path.as_path())
    }

    /// Returns the document URL of the file at `path`.
    ///
    /// # Errors
    /// Returns the errors of [`IndexFiles::document_url`].
    pub fn document_url(&self, path: &Path) -> Result<Url, ParseError> {
        self.index_files.document_url(&self.site_url, path)
    }

    /// Returns the index of the files by URL, for [`Corpus::server`].
    pub fn file_index(&self) -> FileIndex {
        self.file_index_of(self.server.clone())
    }

    /// Returns the index of the files by URL, for the server `server`.
    pub fn file_index_of(&self, server: Server) -> FileIndex {
        self.file_index_at(&self.walk.entries, server, |path| path)
    }

    /// Returns the index of files by URL in the tree of `entries`, for the server `server`. `path_in` maps the
    /// paths of this corpus to paths in that tree.
    pub fn file_index_at<'p>(
        &'p self,
        entries: &[Entry],
        server: Server,
        path_in: impl Fn(&'p Path) -> &'p Path,
    ) -> FileIndex {
        let unread = self.walk.errors.iter().map(|error| &*error.path);
        let index = FileIndex::new(&self.root, entries).with_unread(unread);
        let stated = self.stated_urls().iter();
        let stated = stated.map(|(path, url)| (path_in_url(path_in(path)), url.clone()));
        let labels = self.labels().iter();
        let labels = labels.map(|(label, path)| (label.clone(), path_in_url(path_in(path))));
        let index = index.with_stated(stated).with_labels(labels);
        index.with_server(server, self.site_url.url().path())
    }

    /// Returns the URLs that documents in Markdown state in their front matter, with the paths of the documents.
    pub fn stated_urls(&self) -> &FxHashMap<PathBuf, StatedUrl> {
        self.stated_urls.get_or_init(|| {
            let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
            let now = now.map_or(0, |it| i64::try_from(it.as_secs() / 60).unwrap_or(i64::MAX));
            let dialects = self.dialects().filter(|it| !it.row().url_keys.is_empty());
            let stated = dialects.flat_map(|dialect| {
                let row = dialect.row();
                let is_in = move |path: &Path| self.selection.dialect_of(path) == Some(dialect);
                let is_read = move |path: &&Path| {
                    let is_document = is_markdown(path) || row.reads_front_matter_of(path);
                    is_document && !row.is_category(path) && is_in(path)
                };
                let is_category = move |path: &&Path| row.is_category(path) && is_in(path);
                let documents = self.texts_of(is_read, move |text| StatedUrl::of(text, row));
                let documents = documents.map(move |(path, stated)| {
                    (path, stated.map(|it| it.built_at(now, &path_in_url(path), row)))
                });
                let categories =
                    self.texts_of(is_category, move |text| StatedUrl::of_category(text, row));
                documents.chain(categories)
            });
            let stated = stated.filter_map(|(path, url)| Some((path.to_owned(), url?)));
            let unpublished = self.unpublished().into_iter();
            let unpublished = unpublished.map(|path| (path.to_owned(), StatedUrl::unpublished()));
            stated.chain(unpublished).collect()
        })
    }

    /// The documents of which no pages are made, since the list of the documents beside them does not have them.
    fn unpublished(&self) -> Vec<&Path> {
        let mut unpublished = Vec::new();
        for list in self.files() {
            let dialect = self.selection.dialect_of(list);
            let name = dialect.and_then(|it| it.row().list);
            let (Some(dialect), Some(folder)) = (dialect, list.parent()) else { continue };
            let pages = self.server_of(list).sources.as_ref().and_then(|it| it.pages.as_ref());
            let url = with_slash(&path_in_url(folder));
            let is_list = list.file_name().and_then(OsStr::to_str) == name
                && name.is_some()
                && pages.is_some_and(|pages| pages.folders.iter().any(|it| it.folder == url));
            if !is_list {
                continue;
            }
            let read =
                |bytes: &[u8], _: &_| documents_in(&String::from_utf8_lossy(bytes), list, dialect);
            let Ok(listed) = with_file_bytes(&self.root.join(list), read) else { continue };
            let is_unlisted = |path: &&Path| {
                path.starts_with(folder)
                    && self.selection.document_dialect(path) == Some(dialect)
                    && !listed.contains(*path)
            };
            unpublished.extend(self.files().filter(is_unlisted));
        }
        unpublished
    }

    /// The labels of all documents, if their generator has some, with the paths of the documents.
    fn labels(&self) -> &Vec<(String, PathBuf)> {
        self.labels.get_or_init(|| {
            let dialect_of =
                |path: &&Path| self.selection.dialect_of(path).filter(|it| it.row().has_labels());
            let has_labels = |path: &&Path| {
                let extension = path.extension().and_then(|it| it.to_str());
                dialect_of(path).is_some_and(|dialect| {
                    is_markdown(path) || extension.is_some_and(|it| dialect.row().reads(it))
                })
            };
            if !self.dialects().any(|it| it.row().has_labels()) {
                return Vec::new();
            }
            let texts = self.texts_of(has_labels, |text| labels(text).map(label_key).collect());
            let labels = texts.flat_map(|(path, labels): (&Path, Vec<String>)| {
                labels.into_iter().map(|label| (label, path.to_owned()))
            });
            labels.collect()
        })
    }

    /// Returns the dialects of the Markdown documents, each once.
    pub fn dialects(&self) -> impl Iterator<Item = MarkdownDialect> {
        let of_projects = self.selection.projects.iter().copied();
        let mut known = FxHashSet::default();
        self.selection.markdown.into_iter().chain(of_projects).filter(move |it| known.insert(*it))
    }

    /// Returns the server rules for the file at `path`: those of the innermost project that contains it.
    pub fn server_of(&self, path: &Path) -> &Server {
        match self.server.projects.is_empty() {
            true => &self.server,
            false => self.server.of(&path_in_url(path)),
        }
    }

    /// Returns the results of `read` for the texts of all documents of this `dialect`, with their paths; without those
    /// that cannot be read: the run itself reports them.
    pub(crate) fn markdown_texts<T>(
        &self,
        dialect: MarkdownDialect,
        read: impl Fn(&str) -> T,
    ) -> impl Iterator<Item = (&Path, T)> {
        let is_read = move |path: &&Path| self.selection.document_dialect(path) == Some(dialect);
        self.texts_of(is_read, read)
    }

    /// The same for all files for which `is_read` holds.
    pub(crate) fn texts_of<T>(
        &self,
        is_read: impl Fn(&&Path) -> bool,
        read: impl Fn(&str) -> T,
    ) -> impl Iterator<Item = (&Path, T)> {
        self.files().filter(is_read).filter_map(move |path| {
            let read = |bytes: &[u8], _: &_| read(&String::from_utf8_lossy(bytes));
            Some((path, with_file_bytes(&self.root.join(path), read).ok()?))
        })
    }

    /// Returns the URL of the page made of the document at `path` if it were at `new_path` in a site at `site_url`,
    /// where it does not follow from that of the document: its front matter or the configuration of the generator says
    /// it.
    pub(crate) fn page_url(
        &self,
        path: &Path,
        new_path: &Path,
        site_url: &SiteUrl,
    ) -> Result<Option<AbsoluteUrl>, ParseError> {
        let pages = self.server_of(path).sources.as_ref().and_then(|it| it.pages.as_ref());
        let Some(pages) = pages.filter(|_| is_markdown(path)) else { return Ok(None) };
        let url = pages.stated_base(new_path, self.stated_urls().get(path));
        let url = url.map(|url| site_url.url_below(&url)).transpose()?;
        Ok(url.map(|url| AbsoluteUrl::new(self.standard, url)))
    }

    pub fn thread_options(&self) -> ThreadOptions<'_> {
        ThreadOptions { threads: self.threads, cancel: &self.cancel }
    }

    /// Returns the container at `path`, with the options to read it. `name` is its name in messages.
    pub fn container_file<'c>(&self, path: &'c Path, name: &'c str) -> ContainerFile<'c> {
        ContainerFile {
            path,
            name,
            // Its records have URLs.
            options: ParseOptions { no_url: false, ..self.options },
            standard: self.standard,
        }
    }
}

/// The documents that the document `text` at `path` links to.
fn documents_in(text: &str, path: &Path, dialect: MarkdownDialect) -> FxHashSet<PathBuf> {
    let values = markdown::find(text.as_bytes(), text, dialect, false).values;
    let links = values.iter().filter_map(|value| {
        let url = destination::decode(value.span.of(text.as_bytes()), value.form);
        let target = percent_decoded(url.as_str());
        symlink_target(path, Path::new(&*String::from_utf8_lossy(&target)))
    });
    links.collect()
}

/// The index files among the entries of `walk`, each at the path that `new_path` gives it.
fn index_files<'p>(
    server: &Server,
    walk: &'p FileTree,
    new_path: impl Fn(&'p Path) -> &'p Path,
) -> IndexFiles {
    let paths = walk.entries.iter().map(|entry| new_path(&entry.path));
    IndexFiles::new(server, paths.map(page))
}

/// Returns the page that the file at `path` holds: a compressed page without the suffix of its compression.
pub(super) fn page(path: &Path) -> Cow<'_, Path> {
    CompressedPage::of(path).map_or(Cow::Borrowed(path), |it| Cow::Owned(it.page))
}
