//! No program in particular: links are paths to files.

// What rows are written with.
pub(super) use crate::data::DataLanguage;
pub(super) use crate::markdown::dialect::NameForm::{
    Configuration, Document, Id, Page, Redirect, Url,
};
pub(super) use crate::markdown::dialect::{
    Blocks, DialectRow, MarkdownDialect, Names, NavigationRow, PROJECT, PageNames, PageUrl,
    SHORTCODE, Shortcode, UrlKey, documents, published,
};
pub(super) use crate::markdown::makers::{Maker, Makes, PageSign};
pub(super) use crate::markdown::redirects::GeneratorRedirects::{FrontMatter, Json, Lines};
pub(super) use crate::markdown::redirects::RedirectName::{DocumentName, File, FromOld, RootUrl};
pub(super) use crate::markdown::redirects::{FrontMatterList, RedirectLine, RedirectRow};
pub(super) use crate::markdown::rows;
pub(super) use crate::markdown::slug::{
    Empty, Numbering, Reserve, Style, algorithm, attributes, hugo, text, vitepress,
};

impl MarkdownDialect {
    /// No program in particular: links are paths to files.
    pub const PLAIN: MarkdownDialect = MarkdownDialect(&PLAIN);
}

/// The row that others differ from.
pub(super) const PLAIN: DialectRow = DialectRow {
    name: "plain",
    program: "Markdown",
    help: "No generator: links are paths to files",
    site_url: ("", ""),
    build: "",
    configuration: &[],
    configuration_with: &[],
    is_read: true,
    index_names: &["README.md", "index.md", "readme.md"],
    tries: &[],
    roots: &[],
    is_lower_case: false,
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
    },
    has_terms: false,
    bare_urls: false,
    blocks: Blocks::CommonMark,
    has_page_links: false,
    has_content_paths: false,
    names: Names::None,
    has_cross_references: false,
    assets_of_page: false,
    page: None,
    page_settings: &[],
    published: &[PROJECT],
    folders: None,
    root_alias: None,
    file_extensions: &[],
    component_attributes: &[],
    is_slash_exact: false,
    excluded: &[],
    excluded_keys: &[],
    made: &[],
    redirect_keys: &[],
    root_keys: &[],
    page_names: PageNames::Same,
    without_page: &[],
    is_strict: false,
    navigation: &[],
    shortcodes: &[],
    includes: &[],
    makers: &[],
    markdown_keys: &[],
    url_keys: &[],
    static_folder: None,
    not_copied: &[],
    redirects: &[],
};
