//! Writes the redirects of a move or expects them, and warns of redirects that a format cannot express.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{CliError, Exit, usage_error};
use super::moved_corpus::{FileChange, MovedCorpus};
use super::redirect_pages::{self, pages};
use super::rule_warnings::{self, AddedRules, with_added};
use super::server::rules_in_site;
use super::site_url::without_placeholder;
use super::summary::first_paths;
use super::{files, front_matter_redirects, terminal};
use crate::corpus::Corpus;
use crate::diagnostic::display_path;
use crate::document::DocumentKind;
use crate::moves::Moves;
use crate::moves::redirects::{
    FORMATS, MoveRedirects, RedirectFormat, RedirectWriter, without_lines,
};
use crate::output::write_file;
use crate::plural::{counted, number};
use crate::rewrite::Plan;
use crate::rewrite::plan::Mode;
use crate::site::{RedirectRule, RulePlace, SiteUrl, named_document_kind};
use crate::verify::report::FileDifferences;
use crate::verify::{Added, AddedText, other_end};
use rustc_hash::FxHashSet;

/// The value of `--write-redirects`.
#[derive(Clone, Debug)]
pub(super) struct RedirectDestination {
    format: &'static RedirectFormat,
    /// The file to write to (`-` for stdout) instead of the format's usual place.
    file: Option<PathBuf>,
}

impl RedirectDestination {
    /// Refuses a file that cannot be written, before the run takes its time.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let Some(file) = self.file.as_deref().filter(|_| !self.is_stdout()) else {
            return Ok(());
        };
        let name = format!("--write-redirects {}={}", self.format.name, file.display());
        files::check_place(&name, file)?;
        let has_text = file.metadata().is_ok_and(|it| it.is_file() && it.len() > 0);
        if self.format.is_whole() && has_text {
            return usage_error(match self.format.writer {
                RedirectWriter::Configuration(_) => format!(
                    "{name}: this file exists, and rehref does not add to the configuration of a generator; give \
                     another file, or none, and copy the settings"
                ),
                _ => format!(
                    "{name}: this file exists, and nothing can be added to a list in JSON; give another file, and keep this one: it has the \
                     redirects of earlier moves"
                ),
            });
        }
        let is_page = named_document_kind(file)
            .is_some_and(|kind| !matches!(kind, DocumentKind::Redirects(_)));
        match is_page && file.exists() {
            true => usage_error(format!(
                "{name}: this file is a document; give a file for the rules"
            )),
            false => Ok(()),
        }
    }

    /// Where the redirects go for the tree at `root`, a canonical path.
    fn place(&self, root: &Path) -> Place<'_> {
        match (self.file.as_deref(), self.format.file) {
            _ if self.is_stdout() => Place::Stdout,
            (Some(file), _) => match files::path_below(root, file) {
                Some(below) => Place::InTree(below),
                None => Place::Elsewhere(file),
            },
            (None, Some(file)) => Place::InTree(file.into()),
            (None, None) => Place::Stdout,
        }
    }

    /// Whether the redirects go to stdout, also those of a format without a usual place.
    pub(super) fn is_stdout(&self) -> bool {
        match &self.file {
            Some(file) => file == Path::new("-"),
            None => !self.format.is_of_many_files() && self.format.file.is_none(),
        }
    }

    /// Refuses the format of a generator that does not read the documents of `corpus`.
    pub(super) fn refuse_other_generator(&self, corpus: &Corpus) -> Result<(), CliError> {
        let Some(generator) = self.format.generator else {
            return Ok(());
        };
        let read = corpus.selection.markdown;
        if read == Some(generator) {
            return Ok(());
        }
        let (name, row) = (self.format.name, generator.row());
        let program = row.program;
        let read = match read {
            Some(other) => format!("the Markdown of SITE is read for {}", other.row().program),
            None => "SITE is not read as Markdown".to_owned(),
        };
        usage_error(format!(
            "--write-redirects {name}: {program} reads this format, and {read}; if {program} publishes SITE, add \
             --markdown {}",
            row.name
        ))
    }
}

