//! Navigation: the files in which a generator's configuration names documents. One table says which files these are,
//! which of their values name documents, and what these are relative to.

use super::data_value::{DataValue, may_be_url};
use super::dialect::MarkdownDialect;
use super::rows;
use crate::data::{self, DataLanguage, NotData, Scalar, ScalarSyntax, Step};
use rehref_url::scheme;

/// A kind of file with navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NavigationKind {
    /// `mkdocs.yml`.
    MkDocs,
    /// `zensical.toml`.
    Zensical,
    /// `book.toml` of mdBook.
    MdBook,
    /// `_toc.yml` of Jupyter Book.
    JupyterBook,
    /// `myst.yml`.
    Myst,
    /// `sidebars.json` of Docusaurus.
    Docusaurus,
    /// `_config.yml` of Jekyll.
    Jekyll,
    /// YAML or JSON in `_data` of Jekyll.
    JekyllData,
    /// `hugo.yaml`, and JSON.
    HugoYaml,
    /// `hugo.toml`.
    HugoToml,
    /// `config/_default/menus.yaml`.
    HugoMenusYaml,
    /// `config/_default/menus.toml`.
    HugoMenusToml,
}

/// The form of a value that names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameForm {
    /// The path of a file, from the folder of the documents. It may be a URL instead.
    Document,
    /// The same, which may also be the id of a document, or the name of a file of a theme.
    Id,
    /// The path of a file or folder, from the file itself.
    Configuration,
    /// A URL.
    Url,
    /// A URL, from the page at the path that is the name of the member.
    Redirect,
}

/// A row of the table.
#[derive(Debug)]
pub struct NavigationRow {
    kind: NavigationKind,
    dialect: MarkdownDialect,
    language: DataLanguage,
    /// The names of the files; those of several languages have another part in the middle (`menus.en.toml`).
    names: &'static [&'static str],
    /// A folder that the files are in, at any depth; `None` for any. Without names, it is all files of the language.
    folder: Option<&'static str>,
    /// The folder of the documents, from the folder of the file, and the key that may name another one.
    documents: Option<(&'static str, &'static str)>,
    /// The values that name something; see [`data::matches`].
    keys: &'static [(&'static str, NameForm)],
}

use NameForm::{Configuration, Document, Id, Redirect, Url};

static ROWS: &[NavigationRow] = &[
    NavigationRow {
        kind: NavigationKind::MkDocs,
        dialect: MarkdownDialect::MkDocs,
        language: DataLanguage::Yaml,
        names: &["mkdocs.yml", "mkdocs.yaml"],
        folder: None,
        documents: Some(("docs", "docs_dir")),
        keys: &[
            ("nav.**", Document),
            // The plugin mkdocs-redirects.
            ("plugins.**.redirect_maps.*", Document),
            ("extra_css", Id),
            ("extra_javascript", Id),
            ("extra_javascript.path", Id),
            ("theme.logo", Id),
            ("theme.favicon", Id),
            ("docs_dir", Configuration),
            ("theme.custom_dir", Configuration),
            ("hooks", Configuration),
        ],
    },
    NavigationRow {
        kind: NavigationKind::Zensical,
        dialect: MarkdownDialect::MkDocs,
        language: DataLanguage::Toml,
        names: &["zensical.toml"],
        folder: None,
        documents: Some(("docs", "project.docs_dir")),
        keys: &[
            ("project.nav.**", Document),
            ("project.extra_css", Id),
            ("project.extra_javascript", Id),
            ("project.extra_javascript.path", Id),
            ("project.theme.logo", Id),
            ("project.theme.favicon", Id),
            ("project.docs_dir", Configuration),
            ("project.theme.custom_dir", Configuration),
        ],
    },
    NavigationRow {
        kind: NavigationKind::MdBook,
        dialect: MarkdownDialect::MdBook,
        language: DataLanguage::Toml,
        names: &["book.toml"],
        folder: None,
        documents: Some(("src", "book.src")),
        keys: &[("output.html.redirect.*", Redirect)],
    },
    NavigationRow {
        kind: NavigationKind::JupyterBook,
        dialect: MarkdownDialect::Sphinx,
        language: DataLanguage::Yaml,
        names: &["_toc.yml"],
        folder: None,
        documents: None,
        keys: &[("root", Document), ("**.file", Document)],
    },
    NavigationRow {
        kind: NavigationKind::Myst,
        dialect: MarkdownDialect::Sphinx,
        language: DataLanguage::Yaml,
        names: &["myst.yml"],
        folder: None,
        documents: None,
        keys: &[
            ("project.toc.**.file", Document),
            ("site.options.logo", Configuration),
            ("site.options.favicon", Configuration),
        ],
    },
    NavigationRow {
        kind: NavigationKind::Docusaurus,
        dialect: MarkdownDialect::Docusaurus,
        language: DataLanguage::Yaml,
        names: &["sidebars.json"],
        folder: None,
        documents: Some(("docs", "")),
        keys: &[("**[]", Id), ("**.id", Id), ("**.href", Url)],
    },
    NavigationRow {
        kind: NavigationKind::Jekyll,
        dialect: MarkdownDialect::Jekyll,
        language: DataLanguage::Yaml,
        names: &["_config.yml", "_config.yaml"],
        folder: None,
        documents: None,
        keys: &[("header_pages", Document), ("logo", Url)],
    },
    NavigationRow {
        kind: NavigationKind::JekyllData,
        dialect: MarkdownDialect::Jekyll,
        language: DataLanguage::Yaml,
        names: &[],
        folder: Some("_data"),
        documents: None,
        keys: &[("**.link", Url), ("**.url", Url), ("**.href", Url)],
    },
    NavigationRow {
        kind: NavigationKind::HugoYaml,
        language: DataLanguage::Yaml,
        names: &["hugo.yaml", "hugo.yml", "hugo.json"],
        ..HUGO
    },
    NavigationRow { kind: NavigationKind::HugoToml, ..HUGO },
    NavigationRow {
        kind: NavigationKind::HugoMenusYaml,
        language: DataLanguage::Yaml,
        names: &["menus.yaml", "menus.yml", "menus.json", "menu.yaml", "menu.yml"],
        ..HUGO_MENUS
    },
    NavigationRow { kind: NavigationKind::HugoMenusToml, ..HUGO_MENUS },
];

