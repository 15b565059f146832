//! MkDocs and Zensical, with Python-Markdown.

use super::plain::*;

impl MarkdownDialect {
    /// MkDocs and Zensical, with Python-Markdown.
    pub const MKDOCS: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "mkdocs",
        program: "MkDocs",
        help: "MkDocs, Zensical",
        configuration: &["mkdocs.yml", "mkdocs.yaml", "zensical.toml"],
        index_names: &["index.md", "README.md"],
        tries: &["{}.md"],
        // Python-Markdown's `toc`, as MkDocs uses it.
        slugs: Style {
            text: text::python_markdown,
            slug: algorithm::python_markdown,
            numbering: Numbering::Underscore,
            explicit: |heading| heading.take_list(attributes::attr_list, false),
            reserve: Reserve::Ahead,
            ..PLAIN.slugs
        },
        blocks: Blocks::Indented,
        has_page_links: true,
        has_cross_references: true,
        page: Some(PageUrl::Directory),
        page_settings: &[("use_directory_urls", "false", PageUrl::Html)],
        published: &[published("docs/", Some("docs_dir"))],
        without_page: &["blog/posts/"],
        is_strict: true,
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
        redirects: &[RedirectRow {
            name: "mkdocs-redirects",
            help: "Settings of the plugin redirects of MkDocs, for mkdocs.yml, on stdout",
            place: Lines {
                start: "plugins:\n  - redirects:\n      redirect_maps:\n",
                line: RedirectLine(["        ", ": ", "\n"], File, File),
                end: "",
            },
        }],
        ..PLAIN
    });
}
