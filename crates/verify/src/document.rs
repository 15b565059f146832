//! Compares a document with its rewritten form, in which only the spelling of references may
//! differ.

pub(super) mod comparison;
pub(super) mod options;

use std::ops::Range;

use encoding_rs::Encoding;

use super::align::{AlignmentStep, align};
use super::both::Both;
use super::bytes::{self, Pair};
use super::disk;
use super::fast_path;
use super::integrity;
use super::meaning::{self, Meaning, depends_on_text, predicates};
use super::report::{ComparedReferences, Difference, DifferenceKind, PlacedDifference};
use super::resolved::{ResolvedDocument, ResolvedReference};
pub use comparison::DocumentComparison;
pub use options::ComparisonOptions;
use rehref_document::container::{Container, Syntax};
use rehref_document::encoding::CharsetSource;
use rehref_document::reference::Class;
use rehref_document::{
    BaseUrl, Document, DocumentError, ParseOptions, Positions, Reference, SkipReason,
};
use rehref_generators::data::gets_quotes;
use rehref_site::{Diagnostic, Location, Severity};
use rehref_url::{AbsoluteUrl, Span, scheme};

/// Compares the documents `before` and `after`. Both must have the same references in the same places, each
/// with the target that `options` expect, and all other bytes must be equal. The `href` of the effective `base`
/// element may be removed or rewritten; see [`super::base_element`].
///
/// # Errors
/// Returns an error if BEFORE cannot be parsed. A rewriting skips such a document, so its copy in AFTER must be equal
/// byte for byte.
pub fn verify_document(
    before: &[u8],
    after: &[u8],
    options: &ComparisonOptions<'_>,
) -> Result<DocumentComparison, DocumentError> {
    let with_simple = ParseOptions { simple: fast_path::may_apply(options), ..options.parse };
    let mut before = Document::parse(before, &with_simple)?.at_page(options.page_before);
    let after = Document::parse(after, &with_simple).map(|it| it.at_page(options.page_after));
    if let Ok(after) = &after
        && let Some(same) = fast_path::without_differences(Both::new(&before, after), options)
    {
        return Ok(same);
    }
    put_simple_back(&mut before);
    let cut = integrity::without_removed(&before, options.before, options.digests);
    if let Some(cut) = &cut {
        before = Document::parse(cut, &options.parse)?.at_page(options.page_before);
    }
    let unreadable = |error: &DocumentError| {
        let message = error.to_string();
        Some(Difference::of_file(DifferenceKind::Unreadable, message)).into()
    };
    let after = match after {
        Ok(mut after) => {
            put_simple_back(&mut after);
            after
        }
        Err(error) => return Ok(unreadable(&error)),
    };
    let own = Both::new(options.before, options.after);
    let integrity = integrity::compare(Both::new(&before, &after), own, options.digests);
    // Positions of differences behind a digest may be off by the character references in it.
    let restored = integrity.restored.as_deref();
    let restored = restored.map(|bytes| Document::parse(bytes, &options.parse));
    let after = match restored.transpose() {
        Ok(restored) => restored.map_or(after, |it| it.at_page(options.page_after)),
        Err(error) => return Ok(unreadable(&error)),
    };
    let follow = |reference: &Reference, target| {
        let is_prefix = reference.constraints.is_prefix(before.text_of(reference));
        if is_prefix { (options.follow_base)(&target) } else { (options.follow)(&target) }
    };
    let is_replaced = options.base.is_some();
    let after = ResolvedDocument::of(&after, options.after, None, is_replaced, |_, target| target);
    let before = ResolvedDocument::of(&before, options.before, Some(&after), is_replaced, follow);
    let mut comparison = ReferenceComparison {
        options,
        sides: Both::new(&before, &after),
        references: ComparedReferences::default(),
        found: Vec::new(),
        not_proven: Vec::new(),
    };
    comparison.encodings();
    comparison.found.extend(integrity.blocking);
    comparison.bases();
    let pairs = comparison.references();
    comparison.depth();
    let Both { before, after } = comparison.sides;
    let sides = Both::new(before.side(after), after.side(before));
    comparison.found.extend(bytes::compare(Both::new(&sides.before, &sides.after), &pairs));
    Ok(comparison.result())
}

/// Makes the simple references of `document` ordinary ones.
fn put_simple_back(document: &mut Document<'_>) {
    let simple = document.take_simple();
    document.put_back(simple);
}

