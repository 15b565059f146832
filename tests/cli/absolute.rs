//! `rehref absolute`, the real binary on real directories.

use std::fs;
#[cfg(unix)]
use std::path::Path;

use crate::support::{EXCHANGES, TestDir, tree, without_times};

const URL: &str = "https://example.org/docs/";

/// One document at `docs/d/p.html`, made absolute.
fn absolute(html: &str) -> String {
    let run = TestDir::new().rehref_with_stdin(
        &["absolute", "-", "--url", "https://example.org/docs/d/p.html"],
        html.as_bytes(),
    );
    run.status(0).stdout()
}

#[test]
fn every_kind_of_value() {
    for (before, after) in [
        (
            "<a href=\"x.html?a&amp;b#c\">",
            "<a href=\"https://example.org/docs/d/x.html?a&amp;b#c\">",
        ),
        (
            "<IMG SRC=../i.png SRCSET='i.png, j,k.png 2x'>",
            "<IMG SRC=https://example.org/docs/i.png SRCSET='https://example.org/docs/d/i.png, https://example.org/docs/d/j,k.png 2x'>",
        ),
        (
            "<meta http-equiv=Refresh content='5; URL=x.html'>",
            "<meta http-equiv=Refresh content='5; URL=https://example.org/docs/d/x.html'>",
        ),
        (
            "<a ping='/p  //o/q' href>x</a>",
            "<a ping='https://example.org/p  https://o/q' href=\"https://example.org/docs/d/p.html\">x</a>",
        ),
        (
            "<applet codebase=c code=A archive='a.jar,b.jar'></applet>",
            "<applet codebase=https://example.org/docs/d/c code=A archive='https://example.org/docs/d/c/a.jar,https://example.org/docs/d/c/b.jar'></applet>",
        ),
        (
            "<svg><use href=#i /><image xlink:href='i.svg#a'/></svg>",
            "<svg><use href=#i /><image xlink:href='https://example.org/docs/d/i.svg#a'/></svg>",
        ),
        (
            "<meta property=og:image content=i.png><meta property=og:title content=i.png>",
            "<meta property=og:image content=https://example.org/docs/d/i.png><meta property=og:title content=i.png>",
        ),
        (
            "<a href='&#46;&#46;/gr&uuml;n'><a href=' \n x\ty '>",
            "<a href='https://example.org/docs/gr&uuml;n'><a href=' \n https://example.org/docs/d/xy '>",
        ),
    ] {
        assert_eq!(absolute(before), after);
        assert_eq!(absolute(after), after, "a second run changes nothing");
    }
}

#[test]
fn a_character_reference_without_semicolon_stays_what_it_is() {
    let run = |html: &str| {
        let run = TestDir::new()
            .rehref_with_stdin(&["absolute", "-", "--url", "file:///d/p"], html.as_bytes());
        run.status(0).stdout()
    };
    assert_eq!(run("<a href=&#x20zoo>"), "<a href=&#x20;file:///d/zoo>");
    assert_eq!(
        run("<img srcset='&#x20zoo 1x,&#9 &#10b'>"),
        "<img srcset='&#x20;file:///d/zoo 1x,&#9 &#10;file:///d/b'>"
    );
    assert_eq!(
        run("<meta http-equiv=refresh content='0;url=&#x27zoo'>"),
        "<meta http-equiv=refresh content='0;url=&#x27;file:///d/zoo'>"
    );
}

#[test]
fn references_that_are_skipped() {
    for html in [
        "<a href=mailto:a@b><a href='javascript:x()'><a href=tel:1><img src='data:,x'>",
        "<a href=https://other.example>x</a><a href=HTTP://OTHER/a%20b>",
        "<img src=''><form action=''><img usemap=#m>",
        "<a href='{{ url }}/x'><a href='x/<%= y %>'><img srcset='{{ a }} 2x'>",
        "<a href='http://[::1'>",
        "<!-- <a href=x> --><script>'<a href=x>'</script><textarea><a href=x></textarea>",
        "<p title=x.html data-href=x.html>",
    ] {
        assert_eq!(absolute(html), html);
    }
}

