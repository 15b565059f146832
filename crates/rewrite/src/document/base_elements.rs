//! The `base` elements of a document: removed, replaced, added, or kept.

use encoding_rs::UTF_8;

use super::{KEPT_BASE, Rewriter};
use crate::BaseChange;
use crate::decision::Decision;
use rehref_document::reference::BaseOf;
use rehref_document::scope::Scope;
use rehref_document::{BaseElement, BaseRemoval, Reference, inline_imports};
use rehref_site::{Diagnostic, Location, Severity};
use rehref_url::{AbsoluteUrl, Edit, ReferenceForm, Span, TextEdit};

impl<'d> Rewriter<'d> {
    /// Removes or replaces the `href` of the `base` element that counts, or removes that of another one, if
    /// `reference` is that `href` and the policy says so. Returns whether it did.
    pub(super) fn base_element(&mut self, reference: &Reference) -> bool {
        let BaseOf::Fallback(index) = reference.base else { return false };
        let is_element = self.document.is_base_element(reference);
        let counts = self.scope_of_base(reference).is_some();
        let may_change = counts || self.bases.change(index) == BaseChange::Drop;
        if !is_element || !may_change || self.is_signed(reference) {
            return false;
        }
        let is_used = self.bases.element(index) == Some(&BaseElement::Used);
        let whole = 0..self.document.text_of(reference).len();
        match self.bases.change(index) {
            BaseChange::KeepForScripts => {
                let why = "the base element stays, since scripts of the page may create links that resolve against it";
                self.report(Severity::Note, reference, KEPT_BASE, why.to_owned());
                return false;
            }
            BaseChange::KeepForLinks => {
                let why = "the base element stays, since a link has no correct spelling without it";
                self.warn_of_reference(reference, "base", why.to_owned());
                return false;
            }
            BaseChange::Keep | BaseChange::DropWithoutScripts => return false,
            BaseChange::Drop if !is_used => return false,
            BaseChange::Drop => {
                let removal = self.document.base_removal(reference);
                let container = self.document.container_of(reference);
                match (removal, container.and_then(|it| it.parent)) {
                    (Some(BaseRemoval::Bytes(span)), None) => {
                        self.edits.push(Edit::new(span, *b""));
                    }
                    (Some(BaseRemoval::Bytes(span)), Some(parent)) => {
                        self.change(parent, TextEdit::new(span, ""));
                    }
                    _ if whole.is_empty() => {
                        self.result.references.seen += 1;
                        self.result.references.already_correct += 1;
                        return true;
                    }
                    _ => self.change(reference.container, TextEdit::new(whole, "")),
                }
            }
            BaseChange::Set(url) if self.document.text_of(reference) == url.as_str() => {
                self.result.references.seen += 1;
                self.result.references.already_correct += 1;
                return true;
            }
            BaseChange::Set(url) => {
                self.change(reference.container, TextEdit::new(whole, url.as_str()));
            }
        }
        self.warn_of_base(reference);
        self.result.references.seen += 1;
        self.result.references.rewritten += 1;
        true
    }

    /// Adds the `base` element that the policy sets, if the document has none.
    pub(super) fn insert_base(&mut self) {
        let BaseChange::Set(url) = self.policy.base() else { return };
        let scope = self.document.scopes.first();
        let has_one = scope.is_some_and(|scope| scope.base.is_some());
        if !self.document.parts.is_empty() {
            let location = Location::new("", Some(self.positions.of(0)), "message", "");
            self.warn("base", location, "rehref adds no base element to messages and their parts");
        }
        let Some(at) = self.document.base_insertion().filter(|_| !has_one) else { return };
        if self.bases.change(0) == BaseChange::KeepForLinks {
            let location = Location::new("", Some(self.positions.of(at)), "base", "");
            let message = "rehref added no base element, since no link can resolve against the URL";
            return self.warn("base", location, message);
        }
        let href = url.as_str().replace('&', "&amp;").replace('"', "&quot;");
        let element = format!("<base href=\"{href}\">");
        self.edits.push(Edit::new(Span::at(at), element.into_bytes()));
        self.result.references.seen += 1;
        self.result.references.rewritten += 1;
    }

