//! Typing mistakes in `rehref move SITE OLD=NEW` that only SITE shows.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, is_separator};

use super::command_line::{quoted, typed_output};
use super::exit::{CliError, usage_error};
use super::likely_site::{best_move_command, is_project, move_command, project_of_output};
use super::working_directory::shown;
use super::{place, terminal};
use crate::moves::Request;
use rehref_corpus::{Corpus, SitePlaceError, folder_of};
use rehref_document::is_markdown;
use rehref_site::diagnostic::display_path;

/// Returns the error about a SITE that is not a directory, before `moves`.
pub(super) fn site_error(error: SitePlaceError, moves: &[OsString]) -> CliError {
    let without_sign = |it: &&str| !it.contains('=');
    let words: Vec<&str> = moves.iter().filter_map(|it| it.to_str()).filter(without_sign).collect();
    let typed = match &error {
        SitePlaceError::Read { path, .. } => path.to_str().unwrap_or_default(),
        SitePlaceError::NotASite(_) => "",
    };
    if is_url(typed) {
        return CliError::Usage(new_url_advice("SITE", typed, words.first().copied()));
    }
    if is_of_sed(typed) {
        return CliError::Usage(sed_advice(Path::new("SITE"), typed));
    }
    let (file, problem) = match &error {
        SitePlaceError::NotASite(file) if place::not_a_site(file).is_none() => {
            (file, "this is a file, but the site is a directory")
        }
        SitePlaceError::Read { path, source }
            if source.kind() == ErrorKind::NotFound
                && !words.is_empty()
                && path.to_str().is_some_and(|it| without_sign(&it)) =>
        {
            (path, "no such file or directory")
        }
        _ => return error.into(),
    };
    let is_there = |it: &OsString| {
        let old = it.to_str().and_then(|it| it.split_once('=')).map(|it| it.0);
        old.is_some_and(|old| folder_of(file).join(old).exists())
    };
    if words.is_empty() && !moves.is_empty() && moves.iter().all(is_there) {
        let moves: Vec<String> = moves.iter().map(|it| quoted(it.to_string_lossy())).collect();
        return CliError::Usage(format!(
            "{}: {problem}\nhelp: pass the root directory of the site: rehref move {} {}{}",
            file.display(),
            quoted(shown(folder_of(file)).display()),
            moves.join(" "),
            typed_output()
        ));
    }
    let new = match words.as_slice() {
        [new] => Path::new(new),
        _ => Path::new("NEW"),
    };
    CliError::Usage(format!(
        "{}: {problem}\nhelp: pass the root directory of the site, and the file in the move: {}",
        file.display(),
        best_move_command(file, new)
    ))
}

/// Returns true for `s/old/new/`.
pub(super) fn is_of_sed(word: &str) -> bool {
    let mark = word.strip_prefix('s').and_then(|it| it.chars().next());
    mark.is_some_and(|it| "/,#|!".contains(it) && word.matches(it).count() >= 3)
}

fn sed_advice(site: &Path, word: &str) -> String {
    let site = quoted(site.display());
    let help = match word.contains("http") {
        true => format!(
            "to publish the site at another URL: rehref move {site} --url http://HOST/ --new-url https://HOST/ --out OUT"
        ),
        false => format!("rehref move {site} OLD=NEW, or by pattern: --regex '(.*)\\.htm=$1.html'"),
    };
    format!("argument `{word}`: moves are OLD=NEW, not expressions of sed\nhelp: {help}")
}

/// Refuses an expression of sed among the `patterns` of `--regex`.
pub(super) fn refuse_sed(site: &Path, patterns: &[String]) -> Result<(), CliError> {
    let sed = patterns.iter().find(|it| is_of_sed(it) && !it.contains('='));
    sed.map_or(Ok(()), |it| usage_error(sed_advice(site, it)))
}

/// Returns true if `word` is an absolute URL of a server.
pub(super) fn is_url(word: &str) -> bool {
    word.starts_with("http://") || word.starts_with("https://")
}

/// The error of URLs in place of paths: the site is to be published at `new` instead of `old`.
fn new_url_advice(site: &str, old: &str, new: Option<&str>) -> String {
    let new = new.filter(|it| is_url(it)).unwrap_or("NEW");
    format!(
        "{old}: move takes paths, not URLs\nhelp: if the site itself is at {old}, to publish it at another URL: rehref move {} --url {old} --new-url {new} --out DIR\nhelp: rehref does not change links to other sites; `rehref links SITE --only external` lists them",
        quoted(site)
    )
}

