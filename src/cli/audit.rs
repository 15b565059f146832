//! `rehref audit`: find, and fix, what is broken in a site.

pub(super) mod arguments;
mod baseline;
mod checks;
pub(super) mod level;
mod outcome;
mod parquet;
pub(super) mod print;
mod sources;

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Instant;

use super::advice::Advice;
use super::arguments::globs;
use super::browser::BrowserArguments;
use super::build::Build;
use super::command_line::{GivenOptions, command_name, quoted, writing};
use super::exit::{CliError, Exit, usage_error};
use super::likely_site::listed_project;
use super::opened::{OpenedSite, report_error};
use super::options::{self, SiteKind};
use super::output::OutputArguments;
use super::reports::{self, Requested, requested};
use super::rewriting::rewrite;
use super::site_url::{self, MissingUrl};
use super::stdin::Stdin;
use super::summary::line;
use super::working_directory::shown;
use super::{advice, markdown, no_documents, terminal, unused_globs};
pub(super) use arguments::Arguments;
use arguments::{FORMATS, Format};
use baseline::{baseline, is_unseen};
use checks::{has_url, run_checks};
use outcome::report;
pub(super) use outcome::{SiteAudit, report_all};
use rehref_audit::baseline::Comparison;
use rehref_audit::checks::CHECKS;
use rehref_audit::ignore::IgnoreRules;
use rehref_audit::published::Published;
use rehref_audit::redirects::REDIRECT_RULE;
use rehref_audit::report::Summary;
use rehref_audit::{Check, Finding, OtherSite};
use rehref_corpus::files::{Globs, has_wildcard};
use rehref_corpus::run::Plan;
use rehref_corpus::{Corpus, SitePlace};
use rehref_document::Fixes;
use rehref_generators::markdown::PageUrl;
use rehref_rewrite::Policy;
use rehref_site::plural::counted;
use rehref_site::{Server, SiteUrl};

/// Audits `sites`, each with the options that are given for it. Links between them and to `others` are followed.
pub(super) fn run(
    mut sites: Vec<(GivenOptions, Arguments)>,
    mut others: Vec<(GivenOptions, Arguments)>,
) -> Result<Exit, CliError> {
    for (_, arguments) in sites.iter_mut().chain(&mut others) {
        let marks = arguments.choice.ignore_attribute.clone();
        arguments.reading.site.selection.ignore_marks = marks;
    }
    let writes = sites.iter().any(|(_, it)| it.fix.fix.is_some() || it.build.is_some());
    if sites.len() == 1 && (others.is_empty() || writes) {
        return sites.pop().map_or(Ok(Exit::Done), |(_, arguments)| run_one(arguments));
    }
    if writes {
        return usage_error("--fix and --build accept only one site\nhelp: pass SITE");
    }
    run_sites(&sites, &others)
}

/// Audits a site alone.
fn run_one(mut arguments: Arguments) -> Result<Exit, CliError> {
    if let Some(command) = arguments.build.clone() {
        return run_on_build(arguments, &command);
    }
    // Only an archive is read from stdin. A document would need the files beside it: the error about `-` says so.
    if !io::stdin().is_terminal()
        && let Stdin::Archive(archive) = Stdin::of(&arguments.place, None, || Ok(()))?
    {
        archive.path().clone_into(&mut arguments.place);
        arguments.reading.is_temporary = true;
        return run_on_site(&arguments);
    }
    run_on_site(&arguments)
}

/// Audits the site that `command` builds of SITE.
fn run_on_build(mut arguments: Arguments, command: &str) -> Result<Exit, CliError> {
    let place = SitePlace::of(&arguments.place)?;
    options::refuse(SiteKind::of(&place))?;
    if arguments.fix.fix.is_some() {
        return usage_error(
            "--fix would change the site that --build builds, not its sources\nhelp: remove --build to fix the sources",
        );
    }
    let build = Build::new(command, &place)?;
    let built = build.here()?;
    advice::print(advice::build::warnings(&built.ran.warnings()));
    let sources = markdown::configured_sources(&place, &place.walk());
    let pages = sources.as_ref().and_then(|it| it.pages.as_ref());
    let site = std::mem::replace(&mut arguments.place, built.root.clone());
    if arguments.report.sources.is_none() {
        let roots = sources.as_ref().map_or(&[][..], |it| &it.roots);
        arguments.report.published = markdown::published_in(roots, pages);
        arguments.report.sources = Some(site);
    }
    arguments.reading.is_temporary = true;
    // Some generators also copy the sources.
    arguments.reading.site.selection.markdown = Some(None);
    if pages.is_some_and(|it| it.form == PageUrl::Bare) {
        arguments.reading.site.assume_clean_urls();
    }
    if arguments.reading.site.url.is_none() {
        let root = SitePlace::Directory(built.root);
        let url = site_url::placeholder()?;
        let corpus = Corpus::new(root.root(), root.walk(), url, Server::default());
        let stated = pages.and_then(|it| it.stated_site.as_ref());
        if let Some((says, url)) = site_url::of_built(&corpus, stated)? {
            terminal::note(format!("no --url: {says} that the site is at {}", url.url()));
            arguments.reading.site.url = Some(url.url().to_string());
        }
    }
    run_on_site(&arguments)
}

