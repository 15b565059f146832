//! One entry of a tree: read, rewritten, written.

use std::borrow::Cow;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::archive::{ArchiveResult, Archives};
use super::bases::DocumentUrls;
use super::document::{Rewritten, rewrite_document};
use super::plan::{Mode, Plan};
use crate::coding::{Compressor, DECODED_LIMIT, Effort, decode};
use crate::corpus::{Panicked, catch_panic};
use crate::document::{DocumentKind, ParseOptions};
use crate::output::{NewTree, WriteError, diff, replace_file};
use crate::site::{CompressedPage, Entry, EntryKind, symlink_target, with_file_bytes};
use crate::url::{AbsoluteUrl, ParseError};
use crate::warc::is_archive_name;

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
    Archive(Box<ArchiveResult>),
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
    #[error("has no URL: {0}")]
    NoUrl(#[from] ParseError),
    #[error(transparent)]
    Panicked(#[from] Panicked),
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
            let path = plan.root.join(&entry.path);
            let copied = stage.copy_file(&path, plan.new_path(&entry.path));
            copied.map(|()| Outcome::Copied).map_err(FileError::from)
        }
        (EntryKind::Special, _) => Ok(Outcome::Untouched),
        (EntryKind::Leftover, _) => Ok(Outcome::Leftover),
        (EntryKind::Symlink, _) => link(plan, entry),
        (EntryKind::File, _) => {
            catch_panic(|| file(plan, entry)).unwrap_or_else(|panicked| Err(panicked.into()))
        }
    };
    worked.unwrap_or_else(|error| Outcome::Failed(error.to_string()))
}

fn link(plan: &Plan, entry: &Entry) -> Result<Outcome, FileError> {
    let from = plan.root.join(&entry.path);
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
    let path = plan.root.join(&entry.path);
    let name = entry.path.file_name().unwrap_or_default();
    if plan.archives != Archives::Copied && is_archive_name(name) && plan.selection.has(&entry.path)
    {
        return Ok(Outcome::Deferred);
    }
    if let Some(page) = plan.selection.compressed_page(&entry.path) {
        return compressed(plan, entry, &page, &path);
    }
    let kind = plan.selection.document_kind(&plan.root, &entry.path);
    let Some(kind) = kind.map_err(FileError::Read)? else {
        let is_page = plan.selection.has(&entry.path) && CompressedPage::of(&entry.path).is_some();
        let outcome = match is_page {
            true => Outcome::CompressedCopied,
            false => Outcome::Copied,
        };
        return copy(plan, entry, &path, outcome);
    };
    with_file_bytes(&path, |bytes, metadata| {
        let source = DocumentSource {
            kind,
            page: &entry.path,
            new_page: plan.new_path(&entry.path),
            compressor: None,
        };
        document(plan, entry, &source, &path, bytes, metadata)
    })
    .map_err(FileError::Read)?
}

/// What a document is, and what stands for it.
struct DocumentSource<'s> {
    kind: DocumentKind,
    /// The path that its URL is made of, before and after.
    page: &'s Path,
    new_page: &'s Path,
    /// How its file is compressed.
    compressor: Option<Compressor>,
}

fn compressed(
    plan: &Plan,
    entry: &Entry,
    page: &CompressedPage,
    path: &Path,
) -> Result<Outcome, FileError> {
    let new_path = plan.new_path(&entry.path);
    let new_page = CompressedPage::of(new_path).map(|it| it.page);
    let worked = with_file_bytes(path, |bytes, metadata| {
        let (decoded, compressor) = match decode(page.coding, bytes, DECODED_LIMIT) {
            Ok(decoded) => decoded,
            Err(error) => {
                return copy(plan, entry, path, Outcome::Skipped(error.to_string()));
            }
        };
        let source = DocumentSource {
            kind: page.kind,
            page: &page.page,
            new_page: new_page.as_deref().unwrap_or(new_path),
            compressor: Some(compressor),
        };
        document(plan, entry, &source, path, &decoded, metadata)
    });
    worked.map_err(FileError::Read)?
}

fn document(
    plan: &Plan,
    entry: &Entry,
    source: &DocumentSource<'_>,
    path: &Path,
    bytes: &[u8],
    metadata: &Metadata,
) -> Result<Outcome, FileError> {
    let new_path = plan.new_path(&entry.path);
    let before = AbsoluteUrl::new(plan.standard, plan.site_url.document_url(source.page)?);
    let after = if source.new_page == source.page && plan.new_site_url == plan.site_url {
        Cow::Borrowed(&before)
    } else {
        let url = plan.new_site_url.document_url(source.new_page)?;
        Cow::Owned(AbsoluteUrl::new(plan.standard, url))
    };
    let own = DocumentUrls {
        before: &before,
        after: &after,
    };
    let options = ParseOptions {
        kind: source.kind,
        ..plan.options
    };
    let mut result = match rewrite_document(bytes, own, &plan.policy, &options) {
        Ok(result) => result,
        Err(error) => {
            return copy(plan, entry, path, Outcome::Skipped(error.to_string()));
        }
    };
    if let (Some(compressor), Some(new), true) =
        (&source.compressor, &result.bytes, plan.mode.writes())
    {
        let encoded = compressor.encode(new, Effort::Best);
        result.bytes = Some(encoded.map_err(FileError::Encode)?);
    }
    let mut diff = Vec::new();
    match (&plan.mode, &result.bytes) {
        (Mode::Copy(_) | Mode::File(_) | Mode::Exchange(_), new) => {
            if let Some(tree) = plan.mode.new_tree() {
                match new {
                    Some(new) => tree.write_file(new_path, new, metadata)?,
                    None => tree.copy_file(path, new_path)?,
                }
            }
        }
        (Mode::InPlace, Some(new)) => replace_file(path, new)?,
        (Mode::Diff, new) => {
            let is_text = result.transcoded.is_none() && source.compressor.is_none();
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