    /// Warns of the imports in inline modules whose targets change with the `base` element: rehref does not change
    /// scripts.
    pub(super) fn warn_of_imports(&mut self) {
        let document = self.document;
        let (before, after) = self.bases.urls(0);
        let (Some(before), Some(after)) = (before, after) else { return };
        if !matches!(self.bases.change(0), BaseChange::Drop | BaseChange::Set(_)) || before == after
        {
            return;
        }
        // Browsers resolve what comes before the element against the document's own URL.
        let base = document.scopes.first().and_then(|it| it.base);
        let start = base.map(|at| document.start_of(at));
        for span in inline_imports(document.working_bytes()) {
            let Ok(text) = std::str::from_utf8(span.of(document.working_bytes())) else { continue };
            let targets = [before, after].map(|base| base.resolve(text, UTF_8));
            if let [Ok(old), Ok(new)] = &targets
                && start.is_none_or(|start| start < span.start)
                && *self.policy.target_after(old, false) != *new
            {
                let message = format!(
                    "the script now loads {new} instead of {old}, because the base URL changes; rehref does not change scripts"
                );
                let position = self.positions.of(span.start);
                let location = Location::new("", Some(position), "script", "import");
                let warning = Diagnostic::new(Severity::Warning, "base", location, message);
                self.result.diagnostics.push(warning.about(text));
            }
        }
    }

    /// Warns of a `base` element that never counts, if `reference` is its `href`.
    pub(super) fn warn_of_base(&mut self, reference: &Reference) {
        let BaseOf::Fallback(index) = reference.base else { return };
        let Some(scope) = self.document.scopes.get(index) else { return };
        if scope.noscript_base == Some(reference.container) {
            let message =
                "rehref ignores this element in noscript: browsers that run scripts do not see it";
            return self.warn_of_reference(reference, "base", message.to_owned());
        }
        if scope.base != Some(reference.container) {
            return;
        }
        let message = match self.bases.element(index) {
            Some(BaseElement::ForbiddenScheme(scheme)) => {
                format!(
                    "browsers ignore a {scheme}: URL in base, so links resolve against the document's own URL"
                )
            }
            // A base URL that is malformed or unknown has the warning of a skipped reference.
            _ => return,
        };
        self.warn_of_reference(reference, "base", message);
    }

    /// Returns the scope whose base URL `reference` declares, with its index.
    pub(super) fn scope_of_base(&self, reference: &Reference) -> Option<(usize, &'d Scope)> {
        let BaseOf::Fallback(index) = reference.base else { return None };
        let scope = self.document.scopes.get(index)?;
        (scope.base == Some(reference.container)).then_some((index, scope))
    }

    /// Finds the scopes whose base URL is that of a `base` element that stays relative.
    pub(super) fn find_relative_bases(&mut self) {
        if self.own.is_shown_elsewhere() && self.has_base {
            for index in 0..self.document.scopes.len() {
                let is_relative = self.is_relative_base(index);
                self.has_relative_base.push(is_relative);
            }
        }
    }

    /// Returns true if the base URL of the scope `index` is that of a `base` element that stays relative. The scopes
    /// around it are known.
    fn is_relative_base(&self, index: usize) -> bool {
        let Some(scope) = self.document.scopes.get(index) else { return false };
        let is_used = self.bases.element(index) == Some(&BaseElement::Used);
        let goes = matches!(self.bases.change(index), BaseChange::Drop | BaseChange::Set(_));
        let element = scope.base.filter(|_| is_used && !goes).and_then(|base| {
            let mut references = self.document.references.iter();
            references.find(|it| it.container == base)
        });
        let Some((element, container)) =
            element.and_then(|it| Some((it, self.document.container_of(it)?)))
        else {
            let around = scope.parent.and_then(|it| self.has_relative_base.get(it));
            return around == Some(&true);
        };
        let text = self.document.text_of(element);
        let form = match self.decide(element, container) {
            Decision::Change(edit) => ReferenceForm::of(&edit.apply(text)),
            _ => ReferenceForm::of(text),
        };
        matches!(form, ReferenceForm::Path | ReferenceForm::Document)
    }

    /// Returns true if the base URL `after` of `reference`, after the run, differs with the depth at which servers
    /// send the document.
    pub(super) fn follows_depth(&self, reference: &Reference, after: Option<&AbsoluteUrl>) -> bool {
        let scope = match reference.base {
            BaseOf::Scope(at) | BaseOf::Codebase(at, _) => Some(at),
            BaseOf::Fallback(at) => self.document.scopes.get(at).and_then(|it| it.parent),
            BaseOf::Unknown => None,
        };
        let is_relative = || scope.and_then(|at| self.has_relative_base.get(at)) == Some(&true);
        self.own.is_shown_elsewhere() && (after == Some(self.own.after) || is_relative())
    }
}