/// Refuses wrong options before anything is read.
pub(super) fn refuse_wrong(arguments: &Arguments) -> Result<(), CliError> {
    arguments.findings.refuse_contradictions()?;
    site_url::refuse_none(command_name(), arguments.reading.site.url.as_deref())?;
    requested(&arguments.report.format, &FORMATS)?;
    reports::check_parquet(&arguments.report.format, Format::Parquet)?;
    reports::refuse_files_of(&arguments.place, &arguments.report.format)?;
    let is_github_file = |it: &Requested<Format>| it.format == Format::Github && it.file.is_some();
    if arguments.report.format.iter().any(is_github_file) {
        terminal::note(
            "GitHub reads annotations from stdout, not from a file\nhelp: use --format github without a file",
        );
    }
    let formats = &arguments.report.format;
    if arguments.report.source_url.is_some() && formats.iter().all(|it| it.format != Format::Html) {
        return usage_error(
            "--source-url is for the HTML report\nhelp: add --format html=FILE, or remove --source-url",
        );
    }
    let is_grouped =
        |it: &Requested<Format>| matches!(it.format, Format::Github | Format::Markdown);
    if arguments.report.no_group && formats.iter().any(is_grouped) {
        terminal::note(
            "--no-group is for the text report; github and markdown always group findings, because GitHub limits \
             them; json, jsonl, parquet, sarif, junit and gitlab list every finding",
        );
    }
    if let Some(directory) = &arguments.report.sources {
        sources::check(directory, &arguments.place)?;
    }
    Ok(())
}

/// Finds what the site `new` lacks of `published`.
pub(super) fn audit_lost(
    arguments: &Arguments,
    new: (Instant, OpenedSite),
    published: &Published,
) -> Result<SiteAudit, CliError> {
    let mut audit = audit_opened(arguments, new, Some(published), Vec::new())?;
    audit.summary.compared = Some((published.urls.len(), published.anchors()));
    Ok(SiteAudit { is_fixable: false, ..audit })
}

/// Audits `sites`, and reports the findings together. Links between them and to `others` are followed.
fn run_sites(
    sites: &[(GivenOptions, Arguments)],
    others: &[(GivenOptions, Arguments)],
) -> Result<Exit, CliError> {
    refuse_shared_baseline(sites.iter().map(|(_, arguments)| arguments))?;
    let (mut waiting, mut unread) = (VecDeque::new(), Vec::new());
    for (given, arguments) in sites {
        given.keep();
        terminal::set_subject(&arguments.place.to_string_lossy());
        let is_quiet = terminal::is_quiet();
        terminal::set_quiet(is_quiet || !waiting.is_empty());
        let wrong = refuse_wrong(arguments);
        terminal::set_quiet(is_quiet);
        wrong?;
        waiting.push_back((Instant::now(), open(arguments)?));
    }
    for (given, arguments) in others {
        given.keep();
        terminal::set_subject("");
        let is_quiet = terminal::is_quiet();
        terminal::set_quiet(true);
        let opened = open(arguments);
        terminal::set_quiet(is_quiet);
        match opened {
            Ok(opened) => waiting.push_back((Instant::now(), opened)),
            Err(error) => {
                let site = &arguments.reading.site;
                let given = site.url.iter().chain(&site.also);
                unread.extend(given.filter_map(|it| Some(SiteUrl::parse(it).ok()?.0)));
                terminal::warning(format!("links to another site are not checked: {error}"));
            }
        }
    }
    separate(waiting.iter_mut().map(|(_, it)| it).collect(), &unread);
    let mut audits: Vec<(&Arguments, SiteAudit)> = Vec::new();
    for (given, arguments) in sites {
        given.keep();
        terminal::set_subject(&arguments.place.to_string_lossy());
        let Some(opened) = waiting.pop_front() else { break };
        let others = audits.iter().map(|(_, it)| &it.opened);
        let others = others.chain(waiting.iter().map(|(_, it)| it));
        let others = others.filter(|it| !it.known_urls().is_empty());
        let others = others.map(|it| OtherSite {
            collection: it.corpus.file_collection(),
            site: &it.index,
            is_url_inferred: it.is_url_inferred,
        });
        let audit = audit_opened(arguments, opened, None, others.collect())?;
        audits.push((arguments, audit));
    }
    report_all(audits)
}

