//! The publication of a project by its generator: directories of a project, and the URLs of their pages.

use super::settings::Settings;

/// A directory of the project that a generator publishes, by its configuration. Paths end in a slash, or are
/// empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentFolder {
    /// The path of the directory in the project.
    pub folder: String,
    /// The path of the directory in the published site.
    pub url: String,
    /// The files of the directory that the generator publishes.
    pub files: FolderFiles,
    /// The directories against which paths of documents resolve, before the project itself; empty if they are
    /// the same for the whole project.
    pub roots: Vec<String>,
    /// A number that is equal for directories whose documents can link to each other by path; `None` for
    /// documents to which no path leads.
    pub group: Option<usize>,
    /// The start of the paths of all pages in the language of the directory.
    pub language: String,
    /// The paths of the sidebar files that contain ids of the documents.
    pub sidebars: Vec<String>,
    /// The rule by which names of documents become names of pages, if it differs from the row of the dialect.
    pub page_names: Option<PageNames>,
    /// The extensions of files that are pages, too.
    pub page_extensions: &'static [&'static str],
    /// True if the generator fails if the directory does not exist, so a build must make the directory.
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

/// A directory of the project that a generator publishes by default.
#[derive(Debug)]
pub struct Published {
    /// The path of the directory in the project, with a slash at its end.
    pub folder: &'static str,
    /// The setting that names another directory; `None` if a theme cannot have such a directory.
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

/// The choice of files of a directory that the generator publishes.
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

/// The treatment of a URL with a slash at its start, on a site below the root of its host.
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
    /// Returns true if `url` is relative to the root of the site, whose URL has the path `site`, not to the
    /// root of its host.
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

/// The directories that a configuration publishes. Paths do not end in a slash.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    /// The published directories, each with its path in the site and its files.
    pub folders: Vec<ContentFolder>,
    /// The paths of published directories whose pages only a program determines.
    pub made: Vec<String>,
    /// The paths in the site of directories and documents outside of the project.
    pub outside: Vec<String>,
    /// The paths of pages that are not made of a document.
    pub pages: Vec<String>,
    /// The languages that may end the names of documents, before the extension, each with the start of the
    /// paths of its pages, which has a slash at its end or is empty.
    pub languages: Vec<(String, String)>,
}

impl Mounts {
    /// Returns true if documents of several languages are in directories of their own.
    pub(super) fn has_language_roots(&self) -> bool {
        self.folders.iter().any(|it| !it.language.is_empty())
    }
}

/// A function that returns the directories which a project with these settings publishes. Its argument is a
/// function that returns the text of a file of the project.
pub type MountsOf = fn(&Settings, &dyn Fn(&str) -> Option<String>) -> Mounts;

/// The rule for the URL of a page, against which browsers resolve URLs that the generator does not change.
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

/// The effect of a key of front matter on the URL of the page.
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
    /// The date in the URL, and the day from which there is a page if no [`UrlKey::PublishDate`] says it.
    Date,
    /// The day from which there is a page; the date in the URL if no [`UrlKey::Date`] says it.
    PublishDate,
    /// The day from which there is no page any more.
    ExpiryDate,
    /// The categories in the URL.
    Categories,
    /// Whether there is a page.
    Published,
    /// Whether there is no page, as the document is not finished.
    Draft,
    /// Whether and how a page is rendered.
    Render,
    /// True for a document without a page, which other pages use.
    Headless,
    /// Another URL, from which the page redirects.
    Alias,
    /// A term of this taxonomy, which has a page.
    Term(&'static str),
}

/// The documents that a generator publishes although their front matter says otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Builds {
    /// Documents that are not finished: [`UrlKey::Draft`].
    pub(super) drafts: bool,
    /// Documents that are not published: [`UrlKey::Published`].
    pub(super) unpublished: bool,
    /// Documents of a later day: [`UrlKey::PublishDate`].
    pub(super) future: bool,
    /// Documents whose last day is over: [`UrlKey::ExpiryDate`].
    pub(super) expired: bool,
}

/// The rule by which names of documents become names of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNames {
    /// They are the same.
    Same,
    /// The same. A name in brackets stands for the names that a program determines.
    Routes,
    /// In lower case, and with hyphens in place of spaces.
    Hugo,
    /// As the posts of Docusaurus' blogs: with the date at their start as directories.
    DatedPosts,
    /// Without the numbers before them that give the order. Names that start with an underscore have no page.
    Docusaurus,
    /// As [`PageNames::Docusaurus`], with these numbers.
    Numbered,
    /// As [`super::JekyllPermalinks`] say.
    Jekyll,
    /// In lower case, without numbers before them and with hyphens in place of other characters; without directories.
    Mystmd,
    /// As [`PageNames::Mystmd`], with directories.
    MystmdFolders,
}

/// A setting of a generator that determines the URLs of pages: its key, its value, and the rule for URLs that
/// it selects.
pub type PageSetting = (&'static str, &'static str, PageUrl);
