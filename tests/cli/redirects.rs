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
fn other_rewritings_leave_rules_alone() {
    let dir = site();
    for command in ["absolute", "relative"] {
        let options = ["-o", command, "--verify", "--url", URL, "-v"];
        let run = dir.rehref(&[&[command, "site"][..], &options].concat()).status(0);
        assert_eq!(dir.read(&format!("{command}/_redirects")), NETLIFY);
        assert_eq!(dir.read(&format!("{command}/.htaccess")), APACHE);
        let summary = run.stderr();
        assert!(summary.contains("paths in redirect rules (only move changes these)"), "{summary}");
    }
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
        // Netlify has one rule for a directory and its URL without the slash.
        let count = if rules.lines().count() == 2 { "1 rule" } else { "2 rules" };
        for (request, from, to) in [("h=g", "h", "g"), ("g=h", "g", "h"), ("h=g", "h", "g")] {
            let dry = ["move", "site", "-n", "--url", "https://h.example/doc/"];
            let said = format!("note: {count} of earlier moves would be removed from");
            let dry = run(&dry, request).status(0).stderr();
            assert!(dry.contains(&said), "{format}: {dry}");
            assert_eq!(dir.read(&file), rules, "{format}: a dry run");
            copy_tree(&dir.path("site"), &dir.path("before"));
            let stderr = run(&IN_PLACE, request).status(0).stderr();
            let said = format!("note: {count} of earlier moves removed from");
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

/// Rules that nobody knows to be those of a move: all are listed, and the run fails.
#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn rules_of_others_that_redirect_moved_files_fail_the_run() {
    let (dir, file) = to_be_undone("apache");
    // A name that needs escapes: the directory has no rule of its own.
    dir.write("site/g/a b.txt", b"");
    dir.rehref(&[&IN_PLACE[..], &["--write-redirects", "apache", "g=h"]].concat()).status(0);
    let own = dir.read(&file).replace("# Written by rehref", "# own");
    let own: String = own.lines().map(|line| format!("{line}\n\n")).collect();
    dir.write(&file, own.as_bytes());
    let all: Vec<String> = (1..=28).map(|rule| (2 * rule + 1).to_string()).collect();
    let said = format!(
        "error: .htaccess: some rules redirect the new paths of moved files, such as /doc/g/0/, so visitors may not reach these files\nhelp: remove these rules: lines {}\n",
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
    let said = "warning: no redirect from 3 old URLs, such as /doc/help/ to https://h.example/doc/faq/: nginx allows one rule for each path, and rules.conf already has rules with other targets (lines 2, 4-5)\nhelp: change";
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
    let said =
        "error: .htaccess: some rules redirect the new paths of moved files, such as /doc/a,";
    assert!(run.stderr().contains(said), "{}", run.stderr());
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
