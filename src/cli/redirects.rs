//! Writes the redirects of a move or expects them, and warns of redirects that a format cannot express.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{CliError, Exit};
use super::moved_corpus::{FileChange, MovedCorpus};
use super::redirect_destination::{Place, RedirectDestination};
use super::redirect_pages::{self, pages};
use super::redirect_rules::rules_in_site;
use super::redirect_warnings::{warn_of_moves, warn_of_rules};
use super::rule_warnings::{self, with_added};
use super::{files, front_matter_redirects, terminal};
use rehref_corpus::Corpus;
use rehref_corpus::output::write_file;
use rehref_corpus::run::Plan;
use rehref_corpus::run::plan::Mode;
use rehref_site::Moves;
use rehref_site::SiteUrl;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::{RedirectWriter, without_lines};
use rehref_verify::report::FileDifferences;
use rehref_verify::{Added, AddedText, other_end};
use rustc_hash::FxHashSet;

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
    if format.is_pages() {
        let taken: FxHashSet<PathBuf> = corpus.files().map(|it| moves.counterpart(it)).collect();
        let sources = redirect_pages::sources(corpus);
        for page in pages(&found, sources, |path| taken.contains(path)).pages {
            let added = Added { text: page.html.into_bytes(), ..Added::default() };
            expected.added.insert(page.path, added);
        }
        return Ok(expected);
    }
    if format.is_of_many_files() {
        expected.added = front_matter_redirects::expected(corpus, &found.pages, format.writer);
        return Ok(expected);
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

/// Notes how many redirects a run writes that this dry run stands for.
pub(super) fn announce(plan: &Plan, destination: &RedirectDestination) -> Result<Exit, CliError> {
    let RedirectDestination { format, file } = destination;
    let rules = rules_in_site(&plan.corpus)?;
    let moved = MovedCorpus::of_plan(plan);
    let (found, renamed) = moved.redirects(&rules)?;
    warn_of_moves(plan, destination, &found, &renamed);
    let (redirects, exit) = match format.writer {
        RedirectWriter::Pages => {
            let exit = rule_warnings::warn(plan, None)?;
            (redirect_pages::count(plan, &found), exit)
        }
        RedirectWriter::FrontMatter { .. } => {
            let exit = rule_warnings::warn(plan, None)?;
            let count = front_matter_redirects::count(plan, &found.pages, format.writer);
            (count, exit)
        }
        _ => {
            let place = destination.place(&plan.corpus.root);
            let change = moved.change(format, &place, found)?;
            let exit = warn_of_rules(plan, destination, &place, &change)?;
            note_removed(&change, &shown(destination, &place), "would be removed");
            (change.text().written, exit)
        }
    };
    let redirects = counted(redirects, "redirect");
    let place = match file.as_deref().or(format.file.map(Path::new)) {
        Some(file) if file != Path::new("-") => format!(" to {}", file.display()),
        _ => String::new(),
    };
    terminal::note(format!("{redirects} would be written{place}"));
    Ok(exit)
}

/// Writes the redirects for the moves of `plan` into its output tree, or to the file of
/// `destination`.
pub(super) fn write(plan: &Plan, destination: &RedirectDestination) -> Result<Exit, CliError> {
    let format = destination.format;
    let Some(tree) = plan.mode.new_tree() else {
        return Ok(Exit::Done);
    };
    let rules = rules_in_site(&plan.corpus)?;
    let moved = MovedCorpus::of_plan(plan);
    let (found, renamed) = moved.redirects(&rules)?;
    warn_of_moves(plan, destination, &found, &renamed);
    if format.is_pages() {
        let exit = rule_warnings::warn(plan, None)?;
        redirect_pages::write(plan, tree, &found)?;
        return Ok(exit);
    }
    if format.is_of_many_files() {
        let exit = rule_warnings::warn(plan, None)?;
        front_matter_redirects::write(tree, &found.pages, format.writer)?;
        return Ok(exit);
    }
    // The tree that takes the place of SITE gets a file in SITE, since SITE must not change before that.
    let root = match &plan.mode {
        Mode::Exchange(_) => &*plan.corpus.root,
        _ => tree.root(),
    };
    let place = destination.place(root);
    let all = found.redirects.len() + found.of_rules.len();
    let change = moved.change(format, &place, found)?;
    let exit = warn_of_rules(plan, destination, &place, &change)?;
    let written = change.text();
    let shown = shown(destination, &place);
    let path = match place {
        Place::Stdout => {
            terminal::print(&written.text)?;
            return Ok(exit);
        }
        Place::InTree(below) => tree.root().join(below),
        Place::Elsewhere(file) => file.to_owned(),
    };
    let how = edit(plan, &path, &change.rules.removed_lines, &written.text)?;
    note_removed(&change, &shown, "removed");
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

/// The file that gets the redirects, as messages name it.
fn shown(destination: &RedirectDestination, place: &Place<'_>) -> String {
    let file = destination.file.as_deref();
    let file = file.or(destination.format.file.map(Path::new));
    match (file, place) {
        (Some(file), _) => file.display().to_string(),
        (None, Place::InTree(file)) => display_path(file),
        (None, Place::Elsewhere(file)) => file.display().to_string(),
        (None, Place::Stdout) => "stdout".to_owned(),
    }
}

/// Notes the rules of earlier moves that this move undoes.
fn note_removed(change: &FileChange<'_>, file: &str, removed: &str) {
    let count = change.rules.removed_rules;
    if count > 0 {
        let rules = counted(count, "rule");
        let (have, targets) = match count {
            1 => ("was", "its target moved back to the old URL"),
            _ => ("were", "their targets moved back to the old URLs"),
        };
        let removed = match removed.strip_prefix("would be ") {
            Some(_) => removed.to_owned(),
            None => format!("{have} {removed}"),
        };
        terminal::note(format!("{rules} of earlier moves {removed} from {file}: {targets}"));
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
