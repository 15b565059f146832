//! `rehref verify`: prove that a rewriting kept every link and every other byte.

use std::collections::BTreeMap;
use std::mem;
use std::path::{Path, PathBuf};

use clap::Args;
use rustc_hash::FxHashSet;

use super::arguments::SiteArguments;
use super::browser::BrowserArguments;
use super::comparison::{self, SHOWN, compare, counts, differences, tree_plan, warn_of_unproven};
use super::exit::{CliError, Exit, usage_error};
use super::no_documents;
use super::options::{self, SiteKind};
use super::redirect_destination::{self, RedirectDestination};
use super::redirects;
use super::reports::{self, Requested, formats, requested};
use super::requests::{MoveArguments, plan_moves};
use super::site_url::{self, MissingUrl};
use super::values::{REPORT_FORMATS, ReportFormat};
use super::{stale_paths, symlinks, terminal};
use rehref_corpus::{Corpus, SitePlace};
use rehref_site::Moves;
use rehref_site::{canonical, hierarchical_url};
use rehref_url::AbsoluteUrl;
use rehref_verify::browser::BrowserOptions;
use rehref_verify::document::LOST_SCHEME;
use rehref_verify::{Difference, DifferenceKind, Report, TreePlan};

/// Prove that a rewrite kept the target of every link, and every other byte
///
/// Compares each document of BEFORE with the document of the same path in AFTER: every link must have the same
/// target, however the link is spelled, and all other bytes and files must be equal. AFTER may lack a base element,
/// or spell its URL differently; a different base URL is a difference, except the URL of --base-element. A digest
/// (integrity, Content-Security-Policy) may change to the digest of the file in AFTER.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Root directory of the site before the rewrite, a document, or an archive
    before: PathBuf,
    /// Root directory of the site after the rewrite, a document, or an archive
    after: PathBuf,
    /// Treat targets as equal if the server sends the same file for them: a/ and a/index.html, a and a.html
    #[arg(long)]
    same_file: bool,
    /// Base URL that the documents of AFTER may have: the URL that was given to absolute --base-element
    #[arg(long, value_name = "URL")]
    base_element: Option<String>,
    /// Accept the changes of relative --offline: other URLs of the same file, and removed integrity and
    /// crossorigin attributes
    #[arg(long)]
    offline: bool,
    /// With --browser, open the pages of AFTER from disk (file:), as the readers of an offline copy do
    #[arg(long, requires = "browser", help_heading = "Browser")]
    from_disk: bool,
    #[command(flatten)]
    list: MoveArguments,
    /// Accept the redirects that move wrote with this option, and no others
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = redirect_destination::destination,
        help_heading = "Moves")]
    write_redirects: Option<RedirectDestination>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    browser: BrowserArguments,
    #[command(flatten)]
    site: SiteArguments,
}

/// The output of `verify`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArguments {
    /// Print all differences, not only the first 50
    #[arg(long)]
    all: bool,
    /// Format of the report, on stdout or in FILE; repeatable; json lists all differences
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(REPORT_FORMATS))]
    format: Vec<Requested<ReportFormat>>,
}

