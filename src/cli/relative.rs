//! `rehref relative`: make the links within a site relative.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::arguments::{AliasArguments, BaseChoice, ConsoleArguments, SiteArguments, StyleChoice};
use super::exit::{CliError, Exit};
use super::output::OutputArguments;
use super::place;
use super::site::{filter, plan, refuse_for_filter, rewrite};
use crate::corpus::SitePlace;
use crate::moves::MovedUrls;
use crate::rewrite::plan::Archives;
use crate::rewrite::pretty_urls::{IndexNames, PrettyUrls, TrailingSlash};
use crate::rewrite::targets::SiteMapping;
use crate::rewrite::{Policy, SitePolicy};
use crate::site::{FileIndex, FileTree, SiteUrl, hierarchical_url};

/// Make the links within a site relative
///
/// References into the site become relative, in the spelling of --style; all others stay unchanged.
/// BASE elements lose their href (elements without other attributes disappear), and references become
/// relative to the document's own URL; every reference keeps its target. Only URLs change: all other
/// bytes of a document come out as they went in.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Root directory of the site, an archive (.warc, .warc.gz), or - to filter one document from stdin
    /// to stdout
    #[arg(value_name = "SITE")]
    place: PathBuf,
    /// Spelling of references into the site
    #[arg(long, value_name = "STYLE", default_value = "path")]
    style: StyleChoice,
    /// What to do with BASE elements
    #[arg(long, value_name = "WHAT", default_value = "drop")]
    base: BaseChoice,
    /// Write links that work from disk: to the index file of a folder, to the file that is served for
    /// a name without its extension or with a query, and to names in the letter case of the disk
    #[arg(long, conflicts_with_all = ["index", "trailing_slash"])]
    offline: bool,
    /// What to do with names of index files in links, if the files exist
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    index: IndexChoice,
    /// What to do with the slash at the end of links to folders, if the folders exist
    #[arg(long, value_name = "WHAT", default_value = "keep")]
    trailing_slash: SlashChoice,
    #[command(flatten)]
    output: OutputArguments,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// `--index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IndexChoice {
    /// Keep them
    Keep,
    /// Write a/index.html as a/
    Strip,
    /// Write a/ as a/index.html
    Add,
}

/// `--trailing-slash`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SlashChoice {
    /// Keep it
    Keep,
    /// Write a as a/ if a is a folder
    Add,
    /// Write a/ as a if a has an index file or a.html exists
    Remove,
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    arguments.console.apply();
    if arguments.offline && arguments.style != StyleChoice::Path {
        return Err(CliError::Usage(
            "--offline needs --style path: files on disk have no host to be relative to".to_owned(),
        ));
    }
    if arguments.place == Path::new("-") {
        return filter_document(&arguments);
    }
    let place = SitePlace::of(&arguments.place)?;
    let pretty = arguments.pretty();
    place::refuse_for_archive(&place, &for_directories(&pretty))?;
    let mode = arguments.output.destination.mode(&place)?;
    let site_url = place::site_url_or_placeholder(&place, arguments.site.url.as_deref())?;
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

/// The options that need the files on disk, and whether they are given.
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

/// Filters one document. Its site is its whole host.
fn filter_document(arguments: &Arguments) -> Result<Exit, CliError> {
    let pretty = arguments.pretty();
    refuse_for_filter(&for_directories(&pretty))?;
    let Some(url) = &arguments.site.url else {
        return Err(CliError::Usage(
            "- needs --url: the document's own URL, like https://example.org/docs/page.html; --also \
             adds other URLs of its site"
                .to_owned(),
        ));
    };
    let own = hierarchical_url(url)?;
    let site = own.resolve("/", encoding_rs::UTF_8).map_err(|_| {
        CliError::Usage(format!(
            "--url {url}: this URL has no host, so the document cannot link to other documents of its site"
        ))
    })?;
    let (site_url, _) = SiteUrl::parse(site.as_str())?;
    let policy = policy(arguments, &site_url, None)?;
    filter(own, &policy, &arguments.output, &arguments.site)
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
