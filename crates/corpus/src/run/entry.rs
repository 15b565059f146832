//! Processes one entry of a tree: reads it, rewrites it, writes it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::document::rewritten;
use super::file_changes::FileChanges;
use super::outcome::{DISK_FULL, EntryReport, FileError, Outcome};
use super::plan::{Archives, Mode, Plan};
use super::report::Report;
use crate::files::with_file_bytes;
use crate::output::{Original, Stage, diff, replace_file};
use crate::stale_paths::{StalePath, StalePathFinder};
use crate::{FileDocument, FileRole, ReadError, SkipError};
use rehref_document::{
    DocumentKind, disk_limits_of_page, disk_limits_of_script, disk_limits_of_style,
};
use rehref_rewrite::Policy;
use rehref_rewrite::SiteMapping;
use rehref_site::PathNames;
use rehref_site::{Diagnostic, diagnostic::display_path};
use rehref_site::{Entry, EntryKind, SiteUrl, normalized_path, symlink_target};
use rehref_url::AbsoluteUrl;

/// Rewrites, copies or recreates `entry`, as its kind and `plan` say.
pub(super) fn process(plan: &Plan, changes: &FileChanges<'_>, entry: &Entry) -> Outcome {
    let processed = match (entry.kind, &plan.mode) {
        (EntryKind::Special, Mode::Copy(_)) => Err(FileError::Special),
        // The new tree replaces the old one, so it needs everything in it.
        (EntryKind::Special | EntryKind::Leftover, Mode::Exchange(_)) => copy(plan, entry),
        (EntryKind::Repository | EntryKind::Ignored, Mode::Exchange(stage)) => {
            keep(plan, stage, entry)
        }
        (
            EntryKind::Directory | EntryKind::Special | EntryKind::Repository | EntryKind::Ignored,
            _,
        ) => Ok(EntryReport::default()),
        (EntryKind::Leftover, _) => Ok(leftover(entry)),
        (EntryKind::Symlink, _) => symlink(plan, entry),
        (EntryKind::File, _) => match plan.corpus.role(&entry.path) {
            Ok(FileRole::Container(format)) if plan.archives != Archives::Copied => {
                return Outcome::Deferred(format);
            }
            Ok(role) => file(plan, changes, entry, &role),
            Err(error) => Err(ReadError::Read(error).into()),
        },
    };
    let failed = |error: FileError| {
        let code = error.is_disk_full().then_some(DISK_FULL);
        EntryReport::failed(entry, error, code)
    };
    Outcome::Done(Box::new(processed.unwrap_or_else(failed)))
}

/// Brings the data of a version control system, or what git ignores, into the tree that replaces the old one.
fn keep(plan: &Plan, stage: &Stage, entry: &Entry) -> Result<EntryReport, FileError> {
    let from = plan.corpus.root.join(&entry.path);
    stage.keep_tree(&from, plan.new_path(&entry.path))?;
    Ok(EntryReport::default())
}

/// Copies the file unchanged, if the mode writes a new tree.
fn copy(plan: &Plan, entry: &Entry) -> Result<EntryReport, FileError> {
    let mut result = EntryReport::default();
    if let Some(tree) = plan.mode.new_tree() {
        let path = plan.corpus.root.join(&entry.path);
        tree.copy_file(&path, plan.new_path(&entry.path))?;
        result.report.copied.files = 1;
    }
    Ok(result)
}

/// Reports a temporary file of another run.
fn leftover(entry: &Entry) -> EntryReport {
    let mut result = EntryReport::default();
    result.report.diagnostics.push(Diagnostic::warning(
        display_path(&entry.path),
        "left-by-interrupted-run",
        "an interrupted run left this temporary file, which rehref did not copy; delete the file",
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
    let parents = folder.components().skip(common).map(|_| Component::ParentDir);
    let relative: PathBuf = parents.chain(target.components().skip(common)).collect();
    if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative }
}

fn file(
    plan: &Plan,
    changes: &FileChanges<'_>,
    entry: &Entry,
    role: &FileRole,
) -> Result<EntryReport, FileError> {
    match role {
        FileRole::Container(_) => copy(plan, entry),
        FileRole::Other => {
            let mut result = copy(plan, entry)?;
            if !finds_stale_paths(plan, entry, role) {
                return Ok(result);
            }
            let path = plan.corpus.root.join(&entry.path);
            let read = with_file_bytes(&path, |code, _| {
                if is_offline(plan) && is_script(&entry.path) {
                    let name = display_path(&entry.path);
                    let limits = disk_limits_of_script(code);
                    result.report.offline.add_limits(&name, limits);
                }
                add_stale_paths(plan, entry, role, code, &mut result.report)
            });
            read.map_err(ReadError::Read)??;
            Ok(result)
        }
        FileRole::UnreadPage => {
            let mut result = copy(plan, entry)?;
            result.report.compressed_skipped = vec![display_path(&entry.path)];
            Ok(result)
        }
        FileRole::Document(_) | FileRole::Compressed(_) => {
            let work = |file: &FileDocument<'_>| {
                let mut result = document(plan, changes, entry, role, file)?;
                if finds_stale_paths(plan, entry, role) {
                    let bytes = file.document.bytes;
                    add_stale_paths(plan, entry, role, bytes, &mut result.report)?;
                }
                Ok(result)
            };
            match plan.corpus.read_file(&entry.path, 0, role, work) {
                Ok(Some(result)) => result,
                Ok(None) => copy(plan, entry),
                Err(ReadError::Decode(error)) => skip(plan, entry, &SkipError::coding(error)),
                Err(error) => Err(error.into()),
            }
        }
    }
}

