//! `rehref compare`: find what an earlier state of a site published and this one does not.

pub(super) mod old;
mod successors;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::advice;
use super::advice::site_root;
use super::audit;
use super::audit::SiteAudit;
use super::audit::arguments::{ChoiceArguments, FindingArguments, FixArguments, ReportArguments};
use super::command_line::{GivenOptions, quoted, value_of};
use super::exit::{CliError, Exit, usage_error};
use super::first_paths::first_paths;
use super::likely_site::is_page;
use super::moved_corpus::MovedCorpus;
use super::opened::{OpenedSite, ReadingArguments};
use super::output::DestinationArguments;
use super::progress::Listing;
use super::redirect_destination::{RedirectDestination, RedirectPlace, destination};
use super::site_url::MissingUrl;
use super::values::{Choice, one_of};
use super::working_directory::argument;
use super::{files, reports, terminal, unused_globs};
use old::OldPlace;
use rehref_audit::published::{
    DocumentPublication, ListSyntax, Publications, Published, PublishedAnchors,
};
use rehref_audit::site_index::SiteIndex;
use rehref_audit::{Check, Finding};
use rehref_corpus::Corpus;
use rehref_document::is_markdown;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::redirects::MoveRedirects;
use rehref_site::{Moves, SiteUrl, canonical};
use successors::Found;

/// Find published pages, files and anchors that a new state of a site has lost
///
/// Every URL that OLD answers, and every anchor in it that a link of OLD leads to, must exist in NEW or be redirected
/// there. Reads only files on disk, and fetches nothing.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The published site: a directory, an archive, git:REVISION, a sitemap, or a list of URLs (- for stdin)
    ///
    /// git:v1.2 is the state of NEW in the tag, branch or commit v1.2; git:v1.2:site is the directory site in it, from the root of the work tree (git:gh-pages: is the whole branch gh-pages). A list has a URL, or a path from the root
    /// of the host, on each line; --record writes one.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The new state of the site
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// URL at which NEW is published, if the site moves to another host or path; --url is then the URL of OLD
    #[arg(long, value_name = "URL", requires = "url")]
    new_url: Option<String>,
    /// Read OLD as a log of requests: each answered URL must exist in NEW
    #[arg(long, value_name = "FORMAT", value_parser = one_of(LOGS))]
    from_log: Option<ListSyntax>,
    /// Anchors of OLD that must exist in NEW
    #[arg(long, value_name = "WHICH", default_value = "linked", value_parser = one_of(ANCHORS))]
    anchors: PublishedAnchors,
    /// Write the URLs and anchors of NEW to FILE, to be a later OLD
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write redirects to FILE, from lost pages to the pages that certainly have their text
    ///
    /// A redirect is certain if the new page has nearly all of the text that only the lost page had. The formats are
    /// those of move.
    #[arg(long, value_name = "FORMAT=FILE", value_parser = destination)]
    write_redirects: Option<RedirectDestination>,
    #[command(flatten)]
    report: ReportArguments,
    #[command(flatten)]
    findings: FindingArguments,
    #[command(flatten)]
    reading: ReadingArguments,
}

/// `--anchors`.
#[rustfmt::skip]
const ANCHORS: [Choice<PublishedAnchors>; 2] = [
    ("linked", "Anchors that a link of OLD leads to", PublishedAnchors::Linked),
    ("all", "All ids and headings", PublishedAnchors::All),
];

/// `--from-log`.
const LOGS: [Choice<ListSyntax>; 1] = [(
    "combined",
    "The common or combined log format of Apache and nginx",
    ListSyntax::CombinedLog,
)];

/// A site to compare, and the options that are given for it.
struct Comparison {
    given: GivenOptions,
    started: Instant,
    old: PathBuf,
    /// `--url`, if it is not that of NEW.
    old_url: Option<String>,
    from_log: Option<ListSyntax>,
    anchors: PublishedAnchors,
    write_redirects: Option<RedirectDestination>,
    arguments: audit::Arguments,
    new: OpenedSite,
}

