//! Compares two trees: every file with its counterpart.

mod comparison;
mod containers;
mod plan;
mod revisits;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use comparison::FileComparison;
use containers::containers;
pub use plan::TreePlan;
use revisits::Revisits;

use super::added;
use super::document::DocumentComparison;
use super::report::{Difference, DifferenceKind, FileDifferences, Report};
use rehref_corpus::files::first_difference;
use rehref_corpus::parallel::{self, QueueItem, in_order};
use rehref_corpus::stale_paths::{StalePath, StalePathFinder, name_in_project};
use rehref_corpus::{CompareError, FileRole, Observer, ReadError, SkipError, SourceDocument};
use rehref_site::diagnostic::display_path;
use rehref_site::{Diagnostic, Entry, EntryKind, SiteUrl, symlink_target};
use rehref_url::AbsoluteUrl;

/// Compares the two trees of `plan`, and returns the report.
///
/// # Errors
/// Returns an error if the threads cannot be started, or the run is interrupted. Errors of single files are in the
/// report.
pub fn verify_tree(
    plan: &TreePlan<'_>,
    observer: &dyn Observer,
) -> Result<Report, parallel::Error> {
    let started = Instant::now();
    let mut recorder = Recorder { report: Report::default(), left: plan.limit, limit: plan.limit };
    for side in [plan.before, plan.after] {
        let errors = side.walk.errors.iter().map(|error| {
            let path = display_path(&side.root.join(&error.path));
            Diagnostic::file_error(path, error.source.to_string())
        });
        recorder.report.errors.extend(errors);
    }
    let is_file = |entry: &&Entry| matches!(entry.kind, EntryKind::File | EntryKind::Symlink);
    let files = plan.before.walk.entries.iter().filter(is_file);
    let files: Vec<(&Entry, PathBuf)> =
        files.map(|entry| (entry, plan.counterpart(&entry.path))).collect();
    let is_folder = |kind: EntryKind| {
        matches!(kind, EntryKind::Directory | EntryKind::Repository | EntryKind::Ignored)
    };
    let after = plan.after.walk.entries.iter();
    let after: Vec<&Entry> = after.filter(|entry| !is_folder(entry.kind)).collect();
    let kinds = after.iter().map(|entry| (entry.path.as_path(), entry.kind));
    let kinds: HashMap<&Path, EntryKind> = kinds.collect();
    observer.start(files.len());
    let revisits = Revisits::new(plan);
    let mut cut = 0;
    in_order(
        &files,
        plan.before.thread_options(),
        |(entry, counterpart)| {
            let kind = kinds.get(counterpart.as_path()).copied();
            let outcome = compare(plan, &revisits, entry, counterpart, kind);
            observer.progress();
            // Differences are few: the limit cuts them off.
            QueueItem { value: outcome, bytes: 0 }
        },
        |(entry, counterpart), outcome| {
            cut += usize::from(outcome.as_ref().is_ok_and(|it| it.may_be_cut));
            recorder.outcome(&entry.path, counterpart, outcome);
            Ok(())
        },
    )?;
    if cut > 0 {
        let files = files.len();
        let done = files.saturating_sub(cut);
        return Err(parallel::Error::Interrupted { done, files });
    }
    let expected: HashSet<&Path> = files.iter().map(|(_, path)| path.as_path()).collect();
    for entry in after.iter().filter(|entry| !expected.contains(entry.path.as_path())) {
        let difference = match plan.added.get(&entry.path) {
            Some(added) => {
                let path = plan.after.root.join(&entry.path);
                added::difference_of(&path, &added.text).unwrap_or_else(|error| {
                    let error = Diagnostic::file_error(display_path(&path), error.to_string());
                    recorder.report.errors.push(error);
                    None
                })
            }
            None if plan.may_be_extra => None,
            None => {
                let kind = DifferenceKind::ExtraFile;
                Some(Difference::of_file(kind, "the old tree has no such file"))
            }
        };
        if difference.is_some() {
            recorder.differences(&entry.path, None, difference.into());
        }
    }
    for path in plan.added.keys().filter(|path| !kinds.contains_key(path.as_path())) {
        let message = "the new tree has no such file, which move would write for the redirects";
        let difference = Difference::of_file(DifferenceKind::MissingFile, message);
        recorder.differences(path, None, Some(difference).into());
    }
    let mut report = recorder.report;
    report.seconds = started.elapsed().as_secs_f64();
    Ok(report)
}

/// The comparison of a file, or why the file cannot be compared.
type Outcome = Result<FileComparison, String>;

