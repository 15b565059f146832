//! Arguments that the rewriting subcommands share, and what they mean.

use std::io::Read;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use encoding_rs::Encoding;

use super::{CliError, style, terminal};
use crate::corpus::Selection;
use crate::document::ParseOptions;
use crate::output::{Destination, OutputFile};
use crate::rewrite::plan::Mode;
use crate::rewrite::policy::BasePolicy;
use crate::site::{Entry, EntryKind, FileTree, Globs, PLACEHOLDER_URL, SiteUrl, walk};
use crate::url::{RelativeForm, Standard};
use crate::warc::{gzip, is_archive_name};

/// Where the result goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArguments {
    /// Write the whole tree to this directory: documents rewritten, everything else copied; of an
    /// archive, write it to this file
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["in_place", "dry_run", "diff"])]
    pub(super) out: Option<PathBuf>,
    /// Write into an output directory that is not empty (files of the same name are replaced)
    #[arg(long, requires = "out")]
    pub(super) force: bool,
    /// Change SITE itself: documents that change are replaced, each in one step; move replaces the
    /// whole tree in one step
    #[arg(long, conflicts_with_all = ["dry_run", "diff"])]
    pub(super) in_place: bool,
    /// Write nothing; list the documents that would change
    #[arg(long, conflicts_with = "diff")]
    pub(super) dry_run: bool,
    /// Write nothing; print a unified diff of what would change
    #[arg(long)]
    pub(super) diff: bool,
    /// Read what was written again, and prove that every link leads where it should and that no
    /// other byte has changed
    #[arg(long, conflicts_with_all = ["dry_run", "diff"])]
    pub(super) verify: bool,
    /// Print a report on stdout when done (with --dry-run in place of the list)
    #[arg(long, value_name = "FORMAT", conflicts_with = "diff")]
    pub(super) report: Option<ReportFormat>,
    /// Print no progress, notes, warnings and summary, only errors
    #[arg(short, long)]
    pub(super) quiet: bool,
    /// When to use color
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(super) color: style::ColorChoice,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    /// One JSON object
    Json,
}

/// Which files are documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(super) struct SelectionArguments {
    /// Look only into documents whose path in SITE matches; others are taken as they are
    ///
    /// In a glob * and ? stay within a name, ** goes across. One without a slash fits at any depth;
    /// ./ or / at its start ties it to SITE. One that matches a directory covers everything in it,
    /// so that drafts, like drafts/, is the whole folder. The same for --exclude and --html.
    #[arg(long, value_name = "GLOB")]
    pub(super) include: Vec<String>,
    /// Take documents whose path in SITE matches as they are
    #[arg(long, value_name = "GLOB")]
    pub(super) exclude: Vec<String>,
    /// Take files whose path in SITE matches for HTML, whatever their name says
    #[arg(long, value_name = "GLOB")]
    pub(super) html: Vec<String>,
    /// Take compressed pages (page.html.gz, .br, .zst and .svgz) for documents too
    #[arg(long)]
    pub(super) compressed: bool,
    /// Look into JSON-LD too (`script type=application/ld+json`)
    #[arg(long)]
    pub(super) json_ld: bool,
    /// Look into the RDFa attributes `about` and `resource` too
    #[arg(long)]
    pub(super) rdfa: bool,
    /// Take documents that begin with headers for messages, whatever the headers are
    ///
    /// A status line of HTTP, or two headers or more of which one is well-known (Content-Type,
    /// Date, Server and such), with an empty line behind them, are taken for headers anyway, as
    /// wget --save-headers leaves them. Mail and MHTML are known by their names: .eml, .mhtml,
    /// .mht.
    #[arg(long)]
    pub(super) message: bool,
    /// The charset of documents without a byte order mark, whatever they declare
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    pub(super) charset: Option<&'static Encoding>,
    /// Number of threads [default: number of cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = threads, help_heading = "Running")]
    pub(super) threads: Option<NonZeroUsize>,
}

fn threads(number: &str) -> Result<NonZeroUsize, String> {
    number.parse().map_err(|_| {
        "give a number from 1 up, or leave the option out for one thread per core".into()
    })
}

