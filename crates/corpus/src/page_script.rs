//! A script that pages may load.

use std::path::PathBuf;
use std::sync::OnceLock;

use rehref_document::ScriptTraits;
use rustc_hash::FxHashMap;

/// The scripts of a site by their paths in URLs.
pub(crate) type PageScripts = FxHashMap<String, PageScript>;

/// A script of a site.
#[derive(Debug)]
pub struct PageScript {
    /// The path below the root.
    pub(crate) path: PathBuf,
    /// Known once a page loads it.
    pub(crate) traits: OnceLock<ScriptTraits>,
}
