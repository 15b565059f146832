//! Findings: what the audit has to say about a place in a document, or about a file.

use serde::Serialize;

use super::checks::{Check, Level};

/// What the audit has to say. As JSON this is one object of the documented format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which check found it.
    pub check: Check,
    /// How bad it is.
    pub level: Level,
    /// The document's path below the site's root, `/` between names; names that are not UTF-8 with
    /// replacement characters.
    pub document: String,
    /// Line, from 1; absent where the whole file is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column of the URL within the value, in characters (a tab is one), from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The element, as `a`; with what it is in for carriers in carriers, as `iframe srcdoc > img`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub element: String,
    /// The attribute; empty for text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub attribute: String,
    /// The reference as the author wrote it, decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The absolute URL it resolves to; below the site's root where that is inside the site and no
    /// URL is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What is wrong, in words for people, without the reference.
    pub message: String,
    /// What to write instead, where that is likely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}