/// Where redirects go.
pub(super) enum Place<'d> {
    Stdout,
    /// To the file at this path below the root of the tree.
    InTree(PathBuf),
    Elsewhere(&'d Path),
}

/// Parses `FORMAT` or `FORMAT=FILE`.
pub(super) fn destination(given: &str) -> Result<RedirectDestination, String> {
    let (name, file) = match given.split_once('=') {
        Some((name, file)) => (name, Some(file)),
        None => (given, None),
    };
    let Some(format) = FORMATS.iter().find(|row| row.name == name) else {
        let names: Vec<&str> = FORMATS.iter().map(|row| row.name).collect();
        let names = names.join(", ");
        return Err(match given.contains(['.', '/']) && file.is_none() {
            true => format!(
                "to write to this file, also give a format, like nginx={given}; formats: {names}"
            ),
            false => format!("give a format: {names}"),
        });
    };
    match file {
        Some(_) if format.is_pages() => Err(format!(
            "the format {name} writes a page at each old path; give {name} without a file"
        )),
        Some(_) if format.is_of_many_files() => Err(format!(
            "the format {name} changes the front matter of moved documents; give {name} without a file"
        )),
        Some("") => Err(format!("give a file after {name}=, or - for stdout")),
        _ => Ok(RedirectDestination {
            format,
            file: file.map(PathBuf::from),
        }),
    }
}

/// The long help of `--write-redirects`.
pub(super) fn help() -> String {
    let rows = FORMATS
        .iter()
        .map(|row| format!("\n- {}: {}", row.name, row.help));
    format!(
        "Write redirects from every old URL to the new URL, in the format of the site's server or generator\n\n\
         =FILE writes to FILE (- for stdout) instead of the usual place of the format. Formats:\n{}",
        rows.collect::<String>()
    )
}

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
            let added = Added {
                text: page.html.into_bytes(),
                ..Added::default()
            };
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
        terminal::note(format!(
            "{rules} of earlier moves {removed} from {file}: {targets}"
        ));
    }
}

/// Warns of rules that are wrong after a move without redirects, and notes those whose old paths it drops.
pub(super) fn warn_without(plan: &Plan) -> Result<Exit, CliError> {
    let rules = rules_in_site(&plan.corpus)?;
    if rules.is_empty() {
        return Ok(Exit::Done);
    }
    let (found, _) = MovedCorpus::of_plan(plan).redirects(&rules)?;
    if !found.of_rules.is_empty() {
        let paths = counted(found.of_rules.len(), "old URL");
        terminal::note(format!(
            "{paths} that rules redirected, such as {}, no longer redirect: their rules moved with the directory; \
             --write-redirects redirects them, too",
            found.of_rules.first().map_or("", |it| it.from.path())
        ));
    }
    let exit = rule_warnings::warn(plan, None)?;
    if exit == Exit::Findings {
        terminal::note(
            "with --write-redirects, move removes such rules if an earlier move wrote them",
        );
    }
    Ok(exit)
}

/// Warns of old URLs that get no redirect, and of redirects where no server applies them.
fn warn_of_moves(
    plan: &Plan,
    destination: &RedirectDestination,
    found: &MoveRedirects<'_>,
    renamed: &[&RedirectRule],
) {
    for url in &found.reused {
        let url = without_placeholder(url.as_str());
        terminal::warning(format!(
            "no redirect from {url}: another file now has this URL"
        ));
    }
    if let [first, others @ ..] = renamed {
        let place = &first.place;
        let others = match others.len() {
            0 => String::new(),
            others => format!(" (and {})", counted(others, "more rule")),
        };
        terminal::warning(format!(
            "{place}: this rule for many URLs{others} now redirects their new URLs only; to redirect the \
             old ones, too, add it again with its old path"
        ));
    }
    warn_of_pages(plan, destination, found);
    let format = destination.format;
    let (old, new) = (plan.corpus.site_url.url(), plan.new_site_url.url());
    if old.before_path() != new.before_path() && !destination.is_stdout() {
        let example = match (format.is_pages(), destination.file.is_some()) {
            (true, _) => "apache=FILE",
            (false, true) => return,
            (false, false) => &format!("{}=FILE", format.name),
        };
        terminal::warning(format!(
            "visitors with old links still ask the server of {old}, which does not have the new tree: write the \
             redirects to a file for that server, as --write-redirects {example}"
        ));
    } else if let (None, Some(file), true) = (
        &destination.file,
        format.file,
        format.is_of_host && new.path() != "/",
    ) {
        terminal::warning(format!(
            "servers read {file} only at the root of the host, and SITE is at {new}; add its rules to the {file} there"
        ));
    }
}

