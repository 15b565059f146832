//! Plans moves: from the entries of a tree and the requests to old and new paths.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::conflict::conflicts;
use super::error::{MoveError, Problem, RequestOrigin};
use super::name::{RequestPath, shown};
use super::nearest::Nearest;
use super::pattern::Pattern;
use super::request::{Request, RequestKind};
use rehref_site::moves::placement::{Placement, moved_along};
use rehref_site::{AnchorMove, Entry, EntryKind, Moves, joined, moves::anchors, path_bytes};

/// Plans the moves in a tree of `entries`, in the order of [`rehref_site::walk()`].
///
/// More specific requests take precedence: a request for a file over one for a folder above it, a
/// deeper folder over a higher one, every path over patterns, and an earlier pattern over a later
/// one. A request that gives a path its old place pins it there, even within a folder that moves.
/// `ignores_case`: whether the file system of the result ignores letter case in names.
///
/// # Errors
/// Lists all moves that are impossible, in the order of the requests.
pub fn plan(
    entries: &[Entry],
    requests: &[Request],
    ignores_case: bool,
) -> Result<Moves, Vec<MoveError>> {
    let mut planner = Planner::new(entries, requests);
    let anchors = planner.anchors();
    planner.assign_paths(&anchors);
    let placements = planner.placements();
    planner.errors.extend(conflicts(&placements, requests, ignores_case));
    if planner.errors.is_empty() {
        let moves = Moves::new(&placements, planner.moved_folders());
        let anchors = planner.settled(&moves, anchors);
        if planner.errors.is_empty() {
            return Ok(moves.with_anchors(anchors));
        }
    }
    let mut errors = planner.errors;
    errors.sort_by_key(|(request, _)| *request);
    let with_origin = |(request, problem)| {
        let origin = requests.get::<usize>(request)?.origin.clone();
        Some(MoveError { origin, problem })
    };
    Err(errors.into_iter().filter_map(with_origin).collect())
}

struct Planner<'a> {
    entries: &'a [Entry],
    requests: &'a [Request],
    kinds: FxHashMap<&'a OsStr, EntryKind>,
    /// The decisions of requests by path, by old path.
    assignments: FxHashMap<&'a OsStr, Assignment>,
    /// The length of the shortest path in `assignments`, in bytes: folders above it are not in there.
    shortest_assigned: usize,
    /// The errors, each with the index of its request.
    errors: Vec<(usize, Problem)>,
}

/// The new path that a request by path assigns to its source.
struct Assignment {
    /// The index of the request.
    request: usize,
    /// `None` after an error, so that no error follows from it.
    new: Option<PathBuf>,
}

