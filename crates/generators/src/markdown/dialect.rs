//! A dialect of Markdown: the types of its row in the table of [`super::DIALECTS`], and its fields.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use super::makers::Maker;
use super::page_templates::PageTemplate;
use super::published::{BasePath, MountsOf, PageNames, PageSetting, PageUrl, Published, UrlKey};
use super::redirects::RedirectRow;
use super::rows::{self, MarkdownRow};
use super::settings::Settings;
#[cfg(feature = "markdown")]
use super::{slug::headings::Style, tab_ids::TabIds, written_ids::WrittenIds};
use crate::data::DataLanguage;

/// A dialect of Markdown: the rules by which one generator or code host reads Markdown. Its name is that of the
/// program, such as `mkdocs`.
#[derive(Clone, Copy)]
pub struct MarkdownDialect(pub(super) &'static DialectRow);

impl MarkdownDialect {
    /// Returns the row of the dialect.
    #[doc(hidden)]
    pub const fn row(self) -> &'static DialectRow {
        self.0
    }

    /// Returns the dialects of other files that are documents of a project in this dialect.
    #[doc(hidden)]
    pub fn neighbors(self) -> impl Iterator<Item = MarkdownDialect> {
        self.0.others.iter().map(|(_, dialect)| *dialect)
    }

    /// Returns the dialect of the other file at `path` that is a document of a project in this dialect.
    #[doc(hidden)]
    pub fn of_other(self, path: &Path) -> Option<MarkdownDialect> {
        let name = path.file_name()?.to_str()?;
        let mut others = self.0.others.iter();
        others.find_map(|(end, dialect)| name.ends_with(end).then_some(*dialect))
    }

    /// Returns the dialect of a project with these `settings`. `texts` gives those of the files at these paths in the
    /// project, or else in its themes; `None` if there is a theme whose files are not known. The dialect lives as long
    /// as the program, since the options of every document have it.
    #[must_use]
    #[doc(hidden)]
    pub fn configured(
        self,
        settings: &Settings,
        texts: impl Fn(&[&str]) -> Option<Vec<String>>,
    ) -> MarkdownDialect {
        let is_set = |(sign, _): &&RowOption| match *sign {
            OptionSign::Setting(key, value) => {
                settings.at(key).is_some_and(|set| set.eq_ignore_ascii_case(value))
            }
            OptionSign::Holds(holds) => holds(settings),
            OptionSign::Text(paths, words) => {
                let has_word = |text: &String| words.iter().any(|word| text.contains(word));
                texts(paths).is_none_or(|texts| texts.iter().any(has_word))
            }
        };
        let options: Vec<_> = self.0.options.iter().filter(is_set).collect();
        if options.is_empty() {
            return self;
        }
        let mut row = self.0.clone();
        options.into_iter().for_each(|(_, set)| set(&mut row));
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
    /// The document is not Markdown, but reStructuredText.
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
    /// The name on the command line.
    pub name: &'static str,
    /// The name of the program.
    pub program: &'static str,
    /// The programs that read the dialect, for help.
    pub help: &'static str,
    /// The settings that say where the site is published: its URL, and the path that is added to it. Empty for none.
    pub site_url: (&'static str, &'static str),
    /// A command that builds the site, with `{out}` for the directory to write; empty if there is none.
    pub build: &'static str,
    /// The files by which a project of this generator is recognized, in the directory of the project; the usual one
    /// first.
    pub configuration: &'static [&'static str],
    /// The directory of the project whose files are parts of the configuration: modules, or files named after the keys
    /// that they hold.
    pub configuration_folder: Option<&'static str>,
    /// The key that names a file with further settings, which those of the configuration override.
    pub inherit_key: Option<&'static str>,
    /// Further such files, and those of them that need a word outside of comments: one of those here.
    pub configuration_with: &'static [(&'static str, &'static str)],
    /// True if the links between its pages are read; if not, they are read as on GitHub, and not checked.
    pub is_read: bool,
    /// The names of the index documents of a directory, in order.
    pub index_names: &'static [&'static str],
    /// The patterns of the files that a link without an extension leads to, in order.
    pub tries: &'static [&'static str],
    /// The directories whose files are published at the root, each with a slash at its end.
    pub roots: &'static [&'static str],
    /// True if the URLs of pages are in lower case, whatever the names of their sources are.
    pub is_lower_case: bool,
    /// True if a host shows the files of a repository, with directories and pages of the repository beside them.
    pub is_repository: bool,
    /// The anchors of headings.
    #[cfg(feature = "markdown")]
    pub(super) slugs: Style,
    /// The ids of what is not a heading.
    #[cfg(feature = "markdown")]
    pub(super) ids: WrittenIds,
    /// True if the terms of definition lists have anchors.
    pub(super) has_terms: bool,
    /// True if URLs in running text are links.
    pub(super) bare_urls: bool,
    /// The blocks that hold Markdown.
    pub(super) blocks: Blocks,
    /// True if URLs in HTML and destinations without the extension of a file are relative to the page, not to the
    /// file.
    pub(super) has_page_links: bool,
    /// True if a path that leads to no file from the document is looked up from the root of the content.
    pub(super) has_content_paths: bool,
    /// The destinations that are neither URLs nor paths.
    pub(super) names: Names,
    /// True if destinations with an extension other than that of Markdown are, too.
    pub(super) assets_of_page: bool,
    /// True if a label without a definition may be that of a cross-reference.
    pub(super) has_cross_references: bool,
    /// The URLs of pages; `None` if visitors read the documents themselves.
    pub page: Option<PageUrl>,
    /// The settings that change the URLs of pages.
    pub(super) page_settings: &'static [PageSetting],
    /// Settings of a project that change how its documents are read.
    pub(super) options: &'static [RowOption],
    /// The directories of the project that are published, each with the path under which they are, and the setting
    /// that names another directory.
    pub published: &'static [Published],
    /// True if documents of several kinds, versions and languages are published side by side, so that a link is
    /// relative to the URL of its page, and paths count from directories of its own.
    pub has_sections: bool,
    /// The treatment of a URL with a slash at its start.
    pub base_path: BasePath,
    /// The start of a path from the directory of the project, or of the documents for a generator that publishes one.
    pub root_alias: Option<&'static str>,
    /// The attributes, in a list after a link, with which the generator leaves its URL alone.
    pub raw_attributes: &'static [&'static str],
    /// The prefix of a URL that the generator leaves as written.
    pub raw_prefix: Option<&'static str>,
    /// The extensions of files that a URL leads to: with others it is that of a page. None: all.
    pub file_extensions: &'static [&'static str],
    /// The attributes of components that are links, as `--attr` has them.
    pub component_attributes: &'static [&'static str],
    /// True if the build looks URLs of pages up.
    pub checks_urls: bool,
    /// True if `/a` is not the page of the directory `a`, and `/a/` not that of `a.md`.
    pub is_slash_exact: bool,
    /// The directories that are published by the settings, where a table cannot say it.
    pub mounts: Option<MountsOf>,
    /// The templates of the URLs of pages that are made by the settings.
    pub templates_of: fn(&Settings) -> Vec<PageTemplate>,
    /// The patterns, as of `.gitignore`, of what is not published of these directories.
    pub excluded: &'static [&'static str],
    /// The settings with further patterns.
    pub excluded_keys: &'static [&'static str],
    /// The ids of content tabs.
    #[cfg(feature = "markdown")]
    pub(super) tabs: TabIds,
    /// The paths of what the generator makes of no file.
    pub made: &'static [&'static str],
    /// The settings whose members are documents at whose pages it makes redirects.
    pub redirect_keys: &'static [&'static str],
    /// The settings whose values are the old URLs of redirects, from the root of the site.
    pub redirect_values: &'static [&'static str],
    /// The settings with directories from which the paths of included files count.
    pub root_keys: &'static [&'static str],
    /// The names of directories whose files are parts of pages: what is relative in them counts from these.
    pub parts: &'static [&'static str],
    /// The directories of the project whose files are templates, not documents.
    pub templates: &'static [&'static str],
    /// How the names of documents become those of pages.
    pub(super) page_names: PageNames,
    /// True if the generator finds a fragment in any document of the project, not only in the target.
    pub anchors_of_project: bool,
    /// True if a link to a document becomes that to a page by its extension alone: `README.md` becomes `README.html`,
    /// although its page is `index.html`, and `index.md` leads to that.
    pub renames_links: bool,
    /// The document that lists all others of which pages are made; `None` if pages are made of all.
    pub list: Option<&'static str>,
    /// True if the documents of [`DialectRow::list`] must exist: the generator makes none of them.
    pub is_list_complete: bool,
    /// How the paths of documents start of which no page is made, or one whose URL a plugin decides.
    pub(super) without_page: &'static [&'static str],
    /// Other files of a project that are documents: the ends of their names, and the dialects in which they are read.
    pub(super) others: &'static [(&'static str, MarkdownDialect)],
    /// True if the generator reads nothing but the published directories, and leaves a link that leads to no document
    /// there, relative to the file, to browsers.
    pub is_strict: bool,
    /// True if documents link to the files of the theme as if these were in the directory of the documents.
    pub has_theme_files: bool,
    /// True if it makes the URL of a page of the path of a document in a destination.
    pub(super) reads_paths: bool,
    /// True if documents without front matter are copied as they are.
    pub needs_front_matter: bool,
    /// The extensions of other files from which it makes files with another extension.
    pub compiled: &'static [(&'static str, &'static str)],
    /// True if it also finds documents without the extension, and from the root of the content.
    pub(super) reads_names: bool,
    /// True if languages are published side by side, each with documents that lead to those of their own language.
    pub has_language_roots: bool,
    /// True if a directory with a document `index.md` is one page, of which other documents are parts.
    pub has_bundles: bool,
    /// True if directories at the root of the content have pages without documents.
    pub has_section_pages: bool,
    /// The files that name documents.
    pub(super) navigation: &'static [NavigationRow],
    /// The markup that names documents.
    pub(super) shortcodes: &'static [Shortcode],
    /// The markup of templates in documents, if there is some.
    pub(super) shortcode_markup: Option<&'static ShortcodeMarkup>,
    /// The starts of markup that includes another text, with its headings.
    pub(super) includes: &'static [&'static str],
    /// Makers of pages and anchors that the sources do not have.
    pub makers: &'static [Maker],
    /// The keys of front matter whose values are Markdown.
    pub(super) markdown_keys: &'static [&'static str],
    /// True if any other value of front matter is Markdown too, if it has a link.
    pub(super) has_markdown_strings: bool,
    /// The keys of front matter that decide the URL of a page, those that count first.
    pub url_keys: &'static [(&'static str, UrlKey)],
    /// The directory of the project whose files the generator copies, in which a redirect page may stand; `None` if
    /// there is none.
    pub static_folder: Option<&'static str>,
    /// The files of rules that it does not copy from there.
    pub not_copied: &'static [&'static str],
    /// The plugin that a redirect of an anchor needs; `None` if the generator has none.
    pub anchor_redirects: Option<&'static str>,
    /// The formats of redirects that it reads, the usual one first.
    pub redirects: &'static [RedirectRow],
}

