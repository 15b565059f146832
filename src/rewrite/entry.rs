//! One entry of a tree: read, rewritten, written.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::bases::DocumentUrls;
use super::container::ContainerResult;
use super::document::{Rewritten, rewrite_document};
use super::plan::{Archives, Mode, Plan};
use crate::corpus::{FileDocument, FileRole, ReadError};
use crate::output::{NewTree, WriteError, diff, replace_file};
use crate::site::{Entry, EntryKind, symlink_target};
use crate::url::{AbsoluteUrl, ParseError};

/// What became of one entry.
pub(super) enum Outcome {
    Rewritten {
        result: Box<Rewritten>,
        diff: Vec<u8>,
    },
    /// A document that is copied as it is, and why.
    Skipped(String),
    Copied,
    /// A compressed page, which nobody wants to have rewritten.
    CompressedCopied,
    Linked,
    /// A symbolic link that would lead to the same by other words.
    Relinked {
        diff: Vec<u8>,
    },
    Archive(Box<ContainerResult>),
    /// An archive, which is worked on by itself on all threads.
    Deferred,
    /// An archive that was not done when the run was interrupted.
    Interrupted,
    /// Nothing was to be done.
    Untouched,
    /// A temporary file of another run.
    Leftover,
    Failed(String),
}

impl Outcome {
    pub(super) fn diff(&self) -> &[u8] {
        match self {
            Outcome::Rewritten { diff, .. } | Outcome::Relinked { diff } => diff,
            _ => &[],
        }
    }
}

/// Why nothing became of a file.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileError {
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Document(#[from] ReadError),
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
    #[error("cannot be compressed: {0}")]
    Encode(#[source] io::Error),
    #[error("a device, pipe or socket; not copied")]
    Special,
}

pub(super) fn work_on(plan: &Plan, entry: &Entry) -> Outcome {
    let worked = match (entry.kind, &plan.mode) {
        (EntryKind::Directory, _) => Ok(Outcome::Untouched),
        (EntryKind::Special, Mode::Copy(_)) => Err(FileError::Special),
        // All that is in the old tree is in the new one, whatever it is.
        (EntryKind::Special | EntryKind::Leftover, Mode::Exchange(stage)) => {
            let path = plan.corpus.root.join(&entry.path);
            let copied = stage.copy_file(&path, plan.new_path(&entry.path));
            copied.map(|()| Outcome::Copied).map_err(FileError::from)
        }
        (EntryKind::Special, _) => Ok(Outcome::Untouched),
        (EntryKind::Leftover, _) => Ok(Outcome::Leftover),
        (EntryKind::Symlink, _) => link(plan, entry),
        (EntryKind::File, _) => file(plan, entry),
    };
    worked.unwrap_or_else(|error| Outcome::Failed(error.to_string()))
}

fn link(plan: &Plan, entry: &Entry) -> Result<Outcome, FileError> {
    let from = plan.corpus.root.join(&entry.path);
    let old = fs::read_link(&from).map_err(FileError::Read)?;
    let new_path = plan.new_path(&entry.path);
    let words = words_after(plan, &entry.path, old.clone());
    if let Some(tree) = plan.mode.new_tree() {
        tree.make_symlink(&from, new_path, &words)?;
        return Ok(Outcome::Linked);
    }
    if words == old {
        return Ok(Outcome::Untouched);
    }
    let diff = match plan.mode {
        Mode::Diff => diff::relinked(&entry.path, new_path, &old, &words),
        _ => Vec::new(),
    };
    Ok(Outcome::Relinked { diff })
}

/// What the symbolic link at `path` has to say so that it leads to the same file as before,
/// wherever both are now.
fn words_after(plan: &Plan, path: &Path, words: PathBuf) -> PathBuf {
    if plan.moves.is_empty() {
        return words;
    }
    let Some(target) = symlink_target(path, &words) else {
        return words;
    };
    let target = plan.moves.counterpart(&target);
    let new_path = plan.new_path(path);
    if symlink_target(new_path, &words).as_ref() == Some(&target) {
        return words;
    }
    let folder = new_path.parent().unwrap_or(Path::new(""));
    let common = folder
        .components()
        .zip(target.components())
        .take_while(|(one, other)| one == other)
        .count();
    let ups = folder
        .components()
        .skip(common)
        .map(|_| Component::ParentDir);
    let way: PathBuf = ups.chain(target.components().skip(common)).collect();
    match way.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => way,
    }
}

