//! Checks of a document as a whole: its charset, its ids, its base elements.

use super::auditor::DocumentAuditor;
use crate::audit::checks::Check;
use crate::audit::finding::Finding;
use crate::diagnostic::Location;
use crate::document::metadata::Bases;
use crate::document::reference::{BaseOf, Class};
use crate::document::{BaseElement, BaseUrl, Reference};
use crate::url::scheme;

impl DocumentAuditor<'_> {
    /// Checks the document as a whole. `bases` are the base URLs of its scopes.
    pub(super) fn whole_document(&mut self, bases: &[BaseUrl]) {
        if let Some(at) = self.metadata.malformed_at {
            let charset = self.document.charset.encoding.name();
            let message = format!("bytes that {charset} does not have");
            self.at(at, Check::WrongCharset, "", "", None, message);
        }
        for duplicate in &self.metadata.duplicate_ids {
            let first = self.positions.of(duplicate.first.start);
            let message = format!("the element in line {} already has this id", first.line);
            let at = duplicate.span.start;
            let id = Some(duplicate.id.clone());
            self.at(at, Check::DuplicateId, "", "id", id, message);
        }
        for of_scope in &self.metadata.bases {
            self.bases(of_scope, bases);
        }
    }

    /// Checks the base elements of one scope.
    fn bases(&mut self, metadata: &Bases, bases: &[BaseUrl]) {
        let Some((first, others)) = metadata.hrefs.split_first() else {
            return;
        };
        let scope = self.document.scopes.get(metadata.scope);
        let (Some(container), Some(base)) = (
            scope.and_then(|scope| scope.base),
            bases.get(metadata.scope),
        ) else {
            return;
        };
        let counting = self.document.references.iter().find(|reference| {
            reference.container == container && reference.base == BaseOf::Fallback(metadata.scope)
        });
        let Some(counting) = counting else { return };
        let at = self.document.span_of(counting).start;
        let text = self.document.text_of(counting).to_owned();
        for other in others.iter().chain([first]).filter(|other| **other != at) {
            let message = "ignored: only the first base element counts".to_owned();
            let text = self.text_at(*other);
            self.base(Check::BaseMultiple, *other, text, message);
        }
        match &base.element {
            BaseElement::ForbiddenScheme(scheme) => {
                let message = format!("browsers ignore a base URL with the scheme {scheme}:");
                return self.base(Check::BaseOpaque, at, Some(text), message);
            }
            BaseElement::Used if base.url.as_ref().is_some_and(|url| !url.is_hierarchical()) => {
                let message = "nothing can be relative to this".to_owned();
                return self.base(Check::BaseOpaque, at, Some(text), message);
            }
            BaseElement::Used => {}
            // The checks bad-url and template-markup report these.
            BaseElement::Absent | BaseElement::Bad(_) | BaseElement::Unknown => return,
        }
        if scheme::split(text.trim_ascii_start()).is_none() {
            let message = "a relative base URL, which older programs do not understand".to_owned();
            self.base(Check::BaseRelative, at, Some(text.clone()), message);
        }
        if let Some(early) = metadata.late_for {
            let early = self.positions.of(early);
            let message = format!("comes after the reference in line {}", early.line);
            self.base(Check::BaseLate, at, Some(text.clone()), message);
        }
        let is_used = self
            .document
            .references
            .iter()
            .any(|reference| self.depends_on_base(reference, metadata.scope));
        if !is_used {
            let message = "this document has no relative reference".to_owned();
            self.base(Check::BaseUnused, at, Some(text), message);
        }
    }

    fn base(&mut self, check: Check, at: usize, reference: Option<String>, message: String) {
        self.at(at, check, "base", "href", reference, message);
    }

    /// Whether the reference's target depends on the base URL of a scope.
    fn depends_on_base(&self, reference: &Reference, scope: usize) -> bool {
        let counts = match &reference.base {
            BaseOf::Scope(of) | BaseOf::Codebase(of, _) => {
                *of == scope || self.is_within(*of, scope)
            }
            BaseOf::Fallback(of) => self.is_within(*of, scope),
            BaseOf::Unknown => false,
        };
        let text = self.document.text_of(reference).trim_ascii_start();
        match reference.class {
            Class::Ordinary => counts && scheme::split(text).is_none(),
            // Unknown; assumed relative.
            Class::TemplateMarkup | Class::RelativeOnly => counts,
            Class::SameDocument | Class::Empty => false,
        }
    }

    /// Whether the scope `of` is inside the scope `outer`.
    fn is_within(&self, of: usize, outer: usize) -> bool {
        let parent = |scope: usize| self.document.scopes.get(scope)?.parent;
        std::iter::successors(parent(of), |scope| parent(*scope)).any(|scope| scope == outer)
    }

    /// The reference that starts at a byte.
    fn text_at(&self, at: usize) -> Option<String> {
        let references = &self.document.references;
        let found = references
            .iter()
            .find(|reference| self.document.span_of(reference).start == at)?;
        Some(self.document.text_of(found).to_owned())
    }

    /// Reports a finding about the element or text at byte `at`.
    fn at(
        &mut self,
        at: usize,
        check: Check,
        element: &str,
        attribute: &str,
        reference: Option<String>,
        message: String,
    ) {
        if self.metadata.ignores(at, check.id()) {
            self.out.ignored += 1;
            return;
        }
        let location = Location {
            path: self.source.name.to_owned(),
            position: Some(self.positions.of(at)),
            element: element.to_owned(),
            attribute: attribute.to_owned(),
        };
        let mut finding = Finding::new(check, location, message);
        finding.reference = reference;
        self.out.findings.push(finding);
    }
}
