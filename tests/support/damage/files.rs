//! Files that are gone, new or other ones.

use super::{Plant, Random, Tree, replaced};

type Files = Option<Vec<(String, Option<Vec<u8>>)>>;

pub(super) const KINDS: &[(&str, Plant)] = &[
    ("a page is gone", page_gone),
    ("an asset is gone", gone),
    ("an asset is empty", empty),
    ("an asset is shorter", shorter),
    ("an asset has another byte", other_byte),
    ("an asset is another one", other),
    ("an asset has another name", renamed),
    ("a file is new", new),
    ("a file with a digest is another", with_digest),
];

/// A random file that is no page.
fn asset<'t>(tree: &'t Tree, random: &mut Random) -> (&'t str, &'t [u8]) {
    let is_asset = |path: &&String| !path.contains(".htm") && !path.ends_with(".php?month=5");
    let assets: Vec<&String> = tree.keys().filter(is_asset).collect();
    let path = random.one_of(&assets).as_str();
    (path, &tree[path])
}

fn page_gone(tree: &Tree, random: &mut Random) -> Files {
    let (path, _) = super::page(tree, random);
    Some(vec![(path.to_owned(), None)])
}

fn gone(tree: &Tree, random: &mut Random) -> Files {
    let (path, _) = asset(tree, random);
    Some(vec![(path.to_owned(), None)])
}

fn empty(tree: &Tree, random: &mut Random) -> Files {
    let (path, bytes) = asset(tree, random);
    (!bytes.is_empty()).then(|| vec![(path.to_owned(), Some(Vec::new()))])
}

fn shorter(tree: &Tree, random: &mut Random) -> Files {
    let (path, bytes) = asset(tree, random);
    let end = random.below(bytes.len().checked_sub(1)?.max(1));
    Some(replaced(path, bytes, end..bytes.len(), b""))
}

fn other_byte(tree: &Tree, random: &mut Random) -> Files {
    let (path, bytes) = asset(tree, random);
    // Of a text, a letter: white space in it may mean nothing in a URL.
    let candidates = bytes.iter().enumerate();
    let candidates = candidates.filter(|(_, b)| b.is_ascii_alphabetic() || !b.is_ascii());
    let candidates: Vec<usize> = candidates.map(|(at, _)| at).collect();
    let at = *candidates.get(random.below(candidates.len().max(1)))?;
    Some(replaced(path, bytes, at..at + 1, &[bytes[at] ^ 0x03]))
}

fn other(tree: &Tree, random: &mut Random) -> Files {
    let (one, other) = (asset(tree, random), asset(tree, random));
    let files = [(one.0, other.1), (other.0, one.1)];
    let files = files.map(|(path, bytes)| (path.to_owned(), Some(bytes.to_vec())));
    (one.1 != other.1).then(|| files.to_vec())
}

fn renamed(tree: &Tree, random: &mut Random) -> Files {
    let (path, bytes) = asset(tree, random);
    Some(vec![(path.to_owned(), None), (format!("{path}.zz"), Some(bytes.to_vec()))])
}

fn new(_: &Tree, random: &mut Random) -> Files {
    let path = *random.one_of(&["zz.html", "images/zz.png", "zz/zz.css"]);
    Some(vec![(path.to_owned(), Some(b"<p>new</p>".to_vec()))])
}

fn with_digest(tree: &Tree, random: &mut Random) -> Files {
    let names = ["tides/tide.js", "tides/lamp.css"];
    let (path, bytes) = tree.get_key_value(*random.one_of(&names))?;
    Some(replaced(path, bytes, 0..0, b" "))
}
