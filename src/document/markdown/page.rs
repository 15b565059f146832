//! The page that a generator makes of a document: its path, by the path of the document and its front matter.

use super::dialect::{DialectRow, PageUrl};
use super::front_matter::keys;

/// The meaning of a key of front matter for the URL of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UrlKey {
    /// The URL, below that of the site or of the documents.
    Url,
    /// The URL if it starts with a slash, else one relative to the directory.
    Slug,
    /// The last name in the URL, except for the page of a directory.
    Name,
}

/// What the front matter of a document says of the URL of its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedUrl {
    key: UrlKey,
    value: String,
}

/// How the names of documents become those of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageNames {
    /// They are the same.
    Same,
    /// In lower case, and with hyphens in place of spaces.
    Hugo,
    /// Without the numbers before them that give the order. Names that start with an underscore have no page.
    Docusaurus,
    /// Without the underscore of a collection; those of posts are dates.
    Jekyll,
}

/// A setting in the configuration of a generator that decides the URLs of pages.
#[derive(Debug)]
pub struct PageSetting {
    /// Its key.
    pub key: &'static str,
    /// Its value.
    pub value: &'static str,
    /// The URLs of pages with it.
    pub page: PageUrl,
}

/// Directories of Jekyll whose documents are parts of pages.
const PARTS: &[&str] = &[
    "_includes",
    "_layouts",
    "_data",
    "_sass",
    "_site",
    "_plugins",
    "_drafts",
];

impl StatedUrl {
    /// What the front matter of `source` says.
    pub fn of(source: &str, row: &DialectRow) -> Option<StatedUrl> {
        let mut keys = row.url_keys.iter();
        keys.find_map(|(name, key)| {
            let value = keys::scalar(source, name)?;
            Some(StatedUrl { key: *key, value })
        })
    }
}

impl PageUrl {
    /// The path of the page `stem` in `folder`, or of the page of `folder`.
    fn path(self, folder: &str, stem: Option<&str>) -> String {
        match (self, stem) {
            (PageUrl::Directory, Some(stem)) => format!("{folder}{stem}/"),
            (PageUrl::Bare, Some(stem)) => format!("{folder}{stem}"),
            (PageUrl::Directory | PageUrl::Bare, None) => folder.to_owned(),
            (PageUrl::Html, stem) => format!("{folder}{}.html", stem.unwrap_or("index")),
        }
    }

    /// The path of the file that the generator writes for the page at `path`.
    pub fn file(self, path: &str) -> String {
        match path.is_empty() || path.ends_with('/') {
            true => format!("{path}index.html"),
            false if self == PageUrl::Bare => format!("{path}/index.html"),
            false => path.to_owned(),
        }
    }
}

impl DialectRow {
    /// The path of the page of the document at `path`, both below the directory of the documents and percent-encoded;
    /// `None` if it has no page, or the path is not known. `stated`: what its front matter says.
    pub fn page_path(
        &self,
        page: PageUrl,
        path: &str,
        stated: Option<&StatedUrl>,
    ) -> Option<String> {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        let (stem, _) = name.rsplit_once('.')?;
        if self.without_page.iter().any(|it| path.starts_with(it)) {
            return None;
        }
        let index = self
            .index_names
            .iter()
            .any(|it| it.eq_ignore_ascii_case(name));
        let last = folder
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default();
        let (folder, stem, is_index) = match self.page_names {
            PageNames::Same => (folder.to_owned(), stem.to_owned(), index),
            PageNames::Hugo => {
                let name = |text: &str| text.replace("%20", "-").to_lowercase();
                (name(folder), name(stem), index)
            }
            PageNames::Docusaurus => {
                if path.split('/').any(|name| name.starts_with('_')) {
                    return None;
                }
                let is_index = index || stem.eq_ignore_ascii_case(last);
                let names: Vec<&str> = folder.split('/').map(without_number).collect();
                (names.join("/"), without_number(stem).to_owned(), is_index)
            }
            PageNames::Jekyll => {
                let (folder, stem) = jekyll(folder, stem)?;
                (folder, stem, index)
            }
        };
        let value = stated.map(|it| (it.key, it.value.as_str()));
        Some(match value {
            Some((UrlKey::Url, url)) => url.trim_start_matches('/').to_owned(),
            Some((UrlKey::Slug, slug)) if slug.starts_with('/') => {
                slug.trim_start_matches('/').to_owned()
            }
            Some((UrlKey::Slug, slug)) => page.path(&folder, Some(slug)),
            Some((UrlKey::Name, name)) if !is_index => page.path(&folder, Some(name)),
            _ => page.path(&folder, (!is_index).then_some(&*stem)),
        })
    }
}

