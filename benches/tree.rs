//! A whole tree: read, rewritten and written, beside a plain copy of the same tree.

#![allow(missing_docs)]

use std::path::Path;
use std::process::Command;

use rehref_benches::Group;

fn rewrite(site: &Path, out: &Path) {
    let run = Command::new(rehref_benches::program())
        .args(["absolute", "--quiet", "--url", "https://example.org/docs/"])
        .arg(site)
        .arg("-o")
        .arg(out)
        .status();
    assert!(run.unwrap().success());
}

fn main() {
    let site = rehref_benches::tree().canonicalize().unwrap();
    let group = Group::new("tree", 10);
    group.measure_with(
        "rewrite",
        || tempfile::tempdir().unwrap(),
        |out| rewrite(&site, &out.path().join("out")),
    );
    group.measure_with(
        "peer: cp -r",
        || tempfile::tempdir().unwrap(),
        |out| {
            let copy = Command::new("cp").arg("-r").arg(&site).arg(out.path()).status();
            assert!(copy.unwrap().success());
        },
    );
}
