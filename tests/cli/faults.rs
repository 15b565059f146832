//! System calls that fail, one at a time, as `strace` makes them fail: no run says that it succeeded where
//! something is missing or half, and the next run gets it right. Calls that take long: what another program
//! writes meanwhile is not lost.
//!
//! `REHREF_FAULTS` is the number of faults of each command, drawn at random; `REHREF_SEED` chooses others.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::planted::random::Random;
use crate::support::{TestDir, copy_tree, finished_files, variable, without_times};
use crate::system_calls::traced;

/// How many calls of each command fail.
const FAULTS: u64 = 8;

/// The calls that fail, and with what. The loader of programs makes none of them.
#[rustfmt::skip]
const CALLS: &[(&str, &[&str])] = &[
    // The last two: another program removed the file, or put a symbolic link in its place.
    ("openat2", &["EIO", "EACCES", "EMFILE", "ENFILE", "ENOMEM", "ENOENT", "ELOOP"]),
    ("getdents64", &["EIO"]),
    ("statx", &["EIO", "EACCES", "ENOMEM"]),
    ("readlink", &["EIO", "EACCES"]),
    ("readlinkat", &["EIO", "EACCES"]),
    ("write", &["ENOSPC", "EDQUOT", "EIO", "EFBIG"]),
    ("copy_file_range", &["EIO", "ENOSPC", "EDQUOT", "EXDEV"]),
    ("mkdir", &["ENOSPC", "EACCES", "EROFS", "EMLINK"]),
    ("mkdirat", &["ENOSPC", "EACCES", "EROFS", "EMLINK"]),
    ("renameat", &["EIO", "ENOSPC", "EACCES", "EROFS"]),
    ("renameat2", &["EIO", "ENOSPC", "EACCES", "EROFS"]),
    ("rename", &["EIO", "ENOSPC", "EACCES", "EROFS"]),
    ("linkat", &["EIO", "EPERM"]),
    ("symlinkat", &["EIO", "EPERM"]),
    ("unlinkat", &["EIO", "EACCES"]),
    ("unlink", &["EIO", "EACCES"]),
    ("rmdir", &["EIO", "EACCES"]),
    ("fchmod", &["EPERM", "EIO"]),
    ("fchown", &["EPERM", "EIO"]),
    ("utimensat", &["EPERM", "EIO"]),
    ("ftruncate", &["EIO", "EFBIG"]),
    ("flock", &["ENOLCK"]),
    ("syncfs", &["EIO"]),
    ("fsync", &["EIO"]),
];

const URL: &str = "https://example.org/docs/";

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// A command, and what it may leave.
struct Case {
    arguments: &'static [&'static str],
    /// The additions of the next run.
    again: &'static [&'static str],
    /// The tree that it writes.
    output: Option<&'static str>,
}

const CASES: &[Case] = &[
    Case {
        arguments: &["absolute", "site", "--url", URL, "-o", "out"],
        again: &["--force"],
        output: Some("out"),
    },
    Case {
        arguments: &["relative", "site", "--url", URL, "--in-place"],
        again: &[],
        output: Some("site"),
    },
    Case { arguments: &["move", "site", "d=e/f", "--in-place"], again: &[], output: Some("site") },
    Case {
        arguments: &[
            "move", "site", "d=e/f", "-o", "out", "--write-redirects", "html", "--url", URL,
        ],
        again: &["--force"],
        output: Some("out"),
    },
    Case {
        arguments: &["audit", "site", "--url", URL, "--fix", "--in-place"],
        again: &[],
        output: Some("site"),
    },
    Case { arguments: &["audit", "site", "--format", "jsonl"], again: &[], output: None },
    Case { arguments: &["links", "site", "--format", "jsonl"], again: &[], output: None },
    Case { arguments: &["verify", "site", "moved", "d=e/f"], again: &[], output: None },
];

fn site() -> TestDir {
    let dir = TestDir::new();
    for number in 0..4 {
        let page = format!("<a href=../d/{number}.html>x</a><a href={URL}Index.html>y</a>");
        dir.write(&format!("fresh/d/{number}.html"), page.as_bytes());
        dir.write(&format!("fresh/c/{number}.html"), page.as_bytes());
        dir.write(&format!("fresh/c/{number}.bin"), &[7; 9000]);
    }
    dir.write("fresh/index.html", b"<a href=d/0.html>x</a><img src=c/1.bin>");
    reset(&dir);
    let moved = ["move", "site", "d=e/f", "-o", "moved"];
    dir.rehref(&moved).status(0);
    dir
}

