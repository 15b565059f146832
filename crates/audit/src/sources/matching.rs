//! Pairs the links of a built page with those of its source, which have the same key.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::block::BlockLink;
use super::letters::Context;

/// The least score of a link that is alone in its page and in its source.
const ALONE: usize = 12;
/// The least score of one of several.
const BEST: usize = 28;
/// How much better the best must be than the next.
const MARGIN: usize = 4;
/// The most comparisons of links whose contexts are not the same.
const MOST: usize = 4096;
/// The letters of a block that is one sentence at least: no two authors write the same.
const SENTENCE: usize = 40;

/// The counterpart of a link of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pairing {
    /// None fits.
    #[default]
    None,
    /// Several fit as well.
    Ambiguous,
    /// The link of the source by its number.
    One(usize),
}

/// Pairs `built`, the links of a page that have one key, with `source`, those of one text. Both are in the
/// order of their text.
pub(super) fn pair(built: &[&BlockLink], source: &[&BlockLink]) -> Vec<Pairing> {
    let mut pairs = Pairs { built, source, found: BTreeMap::new(), used: BTreeSet::new() };
    for context in [start as fn(&BlockLink) -> Context, end] {
        pairs.pair_equal(context);
    }
    pairs.pair_similar();
    (0..built.len()).map(|number| pairs.found.remove(&number).unwrap_or_default()).collect()
}

/// The pairs so far, by the numbers of the links.
struct Pairs<'l> {
    built: &'l [&'l BlockLink],
    source: &'l [&'l BlockLink],
    /// The links of the page that have a counterpart, or several.
    found: BTreeMap<usize, Pairing>,
    /// The links of the source that are one.
    used: BTreeSet<usize>,
}

fn start(link: &BlockLink) -> Context {
    Context::of(&link.block, link.at.start)
}

fn end(link: &BlockLink) -> Context {
    Context::of(&link.block, link.at.end)
}

impl<'l> Pairs<'l> {
    /// The links of the page without a counterpart, with their numbers.
    fn free(&self) -> Vec<(usize, &'l BlockLink)> {
        let built = self.built.iter().copied().enumerate();
        built.filter(|(number, _)| !self.found.contains_key(number)).collect()
    }

    /// The links of the source that are not a counterpart, with their numbers.
    fn unused(&self) -> Vec<(usize, &'l BlockLink)> {
        let source = self.source.iter().copied().enumerate();
        source.filter(|(number, _)| !self.used.contains(number)).collect()
    }

    /// Pairs links with the same context: the first with the first, if as many are in the source.
    fn pair_equal(&mut self, context: fn(&BlockLink) -> Context) {
        type Alike<'l> = (Vec<(usize, &'l BlockLink)>, Vec<usize>);
        let mut alike: FxHashMap<Context, Alike<'l>> = FxHashMap::default();
        for (number, link) in self.unused() {
            alike.entry(context(link)).or_default().1.push(number);
        }
        for (number, link) in self.free() {
            if let Some((of_page, _)) = alike.get_mut(&context(link)) {
                of_page.push((number, link));
            }
        }
        let found_in_both = alike.into_values().filter(|(of_page, _)| !of_page.is_empty());
        for (of_page, of_source) in found_in_both {
            let places = places(&of_page);
            let last = of_source.len().checked_sub(1);
            for (at, (number, _)) in of_page.iter().enumerate() {
                let place = if of_page.len() == of_source.len() {
                    Some(at)
                } else if places.last().copied() == last {
                    // A template may show an image twice, small and large.
                    places.get(at).copied()
                } else {
                    None
                };
                let source = place.and_then(|place| of_source.get(place));
                let pairing = source.map_or(Pairing::Ambiguous, |source| Pairing::One(*source));
                self.found.insert(*number, pairing);
            }
            self.used.extend(of_source);
        }
    }

    /// Pairs links whose contexts differ: a generator may put a number or a title into a text, and a source may
    /// have blocks that this program does not know.
    fn pair_similar(&mut self) {
        let (free, unused) = (self.free(), self.unused());
        if free.len() * unused.len() > MOST {
            return;
        }
        let least = if free.len() == 1 && unused.len() == 1 { ALONE } else { BEST };
        let best_of = |scores: &mut dyn Iterator<Item = (usize, usize)>| {
            let (mut best, mut next) = ((0, None), 0);
            for (score, number) in scores {
                if score > best.0 {
                    (next, best) = (best.0, (score, Some(number)))
                } else {
                    next = next.max(score)
                }
            }
            let (score, number) = best;
            number.filter(|_| score >= least && score >= next + MARGIN)
        };
        for (of_page, built) in &free {
            let best = best_of(&mut unused.iter().map(|(at, it)| (score(built, it), *at)));
            let Some((of_source, source)) = best.and_then(|at| Some((at, self.source.get(at)?)))
            else {
                continue;
            };
            let back = best_of(&mut free.iter().map(|(at, it)| (score(it, source), *at)));
            if back == Some(*of_page) {
                self.found.insert(*of_page, Pairing::One(of_source));
            }
        }
    }
}

