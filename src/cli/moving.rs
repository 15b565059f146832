//! `rehref move`: move files and folders without breaking a link.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};

use super::arguments::{AliasArguments, BaseChoice, ConsoleArguments, SiteArguments, StyleChoice};
use super::exit::{CliError, Exit};
use super::output::OutputArguments;
use super::place;
use super::redirects;
use super::requests::{MoveArguments, on_command_line, plan_moves};
use super::site::{plan, rewrite_and};
use super::terminal;
use crate::corpus::SitePlace;
use crate::moves::MovedUrls;
use crate::moves::redirects::RedirectFormat;
use crate::output::{Stage, leftovers};
use crate::plural::counted;
use crate::rewrite::Plan;
use crate::rewrite::plan::Mode;
use crate::rewrite::pretty_urls::PrettyUrls;
use crate::rewrite::targets::SiteMapping;
use crate::rewrite::{Policy, SitePolicy};
use crate::site::{EntryKind, FileIndex, FileKind, file_kind, ignores_case, walk};

/// Move files and folders without breaking a link
///
/// Moves files and folders to their new paths and updates every reference from and to them, in every
/// document. References that are still correct stay unchanged, the others keep their author's style.
/// Only URLs change: all other bytes of a document come out as they went in.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Root directory of the site
    #[arg(value_name = "SITE")]
    place: PathBuf,
    /// Files or folders to move, by their old and new paths in SITE
    ///
    /// A folder moves with everything in it; a.html=old/ moves a file into a folder. In a path, write
    /// = as \= and a backslash as \\.
    #[arg(value_name = "OLD=NEW")]
    moves: Vec<OsString>,
    /// Move every file whose whole path matches: 'blog/(\d{4})/(.*)=archive/$1/$2'
    #[arg(long, value_name = "PATTERN=NEW")]
    regex: Vec<String>,
    /// Spelling of references into the site
    #[arg(long, value_name = "STYLE", default_value = "keep")]
    style: MovedStyle,
    /// What to do with BASE elements
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    base: BaseChoice,
    /// Write redirects from every old URL, in the format of the site's server
    #[arg(long, value_name = "FORMAT", value_parser = redirects::format_parser(),
        conflicts_with_all = ["dry_run", "diff"])]
    redirects: Option<&'static RedirectFormat>,
    /// Write the redirects to this file (- for stdout) instead of the format's usual place
    #[arg(long, value_name = "FILE", requires = "redirects")]
    redirects_to: Option<PathBuf>,
    #[command(flatten)]
    list: MoveArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// `--style` of `move`: `None` keeps the author's.
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
            "--redirects html writes pages into the output; omit --redirects-to".to_owned(),
        ));
    }
    let list = &arguments.list;
    let requests = list.requests(on_command_line(&arguments.moves, &arguments.regex))?;
    if requests.is_empty() && list.map.is_empty() && list.new_url.is_none() {
        return Err(CliError::Usage(
            "nothing to move: give OLD=NEW, --map FILE, --regex PATTERN=NEW or --new-url URL"
                .to_owned(),
        ));
    }
    let place = SitePlace::of_directory(&arguments.place)?;
    let root = place.root();
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
    let site_url = place::site_url_or_placeholder(&place, arguments.site.url.as_deref())?;
    let new_site_url = arguments.list.new_site_url(&site_url)?;
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
    warn_of_excluded(&plan);
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

/// Warns of documents whose references do not follow the moves.
fn warn_of_excluded(plan: &Plan) {
    let is_excluded = |path: &std::path::Path| {
        let name = path.file_name().unwrap_or_default();
        matches!(file_kind(name), FileKind::Document(_))
            && plan
                .corpus
                .selection
                .document_kind(&plan.corpus.root, path)
                .is_ok_and(|kind| kind.is_none())
    };
    let files = plan.corpus.walk.entries.iter();
    let excluded = files
        .filter(|entry| entry.kind == EntryKind::File && is_excluded(&entry.path))
        .count();
    if excluded > 0 {
        let documents = counted(excluded, "document");
        terminal::warning(format!(
            "--include or --exclude skips {documents}, whose links to moved files will break"
        ));
    }
}
