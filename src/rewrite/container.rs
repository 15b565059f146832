//! A container: its documents rewritten, everything else copied.
//!
//! Items are read one after the other, rewritten and compressed on several threads, and written in
//! order. Where nothing changes nothing is written at all, and the bytes of an unchanged item are
//! copied from the old file. The memory this takes is bounded by the largest document, not by the
//! size of the container.

mod copier;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use std::iter;
use std::path::Path;

use copier::Copier;

use super::bases::DocumentUrls;
use super::document::rewrite_document;
use super::entry::{FileError, Outcome, copy};
use super::plan::{Archives, Mode, Plan};
use super::policy::{Policy, SitePolicy};
use super::report::{DocumentCounts, ReferenceCounts, skipped_document};
use super::targets::SiteMapping;
use crate::corpus::{
    Access, ContainerError, ItemOutcome, Piece, Remark, Role, SourceDocument, Written,
    container_format,
};
use crate::diagnostic::{Diagnostic, display_path};
use crate::output::{WriteError, diff, replace_stream};
use crate::parallel::{self, QueueItem, in_order_from};
use crate::site::{Entry, FileIndex, SiteUrl};
use crate::url::AbsoluteUrl;

/// What happened to the items of a container.
#[derive(Debug, Default)]
pub(super) struct ContainerResult {
    pub(super) records: usize,
    pub(super) documents: DocumentCounts,
    pub(super) references: ReferenceCounts,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) diff: Vec<u8>,
}

/// Why a container could not be rewritten.
#[derive(Debug, thiserror::Error)]
enum Error {
    #[error(transparent)]
    Container(#[from] ContainerError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Parallel(#[from] parallel::Error),
    #[error("interrupted")]
    Interrupted,
}

/// Rewrites the container `entry` on as many threads as `plan` says.
pub(super) fn work_on(plan: &Plan, entry: &Entry) -> Outcome {
    let outcome = match archive(plan, entry) {
        Ok(result) => Ok(Outcome::Archive(Box::new(result))),
        Err(Error::Interrupted) => Ok(Outcome::Interrupted),
        Err(Error::Container(error)) => {
            let path = plan.corpus.root.join(&entry.path);
            copy(plan, entry, &path, Outcome::Skipped(error.to_string()))
        }
        Err(Error::File(error)) => Err(error),
        Err(other) => return Outcome::Failed(other.to_string()),
    };
    outcome.unwrap_or_else(|error| Outcome::Failed(error.to_string()))
}

fn archive(plan: &Plan, entry: &Entry) -> Result<ContainerResult, Error> {
    let path = plan.corpus.root.join(&entry.path);
    let new_path = plan.new_path(&entry.path);
    let metadata = std::fs::metadata(&path).map_err(FileError::Read)?;
    // Kept apart from errors of the output: a damaged container is skipped.
    let mut ended = Ok(ContainerResult::default());
    let mut write = |out: &mut dyn Write| match rewrite(plan, entry, &path, out) {
        Ok(result) => {
            let is_changed = result.documents.rewritten > 0;
            ended = Ok(result);
            Ok(is_changed)
        }
        Err(Error::Parallel(parallel::Error::Output(error))) => Err(error),
        Err(error) => {
            ended = Err(error);
            Ok(false)
        }
    };
    let written = match (plan.mode.new_tree(), &plan.mode) {
        (Some(tree), _) => tree.write_stream(new_path, &metadata, &mut write),
        (None, Mode::InPlace) => replace_stream(&path, &mut write),
        (None, _) => write(&mut io::sink()).map_err(WriteError::Read),
    };
    let is_written = written.map_err(FileError::Write)?;
    let mut result = ended?;
    if let (false, Some(tree)) = (is_written, plan.mode.new_tree()) {
        tree.copy_file(&path, new_path).map_err(FileError::Write)?;
    }
    if let (true, Mode::Diff) = (is_written, &plan.mode) {
        result.diff = diff::binary(&entry.path, new_path);
    }
    Ok(result)
}

fn rewrite(
    plan: &Plan,
    entry: &Entry,
    path: &Path,
    out: &mut dyn Write,
) -> Result<ContainerResult, Error> {
    let corpus = &plan.corpus;
    let name = display_path(&entry.path);
    let Some(format) = entry.path.file_name().and_then(container_format) else {
        return Ok(ContainerResult::default());
    };
    let mut old = Copier::new(File::open(path).map_err(FileError::Read)?);
    let mut container = (format.open)(corpus.container_file(path, &name), Access::Everything)?;
    let needs_bytes = plan.mode.writes();
    let mut result = ContainerResult::default();
    let (mut damaged, mut failed) = (None, None);
    let pieces = iter::from_fn(|| match container.next(&|_| true) {
        Ok(piece) => {
            let value = piece?;
            let bytes = match &value {
                Piece::Item(item) => item.size(),
                Piece::Written(written) => held_bytes(written),
            };
            Some(QueueItem { value, bytes })
        }
        Err(error) => {
            damaged = Some(error);
            None
        }
    });
    let completion = in_order_from(
        corpus.thread_options(),
        pieces,
        |piece| {
            let value = RewrittenPiece::of(plan, piece, needs_bytes);
            let bytes = value.written.as_ref().map_or(0, held_bytes);
            QueueItem { value, bytes }
        },
        |piece| {
            result.add(
                piece.name,
                piece.outcome,
                piece.references,
                piece.diagnostics,
            );
            match piece.written {
                Ok(Written::Copy(range)) => old.pass(range, out),
                Ok(Written::Bytes(bytes)) if needs_bytes => {
                    old.flush(out)?;
                    out.write_all(&bytes)
                }
                Ok(Written::Bytes(_)) => Ok(()),
                Err(error) => {
                    failed = Some(error);
                    Ok(())
                }
            }
        },
    )?;
    if let Some(error) = failed.or(damaged) {
        return Err(error.into());
    }
    if !completion.is_complete {
        return Err(Error::Interrupted);
    }
    let is_changed = result.documents.rewritten > 0;
    if is_changed && needs_bytes {
        old.flush(out).map_err(parallel::Error::Output)?;
    }
    result.records = container.items();
    let remarks = container.remarks(is_changed).into_iter();
    result
        .diagnostics
        .extend(remarks.map(|remark| warning(&name, remark)));
    Ok(result)
}

fn held_bytes(written: &Written) -> usize {
    match written {
        Written::Copy(_) => 0,
        Written::Bytes(bytes) => bytes.len(),
    }
}

fn warning(name: &str, remark: Remark) -> Diagnostic {
    Diagnostic::warning(name, remark.code, remark.message)
}

/// A piece of the new container, and what happened to it.
struct RewrittenPiece {
    name: String,
    outcome: ItemOutcome,
    references: ReferenceCounts,
    diagnostics: Vec<Diagnostic>,
    written: Result<Written, ContainerError>,
}

impl RewrittenPiece {
    fn of(plan: &Plan, piece: Piece, needs_bytes: bool) -> RewrittenPiece {
        let copied = |written| RewrittenPiece {
            name: String::new(),
            outcome: ItemOutcome::NoDocument,
            references: ReferenceCounts::default(),
            diagnostics: Vec::new(),
            written: Ok(written),
        };
        let item = match piece {
            Piece::Written(written) => return copied(written),
            Piece::Item(item) => item,
        };
        let mut references = ReferenceCounts::default();
        let mut diagnostics = Vec::new();
        let mut rewrite = |document: &SourceDocument<'_>| {
            let urls = DocumentUrls::unmoved(document.fallback_base);
            let policy = policy_for(plan, document);
            let result = rewrite_document(document.bytes, urls, &policy, &document.options)
                .map_err(|error| error.to_string())?;
            references += &result.references;
            diagnostics.extend(result.diagnostics);
            Ok(result.bytes)
        };
        let rewritten = item.rewrite(&mut rewrite, needs_bytes);
        let name = rewritten.name;
        let mut diagnostics: Vec<Diagnostic> = match rewritten.outcome {
            // What was skipped has not changed, and nothing about its references is known.
            ItemOutcome::Skipped(_) => {
                references = ReferenceCounts::default();
                Vec::new()
            }
            _ => diagnostics
                .into_iter()
                .map(|it| it.at_path(&name))
                .collect(),
        };
        let remarks = rewritten.remarks.into_iter();
        diagnostics.extend(remarks.map(|remark| warning(&name, remark)));
        RewrittenPiece {
            name,
            outcome: rewritten.outcome,
            references,
            diagnostics,
            written: rewritten.written,
        }
    }
}

