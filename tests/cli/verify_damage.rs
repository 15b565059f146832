//! `rehref verify` reports every damage that is planted in rewritten trees.

use std::collections::BTreeSet;
use std::path::Path;

use crate::damage::{Damage, Tree, kinds, plant};
use crate::planted::random::Random;
use crate::support::{TestDir, copy_tree, tree, variable};
use crate::zip::{Method, unzip, zip};

const URL: &str = "https://example.org/docs/";

/// How many damages are planted; `REHREF_DAMAGES` says otherwise.
const DAMAGES: usize = 300;

/// Pages with what the sample site lacks: digests, a `base` that stays, data in plain text.
const MORE_FILES: &[(&str, &str)] = &[
    (
        "tides/index.html",
        "<!DOCTYPE html>\n<html lang=\"en\"><head>\n<title>Tides</title>\n\
         <link rel=\"canonical\" href=\"https://example.org/docs/tides/index.html\">\n\
         <link rel=\"stylesheet\" href=\"lamp.css\" integrity=\"sha384-sQq3tZDQcfF66r6MekAoJJdz5prs/Xx2PhIwOZ5EBKO+/8/TAOh1MCaANO+cMC0U\">\n\
         <script type=\"module\" src=\"tide.js\" integrity=\"sha384-3KJT+Tn78z4HYHBzxBmytXDEHS23gCqy+FkKq/4R3bRieeWD0e8ivW/U24IQvett\"></script>\n\
         <style>h1 { background: url(\"../images/sky.gif\") }</style>\n</head>\n\
         <!-- The tables come from the harbour. -->\n\
         <body class=\"tides\"><h1 id=\"high\">High &amp; low</h1>\n\
         <p>See the <a href=\"../visit/tickets.html#prices\">prices</a> and <a href=\"rock.html?from=here\">the rock</a>.</p>\n\
         <img src=\"../images/sky.gif\" srcset=\"../images/sky.gif 1x, https://img.example.net/sky.gif 2x\" alt=\"The sky\">\n\
         <iframe srcdoc=\"<a href='../news/index.html'>News</a>\"></iframe>\n</body></html>\n",
    ),
    (
        "tides/rock.html",
        "<!DOCTYPE html>\n<html><head><base href=\"../news/\">\n<script>go(\"index.html\")</script>\n</head>\n\
         <body><p><a href=\"index.html\">News</a>, <a href=\"../tides/index.html#high\">tides</a></p>\n</body></html>\n",
    ),
    ("tides/lamp.css", ".lamp { background: url(../images/sky.gif) }\n"),
    ("tides/tide.js", "export const tide = \"high\";\n"),
    (
        "sitemap.xml",
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n\
         <url><loc>https://example.org/docs/tides/index.html</loc></url>\n\
         <url><loc>https://example.org/docs/news/index.html</loc></url>\n</urlset>\n",
    ),
    (
        "feed.xml",
        "<rss><channel><title>Tides</title><link>https://example.org/docs/tides/</link></channel></rss>\n",
    ),
    (
        "calendar.php?month=5",
        "<!DOCTYPE html>\n<html lang=\"en\"><head>\n<title>May</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n\
         <!-- Saved by a mirroring tool under the name that the query gave it. -->\n\
         <body><p>4 May: <a href=\"tides/index.html\">tides</a>, <a href=\"visit/tickets.html\">tickets</a> from 6 &euro;.</p>\n\
         <p><a href=\"#\">Top</a> <a href=\"calendar.php%3Fmonth=5\">May</a> <a href=\".\">Home</a></p>\n</body></html>\n",
    ),
    ("_redirects", "/old/* /docs/tides/:splat 301\n/docs/gone /docs/news/index.html 302\n"),
    ("data.yml", "title: Tides\npages:\n  - tides/index.html\n"),
    ("data.json", "{\"title\": \"Tides\", \"pages\": [\"tides/index.html\"]}\n"),
    ("site.webmanifest", "{\"name\": \"Tides\", \"start_url\": \"tides/index.html\"}\n"),
];

/// The rewritings, with the options that verify their output.
const REWRITINGS: &[(&str, &[&str], &[&str])] = &[
    ("absolute", &[], &[]),
    ("relative", &[], &[]),
    ("relative", &["--offline"], &["--offline"]),
    ("move", &["--map", "moves"], &["--map", "moves"]),
];

