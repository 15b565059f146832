//! Rewrites one document: decides on every reference and turns the changes into edits. [`base_elements`]
//! changes its `base` elements, [`digests`] updates the digests that it states, [`expressible`] finds
//! changes that cannot be written, [`read_back`] reads changed Markdown again,
//! [`shown_elsewhere`] reports on documents that visitors see at other URLs.

mod base_elements;
mod digests;
mod expressible;
mod read_back;
mod shown_elsewhere;

use std::borrow::Cow;
use std::sync::Arc;

use encoding_rs::UTF_8;

use super::bases::{Bases, DocumentUrls, Unwritten};
use super::decision::Decision;
use super::fast_path::FastPath;
use super::late_base::LateBases;
use super::link_selector;
use super::policy::{BaseChange, Policy, Subject, segments_above_root};
use super::reference_counts::ReferenceCounts;
use expressible::fit;
use rehref_document::container::{Container, ContainerKind, span_in};
use rehref_document::html::Usage;
use rehref_document::integrity::DigestChange;
use rehref_document::message::part;
use rehref_document::redirects::RedirectSyntax;
use rehref_document::reference::{BaseOf, Class};
use rehref_document::{
    Document, DocumentError, DocumentKind, ParseOptions, Positions, Reference, Rel, ScriptTraits,
    SkipReason, UnreadableContainer,
};
use rehref_site::{Diagnostic, Location, Severity};
use rehref_url::traversal::{ParentTraversal, depth};
use rehref_url::{AbsoluteUrl, Edit, ReferenceForm, Span, Spliced, TextEdit};

/// The code of the note about a `base` element that stays because of scripts.
pub const KEPT_BASE: &str = "base-kept";

/// The codes of the notes about links that stay as written because of scripts: links from the root of the host
/// in a page whose script changes the URL, and references that a script compares.
pub const KEPT_ROOT: &str = "root-kept";
pub const KEPT_SOURCE: &str = "source-kept";
const MISALIGNED: &str = "misaligned";

/// The result of rewriting a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// The edits that turn the source, or `transcoded`, into the new document, in order. Empty if nothing
    /// changed.
    pub edits: Vec<Edit>,
    /// The new bytes of a document that is not simply its source with the edits applied.
    whole: Option<Vec<u8>>,
    /// The working bytes of a document in UTF-16 or ISO-2022-JP: its text in UTF-8.
    pub transcoded: Option<Vec<u8>>,
    /// The numbers of references, by what happened to them.
    pub references: ReferenceCounts,
    /// The number of values with recomputed digests.
    pub digests: usize,
    /// The number of attributes `integrity` and `crossorigin` that were removed.
    pub fetch_options_removed: usize,
    /// True if a script in the document selects or compares links by their text, and links changed.
    pub selects_links: bool,
    /// Warnings, in document order; their locations have no path.
    pub diagnostics: Vec<Diagnostic>,
}

impl Rewritten {
    /// Returns the new bytes of the document with the old bytes `source`; `None` if nothing changed.
    pub fn contents<'r>(&'r self, source: &'r [u8]) -> Option<Spliced<'r>> {
        match &self.whole {
            Some(whole) => Some(Spliced::from(whole.as_slice())),
            None => (!self.edits.is_empty()).then(|| Spliced::new(source, &self.edits)),
        }
    }

    /// As [`Rewritten::contents`], as one vector.
    pub fn into_bytes(self, source: &[u8]) -> Option<Vec<u8>> {
        match self.whole {
            Some(whole) => Some(whole),
            None => self.contents(source).map(Spliced::to_vec),
        }
    }
}

/// Rewrites the references of the document `bytes` by `policy`.
///
/// # Errors
/// Returns an error if the document cannot be parsed, or the result cannot be written in its encoding. The caller
/// should skip such a document.
pub fn rewrite_document(
    bytes: &[u8],
    own: DocumentUrls<'_>,
    policy: &Policy,
    options: &ParseOptions,
) -> Result<Rewritten, DocumentError> {
    rewrite_document_of_site(bytes, own, policy, options, &|_| None)
}

