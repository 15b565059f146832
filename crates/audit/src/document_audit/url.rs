//! Checks a reference without its target.

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::site_index::ResolvedReference;
use crate::target_place::TargetPlace;
use crate::url_checks::{self, ReferenceContext};
use rehref_document::reference::Class;
use rehref_site::Severity;

impl DocumentAuditor<'_> {
    /// Checks the reference without its target. Returns whether browsers read it differently than
    /// the author meant it, so that a check of its target would say nothing.
    pub(super) fn check_url(&mut self, resolved: &ResolvedReference<'_>) -> bool {
        let own = self.own();
        let target = match &resolved.target {
            Some(target) => target.as_ref(),
            None if resolved.reference.class == Class::Empty => Ok(own),
            None => return false,
        };
        let target_exists = matches!(
            resolved.place,
            TargetPlace::Internal { response: Some(_), .. }
                | TargetPlace::Part { part: Some(_), .. }
        );
        let target_is_missing =
            matches!(resolved.place, TargetPlace::Internal { response: None, .. });
        let base = resolved.base.as_deref();
        let site = &*self.site_url;
        if target.is_ok() && url_checks::is_plain(resolved.text, base, own, site, target_exists) {
            return false;
        }
        let container = self.document.container_of(resolved.reference);
        let found = url_checks::check(&ReferenceContext {
            reference: resolved.text,
            class: resolved.reference.class,
            usage: &|| self.document.usage_of(resolved.reference),
            base,
            own,
            site: &self.site_url,
            is_published: self.context.is_published,
            target,
            target_exists,
            target_is_missing,
            encoding: container.map_or(encoding_rs::UTF_8, |it| it.query_encoding),
        });
        let is_misread = found.iter().any(|finding| {
            finding.check == Check::SchemeLookalike || finding.severity == Severity::Error
        });
        for mut finding in found {
            if finding.at > 0 {
                let before = resolved.text.get(..finding.at).unwrap_or_default();
                let number = before.chars().count() + 1;
                let place = format!(" (at character {number})");
                finding.message.to_mut().push_str(&place);
            }
            self.report(resolved, finding);
        }
        is_misread || resolved.reference.class == Class::Empty
    }
}