#[test]
fn the_base_element() {
    assert_eq!(
        absolute("<base href=../b/><a href=x><a href=#f>"),
        "<base href=https://example.org/docs/b/><a href=https://example.org/docs/b/x><a href=https://example.org/docs/b/#f>"
    );
    assert_eq!(
        absolute("<base href='data:,x'><base href=../b/><a href=x>"),
        "<base href='data:,x'><base href=https://example.org/docs/b/><a href=https://example.org/docs/d/x>",
        "the first counts, and it is ignored"
    );
    assert_eq!(
        absolute("<base href='{{ root }}/'><a href=x><a href=https://h/ href=/y><a href=#z>"),
        "<base href='{{ root }}/'><a href=x><a href=https://h/ href=/y><a href=#z>",
        "nobody knows the base"
    );
    assert_eq!(
        absolute("<applet codebase='' archive=x></applet><applet codebase=../q?x#y archive=x>"),
        "<applet codebase='' archive=https://example.org/docs/d/x></applet><applet codebase=https://example.org/docs/q?x#y archive=https://example.org/docs/q/x>"
    );
    assert_eq!(
        absolute("<a href=x><template><base href=/t/></template>"),
        "<a href=https://example.org/docs/d/x><template><base href=https://example.org/t/></template>"
    );
}

#[test]
fn what_another_base_would_lead_astray() {
    let run = |arguments: &[&str], html: &str| {
        let arguments = [arguments, &["--url", URL]].concat();
        let run = TestDir::new().rehref_with_stdin(&arguments, html.as_bytes());
        run.status(0).stdout()
    };
    for (html, dropped, set) in [
        (
            "<base href='http://example.org/'><a href=https:x>",
            "<a href=https://x/>",
            "<base href='http://h/'><a href=https:x>",
        ),
        (
            "<base href='https://example.org/'><a href=http:x>",
            "<a href=http:x>",
            "<base href='http://h/'><a href=http://x/>",
        ),
        (
            "<base href='{{ root }}/'><a href=x>",
            "<base href='{{ root }}/'><a href=x>",
            "<base href='{{ root }}/'><a href=x>",
        ),
        (
            "<base href=mailto:x><a href=x><a href=#y>",
            "<base href=mailto:x><a href=x><a href=#y>",
            "<base href=mailto:x><a href=x><a href=mailto:x#y>",
        ),
    ] {
        assert_eq!(run(&["relative", "-"], html), dropped);
        assert_eq!(run(&["absolute", "-", "--base-element", "http://h/"], html), set);
    }
}

#[test]
fn values_that_need_escaping() {
    let run = |url: &str, html: &str| {
        let run =
            TestDir::new().rehref_with_stdin(&["absolute", "-", "--url", url], html.as_bytes());
        run.status(0).stdout()
    };
    assert_eq!(
        run("https://h/a&b='c'/p", "<a href=x?y><a href='x'><a href=\"x\">"),
        "<a href=\"https://h/a&amp;b='c'/x?y\"><a href='https://h/a&amp;b=&#39;c&#39;/x'><a href=\"https://h/a&amp;b='c'/x\">"
    );
    assert_eq!(
        run("https://h/a=b/p", "<a href=x\"y&quot;z>"),
        "<a href=\"https://h/a=b/x&quot;y&quot;z\">"
    );
    let comma = "<applet archive='x.jar,y.jar'></applet>";
    assert_eq!(run("https://h/a,b/p", comma), comma, "a comma would split the list");
}

#[test]
fn links_above_the_root_of_the_host_get_a_warning() {
    let (index, page) = ("<a href=../a.html><img src='../../x.png'>", "<a href=../a.html>");
    let dir = TestDir::with_site(&[("index.html", index), ("d/b.html", page)]);
    let absolute = |url| dir.rehref(&["absolute", "site", "-n", "--url", url]).status(0);
    let warning = "warning: links with targets at the root of the host, since https://e.org/ has fewer directories than \
                   they have `..`: 2; if SITE is part of a larger site, give the root of the larger \
                   site with its URL, and select the part with --include\n";
    let run = absolute("https://e.org/");
    assert!(run.stderr().contains(warning), "{}", run.stderr());
    let run = absolute("https://e.org/docs/");
    assert!(run.stderr().contains("than they have `..`: 1;"), "{}", run.stderr());
    assert!(
        run.stderr().contains("links with targets above SITE, not below https://e.org/docs/: 1"),
        "{}",
        run.stderr()
    );
    let run = absolute("https://e.org/docs/en/");
    assert!(!run.stderr().contains("segments"), "{}", run.stderr());
}

