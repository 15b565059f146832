//! Redirect rules as links: moved with the site, audited, and read in every format that is written.

use crate::support::{TestDir, copy_tree, tree, without_times};

const URL: &str = "https://e.org/docs/";

const NETLIFY: &str = "# old names\n/docs/old.html /docs/guide/a.html 301\n\
    /docs/guide/gone  /docs/guide/?x=1#top   302!\n/docs/blog/* /docs/guide/:splat\n\
    /docs/away https://elsewhere.example/docs/guide/a.html\n/ /docs/ 302\n\
    https://e.org/docs/abs https://e.org/docs/guide/a.html # why\n";

const APACHE: &str = "Options -Indexes\nRedirect 301 /docs/old.html /docs/guide/a.html\n\
    RedirectMatch 301 \"^/docs/x\\.html$\" \"/docs/guide/a.html\"\n\
    RedirectMatch ^/docs/guide/(\\d+)/(.*)$ /docs/guide/$2\nRedirect gone /docs/guide/dead\n";

fn site() -> TestDir {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=guide/gone><a href=guide/a.html>"),
        ("guide/index.html", ""),
        ("guide/a.html", ""),
    ]);
    dir.write("site/_redirects", NETLIFY.as_bytes());
    dir.write("site/.htaccess", APACHE.as_bytes());
    dir
}

fn rewritten(dir: &TestDir, arguments: &[&str]) -> String {
    let all = ["move", "site", "-o", "out", "--verify", "--url", URL];
    let run = dir.rehref(&[&all, arguments].concat()).status(0);
    let warnings: Vec<String> = run
        .stderr()
        .lines()
        .filter(|line| line.starts_with("warning"))
        .map(str::to_owned)
        .collect();
    [dir.read("out/_redirects"), dir.read("out/.htaccess"), warnings.join("\n")].join("\n")
}

#[test]
fn both_sides_of_a_rule_follow_a_moved_folder() {
    insta::assert_snapshot!(rewritten(&site(), &["guide=help"]));
}

#[test]
fn both_sides_of_a_rule_follow_the_site() {
    let dir = site();
    insta::assert_snapshot!(rewritten(&dir, &["--new-url", "https://new.example/"]));
}

#[test]
fn both_sides_of_the_rules_in_a_given_file_follow() {
    for (name, rules, expected) in [
        (
            "redirects.json",
            r#"[{"from":"/docs/guide/gone","to":"/docs/guide/a.html","status":301}]"#,
            r#"[{"from":"/docs/help/gone","to":"/docs/help/a.html","status":301}]"#,
        ),
        (
            "server/rules.conf",
            "location = /docs/guide/gone { return 301 /docs/guide/a.html; }\n",
            "location = /docs/help/gone { return 301 /docs/help/a.html; }\n",
        ),
    ] {
        let dir = TestDir::with_site(&[("index.html", ""), ("guide/a.html", "")]);
        dir.write(&format!("site/{name}"), rules.as_bytes());
        let file = format!("site/{name}");
        let given = ["--redirects", &*file, "--url", URL];
        let arguments = ["move", "site", "guide=help", "-o", "out", "--verify"];
        dir.rehref(&[&arguments[..], &given].concat()).status(0);
        assert_eq!(dir.read(&format!("out/{name}")), expected);
        // Not given, or not in SITE.
        dir.rehref(&[&arguments[..4], &["out-2", "--url", URL]].concat()).status(0);
        assert_eq!(dir.read(&format!("out-2/{name}")), rules);
        dir.write("rules", rules.as_bytes());
        let given = ["--redirects", "rules", "--dry-run"];
        let run = dir.rehref(&[&arguments[..3], &given].concat()).status(0);
        let warning =
            "warning: --redirects rules is outside SITE, so move does not update its rules";
        assert!(run.stderr().contains(warning), "{}", run.stderr());
    }
}

#[test]
fn other_rewritings_leave_rules_alone() {
    let dir = site();
    for command in ["absolute", "relative"] {
        let options = ["-o", command, "--verify", "--url", URL];
        let run = dir.rehref(&[&[command, "site"][..], &options].concat()).status(0);
        assert_eq!(dir.read(&format!("{command}/_redirects")), NETLIFY);
        assert_eq!(dir.read(&format!("{command}/.htaccess")), APACHE);
        let summary = run.stderr();
        assert!(summary.contains("in redirect rules (only move changes these)"), "{summary}");
    }
}