struct ReferenceComparison<'c, 'd> {
    options: &'c ComparisonOptions<'c>,
    sides: Both<&'c ResolvedDocument<'d>>,
    references: ComparedReferences,
    found: Vec<PlacedDifference>,
    /// The references of AFTER that are not proven, with their warnings.
    not_proven: Vec<(Span, Diagnostic)>,
}

impl<'d> ReferenceComparison<'_, 'd> {
    fn encodings(&mut self) {
        let charsets = self.sides.map(|side| &side.document.charset);
        let encodings = charsets.map(|charset| charset.encoding);
        // A charset that is only guessed from the bytes may change once the last reference is in ASCII.
        let is_guess = charsets.map(|charset| charset.source == CharsetSource::Fallback);
        let is_same = is_guess == Both::new(true, true)
            && self.sides.after.document.working_bytes().is_ascii();
        let is_transcoded = self.sides.map(|side| side.document.transcoded().is_some());
        if is_transcoded.before != is_transcoded.after
            || !is_same && encodings.before != encodings.after
        {
            self.different_encodings(encodings);
        }
        let bodies = self.sides.map(|side| {
            let parts = side.document.parts.iter();
            parts.map(move |part| side.document.containers.get(part.container?))
        });
        for bodies in bodies.before.zip(bodies.after) {
            if let (Some(before), Some(after)) = bodies
                && before.query_encoding != after.query_encoding
                && !after.text.as_str().is_ascii()
            {
                self.different_encodings(Both::new(before, after).map(|it| it.query_encoding));
            }
        }
    }

    fn different_encodings(&mut self, encodings: Both<&'static Encoding>) {
        let Both { before, after } = encodings.map(Encoding::name);
        let message = format!("the charset changed from {before} to {after}");
        let difference = Difference::of_file(DifferenceKind::Encoding, message);
        self.found.push(PlacedDifference::new(Both::default(), difference));
    }

    /// Finds the references of a document served at any depth that depend on the depth, although their
    /// counterparts do not. As many references precede a reference as its counterpart, if there are
    /// equally many.
    fn depth(&mut self) {
        let sides = self.sides.map(|side| side.references.as_slice());
        if !self.options.is_served_anywhere || sides.before.len() != sides.after.len() {
            return;
        }
        let own = Both::new(self.options.before, self.options.after);
        let depends = own.zip(self.sides).map(|(own, side)| {
            let deeper = own.resolve("deeper/and/deeper", encoding_rs::UTF_8).ok();
            let deeper = deeper.map(|deeper| (side.document.base_urls(&deeper), deeper));
            move |resolved: &ResolvedReference<'_>| {
                let (document, reference) = (resolved.document, resolved.reference);
                let is_fragment = resolved.text().trim_ascii_start().starts_with('#');
                let meaning = |bases: &[BaseUrl], own: &AbsoluteUrl| {
                    meaning::of(document, reference, bases, own, false)
                };
                let at_own = || meaning(&side.base_urls, own);
                let is_other =
                    |(bases, deeper): &(Vec<BaseUrl>, _)| meaning(bases, deeper) != at_own();
                !is_fragment && deeper.as_ref().is_some_and(is_other)
            }
        });
        for (before, after) in sides.before.iter().zip(sides.after) {
            if (depends.after)(after) && !(depends.before)(before) {
                let message = "the link has a different target if the server serves the page at another depth";
                let pair = Both::new(Some(before), Some(after));
                self.push(DifferenceKind::Target, message.to_owned(), pair, after.span().start);
            }
        }
    }

    /// Compares the base URLs of the scopes that have a `base` element.
    fn bases(&mut self) {
        let base = self.sides.map(|side| side.base.len());
        self.references.base = base.before + base.after;
        let Both { before, after } = self.sides;
        for (scope, (old, new)) in before.base_urls.iter().zip(&after.base_urls).enumerate() {
            let elements = self.sides.map(|side| side.base_of(scope));
            let (Some(reference), Some(found)) = (elements.after, &new.url) else { continue };
            let expected = match elements.before {
                Some(_) => old.url.as_ref().map(self.options.follow_base),
                None => new.fallback.clone(),
            };
            let is_expected = expected.as_ref().is_some_and(|it| (self.options.same)(it, found));
            let bases = self.sides.zip(elements);
            let texts = bases.map(|(side, base)| Some(side.document.text_of(base?).to_owned()));
            let (text_before, text_after) = (texts.before, texts.after.unwrap_or_default());
            let is_same_fragment =
                text_after.starts_with('#') && text_before.as_ref() == Some(&text_after);
            let is_empty = |text: &String| text.trim_ascii().is_empty();
            // An empty value, or a fragment, has the fallback base URL without its fragment, or in RFC 1630 its directory.
            let document = |url: &AbsoluteUrl| url.as_str().split('#').next().map(str::to_owned);
            // A value that means the document's own URL has no effect, as if the element were gone.
            let is_gone = new.fallback.as_ref() == Some(found)
                || is_same_fragment
                || is_empty(&text_after)
                    && (text_before.as_ref().is_some_and(is_empty)
                        || new.fallback.as_ref().map(document) == Some(document(found)));
            if is_expected || is_gone || self.options.base == Some(found) {
                continue;
            }
            let message = match elements.before {
                Some(_) => "the document has a different base URL",
                None => {
                    "the new tree adds this base URL: links that scripts create resolve against it"
                }
            };
            let difference = Difference {
                place: Location::of_reference(after.document, reference, None).place(),
                expected_target: expected.map(|url| url.to_string()),
                target: Some(found.to_string()),
                ..Difference::of_file(DifferenceKind::Base, message)
                    .between(text_before, text_after)
            };
            let at = bases.map(|(side, base)| Some(side.document.span_of(base?).start));
            self.found.push(PlacedDifference::new(at, difference));
        }
    }

    /// Compares the references; returns the pairs of a reference and its counterpart.
    fn references(&mut self) -> Vec<Pair<'d>> {
        let Both { before, after } = self.sides.map(|side| side.references.as_slice());
        let pair = |i: usize, j: usize| Both::new(before.get(i), after.get(j)).flatten();
        let is_alike = |i: usize, j: usize| pair(i, j).is_some_and(is_same_carrier);
        let is_equal = |i: usize, j: usize| {
            pair(i, j)
                .is_some_and(|pair| is_same_carrier(pair) && self.difference_of(pair).is_none())
        };
        let steps = align(before.len(), after.len(), is_alike, is_equal);
        let mut pairs = Vec::with_capacity(steps.len());
        // The end of the last pair.
        let mut at = Both::default();
        for step in steps {
            match step {
                AlignmentStep::Pair(i, j) => {
                    let Some(pair) = pair(i, j) else { continue };
                    let is_respelled = pair.before.text() != pair.after.text();
                    let difference = self.difference_of(pair);
                    self.references.compared += 1;
                    let count = match (&difference, is_respelled) {
                        (Some(_), _) => &mut self.references.different,
                        (None, true) => &mut self.references.respelled,
                        (None, false) => &mut self.references.unchanged,
                    };
                    *count += 1;
                    pairs.push(Pair {
                        references: pair.map(|resolved| resolved.reference),
                        is_respelled,
                    });
                    let spans = pair.map(ResolvedReference::span);
                    if let Some((kind, message)) = difference {
                        self.push(kind, message, pair.map(Some), spans.after.start);
                    } else if self.is_unproven(pair) {
                        self.warn(pair.after);
                    } else if pair.after.reference.class == Class::TemplateMarkup {
                        self.references.template_markup += 1;
                    }
                    at = spans.map(|span| span.end);
                }
                AlignmentStep::Missing(range) => {
                    for (missing, message) in shown(before, range, "the link is missing") {
                        // The offset it would have if everything before it were unchanged.
                        let order = at.after + missing.span().start.saturating_sub(at.before);
                        let kind = DifferenceKind::MissingReference;
                        self.push(kind, message, Both::new(Some(missing), None), order);
                    }
                }
                AlignmentStep::Extra(range) => {
                    for (extra, message) in shown(after, range, "the old tree has no link here") {
                        let kind = DifferenceKind::ExtraReference;
                        let order = extra.span().start;
                        self.push(kind, message, Both::new(None, Some(extra)), order);
                    }
                }
            }
        }
        pairs
    }

    /// The difference between a reference and its counterpart.
    fn difference_of(
        &self,
        pair: Both<&ResolvedReference<'_>>,
    ) -> Option<(DifferenceKind, String)> {
        let is_same_text = || pair.before.text() == pair.after.text();
        let message = match (&pair.before.meaning, &pair.after.meaning) {
            (Meaning::Target(expected), Meaning::Target(found)) => {
                let is_prefix = pair.before.reference.constraints.is_prefix(pair.before.text());
                let from_root = pair.map(|it| {
                    let constraints = it.reference.constraints;
                    let is_relative = scheme::split(it.text()).is_none();
                    constraints.is_of_site(it.text(), self.options.site_path)
                        || constraints.source_path && constraints.of_root && is_relative
                });
                let of_content = pair.map(|it| it.reference.constraints.roots_first);
                let in_content = || {
                    let texts = pair.map(ResolvedReference::text);
                    (self.options.same_from_root)(texts.before, texts.after)
                };
                let of_content = (of_content == Both::new(true, true)).then(in_content).flatten();
                let is_wiki = pair.before.reference.constraints.is_wiki();
                let is_same = match from_root {
                    _ if is_wiki => {
                        let (old, new) = (pair.before.text(), pair.after.text());
                        let own = [self.options.before, self.options.after];
                        (self.options.same_wiki)([old, new], own)
                    }
                    _ if let Some(is_same) = of_content => is_same,
                    Both { before: true, after: true } => {
                        let texts = pair.map(ResolvedReference::text);
                        let folder = pair.before.reference.constraints.folder();
                        (self.options.same_source_path)(folder, [texts.before, texts.after])
                    }
                    // An index file is not the start of the URLs of its directory.
                    _ if is_prefix && !found.as_str().ends_with('/') => false,
                    _ => (self.options.same)(expected, found),
                };
                if is_same || self.stays_absolute(pair) && is_same_text() {
                    if disk::is_lost(self.options, self.sides.after, pair.after, [expected, found])
                    {
                        return Some((DifferenceKind::Target, disk::LOST.to_owned()));
                    }
                    return loses_scheme(pair)
                        .then(|| (DifferenceKind::Meaning, LOST_SCHEME.to_owned()));
                }
                if self.leads_to_no_file(pair.before) {
                    let (old, new) = (pair.before.text(), pair.after.text());
                    let is_from_root = pair.before.reference.constraints.from_root;
                    let in_content = || (self.options.same_from_root)(old, new) == Some(true);
                    if is_from_root && in_content() || is_same_text() {
                        return None;
                    }
                }
                return Some((
                    DifferenceKind::Target,
                    "the link has a different target".to_owned(),
                ));
            }
            (Meaning::Text(old), Meaning::Text(new)) if old == new => {
                if is_same_text() {
                    return None;
                }
                format!("the value changed, although it {}", predicates(*old).0)
            }
            // The text is the same. The bytes around it that change its meaning are a difference of
            // their own.
            (_, Meaning::Text(new)) if depends_on_text(*new) && is_same_text() => return None,
            (Meaning::Text(old), _) if depends_on_text(*old) && is_same_text() => return None,
            (Meaning::Text(old), Meaning::Text(new)) => {
                let (present, past) = (predicates(*new).0, predicates(*old).1);
                format!("the value {past} before, and now {present}")
            }
            (Meaning::Text(old), Meaning::Target(_)) => {
                format!("the value now resolves to a URL, and {} before", predicates(*old).1)
            }
            (Meaning::Target(_), Meaning::Text(new)) => {
                format!("the value now {}", predicates(*new).0)
            }
        };
        Some((DifferenceKind::Meaning, message))
    }

    /// Returns true if a reference that must be absolute keeps its URL, although AFTER is opened from disk.
    fn stays_absolute(&self, pair: Both<&ResolvedReference<'_>>) -> bool {
        self.options.on_disk.is_some()
            && pair.after.reference.constraints.absolute
            && has_scheme(pair.after)
    }

    /// Returns true if a reference of Markdown in BEFORE leads to no file from its document.
    fn leads_to_no_file(&self, before: &ResolvedReference<'_>) -> bool {
        let bases = &self.sides.before.base_urls;
        let meaning = || {
            let (document, own) = (before.document, self.options.before);
            meaning::of(document, before.reference, bases, own, false)
        };
        let constraints = before.reference.constraints;
        let has_no_file =
            |target: &AbsoluteUrl| (self.options.has_no_file)(target, constraints.is_name());
        constraints.known_file
            && matches!(meaning(), Meaning::Target(target) if has_no_file(&target))
    }

    /// Returns true if a reference without a target has another base URL than its counterpart, so that it
    /// may lead elsewhere although its text is the same.
    fn is_unproven(&self, pair: Both<&ResolvedReference<'_>>) -> bool {
        let probes = pair.map(|reference| reference.probe.as_deref()).flatten();
        probes.is_some_and(|it| !(self.options.same)(it.before, it.after))
    }

    /// Counts a reference as not proven.
    fn warn(&mut self, reference: &ResolvedReference<'_>) {
        self.references.not_proven += 1;
        let Meaning::Text(reason) = reference.meaning else { return };
        if self.not_proven.len() >= self.options.limit {
            return;
        }
        let why = match reason {
            SkipReason::UnknownBase => "the base URL is unknown".to_owned(),
            reason => format!("{}, and the base URL changed", predicates(reason).0),
        };
        let location = Location::of_reference(reference.document, reference.reference, None);
        let message = format!("{why}, so the value may have a different target");
        let warning = Diagnostic::new(Severity::Warning, "not-proven", location, message);
        let warning = warning.about(reference.text());
        self.not_proven.push((reference.span(), warning));
    }

    /// Adds a difference of a reference, its counterpart, or both.
    fn push(
        &mut self,
        kind: DifferenceKind,
        message: String,
        sides: Both<Option<&ResolvedReference<'_>>>,
        order: usize,
    ) {
        let text = sides.map(|side| Some(side?.text().to_owned()));
        let target = sides.map(|side| side?.target());
        let side = sides.after.or(sides.before);
        let location = side.map(|it| Location::of_reference(it.document, it.reference, None));
        self.found.push(PlacedDifference {
            at: sides.map(|side| Some(side?.span().start)),
            order,
            difference: Difference {
                place: location.map(|it| it.place()).unwrap_or_default(),
                expected_target: target.before,
                target: target.after,
                ..Difference::of_file(kind, message).between(text.before, text.after)
            },
        });
    }

    fn result(self) -> DocumentComparison {
        let mut found = self.found;
        let count = found.len();
        found.sort_by_key(|found| found.order);
        found.truncate(self.options.limit);
        let mut positions = Positions::new(self.sides.after.document.working_bytes());
        let mut positions_before = Positions::new(self.sides.before.document.working_bytes());
        let differences = found.into_iter().map(|found| Difference {
            position: found.at.after.map(|at| positions.of(at)),
            position_before: found.at.before.map(|at| positions_before.of(at)),
            ..found.difference
        });
        let differences = differences.collect();
        let not_proven = self.not_proven.into_iter().map(|(span, mut warning)| {
            warning.location.position = Some(positions.of(span.start));
            warning
        });
        DocumentComparison {
            references: self.references,
            count,
            differences,
            not_proven: not_proven.collect(),
        }
    }
}

