//! Notes on a SITE that is not the root of the site, but a directory above or below the root.

use std::path::Path;

use super::Advice;
use super::build::in_build;
use crate::cli::site_url::without_placeholder;
use rehref_corpus::Corpus;
use rehref_corpus::run::Plan;
use rehref_document::DocumentKind;
use rehref_rewrite::{Policy, ReferenceCounts};
use rehref_site::plural::number;

/// The advice on a SITE that seems to be a part of a site.
pub(super) const PART_OF_SITE: &str = "if this site is part of a larger one, pass the root of the larger site with its URL, and select the part with --include";

/// Warnings of links whose targets are above SITE, or would be above the root of its host.
pub(super) fn above(plan: &Plan, references: &ReferenceCounts) -> Vec<Advice> {
    let corpus = &plan.corpus;
    let url = corpus.site_url.url();
    if !matches!(plan.policy, Policy::Absolute { .. }) {
        return part(plan, references).into_iter().collect();
    }
    let warning = |count: usize, targets: String| {
        let text = format!(
            "links with targets {targets}: {}\nhelp: {PART_OF_SITE}\nhelp: if --url lacks the directory of this site, add it, like https://example.org/~name/",
            number(count)
        );
        (count > 0).then_some(Advice::Warning(text))
    };
    let above_root =
        format!("at the root of the host, since {url} has fewer directories than they have `..`");
    let leaving = match references.from_root {
        (0, count @ 1..) if corpus.selection.markdown.is_none() => Some(Advice::Warning(format!(
            "links from the root of the host, like /style.css, none of which is below {url}: {}\nhelp: if they mean files of the site, it was made for another URL; to publish it at {url}, use `rehref move SITE --url OLD --new-url {url} --out OUT`",
            number(count)
        ))),
        _ => None,
    };
    let warnings = [
        warning(references.above_root, above_root),
        warning(references.above_site, format!("above the site, not below {url}")),
        leaving,
    ];
    warnings.into_iter().flatten().collect()
}

/// A warning if SITE is certainly a part of a site: a part of a generator's documents, or without a URL and with links to
/// places above it. Links from the rest do not follow what moves.
pub(super) fn part(plan: &Plan, references: &ReferenceCounts) -> Option<Advice> {
    let corpus = &plan.corpus;
    let mut folders =
        corpus.server.sources.iter().filter_map(|it| it.pages.as_ref()).flat_map(|it| &it.folders);
    if folders.any(|it| it.folder.is_empty() && !it.source.is_empty()) && !plan.moves.is_empty() {
        return Some(Advice::Warning("the site is a part of the documents of a generator, so links from its other documents do not follow what moves\nhelp: pass the directory with its configuration, with paths from there".to_owned()));
    }
    let count = references.above_root;
    let is_site = matches!(plan.policy, Policy::Site(_)) && corpus.selection.single.is_none();
    let is_built = corpus.server.sources.is_none() && corpus.selection.markdown.is_none();
    (count > 0 && is_site && is_built && corpus.site_url.is_placeholder()).then(|| {
        Advice::Warning(format!(
            "links with targets above the site: {}\nhelp: if this site is part of a larger one, pass the root of the larger site, with paths from there; if not, add --url with its URL",
            number(count)
        ))
    })
}

/// Notes that all documents are in one directory of SITE, whose name would be in the URL of each.
pub(super) fn deeper(corpus: &Corpus) -> Option<Advice> {
    let folder = deeper_root(corpus)?.display();
    let help = in_build(&folder.to_string()).unwrap_or_else(|| "pass it instead".to_owned());
    let url = without_placeholder(corpus.site_url.url().as_str());
    Some(Advice::Note(format!(
        "all documents of the site are in its directory {folder}, so their URLs begin with {url}{folder}/\nhelp: if that directory is the root of the site, {help}"
    )))
}

/// The deepest directory of SITE that has all documents, if that is not SITE itself.
fn deeper_root(corpus: &Corpus) -> Option<&Path> {
    // The documents of a generator have URLs of their own.
    if corpus.selection.single.is_some() || corpus.server.sources.is_some() {
        return None;
    }
    common_directory(corpus.files().filter(|path| DocumentKind::of_built_path(path).is_some()))
}

/// The deepest directory of all `documents`, if that is not the root.
pub(in crate::cli) fn common_directory<'p>(
    mut documents: impl Iterator<Item = &'p Path>,
) -> Option<&'p Path> {
    let mut common = documents.next()?.parent()?;
    for path in documents {
        common = common.ancestors().find(|it| path.starts_with(it))?;
        if common.as_os_str().is_empty() {
            return None;
        }
    }
    Some(common).filter(|it| !it.as_os_str().is_empty())
}
