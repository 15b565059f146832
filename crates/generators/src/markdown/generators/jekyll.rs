//! Jekyll, with kramdown.

use super::plain::*;

impl MarkdownDialect {
    /// Jekyll, with kramdown.
    pub const JEKYLL: MarkdownDialect = MarkdownDialect(&DialectRow {
        name: "jekyll",
        program: "Jekyll",
        help: "Jekyll",
        site_url: ("url", "baseurl"),
        build: "jekyll build -q -d {out}",
        configuration: &["_config.yml", "_config.yaml", "_config.toml"],
        index_names: &["index.md", "index.html", "README.md"],
        // Documents of a collection.
        tries: &["{}.md", "_{}.md"],
        // kramdown with the parser for GFM, as Jekyll uses it.
        slugs: Style {
            text: text::kramdown_gfm,
            slug: algorithm::kramdown_gfm,
            empty: Empty::CountedWithSource,
            numbering: Numbering::Blind,
            explicit: |heading| {
                let own = heading.take_list(attributes::kramdown, true);
                attributes::kramdown_lines(heading).or(own)
            },
            ..PLAIN.slugs
        },
        has_page_links: true,
        assets_of_page: true,
        page: Some(PageUrl::Html),
        page_names: PageNames::Jekyll,
        url_keys: &[
            ("permalink", UrlKey::Permalink),
            ("slug", UrlKey::Title),
            ("date", UrlKey::Date),
            ("categories", UrlKey::Categories),
            ("category", UrlKey::Categories),
            ("published", UrlKey::Published),
        ],
        static_folder: Some(""),
        not_copied: &["_redirects"],
        navigation: &[
            NavigationRow::yaml(
                &["_config.yml", "_config.yaml"],
                &[("header_pages", Document), ("logo", Url)],
            ),
            NavigationRow {
                folder: Some("_data"),
                ..NavigationRow::yaml(&[], &[("**.link", Url), ("**.url", Url), ("**.href", Url)])
            },
        ],
        shortcodes: &[
            Shortcode {
                open: "{%",
                close: "%}",
                names: &["link"],
                // It has nothing but the path.
                forbidden: &['"', '\n', '{', '|'],
                row: &rows::TAG,
                ..SHORTCODE
            },
            Shortcode {
                open: "{%",
                close: "%}",
                names: &["include_relative"],
                row: &rows::INCLUDE,
                ..SHORTCODE
            },
            Shortcode {
                open: "{{",
                close: "}}",
                names: &[],
                filters: &["relative_url", "absolute_url"],
                row: &rows::FILTER,
                ..SHORTCODE
            },
        ],
        includes: &["{% include"],
        redirects: &[RedirectRow {
            name: "jekyll",
            help: "redirect_from in the front matter of moved pages, which Jekyll can read",
            place: FrontMatter(FrontMatterList { key: "redirect_from", creates: false }),
        }],
        ..PLAIN
    });
}