struct Rewritten {
    directory: TestDir,
    tree: Tree,
    verify: Vec<&'static str>,
}

impl Rewritten {
    fn new((command, options, verifying): &(&str, &'static [&str], &'static [&str])) -> Rewritten {
        let directory = TestDir::new();
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site");
        copy_tree(&sample, &directory.path("site"));
        for (path, contents) in MORE_FILES {
            directory.write(&format!("site/{path}"), contents.as_bytes());
        }
        directory.write("moves", b"tides\tsea/tides\nstyle.css\tassets/main.css\n");
        let arguments = [command, "site", "-o", "out", "--url", URL];
        directory.rehref(&[&arguments, *options].concat()).status(0);
        let files = tree(&directory.path("out")).into_iter();
        let files = files.map(|(path, bytes)| (path.to_str().unwrap().to_owned(), bytes));
        let verify = ["verify", "site", "out", "--url", URL, "--format", "json"];
        Rewritten { tree: files.collect(), directory, verify: [&verify, *verifying].concat() }
    }

    /// The paths of the files in which `verify` reports a difference.
    fn different(&self) -> BTreeSet<String> {
        let run = self.directory.rehref(&self.verify);
        let stdout = run.stdout();
        let report: serde_json::Value = serde_json::from_str(&stdout).unwrap();
        let files = report["different"].as_array().unwrap().iter();
        let paths: BTreeSet<String> =
            files.map(|file| file["path"].as_str().unwrap().to_owned()).collect();
        run.status(i32::from(!paths.is_empty()));
        paths
    }

    /// Puts a damage into the tree, or takes it away.
    fn write<'d>(&self, files: impl Iterator<Item = (&'d str, Option<&'d Vec<u8>>)>) {
        for (path, bytes) in files {
            let path = format!("out/{path}");
            match bytes {
                Some(bytes) => self.directory.write(&path, bytes),
                None => {
                    let path = self.directory.path(&path);
                    std::fs::remove_file(&path).unwrap();
                    // A folder that the damage made.
                    if path.ends_with("zz/zz.css") {
                        std::fs::remove_dir(path.parent().unwrap()).unwrap();
                    }
                }
            }
        }
    }

    /// Plants the damages, each in files of its own, and returns those that `verify` does not report.
    fn missed<'d>(&self, damages: &'d [Damage]) -> impl Iterator<Item = &'d Damage> {
        let damaged = damages.iter().flat_map(|damage| &damage.files);
        self.write(damaged.map(|(path, bytes)| (path.as_str(), bytes.as_ref())));
        let found = self.different();
        let paths = damages.iter().flat_map(Damage::paths);
        self.write(paths.map(|path| (path, self.tree.get(path))));
        let is_reported = move |damage: &Damage| damage.paths().all(|path| found.contains(path));
        damages.iter().filter(move |damage| !is_reported(damage))
    }
}

#[test]
fn every_planted_damage_is_reported() {
    let trees: Vec<Rewritten> = REWRITINGS.iter().map(Rewritten::new).collect();
    for rewritten in &trees {
        assert_eq!(rewritten.different(), BTreeSet::new());
    }
    let kinds: Vec<_> = kinds().collect();
    let shown = |round: usize, damage: &Damage| {
        let paths: Vec<&str> = damage.paths().collect();
        format!("round {round}: {}: {paths:?}", damage.kind)
    };
    let damages = variable("REHREF_DAMAGES", DAMAGES as u64) as usize;
    let mut planted = BTreeSet::new();
    let mut count = 0;
    let mut missed = Vec::new();
    for round in 0.. {
        let rewritten = &trees[round % trees.len()];
        let mut together: Vec<Damage> = Vec::new();
        for (number, kind) in kinds.iter().enumerate() {
            let mut random = Random::new((round * kinds.len() + number) as u64);
            // Not every tree has a place for every damage.
            let Some(damage) = plant(*kind, &rewritten.tree, &mut random) else { continue };
            count += 1;
            planted.insert(damage.kind);
            let meets =
                |other: &Damage| damage.paths().any(|it| other.paths().any(|its| it == its));
            if together.iter().any(meets) {
                missed.extend(rewritten.missed(&together).map(|it| shown(round, it)));
                together.clear();
            }
            together.push(damage);
        }
        missed.extend(rewritten.missed(&together).map(|it| shown(round, it)));
        if count >= damages {
            break;
        }
    }
    for rewritten in &trees {
        assert_eq!(rewritten.different(), BTreeSet::new());
    }
    println!("{count} damages, {} missed", missed.len());
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
    assert_eq!(planted.len(), kinds.len(), "every kind is planted");
}

