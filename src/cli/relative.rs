//! `rehref relative`: make the links within a site relative.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::arguments::{AliasArguments, BaseChoice, ConsoleArguments, SiteArguments, StyleChoice};
use super::common::{self, SitePlace};
use super::exit::{CliError, Exit};
use super::output::OutputArguments;
use super::site::{filter, plan, refuse_for_filter, rewrite};
use crate::moves::MovedUrls;
use crate::rewrite::archive::Archives;
use crate::rewrite::pretty_urls::{IndexNames, PrettyUrls, TrailingSlash};
use crate::rewrite::targets::SiteMapping;
use crate::rewrite::{DocumentUrls, Policy, SitePolicy};
use crate::site::{FileIndex, FileTree, SiteUrl, hierarchical_url};
use crate::url::AbsoluteUrl;

/// Make the links within a site relative
///
/// References that lead into the site become relative, in the style asked for; the others stay. A
/// BASE element loses its href (the whole element goes where nothing else is on it), and every
/// reference of the document counts from the document's own URL and keeps its target. Only URLs
/// change: all other bytes of a document come out as they went in.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The site's root directory, an archive (.warc, .warc.gz), or - to filter one document from stdin to stdout
    #[arg(value_name = "SITE")]
    place: PathBuf,
    /// How references into the site are written
    #[arg(long, value_name = "STYLE", default_value = "path")]
    style: StyleChoice,
    /// What becomes of BASE elements
    #[arg(long, value_name = "WHAT", default_value = "drop")]
    base: BaseChoice,
    /// Write links so that they work from disk: to the index file of a folder, to the file that
    /// serves a name without its extension or with a query, and to names as they are on disk
    #[arg(long, conflicts_with_all = ["index", "trailing_slash"])]
    offline: bool,
    /// What becomes of the names of index files, where they are there
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    index: IndexChoice,
    /// What becomes of the slash at the end of links to folders, where they are there
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    trailing_slash: SlashChoice,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// `--index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IndexChoice {
    /// They stay as they are
    Keep,
    /// a/index.html becomes a/
    Strip,
    /// a/ becomes a/index.html
    Add,
}

/// `--trailing-slash`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SlashChoice {
    /// It stays as it is
    Keep,
    /// a becomes a/ where a is a folder
    Add,
    /// a/ becomes a where a has an index file, or a.html is there
    Remove,
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    arguments.console.apply();
    if arguments.offline && arguments.style != StyleChoice::Path {
        return Err(CliError::Usage(
            "--offline needs --style path: on disk there is no server to be relative to".to_owned(),
        ));
    }
    if arguments.place == Path::new("-") {
        return filter_document(&arguments);
    }
    let place = SitePlace::of(&arguments.place)?;
    let pretty = arguments.pretty();
    place.refuse(&for_directories(&pretty))?;
    let mode = arguments.output.destination.mode(&place)?;
    let site_url = common::site_url_or_placeholder(&place, arguments.site.url.as_deref())?;
    let (root, walk) = (place.root(), place.walk());
    let policy = policy(&arguments, &site_url, Some((&root, &walk)))?;
    let mut plan = plan(
        (root, walk),
        site_url,
        mode,
        policy,
        arguments.site.standard,
        &arguments.site.selection,
    )?;
    plan.archives = match arguments.site.url {
        Some(_) => Archives::Rewritten,
        None => Archives::RewrittenByServer,
    };
    rewrite(plan, &arguments.output, "already relative or external")
}

/// The options that ask what is on disk, and whether they are given.
fn for_directories(pretty: &PrettyUrls) -> [(&'static str, bool); 3] {
    [
        ("--offline", pretty.offline),
        ("--index", pretty.index != IndexNames::Keep),
        (
            "--trailing-slash",
            pretty.trailing_slash != TrailingSlash::Keep,
        ),
    ]
}

/// One document, whose site is taken to be the folder it is in.
fn filter_document(arguments: &Arguments) -> Result<Exit, CliError> {
    let pretty = arguments.pretty();
    refuse_for_filter(&for_directories(&pretty))?;
    let Some(url) = &arguments.site.url else {
        return Err(CliError::Usage(
            "- needs --url: the document's own URL, like https://example.org/docs/page.html; with \
             --also https://example.org/ what else is the site's"
                .to_owned(),
        ));
    };
    let own = hierarchical_url(url)?;
    let site = own.resolve("/", encoding_rs::UTF_8).map_err(|_| {
        CliError::Usage(format!(
            "--url {url} has no server whose other documents it could link to"
        ))
    })?;
    let (site_url, _) = SiteUrl::parse(site.as_str())?;
    let policy = policy(arguments, &site_url, None)?;
    let own = AbsoluteUrl::new(arguments.site.standard, own);
    filter(
        DocumentUrls::unmoved(&own),
        &policy,
        &arguments.output,
        &arguments.site.selection,
    )
}

impl Arguments {
    fn pretty(&self) -> PrettyUrls {
        PrettyUrls {
            offline: self.offline,
            index: match self.index {
                IndexChoice::Keep => IndexNames::Keep,
                IndexChoice::Strip => IndexNames::Strip,
                IndexChoice::Add => IndexNames::Add,
            },
            trailing_slash: match self.trailing_slash {
                SlashChoice::Keep => TrailingSlash::Keep,
                SlashChoice::Add => TrailingSlash::Add,
                SlashChoice::Remove => TrailingSlash::Remove,
            },
        }
    }
}

fn policy(
    arguments: &Arguments,
    site_url: &SiteUrl,
    tree: Option<(&Path, &FileTree)>,
) -> Result<Policy, CliError> {
    let pretty = arguments.pretty();
    let files = match tree {
        Some((root, walk)) if !pretty.is_plain() => FileIndex::new(root, &walk.entries),
        _ => FileIndex::default(),
    };
    Ok(Policy::site(SitePolicy {
        form: Some(arguments.style.style()),
        drop_base: arguments.base == BaseChoice::Drop,
        mapping: SiteMapping {
            before: site_url.clone(),
            also: arguments.aliases.site_urls()?,
            after: site_url.clone(),
            files,
            moved: MovedUrls::default(),
            pretty,
        },
    }))
}
