//! Advice on an audit of the wrong directory, or of a part of a site.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use rustc_hash::FxHashSet;

use super::site_root::{self, PART_OF_SITE};
use super::{Advice, is_page};
use crate::cli::audit::arguments::{Arguments, FindingArguments, Format};
use crate::cli::first_paths::first_paths;
use crate::cli::opened::OpenedSite;
use crate::cli::reports::Requested;
use crate::cli::site_url::without_placeholder;
use rehref_audit::ignore::IgnoreRules;
use rehref_audit::{Check, Confidence, Finding, ProposedFix};
use rehref_corpus::Corpus;
use rehref_document::{Document, DocumentKind, ParseOptions};
use rehref_generators::markdown::UnreadLink;
use rehref_site::plural::{counted, number};
use rehref_site::{Location, SiteUrl};

/// Advice about SITE that follows from the reported findings and the files of `corpus`. `above` is the number of
/// [`links_above`], `references` that of all links.
pub(in crate::cli) fn of_findings(
    corpus: &Corpus,
    findings: &[Finding],
    above: usize,
    references: usize,
) -> Vec<Advice> {
    let empty = if references == 0 { empty_documents(corpus) } else { None };
    if corpus.selection.single.is_some() {
        // The others are about the root of a site.
        return empty.into_iter().collect();
    }
    let root = deeper(corpus, findings).or_else(|| part_of_site(above));
    let all = [empty, scripted_pages(corpus), ignored_targets(corpus, findings), root];
    all.into_iter().flatten().collect()
}

/// Warnings of patterns of `--generated` that no link needs.
pub(in crate::cli) fn unused_generated<'g>(globs: &'g [&str]) -> impl Iterator<Item = Advice> + 'g {
    globs.iter().map(|glob| {
        Advice::Warning(format!(
            "--generated {glob}: no link has a missing target that it matches\nhelp: correct it, or remove it"
        ))
    })
}

/// Notes how many links lead to other URLs of the same host.
pub(in crate::cli) fn siblings<'s>(
    counts: impl Iterator<Item = (&'s SiteUrl, usize)>,
) -> Option<Advice> {
    let found: Vec<(&SiteUrl, usize)> = counts.filter(|(_, count)| *count > 0).collect();
    let links =
        found.iter().map(|(it, count)| format!("links to {}: {}", it.url(), number(*count)));
    let links: Vec<String> = links.collect();
    let options: Vec<String> = found.iter().map(|(it, _)| format!("--also {}", it.url())).collect();
    let which = if let [_] = found.as_slice() { "that is" } else { "these are" };
    let (links, options) = (links.join("; "), options.join(" "));
    let note = || Advice::Note(format!("{links}\nhelp: if {which} this site, add {options}"));
    (!found.is_empty()).then(note)
}

/// Returns the path that most broken links from the root begin with, like `/app/`, if their targets exist without it.
pub(in crate::cli) fn path_of_root(corpus: &Corpus, findings: &[Finding]) -> Option<String> {
    let (mut all, mut paths) = (0, BTreeMap::<&str, (usize, usize)>::new());
    for finding in findings.iter().filter(|it| it.check == Check::BrokenTarget) {
        let reference = finding.reference.as_deref().unwrap_or_default();
        let rest = reference.strip_prefix('/').filter(|it| !it.starts_with('/'));
        let Some((first, rest)) = rest.and_then(|it| it.split_once('/')) else { continue };
        all += 1;
        let (count, existing) = paths.entry(first).or_default();
        let suggestion = finding.suggestion.as_deref().and_then(|it| it.strip_prefix('/'));
        *count += 1;
        *existing += usize::from(rest.is_empty() || suggestion == Some(rest));
    }
    let (first, (count, existing)) = paths.into_iter().max_by_key(|(_, (count, _))| *count)?;
    let is_path = existing > 1 && existing * 2 >= count && count * 2 > all;
    (is_path && !corpus.root.join(first).exists()).then(|| format!("/{first}/"))
}

