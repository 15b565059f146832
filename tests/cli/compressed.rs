//! Compressed pages, the real binary on real directories.

use std::fs;
use std::io::{self, Read};

use brotli::enc::BrotliEncoderParams;
use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};

use crate::support::TestDir;

const PAGE: &str = "<p><a href=b.html#x>b</a> <a href='#top'>top</a> <img src=/i.png>";

#[derive(Clone, Copy)]
pub(crate) enum Coding {
    Gzip,
    Brotli,
    Zstd,
}

const CODINGS: [(&str, Coding); 3] =
    [("gz", Coding::Gzip), ("br", Coding::Brotli), ("zst", Coding::Zstd)];

pub(crate) fn compress(coding: Coding, text: &str) -> Vec<u8> {
    let (mut bytes, mut text) = (Vec::new(), text.as_bytes());
    match coding {
        Coding::Gzip => {
            let encoder = GzBuilder::new().mtime(0x0403_0201);
            let mut encoder = encoder.read(text, Compression::fast());
            encoder.read_to_end(&mut bytes).unwrap();
        }
        Coding::Brotli => {
            let parameters = BrotliEncoderParams::default();
            brotli::BrotliCompress(&mut text, &mut bytes, &parameters).unwrap();
        }
        Coding::Zstd => bytes = zstd::encode_all(text, 1).unwrap(),
    }
    bytes
}

fn decompress(coding: Coding, bytes: &[u8]) -> String {
    let mut text = String::new();
    match coding {
        Coding::Gzip => GzDecoder::new(bytes).read_to_string(&mut text),
        Coding::Brotli => brotli::Decompressor::new(bytes, 4096).read_to_string(&mut text),
        Coding::Zstd => zstd::Decoder::new(bytes).unwrap().read_to_string(&mut text),
    }
    .unwrap();
    text
}

fn site() -> TestDir {
    let dir = TestDir::with_site(&[("a.html", PAGE), ("b.html", "<p id=x>"), ("c.txt", "c")]);
    for (suffix, coding) in CODINGS {
        dir.write(&format!("site/a.html.{suffix}"), &compress(coding, PAGE));
        dir.write(&format!("site/b.html.{suffix}"), &compress(coding, "<p id=x>"));
    }
    let svg =
        compress(Coding::Gzip, "<svg xmlns='http://www.w3.org/2000/svg'><a href='x.svgz'/></svg>");
    dir.write("site/logo.svgz", &svg);
    dir.write("site/alone.css.br", &compress(Coding::Brotli, "a { b: url(i.png) }"));
    dir
}

const URL: [&str; 2] = ["--url", "https://example.org/s/"];

#[test]
fn pages_and_their_compressed_twins_stay_equal() {
    let dir = site();
    let run = dir
        .rehref(
            &[&["absolute", "site", "-o", "out", "--compressed", "-q", "--verify"], &URL[..]]
                .concat(),
        )
        .status(0);
    assert_eq!(run.stderr(), "");
    let page = dir.read("out/a.html");
    assert_eq!(
        page,
        "<p><a href=https://example.org/s/b.html#x>b</a> <a href='#top'>top</a> \
         <img src=https://example.org/i.png>"
    );
    for (suffix, coding) in CODINGS {
        let bytes = fs::read(dir.path(&format!("out/a.html.{suffix}"))).unwrap();
        assert_eq!(decompress(coding, &bytes), page, "{suffix}");
        let read = |folder| fs::read(dir.path(&format!("{folder}/b.html.{suffix}"))).unwrap();
        assert_eq!(read("out"), read("site"), "what does not change keeps its bytes");
    }
    let svg = fs::read(dir.path("out/logo.svgz")).unwrap();
    assert!(decompress(Coding::Gzip, &svg).contains("href='https://example.org/s/x.svgz'"));
    let css = fs::read(dir.path("out/alone.css.br")).unwrap();
    let css = decompress(Coding::Brotli, &css);
    assert_eq!(css, "a { b: url(https://example.org/s/i.png) }");
    // The time in the header of gzip stays.
    assert_eq!(fs::read(dir.path("out/a.html.gz")).unwrap()[4..8], [1, 2, 3, 4]);
}

#[test]
fn and_back_again() {
    let dir = site();
    for (command, from, to) in [("absolute", "site", "out"), ("relative", "out", "back")] {
        dir.rehref(&[&[command, from, "-o", to, "--compressed", "-q"], &URL[..]].concat())
            .status(0);
    }
    let page = dir.read("back/a.html");
    for (suffix, coding) in CODINGS {
        let bytes = fs::read(dir.path(&format!("back/a.html.{suffix}"))).unwrap();
        assert_eq!(decompress(coding, &bytes), page, "{suffix}");
    }
}

