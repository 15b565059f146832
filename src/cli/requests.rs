//! Arguments for moves: those that `move` makes, and that `verify` expects.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use rustc_hash::FxHashSet;

use super::exit::{CliError, usage_error};
use super::{files, terminal};
use crate::moves::{self, MoveError, Request};
use rehref_corpus::files::first_bytes;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::{counted, number};
use rehref_site::redirects::{self, STUB_LENGTH};
use rehref_site::{Entry, EntryKind, Moves, SiteUrl, joined};

/// Moves, on the command line and in files, and the site's new URL.
#[derive(Debug, Args)]
#[command(next_help_heading = "Moves")]
pub(super) struct MoveArguments {
    /// Old and new path of a file or directory, relative to SITE
    ///
    /// A directory moves with all its files; a.html=old/ moves a file into a directory. a.html#old=a.html#new renames
    /// an anchor in all links to it. In a path, write = as \= and a backslash as \\.
    #[arg(value_name = "OLD=NEW")]
    pub(super) moves: Vec<OsString>,
    /// Move every file whose whole path matches PATTERN: 'blog/(\d{4})/(.*)=archive/$1/$2'
    #[arg(long, alias = "pattern", value_name = "PATTERN=NEW")]
    pub(super) regex: Vec<String>,
    /// Read moves from FILE (- for stdin): OLD, a tab and NEW on each line; # begins a comment line
    #[arg(long, alias = "moves", value_name = "FILE")]
    pub(super) map: Vec<PathBuf>,
    /// URL at which the site's root is published after the move [default: the value of --url]
    #[arg(long, value_name = "URL", requires = "url")]
    pub(super) new_url: Option<String>,
}

impl MoveArguments {
    /// Returns the site's URL after the move; `old` is its URL before.
    pub(super) fn new_site_url(&self, old: &SiteUrl) -> Result<SiteUrl, CliError> {
        let Some(url) = &self.new_url else { return Ok(old.clone()) };
        let (site_url, note) = SiteUrl::parse(url).map_err(CliError::url("--new-url"))?;
        if let Some(note) = note {
            terminal::note(note.to_string().replacen("--url", "--new-url", 1));
        }
        Ok(site_url)
    }

    /// Returns true if there are none, not even a file that might list some.
    pub(super) fn are_none(&self) -> bool {
        self.moves.is_empty()
            && self.regex.is_empty()
            && self.map.is_empty()
            && self.new_url.is_none()
    }

    /// Returns the requests on the command line and in the `--map` files. `refusal` says what an error prevents.
    pub(super) fn requests(&self, refusal: &str) -> Result<Vec<Request>, CliError> {
        let moves = self.moves.iter().map(|it| Request::argument(it));
        let patterns = self.regex.iter().map(|it| Request::regex(it));
        let (mut requests, mut errors) = (Vec::new(), Vec::new());
        for request in moves.chain(patterns) {
            match request {
                Ok(request) => requests.push(request),
                Err(error) => errors.push(error),
            }
        }
        if requests.iter().any(Request::drops_groups) {
            return usage_error(
                "--regex: the pattern has a group that NEW does not use\nhelp: write $1 in NEW, and single quotes around the move, because a shell replaces $1 in double quotes\nhelp: a group that only joins is written (?:...)",
            );
        }
        for map in &self.map {
            let name = map.display().to_string();
            let content = files::read_or_stdin("--map", map)?;
            match Request::map(&name, &content) {
                Ok(more) => requests.extend(more),
                Err(more) => errors.extend(more),
            }
        }
        if errors.is_empty() { Ok(requests) } else { refused(&errors, refusal) }
    }
}

/// Plans `requests` for the tree at `root` with these `entries`; prints every reason why one is impossible, and
/// `refusal`.
pub(super) fn plan_moves(
    root: &Path,
    entries: &[Entry],
    requests: &[Request],
    ignores_case: bool,
    refusal: &str,
) -> Result<Moves, CliError> {
    let moves = moves::plan(entries, requests, ignores_case);
    moves.or_else(|errors| {
        let taken = errors.iter().filter_map(|error| error.problem.taken.as_ref());
        let taken = taken.map(|(old, new)| (&**old, &**new));
        let pages = redirect_pages(root, entries, &taken.collect::<Vec<_>>());
        let result = refused(&errors, refusal);
        if !pages.is_empty() {
            let shown = pages.iter().take(MOST_PAGES);
            let shown: Vec<String> = shown.map(|path| display_path(path)).collect();
            let more = match pages.len().saturating_sub(MOST_PAGES) {
                0 => String::new(),
                more => format!(" and {}, which the next run names", counted(more, "more page")),
            };
            terminal::note(format!(
                "redirect pages of an earlier move are in the way of the new files: {}{more}\nhelp: remove these pages first, but not others, which still redirect",
                shown.join(", ")
            ));
        }
        result
    })
}

/// The most redirect pages that a message names.
const MOST_PAGES: usize = 100;

/// The redirect pages of an earlier move at paths that files would get. `moves`: the old and new paths of files and
/// directories.
fn redirect_pages<'e>(
    root: &Path,
    entries: &'e [Entry],
    moves: &[(&Path, &Path)],
) -> Vec<&'e Path> {
    let is_page = |path: &Path| {
        let start = first_bytes(&root.join(path), STUB_LENGTH);
        start.is_ok_and(|start| redirects::is_stub(&start))
    };
    let files = entries.iter().filter(|it| it.kind == EntryKind::File);
    let files = files.map(|entry| entry.path.as_path());
    let all: FxHashSet<&OsStr> = files.clone().map(Path::as_os_str).collect();
    let is_taken = |path: &Path| {
        moves.iter().any(|(old, new)| {
            let rest = path.strip_prefix(new).ok();
            rest.is_some_and(|rest| {
                let old =
                    if rest.as_os_str().is_empty() { old.to_path_buf() } else { joined(old, rest) };
                all.contains(old.as_os_str())
            })
        })
    };
    files.filter(|path| is_taken(path) && is_page(path)).collect()
}

/// Prints `errors`, one for each move, and ends the run.
fn refused<T>(errors: &[MoveError], refusal: &str) -> Result<T, CliError> {
    let mut known = FxHashSet::default();
    for error in errors {
        let text = error.to_string();
        let (first, help) = text.split_once(terminal::HELP).unwrap_or((&text, ""));
        // The same help for each line of a map.
        let is_new = help.is_empty() || known.insert(help.to_owned());
        terminal::error(if is_new { &text } else { first });
    }
    usage_error(format!("{refusal}: impossible moves: {}", number(errors.len())))
}
