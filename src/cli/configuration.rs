//! The configuration of a generator outside of SITE: it may name documents of SITE that move.

use std::fs;
use std::path::{Path, PathBuf};

use super::command_line::quoted;
use super::working_directory::{argument, path_from};
use super::{markdown, terminal};
use rehref_corpus::run::plan::Mode;
use rehref_corpus::run::{Plan, stale_paths_outside};
use rehref_corpus::stale_paths::StalePath;
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};
use rehref_site::diagnostic::display_path;
use rehref_site::{joined, path_in_url, with_slash};

/// The folders of a project, besides its own, that have configuration and data.
const FOLDERS: &[&str] = &["", ".vitepress", "config", "config/_default", "_data", "data"];

/// The most moves that a command in a message has.
const SHOWN: usize = 3;

/// The size of the largest file that is searched, in bytes. What people write is smaller.
const LARGEST: u64 = 1 << 20;

/// Returns the strings in the configuration outside of the site of `plan` that name old places, with a note on files
/// that `move` would update within SITE.
pub(super) fn stale_paths(plan: &Plan) -> Vec<StalePath> {
    let root = &plan.corpus.root;
    let dialect = plan.corpus.selection.markdown;
    let project = dialect
        .filter(|_| !moved(plan).is_empty())
        .and_then(|dialect| markdown::project_outside(root, &plan.corpus.walk, dialect));
    let (Some(dialect), Some(project)) = (dialect, project) else { return Vec::new() };
    let mut found = Vec::new();
    for path in files(&project, root) {
        let folder = path.parent().unwrap_or(&project);
        let below = with_slash(&path_in_url(&path_from(folder, root)));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let path = path.display();
                terminal::warning(format!(
                    "{path}: {error}; rehref did not search it for old paths"
                ));
                continue;
            }
        };
        let name = path_from(root, &path);
        let stale = match &plan.origins {
            None => stale_paths_outside(plan, &name, &bytes, &below),
            Some(_) => Vec::new(),
        };
        // What has moved before, nothing resolves.
        let names_old = || {
            let text = String::from_utf8_lossy(&bytes);
            plan.origins.is_some()
                && moved(plan).iter().any(|(old, _)| text.contains(&*path_in_url(old)))
        };
        if !stale.is_empty() || names_old() {
            note_updated(plan, &project, &path, dialect);
        }
        found.extend(stale);
    }
    found
}

/// The old and new paths of what is moved, or has moved before: directories, and files that do not move with one.
pub(super) fn moved(plan: &Plan) -> Vec<(&Path, &Path)> {
    let moves = plan.origins.as_ref().map_or(&plan.moves, |it| &it.back);
    let is_alone = |(old, new): &(&Path, &Path)| {
        let mut folders = moves.folders();
        !folders.any(|(from, to)| {
            old.strip_prefix(from).is_ok_and(|rest| new.strip_prefix(to) == Ok(rest))
        })
    };
    let all = moves.folders().chain(moves.files().filter(is_alone));
    match plan.origins {
        None => all.collect(),
        Some(_) => all.map(|(new, old)| (old, new)).collect(),
    }
}

/// Notes that `move` updates the file at `path` if it is in SITE, and the command that does it.
fn note_updated(plan: &Plan, project: &Path, path: &Path, dialect: MarkdownDialect) {
    let in_project = path.strip_prefix(project).unwrap_or(path);
    if NavigationKind::of_file(&path_in_url(in_project), dialect).is_none() {
        return;
    }
    // The documents may be beside the project.
    let site = project.ancestors().find(|it| plan.corpus.root.starts_with(it)).unwrap_or(project);
    let below = path_from(site, &plan.corpus.root);
    let shown = |path: &Path| display_path(&joined(&below, path));
    let moved = moved(plan);
    let moves =
        moved.iter().take(SHOWN).map(|(old, new)| quoted(format!("{}={}", shown(old), shown(new))));
    let more = if moved.len() > SHOWN { " and so on" } else { "" };
    let is_done = matches!(plan.mode, Mode::Exchange(_) | Mode::InPlace);
    let options = if is_done { " --already-moved --in-place" } else { "" };
    terminal::note(format!(
        "{} is outside the site\nhelp: to update it too, pass the project{}: rehref move {}{options} {}{more}",
        display_path(in_project),
        if is_done { " afterwards" } else { " instead" },
        argument(site),
        moves.collect::<Vec<_>>().join(" "),
    ));
}

/// The files in the folders of the configuration in `project`, in order; without those in `root`.
fn files(project: &Path, root: &Path) -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(|folder| project.join(folder));
    let folders = folders.filter(|folder| !folder.starts_with(root));
    // Most projects have only some of them.
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let is_small = |entry: &fs::DirEntry| {
        let metadata = entry.metadata();
        metadata.is_ok_and(|it| it.is_file() && it.len() <= LARGEST)
    };
    let mut files: Vec<PathBuf> = entries.filter(is_small).map(|it| it.path()).collect();
    files.sort();
    files
}
