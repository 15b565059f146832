//! `--url`: where SITE is published; given, inferred, or missing.

use super::exit::{CliError, usage_error};
use super::progress::{Listing, Progress};
use super::terminal;
use crate::corpus::{Corpus, CorpusError, SitePlace};
use crate::publication::{Publication, PublicationUrl, infer};
use crate::site::{PLACEHOLDER_URL, SiteUrl};

/// The value of `--url` that infers it.
const AUTO: &str = "auto";

/// The value of `--url` that means the files on this disk.
const DISK: &str = "file:";

/// The behavior of a command without `--url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingUrl {
    /// It is refused: there is no URL to write.
    Refused,
    /// It assumes the root of a host without a name, and says so.
    Assumed,
    /// It assumes the same. The command says so itself, if links show that it matters, or when it has
    /// read the documents.
    AssumedInSilence,
}

/// The URL that `--url` gives SITE; `None` if it does not give one, or is to be inferred.
pub(super) fn given(place: &SitePlace, url: Option<&str>) -> Result<Option<SiteUrl>, CliError> {
    match url {
        None | Some(AUTO) => Ok(None),
        Some(url) if url.eq_ignore_ascii_case(DISK) => {
            Ok(Some(SiteUrl::of_directory(&place.root())?))
        }
        Some(url) => {
            let (site_url, note) = SiteUrl::parse(url)?;
            if let Some(note) = note {
                terminal::note(note);
            }
            Ok(Some(site_url))
        }
    }
}

/// The URL of a site whose URL is not known.
pub(super) fn placeholder() -> Result<SiteUrl, CliError> {
    Ok(SiteUrl::parse(PLACEHOLDER_URL)?.0)
}

/// Completes `corpus`, whose URL is the placeholder: infers its URL where `url` says so, or does what
/// `missing` says. Returns the URL that the site seems to be published at, if it is not used.
pub(super) fn complete(
    corpus: &mut Corpus,
    url: Option<&str>,
    missing: MissingUrl,
) -> Result<Option<PublicationUrl>, CliError> {
    let is_auto = url == Some(AUTO);
    if !is_auto && missing == MissingUrl::AssumedInSilence {
        return Ok(None);
    }
    let progress = Progress::new(Listing::Nothing);
    let inferred = infer(corpus, !is_auto, &progress);
    progress.finish();
    let inferred = inferred.map_err(|error| match error {
        CorpusError::Parallel(error) => CliError::Parallel(error),
        CorpusError::Container(_) | CorpusError::Interrupted => CliError::Interrupted,
    })?;
    if is_auto {
        corpus.publish_at(stated(inferred)?);
        return Ok(None);
    }
    match (missing, inferred) {
        (MissingUrl::Refused, inferred) => refuse(&inferred),
        (_, inferred) => Ok(note_assumption(inferred)),
    }
}

/// Says that there is no `--url`, and which one to add. Returns the URL that the site seems to be
/// published at.
pub(super) fn note_assumption(inferred: Publication) -> Option<PublicationUrl> {
    match inferred {
        Publication::At(at) => {
            terminal::note(format!("{NO_URL}; {}", advice(&at)));
            Some(at)
        }
        Publication::Unknown | Publication::Contradictory(_) => {
            terminal::note(NO_URL);
            None
        }
    }
}

/// Notes that a site on a server says that its root has another path than that of `--url`: its links to its own
/// pages are then taken for broken. Returns the URL that it seems to be published at.
pub(super) fn note_contradiction(corpus: &Corpus, stated: Publication) -> Option<PublicationUrl> {
    let Publication::At(at) = stated else {
        return None;
    };
    let (given, said) = (corpus.site_url.url(), at.url.url());
    if corpus.site_url.is_on_disk() || !at.is_stated() || given.path() == said.path() {
        return None;
    }
    terminal::note(format!(
        "--url is {given}, but {} that SITE is at {said}; is --url that of SITE itself?",
        at.sources_say()
    ));
    Some(at)
}

const NO_URL: &str = "no --url: assuming the site is at the root of its host; links with a host name \
    count as external";

/// `34 canonical links say that it is at URL: add --url URL`.
fn advice(at: &PublicationUrl) -> String {
    let url = at.url.url();
    format!("{} that it is at {url}: add --url {url}", at.sources_say())
}

/// The URL for `--url auto`.
fn stated(inferred: Publication) -> Result<SiteUrl, CliError> {
    match inferred {
        Publication::At(at) if at.is_stated() => {
            let says = at.sources_say();
            terminal::note(format!(
                "--url auto: {says} that SITE is at {}",
                at.url.url()
            ));
            Ok(at.url)
        }
        Publication::At(at) => usage_error(format!(
            "--url auto: nothing but links says where SITE is published; if it is at {0}, give --url {0}",
            at.url.url()
        )),
        Publication::Contradictory(urls) => usage_error(format!(
            "--url auto: SITE does not say unanimously where it is published: {}; give its URL",
            contradiction(&urls)
        )),
        Publication::Unknown => usage_error(
            "--url auto: nothing in SITE says where it is published (canonical links, og:url, \
             sitemaps, robots.txt, CNAME); give its URL, like --url https://example.org/docs/",
        ),
    }
}

/// `2 canonical links say https://a/, CNAME says https://b/`.
fn contradiction(urls: &[PublicationUrl]) -> String {
    let of = |at: &PublicationUrl| format!("{} {}", at.sources_say(), at.url.url());
    let mut all: Vec<String> = urls.iter().take(3).map(of).collect();
    all.extend((urls.len() > all.len()).then(|| "...".to_owned()));
    all.join(", ")
}

fn refuse<T>(inferred: &Publication) -> Result<T, CliError> {
    let example = "for example --url https://example.org/docs/";
    let hint = match inferred {
        Publication::At(at) => advice(at),
        Publication::Contradictory(urls) => format!("{example}; {}", contradiction(urls)),
        Publication::Unknown => example.to_owned(),
    };
    usage_error(format!(
        "absolute needs --url, the URL at which SITE is published: {hint} (--url file: writes links to \
         the files on this disk)"
    ))
}
