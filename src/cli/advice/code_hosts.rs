//! Advice on reports whose paths a code host does not know.

use super::Advice;
use crate::cli::audit::arguments::{Format, ReportArguments};
use crate::cli::git::Git;
use crate::cli::working_directory::{argument, working_directory};
use rehref_corpus::Corpus;
use rehref_corpus::files::work_tree_of;

/// Advice on the reports that code hosts read: they look for files from the root of the repository.
pub(in crate::cli) fn of_reports(arguments: &ReportArguments, corpus: &Corpus) -> Vec<Advice> {
    let is_of_host = |it: &Format| matches!(it, Format::Github | Format::Gitlab | Format::Sarif);
    if !arguments.format.iter().any(|it| is_of_host(&it.format)) {
        return Vec::new();
    }
    let here = working_directory().unwrap_or_default();
    let other = work_tree_of(&here).filter(|it| *it != here);
    let other = other.map(|work_tree| {
        Advice::Warning(format!(
            "the report has paths from the working directory, but code hosts look for files from the root of the repository\nhelp: run rehref there: cd {}",
            argument(&work_tree)
        ))
    });
    let is_ignored = arguments.sources.is_none()
        && work_tree_of(&corpus.root).is_some()
        && Git::in_folder(&corpus.root).is_ok_and(|git| git.ignores(&corpus.root));
    let ignored = is_ignored.then(|| {
        Advice::Note(format!(
            "git ignores {}, so code hosts cannot show the lines of its files\nhelp: to report the lines of its sources, add --sources DIR",
            argument(&corpus.root)
        ))
    });
    other.into_iter().chain(ignored).collect()
}
