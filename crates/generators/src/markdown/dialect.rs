//! The table of dialects: how each generator that publishes Markdown reads it and where its links lead.

use super::dialect_row::NameForm::{Configuration, Document, Id, Redirect, Url};
use super::dialect_row::{
    Blocks, DialectRow, MarkdownDialect, Names, NavigationRow, PageNames, PageUrl, Published,
    SHORTCODE, Shortcode, ShortcodeMarkup, UrlKey,
};
use super::rows::{self, MarkdownRow, RowBase};
use super::slug;
use crate::data::DataLanguage;
use rehref_url::scheme;

const fn published(folder: &'static str, folder_key: Option<&'static str>) -> Published {
    Published { folder, folder_key, url: "", url_key: None, is_copied: true }
}

/// As [`published`], but other files get new names, or none.
const fn documents(folder: &'static str, folder_key: Option<&'static str>) -> Published {
    Published { is_copied: false, ..published(folder, folder_key) }
}

const PROJECT: Published = published("", None);

const PLAIN: DialectRow = DialectRow {
    dialect: MarkdownDialect::Plain,
    name: "plain",
    program: "Markdown",
    configuration: &[],
    index_names: &["README.md", "index.md", "readme.md"],
    tries: &[],
    roots: &[],
    is_lower_case: false,
    slugs: &slug::GITHUB,
    has_terms: false,
    bare_urls: false,
    blocks: Blocks::CommonMark,
    has_page_links: false,
    has_content_paths: false,
    names: Names::None,
    assets_of_page: false,
    page: None,
    page_settings: &[],
    published: &[PROJECT],
    page_names: PageNames::Same,
    without_page: &[],
    navigation: &[],
    shortcodes: &[],
    shortcode_markup: None,
    includes: &[],
    markdown_keys: &[],
    url_keys: &[],
    static_folder: None,
};

const HUGO: NavigationRow = NavigationRow {
    language: DataLanguage::Toml,
    names: &["hugo.toml"],
    folder: None,
    documents: Some(("content", "contentDir")),
    keys: &[
        ("**.menus.*.pageRef", Id),
        ("**.menu.*.pageRef", Id),
        ("**.menus.*.url", Url),
        ("**.menu.*.url", Url),
    ],
};

/// A tag of Liquid, which has nothing but a path.
const LIQUID: Shortcode = Shortcode {
    open: "{%",
    close: "%}",
    forbidden: &['"', '\n', '{', '|'],
    parameters: &[],
    ..SHORTCODE
};

/// Hugo's own shortcode for images.
const FIGURE: Shortcode = Shortcode {
    names: &["figure"],
    parameters: &[("src", &rows::SHORTCODE_IMAGE), ("link", &rows::SHORTCODE_LINK)],
    ..SHORTCODE
};

const HUGO_MENUS: NavigationRow = NavigationRow {
    names: &["menus.toml", "menu.toml"],
    folder: Some("config"),
    // Of the folder of the project, not of this file: the documents are found from the root of the content.
    documents: None,
    keys: &[("*.pageRef", Id), ("*.url", Url)],
    ..HUGO
};

