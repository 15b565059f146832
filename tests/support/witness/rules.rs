//! How a value that holds URLs is to be read.

use super::values::trim;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Single,
    SpaceSeparated,
    CommaSeparated,
    Srcset,
    Refresh,
    /// Declarations of a style sheet.
    Css,
    /// An HTML document.
    Document,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelativeTo {
    /// The document's base URL.
    Base,
    /// The document's own URL: `base` itself.
    Document,
    /// The base URL of the element around: `xml:base` itself.
    OuterBase,
    /// `codebase` of the same element, else the base URL.
    Codebase,
}

/// Whether a run that makes links absolute has to touch the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// It has to.
    Always,
    /// It may leave a reference that is only a fragment, or a name, as it is.
    UnlessLocal,
    /// It may leave anything as it is.
    Optional,
}

/// The meaning of the empty string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Empty {
    /// A link to the base URL.
    Link,
    /// No link at all, or one to the document whatever its base: must stay empty.
    Nothing,
}

/// The encoding of queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queries {
    OfDocument,
    Utf8,
}

/// The meaning of a reference that is only a fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fragments {
    Link,
    /// Something in the document at hand, whatever the base: must stay.
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) kind: Kind,
    pub(super) relative_to: RelativeTo,
    pub(super) demand: Demand,
    pub(super) empty: Empty,
    pub(super) queries: Queries,
    pub(super) fragments: Fragments,
}

impl Rule {
    pub(super) const SINGLE: Rule = Rule {
        kind: Kind::Single,
        relative_to: RelativeTo::Base,
        demand: Demand::Always,
        empty: Empty::Nothing,
        queries: Queries::OfDocument,
        fragments: Fragments::Link,
    };
    pub(super) const HYPERLINK: Rule = Rule { empty: Empty::Link, ..Rule::SINGLE };
    pub(super) const BASE: Rule = Rule { relative_to: RelativeTo::Document, ..Rule::HYPERLINK };
    pub(super) const LOCAL: Rule = Rule { demand: Demand::UnlessLocal, ..Rule::SINGLE };
    pub(super) const OPTIONAL: Rule =
        Rule { demand: Demand::Optional, empty: Empty::Link, ..Rule::SINGLE };
    pub(super) const CODE: Rule = Rule { relative_to: RelativeTo::Codebase, ..Rule::OPTIONAL };
    pub(super) const CLASSID: Rule = Rule { relative_to: RelativeTo::Codebase, ..Rule::SINGLE };
    pub(super) const SPACES: Rule = Rule { kind: Kind::SpaceSeparated, ..Rule::SINGLE };
    pub(super) const ARCHIVE_SPACES: Rule =
        Rule { relative_to: RelativeTo::Codebase, ..Rule::SPACES };
    pub(super) const ARCHIVE_COMMAS: Rule =
        Rule { kind: Kind::CommaSeparated, relative_to: RelativeTo::Codebase, ..Rule::SINGLE };
    pub(super) const SRCSET: Rule = Rule { kind: Kind::Srcset, ..Rule::SINGLE };
    pub(super) const REFRESH: Rule = Rule { kind: Kind::Refresh, ..Rule::HYPERLINK };

    /// A URL in CSS.
    pub(super) const CSS: Rule = Rule {
        kind: Kind::Css,
        demand: Demand::UnlessLocal,
        queries: Queries::Utf8,
        fragments: Fragments::Fixed,
        ..Rule::SINGLE
    };
    pub(super) const SINGLE_UTF8: Rule = Rule { queries: Queries::Utf8, ..Rule::SINGLE };
    /// A URL in JSON.
    pub(super) const JSON: Rule = Rule { queries: Queries::Utf8, ..Rule::HYPERLINK };
    pub(super) const DOCUMENT: Rule = Rule { kind: Kind::Document, ..Rule::SINGLE };
    pub(super) const XML_BASE: Rule = Rule { relative_to: RelativeTo::OuterBase, ..Rule::OPTIONAL };

    pub(super) fn may_stay(self, url: &str) -> bool {
        let trimmed = trim(url);
        trimmed.is_empty()
            || match self.demand {
                Demand::Always => false,
                Demand::UnlessLocal => trimmed.starts_with('#'),
                Demand::Optional => true,
            }
    }
}
