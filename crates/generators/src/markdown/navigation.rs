//! Navigation: the files in which a generator's configuration names documents. The row of the generator says which
//! files these are, which of their values name documents, and what these are relative to.

use super::dialect::NameForm::{
    Based, Configuration, Document, DocumentId, Id, Page, Redirect, Url,
};
use super::dialect::{MarkdownDialect, NameForm, NavigationRow};
use super::published::BasePath;
use super::row_reading::names_source;
use super::rows::{self, DataValue, may_be_url};
use crate::data::{self, DataLanguage, NotData, Scalar, ScalarSyntax, Step};
use rehref_url::{Span, scheme};

/// The key of Hugo's languages.
const LANGUAGES: &str = "languages";

/// The URLs to which a generator adds links, or directories, each with the path in its configuration below which they
/// are.
type LinkBases = Vec<(Vec<Step>, String)>;

/// A kind of configuration or navigation file of a generator, which names documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NavigationKind(&'static NavigationRow, BasePath);

impl NavigationKind {
    /// Returns the kind of the file at `path`, with slashes, in a project of this `dialect`; `None` if rehref
    /// reads no navigation in it.
    #[doc(hidden)]
    pub fn of_file(path: &str, dialect: MarkdownDialect) -> Option<NavigationKind> {
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_in = |folder: &str| folders.split('/').any(|it| it == folder);
        let is_named = |known: &str| {
            let of_language = || {
                let (stem, rest) = known.split_once('.')?;
                let middle = name.strip_prefix(stem)?.strip_suffix(rest)?;
                let middle = middle.strip_prefix('.')?.strip_suffix('.')?;
                Some(!middle.contains('.'))
            };
            let is_pattern = || {
                let (start, end) = known.split_once('*')?;
                Some(name.starts_with(start) && name.ends_with(end))
            };
            name == known || of_language() == Some(true) || is_pattern() == Some(true)
        };
        let is_of = |row: &&NavigationRow| {
            let is_named = match row.names {
                [] => DataLanguage::of_extension(extension) == Some(row.language),
                names => names.iter().any(|known| is_named(known)),
            };
            is_named && row.folder.is_none_or(is_in)
        };
        let row = dialect.row().navigation.iter().find(is_of)?;
        Some(NavigationKind(row, dialect.row().base_path))
    }

    /// Returns the language of the file, such as YAML.
    #[doc(hidden)]
    pub fn language(self) -> DataLanguage {
        self.0.language
    }

    /// Returns true if `value`, a link to a page, may be the path of a document with its extension.
    #[doc(hidden)]
    pub fn may_name_source(self, value: &str) -> bool {
        self.0.drops_extension && names_source(value)
    }

    /// Returns the treatment of a URL with a slash at its start.
    #[doc(hidden)]
    pub fn base_path(self) -> BasePath {
        self.1
    }

    /// Returns the folder of the documents, relative to the folder of the file, which contains `text`. Returns
    /// `None` if paths are relative to the file itself.
    #[doc(hidden)]
    pub fn documents_folder(self, text: &str) -> Option<String> {
        let (default, key) = self.0.documents?;
        let mut folder = None;
        if !key.is_empty() {
            // A file with an error names nothing.
            let _ = data::visit(text, self.0.language, |path, scalar| {
                if data::matches(key, path) {
                    folder = Some(decoded(text, scalar));
                }
            });
        }
        Some(folder.unwrap_or_else(|| default.to_owned()))
    }

    /// The URLs to which the generator adds the links below a path, with that path, outer ones first, and whether the
    /// site is below a path of its host. The URL of the whole site is none of them.
    fn bases(self, text: &str) -> Result<(LinkBases, bool), NotData> {
        let mut bases = Vec::new();
        let Some(name) = self.0.link_base else { return Ok((bases, false)) };
        let mut is_below_host = false;
        data::visit(text, self.0.language, |path, scalar| {
            let Some((_, around)) = path.split_last().filter(|(last, _)| last.is(name)) else {
                return;
            };
            let base = decoded(text, scalar).trim_end_matches('/').to_owned() + "/";
            is_below_host |= around.is_empty() && base != "/";
            bases.push((around.to_vec(), base));
        })?;
        // Below a path of the host, they resolve against that.
        bases.retain(|(around, _)| !around.is_empty() && !is_below_host);
        bases.sort_by_key(|(around, _)| around.len());
        Ok((bases, is_below_host))
    }

    /// The directories of the documents of languages, if they have their own, each with the path of the language in the
    /// configuration `text`.
    fn language_folders(self, text: &str) -> LinkBases {
        let mut folders = Vec::new();
        let key = self.0.documents.map_or("", |(_, key)| key);
        if !key.is_empty() && text.contains(LANGUAGES) {
            // The caller reports the error.
            let _ = data::visit(text, self.0.language, |path, scalar| match path {
                [first, _, Step::Member(last)]
                    if first.is(LANGUAGES) && last.eq_ignore_ascii_case(key) =>
                {
                    let folder = decoded(text, scalar).trim_matches('/').to_owned();
                    folders.push((path.get(..2).unwrap_or_default().to_vec(), folder));
                }
                _ => {}
            });
        }
        folders
    }

