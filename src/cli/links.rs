//! `rehref links`: every reference of a site, as data.

mod output;
mod parquet;

use std::io::{self, IsTerminal, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use self::output::Output;
use self::parquet::LINKS;
use super::exit::{CliError, Exit, usage_error};
use super::link_filter::{LinkFilter, Selected};
use super::opened::ReadingArguments;
use super::options::{self, SiteKind};
use super::progress::Listing;
use super::reports::{
    Requested, check_parquet, formats, refuse_conflicts, refuse_files_of, requested,
};
use super::rewriting::filter_url;
use super::site_url::{self, MissingUrl};
use super::stdin::{self, Stdin};
use super::values::{Choice, PARQUET_HELP};
use super::{place, summary, terminal};
use crate::table::{Rows, TableWriter};
use rehref_audit::links::{
    CsvRecords, FIELDS, Link, add_json_line, add_text_line, each_of_document,
};
use rehref_audit::site_index::SiteIndex;
use rehref_corpus::{Role, SkipError, SourceDocument, catch_panic};
use rehref_document::DocumentError;
use rehref_site::string_table::StringTable;
use rehref_site::{FileIndex, SiteUrl};

/// Print every link of a site, as data
///
/// Prints one record per link, in the order of the files, and of the links in each document: document, line, column,
/// element, attribute, carrier, reference (the link as written), base URL, target, fragment and kind, and, for a
/// link into the site, the file at the target.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(value_name = "SITE", help = place::help(", or - for a document or an archive on stdin"))]
    place: PathBuf,
    /// Format of the records, on stdout or in FILE; repeatable [default: jsonl; text on a terminal]
    #[arg(long, value_name = "FORMAT[=FILE]", value_parser = formats(FORMATS))]
    format: Vec<Requested<Format>>,
    #[command(flatten)]
    filter: LinkFilter,
    #[command(flatten)]
    reading: ReadingArguments,
}

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Jsonl,
    Csv,
    Parquet,
    Urls,
}

#[rustfmt::skip]
const FORMATS: [Choice<Format>; 6] = [
    ("text", "One line for people per link: its place, the link, and the file at the target", Format::Text),
    ("json", "One JSON array of the objects of jsonl", Format::Json),
    ("jsonl", "One JSON object per line", Format::Jsonl),
    ("csv", "Comma-separated values with a header line; a ' precedes text that spreadsheets would run as a \
        formula", Format::Csv),
    ("parquet", PARQUET_HELP, Format::Parquet),
    ("urls", "Only the targets, each once, without those of preconnect and dns-prefetch; for example: --only external \
        --format urls | lychee -", Format::Urls),
];

/// The end of the error of a document without a URL.
const URL_HINT: &str = "\nhelp: to list links as the document has them, add --url none";

pub(super) fn run(mut arguments: Arguments) -> Result<Exit, CliError> {
    let check = || filter_url(&arguments.reading.site, URL_HINT);
    match Stdin::of(&arguments.place, arguments.reading.kind.kind, check)? {
        Stdin::Document(bytes) => run_on(&arguments, Some(bytes)),
        Stdin::Archive(archive) => {
            archive.path().clone_into(&mut arguments.place);
            run_on(&arguments, None)
        }
        Stdin::Unread => run_on(&arguments, None),
    }
}

