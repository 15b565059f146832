//! The page that a generator makes of a document: the form of its URL, and its path by the path of the document and its
//! front matter.

use std::path::Path;

use encoding_rs::UTF_8;

use super::dialect::DialectRow;
use super::permalinks::{HugoPermalinks, JekyllPermalinks, Permalinks, encoded, sanitized};
use super::published::{ContentFolder, FolderFiles, PageNames, PageSetting, PageUrl, UrlKey};
use super::settings::Settings;
use super::stated_url::StatedUrl;
use rehref_url::{AbsoluteUrl, percent_decoded};

impl PageUrl {
    /// Returns the URL of the page that a generator makes of the document at `url`. For an index document,
    /// `url` may be the URL of its directory. Returns `None` if `url` is not hierarchical.
    pub fn of_document(self, url: &AbsoluteUrl) -> Option<AbsoluteUrl> {
        let path = url.as_str().split(['?', '#']).next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let is_index =
            name.is_empty() || INDEX_STEMS.iter().any(|it| stem.eq_ignore_ascii_case(it));
        let reference = match (self, is_index) {
            (PageUrl::Directory | PageUrl::Html | PageUrl::Bare, true) => ".".to_owned(),
            (PageUrl::Html, false) => format!("./{stem}.html"),
            (PageUrl::Directory, false) => format!("./{stem}/"),
            (PageUrl::Bare | PageUrl::Stripped, false) => format!("./{stem}"),
            (PageUrl::Stripped, true) => {
                let folder = path.strip_suffix(name)?.trim_end_matches('/');
                let folder = folder.rsplit('/').next().unwrap_or_default();
                format!("../{folder}")
            }
        };
        url.resolve(&reference, UTF_8).ok()
    }

    /// Returns the path of the page `stem` in `folder`, or of the page of `folder`.
    pub(super) fn path(self, folder: &str, stem: Option<&str>) -> String {
        match (self, stem) {
            (PageUrl::Directory, Some(stem)) => format!("{folder}{stem}/"),
            (PageUrl::Bare | PageUrl::Stripped, Some(stem)) => format!("{folder}{stem}"),
            (PageUrl::Directory | PageUrl::Bare, None) => folder.to_owned(),
            (PageUrl::Stripped, None) => folder.trim_end_matches('/').to_owned(),
            (PageUrl::Html, stem) => format!("{folder}{}.html", stem.unwrap_or("index")),
        }
    }

    /// Returns the path of the file that the generator writes for the page at `path`.
    pub fn file(self, path: &str) -> String {
        match path.is_empty() || path.ends_with('/') {
            true => format!("{path}index.html"),
            false if matches!(self, PageUrl::Bare | PageUrl::Stripped) => {
                format!("{path}/index.html")
            }
            false => path.to_owned(),
        }
    }
}

/// The names, without extension, of the documents that are the page of their directory.
const INDEX_STEMS: &[&str] = &["index", "_index", "readme"];

/// The files of Docusaurus that say the URL of the index of their directory.
pub(super) const CATEGORIES: &[&str] = &["_category_.json", "_category_.yml", "_category_.yaml"];

