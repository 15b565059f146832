//! What cannot be in one tree: two things in one place, folders below files, names that differ in
//! letter case only.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::error::{ExistingTarget, MoveError};
use super::name::folded;
use super::placement::{Placement, above, remaining_folders};
use super::request::{Request, RequestOrigin};

/// Finds conflicts between places.
pub(super) struct Conflicts<'p, 'a> {
    places: &'p [Placement<'a>],
    requests: &'p [Request],
    /// Those that move, and those that a request leaves where they are (a folder above them may
    /// move, and has to be there all the same), by request, then in walk order.
    movers: Vec<(usize, &'p Placement<'a>)>,
    /// What is at each new path.
    occupied: HashMap<&'p Path, &'p Placement<'a>>,
    refusals: Vec<(usize, MoveError)>,
}

/// Everything that cannot be, each with the number of its request. `places` is in walk order.
pub(super) fn conflicts(
    places: &[Placement<'_>],
    requests: &[Request],
    ignores_case: bool,
) -> Vec<(usize, MoveError)> {
    let remaining = remaining_folders(places);
    let is_there = |place: &&Placement| !place.is_folder() || remaining.contains(place.old);
    let mut movers: Vec<(usize, &Placement)> = places
        .iter()
        .filter(|place| place.moves() || !place.with_folder)
        .filter(is_there)
        .filter_map(|place| Some((place.request?, place)))
        .collect();
    movers.sort_by_key(|(request, _)| *request);
    let occupied = places
        .iter()
        .filter(|place| !place.moves())
        .filter(is_there)
        .map(|place| (&*place.new, place))
        .collect();
    let mut conflicts = Conflicts {
        places,
        requests,
        movers,
        occupied,
        refusals: Vec::new(),
    };
    conflicts.occupy();
    conflicts.files_above();
    if ignores_case {
        conflicts.letter_case();
    }
    conflicts.refusals
}

impl<'p, 'a> Conflicts<'p, 'a> {
    /// Puts everything that moves in its place.
    fn occupy(&mut self) {
        let mut refused_folders: HashSet<&Path> = HashSet::new();
        for &(request, place) in self.movers.iter().filter(|(_, place)| place.moves()) {
            let folder = place.old.parent().unwrap_or(place.old);
            // Said once, of the folder.
            if place.with_folder && refused_folders.contains(folder) {
                refused_folders.insert(place.old);
                continue;
            }
            let other = self.occupied.get(&*place.new).copied();
            if other.is_none() && !place.new.as_os_str().is_empty() {
                self.occupied.insert(&place.new, place);
                continue;
            }
            refused_folders.insert(place.old);
            let Some(origin) = origin_of(self.requests, request) else {
                continue;
            };
            let source_path = place.old.to_owned();
            let target = place.new.to_path_buf();
            let first = other.filter(|other| other.moves());
            let first = first.and_then(|first| {
                let origin = origin_of(self.requests, first.request?)?;
                Some((first, origin))
            });
            // The root is a folder, and no entry.
            let is_folder = other.is_none_or(Placement::is_folder);
            let refusal = match first {
                Some((other, first_origin)) => MoveError::TwoSources {
                    origin,
                    source_path,
                    first_source: other.old.to_owned(),
                    first_origin,
                    target,
                },
                None => MoveError::TargetExists {
                    origin,
                    source_path,
                    target,
                    obstacle: match (is_folder, place.is_folder()) {
                        (false, _) => ExistingTarget::File,
                        (true, true) => ExistingTarget::Folder,
                        (true, false) => ExistingTarget::FolderToEnter,
                    },
                },
            };
            self.refusals.push((request, refusal));
        }
    }

    /// Looks for files where folders have to be.
    fn files_above(&mut self) {
        for &(request, place) in &self.movers {
            if place.with_folder {
                continue;
            }
            let file = above(&place.new)
                .filter_map(|folder| self.occupied.get(folder))
                .find(|other| !other.is_folder());
            if let (Some(file), Some(origin)) = (file, origin_of(self.requests, request)) {
                let arrival = file.request.filter(|_| file.moves());
                let arrival = arrival.and_then(|request| origin_of(self.requests, request));
                let refusal = MoveError::FileInTheWay {
                    origin,
                    source_path: place.old.to_owned(),
                    target: place.new.to_path_buf(),
                    file: file.new.to_path_buf(),
                    arrival: arrival.map(|origin| (file.old.to_owned(), origin)),
                };
                self.refusals.push((request, refusal));
            }
        }
    }

    /// Looks for new pairs of paths that differ in letter case only.
    fn letter_case(&mut self) {
        let mut groups: HashMap<Vec<u8>, Vec<Named<'p>>> = HashMap::new();
        for named in self.names() {
            groups.entry(folded(named.new)).or_default().push(named);
        }
        let mut groups: Vec<(Vec<u8>, Vec<Named>)> = groups
            .into_iter()
            .filter(|(_, group)| group.len() > 1)
            .collect();
        // Folders before what is in them.
        groups.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut refused: HashSet<Vec<u8>> = HashSet::new();
        for (folded_path, mut group) in groups {
            let end = memchr::memrchr(b'/', &folded_path).unwrap_or(0);
            if folded_path
                .get(..end)
                .is_some_and(|folder| refused.contains(folder))
            {
                refused.insert(folded_path);
                continue;
            }
            group.sort_by_key(|named| (named.request, named.new));
            let Some((first, others)) = group.split_first() else {
                continue;
            };
            for other in others {
                let was_so = match (first.old, other.old) {
                    (Some(first), Some(other)) => folded(first) == folded(other),
                    _ => false,
                };
                let request = other
                    .request
                    .and_then(|request| Some((request, origin_of(self.requests, request)?)));
                if let (false, Some((request, origin))) = (was_so, request) {
                    refused.insert(folded_path.clone());
                    let refusal = MoveError::CaseClash {
                        origin,
                        target: other.new.to_owned(),
                        other: first.new.to_owned(),
                    };
                    self.refusals.push((request, refusal));
                }
            }
        }
    }

    /// Every path of the result once.
    fn names(&self) -> Vec<Named<'p>> {
        let mut names: Vec<Named> = self
            .occupied
            .values()
            .map(|place| Named {
                new: &place.new,
                old: Some(place.old),
                request: place.request.filter(|_| place.moves()),
            })
            .collect();
        let emptied: HashMap<&Path, &Path> = self
            .places
            .iter()
            .filter(|place| place.is_folder())
            .map(|place| (&*place.new, place.old))
            .collect();
        let mut seen: HashSet<&Path> = HashSet::new();
        for &(request, place) in &self.movers {
            for folder in above(&place.new) {
                if !self.occupied.contains_key(folder) && seen.insert(folder) {
                    names.push(Named {
                        new: folder,
                        old: emptied.get(folder).copied(),
                        request: Some(request),
                    });
                }
            }
        }
        names
    }
}

/// A path of the result.
struct Named<'p> {
    new: &'p Path,
    /// Its path before, where it had one.
    old: Option<&'p Path>,
    /// What makes it, where it is not as before.
    request: Option<usize>,
}

fn origin_of(requests: &[Request], request: usize) -> Option<RequestOrigin> {
    requests.get(request).map(|request| request.origin.clone())
}
