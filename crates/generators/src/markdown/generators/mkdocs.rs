//! MkDocs, its fork ProperDocs, and Zensical, with Python-Markdown.

use super::plain::*;
use crate::data::Step;
use crate::markdown::Settings;

/// A snippet of PyMdown Extensions; others differ from it.
const SNIPPET: Shortcode = Shortcode {
    is_line: true,
    names: &[],
    end: Some(':'),
    forbidden: &['\n', '{', '*', ';'],
    row: &rows::SNIPPET,
    ..SHORTCODE
};

/// The plugins that make no pages and no anchors, or have a row of their own.
#[rustfmt::skip]
const PLUGINS: &[&str] = &[
    "search", "material/*", "redirects", "git-latest-*", "awesome-pages",
    "awesome-nav", "section-index", "literate-nav", "macros", "mkdocstrings", "autorefs", "include-markdown", 
    "table-reader", "tags", "blog", "social", "rss", "offline", "privacy", "meta", "info", "optimize", "group", "swagger-ui-tag",
    "render_swagger", "open-in-new-tab", "with-pdf", "charts", "mike", "termynal", "gen-files", "monorepo",
    "multirepo", "api-autonav", "autoapi", "mkdocs-jupyter", "exclude", "exclude-search", "markdown-filter", "img2fig", "git-snippet",
    "htmlproofer", "codeinclude", "mkdocs-video", "video", "abbreviations", "ansible", "external-markdown", "coverage", "*admonitions",
    "print-site", "tooltips", "puml", "build_plantuml", "d2", "markmap", "asciinema-player", "no-sitemap-file", "document-dates", "statistics", "encryptcontent",
    "enumerate-headings", "add-number", "badges", "include_dir_to_nav", "nav-weight", "file-filter", "unused_files", "typeset", "ultralytics", "markdownextradata",
];

/// The extensions that make no anchors, or only those that are read.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "toc", "admonition", "attr_list", "md_in_html", "tables", "footnotes", "def_list", "abbr", "meta", "smarty", "sane_lists", "extra",
    "codehilite", "fenced_code", "nl2br", "legacy_attrs", "markdown.extensions.*", "pymdownx.*", "zensical.*", "mdx_math", "mdx_include",
    "markdown_include.include", "mdx_truly_sane_lists", "mdx_breakless_lists", "mdx_linkify", "mdx_gh_links", "markdown_grid_tables", "material.*", "callouts",
    "github-callouts", "markdown_gfm_admonition", "gfm_admonition", "pymdown*", "plantuml_markdown", "python-markdown-*", "markdown_checklist.extension",
];

/// The options of `toc` that change no anchors, or are read.
#[rustfmt::skip]
const TOC: &[&str] = &[
    "permalink*", "title", "title_class", "toc_class", "toc_depth", "marker", "slugify", "baselevel", "anchorlink*",
];

/// The events in which a hook may make pages.
const HOOKS_OF_FILES: &[&str] =
    &["on_startup", "on_config", "on_pre_build", "on_files", "on_nav", "on_post_build"];

/// The events in which a hook may change a page.
const HOOKS_OF_PAGES: &[&str] = &[
    "on_config", "on_files", "on_env", "on_pre_page", "on_page_read_source", "on_page_markdown",
    "on_page_content", "on_page_context", "on_post_page",
];

/// Returns true if `settings` have a member at the path with these `names`, or the last name as a value there.
fn has(settings: &Settings, names: &[&str]) -> bool {
    let Some((last, before)) = names.split_last() else { return false };
    settings.values().any(|(path, value)| {
        let mut members = path.iter().filter_map(Step::name);
        let is_below = before.iter().all(|name| members.next() == Some(*name));
        is_below && value != "false" && members.next().unwrap_or(value) == *last
    })
}

/// Returns true if the extension `name` has the `option`.
fn has_option(settings: &Settings, name: &str, option: &str) -> bool {
    has(settings, &["markdown_extensions", name, option])
}

/// Returns true if `settings` turn on none of the extensions in the row: Zensical has them all by itself.
fn lacks(settings: &Settings, extensions: &[&str]) -> bool {
    let is_on = |name: &&str| has(settings, &["markdown_extensions", name]);
    let is_project = |path: &[Step]| path.first().and_then(Step::name) == Some("project");
    !settings.values().any(|(path, _)| is_project(path)) && !extensions.iter().any(is_on)
}

/// The extensions that read attribute lists.
#[rustfmt::skip]
const ATTRIBUTE_LISTS: &[&str] = &[
    "attr_list", "extra", "pymdownx.extra", "markdown.extensions.attr_list", "markdown.extensions.extra",
];

