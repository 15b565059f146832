//! `rehref move`: move files and folders without breaking a link.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::arguments::{AliasArguments, BaseChoice, ConsoleArguments, SiteArguments, StyleChoice};
use super::common::{self, SitePlace};
use super::exit::{CliError, Exit};
use super::output::OutputArguments;
use super::redirects;
use super::site::{plan, rewrite_and};
use super::terminal;
use crate::moves::redirects::RedirectFormat;
use crate::moves::{self, MovedUrls, Moves, Request};
use crate::output::{Stage, leftovers};
use crate::plural::counted;
use crate::rewrite::Plan;
use crate::rewrite::plan::Mode;
use crate::rewrite::pretty_urls::PrettyUrls;
use crate::rewrite::targets::SiteMapping;
use crate::rewrite::{Policy, SitePolicy};
use crate::site::{
    EntryKind, FileIndex, FileKind, FileTree, SiteUrl, file_kind, ignores_case, walk,
};

/// Move files and folders without breaking a link
///
/// Everything in the tree gets its new place, and every reference is updated: from what moved, to
/// what moved, in every document. References that need no change stay as they are, the others keep
/// their author's style. Only URLs change: all other bytes of a document come out as they went in.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site's root directory
    #[arg(value_name = "SITE")]
    place: PathBuf,
    /// What moves where: files or folders, by their paths in SITE
    ///
    /// A folder moves with all that is in it; a.html=old/ moves a file into a folder. In a name, = is
    /// written \= and a backslash \\.
    #[arg(value_name = "OLD=NEW")]
    moves: Vec<OsString>,
    /// A file with more moves: one OLD, a tab and NEW a line; lines that begin with # are comments
    #[arg(long, value_name = "FILE")]
    map: Vec<PathBuf>,
    /// Move every file whose whole path matches: 'blog/(\d{4})/(.*)=archive/$1/$2'
    #[arg(long, value_name = "PATTERN=NEW")]
    regex: Vec<String>,
    /// The URL that the result will be published at [default: --url]
    #[arg(long, value_name = "URL", requires = "url")]
    new_url: Option<String>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    /// How references that lead into the site are written
    #[arg(long, value_name = "STYLE", default_value = "keep")]
    style: MovedStyle,
    /// What becomes of BASE elements
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    base: BaseChoice,
    /// Write redirects from every old URL, for what serves the site
    #[arg(long, value_name = "FORMAT", value_parser = redirects::format_parser(),
        conflicts_with_all = ["dry_run", "diff"])]
    redirects: Option<&'static RedirectFormat>,
    /// Write the redirects to this file, - for stdout, and not where the server reads them
    #[arg(long, value_name = "FILE", requires = "redirects")]
    redirects_to: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// `--style`: one of the styles, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MovedStyle(Option<StyleChoice>);