#[test]
fn the_audit_checks_the_rules_themselves() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=gone/x><a href=dead><a href=old>"),
        ("a.html", ""),
        ("new/x.html", ""),
        (
            "_redirects",
            "/old /missing.html 301\n/a.html /new/x.html\n/first /second\n/second /a.html\n\
             /round /there\n/there /round\n/self /self\n/wild/* /new/:splat\n/wild/one /a.html\n\
             /gone/* /404.html 404\n/dead /nowhere.html\n/list/* /lists/:splat\n/page /a.html 200\n\
             /away https://elsewhere.example/\n/a /a.html 200\n/dead /no/where.html\n",
        ),
    ]);
    let report = dir.rehref(&["audit", "site", "--format", "jsonl", "-q"]).status(1);
    let found: Vec<String> = report
        .stdout()
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|it| it["check"].is_string())
        .map(|it| {
            let (path, line) = (it["document"].as_str().unwrap_or_default(), &it["line"]);
            let check = it["check"].as_str().unwrap_or_default();
            format!("{path}:{line} {check}: {}", it["message"].as_str().unwrap_or_default())
        })
        .collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn every_format_that_is_written_is_read() {
    for format in ["netlify", "apache", "nginx", "json"] {
        let dir =
            TestDir::with_site(&[("a.html", ""), ("b c/old page.html", ""), ("d/index.html", "")]);
        let moves = ["a.html=new/a.html", "b c/old page.html=b c/new page.html", "d=e"];
        let options = ["-o", "out", "-q", "--write-redirects", &format!("{format}=rules")];
        dir.rehref(&[&["move", "site"][..], &moves, &options].concat()).status(0);
        let links = "<a href=a.html><a href='b c/old page.html'><a href=d/><a href=d/index.html>";
        dir.write("out/index.html", links.as_bytes());
        let without = dir.rehref(&["audit", "out", "-q"]).status(1);
        assert!(without.stdout().contains("broken-target"), "{format}");
        let with = dir.rehref(&["audit", "out", "-q", "--redirects", "rules"]);
        let with = with.status(0).stdout();
        assert!(!with.contains("broken-target"), "{format}: {with}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_run_says_where_it_wrote_redirects() {
    for (format, expected) in [
        ("html", "2 redirects written to pages at the old paths"),
        ("apache", "2 redirects written to .htaccess"),
        ("nginx=rules.conf", "2 redirects written to rules.conf"),
    ] {
        let dir = TestDir::with_site(&[("a.html", ""), ("b.html", ""), ("c.html", "")]);
        let options = ["--in-place", "--write-redirects", format];
        let request = ["move", "site", "a.html=d.html", "b.html=e.html"];
        let run = dir.rehref(&[&request[..], &options].concat()).status(0);
        let expected = format!("note: {expected}\n");
        assert!(run.stderr().contains(&expected), "{}", run.stderr());
    }
    // What goes to stdout needs no note.
    let dir = TestDir::with_site(&[("a.html", "")]);
    let request = ["move", "site", "a.html=d.html", "-o", "out"];
    let run = dir.rehref(&[&request[..], &["--write-redirects", "nginx"]].concat());
    let stderr = run.status(0).stderr();
    assert!(!stderr.contains("redirect"), "{stderr}");
}

#[test]
fn redirect_pages_lead_to_the_new_place_and_have_no_findings() {
    let dir = TestDir::with_site(&[("index.html", "<a href=a.html#x>"), ("a.html", "<p id=x>")]);
    let options = ["-o", "out", "-q", "--write-redirects", "html"];
    dir.rehref(&[&["move", "site", "a.html=new/a.html"][..], &options].concat()).status(0);
    assert_eq!(tree(&dir.path("out")).len(), 3);
    let page = dir.read("out/a.html");
    assert!(page.contains("location.replace(to + location.hash)"), "{page}");
    dir.write("out/index.html", b"<a href=a.html#x>");
    let run = dir.rehref(&["audit", "out", "-q"]).status(0);
    insta::assert_snapshot!("redirect_page", without_times(&(page + &run.stdout())));
}

#[test]
fn targets_in_quotes_may_have_spaces() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href='news/tide%20tables.html'>x</a>"),
        ("news/tide tables.html", "x"),
        ("news/100% x.html", "x"),
        ("news/it.html", "x"),
        (
            ".htaccess",
            "RedirectMatch 301 \"^/docs/a$\" \"/docs/news/tide tables.html\"\n\
             Redirect 301 /docs/b \"/docs/news/tide tables.html\"\n\
             Redirect 301 /docs/c '/docs/news/tide%20tables.html'\n\
             RedirectMatch 301 \"^/docs/d$\" \"/docs/news/100% x.html\"\n\
             Redirect 301 \"/docs/old e\" \"/docs/news/it.html\"\n",
        ),
    ]);
    let run = ["move", "site", "news=a b", "--url", "https://example.org/docs/", "--verify"];
    dir.rehref(&[&run[..], &["-o", "out"]].concat()).status(0);
    assert_eq!(
        dir.read("out/.htaccess"),
        "RedirectMatch 301 \"^/docs/a$\" \"/docs/a b/tide tables.html\"\n\
         Redirect 301 /docs/b \"/docs/a%20b/tide tables.html\"\n\
         Redirect 301 /docs/c '/docs/a%20b/tide%20tables.html'\n\
         RedirectMatch 301 \"^/docs/d$\" \"/docs/a b/100% x.html\"\n\
         Redirect 301 \"/docs/old e\" \"/docs/a%20b/it.html\"\n"
    );
}

