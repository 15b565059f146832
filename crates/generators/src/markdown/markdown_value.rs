//! A value of Markdown that holds a URL.

use super::destination::DestinationForm;
use super::rows::MarkdownRow;
use rehref_url::Span;

/// A value that holds a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkdownValue {
    /// The URL without brackets or quotes.
    pub span: Span,
    pub form: DestinationForm,
    pub row: &'static MarkdownRow,
}