/// Compares `sites`, each with the options that are given for it, and reports what is lost together.
pub(super) fn run(sites: Vec<(GivenOptions, Arguments)>) -> Result<Exit, CliError> {
    let is_one = sites.len() == 1;
    let record = sites.first().and_then(|(_, it)| it.record.clone());
    let mut comparisons = Vec::new();
    for (given, arguments) in sites {
        let of_one = [
            ("--write-redirects", arguments.write_redirects.is_some()),
            ("--new-url", arguments.new_url.is_some()),
        ];
        if let Some((option, _)) = of_one.iter().find(|(_, is_given)| !is_one && *is_given) {
            return usage_error(format!("{option} accepts only one site\nhelp: pass OLD and NEW"));
        }
        comparisons.push(Comparison::open(given, arguments, is_one)?);
    }
    audit::refuse_shared_baseline(comparisons.iter().map(|it| &it.arguments))?;
    audit::separate(comparisons.iter_mut().map(|it| &mut it.new).collect(), &[]);
    let (mut records, mut arguments, mut audits) = (Vec::new(), Vec::new(), Vec::new());
    for comparison in comparisons {
        comparison.given.keep();
        let site = comparison.arguments.place.to_string_lossy().into_owned();
        terminal::set_subject(if is_one { "" } else { &site });
        let records = record.is_some().then_some(&mut records);
        let (of_site, audit) = comparison.run(is_one, records)?;
        arguments.push(of_site);
        audits.push(audit);
    }
    terminal::set_subject("");
    if record.is_some() {
        reports::write(record.as_deref(), records)?;
    }
    audit::report_all(arguments.iter().zip(audits).collect())
}

impl Comparison {
    /// Opens NEW.
    fn open(
        given: GivenOptions,
        arguments: Arguments,
        is_one: bool,
    ) -> Result<Comparison, CliError> {
        let started = Instant::now();
        given.keep();
        let site = arguments.new.to_string_lossy();
        terminal::set_subject(if is_one { "" } else { &site });
        if let Some(destination) = &arguments.write_redirects {
            check_destination(destination)?;
        }
        old::refuse_missing(&arguments.old, ", write git:{}", &arguments.new)?;
        old::refuse_swapped(&arguments.old, &arguments.new)?;
        old::refuse_missing(
            &arguments.new,
            " and the old state, pass it first as git:{}; otherwise check it out: git worktree add --detach DIRECTORY {}",
            &arguments.old,
        )?;
        let is_same = |one: &Path| Some(canonical(one).ok()? == canonical(&arguments.new).ok()?);
        if arguments.record.is_none() && is_same(&arguments.old) == Some(true) {
            terminal::note(
                "OLD and NEW are the same\nhelp: pass the earlier state of the site as OLD, like git:HEAD, which is the last commit",
            );
        }
        let Arguments {
            old,
            new,
            new_url,
            from_log,
            anchors,
            write_redirects,
            report,
            findings,
            mut reading,
            ..
        } = arguments;
        let old_url = new_url.and_then(|url| reading.site.url.replace(url));
        // Links of NEW to the old URL are redirected; below its own URL, they are to its own files.
        let new_url = reading.site.url.as_deref().and_then(|it| SiteUrl::parse(it).ok());
        let is_below = |old: &&String| new_url.as_ref().is_some_and(|it| it.0.below(old).is_some());
        reading.site.also.extend(old_url.iter().filter(|it| !is_below(it)).cloned());
        reading.site.selection.is_compared = true;
        let arguments = audit::Arguments {
            place: new,
            build: None,
            report,
            choice: ChoiceArguments::default(),
            findings,
            fix: FixArguments { fix: None, destination: DestinationArguments::default() },
            reading,
        };
        audit::refuse_wrong(&arguments)?;
        let new = arguments.reading.open(&arguments.place, MissingUrl::AssumedInSilence)?;
        if new.corpus.has_only_archives() {
            return usage_error(format!(
                "{0}: this is an archive, and NEW is a directory\nhelp: write its pages to a directory, and pass the one of their host as NEW: rehref relative {0} --extract --out DIR",
                arguments.place.display()
            ));
        }
        if new.corpus.selection.single.is_some() {
            return usage_error(format!(
                "{}: this is a document, but compare compares sites\nhelp: pass the root directory of the site",
                arguments.place.display()
            ));
        }
        Ok(Comparison {
            given,
            started,
            old,
            old_url,
            from_log,
            anchors,
            write_redirects,
            arguments,
            new,
        })
    }

