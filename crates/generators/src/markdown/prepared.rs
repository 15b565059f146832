//! The source as the authority reads it.

use std::borrow::Cow;
use std::ops::Range;

use super::rows::MarkdownValue;
use rehref_url::Span;

/// The source as the authority reads it, and what the preparation found in it.
#[derive(Default)]
pub(super) struct Prepared<'s> {
    /// Of the same length as the source.
    pub(super) text: Cow<'s, str>,
    /// The pieces of HTML that are not in `text`.
    pub(super) html: Vec<Range<usize>>,
    /// The URLs that are not in `text`.
    pub(super) values: Vec<MarkdownValue>,
    /// The files that take the place of a directive.
    pub(super) inclusions: Vec<Inclusion>,
    /// The anchors that are not in `text`.
    pub(super) anchors: Vec<(String, Span)>,
    /// True if there may be anchors that are not in the source.
    pub(super) has_unknown_anchors: bool,
    /// The markup that is a word in `text`.
    pub(super) words: Vec<Range<usize>>,
    /// The values that may be URLs, and are not read.
    pub(super) unread: Vec<UnreadLink>,
    /// Other markup that is a word in `text`: what it stands for is unknown.
    pub(super) unknown: Vec<Range<usize>>,
}

/// A link, or a value that may be one, that rehref does not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnreadLink {
    /// A reference in Markdown whose target plugins find by a name.
    CrossReference,
    /// A parameter of the shortcode with this name.
    Parameter(String),
}

/// A file that a document includes with a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inclusion {
    /// The path of the included file, as it is written.
    pub path: String,
    /// True if the directive makes relative links in the file resolve against the file, not against the
    /// document.
    pub has_own_links: bool,
    /// True if the directive includes the text as code, or in another language.
    pub is_other: bool,
}

/// The options of `include` with which relative links in the file resolve against it.
const OWN_LINKS: &[&str] = &["relative-docs", "relative-images"];

/// The options of `include` with which the file is read otherwise, or in part: what is in the part is not known.
#[rustfmt::skip]
const OTHER: &[&str] = &[
    "parser", "literal", "code", "start-after", "end-before", "start-line", "end-line", "lines",
];

impl Inclusion {
    /// Reads an option of the directive.
    pub(super) fn set(&mut self, option: &str) {
        self.has_own_links |= OWN_LINKS.contains(&option);
        self.is_other |= OTHER.contains(&option);
    }

    /// Returns that of the file at `path`, whose links resolve against the document.
    pub(super) fn of(path: &str) -> Inclusion {
        Inclusion { path: path.to_owned(), has_own_links: false, is_other: false }
    }
}

impl Prepared<'_> {
    /// Makes the bytes `range` blank, but for line ends.
    pub(super) fn blank(&mut self, range: Range<usize>) {
        let with = self.text.get(range.clone()).map(blank);
        if let Some(with) = with {
            self.replace(range, &with);
        }
    }

    /// Makes the bytes `range` a word.
    pub(super) fn word(&mut self, range: Range<usize>) {
        let word = "x".repeat(range.len());
        self.replace(range.clone(), &word);
        self.words.push(range);
    }

    /// Makes the bytes `range` a word whose meaning is unknown.
    pub(super) fn unknown_word(&mut self, range: Range<usize>) {
        self.replace(range.clone(), &"x".repeat(range.len()));
        self.unknown.push(range);
    }

    /// Makes the bytes `range` a word, or blank if it has several lines.
    pub(super) fn math(&mut self, range: Range<usize>) {
        let text = self.text.get(range.clone()).unwrap_or_default();
        if text.contains('\n') { self.blank(range) } else { self.word(range) }
    }

    /// Replaces the bytes `range` by as many others.
    pub(super) fn replace(&mut self, range: Range<usize>, with: &str) {
        if range.len() == with.len() && self.text.get(range.clone()).is_some() {
            self.text.to_mut().replace_range(range, with);
        }
    }
}

/// `text` with a space in place of each byte, but for line ends.
fn blank(text: &str) -> String {
    let keep = |byte: u8| match byte {
        b'\n' | b'\r' => char::from(byte),
        _ => ' ',
    };
    text.bytes().map(keep).collect()
}
