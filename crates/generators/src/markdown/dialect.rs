//! A dialect of Markdown: the types of its row in the table of [`super::DIALECTS`], and its fields.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use super::makers::Maker;
use super::redirects::RedirectRow;
use super::rows::{self, Lookup, MarkdownRow, RowBase};
use super::settings::Settings;
use super::slug;
use super::tab_ids::TabIds;
use super::written_ids::WrittenIds;
use crate::data::DataLanguage;
use rehref_url::scheme;

/// A dialect of Markdown, named after the program that publishes it. The name of its row tells it from others.
#[derive(Clone, Copy)]
pub struct MarkdownDialect(pub(super) &'static DialectRow);

impl MarkdownDialect {
    /// The row of the dialect.
    pub const fn row(self) -> &'static DialectRow {
        self.0
    }

    /// The dialects of other files that are documents of a project in this dialect.
    pub fn neighbors(self) -> impl Iterator<Item = MarkdownDialect> {
        self.0.others.iter().map(|(_, dialect)| *dialect)
    }

    /// The dialect of the other file at `path` that is a document of a project in this dialect.
    pub fn of_other(self, path: &Path) -> Option<MarkdownDialect> {
        let name = path.file_name()?.to_str()?;
        let mut others = self.0.others.iter();
        others.find_map(|(end, dialect)| name.ends_with(end).then_some(*dialect))
    }

    /// The dialect of a project with these `settings`. `texts` gives those of the files at these paths in the project, or
    /// else in its themes; `None` if there is a theme whose files are not known. The dialect lives as long as the program, since the options of every
    /// document have it.
    #[must_use]
    pub fn configured(
        self,
        settings: &Settings,
        texts: impl Fn(&[&str]) -> Option<Vec<String>>,
    ) -> MarkdownDialect {
        let is_set = |option: &&RowOption| match option.sign {
            OptionSign::Setting(key, value) => {
                settings.at(key).is_some_and(|set| set.eq_ignore_ascii_case(value))
            }
            OptionSign::Settings(holds) => holds(settings),
            OptionSign::File(paths, words) => {
                let has_word = |text: &String| words.iter().any(|word| text.contains(word));
                texts(paths).is_none_or(|texts| texts.iter().any(has_word))
            }
        };
        let options: Vec<_> = self.0.options.iter().filter(is_set).collect();
        if options.is_empty() {
            return self;
        }
        let mut row = self.0.clone();
        options.into_iter().for_each(|option| (option.set)(&mut row));
        MarkdownDialect(Box::leak(Box::new(row)))
    }
}

impl Default for MarkdownDialect {
    fn default() -> Self {
        MarkdownDialect::PLAIN
    }
}

