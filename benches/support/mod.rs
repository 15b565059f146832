//! Real documents for the benchmarks.

use std::path::{Path, PathBuf};

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
