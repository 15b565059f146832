//! `rehref links`: every reference of a site, as data.

use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::arguments::{AliasArguments, ConsoleArguments, SiteArguments};
use super::exit::{CliError, Exit};
use super::opened::{Opened, Said, archive_trouble, complain, with_archive};
use super::progress::{Listing, Progress};
use super::server::ServerArguments;
use super::terminal;
use crate::audit::links::{Link, of_document};
use crate::audit::resolved::SiteIndex;
use crate::parallel;
use crate::plural::counted;
use crate::rewrite::plan::Observer;
use crate::url::AbsoluteUrl;

/// Print every reference of a site, as data
///
/// Prints one record per reference, in the order of the tree and of each document: document, line,
/// column, element, attribute, carrier, the reference as written, its base URL, target, fragment and
/// kind, and for a reference into the site the file that serves it.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Root directory of the site, or an archive (.warc, .warc.gz)
    #[arg(value_name = "SITE")]
    place: PathBuf,
    /// Format of the records
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    format: Format,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    aliases: AliasArguments,
    #[command(flatten)]
    server: ServerArguments,
    #[command(flatten)]
    console: ConsoleArguments,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values with a header line
    Csv,
}

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    arguments.console.apply();
    let said = Said {
        place: &arguments.place,
        site: &arguments.site,
        aliases: &arguments.aliases,
        server: &arguments.server,
    };
    let opened = said.open()?;
    let archives = opened.archives();
    let Opened {
        tree,
        index,
        mut failed,
    } = opened;
    let mut fail = |path: &Path, error: &dyn std::fmt::Display| {
        failed = true;
        complain(path, error);
    };
    let progress = Progress::new(Listing::Names);
    progress.start(tree.len());
    let mut is_first = true;
    let result = tree.each_document(
        |path, bytes, options| {
            let name = path.to_string_lossy();
            let page = tree.selection.compressed_page(path);
            let page = page.as_ref().map_or(path, |it| &it.page);
            let url = index
                .site_url
                .document_url(page)
                .map_err(|it| it.to_string())?;
            let own = AbsoluteUrl::new(arguments.site.standard, url);
            let links = of_document(&index, &name, bytes, &own, options);
            links.map_err(|error| error.to_string())
        },
        || progress.progress(),
        |path, result| {
            let links = match result {
                Ok(Ok(links)) => links,
                Ok(Err(message)) => {
                    fail(path, &message);
                    return Ok(());
                }
                Err(trouble) => {
                    fail(path, &trouble);
                    return Ok(());
                }
            };
            print(&links, arguments.format, &mut is_first)
        },
    );
    progress.finish();
    match result {
        Ok(()) => {}
        Err(parallel::Error::Output(source)) => return Err(CliError::stdout(source)),
        Err(other) => return Err(other.into()),
    }
    for path in archives {
        let result = with_archive(&tree, &path, arguments.site.standard, |source| {
            let index = SiteIndex::of_archive(source.index()?)?;
            source.each_document(
                |_| true,
                |it| {
                    let links = of_document(&index, it.name, it.bytes, it.own, &it.options);
                    links.map_err(|error| error.to_string())
                },
                |name, result| match result.and_then(|links| links) {
                    Ok(links) => print(&links, arguments.format, &mut is_first),
                    Err(message) => {
                        failed = true;
                        complain(Path::new(name), &message);
                        Ok(())
                    }
                },
            )
        });
        match result {
            Ok(left) => {
                for (why, count) in left {
                    failed = true;
                    let message = format!(
                        "{} {}: not looked into",
                        counted(count, "record"),
                        why.words().1
                    );
                    complain(&path, &message);
                }
            }
            Err(error) => {
                failed = true;
                archive_trouble(&path, error)?;
            }
        }
    }
    if arguments.format == Format::Csv && is_first {
        terminal::print(csv(&[], true).map_err(CliError::stdout)?)?;
    }
    Ok(if failed { Exit::Error } else { Exit::Done })
}

fn print(links: &[Link], format: Format, is_first: &mut bool) -> io::Result<()> {
    let text = match format {
        Format::Jsonl => jsonl(links)?,
        Format::Csv => csv(links, std::mem::take(is_first))?,
    };
    terminal::write_stdout(&text)
}

fn jsonl(links: &[Link]) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for link in links {
        serde_json::to_writer(&mut text, link)?;
        text.push(b'\n');
    }
    Ok(text)
}

/// The fields of a record, in order.
const FIELDS: [&str; 13] = [
    "document",
    "line",
    "column",
    "element",
    "attribute",
    "carrier",
    "reference",
    "base",
    "target",
    "fragment",
    "kind",
    "file",
    "found",
];

fn csv(links: &[Link], with_header: bool) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    if with_header {
        writer.write_record(FIELDS)?;
    }
    for link in links {
        writer.serialize(link)?;
    }
    writer.into_inner().map_err(|error| error.into_error())
}
