//! `rehref move`, the real binary on real directories.

use std::fs;
#[cfg(unix)]
use std::path::Path;
use std::process::Command;

use crate::support::{TestDir, copy_tree, tree};

const URL: &str = "https://example.org/docs/";

fn site() -> TestDir {
    TestDir::with_site(&[
        (
            "index.html",
            "<link rel=stylesheet href=style.css><a href=guide/>g</a> <a href='guide/a.html#x'>a</a>\n\
             <a href=/docs/guide/b.html>b</a> <a href=https://example.org/docs/guide/missing.html>\n\
             <a href=about>about</a> <a href=https://elsewhere/>e</a>\n",
        ),
        ("about.html", "<a href='./'>home</a>"),
        ("style.css", "body { background: url(img/b.png) }"),
        ("img/b.png", "PNG"),
        (
            "guide/index.html",
            "<link rel=stylesheet href=../style.css><a href=a.html>a</a> <a href=../about.html>",
        ),
        ("guide/a.html", "<a href=b.html>b</a> <a href=#x> <a href=../guide/b.html>"),
        ("guide/b.html", "<a href=/docs/about.html>"),
    ])
}

/// The files of OUT that are not as in SITE.
fn moved(dir: &TestDir, arguments: &[&str]) -> String {
    let all = ["move", "site", "-o", "out", "--verify", "--quiet"];
    dir.rehref(&[&all, arguments].concat()).status(0);
    let before = tree(&dir.path("site"));
    let mut text = String::new();
    for (path, contents) in tree(&dir.path("out")) {
        if !before.contains(&(path.clone(), contents.clone())) {
            let contents = String::from_utf8_lossy(&contents).into_owned();
            text += &format!("== {}\n{}\n", path.display(), contents.trim_end());
        }
    }
    for (path, _) in before {
        if !dir.path("out").join(&path).exists() {
            text += &format!("gone: {}\n", path.display());
        }
    }
    text
}

#[test]
fn a_folder_moves() {
    insta::assert_snapshot!(moved(&site(), &["guide=help/guide", "--url", URL]));
}

#[test]
fn links_are_resolved_by_the_standard_of_the_option() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href='guide\\a.html'>a</a>"),
        ("guide/a.html", "a"),
    ]);
    // Browsers treat \ as /; to RFC 3986 it is part of a name, which no file has.
    for (standard, expected) in
        [("whatwg", "<a href='guide/z.html'>a</a>"), ("rfc3986", "<a href='guide\\a.html'>a</a>")]
    {
        let moved = ["move", "site", "guide/a.html=guide/z.html", "--quiet"];
        let options = ["--standard", standard, "-o", standard];
        dir.rehref(&[moved, options].concat()).status(0);
        assert_eq!(dir.read(&format!("{standard}/index.html")), expected);
    }
}

#[test]
fn files_move() {
    let dir = site();
    dir.write("map.tsv", b"# where things go\nstyle.css\tcss/main.css\nimg/b.png\tcss/b.png\n\r\n");
    insta::assert_snapshot!(moved(&dir, &["about.html=about/", "--map", "map.tsv"]));
}

#[test]
fn files_swap() {
    insta::assert_snapshot!(moved(
        &site(),
        &["guide/a.html=guide/b.html", "guide/b.html=guide/a.html", "--url", URL]
    ));
}

#[test]
fn patterns_move_files() {
    insta::assert_snapshot!(moved(
        &site(),
        &["--regex", r"guide/([ab])\.html=$1/index.html", "--url", URL]
    ));
}

#[test]
fn the_whole_site_moves() {
    insta::assert_snapshot!(moved(
        &site(),
        &["--url", URL, "--new-url", "https://new.example/", "guide=g"]
    ));
}

#[test]
fn styles() {
    let dir = site();
    insta::assert_snapshot!(moved(&dir, &["--form", "root", "--url", URL, "guide=g"]));
}

