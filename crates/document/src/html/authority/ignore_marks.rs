//! Ignore marks in the tree, and the parts of the source that they cover.
//!
//! The tree knows which elements a mark covers, the source where they stand. So each tag and each
//! comment is added with its mark, and neighbours in the source with the same mark become one part.

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};

use super::budget::Budget;
use crate::html::further::FurtherAttributes;
use crate::metadata::{self, Ignored};
use rehref_url::Span;

/// The attribute that a tag gets in the tree for an ignore mark in the comment before it, so that
/// copies of its element have it too. No source has this name: the tokenizer returns lower case.
const FROM_COMMENT: &str = "REHREF-IGNORE";

/// Returns the attribute for a comment with this list.
pub(super) fn of_comment(list: StrTendril) -> Attribute {
    Attribute { name: QualName::new(None, ns!(), LocalName::from(FROM_COMMENT)), value: list }
}

/// Returns true if the attribute of this name is an ignore mark.
pub(super) fn is_mark(name: &str, further: FurtherAttributes) -> bool {
    name == metadata::ATTRIBUTE || further.ignore_marks().contains(&name)
}

pub(super) struct IgnoreMarks<'b> {
    budget: &'b Budget,
    further: FurtherAttributes,
    /// The checks that each mark ignores, with those of the marks around it; empty for all checks.
    checks: Vec<Vec<Box<str>>>,
    /// The starts of tags and comments, and the mark that covers each.
    starts: Vec<(usize, Option<usize>)>,
}

impl<'b> IgnoreMarks<'b> {
    pub(super) fn new(budget: &'b Budget, further: FurtherAttributes) -> IgnoreMarks<'b> {
        IgnoreMarks { budget, further, checks: Vec::new(), starts: Vec::new() }
    }

    /// Returns the mark that covers an element with these attributes; `outer` covers the element's parent.
    pub(super) fn enter(
        &mut self,
        outer: Option<usize>,
        attributes: &[Attribute],
    ) -> Option<usize> {
        let mut inner = outer;
        for attribute in attributes {
            let name = &*attribute.name.local;
            if name == metadata::ATTRIBUTE || name == FROM_COMMENT {
                inner = Some(self.mark(inner, &attribute.value));
            } else if self.further.ignore_marks().contains(&name) {
                // Its value has the meaning that another program gives it.
                inner = Some(self.mark(inner, ""));
            }
        }
        inner
    }

    fn mark(&mut self, outer: Option<usize>, list: &str) -> usize {
        let around = outer.and_then(|at| Some((at, self.checks.get(at)?)));
        let mut checks: Vec<Box<str>> = metadata::check_ids(list).map(Box::from).collect();
        if let Some((at, around)) = around {
            if around.is_empty() {
                return at;
            }
            if !checks.is_empty() {
                // The lists of nested marks add up.
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

    /// Adds a tag or a comment, which starts at `start`, and the mark that covers it.
    pub(super) fn add(&mut self, start: usize, mark: Option<usize>) {
        self.starts.push((start, mark));
    }

    /// Returns the parts of the source that the marks cover. `end` is the length of the source.
    pub(super) fn parts(mut self, end: usize) -> Vec<Ignored> {
        self.starts.sort_unstable();
        let mut parts: Vec<Ignored> = Vec::new();
        let mut end = end;
        for part in self.starts.chunk_by(|(_, one), (_, next)| one == next).rev() {
            let Some((start, mark)) = part.first() else { continue };
            if let Some(checks) = mark.and_then(|mark| self.checks.get(mark)) {
                parts.push(Ignored { span: Span::from(*start..end), checks: checks.clone() });
            }
            end = *start;
        }
        parts.reverse();
        parts
    }
}