/// Warns that the site seems to be at `path` of its host.
pub(in crate::cli) fn site_below(corpus: &Corpus, path: &str) -> Advice {
    let url = &corpus.site_url;
    let host = if url.is_placeholder() { "https://HOST" } else { url.url().before_path() };
    Advice::Warning(format!(
        "links from the root begin with {path}, and their targets exist without it\nhelp: if the site is at {path}, pass --url {host}{path}"
    ))
}

/// The most shortcodes that a note names.
const NAMED: usize = 8;

/// Notes how many links of each kind are not read.
pub(in crate::cli) fn unread(links: &BTreeMap<UnreadLink, usize>) -> Vec<Advice> {
    let mut notes = Vec::new();
    let mut parameters: Vec<(&str, usize)> = Vec::new();
    for (link, count) in links {
        match link {
            UnreadLink::CrossReference => {
                let references = counted(*count, "cross-reference");
                let text = "([text][name]) were not checked: plugins find their targets";
                notes.push(Advice::Note(format!("{references} {text}")));
            }
            UnreadLink::Parameter(name) => parameters.push((name, *count)),
        }
    }
    parameters.sort_by_key(|(_, count)| Reverse(*count));
    let all: usize = parameters.iter().map(|(_, count)| count).sum();
    if all > 0 {
        let mut names: Vec<String> = parameters
            .iter()
            .take(NAMED)
            .map(|(name, count)| format!("{name} ({})", number(*count)))
            .collect();
        let more = parameters.len().saturating_sub(NAMED);
        names.extend((more > 0).then(|| format!("{} more", number(more))));
        notes.push(Advice::Note(format!(
            "rehref did not check {} of shortcodes, components and data, which may be paths: {}",
            counted(all, "parameter"),
            names.join(", ")
        )));
    }
    notes
}

/// Notes that SITE says itself that it is at `url`.
pub(in crate::cli) fn inferred_url(url: &str) -> Advice {
    Advice::Note(format!(
        "links to {url} count as links into the site, because its files name that URL\nhelp: for another URL, add --url URL"
    ))
}

/// Notes that the pages of a small site have scripts, and no links.
fn scripted_pages(corpus: &Corpus) -> Option<Advice> {
    /// Sites of single-page applications have few pages; more of them have links.
    const MOST_PAGES: usize = 8;
    let pages: Vec<&Path> =
        corpus.files().filter(|path| is_page(path)).take(MOST_PAGES + 1).collect();
    if pages.len() > MOST_PAGES {
        return None;
    }
    let mut has_scripts = false;
    for page in pages {
        let role = corpus.role(page).ok()?;
        let read = corpus.read_file(page, 0, &role, |file| {
            let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
            let places = document.references.iter();
            let places = places.map(|it| Location::of_reference(&document, it, None).place());
            Some(places.collect::<Vec<String>>())
        });
        // Without links on every page, or nothing is said.
        let Ok(Some(Some(places))) = read else { return None };
        if places.iter().any(|it| is_link(it)) {
            return None;
        }
        has_scripts |= places.iter().any(|it| it == "script src");
    }
    has_scripts.then(|| {
        Advice::Note(
            "no page has a link, but the pages load scripts, which rehref does not run\nhelp: if scripts write the links, audit the rendered pages"
                .to_owned(),
        )
    })
}

/// Returns true if readers follow the references of `place`, or see their targets.
fn is_link(place: &str) -> bool {
    let is_of_head = ["link ", "base "].iter().any(|it| place.starts_with(it));
    (place.ends_with("href") && !is_of_head) || matches!(place, "iframe src" | "frame src")
}