/// Every URL for which the server sent a moved file has a redirect: without the slash of its folder, and as the
/// server's rules shorten it.
#[test]
fn every_url_of_a_moved_file_is_redirected() {
    let dir = TestDir::with_site(&[
        ("guide/index.html", "<a href=a>a</a>"),
        ("guide/a.html", "<a href=../b>b</a>"),
        ("b.html", "<a href=guide/a>a</a>"),
    ]);
    type Redirects = [(&'static str, &'static str)];
    let cases: [(&[&str], &Redirects); 5] = [
        (
            &["guide=help", "--try", "{}.html"],
            &[
                ("/guide/a", "/help/a"),
                ("/guide/a.html", "/help/a.html"),
                ("/guide/", "/help/"),
                ("/guide", "/help/"),
                ("/guide/index", "/help/index"),
                ("/guide/index.html", "/help/index.html"),
            ],
        ),
        // The folder has its slash again, and the page its short URL.
        (
            &["guide=help", "b.html=guide/index.html", "--try", "{}.html"],
            &[
                ("/b", "/guide/index"),
                ("/b.html", "/guide/index.html"),
                ("/guide/a", "/help/a"),
                ("/guide/a.html", "/help/a.html"),
            ],
        ),
        // A file now has the name of the folder.
        (
            &["guide/index.html=c.html", "guide/a.html=d.html", "b.html=guide"],
            &[
                ("/b.html", "/guide"),
                ("/guide/a.html", "/d.html"),
                ("/guide/", "/c.html"),
                ("/guide/index.html", "/c.html"),
            ],
        ),
        // The short URL is that of the same file, before and after.
        (
            &["b.html=b/index.html", "--try", "{}.html,{}/index.html"],
            &[("/b.html", "/b/index.html")],
        ),
        (&["b.html=c.html", "--multiviews"], &[("/b", "/c"), ("/b.html", "/c.html")]),
    ];
    for (number, (arguments, expected)) in cases.into_iter().enumerate() {
        let out = format!("out-{number}");
        let fixed = ["move", "site", "-o", &out, "--quiet", "--url", "https://h.example/"];
        let json = format!("{number}.json");
        let destination = format!("--write-redirects=json={json}");
        let all = [&fixed[..], &[&destination], arguments].concat();
        dir.rehref(&all).status(0);
        let list: serde_json::Value = serde_json::from_str(&dir.read(&json)).unwrap();
        let found: Vec<(&str, &str)> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["from"].as_str().unwrap(), it["to"].as_str().unwrap()))
            .collect();
        assert_eq!(found, expected, "{arguments:?}");
    }
}

/// Servers that read `_redirects` ignore the slash: a second rule would never apply.
#[test]
fn netlify_has_one_rule_for_both_urls_of_a_folder() {
    let dir =
        TestDir::with_site(&[("guide/index.html", "<a href=../b.html>b</a>"), ("b.html", "")]);
    let run = dir
        .rehref(&[
            "move",
            "site",
            "-o",
            "out",
            "guide=help",
            "--url",
            "https://h.example/",
            "--write-redirects",
            "netlify",
        ])
        .status(0);
    assert!(run.stderr().contains("2 redirects written"), "{}", run.stderr());
    assert_eq!(
        dir.read("out/_redirects"),
        "# Written by rehref move\n/guide/ /help/ 301\n/guide/index.html /help/index.html 301\n"
    );
    dir.rehref(&["audit", "out", "--url", "https://h.example/"]).status(0);
}

/// `verify` takes the arguments of the move, also for the redirects: these and no others.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn verify_expects_the_redirects_of_the_same_move() {
    for (format, file) in [
        ("netlify", "site/_redirects"),
        ("apache", "site/.htaccess"),
        ("nginx=site/rules.txt", "site/rules.txt"),
        ("html", "site/guide/a.html"),
    ] {
        let dir = TestDir::with_site(&[
            ("guide/index.html", "<a href=../b.html>b</a>"),
            ("guide/a.html", "<a href=../b.html>b</a>"),
            ("b.html", "<a href=guide/a.html>a</a>"),
            // Without a line end.
            ("_redirects", "/x /guide/a.html 301"),
            ("rules.txt", "# own\n"),
        ]);
        copy_tree(&dir.path("site"), &dir.path("before"));
        let site = ["--url", "https://h.example/", "guide=help"];
        let with_redirects = [&site[..], &["--write-redirects", format]].concat();
        dir.rehref(&[&["move", "site", "--in-place"], &with_redirects[..]].concat()).status(0);
        let verify =
            |arguments: &[&str]| dir.rehref(&[&["verify", "before", "site"], arguments].concat());
        verify(&with_redirects).status(0);
        let stderr = verify(&site).status(1).stderr();
        let has_new_file = matches!(format, "apache" | "html");
        let advice = "if move wrote them for redirects, add the --write-redirects of the move";
        assert_eq!(stderr.contains(advice), has_new_file, "{format}: {stderr}");
        let written = dir.read(file);
        dir.write(file, written.replace("help", "hell").as_bytes());
        let run = verify(&with_redirects).status(1);
        assert!(run.stdout().contains(&file[5..]), "{}", run.stdout());
        std::fs::remove_file(dir.path(file)).unwrap();
        verify(&with_redirects).status(1);
        dir.write(file, written.as_bytes());
        dir.write("site/help/a.html", b"<a href=../c.html>b</a>");
        verify(&with_redirects).status(1);
    }
}