/// A WACZ file with an archive of pages, whose headers and records have all that a crawler writes, and with the other
/// entries of such files.
fn wacz() -> Vec<u8> {
    let page = |url: &str, headers: &str, body: &str| {
        let block = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{headers}Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{:08x}-58e4-44f0-b8d2-e4bb1d2ea4b2>\r\n\
             WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Target-URI: {url}\r\nWARC-IP-Address: 192.0.2.1\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            url.len() * 7919,
            block.len()
        )
    };
    let records = [
        page(
            "https://h.example/",
            "Set-Cookie: session=abc; Path=/\r\nX-Frame-Options: deny\r\n",
            "<title>Home</title><a href=guide/>Guide</a><img src=/sky.png>",
        ),
        page(
            "https://h.example/guide/",
            "Location: /guide/\r\nLink: </s.css>; rel=preload\r\n",
            "<p>A <a href=\"../#top\">way</a> back, a <a href=page.html?q=x>page</a></p>",
        ),
        page(
            "https://h.example/guide/page.html",
            "",
            "<script>go('there')</script><style>p { background: url(sky.png) }</style>",
        ),
    ];
    let archive = records.concat();
    let index = format!(
        "com,example,h)/ 20260102030405 {{\"url\": \"https://h.example/\", \"mime\": \"text/html\", \"status\": \"200\", \
         \"length\": \"{}\", \"offset\": \"0\", \"filename\": \"data.warc\"}}\n",
        records[0].len()
    );
    zip(&[
        ("archive/data.warc", Method::Stored, archive.as_bytes()),
        ("indexes/index.cdxj", Method::Stored, index.as_bytes()),
        ("pages/pages.jsonl", Method::Deflated, b"{\"format\": \"json-pages-1.0\", \"id\": \"pages\"}\n{\"id\": \"one\", \"url\": \"https://h.example/\", \"title\": \"Home\"}\n"),
        ("fuzzy.json", Method::Deflated, b"{\"rules\": [\"any\"]}"),
    ])
}

#[test]
fn every_planted_damage_of_an_archive_is_reported() {
    let dir = TestDir::new();
    dir.write("before.wacz", &wacz());
    dir.rehref(&["absolute", "before.wacz", "-o", "after.wacz"]).status(0);
    dir.rehref(&["verify", "before.wacz", "after.wacz"]).status(0);
    let entries = unzip(&std::fs::read(dir.path("after.wacz")).unwrap());
    let mut missed = Vec::new();
    let damages = variable("REHREF_DAMAGES", DAMAGES as u64) / 4;
    for seed in 0..damages {
        let mut random = Random::new(seed);
        let mut damaged = entries.clone();
        // Most bytes are of archives.
        let entry = match random.below(2) {
            0 => 0,
            _ => random.below(entries.len()),
        };
        let (name, _, bytes) = &mut damaged[entry];
        let letters: Vec<usize> =
            (0..bytes.len()).filter(|at| bytes[*at].is_ascii_alphanumeric()).collect();
        let at = letters[random.below(letters.len())];
        let old = bytes[at];
        bytes[at] = match old {
            b'z' => b'a',
            b'Z' => b'A',
            b'9' => b'0',
            old => old + 1,
        };
        let around =
            String::from_utf8_lossy(&bytes[at.saturating_sub(30)..(at + 20).min(bytes.len())])
                .into_owned();
        let place = format!("{name}: {around:?}");
        let file: Vec<(&str, Method, &[u8])> = damaged
            .iter()
            .map(|(name, _, bytes)| (name.as_str(), Method::Stored, bytes.as_slice()))
            .collect();
        dir.write("damaged.wacz", &zip(&file));
        let run = dir.rehref(&["verify", "before.wacz", "damaged.wacz"]);
        if run.code() == Some(0) {
            missed.push(place);
        }
    }
    println!("{damages} damages, {} missed", missed.len());
    assert_eq!(missed, [""; 0]);
}
