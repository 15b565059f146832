//! Runs of `absolute`, `relative`, `move` and `audit --fix`, over a site or one document.

use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::SystemTime;

use super::advice::Advice;
use super::arguments::SiteArguments;
use super::exit::{CliError, Exit, usage_error};
use super::kind::{KindArguments, refuse_binary};
use super::options::{self, SiteKind};
use super::output::{DestinationArguments, OutputArguments, Verification};
use super::progress::{Listing, Progress};
use super::reports::{self, Requested};
use super::values::ReportFormat;
use super::working_directory::argument;
use super::{advice, comparison, configuration, no_documents, site_url, stdin, summary, terminal};
use rehref_corpus::output::NewTree;
use rehref_corpus::run::plan::{Mode, Plan, RunError};
use rehref_corpus::run::{Report, run};
use rehref_corpus::{Corpus, SitePlace, SkipError, catch_panic};
use rehref_document::{DocumentKind, NOT_A_DOCUMENT, is_binary_content};
use rehref_rewrite::{DocumentUrls, Policy, rewrite_document};
use rehref_site::hierarchical_url;
use rehref_url::Url;

/// Runs `plan` and prints what it did. `already_correct` is the summary's label for references that
/// the policy accepts without a change. Calls `finish` on the output before it replaces SITE, and prints its advice,
/// of which an error counts for the exit status.
pub(super) fn rewrite(
    plan: Plan,
    output: &OutputArguments,
    already_correct: &str,
    finish: impl FnOnce(&Plan, &mut Vec<Advice>) -> Result<(), CliError>,
) -> Result<Exit, CliError> {
    let started = SystemTime::now();
    let reports = check(&plan, output)?;
    let browser = output.browser_options()?;
    let mut report = report(&plan, reports)?;
    advice::print(summary::diagnostics(&report, &plan.mode));
    let has_failed = report.has_failed();
    if !has_failed {
        no_documents::refuse_after(&plan.corpus, "the site", report.documents.seen)?;
    }
    advice::print(advice::rewriting::excluded(&plan));
    let is_part = advice::rewriting::is_part(&plan, &report);
    let is_refused =
        matches!(plan.mode, Mode::Exchange(_)) && (is_part || !report.errors.is_empty());
    let shown_mode = if is_refused { &Mode::DryRun } else { &plan.mode };
    let text = summary::summary(&report, shown_mode, already_correct);
    terminal::summary(&text);
    advice::print(advice::rewriting::of_report(&plan, &report));
    write_reports(reports, &mut report, &text)?;
    let verified = match written(&plan).filter(|_| output.verifies()) {
        Some(place) => {
            let may_be_extra = output.destination.force;
            comparison::verify_output(&plan, &place, may_be_extra, browser)?
        }
        None => Exit::Done,
    };
    if let Mode::Exchange(_) = plan.mode {
        let refusal = match (report.errors.is_empty(), verified) {
            (false, _) => Some("some files could not be read or written"),
            (true, Exit::Done) if is_part => Some("it seems to be a part of a larger one"),
            (true, Exit::Done) => None,
            (true, Exit::Findings) => Some("the rewritten tree failed verification"),
            (true, _) => Some("the rewritten tree is not proven"),
        };
        if let Some(refusal) = refusal {
            return usage_error(format!("the site is unchanged: {refusal} (see above)"));
        }
    }
    let mut found = Vec::new();
    let finished = finish(&plan, &mut found);
    let is_unfinished = found.iter().any(|it| matches!(it, Advice::Error(_)));
    advice::print(found);
    finished?;
    advice::print(advice::rewriting::left(&plan, started));
    if let (Mode::File(file), true) = (&plan.mode, output.destination.is_stdout()) {
        print_output(file.path(), verified)?;
    }
    let changes = report.documents.rewritten > 0 || !report.moved.is_empty();
    let would_change = output.destination.check && changes;
    let is_one_file = matches!(plan.mode, Mode::File(_));
    if let Mode::Exchange(stage) = plan.mode {
        stage.exchange()?.into_iter().for_each(terminal::warning);
    }
    // The only file that should be there may be missing.
    if !(is_one_file && has_failed) {
        if output.destination.diff && changes && !io::stdout().is_terminal() {
            let site = plan.corpus.root.display();
            terminal::note(format!(
                "the paths of the diff are below the site\nhelp: to apply it: patch -d '{site}' -p1 < DIFF"
            ));
        }
        terminal::summary(&output.destination.closing(changes, has_failed));
    }
    let has_findings = report.documents.malformed > 0 || verified != Exit::Done || is_unfinished;
    let has_failed = has_failed || verified == Exit::Error;
    Ok(Exit::of(has_failed, would_change || has_findings))
}