#[test]
fn without_the_option_they_are_left_and_counted() {
    let dir = site();
    let run = dir.rehref(&[&["absolute", "site", "-o", "out"], &URL[..]].concat()).status(0);
    let note = "note: 8 compressed pages skipped: a.html.br, a.html.gz, a.html.zst and 5 more\nhelp: to include compressed pages, add --compressed\n";
    assert!(run.stderr().contains(note), "{}", run.stderr());
    for name in ["a.html.gz", "a.html.br", "logo.svgz"] {
        let read = |folder| fs::read(dir.path(&format!("{folder}/{name}"))).unwrap();
        assert_eq!(read("out"), read("site"));
    }
    let run = dir
        .rehref(&[
            "absolute", "site", "--url", URL[1], "--dry-run", "--format", "json", "-q",
            "--exclude", "a.html*",
        ])
        .status(0);
    assert!(run.stdout().contains("\"compressed_skipped\": 5"), "{}", run.stdout());
}

#[test]
fn in_place_and_shown_only() {
    let dir = site();
    let arguments =
        [&["absolute", "site", "--compressed", "-q", "--include", "a.html.gz"], &URL[..]];
    let run = dir.rehref(&[&arguments.concat()[..], &["--diff"]].concat()).status(0);
    assert_eq!(run.stdout(), "Binary files a/a.html.gz and b/a.html.gz differ\n");
    dir.rehref(&[&arguments.concat()[..], &["--in-place"]].concat()).status(0);
    let bytes = fs::read(dir.path("site/a.html.gz")).unwrap();
    assert!(decompress(Coding::Gzip, &bytes).contains("https://example.org/s/b.html#x"));
    assert_eq!(dir.read("site/a.html"), PAGE);
}

#[test]
fn what_is_damaged_is_kept_and_told() {
    let dir = TestDir::with_site(&[("a.html.gz", PAGE), ("b.html.br", "\0\0\0")]);
    let run = dir
        .rehref(&[&["absolute", "site", "-o", "out", "--compressed", "-q"], &URL[..]].concat())
        .status(2);
    for name in ["a.html.gz", "b.html.br"] {
        let said = format!("error: {name}: the compressed data is damaged");
        assert!(run.stderr().contains(&said), "{}", run.stderr());
        assert_eq!(dir.read(&format!("out/{name}")), dir.read(&format!("site/{name}")));
    }
}

#[test]
fn a_bomb_is_refused() {
    let dir = TestDir::new();
    let spaces = io::repeat(b' ').take((17 << 20) + 1);
    let bomb = zstd::encode_all(spaces, 1).unwrap();
    assert!(bomb.len() < 10_000);
    dir.write("site/a.html.zst", &bomb);
    let run = dir
        .rehref(&[&["absolute", "site", "-o", "out", "--compressed", "-q"], &URL[..]].concat())
        .status(2);
    assert_eq!(
        run.stderr(),
        "error: a.html.zst: the decompressed data is larger than 16 MiB; skipped\n"
    );
}

#[test]
fn they_are_audited_and_listed_when_asked_for() {
    let dir = TestDir::new();
    dir.write("site/a.html.gz", &compress(Coding::Gzip, "<p>\n<a href=gone.html>"));
    let run = dir.rehref(&["audit", "site", "-q", "--allow-empty"]).status(0);
    assert!(run.stdout().starts_with("No findings in 0 documents"));
    let run = dir.rehref(&["audit", "site", "-q", "--compressed"]).status(1);
    assert!(
        run.stdout().starts_with("site/a.html.gz:2:9: error: broken link: "),
        "{}",
        run.stdout()
    );
    let run = dir.rehref(&["links", "site", "-q", "--compressed"]).status(0);
    assert!(run.stdout().contains("\"base\":\"/a.html\""), "{}", run.stdout());
    let run = dir.rehref(&["audit", "site", "--compressed", "--fix", "--diff"]).status(2);
    assert!(run.stderr().contains("--fix does not change compressed pages"));
}

#[test]
fn they_follow_moves() {
    let dir = site();
    dir.rehref(&["move", "site", "-o", "out", "b.html=d/b.html", "--compressed", "-q"]).status(0);
    let page = dir.read("out/a.html");
    assert!(page.contains("href=d/b.html#x"), "{page}");
    let bytes = fs::read(dir.path("out/a.html.br")).unwrap();
    assert_eq!(decompress(Coding::Brotli, &bytes), page);
}

#[test]
fn a_report_shows_the_lines_of_a_compressed_page() {
    let dir = TestDir::with_site(&[]);
    let page = compress(Coding::Gzip, "<p>\n<a href=gone.html>");
    dir.write("site/a.html.gz", &page);
    let run = dir.rehref(&["audit", "site", "--compressed"]).status(1);
    let expected = "2 | <a href=gone.html>\n";
    assert!(run.stdout().contains(expected), "{}", run.stdout());
}
