//! Every carrier as a folder: `in/` goes in, `cmd` is run, `out/` must come out, and running it on
//! that changes nothing more. `REHREF_UPDATE=1` writes `out/` anew.

use std::fs;
use std::path::Path;

use crate::support::{TestDir, copy_tree, tree};

#[test]
fn folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/carriers");
    let mut folders: Vec<_> =
        fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    for folder in &folders {
        let name = folder.file_name().unwrap().to_string_lossy();
        let dir = TestDir::new();
        copy_tree(&folder.join("in"), &dir.path("in"));
        let command = fs::read_to_string(folder.join("cmd")).unwrap();
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let run = dir.rehref(&arguments).status(0);
        if std::env::var_os("REHREF_UPDATE").is_some() {
            let _ = fs::remove_dir_all(folder.join("out"));
            copy_tree(&dir.path("out"), &folder.join("out"));
        }
        let (found, expected) = (tree(&dir.path("out")), tree(&folder.join("out")));
        for ((path, found), (expected_path, expected)) in found.iter().zip(&expected) {
            assert_eq!(path, expected_path, "{name}");
            assert_eq!(
                String::from_utf8_lossy(found),
                String::from_utf8_lossy(expected),
                "{name}: {}\n{}",
                path.display(),
                run.stderr()
            );
        }
        assert!(found == expected, "{name}");

        fs::remove_dir_all(dir.path("in")).unwrap();
        fs::rename(dir.path("out"), dir.path("in")).unwrap();
        dir.rehref(&arguments).status(0);
        assert!(tree(&dir.path("out")) == expected, "{name}: a second run changes bytes");
    }
    assert!(folders.len() >= 4);
}

#[test]
fn paths_of_server_side_includes_follow_a_move() {
    let page = "<base href=\"/elsewhere/\"><!--#include virtual=\"../inc/nav.html\" -->\
                <!--#include virtual=\"/inc/nav.html\" --><!--#include file=\"foot.html\" -->\
                <!--#include virtual=\"$x/y\" --><!--#echo var=\"virtual\" -->";
    let dir = TestDir::with_site(&[
        ("a/page.shtml", page),
        ("a/page.html", page),
        ("a/foot.html", "<p>"),
        ("inc/nav.html", "<p>"),
    ]);
    let run = |requests: &[&str]| {
        let arguments = ["move", "site", "-o", "out", "--force", "--url", "https://example.org/"];
        dir.rehref(&[&arguments, requests].concat()).status(0)
    };
    run(&["inc/nav.html=parts/n.html", "a=d/e", "--verify"]);
    assert_eq!(
        dir.read("out/d/e/page.shtml"),
        page.replace("../inc/nav.html", "../../parts/n.html")
            .replace("/inc/nav.html", "/parts/n.html")
    );
    // Where nothing is included, it is a comment.
    assert_eq!(dir.read("out/d/e/page.html"), page);
    let warned = run(&["a/foot.html=foot.html"]);
    assert_eq!(dir.read("out/a/page.shtml"), page);
    assert!(
        warned.stderr().contains(
            "#include file `foot.html`: ../foot.html is not a path that the server can read here"
        ),
        "{}",
        warned.stderr()
    );
    let run = dir
        .rehref(&["audit", "site", "--url", "https://example.org/", "--exclude", "*.html", "-q"])
        .status(0);
    assert!(!run.stdout().contains("broken-target"), "{}", run.stdout());
}
