//! A reference with its target.

use super::subject::Subject;
use super::writing::segments_above_root;
use crate::decision::Decision;
use rehref_document::SkipReason;
use rehref_url::{AbsoluteUrl, ReferenceForm, Standard, scheme};

/// A reference that has a target, with the properties that decide on its form.
pub(super) struct Resolved<'s> {
    pub(super) subject: &'s Subject<'s>,
    /// The target before the run.
    pub(super) target: AbsoluteUrl,
    /// True if it has the same target against every base.
    pub(super) is_absolute: bool,
    pub(super) shape: ReferenceForm,
    /// True if it is a query or a fragment of the base.
    pub(super) is_document: bool,
    /// True if it is a fragment of the base and nothing else.
    pub(super) is_fragment: bool,
}

impl<'s> Resolved<'s> {
    /// # Errors
    /// Returns the decision on a reference without a target to rewrite.
    pub(super) fn of(subject: &'s Subject<'s>) -> Result<Resolved<'s>, Decision> {
        let reference = subject.reference;
        // Without a base URL only an absolute reference has a target, the same against every base.
        let assumed = subject.base.unwrap_or(subject.own);
        let of_query = assumed.base_of_query(subject.own, reference);
        let base = of_query.as_ref().unwrap_or(assumed);
        let target = base.resolve(reference, subject.encoding).map_err(|error| {
            if error.is_of_base() {
                let message = format!("no link can resolve against the base URL {assumed}");
                return Decision::reported(SkipReason::OpaqueBase, message);
            }
            Decision::reported(SkipReason::BadUrl, format!("not a URL: {error}"))
        })?;
        let is_absolute = assumed.is_absolute_form(reference, &target, subject.encoding);
        if is_absolute && !target.is_hierarchical() {
            return Err(Decision::silent(SkipReason::NotHierarchical));
        }
        if !is_absolute && subject.base.is_none() {
            return Err(Decision::reported(SkipReason::UnknownBase, "the base URL is unknown"));
        }
        let shape = ReferenceForm::of(reference);
        // In the standards before WHATWG's, not everything that looks like a fragment is one: a space may
        // be a path, and `#` may lead to a folder.
        let names_base = |base: &AbsoluteUrl| {
            let target = base.resolve(reference, subject.encoding);
            target.is_ok_and(|target| is_same_path(&target, base))
        };
        let is_document = shape == ReferenceForm::Document
            && of_query.is_none()
            && (subject.own.standard() == Standard::Whatwg
                || names_base(assumed) && subject.base_after.is_none_or(names_base));
        let is_fragment = is_document && !reference.contains('?');
        Ok(Resolved { subject, target, is_absolute, shape, is_document, is_fragment })
    }

    /// Returns true if it is absolute for readers that need absolute URLs: `https:x` is relative to an `https:` base
    /// only for browsers.
    pub(super) fn stays_absolute(&self) -> bool {
        let has_scheme = || scheme::split(self.subject.reference.trim_ascii_start()).is_some();
        self.subject.constraints.absolute && (self.is_absolute || has_scheme())
    }

    /// Returns true if its `..` segments escape the root.
    pub(super) fn is_outside(&self) -> bool {
        let base = self.subject.base.unwrap_or(self.subject.own);
        segments_above_root(base, self.subject.reference) > 0
    }
}

/// Returns true if two URLs differ in their queries and fragments only.
pub(crate) fn is_same_path(one: &AbsoluteUrl, other: &AbsoluteUrl) -> bool {
    let path = |url: &AbsoluteUrl| {
        let text = url.as_str();
        text.find(['?', '#']).unwrap_or(text.len())
    };
    one.as_str().get(..path(one)) == other.as_str().get(..path(other))
}