/// For `map_err`: the file at `path` cannot be read.
fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn compare(
    plan: &TreePlan<'_>,
    revisits: &Revisits<'_>,
    entry: &Entry,
    counterpart: &Path,
    kind: Option<EntryKind>,
) -> Outcome {
    let message = match (entry.kind, kind) {
        (EntryKind::Symlink, Some(EntryKind::Symlink)) => {
            return symlinks(plan, entry, counterpart);
        }
        (EntryKind::File, Some(EntryKind::File)) => {
            let mut comparison = files(plan, revisits, entry, counterpart)?;
            let found = stale_paths(plan, entry, counterpart);
            let found = found.map_err(|error| format!("in the new tree: {error}"))?;
            let report = &mut comparison.report;
            if plan.offline {
                report.root_paths = found
            } else {
                report.stale_paths = found
            }
            return Ok(comparison);
        }
        (_, None) => "the new tree has no such file",
        (EntryKind::Symlink, Some(_)) => "a symbolic link in the old tree, but not in the new tree",
        (_, Some(_)) => "a file in the old tree, but not in the new tree",
    };
    let difference = Difference::of_file(DifferenceKind::MissingFile, message);
    Ok(FileComparison { found: Some(difference).into(), ..FileComparison::default() })
}

fn files(
    plan: &TreePlan<'_>,
    revisits: &Revisits<'_>,
    entry: &Entry,
    counterpart: &Path,
) -> Outcome {
    let path = plan.before.root.join(&entry.path);
    let path_after = plan.after.root.join(counterpart);
    let role = plan.before.role(&entry.path).map_err(unreadable(&path))?;
    let of_bytes = |message: String| {
        let difference = Difference::of_file(DifferenceKind::Bytes, message);
        Ok(FileComparison::of_file(Some(difference)))
    };
    let unchanged = || Ok(FileComparison::of_file(None));
    let difference = || first_difference(&path, &path_after);
    let proves_unread = plan.proves_unread(entry.path == counterpart);
    let added = plan.added.get(counterpart);
    if let Some(added) = added
        && !matches!(role, FileRole::Document(_))
    {
        let read = |path: &Path| fs::read(path).map_err(|error| error.to_string());
        let (old, new) = (read(&path)?, read(&path_after)?);
        let old = added.kept(&old);
        return match added::without(&old, &new, &added.text) {
            None => Ok(FileComparison::of_file(Some(added::other_end()))),
            Some(new) if new == &*old => unchanged(),
            Some(_) => of_bytes("the files differ before the redirects".to_owned()),
        };
    }
    let unparsed = |error: SkipError| match difference()? {
        Some(_) => of_bytes(format!(
            "the file changed, although rehref cannot read it in the old tree: {error}"
        )),
        None => {
            let mut comparison = FileComparison::of_file(None);
            if !proves_unread || error.is_malformed() {
                let diagnostic = error.diagnostic(&display_path(&entry.path));
                comparison.add_unread(diagnostic, proves_unread);
            }
            Ok(comparison)
        }
    };
    if !matches!(role, FileRole::Document(_)) {
        match (&role, difference()?) {
            // The links of a compressed page may lead elsewhere, although its bytes are equal.
            (FileRole::Compressed(_), None) if proves_unread => return unchanged(),
            (FileRole::Compressed(_), _) => {}
            (FileRole::Container(format), offset) => {
                // A single archive is read even if nothing differs: it may be damaged, or hold no document.
                let is_read = offset.is_some() || plan.file_after.is_some();
                if !is_read && !revisits.may_be_in_equal_archive() {
                    return unchanged();
                }
                return match containers(plan, revisits, entry, counterpart, *format) {
                    Err(CompareError::Before(error)) if offset.is_some() => {
                        unparsed(SkipError::coding(error))
                    }
                    compared => compared.map_err(|error| error.to_string()),
                };
            }
            (_, None) => return unchanged(),
            (_, Some(offset)) => {
                return of_bytes(format!("the files differ at byte {offset}"));
            }
        }
    }
    let compared = plan.before.read_file(&entry.path, 0, &role, |old| {
        plan.after.read_file(counterpart, 0, &role, |new| {
            let Some(added) = added else { return plan.documents(&old.document, &new.document) };
            let kept = added.kept(old.document.bytes);
            let Some(bytes) = added::without(&kept, new.document.bytes, &added.text) else {
                return Ok(Some(added::other_end()).into());
            };
            let old = SourceDocument { bytes: &kept, ..old.document };
            let new = SourceDocument { bytes, ..new.document };
            plan.documents(&old, &new)
        })
    });
    let (side, error) = match compared {
        Ok(Some(Ok(Some(Ok(found))))) => {
            let report = Report { documents: 1, ..Report::default() };
            return Ok(FileComparison { report, found, may_be_cut: false });
        }
        Ok(Some(Ok(Some(Err(error))))) => return unparsed(error.into()),
        Ok(None | Some(Ok(None))) => return unchanged(),
        Ok(Some(Err(error))) => ("AFTER", error),
        Err(error) => ("BEFORE", error),
    };
    match error {
        ReadError::Decode(_) | ReadError::Panicked(_) => unparsed(SkipError::coding(error)),
        error => Err(format!("in {side}: {error}")),
    }
}

