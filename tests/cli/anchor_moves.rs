//! Moves of anchors: links follow a heading or an element that has another name, or is in another page.

use crate::support::TestDir;

/// The text of `file` after `moves`, which are verified.
fn moved(dir: &TestDir, moves: &[&str], files: &[&str]) -> Vec<String> {
    let arguments = [&["move", "site", "-o", "out", "--verify", "--force"][..], moves].concat();
    dir.rehref(&arguments).status(0);
    dir.rehref(&[&["verify", "site", "out"][..], moves].concat()).status(0);
    files.iter().map(|it| dir.read(&format!("out/{it}"))).collect()
}

fn html() -> TestDir {
    TestDir::with_site(&[
        (
            "a.html",
            "<a href=#old>1</a><a href=\"a.html#old\">2</a><a href=?q#old>3</a><a href=#other>4</a>\
             <p id=old><p id=other><p id=new>",
        ),
        (
            "d/b.html",
            "<a href='../a.html#old'>1</a><a href=/a.html#ol%64>2</a><a href=../a.html>3</a><p id=moved>",
        ),
        ("d/index.html", "<a href=./#old><p id=old>"),
    ])
}

#[test]
fn links_follow_a_renamed_anchor() {
    let found = moved(&html(), &["a.html#old=a.html#new"], &["a.html", "d/b.html", "d/index.html"]);
    assert_eq!(
        found,
        [
            "<a href=#new>1</a><a href=\"#new\">2</a><a href=?q#new>3</a><a href=#other>4</a>\
             <p id=old><p id=other><p id=new>",
            "<a href='../a.html#new'>1</a><a href=/a.html#new>2</a><a href=../a.html>3</a><p id=moved>",
            "<a href=./#old><p id=old>",
        ]
    );
}

#[test]
fn links_follow_an_anchor_to_another_page() {
    let found = moved(&html(), &["a.html#old=d/b.html#moved"], &["a.html", "d/b.html"]);
    assert!(
        found[0].starts_with("<a href=d/b.html#moved>1</a><a href=\"d/b.html#moved\">2</a>"),
        "{}",
        found[0]
    );
    assert!(found[1].starts_with("<a href='#moved'>1</a>"), "{}", found[1]);
    let found = moved(&html(), &["d/index.html#old=#new"], &["d/index.html"]);
    assert_eq!(found, ["<a href=#new><p id=old>"]);
}

#[test]
fn anchors_move_together_with_their_files() {
    let moves = ["a.html=e/c.html", "a.html#old=a.html#new", "d/index.html#old=e/c.html#other"];
    let found = moved(&html(), &moves, &["e/c.html", "d/b.html", "d/index.html"]);
    assert!(found[0].starts_with("<a href=#new>1</a><a href=\"#new\">2</a>"), "{}", found[0]);
    assert!(found[1].starts_with("<a href='../e/c.html#new'>1</a>"), "{}", found[1]);
    assert_eq!(found[2], "<a href=../e/c.html#other><p id=old>");
}

#[test]
fn links_in_markdown_follow_an_anchor() {
    let dir = TestDir::with_site(&[
        ("a.md", "# A\n\n[1](#old) [2](b.md#old)\n"),
        ("b.md", "# B\n\n[1](a.md#old \"t\") [2](<a.md#old>) [3][r]\n\n[r]: a.md#old\n"),
    ]);
    let found = moved(&dir, &["a.md#old=a.md#new"], &["a.md", "b.md"]);
    assert_eq!(
        found,
        [
            "# A\n\n[1](#new) [2](b.md#old)\n",
            "# B\n\n[1](a.md#new \"t\") [2](<a.md#new>) [3][r]\n\n[r]: a.md#new\n",
        ]
    );
    let found = moved(&dir, &["a.md#old=b.md#old"], &["a.md", "b.md"]);
    assert_eq!(
        found,
        [
            "# A\n\n[1](b.md#old) [2](b.md#old)\n",
            "# B\n\n[1](#old \"t\") [2](<#old>) [3][r]\n\n[r]: #old\n",
        ]
    );
}

#[test]
fn a_missing_anchor_or_file_is_named() {
    let dir = html();
    let run = dir.rehref(&["move", "site", "a.html#old=a.html#nev", "--dry-run"]).status(0);
    let warning = "warning: a.html has no anchor `nev`; the nearest anchor is `new`";
    assert!(run.stderr().contains(warning), "{}", run.stderr());
    for (request, expected) in [
        ("a.html#old=c.html#new", "`c.html` does not exist in SITE; the nearest name is `a.html`"),
        ("c.html#old=a.html#new", "`c.html#old` does not exist in SITE"),
        ("a.html=a.html#new", "to rename an anchor, write page.html#old=page.html#new"),
        ("a.html#old=a.html#old", "nothing to move"),
    ] {
        let run = dir.rehref(&["move", "site", request, "--dry-run"]).status(2);
        assert!(run.stderr().contains(expected), "{}", run.stderr());
    }
}
