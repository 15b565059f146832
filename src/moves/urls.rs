//! Moved files and folders, by their URLs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::mapping::Moves;
use crate::site::{
    Entry, EntryKind, FileIndex, INDEX_NAMES, Response, SitePath, normalized_path, path_in_url,
};

/// Which places of a site changed, as paths that follow its URL.
#[derive(Clone, Debug, Default)]
pub struct MovedUrls {
    files: HashMap<Box<str>, Box<str>>,
    folders: HashMap<Box<str>, Box<str>>,
    /// The files after the moves, where they are known.
    after: FileIndex,
}

impl MovedUrls {
    /// From the old and the new paths of files and of folders; folders have no slash at their end,
    /// and of two for one folder the last counts.
    pub fn new(
        files: impl IntoIterator<Item = (String, String)>,
        folders: impl IntoIterator<Item = (String, String)>,
    ) -> MovedUrls {
        let boxed = |(old, new): (String, String)| (old.into(), new.into());
        MovedUrls {
            files: files.into_iter().map(boxed).collect(),
            folders: folders.into_iter().map(boxed).collect(),
            after: FileIndex::default(),
        }
    }

    /// Where `place` is now; `None` where it stayed.
    pub fn follow(&self, files: &FileIndex, place: &SitePath<'_>) -> Option<SitePath<'static>> {
        if self.files.is_empty() && self.folders.is_empty() {
            return None;
        }
        let served = files.find(&place.path, &place.query);
        let Some((file, served)) = served.and_then(|served| Some((served.file()?, served))) else {
            return self
                .in_folder(&normalized_path(&place.path))
                .map(|path| SitePath {
                    path: Cow::Owned(path),
                    query: Cow::Owned(place.query.clone().into_owned()),
                });
        };
        let new = self.files.get(file).map(Box::as_ref);
        let followed = new.map(|new| follow_file(&served, file, new, place));
        // What was served without its whole name may not be now, or another may be.
        let written = followed.as_ref().unwrap_or(place);
        let new = new.unwrap_or(file);
        let is_found = self.after.is_empty()
            || matches!(served, Response::File(_))
            || self
                .after
                .find(&written.path, &written.query)
                .and_then(|it| it.file())
                == Some(new);
        if is_found {
            return followed;
        }
        let query = match served {
            Response::Query(_) => Cow::Borrowed(""),
            _ => Cow::Owned(place.query.clone().into_owned()),
        };
        Some(SitePath {
            path: Cow::Owned(new.to_owned()),
            query,
        })
    }

    /// Where the folder at `path` is now, whatever became of its index file.
    pub fn follow_folder(&self, path: &str) -> Option<String> {
        self.in_folder(&normalized_path(path))
    }

    /// The new path of something in a folder that moved, there or not.
    fn in_folder(&self, path: &str) -> Option<String> {
        let mut folder = path;
        loop {
            if let Some(new) = self.folders.get(folder) {
                let rest = path.get(folder.len()..).unwrap_or_default();
                // The root has no slash at its end.
                let rest = match new.is_empty() {
                    true => rest.strip_prefix('/').unwrap_or(rest),
                    false => rest,
                };
                return Some(format!("{new}{rest}"));
            }
            folder = folder.get(..folder.rfind('/')?)?;
        }
    }
}

impl MovedUrls {
    /// What `moves` in the tree of `entries`, which is the one of `files`, do to URLs. A folder that
    /// is gone because all that was in it moved to one other as it was has moved, too, though nobody
    /// said so; so has what is behind a symbolic link to a folder that moves.
    pub fn of(moves: &Moves, entries: &[Entry], files: &FileIndex) -> MovedUrls {
        if moves.is_empty() {
            return MovedUrls::default();
        }
        let urls = |(old, new): (&Path, &Path)| (path_in_url(old), path_in_url(new));
        let emptied = emptied_folders(moves, entries);
        let emptied = emptied.iter().map(|(old, new)| urls((old, new)));
        let links = moves
            .files()
            .map(urls)
            .filter(|(old, _)| files.is_folder(old));
        let mut moved = MovedUrls::new(
            moves.files().map(urls),
            emptied.chain(moves.folders().map(urls)).chain(links),
        );
        moved.after = files.after_moves(|path| moved.files.get(path).map(ToString::to_string));
        moved
    }
}

/// Where the file `new` is asked for that was `file`, in the way in which `place` asked for that.
fn follow_file(
    served: &Response<'_>,
    file: &str,
    new: &str,
    place: &SitePath<'_>,
) -> SitePath<'static> {
    let same_query = |path: &str| SitePath {
        path: Cow::Owned(path.to_owned()),
        query: Cow::Owned(place.query.clone().into_owned()),
    };
    match served {
        // By a rule nothing is served here: the server of a rewritten tree is a plain one.
        Response::File(_) | Response::Folder | Response::ByRule(_) | Response::Redirect => {
            same_query(new)
        }
        Response::Query(_) => match by_query(new) {
            Some((path, query)) => SitePath {
                path: Cow::Owned(path.to_owned()),
                query: Cow::Owned(query),
            },
            None => SitePath {
                path: Cow::Owned(new.to_owned()),
                query: Cow::Borrowed(""),
            },
        },
        Response::Extension(_) => {
            let extension = file.rfind('.').and_then(|dot| file.get(dot..));
            let bare = new
                .strip_suffix(extension.unwrap_or_default())
                .filter(|bare| !bare.ends_with('/'));
            same_query(bare.unwrap_or(new))
        }
        Response::Index(_) => {
            let (folder, name) = match new.rfind('/') {
                Some(slash) => new.split_at(slash + 1),
                None => ("", new),
            };
            if !INDEX_NAMES.contains(&name) {
                return same_query(new);
            }
            let is_slashed = place.path.is_empty() || place.path.ends_with('/');
            let bare = folder.strip_suffix('/').filter(|_| !is_slashed);
            same_query(bare.unwrap_or(folder))
        }
    }
}