    /// Returns the values in `text` that name documents or files, each with its form. For
    /// [`NameForm::Redirect`], also returns the directory of the page; for documents of a language, their
    /// directory.
    ///
    /// # Errors
    /// Returns an error if it is not in its language.
    #[doc(hidden)]
    pub fn values(self, text: &str) -> Result<Vec<(DataValue, NameForm, String)>, NotData> {
        let NavigationKind(row, _) = self;
        let (bases, is_below_host) = self.bases(text)?;
        let languages = self.language_folders(text);
        let mut values = Vec::new();
        data::visit(text, row.language, |path, scalar| {
            let known = row.keys.iter().find(|(key, _)| data::matches(key, path));
            let text = decoded(text, scalar);
            let form =
                known.and_then(|(_, form)| form.of(&text, row.documents.map(|(folder, _)| folder)));
            let form = form.filter(|form| *form != Based || !is_below_host);
            let base = bases.iter().rev().find(|(around, _)| path.starts_with(around));
            if let (Some((_, base)), Some((_, Page))) = (base, known)
                && scheme::split(&text).is_none()
                && !text.starts_with("//")
            {
                // After a slash, a path that leads out of the base is another one.
                if text.starts_with('/') {
                    return;
                }
                let syntax = ScalarSyntax { quoting: scalar.quoting, is_path: false };
                let value = DataValue { span: scalar.span, syntax, row: &rows::NAVIGATION };
                let below = base.trim_matches('/').to_owned();
                return values.push((value, Based, below));
            }
            // Redirects may have one, and entries that name a page.
            let has_fragment = |form| text.contains(".md#") || form == Page && text.contains('#');
            values.extend(form.map(|form| {
                let language = languages.iter().find(|(language, _)| path.starts_with(language));
                let language = language.filter(|_| form == Id).map(|(_, folder)| &**folder);
                // From the directory of the language, a slash at the start says nothing.
                let start = usize::from(language.is_some() && text.starts_with('/'));
                let value = DataValue {
                    span: Span::from(scalar.span.start + start..scalar.span.end),
                    syntax: ScalarSyntax {
                        quoting: scalar.quoting,
                        is_path: !matches!(form, Url | Redirect | Based) && !has_fragment(form),
                    },
                    row: &rows::NAVIGATION,
                };
                let folder = match (form, path.last()) {
                    (Id, _) => language.unwrap_or_default(),
                    (Redirect, Some(Step::Member(page))) => {
                        page.rsplit_once('/').map_or("", |(folder, _)| folder)
                    }
                    _ => "",
                };
                (value, form, folder.trim_start_matches('/').to_owned())
            }));
        })?;
        Ok(values)
    }
}

impl NameForm {
    /// The form of `value`, in a place for this form; `None` if it names nothing. `folder`: the usual one of the documents.
    fn of(self, value: &str, folder: Option<&str>) -> Option<NameForm> {
        let is_url = value.starts_with("//") || scheme::split(value).is_some();
        match self {
            // Patterns of plugins.
            Document | Page | Based | Id | DocumentId | Configuration
                if value.contains(['*', '\n']) || value.starts_with("...") =>
            {
                None
            }
            Document | Page | Based | Id | DocumentId | Configuration if is_url => Some(Url),
            Based if value.starts_with('/') => Some(Page),
            // A directory.
            Page if folder == Some("") && !value.contains('.') => Some(Configuration),
            // All files.
            Configuration if value.is_empty() => None,
            // Other settings decide on the rest.
            Page if folder.is_none() => value.starts_with('/').then_some(Page),
            Page if !value.contains(['#', '?']) && !value.ends_with('/') => Some(Document),
            // A place in the page that the key names.
            Redirect if value.starts_with('#') => None,
            Url | Redirect if !may_be_url(value) => None,
            form => Some(form),
        }
    }
}

