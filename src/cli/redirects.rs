//! Writes the redirects of a move or expects them, and warns of redirects that a format cannot express.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{CliError, Exit};
use super::moved_corpus::{FileChange, MovedCorpus};
use super::redirect_destination::{Place, RedirectDestination};
use super::redirect_rules::rules_in_site;
use super::redirect_warnings::{warn_of_moves, warn_of_rules};
use super::rule_warnings::{self, with_added};
use super::{files, front_matter_redirects, redirect_pages, terminal};
use rehref_corpus::Corpus;
use rehref_corpus::output::write_file;
use rehref_corpus::run::Plan;
use rehref_corpus::run::plan::Mode;
use rehref_site::Moves;
use rehref_site::SiteUrl;
use rehref_site::plural::counted;
use rehref_site::redirects::{RedirectWriter, without_lines};
use rehref_verify::report::FileDifferences;
use rehref_verify::{Added, AddedText, other_end};

/// The redirects that `move` writes.
#[derive(Default)]
pub(super) struct ExpectedRedirects {
    /// In the tree: the text at the end of the file of rules, or a page at each old path.
    pub(super) added: AddedText,
    /// A file elsewhere, whether it has the redirects, if its rules tell, or else the text at its end.
    elsewhere: Option<(PathBuf, Option<bool>, Vec<u8>)>,
}

/// The redirects that `move` writes to `destination` for the redirects of `moves`, if the new tree is at `root`.
pub(super) fn expected(
    destination: &RedirectDestination,
    corpus: &Corpus,
    moves: &Moves,
    new_url: &SiteUrl,
    root: &Path,
) -> Result<ExpectedRedirects, CliError> {
    destination.refuse_other_generator(corpus)?;
    let mut expected = ExpectedRedirects::default();
    let rules = rules_in_site(corpus)?;
    let moved = MovedCorpus::new(corpus, moves, new_url);
    let (found, _) = moved.redirects(&rules)?;
    let format = destination.format;
    match format.writer {
        RedirectWriter::Pages => {
            for page in redirect_pages::expected(corpus, moves, &found) {
                let added = Added { text: page.html.into_bytes(), ..Added::default() };
                expected.added.insert(page.path, added);
            }
            return Ok(expected);
        }
        RedirectWriter::FrontMatter(list) => {
            expected.added = front_matter_redirects::expected(list, corpus, &found.pages);
            return Ok(expected);
        }
        _ => {}
    }
    let place = destination.place(root);
    let change = moved.change(format, &place, found)?;
    match place {
        Place::Stdout => {}
        Place::InTree(path) => {
            let added = Added {
                text: change.text().text,
                without_lines: change.rules.removed_lines,
                edited: None,
            };
            expected.added.insert(path, added);
        }
        Place::Elsewhere(file) => {
            let is_complete = (!format.is_whole()).then(|| change.is_done());
            expected.elsewhere = Some((file.to_owned(), is_complete, change.text().text));
        }
    }
    Ok(expected)
}

impl ExpectedRedirects {
    /// The difference between the file elsewhere, if there is one, and what `move` writes to it.
    pub(super) fn difference_elsewhere(&self) -> Result<Option<FileDifferences>, CliError> {
        let Some((file, is_complete, text)) = &self.elsewhere else {
            return Ok(None);
        };
        let written = files::read("--write-redirects", file)?;
        let is_complete = is_complete.unwrap_or_else(|| written.ends_with(text));
        let difference = || FileDifferences {
            path: file.display().to_string(),
            path_before: None,
            count: 1,
            differences: vec![other_end()],
        };
        Ok((!is_complete).then(difference))
    }
}

