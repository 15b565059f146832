//! The directory that is probably the root of a site, for advice where a user passed a file or a directory in it.

use std::fs;
use std::path::{Path, PathBuf};

use super::command_line::{quoted, typed_output};
use super::working_directory::{from_here, shown, working_directory};
use rehref_corpus::folder_of;
use rehref_document::{DocumentKind, is_markdown};
use rehref_generators::markdown::{DIALECTS, DialectRow, UNREAD};

/// Returns the generators, also those that rehref does not read.
fn generators() -> impl Iterator<Item = &'static DialectRow> {
    DIALECTS.iter().chain(UNREAD).map(|it| it.row())
}

/// Returns the name of the generator that the file at `path` configures, by the name of the file.
pub(super) fn configured_by(path: &Path) -> Option<&'static str> {
    let is_named = |(name, word): (&str, Option<_>)| word.is_none() && path.ends_with(name);
    let row = generators().find(|row| row.configurations().any(is_named))?;
    Some(row.program)
}

/// Returns true if `folder` has the configuration of a generator.
pub(super) fn is_project(folder: &Path) -> bool {
    generator_of(folder).is_some()
}

/// Returns the directory of the project of a generator at or above `root`.
pub(super) fn project_of(root: &Path) -> Option<&Path> {
    root.ancestors().find(|it| is_project(it))
}

/// Returns the path from the working directory to the directory `project` in the tree at `root`, a canonical path, or to the
/// project around that.
pub(super) fn built_project(root: &Path, project: &str) -> PathBuf {
    match project.trim_end_matches('/') {
        "" => from_here(project_of(root).unwrap_or(root)),
        below => from_here(&root.join(below)),
    }
}

/// The usual names of directories to which generators write.
const OUTPUTS: [&str; 8] = ["site", "_site", "public", "build", "dist", "book", "html", "_build"];

/// Returns true for a directory with the name of an output.
pub(super) fn is_output(folder: Option<&Path>) -> bool {
    folder.and_then(Path::to_str).is_some_and(|it| OUTPUTS.contains(&it))
}

/// Returns the generator that writes to `root`, a path with the name of an output, and its project.
pub(super) fn project_of_output(root: &Path) -> Option<(&'static DialectRow, &Path)> {
    let name = root.file_name()?.to_str()?;
    let project = root.ancestors().skip(1).take(3).find(|it| is_project(it))?;
    Some((generator_of(project).filter(|_| OUTPUTS.contains(&name))?, project))
}

/// Returns the generator whose configuration is in the directory `project`.
pub(super) fn generator_of(project: &Path) -> Option<&'static DialectRow> {
    let is_there = |(name, word): (&str, Option<_>)| word.is_none() && project.join(name).is_file();
    generators().find(|row| row.configurations().any(is_there))
}

/// Returns the directory of the project of which the file at `path` lists the documents.
pub(super) fn listed_project(path: &Path) -> Option<&Path> {
    let is_list = generators().filter_map(|it| it.list).any(|it| path.ends_with(it));
    path.ancestors().skip(1).find(|it| is_list && is_project(it))
}

/// Returns true if a file in `folder` itself `is` of a kind.
fn has(folder: &Path, is: fn(&Path) -> bool) -> bool {
    let entries = fs::read_dir(shown(folder)).into_iter().flatten().filter_map(Result::ok);
    entries.map(|it| it.file_name()).any(|name| is(Path::new(&name)))
}

fn is_index(path: &Path) -> bool {
    let name = path.file_stem().filter(|_| is_page(path));
    name.is_some_and(|it| it.eq_ignore_ascii_case("index"))
}

/// Returns true for HTML, by the name of the file.
pub(super) fn is_page(path: &Path) -> bool {
    DocumentKind::of_built_path(path) == Some(DocumentKind::Html)
}

/// Returns the directory around the relative `path` that is probably the root of its site: the project of a source, or
/// the topmost directory with an index page or a source, since links from outside of a lower one would break.
pub(super) fn likely_site(path: &Path) -> Option<&Path> {
    if path.has_root() {
        return None;
    }
    let is_source = if path.is_dir() { has(path, is_markdown) } else { is_markdown(path) };
    let around = || path.ancestors().skip(1);
    let project = around().find(|it| is_source && is_project(it));
    let topmost = |is: fn(&Path) -> bool| around().filter(|it| has(it, is)).last();
    // The working directory may have any page, such as a report.
    let pages = || topmost(is_page).filter(|it| *it != Path::new(""));
    match is_source {
        true => project.or_else(|| topmost(is_markdown)),
        false => topmost(is_index).or_else(pages),
    }
}

/// Returns the path in its site of the document at `path`, if that is below the working directory, and not in the root of
/// the site.
pub(super) fn below_likely_site(path: &Path) -> Option<PathBuf> {
    let path = path.strip_prefix(working_directory().ok()?).ok()?;
    let below = path.strip_prefix(likely_site(path)?).ok()?;
    (below.components().count() > 1).then(|| below.to_owned())
}

/// Returns the command that moves `old`, a path from the working directory, to `new`; `None` if its site is not known.
pub(super) fn move_command(old: &Path, new: &Path) -> Option<String> {
    // A path without a name is that of the site itself.
    old.file_name()?;
    Some(command(likely_site(old)?, old, new))
}

/// Returns the same; if the site is not known, the topmost directory of `old` stands for it.
pub(super) fn best_move_command(old: &Path, new: &Path) -> String {
    let topmost = old.ancestors().skip(1).filter(|it| *it != Path::new("")).last();
    let topmost = if old.has_root() { Some(folder_of(old)) } else { topmost };
    move_command(old, new).unwrap_or_else(|| command(topmost.unwrap_or(Path::new("")), old, new))
}

fn command(site: &Path, old: &Path, new: &Path) -> String {
    let below = |path: &Path| path.strip_prefix(site).unwrap_or(path).display().to_string();
    let moved = quoted(format!("{}={}", below(old), below(new)));
    format!("rehref move {} {moved}{}", quoted(shown(site).display()), typed_output())
}
