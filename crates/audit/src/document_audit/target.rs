//! Checks the target of a reference.

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use crate::site_index::ResolvedReference;
use crate::target_place::TargetPlace;
use crate::targets;
use rehref_document::{DocumentKind, Rel};
use rehref_url::{RelativeForm, RelativizeOptions, scheme};

impl DocumentAuditor<'_> {
    /// Checks whether the target exists. Returns whether its fragment is to be checked, too.
    pub(super) fn check_target(&mut self, resolved: &ResolvedReference<'_>) -> bool {
        let path = match &resolved.place {
            TargetPlace::Part { part, fragment } => {
                self.check_part(resolved, *part, fragment.as_deref());
                return false;
            }
            TargetPlace::Internal { path, .. } => path,
            TargetPlace::External => {
                self.check_other_site(resolved);
                return false;
            }
            TargetPlace::Unknown => return false,
        };
        let context = self.context;
        let file = resolved.place.file();
        // The symbolic link has a finding of its own.
        if context.symlinks.count(file.unwrap_or(path)) {
            return file.is_some();
        }
        if self.names_this_page(resolved) && file.is_some() {
            return true;
        }
        let (site, suggestions) = (self.site, context.suggestions());
        let found = targets::check(site, suggestions, self.own(), resolved, &mut self.missing);
        if let Some(found) = found {
            let exists = found.check != Check::BrokenTarget;
            self.report(resolved, found);
            return exists;
        }
        self.check_self_link(resolved);
        true
    }

    /// Returns true if the reference is the page's own published URL, or that of a translation: absolute,
    /// and perhaps without an extension.
    pub(super) fn names_this_page(&self, resolved: &ResolvedReference<'_>) -> bool {
        resolved.reference.rel.names_page()
    }

    /// The check absolute-self-link.
    fn check_self_link(&mut self, resolved: &ResolvedReference<'_>) {
        let reference = resolved.reference;
        // Feed readers show the links outside the site.
        let is_feed = self.kind() == DocumentKind::Xml && !self.has_anchors();
        let has_to_be_absolute = is_feed
            || self.is_data(reference)
            || reference.constraints.absolute
            || reference.rel.has(Rel::ALTERNATE)
            || reference.rel.has(Rel::CANONICAL)
            || reference.rel.has(Rel::SELF);
        // Programs that save a page as a message make its URLs absolute.
        let is_saved_page = !self.document.parts.is_empty();
        if !self.context.is_published || has_to_be_absolute || is_saved_page {
            return;
        }
        let (Some(base), Some(Ok(target)), TargetPlace::Internal { path, .. }) =
            (resolved.base.as_deref(), &resolved.target, &resolved.place)
        else {
            return;
        };
        // Saves parsing most references: they are relative.
        let text = resolved.text.trim_ascii_start();
        let may_be_absolute = text.contains("//") || text.contains('\\');
        let own = self.own();
        if !may_be_absolute
            || !text.starts_with("//") && !own.is_absolute_form(text, target, encoding_rs::UTF_8)
            || self.site.files.makes_no_page(self.source.index_key)
        {
            return;
        }
        // For an alias of the site, the suggestion uses the site's primary URL.
        let site = self.site;
        let relative = targets::url_of(site, resolved, path)
            .and_then(|url| base.relativize(&url, RelativizeOptions::from(RelativeForm::Shortest)));
        // An archive or a mirror may hold several hosts; each is a site of its own.
        let has_hosts = site.archive.is_some() || site.site_url.has_mounts();
        let is_on_host = |url: &str| !url.starts_with("//") && scheme::split(url).is_none();
        if !has_hosts || relative.as_deref().is_some_and(is_on_host) {
            let message = "the absolute URL leads into the same site";
            let found = ReferenceFinding::new(Check::AbsoluteSelfLink, message);
            // Sources link to documents.
            let relative = relative.filter(|_| site.files.pages().is_none());
            self.report(resolved, found.suggest(relative));
        }
    }
}
