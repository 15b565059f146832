//! `rehref relative --extract`: writes a crawl as a tree of files.

use std::path::PathBuf;

use super::arguments::SiteArguments;
use super::command_line::is_given;
use super::exit::{CliError, Exit, usage_error};
use super::output::OutputArguments;
use super::progress::{Listing, Progress};
use super::rewriting::write_reports;
use super::site_url::MissingUrl;
use super::summary::counted_line;
use super::{advice, no_documents, summary, terminal};
use rehref_corpus::output::Destination;
use rehref_corpus::run::plan::Mode;
use rehref_corpus::run::{ExtractError, Report, extract};
use rehref_corpus::{SitePlace, container_suffixes, parallel};
use rehref_site::diagnostic::display_path;

/// The options that have no meaning with `--extract`.
#[rustfmt::skip]
const REFUSED: [&str; 13] = ["in-place", "dry-run", "diff", "check", "link-unchanged", "verify", "browser", "url", "also", "mount",
    "directory-links", "trailing-slash", "form"];

/// Extracts the archives at `place` to the directory of `--out`.
pub(super) fn run(
    place: &SitePlace,
    output: &OutputArguments,
    site: &SiteArguments,
) -> Result<Exit, CliError> {
    let destination = &output.destination;
    if let Some(name) = REFUSED.iter().find(|name| is_given(name)) {
        return usage_error(format!(
            "--{name} does not apply to --extract, which writes the pages of all hosts to a new directory\nhelp: remove --{name}"
        ));
    }
    let Some(out) = destination.out.as_deref().filter(|_| !destination.is_stdout()) else {
        return usage_error("--extract writes a directory: add --out DIR");
    };
    let reports = output.reports()?;
    let (corpus, _) = site.open(place, place.walk(), MissingUrl::AssumedInSilence)?;
    // Beside an archive there may be others, and the output.
    let (SitePlace::Directory(within) | SitePlace::Archive(within) | SitePlace::Document(within)) =
        place;
    if corpus.archives().next().is_none() {
        return usage_error(format!(
            "{}: no archive ({}) to extract\nhelp: for pages that are files, remove --extract",
            within.display(),
            container_suffixes()
        ));
    }
    let to = Destination::check(within, out, destination.force)?;
    let report = Progress::during(Listing::Nothing, |progress| extract(&corpus, &to, progress));
    let mut report = report.map_err(|error| match error {
        ExtractError::Destination(error) => CliError::Usage(format!("--out {}: {error}", out.display())),
        ExtractError::Parallel(parallel::Error::Interrupted { .. }) => {
            terminal::error("interrupted: the output is incomplete, but each file in it is complete\nhelp: run the command again with --force");
            CliError::Interrupted
        }
        ExtractError::Parallel(error) => error.into(),
    })?;
    let mode = Mode::Copy(to);
    advice::print(summary::diagnostics(&report, &mode));
    if !report.has_failed() {
        no_documents::refuse_after(
            &corpus,
            "the site",
            report.documents.seen + report.copied.files,
        )?;
    }
    let text = summary::summary(&report, &mode, "already relative or external") + &further(&report);
    terminal::summary(&text);
    write_reports(reports, &mut report, &text)?;
    let first = report.extracted.as_ref().and_then(|it| it.first_page.as_ref());
    let open = first.map_or(String::new(), |page| {
        // Of components, so that all its separators are those of the system.
        let page: PathBuf = out.join(page).components().collect();
        format!("; open {}", display_path(&page))
    });
    terminal::summary(&format!("written to {}{open}\n", display_path(out)));
    Ok(Exit::of(report.has_failed(), report.documents.malformed > 0))
}

/// The summary lines about redirect pages and URLs without a file.
fn further(report: &Report) -> String {
    let Some(extracted) = &report.extracted else { return String::new() };
    [
        counted_line(extracted.redirect_pages, "redirect page", "written"),
        counted_line(extracted.errors, "URL", "not written: only errors in the archives"),
        counted_line(
            extracted.unresolved_revisits,
            "URL",
            "not written: the record with the content is not in the archives",
        ),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    #[test]
    fn every_refused_option_is_one_of_relative() {
        let command = command();
        let relative = command.find_subcommand("relative").unwrap();
        for name in REFUSED {
            assert!(relative.get_arguments().any(|it| it.get_long() == Some(name)), "{name}");
        }
    }
}
