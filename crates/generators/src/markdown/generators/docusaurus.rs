//! Docusaurus, with MDX.

use super::plain::*;
use crate::data::{self, Step};
use crate::markdown::Settings;
use crate::markdown::page::CATEGORIES;
use crate::markdown::published::{ContentFolder, Mounts, with_slash};

impl MarkdownDialect {
    /// The rules of Docusaurus, with MDX.
    pub const DOCUSAURUS: MarkdownDialect = MarkdownDialect(&ROW);
}

const ROW: DialectRow = DialectRow {
    name: "docusaurus",
    program: "Docusaurus",
    help: "Docusaurus (MDX)",
    site_url: ("url", "baseUrl"),
    build: "npx docusaurus build {site} --out-dir {out}",
    configuration: CONFIGURATION,
    index_names: &["index.md", "index.mdx", "README.md", "README.mdx"],
    tries: &["{}.md", "{}.mdx", "{}/index.html"],
    roots: &["static/"],
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
    page_settings: &[
        ("trailingSlash", "true", PageUrl::Directory),
        ("trailingSlash", "false", PageUrl::Stripped),
    ],
    redirect_values: &["plugins.**.redirects.from"],
    has_sections: true,
    base_path: BasePath::AddedOnce,
    checks_urls: true,
    reads_paths: true,
    mounts: Some(mounts),
    root_alias: Some("@site/"),
    raw_prefix: Some("pathname://"),
    is_strict: true,
    component_attributes: &["*@href", "*@to", "*@src"],
    page_names: PageNames::Docusaurus,
    options: &[
        (Setting("markdown.format", "detect"), |row| row.others = &[(".md", COMMONMARK)]),
        (Setting("markdown.format", "md"), |row| row.blocks = Blocks::CommonMark),
    ],
    url_keys: &[
        ("slug", UrlKey::Slug),
        ("link.slug", UrlKey::Slug),
        ("id", UrlKey::Name),
        ("draft", UrlKey::Draft),
    ],
    navigation: &[
        SIDEBARS,
        NavigationRow::yaml(CATEGORIES, &[("link.id", DocumentId)]),
        NavigationRow {
            // The configuration may name any file, usually one like these.
            names: &["sidebar*.js", "sidebar*.ts", "sidebar*.mjs", "sidebar*.cjs"],
            language: DataLanguage::JavaScript,
            ..SIDEBARS
        },
        NavigationRow {
            names: CONFIGURATION,
            language: DataLanguage::JavaScript,
            link_base: Some("baseUrl"),
            keys: &[
                ("**.to", Based),
                ("**.href", Page),
                ("**.favicon", Url),
                ("**.logo.src", Url),
                ("**.logo.srcDark", Url),
                ("**.customCss", Configuration),
                ("**.sidebarPath", Configuration),
            ],
            ..SIDEBARS
        },
    ],
    makers: &[
        PACKAGE,
        RULES_ABOVE,
        Maker::of("a generated index", Makes::Pages(&["/category/"])),
        Maker::of(
            "a list of pages (tags, authors, archive)",
            Makes::Pages(&["/tags", "/authors", "/archive", "/page/", "search"]),
        ),
        Maker::of(
            "a plugin of the preset (feeds, search)",
            Makes::Pages(&["/rss.xml", "/atom.xml", "/feed.json", "opensearch.xml"]),
        ),
        LISTS,
        // The redirects that are written out are read.
        Maker::of("plugin-client-redirects", Makes::Routes(&[""]))
            .in_projects(ProjectSign::Setting("createRedirects")),
        Maker::of("plugin-client-redirects", Makes::Routes(&[""]))
            .in_projects(ProjectSign::NotLiteral("redirects")),
        Maker::plugin("docusaurus-plugin-typedoc", Makes::Pages(&[""])),
        Maker::plugin("docusaurus-plugin-openapi-docs", Makes::Pages(&[""])),
        Maker::plugin("docusaurus-plugin-remote-content", Makes::Pages(&[""])),
        // The comments of types, in place of links to them.
        Maker::plugin("remark-typescript-tools", Makes::Anchors).on_pages_with("docblock:"),
        other_module(MODULES),
        writing_module(MODULES),
        COMPUTED.in_projects(ProjectSign::NotLiteral("baseUrl")),
        COMPUTED.in_projects(ProjectSign::NotLiteral("routeBasePath")),
        // A plugin or an option in the configuration itself.
        Maker::plugin("addRoute", Makes::Anything),
        Maker::plugin("postBuild", Makes::Anything),
        Maker::plugin("preprocessor", Makes::Anything),
        Maker::plugin("parseFrontMatter", Makes::Anything),
        Maker::of("a component", Makes::Anchors).on_pages(PageSign::ComponentBesides(&[
            "Tabs", "TabItem", "Admonition", "CodeBlock", "Link", "TOCInline", "DocCardList",
            "DocCard", "Details", "Head", "BrowserOnly", "ThemedImage", "Translate",
        ])),
    ],
    redirects: &[RedirectRow {
        name: "docusaurus",
        help: "The redirects of Docusaurus's plugin client-redirects, in JSON, on stdout",
        place: Json(RedirectLine(["{\"from\":", ",\"to\":", "}"], RootUrl, RootUrl)),
    }],
    ..PLAIN
};

