//! The argument SITE: its help, and refusals of options that do not fit it.

use super::exit::{CliError, usage_error};
use crate::corpus::{SitePlace, container_suffixes};

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
