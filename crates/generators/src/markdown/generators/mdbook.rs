//! mdBook.

use super::plain::*;

/// The markup that includes a file.
const INCLUDE: Shortcode = Shortcode {
    open: "{{#",
    close: "}}",
    names: &["include"],
    end: Some(':'),
    row: &rows::PART,
    ..SHORTCODE
};

/// The preprocessors that make no pages and no anchors, or are read.
#[rustfmt::skip]
const PREPROCESSORS: &[&str] = &[
    "links", "index", "toc", "admonish", "alerts", "callouts", "footnote", "emojicodes", "svgbob", "graphviz", "last-changed", "pagetoc", "tabs", "quiz", "image-size", "d2", "catppuccin", "hints", "abbr", "open-on-gh", "aquascope", "gettext",
    "course", "exercise*", "keeper", "variables", "embedify", "typst*", "langtabs", "wordcount", "theme", "classy", "chess", "codeblocks", "mathpunc",
    "inline-highlighting", "nocomment", "private", "yml-header", "cmdrun",
];

/// The files that other renderers write: books and archives.
const BOOKS: &[&str] = &[".pdf", ".epub", ".mobi", ".zip", ".tar.gz", ".tar.xz", ".tgz"];

impl MarkdownDialect {
    /// The rules of mdBook.
    pub const MDBOOK: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "mdbook",
        program: "mdBook",
        help: "mdBook",
        site_url: ("output.html.cname", "output.html.site-url"),
        build: "mdbook build {site} -d {out}",
        configuration: &["book.toml"],
        has_terms: true,
        index_names: &["README.md", "index.md"],
        // mdBook 0.5.
        slugs: Style {
            terms: true,
            text: text::mdbook,
            slug: algorithm::mdbook,
            explicit: |heading| heading.take_list(attributes::pulldown, true),
            ..PLAIN.slugs
        },
        ids: written_ids::MDBOOK,
        page: Some(PageUrl::Html),
        published: &[published("src/", Some("src"))],
        is_strict: true,
        renames_links: true,
        made: &["404.html", "print.html", "toc.html"],
        redirect_keys: &["output.html.redirect.*"],
        list: Some("SUMMARY.md"),
        // Else mdBook creates the files that do not exist.
        options: &[(Setting("build.create-missing", "false"), |row| row.is_list_complete = true)],
        without_page: &["SUMMARY.md"],
        navigation: &[NavigationRow {
            language: DataLanguage::Toml,
            documents: Some(("src", "book.src")),
            ..NavigationRow::yaml(&["book.toml"], &[("output.html.redirect.*", Redirect)])
        }],
        shortcodes: &[
            INCLUDE,
            Shortcode { names: &["rustdoc_include", "playground"], row: &rows::INCLUDE, ..INCLUDE },
        ],
        includes: &["{{#include"],
        makers: &[
            Maker::of("the preprocessor", Makes::Anything).in_projects(ProjectSign::LineBesides(
                "",
                &["[preprocessor."],
                PREPROCESSORS,
            )),
            Maker::of("another renderer of the book", Makes::Endings(BOOKS))
                .in_projects(ProjectSign::LineBesides("", &["[output."], &["html"])),
            Maker::plugin("preprocessor.cmdrun", Makes::Anchors).on_pages_with("<!-- cmdrun"),
        ],
        anchor_redirects: Some(
            "write lines such as \"/old.html#anchor\" = \"new.html#anchor\" in [output.html.redirect] of book.toml",
        ),
        redirects: &[
            // A book need not be at the root of its host.
            RedirectRow {
                name: "mdbook",
                help: "The table output.html.redirect of mdBook, for book.toml, on stdout",
                place: Lines {
                    start: "[output.html.redirect]\n",
                    line: RedirectLine(["", " = ", "\n"], RootUrl, FromOld),
                    end: "",
                },
            },
        ],
        ..PLAIN
    });
}