impl DialectRow {
    /// Returns the path of the page of the document at `path`. Both paths are relative to the directory of the
    /// documents and percent-encoded. Returns `None` if the document has no page, or the path is not known.
    /// `stated` is the URL in its front matter; `names` overrides how names of documents become names of pages.
    pub fn page_path(
        &self,
        page: PageUrl,
        permalinks: Option<&Permalinks>,
        path: &str,
        stated: Option<&StatedUrl>,
        names: Option<PageNames>,
    ) -> Option<String> {
        let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
        let (stem, _) = name.rsplit_once('.')?;
        let is_without = stated.is_some_and(StatedUrl::has_no_page)
            || self.needs_front_matter && stated.is_none();
        if is_without || self.without_page.iter().any(|it| path.starts_with(it)) {
            return None;
        }
        let index = self.index_names.iter().any(|it| it.eq_ignore_ascii_case(name));
        let last = folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let (folder, stem, is_index) = match names.unwrap_or(self.page_names) {
            PageNames::Routes if path.contains('[') => return None,
            PageNames::Same | PageNames::Routes => (folder.to_owned(), stem.to_owned(), index),
            PageNames::Hugo => {
                // In names of files, unlike in titles, each space is a hyphen.
                let name = |text: &str| encoded(&sanitized(&decoded(text).replace(' ', "-")));
                match folder.trim_end_matches('/') {
                    // The page of a bundle is a page in the directory around it.
                    bundle if stem.eq_ignore_ascii_case("index") && !bundle.is_empty() => {
                        let (around, own) =
                            bundle.split_at(bundle.rfind('/').map_or(0, |slash| slash + 1));
                        (name(around), name(own), false)
                    }
                    _ => (name(folder), name(stem), index),
                }
            }
            names @ (PageNames::Docusaurus | PageNames::Numbered) => {
                if path.split('/').any(|name| name.starts_with('_') && !CATEGORIES.contains(&name))
                {
                    return None;
                }
                let is_index = index || stem.eq_ignore_ascii_case(last);
                (names.without_numbers(folder), names.without_numbers(stem), is_index)
            }
            PageNames::DatedPosts => {
                if path.split('/').any(|name| name.starts_with('_')) {
                    return None;
                }
                (String::new(), dated_post(path), false)
            }
            PageNames::Mystmd => {
                (String::new(), mystmd_slug(&decoded(stem)), index && folder.is_empty())
            }
            PageNames::MystmdFolders => {
                let names = folder.split('/').map(|name| mystmd_slug(&decoded(name)));
                let names: Vec<String> = names.collect();
                (names.join("/"), mystmd_slug(&decoded(stem)), index)
            }
            PageNames::Jekyll => {
                let Some(Permalinks::Jekyll(permalinks)) = permalinks else { return None };
                return permalinks.page(&decoded(path), stated, index);
            }
        };
        let value = stated.and_then(|it| it.values.first());
        let value = value.map(|(key, value)| (*key, value.as_str()));
        let page = match permalinks {
            Some(Permalinks::Hugo(permalinks)) => {
                let page = permalinks.form(page, path);
                if !matches!(value, Some((UrlKey::Url, _)))
                    && let Some(path) = permalinks.page(page, &decoded(path), stated)
                {
                    return path;
                }
                page
            }
            _ => page,
        };
        Some(match value {
            Some((UrlKey::Url, url)) => url.trim_start_matches('/').to_owned(),
            Some((UrlKey::Slug, slug)) if slug.ends_with('/') => {
                slug.trim_start_matches('/').to_owned()
            }
            Some((UrlKey::Slug, slug)) => match slug.strip_prefix('/') {
                Some(slug) => page.path("", Some(slug)),
                None => page.path(&folder, Some(slug.trim_start_matches("./"))),
            },
            Some((UrlKey::Name, name)) if !is_index && self.page_names == PageNames::Hugo => {
                page.path(&folder, Some(&encoded(&sanitized(name))))
            }
            Some((UrlKey::Name, name)) if !is_index => page.path(&folder, Some(name)),
            _ => page.path(&folder, (!is_index).then_some(&*stem)),
        })
    }

    /// Returns the id of the document at `path`, which is relative to the directory of the documents; `names`: the rule of
    /// the directory, if it differs.
    pub fn document_id(&self, path: &str, names: Option<PageNames>) -> String {
        let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
        names.unwrap_or(self.page_names).without_numbers(path)
    }

    /// Returns the form of the URLs of pages that the `settings` determine.
    pub fn page_with(&self, settings: &Settings) -> Option<PageUrl> {
        let is_set = |(key, value, _): &&PageSetting| {
            settings.get(key).is_some_and(|set| set.eq_ignore_ascii_case(value))
        };
        let set = self.page_settings.iter().find(is_set).map(|(.., page)| *page);
        set.or_else(|| self.permalinks(settings)?.form()).or(self.page)
    }

    /// Returns true if the file at `path`, which is not Markdown, has front matter that sets its URL.
    pub fn reads_front_matter_of(&self, path: &Path) -> bool {
        let is_html = path.extension().is_some_and(|it| it == "html");
        let is_jekyll = self.page_names == PageNames::Jekyll;
        // Of a collection, whose template may end with a slash.
        let is_of_collection = || {
            let is_text = path.extension().is_some_and(|it| it == "txt");
            is_text && path.iter().any(|it| it.as_encoded_bytes().starts_with(b"_"))
        };
        is_html && (is_jekyll || self.reads("html"))
            || is_jekyll && is_of_collection()
            || self.is_category(path)
    }

    /// Returns true if the file at `path` sets the URL of the index page of its directory.
    pub fn is_category(&self, path: &Path) -> bool {
        let is_named = || CATEGORIES.iter().any(|it| path.ends_with(it));
        self.page_names == PageNames::Docusaurus && is_named()
    }

    /// Returns the form of a taxonomy's `term` in URLs.
    pub fn term_path(&self, term: &str) -> String {
        sanitized(term)
    }

