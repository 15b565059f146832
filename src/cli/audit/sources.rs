//! `--sources DIR`: the files that the site was built from.

use std::path::Path;

use crate::cli::command_line::is_given;
use crate::cli::exit::{CliError, usage_error};
use crate::cli::{place, terminal};
use rehref_audit::Finding;
use rehref_audit::sources::{self, SourceTree};
use rehref_corpus::Corpus;

/// Refuses a DIR that is not a directory.
pub(super) fn check(directory: &Path) -> Result<(), CliError> {
    if directory.is_dir() {
        return Ok(());
    }
    let exists = directory.exists();
    let nearest = if exists { None } else { place::nearest_name(directory) };
    let problem = if exists { "not a directory" } else { "no such directory" };
    let advice = nearest.map_or_else(
        || "pass the directory of the files that the site was built from".to_owned(),
        |nearest| format!("did you mean {nearest}?"),
    );
    usage_error(format!("--sources {}: {problem}\nhelp: {advice}", directory.display()))
}

/// DIR as reports show it.
pub(super) fn name(directory: &Path) -> String {
    directory.to_string_lossy().into_owned()
}

/// Finds the places of `findings` in `directory`, of which the site has those in `published` elsewhere, and notes how
/// many were found.
pub(super) fn locate(
    findings: &mut [Finding],
    directory: &Path,
    published: Vec<(String, String)>,
    corpus: &Corpus,
) {
    if findings.is_empty() {
        return;
    }
    let tree = SourceTree::list(directory, &name(directory), &corpus.root).published(published);
    sources::locate(findings, corpus, &tree);
    let sources = findings.iter().filter_map(|finding| finding.source.as_ref());
    let found = sources.count();
    let shown = directory.display();
    let option = match is_given("build") {
        true => "--build".to_owned(),
        false => format!("--sources {shown}"),
    };
    match found {
        0 if tree.is_empty() => terminal::warning(format!(
            "--sources {shown}: no text files, such as Markdown, in this directory\nhelp: pass the directory that the site was built from"
        )),
        0 => terminal::note(format!(
            "{option}: no finding has a certain line in {shown}; the report shows the built pages"
        )),
        found => terminal::note(format!(
            "{option}: findings with their lines in {shown}: {found} of {}",
            findings.len()
        )),
    }
}
