//! `--sources DIR`: the files that the site was built from.

use std::path::Path;

use super::arguments::Arguments;
use crate::cli::advice::Advice;
use crate::cli::command_line::is_given;
use crate::cli::exit::{CliError, usage_error};
use crate::cli::{place, terminal};
use rehref_audit::finding::SourcePlace;
use rehref_audit::sources::{self, SourceTree};
use rehref_audit::{Confidence, Finding};
use rehref_corpus::Corpus;
use rehref_site::canonical;
use rehref_site::plural::number;

/// Refuses a DIR that is not a directory, or is the `site` itself.
pub(super) fn check(directory: &Path, site: &Path) -> Result<(), CliError> {
    if let (Ok(one), Ok(other)) = (canonical(directory), canonical(site))
        && one == other
    {
        return usage_error(format!(
            "--sources {}: this is the site itself\nhelp: pass the directory of the files that the site was built from",
            directory.display()
        ));
    }
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
    let tree = located(findings, directory, published, corpus);
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

/// Sets the places of `findings` in `directory`.
fn located(
    findings: &mut [Finding],
    directory: &Path,
    published: Vec<(String, String)>,
    corpus: &Corpus,
) -> SourceTree {
    let tree = SourceTree::list(directory, &name(directory), &corpus.root).published(published);
    sources::locate(findings, corpus, &tree);
    tree
}

/// Lists the fixes of `findings` that are at least as certain as `least`, with their places in the sources, which a run does not
/// change.
pub(super) fn of_fixes(
    arguments: &Arguments,
    least: Confidence,
    findings: &[Finding],
    corpus: &Corpus,
) -> Vec<Advice> {
    let Some(directory) = &arguments.report.sources else { return Vec::new() };
    let is_fixed = |it: &&Finding| it.fix.as_ref().is_some_and(|fix| fix.confidence >= least);
    let mut fixed: Vec<Finding> = findings.iter().filter(is_fixed).cloned().collect();
    let published = arguments.report.published.clone();
    located(&mut fixed, directory, published, corpus);
    let line = |finding: &Finding| {
        let fix = &finding.fix.as_ref()?.fix;
        let SourcePlace { path, position, .. } = &**finding.source.as_ref()?;
        let position = position.map(|it| format!(":{}:{}", it.line, it.column));
        let position = position.unwrap_or_default();
        Some(format!("{path}{position}: `{}` to `{}`", fix.reference, fix.replacement))
    };
    let lines: Vec<String> = fixed.iter().filter_map(line).collect();
    let others = fixed.len() - lines.len();
    let mut advice = Vec::new();
    if !lines.is_empty() {
        let text = "--fix changes the built pages, and the next build undoes the fixes: change the sources, too:";
        advice.push(Advice::Note(text.to_owned()));
        advice.push(Advice::List(lines, ""));
    }
    if others > 0 {
        let (shown, others) = (directory.display(), number(others));
        advice.push(Advice::Note(format!("fixes without a certain place in {shown}: {others}")));
    }
    advice
}