/// Prints the links of SITE, or of the document `stdin`.
fn run_on(arguments: &Arguments, stdin: Option<Vec<u8>>) -> Result<Exit, CliError> {
    let mut sinks = arguments.format.clone();
    if sinks.is_empty() {
        let is_terminal = io::stdout().is_terminal();
        let default = if is_terminal { Format::Text } else { Format::Jsonl };
        if !is_terminal && terminal::is_file() {
            terminal::note(
                "no --format: writing JSON lines\nhelp: for a spreadsheet, add --format csv",
            );
        }
        let row = FORMATS.iter().filter(|(.., format)| *format == default);
        sinks = requested(&[], &row.copied().collect::<Vec<_>>())?;
    }
    refuse_conflicts(&sinks)?;
    check_parquet(&sinks, Format::Parquet)?;
    if arguments.filter.broken && site_url::is_none(arguments.reading.site.url.as_deref()) {
        return usage_error(
            "--broken: with --url none, no link has a target in the site\nhelp: remove --broken, or pass the URL",
        );
    }
    if let Some(bytes) = stdin {
        return run_on_document(arguments, bytes, sinks);
    }
    refuse_files_of(&arguments.place, &sinks)?;
    let mut site = arguments.reading.open(&arguments.place, MissingUrl::Assumed)?;
    let formats: Vec<Format> = sinks.iter().map(|sink| sink.format).collect();
    // Targets alone depend on no other record.
    let has_targets_alone = formats.iter().all(|format| *format == Format::Urls);
    site.needs_captures = !(has_targets_alone && arguments.filter.has_all());
    let mut sinks = Sink::open_all(sinks)?;
    let site_url = site.corpus.site_url.clone();
    let extraction = Extraction {
        formats,
        filter: arguments.filter.at(&site_url, site.files())?,
        // As in the reports of the audit, paths stand for URLs that nobody knows.
        hidden: site.is_url_assumed.then_some(&site_url),
        has_any: AtomicBool::new(false),
    };
    let missing = arguments.filter.missing_target(&site.corpus);
    let exit = site.each_document(
        Listing::Names,
        |_| (),
        |index, document| extraction.records(index, document),
        |records| Sink::write_all(&mut sinks, records?),
    )?;
    sinks.into_iter().try_for_each(Sink::finish)?;
    if arguments.filter.broken {
        terminal::note(
            "--broken lists links without a target, not those whose target lacks the fragment\nhelp: `rehref audit` finds both",
        );
    }
    if let (false, Some(to)) = (extraction.has_any.into_inner(), &arguments.filter.to) {
        match missing {
            Some(advice) => terminal::warning(format!("--to {to}: {advice}")),
            None if arguments.filter.broken => {
                terminal::note(format!("--to {to}: no broken link has this target"));
            }
            None if to.contains("://")
                && site_url.below(to).is_none()
                && !site_url.is_placeholder() =>
            {
                terminal::note(format!(
                    "--to {to}: no selected link has this target\nhelp: the site is at {}; for a page of the site, write its path, like --to news/",
                    site_url.url()
                ));
            }
            None => terminal::note(format!("--to {to}: no selected link has this target")),
        }
    }
    Ok(exit)
}

/// Prints the links of the document `bytes` from stdin. Its site is its whole host, of which no file is known.
fn run_on_document(
    arguments: &Arguments,
    bytes: Vec<u8>,
    sinks: Vec<Requested<Format>>,
) -> Result<Exit, CliError> {
    let site = &arguments.reading.site;
    options::refuse(SiteKind::Stdin)?;
    let own = filter_url(site, URL_HINT)?;
    let root = own.resolve("/", encoding_rs::UTF_8).unwrap_or_else(|_| own.clone());
    let site_url = SiteUrl::parse(root.as_str())?.0;
    let (bytes, url, options) = stdin::document(bytes, own, &arguments.reading.kind, site)?;
    let document = SourceDocument {
        name: "stdin",
        item: 0,
        index_key: "",
        retrieval_url: &url,
        fallback_base: &url,
        page: None,
        bytes: &bytes,
        options,
        role: Role::Content,
    };
    let nowhere = iter::once(Path::new(""));
    let index = SiteIndex::of_files(
        FileIndex::default().with_unread(nowhere),
        site_url.clone(),
        site.aliases()?,
    );
    let formats = sinks.iter().map(|sink| sink.format).collect();
    let mut sinks = Sink::open_all(sinks)?;
    let extraction = Extraction {
        formats,
        filter: arguments.filter.at(&site_url, &FileIndex::default())?,
        hidden: None,
        has_any: AtomicBool::new(false),
    };
    let records = catch_panic(|| extraction.records(&index, &document));
    let exit = match records.map_err(SkipError::coding).and_then(|it| Ok(it?)) {
        Ok(records) => {
            let written = records.and_then(|records| Sink::write_all(&mut sinks, records));
            written.map_err(CliError::stdout)?;
            Exit::Done
        }
        Err(error) => {
            terminal::error(summary::line(&error.diagnostic("stdin")));
            Exit::of(!error.is_malformed(), error.is_malformed())
        }
    };
    sinks.into_iter().try_for_each(Sink::finish)?;
    Ok(exit)
}

/// Makes records of the links of documents.
struct Extraction<'a> {
    formats: Vec<Format>,
    filter: Selected<'a>,
    /// The URL that is not shown; paths are shown instead.
    hidden: Option<&'a SiteUrl>,
    /// Whether a link was selected.
    has_any: AtomicBool,
}

impl Extraction<'_> {
    /// The records of the selected links of `document`, in each format.
    fn records(
        &self,
        index: &SiteIndex,
        document: &SourceDocument<'_>,
    ) -> Result<io::Result<Vec<Records>>, DocumentError> {
        let mut records: Vec<Records> = self.formats.iter().copied().map(Records::new).collect();
        let mut written = Ok(());
        each_of_document(index, document, &mut |mut link| {
            if written.is_err() || !self.filter.covers(&link) {
                return;
            }
            self.has_any.store(true, Ordering::Relaxed);
            if let Some(site_url) = self.hidden {
                link.show_paths(site_url);
            }
            let mut records = records.iter_mut().zip(&self.formats);
            written = records.try_for_each(|(to, format)| to.add(&link, *format));
        })?;
        Ok(written.map(|()| records))
    }
}

