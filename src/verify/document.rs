//! Compares a document with its rewritten form, in which only the spelling of references may
//! differ.

use std::ops::Range;

use super::align::{AlignmentStep, align};
use super::base_element;
use super::both::Both;
use super::bytes::{self, Pair};
use super::integrity::{self, BlockingValue, FileDigests};
use super::meaning::{self, Meaning, depends_on_text, predicates};
use super::report::{ComparedReferences, Difference, DifferenceKind};
use super::side::Side;
use crate::diagnostic::Location;
use crate::document::container::{Container, Syntax};
use crate::document::encoding::CharsetSource;
use crate::document::{Document, DocumentError, ParseOptions, Positions, Reference, Span};
use crate::moves::StalePath;
use crate::url::AbsoluteUrl;

/// Options of the comparison of two documents.
#[derive(Clone, Copy)]
pub struct ComparisonOptions<'c> {
    /// Options to parse both documents with.
    pub parse: ParseOptions,
    /// The fallback base URL of the document BEFORE.
    pub before: &'c AbsoluteUrl,
    /// The fallback base URL of the document AFTER.
    pub after: &'c AbsoluteUrl,
    /// Maps a target of BEFORE to the target that AFTER should have.
    pub follow: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    /// Returns whether the target in AFTER (second) is equivalent to the expected target (first).
    pub same: &'c dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
    /// The digests of the files that the documents load.
    pub digests: FileDigests<'c>,
    /// The number of differences to list; all are counted.
    pub limit: usize,
}

/// The result of comparing two documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentComparison {
    /// The references that were compared.
    pub references: ComparedReferences,
    /// The number of differences.
    pub count: usize,
    /// The first differences, up to the limit, in the order of AFTER.
    pub differences: Vec<Difference>,
    /// The strings of AFTER that name old places.
    pub stale_paths: Vec<StalePath>,
}

impl From<Option<Difference>> for DocumentComparison {
    fn from(difference: Option<Difference>) -> DocumentComparison {
        let differences = Vec::from_iter(difference);
        DocumentComparison {
            references: ComparedReferences::default(),
            count: differences.len(),
            differences,
            stale_paths: Vec::new(),
        }
    }
}

/// Compares the documents `before` and `after`. Both must have the same references in the same
/// carriers, each with the target that `options` expect, and all other bytes must be equal. The
/// `href` of `base` elements may differ.
///
/// # Errors
/// If BEFORE cannot be parsed. A rewriting skips such a document, so its copy in AFTER must be equal
/// byte for byte.
pub fn verify_document(
    before: &[u8],
    after: &[u8],
    options: &ComparisonOptions<'_>,
) -> Result<DocumentComparison, DocumentError> {
    let before = Document::parse(before, &options.parse)?;
    let unreadable = |error: &DocumentError| {
        let message = format!("cannot be parsed: {error}");
        Some(Difference::of_file(DifferenceKind::Unreadable, message)).into()
    };
    let after = match Document::parse(after, &options.parse) {
        Ok(after) => after,
        Err(error) => return Ok(unreadable(&error)),
    };
    let own = Both::new(options.before, options.after);
    let integrity = integrity::compare(Both::new(&before, &after), own, options.digests);
    // Positions of differences behind a digest may be off by the character references in it.
    let restored = integrity.restored.as_deref();
    let restored = restored.map(|bytes| Document::parse(bytes, &options.parse));
    let after = match restored.transpose() {
        Ok(restored) => restored.unwrap_or(after),
        Err(error) => return Ok(unreadable(&error)),
    };
    let follow = |meaning| match meaning {
        Meaning::Target(target) => Meaning::Target((options.follow)(&target)),
        text => text,
    };
    let before = ResolvedDocument::of(&before, options.before, follow);
    let after = ResolvedDocument::of(&after, options.after, |meaning| meaning);
    let mut comparison = ReferenceComparison {
        options,
        sides: Both::new(&before, &after),
        references: ComparedReferences::default(),
        found: Vec::new(),
    };
    comparison.encodings();
    comparison.integrity(integrity.blocking);
    let pairs = comparison.references();
    comparison.bytes(&pairs);
    Ok(comparison.result())
}

/// A document with its resolved references.
struct ResolvedDocument<'d> {
    document: &'d Document<'d>,
    /// All references except the `href` of `base` elements.
    references: Vec<ResolvedReference<'d>>,
    /// The `href` of `base` elements.
    base: Vec<&'d Reference>,
}