/// For each of `links` of a page, the number of its place: links without any text between them are in one.
fn places(links: &[(usize, &BlockLink)]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::with_capacity(links.len());
    let mut before: Option<&BlockLink> = None;
    for (_, link) in links {
        let is_same =
            before.is_some_and(|it| Arc::ptr_eq(&it.block, &link.block) && it.at == link.at);
        places.push(places.last().map_or(0, |last| last + usize::from(!is_same)));
        before = Some(link);
    }
    places
}

/// How much the surroundings of two links have in common; 0 if their texts differ.
fn score(built: &BlockLink, source: &BlockLink) -> usize {
    let [text, other] = [built, source].map(|it| it.block.get(it.at.clone()).unwrap_or_default());
    if !text.is_empty() && !other.is_empty() && text != other {
        return 0;
    }
    let scores = [start, end].map(|side| side(built).agreement(&side(source)));
    scores.into_iter().max().unwrap_or(0)
}

/// Returns true if `link` stands in a block that is at least a sentence.
pub(super) fn is_sentence(link: &BlockLink) -> bool {
    link.block.chars().nth(SENTENCE - 1).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::block::Part;
    use super::super::syntax::Syntax;
    use super::super::text;
    use super::super::{key, page};
    use super::*;

    /// For each link to `x` in the content of `page`, the number of that in the Markdown `source`; `?` for several.
    fn paired(page: &str, source: &str) -> Vec<String> {
        let is_x = |reference: &str| *key::key(reference) == *"x";
        let built = page::scan(page, &[], is_x).links;
        let sources = text::links(source, Syntax::Markdown, is_x);
        let built: Vec<&BlockLink> = built.iter().filter(|it| it.part == Part::Content).collect();
        let pairs = pair(&built, &sources.iter().collect::<Vec<_>>());
        let shown = pairs.into_iter().map(|pairing| match pairing {
            Pairing::None => "-".to_owned(),
            Pairing::Ambiguous => "?".to_owned(),
            Pairing::One(number) => number.to_string(),
        });
        shown.collect()
    }

    #[test]
    fn links_are_paired_by_the_text_around_them() {
        let link = "<a href=x/>X</a>";
        for (page, source, expected) in [
            (
                format!("<p>One {link}.<p>Two {link}."),
                "Two [X](x.md).\n\nOne [X](x.md).",
                &["1", "0"][..],
            ),
            // As many alike in both are in the same order.
            (format!("<li>{link}<li>{link}"), "- [X](x.md)\n- [X](x.md)", &["0", "1"]),
            (format!("<li>{link}<li>{link}"), "- [X](x.md)", &["?", "?"]),
            (format!("<li>{link}"), "- [X](x.md)\n- [X](x.md)", &["?"]),
            ("<p>An <img src=x><b><img src=x></b>".to_owned(), "An ![image](x)", &["0", "0"]),
            // Alone, a link may have other text around it, but no other text.
            (
                format!("<p>1.2 Read the manual {link}<sup>1</sup>"),
                "Read the manual [X](x.md)[^1]",
                &["0"],
            ),
            (format!("<p>Before {link}"), "[X](x.md) in another text", &["-"]),
            (
                "<p>Read the manual of <a href=x>Y</a>".to_owned(),
                "Read the manual of [X](x.md)",
                &["-"],
            ),
            // Navigation is not from the source of the page.
            (format!("<nav>{link}</nav><p>See {link}"), "See [X](x.md)", &["0"]),
            (
                format!("<p>{link}<p>See {link} for a long text"),
                "See [X](x.md) for a long text",
                &["-", "0"],
            ),
        ] {
            assert_eq!(paired(&page, source), expected, "{page} {source}");
        }
    }
}
