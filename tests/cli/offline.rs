//! `relative --offline`: sites to be read from disk, the real binary on real directories.

use crate::support::TestDir;

const URL: &[&str] = &["--url", "https://h/d/"];

const OFFLINE: &[&str] = &["relative", "site", "-o", "out", "--offline", "--verify"];

#[test]
fn what_is_not_on_disk_gets_its_full_url() {
    let page = "<a href=/d/a/>a</a><a href=gone/?q#f>b</a><a href='../x.html'>c</a>\
                <form action=/d/search></form><a href=https://h/d/gone.html>d</a><a href=#top>e</a>";
    let dir = TestDir::with_site(&[("p.html", page), ("a/index.html", "")]);
    dir.rehref(&[OFFLINE, URL].concat()).status(0);
    assert_eq!(
        dir.read("out/p.html"),
        "<a href=a/index.html>a</a><a href=https://h/d/gone/?q#f>b</a>\
         <a href='https://h/x.html'>c</a><form action=https://h/d/search></form><a href=https://h/d/gone.html>d</a><a href=#top>e</a>"
    );
    // Without the site's URL there is no full URL.
    let dir = TestDir::with_site(&[("p.html", "<a href=gone.html>")]);
    let run = dir.rehref(OFFLINE).status(0);
    assert_eq!(dir.read("out/p.html"), "<a href=gone.html>");
    let note = "without --url, links that leave SITE, such as //host/x, stay relative, and have no target on disk";
    assert!(run.stderr().contains(note), "{}", run.stderr());
}

#[test]
fn integrity_and_crossorigin_of_files_on_disk_go() {
    let page = "<link rel=stylesheet href=/d/s.css integrity='sha256-x' crossorigin>\
                <script src=x.js crossorigin=anonymous integrity=sha384-y></script>\
                <script src=https://cdn.example/x.js crossorigin integrity=sha384-y></script>\
                <script src=gone.js integrity=sha384-y></script>\
                <iframe srcdoc=\"<img src=i.png crossorigin=''>\"></iframe>";
    let dir = TestDir::with_site(&[("p.html", page), ("s.css", ""), ("x.js", ""), ("i.png", "")]);
    let run = dir.rehref(&[OFFLINE, URL].concat()).status(0);
    assert_eq!(
        dir.read("out/p.html"),
        "<link rel=stylesheet href=s.css>\
         <script src=x.js></script>\
         <script src=https://cdn.example/x.js crossorigin integrity=sha384-y></script>\
         <script src=https://h/d/gone.js integrity=sha384-y></script>\
         <iframe srcdoc=\"<img src=i.png>\"></iframe>"
    );
    assert!(run.stderr().contains("5 attributes removed"), "{}", run.stderr());
    let verify = ["verify", "site", "out"];
    dir.rehref(&[&verify[..], &["--offline"], URL].concat()).status(0);
    dir.rehref(&[&verify[..], &["--same-file"], URL].concat()).status(1);
    dir.write("out/p.html", page.as_bytes());
    dir.rehref(&[&verify[..], &["--offline"], URL].concat()).status(1);
}

#[test]
fn paths_from_the_server_root_in_scripts_are_said() {
    let dir = TestDir::with_site(&[
        (
            "p.html",
            "<a href=/d/a/>a</a><script>let home = '/d/', page = '/d/a/index.html#x', own = 'a/index.html', \
             other = '/e/', split = '/', web = 'https://h/d/a/index.html'</script>",
        ),
        ("a/index.html", ""),
        ("x.json", "{\"next\": \"/d/p.html\"}"),
    ]);
    let run = dir.rehref(&[OFFLINE, URL, &["--format", "json"]].concat()).status(0);
    let from_root = "3 strings in 2 files name files by paths from the root of the host, which do not work from disk \
                     (rehref does not change scripts and data): p.html:1:40 (`/d/` is the root of SITE), x.json:1:11 (`/d/p.html` \
                     is p.html); --format json lists all\n";
    assert!(run.stderr().contains(from_root), "{}", run.stderr());
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let found = report["offline"]["root_paths"].as_array().unwrap();
    assert_eq!(found.len(), 3, "{report}");
    assert_eq!(found[1]["target"], "a/index.html#x", "{report}");
    // verify says it again.
    let verify = ["verify", "site", "out", "--offline"];
    let verified = dir.rehref(&[&verify, URL, &["--format", "json"]].concat());
    let verified = verified.status(0);
    // The text before the string has changed.
    let from_root = from_root.replace("p.html:1:40", "p.html:1:47");
    let stderr = verified.stderr();
    assert!(stderr.contains(&from_root), "{stderr}");
    let verified: serde_json::Value = serde_json::from_str(&verified.stdout()).unwrap();
    let targets = |found: &serde_json::Value| -> Vec<String> {
        let found = found.as_array().unwrap().iter();
        found.map(|it| it["target"].to_string()).collect()
    };
    assert_eq!(targets(&verified["root_paths"]), targets(&report["offline"]["root_paths"]));
}

