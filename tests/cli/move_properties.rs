//! Random small sites and random moves: `verify` holds, and moving back gives the original bytes where
//! no reference had to be spelled in another way.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use rehref::{RelativeForm, Url};

use crate::support::{TestDir, cases, tree};

const SITE: &str = "http://rehref.invalid/";

/// Paths of files; every folder has an index or a plain file.
const PATHS: &[&str] = &[
    "index.html", "a.html", "b c.html", "style.css", "d/index.html", "d/a.html", "d/e/f.html",
    "d/e/index.html", "d/i.png", "g/h.html", "g/100%.html", "g/ü.css", "g/e/a.html", "x?y=1",
];

/// How a reference is written: in a style, or absolute.
const STYLES: &[Option<RelativeForm>] = &[
    Some(RelativeForm::Path),
    Some(RelativeForm::Path),
    Some(RelativeForm::Path),
    Some(RelativeForm::Root),
    Some(RelativeForm::Scheme),
    None,
];

#[derive(Clone, Debug)]
struct Link {
    to: usize,
    style: Option<RelativeForm>,
    tail: &'static str,
    is_folder: bool,
}

fn link() -> impl Strategy<Value = Link> {
    (
        0..PATHS.len() + 3,
        prop::sample::select(STYLES),
        prop::sample::select(&["", "#f", "?q=1", "?q#f"][..]),
        any::<bool>(),
    )
        .prop_map(|(to, style, tail, is_folder)| Link { to, style, tail, is_folder })
}

fn url_of(path: &str) -> Url {
    let path = path.replace('%', "%25").replace('?', "%3F");
    format!("{SITE}{path}").parse().unwrap()
}

/// The contents of the file at `path`, with these links as rehref would write them.
fn contents(path: &str, links: &[Link], with_folders: bool) -> String {
    let own = url_of(path);
    let mut text = String::new();
    for link in links {
        let target = PATHS.get(link.to).copied().unwrap_or("d/missing.html");
        let target = match target.strip_suffix("index.html") {
            Some(folder) if link.is_folder && with_folders => folder,
            _ => target,
        };
        let target: Url = format!("{}{}", url_of(target), link.tail).parse().unwrap();
        let relative = link.style.and_then(|style| own.relativize(&target, style));
        let reference = relative.unwrap_or_else(|| target.to_string());
        if path.ends_with(".css") {
            if !reference.starts_with('#') {
                text += &format!("a {{ b: url(\"{reference}\") }}\n");
            }
        } else {
            text += &format!("<a href=\"{}\">x</a>\n", reference.replace('&', "&amp;"));
        }
    }
    text
}

#[derive(Clone, Debug)]
enum Moves {
    /// Each file of the first list takes the place of the one beside it in the second.
    Shuffle(Vec<usize>),
    Folder(&'static str, &'static str),
    Renames(Vec<(usize, &'static str)>),
}

fn moves() -> impl Strategy<Value = Moves> {
    prop_oneof![
        Just((0..PATHS.len()).collect::<Vec<_>>()).prop_shuffle().prop_map(Moves::Shuffle),
        prop::sample::select(
            &[("d", "n"), ("d", "g/d"), ("d/e", "e"), ("g", "d/g"), ("d", "p q/ü")][..]
        )
        .prop_map(|(old, new)| Moves::Folder(old, new)),
        prop::collection::vec(
            (
                0..PATHS.len(),
                prop::sample::select(
                    &[
                        "n.html", "n/index.html", "d/n.html", "g/e/n o.html", "%41.html",
                        "n/m/x?z=2"
                    ][..]
                )
            ),
            1..4
        )
        .prop_map(Moves::Renames),
    ]
}

/// The moves as lines of a map, and the way back.
fn maps(moves: &Moves) -> (String, String) {
    let pairs: BTreeMap<&str, &str> = match moves {
        // Within a kind of file, so that kinds stay.
        Moves::Shuffle(order) => PATHS
            .iter()
            .map(|old| {
                let alike = |path: &&str| extension(path) == extension(old);
                let number = PATHS.iter().filter(|path| alike(path)).position(|path| path == old);
                let mut shuffled = order.iter().map(|&at| PATHS[at]).filter(|path| alike(path));
                (*old, shuffled.nth(number.unwrap()).unwrap())
            })
            .collect(),
        Moves::Folder(old, new) => BTreeMap::from([(*old, *new)]),
        Moves::Renames(renames) => renames.iter().map(|&(old, new)| (PATHS[old], new)).collect(),
    };
    let lines = |pairs: &mut dyn Iterator<Item = (&str, &str)>| {
        pairs.map(|(old, new)| format!("{old}\t{new}\n")).collect::<String>()
    };
    (
        lines(&mut pairs.iter().map(|(old, new)| (*old, *new))),
        lines(&mut pairs.iter().map(|(old, new)| (*new, *old))),
    )
}

fn extension(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(_, extension)| extension)
}

/// Where the file at `path` is after the moves of `map`.
fn new_path(map: &str, path: &str) -> String {
    let mut moves = map.lines().map(|line| line.split_once('\t').unwrap());
    let covers =
        |old: &str| path.strip_prefix(old).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    moves
        .find_map(|(old, new)| covers(old).map(|rest| format!("{new}{rest}")))
        .unwrap_or_else(|| path.to_owned())
}

/// Whether a move makes a document of what is none, or the other way round.
fn kinds_stay(map: &str) -> bool {
    map.lines().all(|line| {
        let (old, new) = line.split_once('\t').unwrap();
        let is_folder = !PATHS.contains(&old);
        is_folder || extension(old) == extension(new)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16)))]

    #[test]
    #[cfg_attr(windows, ignore = "the site has names that Windows cannot hold")]
    fn moved_sites_verify_and_come_back(
        links in prop::collection::vec(prop::collection::vec(link(), 0..6), PATHS.len()),
        moves in moves(),
    ) {
        let dir = TestDir::new();
        // A folder whose index file moves away has no URL of its own to come back to.
        let with_folders = matches!(moves, Moves::Folder(..));
        for (path, links) in PATHS.iter().zip(&links) {
            dir.write(&format!("site/{path}"), contents(path, links, with_folders).as_bytes());
        }
        let (there, back) = maps(&moves);
        prop_assume!(kinds_stay(&there));
        let targets: BTreeSet<&str> = there.lines().map(|line| line.split_once('\t').unwrap().1).collect();
        prop_assume!(targets.len() == there.lines().count());
        dir.write("there", there.as_bytes());
        dir.write("back", back.as_bytes());
        dir.rehref(&["move", "site", "-o", "moved", "--map", "there", "--quiet", "--verify"]).status(0);
        dir.rehref(&["verify", "site", "moved", "--map", "there"]).status(0);
        dir.rehref(&["move", "moved", "-o", "again", "--map", "back", "--quiet", "--verify"]).status(0);
        dir.rehref(&["verify", "site", "again"]).status(0);
        let (before, after) = (tree(&dir.path("site")), tree(&dir.path("again")));
        for ((path, before), (_, after)) in before.iter().zip(&after) {
            let moved = dir.path("moved").join(new_path(&there, path.to_str().unwrap()));
            if std::fs::read(moved).unwrap() == *before {
                prop_assert_eq!(
                    String::from_utf8_lossy(before),
                    String::from_utf8_lossy(after),
                    "{}", path.display()
                );
            }
        }
        prop_assert_eq!(before.len(), after.len());
    }
}
