//! The values of OLD of `rehref compare`.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;
use tempfile::TempDir;

use crate::cli::command_line::quoted;
use crate::cli::exit::{CliError, usage_error};
use crate::cli::files;
use crate::cli::git::{Git, REVISION};
use rehref_audit::published::ListSyntax;
use rehref_corpus::SitePlace;
use rehref_corpus::files::work_tree_of;
use rehref_site::canonical;

/// The published site to compare with.
pub(super) enum OldPlace {
    /// A directory or an archive.
    Site(PathBuf),
    /// The files of a revision of git, until dropped, and the directory of the site among them.
    Revision(TempDir, PathBuf),
    /// A list of URLs, and its syntax.
    List(Vec<u8>, ListSyntax),
}

impl OldPlace {
    /// Returns the kind of place that `old` is. `new`: the site to compare it with.
    pub(super) fn of(
        old: &Path,
        new: &Path,
        log: Option<ListSyntax>,
    ) -> Result<OldPlace, CliError> {
        let revision = old.to_str().and_then(|it| it.strip_prefix(REVISION));
        if let Some(revision) = revision.filter(|_| !old.exists()) {
            return of_revision(revision, new);
        }
        let is_archive = || matches!(SitePlace::of(old), Ok(SitePlace::Archive(_)));
        let is_file = fs::metadata(old).is_ok_and(|it| it.is_file());
        let is_stdin = old == Path::new("-");
        if log.is_some() || is_stdin || is_file && !is_archive() {
            let mut text = match is_stdin {
                true => files::read_or_stdin("OLD", old)?,
                false => files::read_or("OLD", old, "")?,
            };
            if let Some((encoding, _)) = Encoding::for_bom(&text) {
                text = encoding.decode(&text).0.into_owned().into_bytes();
            }
            if text.contains(&0) {
                return usage_error(format!(
                    "{} is neither a list of URLs nor a WARC or WACZ file\nhelp: unpack other archives, and pass the directory",
                    old.display()
                ));
            }
            if log.is_none() && is_table(&text) {
                let first = text.split(|it| *it == b'\n').next().unwrap_or_default();
                let mark = [b';', b'\t'].into_iter().find(|it| first.contains(it)).unwrap_or(b',');
                let mark = char::from(mark);
                return usage_error(format!(
                    "{0}: this seems to be a table (CSV), not a list of URLs\nhelp: write one URL on each line: cut -d'{mark}' -f1 {0} | tr -d '\"' | grep :// > urls.txt",
                    old.display()
                ));
            }
            return Ok(OldPlace::List(text, log.unwrap_or_default()));
        }
        Ok(OldPlace::Site(old.to_owned()))
    }
}

/// Returns true if the first line of a list is one of a table, since it has quotation marks, tabs or a header.
fn is_table(list: &[u8]) -> bool {
    let text = String::from_utf8_lossy(list);
    let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    let is_reference = ["http", "/", "<"].iter().any(|it| first.starts_with(it));
    !first.starts_with('<')
        && (first.contains(['"', '\t']) || !is_reference && first.contains([',', ';']))
}

/// Refuses an `old` that does not exist and is not a revision. `advice` is for a revision of git, which replaces `{}`.
pub(super) fn refuse_missing(old: &Path, advice: &str) -> Result<(), CliError> {
    let name = old.to_string_lossy();
    if old.exists() || name.starts_with(REVISION) || name.contains("://") {
        return Ok(());
    }
    let (revision, _) = name.split_once("..").unwrap_or((&name, ""));
    let is_path = old.components().count() > 1 && !name.contains("..") || name == "-";
    if is_path || work_tree_of(&canonical(Path::new(".")).unwrap_or_default()).is_none() {
        return Ok(());
    }
    usage_error(format!(
        "{name}: no such file or directory\nhelp: if {revision} is a revision of git{}",
        advice.replace("{}", revision)
    ))
}

/// Refuses a revision as `new` where `old` is none.
pub(super) fn refuse_swapped(old: &Path, new: &Path) -> Result<(), CliError> {
    let (old, new) = (old.to_string_lossy(), new.to_string_lossy());
    if !new.starts_with(REVISION) || old.starts_with(REVISION) {
        return Ok(());
    }
    usage_error(format!(
        "{new} is not the new state of a site\nhelp: the old state comes first: rehref compare {} {}",
        quoted(&new),
        quoted(&old)
    ))
}

/// The files that `revision` (`v1`, or `v1:docs`) has at its own path, which resolves against the root of the work tree of the
/// working directory, or else at the path of `new`.
fn of_revision(revision: &str, new: &Path) -> Result<OldPlace, CliError> {
    let (name, path) = match revision.split_once(':') {
        Some((name, path)) => (name, Some(Path::new(path))),
        None => (revision, None),
    };
    let place = path.map_or(new, |_| Path::new("."));
    let root = canonical(place).or_else(|error| failed(revision, error))?;
    let Some(work_tree) = work_tree_of(&root) else {
        return failed(revision, format!("{} is not in a git work tree", place.display()));
    };
    if let Some((from, _)) = name.split_once("..") {
        return failed(
            revision,
            format!("a range is not one revision\nhelp: write {REVISION}{from}"),
        );
    }
    // Git would take it for an option.
    if name.is_empty() || name.starts_with('-') {
        return failed(revision, "not the name of a revision");
    }
    let folder = path.unwrap_or_else(|| root.strip_prefix(&work_tree).unwrap_or(&root));
    let written = tempfile::tempdir().or_else(|error| failed(revision, error))?;
    let git = Git::in_folder(&work_tree).or_else(|error| failed(revision, error))?;
    let exported = git.export(name, folder, written.path());
    exported.or_else(|error| failed(revision, error))?;
    // Configurations are looked for up to the root of a repository.
    fs::create_dir(written.path().join(".git")).or_else(|error| failed(revision, error))?;
    let site = written.path().join(folder);
    Ok(OldPlace::Revision(written, site))
}

fn failed<T>(revision: &str, reason: impl Display) -> Result<T, CliError> {
    usage_error(format!("{REVISION}{revision}: {reason}"))
}
