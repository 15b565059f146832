//! How the site's server finds files.

use super::found;
use crate::support::TestDir;

const CLEAN: &[(&str, &str)] = &[
    (
        "index.html",
        "<a href=about><a href=team><a href=docs><a href=old/x><a href=old/y/z><a href=gone/x>\
         <a href=away><a href=hop><a href=round><a href=bare/>",
    ),
    ("about.html", ""),
    ("team/main.html", ""),
    ("docs/index.html", ""),
    ("new/x.html", ""),
    ("bare/x.txt", ""),
];

const REDIRECTS: &str = "/old/x /new/x.html 301\n/old/* /new/:splat\n/gone/* /404.html 404\n\
    /away https://elsewhere.example/\n/hop /step\n/step /about.html\n/round /round\n\
    /bare/ /about.html\nhttps://other.example/* https://elsewhere.example/:splat 301!\n";

#[test]
fn redirects_that_grow_are_loops() {
    for (file, rules) in [
        ("_redirects", "/x/* /x/:splat/:splat/:splat/:splat\n"),
        (".htaccess", "RedirectMatch \"^/x/(.*)$\" /x/$1/$1/$1\n"),
        ("_redirects", "/:a/:b/:c/* /:a/:splat/:a/:b/:c/:splat\n"),
    ] {
        let test = TestDir::with_site(&[("index.html", "<a href=/x/a/b/c>")]);
        test.write(&format!("site/{file}"), rules.as_bytes());
        let expected = ["index.html:1:9 broken-target /x/a/b/c"];
        assert_eq!(found(&test, &[]), expected, "{rules}");
        let told = test.rehref(&["audit", "site", "--url", "https://h.example/"]).stdout();
        let place = format!("the redirect rule in {file}:1 starts a redirect loop");
        assert!(told.contains(&place), "{told}");
    }
}

#[test]
fn clean_urls_and_redirects() {
    let none = TestDir::with_site(CLEAN);
    assert_eq!(
        found(&none, &[]),
        [
            "index.html:1:9 broken-target about -> about.html",
            "index.html:1:23 directory-without-index team",
            "index.html:1:36 missing-trailing-slash docs -> docs/",
            "index.html:1:49 broken-target old/x",
            "index.html:1:63 broken-target old/y/z",
            "index.html:1:79 broken-target gone/x",
            "index.html:1:94 broken-target away",
            "index.html:1:107 broken-target hop",
            "index.html:1:119 broken-target round",
            "index.html:1:133 directory-without-index bare/",
        ]
    );
    let left = [
        "index.html:1:63 broken-target old/y/z",
        "index.html:1:79 broken-target gone/x",
        "index.html:1:119 broken-target round",
    ];
    let tries = "{}.html,{}/index.html,{}/main.html";
    let own = TestDir::with_site(CLEAN);
    own.write("site/_redirects", REDIRECTS.as_bytes());
    let of_rules = |file: &str| {
        ["5:6 redirect-chain /step", "7:8 redirect-loop /round"].map(|it| format!("{file}:{it}"))
    };
    let all = |first: &[String], last: &[String]| {
        let left = left.map(str::to_owned);
        [first, &left[..], last].concat()
    };
    let own_rules = of_rules("_redirects");
    assert_eq!(found(&own, &["--try", tries]), all(&own_rules, &[]));
    none.write("rules.txt", REDIRECTS.as_bytes());
    assert_eq!(
        found(&none, &["--try", tries, "--redirects", "rules.txt"]),
        all(&[], &of_rules("../rules.txt"))
    );
    let of_other = ["--try", tries, "--redirects", "rules.txt", "--url", "https://other.example/"];
    let of_pages = |it: &String| it.starts_with("index.html");
    assert!(!found(&none, &of_other).iter().any(of_pages));
}

#[test]
fn a_page_for_everything() {
    let dir =
        TestDir::with_site(&[("index.html", "<a href=route/1><a href=app.js>"), ("app.js", "")]);
    for rule in ["/* /index.html 200", "/* /index.html 200!"] {
        dir.write("site/_redirects", rule.as_bytes());
        assert_eq!(found(&dir, &[]), [""; 0], "{rule}");
    }
}

