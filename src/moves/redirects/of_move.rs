//! Lists the redirects that a move needs.

use std::collections::HashSet;
use std::path::Path;

use super::redirect::Redirect;
use crate::moves::mapping::Moves;
use crate::site::{Entry, EntryKind, INDEX_NAMES, SiteUrl};
use crate::url::{ParseError, Url};

/// The redirects of a move, and the old URLs that cannot have one.
#[derive(Debug, Default)]
pub struct MoveRedirects<'e> {
    /// The old path of the file and the redirect, for every old URL that no file serves any more.
    pub redirects: Vec<(&'e Path, Redirect)>,
    /// Old URLs that now serve another file, which a redirect would hide.
    pub reused: Vec<Url>,
}

/// Lists the redirects that `moves` need in the tree of `entries`, published at `old_site` before
/// and at `new_site` after: one for every file whose URL changes, and one for the folder of every
/// index file among them.
///
/// # Errors
/// When a file has no URL. No path is known for which this happens.
pub fn of_move<'e>(
    entries: &'e [Entry],
    moves: &'e Moves,
    old_site: &SiteUrl,
    new_site: &SiteUrl,
) -> Result<MoveRedirects<'e>, ParseError> {
    let files: Vec<(&Path, &Path)> = entries
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Symlink))
        .map(|entry| entry.path.as_path())
        .map(|old| (old, moves.new_path(old).unwrap_or(old)))
        .collect();
    let mut live = HashSet::new();
    for (_, new) in &files {
        live.insert(new_site.document_url(new)?);
        live.extend(folder_url(new_site, new)?);
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
        let to = new_site.document_url(new)?;
        if let Some(folder) = folder_url(old_site, old)? {
            let new_folder = folder_url(new_site, new)?;
            add(old, folder, new_folder.unwrap_or_else(|| to.clone()));
        }
        add(old, old_site.document_url(old)?, to);
    }
    Ok(found)
}

/// The URL of the folder that `file` is the index file of; `None` if it is not an index file.
fn folder_url(site: &SiteUrl, file: &Path) -> Result<Option<Url>, ParseError> {
    let is_index = file
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| INDEX_NAMES.contains(&name));
    if !is_index {
        return Ok(None);
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let url = site.document_url(folder)?;
    if url.path().ends_with('/') {
        return Ok(Some(url));
    }
    Url::parse(&format!("{url}/")).map(Some)
}
