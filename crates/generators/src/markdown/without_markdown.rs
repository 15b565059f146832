//! A dialect in which nothing is read, in place of all others without the feature `markdown`.

use super::dialect::MarkdownDialect;
use super::findings::MarkdownFindings;
use super::prepared::Inclusion;

impl MarkdownDialect {
    /// The dialect of Markdown without a project.
    #[doc(hidden)]
    pub const GITHUB: MarkdownDialect = MarkdownDialect::PLAIN;
    /// The dialect that front matter of Jekyll is read in.
    #[doc(hidden)]
    pub const JEKYLL: MarkdownDialect = MarkdownDialect::PLAIN;
}

/// The dialects.
pub static DIALECTS: &[MarkdownDialect] = &[MarkdownDialect::PLAIN];

/// Finds nothing.
pub fn find(_: &[u8], _: &str, _: MarkdownDialect, _: bool) -> MarkdownFindings {
    MarkdownFindings::default()
}

/// Finds nothing.
pub fn inclusions(_: &str, _: MarkdownDialect) -> Vec<Inclusion> {
    Vec::new()
}