/// A reference of `document`, with its meaning.
struct ResolvedReference<'d> {
    document: &'d Document<'d>,
    reference: &'d Reference,
    meaning: Meaning,
}

impl<'d> ResolvedDocument<'d> {
    fn of(
        document: &'d Document<'d>,
        own: &AbsoluteUrl,
        follow: impl Fn(Meaning) -> Meaning,
    ) -> ResolvedDocument<'d> {
        let bases = document.base_urls(own);
        let (base, references): (Vec<&Reference>, Vec<&Reference>) =
            document.references.iter().partition(|reference| {
                let container = document.container_of(reference);
                container.is_some_and(|container| container.kind.is_base_element())
            });
        let references = references.into_iter().map(|reference| ResolvedReference {
            document,
            reference,
            meaning: follow(meaning::of(document, reference, &bases, own)),
        });
        ResolvedDocument {
            document,
            references: references.collect(),
            base,
        }
    }

    fn side(&self) -> Side<'d> {
        let document = self.document;
        let tags = self.base.iter();
        Side {
            document,
            base_tags: tags
                .filter_map(|reference| base_element::tag_of(document, reference))
                .collect(),
        }
    }
}

impl<'d> ResolvedReference<'d> {
    fn text(&self) -> &'d str {
        self.document.text_of(self.reference)
    }

    /// The span in the working bytes.
    fn span(&self) -> Span {
        self.document.span_of(self.reference)
    }

    fn target(&self) -> Option<String> {
        match &self.meaning {
            Meaning::Target(target) => Some(target.to_string()),
            Meaning::Text(_) => None,
        }
    }
}

/// A difference and its offsets in the working bytes of both documents.
struct PlacedDifference {
    at: Both<Option<usize>>,
    /// An offset in AFTER that gives the order of the report.
    order: usize,
    difference: Difference,
}

struct ReferenceComparison<'c, 'd> {
    options: &'c ComparisonOptions<'c>,
    sides: Both<&'c ResolvedDocument<'d>>,
    references: ComparedReferences,
    found: Vec<PlacedDifference>,
}