impl<'a> Planner<'a> {
    fn new(entries: &'a [Entry], requests: &'a [Request]) -> Planner<'a> {
        let mut kinds = FxHashMap::default();
        kinds.reserve(entries.len());
        let of_site = entries.iter().filter(|entry| entry.kind.is_of_site());
        kinds.extend(of_site.map(|entry| (entry.path.as_os_str(), entry.kind)));
        Planner {
            entries,
            requests,
            kinds,
            assignments: FxHashMap::default(),
            shortest_assigned: usize::MAX,
            errors: Vec::new(),
        }
    }

    /// The requests for anchors: the old path has a fragment, and no file has that whole path. The new path may be
    /// that of a page. Each with its index, and the new file as the request names it.
    fn anchors(&self) -> Vec<(usize, AnchorMove)> {
        let requests = self.requests.iter().enumerate();
        let anchors = requests.filter_map(|(request, it)| {
            let RequestKind::Path { old, new } = &it.kind else { return None };
            let file = |path: &[u8]| Some(RequestPath::parse(path).ok()?.path);
            let is_file = |path: &Path| self.kinds.contains_key(path.as_os_str());
            let (old_file, old_name) = anchors::split(old)?;
            let (new_file, new_name) = anchors::split(new).unwrap_or_else(|| (new, String::new()));
            let old_file = file(old_file).filter(|path| is_file(path))?;
            if file(old).is_some_and(|path| is_file(&path)) {
                return None;
            }
            let new_file = match new_file {
                // `page.md#old=#new`
                b"" => PathBuf::new(),
                path => file(path)?,
            };
            Some((request, AnchorMove { old_file, old: old_name, new_file, new: new_name }))
        });
        anchors.collect()
    }

    /// The moves among `anchors`, with their new files, which requests name by their paths before or after `moves`.
    fn settled(&mut self, moves: &Moves, anchors: Vec<(usize, AnchorMove)>) -> Vec<AnchorMove> {
        if anchors.is_empty() {
            return Vec::new();
        }
        let files = self.entries.iter().filter(|it| it.kind.is_of_site());
        let after: FxHashSet<PathBuf> = files.map(|it| moves.counterpart(&it.path)).collect();
        let mut settled = Vec::new();
        for (request, mut anchor) in anchors {
            let is_same = anchor.new_file.as_os_str().is_empty();
            let named = if is_same { &anchor.old_file } else { &anchor.new_file };
            if is_same || !after.contains(named) {
                if !self.kinds.contains_key(named.as_os_str()) {
                    let nearest = Nearest::new(self.entries).find(named);
                    self.errors.push((request, Problem::missing(named, nearest, None, None, &[])));
                    continue;
                }
                anchor.new_file = moves.counterpart(named);
            }
            let stays =
                anchor.old == anchor.new && moves.counterpart(&anchor.old_file) == anchor.new_file;
            settled.extend((!stays).then_some(anchor));
        }
        settled
    }

    /// Fills `assignments` from the requests by path.
    fn assign_paths(&mut self, anchors: &[(usize, AnchorMove)]) {
        let mut missing = Vec::new();
        for (request, it) in self.requests.iter().enumerate() {
            if let RequestKind::Path { old, new } = &it.kind
                && anchors.binary_search_by_key(&request, |(anchor, _)| *anchor).is_err()
                && let Some(path) = self.assign_path(request, old, new)
            {
                missing.push((request, path));
            }
        }
        let lengths = self.assignments.keys().map(|path| path.len());
        self.shortest_assigned = lengths.min().unwrap_or(usize::MAX);
        if missing.is_empty() {
            return;
        }
        let mut nearest = Nearest::new(self.entries);
        let top = self.entries.iter().filter(|it| it.kind.is_of_site()).map(|it| &*it.path);
        let top: Vec<&Path> = top.filter(|it| it.components().count() == 1).collect();
        for (request, source_path) in missing {
            let mut ignored = self.entries.iter().filter(|it| it.kind == EntryKind::Ignored);
            let error = match ignored.find(|entry| source_path.starts_with(&entry.path)) {
                Some(entry) => format!(
                    "{} cannot move: git ignores {}\nhelp: remove --gitignore, or move it with another program",
                    shown(&source_path),
                    shown(&entry.path)
                )
                .into(),
                None => {
                    let target = self.existing_target(request, &source_path);
                    let new = match self.requests.get(request).map(|it| &it.kind) {
                        Some(RequestKind::Path { new, .. }) => std::str::from_utf8(new).ok(),
                        _ => None,
                    };
                    let origin = self.requests.get(request).map(|it| &it.origin);
                    let is_typed = matches!(origin, Some(RequestOrigin::Argument(_)));
                    let is_header = matches!(origin, Some(RequestOrigin::Map { line: 1, .. }))
                        && !source_path.to_string_lossy().contains(['.', '/']);
                    match (self.before_moves(&source_path), new) {
                        (None, _) if is_header => Problem::header(&source_path),
                        (Some(before), Some(new)) => {
                            Problem::missing_before(&source_path, &before, new)
                        }
                        _ => Problem::missing(
                            &source_path,
                            nearest.find(&source_path),
                            target,
                            new,
                            if is_typed { &top } else { &[] },
                        ),
                    }
                }
            };
            self.errors.push((request, error));
        }
    }

    /// The path at which `path` is before the other requests move a directory above it.
    fn before_moves(&self, path: &Path) -> Option<PathBuf> {
        let mut moves = self.assignments.iter();
        moves.find_map(|(old, assignment)| {
            let rest = path.strip_prefix(assignment.new.as_deref()?).ok()?;
            let before = joined(Path::new(old), rest);
            self.kinds.contains_key(before.as_os_str()).then_some(before)
        })
    }

    /// The new path of a request by path whose source does not exist, if the new path does.
    fn existing_target(&self, request: usize, source: &Path) -> Option<PathBuf> {
        let RequestKind::Path { new, .. } = &self.requests.get(request)?.kind else { return None };
        let target = RequestPath::parse(new).ok()?;
        let target = within(target.path, source, target.is_folder);
        self.kinds.contains_key(target.as_os_str()).then_some(target)
    }

    /// Records what a request by path assigns. Returns the source if it does not exist.
    fn assign_path(&mut self, request: usize, old: &[u8], new: &[u8]) -> Option<PathBuf> {
        let source = self.parse_path(request, old);
        let target = self.parse_path(request, new);
        let source = source?;
        let found = self.kinds.get_key_value(source.path.as_os_str());
        let (path, kind) = match found {
            Some((&path, &kind)) => (Path::new(path), kind),
            // The root, which is not an entry.
            None if source.path.as_os_str().is_empty() => (Path::new(""), EntryKind::Directory),
            None => return Some(source.path),
        };
        let new = target.map(|target| {
            let goes_into = target.is_folder && !source.is_folder && kind != EntryKind::Directory;
            within(target.path, path, goes_into)
        });
        if let Some(target) = &new
            && kind == EntryKind::Directory
            && target != path
            && target.starts_with(path)
        {
            let error = format!(
                "{} cannot move into itself, to {}\nhelp: to move its files, write --regex '{}={}/$1'",
                shown(path),
                shown(target),
                joined(path, Path::new("(.*)")).display(),
                target.display()
            );
            self.errors.push((request, error.into()));
            let failed = Assignment { request, new: None };
            self.assignments.entry(path.as_os_str()).or_insert(failed);
            return None;
        }
        self.assign(request, path, new);
        None
    }

    fn assign(&mut self, request: usize, path: &'a Path, new: Option<PathBuf>) {
        let Some(first) = self.assignments.get(path.as_os_str()) else {
            let assignment = Assignment { request, new };
            self.assignments.insert(path.as_os_str(), assignment);
            return;
        };
        if let (Some(target), Some(first_target)) = (new, &first.new)
            && target != *first_target
            && let Some(first_request) = self.requests.get(first.request)
        {
            let error = format!(
                "{} cannot move to both {} and {} ({})",
                shown(path),
                shown(&target),
                shown(first_target),
                first_request.origin
            );
            self.errors.push((request, error.into()));
        }
    }

    /// Parses a path of a request; `None` after recording an error.
    fn parse_path(&mut self, request: usize, written: &[u8]) -> Option<RequestPath> {
        let parsed = RequestPath::parse(written).map_err(|error| {
            let path = String::from_utf8_lossy(written);
            self.errors.push((request, format!("`{path}` {error}").into()));
        });
        parsed.ok()
    }

    /// The placements of all entries but those with an error.
    fn placements(&mut self) -> Vec<Placement<'a>> {
        let (requests, entries) = (self.requests, self.entries);
        let patterns: Vec<(usize, &Pattern)> = requests
            .iter()
            .enumerate()
            .filter_map(|(request, it)| match &it.kind {
                RequestKind::Pattern(pattern) => Some((request, &**pattern)),
                RequestKind::Path { .. } => None,
            })
            .collect();
        let mut matched = FxHashMap::default();
        let mut placements = Vec::with_capacity(entries.len());
        for entry in entries.iter().filter(|entry| entry.kind != EntryKind::Leftover) {
            let path = entry.path.as_path();
            let assignment = self.assignment_for(path);
            let is_assigned = assignment.is_some();
            let mut placement = Placement {
                old: path,
                kind: entry.kind,
                new: Cow::Borrowed(path),
                request: assignment.map(|(_, assignment)| assignment.request),
                with_folder: assignment.is_some_and(|(above, _)| above != path),
            };
            if let Some((above, assignment)) = assignment {
                let Some(new) = &assignment.new else { continue };
                placement.new = Cow::Owned(moved_along(new, path, above));
            }
            if matches!(entry.kind, EntryKind::File | EntryKind::Symlink)
                && let Some((request, new)) =
                    self.by_pattern(path, is_assigned, &patterns, &mut matched)
            {
                let Some(new) = new else { continue };
                placement.request = Some(request);
                placement.new = Cow::Owned(new);
            }
            placements.push(placement);
        }
        for (request, _) in patterns {
            let problem = match matched.get(&request) {
                Some(true) => continue,
                Some(false) => {
                    "an OLD=NEW already moves every file this pattern matches\nhelp: run --regex separately, or remove the OLD=NEW".to_owned()
                }
                None => {
                    let value = match requests.get(request).map(|it| &it.origin) {
                        Some(RequestOrigin::Regex(value)) => value,
                        _ => "",
                    };
                    let paths = || entries.iter().map(|it| path_bytes(&it.path));
                    let found = meant(value)
                        .find(|(it, _)| paths().any(|path| it.apply(&path).is_some()));
                    let help = found.map_or(String::new(), |(_, text)| {
                        format!("\nhelp: to match the path, or a part of it: --regex '{text}'")
                    });
                    format!(
                        "no file matches the pattern, which has to match whole paths below the root, like `blog/a\\.html`{help}"
                    )
                }
            };
            self.errors.push((request, problem.into()));
        }
        placements
    }

    /// The assignment of the deepest request by path that covers `path`, and the source of that
    /// request: `path` itself or a folder above it.
    fn assignment_for(&self, path: &'a Path) -> Option<(&'a Path, &Assignment)> {
        path.ancestors()
            .take_while(|above| above.as_os_str().len() >= self.shortest_assigned)
            .find_map(|above| Some((above, self.assignments.get(above.as_os_str())?)))
    }

    /// The first pattern that matches `path`, as the index of its request, and the new path; `None`
    /// for the new path after an error. Notes in `matched` all patterns that match, and whether one matches a
    /// path that no request by path has assigned. Returns `None` if one has.
    fn by_pattern(
        &mut self,
        path: &Path,
        is_assigned: bool,
        patterns: &[(usize, &Pattern)],
        matched: &mut FxHashMap<usize, bool>,
    ) -> Option<(usize, Option<PathBuf>)> {
        let mut found = None;
        let mut text = None;
        for &(request, pattern) in patterns {
            let known = matched.get(&request);
            if known == Some(&true) && found.is_some() || is_assigned && known.is_some() {
                continue;
            }
            let text = text.get_or_insert_with(|| path_bytes(path));
            let Some(new) = pattern.apply(text) else { continue };
            *matched.entry(request).or_default() |= !is_assigned;
            if is_assigned || found.is_some() {
                continue;
            }
            let target = self.parse_path(request, &new).map(|target| {
                // An empty path is the root, not a folder to move into.
                let goes_into = target.is_folder && !new.is_empty();
                within(target.path, path, goes_into)
            });
            found = Some((request, target));
        }
        found
    }

    /// The folders that requests move, and those that requests pin within a folder that moves.
    fn moved_folders(&self) -> Vec<(PathBuf, PathBuf)> {
        self.entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::Directory)
            .filter_map(|entry| {
                let path = entry.path.as_path();
                let new = self.assignments.get(path.as_os_str())?.new.as_deref()?;
                let above = path.parent().and_then(|folder| self.assignment_for(folder));
                (new != path || above.is_some()).then(|| (path.to_owned(), new.to_owned()))
            })
            .collect()
    }
}

