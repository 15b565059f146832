//! The scanner answers what the authority answers, or declines.
//!
//! Where the authority gives up, for the size of its tree, the scanner's answer counts as right: it
//! has no tree.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::html::raw::Wanted;
use crate::html::scanner::DeclineReason;
use crate::html::{authority, scanner};
use proptest::prelude::*;
use rayon::prelude::*;

use crate::fuzzing::Random;
use crate::fuzzing::engines::compare;
use crate::fuzzing::soup::{PIECES, mutated, soup};

use crate::test_data::{cases, conformance_path, corpora};

#[track_caller]
fn assert_same(html: &[u8]) -> Option<DeclineReason> {
    compare(html).unwrap_or_else(|difference| panic!("{difference}"))
}

/// The smallest that still differs, by leaving out pieces.
fn smallest(mut html: Vec<u8>) -> Vec<u8> {
    let mut size = html.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < html.len() {
            let mut shorter = html.clone();
            shorter.drain(at..(at + size).min(html.len()));
            if compare(&shorter).is_err() {
                html = shorter;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    html
}

#[track_caller]
fn check(html: Vec<u8>) {
    if compare(&html).is_err() {
        let html = smallest(html);
        panic!("{}", compare(&html).unwrap_err());
    }
}

#[test]
fn what_is_declined() {
    for (html, reason) in [
        ("&#32;<p>", DeclineReason::TextBeforeBody),
        ("<frameset>", DeclineReason::Frameset),
        ("<p><frameset>", DeclineReason::Frameset),
        ("<html lang=a><html lang=b>", DeclineReason::MergedAttributes),
        ("<body><p><body id=b>", DeclineReason::MergedAttributes),
        ("<select><table>", DeclineReason::ScopeInSelect),
        ("<table><select><input>", DeclineReason::SelectInTable),
        ("<p><svg></p><p><svg></div>", DeclineReason::EndTagInForeign),
        ("<svg><desc><li><li>", DeclineReason::HtmlInForeign),
        ("<svg><desc><a><a>", DeclineReason::HtmlInForeign),
        ("<math><annotation-xml>", DeclineReason::AnnotationXml),
        ("<svg><x-é>", DeclineReason::OddName),
        ("<svg><desc><x\0></x\u{FFFD}>", DeclineReason::HtmlInForeign),
        ("<p><base href=a><base href=b>", DeclineReason::OrderOutsideHead),
        ("<svg><foreignObject><svg></p>", DeclineReason::HtmlInForeign),
        (
            "<template><table><caption><meta charset=utf-8><tbody><meta charset=big5>",
            DeclineReason::OrderOutsideHead,
        ),
        (
            "<template><table><caption><meta name=generator content><tbody><meta name=generator content=&>",
            DeclineReason::OrderOutsideHead,
        ),
        ("<template><table><nobr id=a><caption></template><p>", DeclineReason::AnchorInTemplate),
        ("<p data-rehref-ignore>", DeclineReason::IgnoreMark),
    ] {
        assert_eq!(assert_same(html.as_bytes()), Some(reason), "{html}");
    }
    let deep = "<table><td>".repeat(300);
    assert_eq!(assert_same(deep.as_bytes()), Some(DeclineReason::Depth));
}

#[test]
fn what_is_answered() {
    for html in [
        "<!doctype html><title>a</title><p><a href=x>y",
        "<html lang=a><head><base href=b><meta charset=utf-8></head><body><a href=x>",
        "<table><tr><td background=b><table><td background=c></table><form action=f></table>",
        "<td background=b><form action=a><form action=b></form><form action=c>",
        "<svg><use xlink:href=#a /><a href=b><title>c</title></a></svg><a href=d>",
        "<svg><p><a href=x><math><mi><a href=y></a></mi></math>",
        "<svg><foreignObject><div><a href=x></a></div></foreignObject></svg>",
        "<svg><foreignObject><img src=x><br><style>a{b:url(x)}</style></foreignObject></svg>",
        "<template><tr><td background=b></template><base href=c>",
        "<noscript><link href=a><img src=b></noscript><base href=c>",
        "<noscript itemid=a><img src=b></noscript>",
        "<noscript><base href=a></noscript><base href=b>",
        "<noscript><base href=a><!-- </noscript> --><base href=b></noscript><base href=c>",
        "<p><noscript><base href=a><noscript><base href=b></noscript><base href=c>",
        "<svg><noscript><base href=a></noscript></svg><noscript><base href=b>",
        "<textarea><noscript></textarea><base href=a>",
        "<script></script><script type=module></script><svg><script></script></svg>",
        "<script type=text/template></script><style></style>",
        "<script><!--<script></script><a href=x></script><a href=y>",
        "<svg><style>a<b>c</style></svg><style>d</style>",
        "<p><plaintext><a href=x>",
        "<b><p></b><a href=x><p></a><a href=y><table><a href=z>",
        "<select><option><select><input src=a></select>",
        "<p id='a\0b'><a name=\"c\rd\" href=x>",
        // An end tag without a name is nothing, not even text.
        "</><head profile=x>",
        // Only in a head does a `noscript` ignore a `noscript`.
        "<head></head><noscript><noscript style=a>",
        "<head>x<noscript><noscript style=a>",
        "<noscript></noscript><noscript style=a>",
        "<noscript></x><noscript style=a>",
        "<p><body ><a href=x>",
        "<link charset=koi8-r>",
        "<p><meta name=generator content=a>",
        "<table><td></table><td background=x>",
        "<template><table></table><td background=x>",
        "<template><caption></table><form action=x>",
        "<template><td></tr><form action=x>",
        "<template><thead><tr></thead><col style=x>",
        "<template><tbody><select><thead><col style=x>",
        "<svg></p><a href=x>",
        "<svg><desc><span><a href=x></a></span></desc><use href=y /></svg>",
        "<svg><desc><x\0><a href=x></a></x\0></desc><use href=y /></svg>",
    ] {
        assert_eq!(assert_same(html.as_bytes()), None, "{html}");
    }
}

#[test]
fn depth_that_the_authority_refuses() {
    let deep = "<div><a href=x>".repeat(10_000);
    assert!(authority::find_values(deep.as_bytes(), 0, Wanted::VALUES).is_err());
    let found = scanner::find_values(deep.as_bytes(), 0, Wanted::VALUES);
    assert_eq!(found.map(|found| found.values.len()), Ok(10_000));
}

/// Beginnings, pieces and an end: of every three pieces between a beginning and the end, the tree decides which
/// links count.
type Pieces = (&'static [&'static str], &'static [&'static str], &'static str);

#[rustfmt::skip]
const TRIPLES: &[Pieces] = &[
    (
        &["<table>", "<table><tr><td>", "<table><caption>", "<template>", "<table><colgroup>"],
        &[
            "<table background=a>", "<tbody background=b>", "<tr background=c>", "<td background=d>",
            "<caption>", "<col>", "</table>", "</tbody>", "</tr>", "</td>", "</caption>", "</colgroup>",
            "<template>", "</template>", "<b>",
        ],
        "<td background=x><tr background=y><a href=z>",
    ),
    (
        &["<svg>", "<svg><desc>", "<math><mi>", "<p><svg>"],
        &[
            "<p>", "<a href=a>", "<xmp>", "<ruby>", "<font size=1>", "<desc>", "<svg>", "<mi>", "<br>",
            "</svg>", "</desc>", "</p>", "</br>", "</mi>", "</a>", "<use href=b />",
        ],
        "<use href=x /><a href=y><title><img src=z></title><![CDATA[<img src=w>]]>",
    ),
    (
        &["", "<head>", "<head><template>", "<noscript>"],
        &[
            "<base href=a>", "</head>", "<noscript>", "</noscript>", "<template>", "</template>", "</br>",
            "<p>", "<body background=b>", "</body>", "<html itemid=c>", "<style>", "</style>", " x",
        ],
        "<base href=y><img src=z>",
    ),
    (
        &["<!-", "<script><!--", "<svg><![CDATA[", "<!--x", "<title><!--"],
        &[
            "-", "->", "--", "!>", ">", "-->", "]", "]]", "]]>", "<script>", "</script>", "<img src=a>", "<!",
        ],
        "<img src=x>-->]]></script></title><img src=z>",
    ),
];

#[test]
fn three_pieces_in_every_order() {
    for (beginnings, pieces, end) in TRIPLES {
        let triples = pieces.len().pow(3);
        let declined: usize = (0..triples * beginnings.len())
            .into_par_iter()
            .map(|number| {
                let piece = |place: u32| pieces[number / pieces.len().pow(place) % pieces.len()];
                let beginning = beginnings[number / triples];
                let html = [beginning, piece(0), piece(1), piece(2), end].concat();
                usize::from(assert_same(html.as_bytes()).is_some())
            })
            .sum();
        let all = triples * beginnings.len();
        assert!(declined * 3 < all * 2, "{declined} of {all} are declined");
    }
}

/// The inputs of a file of tests of tree construction.
fn inputs(data: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(data).into_owned();
    let tests = text.split("#data\n").skip(1);
    tests.filter_map(|test| Some(test.split_once("\n#errors")?.0.as_bytes().to_vec())).collect()
}

#[test]
fn html5lib_tests() {
    let Some(suite) = conformance_path("html5lib-tests") else { return };
    let mut all = Vec::new();
    for entry in walkdir::WalkDir::new(&suite).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("dat") => all.extend(inputs(&fs::read(&path).unwrap())),
            Some("test") => {
                let text = fs::read(&path).unwrap();
                let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
                for test in json["tests"].as_array().into_iter().flatten() {
                    all.extend(test["input"].as_str().map(|input| input.as_bytes().to_vec()));
                }
            }
            _ => {}
        }
    }
    let mut declined = 0;
    for html in &all {
        declined += usize::from(assert_same(html).is_some());
    }
    println!("{} inputs, {declined} declined", all.len());
    assert!(all.len() > 5000 && declined < all.len() / 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]
    #[test]
    fn tag_soup(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let difference = compare(pieces.concat().as_bytes()).err();
        prop_assert!(difference.is_none(), "{}", difference.unwrap_or_default());
    }
}

