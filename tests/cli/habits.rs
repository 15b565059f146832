//! Wrong uses: each error says what to do instead.

use crate::support::TestDir;

/// A command line, and what its error says.
const WRONG_USES: &[(&str, &str)] = &[
    ("audit site --json", "use `--format json`"),
    ("verify site site --json", "use `--format json`"),
    ("absolute site --json", "use `--format json`"),
    ("audit site --sarif", "use `--format sarif`"),
    ("audit site --report json", "use `--format`"),
    ("absolute site --report json", "use `--format`"),
    ("absolute site --output out", "use `--out`"),
    ("absolute site --output=out", "use `--out`"),
    ("relative site --output-dir out", "use `--out`"),
    ("absolute site --inplace", "use `--in-place`"),
    ("absolute site --overwrite --out out", "use `--force`"),
    ("relative site --style root", "use `--form`"),
    ("relative site --index strip", "use `--directory-links`"),
    ("absolute site --index x", "use `--index-files`"),
    ("audit site --severity error", "use `--min-level`"),
    ("audit site --level error", "give --min-level error"),
    ("audit site --select broken-target", "use `--only`"),
    ("links site --type external", "use `--only`"),
    ("absolute site --workers 3", "use `--jobs`"),
    ("audit site/a.html", "give its site with --include a.html"),
    (
        "move site/a.html a.html=b.html",
        "give the root directory of the site",
    ),
    (
        "audit -",
        "absolute, relative and base read one document from stdin",
    ),
    (
        "links -",
        "absolute, relative and base read one document from stdin",
    ),
    (
        "audit site --format json --format sarif",
        "write one to a file: --format sarif=FILE",
    ),
    ("audit site --only orphan", "needs --entry GLOB"),
    (
        "audit site --config none.toml",
        "--config none.toml: no such file",
    ),
    ("audit site --check-anchors", "use `--fragments known`"),
    ("audit site --include-fragments", "use `--fragments known`"),
    ("relative site --convert-links", "use `--offline`"),
    ("links site --offline", "unexpected argument '--offline'"),
    (
        "audit site --convert-links",
        "`--offline` is an option of relative and verify; audit has nothing like it",
    ),
    ("links site --json", "use `--format jsonl`"),
    ("resolve --url https://example.org/ x", "use `--base`"),
    ("explain --all", "alone lists all checks"),
    ("completions --shell bash", "`rehref completions bash`"),
    ("man -k links", "is the page of one"),
    ("config --list", "alone prints all settings"),
    ("explain broken-link", "broken-target"),
    ("audit site --only broken-links", "use `broken-target`"),
    ("links site --only broken", "use `--broken`"),
    ("links site --only external --broken", "leave --only out"),
    ("move site --regex s/news/blog/", "write PATTERN=NEW"),
    ("base https://example.org/", "fetches nothing"),
    ("base site", "is a folder"),
    ("links site --fix", "`--fix` is an option of audit"),
    ("audit site --timeout 3", "rehref fetches nothing"),
    ("audit site -r", "the whole tree below SITE is always read"),
    ("absolute site out", "add `--out out`"),
    ("audit site site", "`--include GLOB`"),
    ("-k site", "a command comes first"),
    (
        "move site a.html=>b.html --dry-run",
        "the new path `>b.html` begins or ends with `>`",
    ),
    ("move site a.html=a.html --dry-run", "nothing to move"),
    (
        "move site a.html=b.html -o out --write-redirects json=- --format json",
        "both print",
    ),
    (
        "audit site --only broken-target --level broken-target=off",
        "leave no check to run",
    ),
    ("audit --explain", "use `rehref explain`"),
    ("man nothing", "no such command; rehref --help lists them"),
    ("rename site a=b", "use `rehref move`"),
    ("lint site", "use `rehref audit`"),
    ("compare site site", "use `rehref verify`"),
    ("urljoin x", "use `rehref resolve`"),
    ("aduit site", "a similar subcommand exists: 'audit'"),
    ("audit site --fix moved", "did you mean `--fix=moved`?"),
    ("audit site --quiet moved", "after `--quiet` comes no value"),
    (
        "absolute stie --url https://example.org/ --out out",
        "did you mean site?",
    ),
    (
        "audit nothing-like-it",
        "nothing-like-it: no such file or directory",
    ),
    (
        "audit https://example.org",
        "fetches nothing; download it first",
    ),
    ("move a.html=b.html", "SITE comes first, before OLD=NEW"),
    (
        "move site a.html",
        "after SITE come moves, written like old.html=new.html",
    ),
    (
        "move site folder/*=new/ --dry-run",
        "--regex moves files by pattern",
    ),
    (
        r"move site folder\a=b --dry-run",
        "write `/` between folders",
    ),
    (
        "move site --regex (=x --dry-run",
        "not a regular expression: unclosed group",
    ),
    (
        "move site --dry-run",
        "give OLD=NEW, --map FILE, --regex PATTERN=NEW or --new-url URL",
    ),
    (
        "resolve --base example.org x",
        "not an absolute URL; write it like https://example.org/docs/",
    ),
    ("absolute site --out out", "--url"),
    (
        "absolute site --url https://example.org/",
        "give a directory with --out DIR",
    ),
    ("audit site --format yaml", "[possible values: text, json"),
];