/// Refuses words of `moves` without `=`, if OLD and NEW seem to be two of them, or if a shell has expanded a pattern.
/// `root` is the directory of the site, which the user calls `site`; `given` is its URL.
pub(super) fn refuse_words(
    site: &Path,
    root: &Path,
    moves: &[OsString],
    given: Option<&str>,
) -> Result<(), CliError> {
    let words = moves.iter().filter_map(|it| it.to_str()).filter(|it| !it.contains('='));
    let words: Vec<&str> = words.collect();
    let exists = |path: &str| root.join(path).exists();
    // A name with spaces, which the shell has split.
    let whole = moves.iter().filter_map(|it| it.to_str()).collect::<Vec<_>>().join(" ");
    if let Some((old, _)) = whole.split_once('=')
        && !words.is_empty()
        && old.contains(' ')
        && exists(old)
    {
        return usage_error(format!(
            "a name with spaces needs quotes\nhelp: rehref move {} {}{}",
            quoted(site.display()),
            quoted(&whole),
            typed_output()
        ));
    }
    if let Some(at) = words.iter().position(|it| is_url(it)) {
        let url = words.get(at).copied().unwrap_or_default();
        let (old, new) = match (given, words.get(at + 1)) {
            (Some(given), None) if given != url => (given, Some(url)),
            (_, new) => (url, new.copied()),
        };
        return usage_error(new_url_advice(&site.to_string_lossy(), old, new));
    }
    match words.as_slice() {
        [_, "-"] => usage_error(
            "the shell reads `>` as a redirection, and wrote to the file after it\nhelp: write a move as OLD=NEW in one argument, and remove that file",
        ),
        [old, new] => {
            let (old, new) = if exists(new) && !exists(old) { (new, old) } else { (old, new) };
            usage_error(format!(
                "OLD and NEW are one argument, with `=` between them\nhelp: rehref move {} {}{}",
                quoted(site.display()),
                quoted(format!("{old}={new}")),
                typed_output()
            ))
        }
        [other] if Path::new(other).is_dir() && !exists(other) => usage_error(format!(
            "move accepts only one site\nhelp: to write to {0}, add --out {0}\nhelp: if {0} is the site after the move: rehref compare {1} {0} finds what it has lost",
            quoted(other),
            quoted(site.display())
        )),
        [new] if !exists(new) && Path::new(new).file_name() == site.file_name() => {
            let parent = quoted(shown(folder_of(site)).display());
            let moved = quoted(format!("{}={new}", site.display()));
            usage_error(format!(
                "argument `{new}`: has no `=`\nhelp: to rename the site, pass the directory above: rehref move {parent} {moved} --in-place\nhelp: to publish it at another URL, add --url OLD --new-url NEW"
            ))
        }
        [new] if is_of_sed(new) => usage_error(sed_advice(site, new)),
        [new] if let Some(command) = move_command(site, Path::new(new)) => usage_error(format!(
            "the site comes first, then OLD=NEW, relative to the site\nhelp: {command}"
        )),
        [_, _, _, ..] => usage_error(format!(
            "{} arguments have no `=`\nhelp: pass each move as OLD=NEW, or many files as a pattern: `--regex '(.*)\\.html=old/$1.html'`",
            words.len()
        )),
        _ => Ok(()),
    }
}

