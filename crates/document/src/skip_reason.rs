//! The reasons to skip a reference.

use serde::{Serialize, Serializer};

use super::metadata::Rel;
use super::reference::{Class, Reference};

/// A reason to skip a reference, in the order of the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// The scheme has no hierarchy (`mailto:`, `data:`, `javascript:`).
    NotHierarchical,
    /// The value holds template markup (`{{ }}`).
    TemplateMarkup,
    /// The value is empty where an empty value is not a URL (`img src=""`).
    Empty,
    /// A fragment that means a place in its own document, whatever the base URL is.
    SameDocument,
    /// The reader does not accept an absolute URL there (applet `code`).
    RelativeOnly,
    /// The reader, a server or a generator, takes only a path there (server-side includes, shortcodes).
    PathOnly,
    /// The reference is not a URL.
    BadUrl,
    /// The text that holds it cannot be decoded.
    Unreadable,
    /// The base URL is unknown.
    UnknownBase,
    /// The base URL is not hierarchical, so that no link can resolve against it.
    OpaqueBase,
    /// The reference is in a redirect rule, which has paths from the root of the host.
    RedirectRule,
    /// The reference is in a signed part of a message.
    Signed,
    /// A selector keeps the links of its element.
    Kept,
    /// A script compares it, as written, with a path.
    Compared,
    /// The reference leads to no file of the site, and stays as written in a document that moves.
    NoFile,
    /// The new URL cannot be written in its place (a comma in a comma-separated list).
    Inexpressible,
}

/// Each reason with its stable name for programs and the text for the summary.
#[rustfmt::skip]
const NAMES: [(SkipReason, &str, &str); 16] = [
    (SkipReason::NotHierarchical, "not-hierarchical", "mailto:, tel:, data: and similar"),
    (SkipReason::TemplateMarkup, "template-markup", "template markup"),
    (SkipReason::Empty, "empty", "empty values, which are not URLs"),
    (SkipReason::SameDocument, "same-document", "fragments local to the document"),
    (SkipReason::RelativeOnly, "relative-only", "names, not URLs (applet code, imports)"),
    (SkipReason::PathOnly, "path-only", "paths for the server or the generator"),
    (SkipReason::BadUrl, "bad-url", "not URLs"),
    (SkipReason::Unreadable, "unreadable", "in text that cannot be decoded"),
    (SkipReason::UnknownBase, "unknown-base", "with an unknown base URL"),
    (SkipReason::OpaqueBase, "opaque-base", "without a usable base URL"),
    (SkipReason::RedirectRule, "redirect-rule", "paths in redirect rules (only move changes these)"),
    (SkipReason::Signed, "signed", "in signed parts of messages"),
    (SkipReason::Kept, "kept", "kept by --keep-links"),
    (SkipReason::Compared, "compared", "that scripts compare as text"),
    (SkipReason::NoFile, "no-file", "in Markdown, with targets that are not files in the site"),
    (SkipReason::Inexpressible, "inexpressible", "whose new URL would not be valid in this place"),
];

impl SkipReason {
    /// Returns true if diagnostics with this `code` are about skipped references.
    pub fn is_code(code: &str) -> bool {
        NAMES.iter().any(|(_, known, _)| *known == code)
    }

    /// Returns the stable name of the reason for programs, such as `template-markup`.
    pub fn code(self) -> &'static str {
        self.names().1
    }

    /// Returns the description of the reason in summaries.
    pub fn label(self) -> &'static str {
        self.names().2
    }

    /// The row of the reason; the rows have the order of the reasons.
    fn names(self) -> (SkipReason, &'static str, &'static str) {
        NAMES[self as usize]
    }
}

impl Serialize for SkipReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl Class {
    /// Returns the reason why references of this class have no target; `None` if they may have one.
    pub fn skip_reason(self) -> Option<SkipReason> {
        match self {
            Class::Ordinary => None,
            Class::TemplateMarkup => Some(SkipReason::TemplateMarkup),
            Class::Empty => Some(SkipReason::Empty),
            Class::SameDocument => Some(SkipReason::SameDocument),
            Class::RelativeOnly => Some(SkipReason::RelativeOnly),
        }
    }
}

impl Reference {
    /// Returns the reason why the reference has no target that a run may rewrite, known without resolving it.
    pub fn skip_reason(&self) -> Option<SkipReason> {
        let kept = || self.rel.has(Rel::KEPT).then_some(SkipReason::Kept);
        self.class.skip_reason().or_else(kept)
    }
}

#[cfg(test)]
#[test]
fn the_rows_have_the_order_of_the_reasons() {
    assert!(NAMES.iter().enumerate().all(|(at, (reason, ..))| *reason as usize == at));
}
