//! Advice on the root of an audited site: its URL, or another directory that is the root.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::site_root::{self, PART_OF_SITE};
use super::{Advice, is_page};
use crate::cli::command_line::{command_name, quoted};
use crate::cli::likely_site::{generator_of, project_of};
use crate::cli::working_directory::argument;
use rehref_audit::{Check, Finding};
use rehref_corpus::Corpus;
use rehref_document::Document;
use rehref_generators::markdown::MarkdownDialect;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::number;
use rehref_site::{SiteUrl, canonical, path_from_url};

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

/// Notes how many links have another form of the site's URL, with another scheme or `www.`, which servers redirect.
pub(in crate::cli) fn other_forms(corpus: &Corpus, findings: &[Finding]) -> Option<Advice> {
    // Every absolute link into the site has a finding, and some have several.
    let place = |it: &Finding| it.location.position.map(|at| (at.line, at.column));
    let links = findings
        .iter()
        .filter_map(|it| Some((&*it.location.path, place(it), it.reference.as_deref()?)));
    let links: FxHashSet<_> = links.collect();
    let count = |url: &SiteUrl| links.iter().filter(|it| url.below(it.2).is_some()).count();
    let forms = corpus.site_url.siblings().into_iter().filter(|it| corpus.also.contains(it));
    let found: Vec<(SiteUrl, usize)> =
        forms.map(|it| (it.clone(), count(&it))).filter(|(_, count)| *count > 0).collect();
    let (first, _) = found.first()?;
    let links = found.iter().map(|(it, count)| format!("{} ({})", it.url(), number(*count)));
    let url = corpus.site_url.url();
    // Below a path of the host, move would also keep the targets of links from the root, which are not of the site.
    let help = match url.path() {
        "/" => format!(
            "to change them, use `rehref move SITE --out DIR --url {} --new-url {url}`",
            first.url()
        ),
        _ => format!("to list them, use `rehref links SITE --to {}`", first.url()),
    };
    Some(Advice::Note(format!(
        "links with another form of the URL of the site, which servers redirect: {}\nhelp: {help}",
        links.collect::<Vec<_>>().join(", "),
    )))
}

/// Warns that `--url` ends with the name of a directory of SITE, which is probably meant: a version, or a language.
pub(in crate::cli) fn url_of_directory(corpus: &Corpus) -> Option<Advice> {
    let url = corpus.site_url.url();
    let name = url.path().trim_end_matches('/').rsplit('/').next().filter(|it| !it.is_empty())?;
    let folder = corpus.root.join(name);
    let is_meant = folder.is_dir() && !corpus.root.ends_with(name);
    let has_index =
        corpus.files().any(|it| corpus.index_files.has(it) && it.parent() == Some(Path::new("")));
    (is_meant && !has_index).then(|| {
        Advice::Warning(format!(
            "--url ends with {name}/, and the site has a directory of this name, so its URL would be {url}{name}/\nhelp: to audit this directory: rehref audit {} --url {url}",
            argument(&folder)
        ))
    })
}

/// Returns the warning that SITE is a part of the sources of a generator, whose links resolve against the whole project, and
/// the place of that.
pub(in crate::cli) fn part_of_project(corpus: &Corpus) -> Option<(Advice, String)> {
    let project = project_of(&corpus.root).filter(|it| *it != corpus.root)?;
    let below = corpus.root.strip_prefix(project).ok()?;
    let sources = corpus.server.sources.as_ref().and_then(|it| it.pages.as_ref());
    let is_part = match sources {
        Some(pages) => {
            let mut folders = pages.folders.iter();
            folders.any(|it| it.folder.is_empty() && !it.source.is_empty())
        }
        None => below.iter().any(|name| TEMPLATES.iter().any(|it| name == *it)),
    };
    let shown = argument(project);
    let part = quoted(format!("/{}/", display_path(below)));
    let build = generator_of(project).and_then(|it| it.build_command(&shown));
    is_part.then(|| {
        let text = match build.filter(|_| sources.is_none()) {
            Some(build) => format!(
                "these are templates of the project {shown}, whose links resolve in the pages that are made of them\nhelp: check these pages: rehref audit {shown} --build {}",
                quoted(build)
            ),
            None => format!(
            "the site is a part of the project {shown}, and its links resolve against the whole\nhelp: pass the project, and select the part: rehref audit {shown} --include {part}"
            ),
        };
        (Advice::Warning(text), format!("in the project {shown}"))
    })
}

/// The directories of the templates of generators.
const TEMPLATES: [&str; 5] = ["_layouts", "_includes", "layouts", "themes", "overrides"];

/// Returns the path that most broken links from the root begin with, like `/app/`, if their targets exist without it.
pub(in crate::cli) fn path_of_root(corpus: &Corpus, findings: &[Finding]) -> Option<String> {
    let broken = findings.iter().filter(|it| it.check == Check::BrokenTarget);
    let links = broken.map(|it| {
        let suggestion = it.suggestion.as_deref().and_then(|it| it.strip_prefix('/'));
        (it.reference.as_deref().unwrap_or_default(), suggestion)
    });
    common_start(corpus, links)
}