/// Makes each of `sites` leave the URLs of the others, and those of `further` ones.
pub(super) fn separate(mut sites: Vec<&mut OpenedSite>, further: &[SiteUrl]) {
    let urls: Vec<Vec<SiteUrl>> = sites.iter().map(|it| it.known_urls()).collect();
    for (number, site) in sites.iter_mut().enumerate() {
        let others = urls.iter().enumerate().filter(|(other, _)| *other != number);
        let others = others.flat_map(|(_, urls)| urls).chain(further).cloned();
        site.index.set_others(&others.collect::<Vec<_>>());
    }
}

/// Refuses a baseline of several sites: the paths in it are those of one.
pub(super) fn refuse_shared_baseline<'a>(
    sites: impl IntoIterator<Item = &'a Arguments>,
) -> Result<(), CliError> {
    let mut seen = BTreeSet::new();
    let mut files = sites.into_iter().filter_map(|it| it.findings.baseline.as_deref());
    match files.find(|file| !seen.insert(*file)) {
        None => Ok(()),
        Some(file) => usage_error(format!(
            "--baseline {}: each site needs a baseline of its own\nhelp: set `baseline` in the [site.audit] of each [[site]]",
            file.display()
        )),
    }
}

fn open(arguments: &Arguments) -> Result<OpenedSite, CliError> {
    arguments.reading.open(&arguments.place, MissingUrl::AssumedInSilence)
}

fn run_on_site(arguments: &Arguments) -> Result<Exit, CliError> {
    refuse_wrong(arguments)?;
    let site = arguments.place.clone();
    let Some(least) = arguments.fix.fix else {
        return report(arguments, audit_site(arguments, &site)?);
    };
    if arguments.reading.site.selection.compressed {
        return usage_error(
            "--fix does not change compressed pages\nhelp: remove --compressed, and compress the fixed pages again",
        );
    }
    let output = OutputArguments {
        destination: arguments.fix.destination.clone(),
        verify: None,
        browser: BrowserArguments::default(),
        format: Vec::new(),
    };
    let destination = &output.destination;
    // Checks the destination before the audit, which takes time.
    let place = arguments.reading.kind.place(&site)?;
    let mode = destination.mode(&place)?;
    let written = destination.out.clone().unwrap_or_else(|| site.clone());
    let found = audit_site(arguments, &site)?;
    let fixes = found.findings.iter().filter_map(|finding| finding.fix.as_deref());
    let fixes: Vec<_> = fixes.filter(|fix| fix.confidence >= least).collect();
    let remaining = found.findings.len() - fixes.len();
    let made_by = match &arguments.report.sources {
        Some(_) => sources::of_fixes(arguments, least, &found.findings, &found.opened.corpus),
        None => Vec::from_iter(advice::audit::generator(&found.opened.corpus, &fixes)),
    };
    let has_fixes = !fixes.is_empty();
    let fixes = fixes.into_iter().map(|fix| (&*fix.document, fix.fix.clone()));
    let policy = Policy::Fix(Fixes::new(fixes));
    let exit =
        rewrite(Plan::new(found.opened.corpus, mode, policy), &output, "unchanged", |_, _| Ok(()))?;
    advice::print(made_by);
    if exit == Exit::Interrupted || destination.is_dry() {
        let instead =
            if destination.out.is_some() || destination.in_place { "" } else { "--in-place" };
        let command = writing(instead).filter(|_| has_fixes && destination.is_dry());
        if let Some(command) = command {
            terminal::note(format!("to write the fixes: {command}"));
        }
        if remaining > 0 {
            let findings = counted(remaining, "finding");
            terminal::note(format!(
                "--fix would leave {findings}\nhelp: rehref audit without --fix lists them"
            ));
            advice::print(advice::audit::fixes(arguments, &found.findings));
        }
        return Ok(exit);
    }
    if !has_fixes && remaining > 0 {
        terminal::note(
            "no finding has a correction that is certain enough for --fix, so nothing was fixed",
        );
    }
    // The first audit has printed the notes.
    let is_quiet = terminal::is_quiet();
    terminal::set_quiet(true);
    let rest = audit_site(arguments, &written)?;
    terminal::set_quiet(is_quiet);
    let rest = report(arguments, rest)?;
    Ok(if exit == Exit::Error { exit } else { rest })
}

