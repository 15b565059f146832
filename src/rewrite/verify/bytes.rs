//! What is between the references, byte by byte.
//!
//! Both documents are cut at the references that are counterparts. A value that got quotes is cut
//! out as a whole and looked into on its own, so that nothing but quotes is excused.

use std::borrow::Cow;
use std::ops::Range;

use super::base_element::BaseTag;
use crate::document::container::{Container, Form};
use crate::document::css::CssForm;
use crate::document::html::Quote;
use crate::document::text::Text;
use crate::document::{Document, Reference};

/// The same of both documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Both<T> {
    pub(super) before: T,
    pub(super) after: T,
}

/// References that are counterparts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'d> {
    pub(super) references: Both<&'d Reference>,
    /// Whether their texts differ.
    pub(super) is_respelled: bool,
}

/// A place where the documents differ, though no reference stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// Offsets in the working bytes.
    pub(super) at: Both<usize>,
    /// What is there.
    pub(super) excerpt: Both<String>,
}

/// A document, and its `base` elements with an `href`.
pub(super) struct Side<'d> {
    pub(super) document: &'d Document<'d>,
    pub(super) base_tags: Vec<BaseTag>,
}

/// Where `before` and `after` differ outside of the references `pairs`, which are in order.
pub(super) fn compare(before: &Side<'_>, after: &Side<'_>, pairs: &[Pair<'_>]) -> Vec<Damage> {
    let mut comparison = Comparison {
        before,
        after,
        found: Vec::new(),
    };
    let whole = Region {
        level: Both {
            before: None,
            after: None,
        },
        range: Both {
            before: 0..before.document.working_bytes().len(),
            after: 0..after.document.working_bytes().len(),
        },
        opened: None,
        quote: None,
    };
    comparison.region(&whole, pairs);
    comparison.found
}

/// A part of both documents, or of the text of containers in them.
struct Region {
    /// The containers in whose texts the ranges count; `None` for the document's bytes.
    level: Both<Option<usize>>,
    range: Both<Range<usize>>,
    /// The containers that got quotes, whose raw texts this is.
    opened: Option<Both<usize>>,
    /// The quote they got.
    quote: Option<u8>,
}

struct Comparison<'c> {
    before: &'c Side<'c>,
    after: &'c Side<'c>,
    found: Vec<Damage>,
}