/// Returns the path that most links from the root begin with in the first pages of a site without a URL, if their targets
/// exist without it.
pub(in crate::cli) fn path_of_pages(corpus: &Corpus) -> Option<String> {
    if !corpus.site_url.is_placeholder()
        || corpus.server.sources.is_some()
        || corpus.selection.single.is_some()
    {
        return None;
    }
    let links: Vec<String> = links_of_pages(corpus).flat_map(|(_, links)| links).collect();
    common_start(corpus, links.iter().map(|it| (&**it, None)))
}

/// The first pages of a site, each with its links.
fn links_of_pages(corpus: &Corpus) -> impl Iterator<Item = (&Path, Vec<String>)> {
    let pages = corpus.files().filter(|it| is_page(it) && corpus.selection.has(it)).take(ASKED);
    pages.filter_map(|path| {
        let role = corpus.role(path).ok()?;
        let read = corpus.read_file(path, 0, &role, |file| {
            let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
            let texts = document.references.iter().map(|it| document.text_of(it).to_owned());
            Some(texts.collect::<Vec<_>>())
        });
        Some((path, read.ok()???))
    })
}

/// Returns a relative link of the first pages of a built site that leads to a page above SITE, which is there, and the
/// directory of the larger site.
pub(in crate::cli) fn larger_site(corpus: &Corpus) -> Option<(String, PathBuf)> {
    if corpus.server.sources.is_some() || corpus.selection.single.is_some() {
        return None;
    }
    links_of_pages(corpus).find_map(|(page, links)| {
        links.into_iter().find_map(|link| {
            let path = link.split(['?', '#']).next()?;
            let below = path.trim_start_matches("../");
            let up = Path::new(path.strip_suffix(below)?);
            let target = corpus.root.join(page).parent()?.join(up).join(path_from_url(below)?);
            let target = canonical(&target).ok().filter(|it| it.is_file() && is_page(it))?;
            let root = corpus.root.ancestors().find(|it| target.starts_with(it))?;
            (root != corpus.root).then(|| (link.clone(), root.to_owned()))
        })
    })
}

/// The most directories of a path at which a site is sought.
const DEEPEST: usize = 4;

/// The number of pages whose links are read before a run.
const ASKED: usize = 20;

/// The path that most of `links` from the root begin with, each with the path of the suggested target.
fn common_start<'l>(
    corpus: &Corpus,
    links: impl Iterator<Item = (&'l str, Option<&'l str>)>,
) -> Option<String> {
    let (mut all, mut paths) = (0, BTreeMap::<&str, (usize, usize, usize)>::new());
    for (reference, suggestion) in links {
        let whole = reference.strip_prefix('/').filter(|it| !it.starts_with('/'));
        let Some(whole) = whole.filter(|it| it.contains('/')) else { continue };
        all += 1;
        for (slash, _) in whole.match_indices('/').take(DEEPEST) {
            let (first, rest) = whole.split_at(slash);
            let rest = rest.trim_start_matches('/');
            let (count, checked, existing) = paths.entry(first).or_default();
            *count += 1;
            // The root has an index page, too.
            let is_sign = !rest.is_empty() && !rest.starts_with("index.");
            *checked += usize::from(is_sign);
            let is_file = |end: &&str| {
                let rest = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
                corpus.root.join(format!("{rest}{end}")).is_file()
            };
            // With clean URLs, no suggestion has the extension.
            let exists = || ["", ".html", "/index.html"].iter().any(&is_file);
            *existing += usize::from(is_sign && (suggestion == Some(rest) || exists()));
        }
    }
    let is_known = |first: &str| corpus.site_url.url().path() == format!("/{first}/");
    let (first, (count, checked, existing)) = paths
        .into_iter()
        .filter(|(first, _)| !is_known(first))
        .max_by_key(|(first, (count, _, existing))| (*existing, *count, Reverse(first.len())))?;
    // A directory has the name of its place in the URL, or the place is the homepage of a user.
    let is_named = corpus.root.ends_with(first) || first.starts_with('~') && count > 1;
    let least = if is_named { 1 } else { 2 };
    let is_path = existing >= least && existing * 2 >= checked && count * 2 > all;
    (is_path && !corpus.root.join(first).exists()).then(|| format!("/{first}/"))
}

/// Warns that the site seems to be at `path` of its host.
pub(in crate::cli) fn site_below(corpus: &Corpus, path: &str) -> Advice {
    let url = &corpus.site_url;
    let host = if url.is_placeholder() { "https://HOST" } else { url.url().before_path() };
    let is_of_host = corpus.dialects().any(|it| it == MarkdownDialect::GITHUB);
    let above = corpus
        .root
        .parent()
        .filter(|_| is_of_host && corpus.root.ends_with(path.trim_matches('/')));
    let help = match above {
        Some(root) => format!(
            "paths begin at the root of the repository: rehref {} {} --include {path}",
            command_name(),
            argument(root)
        ),
        None => format!("if the site is at {path}, pass --url {host}{path}"),
    };
    Advice::Warning(format!(
        "links from the root begin with {path}, and their targets exist without it\nhelp: {help}"
    ))
}

