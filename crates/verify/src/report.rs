//! The results of a verification, as data.

use std::borrow::Cow;
use std::ops::AddAssign;

use serde::Serialize;

use super::both::Both;
use rehref_corpus::stale_paths::StalePath;
use rehref_document::Position;
use rehref_site::{Diagnostic, diagnostic::serialize_file_errors};

/// The numbers of references that a verification compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ComparedReferences {
    /// The number of pairs of a reference and its counterpart in the other tree.
    pub compared: usize,
    /// The number of pairs with the same text, without a difference.
    pub unchanged: usize,
    /// The number of pairs with different texts and the same target.
    pub respelled: usize,
    /// The number of pairs with a difference.
    pub different: usize,
    /// The number of unchanged pairs for which nothing is proven: their target is unknown (template markup),
    /// and their base URL changed.
    pub not_proven: usize,
    /// The number of unchanged pairs with template markup and the same base URL: a template makes the target.
    pub template_markup: usize,
    /// The number of `base` elements in both trees that set a base URL. `verify` compares the resulting base
    /// URLs, not these references.
    pub base: usize,
}

impl AddAssign for ComparedReferences {
    fn add_assign(&mut self, other: ComparedReferences) {
        self.compared += other.compared;
        self.unchanged += other.unchanged;
        self.respelled += other.respelled;
        self.different += other.different;
        self.not_proven += other.not_proven;
        self.template_markup += other.template_markup;
        self.base += other.base;
    }
}

/// The kind of a difference between the two trees. BEFORE is the first tree, AFTER the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// A reference has another target.
    Target,
    /// A reference without a target has another text, or only one of a pair of references has a target.
    Meaning,
    /// A reference of BEFORE is missing in AFTER.
    MissingReference,
    /// AFTER has a reference that BEFORE does not have.
    ExtraReference,
    /// A document in AFTER has another base URL than expected, or has a base URL that the document in BEFORE
    /// lacks.
    Base,
    /// Bytes outside of references differ.
    Bytes,
    /// A digest (`integrity`, or in a Content Security Policy) matched a file or inline code in BEFORE, and now
    /// blocks it.
    Integrity,
    /// The charset of a document differs, or the document is transcoded differently.
    Encoding,
    /// A document can be parsed in BEFORE, but not in AFTER.
    Unreadable,
    /// A file of BEFORE is missing in AFTER.
    MissingFile,
    /// AFTER has a file that BEFORE does not have.
    ExtraFile,
    /// A symbolic link has another target.
    Symlink,
    /// A file that a page loads in the browser is missing, blocked or another file.
    Request,
    /// A page has a new error on the browser's console.
    Console,
    /// The browser does not apply a style sheet of a page.
    StyleSheet,
    /// Elements of a page have another computed style in the browser.
    Style,
    /// The browser does not show an image of a page.
    Image,
    /// After the scripts of a page ran, one of its links has another target.
    LiveLink,
    /// After the scripts of a page ran, it has other elements or frames, or is another page.
    LiveDocument,
    /// The screenshot of a page differs.
    Picture,
}

/// A difference between a file and its counterpart. The fields are the keys of JSON reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What differs.
    pub kind: DifferenceKind,
    /// The line and column in AFTER; `None` for a whole file, or if only BEFORE has the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// The line and column in BEFORE; `None` for a whole file, or if only AFTER has the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_before: Option<Position>,
    /// The element and the attribute, after the elements and attributes around them; empty for a whole file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The decoded reference, or the differing bytes, in BEFORE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The decoded reference, or the differing bytes, in AFTER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The URL that the reference in AFTER should resolve to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_target: Option<String>,
    /// The URL that the reference in AFTER resolves to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The URLs of the scripts that load the file or fail, the innermost call first. If no script does, the URL
    /// of the document or style sheet that loads the file. In AFTER, or in BEFORE if only BEFORE loads the
    /// file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// A message that describes the difference.
    pub message: Cow<'static, str>,
}

impl Difference {
    /// Creates a difference of a whole file.
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

/// The differences of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileDifferences {
    /// The path below the root of AFTER, even if the file is missing there.
    pub path: String,
    /// The path below the root of BEFORE, if it is another path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_before: Option<String>,
    /// The number of differences of the file, including those that `differences` omits.
    pub count: usize,
    /// The first differences, in the order of AFTER. The list has a maximum length.
    pub differences: Vec<Difference>,
}

/// The counts of a comparison in a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrowserRun {
    /// The name and version of the browser.
    pub browser: String,
    /// True if the browser ran pages in its sandbox.
    pub sandbox: bool,
    /// The number of pages that were opened in both trees.
    pub opened: usize,
    /// The number of pages that both trees have.
    pub of: usize,
    /// The number of opened pages with differences.
    pub different: usize,
    /// The number of opened pages that were broken in BEFORE and work in AFTER.
    pub repaired: usize,
}

fn is_no_time(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// The result of a verification. BEFORE is the first tree, AFTER the second.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// The number of documents whose references were compared.
    pub documents: usize,
    /// The number of files that were compared byte by byte: files that are not documents, and documents that
    /// cannot be parsed.
    pub files: usize,
    /// The number of symbolic links that were compared.
    pub symlinks: usize,
    /// The numbers of references that were compared.
    pub references: ComparedReferences,
    /// The number of all differences, including those that `different` omits.
    pub differences: usize,
    /// The files with differences, in the order of the walk.
    pub different: Vec<FileDifferences>,
    /// Strings in scripts and data of AFTER that still contain the old paths of moved files. They are not
    /// differences, because nothing proves what a script does with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale_paths: Vec<StalePath>,
    /// Strings in scripts and data of AFTER that name files by a path from the server's root. Only for a tree
    /// that is opened from disk, where such paths do not work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_paths: Vec<StalePath>,
    /// The references for which nothing is proven. The list has a maximum length.
    pub not_proven: Vec<Diagnostic>,
    /// The counts of the comparison in a browser, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub browser: Option<BrowserRun>,
    /// The documents of BEFORE that are malformed and unchanged in AFTER. Their URL is the same and no file
    /// moved, so their links keep their targets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub malformed: Vec<Diagnostic>,
    /// The malformed documents of BEFORE for which equal bytes prove nothing: their URL changed, or a file
    /// moved that they may link to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unproven: Vec<Diagnostic>,
    /// Warnings about intact records of archives that were not compared as documents.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Diagnostic>,
    /// The files that could not be read.
    #[serde(serialize_with = "serialize_file_errors")]
    pub errors: Vec<Diagnostic>,
    /// The duration in seconds; 0 if equal runs must give equal reports.
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
