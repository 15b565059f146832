//! Real documents for the benchmarks.

#![allow(dead_code)]

use std::path::{Path, PathBuf};

/// Trees of very different HTML to measure on, those of the corpora that were fetched.
pub(crate) fn trees() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let corpora = Path::new(&home).join(".cache/rehref-corpora");
    let names = ["python3.11-doc", "rust-doc"].into_iter();
    let mut trees: Vec<PathBuf> = names.map(|name| corpora.join(name)).collect();
    trees.retain(|tree| tree.is_dir());
    if trees.is_empty() {
        trees.push(tree());
    }
    trees
}

/// The tree to measure on: `REHREF_BENCH_TREE`, or python3.11-doc where it was fetched, or the
/// sample site.
pub(crate) fn tree() -> PathBuf {
    if let Some(tree) = std::env::var_os("REHREF_BENCH_TREE") {
        return tree.into();
    }
    let cached = std::env::var_os("HOME")
        .map(|home| Path::new(&home).join(".cache/rehref-corpora/python3.11-doc"));
    match cached {
        Some(tree) if tree.is_dir() => tree,
        _ => Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-site"),
    }
}
