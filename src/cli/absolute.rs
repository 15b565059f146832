//! `rehref absolute`: make every link of a site absolute.

use std::path::PathBuf;

use clap::Args;

use super::arguments::SiteArguments;
use super::exit::{CliError, Exit, usage_error};
use super::kind::KindArguments;
use super::options::{self, SiteKind};
use super::output::OutputArguments;
use super::rewriting::{filter, filter_url, rewrite};
use super::site_url::{self, MissingUrl, note_directory};
use super::stdin::Stdin;
use super::values::{Choice, one_of};
use super::{markdown, place, repository_url, terminal};
use rehref_corpus::run::plan::{Archives, Plan};
use rehref_corpus::{Corpus, SitePlace};
use rehref_rewrite::{InPageLinks, Policy};
use rehref_site::{RepositoryUrls, hierarchical_url};
use rehref_url::AbsoluteUrl;

/// Make every link of a site absolute
///
/// Resolves every link of every document in SITE against the document's base URL: its base element, or else
/// --url and the path of the file. Only links change: all other bytes of a document, and all other files, stay
/// unchanged. The URL of a document in an archive (WARC) is the URL of its record.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[arg(value_name = "SITE", help = place::help(", or - to rewrite a document or an archive from stdin to stdout"))]
    place: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
    /// Give every HTML document a base element with this URL, in place of the document's own base element
    #[arg(long, alias = "base", value_name = "URL", help_heading = "Links")]
    base_element: Option<String>,
    /// Form of in-page links (#top) in HTML pages
    ///
    /// Feeds, mail and pages under a base element with another URL get absolute links in any case.
    #[arg(long, value_name = "WHAT", default_value = "keep", help_heading = "Links", value_parser = one_of(IN_PAGE_LINKS))]
    in_page_links: InPageLinks,
    /// Another URL of the same document or directory, for the images of Markdown
    ///
    /// Example: a package registry shows a README, and --url is https://github.com/o/r/blob/main/README.md. This URL serves a
    /// page, not files, so pass https://raw.githubusercontent.com/o/r/main/ here.
    #[arg(long, value_name = "URL", help_heading = "Links")]
    image_url: Option<String>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    kind: KindArguments,
}

#[rustfmt::skip]
const IN_PAGE_LINKS: [Choice<InPageLinks>; 2] = [
    ("keep", "As written: scripts of the page may use such links as selectors", InPageLinks::Keep),
    ("absolute", "Absolute, for pages that visitors see at another URL, such as pages inserted into others",
        InPageLinks::Absolute),
];

pub(super) fn run(mut arguments: Arguments) -> Result<Exit, CliError> {
    let check = || filter_url(&arguments.site, "");
    match Stdin::of(&arguments.place, arguments.kind.kind, check)? {
        Stdin::Unread => run_on_site(&mut arguments),
        Stdin::Archive(archive) => {
            archive.path().clone_into(&mut arguments.place);
            arguments.output.destination.for_stdin()?;
            run_on_site(&mut arguments)
        }
        Stdin::Document(bytes) => {
            options::refuse(SiteKind::Stdin)?;
            let url = filter_url(&arguments.site, "")?;
            let policy = policy(&arguments, url.as_str())?;
            let Arguments { kind, output, .. } = &arguments;
            filter(bytes, url, kind, &policy, output, &arguments.site)
        }
    }
}

