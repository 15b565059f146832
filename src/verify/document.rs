//! Compares a document with its rewritten form, in which only the spelling of references may
//! differ.

use std::ops::Range;

use super::align::{AlignmentStep, align};
use super::base_element;
use super::both::Both;
use super::bytes::{self, Pair};
use super::meaning::{self, Meaning, depends_on_text, predicates};
use super::report::{ComparedReferences, Difference, DifferenceKind};
use super::side::Side;
use crate::diagnostic::Location;
use crate::document::container::{Container, Syntax};
use crate::document::encoding::CharsetSource;
use crate::document::{Document, DocumentError, ParseOptions, Positions, Reference, Span};
use crate::url::AbsoluteUrl;

/// How two documents are compared.
#[derive(Clone, Copy)]
pub struct ComparisonOptions<'c> {
    /// How both documents are parsed.
    pub parse: ParseOptions,
    /// The fallback base URL of the document BEFORE.
    pub before: &'c AbsoluteUrl,
    /// The fallback base URL of the document AFTER.
    pub after: &'c AbsoluteUrl,
    /// Maps a target of BEFORE to the target that AFTER should have.
    pub follow: &'c dyn Fn(&AbsoluteUrl) -> AbsoluteUrl,
    /// Whether the target of AFTER (second) is as good as the expected one (first).
    pub same: &'c dyn Fn(&AbsoluteUrl, &AbsoluteUrl) -> bool,
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
}

