//! Conflicts between placements: two entries in one place, files above other files, and names that
//! differ only in letter case.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::error::{Existing, Problem, RequestOrigin};
use super::name::shown;
use super::request::Request;
use rehref_site::moves::placement::{Placement, folders_above, remaining_folders};
use rehref_site::{Spellings, folded, joined};

/// Finds all conflicts, each with the index of its request. `placements` is in walk order.
pub(super) fn conflicts(
    placements: &[Placement<'_>],
    requests: &[Request],
    ignores_case: bool,
) -> Vec<(usize, Problem)> {
    let mut finder = ConflictFinder::new(placements, requests);
    finder.occupy_targets();
    finder.find_files_above();
    if ignores_case {
        finder.find_case_conflicts();
    }
    finder.errors
}

struct ConflictFinder<'p, 'a> {
    placements: &'p [Placement<'a>],
    requests: &'p [Request],
    /// The placements that requests decide, with the index of the request, by request, then in walk
    /// order. Entries that a request pins to their old path are among them: the folder above them
    /// may move, and must exist nevertheless.
    requested: Vec<(usize, &'p Placement<'a>)>,
    /// The placement at each path of the result.
    occupied: FxHashMap<&'p OsStr, &'p Placement<'a>>,
    /// The directories with files, at any depth. Another directory can move to the path of one without.
    filled: FxHashSet<&'p OsStr>,
    errors: Vec<(usize, Problem)>,
}