#[test]
fn findings_in_a_given_file_have_the_path_of_the_file() {
    let dir = TestDir::with_site(&[("a.html", "")]);
    let rules = b"/old.html /gone.html 301\n";
    dir.write("rules.txt", rules);
    dir.write("site/own.txt", rules);
    for (site, file, expected) in [
        ("site", "rules.txt", "rules.txt:1:"),
        ("site", "site/own.txt", "site/own.txt:1:"),
        ("./site/", "rules.txt", "rules.txt:1:"),
    ] {
        let url = ["--url", "https://h.example/"];
        let run = dir.rehref(&[&["audit", site, "--redirects", file], &url[..]].concat());
        let stdout = run.status(1).stdout();
        let place = stdout.split_whitespace().find(|it| it.contains(".txt:1:"));
        assert!(place.unwrap().starts_with(expected), "{stdout}");
    }
}

#[test]
fn verify_reads_the_redirects_outside_of_the_tree() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>b</a>"), ("b.html", "")]);
    let options =
        ["--url", "https://h.example/", "b.html=c.html", "--write-redirects", "nginx=rules.conf"];
    dir.rehref(&[&["move", "site", "-o", "out"], &options[..]].concat()).status(0);
    let verify = || dir.rehref(&[&["verify", "site", "out"], &options[..]].concat());
    verify().status(0);
    dir.write("rules.conf", dir.read("rules.conf").replace("c.html", "d.html").as_bytes());
    let stdout = verify().status(1).stdout();
    assert!(stdout.contains("rules.conf"), "{stdout}");
    std::fs::remove_file(dir.path("rules.conf")).unwrap();
    verify().status(2);
}

const HOST: [&str; 2] = ["--url", "https://h.example/doc/"];