/// Help for `--standard`.
pub(super) const STANDARD_HELP: &str = "The standard that references are resolved by";

/// Parses the name of a standard; help lists them all.
pub(super) fn standard() -> impl TypedValueParser<Value = Standard> {
    let names = Standard::all().map(|standard| {
        PossibleValue::new(standard.name())
            .aliases(standard.aliases())
            .help(standard.description())
    });
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Standard>())
}

/// Parses the label of a charset.
pub(super) fn charset(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes())
        .ok_or_else(|| "no such charset; try a label like utf-8, windows-1252 or shift_jis".into())
}

impl SelectionArguments {
    pub(super) fn selection(&self) -> Result<Selection, CliError> {
        Ok(Selection {
            include: match self.include.as_slice() {
                [] => None,
                given => Some(globs("--include", given)?),
            },
            exclude: globs("--exclude", &self.exclude)?,
            html: globs("--html", &self.html)?,
            compressed: self.compressed,
            ..Selection::default()
        })
    }

    pub(super) fn options(&self) -> ParseOptions {
        ParseOptions {
            charset: self.charset,
            json_ld: self.json_ld,
            rdfa: self.rdfa,
            message: self.message,
            ..ParseOptions::default()
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

fn globs(option: &str, given: &[String]) -> Result<Globs, CliError> {
    Globs::new(given).map_err(|error| CliError::Usage(format!("{option} {error}")))
}

/// All of stdin.
pub(super) fn stdin() -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    match std::io::stdin().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(source) => Err(CliError::Io {
            what: "stdin".to_owned(),
            source,
        }),
    }
}

/// Where a site is, canonical.
#[derive(Debug)]
pub(super) enum SitePlace {
    /// A directory.
    Directory(PathBuf),
    /// One archive.
    Archive(PathBuf),
}

impl SitePlace {
    /// Where the site is that the user named.
    pub(super) fn of(site: &std::path::Path) -> Result<SitePlace, CliError> {
        let path = site.canonicalize().map_err(|source| CliError::Io {
            what: site.display().to_string(),
            source,
        })?;
        let is_archive = path.file_name().is_some_and(is_archive_name) && path.is_file();
        match is_archive {
            true => Ok(SitePlace::Archive(path)),
            false => site_root(site).map(SitePlace::Directory),
        }
    }

    /// The root directory; that of an archive is the one that it is in.
    pub(super) fn root(&self) -> PathBuf {
        match self {
            SitePlace::Directory(root) => root.clone(),
            SitePlace::Archive(path) => path.parent().unwrap_or(path).to_owned(),
        }
    }

    /// What is in the site.
    pub(super) fn walk(&self) -> FileTree {
        match self {
            SitePlace::Directory(root) => walk(root),
            SitePlace::Archive(path) => FileTree {
                entries: vec![Entry {
                    path: path.file_name().unwrap_or_default().into(),
                    kind: EntryKind::File,
                }],
                errors: Vec::new(),
            },
        }
    }

    /// Options that mean nothing for a single archive are better refused than ignored.
    pub(super) fn refuse(&self, options: &[(&str, bool)]) -> Result<(), CliError> {
        let SitePlace::Archive(_) = self else {
            return Ok(());
        };
        match options.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((name, _)) => Err(CliError::Usage(format!(
                "{name} is for directories; SITE is a single archive, whose records have their own \
                 URLs"
            ))),
        }
    }
}

/// The site's root, canonical.
pub(super) fn site_root(site: &std::path::Path) -> Result<PathBuf, CliError> {
    let root = site.canonicalize().map_err(|source| CliError::Io {
        what: site.display().to_string(),
        source,
    })?;
    if !root.is_dir() {
        return Err(CliError::Usage(format!(
            "{}: not a directory; give the site's root directory, or an archive (.warc, .warc.gz)",
            site.display()
        )));
    }
    Ok(root)
}