/// The extensions that make footnotes.
#[rustfmt::skip]
const FOOTNOTES: &[&str] = &[
    "footnotes", "extra", "pymdownx.extra", "markdown.extensions.footnotes", "markdown.extensions.extra",
];

/// The themes whose files are known.
const THEMES: &[&str] = &["mkdocs", "readthedocs", "material"];

/// The directories and files that these themes have.
#[rustfmt::skip]
const THEME_FILES: &[&str] = &[
    "css/base", "css/bootstrap", "css/font", "css/v4-font", "css/theme", "css/solid", "css/brands", "js/base", "js/bootstrap", "js/darkmode",
    "js/jquery", "js/html5shiv", "js/theme", "img/favicon.ico", "img/grid.png", "fonts/", "webfonts/", "search/",
    "assets/images/favicon.", "assets/javascripts/", "assets/stylesheets/", "assets/external/", "assets/_mkdocstrings.css",
];

impl MarkdownDialect {
    /// The rules of MkDocs, ProperDocs and Zensical, with Python-Markdown.
    pub const MKDOCS: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "mkdocs",
        program: "MkDocs",
        help: "MkDocs, ProperDocs, Zensical",
        site_url: ("site_url", ""),
        build: "mkdocs build -q {site} -d {out}",
        build_site: ("", "-f {}/mkdocs.yml"),
        configuration: &[
            "mkdocs.yml", "mkdocs.yaml", "properdocs.yml", "properdocs.yaml", "zensical.toml",
        ],
        // That of the published site, or the last of those that inherit from each other.
        configuration_with: &[
            ("mkdocs*.yml", "site_url"),
            ("mkdocs*.yml", "INHERIT"),
            ("mkdocs*.yml", "site_name"),
        ],
        inherit_key: Some("INHERIT"),
        index_names: &["index.md", "README.md"],
        has_one_index: true,
        tries: &["{}.md"],
        // Python-Markdown's `toc`, as MkDocs uses it.
        ids: written_ids::ATTR_LIST,
        tabs: TabIds::Numbers,
        options: &[
            (Holds(|it| has(it, &["markdown_extensions", "pymdownx.emoji"])), |row| {
                row.slugs.text = text::with_icons
            }),
            (Holds(|it| has_option(it, "pymdownx.tabbed", "slugify")), |row| {
                row.tabs = TabIds::Titles
            }),
            (
                Holds(|it| {
                    has_option(it, "pymdownx.tabbed", "slugify")
                        && has_option(it, "pymdownx.tabbed", "combine_header_slug")
                }),
                |row| row.tabs = TabIds::HeadingAndTitle,
            ),
            (Holds(|it| has_option(it, "toc", "slugify")), |row| row.slugs.slug = algorithm::myst),
            (Holds(|it| lacks(it, ATTRIBUTE_LISTS)), |row| {
                row.ids.places.are_on = false;
                row.slugs.explicit = |_| None;
            }),
            (Holds(|it| lacks(it, FOOTNOTES)), |row| row.ids.footnotes = None),
            (Setting("validation.links.absolute_links", "relative_to_docs"), |row| {
                row.has_rooted_paths = true
            }),
        ],
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
        published: &[published("docs/", Some("docs_dir")), theme("custom_dir")],
        excluded: &[".*", "/templates/"],
        excluded_keys: &["exclude_docs", "draft_docs", "plugins.exclude.glob[]"],
        made: &["404.html", "sitemap.xml", "sitemap.xml.gz", "search/search_index.json"],
        redirect_keys: &["plugins.**.redirect_maps.*"],
        root_keys: &["markdown_extensions.**.base_path", "plugins.macros.include_dir"],
        without_page: &["blog/posts/"],
        is_strict: true,
        has_theme_files: true,
        not_copied: &[".htaccess"],
        navigation: &[
            NavigationRow {
                documents: Some(("docs", "docs_dir")),
                ..NavigationRow::yaml(
                    &[
                        "mkdocs.yml", "mkdocs.yaml", "mkdocs*.yml", "properdocs.yml",
                        "properdocs.yaml",
                    ],
                    &[
                        ("nav.**", Page),
                        // The plugin mkdocs-llmstxt.
                        ("plugins.**.sections.**", Document),
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
                        ("markdown_extensions.**.base_path", Configuration),
                        ("plugins.macros.include_dir", Configuration),
                    ],
                )
            },
            NavigationRow {
                language: DataLanguage::Toml,
                documents: Some(("docs", "project.docs_dir")),
                ..NavigationRow::yaml(
                    &["zensical.toml"],
                    &[
                        ("project.nav.**", Page),
                        ("project.extra_css", Id),
                        ("project.extra_javascript", Id),
                        ("project.extra_javascript.path", Id),
                        ("project.theme.logo", Id),
                        ("project.theme.favicon", Id),
                        ("project.docs_dir", Configuration),
                        ("project.theme.custom_dir", Configuration),
                    ],
                )
            },
            // The plugins awesome-nav and awesome-pages.
            NavigationRow {
                documents: Some(("", "")),
                ..NavigationRow::yaml(
                    &[".nav.yml", ".nav.yaml", ".pages"],
                    &[
                        // Options of an entry, none of which is a URL.
                        ("nav.**.sort.*", Url),
                        ("nav.**.flatten_single_child_sections", Url),
                        ("nav.**.preserve_directory_names", Url),
                        ("nav.**.ignore_no_matches", Url),
                        ("nav.**", Page),
                        ("arrange.**", Page),
                    ],
                )
            },
        ],
        shortcodes: &[
            Shortcode { open: "--8<-- \"", close: "\"", ..SNIPPET },
            Shortcode { open: "--8<-- '", close: "'", ..SNIPPET },
            Shortcode { open: "--8<--\n", close: "--8<--", ..SNIPPET },
            // The plugin include-markdown.
            Shortcode {
                open: "{%",
                close: "%}",
                is_line: false,
                names: &["include-markdown"],
                end: None,
                links_option: Some("rewrite-relative-urls=false"),
                ..SNIPPET
            },
            // The plugin macros.
            Shortcode {
                open: "{%",
                close: "%}",
                is_line: false,
                names: &["include"],
                end: None,
                ..SNIPPET
            },
            // markdown-include.
            Shortcode {
                open: "{!",
                close: "!}",
                is_line: false,
                forbidden: &['\n', '{', '*', ' ', '(', '"'],
                ..SNIPPET
            },
        ],
        includes: &["--8<--", "{%", "{!"],
        makers: &[
            Maker::plugin("gen-files", Makes::Pages(&[""])),
            Maker::plugin("monorepo", Makes::Pages(&[""])),
            Maker::plugin("multirepo", Makes::Pages(&[""])),
            Maker::of("hooks", Makes::Pages(&[""]))
                .in_projects(ProjectSign::Program("hooks[]", HOOKS_OF_FILES)),
            Maker::of("hooks", Makes::Anchors)
                .in_projects(ProjectSign::Program("hooks[]", HOOKS_OF_PAGES)),
            Maker::plugin("api-autonav", Makes::Pages(&[""])),
            Maker::plugin("autoapi", Makes::Pages(&[""])),
            Maker::plugin("mkdocs-jupyter", Makes::Pages(&[""])),
            Maker::plugin("blog", Makes::Pages(&["blog/"])),
            Maker::plugin("print-site", Makes::Pages(&["print_page"])),
            LISTS,
            Maker::plugin("rss", Makes::Pages(&["feed_"])),
            Maker::plugin("social", Makes::Pages(&["assets/images/social/"])),
            // The files of MkDocs' own themes and of Material.
            Maker::of("the theme", Makes::Pages(THEME_FILES)),
            Maker::of("the theme", Makes::Pages(&["assets/"]))
                .in_projects(ProjectSign::OtherThan("theme.name", THEMES)),
            Maker::of("the theme", Makes::Pages(&["assets/"]))
                .in_projects(ProjectSign::OtherThan("theme", THEMES)),
            other_plugin(ProjectSign::Besides("plugins", PLUGINS)),
            other_plugin(ProjectSign::Besides("project.plugins", PLUGINS)),
            Maker::of("the extension", Makes::Anchors)
                .in_projects(ProjectSign::Besides("markdown_extensions", EXTENSIONS)),
            Maker::of("the option", Makes::Anchors)
                .in_projects(ProjectSign::Besides("markdown_extensions.toc", TOC)),
            Maker::plugin("material/tags", Makes::Anchors).on_pages_with("material/tags"),
            Maker::plugin("tags", Makes::Anchors).on_pages_with("material/tags"),
            Maker::plugin("tags", Makes::Anchors).on_pages_with("[TAGS]"),
            Maker::plugin("mkdocstrings", Makes::Text).on_pages_with("::: "),
            Maker::plugin("macros", Makes::Anchors).on_pages_with("{{"),
            Maker::plugin("markdownextradata", Makes::Anchors).on_pages_with("{{"),
        ],
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