/// Compares the documents `before` and `after`. Both must have the same references in the same
/// carriers, each with the target that `options` expect, and all other bytes must be equal. The
/// `href` of `base` elements may differ.
///
/// # Errors
/// When BEFORE cannot be parsed; such a document is skipped by a rewriting, so that AFTER must be
/// equal to it.
pub fn verify_document(
    before: &[u8],
    after: &[u8],
    options: &ComparisonOptions<'_>,
) -> Result<DocumentComparison, DocumentError> {
    let before = Document::parse(before, &options.parse)?;
    let after = match Document::parse(after, &options.parse) {
        Ok(after) => after,
        Err(error) => {
            let message = format!("cannot be parsed: {error}");
            return Ok(DocumentComparison {
                count: 1,
                differences: vec![Difference::of_file(DifferenceKind::Unreadable, message)],
                ..DocumentComparison::default()
            });
        }
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
    let pairs = comparison.references();
    comparison.bytes(&pairs);
    Ok(comparison.result())
}

/// A document with the meaning of its references, except the `href` of `base` elements.
struct ResolvedDocument<'d> {
    document: &'d Document<'d>,
    references: Vec<(&'d Reference, Meaning)>,
    base: Vec<&'d Reference>,
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
        let meaning = |reference| follow(meaning::of(document, reference, &bases, own));
        ResolvedDocument {
            document,
            references: references
                .into_iter()
                .map(|reference| (reference, meaning(reference)))
                .collect(),
            base,
        }
    }

    fn reference(&self, at: usize) -> Option<&'d Reference> {
        self.references.get(at).map(|(reference, _)| *reference)
    }

    fn meaning(&self, at: usize) -> Option<&Meaning> {
        self.references.get(at).map(|(_, meaning)| meaning)
    }

    fn target(&self, at: usize) -> Option<String> {
        match self.meaning(at)? {
            Meaning::Target(target) => Some(target.to_string()),
            Meaning::Text(_) => None,
        }
    }

    fn text(&self, at: usize) -> &str {
        let reference = self.reference(at);
        reference.map_or("", |reference| self.document.text_of(reference))
    }

    fn span(&self, at: usize) -> Span {
        let reference = self.reference(at);
        reference.map_or(Span::default(), |reference| {
            self.document.span_of(reference)
        })
    }

    /// The location of a reference, without its position.
    fn location(&self, at: usize) -> Location {
        let reference = self.reference(at);
        reference.map_or(Location::default(), |reference| {
            Location::of_reference(self.document, reference, None)
        })
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
        let [before, after] = [self.sides.before, self.sides.after].map(|side| side.document);
        // A charset that is only guessed from the bytes may change once a reference is in ASCII.
        let is_guess =
            [before, after].map(|side| side.charset.source == CharsetSource::Fallback) == [true; 2];
        let is_same = before.transcoded().is_some() == after.transcoded().is_some()
            && (is_guess || before.charset.encoding == after.charset.encoding);
        if !is_same {
            let [was, is] = [before, after].map(|side| side.charset.encoding.name());
            let message = format!("the charset was {was} and is {is}");
            self.found.push(PlacedDifference {
                at: Both::default(),
                order: 0,
                difference: Difference::of_file(DifferenceKind::Encoding, message),
            });
        }
    }

    /// Compares the references; returns the pairs of a reference and its counterpart.
    fn references(&mut self) -> Vec<Pair<'d>> {
        let Both { before, after } = self.sides;
        self.references.base = before.base.len() + after.base.len();
        let is_alike = |i: usize, j: usize| {
            let pair = Both::new(before.reference(i), after.reference(j)).flatten();
            pair.is_some_and(|pair| {
                is_same_carrier(
                    (before.document, pair.before.container),
                    (after.document, pair.after.container),
                )
            })
        };
        let is_equal =
            |i: usize, j: usize| is_alike(i, j) && self.difference_between(i, j).is_none();
        let (count, count_after) = (before.references.len(), after.references.len());
        let steps = align(count, count_after, is_alike, is_equal);
        let mut pairs = Vec::with_capacity(steps.len());
        // The end of the last pair.
        let mut at = Both::default();
        for step in steps {
            match step {
                AlignmentStep::Pair(i, j) => {
                    let pair = Both::new(before.reference(i), after.reference(j));
                    let Some(references) = pair.flatten() else {
                        continue;
                    };
                    let is_respelled = before.text(i) != after.text(j);
                    self.references.compared += 1;
                    self.references.respelled += usize::from(is_respelled);
                    self.references.unchanged += usize::from(!is_respelled);
                    pairs.push(Pair {
                        references,
                        is_respelled,
                    });
                    if let Some((kind, message)) = self.difference_between(i, j) {
                        let order = after.span(j).start;
                        self.push(kind, message, Both::new(Some(i), Some(j)), order);
                    }
                    at = Both::new(before.span(i).end, after.span(j).end);
                }
                AlignmentStep::Missing(range) => {
                    for (i, more) in shown(range) {
                        let message = with_more("the reference is missing", more);
                        // The offset it would have if everything before it were unchanged.
                        let order = at.after + before.span(i).start.saturating_sub(at.before);
                        let kind = DifferenceKind::MissingReference;
                        self.push(kind, message, Both::new(Some(i), None), order);
                    }
                }
                AlignmentStep::Extra(range) => {
                    for (j, more) in shown(range) {
                        let message = with_more("BEFORE has no such reference here", more);
                        let kind = DifferenceKind::ExtraReference;
                        self.push(kind, message, Both::new(None, Some(j)), after.span(j).start);
                    }
                }
            }
        }
        pairs
    }

    /// The difference between a reference and its counterpart.
    fn difference_between(&self, i: usize, j: usize) -> Option<(DifferenceKind, String)> {
        let Both { before, after } = self.sides;
        let is_same_text = || before.text(i) == after.text(j);
        let message = match (before.meaning(i)?, after.meaning(j)?) {
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

    /// Adds a difference of a reference, its counterpart, or both; `at` are their numbers.
    fn push(
        &mut self,
        kind: DifferenceKind,
        message: String,
        at: Both<Option<usize>>,
        order: usize,
    ) {
        let sides = self.sides.zip(at);
        let text = sides.map(|(side, at)| Some(side.text(at?).to_owned()));
        let target = sides.map(|(side, at)| side.target(at?));
        let location = sides.map(|(side, at)| Some(side.location(at?)));
        let mut difference = Difference {
            before: text.before,
            after: text.after,
            expected_target: target.before,
            target: target.after,
            ..Difference::of_file(kind, message)
        };
        let location = location.after.or(location.before);
        difference.diagnostic.location = location.unwrap_or_default();
        self.found.push(PlacedDifference {
            at: sides.map(|(side, at)| Some(side.span(at?).start)),
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
        }
    }
}

/// The references of a run that are reported, each with the number of others that its message
/// counts: only the first of a long run.
fn shown(range: Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    const MOST: usize = 3;
    let (count, start) = (range.len(), range.start);
    let shown = if count > MOST { 1 } else { count };
    (start..start + shown).map(move |at| (at, count - shown))
}

fn with_more(message: &str, more: usize) -> String {
    match more {
        0 => message.to_owned(),
        more => format!("{message} ({more} more follow)"),
    }
}

/// Whether two containers are of the same kind, and inside containers of the same kinds.
fn is_same_carrier(before: (&Document<'_>, usize), after: (&Document<'_>, usize)) -> bool {
    let is_same = |old: &Container, new: &Container| {
        old.kind == new.kind
            && match (old.syntax, new.syntax) {
                (Syntax::Attribute(_), Syntax::Attribute(_))
                | (Syntax::Css(_), Syntax::Css(_))
                | (Syntax::Xml(_), Syntax::Xml(_)) => true,
                (old, new) => old == new,
            }
    };
    let mut at = (Some(before.1), Some(after.1));
    loop {
        let containers = (
            at.0.and_then(|at| before.0.containers.get(at)),
            at.1.and_then(|at| after.0.containers.get(at)),
        );
        at = match containers {
            (None, None) => return true,
            (Some(old), Some(new)) if is_same(old, new) => (old.parent, new.parent),
            _ => return false,
        };
    }
}
