//! The results of a verification, as data.

use std::borrow::Cow;
use std::ops::AddAssign;

use serde::{Serialize, Serializer};

use rehref_corpus::stale_paths::StalePath;
use rehref_document::Position;
use rehref_site::{Diagnostic, Severity, diagnostic::serialize_file_errors};

/// The numbers of compared references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ComparedReferences {
    /// All pairs of a reference and its counterpart.
    pub compared: usize,
    /// Pairs with the same text, without a difference.
    pub unchanged: usize,
    /// Pairs with different texts and the same target.
    pub respelled: usize,
    /// Pairs with a difference.
    pub different: usize,
    /// Pairs, among the unchanged ones, whose target is unknown (template markup) and whose base URL
    /// changed: whether they still lead where they led is not proven.
    pub not_proven: usize,
    /// The `href` of the `base` elements of either side that give a base URL. They are compared as base
    /// URLs, not as references.
    pub base: usize,
}

impl AddAssign for ComparedReferences {
    fn add_assign(&mut self, other: ComparedReferences) {
        self.compared += other.compared;
        self.unchanged += other.unchanged;
        self.respelled += other.respelled;
        self.different += other.different;
        self.not_proven += other.not_proven;
        self.base += other.base;
    }
}

/// A kind of difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceKind {
    /// A reference resolves to another target.
    Target,
    /// A reference without a target has another text, or has or lost its target.
    Meaning,
    /// A reference of BEFORE is missing in AFTER.
    MissingReference,
    /// AFTER has a reference that BEFORE does not have.
    ExtraReference,
    /// A document has another base URL, or one that BEFORE does not have.
    Base,
    /// Bytes outside of references differ.
    Bytes,
    /// A digest that admitted a file or inline code blocks it.
    Integrity,
    /// The charset differs, or the transcoding.
    Encoding,
    /// AFTER cannot be parsed, BEFORE can.
    Unreadable,
    /// A file of BEFORE is missing in AFTER.
    MissingFile,
    /// AFTER has a file that BEFORE does not have.
    ExtraFile,
    /// A symbolic link has another target.
    Symlink,
    /// A file that a page loads is missing or blocked, or another one.
    Request,
    /// A page has a new error on the browser's console.
    Console,
    /// A style sheet of a page is not applied.
    StyleSheet,
    /// Elements of a page have another computed style.
    Style,
    /// An image of a page is not shown.
    Image,
    /// A link of the live page has another target.
    LiveLink,
    /// The live page has other elements or frames, or is another page.
    LiveDocument,
    /// The picture of a page differs.
    Picture,
}

impl DifferenceKind {
    /// The code of diagnostics of this kind.
    pub fn code(self) -> &'static str {
        match self {
            DifferenceKind::Target => "target",
            DifferenceKind::Meaning => "meaning",
            DifferenceKind::MissingReference => "missing-reference",
            DifferenceKind::ExtraReference => "extra-reference",
            DifferenceKind::Base => "base",
            DifferenceKind::Bytes => "bytes",
            DifferenceKind::Integrity => "integrity",
            DifferenceKind::Encoding => "encoding",
            DifferenceKind::Unreadable => "unreadable",
            DifferenceKind::MissingFile => "missing-file",
            DifferenceKind::ExtraFile => "extra-file",
            DifferenceKind::Symlink => "symlink",
            DifferenceKind::Request => "request",
            DifferenceKind::Console => "console",
            DifferenceKind::StyleSheet => "style-sheet",
            DifferenceKind::Style => "style",
            DifferenceKind::Image => "image",
            DifferenceKind::LiveLink => "live-link",
            DifferenceKind::LiveDocument => "live-document",
            DifferenceKind::Picture => "picture",
        }
    }
}

/// A difference between a file and its counterpart: a diagnostic with two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// Kind, message and place of the difference. The position is in AFTER; the path is empty, since
    /// [`FileDifferences`] has it.
    pub diagnostic: Diagnostic,
    /// The position in BEFORE.
    pub position_before: Option<Position>,
    /// The reference, decoded, or the bytes in BEFORE.
    pub before: Option<String>,
    /// The reference, decoded, or the bytes in AFTER.
    pub after: Option<String>,
    /// The URL that the reference should resolve to.
    pub expected_target: Option<String>,
    /// The URL that the reference resolves to.
    pub target: Option<String>,
    /// The URLs of the scripts that ask for a file or fail, the innermost call first; else of the document
    /// or style sheet that asks. Those of BEFORE for what only BEFORE asks for.
    pub sources: Vec<String>,
}

