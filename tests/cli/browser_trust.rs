//! What a hostile page can do in `rehref verify --browser`: read files beside the tree, send what it read, exhaust the
//! memory, hide its changes. Without a Chromium, skipped.

use std::net::UdpSocket;
use std::os::unix::fs::symlink;
use std::process::Command;

use crate::browser::copied_site;
use crate::run::Run;
use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

/// A tree `site` with these files and a copy of it, `after`, beside a file with a secret.
fn trees(files: &[(&str, &str)]) -> Option<TestDir> {
    let dir = copied_site(files)?;
    dir.write("secret.html", b"<a href=https://x.example/SECRET>SECRET</a>");
    Some(dir)
}

fn verify(dir: &TestDir, more: &[&str]) -> Run {
    let arguments =
        ["verify", "site", "after", "--url", URL, "--browser", "--no-sandbox", "--pages=all"];
    dir.rehref(&[&arguments, more].concat())
}

/// A page of AFTER that says on the console what it reads at `url`.
fn reader(url: &str) -> String {
    format!(
        "<!DOCTYPE html><p>p<script>fetch('{url}').then(it => it.text()).then(it => console.error('read: ' + it))\
         </script>"
    )
}

#[test]
fn nothing_behind_a_symbolic_link_is_served() {
    let page = reader("link.html");
    let Some(dir) = trees(&[("index.html", &page), ("real.html", "IN THE TREE")]) else { return };
    for tree in ["site", "after"] {
        symlink("../secret.html", dir.path(&format!("{tree}/link.html"))).unwrap();
        symlink("real.html", dir.path(&format!("{tree}/inner.html"))).unwrap();
    }
    dir.write("after/new.html", reader("inner.html").as_bytes());
    dir.write("site/new.html", b"<!DOCTYPE html><p>p");
    dir.write("site/index.html", b"<!DOCTYPE html><p>p");
    let stdout = verify(&dir, &[]).status(1).stdout();
    assert!(!stdout.contains("SECRET"), "{stdout}");
    // A link to a file of the tree is that file.
    assert!(stdout.contains("read: IN THE TREE"), "{stdout}");
}

#[test]
fn nothing_is_sent() {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_nonblocking(true).unwrap();
    let port = socket.local_addr().unwrap().port();
    let page = format!(
        "<!DOCTYPE html><p>p<script>(async () => {{\
         const one = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:127.0.0.1:{port}' }}] }});\
         const other = new RTCPeerConnection();\
         one.createDataChannel('c');\
         await one.setLocalDescription(await one.createOffer());\
         await other.setRemoteDescription(one.localDescription);\
         await other.setLocalDescription(await other.createAnswer());\
         await one.setRemoteDescription(other.localDescription);\
         for (const side of [one, other]) await side.addIceCandidate({{ sdpMid: '0', candidate:\
         'candidate:1 1 udp 2122260223 127.0.0.1 {port} typ host generation 0 ufrag secret' }});\
         }})().catch(error => console.error('page: ' + error))</script>"
    );
    let Some(dir) = trees(&[("index.html", &page)]) else { return };
    let stdout = verify(&dir, &[]).status(0).stdout();
    assert!(!stdout.contains("page: "), "{stdout}");
    let received = socket.recv(&mut [0; 2000]);
    assert!(received.is_err(), "{received:?} bytes arrived");
}

#[test]
fn pages_from_disk_read_only_their_tree() {
    let Some(dir) = trees(&[("frame.html", "<a href=https://x.example/OWN>o</a>")]) else { return };
    let secret = dir.path("secret.html");
    let page = format!(
        "<!DOCTYPE html><iframe src=frame.html></iframe><iframe src='file://{}'></iframe>",
        secret.display()
    );
    dir.write("after/index.html", page.as_bytes());
    dir.write("site/index.html", b"<!DOCTYPE html><iframe></iframe><iframe></iframe>");
    let stdout = verify(&dir, &["--from-disk"]).status(1).stdout();
    assert!(stdout.contains("OWN"), "{stdout}");
    assert!(!stdout.contains("SECRET"), "{stdout}");
}

#[test]
fn files_without_end_take_neither_memory_nor_time() {
    let Some(dir) = trees(&[(
        "index.html",
        "<!DOCTYPE html><img src=zero.png><img src=pipe.png><img src=huge.png>",
    )]) else {
        return;
    };
    for tree in ["site", "after"] {
        symlink("/dev/zero", dir.path(&format!("{tree}/zero.png"))).unwrap();
        let huge = std::fs::File::create(dir.path(&format!("{tree}/huge.png"))).unwrap();
        huge.set_len(65 << 20).unwrap();
    }
    symlink("../pipe", dir.path("after/pipe.png")).unwrap();
    symlink("../pipe", dir.path("site/pipe.png")).unwrap();
    assert!(Command::new("mkfifo").arg(dir.path("pipe")).status().unwrap().success());
    verify(&dir, &[]).status(0);
}

/// Some old libraries define these, too; pages are examined with functions of their own.
#[test]
fn pages_cannot_hide_their_changes() {
    let page = "<!DOCTYPE html><p>p<script src=s.js></script>";
    let script = "JSON.stringify = () => '{}'; Array.prototype.toJSON = () => 7; \
        document.querySelectorAll = () => []; String.prototype.split = () => { throw 'no' }; \
        document.body.insertAdjacentHTML('beforeend', '<a href=one.html>a</a>')";
    let Some(dir) = trees(&[("index.html", page), ("s.js", script)]) else { return };
    verify(&dir, &[]).status(0);
    dir.write("after/s.js", script.replace("one.html", "two.html").as_bytes());
    let stdout = verify(&dir, &[]).status(1).stdout();
    assert!(stdout.contains("index.html: a \"a\" href: has a different target"), "{stdout}");
}

/// Chromium has no sandbox as root.
#[test]
fn without_a_sandbox_pages_are_loaded_only_if_asked() {
    let user = Command::new("id").arg("-u").output().unwrap();
    if user.stdout != b"0\n" {
        println!("skipped: not root, so the sandbox may be there");
        return;
    }
    let Some(dir) = trees(&[("index.html", "<!DOCTYPE html><p>p")]) else { return };
    let run = dir.rehref(&["verify", "site", "after", "--url", URL, "--browser"]).status(2);
    assert!(run.stderr().contains("has no sandbox here"), "{}", run.stderr());
    assert!(run.stderr().contains("add --no-sandbox"), "{}", run.stderr());
    let stdout = verify(&dir, &[]).status(0).stdout();
    assert!(stdout.contains(", without its sandbox; different: 0\n"), "{stdout}");
}

/// Both end with the time limit of the page.
#[test]
fn a_page_that_never_rests_takes_neither_memory_nor_time() {
    let page = "<!DOCTYPE html><p>p<script src=s.js></script>";
    let script = "const text = 'x'.repeat(1 << 20), never = () => { for (;;) console.error(text) }; addEventListener('load', () => setTimeout(never))";
    let Some(dir) = trees(&[("index.html", page), ("s.js", script)]) else { return };
    let run = verify(&dir, &["--page-timeout=2"]).status(2);
    assert!(run.stderr().contains("the page did not load within 2 s"), "{}", run.stderr());
}