    /// Returns the directories of the table that the `settings` publish, as in
    /// [`Mounts::folders`](super::published::Mounts::folders).
    pub fn published_by(&self, settings: &Settings) -> Vec<ContentFolder> {
        let mut folders: Vec<ContentFolder> = Vec::new();
        for it in self.published {
            let set = it.folder_key.and_then(|key| settings.get(key));
            let folder = set.unwrap_or(it.folder);
            // The files of documents have their paths, whatever a theme does with them.
            let is_known = || folders.iter().any(|it| Path::new(folder).starts_with(&it.folder));
            if it.files != FolderFiles::Theme || set.is_some() && !is_known() {
                folders.push(ContentFolder::new(folder, "", it.files));
            }
        }
        folders
    }

    /// Returns the templates of URLs in these `settings`; `None` for generators that have none.
    pub fn permalinks(&self, settings: &Settings) -> Option<Permalinks> {
        match self.page_names {
            PageNames::Jekyll => Some(Permalinks::Jekyll(JekyllPermalinks::of(settings))),
            PageNames::Hugo => HugoPermalinks::of(settings).map(Permalinks::Hugo),
            _ => None,
        }
    }
}

impl PageNames {
    /// `path` without the numbers before its names, unless pages have them.
    fn without_numbers(self, path: &str) -> String {
        let is_kept = self == PageNames::Numbered;
        let names = path.split('/').map(|name| if is_kept { name } else { without_number(name) });
        names.collect::<Vec<_>>().join("/")
    }
}

/// The name of a page of mystmd: `01_My Article` is `my-article`. Years and numbers of five digits stay.
fn mystmd_slug(name: &str) -> String {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let is_year = digits == 4 && name.starts_with(['1', '2']);
    let is_kept = is_year || digits >= 5;
    let rest = name.trim_start_matches(|it: char| it.is_ascii_digit() || "_.-".contains(it));
    let rest = if is_kept || rest.is_empty() { name } else { rest };
    let is_letter = |it: &char| it.is_ascii_alphanumeric() || *it == '-';
    let lower = rest.replace('&', " and ").to_lowercase();
    let letters = lower.chars().map(|it| if is_letter(&it) { it } else { '-' });
    let mut slug = String::new();
    for letter in letters.filter(|it| it.is_ascii()) {
        if letter != '-' || !slug.ends_with('-') {
            slug.push(letter);
        }
    }
    slug.trim_matches('-').chars().take(50).collect()
}

/// `path` without percent-encoding.
fn decoded(path: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(path)).into_owned()
}

