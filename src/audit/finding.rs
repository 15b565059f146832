//! Findings: what the audit has to say about a place in a document, or about a file.

use super::checks::{Check, Level};

/// What the audit has to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which check found it.
    pub check: Check,
    /// How bad it is.
    pub level: Level,
    /// The document's path below the site's root, `/` between names; names that are not UTF-8 with
    /// replacement characters.
    pub document: String,
    /// Line, from 1; absent where the whole file is meant.
    pub line: Option<usize>,
    /// Column of the URL within the value, in characters (a tab is one), from 1.
    pub column: Option<usize>,
    /// The element, as `a`; with what it is in for carriers in carriers, as `iframe srcdoc > img`.
    pub element: String,
    /// The attribute; empty for text.
    pub attribute: String,
    /// The reference as the author wrote it, decoded.
    pub reference: Option<String>,
    /// The absolute URL it resolves to; below the site's root where that is inside the site and no
    /// URL is known.
    pub target: Option<String>,
    /// What is wrong, in words for people, without the reference.
    pub message: String,
    /// What to write instead, where that is likely.
    pub suggestion: Option<String>,
}

impl Finding {
    /// A finding about a whole file.
    pub fn of_file(check: Check, document: String, message: String) -> Finding {
        Finding {
            check,
            level: check.row().level,
            document,
            line: None,
            column: None,
            element: String::new(),
            attribute: String::new(),
            reference: None,
            target: None,
            message,
            suggestion: None,
        }
    }
}
