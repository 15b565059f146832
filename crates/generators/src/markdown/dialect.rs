//! A dialect of Markdown: the types of its row in the table of [`super::DIALECTS`], and its fields.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use super::makers::Maker;
use super::page_templates::PageTemplate;
use super::published::{
    BasePath, Builds, MountsOf, PageNames, PageSetting, PageUrl, Published, UrlKey,
};
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
    /// Returns the row of the dialect in the table, with all its rules.
    #[doc(hidden)]
    pub const fn row(self) -> &'static DialectRow {
        self.0
    }

    /// Returns the dialects of files in another language that may be documents of a project in this dialect,
    /// such as reStructuredText in Sphinx.
    #[doc(hidden)]
    pub fn neighbors(self) -> impl Iterator<Item = MarkdownDialect> {
        self.0.others.iter().map(|(_, dialect)| *dialect)
    }

    /// Returns the dialect of the file at `path`, if it is in another language and may be a document of a
    /// project in this dialect.
    #[doc(hidden)]
    pub fn of_other(self, path: &Path) -> Option<MarkdownDialect> {
        let name = path.file_name()?.to_str()?;
        let mut others = self.0.others.iter();
        others.find_map(|(end, dialect)| name.ends_with(end).then_some(*dialect))
    }

    /// Returns the dialect of a project with these `settings`. `texts` returns the texts of the files at these
    /// paths in the project or its themes; `None` if the files of a theme are not known. The dialect lives as
    /// long as the program, since the options of every document refer to it.
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
    /// Indented content of admonitions and tabs (`!!! note`), and HTML with the attribute `markdown`.
    Indented,
    /// Directives of MyST: code fences with a name in braces.
    Directives,
    /// Elements of JSX: tags on lines of their own.
    Jsx,
    /// No extensions, but scripts of Vue that import components.
    Vue,
    /// The document is not Markdown, but reStructuredText.
    Rst,
    /// HTML with the attribute `markdown`, and formulas, which are not Markdown.
    Kramdown,
}

/// The destinations of a dialect that are neither URLs nor paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// None.
    None,
    /// A single word, which a render hook may interpret.
    Words,
    /// Labels: paths without an extension, and single fragments, which may name labels in other documents.
    Labels,
}