fn run_on_site(arguments: &mut Arguments) -> Result<Exit, CliError> {
    refuse_base(arguments)?;
    if let Some(path) = arguments.base_element.as_deref().filter(|it| it.starts_with('/')) {
        return usage_error(format!(
            "--base-element {path}: this is a path, not a whole URL\nhelp: to publish the site at another path, use `rehref move SITE --url OLD --new-url https://example.org{path} --out OUT`"
        ));
    }
    if let Some(path) = arguments.site.url.as_deref().filter(|it| it.starts_with('/')) {
        return usage_error(format!(
            "--url {path}: this is a path, and absolute links have a host\nhelp: write the whole URL, like https://example.org{path}\nhelp: for links like {path}a.html, make the absolute links of the output relative again: rehref relative OUT --url URL --form root --out OUT2"
        ));
    }
    let place = arguments.kind.place(&arguments.place)?;
    arguments.site.read_readme(&place);
    if let (Some(base), None, SitePlace::Directory(_) | SitePlace::Document(_)) =
        (&arguments.base_element, &arguments.site.url, &place)
    {
        return usage_error(format!(
            "--base-element needs --url, the URL at which the site is published\nhelp: to make links absolute, use --url {base} in its place\nhelp: to write base elements, too, add --url {base}"
        ));
    }
    let destination = &arguments.output.destination;
    let mode = destination.mode(&place);
    let mode = match mode {
        // A missing URL is refused next, so that a user reads of both at once.
        Err(error) if destination.is_missing() && lacks_url(arguments, &place) => Err(error),
        mode => Ok(mode?),
    };
    let opened = arguments.site.open(&place, place.walk(), MissingUrl::Refused);
    if let (Err(_), Err(error)) = (&opened, &mode) {
        terminal::error(error);
    }
    let (mut corpus, _) = opened?;
    markdown::refuse_project("absolute", &corpus)?;
    repository_url::refuse(corpus.site_url.url())?;
    site_url::refuse_whole_site(&place, arguments.site.url.as_deref(), &arguments.place)?;
    if arguments.output.destination.in_place
        && arguments.site.url.is_some()
        && let Some(said) = site_url::other_root(&corpus)?
    {
        let given = corpus.site_url.url();
        return usage_error(format!(
            "the site is unchanged: --url is {given}, but it says that it is at {said}, and absolute would not change links to there\nhelp: to publish it at {given}: rehref move SITE --in-place --url {said} --new-url {given}\nhelp: to make its links absolute, pass --url {said}, or both with --also {said}"
        ));
    }
    let policy = policy(arguments, corpus.site_url.url().as_str())?;
    note_also(arguments, &corpus);
    if arguments.site.url.is_some() && corpus.has_only_archives() {
        terminal::note(
            "--url has no effect: all documents of the site are in archives, whose records have URLs of their own",
        );
    }
    let mode = mode?;
    corpus.selection.set_kind(arguments.kind.kind);
    let plan = Plan { archives: Archives::Rewritten, ..Plan::new(corpus, mode, policy) };
    rewrite(plan, &arguments.output, "already absolute", |_, _| Ok(()))
}

/// Notes that links to a `--also` stay, which a user may expect to change.
fn note_also(arguments: &Arguments, corpus: &Corpus) {
    if !arguments.site.also.is_empty()
        && let Some(also) = corpus.also.first()
    {
        let (also, url) = (also.url(), corpus.site_url.url());
        terminal::note(format!(
            "--also {also}: absolute does not change links that are already absolute\nhelp: to change their URL, use `rehref move SITE --out DIR --url {also} --new-url {url}`"
        ));
    }
}

/// Returns true if `--url` is required and missing.
fn lacks_url(arguments: &Arguments, place: &SitePlace) -> bool {
    arguments.site.url.is_none() && !matches!(place, SitePlace::Archive(_))
}

/// Refuses `--base-element` with what it cannot mean.
fn refuse_base(arguments: &Arguments) -> Result<(), CliError> {
    if arguments.base_element.is_some() && site_url::is_none(arguments.site.url.as_deref()) {
        return usage_error(
            "with --url none, --base-element would make targets for links that have none\nhelp: remove one of the two options",
        );
    }
    if let Some("drop" | "auto" | "keep" | "") = arguments.base_element.as_deref() {
        return usage_error(
            "--base-element needs a URL, which absolute writes to every document\nhelp: to remove base elements, use `rehref relative --base-element drop`",
        );
    }
    Ok(())
}

/// The policy for a document or a site at `url`.
fn policy(arguments: &Arguments, url: &str) -> Result<Policy, CliError> {
    refuse_base(arguments)?;
    if let Some(url) = &arguments.base_element {
        note_directory("--base-element", url);
    }
    let base = arguments.base_element.as_deref().map(hierarchical_url).transpose();
    let base = base.map_err(CliError::url("--base-element"))?;
    let images = arguments.image_url.as_deref().map(hierarchical_url).transpose();
    let images = images.map_err(CliError::url("--image-url"))?;
    let directory = |url: &str| url.get(..=url.rfind('/')?).map(str::to_owned);
    let images = images.and_then(|images| match arguments.place.extension() {
        // The URL of the document itself.
        Some(extension) if images.path().ends_with(&*extension.to_string_lossy()) => {
            directory(images.as_str())
        }
        _ => Some(images.as_str().to_owned()),
    });
    Ok(Policy::Absolute {
        base: base.map(|url| AbsoluteUrl::new(arguments.site.standard, url)),
        in_page_links: arguments.in_page_links,
        repository: directory(url).map(|site| RepositoryUrls::new(&site, images.as_deref())),
    })
}
