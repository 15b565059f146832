//! `rehref relative`, `move` and `verify` on real trees, judged by an independent count of broken
//! references.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use libtest_mimic::Trial;

use crate::broken::{Files, Map, judge_move, judge_relative};
use crate::kinds::document_kind;
use crate::support::{TestDir, assert_same_trees};
use crate::{over_more_trees, over_trees};

/// Deep, so that what leads out of a tree is not cut off at the root of the host.
const URL: &str = "https://example.org/1/2/3/4/5/6/7/8/";

pub fn trials() -> Vec<Trial> {
    let (python, erlang, boost) = ("python3.11-doc", "erlang-doc", "libboost1.74-doc");
    let all = "apache2-doc cppreference-doc-en-html erlang-doc libboost1.74-doc \
        python3.11-doc sqlite3-doc";
    vec![
        over_trees("moves::round_trip_python", python, round_trip),
        over_trees("moves::round_trip_apache", "apache2-doc", round_trip),
        over_trees("moves::round_trip_erlang", erlang, round_trip),
        over_trees("moves::round_trip_cppreference", "cppreference-doc-en-html", round_trip),
        over_more_trees("moves::round_trip_more", round_trip),
        over_trees("moves::bases_of_python_come_and_go", python, bases_of_python_come_and_go),
        over_trees("moves::a_folder_of_python", python, a_folder_of_python),
        over_trees("moves::all_names_of_erlang", erlang, all_names_of_erlang),
        over_trees("moves::boost_shuffled", boost, boost_shuffled),
        Trial::test("moves::a_page_goes_to_the_top", || {
            a_page_goes_to_the_top();
            Ok(())
        }),
        // It reads all trees, and gives figures on the judges, not on rehref.
        over_trees("moves::no_false_alarms", all, no_false_alarms).with_ignored_flag(true),
    ]
}

fn is_document(path: &Path, bytes: &[u8]) -> bool {
    document_kind(path, bytes).is_some()
}

/// A run with these arguments that has to succeed, with its time.
#[track_caller]
fn run(dir: &TestDir, arguments: &[&str]) {
    let start = Instant::now();
    dir.rehref(arguments).status(0);
    println!("rehref {}: {:.1?}", arguments.join(" "), start.elapsed());
}

/// Runs `rehref` as [`judge_relative`] sees a site: an index page is at its own name.
fn run_by_names(dir: &TestDir, arguments: &[&str]) {
    run(dir, &[arguments, &["--no-index-files"]].concat());
}

fn remove(dir: &TestDir, trees: &[&str]) {
    for tree in trees {
        fs::remove_dir_all(dir.path(tree)).unwrap();
    }
}

/// Links to a place in the same page lose their form on the way otherwise.
const IN_PAGE: &str = "--in-page-links";

/// Absolute, relative, absolute again: nothing leads elsewhere on the way, and the end is the
/// beginning.
fn round_trip(site: &Path) {
    let dir = TestDir::new();
    let site = site.to_str().unwrap();
    run_by_names(&dir, &["absolute", site, "-o", "once", "--url", URL, IN_PAGE, "absolute"]);
    run_by_names(&dir, &["verify", site, "once", "--url", URL]);
    let path_style = ["--url", URL, "--form", "path"];
    run_by_names(&dir, &[&["relative", "once", "-o", "relative"], &path_style[..]].concat());
    run_by_names(&dir, &["verify", "once", "relative", "--url", URL]);
    let start = Instant::now();
    let url = url::Url::parse(URL).unwrap();
    judge_relative(&dir.path("once"), &dir.path("relative"), &url, &is_document).assert(site);
    println!("judged: {:.1?}", start.elapsed());
    run_by_names(&dir, &["absolute", "relative", "-o", "twice", "--url", URL, IN_PAGE, "absolute"]);
    run_by_names(&dir, &["verify", "relative", "twice", "--url", URL]);
    remove(&dir, &["relative"]);
    assert_same_trees(&dir.path("once"), &dir.path("twice"));
}

/// A base element that every document was given, and that counts from elsewhere, is gone without a
/// trace afterwards.
fn bases_of_python_come_and_go(site: &Path) {
    let dir = TestDir::new();
    let site = site.to_str().unwrap();
    let base = format!("{URL}usr/share/doc/");
    run_by_names(&dir, &["absolute", site, "-o", "once", "--url", URL]);
    run_by_names(&dir, &["absolute", site, "-o", "based", "--url", URL, "--base-element", &base]);
    run_by_names(&dir, &["relative", "once", "-o", "relative", "--url", URL]);
    let drop = ["--url", URL, "--base-element", "drop"];
    run_by_names(&dir, &[&["relative", "based", "-o", "without"], &drop[..]].concat());
    let url = url::Url::parse(URL).unwrap();
    judge_relative(&dir.path("based"), &dir.path("without"), &url, &is_document).assert("based");
    assert_same_trees(&dir.path("relative"), &dir.path("without"));
}

