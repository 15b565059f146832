//! `rehref.toml` and `rehref config`.

use crate::run::Run;
use crate::support::TestDir;

fn site(settings: &str) -> TestDir {
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=gone.html><a href=https://www.e.org/docs/b.html>"),
        ("b.html", "<p id=x><p id=x>"),
    ]);
    dir.write("rehref.toml", settings.as_bytes());
    dir
}

fn findings(dir: &TestDir, arguments: &[&str]) -> (Run, usize) {
    let common = ["audit", "site", "--format", "jsonl"];
    let run = dir.rehref(&[&common[..], arguments].concat());
    let count = run.stdout().lines().count();
    (run, count)
}

#[test]
fn settings_hold_as_if_they_were_typed() {
    let dir = site("");
    assert_eq!(findings(&dir, &[]).1, 2);
    for (settings, arguments, expected) in [
        ("[audit]\nignore = ['broken-target']", &[][..], 1),
        // Those that are typed are added.
        ("[audit]\nignore = ['broken-target']", &["--ignore", "duplicate-id"], 0),
        ("[audit]\nignore = 'broken-target'", &["--no-config"], 2),
        ("[audit.level]\nbroken-target = 'off'", &[], 1),
        ("audit.level.broken-target = 'off'", &["--level", "broken-target=error"], 2),
        // Those that are typed take their place.
        ("audit.min-level = 'error'", &[], 1),
        ("audit.min-level = 'error'", &["--min-level", "warning"], 2),
        ("exclude = ['b.html']", &[], 1),
        ("audit.only = ['duplicate-id', 'wrong-case']", &[], 1),
        (
            "url = 'https://e.org/docs/'\nalso = 'https://www.e.org/docs/'",
            &["--only", "absolute-self-link"],
            1,
        ),
        ("json-ld = false", &[], 2),
    ] {
        dir.write("rehref.toml", settings.as_bytes());
        let (run, found) = findings(&dir, arguments);
        assert_eq!(found, expected, "{settings} {arguments:?}: {}", run.stderr());
    }
    dir.write("rehref.toml", b"url = 'https://e.org/docs/'\nredirects = 'none'");
    let out = ["absolute", "site", "-o", "out"];
    let run = dir.rehref(&out).status(2);
    let missing = dir.path("none").canonicalize().is_err();
    assert!(missing && run.stderr().contains("none: "), "{}", run.stderr());
    dir.write("rehref.toml", b"url = 'https://e.org/docs/'\naudit.baseline = 'x'");
    dir.rehref(&out).status(0);
    assert!(dir.read("out/a.html").contains("https://e.org/docs/gone.html"));
    // A single document has a URL of its own.
    let run = dir.rehref_with_stdin(&["absolute", "-"], b"<a href=x>").status(2);
    assert!(run.stderr().contains("stdin has no URL"), "{}", run.stderr());
}

#[test]
fn a_file_with_the_name_of_a_hidden_one_gets_a_note() {
    let dir = site("");
    std::fs::remove_file(dir.path("rehref.toml")).unwrap();
    dir.write(".rehref.toml", b"audit.ignore = ['broken-target']");
    let note = "rehref does not read .rehref.toml\nhelp: rename it to rehref.toml, or add --config .rehref.toml";
    let run = dir.rehref(&["audit", "site"]);
    assert!(run.stderr().contains(note), "{}", run.stderr());
    for given in [&["--no-config"][..], &["--config", ".rehref.toml"]] {
        let run = dir.rehref(&[&["audit", "site"], given].concat());
        assert!(!run.stderr().contains("does not read"), "{}", run.stderr());
    }
    // SITE is somebody else's.
    std::fs::rename(dir.path(".rehref.toml"), dir.path("site/.rehref.toml")).unwrap();
    let run = dir.rehref_in("site", &["audit", "."]);
    assert!(!run.stderr().contains("does not read"), "{}", run.stderr());
}

