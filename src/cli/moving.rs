//! `rehref move`: move files and folders without breaking a link.

use std::path::PathBuf;

use clap::Args;

use super::arguments::SiteArguments;
use super::build::{MovedSources, ProjectBuilds};
use super::exit::{CliError, Exit, usage_error};
use super::output::OutputArguments;
use super::redirect_destination::{self, RedirectDestination, RedirectPlace};
use super::requests::{MoveArguments, plan_moves};
use super::rewriting::{refuse_below, refuse_part, rewrite};
use super::site_url::{self, MissingUrl};
use super::values::{BASE_CHOICES, Choice, FORMS, Form, one_of};
use super::{
    advice, already_moved, move_slips, no_documents, redirect_pages, redirects, repository_url,
    terminal, work_tree,
};
use crate::moves;
use rehref_corpus::SitePlace;
use rehref_corpus::output::{Stage, leftovers};
use rehref_corpus::run::Plan;
use rehref_corpus::run::plan::Mode;
use rehref_generators::markdown::MarkdownDialect;
use rehref_rewrite::{BaseElements, Policy, SiteMapping, SitePolicy};
use rehref_site::{PLACEHOLDER_URL, SiteUrl, ignores_case};

/// Move files and directories without breaking a link
///
/// Moves files and directories to their new paths, and updates every link from and to them in every document.
/// Links that are still correct stay unchanged; updated links keep their form (relative, or from the root).
/// Only links change: all other bytes of a document stay unchanged.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Root directory of the site
    #[arg(value_name = "SITE")]
    place: PathBuf,
    #[command(flatten)]
    list: MoveArguments,
    #[command(flatten)]
    output: OutputArguments,
    /// Check the move: build the site before and after it with COMMAND, such as 'mkdocs build -q -d {out}'
    ///
    /// rehref runs COMMAND twice in a copy of the project, with an empty temporary directory in place of {out}. The built sites must have every page at its old URL or at the new one, the links of each page
    /// must have the expected targets, and no link may be newly broken. rehref shows new warnings of the generator. If
    /// there is a difference, --in-place changes nothing. rehref reads COMMAND only from the command line, never from a file.
    #[arg(long, value_name = "COMMAND", help_heading = "Output")]
    build: Option<String>,
    /// Form of updated links
    #[arg(long, alias = "style", value_name = "FORM", default_value = "keep", help_heading = "Links",
        value_parser = one_of([KEEP].into_iter().chain(FORMS)))]
    form: Form,
    /// Keep, update or remove base elements
    #[arg(long, alias = "base", value_name = "WHAT", default_value = "keep", help_heading = "Links",
        value_parser = one_of(BASE_CHOICES))]
    base_element: BaseElements,
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = redirect_destination::destination,
        help_heading = "Moves",
        help = "Write redirects from every old URL to the new URL, in the format of the site's server or generator",
        long_help = redirect_destination::help())]
    write_redirects: Option<RedirectDestination>,
    /// Stage the moves in git, as git mv does; requires --in-place
    ///
    /// git then shows files as renamed, and keeps their history. The documents with changed links are staged, too.
    #[arg(long, requires = "in_place", help_heading = "Moves")]
    git: bool,
    /// Update links only: the files are at their new paths already, as after git mv
    ///
    /// Links that are already updated stay unchanged. With --git and without OLD=NEW, the moves are the renames that git finds since
    /// the last commit.
    #[arg(long, help_heading = "Moves",
        conflicts_with_all = ["write_redirects", "new_url", "regex", "build", "verify"])]
    already_moved: bool,
    #[command(flatten)]
    site: SiteArguments,
}

const REFUSAL: &str = "nothing was changed";

