//! Errors of moves that are impossible.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::name::shown;
use rehref_document::is_markdown;
use rehref_site::{joined, path_bytes};

/// The error of a request to move that is malformed or impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {problem}")]
pub struct MoveError {
    /// The place where the user wrote the request.
    pub origin: RequestOrigin,
    /// The reason why the move is impossible.
    pub problem: Problem,
}

/// The place where the user wrote a request, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestOrigin {
    /// An argument `OLD=NEW`.
    Argument(Arc<str>),
    /// A line of a map.
    Map {
        /// The file of the map.
        file: Arc<str>,
        /// The number of the line, from 1.
        line: usize,
    },
    /// The value of `--regex`.
    Regex(Arc<str>),
}

impl fmt::Display for RequestOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RequestOrigin::Argument(argument) => write!(f, "argument `{argument}`"),
            RequestOrigin::Map { file, line } => write!(f, "{file}:{line}"),
            RequestOrigin::Regex(regex) => write!(f, "--regex `{regex}`"),
        }
    }
}

/// The reason why a move is impossible, as a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    message: String,
    /// The old and the new path, if a file that does not move exists at the new path.
    pub taken: Option<(PathBuf, PathBuf)>,
}

impl<T: Into<String>> From<T> for Problem {
    fn from(message: T) -> Problem {
        Problem { message: message.into(), taken: None }
    }
}

impl Problem {
    /// `old` does not exist. `nearest`: the most similar path of the tree; `target`: the new path, if it exists;
    /// `new`: the new path as written; `top`: the names at the root of the tree, for advice.
    pub(super) fn missing(
        old: &Path,
        nearest: Option<PathBuf>,
        target: Option<PathBuf>,
        new: Option<&str>,
        top: &[&Path],
    ) -> Problem {
        let text = old.to_string_lossy();
        let is_file = |it: &str| [".js", ".css", ".map"].iter().any(|end| it.ends_with(end));
        let has_labels =
            |it: &str| it.matches('.').count() > 1 && !it.contains('/') && !is_file(it);
        let is_host = text.contains(':')
            || [".com", ".org", ".net"].iter().any(|end| text.ends_with(end))
            || nearest.is_none() && has_labels(&text) && new.is_some_and(has_labels);
        let stars = ["/**/*", "/**", "/*", "/:splat", "/$1"];
        let all = |path: &str| stars.iter().find_map(|it| path.strip_suffix(it)).map(str::to_owned);
        let folder = |new: &str| all(new).or_else(|| new.strip_suffix('/').map(str::to_owned));
        let folders = all(&text).zip(new.and_then(folder));
        let by_pattern = new.and_then(|new| pattern(&text, new));
        let hint = if let Some(pattern) = by_pattern.filter(|_| folders.is_none()) {
            format!(
                "; `*` has no special meaning here\nhelp: to move the files, write --regex '{pattern}'"
            )
        } else if let Some((old, new)) = folders.filter(|(old, _)| !old.contains('*')) {
            format!("; a directory moves with all its files\nhelp: write {old}={new}")
        } else if text.contains(['*', '?', '[', '{']) || text.contains("/:") {
            "; `*`, `?`, `[`, `{` and `:` have no special meaning here: a directory moves with all its files, and --regex \
             moves files by pattern, like --regex 'news/(.*)\\.html=blog/$1.html'"
                .to_owned()
        } else if old.to_str().is_none() {
            "\nhelp: the path is not in UTF-8: convert the list, as with iconv -f windows-1252 -t UTF-8 LIST > NEW_LIST".to_owned()
        } else if text.starts_with('#') {
            "\nhelp: to rename an anchor, write the page before it, like guide/a.html#old=#new"
                .to_owned()
        } else if is_host {
            "; moves are by path\nhelp: for another URL of the site, add --url OLD --new-url NEW"
                .to_owned()
        } else if let Some(target) = target {
            format!(
                ", but {} does\nhelp: if it moved before, add --already-moved to update the links, and for redirects compare with the old site: rehref compare OLD SITE\nhelp: if the two paths are swapped, write {}={text}",
                shown(&target),
                target.display(),
            )
        } else {
            let help =
                |it: &Path| new.map(|new| format!("\nhelp: write {}", corrected(old, new, it)));
            match nearest {
                Some(it) => {
                    format!("; the nearest name is {}{}", shown(&it), help(&it).unwrap_or_default())
                }
                None if top.is_empty() => String::new(),
                None => {
                    let names: Vec<String> = top.iter().take(3).map(|it| shown(it)).collect();
                    let more = if top.len() > names.len() { ", ..." } else { "" };
                    let is_word = old.extension().is_none() && old.components().count() == 1;
                    let label =
                        if is_word { "; move renames files, not labels or words" } else { "" };
                    format!(
                        "\nhelp: paths are relative to the site, which has {}{more}; for a part of its URL, use --url OLD --new-url NEW{label}",
                        names.join(", ")
                    )
                }
            }
        };
        format!("{} does not exist in the site{hint}", shown(old)).into()
    }

