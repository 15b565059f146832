//! Chooses the pages to open: all, or a sample with moved pages and pages of every type.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::both::Both;
use crate::tree::TreePlan;
use rehref_corpus::{Corpus, FileRole};
use rehref_document::{Document, DocumentKind};
use rehref_site::{Location, SiteUrl, diagnostic::display_path, path_in_url};

/// A page of BEFORE and its counterpart.
#[derive(Clone, Debug)]
pub(super) struct PagePair {
    /// Path below the root of AFTER.
    pub(super) path: String,
    /// Path below the root of BEFORE, if it differs.
    pub(super) path_before: Option<String>,
    /// The URLs that visitors are at.
    pub(super) url: Both<String>,
    /// The page's own URLs, if it is opened as the answer to another. What counted from any URL that it is
    /// sent for may resolve against its own place now.
    pub(super) own: Option<Both<String>>,
    /// The paths of the page in URLs, if the rules of the server send it for others.
    pub(super) fallback: Option<Both<String>>,
    /// How the page is opened, if it is not at its own URL; for messages.
    pub(super) visit: String,
    /// The name for files about this pair.
    pub(super) name: String,
}

/// The pages to open.
pub(super) struct ChosenPages {
    pub(super) pages: Vec<PagePair>,
    /// The number of pages that could be opened.
    pub(super) of: usize,
}

/// The page for what is missing, and the URL of something that no site has.
const NOT_FOUND: (&str, &str) = ("404.html", "no-such-folder/no-such-page");

/// Chooses `count` pages that both trees have, or all. `disk` is the URL of AFTER if it is opened from disk.
pub(super) fn choose(
    plan: &TreePlan<'_>,
    count: Option<usize>,
    disk: Option<&SiteUrl>,
) -> ChosenPages {
    let candidates: Vec<(&Path, PathBuf)> = plan
        .before
        .files()
        .filter(|path| is_page(plan.before, path))
        .map(|path| (path, plan.moves.counterpart(path)))
        .filter(|(_, new)| plan.after.root.join(new).is_file())
        .collect();
    let of = candidates.len();
    let chosen = match count {
        Some(count) if count < of => sample_with_moved(plan.before, candidates, count),
        _ => candidates,
    };
    let mut pages = Vec::new();
    for (old, new) in chosen {
        let url_after = match disk {
            Some(disk) => disk.file_url(&new),
            None => plan.after.document_url(&new),
        };
        // No file is known whose path has no URL.
        let (Ok(url_before), Ok(url_after)) = (plan.before.document_url(old), url_after) else {
            continue;
        };
        let path = display_path(&new);
        let pair = PagePair {
            path_before: (old != new).then(|| display_path(old)),
            visit: String::new(),
            name: path.clone(),
            path,
            url: Both::new(url_before.to_string(), url_after.to_string()),
            own: None,
            fallback: None,
        };
        let (page, missing) = NOT_FOUND;
        let is_not_found = old == Path::new(page) && new == Path::new(page);
        let is_fallback = plan.before.served_anywhere.fallbacks.contains(&path_in_url(old));
        // From disk, nobody answers with it.
        if (is_not_found || is_fallback) && disk.is_none() {
            let below = |path: &Path| match path.parent().map(path_in_url).unwrap_or_default() {
                root if root.is_empty() => missing.to_owned(),
                folder => format!("{folder}/{missing}"),
            };
            pages.push(PagePair {
                url: Both::new(
                    format!("{}{}", plan.targets.before.url(), below(old)),
                    format!("{}{}", plan.targets.after.url(), below(&new)),
                ),
                own: Some(pair.url.clone()),
                fallback: is_fallback.then(|| Both::new(path_in_url(old), path_in_url(&new))),
                visit: format!("as the answer to {}", below(old)),
                name: format!("{}-answer", pair.name),
                ..pair.clone()
            });
        }
        pages.push(pair);
    }
    ChosenPages { pages, of }
}

fn is_page(corpus: &Corpus, path: &Path) -> bool {
    let role = corpus.role(path);
    matches!(role, Ok(FileRole::Document(DocumentKind::Html | DocumentKind::Xhtml)))
}

