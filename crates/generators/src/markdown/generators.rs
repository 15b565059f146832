//! The table of dialects: a file with one row for each generator that publishes Markdown, which says how the generator
//! reads it and where its links lead.

mod docusaurus;
mod github;
mod hugo;
mod jekyll;
mod mdbook;
mod mkdocs;
mod mystmd;
mod sphinx;
mod unread;
mod vitepress;

use super::dialect::MarkdownDialect;
use super::plain;
pub use github::is_page_of_host;
pub use unread::UNREAD;

/// The dialects, in the order in which their configuration files are looked for: more certain ones first.
pub static DIALECTS: &[MarkdownDialect] = &[
    MarkdownDialect::MKDOCS,
    MarkdownDialect::DOCUSAURUS,
    MarkdownDialect::HUGO,
    MarkdownDialect::SPHINX,
    MarkdownDialect::MYSTMD,
    MarkdownDialect::MDBOOK,
    MarkdownDialect::VITEPRESS,
    MarkdownDialect::JEKYLL,
    MarkdownDialect::GITHUB,
    MarkdownDialect::PLAIN,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_has_a_name_of_its_own() {
        for (number, dialect) in DIALECTS.iter().enumerate() {
            assert_eq!(DIALECTS.iter().position(|it| it == dialect), Some(number), "{dialect:?}");
        }
    }
}