impl ValueEnum for MovedStyle {
    fn value_variants<'a>() -> &'a [MovedStyle] {
        &[
            MovedStyle(None),
            MovedStyle(Some(StyleChoice::Path)),
            MovedStyle(Some(StyleChoice::Root)),
            MovedStyle(Some(StyleChoice::Scheme)),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self.0 {
            None => Some(PossibleValue::new("keep").help("As the author wrote them")),
            Some(style) => style.to_possible_value(),
        }
    }
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    arguments.console.apply();
    if arguments.redirects.is_some_and(RedirectFormat::is_pages) && arguments.redirects_to.is_some()
    {
        return Err(CliError::Usage(
            "--redirects html writes pages into the tree; leave out --redirects-to".to_owned(),
        ));
    }
    let requests = Requests::of(&arguments)?.all()?;
    if requests.is_empty() && arguments.map.is_empty() && arguments.new_url.is_none() {
        return Err(CliError::Usage(
            "what moves where? Give OLD=NEW, --map FILE, --regex PATTERN=NEW or --new-url URL"
                .to_owned(),
        ));
    }
    let root = common::site_root(&arguments.place)?;
    let place = SitePlace::Directory(root.clone());
    let mode = match arguments.output.destination.mode(&place)? {
        Mode::InPlace => {
            for leftover in leftovers(&root) {
                terminal::warning(format!(
                    "{} is left from an interrupted run; remove it",
                    leftover.display()
                ));
            }
            Mode::Exchange(Stage::beside(&root)?)
        }
        mode => mode,
    };
    let site_url = common::site_url_or_placeholder(&place, arguments.site.url.as_deref())?;
    let new_site_url = match &arguments.new_url {
        Some(url) => SiteUrl::parse(url).map_err(CliError::NewSiteUrl)?.0,
        None => site_url.clone(),
    };
    let walk = walk(&root);
    let moves = plan_moves(&walk, &requests, ignores_case(&root, &walk.entries))?;
    let files = FileIndex::new(&root, &walk.entries);
    let policy = Policy::site(SitePolicy {
        form: arguments.style.0.map(StyleChoice::style),
        drop_base: arguments.base == BaseChoice::Drop,
        mapping: SiteMapping {
            before: site_url.clone(),
            also: arguments.aliases.site_urls()?,
            after: new_site_url.clone(),
            moved: MovedUrls::of(&moves, &walk.entries, &files),
            files,
            pretty: PrettyUrls::default(),
        },
    });
    let plan = Plan {
        moves,
        new_site_url,
        ..plan(
            (root, walk),
            site_url,
            mode,
            policy,
            arguments.site.standard,
            &arguments.site.selection,
        )?
    };
    warn_of_unselected(&plan);
    rewrite_and(
        plan,
        &arguments.output,
        "already correct",
        |plan| match arguments.redirects {
            Some(format) => redirects::write(plan, format, arguments.redirects_to.as_deref()),
            None => Ok(()),
        },
    )
}

/// Documents that are left out do not follow the moves.
fn warn_of_unselected(plan: &Plan) {
    let is_left_out = |path: &std::path::Path| {
        let name = path.file_name().unwrap_or_default();
        matches!(file_kind(name), FileKind::Document(_))
            && plan
                .selection
                .document_kind(&plan.root, path)
                .is_ok_and(|kind| kind.is_none())
    };
    let files = plan.walk.entries.iter();
    let left_out = files
        .filter(|entry| entry.kind == EntryKind::File && is_left_out(&entry.path))
        .count();
    if left_out > 0 {
        let line = format!(
            "{left_out} documents are left out by --include or --exclude; links in them that the \
             move concerns will break"
        );
        terminal::warning(line);
    }
}

/// What the user wants moved, and all that is wrong with how it is written.
#[derive(Default)]
pub(super) struct Requests {
    requests: Vec<Request>,
    errors: Vec<String>,
}

impl Requests {
    fn of(arguments: &Arguments) -> Result<Requests, CliError> {
        let mut requests = Requests::default();
        for argument in &arguments.moves {
            requests.add(Request::argument(argument));
        }
        for pattern in &arguments.regex {
            requests.add(Request::regex(pattern));
        }
        requests.add_maps(&arguments.map)?;
        Ok(requests)
    }

    fn add(&mut self, request: Result<Request, moves::RequestError>) {
        match request {
            Ok(request) => self.requests.push(request),
            Err(error) => self.errors.push(error.to_string()),
        }
    }

    /// Adds the moves of `--map` files.
    pub(super) fn add_maps(&mut self, maps: &[PathBuf]) -> Result<(), CliError> {
        for map in maps {
            let name = map.display().to_string();
            let content = std::fs::read(map).map_err(CliError::io(&name))?;
            match Request::map(&name, &content) {
                Ok(more) => self.requests.extend(more),
                Err(more) => self.errors.extend(more.iter().map(ToString::to_string)),
            }
        }
        Ok(())
    }

    /// All of them, where nothing is wrong with any.
    pub(super) fn all(self) -> Result<Vec<Request>, CliError> {
        match self.errors.as_slice() {
            [] => Ok(self.requests),
            errors => Err(refused(errors)),
        }
    }
}

/// The moves in a tree, or everything that stands against them.
pub(super) fn plan_moves(
    walk: &FileTree,
    requests: &[Request],
    ignores_case: bool,
) -> Result<Moves, CliError> {
    moves::plan(&walk.entries, requests, ignores_case).map_err(|refusals| {
        let errors: Vec<String> = refusals.iter().map(ToString::to_string).collect();
        refused(&errors)
    })
}

/// Says all that is wrong; what then ends the run.
fn refused(errors: &[String]) -> CliError {
    for error in errors {
        terminal::error(error);
    }
    let count = counted(errors.len(), "request");
    CliError::Usage(format!("nothing was done, since {count} cannot be met"))
}
