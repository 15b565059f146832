//! Compressed pages, the real binary on real directories.

use std::fs;

use rehref::coding::{Coding, Compressor, DECODED_LIMIT, Effort, decode};

use crate::support::TestDir;

const PAGE: &str = "<p><a href=b.html#x>b</a> <a href='#top'>top</a> <img src=/i.png>";

/// How gzip, brotli and zstd compress, as learned from the smallest of their kind.
fn compressor(coding: Coding) -> Compressor {
    let empty: &[u8] = match coding {
        Coding::Gzip => &[
            0x1F, 0x8B, 8, 0, 1, 2, 3, 4, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        ],
        Coding::Brotli => &[0x3B],
        Coding::Zstd => &[0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0],
        Coding::Deflate => unreachable!(),
    };
    decode(coding, empty, 0).unwrap().1
}

const CODINGS: [(&str, Coding); 3] = [
    ("gz", Coding::Gzip),
    ("br", Coding::Brotli),
    ("zst", Coding::Zstd),
];

pub(crate) fn compress(coding: Coding, text: &str) -> Vec<u8> {
    let compressor = compressor(coding);
    compressor.encode(text.as_bytes(), Effort::Quick).unwrap()
}

fn decompress(coding: Coding, bytes: &[u8]) -> String {
    let (decoded, _) = decode(coding, bytes, DECODED_LIMIT).unwrap();
    String::from_utf8(decoded).unwrap()
}

fn site() -> TestDir {
    let dir = TestDir::with_site(&[("a.html", PAGE), ("b.html", "<p id=x>"), ("c.txt", "c")]);
    for (suffix, coding) in CODINGS {
        dir.write(&format!("site/a.html.{suffix}"), &compress(coding, PAGE));
        dir.write(
            &format!("site/b.html.{suffix}"),
            &compress(coding, "<p id=x>"),
        );
    }
    let svg = compress(
        Coding::Gzip,
        "<svg xmlns='http://www.w3.org/2000/svg'><a href='x.svgz'/></svg>",
    );
    dir.write("site/logo.svgz", &svg);
    dir.write(
        "site/alone.css.br",
        &compress(Coding::Brotli, "a { b: url(i.png) }"),
    );
    dir
}

const URL: [&str; 2] = ["--url", "https://example.org/s/"];

#[test]
fn pages_and_their_compressed_twins_stay_equal() {
    let dir = site();
    let run = dir
        .rehref(
            &[
                &[
                    "absolute",
                    "site",
                    "-o",
                    "out",
                    "--compressed",
                    "-q",
                    "--verify",
                ],
                &URL[..],
            ]
            .concat(),
        )
        .status(0);
    assert_eq!(run.stderr(), "");
    let page = dir.read("out/a.html");
    assert_eq!(
        page,
        "<p><a href=https://example.org/s/b.html#x>b</a> <a href='https://example.org/s/a.html#top'>top</a> \
         <img src=https://example.org/i.png>"
    );
    for (suffix, coding) in CODINGS {
        let bytes = fs::read(dir.path(&format!("out/a.html.{suffix}"))).unwrap();
        assert_eq!(decompress(coding, &bytes), page, "{suffix}");
        let read = |folder| fs::read(dir.path(&format!("{folder}/b.html.{suffix}"))).unwrap();
        assert_eq!(
            read("out"),
            read("site"),
            "what does not change keeps its bytes"
        );
    }
    let svg = fs::read(dir.path("out/logo.svgz")).unwrap();
    assert!(decompress(Coding::Gzip, &svg).contains("href='https://example.org/s/x.svgz'"));
    let css = fs::read(dir.path("out/alone.css.br")).unwrap();
    let css = decompress(Coding::Brotli, &css);
    assert_eq!(css, "a { b: url(https://example.org/s/i.png) }");
    // The time in the header of gzip stays.
    assert_eq!(
        fs::read(dir.path("out/a.html.gz")).unwrap()[4..8],
        [1, 2, 3, 4]
    );
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
    let run = dir
        .rehref(&[&["absolute", "site", "-o", "out"], &URL[..]].concat())
        .status(0);
    let note = "note: 8 compressed pages skipped; --compressed includes them\n";
    assert!(run.stderr().contains(note), "{}", run.stderr());
    for name in ["a.html.gz", "a.html.br", "logo.svgz"] {
        let read = |folder| fs::read(dir.path(&format!("{folder}/{name}"))).unwrap();
        assert_eq!(read("out"), read("site"));
    }
    let run = dir
        .rehref(&[
            "absolute",
            "site",
            "--dry-run",
            "--report",
            "json",
            "-q",
            "--exclude",
            "a.html*",
        ])
        .status(0);
    assert!(
        run.stdout().contains("\"compressed_skipped\": 5"),
        "{}",
        run.stdout()
    );
}

