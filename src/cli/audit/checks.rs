//! Runs the checks over a site, and finds out where it seems to be.

use std::path::Path;

use super::Arguments;
use crate::cli::exit::{CliError, usage_error};
use crate::cli::opened::OpenedSite;
use crate::cli::progress::Listing;
use crate::cli::{advice, site_url, terminal};
use rehref_audit::publication::{self, Misfit, Publication, PublicationUrl, say};
use rehref_audit::published::Published;
use rehref_audit::{Audit, AuditOutcome, Check, Confidence, Finding, OtherSite, audit};
use rehref_corpus::files::Globs;
use rehref_corpus::{Corpus, Observer};
use rehref_document::DocumentKind;
use rehref_site::diagnostic::display_path;

/// Returns true if `--url` gives the URL of SITE, or SITE says it.
pub(super) fn has_url(arguments: &Arguments, corpus: &Corpus) -> bool {
    let url = &corpus.site_url;
    arguments.reading.site.url.is_some()
        || !(url.is_placeholder() || url.has_mounts() || url.is_on_disk())
}

/// Where the site seems to be, if that is not the root of the audit.
pub(super) enum Elsewhere {
    /// Where a note has told.
    Told,
    /// In this directory of SITE.
    Directory(String),
    /// At another place, in words.
    Place(String),
}

