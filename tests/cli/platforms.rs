//! What each system promises: names that it cannot hold, separators, long paths, letter case.

use std::fs;

use crate::support::{TestDir, directory_url};

const URL: &str = "https://example.org/docs/";

#[test]
fn a_move_to_a_name_that_the_system_cannot_hold_is_an_error_before_anything_is_written() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>"), ("b.html", "")]);
    let long = format!("{}.html", "x".repeat(300));
    for (name, is_held, problem) in [
        ("nul.html", cfg!(unix), "is the name of a device on Windows"),
        ("d/CON", cfg!(unix), "is the name of a device on Windows"),
        ("a:b.html", cfg!(unix), "contains ':'"),
        ("a|b.html", cfg!(unix), "contains '|'"),
        ("b.html.", cfg!(unix), "ends with '.'"),
        (&long, false, "is longer than"),
    ] {
        dir.write("map", format!("b.html\t{name}\n").as_bytes());
        let arguments = ["move", "site", "-o", "out", "--map", "map", "-q"];
        let run = dir.rehref(&[&arguments[..], &["--url", URL]].concat());
        if is_held {
            run.status(0);
            fs::remove_dir_all(dir.path("out")).unwrap();
            continue;
        }
        let stderr = run.status(2).stderr();
        assert!(stderr.contains(problem), "{name}: {stderr}");
        assert!(stderr.contains("nothing was changed"), "{name}: {stderr}");
        assert!(!dir.path("out").exists(), "{name}");
    }
}

#[test]
fn a_list_of_files_has_the_separators_of_the_system() {
    let dir = TestDir::with_site(&[
        ("d/a.html", "<a href=x>"),
        ("d/b.html", "<a href=x>"),
        ("c.html", "<a href=x>"),
    ]);
    let written = if cfg!(windows) {
        "site\\d\\a.html\r\nsite/c.html\r\n"
    } else {
        "site/d/a.html\r\nsite/c.html\r\n"
    };
    for mark in ["", "\u{FEFF}"] {
        dir.write("list", format!("{mark}{written}").as_bytes());
        let links = ["links", "site", "--files-from", "list", "-q", "--format", "csv"];
        let printed = dir.rehref(&[&links[..], &["--url", URL]].concat()).status(0).stdout();
        let documents: Vec<&str> =
            printed.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
        assert_eq!(documents, ["c.html", "d/a.html"]);
    }
    let utf16: Vec<u8> =
        "\u{FEFF}site/c.html\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    dir.write("list", &utf16);
    let stderr = dir.rehref(&["links", "site", "--files-from", "list"]).status(2).stderr();
    assert!(
        stderr.contains("--files-from list: the list is in UTF-16\nhelp: write it in UTF-8"),
        "{stderr}"
    );
}

#[cfg(windows)]
#[test]
fn paths_of_arguments_can_have_backslashes() {
    let dir = TestDir::with_site(&[
        ("d/a.html", "<a href=b.html>"),
        ("d/b.html", "<a href=a.html>"),
        ("c.html", "<a href=d/a.html>"),
    ]);
    let run = dir
        .rehref(&["audit", r".\site\d", "--format", "json", "--fail-on", "never", "-q"])
        .status(0);
    assert!(!run.stdout().contains(r"\\"), "{}", run.stdout());
    let arguments = ["absolute", "site", "-n", "--url", URL, "--include", r"d\*.html"];
    let stderr = dir.rehref(&arguments).status(0).stderr();
    assert!(stderr.starts_with("2 of 2 documents"), "{stderr}");
    for (number, argument) in [r"d\a.html=e\a.html", r"d\=e\", r".\d=\e\"].iter().enumerate() {
        let out = format!(r"out\{number}");
        dir.rehref(&["move", "site", "-q", "--verify", "-o", &out, argument]).status(0);
        let page = dir.read(&format!("out/{number}/c.html"));
        assert!(page.contains("href=e/"), "{argument}: {page}");
    }
}

#[test]
fn file_urls_are_those_of_the_system() {
    let dir = TestDir::with_site(&[("d e/a.html", "<a href=../b.html>"), ("b.html", "")]);
    let arguments = ["links", "site", "--url", "file:", "--format", "urls", "-q"];
    let printed = dir.rehref(&arguments).status(0).stdout();
    assert_eq!(printed, format!("{}b.html\n", directory_url(&dir.path("site"))));
}

#[test]
fn paths_of_more_than_260_characters_are_paths() {
    let folder = ["a-folder-with-a-long-name"; 14].join("/");
    let page = format!("{folder}/page.html");
    let dir = TestDir::with_site(&[(&page, "<a href=x.html>"), (&format!("{folder}/x.html"), "")]);
    let absolute = ["absolute", "site", "-o", "out", "--url", URL, "--verify", "-q"];
    dir.rehref(&absolute).status(0);
    let expected = format!("<a href={URL}{folder}/x.html>");
    assert_eq!(dir.read(&format!("out/{page}")), expected);
    dir.rehref(&["audit", "site"]).status(0);
    dir.rehref(&["absolute", "site", "--in-place", "--url", URL, "-q"]).status(0);
    assert_eq!(dir.read(&format!("site/{page}")), expected);
}
