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
fn only_destinations_change() {
    check(
        &[
            (
                "README.md",
                "[a](docs/a.md 'T') ![b]( <docs/b c.png> )  \n[d][e]\n\n[e]:\n  docs/a.md\n  \"T\"\n<a href=docs/a.md>x</a>\n",
            ),
            (
                "docs/a.md",
                "# A\r\n\r\n* [up](../README.md#x)\r\n* `[no](b.md)` <https://a.example/>\r\n",
            ),
            ("docs/b c.png", ""),
        ],
        &["docs=manual/(1)"],
        &[
            (
                "README.md",
                "[a](manual/(1)/a.md 'T') ![b]( <manual/(1)/b c.png> )  \n[d][e]\n\n[e]:\n  manual/(1)/a.md\n  \"T\"\n<a href=manual/(1)/a.md>x</a>\n",
            ),
            (
                "manual/(1)/a.md",
                "# A\r\n\r\n* [up](../../README.md#x)\r\n* `[no](b.md)` <https://a.example/>\r\n",
            ),
        ],
    );
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
fn docusaurus_looks_paths_up_from_the_root_of_the_content() {
    let (dir, printed) = moved(
        &[
            ("docusaurus.config.js", ""),
            ("static/img/i.png", ""),
            (
                "docs/intro.mdx",
                "import X from './x'\n\n<Tabs>\n[b](guide/b.mdx#x) [b](/guide/b.mdx) [b](./guide/b) ![i](/img/i.png)\n</Tabs>\n\n<img src={require('./x.png')} />\n",
            ),
            ("docs/guide/b.mdx", "[c](guide/c.md) [up](../intro.mdx)\n"),
            ("docs/guide/c.md", ""),
            ("sidebars.js", "module.exports = ['docs/guide/b.mdx']\n"),
        ],
        &["docs/guide=docs/manual"],
    );
    assert_eq!(
        dir.read("out/docs/intro.mdx"),
        "import X from './x'\n\n<Tabs>\n[b](manual/b.mdx#x) [b](/manual/b.mdx) [b](./manual/b) ![i](/img/i.png)\n</Tabs>\n\n<img src={require('./x.png')} />\n",
    );
    assert_eq!(dir.read("out/docs/manual/b.mdx"), "[c](manual/c.md) [up](../intro.mdx)\n");
    assert!(printed.contains("for Docusaurus (docusaurus.config.js)"), "{printed}");
    assert!(printed.contains("sidebars.js:1:20"), "{printed}");
}

#[test]
fn urls_of_pages_may_be_in_another_letter_case_or_below_another_path() {
    check(
        &[
            ("hugo.toml", ""),
            ("content/Guide/A.md", "# A\n"),
            ("content/b.md", "[a](/Guide/A/) [a](/guide/a/) [a](../guide/a/)\n"),
        ],
        &["content/Guide=content/Manual"],
        &[("content/b.md", "[a](/manual/a/) [a](/manual/a/) [a](../manual/a/)\n")],
    );
    check(
        &[
            ("docusaurus.config.js", "routeBasePath: base,\n"),
            ("docs/g/a.md", "# A\n"),
            ("docs/b.md", "[a](/g/a) [a](/g/a/)\n"),
        ],
        &["docs/g=docs/m"],
        &[("docs/b.md", "[a](/m/a) [a](/m/a/)\n")],
    );
}

#[test]
fn hugo_links_pages_by_their_urls() {
    check(
        &[
            ("hugo.toml", ""),
            (
                "content/_index.md",
                "[a](/guide/a/#x) [a](guide/a/) [word](g) {{< ref \"guide/a\" >}} [b]({{% relref \"/guide/B.md#y\" %}})\n",
            ),
            ("content/guide/a.md", "![i](i.png) [b](../b/) [word](g)\n"),
            ("content/guide/B.md", ""),
        ],
        &["content/guide=content/manual"],
        &[
            (
                "content/_index.md",
                "[a](/manual/a/#x) [a](manual/a/) [word](g) {{< ref \"manual/a\" >}} [b]({{% relref \"/manual/B.md#y\" %}})\n",
            ),
            ("content/manual/a.md", "![i](i.png) [b](../b/) [word](g)\n"),
        ],
    );
}

#[test]
fn sphinx_names_documents_in_roles_and_directives() {
    check(
        &[
            ("conf.py", ""),
            (
                "index.md",
                "```{toctree}\n:maxdepth: 1\n\nguide/a\nTitle <guide/b.md>\n```\n\n{doc}`guide/a` {doc}`B </guide/b>` {ref}`guide/a` [label](guide/a) [b](project:guide/b.md)\n\n```{include} guide/b.md\n```\n\n:::{note}\n[b](guide/b.md)\n:::\n\n```{code-block} md\n[b](guide/b.md)\n```\n",
            ),
            ("guide/a.md", "```{figure} ../i.png\n:alt: x\n\n[b](b.md)\n```\n"),
            ("guide/b.md", ""),
            ("i.png", ""),
        ],
        &["guide=manual/deep"],
        &[
            (
                "index.md",
                "```{toctree}\n:maxdepth: 1\n\nmanual/deep/a\nTitle <manual/deep/b.md>\n```\n\n{doc}`manual/deep/a` {doc}`B </manual/deep/b>` {ref}`guide/a` [label](guide/a) [b](project:manual/deep/b.md)\n\n```{include} manual/deep/b.md\n```\n\n:::{note}\n[b](manual/deep/b.md)\n:::\n\n```{code-block} md\n[b](guide/b.md)\n```\n",
            ),
            ("manual/deep/a.md", "```{figure} ../../i.png\n:alt: x\n\n[b](b.md)\n```\n"),
        ],
    );
}

#[test]
fn documents_of_sphinx_in_other_languages_have_pages() {
    check(
        &[
            ("docs/conf.py", ""),
            ("docs/a.md", "{doc}`/g/r` {doc}`g/r` <a href=\"g/r.html\">r</a> [r](g/r.rst)\n"),
            ("docs/g/r.rst", "R\n=\n"),
        ],
        &["docs/g=docs/h"],
        &[("docs/a.md", "{doc}`/h/r` {doc}`h/r` <a href=\"h/r.html\">r</a> [r](h/r.rst)\n")],
    );
}

#[test]
fn links_of_an_included_file_count_from_the_document() {
    let files = [
        ("conf.py", ""),
        (
            "g/a.md",
            "```{include} parts/x.txt\n```\n:::{include} parts/y.txt\n:relative-docs: .\n:relative-images:\n:::\n```{include} parts/z.txt\n:parser: rst\n```\n```{include} parts/s.txt\n```\n",
        ),
        ("g/parts/x.txt", "[b](b.md) ![i](img/i.png) [p](parts/x.txt)\n"),
        ("g/parts/y.txt", "[b](../b.md)\n"),
        ("g/parts/z.txt", "[b](b.md)\n"),
        ("g/parts/s.txt", "[b](b.md)\n"),
        ("g/b.md", "# B\n"),
        ("g/img/i.png", ""),
        ("h/c.md", "```{include} ../g/parts/s.txt\n```\n"),
    ];
    check(
        &files,
        &["g/a.md=d/e/a.md"],
        &[
            (
                "d/e/a.md",
                "```{include} ../../g/parts/x.txt\n```\n:::{include} ../../g/parts/y.txt\n:relative-docs: .\n:relative-images:\n:::\n```{include} ../../g/parts/z.txt\n:parser: rst\n```\n```{include} ../../g/parts/s.txt\n```\n",
            ),
            (
                "g/parts/x.txt",
                "[b](../../g/b.md) ![i](../../g/img/i.png) [p](../../g/parts/x.txt)\n",
            ),
            ("g/parts/y.txt", "[b](../b.md)\n"),
            ("g/parts/z.txt", "[b](b.md)\n"),
            ("g/parts/s.txt", "[b](b.md)\n"),
        ],
    );
    check(
        &files,
        &["g/parts=inc/p"],
        &[
            ("inc/p/x.txt", "[b](b.md) ![i](img/i.png) [p](../inc/p/x.txt)\n"),
            ("inc/p/y.txt", "[b](../../g/b.md)\n"),
        ],
    );
}

#[test]
fn mdbook_vitepress_and_jekyll_link_pages() {
    check(
        &[
            ("book.toml", ""),
            ("src/SUMMARY.md", "- [A](guide/README.md)\n- [B](guide/b.md)\n- [Draft]()\n"),
            ("src/x.md", "[a](guide/index.html) [b](guide/b.html#y)\n"),
            ("src/guide/README.md", ""),
            ("src/guide/b.md", ""),
        ],
        &["src/guide=src/manual"],
        &[
            ("src/SUMMARY.md", "- [A](manual/README.md)\n- [B](manual/b.md)\n- [Draft]()\n"),
            ("src/x.md", "[a](manual/index.html) [b](manual/b.html#y)\n"),
        ],
    );
    check(
        &[
            (".vitepress/config.ts", ""),
            ("a.md", "[b](./guide/b#x) [b](/guide/b) [b](guide/b.html) [i](/i.png)\n"),
            ("guide/b.md", "[a](../a)\n"),
            ("public/i.png", ""),
        ],
        &["guide=manual/deep"],
        &[
            (
                "a.md",
                "[b](./manual/deep/b#x) [b](/manual/deep/b) [b](manual/deep/b.html) [i](/i.png)\n",
            ),
            ("manual/deep/b.md", "[a](../../a)\n"),
        ],
    );
    check(
        &[
            ("_config.yml", "collections: {docs: {output: true}}\n"),
            (
                "a.md",
                "[b]({% link _docs/b.md %}) [b](/docs/b/) [b]({{ '/docs/b/' | relative_url }}) <a href=\"{{ '/docs/b/' | relative_url }}\">\n",
            ),
            ("_docs/b.md", ""),
        ],
        &["_docs/b.md=_docs/c.md"],
        &[(
            "a.md",
            "[b]({% link _docs/c.md %}) [b](/docs/c/) [b]({{ '/docs/c/' | relative_url }}) <a href=\"{{ '/docs/c/' | relative_url }}\">\n",
        )],
    );
}

#[test]
fn a_link_to_no_file_stays_as_it_is_written() {
    let (dir, printed) = moved(
        &[("mkdocs.yml", ""), ("docs/a.md", "[x](missing.md) [y](../beside.md)\n")],
        &["docs/a.md=docs/b/a.md"],
    );
    assert_eq!(dir.read("out/docs/b/a.md"), "[x](missing.md) [y](../beside.md)\n");
    assert!(
        printed.contains("leads to no file") || printed.contains("not a file in SITE"),
        "{printed}"
    );
}

#[test]
fn markdown_is_read_where_it_is_the_source() {
    let page = ("index.html", "<a href=a.md>a</a>");
    let broken = ("a.md", "[x](missing.md)\n");
    for (files, options, reads) in [
        (&[broken][..], &[][..], true),
        // The output of a generator, with a file that it serves as text.
        (&[page, broken], &[], false),
        (&[page, broken], &["--markdown", "plain"], true),
        (&[page, broken, ("mkdocs.yml", "")], &[], true),
        (&[page, broken, ("mkdocs.yml", "")], &["--markdown", "off"], false),
    ] {
        let dir = TestDir::with_site(files);
        let run = dir.rehref(&[&["audit", "site"], options].concat());
        let run = run.status(i32::from(reads));
        assert_eq!(run.stdout().contains("a.md:1:5: error"), reads, "{}", run.stdout());
    }
    // One document, whose generator is configured above it.
    let dir = TestDir::with_site(&[("mkdocs.yml", ""), ("docs/a.md", "!!! x\n    [x](b.md)\n")]);
    let run = dir.rehref(&["links", "site/docs/a.md"]).status(0);
    assert!(run.stdout().contains("b.md"), "{}", run.stdout());
    let dir = TestDir::new();
    let arguments = ["absolute", "-", "--kind", "markdown", "--url", "https://example.org/d/a.md"];
    let run = dir.rehref_with_stdin(&arguments, b"[x](b.md) `[y](c.md)`\n").status(0);
    assert_eq!(run.stdout(), "[x](https://example.org/d/b.md) `[y](c.md)`\n");
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn git_follows_a_move() {
    let dir = TestDir::with_site(&[
        ("README.md", "[a](docs/a.md) and much more text\n"),
        ("docs/a.md", &format!("[up](../README.md)\n{}", "More text\n".repeat(20))),
    ]);
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(arguments)
            .current_dir(dir.path("site"))
            .output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let arguments = ["move", ".", "docs=manual/x", "--in-place", "--git"];
    let refused = dir.rehref_in("site", &arguments).status(2);
    assert!(refused.stderr().contains("no git work tree"));
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "x"]);
    dir.rehref_in("site", &arguments).status(0);
    let status = git(&["status", "--porcelain"]);
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
    let expected = "--files-from -: none of the 2 paths in the list exists; paths count from the working directory";
    assert!(refused.contains(expected), "{refused}");
    let accepted = [&arguments[..], &["--allow-empty"]].concat();
    dir.rehref_with_stdin(&accepted, list).status(0);
}