/// Refuses a name that says of the archive `out` that it is compressed, where `archive` is not.
fn refuse_false_name(archive: &std::path::Path, out: &std::path::Path) -> Result<(), CliError> {
    let name = out.to_string_lossy().to_ascii_lowercase();
    let mut start = Vec::new();
    std::fs::File::open(archive)
        .and_then(|file| file.take(2).read_to_end(&mut start))
        .map_err(|source| CliError::Io {
            what: archive.display().to_string(),
            source,
        })?;
    match name.ends_with(".gz") && start != gzip::MAGIC {
        true => Err(CliError::Usage(format!(
            "{}: SITE is not compressed, and what is written is as SITE is; give a name without .gz",
            out.display()
        ))),
        false => Ok(()),
    }
}

impl OutputArguments {
    /// What is to be done with the site at `root`.
    pub(super) fn mode(&self, place: &SitePlace) -> Result<Mode, CliError> {
        match (&self.out, place) {
            (Some(out), SitePlace::Archive(path)) => {
                refuse_false_name(path, out)?;
                Ok(Mode::File(OutputFile::check(path, out, self.force)?))
            }
            (Some(out), SitePlace::Directory(root)) => {
                Ok(Mode::Copy(Destination::check(root, out, self.force)?))
            }
            (None, _) if self.in_place => Ok(Mode::InPlace),
            (None, _) if self.dry_run => Ok(Mode::DryRun),
            (None, _) if self.diff => Ok(Mode::Diff),
            (None, _) => Err(CliError::Usage(
                "where to? Give an output directory with --out DIR, or --in-place, --dry-run or \
                 --diff"
                    .to_owned(),
            )),
        }
    }
}

/// The location of the site at `root`, with notes on stderr.
pub(super) fn site_url(
    root: &std::path::Path,
    url: Option<&str>,
    quiet: bool,
) -> Result<SiteUrl, CliError> {
    let Some(url) = url else {
        let site_url = SiteUrl::of_directory(root)?;
        if !quiet {
            note(&format!("no --url given: SITE is {}", site_url.url()));
        }
        return Ok(site_url);
    };
    let (site_url, note) = SiteUrl::parse(url)?;
    if let Some(note) = note.filter(|_| !quiet) {
        self::note(&note.to_string());
    }
    Ok(site_url)
}

/// The location of a site whose URL may not be known.
pub(super) fn site_url_or_placeholder(url: Option<&str>, quiet: bool) -> Result<SiteUrl, CliError> {
    if url.is_none() && !quiet {
        note(
            "no --url given: SITE is taken for the root of a server, and links with a server's name \
             for links to elsewhere",
        );
    }
    let (site_url, note) = SiteUrl::parse(url.unwrap_or(PLACEHOLDER_URL))?;
    if let Some(note) = note.filter(|_| !quiet) {
        self::note(&note.to_string());
    }
    Ok(site_url)
}

/// The locations of `--also`.
pub(super) fn also(urls: &[String]) -> Result<Vec<SiteUrl>, CliError> {
    let site_urls = urls.iter().map(|url| SiteUrl::parse(url));
    site_urls
        .map(|site_url| {
            site_url
                .map(|(site_url, _)| site_url)
                .map_err(CliError::Also)
        })
        .collect()
}

/// `--base`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BaseChoice {
    /// They stay, with a href that leads where it should
    Keep,
    /// They go, and references count from the document's own URL
    Drop,
}

impl BaseChoice {
    pub(super) fn policy(self) -> BasePolicy {
        match self {
            BaseChoice::Keep => BasePolicy::Keep,
            BaseChoice::Drop => BasePolicy::Drop,
        }
    }
}

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum StyleChoice {
    /// From the document: ../a/b.html
    Path,
    /// From the root of the server: /docs/a/b.html
    Root,
    /// With the server: //example.org/docs/a/b.html
    Scheme,
}

impl StyleChoice {
    pub(super) fn style(self) -> RelativeForm {
        match self {
            StyleChoice::Path => RelativeForm::Path,
            StyleChoice::Root => RelativeForm::Root,
            StyleChoice::Scheme => RelativeForm::Scheme,
        }
    }
}

fn note(text: &str) {
    terminal::say(&style::note("note:"), text);
}
