use std::collections::BTreeSet;
use std::fs;

use super::TARGETS;
use super::harness::run::run;
use crate::test_data::root;

#[test]
fn no_target_fails() {
    run(TARGETS, root());
}

/// Every target has a program for cargo-fuzz.
#[test]
fn programs_are_the_targets() {
    let Ok(manifest) = fs::read_to_string(root().join("fuzz/Cargo.toml")) else {
        println!("skipped: fuzz/ is not a part of the package");
        return;
    };
    let (_, programs) = manifest.split_once("[[bin]]").unwrap();
    let names = programs.lines().filter_map(|line| line.strip_prefix("name = "));
    let programs: BTreeSet<&str> = names.map(|name| name.trim_matches('"')).collect();
    // The targets of the crates below are compiled for their own tests only.
    let crates =
        ["src", "crates/corpus/src", "crates/document/src", "crates/site/src", "crates/url/src"];
    let sources = crates.map(|it| fs::read_to_string(root().join(it).join("fuzzing.rs")).unwrap());
    let rows = sources.iter().flat_map(|source| source.split("Target { name: \"").skip(1));
    let targets = rows.map(|row| row.split('"').next().unwrap());
    assert_eq!(programs, targets.collect());
}