#[test]
fn a_move_of_markdown_that_is_not_read_is_a_warning() {
    let dir = TestDir::with_site(&[
        ("index.html", "<p>"),
        ("docs/a.md", "[b](b.md)\n"),
        ("docs/b.md", ""),
    ]);
    let arguments = ["move", "site", "docs/a.md=a.md", "--dry-run"];
    let printed = dir.rehref(&arguments).status(0).stderr();
    assert!(printed.contains("Markdown files that would move: 1"), "{printed}");
}

#[test]
fn a_page_of_a_directory_that_becomes_another_page_has_another_url() {
    check(
        &[
            ("book.toml", ""),
            ("src/x.md", "[a](guide/index.html#y)\n"),
            ("src/guide/README.md", "# Y\n"),
        ],
        &["src/guide/README.md=src/misc/a.md"],
        &[("src/x.md", "[a](misc/a.html#y)\n")],
    );
}

/// Outside of a repository and of the working directory, they may be other users'; so may be what a link leads to.
#[cfg(unix)]
#[test]
fn settings_above_the_site_are_those_of_its_project() {
    let dir = TestDir::with_site(&[("a.md", "[b](b.md)\n"), ("b.md", "b\n")]);
    dir.write("project/x", b"");
    let generator = |folder: &str| {
        let site = if folder.is_empty() { "site" } else { "../site" };
        let run = dir.rehref_in(folder, &["audit", site]).status(0);
        let stderr = run.stderr();
        let (_, rest) = stderr.split_once("Markdown files ").unwrap();
        rest.split(';').next().unwrap().to_owned()
    };
    dir.write("mkdocs.yml", b"site_name: x\n");
    assert!(generator("").starts_with("for MkDocs ("));
    assert_eq!(generator("project"), "as on GitHub");
    dir.write(".git/x", b"");
    assert!(generator("project").starts_with("for MkDocs ("));
    std::fs::rename(dir.path("mkdocs.yml"), dir.path("project/mkdocs.yml")).unwrap();
    std::os::unix::fs::symlink("project/mkdocs.yml", dir.path("mkdocs.yml")).unwrap();
    assert_eq!(generator(""), "as on GitHub");
}

#[test]
fn a_link_to_the_page_of_a_directory_stays_one_to_a_page() {
    check(
        &[
            ("mkdocs.yml", ""),
            ("docs/index.md", "# I\n"),
            (
                "docs/g/a.md",
                "<a href=\"../../\">i</a> <a href=\"../..\">i</a> [i](../../) [i](../index.md)\n",
            ),
        ],
        &["docs/index.md=docs/k/gi.md", "docs/g/a.md=docs/g/h/a.md"],
        &[(
            "docs/g/h/a.md",
            "<a href=\"../../../k/gi/\">i</a> <a href=\"../../../k/gi/\">i</a> [i](../../../k/gi/) [i](../../k/gi.md)\n",
        )],
    );
    // No program makes pages of these files.
    check(
        &[("a.md", "<a href=\"g/\">g</a> [g](g/)\n"), ("g/README.md", "")],
        &["g/README.md=k/gi.md"],
        &[("a.md", "<a href=\"k/gi.md\">g</a> [g](k/gi.md)\n")],
    );
}
