//! `--url`: where SITE is published; given, inferred, or missing.

use std::path::Path;

use super::advice::build::in_build;
use super::command_line::{command_name, quoted, value_of};
use super::exit::{CliError, usage_error};
use super::likely_site::below_likely_site;
use super::mounts::{is_host, scheme_of};
use super::place::mirror;
use super::progress::{Listing, Progress};
use super::terminal;
use super::working_directory::argument;
use rehref_audit::publication::{
    Misfit, Publication, PublicationUrl, RootFolder, infer, named, say, total,
};
use rehref_corpus::{Corpus, SitePlace};
use rehref_generators::markdown::BasePath;
use rehref_site::nearest::nearest;
use rehref_site::{PLACEHOLDER_URL, Pages, SiteUrl, StatedSite, hierarchical_url};
use rehref_url::{Url, percent_decoded};

/// The value of `--url` that infers it.
const AUTO: &str = "auto";

/// The value of `--url` that means the files on this disk.
const DISK: &str = "file:";

/// The value of `--url` that means that there is no URL.
const NONE: &str = "none";

/// Returns true if `url` says that there is no retrieval URL.
pub(super) fn is_none(url: Option<&str>) -> bool {
    url.is_some_and(|url| url.eq_ignore_ascii_case(NONE))
}

/// Refuses `--url none` for `command`, which needs to know where a document is.
pub(super) fn refuse_none(command: &str, url: Option<&str>) -> Result<(), CliError> {
    if is_none(url) {
        usage_error(format!(
            "--url none: {command} needs the URLs of documents\nhelp: if the URL of the site is unknown, remove --url (only absolute, links and base accept none)"
        ))
    } else {
        Ok(())
    }
}

/// The behavior of a command without `--url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingUrl {
    /// A missing URL is refused: there is no URL to write.
    Refused,
    /// The command assumes the root of a host without a name, and says so.
    Assumed,
    /// The command assumes the same. The command says so itself, if links show that it matters, or when it has
    /// read the documents.
    AssumedInSilence,
}

/// Returns the URL that `--url` gives SITE; `None` if it does not give one, or is to be inferred.
pub(super) fn given(place: &SitePlace, url: Option<&str>) -> Result<Option<SiteUrl>, CliError> {
    match url {
        None | Some(AUTO) => Ok(None),
        url if is_none(url) => placeholder().map(Some),
        Some(url) if url.eq_ignore_ascii_case(DISK) => {
            if command_name() == "audit" {
                terminal::note(
                    "from disk, browsers list the files of a directory, and do not read its index file\nhelp: `rehref relative SITE --out DIR --offline` writes a copy whose links lead to files",
                );
            }
            Ok(Some(SiteUrl::of_directory(&place.root())?))
        }
        Some(url) => {
            if let Some(site_url) = of_document(place, url)? {
                return Ok(Some(site_url));
            }
            let (site_url, note) = SiteUrl::parse(url)?;
            if let Some(note) = note {
                terminal::note(note);
            }
            if let Some(rest) = url.strip_prefix("ftp://").or_else(|| url.strip_prefix("sftp://")) {
                let host = rest.split('/').next().unwrap_or_default();
                terminal::warning(format!(
                    "--url {url} is a place for uploads\nhelp: pass the URL at which visitors read the site, like --url https://{host}/"
                ));
            }
            let host = site_url.url().before_path().trim_start_matches("http://");
            if ["localhost", "127.0.0.1", "[::1]"].iter().any(|it| host.starts_with(it)) {
                terminal::note(format!(
                    "rehref fetches nothing from {url}: it reads the files of the site, and --url is only their URL\nhelp: to check what the server sends, download it with `{}`, and pass the result",
                    mirror(url)
                ));
            }
            if site_url.is_on_disk() {
                terminal::note(
                    "--url is a place on disk, so links to the host of the site count as external\nhelp: pass the URL at which the site is published; for a copy that is opened from disk, write --url file:",
                );
            }
            if let SitePlace::Document(path) = place
                && let Some(below) = below_likely_site(path)
                && let Ok(of_document) = site_url.file_url(&below)
                && !is_of_folder(&site_url, &below)
            {
                terminal::note(format!(
                    "--url is the URL of the directory of {}\nhelp: if it is the URL of the site, pass the URL of the document: --url {of_document}",
                    below.display()
                ));
            }
            Ok(Some(site_url))
        }
    }
}