    /// Finds what is lost. Adds to `records` what `--record` writes.
    fn run(
        self,
        is_one: bool,
        records: Option<&mut Vec<u8>>,
    ) -> Result<(audit::Arguments, SiteAudit), CliError> {
        let Comparison {
            started,
            old,
            old_url,
            from_log,
            anchors,
            write_redirects,
            mut arguments,
            new,
            ..
        } = self;
        let site_url = new.corpus.site_url.clone();
        let old_site_url = match &old_url {
            Some(url) => SiteUrl::parse(url)?.0,
            None => site_url.clone(),
        };
        let mut open = |place: &Path| {
            let new_url = arguments.reading.site.url.clone();
            // These are the rules of NEW.
            let redirects = arguments.reading.site.redirects.redirects.take();
            if old_url.is_some() {
                arguments.reading.site.url.clone_from(&old_url);
            }
            let opened = arguments.reading.open(place, MissingUrl::AssumedInSilence);
            arguments.reading.site.url = new_url;
            arguments.reading.site.redirects.redirects = redirects;
            opened
        };
        let old_place = OldPlace::of(&old, &arguments.place, from_log)?;
        let (published, mut opened_old) = match &old_place {
            OldPlace::List(text, syntax) => {
                let name = old.display().to_string();
                let published = Published::of_list(text, *syntax, &name, &new.index, &old_site_url);
                let refused = |error| usage_error(format!("{}: {error}", old.display()));
                (published.or_else(refused)?, None)
            }
            OldPlace::Site(place) => {
                let mut opened = open(place)?;
                let has_mounts = |it: &OpenedSite| it.corpus.site_url.has_mounts();
                if has_mounts(&opened) && !has_mounts(&new) {
                    return usage_error(format!(
                        "{}: each directory of OLD is the site of another host, and NEW is one site\nhelp: compare one host at a time: pass its directory as OLD",
                        old.display()
                    ));
                }
                let sources = new.corpus.server.sources.as_ref().and_then(|it| it.pages.as_ref());
                if let (Some(pages), None) = (sources, &opened.corpus.server.sources) {
                    let program = pages.dialect.row().program;
                    terminal::warning(format!(
                        "NEW has sources of {program}, and OLD is a built site: what {program} makes of no file counts as lost\nhelp: build NEW, and pass the directory of the built site"
                    ));
                }
                (of_site(&mut opened, anchors, &old_site_url)?, Some(opened))
            }
            OldPlace::Revision(_written, place) => {
                let mut opened = open(place)?;
                opened.name.clone_from(&new.name);
                (of_site(&mut opened, anchors, &old_site_url)?, Some(opened))
            }
        };
        if let OldPlace::List(text, _) = &old_place
            && text.trim_ascii().is_empty()
        {
            return usage_error(format!(
                "{} is empty\nhelp: write a URL, or a path from the root of the host, on each line",
                old.display()
            ));
        }
        if published.urls.is_empty() {
            let url = old_site_url.url();
            let first = match &old_place {
                OldPlace::List(text, _) => old::first_host(text),
                _ => None,
            };
            let help = match first {
                Some(host) if !url.as_str().starts_with(&host) && !site_url.is_placeholder() => {
                    format!(
                        "its URLs begin with {host}, and --url is {url}; if the site moved: --url {host} --new-url {url}"
                    )
                }
                _ => match old::hosts(&published) {
                    Some((_, first)) if site_url.is_placeholder() => format!("add --url {first}"),
                    Some((hosts, first)) => format!(
                        "its URLs begin with {hosts}, and the URL of the site is {url}; if the site moved, or to compare one of these hosts: --url {first} --new-url {}",
                        site_url.url()
                    ),
                    None => "pass the URL of the site with --url".to_owned(),
                },
            };
            return usage_error(format!(
                "{} names no URL of the site\nhelp: {help}",
                old.display()
            ));
        }
        // A list may be one of all sites.
        if let Some((hosts, _)) = old::hosts(&published).filter(|_| is_one) {
            let others = counted(published.others.values().sum(), "URL");
            terminal::note(format!(
                "{others} skipped: rehref compares only URLs below the URL of the site, and these begin with {hosts}"
            ));
        }
        warn_of_unused(
            &arguments,
            &new.corpus,
            opened_old.as_ref().map(|it| &it.corpus),
            &published,
        )?;
        let name = opened_old.as_ref().map_or(String::new(), |it| it.name.clone());
        let mut audit = audit::audit_lost(&arguments, (started, new), &published)?;
        let names = [&old, &arguments.place].map(|it| it.display().to_string());
        let [shown_old, shown_new] = &names;
        if is_old_name(&arguments.place) && !is_old_name(&old) {
            terminal::note(format!(
                "OLD is {shown_old}, NEW is {shown_new}\nhelp: if {shown_new} is the older state, swap the two: rehref compare {} {}{}",
                quoted(shown_new),
                quoted(shown_old),
                value_of("--url").map_or(String::new(), |url| format!(" --url {}", quoted(url)))
            ));
        }
        audit.summary.trees = is_one.then(|| names.into());
        let found = match &mut opened_old {
            Some(old) => successors::name(&mut audit.findings, old, &mut audit.opened)?,
            None => Found::default(),
        };
        let is_lost = |it: &Finding| it.check == Check::LostPage && it.suggestion.is_none();
        let is_swapped = audit.findings.is_empty() || audit.findings.iter().any(is_lost);
        if let (Some(opened_old), OldPlace::Site(_)) = (&opened_old, &old_place)
            && is_swapped
            && [&old, &arguments.place].iter().all(|it| !is_old_name(it))
            && opened_old.corpus.server.sources.is_none()
        {
            note_added(opened_old, &audit.opened);
        }
        let is_source = |url: &&str| is_markdown(Path::new(url));
        if opened_old.is_none()
            && audit.opened.corpus.server.sources.is_none()
            && audit.findings.len() == published.urls.len()
            && let Some(source) = published.urls.keys().map(|it| &*it.path).find(is_source)
        {
            terminal::note(format!(
                "the list seems to name sources, like {source}, not the URLs of pages\nhelp: pass a list of URLs, such as the published sitemap.xml, or as OLD a revision of the sources: rehref compare git:HEAD~1 DIRECTORY"
            ));
        }
        audit.name_files(&name);
        if let Some(records) = records {
            let of_new = of_site(&mut audit.opened, anchors, &site_url)?;
            records.extend(of_new.list(&site_url).into_bytes());
        }
        let corpus = &audit.opened.corpus;
        let lost = audit.findings.iter().filter(|it| it.check == Check::LostPage);
        let suggested = lost.filter(|it| it.suggestion.is_some()).count();
        write_redirects.map_or(Ok(()), |it| write(&it, found, suggested, corpus))?;
        Ok((arguments, audit))
    }
}