impl Comparison<'_> {
    fn region(&mut self, region: &Region, pairs: &[Pair<'_>]) {
        let mut at = Both {
            before: region.range.before.start,
            after: region.range.after.start,
        };
        let mut rest = pairs;
        while let Some(first) = rest.first() {
            let requoted = self.requoted(first, region);
            let length = match requoted {
                None => 1,
                Some(_) => rest
                    .iter()
                    .take_while(|pair| self.requoted(pair, region) == requoted)
                    .count()
                    .max(1),
            };
            let (group, others) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            rest = others;
            let inner = requoted
                .filter(|_| group.iter().any(|pair| pair.is_respelled))
                .and_then(|containers| self.within_quotes(containers));
            match inner {
                Some((hole, inner)) => {
                    let hole = self.raised(region, inner.level, hole);
                    self.gap(region, &at, Some(&hole), first.is_respelled);
                    self.region(&inner, group);
                    at = ends(hole);
                }
                None => {
                    for pair in group {
                        let level = pair.references.map(|reference| Some(reference.container));
                        let range = pair.references.map(|reference| reference.range.clone());
                        let hole = self.raised(region, level, range);
                        self.gap(region, &at, Some(&hole), pair.is_respelled);
                        at = ends(hole);
                    }
                }
            }
        }
        self.gap(region, &at, None, false);
    }

    /// The outermost containers of a pair, within the region, that may have got quotes.
    fn requoted(&self, pair: &Pair<'_>, region: &Region) -> Option<Both<usize>> {
        let mut found = None;
        let mut at = pair.references.map(|reference| reference.container);
        while region.opened != Some(at) {
            let (before, after) = self.containers(at)?;
            if gets_quotes(before.form, after.form) {
                found = Some(at);
            }
            match (before.parent, after.parent) {
                (before, after) if (Both { before, after }) == region.level => break,
                (Some(before), Some(after)) => at = Both { before, after },
                _ => break,
            }
        }
        found
    }

    fn containers(&self, at: Both<usize>) -> Option<(&Container, &Container)> {
        Some((
            self.before.document.containers.get(at.before)?,
            self.after.document.containers.get(at.after)?,
        ))
    }

    /// What the quotes of containers enclose, and where that stands with them, in the text around.
    fn within_quotes(&self, opened: Both<usize>) -> Option<(Both<Range<usize>>, Region)> {
        let (before, after) = self.containers(opened)?;
        let level = Both {
            before: before.parent,
            after: after.parent,
        };
        let range = Both {
            before: before.span.start..before.span.end,
            after: after.span.start..after.span.end,
        };
        let (quote, is_escaped) = match after.form {
            Form::Attribute(Quote::Double) => (b'"', true),
            Form::Attribute(Quote::Single) => (b'\'', true),
            Form::Css(CssForm::Quoted(quote)) => (quote, false),
            _ => return None,
        };
        let opener: &[u8] = match before.form {
            Form::Attribute(Quote::NoValue) => &[b'=', quote],
            _ => &[quote],
        };
        let source = self.after.source(level.after);
        let start = range.after.start.checked_sub(opener.len())?;
        let end = range.after.end + 1;
        if source.get(start..range.after.start) != Some(opener)
            || source.get(range.after.end) != Some(&quote)
        {
            return None;
        }
        let hole = Both {
            before: range.before.clone(),
            after: start..end,
        };
        let region = Region {
            level,
            range,
            opened: Some(opened),
            quote: is_escaped.then_some(quote),
        };
        Some((hole, region))
    }

    /// Ranges of the texts `from` as ranges of the region's.
    fn raised(
        &self,
        region: &Region,
        from: Both<Option<usize>>,
        range: Both<Range<usize>>,
    ) -> Both<Range<usize>> {
        let (before, after) = (self.before, self.after);
        Both {
            before: before.raised(from.before, region.level.before, range.before),
            after: after.raised(from.after, region.level.after, range.after),
        }
    }

    /// Compares what is between `at` and `hole`, or the end of the region.
    fn gap(
        &mut self,
        region: &Region,
        at: &Both<usize>,
        hole: Option<&Both<Range<usize>>>,
        is_respelled: bool,
    ) {
        let end = match hole {
            Some(hole) => Both {
                before: hole.before.start,
                after: hole.after.start,
            },
            None => Both {
                before: region.range.before.end,
                after: region.range.after.end,
            },
        };
        let range = Both {
            before: at.before..end.before,
            after: at.after..end.after,
        };
        let level = region.level;
        let old = self.before.source(level.before).get(range.before.clone());
        let new = self.after.source(level.after).get(range.after.clone());
        if old.unwrap_or_default() == new.unwrap_or_default() {
            return;
        }
        let allowed = Allowed {
            quote: region.quote,
            closer: is_respelled,
        };
        // Where the documents first part, by the reading of the base elements that brings furthest.
        let mut furthest: Option<(usize, Both<usize>)> = None;
        for before in self.before.readings(level.before, &range.before) {
            let old = before.bytes(self.before.source(level.before));
            for after in self.after.readings(level.after, &range.after) {
                let new = after.bytes(self.after.source(level.after));
                if allowed.is_equal(&old, &new) {
                    return;
                }
                let common = common_prefix(&old, &new);
                if furthest.is_none_or(|(length, _)| length <= common) {
                    let at = Both {
                        before: before.offset(common),
                        after: after.offset(common),
                    };
                    furthest = Some((common, at));
                }
            }
        }
        let at = furthest.map_or(*at, |(_, at)| at);
        self.found.push(Damage {
            at: Both {
                before: self
                    .before
                    .raised(level.before, None, at.before..at.before)
                    .start,
                after: self
                    .after
                    .raised(level.after, None, at.after..at.after)
                    .start,
            },
            excerpt: Both {
                before: excerpt(
                    self.before.source(level.before),
                    at.before..range.before.end,
                ),
                after: excerpt(self.after.source(level.after), at.after..range.after.end),
            },
        });
    }
}

/// Whether a form is another with quotes.
fn gets_quotes(before: Form, after: Form) -> bool {
    matches!(
        (before, after),
        (
            Form::Attribute(Quote::Unquoted | Quote::NoValue),
            Form::Attribute(Quote::Double | Quote::Single)
        ) | (Form::Css(CssForm::Unquoted), Form::Css(CssForm::Quoted(_)))
    )
}

fn ends(hole: Both<Range<usize>>) -> Both<usize> {
    hole.map(|range| range.end)
}

impl<T> Both<T> {
    fn map<U>(self, change: impl Fn(T) -> U) -> Both<U> {
        Both {
            before: change(self.before),
            after: change(self.after),
        }
    }
}