/// Refuses `url`, the value of `--url`, for a document at `place` if it is a directory's that is probably the one of the whole
/// site, in which the document is in another directory. `typed`: the path of the document as given.
pub(super) fn refuse_whole_site(
    place: &SitePlace,
    url: Option<&str>,
    typed: &Path,
) -> Result<(), CliError> {
    let own = |path: &Path, url: &str| {
        let (site_url, _) = SiteUrl::parse(url).ok().filter(|_| url.ends_with('/'))?;
        let below = below_likely_site(path).filter(|it| !is_of_folder(&site_url, it))?;
        site_url.file_url(&below).ok()
    };
    let (SitePlace::Document(path), Some(url)) = (place, url) else { return Ok(()) };
    let Some(own) = own(path, url) else { return Ok(()) };
    usage_error(format!(
        "--url {url} seems to be the URL of the whole site, not of the directory of {}\nhelp: pass the URL of the document: --url {own}\nhelp: for all documents, pass the directory of the site",
        typed.display()
    ))
}

/// Returns true if the URL ends with the name of the directory of the file at `path`.
fn is_of_folder(site_url: &SiteUrl, path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|it| Path::new(site_url.url().path()).file_name() == Some(it))
}

/// `text` with paths in place of URLs below the placeholder, which nobody knows.
pub(super) fn without_placeholder(text: &str) -> String {
    text.replace(PLACEHOLDER_URL, "/")
}

/// Notes that the end of `url`, the value of `option`, names a file, if it could as well be a directory.
pub(super) fn note_directory(option: &str, url: &str) {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let after_host = path.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let Some((_, path)) = after_host.filter(|_| path.len() == url.len()) else { return };
    let name = path.rsplit('/').next().unwrap_or_default();
    if !name.is_empty() && !name.contains('.') {
        terminal::note(format!(
            "{option} {url}: rehref treats {name} as a file\nhelp: if {name} is a directory, write {url}/"
        ));
    }
}

/// The URL of the directory that holds the document `place`, if `url` is the URL of the document; `None` if it
/// may be that of the directory, and for other places.
fn of_document(place: &SitePlace, url: &str) -> Result<Option<SiteUrl>, CliError> {
    let Some(file) = place.document_name() else { return Ok(None) };
    let (Ok(own), file) = (hierarchical_url(url), file.to_string_lossy()) else { return Ok(None) };
    let last = own.path().rsplit('/').next().unwrap_or_default();
    let last = percent_decoded(last);
    let last = String::from_utf8_lossy(&last);
    let folder = match own.resolve(".", encoding_rs::UTF_8) {
        Ok(folder) if own.query().is_none() && own.fragment().is_none() => folder,
        _ => return Ok(None),
    };
    let stem = file.split('.').next().unwrap_or_default();
    match &*last {
        "" => Ok(None),
        name if name == file => Ok(Some(SiteUrl::parse(folder.as_str())?.0)),
        // Not its directory either: a name of a file, or the name without its extension.
        name if name == stem || SiteUrl::parse(url).is_err() => usage_error(format!(
            "--url {url} is neither the URL of {file} nor the URL of its directory\nhelp: pass one of the two, like {folder}{file}, or read the document from stdin (-)"
        )),
        _ => Ok(None),
    }
}

/// Returns the URL of a site whose URL is not known.
pub(super) fn placeholder() -> Result<SiteUrl, CliError> {
    Ok(SiteUrl::parse(PLACEHOLDER_URL)?.0)
}

/// Completes `corpus`, the site at `place`, whose URL is the placeholder: infers its URL, or if SITE does not say it,
/// does what `missing` says. Unless that is an error, the URL of a document is its `file:` URL. Returns the URL that the site seems to be published at, if it is not used.
pub(super) fn complete(
    corpus: &mut Corpus,
    place: &SitePlace,
    url: Option<&str>,
    missing: MissingUrl,
) -> Result<Option<PublicationUrl>, CliError> {
    let is_auto = url == Some(AUTO);
    let is_document = place.document_name().is_some();
    let inferred = infer_with_progress(corpus, !is_auto)?;
    let is_default =
        |at: &PublicationUrl| at.is_stated() && !is_document && !leaves_roots(corpus, at);
    if is_auto || matches!(&inferred, Publication::At(at) if is_default(at)) {
        corpus.publish_at(stated(inferred, place, is_auto)?);
        corpus.also.extend(corpus.unknown_siblings());
        return Ok(None);
    }
    if !is_document && publish_below_host(corpus)? {
        return Ok(None);
    }
    if missing == MissingUrl::Refused
        && let Some(name) = place.document_name().map(Path::display)
        && let Some((says, url)) = of_saved_page(&inferred)
    {
        terminal::note(format!("no --url: {says} that {name} is in the directory {}", url.url()));
        corpus.publish_at(url);
        return Ok(None);
    }
    let likely = match (missing, inferred) {
        (MissingUrl::AssumedInSilence, _) => None,
        (MissingUrl::Refused, inferred) => return refuse(&inferred, place),
        (_, Publication::At(at)) if is_document => Some(at),
        (_, _) if is_document => None,
        (_, inferred) => note_assumption(inferred, corpus),
    };
    if is_document {
        // What is beside a document is known, and where the root of its site is, is not.
        corpus.publish_at(SiteUrl::of_directory(&corpus.root)?);
    }
    Ok(likely)
}