#[test]
fn a_base_stays_and_follows() {
    let pages = [
        ("a/p.html", "<base href='../b/'><a href=x.html><a href=#t><a href=../c.html>"),
        ("b/x.html", ""),
        ("c.html", ""),
    ];
    let dir = TestDir::with_site(&pages);
    assert_eq!(
        moved(&dir, &["b=d/b"]),
        "== a/p.html\n<base href='../d/b/'><a href=x.html><a href=#t><a href=../../c.html>\n\
         == d/b/x.html\n\ngone: b/x.html\n"
    );
    let dir = TestDir::with_site(&pages);
    assert_eq!(
        moved(&dir, &["b=d/b", "--base-element", "drop"]),
        "== a/p.html\n<a href=../d/b/x.html><a href=../d/b/#t><a href=../c.html>\n\
         == d/b/x.html\n\ngone: b/x.html\n"
    );
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn folders_without_an_index_and_queries_in_names() {
    let dir = TestDir::with_site(&[
        (
            "p.html",
            "<a href=list/><a href=list><a href=page?id=3#x><a href=page%3Fid=3><a href=name>\
             <a href=%6Eame.html>",
        ),
        ("list/a.txt", "a"),
        ("list/b.txt", "b"),
        ("page?id=3", "<a href=p.html>"),
        ("name.html", ""),
    ]);
    dir.write("map", b"list/a.txt\tnew/a.txt\nlist/b.txt\tnew/b.txt\npage?id=3\tview?id=3\nname.html\tother.html\n");
    assert!(moved(&dir, &["--map", "map"]).starts_with(
        "== new/a.txt\na\n== new/b.txt\nb\n== other.html\n\n== p.html\n\
         <a href=new/><a href=new><a href=view?id=3#x><a href=\"view%3Fid=3\"><a href=other>\
         <a href=other.html>\n"
    ));
}

#[cfg(unix)]
#[test]
fn what_no_file_has_moves_only_with_a_folder_that_is_named() {
    let dir = TestDir::with_site(&[
        (
            "index.html",
            "<a href=g/a.html><a href=g/missing.html><a href=/g/no/x.html><a href=g/><a href=g>",
        ),
        ("g/a.html", "<a href=missing.html><a href=./>"),
        ("b.html", "<base href=g/><a href=a.html><a href=missing.html>"),
    ]);
    let of_files = "== b.html\n<base href=zz/><a href=a.html><a href=../g/missing.html>\n\
         == index.html\n<a href=zz/a.html><a href=g/missing.html><a href=/g/no/x.html><a href=zz/><a href=zz>\n\
         == zz/a.html\n<a href=../g/missing.html><a href=./>\ngone: g/a.html\n";
    let of_folder = "== b.html\n<base href=zz/><a href=a.html><a href=missing.html>\n\
         == index.html\n<a href=zz/a.html><a href=zz/missing.html><a href=/zz/no/x.html><a href=zz/><a href=zz>\n\
         == zz/a.html\n<a href=missing.html><a href=./>\ngone: g/a.html\n";
    let url = ["--url", "https://example.org/", "--force"];
    for (moves, expected) in [
        (&["g/a.html=zz/a.html"][..], of_files),
        (&["--regex", "g/(.*)=zz/$1"], of_files),
        (&["g=zz"], of_folder),
    ] {
        let changed = moved(&dir, &[&url[..], moves].concat());
        assert_eq!(changed, expected, "{moves:?}");
    }
    // A folder that stays since another one in it does.
    fs::create_dir(dir.path("site/g/empty")).unwrap();
    let changed = moved(&dir, &[&url[..], &["g/a.html=zz/a.html"]].concat());
    assert!(
        changed.contains(
            "<a href=zz/a.html><a href=g/missing.html><a href=/g/no/x.html><a href=g/><a href=g>"
        ),
        "{changed}"
    );
}

#[test]
fn symbolic_links_lead_where_they_led() {
    use std::os::unix::fs::symlink;
    let dir = site();
    for (words, link) in [
        ("../about.html", "guide/about"),
        ("guide", "latest"),
        ("guide/a.html", "a"),
        ("../../outside", "guide/out"),
        ("missing", "nowhere"),
        ("/etc", "absolute"),
        (".", "guide/self"),
    ] {
        symlink(words, dir.path("site").join(link)).unwrap();
    }
    moved(&dir, &["guide=help/guide"]);
    for (link, words) in [
        ("help/guide/about", "../../about.html"),
        ("latest", "help/guide"),
        ("a", "help/guide/a.html"),
        ("help/guide/out", "../../../outside"),
        ("nowhere", "missing"),
        ("absolute", "/etc"),
        ("help/guide/self", "."),
    ] {
        let there = fs::read_link(dir.path("out").join(link)).unwrap();
        assert_eq!(there, Path::new(words), "{link}");
    }
}

#[test]
fn everything_that_cannot_be_is_said_at_once() {
    let dir = site();
    dir.write("map", b"guide\tguide/deeper\nabout.html\n");
    let run =
        dir.rehref(&["move", "site", "-o", "out", "--map", "map", "a", r"--regex=(=x"]).status(2);
    insta::assert_snapshot!("wrong_requests", run.stderr());
    dir.write("map", b"guide\tguide/deeper\n");
    let run = dir
        .rehref(&[
            "move",
            "site",
            "-o",
            "out",
            "--map",
            "map",
            "guide/aa.html=x",
            "about.html=same.html",
            "style.css=same.html",
            "img/b.png=index.html",
            "index.html=../index.html",
            "--regex",
            "nothing=x",
        ])
        .status(2);
    insta::assert_snapshot!("refusals", run.stderr());
    assert!(!dir.path("out").exists());
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn in_place_does_what_out_does() {
    let dir = site();
    let moves = ["guide=help", "about.html=guide", "--url", URL];
    dir.rehref(&[&["move", "site", "-o", "out", "--quiet"][..], &moves].concat()).status(0);
    dir.rehref(&[&["move", "site", "--in-place", "--verify", "--quiet"][..], &moves].concat())
        .status(0);
    assert_eq!(tree(&dir.path("site")), tree(&dir.path("out")));
    let beside = fs::read_dir(dir.path("")).unwrap().count();
    assert_eq!(beside, 2, "nothing but SITE and OUT is left");
}

#[test]
#[cfg_attr(windows, ignore = "the site has symbolic links")]
fn a_dry_run_and_a_diff_say_what_would_be() {
    let dir = site();
    #[cfg(unix)]
    for (words, link) in [("guide/a.html", "a"), ("../about.html", "guide/about"), (".", "self")] {
        std::os::unix::fs::symlink(words, dir.path("site").join(link)).unwrap();
    }
    let moves = ["move", "site", "guide=help", "--quiet", "--url", URL];
    let run = dir.rehref(&[&moves[..], &["--dry-run"]].concat()).status(0);
    insta::assert_snapshot!("dry_run", run.stdout());
    let run = dir.rehref(&[&moves[..], &["--diff"]].concat()).status(0);
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: no git");
        return;
    }
    dir.write("the.diff", run.stdout_bytes());
    copy_tree(&dir.path("site"), &dir.path("patched"));
    let status = Command::new("git")
        .args(["apply", "../the.diff"])
        .current_dir(dir.path("patched"))
        .env("GIT_CEILING_DIRECTORIES", dir.path(""))
        .status()
        .unwrap();
    assert!(status.success());
    dir.rehref(&[&moves[..], &["-o", "out"]].concat()).status(0);
    assert_eq!(tree(&dir.path("patched")), tree(&dir.path("out")));
}

#[test]
fn the_report_lists_what_moved() {
    let dir = site();
    let run =
        dir.rehref(&["move", "site", "-o", "out", "guide=help", "--format", "json"]).status(0);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(report["moved"].as_array().unwrap().len(), 3);
    assert_eq!(report["moved"][0]["from"], "guide/a.html");
    assert_eq!(report["moved"][0]["to"], "help/a.html");
}

#[test]
#[cfg_attr(windows, ignore = "Windows cannot exchange two directories in one step")]
fn redirects_from_old_urls() {
    for (format, file) in [
        ("netlify", Some("_redirects")),
        ("apache", Some(".htaccess")),
        ("nginx", None),
        ("json", None),
    ] {
        let dir = site();
        dir.write("site/_redirects", b"/there /already");
        let run = dir
            .rehref(&[
                "move",
                "site",
                "-o",
                "out",
                "--quiet",
                "--url",
                URL,
                "--write-redirects",
                format,
                "guide=help me",
            ])
            .status(0);
        let text = file.map_or(run.stdout(), |file| dir.read(&format!("out/{file}")));
        insta::assert_snapshot!(format!("redirects_{format}"), text);
    }
    let dir = site();
    dir.rehref(&[
        "move",
        "site",
        "--in-place",
        "--verify",
        "--quiet",
        "--write-redirects",
        "html",
        "guide=help/me",
    ])
    .status(0);
    insta::assert_snapshot!("redirects_html", dir.read("site/guide/a.html"));
    let mut files: Vec<_> = tree(&dir.path("site")).into_iter().map(|(path, _)| path).collect();
    files.retain(|path| path.starts_with("guide"));
    assert_eq!(files.len(), 3);
}

#[test]
fn no_redirect_hides_a_page() {
    let dir = site();
    let run = dir
        .rehref(&[
            "move",
            "site",
            "-o",
            "out",
            "--write-redirects",
            "json=list.json",
            "guide/a.html=guide/b.html",
            "guide/b.html=guide/c.html",
        ])
        .status(0);
    assert_eq!(
        dir.read("list.json"),
        "[\n{\"from\":\"/guide/a.html\",\"to\":\"/guide/b.html\",\"status\":301}\n]\n"
    );
    let warning = "no redirect from /guide/b.html: another file now has this URL";
    assert!(run.stderr().contains(warning), "{}", run.stderr());
}

#[cfg(unix)]
#[test]
fn a_site_that_stays_as_it_was_gets_no_redirects() {
    let dir = site();
    let before = tree(&dir.path("site"));
    // Longer than a system lets a path be.
    let request = format!("about.html={}.html", vec!["x".repeat(250); 20].join("/"));
    for to in ["list.json", "-"] {
        let run = dir
            .rehref(&[
                "move",
                "site",
                "--in-place",
                "--write-redirects",
                &format!("json={to}"),
                &request,
            ])
            .status(2);
        assert!(run.stderr().contains("SITE unchanged"), "{}", run.stderr());
        assert_eq!(run.stdout(), "");
        assert!(!dir.path("list.json").exists());
        assert!(tree(&dir.path("site")) == before);
    }
}

#[test]
fn a_new_url_redirects_everything() {
    let dir = TestDir::with_site(&[("index.html", ""), ("a b.html", "")]);
    let run = dir
        .rehref(&[
            "move",
            "site",
            "-o",
            "out",
            "--quiet",
            "--write-redirects",
            "nginx",
            "--url",
            URL,
            "--new-url",
            "https://new.example/",
        ])
        .status(0);
    insta::assert_snapshot!("redirects_new_url", run.stdout());
}

#[cfg(unix)]
#[test]
fn what_is_behind_a_symbolic_link_moves_with_it() {
    use std::os::unix::fs::symlink;
    let dir = TestDir::with_site(&[
        ("lib/x.html", ""),
        ("other/y.html", ""),
        ("p.html", "<a href=link/x.html><a href=link><a href=link/>"),
    ]);
    symlink("lib", dir.path("site/link")).unwrap();
    symlink("link/x.html", dir.path("site/through")).unwrap();
    symlink("../link/x.html", dir.path("site/other/v.html")).unwrap();
    moved(&dir, &["link=l2"]);
    assert_eq!(dir.read("out/p.html"), "<a href=l2/x.html><a href=l2><a href=l2/>");
    for (link, words) in [("through", "l2/x.html"), ("other/v.html", "../l2/x.html")] {
        let there = fs::read_link(dir.path("out").join(link)).unwrap();
        assert_eq!(there, Path::new(words), "{link}");
    }
}

#[test]
fn no_other_file_takes_a_link_over() {
    for (files, moves, before, after) in [
        (
            &["foo.html", "bar/z.html"][..],
            &["foo.html=bar.html"][..],
            "<a href=foo>",
            "<a href=bar.html>",
        ),
        (&["g.htm", "h.html"], &["g.htm=h.htm"], "<a href=g>", "<a href=h.htm>"),
        (
            &["e/index.htm", "e2/index.html"],
            &["e/index.htm=e2/index.htm"],
            "<a href=e/>",
            "<a href=e2/index.htm>",
        ),
        (&["x", "foo.html"], &["x=foo"], "<a href=foo>", "<a href=foo.html>"),
        (
            &["y.html", "d/index.htm"],
            &["y.html=d/index.html"],
            "<a href=d/><a href=d/?q#f>",
            "<a href=d/index.htm><a href=d/index.htm?q#f>",
        ),
    ] {
        let dir = TestDir::with_site(&[("p.html", before)]);
        for file in files {
            dir.write(&format!("site/{file}"), b"");
        }
        moved(&dir, moves);
        assert_eq!(dir.read("out/p.html"), after, "{moves:?}");
    }
}

#[test]
fn a_base_that_names_a_folder_is_not_its_index_file() {
    let dir = TestDir::with_site(&[
        ("p.html", "<base href='/'><a href=x.html><a href=/>"),
        ("index.html", ""),
        ("x.html", ""),
    ]);
    moved(&dir, &["index.html=en/index.html"]);
    assert_eq!(dir.read("out/p.html"), "<base href='/'><a href=x.html><a href=/en/>");
}

#[test]
fn a_base_with_a_query_that_is_like_a_folder_follows() {
    for base in ["x?y/", "https?//e/sub/", "guide/?q", "guide/?q/"] {
        let page = format!("<base href='{base}'><a href=p>");
        let dir = TestDir::with_site(&[("index.html", &page), ("guide/index.html", "")]);
        let moves = ["index.html=a/b.html", "guide/index.html=c.html"];
        let written = moved(&dir, &[&moves[..], &["--url", URL]].concat());
        assert!(written.contains(&format!("<base href='../{base}'>")), "{written}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn names_that_mirrors_write() {
    let dir = TestDir::with_site(&[
        ("p.html", "<a href='page?q=c%20d'><a href='page?x=1&amp;y=ü'><a href='100% r.html'>"),
        ("page?q=c d", "a"),
        ("page?x=1&y=ü", "b"),
        ("100% r.html", "c"),
    ]);
    moved(&dir, &["--regex=(.*)[^l]=m/$0", "100% r.html=m/100% r.html"]);
    assert_eq!(
        dir.read("out/p.html"),
        "<a href='m/page%3Fq=c%20d'><a href='m/page%3Fx=1&amp;y=%C3%BC'>\
         <a href='m/100%25%20r.html'>"
    );
}

#[test]
fn links_that_only_the_server_resolves_keep_their_form() {
    let pages = [
        ("index.html", "<a href=guide><a href=faq><a href=news/>"),
        ("guide.html", ""),
        ("faq.html.en", ""),
        ("news/main.html", ""),
    ];
    let moves = ["guide.html=manual/book.html", "faq.html.en=help/answers.html.en", "news=archive"];
    let server = ["--try", "{}.html,{}/main.html", "--multiviews"];
    for (server, more, expected) in [
        (&server[..], None, "<a href=manual/book><a href=help/answers><a href=archive/>"),
        // Nothing is tried that would find a .htm.
        (&server, Some("guide.html=book.htm"), "<a href=book.htm><a href=faq><a href=news/>"),
    ] {
        let dir = TestDir::with_site(&pages);
        let moves = more.as_slice().iter().chain(moves.iter().filter(|_| more.is_none()));
        let moves: Vec<&str> = moves.copied().collect();
        let common = ["move", "site", "-o", "out", "--verify", "-q"];
        dir.rehref(&[&common[..], server, &moves].concat()).status(0);
        assert_eq!(dir.read("out/index.html"), expected);
    }
}

#[test]
fn moved_files_are_found_by_references_that_a_standard_leaves_unencoded() {
    let dir = TestDir::with_site(&[
        ("i.html", "<a href=\"a b.html\"><a href=\"&uuml;.html\">"),
        ("a b.html", ""),
        ("ü.html", ""),
    ]);
    for standard in ["whatwg", "rfc3986", "rfc1808", "url-draft-1996", "rfc1630"] {
        let out = format!("out-{standard}");
        let options = ["--standard", standard, "--verify", "-o", &out];
        let moves = ["move", "site", "a b.html=c.html", "ü.html=d.html"];
        dir.rehref(&[&moves[..], &options].concat()).status(0);
        let page = dir.read(&format!("{out}/i.html"));
        assert_eq!(page, "<a href=\"c.html\"><a href=\"d.html\">", "{standard}");
        dir.rehref(&["audit", "site", "--standard", standard]).status(0);
    }
}

#[test]
fn what_looks_like_a_fragment_follows_the_rules_of_its_standard() {
    // A space is a path in RFC 3986; in RFC 1630 an empty path is the folder, in the draft `.` and `index.html` are
    // no fragments of the page.
    let page = "<a href=\" #f\"><a href=\"#f\"><a href=\"\"><a href=.><a href=index.html>";
    let dir = TestDir::with_site(&[("index.html", page), ("b.html", "")]);
    for standard in ["rfc3986", "rfc1808", "url-draft-1996", "rfc1630"] {
        let out = format!("fragments-{standard}");
        let options = ["--standard", standard, "--verify", "-o", &out];
        let moves = ["move", "site", "index.html=d/home.html"];
        dir.rehref(&[&moves[..], &options].concat()).status(0);
    }
}

#[test]
fn what_a_move_may_do_by_mistake_is_warned_of() {
    let dir = site();
    let run = |arguments: &[&str]| {
        let all = [&["move", "site", "-n", "--url", URL], arguments].concat();
        dir.rehref(&all).status(0).stderr()
    };
    let root = "the root of the site loses its index file, index.html";
    assert!(run(&["index.html=home.html"]).contains(root));
    assert!(!run(&["index.html=home.html", "about.html=index.html"]).contains(root));
    assert!(!run(&["index.html=home.html", "--index-files", "home.html"]).contains(root));
    assert!(!run(&["guide=help"]).contains(root));
    let arguments = ["about.html=a.html", "--write-redirects", "netlify"];
    let all = [&["move", "site", "--out", "out", "--url", URL], &arguments[..]].concat();
    let stderr = dir.rehref(&all).status(0).stderr();
    assert!(stderr.contains("add its rules to the _redirects there"), "{stderr}");
    let case = "Guide and guide differ only in letter case";
    // Where the file system of SITE ignores letter case, the move is an error.
    let moves = ["move", "site", "-n", "about.html=Guide/about.html"];
    let stderr = dir.rehref(&moves).stderr();
    assert!(stderr.replace('`', "").contains(case), "{stderr}");
    assert!(!run(&["about.html=guide/about.html"]).contains("letter case"));
    assert!(!run(&["guide=Guide"]).contains("letter case"));
}

#[test]
fn a_link_to_a_negotiated_file_stays_one() {
    let links = "<a href=man/>1</a><a href=man>2</a><a href=man/index>3</a><a href=man/intro>4</a>\
                 <a href=man/index.html.de>5</a><a href=man/intro.html#x>6</a>";
    let dir = TestDir::with_site(&[
        ("index.html", links),
        ("man/index.html.de", "<a href=./>1</a><a href=intro>2</a>"),
        ("man/index.html.en", "<a href=./>1</a>"),
        ("man/intro.html.de", "<p id=x><a href=../man/>1</a>"),
        ("man/intro.html.en", "<p id=x>"),
    ]);
    let url = ["--url", "https://h.example/", "--multiviews", "--verify"];
    dir.rehref(&[&["move", "site", "-o", "out", "man=doc/man"][..], &url].concat()).status(0);
    let expected = links.replace("href=man", "href=doc/man");
    assert_eq!(dir.read("out/index.html"), expected);
    for page in ["index.html.de", "index.html.en", "intro.html.de"] {
        let (old, new) = (format!("site/man/{page}"), format!("out/doc/man/{page}"));
        assert_eq!(dir.read(&new), dir.read(&old));
    }
}