/// Warns that HTML documents of a site without links are empty files.
fn empty_documents(corpus: &Corpus) -> Option<Advice> {
    let is_html = |path: &&Path| DocumentKind::of_built_path(path) == Some(DocumentKind::Html);
    let is_empty = |path: &&Path| corpus.root.join(path).metadata().is_ok_and(|it| it.len() == 0);
    let empty = corpus.files().filter(is_html).filter(is_empty).count();
    (empty > 0).then(|| {
        Advice::Warning(format!(
            "empty documents (0 bytes): {}\nhelp: check whether the build of the site finished",
            number(empty)
        ))
    })
}

/// Notes that all documents are in one directory of SITE, which may be the root of the site.
pub(in crate::cli) fn deeper(corpus: &Corpus, findings: &[Finding]) -> Option<Advice> {
    let is_of_root = |it: &Finding| {
        let reference = it.reference.as_deref().unwrap_or_default();
        it.check == Check::BrokenTarget
            && reference.starts_with('/')
            && !reference.starts_with("//")
    };
    if !findings.iter().any(is_of_root) {
        return None;
    }
    site_root::deeper(corpus)
}

/// Notes that the targets of broken links exist, but that git ignores them.
fn ignored_targets(corpus: &Corpus, findings: &[Finding]) -> Option<Advice> {
    let urls = corpus.walk.ignored();
    let urls = urls.filter_map(|path| corpus.site_url.file_url(path).ok());
    let urls: FxHashSet<String> = urls.map(|url| without_placeholder(url.as_str())).collect();
    if urls.is_empty() {
        return None;
    }
    let is_ignored = |finding: &&Finding| {
        let target = finding.target.as_deref().unwrap_or_default();
        let path = target.split(['?', '#']).next().unwrap_or_default();
        let mut above = path.match_indices('/').map(|(end, _)| end);
        finding.check == Check::BrokenTarget
            && (urls.contains(path)
                || above.any(|end| urls.contains(path.get(..end).unwrap_or(path))))
    };
    let count = findings.iter().filter(is_ignored).count();
    (count > 0).then(|| {
        Advice::Note(format!(
            "the targets of {} exist, but git ignores these files, so --gitignore excludes them from the site",
            counted(count, "broken link")
        ))
    })
}

/// Returns the number of findings about links whose targets are above SITE.
pub(in crate::cli) fn links_above(findings: &[Finding]) -> usize {
    let is_missing =
        |it: &&Finding| it.check == Check::BrokenTarget || it.check == Check::EscapesRoot;
    let is_above = |finding: &&Finding| {
        let depth = finding.location.path.matches('/').count();
        let reference = finding.reference.as_deref().unwrap_or_default();
        let up = reference.split('/').take_while(|it| *it == "..").count();
        up > depth
    };
    findings.iter().filter(is_missing).filter(is_above).count()
}

/// Notes that `count` links have their targets above SITE, which may be a part of a site.
fn part_of_site(count: usize) -> Option<Advice> {
    (count > 0).then(|| {
        Advice::Note(format!(
            "links with targets above the site: {}\nhelp: {PART_OF_SITE}",
            number(count)
        ))
    })
}

/// Says that the entries `gone` of the baseline are stale, while it has `known` findings of this audit and lacks
/// `new` ones.
pub(in crate::cli) fn stale(
    choice: &FindingArguments,
    gone: &[String],
    known: usize,
    new: usize,
) -> Option<Advice> {
    let why = if known == 0 && new > 0 {
        "no entry matches a finding\nhelp: check that the baseline belongs to this site and --url"
            .to_owned()
    } else {
        let adds = if new > 0 {
            format!(" (and adds new findings: {})", number(new))
        } else {
            String::new()
        };
        let first = first_paths(gone);
        format!("the audit no longer reports {first}\nhelp: --update-baseline removes them{adds}")
    };
    let count = number(gone.len());
    if gone.is_empty() {
        None
    } else if choice.fails_on_stale() {
        Some(Advice::Error(format!(
            "stale entries in the baseline: {count}, and --fail-on includes stale: {why}"
        )))
    } else {
        Some(Advice::Note(format!("stale entries in the baseline: {count}: {why}")))
    }
}

/// The number of fixed documents in which to look for the name of a generator.
const ASKED: usize = 20;

