//! Sites in Markdown: `move`, `audit` and the others read the sources as their generator does.

use crate::support::TestDir;

/// Moves in a site with these `files`, proves the result, and returns the directory and what was printed.
pub(super) fn moved(files: &[(&str, &str)], moves: &[&str]) -> (TestDir, String) {
    let dir = TestDir::with_site(files);
    let arguments = ["move", "site", "-o", "out", "--verify"];
    let run = dir.rehref(&[&arguments, moves].concat()).status(0);
    (dir, run.stderr())
}

/// Checks files of the result of a move.
pub(super) fn check(files: &[(&str, &str)], moves: &[&str], expected: &[(&str, &str)]) {
    let (dir, _) = moved(files, moves);
    for (path, contents) in expected {
        assert_eq!(dir.read(&format!("out/{path}")), *contents, "{path}");
    }
}

#[test]
fn mkdocs_reads_admonitions_and_urls_of_pages() {
    check(
        &[
            ("mkdocs.yml", "site_name: x\n"),
            ("docs/index.md", "[a](guide/a.md)\n"),
            (
                "docs/guide/a.md",
                "!!! note\n    [b](b.md) [up](../index.md)\n\n    ```\n    [b](b.md)\n    ```\n\n=== \"T\"\n\n    [b](b.md)\n\n<figure markdown>\n  ![i](../i.png)\n</figure>\n\n<img src=\"../../i.png\"> [page](../b/)\n",
            ),
            ("docs/guide/b.md", ""),
            ("docs/i.png", ""),
        ],
        &["docs/guide/a.md=docs/new/deep/a.md"],
        &[
            ("docs/index.md", "[a](new/deep/a.md)\n"),
            (
                "docs/new/deep/a.md",
                "!!! note\n    [b](../../guide/b.md) [up](../../index.md)\n\n    ```\n    [b](b.md)\n    ```\n\n=== \"T\"\n\n    [b](../../guide/b.md)\n\n<figure markdown>\n  ![i](../../i.png)\n</figure>\n\n<img src=\"../../../i.png\"> [page](../../../guide/b/)\n",
            ),
        ],
    );
}

#[test]
fn sphinx_names_documents_in_roles_and_directives() {
    check(
        &[
            ("conf.py", "project = 'x'\n"),
            (
                "index.md",
                "```{toctree}\n:maxdepth: 1\n\nguide/a\nTitle <guide/b.md>\n```\n\n{doc}`guide/a` {doc}`B </guide/b>` {ref}`guide/a` [a](guide/a) [label](guide) [b](project:guide/b.md)\n\n```{include} guide/b.md\n```\n\n:::{note}\n[b](guide/b.md)\n:::\n\n```{code-block} md\n[b](guide/b.md)\n```\n",
            ),
            ("guide/a.md", "```{figure} ../i.png\n:alt: x\n\n[b](b.md)\n```\n"),
            ("guide/b.md", ""),
            ("i.png", ""),
        ],
        &["guide=manual/deep"],
        &[
            (
                "index.md",
                "```{toctree}\n:maxdepth: 1\n\nmanual/deep/a\nTitle <manual/deep/b.md>\n```\n\n{doc}`manual/deep/a` {doc}`B </manual/deep/b>` {ref}`guide/a` [a](manual/deep/a) [label](guide) [b](project:manual/deep/b.md)\n\n```{include} manual/deep/b.md\n```\n\n:::{note}\n[b](manual/deep/b.md)\n:::\n\n```{code-block} md\n[b](guide/b.md)\n```\n",
            ),
            ("manual/deep/a.md", "```{figure} ../../i.png\n:alt: x\n\n[b](b.md)\n```\n"),
        ],
    );
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn git_follows_a_move() {
    let dir = TestDir::with_site(&[
        ("README.md", "[a](docs/a.md) and much more text\n"),
        ("docs/a.md", &format!("[up](../README.md)\n{}", "More text\n".repeat(20))),
    ]);
    let arguments = ["move", ".", "docs=manual/x", "--in-place", "--git"];
    let refused = dir.rehref_in("site", &arguments).status(2);
    assert!(refused.stderr().contains("not in a git work tree"));
    for git in [&["init", "-q"][..], &["add", "."], &["commit", "-qm", "x"]] {
        dir.git("site", git).expect("git is installed");
    }
    dir.rehref_in("site", &arguments).status(0);
    let status = dir.git("site", &["status", "--porcelain"]).unwrap();
    assert_eq!(status, "M  README.md\nR  docs/a.md -> manual/x/a.md\n");
}

#[test]
fn a_list_of_files_selects_documents() {
    let dir = TestDir::with_site(&[
        ("a.md", "[x](missing.md) [b](b.md#b) [b](b.md#c)\n"),
        ("b.md", "# B\n\n[x](missing.md)\n"),
        ("code.rs", ""),
    ]);
    let arguments = ["audit", "site", "--files-from", "-"];
    let run = dir.rehref_with_stdin(&arguments, b"site/a.md\nsite/code.rs\nelsewhere.md\n");
    let printed = run.status(1).stdout();
    assert!(printed.contains("a.md:1:5: error"), "{printed}");
    assert!(printed.contains("b.md#c"), "{printed}");
    assert!(!printed.contains("b.md#b "), "{printed}");
    assert!(!printed.contains("b.md:3"), "{printed}");
    dir.rehref_with_stdin(&arguments, b"site/code.rs\0").status(0);
    dir.rehref_with_stdin(&arguments, b"").status(0);
    // Paths that count from another directory.
    let list = b"a.md\nb.md\n";
    let refused = dir.rehref_with_stdin(&arguments, list).status(2).stderr();
    let expected =
        "--files-from -: no path of the list (2 paths) exists, seen from the working directory";
    assert!(refused.contains(expected), "{refused}");
    let accepted = [&arguments[..], &["--allow-empty"]].concat();
    dir.rehref_with_stdin(&accepted, list).status(0);
}
