//! `--diff` says what `--out` does: applied by others it gives the same files.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{TestDir, copy_tree, tree};

const URL: &str = "https://example.org/docs/";

/// Applies the diff of `site` to `patched` with this tool; false, with a printed line, where the
/// tool is not installed.
fn apply(dir: &TestDir, diff: &[u8], tool: &str, arguments: &[&str]) -> bool {
    if Command::new(tool).arg("--version").output().is_err() {
        println!("skipped: no {tool}");
        return false;
    }
    dir.write("the.diff", diff);
    let output = Command::new(tool)
        .args(arguments)
        .current_dir(dir.path("patched"))
        .stdin(Stdio::from(std::fs::File::open(dir.path("the.diff")).unwrap()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{tool}: {output:?}");
    true
}

fn check(dir: &TestDir) {
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    let diff = dir.rehref(&["absolute", "site", "--diff", "--quiet", "--url", URL]).status(0);
    // What is not text is said to differ, and left alone by the tools.
    let binary = |path: &Path| {
        let line = format!("Binary files a/{0} and b/{0} differ\n", path.display());
        diff.stdout().contains(&line)
    };
    for (tool, arguments) in
        [("patch", &["-p1", "--binary"][..]), ("git", &["apply", "--whitespace=nowarn", "-"])]
    {
        copy_tree(&dir.path("site"), &dir.path("patched"));
        if apply(dir, diff.stdout_bytes(), tool, arguments) {
            let (patched, out) = (tree(&dir.path("patched")), tree(&dir.path("out")));
            assert_eq!(patched.len(), out.len(), "{tool}");
            for (patched, out) in patched.iter().zip(&out) {
                assert!(patched == out || binary(&out.0), "{tool}: {:?}", out.0);
            }
        }
        std::fs::remove_dir_all(dir.path("patched")).unwrap();
    }
}

#[test]
fn of_the_sample_site() {
    let dir = TestDir::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site");
    copy_tree(&sample, &dir.path("site"));
    check(&dir);
}

#[test]
fn of_awkward_texts() {
    check(&TestDir::with_site(&[
        ("cr lf.html", "<a href=x>\r\n\r\n<a href=y>\r"),
        ("no-end.html", "1\n2\n3\n4\n5\n6\n7\n8\n9\n<a href=x>"),
        ("dashes.html", "-- <a href=x>\n++ <a href=x>\n@@ -1 +1 @@\n"),
        ("lines.html", "<a\nhref='x\n\ny'>\n<a href=\"\n\">\n"),
    ]));
}

#[cfg(unix)]
#[test]
fn of_awkward_names() {
    use std::os::unix::ffi::OsStrExt;

    let dir = TestDir::with_site(&[
        ("a \"b\".html", "<a href=x>\n"),
        ("back\\slash.html", "<a href=x>\n"),
        ("d d/tab\there.html", "<a href=x>\n"),
        ("grüße.html", "<a href=x>\n"),
        ("end .html ", "<!doctype html><a href=x>\n"),
    ]);
    let name = std::ffi::OsStr::from_bytes(b"gr\xFC\xDFe.html");
    std::fs::write(dir.path("site").join(name), "<a href=x>\n").unwrap();
    check(&dir);
}

#[test]
fn of_transcoded_documents() {
    let dir = TestDir::new();
    let utf16: Vec<u8> = "\u{FEFF}<a href=x>\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    dir.write("site/a.html", &utf16);
    let japanese = b"<meta charset=iso-2022-jp><a href='x'>\x1b$B%I\x1b(B\n";
    dir.write("site/b.html", japanese);
    let diff = dir.rehref(&["absolute", "site", "--diff", "--url", URL]).status(0);
    assert_eq!(
        diff.stdout(),
        "Binary files a/a.html and b/a.html differ\nBinary files a/b.html and b/b.html differ\n"
    );
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_no_control_characters() {
    let dir = TestDir::new();
    dir.write("site/a.html", b"<a href=b.html>x\x1b]0;title\x07 \x9b31m \xE2\x80\xAE</a>");
    let program = env!("CARGO_BIN_EXE_rehref");
    let command = format!("{program} absolute site --url {URL} --diff --quiet");
    let mut script = Command::new("script");
    let script = script.args(["-qec", &command, "/dev/null"]).current_dir(dir.path(""));
    let Ok(output) = script.env("NO_COLOR", "1").stdin(Stdio::null()).output() else {
        println!("skipped: no script");
        return;
    };
    let shown = String::from_utf8_lossy(&output.stdout);
    let expected = "x\\u{1b}]0;title\\u{7} \\x9b31m \\u{202e}</a>";
    assert!(shown.contains(expected), "{shown:?}");
    assert!(!shown.contains(['\x1b', '\x07', '\u{202e}']), "{shown:?}");
}
