//! What a run has to say, as data.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::Serialize;

use super::document::Complaint;
use crate::corpus::UnusedGlob;

/// What happened to the references of a document or of a whole run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct References {
    /// All references.
    pub seen: usize,
    /// Those that changed.
    pub rewritten: usize,
    /// Those that said already what was wanted.
    pub kept: usize,
    /// The rest, by reason.
    pub left_alone: BTreeMap<&'static str, usize>,
}

impl AddAssign<&Documents> for Documents {
    fn add_assign(&mut self, other: &Documents) {
        self.seen += other.seen;
        self.rewritten += other.rewritten;
        self.unchanged += other.unchanged;
        self.kept_as_they_are += other.kept_as_they_are;
    }
}

impl AddAssign<&References> for References {
    fn add_assign(&mut self, other: &References) {
        self.seen += other.seen;
        self.rewritten += other.rewritten;
        self.kept += other.kept;
        for (reason, count) in &other.left_alone {
            *self.left_alone.entry(reason).or_default() += count;
        }
    }
}

/// The documents of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Documents {
    /// All documents.
    pub seen: usize,
    /// Those that changed.
    pub rewritten: usize,
    /// Those in which nothing was to be changed.
    pub unchanged: usize,
    /// Those that could not be worked on and were kept as they are; each has a problem.
    pub kept_as_they_are: usize,
}

/// The other things in a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Others {
    /// Files copied.
    pub files: usize,
    /// Symbolic links reproduced.
    pub symlinks: usize,
    /// Directories made.
    pub directories: usize,
}

/// The archives of a run; their documents are among all documents.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ArchiveCounts {
    /// Those that were looked into.
    pub seen: usize,
    /// Those with a record that changed.
    pub rewritten: usize,
    /// Their records.
    pub records: usize,
}

impl ArchiveCounts {
    fn is_none(&self) -> bool {
        self.seen == 0
    }
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Something in a document that the user should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The document's path below the site's root.
    pub path: String,
    /// Line, from 1; absent where the whole document is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// A short stable name.
    pub id: &'static str,
    /// The element and attribute, as `a href`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The reference as the author wrote it, decoded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Report {
    /// Adds what is to be said about the document at `path`.
    pub fn add_complaints(&mut self, path: &str, complaints: Vec<Complaint>) {
        let complaints = complaints.into_iter();
        self.problems
            .extend(complaints.map(|complaint| Problem::of(path, complaint)));
    }
}

impl Problem {
    pub(super) fn of(path: &str, complaint: Complaint) -> Problem {
        Problem {
            path: path.to_owned(),
            line: Some(complaint.position.line),
            column: Some(complaint.position.column),
            id: complaint.id,
            place: complaint.place,
            reference: complaint.reference,
            message: complaint.message,
        }
    }

    pub(super) fn of_document(path: &str, id: &'static str, message: String) -> Problem {
        Problem {
            path: path.to_owned(),
            line: None,
            column: None,
            id,
            place: String::new(),
            reference: None,
            message,
        }
    }
}

/// A document that changed, or would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Its path below the site's root.
    pub path: String,
    /// How many of its references changed.
    pub references: usize,
}

/// A file or symbolic link that moved, or would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// Its old path below the site's root.
    pub from: String,
    /// Its new path.
    pub to: String,
}

/// A file that could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Its path below the site's root.
    pub path: String,
    /// Why.
    pub message: String,
}

/// What a run did. All lists are in the order of the walk, whatever the thread count.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The documents.
    pub documents: Documents,
    /// Their references.
    pub references: References,
    /// The archives.
    #[serde(skip_serializing_if = "ArchiveCounts::is_none")]
    pub archives: ArchiveCounts,
    /// Compressed pages that were left as they are, since nobody asked for them.
    #[serde(skip_serializing_if = "is_zero")]
    pub compressed_left: usize,
    /// The rest of the tree.
    pub copied: Others,
    /// The documents that changed, or would.
    pub changed: Vec<Changed>,
    /// The files and symbolic links that moved, or would.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved: Vec<Moved>,
    /// References and documents that were left alone and deserve a look.
    pub problems: Vec<Problem>,
    /// Globs that matched nothing.
    pub unused_globs: Vec<UnusedGlob>,
    /// Files that could not be read or written; everything else was done.
    pub errors: Vec<Failure>,
    /// How long the run took.
    pub seconds: f64,
}