#[test]
fn soup_of_few_pieces() {
    let seeds: Vec<u64> = (0..cases(5_000).into()).collect();
    seeds.par_iter().for_each(|seed| check(soup(&mut Random::new(*seed), 40)));
}

/// Every `step`th HTML document of a corpus.
fn documents(corpus: &Path, step: usize) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(corpus).sort_by_file_name().into_iter();
    files
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .filter(|path| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| matches!(extension, "html" | "htm" | "xhtml"))
        })
        .step_by(step)
        .collect()
}

/// The corpora that are there.
fn names() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(corpora()) else {
        println!("skipped: {} is not there", corpora().display());
        return Vec::new();
    };
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.is_dir());
    names.sort();
    names
}

/// Compares documents of all corpora, at most about so many bytes of each, and prints how much of
/// them is declined.
fn check_corpora(bytes_of_each: usize) {
    let mut all = (0, 0);
    for corpus in names() {
        let paths = documents(&corpus, 1);
        let size = |path: &PathBuf| fs::metadata(path).map_or(0, |metadata| metadata.len());
        let size = paths.par_iter().map(size).sum::<u64>() as usize;
        let paths = documents(&corpus, size.div_ceil(bytes_of_each).max(1));
        let outcomes: Vec<(usize, Option<DeclineReason>)> = paths
            .par_iter()
            .map(|path| {
                let html = fs::read(path).unwrap();
                match compare(&html) {
                    Ok(reason) => (html.len(), reason),
                    Err(difference) => panic!("{}: {difference}", path.display()),
                }
            })
            .collect();
        let bytes: usize = outcomes.iter().map(|(bytes, _)| bytes).sum();
        let mut by_reason: BTreeMap<DeclineReason, (usize, usize)> = BTreeMap::new();
        for (bytes, reason) in &outcomes {
            if let Some(reason) = reason {
                let row = by_reason.entry(*reason).or_default();
                *row = (row.0 + 1, row.1 + bytes);
            }
        }
        let declined: usize = by_reason.values().map(|(_, bytes)| bytes).sum();
        all = (all.0 + bytes, all.1 + declined);
        println!(
            "{}: {} documents, {bytes} bytes, {:.2} % declined",
            corpus.file_name().unwrap().to_string_lossy(),
            outcomes.len(),
            declined as f64 * 100.0 / bytes.max(1) as f64
        );
        for (reason, (documents, bytes)) in by_reason {
            println!("    {documents} documents, {bytes} bytes: {reason:?}");
        }
    }
    println!("{} bytes, {} declined", all.0, all.1);
    assert!(all.1 * 50 <= all.0, "more than 2 % of the bytes are declined");
}

