//! Jekyll, with kramdown.

use super::plain::*;
use crate::markdown::page_templates;

/// A tag of Liquid, which has nothing but a path.
const LIQUID: Shortcode =
    Shortcode { open: "{%", close: "%}", forbidden: &['"', '\n', '{', '|'], ..SHORTCODE };

/// The files of themes, and the directories of the project that settings name.
const INCLUDES: Makes = Makes::Pages(&["_includes/"]);

/// Liquid, which writes ids and the texts of other documents.
const LIQUID_MAKER: Maker = Maker::of("Liquid", Makes::Anchors);

/// A plugin of the project itself.
const PLUGIN: Maker = Maker::of("a plugin in _plugins", Makes::Anything);

/// The plugins that make no pages and no anchors, or are read.
#[rustfmt::skip]
const PLUGINS: &[&str] = &[
    "jekyll-feed", "jekyll-seo-tag", "jekyll-redirect-from", "jekyll-relative-links", "jekyll-optional-front-matter",
    "jekyll-readme-index", "jekyll-titles-from-headings", "jekyll-default-layout", "jekyll-include-cache", "jemoji", "jekyll-mentions",
    "jekyll-github-metadata", "jekyll-gist", "jekyll-coffeescript", "jekyll-sass-converter", "jekyll-remote-theme", "jekyll-last-modified-at",
    "jekyll-toc", "jekyll-paginate", "jekyll-avatar", "jekyll-theme-*", "jekyll-tidy", "jekyll-target-blank",
    "jekyll-data", "jekyll-commonmark*", "jekyll-watch", "jekyll-livereload", "jekyll-environment-variables",
    "jekyll-include-absolute*", "jekyll-timeago", "premonition", "jekyll-email-protect", "github-pages", "webrick", "liquid-*",
    "jekyll-admin", "jekyll-figure", "jekyll-loading-lazy", "jekyll-typogrify", "jekyll-emoji", "jekyll-twitter-plugin", "jekyll-oembed", "jekyll-youtube",
    "jekyll-git_metadata", "jekyll-link-attributes", "jekyll-contentblocks", "jekyll-regex-replace", "jekyll-octicons", "jekyll-font-awesome-sass", "jekyll-inline-svg",
];

/// The settings of kramdown that change no anchors.
#[rustfmt::skip]
const KRAMDOWN: &[&str] = &[
    "input", "hard_wrap", "syntax_highlighter*", "math_engine*", "smart_quotes", "entity_output", "footnote*", "toc_levels", "show_warnings",
    "parse_block_html", "parse_span_html", "line_width", "enable_coderay", "coderay*", "use_coderay", "typographic_symbols", "guess_lang", "link_defs",
    "gfm_quirks", "default_lang",
];

/// The tags of Liquid and Jekyll whose parameters are not paths, or are read.
const LIQUID_TAGS: &[&str] = &[
    "assign", "break", "capture", "case", "continue", "cycle", "decrement", "echo", "else",
    "elsif", "for", "highlight", "if", "increment", "link", "post_url", "seo", "tablerow",
    "unless", "when",
];