impl<'d> ReferenceComparison<'_, 'd> {
    fn encodings(&mut self) {
        let charsets = self.sides.map(|side| &side.document.charset);
        let encodings = charsets.map(|charset| charset.encoding);
        // A charset that is only guessed from the bytes may change once a reference is in ASCII.
        let is_guess = charsets.map(|charset| charset.source == CharsetSource::Fallback);
        let is_transcoded = self.sides.map(|side| side.document.transcoded().is_some());
        if is_transcoded.before != is_transcoded.after
            || is_guess != Both::new(true, true) && encodings.before != encodings.after
        {
            let Both { before, after } = encodings.map(|encoding| encoding.name());
            let message = format!("the charset was {before} and is {after}");
            self.found.push(PlacedDifference {
                at: Both::default(),
                order: 0,
                difference: Difference::of_file(DifferenceKind::Encoding, message),
            });
        }
    }

    fn integrity(&mut self, blocking: Vec<BlockingValue>) {
        self.found
            .extend(blocking.into_iter().map(|value| PlacedDifference {
                at: value.at.map(Some),
                order: value.at.after,
                difference: Difference {
                    before: Some(value.text.before),
                    after: Some(value.text.after),
                    ..Difference::of_file(DifferenceKind::Integrity, value.message)
                },
            }));
    }

    /// Compares the references; returns the pairs of a reference and its counterpart.
    fn references(&mut self) -> Vec<Pair<'d>> {
        let base = self.sides.map(|side| side.base.len());
        self.references.base = base.before + base.after;
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
                    self.references.compared += 1;
                    self.references.respelled += usize::from(is_respelled);
                    self.references.unchanged += usize::from(!is_respelled);
                    pairs.push(Pair {
                        references: pair.map(|resolved| resolved.reference),
                        is_respelled,
                    });
                    let spans = pair.map(ResolvedReference::span);
                    if let Some((kind, message)) = self.difference_of(pair) {
                        self.push(kind, message, pair.map(Some), spans.after.start);
                    }
                    at = spans.map(|span| span.end);
                }
                AlignmentStep::Missing(range) => {
                    for (missing, more) in shown(before, range) {
                        let message = with_more("the reference is missing", more);
                        // The offset it would have if everything before it were unchanged.
                        let order = at.after + missing.span().start.saturating_sub(at.before);
                        let kind = DifferenceKind::MissingReference;
                        self.push(kind, message, Both::new(Some(missing), None), order);
                    }
                }
                AlignmentStep::Extra(range) => {
                    for (extra, more) in shown(after, range) {
                        let message = with_more("BEFORE has no such reference here", more);
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
                if expected == found || (self.options.same)(expected, found) {
                    return None;
                }
                return Some((DifferenceKind::Target, "resolves to another URL".to_owned()));
            }
            (Meaning::Text(old), Meaning::Text(new)) if old == new => {
                if is_same_text() {
                    return None;
                }
                format!("changed, but {}", predicates(*old).0)
            }
            // The text is the same. The bytes around it that change its meaning are a difference of
            // their own.
            (_, Meaning::Text(new)) if depends_on_text(*new) && is_same_text() => return None,
            (Meaning::Text(old), _) if depends_on_text(*old) && is_same_text() => return None,
            (Meaning::Text(old), Meaning::Text(new)) => {
                let (present, past) = (predicates(*new).0, predicates(*old).1);
                format!("it {past} before, now it {present}")
            }
            (Meaning::Text(old), Meaning::Target(_)) => {
                format!("resolves to a URL now; it {} before", predicates(*old).1)
            }
            (Meaning::Target(_), Meaning::Text(new)) => format!("it {} now", predicates(*new).0),
        };
        Some((DifferenceKind::Meaning, message))
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
        let mut difference = Difference {
            before: text.before,
            after: text.after,
            expected_target: target.before,
            target: target.after,
            ..Difference::of_file(kind, message)
        };
        if let Some(side) = sides.after.or(sides.before) {
            difference.diagnostic.location =
                Location::of_reference(side.document, side.reference, None);
        }
        self.found.push(PlacedDifference {
            at: sides.map(|side| Some(side?.span().start)),
            order,
            difference,
        });
    }

    fn bytes(&mut self, pairs: &[Pair<'_>]) {
        let sides = self.sides.map(ResolvedDocument::side);
        for found in bytes::compare(Both::new(&sides.before, &sides.after), pairs) {
            let message = "differs, although no reference is here";
            self.found.push(PlacedDifference {
                at: found.at.map(Some),
                order: found.at.after,
                difference: Difference {
                    before: Some(found.excerpt.before),
                    after: Some(found.excerpt.after),
                    ..Difference::of_file(DifferenceKind::Bytes, message)
                },
            });
        }
    }

    fn result(self) -> DocumentComparison {
        let mut found = self.found;
        let count = found.len();
        found.sort_by_key(|found| found.order);
        found.truncate(self.options.limit);
        let mut positions = Positions::new(self.sides.after.document.working_bytes());
        let mut positions_before = Positions::new(self.sides.before.document.working_bytes());
        let differences = found.into_iter().map(|found| {
            let mut difference = found.difference;
            difference.diagnostic.location.position = found.at.after.map(|at| positions.of(at));
            difference.position_before = found.at.before.map(|at| positions_before.of(at));
            difference
        });
        DocumentComparison {
            references: self.references,
            count,
            differences: differences.collect(),
            stale_paths: Vec::new(),
        }
    }
}

/// The references in `range` that are reported, each with the number of others that its message
/// counts: only the first of a long run.
fn shown<'r>(
    references: &'r [ResolvedReference<'r>],
    range: Range<usize>,
) -> impl Iterator<Item = (&'r ResolvedReference<'r>, usize)> {
    const MOST: usize = 3;
    let run = references.get(range).unwrap_or_default();
    let shown = if run.len() > MOST { 1 } else { run.len() };
    let more = run.len() - shown;
    run.iter()
        .take(shown)
        .map(move |reference| (reference, more))
}

fn with_more(message: &str, more: usize) -> String {
    match more {
        0 => message.to_owned(),
        more => format!("{message} ({more} more follow)"),
    }
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
                (old, new) => old == new,
            }
    };
    let mut at = pair.map(|side| Some(side.reference.container));
    loop {
        let containers = pair
            .zip(at)
            .map(|(side, at)| side.document.containers.get(at?));
        at = match (containers.before, containers.after) {
            (None, None) => return true,
            (Some(old), Some(new)) if is_same(old, new) => Both::new(old.parent, new.parent),
            _ => return false,
        };
    }
}
