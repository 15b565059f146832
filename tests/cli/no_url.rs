//! `--url none`: there is no retrieval URL.

use crate::support::TestDir;

const PAGE: &str =
    "<a href=x>\n<a href=#f>\n<a href=//h/x>\n<a href=https://e.org/a/../b>\n<a href=mailto:x@y>\n";
const WITH_BASE: &str = "<base href=https://b.org/d/>\n<a href=x>";
const MESSAGE: &str = "Content-Type: text/html\nContent-Base: https://c.org/q/\n\n<a href=x>";
const RELATIVE_HEADER: &str = "Content-Type: text/html\nContent-Location: q/z.html\n\n<a href=y>";

fn site() -> TestDir {
    TestDir::with_site(&[
        ("page.html", PAGE),
        ("base.html", WITH_BASE),
        ("mail.eml", MESSAGE),
        ("place.eml", RELATIVE_HEADER),
    ])
}

/// The warnings about skipped links.
fn skipped(stderr: &str) -> Vec<&str> {
    let lines = stderr.lines().filter_map(|line| line.strip_prefix("warning: "));
    lines.filter_map(|line| line.strip_suffix(": the base URL is unknown; skipped")).collect()
}

#[test]
fn relative_links_without_a_base_are_skipped_and_listed() {
    let dir = site();
    let arguments = ["absolute", "site", "--url", "none", "-o", "out", "--verify", "-v"];
    let run = dir.rehref(&arguments).status(0);
    assert_eq!(
        skipped(&run.stderr()),
        [
            "page.html:1:9: <a> href `x`",
            "page.html:2:9: <a> href `#f`",
            "page.html:3:9: <a> href `//h/x`",
            "place.eml:2:19: Content-Location `q/z.html`",
            "place.eml:4:9: <a> href `y`",
        ]
    );
    assert!(run.stderr().contains("5     with an unknown base URL"), "{}", run.stderr());
    assert!(run.stderr().contains("verified in"), "{}", run.stderr());
    assert_eq!(dir.read("out/page.html"), PAGE);
    assert_eq!(dir.read("out/base.html"), WITH_BASE.replace("=x>", "=https://b.org/d/x>"));
    assert_eq!(dir.read("out/mail.eml"), MESSAGE.replace("=x>", "=https://c.org/q/x>"));
    assert_eq!(dir.read("out/place.eml"), RELATIVE_HEADER);
    // The same for a document, and for stdin.
    let run = dir.rehref(&["absolute", "site/base.html", "--url", "none", "-o", "-", "-q"]);
    assert_eq!(run.status(0).stdout(), dir.read("out/base.html"));
    for (input, output) in [(PAGE, PAGE), (WITH_BASE, &*dir.read("out/base.html"))] {
        let run = dir.rehref_with_stdin(&["absolute", "-", "--url", "none"], input.as_bytes());
        assert_eq!(run.status(0).stdout(), output);
    }
}

#[test]
fn other_commands_say_that_they_need_a_place() {
    let dir = site();
    for (arguments, said) in [
        (&["relative", "site", "-n"][..], "--url none: relative needs the URLs of documents"),
        (&["relative", "-"], "--url none: relative needs"),
        (&["move", "site", "a=b", "-n"], "--url none: move needs"),
        (&["audit", "site"], "--url none: audit needs"),
        (&["verify", "site", "site"], "--url none: verify needs"),
        (&["links", "site", "--broken"], "with --url none, no link has a target in the site"),
        (
            &["absolute", "site", "-n", "--base-element", "https://x.org/"],
            "--base-element would make targets for links that have none",
        ),
    ] {
        let all = [arguments, &["--url", "none"]].concat();
        let run = dir.rehref(&all).status(2);
        assert!(run.stderr().contains(said), "{arguments:?}: {}", run.stderr());
    }
}
