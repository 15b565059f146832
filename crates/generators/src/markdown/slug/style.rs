//! The table of generators.

use super::attributes::{self, Attributes};
use super::heading::Heading;
use super::options::{SlugOptions, SlugStyle};
use super::unique::Numbering;
use super::{algorithm, hugo, text, vitepress};

impl SlugOptions {
    /// The generator's defaults.
    pub fn new(style: SlugStyle) -> Self {
        Self {
            style,
            attributes: style.row().attributes_by_default,
            emoji: style.row().emoji_by_default,
            footnotes: style.row().footnotes_by_default,
            myst_heading_anchors: 0,
        }
    }
}

impl SlugStyle {
    /// The row of the table.
    pub fn row(self) -> &'static Style {
        &STYLES[self as usize]
    }
}

/// A row of the table of generators.
#[derive(Debug)]
pub struct Style {
    /// The generator.
    pub style: SlugStyle,
    /// Its name for people and tests.
    pub name: &'static str,
    /// Whether the generator reads attribute lists if nothing is configured.
    pub attributes_by_default: bool,
    /// Whether it makes emoji of `:name:` if nothing is configured.
    pub emoji_by_default: bool,
    /// Whether it knows footnotes if nothing is configured.
    pub footnotes_by_default: bool,
    /// Whether headings of the first level have an anchor.
    pub(super) first_level: bool,
    /// Whether terms of definition lists have an anchor too.
    pub(super) terms: bool,
    /// The text of a heading.
    pub(super) text: fn(&Heading<'_>) -> String,
    /// The anchor of a text.
    pub(super) slug: fn(&str) -> String,
    /// What takes the place of an anchor without characters.
    pub(super) empty: Empty,
    pub(super) numbering: Numbering,
    /// How authors choose an id.
    pub(super) explicit: Option<Explicit>,
    pub(super) reserve: Reserve,
    /// Whether attributes of a heading that a list item starts with are those of the item.
    pub(super) item_attributes: bool,
    /// Whether a heading has an id of docutils, labels and a slug.
    pub(super) myst: bool,
}

/// How a generator reads the id that an author chooses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explicit {
    /// Reads the list at the end of the heading.
    pub(super) read: fn(&Heading<'_>) -> Option<Attributes>,
    /// Whether closing `#`s are taken off after the list.
    pub(super) closing: bool,
    /// Reads the lines around the heading.
    pub(super) lines: fn(&Heading<'_>) -> Option<String>,
}

/// What becomes of a text that leaves no character for an anchor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Empty {
    /// The anchor.
    pub(super) anchor: &'static str,
    /// Whether there is none if this is empty.
    pub(super) needs: Needs,
}

/// What a heading must have to get an anchor.
#[derive(Debug, Clone, Copy)]
pub(super) enum Needs {
    Nothing,
    Text,
    Source,
}

/// Whether an id that an author chose is taken for automatic ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserve {
    /// It is not: two headings can have the same id.
    Never,
    /// From where it stands on.
    InOrder,
    /// In the whole document.
    Ahead,
}

/// Rows start from this one.
const DEFAULT: Style = Style {
    style: SlugStyle::GitHub,
    name: "github",
    attributes_by_default: true,
    emoji_by_default: false,
    footnotes_by_default: true,
    first_level: true,
    terms: false,
    text: text::visible,
    slug: algorithm::github,
    empty: Empty { anchor: "", needs: Needs::Nothing },
    numbering: Numbering::UntilFree,
    explicit: None,
    reserve: Reserve::Never,
    item_attributes: false,
    myst: false,
};

const fn at_end(read: fn(&Heading<'_>) -> Option<Attributes>, closing: bool) -> Option<Explicit> {
    Some(Explicit { read, closing, lines: |_| None })
}

const PYTHON_MARKDOWN: Style = Style {
    style: SlugStyle::PythonMarkdown,
    name: "python-markdown",
    attributes_by_default: false,
    footnotes_by_default: false,
    text: text::python_markdown,
    slug: algorithm::python_markdown,
    numbering: Numbering::Underscore,
    explicit: at_end(attributes::attr_list, false),
    reserve: Reserve::Ahead,
    ..DEFAULT
};

const HUGO: Style = Style {
    style: SlugStyle::Hugo,
    name: "hugo",
    text: hugo::text,
    slug: algorithm::hugo,
    empty: Empty { anchor: "heading", needs: Needs::Text },
    explicit: at_end(attributes::goldmark, true),
    reserve: Reserve::InOrder,
    ..DEFAULT
};

const KRAMDOWN: Style = Style {
    style: SlugStyle::Kramdown,
    name: "kramdown",
    text: text::source,
    slug: algorithm::kramdown,
    empty: Empty { anchor: "section", needs: Needs::Source },
    numbering: Numbering::Blind,
    explicit: Some(Explicit {
        read: attributes::kramdown,
        closing: true,
        lines: attributes::kramdown_lines,
    }),
    ..DEFAULT
};

/// The generators, in the order of [`SlugStyle`].
pub const STYLES: &[Style] = &[
    DEFAULT,
    PYTHON_MARKDOWN,
    Style {
        style: SlugStyle::PythonMarkdownUnicode,
        name: "python-markdown-unicode",
        slug: algorithm::python_markdown_unicode,
        ..PYTHON_MARKDOWN
    },
    Style {
        style: SlugStyle::Pymdownx,
        name: "pymdownx",
        slug: algorithm::pymdownx,
        ..PYTHON_MARKDOWN
    },
    HUGO,
    Style { style: SlugStyle::HugoAscii, name: "hugo-ascii", slug: algorithm::hugo_ascii, ..HUGO },
    Style {
        style: SlugStyle::HugoBlackfriday,
        name: "hugo-blackfriday",
        slug: algorithm::blackfriday,
        ..HUGO
    },
    Style {
        style: SlugStyle::MdBook,
        name: "mdbook",
        terms: true,
        text: text::mdbook,
        slug: algorithm::mdbook,
        explicit: at_end(attributes::pulldown, true),
        ..DEFAULT
    },
    Style {
        style: SlugStyle::VitePress,
        name: "vitepress",
        emoji_by_default: true,
        footnotes_by_default: false,
        text: vitepress::text,
        slug: algorithm::mdit_vue,
        explicit: at_end(attributes::markdown_it, false),
        reserve: Reserve::InOrder,
        item_attributes: true,
        ..DEFAULT
    },
    Style {
        style: SlugStyle::Docusaurus,
        name: "docusaurus",
        first_level: false,
        text: text::docusaurus,
        slug: algorithm::github_slugger,
        explicit: at_end(attributes::docusaurus, false),
        ..DEFAULT
    },
    Style {
        style: SlugStyle::Myst,
        name: "myst",
        attributes_by_default: false,
        text: text::docutils,
        slug: algorithm::docutils,
        numbering: Numbering::Anonymous,
        reserve: Reserve::InOrder,
        myst: true,
        ..DEFAULT
    },
    KRAMDOWN,
    Style {
        style: SlugStyle::KramdownGfm,
        name: "kramdown-gfm",
        text: text::kramdown_gfm,
        slug: algorithm::kramdown_gfm,
        empty: Empty { anchor: "", needs: Needs::Source },
        ..KRAMDOWN
    },
];
