//! Which old URLs lead elsewhere after a move.

use std::collections::HashSet;
use std::path::Path;

use super::Redirect;
use crate::rewrite::Plan;
use crate::site::{EntryKind, INDEX_NAMES, Location};
use crate::url::{ParseError, Url};

/// What becomes of the old URLs of a move: those that are redirected, and those that are taken.
#[derive(Debug, Default)]
pub struct OldUrls<'p> {
    /// For every old URL that leads nowhere now, the file it was of.
    pub redirects: Vec<(&'p Path, Redirect)>,
    /// Old URLs that have become the URLs of other files, which a redirect would hide.
    pub taken: Vec<Url>,
}

/// The redirects that a run of `plan` calls for: for every file whose URL changes, and for the
/// folder whose index file it was.
///
/// # Errors
/// When a file has no URL, which no path is known to bring about.
pub fn of_move(plan: &Plan) -> Result<OldUrls<'_>, ParseError> {
    let files: Vec<&Path> = plan
        .walk
        .entries
        .iter()
        .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Symlink))
        .map(|entry| entry.path.as_path())
        .collect();
    let mut live = HashSet::new();
    for file in &files {
        let file = plan.new_path(file);
        live.insert(plan.new_location.document_url(file)?);
        live.extend(folder_url(&plan.new_location, file)?);
    }
    let mut urls = OldUrls::default();
    let mut add = |file, from: Url, to: Url| {
        if from == to {
        } else if live.contains(&from) {
            urls.taken.push(from);
        } else {
            urls.redirects.push((file, Redirect { from, to }));
        }
    };
    for file in files {
        let new = plan.new_path(file);
        let to = plan.new_location.document_url(new)?;
        if let Some(folder) = folder_url(&plan.location, file)? {
            let new_folder = folder_url(&plan.new_location, new)?;
            add(file, folder, new_folder.unwrap_or_else(|| to.clone()));
        }
        add(file, plan.location.document_url(file)?, to);
    }
    Ok(urls)
}

/// The URL of the folder that `file` is the index file of.
fn folder_url(location: &Location, file: &Path) -> Result<Option<Url>, ParseError> {
    let is_index = file
        .file_name()
        .and_then(|name| name.to_str())
        .is_some_and(|name| INDEX_NAMES.contains(&name));
    if !is_index {
        return Ok(None);
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let url = location.document_url(folder)?;
    if url.path().ends_with('/') {
        return Ok(Some(url));
    }
    Url::parse(&format!("{url}/")).map(Some)
}
