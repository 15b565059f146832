//! Typing mistakes in `rehref move SITE OLD=NEW` that only SITE and all words together show.

use std::ffi::OsString;
use std::io;
use std::path::{Path, is_separator};

use super::exit::{CliError, usage_error};
use super::{place_errors, terminal};
use rehref_corpus::{SitePlaceError, folder_of};
use rehref_document::DocumentKind;

/// The error about a SITE that is not a directory, with the command that is meant.
pub(super) fn site_error(error: SitePlaceError, moves: &[OsString]) -> CliError {
    let (site, is_file) = match &error {
        SitePlaceError::NotASite(site) => (site, true),
        SitePlaceError::Read { path, source } if source.kind() == io::ErrorKind::NotFound => {
            (path, false)
        }
        SitePlaceError::Read { .. } => return error.into(),
    };
    let new = match moves {
        [one] => one.to_str().filter(|it| !it.contains('=')),
        _ => None,
    };
    let name = site.display();
    let message = match (is_file, new) {
        (true, new) if new.is_some() || DocumentKind::of_path(site).is_some() => format!(
            "{name}: this is a file, but SITE is a directory; give the directory, and the file in the move: {}",
            as_move(site, new.unwrap_or("NEW"))
        ),
        (false, Some(new)) if Path::new(new).is_dir() && name.to_string().contains('=') => {
            format!("{name}: no such file or directory; SITE comes first: rehref move {new} {name}")
        }
        (false, Some(new)) if place_errors::nearest_name(site).is_none() => format!(
            "{name}: no such file or directory; move takes SITE, then OLD=NEW: rehref move SITE {name}={new}"
        ),
        _ => return error.into(),
    };
    CliError::Usage(message)
}

/// The command that moves the file or directory `old` to `new`, both as seen from the working directory.
fn as_move(old: &Path, new: &str) -> String {
    let mut folder = folder_of(old);
    let new = Path::new(new);
    // Of two paths with directories, the site is the directory that holds both.
    if new.parent().is_some_and(|it| it != Path::new("")) {
        let mut above = folder.ancestors().filter(|it| *it != Path::new(""));
        folder = above.find(|it| new.starts_with(it)).unwrap_or(folder);
    }
    let below = |path: &'_ Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let (name, new) = (below(old), below(new));
    format!("rehref move {} {name}={new}", folder.display())
}

/// Refuses `moves` that are typing mistakes for the site at `root`, which the user calls `site`.
pub(super) fn refuse(site: &Path, root: &Path, moves: &[OsString]) -> Result<(), CliError> {
    let words: Vec<&str> = moves.iter().filter_map(|word| word.to_str()).collect();
    let exists = |path: &str| root.join(path.trim_start_matches('/')).exists();
    let has_sign = |word: &str| word.contains('=');
    for (&one, &two) in words.iter().zip(words.iter().skip(1)) {
        if one == "=" || two == "=" || one.ends_with('=') && !has_sign(two) {
            let all = words.concat();
            let whole = if words.len() > 3 { "OLD=NEW" } else { &all };
            return usage_error(format!("write the move without spaces around `=`: {whole}"));
        }
        let whole = format!("{one} {two}");
        let is_whole = whole.split_once('=').is_some_and(|(old, _)| exists(old));
        if !has_sign(one) && has_sign(two) && (is_whole || !exists(one)) {
            return usage_error(format!("a path with a space needs quotes: '{whole}'"));
        }
    }
    for word in &words {
        refuse_other_syntax(word)?;
        refuse_glob(root, word)?;
        refuse_empty(root, word)?;
        note_query(word);
    }
    match words.as_slice() {
        [word] if !has_sign(word) && !exists(word) => {
            if let Some(whole) = with_other_sign(word).filter(|it| is_move(root, it)) {
                return usage_error(format!("write a move as OLD=NEW: {whole}"));
            }
            return usage_error(if Path::new(word).is_file() {
                format!("`{word}` is a file; to read moves from it, add --map {word}")
            } else {
                format!(
                    "`{word}` has no `=`; write a move as OLD=NEW, like old.html=new.html; if SITE is to move: {}",
                    as_move(site, word)
                )
            });
        }
        [old, new] if !has_sign(old) && !has_sign(new) && exists(old) => {
            return usage_error(format!("write a move as OLD=NEW: {old}={new}"));
        }
        _ => {}
    }
    words.iter().try_for_each(|word| refuse_site_in_paths(site, root, word))
}

/// Refuses a move in the syntax of another tool, and several moves in one word.
fn refuse_other_syntax(word: &str) -> Result<(), CliError> {
    if let Some(file) = word.strip_prefix('@').filter(|it| Path::new(it).is_file()) {
        return usage_error(format!("to read moves from {file}, add --map {file}"));
    }
    let is_sed = word.starts_with("s/") && word.matches('/').count() >= 3;
    if is_sed && word.contains(['\\', '$', '^', '*']) {
        return usage_error(format!(
            "argument `{word}` is a sed expression; to move files by pattern, use --regex 'old/(.*)=new/$1'"
        ));
    }
    let moves: Vec<&str> = word.split(',').map(str::trim).collect();
    if moves.len() > 1 && moves.iter().all(|it| it.matches('=').count() == 1) {
        return usage_error(format!(
            "argument `{word}`: give moves as separate arguments, not as a list: {}",
            moves.join(" ")
        ));
    }
    Ok(())
}

