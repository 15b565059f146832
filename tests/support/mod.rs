//! Helpers of the integration tests.

#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

#[path = "data.rs"]
pub mod data;
#[path = "shown.rs"]
pub mod shown;

#[allow(unused_imports, reason = "each binary uses some")]
pub use data::{cases, conformance, corpora, corpus, root, variable};

/// A directory for one test, removed when dropped, with helpers to fill and read it.
pub struct TestDir {
    directory: tempfile::TempDir,
}

impl TestDir {
    pub fn new() -> TestDir {
        TestDir { directory: tempfile::tempdir().unwrap() }
    }

    /// A directory whose folder `site` holds these files.
    pub fn with_site(files: &[(&str, &str)]) -> TestDir {
        let dir = TestDir::new();
        for (path, contents) in files {
            dir.write(&format!("site/{path}"), contents.as_bytes());
        }
        dir
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    pub fn write(&self, relative: &str, contents: &[u8]) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    pub fn read(&self, relative: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path(relative)).unwrap()).into_owned()
    }
}

/// Whether this system can exchange two directories in one step, as `move --in-place` does.
pub const EXCHANGES: bool = cfg!(unix);

/// The text with every duration, such as `0.02 s`, replaced: durations differ from run to run.
pub fn without_times(text: &str) -> String {
    with_durations(text, "N s")
}

/// The text with this text in place of every duration.
fn with_durations(text: &str, shown: &str) -> String {
    static DURATION: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\b[0-9]+\.[0-9]{2} s\b").unwrap());
    DURATION.replace_all(text, shown).into_owned()
}

/// Whether what is shown is to be written instead of compared: the setting that insta has for snapshots.
pub fn updates() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|value| value == "always")
}

/// A relative path with `/` between its names on every system, as reports have it.
pub fn slashed(path: &Path) -> PathBuf {
    let names: Vec<_> = path.components().map(|name| name.as_os_str().to_string_lossy()).collect();
    if cfg!(windows) { names.join("/").into() } else { path.to_owned() }
}

/// The `file:` URL of a directory, with a slash at its end.
pub fn directory_url(path: &Path) -> String {
    let path = path.canonicalize().unwrap();
    url::Url::from_directory_path(path).unwrap().into()
}

/// All files and links below `root` with their contents, for comparing trees. Paths have `/` between names.
pub fn tree(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .map(|entry| entry.unwrap())
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| {
            let contents = if entry.file_type().is_symlink() {
                fs::read_link(entry.path()).unwrap().to_string_lossy().into_owned().into_bytes()
            } else {
                fs::read(entry.path()).unwrap()
            };
            let path = entry.path().strip_prefix(root).unwrap();
            (slashed(path), contents)
        })
        .collect()
}

/// The files and links of [`tree`], but the temporary ones of a run that was killed or could not remove them.
pub fn finished_files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_temporary = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with(".rehref-") && name.ends_with(".tmp")
    };
    let files = tree(root).into_iter();
    files.filter(|(path, _)| !is_temporary(path)).collect()
}

/// Asserts that two trees hold the same files and links with the same contents, byte by byte,
/// without having them in memory. What differs is shown with its surroundings.
#[track_caller]
pub fn assert_same_trees(left: &Path, right: &Path) {
    let paths = |root: &Path| -> std::collections::BTreeSet<PathBuf> {
        walkdir::WalkDir::new(root)
            .into_iter()
            .map(|entry| entry.unwrap())
            .filter(|entry| !entry.file_type().is_dir())
            .map(|entry| entry.path().strip_prefix(root).unwrap().to_owned())
            .collect()
    };
    let (paths, paths_right) = (paths(left), paths(right));
    let mut differences: Vec<String> = paths
        .symmetric_difference(&paths_right)
        .map(|path| format!("{}: only on one side", path.display()))
        .collect();
    for path in paths.intersection(&paths_right) {
        let (a, b) = (left.join(path), right.join(path));
        if a.is_symlink() || b.is_symlink() {
            if fs::read_link(&a).ok() != fs::read_link(&b).ok() {
                differences.push(format!("{}: not the same link", path.display()));
            }
            continue;
        }
        let (a, b) = (fs::read(a).unwrap(), fs::read(b).unwrap());
        if a == b {
            continue;
        }
        let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
        let line = a[..same].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let around = |bytes: &[u8]| {
            let end = bytes.len().min(same + 120);
            String::from_utf8_lossy(&bytes[same.saturating_sub(60)..end]).into_owned()
        };
        let (path, a, b) = (path.display(), around(&a), around(&b));
        differences.push(format!("{path}:{line}:\n  {a:?}\n  {b:?}"));
    }
    let count = differences.len();
    let shown = differences[..count.min(20)].join("\n");
    let (left, right) = (left.display(), right.display());
    assert!(count == 0, "{left} and {right}: {count} differ:\n{shown}");
}

/// A copy of the files of a tree.
pub fn copy_tree(from: &Path, to: &Path) {
    for (path, contents) in tree(from) {
        let to = to.join(path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, contents).unwrap();
    }
}
