//! Strings in scripts and data that name what moved, the real binary on real directories.

use std::fs;

use crate::support::{TestDir, without_times};

const URL: &str = "https://e.org/docs/";

fn site() -> TestDir {
    TestDir::with_site(&[
        (
            "index.html",
            "<script src=js/app.js></script><script>\nlet start = 'guide/a.html', x = \"a.b/c\";\n\
             </script>\n<script type=importmap>{\"imports\": {\"m\": \"./js/m.mjs\"}}</script>\n\
             <p title='guide/a.html'>",
        ),
        ("guide/index.html", "<a href=a.html>"),
        ("guide/a.html", "<script>let root = '../'</script>"),
        ("guide/list/l.txt", ""),
        ("about.html", "<body data-root='.' data-guide=\"guide\" title='guide/a.html'>"),
        // A list of pages as TypeDoc writes it: guide/a.html and about.html.
        (
            "nav.js",
            "nav = \"eJyLrlYqSa0oUbJSSkzKLy1R0lEqSCzJAHLTSzNTUvUT9TJKcnOUanXgyvJLMlKLEMrAuqCKYgHmwhnV\"",
        ),
        ("js/m.mjs", "import './dep.mjs'; import(\"../guide/a.html\");"),
        ("js/dep.mjs", ""),
        (
            "js/app.js",
            "// it's\nfetch(`/docs/guide/a.html#x`); f('https:\\/\\/e.org\\/docs\\/guide\\/');\n\
             f('guide/list/' + n); g('guide', 'a.html', 'text/html', './', '/', '1.2/3.html');\n\
             h('<a href=\"' + root + 'guide/index.html\" title=\"\"></a>', '../../guide/a.html');\n",
        ),
        (
            "search/search_index.json",
            "{\"base\": \"/docs/\", \"docs\": [\n{\"location\": \"guide/a\"},\n{\"location\": \"about.html\"},\n\
             {\"text\": \"see guide/a.html\"}]}",
        ),
        (
            "data.xml",
            "<pages><page><url>/docs/guide/a.html</url></page><page link='guide/'/></pages>",
        ),
    ])
}

/// The warnings and the lines about strings of the summary of a run.
fn said(stderr: &str) -> String {
    let lines = stderr.lines();
    let about =
        lines.filter(|line| ["string", "verified", "old paths"].iter().any(|it| line.contains(it)));
    without_times(&about.collect::<Vec<_>>().join("\n"))
}

#[test]
fn strings_that_name_what_moved_are_said_and_not_changed() {
    let dir = site();
    let options = ["-o", "out", "--verify", "--url", URL];
    let request = ["move", "site", "guide=help"];
    let run = dir.rehref(&[&request[..], &options].concat()).status(0);
    insta::assert_snapshot!("stale_paths_of_a_folder", said(&run.stderr()));
    for file in ["js/app.js", "js/m.mjs", "search/search_index.json"] {
        assert_eq!(dir.read(&format!("out/{file}")), dir.read(&format!("site/{file}")));
    }
}

#[test]
fn the_report_lists_each_string_with_its_place() {
    let dir = site();
    let options = ["--dry-run", "--url", URL, "--format", "json"];
    let request = ["move", "site", "guide=help", "js=scripts"];
    let run = dir.rehref(&[&request[..], &options].concat()).status(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let found = report["stale_paths"].as_array().unwrap();
    let lines: Vec<String> = found
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap().to_owned();
            let (path, line, column) = (text("path"), &it["line"], &it["column"]);
            format!("{path}:{line}:{column} {} -> {}", text("text"), text("target"))
        })
        .collect();
    insta::assert_snapshot!("stale_paths_in_the_report", lines.join("\n"));
}

#[test]
fn under_another_url_only_strings_with_the_old_path_are_said() {
    let dir = site();
    let urls = ["--url", URL, "--new-url", "https://new.example/"];
    let run =
        dir.rehref(&[&["move", "site", "-o", "out", "--verify"][..], &urls].concat()).status(0);
    insta::assert_snapshot!("stale_paths_under_another_url", said(&run.stderr()));
    let run = dir.rehref(&[&["verify", "site", "out"][..], &urls].concat()).status(0);
    insta::assert_snapshot!("stale_paths_of_verify", said(&(run.stderr() + &run.stdout())));
    // Nothing is said where nothing moves.
    fs::remove_dir_all(dir.path("out")).unwrap();
    let run = dir.rehref(&["relative", "site", "-o", "out", "--verify", "--url", URL]).status(0);
    assert!(!run.stderr().contains("string"), "{}", run.stderr());
}

#[test]
fn a_page_at_another_depth_names_its_root_by_an_old_path() {
    let dir = site();
    let request = ["move", "site", "guide=help/more", "-o", "out", "--verify"];
    let run = dir.rehref(&[&request[..], &["--url", URL]].concat()).status(0);
    let expected = "guide/a.html:1:21 (`../` meant the root of the site)";
    assert!(run.stderr().contains(expected), "{}", run.stderr());
}

#[test]
fn strings_that_still_lead_there_are_not_said() {
    let dir = TestDir::with_site(&[
        ("app/main.js", "import './dep.js'; fetch('data.json');"),
        ("app/dep.js", "'main.js'"),
        ("app/data.json", "{\"next\": \"./main.js\"}"),
        ("index.html", "<script src=app/main.js></script>"),
    ]);
    let run = dir.rehref(&["move", "site", "app=lib/app", "-o", "out"]).status(0);
    assert_eq!(said(&run.stderr()), "");
    // One that leaves the others is.
    fs::remove_dir_all(dir.path("out")).unwrap();
    let moved = ["move", "site", "app/dep.js=dep.js", "-o", "out"];
    let run = dir.rehref(&moved).status(0);
    insta::assert_snapshot!("stale_paths_of_a_script", said(&run.stderr()));
}
