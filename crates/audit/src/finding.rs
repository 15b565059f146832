//! Findings: diagnostics of the audit.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use super::anchors::PendingFragment;
use super::checks::Check;
use rehref_document::{DocumentError, Fix, Position};
use rehref_site::{Diagnostic, Location, Severity};

/// A finding of the audit: a diagnostic about a reference, an element or a whole file, with the check that
/// reported it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The check that reported the finding.
    pub check: Check,
    /// The severity, the location, the reference and the message of the finding. Its code is the name of the
    /// check.
    pub diagnostic: Diagnostic,
    /// The absolute URL that the reference resolves to. If the target is in the site and the site's URL is
    /// unknown, this is the path below the site's root. `None` if the reference has no target.
    pub target: Option<Box<str>>,
    /// The reference that the author probably meant, if the check can suggest one.
    pub suggestion: Option<Box<str>>,
    /// The correction that `rehref audit --fix` applies, if exactly one is possible.
    pub fix: Option<Box<ProposedFix>>,
    /// The length of the reference in the source, in characters; 0 if it is unknown, or if the reference spans
    /// several lines.
    pub width: u32,
    /// The place of the link in the source file from which the document was built, if it is known
    /// (`--sources`).
    pub source: Option<Box<SourcePlace>>,
}

/// The place of a finding in the source file from which the document was built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePlace {
    /// The path of the source file. It is relative to the working directory if the directory of the sources was
    /// given so.
    pub path: String,
    /// The line and column of the reference; `None` if the file contains it more than once.
    pub position: Option<Position>,
    /// The length of the reference in characters; 0 if `position` is `None`.
    pub width: u32,
}

/// The place at which reports show a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportedPlace<'f> {
    /// The document, or its source file.
    pub file: ReportedFile<'f>,
    /// The line and column in the file; `None` for the whole file.
    pub position: Option<Position>,
    /// The number of characters to mark from `position`; 0 if it is unknown.
    pub width: u32,
}

/// The file in which reports show a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReportedFile<'f> {
    /// The document: its path below the site's root.
    Document(&'f str),
    /// The source file: its path, as in [`SourcePlace::path`].
    Source(&'f str),
}

/// A change of one document that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedFix {
    /// The URL of the document to change.
    pub document: String,
    /// The reference to replace, and the replacement.
    pub fix: Fix,
    /// How certain it is that the author meant this correction.
    pub confidence: Confidence,
    /// The fragment of the reference, in the file that may have moved: without it, the file is another one.
    pub(super) fragment: Option<PendingFragment>,
}

/// How certain it is that the author meant a suggestion, from lowest to highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The author may have meant something else.
    #[default]
    Guess,
    /// Certain if the missing file has moved: exactly one other file has its name.
    Moved,
    /// The author can have meant nothing else.
    Certain,
}

/// A finding about a reference, before its location is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceFinding {
    /// The check that reported the finding.
    pub check: Check,
    /// The usual severity of the check, or a lower one.
    pub severity: Severity,
    /// A sentence with its values in backticks, without the reference. It may stand alone: some reports show nothing
    /// else. [`groups`](crate::report) disregard its values.
    pub message: Cow<'static, str>,
    /// The next step, if the suggestion does not show it.
    pub help: Option<Cow<'static, str>>,
    /// The reference that the author probably meant, if the check can suggest one.
    pub suggestion: Option<String>,
    /// The path of the suggested file, percent-encoded as in URLs.
    pub(super) file: Option<Box<str>>,
    /// How certain it is that the author meant the suggestion.
    pub confidence: Confidence,
    /// The byte of the decoded reference at which the error is; 0 for the whole reference.
    pub at: usize,
}

/// The maker of a page in a directory of which SITE has nothing, in messages.
pub(crate) const HOST: &str = "the host, which may have more than this site,";

/// `message` about what is missing, and that `maker` may make it.
pub(crate) fn may_be_made(message: &str, maker: &str) -> String {
    format!("{message}; {maker} may make it")
}

impl ReferenceFinding {
    /// Creates a finding with the usual severity of the check, and without a suggestion.
    pub fn new(check: Check, message: impl Into<Cow<'static, str>>) -> ReferenceFinding {
        ReferenceFinding {
            check,
            severity: check.row().severity,
            message: message.into(),
            help: None,
            suggestion: None,
            file: None,
            confidence: Confidence::Guess,
            at: 0,
        }
    }

    /// Lowers the severity to `severity` if it is higher.
    pub(super) fn at_most(mut self, severity: Severity) -> ReferenceFinding {
        self.severity = self.severity.min(severity);
        self
    }