/// Files that are not MDX if `markdown.format` is `detect`.
const COMMONMARK: MarkdownDialect =
    MarkdownDialect(&DialectRow { blocks: Blocks::CommonMark, ..ROW });

const CONFIGURATION: &[&str] = &[
    "docusaurus.config.js", "docusaurus.config.ts", "docusaurus.config.mjs",
    "docusaurus.config.mts", "docusaurus.config.cjs",
];

const SIDEBARS: NavigationRow = NavigationRow::yaml(
    &["*sidebars.json"],
    &[
        ("*[]", DocumentId),
        // Categories by their names, and as objects.
        ("*.*[]", DocumentId),
        ("*.*.*[]", DocumentId),
        ("**.items[]", DocumentId),
        ("**.items.*[]", DocumentId),
        ("**.id", DocumentId),
        ("**.href", Page),
    ],
);

/// The modules that make no pages and no anchors, or are read.
#[rustfmt::skip]
const MODULES: &[&str] = &[
    "classic", "@docusaurus/preset-classic", "@docusaurus/types", "@docusaurus/core*", "@docusaurus/theme-*", "@docusaurus/logger",
    "@docusaurus/utils*", "@docusaurus/module-type-aliases", "@docusaurus/faster", "@docusaurus/tsconfig", "@docusaurus/plugin-content-*",
    "@docusaurus/plugin-client-redirects", "@docusaurus/plugin-google-*", "@docusaurus/plugin-ideal-image", "@docusaurus/plugin-pwa",
    "@docusaurus/plugin-debug", "@docusaurus/plugin-svgr", "@docusaurus/plugin-css-cascade-layers",
    "@docusaurus/plugin-rsdoctor",
    "content-docs", "content-blog", "content-pages", "client-redirects", "ideal-image", "google-*", "pwa",
    "docusaurus-plugin-sass",
    "docusaurus-plugin-segment", "@gracefullight/docusaurus-plugin-*", "docusaurus-theme-github-codeblock",
    "docusaurus-plugin-typedoc*", "docusaurus-plugin-openapi-docs", "docusaurus-plugin-remote-content",
    "docusaurus-plugin-module-alias", "docusaurus-plugin-ackee",
    "raw-loader", "remark-math", "remark-emoji", "rehype-raw", "remark-gfm", "remark-admonitions",
    "docusaurus-plugin-zooming", "docusaurus-plugin-hubspot", "@stackql/docusaurus-plugin-hubspot", "docusaurus-plugin-moesif", "docusaurus-plugin-papercups",
    "docusaurus-plugin-yandex-metrica", "docusaurus-plugin-less", "docusaurus-node-polyfills", "docusaurus-plugin-polyfill", "docusaurus-theme-frontmatter",
    "@saucelabs/theme-github-codeblock", "docusaurus-live-brython", "@sapphire/docusaurus-plugin-*", "@theguild/remark-*", "remark-breaks", "remark-deflist",
    "remark-github", "remark-code-import", "rehype-pretty-code",
    "docusaurus-remark-plugin-tab-blocks", "remark-typescript-tools", "remark-codesandbox", "remark-external-links", "rehype-external-links", "rehype-shiki", "@vercel/*", "clsx", "react",
];