/// A row of the table of dialects.
#[derive(Clone, Debug)]
pub struct DialectRow {
    /// The name that `--markdown` accepts.
    pub name: &'static str,
    /// The name of the generator in messages.
    pub program: &'static str,
    /// The programs that use the dialect, for help texts.
    pub help: &'static str,
    /// The keys of the settings that state the URL of the site, and the path to add to it. Empty if there is no
    /// such key.
    pub site_url: (&'static str, &'static str),
    /// True if the documents of each language may be in a directory with its name, under the same paths.
    pub has_language_folders: bool,
    /// A command that builds the site, with `{out}` in place of the output directory, and `{site}` in place of the arguments
    /// that name its directory; empty if there is none.
    pub build: &'static str,
    /// The arguments for `{site}`: for the working directory, and for another directory, whose path replaces `{}`.
    pub build_site: (&'static str, &'static str),
    /// The configuration files by which rehref recognizes a project of this generator, in its directory; the
    /// usual file first.
    pub configuration: &'static [&'static str],
    /// The directory whose files are parts of the configuration: modules, or files that are named after their
    /// keys.
    pub configuration_folder: Option<&'static str>,
    /// The key that names a file with further settings. The settings in the configuration itself take
    /// precedence.
    pub inherit_key: Option<&'static str>,
    /// Further configuration files. Each must contain a word outside of comments: one of those listed with it.
    pub configuration_with: &'static [(&'static str, &'static str)],
    /// True if rehref knows the rules for links between pages. If not, it reads links by GitHub's rules and
    /// does not check them.
    pub is_read: bool,
    /// The names of the index documents of a directory, in order.
    pub index_names: &'static [&'static str],
    /// True if the generator makes no page of a later one of them in a directory that has an earlier one.
    pub has_one_index: bool,
    /// The patterns of files to which a link without an extension may lead, in order.
    pub tries: &'static [&'static str],
    /// The directories whose files are published at the root of the site, each with a slash at its end.
    pub roots: &'static [&'static str],
    /// True if the URLs of pages are in lower case, whatever the names of their sources are.
    pub is_lower_case: bool,
    /// True if the dialect is that of a code host, which shows the files of a repository, its directories, and
    /// pages of its own.
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
    /// True if a destination with a slash at its start is a path from the directory of the documents.
    pub(super) has_rooted_paths: bool,
    /// The destinations that are neither URLs nor paths.
    pub(super) names: Names,
    /// True if destinations with an extension other than that of Markdown are, too.
    pub(super) assets_of_page: bool,
    /// True if a label without a definition may be that of a cross-reference.
    pub(super) has_cross_references: bool,
    /// The rule for the URLs of pages; `None` if visitors read the documents themselves.
    pub page: Option<PageUrl>,
    /// The settings that change the URLs of pages.
    pub(super) page_settings: &'static [PageSetting],
    /// Settings of a project that change how its documents are read.
    pub(super) options: &'static [RowOption],
    /// The directories of the project that are published, each with its path in the site, and the setting that
    /// names another directory.
    pub published: &'static [Published],
    /// True if documents of several kinds, versions and languages are published side by side. A link is then
    /// relative to the URL of its page, and paths resolve against directories of their own.
    pub has_sections: bool,
    /// The treatment of a URL with a slash at its start, if the site is below a path of its host.
    pub base_path: BasePath,
    /// The alias at the start of a path that stands for the directory of the project, or of the documents, such
    /// as `@site/`.
    pub root_alias: Option<&'static str>,
    /// The attributes, in a list after a link, with which the generator does not change the URL.
    pub raw_attributes: &'static [&'static str],
    /// The prefix with which the generator does not change a URL, such as `pathname://`.
    pub raw_prefix: Option<&'static str>,
    /// The extensions with which a URL leads to a file. With any other extension, it is the URL of a page.
    /// Empty for all extensions.
    pub file_extensions: &'static [&'static str],
    /// The attributes of components that contain links, as `--attr` accepts them.
    pub component_attributes: &'static [&'static str],
    /// True if the build checks the URLs of pages.
    pub checks_urls: bool,
    /// True if slashes matter: `/a` is not the page of the directory `a`, and `/a/` is not the page of `a.md`.
    pub is_slash_exact: bool,
    /// A function that returns the directories that the settings publish, if the table cannot express them.
    pub mounts: Option<MountsOf>,
    /// A function that returns the templates of the URLs of pages that settings create without a document.
    pub templates_of: fn(&Settings) -> Vec<PageTemplate>,
    /// The patterns, in the syntax of `.gitignore`, of files that are not published.
    pub excluded: &'static [&'static str],
    /// The keys of the settings that contain further patterns of files that are not published.
    pub excluded_keys: &'static [&'static str],
    /// The ids of content tabs.
    #[cfg(feature = "markdown")]
    pub(super) tabs: TabIds,
    /// The paths of pages and files that the generator makes without a source.
    pub made: &'static [&'static str],
    /// The keys of settings whose members name documents at whose pages the generator makes redirects.
    pub redirect_keys: &'static [&'static str],
    /// The keys of settings whose values are the old URLs of redirects, from the root of the site.
    pub redirect_values: &'static [&'static str],
    /// The keys of settings that name the directories against which the paths of included files resolve.
    pub root_keys: &'static [&'static str],
    /// The names of directories whose files are parts of pages. Relative links in these files resolve against
    /// the directory.
    pub parts: &'static [&'static str],
    /// The directories of the project whose files are templates, not documents.
    pub templates: &'static [&'static str],
    /// How the names of documents become those of pages.
    pub page_names: PageNames,
    /// True if the generator finds a fragment in any document of the project, not only in the target.
    pub anchors_of_project: bool,
    /// True if the generator turns a link to a document into a link to a page by changing only its extension:
    /// `README.md` becomes `README.html`, although the page is `index.html`, and `index.md` leads to this page.
    pub renames_links: bool,
    /// The document that lists all documents of which pages are made, such as `SUMMARY.md`; `None` if pages are
    /// made of all documents.
    pub list: Option<&'static str>,
    /// True if the documents in [`DialectRow::list`] must exist, because the generator creates no missing ones.
    pub is_list_complete: bool,
    /// How the paths of documents start of which no page is made, or one whose URL a plugin decides.
    pub(super) without_page: &'static [&'static str],
    /// The documents of which it makes pages although their front matter says otherwise.
    pub(super) builds: Builds,
    /// Other files of a project that are documents: the ends of their names, and the dialects in which they are read.
    pub(super) others: &'static [(&'static str, MarkdownDialect)],
    /// True if the generator reads only the published directories. A relative link that leads to no document
    /// there stays as written in the page.
    pub is_strict: bool,
    /// True if documents link to files of the theme as if these were in the directory of the documents.
    pub has_theme_files: bool,
    /// True if it makes the URL of a page of the path of a document in a destination.
    pub reads_paths: bool,
    /// True if the generator copies documents without front matter unchanged.
    pub needs_front_matter: bool,
    /// The extensions of files that the generator compiles, each with the extension of the result.
    pub compiled: &'static [(&'static str, &'static str)],
    /// True if it also finds documents without the extension, and from the root of the content.
    pub(super) reads_names: bool,
    /// True if languages are published side by side, and links lead to documents of the same language.
    pub has_language_roots: bool,
    /// True if a directory with a document `index.md` is one page, which may use the other documents in the
    /// directory.
    pub has_bundles: bool,
    /// True if directories at the root of the content have pages even without a document.
    pub has_section_pages: bool,
    /// The files that name documents.
    pub(super) navigation: &'static [NavigationRow],
    /// The markup that names documents.
    pub(super) shortcodes: &'static [Shortcode],
    /// The markup of templates in documents, if there is some.
    pub(super) shortcode_markup: Option<&'static ShortcodeMarkup>,
    /// The starts of markup that includes another text, with its headings.
    pub(super) includes: &'static [&'static str],
    /// The plugins, components and settings that may make pages and anchors which the sources lack.
    pub makers: &'static [Maker],
    /// The keys of front matter whose values are Markdown.
    pub(super) markdown_keys: &'static [&'static str],
    /// True if any other value of front matter is Markdown too, if it has a link.
    pub(super) has_markdown_strings: bool,
    /// The keys of front matter that determine the URL of a page, in order of precedence.
    pub url_keys: &'static [(&'static str, UrlKey)],
    /// The files of redirect rules that the generator does not copy from the directory whose files it copies.
    pub not_copied: &'static [&'static str],
    /// The plugin that can redirect an anchor; `None` if the generator cannot.
    pub anchor_redirects: Option<&'static str>,
    /// The formats of redirects that the generator reads, the usual one first.
    pub redirects: &'static [RedirectRow],
}

