//! What is between the references, byte by byte.
//!
//! Both documents are cut at the references that are counterparts. A value that got quotes is cut
//! out as a whole and looked into on its own, so that nothing but quotes is excused.

use super::allowed::AllowedChange;
use super::both::Both;
use super::exemptions::exemptions;
use super::side::Side;
use crate::document::container::{Container, Syntax};
use crate::document::css::CssSyntax;
use crate::document::html::Quote;
use crate::document::{Reference, Span};

/// References that are counterparts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'d> {
    pub(super) references: Both<&'d Reference>,
    /// Whether their texts differ.
    pub(super) is_respelled: bool,
}

/// A place where the documents differ, though no reference stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ByteDifference {
    /// Offsets in the working bytes.
    pub(super) at: Both<usize>,
    /// What is there.
    pub(super) excerpt: Both<String>,
}

/// Where `before` and `after` differ outside of the references `pairs`, which are in order.
pub(super) fn compare(
    before: &Side<'_>,
    after: &Side<'_>,
    pairs: &[Pair<'_>],
) -> Vec<ByteDifference> {
    let mut comparison = ByteComparison {
        before,
        after,
        found: Vec::new(),
    };
    let mut at = Both {
        before: 0,
        after: 0,
    };
    let mut rest = pairs;
    for cut in exemptions(before.document, after.document) {
        let is_before = |pair: &&Pair<'_>| {
            let span = before.document.span_of(pair.references.before);
            span.start < cut.range.before.start
        };
        let (outer, others) = split(rest, is_before);
        let end = cut.range.map(|range| range.start);
        comparison.region(&Region::plain(NO_LEVEL, at, end), outer);
        rest = others;
        if let Some(body) = cut.body {
            let is_within = |pair: &&Pair<'_>| {
                let container = pair.references.before.container;
                before.is_around(Some(body.before), Some(container))
            };
            let (inner, others) = split(rest, is_within);
            let level = body.map(Some);
            let end = Both {
                before: before.source(level.before).len(),
                after: after.source(level.after).len(),
            };
            let start = Both {
                before: 0,
                after: 0,
            };
            comparison.region(&Region::plain(level, start, end), inner);
            rest = others;
        }
        at = cut.range.map(|range| range.end);
    }
    let end = Both {
        before: before.document.working_bytes().len(),
        after: after.document.working_bytes().len(),
    };
    comparison.region(&Region::plain(NO_LEVEL, at, end), rest);
    comparison.lengths();
    comparison.found
}

/// The bytes of the documents.
const NO_LEVEL: Both<Option<usize>> = Both {
    before: None,
    after: None,
};

fn split<'p, 'd>(
    pairs: &'p [Pair<'d>],
    is_first: impl Fn(&&Pair<'d>) -> bool,
) -> (&'p [Pair<'d>], &'p [Pair<'d>]) {
    let count = pairs.iter().take_while(is_first).count();
    pairs.split_at_checked(count).unwrap_or((pairs, &[]))
}

/// A part of both documents, or of the text of containers in them.
struct Region {
    /// The containers in whose texts the ranges count; `None` for the document's bytes.
    level: Both<Option<usize>>,
    range: Both<Span>,
    /// The containers that got quotes, whose raw texts this is.
    opened: Option<Both<usize>>,
    /// The quote they got.
    quote: Option<u8>,
}

impl Region {
    fn plain(level: Both<Option<usize>>, start: Both<usize>, end: Both<usize>) -> Region {
        Region {
            level,
            range: Both {
                before: Span::from(start.before..end.before.max(start.before)),
                after: Span::from(start.after..end.after.max(start.after)),
            },
            opened: None,
            quote: None,
        }
    }
}

struct ByteComparison<'c> {
    before: &'c Side<'c>,
    after: &'c Side<'c>,
    found: Vec<ByteDifference>,
}

