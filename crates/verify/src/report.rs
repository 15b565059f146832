//! The results of a verification, as data.

use std::borrow::Cow;
use std::ops::AddAssign;

use serde::Serialize;

use super::both::Both;
use rehref_corpus::stale_paths::StalePath;
use rehref_document::Position;
use rehref_site::{Diagnostic, diagnostic::serialize_file_errors};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
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

/// A difference between a file and its counterpart. The keys are those of JSON reports, which programs read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The kind.
    pub kind: DifferenceKind,
    /// The position in AFTER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The position in BEFORE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_before: Option<Position>,
    /// The element and the attribute, with what is around them; empty for a whole file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The reference, decoded, or the bytes in BEFORE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The reference, decoded, or the bytes in AFTER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The URL that the reference should resolve to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_target: Option<String>,
    /// The URL that the reference resolves to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The URLs of the scripts that ask for a file or fail, the innermost call first; else of the document
    /// or style sheet that asks. Those of BEFORE for what only BEFORE asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// The difference, in words.
    pub message: Cow<'static, str>,
}

impl Difference {
    /// Returns a difference of a whole file.
    pub fn of_file(kind: DifferenceKind, message: impl Into<Cow<'static, str>>) -> Difference {
        Difference {
            kind,
            position: None,
            position_before: None,
            place: String::new(),
            before: None,
            after: None,
            expected_target: None,
            target: None,
            sources: Vec::new(),
            message: message.into(),
        }
    }

    /// Returns the same difference, of these two texts.
    pub(super) fn between(
        self,
        before: impl Into<Option<String>>,
        after: impl Into<Option<String>>,
    ) -> Difference {
        Difference { before: before.into(), after: after.into(), ..self }
    }

    /// Returns true if `other` says the same, maybe of another place.
    pub(super) fn is_same_but_for_the_place(&self, other: &Difference) -> bool {
        Difference { place: other.place.clone(), ..self.clone() } == *other
    }

    /// Returns the same difference, in the part `name` of the file.
    pub(super) fn within(mut self, name: &str) -> Difference {
        self.place = within(name, &self.place);
        self
    }
}

/// A difference and its offsets in the working bytes of both documents.
pub(super) struct PlacedDifference {
    pub(super) at: Both<Option<usize>>,
    /// An offset in AFTER that gives the order of the report.
    pub(super) order: usize,
    pub(super) difference: Difference,
}

impl PlacedDifference {
    pub(super) fn new(at: Both<Option<usize>>, difference: Difference) -> PlacedDifference {
        PlacedDifference { at, order: at.after.unwrap_or_default(), difference }
    }
}

/// `place` in the part `name` of a file.
pub(super) fn within(name: &str, place: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{name}: {place}") }
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
    /// True if pages ran in the browser's sandbox.
    pub sandbox: bool,
    /// Pages that were opened, in both trees.
    pub opened: usize,
    /// Pages that both trees have.
    pub of: usize,
    /// Opened pages with differences.
    pub different: usize,
    /// Opened pages that were broken in BEFORE and are not in AFTER.
    pub repaired: usize,
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

impl Report {
    /// Adds the report of a file, without the differences and the references that are not proven: of all files together,
    /// these have a limit.
    pub(super) fn add(&mut self, part: Report) {
        self.documents += part.documents;
        self.files += part.files;
        self.symlinks += part.symlinks;
        self.references += part.references;
        self.stale_paths.extend(part.stale_paths);
        self.root_paths.extend(part.root_paths);
        self.malformed.extend(part.malformed);
        self.unproven.extend(part.unproven);
        self.warnings.extend(part.warnings);
    }
}
