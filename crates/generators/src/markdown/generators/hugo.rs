//! Hugo, with goldmark.

use super::plain::*;

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

const HUGO_MENUS: NavigationRow = NavigationRow {
    names: &["menus.toml", "menu.toml"],
    folder: Some("config"),
    // Of the folder of the project, not of this file: the documents are found from the root of the content.
    documents: None,
    keys: &[("*.pageRef", Id), ("*.url", Url)],
    ..HUGO
};

impl MarkdownDialect {
    /// Hugo, with goldmark.
    pub const HUGO: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "hugo",
        program: "Hugo",
        help: "Hugo",
        site_url: ("baseURL", ""),
        build: "hugo --quiet -d {out}",
        configuration: &["hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"],
        index_names: &["_index.md", "index.md"],
        tries: &["{}.md"],
        roots: &["content/", "content/en/", "static/", "assets/"],
        is_lower_case: true,
        // Hugo with `autoIDType: github`.
        slugs: Style {
            text: hugo::text,
            slug: algorithm::hugo,
            empty: Empty::None,
            explicit: |heading| heading.take_list(attributes::goldmark, true),
            reserve: Reserve::InOrder,
            ..PLAIN.slugs
        },
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
        shortcodes: &[SHORTCODE, Shortcode { open: "{{%", close: "%}}", ..SHORTCODE }],
        includes: &["{{% include", "{{< include", "{{% readfile", "{{% get-page"],
        redirects: &[RedirectRow {
            name: "hugo",
            help: "Aliases in the front matter of moved pages, which Hugo makes redirects of",
            place: FrontMatter(FrontMatterList { key: "aliases", creates: true }),
        }],
        ..PLAIN
    });
}