fn file(plan: &Plan, entry: &Entry) -> Result<Outcome, FileError> {
    let corpus = &plan.corpus;
    let path = corpus.root.join(&entry.path);
    let role = corpus.role(&entry.path).map_err(FileError::Read)?;
    let outcome = match role {
        FileRole::Container(_) if plan.archives != Archives::Copied => {
            return Ok(Outcome::Deferred);
        }
        FileRole::Container(_) | FileRole::Other => Outcome::Copied,
        FileRole::UnreadPage => Outcome::CompressedCopied,
        FileRole::Document(_) | FileRole::Compressed(_) => {
            let work = |file: &FileDocument<'_>| document(plan, entry, &role, &path, file);
            match corpus.read_file(&entry.path, 0, &role, work) {
                Ok(Some(outcome)) => return outcome,
                Ok(None) => Outcome::Copied,
                Err(ReadError::Decode(error)) => Outcome::Skipped(error.to_string()),
                Err(error) => return Err(error.into()),
            }
        }
    };
    copy(plan, entry, &path, outcome)
}

fn document(
    plan: &Plan,
    entry: &Entry,
    role: &FileRole,
    path: &Path,
    file: &FileDocument<'_>,
) -> Result<Outcome, FileError> {
    let corpus = &plan.corpus;
    let new_path = plan.new_path(&entry.path);
    let before = file.document.retrieval_url;
    let is_unmoved = new_path == entry.path && plan.new_site_url == corpus.site_url;
    let after = match is_unmoved {
        true => Cow::Borrowed(before),
        false => {
            let url = plan.new_site_url.document_url(&role.page(new_path))?;
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
            return copy(plan, entry, path, Outcome::Skipped(error.to_string()));
        }
    };
    if let (Some(new), true) = (&mut result.bytes, plan.mode.writes()) {
        *new = file
            .encode(std::mem::take(new))
            .map_err(FileError::Encode)?;
    }
    let mut diff = Vec::new();
    match (&plan.mode, &result.bytes) {
        (Mode::Copy(_) | Mode::File(_) | Mode::Exchange(_), new) => {
            if let Some(tree) = plan.mode.new_tree() {
                match new {
                    Some(new) => tree.write_file(new_path, new, file.metadata)?,
                    None => tree.copy_file(path, new_path)?,
                }
            }
        }
        (Mode::InPlace, Some(new)) => replace_file(path, new)?,
        (Mode::Diff, new) => {
            let is_text = result.transcoded.is_none() && !file.is_compressed();
            diff = match new {
                Some(_) if is_text => diff::unified(&entry.path, new_path, bytes, &result.edits),
                Some(_) => diff::binary(&entry.path, new_path),
                None => Vec::new(),
            };
            if !plan.moves.is_empty() && new_path == entry.path && !diff.is_empty() {
                diff.splice(..0, diff::git_header(new_path));
            }
        }
        (Mode::DryRun, _) | (_, None) => {}
    }
    let mut result = Box::new(result);
    result.bytes = result.bytes.map(|_| Vec::new());
    result.edits = Vec::new();
    result.transcoded = None;
    Ok(Outcome::Rewritten { result, diff })
}

/// Copies a file as it is.
pub(super) fn copy(
    plan: &Plan,
    entry: &Entry,
    path: &Path,
    outcome: Outcome,
) -> Result<Outcome, FileError> {
    match (plan.mode.new_tree(), outcome) {
        (Some(tree), outcome) => {
            tree.copy_file(path, plan.new_path(&entry.path))?;
            Ok(outcome)
        }
        (None, Outcome::Copied) => Ok(Outcome::Untouched),
        (None, outcome) => Ok(outcome),
    }
}
