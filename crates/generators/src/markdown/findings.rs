//! The contents of a document, and of one in HTML with shortcodes.

use super::dialect::MarkdownDialect;
use super::makers::{Maker, makers_of_page};
use super::prepared::{Prepared, UnreadLink};
use super::rows::MarkdownValue;
use super::shortcodes;
use rehref_url::Span;

/// The links, anchors and HTML of a Markdown document. Spans are in the source.
#[derive(Debug, Default)]
pub struct MarkdownFindings {
    /// The values that hold URLs, in no order.
    pub values: Vec<MarkdownValue>,
    /// The source, in which spaces replace everything but HTML; `None` if it has no HTML.
    pub html: Option<Vec<u8>>,
    /// The ends of the blocks and inline pieces of HTML, in order. Elements that are open at such an end are
    /// closed there, because Markdown follows.
    pub html_ends: Vec<usize>,
    /// The spans of markup that appears as a word in `html`, in order, because quotes in it would end the value
    /// of an attribute.
    pub words: Vec<Span>,
    /// The anchors of headings, each with the span of the heading.
    pub anchors: Vec<(String, Span)>,
    /// The references to definitions that the document does not have: `[text][label]`.
    pub undefined: Vec<Span>,
    /// The definitions that no reference uses.
    pub unused: Vec<Span>,
    /// The links that rehref does not read, so that it cannot check them.
    pub unread: Vec<UnreadLink>,
    /// Plugins and components that may make more anchors, if the project has them, each with its name in
    /// messages.
    pub makers: Vec<(&'static Maker, String)>,
}

/// Finds the links in shortcodes and tags of `source`, an HTML file that the generator renders. `html` contains
/// words in their place.
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
