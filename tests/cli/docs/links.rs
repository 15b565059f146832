//! Links between the documents lead somewhere, and the book has all of its pages and the README few lines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{documents, read, root};

/// The id that a heading gets, on code hosts as in the book.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ => c.is_alphanumeric().then_some(c),
    });
    kept.collect()
}

/// The lines of a document outside of code blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut is_code = false;
    let outside = |line: &&str| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    text.lines().filter(outside).collect()
}

/// The targets of the links in a document.
fn targets(text: &str) -> Vec<String> {
    let link = regex::Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let code = regex::Regex::new("`[^`]*`").unwrap();
    let prose = prose(text).join("\n");
    let prose = code.replace_all(&prose, "");
    let targets = link.captures_iter(&prose);
    targets.map(|captures| captures[1].to_owned()).collect()
}

/// `path` without its `..` segments.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => assert!(normal.pop(), "{}", path.display()),
            part => normal.push(part),
        }
    }
    normal
}

#[test]
fn every_link_of_the_documents_has_a_target() {
    let mut broken = Vec::new();
    for document in documents() {
        for target in targets(&read(&document)) {
            if target.contains("://") {
                continue;
            }
            let (path, fragment) = target.split_once('#').unwrap_or((&target, ""));
            let file = match path {
                "" => document.clone(),
                path => normal(&document.parent().unwrap().join(path)),
            };
            let is_page = file.extension().is_some_and(|extension| extension == "md");
            // The book is published without the rest of the repository.
            let leaves = document.starts_with("docs") && !file.starts_with("docs");
            let has_anchor = || {
                let text = read(&file);
                let mut lines = prose(&text).into_iter();
                lines.any(|line| line.starts_with('#') && anchor(line) == fragment)
            };
            let exists = root().join(&file).exists();
            if !exists || leaves || is_page && !fragment.is_empty() && !has_anchor() {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_path_in_the_documents_exists() {
    let code = regex::Regex::new(r"`([^`\s]+)[^`]*`").unwrap();
    let mut missing = Vec::new();
    for document in documents() {
        let prose = prose(&read(&document)).join("\n");
        for captures in code.captures_iter(&prose) {
            let path = captures[1].split("::").next().unwrap();
            let folder = path.split_once('/').map_or("", |(folder, _)| folder);
            let ours = ["src", "tests", "benches", "fuzz", "docs", ".ci"].contains(&folder);
            if ours && !path.contains(['*', '<']) && !root().join(path).exists() {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_summary_of_the_book_lists_every_page_once() {
    let docs = Path::new("docs");
    let mut listed = BTreeSet::new();
    for target in targets(&read("docs/SUMMARY.md")) {
        assert!(listed.insert(docs.join(&target)), "{target} is there twice");
    }
    let pages = documents().into_iter().filter(|path| {
        path.starts_with(docs) && path.file_name().is_some_and(|name| name != "SUMMARY.md")
    });
    let pages: BTreeSet<PathBuf> = pages.collect();
    assert_eq!(pages, listed);
}

#[test]
fn the_readme_is_short() {
    assert!(read("README.md").len() < 10_000, "the book has room");
}

#[test]
fn headings_have_the_ids_of_code_hosts() {
    assert_eq!(anchor("## base-late: a `base` after a link"), "base-late-a-base-after-a-link");
    assert_eq!(anchor("### `--fail-on <LEVEL>`"), "--fail-on-level");
}