impl PartialEq for MarkdownDialect {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for MarkdownDialect {}

impl Hash for MarkdownDialect {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for MarkdownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// The blocks of a dialect whose content is Markdown, although CommonMark reads it as code or HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    /// None.
    CommonMark,
    /// Admonitions and tabs (`!!! note`), whose content is indented; HTML with the attribute `markdown`.
    Indented,
    /// Directives of MyST: fences with a name in braces.
    Directives,
    /// Elements of JSX: tags alone on a line.
    Jsx,
    /// None, but scripts of Vue import components.
    Vue,
    /// It is not Markdown, but reStructuredText.
    Rst,
    /// HTML with the attribute `markdown`; formulas, which are no Markdown.
    Kramdown,
}

/// The destinations of a dialect that are neither URLs nor paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// None.
    None,
    /// Single words, which a render hook may look up.
    Words,
    /// Labels: paths without an extension, and fragments alone, which may be labels of other documents.
    Labels,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct DialectRow {
    /// Its name on the command line.
    pub name: &'static str,
    /// The name of the program.
    pub program: &'static str,
    /// The programs that read it, for help.
    pub help: &'static str,
    /// The settings that say where the site is published: its URL, and the path that is added to it. Empty for none.
    pub site_url: (&'static str, &'static str),
    /// A command that builds the site, with `{out}` for the directory to write; empty if there is none.
    pub build: &'static str,
    /// The files by which a project of this generator is recognized, in the directory of the project.
    pub configuration: &'static [&'static str],
    /// The directory of the project whose files are parts of the configuration, named after the keys that they hold.
    pub configuration_folder: Option<&'static str>,
    /// Further such files, if they have a word outside of comments.
    pub configuration_with: &'static [(&'static str, &'static str)],
    /// Whether the links between its pages are read; if not, they are read as on GitHub, and not checked.
    pub is_read: bool,
    /// The names of the index documents of a directory, in order.
    pub index_names: &'static [&'static str],
    /// The patterns of the files that a link without an extension leads to, in order.
    pub tries: &'static [&'static str],
    /// The directories whose files are published at the root, each with a slash at its end.
    pub roots: &'static [&'static str],
    /// Whether the URLs of pages are in lower case, whatever the names of their sources are.
    pub is_lower_case: bool,
    /// Whether a host shows the files of a repository, with directories and pages of the repository beside them.
    pub is_repository: bool,
    /// The anchors of headings.
    pub(super) slugs: slug::Style,
    /// The ids of what is not a heading.
    pub(super) ids: WrittenIds,
    /// Whether the terms of definition lists have anchors.
    pub(super) has_terms: bool,
    /// Whether URLs in running text are links.
    pub(super) bare_urls: bool,
    /// The blocks that hold Markdown.
    pub(super) blocks: Blocks,
    /// Whether URLs in HTML and destinations without the extension of a file are relative to the page, not to the file.
    pub(super) has_page_links: bool,
    /// Whether a path that leads to no file from the document is looked up from the root of the content.
    pub(super) has_content_paths: bool,
    /// The destinations that are neither URLs nor paths.
    pub(super) names: Names,
    /// Whether destinations with an extension other than that of Markdown are, too.
    pub(super) assets_of_page: bool,
    /// Whether a label without a definition may be that of a cross-reference.
    pub(super) has_cross_references: bool,
    /// The URLs of pages; `None` if visitors read the documents themselves.
    pub page: Option<PageUrl>,
    /// The settings that change them.
    pub(super) page_settings: &'static [PageSetting],
    /// What in a project changes how its documents are read.
    pub(super) options: &'static [RowOption],
    /// The directories of the project that are published, each with the path under which they are, and the setting
    /// that names another directory.
    pub published: &'static [Published],
    /// Whether documents of several kinds, versions and languages are published side by side, so that a link is relative
    /// to the URL of its page, and paths count from directories of its own.
    pub has_sections: bool,
    /// The start of a path from the directory of the project, or of the documents for a generator that publishes one.
    pub root_alias: Option<&'static str>,
    /// The extensions of files that a URL leads to: with others it is that of a page. None: all.
    pub file_extensions: &'static [&'static str],
    /// The attributes of components that are links, as `--attr` has them.
    pub component_attributes: &'static [&'static str],
    /// Whether `/a` is not the page of the directory `a`, and `/a/` not that of `a.md`.
    pub is_slash_exact: bool,
    /// The directories that are published by the settings, where a table cannot say it.
    pub mounts: Option<MountsOf>,
    /// The patterns, as of `.gitignore`, of what is not published of these directories.
    pub excluded: &'static [&'static str],
    /// The settings with further patterns.
    pub excluded_keys: &'static [&'static str],
    /// The ids of content tabs.
    pub(super) tabs: TabIds,
    /// The paths of what the generator makes of no file.
    pub made: &'static [&'static str],
    /// The settings whose members are documents at whose pages it makes redirects.
    pub redirect_keys: &'static [&'static str],
    /// The settings with directories from which the paths of included files count.
    pub root_keys: &'static [&'static str],
    /// The names of directories whose files are parts of pages: what is relative in them counts from these.
    pub parts: &'static [&'static str],
    /// The directories of the project whose files are templates, not documents.
    pub templates: &'static [&'static str],
    /// How the names of documents become those of pages.
    pub(super) page_names: PageNames,
    /// Whether a fragment is found in whatever document has it.
    pub anchors_of_project: bool,
    /// Whether a link to a document becomes that to a page by its extension alone: `README.md` becomes `README.html`,
    /// although its page is `index.html`, and `index.md` leads to that.
    pub renames_links: bool,
    /// The document that lists all others of which pages are made; `None` if pages are made of all.
    pub list: Option<&'static str>,
    /// How the paths of documents start of which no page is made, or one whose URL a plugin decides.
    pub(super) without_page: &'static [&'static str],
    /// Other files of a project that are documents: the ends of their names, and the dialects in which they are read.
    pub(super) others: &'static [(&'static str, MarkdownDialect)],
    /// Whether the generator reads nothing but the published directories, and leaves a link that leads to no document
    /// there, relative to the file, to browsers.
    pub is_strict: bool,
    /// Whether documents link to the files of the theme as if these were in the directory of the documents.
    pub has_theme_files: bool,
    /// Whether it makes the URL of a page of the path of a document in a destination.
    pub(super) reads_paths: bool,
    /// Whether documents without front matter are copied as they are.
    pub needs_front_matter: bool,
    /// The extensions of other files from which it makes files with another extension.
    pub compiled: &'static [(&'static str, &'static str)],
    /// Whether it also finds documents without the extension, and from the root of the content.
    pub(super) reads_names: bool,
    /// Whether a directory with a document `index.md` is one page, of which other documents are parts.
    pub has_bundles: bool,
    /// Whether directories at the root of the content have pages without documents.
    pub has_section_pages: bool,
    /// The files that name documents.
    pub(super) navigation: &'static [NavigationRow],
    /// The markup that names documents.
    pub(super) shortcodes: &'static [Shortcode],
    /// The markup of templates in documents, if there is some.
    pub(super) shortcode_markup: Option<&'static ShortcodeMarkup>,
    /// The starts of markup that includes another text, with its headings.
    pub(super) includes: &'static [&'static str],
    /// What may make pages and anchors that the sources do not have.
    pub makers: &'static [Maker],
    /// The keys of front matter whose values are Markdown.
    pub(super) markdown_keys: &'static [&'static str],
    /// Whether any other value of front matter is Markdown too, if it has a link.
    pub(super) has_markdown_strings: bool,
    /// The keys of front matter that decide the URL of a page, those that count first.
    pub url_keys: &'static [(&'static str, UrlKey)],
    /// The directory of the project whose files the generator copies, in which a redirect page may stand; `None` if
    /// there is none.
    pub static_folder: Option<&'static str>,
    /// The files of rules that it does not copy from there.
    pub not_copied: &'static [&'static str],
    /// What a redirect of an anchor needs; `None` if it has none.
    pub anchor_redirects: Option<&'static str>,
    /// The formats of redirects that it reads, the usual one first.
    pub redirects: &'static [RedirectRow],
}

