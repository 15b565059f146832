//! The table of dependencies has a row for each.

use std::collections::BTreeSet;

use super::read;

/// The direct dependencies of `Cargo.toml`, each with the comment above it.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut is_section, mut comment) = (false, String::new());
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_section = line.ends_with("dependencies]");
        } else if let Some(text) = line.strip_prefix('#') {
            comment += text;
        } else {
            if let Some((name, _)) = line.split_once(" = ").filter(|_| is_section) {
                found.push((name.to_owned(), std::mem::take(&mut comment)));
            }
            comment.clear();
        }
    }
    found
}

#[test]
fn every_dependency_has_a_reason_and_a_row() {
    let manifest = read("Cargo.toml");
    let dependencies = dependencies(&manifest);
    assert!(dependencies.len() > 30);
    let names = dependencies.iter().map(|(name, _)| name.as_str());
    let page = read("docs/internals/dependencies.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| [`"));
    let rows: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    assert_eq!(names.collect::<BTreeSet<_>>(), rows);
    let without_reason = dependencies
        .iter()
        .filter(|(_, comment)| comment.is_empty());
    let without_reason: Vec<&str> = without_reason.map(|(name, _)| name.as_str()).collect();
    assert_eq!(without_reason, [""; 0]);
}

/// C code comes with `zstd` alone, which the feature `archives` brings.
#[test]
fn c_code_is_behind_a_feature() {
    let lock = read("Cargo.lock");
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = "));
    let names = names.map(|name| name.trim_matches('"'));
    // What only describes the system's own interface is no code.
    let described = [
        "linux-raw-sys",
        "windows-sys",
        "js-sys",
        "web-sys",
        "core-foundation-sys",
    ];
    let systems = names.filter(|name| name.ends_with("-sys") && !described.contains(name));
    assert_eq!(systems.collect::<Vec<_>>(), ["zstd-sys"]);
    let manifest = read("Cargo.toml");
    let zstd = manifest.lines().find(|line| line.starts_with("zstd = "));
    assert!(zstd.is_some_and(|line| line.contains("optional = true")));
}
