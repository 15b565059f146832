//! Processes one entry of a tree: reads it, rewrites it, writes it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::document::rewritten;
use super::file_changes::FileChanges;
use super::outcome::{DISK_FULL, EntryReport, FileError, Outcome};
use super::plan::{Archives, Mode, Plan};
use crate::coding::Effort;
use crate::output::{Original, diff, replace_file};
use crate::page_fragments::is_page_fragment;
use crate::page_script::is_script;
use crate::stale_paths::{StalePath, StalePathFinder, name_in_project, with_text};
use crate::{FileDocument, FileRole, ReadError, SkipError};
use rehref_document::{
    DocumentKind, NAMELESS, ScriptsOfPage, disk_limits_of_page, disk_limits_of_script,
    disk_limits_of_style, is_nameless,
};
use rehref_rewrite::{Policy, SiteMapping};
use rehref_site::{
    Diagnostic, Entry, EntryKind, PathNames, SiteUrl, diagnostic::display_path, normalized_path,
    symlink_target,
};
use rehref_url::{AbsoluteUrl, Edit, scheme};

/// Rewrites, copies or recreates `entry`, as its kind and `plan` say.
pub(super) fn process(plan: &Plan, changes: &FileChanges<'_>, entry: &Entry) -> Outcome {
    let mut run = EntryRun {
        plan,
        changes,
        entry,
        path: plan.corpus.root.join(&entry.path),
        new_path: plan.new_path(&entry.path),
        result: EntryReport::default(),
    };
    let processed = match (entry.kind, &plan.mode) {
        (EntryKind::Special, Mode::Copy(_)) => Err(FileError::Special),
        // The new tree replaces the old one, so it needs everything in it.
        (EntryKind::Special | EntryKind::Leftover, Mode::Exchange(_)) => run.copy(),
        // The data of a version control system, or what git ignores.
        (EntryKind::Repository | EntryKind::Ignored, Mode::Exchange(stage)) => {
            stage.keep_tree(&run.path, run.new_path).map_err(FileError::Write)
        }
        (
            EntryKind::Directory | EntryKind::Special | EntryKind::Repository | EntryKind::Ignored,
            _,
        ) => Ok(()),
        (EntryKind::Leftover, _) => {
            run.result.report.diagnostics.push(Diagnostic::warning(
                run.name(),
                "left-by-interrupted-run",
                "an interrupted run left this temporary file, which rehref did not copy\nhelp: delete the file",
            ));
            Ok(())
        }
        (EntryKind::Symlink, _) => run.symlink(),
        (EntryKind::File, _) => match plan.corpus.role(&entry.path) {
            Ok(FileRole::Container(format)) if plan.archives != Archives::Copied => {
                return Outcome::Deferred(format);
            }
            Ok(role) => run.file(&role),
            Err(error) => Err(ReadError::Read(error).into()),
        },
    };
    Outcome::Done(Box::new(match processed {
        Ok(()) => run.result,
        Err(error) => {
            let code = error.is_disk_full().then_some(DISK_FULL);
            EntryReport::failed(entry, error, code)
        }
    }))
}

/// The new text of the symbolic link at `path`, whose `text` is a path: one that names the same
/// file as before, after both may have moved.
fn new_link_text(plan: &Plan, path: &Path, text: PathBuf) -> PathBuf {
    if plan.moves.is_empty() {
        return text;
    }
    let Some(target) = symlink_target(path, &text) else { return text };
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

/// Returns true if the result is to be read from disk.
fn is_offline(plan: &Plan) -> bool {
    let mapping = plan.policy.mapping();
    mapping.is_some_and(|mapping| mapping.pretty.offline)
}

/// Skips the documents of `entry` because of `error`. The file is copied unchanged, but does not
/// count as a copied file.
pub(super) fn skip(
    plan: &Plan,
    entry: &Entry,
    error: &SkipError,
) -> Result<EntryReport, FileError> {
    if let Some(tree) = plan.mode.new_tree() {
        tree.copy_file(&plan.corpus.root.join(&entry.path), plan.new_path(&entry.path))?;
    }
    let mut result = EntryReport::default();
    result.report.add_skipped(&display_path(&entry.path), error);
    Ok(result)
}

/// An entry of a tree that is processed.
struct EntryRun<'r> {
    plan: &'r Plan,
    changes: &'r FileChanges<'r>,
    entry: &'r Entry,
    /// The whole path of the entry.
    path: PathBuf,
    /// The path after the run, below the root.
    new_path: &'r Path,
    result: EntryReport,
}

