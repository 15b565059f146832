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

/// What two documents are compared by.
#[derive(Clone, Copy)]
pub struct ComparisonOptions<'c> {
    /// How both documents are parsed.
    pub options: ParseOptions,
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
/// carriers, each with the target that `context` expects, and all other bytes must be equal. The
/// `href` of `base` elements may differ.
///
/// # Errors
/// When BEFORE cannot be parsed; such a document is skipped by a rewriting, so that AFTER must be
/// equal to it.
pub fn verify_document(
    before: &[u8],
    after: &[u8],
    context: &ComparisonOptions<'_>,
) -> Result<DocumentComparison, DocumentError> {
    let before = Document::parse(before, &context.options)?;
    let after = match Document::parse(after, &context.options) {
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
        Meaning::Target(target) => Meaning::Target((context.follow)(&target)),
        text => text,
    };
    let sides = Both {
        before: ResolvedDocument::of(&before, context.before, follow),
        after: ResolvedDocument::of(&after, context.after, |meaning| meaning),
    };
    let mut comparison = ReferenceComparison {
        context,
        before: &sides.before,
        after: &sides.after,
        references: ComparedReferences::default(),
        found: Vec::new(),
    };
    comparison.encodings();
    let pairs = comparison.references();
    comparison.bytes(&pairs);
    Ok(comparison.result())
}

