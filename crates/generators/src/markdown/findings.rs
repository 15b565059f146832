//! The contents of a document, and of one in HTML with shortcodes.

use super::dialect::MarkdownDialect;
use super::makers::{Maker, makers_of_page};
use super::prepared::{Prepared, UnreadLink};
use super::rows::MarkdownValue;
use super::shortcodes;
use rehref_url::Span;

/// The contents of a document in Markdown. Spans are bytes of the source.
#[derive(Debug, Default)]
pub struct MarkdownFindings {
    /// The values that hold URLs, in no order.
    pub values: Vec<MarkdownValue>,
    /// The source with spaces in place of everything but the HTML in it; `None` if it has no HTML.
    pub html: Option<Vec<u8>>,
    /// The ends of the blocks and inline pieces of HTML, in order. What is open in one ends there, whatever HTML says:
    /// Markdown follows.
    pub html_ends: Vec<usize>,
    /// The markup, in order, that is a word in `html`: quotes in it would end the value of an attribute.
    pub words: Vec<Span>,
    /// The anchors of headings, each with the span of the heading.
    pub anchors: Vec<(String, Span)>,
    /// The references to definitions that the document does not have: `[text][label]`.
    pub undefined: Vec<Span>,
    /// The definitions that nothing refers to.
    pub unused: Vec<Span>,
    /// The links that are not read.
    pub unread: Vec<UnreadLink>,
    /// Makers of further anchors, if the project has them, each with its name in messages.
    pub makers: Vec<(&'static Maker, String)>,
}

/// Finds the links in shortcodes and tags of `source`, which is HTML that the generator renders; in `html` these are words.
pub fn find_in_html(source: &str, dialect: MarkdownDialect) -> MarkdownFindings {
    let mut prepared = Prepared { text: source.into(), ..Prepared::default() };
    shortcodes::prepare(source, dialect, &mut prepared);
    prepared.words.sort_unstable_by_key(|range| range.start);
    MarkdownFindings {
        values: prepared.values,
        words: prepared.words.into_iter().map(Span::from).collect(),
        html: Some(prepared.text.into_owned().into_bytes()),
        unread: prepared.unread,
        makers: makers_of_page(source, dialect.row().makers),
        ..MarkdownFindings::default()
    }
}
