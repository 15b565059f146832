//! mystmd and Jupyter Book 2, with MyST.

use super::plain::*;

impl MarkdownDialect {
    /// The rules of mystmd and Jupyter Book 2, with MyST.
    pub const MYSTMD: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "mystmd",
        program: "mystmd",
        help: "mystmd, Jupyter Book 2 (MyST)",
        configuration: &["myst.yml"],
        index_names: &["index.md", "README.md"],
        tries: &["{}.md", "{}.ipynb", "{}.tex"],
        slugs: Style { myst: true, ..MarkdownDialect::SPHINX.row().slugs },
        blocks: Blocks::Directives,
        names: Names::Labels,
        anchors_of_project: true,
        page: Some(PageUrl::Directory),
        page_names: PageNames::Mystmd,
        options: &[(Setting("site.options.folders", "true"), |row| {
            row.page_names = PageNames::MystmdFolders;
        })],
        published: &[documents("", None)],
        navigation: &[NavigationRow::yaml(
            &["myst.yml"],
            &[
                ("project.toc.**.file", Document),
                ("site.options.logo", Configuration),
                ("site.options.favicon", Configuration),
            ],
        )],
        includes: &["{include}"],
        made: &["robots.txt", "sitemap.xml", "myst.xref.json", "objects.inv"],
        makers: &[
            Maker::plugin("plugins", Makes::Anchors),
            Maker::plugin("plugins", Makes::Labels(LabelForm::Any)),
        ],
        markdown_keys: &["substitutions.**"],
        ..PLAIN
    });
}