    /// `old` does not exist, and seems to be the title of a column.
    pub(super) fn header(old: &Path) -> Problem {
        format!(
            "{} does not exist in the site\nhelp: if this line is the header of the table, delete it",
            shown(old)
        )
        .into()
    }

    /// `old` exists only after the other moves; before them, it is at `before`.
    pub(super) fn missing_before(old: &Path, before: &Path, new: &str) -> Problem {
        let before = (shown(before), before.display());
        format!(
            "{} exists only after the other moves; before them, it is {}\nhelp: all paths on the left side are those of today: write {}={new}",
            shown(old),
            before.0,
            before.1
        )
        .into()
    }

    /// `old` cannot move to `new`, for this reason.
    pub(super) fn impossible(old: &Path, new: &Path, why: impl fmt::Display) -> Problem {
        format!("{} cannot move to {}: {why}", shown(old), shown(new)).into()
    }

    /// Git ignores `ignored`, which exists at `new` or is a directory above.
    pub(super) fn ignored(old: &Path, new: &Path, ignored: &Path) -> Problem {
        let ignored = shown(ignored);
        let why = format!("{ignored} exists, and git ignores it\nhelp: choose another name");
        Problem::impossible(old, new, why)
    }

    /// `new` exists and does not move.
    pub(super) fn taken(
        old: &Path,
        new: &Path,
        existing: Existing,
        common: Option<&Path>,
    ) -> Problem {
        let why = existing.with_advice(old, new, common);
        let taken = Some((old.to_owned(), new.to_owned()));
        Problem { taken, ..Problem::impossible(old, new, why) }
    }
}

/// The value of `--regex` for a move of files with one `*` in their name, like `news/*.htm` to `blog/` or `blog/*.html`.
pub(super) fn pattern(old: &str, new: &str) -> Option<String> {
    let (before, after) = old.split_once('*').filter(|(before, after)| {
        let has_others =
            [before, after].iter().any(|it| it.contains(['*', '?', '[', '(', '=', ':']));
        !has_others && !after.contains('/') && (before.ends_with('/') || before.is_empty())
    })?;
    let escaped = |text: &str| text.replace('.', "\\.");
    let new = match new.split_once('*') {
        Some((start, end)) => format!("{start}$1{end}"),
        None if new.ends_with('/') => format!("{new}$1{after}"),
        None => return None,
    };
    let is_plain = !new.contains(['*', '=', ':']);
    // As in globs, a name without a directory is one at any depth.
    let any =
        if old == "*" || before.is_empty() && !new.contains('/') { "(.*)" } else { "([^/]*)" };
    is_plain.then(|| format!("{}{any}{}={new}", escaped(before), escaped(after)))
}