#[test]
#[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
fn a_tree_is_written_whole() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=a/b.html>"),
        ("a/b.html", "<a href=../index.html>"),
        ("a/c d%.htm", "<a href=#x>"),
        ("index.html.pt-br", "<a href=a/>"),
        ("page.php?id=3", "<!doctype html><a href=style.css>"),
        ("style.css", "a { background: url(x.png) }"),
        ("data", "<a href=not-html"),
        ("empty.html", ""),
    ]);
    fs::create_dir(dir.path("site/nothing")).unwrap();
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    assert_eq!(run.stdout(), "", "results only");
    for (path, contents) in [
        ("index.html", "<a href=https://example.org/docs/a/b.html>"),
        ("a/b.html", "<a href=https://example.org/docs/index.html>"),
        ("a/c d%.htm", "<a href=https://example.org/docs/a/c%20d%25.htm#x>"),
        ("index.html.pt-br", "<a href=https://example.org/docs/a/>"),
        ("page.php?id=3", "<!doctype html><a href=https://example.org/docs/style.css>"),
        ("style.css", "a { background: url(https://example.org/docs/x.png) }"),
        ("data", "<a href=not-html"),
        ("empty.html", ""),
    ] {
        assert_eq!(dir.read(&format!("out/{path}")), contents, "{path}");
    }
    assert!(dir.path("out/nothing").is_dir());
    assert_eq!(tree(&dir.path("out")).len(), 8, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn modes_times_and_links_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::time::{Duration, SystemTime};

    let dir = TestDir::with_site(&[("a/x.html", "<a href=y>"), ("a/y.css", ""), ("b.html", "")]);
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set = |path: &str, mode: u32| {
        let file = fs::File::open(dir.path(path)).unwrap();
        file.set_modified(old).unwrap();
        fs::set_permissions(dir.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    symlink("a", dir.path("site/to-directory")).unwrap();
    symlink("x.html", dir.path("site/a/to-file.html")).unwrap();
    symlink("../../../etc", dir.path("site/a/out-of-tree")).unwrap();
    symlink("..", dir.path("site/a/loop")).unwrap();
    symlink("nowhere", dir.path("site/dangling.html")).unwrap();
    set("site/a/x.html", 0o640);
    set("site/a/y.css", 0o444);
    set("site/b.html", 0o755);
    set("site/a", 0o750);

    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    let metadata = |path: &str| fs::metadata(dir.path(path)).unwrap();
    for (path, mode) in [("a/x.html", 0o640), ("a/y.css", 0o444), ("b.html", 0o755), ("a", 0o750)] {
        let found = metadata(&format!("out/{path}")).permissions().mode() & 0o7777;
        assert_eq!(found, mode, "{path}");
    }
    for path in ["a/y.css", "b.html", "a"] {
        assert_eq!(metadata(&format!("out/{path}")).modified().unwrap(), old, "{path}");
    }
    for (path, target) in [
        ("to-directory", "a"),
        ("a/to-file.html", "x.html"),
        ("a/out-of-tree", "../../../etc"),
        ("a/loop", ".."),
        ("dangling.html", "nowhere"),
    ] {
        let link = fs::read_link(dir.path(&format!("out/{path}"))).unwrap();
        assert_eq!(link, Path::new(target));
    }
}

#[cfg(unix)]
#[test]
fn names_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = TestDir::with_site(&[]);
    fs::create_dir(dir.path("site")).unwrap();
    let name = OsStr::from_bytes(b"gr\xFC\xDFe.html");
    fs::write(dir.path("site").join(name), "<a href=#x>").unwrap();
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    assert_eq!(
        fs::read_to_string(dir.path("out").join(name)).unwrap(),
        "<a href=https://example.org/docs/gr%FC%DFe.html#x>"
    );
}

#[test]
fn destinations_that_are_refused() {
    let dir = TestDir::with_site(&[("sub/x.html", "<a href=y>")]);
    dir.write("full/kept.txt", b"kept");
    dir.write("file", b"");
    let before = tree(&dir.path(""));
    for (site, out, message) in [
        ("site", "site", "use --in-place"),
        ("site", "site/new/out", "inside SITE"),
        ("site", "site/../site/out", "inside SITE"),
        ("site/sub", "site", "SITE is inside"),
        ("site", "file", "not a directory"),
        ("site", "full", "--force"),
        ("site", "file/below", "rehref"),
        ("missing", "out", "missing"),
        ("file", "out", "not a directory"),
    ] {
        let run = dir.rehref(&["absolute", site, "-o", out, "--url", URL]).status(2);
        if message != "rehref" {
            assert!(run.stderr().contains(message), "{site} {out}: {}", run.stderr());
        }
    }
    assert!(
        tree(&dir.path("")) == before,
        "nothing was changed; to write the changes, omit --dry-run, --diff and --check"
    );

    dir.rehref(&["absolute", "site", "-o", "full", "--force", "--url", URL]).status(0);
    assert_eq!(dir.read("full/kept.txt"), "kept");
    assert!(dir.read("full/sub/x.html").contains(URL));
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links_in_out() {
    use std::os::unix::fs::symlink;

    let dir = TestDir::with_site(&[("sub/x.html", "<a href=y>"), ("z.html", "<a href=y>")]);
    dir.write("elsewhere/x.html", b"precious");
    dir.write("elsewhere/z.html", b"precious");
    fs::create_dir(dir.path("out")).unwrap();
    symlink("../elsewhere", dir.path("out/sub")).unwrap();
    symlink("../elsewhere/z.html", dir.path("out/z.html")).unwrap();
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--force", "--url", URL]).status(2);
    assert!(run.stderr().contains("out/sub is a symbolic link, which is in the way; remove it"));
    assert_eq!(dir.read("elsewhere/x.html"), "precious");
    assert_eq!(dir.read("elsewhere/z.html"), "precious");
    assert!(dir.read("out/z.html").contains(URL), "the rest is done");

    symlink("elsewhere", dir.path("link")).unwrap();
    symlink("site/hidden", dir.path("into-site")).unwrap();
    fs::create_dir(dir.path("site/hidden")).unwrap();
    let run = dir.rehref(&["absolute", "site", "-o", "into-site/x", "--url", URL]).status(2);
    assert!(run.stderr().contains("inside SITE"), "{}", run.stderr());
}

#[test]
fn in_place_touches_only_what_changes() {
    let dir = TestDir::with_site(&[
        ("x.html", "<a href=y>"),
        ("absolute.html", "<a href=https://h/>"),
        ("z.css", ""),
    ]);
    let modified = |path: &str| fs::metadata(dir.path(path)).unwrap().modified().unwrap();
    let before = (modified("site/absolute.html"), modified("site/z.css"));
    dir.rehref(&["absolute", "site", "--in-place", "--url", URL]).status(0);
    assert_eq!(dir.read("site/x.html"), "<a href=https://example.org/docs/y>");
    assert_eq!((modified("site/absolute.html"), modified("site/z.css")), before);
    assert_eq!(tree(&dir.path("site")).len(), 3);
}

#[test]
fn dry_run_and_diff_write_nothing() {
    let dir = TestDir::with_site(&[
        ("a.html", "<p>\r\n<a href=x>\r\n<a\nhref=y><a href=z>"),
        ("b.html", "<a href=https://h/>"),
        ("c.html", "<a href=x>\n"),
    ]);
    let before = tree(&dir.path("site"));
    let dry = dir.rehref(&["absolute", "site", "--dry-run", "--url", URL]).status(0);
    assert_eq!(dry.stdout(), "a.html: 3 links\nc.html: 1 link\n");
    let diff = dir.rehref(&["absolute", "site", "--diff", "--url", URL]).status(0);
    insta::assert_snapshot!(diff.stdout().replace('\r', "␍"), @r"
    --- a/a.html
    +++ b/a.html
    @@ -1,4 +1,4 @@
     <p>␍
    -<a href=x>␍
    +<a href=https://example.org/docs/x>␍
     <a
    -href=y><a href=z>
    \ No newline at end of file
    +href=https://example.org/docs/y><a href=https://example.org/docs/z>
    \ No newline at end of file
    --- a/c.html
    +++ b/c.html
    @@ -1,1 +1,1 @@
    -<a href=x>
    +<a href=https://example.org/docs/x>
    ");
    assert!(tree(&dir.path("site")) == before);
    dir.write("none/x.html", b"<p>");
    dir.rehref(&["absolute", "none", "--diff", "--url", URL]).status(0);
}

#[test]
fn encodings() {
    let dir = TestDir::new();
    let utf16: Vec<u8> =
        "\u{FEFF}<a href=\u{e4}>\u{1F600}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16_after: Vec<u8> = "\u{FEFF}<a href=https://example.org/docs/\u{e4}>\u{1F600}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    dir.write("site/utf16.html", &utf16);
    dir.write("site/odd.html", &utf16[..utf16.len() - 1]);
    dir.write("site/1252.html", b"<meta charset=latin1><a href='?\xE4'>\xE4");
    dir.write("site/jp.html", b"<meta charset=iso-2022-jp><a href='x'>\x1b$B%I\x1b(B");
    dir.write(
        "site/late.html",
        &[&b" ".repeat(2000)[..], b"<meta charset=koi8-r><a href='?\xC1'><p>\xFF"].concat(),
    );
    dir.write("site/bom.html", b"\xEF\xBB\xBF<base href=b/><a href=x>");
    let run =
        dir.rehref(&["absolute", "site", "-o", "out", "--url", URL, "--format", "json"]).status(1);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    assert_eq!(report["documents"]["skipped"], 1);
    assert_eq!(report["diagnostics"][0]["path"], "odd.html");
    let read = |name: &str| fs::read(dir.path(&format!("out/{name}"))).unwrap();
    assert_eq!(read("utf16.html"), utf16_after);
    assert_eq!(read("odd.html"), utf16[..utf16.len() - 1]);
    assert_eq!(
        read("1252.html"),
        b"<meta charset=latin1><a href='https://example.org/docs/1252.html?\xE4'>\xE4"
    );
    assert_eq!(
        read("jp.html"),
        b"<meta charset=iso-2022-jp><a href='https://example.org/docs/x'>\x1b$B%I\x1b(B"
    );
    assert!(
        read("late.html").ends_with(b"<a href='https://example.org/docs/late.html?\xC1'><p>\xFF")
    );
    assert_eq!(
        read("bom.html"),
        b"\xEF\xBB\xBF<base href=https://example.org/docs/b/><a href=https://example.org/docs/b/x>"
    );
}

#[test]
fn selection() {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=x>"),
        ("sub/b.html", "<a href=x>"),
        ("sub/deep/c.html", "<a href=x>"),
        ("d.tmpl", "x <a href=x>"),
    ]);
    let changed = |arguments: &[&str]| {
        let common = ["absolute", "site", "--dry-run", "--url", URL];
        let run = dir.rehref(&[&common[..], arguments].concat());
        let names: Vec<String> =
            run.stdout().lines().map(|line| line.split(':').next().unwrap().to_owned()).collect();
        names.join(" ")
    };
    assert_eq!(changed(&[]), "a.html sub/b.html sub/deep/c.html");
    assert_eq!(changed(&["--include", "sub/*.html"]), "sub/b.html");
    assert_eq!(changed(&["--include", "sub/**"]), "sub/b.html sub/deep/c.html");
    assert_eq!(changed(&["--exclude", "c.html"]), "a.html sub/b.html");
    assert_eq!(changed(&["--html", "*.tmpl", "--exclude", "sub/**"]), "a.html d.tmpl");
    for folder in ["sub", "sub/", "./sub", "/sub/"] {
        assert_eq!(changed(&["--exclude", folder]), "a.html", "{folder}");
    }
    assert_eq!(changed(&["--include", "deep"]), "sub/deep/c.html");

    let run = |arguments: &[&str]| {
        let common = ["absolute", "site", "--dry-run", "--url", URL];
        dir.rehref(&[&common[..], arguments].concat())
    };
    let all = ["--exclude", "drafts", "--exclude", "d.*", "--include", "s*"];
    let notes = run(&all).status(0).stderr();
    assert!(notes.contains("warning: --exclude drafts matches nothing in SITE\n"), "{notes}");
    assert_eq!(notes.matches("warning:").count(), 1, "{notes}");
    for option in ["--include", "--exclude", "--html"] {
        let error = run(&[option, ""]).status(2).stderr();
        assert!(error.starts_with(&format!("error: {option} `` is an empty glob")), "{error}");
    }
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let dir = TestDir::with_site(&[("a.html", "<a href=x>"), ("z.html", "<a href=x>")]);
    // A directory stands where a file must go.
    fs::create_dir_all(dir.path("out/a.html/x")).unwrap();
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--force", "--url", URL]).status(2);
    let stderr = run.stderr().replace('\\', "/");
    assert!(
        stderr.contains("out/a.html is a directory, which is in the way; remove it"),
        "{}",
        run.stderr()
    );
    assert!(dir.read("out/z.html").contains(URL));
}

#[test]
fn output_does_not_depend_on_the_thread_count() {
    let files: Vec<(String, String)> = (0..300)
        .map(|n| (format!("{}/{n}.html", n % 7), format!("<a href={n}><a href='http://[{n}'>")))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(p, c)| (p.as_str(), c.as_str())).collect();
    let dir = TestDir::with_site(&files);
    let run = |threads: &str| {
        let diff = dir.rehref(&["absolute", "site", "--diff", "--url", URL, "-j", threads]);
        let out = format!("out{threads}");
        let arguments =
            ["absolute", "site", "-o", &out, "--url", URL, "--format", "json", "-j", threads];
        let report = dir.rehref(&arguments).status(0).stdout();
        let mut report: serde_json::Value = serde_json::from_str(&report).unwrap();
        report["seconds"] = 0.into();
        (diff.stdout(), report, tree(&dir.path(&out)))
    };
    assert!(run("1") == run("8"));
}

