//! One of two documents: the texts of its containers, with and without `base` elements.

use std::borrow::Cow;
use std::collections::HashMap;

use super::base_element::BaseTag;
use rehref_document::Document;
use rehref_url::Span;

/// A document, and its `base` elements with an `href`.
pub(super) struct Side<'d> {
    pub(super) document: &'d Document<'d>,
    /// The cuts in each text, in order; `None` for the working bytes.
    cuts: HashMap<Option<usize>, Vec<Cut>>,
}

/// The bytes of a text that may differ, since they are of a `base` element.
struct Cut {
    attribute: Span,
    /// The whole element, if it has no other attribute.
    element: Option<Span>,
}

impl<'d> Side<'d> {
    pub(super) fn new(document: &'d Document<'d>, tags: impl Iterator<Item = BaseTag>) -> Side<'d> {
        let mut side = Side { document, cuts: HashMap::new() };
        for tag in tags {
            let parent = |level: &usize| document.containers.get(*level)?.parent;
            let levels = std::iter::successors(tag.level, parent).map(Some);
            for level in levels.chain([None]) {
                let raised = |inner: Span| side.raised(tag.level, level, inner);
                let cut = Cut {
                    attribute: raised(tag.attribute),
                    element: tag.may_go.then(|| raised(tag.element)),
                };
                side.cuts.entry(level).or_default().push(cut);
            }
        }
        for cuts in side.cuts.values_mut() {
            cuts.sort_by_key(|cut| cut.attribute);
        }
        side
    }

    /// Returns the working bytes, or the text of the container `level`.
    pub(super) fn source(&self, level: Option<usize>) -> &[u8] {
        let Some(level) = level else { return self.document.working_bytes() };
        let container = self.document.containers.get(level);
        container.map_or(&[], |container| container.text.as_str().as_bytes())
    }

    /// Converts a span of the text `from` to a span of the text `to`, which contains it.
    pub(super) fn raised(&self, from: Option<usize>, to: Option<usize>, mut span: Span) -> Span {
        let mut level = from;
        while let Some(at) = level.filter(|_| level != to) {
            let Some(container) = self.document.containers.get(at) else { break };
            span = container.text.source_span(span).shifted(container.span.start);
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

    /// Returns the bytes in a span of the text `level` that remain without the `href` of `base` elements; if some of
    /// these have no other attribute, also the bytes that remain without these elements, and, if they are few, without
    /// some of them.
    pub(super) fn remainders(&self, level: Option<usize>, span: Span) -> Vec<Remainder> {
        let all = self.cuts.get(&level).map_or(&[][..], Vec::as_slice);
        let first = all.partition_point(|cut| cut.attribute.start < span.start);
        let cuts = all.iter().skip(first);
        let cuts = cuts.take_while(|cut| cut.attribute.start <= span.end);
        let cuts: Vec<(Span, Option<Span>)> = cuts
            .filter(|cut| span.contains(cut.attribute))
            .map(|cut| (cut.attribute, cut.element.filter(|it| span.contains(*it))))
            .collect();
        let attributes = cuts.iter().map(|(attribute, _)| *attribute);
        let mut remainders = vec![Remainder::without(span, attributes)];
        let removable = cuts.iter().filter(|(_, element)| element.is_some()).count();
        let last = match removable {
            0 => return remainders,
            1..=FEW => 1 << removable,
            _ => 2,
        };
        // Each bit chooses for one of the elements; with many, one bit for all.
        for choice in (1..last).rev() {
            let mut number = 0;
            let cuts = cuts.iter().map(|(attribute, element)| match element {
                Some(element) => {
                    let bit = if removable <= FEW { number } else { 0 };
                    number += 1;
                    if choice >> bit & 1 == 1 { *element } else { *attribute }
                }
                None => *attribute,
            });
            remainders.push(Remainder::without(span, cuts));
        }
        remainders
    }
}

/// The number of `base` elements between two references for which every choice is tried: with or without the
/// element. All but the first stand in documents of their own (`srcdoc`).
const FEW: usize = 3;

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

    /// Returns the offset in the source of the byte `offset` of [`Remainder::bytes`].
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
