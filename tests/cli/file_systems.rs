//! File systems that are full or read-only or mounted twice, paths that are too long, and what is neither a file
//! nor a directory.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::process::Command;
#[cfg(target_os = "linux")]
use std::process::Output;

use crate::support::TestDir;
#[cfg(target_os = "linux")]
use crate::support::assert_same_trees;
#[cfg(target_os = "linux")]
use crate::warc::page;
#[cfg(target_os = "linux")]
use crate::zip::{Method, zip};

const URL: &str = "https://example.org/docs/";

/// The output of `script` where it may mount file systems, or `None` with a printed line. `$0` in it is `rehref`.
#[cfg(target_os = "linux")]
fn with_mounts(dir: &TestDir, mount: &str, script: &str) -> Option<Output> {
    let script = format!("{mount} || exit 9; {script}");
    let run = Command::new("unshare")
        .args(["--mount", "sh", "-c", &script, env!("CARGO_BIN_EXE_rehref")])
        .current_dir(dir.path(""))
        .output();
    let run = run.ok().filter(|run| {
        let stderr = String::from_utf8_lossy(&run.stderr);
        run.status.code() != Some(9) && !stderr.starts_with("unshare:")
    });
    if run.is_none() {
        println!("skipped: cannot mount");
    }
    run
}