/// A directory of the project that a generator publishes, as its configuration says. Paths have a slash at their end,
/// or are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentFolder {
    /// Its path in the project.
    pub folder: String,
    /// The path under which it is published.
    pub url: String,
    /// The files of it that are published.
    pub files: FolderFiles,
    /// The directories from which the path of a document counts, before the project itself, if that is not the same for
    /// all documents of the project.
    pub roots: Vec<String>,
    /// The documents that lead to each other by their paths have the same number; `None` for documents that no path leads
    /// to.
    pub group: Option<usize>,
    /// The start of the path of all pages in its language.
    pub language: String,
    /// The paths of the files with ids of its documents.
    pub sidebars: Vec<String>,
    /// How the names of documents become those of pages, if not as in the row.
    pub page_names: Option<PageNames>,
    /// The extensions of files that are pages, too.
    pub page_extensions: &'static [&'static str],
}

impl ContentFolder {
    /// The directory `folder`, whose `files` are published under the path `url`.
    pub(super) fn new(folder: &str, url: &str, files: FolderFiles) -> ContentFolder {
        ContentFolder {
            folder: folder.to_owned(),
            url: url.to_owned(),
            files,
            ..ContentFolder::default()
        }
    }
}

/// Something in a project that changes how its documents are read.
#[derive(Debug)]
pub struct RowOption {
    pub(super) sign: OptionSign,
    /// Changes the row.
    pub(super) set: fn(&mut DialectRow),
}

/// How a project shows that it has a [`RowOption`].
#[derive(Debug)]
pub enum OptionSign {
    /// The setting at a path, in which letter case does not count, has this value.
    Setting(&'static str, &'static str),
    /// The settings say so.
    Settings(fn(&Settings) -> bool),
    /// A file at one of these paths has one of these words.
    File(&'static [&'static str], &'static [&'static str]),
}

/// A directory of the project that a generator publishes.
#[derive(Debug)]
pub struct Published {
    /// Its path, with a slash at its end.
    pub folder: &'static str,
    /// The setting that gives it another path.
    pub folder_key: Option<&'static str>,
    /// The path under which it is published, with a slash at its end.
    pub url: &'static str,
    /// The setting that gives it another URL.
    pub url_key: Option<&'static str>,
    /// The files of it that are published.
    pub files: FolderFiles,
}

