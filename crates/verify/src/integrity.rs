//! Compares the digests that documents state with the files and the inline code that they are of.
//!
//! A digest may change if it was right before and is right after. Such digests are set back in AFTER,
//! so that the comparison of bytes sees only the others. And where a digest admitted its content
//! before, one must do so after: else the browser blocks the content now.

use std::sync::Arc;

use super::both::Both;
use super::report::{Difference, DifferenceKind, PlacedDifference};
use rehref_document::container::span_in;
use rehref_document::integrity::{
    Digest, Digests, PolicyChange, admits, digests, policy_digests, strongest,
};
use rehref_document::policy::OriginChange;
use rehref_document::{Document, FetchOption, FetchOptionKind};
use rehref_url::{AbsoluteUrl, Edit, Span, TextEdit};

/// A function that returns the digests of the file at a URL; `None` outside the site.
pub type DigestLookup<'c> = &'c dyn Fn(&AbsoluteUrl) -> Option<Arc<Digests>>;

/// The digests of the files of a site before and after.
#[derive(Clone, Copy)]
pub struct FileDigests<'c> {
    pub before: DigestLookup<'c>,
    pub after: DigestLookup<'c>,
    /// A function that returns true if `integrity` and `crossorigin` of the file at a URL of BEFORE are removed
    /// in AFTER.
    pub are_removed: &'c dyn Fn(&AbsoluteUrl) -> bool,
    /// A function that returns the change of the site's origin in policies, which few documents have; `None` if
    /// it stays.
    pub origin: &'c dyn Fn() -> Option<OriginChange>,
}

impl FileDigests<'_> {
    /// For documents whose site is not known.
    pub(super) const UNKNOWN: FileDigests<'static> = FileDigests {
        before: &|_| None,
        after: &|_| None,
        are_removed: &|_| false,
        origin: &|| None,
    };
}

/// The result of comparing the digests of two documents.
#[derive(Default)]
pub(super) struct IntegrityComparison {
    /// AFTER with the digests of BEFORE in place of those that rightly differ; `None` without such.
    pub(super) restored: Option<Vec<u8>>,
    /// Values that admitted their content before and block it after.
    pub(super) blocking: Vec<PlacedDifference>,
}

/// Compares the digests of two documents, whose own URLs are `own`.
pub(super) fn compare(
    documents: Both<&Document<'_>>,
    own: Both<&AbsoluteUrl>,
    files: FileDigests<'_>,
) -> IntegrityComparison {
    let mut comparison =
        Comparison { documents, edits: Vec::new(), result: IntegrityComparison::default() };
    let options = documents.map(|document| -> Vec<&FetchOption> {
        let options = document.fetch_options.iter();
        options.filter(|option| option.kind == FetchOptionKind::Integrity).collect()
    });
    let is_needed = !(options.before.is_empty() && documents.before.policies.is_empty());
    if is_needed {
        comparison.files(options, own, files);
        comparison.inline_code();
        comparison.origins(files.origin);
        comparison.restore();
    }
    comparison.result
}

/// `document`, whose own URL is `own`, without the attributes that are gone in AFTER; `None` where it
/// has none.
pub(super) fn without_removed(
    document: &Document<'_>,
    own: &AbsoluteUrl,
    files: FileDigests<'_>,
) -> Option<Vec<u8>> {
    if document.fetch_options.is_empty() {
        return None;
    }
    let bases = document.base_urls(own);
    let mut changes = vec![Vec::new(); document.containers.len()];
    let mut outer = Vec::new();
    for option in &document.fetch_options {
        let file = document.file_of(option, &bases);
        let is_removed = file.is_some_and(|file| (files.are_removed)(&file));
        let span = document.attribute_removal(option.container);
        let (Some(span), true) = (span, is_removed) else { continue };
        let container = document.containers.get(option.container);
        match container.and_then(|container| container.parent) {
            None => outer.push(Edit::new(span, *b"")),
            Some(parent) => changes.get_mut(parent)?.push(TextEdit::new(span, "")),
        }
    }
    outer.extend(document.edits(changes));
    outer.sort_by_key(|edit| edit.span);
    (!outer.is_empty()).then(|| document.with_edits(&outer).ok())?
}

struct Comparison<'c, 'd> {
    documents: Both<&'c Document<'d>>,
    /// The edits of the working bytes that restore AFTER.
    edits: Vec<Edit>,
    result: IntegrityComparison,
}

impl Comparison<'_, '_> {
    fn files(
        &mut self,
        options: Both<Vec<&FetchOption>>,
        own: Both<&AbsoluteUrl>,
        files: FileDigests<'_>,
    ) {
        if options.before.len() != options.after.len() {
            return;
        }
        let documents = self.documents;
        let bases = documents.zip(own).map(|(document, own)| document.base_urls(own));
        for (before, after) in options.before.into_iter().zip(options.after) {
            let containers = Both::new(before.container, after.container);
            let url_before = documents.before.file_of(before, &bases.before);
            let url_after = documents.after.file_of(after, &bases.after);
            let found = Both::new(
                url_before.and_then(|url| (files.before)(&url)),
                url_after.and_then(|url| (files.after)(&url)),
            );
            let Some(content) = found.flatten() else { continue };
            let contents = [Both::new(&*content.before, &*content.after)];
            self.accept(containers, digests, &contents, &PolicyChange::default());
            let texts = self.texts(containers);
            if admits(texts.before, &content.before) && !admits(texts.after, &content.after) {
                let right = strongest(texts.after).map(|algorithm| content.after.stated(algorithm));
                let right = right.unwrap_or_default();
                let message = format!(
                    "the digest does not match the file, so browsers block the file; the right digest is {right}"
                );
                self.block(containers, message);
            }
        }
    }

