//! The references of real trees: what is relativized resolves back, and what is
//! respelled leads where it should.
//!
//! Looks at some documents of each tree, at all of them where `REHREF_ALL` is set.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{RelativeForm, Url};
use encoding_rs::{UTF_8, WINDOWS_1252};

fn html_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            html_files(&path, found);
        } else if path.to_string_lossy().contains(".htm") {
            found.push(path);
        }
    }
}

/// What stands between the quotes of `href` and `src`, in any letter case.
fn references(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    for mark in ["href=\"", "src=\"", "HREF=\"", "SRC=\""] {
        let ends = html.split(mark).skip(1);
        let values = ends.filter_map(|rest| rest.split_once('"'));
        found.extend(values.map(|(value, _)| value.replace("&amp;", "&")));
    }
    found
}

#[test]
fn references_of_real_trees() {
    let corpora = crate::test_data::corpora();
    let most = match std::env::var_os("REHREF_ALL") {
        Some(_) => usize::MAX,
        None => 12,
    };
    let mut trees: Vec<PathBuf> =
        fs::read_dir(&corpora).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    trees.sort();
    if trees.is_empty() {
        println!("skipped: nothing in {}", corpora.display());
    }
    for tree in trees {
        let mut files = Vec::new();
        html_files(&tree, &mut files);
        files.sort();
        let step = (files.len() / most).max(1);
        let (mut count, mut failures) = (0, 0);
        for file in files.iter().step_by(step) {
            let place = file.strip_prefix(&tree).unwrap_or(file).to_string_lossy();
            let html = String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned();
            for root in ["https://docs.example.org/3/", "file:///usr/share/doc/"] {
                let Ok(base) = Url::parse(&format!("{root}{place}")) else { continue };
                for reference in references(&html) {
                    count += 1;
                    if !try_one(&base, &reference) {
                        failures += 1;
                    }
                }
            }
        }
        println!("{}: {count} references, {failures} without a target", tree.display());
    }
}

fn try_one(base: &Url, reference: &str) -> bool {
    for encoding in [UTF_8, WINDOWS_1252] {
        let target = base.resolve(reference, encoding);
        let Ok(target) = target else { return false };
        for style in RelativeForm::all() {
            let Some(relative) = base.relativize(&target, style) else { continue };
            assert_eq!(
                base.resolve(&relative, UTF_8).as_ref(),
                Ok(&target),
                "{style} {relative} against {base}"
            );
            let result = base.respell(reference, &relative, encoding).apply(reference);
            assert_eq!(
                base.resolve(&result, encoding).as_ref(),
                Ok(&target),
                "{result} from {reference} against {base}"
            );
        }
        let result = base.respell(reference, target.as_str(), encoding).apply(reference);
        assert_eq!(
            base.resolve(&result, encoding).as_ref(),
            Ok(&target),
            "{result} against {base}"
        );
    }
    true
}