/// The references in `range` that are reported, each with its message. For a long run it is only the first, and the
/// message counts the others.
fn shown<'r>(
    references: &'r [ResolvedReference<'r>],
    range: Range<usize>,
    message: &str,
) -> impl Iterator<Item = (&'r ResolvedReference<'r>, String)> {
    const MOST: usize = 3;
    let run = references.get(range).unwrap_or_default();
    let (shown, message) = match run.len() {
        count @ ..=MOST => (count, message.to_owned()),
        count => (1, format!("{message} ({} more follow)", count - 1)),
    };
    run.iter().take(shown).map(move |reference| (reference, message.clone()))
}

/// The message about a reference that was absolute and is now relative.
pub const LOST_SCHEME: &str = "the link is now relative, but must be an absolute URL here";

/// Returns whether a reference that was absolute is relative now, in a place that needs an absolute
/// URL.
fn loses_scheme(pair: Both<&ResolvedReference<'_>>) -> bool {
    pair.before.reference.constraints.absolute && has_scheme(pair.before) && !has_scheme(pair.after)
}

/// Returns true if a reference is absolute for readers that need absolute URLs.
fn has_scheme(reference: &ResolvedReference<'_>) -> bool {
    scheme::split(reference.text().trim_ascii_start()).is_some()
}

/// Returns whether two references are in containers of the same kind, and these inside containers
/// of the same kinds.
fn is_same_carrier(pair: Both<&ResolvedReference<'_>>) -> bool {
    let is_same = |old: &Container, new: &Container| {
        old.kind == new.kind
            && match (old.syntax, new.syntax) {
                (Syntax::Attribute(_), Syntax::Attribute(_))
                | (Syntax::Css(_), Syntax::Css(_))
                | (Syntax::Xml(_), Syntax::Xml(_)) => true,
                (Syntax::Scalar(old), Syntax::Scalar(new)) => {
                    old == new || gets_quotes(old.quoting, new.quoting)
                }
                (old, new) => old == new,
            }
    };
    let mut at = pair.map(|side| Some(side.reference.container));
    loop {
        let containers = pair.zip(at).map(|(side, at)| side.document.containers.get(at?));
        at = match (containers.before, containers.after) {
            (None, None) => return true,
            (Some(old), Some(new)) if is_same(old, new) => Both::new(old.parent, new.parent),
            _ => return false,
        };
    }
}
