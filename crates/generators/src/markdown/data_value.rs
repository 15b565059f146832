//! Values of data that may be links: of front matter, and of the files of generators.

use super::rows::MarkdownRow;
use crate::data::{NotData, ScalarSyntax};
use rehref_url::{Span, scheme};

/// A value that may be a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataValue {
    /// Its bytes without quotes.
    pub span: Span,
    pub syntax: ScalarSyntax,
    pub row: &'static MarkdownRow,
}

/// The values of the front matter of a document that may be links.
#[derive(Debug, Default)]
pub struct DataValues {
    pub values: Vec<DataValue>,
    /// The values that are Markdown.
    pub markdown: Vec<DataValue>,
    /// The bytes of the front matter, and the error for which it cannot be read.
    pub error: Option<(Span, NotData)>,
}

/// Whether a value looks like a path or a URL, not like words.
pub(super) fn may_be_url(value: &str) -> bool {
    if value.contains(['<', '>', '"', '\n', '\t', '|', '^', '\\']) || value.contains("](") {
        return false;
    }
    let is_rooted = ["/", "./", "../", "#", "?"];
    if is_rooted.iter().any(|start| value.starts_with(start)) || value.contains("://") {
        return true;
    }
    if scheme::split(value).is_some() {
        return true;
    }
    let path = value.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && (1..=8).contains(&extension.len())
            && extension.bytes().all(|b| b.is_ascii_alphanumeric())
            && extension.bytes().any(|b| b.is_ascii_alphabetic())
    });
    has_extension || path.contains('/') && !path.contains(' ')
}