/// Refuses options that exclude each other, and a SITE without documents, before anything is read. Returns the reports
/// to write.
fn check<'o>(
    plan: &Plan,
    output: &'o OutputArguments,
) -> Result<&'o [Requested<ReportFormat>], CliError> {
    if output.verifies() && matches!(plan.mode, Mode::InPlace) {
        return usage_error(
            "--verify needs the old tree and the new one\nhelp: use --out instead of --in-place",
        );
    }
    if output.verifies() && output.destination.is_dry() {
        terminal::warning(
            "--verify reads an output, but --dry-run, --diff and --check write none; nothing was verified",
        );
    }
    if output.verify == Some(Verification::Browser)
        && matches!(written(plan), Some(SitePlace::Archive(_)))
    {
        options::refuse_option("verify=browser", SiteKind::Archive)?;
    }
    no_documents::refuse_before(&plan.corpus, "the site")?;
    let reports = output.reports()?;
    // The audit before fixes has warned.
    let is_audited = matches!(plan.policy, Policy::Fix(_));
    if !is_audited {
        advice::print(advice::symlinks::to_pages(&plan.corpus).map(Advice::Warning));
    }
    let single = plan.corpus.selection.single.as_ref();
    let path = single.map(|single| plan.corpus.root.join(&single.path));
    reports::refuse_files_of(path.as_ref().unwrap_or(&plan.corpus.root), reports)?;
    if let Some(path) = path.filter(|_| !is_audited) {
        refuse_binary(&path)?;
    }
    Ok(reports)
}

/// Warns that a site without `--url` seems to be below the root of its host; refuses it in place, since its links would break.
pub(super) fn refuse_below(
    corpus: &Corpus,
    destination: &DestinationArguments,
) -> Result<(), CliError> {
    let Some(path) = advice::audited_root::path_of_pages(corpus) else { return Ok(()) };
    if destination.in_place && !destination.is_dry() {
        return usage_error(format!(
            "the site is unchanged: links from the root begin with {path}, and their targets exist without it\nhelp: add --url with the URL of the site, like https://example.org{path}"
        ));
    }
    advice::print([advice::audited_root::site_below(corpus, &path)]);
    Ok(())
}

/// Warns that a site seems to be a part of a larger one, whose links to what moves break; refuses it in place, unless the
/// user has typed the URL of the part (`is_typed`).
pub(super) fn refuse_part(
    corpus: &Corpus,
    destination: &DestinationArguments,
    is_typed: bool,
) -> Result<(), CliError> {
    let Some((link, root)) = advice::audited_root::larger_site(corpus) else { return Ok(()) };
    let root = argument(&root);
    let text = format!(
        "the site seems to be a part of {root}: the link {link} leads to a page there, and its links to what moves would not follow\nhelp: pass {root}, with paths from there"
    );
    if destination.in_place && !destination.is_dry() && !is_typed {
        return usage_error(format!("the site is unchanged: {text}"));
    }
    terminal::warning(text);
    Ok(())
}

/// Runs `plan`, of which `reports` are to be written.
fn report(plan: &Plan, reports: &[Requested<ReportFormat>]) -> Result<Report, CliError> {
    let is_json = |it: &Requested<_>| it.format == ReportFormat::Json && it.file.is_none();
    let listing = match plan.mode {
        Mode::DryRun if !reports.iter().any(is_json) => Listing::Names,
        Mode::Diff => Listing::Diffs,
        _ => Listing::Nothing,
    };
    let report = Progress::during(listing, |progress| run(plan, progress));
    let mut report = report.map_err(|error| match error {
        RunError::Parallel(error) => CliError::from(error),
        RunError::Interrupted(interrupted) => {
            advice::print(summary::diagnostics(&interrupted.report, &plan.mode));
            RunError::Interrupted(interrupted).into()
        }
        other => other.into(),
    })?;
    if let Policy::Fix(_) = plan.policy {
        // They are findings of the audit.
        report.drop_malformed();
    }
    report.stale_paths.extend(configuration::stale_paths(plan));
    Ok(report)
}

/// Writes `reports` of a run whose summary is `text`.
pub(super) fn write_reports(
    reports: &[Requested<ReportFormat>],
    report: &mut Report,
    text: &str,
) -> Result<(), CliError> {
    if !terminal::is_verbose() {
        // The same run gives the same report.
        report.seconds = 0.0;
    }
    // The text is the summary, which was printed.
    let is_new = |it: &&Requested<_>| it.format != ReportFormat::Text || it.file.is_some();
    let reports: Vec<_> = reports.iter().filter(is_new).cloned().collect();
    reports::write_all(&reports, text, ("rehref-rewrite", report))
}

