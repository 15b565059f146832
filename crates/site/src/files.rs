//! Finds the file of a tree that a server sends for a URL.

mod bundles;
mod content_roots;
mod decoded_names;
mod made;
mod makers;
mod rules;
mod sources;
mod tree;
mod wiki;

pub use sources::name_of_page;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use content_roots::InRoot;
use rustc_hash::{FxHashMap, FxHashSet};
use tree::{COMPRESSED, NodeKind, Tree};

use super::aliases::ResolvedPath;
use super::path::{
    as_folder, encoded, normalized_path, path_in_url, with_merged_slashes, with_slash,
};
use super::projects::Projects;
use super::rule_index::RuleIndex;
use super::server::Server;
use super::walk::Entry;
use rehref_url::percent_decoded;
use rehref_url::simple::is_path;

/// Extensions that servers add to a name without one.
const EXTENSIONS: &[&str] = &[".html", ".htm", ".xhtml"];

/// The length of the longest of [`EXTENSIONS`].
const LONGEST_EXTENSION: usize = ".xhtml".len();

/// The names that mirroring tools give to the file of a URL with a query, `page?id=3`: the character
/// in place of the question mark (`@` for `wget --restrict-file-names=windows`, since Windows allows
/// no question mark) and an extension that they may add (`wget -E`).
#[rustfmt::skip]
const QUERY_NAMES: &[(&str, &str)] = &[
    ("%3F", ""), ("%3F", ".html"), ("%3F", ".css"), ("@", ""), ("@", ".html"), ("@", ".css"),
];

/// The files and folders of a tree by their paths in URLs, and the rules of the server that sends them.
///
/// All paths here are parts of URLs after the site's URL, percent-encoded as in
/// [`super::SiteUrl::file_url`]: `lib/a%20b.html`. Folders have no trailing slash; the root
/// is the empty path.
#[derive(Clone, Debug, Default)]
pub struct FileIndex {
    tree: Arc<Tree>,
    server: Arc<Server>,
    /// The indexes of the projects of generators below the tree.
    projects: Arc<Projects<FileIndex>>,
    /// The files in the folders of the project that this is the index of; `None` for the tree.
    own_files: Option<Arc<[Box<str>]>>,
    /// The redirect rules of the server, by their paths.
    rules: Arc<RuleIndex>,
    /// The path of the site's URL without the slash at its start. The paths of redirect rules begin
    /// with it.
    root_path: Box<str>,
    /// The documents that pages are made of, by the paths of the pages; see [`FileIndex::page_file`].
    pages: Arc<FxHashMap<Box<str>, Box<str>>>,
    /// The paths of the pages that a generator makes besides those of documents: redirects, sections, terms.
    made: Arc<FxHashSet<Box<str>>>,
}

