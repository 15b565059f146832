//! Writes the redirects of a move or expects them, and warns of redirects that a format cannot express.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exit::{CliError, usage_error};
use super::rule_warnings::{self, AddedRules, with_added};
use super::server::rules_in_site;
use super::site_url::without_placeholder;
use super::summary::first_paths;
use super::{files, terminal};
use crate::corpus::Corpus;
use crate::document::DocumentKind;
use crate::moves::redirects::{
    self, FORMATS, MoveRedirect, MoveRedirects, MovedSite, Redirect, RedirectFormat, RedirectText,
    RedirectWriter, RuleRedirects,
};
use crate::moves::{MovedUrls, Moves};
use crate::output::{NewTree, Original, WriteError, write_file};
use crate::plural::{counted, number};
use crate::rewrite::Plan;
use crate::rewrite::plan::Mode;
use crate::rewrite::targets::{MappedTarget, SiteMapping};
use crate::site::{RedirectRule, SiteUrl, named_document_kind};
use crate::url::{AbsoluteUrl, RelativeForm, Url};
use crate::verify::report::FileDifferences;
use crate::verify::{AddedText, other_end};
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
        if matches!(self.format.writer, RedirectWriter::List(_)) && has_text {
            return usage_error(format!(
                "{name}: this file exists, and nothing can be added to a list in JSON; remove it, or give another file"
            ));
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
            None => !self.format.is_pages() && self.format.file.is_none(),
        }
    }
}

/// Where redirects go.
enum Place<'d> {
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
        "Write redirects from every old URL to the new URL, in the format of the site's server\n\n\
         =FILE writes to FILE (- for stdout) instead of the usual place of the format. Formats:\n{}",
        rows.collect::<String>()
    )
}

/// The redirects for `moves` in the site of `corpus` with these `rules`, whose URL becomes `new_url`, and the rules
/// that redirects cannot replace.
fn of_moves<'m>(
    corpus: &'m Corpus,
    rules: &'m [RedirectRule],
    moves: &'m Moves,
    new_url: &SiteUrl,
) -> Result<(MoveRedirects<'m>, Vec<&'m RedirectRule>), CliError> {
    let entries = &corpus.walk.entries;
    let files = corpus.file_index();
    let mapping = SiteMapping {
        also: corpus.also.clone(),
        after: new_url.clone(),
        moved: MovedUrls::of(moves, entries, &files),
        files,
        ..SiteMapping::unmoved(corpus.site_url.clone())
    };
    let old_site = MovedSite {
        url: &corpus.site_url,
        index_files: &corpus.index_files,
        files: &mapping.files,
    };
    let new_site = MovedSite {
        url: new_url,
        index_files: &corpus.index_files_at(|path| moves.new_path(path).unwrap_or(path)),
        files: mapping.moved.after(&mapping.files),
    };
    let map = |url: &Url| match mapping.map(&AbsoluteUrl::new(corpus.standard, url.clone())) {
        MappedTarget::Moved(url) => Some(url),
        MappedTarget::External | MappedTarget::Unmoved => None,
    };
    let RuleRedirects {
        redirects: of_rules,
        renamed,
    } = redirects::of_rules(rules, corpus.site_url.url(), map);
    let urls = redirects::of_move(entries, moves, old_site, new_site, of_rules);
    let urls = urls.or_else(|error| usage_error(format!("a file has no URL: {error}")))?;
    Ok((urls, renamed))
}

/// All redirects, in the order in which they are written.
fn list(found: MoveRedirects<'_>) -> Vec<Redirect> {
    let of_files = found.redirects.into_iter().map(|it| it.redirect);
    of_files.chain(found.of_rules).collect()
}

/// What `move` writes for redirects.
#[derive(Default)]
pub(super) struct ExpectedRedirects {
    /// In the tree: the text at the end of the file of rules, or a page at each old path.
    pub(super) added: AddedText,
    /// The text at the end of a file elsewhere, and the file.
    elsewhere: Option<(PathBuf, Vec<u8>)>,
}

/// What `move` writes to `destination` for the redirects of `moves`, if the new tree is at `root`.
pub(super) fn expected(
    destination: &RedirectDestination,
    corpus: &Corpus,
    moves: &Moves,
    new_url: &SiteUrl,
    root: &Path,
) -> Result<ExpectedRedirects, CliError> {
    let mut expected = ExpectedRedirects::default();
    let rules = rules_in_site(corpus)?;
    let (found, _) = of_moves(corpus, &rules, moves, new_url)?;
    if destination.format.is_pages() {
        let taken: FxHashSet<PathBuf> = corpus.files().map(|it| moves.counterpart(it)).collect();
        for (file, _, page) in pages(&found.redirects, |path| taken.contains(path)).pages {
            expected.added.insert(file.to_owned(), page.into_bytes());
        }
        return Ok(expected);
    }
    let text = destination.format.write(&list(found)).text;
    match destination.place(root) {
        Place::Stdout => {}
        Place::InTree(path) => {
            expected.added.insert(path, text);
        }
        Place::Elsewhere(file) => expected.elsewhere = Some((file.to_owned(), text)),
    }
    Ok(expected)
}

