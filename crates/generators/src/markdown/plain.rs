//! No program in particular: links are paths to files.

// What rows are written with.
pub(super) use crate::data::DataLanguage;
pub(super) use crate::markdown::dialect::NameForm::{
    Based, Configuration, Document, DocumentId, Id, Page, Redirect, Url,
};
pub(super) use crate::markdown::dialect::OptionSign::{Holds, Setting, Text};
pub(super) use crate::markdown::dialect::{
    Blocks, DialectRow, MarkdownDialect, Names, NavigationRow, SHORTCODE, Shortcode,
    ShortcodeMarkup,
};
pub(super) use crate::markdown::makers::{LabelForm, Maker, Makes, PageSign, ProjectSign};
pub(super) use crate::markdown::published::{
    BasePath, Builds, FolderFiles, PROJECT, PageNames, PageUrl, UrlKey, documents, published, theme,
};
pub(super) use crate::markdown::redirects::GeneratorRedirects::{FrontMatter, Json, Lines};
pub(super) use crate::markdown::redirects::RedirectName::{DocumentName, File, FromOld, RootUrl};
pub(super) use crate::markdown::redirects::{FrontMatterList, RedirectLine, RedirectRow};
pub(super) use crate::markdown::rows;
#[cfg(feature = "markdown")]
pub(super) use crate::markdown::slug::headings::{
    Empty, Reserve, Style, attributes, hugo, text, vitepress,
};
pub(super) use crate::markdown::slug::{Numbering, algorithm};
#[cfg(feature = "markdown")]
pub(super) use crate::markdown::tab_ids::TabIds;
#[cfg(feature = "markdown")]
pub(super) use crate::markdown::written_ids;

impl MarkdownDialect {
    /// The rules of plain Markdown without a generator: links are paths to files.
    pub const PLAIN: MarkdownDialect = MarkdownDialect(&PLAIN);
}

/// Returns a plugin of the configuration that rehref does not read.
pub(super) const fn other_plugin(sign: ProjectSign) -> Maker {
    Maker::of("the plugin", Makes::Anything).in_projects(sign)
}

/// A setting of the URLs of pages that a program computes.
pub(super) const COMPUTED: Maker =
    Maker::of("the path that the configuration computes", Makes::Pages(&[""]));

/// Returns a module that a configuration in JavaScript imports besides these.
pub(super) const fn other_module(known: &'static [&'static str]) -> Maker {
    Maker::of("the module", Makes::Anything).in_projects(ProjectSign::ModuleBesides(known))
}

/// A plugin that lists the pages for programs. Its name may be any.
pub(super) const LISTS: Maker = Maker::of(
    "a plugin for search engines or language models",
    Makes::Pages(&["llms", "sitemap", "robots.txt"]),
);

/// Returns a module of the project that a configuration in JavaScript imports besides these, and that makes pages.
pub(super) const fn writing_module(known: &'static [&'static str]) -> Maker {
    Maker::of("the module", Makes::Pages(&[""])).in_projects(ProjectSign::WritingModule(known))
}

/// The template of a page whose document has no text: it may have that of another document.
pub(super) const NO_TEXT: Maker =
    Maker::of("the template of a page without text", Makes::Anchors).on_pages(PageSign::NoText);

/// A package of a bundler, which the style sheets of a project import by its name.
pub(super) const PACKAGE: Maker = Maker::of("a package", Makes::Pages(&["/@", "/~"]));

/// A search that indexes the built site, and writes its files into it.
pub(super) const PAGEFIND: Maker = Maker::of("Pagefind", Makes::Pages(&["pagefind/"]));

/// Rules in the directory above, which a build copies to the site.
pub(super) const RULES_ABOVE: Maker =
    Maker::of("a rule in a _redirects file above the project", Makes::Pages(&[""]))
        .in_projects(ProjectSign::File("../_redirects"));

/// The row that others differ from.
pub(super) const PLAIN: DialectRow = DialectRow {
    name: "plain",
    program: "Markdown",
    help: "No generator: links are paths to files",
    site_url: ("", ""),
    has_language_folders: false,
    build: "",
    build_site: ("", "{}"),
    configuration: &[],
    configuration_folder: None,
    inherit_key: None,
    configuration_with: &[],
    is_read: true,
    index_names: &["README.md", "index.md", "readme.md"],
    has_one_index: false,
    tries: &[],
    roots: &[],
    is_lower_case: false,
    is_repository: false,
    #[cfg(feature = "markdown")]
    slugs: Style {
        first_level: true,
        terms: false,
        text: text::visible,
        slug: algorithm::github,
        empty: Empty::Counted,
        numbering: Numbering::UntilFree,
        explicit: |_| None,
        reserve: Reserve::Never,
        item_attributes: false,
        myst: false,
        html: false,
    },
    #[cfg(feature = "markdown")]
    ids: written_ids::NONE,
    has_terms: false,
    bare_urls: false,
    blocks: Blocks::CommonMark,
    has_page_links: false,
    has_content_paths: false,
    has_rooted_paths: false,
    names: Names::None,
    has_cross_references: false,
    assets_of_page: false,
    page: None,
    page_settings: &[],
    options: &[],
    published: &[PROJECT],
    has_sections: false,
    base_path: BasePath::Browsers,
    root_alias: None,
    raw_attributes: &[],
    raw_prefix: None,
    file_extensions: &[],
    component_attributes: &[],
    checks_urls: false,
    is_slash_exact: false,
    mounts: None,
    templates_of: |_| Vec::new(),
    excluded: &[],
    excluded_keys: &[],
    made: &[],
    #[cfg(feature = "markdown")]
    tabs: TabIds::None,
    redirect_keys: &[],
    redirect_values: &[],
    root_keys: &[],
    parts: &[],
    templates: &[],
    page_names: PageNames::Same,
    renames_links: false,
    anchors_of_project: false,
    list: None,
    is_list_complete: false,
    without_page: &[],
    builds: Builds { drafts: false, unpublished: false, future: true, expired: true },
    others: &[],
    is_strict: false,
    has_theme_files: false,
    reads_paths: true,
    needs_front_matter: false,
    compiled: &[],
    reads_names: false,
    has_language_roots: false,
    has_bundles: false,
    has_section_pages: false,
    has_markdown_strings: false,
    navigation: &[],
    shortcodes: &[],
    shortcode_markup: None,
    includes: &[],
    makers: &[],
    markdown_keys: &[],
    url_keys: &[],
    not_copied: &[],
    anchor_redirects: None,
    redirects: &[],
};