/// Returns true if the name of a directory says that it is an earlier state: `site-old`, `public.bak`.
fn is_old_name(path: &Path) -> bool {
    const WORDS: [&str; 7] = ["old", "bak", "backup", "prev", "previous", "before", "orig"];
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut ends = name.rsplit(['-', '_', '.']).take(1).chain(name.split(['-', '_', '.']).take(1));
    ends.any(|word| WORDS.contains(&word))
}

/// Warns of globs of `arguments` that match neither a file of NEW nor a path of OLD, which a list may name.
fn warn_of_unused(
    arguments: &audit::Arguments,
    new: &Corpus,
    old: Option<&Corpus>,
    published: &Published,
) -> Result<(), CliError> {
    let rules = audit::ignore_rules(arguments)?;
    if new.has_containers() || old.is_some_and(Corpus::has_containers) {
        return Ok(());
    }
    let entries = [Some(new), old].into_iter().flatten().flat_map(|it| &it.walk.entries);
    let paths =
        entries.map(|it| &*it.path).chain(published.urls.keys().map(|it| Path::new(&it.path)));
    unused_globs::warn_of_all(&new.selection, paths.clone());
    audit::warn_of_unused_rules(&rules, paths);
    Ok(())
}

/// The directory of `old` that has all its pages, some of which `new` has at its root.
fn directory_of_old(old: &OpenedSite, new: &OpenedSite) -> Option<String> {
    let pages = || old.files().files().map(Path::new).filter(|it| is_page(it));
    let folder = site_root::common_directory(pages())?;
    let mut rest = pages().filter_map(|it| it.strip_prefix(folder).ok()?.to_str());
    let has_page = rest.any(|it| new.files().file(it).is_some());
    (has_page && !new.corpus.root.join(folder).exists()).then(|| display_path(folder))
}