impl<'p, 'a> ConflictFinder<'p, 'a> {
    /// Starts with everything that does not move in its place.
    fn new(placements: &'p [Placement<'a>], requests: &'p [Request]) -> ConflictFinder<'p, 'a> {
        let remaining = remaining_folders(placements);
        let remains = |placement: &&Placement| {
            !placement.is_folder() || remaining.contains(placement.old.as_os_str())
        };
        let mut requested: Vec<(usize, &Placement)> = placements
            .iter()
            .filter(|placement| placement.moves() || !placement.with_folder)
            .filter(remains)
            .filter_map(|placement| Some((placement.request?, placement)))
            .collect();
        requested.sort_by_key(|(request, _)| *request);
        let mut occupied = FxHashMap::default();
        // All placements will be in it.
        occupied.reserve(placements.len());
        let unmoved = placements.iter().filter(|placement| !placement.moves());
        let unmoved = unmoved.filter(remains);
        occupied.extend(unmoved.map(|placement| (placement.new.as_os_str(), placement)));
        let mut filled: FxHashSet<&OsStr> = FxHashSet::default();
        for placement in placements.iter().filter(|it| !it.is_folder()) {
            for folder in folders_above(placement.old) {
                if !filled.insert(folder.as_os_str()) {
                    break;
                }
            }
        }
        ConflictFinder { placements, requests, requested, occupied, filled, errors: Vec::new() }
    }

    /// Puts everything that moves in its new place, and finds places that are occupied already.
    fn occupy_targets(&mut self) {
        let mut failed_folders: FxHashSet<&Path> = FxHashSet::default();
        for &(request, placement) in &self.requested {
            if !placement.moves() {
                continue;
            }
            let folder = placement.old.parent().unwrap_or(placement.old);
            // The error of a folder is enough for its entries.
            if placement.with_folder && failed_folders.contains(folder) {
                failed_folders.insert(placement.old);
                continue;
            }
            let new = placement.new.as_os_str();
            let is_empty = |other: &&Placement| {
                other.is_folder() && !other.moves() && !self.filled.contains(other.old.as_os_str())
            };
            let other = self.occupied.get(new).copied();
            let other = other.filter(|other| !(placement.is_folder() && is_empty(other)));
            if other.is_none() && !new.is_empty() {
                self.occupied.insert(new, placement);
                continue;
            }
            failed_folders.insert(placement.old);
            let (old, target) = (placement.old, &*placement.new);
            let first = other.filter(|other| other.moves());
            let first = first.and_then(|first| Some((first, self.origin(first.request?)?)));
            // The root has no placement, and is a folder.
            let is_folder = other.is_none_or(Placement::is_folder);
            let error = match first {
                Some((first, origin)) => {
                    let help = match first.is_folder() && !placement.is_folder() {
                        true => format!(
                            "to move into it, write {}={}/",
                            old.display(),
                            target.display()
                        ),
                        false if first.is_folder() && placement.is_folder() => {
                            let into = |it: &Path| {
                                let name = it.file_name().unwrap_or_default().to_string_lossy();
                                format!("{}={}/{name}", it.display(), target.display())
                            };
                            format!("to move both into it, write {} {}", into(first.old), into(old))
                        }
                        false => "choose another name for one of them".to_owned(),
                    };
                    let first = shown(first.old);
                    let why = format!("{first} moves to the same path ({origin})\nhelp: {help}");
                    Problem::impossible(old, target, why)
                }
                None if other.is_some_and(Placement::is_ignored) => {
                    Problem::ignored(old, target, target)
                }
                None => {
                    let existing = match (is_folder, placement.is_folder()) {
                        (false, _) => Existing::File,
                        (true, true) => Existing::Folder,
                        (true, false) => Existing::FolderForFile,
                    };
                    let common = self.common_path(placement).filter(|_| is_folder);
                    Problem::taken(old, target, existing, common.as_deref())
                }
            };
            self.errors.push((request, error));
        }
    }

    /// The path of a file that is below the target of `placement`, which is a folder that does not move, and that the
    /// source would have there, too. Only for the first errors: every answer reads all entries.
    fn common_path(&self, placement: &Placement<'_>) -> Option<PathBuf> {
        const MOST_ERRORS: usize = 20;
        if self.errors.len() > MOST_ERRORS {
            return None;
        }
        let target = &*placement.new;
        let is_taken = |path: &PathBuf| {
            let other = self.occupied.get(path.as_os_str());
            other.is_some_and(|other| !other.moves())
        };
        if !placement.is_folder() {
            return Some(joined(target, placement.old.file_name()?)).filter(is_taken);
        }
        let entries = self.placements.iter().filter(|it| !it.is_folder());
        let inside = entries.filter_map(|it| it.old.strip_prefix(placement.old).ok());
        inside.map(|rest| joined(target, rest)).find(is_taken)
    }

    /// Finds files in the places of folders that targets need.
    fn find_files_above(&mut self) {
        for &(request, placement) in &self.requested {
            if placement.with_folder {
                continue;
            }
            let file = folders_above(&placement.new)
                .filter_map(|folder| self.occupied.get(folder.as_os_str()))
                .find(|other| !other.is_folder());
            if let Some(file) = file {
                let (old, target, above) = (placement.old, &*placement.new, &*file.new);
                let mover = file.request.filter(|_| file.moves());
                let origin = mover.and_then(|request| self.origin(request));
                let from = origin.map_or(String::new(), |origin| {
                    format!(" that moves there from {} ({origin})", shown(file.old))
                });
                let error = if file.is_ignored() {
                    Problem::ignored(old, target, above)
                } else {
                    let why = format!(
                        "{} is not a directory, but a file{from}\nhelp: choose another name",
                        shown(above)
                    );
                    Problem::impossible(old, target, why)
                };
                self.errors.push((request, error));
            }
        }
    }

    /// Finds new paths that differ from another path of the result only in letter case.
    fn find_case_conflicts(&mut self) {
        let mut spellings = Spellings::default();
        let staying = self.placements.iter().filter(|it| !it.moves());
        for placement in staying.filter(|it| self.occupied.contains_key(it.new.as_os_str())) {
            spellings.add(&placement.new);
        }
        for &(request, placement) in self.requested.iter().filter(|(_, it)| it.moves()) {
            let found = spellings.add(&placement.new);
            let is_new = |(_, other): &(&Path, &Path)| {
                let other = self.occupied.get(other.as_os_str());
                other.is_none_or(|other| folded(other.old) != folded(placement.old))
            };
            // Some pairs existed before the moves.
            if let Some((path, other)) = found.filter(is_new) {
                let error = format!(
                    "{} and {} differ only in letter case, which this file system ignores\nhelp: choose another name",
                    shown(path),
                    shown(other)
                );
                self.errors.push((request, error.into()));
            }
        }
    }

    fn origin(&self, request: usize) -> Option<RequestOrigin> {
        Some(self.requests.get(request)?.origin.clone())
    }
}
