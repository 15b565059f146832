//! `rehref compare`: find what an earlier state of a site published and this one does not.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::audit;
use super::audit::arguments::{FindingArguments, FixArguments, ReportArguments};
use super::exit::{CliError, Exit, usage_error};
use super::opened::{OpenedSite, ReadingArguments};
use super::output::DestinationArguments;
use super::progress::Listing;
use super::site_url::MissingUrl;
use super::values::{Choice, one_of};
use super::{files, reports, terminal};
use rehref_audit::published::{DocumentPublication, Published, PublishedAnchors};
use rehref_corpus::SitePlace;
use rehref_site::SiteUrl;
use rehref_site::plural::counted;

/// Find published pages, files and anchors that a new state of a site has lost
///
/// Every URL that OLD answers, and every anchor in it that a link of OLD leads to, must exist in NEW or be redirected
/// there. Reads only files on disk, and fetches nothing.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// What was published: a directory, an archive, a sitemap, or a list of URLs (--record writes one)
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new state of the site
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Anchors of OLD that NEW must have
    #[arg(long, value_name = "WHICH", default_value = "linked", value_parser = one_of(ANCHORS))]
    anchors: PublishedAnchors,
    /// Write the URLs and anchors of NEW to FILE, to compare a later state with: OLD is then FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArguments,
    #[command(flatten)]
    findings: FindingArguments,
    #[command(flatten)]
    reading: ReadingArguments,
}

/// `--anchors`.
#[rustfmt::skip]
const ANCHORS: [Choice<PublishedAnchors>; 2] = [
    ("linked", "Anchors that a link of OLD leads to", PublishedAnchors::Linked),
    ("all", "All ids and headings", PublishedAnchors::All),
];

pub(super) fn run(arguments: Arguments) -> Result<Exit, CliError> {
    let Arguments { old, new, anchors, record, report, findings, reading } = arguments;
    let open = |place: &Path| reading.open(place, MissingUrl::AssumedInSilence);
    let opened_new = open(&new)?;
    let site_url = opened_new.corpus.site_url.clone();
    let published = if is_list(&old) {
        of_list(&files::read_or("OLD", &old, "")?, &old, &site_url)?
    } else {
        of_site(open(&old)?, anchors, &site_url)?
    };
    if published.urls.is_empty() {
        return usage_error(format!(
            "{}: names no URL of the site; give the URL of the site with --url",
            old.display()
        ));
    }
    if published.others > 0 {
        let others = counted(published.others, "URL");
        terminal::note(format!("{others} of OLD not compared: not below the URL of the site"));
    }
    if let Some(file) = &record {
        let of_new = of_site(opened_new, anchors, &site_url)?;
        reports::write(Some(file), of_new.list(&site_url).into_bytes())?;
    }
    terminal::note(format!(
        "comparing {} and {} of OLD with NEW",
        counted(published.urls.len(), "URL"),
        counted(published.anchors(), "anchor")
    ));
    let arguments = audit::Arguments {
        place: new,
        build: None,
        report,
        findings,
        fix: FixArguments { fix: None, destination: DestinationArguments::default() },
        reading,
    };
    audit::report_lost(&arguments, &published)
}

/// Whether OLD is a list of URLs: a file that is no archive.
fn is_list(old: &Path) -> bool {
    let is_archive = || matches!(SitePlace::of(old), Ok(SitePlace::Archive(_)));
    fs::metadata(old).is_ok_and(|it| it.is_file()) && !is_archive()
}

fn of_list(text: &[u8], old: &Path, site_url: &SiteUrl) -> Result<Published, CliError> {
    let name = old.display().to_string();
    let published = Published::of_list(text, &name, site_url);
    published.or_else(|error| usage_error(format!("{name}: {error}")))
}

/// What the site publishes; of an archive, below `site_url`.
fn of_site(
    mut opened: OpenedSite,
    anchors: PublishedAnchors,
    site_url: &SiteUrl,
) -> Result<Published, CliError> {
    let mut documents = Vec::new();
    opened.each_document(Listing::Nothing, DocumentPublication::of, |document| {
        documents.push(document);
        Ok(())
    })?;
    Ok(Published::of_site(&opened.corpus, &opened.index, documents, anchors, site_url))
}