/// All files that found no room are one error, which says what to do.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_error() {
    let page = "<a href=x>".repeat(2_000);
    let paths: Vec<String> = (0..40).map(|number| format!("{number}.html")).collect();
    let files: Vec<(&str, &str)> = paths.iter().map(|path| (&**path, &*page)).collect();
    let dir = TestDir::with_site(&files);
    fs::create_dir(dir.path("disk")).unwrap();
    let again = "free some space, and run the command again";
    for (size, prepare, arguments, advice) in [
        (
            "256k",
            "",
            "site -o disk/out",
            "free some space, and run the command again (with --force, since the output has files)",
        ),
        ("1000k", "cp -r site disk &&", "disk/site --in-place", again),
    ] {
        let mount = format!("mount -t tmpfs -o size={size} tmpfs disk");
        let script = format!("{prepare} exec \"$0\" absolute {arguments} --url http://h/");
        let Some(run) = with_mounts(&dir, &mount, &script) else { return };
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        let errors: Vec<&str> = stderr.lines().filter(|line| line.starts_with("error")).collect();
        let [first, rest] = errors.as_slice() else {
            panic!("{stderr}");
        };
        assert!(first.contains("cannot write"), "{stderr}");
        assert!(rest.ends_with("; the disk is full"), "{stderr}");
        assert!(stderr.contains(&format!("\nhelp: {advice}\n")), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_error_of_an_extraction() {
    let dir = TestDir::new();
    let text = "<p>text</p>".repeat(1_000);
    let pages =
        (0..40).map(|number| crate::warc::page(&format!("http://h.example/{number}"), &text));
    dir.write("crawl.warc", &pages.collect::<Vec<_>>().concat());
    fs::create_dir(dir.path("disk")).unwrap();
    let script = "exec \"$0\" relative crawl.warc --extract -o disk/out";
    let Some(run) = with_mounts(&dir, "mount -t tmpfs -o size=256k tmpfs disk", script) else {
        return;
    };
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    let errors = stderr.lines().filter(|line| line.starts_with("error"));
    assert_eq!(errors.count(), 2, "{stderr}");
    assert!(stderr.contains("the disk is full\nhelp: free some space"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_without_room_leaves_no_file() {
    let dir = TestDir::with_site(&[("a.html", &"<a href=x>".repeat(1_000))]);
    fs::create_dir(dir.path("disk")).unwrap();
    let script = "\"$0\" audit site --format json=disk/report.json; echo $?; ls disk";
    let mount = "mount -t tmpfs -o size=8k tmpfs disk";
    let Some(run) = with_mounts(&dir, mount, script) else { return };
    let (stdout, stderr) =
        (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(stderr.contains("report.json: "), "{stderr}");
    assert!(stdout.ends_with("2\n"), "{stdout}");
}

/// What is full is not the place of the output.
#[cfg(target_os = "linux")]
#[test]
fn a_full_directory_for_temporary_files_is_named() {
    let dir = TestDir::new();
    let text: String = (0..40_000_u32).map(|it| it.wrapping_mul(it).to_string()).collect();
    let archive = page("http://h.example/", &format!("<a href=http://h.example/b>b</a>{text}"));
    let line = format!("h)/ 2024 {{\"filename\": \"a.warc\", \"offset\": 0, \"x\": \"{text}\"}}\n");
    let file = |index: &[u8], archive: &[u8]| {
        zip(&[
            ("archive/a.warc", Method::Stored, archive),
            ("indexes/index.cdxj", Method::Stored, index),
        ])
    };
    let small = page("http://h.example/", "<a href=http://h.example/b>b</a>");
    fs::create_dir(dir.path("disk")).unwrap();
    for wacz in [file(b"\n", &archive), file(line.as_bytes(), &small)] {
        dir.write("crawl.wacz", &wacz);
        let script = "TMPDIR=disk exec \"$0\" relative crawl.wacz -o out.wacz --force";
        let Some(run) = with_mounts(&dir, "mount -t tmpfs -o size=64k tmpfs disk", script) else {
            return;
        };
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        let error =
            "error: crawl.wacz: cannot write a temporary file in disk: No space left on device";
        assert!(stderr.contains(error) && !stderr.contains("cannot write /"), "{stderr}");
        assert!(stderr.contains("free some space there, or set TMPDIR"), "{stderr}");
        assert!(!dir.path("out.wacz").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_file_system_is_an_error_and_no_success() {
    let dir = TestDir::with_site(&[("a.html", "<a href=x>"), ("d/b.html", "<a href=x>")]);
    fs::create_dir(dir.path("out")).unwrap();
    for (directory, arguments, closing) in [
        ("site", "--in-place", "nothing was changed (see the errors above)"),
        ("out", "-o out", "not all of the site was written to out (see the errors above)"),
    ] {
        let mount =
            format!("mount --bind {directory} {directory} && mount -o remount,bind,ro {directory}");
        let script = format!("exec \"$0\" absolute site {arguments} --url http://h/");
        let Some(run) = with_mounts(&dir, &mount, &script) else { return };
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("a.html: cannot write"), "{stderr}");
        assert!(stderr.contains("Read-only file system"), "{stderr}");
        assert_eq!(stderr.lines().last(), Some(closing), "{stderr}");
    }
    assert_eq!(dir.read("site/a.html"), "<a href=x>");
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_that_is_mounted_twice_is_not_written_into() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b>"), ("sub/c.html", "<a href=d>")]);
    fs::create_dir(dir.path("mnt")).unwrap();
    let mount = "mount --bind site/sub mnt";
    let script = "exec \"$0\" absolute site --url http://h/ -o mnt/out";
    let Some(run) = with_mounts(&dir, mount, script) else { return };
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("mnt/out is inside the site"), "{stderr}");
    assert!(!dir.path("site/sub/out").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_any_bytes_go_through_every_command() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let dir = TestDir::with_site(&[("index.html", "<a href=d/>")]);
    fs::create_dir(dir.path("site/d")).unwrap();
    for byte in (1..=u8::MAX).filter(|&byte| byte != b'/') {
        let name = dir.path("site/d").join(OsStr::from_bytes(&[b'a', byte]));
        fs::write(&name, "<!DOCTYPE html><title>x</title><a href=../index.html#x>").unwrap();
    }
    let url = ["--url", URL];
    for arguments in [
        &["absolute", "site", "-o", "absolute", "--verify"][..],
        &["relative", "absolute", "-o", "relative", "--verify"],
        &["move", "site", "d=e", "-o", "moved", "--verify"],
        &["verify", "site", "relative"],
        &["links", "site"],
        &["audit", "site", "--ignore", "broken-target", "--ignore", "broken-fragment"],
        &["move", "site", "d=e", "--in-place", "--verify"],
    ] {
        dir.rehref(&[arguments, &url].concat()).status(0);
    }
    assert_same_trees(&dir.path("site"), &dir.path("moved"));
}

/// A file may have names in two places, of which only one is in SITE.
#[test]
fn in_place_runs_change_no_file_through_another_of_its_names() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b.html>"), ("b.html", "")]);
    for arguments in [
        &["absolute", "site", "--url", URL, "--in-place"][..],
        &["move", "site", "--url", URL, "b.html=d/c.html", "--in-place"],
        &["relative", "site", "--url", URL, "--in-place"],
    ] {
        let _ = fs::remove_file(dir.path("elsewhere.html"));
        fs::hard_link(dir.path("site/a.html"), dir.path("elsewhere.html")).unwrap();
        let before = dir.read("site/a.html");
        dir.rehref(arguments).status(0);
        assert_ne!(dir.read("site/a.html"), before, "{arguments:?}");
        assert_eq!(dir.read("elsewhere.html"), before, "{arguments:?}");
    }
}

/// Beyond the longest path that a system call takes.
#[cfg(target_os = "linux")]
#[test]
fn paths_that_are_too_long_are_errors_and_the_rest_is_done() {
    use rustix::fs::{Mode, OFlags, mkdirat, openat};
    use std::io::Write;

    let dir = TestDir::with_site(&[("a.html", "<a href=x>")]);
    let mut folder = fs::File::open(dir.path("site")).unwrap();
    for _ in 0..20 {
        let name = "n".repeat(250);
        mkdirat(&folder, &*name, Mode::RWXU).unwrap();
        folder = openat(&folder, &*name, OFlags::RDONLY, Mode::empty()).unwrap().into();
        let flags = OFlags::CREATE | OFlags::WRONLY;
        let page = openat(&folder, "p.html", flags, Mode::RUSR | Mode::WUSR).unwrap();
        fs::File::from(page).write_all(b"<a href=x>").unwrap();
    }
    let url = ["--url", URL];
    for arguments in [
        &["absolute", "site", "--dry-run"][..],
        &["absolute", "site", "-o", "out"],
        &["audit", "site"],
        &["links", "site"],
        &["absolute", "site", "--in-place"],
    ] {
        let run = dir.rehref(&[arguments, &url].concat()).status(2);
        let stderr = run.stderr();
        assert!(stderr.contains("File name too long"), "{stderr}");
    }
    let deep = "n".repeat(250) + "/p.html";
    for written in ["site", "out"] {
        assert!(dir.read(&format!("{written}/{deep}")).contains(URL));
    }
}

#[test]
fn a_pipe_is_an_error_only_where_it_would_be_copied() {
    let dir = TestDir::with_site(&[("x.html", "<a href=y>")]);
    let made = Command::new("mkfifo").arg(dir.path("site/pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo");
        return;
    }
    let run = |arguments: &[&str]| {
        let common = ["absolute", "site", "--url", URL];
        dir.rehref(&[&common[..], arguments].concat())
    };
    dir.write("site/a.html", b"<a href=p%69pe>");
    let report = dir.rehref(&["audit", "site"]).status(1).stdout();
    let finding =
        "error: broken link: `p%69pe` is a device, a pipe or a socket, which servers do not send";
    assert!(report.contains(finding), "{report}");
    run(&["--dry-run"]).status(0);
    run(&["--diff"]).status(0);
    let copy = run(&["-o", "out"]).status(2);
    assert!(copy.stderr().contains("error: pipe: rehref does not copy devices, pipes and sockets"));
    run(&["--in-place"]).status(0);
    let metadata = fs::symlink_metadata(dir.path("site/pipe")).unwrap();
    assert!(metadata.file_type().is_fifo());
}

/// By every name that has a meaning of its own.
#[test]
fn pipes_in_a_site_hold_up_no_command() {
    let dir = TestDir::with_site(&[("a.html", "<a href=a.html>"), ("d/b.html", "")]);
    let names = [
        "CNAME", "_redirects", ".htaccess", ".gitignore", "robots.txt", "sitemap.xml",
        "index.html", "404.html", "d/.gitignore", "d/noextension", "d/style.css", "d/c.html.gz",
        "d/crawl.warc",
    ];
    let pipes = names.map(|name| dir.path(&format!("site/{name}")));
    let made = Command::new("mkfifo").args(pipes).status();
    if !made.is_ok_and(|status| status.success()) {
        println!("skipped: no mkfifo");
        return;
    }
    let commands = [
        (&["absolute", "site", "--dry-run", "--url", URL][..], 0),
        (&["absolute", "site", "--dry-run", "--url", "auto"], 2),
        (&["relative", "site", "--dry-run", "--compressed"], 0),
        (&["move", "site", "d=e", "--dry-run"], 0),
        (&["move", "site", "d=e", "-o", "moved", "--write-redirects", "html"], 2),
        (&["audit", "site", "--compressed", "--gitignore"], 0),
        (&["audit", "site", "--sources", "."], 0),
        (&["audit", "site/a.html"], 0),
        (&["links", "site"], 0),
    ];
    for (arguments, status) in commands {
        dir.rehref(arguments).status(status);
    }
}

/// A directory below `/dev`, such as that of shared memory, can have a tree; a device, or what may be a misspelled
/// one, cannot.
#[cfg(target_os = "linux")]
#[test]
fn a_tree_can_be_written_below_dev_but_not_as_a_device() {
    let dir = TestDir::with_site(&[("a.html", "<a href=x>")]);
    for out in ["/dev/null", "/dev/nul"] {
        let run = dir.rehref(&["absolute", "site", "--url", URL, "-o", out]);
        assert!(run.status(2).stderr().contains("is a device or a pipe"));
    }
    let Ok(shared) = tempfile::tempdir_in("/dev/shm") else {
        println!("skipped: cannot write to /dev/shm");
        return;
    };
    let out = shared.path().join("out");
    let arguments = ["absolute", "site", "--url", URL, "-o", out.to_str().unwrap()];
    dir.rehref(&arguments).status(0);
    assert!(out.join("a.html").is_file());
}