/// A sign that a project changes how its documents are read, and the change of the row.
pub type RowOption = (OptionSign, fn(&mut DialectRow));

/// How a project shows that it has a [`RowOption`].
#[derive(Debug)]
pub enum OptionSign {
    /// The setting at a path, in which letter case does not count, has this value.
    Setting(&'static str, &'static str),
    /// The settings require this.
    Holds(fn(&Settings) -> bool),
    /// A file at one of these paths has one of these words.
    Text(&'static [&'static str], &'static [&'static str]),
}

/// The form of a value that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameForm {
    /// The URL of a page, relative to another URL in the file.
    Based,
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
    /// The member of an object whose value the generator adds before the links in it.
    pub(super) link_base: Option<&'static str>,
    /// True if a page may have the extension of its document in a link.
    pub(super) drops_extension: bool,
    /// The values that name something; see [`crate::data::matches`].
    pub(super) keys: &'static [(&'static str, NameForm)],
}

impl NavigationRow {
    /// Files of YAML with these `names`, whose values are relative to them.
    pub(super) const fn yaml(
        names: &'static [&'static str],
        keys: &'static [(&'static str, NameForm)],
    ) -> NavigationRow {
        NavigationRow {
            language: DataLanguage::Yaml,
            names,
            folder: None,
            documents: None,
            link_base: None,
            drops_extension: false,
            keys,
        }
    }
}

/// A form of markup that names a document.
#[derive(Debug)]
pub(super) struct Shortcode {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// True if the opener begins its line.
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
    /// True if a fragment may follow the markup.
    pub(super) has_fragments: bool,
}

/// The markup of templates in documents.
#[derive(Debug)]
pub(super) struct ShortcodeMarkup {
    /// The openers and closers of markup that is a word in Markdown.
    pub(super) words: &'static [(&'static str, &'static str)],
    /// True if it is rendered before Markdown is read, so that markup alone on a line leaves no word.
    pub(super) is_rendered_first: bool,
    /// The tags between which others are not read, with their closing tags.
    pub(super) literal: &'static [(&'static str, &'static str)],
    /// The tags between which nothing is Markdown: comments, code.
    pub(super) blank: &'static [(&'static str, &'static str)],
    /// The openers of markup with parameters, each with the names whose parameters are not paths, or are read.
    pub(super) parameters: &'static [(&'static str, &'static [&'static str])],
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