/// Judges the folder `moved` of `dir`, which is `site` after the moves of `map`. `status` is that of the
/// verification: 2 where a document that is no XML moved, whose links can't be proven.
fn judge(dir: &TestDir, site: &Path, map: &Map, status: i32) {
    dir.write("judge.map", map.lines().as_bytes());
    let before = site.to_str().unwrap();
    let start = Instant::now();
    let url = url::Url::parse(URL).unwrap();
    let moved = dir.path("moved");
    let judgement = judge_move(site, &moved, map, (&url, &url), &is_document);
    println!("judged: {:.1?}", start.elapsed());
    judgement.assert(before);
    let verify = ["verify", before, "moved", "--map", "judge.map"];
    let verified = dir.rehref(&verify).status(status);
    assert!(verified.stdout().contains("no differences"));
}

/// A folder of 300 pages goes elsewhere, by an argument and by a map.
fn a_folder_of_python(site: &Path) {
    let site = site.join("usr/share/doc/python3.11/html");
    let before = site.to_str().unwrap();
    let dir = TestDir::new();
    let map: Map = [("library", "reference/lib")].into_iter().collect();
    run(&dir, &["move", before, "-o", "moved", "library=reference/lib"]);
    judge(&dir, &site, &map, 0);
    let by_map = ["move", before, "-o", "by-map", "--map", "judge.map"];
    run(&dir, &by_map);
    assert_same_trees(&dir.path("moved"), &dir.path("by-map"));
}

/// Every file gets another name, by a pattern.
fn all_names_of_erlang(site: &Path) {
    let before = site.to_str().unwrap();
    let dir = TestDir::new();
    let files = Files::of(site);
    let renamed: Vec<(&str, String)> = files
        .paths()
        .map(|path| {
            let (folder, name) = path.split_at(path.rfind('/').map_or(0, |slash| slash + 1));
            (path, format!("{folder}n-{name}"))
        })
        .collect();
    let map: Map = renamed.iter().map(|(old, new)| (*old, &**new)).collect();
    let pattern = "(.*/)?([^/]+)=${1}n-$2";
    run(&dir, &["move", before, "-o", "moved", "--regex", pattern]);
    judge(&dir, site, &map, 0);
}

/// Files change places at random, each with one of its own kind: what a file's name says of it
/// (`.html`: a page) has to stay true, or other references count than before.
fn boost_shuffled(site: &Path) {
    let before = site.to_str().unwrap();
    let dir = TestDir::new();
    let files = Files::of(site);
    let mut kinds: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for path in files.paths().filter(|path| !files.is_symbolic_link(path)) {
        let kind = document_kind(Path::new(path), b"");
        let name = Path::new(path).file_name().unwrap().to_str().unwrap();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let kind = format!("{kind:?} {}", extension.to_ascii_lowercase());
        kinds.entry(kind).or_default().push(path);
    }
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut map = Vec::new();
    for paths in kinds.values() {
        let mut shuffled = paths.clone();
        for at in (1..shuffled.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let other = state % (at as u64 + 1);
            shuffled.swap(at, other as usize);
        }
        let moves = paths.iter().copied().zip(shuffled);
        map.extend(moves.filter(|(old, new)| old != new));
    }
    let map: Map = map.into_iter().collect();
    println!("{} of {} files move", map.len(), files.paths().count());
    assert!(map.len() > 7000);
    dir.write("moves.map", map.lines().as_bytes());
    // It holds a file that is no XML, whatever its name says: it moves as it is.
    let moved = dir.rehref(&["move", before, "-o", "moved", "--map", "moves.map"]);
    let messages = moved.status(1).stderr();
    for error in messages.lines().filter(|line| line.starts_with("error")) {
        assert!(error.contains("not well-formed XML"), "{error}");
    }
    judge(&dir, site, &map, 2);
}

/// What leads up from a page that goes to the top must not rely on being cut off at the root of a
/// server: the tree may be read from disk, or stand in a folder. And a folder may lose its only file.
fn a_page_goes_to_the_top() {
    let dir = TestDir::with_site(&[
        (
            "a/p.html",
            "<a href=../i/index.html></a><a href=../></a><a href=../../out></a><img src=gone.png>",
        ),
        ("i/index.html", "<a href=../a/p.html#f></a>"),
    ]);
    let map: Map = [("a/p.html", "p.html")].into_iter().collect();
    run(&dir, &["move", "site", "-o", "moved", "a/p.html=p.html"]);
    judge(&dir, &dir.path("site"), &map, 0);
}

/// A tree that stayed where it is raises no alarm.
fn no_false_alarms(site: &Path) {
    let url = url::Url::parse(URL).unwrap();
    let start = Instant::now();
    let map = Map::default();
    let judgement = judge_move(site, site, &map, (&url, &url), &is_document);
    println!("judged: {:.1?}", start.elapsed());
    judgement.assert(site.to_str().unwrap());
}
