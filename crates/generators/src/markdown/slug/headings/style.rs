//! How each generator makes anchors of headings. Attribute lists are always read, and MyST makes slugs of all levels: a
//! link is not broken if some configuration of the generator makes its anchor.

use super::heading::Heading;
use crate::markdown::slug::Numbering;

/// The rules by which a generator makes anchors of headings.
#[derive(Clone, Debug)]
pub struct Style {
    /// True if headings of the first level have an anchor.
    pub(crate) first_level: bool,
    /// True if terms of definition lists have an anchor too.
    pub(crate) terms: bool,
    /// The text of a heading.
    pub(crate) text: fn(&Heading<'_>) -> String,
    /// The anchor of a text.
    pub(crate) slug: fn(&str) -> String,
    pub(crate) empty: Empty,
    pub(crate) numbering: Numbering,
    /// Reads the id that the author chose, and takes its list off the heading.
    pub(crate) explicit: fn(&mut Heading<'_>) -> Option<String>,
    pub(crate) reserve: Reserve,
    /// True if attributes of a heading that a list item starts with are those of the item.
    pub(crate) item_attributes: bool,
    /// True if a heading has an id of docutils, labels and a slug.
    pub(crate) myst: bool,
    /// True if headings in HTML have anchors, too.
    pub(crate) html: bool,
}

/// The anchor of a heading whose text leaves no character for one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Empty {
    /// A number, if it is not the first one.
    Counted,
    /// No anchor.
    None,
    /// As [`Empty::Counted`], but no anchor without source.
    CountedWithSource,
}

/// Whether an id that an author chose is taken for automatic ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reserve {
    /// Ids stay equal: two headings can have the same id.
    Never,
    /// From where it stands on.
    InOrder,
    /// In the whole document. Headings get their anchors after it is read, so what comes before a heading (a list item,
    /// footnotes) does not count.
    Ahead,
}
