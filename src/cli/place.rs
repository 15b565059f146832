//! The argument SITE: its help, and refusals of options that do not fit it.

use super::exit::{CliError, usage_error};
use rehref_corpus::{SitePlace, container_suffixes};

/// Help for SITE; `more` is what it may be besides a directory, a document and an archive.
pub(super) fn help(more: &str) -> String {
    let or = if more.is_empty() { " or" } else { "" };
    let suffixes = container_suffixes();
    format!("Root directory of the site, a document,{or} an archive ({suffixes}){more}")
}

/// Refuses options that have no meaning for an archive.
pub(super) fn refuse_for_archive(
    place: &SitePlace,
    options: &[(&str, bool)],
) -> Result<(), CliError> {
    let reason = "SITE is an archive, whose records have URLs of their own";
    match place {
        SitePlace::Directory(_) | SitePlace::Document(_) => Ok(()),
        SitePlace::Archive(_) => refuse(options, reason),
    }
}

/// Refuses options that have no meaning for a document.
pub(super) fn refuse_for_document(
    place: &SitePlace,
    options: &[(&str, bool)],
) -> Result<(), CliError> {
    match place {
        SitePlace::Directory(_) | SitePlace::Archive(_) => Ok(()),
        SitePlace::Document(_) => refuse(options, "SITE is a single document"),
    }
}

/// Refuses options that have no meaning for a document on stdin.
pub(super) fn refuse_for_filter(options: &[(&str, bool)]) -> Result<(), CliError> {
    refuse(options, "SITE is -, so rehref reads one document from stdin")
}

/// Returns an error for the first option that is given, instead of ignoring it.
fn refuse(options: &[(&str, bool)], reason: &str) -> Result<(), CliError> {
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => usage_error(format!("{name} does not apply: {reason}; omit {name}")),
        None => Ok(()),
    }
}
