//! The kind of a document on stdin, or of a single file.

use clap::Args;

use super::arguments::{Choice, one_of};
use super::exit::{CliError, usage_error};
use crate::corpus::SingleDocumentError;
use crate::document::DocumentKind;

/// The kind of the document that a command filters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(super) struct KindArguments {
    #[arg(long, value_name = "KIND", value_parser = one_of(KINDS), help = KIND_HELP)]
    pub(super) kind: Option<DocumentKind>,
}

/// Help for `--kind`.
pub(super) const KIND_HELP: &str = "Kind of the document on stdin [default: by the file name in --url, \
    or else XML for a document that begins with <?xml, HTML for others]";

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
    /// Refuses `--kind` for a directory or an archive.
    pub(super) fn refuse_for_site(&self) -> Result<(), CliError> {
        match self.kind {
            Some(_) => usage_error(
                "--kind applies only to a document on stdin (SITE is -); for files of SITE, use --html GLOB",
            ),
            None => Ok(()),
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
