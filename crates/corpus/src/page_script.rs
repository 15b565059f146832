//! A script that pages may load.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rehref_document::ScriptTraits;
use rustc_hash::FxHashMap;

/// The scripts of a site by their paths in URLs.
pub(crate) type PageScripts = FxHashMap<String, PageScript>;

/// A script that pages of the site load.
#[derive(Debug)]
pub struct PageScript {
    /// The path below the root.
    pub(crate) path: PathBuf,
    /// Known once a page loads it.
    pub(crate) traits: OnceLock<ScriptTraits>,
}

/// Returns true if the file at `path` is a script by its name.
pub(crate) fn is_script(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["js", "mjs"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}
