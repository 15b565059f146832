//! The links that the pages of a built site lose and gain in a move, by their targets.
//!
//! A template may reorder navigation, so the position of a link is no evidence. A page keeps a link if it has the same number
//! of links with this target, and preferably with this text, as before.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::Path;

use super::read_site::{PageLink, ReadSite};
use rehref_audit::sources::{SourceTree, locate};
use rehref_audit::{Check, Finding};
use rehref_site::{Moves, path_in_url};
use rehref_url::AbsoluteUrl;
use rehref_verify::TreePlan;
use rehref_verify::report::{Difference, DifferenceKind, FileDifferences};

/// A built site before and after a move, and its sources.
pub(super) struct Links<'l> {
    pub(super) plan: &'l TreePlan<'l>,
    pub(super) sites: [&'l ReadSite; 2],
    /// The paths, before and after, of what has no page.
    pub(super) unbuilt: &'l HashMap<String, String>,
    pub(super) sources: [&'l SourceTree; 2],
    /// The directories of the sources as messages show them, with a slash at their ends.
    pub(super) shown: [String; 2],
    /// The directory of the sources before the move, and the moves.
    pub(super) root: &'l Path,
    pub(super) moves: &'l Moves,
    /// The new broken links, with their sources.
    pub(super) broken: &'l [Finding],
}

/// The links that pages lose.
#[derive(Default)]
pub(super) struct LostLinks {
    /// The links of sources.
    pub(super) of_sources: Vec<FileDifferences>,
    /// The targets of others, from the root of the site, each with the number of links.
    pub(super) others: HashMap<String, usize>,
}

/// The links of a page with one target, of which at least one is lost.
struct LostTarget {
    /// The path of the page after the move.
    page: String,
    target: String,
    /// Each with its text, and whether the page still has it.
    links: Vec<(Finding, String, bool)>,
}

/// A link, its place in the sources if that is known, and whether the page still has it.
struct Known {
    text: String,
    is_kept: bool,
    link: Finding,
    place: Option<Place>,
}

impl Links<'_> {
    /// Returns what the pages in `files` lose.
    pub(super) fn lost<'f>(&self, files: impl Iterator<Item = &'f FileDifferences>) -> LostLinks {
        let (mut lost, mut gained) = (Vec::new(), Vec::new());
        for file in files {
            self.compare(file, &mut lost, &mut gained);
        }
        let [old, new] = self.sites;
        // Together, since each call reads the sources.
        let mut links: Vec<Finding> =
            lost.iter().flat_map(|it: &LostTarget| &it.links).map(|it| it.0.clone()).collect();
        locate(&mut links, &old.corpus, self.sources[0]);
        locate(&mut gained, &new.corpus, self.sources[1]);
        let after = |it: &Finding| place_of(it, &self.shown[1]);
        let of_page = |it: &'_ Finding| Some((it.location.path.to_string(), after(it)?));
        let gained: HashMap<(String, Place), &Finding> =
            gained.iter().filter_map(|it| Some((of_page(it)?, it))).collect();
        // What a page lost may be a link that is a finding already.
        let mut broken: HashMap<&str, usize> = HashMap::new();
        for finding in self.broken {
            *broken.entry(self.page_before(&finding.location.path)).or_default() += 1;
        }
        let mut texts = SourceTexts { root: self.root, texts: HashMap::new() };
        let mut found = LostLinks::default();
        let mut links = links.into_iter();
        for LostTarget { page, target, links: known } in lost {
            let mut others = 0;
            let mut places: BTreeMap<Place, (bool, Option<Finding>)> = BTreeMap::new();
            let known = known.into_iter().zip(links.by_ref()).map(|((_, text, is_kept), link)| {
                let place = place_of(&link, &self.shown[0]).filter(|it| texts.has(it, &text));
                Known { text, is_kept, link, place }
            });
            let mut known: Vec<Known> = known.collect();
            // Of links with one text, the one that is left is that of the source.
            known.sort_by_key(|it| it.place.is_none());
            let mut kept: HashMap<String, usize> = HashMap::new();
            for link in known.iter().filter(|it| it.is_kept) {
                *kept.entry(link.text.clone()).or_default() += 1;
            }
            for link in &mut known {
                let left = kept.get_mut(&link.text).filter(|left| **left > 0);
                link.is_kept = left.is_some();
                left.into_iter().for_each(|left| *left -= 1);
            }
            for Known { is_kept, link, place, .. } in known {
                let left = broken.get_mut(&*link.location.path).filter(|it| **it > 0 && !is_kept);
                if let Some(left) = left {
                    *left -= 1;
                    continue;
                }
                match place {
                    Some(place) => {
                        let entry = places.entry(place).or_default();
                        entry.0 |= is_kept;
                        entry.1 = entry.1.take().or((!is_kept).then_some(link));
                    }
                    None => others += usize::from(!is_kept),
                }
            }
            for (place, (is_kept, lost)) in places {
                let new = gained.get(&(page.clone(), self.place_after(place))).copied();
                let is_of_source = !is_kept || new.is_some();
                match lost.as_ref().map(|it| difference(it, &target, new).filter(|_| is_of_source))
                {
                    Some(Some(difference)) => found.of_sources.push(difference),
                    Some(None) => others += 1,
                    None => {}
                }
            }
            if others > 0 {
                let path = self.plan.targets.after.below(&target);
                let path = format!("/{}", path.unwrap_or_default());
                *found.others.entry(path).or_default() += others;
            }
        }
        found
    }

    /// Compares the links of the page `file`.
    fn compare(
        &self,
        file: &FileDifferences,
        lost: &mut Vec<LostTarget>,
        gained: &mut Vec<Finding>,
    ) {
        let [old, new] = self.sites;
        let path_before = file.path_before.as_ref().unwrap_or(&file.path);
        let findings = old.outcome.findings.iter();
        let was_broken: HashSet<_> = findings
            .filter(|it| it.check == Check::BrokenTarget && *it.location.path == **path_before)
            .filter_map(|it| it.location.position)
            .map(|it| (it.line, it.column))
            .collect();
        let of_site = |it: &PageLink| self.plan.before.site_url.below(it.target.as_str()).is_some();
        let before = old.links(Path::new(path_before)).into_iter().filter(of_site);
        let before: Vec<PageLink> = before
            .filter(|it| !was_broken.contains(&(it.position.line, it.position.column)))
            .collect();
        let after = new.links(Path::new(&file.path));
        let mut left: BTreeMap<String, Vec<&PageLink>> = BTreeMap::new();
        for link in &after {
            left.entry(self.name(link.target.as_str())).or_default().push(link);
        }
        let expected: Vec<(AbsoluteUrl, Option<String>)> = before
            .iter()
            .map(|link| {
                let expected = self.plan.targets.follow(&link.target);
                let path = self.plan.targets.after.below(expected.as_str());
                let unbuilt = path.and_then(|path| {
                    let new = self.unbuilt.get(path.trim_end_matches('/'))?;
                    Some(format!("{}{new}", expected.as_str().strip_suffix(path)?))
                });
                (expected, unbuilt)
            })
            .collect();
        let mut is_kept = vec![false; before.len()];
        // First those with the same text: the place of a link says nothing.
        for needs_text in [true, false] {
            for ((link, (expected, unbuilt)), is_kept) in
                before.iter().zip(&expected).zip(&mut is_kept)
            {
                let mut has = |target: &str| {
                    let links = left.get_mut(&self.name(target))?;
                    let is_same = |it: &&PageLink| !needs_text || it.text == link.text;
                    let at = links.iter().position(is_same)?;
                    Some(links.remove(at))
                };
                *is_kept = *is_kept
                    || has(expected.as_str()).is_some()
                    || unbuilt.as_ref().is_some_and(|it| has(it).is_some());
            }
        }
        let mut targets: BTreeMap<String, LostTarget> = BTreeMap::new();
        for ((link, (expected, _)), is_kept) in before.into_iter().zip(expected).zip(is_kept) {
            let target =
                targets.entry(self.name(expected.as_str())).or_insert_with(|| LostTarget {
                    page: file.path.clone(),
                    target: expected.to_string(),
                    links: Vec::new(),
                });
            target.links.push((finding(&link, path_before), link.text, is_kept));
        }
        lost.extend(targets.into_values().filter(|it| it.links.iter().any(|it| !it.2)));
        gained.extend(left.into_values().flatten().map(|link| finding(link, &file.path)));
    }

    /// The file after the move, and the fragment, to which `target` leads, maybe by a rule; the URL, if it leads to none.
    fn name(&self, target: &str) -> String {
        let (url, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
        let path = self.plan.targets.after.below(url);
        let path = path.map(|it| it.split('?').next().unwrap_or(it).replace("//", "/"));
        let file = path.and_then(|it| self.sites[1].file(&it));
        let name = file.map_or_else(|| url.trim_end_matches('/').to_owned(), |it| path_in_url(&it));
        format!("{name}{fragment}")
    }

    /// The path before the move of the page at `path`.
    fn page_before<'p>(&'p self, path: &'p str) -> &'p str {
        let old = self.plan.moves.files().find(|(_, new)| **new == *Path::new(path));
        old.and_then(|(old, _)| old.to_str()).unwrap_or(path)
    }

    /// The place in the sources after the move of `place`, one before.
    fn place_after(&self, (path, line): Place) -> Place {
        let new = self.moves.new_path(Path::new(&path)).and_then(|it| it.to_str());
        (new.map_or(path, str::to_owned), line)
    }
}