#[test]
fn what_people_read() {
    let dir = TestDir::with_site(&[
        (
            "a.html",
            "<p>\n<a href='http://[::1'>\n<a href=\"{{ x }}\"><a href=mailto:a@b><a href=y>\n<img src=''>",
        ),
        ("b.html", "<base href='javascript:x'><a href=https://h/>"),
        ("c.txt", ""),
    ]);
    let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", "https://example.org/docs"]);
    insta::assert_snapshot!("summary", without_times(&run.status(0).stderr()));

    let error = |arguments: &[&str]| dir.rehref(arguments).status(2).stderr();
    insta::assert_snapshot!("no_destination", error(&["absolute", "site", "--url", URL]));
    insta::assert_snapshot!(
        "url_without_scheme",
        error(&["absolute", "site", "-o", "o", "--url", "example.org"])
    );
    insta::assert_snapshot!(
        "url_not_hierarchical",
        error(&["absolute", "site", "-o", "o", "--url", "foo:x"])
    );
    insta::assert_snapshot!(
        "url_unpublishable",
        error(&["absolute", "site", "-o", "o", "--url", "data:text/html,x"])
    );
    insta::assert_snapshot!("filter_without_url", error(&["absolute", "-"]));
    insta::assert_snapshot!(
        "bad_glob",
        error(&["absolute", "site", "-o", "o", "--url", URL, "--include", "["])
    );
    insta::assert_snapshot!(
        "bad_charset",
        error(&["absolute", "site", "-o", "o", "--url", URL, "--charset", "utf-9"])
    );
}