const REFUSAL: &str = "nothing was compared";

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let [text, _] = REPORT_FORMATS;
    site_url::refuse_none("verify", arguments.site.url.as_deref())?;
    let reports = requested(&arguments.output.format, text)?;
    let has_json = reports.iter().any(|it| it.format == ReportFormat::Json);
    let before_place = SitePlace::of(&arguments.before)?;
    let after_place = SitePlace::of(&arguments.after)?;
    let file_after = after_place.file_name();
    if mem::discriminant(&before_place) != mem::discriminant(&after_place) {
        return usage_error(
            "BEFORE and AFTER must be two directories, two documents or two archives",
        );
    }
    options::refuse(SiteKind::of(&before_place))?;
    let places = [&arguments.before, &arguments.after].map(|place| canonical(place).ok());
    if places[0].is_some() && places[0] == places[1] {
        terminal::note("BEFORE and AFTER are the same, so the comparison proves nothing");
    }
    let requests = arguments.list.requests(REFUSAL)?;
    if arguments.write_redirects.is_some() && arguments.list.are_none() {
        return usage_error(
            "--write-redirects expects the redirects of a move; give the moves, as OLD=NEW, --map, --regex or --new-url",
        );
    }
    let missing = MissingUrl::AssumedInSilence;
    let before = arguments.site.open(&before_place, before_place.walk(), missing)?.corpus;
    let new_site_url = arguments.list.new_site_url(&before.site_url)?;
    no_documents::refuse_before(&before, "BEFORE")?;
    let moves = plan_moves(
        &before.root,
        &before.walk.entries,
        &requests,
        false,
        "BEFORE does not match the moves",
    );
    let moves = moves.inspect_err(|_| note_reversed_moves(&arguments))?;
    let counterpart = |path: &Path| moves.counterpart(path);
    let after = before.reading(&after_place, new_site_url, counterpart);
    let has = |path: &Path| after.walk.entries.iter().any(|entry| entry.path == path);
    let mut moved = before.files().filter_map(|old| Some((old, moves.new_path(old)?)));
    if let Some((old, new)) = moved.next()
        && has(old)
        && !has(new)
    {
        let (old, new) = (old.display(), new.display());
        terminal::note(format!(
            "AFTER has {old}, but not {new}: if AFTER was written without this move, omit the move; otherwise, \
             give the moved tree"
        ));
    }
    let base = arguments.base_element.as_deref().map(hierarchical_url);
    let base = base.transpose().map_err(CliError::Base)?;
    let base = base.map(|url| AbsoluteUrl::new(arguments.site.standard, url));
    let same_file = arguments.same_file || arguments.offline || !moves.is_empty();
    let browser = arguments.browser.options(false)?;
    let browser = browser.map(|options| BrowserOptions {
        from_disk: arguments.from_disk || arguments.offline,
        ..options
    });
    let expected = arguments.write_redirects.as_ref().map(|destination| {
        redirects::expected(destination, &before, &moves, &after.site_url, &after.root)
    });
    let mut expected = expected.transpose()?.unwrap_or_default();
    let plan = TreePlan {
        limit: if has_json || arguments.output.all { usize::MAX } else { SHOWN },
        file_after,
        base: base.as_ref(),
        offline: arguments.offline,
        added: mem::take(&mut expected.added),
        ..tree_plan(&before, &after, &moves, same_file)
    };
    if let Some(text) = symlinks::to_pages(&before, None) {
        terminal::warning(text);
    }
    let mut report = compare(&plan, browser.as_ref())?;
    if let Some(found) = expected.difference_elsewhere()? {
        report.differences += found.count;
        report.different.push(found);
    }
    stale_paths::warn(&report.stale_paths);
    stale_paths::warn_of_root_paths(&report.root_paths);
    warn_of_unproven(&report);
    let text = if terminal::is_quiet() { String::new() } else { counts(&report) };
    let limit = if arguments.output.all { usize::MAX } else { SHOWN };
    let text = differences(&report, limit) + &text;
    if !terminal::is_verbose() {
        report.seconds = 0.0;
    }
    for Requested { format, file, .. } in reports {
        let text = match format {
            ReportFormat::Json => reports::json("rehref-verify", &report)?,
            ReportFormat::Text => text.clone().into_bytes(),
        };
        reports::write(file.as_deref(), text)?;
    }
    if report.differences > 0 {
        note_likely_causes(&arguments, &report, [&before, &after], &moves);
    }
    if arguments.site.url.is_none() && lists(&report, DifferenceKind::Target) {
        terminal::note(
            "no --url: links with the site's host name count as external; if BEFORE or AFTER has such links, add \
             --url URL",
        );
    }
    Ok(match comparison::exit(&report) {
        Exit::Done if !report.malformed.is_empty() => Exit::Findings,
        exit => exit,
    })
}

/// Notes moves that go from AFTER to BEFORE.
fn note_reversed_moves(arguments: &Arguments) {
    let (before, after) = (&arguments.before, &arguments.after);
    for request in &arguments.list.moves {
        let request = request.to_string_lossy();
        let Some((old, new)) = request.split_once('=') else {
            continue;
        };
        let is_reversed =
            !before.join(old).exists() && before.join(new).exists() && after.join(old).exists();
        if is_reversed && !old.is_empty() && !new.is_empty() {
            let (before, after) = (before.display(), after.display());
            let url = arguments.site.url.as_ref();
            let url = url.map_or(String::new(), |url| format!(" --url {url}"));
            terminal::note(format!(
                "{before} has {new}, and {after} has {old}: if {after} is the tree after the move, write {new}={old}; \
                 if {after} is the tree before the move, swap the trees: rehref verify {after} {before} {request}{url}"
            ));
        }
    }
}

