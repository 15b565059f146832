//! A dialect in which nothing is read, in place of all others without the feature `markdown`.

use super::dialect::MarkdownDialect;
use super::findings::MarkdownFindings;
use super::prepared::Inclusion;

impl MarkdownDialect {
    /// The dialect of Markdown without a project.
    #[doc(hidden)]
    pub const GITHUB: MarkdownDialect = MarkdownDialect::PLAIN;
    /// The dialect in which front matter of Jekyll is read.
    #[doc(hidden)]
    pub const JEKYLL: MarkdownDialect = MarkdownDialect::PLAIN;
}

/// The table of dialects in a build without Markdown.
pub static DIALECTS: &[MarkdownDialect] = &[MarkdownDialect::PLAIN];

/// Returns no findings, because this build does not read Markdown.
pub fn find(_: &[u8], _: &str, _: MarkdownDialect, _: bool) -> MarkdownFindings {
    MarkdownFindings::default()
}

/// Returns no inclusions, because this build does not read Markdown.
pub fn inclusions(_: &str, _: MarkdownDialect) -> Vec<Inclusion> {
    Vec::new()
}