/// Finds how the digests of the file at a URL change in the run; `None` if the file does not change.
pub(super) type DigestLookup<'l> = &'l dyn Fn(&AbsoluteUrl) -> Option<Arc<DigestChange>>;

/// As [`rewrite_document`], and also updates digests of files that change.
pub fn rewrite_document_of_site(
    bytes: &[u8],
    own: DocumentUrls<'_>,
    policy: &Policy,
    options: &ParseOptions,
    change_of: DigestLookup<'_>,
) -> Result<Rewritten, DocumentError> {
    let fast = FastPath::of(own, policy, options);
    rewrite(bytes, own, policy, options, fast, change_of)
}

/// As [`rewrite_document`], for a document that was parsed with these `options`.
///
/// # Errors
/// Returns the errors of [`rewrite_document`].
pub fn rewrite_parsed(
    document: &Document<'_>,
    own: DocumentUrls<'_>,
    policy: &Policy,
    options: &ParseOptions,
) -> Result<Rewritten, DocumentError> {
    finish(document, own, policy, options, Started::default(), &|_| None)
}

/// Returns the results with and without the fast path, which should be equal.
pub fn in_both_ways(
    bytes: &[u8],
    own: DocumentUrls<'_>,
    policy: &Policy,
    options: &ParseOptions,
) -> [Result<Rewritten, DocumentError>; 2] {
    let fast = FastPath::of(own, policy, options);
    [fast, None].map(|fast| rewrite(bytes, own, policy, options, fast, &|_| None))
}

/// Rewrites as [`rewrite_document`] does; with `fast`, simple references take the fast path.
pub(super) fn rewrite(
    bytes: &[u8],
    own: DocumentUrls<'_>,
    policy: &Policy,
    options: &ParseOptions,
    fast: Option<FastPath<'_>>,
    change_of: DigestLookup<'_>,
) -> Result<Rewritten, DocumentError> {
    let is_markdown = matches!(options.kind, DocumentKind::Markdown(_));
    let fast = fast.filter(|fast| {
        let may_differ = is_markdown && matches!(fast, FastPath::Absolute(_));
        !(options.no_url || may_differ)
    });
    let options = ParseOptions { simple: fast.is_some(), ..*options };
    let mut document = Document::parse(bytes, &options)?.at_page(own.page);
    let mut started = Started::default();
    if let Some(fast) = fast {
        started.edits = fast.edits(&mut document, &mut started.result.references);
    }
    finish(&document, own, policy, &options, started, change_of)
}

/// The edits of the simple references, and the result with their counts.
#[derive(Default)]
struct Started {
    edits: Vec<Edit>,
    result: Rewritten,
}

/// Rewrites all references but the simple ones.
fn finish(
    document: &Document<'_>,
    own: DocumentUrls<'_>,
    policy: &Policy,
    options: &ParseOptions,
    started: Started,
    change_of: DigestLookup<'_>,
) -> Result<Rewritten, DocumentError> {
    let Started { edits: simple, result } = started;
    let mut unwritten = Unwritten::default();
    let mut rewriter = loop {
        let mut rewriter = Rewriter::new(document, own, policy, &unwritten, result.clone());
        rewriter.kind = options.kind;
        rewriter.containers(&unwritten);
        let mut found = std::mem::take(&mut rewriter.unwritten);
        let is_again = !unwritten.containers.is_empty();
        found.containers = read_back::unread(document, own, options, &rewriter.changes, is_again);
        // Again if links were written for base URLs that the document cannot have, or would not be read.
        if !unwritten.extend(found) {
            break rewriter;
        }
    };
    rewriter.insert_base();
    rewriter.warn_of_imports();
    rewriter.update_digests(change_of);
    rewriter.drop_warnings_of_macros();
    rewriter.warn_of_depth();
    rewriter.note_kept_for_scripts();
    let selectors = link_selector::warnings(policy, document, |at| rewriter.positions.of(at));
    rewriter.result.diagnostics.extend(selectors);
    for unreadable in &document.unreadable {
        rewriter.warn_of_unreadable(unreadable);
    }
    let changes = std::mem::take(&mut rewriter.changes);
    let mut made = document.edits(changes);
    let lengths = part::length_edits(&document.parts, &made);
    for more in [std::mem::take(&mut rewriter.edits), simple, lengths] {
        if !more.is_empty() {
            made.extend(more);
            made.sort_by_key(|edit| edit.span);
        }
    }
    rewriter.warn_of_digests(&made);
    rewriter.warn_of_columns(&made);
    let mut result = rewriter.result;
    result.edits = made;
    if !result.edits.is_empty() {
        document.check_charset(&result.edits, options)?;
        if !document.is_plain() {
            result.whole = Some(document.with_edits(&result.edits)?);
            result.transcoded = document.transcoded().map(<[u8]>::to_vec);
        }
    }
    Ok(result)
}

