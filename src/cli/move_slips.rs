//! Typing mistakes in `rehref move SITE OLD=NEW` that only SITE shows.

use std::ffi::OsString;
use std::path::{Component, Path, is_separator};

use super::exit::{CliError, usage_error};
use super::terminal;
use rehref_corpus::{SitePlaceError, folder_of};
use rehref_document::DocumentKind;

/// Returns the error about a SITE that is not a directory.
pub(super) fn site_error(error: SitePlaceError) -> CliError {
    match &error {
        SitePlaceError::NotASite(file) if DocumentKind::of_built_path(file).is_some() => {
            // Links from outside of the directory would break, so the topmost one of the path is the best guess.
            let mut parts = file.components();
            let (site, path) = match (parts.next(), parts.as_path()) {
                (Some(Component::Normal(first)), rest) if rest.file_name().is_some() => {
                    (Path::new(first), rest)
                }
                _ => (folder_of(file), Path::new(file.file_name().unwrap_or_default())),
            };
            CliError::Usage(format!(
                "{}: this is a file, but the site is a directory\nhelp: pass the root directory of the site, and the file in the move: rehref move {} {}=NEW",
                file.display(),
                site.display(),
                path.display()
            ))
        }
        _ => error.into(),
    }
}

/// Refuses `moves` that are typing mistakes for the site at `root`, which the user calls `site`.
pub(super) fn refuse(site: &Path, root: &Path, moves: &[OsString]) -> Result<(), CliError> {
    for word in moves.iter().filter_map(|word| word.to_str()) {
        let Some((old, new)) = word.split_once('=') else { continue };
        // A query or a fragment begins so.
        if let Some(character) =
            ['?', '#'].into_iter().find(|&it| new.contains(it) && !old.contains(it))
        {
            terminal::note(format!(
                "argument `{word}`: the new file name contains `{character}`, so links to the file contain %{:X}\nhelp: if you meant a query or a fragment, remove it",
                u32::from(character)
            ));
        }
        let below = |path: &str| below_site(site, root, path);
        let short_new = below(new);
        if let Some(short_old) = below(old) {
            if short_old.is_empty() {
                return usage_error(format!(
                    "argument `{word}`: {old} is the site itself\nhelp: to rename it, pass the directory above: rehref move {} {word}",
                    folder_of(site).display()
                ));
            }
            return usage_error(format!(
                "argument `{word}`: paths are relative to the site\nhelp: write {short_old}={}",
                short_new.as_deref().unwrap_or(new)
            ));
        }
        if let Some(short_new) = short_new {
            terminal::warning(format!(
                "argument `{word}`: paths are relative to the site, so this move creates {new} in the site\nhelp: if {new} already includes the path of the site, write {old}={short_new}"
            ));
        }
    }
    Ok(())
}

/// The rest of a `path` that begins as SITE does, although SITE has no such directory.
fn below_site(site: &Path, root: &Path, path: &str) -> Option<String> {
    let first = path.trim_start_matches(is_separator).split(is_separator).next();
    // The root is a name that exists: of an absolute path of Windows, the first name is the drive.
    let has_drive = cfg!(windows) && Path::new(path).is_absolute();
    if !has_drive && first.is_none_or(|first| root.join(first).exists()) {
        return None;
    }
    let prefixes = [site.strip_prefix(".").unwrap_or(site), root].into_iter();
    let mut prefixes = prefixes.filter(|it| *it != Path::new(""));
    let rest = prefixes.find_map(|prefix| Path::new(path).strip_prefix(prefix).ok())?;
    Some(rest.display().to_string())
}
