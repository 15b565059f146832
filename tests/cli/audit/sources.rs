//! `--sources`: findings at the lines of the files that a site was built from.

use serde_json::Value;

use crate::support::TestDir;

/// A site as generators build it, and its sources: `site` and `docs`.
fn dir(files: &[(&str, &str)]) -> TestDir {
    let dir = TestDir::new();
    for (path, text) in files {
        dir.write(path, text.as_bytes());
    }
    dir
}

/// For each finding: its place in the page, and in the sources.
fn places(dir: &TestDir, arguments: &[&str]) -> Vec<String> {
    let lines = super::json_lines(dir, &[&["--sources", "docs"], arguments].concat());
    let findings = lines.lines().map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let places = findings.map(|finding| {
        let source = &finding["source"];
        let shown = match (source["path"].as_str(), source["line"].as_u64()) {
            (None, _) => "-".to_owned(),
            (Some(path), None) => path.to_owned(),
            (Some(path), Some(line)) => format!("{path}:{line}:{}", source["column"]),
        };
        format!("{}:{} {shown}", finding["document"].as_str().unwrap(), finding["line"])
    });
    places.collect()
}

const GUIDE: &str = "# Guide\n\nSee [the setup](setup.md#linux)\nfirst.\n\n- [Old](../old.md)\n- ![A picture](img/gone.png)\n";

#[test]
fn mkdocs() {
    let nav = "<nav><ul><li><a href=\"../old/\">Old</a></ul></nav>";
    let page = format!(
        "<html><body>{nav}<div role=\"main\"><h1 id=guide>Guide<a href=#guide>¶</a></h1>\n\
         <p>See <a href=\"../setup/#linux\">the setup</a>\nfirst.</p>\n\
         <ul><li><a href=\"../old/\">Old</a></li>\n<li><img alt=\"A picture\" src=\"../img/gone.png\"></li></ul></div>"
    );
    let dir = dir(&[
        ("docs/guide.md", GUIDE),
        ("docs/other.md", "- [Old](../old.md)\n"),
        ("site/guide/index.html", &page),
        ("site/setup/index.html", "<p id=windows>"),
    ]);
    assert_eq!(
        places(&dir, &[]),
        [
            "guide/index.html:1 -",
            "guide/index.html:2 docs/guide.md:3:17",
            "guide/index.html:4 docs/guide.md:6:9",
            "guide/index.html:5 docs/guide.md:7:16",
        ]
    );
}

#[test]
fn mdbook_and_hugo() {
    let dir = dir(&[
        ("docs/SUMMARY.md", "- [Guide](guide.md)\n- [Old](old.md)\n"),
        ("docs/guide.md", GUIDE),
        (
            "docs/posts/2020-01-02-hello/index.md",
            "---\ncover: /c.png\n---\nSee {{< ref \"gone.md\" >}}, the\n[end]({{< relref \"gone.md\" >}}).\n",
        ),
        (
            "site/guide.html",
            "<nav><a href=\"old.html\">Old</a></nav><main><h1>Guide</h1><p>See <a href=\"setup.html#linux\">the \
             setup</a>\nfirst.</p><ul><li><a href=\"../old.html\">Old</a></li>\n<li><img src=\"img/gone.png\" \
             alt=\"A picture\"></ul></main>",
        ),
        (
            "site/posts/hello/index.html",
            "<head><meta property=og:image content=/c.png></head><article><img src=/c.png>\n<p>See , \
             the\n<a href=/posts/gone/>end</a>.</article>",
        ),
    ]);
    assert_eq!(
        places(&dir, &[]),
        [
            "guide.html:1 -",
            "guide.html:1 docs/guide.md:3:17",
            "guide.html:2 docs/guide.md:6:9",
            "guide.html:3 docs/guide.md:7:16",
            "posts/hello/index.html:1 docs/posts/2020-01-02-hello/index.md:2:8",
            "posts/hello/index.html:1 docs/posts/2020-01-02-hello/index.md:2:8",
            "posts/hello/index.html:3 docs/posts/2020-01-02-hello/index.md:5:19",
        ]
    );
}

