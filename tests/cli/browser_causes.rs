//! The ways in which links break on pages that scripts run, each planted in a tiny site: `rehref verify --browser` finds
//! it. Without a Chromium, skipped.

use rayon::prelude::*;

use crate::browser::copied_site;

const URL: &str = "https://example.org/docs/";

/// The difference of the new tree from the site.
enum Planted {
    /// In one file, this text is another.
    Damage(&'static str, &'static str, &'static str),
    /// By a move whose links are right, but for those that scripts make.
    Move(&'static [&'static str]),
}
use Planted::{Damage, Move};

struct Cause {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    planted: Planted,
    /// A part of what is found.
    found: &'static str,
}

const CAUSES: &[Cause] = &[
    Cause {
        name: "a script compares its own src",
        files: &[
            (
                "index.html",
                "<!DOCTYPE html><title>i</title><p>i<script src=/docs/_next/app.js></script>",
            ),
            (
                "_next/app.js",
                "if (document.currentScript.getAttribute('src').startsWith('/docs/_next/')) document.body.append(\
                 document.createElement('b'))",
            ),
        ],
        planted: Damage("index.html", "/docs/_next/", "_next/"),
        found: "index.html: 1 element of the live page missing in the new tree",
    },
    Cause {
        name: "a router has paths without the base path",
        files: &[
            (
                "index.html",
                "<!DOCTYPE html><title>i</title><a href=b.html>b</a><p>i<script src=app.js></script>",
            ),
            ("b.html", "<!DOCTYPE html><title>b</title><p>b"),
            (
                "app.js",
                "const routes = { '/b.html': 'b', '/': 'i' }\n\
                 onclick = event => { const link = event.target.closest('a'); if (!link) return\n\
                 event.preventDefault(); history.pushState(0, '', link.href)\n\
                 document.body.append(document.createElement(routes[link.pathname.slice(5)] || 'h1')) }",
            ),
        ],
        planted: Move(&["b.html=c/b.html"]),
        found: "index.html: after following link 1, a \"b\": 1 element of the live page",
    },
    Cause {
        name: "a page is sent for any URL",
        files: &[
            (
                "app/index.html",
                "<!DOCTYPE html><title>a</title><script src=/docs/app/app.js></script>",
            ),
            ("app/app.js", "document.write('<p>')"),
            ("_redirects", "/docs/app/* /docs/app/index.html 200\n"),
        ],
        planted: Damage("app/index.html", "/docs/app/app.js", "app.js"),
        found: "as the answer to app/no-such-folder/no-such-page: the script does not load",
    },
    Cause {
        name: "an in-page link becomes a URL",
        files: &[
            (
                "index.html",
                "<!DOCTYPE html><title>i</title><a href=#more data-toggle=x>more</a><p id=more hidden>m</p><script src=t.js></script>",
            ),
            (
                "t.js",
                "onclick = event => { event.preventDefault()\n\
                 document.querySelector(event.target.getAttribute('href')).hidden ^= 1 }",
            ),
        ],
        planted: Damage("index.html", "#more", "https://example.org/docs/#more"),
        found: "index.html: new error on the console: Uncaught SyntaxError: ",
    },
    Cause {
        name: "links stay on the page when a script changes its URL",
        files: &[
            (
                "index.html",
                "<!DOCTYPE html><title>i</title><nav><a href=/docs/guide/a.html>a</a> <a href=/docs/b.html>b</a></nav>\
                 <script src=/docs/go.js></script>",
            ),
            ("guide/a.html", "<!DOCTYPE html><title>a</title><p>a"),
            ("b.html", "<!DOCTYPE html><title>b</title><p>b"),
            (
                "go.js",
                "onclick = event => { const link = event.target.closest('nav a'); if (!link) return\n\
                 event.preventDefault(); history.pushState(0, '', link.href) }",
            ),
        ],
        planted: Damage("index.html", "/docs/b.html", "b.html"),
        found: "a \"b\" href: has a different target\n  before `https://example.org/docs/b.html`\n  \
                after  `https://example.org/docs/guide/b.html`",
    },
    Cause {
        name: "a script loads a piece of a page",
        files: &[
            (
                "index.html",
                "<!DOCTYPE html><title>i</title><nav></nav><script src=load.js></script>",
            ),
            ("parts/menu.html", "<a href=/docs/index.html>i</a>"),
            (
                "load.js",
                "fetch('/docs/parts/menu.html').then(it => it.text()).then(it => document.querySelector('nav').innerHTML = it)",
            ),
        ],
        planted: Damage("parts/menu.html", "/docs/index.html", "../index.html"),
        found: "index.html: a \"i\" href: has a different target",
    },
    Cause {
        name: "an attribute of a custom element holds a path",
        files: &[
            (
                "guide/a.html",
                "<!DOCTYPE html><title>a</title><my-nav root=../></my-nav><script src=../nav.js></script>",
            ),
            ("index.html", "<!DOCTYPE html><title>i</title>"),
            (
                "nav.js",
                "const nav = document.querySelector('my-nav')\n\
                 nav.innerHTML = `<a href=\"${nav.getAttribute('root')}index.html\">i</a>`",
            ),
        ],
        planted: Move(&["guide=moved/deeper/guide"]),
        found: "moved/deeper/guide/a.html: a \"i\" href: has a different target",
    },
    Cause {
        name: "a query holds a path",
        files: &[
            (
                "index.html",
                "<!DOCTYPE html><title>i</title><iframe src=show.html?text=media/a.txt></iframe>",
            ),
            (
                "show.html",
                "<!DOCTYPE html><title>s</title><script>const name = new URLSearchParams(location.search).get('text')\n\
                 if (name) fetch(name)</script>",
            ),
            ("media/a.txt", "text"),
        ],
        planted: Move(&["media=files"]),
        found: "index.html: the file that a script asks for does not load: 404",
    },
    Cause {
        name: "a script joins a prefix and a name",
        files: &[
            (
                "guide/a.html",
                "<!DOCTYPE html><title>a</title><script>const name = 'b'; document.write('<img src=\"../img/' + name + '.svg\">')</script>",
            ),
            ("img/b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ],
        planted: Move(&["guide=moved/deeper/guide"]),
        found: "moved/deeper/guide/a.html: the image does not load: 404",
    },
    Cause {
        name: "a script knows the base path",
        files: &[
            ("index.html", "<!DOCTYPE html><title>i</title><p>i<script src=app.js></script>"),
            (
                "app.js",
                "const base = '/docs/'; document.body.append(document.createElement(location.pathname.startsWith(base) ? 'b' : 'h1'))",
            ),
        ],
        planted: Move(&["--new-url", "https://example.org/v2/"]),
        found: "index.html: 1 element of the live page missing in the new tree; the first: html > body > b",
    },
];

/// The findings in the new tree; `None` without a browser.
fn found(cause: &Cause) -> Option<String> {
    let dir = copied_site(cause.files)?;
    let mut verify = vec!["verify", "site", "after", "--url", URL, "--browser", "--no-sandbox"];
    verify.extend(["--clicks", "2", "--all", "--pages", "all"]);
    let same = dir.rehref(&verify).stdout();
    assert!(same.ends_with("; different: 0\n"), "{}: {same}", cause.name);
    match cause.planted {
        Damage(path, old, new) => {
            let path = format!("after/{path}");
            let damaged = dir.read(&path).replace(old, new);
            assert_ne!(damaged, dir.read(&path), "{}", cause.name);
            dir.write(&path, damaged.as_bytes());
        }
        Move(arguments) => {
            std::fs::remove_dir_all(dir.path("after")).unwrap();
            let moving = ["move", "site", "-o", "after", "--url", URL];
            dir.rehref(&[&moving, arguments].concat()).status(0);
            match arguments {
                ["--new-url", _] => verify.extend(arguments),
                [request] => {
                    let map = request.replace('=', "\t") + "\n";
                    dir.write("moves.tsv", map.as_bytes());
                    verify.extend(["--map", "moves.tsv"]);
                }
                _ => unreachable!("{}", cause.name),
            }
        }
    }
    Some(dir.rehref(&verify).status(1).stdout())
}

#[test]
fn each_cause_is_found() {
    let missed: Vec<String> = CAUSES
        .par_iter()
        .filter_map(|cause| {
            let stdout = found(cause)?;
            let is_found = stdout.contains(cause.found);
            (!is_found).then(|| format!("{}: no `{}` in\n{stdout}", cause.name, cause.found))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
