//! The kind of a single document.

use std::path::Path;

use clap::Args;

use super::arguments::{Choice, one_of};
use super::exit::{CliError, usage_error};
use super::place::{self, is_packed};
use crate::corpus::{SingleDocumentError, SitePlace, SitePlaceError};
use crate::document::DocumentKind;

/// The kind of the document that a command filters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(super) struct KindArguments {
    #[arg(long, value_name = "KIND", value_parser = one_of(KINDS), help = KIND_HELP)]
    pub(super) kind: Option<DocumentKind>,
}

/// Help for `--kind`.
pub(super) const KIND_HELP: &str = "Kind of the document, if SITE is one [default: by its file name, or else by \
    its first bytes; on stdin, by the file name in --url, or else message for a document that begins with headers, \
    XML for one that begins with <?xml, HTML for others]";

/// `--kind`.
pub(super) const KINDS: [Choice<DocumentKind>; 7] = [
    ("html", "", DocumentKind::Html),
    ("xhtml", "", DocumentKind::Xhtml),
    ("xml", "", DocumentKind::Xml),
    ("css", "", DocumentKind::Css),
    ("message", "", DocumentKind::Message),
    ("manifest", "", DocumentKind::WebManifest),
    ("robots", "", DocumentKind::Robots),
];

impl KindArguments {
    /// The place of `site`. With `--kind` it is a document, whatever its name is; refuses `--kind` for a directory
    /// or an archive.
    pub(super) fn place(&self, site: &Path) -> Result<SitePlace, CliError> {
        if self.kind.is_none() {
            return SitePlace::of(site).map_err(|error| match &error {
                SitePlaceError::NotASite(file) if !is_packed(file) => CliError::Usage(format!(
                    "{}; if the file is a document, give its kind, like --kind html",
                    place::explained(&error)
                )),
                _ => error.into(),
            });
        }
        match SitePlace::of_file(site)? {
            place @ SitePlace::Document(_) => Ok(place),
            SitePlace::Directory(_) | SitePlace::Archive(_) => usage_error(
                "--kind applies only to a single document; for files of SITE, use --html GLOB",
            ),
        }
    }
}

/// For `or_else`: the document called `name` cannot be read.
pub(super) fn not_a_document<T>(
    name: &str,
) -> impl FnOnce(SingleDocumentError) -> Result<T, CliError> {
    move |error| {
        let hint = match error {
            SingleDocumentError::UnknownKind | SingleDocumentError::NotADocument(_) => {
                "; give the kind, like --kind html"
            }
            _ => "",
        };
        usage_error(format!("{name}: {error}{hint}"))
    }
}
