//! The argument SITE: its help, its `--url`, and refusals of options that do not fit it.

use super::exit::{CliError, usage_error};
use super::terminal;
use crate::corpus::{SitePlace, container_suffixes};
use crate::site::{PLACEHOLDER_URL, SiteUrl};

/// Help for SITE; `more` is what it may be besides a directory and an archive.
pub(super) fn help(more: &str) -> String {
    let or = if more.is_empty() { " or" } else { "" };
    let suffixes = container_suffixes();
    format!("Root directory of the site,{or} an archive ({suffixes}){more}")
}

/// Refuses options that have no meaning for an archive.
pub(super) fn refuse_for_archive(
    place: &SitePlace,
    options: &[(&str, bool)],
) -> Result<(), CliError> {
    let reason = "SITE is an archive, whose records have URLs of their own";
    match place {
        SitePlace::Directory(_) => Ok(()),
        SitePlace::Archive(_) => refuse(options, reason),
    }
}

/// Refuses options that have no meaning for a single document.
pub(super) fn refuse_for_filter(options: &[(&str, bool)]) -> Result<(), CliError> {
    refuse(options, "- filters one document from stdin to stdout")
}

/// Returns an error for the first option that is given, instead of ignoring it.
fn refuse(options: &[(&str, bool)], reason: &str) -> Result<(), CliError> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => usage_error(format!("{name} is for directories; {reason}")),
        None => Ok(()),
    }
}

/// Parses `--url`; prints a note if `url` looks like a mistake.
pub(super) fn parse_site_url(url: &str) -> Result<SiteUrl, CliError> {
    let (site_url, note) = SiteUrl::parse(url)?;
    if let Some(note) = note {
        terminal::note(note);
    }
    Ok(site_url)
}

/// The URL of the site at `place`: `url`, or else the `file:` URL of its root.
pub(super) fn site_url(place: &SitePlace, url: Option<&str>) -> Result<SiteUrl, CliError> {
    if let Some(url) = url {
        return parse_site_url(url);
    }
    let site_url = SiteUrl::of_directory(&place.root())?;
    if let SitePlace::Directory(_) = place {
        terminal::note(format!("no --url: SITE is {}", site_url.url()));
    }
    Ok(site_url)
}

/// The URL of the site at `place`: `url`, or else the root of a host without a name.
pub(super) fn site_url_or_placeholder(
    place: &SitePlace,
    url: Option<&str>,
) -> Result<SiteUrl, CliError> {
    // The records of an archive have URLs of their own.
    if let (SitePlace::Directory(_), None) = (place, url) {
        terminal::note(
            "no --url: assuming the site is at the root of its host; links with a host name count \
             as external",
        );
    }
    parse_site_url(url.unwrap_or(PLACEHOLDER_URL))
}
