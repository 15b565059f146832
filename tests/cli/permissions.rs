//! Modes, owners, times: of what is written, and of what is not.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use crate::support::{TestDir, tree};

const URL: &str = "https://example.org/docs/";

fn set_mode(dir: &TestDir, path: &str, mode: u32) {
    fs::set_permissions(dir.path(path), Permissions::from_mode(mode)).unwrap();
}

fn mode(dir: &TestDir, path: &str) -> u32 {
    fs::metadata(dir.path(path)).unwrap().permissions().mode() & 0o7777
}

/// Whether this test may give files away; prints a line where not.
fn is_root(dir: &TestDir) -> bool {
    let is_root = fs::metadata(dir.path("")).unwrap().uid() == 0;
    if !is_root {
        println!("skipped: needs root");
    }
    is_root
}

/// `rehref` run by a user who owns nothing, or `None` with a printed line.
fn rehref_as_nobody(dir: &TestDir, arguments: &[&str]) -> Option<Output> {
    // A copy, since the build directory may be closed to others. Made by another process: a file that this
    // one has open for writing cannot be run, and another test may start a program just then.
    let binary = dir.path("rehref");
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_rehref")).arg(&binary).status();
    assert!(copied.unwrap().success());
    set_mode(dir, "rehref", 0o755);
    let output = Command::new(binary)
        .args(arguments)
        .current_dir(dir.path(""))
        .uid(65534)
        .gid(65534)
        .output();
    if let Err(error) = &output {
        println!("skipped: cannot run as another user: {error}");
    }
    output.ok()
}

#[test]
fn special_bits_are_not_copied() {
    let dir = TestDir::with_site(&[("d/x.html", "<a href=y>"), ("d/run.cgi", "#!")]);
    for path in ["site/d/x.html", "site/d/run.cgi"] {
        set_mode(&dir, path, 0o6755);
    }
    set_mode(&dir, "site/d", 0o3775);
    dir.rehref(&["absolute", "site", "-o", "out", "--url", URL]).status(0);
    for (path, expected) in [("out/d/x.html", 0o755), ("out/d/run.cgi", 0o755), ("out/d", 0o775)] {
        assert_eq!(mode(&dir, path), expected, "{path}");
    }

    dir.rehref(&["absolute", "site", "--in-place", "--url", URL]).status(0);
    assert!(dir.read("site/d/x.html").contains(URL));
    assert_eq!(mode(&dir, "site/d/x.html"), 0o6755, "in place all bits stay");
}

#[test]
fn in_place_keeps_owner_and_group() {
    let dir = TestDir::with_site(&[("x.html", "<a href=y>")]);
    if !is_root(&dir) {
        return;
    }
    std::os::unix::fs::chown(dir.path("site/x.html"), Some(1234), Some(2345)).unwrap();
    set_mode(&dir, "site/x.html", 0o4750);
    dir.rehref(&["absolute", "site", "--in-place", "--url", URL]).status(0);
    assert!(dir.read("site/x.html").contains(URL));
    let metadata = fs::metadata(dir.path("site/x.html")).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (1234, 2345));
    assert_eq!(mode(&dir, "site/x.html"), 0o4750);
}

#[test]
fn in_place_keeps_extended_attributes() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    let dir =
        TestDir::with_site(&[("x.html", "<a href=y>"), ("y", ""), ("d/z.html", "<a href=../y>")]);
    // Read by 1234, too: version 2; user_obj, user 1234, group_obj, mask, other.
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 4, 1234), (4, 4, u32::MAX), (16, 4, u32::MAX), (32, 4, u32::MAX)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(permissions.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    let attributes = [("user.note", &b"kept"[..]), ("system.posix_acl_access", &list)];
    let value = |path: &str, name: &str| {
        let mut value = [0; 256];
        let length = getxattr(dir.path(path), name, &mut value)?;
        Ok::<_, rustix::io::Errno>(value[..length].to_vec())
    };
    let mut set = 0;
    for path in ["site/x.html", "site/d/z.html"] {
        for (name, value) in attributes {
            match setxattr(dir.path(path), name, value, XattrFlags::empty()) {
                Ok(()) => set += 1,
                Err(error) => println!("not tested: {name} of {path}: {error}"),
            }
        }
    }
    let all = || -> Vec<_> {
        let paths = ["site/x.html", "site/d/z.html"].into_iter();
        let of_path = |path| attributes.map(|(name, _)| value(path, name).ok());
        paths.flat_map(of_path).collect()
    };
    let before = all();
    assert_eq!(before.iter().flatten().count(), set);
    dir.rehref(&["absolute", "site", "--in-place", "--url", URL]).status(0);
    assert!(dir.read("site/x.html").contains(URL));
    assert_eq!(all(), before);
    dir.rehref(&["move", "site", "y=w", "--in-place", "--url", URL]).status(0);
    assert!(dir.read("site/d/z.html").contains("/w"));
    assert_eq!(all(), before);
}

