//! Options that the documents name exist.

use std::collections::BTreeSet;

use super::{commands, documents, read, stdout};

/// The long options of all commands.
fn options() -> BTreeSet<String> {
    let option = regex::Regex::new("--[a-z][a-z-]*").unwrap();
    let helps = commands().into_iter().map(|(name, _)| stdout(&[&name, "--help"]));
    let helps: String = helps.collect();
    let lines = helps.lines().filter(|line| line.trim_start().starts_with('-'));
    let found = lines.flat_map(|line| option.find_iter(line));
    found.map(|found| found.as_str().to_owned()).collect()
}

/// The options that a document gives to rehref: those that begin a code span, and those of commands
/// in code blocks and code spans.
fn named(text: &str) -> Vec<String> {
    let span = regex::Regex::new("`([^`\n]+)`").unwrap();
    let spans = span.captures_iter(text);
    let spans: Vec<&str> = spans.map(|captures| captures.get(1).unwrap().as_str()).collect();
    let bare = spans.iter().filter(|code| code.starts_with("--"));
    let commands = text.lines().chain(spans.iter().copied()).filter_map(|code| {
        let mut parts = code.split('|');
        parts.find_map(|part| Some(part.split_once("rehref ")?.1))
    });
    let mut named = Vec::new();
    for own in commands.chain(bare.copied()) {
        let words = own.split_whitespace();
        let options = words.map(|word| word.split('=').next().unwrap_or_default());
        let is_option = |word: &&str| {
            let name = word.strip_prefix("--").unwrap_or_default();
            !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '-')
        };
        named.extend(options.filter(is_option).map(str::to_owned));
    }
    named
}

#[test]
fn every_option_in_the_documents_exists() {
    let mut options = options();
    assert!(options.len() > 40, "{options:?}");
    options.extend(["--help", "--version"].map(str::to_owned));
    // These name options of other tools, and of scripts.
    let others = ["docs/guide/other-tools.md", "docs/internals/", "CHANGELOG.md"];
    let mut unknown = Vec::new();
    for document in documents() {
        let name = document.to_str().unwrap();
        if others.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let named = named(&read(&document));
        let mistakes = named.iter().filter(|option| !options.contains(*option));
        unknown.extend(mistakes.map(|option| format!("{name}: {option}")));
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