/// The files of a tree; none if there is no tree.
fn files(dir: &TestDir, path: &str) -> Tree {
    if !dir.path(path).exists() {
        return Tree::new();
    }
    finished_files(&dir.path(path))
}

/// The report without the lines of documents that it shows (`1 | <a href=x>`), and the marks below them.
fn without_snippets(report: &str) -> String {
    let is_snippet = |line: &str| {
        let line = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        line.starts_with(" | ") || line.starts_with("| ")
    };
    let lines = report.lines().filter(|line| !is_snippet(line));
    lines.collect::<Vec<_>>().join("\n")
}

fn reset(dir: &TestDir) {
    for path in ["site", "out"] {
        let _ = fs::remove_dir_all(dir.path(path));
    }
    copy_tree(&dir.path("fresh"), &dir.path("site"));
    symlink("c", dir.path("site/latest")).unwrap();
}

/// The effects of a command when nothing fails.
struct Undisturbed {
    status: Option<i32>,
    stdout: Vec<u8>,
    old: Tree,
    new: Tree,
}

impl Case {
    /// The tree that the command writes, now.
    fn written(&self, dir: &TestDir) -> Tree {
        self.output.map(|path| files(dir, path)).unwrap_or_default()
    }

    /// Checks what a run left in which a call failed.
    fn check(&self, dir: &TestDir, run: &Output, usual: &Undisturbed, fault: &str) {
        let stderr = String::from_utf8_lossy(&run.stderr);
        let told = format!("{:?} with {fault}:\n{stderr}", self.arguments);
        let status = run.status.code();
        assert!(matches!(status, Some(0..=2)), "status {status:?}: {told}");
        let found = self.written(dir);
        for (path, content) in &found {
            let is_known = [usual.old.get(path), usual.new.get(path)].contains(&Some(content));
            assert!(is_known, "{} is half: {told}", path.display());
        }
        if self.output == Some("site") {
            for path in usual.old.keys() {
                let is_there = found.contains_key(path) || !usual.new.contains_key(path);
                assert!(is_there, "{} is lost: {told}", path.display());
            }
        } else {
            let mut site = files(dir, "site");
            site.remove(Path::new("latest"));
            assert_eq!(site, files(dir, "fresh"), "SITE changed: {told}");
        }
        if status == Some(2) {
            // A call of each thread fails: the write of the message may be one of them.
            let is_told = stderr.lines().any(|line| line.starts_with("error"));
            assert!(is_told || fault.contains("write(2,"), "no error: {told}");
        } else {
            assert_eq!(status, usual.status, "{told}");
            assert!(found == usual.new, "the output is not whole: {told}");
            let printed = without_times(&String::from_utf8_lossy(&run.stdout));
            let usual = without_times(&String::from_utf8_lossy(&usual.stdout));
            let is_told =
                [": cannot read ", " cannot be read: "].iter().any(|it| printed.contains(it));
            // A line of a document that cannot be read again is not shown below its finding.
            let is_same = without_snippets(&printed) == without_snippets(&usual);
            assert!(is_same || is_told, "{printed}\ninstead of\n{usual}\n{told}");
        }
        if found == usual.new {
            return;
        }
        let again = Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(self.arguments)
            .args(self.again)
            .current_dir(dir.path(""))
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&again.stderr);
        assert!(matches!(again.status.code(), Some(0 | 1)), "the next run: {stderr}{told}");
        assert!(self.written(dir) == usual.new, "the next run does not finish: {stderr}{told}");
    }

    /// The calls that can fail in a run of the command: each with the number of its call of this name in
    /// its thread.
    fn calls(log: &str) -> Vec<(usize, usize)> {
        let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        let mut calls = Vec::new();
        for line in log.lines() {
            let (thread, call) = line.split_once(' ').unwrap_or_default();
            let name = call.trim_start().split('(').next().unwrap_or_default();
            // What is printed is the subject of `streams`.
            let is_printed = ["write(1,", "write(2,"].iter().any(|it| call.contains(it));
            let Some(row) = CALLS.iter().position(|(known, _)| *known == name) else { continue };
            let count = counts.entry((thread, name)).or_default();
            *count += 1;
            if !is_printed {
                calls.push((row, *count));
            }
        }
        calls
    }
}

