//! The audit of a whole site in which every kind of defect is planted at known places.

#![allow(missing_docs)]

#[path = "../tests/support/planted/mod.rs"]
mod planted;

use std::path::Path;
use std::process::{Command, Stdio};

use rehref_benches::Group;

const DOCUMENTS: usize = 10_000;

fn audit(site: &Path) -> Command {
    let mut command = Command::new(rehref_benches::program());
    command.arg("audit").arg(site).args(["--url", planted::URL, "--format", "jsonl"]).args([
        "--no-group",
        "--fail-on",
        "never",
        "--quiet",
    ]);
    command
}

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let site = directory.path().join("site");
    std::fs::create_dir(&site).unwrap();
    let planted = planted::generate(&site, DOCUMENTS, 1);
    let output = audit(&site).output().unwrap();
    let findings = planted::compare::findings(&String::from_utf8(output.stdout).unwrap());
    let difference = planted::compare::difference(planted.rows, findings);
    match difference.len() {
        0 => println!("{} documents: all found, and nothing else", planted.documents),
        count => println!("{count} differ:\n{}", difference.join("\n")),
    }
    Group::new("audit", 10).measure("a planted site of 10,000 documents", || {
        let status = audit(&site).stdout(Stdio::null()).status().unwrap();
        assert!(status.success());
    });
}