impl Difference {
    /// A difference of a whole file.
    pub(super) fn of_file(
        kind: DifferenceKind,
        message: impl Into<Cow<'static, str>>,
    ) -> Difference {
        let (severity, path) = (Severity::Error, "");
        Difference {
            diagnostic: Diagnostic::of_file(severity, kind.code(), path, message),
            ..Difference::default()
        }
    }

    /// The same difference, in the part `name` of the file.
    pub(super) fn within(mut self, name: &str) -> Difference {
        let location = &mut self.diagnostic.location;
        location.element = match location.place() {
            place if place.is_empty() => name.to_owned().into(),
            place => format!("{name}: {place}").into(),
        };
        location.attribute = "".into();
        self
    }
}

/// The keys of a difference in JSON reports, which programs read.
#[derive(Serialize)]
struct JsonDifference<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position_before: Option<Position>,
    #[serde(skip_serializing_if = "String::is_empty")]
    place: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    sources: &'a [String],
    message: &'a str,
}

impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Diagnostic { location, .. } = &self.diagnostic;
        JsonDifference {
            kind: self.diagnostic.code,
            position: location.position,
            position_before: self.position_before,
            place: location.place(),
            before: self.before.as_deref(),
            after: self.after.as_deref(),
            expected_target: self.expected_target.as_deref(),
            target: self.target.as_deref(),
            sources: &self.sources,
            message: &self.diagnostic.message,
        }
        .serialize(serializer)
    }
}

/// The differences of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileDifferences {
    /// Path below the root of AFTER, also of a file that AFTER should have.
    pub path: String,
    /// Path below the root of BEFORE, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_before: Option<String>,
    /// The number of differences, including those beyond the limit.
    pub count: usize,
    /// The differences in the order of AFTER, up to the limit.
    pub differences: Vec<Difference>,
}

/// The number of pages that a browser compared, in reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrowserRun {
    /// Name and version of the browser.
    pub browser: String,
    /// Whether pages ran in the browser's sandbox.
    pub sandbox: bool,
    /// Pages that were opened, in both trees.
    pub opened: usize,
    /// Pages that both trees have.
    pub of: usize,
    /// Opened pages with differences.
    pub different: usize,
}

fn is_no_time(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Documents that were compared reference by reference.
    pub documents: usize,
    /// Other files, and documents that cannot be parsed, compared byte by byte.
    pub files: usize,
    /// Symbolic links that were compared.
    pub symlinks: usize,
    /// The references that were compared.
    pub references: ComparedReferences,
    /// The number of differences, including those beyond the limit.
    pub differences: usize,
    /// The files with differences, in the order of the walk.
    pub different: Vec<FileDifferences>,
    /// Strings in scripts and data of AFTER that still name the old places of what moved. They are no
    /// differences: nothing proves what a script does with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale_paths: Vec<StalePath>,
    /// Strings in scripts and data of AFTER, which is to be read from disk, that name files by a path from
    /// the server's root.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_paths: Vec<StalePath>,
    /// Warnings of the references that are not proven, up to the limit.
    pub not_proven: Vec<Diagnostic>,
    /// The pages that a browser compared, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<BrowserRun>,
    /// The documents of BEFORE that are malformed, and the same in AFTER: same bytes, same URL, and
    /// nothing moved, so that their links lead where they led.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub malformed: Vec<Diagnostic>,
    /// The documents of BEFORE that cannot be read as documents, where equal bytes prove nothing: they
    /// have another URL, or something moved that they may link to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<Diagnostic>,
    /// Warnings about archives: intact records that were not compared as documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Diagnostic>,
    /// The files that could not be read.
    #[serde(serialize_with = "serialize_file_errors")]
    pub errors: Vec<Diagnostic>,
    /// The duration; 0 where the same run is to give the same report.
    #[serde(skip_serializing_if = "is_no_time")]
    pub seconds: f64,
}