/// A sign that a project changes the rules, and the resulting change of the row.
pub type RowOption = (OptionSign, fn(&mut DialectRow));

/// The sign of a [`RowOption`] in a project.
#[derive(Debug)]
pub enum OptionSign {
    /// The setting at this path has this value; letter case does not matter.
    Setting(&'static str, &'static str),
    /// The function returns true for the settings.
    Holds(fn(&Settings) -> bool),
    /// A file at one of these paths contains one of these words.
    Text(&'static [&'static str], &'static [&'static str]),
}

/// The form of a value in navigation that names a document, a page or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameForm {
    /// The URL of a page, relative to another URL in the file.
    Based,
    /// The path of a file, relative to the folder of the documents, or a URL.
    Document,
    /// The path of a file, or the URL of a page relative to that of the folder, if it has a fragment or a slash
    /// at its end.
    Page,
    /// As [`NameForm::Document`], or the id of a document, or the name of a file of a theme.
    Id,
    /// The id of a document: its path without the extension, relative to the directory whose navigation the
    /// file is.
    DocumentId,
    /// The path of a file or folder, relative to the file with the value.
    Configuration,
    /// A URL.
    Url,
    /// A URL, relative to the page whose path is the name of the member.
    Redirect,
}

/// A row of the table of files that name documents of a generator.
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
    /// The option without which relative links in the file resolve against it, not against the document.
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