/// The directory of the URL that a document says is its own, and what says so.
fn of_saved_page(inferred: &Publication) -> Option<(String, SiteUrl)> {
    match inferred {
        Publication::At(at) => at.is_stated().then(|| (say(&at.sources), at.url.clone())),
        Publication::Unknown(misfit) => {
            let Misfit { url, sources, .. } = misfit.as_ref()?;
            let directory = directory_of(url)?;
            Some((say(sources), SiteUrl::parse(directory.as_str()).ok()?.0))
        }
        Publication::Contradictory(_) => None,
    }
}

/// Returns the URL of the directory of `url`, if that is one of a server.
fn directory_of(url: &str) -> Option<Url> {
    let own = hierarchical_url(url).ok().filter(|url| url.as_str().starts_with("http"))?;
    own.resolve(".", encoding_rs::UTF_8).ok()
}

/// Returns true if links from the root would lead out of the sources of `corpus`, published at a path of a host as
/// `at` says: themes and render hooks may add the path to them.
fn leaves_roots(corpus: &Corpus, at: &PublicationUrl) -> bool {
    let pages = corpus.server.sources.as_ref().and_then(|it| it.pages.as_ref());
    let adds_path = |it: &Pages| it.dialect.row().base_path != BasePath::Browsers;
    at.url.url().path() != "/" && pages.is_some_and(|it| !adds_path(it))
}

/// Publishes `corpus` at the path of a host that its generator adds to links, if its configuration says no host.
fn publish_below_host(corpus: &mut Corpus) -> Result<bool, CliError> {
    let pages = corpus.server.sources.as_ref().and_then(|it| it.pages.as_ref());
    let Some(StatedSite { file, url }) = pages.and_then(|it| it.stated_site.as_ref()) else {
        return Ok(false);
    };
    if !url.starts_with('/') || url == "/" {
        return Ok(false);
    }
    terminal::note(format!("no --url: {file} says that the site is at the path {url} of its host"));
    let (url, _) = SiteUrl::parse(&format!("{SOME_HOST}{url}"))?;
    corpus.publish_at(url);
    Ok(true)
}

/// Infers where `corpus` is published, from a sample of its documents or from all, and shows the progress.
fn infer_with_progress(corpus: &Corpus, is_sample: bool) -> Result<Publication, CliError> {
    Ok(Progress::during(Listing::Nothing, |it| infer(corpus, is_sample, it))?)
}

/// The host of a site of which only the path is known.
pub(super) const SOME_HOST: &str = "http://localhost";

/// Returns the URL at which the documents of `corpus`, a built site, say that its root is, or else its generator, and
/// who says so. The URL of `corpus` is the placeholder.
pub(super) fn of_built(
    corpus: &Corpus,
    stated: Option<&StatedSite>,
) -> Result<Option<(String, SiteUrl)>, CliError> {
    if let Publication::At(at) = infer_with_progress(corpus, true)?
        && at.is_stated()
    {
        return Ok(Some((say(&at.sources), at.url)));
    }
    let Some(StatedSite { file, url }) = stated else { return Ok(None) };
    let host = if url.starts_with('/') { SOME_HOST } else { "" };
    let site_url = SiteUrl::parse(&format!("{host}{url}"));
    Ok(site_url.ok().map(|(url, _)| (format!("{file} says"), url)))
}