/// Audits `site`; drops findings by `--ignore` and `--baseline`.
fn audit_site(arguments: &Arguments, site: &Path) -> Result<SiteAudit, CliError> {
    let started = Instant::now();
    let opened = arguments.reading.open(site, MissingUrl::AssumedInSilence)?;
    if let Some(project) = listed_project(site) {
        terminal::note(format!(
            "only the links in the list of chapters were checked\nhelp: to check the chapters: rehref audit {}",
            quoted(shown(project).display())
        ));
    }
    audit_opened(arguments, (started, opened), None, Vec::new())
}

/// The same for a site and the start of the run. With `published`, only what is lost of it is found.
fn audit_opened(
    arguments: &Arguments,
    (started, mut opened): (Instant, OpenedSite),
    published: Option<&Published>,
    others: Vec<OtherSite<'_>>,
) -> Result<SiteAudit, CliError> {
    let baseline = baseline(&arguments.findings)?;
    let entries = entries(&arguments.choice.entry, &opened.corpus)?;
    if entries.is_none() && arguments.findings.names(Check::Orphan) {
        return usage_error(
            "--only orphan needs --entry GLOB, the files by which readers enter the site\nhelp: add --entry /index.html (without the slash, it would be each index.html of the site)",
        );
    }
    let choice = &arguments.findings;
    let mut checks = CHECKS.iter().filter(|row| choice.runs(row.check));
    if checks.all(|row| choice.ignores(row.check)) {
        return usage_error(
            "--only, --level and --ignore disable all checks\nhelp: remove one of them",
        );
    }
    let of_rules = [Check::RedirectChain, Check::ShadowedRedirect];
    if of_rules.iter().any(|it| choice.names(*it)) && opened.files().redirect_rules().is_empty() {
        terminal::note(
            "the site has no redirect rules\nhelp: to check those of its server, add --redirects FILE",
        );
    }
    advice::print(advice::symlinks::of_index(opened.files()).map(Advice::Note));
    advice::print(advice::symlinks::outward(&opened.corpus).map(Advice::Note));
    let ignored = ignore_rules(arguments)?;
    // The names of records are known only when their archives were read.
    if published.is_none() && !opened.corpus.has_containers() {
        warn_of_unused_rules(&ignored, opened.corpus.walk.entries.iter().map(|it| &*it.path));
    }
    if let Some(directory) = arguments.report.sources.as_ref()
        && opened.corpus.server.sources.is_some()
        && arguments.build.is_none()
    {
        let place = arguments.place.display();
        let has_pages = directory.join("index.html").is_file();
        let swapped = match directory == &arguments.place || !has_pages {
            true => String::new(),
            false => format!(
                "; if the two are swapped: rehref audit {} --sources {}",
                quoted(directory.display()),
                quoted(place)
            ),
        };
        return usage_error(format!(
            "--sources is for a built site, and {} has sources itself\nhelp: pass the built site, and its sources to --sources{swapped}",
            arguments.place.display()
        ));
    }
    let (outcome, elsewhere) =
        run_checks(arguments, &mut opened, entries.as_ref(), published, &others)?;
    outcome.failures.iter().for_each(|it| report_error(&it.path, &it.message));
    outcome.warnings.iter().for_each(|warning| terminal::warning(line(warning)));
    let mut unread = std::mem::take(&mut opened.unread);
    unread.extend(outcome.failures);
    if unread.is_empty() {
        // The headers of records hold references, and are not documents of the site.
        no_documents::refuse_after(
            &opened.corpus,
            "the site",
            outcome.documents + outcome.references,
        )?;
    }
    let mut findings = outcome.findings;
    let unjudged = drop_unread(&mut findings, &opened.corpus);
    // A rule for a URL that OLD lacks may lead to nowhere, too.
    let is_of_rule =
        |it: &Finding| it.check == Check::BrokenTarget && it.location.element == REDIRECT_RULE;
    let is_asked = |it: &Finding| published.is_none() || it.check.is_compared() || is_of_rule(it);
    // Links that --only leaves out may show that SITE is the wrong directory.
    let above = if choice.has_only() { advice::audited_root::links_above(&findings) } else { 0 };
    let selected = findings.into_iter().filter(is_asked);
    let selected = selected.filter_map(|finding| choice.selected(finding));
    let mut findings: Vec<Finding> = selected.collect();
    for finding in &mut findings {
        if let Some(severity) = choice.severity(finding.check) {
            finding.severity = severity;
        }
    }
    let all = findings.len();
    if !terminal::is_quiet() {
        let unused = advice::audit::unused_targets(choice, &ignored, &findings, &opened);
        advice::print(unused);
    }
    ignored.drop_covered(&mut findings, &opened.index);
    let found = findings.len();
    let Comparison { new: findings, gone } = match baseline {
        Some(baseline) => baseline.compare(findings, |check, document| {
            !is_unseen(choice, &opened.corpus, check, document)
        }),
        None => Comparison { new: findings, gone: Vec::new() },
    };
    // Unread documents may still have the findings of the stale entries.
    let stale = if unread.is_empty() { gone } else { Vec::new() };
    advice::print(advice::audit::stale(choice, &stale, found - findings.len(), findings.len()));
    let summary = Summary {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        site: opened.name.clone(),
        sources: arguments.report.sources.as_deref().map(sources::name),
        url: has_url(arguments, &opened.corpus).then(|| opened.corpus.site_url.url().to_string()),
        documents: outcome.documents,
        references: outcome.references,
        external: outcome.external,
        fail_on: choice.fails_on(),
        unread,
        hidden_failures: 0,
        ignored: outcome.ignored + (all - found),
        baselined: found - findings.len(),
        unjudged,
        stale,
        fails_on_stale: choice.fails_on_stale(),
        compared: None,
        is_elsewhere: elsewhere.is_some(),
        trees: None,
        seconds: Some(started.elapsed().as_secs_f64()),
    };
    let (documents_below, is_fixable) = (String::new(), elsewhere.is_none());
    Ok(SiteAudit { opened, findings, summary, above, documents_below, is_fixable, elsewhere })
}

