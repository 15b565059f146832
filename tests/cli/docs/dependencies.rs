//! The table of dependencies has a row for each.

use std::collections::BTreeSet;

use super::read;

/// The dependencies of the workspace from elsewhere, each with the comment above it in `Cargo.toml`.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let (mut is_section, mut comment) = (false, String::new());
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_section = line == "[workspace.dependencies]";
        } else if let Some(text) = line.strip_prefix('#') {
            comment += text;
        } else {
            let dependency = line.split_once(" = ").filter(|_| is_section);
            if let Some((name, _)) = dependency.filter(|(_, source)| !source.contains("path")) {
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
    let without_reason = dependencies.iter().filter(|(_, comment)| comment.is_empty());
    let without_reason: Vec<&str> = without_reason.map(|(name, _)| name.as_str()).collect();
    assert_eq!(without_reason, [""; 0]);
}

/// C code comes with `zstd` alone, which is below the crate of documents on disk.
#[test]
fn c_code_is_behind_a_feature() {
    let lock = read("Cargo.lock");
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = "));
    let names = names.map(|name| name.trim_matches('"'));
    // What only describes the system's own interface is no code.
    let described = ["linux-raw-sys", "windows-sys", "js-sys", "web-sys", "core-foundation-sys"];
    let systems = names.filter(|name| name.ends_with("-sys") && !described.contains(name));
    assert_eq!(systems.collect::<Vec<_>>(), ["zstd-sys"]);
    for below in ["url", "generators", "document", "site", "rewrite"] {
        let manifest = read(format!("crates/{below}/Cargo.toml"));
        assert!(!manifest.contains("zstd"), "{below}");
    }
}