/// The dialects, each after those whose configuration is a surer sign.
pub static DIALECTS: &[DialectRow] = &[
    DialectRow {
        dialect: MarkdownDialect::MkDocs,
        name: "mkdocs",
        program: "MkDocs",
        configuration: &["mkdocs.yml", "mkdocs.yaml", "zensical.toml"],
        index_names: &["index.md", "README.md"],
        tries: &["{}.md"],
        slugs: &slug::PYTHON_MARKDOWN,
        blocks: Blocks::Indented,
        has_page_links: true,
        page: Some(PageUrl::Directory),
        page_settings: &[("use_directory_urls", "false", PageUrl::Html)],
        published: &[published("docs/", Some("docs_dir"))],
        without_page: &["blog/posts/"],
        static_folder: Some("docs/"),
        navigation: &[
            NavigationRow {
                documents: Some(("docs", "docs_dir")),
                ..NavigationRow::yaml(
                    &["mkdocs.yml", "mkdocs.yaml"],
                    &[
                        ("nav.**", Document),
                        // The plugin mkdocs-redirects.
                        ("plugins.**.redirect_maps.*", Document),
                        ("extra_css", Id),
                        ("extra_javascript", Id),
                        ("extra_javascript.path", Id),
                        ("theme.logo", Id),
                        ("theme.favicon", Id),
                        ("docs_dir", Configuration),
                        ("theme.custom_dir", Configuration),
                        ("hooks", Configuration),
                    ],
                )
            },
            NavigationRow {
                language: DataLanguage::Toml,
                names: &["zensical.toml"],
                folder: None,
                documents: Some(("docs", "project.docs_dir")),
                keys: &[
                    ("project.nav.**", Document),
                    ("project.extra_css", Id),
                    ("project.extra_javascript", Id),
                    ("project.extra_javascript.path", Id),
                    ("project.theme.logo", Id),
                    ("project.theme.favicon", Id),
                    ("project.docs_dir", Configuration),
                    ("project.theme.custom_dir", Configuration),
                ],
            },
        ],
        includes: &["--8<--"],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::Docusaurus,
        name: "docusaurus",
        program: "Docusaurus",
        configuration: &[
            "docusaurus.config.js",
            "docusaurus.config.ts",
            "docusaurus.config.mjs",
            "docusaurus.config.mts",
            "docusaurus.config.cjs",
        ],
        index_names: &["index.md", "index.mdx", "README.md", "README.mdx"],
        tries: &["{}.md", "{}.mdx"],
        roots: &["static/", "docs/"],
        slugs: &slug::DOCUSAURUS,
        bare_urls: true,
        blocks: Blocks::Jsx,
        has_content_paths: true,
        has_page_links: true,
        page: Some(PageUrl::Bare),
        page_settings: &[("trailingSlash", "true", PageUrl::Directory)],
        published: &[
            Published {
                folder: "docs/",
                folder_key: Some("path"),
                url: "docs/",
                url_key: Some("routeBasePath"),
                is_copied: false,
            },
            published("static/", None),
            documents("src/pages/", None),
        ],
        page_names: PageNames::Docusaurus,
        url_keys: &[("slug", UrlKey::Slug), ("id", UrlKey::Name)],
        static_folder: Some("static/"),
        navigation: &[NavigationRow {
            documents: Some(("docs", "")),
            ..NavigationRow::yaml(
                &["sidebars.json"],
                &[("**[]", Id), ("**.id", Id), ("**.href", Url)],
            )
        }],
        includes: &[".mdx'", ".mdx\""],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::Hugo,
        name: "hugo",
        program: "Hugo",
        configuration: &["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"],
        index_names: &["_index.md", "index.md"],
        tries: &["{}.md"],
        roots: &["content/", "content/en/", "static/", "assets/"],
        is_lower_case: true,
        slugs: &slug::HUGO,
        has_terms: true,
        bare_urls: true,
        has_page_links: true,
        names: Names::Words,
        assets_of_page: true,
        page: Some(PageUrl::Directory),
        page_settings: &[("uglyURLs", "true", PageUrl::Html)],
        published: &[published("content/", Some("contentDir")), published("static/", None)],
        page_names: PageNames::Hugo,
        url_keys: &[("url", UrlKey::Url), ("slug", UrlKey::Name)],
        static_folder: Some("static/"),
        navigation: &[
            NavigationRow {
                language: DataLanguage::Yaml,
                names: &["hugo.yaml", "hugo.yml", "hugo.json"],
                ..HUGO
            },
            HUGO,
            NavigationRow {
                language: DataLanguage::Yaml,
                names: &["menus.yaml", "menus.yml", "menus.json", "menu.yaml", "menu.yml"],
                ..HUGO_MENUS
            },
            HUGO_MENUS,
        ],
        shortcodes: &[
            SHORTCODE,
            Shortcode { open: "{{%", close: "%}}", ..SHORTCODE },
            FIGURE,
            Shortcode { open: "{{%", close: "%}}", ..FIGURE },
        ],
        shortcode_markup: Some(&ShortcodeMarkup {
            words: &[("{{<", ">}}"), ("{{%", "%}}")],
            is_rendered_first: false,
            literal: &[],
            variables: &[],
        }),
        includes: &["{{% include", "{{< include", "{{% readfile", "{{% get-page"],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::Sphinx,
        name: "sphinx",
        program: "Sphinx with MyST",
        configuration: &["conf.py", "myst.yml"],
        index_names: &["index.md"],
        tries: &["{}.md", "{}.rst", "{}.ipynb"],
        slugs: &slug::MYST,
        blocks: Blocks::Directives,
        names: Names::Labels,
        page: Some(PageUrl::Html),
        published: &[documents("", None)],
        navigation: &[
            NavigationRow::yaml(&["_toc.yml"], &[("root", Document), ("**.file", Document)]),
            NavigationRow::yaml(
                &["myst.yml"],
                &[
                    ("project.toc.**.file", Document),
                    ("site.options.logo", Configuration),
                    ("site.options.favicon", Configuration),
                ],
            ),
        ],
        includes: &["{include}"],
        markdown_keys: &["myst.substitutions.**", "substitutions.**"],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::MdBook,
        name: "mdbook",
        program: "mdBook",
        configuration: &["book.toml"],
        index_names: &["README.md", "index.md"],
        slugs: &slug::MDBOOK,
        page: Some(PageUrl::Html),
        published: &[published("src/", Some("src"))],
        without_page: &["SUMMARY.md"],
        static_folder: Some("src/"),
        navigation: &[NavigationRow {
            language: DataLanguage::Toml,
            names: &["book.toml"],
            folder: None,
            documents: Some(("src", "book.src")),
            keys: &[("output.html.redirect.*", Redirect)],
        }],
        shortcodes: &[Shortcode {
            open: "{{#",
            close: "}}",
            names: &["include", "rustdoc_include", "playground"],
            end: Some(':'),
            row: &rows::INCLUDE,
            parameters: &[],
            ..SHORTCODE
        }],
        includes: &["{{#include"],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::VitePress,
        name: "vitepress",
        program: "VitePress",
        configuration: &[
            ".vitepress/config.ts",
            ".vitepress/config.mts",
            ".vitepress/config.js",
            ".vitepress/config.mjs",
        ],
        index_names: &["index.md"],
        tries: &["{}.md"],
        roots: &["public/"],
        slugs: &slug::VITEPRESS,
        bare_urls: true,
        page: Some(PageUrl::Html),
        page_settings: &[("cleanUrls", "true", PageUrl::Bare)],
        published: &[published("public/", None), documents("", Some("srcDir"))],
        static_folder: Some("public/"),
        shortcodes: &[Shortcode {
            open: "<!--",
            close: "-->",
            names: &["@include:"],
            end: Some('{'),
            row: &rows::INCLUDE,
            parameters: &[],
            ..SHORTCODE
        }],
        includes: &["<!--@include:", "<!-- @include:"],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::Jekyll,
        name: "jekyll",
        program: "Jekyll",
        configuration: &["_config.yml", "_config.yaml", "_config.toml"],
        index_names: &["index.md", "index.html", "README.md"],
        // Documents of a collection.
        tries: &["{}.md", "_{}.md"],
        slugs: &slug::KRAMDOWN_GFM,
        has_page_links: true,
        assets_of_page: true,
        page: Some(PageUrl::Html),
        page_names: PageNames::Jekyll,
        url_keys: &[
            ("permalink", UrlKey::Permalink),
            ("slug", UrlKey::Title),
            ("date", UrlKey::Date),
            ("categories", UrlKey::Categories),
            ("category", UrlKey::Categories),
            ("published", UrlKey::Published),
        ],
        static_folder: Some(""),
        navigation: &[
            NavigationRow::yaml(
                &["_config.yml", "_config.yaml"],
                &[("header_pages", Document), ("logo", Url)],
            ),
            NavigationRow {
                folder: Some("_data"),
                ..NavigationRow::yaml(&[], &[("**.link", Url), ("**.url", Url), ("**.href", Url)])
            },
        ],
        shortcodes: &[
            Shortcode { names: &["link"], row: &rows::TAG, has_fragments: true, ..LIQUID },
            Shortcode { names: &["post_url"], row: &rows::POST, has_fragments: true, ..LIQUID },
            Shortcode { names: &["include_relative"], row: &rows::INCLUDE, ..LIQUID },
            Shortcode {
                open: "{{",
                close: "}}",
                names: &[],
                filters: &[
                    "relative_url",
                    "absolute_url",
                    "prepend: site.baseurl",
                    "prepend: site.url",
                ],
                row: &rows::FILTER,
                has_fragments: true,
                ..LIQUID
            },
        ],
        shortcode_markup: Some(&ShortcodeMarkup {
            words: &[("{{", "}}"), ("{%", "%}")],
            is_rendered_first: true,
            literal: &[("raw", "endraw", true), ("comment", "endcomment", false)],
            variables: &[("site.baseurl", &rows::FILTER), ("site.url", &rows::LINK)],
        }),
        includes: &["{% include"],
        ..PLAIN
    },
    DialectRow {
        dialect: MarkdownDialect::GitHub,
        name: "github",
        program: "GitHub",
        bare_urls: true,
        ..PLAIN
    },
    PLAIN,
];

