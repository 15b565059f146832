//! `--sources`: finds the place in the files that a site was built from for each finding in a built page.
//!
//! A link keeps three things on its way from a source into a page: the name of the file it leads to and the
//! fragment ([`key`]), the words around it ([`block`], [`letters`]), and mostly the path of its file ([`paths`]).
//! [`page`] reads these from a page, [`text`] from a source, and [`matching`] pairs them. A finding is reported at a
//! line of a source only if exactly one place fits; the others stay in the built page.

mod block;
mod inline;
mod key;
mod letters;
mod matching;
mod page;
mod paths;
mod place;
mod source_links;
mod syntax;
mod tag;
mod text;
mod tree;

use std::path::Path;

use rustc_hash::FxHashSet;

use super::finding::{Finding, SourcePlace};
use key::finding_key;
use paths::SourcePaths;
use rehref_corpus::Corpus;
use rehref_corpus::files::first_difference;
use source_links::SourceLinks;
pub use tree::{SourceTree, decode};

/// Sets [`Finding::source`] of each finding whose place in the sources is certain. `findings` must be sorted by
/// document.
pub fn locate(findings: &mut [Finding], site: &Corpus, tree: &SourceTree) {
    if tree.paths.is_empty() {
        return;
    }
    let located = findings.iter().filter(|finding| finding.location.position.is_some());
    let references: FxHashSet<&str> = located.filter_map(|it| it.reference.as_deref()).collect();
    let wanted: FxHashSet<Box<str>> = references.into_iter().map(key::key).collect();
    let links = SourceLinks::read(tree, &wanted);
    let paths = SourcePaths::new(tree.site_paths());
    let same = |one: &Finding, other: &Finding| one.location.path == other.location.path;
    for findings in findings.chunk_by_mut(same) {
        let Some(document) = findings.first().map(|it| it.location.path.clone()) else { continue };
        let own = paths.of_page(&document);
        if let Some(copied) = copied(tree, &own, &document, &site.root) {
            for finding in findings.iter_mut() {
                finding.source = Some(Box::new(SourcePlace {
                    path: tree.shown(copied),
                    position: finding.location.position,
                    width: finding.width,
                }));
            }
            continue;
        }
        let mut keys = findings.iter().filter_map(finding_key);
        if links.is_empty() || !keys.any(|key| links.has(&key)) {
            continue;
        }
        if let Some(text) = site.text_of(Path::new(&*document)) {
            let places = place::places(findings, &text, own, &links, &paths, &tree.paths);
            for (finding, place) in findings.iter_mut().zip(places) {
                finding.source = place.map(|place| Box::new(place.shown(tree)));
            }
        }
    }
}

/// The only one of the files `own` that the generator has copied as `document` below `root`.
fn copied<'t>(tree: &'t SourceTree, own: &[usize], document: &str, root: &Path) -> Option<&'t str> {
    let name = document.rsplit('/').next();
    let paths = own.iter().filter_map(|number| tree.paths.get(*number));
    let mut same = paths.filter(|path| {
        path.rsplit('/').next() == name
            && first_difference(&tree.file(path), &root.join(document)).is_ok_and(|it| it.is_none())
    });
    let first = same.next()?;
    same.next().is_none().then_some(first)
}