impl EntryRun<'_> {
    /// The path below the root, as reports show it.
    fn name(&self) -> String {
        display_path(&self.entry.path)
    }

    /// Copies the file unchanged, if the mode writes a new tree.
    fn copy(&mut self) -> Result<(), FileError> {
        if let Some(tree) = self.plan.mode.new_tree() {
            tree.copy_file(&self.path, self.new_path)?;
            self.result.report.copied.files = 1;
        }
        Ok(())
    }

    fn skip(&mut self, error: &SkipError) -> Result<(), FileError> {
        self.result = skip(self.plan, self.entry, error)?;
        Ok(())
    }

    fn symlink(&mut self) -> Result<(), FileError> {
        let old = fs::read_link(&self.path).map_err(ReadError::Read)?;
        let new = new_link_text(self.plan, &self.entry.path, old.clone());
        if let Some(tree) = self.plan.mode.new_tree() {
            tree.make_symlink(&self.path, self.new_path, &new)?;
            self.result.report.copied.symlinks = 1;
        } else if new != old {
            self.result.changed = Some(1);
            if let Mode::Diff = self.plan.mode {
                self.result.diff = diff::relinked(&self.entry.path, self.new_path, &old, &new);
            }
        }
        Ok(())
    }

    fn file(&mut self, role: &FileRole) -> Result<(), FileError> {
        match role {
            FileRole::Container(_) => self.copy(),
            FileRole::Other => {
                self.copy()?;
                if !self.finds_stale_paths(role) {
                    return Ok(());
                }
                let path = self.path.clone();
                let read = with_text(&path, |code| {
                    if is_offline(self.plan) && is_script(&self.entry.path) {
                        let (name, limits) = (self.name(), disk_limits_of_script(code));
                        self.result.report.offline.add_limits(&name, limits);
                    }
                    self.add_stale_paths(role, code)
                });
                read.map_err(ReadError::Read)?.unwrap_or(Ok(()))
            }
            FileRole::UnreadPage => {
                self.result.report.compressed_skipped = vec![self.name()];
                self.copy()
            }
            FileRole::Document(_) | FileRole::Compressed(_) => {
                let corpus = &self.plan.corpus;
                match corpus.read_file(&self.entry.path, 0, role, |file| self.document(role, file))
                {
                    Ok(Some(processed)) => processed,
                    Ok(None) => self.copy(),
                    Err(ReadError::Decode(error)) => self.skip(&SkipError::coding(error)),
                    Err(error) => Err(error.into()),
                }
            }
        }
    }

    fn document(&mut self, role: &FileRole, file: &FileDocument<'_>) -> Result<(), FileError> {
        let (plan, entry, new_path) = (self.plan, self.entry, self.new_path);
        let bytes = file.document.bytes;
        let change_of = |url: &_| self.changes.of(url);
        let result = match rewritten(plan, &change_of, &entry.path, role, file)? {
            Ok(result) => result,
            Err(error) => {
                self.skip(&error.into())?;
                return self.add_stale_paths(role, bytes);
            }
        };
        let mut new = result.contents(bytes);
        let is_changed = new.is_some();
        let encoded;
        if let (Some(decoded), Some(compression)) = (new, &file.compression)
            && plan.mode.writes()
        {
            let compressed = compression.encode(&decoded.to_vec(), Effort::Best);
            encoded = compressed.map_err(FileError::Encode)?;
            new = Some(encoded.as_slice().into());
        }
        let old = Original { path: &self.path, metadata: file.metadata };
        match (plan.mode.new_tree(), &plan.mode, new) {
            (Some(tree), _, Some(new)) => tree.write_file(new_path, new, old)?,
            (Some(tree), _, None) => tree.copy_file(&self.path, new_path)?,
            (None, Mode::InPlace, Some(new)) => {
                self.changes.record(&entry.path, bytes, new);
                replace_file(old, new)?;
            }
            (None, Mode::Diff, Some(_)) => {
                let is_text = result.transcoded.is_none() && file.compression.is_none();
                let mut diff = if is_text {
                    diff::unified(&entry.path, new_path, bytes, &result.edits)
                } else {
                    diff::binary(&entry.path, new_path)
                };
                if !plan.moves.is_empty() && new_path == entry.path && !diff.is_empty() {
                    diff.splice(..0, diff::git_header(new_path, new_path).into_bytes());
                }
                self.result.diff = diff;
            }
            (None, ..) => {}
        }
        let name = self.name();
        let report = &mut self.result.report;
        report.documents.seen = 1;
        report.add_diagnostics(&name, result.diagnostics);
        let is_folder = file.document.retrieval_url.as_str().ends_with('/');
        let is_to_folder = is_folder && matches!(plan.policy, Policy::Absolute { .. });
        if is_to_folder && result.references.own_fragments > 0 {
            report.index_pages_linking_to_themselves.push(name.clone());
        }
        let is_changed_html =
            file.document.options.kind == DocumentKind::Html && result.references.rewritten > 0;
        if is_changed_html
            && is_page_fragment(bytes)
            && !plan.corpus.served_anywhere.has(&entry.path, new_path)
        {
            report.fragments.push(entry.path.clone());
        }
        if result.selects_links {
            report.scripts_selecting_links.push(name.clone());
        }
        report.digests = result.digests;
        report.offline.fetch_options_removed = result.fetch_options_removed;
        if is_offline(plan) {
            let kind = file.document.options.kind;
            let mut limits = match kind {
                DocumentKind::Html | DocumentKind::Xhtml | DocumentKind::Xml => {
                    disk_limits_of_page(bytes)
                }
                DocumentKind::Css => disk_limits_of_style(bytes),
                _ => BTreeSet::new(),
            };
            let extension = new_path.extension().and_then(OsStr::to_str).unwrap_or_default();
            limits.extend(is_nameless(kind, extension).then_some(NAMELESS));
            report.offline.add_limits(&name, limits);
            let is_online = |edit: &&Edit| {
                let written = str::from_utf8(&edit.replacement).ok().and_then(scheme::split);
                written.is_some_and(|(scheme, _)| scheme::is_special(scheme))
            };
            report.offline.online_links = result.edits.iter().filter(is_online).count();
        }
        if is_changed {
            self.result.changed = Some(result.references.rewritten);
            report.add_changed(name, result.references.rewritten);
            report.documents.rewritten = 1;
        } else {
            report.documents.unchanged = 1
        }
        report.references = result.references;
        let is_republished = *plan.new_site_url() != plan.corpus.site_url;
        if is_republished && file.document.options.kind.is_page() {
            let scripts = ScriptsOfPage::of(bytes);
            report.application = scripts.and_then(|it| it.application(bytes));
        }
        self.add_stale_paths(role, bytes)
    }

    /// Returns true if strings of the file may name old places after the moves of the run, or places that lead nowhere
    /// if the result is to be read from disk.
    fn finds_stale_paths(&self, role: &FileRole) -> bool {
        self.plan.policy.mapping().is_some_and(|mapping| {
            let from_disk = mapping.pretty.offline;
            (from_disk || mapping.moves())
                && StalePathFinder::searches(&self.entry.path, role, from_disk)
                && !self.plan.corpus.selection.is_made(&self.entry.path)
        })
    }

    /// Adds these strings of the file with these `bytes` to its report.
    fn add_stale_paths(&mut self, role: &FileRole, bytes: &[u8]) -> Result<(), FileError> {
        let (plan, corpus, path) = (self.plan, &self.plan.corpus, &self.entry.path);
        let Policy::Site(policy) = &plan.policy else { return Ok(()) };
        if !self.finds_stale_paths(role) {
            return Ok(());
        }
        let mapping = &policy.mapping;
        let old_path = plan.old_path(path);
        let has_moved = self.new_path != old_path || *plan.new_site_url() != corpus.site_url;
        let url = |site: &SiteUrl, path: &Path| {
            let url = site.file_url(path).map_err(ReadError::NoUrl)?;
            Ok::<_, ReadError>(AbsoluteUrl::new(corpus.standard, url))
        };
        // Most files have no string that needs them.
        let known_urls = OnceCell::new();
        let urls = || {
            let both =
                || Ok([url(&corpus.site_url, old_path)?, url(plan.new_site_url(), self.new_path)?]);
            let urls: &Result<_, ReadError> = known_urls.get_or_init(both);
            urls.as_ref().ok().map(<[AbsoluteUrl; 2]>::each_ref)
        };
        let names = mapping.path_names(corpus.standard);
        let may_be_stale =
            |text: &str| names.is_none_or(|names: &PathNames| names.may_be_stale(text, has_moved));
        let root_name = name_in_project(&corpus.root);
        let finder = finder(plan, mapping, &root_name);
        let found = finder.in_bytes(bytes, corpus, path, role, &urls, &may_be_stale);
        if let Some(Err(error)) = known_urls.into_inner() {
            return Err(error.into());
        }
        let report = &mut self.result.report;
        if mapping.pretty.offline {
            report.offline.root_paths = found
        } else {
            report.stale_paths = found
        }
        Ok(())
    }
}