/// Refuses a glob in the old path, unless a file has this name.
fn refuse_glob(root: &Path, word: &str) -> Result<(), CliError> {
    let Some((old, new)) = word.split_once('=') else {
        return Ok(());
    };
    if !old.contains(['*', '?']) || root.join(old).exists() {
        return Ok(());
    }
    let by_pattern = "`*` and `?` have no special meaning in a move";
    let folder = old.strip_suffix("/**").or(old.strip_suffix("/*"));
    let folder = folder.filter(|it| !it.contains(['*', '?']));
    usage_error(match folder {
        Some(folder) => {
            let new = new.trim_end_matches('/');
            format!(
                "argument `{word}`: {by_pattern}; a directory moves with all its files: {folder}={new}; to move files by \
                 pattern: --regex '{folder}/(.*)={new}/$1'"
            )
        }
        None => format!(
            "argument `{word}`: {by_pattern}; to move files by pattern, use --regex, like --regex 'old/(.*)\\.html=new/$1.html'"
        ),
    })
}

/// Refuses the root as the new path of a file, and of a directory whose files cannot all move there.
fn refuse_empty(root: &Path, word: &str) -> Result<(), CliError> {
    let Some((old, "" | "." | "/" | "./")) = word.split_once('=') else {
        return Ok(());
    };
    if root.join(old).is_file() && word.ends_with('=') {
        let name = old.rsplit('/').next().unwrap_or(old);
        return usage_error(format!(
            "argument `{word}`: the new path is empty; give the new name, like {old}={name}"
        ));
    }
    let Ok(entries) = root.join(old).read_dir() else {
        return Ok(());
    };
    if old.is_empty() {
        return Ok(());
    }
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
    let mut taken: Vec<OsString> = names.filter(|name| root.join(name).exists()).collect();
    taken.sort();
    match taken.first() {
        Some(name) => usage_error(format!(
            "argument `{word}`: the new path is the root, and the files of {old} cannot move to the root: {0} already exists \
             there; give a new name, like {old}=new, or move {old}/{0} to another name first",
            Path::new(name).display()
        )),
        None => Ok(()),
    }
}

/// Notes that a new name has a character that begins a query or a fragment in URLs.
fn note_query(word: &str) {
    if let Some((old, new)) = word.split_once('=')
        && let Some(character) =
            ['?', '#'].into_iter().find(|&it| new.contains(it) && !old.contains(it))
    {
        terminal::note(format!(
            "argument `{word}`: the new file name contains `{character}`, so links to the file contain %{:X}; if you meant a \
             query or a fragment, omit it",
            u32::from(character)
        ));
    }
}

/// `news=blog` for `news:blog`, `news->blog` and `s/news/blog/`.
fn with_other_sign(word: &str) -> Option<String> {
    let of_sed = || {
        let rest = word.strip_prefix("s/")?;
        rest.strip_suffix('/').or(rest.strip_suffix("/g"))?.split_once('/')
    };
    let pair = of_sed().or_else(|| word.split_once("->"));
    let (old, new) = pair.or_else(|| word.split_once(':'))?;
    Some(format!("{old}={new}"))
}

/// Whether `whole` moves a file or directory that exists below `root`.
fn is_move(root: &Path, whole: &str) -> bool {
    whole
        .split_once('=')
        .is_some_and(|(old, new)| !old.is_empty() && !new.is_empty() && root.join(old).exists())
}

/// Refuses a move `SITE/old=SITE/new`, and warns of `old=SITE/new`: paths are below SITE.
fn refuse_site_in_paths(site: &Path, root: &Path, word: &str) -> Result<(), CliError> {
    let Some((old, new)) = word.split_once('=') else {
        return Ok(());
    };
    // A path that begins as SITE does, although SITE has no such directory.
    let below = |path: &str| {
        let first = path.trim_start_matches(is_separator).split(is_separator).next();
        // The root is a name that exists: of an absolute path of Windows, the first name is the drive.
        let has_drive = cfg!(windows) && Path::new(path).is_absolute();
        if !has_drive && first.is_none_or(|first| root.join(first).exists()) {
            return None;
        }
        let path = Path::new(path);
        let site = site.strip_prefix(".").unwrap_or(site);
        let prefixes = [site, root].into_iter();
        let mut prefixes = prefixes.filter(|it| *it != Path::new(""));
        let rest = prefixes.find_map(|prefix| path.strip_prefix(prefix).ok())?;
        Some(rest.display().to_string())
    };
    let (short_old, short_new) = (below(old), below(new));
    let is_old = short_old.is_some();
    let is_new = short_new.is_some();
    let short = format!(
        "{}={}",
        short_old.unwrap_or_else(|| old.to_owned()),
        short_new.unwrap_or_else(|| new.to_owned())
    );
    if is_old {
        return usage_error(format!(
            "argument `{word}`: paths are relative to SITE; write {short}"
        ));
    }
    if is_new {
        terminal::warning(format!(
            "argument `{word}`: paths are relative to SITE, so this move creates {new} in SITE; if {new} \
             already includes the path of SITE, write {short}"
        ));
    }
    Ok(())
}