/// The files of `folder`, with their own paths.
pub(super) const fn published(folder: &'static str, folder_key: Option<&'static str>) -> Published {
    Published { folder, folder_key, url: "", url_key: None, files: FolderFiles::All }
}

/// As [`published`], but other files get new names, or none.
pub(super) const fn documents(folder: &'static str, folder_key: Option<&'static str>) -> Published {
    Published { files: FolderFiles::Documents, ..published(folder, folder_key) }
}

/// The whole project.
pub(super) const PROJECT: Published = published("", None);

/// How a generator reads a destination that it may take for the path of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathReading {
    /// As a URL.
    None,
    /// As the path of a file from the document, else as a URL.
    Paths,
    /// As the path of a document, with or without its extension, from the document or the root of the content; else as a
    /// URL.
    Names,
}

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
}

/// The directories that a project with these settings publishes; the function gives the text of a file of the project.
pub type MountsOf = fn(&Settings, &dyn Fn(&str) -> Option<String>) -> Mounts;

/// The directories that a configuration publishes. Paths have no slash at their ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mounts {
    /// Each with the path under which it is published, and which files of it are.
    pub folders: Vec<ContentFolder>,
    /// The paths of directories that are published, about whose pages only a program knows.
    pub made: Vec<String>,
    /// The languages that the names of documents may end with, before the extension, each with the path of its pages.
    pub languages: Vec<(String, String)>,
}

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
    /// As [`super::Permalinks`] say.
    Jekyll,
}

/// A setting in the configuration of a generator that decides the URLs of pages: its key, its value, and the URLs of
/// pages with it.
pub type PageSetting = (&'static str, &'static str, PageUrl);

/// The form of a value that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameForm {
    /// The path of a file, from the folder of the documents. It may be a URL instead.
    Document,
    /// The same, or the URL of a page, from that of the folder: one with a fragment, or a slash at its end.
    Page,
    /// As [`NameForm::Document`], which may also be the id of a document, or the name of a file of a theme.
    Id,
    /// The id of a document: its path without the extension, from the directory whose navigation the file is.
    DocumentId,
    /// The path of a file or folder, from the file itself.
    Configuration,
    /// A URL.
    Url,
    /// A URL, from the page at the path that is the name of the member.
    Redirect,
}

/// The files of a generator that name documents; a row of the table of dialects.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct NavigationRow {
    pub(super) language: DataLanguage,
    /// The names of the files; those of several languages have another part in the middle (`menus.en.toml`).
    pub(super) names: &'static [&'static str],
    /// A folder that the files are in, at any depth; `None` for any. Without names, it is all files of the language.
    pub(super) folder: Option<&'static str>,
    /// The folder of the documents, from the folder of the file, and the key that may name another one.
    pub(super) documents: Option<(&'static str, &'static str)>,
    /// The values that name something; see [`crate::data::matches`].
    pub(super) keys: &'static [(&'static str, NameForm)],
}

impl NavigationRow {
    /// Files of YAML with these `names`, whose values are relative to them.
    pub(super) const fn yaml(
        names: &'static [&'static str],
        keys: &'static [(&'static str, NameForm)],
    ) -> NavigationRow {
        NavigationRow { language: DataLanguage::Yaml, names, folder: None, documents: None, keys }
    }
}

/// A form of markup that names a document.
#[derive(Debug)]
pub(super) struct Shortcode {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// Whether the opener begins its line.
    pub(super) is_line: bool,
    /// The names, of which one comes first in the markup; empty for lines of paths alone.
    pub(super) names: &'static [&'static str],
    /// The filters, of which one comes after the path and nothing before it; empty for markup that begins with a name.
    pub(super) filters: &'static [&'static str],
    /// The character that ends the path, besides white space: before the lines of a file that are included.
    pub(super) end: Option<char>,
    /// The option without which relative links in the file count from it, not from the document.
    pub(super) links_option: Option<&'static str>,
    /// The characters that no path has.
    pub(super) forbidden: &'static [char],
    pub(super) row: &'static MarkdownRow,
    /// The parameters of a shortcode of Hugo that name something; the empty name is the first parameter without one.
    pub(super) parameters: &'static [(&'static str, &'static MarkdownRow)],
    /// Whether a fragment may follow the markup.
    pub(super) has_fragments: bool,
}

