//! References in the sources of generators: paths from their roots, targets that are not files, pages of repositories.

use encoding_rs::UTF_8;

use super::Policy;
use super::resolved::Resolved;
use super::subject::Subject;
use crate::decision::Decision;
use rehref_document::{Constraints, SkipReason};
use rehref_url::{AbsoluteUrl, ReferenceForm, TextEdit};

/// The decision on a reference that is to become `new`; `None`: it stays.
fn written(subject: &Subject<'_>, new: Option<String>) -> Decision {
    new.map_or(Decision::AlreadyCorrect, |new| {
        Decision::Change(TextEdit::new(0..subject.reference.len(), new))
    })
}

impl Policy {
    /// Decides on a path in the sources of a generator that resolves against the root of the site.
    pub(super) fn source_path(&self, subject: &Subject<'_>) -> Option<Decision> {
        let Policy::Site(site) = self else { return None };
        if subject.constraints.is_wiki() {
            return Some(written(subject, site.mapping.wiki(subject.reference, subject.own)));
        }
        let is_from_root = match ReferenceForm::of(subject.reference) {
            // It resolves against a root of the document before all others.
            ReferenceForm::Root if subject.constraints.is_of_language() => false,
            ReferenceForm::Root => {
                let path = site.mapping.before.url().path();
                subject.constraints.is_of_site(subject.reference, path)
            }
            ReferenceForm::Path => subject.constraints.source_path && subject.constraints.of_root,
            _ => false,
        };
        if !is_from_root {
            return None;
        }
        let folder = subject.constraints.folder();
        Some(written(subject, site.mapping.source_path(folder, subject.reference)))
    }

    /// Decides on a path in sources that changes only if its target is a file of the site; `None` if it is one, and for
    /// other references.
    pub(super) fn no_file(&self, resolved: &Resolved<'_>) -> Option<Decision> {
        let Resolved { subject, target, shape, .. } = resolved;
        let (reference, constraints) = (subject.reference, subject.constraints);
        let is_same_base = subject.base == subject.base_after;
        let Policy::Site(site) = self else { return None };
        let from_root = || {
            let urls = [subject.own, subject.own_after];
            constraints.from_root.then(|| site.mapping.in_content_roots(reference, urls)).flatten()
        };
        // The URL of a page, for all that is known, and no directory.
        let is_of_directory = || !resolved.is_outside() && !site.mapping.has_file(target);
        if subject.is_unread && *shape == ReferenceForm::Root && is_of_directory() {
            return Some(Decision::AlreadyCorrect);
        }
        // A path with a slash resolves against a root of the document before all others.
        if constraints.known_file
            && constraints.roots_first
            && let Some(new) = from_root()
        {
            return Some(written(subject, new));
        }
        // The generator finds the document by its name, wherever this one is.
        if constraints.known_file
            && constraints.from_root
            && *shape == ReferenceForm::Path
            && !is_same_base
            && !reference.contains('.')
            && site.mapping.keeps_name(reference, target, subject.own_after)
        {
            return Some(Decision::AlreadyCorrect);
        }
        // A module by the alias of the project, without its extension.
        if constraints.unsure && !constraints.known_file && constraints.from_root {
            return Some(written(subject, site.mapping.module_after(reference)));
        }
        // It may be a label, also if a directory has its name.
        if constraints.is_name()
            && *shape == ReferenceForm::Path
            && !resolved.is_outside()
            && !site.mapping.has_file(target)
        {
            return Some(Decision::AlreadyCorrect);
        }
        if !constraints.known_file
            || *shape != ReferenceForm::Path
            || is_same_base && !constraints.from_root
            || resolved.is_outside()
            || !site.mapping.has_no_file(target)
            || !constraints.from_root && site.mapping.leaves_sources(subject.own, target)
        {
            return None;
        }
        let of_page = || {
            let (base, after) = subject.page?;
            let target = base.resolve(reference, subject.encoding).ok()?;
            let constraints = Constraints { from_root: false, ..constraints };
            let (base, base_after) = (Some(base), Some(after));
            let of_page = Subject { base, base_after, page: None, constraints, ..**subject };
            site.mapping.has_file(&target).then(|| self.decide(&of_page))
        };
        let found = from_root().map(|new| written(subject, new));
        match found.or_else(of_page) {
            Some(decision) => Some(decision),
            None if is_same_base => Some(Decision::AlreadyCorrect),
            None => {
                let message = "the target is not a file in the site, so the link stays as written";
                Some(Decision::reported(SkipReason::NoFile, message))
            }
        }
    }

    /// Returns the URL in the repository for a relative link of Markdown; `None` if that is its target.
    pub(super) fn in_repository(&self, resolved: &Resolved<'_>) -> Option<AbsoluteUrl> {
        let Resolved { subject, target, shape, is_absolute, .. } = resolved;
        let repository = self.repository().filter(|_| subject.is_markdown && !is_absolute)?;
        let is_from_root = *shape == ReferenceForm::Root;
        let url = repository.url(target.as_str(), is_from_root, subject.is_image)?;
        target.resolve(&url, UTF_8).ok()
    }
}
