//! `rehref absolute`, the real binary on real directories.

use std::fs;
#[cfg(unix)]
use std::path::Path;

use crate::support::{TestDir, tree};

const URL: &str = "https://example.org/docs/";

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
    fs::write(dir.path("site").join(name), "<a href=?x>").unwrap();
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    assert_eq!(
        fs::read_to_string(dir.path("out").join(name)).unwrap(),
        "<a href=https://example.org/docs/gr%FC%DFe.html?x>"
    );
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
