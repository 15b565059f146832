//! Reports on documents that visitors see at other URLs than their own: those that servers send for URLs at any depth, and
//! those whose scripts change the URL.

use super::{KEPT_ROOT, KEPT_SOURCE, Rewriter};
use crate::policy::Policy;
use crate::targets::MappedTarget;
use rehref_document::reference::Class;
use rehref_document::{Reference, ScriptTraits, SkipReason};
use rehref_site::Severity;
use rehref_site::plural::counted;
use rehref_url::{ReferenceForm, RelativeForm};

impl Rewriter<'_> {
    /// Warns of links that the run leaves relative to the URL of a document that servers send for URLs
    /// at any depth.
    pub(super) fn warn_of_depth(&mut self) {
        let own = self.own;
        let Policy::Site(site) = self.policy else { return };
        let mapping = &site.mapping;
        let is_kept = mapping.before.is_placeholder() && !mapping.pretty.offline;
        if !own.is_served_anywhere || site.form.is_none() || !is_kept {
            return;
        }
        let mut links = self.document.references.iter().filter(|reference| {
            let (base, after) = self.bases.of_reference(self.document, reference);
            reference.class == Class::Ordinary
                && base.as_deref() == Some(own.before)
                && after.as_deref() == Some(own.after)
                && ReferenceForm::of(self.document.text_of(reference)) == ReferenceForm::Path
        });
        let Some(first) = links.next().cloned() else { return };
        let links = counted(links.count() + 1, "document-relative link");
        let message = format!(
            "servers serve this page at any depth, so rehref did not change {links}, whose targets differ at each depth; with --url, rehref writes such links from the root of the host"
        );
        self.warn_of_reference(&first, "depth-dependent", message);
    }

    /// Notes that links stay as written because of scripts.
    pub(super) fn note_kept_for_scripts(&mut self) {
        let has_inline = self.own.scripts.has(ScriptTraits::SELECTS_LINKS_INLINE);
        self.result.selects_links = has_inline && self.result.references.rewritten > 0;
        let skipped = &self.result.references.skipped;
        let compared = skipped.get(&SkipReason::Compared).copied().unwrap_or_default();
        let document = self.document;
        if compared > 0
            && let Some(first) = document.references.first()
        {
            let why = format!("{} compared by a script", counted(compared, "link"));
            self.report(Severity::Note, first, KEPT_SOURCE, why);
        }
        let link = self.link_from_root().cloned();
        if let Some(first) = &link {
            let why = "a script changes the URL of the page".to_owned();
            self.report(Severity::Note, first, KEPT_ROOT, why);
        }
    }

    /// The first reference into the site that resolves against the root of the host since a script changes the URL of the
    /// page.
    fn link_from_root(&self) -> Option<&Reference> {
        let Policy::Site(site) = self.policy else { return None };
        let is_asked = site.form == Some(RelativeForm::Path) && !site.mapping.pretty.offline;
        if !is_asked || !self.own.scripts.has(ScriptTraits::CHANGES_URL) {
            return None;
        }
        self.document.references.iter().find(|reference| {
            let text = self.document.text_of(reference);
            let (base, after) = self.bases.of_reference(self.document, reference);
            let target = || base.as_ref()?.resolve(text, encoding_rs::UTF_8).ok();
            let is_of_site =
                || target().is_some_and(|it| site.mapping.map(&it) != MappedTarget::External);
            reference.class == Class::Ordinary
                && !reference.constraints.absolute
                && self.follows_depth(reference, after.as_deref())
                && matches!(ReferenceForm::of(text), ReferenceForm::Root | ReferenceForm::Absolute)
                && is_of_site()
        })
    }
}
