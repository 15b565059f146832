//! Checks the links of documents that servers send for URLs at any depth.

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use crate::site_index::ResolvedReference;
use rehref_document::reference::Class;
use rehref_url::ReferenceForm;

impl DocumentAuditor<'_> {
    /// The check depth-dependent.
    pub(super) fn depth(&mut self, resolved: &ResolvedReference<'_>) {
        let depends_on_depth = resolved.reference.class == Class::Ordinary
            && resolved.base.as_deref() == Some(self.own())
            && ReferenceForm::of(resolved.text) == ReferenceForm::Path
            && matches!(&resolved.target, Some(Ok(target)) if target.is_hierarchical());
        if depends_on_depth {
            let message = "servers serve this page at any depth, and the relative link has a different target \
                           at each depth; write the link from the root of the host";
            let found = ReferenceFinding::new(Check::DepthDependent, message);
            self.report(resolved, found);
        }
    }
}