/// The finder of strings for the moves of `plan`, whose policy has `mapping`. `root_from_file`: see
/// [`StalePathFinder`].
fn finder<'p>(
    plan: &'p Plan,
    mapping: &'p SiteMapping,
    root_from_file: &'p str,
) -> StalePathFinder<'p> {
    let corpus = &plan.corpus;
    let root = |site: &SiteUrl| AbsoluteUrl::new(corpus.standard, site.url().clone());
    StalePathFinder {
        before: root(&corpus.site_url),
        after: root(plan.new_site_url()),
        from_disk: mapping.pretty.offline,
        root_from_file,
        site_urls: std::iter::once(&mapping.before).chain(&mapping.also).collect(),
        files: &mapping.files,
        follow: Box::new(|target| plan.policy.target_after(target, false).into_owned()),
        is_same: &is_same_target,
    }
}

/// Returns true if two URLs differ at most in how they are escaped.
fn is_same_target(one: &AbsoluteUrl, other: &AbsoluteUrl) -> bool {
    let comparable = |url: &AbsoluteUrl| normalized_path(url.as_str()).into_owned();
    let is_escaped = |url: &AbsoluteUrl| memchr::memchr(b'%', url.as_str().as_bytes()).is_some();
    one == other || (is_escaped(one) || is_escaped(other)) && comparable(one) == comparable(other)
}

/// Returns the strings that contain old paths in the file at `path`, which is outside of the site of `plan` and
/// contains `bytes`. `root_from_file`: see [`StalePathFinder`].
pub fn stale_paths_outside(
    plan: &Plan,
    path: &Path,
    bytes: &[u8],
    root_from_file: &str,
) -> Vec<StalePath> {
    let Some(mapping) = plan.policy.mapping() else { return Vec::new() };
    let finder = finder(plan, mapping, root_from_file);
    let urls = || Some([&finder.before, &finder.after]);
    finder.in_bytes(bytes, &plan.corpus, path, &FileRole::Other, &urls, &|_| true)
}