/// The site with the directory `a`, in which two pages were renamed with redirects in `format`.
fn renamed_once(format: &str) -> TestDir {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=a/one.html>1</a>"),
        ("a/one.html", "<a href=../index.html>0</a>"),
        ("a/two.html", "<a href=one.html#x>1</a><p id=x>"),
    ]);
    let request = ["move", "site", "a/one.html=a/uno.html", "--in-place"];
    dir.rehref(&[&request[..], &HOST, &["--write-redirects", format]].concat()).status(0);
    dir
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_second_move_redirects_the_old_urls_of_the_first() {
    for (format, file) in [("apache", ".htaccess"), ("nginx=site/rules.conf", "rules.conf")] {
        let dir = renamed_once(format);
        let given = format!("site/{file}");
        let second = [&["a=b"], &HOST[..], &["--write-redirects", format]].concat();
        let second = match file {
            ".htaccess" => second,
            _ => [&second[..], &["--redirects", &given]].concat(),
        };
        copy_tree(&dir.path("site"), &dir.path("before"));
        let run = dir.rehref(&[&["move", "site", "--in-place"], &second[..]].concat());
        run.status(0);
        let rules = dir.read(&given);
        // The old URL of the first move, and the one that links within the tree may have had.
        for from in ["/doc/a/one", "/doc/a/uno", "/doc/b/one"] {
            let line = rules.lines().find(|line| line.contains(from));
            let line = line.unwrap_or_else(|| panic!("{from} in {rules}"));
            assert!(line.contains("\"/doc/b/uno.html\""), "{line}");
        }
        let before = format!("before/{file}");
        let verify: Vec<&str> =
            second.iter().map(|it| if *it == given { &*before } else { it }).collect();
        dir.rehref(&[&["verify", "before", "site"], &verify[..]].concat()).status(0);
        // The old server gets the old URLs of all moves.
        let away = ["move", "site", "--new-url", "https://new.example/", "-o", "out"];
        let redirects = match file {
            ".htaccess" => vec!["--write-redirects", "apache=old.txt"],
            _ => vec!["--write-redirects", "apache=old.txt", "--redirects", &given],
        };
        dir.rehref(&[&away[..], &HOST, &redirects].concat()).status(0);
        let rules = dir.read("old.txt");
        for from in ["a/one", "a/uno", "b/one", "b/uno"] {
            let line = rules.lines().find(|line| line.contains(&format!("^/doc/{from}")));
            let line = line.unwrap_or_else(|| panic!("{from} in {rules}"));
            assert!(line.contains("\"https://new.example/b/uno.html\""), "{line}");
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_second_move_without_redirects_says_which_old_urls_it_drops() {
    let dir = renamed_once("apache");
    let request = ["move", "site", "a=b", "-o", "out"];
    let stderr = dir.rehref(&[&request[..], &HOST].concat()).status(0).stderr();
    let said = "1 old URL that rules redirected, such as /doc/a/one.html, no longer redirect";
    assert!(stderr.contains(said), "{stderr}");
    let request = ["move", "site", "index.html=home.html", "-o", "out2"];
    let stderr = dir.rehref(&[&request[..], &HOST].concat()).status(0).stderr();
    assert!(!stderr.contains("redirect"), "{stderr}");
}

/// Site, options and the file of rules in each format: a directory with ten pages, each in a directory of its own.
fn to_be_undone(format: &str) -> (TestDir, String) {
    let dir = TestDir::with_site(&[("index.html", "<a href=g/0/>0</a>")]);
    for number in 0..9 {
        let page = format!("site/g/{number}/index.html");
        dir.write(&page, b"<a href=../../>up</a>");
    }
    let file = match format {
        "netlify" => "site/_redirects",
        "apache" => "site/.htaccess",
        "nginx=site/rules.conf" => "site/rules.conf",
        _ => "rules.conf",
    };
    (dir, file.to_owned())
}

const IN_PLACE: [&str; 5] = ["move", "site", "--in-place", "--url", "https://h.example/doc/"];

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_move_back_removes_the_rules_of_the_first_move() {
    for format in ["netlify", "apache", "nginx=rules.conf", "nginx=site/rules.conf"] {
        let (dir, file) = to_be_undone(format);
        let run = |more: &[&str], request: &str| {
            let redirects = ["--write-redirects", format, request];
            dir.rehref(&[more, &redirects[..]].concat())
        };
        run(&IN_PLACE, "g=h").status(0);
        let mut rules = dir.read(&file);
        let count = rules.lines().count() - 1;
        for (request, from, to) in [("h=g", "h", "g"), ("g=h", "g", "h"), ("h=g", "h", "g")] {
            let dry = ["move", "site", "-n", "--url", "https://h.example/doc/"];
            let said = format!("note: {count} rules of earlier moves would be removed from");
            let dry = run(&dry, request).status(0).stderr();
            assert!(dry.contains(&said), "{format}: {dry}");
            assert_eq!(dir.read(&file), rules, "{format}: a dry run");
            copy_tree(&dir.path("site"), &dir.path("before"));
            let stderr = run(&IN_PLACE, request).status(0).stderr();
            let said = format!("note: {count} rules of earlier moves removed from");
            assert!(stderr.contains(&said), "{format}: {stderr}");
            assert!(!stderr.contains("remove the rule"), "{format}: {stderr}");
            rules = dir.read(&file);
            // Those of all earlier moves redirect to the page, and none redirects the page.
            assert!(rules.contains(&format!("/doc/{to}/")), "{format}: {rules}");
            for line in rules.lines().skip(1) {
                let (source, target) = line.rsplit_once("/doc/").unwrap();
                assert!(source.contains(&format!("/doc/{from}")), "{format}: {line}");
                assert!(target.starts_with(to), "{format}: {line}");
            }
            let verify = ["verify", "before", "site", "--url", "https://h.example/doc/"];
            run(&verify, request).status(0);
            std::fs::remove_dir_all(dir.path("before")).unwrap();
        }
    }
}

/// Of two names the earlier one stays redirected, and the rules of somebody else stay.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_move_back_removes_only_what_it_undoes() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=a.html>a</a>"),
        ("a.html", ""),
        (".htaccess", "# own\nRedirectMatch 301 \"^/doc/own$\" \"/doc/a.html\"\nOptions -Indexes"),
    ]);
    let run = |request: &str| {
        let run = dir.rehref(&[&IN_PLACE[..], &["--write-redirects", "apache", request]].concat());
        run.status(0).stderr()
    };
    run("a.html=b.html");
    run("b.html=c.html");
    let stderr = run("c.html=a.html");
    assert!(stderr.contains("note: 1 rule of earlier moves removed from .htaccess"), "{stderr}");
    assert_eq!(
        dir.read("site/.htaccess"),
        "# own\nRedirectMatch 301 \"^/doc/own$\" \"/doc/a.html\"\nOptions -Indexes\n\
         # Written by rehref move\nRedirectMatch 301 \"^/doc/b\\.html$\" \"/doc/a.html\"\n\
         # Written by rehref move\nRedirectMatch 301 \"^/doc/c\\.html$\" \"/doc/a.html\"\n"
    );
}

