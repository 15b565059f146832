//! Pairs the links of a built page with those of its source, which have the same key.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::block::Link;
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
pub(super) fn pair(built: &[&Link], source: &[&Link]) -> Vec<Pairing> {
    let mut found = vec![Pairing::None; built.len()];
    let mut used = vec![false; source.len()];
    for context in [start as fn(&Link) -> Context, end] {
        pair_equal(built, source, context, &mut found, &mut used);
    }
    pair_similar(built, source, &mut found, &mut used);
    found
}

fn start(link: &Link) -> Context {
    Context::of(&link.block, link.at.start)
}

fn end(link: &Link) -> Context {
    Context::of(&link.block, link.at.end)
}

/// Pairs links with the same context: the first with the first, if as many are in the source.
fn pair_equal(
    built: &[&Link],
    source: &[&Link],
    context: fn(&Link) -> Context,
    found: &mut [Pairing],
    used: &mut [bool],
) {
    let mut alike: FxHashMap<Context, (Vec<usize>, Vec<usize>)> = FxHashMap::default();
    for (number, link) in source.iter().enumerate().filter(|(at, _)| used.get(*at) == Some(&false))
    {
        alike.entry(context(link)).or_default().1.push(number);
    }
    let free = |at: usize| found.get(at) == Some(&Pairing::None);
    for (number, link) in built.iter().enumerate().filter(|(at, _)| free(*at)) {
        if let Some((of_page, _)) = alike.get_mut(&context(link)) {
            of_page.push(number);
        }
    }
    let found_in_both = alike.into_values().filter(|(of_page, _)| !of_page.is_empty());
    for (of_page, of_source) in found_in_both {
        let places = places(built, &of_page);
        let last = of_source.len().checked_sub(1);
        for (at, number) in of_page.iter().enumerate() {
            let place = match of_page.len() == of_source.len() {
                true => Some(at),
                // A template may show an image twice, small and large.
                false if places.last().copied() == last => places.get(at).copied(),
                false => None,
            };
            if let Some(found) = found.get_mut(*number) {
                let source = place.and_then(|place| of_source.get(place));
                *found = source.map_or(Pairing::Ambiguous, |source| Pairing::One(*source));
            }
        }
        for number in of_source {
            if let Some(used) = used.get_mut(number) {
                *used = true;
            }
        }
    }
}

/// For each of the links `numbers`, the number of its place: links without any text between them are in one.
fn places(built: &[&Link], numbers: &[usize]) -> Vec<usize> {
    let mut places: Vec<usize> = Vec::with_capacity(numbers.len());
    let mut before: Option<&Link> = None;
    for link in numbers.iter().filter_map(|number| built.get(*number).copied()) {
        let is_same =
            before.is_some_and(|it| Arc::ptr_eq(&it.block, &link.block) && it.at == link.at);
        let last = places.last().map_or(0, |last| last + usize::from(!is_same));
        places.push(last);
        before = Some(link);
    }
    places
}

/// Pairs links whose contexts differ: a generator may put a number or a title into a text, and a source may
/// have blocks that this program does not know.
fn pair_similar(built: &[&Link], source: &[&Link], found: &mut [Pairing], used: &mut [bool]) {
    let free = found.iter().enumerate().filter(|(_, found)| **found == Pairing::None);
    let free: Vec<usize> = free.map(|(number, _)| number).collect();
    let unused = used.iter().enumerate().filter(|(_, used)| !**used);
    let unused: Vec<usize> = unused.map(|(number, _)| number).collect();
    if free.len() * unused.len() > MOST {
        return;
    }
    let score = |of_page: usize, of_source: usize| match (built.get(of_page), source.get(of_source))
    {
        (Some(built), Some(source)) => score(built, source),
        _ => 0,
    };
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
    for &of_page in &free {
        let best = best_of(&mut unused.iter().map(|&it| (score(of_page, it), it)));
        let Some(of_source) = best else { continue };
        let back = best_of(&mut free.iter().map(|&it| (score(it, of_source), it)));
        if back == Some(of_page)
            && let (Some(found), Some(used)) = (found.get_mut(of_page), used.get_mut(of_source))
        {
            *found = Pairing::One(of_source);
            *used = true;
        }
    }
}

/// How much the surroundings of two links have in common; 0 if their texts differ.
fn score(built: &Link, source: &Link) -> usize {
    let text = |link: &Link| link.block.get(link.at.clone()).unwrap_or_default().to_owned();
    let texts = [text(built), text(source)];
    if texts.iter().all(|text| !text.is_empty()) && texts[0] != texts[1] {
        return 0;
    }
    let scores = [start, end].map(|side| side(built).agreement(&side(source)));
    scores.into_iter().max().unwrap_or(0)
}

/// Whether `link` stands in a block that is at least a sentence.
pub(super) fn is_sentence(link: &Link) -> bool {
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
        let built: Vec<&Link> = built.iter().filter(|it| it.part == Part::Content).collect();
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
