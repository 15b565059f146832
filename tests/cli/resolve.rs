//! `rehref resolve`, the real binary.

use crate::run::Run;
use crate::support::TestDir;

const BASE: &str = "http://a/b/c/d;p?q";

fn resolve(arguments: &[&str]) -> Run {
    let common = ["resolve", "--base", BASE];
    TestDir::new().rehref(&[&common[..], arguments].concat())
}

#[test]
fn one_target_a_line() {
    let run = resolve(&["../g", ";x", "http:g", "", "#s"]).status(0);
    assert_eq!(
        run.stdout(),
        "http://a/b/g\nhttp://a/b/c/;x\nhttp://a/b/c/g\nhttp://a/b/c/d;p?q\nhttp://a/b/c/d;p?q#s\n"
    );
    let run = resolve(&["--standard", "draft-05", "../../../g", ";x"]).status(0);
    assert_eq!(run.stdout(), "http://a/../g\nhttp://a/b/c/d;x\n");
    let run = resolve(&["--charset", "windows-1252", "?ä"]).status(0);
    assert_eq!(run.stdout(), "http://a/b/c/d;p?%E4\n");
}

#[test]
fn references_from_stdin() {
    let arguments = ["resolve", "--base", BASE];
    let run = TestDir::new().rehref_with_stdin(&arguments, b"g\r\n\n?y\n");
    assert_eq!(run.status(0).stdout(), "http://a/b/c/g\nhttp://a/b/c/d;p?q\nhttp://a/b/c/d;p?y\n");
    let arguments = ["resolve", "--base", "<URL: http://a/b/ >", "--delimited"];
    let text = b"See <URL:x/\n  y.html> and <../z>, not <URL:";
    let run = TestDir::new().rehref_with_stdin(&arguments, text);
    assert_eq!(run.status(0).stdout(), "http://a/b/x/y.html\nhttp://a/z\n");
}

#[test]
fn relativize() {
    let run = resolve(&["--relativize", "http://a/x", "http://a/b/c/y:z", "http://a/b/c/d;p?q"]);
    assert_eq!(run.status(0).stdout(), "../../x\n./y:z\n?q\n");
    let run = resolve(&["--relativize", "--form", "root", "http://a/x"]);
    assert_eq!(run.status(0).stdout(), "/x\n");
    let run = resolve(&["--relativize", "http://z/"]).status(1);
    assert_eq!(run.stdout(), "\n");
    assert_eq!(
        run.stderr(),
        "error: http://z/: with this base URL, no reference in the form path resolves to the target; use the \
         URL itself, or --form shortest\n"
    );
}

#[test]
fn no_target() {
    let run = TestDir::new().rehref(&["resolve", "--base", "mailto:a@b", "x", "#y"]).status(1);
    assert_eq!(run.stdout(), "\nmailto:a@b#y\n");
    assert!(run.stderr().starts_with("error: x: the base URL has no hierarchy"));
    let usage = |arguments: &[&str]| TestDir::new().rehref(arguments).status(2).stderr();
    assert!(usage(&["resolve", "x"]).contains("--base"));
    let unknown = usage(&["resolve", "--base", BASE, "--standard", "rfc2396", "x"]);
    assert!(unknown.contains("possible values: whatwg, rfc3986"), "{unknown}");
}

#[test]
fn tables_and_steps() {
    let table =
        resolve(&["--standard", "all", "../../../g", ";x", "http:g", "", "g y", "///g"]).status(0);
    insta::assert_snapshot!("resolve_all", table.stdout());
    let steps = resolve(&["--explain", "--standard", "rfc1808", "../../../g", ";x#s"]).status(0);
    insta::assert_snapshot!("resolve_explain", steps.stdout());
    let json = resolve(&["--format", "json", "g", "http://["]).status(1);
    insta::assert_snapshot!("resolve_json", json.stdout());
    let json = resolve(&["--format", "json", "--standard", "all", "http:g"]).status(0);
    insta::assert_snapshot!("resolve_all_json", json.stdout());
    let json = resolve(&["--format", "json", "--explain", "g?y"]).status(0);
    insta::assert_snapshot!("resolve_explain_json", json.stdout());
    let help = TestDir::new().rehref(&["resolve", "--help"]).status(0);
    insta::assert_snapshot!("help_resolve", help.stdout());
}