impl ExpectedRedirects {
    /// The difference between the file elsewhere, if there is one, and what `move` writes to it.
    pub(super) fn difference_elsewhere(&self) -> Result<Option<FileDifferences>, CliError> {
        let Some((file, text)) = &self.elsewhere else {
            return Ok(None);
        };
        let written = files::read("--write-redirects", file)?;
        let difference = || FileDifferences {
            path: file.display().to_string(),
            path_before: None,
            count: 1,
            differences: vec![other_end()],
        };
        Ok((!written.ends_with(text)).then(difference))
    }
}

/// Notes how many redirects a run writes that this dry run stands for.
pub(super) fn announce(plan: &Plan, destination: &RedirectDestination) -> Result<(), CliError> {
    let RedirectDestination { format, file } = destination;
    let rules = rules_in_site(&plan.corpus)?;
    let (found, renamed) = of_moves(&plan.corpus, &rules, &plan.moves, &plan.new_site_url)?;
    warn_of_moves(plan, destination, &found, &renamed);
    let has_page = |it: &&MoveRedirect<'_>| it.is_of_path && is_page(it.file);
    let redirects = match format.is_pages() {
        true => {
            rule_warnings::warn(plan, None)?;
            found.redirects.iter().filter(has_page).count()
        }
        false => {
            let list = list(found);
            let written = format.write(&list);
            let place = destination.place(&plan.corpus.root);
            warn_of_rules(plan, destination, &place, &written)?;
            written.written
        }
    };
    let redirects = counted(redirects, "redirect");
    let place = match file.as_deref().or(format.file.map(Path::new)) {
        Some(file) if file != Path::new("-") => format!(" to {}", file.display()),
        _ => String::new(),
    };
    terminal::note(format!("{redirects} would be written{place}"));
    Ok(())
}

/// Writes the redirects for the moves of `plan` into its output tree, or to the file of
/// `destination`.
pub(super) fn write(plan: &Plan, destination: &RedirectDestination) -> Result<(), CliError> {
    let RedirectDestination { format, file: to } = destination;
    let Some(tree) = plan.mode.new_tree() else {
        return Ok(());
    };
    let rules = rules_in_site(&plan.corpus)?;
    let (found, renamed) = of_moves(&plan.corpus, &rules, &plan.moves, &plan.new_site_url)?;
    warn_of_moves(plan, destination, &found, &renamed);
    if format.is_pages() {
        rule_warnings::warn(plan, None)?;
        return stubs(plan, tree, &found.redirects);
    }
    let list = list(found);
    let written = format.write(&list);
    // The tree that takes the place of SITE gets a file in SITE, since SITE must not change before that.
    let root = match &plan.mode {
        Mode::Exchange(_) => &*plan.corpus.root,
        _ => tree.root(),
    };
    let place = destination.place(root);
    warn_of_rules(plan, destination, &place, &written)?;
    let path = match place {
        Place::Stdout => return terminal::print(&written.text),
        Place::InTree(below) => tree.root().join(below),
        Place::Elsewhere(file) => file.to_owned(),
    };
    let how = append(plan, &path, &written.text)?;
    let shown = to.as_deref().or(format.file.map(Path::new));
    let shown = shown.unwrap_or(&path).display();
    if written.written > 0 {
        let redirects = counted(written.written, "redirect");
        terminal::note(match how {
            Appended::New => format!("{redirects} written to {shown}"),
            Appended::Added => format!("{redirects} added to the end of {shown}"),
            Appended::Known => format!("{shown} already ends with {redirects} of this move"),
        });
    }
    Ok(())
}

