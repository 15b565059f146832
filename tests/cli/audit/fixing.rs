//! `--fix`: corrects findings with exactly one correction; nothing else changes.

use super::found;
use crate::support::{TestDir, assert_same_trees};

const PAGE: &str = "<a href=PAGE.html#x> <a href='DIR'> <a href=dir> <A HREF = \"Page.html?a&amp;b\">\r\n\
    <img srcset='PAGE.html 1x,  I.PNG 2x' src=&#73;.png>\n\
    <style>a { b: url(I.PNG) url( \"i.PNG\" ) }</style>\n\
    <a href=PAGE.html data-rehref-ignore> <a href=x/once.html#y> <a href=gone.html>\n\
    <iframe srcdoc='<a href=\"PAGE.html\">&lt;a href=\"DIR\"&gt;'></iframe>";

const FIXED: &str = "<a href=page.html#x> <a href='dir/'> <a href=dir/> <A HREF = \"page.html?a&amp;b\">\r\n\
    <img srcset='page.html 1x,  i.png 2x' src=i.png>\n\
    <style>a { b: url(i.png) url( \"i.png\" ) }</style>\n\
    <a href=PAGE.html data-rehref-ignore> <a href=x/once.html#y> <a href=gone.html>\n\
    <iframe srcdoc='<a href=\"page.html\">&lt;a href=\"dir/\"&gt;'></iframe>";

const REMAINING: [&str; 2] = [
    "index.html:4:47 broken-target x/once.html#y -> dir/once.html#y",
    "index.html:4:70 broken-target gone.html",
];

fn utf_16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

fn site() -> TestDir {
    let dir = TestDir::with_site(&[
        ("index.html", PAGE),
        ("page.html", "<p id=x>"),
        ("dir/index.html", ""),
        ("dir/once.html", "<p id=y>"),
        ("i.png", ""),
        ("untouched.html", "<A href= 'i.png' >\r"),
    ]);
    dir.write("site/wide.html", &utf_16("<p>ü</p><a href=\"PAGE.html\">"));
    dir
}

#[test]
fn in_place() {
    let dir = site();
    let run =
        dir.rehref(&["audit", "site", "-q", "--fix", "--in-place", "--format", "jsonl"]).status(1);
    let left: Vec<String> = run.stdout().lines().map(super::in_short).collect();
    assert_eq!(left, REMAINING);
    assert_eq!(found(&dir, &[]), REMAINING);
    assert_eq!(dir.read("site/index.html"), FIXED);
    assert_eq!(dir.read("site/untouched.html"), "<A href= 'i.png' >\r");
    let wide = std::fs::read(dir.path("site/wide.html")).unwrap();
    assert_eq!(wide, utf_16("<p>ü</p><a href=\"page.html\">"));
    // Nothing is left to fix.
    let before = site();
    before.rehref(&["audit", "site", "-q", "--fix", "-o", "out"]).status(1);
    assert_same_trees(&before.path("out"), &dir.path("site"));
    assert_same_trees(&before.path("site"), &site().path("site"));
    dir.rehref(&["audit", "site", "-q", "--fix", "-o", "out"]).status(1);
    assert_same_trees(&dir.path("out"), &dir.path("site"));
    // Only these references changed.
    let verify = before.rehref(&["verify", "site", "out", "--format", "json"]).status(1);
    let report = verify.stdout();
    for fixed in ["PAGE.html", "DIR", "I.PNG"] {
        assert!(report.contains(fixed), "{report}");
    }
    for kept in ["once.html", "gone.html"] {
        assert!(!report.contains(kept), "{report}");
    }
}

#[test]
fn moved() {
    let dir = site();
    let diff = dir.rehref(&["audit", "site", "-q", "--fix=moved", "--diff"]).status(0);
    insta::assert_snapshot!("diff", diff.stdout());
    assert_eq!(dir.read("site/index.html"), PAGE);
    let listed = dir.rehref(&["audit", "site", "-q", "--fix=moved", "--dry-run"]).status(0);
    assert_eq!(listed.stdout(), "index.html: 12 links\nwide.html: 1 link\n");
    assert_eq!(dir.read("site/index.html"), PAGE);
    dir.rehref(&["audit", "site", "-q", "--fix=moved", "--in-place"]).status(1);
    assert_eq!(found(&dir, &[]), ["index.html:4:72 broken-target gone.html"]);
}