#[test]
fn in_place_and_shown_only() {
    let dir = site();
    let arguments = [
        &[
            "absolute",
            "site",
            "--compressed",
            "-q",
            "--include",
            "a.html.gz",
        ],
        &URL[..],
    ];
    let run = dir
        .rehref(&[&arguments.concat()[..], &["--diff"]].concat())
        .status(1);
    assert_eq!(
        run.stdout(),
        "Binary files a/a.html.gz and b/a.html.gz differ\n"
    );
    dir.rehref(&[&arguments.concat()[..], &["--in-place"]].concat())
        .status(0);
    let bytes = fs::read(dir.path("site/a.html.gz")).unwrap();
    assert!(decompress(Coding::Gzip, &bytes).contains("https://example.org/s/b.html#x"));
    assert_eq!(dir.read("site/a.html"), PAGE);
}

#[test]
fn what_is_damaged_is_kept_and_told() {
    let dir = TestDir::with_site(&[("a.html.gz", PAGE), ("b.html.br", "\0\0\0")]);
    let run = dir
        .rehref(
            &[
                &["absolute", "site", "-o", "out", "--compressed", "-q"],
                &URL[..],
            ]
            .concat(),
        )
        .status(2);
    for name in ["a.html.gz", "b.html.br"] {
        let said = format!("error: {name}: the compressed bytes are damaged");
        assert!(run.stderr().contains(&said), "{}", run.stderr());
        assert_eq!(
            dir.read(&format!("out/{name}")),
            dir.read(&format!("site/{name}"))
        );
    }
}

#[test]
fn a_bomb_is_refused() {
    let dir = TestDir::new();
    let zeros = vec![b' '; DECODED_LIMIT + 1];
    let bomb = compressor(Coding::Zstd)
        .encode(&zeros, Effort::Quick)
        .unwrap();
    dir.write("site/a.html.zst", &bomb);
    let run = dir
        .rehref(
            &[
                &["absolute", "site", "-o", "out", "--compressed", "-q"],
                &URL[..],
            ]
            .concat(),
        )
        .status(2);
    assert_eq!(
        run.stderr(),
        "error: a.html.zst: decompressed, it is larger than 256 MiB; skipped\n"
    );
}

#[test]
fn they_are_audited_and_listed_when_asked_for() {
    let dir = TestDir::new();
    dir.write(
        "site/a.html.gz",
        &compress(Coding::Gzip, "<p>\n<a href=gone.html>"),
    );
    let run = dir.rehref(&["audit", "site", "-q"]).status(0);
    assert!(run.stdout().starts_with("No findings in 0 documents"));
    let run = dir
        .rehref(&["audit", "site", "-q", "--compressed"])
        .status(1);
    assert!(
        run.stdout()
            .starts_with("site/a.html.gz:2:9: error: no such file"),
        "{}",
        run.stdout()
    );
    let run = dir
        .rehref(&["links", "site", "-q", "--compressed"])
        .status(0);
    assert!(
        run.stdout()
            .contains("\"base\":\"http://rehref.invalid/a.html\""),
        "{}",
        run.stdout()
    );
    let run = dir
        .rehref(&["audit", "site", "--compressed", "--fix", "--diff"])
        .status(2);
    assert!(
        run.stderr()
            .contains("--fix does not change compressed pages")
    );
}

#[test]
fn they_follow_moves() {
    let dir = site();
    dir.rehref(&[
        "move",
        "site",
        "-o",
        "out",
        "b.html=d/b.html",
        "--compressed",
        "-q",
    ])
    .status(0);
    let page = dir.read("out/a.html");
    assert!(page.contains("href=d/b.html#x"), "{page}");
    let bytes = fs::read(dir.path("out/a.html.br")).unwrap();
    assert_eq!(decompress(Coding::Brotli, &bytes), page);
}
