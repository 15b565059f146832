//! The fragments of links to other sites.

use std::collections::BTreeSet;

use super::{OtherSite, Run};
use crate::anchors::FragmentStatus;
use crate::context::AuditContext;
use crate::finding::may_be_made;
use rehref_corpus::CorpusError;
use rehref_site::Severity;

impl<'a> OtherSite<'a> {
    /// Returns the context in which documents of the site are read for their anchors.
    pub(super) fn context(&self) -> AuditContext<'a> {
        AuditContext {
            is_url_inferred: self.is_url_inferred,
            ..AuditContext::new(self.site, self.collection.corpus())
        }
    }
}

impl Run<'_> {
    /// Reports the fragments that their targets in other sites lack.
    pub(super) fn fragments_elsewhere(&mut self) -> Result<(), CorpusError> {
        let elsewhere = std::mem::take(&mut self.elsewhere);
        for (number, (site, context)) in
            self.audit.others.iter().zip(&self.context.others).enumerate()
        {
            let wanted = elsewhere.iter().filter(|(_, it)| it.0 == number);
            let wanted: BTreeSet<_> = wanted.map(|(_, (_, fragment, _))| fragment.file).collect();
            context.read_anchors(&site.collection.clone().with_neighbors(), wanted)?;
        }
        for (item, (number, wanted, mut finding)) in elsewhere {
            let Some(context) = self.context.others.get(number) else { continue };
            if context.anchors.find(&wanted) != FragmentStatus::Missing {
                continue;
            }
            let fragment = finding.target.as_deref().and_then(|it| it.split_once('#'));
            let (_, fragment) = fragment.unwrap_or_default();
            if let Some((maker, _)) = context.anchors.maker(wanted.file, fragment) {
                finding.severity = finding.severity.min(Severity::Warning);
                let message = may_be_made(&finding.message, maker);
                finding = finding.with_message(message);
            }
            self.found.push((item, finding));
        }
        Ok(())
    }
}
