//! VitePress.

use super::plain::*;

impl MarkdownDialect {
    /// VitePress.
    pub const VITEPRESS: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "vitepress",
        program: "VitePress",
        help: "VitePress",
        configuration: &[
            ".vitepress/config.ts",
            ".vitepress/config.mts",
            ".vitepress/config.js",
            ".vitepress/config.mjs",
        ],
        index_names: &["index.md"],
        tries: &["{}.md"],
        roots: &["public/"],
        // VitePress 1.
        slugs: Style {
            text: vitepress::text,
            slug: algorithm::mdit_vue,
            explicit: |heading| heading.take_list(attributes::markdown_it, false),
            reserve: Reserve::InOrder,
            item_attributes: true,
            ..PLAIN.slugs
        },
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
            ..SHORTCODE
        }],
        includes: &["<!--@include:", "<!-- @include:"],
        ..PLAIN
    });
}
