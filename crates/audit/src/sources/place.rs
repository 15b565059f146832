//! The places of the findings of one page in the sources.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::super::finding::Finding;
use super::super::line_index::spots;
use super::block::{BlockLink, Part};
use super::key::finding_key;
use super::matching::{Pairing, pair};
use super::paths::SourcePaths;
use super::source_links::{LinkPlace, SourceLink, SourceLinks};
use super::{key, page};
use rehref_document::Position;

/// A link of the page, with the key of the findings in it.
struct BuiltLink<'s> {
    link: BlockLink,
    /// The number of the sentence of a source that its block is.
    sentence: Option<usize>,
    /// The directories of its reference.
    directories: Vec<String>,
    /// The numbers of its findings; none if it is only compared.
    findings: Vec<usize>,
    place: Option<LinkPlace<'s>>,
}

/// Returns the places of `findings`, which are those of one page: `text`. Its own sources are `own` by its path, or
/// what it is marked with.
pub(super) fn places<'s>(
    findings: &[Finding],
    text: &str,
    own: Vec<usize>,
    links: &'s SourceLinks,
    paths: &SourcePaths,
    names: &[String],
) -> Vec<Option<LinkPlace<'s>>> {
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

    let mut by_key: BTreeMap<Box<str>, Vec<BuiltLink<'s>>> = BTreeMap::new();
    let mut located = located.into_iter().peekable();
    let sentences = links.sentences(&page.links);
    for (link, sentence) in page.links.into_iter().zip(sentences) {
        let mut here: BTreeMap<Box<str>, Vec<usize>> = BTreeMap::new();
        while let Some((_, number)) = located.next_if(|(offset, _)| *offset <= link.reference.end) {
            if let Some(Some(key)) = keys.get(number) {
                here.entry(key.clone()).or_default().push(number);
            }
        }
        let written = text.get(link.reference.clone()).unwrap_or_default();
        if here.is_empty() {
            here.insert(key::key(written), Vec::new());
        }
        for (key, numbers) in here {
            let first = numbers.first().and_then(|number| findings.get(*number));
            let of_finding = first.and_then(|finding| finding.reference.as_deref());
            let reference = of_finding.unwrap_or(written);
            by_key.entry(key).or_default().push(BuiltLink {
                link: link.clone(),
                sentence,
                directories: key::reference_directories(reference),
                findings: numbers,
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
fn in_files<'s>(
    key: &str,
    built: &mut [BuiltLink<'s>],
    files: &[usize],
    links: &'s SourceLinks,
) -> bool {
    let free = built.iter().enumerate().filter(|(_, it)| it.place.is_none());
    let (content, around): (Vec<_>, Vec<_>) =
        free.partition(|(_, it)| it.link.part == Part::Content);
    // With other directories, it may be a link to another file of the same name.
    let place = |(number, built): &(usize, &BuiltLink<'_>), source: &'s SourceLink| {
        let link = source.agrees(&built.directories).then_some(source);
        (*number, LinkPlace { file: source.file, link })
    };
    let mut places: Vec<(usize, LinkPlace<'s>)> = Vec::new();
    for &file in files {
        let (sources, mut front): (Vec<_>, Vec<_>) =
            links.of_file(key, file).partition(|it| it.link.part == Part::Content);
        let of_page: Vec<&BlockLink> = content.iter().map(|(_, it)| &it.link).collect();
        let of_source: Vec<&BlockLink> = sources.iter().map(|it| &it.link).collect();
        for (built, pairing) in content.iter().zip(pair(&of_page, &of_source)) {
            match pairing {
                Pairing::None => {}
                Pairing::Ambiguous => places.push((built.0, LinkPlace { file, link: None })),
                Pairing::One(number) => {
                    places.extend(sources.get(number).map(|source| place(built, source)))
                }
            }
        }
        // Templates make links of the front matter, wherever they like.
        if let (Some(only), true) = (front.pop(), front.is_empty()) {
            let content = content.iter().filter(|_| sources.is_empty());
            places.extend(around.iter().chain(content).map(|built| place(built, only)));
        }
    }
    places.sort_by_key(|(number, place)| (*number, place.link.is_none()));
    let mut is_found = false;
    for places in places.chunk_by(|one, other| one.0 == other.0) {
        let lines = places.iter().filter(|(_, place)| place.link.is_some()).count();
        let is_certain = lines == 1 || lines == 0 && places.len() == 1;
        if let Some((number, first)) = places.first().filter(|_| is_certain)
            && let Some(built) = built.get_mut(*number)
        {
            built.place = Some(*first);
            is_found = true;
        }
    }
    is_found
}

/// Looks for links of one key in whole sentences of all sources. Returns the files of those that were found.
fn in_sentences<'s>(key: &str, built: &mut [BuiltLink<'s>], links: &'s SourceLinks) -> Vec<usize> {
    let mut sentences: BTreeMap<usize, Vec<&mut BuiltLink<'s>>> = BTreeMap::new();
    for built in built.iter_mut().filter(|it| it.place.is_none()) {
        if let Some(sentence) = built.sentence {
            sentences.entry(sentence).or_default().push(built);
        }
    }
    let mut files = Vec::new();
    for (sentence, built) in sentences {
        let sources = links.of_sentence(key, sentence);
        let file = sources.first().map(|source| source.file);
        let is_one_file = sources.iter().all(|source| Some(source.file) == file);
        let mut pairs = built.iter().zip(&sources);
        let is_agreed = pairs.all(|(built, source)| source.agrees(&built.directories));
        if !is_one_file || sources.len() != built.len() || !is_agreed {
            continue;
        }
        files.extend(file);
        for (built, source) in built.into_iter().zip(sources) {
            built.place = Some(LinkPlace { file: source.file, link: Some(source) });
        }
    }
    files
}
