use super::*;
use crate::data::DataLanguage;
use crate::markdown::MarkdownDialect;

fn page(configuration: &str, path: &str, front_matter: &str) -> Option<String> {
    let settings = Settings::read(configuration, Some(DataLanguage::Yaml));
    let source = format!("---\n{front_matter}\n---\n");
    let stated = StatedUrl::of(&source, MarkdownDialect::JEKYLL.row());
    let is_index = path.ends_with("index.md");
    JekyllPermalinks::of(&settings).page(path, stated.as_ref(), is_index)
}

#[test]
fn the_style_decides_the_urls_of_pages_and_posts() {
    let post = "c/_posts/sub/2024-01-02-A b.c.md";
    for (style, of_page, of_post, of_document) in [
        ("", "g/a.html", "c/2024/01/02/A-b.c.html", "docs/g/x%20y.html"),
        ("permalink: pretty", "g/a/", "c/2024/01/02/A-b.c/", "docs/g/x%20y/"),
        ("permalink: none", "g/a.html", "c/A-b.c.html", "docs/g/x%20y.html"),
        ("permalink: weekdate", "g/a", "c/2024/W01/Tue/A-b.c.html", "docs/g/x%20y"),
        ("permalink: /b/:year-:month_:i_day/:slug", "g/a", "b/2024-01_2/a-b-c", "docs/g/x%20y"),
        ("permalink: /:short_year/:title/", "g/a/", "24/A-b.c/", "docs/g/x%20y/"),
    ] {
        let configuration = format!("{style}\ncollections:\n  docs:\n    output: true\n");
        for (path, expected) in
            [("g/a.md", of_page), (post, of_post), ("_docs/g/x y.md", of_document)]
        {
            let found = page(&configuration, path, "x: y");
            assert_eq!(found.as_deref(), Some(expected), "{style} {path}");
        }
    }
}

#[test]
fn collections_have_templates_and_are_written_or_not() {
    let configuration = "collections_dir: all\ncollections:\n  docs:\n    permalink: /:collection/x/:path/\n    output: true\n  notes: {}\n  posts:\n    permalink: /news/:year/:title/\n";
    for (path, expected) in [
        ("all/_docs/g/a.md", Some("docs/x/g/a/")),
        ("all/_notes/a.md", None),
        ("all/_posts/2024-1-2-a.md", Some("news/2024/a/")),
        ("all/_posts/a.md", None),
        ("all/_docs/_a.md", None),
        ("all/_docs/_g/a.md", None),
        ("all/_docs/g/_h/a.md", Some("docs/x/g/_h/a/")),
        ("_docs/a.md", None),
        ("g/index.md", Some("g/")),
        ("_layouts/a.md", None),
        ("_drafts/a.md", None),
    ] {
        let found = page(configuration, path, "date: 2020-01-01").map(|it| it.replace("2020/", ""));
        assert_eq!(
            found.as_deref(),
            expected.map(|it| it.replace("2024/", "")).as_deref(),
            "{path}"
        );
    }
    for list in ["collections: [docs]", "collections:\n- docs\n"] {
        assert_eq!(page(list, "_docs/a.md", ""), None);
    }
}

#[test]
fn front_matter_and_defaults_give_placeholders_and_templates() {
    let defaults = "defaults:\n- scope: {path: '', type: posts}\n  values: {permalink: '/blog/:title'}\n- scope:\n    path: g/h\n  values:\n    permalink: /:basename/\n    published: false\n- scope: {path: g/h/k}\n  values: {published: true}\n";
    for (configuration, path, front_matter, expected) in [
        ("", "g/a.md", "permalink: /x/", Some("x/")),
        ("", "g/a.md", "permalink: ../x.html", Some("x.html")),
        ("", "g/a.md", "permalink: /ä b/%20/:basename:output_ext", Some("%C3%A4%20b/%20/a.html")),
        ("", "_posts/2024-01-02-a.md", "permalink: /x/:title.html", Some("x/a.html")),
        (
            "",
            "_posts/2024-01-02-a.md",
            "slug: B c\ndate: 2023-05-06 10:00:00 +0000",
            Some("2023/05/06/B-c.html"),
        ),
        (
            "",
            "_posts/2024-01-02-a.md",
            "categories: [X, y z]\ncategory: x",
            Some("x/y/z/2024/01/02/a.html"),
        ),
        ("", "_posts/2024-01-02-a.md", "published: false", None),
        ("", "_posts/2024-01-02-ä%.md", "", Some("2024/01/02/%C3%A4.html")),
        (defaults, "_posts/2024-01-02-a.md", "", Some("blog/a")),
        (defaults, "g/h/a.md", "", None),
        (defaults, "g/h/a.md", "published: true", Some("a/")),
        (defaults, "g/h/k/a.md", "", Some("a/")),
        ("permalink: /:unknown/", "_posts/2024-01-02-a.md", "", None),
        ("permalink: /:year/", "_docs/a.md", "", None),
    ] {
        let found = page(configuration, path, front_matter);
        assert_eq!(found.as_deref(), expected, "{configuration} {path} {front_matter}");
    }
}
