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
    let run = dir.rehref(&["absolute", "site", "--url", "none", "-o", "out", "--verify"]).status(0);
    assert_eq!(
        skipped(&run.stderr()),
        [
            "page.html:1:9: a href `x`",
            "page.html:2:9: a href `#f`",
            "page.html:3:9: a href `//h/x`",
            "place.eml:2:19: Content-Location `q/z.html`",
            "place.eml:4:9: a href `y`",
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
fn links_and_base_say_what_is_not_known() {
    let dir = site();
    let run = dir
        .rehref(&["links", "site", "--url", "none", "--format", "csv", "--include", "*.html"])
        .status(0);
    let rows = "\
base.html,1,12,base,href,html,https://b.org/d/,,https://b.org/d/,,external,,
base.html,2,9,a,href,html,x,https://b.org/d/,https://b.org/d/x,,external,,
page.html,1,9,a,href,html,x,,,,unknown-base,,
page.html,2,9,a,href,html,#f,,,,unknown-base,,
page.html,3,9,a,href,html,//h/x,,,,unknown-base,,
page.html,4,9,a,href,html,https://e.org/a/../b,,https://e.org/b,,external,,
page.html,5,9,a,href,html,mailto:x@y,,mailto:x@y,,other,,
";
    assert_eq!(run.stdout().split_once('\n').unwrap().1, rows);
    for (file, expected) in [
        ("page.html", "document  (none)  none\n"),
        ("base.html", "document  https://b.org/d/  embedded base element\n"),
        ("mail.eml", "message  https://c.org/q/  header Content-Base\n"),
        ("place.eml", "message  (none)  none\n"),
    ] {
        let path = format!("site/{file}");
        let run = dir.rehref(&["base", &path, "--url", "none"]).status(0);
        assert_eq!(run.stdout(), expected, "{file}");
    }
    let run = dir
        .rehref_with_stdin(&["links", "-", "--url", "none", "--format", "urls"], PAGE.as_bytes());
    assert_eq!(run.status(0).stdout(), "https://e.org/b\nmailto:x@y\n");
    let run = dir.rehref_with_stdin(&["base", "-", "--url", "none"], WITH_BASE.as_bytes());
    assert!(run.status(0).stdout().contains("https://b.org/d/"));
}

#[test]
fn references_are_resolved_without_a_base() {
    let dir = TestDir::new();
    let run = dir.rehref(&["resolve", "--base", "none", "x", "#f", "HTTP://h/a"]).status(1);
    assert_eq!(run.stdout(), "\n\nhttp://h/a\n");
    let run = dir.rehref(&["resolve", "--base", "none", "--standard", "rfc3986", "x"]).status(1);
    assert_eq!(run.stderr(), "error: x: a relative reference needs a base URL\n");
    // "If the base URL is the empty string, the embedded URL is interpreted as an absolute URL" (section 4).
    let run = dir.rehref(&["resolve", "--base", "none", "--standard", "rfc1808", "x"]).status(0);
    assert_eq!(run.stdout(), "x\n");
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
            "--base-element would give targets to links that have none",
        ),
    ] {
        let all = [arguments, &["--url", "none"]].concat();
        let run = dir.rehref(&all).status(2);
        assert!(run.stderr().contains(said), "{arguments:?}: {}", run.stderr());
    }
}
