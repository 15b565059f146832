//! The digests of files that a run changes, before and after it.
//!
//! A document that states the digest of another file (Subresource Integrity) depends on that file's
//! new bytes. They are computed when the first such document asks, as often as files are asked about,
//! by the rewriting that writes the file itself; so files can still be written in any order, and a
//! site without digests costs nothing.
//!
//! In place, old bytes may be gone when a document asks. Therefore the file's digests are recorded
//! before it is replaced, and the files that digests are of come last: an interrupted run leaves no
//! document that states the digest of bytes that no longer exist.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::document::rewritten;
use super::plan::Plan;
use crate::digests::FileCache;
use crate::{Corpus, FileDocument, FileRole, SiteDigests};
use rehref_document::DocumentKind;
use rehref_document::integrity::{DigestChange, Digests};
use rehref_url::{AbsoluteUrl, Spliced};

/// The digests of the files that a run changes. Memory: one entry per file that a document states
/// digests of, in place one per style sheet.
pub(super) struct FileChanges<'p> {
    plan: &'p Plan,
    files: SiteDigests<'p>,
    /// Nothing for files that do not change.
    known: FileCache<DigestChange>,
}

impl<'p> FileChanges<'p> {
    pub(super) fn new(plan: &'p Plan) -> FileChanges<'p> {
        FileChanges {
            plan,
            files: SiteDigests::new(&plan.corpus),
            known: FileCache(Mutex::default()),
        }
    }

    /// Returns the change of the file at `url`; `None` if the run does not change it.
    pub(super) fn of(&self, url: &AbsoluteUrl) -> Option<Arc<DigestChange>> {
        let path =
            self.files.file(url).filter(|path| states_no_digests(&self.plan.corpus, path))?;
        self.known.get(&path, || changed_document(self.plan, &path, change))
    }

    /// Records the change of the file at `path`, whose bytes are replaced next.
    pub(super) fn record(&self, path: &Path, before: &[u8], after: Spliced<'_>) {
        if states_no_digests(&self.plan.corpus, path) {
            self.known.set(path, change(before, &after.to_vec()));
        }
    }
}

/// Calls `with` with the bytes of the document at `path` below the root, before and after the run. Does not
/// call it if the run does not change the document, or if the document cannot be read.
pub fn changed_document<T>(
    plan: &Plan,
    path: &Path,
    with: impl FnOnce(&[u8], &[u8]) -> T,
) -> Option<T> {
    let role = plan.corpus.role(path).ok()?;
    let rewrite = |file: &FileDocument<'_>| {
        let rewritten = rewritten(plan, &|_| None, path, &role, file).ok()?;
        let before = file.document.bytes;
        Some(with(before, &rewritten.ok()?.into_bytes(before)?))
    };
    let FileRole::Document(_) = role else { return None };
    plan.corpus.read_file(path, 0, &role, rewrite).ok()??
}

fn change(before: &[u8], after: &[u8]) -> DigestChange {
    DigestChange { before: Digests::of(before), after: Digests::of(after) }
}

/// Returns true if the file at `path` is a style sheet, by its name or since pages load it as one: of the files that a
/// run changes, browsers compare only these with digests, and these state none that a run updates.
pub(super) fn states_no_digests(corpus: &Corpus, path: &Path) -> bool {
    DocumentKind::of_built_path(path).or_else(|| corpus.linked_kind(path, None))
        == Some(DocumentKind::Css)
}