/// The strings of the file at `counterpart` in AFTER that still name old places, or that lead nowhere from
/// disk.
fn stale_paths(
    plan: &TreePlan<'_>,
    entry: &Entry,
    counterpart: &Path,
) -> Result<Vec<StalePath>, ReadError> {
    let targets = &plan.targets;
    let may_be_stale = plan.moves_anything() || plan.offline;
    let Some(files) = targets.files.as_ref().filter(|_| may_be_stale) else {
        return Ok(Vec::new());
    };
    let role = plan.before.role(&entry.path).map_err(ReadError::Read)?;
    let url = |site: &SiteUrl, path: &Path| {
        let url = site.file_url(path).map_err(ReadError::NoUrl)?;
        Ok::<_, ReadError>(AbsoluteUrl::new(plan.before.standard, url))
    };
    let root = |site: &SiteUrl| AbsoluteUrl::new(plan.before.standard, site.url().clone());
    let root_name = name_in_project(&plan.before.root);
    let moved = StalePathFinder {
        before: root(targets.before),
        after: root(targets.after),
        from_disk: plan.offline,
        root_from_file: &root_name,
        site_urls: std::iter::once(targets.before).chain(targets.also).collect(),
        files: &files.before,
        // A folder stays a folder, as in the messages of the move.
        follow: Box::new(|target| {
            let (file, folder) = (targets.follow(target), targets.follow_base(target));
            let is_same = targets.is_same(&file, &folder);
            if is_same { folder } else { file }
        }),
        is_same: &|expected, found| targets.is_same(expected, found),
    };
    let own = url(targets.before, &entry.path)?;
    let own_after = url(targets.after, counterpart)?;
    let found = moved.stale_paths(plan.after, counterpart, &role, &|| Some([&own, &own_after]));
    let mut found = found.map_err(ReadError::Read)?;
    // The redirects of a document name its old URL.
    if !found.is_empty() && plan.added.contains_key(counterpart) {
        let before = fs::read(plan.before.root.join(&entry.path)).map_err(ReadError::Read)?;
        found.retain(|it| memchr::memmem::find(&before, it.text.as_bytes()).is_some());
    }
    Ok(found)
}

fn symlinks(plan: &TreePlan<'_>, entry: &Entry, counterpart: &Path) -> Outcome {
    let text = |path: PathBuf| fs::read_link(&path).map_err(unreadable(&path));
    let before = text(plan.before.root.join(&entry.path))?;
    let after = text(plan.after.root.join(counterpart))?;
    let target = symlink_target(&entry.path, &before);
    let is_same = match (target, symlink_target(counterpart, &after)) {
        // Within the tree, both must name the same file.
        (Some(target), Some(found)) => found == plan.counterpart(&target),
        _ => before == after,
    };
    let difference = (!is_same).then(|| {
        Difference::of_file(DifferenceKind::Symlink, "the symbolic link has a different target")
            .between(display_path(&before), display_path(&after))
    });
    let report = Report { symlinks: 1, ..Report::default() };
    Ok(FileComparison { report, found: difference.into(), may_be_cut: false })
}

/// Adds results to the report, up to the limit.
struct Recorder {
    report: Report,
    /// The number of differences that still fit into the report.
    left: usize,
    /// The number of warnings that fit into the report.
    limit: usize,
}

impl Recorder {
    fn outcome(&mut self, before: &Path, after: &Path, outcome: Outcome) {
        let FileComparison { report, mut found, .. } = match outcome {
            Ok(result) => result,
            Err(message) => {
                let error = Diagnostic::file_error(display_path(before), message);
                return self.report.errors.push(error);
            }
        };
        self.report.add(report);
        self.report.references += found.references;
        let room = self.limit.saturating_sub(self.report.not_proven.len());
        let warnings = found.not_proven.drain(..).take(room);
        let path = display_path(after);
        self.report.not_proven.extend(warnings.map(|warning| warning.at_path(&path)));
        self.differences(after, (before != after).then_some(before), found);
    }

    fn differences(
        &mut self,
        path: &Path,
        path_before: Option<&Path>,
        mut found: DocumentComparison,
    ) {
        if found.count == 0 {
            return;
        }
        found.differences.truncate(self.left);
        self.left -= found.differences.len();
        self.report.differences += found.count;
        self.report.different.push(FileDifferences {
            path: display_path(path),
            path_before: path_before.map(display_path),
            count: found.count,
            differences: found.differences,
        });
    }
}