/// `name` without a number before it that gives the order; a date or a version is none.
fn without_number(name: &str) -> &str {
    let rest = name.trim_start_matches(|it: char| it.is_ascii_digit());
    let separated = rest.replacen("%20", " ", 1);
    let is_separator = |it: char| matches!(it, '-' | '_' | '.');
    if rest.len() == name.len() || !separated.trim_start().starts_with(is_separator) {
        return name;
    }
    let rest = rest.strip_prefix("%20").unwrap_or(rest);
    let after = rest.trim_start_matches(is_separator);
    let is_version =
        rest.len() - after.len() == 1 && after.starts_with(|it: char| it.is_ascii_digit());
    let after = after.strip_prefix("%20").unwrap_or(after);
    match is_version || after.is_empty() {
        true => name,
        false => after,
    }
}

/// The directory and the name of a page of Jekyll.
fn jekyll(folder: &str, stem: &str) -> Option<(String, String)> {
    let names: Vec<&str> = folder.split('/').collect();
    if names.iter().any(|name| PARTS.contains(name)) {
        return None;
    }
    let Some(posts) = names.iter().position(|name| *name == "_posts") else {
        // Of a collection.
        return Some((
            folder.strip_prefix('_').unwrap_or(folder).to_owned(),
            stem.to_owned(),
        ));
    };
    let mut date = stem.splitn(4, '-');
    let (year, month, day, title) = (date.next()?, date.next()?, date.next()?, date.next()?);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if ![year, month, day].into_iter().all(is_number) {
        return None;
    }
    let categories: Vec<&str> = names.into_iter().take(posts).collect();
    let categories: String = categories.iter().map(|name| format!("{name}/")).collect();
    Some((
        format!("{categories}{year}/{month}/{day}/"),
        title.to_owned(),
    ))
}

/// The value of the only line of `configuration` that sets `key`; `None` if there is none, or several.
pub fn setting<'c>(configuration: &'c str, key: &str) -> Option<&'c str> {
    let mut values = configuration.lines().filter_map(|line| value_of(line, key));
    let value = values.next()?;
    values.next().is_none().then_some(value)
}

/// The value that `line` of a configuration gives `key`.
fn value_of<'c>(line: &'c str, key: &str) -> Option<&'c str> {
    let line = line.trim_start().trim_start_matches(['"', '\'', '{']);
    let rest = line.trim_start().strip_prefix(key)?;
    let rest = rest.trim_start_matches(['"', '\'']).trim_start();
    let value = rest.strip_prefix([':', '='])?.trim();
    match value.bytes().next()? {
        quote @ (b'"' | b'\'') => value.get(1..)?.split(char::from(quote)).next(),
        _ => value.split([',', '#', '}', ' ']).next(),
    }
}

/// The directory that a module mount of Hugo in `configuration` puts in place of `folder`.
pub fn mounted<'c>(configuration: &'c str, folder: &str) -> Option<&'c str> {
    let mut source = None;
    configuration.lines().find_map(|line| {
        source = value_of(line, "source").or(source);
        value_of(line, "target").filter(|it| *it == folder)?;
        source
    })
}

/// The directories that `rewrites` of VitePress publish elsewhere, each with its new path: `'en/:rest*': ':rest*'`.
pub fn rewritten(configuration: &str) -> impl Iterator<Item = (&str, &str)> {
    configuration.lines().filter_map(|line| {
        let line = line.trim().trim_end_matches(',');
        let (old, new) = line
            .split_once("': '")
            .or_else(|| line.split_once("\": \""))?;
        let old = old.trim_start_matches(['"', '\'']).strip_suffix(":rest*")?;
        let new = new.trim_end_matches(['"', '\'']).strip_suffix(":rest*")?;
        Some((old, new))
    })
}

/// Whether `configuration` gives the posts or collections of Jekyll URLs of its own.
fn has_templates(configuration: &str) -> bool {
    configuration.lines().any(|line| {
        let template = value_of(line, "permalink");
        template.is_some_and(|it| line.starts_with(char::is_whitespace) || it.contains(':'))
    })
}

impl DialectRow {
    /// Whether this `configuration` decides the URLs of documents in directories with an underscore.
    pub fn has_templates(&self, configuration: &str) -> bool {
        self.page_names == PageNames::Jekyll && has_templates(configuration)
    }

