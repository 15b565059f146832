//! The paths of a site that fast paths know: where the URL of each is after the run.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::targets::SiteMapping;
use crate::site::{Response, SitePath};
use crate::url::simple::path_end;

/// The new paths of the files of a site and of its folders, which end with a slash, below the site's
/// URL. Only ordinary paths are in the table; all others take the general path.
#[derive(Clone, Debug, Default)]
pub(super) struct SimplePaths {
    /// The new path by the old one; `None` for one that stays.
    paths: FxHashMap<Box<str>, Option<Box<str>>>,
    /// Whether queries select files.
    has_queries: bool,
}

impl SimplePaths {
    /// Collects the paths of the site of `mapping`, as the general path maps them.
    pub(super) fn of(mapping: &SiteMapping) -> SimplePaths {
        let files = &mapping.files;
        let mut simple = SimplePaths {
            paths: FxHashMap::default(),
            has_queries: files.has_query_names() || mapping.moved.has_query_names(),
        };
        let folders = files.folders().map(|folder| match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        });
        let paths = files.files().map(str::to_owned).chain(folders);
        for path in paths.filter(|path| is_ordinary(path)) {
            if matches!(files.find(&path, ""), None | Some(Response::Redirect)) {
                continue;
            }
            let new = match mapping.path_after(&SitePath::without_query(&path)) {
                None => None,
                Some(new) if *new.path == *path && new.query.is_empty() => None,
                Some(new) if is_ordinary(&new.path) && new.query.is_empty() => {
                    Some(new.path.into())
                }
                Some(_) => continue,
            };
            simple.paths.insert(path.into(), new);
        }
        simple
    }

    /// The new path of what is at `path`, a file or folder in the table.
    pub(super) fn known<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        let new = self.paths.get(path)?;
        Some(new.as_deref().unwrap_or(path))
    }

    /// The new path of the URL with this ordinary `path` in the site of `mapping`, if it is known.
    /// `has_query`: the URL has a query.
    pub(super) fn new_path<'p>(
        &'p self,
        mapping: &SiteMapping,
        path: &'p str,
        has_query: bool,
    ) -> Option<NewPath<'p>> {
        if has_query && self.has_queries {
            return None;
        }
        let known = self.known(path).map(|new| NewPath {
            path: Cow::Borrowed(new),
            is_online: false,
        });
        known.or_else(|| new_path_of_missing(mapping, path))
    }
}

/// A path after the run, below the site's URL.
pub(super) struct NewPath<'p> {
    pub(super) path: Cow<'p, str>,
    /// No file is there, and links from disk need the full URL.
    pub(super) is_online: bool,
}

/// The new path of `path` if no file is there: it moves with its folder. The missing paths are not in the
/// table, since there is no end of them.
fn new_path_of_missing<'p>(mapping: &SiteMapping, path: &'p str) -> Option<NewPath<'p>> {
    let SiteMapping { files, pretty, .. } = mapping;
    let is_known = pretty.is_plain() || pretty.offline;
    let exists = || files.find(path, "").is_some() || files.resolve_symlinks(path).is_some();
    if !is_known || exists() {
        return None;
    }
    Some(NewPath {
        path: match mapping.moved.follow_folder(path) {
            Some(new) if is_ordinary(&new) => Cow::Owned(new),
            Some(_) => return None,
            None => Cow::Borrowed(path),
        },
        is_online: pretty.offline && !mapping.before.is_placeholder(),
    })
}

fn is_ordinary(path: &str) -> bool {
    path_end(path.as_bytes()) == Some(path.len())
}
