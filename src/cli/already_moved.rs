//! `move --already-moved`: the files are at their new places, and only the links are updated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::command_line::quoted;
use super::exit::{CliError, usage_error};
use super::git::{Git, GitError};
use super::requests::plan_moves;
use crate::moves::Request;
use rehref_corpus::Corpus;
use rehref_corpus::run::plan::Origins;
use rehref_rewrite::SiteMapping;
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::{Entry, EntryKind, IndexFiles, MovedUrls, ignores_case};

/// The most moves that a message names.
const SHOWN: usize = 5;

const REFUSAL: &str = "nothing was changed";

/// Returns the requests for the files that git says were renamed in the directory `root` since the last commit.
pub(super) fn renames(root: &Path) -> Result<Vec<Request>, CliError> {
    let renamed = Git::in_folder(root).and_then(|git| git.renames());
    let renamed = renamed.or_else(|error: GitError| usage_error(format!("--git: {error}")))?;
    let committed = || Git::in_folder(root).and_then(|git| git.last_renames()).unwrap_or_default();
    if renamed.is_empty()
        && let renamed = committed()
        && !renamed.is_empty()
    {
        let moves = renamed.iter().map(|(old, new)| {
            quoted(format!("{}={}", String::from_utf8_lossy(old), String::from_utf8_lossy(new)))
        });
        let moves: Vec<String> = moves.take(SHOWN).collect();
        return usage_error(format!(
            "--already-moved --git: no file was renamed since the last commit, but {} in it\nhelp: pass these moves without --git, like {}",
            counted(renamed.len(), "file"),
            moves.join(" ")
        ));
    }
    if renamed.is_empty() {
        return usage_error(
            "--already-moved --git: git knows of no renamed file in the site\nhelp: add moved files with git add, or pass OLD=NEW",
        );
    }
    Ok(renamed.iter().map(|(old, new)| Request::renamed(old, new)).collect())
}

/// Returns the origins of what `requests` moved in the tree of `corpus` before the run, and the mapping of its links.
pub(super) fn origins(
    corpus: &Corpus,
    requests: &[Request],
) -> Result<(Origins, SiteMapping), CliError> {
    let entries = &corpus.walk.entries;
    let existing: FxHashSet<&Path> = entries.iter().map(|entry| entry.path.as_path()).collect();
    let mut back = Vec::new();
    for request in requests {
        let Some((old, _)) = request.paths() else {
            return usage_error(if request.is_pattern() {
                "--already-moved: a pattern does not determine the old path of each file\nhelp: pass OLD=NEW or --map instead of --regex"
            } else {
                "--already-moved: a path leads out of the site\nhelp: pass the directory that has both paths as the site"
            });
        };
        let Some(request) = request.back(|path| existing.contains(path)) else { continue };
        let (new, _) = request.paths().unwrap_or_default();
        let [shown_old, shown_new] = [&old, &new].map(|it| display_path(it));
        if !existing.contains(&*new) {
            return usage_error(format!(
                "--already-moved: {shown_new} does not exist in the site; NEW is where the file is now"
            ));
        }
        if existing.contains(&*old) {
            return usage_error(format!(
                "--already-moved: {shown_old} still exists in the site\nhelp: remove --already-moved to move it"
            ));
        }
        back.push(request);
    }
    let ignores_case = ignores_case(&corpus.root, entries);
    let back = plan_moves(&corpus.root, entries, &back, ignores_case, REFUSAL)?;
    let before = entries_before(entries, |path| back.counterpart(path));
    let moves = plan_moves(&corpus.root, &before, requests, ignores_case, REFUSAL)?;
    let server = corpus.server.clone();
    let files = corpus.file_index_at(&before, server, |path| back.new_path(path).unwrap_or(path));
    let mapping = SiteMapping {
        also: corpus.also.clone(),
        moved: MovedUrls::of(&moves, &before, &files).into(),
        files,
        is_done: true,
        ..SiteMapping::unmoved(corpus.site_url.clone())
    };
    let index_files = IndexFiles::new(&corpus.server, before.iter().map(|it| &it.path));
    Ok((Origins { back, index_files }, mapping))
}

/// The entries of the tree in which each of `entries` is at its `old` path, in the order of a walk.
fn entries_before(entries: &[Entry], old: impl Fn(&Path) -> PathBuf) -> Vec<Entry> {
    let mut before = BTreeMap::new();
    for entry in entries {
        before.entry(old(&entry.path)).or_insert(entry.kind);
    }
    let above = before.keys().flat_map(|path| path.ancestors().skip(1));
    let above = above.filter(|path| !path.as_os_str().is_empty()).map(Path::to_owned);
    for path in above.collect::<Vec<_>>() {
        before.entry(path).or_insert(EntryKind::Directory);
    }
    before.into_iter().map(|(path, kind)| Entry { path, kind }).collect()
}
