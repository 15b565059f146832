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
        (
            "a.html#old=c.html#new",
            "`c.html` does not exist in the site; the nearest name is `a.html`",
        ),
        ("c.html#old=a.html#new", "`c.html#old` does not exist in the site"),
        ("a.html=a.html#new", "to rename an anchor, write page.html#old=page.html#new"),
        ("a.html#old=a.html#old", "nothing to move"),
    ] {
        let run = dir.rehref(&["move", "site", request, "--dry-run"]).status(2);
        assert!(run.stderr().contains(expected), "{}", run.stderr());
    }
}

#[test]
fn an_anchor_becomes_a_page() {
    let dir = TestDir::with_site(&[
        ("book.toml", ""),
        ("src/a.md", "# A\n\n[1](#old) [2](b.md#old) <a href=\"a.html#old\">3</a>\n"),
        ("src/b.md", "# B\n\n[1](a.md#old) [2](a.md)\n"),
    ]);
    let moves = ["src/a.md#old=src/b.md"];
    let found = moved(&dir, &moves, &["src/a.md", "src/b.md"]);
    assert_eq!(
        found,
        [
            "# A\n\n[1](b.md) [2](b.md#old) <a href=\"b.html\">3</a>\n",
            "# B\n\n[1](b.md) [2](a.md)\n",
        ]
    );
    let run = dir.rehref(&["move", "site", moves[0], "--dry-run"]).status(0);
    assert!(run.stderr().contains("mdBook redirects anchors"), "{}", run.stderr());
    let run = dir.rehref(&["move", "site", "src/a.md#old=src/c.md", "--dry-run"]).status(2);
    assert!(run.stderr().contains("`src/c.md` does not exist in the site"), "{}", run.stderr());
}