/// The output of `plan` that can be verified.
fn written(plan: &Plan) -> Option<SitePlace> {
    Some(match &plan.mode {
        Mode::Copy(destination) => SitePlace::Directory(destination.root().to_owned()),
        Mode::File(file) if plan.corpus.selection.single.is_some() => {
            SitePlace::Document(file.path().to_owned())
        }
        Mode::File(file) => SitePlace::Archive(file.path().to_owned()),
        Mode::Exchange(stage) => SitePlace::Directory(stage.root().to_owned()),
        Mode::InPlace | Mode::DryRun | Mode::Diff => return None,
    })
}

/// Prints the archive or document at `path`, unless it could not be made (an error has been printed), or is not as `verified`
/// expects it.
fn print_output(path: &Path, verified: Exit) -> Result<(), CliError> {
    match File::open(path) {
        Ok(_) if verified != Exit::Done => {
            terminal::error(
                "the output failed verification (see above), so nothing was written to stdout",
            );
            Ok(())
        }
        Ok(mut file) => terminal::print_file(&mut file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(CliError::io(path.display())(error)),
    }
}

/// `--url` for a document on stdin; `hint` ends the error if it is missing.
pub(super) fn filter_url(site: &SiteArguments, hint: &str) -> Result<Url, CliError> {
    match &site.url {
        // No link resolves against it.
        Some(url) if site_url::is_none(Some(url)) => Ok(site_url::placeholder()?.url().clone()),
        Some(url) => {
            site_url::note_directory("--url", url);
            Ok(hierarchical_url(url)?)
        }
        None => usage_error(format!(
            "stdin has no URL\nhelp: add --url with the URL of the document, like https://example.org/docs/page.html{hint}"
        )),
    }
}

/// Rewrites the document `bytes` from stdin, retrieved from `url`, to stdout.
pub(super) fn filter(
    bytes: Vec<u8>,
    url: Url,
    kind: &KindArguments,
    policy: &Policy,
    output: &OutputArguments,
    site: &SiteArguments,
) -> Result<Exit, CliError> {
    if output.destination.out.is_some() && !output.destination.is_stdout() {
        options::refuse_option("out", SiteKind::Stdin)?;
    }
    let (bytes, url, options) = stdin::document(bytes, url, kind, site)?;
    if is_binary_content(&bytes) {
        terminal::warning(format!("stdin: {NOT_A_DOCUMENT}; rehref prints it unchanged"));
        terminal::print(&bytes)?;
        return Ok(Exit::Done);
    }
    let has_tag = bytes.is_empty() || bytes.iter().any(|byte| matches!(byte, b'<' | 0));
    if options.kind == DocumentKind::Html && !has_tag {
        let lines = bytes.split(|byte| *byte == b'\n').filter(|it| !it.is_empty());
        let is_file = |line: &[u8]| Path::new(&*String::from_utf8_lossy(line)).is_file();
        let mut lines = lines.peekable();
        let help = match lines.peek().is_some() && lines.all(is_file) {
            true => {
                "these are names of files, and stdin is read as one document: pass the directory of the site, and select files with --include"
            }
            false => "if it is Markdown, add --kind markdown",
        };
        terminal::warning(format!("stdin contains no tag, so it has no links\nhelp: {help}"));
    }
    let rewrite = || rewrite_document(&bytes, DocumentUrls::unmoved(&url), policy, &options);
    let result = catch_panic(rewrite).map_err(SkipError::coding).and_then(|result| Ok(result?));
    let (result, exit) = match result {
        Ok(mut result) => {
            let mut report = Report::default();
            report.add_diagnostics("stdin", std::mem::take(&mut result.diagnostics));
            advice::print(summary::diagnostics(&report, &Mode::DryRun));
            (result.into_bytes(&bytes).unwrap_or(bytes), Exit::Done)
        }
        Err(error) => {
            let line = summary::line(&error.diagnostic("stdin"));
            let is_named = url.as_str().rsplit('/').next().is_some_and(|it| it.contains('.'));
            let is_guessed = options.kind == DocumentKind::Xml && kind.kind.is_none() && !is_named;
            let help = if is_guessed { "\nhelp: if it is HTML, add --kind html" } else { "" };
            terminal::error(format!("{line}; the document was printed unchanged{help}"));
            (bytes, Exit::of(!error.is_malformed(), error.is_malformed()))
        }
    };
    terminal::print(&result)?;
    Ok(exit)
}