/// The records of a document in a format, one for each link. The links themselves would take several times
/// as much memory.
enum Records {
    Text(Vec<u8>),
    Csv(CsvRecords),
    Parquet(Rows),
}

impl Records {
    fn new(format: Format) -> Records {
        match format {
            Format::Text | Format::Json | Format::Jsonl | Format::Urls => Records::Text(Vec::new()),
            Format::Csv => Records::Csv(CsvRecords::default()),
            Format::Parquet => Records::Parquet(Rows::default()),
        }
    }

    fn add(&mut self, link: &Link, format: Format) -> io::Result<()> {
        match self {
            // White space and control characters do not occur in a URL.
            Records::Text(text) if format == Format::Urls => {
                if let Some(target) = link.target.as_ref().filter(|_| !link.is_hint) {
                    text.extend_from_slice(target.as_bytes());
                    text.push(b'\n');
                }
                Ok(())
            }
            Records::Text(text) if format == Format::Text => {
                add_text_line(text, link);
                Ok(())
            }
            Records::Text(text) => add_json_line(text, link),
            Records::Csv(records) => records.add(link),
            Records::Parquet(rows) => {
                parquet::add(rows, link);
                Ok(())
            }
        }
    }
}

/// Where the records of a format go.
struct Sink {
    format: Format,
    to: Writer,
    /// The lines written before, where each is to be written once.
    known: StringTable,
    /// What comes before the next record of a JSON array: its start, or a separator.
    before: &'static str,
}

enum Writer {
    Text(Output),
    Parquet(Box<TableWriter<Output>>),
}

impl Sink {
    fn open_all(reports: Vec<Requested<Format>>) -> Result<Vec<Sink>, CliError> {
        reports.into_iter().map(Sink::open).collect()
    }

    /// Writes the records of a document, one for each of `sinks`.
    fn write_all(sinks: &mut [Sink], records: Vec<Records>) -> io::Result<()> {
        sinks.iter_mut().zip(records).try_for_each(|(sink, records)| sink.write(records))
    }

    fn open(report: Requested<Format>) -> Result<Sink, CliError> {
        let format = report.format;
        let mut output = Output::open(report.file)?;
        let to = match format {
            Format::Parquet => {
                TableWriter::new(&LINKS, output).map(|it| Writer::Parquet(it.into()))
            }
            Format::Csv => {
                let header = FIELDS.join(",") + "\n";
                output.write_all(header.as_bytes()).map(|()| Writer::Text(output))
            }
            Format::Text | Format::Json | Format::Jsonl | Format::Urls => Ok(Writer::Text(output)),
        };
        Ok(Sink {
            format,
            to: to.map_err(CliError::stdout)?,
            known: StringTable::default(),
            before: "[\n",
        })
    }

    fn write(&mut self, records: Records) -> io::Result<()> {
        match (&mut self.to, records) {
            (Writer::Text(output), Records::Text(text)) if self.format == Format::Urls => {
                // URLs are ASCII.
                let lines = str::from_utf8(&text).unwrap_or_default().split_inclusive('\n');
                let new: String = lines.filter(|line| self.known.insert_new(line)).collect();
                output.write_all(new.as_bytes())
            }
            (Writer::Text(output), Records::Text(text)) if self.format == Format::Json => {
                let lines = str::from_utf8(&text).unwrap_or_default().lines();
                lines.into_iter().try_for_each(|line| {
                    let before = std::mem::replace(&mut self.before, ",\n");
                    output.write_all([before, line].concat().as_bytes())
                })
            }
            (Writer::Text(output), Records::Text(text)) => output.write_all(&text),
            (Writer::Text(output), Records::Csv(records)) => output.write_all(&records.finish()?),
            (Writer::Parquet(writer), Records::Parquet(rows)) => writer.append(rows),
            // Records and sinks are of one list of formats.
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<(), CliError> {
        match self.to {
            Writer::Text(mut output) => {
                if self.format == Format::Json {
                    let end = if self.before == ",\n" { "\n]\n" } else { "[]\n" };
                    output.write_all(end.as_bytes()).map_err(CliError::stdout)?;
                }
                output.finish()
            }
            Writer::Parquet(writer) => writer.finish().map_err(CliError::stdout)?.finish(),
        }
    }
}
