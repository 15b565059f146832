use std::collections::BTreeSet;
use std::fs;

use super::TARGETS;
use super::harness::run::{root, run};

#[test]
fn no_target_fails() {
    run(TARGETS);
}

/// Every target has a program for cargo-fuzz.
#[test]
fn programs_are_the_targets() {
    let Ok(manifest) = fs::read_to_string(root().join("fuzz/Cargo.toml")) else {
        println!("skipped: fuzz/ is no part of the package");
        return;
    };
    let (_, programs) = manifest.split_once("[[bin]]").unwrap();
    let names = programs
        .lines()
        .filter_map(|line| line.strip_prefix("name = "));
    let programs: BTreeSet<&str> = names.map(|name| name.trim_matches('"')).collect();
    let targets = TARGETS.iter().map(|target| target.name);
    assert_eq!(programs, targets.collect());
}