#[test]
fn a_file_whose_owner_cannot_be_kept_is_not_replaced() {
    let dir = TestDir::with_site(&[("x.html", "<a href=y>")]);
    if !is_root(&dir) {
        return;
    }
    for path in ["", "site"] {
        set_mode(&dir, path, 0o777);
    }
    std::os::unix::fs::chown(dir.path("site/x.html"), Some(1234), Some(1234)).unwrap();
    let arguments = ["absolute", "site", "--in-place", "--url", URL];
    let Some(output) = rehref_as_nobody(&dir, &arguments) else { return };
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("error: x.html: cannot keep the owner and group of the file (")
            && stderr.contains("so rehref did not replace the file"),
        "{stderr}"
    );
    assert_eq!(dir.read("site/x.html"), "<a href=y>");
    assert_eq!(tree(&dir.path("site")).len(), 1, "no temporary file");
}

#[test]
fn errors_name_the_destination() {
    let dir = TestDir::with_site(&[("d/x.html", "<a href=y>"), ("d/y.css", "")]);
    if !is_root(&dir) {
        return;
    }
    set_mode(&dir, "", 0o755);
    fs::create_dir_all(dir.path("out/d")).unwrap();
    let arguments = ["absolute", "site", "-o", "out", "--force", "--url", URL];
    let Some(output) = rehref_as_nobody(&dir, &arguments) else { return };
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    for name in ["d/x.html", "d/y.css"] {
        let written = dir.path("out").canonicalize().unwrap().join(name);
        let message =
            format!("error: {name}: cannot write {}: Permission denied", written.display());
        assert!(stderr.contains(&message), "{stderr}");
    }
    assert!(!stderr.contains(".rehref-"), "{stderr}");
}

#[test]
fn new_directories_are_like_the_originals_and_others_stay() {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let dir = TestDir::with_site(&[("d/x.html", "<a href=y>")]);
    let set_time = |path: &str| {
        fs::File::open(dir.path(path)).unwrap().set_modified(old).unwrap();
    };
    let is_old = |path: &str| fs::metadata(dir.path(path)).unwrap().modified().unwrap() == old;
    set_mode(&dir, "site/d", 0o711);
    set_mode(&dir, "site", 0o751);
    set_time("site/d");
    set_time("site");
    let into = |out: &str| {
        let arguments = ["absolute", "site", "-o", out, "--force", "--url", URL];
        dir.rehref(&arguments).status(0);
    };
    into("new/out");
    assert_eq!(mode(&dir, "new/out"), 0o751);
    assert_eq!(mode(&dir, "new/out/d"), 0o711);
    assert!(is_old("new/out") && is_old("new/out/d"));

    fs::create_dir_all(dir.path("there/d")).unwrap();
    set_mode(&dir, "there", 0o700);
    set_mode(&dir, "there/d", 0o2770);
    into("there");
    assert_eq!(mode(&dir, "there"), 0o700);
    assert_eq!(mode(&dir, "there/d"), 0o2770);
    assert!(!is_old("there") && !is_old("there/d"));
}

#[test]
fn folders_of_redirect_pages_are_finished_after_their_last_page() {
    let dir = TestDir::with_site(&[("d/a.html", ""), ("d/b.html", ""), ("d/e/c.html", "")]);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for folder in ["site/d/e", "site/d"] {
        set_mode(&dir, folder, 0o555);
        let opened = fs::File::open(dir.path(folder)).unwrap();
        opened.set_modified(time).unwrap();
    }
    dir.rehref(&["move", "site", "d=f", "-o", "out", "--write-redirects", "html"]).status(0);
    for folder in ["out/d/e", "out/d"] {
        let metadata = fs::metadata(dir.path(folder)).unwrap();
        assert_eq!(metadata.modified().unwrap(), time, "{folder}");
        assert_eq!(mode(&dir, folder), 0o555, "{folder}");
    }
    for folder in ["site/d/e", "site/d", "out/d/e", "out/d", "out/f/e", "out/f"] {
        set_mode(&dir, folder, 0o755);
    }
}