    fn inline_code(&mut self) {
        let documents = self.documents;
        let policies = documents.map(|document| &document.policies);
        let code = documents.map(|document| -> Vec<Digests> {
            let code = document.containers.iter();
            code.filter(|container| container.is_inline_code() && !policies.before.is_empty())
                .map(|container| Digests::of_code(container.text.as_str().as_bytes()))
                .collect()
        });
        if policies.before.len() != policies.after.len() || code.before.len() != code.after.len() {
            return;
        }
        let contents: Vec<Both<&Digests>> = code
            .before
            .iter()
            .zip(&code.after)
            .map(|(before, after)| Both::new(before, after))
            .collect();
        let policies_before = policies.before.iter();
        let given: Vec<Digest<'_>> =
            policies_before.flat_map(|at| policy_digests(documents.before.text_at(*at))).collect();
        let mut change = PolicyChange::new(given.iter());
        for content in &contents {
            change.add(content.before, content.after);
        }
        for (before, after) in policies.before.iter().zip(policies.after) {
            let containers = Both::new(*before, *after);
            self.accept(containers, policy_digests, &contents, &change);
            let texts = self.texts(containers);
            let given = texts.map(policy_digests);
            let lists = |given: &[Digest<'_>], content: &Digests| {
                given.iter().any(|digest| digest.is_of(content))
            };
            let is_blocked = |content: &Both<&Digests>| {
                lists(&given.before, content.before) && !lists(&given.after, content.after)
            };
            if contents.iter().any(is_blocked) {
                let message = "the policy does not list the new digest of inline code, so browsers block the code";
                self.block(containers, message.to_owned());
            }
        }
    }

    /// Restores the site's origin in policies.
    fn origins(&mut self, change: &dyn Fn() -> Option<OriginChange>) {
        let documents = self.documents;
        let [before, after] = [&documents.before.policies, &documents.after.policies];
        if before.is_empty() {
            return;
        }
        let Some(change) = change() else { return };
        for (before, after) in before.iter().zip(after) {
            let containers = Both::new(*before, *after);
            let texts = self.texts(containers);
            for (old, new) in change.replaced(texts.before, texts.after) {
                self.edits.push(self.restored(containers, Both::new(old, new)));
            }
        }
    }

    /// The edit that restores the spelling of BEFORE, which may have character references.
    fn restored(&self, containers: Both<usize>, spans: Both<Span>) -> Edit {
        let spans = self
            .documents
            .zip(containers.zip(spans))
            .map(|(document, (at, span))| span_in(&document.containers, at, span));
        let spelled = spans.before.of(self.documents.before.working_bytes());
        Edit::new(spans.after, spelled)
    }

    /// Restores the digests in a value that are right on both sides, of one of `contents`, or that take
    /// the place of one by `change`.
    fn accept(
        &mut self,
        containers: Both<usize>,
        parse: fn(&str) -> Vec<Digest<'_>>,
        contents: &[Both<&Digests>],
        change: &PolicyChange,
    ) {
        let documents = self.documents;
        let texts = documents.zip(containers).map(|(document, at)| document.text_at(at));
        let given = texts.map(parse);
        let mut rest = given.after.as_slice();
        let mut edits = Vec::new();
        for before in &given.before {
            let Some((after, others)) = rest.split_first() else { return };
            rest = others;
            let is_right = |content: &Both<&Digests>| {
                before.is_of(content.before) && after.is_of(content.after)
            };
            let listed = texts.after.get(after.span.start..).unwrap_or_default();
            let end = match change.replacement(before) {
                Some(replacement) if listed.starts_with(&replacement) => {
                    after.span.start + replacement.len()
                }
                _ if before.value == after.value
                    || before.algorithm != after.algorithm
                    || !contents.iter().any(is_right) =>
                {
                    continue;
                }
                _ => after.span.end,
            };
            let further = rest.partition_point(|digest| digest.span.start < end);
            rest = rest.get(further..).unwrap_or_default();
            let spans = Both::new(before.span, Span::from(after.span.start..end));
            edits.push(self.restored(containers, spans));
        }
        if rest.is_empty() {
            self.edits.extend(edits);
        }
    }

    fn restore(&mut self) {
        if !self.edits.is_empty() {
            self.edits.sort_by_key(|edit| edit.span);
            self.result.restored = self.documents.after.with_edits(&self.edits).ok();
        }
    }

    fn texts(&self, containers: Both<usize>) -> Both<&str> {
        let values = self.documents.zip(containers);
        values.map(|(document, at)| document.text_at(at))
    }

    fn block(&mut self, containers: Both<usize>, message: String) {
        let at = self.documents.zip(containers).map(|(document, at)| Some(document.start_of(at)));
        let text = self.texts(containers).map(str::to_owned);
        let difference = Difference::of_file(DifferenceKind::Integrity, message)
            .between(text.before, text.after);
        self.result.blocking.push(PlacedDifference::new(at, difference));
    }
}
