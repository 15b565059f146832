//! Jekyll: the URLs of posts, of collections and of pages with permalinks.

use super::markdown::check;
use crate::support::TestDir;

const CONFIGURATION: &str = "permalink: /news/:categories/:year/:title/
collections:
  guides:
    output: true
    permalink: /:collection/:path/
  notes:
    output: false
defaults:
- scope: {path: pages, type: pages}
  values: {permalink: '/p/:basename/'}
";

#[test]
fn pages_are_linked_by_their_permalinks() {
    check(
        &[
            ("docs/_config.yml", CONFIGURATION),
            (
                "docs/index.md",
                "---\n---\n[a](/guides/g/a/#x) [n](/news/x/2024/new/) [p](/p/b/) ![](img/i.png)\n",
            ),
            ("docs/_guides/g/a.md", "---\n---\n[b](../b/) [c](../../c/)\n"),
            ("docs/_guides/g/b.md", "---\n---\n[a](../a/) ![i](../../../img/i.png)\n"),
            ("docs/_guides/c.md", "---\n---\n[n](../../news/x/2024/new/)\n"),
            ("docs/_posts/2024-02-03-new.md", "---\ncategory: X\n---\n[a](/guides/g/a/)\n"),
            ("docs/pages/b.md", "---\n---\n[c](../../guides/c/)\n"),
            ("docs/img/i.png", ""),
        ],
        &[
            "docs/_guides/g=docs/_guides/h/k",
            "docs/_posts/2024-02-03-new.md=docs/_posts/2025-02-03-Newer.md",
            "docs/pages/b.md=docs/pages/d.md",
        ],
        &[
            (
                "docs/index.md",
                "---\n---\n[a](/guides/h/k/a/#x) [n](/news/x/2025/Newer/) [p](/p/d/) ![](img/i.png)\n",
            ),
            ("docs/_guides/h/k/a.md", "---\n---\n[b](../b/) [c](../../../c/)\n"),
            ("docs/_guides/h/k/b.md", "---\n---\n[a](../a/) ![i](../../../../img/i.png)\n"),
            ("docs/_guides/c.md", "---\n---\n[n](../../news/x/2025/Newer/)\n"),
            ("docs/_posts/2025-02-03-Newer.md", "---\ncategory: X\n---\n[a](/guides/h/k/a/)\n"),
            ("docs/pages/d.md", "---\n---\n[c](../../guides/c/)\n"),
        ],
    );
}

#[test]
fn links_of_a_page_that_keeps_its_url_follow_its_neighbours() {
    let page = "---\npermalink: /guides/g/\n---\n";
    check(
        &[
            ("_config.yml", CONFIGURATION),
            (
                "_guides/g/index.md",
                &format!("{page}[a](a/) [i](../g/) <a href='a/#y'>a</a> [m](a.md)\n"),
            ),
            ("_guides/g/a.md", "---\n---\n[up](..)\n"),
        ],
        &["_guides/g=_guides/h/k"],
        &[
            (
                "_guides/h/k/index.md",
                &format!("{page}[a](../h/k/a/) [i](../g/) <a href='../h/k/a/#y'>a</a> [m](a.md)\n"),
            ),
            ("_guides/h/k/a.md", "---\n---\n[up](../../../g/)\n"),
        ],
    );
}

#[test]
fn moved_posts_and_documents_of_collections_have_redirects() {
    let dir = TestDir::with_site(&[
        ("_config.yml", CONFIGURATION),
        ("_guides/a.md", "---\n---\n"),
        ("_notes/a.md", "---\n---\n"),
        ("_posts/2024-02-03-new.md", "---\nslug: S\n---\n"),
        ("_posts/2024-02-03-other.md", "---\n---\n"),
        ("pages/b.md", "---\nredirect_from: /old/\n---\n"),
    ]);
    let run = dir.rehref(&[
        "move",
        "site",
        "-o",
        "out",
        "--verify",
        "--write-redirects",
        "jekyll",
        "_guides/a.md=_guides/b.md",
        "_notes/a.md=_notes/b.md",
        "_posts/2024-02-03-new.md=_posts/2023-02-03-newer.md",
        "_posts/2024-02-03-other.md=_posts/2024-02-03-others.md",
        "pages/b.md=pages/c.md",
    ]);
    let errors = run.status(0).stderr();
    assert!(
        errors
            .contains("no redirect for 1 moved document: Jekyll makes no page of such a document"),
        "{errors}"
    );
    for (path, old) in [
        ("_guides/b.md", "redirect_from:\n  - \"/guides/a/\"\n"),
        ("_posts/2023-02-03-newer.md", "redirect_from:\n  - \"/news/2024/S/\"\n"),
        ("_posts/2024-02-03-others.md", "redirect_from:\n  - \"/news/2024/other/\"\n"),
        ("pages/c.md", "redirect_from: [/old/, \"/p/b/\"]\n"),
    ] {
        let text = dir.read(&format!("out/{path}"));
        assert!(text.contains(old), "{path}: {text}");
    }
}

#[test]
fn links_to_a_page_that_is_no_page_any_more_stay_and_are_named() {
    let files = [
        ("_config.yml", CONFIGURATION),
        ("index.md", "---\n---\n[a](/guides/a/)\n"),
        ("_guides/a.md", "---\n---\n"),
    ];
    let dir = TestDir::with_site(&files);
    let arguments = ["move", "site", "_guides/a.md=_guides/_a.md", "-o", "out"];
    let errors = dir.rehref(&arguments).status(0).stderr();
    let expected = "warning: Jekyll makes no page of 1 moved document, or one whose URL rehref does not know; links to \
                    the old pages stay as they are: _guides/_a.md";
    assert!(errors.contains(expected), "{errors}");
    assert_eq!(dir.read("out/index.md"), files[1].1);
    // No link can lead to it.
    let arguments = ["verify", "site", "out", "_guides/a.md=_guides/_a.md"];
    dir.rehref(&arguments).status(1);
}

#[test]
fn tags_and_filters_count_from_the_root_of_the_site() {
    let page = "{% link g/b.md %} {{ 'g/b.html' | relative_url }} {{ '/g/b.html' | relative_url }} {% include_relative g/b.md %}\n";
    let files =
        [("_config.yml", ""), ("a.md", page), ("g/b.md", ""), ("d/g/b.md", "another document")];
    check(
        &files,
        &["a.md=d/a.md", "--url", "https://example.org/docs/"],
        &[("d/a.md", &page.replace("relative g/", "relative ../g/"))],
    );
    check(
        &files,
        &["g=h", "--url", "https://example.org/docs/"],
        &[("a.md", &page.replace("g/b", "h/b"))],
    );
    // A project below SITE.
    let files = [("docs/_config.yml", ""), ("docs/a.md", page), ("docs/g/b.md", "")];
    check(
        &files,
        &["docs/g=docs/h", "docs/a.md=docs/d/a.md"],
        &[("docs/d/a.md", &page.replace("g/b", "h/b").replace("relative h/", "relative ../h/"))],
    );
}