/// The move of `nearest` in place of `old`: what is added to or removed from `old`, a prefix or an extension, is also
/// added to or removed from `new`.
fn corrected(old: &Path, new: &str, nearest: &Path) -> String {
    let [old, nearest] =
        [old, nearest].map(|it| String::from_utf8_lossy(&path_bytes(it)).into_owned());
    let whole = new.trim_start_matches('/');
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    // The document has another extension: a page by its name, or a slip in both paths.
    let page = old.rsplit_once('.').filter(|(bare, extension)| {
        let is_page = matches!(*extension, "html" | "htm") && is_markdown(Path::new(&nearest));
        let other = nearest.rsplit_once('.').filter(|(_, it)| it != extension);
        is_page || other.is_some_and(|(it, _)| last(it) == last(bare))
    });
    let bare = page.and_then(|(_, it)| whole.strip_suffix(it)?.strip_suffix('.'));
    let relative = bare.unwrap_or(whole);
    let old = page.map_or(&*old, |(bare, _)| bare);
    let bare = nearest.rsplit_once('.').map(|(bare, _)| bare).filter(|it| last(it) == last(old));
    let (_, extension) = nearest.split_at(bare.unwrap_or(&nearest).len());
    let (old_folder, folder) = without_common_end(old, bare.unwrap_or(&nearest));
    let new = match relative.strip_prefix(old_folder) {
        Some(rest) => format!("{folder}{rest}"),
        None => relative.to_owned(),
    };
    let has_extension = new.ends_with(extension) || new.ends_with('/');
    let new = if has_extension { new } else { new + extension };
    match format!("{nearest}={new}") {
        quoted if quoted.contains(' ') => format!("'{quoted}'"),
        plain => plain,
    }
}

/// The folders in which two paths begin to be equal, with a slash at their ends; the paths, if their names differ.
fn without_common_end<'p>(one: &'p str, other: &'p str) -> (&'p str, &'p str) {
    let names = one.rsplit('/').zip(other.rsplit('/')).take_while(|(one, other)| one == other);
    let length = names.map(|(name, _)| name.len() + 1).sum::<usize>().saturating_sub(1);
    let start = |path: &'p str| path.get(..path.len() - length).unwrap_or(path);
    (start(one), start(other))
}

/// The kind of the entry at the new path of a request, which does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Existing {
    /// A file or a symbolic link.
    File,
    /// A folder, and the source is a folder.
    Folder,
    /// A folder, and the source is a file, which could move into it.
    FolderForFile,
}

impl Existing {
    /// The kind of the entry, and the paths to write instead. `from` and `to` are the paths of the request, `common`
    /// is a path that is in the way of one that would be moved there.
    fn with_advice(self, from: &Path, to: &Path, common: Option<&Path>) -> String {
        let inside = joined(to, from.file_name().unwrap_or_default());
        let is_elsewhere = inside != from;
        let is_root = to.as_os_str().is_empty();
        let is_outside = !is_root && is_elsewhere;
        let (from, to, inside) = (from.display(), to.display(), inside.display());
        let common = common.map(Path::display);
        let advice = match (self, common) {
            (Existing::File, _) => {
                return "a file exists there and does not move\nhelp: choose another name"
                    .to_owned();
            }
            (Existing::FolderForFile, Some(common)) if is_elsewhere => {
                return format!(
                    "a directory exists there, and {common} in it, too\nhelp: choose another name"
                );
            }
            (Existing::Folder, Some(common)) if is_outside => format!(
                "to move into it, write {from}={inside}; to merge the two is impossible, because {common} exists"
            ),
            (Existing::Folder, Some(common)) if is_root => format!(
                "{common} exists there, too: move what is there first, like {common}=old/{common}, and the files of {from} with --regex '{from}/(.*)=$1'"
            ),
            (Existing::Folder, _) if is_root => {
                format!("to move the files of {from} there, use --regex '{from}/(.*)=$1'")
            }
            (Existing::FolderForFile, _) if is_root && is_elsewhere => {
                format!("write {from}={inside}")
            }
            (Existing::Folder, _) if is_outside => format!(
                "to move into it, write {from}={inside}\nhelp: to merge the two, use --regex '{from}/(.*)={to}/$1'"
            ),
            (Existing::FolderForFile, _) if is_outside => {
                format!("to move into it, write {from}={to}/")
            }
            _ => "choose another name".to_owned(),
        };
        format!("a directory exists there and does not move\nhelp: {advice}")
    }
}