/// The response of the server to a request for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response<'i> {
    /// The file whose path the URL has.
    File(&'i str),
    /// A file whose name contains the query.
    Query(&'i str),
    /// A file whose name has one more extension.
    Extension(&'i str),
    /// The index file of a folder.
    Index(&'i str),
    /// A file that a rule of the [`Server`] selects: a pattern, content negotiation, a redirect.
    ByRule(&'i str),
    /// A redirect to a URL outside the site, or a page that a generator makes of no document.
    Redirect,
    /// A folder that has no index file.
    Folder,
    /// Unknown: the folder that would hold the file could not be read, or the generator makes the file.
    Unread,
}

impl<'i> Response<'i> {
    /// Returns the path of the file in the tree that the server sends, if it sends one.
    pub fn file(&self) -> Option<&'i str> {
        match *self {
            Response::File(file)
            | Response::Query(file)
            | Response::Extension(file)
            | Response::Index(file)
            | Response::ByRule(file) => Some(file),
            Response::Redirect | Response::Folder | Response::Unread => None,
        }
    }
}

impl FileIndex {
    /// Creates the index of `entries`, the tree at `root` (a canonical path). A symbolic link is indexed as its
    /// target: a file or a folder. A symbolic link without a target is omitted. Files below a symbolic link to
    /// a folder of the tree are found, too.
    pub fn new(root: &Path, entries: &[Entry]) -> FileIndex {
        FileIndex { tree: Arc::new(Tree::new(root, entries)), ..FileIndex::default() }
    }

    /// Sets the server that sends the files. `root_path` is the path of the site's URL: the paths
    /// of redirect rules begin with it.
    #[must_use]
    pub fn with_server(mut self, server: Server, root_path: &str) -> FileIndex {
        let is_lower_case =
            |it: &Server| it.sources.as_ref().is_some_and(|sources| sources.is_lower_case);
        let is_lower_case = is_lower_case(&server) || server.projects.iter().any(is_lower_case);
        let is_indexed = !self.tree.variants.is_empty() || !self.tree.lower_case.is_empty();
        if server.negotiates || is_lower_case || is_indexed {
            Arc::make_mut(&mut self.tree).index_names(server.negotiates, is_lower_case);
        }
        self.root_path = root_path.trim_start_matches('/').into();
        self.rules = Arc::new(RuleIndex::new(&server.redirects));
        let mut own_files = vec![Vec::new(); server.projects.iter().len()];
        for file in self.files().filter(|_| !server.projects.is_empty()) {
            for number in server.projects.around(file) {
                let files = own_files.get_mut(number);
                // Folders of a project may be in one another.
                let files = files
                    .filter(|it: &&mut Vec<Box<str>>| it.last().is_none_or(|it| **it != *file));
                files.into_iter().for_each(|it| it.push(file.into()));
            }
        }
        let mut own_files = own_files.into_iter();
        self.projects = Arc::default();
        let projects = server.projects.map(|of_project| {
            let own_files = own_files.next().map(Arc::from);
            let mut of_project = of_project.clone();
            of_project.redirects = Arc::clone(&server.redirects);
            FileIndex { own_files, ..self.clone() }.with_pages(of_project)
        });
        self.projects = Arc::new(projects);
        self.with_pages(server)
    }

    /// Sets the server, and the pages that it makes of the files.
    fn with_pages(mut self, server: Server) -> FileIndex {
        self.server = Arc::new(server);
        let mut files = self.pages().map(|it| self.page_files(it)).unwrap_or_default();
        let made = self.pages().map(|it| self.made_pages(it)).unwrap_or_default();
        // An alias may have taken the place of a page that a build leaves out.
        files.retain(|key, file| {
            let stated = self.tree.stated.get(file);
            !made.contains(key) || stated.is_none_or(|it| it.absence().is_none())
        });
        (self.pages, self.made) = (Arc::new(files), Arc::new(made));
        self
    }

    /// Returns the index that applies to links of the document at `path`: the index of the innermost project
    /// that contains it.
    pub fn of_document(&self, path: &str) -> &FileIndex {
        self.projects.innermost(path).unwrap_or(self)
    }

    /// Returns the indexes of the projects below the tree.
    pub fn projects(&self) -> &Projects<FileIndex> {
        &self.projects
    }

    /// Returns the index of the project in this tree whose folder is that of `other`, an index of another tree;
    /// `self` if there is none.
    pub fn of_project_of(&self, other: &FileIndex) -> &FileIndex {
        self.projects.innermost(other.project()).unwrap_or(self)
    }

    /// Adds folders that could not be read, as paths below the root; the empty path is the root.
    #[must_use]
    pub fn with_unread<'p>(mut self, folders: impl Iterator<Item = &'p Path>) -> FileIndex {
        Arc::make_mut(&mut self.tree).unread =
            folders.map(|path| path_in_url(path).into()).collect();
        self
    }

    /// Returns true if `path` is a folder that could not be read, or in one.
    fn is_unread(&self, path: &str) -> bool {
        let mut unread = self.tree.unread.iter();
        unread.any(|folder| {
            let rest = path.strip_prefix(&**folder);
            folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    /// Adds compressed files and their pages, as paths below the root: servers send `page.html.gz` for
    /// `page.html`. Both are one file in the index, at the path of the page if the page exists, too.
    pub fn add_compressed<'p>(&mut self, pages: impl Iterator<Item = (&'p Path, PathBuf)>) {
        let tree = Arc::make_mut(&mut self.tree);
        for (file, page) in pages {
            let (file, page) = (path_in_url(file), path_in_url(&page));
            if file == page {
                continue;
            }
            if tree.kinds.contains_key(&*page) {
                tree.aliases.insert(file, page)
            } else {
                tree.kinds.insert(page.as_str().into(), NodeKind::File);
                tree.aliases.insert(page, file);
            };
        }
    }

    /// Returns the path of the file for which `path` is an alias, by a symbolic link or as a compressed page.
    /// Returns `path` itself if it is not an alias.
    pub fn resolve_alias<'p>(&'p self, path: &'p str) -> &'p str {
        self.tree.aliases.target(path).unwrap_or(path)
    }

    /// Returns `path`, percent-encoded in any way, in the form of the paths of the index: as
    /// [`normalized_path`] writes it, with slashes merged as the server does.
    pub fn normalized<'p>(&self, path: &'p str) -> Cow<'p, str> {
        // Most paths are written so.
        if is_path(path) {
            return path.into();
        }
        let path = normalized_path(path);
        if self.server.is_strict_about_slashes { path } else { with_merged_slashes(path) }
    }

    /// Returns `path`, percent-encoded in any way, with its symbolic links resolved; `None` if it contains
    /// none.
    pub fn resolve_symlinks(&self, path: &str) -> Option<ResolvedPath<'_>> {
        self.tree.aliases.resolve(&self.normalized(path))
    }

    /// Returns a path of `file` that uses the symbolic links `links`, the outermost first. Omits links that do
    /// not lead to the file.
    pub fn spell_through<'l>(
        &self,
        file: &str,
        links: impl DoubleEndedIterator<Item = &'l str>,
    ) -> String {
        self.tree.aliases.spell(file, links)
    }

    /// Returns true if the index is the default one, which has not even the root. A tree's index is never
    /// empty.
    pub fn is_empty(&self) -> bool {
        self.tree.kinds.is_empty()
    }

    /// Finds the response of the server to a URL. `path` may be percent-encoded in any way; `query` begins with
    /// `?`, or is empty. Returns `None` if the server answers "not found".
    pub fn find(&self, path: &str, query: &str) -> Option<Response<'_>> {
        self.find_or_loop(path, query).0
    }

    /// As [`FileIndex::find`], and also returns true if a redirect loop is the reason for a missing response.
    pub fn find_or_loop(&self, path: &str, query: &str) -> (Option<Response<'_>>, bool) {
        self.find_normalized(&self.normalized(path), query)
    }

    /// Returns true if the URL with this `path`, which is [normalized](FileIndex::normalized), has a response,
    /// or goes through a symbolic link.
    pub fn knows(&self, path: &str) -> bool {
        self.find_normalized(path, "").0.is_some() || self.tree.aliases.resolve(path).is_some()
    }

    /// Returns true for a `response` of [`FileIndex::find`] that the server sends without adding the extension of a file.
    pub fn is_sent(&self, response: &Response<'_>) -> bool {
        self.reads_sources() || !matches!(response, Response::Extension(_))
    }

    /// The file that content negotiation selects for a path without a file.
    fn variant(&self, path: &str) -> Option<&str> {
        if self.tree.variants.is_empty() {
            return None;
        }
        let find = |name| self.tree.variants.get(&*format!("{path}{name}"));
        let file = self.names_to_append(path).into_iter().find_map(find);
        file.map(|file| &**file)
    }

    /// The names that complete the path of a URL: those of index files for a folder, else nothing.
    fn names_to_append(&self, path: &str) -> Vec<&str> {
        match as_folder(path) {
            Some(_) => self.server.index_names().collect(),
            None => vec![""],
        }
    }

    fn find_file(&self, path: &str, query: &str) -> Option<Response<'_>> {
        let served = self.find_served(path, query);
        let sources = self.server.sources.as_ref();
        // A directory may have the path of a page that is published elsewhere.
        let has_folders = || self.pages().is_some_and(|pages| pages.dialect.row().has_sections);
        match served {
            Some(Response::ByRule(_) | Response::Index(_))
                if sources.is_some() && has_folders() =>
            {
                let page = self.page_file(path).map(Response::ByRule);
                page.or(served.filter(|_| !self.is_of_missing(path)))
            }
            // A page may be published elsewhere than its file in HTML.
            Some(Response::Extension(_)) if sources.is_some() => {
                self.page_file(path).map(Response::ByRule).or(served)
            }
            None | Some(Response::Folder) if sources.is_some() => {
                let page = self.page_file(path);
                let sources = || {
                    let mut sources = self.server.sources(path);
                    sources.find_map(|source| self.source(&source))
                };
                let own_path = || self.pages()?.own_path(path);
                let in_own = || own_path().and_then(|own| self.copied_file(&own));
                let cut = || self.before_rest(path);
                let source = page.or_else(sources).or_else(in_own).or_else(cut);
                source.map(Response::ByRule).or(served)
            }
            _ => served,
        }
    }

    /// The response of the server to the [normalized](FileIndex::normalized) `path`: the file with that path or query,
    /// one that a rule of the server tries, the index file of a folder, or a file whose name adds an extension.
    fn find_served(&self, path: &str, query: &str) -> Option<Response<'_>> {
        let folder = as_folder(path);
        if !query.is_empty()
            && self.tree.has_query_names
            && let Some(file) = self.by_query(path, query)
        {
            return Some(Response::Query(file));
        }
        let kind = self.tree.kinds.get_key_value(folder.unwrap_or(path));
        if let Some((file, NodeKind::File)) = kind
            && folder.is_none()
        {
            return Some(Response::File(file));
        }
        if let Some(file) = self.server.tries(path).find_map(|tried| self.file(&tried)) {
            return Some(Response::ByRule(file));
        }
        match kind {
            Some((folder, NodeKind::Folder)) => {
                let negotiated = || self.variant(&with_slash(folder));
                let index = self.index_of(folder).or_else(negotiated);
                Some(index.map_or(Response::Folder, Response::Index))
            }
            None if folder.is_none() => self
                .literal(path)
                .map(Response::File)
                .or_else(|| self.with_extension(path).map(Response::Extension)),
            _ => None,
        }
    }

    /// Returns the index of this tree after moves. `new_path` returns the new path of a file, a symbolic link
    /// or a folder, and `None` if it does not move; `counterpart` returns the new path of the target of a
    /// symbolic link. Folders without files are omitted.
    pub fn after_moves(
        &self,
        new_path: impl Fn(&str) -> Option<String>,
        counterpart: impl Fn(&str) -> Option<String>,
    ) -> FileIndex {
        let tree = Arc::new(self.tree.after_moves(new_path, counterpart));
        let moved = FileIndex { tree, ..FileIndex::default() };
        moved.with_server((*self.server).clone(), &self.root_path)
    }

    /// Returns the paths of all files, in an arbitrary order.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.tree.paths_of(NodeKind::File)
    }

    /// Returns the paths of the files in the folders of the project, or of all files, in an arbitrary order.
    pub(super) fn own_files(&self) -> impl Iterator<Item = &str> {
        let own = self.own_files.iter().flat_map(|it| it.iter()).map(|it| &**it);
        own.chain(self.files().take_while(|_| self.own_files.is_none()))
    }

    /// Returns the folder of the project below the tree that this is the index of, with a slash at its end; empty for the tree.
    pub fn project(&self) -> &str {
        &self.server.folder
    }

    /// Returns true if this is the index of a project below the tree.
    pub(super) fn is_of_project(&self) -> bool {
        self.own_files.is_some()
    }

    /// Returns the paths of all folders, in an arbitrary order.
    pub fn folders(&self) -> impl Iterator<Item = &str> {
        self.tree.paths_of(NodeKind::Folder)
    }

    /// Returns true if a file name may contain the query of a URL (`page?id=3`).
    pub fn has_query_names(&self) -> bool {
        self.tree.has_query_names
    }

    /// Returns true if each URL leads to the file or folder with its path, apart from extensions, index files
    /// and [aliases](FileIndex::aliases), so that no server rule needs to be applied.
    pub fn serves_by_path(&self) -> bool {
        let (server, reads_sources) = (&self.server, self.reads_sources());
        let has_rules = !(server.tries.is_empty() && server.redirects.is_empty());
        !(has_rules || server.negotiates || reads_sources)
    }

    /// Returns the aliases, each with the path of its file or folder, in an arbitrary order.
    pub fn aliases(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tree.aliases.iter()
    }

    /// Returns true if a redirect rule may apply although a file exists at the URL.
    pub fn has_forced_redirects(&self) -> bool {
        self.server.redirects.iter().any(|rule| rule.is_forced)
    }

    /// Returns true if `path` is a folder, or a symbolic link to one.
    pub fn is_folder(&self, path: &str) -> bool {
        self.tree.kinds.get(path) == Some(&NodeKind::Folder)
    }

    /// Returns the file whose path is `name` and an extension that the server adds.
    pub fn with_extension(&self, name: &str) -> Option<&str> {
        let mut path = String::with_capacity(name.len() + LONGEST_EXTENSION);
        EXTENSIONS.iter().find_map(|extension| {
            path.clear();
            path.push_str(name);
            path.push_str(extension);
            self.file(&path)
        })
    }

    /// Returns true if `path` is a device, a pipe or a socket.
    pub fn is_special(&self, path: &str) -> bool {
        !self.tree.special.is_empty() && self.tree.special.contains(&*self.normalized(path))
    }

    /// Returns the compressed file for `path`, if no uncompressed file exists there.
    pub fn only_compressed(&self, path: &str) -> Option<String> {
        if !self.tree.has_compressed {
            return None;
        }
        let path = self.normalized(path);
        let resolved = self.tree.aliases.resolve(&path);
        let mut file = resolved.map_or_else(|| path.to_string(), |resolved| resolved.path);
        let length = file.len();
        let extension = COMPRESSED.iter().find(|extension| {
            file.truncate(length);
            file.push_str(extension);
            self.file(&file).is_some()
        })?;
        Some(format!("{path}{extension}"))
    }

    /// Returns true if `name`, percent-encoded as in URLs, is the name of an index file, or with content negotiation
    /// that of a variant of one: `index.html.en`.
    pub fn is_index_name(&self, name: &str) -> bool {
        let is_variant = |index: &str| {
            let rest = name.strip_prefix(index).filter(|_| self.server.negotiates);
            rest.is_some_and(|rest| rest.starts_with('.'))
        };
        let mut names = self.server.index_names();
        names.any(|index| index == name || is_variant(index))
    }

    /// Returns the other paths for which the server sends `file`, by patterns to try and content negotiation:
    /// `a` for `a.html`.
    pub fn short_paths(&self, file: &str) -> impl Iterator<Item = String> {
        let paths = self.server.short_paths(file).into_iter();
        paths.filter(move |path| self.sends(file, path))
    }

    /// Returns true if the server sends `file` for the URL with this path.
    pub fn sends(&self, file: &str, path: &str) -> bool {
        let response = self.find(path, "");
        response.and_then(|it| it.file()) == Some(file)
    }

    /// Returns the index file of the folder at `folder`.
    pub fn index_of(&self, folder: &str) -> Option<&str> {
        let folder = with_slash(folder);
        self.server.index_names().find_map(|name| self.file(&format!("{folder}{name}")))
    }

    /// The file whose name contains the query. For the URL of a folder, it is named after the index
    /// file.
    fn by_query(&self, path: &str, query: &str) -> Option<&str> {
        let query = query.strip_prefix('?').unwrap_or(query);
        // File names cannot contain a slash; mirroring tools percent-encode it.
        let written = query.replace('/', "%2F");
        let unchanged = encoded(written.as_bytes());
        let decoded = percent_decoded(query);
        let decoded: Vec<&[u8]> = decoded.split(|&b| b == b'/').collect();
        let decoded = encoded(&decoded.join(&b"%2F"[..]));
        let names = self.names_to_append(path);
        let exact = names.iter().find_map(|index| {
            [&unchanged, &decoded].into_iter().find_map(|wanted| {
                QUERY_NAMES.iter().find_map(|(mark, extension)| {
                    self.file(&format!("{path}{index}{mark}{wanted}{extension}"))
                })
            })
        });
        exact.or_else(|| {
            let mut names = names.iter().filter(|_| !self.tree.decoded_names.is_empty());
            names.find_map(|index| {
                QUERY_NAMES.iter().find_map(|(mark, extension)| {
                    self.tree
                        .decoded_names
                        .find(&format!("{path}{index}{mark}{written}{extension}"))
                })
            })
        })
    }

    /// The file whose name is the path of the URL with its percent-encoding, or a part of it, as mirroring tools may
    /// write it.
    fn literal(&self, path: &str) -> Option<&str> {
        let whole = path.contains('%').then(|| self.file(&path.replace('%', "%25"))).flatten();
        whole.or_else(|| self.tree.decoded_names.find(path))
    }

    /// Returns true if the server sends `file` for the URL with this `path` only because the name of the file
    /// contains percent-escapes, which servers decode. In a mirror, the tool wrote such a name.
    pub fn is_undecoded(&self, path: &str, file: &str) -> bool {
        !self.tree.is_mirror && file.contains("%25") && !self.normalized(path).contains("%25")
    }

    /// Returns the file with exactly this path.
    pub fn file(&self, path: &str) -> Option<&str> {
        match self.tree.kinds.get_key_value(path) {
            Some((file, NodeKind::File)) => Some(file),
            _ => None,
        }
    }
}
