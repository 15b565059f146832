//! Arguments for moves: those that `move` makes, and that `verify` expects.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{CliError, usage_error};
use super::{files, terminal};
use crate::moves::redirects::{self, STUB_LENGTH};
use crate::moves::{self, MoveErrorKind, Moves, Request};
use crate::plural::counted;
use crate::site::{Entry, EntryKind, SiteUrl, first_bytes};

/// Moves, on the command line and in files, and the site's new URL.
#[derive(Debug, Args)]
#[command(next_help_heading = "Moves")]
pub(super) struct MoveArguments {
    /// Old and new path of a file or directory, relative to SITE
    ///
    /// A directory moves with all its files; a.html=old/ moves a file into a directory. In a path, write = as
    /// \= and a backslash as \\.
    #[arg(value_name = "OLD=NEW")]
    pub(super) moves: Vec<OsString>,
    /// Move every file whose whole path matches PATTERN: 'blog/(\d{4})/(.*)=archive/$1/$2'
    #[arg(long, value_name = "PATTERN=NEW")]
    pub(super) regex: Vec<String>,
    /// Read moves from FILE (- for stdin): OLD, a tab and NEW on each line; # begins a comment line
    #[arg(long, value_name = "FILE")]
    pub(super) map: Vec<PathBuf>,
    /// URL at which the site's root is published after the move [default: the value of --url]
    #[arg(long, value_name = "URL", requires = "url")]
    pub(super) new_url: Option<String>,
}

impl MoveArguments {
    /// The site's URL after the move; `old` is its URL before.
    pub(super) fn new_site_url(&self, old: &SiteUrl) -> Result<SiteUrl, CliError> {
        let Some(url) = &self.new_url else {
            return Ok(old.clone());
        };
        let (site_url, note) = SiteUrl::parse(url).map_err(CliError::NewSiteUrl)?;
        if let Some(note) = note {
            terminal::note(note.to_string().replacen("--url", "--new-url", 1));
        }
        Ok(site_url)
    }

    /// Whether there are none, not even a file that might list some.
    pub(super) fn are_none(&self) -> bool {
        self.moves.is_empty()
            && self.regex.is_empty()
            && self.map.is_empty()
            && self.new_url.is_none()
    }

    /// The requests on the command line and in the `--map` files. `refusal` says what an error prevents.
    pub(super) fn requests(&self, refusal: &str) -> Result<Vec<Request>, CliError> {
        let mut requests = Vec::new();
        let mut errors = Vec::new();
        let moves = self.moves.iter().map(|it| Request::argument(it));
        let patterns = self.regex.iter().map(|it| Request::regex(it));
        for request in moves.chain(patterns) {
            match request {
                Ok(request) => {
                    if request.drops_groups() {
                        terminal::warning(
                            "--regex: the pattern has a group that NEW does not use; write $1 in NEW, and single quotes \
                             around the move, because a shell replaces $1 in double quotes",
                        );
                    }
                    requests.push(request);
                }
                Err(error) => errors.push(error),
            }
        }
        for map in &self.map {
            let name = map.display().to_string();
            let content = files::read_or_stdin("--map", map)?;
            match Request::map(&name, &content) {
                Ok(more) => requests.extend(more),
                Err(more) => errors.extend(more),
            }
        }
        match errors.is_empty() {
            true => Ok(requests),
            false => refused(&errors, refusal),
        }
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
        let targets = errors.iter().filter_map(|error| match &error.kind {
            MoveErrorKind::TargetExists { target, .. } => Some(&**target),
            _ => None,
        });
        let pages = redirect_pages(root, entries, &targets.collect::<Vec<_>>());
        let result = refused(&errors, refusal);
        if let [first, ..] = &*pages {
            let verb = if pages.len() == 1 { "is" } else { "are" };
            terminal::note(format!(
                "{} of an earlier move {verb} in the way, such as {}; to move back, remove these pages first",
                counted(pages.len(), "redirect page"),
                first.display()
            ));
        }
        result
    })
}

/// The redirect pages of an earlier move at or below one of `targets`.
fn redirect_pages<'e>(root: &Path, entries: &'e [Entry], targets: &[&Path]) -> Vec<&'e Path> {
    let is_page = |path: &Path| {
        let start = first_bytes(&root.join(path), STUB_LENGTH);
        start.is_ok_and(|start| redirects::is_stub(&start))
    };
    let files = entries.iter().filter(|it| it.kind == EntryKind::File);
    let files = files.map(|entry| entry.path.as_path());
    let in_the_way = files.filter(|path| targets.iter().any(|target| path.starts_with(target)));
    in_the_way.filter(|path| is_page(path)).collect()
}

/// Prints `errors`, one for each move, and ends the run.
fn refused<T>(errors: &[impl Display], refusal: &str) -> Result<T, CliError> {
    for error in errors {
        terminal::error(error);
    }
    let verb = if errors.len() == 1 { "is" } else { "are" };
    let moves = counted(errors.len(), "move");
    usage_error(format!("{refusal}: {moves} {verb} impossible"))
}