/// The markup of templates in documents.
#[derive(Debug)]
pub(super) struct ShortcodeMarkup {
    /// The openers and closers of markup that is a word in Markdown.
    pub(super) words: &'static [(&'static str, &'static str)],
    /// Whether it is rendered before Markdown is read, so that markup alone on a line leaves no word.
    pub(super) is_rendered_first: bool,
    /// The tags between which others are not read, with their closing tags.
    pub(super) literal: &'static [(&'static str, &'static str)],
    /// The tags between which nothing is Markdown: comments, code.
    pub(super) blank: &'static [(&'static str, &'static str)],
    /// The variables before a path, and what the path is.
    pub(super) variables: &'static [(&'static str, &'static MarkdownRow)],
}

/// A shortcode of Hugo; others differ from it.
pub(super) const SHORTCODE: Shortcode = Shortcode {
    open: "{{<",
    close: ">}}",
    is_line: false,
    names: &["ref", "relref"],
    filters: &[],
    end: None,
    links_option: None,
    forbidden: &['"', '=', '\n', ' ', '{', '|'],
    row: &rows::SHORTCODE,
    parameters: &[],
    has_fragments: false,
};

/// The extensions of documents that generators read.
const SOURCES: &[&str] = &["md", "mdx", "markdown", "mdown", "mkd", "rst", "ipynb"];

/// Whether `reference` leads to a document that generators read, by its extension.
pub fn names_source(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut sources = SOURCES.iter();
    sources.any(|source| extension.eq_ignore_ascii_case(source))
}