/// Notes which arguments explain many differences.
fn note_likely_causes(arguments: &Arguments, report: &Report, trees: [&Corpus; 2], moves: &Moves) {
    // The report may be cut off before these files.
    let [old, new] = trees.map(|tree| tree.files().collect::<FxHashSet<&Path>>());
    let (is_missing, is_extra) = (!old.is_subset(&new), !new.is_subset(&old));
    if is_missing && report.documents == 0 {
        terminal::note(
            "BEFORE and AFTER have no document in common; check that they are the right directories",
        );
    } else if trees[0].selection.single.is_some() && is_missing && is_extra {
        terminal::note(
            "BEFORE and AFTER have different names; check that they are two versions of the same document",
        );
    } else if is_missing && is_extra && arguments.list.are_none() {
        terminal::note(
            "some files exist only in BEFORE, and others only in AFTER; if files were moved, add OLD=NEW",
        );
    }
    let moved: FxHashSet<PathBuf> = old.iter().map(|path| moves.counterpart(path)).collect();
    let has_added = new.iter().any(|path| !moved.contains(*path));
    if !moves.is_empty() && arguments.write_redirects.is_none() && has_added {
        terminal::note(
            "AFTER has files that BEFORE does not have; if move wrote them for redirects, add the --write-redirects \
             of the move",
        );
    }
    if all_differences(report).any(|it| it.message == LOST_SCHEME) {
        terminal::note("if AFTER is the tree before the rewrite, swap BEFORE and AFTER");
    }
    if !arguments.same_file && !arguments.offline && all_differences(report).any(is_index_file) {
        terminal::note(
            "the target of some links is a directory in one tree, and its index file in the other; if relative \
             --offline wrote AFTER, add --offline, otherwise --same-file",
        );
    }
    note_other_site(arguments, report);
    if lists(report, DifferenceKind::Base) && arguments.base_element.is_none() {
        terminal::note(
            "AFTER has different base URLs; if absolute --base-element wrote them, add --base-element URL",
        );
    }
}

fn all_differences(report: &Report) -> impl Iterator<Item = &Difference> {
    report.different.iter().flat_map(|file| &file.differences)
}

/// Notes that most targets of AFTER begin with another URL than those of BEFORE.
fn note_other_site(arguments: &Arguments, report: &Report) {
    let Some(url) = arguments.site.url.as_deref().filter(|_| arguments.list.new_url.is_none())
    else {
        return;
    };
    let root = if url.ends_with('/') { url.to_owned() } else { format!("{url}/") };
    let mut roots: BTreeMap<&str, usize> = BTreeMap::new();
    let mut others = 0;
    for difference in all_differences(report) {
        let (Some(expected), Some(found)) = (&difference.expected_target, &difference.target)
        else {
            continue;
        };
        let rest = expected.strip_prefix(&root);
        let found = rest.and_then(|rest| found.strip_suffix(rest));
        match found.filter(|it| it.ends_with('/') && **it != root) {
            Some(found) => *roots.entry(found).or_default() += 1,
            None => others += 1,
        }
    }
    let all = others + roots.values().sum::<usize>();
    if let Some((found, count)) = roots.into_iter().max_by_key(|(_, count)| *count)
        && 2 * count > all
    {
        terminal::note(format!(
            "most targets in AFTER begin with {found}, and most targets in BEFORE with {root}; if the site is \
             published at {found}, use --url {found}; if move --new-url wrote AFTER, add --new-url {found}"
        ));
    }
}

/// Whether one of the targets of `difference` is a directory, and the other one a file in it that is like an
/// index file.
fn is_index_file(difference: &Difference) -> bool {
    let (Some(one), Some(other)) = (&difference.expected_target, &difference.target) else {
        return false;
    };
    let path = |url: &str| url.split(['?', '#']).next().unwrap_or_default().to_owned();
    let (one, other) = (path(one), path(other));
    let is_index = |directory: &str, file: &str| {
        let name = file.strip_prefix(directory);
        directory.ends_with('/') && name.is_some_and(|it| it.starts_with("index."))
    };
    is_index(&one, &other) || is_index(&other, &one)
}

/// Whether `report` lists a difference of this `kind`.
fn lists(report: &Report, kind: DifferenceKind) -> bool {
    all_differences(report).any(|difference| difference.kind == kind)
}
