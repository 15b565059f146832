//! Plans over small trees.

mod errors;
mod properties;
mod results;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::error::MoveError;
use super::{Request, plan};
use rehref_site::Moves;
use rehref_site::{Entry, EntryKind};

/// A tree of files, folders (`a/`) and symbolic links (`a@`), with the folders they are in.
pub fn tree<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<Entry> {
    let mut kinds: BTreeMap<PathBuf, EntryKind> = BTreeMap::new();
    for path in paths {
        let (path, kind) = match (path.strip_suffix('/'), path.strip_suffix('@')) {
            (Some(path), _) => (path, EntryKind::Directory),
            (_, Some(path)) => (path, EntryKind::Symlink),
            _ => (path, EntryKind::File),
        };
        for folder in Path::new(path).ancestors().skip(1) {
            if !folder.as_os_str().is_empty() {
                kinds.insert(folder.to_owned(), EntryKind::Directory);
            }
        }
        kinds.insert(path.into(), kind);
    }
    let entry = |(path, kind)| Entry { path, kind };
    kinds.into_iter().map(entry).collect()
}

/// Requests: arguments, and patterns after `regex:`.
pub fn requests<'a>(requests: impl IntoIterator<Item = &'a str>) -> Vec<Request> {
    requests
        .into_iter()
        .map(|request| match request.strip_prefix("regex:") {
            Some(regex) => Request::regex(regex).unwrap(),
            None => Request::argument(OsStr::new(request)).unwrap(),
        })
        .collect()
}

/// Plans the moves of requests in a tree of paths, both separated by blanks.
fn planned(paths: &str, wanted: &str, ignores_case: bool) -> Result<Moves, Vec<MoveError>> {
    let entries = tree(paths.split_whitespace());
    plan(&entries, &requests(wanted.split_whitespace()), ignores_case)
}
