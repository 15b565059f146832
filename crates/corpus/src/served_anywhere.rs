//! Documents that servers send for URLs at any depth.

use std::collections::BTreeSet;
use std::path::Path;

use crate::files::Globs;
use rehref_site::path_in_url;

/// The default of `--served-anywhere`: the usual names of error pages, separated by commas. The
/// numbers count only at the root of the site: 500.html in a directory may be an ordinary page.
pub const ERROR_PAGES: &str = "404.html,404.htm,404.shtml,404/index.html,/[45][0-9][0-9].html,/[45][0-9][0-9].htm,\
    /[45][0-9][0-9].shtml,/50x.html,/200.html";

/// The documents of a site that servers send for URLs at any depth.
#[derive(Clone, Debug, Default)]
pub struct ServedAnywhere {
    /// The globs that select such documents by name.
    pub globs: Globs,
    /// The pages that rules of the server send for other URLs, by path in URLs. If such a page moves, the rule
    /// is updated, too.
    pub fallbacks: BTreeSet<String>,
}

impl ServedAnywhere {
    /// Returns true if servers send the document at `path`, which is at `new_path` after the run, for URLs at
    /// any depth.
    pub fn has(&self, path: &Path, new_path: &Path) -> bool {
        let is_fallback = || self.fallbacks.contains(&path_in_url(path));
        self.globs.is_match(new_path) || !self.fallbacks.is_empty() && is_fallback()
    }
}