fn decoded(text: &str, scalar: Scalar) -> String {
    let syntax = ScalarSyntax::of_text(scalar.quoting);
    data::scalar::decode(scalar.span.of_str(text).as_bytes(), syntax).into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_and_the_name_tell_the_kind() {
        let first_name = |kind: NavigationKind| kind.0.names.first().copied().unwrap_or_default();
        for (path, dialect, expected) in [
            ("mkdocs.yml", MarkdownDialect::MKDOCS, Some("mkdocs.yml")),
            ("a/mkdocs.de.yml", MarkdownDialect::MKDOCS, Some("mkdocs.yml")),
            ("a/mkdocs.yml", MarkdownDialect::SPHINX, None),
            ("mkdocs.yml.bak", MarkdownDialect::MKDOCS, None),
            ("_toc.yml", MarkdownDialect::SPHINX, Some("_toc.yml")),
            ("website/sidebars.json", MarkdownDialect::DOCUSAURUS, Some("*sidebars.json")),
            ("sidebars.js", MarkdownDialect::DOCUSAURUS, Some("sidebar*.js")),
            ("docs/_data/a/nav.yml", MarkdownDialect::JEKYLL, Some("")),
            ("docs/_data/a/nav.csv", MarkdownDialect::JEKYLL, None),
            ("data/nav.yml", MarkdownDialect::JEKYLL, None),
            ("hugo.toml", MarkdownDialect::HUGO, Some("hugo.toml")),
            ("config/_default/menus.en.toml", MarkdownDialect::HUGO, Some("menus.toml")),
            ("menus.toml", MarkdownDialect::HUGO, None),
        ] {
            let found = NavigationKind::of_file(path, dialect);
            assert_eq!(found.map(first_name), expected, "{path}");
        }
    }

    fn kind_of(path: &str, dialect: MarkdownDialect) -> NavigationKind {
        NavigationKind::of_file(path, dialect).unwrap()
    }

    #[test]
    fn known_keys_name_documents() {
        for (kind, text, expected) in [
            (
                kind_of("mkdocs.yml", MarkdownDialect::MKDOCS),
                "site_name: a.md\nnav:\n  - b.md\n  - C: c d.md\n  - D:\n    - https://e.example/\n    - f/*.md\n  - g/#h\n  - i/\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        'g.md': h.md\n",
                &[
                    ("b.md", Document),
                    ("c d.md", Document),
                    ("https://e.example/", Url),
                    ("g/#h", Page),
                    ("i/", Page),
                    ("h.md", Document),
                ][..],
            ),
            (
                kind_of("a/.nav.yml", MarkdownDialect::MKDOCS),
                "title: t.md\nnav:\n  - a.md\n  - B: b\n  - C: [c.md]\n  - glob: '*'\n    sort: {direction: asc}\n  - ...\n",
                &[("a.md", Document), ("b", Configuration), ("c.md", Document)],
            ),
            (
                kind_of("zensical.toml", MarkdownDialect::MKDOCS),
                "[project]\nnav = [\n  { 'A' = 'a.md' }, 'b.md',\n]\n",
                &[("a.md", Document), ("b.md", Document)],
            ),
            (
                kind_of("_toc.yml", MarkdownDialect::SPHINX),
                "format: jb-book\nroot: a\nparts:\n- caption: c\n  chapters:\n  - file: d/e\n    sections:\n    - file: f.md\n  - url: https://g.example\n",
                &[("a", Document), ("d/e", Document), ("f.md", Document)],
            ),
            (
                kind_of("sidebars.json", MarkdownDialect::DOCUSAURUS),
                "{\"docs\": [\"a\", {\"type\": \"doc\", \"id\": \"b/c\"}, {\"D\": [\"e\"]}, {\"type\": \"link\", \"href\": \"/f\"}]}",
                &[("a", DocumentId), ("b/c", DocumentId), ("e", DocumentId), ("/f", Page)],
            ),
            (
                kind_of("book.toml", MarkdownDialect::MDBOOK),
                "[book]\ntitle = 'a/b.html'\n[output.html.redirect]\n'/a/b.html' = 'c/d.html#e'\n",
                &[("c/d.html#e", Redirect)],
            ),
            (
                kind_of("_data/a.yml", MarkdownDialect::JEKYLL),
                "- title: a/b\n  link: /c/\n- url: words of text\n",
                &[("/c/", Url)],
            ),
            (
                kind_of("hugo.toml", MarkdownDialect::HUGO),
                "[[menus.main]]\nname = 'a'\npageRef = '/b'\n[languages.de.menus]\nmain = [{pageRef = 'c', url = '/d/'}]\n",
                &[("/b", Id), ("c", Id), ("/d/", Url)],
            ),
        ] {
            let found = kind.values(text).unwrap();
            let found = found.iter().map(|(value, form, _)| (value.span.of_str(text), *form));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{kind:?}");
        }
    }

    #[test]
    fn pages_of_a_menu_are_in_the_directory_of_its_language() {
        let kind = kind_of("hugo.yaml", MarkdownDialect::HUGO);
        let text = "languages:\n  de:\n    contentDir: content/de/\n    menus: {main: [{pageRef: /a}, {pageRef: b}, {url: /c}]}\n  en:\n    menus: {main: [{pageRef: /d}]}\n";
        let found = kind.values(text).unwrap();
        let found = found.iter().map(|(value, _, folder)| (value.span.of_str(text), &**folder));
        let expected = [("a", "content/de"), ("b", "content/de"), ("/c", ""), ("/d", "")];
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_folder_of_the_documents_may_be_named() {
        for (kind, text, expected) in [
            (kind_of("mkdocs.yml", MarkdownDialect::MKDOCS), "nav: []\n", Some("docs")),
            (kind_of("mkdocs.yml", MarkdownDialect::MKDOCS), "docs_dir: 'a b' # x\n", Some("a b")),
            (kind_of("_toc.yml", MarkdownDialect::SPHINX), "root: a\n", None),
            (kind_of("hugo.toml", MarkdownDialect::HUGO), "contentDir = 'c'\n", Some("c")),
            (kind_of("book.toml", MarkdownDialect::MDBOOK), "[book]\nsrc = 'c'\n", Some("c")),
        ] {
            assert_eq!(kind.documents_folder(text).as_deref(), expected);
        }
    }
}
