//! `--baseline`: the findings that are accepted.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::arguments::FindingArguments;
use crate::cli::command_line::{is_given, quoted};
use crate::cli::exit::{CliError, usage_error};
use crate::cli::git::{Git, REVISION};
use crate::cli::{files, reports, terminal};
use rehref_audit::baseline::BaselineError;
use rehref_audit::{Baseline, Check, Finding};
use rehref_corpus::Corpus;
use rehref_site::plural::{counted, number};

/// Returns the findings that `--baseline` accepts; `None` if the run is to replace them.
pub(super) fn baseline(arguments: &FindingArguments) -> Result<Option<Baseline>, CliError> {
    let Some(path) = arguments.baseline.as_deref() else { return Ok(None) };
    let name = format!("--baseline {}", path.display());
    let given = path.to_string_lossy();
    let revision = given.strip_prefix(REVISION).unwrap_or(&given);
    let is_revision = || {
        let git = Git::in_folder(Path::new("."));
        !arguments.update_baseline && git.is_ok_and(|it| it.has_revision(revision))
    };
    if !path.exists() && (given.starts_with(REVISION) || is_revision()) {
        return usage_error(format!(
            "{name}: a baseline is a file of accepted findings, not a revision of git\nhelp: check out {revision}, and write the file there: --baseline accepted.json --update-baseline\nhelp: for pages that are lost since then: rehref compare {REVISION}{revision} SITE"
        ));
    }
    if arguments.update_baseline {
        return Ok(None);
    }
    if path.is_dir() {
        return usage_error(format!(
            "{name}: this is a directory, and a baseline is a file of accepted findings\nhelp: to accept what an older site has, write it from there: rehref audit {} --baseline accepted.json --update-baseline\nhelp: for pages that are lost since then: rehref compare {0} SITE",
            quoted(path.display())
        ));
    }
    let only = if !is_given("only") { "" } else { ", and without --only" };
    let advice = format!("\nhelp: create it with --update-baseline{only}");
    let json = files::read_or("--baseline", path, &advice)?;
    let baseline = Baseline::parse(&json).map(Some);
    baseline.or_else(|error| usage_error(format!("{name}: {error}")))
}

/// Returns true if the audit does not report findings of `check` in `document`, since options leave out the one or the
/// other.
pub(super) fn is_unseen(
    choice: &FindingArguments,
    corpus: &Corpus,
    check: Option<Check>,
    document: &str,
) -> bool {
    let document = Path::new(document);
    let is_off = |check| !choice.runs(check) || choice.ignores(check);
    check.is_some_and(is_off)
        || !corpus.selection.has(document) && corpus.root.join(document).is_file()
}

/// Writes `findings` to the baseline at `path`, which keeps its entries that the audit has not looked for.
pub(super) fn write_baseline(
    path: &Path,
    findings: &[Finding],
    choice: &FindingArguments,
    corpus: &Corpus,
) -> Result<(), CliError> {
    let mut baseline = Baseline::of(findings);
    let name = format!("--baseline {}", path.display());
    files::check_place(&name, path)?;
    let old = match fs::read(path) {
        Ok(json) if json.trim_ascii().is_empty() => Baseline::default(),
        Ok(json) => match Baseline::parse(&json) {
            Ok(old) => old,
            Err(BaselineError::Unreadable(_)) => Baseline::default(),
            Err(error) => return usage_error(format!("{name}: {error}")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Baseline::default(),
        Err(error) => return Err(CliError::io(name)(error)),
    };
    let was = old.len();
    if was > 0 && !old.shares(&baseline) && !baseline.is_empty() {
        terminal::warning(format!(
            "{name}: the audit has none of the findings that it accepts ({}), and this run replaces them\nhelp: if they are of another site, write each site to a baseline of its own",
            number(was)
        ));
    }
    let kept = baseline.keep(old, |check, document| is_unseen(choice, corpus, check, document));
    if kept > 0 {
        let entries = counted(kept, "entry");
        terminal::note(format!(
            "{entries} kept, for documents and checks that the options exclude"
        ));
    }
    reports::write_file(path, &baseline.to_json())?;
    let accepted = counted(findings.len(), "finding");
    terminal::note(format!(
        "{accepted} written to the baseline {}\nhelp: to fail on findings that are not in it, run without --update-baseline",
        path.display()
    ));
    Ok(())
}