    /// Makes the finding a warning where `maker` may make what is missing.
    pub(super) fn unless_made(self, maker: Option<&str>) -> ReferenceFinding {
        let Some(maker) = maker else { return self };
        let message = may_be_made(&self.message, maker).into();
        ReferenceFinding {
            message,
            confidence: Confidence::Guess,
            ..self.at_most(Severity::Warning)
        }
    }

    pub(super) fn help(mut self, help: impl Into<Cow<'static, str>>) -> ReferenceFinding {
        self.help = Some(help.into());
        self
    }

    pub(super) fn at(mut self, at: usize) -> ReferenceFinding {
        self.at = at;
        self
    }

    pub(super) fn suggest(mut self, suggestion: Option<String>) -> ReferenceFinding {
        self.suggestion = suggestion;
        self
    }

    pub(super) fn confidence(mut self, confidence: Confidence) -> ReferenceFinding {
        self.confidence = confidence;
        self
    }
}

impl Finding {
    /// Returns a finding at `location`, with the check's own severity.
    pub(crate) fn new(
        check: Check,
        location: Location,
        message: impl Into<Cow<'static, str>>,
    ) -> Finding {
        let row = check.row();
        Finding {
            check,
            diagnostic: Diagnostic::new(row.severity, row.id, location, message),
            target: None,
            suggestion: None,
            fix: None,
            width: 0,
            source: None,
        }
    }

    /// Creates a finding about the whole file at `path`, below the site's root.
    pub fn of_file(
        check: Check,
        path: impl Into<Arc<str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Finding {
        Finding::new(check, Location::of_file(path), message)
    }

    /// Returns the finding about the document at `path`, which cannot be parsed because of `error`; `None` if the
    /// document is not malformed. It is an error, since no link of the document was checked.
    pub(crate) fn of_malformed(path: &str, error: &DocumentError) -> Option<Finding> {
        let diagnostic = Diagnostic::of_document(path, error);
        let finding = Finding::of_file(Check::named(diagnostic.code)?, "", "");
        Some(Finding { diagnostic, ..finding })
    }

    /// Lowers the severity to `severity` if it is higher.
    #[must_use]
    pub(crate) fn at_most(mut self, severity: Severity) -> Finding {
        self.diagnostic.severity = self.diagnostic.severity.min(severity);
        self
    }

    /// Sets what to do about it.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<Box<str>>) -> Finding {
        self.diagnostic.help = Some(help.into());
        self
    }

    /// Returns the same finding with another message.
    #[must_use]
    pub(crate) fn with_message(mut self, message: impl Into<Cow<'static, str>>) -> Finding {
        self.diagnostic.message = message.into();
        self
    }

    /// Returns true if visitors see "not found" because of this finding.
    pub fn explains_missing(&self) -> bool {
        let explains = matches!(self.check, Check::WrongCase | Check::SchemeLookalike);
        explains && self.severity == Severity::Error
    }

    /// Returns the same finding as one of `check`, with the same severity.
    #[must_use]
    pub fn as_check(mut self, check: Check) -> Finding {
        self.check = check;
        self.diagnostic.code = check.id();
        self
    }

    /// Returns the line in the document, from 1; `None` for a whole file.
    pub fn line(&self) -> Option<usize> {
        self.location.position.map(|position| position.line)
    }

    /// Returns the column of the URL in characters, from 1; a tab is one character. Returns `None` for a whole
    /// file.
    pub fn column(&self) -> Option<usize> {
        self.location.position.map(|position| position.column)
    }

    /// Returns the place that reports show: the place in the source file if it is known, else in the document.
    pub fn reported(&self) -> ReportedPlace<'_> {
        match &self.source {
            Some(source) => ReportedPlace {
                file: ReportedFile::Source(&source.path),
                position: source.position,
                width: source.width,
            },
            None => self.built(),
        }
    }

    /// Returns the place in the document, even if the place in its source file is known.
    pub fn built(&self) -> ReportedPlace<'_> {
        ReportedPlace {
            file: ReportedFile::Document(&self.location.path),
            position: self.location.position,
            width: self.width,
        }
    }

    /// Returns the reference, target, suggestion and help, if the finding has them, each with its label.
    pub(super) fn details(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let reference = match self.check {
            Check::DuplicateId => "id",
            _ => "link",
        };
        let details = [
            (reference, &self.reference),
            ("target", &self.target),
            ("suggestion", &self.suggestion),
            ("help", &self.help),
        ];
        let details = details.into_iter();
        details.filter_map(|(label, text)| Some((label, text.as_deref()?)))
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
/// A part of the site that could not be read: a file, a directory or an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unread {
    /// The path: for a document, below the site's root; for any other file, the path in the file system.
    pub path: String,
    /// The reason why it could not be read.
    pub message: String,
}
