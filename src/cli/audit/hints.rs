//! Notes on an audit of the wrong directory, or of a part of a site.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::super::advice::site_root::deeper_root;
use super::super::exit::{CliError, usage_error};
use super::super::site_url::without_placeholder;
use super::super::terminal;
use rehref_audit::publication::PublicationUrl;
use rehref_audit::{Check, Finding};
use rehref_corpus::Corpus;
use rehref_document::{Document, DocumentKind};
use rehref_site::Location;
use rehref_site::SiteUrl;
use rehref_site::plural::counted;

/// Notes what the reported findings, and the files of `corpus`, say about SITE. `above` is the number of
/// [`links_above`], `references` that of all links.
pub(super) fn note(
    site: &Path,
    corpus: &Corpus,
    findings: &[Finding],
    above: usize,
    references: usize,
) {
    if references == 0 {
        note_empty_documents(corpus);
    }
    if corpus.selection.single.is_some() {
        // The others are about the root of a site.
        return;
    }
    note_scripted_pages(corpus);
    note_ignored_targets(corpus, findings);
    if !note_deeper_root(site, corpus, findings) {
        note_part_of_site(above);
    }
}

/// Refuses to fix links by a URL of which the site says that it is another one.
pub(super) fn refuse_contradicted_url(
    given: &SiteUrl,
    stated: &PublicationUrl,
) -> Result<(), CliError> {
    let (given, stated_url) = (given.url(), stated.url.url());
    usage_error(format!(
        "--fix: --url is {given}, but {} that SITE is at {stated_url}, so --fix may change correct links; give \
         the right --url, or add --also {stated_url}",
        stated.sources_say()
    ))
}

/// Notes that the pages of a small site have scripts, and no links.
fn note_scripted_pages(corpus: &Corpus) {
    /// Sites of single-page applications have few pages; more of them have links.
    const MOST_PAGES: usize = 8;
    let is_page = |path: &&Path| {
        let kind = DocumentKind::of_path(path);
        matches!(kind, Some(DocumentKind::Html | DocumentKind::Xhtml))
    };
    let pages: Vec<&Path> = corpus.files().filter(is_page).take(MOST_PAGES + 1).collect();
    if pages.len() > MOST_PAGES {
        return;
    }
    let mut has_scripts = false;
    for page in pages {
        let Ok(role) = corpus.role(page) else { return };
        let read = corpus.read_file(page, 0, &role, |file| {
            let document = Document::parse(file.document.bytes, &file.document.options).ok()?;
            let places = document.references.iter();
            let places = places.map(|it| Location::of_reference(&document, it, None).place());
            Some(places.collect::<Vec<String>>())
        });
        // Without links on every page, or nothing is said.
        let Ok(Some(Some(places))) = read else { return };
        if places.iter().any(|it| is_link(it)) {
            return;
        }
        has_scripts |= places.iter().any(|it| it == "script src");
    }
    if has_scripts {
        terminal::note(
            "no page has a link, and the pages load scripts; rehref does not run scripts: if scripts write the \
             links, audit the rendered pages",
        );
    }
}

/// Whether readers follow the references of `place`, or see their targets.
fn is_link(place: &str) -> bool {
    let is_of_head = ["link ", "base "].iter().any(|it| place.starts_with(it));
    (place.ends_with("href") && !is_of_head) || matches!(place, "iframe src" | "frame src")
}

/// Notes that the documents of a site without links are empty files.
fn note_empty_documents(corpus: &Corpus) {
    let length = |path: &Path| Some(corpus.root.join(path).metadata().ok()?.len());
    let is_page = |path: &&Path| DocumentKind::of_path(path) == Some(DocumentKind::Html);
    let pages = corpus.files().filter(is_page);
    let empty = pages.filter(|path| length(path) == Some(0)).count();
    if empty > 0 {
        let verb = if empty == 1 { "is" } else { "are" };
        terminal::warning(format!(
            "{} {verb} empty (0 bytes); check whether the build of the site finished",
            counted(empty, "document")
        ));
    }
}

/// Notes that all documents are in one directory of SITE, which may be the root of the site. Returns whether
/// that is so.
fn note_deeper_root(site: &Path, corpus: &Corpus, findings: &[Finding]) -> bool {
    let is_of_root = |it: &Finding| {
        let reference = it.reference.as_deref().unwrap_or_default();
        it.check == Check::BrokenTarget
            && reference.starts_with('/')
            && !reference.starts_with("//")
    };
    if !findings.iter().any(is_of_root) {
        return false;
    }
    let Some(folder) = deeper_root(corpus) else {
        return false;
    };
    let (site, folder) = (site.display(), site.join(folder).display().to_string());
    terminal::note(format!(
        "all documents of {site} are in {folder}; if that is the root of the site, use `rehref audit {folder}`"
    ));
    true
}

/// Notes that the targets of broken links exist, but that git ignores them.
fn note_ignored_targets(corpus: &Corpus, findings: &[Finding]) {
    let urls = corpus.walk.ignored();
    let urls = urls.filter_map(|path| corpus.site_url.file_url(path).ok());
    let urls: FxHashSet<String> = urls.map(|url| without_placeholder(url.as_str())).collect();
    if urls.is_empty() {
        return;
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
    if count > 0 {
        terminal::note(format!(
            "the targets of {} exist, but git ignores these files, so --gitignore excludes them from SITE",
            counted(count, "broken link")
        ));
    }
}

/// The number of findings about links whose targets are above SITE.
pub(super) fn links_above(findings: &[Finding]) -> usize {
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
fn note_part_of_site(count: usize) {
    if count > 0 {
        let verb = if count == 1 { "has its target" } else { "have their targets" };
        terminal::note(format!(
            "{} {verb} above SITE; if SITE is part of a larger site, give the root of the larger site, and \
             select the part with --include",
            counted(count, "link")
        ));
    }
}