const HUGO: NavigationRow = NavigationRow {
    kind: NavigationKind::HugoToml,
    dialect: MarkdownDialect::Hugo,
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

/// The extensions of files in a language.
fn extensions(language: DataLanguage) -> &'static [&'static str] {
    match language {
        DataLanguage::Yaml => &["yml", "yaml", "json"],
        DataLanguage::Toml => &["toml"],
    }
}

impl NavigationKind {
    /// The kind of the file at `path`, with slashes, in a project of this `dialect`; `None` for other files.
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
            name == known || of_language() == Some(true)
        };
        let is_of = |row: &&NavigationRow| {
            let is_named = match row.names {
                [] => extensions(row.language).contains(&extension),
                names => names.iter().any(|known| is_named(known)),
            };
            row.dialect == dialect && is_named && row.folder.is_none_or(is_in)
        };
        ROWS.iter().find(is_of).map(|row| row.kind)
    }

    /// The language of the file.
    pub fn language(self) -> DataLanguage {
        self.row().language
    }

    fn row(self) -> &'static NavigationRow {
        let row = ROWS.iter().find(|row| row.kind == self);
        row.unwrap_or(&HUGO)
    }

    /// The folder of the documents of the project with `text` in its file, from the folder of that file; `None` if
    /// documents are relative to the file.
    pub fn documents_folder(self, text: &str) -> Option<String> {
        let (default, key) = self.row().documents?;
        let mut folder = None;
        if !key.is_empty() {
            // A file with an error names nothing.
            let _ = data::visit(text, self.row().language, |path, scalar| {
                if data::matches(key, path) {
                    folder = Some(decoded(text, scalar));
                }
            });
        }
        Some(folder.unwrap_or_else(|| default.to_owned()))
    }

    /// The values of `text` that name something, with their forms, and the directory of the page for
    /// [`NameForm::Redirect`].
    ///
    /// # Errors
    /// When it is not in its language.
    pub fn values(self, text: &str) -> Result<Vec<(DataValue, NameForm, String)>, NotData> {
        let row = self.row();
        let mut values = Vec::new();
        data::visit(text, row.language, |path, scalar| {
            let known = row.keys.iter().find(|(key, _)| data::matches(key, path));
            let text = decoded(text, scalar);
            let form = known.and_then(|(_, form)| form.of(&text));
            // Redirects may have one.
            let has_fragment = text.contains(".md#");
            values.extend(form.map(|form| {
                let value = DataValue {
                    span: scalar.span,
                    syntax: ScalarSyntax {
                        quoting: scalar.quoting,
                        is_path: !matches!(form, Url | Redirect) && !has_fragment,
                    },
                    row: &rows::NAVIGATION,
                };
                let folder = match (form, path.last()) {
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
    /// The form of `value`, in a place for this form; `None` if it names nothing.
    fn of(self, value: &str) -> Option<NameForm> {
        let is_url = value.starts_with("//") || scheme::split(value).is_some();
        match self {
            // Patterns of plugins.
            Document | Id | Configuration if value.contains(['*', '\n']) => None,
            Document | Id | Configuration if is_url => Some(Url),
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
        use MarkdownDialect::{Docusaurus, Hugo, Jekyll, MkDocs, Sphinx};
        for (path, dialect, expected) in [
            ("mkdocs.yml", MkDocs, Some(NavigationKind::MkDocs)),
            ("a/mkdocs.de.yml", MkDocs, Some(NavigationKind::MkDocs)),
            ("a/mkdocs.yml", Sphinx, None),
            ("mkdocs.yml.bak", MkDocs, None),
            ("_toc.yml", Sphinx, Some(NavigationKind::JupyterBook)),
            ("website/sidebars.json", Docusaurus, Some(NavigationKind::Docusaurus)),
            ("sidebars.js", Docusaurus, None),
            ("docs/_data/a/nav.yml", Jekyll, Some(NavigationKind::JekyllData)),
            ("docs/_data/a/nav.csv", Jekyll, None),
            ("data/nav.yml", Jekyll, None),
            ("hugo.toml", Hugo, Some(NavigationKind::HugoToml)),
            ("config/_default/menus.en.toml", Hugo, Some(NavigationKind::HugoMenusToml)),
            ("menus.toml", Hugo, None),
        ] {
            assert_eq!(NavigationKind::of_file(path, dialect), expected, "{path}");
        }
    }

    #[test]
    fn known_keys_name_documents() {
        for (kind, text, expected) in [
            (
                NavigationKind::MkDocs,
                "site_name: a.md\nnav:\n  - b.md\n  - C: c d.md\n  - D:\n    - https://e.example/\n    - f/*.md\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        'g.md': h.md\n",
                &[
                    ("b.md", Document),
                    ("c d.md", Document),
                    ("https://e.example/", Url),
                    ("h.md", Document),
                ][..],
            ),
            (
                NavigationKind::Zensical,
                "[project]\nnav = [\n  { 'A' = 'a.md' }, 'b.md',\n]\n",
                &[("a.md", Document), ("b.md", Document)],
            ),
            (
                NavigationKind::JupyterBook,
                "format: jb-book\nroot: a\nparts:\n- caption: c\n  chapters:\n  - file: d/e\n    sections:\n    - file: f.md\n  - url: https://g.example\n",
                &[("a", Document), ("d/e", Document), ("f.md", Document)],
            ),
            (
                NavigationKind::Docusaurus,
                "{\"docs\": [\"a\", {\"type\": \"doc\", \"id\": \"b/c\"}, {\"D\": [\"e\"]}, {\"type\": \"link\", \"href\": \"/f\"}]}",
                &[("a", Id), ("b/c", Id), ("e", Id), ("/f", Url)],
            ),
            (
                NavigationKind::MdBook,
                "[book]\ntitle = 'a/b.html'\n[output.html.redirect]\n'/a/b.html' = 'c/d.html#e'\n",
                &[("c/d.html#e", Redirect)],
            ),
            (
                NavigationKind::JekyllData,
                "- title: a/b\n  link: /c/\n- url: words of text\n",
                &[("/c/", Url)],
            ),
            (
                NavigationKind::HugoToml,
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
    fn the_folder_of_the_documents_may_be_named() {
        for (kind, text, expected) in [
            (NavigationKind::MkDocs, "nav: []\n", Some("docs")),
            (NavigationKind::MkDocs, "docs_dir: 'a b' # x\n", Some("a b")),
            (NavigationKind::JupyterBook, "root: a\n", None),
            (NavigationKind::HugoToml, "contentDir = 'c'\n", Some("c")),
            (NavigationKind::MdBook, "[book]\nsrc = 'c'\n", Some("c")),
        ] {
            assert_eq!(kind.documents_folder(text).as_deref(), expected);
        }
    }
}