impl Side<'_> {
    /// The bytes of the document, or of a container's text.
    fn source(&self, level: Option<usize>) -> &[u8] {
        match level {
            None => self.document.working_bytes(),
            Some(level) => self
                .document
                .containers
                .get(level)
                .map_or(&[], |container| container.text.as_str().as_bytes()),
        }
    }

    /// A range of the text `from` as one of the text `to`, which is around it.
    fn raised(&self, from: Option<usize>, to: Option<usize>, range: Range<usize>) -> Range<usize> {
        let mut range = range;
        let mut level = from;
        while let Some(at) = level.filter(|_| level != to) {
            let Some(container) = self.document.containers.get(at) else {
                break;
            };
            let inner = container.text.source_range(range);
            let start = container.span.start;
            range = start + inner.start..start + inner.end;
            level = container.parent;
        }
        range
    }

    /// Whether the text `level` is `of` or around it.
    fn is_around(&self, level: Option<usize>, of: Option<usize>) -> bool {
        let mut at = of;
        while at != level {
            let Some(container) = at.and_then(|at| self.document.containers.get(at)) else {
                return false;
            };
            at = container.parent;
        }
        true
    }

    /// A range of the text `level` without the `href` of the `base` elements in it: first with the
    /// elements, then without those that have nothing else.
    fn readings(&self, level: Option<usize>, range: &Range<usize>) -> Vec<Reading> {
        let within = |inner: &Range<usize>| range.start <= inner.start && inner.end <= range.end;
        let mut cuts = Vec::new();
        for tag in &self.base_tags {
            if !self.is_around(level, tag.level) {
                continue;
            }
            let raised = |inner: &Range<usize>| self.raised(tag.level, level, inner.clone());
            let attribute = raised(&tag.attribute);
            if within(&attribute) {
                let element = tag.is_bare.then(|| raised(&tag.element));
                cuts.push((attribute, element.filter(within)));
            }
        }
        let attributes = cuts.iter().map(|(attribute, _)| attribute.clone());
        let mut readings = vec![Reading::without(range, attributes)];
        if cuts.iter().any(|(_, element)| element.is_some()) {
            let elements = cuts
                .iter()
                .map(|(attribute, element)| element.as_ref().unwrap_or(attribute).clone());
            readings.push(Reading::without(range, elements));
        }
        readings
    }
}

/// The pieces of a text that count.
struct Reading(Vec<Range<usize>>);

impl Reading {
    fn without(range: &Range<usize>, cuts: impl Iterator<Item = Range<usize>>) -> Reading {
        let mut kept = Vec::new();
        let mut from = range.start;
        for cut in cuts {
            if cut.start >= from {
                kept.push(from..cut.start);
            }
            from = from.max(cut.end);
        }
        kept.push(from..range.end.max(from));
        Reading(kept)
    }

    fn bytes<'s>(&self, source: &'s [u8]) -> Cow<'s, [u8]> {
        let mut pieces = self
            .0
            .iter()
            .map(|range| source.get(range.clone()).unwrap_or_default());
        match self.0.len() {
            1 => pieces.next().unwrap_or_default().into(),
            _ => pieces.collect::<Vec<_>>().concat().into(),
        }
    }

    /// Where the byte `offset` of [`Reading::bytes`] stands in the source.
    fn offset(&self, offset: usize) -> usize {
        let mut left = offset;
        for range in &self.0 {
            if left < range.len() {
                return range.start + left;
            }
            left -= range.len();
        }
        self.0.last().map_or(0, |last| last.end)
    }
}

/// What may be different in a gap.
struct Allowed {
    /// This quote is escaped now.
    quote: Option<u8>,
    /// A character reference at the end got its semicolon, since letters come behind it now.
    closer: bool,
}

impl Allowed {
    fn is_equal(&self, before: &[u8], after: &[u8]) -> bool {
        let escaped: Cow<'_, [u8]> = match self.quote {
            None => before.into(),
            Some(quote) => {
                let escape: &[u8] = if quote == b'"' { b"&quot;" } else { b"&#39;" };
                let pieces: Vec<&[u8]> = before.split(|&b| b == quote).collect();
                pieces.join(escape).into()
            }
        };
        *escaped == *after || self.closer && is_closed(&escaped, after)
    }
}

/// Whether `after` is `before` with a semicolon that ends a character reference.
fn is_closed(before: &[u8], after: &[u8]) -> bool {
    if after.strip_suffix(b";") != Some(before) {
        return false;
    }
    let start = memchr::memrchr(b'&', before).unwrap_or(before.len());
    let Ok(open) = std::str::from_utf8(before.get(start..).unwrap_or_default()) else {
        return false;
    };
    let mut texts = (open.to_owned(), format!("{open};"));
    // It may be escaped once for each document in a document.
    for _ in 0..=MOST_NESTED {
        let decode = |text: &str| {
            Text::decode(text.as_bytes(), encoding_rs::UTF_8)
                .as_str()
                .to_owned()
        };
        let decoded = (decode(&texts.0), decode(&texts.1));
        if decoded.0 == decoded.1 {
            return true;
        }
        if decoded == texts {
            return false;
        }
        texts = decoded;
    }
    false
}

/// More than documents are looked into.
const MOST_NESTED: usize = 20;

/// How much both have in common, in whole characters where they are in UTF-8.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let equal = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let is_inside = |at: usize| one.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (equal.saturating_sub(3)..=equal)
        .rev()
        .find(|&at| !is_inside(at))
        .unwrap_or(equal)
}

fn excerpt(source: &[u8], range: Range<usize>) -> String {
    const LENGTH: usize = 40;
    let bytes = source.get(range).unwrap_or_default();
    let shown = bytes.get(..bytes.len().min(4 * LENGTH)).unwrap_or_default();
    let text = String::from_utf8_lossy(shown);
    let mut excerpt: String = text.chars().take(LENGTH).collect();
    if excerpt.len() < text.len() || shown.len() < bytes.len() {
        excerpt.push_str("...");
    }
    excerpt
}