#[test]
fn docusaurus_marks_the_source() {
    let page = "<main><article><p>Read <a href=\"/docs/missing\">more</a> here.</p></article>\
                <a href=\"https://github.com/a/b/edit/main/docs/02-deep/01-intro.mdx\">Edit this page</a></main>";
    let text = "import X from 'x';\n\nRead <Link to=\"/docs/missing\">more</Link> here.\n";
    let dir = dir(&[
        ("docs/02-deep/01-intro.mdx", text),
        ("docs/02-deep/03-copy.mdx", text),
        ("site/docs/renamed/index.html", page),
    ]);
    assert_eq!(places(&dir, &[]), ["docs/renamed/index.html:1 docs/02-deep/01-intro.mdx:3:16"]);
}

#[test]
fn sphinx() {
    let dir = dir(&[
        (
            "docs/use/index.rst",
            "Use\n===\n\n.. note:: A `note <gone.html>`_.\n\nterm\n   Its `meaning <gone.html>`__.\n\nSee named_ and \
             `Named`_.\n\n.. _named: missing.html\n",
        ),
        (
            "site/use/index.html",
            "<div class=body role=main><h1>Use<a href=#use id=use>¶</a></h1><div><p>Note</p><p>A <a \
             href=\"gone.html\">note</a>.</p></div>\n<dl><dt>term</dt><dd><p>Its <a \
             href=\"gone.html\">meaning</a>.</p></dd></dl>\n<p>See named and <a href=\"missing.html\">Named</a>.</div>",
        ),
    ]);
    assert_eq!(
        places(&dir, &[]),
        [
            "use/index.html:1 docs/use/index.rst:4:20",
            "use/index.html:2 docs/use/index.rst:7:18",
            "use/index.html:3 docs/use/index.rst:11:12",
        ]
    );
}

#[test]
fn a_place_is_certain_or_none() {
    let sentence = "A sentence that has enough letters to be told from all others, with <a href=gone.html>a link</a>.";
    let markdown =
        "A sentence that has enough letters to be told from all others, with [a link](gone.md).\n";
    let short = "<p>Short <a href=gone.html>link</a>";
    for (page, sources, expected) in [
        // In a file that is not the source of the page, only a sentence.
        (sentence, &[("docs/parts/p.md", markdown)][..], "docs/parts/p.md:1:78"),
        (sentence, &[("docs/p.md", markdown), ("docs/q.md", markdown)], "-"),
        (short, &[("docs/p.md", "Short [link](gone.md)\n")], "-"),
        (short, &[("docs/page.md", "Short [link](gone.md)\n")], "docs/page.md:1:14"),
        // Of two lines, none; the file is certain.
        (
            short,
            &[("docs/page.md", "Short [link](gone.md)\n\nShort [link](gone.md)\n")],
            "docs/page.md",
        ),
        (short, &[("docs/page.md", "Short [link](other.md)\n")], "-"),
        (short, &[("docs/page.md", "Another [link](gone.md) in another text\n")], "-"),
        (
            short,
            &[
                ("docs/a/page.md", "Short [link](gone.md)\n"),
                ("docs/b/page.md", "Short [link](gone.md)\n"),
            ],
            "-",
        ),
        // A file that was copied is its own source.
        (short, &[("docs/static/page.html", short)], "docs/static/page.html:1:18"),
        // What tools and repositories have is not read.
        (short, &[("docs/node_modules/page.md", "Short [link](gone.md)\n")], "-"),
        (short, &[("docs/.git/page.md", "Short [link](gone.md)\n")], "-"),
    ] {
        let mut files = vec![("site/page.html", page), ("docs/readme.txt", "")];
        files.extend(sources);
        let expected = format!("page.html:1 {expected}");
        assert_eq!(places(&dir(&files), &[]), [expected], "{sources:?}");
    }
}

