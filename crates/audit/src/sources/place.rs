//! The places of the findings of one page in the sources.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::super::finding::Finding;
use super::super::line_index::spots;
use super::block::{Link, Part};
use super::key::finding_key;
use super::matching::{Pairing, pair};
use super::paths::SourcePaths;
use super::source_links::{Place, SourceLinks};
use super::{key, page};
use rehref_document::Position;

/// A link of the page, with the key of the findings in it.
struct BuiltLink {
    link: Link,
    /// The number of the sentence of a source that its block is.
    sentence: Option<usize>,
    /// The directories of its reference.
    directories: Vec<String>,
    /// The numbers of its findings; none if it is only compared.
    findings: Vec<usize>,
    place: Option<Place>,
}

/// The places of `findings`, which are those of one page: `text`. Its own sources are `own` by its path, or what it
/// is marked with.
pub(super) fn places(
    findings: &[Finding],
    text: &str,
    own: Vec<usize>,
    links: &SourceLinks,
    paths: &SourcePaths,
    names: &[String],
) -> Vec<Option<Place>> {
    let keys: Vec<Option<Box<str>>> = findings.iter().map(finding_key).collect();
    let wanted: FxHashSet<&str> = keys.iter().flatten().map(|key| &**key).collect();
    let located = located(findings, text);
    let offsets: Vec<usize> = located.iter().map(|(offset, _)| *offset).collect();
    let page = page::scan(text, &offsets, |it| wanted.contains(&*key::key(it)));
    let mut marked: Vec<usize> =
        page.marks.iter().filter_map(|it| paths.of_mark(it, names)).collect();
    marked.sort_unstable();
    marked.dedup();
    let own = own_sources(own, marked);

    let all_findings = findings;
    let mut by_key: BTreeMap<Box<str>, Vec<BuiltLink>> = BTreeMap::new();
    let mut located = located.into_iter().peekable();
    let sentences = links.sentences(&page.links);
    for (link, sentence) in page.links.into_iter().zip(sentences) {
        let mut here: BTreeMap<Box<str>, Vec<usize>> = BTreeMap::new();
        while let Some((_, number)) = located.next_if(|(offset, _)| *offset <= link.reference.end) {
            if let Some(Some(key)) = keys.get(number) {
                here.entry(key.clone()).or_default().push(number);
            }
        }
        if here.is_empty() {
            let reference = text.get(link.reference.clone()).unwrap_or_default();
            here.insert(key::key(reference), Vec::new());
        }
        for (key, findings) in here {
            let first = findings.first().and_then(|number| all_findings.get(*number));
            let of_finding = first.and_then(|finding| finding.reference.as_deref());
            let own = || text.get(link.reference.clone()).unwrap_or_default();
            let reference = of_finding.unwrap_or_else(own);
            by_key.entry(key).or_default().push(BuiltLink {
                link: link.clone(),
                sentence,
                directories: key::reference_directories(reference),
                findings,
                place: None,
            });
        }
    }

    let (mut is_own, mut files) = (false, BTreeSet::new());
    for (key, built) in &mut by_key {
        is_own |= in_files(key, built, &own, links);
        files.extend(in_sentences(key, built, links));
    }
    // A page that is not where its path would be is known by its sentences.
    if let (false, 1, Some(only)) = (is_own, files.len(), files.first()) {
        for (key, built) in &mut by_key {
            in_files(key, built, &[*only], links);
        }
    }
    let mut places = vec![None; findings.len()];
    for built in by_key.into_values().flatten() {
        for number in built.findings {
            if let Some(place) = places.get_mut(number) {
                *place = built.place;
            }
        }
    }
    places
}

/// The sources of a page: `own` by its path, which a mark narrows. A mark of another file may be the template's:
/// it counts only if the path tells nothing.
fn own_sources(own: Vec<usize>, marked: Vec<usize>) -> Vec<usize> {
    let among: Vec<usize> = marked.iter().copied().filter(|it| own.contains(it)).collect();
    match (&*among, &*marked, &*own) {
        ([_], ..) => among,
        (_, _, [_]) => own,
        ([], [_], _) => marked,
        _ => own,
    }
}

