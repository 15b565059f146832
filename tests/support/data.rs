//! The data that tests read, and how much of it.

#![allow(dead_code, unreachable_pub)]

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace, whichever crate's tests these are.
pub fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut above = own.ancestors();
    above.find(|folder| folder.join("sample-site").is_dir()).unwrap_or(own)
}

/// How many random cases a property is tried with: `default`, or as many as `PROPTEST_CASES` says.
pub fn cases(default: u32) -> u32 {
    let wanted = std::env::var("PROPTEST_CASES").ok();
    wanted.map_or(default, |wanted| wanted.parse().expect("it is a number"))
}

/// The number in the environment variable `name`, or `default`.
pub fn variable(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |value| value.parse().expect("it is a number"))
}

/// Where real trees are: one folder for each package of HTML documentation.
pub fn corpora() -> PathBuf {
    if let Some(corpora) = std::env::var_os("REHREF_CORPORA") {
        return corpora.into();
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = std::env::var_os("HOME").map(PathBuf::from);
    cache.or(home.map(|home| home.join(".cache"))).unwrap_or_default().join("rehref-corpora")
}

/// The folder of a real tree, or `None` with a printed line.
pub fn corpus(name: &str) -> Option<PathBuf> {
    let path = corpora().join(name);
    if path.is_dir() {
        Some(path)
    } else {
        println!("skipped: {} is not there", path.display());
        None
    }
}

/// A file or folder of the public test suites beside the project, or `None` with a printed line.
pub fn conformance_path(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared/conformance").join(path);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}

/// The text of a file of the public test suites, or `None` with a printed line.
pub fn conformance(file: &str) -> Option<String> {
    let path = conformance_path(file)?;
    Some(fs::read_to_string(path).expect("readable"))
}
