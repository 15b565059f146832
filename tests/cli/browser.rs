//! `rehref verify --browser`, the real binary and a real Chromium. Without one, most tests are skipped.

use std::path::Path;

use crate::run::Run;
use crate::support::TestDir;

const URL: &str = "https://example.org/docs/";

const PICTURE: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect \
                       width='9' height='9'/></svg>";

const SITE: &[(&str, &str)] = &[
    (
        "index.html",
        "<!DOCTYPE html><title>i</title><link rel=stylesheet href=style.css>\
         <h1 id=top>i</h1><a href=guide/page.html>page</a><a href=#top>up</a>\
         <img src=picture.svg alt=picture><img src=missing.png>",
    ),
    (
        "guide/page.html",
        "<!DOCTYPE html><title>p</title><base href=../><link rel=stylesheet href=style.css>\
         <script src=made.js></script><p>text<iframe src=guide/frame.html></iframe>\
         <script>broken(</script>",
    ),
    ("guide/frame.html", "<!DOCTYPE html><title>f</title><a href=page.html>back</a>"),
    ("404.html", "<!DOCTYPE html><title>n</title><link rel=stylesheet href=/docs/style.css>"),
    ("style.css", "body { background: url(picture.svg) } h1 { color: red }"),
    (
        "made.js",
        "addEventListener('load', () => document.body.append(Object.assign(\
         document.createElement('a'), { href: 'made.html', textContent: 'made' })))",
    ),
    ("picture.svg", PICTURE),
];

/// A site and a copy of it, `site` and `after`; `None` with a printed line if there is no browser.
fn copied() -> Option<TestDir> {
    copied_site(SITE)
}

/// As [`copied`], with other files.
pub(crate) fn copied_site(files: &[(&str, &str)]) -> Option<TestDir> {
    if !is_installed() {
        return None;
    }
    let dir = TestDir::with_site(files);
    for (path, contents) in files {
        dir.write(&format!("after/{path}"), contents.as_bytes());
    }
    Some(dir)
}

/// Whether there is a Chromium; if not, prints that the test is skipped.
pub(crate) fn is_installed() -> bool {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let has = |folder: &Path| names.iter().any(|name| folder.join(name).is_file());
    let is_installed = std::env::split_paths(&path).any(|folder| has(&folder));
    if !is_installed {
        println!("skipped: no Chromium");
    }
    is_installed
}

/// Replaces `old` by `new` in a file of the copy.
fn damage(dir: &TestDir, path: &str, old: &str, new: &str) {
    let path = format!("after/{path}");
    let damaged = dir.read(&path).replace(old, new);
    assert_ne!(damaged, dir.read(&path), "{path}: {old}");
    dir.write(&path, damaged.as_bytes());
}

fn verify(dir: &TestDir, more: &[&str]) -> Run {
    let arguments = ["verify", "site", "after", "--url", URL, "--all", "--browser", "--no-sandbox"];
    dir.rehref(&[&arguments, more].concat())
}

#[test]
fn what_is_broken_before_and_after_is_no_difference() {
    let Some(dir) = copied() else { return };
    let stdout = verify(&dir, &[]).status(0).stdout();
    assert!(stdout.contains("\n4 of 4 pages opened in "), "{stdout}");
    assert!(stdout.ends_with("; different: 0\n"), "{stdout}");
}