/// Says so if some documents of `corpus` say that its root has another URL than that of `--url`. If they say the same, or
/// differ in the scheme or in `www.`, all these URLs are those of the root.
pub(super) fn check(corpus: &mut Corpus, missing: MissingUrl) -> Result<(), CliError> {
    let inferred = infer_with_progress(corpus, true)?;
    let of_site =
        |url: &SiteUrl| *url == corpus.site_url || corpus.site_url.siblings().contains(url);
    let is_same = matches!(&inferred, Publication::At(at) if at.is_stated() && of_site(&at.url));
    if missing != MissingUrl::AssumedInSilence && !terminal::is_quiet() {
        note_other_urls(corpus, missing, inferred);
    }
    if is_same {
        corpus.also.extend(corpus.unknown_siblings());
    }
    Ok(())
}

/// Returns the URL that most documents of `corpus` say its root has, if that contradicts `--url`.
pub(super) fn other_root(corpus: &Corpus) -> Result<Option<Url>, CliError> {
    if corpus.selection.single.is_some() {
        return Ok(None);
    }
    let at = contradicting(corpus, infer_with_progress(corpus, true)?);
    let at = at.filter(|it| it.is_stated() && total(&it.sources) > 1);
    Ok(at.filter(|it| !corpus.site_url.siblings().contains(&it.url)).map(|it| it.url.url().clone()))
}

/// As [`check`], from what the documents say.
fn note_other_urls(corpus: &Corpus, missing: MissingUrl, inferred: Publication) {
    if let (MissingUrl::Refused, Publication::Unknown(Some(misfit))) = (missing, &inferred)
        && misfit.url.starts_with(DISK)
        && !corpus.site_url.is_on_disk()
    {
        terminal::note(format!(
            "URLs of files on a disk, like {}: {}; absolute does not change such links",
            misfit.url,
            named(&misfit.sources)
        ));
    }
    let new = value_of("--new-url").and_then(|it| Some(SiteUrl::parse(&it).ok()?.0));
    let too = linked_too(corpus, &inferred);
    if let Some(former) = too.filter(|it| new.as_ref() != Some(&it.url)) {
        return terminal::note(former_url(corpus, former, missing == MissingUrl::Refused));
    }
    let swapped = too.cloned();
    let Some(at) = swapped.or_else(|| contradicting(corpus, inferred)) else { return };
    if new.is_some_and(|it| it == at.url) {
        let (given, said) = (corpus.site_url.url(), at.url.url());
        let text = format!(
            "{} that the site is at {said} already, which is --new-url\nhelp: if --url and --new-url are swapped, write --url {said} --new-url {given}",
            say(&at.sources)
        );
        // A change of the scheme leaves some old links.
        match corpus.site_url.siblings().contains(&at.url) {
            true => terminal::note(text),
            false => terminal::warning(text),
        }
        return;
    }
    let text = contradicts(corpus, &at);
    if at.is_stated() && is_elsewhere(corpus.site_url.url(), at.url.url()) {
        terminal::warning(text);
    } else {
        terminal::note(text);
    }
    if missing == MissingUrl::Refused {
        terminal::note(former_url(corpus, &at, true));
    }
}

/// The URL at which pages of `corpus` are linked, too, although most links to them begin with that of `--url`.
fn linked_too<'p>(corpus: &Corpus, inferred: &'p Publication) -> Option<&'p PublicationUrl> {
    let Publication::Contradictory(urls) = inferred else { return None };
    let given = urls.iter().find(|it| it.url == corpus.site_url)?;
    let is_fewer = |it: &PublicationUrl| total(&it.sources) <= total(&given.sources);
    let is_known = |it: &PublicationUrl| it.url == given.url || corpus.also.contains(&it.url);
    urls.iter().find(|it| !is_known(it) && !it.is_stated() && is_fewer(it))
}

/// Says that links to `at` stay as they are: those of `absolute`, or of another command, for which they are external.
fn former_url(corpus: &Corpus, at: &PublicationUrl, is_absolute: bool) -> String {
    let (given, said) = (corpus.site_url.url(), at.url.url());
    let seen = match at.is_stated() {
        true => String::new(),
        false => format!(" ({} with the paths of pages of the site)", named(&at.sources)),
    };
    if !is_absolute {
        return format!(
            "links to {said}{seen} count as external\nhelp: if that is this site, add --also {said}"
        );
    }
    format!(
        "absolute does not change links to {said}{seen}\nhelp: to change them, use `rehref move SITE --out DIR --url {said} --new-url {given}`"
    )
}