/// The default of `--form`.
const KEEP: Choice<Form> = ("keep", "As written: relative, from the root, or absolute", None);

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let list = &arguments.list;
    site_url::refuse_none("move", arguments.site.url.as_deref())?;
    let place = SitePlace::of_directory(&arguments.place)
        .map_err(|error| move_slips::site_error(error, &list.moves))?;
    let given = arguments.site.url.as_deref();
    move_slips::refuse_words(&arguments.place, &place.root(), &list.moves, given)?;
    move_slips::refuse_sed(&arguments.place, &list.regex)?;
    // With others, the mistakes of all are listed together.
    if list.regex.is_empty() && list.map.is_empty() {
        move_slips::refuse(&arguments.place, &place.root(), &list.moves)?;
    }
    let requests = match arguments.already_moved && arguments.git && list.are_none() {
        true => already_moved::renames(&place.root())?,
        false => list.requests(REFUSAL)?,
    };
    if let (true, [map]) = (requests.is_empty(), list.map.as_slice()) {
        return usage_error(format!(
            "--map {}: the file has no moves\nhelp: write OLD, a tab and NEW on each line",
            map.display()
        ));
    }
    if requests.is_empty() && list.are_none() {
        return usage_error(
            "nothing to move: pass OLD=NEW, --map FILE (- for stdin), --regex PATTERN=NEW or --new-url URL\nhelp: to publish the site at another URL, pass the URL of today to --url, and the new one to --new-url",
        );
    }
    let redirects_printed = arguments.write_redirects.as_ref().is_some_and(|it| it.is_stdout());
    if redirects_printed && arguments.output.format.iter().any(|it| it.file.is_none()) {
        return usage_error(
            "--write-redirects and --format both print to stdout\nhelp: write one to a file: --format json=FILE",
        );
    }
    if let Some(destination) = &arguments.write_redirects {
        destination.check()?;
    }
    let root = place.root();
    if arguments.git && arguments.output.destination.out.is_some() {
        return usage_error(
            "--git stages the moves of --in-place\nhelp: remove --git, or use --in-place in place of --out",
        );
    }
    if arguments.git {
        work_tree::refuse_staging(&root)?;
    }
    // The plan says that the files moved before, which matters more than that git sees it.
    let is_moved =
        |(old, new): (PathBuf, PathBuf)| !root.join(old).exists() && root.join(new).exists();
    let has_moved = requests.iter().any(|it| it.paths().is_some_and(is_moved));
    let is_dirty = arguments.already_moved || has_moved;
    let mode = match arguments.output.destination.mode_of(&place, is_dirty)? {
        Mode::InPlace if !arguments.already_moved => {
            for leftover in leftovers(&root) {
                let name = leftover.display();
                terminal::warning(format!(
                    "an interrupted run left {name}\nhelp: remove this directory"
                ));
            }
            Mode::Exchange(Stage::beside(&root)?)
        }
        mode => mode,
    };
    let (mut corpus, likely_url) =
        arguments.site.open(&place, place.walk(), MissingUrl::Assumed)?;
    let new_site_url = list.new_site_url(&corpus.site_url)?;
    let likely_url = likely_url.map(|it| it.url).or_else(|| {
        let is_unknown = corpus.site_url.url().as_str() == PLACEHOLDER_URL;
        let is_of_host = is_unknown && corpus.dialects().any(|it| it == MarkdownDialect::GITHUB);
        if is_of_host { repository_url::of(&corpus.root) } else { None }
    });
    if let Some(destination) = &arguments.write_redirects {
        let likely = likely_url.as_ref().filter(|_| arguments.site.url.is_none());
        destination.refuse_host(&corpus, likely.unwrap_or(&new_site_url).url())?;
    }
    if let (Some(destination), Some(likely), None) =
        (&arguments.write_redirects, &likely_url, &arguments.site.url)
    {
        destination.refuse_path(likely)?;
    }
    let likely: Vec<SiteUrl> = likely_url.into_iter().chain(corpus.unknown_siblings()).collect();
    let policy = |mapping| {
        Policy::site(SitePolicy {
            form: arguments.form,
            base_elements: arguments.base_element,
            mapping: SiteMapping { likely, ..mapping },
        })
    };
    let entries = &corpus.walk.entries;
    no_documents::refuse_before(&corpus, "the site")?;
    refuse_below(&corpus, &arguments.output.destination)?;
    let is_typed = arguments.site.url.is_some();
    refuse_part(&corpus, &arguments.output.destination, is_typed)?;
    if arguments.already_moved {
        let (origins, mapping) = already_moved::origins(&corpus, &requests)?;
        let plan = Plan { origins: Some(origins), ..Plan::new(corpus, mode, policy(mapping)) };
        let is_staged = arguments.git && plan.mode.writes();
        let exit = rewrite(plan, &arguments.output, "already correct", |_, _| Ok(()))?;
        if is_staged {
            work_tree::stage(&root, std::iter::empty())?;
        }
        return Ok(exit);
    }
    move_slips::refuse_pages(&corpus, &requests)?;
    let moves = plan_moves(&root, entries, &requests, ignores_case(&root, entries), REFUSAL)?;
    if let Some(destination) = &arguments.write_redirects {
        destination.refuse_other_generator(&corpus, &moves)?;
    }
    if moves.is_empty() && new_site_url == corpus.site_url {
        return usage_error(
            "nothing to move: no move changes a path or the URL\nhelp: pass OLD=NEW with two different paths, OLD, a tab and NEW on each line of --map FILE, or a --new-url that differs from --url",
        );
    }
    if let Some(pages) = corpus.server.sources.as_mut().and_then(|it| it.pages.as_mut()) {
        pages.follow_scopes(moves.folders());
    }
    let new_index_files = corpus.index_files_at(|path| moves.new_path(path).unwrap_or(path));
    let mapping = moves::mapping(&corpus, &moves, &new_site_url);
    let plan = Plan { moves, new_index_files, ..Plan::new(corpus, mode, policy(mapping)) };
    if let Some(lost) = advice::moves::lost_source(&plan) {
        return usage_error(lost);
    }
    advice::print(advice::moves::of_plan(&plan));
    if let (Some(file), None) =
        (&arguments.site.redirects.redirects, &plan.corpus.selection.redirects)
    {
        let file = file.display();
        terminal::warning(format!(
            "--redirects {file} is outside the site, so move does not update its rules\nhelp: update the rules in {file} by hand"
        ));
    }
    let write_redirects =
        |plan: &Plan, found: &mut Vec<advice::Advice>| match &arguments.write_redirects {
            Some(destination) => redirects::write(plan, destination, found),
            None => {
                found.extend(advice::redirects::without(plan)?);
                Ok(())
            }
        };
    let new_url = plan.new_site_url().clone();
    let built = match &arguments.build {
        Some(_) if !plan.mode.writes() => {
            terminal::warning(
                "--build builds the output, but --dry-run, --diff and --check write none; nothing was built",
            );
            None
        }
        Some(command) => {
            let out = arguments.output.destination.out.as_deref();
            let builds = ProjectBuilds::new(command, &place, &plan.corpus, out)?;
            let before = builds.build(&plan.corpus.root, "before")?.or_else(usage_error)?;
            Some((builds, before))
        }
        None => None,
    };
    let finish = |plan: &Plan, found: &mut Vec<advice::Advice>| {
        write_redirects(plan, found)?;
        let (Some((builds, before)), Some(tree)) = (&built, plan.mode.new_tree()) else {
            return Ok(());
        };
        let sources = MovedSources {
            corpus: &plan.corpus,
            shown: &arguments.place,
            moves: &plan.moves,
            tree: tree.root(),
            shown_tree: arguments.output.destination.out.as_deref().unwrap_or(&arguments.place),
            new_url: &new_url,
            redirects: &arguments.site.redirects,
            needs_redirects: arguments
                .write_redirects
                .as_ref()
                .is_some_and(|it| it.file.is_none() && !it.is_stdout()),
        };
        match (sources.compare(builds, before)?, &plan.mode) {
            (Some(message), Mode::Exchange(_)) => {
                return usage_error(format!("the site is unchanged: {message}"));
            }
            (message, _) => found.extend(message.map(advice::Advice::Error)),
        }
        Ok(())
    };
    let is_staged = arguments.git && plan.mode.writes();
    let moved = plan.moves.files().filter(|_| is_staged);
    let rules = arguments.write_redirects.as_ref().filter(|_| is_staged).and_then(|destination| {
        let pages = redirect_pages::sources(&plan.corpus, &plan.moves);
        match destination.place(&root, pages) {
            RedirectPlace::InTree(file) => Some(file),
            RedirectPlace::Stdout | RedirectPlace::Elsewhere(_) => None,
        }
    });
    let moved: Vec<(PathBuf, PathBuf)> =
        moved.map(|(old, new)| (old.to_owned(), new.to_owned())).collect();
    let exit = rewrite(plan, &arguments.output, "already correct", finish)?;
    if is_staged {
        let moved = moved.iter().map(|(old, new)| (&**old, &**new));
        work_tree::stage(&root, moved)?;
        if let Some(file) = rules.filter(|it| root.join(it).is_file()) {
            work_tree::add(&root, &file)?;
        }
    }
    Ok(exit)
}