/// Rules that nobody knows to be those of a move: all are listed, and the run fails.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn rules_of_others_that_redirect_moved_files_fail_the_run() {
    let (dir, file) = to_be_undone("apache");
    dir.rehref(&[&IN_PLACE[..], &["--write-redirects", "apache", "g=h"]].concat()).status(0);
    let own = dir.read(&file).replace("# Written by rehref move", "# own");
    let own: String = own.lines().map(|line| format!("{line}\n\n")).collect();
    dir.write(&file, own.as_bytes());
    let all: Vec<String> = (1..=27).map(|rule| (2 * rule + 1).to_string()).collect();
    let said = format!(
        "error: .htaccess: rules redirect paths that files moved to, such as /doc/g/0/, and visitors may not reach these \
         files; remove the rules in lines {}\n",
        all.join(", ")
    );
    let run = dir.rehref(&[&IN_PLACE[..], &["--quiet", "h=g"]].concat());
    assert_eq!(run.status(1).stderr(), said);
}

/// nginx does not start with two rules for one path, whatever their targets.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_path_has_one_rule_in_a_file_for_nginx() {
    let dir = TestDir::with_site(&[("index.html", ""), ("help/index.html", "")]);
    let run = |request: &str| {
        let redirects = ["--write-redirects", "nginx=rules.conf", request];
        let run = dir.rehref(&[&IN_PLACE[..], &redirects].concat());
        run.status(0).stderr()
    };
    let rules = || dir.read("rules.conf");
    run("help=guide");
    let first = rules();
    run("guide=help");
    run("help=guide");
    assert_eq!(rules(), first);
    // The user removed some rules, the other way round.
    run("guide=help");
    dir.write("rules.conf", b"# mine\nlocation = \"/doc/help\" { return 301 \"/doc/guide/\"; }\n");
    run("help=guide");
    assert_eq!(rules().matches("location = \"/doc/help\"").count(), 1);
    // A new page at an old path.
    dir.write("site/help/index.html", b"");
    let stderr = run("help=faq");
    let said = "warning: no redirect from 3 old URLs, such as /doc/help/ to https://h.example/doc/faq/: nginx \
                allows one rule for each path, and rules.conf already has rules with other targets (lines 2, 4-5); change";
    assert!(stderr.contains(said), "{stderr}");
    assert_eq!(rules().matches("location = \"/doc/help\"").count(), 1);
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_rule_for_a_short_url_that_moves_back_is_removed() {
    for format in ["netlify", "apache", "nginx=rules.conf"] {
        let dir = TestDir::with_site(&[("index.html", ""), ("a.html", "")]);
        let options = ["--try", "{}.html,{}/index.html", "--write-redirects", format];
        let run = |request: &str| dir.rehref(&[&IN_PLACE[..], &options, &[request]].concat());
        run("a.html=b.html").status(0);
        let stderr = run("b.html=a.html").status(0).stderr();
        let said = "2 rules of earlier moves removed";
        assert!(stderr.contains(said), "{format}: {stderr}");
    }
    // Rules of somebody else are named.
    let dir = TestDir::with_site(&[
        ("index.html", ""),
        ("b.html", ""),
        (".htaccess", "RedirectMatch 301 ^/doc/a$ /doc/b\n"),
    ]);
    let try_html = ["--try", "{}.html", "b.html=a.html"];
    let run = dir.rehref(&[&IN_PLACE[..], &try_html].concat()).status(1);
    let said = "error: .htaccess: rules redirect paths that files moved to, such as /doc/a,";
    assert!(run.stderr().contains(said), "{}", run.stderr());
}

/// The rule leads to the same page, at its short URL.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_rule_for_the_short_url_of_a_moved_page_is_right() {
    let dir = TestDir::with_site(&[
        ("index.html", ""),
        ("a.html", ""),
        (".htaccess", "RedirectMatch 301 ^/doc/a\\.html$ /doc/a\n"),
    ]);
    let try_html = ["--try", "{}.html", "a.html=b.html"];
    let run = dir.rehref(&[&IN_PLACE[..], &try_html].concat()).status(0);
    assert!(!run.stderr().contains("this rule"), "{}", run.stderr());
}

#[test]
fn a_site_below_the_root_has_a_redirect_without_the_slash() {
    let dir = TestDir::with_site(&[("index.html", ""), ("_redirects", "/x /y\n")]);
    let away = ["--new-url", "https://new.example/", "-o", "out"];
    let redirects = ["--write-redirects", "nginx=old.conf"];
    dir.rehref(&[&["move", "site"], &away[..], &HOST, &redirects].concat()).status(0);
    assert_eq!(
        dir.read("old.conf"),
        "# Written by rehref move\n\
         location = \"/doc/\" { return 301 \"https://new.example/\"; }\n\
         location = \"/doc\" { return 301 \"https://new.example/\"; }\n\
         location = \"/doc/index.html\" { return 301 \"https://new.example/index.html\"; }\n"
    );
}