/// Returns true if `said` cannot be the root of a copy of the site at `given`: it has another path, the same host
/// by another scheme, or a host that `given` seems to misspell.
pub(super) fn is_elsewhere(given: &Url, said: &Url) -> bool {
    let host = |url: &Url| url.before_path().split_once(':').map(|it| it.1.to_owned());
    let (one, other) = (host(given).unwrap_or_default(), host(said).unwrap_or_default());
    // A host for tests has more letters, or others.
    let is_typo = one != other && nearest([(&other, ())], &one, 2).is_some();
    given.path() != said.path() || is_typo || (one == other && given.scheme() != said.scheme())
}

/// Says that there is no `--url`, and which one to add. Returns the URL that the site seems to be
/// published at.
pub(super) fn note_assumption(inferred: Publication, corpus: &Corpus) -> Option<PublicationUrl> {
    let hint = match &inferred {
        Publication::At(at) => format!("; {}", advice(at)),
        // A generator writes the pages to a directory of its project.
        Publication::Unknown(_) if corpus.server.sources.is_some() => String::new(),
        Publication::Unknown(Some(Misfit { folder: Some(folder), .. })) => {
            format!("; {}", advice_below(folder))
        }
        _ => match corpus.root.file_name().and_then(|it| it.to_str()).filter(|it| is_host(it)) {
            Some(name) => format!(
                "; its directory has the name of a host\nhelp: if it is the site of that host, add --url {}://{name}/",
                scheme_of(corpus, name)
            ),
            None => String::new(),
        },
    };
    terminal::note(format!(
        "no --url: assuming that the site is at the root of its host; links with a host name count as external{hint}"
    ));
    match inferred {
        Publication::At(at) => Some(at),
        _ => None,
    }
}

/// `--url is URL, but 3 canonical links say that SITE is at OTHER; if OTHER is right, use --url OTHER`.
pub(super) fn contradicts(corpus: &Corpus, at: &PublicationUrl) -> String {
    let (given, said) = (corpus.site_url.url(), at.url.url());
    let below = |folder: &Url, root: &Url| {
        let rest = folder.as_str().strip_prefix(root.as_str())?.trim_end_matches('/');
        (!rest.is_empty()).then(|| rest.to_owned())
    };
    if let Some(folder) = below(given, said).filter(|it| corpus.root.join(it).is_dir()) {
        return format!(
            "--url is the URL of its directory {folder}: {} that the site is at {said}\nhelp: use --url {said}\nhelp: for this directory alone, pass it: rehref {} {} --url {given}",
            say(&at.sources),
            command_name(),
            argument(&corpus.root.join(&folder))
        );
    }
    if let Some(folder) = below(said, given).filter(|it| corpus.root.ends_with(it)) {
        let whole = corpus.root.ancestors().nth(folder.split('/').count()).unwrap_or(&corpus.root);
        let whole = argument(whole);
        return format!(
            "the site is a part of the site at {given}: {} that it is at {said}\nhelp: pass the directory of the whole site, and select the part: rehref {} {whole} --url {given} --include {}",
            say(&at.sources),
            command_name(),
            quoted(format!("/{folder}/"))
        );
    }
    let new = value_of("--new-url").unwrap_or_else(|| given.to_string());
    format!(
        "--url is {given}, but {} that the site is at {said}\nhelp: if {said} is right, use --url {said}\nhelp: to publish the site at {new}: rehref move SITE --url {said} --new-url {new} --out DIR",
        say(&at.sources)
    )
}

/// Returns the URL that a site on a server says its root has, or that more of its links say, if it is another than
/// that of `--url`. Warns if that URL is the one of a directory below the root.
pub(super) fn contradicting(corpus: &Corpus, inferred: Publication) -> Option<PublicationUrl> {
    if corpus.site_url.is_on_disk() || corpus.site_url.has_mounts() {
        return None;
    }
    let at = match inferred {
        Publication::At(at) => at,
        // The first is what most links say.
        Publication::Contradictory(urls) if !urls.iter().any(PublicationUrl::is_stated) => {
            let given = urls.iter().find(|at| at.url == corpus.site_url);
            let least = given.map_or(0, |at| total(&at.sources));
            urls.into_iter().find(|at| total(&at.sources) > least)?
        }
        // A generator writes the pages to a directory of its project.
        Publication::Unknown(_) if corpus.server.sources.is_some() => return None,
        Publication::Unknown(Some(Misfit { folder: Some(folder), .. }))
            if folder.url == corpus.site_url =>
        {
            terminal::warning(format!(
                "{}\nhelp: if so, {}",
                below_root(&folder),
                in_build(&folder.path).unwrap_or_else(|| "pass that directory instead".to_owned())
            ));
            return None;
        }
        Publication::Contradictory(_) | Publication::Unknown(_) => return None,
    };
    let is_known = at.url == corpus.site_url || corpus.also.contains(&at.url);
    (!is_known).then_some(at)
}

