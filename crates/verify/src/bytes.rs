//! Compares the bytes between the references.
//!
//! Both documents are cut at the references that are counterparts. A value that got quotes is cut
//! out as a whole and compared as a region of its own, so that only the quotes are exempt.

use super::allowed::is_allowed;
use super::both::Both;
use super::exemptions::exemptions;
use super::report::{Difference, DifferenceKind, PlacedDifference};
use super::side::Side;
use rehref_document::Reference;
use rehref_document::container::{Container, Syntax};
use rehref_document::css::CssSyntax;
use rehref_document::html::Quote;
use rehref_generators::data::{self, Quoting};
use rehref_url::Span;

/// A reference of BEFORE and its counterpart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'d> {
    pub(super) references: Both<&'d Reference>,
    /// True if their texts differ.
    pub(super) is_respelled: bool,
}

/// Finds where two documents differ outside of the references `pairs`, which are in order.
pub(super) fn compare(sides: Both<&Side<'_>>, pairs: &[Pair<'_>]) -> Vec<PlacedDifference> {
    let (before, after) = (sides.before, sides.after);
    let mut comparison = ByteComparison { sides, found: Vec::new() };
    let mut at = Both::default();
    let mut rest = pairs;
    for cut in exemptions(before.document, after.document) {
        let outer = split_off(&mut rest, |pair| {
            let span = before.document.span_of(pair.references.before);
            span.start < cut.range.before.start
        });
        let end = cut.range.map(|range| range.start);
        comparison.region(&Region::plain(Both::default(), at, end), outer);
        if let Some(body) = cut.body {
            let inner = split_off(&mut rest, |pair| {
                let container = pair.references.before.container;
                before.is_around(Some(body.before), Some(container))
            });
            let level = body.map(Some);
            let end = comparison.sources(level).map(<[u8]>::len);
            comparison.region(&Region::plain(level, Both::default(), end), inner);
        }
        at = cut.range.map(|range| range.end);
    }
    let end = sides.map(|side| side.document.working_bytes().len());
    comparison.region(&Region::plain(Both::default(), at, end), rest);
    comparison.lengths();
    comparison.found
}

/// Takes the first pairs, while they are `wanted`, from `pairs`.
fn split_off<'p, 'd>(
    pairs: &mut &'p [Pair<'d>],
    wanted: impl Fn(&Pair<'d>) -> bool,
) -> &'p [Pair<'d>] {
    let count = pairs.iter().take_while(|pair| wanted(pair)).count();
    let (first, rest) = pairs.split_at_checked(count).unwrap_or((pairs, &[]));
    *pairs = rest;
    first
}

/// The containers that offsets of both documents count in; `None` for the working bytes.
type Level = Both<Option<usize>>;

/// A part of both documents, or of the texts of containers in them.
struct Region {
    level: Level,
    range: Both<Span>,
    /// The containers whose raw texts the region is, if they got quotes.
    opened: Option<Both<usize>>,
    /// The quote that the value got, if it is escaped inside.
    quote: Option<u8>,
}

impl Region {
    fn plain(level: Level, start: Both<usize>, end: Both<usize>) -> Region {
        Region { level, range: spans(start, end), opened: None, quote: None }
    }
}

fn spans(start: Both<usize>, end: Both<usize>) -> Both<Span> {
    start.zip(end).map(|(start, end)| Span::from(start..end.max(start)))
}

struct ByteComparison<'c> {
    sides: Both<&'c Side<'c>>,
    found: Vec<PlacedDifference>,
}