/// The new path of the file at `path`: `target`, or if the file `goes_into` that folder, its own
/// name in there.
fn within(target: PathBuf, path: &Path, goes_into: bool) -> PathBuf {
    match path.file_name() {
        Some(name) if goes_into => joined(&target, name),
        _ => target,
    }
}

/// The patterns that `value`, PATTERN=NEW, may mean: without anchors and the slash at the start of URLs, or for a part of
/// paths. Each with its text.
fn meant(value: &str) -> impl Iterator<Item = (Pattern, String)> {
    let (written, new) = value.split_once('=').unwrap_or_default();
    let old = written.trim_start_matches('^').trim_end_matches('$').trim_start_matches('/');
    let new = new.trim_start_matches('/');
    let has_groups = old.contains('(') || new.contains('$');
    let of_part = (!has_groups).then(|| match (written.starts_with('^'), written.ends_with('$')) {
        (true, _) => (format!("{old}(.*)"), format!("{new}$1")),
        (_, true) => (format!("(.*){old}"), format!("${{1}}{new}")),
        _ => (format!("(.*){old}(.*)"), format!("${{1}}{new}$2")),
    });
    let all = [(old.to_owned(), new.to_owned())].into_iter().chain(of_part);
    all.filter_map(|(old, new)| {
        Some((Pattern::new(&old, new.as_bytes()).ok()?, format!("{old}={new}")))
    })
}
