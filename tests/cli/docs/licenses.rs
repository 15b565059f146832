//! The page of licences names what is in the program. `INSTA_UPDATE=always` writes its table, for which cargo needs the
//! crates of all platforms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{read, stdout, updates, write};

const PAGE: &str = "docs/reference/licenses.md";

/// The last line of the head of the table.
const HEAD: &str = "|---|---|---|\n";

/// Crates, each with its version, and the licence of each.
type Licences = BTreeMap<(String, String), String>;

/// The rows of the page.
fn rows() -> Licences {
    let page = read(PAGE);
    let (_, rows) = page.split_once(HEAD).unwrap();
    let cells = rows.lines().map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, version, licence] = cells[..] else {
            panic!("{row}");
        };
        ((name.to_owned(), version.to_owned()), licence.to_owned())
    });
    cells.collect()
}

/// The platform that the tests run on.
fn host() -> String {
    let rustc = Command::new("rustc").arg("-vV").output().unwrap();
    let rustc = String::from_utf8(rustc.stdout).unwrap();
    let mut lines = rustc.lines();
    let host = lines.find_map(|line| line.strip_prefix("host: "));
    host.unwrap().to_owned()
}

/// The crates that cargo, with these `options`, links into the program of a package, without macros.
fn linked(options: &[&str]) -> Licences {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--locked", "--features=parquet"])
        .args(options)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let data: Value = serde_json::from_slice(&output.stdout).unwrap();
    let by_id = |list: &Value| -> BTreeMap<String, Value> {
        let entries = list.as_array().unwrap().iter();
        let entries = entries.map(|it| (it["id"].as_str().unwrap().to_owned(), it.clone()));
        entries.collect()
    };
    let (packages, nodes) = (by_id(&data["packages"]), by_id(&data["resolve"]["nodes"]));
    let root = data["resolve"]["root"].as_str().unwrap();
    let (mut seen, mut todo) = (BTreeSet::new(), vec![root.to_owned()]);
    while let Some(id) = todo.pop() {
        let package = &packages[&id];
        if package["targets"].to_string().contains("\"proc-macro\"") || !seen.insert(id.clone()) {
            continue;
        }
        for dependency in nodes[&id]["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            if kinds.iter().any(|kind| kind["kind"].is_null()) {
                todo.push(dependency["pkg"].as_str().unwrap().to_owned());
            }
        }
    }
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    // Those of the workspace have no source.
    let packages = seen.iter().map(|id| &packages[id]);
    let packages = packages.filter(|package| !package["source"].is_null());
    let rows = packages.map(|package| {
        let licence = text(package, "license").replace('/', " OR ");
        ((text(package, "name"), text(package, "version")), licence)
    });
    rows.collect()
}

#[test]
fn the_page_of_licences_names_every_crate() {
    if updates() {
        let page = read(PAGE);
        let (before, _) = page.split_once(HEAD).unwrap();
        let rows = linked(&[]).into_iter();
        let rows =
            rows.map(|((name, version), licence)| format!("| {name} | {version} | {licence} |\n"));
        write(Path::new(PAGE), &[before, HEAD, &rows.collect::<String>()].concat());
    }
    let linked = linked(&["--offline", "--filter-platform", &host()]);
    let rows = rows();
    assert!(linked.len() > 100);
    let wrong = linked.iter().filter(|(name, licence)| rows.get(name) != Some(licence));
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "INSTA_UPDATE=always writes {PAGE}: {wrong:?}");
    let lock = read("Cargo.lock");
    for (name, version) in rows.keys() {
        let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&entry), "INSTA_UPDATE=always writes {PAGE}: {name} {version}");
    }
}

#[test]
fn the_version_tells_the_commit_and_what_is_in_the_program() {
    let line = stdout(&["--version"]);
    assert!(line.starts_with("rehref 0."), "{line}");
    assert_eq!(stdout(&["-V"]), line);
    for words in [&["--version", "--verbose"][..], &["-v", "-V"], &["-vV"]] {
        let details = stdout(words);
        assert!(details.starts_with(&line), "{details}");
        for (name, version) in rows().keys() {
            let is_row = |row: &str| row.split_whitespace().take(2).eq([name, version]);
            assert!(details.lines().any(is_row), "{name} {version}");
        }
    }
}