#[test]
fn index_names_and_negotiation() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=d/><a href=manual><a href=manual.html#x>"),
        ("d/home.php", ""),
        ("manual.html.en", "<p id=x>"),
        ("manual.html.fr", ""),
    ]);
    assert_eq!(
        found(&dir, &[]),
        [
            "index.html:1:9 directory-without-index d/",
            "index.html:1:20 broken-target manual",
            "index.html:1:35 broken-target manual.html#x",
        ]
    );
    assert_eq!(found(&dir, &["--index-files", "home.php,index.html", "--multiviews"]), [""; 0]);
}

#[test]
fn what_is_no_rule() {
    let dir = TestDir::with_site(&[("index.html", "")]);
    dir.write("bad.txt", b"/a /b\n/c\n");
    dir.write("status.txt", b"/a /b 3o1\n");
    dir.write("arrow.txt", b"/a -> /b\n");
    dir.write("list.json", b"{\"a\":");
    dir.write("nginx.conf", b"# old\nlocation /a { return 301 /b;\n");
    for (arguments, expected) in [
        (&["--try", "x.html"][..], "`x.html` must contain {} once"),
        (
            &["--redirects", "bad.txt"],
            "error: --redirects bad.txt:2: a rule is a path and a target",
        ),
        (&["--redirects", "status.txt"], "must be a number from 100 to 599"),
        (&["--redirects", "arrow.txt"], "write the rule without an arrow"),
        (&["--redirects", "list.json"], "not a JSON list of redirects"),
        (&["--redirects", "nginx.conf"], ":2: no } closes this block"),
        (&["--redirects", "none.txt"], "error: --redirects none.txt: no such file"),
    ] {
        let mut all = vec!["audit", "site", "-q"];
        all.extend(arguments);
        let run = dir.rehref(&all).status(2);
        assert!(run.stderr().contains(expected), "{}", run.stderr());
    }
    // A bad file in the site is no reason to stop.
    dir.write("site/_redirects", b"/c\n");
    let run = dir.rehref(&["audit", "site"]).status(0);
    assert!(run.stderr().contains("warning: _redirects:1: "), "{}", run.stderr());
}

#[test]
fn rules_whose_regular_expression_rehref_cannot_read_are_named() {
    let dir = TestDir::with_site(&[("index.html", "<a href=/old/a><a href=/en/a>")]);
    let rules =
        "RedirectMatch ^/old/(.*)$ /index.html\nRedirectMatch ^/(?!de)(.*)/a$ /index.html\n";
    dir.write("site/.htaccess", rules.as_bytes());
    dir.write("rules.htaccess", rules.as_bytes());
    let run = dir.rehref(&["audit", "site", "--url", "https://h.example/"]);
    let warning = ".htaccess:2: rehref cannot read this regular expression";
    let run = run.status(1);
    assert!(run.stderr().contains(&format!("warning: {warning}")), "{}", run.stderr());
    assert!(run.stdout().contains("/en/a"), "{}", run.stdout());
    let given = ["links", "site", "--url", "https://h.example/", "--redirects", "rules.htaccess"];
    let run = dir.rehref(&given).status(0);
    let warning = format!("warning: --redirects rules{warning}");
    assert!(run.stderr().contains(&warning), "{}", run.stderr());
}

#[test]
fn links_know_the_server_too() {
    let dir = TestDir::with_site(CLEAN);
    let records = |arguments: &[&str]| {
        let mut all = vec!["links", "site", "--format", "jsonl", "-q"];
        all.extend(arguments);
        dir.rehref(&all).status(0).stdout()
    };
    assert_eq!(records(&[]).matches("\"found\":true").count(), 3);
    let tried = records(&["--try", "{}.html,{}/main.html"]);
    assert_eq!(tried.matches("\"file\":\"about.html\"").count(), 1);
    assert_eq!(tried.matches("\"file\":\"team/main.html\"").count(), 1);
}

#[test]
fn a_link_into_a_redirect_loop_says_so() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=loop>"),
        ("_redirects", "/loop /other\n/other /loop\n"),
    ]);
    let run = dir.rehref(&["audit", "site", "--only", "broken-target"]);
    let stdout = run.status(1).stdout();
    assert!(
        stdout.contains("the redirect rule in _redirects:1 starts a redirect loop"),
        "{stdout}"
    );
}