#[test]
fn what_contradicts_is_no_source() {
    let source = "Short [link](gone.md)\n";
    let page = "<p>Short <a href=gone.html>link</a>";
    let note = format!("{page}<!-- made by tool.js, see README.md -->");
    let theme =
        format!("{page}<footer><a href=\"https://h/t/t/edit/main/README.md\">Theme</a></footer>");
    for (site, page, sources, expected) in [
        ("page.html", &*note, &["docs/page.md", "docs/README.md"][..], "docs/page.md:1:14"),
        ("page.html", &*theme, &["docs/page.md", "docs/README.md"], "docs/page.md:1:14"),
        ("fr/page.html", page, &["docs/en/page.md"], "-"),
        ("fr/page.html", page, &["docs/en/page.md", "docs/fr/page.md"], "docs/fr/page.md:1:14"),
    ] {
        let path = format!("site/{site}");
        let mut files = vec![(&*path, page)];
        files.extend(sources.iter().map(|path| (*path, source)));
        let found = places(&dir(&files), &[]);
        assert!(found.contains(&format!("{site}:1 {expected}")), "{found:?}");
    }
    let dir = dir(&[
        ("docs/page.md", "Short [link](../v1/gone.md)\n"),
        ("site/page.html", "<p>Short <a href=v2/gone.html>link</a>"),
    ]);
    assert_eq!(places(&dir, &[]), ["page.html:1 docs/page.md"]);
}

/// A page with one finding, and its source.
fn one() -> TestDir {
    dir(&[
        ("docs/guide.md", "# Guide\n\nSee [the setup](setup.md) first.\n"),
        (
            "site/guide/index.html",
            "<main><h1>Guide</h1>\n<p>See <a href=\"../setup/\">the setup</a> first.</p></main>",
        ),
    ])
}

#[test]
fn every_report_has_the_place_in_the_source() {
    let report = |format: &str| {
        let run = one().rehref(&["audit", "site", "--sources", "docs", "-q", "--format", format]);
        run.status(1).stdout()
    };
    let text = report("text");
    assert!(
        text.starts_with(
            "docs/guide.md:3:17: error: no such file [broken-target]\n  \
             link        ../setup/  in <a> href\n  \
             target      /setup/\n  \
             page        site/guide/index.html:2:17\n  \
             3 | See [the setup](setup.md) first.\n    |                 ^^^^^^^^\n"
        ),
        "{text}"
    );
    for (format, expected) in [
        ("github", "::error file=docs/guide.md,line=3,col=17,title="),
        ("gitlab", "\"path\": \"docs/guide.md\""),
        ("markdown", "| docs/guide.md:3:17 |"),
        ("junit", "file=\"docs/guide.md\" line=\"3\""),
        ("html", "<code>docs/guide.md<span>:3:17</span></code>"),
        ("json", "\"path\": \"docs/guide.md\",\n        \"line\": 3,\n        \"column\": 17"),
    ] {
        let report = report(format);
        assert!(report.contains(expected), "{format}: {report}");
    }
    for format in ["github", "gitlab", "junit", "html"] {
        let report = report(format);
        assert!(report.contains("guide/index.html"), "{format}: {report}");
    }
    let sarif: Value = serde_json::from_str(&report("sarif")).unwrap();
    let result = sarif.pointer("/runs/0/results/0").unwrap();
    let location = |path: &str| {
        let place = result.pointer(path).unwrap();
        let text = |path: &str| place.pointer(path).unwrap().to_string();
        [
            text("/artifactLocation/uri"),
            text("/artifactLocation/uriBaseId"),
            text("/region/startLine"),
        ]
    };
    assert_eq!(
        location("/locations/0/physicalLocation"),
        ["\"docs/guide.md\"", "\"SRCROOT\"", "3"]
    );
    let built = location("/relatedLocations/0/physicalLocation");
    assert_eq!(built, ["\"site/guide/index.html\"", "\"SRCROOT\"", "2"]);
}

