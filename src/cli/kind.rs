//! The kind of a single document.

use std::path::Path;

use clap::Args;
use clap::builder::TypedValueParser;

use super::exit::{CliError, usage_error};
use super::options::{self, SiteKind};
use super::place;
use super::values::one_of;
use rehref_corpus::files::first_bytes;
use rehref_corpus::{SingleDocumentError, SitePlace, SitePlaceError};
use rehref_document::{DocumentKind, MAGIC_LENGTH, NOT_A_DOCUMENT, is_binary_content};

/// The kind of the document that a command filters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Documents")]
pub(super) struct KindArguments {
    #[arg(long, value_name = "KIND", value_parser = kind(), help = KIND_HELP)]
    pub(super) kind: Option<DocumentKind>,
}

/// Help for `--kind`.
pub(super) const KIND_HELP: &str = "Kind of the document, if SITE is a document [default: from its file name, \
                                    or else from its first bytes; on stdin, from the file name in --url, or \
                                    else message if the document begins with headers, xml if it begins with \
                                    <?xml, html otherwise]";

/// Parses the value of `--kind`.
pub(super) fn kind() -> impl TypedValueParser<Value = DocumentKind> {
    one_of(DocumentKind::NAMES.map(|(name, kind)| (name, "", kind)))
}

impl KindArguments {
    /// Returns the place of `site`. With `--kind` it is a document, whatever its name is; refuses `--kind` for a
    /// directory or an archive, and options that are not for such a SITE.
    pub(super) fn place(&self, site: &Path) -> Result<SitePlace, CliError> {
        let place = match self.kind {
            Some(_) => SitePlace::of_file(site)?,
            None => SitePlace::of(site).map_err(|error| match &error {
                // Not a pipe, whatever its kind would be.
                SitePlaceError::NotASite(file)
                    if file.is_file()
                        && place::not_a_site(file).is_none()
                        && !is_binary_file(file) =>
                {
                    CliError::Usage(format!(
                        "{}\nhelp: if the file is a document, pass its kind, like --kind html",
                        place::explained(&error)
                    ))
                }
                _ => error.into(),
            })?,
        };
        let kind = SiteKind::of(&place);
        if self.kind.is_some() && kind != SiteKind::Document {
            return usage_error(
                "--kind applies only to a single document\nhelp: for files of the site, use --html GLOB",
            );
        }
        options::refuse(kind)?;
        Ok(place)
    }
}

/// Refuses the document at `path` if it is a binary file. What cannot be read is told when it is.
pub(super) fn refuse_binary(path: &Path) -> Result<(), CliError> {
    if is_binary_file(path) {
        return usage_error(format!("{}: {NOT_A_DOCUMENT}\nhelp: pass a document", path.display()));
    }
    Ok(())
}

fn is_binary_file(path: &Path) -> bool {
    first_bytes(path, MAGIC_LENGTH).is_ok_and(|start| is_binary_content(&start))
}

/// For `or_else`: the document called `name` cannot be read.
pub(super) fn not_a_document<T>(
    name: &str,
) -> impl FnOnce(SingleDocumentError) -> Result<T, CliError> {
    move |error| {
        if matches!(error, SingleDocumentError::UnknownKind) {
            refuse_binary(Path::new(name))?;
        }
        let hint = match error {
            SingleDocumentError::UnknownKind | SingleDocumentError::NotADocument(_) => {
                "\nhelp: pass the kind, like --kind html"
            }
            _ => "",
        };
        usage_error(format!("{name}: {error}{hint}"))
    }
}