/// The path of the post at `path` in a blog of Docusaurus: `2024-01-02-a/index.md` is `2024/01/02/a`.
fn dated_post(path: &str) -> String {
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    let path = path.strip_suffix("/index").unwrap_or(path);
    // The last date counts.
    let dated = path.char_indices().rev().find_map(|(start, _)| {
        let (folder, rest) = path.split_at(start);
        let mut lengths = [4..=4, 1..=2, 1..=2].into_iter();
        let mut at = 0;
        let mut parts = Vec::new();
        for length in &mut lengths {
            let rest = rest.get(at..)?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count().min(*length.end());
            parts.push(rest.get(..digits).filter(|_| length.contains(&digits))?);
            at += digits;
            let is_last = parts.len() == 3;
            at += usize::from(rest.get(digits..).is_some_and(|it| it.starts_with(['-', '/'])));
            if !is_last && !rest.get(digits..)?.starts_with(['-', '/']) {
                return None;
            }
        }
        Some(format!("{}/{folder}{}", parts.join("/"), rest.get(at..)?))
    });
    dated.unwrap_or_else(|| path.to_owned())
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
    if is_version || after.is_empty() { name } else { after }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::MarkdownDialect;

    fn path(dialect: MarkdownDialect, path: &str, source: &str) -> Option<String> {
        let row = dialect.row();
        let stated = StatedUrl::of(source, row);
        let permalinks = row.permalinks(&Settings::default());
        row.page_path(row.page?, permalinks.as_ref(), path, stated.as_ref(), None)
    }

    #[test]
    fn pages_have_the_paths_of_their_generators() {
        for (dialect, source, expected) in [
            (MarkdownDialect::MKDOCS, "g/a.md", Some("g/a/")),
            (MarkdownDialect::MKDOCS, "g/index.md", Some("g/")),
            (MarkdownDialect::MKDOCS, "README.md", Some("")),
            (MarkdownDialect::MYSTMD, "index.md", Some("")),
            (MarkdownDialect::MYSTMD, "g/01_My%20Article.md", Some("my-article/")),
            (MarkdownDialect::MYSTMD, "g/2024-a&b.md", Some("2024-a-and-b/")),
            (MarkdownDialect::MYSTMD, "g/__x.y__.md", Some("x-y/")),
            (MarkdownDialect::HUGO, "G/A%20b.md", Some("g/a-b/")),
            (MarkdownDialect::HUGO, "g/_index.md", Some("g/")),
            (MarkdownDialect::DOCUSAURUS, "1-g/02_a.mdx", Some("g/a")),
            (MarkdownDialect::DOCUSAURUS, "g/2021-11-b.md", Some("g/2021-11-b")),
            (MarkdownDialect::DOCUSAURUS, "g/G.md", Some("g/")),
            (MarkdownDialect::DOCUSAURUS, "g/_a.md", None),
            (MarkdownDialect::SPHINX, "g/README.md", Some("g/README.html")),
            (MarkdownDialect::MDBOOK, "g/README.md", Some("g/index.html")),
            (MarkdownDialect::MDBOOK, "SUMMARY.md", None),
            (MarkdownDialect::VITEPRESS, "g/a.md", Some("g/a.html")),
            (MarkdownDialect::JEKYLL, "_docs/g/a.md", None),
            (MarkdownDialect::JEKYLL, "c/_posts/2024-01-02-a-b.md", Some("c/2024/01/02/a-b.html")),
            (MarkdownDialect::JEKYLL, "_includes/a.md", None),
            (MarkdownDialect::GITHUB, "a.md", None),
        ] {
            assert_eq!(path(dialect, source, "x").as_deref(), expected, "{source}");
        }
    }

    #[test]
    fn a_section_of_hugo_may_have_pages_that_are_files() {
        let read = |text| Settings::read(text, Some(crate::data::DataLanguage::Yaml));
        let of_sections = read("uglyURLs: {Post: true, docs: false}\n");
        let of_all = read("uglyURLs: true\n");
        for (source, with_sections, with_all) in [
            ("post/a.md", "post/a.html", "post/a.html"),
            ("post/_index.md", "post/index.html", "post/index.html"),
            ("post/leaf/index.md", "post/leaf.html", "post/leaf.html"),
            ("post/sub/b.md", "post/sub/b.html", "post/sub/b.html"),
            ("docs/c.md", "docs/c/", "docs/c.html"),
            ("docs/leaf/index.md", "docs/leaf/", "docs/leaf.html"),
            ("top.md", "top/", "top.html"),
            ("index.md", "", "index.html"),
            ("_index.md", "", "index.html"),
        ] {
            for (settings, expected) in [(&of_sections, with_sections), (&of_all, with_all)] {
                let row = MarkdownDialect::HUGO.row();
                let (form, permalinks) = (row.page_with(settings), row.permalinks(settings));
                let found = row.page_path(form.unwrap(), permalinks.as_ref(), source, None, None);
                assert_eq!(found.as_deref(), Some(expected), "{source}");
            }
        }
    }

    #[test]
    fn the_date_of_a_post_becomes_directories() {
        for (path, expected) in [
            ("2024-01-02-a-b.md", "2024/01/02/a-b"),
            ("c/2024-1-2-a/index.mdx", "2024/1/2/c/a"),
            ("2024/01/02/a.md", "2024/01/02/a"),
            ("a/b.md", "a/b"),
            ("a/index.md", "a"),
            ("2024-01-b.md", "2024-01-b"),
        ] {
            assert_eq!(dated_post(path), expected, "{path}");
        }
    }

    #[test]
    fn front_matter_may_state_the_url() {
        for (dialect, front_matter, expected) in [
            (MarkdownDialect::JEKYLL, "permalink: /x/", "x/"),
            (MarkdownDialect::HUGO, "url: /x/", "x/"),
            (MarkdownDialect::HUGO, "slug: x", "g/x/"),
            (MarkdownDialect::DOCUSAURUS, "slug: /x", "x"),
            (MarkdownDialect::DOCUSAURUS, "slug: x", "g/x"),
            (MarkdownDialect::DOCUSAURUS, "slug: /x/", "x/"),
            (MarkdownDialect::DOCUSAURUS, "id: x", "g/x"),
            (MarkdownDialect::MKDOCS, "slug: x", "g/a/"),
        ] {
            let source = format!("---\n{front_matter}\n---\n");
            let found = path(dialect, "g/a.md", &source);
            assert_eq!(found.as_deref(), Some(expected), "{front_matter}");
        }
    }
}
