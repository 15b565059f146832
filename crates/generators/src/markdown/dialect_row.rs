//! The types of the table of dialects: a row and its fields.

use super::rows::{self, MarkdownRow};
use super::slug;
use crate::data::DataLanguage;

/// A dialect of Markdown, named after the program that publishes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MarkdownDialect {
    /// No program in particular: links are paths to files.
    #[default]
    Plain,
    /// GitHub, GitLab and other hosts of repositories.
    GitHub,
    /// MkDocs and Zensical, with Python-Markdown.
    MkDocs,
    /// Docusaurus, with MDX.
    Docusaurus,
    /// Hugo, with goldmark.
    Hugo,
    /// Sphinx and Jupyter Book, with MyST.
    Sphinx,
    /// mdBook.
    MdBook,
    /// VitePress.
    VitePress,
    /// Jekyll, with kramdown.
    Jekyll,
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
#[derive(Debug)]
pub struct DialectRow {
    /// The dialect.
    pub dialect: MarkdownDialect,
    /// Its name on the command line.
    pub name: &'static str,
    /// The name of the program.
    pub program: &'static str,
    /// The files by which a project of this generator is recognized, in the directory of the project.
    pub configuration: &'static [&'static str],
    /// The names of the index documents of a directory, in order.
    pub index_names: &'static [&'static str],
    /// The patterns of the files that a link without an extension leads to, in order.
    pub tries: &'static [&'static str],
    /// The directories whose files are published at the root, each with a slash at its end.
    pub roots: &'static [&'static str],
    /// Whether the URLs of pages are in lower case, whatever the names of their sources are.
    pub is_lower_case: bool,
    /// The anchors of headings.
    pub(super) slugs: &'static slug::Style,
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
    /// The URLs of pages; `None` if visitors read the documents themselves.
    pub page: Option<PageUrl>,
    /// The settings that change them.
    pub(super) page_settings: &'static [PageSetting],
    /// The directories of the project that are published, each with the path under which they are, and the setting
    /// that names another directory.
    pub published: &'static [Published],
    /// How the names of documents become those of pages.
    pub(super) page_names: PageNames,
    /// How the paths of documents start of which no page is made, or one whose URL a plugin decides.
    pub(super) without_page: &'static [&'static str],
    /// The files that name documents.
    pub(super) navigation: &'static [NavigationRow],
    /// The markup that names documents.
    pub(super) shortcodes: &'static [Shortcode],
    /// The markup of templates in documents, if there is some.
    pub(super) shortcode_markup: Option<&'static ShortcodeMarkup>,
    /// The starts of markup that includes another text, with its headings.
    pub(super) includes: &'static [&'static str],
    /// The keys of front matter whose values are Markdown.
    pub(super) markdown_keys: &'static [&'static str],
    /// The keys of front matter that decide the URL of a page, those that count first.
    pub url_keys: &'static [(&'static str, UrlKey)],
    /// The directory of the project whose files the generator copies, in which a redirect page may stand; `None` if
    /// there is none.
    pub static_folder: Option<&'static str>,
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
    /// Whether files other than documents are published with their own paths.
    pub is_copied: bool,
}

/// The URL that visitors have of a page, against which browsers resolve the URLs that the generator leaves alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PageUrl {
    /// `guide/a.md` is the page `guide/a/`, `guide/index.md` is `guide/`.
    Directory,
    /// `guide/a.md` is the page `guide/a`, `guide/index.md` is `guide`.
    Bare,
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
}

/// How the names of documents become those of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNames {
    /// They are the same.
    Same,
    /// In lower case, and with hyphens in place of spaces.
    Hugo,
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
    /// The same, which may also be the id of a document, or the name of a file of a theme.
    Id,
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
    /// The names, of which one comes first in the markup.
    pub(super) names: &'static [&'static str],
    /// The filters, of which one comes after the path and nothing before it; empty for markup that begins with a name.
    pub(super) filters: &'static [&'static str],
    /// The character that ends the path, besides white space: before the lines of a file that are included.
    pub(super) end: Option<char>,
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
    /// The tags between which others are not read, and whether what is between them is in the page.
    pub(super) literal: &'static [(&'static str, &'static str, bool)],
    /// The variables before a path, and what the path is.
    pub(super) variables: &'static [(&'static str, &'static MarkdownRow)],
}

/// A shortcode of Hugo; others differ from it.
pub(super) const SHORTCODE: Shortcode = Shortcode {
    open: "{{<",
    close: ">}}",
    names: &["ref", "relref"],
    filters: &[],
    end: None,
    forbidden: &['"', '=', '\n', ' ', '{', '|'],
    row: &rows::SHORTCODE,
    parameters: &[("", &rows::SHORTCODE), ("path", &rows::SHORTCODE)],
    has_fragments: false,
};