/// Warns of rules that are wrong after a move without redirects, and notes those whose old paths it drops.
pub(super) fn warn_without(plan: &Plan) -> Result<(), CliError> {
    let rules = rules_in_site(&plan.corpus)?;
    if rules.is_empty() {
        return Ok(());
    }
    let (found, _) = of_moves(&plan.corpus, &rules, &plan.moves, &plan.new_site_url)?;
    if !found.of_rules.is_empty() {
        let paths = counted(found.of_rules.len(), "old URL");
        terminal::note(format!(
            "{paths} that rules redirected, such as {}, no longer redirect: their rules moved with the directory; \
             --write-redirects redirects them, too",
            found.of_rules.first().map_or("", |it| it.from.path())
        ));
    }
    rule_warnings::warn(plan, None)
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

/// Warns of redirects that the format cannot express, and of rules that are wrong after the move.
fn warn_of_rules(
    plan: &Plan,
    destination: &RedirectDestination,
    place: &Place<'_>,
    written: &RedirectText<'_>,
) -> Result<(), CliError> {
    if let Some(advised) = destination.format.advised_rules
        && written.written > advised
    {
        let redirects = counted(written.written, "redirect");
        terminal::warning(format!(
            "{redirects} in all; Netlify advises against more than {}",
            number(advised)
        ));
    }
    for unsupported in &written.unsupported {
        let (from, reason) = (&unsupported.redirect.from, &unsupported.reason);
        terminal::warning(format!("no redirect from {from}: {reason}"));
    }
    let text = &*written.text;
    let added = match place {
        Place::Stdout => None,
        Place::InTree(file) => Some((&**file, true)),
        Place::Elsewhere(file) => Some((*file, false)),
    };
    let added = added.map(|(file, is_in_tree)| AddedRules {
        file,
        is_in_tree,
        text,
    });
    rule_warnings::warn(plan, added)
}

/// What became of redirects for a file.
enum Appended {
    New,
    Added,
    /// The file ended with them: the same move was run before.
    Known,
}

/// Appends `text` to the file `path`, or creates it.
fn append(plan: &Plan, path: &Path, text: &[u8]) -> Result<Appended, CliError> {
    let existing = match fs::read(path) {
        Ok(existing) => existing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(CliError::io(path.display())(source)),
    };
    let Some(contents) = with_added(&existing, text) else {
        return Ok(Appended::Known);
    };
    // A new file gets owner and mode of the site's first file, or else of its root.
    let first = plan.corpus.files().next().unwrap_or(Path::new(""));
    let like = fs::metadata(path)
        .or_else(|_| fs::metadata(plan.corpus.root.join(first)))
        .map_err(CliError::io(path.display()))?;
    write_file(path, &contents, &like)?;
    Ok(match existing.is_empty() {
        true => Appended::New,
        false => Appended::Added,
    })
}

/// Whether a page can stand at the path of `file`, and be sent as one.
fn is_page(file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default();
    ["html", "htm", "xhtml"].iter().any(|it| extension == *it)
}

/// The pages that redirect from the old paths of files.
struct RedirectPages<'e> {
    /// The old path of a file, the path of its folder, and the page.
    pages: Vec<(&'e Path, &'e Path, String)>,
    /// The old paths in URLs of files that cannot have a page.
    others: Vec<&'e str>,
}

/// The pages for `moved`; `is_taken` tells whether another file now has a path.
fn pages<'e>(moved: &'e [MoveRedirect<'e>], is_taken: impl Fn(&Path) -> bool) -> RedirectPages<'e> {
    let (mut pages, mut others) = (Vec::new(), Vec::new());
    // A page at the path of a file is sent for the other URLs of the file, too.
    for MoveRedirect { file, redirect, .. } in moved.iter().filter(|it| it.is_of_path) {
        // Other files than pages cannot redirect.
        if !is_page(file) || is_taken(file) {
            others.push(redirect.from.path());
            continue;
        }
        let Redirect { from, to } = redirect;
        let reference = from.relativize(to, RelativeForm::Path);
        let page = redirects::stub(reference.as_deref().unwrap_or(to.as_str()));
        let folder = file.parent().unwrap_or(Path::new(""));
        pages.push((*file, folder, page));
    }
    RedirectPages { pages, others }
}

/// Writes a page at each old path that redirects to the new one, unless another file now has the path.
fn stubs(plan: &Plan, tree: &dyn NewTree, moved: &[MoveRedirect<'_>]) -> Result<(), CliError> {
    let mut written = 0;
    let mut created = BTreeSet::new();
    let is_taken = |path: &Path| fs::symlink_metadata(tree.root().join(path)).is_ok();
    let RedirectPages { pages, others } = pages(moved, is_taken);
    for (file, folder, page) in pages {
        let mut missing: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| !tree.root().join(folder).is_dir())
            .collect();
        missing.reverse();
        for folder in missing {
            tree.make_directory(&plan.corpus.root.join(folder), folder)?;
            created.insert(folder);
        }
        let path = plan.corpus.root.join(file);
        let metadata = fs::metadata(&path).map_err(WriteError::Read)?;
        let like = Original {
            path: &path,
            metadata: &metadata,
        };
        tree.write_file(file, page.as_bytes().into(), like)?;
        written += 1;
    }
    if written > 0 {
        let redirects = counted(written, "redirect");
        terminal::note(format!("{redirects} written to pages at the old paths"));
    }
    // Nothing is written into a folder after it has its mode and times.
    for folder in created.iter().rev() {
        let from = plan.corpus.root.join(folder);
        tree.finish_directory(&from, folder)?;
    }
    if !others.is_empty() {
        let urls = counted(others.len(), "old URL");
        let named = first_paths(others.into_iter());
        terminal::warning(format!(
            "no redirect from {urls}: only HTML pages can redirect, and only if no other file has the old path; \
             rules of a server, such as --write-redirects netlify, can redirect other files: {named}"
        ));
    }
    Ok(())
}
