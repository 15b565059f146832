//! The system calls of a run, under `strace`: nothing is fetched, and in-place runs reach the disk.

use std::fs;
use std::process::{Command, Output};

use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// `rehref` with these arguments under `strace` with these options, and the calls that `strace` wrote. `None`, with
/// a printed line, where `strace` does not exist or may not trace.
pub(crate) fn traced(
    dir: &TestDir,
    options: &[&str],
    arguments: &[&str],
) -> Option<(Output, String)> {
    let log = dir.path("calls");
    let _ = fs::remove_file(&log);
    let run = Command::new("strace")
        .args(["-f", "-qq", "-o"])
        .arg(&log)
        .args(options)
        .arg(env!("CARGO_BIN_EXE_rehref"))
        .args(arguments)
        .current_dir(dir.path(""))
        .output();
    let calls = fs::read_to_string(log);
    let (Ok(run), Ok(calls)) = (run, calls) else {
        println!("skipped: strace does not work here");
        return None;
    };
    let stderr = String::from_utf8_lossy(&run.stderr);
    if stderr.contains("ptrace") || stderr.contains("strace:") {
        println!("skipped: {stderr}");
        return None;
    }
    Some((run, calls))
}

/// The calls, of those that `filter` selects, of `rehref` with these arguments, which ends with `status`.
fn calls_of(dir: &TestDir, filter: &str, arguments: &[&str], status: i32) -> Option<String> {
    let (run, calls) = traced(dir, &["-e", filter], arguments)?;
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(status), "{arguments:?}: {stderr}");
    Some(calls)
}

fn site() -> TestDir {
    let page = "<base href=https://example.org/docs/><link rel=stylesheet href=https://cdn.example.com/a.css>\
        <script src=//cdn.example.com/a.js></script><a href=https://gone.example/>x</a><a href=b.html>y</a>\
        <iframe src=http://127.0.0.1:9/></iframe><img src=ftp://h/i.png><meta http-equiv=refresh content='0; url=x'>";
    let xml = "<!DOCTYPE svg SYSTEM 'http://dtd.example/svg.dtd' [<!ENTITY e SYSTEM 'http://e.example/'>]>\
        <svg xmlns='http://www.w3.org/2000/svg'><image href='http://i.example/i.png'/>&e;</svg>";
    TestDir::with_site(&[
        ("a.html", page),
        ("b.html", "<a href=a.html>x</a>"),
        ("c.svg", xml),
        ("d.css", "@import 'https://cdn.example.com/b.css';"),
        ("_redirects", "/x https://elsewhere.example/ 301\n"),
        ("sitemap.xml", "<urlset><url><loc>https://example.org/docs/</loc></url></urlset>"),
    ])
}

#[test]
fn nothing_is_ever_fetched() {
    let dir = site();
    for (arguments, status) in [
        (&["absolute", "site", "-o", "absolute", "--url", URL, "--verify"][..], 0),
        (&["relative", "site", "-o", "relative", "--url", URL, "--offline"], 0),
        (&["move", "site", "b.html=e.html", "-o", "moved", "--url", URL], 0),
        (&["verify", "site", "absolute", "--url", URL], 0),
        (&["audit", "site", "--url", URL], 1),
        (&["audit", "site", "--url", URL, "--format", "html=report.html"], 1),
        (&["links", "site", "--url", URL], 0),
        (&["base", "site/a.html"], 0),
        (&["resolve", "--base", "https://example.org/", "x"], 0),
    ] {
        let Some(calls) = calls_of(&dir, "trace=socket,connect,sendto", arguments, status) else {
            return;
        };
        let leaves = |line: &&str| line.contains("AF_INET") || line.contains("connect(");
        let found: Vec<&str> = calls.lines().filter(leaves).collect();
        assert_eq!(found, [""; 0], "{arguments:?}");
    }
}

/// The programs of the test work at all: a program that connects is seen.
#[test]
fn a_connection_would_be_noticed() {
    let dir = TestDir::new();
    let log = dir.path("calls");
    let connecting = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=socket,connect", "-o"])
        .arg(&log)
        .args(["bash", "-c", "exec 3<> /dev/tcp/127.0.0.1/9"])
        .output();
    if connecting.is_err() || !log.is_file() {
        println!("skipped: strace does not work here");
        return;
    }
    let calls = fs::read_to_string(log).unwrap();
    assert!(calls.is_empty() || calls.contains("AF_INET"), "{calls}");
}

/// A path is resolved without symbolic links (`openat2`) or in an open directory, so that what another program
/// puts in its place leads nowhere. Directories are listed by their path; what is in them is not.
#[cfg(target_os = "linux")]
#[test]
fn no_file_is_opened_or_made_by_a_path_that_may_hold_symbolic_links() {
    let dir = site();
    let record = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=b>";
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://h/\r\n\
         Content-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        record.len()
    );
    dir.write("site/d/crawl.warc", format!("{head}{record}\r\n\r\n").as_bytes());
    for (name, contents) in [
        ("CNAME", &b"example.org"[..]),
        (".htaccess", b"Redirect 301 /z /b.html"),
        (".gitignore", b"*.tmp"),
        ("d/noextension", b"<html><a href=../b.html>"),
        ("d/e/script.js", b"x"),
        ("d/e/data.bin", &[7; 9000]),
        ("manifest.webmanifest", b"{\"start_url\":\"a.html\"}"),
    ] {
        dir.write(&format!("site/{name}"), contents);
    }
    for (arguments, status) in [
        (&["absolute", "site", "-o", "out", "--url", URL, "--verify"][..], 0),
        (&["absolute", "site", "-o", "out", "--url", URL, "--force"], 0),
        (&["move", "site", "d=f", "-o", "moved", "--write-redirects", "html"], 0),
        (&["audit", "site", "--url", URL, "--compressed", "--gitignore"], 1),
        (&["audit", "site", "--fix", "-o", "fixed"], 1),
        (&["links", "site", "--url", URL], 0),
        (&["verify", "site", "out", "--url", URL], 0),
        (&["relative", "site", "--url", URL, "--in-place"], 0),
    ] {
        let calls = "trace=open,openat,creat,mkdir,mkdirat,rename,renameat,symlink,unlink,chmod,chown,truncate";
        let Some(calls) = calls_of(&dir, calls, arguments, status) else { return };
        let found: Vec<&str> = ["site", "out", "moved", "fixed"]
            .into_iter()
            .filter_map(|root| dir.path(root).canonicalize().ok())
            .map(|root| format!("\"{}/", root.display()))
            .flat_map(|root| calls.lines().filter(move |line| line.contains(&root)))
            .filter(|line| !line.contains("O_DIRECTORY"))
            .collect();
        assert_eq!(found, [""; 0], "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn in_place_runs_reach_the_disk() {
    let dir = TestDir::with_site(&[("a.html", "<a href=b>"), ("c/d.html", "<a href=e>")]);
    let calls = "trace=rename,renameat,renameat2,syncfs";
    let run = ["absolute", "site", "--url", URL, "--in-place"];
    let Some(first) = calls_of(&dir, calls, &run, 0) else { return };
    let (renamed, synced) = (first.rfind("rename"), first.rfind("syncfs"));
    assert!(renamed.is_some() && renamed < synced, "{first}");
    // Nothing changes, so nothing must reach the disk.
    let second = calls_of(&dir, calls, &run, 0).unwrap();
    assert!(!second.contains("syncfs"), "{second}");
    let copied = ["relative", "site", "--url", URL, "-o", "out"];
    let copied = calls_of(&dir, calls, &copied, 0).unwrap();
    assert!(!copied.contains("syncfs"), "{copied}");
}
