//! Processes one entry of a tree: reads it, rewrites it, writes it.

use std::borrow::Cow;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::bases::DocumentUrls;
use super::document::rewrite_document;
use super::outcome::{EntryReport, FileError, Outcome};
use super::plan::{Archives, Mode, Plan};
use crate::corpus::{FileDocument, FileRole, ReadError};
use crate::diagnostic::{Diagnostic, display_path};
use crate::output::{diff, replace_file};
use crate::site::{Entry, EntryKind, symlink_target};
use crate::url::AbsoluteUrl;

/// Rewrites, copies or recreates `entry`, as its kind and `plan` say.
pub(super) fn process(plan: &Plan, entry: &Entry) -> Outcome {
    let processed = match (entry.kind, &plan.mode) {
        (EntryKind::Special, Mode::Copy(_)) => Err(FileError::Special),
        // The new tree takes the place of the old one, so it needs everything in it.
        (EntryKind::Special | EntryKind::Leftover, Mode::Exchange(_)) => {
            copy(plan, entry).map(copied)
        }
        (EntryKind::Directory | EntryKind::Special, _) => Ok(EntryReport::default()),
        (EntryKind::Leftover, _) => Ok(leftover(entry)),
        (EntryKind::Symlink, _) => symlink(plan, entry),
        (EntryKind::File, _) => match file(plan, entry) {
            Ok(outcome) => return outcome,
            Err(error) => Err(error),
        },
    };
    let failed = |error| EntryReport::failed(&display_path(&entry.path), error);
    Outcome::Done(Box::new(processed.unwrap_or_else(failed)))
}

/// Copies the file unchanged, if there is a new tree. Returns the number of files copied.
pub(super) fn copy(plan: &Plan, entry: &Entry) -> Result<usize, FileError> {
    let Some(tree) = plan.mode.new_tree() else {
        return Ok(0);
    };
    let path = plan.corpus.root.join(&entry.path);
    tree.copy_file(&path, plan.new_path(&entry.path))?;
    Ok(1)
}

fn copied(files: usize) -> EntryReport {
    let mut result = EntryReport::default();
    result.report.copied.files = files;
    result
}

/// A temporary file of another run.
fn leftover(entry: &Entry) -> EntryReport {
    let mut result = EntryReport::default();
    result.report.diagnostics.push(Diagnostic::warning(
        display_path(&entry.path),
        "left-by-interrupted-run",
        "left by an interrupted run; not copied; remove it",
    ));
    result
}

fn symlink(plan: &Plan, entry: &Entry) -> Result<EntryReport, FileError> {
    let from = plan.corpus.root.join(&entry.path);
    let old = fs::read_link(&from).map_err(ReadError::Read)?;
    let new_path = plan.new_path(&entry.path);
    let new = new_link_text(plan, &entry.path, old.clone());
    let mut result = EntryReport::default();
    if let Some(tree) = plan.mode.new_tree() {
        tree.make_symlink(&from, new_path, &new)?;
        result.report.copied.symlinks = 1;
    } else if new != old {
        result.changed = Some(1);
        if let Mode::Diff = plan.mode {
            result.diff = diff::relinked(&entry.path, new_path, &old, &new);
        }
    }
    Ok(result)
}

/// The new text of the symbolic link at `path`, whose `text` is a path: one that names the same
/// file as before, after both may have moved.
fn new_link_text(plan: &Plan, path: &Path, text: PathBuf) -> PathBuf {
    if plan.moves.is_empty() {
        return text;
    }
    let Some(target) = symlink_target(path, &text) else {
        return text;
    };
    let target = plan.moves.counterpart(&target);
    let new_path = plan.new_path(path);
    if symlink_target(new_path, &text).as_ref() == Some(&target) {
        return text;
    }
    let folder = new_path.parent().unwrap_or(Path::new(""));
    let common = folder
        .components()
        .zip(target.components())
        .take_while(|(one, other)| one == other)
        .count();
    let parents = folder
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    let relative: PathBuf = parents.chain(target.components().skip(common)).collect();
    match relative.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => relative,
    }
}

