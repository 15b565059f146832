//! Sphinx and Jupyter Book, with MyST.

use super::plain::*;

/// Neighbors in reStructuredText.
const RST: MarkdownDialect = MarkdownDialect(&DialectRow {
    name: "rst",
    program: "Sphinx",
    blocks: Blocks::Rst,
    names: Names::Labels,
    page: Some(PageUrl::Html),
    published: &[documents("", None)],
    includes: &[".. include::"],
    ..PLAIN
});

/// The extensions that make no pages, labels and anchors, or have rows of their own.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "myst_parser", "myst_nb", "recommonmark", "sphinx.ext.*", "sphinx_design", "sphinx_togglebutton", "sphinx_inline_tabs", "sphinx_tabs*", "sphinx_panels",
    "sphinxext.rediraffe", "sphinx_reredirects", "sphinx_autodoc_typehints", "autodoc2", "autoapi.extension",
    "sphinx_click*", "sphinx_examples", "sphinx_proof", "sphinx_gallery*", "ablog", "breathe", "numpydoc", "notfound.extension", "sphinx_rtd_theme", "pydata_sphinx_theme", "furo*", "sphinx_book_theme",
    "sphinxcontrib.spelling", "sphinxcontrib.jquery", "sphinxcontrib.video", "sphinxcontrib.youtube", "sphinxemoji*",
    "sphinx_thebe", "sphinx_last_updated_by_git", "sphinx_issues", "sphinx_multitoc_numbering", "sphinx_external_toc", "IPython.sphinxext.*",
    "matplotlib.sphinxext.*", "jupyter_sphinx", "sphinx_tippy", "versionwarning*", "sphinx_changelog", "hoverxref*", "sphinx_material", "sphinxcontrib.bibtex",
    "sphinx_pyscript", "sphinxcontrib.googleanalytics", "sphinxcontrib.gtagjs", "sphinxcontrib.*converter", "sphinxcontrib.images", "sphinxcontrib.asciinema",
    "sphinxcontrib.programoutput", "sphinxcontrib.tikz", "sphinxcontrib.details.directive", "sphinxcontrib.contributors", "sphinxcontrib.jsmath", "sphinx_remove_toctrees",
    "sphinx_codeautolink", "sphinx_substitution_extensions", "sphinx_prompt", "sphinx-prompt", "sphinx_subfigure", "sphinx_iframes", "sphinx_carousel", "sphinx_collapse",
    "sphinx_paramlinks", "sphinx_math_dollar", "sphinx_github_changelog", "sphinx_exercise", "sphinx_version_warning", "sphinx_contributors", "sphinx_comments",
    "sphinx_fontawesome", "sphinxext.remoteliteralinclude", "sphinxawesome_theme", "sphinx_immaterial", "alabaster", "nbsphinx*", "jupyterlite_sphinx", "m2r*",
    "readthedocs_ext.readthedocs",
];

/// The commands that only read the version of the project.
#[rustfmt::skip]
const VERSIONS: &[&str] = &[
    "git describe", "git rev-parse", "git log", "git show", "git tag", "git branch", "git status", "git symbolic-ref", "git rev-list", "git ls-remote", "git remote", "git config",
    "hg *",
];

impl MarkdownDialect {
    /// The rules of Sphinx and Jupyter Book, with MyST.
    pub const SPHINX: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "sphinx",
        program: "Sphinx with MyST",
        help: "Sphinx, Jupyter Book 1 (MyST)",
        build: "sphinx-build -q {site} {out}",
        build_site: (".", "{}"),
        // Jupyter Book 1 has a table of contents, and a configuration named like Jekyll's.
        configuration: &["conf.py", "_toc.yml"],
        configuration_with: &[
            // Tests and other programs have files of this name, too.
            ("conf.py", "extensions"),
            ("conf.py", "project"),
            ("conf.py", "html_theme"),
            ("conf.py", "master_doc"),
            ("conf.py", "root_doc"),
            ("conf.py", "sphinx"),
            ("_config.yml", "launch_buttons"),
            ("_config.yml", "only_build_toc_files"),
            ("_config.yml", "sphinx"),
        ],
        index_names: &["index.md", "index.rst"],
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
        excluded_keys: &["exclude_patterns[]", "sphinx.config.exclude_patterns[]"],
        // The extensions sphinx-reredirects and sphinxext-rediraffe.
        redirect_keys: &["redirects.*", "rediraffe_redirects.*"],
        others: &[(".rst", RST)],
        navigation: &[NavigationRow::yaml(
            &["_toc.yml"],
            &[("root", Document), ("**.file", Document)],
        )],
        includes: &["{include}"],
        makers: &[
            Maker::plugin("autodoc", Makes::Anchors).on_pages_with(".. auto"),
            Maker::plugin("autodoc", Makes::Anchors).on_pages_with("{auto"),
            // The surest first: a label is said to be of the first that may make it.
            Maker::plugin("intersphinx", Makes::Labels(LabelForm::OfProject)),
            Maker::plugin("autodoc", Makes::Labels(LabelForm::Python)),
            Maker::plugin("autosummary", Makes::Labels(LabelForm::Python)),
            Maker::plugin("autosummary", Makes::Routes(&[""])),
            Maker::plugin("autodoc2", Makes::Labels(LabelForm::Python)),
            Maker::plugin("autodoc2", Makes::Pages(&[""])),
            Maker::plugin("autoapi", Makes::Labels(LabelForm::Python)),
            Maker::plugin("autoapi", Makes::Pages(&[""])),
            Maker::plugin("SphinxDirective", Makes::Labels(LabelForm::Any))
                .called("a directive of conf.py"),
            Maker::plugin("path.insert", Makes::Labels(LabelForm::Any))
                .called("an extension of the project"),
            Maker::plugin("path.append", Makes::Labels(LabelForm::Any))
                .called("an extension of the project"),
            Maker::plugin("autosectionlabel", Makes::Labels(LabelForm::Any)),
            Maker::plugin("breathe", Makes::Labels(LabelForm::Any)),
            Maker::plugin("sphinx_gallery", Makes::Labels(LabelForm::Any)),
            Maker::plugin("intersphinx", Makes::Labels(LabelForm::Any)),
            Maker::plugin("sphinx_gallery", Makes::Pages(&[""])),
            Maker::plugin("ablog", Makes::Pages(&[""])),
            Maker::of("the extension", Makes::Anything)
                .in_projects(ProjectSign::Besides("extensions", EXTENSIONS)),
            Maker::of("the extension", Makes::Anything)
                .in_projects(ProjectSign::Besides("sphinx.extra_extensions", EXTENSIONS)),
            // These have labels of their own.
            Maker::plugin("sphinx_proof", Makes::Labels(LabelForm::Any)),
            Maker::plugin("sphinx_click", Makes::Labels(LabelForm::Any)),
            Maker::plugin("sphinx_exercise", Makes::Labels(LabelForm::Any)),
            Maker::plugin("nbsphinx", Makes::Labels(LabelForm::Any)),
            Maker::plugin("jupyterlite_sphinx", Makes::Pages(&["lite/"])),
            LISTS,
            // Files of other directories, and the events of a build.
            Maker::plugin("html_extra_path", Makes::Pages(&[""])),
            Maker::plugin("app.connect", Makes::Anything),
            // A configuration may run programs that write documents.
            Maker::of("a program that conf.py starts", Makes::Pages(&[""]))
                .in_projects(ProjectSign::CommandBesides(VERSIONS)),
        ],
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