/// Notes the pages of `new` that `old` does not have: OLD and NEW may be swapped.
fn note_added(old: &OpenedSite, new: &OpenedSite) {
    if old.corpus.has_containers() {
        // Its URLs are no paths of files.
        return;
    }
    if let Some(folder) = directory_of_old(old, new) {
        terminal::warning(format!(
            "all pages of OLD are in its directory {folder}, and NEW has them without it\nhelp: compare that directory with NEW: rehref compare {} {}",
            argument(&old.corpus.root.join(&folder)),
            argument(&new.corpus.root)
        ));
        return;
    }
    let files = new.files().files().filter(|it| is_page(Path::new(it)));
    let mut added: Vec<&str> = files.filter(|it| old.files().file(it).is_none()).collect();
    added.sort_unstable();
    if !added.is_empty() {
        terminal::note(format!(
            "NEW has {} that OLD does not have: {}\nhelp: if NEW is the published site, swap the two",
            counted(added.len(), "document"),
            first_paths(&added)
        ));
    }
}

/// The URLs that the site publishes; for an archive, those below `site_url`.
fn of_site(
    opened: &mut OpenedSite,
    anchors: PublishedAnchors,
    site_url: &SiteUrl,
) -> Result<Published, CliError> {
    let mut documents = Publications::new(anchors);
    let mut captured: Vec<String> = Vec::new();
    let add_captures = |index: &SiteIndex| captured.extend(index.captured().map(str::to_owned));
    opened.each_document(Listing::Nothing, add_captures, DocumentPublication::of, |document| {
        documents.add(document);
        Ok(())
    })?;
    let mut published = Published::of_site(&opened.corpus, &opened.index, documents, site_url);
    published.add_captures(&captured, site_url);
    Ok(published)
}

/// Refuses a destination of redirects that is not a file of rules.
fn check_destination(destination: &RedirectDestination) -> Result<(), CliError> {
    let name = destination.format.name;
    if destination.format.is_of_many_files() {
        return usage_error(format!(
            "--write-redirects {name}: compare writes no pages\nhelp: pass the format of a server, like netlify=FILE\nhelp: for a host without rules, like GitHub Pages, move the new pages back, and then with `rehref move SITE OLD=NEW --write-redirects html --in-place`, or keep the old pages"
        ));
    }
    if destination.file.is_none() {
        return usage_error(format!(
            "--write-redirects {name}: the report goes to stdout\nhelp: name a file: {name}=FILE"
        ));
    }
    destination.check()
}

/// Adds the redirects of `successors` within the site of `corpus` to the file of `destination`, as a move that moves
/// nothing. They are the sure ones of `suggested` pages.
fn write(
    destination: &RedirectDestination,
    successors: Found,
    suggested: usize,
    corpus: &Corpus,
) -> Result<(), CliError> {
    let Some(file) = &destination.file else { return Ok(()) };
    let moves = Moves::default();
    let site = MovedCorpus::new(corpus, &moves, &corpus.site_url);
    let Found { redirects, pages, ruled, unread } = successors;
    let unsure = suggested - pages - ruled.len();
    let found = MoveRedirects { of_rules: redirects, ..MoveRedirects::default() };
    let change = site.change(destination.format, &RedirectPlace::Elsewhere(file), found)?;
    let existing = if file.exists() { files::read("--write-redirects", file)? } else { Vec::new() };
    reports::write(Some(file), change.in_file(&existing))?;
    let written = counted(change.text().written, "redirect");
    terminal::note(format!(
        "{written} to the pages with the text of lost pages written to {}",
        file.display()
    ));
    if unsure > 0 {
        terminal::note(format!(
            "no redirect for {}, since only most of the text is the same\nhelp: check the suggestions, and add their redirects to {}",
            counted(unsure, "lost page"),
            file.display()
        ));
    }
    if corpus.site_url.url().before_path().ends_with("github.io") {
        terminal::warning(
            "github.io reads no rules for redirects\nhelp: move the new pages back, and then with `rehref move SITE OLD=NEW --write-redirects html --in-place`",
        );
    }
    if let Some(rule) = unread {
        terminal::warning(format!(
            "a rule that rehref does not read may answer old URLs already: {rule}\nhelp: remove the redirects of URLs that work"
        ));
    }
    if let Some(first) = ruled.first() {
        terminal::warning(format!(
            "no redirect for {}, since rules of NEW are for {}\nhelp: {first}",
            counted(ruled.len(), "lost page"),
            if ruled.len() == 1 { "its URL" } else { "their URLs" }
        ));
    }
    advice::print(advice::redirects::of_change(&change));
    Ok(())
}
