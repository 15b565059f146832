//! The reasons why a document cannot be parsed or edited.

use super::encoding::LossyTranscoding;
use super::html::raw::TooComplex;
use super::{Position, Positions};

/// The error of a binary file.
pub const NOT_A_DOCUMENT: &str =
    "this is a picture, an archive or another binary file, not a document";

/// The reason why a document cannot be parsed or edited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// Transcoding to UTF-8 and back would change the bytes of the document.
    #[error(transparent)]
    Transcoding(#[from] LossyTranscoding),
    /// The document is not well-formed.
    #[error("the document is not well-formed {language} at {}:{}: {message}", .position.line, .position.column)]
    NotWellFormed {
        /// The language: XML, YAML or TOML.
        language: &'static str,
        /// The position at which the parser fails.
        position: Position,
        /// The description of the error.
        message: String,
    },
    /// A changed reference fills a line, which would be read as a delimiter between the parts of the
    /// message.
    #[error(
        "a rewritten link would look like the delimiter between the parts of the message; use another boundary in the message"
    )]
    Delimiter,
    /// With its new links, the document would be read in another charset, in which other bytes of it mean
    /// something else.
    #[error(
        "with the new links, browsers would read the document as {after} instead of {before}; declare its \
         charset (in HTML, with a meta element at the start of the head)"
    )]
    Charset {
        /// The charset that the document is read in.
        before: &'static str,
        /// The charset that it would be read in.
        after: &'static str,
    },
    /// Parsing the document would take too much memory or time.
    #[error(transparent)]
    TooComplex(#[from] TooComplex),
    /// The document is Markdown, but the crate was built without the feature `markdown`.
    #[error("Markdown is not read by this build; build rehref with the feature `markdown`")]
    WithoutMarkdown,
    /// The content of the file is that of a picture, an archive or another binary file.
    #[error("{NOT_A_DOCUMENT}")]
    Binary,
    /// The document is compressed, and its name does not say so.
    #[error(
        "the file is compressed, but its name does not say so: rehref reads such pages as page.html.gz, with \
         --compressed; check the site before it is compressed"
    )]
    Compressed,
    /// The document is larger than `ParseOptions::max_size`.
    #[error("the document is too large: {size} bytes, and --max-document-size is {limit}")]
    AboveLimit {
        /// The size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
}

impl DocumentError {
    /// Returns the error at the byte `at` of `source`.
    pub(super) fn not_well_formed(
        language: &'static str,
        source: &[u8],
        at: usize,
        message: String,
    ) -> DocumentError {
        let position = Positions::new(source).of(at);
        DocumentError::NotWellFormed { language, position, message }
    }

    /// Returns the name of the audit's check that reports a document with this error, such as
    /// `not-well-formed`. Returns `None` if the document is intact, but its edits cannot be written.
    pub fn malformation(&self) -> Option<&'static str> {
        match self {
            DocumentError::NotWellFormed { .. }
            | DocumentError::Binary
            | DocumentError::Compressed => Some("not-well-formed"),
            DocumentError::TooComplex(_) | DocumentError::AboveLimit { .. } => Some("too-complex"),
            DocumentError::Transcoding(_) => Some("wrong-charset"),
            DocumentError::Delimiter
            | DocumentError::Charset { .. }
            | DocumentError::WithoutMarkdown => None,
        }
    }

    /// Returns the line and column of the error in the document; `None` if the error is not at a single place.
    pub fn position(&self) -> Option<Position> {
        match self {
            DocumentError::NotWellFormed { position, .. } => Some(*position),
            _ => None,
        }
    }

    /// Returns the message without the line and column.
    pub fn reason(&self) -> String {
        match self {
            DocumentError::NotWellFormed { language, message, .. } => {
                format!("the document is not well-formed {language}: {message}")
            }
            other => other.to_string(),
        }
    }
}