/// The plugins that make pages of documents, with the directory of their documents and the path of their pages.
const PLUGINS: [(&str, &str, &str); 3] =
    [("docs", "docs", "docs"), ("blog", "blog", "blog"), ("pages", "src/pages", "/")];

/// The extensions of pages in JavaScript.
const SCRIPTS: &[&str] = &["js", "jsx", "ts", "tsx"];

/// The settings of one use of a plugin: as the preset has it, or in the list of plugins.
struct Instance<'s> {
    settings: &'s Settings,
    /// The path of its options; `None`: it has the default ones.
    path: Option<Vec<Step>>,
}

impl Instance<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.settings.member(self.path.as_deref()?, key)
    }

    /// The values in the option `key`, each with the path to it from there.
    fn values(&self, key: &str) -> impl Iterator<Item = (&[Step], &str)> {
        let path = self.path.iter();
        path.flat_map(|_| self.settings.values()).filter_map(move |(it, value)| {
            let (option, rest) = it.strip_prefix(self.path.as_deref()?)?.split_first()?;
            option.is(key).then_some((rest, value))
        })
    }
}

/// The uses of `plugin`.
fn instances<'s>(settings: &'s Settings, plugin: &str) -> Vec<Instance<'s>> {
    let mut is_off = false;
    let mut of_preset = None;
    let mut others = Vec::new();
    for (path, value) in settings.values() {
        let option = match path.iter().position(|step| step.is("presets")) {
            Some(at) => path.iter().skip(at).position(|step| step.is(plugin)).map(|rest| at + rest),
            None => path.first().is_some_and(|step| step.is(plugin)).then_some(0),
        };
        if let Some(option) = option {
            is_off |= value == "false" && option + 1 == path.len();
            of_preset = of_preset.or_else(|| path.get(..=option).map(<[Step]>::to_vec));
        }
        if let [before @ .., Step::Item(_), Step::Item(0)] = path
            && before.last().is_some_and(|step| step.is("plugins"))
            && value.strip_suffix(plugin).is_some_and(|it| it.ends_with("content-"))
        {
            let options = path.get(..path.len() - 1).map(|it| [it, &[Step::Item(1)]].concat());
            others.push(Instance { settings, path: options });
        }
    }
    let has_presets = settings.values().any(|(path, _)| path.iter().any(|it| it.is("presets")));
    // Where nothing says what a key is of.
    let is_plain = !has_presets && others.is_empty() && plugin == "docs";
    let of_preset = of_preset.or_else(|| is_plain.then(Vec::new));
    let is_usual = !is_off && (has_presets || others.is_empty());
    let usual = is_usual.then_some(Instance { settings, path: of_preset });
    usual.into_iter().chain(others).collect()
}

/// The languages of the site but for the default one.
fn languages(settings: &Settings) -> Vec<&str> {
    let default = settings.all("**.i18n.defaultLocale").next();
    settings.all("**.i18n.locales[]").filter(|it| Some(*it) != default).collect()
}

