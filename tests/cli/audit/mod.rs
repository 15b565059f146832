//! `rehref audit`, the real binary on real directories.

mod checks;
mod containers;
mod fixing;
mod formats;
mod fragments;
mod options;
#[cfg(unix)]
mod planted;
mod sources;

use crate::support::TestDir;

/// The findings in `site`, a line each: where, the check, the reference and what is suggested.
#[track_caller]
fn found(dir: &TestDir, arguments: &[&str]) -> Vec<String> {
    let lines = json_lines(dir, arguments);
    lines.lines().map(in_short).collect()
}

/// The findings in `site` as JSON, a line each.
#[track_caller]
fn json_lines(dir: &TestDir, arguments: &[&str]) -> String {
    let all = "audit site --format jsonl -q --fail-on never".split(' ');
    let all: Vec<&str> = all.chain(arguments.iter().copied()).collect();
    dir.rehref(&all).status(0).stdout()
}

/// A line of JSON in short.
pub(crate) fn in_short(line: &str) -> String {
    let finding: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let mut short = text("document");
    if let (Some(line), Some(column)) = (finding["line"].as_u64(), finding["column"].as_u64()) {
        short += &format!(":{line}:{column}");
    }
    short += &format!(" {}", text("check"));
    for (before, key) in [(" ", "reference"), (" -> ", "suggestion")] {
        if let Some(value) = finding[key].as_str() {
            short += &format!("{before}{value}");
        }
    }
    short
}

/// Asserts what is found in a site of one page, `index.html`, and other files that are empty.
#[track_caller]
fn assert_found(page: &str, others: &[&str], arguments: &[&str], expected: &[&str]) {
    let mut files: Vec<(&str, &str)> = others.iter().map(|path| (*path, "")).collect();
    files.push(("index.html", page));
    let dir = TestDir::with_site(&files);
    assert_eq!(found(&dir, arguments), expected, "{page}");
}