#[test]
fn corpora_in_part() {
    check_corpora(6 << 20);
}

#[test]
#[ignore = "takes minutes"]
fn corpora_in_full() {
    check_corpora(usize::MAX);
}

/// How long the random tests go on: minutes in `REHREF_FUZZ_MINUTES`, or one.
fn fuzz_time() -> Duration {
    let minutes = std::env::var("REHREF_FUZZ_MINUTES").ok();
    Duration::from_secs(60 * minutes.and_then(|m| m.parse().ok()).unwrap_or(1))
}

#[test]
#[ignore = "goes on for minutes; see REHREF_FUZZ_MINUTES"]
fn differences_in_mutated_documents() {
    let mut paths: Vec<PathBuf> = names().iter().flat_map(|name| documents(name, 29)).collect();
    paths.retain(|path| fs::metadata(path).is_ok_and(|metadata| metadata.len() < 100_000));
    let now = Instant::now();
    let seed = u64::from(std::process::id());
    let rounds: usize = (0..rayon::current_num_threads())
        .into_par_iter()
        .map(|thread| {
            let mut random = Random::new(seed << 8 | thread as u64);
            let mut rounds = 0;
            let mut declined = 0;
            while now.elapsed() < fuzz_time() {
                let html = match paths.get(random.below(paths.len() * 2)) {
                    Some(path) => mutated(&mut random, &fs::read(path).unwrap()),
                    None => soup(&mut random, 200),
                };
                declined += usize::from(compare(&html).is_ok_and(|reason| reason.is_some()));
                check(html);
                rounds += 1;
            }
            println!("{rounds} rounds, {declined} declined");
            rounds
        })
        .sum();
    println!("{rounds} rounds");
}