#[test]
fn help() {
    let dir = TestDir::new();
    let wide = |arguments: &[&str]| dir.rehref(arguments).status(0).stdout();
    insta::assert_snapshot!("help", wide(&["--help"]));
    insta::assert_snapshot!("help_absolute", wide(&["absolute", "--help"]));
    assert!(wide(&["absolute", "--help"]).contains("Exit status:"));
}

#[test]
fn style_sheets_that_select_links_by_their_text_are_warned_of() {
    let css = "a { b: c }\na[href*='://']::after { content: 'x' } a[href^='#'] {}";
    let warning = "warning: s.css:2:2: selects links by their URLs ([href*='://'] and 1 more), so rewritten \
                   links may look different\n";
    for (command, page, is_warned) in [
        ("absolute", "<a href=q.html>", true),
        ("absolute", "<a href=https://other.example/>", false),
        ("relative", "<a href=https://example.org/docs/q.html>", true),
        ("relative", "<a href=q.html>", false),
    ] {
        let dir = TestDir::with_site(&[("p.html", page), ("q.html", ""), ("s.css", css)]);
        let run = dir.rehref(&[command, "site", "-o", "out", "--url", URL]).status(0);
        assert_eq!(run.stderr().contains(warning), is_warned, "{}", run.stderr());
    }
    let image =
        "<svg xmlns='http://www.w3.org/2000/svg'>\n  <style>a[href='q.html'] {}</style></svg>";
    for (page, expected) in [
        ("<a href=q.html>\n<style>a[href*='://'] { b: c }</style>", "p.html:2:9: style"),
        (
            "<iframe srcdoc=\"<style>a[href^=&quot;x&quot;]</style>\"></iframe><a href=q.html>",
            "p.html:1:25: iframe srcdoc > style",
        ),
        ("<a href=q.html>", "i.svg:2:11: svg:style"),
    ] {
        let dir = TestDir::with_site(&[("p.html", page), ("q.html", ""), ("i.svg", image)]);
        let run = dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
        let expected = format!("warning: {expected}: selects links by their URLs");
        assert!(run.stderr().contains(&expected), "{}", run.stderr());
    }
}

