//! From entries and requests to moves.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::conflict::conflicts;
use super::error::MoveError;
use super::mapping::{Moves, build};
use super::name::{BadPath, read, slashed};
use super::nearest::Nearest;
use super::pattern::Pattern;
use super::placement::{Placement, moved_along};
use super::request::{Request, RequestKind, RequestOrigin};
use crate::site::{Entry, EntryKind};

/// Plans what moves where in a tree of `entries`, as [`crate::site::walk`] gives them.
///
/// A request for a file counts before one for a folder that it is in, a folder before those that it
/// is in, all of them before patterns, and of patterns the first that matches. What a request
/// leaves where it is stays there, even in a folder that moves. `ignores_case` says whether the
/// file system that the result goes to takes names for the same that differ in letter case only.
///
/// # Errors
/// Everything that cannot be, in the order of the requests.
pub fn plan(
    entries: &[Entry],
    requests: &[Request],
    ignores_case: bool,
) -> Result<Moves, Vec<MoveError>> {
    let mut planner = Planner::new(entries, requests);
    planner.decide_by_path();
    let places = planner.places();
    planner
        .refusals
        .extend(conflicts(&places, requests, ignores_case));
    if planner.refusals.is_empty() {
        return Ok(build(&places, &planner.moved_folders()));
    }
    let mut refusals = planner.refusals;
    refusals.sort_by_key(|(request, _)| *request);
    Err(refusals.into_iter().map(|(_, refusal)| refusal).collect())
}

struct Planner<'a> {
    entries: &'a [Entry],
    requests: &'a [Request],
    kinds: HashMap<&'a Path, EntryKind>,
    /// What requests by path say, by old path.
    decided: HashMap<&'a Path, Decided>,
    refusals: Vec<(usize, MoveError)>,
}

struct Decided {
    request: usize,
    /// `None` where it cannot be; then nothing more is said of it.
    new: Option<PathBuf>,
}

