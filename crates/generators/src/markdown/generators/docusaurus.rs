//! Docusaurus, with MDX.

use super::plain::*;

impl MarkdownDialect {
    /// Docusaurus, with MDX.
    pub const DOCUSAURUS: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "docusaurus",
        program: "Docusaurus",
        help: "Docusaurus (MDX)",
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
        // Docusaurus 3 with its classic theme.
        slugs: Style {
            first_level: false,
            text: text::docusaurus,
            slug: algorithm::github_slugger,
            explicit: |heading| heading.take_list(attributes::docusaurus, false),
            ..PLAIN.slugs
        },
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
        redirects: &[RedirectRow {
            name: "docusaurus",
            help: "The redirects of Docusaurus's plugin client-redirects, in JSON, on stdout",
            place: Json(RedirectLine(["{\"from\":", ",\"to\":", "}"], RootUrl, RootUrl)),
        }],
        ..PLAIN
    });
}
