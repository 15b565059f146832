//! Checks the target of a link to another site that is audited in the same run.

use std::borrow::Cow;

use super::auditor::DocumentAuditor;
use super::fragments::no_anchor;
use crate::anchors::PendingFragment;
use crate::checks::Check;
use crate::context::AuditContext;
use crate::finding::{Confidence, ReferenceFinding};
use crate::site_index::ResolvedReference;
use crate::targets::{self, MissingTargets};

impl<'e> DocumentAuditor<'e> {
    /// Returns the other site that a reference leads to, and its number.
    pub(super) fn other_site(
        &self,
        resolved: &ResolvedReference<'_>,
    ) -> Option<(usize, &'e AuditContext<'e>)> {
        let context = self.context;
        if context.others.is_empty() {
            return None;
        }
        context.other_site(resolved.url()?.as_str())
    }

    /// Checks a reference with a target outside of the site, if it is in another one. The anchors there are read when all
    /// links are known.
    pub(super) fn check_other_site(&mut self, resolved: &ResolvedReference<'_>) {
        let (Some((number, other)), Some(target)) = (self.other_site(resolved), resolved.url())
        else {
            return;
        };
        let there = ResolvedReference {
            reference: resolved.reference,
            text: resolved.text,
            base: resolved.base.as_deref().map(Cow::Borrowed),
            target: Some(Ok(target.clone())),
            place: other.site.place(target),
            unpublished: None,
        };
        let (site, suggestions) = (other.site, other.suggestions());
        let mut missing = MissingTargets::default();
        if let Some(found) = targets::check(site, suggestions, self.own(), &there, &mut missing) {
            // Fixes to moved files need the anchors there.
            let confidence = match found.confidence {
                Confidence::Certain => Confidence::Certain,
                _ => Confidence::Guess,
            };
            return self.report(&there, found.confidence(confidence));
        }
        let fragment = there.place.fragment().filter(|it| self.needs_anchor(&there, it));
        let file = there.place.file().and_then(|file| other.files.number(file));
        let (Some(fragment), Some(file)) = (fragment, file) else { return };
        let wanted = PendingFragment::new(file, fragment, self.shapes(fragment));
        let message = no_anchor(fragment, &format!("`{}`", other.files.path(file)));
        let found = ReferenceFinding::new(Check::BrokenFragment, message);
        if let Some(finding) = self.finding(&there, found)
            && self.takes_room(&finding)
        {
            self.out.elsewhere.push((number, wanted, finding));
        }
    }
}
