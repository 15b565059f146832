//! The paths of a site that fast paths know: where the URL of each is after the run.

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

    /// The new path of the URL with this `path`, if it is known. `has_query`: the URL has a query.
    pub(super) fn new_path<'p>(&'p self, path: &'p str, has_query: bool) -> Option<&'p str> {
        if has_query && self.has_queries {
            return None;
        }
        let new = self.paths.get(path)?;
        Some(new.as_deref().unwrap_or(path))
    }
}

fn is_ordinary(path: &str) -> bool {
    path_end(path.as_bytes()) == Some(path.len())
}