/// `Redirect` matches by the beginning of the path, and nothing is below a page.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn the_old_path_of_a_prefix_rule_for_a_page_stays_redirected() {
    let dir = TestDir::with_site(&[
        ("index.html", ""),
        ("news/a.html", ""),
        (".htaccess", "Redirect 301 /doc/news/legacy.html /doc/news/a.html\n"),
    ]);
    let redirects = ["--write-redirects", "apache", "news=blog"];
    let run = dir.rehref(&[&IN_PLACE[..], &redirects].concat()).status(0);
    assert!(!run.stderr().contains("many URLs"), "{}", run.stderr());
    let rules = dir.read("site/.htaccess");
    let expected = "RedirectMatch 301 \"^/doc/news/legacy\\.html$\" \"/doc/blog/a.html\"\n";
    assert!(rules.contains(expected), "{rules}");
}

/// A new page got the old path by hand, and moves: its rule follows, and hides it.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_rule_that_hides_a_moved_file_before_and_after_fails_the_run() {
    let dir = TestDir::with_site(&[("index.html", ""), ("help/index.html", "")]);
    let run = |request: &str, status: i32| {
        let redirects = ["--write-redirects", "apache", request];
        let run = dir.rehref(&[&IN_PLACE[..], &redirects].concat());
        run.status(status).stderr()
    };
    run("help=guide", 0);
    dir.write("site/help/index.html", b"");
    let stderr = run("help=faq", 1);
    let said = "error: .htaccess: rules redirect paths that files moved to";
    assert!(stderr.contains(said), "{stderr}");
}

#[test]
fn a_rule_for_a_directory_that_moves_back_is_warned_of() {
    let dir =
        TestDir::with_site(&[("b/one.html", "<a href=../index.html>0</a>"), ("index.html", "")]);
    dir.write("site/.htaccess", b"Redirect 301 /doc/a /doc/b\n");
    let request = ["move", "site", "b=a", "-o", "out"];
    let stderr = dir.rehref(&[&request[..], &HOST].concat()).status(1).stderr();
    let said = "error: .htaccess:1: this rule redirects 1 URL of moved files, such as /a/one.html";
    assert!(stderr.contains(said), "{stderr}");
}

#[test]
fn redirects_to_a_new_host_belong_to_the_old_one() {
    let dir = TestDir::with_site(&[("index.html", "<a href=a.html>1</a>"), ("a.html", "")]);
    let said = "write the redirects to a file for that server, as --write-redirects";
    for (format, is_said) in
        [("apache", true), ("html", true), ("apache=old.txt", false), ("nginx", false)]
    {
        let request = ["move", "site", "--new-url", "https://new.example/", "-n"];
        let stderr = dir
            .rehref(&[&request[..], &HOST, &["--write-redirects", format]].concat())
            .status(0)
            .stderr();
        assert_eq!(stderr.contains(said), is_said, "{stderr}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn redirect_pages_in_the_way_of_a_move_back_are_named() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=a/one.html>1</a>"),
        ("a/one.html", "<a href=../index.html>0</a>"),
        ("b.html", ""),
    ]);
    let request = ["move", "site", "a=c", "--in-place", "--write-redirects", "html"];
    dir.rehref(&[&request[..], &HOST].concat()).status(0);
    let refused = |request: &str| {
        let run = dir.rehref(&[&["move", "site", request, "-n"], &HOST[..]].concat());
        run.status(2).stderr()
    };
    let stderr = refused("c=a");
    let said = "redirect pages of an earlier move in the way of the new files: a/one.html;";
    assert!(stderr.contains(said), "{stderr}");
    let stderr = refused("index.html=b.html");
    assert!(!stderr.contains("redirect page"), "{stderr}");
}

/// Other redirect pages stay: they have URLs that visitors know.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn only_redirect_pages_in_the_way_are_named() {
    let dir = TestDir::with_site(&[("index.html", ""), ("posts/p.html", "")]);
    let moved = |request: &str, status: i32| {
        let redirects = ["--write-redirects", "html", request];
        let run = dir.rehref(&[&IN_PLACE[..], &redirects].concat());
        run.status(status).stderr()
    };
    moved("posts=a", 0);
    moved("a/p.html=a/y/p.html", 0);
    std::fs::remove_file(dir.path("site/posts/p.html")).unwrap();
    moved("a/y/p.html=posts/p.html", 0);
    let stderr = moved("posts=a", 2);
    let said = "redirect pages of an earlier move in the way of the new files: a/p.html; remove";
    assert!(stderr.contains(said), "{stderr}");
    // The directory has another redirect page.
    std::fs::remove_file(dir.path("site/a/p.html")).unwrap();
    let stderr = moved("posts=a", 2);
    assert!(!stderr.contains("redirect page"), "{stderr}");
    assert!(stderr.contains("--regex 'posts/(.*)=a/$1'"), "{stderr}");
}