struct Rewriter<'d> {
    document: &'d Document<'d>,
    policy: &'d Policy,
    own: DocumentUrls<'d>,
    bases: Bases<'d>,
    late_bases: LateBases,
    kind: DocumentKind,
    /// Whether a scope has a base URL of its own.
    has_base: bool,
    /// Whether the `base` element that gives the base URL of each scope stays relative to the document's own URL; only
    /// where servers send the document for URLs at any depth.
    has_relative_base: Vec<bool>,
    /// Whether a part of the message is signed: asked once, not for each reference.
    has_signed_part: bool,
    positions: Positions<'d>,
    /// The changes to each container, by its index; their spans are in the container's text.
    changes: Vec<Vec<TextEdit>>,
    /// Changes outside of containers; their spans are in the working bytes.
    edits: Vec<Edit>,
    unwritten: Unwritten,
    result: Rewritten,
}

impl<'d> Rewriter<'d> {
    /// Starts with `result`. The `base` elements of the scopes `unwritten` cannot change as the policy says.
    fn new(
        document: &'d Document<'d>,
        own: DocumentUrls<'d>,
        policy: &'d Policy,
        unwritten: &Unwritten,
        result: Rewritten,
    ) -> Rewriter<'d> {
        let bases = Bases::of(document, own, policy, unwritten);
        let mut rewriter = Rewriter {
            late_bases: LateBases::of(document, &bases),
            has_relative_base: Vec::new(),
            kind: DocumentKind::Html,
            has_base: document.scopes.iter().any(|it| it.base.is_some()),
            has_signed_part: document.parts.iter().any(|part| part.is_signed),
            bases,
            document,
            policy,
            own,
            positions: Positions::new(document.working_bytes()),
            changes: vec![Vec::new(); document.containers.len()],
            edits: Vec::new(),
            unwritten: Unwritten::default(),
            result,
        };
        rewriter.find_relative_bases();
        rewriter
    }

    /// Decides on all references.
    fn containers(&mut self, unwritten: &Unwritten) {
        let document = self.document;
        // The references of a container follow each other, since containers do not overlap.
        let same_container = |one: &Reference, other: &Reference| one.container == other.container;
        for references in document.references.chunk_by(same_container) {
            self.container(references, unwritten);
        }
    }

    /// Decides on the references of one container.
    fn container(&mut self, references: &[Reference], unwritten: &Unwritten) {
        let Some((first, container)) =
            references.first().and_then(|first| Some((first, self.document.container_of(first)?)))
        else {
            return;
        };
        if let [reference] = references
            && self.base_element(reference)
        {
            if let Policy::Site(_) = self.policy {
                self.count_above(reference);
            }
            return;
        }
        let mut decisions: Vec<Decision> =
            references.iter().map(|reference| self.decide(reference, container)).collect();
        let templates = self.document.templates;
        let is_unread = unwritten.containers.contains(&first.container);
        // A fix is a text that somebody else chose.
        let may_be_dotted = !matches!(self.policy, Policy::Fix(_));
        let unfit = fit(container, references, &mut decisions, templates, may_be_dotted);
        let has_all_unfit = is_unread
            || !self.is_in_encoding(first.container, &decisions)
            || self.ends_comment(references, &decisions);
        for (at, (reference, decision)) in references.iter().zip(&mut decisions).enumerate() {
            if let Decision::Change(edit) = decision
                && (has_all_unfit || unfit.contains(&at))
            {
                let changed = edit.apply(self.document.text_of(reference));
                let message = if is_unread {
                    format!(
                        "written as {changed}, this link would have another meaning here; choose another name for the file"
                    )
                } else {
                    format!("{changed} cannot be written in this place")
                };
                *decision = Decision::reported(SkipReason::Inexpressible, message);
                let own = self.scope_of_base(reference).map(|(at, _)| at);
                let changed = self.changed_bases_of(reference);
                self.unwritten.unchanged.extend(own);
                self.unwritten.kept.extend(changed);
            }
        }
        self.result.references.seen += references.len();
        for (reference, decision) in references.iter().zip(decisions) {
            self.warn_of_base(reference);
            self.warn_of_late_base(reference);
            let likely = self.likely_url(reference, container);
            self.result.references.likely_internal += usize::from(likely.is_some());
            self.result.references.likely_urls.extend(likely);
            match decision {
                Decision::AlreadyCorrect => {
                    self.result.references.already_correct += 1;
                    if let Policy::Site(_) = self.policy {
                        self.count_above(reference);
                    }
                }
                Decision::Change(edit) => {
                    self.result.references.rewritten += 1;
                    let text = self.document.text_of(reference);
                    let is_own = !self.has_base && text.starts_with('#');
                    self.result.references.own_fragments += usize::from(is_own);
                    self.count_above(reference);
                    self.change(first.container, edit.shifted(reference.span.start));
                }
                Decision::Skip { reason, message } => {
                    self.count_skipped(reason);
                    if let Some(message) = message {
                        self.warn_of_reference(reference, reason.code(), message);
                    }
                }
            }
        }
    }

    /// The scopes whose `base` elements give the base URL of `reference` and would change.
    fn changed_bases_of(&self, reference: &Reference) -> Vec<usize> {
        let (BaseOf::Scope(at) | BaseOf::Codebase(at, _)) = reference.base else {
            return Vec::new();
        };
        let parent_of = |at: &usize| self.document.scopes.get(*at)?.parent;
        let around = std::iter::successors(Some(at), parent_of);
        let changes =
            |at: &usize| matches!(self.bases.change(*at), BaseChange::Drop | BaseChange::Set(_));
        around.filter(changes).collect()
    }

    /// Returns true if a change of `decisions` would end the conditional comment that the references are in.
    fn ends_comment(&self, references: &[Reference], decisions: &[Decision]) -> bool {
        let first = references.first().and_then(|it| self.document.container_of(it));
        let parent_of = |it: &&Container| self.document.containers.get(it.parent?);
        let mut around = std::iter::successors(first, parent_of);
        let ends = |(reference, decision): (&Reference, &Decision)| match decision {
            Decision::Change(edit) => {
                let changed = edit.apply(self.document.text_of(reference));
                // What follows the reference can be `>`.
                let found = ["-->", "--!>"].iter().any(|end| changed.contains(end));
                found || changed.ends_with("--") || changed.ends_with("--!")
            }
            _ => false,
        };
        around.any(|it| matches!(it.kind, ContainerKind::Comment))
            && references.iter().zip(decisions).any(ends)
    }

    /// Returns true if the bytes around the container can have the changes of `decisions`. Only the standards
    /// before WHATWG's give replacements that are not ASCII, from a base URL that is not.
    fn is_in_encoding(&self, container: usize, decisions: &[Decision]) -> bool {
        decisions.iter().all(|decision| match decision {
            Decision::Change(edit) if !edit.replacement.is_ascii() => {
                self.document.encoding_around(container) == UTF_8
            }
            _ => true,
        })
    }

    fn decide(&self, reference: &Reference, container: &Container) -> Decision {
        let (base, base_after) = self.bases.of_reference(self.document, reference);
        let text = self.document.text_of(reference);
        let dialect = match self.kind {
            DocumentKind::Markdown(dialect) => Some(dialect.row()),
            _ => None,
        };
        let is_markdown = dialect.is_some();
        let decision = self.policy.decide(&Subject {
            reference: text,
            known: self.document.known_part(reference),
            span: self.document.span_of(reference),
            class: reference.class,
            constraints: reference.constraints,
            base: base.as_deref(),
            base_after: base_after.as_deref(),
            page: self.bases.of_page(self.document, reference),
            // One that never counts is a reference like any other.
            names_folder: reference.constraints.is_prefix(text)
                || self.document.is_base_element(reference)
                    && self.scope_of_base(reference).is_some(),
            own: self.own.before,
            // Programs read the names of RDFa and JSON-LD.
            is_page: self.kind.is_page() && container.kind.rules().is_some_and(|it| !it.rdfa),
            is_markdown,
            has_paths: matches!(
                self.kind,
                DocumentKind::Redirects(RedirectSyntax::Apache | RedirectSyntax::Nginx)
            ),
            is_unread: dialect.is_some_and(|it| !it.is_read)
                && !self.own.before.as_str().ends_with("/README.md"),
            is_image: is_markdown && self.document.usage_of(reference) == Usage::Image,
            is_kept: reference.rel.has(Rel::KEPT),
            is_compared: self.own.scripts.has(ScriptTraits::COMPARES_SRC)
                && self.document.usage_of(reference) == Usage::Resource
                && matches!(&container.kind, ContainerKind::Attribute { element, .. }
                    if matches!(&*element.name, "script" | "link")),
            is_served_anywhere: self.own.is_served_anywhere,
            base_follows_depth: self.follows_depth(reference, base_after.as_deref()),
            own_after: self.own.after,
            encoding: container.query_encoding,
        });
        match decision {
            Decision::Change(edit) if self.is_signed(reference) => {
                let changed = edit.apply(self.document.text_of(reference));
                let message = format!(
                    "this part is signed: changing the link to {changed} would break the signature"
                );
                Decision::reported(SkipReason::Signed, message)
            }
            decision => decision,
        }
    }

    /// Returns the number of the URL to which the reference leads of those at which the site seems to be published.
    fn likely_url(&self, reference: &Reference, container: &Container) -> Option<usize> {
        let likely = &self.policy.mapping()?.likely;
        if likely.is_empty() || reference.class != Class::Ordinary {
            return None;
        }
        let (base, _) = self.bases.of_reference(self.document, reference);
        let base = base.as_deref().unwrap_or(self.own.before);
        let target = base.resolve(self.document.text_of(reference), container.query_encoding);
        let target = target.ok()?;
        likely.iter().position(|it| it.below(target.as_str()).is_some())
    }

    /// Counts a reference that loses some of its `..` segments at the root of the host, or becomes absolute and leads
    /// above the site.
    fn count_above(&mut self, reference: &Reference) {
        let text = self.document.text_of(reference);
        let is_absolute = matches!(self.policy, Policy::Absolute { .. });
        let root =
            self.own.depth.map_or(0, |below| depth(self.own.before.as_str()).saturating_sub(below));
        if is_absolute && ReferenceForm::of(text) == ReferenceForm::Root && root > 0 {
            // A URL has its scheme and its host first.
            let names = text.trim_start().split('/').skip(1).take(root);
            let is_below = names.eq(self.own.before.as_str().split('/').skip(3).take(root));
            let (below, others) = &mut self.result.references.from_root;
            *if is_below { below } else { others } += 1;
        }
        if !text.contains("..") {
            return;
        }
        let (base, _) = self.bases.of_reference(self.document, reference);
        let base = base.as_deref().unwrap_or(self.own.before);
        let is_cut = segments_above_root(base, text) > 0;
        let traversal = ParentTraversal::of(base, text).filter(|_| base == self.own.before);
        let is_above_site = is_absolute
            && ReferenceForm::of(text) == ReferenceForm::Path
            && traversal.is_some_and(|it| it.min_depth < root);
        self.result.references.above_root += usize::from(is_cut);
        self.result.references.above_site += usize::from(is_above_site && !is_cut);
    }

    fn is_signed(&self, reference: &Reference) -> bool {
        let at = || self.document.span_of(reference).start;
        self.has_signed_part && part::is_signed(&self.document.parts, at())
    }

    fn change(&mut self, container: usize, change: TextEdit) {
        if let Some(changes) = self.changes.get_mut(container) {
            // Most containers have one change, and a vector starts with room for four.
            if changes.is_empty() {
                changes.reserve_exact(1);
            }
            changes.push(change);
        }
    }

    fn count_skipped(&mut self, reason: SkipReason) {
        let skipped = &mut self.result.references.skipped;
        *skipped.entry(reason).or_default() += 1;
    }

    fn warn_of_reference(&mut self, reference: &Reference, code: &'static str, message: String) {
        self.report(Severity::Warning, reference, code, message);
    }

    fn report(
        &mut self,
        severity: Severity,
        reference: &Reference,
        code: &'static str,
        message: String,
    ) {
        let position = self.positions.of(self.document.span_of(reference).start);
        let location = Location::of_reference(self.document, reference, Some(position));
        let diagnostic = Diagnostic::new(severity, code, location, message);
        self.result.diagnostics.push(diagnostic.about(self.document.text_of(reference)));
    }

    /// Adds a warning that is not about a single reference.
    fn warn(
        &mut self,
        code: &'static str,
        location: Location,
        message: impl Into<Cow<'static, str>>,
    ) {
        let warning = Diagnostic::new(Severity::Warning, code, location, message);
        self.result.diagnostics.push(warning);
    }

    /// Warns of tables and titles that are no longer aligned after `edits`.
    fn warn_of_columns(&mut self, edits: &[Edit]) {
        let DocumentKind::Markdown(dialect) = self.kind else { return };
        if edits.is_empty() {
            return;
        }
        let old = self.document.working_bytes();
        let new = || String::from_utf8_lossy(&Spliced::new(old, edits).to_vec()).into_owned();
        for (at, what) in dialect.misaligned(&String::from_utf8_lossy(old), new) {
            let location = Location::new("", Some(self.positions.of(at)), "", "");
            self.warn(MISALIGNED, location, what.message());
        }
    }

    /// Drops the warnings of template markup in a file of macros, which no visitor sees: Sphinx themes publish theirs.
    fn drop_warnings_of_macros(&mut self) {
        let code = SkipReason::TemplateMarkup.code();
        let mut warnings = self.result.diagnostics.iter();
        let bytes = self.document.working_bytes();
        if warnings.any(|it| it.code == code) && memchr::memmem::find(bytes, b"{% macro ").is_some()
        {
            self.result.diagnostics.retain(|it| it.code != code);
        }
    }

    fn warn_of_unreadable(&mut self, unreadable: &UnreadableContainer) {
        let UnreadableContainer { container, at, .. } = *unreadable;
        let containers = &self.document.containers;
        let span = span_in(containers, container, Span::at(at));
        let position = self.positions.of(span.start);
        let location = Location::of_container(containers, container, Some(position));
        let reason = SkipReason::Unreadable;
        self.warn(reason.code(), location, unreadable.message.clone());
        self.result.references.seen += 1;
        self.count_skipped(reason);
    }

    /// Warns of the `Content-MD5` headers that the edits make wrong.
    fn warn_of_digests(&mut self, edits: &[Edit]) {
        for part in part::parts_with_wrong_digest(&self.document.parts, edits) {
            let Some(digest) = part.digest else { continue };
            let position = Some(self.positions.of(digest.start));
            let mut location = Location::new("", position, "", "Content-MD5");
            if !part.number.is_empty() {
                location.element = format!("part {}", part.number).into();
            }
            let message =
                "this digest is of the content before the rewrite; remove or recompute the digest";
            self.warn("digest", location, message);
        }
    }

    /// Warns of a reference for which the `base` element after it may count or not.
    fn warn_of_late_base(&mut self, reference: &Reference) {
        if let Policy::Fix(_) = self.policy {
            return;
        }
        let late = &self.late_bases;
        let warning = late.warning(self.document, &self.bases, reference, &mut self.positions);
        if let Some(message) = warning {
            self.warn_of_reference(reference, "base-late", message);
        }
    }
}