/// Notes that a generator makes the documents that `fixes` change.
pub(in crate::cli) fn generator(corpus: &Corpus, fixes: &[&ProposedFix]) -> Option<Advice> {
    let documents: FxHashSet<&str> = fixes.iter().map(|fix| &*fix.document).collect();
    let is_fixed = |path: &&Path| {
        let url = corpus.document_url(path);
        is_page(path) && url.is_ok_and(|url| documents.contains(url.as_str()))
    };
    let generator = |path: &Path| {
        let role = corpus.role(path).ok()?;
        let read = corpus.read_file(path, 0, &role, |file| {
            let options = ParseOptions { metadata: true, ..file.document.options };
            let document = Document::parse(file.document.bytes, &options).ok()?;
            document.metadata?.generators.into_iter().next()
        });
        read.ok()??
    };
    let name = corpus.files().filter(is_fixed).take(ASKED).find_map(generator)?;
    Some(Advice::Note(format!(
        "{name} made these pages, and its next build undoes the fixes: fix the sources, too\nhelp: to list the changes with their lines in the sources, add --sources DIR"
    )))
}

/// Notes how many of the findings in a text report can be fixed, and how.
pub(in crate::cli) fn fixes(arguments: &Arguments, findings: &[Finding]) -> Vec<Advice> {
    let is_for_people = |it: &Requested<_>| it.format == Format::Text || it.file.is_some();
    if !arguments.report.format.iter().all(is_for_people) {
        return Vec::new();
    }
    let done = arguments.fix.fix;
    let how = [(Confidence::Certain, "--fix"), (Confidence::Moved, "--fix=moved")];
    let how =
        how.into_iter().filter(|(confidence, _)| done.is_none_or(|least| *confidence < least));
    let how = how.filter_map(|(confidence, option)| {
        let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
        let count = fixes.filter(|fix| fix.confidence == confidence).count();
        (count > 0).then(|| format!("{} with {option}", counted(count, "finding")))
    });
    let how: Vec<String> = how.collect();
    let uncertain =
        findings.iter().filter(|it| it.suggestion.is_some() && it.fix.is_none()).count();
    let fixable = format!(
        "rehref can fix {}\nhelp: add --diff to see the changes, --in-place or --out DIR to make them",
        how.join(", ")
    );
    let unfixable = format!(
        "--fix does not apply {}, since a suggestion such as a similar name may be wrong\nhelp: correct these links by hand",
        counted(uncertain, "suggestion")
    );
    let notes = [
        (!how.is_empty(), fixable),
        (uncertain > 0 && (done.is_some() || !how.is_empty()), unfixable),
    ];
    notes.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| Advice::Note(text)).collect()
}

/// Notes the rules whose `target:GLOB` matches no finding of a whole audit.
pub(in crate::cli) fn unused_targets(
    choice: &FindingArguments,
    rules: &IgnoreRules,
    findings: &[Finding],
    opened: &OpenedSite,
) -> Vec<Advice> {
    let corpus = &opened.corpus;
    let selection = &corpus.selection;
    if selection.include.is_some() || selection.single.is_some() {
        return Vec::new();
    }
    let unused = rules.unused_targets(findings, &opened.index).into_iter();
    let unused = unused
        .filter(|(_, checks)| checks.is_empty() || checks.iter().any(|check| choice.runs(*check)));
    let texts = unused.map(|(glob, _)| {
        let origin = glob.split('/').take(3).collect::<Vec<_>>().join("/");
        let is_own = |site: &SiteUrl| site.url().before_path() == origin;
        let is_own = is_own(&corpus.site_url) || corpus.also.iter().any(is_own);
        let is_external = glob.contains("://") && !is_own;
        let why =
            if is_external { "; the audit does not fetch links that leave the site" } else { "" };
        format!("--ignore target:{glob} ignores nothing: no finding has such a target{why}")
    });
    texts.map(Advice::Note).collect()
}
