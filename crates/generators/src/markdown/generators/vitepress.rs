//! VitePress.

use super::plain::*;
use crate::markdown::Settings;
use crate::markdown::published::{ContentFolder, Mounts, with_slash};

impl MarkdownDialect {
    /// The rules of VitePress.
    pub const VITEPRESS: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "vitepress",
        program: "VitePress",
        help: "VitePress",
        site_url: ("sitemap.hostname", "base"),
        has_language_folders: true,
        build: "npx vitepress build {site} --outDir {out}",
        configuration: CONFIGURATION,
        configuration_folder: Some(".vitepress/config"),
        index_names: &["index.md"],
        tries: &["{}.md", "{}/index.html"],
        // VitePress 1.
        ids: written_ids::MARKDOWN_IT_ATTRS,
        slugs: Style {
            text: vitepress::text,
            slug: algorithm::mdit_vue,
            explicit: |heading| heading.take_list(attributes::markdown_it, false),
            reserve: Reserve::InOrder,
            item_attributes: true,
            ..PLAIN.slugs
        },
        bare_urls: true,
        blocks: Blocks::Vue,
        page: Some(PageUrl::Html),
        page_settings: &[("cleanUrls", "true", PageUrl::Bare)],
        mounts: Some(|settings, _| mounts(settings)),
        excluded_keys: &["srcExclude[]"],
        options: &[(Setting(LEFT_DELIMITER, "%{"), |row| {
            row.slugs.explicit =
                |heading| heading.take_list(attributes::markdown_it_percent, false);
            row.ids = written_ids::NONE;
        })],
        shortcode_markup: Some(&ShortcodeMarkup {
            words: &[("{{", "}}")],
            is_rendered_first: false,
            literal: &[],
            blank: &[],
            parameters: &[],
            variables: &[],
        }),
        root_alias: Some("@/"),
        raw_attributes: &["target", "download"],
        base_path: BasePath::Added,
        page_names: PageNames::Routes,
        is_strict: true,
        reads_paths: true,
        component_attributes: &["*@href", "*@to", "*@src"],
        checks_urls: true,
        is_slash_exact: true,
        file_extensions: FILE_EXTENSIONS,
        navigation: &[NavigationRow {
            language: DataLanguage::JavaScript,
            folder: Some(".vitepress"),
            link_base: Some("base"),
            drops_extension: true,
            ..NavigationRow::yaml(&[], &[("**.link", Page), ("**.logo", Url), ("**.logo.src", Url)])
        }],
        shortcodes: &[Shortcode {
            open: "<!--",
            close: "-->",
            names: &["@include:"],
            end: Some('{'),
            row: &rows::PART,
            ..SHORTCODE
        }],
        includes: &["<!--@include:", "<!-- @include:"],
        makers: &[
            PACKAGE,
            RULES_ABOVE,
            Maker::of("rewrites", Makes::Routes(&[""]))
                .in_projects(ProjectSign::Computed("rewrites")),
            // The author says that other programs make these pages.
            Maker::plugin("ignoreDeadLinks", Makes::Pages(&[""]))
                .called("what ignoreDeadLinks names"),
            // These write the letters of other scripts in Latin ones.
            Maker::plugin("limax", Makes::Anchors),
            LISTS,
            Maker::plugin("pinyin", Makes::Anchors),
            Maker::plugin("transliteration", Makes::Anchors),
            Maker::plugin("slugify", Makes::HeadingIds),
            other_module(MODULES),
            writing_module(MODULES),
            COMPUTED.in_projects(ProjectSign::NotLiteral("base")),
            Maker::plugin("buildEnd", Makes::Pages(&[""])),
            Maker::of("leftDelimiter", Makes::Anchors)
                .in_projects(ProjectSign::OtherThan(LEFT_DELIMITER, &["%{"])),
            Maker::of("a plugin of .vitepress/plugins", Makes::Anchors)
                .in_projects(ProjectSign::File(".vitepress/plugins")),
            Maker::of("a component", Makes::Anchors)
                .on_pages(PageSign::ComponentBesides(&["Badge"])),
        ],
        ..PLAIN
    });
}

/// The setting of the delimiter of markdown-it-attrs.
const LEFT_DELIMITER: &str = "markdown.attrs.leftDelimiter";

const CONFIGURATION: &[&str] = &[
    ".vitepress/config.ts",
    ".vitepress/config.mts",
    ".vitepress/config.js",
    ".vitepress/config.mjs",
    ".vitepress/config/index.ts",
    ".vitepress/config/index.mts",
    ".vitepress/config/index.js",
    ".vitepress/config/index.mjs",
];

/// The modules that make no pages and no anchors, or are read.
#[rustfmt::skip]
const MODULES: &[&str] = &[
    "vitepress", "vitepress/*", "@voidzero-dev/vitepress-theme*", "vite", "vue", "vue/*", "unocss*", "@unocss/*", "@vitejs/*", "@vueuse/*", "@vue/theme*", "@iconify*",
    "vite-plugin-*", "unplugin-*", "@vite-pwa/*", "vite-svg-loader", "vitepress-plugin-group-icons",
    "vitepress-plugin-tabs", "vitepress-plugin-image-viewer", "vitepress-sidebar", "@vitepress-code-preview/*",
    "vitepress-plugin-auto-sidebar", "markdown-it",
    "markdown-it-task-lists", "markdown-it-footnote", "markdown-it-sub", "markdown-it-sup",
    "markdown-it-mark", "markdown-it-abbr", "markdown-it-image-figures", "markdown-it-container", "@mdit/plugin-*", "feed", "gray-matter", "ofetch",
    "simple-git", "ora", "picocolors", "./transformHead*",
    "vitepress-plugin-codeblocks-fold", "vitepress-plugin-back-to-top", "vitepress-plugin-detype",
    "vitepress-plugin-npm-commands", "vitepress-markdown-timeline", "@nolebase/vitepress-plugin-*", "@nolebase/markdown-it-unlazy-img",
    "markdown-it-emoji", "markdown-it-ins", "markdown-it-deflist", "markdown-it-texmath", "markdown-it-multimd-table",
];

/// `KNOWN_EXTENSIONS` of VitePress 1.6.
#[rustfmt::skip]
const FILE_EXTENSIONS: &[&str] = &[
    "3g2", "3gp", "aac", "ai", "apng", "au", "avif", "bin", "bmp", "cer", "class", "conf", "crl", "css", "csv", "dll",
    "doc", "eps", "epub", "exe", "gif", "gz", "ics", "ief", "jar", "jpe", "jpeg", "jpg", "js", "json", "jsonld", "m4a",
    "man", "mid", "midi", "mjs", "mov", "mp2", "mp3", "mp4", "mpe", "mpeg", "mpg", "mpp", "oga", "ogg", "ogv", "ogx",
    "opus", "otf", "p10", "p7c", "p7m", "p7s", "pdf", "png", "ps", "qt", "roff", "rtf", "rtx", "ser", "svg", "t", "tif",
    "tiff", "tr", "ts", "tsv", "ttf", "txt", "vtt", "wav", "weba", "webm", "webp", "woff", "woff2", "xhtml", "xml",
    "yaml", "yml", "zip",
];

/// The directories of the documents and of the files that are copied: both in the same.
fn mounts(settings: &Settings) -> Mounts {
    let folder = settings.all("srcDir").next().unwrap_or_default();
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let folders = vec![
        ContentFolder::new(&(with_slash(folder) + "public"), "", FolderFiles::Copied),
        ContentFolder::new(folder, "", FolderFiles::Documents),
    ];
    Mounts { folders, ..Mounts::default() }
}
