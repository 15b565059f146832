//! Lists the redirects that a move needs.

use std::collections::HashSet;
use std::path::Path;

use super::redirect::Redirect;
use crate::moves::mapping::Moves;
use crate::site::{Entry, EntryKind, IndexFiles, SiteUrl};
use crate::url::{ParseError, Url};

/// The redirects of a move, and the old URLs that cannot have one.
#[derive(Debug, Default)]
pub struct MoveRedirects<'e> {
    /// The old path of the file and the redirect, for every old URL that no file serves any more.
    pub redirects: Vec<(&'e Path, Redirect)>,
    /// Old URLs that now serve another file, which a redirect would hide.
    pub reused: Vec<Url>,
}

/// A site before or after a move.
#[derive(Clone, Copy, Debug)]
pub struct MovedSite<'s> {
    /// The URL of its root.
    pub url: &'s SiteUrl,
    /// Its index files.
    pub index_files: &'s IndexFiles,
}

/// Lists the redirects that `moves` need in the tree of `entries`, the site `old_site` before and
/// `new_site` after: one for every file whose URL changes, and one for the folder of every index file
/// among them.
///
/// # Errors
/// When a file has no URL. No path is known for which this happens.
pub fn of_move<'e>(
    entries: &'e [Entry],
    moves: &'e Moves,
    old_site: MovedSite<'_>,
    new_site: MovedSite<'_>,
) -> Result<MoveRedirects<'e>, ParseError> {
    let files: Vec<(&Path, &Path)> = entries
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Symlink))
        .map(|entry| entry.path.as_path())
        .map(|old| (old, moves.new_path(old).unwrap_or(old)))
        .collect();
    let mut live = HashSet::new();
    for (_, new) in &files {
        live.insert(new_site.url.file_url(new)?);
        live.extend(new_site.folder_url(new)?);
    }
    let mut found = MoveRedirects::default();
    let mut add = |file, from: Url, to: Url| {
        if from == to {
            return;
        }
        if live.contains(&from) {
            found.reused.push(from);
        } else {
            found.redirects.push((file, Redirect { from, to }));
        }
    };
    for (old, new) in files {
        let to = new_site.url.file_url(new)?;
        if let Some(folder) = old_site.folder_url(old)? {
            let new_folder = new_site.folder_url(new)?;
            add(old, folder, new_folder.unwrap_or_else(|| to.clone()));
        }
        add(old, old_site.url.file_url(old)?, to);
    }
    Ok(found)
}

impl MovedSite<'_> {
    /// The URL of the folder that `file` is the index file of; `None` if it is not an index file.
    fn folder_url(&self, file: &Path) -> Result<Option<Url>, ParseError> {
        let folder = file.parent().filter(|_| self.index_files.has(file));
        folder.map(|folder| self.url.folder_url(folder)).transpose()
    }
}
