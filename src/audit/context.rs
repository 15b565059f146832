//! The context that the audits of all documents share, and the results of each.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::anchors::{AnchorIndex, PendingFragment};
use super::fast_path::SimplePaths;
use super::files::{FileNumber, FileNumbers};
use super::finding::Finding;
use super::fragment_shapes::FragmentShapes;
use super::site_index::SiteIndex;
use super::suggest::Suggestions;
use super::symlinks::DanglingSymlinks;
use crate::corpus::{Role, SourceDocument};
use crate::url::AbsoluteUrl;

/// Which fragments are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FragmentMode {
    /// Every fragment is checked; those that scripts handle are counted.
    #[default]
    Known,
    /// Every fragment is checked; one without an anchor is broken.
    Strict,
    /// No fragment is checked.
    Off,
}

/// The context that the audits of all documents share: the site, its files and anchors.
#[derive(Debug)]
pub(super) struct AuditContext<'a> {
    pub(super) site: &'a SiteIndex,
    pub(super) site_url: AbsoluteUrl,
    /// Whether the site's URL is known; if not, `site_url` is a placeholder.
    pub(super) is_published: bool,
    pub(super) fragments: FragmentMode,
    pub(super) files: FileNumbers<'a>,
    pub(super) simple: SimplePaths,
    pub(super) symlinks: DanglingSymlinks,
    pub(super) anchors: AnchorIndex,
    /// Made when the first target is missing.
    pub(super) suggestions: OnceLock<Suggestions>,
    /// Whether to collect the files that each document refers to.
    pub(super) needs_targets: bool,
}

impl AuditContext<'_> {
    /// The number of a document that links may lead to.
    pub(super) fn number_of(&self, document: &SourceDocument<'_>) -> Option<FileNumber> {
        let number = self.files.number(document.index_key);
        number.filter(|_| document.role == Role::Content)
    }

    pub(super) fn suggestions(&self) -> &Suggestions {
        self.suggestions
            .get_or_init(|| Suggestions::new(&self.site.files))
    }
}

/// The result of the first pass over a document.
#[derive(Debug, Default)]
pub(super) struct DocumentFindings {
    pub(super) references: usize,
    /// How many references point outside the site.
    pub(super) external: usize,
    /// How many findings `data-rehref-ignore` marks and comments cover.
    pub(super) ignored: usize,
    pub(super) findings: Vec<Finding>,
    /// The fragments whose targets were not read yet, each once.
    pub(super) pending: Vec<PendingFragment>,
    /// How many fragments scripts handle, by the row of the table.
    pub(super) scripted: BTreeMap<FragmentShapes, usize>,
    /// Whether a fragment of another document does not exist.
    pub(super) has_broken_fragments: bool,
    /// The files it refers to, each once.
    pub(super) targets: Vec<FileNumber>,
    /// The page that an immediate refresh redirects to, and the finding if that is a loop.
    pub(super) redirects_to: Option<(FileNumber, Option<Finding>)>,
}

/// A fragment that the second pass did not find in its target.
#[derive(Debug)]
pub(super) struct BrokenFragment {
    pub(super) file: FileNumber,
    pub(super) fragment: String,
    pub(super) finding: Finding,
}

/// The result of the second pass over a document.
#[derive(Debug, Default)]
pub(super) struct LocatedFragments {
    pub(super) broken: Vec<BrokenFragment>,
    /// The first reference for each row of the table.
    pub(super) scripted: BTreeMap<FragmentShapes, Finding>,
    /// How many findings `data-rehref-ignore` marks and comments cover.
    pub(super) ignored: usize,
}