#[test]
fn the_uris_of_two_roots_have_two_bases() {
    let dir = one();
    let site = dir.path("site");
    let sarif = dir.rehref(&[
        "audit",
        site.to_str().unwrap(),
        "--sources",
        "docs",
        "-q",
        "--format",
        "sarif",
    ]);
    let sarif: Value = serde_json::from_str(&sarif.status(1).stdout()).unwrap();
    let bases = sarif.pointer("/runs/0/originalUriBaseIds").unwrap();
    assert!(bases["SITEROOT"]["uri"].as_str().unwrap().ends_with("/site/"), "{bases}");
    assert!(bases["SRCROOT"]["uri"].is_null(), "{bases}");
    let result = sarif.pointer("/runs/0/results/0").unwrap().to_string();
    assert!(result.contains(r#"{"uri":"docs/guide.md","uriBaseId":"SRCROOT"}"#), "{result}");
    assert!(result.contains(r#"{"uri":"guide/index.html","uriBaseId":"SITEROOT"}"#), "{result}");
}

#[test]
fn the_html_report_links_to_sources() {
    let url = "https://h/blob/main/{path}#L{line}";
    let arguments = ["audit", "site", "-q", "--format", "html", "--source-url", url];
    let dir = one();
    let with = dir.rehref(&[&arguments[..], &["--sources", "docs"]].concat()).status(1).stdout();
    assert!(with.contains("href=\"https://h/blob/main/docs/guide.md#L3\""), "{with}");
    let without = dir.rehref(&arguments).status(1).stdout();
    assert!(without.contains("href=\"https://h/blob/main/guide/index.html#L2\""), "{without}");
}

#[test]
fn a_baseline_does_not_depend_on_sources() {
    let dir = one();
    let base = ["audit", "site", "--sources", "docs", "--baseline", "known.json"];
    dir.rehref(&[&base[..], &["--update-baseline"]].concat()).status(0);
    dir.rehref(&["audit", "site", "--baseline", "known.json"]).status(0);
    dir.write("docs/guide.md", b"Moved.\n");
    dir.rehref(&base).status(0);
}

#[test]
fn the_directory_must_exist() {
    let dir = one();
    dir.write("docs.txt", b"");
    dir.write("empty/a.png", b"");
    dir.write("other/a.md", b"");
    for (sources, status, expected) in [
        ("dosc", 2, "--sources dosc: no such directory; did you mean docs?"),
        ("docs.txt", 2, "--sources docs.txt: not a directory; give the directory of the files"),
        (
            "nowhere/near",
            2,
            "--sources nowhere/near: no such directory; give the directory of the files",
        ),
        (
            "empty",
            1,
            "--sources empty: no text files, such as Markdown, in this directory; give the directory",
        ),
        ("docs", 1, "note: --sources docs: findings with their lines in docs: 1 of 1"),
        (
            "other",
            1,
            "note: --sources other: no finding has a certain line in other; the report shows the built pages",
        ),
    ] {
        let run = dir.rehref(&["audit", "site", "--sources", sources]).status(status);
        assert!(run.stderr().contains(expected), "{sources}: {}", run.stderr());
    }
}

#[test]
fn the_setting_is_relative_to_its_file() {
    let dir = one();
    dir.write("rehref.toml", b"[audit]\nsources = \"docs\"\n");
    let run = dir.rehref(&["audit", "site", "-q"]).status(1);
    assert!(run.stdout().contains("docs/guide.md:3:17: error"), "{}", run.stdout());
}

#[test]
fn a_link_that_is_in_the_navigation_too_is_reported_at_its_source() {
    let page =
        "<nav><a href=gone.html>gone</a></nav><main><p>See <a href=gone.html>gone</a>.</main>";
    let dir = dir(&[
        ("site/a.html", page),
        ("site/b.html", page),
        ("docs/a.md", "# A\n\nSee [gone](gone.md).\n"),
        ("docs/b.md", "See [gone](gone.md).\n"),
    ]);
    let report = |format: &str| {
        let run = dir.rehref(&["audit", "site", "--sources", "docs", "--format", format]);
        run.status(1).stdout()
    };
    let stdout = report("github");
    let places: Vec<&str> = stdout
        .lines()
        .filter_map(|line| Some(line.strip_prefix("::error file=")?.split_once(",title")?.0))
        .collect();
    assert_eq!(places, ["docs/a.md,line=3,col=12", "docs/b.md,line=1,col=12"]);
    assert!(stdout.contains("%0A4 times in 2 documents\n"), "{stdout}");
    for (format, expected) in
        [("text", "docs/a.md:3:12: error"), ("markdown", "| docs/a.md:3:12 |")]
    {
        let stdout = report(format);
        assert!(stdout.contains(expected), "{stdout}");
    }
}
