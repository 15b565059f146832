//! The report about a site that is to be read from disk.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::stale_paths::StalePath;

/// The changes and limits of a site that is to be read from disk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OfflineReport {
    /// The attributes `integrity` and `crossorigin` that were removed: from disk, browsers block the
    /// files that have them.
    pub fetch_options_removed: usize,
    /// The files that use each feature that does not work from disk, in the order of the walk.
    pub limits: BTreeMap<&'static str, Vec<String>>,
    /// Strings in scripts and data that name files by a path from the server's root, which leads nowhere
    /// from disk; none is changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_paths: Vec<StalePath>,
}

impl OfflineReport {
    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        *self == OfflineReport::default()
    }

    pub(super) fn add(&mut self, part: OfflineReport) {
        self.fetch_options_removed += part.fetch_options_removed;
        for (limit, files) in part.limits {
            self.limits.entry(limit).or_default().extend(files);
        }
        self.root_paths.extend(part.root_paths);
    }

    /// Adds the features that the file at `path` uses.
    pub(super) fn add_limits(&mut self, path: &str, limits: BTreeSet<&'static str>) {
        for limit in limits {
            let files = self.limits.entry(limit).or_default();
            files.push(path.to_owned());
        }
    }
}
