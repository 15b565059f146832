//! mdBook.

use super::plain::*;

impl MarkdownDialect {
    /// mdBook.
    pub const MDBOOK: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "mdbook",
        program: "mdBook",
        help: "mdBook",
        build: "mdbook build -d {out}",
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
        without_page: &["SUMMARY.md"],
        static_folder: Some("src/"),
        navigation: &[NavigationRow {
            link_base: None,
            drops_extension: false,
            language: DataLanguage::Toml,
            names: &["book.toml"],
            folder: None,
            documents: Some(("src", "book.src")),
            keys: &[("output.html.redirect.*", Redirect)],
        }],
        shortcodes: &[
            Shortcode {
                open: "{{#",
                close: "}}",
                names: &["include"],
                end: Some(':'),
                row: &rows::PART,
                parameters: &[],
                forbidden: &['"', '=', '\n', ' ', '{', '|'],
                ..SHORTCODE
            },
            Shortcode {
                open: "{{#",
                close: "}}",
                names: &["rustdoc_include", "playground"],
                end: Some(':'),
                row: &rows::INCLUDE,
                parameters: &[],
                forbidden: &['"', '=', '\n', ' ', '{', '|'],
                ..SHORTCODE
            },
        ],
        includes: &["{{#include"],
        makers: &[
            Maker::plugin("preprocessor", Makes::Pages(&[""])),
            Maker::plugin("preprocessor", Makes::Anchors),
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
