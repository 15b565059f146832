//! Hugo, with goldmark.

mod mounts;

use super::plain::*;
use crate::markdown::{Settings, page_templates};

const HUGO: NavigationRow = NavigationRow {
    language: DataLanguage::Toml,
    documents: Some(("content", "contentDir")),
    ..NavigationRow::yaml(
        &["hugo.toml", "config.toml"],
        &[
            ("**.menus.*.pageRef", Id),
            ("**.menu.*.pageRef", Id),
            ("**.menus.*.url", Url),
            ("**.menu.*.url", Url),
        ],
    )
};

/// The shortcodes of Hugo itself, and of many themes, that make no anchors of their own.
const OWN_SHORTCODES: &[&str] = &[
    "ref", "relref", "figure", "param", "gist", "highlight", "instagram", "qr", "vimeo", "x",
    "youtube", "details",
];

/// The settings that are read, or change no URLs of pages and no anchors.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "archetypeDir", "assetDir", "author*", "baseURL", "blackfriday", "build*", "caches", "canonifyURLs", "capitalizeListTitles", "cascade",
    "cleanDestinationDir", "contentDir", "copyright", "dataDir", "defaultContentLanguage*", "defaultOutputFormat*", "deployment", "description",
    "disable404", "disableAliases", "disableHugoGeneratorInject", "disableKinds", "disableLiveReload", "disableRSS", "disableSitemap", "disableRobotsTXT",
    "disqusShortname", "editor", "enableEmoji", "enableGitInfo", "enableInlineShortcodes", "enableMissingTranslationPlaceholders", "enableRobotsTXT",
    "environment", "footnote*", "frontmatter", "googleAnalytics", "gitInfo", "hasCJKLanguage", "HTTPCache", "i18nDir", "ignoreCache", "ignoreFiles", "ignoreErrors",
    "ignoreLogs", "ignoreVendorPaths", "imaging", "keywords", "languages", "languageCode", "languageDirection", "languageName", "layoutDir", "log*", "locale",
    "mainSections", "markup", "mediaTypes", "menu", "menus", "metaDataFormat", "minify*", "module", "newContentEditor", "noBuildLock", "noChmod", "noTimes",
    "outputFormats", "outputs", "page", "paginate*", "pagination", "panicOnWarning", "params*", "permalinks", "pluralizeListTitles", "preserveTaxonomyNames",
    "preserveTOCCase", "print*", "privacy", "publishDir", "pygments*", "quiet", "refLinks*", "related", "relativeURLs", "renderSegments", "resourceDir", "roles", "rssLimit",
    "sectionPagesMenu", "security", "segments", "server", "services", "sitemap", "social*", "staticDir", "stepAnalysis", "summaryLength", "taxonomies", "templateMetrics*", "theme",
    "themesDir", "timeout", "timeZone", "title*", "uglyURLs", "useModTime", "versions", "watch", "weight", "google*", "subtitle", "logo", "enable*", "rss*", "version*", "disqus*",
    "disableFastRender", "disableBrowserError", "gc", "verbose*", "debug", "navigateToChanged", "renderTo*", "noHTTPCache", "cacheDir", "forceSyncStatic", "poll",
];

/// The settings of Goldmark's parser that are read, or change no anchors.
const PARSER: &[&str] = &[
    "attribute", "autoDefinitionTermID", "autoHeadingID", "autoHeadingIDType", "autoIDType",
    "wrapStandAlone*",
];

/// The setting of the form of anchors, by its name of today and by the one before it.
fn has_id_type(settings: &Settings, name: &str) -> bool {
    let names = ["autoIDType", "autoHeadingIDType"].into_iter();
    let mut set = names.filter_map(|it| settings.at(&format!("markup.goldmark.parser.{it}")));
    set.any(|it| it.eq_ignore_ascii_case(name))
}

/// The usual directories of the files of themes.
const THEME_FILES: &[&str] =
    &["css/", "js/", "fonts/", "webfonts/", "scss/", "favicons/", "icons/"];

/// A shortcode of the project or its theme.
const SHORTCODE_MAKER: Maker = Maker::of("the shortcode", Makes::Anchors)
    .on_pages(PageSign::MarkupBesides("{{<", OWN_SHORTCODES));

/// The render hook of Hugo itself looks documents up.
const EMBEDDED_HOOK: fn(&mut DialectRow) = |row| {
    row.reads_paths = true;
    row.reads_names = true;
};