/// Of the redirect pages that the user removed, empty directories are left.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn a_directory_can_move_to_the_path_of_an_empty_one() {
    let dir = TestDir::with_site(&[("index.html", "<a href=g/>g</a>"), ("g/index.html", "")]);
    dir.write("site/g/0/index.html", b"<a href=../>g</a>");
    copy_tree(&dir.path("site"), &dir.path("before"));
    let moved = |request: &str| {
        let redirects = ["--write-redirects", "html", request];
        dir.rehref(&[&IN_PLACE[..], &redirects].concat()).status(0);
    };
    moved("g=h");
    for page in ["site/g/index.html", "site/g/0/index.html"] {
        std::fs::remove_file(dir.path(page)).unwrap();
    }
    moved("h=g");
    for page in ["index.html", "g/index.html", "g/0/index.html"] {
        let (before, now) = (format!("before/{page}"), format!("site/{page}"));
        assert_eq!(dir.read(&before), dir.read(&now));
    }
}

/// A file moves back: the rule of its first move would redirect the page to itself.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn rules_of_earlier_moves_that_are_wrong_now_are_warned_of() {
    let dir = TestDir::with_site(&[("a.html", "<a href=c.html>c</a>"), ("c.html", "")]);
    let moved = |request: &str, format: &str| {
        let url = ["--url", "https://h.example/", "--write-redirects", format];
        let run = dir.rehref(&[&["move", "site", request, "--in-place"], &url[..]].concat());
        run.status(0).stderr()
    };
    dir.write("site/_redirects", b"/b.html /a.html\n");
    let stderr = moved("a.html=b.html", "nginx=own.conf");
    let said = "warning: _redirects: rules redirect paths that files moved to, such as /b.html,";
    assert!(stderr.contains(said), "{stderr}");
    dir.write("rules.conf", b"RedirectMatch ^/b\\.html$ /x.html\n");
    let stderr = moved("b.html=d.html", "apache=rules.conf");
    let said = "rules.conf: rules redirect paths that later rules redirect, too, such as /b.html,";
    assert!(stderr.contains(said), "{stderr}");
    assert!(stderr.contains("1 redirect added to the end of rules.conf"), "{stderr}");
    let json = ["-o", "out", "--url", "https://h.example/", "--write-redirects", "json=r.json"];
    let run =
        |arguments: &[&str]| dir.rehref(&[&["move", "site", "c.html=e.html"], arguments].concat());
    run(&json).status(0);
    let again = [&["-o", "again"], &json[2..]].concat();
    let rules = |out: &str| {
        let url =
            ["-o", out, "--url", "https://h.example/", "--write-redirects", "nginx=same.conf"];
        run(&url).status(0).stderr()
    };
    rules("one");
    let written = dir.read("same.conf");
    let stderr = rules("two");
    assert!(stderr.contains("same.conf already has 1 redirect of this move"), "{stderr}");
    assert_eq!(dir.read("same.conf"), written);
    let stderr = run(&again).status(2).stderr();
    assert!(stderr.contains("rehref cannot add to a file of this format"), "{stderr}");
    let verify = ["verify", "site", "site", "--write-redirects", "netlify"];
    let stderr = dir.rehref(&verify).status(2).stderr();
    assert!(stderr.contains("give the moves"), "{stderr}");
}

/// A directory goes and comes back, and a page of it is renamed meanwhile: two rules get one source.
#[test]
fn rules_that_get_the_same_source_become_one() {
    let dir = TestDir::new();
    dir.write("0/guide/use.html", b"<a href=b.html>x</a>");
    dir.write("0/guide/b.html", b"<a href=use.html>x</a>");
    let url = ["--url", "https://ex.org/", "--write-redirects", "apache"];
    for (at, request) in [
        "guide=manual",
        "manual/use.html=manual/usage.html",
        "manual=guide",
        "guide/usage.html=guide/use.html",
    ]
    .iter()
    .enumerate()
    {
        let (from, to) = (at.to_string(), (at + 1).to_string());
        dir.rehref(&[&["move", &from, request, "-o", &to], &url[..]].concat()).status(0);
        let verify = ["verify", &from, &to, request];
        dir.rehref(&[&verify[..], &url].concat()).status(0);
        let rules = dir.read(&format!("{to}/.htaccess"));
        let lines = rules.lines().filter(|line| line.starts_with("Redirect"));
        let mut sources: Vec<&str> = lines.filter_map(|it| it.split(' ').nth(2)).collect();
        let all = sources.len();
        sources.sort_unstable();
        sources.dedup();
        assert_eq!(sources.len(), all, "{request}: {rules}");
    }
    let rules = dir.read("4/.htaccess");
    assert!(!rules.contains(r"^/guide/use\.html$"), "{rules}");
}