/// Warns of moved files that get no redirect since they have no page, or none that is known.
fn warn_of_pages(plan: &Plan, destination: &RedirectDestination, found: &MoveRedirects<'_>) {
    if let Some(dialect) = plan.corpus.selection.markdown
        && !found.unknown.is_empty()
    {
        let program = dialect.row().program;
        let documents = counted(found.unknown.len(), "moved document");
        let unknown: Vec<String> = found.unknown.iter().map(|it| display_path(it)).collect();
        let named = first_paths(unknown.iter().map(String::as_str));
        terminal::warning(format!(
            "no redirect for {documents}: {program} makes no page of it, or one whose URL rehref does not know: {named}"
        ));
    }
    let format = destination.format;
    if format.generator.is_some() {
        let is_page = |file| found.pages.iter().any(|it| it.file == file);
        let mut others = found
            .redirects
            .iter()
            .filter(|it| it.is_of_path && !is_page(it.file));
        let paths: Vec<&str> = others.by_ref().map(|it| it.redirect.from.path()).collect();
        if !paths.is_empty() {
            let urls = counted(paths.len(), "old URL");
            let named = first_paths(paths.into_iter());
            terminal::warning(format!(
                "no redirect from {urls}: {} redirects pages only; rules of a server, such as --write-redirects \
                 netlify=FILE, can redirect other files: {named}",
                format.name
            ));
        }
    }
}

/// Warns of redirects that the file cannot have, and of rules that are wrong after the move.
fn warn_of_rules(
    plan: &Plan,
    destination: &RedirectDestination,
    place: &Place<'_>,
    change: &FileChange<'_>,
) -> Result<Exit, CliError> {
    let written = change.text();
    if let Some(advised) = destination.format.advised_rules
        && written.written > advised
    {
        let redirects = counted(written.written, "redirect");
        terminal::warning(format!(
            "{redirects} in all, but Netlify advises against more than {}; replace the rules of a directory with one \
             rule like `/old/* /new/:splat`",
            number(advised)
        ));
    }
    for unsupported in &written.unsupported {
        let (from, reason) = (&unsupported.redirect.from, &unsupported.reason);
        terminal::warning(format!("no redirect from {from}: {reason}"));
    }
    if let [(first, at), ..] = &*change.rules.conflicts {
        let conflicts = change.rules.conflicts.iter();
        let mut places: Vec<&RulePlace> = conflicts.map(|(_, place)| place).collect();
        places.sort_unstable_by_key(|place| place.line);
        let (from, rules, targets) = match places.len() {
            1 => (
                String::new(),
                "a rule with another target",
                "the target of this rule",
            ),
            count => (
                format!("{}, such as ", counted(count, "old URL")),
                "rules with other targets",
                "the targets of these rules",
            ),
        };
        terminal::warning(format!(
            "no redirect from {from}{} to {}: nginx allows one rule for each path, and {} already has {rules} ({}); \
             change {targets}",
            first.from.path(),
            first.to,
            at.file,
            rule_warnings::lines(&places),
        ));
    }
    let added = match place {
        Place::Stdout => None,
        Place::InTree(file) => Some((&**file, true)),
        Place::Elsewhere(file) => Some((*file, false)),
    };
    let added = added.map(|(file, is_in_tree)| AddedRules {
        file,
        is_in_tree,
        removed_lines: &change.rules.removed_lines,
        text: &written.text,
        refuses_duplicates: destination.format.refuses_duplicates,
    });
    rule_warnings::warn(plan, added)
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
    Ok(match existing.is_empty() {
        true => Edited::New,
        false => Edited::Added,
    })
}
