//! The data on the page besides the findings.

use super::source_url::SourceUrl;
use crate::finding::ReportedFile;

/// The data on the page besides the findings.
pub struct HtmlOptions<'a> {
    /// Returns a file, decoded; `None` if it cannot be read.
    pub source: &'a dyn Fn(ReportedFile<'_>) -> Option<String>,
    /// The URLs of the documents' sources, to which places link.
    pub source_url: Option<&'a SourceUrl>,
    /// When the audit ran, for people.
    pub date: Option<&'a str>,
    /// The command line that ran it.
    pub command: Option<&'a str>,
}
