//! The configuration of a generator outside of SITE: it may name documents of SITE that move.

use std::fs;
use std::path::{Path, PathBuf};

use super::{markdown, terminal};
use rehref_corpus::run::{Plan, stale_paths_outside};
use rehref_corpus::stale_paths::StalePath;
use rehref_generators::markdown::{MarkdownDialect, NavigationKind};
use rehref_site::diagnostic::display_path;
use rehref_site::{path_in_url, with_slash, with_slashes};

/// The folders of a project, besides its own, that have configuration and data.
const FOLDERS: &[&str] = &["", ".vitepress", "config", "config/_default", "_data", "data"];

/// The size of the largest file that is searched, in bytes. What people write is smaller.
const LARGEST: u64 = 1 << 20;

/// Returns the strings in the configuration outside of the site of `plan` that name old places, with a note on files
/// that `move` would update within SITE.
pub(super) fn stale_paths(plan: &Plan) -> Vec<StalePath> {
    let root = &plan.corpus.root;
    let dialect = plan.corpus.selection.markdown;
    let project = dialect
        .filter(|_| !plan.moves.is_empty())
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
        let stale = stale_paths_outside(plan, &name, &bytes, &below);
        if !stale.is_empty() {
            note_updated(&project, &path, dialect);
        }
        found.extend(stale);
    }
    found
}

/// Notes that `move` updates the file at `path` if it is in SITE.
fn note_updated(project: &Path, path: &Path, dialect: MarkdownDialect) {
    let in_project = path.strip_prefix(project).unwrap_or(path);
    if NavigationKind::of_file(&path_in_url(in_project), dialect).is_some() {
        let (name, project) = (display_path(in_project), project.display());
        terminal::note(format!(
            "{name} is outside the site\nhelp: to update it too, pass {project} instead, with paths from there"
        ));
    }
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

/// The path from the folder `from` to `to`.
fn path_from(from: &Path, to: &Path) -> PathBuf {
    let common = from.ancestors().find(|folder| to.starts_with(folder));
    let common = common.unwrap_or(Path::new(""));
    let rest = |path: &'_ Path| path.strip_prefix(common).map(Path::to_owned);
    let steps = rest(from).map_or(0, |path| path.components().count());
    let mut path: PathBuf = std::iter::repeat_n("..", steps).collect();
    path.extend(rest(to));
    with_slashes(path)
}
