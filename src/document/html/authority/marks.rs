//! Ignore marks in the tree, and what they cover in the source.
//!
//! What is in an element is known from the tree, where it stands from the source: each thing that
//! can be found in a document is noted with the mark that it is under, and neighbours in the source
//! under the same mark make a part.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

use crate::document::Span;
use crate::document::facts::{self, Ignored};
use crate::document::html::budget::Budget;

/// The attribute that a tag gets in the tree for the comment before it, so that copies of its
/// element have it too. No source has one of this name: names of tags are in lower case.
const FROM_COMMENT: &str = "REHREF-IGNORE";

/// The attribute for a comment with this list.
pub(super) fn of_comment(list: StrTendril) -> Attribute {
    Attribute {
        name: QualName::new(None, ns!(), LocalName::from(FROM_COMMENT)),
        value: list,
    }
}

pub(super) struct Marks<'b> {
    budget: &'b Budget,
    /// The checks of each mark, with those of the marks around it; empty for all.
    checks: Vec<Vec<Box<str>>>,
    /// Where things start, and the mark they are under.
    things: Vec<(usize, Option<usize>)>,
}

impl<'b> Marks<'b> {
    pub(super) fn new(budget: &'b Budget) -> Marks<'b> {
        Marks {
            budget,
            checks: Vec::new(),
            things: Vec::new(),
        }
    }

    /// The mark that an element with these attributes is under, itself under `outer`.
    pub(super) fn enter(
        &mut self,
        outer: Option<usize>,
        attributes: &[Attribute],
    ) -> Option<usize> {
        let mut inner = outer;
        for attribute in attributes {
            let name = &*attribute.name.local;
            if name == facts::ATTRIBUTE || name == FROM_COMMENT {
                inner = Some(self.mark(inner, &attribute.value));
            }
        }
        inner
    }

    fn mark(&mut self, outer: Option<usize>, list: &str) -> usize {
        let around = outer.and_then(|at| Some((at, self.checks.get(at)?)));
        let mut checks: Vec<Box<str>> = facts::check_ids(list).map(Box::from).collect();
        if let Some((at, around)) = around {
            if around.is_empty() {
                return at;
            }
            if !checks.is_empty() {
                // Marks within marks with long lists add up.
                self.budget.steps(16 * around.len());
                checks.extend(around.iter().cloned());
                checks.sort_unstable();
                checks.dedup();
            }
            if checks == *around {
                return at;
            }
        }
        if self.budget.is_exceeded() {
            checks = Vec::new();
        }
        self.checks.push(checks);
        self.checks.len() - 1
    }

    /// Notes that something which is under `mark` starts here.
    pub(super) fn thing(&mut self, start: usize, mark: Option<usize>) {
        self.things.push((start, mark));
    }

    /// The parts of the source, which ends at `end`, that the marks cover.
    pub(super) fn parts(mut self, end: usize) -> Vec<Ignored> {
        self.things.sort_unstable();
        let ends = self.things.iter().map(|(start, _)| *start).skip(1);
        let ends: Vec<usize> = ends.chain([end]).collect();
        let mut parts: Vec<Ignored> = Vec::new();
        let mut last = None;
        for ((start, mark), end) in self.things.into_iter().zip(ends) {
            let span = Span { start, end };
            let checks = mark.and_then(|mark| self.checks.get(mark));
            if let Some(part) = parts.last_mut()
                && last == mark
                && mark.is_some()
            {
                part.span.end = end;
            } else if let Some(checks) = checks {
                parts.push(Ignored {
                    span,
                    checks: checks.clone(),
                });
            }
            last = mark;
        }
        parts
    }
}
