//! A site with every kind of defect planted at known places: the audit finds all, and nothing else.

use std::collections::BTreeMap;

use rehref::Check;
use serde_json::Value;

use crate::planted::{Planted, Row, URL, compare};
use crate::support::TestDir;

const SEEDS: [u64; 3] = [1, 2, 20_261_121];
const DOCUMENTS: usize = 220;

fn site(seed: u64) -> (TestDir, Planted) {
    let dir = TestDir::new();
    let root = dir.path("site");
    std::fs::create_dir(&root).unwrap();
    let planted = crate::planted::generate(&root, DOCUMENTS, seed);
    assert_eq!(planted.documents, DOCUMENTS);
    (dir, planted)
}

#[track_caller]
fn assert_found(planted: impl IntoIterator<Item = Row>, found: impl IntoIterator<Item = Row>) {
    let lines = compare::difference(planted, found);
    let count = lines.len();
    assert!(lines.is_empty(), "{count} differ:\n{}", lines.join("\n"));
}

fn audit(dir: &TestDir, more: &[&str]) -> Vec<Row> {
    let mut arguments = vec!["audit", "site", "--url", URL, "--format", "jsonl"];
    arguments.extend(["--no-group", "--fail-on", "never", "--quiet"]);
    arguments.extend(more);
    let run = dir.rehref(&arguments).status(0);
    compare::findings(&run.stdout())
}

#[test]
fn every_check_is_planted() {
    let (_dir, planted) = site(SEEDS[0]);
    for check in Check::all().filter(|check| check.is_default()) {
        let is_planted = planted.rows.iter().any(|row| row.check == check.id());
        // Of scripts, of archives, of the whole site, and of Markdown.
        let others = [
            Check::ScriptFragment,
            Check::NotArchived,
            Check::OtherUrl,
            Check::UndefinedReference,
            Check::UnusedDefinition,
        ];
        assert!(is_planted || others.contains(&check), "{check}");
    }
}

/// Whether it is no finding though `links` finds no file: it is a `base`, its author marked it, or
/// something else than a file of that name is there.
fn is_missing_on_purpose(row: &Row) -> bool {
    const REFERENCES: &[&str] = &[
        "covered.html", "/moved/old-page.html", "/latest/index.html", "/broken/gone.png",
        "/broken/circle.png", "../broken/absolute.css",
    ];
    let reference = row.reference.as_deref().unwrap_or_default();
    row.element == "base" || REFERENCES.contains(&reference)
}

/// Checks whose findings are not at a link.
const NOT_LINKS: &[&str] =
    &["duplicate-id", "missing-url", "unclosed-quote", "unread-refresh", "wrong-integrity"];

/// The planted references are the references of the site: `links` has a reference at each place, and all that
/// leads to no file of the site is planted.
#[test]
fn planted_references_are_there() {
    for seed in SEEDS {
        let (dir, planted) = site(seed);
        let run = dir
            .rehref(&["links", "site", "--url", URL, "--quiet"])
            // Malformed documents are planted, too.
            .status(1);
        let mut found = BTreeMap::new();
        for record in compare::records(&run.stdout()) {
            let is_missing = record["found"] == Value::Bool(false);
            found.insert(compare::row("", &record), is_missing);
        }
        let mut absent = Vec::new();
        for row in planted.rows.iter().chain(&planted.muted) {
            if row.line.is_none() || NOT_LINKS.contains(&row.check.as_str()) {
                continue;
            }
            let unchecked = Row { check: String::new(), ..row.clone() };
            match found.get_mut(&unchecked) {
                Some(is_missing) => *is_missing = false,
                None => absent.push(row),
            }
        }
        assert!(absent.is_empty(), "{absent:#?}");
        let unplanted: Vec<&Row> = found
            .iter()
            .filter(|(row, is_missing)| **is_missing && !is_missing_on_purpose(row))
            .map(|(row, _)| row)
            .collect();
        assert!(unplanted.is_empty(), "{unplanted:#?}");
    }
}

#[test]
fn all_is_found_and_nothing_else() {
    for seed in SEEDS {
        let (dir, planted) = site(seed);
        assert_found(planted.rows, audit(&dir, &[]));
    }
}

#[test]
fn orphans_are_found_and_nothing_else() {
    let (dir, planted) = site(SEEDS[0]);
    let all = planted.rows.into_iter().chain(planted.orphans);
    assert_found(all, audit(&dir, &["--entry", "index.html"]));
}

#[test]
fn fragments_of_scripts_are_one_note_each() {
    let (dir, _) = site(SEEDS[0]);
    let found = audit(&dir, &[]);
    let notes = found.iter().filter(|row| row.check == "script-fragment");
    let count = notes.count();
    assert!((1..=10).contains(&count), "{count}");
}

#[test]
fn what_is_mended_is_gone_and_all_else_is_left() {
    const MENDED: &[&str] = &["wrong-case", "missing-trailing-slash"];
    // Browsers escape these themselves, and find something at the URL.
    const ESCAPED: &[&str] = &[
        "/my page.html",
        "/img\\logo.png",
        "/img/lo\tgo.png",
        "/img/lo\ngo.png",
        "https://other.example/a b",
        "https://other.example/?\"x\"",
    ];
    let (dir, planted) = site(SEEDS[0]);
    let arguments = ["audit", "site", "--url", URL, "--fix", "--in-place"];
    let fail_on = ["--fail-on", "never", "--quiet"];
    dir.rehref(&[&arguments[..], &fail_on].concat()).status(0);
    // What stands behind something that is mended moves in its line, and behind a line break that is gone to another one.
    let has_break = |row: &&Row| row.reference.as_ref().is_some_and(|it| it.contains('\n'));
    let broken: Vec<String> =
        planted.rows.iter().filter(has_break).map(|row| row.document.clone()).collect();
    let without_column = |row: Row| {
        let line = row.line.filter(|_| !broken.contains(&row.document));
        Row { column: None, line, ..row }
    };
    let is_left = |row: &Row| match row.check.as_str() {
        "not-in-grammar" => !ESCAPED.contains(&row.reference.as_deref().unwrap_or_default()),
        check => !MENDED.contains(&check),
    };
    let left = planted.rows.into_iter().filter(is_left);
    let found = audit(&dir, &[]).into_iter().map(without_column);
    assert_found(left.map(without_column), found);
}
