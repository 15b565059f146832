//! One of two documents: the texts of its containers, with and without `base` elements.

use std::borrow::Cow;

use super::base_element::BaseTag;
use crate::document::{Document, Span};

/// A document, and its `base` elements with an `href`.
pub(super) struct Side<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) base_tags: Vec<BaseTag>,
}

impl Side<'_> {
    /// The working bytes, or the text of the container `level`.
    pub(super) fn source(&self, level: Option<usize>) -> &[u8] {
        match level {
            None => self.document.working_bytes(),
            Some(level) => self
                .document
                .containers
                .get(level)
                .map_or(&[], |container| container.text.as_str().as_bytes()),
        }
    }

    /// Converts a span of the text `from` to a span of the text `to`, which contains it.
    pub(super) fn raised(&self, from: Option<usize>, to: Option<usize>, mut span: Span) -> Span {
        let mut level = from;
        while let Some(at) = level.filter(|_| level != to) {
            let Some(container) = self.document.containers.get(at) else {
                break;
            };
            span = container
                .text
                .source_span(span)
                .shifted(container.span.start);
            level = container.parent;
        }
        span
    }

    /// Returns whether the text `level` is the text `of`, or contains it.
    pub(super) fn is_around(&self, level: Option<usize>, of: Option<usize>) -> bool {
        let mut at = of;
        while at != level {
            let Some(container) = at.and_then(|at| self.document.containers.get(at)) else {
                return false;
            };
            at = container.parent;
        }
        true
    }

    /// The bytes in a span of the text `level` that remain without the `href` of `base` elements; if
    /// some of these have no other attribute, also the bytes that remain without these elements.
    pub(super) fn remainders(&self, level: Option<usize>, span: Span) -> Vec<Remainder> {
        let mut cuts = Vec::new();
        for tag in &self.base_tags {
            if !self.is_around(level, tag.level) {
                continue;
            }
            let raised = |inner: Span| self.raised(tag.level, level, inner);
            let attribute = raised(tag.attribute);
            if span.contains(attribute) {
                let element = tag.may_go.then(|| raised(tag.element));
                cuts.push((attribute, element.filter(|element| span.contains(*element))));
            }
        }
        let attributes = cuts.iter().map(|(attribute, _)| *attribute);
        let mut remainders = vec![Remainder::without(span, attributes)];
        if cuts.iter().any(|(_, element)| element.is_some()) {
            let elements = cuts
                .iter()
                .map(|(attribute, element)| element.unwrap_or(*attribute));
            remainders.push(Remainder::without(span, elements));
        }
        remainders
    }
}

/// The pieces of a text that remain without its `base` elements.
pub(super) struct Remainder(Vec<Span>);

impl Remainder {
    fn without(span: Span, cuts: impl Iterator<Item = Span>) -> Remainder {
        let mut kept = Vec::new();
        let mut from = span.start;
        for cut in cuts {
            if cut.start >= from {
                kept.push(Span::from(from..cut.start));
            }
            from = from.max(cut.end);
        }
        kept.push(Span::from(from..span.end.max(from)));
        Remainder(kept)
    }

    pub(super) fn bytes<'s>(&self, source: &'s [u8]) -> Cow<'s, [u8]> {
        let mut pieces = self.0.iter().map(|span| span.of(source));
        match self.0.len() {
            1 => pieces.next().unwrap_or_default().into(),
            _ => pieces.collect::<Vec<_>>().concat().into(),
        }
    }

    /// The offset in the source of the byte `offset` of [`Remainder::bytes`].
    pub(super) fn offset(&self, offset: usize) -> usize {
        let mut left = offset;
        for span in &self.0 {
            if left < span.len() {
                return span.start + left;
            }
            left -= span.len();
        }
        self.0.last().map_or(0, |last| last.end)
    }
}
