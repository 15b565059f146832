//! Runs that are killed, at any moment: every file is the old one or the new one, and the next run finishes.
//! `move_kill` is about moves in place, whose whole tree is old or new.
//!
//! `REHREF_KILLS` is the number of kills of each command, `REHREF_SEED` chooses other moments.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::planted::random::Random;
use crate::support::{TestDir, copy_tree, finished_files, variable};

/// How many times each command is killed.
const KILLS: u64 = 6;

const URL: &str = "https://example.org/docs/";

/// The number of documents of the site: enough that most moments are between the first and the last.
const DOCUMENTS: usize = 60;

type Tree = BTreeMap<PathBuf, Vec<u8>>;

/// A site with documents in folders, each with a finding that has one correction, and an archive.
fn site() -> TestDir {
    let dir = TestDir::new();
    let text = "<p>text</p>\n".repeat(300);
    for number in 0..DOCUMENTS {
        let page = format!("<a href=../Target.html>x</a><a href=#top>y</a>{text}");
        dir.write(&format!("fresh/d{}/{number:03}.html", number % 7), page.as_bytes());
    }
    dir.write("fresh/target.html", b"<a href=d1/001.html>x</a>");
    dir.write("fresh/data.bin", &vec![7; 100_000]);
    let mut archive = Vec::new();
    for number in 0..DOCUMENTS {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b>{text}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://h/{number}\r\n\
             Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
            block.len()
        );
        archive.extend_from_slice(format!("{head}{block}\r\n\r\n").as_bytes());
    }
    dir.write("crawl.warc", &archive);
    dir
}

/// Runs `rehref`; kills it after `limit`. Whether it had ended before.
fn run(dir: &TestDir, arguments: &[&str], limit: Option<Duration>) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rehref"))
        .args(arguments)
        .current_dir(dir.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let Some(limit) = limit else {
        let code = child.wait().unwrap().code();
        assert!(matches!(code, Some(0 | 1)), "{arguments:?}: {code:?}");
        return true;
    };
    std::thread::sleep(limit);
    let had_ended = child.try_wait().unwrap().is_some();
    let _ = child.kill();
    child.wait().unwrap();
    had_ended
}

/// Kills the command `arguments` at many moments. `fresh` makes its input anew; `output` is what it writes.
/// `again` are the arguments with which the next run finishes.
fn kill(dir: &TestDir, arguments: &[&str], again: &[&str], output: &str, fresh: &dyn Fn()) {
    fresh();
    let read = || finished_files(&dir.path(output));
    let exists = |dir: &TestDir| dir.path(output).exists();
    let old = if exists(dir) { read() } else { Tree::new() };
    let started = Instant::now();
    run(dir, arguments, None);
    let duration = started.elapsed();
    let new = read();
    assert_ne!(old, new, "{arguments:?} changes something");
    let mut random = Random::new(variable("REHREF_SEED", 1));
    let (mut ended, mut partial) = (0, 0);
    let kills = variable("REHREF_KILLS", KILLS);
    for number in 0..kills {
        fresh();
        let thousandths = u32::try_from(random.below(1000)).unwrap();
        ended += u32::from(run(dir, arguments, Some(duration * thousandths / 1000)));
        let found = if exists(dir) { read() } else { Tree::new() };
        for (path, content) in &found {
            let is_known = [old.get(path), new.get(path)].contains(&Some(content));
            assert!(is_known, "{arguments:?}, kill {number}: {path:?} is half");
        }
        for path in old.keys() {
            assert!(found.contains_key(path), "{arguments:?}, kill {number}: {path:?} is lost");
        }
        partial += u32::from(found != old && found != new);
        run(dir, again, None);
        assert!(read() == new, "{arguments:?}, kill {number}: the next run does not finish");
    }
    println!("{arguments:?}: {kills} kills, {ended} runs had ended, {partial} trees in between");
}

#[test]
fn every_file_is_old_or_new() {
    let dir = site();
    let remove = |path: &str| {
        let _ = fs::remove_dir_all(dir.path(path));
        let _ = fs::remove_file(dir.path(path));
    };
    let copied = || {
        remove("site");
        copy_tree(&dir.path("fresh"), &dir.path("site"));
    };
    copied();
    let absolute = ["absolute", "site", "--url", URL, "-o", "out"];
    let again = [&absolute[..], &["--force"]].concat();
    kill(&dir, &absolute, &again, "out", &|| remove("out"));
    assert_eq!(finished_files(&dir.path("site")), finished_files(&dir.path("fresh")));
    let in_place = ["absolute", "site", "--url", URL, "--in-place"];
    kill(&dir, &in_place, &in_place, "site", &copied);
    let fix = ["audit", "site", "--url", URL, "--fix", "--in-place"];
    kill(&dir, &fix, &fix, "site", &copied);
    let archive = ["absolute", "crawl.warc", "-o", "out/crawl.warc"];
    let again = [&archive[..], &["--force"]].concat();
    let empty = || {
        remove("out");
        fs::create_dir(dir.path("out")).unwrap();
    };
    kill(&dir, &archive, &again, "out", &empty);
}