impl<'c> ByteComparison<'c> {
    fn sources(&self, level: Level) -> Both<&'c [u8]> {
        self.sides.zip(level).map(|(side, level)| side.source(level))
    }

    /// Adds a difference at offsets in the working bytes.
    fn push(&mut self, at: Both<usize>, excerpt: Both<String>) {
        let message = "bytes outside of links differ";
        let difference = Difference::of_file(DifferenceKind::Bytes, message)
            .between(excerpt.before, excerpt.after);
        self.found.push(PlacedDifference::new(at.map(Some), difference));
    }

    /// Finds the lengths in headers that were right and are wrong now.
    fn lengths(&mut self) {
        let [before, after] = [self.sides.before, self.sides.after].map(|side| side.document);
        for (old, new) in before.parts.iter().zip(&after.parts) {
            let (Some(length), None) = (old.length, new.length) else { continue };
            let at = Both::new(length.start, length.start.min(new.body.start));
            let given = excerpt(before.working_bytes(), length);
            self.push(at, Both::new(given, format!("a body of {} bytes", new.body.len())));
        }
    }

    fn region(&mut self, region: &Region, pairs: &[Pair<'_>]) {
        let mut at = region.range.map(|range| range.start);
        let groups: Vec<&[Pair<'_>]> = pairs
            .chunk_by(|one, other| {
                let requoted = self.requoted(one, region);
                requoted.is_some() && requoted == self.requoted(other, region)
            })
            .collect();
        for group in groups {
            let Some(first) = group.first() else { continue };
            let inner = self
                .requoted(first, region)
                .filter(|_| group.iter().any(|pair| pair.is_respelled))
                .and_then(|containers| self.within_quotes(containers));
            if let Some((cut, inner)) = inner {
                let cut = self.raised(region, inner.level, cut);
                self.gap(region, at, Some(cut), first.is_respelled);
                self.region(&inner, group);
                at = cut.map(|range| range.end);
                continue;
            }
            for pair in group {
                let level = pair.references.map(|reference| Some(reference.container));
                let range = pair.references.map(|reference| reference.span);
                let cut = self.raised(region, level, range);
                self.gap(region, at, Some(cut), pair.is_respelled);
                at = cut.map(|range| range.end);
            }
        }
        self.gap(region, at, None, false);
    }

    /// The outermost containers of a pair, within the region, that may have got quotes.
    fn requoted(&self, pair: &Pair<'_>, region: &Region) -> Option<Both<usize>> {
        let mut found = None;
        let mut at = pair.references.map(|reference| reference.container);
        while region.opened != Some(at) {
            let containers = self.containers(at)?;
            if gets_quotes(containers.map(|container| container.syntax)) {
                found = Some(at);
            }
            let parents = containers.map(|container| container.parent);
            match parents.flatten() {
                Some(parents) if region.level != parents.map(Some) => at = parents,
                _ => break,
            }
        }
        found
    }

    fn containers(&self, at: Both<usize>) -> Option<Both<&'c Container>> {
        let found = self.sides.zip(at);
        found.map(|(side, at)| side.document.containers.get(at)).flatten()
    }

    /// The text inside the quotes that containers got, as a region; and the span of that text with
    /// its quotes, in the text around it.
    fn within_quotes(&self, opened: Both<usize>) -> Option<(Both<Span>, Region)> {
        let containers = self.containers(opened)?;
        let level = containers.map(|container| container.parent);
        let range = containers.map(|container| container.span);
        let (quote, is_escaped) = match containers.after.syntax {
            Syntax::Attribute(Quote::Double) => (b'"', true),
            Syntax::Attribute(Quote::Single) => (b'\'', true),
            Syntax::Css(CssSyntax::Quoted(quote)) => (quote, false),
            Syntax::Scalar(syntax) if syntax.quoting == Quoting::YamlDouble => (b'"', false),
            Syntax::Scalar(_) => (b'\'', false),
            _ => return None,
        };
        let opener: &[u8] = match containers.before.syntax {
            Syntax::Attribute(Quote::NoValue) => &[b'=', quote],
            _ => &[quote],
        };
        let source = self.sources(level).after;
        let start = range.after.start.checked_sub(opener.len())?;
        if source.get(start..range.after.start) != Some(opener)
            || source.get(range.after.end) != Some(&quote)
        {
            return None;
        }
        let cut = Both::new(range.before, Span::from(start..range.after.end + 1));
        let region =
            Region { level, range, opened: Some(opened), quote: is_escaped.then_some(quote) };
        Some((cut, region))
    }

    /// Converts spans of the texts `from` to spans of the region's texts.
    fn raised(&self, region: &Region, from: Level, range: Both<Span>) -> Both<Span> {
        let levels = from.zip(region.level);
        self.sides
            .zip(levels.zip(range))
            .map(|(side, ((from, to), range))| side.raised(from, to, range))
    }

    /// Compares the bytes between `at` and `cut`, or the end of the region.
    fn gap(
        &mut self,
        region: &Region,
        at: Both<usize>,
        cut: Option<Both<Span>>,
        is_respelled: bool,
    ) {
        let end = match cut {
            Some(cut) => cut.map(|span| span.start),
            None => region.range.map(|range| range.end),
        };
        let range = spans(at, end);
        let sources = self.sources(region.level);
        let gap = range.zip(sources).map(|(range, source)| range.of(source));
        if gap.before == gap.after {
            return;
        }
        // The first difference, under the choice of `base` elements that gets furthest.
        let mut furthest: Option<(usize, Both<usize>)> = None;
        let choices = self.sides.zip(region.level.zip(range));
        let choices = choices.map(|(side, (level, range))| side.remainders(level, range));
        for before in &choices.before {
            let old = before.bytes(sources.before);
            for after in &choices.after {
                let new = after.bytes(sources.after);
                if is_allowed(&old, &new, region.quote, is_respelled) {
                    return;
                }
                let common = common_prefix(&old, &new);
                if furthest.is_none_or(|(length, _)| length <= common) {
                    let at = Both::new(before, after).map(|remainder| remainder.offset(common));
                    furthest = Some((common, at));
                }
            }
        }
        let at = furthest.map_or(at, |(_, at)| at);
        let raised = self.sides.zip(region.level.zip(at));
        let shown = sources.zip(spans(at, end));
        let at = raised.map(|(side, (level, at))| side.raised(level, None, Span::at(at)).start);
        self.push(at, shown.map(|(source, span)| excerpt(source, span)));
    }
}

/// Returns whether a syntax without quotes became one with quotes.
fn gets_quotes(syntax: Both<Syntax>) -> bool {
    match (syntax.before, syntax.after) {
        (Syntax::Attribute(before), Syntax::Attribute(after)) => {
            matches!(before, Quote::Unquoted | Quote::NoValue)
                && matches!(after, Quote::Double | Quote::Single)
        }
        (Syntax::Css(CssSyntax::Unquoted), Syntax::Css(CssSyntax::Quoted(_))) => true,
        (Syntax::Scalar(before), Syntax::Scalar(after)) => {
            data::gets_quotes(before.quoting, after.quoting)
        }
        _ => false,
    }
}

/// The length of the common prefix, without a part of a UTF-8 character at its end.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let equal = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let is_inside = |at: usize| one.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (equal.saturating_sub(3)..=equal).rev().find(|&at| !is_inside(at)).unwrap_or(equal)
}

fn excerpt(source: &[u8], span: Span) -> String {
    const LENGTH: usize = 40;
    let bytes = span.of(source);
    let shown = bytes.get(..bytes.len().min(4 * LENGTH)).unwrap_or_default();
    let text = String::from_utf8_lossy(shown);
    let mut excerpt: String = text.chars().take(LENGTH).collect();
    if excerpt.len() < text.len() || shown.len() < bytes.len() {
        excerpt.push_str("...");
    }
    excerpt
}