impl<'a> Planner<'a> {
    fn new(entries: &'a [Entry], requests: &'a [Request]) -> Planner<'a> {
        Planner {
            entries,
            requests,
            kinds: entries
                .iter()
                .filter(|entry| entry.kind != EntryKind::Leftover)
                .map(|entry| (entry.path.as_path(), entry.kind))
                .collect(),
            decided: HashMap::new(),
            refusals: Vec::new(),
        }
    }

    fn decide_by_path(&mut self) {
        let mut missing = Vec::new();
        for (number, request) in self.requests.iter().enumerate() {
            if let RequestKind::Path { old, new } = &request.kind
                && let Some(path) = self.decide(number, &request.origin, old, new)
            {
                missing.push((number, path));
            }
        }
        if missing.is_empty() {
            return;
        }
        let mut nearest = Nearest::new(self.entries);
        for (number, source_path) in missing {
            if let Some(request) = self.requests.get(number) {
                let refusal = MoveError::SourceMissing {
                    origin: request.origin.clone(),
                    nearest: nearest.find(&source_path),
                    source_path,
                };
                self.refusals.push((number, refusal));
            }
        }
    }

    /// Notes what a request decides; the path it wants to move where nothing is there.
    fn decide(
        &mut self,
        number: usize,
        origin: &RequestOrigin,
        old: &[u8],
        new: &[u8],
    ) -> Option<PathBuf> {
        let source = read(old).map_err(|bad| self.refuse_path(number, origin, old, bad));
        let target = read(new).map_err(|bad| self.refuse_path(number, origin, new, bad));
        let source = source.ok()?;
        let found = self.kinds.get_key_value(source.path.as_path());
        let (path, kind) = match found {
            Some((&path, &kind)) => (path, kind),
            // The root, which is no entry.
            None if source.path.as_os_str().is_empty() => (Path::new(""), EntryKind::Directory),
            None => return Some(source.path),
        };
        let new = target.ok().map(|target| {
            let goes_into = target.is_folder && !source.is_folder && kind != EntryKind::Directory;
            within(target.path, path, goes_into)
        });
        if let Some(new) = &new
            && kind == EntryKind::Directory
            && new != path
            && new.starts_with(path)
        {
            let refusal = MoveError::FolderIntoItself {
                origin: origin.clone(),
                source_path: path.to_owned(),
                target: new.clone(),
            };
            self.refusals.push((number, refusal));
            self.decided.entry(path).or_insert(Decided {
                request: number,
                new: None,
            });
            return None;
        }
        self.note(number, origin, path, new);
        None
    }

    fn note(
        &mut self,
        number: usize,
        origin: &RequestOrigin,
        path: &'a Path,
        new: Option<PathBuf>,
    ) {
        let Some(first) = self.decided.get(path) else {
            let decided = Decided {
                request: number,
                new,
            };
            self.decided.insert(path, decided);
            return;
        };
        if let (Some(target), Some(first_target)) = (new, &first.new)
            && target != *first_target
            && let Some(first_request) = self.requests.get(first.request)
        {
            let refusal = MoveError::Contradiction {
                origin: origin.clone(),
                source_path: path.to_owned(),
                target,
                first_target: first_target.clone(),
                first_origin: first_request.origin.clone(),
            };
            self.refusals.push((number, refusal));
        }
    }

    fn refuse_path(&mut self, number: usize, origin: &RequestOrigin, path: &[u8], bad: BadPath) {
        let origin = origin.clone();
        let path = String::from_utf8_lossy(path).into_owned();
        let refusal = match bad {
            BadPath::OutOfTree => MoveError::OutOfTree { origin, path },
            BadPath::BadName => MoveError::BadName { origin, path },
        };
        self.refusals.push((number, refusal));
    }

    /// The places of all entries whose place is known.
    fn places(&mut self) -> Vec<Placement<'a>> {
        let (requests, entries) = (self.requests, self.entries);
        let patterns: Vec<(usize, &RequestOrigin, &Pattern)> = requests
            .iter()
            .enumerate()
            .filter_map(|(number, request)| match &request.kind {
                RequestKind::Pattern(pattern) => Some((number, &request.origin, &**pattern)),
                RequestKind::Path { .. } => None,
            })
            .collect();
        let mut matched = HashSet::new();
        let mut places = Vec::with_capacity(entries.len());
        for entry in entries {
            let path = entry.path.as_path();
            let mut place = Placement {
                old: path,
                kind: entry.kind,
                new: Cow::Borrowed(path),
                request: None,
                with_folder: false,
            };
            if entry.kind == EntryKind::Leftover {
                continue;
            }
            let decided = self.covering(path);
            if let Some((folder, decided)) = decided {
                let Some(new) = &decided.new else {
                    continue;
                };
                place.request = Some(decided.request);
                place.with_folder = folder != path;
                place.new = Cow::Owned(moved_along(new, path, folder));
            }
            let is_decided = decided.is_some();
            if matches!(entry.kind, EntryKind::File | EntryKind::Symlink) {
                match self.by_pattern(path, is_decided, &patterns, &mut matched) {
                    Some((number, Some(new))) => {
                        place.request = Some(number);
                        place.new = Cow::Owned(new);
                    }
                    Some((_, None)) => continue,
                    None => {}
                }
            }
            places.push(place);
        }
        for (number, origin, _) in patterns {
            if !matched.contains(&number) {
                let origin = origin.clone();
                self.refusals.push((number, MoveError::NoMatch { origin }));
            }
        }
        places
    }

    /// What the deepest request by path says of `path`, and of which path it says so.
    fn covering(&self, path: &'a Path) -> Option<(&'a Path, &Decided)> {
        if self.decided.is_empty() {
            return None;
        }
        path.ancestors()
            .find_map(|folder| Some((folder, self.decided.get(folder)?)))
    }

    /// What the first pattern that matches `path` makes of it, `None` in the pair where that cannot
    /// be. Where another request has decided, patterns are only noted as matching.
    fn by_pattern(
        &mut self,
        path: &Path,
        is_decided: bool,
        patterns: &[(usize, &RequestOrigin, &Pattern)],
        matched: &mut HashSet<usize>,
    ) -> Option<(usize, Option<PathBuf>)> {
        let mut found = None;
        let mut text = None;
        for &(number, origin, pattern) in patterns {
            if (is_decided || found.is_some()) && matched.contains(&number) {
                continue;
            }
            let text = text.get_or_insert_with(|| slashed(path));
            let Some(new) = pattern.apply(text) else {
                continue;
            };
            matched.insert(number);
            if is_decided || found.is_some() {
                continue;
            }
            let new = match read(&new) {
                Ok(written) => {
                    // Nothing at all is no folder to go into.
                    let goes_into = written.is_folder && !new.is_empty();
                    Some(within(written.path, path, goes_into))
                }
                Err(bad) => {
                    self.refuse_path(number, origin, &new, bad);
                    None
                }
            };
            found = Some((number, new));
        }
        found
    }

    /// The folders that requests move, and those that they leave where they are within such.
    fn moved_folders(&self) -> Vec<(&'a Path, &Path)> {
        self.entries
            .iter()
            .filter(|entry| entry.kind == EntryKind::Directory)
            .filter_map(|entry| {
                let path = entry.path.as_path();
                let new = self.decided.get(path)?.new.as_deref()?;
                let above = path.parent().and_then(|folder| self.covering(folder));
                (new != path || above.is_some()).then_some((path, new))
            })
            .collect()
    }
}

/// The target of the file at `path`, which may be the folder that it is to go into.
fn within(target: PathBuf, path: &Path, goes_into: bool) -> PathBuf {
    match path.file_name() {
        Some(name) if goes_into => target.join(name),
        _ => target,
    }
}