/// The files of a render hook for links.
const OWN_HOOKS: &[&str] =
    &["layouts/_markup/render-link.html", "layouts/_default/_markup/render-link.html"];

/// Another render hook may look words up, too, in places of its own.
const HOOK: fn(&mut DialectRow) = |row| {
    EMBEDDED_HOOK(row);
    row.names = Names::Words;
};

/// Hugo's own shortcodes for documents.
const REF: Shortcode = Shortcode {
    parameters: &[("", &rows::SHORTCODE), ("path", &rows::SHORTCODE)],
    has_fragments: true,
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

impl MarkdownDialect {
    /// The rules of Hugo, with goldmark.
    pub const HUGO: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "hugo",
        program: "Hugo",
        help: "Hugo",
        site_url: ("baseURL", ""),
        build: "hugo {site} -d {out}",
        build_site: ("", "-s {}"),
        configuration: &[
            "hugo.toml",
            "hugo.yaml",
            "hugo.yml",
            "hugo.json",
            "config/_default/hugo.toml",
            "config/_default/hugo.yaml",
            "config/_default/hugo.yml",
            "config/_default/hugo.json",
            "config/_default/config.toml",
            "config/_default/config.yaml",
            "config/_default/config.yml",
            "config/_default/config.json",
        ],
        configuration_with: &[
            ("config.toml", "baseURL"),
            ("config.yaml", "baseURL"),
            ("config.yml", "baseURL"),
            ("config.json", "baseURL"),
            ("config.toml", "languageCode"),
            ("config.yaml", "languageCode"),
            ("config.yml", "languageCode"),
            ("config.toml", "theme"),
            ("config.yaml", "theme"),
        ],
        configuration_folder: Some("config/_default"),
        index_names: &["_index.md", "index.md"],
        tries: &["{}.md", "{}.html"],
        roots: &["assets/"],
        is_lower_case: true,
        // With `autoIDType: github`, unless the options say otherwise.
        slugs: Style {
            text: hugo::text,
            slug: algorithm::hugo,
            empty: Empty::None,
            explicit: |heading| heading.take_list(attributes::goldmark, true),
            reserve: Reserve::InOrder,
            ..PLAIN.slugs
        },
        ids: written_ids::GOLDMARK,
        bare_urls: true,
        has_page_links: true,
        is_strict: true,
        reads_paths: false,
        has_bundles: true,
        has_section_pages: true,
        has_markdown_strings: true,
        assets_of_page: true,
        page: Some(PageUrl::Directory),
        page_settings: &[("uglyURLs", "true", PageUrl::Html)],
        options: &[
            (Setting("markup.goldmark.parser.attribute.block", "true"), |row| {
                row.ids.places.are_on = true
            }),
            (Setting("markup.goldmark.parser.autoDefinitionTermID", "true"), |row| {
                row.has_terms = true
            }),
            (Setting("markup.goldmark.extensions.typographer.enDash", "--"), |row| {
                row.slugs.text = hugo::text_with_hyphens
            }),
            (Setting("markup.goldmark.extensions.typographer.disable", "true"), |row| {
                row.slugs.text = hugo::text_with_hyphens
            }),
            (Holds(|settings| has_id_type(settings, "github-ascii")), |row| {
                row.slugs.slug = algorithm::hugo_ascii
            }),
            (Holds(|settings| has_id_type(settings, "blackfriday")), |row| {
                row.slugs.slug = algorithm::hugo_blackfriday
            }),
            // No pages are made of these, but other pages include them.
            (Holds(|settings| settings.has_part("cascade", "_includes")), |row| {
                row.parts = &["_includes"]
            }),
            (Setting("buildDrafts", "true"), |row| row.builds.drafts = true),
            (Setting("buildFuture", "true"), |row| row.builds.future = true),
            (Setting("buildExpired", "true"), |row| row.builds.expired = true),
            // Other keys may be the dates.
            (Holds(|settings| settings.has_part("frontmatter", "")), |row| {
                (row.builds.future, row.builds.expired) = (true, true)
            }),
            (Setting("canonifyURLs", "true"), |row| row.base_path = BasePath::Added),
            (Setting("relativeURLs", "true"), |row| row.base_path = BasePath::Added),
            (Holds(mounts::has_embedded_hook), EMBEDDED_HOOK),
            (Holds(|settings| mounts::mounts(settings).has_language_roots()), |row| {
                row.has_language_roots = true
            }),
            // The site's own hook comes first, and leaves destinations as they are without these words.
            (Text(OWN_HOOKS, &[""]), |row| (row.reads_paths, row.reads_names) = (false, false)),
            (Text(OWN_HOOKS, &["GetPage", "relref", "ref ", "ref."]), HOOK),
            (Setting("markup.goldmark.renderHooks.link.useEmbedded", "always"), EMBEDDED_HOOK),
        ],
        published: &[published("content/", None), published("static/", None)],
        mounts: Some(|settings, _| mounts::mounts(settings)),
        templates_of: page_templates::of_hugo,
        made: &["sitemap.xml", "robots.txt", "404.html"],
        templates: &["layouts", "themes", "archetypes", "assets"],
        page_names: PageNames::Hugo,
        builds: Builds { future: false, expired: false, ..PLAIN.builds },
        url_keys: &[
            ("url", UrlKey::Url),
            ("slug", UrlKey::Name),
            ("draft", UrlKey::Draft),
            ("build.render", UrlKey::Render),
            ("_build.render", UrlKey::Render),
            ("headless", UrlKey::Headless),
            ("aliases", UrlKey::Alias),
            ("tags", UrlKey::Term("tags")),
            ("categories", UrlKey::Term("categories")),
            ("title", UrlKey::Title),
            ("date", UrlKey::Date),
            ("publishDate", UrlKey::PublishDate),
            ("pubdate", UrlKey::PublishDate),
            ("expiryDate", UrlKey::ExpiryDate),
            ("unpublishdate", UrlKey::ExpiryDate),
            ("lastmod", UrlKey::Date),
            ("modified", UrlKey::Date),
        ],
        navigation: &[
            NavigationRow {
                language: DataLanguage::Yaml,
                names: &[
                    "hugo.yaml", "hugo.yml", "hugo.json", "config.yaml", "config.yml",
                    "config.json",
                ],
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
            REF,
            Shortcode { open: "{{%", close: "%}}", ..REF },
            FIGURE,
            Shortcode { open: "{{%", close: "%}}", ..FIGURE },
        ],
        shortcode_markup: Some(&ShortcodeMarkup {
            words: &[("{{<", ">}}"), ("{{%", "%}}")],
            is_rendered_first: false,
            literal: &[],
            blank: &[("highlight", "/highlight")],
            parameters: &[("{{<", OWN_SHORTCODES), ("{{%", OWN_SHORTCODES)],
            variables: &[],
        }),
        makers: &[
            Maker::of("RSS", Makes::Endings(&["index.xml"])),
            Maker::plugin("_redirects", Makes::Pages(&[""]))
                .called("an output format for redirects"),
            Maker::plugin("outputs", Makes::Pages(&["llms", "index.", "/index."]))
                .called("an output format"),
            Maker::plugin("baseName", Makes::Endings(&[".xml", ".json", ".txt", ".csv", ".ics"]))
                .called("an output format"),
            Maker::of("a taxonomy", Makes::Pages(&["tags/", "categories/"])),
            Maker::of("layouts/index.redirects", Makes::Pages(&[""]))
                .in_projects(ProjectSign::FileWith("layouts/index.redirects", "{{")),
            PAGEFIND,
            Maker::of("the setting", Makes::Anything).in_projects(ProjectSign::Besides("", KEYS)),
            Maker::of("the setting of Goldmark's parser", Makes::Anchors)
                .in_projects(ProjectSign::Besides("markup.goldmark.parser", PARSER)),
            Maker::of("another program for Markdown", Makes::Anything).in_projects(
                ProjectSign::OtherThan("markup.defaultMarkdownHandler", &["goldmark"]),
            ),
            Maker::of("files of a theme outside the site", Makes::Pages(THEME_FILES))
                .in_projects(ProjectSign::Setting("imports")),
            NO_TEXT,
            SHORTCODE_MAKER,
            SHORTCODE_MAKER.on_pages(PageSign::MarkupBesides("{{%", OWN_SHORTCODES)),
        ],
        redirects: &[RedirectRow {
            name: "hugo",
            help: "Aliases in the front matter of moved pages, which Hugo makes redirects of",
            place: FrontMatter(FrontMatterList { key: "aliases", plugin: None, creates: true }),
        }],
        ..PLAIN
    });
}