/// Whether the result is to be read from disk.
fn is_offline(plan: &Plan) -> bool {
    let mapping = plan.policy.mapping();
    mapping.is_some_and(|mapping| mapping.pretty.offline)
}

fn is_script(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["js", "mjs"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Skips the documents of `entry` because of `error`. The file is copied unchanged, but does not
/// count as a copied file.
pub(super) fn skip(
    plan: &Plan,
    entry: &Entry,
    error: &SkipError,
) -> Result<EntryReport, FileError> {
    copy(plan, entry)?;
    let mut result = EntryReport::default();
    result.report.add_skipped(&display_path(&entry.path), error);
    Ok(result)
}

/// Whether strings of the file may name old places after the moves of `plan`, or places that lead nowhere if the
/// result is to be read from disk.
fn finds_stale_paths(plan: &Plan, entry: &Entry, role: &FileRole) -> bool {
    let mapping = plan.policy.mapping();
    let is_wanted = |mapping: &SiteMapping| mapping.pretty.offline || mapping.moves();
    let reads_sources = plan.corpus.selection.markdown.is_some();
    mapping.is_some_and(is_wanted) && StalePathFinder::searches(&entry.path, role, reads_sources)
}

/// Adds these strings of the file with these `bytes` to its `report`.
fn add_stale_paths(
    plan: &Plan,
    entry: &Entry,
    role: &FileRole,
    bytes: &[u8],
    report: &mut Report,
) -> Result<(), FileError> {
    let corpus = &plan.corpus;
    let Some(mapping) = plan.policy.mapping() else {
        return Ok(());
    };
    let url = |site: &SiteUrl, path: &Path| {
        let url = site.file_url(path).map_err(ReadError::NoUrl)?;
        Ok::<_, ReadError>(AbsoluteUrl::new(corpus.standard, url))
    };
    let moved_to = plan.moves.new_path(&entry.path);
    let has_moved = moved_to.is_some() || *plan.new_site_url() != corpus.site_url;
    // Most files have no string that needs them.
    let known_urls = OnceCell::new();
    let urls = || {
        let both = || {
            let own = url(&corpus.site_url, &entry.path)?;
            let after = if has_moved {
                url(plan.new_site_url(), moved_to.unwrap_or(&entry.path))?
            } else {
                own.clone()
            };
            Ok([own, after])
        };
        let urls: &Result<_, ReadError> = known_urls.get_or_init(both);
        urls.as_ref().ok().map(<[AbsoluteUrl; 2]>::each_ref)
    };
    let names = mapping.path_names(corpus.standard);
    let may_be_stale =
        |text: &str| names.is_none_or(|names: &PathNames| names.may_be_stale(text, has_moved));
    let found = with_finder(plan, mapping, "", |finder| {
        finder.in_bytes(bytes, corpus, &entry.path, role, &urls, &may_be_stale)
    });
    if let Some(Err(error)) = known_urls.into_inner() {
        return Err(error.into());
    }
    if mapping.pretty.offline {
        report.offline.root_paths = found
    } else {
        report.stale_paths = found
    }
    Ok(())
}

/// Calls `search` with the finder of strings for the moves of `plan`, whose policy has `mapping`. `root_from_file`: see
/// [`StalePathFinder`].
fn with_finder<R>(
    plan: &Plan,
    mapping: &SiteMapping,
    root_from_file: &str,
    search: impl FnOnce(&StalePathFinder<'_>) -> R,
) -> R {
    let corpus = &plan.corpus;
    let root = |site: &SiteUrl| AbsoluteUrl::new(corpus.standard, site.url().clone());
    let site_urls: Vec<&SiteUrl> = std::iter::once(&mapping.before).chain(&mapping.also).collect();
    let comparable = |url: &AbsoluteUrl| normalized_path(url.as_str()).into_owned();
    let is_escaped = |url: &AbsoluteUrl| memchr::memchr(b'%', url.as_str().as_bytes()).is_some();
    let is_same = |one: &AbsoluteUrl, other: &AbsoluteUrl| {
        let may_be_same = || is_escaped(one) || is_escaped(other);
        one == other || may_be_same() && comparable(one) == comparable(other)
    };
    let finder = StalePathFinder {
        before: &root(&corpus.site_url),
        after: &root(plan.new_site_url()),
        from_disk: mapping.pretty.offline,
        root_from_file,
        site_urls: &site_urls,
        files: &mapping.files,
        follow: &|target| plan.policy.target_after(target, false).into_owned(),
        is_same: &is_same,
    };
    search(&finder)
}

/// The strings that name old places in the file at `path`, with these `bytes`, outside of the site of `plan`.
/// `root_from_file`: see [`StalePathFinder`].
pub fn stale_paths_outside(
    plan: &Plan,
    path: &Path,
    bytes: &[u8],
    root_from_file: &str,
) -> Vec<StalePath> {
    let Some(mapping) = plan.policy.mapping() else {
        return Vec::new();
    };
    let corpus = &plan.corpus;
    let root = |site: &SiteUrl| AbsoluteUrl::new(corpus.standard, site.url().clone());
    let roots = [root(&corpus.site_url), root(plan.new_site_url())];
    with_finder(plan, mapping, root_from_file, |finder| {
        let urls = || Some(roots.each_ref());
        finder.in_bytes(bytes, corpus, path, &FileRole::Other, &urls, &|_| true)
    })
}

fn document(
    plan: &Plan,
    changes: &FileChanges<'_>,
    entry: &Entry,
    role: &FileRole,
    file: &FileDocument<'_>,
) -> Result<EntryReport, FileError> {
    let path = plan.corpus.root.join(&entry.path);
    let new_path = plan.new_path(&entry.path);
    let bytes = file.document.bytes;
    let result = match rewritten(plan, &|url| changes.of(url), &entry.path, role, file)? {
        Ok(result) => result,
        Err(error) => return skip(plan, entry, &error.into()),
    };
    let mut new = result.contents(bytes);
    let is_changed = new.is_some();
    let encoded;
    if let (Some(decoded), true) = (new, plan.mode.writes() && file.is_compressed()) {
        encoded = file.encode(decoded.to_vec()).map_err(FileError::Encode)?;
        new = Some(encoded.as_slice().into());
    }
    let mut entry_report = EntryReport::default();
    let old = Original { path: &path, metadata: file.metadata };
    match (plan.mode.new_tree(), &plan.mode, new) {
        (Some(tree), _, Some(new)) => tree.write_file(new_path, new, old)?,
        (Some(tree), _, None) => tree.copy_file(&path, new_path)?,
        (None, Mode::InPlace, Some(new)) => {
            changes.record(&entry.path, bytes, new);
            replace_file(old, new)?;
        }
        (None, Mode::Diff, Some(_)) => {
            let is_text = result.transcoded.is_none() && !file.is_compressed();
            entry_report.diff = if is_text {
                diff::unified(&entry.path, new_path, bytes, &result.edits)
            } else {
                diff::binary(&entry.path, new_path)
            };
            if !plan.moves.is_empty() && new_path == entry.path && !entry_report.diff.is_empty() {
                let header = diff::git_header(new_path, new_path);
                entry_report.diff.splice(..0, header.into_bytes());
            }
        }
        (None, ..) => {}
    }
    let report = &mut entry_report.report;
    report.documents.seen = 1;
    let name = display_path(&entry.path);
    report.add_diagnostics(&name, result.diagnostics);
    if is_changed {
        entry_report.changed = Some(result.references.rewritten);
        report.add_changed(name, result.references.rewritten);
        report.documents.rewritten = 1;
    } else {
        report.documents.unchanged = 1
    }
    let is_folder = file.document.retrieval_url.as_str().ends_with('/');
    let is_to_folder = is_folder && matches!(plan.policy, Policy::Absolute { .. });
    if is_to_folder && result.references.own_fragments > 0 {
        let pages = &mut report.index_pages_linking_to_themselves;
        pages.push(display_path(&entry.path));
    }
    report.references = result.references;
    report.digests = result.digests;
    report.offline.fetch_options_removed = result.fetch_options_removed;
    if is_offline(plan) {
        let limits = match file.document.options.kind {
            DocumentKind::Html | DocumentKind::Xhtml | DocumentKind::Xml => {
                disk_limits_of_page(bytes)
            }
            DocumentKind::Css => disk_limits_of_style(bytes),
            _ => BTreeSet::new(),
        };
        let name = display_path(&entry.path);
        report.offline.add_limits(&name, limits);
    }
    Ok(entry_report)
}
