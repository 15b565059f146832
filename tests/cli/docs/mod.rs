//! The README and the book in `docs` are true: commands print what they show (`console`), links lead
//! somewhere (`links`), options exist (`options`), generated pages are what the program says
//! (`reference`), each promise has its tests (`promises`), each dependency its row (`dependencies`), and each crate in
//! the program its licence (`licenses`).
//!
//! `INSTA_UPDATE=always cargo test --test cli docs::` writes the outputs that the documents show, and the
//! generated pages, as it does the snapshots.

mod console;
mod dependencies;
mod licenses;
mod links;
mod options;
mod promises;
mod reference;

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{TestDir, updates};

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

/// Writes a file, given relative to the root.
fn write(path: &Path, text: &str) {
    let path = root().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The output of the program in an empty directory.
fn stdout(arguments: &[&str]) -> String {
    TestDir::new().rehref(arguments).status(0).stdout()
}

/// The commands that `rehref --help` lists, with what it says about each.
fn commands() -> Vec<(String, String)> {
    let help = stdout(&["--help"]);
    // Two groups.
    let help = help.replace("\nMore:\n", "");
    let list = help.split("Commands:\n").nth(1).unwrap();
    list.lines()
        .take_while(|line| !line.is_empty())
        .map(|line| line.trim().split_once(' ').unwrap())
        .map(|(name, about)| (name.to_owned(), about.trim().to_owned()))
        .filter(|(name, _)| name != "help")
        .collect()
}