#[test]
fn what_does_not_run_from_disk_is_said() {
    let dir = TestDir::with_site(&[
        ("p.html", "<script type=module src=m.mjs></script>"),
        ("q.html", "<script type='module'>import './m.mjs'</script>"),
        ("m.mjs", "fetch('x.json')"),
        ("a.js", "navigator.serviceWorker.register('sw.js'); new Worker('w.js')"),
        ("b.js", "prefetch(x)"),
        ("c.js", "import('./m.mjs')"),
        ("a/index.html", "<link rel=modulepreload href=../m.mjs>"),
    ]);
    let run = dir.rehref(&[OFFLINE, URL].concat()).status(0);
    let stderr = run.stderr();
    let said = stderr.lines().filter_map(|line| line.strip_prefix("warning: browsers block "));
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            "fetch and XMLHttpRequest in pages opened from disk: m.mjs; to use them, serve the site over HTTP",
            "module scripts in pages opened from disk: a/index.html, c.js, p.html and 1 more; to use them, serve the site over HTTP",
            "service workers in pages opened from disk: a.js; to use them, serve the site over HTTP",
            "workers in pages opened from disk: a.js; to use them, serve the site over HTTP",
        ],
        "{stderr}"
    );
    let report = [OFFLINE, URL, &["--format", "json", "--force"]].concat();
    let run = dir.rehref(&report).status(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(
        report["offline"]["limits"]["module scripts"],
        serde_json::json!(["a/index.html", "c.js", "p.html", "q.html"]),
        "{report}"
    );
    let run = dir.rehref(&[&["relative", "site", "-o", "out2"], URL].concat()).status(0);
    assert!(!run.stderr().contains("from disk"), "{}", run.stderr());
}

#[test]
fn links_that_leave_the_site_are_absolute_on_disk() {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<a href=/license.html></a><a href=../up.html></a><a href=//other.example/x></a><a href=gone.html></a>\
             <a href=a/></a><a href=#x></a><img src=//cdn.example/i.png>",
        ),
        ("a/index.html", "<a href=../../up.html></a><base href=//b.example/><a href=x></a>"),
        ("style.css", "@import '//cdn.example/s.css';"),
    ]);
    let url = ["--url", "https://example.org/docs/", "--offline"];
    let relative = [&["relative", "site", "-o", "out", "--verify"], &url[..]].concat();
    dir.rehref(&relative).status(0);
    assert_eq!(
        dir.read("out/index.html"),
        "<a href=https://example.org/license.html></a><a href=https://example.org/up.html></a>\
         <a href=https://other.example/x></a><a href=https://example.org/docs/gone.html></a>\
         <a href=a/index.html></a><a href=#x></a><img src=https://cdn.example/i.png>"
    );
    assert_eq!(dir.read("out/style.css"), "@import 'https://cdn.example/s.css';");
    // From disk, each of these would lead elsewhere.
    dir.write(
        "out/index.html",
        dir.read("site/index.html").replace("a/>", "a/index.html>").as_bytes(),
    );
    let verify = [&["verify", "site", "out"], &url[..]].concat();
    let run = dir.rehref(&verify).status(1);
    let stdout = run.stdout();
    assert_eq!(stdout.matches("has no such target where AFTER").count(), 5, "{stdout}");
}

#[test]
fn links_of_a_page_that_keeps_its_base_element_are_absolute_on_disk_too() {
    let page = "<base href=/docs/><script src=//cdn.example/x.js></script><link href=/style.css rel=stylesheet>\
                <a href=../up.html></a><a href=/docs/b.html></a>";
    let dir = TestDir::with_site(&[("a/p.html", page), ("b.html", "")]);
    let url = ["--url", "https://h/docs/", "--offline"];
    let relative = [&["relative", "site", "-o", "out", "--verify"], &url[..]].concat();
    dir.rehref(&relative).status(0);
    let new = dir.read("out/a/p.html");
    for expected in
        ["https://cdn.example/x.js", "https://h/style.css", "https://h/up.html", "href=b.html"]
    {
        assert!(new.contains(expected), "{expected}: {new}");
    }
    let run = dir.rehref(&[&["verify", "site", "site"], &url[..]].concat()).status(1);
    let stdout = run.stdout();
    assert_eq!(stdout.matches("has no such target where AFTER").count(), 4, "{stdout}");
    assert!(!run.stderr().contains("begin with"), "{}", run.stderr());
}
