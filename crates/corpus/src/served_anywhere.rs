//! Documents that servers send for URLs at any depth.

use std::collections::BTreeSet;
use std::path::Path;

use crate::files::Globs;
use rehref_site::path_in_url;

/// The documents of a site that servers send for URLs at any depth.
#[derive(Clone, Debug, Default)]
pub struct ServedAnywhere {
    /// Selects them by their names: error pages.
    pub globs: Globs,
    /// The pages that rules of the server send for other URLs, by their paths in URLs. The rules follow their moves.
    pub fallbacks: BTreeSet<String>,
}

impl ServedAnywhere {
    /// Returns true if the document at `path`, after the run at `new_path`, is one of them.
    pub fn has(&self, path: &Path, new_path: &Path) -> bool {
        let is_fallback = || self.fallbacks.contains(&path_in_url(path));
        self.globs.is_match(new_path) || !self.fallbacks.is_empty() && is_fallback()
    }
}
