//! Findings: diagnostics of the audit.

use std::ops::{Deref, DerefMut};

use super::checks::Check;
use crate::diagnostic::{Diagnostic, Location};

/// A diagnostic of the audit: its code is the stable name of the check, and its location is a
/// reference, an element or a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check that found it.
    pub check: Check,
    /// Severity, location, reference and message.
    pub diagnostic: Diagnostic,
    /// The absolute URL that the reference resolves to. If it is inside the site and the site's URL
    /// is unknown, its path below the site's root.
    pub target: Option<String>,
    /// What to write instead of the reference, if that is likely.
    pub suggestion: Option<String>,
}

impl Finding {
    /// A finding at `location`, with the check's own severity.
    pub fn new(check: Check, location: Location, message: String) -> Finding {
        let row = check.row();
        Finding {
            check,
            diagnostic: Diagnostic {
                severity: row.severity,
                code: row.id,
                location,
                message,
                ..Diagnostic::default()
            },
            target: None,
            suggestion: None,
        }
    }

    /// A finding about the whole file at `path`, below the site's root.
    pub fn of_file(check: Check, path: String, message: String) -> Finding {
        Finding::new(check, Location::of_file(path), message)
    }

    /// The same finding with another message.
    #[must_use]
    pub fn with_message(mut self, message: String) -> Finding {
        self.diagnostic.message = message;
        self
    }

    /// The line, from 1; `None` for a whole file.
    pub fn line(&self) -> Option<usize> {
        self.location.position.map(|position| position.line)
    }

    /// The column of the URL in characters (a tab is one), from 1; `None` for a whole file.
    pub fn column(&self) -> Option<usize> {
        self.location.position.map(|position| position.column)
    }
}

impl Deref for Finding {
    type Target = Diagnostic;

    fn deref(&self) -> &Diagnostic {
        &self.diagnostic
    }
}

impl DerefMut for Finding {
    fn deref_mut(&mut self) -> &mut Diagnostic {
        &mut self.diagnostic
    }
}
