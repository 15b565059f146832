//! The rows of a document for the audit by joins: which targets and anchors its links need, without the index of the
//! site.

use std::borrow::Cow;

use memchr::memmem;

use super::auditor::DocumentAuditor;
use super::parse;
use crate::checks::Check;
use crate::context::AuditContext;
use crate::fragment_shapes::FragmentShapes;
use crate::message_parts::PartIndex;
use crate::site_index::{ResolvedReference, location_of};
use crate::tables::{DocumentRows, LinkRow};
use crate::target_place::{TargetPlace, without_fragment};
use rehref_corpus::{Role, SourceDocument};
use rehref_document::DocumentError;
use rehref_document::metadata::fragment::candidates;
use rehref_document::placeholders;
use rehref_document::reference::Class;
use rehref_site::Response;
use rehref_url::{Components, Standard};

impl AuditContext<'_> {
    /// Returns the rows of a document.
    pub(crate) fn rows(&self, source: &SourceDocument<'_>) -> Result<DocumentRows, DocumentError> {
        let (document, metadata) = parse(source, false)?;
        let own = source.fallback_base;
        let bases = document.base_urls(own);
        let parts = PartIndex::of(&document, &bases);
        let mut auditor = DocumentAuditor::new(self, source, &document, &metadata, None);
        let mut rows = DocumentRows::default();
        let mut forwards_to = None;
        for reference in &document.references {
            let resolved = self.site.resolve(&document, &bases, &parts, own, reference);
            if forwards_to.is_none() && auditor.is_immediate_refresh(&resolved) {
                forwards_to = target_of(&resolved).map(|target| target.0.to_owned());
            }
            rows.links.extend(auditor.row(resolved));
        }
        if source.role == Role::Content && auditor.has_anchors() {
            rows.anchors = Some(metadata.anchors.iter().map(str::to_owned).collect());
            rows.shapes = auditor.shapes_of_document().bits();
            let bytes = document.working_bytes();
            rows.forwards_to =
                forwards_to.filter(|_| memmem::find(bytes, b"location.hash").is_some());
        }
        Ok(rows)
    }
}

/// The target without its fragment, and the fragment.
fn target_of<'r>(resolved: &'r ResolvedReference<'_>) -> Option<(&'r str, Option<&'r str>)> {
    let target = resolved.url()?;
    Some(without_fragment(target.as_str())).filter(|_| target.is_hierarchical())
}

/// The facts of other documents that a reference needs.
#[derive(Default)]
struct Needs {
    target: bool,
    /// The fragment that needs an anchor.
    fragment: Option<String>,
}

impl DocumentAuditor<'_> {
    /// The row of a reference; `None` if it needs nothing, and nothing is wrong with it.
    fn row(&mut self, mut resolved: ResolvedReference<'_>) -> Option<LinkRow> {
        let needs = self.needs(&mut resolved);
        let findings = std::mem::take(&mut self.out.findings);
        let mut checks = findings.into_iter().map(|finding| finding.check);
        let finding = checks.find(|it| matches!(it, Check::BrokenTarget | Check::BrokenFragment));
        if finding.is_none() && !needs.target && needs.fragment.is_none() {
            return None;
        }
        let location = location_of(self.document, resolved.reference, &mut self.positions);
        let (line, column) = location.position.map_or((0, 0), |at| (at.line, at.column));
        let target = resolved.url();
        let fragment = needs.fragment.as_deref();
        let target_url = target_of(&resolved).map(|(url, _)| url.to_owned());
        let target_url = target_url.filter(|_| finding.is_none());
        let host = |url: &String| {
            let host = Components::split(Standard::Whatwg, url).host_and_port();
            host.map(str::to_owned)
        };
        Some(LinkRow {
            element: location.element.into_owned(),
            attribute: location.attribute.into_owned(),
            reference: resolved.text.to_owned(),
            line,
            column,
            target: target.map(|target| target.as_str().to_owned()),
            finding,
            target_host: target_url.as_ref().and_then(host),
            target_url,
            reports_target: needs.target
                && !self.is_ignored(resolved.reference, Check::BrokenTarget),
            anchors: fragment
                .map(|it| candidates(it).map(Cow::into_owned).collect())
                .unwrap_or_default(),
            shapes: fragment.map(FragmentShapes::of_fragment).unwrap_or_default().bits(),
        })
    }

    /// The need of the reference, as [`Self::reference`] decides it. Findings that need no other document are in
    /// `self.out`.
    fn needs(&mut self, resolved: &mut ResolvedReference<'_>) -> Needs {
        let reference = resolved.reference;
        let mut needs = Needs::default();
        if reference.rel.is_hint() {
            return needs;
        }
        match reference.class {
            Class::TemplateMarkup | Class::RelativeOnly | Class::Empty => return needs,
            Class::Ordinary | Class::SameDocument if self.is_map(resolved) => {
                self.map(resolved);
                return needs;
            }
            Class::SameDocument => {
                self.same_document(resolved);
                return needs;
            }
            Class::Ordinary => {}
        }
        if matches!(resolved.place, TargetPlace::Part { .. }) {
            if !self.check_url(resolved) && self.is_link(reference) {
                self.check_target(resolved);
            }
            return needs;
        }
        let Some((url, fragment)) = target_of(resolved) else { return needs };
        let (url, fragment) = (url.to_owned(), fragment.map(str::to_owned));
        if reference.constraints.placeholders {
            needs.target = !placeholders::is_in_path(resolved.text);
            return needs;
        }
        if !self.is_link(reference) {
            return needs;
        }
        // Browsers may read a URL differently than its author meant it, which depends on whether the target exists.
        let mut is_misread = |auditor: &mut Self, response| {
            resolved.place = TargetPlace::Internal {
                path: url.clone(),
                response,
                is_loop: false,
                fragment: fragment.clone(),
            };
            auditor.check_url(resolved)
        };
        needs.target = !is_misread(self, None);
        let is_read = !is_misread(self, Some(Response::Redirect));
        let fragment = fragment.filter(|it| is_read && self.needs_anchor(resolved, it));
        let Some(fragment) = fragment else { return needs };
        let is_own = self.source.role == Role::Content && self.source.index_key == url;
        if is_own {
            self.check_own_fragment(resolved, &fragment);
            return Needs::default();
        }
        let is_ignored = self.is_ignored(reference, Check::BrokenFragment);
        needs.fragment = Some(fragment).filter(|_| !is_ignored);
        needs
    }
}