#[test]
fn what_only_visitors_notice_is_a_difference() {
    let Some(dir) = copied() else { return };
    damage(&dir, "style.css", "red", "blue");
    damage(&dir, "made.js", "made.html", "guide/made.html");
    damage(&dir, "guide/frame.html", "back", "back<script>nothing()</script>");
    damage(&dir, "picture.svg", "<rect", "<<rect");
    damage(&dir, "made.js", "addEvent", "fetch('gone.json'); addEvent");
    damage(&dir, "404.html", "/docs/style.css", "style.css");
    let stdout = verify(&dir, &[]).status(1).stdout();
    for expected in [
        "index.html: the computed style of 1 element differs; the first difference: color of html > body > h1\n",
        "guide/page.html: a \"made\" href: has a different target\n  before \
         `https://example.org/docs/made.html`\n",
        "guide/frame.html: new error on the console: Uncaught ReferenceError: nothing is not defined\n  by     https://example.org/docs/guide/frame.html\n",
        "index.html: img \"picture\": the image is not shown\n",
        "guide/page.html: the file that a script asks for does not load: 404 Not Found\n  after  `https://example.org/docs/gone.json`\n  by     https://example.org/docs/made.js\n",
        "404.html: as the answer to no-such-folder/no-such-page: the style sheet does not load: 404",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}");
    }
}

#[test]
fn a_page_for_what_is_missing_is_opened_at_any_depth() {
    let Some(dir) = copied() else { return };
    damage(&dir, "404.html", "/docs/style.css", "style.css");
    let run = verify(&dir, &["--format", "json"]).status(1);
    let report: serde_json::Value = serde_json::from_str(&run.stdout()).unwrap();
    let codes: Vec<&str> = report["different"][0]["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|difference| difference["kind"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"request"), "{report}");
    assert!(codes.contains(&"style-sheet"), "{report}");
    assert_eq!(report["browser"]["opened"], 4, "{report}");
    assert_eq!(report["browser"]["different"], 1, "{report}");
}

/// Its links counted from any URL that it was sent for; they count from its own place now.
#[test]
fn a_page_for_what_is_missing_may_be_better_than_before() {
    let page = "<!DOCTYPE html><title>404</title><link rel=stylesheet href=style.css>\
        <link rel=canonical href=https://example.org/docs/404.html>\
        <h1>Gone</h1><a href=#top>top</a><a href=guide/page.html>guide</a>";
    let files = [("style.css", "h1 { color: red }"), ("404.html", page)];
    let Some(dir) = copied_site(&files) else { return };
    damage(&dir, "404.html", "=style.css", "=/docs/style.css");
    damage(&dir, "404.html", "=guide", "=/docs/guide");
    verify(&dir, &[]).status(0);
    damage(&dir, "404.html", "/guide/page", "/guide/other");
    let stdout = verify(&dir, &[]).status(1).stdout();
    assert!(stdout.contains("404.html: a \"guide\" href: has a different target"), "{stdout}");
}

/// A page with URLs that load nothing, or not in this window.
const QUIET: &str = "<!DOCTYPE html><html><head><title>q</title>\
    <script type=importmap>{\"imports\": {\"m\": \"./m.js\"}}</script>\
    <style>.never { background: url(never.png) } @media print { p { background: url(print.png) } }</style>\
    <noscript><link rel=stylesheet href=no.css></noscript></head>\
    <body background=back.png><img src=i.svg srcset='i.svg 1x, two.png 2x' alt=i>\
    <a href=a.html ping=ping.cgi>a</a><q cite=cite.html>q</q>\
    <template><a href=inner.html>t</a></template><!--[if IE]><a href=ie.html>ie</a><![endif]-->\
    </body></html>";

/// The URLs of [`QUIET`].
const QUIET_URLS: &[&str] = &[
    "m.js", "never.png", "print.png", "no.css", "back.png", "two.png", "a.html", "ping.cgi",
    "cite.html", "inner.html", "ie.html",
];

#[test]
fn urls_that_load_nothing_are_compared() {
    let Some(dir) = copied_site(&[("index.html", QUIET), ("i.svg", PICTURE)]) else { return };
    let renamed = |url: &str| format!("x-{url}");
    for url in QUIET_URLS {
        damage(&dir, "index.html", url, &renamed(url));
    }
    damage(&dir, "index.html", "<!DOCTYPE html>", "");
    let stdout = verify(&dir, &["--format", "json"]).status(1).stdout();
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let found = report["different"][0]["differences"].as_array().unwrap();
    let live: Vec<&serde_json::Value> =
        found.iter().filter(|it| it["kind"] == "live-link").collect();
    for url in QUIET_URLS {
        let after = format!("{URL}{}", renamed(url));
        assert!(live.iter().any(|it| it["after"] == *after), "{url}: {stdout}");
    }
    let mode = found.iter().find(|it| it["kind"] == "live-document");
    assert_eq!(mode.unwrap()["after"], "BackCompat", "{stdout}");
}

/// Browsers take an XML declaration in UTF-16 for what it is, without a byte order mark; so does the run.
#[test]
fn utf_16_is_read_as_browsers_read_it() {
    let Some(dir) = copied_site(&[("index.html", "<a href=u.html>u</a>")]) else { return };
    let page = |image: &str| {
        let text = format!("<?xml version='1.0'?><html><title>u</title><img src={image}>");
        text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()
    };
    dir.write("site/u.html", &page("missing.png"));
    dir.write("after/u.html", &page("gone.png"));
    let stdout = verify(&dir, &["--format", "json"]).status(1).stdout();
    let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let found = report["different"][0]["differences"].as_array().unwrap();
    let after = format!("{URL}gone.png");
    for (kind, name) in [("target", "target"), ("live-link", "after")] {
        assert!(found.iter().any(|it| it["kind"] == kind && it[name] == *after), "{stdout}");
    }
}

#[test]
fn sockets_and_service_workers_are_named() {
    let Some(dir) = copied_site(&[
        ("index.html", "<!DOCTYPE html><title>i</title><script src=live.js></script>"),
        ("live.js", "new WebSocket('live'); navigator.serviceWorker.register('worker.js')"),
        ("worker.js", "importScripts('more.js', 'missing.js')"),
        ("more.js", "self.x = 1"),
    ]) else {
        return;
    };
    verify(&dir, &[]).status(0);
    damage(&dir, "live.js", "'live'", "'dead'");
    std::fs::remove_file(dir.path("after/more.js")).unwrap();
    let stdout = verify(&dir, &[]).status(1).stdout();
    for expected in [
        "index.html: the page opens a different socket than before\n  after  `wss://example.org/docs/dead`\n",
        "index.html: the page no longer opens the socket\n  before `wss://example.org/docs/live`\n",
        "index.html: the file that a script asks for does not load: net::ERR_INVALID_RESPONSE\n",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}");
    }
    let after = "  after  `https://example.org/docs/more.js`\n";
    assert!(stdout.contains(after), "{stdout}");
}

