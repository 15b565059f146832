//! The pages that have the text of lost pages, and the redirects to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use encoding_rs::UTF_8;

use crate::cli::exit::CliError;
use crate::cli::opened::OpenedSite;
use crate::cli::progress::Listing;
use rehref_audit::site_index::SiteIndex;
use rehref_audit::successors::{PageText, Successor, Successors};
use rehref_audit::{Check, Finding};
use rehref_corpus::{Observer, Role, SourceDocument};
use rehref_site::Response;
use rehref_site::redirects::{MovedSite, Redirect};
use rehref_url::Url;

/// The redirects to the successors of lost pages.
#[derive(Default)]
pub(super) struct Found {
    pub(super) redirects: Vec<Redirect>,
    /// The number of lost pages that have one.
    pub(super) pages: usize,
    /// The lost pages that a rule of NEW redirects elsewhere: advice on the rule.
    pub(super) ruled: Vec<String>,
    /// A rule of NEW that is not read, and may answer one of the old URLs.
    pub(super) unread: Option<String>,
}

/// Names the page that has most of the text of each lost page. Returns redirects to the sure ones.
pub(super) fn name(
    findings: &mut [Finding],
    old: &mut OpenedSite,
    new: &mut OpenedSite,
) -> Result<Found, CliError> {
    let lost = findings.iter().filter(|it| it.check == Check::LostPage);
    let lost: BTreeSet<String> = lost.map(|it| it.location.path.to_string()).collect();
    let mut successors = Successors::default();
    let mut found = Found::default();
    if lost.is_empty() {
        return Ok(found);
    }
    each_text(old, |it| lost.contains(it.name), |it| successors.add_gone(it.name, it.pieces))?;
    each_text(old, |_| true, |it| successors.add_old(&it.pieces))?;
    each_text(
        new,
        |_| true,
        |it| {
            if it.is_sent {
                successors.add_new(&it.url, &it.pieces);
            }
        },
    )?;
    let known: BTreeMap<&str, Successor> = successors.find().collect();
    let site_url = &new.corpus.site_url;
    let root = site_url.url().as_str().trim_end_matches('/');
    for finding in findings.iter_mut().filter(|it| it.check == Check::LostPage) {
        let Some(successor) = known.get(&*finding.location.path) else { continue };
        let path = successor.url.strip_prefix(root).filter(|_| site_url.is_placeholder());
        let shown = path.unwrap_or(&successor.url).to_owned();
        let share = if successor.is_sure { "nearly all" } else { "most" };
        finding.diagnostic.message =
            format!("{}; {share} of its text is at the suggested URL", finding.message).into();
        finding.suggestion = Some(shown.as_str().into());
        // A mirror names the file of a page with a query by its URL.
        let is_query = finding.location.path.contains('?');
        let target = finding.target.as_deref();
        let target = target.map(|it| if is_query { it.replacen("%3F", "?", 1) } else { it.into() });
        let from = target.and_then(|it: String| site_url.url().resolve(&it, UTF_8).ok());
        let (true, Some(from), Ok(to)) = (successor.is_sure, from, Url::parse(&successor.url))
        else {
            continue;
        };
        let site = new.index.of_document(&finding.location.path);
        let path = site.below(from.as_str()).unwrap_or_default();
        if let Some(advice) = advice_on_rule(site, &path, &shown) {
            found.ruled.push(advice);
            continue;
        }
        found.unread = found.unread.or_else(|| site.files.unread_rule(&path).map(str::to_owned));
        found.pages += 1;
        let others = other_urls(old, &finding.location.path, site);
        let others = others.into_iter().filter(|it| *it != from);
        let all = std::iter::once(from.clone()).chain(others);
        found.redirects.extend(all.map(|from| Redirect::new(from, to.clone())));
    }
    Ok(found)
}

/// Advice on the rule of NEW that redirects `path`: another one would not apply, or would take its place.
fn advice_on_rule(site: &SiteIndex, path: &str, to: &str) -> Option<String> {
    let rule = site.files.rule_for(path).filter(|it| it.status < 400)?;
    Some(match rule.from.literal() {
        Some(_) => format!("change the target of {} to {to}", rule.place),
        None => format!("add a redirect from /{path} to {to} before {}", rule.place),
    })
}

/// The URLs of `new` below which the server of OLD sent the file at `path`, and that of NEW answers with nothing.
fn other_urls(old: &OpenedSite, path: &str, new: &SiteIndex) -> Vec<Url> {
    let files = old.index.of_document(path);
    // A generator makes one URL of a document, and a query is of one URL.
    if files.files.pages().is_some() || old.corpus.has_containers() || path.contains('?') {
        return Vec::new();
    }
    let site = MovedSite {
        url: &files.site_url,
        index_files: &old.corpus.index_files,
        files: &files.files,
        stated: old.corpus.stated_urls(),
    };
    let in_new = |url: Url| {
        let path = files.site_url.below(url.as_str())?;
        let answer = new.files.find(path, "");
        let is_gone = matches!(answer, None | Some(Response::Folder | Response::Extension(_)));
        let url = new.site_url.url_below(path).ok()?;
        (is_gone && advice_on_rule(new, path, "").is_none()).then_some(url)
    };
    site.urls_for(Path::new(path)).into_iter().filter_map(in_new).collect()
}

/// Calls `take` with the text of each document of `site` that `is_wanted`. What cannot be read was reported before.
fn each_text(
    site: &mut OpenedSite,
    is_wanted: impl Fn(&SourceDocument<'_>) -> bool + Sync,
    mut take: impl FnMut(PageText),
) -> Result<(), CliError> {
    site.for_each_collection(Listing::Nothing, |collection, index, progress| {
        let text = |document: &SourceDocument<'_>| {
            let is_page = document.role == Role::Content && is_wanted(document);
            is_page.then(|| PageText::of(index, document))
        };
        collection.each_document(
            None,
            text,
            || progress.progress(),
            |_, read| {
                if let Ok(Some(text)) = read {
                    take(text);
                }
                Ok(())
            },
        )?;
        Ok(())
    })
}
