//! The digests of captures that revisits refer to, after the run.
//!
//! Like the [digests of files](super::file_changes), they are computed when the first revisit asks, by the rewriting
//! that writes the captures themselves. So it does not matter which of the two comes first and in which archive of the
//! run, archives without revisits cost nothing, and the result does not depend on threads. In place, captures may be
//! gone when a revisit in a later archive asks: then the digests are computed before the first archive changes.

use std::path::Path;
use std::sync::OnceLock;

use super::container::item::rewrite_item;
use super::plan::{Archives, Mode, Plan};
use crate::container::Access;
use crate::parallel::{self, QueueItem};
use crate::revisits::{CaptureDigest, ContentKey};
use crate::warc_container::{Container, Piece, each_piece};
use crate::{ContainerFormat, RevisitDigests};
use rehref_site::diagnostic::display_path;

/// The keys of a capture, and its new digest if that changes.
type Capture = (Vec<ContentKey>, Option<String>);

/// The digests of the captures that the revisits of all archives of a run refer to.
pub(super) struct Revisits<'p> {
    plan: &'p Plan,
    digests: OnceLock<RevisitDigests>,
}

impl<'p> Revisits<'p> {
    pub(super) fn new(plan: &'p Plan) -> Revisits<'p> {
        Revisits { plan, digests: OnceLock::new() }
    }

    /// Computes the digests, if captures may be gone when a revisit asks.
    ///
    /// # Errors
    /// Returns an error if the threads cannot be started, or the run is interrupted.
    pub(super) fn prepare(&self) -> Result<(), parallel::Error> {
        let is_rewritten = self.plan.archives != Archives::Copied;
        if is_rewritten
            && matches!(self.plan.mode, Mode::InPlace)
            && self.plan.corpus.archives().nth(1).is_some()
        {
            self.compute()?;
        }
        Ok(())
    }

    /// Returns the digest of the capture that a revisit with these keys refers to, after [`Revisits::compute`].
    pub(super) fn digest(&self, keys: &[ContentKey]) -> &CaptureDigest {
        self.digests.get().map_or(&CaptureDigest::NotFound, |digests| digests.of(keys))
    }

    /// Computes the digests at the first call. One thread at a time may call this.
    ///
    /// # Errors
    /// See [`Revisits::prepare`].
    pub(super) fn compute(&self) -> Result<(), parallel::Error> {
        if self.digests.get().is_some() {
            return Ok(());
        }
        let corpus = &self.plan.corpus;
        let mut digests = corpus.revisits().ok_or(parallel::Error::Cancelled)?;
        if !digests.is_empty() {
            for (path, format) in corpus.archives() {
                for (keys, digest) in self.captures(path, format, &digests)? {
                    digests.add_capture(&keys, digest.as_deref());
                }
            }
        }
        self.digests.get_or_init(|| digests);
        Ok(())
    }

    /// The captures of an archive that revisits in `digests` refer to, each with its new digest if that changes. The
    /// captures of a damaged archive, which is not rewritten, are unchanged.
    fn captures(
        &self,
        path: &Path,
        format: ContainerFormat,
        digests: &RevisitDigests,
    ) -> Result<Vec<Capture>, parallel::Error> {
        let corpus = &self.plan.corpus;
        let (name, path) = (display_path(path), corpus.root.join(path));
        let mut captures: Vec<Capture> = Vec::new();
        let file = corpus.container_file(&path, &name);
        let opened = Container::open(file, format, Access::Revisited(digests));
        let Ok(mut container) = opened else { return Ok(captures) };
        let damage = each_piece(
            corpus.thread_options(),
            || container.next(|_| true),
            |piece| {
                let value = match piece {
                    Piece::Item(item) => {
                        let keys = item.content_keys();
                        Some((keys, rewrite_item(self.plan, *item, false).digest))
                    }
                    Piece::Capture(keys) => Some((keys, None)),
                    Piece::Start(..) | Piece::Revisit(_) | Piece::Other(_) => None,
                };
                QueueItem { value, bytes: 0 }
            },
            |capture| {
                captures.extend(capture);
                Ok(())
            },
        )?;
        if damage.is_some() {
            captures.iter_mut().for_each(|(_, digest)| *digest = None);
        }
        Ok(captures)
    }
}