/// Runs the checks over `opened`. Returns also where the site seems to be, if this differs from the audit's root; refuses
/// fixes then.
pub(super) fn run_checks(
    arguments: &Arguments,
    opened: &mut OpenedSite,
    entries: Option<&Globs>,
    published: Option<&Published>,
    others: &[OtherSite<'_>],
) -> Result<(AuditOutcome, Option<Elsewhere>), CliError> {
    let fixes = arguments.fix.fix.is_some();
    let is_document = opened.corpus.selection.single.is_some();
    let has_url = has_url(arguments, &opened.corpus);
    let asks_where = (fixes || has_url || !terminal::is_quiet()) && !is_document;
    let witnesses = asks_where.then(|| publication::sample(&opened.corpus));
    let mut outcome = AuditOutcome::default();
    let is_url_inferred = opened.is_url_inferred;
    opened.for_each_collection(Listing::Nothing, |collection, index, progress| {
        let is_directory = !collection.is_archived();
        let plan = Audit {
            collection,
            site: index,
            // The records of an archive have URLs of their own.
            is_published: has_url || is_document || !is_directory,
            is_url_inferred,
            fragments: arguments.choice.fragments,
            entries: entries.filter(|_| is_directory).cloned(),
            witnesses: witnesses.as_ref().filter(|_| is_directory),
            published,
            others: others.to_vec(),
        };
        outcome.add(audit(&plan, || progress.progress())?);
        Ok(())
    })?;
    advice::print(advice::audit::unread(&outcome.unread));
    // Links of other documents may need them.
    if opened.corpus.selection.only.is_none() && opened.corpus.selection.single.is_none() {
        let unused = opened.files().unused_generated();
        advice::print(advice::audit::unused_generated(&unused));
    }
    if let Some((advice, place)) = advice::audited_root::part_of_project(&opened.corpus) {
        advice::print([advice]);
        for finding in &mut outcome.findings {
            (finding.suggestion, finding.fix) = (None, None);
        }
        return Ok((outcome, Some(Elsewhere::Place(place))));
    }
    let asks_forms = published.is_none() && !terminal::is_quiet();
    let forms =
        asks_forms.then(|| advice::audited_root::other_forms(&opened.corpus, &outcome.findings));
    advice::print(forms.flatten());
    let below = arguments.reading.site.url.as_ref().filter(|_| published.is_none());
    advice::print(below.and_then(|_| advice::audited_root::url_of_directory(&opened.corpus)));
    if let Some((advice, folders)) =
        advice::audited_root::homepages(&opened.corpus, &outcome.findings)
    {
        advice::print([advice]);
        folders.iter().for_each(|it| drop_suggestions_below(&mut outcome.findings, it));
    }
    drop_moved_from_root(&opened.corpus, &mut outcome.findings);
    let siblings = opened.corpus.unknown_siblings();
    let counts = std::mem::take(&mut outcome.siblings);
    let siblings = advice::audited_root::siblings(siblings.iter().zip(counts));
    if !asks_where {
        advice::print(siblings);
        return Ok((outcome, None));
    }
    let evidence = std::mem::take(&mut outcome.evidence);
    let published = publication::conclude(&opened.corpus, opened.files(), evidence);
    let below = |outcome: &mut AuditOutcome, corpus: &Corpus| {
        if let Some(folder) = advice::audited_root::directory_of_root(corpus, &outcome.findings) {
            drop_suggestions_below(&mut outcome.findings, &folder);
            // Without sources, the reported findings decide about this note.
            if corpus.server.sources.is_some() {
                advice::print([advice::audited_root::pages_below(&folder)]);
            }
            return Some(Elsewhere::Directory(folder));
        }
        let path = Some(&outcome.findings).filter(|_| !fixes);
        let path = path.and_then(|it| advice::audited_root::path_of_root(corpus, it))?;
        advice::print([advice::audited_root::site_below(corpus, &path)]);
        drop_suggestions(&mut outcome.findings, &path);
        Some(Elsewhere::Place(format!("at {path}")))
    };
    let folder = match &published {
        Publication::Unknown(Some(Misfit { folder: Some(folder), .. })) => {
            Some(folder.path.clone())
        }
        _ => None,
    };
    if opened.is_url_assumed {
        advice::print(siblings);
        let at = site_url::note_assumption(published, &opened.corpus)
            .filter(|at| at.url.url().path() != "/");
        return match at {
            Some(at) if fixes => usage_error(format!(
                "without --url, --fix would change correct links: {} that the site is at {1}\nhelp: add --url {1}",
                say(&at.sources),
                at.url.url()
            )),
            Some(at) => {
                drop_suggestions(&mut outcome.findings, at.url.url().path());
                // The note is enough: --url is not contradicted.
                Ok((outcome, Some(Elsewhere::Told)))
            }
            None => {
                let is_moved = arguments.fix.fix == Some(Confidence::Moved);
                let path = Some(&outcome.findings).filter(|_| is_moved);
                let path =
                    path.and_then(|it| advice::audited_root::path_of_root(&opened.corpus, it));
                if let Some(path) = path {
                    return usage_error(format!(
                        "without --url, --fix would change correct links: those from the root begin with {path}, and their targets exist without it\nhelp: add --url with the URL of the site, like https://example.org{path}"
                    ));
                }
                let seems = folder.map(|_| Elsewhere::Told);
                let seems = seems.or_else(|| below(&mut outcome, &opened.corpus));
                Ok((outcome, seems))
            }
        };
    }
    let Some(at) = site_url::contradicting(&opened.corpus, published) else {
        advice::print(siblings);
        let seems = match folder {
            Some(folder) => Some(Elsewhere::Directory(folder)),
            None => below(&mut outcome, &opened.corpus),
        };
        return Ok((outcome, seems));
    };
    add_other_url(&mut outcome.findings, &opened.corpus, &at);
    let given = &opened.corpus.site_url;
    if !site_url::is_elsewhere(given.url(), at.url.url()) {
        advice::print(siblings);
        return Ok((outcome, None));
    }
    // Links alone may mean another site of the host, but a fix would break them.
    if !at.is_stated() {
        advice::print(siblings);
        if fixes {
            return usage_error(format!(
                "--fix: --url is {}, but {} that the site is at {2}, so --fix may change correct links\nhelp: pass the right --url, or add --also {2}",
                given.url(),
                say(&at.sources),
                at.url.url()
            ));
        }
        return Ok((outcome, Some(Elsewhere::Place(format!("at {}", at.url.url())))));
    }
    if fixes && !opened.corpus.also.contains(&at.url) {
        return usage_error(format!(
            "--fix: --url is {}, but {} that the site is at {2}, so --fix may change correct links\nhelp: pass the right --url, or add --also {2}",
            given.url(),
            say(&at.sources),
            at.url.url()
        ));
    }
    terminal::warning(site_url::contradicts(&opened.corpus, &at));
    drop_suggestions(&mut outcome.findings, at.url.url().path());
    Ok((outcome, Some(Elsewhere::Place(format!("at {}", at.url.url())))))
}

/// Drops the suggestions to remove the `path` of the site from links.
fn drop_suggestions(findings: &mut [Finding], path: &str) {
    for finding in findings {
        let has = |text: &Option<Box<str>>| text.as_ref().is_some_and(|it| it.contains(path));
        if has(&finding.diagnostic.reference) && !has(&finding.suggestion) {
            (finding.suggestion, finding.fix) = (None, None);
        }
    }
}

/// Drops the fixes of links from the root whose targets seem to have moved, if links lead above SITE, which then is probably
/// a part of a site.
fn drop_moved_from_root(corpus: &Corpus, findings: &mut [Finding]) {
    if advice::audited_root::links_above(findings) == 0 {
        return;
    }
    for finding in findings.iter_mut().filter(|it| advice::audited_root::is_of_root(corpus, it)) {
        finding.fix.take_if(|fix| fix.confidence == Confidence::Moved);
    }
}

/// Drops the suggestions of targets in `folder`, which is probably the root of the site.
fn drop_suggestions_below(findings: &mut [Finding], folder: &str) {
    let folder = format!("/{folder}/");
    for finding in findings {
        if finding.suggestion.as_ref().is_some_and(|it| it.contains(&folder)) {
            (finding.suggestion, finding.fix) = (None, None);
        }
    }
}

/// Adds the finding that the documents of `corpus` say that the site is at `at`, in the first document of the root.
fn add_other_url(findings: &mut Vec<Finding>, corpus: &Corpus, at: &PublicationUrl) {
    let is_document = |path: &&Path| DocumentKind::of_built_path(path).is_some();
    let documents = corpus.files().filter(is_document);
    // The first of those that are nearest to the root.
    let is_deep = |path: &&Path| path.parent() != Some(Path::new(""));
    let Some(document) = documents.min_by_key(is_deep) else { return };
    let document = display_path(document);
    let place = findings.iter().position(|it| *it.location.path == *document).unwrap_or(0);
    let text = site_url::contradicts(corpus, at);
    let (message, help) = text.split_once(terminal::HELP).unwrap_or((&text, ""));
    let mut finding = Finding::of_file(Check::OtherUrl, &*document, message.to_owned());
    finding.help = (!help.is_empty()).then(|| help.replace(terminal::HELP, "; ").into());
    findings.insert(place, finding);
}