#[test]
fn files_that_would_be_the_same_are_not_written() {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let dir = TestDir::with_site(&[
        ("a.html", "<a href=y>"),
        ("same.html", "<p>"),
        ("b.html", "<a href=y>"),
        ("c.png", "1"),
        ("d.png", "1"),
        ("e.png", "1"),
    ]);
    let arguments = ["absolute", "site", "-o", "out", "--force", "--url", URL];
    dir.rehref(&arguments).status(0);
    let names = ["a.html", "same.html", "b.html", "c.png", "d.png", "e.png"];
    for name in names {
        let file = fs::File::open(dir.path(&format!("out/{name}"))).unwrap();
        file.set_modified(old).unwrap();
    }
    dir.write("site/b.html", b"<a href=z>");
    dir.write("site/d.png", b"2");
    set_mode(&dir, "site/e.png", 0o600);
    let run = dir.rehref(&arguments).status(0);
    let kept: Vec<&str> = names
        .into_iter()
        .filter(|name| {
            let metadata = fs::metadata(dir.path(&format!("out/{name}"))).unwrap();
            metadata.modified().unwrap() == old
        })
        .collect();
    assert_eq!(kept, ["a.html", "same.html", "c.png"]);
    assert_eq!(dir.read("out/d.png"), "2");
    assert_eq!(mode(&dir, "out/e.png"), 0o600);
    let said = "3 files not written: the output already has the same bytes\n";
    assert!(run.stderr().contains(said), "{}", run.stderr());
}

#[test]
fn unchanged_files_can_be_links() {
    let dir = TestDir::with_site(&[("a.html", "<a href=y>"), ("same.html", "<p>"), ("c.png", "1")]);
    dir.write("out/c.png", b"old");
    let arguments = ["absolute", "site", "-o", "out", "--force", "--url", URL];
    let linked = [&arguments[..], &["--link-unchanged"]].concat();
    let number = |path: &str| fs::metadata(dir.path(path)).unwrap().ino();
    for _ in 0..2 {
        let run = dir.rehref(&linked).status(0);
        for (name, is_link) in [("a.html", false), ("same.html", true), ("c.png", true)] {
            let [before, after] = ["site", "out"].map(|root| number(&format!("{root}/{name}")));
            assert_eq!(before == after, is_link, "{name}");
        }
        let said = "2 unchanged files written as hard links to the files of the site\n";
        assert!(run.stderr().contains(said), "{}", run.stderr());
        assert_eq!(tree(&dir.path("out")).len(), 3, "no temporary file");
    }
    for only_out in ["--link-unchanged", "--force"] {
        let run = dir.rehref(&["absolute", "site", "--in-place", only_out, "--url", URL]);
        let run = run.status(2);
        assert!(run.stderr().contains("cannot be used with"), "{}", run.stderr());
    }
    // A run without links takes them apart only where it writes.
    dir.write("site/same.html", b"<a href=x>");
    dir.rehref(&arguments).status(0);
    assert_eq!(dir.read("site/same.html"), "<a href=x>");
    assert_ne!(number("site/same.html"), number("out/same.html"));
}

/// Root reads everything.
#[test]
fn a_document_that_cannot_be_read_is_an_error_and_the_others_are_done() {
    let dir = TestDir::with_site(&[("a.html", "<a href=x>"), ("secret.html", "<a href=x>")]);
    if !is_root(&dir) {
        return;
    }
    set_mode(&dir, "", 0o777);
    set_mode(&dir, "site/secret.html", 0o600);
    for (arguments, copied) in [
        (&["absolute", "site", "-o", "out", "--url", URL][..], true),
        (&["audit", "site"], false),
        (&["links", "site"], false),
    ] {
        let Some(output) = rehref_as_nobody(&dir, arguments) else { return };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        let error = "error: secret.html: cannot read the file: Permission denied";
        assert!(stderr.contains(error), "{stderr}");
        if copied {
            assert!(dir.read("out/a.html").contains(URL));
            assert!(!dir.path("out/secret.html").exists());
        }
    }
}

#[test]
fn links_into_a_directory_that_cannot_be_read_are_no_findings() {
    let dir = TestDir::with_site(&[
        ("index.html", "<a href=d/a.html><a href=d/><a href=none.html>"),
        ("d/a.html", "<a href=../index.html>"),
    ]);
    if !is_root(&dir) {
        return;
    }
    set_mode(&dir, "", 0o755);
    set_mode(&dir, "site/d", 0o700);
    let arguments = ["audit", "site", "--only", "broken-target,directory-without-index"];
    let Some(output) = rehref_as_nobody(&dir, &arguments) else { return };
    assert_eq!(output.status.code(), Some(2));
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.contains("/none.html") && stdout.contains("\n1 error in 1 document"),
        "{stdout}"
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("error: d: cannot read this directory: Permission denied"), "{stderr}");
}
