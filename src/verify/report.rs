//! What a verification has to say, as data.

use std::ops::AddAssign;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, serialize_file_errors};
use crate::document::Position;

/// How many references were compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct References {
    /// All pairs of a reference and its counterpart.
    pub compared: usize,
    /// Those written as before.
    pub unchanged: usize,
    /// Those written in another way.
    pub respelled: usize,
    /// The `href` of `base` elements, of either side, which are not compared: they are only a means.
    pub base: usize,
}

impl AddAssign for References {
    fn add_assign(&mut self, other: References) {
        self.compared += other.compared;
        self.unchanged += other.unchanged;
        self.respelled += other.respelled;
        self.base += other.base;
    }
}

/// What differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DifferenceKind {
    /// A reference leads elsewhere.
    Target,
    /// A reference has another text, or another meaning, where none could be told to be the same.
    Meaning,
    /// A reference of BEFORE is not there.
    MissingReference,
    /// A reference is there that BEFORE has not.
    ExtraReference,
    /// Bytes that belong to no reference.
    Bytes,
    /// The charset or the form of the document in which it is written.
    Encoding,
    /// AFTER cannot be read as BEFORE can.
    Unreadable,
    /// A file of BEFORE is not there.
    MissingFile,
    /// A file is there that BEFORE has not.
    ExtraFile,
    /// A symbolic link leads elsewhere.
    Symlink,
}

/// A difference between a file and its counterpart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What differs.
    pub kind: DifferenceKind,
    /// Where, in AFTER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<Position>,
    /// Where, in BEFORE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position_before: Option<Position>,
    /// The element and attribute, as `a href`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The reference, decoded, or the bytes in BEFORE.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The reference, decoded, or the bytes in AFTER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Where the reference should lead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_target: Option<String>,
    /// Where it leads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What is wrong, in words.
    pub message: String,
}

impl Difference {
    /// One of a whole file.
    pub(super) fn of_file(kind: DifferenceKind, message: impl Into<String>) -> Difference {
        Difference {
            kind,
            position: None,
            position_before: None,
            place: String::new(),
            before: None,
            after: None,
            expected_target: None,
            target: None,
            message: message.into(),
        }
    }
}

/// The differences of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileDifferences {
    /// Its path in AFTER; in BEFORE where AFTER has none.
    pub path: String,
    /// Its path in BEFORE, where that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_before: Option<String>,
    /// How many there are.
    pub count: usize,
    /// The differences, in the order of AFTER; not all where a limit was set.
    pub differences: Vec<Difference>,
}

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Documents that were compared reference by reference.
    pub documents: usize,
    /// Other files, and documents that cannot be worked on, compared byte by byte.
    pub files: usize,
    /// Symbolic links that were compared.
    pub symlinks: usize,
    /// The references.
    pub references: References,
    /// How many differences there are.
    pub differences: usize,
    /// The differences, in the order of the walk.
    pub different: Vec<FileDifferences>,
    /// What could not be read.
    #[serde(serialize_with = "serialize_file_errors")]
    pub errors: Vec<Diagnostic>,
    /// How long it took.
    pub seconds: f64,
}
