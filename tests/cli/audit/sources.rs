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
            "docs/guide.md:3:17: error: broken link: `setup/` does not exist [broken-target]\n  \
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
fn the_setting_is_relative_to_its_file() {
    let dir = one();
    dir.write("rehref.toml", b"[audit]\nsources = \"docs\"\n");
    let run = dir.rehref(&["audit", "site", "-q"]).status(1);
    assert!(run.stdout().contains("docs/guide.md:3:17: error"), "{}", run.stdout());
}
