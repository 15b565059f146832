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
