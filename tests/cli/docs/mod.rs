//! The README and the book in `docs` are true: commands print what they show (`console`), links lead
//! somewhere (`links`), generated pages are what the program says (`reference`), and each promise has
//! its tests (`promises`).
//!
//! `INSTA_UPDATE=always cargo test --test cli docs::` writes the outputs that the documents show, and the
//! generated pages, as it does the snapshots.

mod console;
mod links;
mod promises;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Markdown files that readers see, relative to the root: those beside `README.md`, and the book.
fn documents() -> Vec<PathBuf> {
    let top = fs::read_dir(root()).unwrap();
    let mut paths: Vec<PathBuf> = top.map(|entry| entry.unwrap().path()).collect();
    let book = walkdir::WalkDir::new(root().join("docs"));
    paths.extend(book.into_iter().map(|entry| entry.unwrap().into_path()));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    paths.sort();
    let relative = |path: &PathBuf| path.strip_prefix(root()).unwrap().to_owned();
    paths.iter().map(relative).collect()
}

/// Reads a file, given relative to the root.
fn read(path: impl AsRef<Path>) -> String {
    let text = fs::read_to_string(root().join(&path));
    text.unwrap_or_else(|error| panic!("{}: {error}", path.as_ref().display()))
}

/// Whether documents are to be written instead of compared: the setting that insta has for snapshots.
fn updates() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always")
}

/// Writes a file, given relative to the root.
fn write(path: &Path, text: &str) {
    let path = root().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
