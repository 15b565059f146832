//! Tells the program which commit it is built from (`rehref --version`), and for which platform.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// As much of a hash as people quote.
const SHORT: usize = 10;

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    let (hash, origin) = match of_checkout(&root).or_else(|| of_package(&root)) {
        Some((hash, date)) => {
            let short = hash.get(..SHORT).unwrap_or(&hash);
            let origin = format!("{short} {date}");
            let origin = format!(" ({})", origin.trim_end());
            (hash, origin)
        }
        None => ("not known".to_owned(), String::new()),
    };
    println!("cargo::rustc-env=REHREF_COMMIT={hash}");
    println!("cargo::rustc-env=REHREF_ORIGIN={origin}");
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=REHREF_TARGET={target}");
}

/// The commit of a checkout of the repository, and its date.
fn of_checkout(root: &Path) -> Option<(String, String)> {
    // A package that merely lies within somebody's repository is not from there.
    if !root.join(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").current_dir(root).args(arguments).output();
        let output = output.ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // The log of HEAD gets a line when another commit is checked out or made.
    for name in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(&["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let line = git(&["show", "--no-patch", "--format=%H %cs", "HEAD"])?;
    let (hash, date) = line.split_once(' ')?;
    Some((hash.to_owned(), date.to_owned()))
}

/// The commit of a package that `cargo package` made, which keeps no date.
fn of_package(root: &Path) -> Option<(String, String)> {
    let path = root.join(".cargo_vcs_info.json");
    let text = fs::read_to_string(&path).ok()?;
    println!("cargo::rerun-if-changed={}", path.display());
    let (_, rest) = text.split_once("\"sha1\":")?;
    let hash = rest.split('"').nth(1)?;
    let is_hash = !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| (hash.to_owned(), String::new()))
}