#[test]
fn mistakes_are_shown_with_their_place() {
    let dir = site("");
    for (settings, expected) in [
        ("\nurll = 'x'", "rehref.toml:2:1: unknown key `urll`\nhelp: did you mean `url`?"),
        ("include = ['a[.html']", "rehref.toml:1:11: a[.html: unclosed character class"),
        (
            "baseURL = 'https://e.org/'",
            "unknown key `baseURL`\nhelp: write the whole URL, like url",
        ),
        ("ignore = []", "unknown key `ignore`\nhelp: use `audit.ignore`"),
        (
            "[audit]\nurl = 'x'",
            "rehref.toml:2:1: unknown key `audit.url`\nhelp: write `url` at the top of the file, above the table",
        ),
        (
            "out = 'x'",
            "rehref.toml:1:1: `out` is not a setting\nhelp: pass --out on the command line",
        ),
        ("url = 1", "rehref.toml:1:7: `url` must be a string, but the value is of type integer"),
        ("multiviews = 'x'", "rehref.toml:1:14: `multiviews` must be true or false"),
        (
            "also = [1]",
            "rehref.toml:1:9: `also` must be a list of strings, but the value is of type integer",
        ),
        ("audit.level = 'x'", "`audit.level` is a table: broken-fragment = \"warning\""),
        ("url = ", "rehref.toml:1:7: "),
        ("{\"url\": \"https://e.org/\"}", "settings are TOML, like url = "),
        ("[Audit]\nignore = []", "unknown key `Audit`\nhelp: did you mean `audit`?"),
        ("output = 'x'", "`output` is not a setting\nhelp: pass --out on the command line"),
        ("site-url = 'x'", "unknown key `site-url`\nhelp: use `url`"),
        (
            "[move]\na = 'b'",
            "at the top of the file, without a table; pass the other options of move",
        ),
        ("root = 'site'", "the site is an argument, as in `rehref audit SITE`"),
        ("url  default  x", "settings are TOML, like url = "),
        ("url = 'example.org'", "rehref.toml:1:7: `example.org` is not an absolute URL"),
        ("\naudit.min-level = 'high'", "rehref.toml:2:19: invalid value 'high' for '--min-level"),
        (
            "audit.level.broken-targt = 'off'",
            "rehref.toml:1:13: `broken-targt` is not a check\nhelp: did you mean broken-target?",
        ),
        (
            "[audit.level]\nbroken-fragment = 'note'\nbroken-target = 'warn'",
            "rehref.toml:3:17: `warn` is not a level\nhelp: pass error, warning, note or off",
        ),
        ("gitignore = true\nurl: https://e.org/", "rehref.toml:2:6: key with no value"),
    ] {
        dir.write("rehref.toml", settings.as_bytes());
        let (run, _) = findings(&dir, &[]);
        let stderr = run.status(2).stderr();
        assert!(stderr.contains(expected), "{settings}: {stderr}");
        assert!(!stderr.contains("Usage:") && !stderr.contains("\\n"), "{stderr}");
        let run = dir.rehref(&["config"]).status(2);
        assert!(run.stderr().contains(expected), "{settings}: {}", run.stderr());
    }
    let missing = findings(&dir, &["--config", "none.toml"]).0.status(2);
    assert!(missing.stderr().contains("--config none.toml: no such file"));
}

#[test]
fn config_prints_what_holds_and_whence() {
    let dir = site("url = 'https://e.org/'\n[audit]\nignore = ['a.html', 'orphan']\n");
    dir.write(
        "rehref.toml",
        b"url = 'https://e.org/'\n[audit]\nignore = ['broken-target path:x', 'orphan']\n",
    );
    let text = dir.rehref(&["config", "--config", "rehref.toml"]).status(0).stdout();
    insta::assert_snapshot!(text);
    let json = dir.rehref(&["config", "--format", "json"]).status(0).stdout();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["format"], "rehref-config");
    assert_eq!(json["settings"][0]["value"][0], "https://e.org/");
    let none = TestDir::new().rehref(&["config"]).status(0);
    assert!(none.stderr().contains("no rehref.toml"), "{}", none.stderr());
}

/// What a link or a pipe leads to may be endless, or not the user's.
#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>")]);
    std::os::unix::fs::symlink("/dev/zero", dir.path("rehref.toml")).unwrap();
    let expected = "rehref.toml is not a regular file, so rehref did not read it\nhelp: to read it, add --config rehref.toml";
    let run = dir.rehref(&["audit", "site"]).status(1);
    assert!(run.stderr().contains(expected), "{}", run.stderr());
    std::fs::remove_file(dir.path("rehref.toml")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(dir.path("rehref.toml")).status();
    assert!(made.unwrap().success());
    let run = dir.rehref(&["audit", "site"]).status(1);
    assert!(run.stderr().contains(expected), "{}", run.stderr());
    std::fs::remove_file(dir.path("rehref.toml")).unwrap();
    dir.write("rehref.toml", format!("{} = 1", "a".repeat(5 << 20)).as_bytes());
    let run = dir.rehref(&["audit", "site"]).status(2);
    assert!(run.stderr().contains("rehref.toml is larger than 1 MB"), "{}", run.stderr());
}