/// The path and the query that lead to a file with the query in its name; `None` where only its name
/// does.
fn by_query(file: &str) -> Option<(&str, String)> {
    let name = file.rfind('/').map_or(0, |slash| slash + 1);
    let mark = name + file.get(name..)?.find("%3F")?;
    let (path, query) = file.split_at_checked(mark)?;
    // The percent signs of a query stand in the name as they are.
    let query = query.strip_prefix("%3F")?;
    let is_plain = !query.replace("%25", "").contains('%');
    is_plain.then(|| (path, format!("?{}", query.replace("%25", "%"))))
}

/// The folders whose files have all moved to the same places in another.
fn emptied_folders<'m>(moves: &'m Moves, entries: &'m [Entry]) -> Vec<(&'m Path, &'m Path)> {
    let mut folders: HashMap<&Path, Option<&Path>> = HashMap::new();
    for (old, new) in moves.files() {
        let (mut old, mut new) = (old, Some(new));
        while let Some(folder) = old.parent() {
            new = new
                .filter(|new| new.file_name() == old.file_name())
                .and_then(Path::parent);
            match folders.get(folder) {
                // What is known of a folder is known of those above it.
                Some(known) if known.is_none() || *known == new => break,
                Some(_) => folders.insert(folder, None),
                None => folders.insert(folder, new),
            };
            old = folder;
        }
    }
    // Files that went into a folder that was there have not taken theirs along.
    let mut there = HashSet::from([Path::new("")]);
    for entry in entries {
        if entry.kind == EntryKind::Directory {
            there.insert(entry.path.as_path());
        } else if moves.new_path(&entry.path).is_none() {
            for folder in entry.path.ancestors().skip(1) {
                if folders.insert(folder, None) == Some(None) {
                    break;
                }
            }
        }
    }
    folders
        .into_iter()
        .filter_map(|(old, new)| Some((old, new?)))
        .filter(|(old, new)| !old.as_os_str().is_empty() && !there.contains(new))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_asked_for_by_query() {
        let files = ["page?q=1", "page?q=a%20b", "page?q=%2Fz"];
        let entries = files.map(|path| Entry {
            path: path.into(),
            kind: EntryKind::File,
        });
        let before = FileIndex::new(Path::new(""), &entries);
        for (query, old, new, expected) in [
            ("?q=1", "page%3Fq=1", "n/p%3Fq=2", "n/p ?q=2"),
            ("?q=1", "page%3Fq=1", "n%3F/p", "n%3F/p "),
            ("?q=1", "page%3Fq=1", "n%3F/p%3Fq=2", "n%3F/p ?q=2"),
            ("?q=1", "page%3Fq=1", "p%3Fq=a%20b", "p%3Fq=a%20b "),
            (
                "?q=a%20b",
                "page%3Fq=a%2520b",
                "n/p%3Fq=a%2520b",
                "n/p ?q=a%20b",
            ),
            ("?q=/z", "page%3Fq=%252Fz", "p%3Fq=%252Fz", "p ?q=%2Fz"),
        ] {
            let moved = MovedUrls::new([(old.to_owned(), new.to_owned())], []);
            let place = SitePath {
                path: "page".into(),
                query: query.into(),
            };
            let now = moved.follow(&before, &place).unwrap();
            assert_eq!(format!("{} {}", now.path, now.query), expected, "{new}");
        }
    }
}