/// The texts of sources, which are read once.
struct SourceTexts<'s> {
    root: &'s Path,
    texts: HashMap<String, String>,
}

impl SourceTexts<'_> {
    /// Returns true if the lines of `place` may have a link with this `text`.
    fn has(&mut self, (path, line): &Place, text: &str) -> bool {
        let Some(line) = line else { return true };
        let read = || {
            let bytes = fs::read(self.root.join(path)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let source = self.texts.entry(path.clone()).or_insert_with(read);
        let lines: Vec<&str> = source.lines().skip(line.saturating_sub(2)).take(3).collect();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
        words.into_iter().all(|word| lines.iter().any(|line| line.contains(word)))
    }
}

/// The path of a source from the root of the sources, and a line; `None` for the line if the file has the link several times.
type Place = (String, Option<usize>);

fn place_of(finding: &Finding, shown: &str) -> Option<Place> {
    let source = finding.source.as_ref()?;
    let path = source.path.strip_prefix(shown).unwrap_or(&source.path);
    Some((path.to_owned(), source.position.map(|it| it.line)))
}

/// A finding about `link` on the page `path`, whose source is to be found.
fn finding(link: &PageLink, path: &str) -> Finding {
    let mut finding = Finding::of_file(Check::BrokenTarget, path, "");
    finding.location.position = Some(link.position);
    finding.reference = Some(link.reference.as_str().into());
    finding.target = Some(link.target.as_str().into());
    finding
}

/// The difference of a source whose page has lost `link` to `target`, and may have the link `new` in its place.
fn difference(link: &Finding, target: &str, new: Option<&Finding>) -> Option<FileDifferences> {
    let (source, reference) = (link.source.clone()?, link.reference.as_deref());
    let message = match new {
        Some(_) => "the link has a different target",
        None => "the page has no link to the target",
    };
    let text = |it: &Option<Box<str>>| it.as_deref().map(str::to_owned);
    let difference = Difference {
        position: source.position,
        before: reference.map(str::to_owned),
        expected_target: Some(target.to_owned()),
        after: new.and_then(|it| text(&it.reference)),
        target: new.and_then(|it| text(&it.target)),
        ..Difference::of_file(DifferenceKind::Target, message)
    };
    let differences = vec![difference];
    Some(FileDifferences { path: source.path, path_before: None, count: 1, differences })
}