fn site() -> TestDir {
    let dir = TestDir::new();
    dir.write("site/a.html", b"<a href=folder/b.html>");
    dir.write("site/folder/b.html", b"<a href=../a.html>");
    dir
}

#[test]
fn each_wrong_use_says_what_to_do() {
    let dir = site();
    for (line, expected) in WRONG_USES {
        println!("{line}");
        let arguments: Vec<&str> = line.split(' ').collect();
        let run = dir.rehref(&arguments).status(2);
        assert!(run.stderr().contains(expected), "{line}: {}", run.stderr());
        assert_eq!(run.stdout(), "", "{line}");
    }
    assert!(!dir.path("out").exists());
}

#[test]
fn links_to_nothing_are_no_silence() {
    let dir = site();
    let run = dir
        .rehref(&["links", "site", "--to", "nowhere.html"])
        .status(0);
    assert!(
        run.stderr().contains("no link leads to nowhere.html"),
        "{}",
        run.stderr()
    );
    dir.write("site/folder/index.html", b"<a href=../folder/>");
    let run = dir.rehref(&["links", "site", "--to", "folder"]).status(0);
    assert_eq!(run.stdout().lines().count(), 1, "{}", run.stderr());
}

#[test]
fn a_site_at_another_url_is_not_fixed_as_one_at_a_root() {
    let dir = TestDir::new();
    let page = "<link rel=canonical href=https://e.org/docs/a.html><a href=/docs/a.html>";
    dir.write("site/a.html", page.as_bytes());
    dir.write("site/docs/index.html", b"<a href=/docs/a.html>");
    for more in [
        &["--dry-run"][..],
        &["--quiet", "--dry-run"],
        &["--in-place"],
    ] {
        let run = dir
            .rehref(&[&["audit", "site", "--fix=moved"], more].concat())
            .status(2);
        assert!(
            run.stderr().contains("add --url https://e.org/docs/"),
            "{}",
            run.stderr()
        );
    }
    assert_eq!(dir.read("site/a.html"), page);
    for (url, path) in [
        (&[][..], "/docs/"),
        (&["--url", "https://e.org/"], "/docs/"),
    ] {
        let run = dir.rehref(&[&["audit", "site"], url].concat()).status(1);
        let said = run.stderr();
        assert!(
            !said.contains("can be fixed") && said.contains(path),
            "{said}"
        );
    }
    let run = dir
        .rehref(&["audit", "site", "--url", "http://localhost:8080/docs/"])
        .status(0);
    assert!(!run.stderr().contains("is at"), "{}", run.stderr());
}

#[test]
fn what_cannot_be_read_is_no_result() {
    let dir = site();
    dir.write("bad.warc", b"this is no archive");
    for command in [
        &["audit", "bad.warc"][..],
        &["audit", "bad.warc", "--format", "junit"],
    ] {
        let run = dir.rehref(command).status(2);
        assert_eq!(run.stdout(), "", "{command:?}");
        assert!(run.stderr().contains("bad.warc"), "{}", run.stderr());
    }
    let update = [
        "audit",
        "bad.warc",
        "--baseline",
        "b.json",
        "--update-baseline",
    ];
    dir.rehref(&update).status(2);
    assert!(!dir.path("b.json").exists());
    #[cfg(unix)]
    {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt;
        let locked = dir.path("site");
        set_permissions(&locked, Permissions::from_mode(0o0)).unwrap();
        if std::fs::read_dir(&locked).is_err() {
            for command in ["audit", "links"] {
                let run = dir.rehref(&[command, "site"]).status(2);
                assert!(
                    run.stderr().contains("site: cannot be read:"),
                    "{}",
                    run.stderr()
                );
            }
        } else {
            println!("skipped: this user reads everything");
        }
        set_permissions(&locked, Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn words_that_people_type_are_commands() {
    let dir = site();
    for line in [
        "check site --baseurl https://example.org/ --jobs 2",
        "mv site a.html=c.html --out moved",
        "verify site moved a.html=c.html",
        "verify site moved --regex a(.html)=c$1",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        dir.rehref(&arguments).status(0);
    }
}

#[test]
fn pages_of_commands_have_the_text_of_every_option() {
    let dir = TestDir::new();
    for command in ["move", "audit", "verify"] {
        let page = dir.rehref(&["man", command]).status(0).stdout();
        let options = page.split("\n.TP\n").skip(1);
        let bare: Vec<&str> = options.filter(|it| it.trim().lines().count() < 2).collect();
        assert!(bare.is_empty(), "{command}: {bare:?}");
    }
}

#[test]
fn shells_and_man_get_what_they_read() {
    let dir = TestDir::new();
    for (shell, expected) in [
        ("bash", "complete -F _rehref"),
        ("zsh", "#compdef rehref"),
        ("fish", "complete -c rehref"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[rehref]"),
    ] {
        let script = dir.rehref(&["completions", shell]).status(0).stdout();
        assert!(
            script.contains(expected) && script.contains("in-place"),
            "{shell}"
        );
    }
    let own = dir.rehref(&["man"]).status(0).stdout();
    assert!(
        own.contains(".TH rehref 1") && own.contains("verify"),
        "{own}"
    );
    for command in ["absolute", "move", "mv", "audit", "explain"] {
        let page = dir.rehref(&["man", command]).status(0).stdout();
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    let page = dir.rehref(&["man", "move"]).status(0).stdout();
    assert!(page.contains("write\\-redirects"), "{page}");
}