/// The directories of documents: of each plugin, version and language.
fn mounts(settings: &Settings, read: &dyn Fn(&str) -> Option<String>) -> Mounts {
    let languages = languages(settings);
    let mut copied: Vec<&str> = settings.all("**.staticDirectories[]").collect();
    if copied.is_empty() {
        copied.push("static");
    }
    let copied = copied.iter().map(|it| with_slash(trimmed(it)));
    let copied = copied.map(|it| ContentFolder::new(&it, "", FolderFiles::Copied));
    let mut found: Vec<ContentFolder> = copied.collect();
    let (mut made, mut pages) = (Vec::new(), Vec::new());
    let mut group = 0;
    for (plugin, folder, route) in PLUGINS {
        for instance in instances(settings, plugin) {
            let folder = trimmed(instance.get("path").unwrap_or(folder));
            let route = trimmed(instance.get("routeBasePath").unwrap_or(route));
            let id = instance.get("id").filter(|id| *id != "default");
            if plugin == "blog" {
                pages.extend(["", "/archive"].map(|it| format!("{route}{it}")));
            }
            let contents = match plugin {
                "docs" => versions(&instance, folder, id, read),
                _ => vec![(folder.to_owned(), String::new(), String::new())],
            };
            group += 1;
            for (folder, translated, url) in contents {
                let url = format!("{}{}", with_slash(route), with_slash(trimmed(&url)));
                let own = ContentFolder {
                    folder: with_slash(trimmed(&folder)),
                    url,
                    roots: vec![with_slash(trimmed(&folder))],
                    group: (plugin != "pages").then_some(group),
                    sidebars: sidebars(&instance, &translated, id),
                    page_names: match instance.get("numberPrefixParser") {
                        _ if plugin == "blog" => Some(PageNames::DatedPosts),
                        Some("false") => Some(PageNames::Numbered),
                        _ => None,
                    },
                    page_extensions: if plugin == "pages" { SCRIPTS } else { &[] },
                    is_required: translated.starts_with("version-"),
                    is_excluded: translated.starts_with(CURRENT) && is_without_current(&instance),
                    ..ContentFolder::default()
                };
                let has_pages = !own.is_excluded;
                let indexes = generated_indexes(read, &own.sidebars).into_iter();
                made.extend(indexes.filter(|_| has_pages).map(|slug| format!("{}{slug}", own.url)));
                for language in &languages {
                    let suffix = id.map_or_else(String::new, |id| format!("-{id}"));
                    let folder = format!(
                        "i18n/{language}/docusaurus-plugin-content-{plugin}{suffix}/{translated}"
                    );
                    found.push(ContentFolder {
                        roots: vec![folder.clone(), own.folder.clone()],
                        url: format!("{language}/{}", own.url),
                        language: format!("{language}/"),
                        folder,
                        sidebars: Vec::new(),
                        is_required: false,
                        ..own.clone()
                    });
                }
                found.push(own);
            }
        }
    }
    let in_all = |paths: Vec<String>| {
        let translated =
            languages.iter().flat_map(|it| paths.iter().map(move |path| format!("{it}/{path}")));
        translated.chain(paths.iter().cloned()).collect()
    };
    Mounts { folders: found, made: in_all(made), pages: in_all(pages), ..Mounts::default() }
}

/// The paths of the files with the sidebars of a version, which has this name in the directory of a translation.
fn sidebars(docs: &Instance<'_>, version: &str, id: Option<&str>) -> Vec<String> {
    let prefix = id.map_or_else(String::new, |id| format!("{id}_"));
    match (version.trim_end_matches('/'), docs.get("sidebarPath")) {
        ("", _) | (CURRENT, Some("false")) => Vec::new(),
        (CURRENT, None) if id.is_some() => Vec::new(),
        (CURRENT, Some(path)) if path.contains('/') => vec![trimmed(path).to_owned()],
        (CURRENT, _) => SIDEBAR_SCRIPTS.iter().map(|it| (*it).to_owned()).collect(),
        (version, _) => vec![format!("{prefix}versioned_sidebars/{version}-sidebars.json")],
    }
}

/// The paths of the indexes that the generator makes of these `sidebars`, below that of the documents.
fn generated_indexes(read: &dyn Fn(&str) -> Option<String>, sidebars: &[String]) -> Vec<String> {
    let mut slugs = Vec::new();
    for name in sidebars {
        let language = name.rsplit('.').next().and_then(DataLanguage::of_extension);
        let settings = Settings::read(&read(name).unwrap_or_default(), language);
        slugs.extend(settings.all("**.link.slug").map(|it| trimmed(it).to_owned()));
    }
    slugs
}

/// The usual names of sidebars.
const SIDEBAR_SCRIPTS: &[&str] =
    &["sidebars.js", "sidebars.ts", "sidebars.mjs", "sidebars.cjs", "sidebars.json"];

