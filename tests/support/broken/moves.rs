//! Trees of which files and folders have changed place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path};

use url::Url;

use super::{
    Files, IsDocument, Judgement, LinkPair, Place, Spelled, count_both, document_url, in_parallel,
    pairs_of,
};

/// Where files and folders went.
#[derive(Clone, Debug, Default)]
pub struct Map {
    moves: BTreeMap<String, String>,
}

impl<'a> FromIterator<(&'a str, &'a str)> for Map {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(moves: I) -> Map {
        let owned = |(old, new): (&str, &str)| (old.to_string(), new.to_string());
        Map { moves: moves.into_iter().map(owned).collect() }
    }
}

impl Map {
    /// The place of a path afterwards: its own entry, else that of the nearest folder around it.
    pub fn of(&self, path: &str) -> String {
        let mut known = path;
        loop {
            if let Some(new) = self.moves.get(known) {
                return format!("{new}{}", &path[known.len()..]);
            }
            match known.rfind('/') {
                Some(slash) => known = &known[..slash],
                None => return path.to_string(),
            }
        }
    }

    /// The lines of a map file.
    pub fn lines(&self) -> String {
        let lines = self.moves.iter().map(|(old, new)| format!("{old}\t{new}\n"));
        lines.collect()
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }
}

/// Judges a tree that was moved: the same files under their new names, with the same contents but
/// for links; each whole reference leads to the new place of the same file, each broken one is
/// broken, each one out of the site leads where it led. `sites` are its URLs before and after.
pub fn judge_move(
    before: &Path,
    after: &Path,
    map: &Map,
    sites: (&Url, &Url),
    is_document: IsDocument,
) -> Judgement {
    let judge = Judge {
        roots: (before, after),
        files: Files::of(before),
        files_after: Files::of(after),
        map,
        sites,
        is_document,
    };
    let mut judgement = in_parallel(judge.files.paths(), &|path, found| judge.file(path, found));
    let expected: BTreeSet<String> = judge.files.paths().map(|path| map.of(path)).collect();
    for path in judge.files_after.paths() {
        if !expected.contains(path) {
            judgement.fail(path, "nothing was moved there");
        }
    }
    judgement
}

struct Judge<'a> {
    roots: (&'a Path, &'a Path),
    files: Files,
    files_after: Files,
    map: &'a Map,
    sites: (&'a Url, &'a Url),
    is_document: IsDocument<'a>,
}

impl Judge<'_> {
    fn file(&self, path: &str, found: &mut Judgement) {
        let path_after = self.map.of(path);
        if !self.files_after.contains(&path_after) {
            return found.fail(path, format!("is not at {path_after}"));
        }
        let (file, file_after) = (self.roots.0.join(path), self.roots.1.join(&path_after));
        if self.files.is_symbolic_link(path) {
            return self.symbolic_link(path, &path_after, found);
        }
        let (Ok(bytes), Ok(bytes_after)) = (std::fs::read(file), std::fs::read(file_after)) else {
            return found.fail(path, "cannot be read on both sides");
        };
        if !(self.is_document)(Path::new(path), &bytes) {
            found.other_files += 1;
            if bytes != bytes_after {
                found.fail(path, "the bytes differ");
            }
            return;
        }
        found.documents += 1;
        let url = document_url(self.sites.0, Path::new(path));
        let url_after = document_url(self.sites.1, Path::new(&path_after));
        match pairs_of(path, (&bytes, &url), (&bytes_after, &url_after)) {
            Ok(pairs) => {
                for pair in pairs {
                    self.pair(path, &path_after, &pair, found);
                }
            }
            Err(problems) => problems.iter().for_each(|problem| found.fail(path, problem)),
        }
    }

    fn pair(&self, path: &str, path_after: &str, pair: &LinkPair, found: &mut Judgement) {
        let same = pair.before.reference == pair.after.reference;
        let (Some(target), Some(target_after)) = (&pair.before.target, &pair.after.target) else {
            if !same {
                found.fail(path, Spelled(pair, "one of them is no URL"));
            }
            return;
        };
        if pair.optional && same {
            return;
        }
        found.respelled += usize::from(!same);
        let place = self.files.place(self.sites.0, target);
        let place_after = self.files_after.place(self.sites.1, target_after);
        count_both(path_after, pair, (&place, &place_after), found);
        let problem = if place == Place::Outside {
            (target != target_after).then_some("leads elsewhere, out of the site")
        } else if !self.counterparts(&place, &place_after) {
            Some(match (&place, &place_after) {
                (Place::Missing, _) => "was broken, leads somewhere",
                (_, Place::Missing) => "is broken",
                _ => "leads to another file",
            })
        } else if (target.query(), target.fragment())
            != (target_after.query(), target_after.fragment())
        {
            Some("has another query or fragment")
        } else {
            None
        };
        if let Some(problem) = problem {
            found.fail(path, Spelled(pair, problem));
        }
    }

    fn counterparts(&self, before: &Place, after: &Place) -> bool {
        match before {
            Place::Outside | Place::Missing => before == after,
            Place::File(file) => *after == Place::File(self.map.of(file)),
            Place::Folder { path, index: None } => {
                matches!(after, Place::Folder { path: new, .. } if *new == self.map.of(path))
            }
            // What is served is the file.
            Place::Folder { index: Some(index), .. } => match after {
                Place::File(file) | Place::Folder { index: Some(file), .. } => {
                    *file == self.map.of(index)
                }
                _ => false,
            },
        }
    }

    /// One that leads to something in the tree has to lead to its new place.
    fn symbolic_link(&self, path: &str, path_after: &str, found: &mut Judgement) {
        let (Ok(link), Ok(link_after)) = (
            std::fs::read_link(self.roots.0.join(path)),
            std::fs::read_link(self.roots.1.join(path_after)),
        ) else {
            return found.fail(path, "is no symbolic link on both sides");
        };
        let leads_to = lexically(path, &link).filter(|target| self.files.contains(target));
        let expected = leads_to.map(|target| self.map.of(&target));
        let right = match &expected {
            Some(expected) => lexically(path_after, &link_after).as_ref() == Some(expected),
            None => link == link_after || lexically(path_after, &link_after).is_none(),
        };
        if !right {
            found.fail(
                path,
                format!("symbolic link {link:?} -> {link_after:?}, should lead to {expected:?}"),
            );
        }
    }
}

/// What a symbolic link leads to, as a path in the tree; nothing where it leads out of it.
fn lexically(path: &str, link: &Path) -> Option<String> {
    let mut steps: Vec<&str> = path.split('/').collect();
    steps.pop();
    for component in link.components() {
        match component {
            Component::Normal(name) => steps.push(name.to_str()?),
            Component::ParentDir => {
                steps.pop()?;
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(steps.join("/"))
}
