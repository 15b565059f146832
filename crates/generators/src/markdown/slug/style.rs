//! How each generator makes anchors of headings. Attribute lists are always read, and MyST makes slugs of all levels: a
//! link is not broken if some configuration of the generator makes its anchor.

use super::attributes;
use super::heading::Heading;
use super::unique::Numbering;
use super::{algorithm, hugo, text, vitepress};

/// How a generator makes anchors of headings.
#[derive(Debug)]
pub struct Style {
    /// Whether headings of the first level have an anchor.
    pub(super) first_level: bool,
    /// Whether terms of definition lists have an anchor too.
    pub(super) terms: bool,
    /// The text of a heading.
    pub(super) text: fn(&Heading<'_>) -> String,
    /// The anchor of a text.
    pub(super) slug: fn(&str) -> String,
    pub(super) empty: Empty,
    pub(super) numbering: Numbering,
    /// Reads the id that the author chose, and takes its list off the heading.
    pub(super) explicit: fn(&mut Heading<'_>) -> Option<String>,
    pub(super) reserve: Reserve,
    /// Whether attributes of a heading that a list item starts with are those of the item.
    pub(super) item_attributes: bool,
    /// Whether a heading has an id of docutils, labels and a slug.
    pub(super) myst: bool,
}

/// The anchor of a heading whose text leaves no character for one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Empty {
    /// A number, if it is not the first one.
    Counted,
    /// No anchor.
    None,
    /// As [`Empty::Counted`], but no anchor without source.
    CountedWithSource,
}

/// Whether an id that an author chose is taken for automatic ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserve {
    /// It is not: two headings can have the same id.
    Never,
    /// From where it stands on.
    InOrder,
    /// In the whole document. Headings get their anchors after it is read, so what comes before a heading (a list item,
    /// footnotes) does not count.
    Ahead,
}

/// github.com.
pub const GITHUB: Style = Style {
    first_level: true,
    terms: false,
    text: text::visible,
    slug: algorithm::github,
    empty: Empty::Counted,
    numbering: Numbering::UntilFree,
    explicit: |_| None,
    reserve: Reserve::Never,
    item_attributes: false,
    myst: false,
};

/// Python-Markdown's `toc`, as MkDocs uses it.
pub const PYTHON_MARKDOWN: Style = Style {
    text: text::python_markdown,
    slug: algorithm::python_markdown,
    numbering: Numbering::Underscore,
    explicit: |heading| heading.take_list(attributes::attr_list, false),
    reserve: Reserve::Ahead,
    ..GITHUB
};

/// Hugo with `autoIDType: github`.
pub const HUGO: Style = Style {
    text: hugo::text,
    slug: algorithm::hugo,
    empty: Empty::None,
    explicit: |heading| heading.take_list(attributes::goldmark, true),
    reserve: Reserve::InOrder,
    ..GITHUB
};

/// mdBook 0.5.
pub const MDBOOK: Style = Style {
    terms: true,
    text: text::mdbook,
    slug: algorithm::mdbook,
    explicit: |heading| heading.take_list(attributes::pulldown, true),
    ..GITHUB
};

/// VitePress 1.
pub const VITEPRESS: Style = Style {
    text: vitepress::text,
    slug: algorithm::mdit_vue,
    explicit: |heading| heading.take_list(attributes::markdown_it, false),
    reserve: Reserve::InOrder,
    item_attributes: true,
    ..GITHUB
};

/// Docusaurus 3 with its classic theme.
pub const DOCUSAURUS: Style = Style {
    first_level: false,
    text: text::docusaurus,
    slug: algorithm::github_slugger,
    explicit: |heading| heading.take_list(attributes::docusaurus, false),
    ..GITHUB
};

/// MyST-Parser with Sphinx.
pub const MYST: Style = Style {
    text: text::docutils,
    slug: algorithm::docutils,
    numbering: Numbering::Anonymous,
    reserve: Reserve::InOrder,
    myst: true,
    ..GITHUB
};

/// kramdown with the parser for GFM, as Jekyll uses it.
pub const KRAMDOWN_GFM: Style = Style {
    text: text::kramdown_gfm,
    slug: algorithm::kramdown_gfm,
    empty: Empty::CountedWithSource,
    numbering: Numbering::Blind,
    explicit: |heading| {
        let own = heading.take_list(attributes::kramdown, true);
        attributes::kramdown_lines(heading).or(own)
    },
    ..GITHUB
};