/// The versions of documents whose current one is in `folder`: the directory of each, its name in that of a
/// translation, and its path.
fn versions(
    docs: &Instance<'_>,
    folder: &str,
    id: Option<&str>,
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<(String, String, String)> {
    let prefix = id.map_or_else(String::new, |id| format!("{id}_"));
    let mut names = Vec::new();
    let is_off = docs.get("disableVersioning") == Some("true");
    if let Some(text) = read(&format!("{prefix}versions.json")).filter(|_| !is_off) {
        // The generator reports the error.
        let _ = data::read(&text, DataLanguage::Yaml, |_, value| names.push(value.to_owned()));
    }
    let last = docs.get("lastVersion").map(str::to_owned).or_else(|| names.first().cloned());
    let last = last.unwrap_or_else(|| CURRENT.to_owned());
    names.push(CURRENT.to_owned());
    let only =
        docs.values("onlyIncludeVersions").filter(|(path, _)| matches!(path, [Step::Item(_)]));
    let only: Vec<&str> = only.map(|(_, name)| name).collect();
    let is_included = |name: &&String| only.is_empty() || only.contains(&name.as_str());
    let found = names.iter().filter(is_included).map(|name| {
        let is_path = |path: &[Step]| matches!(path, [it, last] if it.is(name) && last.is("path"));
        let path = docs.values("versions").find(|(path, _)| is_path(path));
        let path = path.map(|(_, path)| path.to_owned()).unwrap_or_else(|| match name.as_str() {
            name if name == last => String::new(),
            CURRENT => "next".to_owned(),
            name => name.to_owned(),
        });
        match name.as_str() {
            CURRENT => (folder.to_owned(), "current/".to_owned(), path),
            name => {
                let folder = format!("{prefix}versioned_docs/version-{name}");
                (folder, format!("version-{name}/"), path)
            }
        }
    });
    found.collect()
}

/// Returns true if the documents in their own directory are only the source of versions.
fn is_without_current(docs: &Instance<'_>) -> bool {
    docs.get("includeCurrentVersion") == Some("false")
}

/// The name of the version that is in the directory of the documents.
const CURRENT: &str = "current";

fn trimmed(path: &str) -> &str {
    path.trim_start_matches("./").trim_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_and_language_has_a_directory() {
        for (config, versions, expected) in [
            (
                "export default {presets: [['classic', {}]]}",
                None,
                &["static/ ", "docs/ docs/", "blog/ blog/", "src/pages/ "][..],
            ),
            (
                "const config = {i18n: {defaultLocale: 'en', locales: ['en', 'fr']}, presets: [['classic', {blog: false, docs: {path: '../d', routeBasePath: '/'}, pages: {path: 'p'}}]], plugins: [['@docusaurus/plugin-content-docs', {id: 'c', path: 'c', routeBasePath: 'e'}]]};",
                None,
                &[
                    "static/ ",
                    "i18n/fr/docusaurus-plugin-content-docs/current/ fr/",
                    "../d/ ",
                    "i18n/fr/docusaurus-plugin-content-docs-c/current/ fr/e/",
                    "c/ e/",
                    "i18n/fr/docusaurus-plugin-content-pages/ fr/",
                    "p/ ",
                ],
            ),
            // The options of a plugin in a constant.
            (
                "import x from 'y';\nconst base: Options = {\n  id: 'b',\n  path: '../b',\n  routeBasePath: '/',\n};\nconst config = {presets: [['classic', {docs: false, blog: false, pages: false}]], plugins: [['@docusaurus/plugin-content-docs', base]]};",
                None,
                &["static/ ", "../b/ "],
            ),
            (
                "module.exports = {presets: [['classic', {blog: false, pages: false, docs: {versions: {1: {path: 'v1'}}}}]]}",
                Some("[\"2\", \"1\"]"),
                &[
                    "static/ ",
                    "versioned_docs/version-2/ docs/",
                    "versioned_docs/version-1/ docs/v1/",
                    "docs/ docs/next/",
                ],
            ),
            (
                "module.exports = {presets: [['classic', {blog: false, pages: false, docs: {lastVersion: 'current', onlyIncludeVersions: ['current', '2']}}]]}",
                Some("[\"2\", \"1\"]"),
                &["static/ ", "versioned_docs/version-2/ docs/2/", "docs/ docs/"],
            ),
        ] {
            let settings = Settings::read(config, Some(DataLanguage::JavaScript));
            let read = |_: &str| versions.map(str::to_owned);
            let found = mounts(&settings, &read);
            let found = found.folders.iter().map(|it| format!("{} {}", it.folder, it.url));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{config}");
        }
    }
}
