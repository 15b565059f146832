//! Two trees to compare, and what may differ between them.

use std::path::{Path, PathBuf};

use crate::added::AddedText;
use crate::expected_targets::ExpectedTargets;
use rehref_corpus::{Corpus, SiteDigests};
use rehref_site::Moves;
use rehref_url::AbsoluteUrl;

/// Two trees, and what may differ between them.
pub struct TreePlan<'p> {
    /// The tree before the rewriting, and how to read it.
    pub before: &'p Corpus,
    /// The tree after the rewriting.
    pub after: &'p Corpus,
    /// The files of BEFORE that have another path in AFTER.
    pub moves: &'p Moves,
    /// The name of the file in AFTER, if BEFORE and AFTER are single files.
    pub file_after: Option<&'p Path>,
    /// The base URL that documents of AFTER may have instead of their own.
    pub base: Option<&'p AbsoluteUrl>,
    /// The targets that AFTER should have.
    pub targets: ExpectedTargets<'p>,
    /// The digests of the files of BEFORE.
    pub digests_before: SiteDigests<'p>,
    /// The digests of the files of AFTER.
    pub digests_after: SiteDigests<'p>,
    /// Whether AFTER is to be read from disk.
    pub offline: bool,
    /// Allows files of AFTER without a counterpart in BEFORE.
    pub may_be_extra: bool,
    /// The additions of AFTER.
    pub added: AddedText,
    /// The number of differences to list, in all files together; all are counted.
    pub limit: usize,
}

impl TreePlan<'_> {
    /// Whether files, or the whole site, get other URLs.
    pub(super) fn moves_anything(&self) -> bool {
        !self.moves.is_empty() || self.targets.before != self.targets.after
    }

    /// Whether equal bytes prove that links of a document which cannot be read lead where they led: its
    /// base URL is the same, and so is the place of everything that it could name.
    pub(super) fn proves_unread(&self, is_same_place: bool) -> bool {
        is_same_place && !self.moves_anything() && !self.offline
    }

    /// The path in AFTER of the file at `path` in BEFORE.
    pub(super) fn counterpart(&self, path: &Path) -> PathBuf {
        match self.file_after {
            Some(name) => name.to_owned(),
            None => self.moves.counterpart(path),
        }
    }
}