impl ByteComparison<'_> {
    /// The lengths in headers that were right and are wrong now.
    fn lengths(&mut self) {
        let (before, after) = (self.before.document, self.after.document);
        for (old, new) in before.parts.iter().zip(&after.parts) {
            let (Some(length), None) = (old.length, new.length) else {
                continue;
            };
            let at = Both {
                before: length.start,
                after: length.start.min(new.body.start),
            };
            self.found.push(ByteDifference {
                at,
                excerpt: Both {
                    before: excerpt(before.working_bytes(), length),
                    after: format!("a body of {} bytes", new.body.end - new.body.start),
                },
            });
        }
    }

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
                Some((cut, inner)) => {
                    let cut = self.raised(region, inner.level, cut);
                    self.gap(region, &at, Some(&cut), first.is_respelled);
                    self.region(&inner, group);
                    at = ends(cut);
                }
                None => {
                    for pair in group {
                        let level = pair.references.map(|reference| Some(reference.container));
                        let range = pair.references.map(|reference| reference.span);
                        let cut = self.raised(region, level, range);
                        self.gap(region, &at, Some(&cut), pair.is_respelled);
                        at = ends(cut);
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
            if gets_quotes(before.syntax, after.syntax) {
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
    fn within_quotes(&self, opened: Both<usize>) -> Option<(Both<Span>, Region)> {
        let (before, after) = self.containers(opened)?;
        let level = Both {
            before: before.parent,
            after: after.parent,
        };
        let range = Both {
            before: before.span,
            after: after.span,
        };
        let (quote, is_escaped) = match after.syntax {
            Syntax::Attribute(Quote::Double) => (b'"', true),
            Syntax::Attribute(Quote::Single) => (b'\'', true),
            Syntax::Css(CssSyntax::Quoted(quote)) => (quote, false),
            _ => return None,
        };
        let opener: &[u8] = match before.syntax {
            Syntax::Attribute(Quote::NoValue) => &[b'=', quote],
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
        let cut = Both {
            before: range.before,
            after: Span { start, end },
        };
        let region = Region {
            level,
            range,
            opened: Some(opened),
            quote: is_escaped.then_some(quote),
        };
        Some((cut, region))
    }

    /// Ranges of the texts `from` as ranges of the region's.
    fn raised(&self, region: &Region, from: Both<Option<usize>>, range: Both<Span>) -> Both<Span> {
        let (before, after) = (self.before, self.after);
        Both {
            before: before.raised(from.before, region.level.before, range.before),
            after: after.raised(from.after, region.level.after, range.after),
        }
    }

    /// Compares what is between `at` and `cut`, or the end of the region.
    fn gap(
        &mut self,
        region: &Region,
        at: &Both<usize>,
        cut: Option<&Both<Span>>,
        is_respelled: bool,
    ) {
        let end = match cut {
            Some(cut) => Both {
                before: cut.before.start,
                after: cut.after.start,
            },
            None => Both {
                before: region.range.before.end,
                after: region.range.after.end,
            },
        };
        let range = Both {
            before: Span::from(at.before..end.before),
            after: Span::from(at.after..end.after),
        };
        let level = region.level;
        let old = range.before.of(self.before.source(level.before));
        let new = range.after.of(self.after.source(level.after));
        if old == new {
            return;
        }
        let allowed = AllowedChange {
            quote: region.quote,
            closer: is_respelled,
        };
        // Where the documents first part, by the reading of the base elements that brings furthest.
        let mut furthest: Option<(usize, Both<usize>)> = None;
        for before in self.before.remainders(level.before, range.before) {
            let old = before.bytes(self.before.source(level.before));
            for after in self.after.remainders(level.after, range.after) {
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
        self.found.push(ByteDifference {
            at: Both {
                before: self
                    .before
                    .raised(level.before, None, Span::at(at.before))
                    .start,
                after: self
                    .after
                    .raised(level.after, None, Span::at(at.after))
                    .start,
            },
            excerpt: Both {
                before: excerpt(
                    self.before.source(level.before),
                    Span::from(at.before..range.before.end),
                ),
                after: excerpt(
                    self.after.source(level.after),
                    Span::from(at.after..range.after.end),
                ),
            },
        });
    }
}

/// Whether a form is another with quotes.
fn gets_quotes(before: Syntax, after: Syntax) -> bool {
    matches!(
        (before, after),
        (
            Syntax::Attribute(Quote::Unquoted | Quote::NoValue),
            Syntax::Attribute(Quote::Double | Quote::Single)
        ) | (
            Syntax::Css(CssSyntax::Unquoted),
            Syntax::Css(CssSyntax::Quoted(_))
        )
    )
}

fn ends(cut: Both<Span>) -> Both<usize> {
    cut.map(|range| range.end)
}

/// How much both have in common, in whole characters where they are in UTF-8.
fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let equal = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let is_inside = |at: usize| one.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    (equal.saturating_sub(3)..=equal)
        .rev()
        .find(|&at| !is_inside(at))
        .unwrap_or(equal)
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