impl DialectRow {
    /// The name of the configuration of this generator that the file at `path` has, with the folder that it needs.
    pub fn configuration_of(&self, path: &Path) -> Option<&'static str> {
        let names = self.configurations().map(|(name, _)| name).filter(|name| path.ends_with(name));
        names.max_by_key(|name| name.len())
    }

    /// The names of the files that configure this generator, with the folders that they need, each with a word that it
    /// must have.
    pub fn configurations(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        let with_word = self.configuration_with.iter().map(|(name, word)| (*name, Some(*word)));
        self.configuration.iter().map(|name| (*name, None)).chain(with_word)
    }

    /// The URL of the page, if URLs in HTML and destinations without the extension of a file are relative to it.
    pub fn page_of_links(&self) -> Option<PageUrl> {
        self.page.filter(|_| self.has_page_links)
    }

    /// Whether a `reference` in a place of Markdown is relative to the page, not to the file.
    pub fn is_relative_to_page(&self, place: &MarkdownRow, reference: &str) -> bool {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let has_extension = name.rsplit_once('.').is_some_and(|(_, it)| !it.is_empty());
        let is_of_file = names_source(reference) || has_extension && !self.assets_of_page;
        place.base == RowBase::Destination && self.has_page_links && !path.is_empty() && !is_of_file
    }

    /// Whether a `reference` in a place of Markdown leads only to what the generator publishes.
    pub fn leads_to_pages(&self, place: &MarkdownRow, reference: &str) -> bool {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        // Also images of no page may be published so.
        let is_destination = is_destination && *place != rows::SHORTCODE_IMAGE;
        let has_path = !reference.is_empty() && !reference.starts_with(['#', '?']);
        self.is_strict
            && is_destination
            && has_path
            && scheme::split(reference).is_none()
            && !(self.bundles(reference) && (self.has_sections || place.is_image))
    }

    /// Whether a `reference` in a place of Markdown that leads to a page is a URL for the generator, not the path of a
    /// document.
    pub fn reads_as_url(&self, place: &MarkdownRow, reference: &str) -> bool {
        match self.root_alias {
            Some(_) => !names_source(reference),
            None => reference.starts_with('/') || self.is_relative_to_page(place, reference),
        }
    }

    /// Whether a `reference` in HTML leads only to what the generator publishes.
    pub fn html_leads_to_pages(&self, reference: &str) -> bool {
        self.is_strict && !self.bundles(reference)
    }

    /// Whether the generator copies the file that `reference` leads to from wherever it is.
    fn bundles(&self, reference: &str) -> bool {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_page = !name.contains('.') || name.ends_with(".html") || names_source(path);
        self.root_alias.is_some() && !is_page && !(self.has_sections && path.starts_with('/'))
    }

    /// How the generator reads a destination that it may take for the path of a document; see [`DialectRow::is_strict`].
    pub fn path_reading(&self) -> PathReading {
        match (self.reads_paths, self.reads_names) {
            (false, _) => PathReading::None,
            (true, false) => PathReading::Paths,
            (true, true) => PathReading::Names,
        }
    }

    /// The number of bytes before the URL or path in `destination`, in a `place` of Markdown; `None` for a name of
    /// something else: a label of MyST, a word for a render hook of Hugo.
    pub fn before_url(&self, place: &MarkdownRow, destination: &str) -> Option<usize> {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        match self.names {
            Names::None => Some(0),
            Names::Words => {
                let is_word =
                    !destination.is_empty() && !destination.contains(['/', '.', '#', '?', ':']);
                (!(is_destination && is_word)).then_some(0)
            }
            Names::Labels => {
                let prefix =
                    ["project:", "path:"].into_iter().find(|it| destination.starts_with(it));
                Some(prefix.map_or(0, str::len))
            }
        }
    }

    /// Whether `[[name]]` may be a link.
    pub(super) fn has_wiki_links(&self) -> bool {
        self.blocks != Blocks::Jsx && self.names == Names::None
    }

    /// Whether links find labels of other documents.
    pub fn has_labels(&self) -> bool {
        self.names == Names::Labels
    }

    /// The names by which the target of a `reference` in a `place` of Markdown is found.
    pub fn lookup(&self, place: &MarkdownRow, reference: &str) -> Lookup {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        let has_labels = self.names == Names::Labels;
        let is_link = has_labels && is_destination && !place.is_image;
        match place.lookup {
            Lookup::None if has_labels && reference.starts_with('#') => Lookup::Link,
            Lookup::None if is_link && scheme::split(reference).is_none() => Lookup::Link,
            lookup => lookup,
        }
    }

    /// Whether a `reference` in a `place` of Markdown may be a path from a root of the content.
    pub fn is_from_root(&self, place: &MarkdownRow, reference: &str) -> bool {
        let is_shortcode = *place == rows::SHORTCODE || place.of_root || place.from_root;
        if is_shortcode && self.has_bundles && reference.starts_with('/') {
            return true;
        }
        let is_from_alias = self.root_alias.is_some_and(|alias| reference.starts_with(alias));
        let may_be = is_shortcode || self.has_content_paths && names_source(reference);
        self.is_from_slash(place, reference)
            || is_from_alias
            || may_be
                && (is_content_path(reference) || place.from_root && reference.starts_with('.'))
    }

    /// Whether a `reference` in a `place` of Markdown counts from a root of its document, before that of the site.
    pub fn is_from_slash(&self, place: &MarkdownRow, reference: &str) -> bool {
        self.has_sections
            && place.base == RowBase::Destination
            && reference.starts_with('/')
            && !reference.starts_with("//")
    }

    /// Whether `label`, which no definition has, may be that of a cross-reference: plugins of MkDocs find identifiers
    /// of code, and headings, in all pages.
    pub(super) fn has_cross_references(&self, label: &str) -> bool {
        self.has_cross_references && !label.contains(' ')
    }

    /// Whether values in braces are code.
    pub fn has_expressions(&self) -> bool {
        self.blocks == Blocks::Jsx
    }

    /// Whether files with this `extension` are documents, too, in whatever language: links find them without it.
    pub fn reads(&self, extension: &str) -> bool {
        let mut tries = self.tries.iter();
        tries.any(|pattern| pattern.strip_prefix("{}.") == Some(extension))
    }

    /// Whether the paths of the files that documents include are read; see [`super::inclusions`].
    pub fn reads_inclusions(&self) -> bool {
        matches!(self.blocks, Blocks::Directives | Blocks::Rst | Blocks::Jsx)
            || self.shortcodes.iter().any(|it| it.row.is_part)
    }

    /// Whether destinations may have spaces, and definitions interrupt paragraphs.
    pub(super) fn has_python_links(&self) -> bool {
        self.blocks == Blocks::Indented
    }

    /// Whether code after a name in braces is a role.
    pub(super) fn has_roles(&self) -> bool {
        self.blocks == Blocks::Directives
    }
}

/// Whether the file with the path of a module may have a longer name: its extension is none of usual files.
pub fn is_short_module(path: &str) -> bool {
    const USUAL: &[&str] = &[
        "md", "mdx", "vue", "png", "jpg", "jpeg", "gif", "svg", "webp", "json", "css", "scss",
        "js", "jsx", "ts", "tsx", "yml", "yaml",
    ];
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !USUAL.contains(&extension)
}

/// Whether `reference` is a path without a sign of what it is relative to.
pub fn is_content_path(reference: &str) -> bool {
    !reference.is_empty()
        && !reference.starts_with(['.', '/', '#', '?'])
        && scheme::split(reference).is_none()
}