/// Notes that SITE says itself that it is at `url`.
pub(in crate::cli) fn inferred_url(url: &str) -> Advice {
    Advice::Note(format!(
        "links to {url} count as links into the site, because its files name that URL\nhelp: for another URL, add --url URL"
    ))
}

/// Notes that all documents are in one directory of SITE, which may be the root of the site.
pub(in crate::cli) fn deeper(corpus: &Corpus, findings: &[Finding]) -> Option<Advice> {
    findings.iter().any(|it| is_of_root(corpus, it)).then(|| site_root::deeper(corpus))?
}

/// Warns of a directory of SITE whose links from the root have their targets in the directory: a site of its own.
pub(in crate::cli) fn site_within(corpus: &Corpus, findings: &[Finding]) -> Option<Advice> {
    let mut counts = BTreeMap::<&str, usize>::new();
    for finding in findings.iter().filter(|it| it.check == Check::BrokenTarget) {
        let (folder, _) = finding.location.path.split_once('/').unwrap_or_default();
        let parts = finding.suggestion.as_deref().zip(finding.reference.as_deref());
        let rest = parts.and_then(|(suggestion, reference)| {
            suggestion.strip_prefix('/')?.strip_prefix(folder)?.strip_prefix(reference)
        });
        if !folder.is_empty() && rest.is_some() {
            *counts.entry(folder).or_default() += 1;
        }
    }
    let (folder, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count > 1).then(|| {
        let path = argument(&corpus.root.join(folder));
        Advice::Warning(format!(
            "links from the root in its directory {folder} have their targets in that directory: {}\nhelp: if it is a site of its own, pass it: rehref {} {path}",
            number(count),
            command_name(),
        ))
    })
}

/// Returns true for a broken link from the root of the host or of the site.
pub(in crate::cli) fn is_of_root(corpus: &Corpus, finding: &Finding) -> bool {
    let reference = finding.reference.as_deref().unwrap_or_default();
    let is_path = reference.starts_with('/') && !reference.starts_with("//");
    let is_below = || corpus.site_url.below(reference).is_some();
    finding.check == Check::BrokenTarget && (is_path || is_below())
}

/// Returns the warning of links to homepages of users, `/~name/`, whose files are in directories of SITE, and these
/// directories.
pub(in crate::cli) fn homepages(
    corpus: &Corpus,
    findings: &[Finding],
) -> Option<(Advice, Vec<String>)> {
    let broken = findings.iter().filter(|it| it.check == Check::BrokenTarget);
    let targets = broken.filter_map(|it| it.target.as_deref());
    let urls = targets.map(|it| corpus.site_url.below(it).unwrap_or(it.trim_start_matches('/')));
    let names = urls.filter_map(|it| {
        let mut names = it.split(['/', '?', '#']);
        names
            .find_map(|it| it.strip_prefix('~').or_else(|| it.strip_prefix("%7E")))
            .map(str::to_owned)
    });
    let names: BTreeSet<String> = names.collect();
    let folder = |name: &str| format!("{name}/public_html");
    let names: Vec<String> =
        names.into_iter().filter(|it| corpus.root.join(folder(it)).is_dir()).collect();
    let first = names.first()?;
    let host = match corpus.site_url.is_placeholder() {
        true => "https://HOST/",
        false => corpus.site_url.url().as_str(),
    };
    let mounts = names.iter().take(3).map(|it| format!("--mount {host}~{it}/={}", folder(it)));
    let advice = Advice::Warning(format!(
        "links to homepages of users, whose files are in directories of the site, such as /~{first}/ in {}\nhelp: to follow these links, add {}",
        folder(first),
        mounts.collect::<Vec<_>>().join(" ")
    ));
    Some((advice, names.iter().map(|it| folder(it)).collect()))
}

/// The directory of SITE that has all pages, perhaps beside sources, if broken links from the root have their targets there.
pub(in crate::cli) fn directory_of_root(corpus: &Corpus, findings: &[Finding]) -> Option<String> {
    let pages = corpus.files().filter(|it| is_page(it) && corpus.selection.has(it));
    let folder = display_path(site_root::common_directory(pages)?);
    let of_root = findings.iter().filter(|it| is_of_root(corpus, it));
    let (mut all, mut there) = (0, 0);
    for finding in of_root {
        all += 1;
        let suggestion = finding.suggestion.as_deref().unwrap_or_default();
        there += usize::from(suggestion.contains(&format!("/{folder}/")));
    }
    (there > 0 && there * 2 >= all).then_some(folder)
}

/// Notes that the pages beside the sources of a generator are all in `folder`.
pub(in crate::cli) fn pages_below(folder: &str) -> Advice {
    Advice::Note(format!(
        "all pages of the site are in its directory {folder}, and links from the root lead there\nhelp: to check the pages, pass that directory instead"
    ))
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
pub(super) fn part_of_site(count: usize) -> Option<Advice> {
    (count > 0).then(|| {
        Advice::Note(format!(
            "links with targets above the site: {}\nhelp: {PART_OF_SITE}",
            number(count)
        ))
    })
}
