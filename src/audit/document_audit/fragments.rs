//! Fragments: the places in documents that references name, looked for in the first pass where the
//! target is known already, located in the second where they lead nowhere.

use memchr::memmem;

use super::simple::is_hint;
use super::{BrokenFragment, DocumentAuditor, FragmentMode, LocatedFragments};
use crate::audit::anchors::{FragmentStatus, PendingFragment};
use crate::audit::checks::Check;
use crate::audit::files::FileNumber;
use crate::audit::fragments::{self, FragmentShapes, TargetKind};
use crate::audit::resolved::{Place, Resolved};
use crate::audit::suggest::nearest_name;
use crate::audit::targets::Confidence;
use crate::document::DocumentKind;
use crate::document::container::ContainerKind;
use crate::document::metadata::Anchors;
use crate::document::metadata::fragment::is_top;
use crate::document::reference::{BaseOf, Class};

impl<'e> DocumentAuditor<'e> {
    /// A fragment that means this document whatever its base URL is.
    pub(super) fn same_document(&mut self, resolved: &Resolved<'_>) {
        let container = self.document.container_of(resolved.reference);
        let Some(container) = container else { return };
        // A style sheet is used by others; `usemap` names a map, not an anchor.
        let names_an_anchor = match &container.kind {
            ContainerKind::Attribute { name, .. } => name != "usemap",
            ContainerKind::Xml { .. } => true,
            ContainerKind::Piece => self.kind != DocumentKind::Css,
            _ => false,
        };
        let text = resolved.text.trim_matches(|c: char| c <= ' ');
        let Some(fragment) = text.strip_prefix('#') else {
            return;
        };
        // The behaviours that old browsers have built in: `behavior: url(#default#VML)`.
        let is_built_in = container.kind == ContainerKind::Piece
            && fragment.to_ascii_lowercase().starts_with("default#");
        if names_an_anchor && !is_built_in && self.is_own(resolved) {
            self.own_fragment(resolved, fragment);
        }
    }

    /// Whether the reference stands in the document itself, not in one within it.
    pub(super) fn is_own(&self, resolved: &Resolved<'_>) -> bool {
        match resolved.reference.base {
            BaseOf::Scope(scope) | BaseOf::Fallback(scope) | BaseOf::Codebase(scope, _) => {
                scope == 0 || self.part_of_scope(scope).is_some()
            }
            BaseOf::Unknown => true,
        }
    }

    /// The number of the part of a message whose document has that scope.
    fn part_of_scope(&self, scope: usize) -> Option<usize> {
        let mut parts = self.document.parts.iter();
        parts.position(|part| part.document == Some(scope))
    }