#[test]
fn the_result_needs_a_place() {
    for (arguments, message) in [
        (&["--fix"][..], "no output: add --out DIR"),
        (&["-o", "out"], "--fix"),
        (&["--in-place"], "--fix"),
        (&["--fix=all", "--diff"], "invalid value"),
    ] {
        let mut all = vec!["audit", "site"];
        all.extend(arguments);
        let run = site().rehref(&all).status(2);
        assert!(run.stderr().contains(message), "{}", run.stderr());
    }
}

#[test]
fn references_in_signed_parts_stay_broken() {
    let message = "MIME-Version: 1.0\nContent-Type: multipart/signed; boundary=b\n\n\
        --b\nContent-Type: text/html\n\n<a href=PAGE.html>\n--b--";
    let dir = TestDir::with_site(&[("mail.eml", message), ("page.html", "")]);
    let run = dir.rehref(&["audit", "site", "--fix", "-o", "out"]).status(1);
    assert_eq!(dir.read("out/mail.eml"), message);
    let warning = "<a> href in part 1 `PAGE.html`: this part is signed: changing the link to page.html would break the";
    assert!(run.stderr().contains(warning), "{}", run.stderr());
    assert!(run.stdout().contains("PAGE.html"), "{}", run.stdout());
}

#[test]
fn a_report_ends_with_what_can_be_fixed_and_what_is_gone() {
    let dir = TestDir::new();
    dir.write("site/Page.html", b"");
    dir.write("site/deep/moved.html", b"");
    dir.write("site/a.html", b"<a href=page.html></a><a href=moved.html></a><a href=gone>");
    let run = dir.rehref(&["audit", "site"]).status(1);
    let expected = "rehref can fix 1 finding with --fix, 1 finding with --fix=moved\nhelp: add --diff to see the changes, --in-place or --out DIR to make them";
    assert!(run.stderr().contains(expected), "{}", run.stderr());
    let json = dir.rehref(&["audit", "site", "--format", "json"]).status(1);
    assert!(!json.stderr().contains("can fix"));

    let baseline = ["audit", "site", "--baseline", "known.json"];
    dir.rehref(&[&baseline[..], &["--update-baseline"]].concat()).status(0);
    let same = dir.rehref(&baseline).status(0);
    assert!(!same.stderr().contains("baseline"), "{}", same.stderr());
    dir.write("site/a.html", b"<a href=gone>");
    let less = dir.rehref(&baseline).status(0);
    let expected = "stale entries in the baseline: 2: the audit no longer reports broken-target in a.html: moved.html, wrong-case in a.html: page.html\nhelp: --update-baseline removes them\n";
    assert!(less.stderr().contains(expected), "{}", less.stderr());
    let stale = [&baseline[..], &["--fail-on", "error,stale", "--quiet"]].concat();
    let stale = dir.rehref(&stale).status(1).stderr();
    let expected = "error: stale entries in the baseline: 2, and --fail-on includes stale: ";
    assert!(stale.starts_with(expected), "{stale}");
    dir.write("site/c.html", b"<a href=gone2>");
    let more = dir.rehref(&baseline).status(1).stderr();
    assert!(more.contains("removes them (and adds new findings: 1)\n"), "{more}");
    dir.write("site/a.html", b"");
    let other = dir.rehref(&baseline).status(1).stderr();
    assert!(other.contains("check that the baseline belongs to this site and --url"), "{other}");
    dir.write("site/a.html", b"<a href=gone>");
    std::fs::remove_file(dir.path("site/c.html")).unwrap();
    dir.rehref(&[&baseline[..], &["--update-baseline"]].concat()).status(0);
    let updated = dir.rehref(&baseline).status(0);
    assert!(!updated.stderr().contains("stale"), "{}", updated.stderr());
}
