//! Signals end a run in order.

use crate::support::{TestDir, assert_same_trees};

pub(crate) const URL: &str = "https://example.org/docs/";

pub(crate) fn site_of(files: usize) -> TestDir {
    let dir = TestDir::new();
    for n in 0..files {
        dir.write(&format!("site/d/{n:04}.html"), b"<a href=../x.html>x</a>\n");
    }
    dir
}

#[test]
fn signals_end_a_run_in_order() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    let dir = site_of(1500);
    // As `timeout` and runners of CI do, also several at once.
    for signals in ["kill -INT $0", "kill -TERM $0", "kill -TERM $0; kill -INT $0; kill -TERM $0"] {
        // The pipe is full and is not read, so the run waits for the signal.
        let started = Instant::now();
        let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(["absolute", "site", "--diff", "--url", URL])
            .current_dir(dir.path(""))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        let start_up = started.elapsed();
        let kill = Command::new("sh").args(["-c", signals, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        // Enough for the process to notice the signal, however slow the machine.
        std::thread::sleep(start_up);
        std::io::copy(&mut stdout, &mut std::io::sink()).unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(
            stderr.contains("interrupted after ")
                && stderr.contains(" of 1500 files: nothing was written"),
            "{stderr}"
        );
    }
}

#[test]
fn a_second_signal_ends_a_run_at_once() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::time::Duration;

    let dir = site_of(1500);
    // The pipe is full and stays full, so the run cannot finish its files.
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .args(["absolute", "site", "--diff", "--url", URL])
        .current_dir(dir.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    for signal in ["-INT", "-TERM"] {
        let kill = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        // Signals at once are one.
        std::thread::sleep(Duration::from_millis(1100));
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(stdout);
}

/// It compares records for seconds.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_comparison_of_archives() {
    use std::process::{Command, Stdio};

    let dir = TestDir::new();
    for (archive, link) in [("before.warc", "<a href=a>"), ("after.warc", "<a href=./a>")] {
        let block =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{}", link.repeat(100));
        let record = |number: usize| {
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://h/{number}\r\n\
                 Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
                block.len()
            )
        };
        let records: String = (0..30_000).map(record).collect();
        dir.write(archive, records.as_bytes());
    }
    let child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .args(["verify", "before.warc", "after.warc"])
        .current_dir(dir.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let process = format!("/proc/{}", child.id());
    let is_comparing = || {
        let status = std::fs::read_to_string(format!("{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t"));
        let caught = u64::from_str_radix(caught.unwrap_or_default(), 16).unwrap_or_default();
        let open = std::fs::read_dir(format!("{process}/fd")).unwrap();
        let mut paths = open.filter_map(|entry| std::fs::read_link(entry.ok()?.path()).ok());
        caught & 1 << 14 != 0 && paths.any(|path| path.ends_with("after.warc"))
    };
    while !is_comparing() {
        std::thread::yield_now();
    }
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert_eq!(output.stdout, b"");
    assert!(stderr.contains("interrupted after 0 of 1 files"), "{stderr}");
}

#[test]
fn a_killed_run_leaves_nothing_that_the_next_one_does_not_finish() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::{Command, Stdio};

    let dir = site_of(1500);
    let run = ["absolute", "site", "--url", URL, "-o"];
    dir.rehref(&[&run[..], &["whole"]].concat()).status(0);
    let mode = |path: &str| fs::metadata(dir.path(path)).unwrap().permissions().mode() & 0o7777;
    fs::set_permissions(dir.path("site/d"), fs::Permissions::from_mode(0o711)).unwrap();

    let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .args([&run[..], &["out", "--threads", "1"]].concat())
        .current_dir(dir.path(""))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !dir.path("out/d/0000.html").exists() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(mode("out/d"), 0o711, "readers can enter");
    // As if it had been killed while it wrote.
    dir.write("out/d/.rehref-a1B2c3.tmp", b"half");

    let again = dir.rehref(&[&run[..], &["out", "--force"]].concat()).status(0);
    assert!(again.stderr().contains("temporary file"), "{}", again.stderr());
    assert_same_trees(&dir.path("whole"), &dir.path("out"));
}

#[test]
fn two_runs_do_not_write_to_one_tree() {
    use std::process::Command;

    let dir = site_of(3);
    dir.write("out/x", b"");
    for (locked, arguments) in [
        ("out", &["absolute", "site", "--url", URL, "-o", "out", "--force"][..]),
        ("site", &["absolute", "site", "--url", URL, "--in-place"]),
    ] {
        // While `flock` has the lock.
        let run = Command::new("flock")
            .arg(locked)
            .arg(env!("CARGO_BIN_EXE_rehref"))
            .args(arguments)
            .current_dir(dir.path(""))
            .output();
        let Ok(run) = run else {
            println!("skipped: no flock");
            return;
        };
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        let expected = format!(
            "another run of rehref is changing {}\nhelp: wait for the end of that run",
            dir.path(locked).canonicalize().unwrap().display()
        );
        assert!(stderr.contains(&expected), "{stderr}");
        dir.rehref(arguments).status(0);
    }
}

#[test]
fn what_a_killed_run_left_beside_its_file_is_removed() {
    use std::fs::File;
    use std::time::{Duration, SystemTime};

    let dir = TestDir::new();
    dir.write("a.html", b"<a href=b>");
    dir.write("out/other.html", b"x");
    for (name, is_old) in [(".rehref-aaaaaa.tmp", true), (".rehref-bbbbbb.tmp", false)] {
        let path = dir.path(&format!("out/{name}"));
        let file = File::create(path).unwrap();
        let age = Duration::from_secs(if is_old { 3600 } else { 0 });
        file.set_modified(SystemTime::now() - age).unwrap();
    }
    let arguments = ["absolute", "a.html", "--url", URL, "-o", "out/a.html"];
    dir.rehref(&arguments).status(0);
    let mut left: Vec<_> = std::fs::read_dir(dir.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    // Another run may be about to write the younger one.
    assert_eq!(left, [".rehref-bbbbbb.tmp", "a.html", "other.html"]);
}