/// Writes the redirects for the moves of `plan` into its output tree, or to the file of `destination`. A dry run
/// notes how many there are.
pub(super) fn write(plan: &Plan, destination: &RedirectDestination) -> Result<Exit, CliError> {
    let format = destination.format;
    let tree = plan.mode.new_tree();
    let rules = rules_in_site(&plan.corpus)?;
    let moved = MovedCorpus::of_plan(plan);
    let (found, renamed) = moved.redirects(&rules)?;
    warn_of_moves(plan, destination, &found, &renamed);
    if format.is_of_many_files() {
        let exit = rule_warnings::warn(plan, &moved, None)?;
        let count = match (format.writer, tree) {
            (RedirectWriter::FrontMatter(list), _) => {
                front_matter_redirects::write(list, plan, tree, &found.pages)?
            }
            (_, Some(tree)) => redirect_pages::write(plan, tree, &found)?,
            (_, None) => redirect_pages::expected(&plan.corpus, &plan.moves, &found).len(),
        };
        if tree.is_none() {
            note_planned(count, None);
        }
        return Ok(exit);
    }
    // The tree that takes the place of SITE gets a file in SITE, since SITE must not change before that.
    let root = match (&plan.mode, tree) {
        (Mode::Exchange(_), _) | (_, None) => &*plan.corpus.root,
        (_, Some(tree)) => tree.root(),
    };
    let place = destination.place(root);
    let all = found.redirects.len() + found.of_rules.len();
    let change = moved.change(format, &place, found)?;
    let exit = warn_of_rules(plan, &moved, destination, &place, &change)?;
    let written = change.text();
    let file = destination.shown();
    let shown = file.map_or("stdout".to_owned(), |file| file.display().to_string());
    let Some(tree) = tree else {
        note_removed(&change, &shown, true);
        note_planned(written.written, file.filter(|it| *it != Path::new("-")));
        return Ok(exit);
    };
    let path = match place {
        Place::Stdout => {
            terminal::print(&written.text)?;
            return Ok(exit);
        }
        Place::InTree(below) => tree.root().join(below),
        Place::Elsewhere(file) => file.to_owned(),
    };
    let how = edit(plan, &path, &change.rules.removed_lines, &written.text)?;
    note_removed(&change, &shown, false);
    let known = all - change.rules.added.len() - change.rules.conflicts.len();
    let (count, how) = match written.written {
        0 => (known, Edited::Known),
        written => (written, how),
    };
    let redirects = counted(count, "redirect");
    if count > 0 {
        terminal::note(match how {
            Edited::New => format!("{redirects} written to {shown}"),
            Edited::Added => format!("{redirects} added to the end of {shown}"),
            Edited::Known => format!("{shown} already has {redirects} of this move"),
        });
    }
    Ok(exit)
}

fn note_planned(count: usize, file: Option<&Path>) {
    let redirects = counted(count, "redirect");
    let place = file.map_or(String::new(), |file| format!(" to {}", file.display()));
    terminal::note(format!("{redirects} would be written{place}"));
}

/// Notes the rules of earlier moves that this move undoes.
fn note_removed(change: &FileChange<'_>, file: &str, is_dry_run: bool) {
    let count = change.rules.removed_rules;
    if count > 0 {
        let rules = counted(count, "rule");
        let (have, targets) = match count {
            1 => ("was", "its target moved back to the old URL"),
            _ => ("were", "their targets moved back to the old URLs"),
        };
        let have = if is_dry_run { "would be" } else { have };
        terminal::note(format!("{rules} of earlier moves {have} removed from {file}: {targets}"));
    }
}

/// The outcome of the redirects for a file.
enum Edited {
    New,
    Added,
    /// The file has them already.
    Known,
}

/// Removes lines of the file `path` and appends `text`, or creates it.
fn edit(
    plan: &Plan,
    path: &Path,
    removed_lines: &[usize],
    text: &[u8],
) -> Result<Edited, CliError> {
    let existing = match fs::read(path) {
        Ok(existing) => existing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(CliError::io(path.display())(source)),
    };
    // The same move was run before, into the same directory.
    if removed_lines.is_empty() && !existing.is_empty() && existing.ends_with(text) {
        return Ok(Edited::Known);
    }
    let contents = with_added(&without_lines(&existing, removed_lines), text);
    // A new file gets owner and mode of the site's first file, or else of its root.
    let first = plan.corpus.files().next().unwrap_or(Path::new(""));
    let like = fs::metadata(path)
        .or_else(|_| fs::metadata(plan.corpus.root.join(first)))
        .map_err(CliError::io(path.display()))?;
    write_file(path, &contents, &like)?;
    Ok(if existing.is_empty() { Edited::New } else { Edited::Added })
}