/// The offsets in `text` of those of `findings` that are about a reference, with their numbers, sorted.
fn located(findings: &[Finding], text: &str) -> Vec<(usize, usize)> {
    let numbered = findings.iter().enumerate();
    let mut positions: Vec<(Position, usize)> = numbered
        .filter(|(_, finding)| finding.reference.is_some())
        .filter_map(|(number, finding)| Some((finding.location.position?, number)))
        .collect();
    positions.sort_unstable();
    let (positions, numbers): (Vec<Position>, Vec<usize>) = positions.into_iter().unzip();
    let spots = spots(text, &positions).into_iter().zip(numbers);
    spots.filter_map(|(spot, number)| Some((spot?.at, number))).collect()
}

/// Looks for links of one key in `files`, of which exactly one may have each. Returns whether one was found.
fn in_files(key: &str, built: &mut [BuiltLink], files: &[usize], links: &SourceLinks) -> bool {
    let free = built.iter().enumerate().filter(|(_, it)| it.place.is_none());
    let (content, around): (Vec<usize>, Vec<usize>) = free
        .map(|(number, _)| number)
        .partition(|number| built.get(*number).is_some_and(|it| it.link.part == Part::Content));
    let of_part = |file: usize, part: Part| {
        let all = links.of_file(key, file).iter().copied();
        let all = all.filter_map(|number| Some((number, links.link(number)?)));
        all.filter(move |(_, link)| link.part == part)
    };
    // With other directories, it may be a link to another file of the same name.
    let place = |number: usize, source: usize| {
        let built = built.get(number);
        if built.is_some_and(|it| links.agrees(source, &it.directories)) {
            Place::Link(source)
        } else {
            Place::File(links.file(source))
        }
    };
    let mut places: Vec<(usize, Place)> = Vec::new();
    for &file in files {
        let (numbers, sources): (Vec<usize>, Vec<&Link>) = of_part(file, Part::Content).unzip();
        let pages: Vec<&Link> =
            content.iter().filter_map(|it| Some(&built.get(*it)?.link)).collect();
        for (number, pairing) in content.iter().zip(pair(&pages, &sources)) {
            match pairing {
                Pairing::None => {}
                Pairing::Ambiguous => places.push((*number, Place::File(file))),
                Pairing::One(source) => {
                    let source = numbers.get(source);
                    places.extend(source.map(|source| (*number, place(*number, *source))));
                }
            }
        }
        // Templates make links of the front matter, wherever they like.
        let mut front: Vec<usize> =
            of_part(file, Part::Surroundings).map(|(number, _)| number).collect();
        if let (Some(only), true) = (front.pop(), front.is_empty()) {
            let content = content.iter().filter(|_| sources.is_empty());
            places
                .extend(around.iter().chain(content).map(|number| (*number, place(*number, only))));
        }
    }
    places.sort_unstable_by_key(|(number, place)| (*number, matches!(place, Place::File(_))));
    let mut is_found = false;
    for places in places.chunk_by(|one, other| one.0 == other.0) {
        let [(number, first), ..] = places else {
            continue;
        };
        let lines = places.iter().filter(|(_, place)| matches!(place, Place::Link(_))).count();
        let is_certain = lines == 1 || lines == 0 && places.len() == 1;
        if let (true, Some(built)) = (is_certain, built.get_mut(*number)) {
            built.place = Some(*first);
            is_found = true;
        }
    }
    is_found
}

/// Looks for links of one key in whole sentences of all sources. Returns the files of those that were found.
fn in_sentences(key: &str, built: &mut [BuiltLink], links: &SourceLinks) -> Vec<usize> {
    let mut sentences: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let free = built.iter().enumerate().filter(|(_, it)| it.place.is_none());
    for (number, sentence) in free.filter_map(|(number, it)| Some((number, it.sentence?))) {
        sentences.entry(sentence).or_default().push(number);
    }
    let mut files = Vec::new();
    for (sentence, numbers) in sentences {
        let sources = links.of_sentence(key, sentence);
        let file = sources.first().map(|number| links.file(*number));
        let is_one_file = sources.iter().all(|number| Some(links.file(*number)) == file);
        let mut pairs = numbers.iter().zip(sources);
        let is_agreed = pairs.all(|(number, source)| {
            let built = built.get(*number);
            built.is_some_and(|it| links.agrees(*source, &it.directories))
        });
        if !is_one_file || sources.len() != numbers.len() || !is_agreed {
            continue;
        }
        files.extend(file);
        for (number, &source) in numbers.into_iter().zip(sources) {
            if let Some(built) = built.get_mut(number) {
                built.place = Some(Place::Link(source));
            }
        }
    }
    files
}