/// The processes that were started with this text in their environment.
#[cfg(target_os = "linux")]
fn processes_with(text: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let has_text = |bytes: &[u8]| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    processes
        .filter(|entry| {
            let environment = std::fs::read(entry.path().join("environ"));
            environment.is_ok_and(|environment| has_text(&environment))
        })
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[cfg(target_os = "linux")]
#[test]
fn the_browser_ends_with_a_run_that_is_killed() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let Some(dir) = copied_site(&[("index.html", "<script>for (;;);</script>")]) else { return };
    let temporary = dir.path("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_rehref"))
            .args(["verify", "site", "after", "--url", URL, "--browser", "--no-sandbox"])
            .args(["--page-timeout", "600"])
            .env("TMPDIR", &temporary)
            .current_dir(dir.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let mut run = start();
    // Waits until `is_done`; only a failure takes the whole time.
    let wait = |is_done: &dyn Fn(&[String]) -> bool| {
        let deadline = Instant::now() + Duration::from_secs(120);
        loop {
            let processes = processes_with(temporary.to_str().unwrap());
            if is_done(&processes) || Instant::now() > deadline {
                return processes;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    // The run, the browser, and processes of the browser for pages.
    let started = wait(&|processes| processes.len() > 4);
    assert!(started.len() > 4, "{started:?}");
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(wait(&<[String]>::is_empty), [""; 0]);
    // A run that is ended by a second signal removes the profile, too.
    std::fs::remove_dir_all(&temporary).unwrap();
    std::fs::create_dir(&temporary).unwrap();
    let mut run = start();
    assert!(wait(&|processes| processes.len() > 4).len() > 4);
    for _ in 0..2 {
        let id = run.id().to_string();
        Command::new("kill").args(["-s", "INT", &id]).status().unwrap();
        std::thread::sleep(Duration::from_millis(1100));
    }
    run.wait().unwrap();
    assert_eq!(wait(&<[String]>::is_empty), [""; 0]);
    let left = std::fs::read_dir(&temporary).unwrap();
    let left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn an_offline_copy_is_opened_from_disk() {
    let Some(dir) = copied() else { return };
    let pages = ["--include", "/index.html", "--include", "/guide", "--include", "style.css"];
    let relative = ["relative", "site", "-o", "offline", "--url", URL, "--offline"];
    let run = dir.rehref(&[&relative[..], &["--verify=browser", "--no-sandbox"], &pages].concat());
    let stderr = run.status(0).stderr();
    assert!(stderr.contains("3 of 3 pages opened in "), "{stderr}");
    let from_disk =
        ["verify", "site", "after", "--url", URL, "--browser", "--no-sandbox", "--from-disk"];
    dir.write("after/404.html", SITE[3].1.as_bytes());
    let stdout = dir.rehref(&from_disk).status(1).stdout();
    assert!(stdout.contains("404.html: the style sheet does not load: 404 Not Found"), "{stdout}");
    assert!(!stdout.contains("index.html: "), "{stdout}");
    // The records of an archive have no pages to open, which is said before the archive is written.
    dir.write("a.warc", b"");
    let archive = ["absolute", "a.warc", "-o", "b.warc", "--verify=browser"];
    let stderr = dir.rehref(&archive).status(2).stderr();
    assert!(stderr.contains("--verify=browser does not apply"), "{stderr}");
    assert!(!dir.path("b.warc").exists());
}

#[test]
fn a_page_from_disk_has_no_more_than_browsers_allow() {
    let page = "<!DOCTYPE html><title>i</title><link rel=stylesheet href=a.css><script src=a.js></script><p>i\
                <script type=module src=m.mjs></script>";
    let files = [
        ("index.html", page),
        ("a.css", "p { color: red }"),
        ("a.js", "document.write('<b>b</b>')"),
        ("m.mjs", "document.body.append('m')"),
    ];
    let Some(dir) = copied_site(&files) else { return };
    let stdout = verify(&dir, &["--from-disk"]).status(1).stdout();
    assert!(stdout.contains("index.html: the script does not load: blocked: "), "{stdout}");
    assert!(!stdout.contains("a.js") && !stdout.contains("a.css"), "{stdout}");
}

#[test]
fn a_mirror_of_several_hosts_is_opened_from_disk() {
    if !is_installed() {
        return;
    }
    let page = "<!DOCTYPE html><title>a</title><link rel=stylesheet href=//b.example/s.css?v=1>\
                <script src=https://b.example/x.js></script><h1>a</h1><img src=https://c.example/i.svg>\
                <a href=https://b.example/>b</a><p style='mask: url(/gone.svg#m)'>";
    let dir = TestDir::with_site(&[
        ("a.example/index.html", page),
        ("b.example/index.html", "<!DOCTYPE html><a href=https://a.example/#top>a</a>"),
        ("b.example/s.css?v=1", "h1 { background: url(https://c.example/i.svg) }"),
        ("b.example/x.js", "document.title += '!'"),
        ("c.example/i.svg", PICTURE),
    ]);
    let relative = ["relative", "site", "-o", "after", "--offline"];
    let run = dir.rehref(&[&relative[..], &["--verify=browser", "--no-sandbox"]].concat());
    let stderr = run.status(0).stderr();
    assert!(stderr.contains("2 of 2 pages opened in "), "{stderr}");
    damage(&dir, "a.example/index.html", "../c.example/", "/c.example/");
    let stdout = dir.rehref(&["verify", "site", "after", "--offline", "--browser", "--no-sandbox"]);
    let stdout = stdout.status(1).stdout();
    assert!(stdout.contains("a.example/index.html: the image does not load"), "{stdout}");
}

#[test]
fn pictures_are_written_and_compared() {
    let Some(dir) = copied() else { return };
    damage(&dir, "index.html", ">i</h1>", ">something else</h1>");
    let pictures = ["--screenshots", "pictures", "--pages", "all", "--include", "/index.html"];
    let stdout = verify(&dir, &pictures).status(1).stdout();
    let before = "pictures/index.html.before.png";
    let expected = format!("index.html: the page looks different\n  before `{before}`\n");
    assert!(stdout.contains(&expected), "{stdout}");
    assert!(dir.path(before).is_file());
}

#[test]
#[cfg_attr(windows, ignore = "--browser does not work on Windows")]
fn a_browser_that_cannot_be_used_is_an_error() {
    let dir = TestDir::with_site(SITE);
    for (option, expected) in [
        ("--browser=/no/such", "cannot start the browser /no/such: "),
        (
            "--browser=/bin/true",
            "the browser /bin/true ended (exit status: 0)\nhelp: pass a Chromium",
        ),
        ("--pages=3", "--pages needs --browser, which compares pages"),
    ] {
        let run = dir.rehref(&["verify", "site", "site", "--url", URL, option]);
        let stderr = run.status(2).stderr();
        assert!(stderr.contains(expected), "{option}: {stderr}");
    }
    let run =
        dir.rehref(&["verify", "site", "site", "--url", "file:///x/", "--browser", "--no-sandbox"]);
    let stderr = run.status(2).stderr();
    if stderr.contains("no browser found") {
        println!("skipped: no browser");
        return;
    }
    assert!(stderr.contains("pass an http: or https: URL, or remove --browser"), "{stderr}");
}

/// A script that fetches the page of a link, keeps the menu, and marks what toggles.
const PERSISTENT: &str = "
const show = async url => {
  const page = new DOMParser().parseFromString(await (await fetch(url)).text(), 'text/html')
  document.querySelector('main').replaceWith(page.querySelector('main'))
}
addEventListener('click', event => {
  const link = event.target.closest('nav a')
  if (link) { event.preventDefault(); history.pushState(0, '', link.href); show(link.href) }
  const toggle = event.target.closest('[data-toggle]')
  if (toggle) { event.preventDefault(); document.querySelector(toggle.getAttribute('href')).hidden ^= 1 }
})
addEventListener('popstate', () => show(location.href))";

fn persistent(path: &str) -> String {
    format!(
        "<!DOCTYPE html><title>{path}</title><script src=/docs/show.js></script>\
         <nav><a href=/docs/index.html>Home</a> <a href=/docs/guide/page.html>Page</a> <a href=/docs/about.html>About</a>\
         </nav><main><h1>{path}</h1><a href=#more data-toggle=x>more</a><p id=more hidden>more</p></main>"
    )
}

#[test]
fn what_fails_after_a_click_is_a_difference() {
    let pages =
        ["index.html", "guide/page.html", "about.html"].map(|path| (path, persistent(path)));
    let mut files: Vec<(&str, &str)> = pages.iter().map(|(path, page)| (*path, &**page)).collect();
    files.push(("show.js", PERSISTENT));
    let Some(dir) = copied_site(&files) else { return };
    let stdout = verify(&dir, &[]).status(0).stdout();
    assert!(stdout.ends_with("; different: 0\n"), "{stdout}");
    damage(&dir, "index.html", "/docs/guide/page.html", "guide/page.html");
    damage(&dir, "index.html", "/docs/about.html", "about.html");
    damage(&dir, "about.html", "#more", "about.html#more");
    let stdout = verify(&dir, &[]).status(1).stdout();
    for expected in [
        "index.html: after following link 2, a \"Page\": a \"About\" href: has a different target\n  before \
         `https://example.org/docs/about.html`\n  after  `https://example.org/docs/guide/about.html`\n",
        "about.html: new error on the console: Uncaught TypeError: ",
    ] {
        assert!(stdout.contains(expected), "{expected}\n{stdout}");
    }
    verify(&dir, &["--clicks", "0"]).status(0);
}

#[test]
fn a_page_that_was_broken_before_is_repaired() {
    let page = "<!DOCTYPE html><title>i</title><script src=m.js></script><h1>i</h1>";
    let script = "fetch('gone.txt').then(r => r.ok && r.text()).then(it => it && document.body.append(\
                  document.createElement('p')))";
    let Some(dir) = copied_site(&[("index.html", page), ("m.js", script), ("data.txt", "x")])
    else {
        return;
    };
    damage(&dir, "m.js", "gone", "data");
    // The files differ, and the report says so.
    let stdout = verify(&dir, &[]).status(1).stdout();
    assert!(stdout.ends_with("; different: 0; repaired: 1\n"), "{stdout}");
}

#[test]
fn a_page_for_what_is_missing_is_repaired() {
    let page = |up: &str| {
        format!(
            "<!DOCTYPE html><title>m</title><link rel=stylesheet href={up}a.css><a href='#' data-toggle=x>m</a>\
             <a href={up}b.html>b</a><script src={up}m.js></script>"
        )
    };
    let script = "document.querySelector('a').onclick = () => { \
                  document.body.append(document.createElement('p')); return false }";
    let files =
        [("404.html", &*page("")), ("a.css", "a { color: red }"), ("b.html", ""), ("m.js", script)];
    let Some(dir) = copied_site(&files) else { return };
    dir.write("after/404.html", page("/docs/").as_bytes());
    let stdout = verify(&dir, &["--clicks", "2"]).status(0).stdout();
    assert!(stdout.contains("; different: 0"), "{stdout}");
}

#[test]
fn a_style_that_a_script_animates_is_no_difference() {
    let page = "<!DOCTYPE html><title>i</title><p>i</p><script>const p = document.querySelector('p'); \
                setInterval(() => { p.style.opacity = performance.now() % 997 / 997 }, 10)</script>";
    let Some(dir) = copied_site(&[("index.html", page)]) else { return };
    verify(&dir, &[]).status(0);
}

#[test]
fn a_style_that_a_script_fades_is_compared_at_its_end() {
    let page = "<!DOCTYPE html><title>i</title><p>a<p>b<p>c<p>d<p>e<script>const start = performance.now(), \
                all = document.querySelectorAll('p'), p = all[Math.floor(start * 10) % 5], fade = () => { \
                p.style.opacity = Math.min(1, (performance.now() - start) / 1500); \
                if (p.style.opacity < 1) setTimeout(fade, 10) }; fade()</script>";
    let Some(dir) = copied_site(&[("index.html", page)]) else { return };
    verify(&dir, &[]).status(0);
}

#[test]
fn a_link_that_is_as_before_names_the_url_that_it_should_have() {
    let made = "document.write('<a href=https://example.org/docs/b.html>b</a>')";
    let files = [
        ("index.html", "<!DOCTYPE html><title>i</title><script src=m.js></script>"),
        ("m.js", made),
        ("b.html", ""),
    ];
    let Some(dir) = copied_site(&files) else { return };
    let stdout = verify(&dir, &["--new-url", "https://new.example/"]).status(1).stdout();
    let expected = "before `https://example.org/docs/b.html` -> https://new.example/b.html\n";
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn a_page_that_rules_send_for_other_urls_is_opened_at_one() {
    let page = "<!DOCTYPE html><title>a</title><script src=/docs/app/app.js></script>";
    let files = [
        ("app/index.html", page),
        ("app/app.js", "document.write('<p>')"),
        ("_redirects", "/docs/app/* /docs/app/index.html 200\n"),
    ];
    let Some(dir) = copied_site(&files) else { return };
    damage(&dir, "app/index.html", "/docs/app/app.js", "app.js");
    let stdout = verify(&dir, &[]).status(1).stdout();
    let expected = "app/index.html: as the answer to app/no-such-folder/no-such-page: the script does not load: 404";
    assert!(stdout.contains(expected), "{stdout}");
}

#[test]
fn many_requests_of_one_script_are_one_difference() {
    let script = "for (const n of 'abcde') fetch(n + '.txt')";
    let page = "<!DOCTYPE html><title>i</title><script src=m.js></script>";
    let names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"];
    let mut files = vec![("index.html", page), ("m.js", script)];
    files.extend(names.map(|name| (name, "x")));
    let Some(dir) = copied_site(&files) else { return };
    damage(&dir, "m.js", "abcde", "");
    let stdout = verify(&dir, &[]).status(1).stdout();
    let expected =
        "the page no longer loads the file that a script asks for (4 more of this script)";
    assert_eq!(stdout.matches("that a script asks for").count(), 1, "{stdout}");
    assert!(stdout.contains(expected), "{stdout}");
}

/// A file with a page whose script asks for it without end until it is there.
const ENDLESS: &[(&str, &str)] = &[
    (
        "index.html",
        "<!DOCTYPE html><title>i</title><script>for (;;) { const ask = new XMLHttpRequest\n\
         ask.open('GET', 'data.txt', false); ask.send(); if (ask.status === 200) break }</script>",
    ),
    ("data.txt", "x"),
];

#[test]
fn a_page_that_loads_only_before_is_a_difference() {
    let Some(dir) = copied_site(ENDLESS) else { return };
    std::fs::remove_file(dir.path("after/data.txt")).unwrap();
    let stdout = verify(&dir, &["--page-timeout=6"]).status(1).stdout();
    for expected in [
        "index.html: the file that a script asks for does not load: 404 Not Found",
        "index.html: the page does not load within 6 s\n",
    ] {
        assert!(stdout.contains(expected), "{stdout}");
    }
    assert!(stdout.contains("different: 1\n"), "{stdout}");
}

#[test]
fn a_page_that_does_not_load_before_is_an_error() {
    let Some(dir) = copied_site(ENDLESS) else { return };
    std::fs::remove_file(dir.path("site/data.txt")).unwrap();
    let stderr = verify(&dir, &["--page-timeout=2"]).status(2).stderr();
    let expected = "index.html: in BEFORE: the page did not load within 2 s";
    assert!(stderr.contains(expected), "{stderr}");
}

/// As the search of rustdoc, which sends its form if a script is missing: the page that follows does the same.
#[test]
fn a_page_that_loads_again_and_again_after_a_click_is_a_difference() {
    let page = "<!DOCTYPE html><title>i</title><form><input name=search></form><a href=?>search</a>\
                <script src=s.js></script>";
    let script = "const load = () => { const script = document.createElement('script')\n\
                  script.src = 'search.js'; script.onerror = () => document.forms[0].submit()\n\
                  document.head.append(script) }\n\
                  if (location.search) load()\n\
                  document.querySelector('a').onclick = event => { event.preventDefault(); load() }";
    let files = [("index.html", page), ("s.js", script), ("search.js", "document.title = 's'")];
    let Some(dir) = copied_site(&files) else { return };
    std::fs::remove_file(dir.path("after/search.js")).unwrap();
    let stdout = verify(&dir, &["--page-timeout=6"]).status(1).stdout();
    for expected in [
        "index.html: the script does not load: 404 Not Found",
        "index.html: after following link 1, a \"search\": the page does not load within 6 s\n",
    ] {
        assert!(stdout.contains(expected), "{stdout}");
    }
}