/// The extensions of documents that generators read.
const SOURCES: &[&str] = &["md", "mdx", "markdown", "mdown", "mkd", "rst", "ipynb"];

/// Whether `reference` leads to a document that generators read, by its extension.
fn names_source(reference: &str) -> bool {
    let path = reference.split(['?', '#']).next().unwrap_or_default();
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let mut sources = SOURCES.iter();
    sources.any(|source| extension.eq_ignore_ascii_case(source))
}

impl DialectRow {
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

    /// The number of bytes before the URL or path in `destination`, in a `place` of Markdown; `None` for a name of
    /// something else: a label of MyST, a word for a render hook of Hugo.
    pub fn before_url(&self, place: &MarkdownRow, destination: &str) -> Option<usize> {
        let is_destination = place.base == RowBase::Destination && !place.absolute;
        let has_scheme = || scheme::split(destination).is_some();
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
                let start = prefix.map_or(0, str::len);
                let path = destination.get(start..)?.split('#').next()?;
                let name = path.rsplit('/').next()?;
                let is_label = (is_destination || prefix.is_some())
                    && (path.is_empty() || !name.contains('.') && !path.ends_with('/'));
                let is_label = is_label && !(prefix.is_none() && has_scheme());
                (!is_label).then_some(start)
            }
        }
    }

    /// Whether a `reference` in a `place` of Markdown may be a path from a root of the content.
    pub fn is_from_root(&self, place: &MarkdownRow, reference: &str) -> bool {
        let is_shortcode = std::ptr::eq(place, &rows::SHORTCODE) || place.of_root;
        let may_be = is_shortcode || self.has_content_paths && names_source(reference);
        may_be && is_content_path(reference)
    }

    /// Whether `label`, which no definition has, may be that of a cross-reference: plugins of MkDocs find identifiers
    /// of code, and headings, in all pages.
    pub(super) fn has_cross_references(&self, label: &str) -> bool {
        self.dialect == MarkdownDialect::MkDocs && !label.contains(' ')
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

    /// Whether documents may include files; see [`super::inclusions`].
    pub fn has_inclusions(&self) -> bool {
        self.blocks == Blocks::Directives
    }

    /// Whether code after a name in braces is a role.
    pub(super) fn has_roles(&self) -> bool {
        self.blocks == Blocks::Directives
    }
}

/// Whether `reference` is a path without a sign of what it is relative to.
pub fn is_content_path(reference: &str) -> bool {
    !reference.is_empty()
        && !reference.starts_with(['.', '/', '#', '?'])
        && scheme::split(reference).is_none()
}

impl MarkdownDialect {
    /// The row of the dialect.
    pub fn row(self) -> &'static DialectRow {
        let row = DIALECTS.iter().find(|row| row.dialect == self);
        row.unwrap_or(&PLAIN_ROW)
    }

    /// The dialect with this name on the command line.
    pub fn named(name: &str) -> Option<MarkdownDialect> {
        let row = DIALECTS.iter().find(|row| row.name == name);
        row.map(|row| row.dialect)
    }
}

static PLAIN_ROW: DialectRow = PLAIN;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_a_row_and_a_name() {
        for row in DIALECTS {
            assert_eq!(MarkdownDialect::named(row.name), Some(row.dialect));
            assert!(std::ptr::eq(row.dialect.row(), row));
        }
        assert_eq!(MarkdownDialect::named("x"), None);
    }
}
