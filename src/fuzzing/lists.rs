//! Properties of maps of moves, ignore rules, globs and baselines.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::input::Input;
use crate::moves::{Request, plan};
use rehref_audit::Baseline;
use rehref_audit::ignore::{IgnoreRule, IgnoreRules};
use rehref_corpus::files::Globs;
use rehref_site::Moves;
use rehref_site::{Entry, EntryKind};

/// All properties.
pub(super) fn all(data: &[u8]) {
    let mut input = Input::new(data);
    let ignores_case = input.pick(&[false, true]);
    let lists = [moves, others];
    let list = input.pick(&lists);
    list(&input.text(), ignores_case);
}

/// Requests are refused, or can be carried out.
fn moves(text: &str, ignores_case: bool) {
    let folders = ["a", "b", "b/a"].map(|path| (path, EntryKind::Directory));
    let files = ["b/c.html", "b/a/x", "c", "#", "é"].map(|path| (path, EntryKind::File));
    let entries =
        folders.into_iter().chain(files).map(|(path, kind)| Entry { path: path.into(), kind });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    let lines = || text.split('\n').filter(|line| !line.contains('\0'));
    let arguments = lines().filter_map(|line| Request::argument(OsStr::new(line)).ok());
    let patterns = lines().filter_map(|line| Request::regex(line).ok());
    let map = Request::map("map", text.as_bytes());
    let all = [Some(arguments.collect()), Some(patterns.collect()), map.ok()];
    for requests in all.into_iter().flatten() {
        match plan(&entries, &requests, ignores_case) {
            Ok(moves) => is_possible(&entries, &moves, ignores_case),
            Err(refusals) => assert!(!refusals.is_empty()),
        }
    }
}

/// The tree after moves, naively: new path to old path of everything but directories.
fn carried_out(entries: &[Entry], moves: &Moves) -> BTreeMap<PathBuf, PathBuf> {
    let mut result = BTreeMap::new();
    for entry in entries.iter().filter(|it| it.kind != EntryKind::Directory) {
        let new = moves.new_path(&entry.path).unwrap_or(&entry.path);
        if let Some(other) = result.insert(new.to_owned(), entry.path.clone()) {
            panic!("{other:?} and {:?} both at {new:?}", entry.path);
        }
    }
    result
}

/// Paths and all folders above them.
fn with_folders<'a>(paths: impl Iterator<Item = &'a Path>) -> BTreeSet<&'a Path> {
    paths.flat_map(Path::ancestors).filter(|path| !path.as_os_str().is_empty()).collect()
}

/// The moves can be carried out in the tree of `entries`: each file has a place of its own below folders that
/// are made.
pub(crate) fn is_possible(entries: &[Entry], moves: &Moves, ignores_case: bool) {
    let result = carried_out(entries, moves);
    let directories = moves.directories(entries);
    for directory in &directories {
        if let Some(old) = &directory.old {
            assert!(entries.iter().any(|it| it.path == *old && it.kind == EntryKind::Directory));
        }
    }
    let folders: BTreeSet<&Path> = directories.iter().map(|it| it.path.as_path()).collect();
    assert_eq!(folders.len(), directories.len());
    for path in folders.iter().copied().chain(result.keys().map(PathBuf::as_path)) {
        // Within the tree, and below folders only.
        let mut components = path.components();
        assert!(components.all(|it| matches!(it, std::path::Component::Normal(_))));
        assert!(!path.as_os_str().is_empty());
        for above in path.ancestors().skip(1) {
            assert!(above.as_os_str().is_empty() || folders.contains(above));
            assert!(!result.contains_key(above), "{above:?} is above {path:?}");
        }
    }
    for file in result.keys() {
        assert!(!folders.contains(file.as_path()), "{file:?} is a directory too");
    }
    if ignores_case {
        let clashes = |paths: BTreeSet<&Path>| {
            let folded: BTreeSet<String> =
                paths.iter().map(|path| path.to_string_lossy().to_lowercase()).collect();
            paths.len() - folded.len()
        };
        let before = with_folders(entries.iter().map(|it| it.path.as_path()));
        if clashes(before) == 0 {
            let after = result.keys().map(PathBuf::as_path).chain(folders);
            assert_eq!(clashes(with_folders(after)), 0);
        }
    }
}

const PATHS: &[&str] = &["", "a", "a/", "b/c.html", "a//b", "x/y/z", "é", "a%20b"];

/// Ignore rules, globs and baselines are refused, or can be used.
fn others(text: &str, _: bool) {
    if let Ok(rule) = text.parse::<IgnoreRule>() {
        let rules = IgnoreRules::new(&[rule]).expect("one rule is not too many");
        let _ = rules.paths();
    }
    let globs: Vec<String> = text.split('\n').map(str::to_owned).collect();
    if let Ok(globs) = Globs::new(&globs) {
        for path in PATHS {
            globs.is_match(Path::new(path));
        }
    }
    if let Ok(baseline) = Baseline::parse(text.as_bytes()) {
        let written = baseline.to_json();
        let again = Baseline::parse(&written).expect("just written");
        assert_eq!(again.to_json(), written);
    }
}