/// Chooses `count` of `pages`, half of them moved ones as far as there are so many.
fn sample_with_moved<'c>(
    corpus: &Corpus,
    pages: Vec<(&'c Path, PathBuf)>,
    count: usize,
) -> Vec<(&'c Path, PathBuf)> {
    let (moved, others): (Vec<_>, Vec<_>) = pages.into_iter().partition(|(old, new)| old != new);
    let half = count.div_ceil(2).max(count.saturating_sub(others.len()));
    let of_moved = half.min(moved.len());
    let mut chosen = sample(corpus, moved, of_moved);
    chosen.extend(sample(corpus, others, count - of_moved));
    chosen
}

/// Chooses `count` of `pages`: from each type of page in turn, spread over the pages of the type.
fn sample<'c>(
    corpus: &Corpus,
    pages: Vec<(&'c Path, PathBuf)>,
    count: usize,
) -> Vec<(&'c Path, PathBuf)> {
    let mut types: BTreeMap<BTreeSet<String>, Vec<usize>> = BTreeMap::new();
    for (at, (path, _)) in pages.iter().enumerate() {
        types.entry(page_type(corpus, path)).or_default().push(at);
    }
    let mut shares: Vec<(Vec<usize>, usize)> = types.into_values().map(|it| (it, 0)).collect();
    shares.sort();
    let mut left = count.min(pages.len());
    while left > 0 {
        for (members, share) in &mut shares {
            if left > 0 && *share < members.len() {
                *share += 1;
                left -= 1;
            }
        }
    }
    let chosen: BTreeSet<&usize> = shares
        .iter()
        .flat_map(|(members, share)| {
            let spread = move |it: usize| members.get(it * members.len() / *share);
            (0..*share).filter_map(spread)
        })
        .collect();
    let pages = pages.into_iter().enumerate();
    pages.filter(|(at, _)| chosen.contains(at)).map(|(_, page)| page).collect()
}

/// The type of a page: the names of its scripts, style sheets and frames. Pages of one template have
/// the same.
fn page_type(corpus: &Corpus, path: &Path) -> BTreeSet<String> {
    const PLACES: &[&str] = &["script src", "link href", "iframe src", "object data", "base href"];
    const EXTENSIONS: &[&str] = &[".css", ".js", ".mjs", ".html", ".svg", "/"];
    let Ok(role) = corpus.role(path) else { return BTreeSet::new() };
    let names = corpus.read_file(path, 0, &role, |file| {
        let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
        let references = document.references.iter().filter_map(|reference| {
            let place = Location::of_reference(&document, reference, None).place();
            let text = document.text_of(reference);
            let is_of_template = PLACES.contains(&&*place)
                && EXTENSIONS.iter().any(|extension| text.ends_with(extension))
                && !(place == "link href" && text.ends_with(".html"));
            let name = text.trim_end_matches('/').rsplit('/').next()?;
            is_of_template.then(|| format!("{place} {name}"))
        });
        Some(references.collect())
    });
    names.ok().flatten().flatten().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_corpus::SitePlace;

    #[test]
    fn half_of_a_sample_are_moved_pages() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..8 {
            std::fs::write(dir.path().join(format!("{number}.html")), "").unwrap();
        }
        let site_url = SiteUrl::parse("https://h.example/").unwrap().0;
        let place = SitePlace::of(dir.path()).unwrap();
        let corpus = Corpus::new(place.root(), place.walk(), site_url, Default::default());
        for (moved, count, expected) in [
            (0, 2, (0, 2)),
            (1, 4, (1, 3)),
            (4, 1, (1, 0)),
            (4, 3, (2, 1)),
            (7, 4, (3, 1)),
            (7, 7, (6, 1)),
            (8, 3, (3, 0)),
        ] {
            let new = |number: usize, path: &Path| {
                if number < moved { Path::new("new").join(path) } else { path.to_owned() }
            };
            let pages = corpus.files().enumerate();
            let pages = pages.map(|(number, path)| (path, new(number, path))).collect();
            let chosen = sample_with_moved(&corpus, pages, count);
            let of_moved = chosen.iter().filter(|(old, new)| old != new).count();
            assert_eq!((of_moved, chosen.len() - of_moved), expected, "{moved} {count}");
        }
    }
}
