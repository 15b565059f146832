//! Sphinx and Jupyter Book, with MyST.

use super::plain::*;

impl MarkdownDialect {
    /// Sphinx and Jupyter Book, with MyST.
    pub const SPHINX: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "sphinx",
        program: "Sphinx with MyST",
        help: "Sphinx, Jupyter Book (MyST)",
        build: "sphinx-build -q . {out}",
        configuration: &["conf.py", "myst.yml"],
        index_names: &["index.md"],
        tries: &["{}.md", "{}.rst", "{}.ipynb"],
        // MyST-Parser with Sphinx.
        slugs: Style {
            text: text::docutils,
            slug: algorithm::docutils,
            numbering: Numbering::Anonymous,
            reserve: Reserve::InOrder,
            myst: true,
            ..PLAIN.slugs
        },
        blocks: Blocks::Directives,
        names: Names::Labels,
        page: Some(PageUrl::Html),
        published: &[documents("", None)],
        navigation: &[
            NavigationRow::yaml(&["_toc.yml"], &[("root", Document), ("**.file", Document)]),
            NavigationRow::yaml(
                &["myst.yml"],
                &[
                    ("project.toc.**.file", Document),
                    ("site.options.logo", Configuration),
                    ("site.options.favicon", Configuration),
                ],
            ),
        ],
        includes: &["{include}"],
        markdown_keys: &["myst.substitutions.**", "substitutions.**"],
        redirects: &[
            RedirectRow {
                name: "sphinx",
                help: "The setting of sphinx-reredirects, for conf.py, on stdout",
                place: Lines {
                    start: "redirects = {\n",
                    line: RedirectLine(["    ", ": ", ",\n"], DocumentName, FromOld),
                    end: "}\n",
                },
            },
            RedirectRow {
                name: "rediraffe",
                help: "The setting of sphinxext-rediraffe, for conf.py, on stdout",
                place: Lines {
                    start: "rediraffe_redirects = {\n",
                    line: RedirectLine(["    ", ": ", ",\n"], File, File),
                    end: "}\n",
                },
            },
        ],
        ..PLAIN
    });
}