#[test]
fn a_run_ends_by_saying_where_the_output_is() {
    let dir = TestDir::new();
    dir.write("site/a.html", b"<a href=b.html>");
    let url = ["absolute", "site", "--url", "https://example.org/"];
    for (arguments, status, expected) in [
        (
            &["--dry-run"][..],
            0,
            "nothing was changed; to write the changes, omit --dry-run, --diff and --check",
        ),
        (
            &["--diff"],
            0,
            "nothing was changed; to write the changes, omit --dry-run, --diff and --check",
        ),
        (
            &["--out", "out", "--verify", "-n"],
            0,
            "nothing was changed; to write the changes, omit --dry-run, --diff and --check",
        ),
        (
            &["--in-place", "--diff"],
            0,
            "nothing was changed; to write the changes, omit --dry-run, --diff and --check",
        ),
        (&["--out", "out"], 0, "written to out"),
        (&["--in-place"], 0, "changed in place"),
        (&["--in-place"], 0, "nothing to change"),
    ] {
        let run = dir.rehref(&[&url, arguments].concat()).status(status);
        let stderr = run.stderr();
        assert_eq!(stderr.lines().last(), Some(expected), "{stderr}");
    }
    let redirects = ["--write-redirects", "netlify", "--in-place"];
    let request = [&["move", "site", "a.html=c.html"], &redirects[..]].concat();
    let would = dir.rehref(&[&request[..], &["--dry-run"]].concat());
    let stderr = would.status(0).stderr();
    assert_eq!(
        stderr.lines().last(),
        Some("nothing was changed; to write the changes, omit --dry-run, --diff and --check"),
        "{stderr}"
    );
    assert!(dir.path("site/a.html").exists() && !dir.path("site/_redirects").exists());
    let refused = ["absolute", "site", "--url", "https://a.org/", "-n", "-o", "site/out"];
    dir.rehref(&refused).status(2);
    let moved = dir.rehref(&request);
    if EXCHANGES {
        let stderr = moved.status(0).stderr();
        assert_eq!(stderr.lines().last(), Some("changed in place"), "{stderr}");
    } else {
        assert!(moved.status(2).stderr().contains("use --out"));
        assert!(dir.path("site/a.html").exists() && !dir.path("site/c.html").exists());
    }
}