/// `34 canonical links say that it is at URL: add --url URL`.
fn advice(at: &PublicationUrl) -> String {
    let url = at.url.url();
    format!("{} that the site is at {url}\nhelp: add --url {url}", say(&at.sources))
}

/// The URL for `--url auto`, of the site at `place`. `is_auto`: the option is typed.
fn stated(inferred: Publication, place: &SitePlace, is_auto: bool) -> Result<SiteUrl, CliError> {
    match inferred {
        Publication::At(at) if at.is_stated() => {
            let option = if is_auto { "--url auto" } else { "no --url" };
            let says = say(&at.sources);
            terminal::note(format!("{option}: {says} that the site is at {}", at.url.url()));
            Ok(at.url)
        }
        Publication::At(at) => usage_error(format!(
            "--url auto: only links state where the site is published\nhelp: if the site is at {0}, pass --url {0}",
            at.url.url()
        )),
        inferred => usage_error(format!("--url auto: {}", hint(&inferred, place))),
    }
}

/// The statements of the site at `place` about its URL, and what to do.
fn hint(inferred: &Publication, place: &SitePlace) -> String {
    let example = format!("pass the URL, like --url {}", example_url(place));
    match inferred {
        Publication::At(at) => advice(at),
        Publication::Contradictory(urls) => {
            format!(
                "the site contradicts itself about its URL: {}\nhelp: {example}",
                contradiction(urls)
            )
        }
        Publication::Unknown(Some(Misfit { folder: Some(folder), .. })) => advice_below(folder),
        Publication::Unknown(Some(misfit)) => {
            let (sources, url) = (named(&misfit.sources), &misfit.url);
            let Some(name) = place.document_name().map(Path::display) else {
                return format!(
                    "{sources} with a URL that is not the path of the page on a web server, like {url}\nhelp: {example}"
                );
            };
            // A page that was saved under another name.
            let advice = directory_of(url).map(|directory| {
                format!("to use the directory of this URL, pass --url {directory}")
            });
            format!(
                "{name} says that its URL is {url} ({sources}), which is not the URL of a file named {name}; {}",
                advice.unwrap_or(example)
            )
        }
        Publication::Unknown(None) => format!(
            "the site does not state its URL (no canonical link, og:url, sitemap, robots.txt or CNAME)\nhelp: {example}"
        ),
    }
}

/// `2 canonical links say https://a/, CNAME says https://b/`.
fn contradiction(urls: &[PublicationUrl]) -> String {
    let of = |at: &PublicationUrl| format!("{} {}", say(&at.sources), at.url.url());
    let mut all: Vec<String> = urls.iter().take(3).map(of).collect();
    all.extend((urls.len() > all.len()).then(|| "...".to_owned()));
    all.join(", ")
}

/// Refuses that the URL of the site at `place` is missing.
fn refuse<T>(inferred: &Publication, place: &SitePlace) -> Result<T, CliError> {
    let whose = match place.document_name() {
        Some(name) => format!("the URL of {} or of its directory", name.display()),
        None => "the URL at which the site is published".to_owned(),
    };
    usage_error(format!(
        "absolute needs --url, {whose}: {}; for links to the files on this disk, use --url file:",
        hint(inferred, place)
    ))
}

/// An example of the URL of `place`.
fn example_url(place: &SitePlace) -> String {
    const DIRECTORY: &str = "https://example.org/docs/";
    let of_document = place.document_name().and_then(|name| {
        let (directory, _) = SiteUrl::parse(DIRECTORY).ok()?;
        directory.file_url(name).ok()
    });
    of_document.map_or(DIRECTORY.to_owned(), |url| url.to_string())
}

/// `24 canonical links say that SITE/site/, and not SITE, is at URL`.
fn below_root(folder: &RootFolder) -> String {
    let RootFolder { path, url, .. } = folder;
    let path = String::from_utf8_lossy(&percent_decoded(path)).into_owned();
    let say = say(&folder.sources);
    format!("{say} that its directory {path}, and not the site itself, is at {}", url.url())
}

fn advice_below(folder: &RootFolder) -> String {
    let (below, url) = (below_root(folder), folder.url.url());
    format!("{below}\nhelp: pass that directory instead, with --url {url}")
}