    /// The URLs of pages with this `configuration`.
    pub fn page_with(&self, configuration: &str) -> Option<PageUrl> {
        let mut settings = self.page_settings.iter();
        let set = settings.find(|it| {
            setting(configuration, it.key).is_some_and(|value| value.eq_ignore_ascii_case(it.value))
        });
        set.map(|it| it.page).or(self.page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::markdown::MarkdownDialect;

    fn path(dialect: MarkdownDialect, path: &str, source: &str) -> Option<String> {
        let row = dialect.row();
        let stated = StatedUrl::of(source, row);
        row.page_path(row.page?, path, stated.as_ref())
    }

    #[test]
    fn pages_have_the_paths_of_their_generators() {
        for (dialect, source, expected) in [
            (MarkdownDialect::MkDocs, "g/a.md", Some("g/a/")),
            (MarkdownDialect::MkDocs, "g/index.md", Some("g/")),
            (MarkdownDialect::MkDocs, "README.md", Some("")),
            (MarkdownDialect::Hugo, "G/A%20b.md", Some("g/a-b/")),
            (MarkdownDialect::Hugo, "g/_index.md", Some("g/")),
            (MarkdownDialect::Docusaurus, "1-g/02_a.mdx", Some("g/a")),
            (
                MarkdownDialect::Docusaurus,
                "g/2021-11-b.md",
                Some("g/2021-11-b"),
            ),
            (MarkdownDialect::Docusaurus, "g/G.md", Some("g/")),
            (MarkdownDialect::Docusaurus, "g/_a.md", None),
            (
                MarkdownDialect::Sphinx,
                "g/README.md",
                Some("g/README.html"),
            ),
            (MarkdownDialect::MdBook, "g/README.md", Some("g/index.html")),
            (MarkdownDialect::MdBook, "SUMMARY.md", None),
            (MarkdownDialect::VitePress, "g/a.md", Some("g/a.html")),
            (
                MarkdownDialect::Jekyll,
                "_docs/g/a.md",
                Some("docs/g/a.html"),
            ),
            (
                MarkdownDialect::Jekyll,
                "c/_posts/2024-01-02-a-b.md",
                Some("c/2024/01/02/a-b.html"),
            ),
            (MarkdownDialect::Jekyll, "_includes/a.md", None),
            (MarkdownDialect::GitHub, "a.md", None),
        ] {
            assert_eq!(path(dialect, source, "x").as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn front_matter_may_state_the_url() {
        for (dialect, front_matter, expected) in [
            (MarkdownDialect::Jekyll, "permalink: /x/", "x/"),
            (MarkdownDialect::Hugo, "url: /x/", "x/"),
            (MarkdownDialect::Hugo, "slug: x", "g/x/"),
            (MarkdownDialect::Docusaurus, "slug: /x", "x"),
            (MarkdownDialect::Docusaurus, "slug: x", "g/x"),
            (MarkdownDialect::Docusaurus, "id: x", "g/x"),
            (MarkdownDialect::MkDocs, "slug: x", "g/a/"),
        ] {
            let source = format!("---\n{front_matter}\n---\n");
            let found = path(dialect, "g/a.md", &source);
            assert_eq!(found.as_deref(), Some(expected), "{front_matter}");
        }
    }

    #[test]
    fn a_setting_counts_if_one_line_sets_it() {
        for (configuration, expected) in [
            ("use_directory_urls: false\n", Some("false")),
            (
                "  'x': 1,\n  use_directory_urls: 'a b', // c\n",
                Some("a b"),
            ),
            ("use_directory_urls = true # x", Some("true")),
            ("use_directory_urls: a\nuse_directory_urls: b\n", None),
            ("# use_directory_urls: a\n", None),
        ] {
            assert_eq!(setting(configuration, "use_directory_urls"), expected);
        }
    }
    #[test]
    fn directories_are_published_elsewhere() {
        let mounts = "[[module.mounts]]\n  source = 'content/en'\n  target = 'content'\n";
        assert_eq!(mounted(mounts, "content"), Some("content/en"));
        assert_eq!(mounted(mounts, "static"), None);
        let rewrites =
            "rewrites: {\n  'en/:rest*': ':rest*',\n  \"a/:rest*\": \"b/:rest*\"\n  'x/:y': 'z'\n";
        assert_eq!(
            rewritten(rewrites).collect::<Vec<_>>(),
            [("en/", ""), ("a/", "b/")]
        );
        assert!(has_templates("permalink: /:title/\n") && has_templates("  permalink: x\n"));
        assert!(!has_templates("permalink: pretty\n"));
    }
}
