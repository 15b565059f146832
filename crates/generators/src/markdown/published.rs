//! The publication of a project by its generator: directories of a project, and the URLs of their pages.

use super::settings::Settings;

/// A directory of the project that a generator publishes, as its configuration says. Paths have a slash at their end,
/// or are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentFolder {
    /// The path in the project.
    pub folder: String,
    /// The path under which it is published.
    pub url: String,
    /// The files of the directory that are published.
    pub files: FolderFiles,
    /// The directories from which the path of a document counts, before the project itself, if that is not the same for
    /// all documents of the project.
    pub roots: Vec<String>,
    /// The documents that lead to each other by their paths have the same number; `None` for documents that no path
    /// leads to.
    pub group: Option<usize>,
    /// The start of the path of all pages in its language.
    pub language: String,
    /// The paths of the files with ids of its documents.
    pub sidebars: Vec<String>,
    /// How the names of documents become those of pages, if not as in the row.
    pub page_names: Option<PageNames>,
    /// The extensions of files that are pages, too.
    pub page_extensions: &'static [&'static str],
    /// True if the generator stops if the directory does not exist: then a build makes it.
    pub is_required: bool,
    /// True if the generator makes no pages of the documents in the directory, which only link to each other.
    pub is_excluded: bool,
}

impl ContentFolder {
    /// Returns the directory `folder`, whose `files` are published under the path `url`.
    pub(super) fn new(folder: &str, url: &str, files: FolderFiles) -> ContentFolder {
        ContentFolder {
            folder: folder.to_owned(),
            url: url.to_owned(),
            files,
            ..ContentFolder::default()
        }
    }
}

/// A directory of the project that a generator publishes.
#[derive(Debug)]
pub struct Published {
    /// The path, with a slash at its end.
    pub folder: &'static str,
    /// The setting that gives it another path; without it, a theme has no directory.
    pub folder_key: Option<&'static str>,
    /// The files of the directory that are published.
    pub files: FolderFiles,
}

/// Returns the files of `folder`, with their own paths.
pub(super) const fn published(folder: &'static str, folder_key: Option<&'static str>) -> Published {
    Published { folder, folder_key, files: FolderFiles::All }
}

/// As [`published`], but other files get new names, or none.
pub(super) const fn documents(folder: &'static str, folder_key: Option<&'static str>) -> Published {
    Published { files: FolderFiles::Documents, ..published(folder, folder_key) }
}

/// Returns the directory that the setting `key` adds to the theme, if there is one.
pub(super) const fn theme(key: &'static str) -> Published {
    Published { files: FolderFiles::Theme, ..published("", Some(key)) }
}

/// The whole project.
pub(super) const PROJECT: Published = published("", None);

/// The files in a published directory that are published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FolderFiles {
    /// Documents, as pages.
    #[default]
    Documents,
    /// Documents, as pages, and other files with their own paths.
    All,
    /// All with their own paths.
    Copied,
    /// Files with their own paths that a theme has, except for the templates in HTML.
    Theme,
}

/// The treatment by a generator of a URL with a slash at its start, on a site below the root of its host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BasePath {
    /// The generator leaves the URL to browsers.
    #[default]
    Browsers,
    /// The same, and nothing else adds the path of the site: no theme, no render hook.
    Kept,
    /// The generator adds the path of the site to the paths of files, and leaves other URLs to browsers.
    Files,
    /// The generator adds the path of the site.
    Added,
    /// The same, unless the URL starts with that path.
    AddedOnce,
}

impl BasePath {
    /// Returns true if `url` counts from the site, whose own path is `site`, and not from its host.
    pub fn is_of_site(self, url: &str, site: &str) -> bool {
        let is_rooted = url.starts_with('/') && !url.starts_with("//");
        is_rooted
            && match self {
                BasePath::Browsers | BasePath::Kept => false,
                BasePath::Files => !url.starts_with(site) && has_extension(url),
                BasePath::Added => site != "/",
                BasePath::AddedOnce => !url.starts_with(site),
            }
    }
}

/// Returns true if the last name in the path of `url` has an extension.
fn has_extension(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().is_some_and(|name| name.contains('.'))
}

/// `path` with a slash at its end, unless it is empty.
pub(super) fn with_slash(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!("{path}/") }
}

/// The directories that a configuration publishes. Paths have no slash at their ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    /// The directories, each with the path under which it is published, and its published files.
    pub folders: Vec<ContentFolder>,
    /// The paths of directories that are published, about whose pages only a program knows.
    pub made: Vec<String>,
    /// The paths of pages that are made of no document.
    pub pages: Vec<String>,
    /// The languages that the names of documents may end with, before the extension, each with the path of its pages.
    pub languages: Vec<(String, String)>,
}

impl Mounts {
    /// Returns true if documents of several languages are in directories of their own.
    pub(super) fn has_language_roots(&self) -> bool {
        self.folders.iter().any(|it| !it.language.is_empty())
    }
}

/// The directories that a project with these settings publishes; the function gives the text of a file of the project.
pub type MountsOf = fn(&Settings, &dyn Fn(&str) -> Option<String>) -> Mounts;

/// The URL that visitors have of a page, against which browsers resolve the URLs that the generator leaves alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageUrl {
    /// `guide/a.md` is the page `guide/a/`, `guide/index.md` is `guide/`.
    Directory,
    /// `guide/a.md` is the page `guide/a`, `guide/index.md` is `guide/`.
    Bare,
    /// `guide/a.md` is the page `guide/a`, `guide/index.md` is `guide`.
    Stripped,
    /// `guide/a.md` is the page `guide/a.html`, `guide/index.md` is `guide/index.html`.
    Html,
}

/// The meaning of a key of front matter for the URL of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlKey {
    /// The URL, below that of the site or of the documents.
    Url,
    /// The URL if it starts with a slash, else one relative to the directory.
    Slug,
    /// The last name in the URL, except for the page of a directory.
    Name,
    /// The URL, or a template for it.
    Permalink,
    /// The title in the URL.
    Title,
    /// The date in the URL.
    Date,
    /// The categories in the URL.
    Categories,
    /// Whether there is a page.
    Published,
    /// Whether there is no page, as the document is not finished.
    Draft,
    /// Whether and how a page is rendered.
    Render,
    /// Another URL, from which the page redirects.
    Alias,
    /// A term of this taxonomy, which has a page.
    Term(&'static str),
}

/// How the names of documents become those of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNames {
    /// They are the same.
    Same,
    /// In lower case, and with hyphens in place of spaces.
    Hugo,
    /// As the posts of Docusaurus' blogs: with the date at their start as directories.
    DatedPosts,
    /// Without the numbers before them that give the order. Names that start with an underscore have no page.
    Docusaurus,
    /// As [`super::JekyllPermalinks`] say.
    Jekyll,
}

/// A setting in the configuration of a generator that decides the URLs of pages: its key, its value, and the URLs of
/// pages with it.
pub type PageSetting = (&'static str, &'static str, PageUrl);