/// The rules of `--ignore`.
pub(super) fn ignore_rules(arguments: &Arguments) -> Result<IgnoreRules, CliError> {
    let rules = IgnoreRules::new(&arguments.findings.ignore);
    rules.or_else(|error| usage_error(format!("--ignore {error}")))
}

/// Drops the findings about targets in a project whose generator is not read yet. Returns their number.
fn drop_unread(findings: &mut Vec<Finding>, corpus: &Corpus) -> usize {
    let all = findings.len();
    findings.retain(|it| {
        let dialect = corpus.selection.dialect_of(Path::new(&*it.location.path));
        !it.check.is_of_target() || dialect.is_none_or(|it| it.row().is_read)
    });
    all - findings.len()
}

/// The files by which readers enter the site; `None` without `--entry`.
fn entries(globs: &[String], corpus: &Corpus) -> Result<Option<Globs>, CliError> {
    if globs.is_empty() {
        return Ok(None);
    }
    if corpus.has_only_archives() {
        return usage_error(
            "--entry finds no page in an archive\nhelp: write the pages of the archive to a directory, and pass that: rehref relative ARCHIVE --extract --out PAGES",
        );
    }
    let globs: Vec<String> = globs.iter().map(|it| entry_file(it, corpus)).collect();
    let globs = &*globs;
    let entries = self::globs("--entry", globs)?;
    // Without an entry, every file is an orphan.
    if !corpus.files().any(|path| entries.is_match(path)) {
        let globs = globs.join(", ");
        return usage_error(format!(
            "--entry {globs} matches no file in the site\nhelp: pass paths of files, relative to the site, such as index.html: the pages where readers enter the site"
        ));
    }
    for unused in entries.without_match(corpus.files()) {
        unused_globs::warn_of("--entry", unused);
    }
    let count = corpus.files().filter(|path| entries.is_match(path)).count();
    if let [name] = globs
        && !has_wildcard(name)
        && !name.contains('/')
        && count > 1
    {
        terminal::note(format!(
            "--entry {name} is a glob, which {} match\nhelp: for the one in the root of the site, write /{name}",
            counted(count, "file")
        ));
    }
    Ok(Some(entries))
}

/// The glob of the page that is meant by `entry`, which may be its URL, or end as the URL of a directory.
fn entry_file(entry: &str, corpus: &Corpus) -> String {
    let path = corpus.site_url.below(entry).unwrap_or(entry);
    if path.ends_with('/') || path.is_empty() {
        return format!("{}/index.html", path.trim_end_matches('/'));
    }
    path.to_owned()
}

/// Warns of rules whose `path:GLOB` matches none of `paths`.
pub(super) fn warn_of_unused_rules<'p>(rules: &IgnoreRules, paths: impl Iterator<Item = &'p Path>) {
    for unused in rules.paths().without_match(paths) {
        unused_globs::warn_of("--ignore", &format!("path:{unused}"));
    }
}