fn file(plan: &Plan, entry: &Entry) -> Result<Outcome, FileError> {
    let corpus = &plan.corpus;
    let role = corpus.role(&entry.path).map_err(ReadError::Read)?;
    let report = match role {
        FileRole::Container(format) if plan.archives != Archives::Copied => {
            return Ok(Outcome::Deferred(format));
        }
        FileRole::Container(_) | FileRole::Other => copied(copy(plan, entry)?),
        FileRole::UnreadPage => {
            let mut result = copied(copy(plan, entry)?);
            result.report.compressed_skipped = 1;
            result
        }
        FileRole::Document(_) | FileRole::Compressed(_) => {
            let work = |file: &FileDocument<'_>| document(plan, entry, &role, file);
            match corpus.read_file(&entry.path, 0, &role, work) {
                Ok(Some(result)) => result?,
                Ok(None) => copied(copy(plan, entry)?),
                Err(ReadError::Decode(error)) => skipped(plan, entry, &error)?,
                Err(error) => return Err(error.into()),
            }
        }
    };
    Ok(Outcome::Done(Box::new(report)))
}

/// Skips the documents of `entry`, which is copied unchanged.
pub(super) fn skipped(
    plan: &Plan,
    entry: &Entry,
    error: &impl ToString,
) -> Result<EntryReport, FileError> {
    copy(plan, entry)?;
    let path = display_path(&entry.path);
    Ok(EntryReport::skipped(&path, error.to_string()))
}

fn document(
    plan: &Plan,
    entry: &Entry,
    role: &FileRole,
    file: &FileDocument<'_>,
) -> Result<EntryReport, FileError> {
    let corpus = &plan.corpus;
    let path = corpus.root.join(&entry.path);
    let new_path = plan.new_path(&entry.path);
    let before = file.document.retrieval_url;
    let is_unmoved = new_path == entry.path && plan.new_site_url == corpus.site_url;
    let after = match is_unmoved {
        true => Cow::Borrowed(before),
        false => {
            let url = plan
                .new_site_url
                .document_url(&role.page(new_path))
                .map_err(ReadError::NoUrl)?;
            Cow::Owned(AbsoluteUrl::new(corpus.standard, url))
        }
    };
    let own = DocumentUrls {
        before,
        after: &after,
    };
    let bytes = file.document.bytes;
    let mut result = match rewrite_document(bytes, own, &plan.policy, &file.document.options) {
        Ok(result) => result,
        Err(error) => {
            return skipped(plan, entry, &error);
        }
    };
    if let (Some(new), true) = (&mut result.bytes, plan.mode.writes()) {
        *new = file
            .encode(std::mem::take(new))
            .map_err(FileError::Encode)?;
    }
    let mut entry_report = EntryReport::default();
    match (&plan.mode, &result.bytes) {
        (Mode::Copy(_) | Mode::File(_) | Mode::Exchange(_), new) => {
            if let Some(tree) = plan.mode.new_tree() {
                match new {
                    Some(new) => tree.write_file(new_path, new, file.metadata)?,
                    None => tree.copy_file(&path, new_path)?,
                }
            }
        }
        (Mode::InPlace, Some(new)) => replace_file(&path, new)?,
        (Mode::Diff, Some(_)) => {
            let is_text = result.transcoded.is_none() && !file.is_compressed();
            entry_report.diff = match is_text {
                true => diff::unified(&entry.path, new_path, bytes, &result.edits),
                false => diff::binary(&entry.path, new_path),
            };
            if !plan.moves.is_empty() && new_path == entry.path && !entry_report.diff.is_empty() {
                entry_report.diff.splice(..0, diff::git_header(new_path));
            }
        }
        (Mode::DryRun, _) | (_, None) => {}
    }
    let report = &mut entry_report.report;
    report.documents.seen = 1;
    let name = display_path(&entry.path);
    report.add_diagnostics(&name, result.diagnostics);
    match result.bytes {
        Some(_) => {
            entry_report.changed = Some(result.references.rewritten);
            report.add_changed(name, result.references.rewritten);
            report.documents.rewritten = 1;
        }
        None => report.documents.unchanged = 1,
    }
    report.references = result.references;
    Ok(entry_report)
}
