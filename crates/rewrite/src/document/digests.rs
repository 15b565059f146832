//! Updates the digests that a document states: of files that change in the run (Subresource
//! Integrity), and of inline code that changes (Content Security Policy). A digest that is wrong
//! already stays: it blocks the content, and must not start to admit it. Policies also follow
//! a change of the site's origin.

use super::{DigestLookup, Rewriter};
use crate::SiteMapping;
use rehref_document::FetchOptionKind;
use rehref_document::container::span_in;
use rehref_document::integrity::{Digests, PolicyChange, digests, policy_digests};
use rehref_document::policy::{OriginChange, PolicySource};
use rehref_site::Location;
use rehref_url::{Edit, TextEdit, splice};

impl Rewriter<'_> {
    /// Updates all digests of the document, once the changes of its references are known.
    pub(super) fn update_digests(&mut self, change_of: DigestLookup<'_>) {
        // The parts of a message are not files of the site, and some are signed.
        if self.document.parts.is_empty() {
            match self.policy.mapping() {
                Some(mapping) if mapping.pretty.offline => self.remove_fetch_options(mapping),
                _ => self.update_integrity(change_of),
            }
            self.update_policies();
            self.update_origins();
        }
    }

    /// Replaces the site's origin in policies, and warns of sources that name its host in another way.
    fn update_origins(&mut self) {
        let document = self.document;
        let change = self.policy.mapping().filter(|_| !document.policies.is_empty());
        let change = change.and_then(|it| it.before.origin_change(&it.after, it.pretty.offline));
        let Some(change) = change else { return };
        for &at in &document.policies {
            let text = document.text_at(at);
            self.update(at, change.edits(text));
            for source in change.others(text) {
                let place = span_in(&document.containers, at, source.span);
                let position = Some(self.positions.of(place.start));
                let location = Location::of_container(&document.containers, at, position);
                let PolicySource { directive, text, .. } = source;
                let OriginChange { before, after } = &change;
                self.warn(
                    "policy-source",
                    location,
                    format!("{directive} names the host of the site as {text}; {before} becomes {after}, update the policy"),
                );
            }
        }
    }

    /// Removes `integrity` and `crossorigin` of files on disk: browsers block both on `file:` pages.
    fn remove_fetch_options(&mut self, mapping: &SiteMapping) {
        let document = self.document;
        for option in &document.fetch_options {
            let file = self.bases.file_of(document, option);
            let is_on_disk = file.is_some_and(|file| mapping.is_file_offline(&file));
            let removal = document.attribute_removal(option.container);
            let Some(span) = removal.filter(|_| is_on_disk) else { continue };
            let container = document.containers.get(option.container);
            match container.and_then(|container| container.parent) {
                None => self.edits.push(Edit::new(span, *b"")),
                Some(parent) => self.change(parent, TextEdit::new(span, "")),
            }
            self.result.fetch_options_removed += 1;
        }
    }

    fn update_integrity(&mut self, change_of: DigestLookup<'_>) {
        let document = self.document;
        for option in &document.fetch_options {
            let given = digests(document.text_at(option.container));
            if option.kind != FetchOptionKind::Integrity || given.is_empty() {
                continue;
            }
            let file = self.bases.file_of(document, option);
            if let Some(change) = file.and_then(|file| change_of(&file)) {
                self.update(option.container, change.edits(&given));
            }
        }
    }

    fn update_policies(&mut self) {
        let document = self.document;
        let policies = document.policies.iter();
        let policies = policies.map(|&at| (at, policy_digests(document.text_at(at))));
        let policies: Vec<_> = policies.filter(|(_, given)| !given.is_empty()).collect();
        if policies.is_empty() || self.changes.iter().all(Vec::is_empty) {
            return;
        }
        let mut change = PolicyChange::new(policies.iter().flat_map(|(_, given)| given));
        let changes = self.changes.clone();
        document.visit_changes(changes, |container, changes| {
            if container.is_inline_code() {
                let text = container.text.as_str().as_bytes();
                let before = Digests::of_code(text);
                match changes {
                    [] => change.add(&before, &before),
                    _ => change.add(&before, &Digests::of_code(&splice(text, changes))),
                }
            }
        });
        for (container, given) in policies {
            for digest in given {
                if let Some(replacement) = change.replacement(&digest) {
                    self.update(container, vec![TextEdit::new(digest.span, replacement)]);
                }
            }
        }
    }

    fn update(&mut self, container: usize, edits: Vec<TextEdit>) {
        self.result.digests += usize::from(!edits.is_empty());
        for edit in edits {
            self.change(container, edit);
        }
    }
}