/// What a document has: its references but those of `base` elements, with what they mean.
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
                container.is_some_and(base_element::is_href)
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

    fn text(&self, at: usize) -> &str {
        let reference = self.references.get(at);
        reference.map_or("", |(reference, _)| self.document.text_of(reference))
    }

    fn span(&self, at: usize) -> Span {
        let reference = self.references.get(at);
        reference.map_or(Span::default(), |(reference, _)| {
            self.document.span_of(reference)
        })
    }

    /// The location of a reference, without its position.
    fn location(&self, at: usize) -> Location {
        let reference = self.references.get(at);
        reference.map_or(Location::default(), |(reference, _)| {
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

/// A difference, and the offsets that its positions are at.
struct PlacedDifference {
    at: Option<usize>,
    at_before: Option<usize>,
    /// What it is sorted by: an offset in AFTER.
    order: usize,
    difference: Difference,
}

struct ReferenceComparison<'c, 'd> {
    context: &'c ComparisonOptions<'c>,
    before: &'c ResolvedDocument<'d>,
    after: &'c ResolvedDocument<'d>,
    references: ComparedReferences,
    found: Vec<PlacedDifference>,
}

impl<'d> ReferenceComparison<'_, 'd> {
    fn encodings(&mut self) {
        let (before, after) = (self.before.document, self.after.document);
        // What is only guessed from the bytes may be guessed otherwise once a reference is in ASCII.
        let is_guess =
            [before, after].map(|side| side.charset.source == CharsetSource::Fallback) == [true; 2];
        let is_same = before.transcoded().is_some() == after.transcoded().is_some()
            && (is_guess || before.charset.encoding == after.charset.encoding);
        if !is_same {
            let message = format!(
                "the charset was {} and is {}",
                before.charset.encoding.name(),
                after.charset.encoding.name()
            );
            self.found.push(PlacedDifference {
                at: None,
                at_before: None,
                order: 0,
                difference: Difference::of_file(DifferenceKind::Encoding, message),
            });
        }
    }

    /// Compares the references; gives those that are counterparts.
    fn references(&mut self) -> Vec<Pair<'d>> {
        let (before, after) = (self.before, self.after);
        self.references.base = before.base.len() + after.base.len();
        let is_alike = |i: usize, j: usize| {
            let (old, new) = (before.references.get(i), after.references.get(j));
            old.zip(new).is_some_and(|((old, _), (new, _))| {
                is_same_carrier(
                    (before.document, old.container),
                    (after.document, new.container),
                )
            })
        };
        let is_equal =
            |i: usize, j: usize| is_alike(i, j) && self.difference_between(i, j).is_none();
        let steps = align(
            before.references.len(),
            after.references.len(),
            is_alike,
            is_equal,
        );
        let mut pairs = Vec::with_capacity(steps.len());
        // Where the comparison is.
        let mut at = Both {
            before: 0,
            after: 0,
        };
        for step in steps {
            match step {
                AlignmentStep::Pair(i, j) => {
                    let (old, new) = (before.references.get(i), after.references.get(j));
                    let Some(((old, _), (new, _))) = old.zip(new) else {
                        continue;
                    };
                    let is_respelled = before.text(i) != after.text(j);
                    self.references.compared += 1;
                    if is_respelled {
                        self.references.respelled += 1;
                    } else {
                        self.references.unchanged += 1;
                    }
                    pairs.push(Pair {
                        references: Both {
                            before: old,
                            after: new,
                        },
                        is_respelled,
                    });
                    if let Some(difference) = self.difference_between(i, j) {
                        self.push_pair(i, j, difference);
                    }
                    at = Both {
                        before: before.span(i).end,
                        after: after.span(j).end,
                    };
                }
                AlignmentStep::Missing(range) => {
                    let kind = DifferenceKind::MissingReference;
                    for (i, more) in shown(range) {
                        let message = with_more("the reference is missing", more);
                        let mut difference = Difference::of_file(kind, message);
                        difference.diagnostic.location = before.location(i);
                        difference.before = Some(before.text(i).to_owned());
                        difference.expected_target = target_of(before.references.get(i));
                        let start = before.span(i).start;
                        self.found.push(PlacedDifference {
                            at: None,
                            at_before: Some(start),
                            // Where it would be had all else stayed.
                            order: at.after + start.saturating_sub(at.before),
                            difference,
                        });
                    }
                }
                AlignmentStep::Extra(range) => {
                    let kind = DifferenceKind::ExtraReference;
                    for (j, more) in shown(range) {
                        let message = with_more("BEFORE has no such reference here", more);
                        let mut difference = Difference::of_file(kind, message);
                        difference.diagnostic.location = after.location(j);
                        difference.after = Some(after.text(j).to_owned());
                        difference.target = target_of(after.references.get(j));
                        let at = after.span(j).start;
                        self.found.push(PlacedDifference {
                            at: Some(at),
                            at_before: None,
                            order: at,
                            difference,
                        });
                    }
                }
            }
        }
        pairs
    }

    /// What is wrong with a reference and its counterpart.
    fn difference_between(&self, i: usize, j: usize) -> Option<(DifferenceKind, String)> {
        let (_, before) = self.before.references.get(i)?;
        let (_, after) = self.after.references.get(j)?;
        let is_same_text = || self.before.text(i) == self.after.text(j);
        let message = match (before, after) {
            (Meaning::Target(expected), Meaning::Target(found)) => {
                if expected == found || (self.context.same)(expected, found) {
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
            // The text is the same. What gives it another meaning stands around it, and is a
            // difference of its own.
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

    fn push_pair(&mut self, i: usize, j: usize, (kind, message): (DifferenceKind, String)) {
        let at = self.after.span(j).start;
        let mut difference = Difference::of_file(kind, message);
        difference.diagnostic.location = self.after.location(j);
        self.found.push(PlacedDifference {
            at: Some(at),
            at_before: Some(self.before.span(i).start),
            order: at,
            difference: Difference {
                before: Some(self.before.text(i).to_owned()),
                after: Some(self.after.text(j).to_owned()),
                expected_target: target_of(self.before.references.get(i)),
                target: target_of(self.after.references.get(j)),
                ..difference
            },
        });
    }

    fn bytes(&mut self, pairs: &[Pair<'_>]) {
        for difference in bytes::compare(&self.before.side(), &self.after.side(), pairs) {
            self.found.push(PlacedDifference {
                at: Some(difference.at.after),
                at_before: Some(difference.at.before),
                order: difference.at.after,
                difference: Difference {
                    before: Some(difference.excerpt.before),
                    after: Some(difference.excerpt.after),
                    ..Difference::of_file(
                        DifferenceKind::Bytes,
                        "differs, although no reference is here",
                    )
                },
            });
        }
    }

    fn result(self) -> DocumentComparison {
        let mut found = self.found;
        let count = found.len();
        found.sort_by_key(|found| found.order);
        found.truncate(self.context.limit);
        let mut positions = Positions::new(self.after.document.working_bytes());
        let mut positions_before = Positions::new(self.before.document.working_bytes());
        let differences = found
            .into_iter()
            .map(|mut found| {
                let difference = &mut found.difference;
                difference.diagnostic.location.position = found.at.map(|at| positions.of(at));
                difference.position_before = found.at_before.map(|at| positions_before.of(at));
                found.difference
            })
            .collect();
        DocumentComparison {
            references: self.references,
            count,
            differences,
        }
    }
}

fn target_of(reference: Option<&(&Reference, Meaning)>) -> Option<String> {
    match reference {
        Some((_, Meaning::Target(target))) => Some(target.to_string()),
        _ => None,
    }
}

/// Of many in a row the first is enough: the number, and how many follow it.
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

/// Whether two containers are the same kind of carrier in the same carriers.
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