impl MarkdownDialect {
    /// The rules of Jekyll, with kramdown.
    pub const JEKYLL: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "jekyll",
        program: "Jekyll",
        help: "Jekyll",
        site_url: ("url", "baseurl"),
        build: "jekyll build -q {site} -d {out}",
        build_site: ("", "-s {}"),
        configuration: &["_config.yml", "_config.yaml", "_config.toml"],
        index_names: &["index.md", "index.html", "README.md"],
        // Documents of a collection, and posts, which the tag `post_url` names.
        tries: &["{}.md", "_{}.md", "_posts/{}.md", "_posts/{}.markdown", "_posts/{}.html"],
        // kramdown with the parser for GFM, as Jekyll uses it.
        slugs: Style {
            text: text::kramdown_gfm,
            slug: algorithm::kramdown_gfm,
            empty: Empty::CountedWithSource,
            numbering: Numbering::Blind,
            explicit: |heading| {
                let own = heading.take_list(attributes::kramdown, true);
                attributes::kramdown_lines(heading).or(own)
            },
            ..PLAIN.slugs
        },
        ids: written_ids::KRAMDOWN,
        blocks: Blocks::Kramdown,
        has_page_links: true,
        is_strict: true,
        base_path: BasePath::Kept,
        assets_of_page: true,
        page: Some(PageUrl::Html),
        options: &[
            // GitHub has these plugins; a project with its own Jekyll has them if it says so.
            (Text(&["Gemfile"], &["gem \"jekyll\"", "gem 'jekyll'"]), |row| {
                (row.reads_paths, row.needs_front_matter) = (false, true)
            }),
            (Text(&["Gemfile"], &["github-pages"]), |row| {
                (row.reads_paths, row.needs_front_matter) = (true, false)
            }),
            (Holds(|settings| settings.has_value("jekyll-relative-links")), |row| {
                (row.reads_paths, row.base_path) = (true, BasePath::Files)
            }),
            (Setting("future", "true"), |row| row.builds.future = true),
            (Setting("unpublished", "true"), |row| row.builds.unpublished = true),
            (Holds(|settings| settings.has_value("jekyll-optional-front-matter")), |row| {
                row.needs_front_matter = false
            }),
        ],
        templates_of: page_templates::of_jekyll,
        parts: &["_includes", "_layouts"],
        page_names: PageNames::Jekyll,
        builds: Builds { future: false, ..PLAIN.builds },
        compiled: &[("scss", "css"), ("sass", "css"), ("coffee", "js"), ("tailwindcss", "css")],
        url_keys: &[
            ("permalink", UrlKey::Permalink),
            ("slug", UrlKey::Title),
            ("date", UrlKey::Date),
            ("categories", UrlKey::Categories),
            ("category", UrlKey::Categories),
            ("published", UrlKey::Published),
            ("redirect_from", UrlKey::Alias),
        ],
        not_copied: &["_redirects"],
        navigation: &[
            NavigationRow::yaml(
                &["_config.yml", "_config.yaml"],
                &[
                    ("header_pages", Document),
                    ("logo", Url),
                    ("defaults.scope.path", Configuration),
                ],
            ),
            NavigationRow {
                folder: Some("_data"),
                ..NavigationRow::yaml(&[], &[("**.link", Url), ("**.url", Url), ("**.href", Url)])
            },
        ],
        shortcodes: &[
            Shortcode { names: &["link"], row: &rows::TAG, has_fragments: true, ..LIQUID },
            Shortcode { names: &["post_url"], row: &rows::POST, has_fragments: true, ..LIQUID },
            Shortcode {
                names: &["include_relative"],
                row: &rows::INCLUDE,
                end: Some(' '),
                ..LIQUID
            },
            Shortcode {
                names: &["include", "include_cached"],
                row: &rows::INCLUDE_TAG,
                end: Some(' '),
                ..LIQUID
            },
            Shortcode {
                open: "{{",
                close: "}}",
                names: &[],
                filters: &[
                    "relative_url", "absolute_url", "prepend: site.baseurl", "prepend: site.url",
                ],
                row: &rows::FILTER,
                has_fragments: true,
                ..LIQUID
            },
        ],
        shortcode_markup: Some(&ShortcodeMarkup {
            words: &[("{{", "}}"), ("{%", "%}")],
            is_rendered_first: true,
            literal: &[("raw", "endraw"), ("comment", "endcomment")],
            blank: &[("comment", "endcomment"), ("highlight", "endhighlight")],
            parameters: &[("{%", LIQUID_TAGS)],
            variables: &[("site.baseurl", &rows::FILTER), ("site.url", &rows::LINK)],
        }),
        includes: &["{% include"],
        makers: &[
            NO_TEXT,
            Maker::plugin("theme", INCLUDES).called("the theme"),
            Maker::plugin("remote_theme", INCLUDES).called("the theme"),
            Maker::plugin("includes_dir", INCLUDES).called("another directory of includes"),
            LIQUID_MAKER.on_pages(PageSign::IdWith(&["{{", "{%"])),
            LIQUID_MAKER.on_pages_with("markdownify"),
            LIQUID_MAKER.on_pages_with(".content"),
            other_plugin(ProjectSign::Besides("plugins", PLUGINS)),
            other_plugin(ProjectSign::Besides("gems", PLUGINS)),
            other_plugin(ProjectSign::LineBesides(
                "Gemfile",
                &["gem \"jekyll-", "gem 'jekyll-"],
                PLUGINS,
            )),
            PLUGIN.in_projects(ProjectSign::FileWith("_plugins", "Generator")),
            PLUGIN.in_projects(ProjectSign::FileWith("_plugins", "Hooks")),
            Maker::of("a plugin in _plugins", Makes::Anchors)
                .in_projects(ProjectSign::FileWith("_plugins", "Convert")),
            Maker::of("another program for Markdown", Makes::Anchors)
                .in_projects(ProjectSign::OtherThan("markdown", &["kramdown"])),
            Maker::of("the setting of kramdown", Makes::Anchors)
                .in_projects(ProjectSign::Besides("kramdown", KRAMDOWN)),
            // Documents and files of other directories.
            Maker::of("source", Makes::Anything)
                .in_projects(ProjectSign::OtherThan("source", &["."])),
            Maker::of("collections_dir", Makes::Anything)
                .in_projects(ProjectSign::OtherThan("collections_dir", &["."])),
            Maker::plugin("paginate", Makes::Pages(&["page", "/page"])),
            Maker::plugin("jekyll-feed", Makes::Pages(&["feed.xml", "feed/"])),
            Maker::plugin("jekyll-sitemap", Makes::Pages(&["sitemap.xml", "robots.txt"])),
            PAGEFIND,
        ],
        redirects: &[RedirectRow {
            name: "jekyll",
            help: "redirect_from in the front matter of moved pages, which Jekyll can read",
            place: FrontMatter(FrontMatterList {
                key: "redirect_from",
                // The gem of GitHub Pages has it.
                plugin: Some(("jekyll-redirect-from", &["_config.yml", "Gemfile"])),
                creates: false,
            }),
        }],
        ..PLAIN
    });
}