    /// The anchors that a fragment alone means where the reference stands.
    fn anchors_around(&self, resolved: &Resolved<'_>) -> &'e Anchors {
        let part = match &resolved.reference.base {
            BaseOf::Scope(scope) | BaseOf::Fallback(scope) | BaseOf::Codebase(scope, _) => {
                self.part_of_scope(*scope)
            }
            BaseOf::Unknown => None,
        };
        let is_alone = resolved.text.trim_ascii_start().starts_with('#');
        let anchors = part.filter(|_| is_alone);
        let metadata = self.metadata;
        let anchors = anchors.and_then(|part| metadata.parts.get(part));
        anchors.unwrap_or(&metadata.anchors)
    }

    /// A reference to a part of the same message.
    pub(super) fn part(
        &mut self,
        resolved: &Resolved<'_>,
        part: Option<usize>,
        fragment: Option<&str>,
    ) {
        let Some(number) = part else {
            let message = "no part of this message has that Content-ID".to_owned();
            return self.report(resolved, Check::BrokenTarget, None, message, None);
        };
        let part = self.document.parts.get(number);
        let kind = part.and_then(|part| part.media_type.document_kind());
        let has_anchors = matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml));
        let metadata = self.metadata;
        let (Some(fragment), Some(anchors)) = (fragment, metadata.parts.get(number)) else {
            return;
        };
        if !has_anchors
            || self.context.fragments == FragmentMode::Off
            || anchors.indicates(fragment)
        {
            return;
        }
        self.missing_fragment(
            resolved,
            fragment,
            anchors,
            "no element with this id in that part of the message",
        );
    }

    pub(super) fn fragment(&mut self, resolved: &Resolved<'_>) {
        let Some((number, fragment)) = self.wanted(resolved) else {
            return;
        };
        match number == self.source.number {
            true => self.own_fragment(resolved, fragment),
            false => {
                let document = self.document;
                let at = || document.span_of(resolved.reference).start;
                self.fragment_of(number, fragment, at);
            }
        }
    }

    /// A fragment of another document; the reference stands `at` this byte.
    pub(super) fn fragment_of(
        &mut self,
        number: FileNumber,
        fragment: &str,
        at: impl FnOnce() -> usize,
    ) {
        let anchors = &self.context.anchors;
        let quick = PendingFragment::new(number, fragment, FragmentShapes::NONE);
        match anchors.find(&quick) {
            FragmentStatus::Anchor => return,
            FragmentStatus::Unknown
            | FragmentStatus::Redirected
            | FragmentStatus::Scripted(_)
            | FragmentStatus::Missing => {}
        }
        // The second pass sees that nobody wants to hear of it.
        let shapes = match self.metadata.ignores(at(), Check::ScriptFragment.id()) {
            true => FragmentShapes::NONE,
            false => self.shapes(fragment),
        };
        let wanted = quick.with_shapes(shapes);
        match anchors.find(&wanted) {
            FragmentStatus::Anchor => {}
            FragmentStatus::Redirected => self.scripted(FragmentShapes::REDIRECT),
            FragmentStatus::Scripted(rows) => self.scripted(rows),
            FragmentStatus::Missing => self.out.has_broken_fragments = true,
            FragmentStatus::Unknown => self.out.pending.push(wanted),
        }
    }

    /// Where the document sends its readers on at once, with the fragment that they came with: a
    /// refresh alone loses it.
    pub(super) fn takes_fragments_to(&self) -> Option<FileNumber> {
        if self.context.fragments == FragmentMode::Strict {
            return None;
        }
        let (number, _) = self.out.redirects_to.as_ref()?;
        let bytes = self.document.working_bytes();
        memmem::find(bytes, b"location.hash").map(|_| *number)
    }

    pub(super) fn scripted(&mut self, rows: FragmentShapes) {
        *self.out.scripted.entry(rows).or_default() += 1;
    }

    pub(super) fn shapes(&self, fragment: &str) -> FragmentShapes {
        match self.context.fragments {
            FragmentMode::Known => FragmentShapes::of_fragment(fragment),
            FragmentMode::Strict | FragmentMode::Off => FragmentShapes::NONE,
        }
    }

    /// The file and the fragment that have to be there, where that is to be looked at.
    pub(super) fn wanted<'r>(&self, resolved: &'r Resolved<'_>) -> Option<(FileNumber, &'r str)> {
        if self.context.fragments == FragmentMode::Off || self.is_data(resolved.reference) {
            return None;
        }
        let Place::Inside {
            served: Some(served),
            fragment: Some(fragment),
            ..
        } = &resolved.place
        else {
            return None;
        };
        let number = self.context.files.number(served.file()?)?;
        let is_within = resolved.text.trim_ascii_start().starts_with('#');
        // In a `srcdoc` document `#x` is a place in that.
        if is_within && !self.is_own(resolved) || is_top(fragment) {
            return None;
        }
        Some((number, fragment))
    }

    /// A fragment of the document itself, whose anchors are known.
    pub(super) fn own_fragment(&mut self, resolved: &Resolved<'_>, fragment: &str) {
        if self.context.fragments == FragmentMode::Off || !self.has_anchors() {
            return;
        }
        let anchors = self.anchors_around(resolved);
        if anchors.indicates(fragment) {
            return;
        }
        self.missing_fragment(
            resolved,
            fragment,
            anchors,
            "no element with this id in this document",
        );
    }

    /// A fragment that none of `anchors` has.
    fn missing_fragment(
        &mut self,
        resolved: &Resolved<'_>,
        fragment: &str,
        anchors: &Anchors,
        message: &str,
    ) {
        let rows = self.rows(self.kind);
        if let Some(row) = rows.first_of_both(self.shapes(fragment)) {
            match self.is_ignored(resolved.reference, Check::ScriptFragment) {
                true => self.out.ignored += 1,
                false => self.scripted(row),
            }
            return;
        }
        let message = message.to_owned();
        let nearest = nearest_name(anchors.iter(), fragment);
        let suggestion = nearest.and_then(|name| fragments::replaced(resolved.text, &name));
        let suggestion = suggestion.map(|with| (with, Confidence::Guess));
        self.report(resolved, Check::BrokenFragment, None, message, suggestion);
    }

    /// Whether fragments mean something in documents like this one.
    pub(super) fn has_anchors(&self) -> bool {
        TargetKind::of(self.kind, self.source.key) != TargetKind::Other
    }

    /// The rows of the table of fragments that can hold for this document.
    pub(super) fn rows(&self, kind: DocumentKind) -> FragmentShapes {
        let generators = self.metadata.generators.iter().map(String::as_str);
        FragmentShapes::of_target(TargetKind::of(kind, self.source.key), generators)
    }

    /// The second pass over a reference: only fragments of other documents.
    pub(super) fn locate(&mut self, resolved: &Resolved<'_>, located: &mut LocatedFragments) {
        let is_skipped = is_hint(resolved.reference.rel)
            || resolved.reference.class != Class::Ordinary
            || self.is_no_link(resolved.reference);
        let Some((number, fragment)) = self.wanted(resolved).filter(|_| !is_skipped) else {
            return;
        };
        // Nor was it looked for the first time. What is found here was told then.
        if self.by_itself(resolved) {
            return;
        }
        let row = if number == self.source.number {
            let is_there = self.metadata.anchors.indicates(fragment);
            match self
                .rows(self.kind)
                .first_of_both(self.shapes(fragment))
                .filter(|_| !is_there)
            {
                Some(rows) => rows,
                None => return,
            }
        } else {
            let wanted = PendingFragment::new(number, fragment, self.shapes(fragment));
            match self.context.anchors.find(&wanted) {
                FragmentStatus::Anchor | FragmentStatus::Unknown => return,
                FragmentStatus::Redirected => FragmentShapes::REDIRECT,
                FragmentStatus::Scripted(rows) => rows,
                FragmentStatus::Missing => {
                    let message = "no element with this id in the target".to_owned();
                    let found = self.finding(resolved, Check::BrokenFragment, None, message, None);
                    if let Some((finding, _)) = found {
                        located.broken.push(BrokenFragment {
                            file: number,
                            fragment: fragment.to_owned(),
                            finding,
                        });
                    } else {
                        located.ignored += 1;
                    }
                    return;
                }
            }
        };
        if self.is_ignored(resolved.reference, Check::ScriptFragment) {
            // Those of the document itself were counted the first time.
            located.ignored += usize::from(number != self.source.number);
        } else if !located.scripted.contains_key(&row)
            && let Some((finding, _)) =
                self.finding(resolved, Check::ScriptFragment, None, String::new(), None)
        {
            located.scripted.insert(row, finding);
        }
    }
}