#[test]
fn a_failed_call_is_told_and_made_good_by_the_next_run() {
    let dir = site();
    let mut random = Random::new(variable("REHREF_SEED", 1));
    for case in CASES {
        reset(&dir);
        let old = case.written(&dir);
        let names: Vec<&str> = CALLS.iter().map(|(name, _)| *name).collect();
        let trace = format!("trace={}", names.join(","));
        // The number of a call is that in its thread.
        let arguments = [case.arguments, &["--threads", "1"]].concat();
        let Some((run, log)) = traced(&dir, &["-e", &trace], &arguments) else { return };
        let usual = Undisturbed {
            status: run.status.code(),
            stdout: run.stdout,
            old,
            new: case.written(&dir),
        };
        assert!(matches!(usual.status, Some(0 | 1)), "{:?}", case.arguments);
        let calls = Case::calls(&log);
        let mut told = 0;
        let faults = variable("REHREF_FAULTS", FAULTS);
        for _ in 0..faults {
            reset(&dir);
            let (row, number) = *random.one_of(&calls);
            let (name, errors) = CALLS[row];
            let error = random.word(errors);
            let fault = format!("inject={name}:error={error}:when={number}");
            let Some((run, log)) = traced(&dir, &["-e", &trace, "-e", &fault], &arguments) else {
                continue;
            };
            let injected: Vec<&str> =
                log.lines().filter(|line| line.contains("INJECTED")).collect();
            case.check(&dir, &run, &usual, &injected.join("\n"));
            told += u32::from(run.status.code() == Some(2));
        }
        println!(
            "{:?}: {faults} of {} calls failed, {told} runs ended with an error",
            case.arguments,
            calls.len()
        );
    }
}

/// Starts the command with calls of this name delayed, edits `site/edited.html` as soon as a temporary
/// file or directory of it appears in the directory `beside`, and returns its output.
fn edited_meanwhile(dir: &TestDir, delayed: &str, beside: &str, arguments: &[&str]) -> Output {
    let inject = format!("inject={delayed}:delay_enter=1000000");
    let mut run = Command::new("strace")
        .args(["-f", "-qq", "-o", "calls", "-e", &format!("trace={delayed}")])
        .args(["-e", &inject, env!("CARGO_BIN_EXE_rehref")])
        .args(arguments)
        .current_dir(dir.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let is_ours = |entry: DirEntry| entry.file_name().to_string_lossy().starts_with(".rehref-");
    let started = || {
        let mut entries = fs::read_dir(dir.path(beside)).unwrap();
        entries.any(|entry| entry.is_ok_and(is_ours))
    };
    while !started() && run.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::write(dir.path("site/edited.html"), EDIT).unwrap();
    run.wait_with_output().unwrap()
}

const EDIT: &str = "what another program wrote";

#[test]
fn what_another_program_writes_meanwhile_is_not_lost() {
    let dir = TestDir::with_site(&[
        ("edited.html", "<a href=d/x.html>x</a>"),
        ("d/x.html", "<a href=../edited.html>x</a>"),
    ]);
    if traced(&dir, &["-e", "trace=fchmod"], &["base", "site/edited.html"]).is_none() {
        return;
    }
    for (delayed, beside, arguments) in [
        ("fchmod", "site", &["absolute", "site", "--url", URL, "--in-place"][..]),
        ("syncfs", "", &["move", "site", "d=e", "--in-place"]),
    ] {
        dir.write("site/edited.html", b"<a href=d/x.html>x</a>");
        let run = edited_meanwhile(&dir, delayed, beside, arguments);
        assert_eq!(dir.read("site/edited.html"), EDIT, "{arguments:?}");
        // On a slow machine the edit may come after the run.
        let stderr = String::from_utf8_lossy(&run.stderr);
        match run.status.code() {
            Some(0) => {}
            code => {
                assert_eq!(code, Some(2), "{stderr}");
                assert!(stderr.contains("another program changed"), "{stderr}");
            }
        }
        println!("{stderr}");
    }
}