impl ContainerResult {
    fn add(
        &mut self,
        name: String,
        outcome: ItemOutcome,
        references: ReferenceCounts,
        diagnostics: Vec<Diagnostic>,
    ) {
        let documents = &mut self.documents;
        match outcome {
            ItemOutcome::NoDocument => return,
            ItemOutcome::Rewritten => documents.rewritten += 1,
            ItemOutcome::Unchanged => documents.unchanged += 1,
            ItemOutcome::Skipped(why) => {
                documents.skipped += 1;
                self.diagnostics.push(skipped_document(name, why));
            }
        }
        documents.seen += 1;
        self.references += &references;
        self.diagnostics.extend(diagnostics);
    }
}

/// The policy for a document of a container. The files of the tree prove nothing about it.
fn policy_for<'p>(plan: &'p Plan, document: &SourceDocument<'_>) -> Cow<'p, Policy> {
    let policy = match &plan.policy {
        // No element can be put into headers.
        Policy::Absolute { base: Some(_) } if document.role == Role::Headers => {
            return Cow::Owned(Policy::Absolute { base: None });
        }
        Policy::Site(policy) => policy,
        policy => return Cow::Borrowed(policy),
    };
    let mapping = &policy.mapping;
    let site_url = match plan.archives {
        Archives::RewrittenByServer => host_root(document.retrieval_url),
        Archives::Rewritten | Archives::Copied => None,
    };
    let site_url = site_url.unwrap_or_else(|| mapping.before.clone());
    Cow::Owned(Policy::site(SitePolicy {
        form: policy.form,
        drop_base: policy.drop_base,
        mapping: SiteMapping {
            before: site_url.clone(),
            also: mapping.also.clone(),
            after: site_url,
            files: FileIndex::default(),
            moved: Default::default(),
            pretty: Default::default(),
        },
    }))
}

/// The root of the host of `url`.
fn host_root(url: &AbsoluteUrl) -> Option<SiteUrl> {
    let root = url.resolve("/", encoding_rs::UTF_8).ok()?;
    Some(SiteUrl::parse(root.as_str()).ok()?.0)
}
