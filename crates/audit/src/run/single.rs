//! The audit of a single document: what it needs to know of the documents beside it, and which of its links
//! leave their directory.

use std::collections::{BTreeSet, HashMap};

use super::Run;
use crate::checks::Check;
use crate::context::AuditContext;
use crate::files::FileNumber;
use rehref_corpus::{Collection, CorpusError};
use rehref_site::Severity;
use rehref_site::plural::counted;

impl Run<'_> {
    /// Reads the unselected targets of pending fragments and of fixes with a fragment, and the pages that these redirect to,
    /// for their anchors.
    pub(super) fn read_neighbors(&mut self) -> Result<(), CorpusError> {
        let context = self.context;
        let neighbors = self.audit.collection.clone().with_neighbors();
        let fixes = self.found.iter().filter_map(|(_, it)| it.fix.as_ref());
        let of_fixes = fixes.filter_map(|fix| Some(fix.fragment.as_ref()?.file));
        let wanted = self.pending.files().chain(of_fixes);
        context.read_anchors(&neighbors, wanted.collect())
    }

    /// Reports the links that leave the directory of the document once, at the first: where they lead to is
    /// not checked.
    pub(super) fn leaving_links(&mut self) {
        // Each of them has one of these, too.
        self.found.retain(|(_, finding)| {
            finding.check != Check::EscapesRoot || finding.severity > Severity::Warning
        });
        if let Some((item, (count, first))) = self.leaving.take() {
            let links = counted(count, "link");
            let (was, them) = match count {
                1 => ("was", "it"),
                _ => ("were", "them"),
            };
            let name = &first.location.path;
            let message = format!(
                "{links} with a target outside the directory of the document {was} not checked; to check \
                 {them}, audit the root directory of the site with --include {name}"
            );
            self.found.push((item, first.with_message(message)));
        }
    }
}

impl AuditContext<'_> {
    /// Reads those of `wanted` among `documents` whose anchors are not known, and the pages that these redirect to.
    pub(super) fn read_anchors(
        &self,
        documents: &Collection<'_>,
        mut wanted: BTreeSet<FileNumber>,
    ) -> Result<(), CorpusError> {
        let mut read: BTreeSet<FileNumber> = BTreeSet::new();
        let is_unread = |file: &FileNumber| self.anchors.get(*file).is_none();
        wanted.retain(is_unread);
        if wanted.is_empty() {
            return Ok(());
        }
        let numbered = documents.files().enumerate();
        let numbered =
            numbered.filter_map(|(item, path)| Some((self.files.number_of(path)?, item)));
        let items_of: HashMap<FileNumber, usize> = numbered.collect();
        loop {
            wanted.retain(|file| is_unread(file) && read.insert(*file));
            if wanted.is_empty() {
                return Ok(());
            }
            let items = wanted.iter().filter_map(|file| items_of.get(file));
            let items: BTreeSet<usize> = items.copied().collect();
            let mut further = BTreeSet::new();
            documents.each_document(
                Some(&items),
                |document| self.examine(document, None),
                || {},
                |_, result| {
                    // Without its anchors, nothing is known of its fragments.
                    if let Ok(Ok(examined)) = result {
                        further.extend(examined.redirects_to.map(|(file, _)| file));
                    }
                    Ok(())
                },
            )?;
            wanted = further;
        }
    }
}