/// Refuses `moves` that are typing mistakes for the site at `root`, which the user calls `site`.
pub(super) fn refuse(site: &Path, root: &Path, moves: &[OsString]) -> Result<(), CliError> {
    for word in moves.iter().filter_map(|word| word.to_str()) {
        let Some((old, new)) = word.split_once('=') else { continue };
        let host = |it: &'_ str| it.split('/').nth(2).map(str::to_owned);
        let after_scheme = |it: &'_ str| it.split_once("://").map(|it| it.1.to_owned());
        let is_of_site = host(old) != host(new) || after_scheme(old) == after_scheme(new);
        // Two places of the same host, of which one is in the site.
        let path = |url: &str| url.splitn(4, '/').nth(3).unwrap_or_default().to_owned();
        let (old_path, new_path) = (path(old), path(new));
        let is_in_site = || root.join(old_path.trim_end_matches('/')).exists();
        if is_url(old) && is_url(new) && !is_of_site && !old_path.is_empty() && is_in_site() {
            return usage_error(format!(
                "argument `{word}`: move takes paths, not URLs\nhelp: rehref move {} {}{}",
                quoted(site.display()),
                quoted(format!("{old_path}={new_path}")),
                typed_output()
            ));
        }
        if is_url(old) && is_url(new) && is_of_site {
            return usage_error(new_url_advice(&site.to_string_lossy(), old, Some(new)));
        }
        // A query or a fragment begins so.
        if let Some(character) =
            ['?', '#'].into_iter().find(|&it| new.contains(it) && !old.contains(it))
        {
            terminal::note(format!(
                "argument `{word}`: the new file name contains `{character}`, so links to the file contain %{:X}\nhelp: if you meant a query or a fragment, remove it",
                u32::from(character)
            ));
        }
        if root.file_name() == Some(OsStr::new(old.trim_end_matches('/')))
            && !root.join(old).exists()
        {
            return usage_error(format!(
                "argument `{word}`: {old} is the site itself\nhelp: to rename it, pass the directory above: rehref move {} {}\nhelp: to publish it at another URL, add --url OLD --new-url NEW",
                quoted(shown(folder_of(site)).display()),
                quoted(word)
            ));
        }
        let below = |path: &str| below_site(site, root, path);
        let short_new = below(new);
        if let Some(short_old) = below(old) {
            if short_old.is_empty() {
                let parent = folder_of(site);
                let names = [old, new].map(|it| {
                    Path::new(it)
                        .strip_prefix(parent)
                        .unwrap_or(Path::new(it))
                        .display()
                        .to_string()
                });
                return usage_error(format!(
                    "argument `{word}`: {old} is the site itself\nhelp: to rename it, pass the directory above: rehref move {} {}",
                    quoted(shown(parent).display()),
                    quoted(names.join("="))
                ));
            }
            let is_output = project_of_output(root).is_some();
            let whole = match !is_output && is_project(Path::new(".")) {
                true => format!(
                    "\nhelp: to move in the whole project, with its configuration, pass it: rehref move . {}",
                    quoted(word)
                ),
                false => String::new(),
            };
            return usage_error(format!(
                "argument `{word}`: paths are relative to the site\nhelp: write {short_old}={}{whole}",
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

/// Refuses a move of the URL of a page that a generator makes of a document in `corpus`.
pub(super) fn refuse_pages(corpus: &Corpus, requests: &[Request]) -> Result<(), CliError> {
    let pages = corpus.server.sources.as_ref().and_then(|it| it.pages.as_ref());
    let Some(pages) = pages else { return Ok(()) };
    let stated = corpus.stated_urls();
    let site = pages.stated_site.as_ref().and_then(|it| it.url.split_once("://"));
    let base = site.and_then(|(_, rest)| Some(rest.split_once('/')?.1)).unwrap_or_default();
    let base = base.trim_matches('/');
    for (old, new) in requests.iter().filter_map(Request::paths) {
        if corpus.root.join(&old).exists() {
            continue;
        }
        let [url, new] = [&old, &new].map(|it| {
            let path = display_path(it);
            let below = path.strip_prefix(base).filter(|_| !base.is_empty());
            below.and_then(|it| it.strip_prefix('/')).unwrap_or(&path).to_owned()
        });
        let [url, new] = [url, new].map(|it| it.trim_end_matches(".html").to_owned());
        let is_page = |path: &&Path| {
            let page = pages.page(path, stated.get(*path));
            page.is_some_and(|it| it.url.trim_matches('/').trim_end_matches(".html") == url)
        };
        let mut documents = corpus.files().filter(|it| is_markdown(it));
        let Some(document) = documents.find(is_page).map(display_path) else { continue };
        let ends = [".md", "/index.md", "/_index.md", "/README.md"].into_iter();
        let mut ends =
            ends.filter_map(|end| Some((document.strip_suffix(&format!("{url}{end}"))?, end)));
        let help = match ends.next() {
            Some((folder, end)) => format!("write {document}={folder}{new}{end}"),
            None => format!("write the path of the document: {document}=NEW"),
        };
        return usage_error(format!(
            "moves are by path, not by URL: {} is the page of {document}\nhelp: {help}",
            old.display()
        ));
    }
    Ok(())
}

/// The rest of a `path` that begins as SITE does, although SITE has no such directory.
fn below_site(site: &Path, root: &Path, path: &str) -> Option<String> {
    let path = path.strip_prefix("./").unwrap_or(path);
    let first = path.trim_start_matches(is_separator).split(is_separator).next();
    // The root is a name that exists: of an absolute path of Windows, the first name is the drive.
    let has_drive = cfg!(windows) && Path::new(path).is_absolute();
    if !has_drive && first.is_none_or(|first| root.join(first).exists()) {
        return None;
    }
    let prefixes = [site.strip_prefix(".").unwrap_or(site), root].into_iter();
    let mut prefixes = prefixes.filter(|it| *it != Path::new(""));
    let rest = prefixes.find_map(|prefix| Path::new(path).strip_prefix(prefix).ok())?;
    let slash = if path.ends_with(is_separator) && rest != Path::new("") { "/" } else { "" };
    Some(format!("{}{slash}", rest.display()))
}
