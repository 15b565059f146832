//! Warnings of the unwanted effects of a move: links that break, names that collide, a root without a page.

use std::path::Path;

use super::first_paths::first_paths;
use super::{anchor_warnings, redirect_pages, terminal};
use rehref_corpus::Corpus;
use rehref_corpus::run::Plan;
use rehref_document::{DocumentKind, is_markdown};
use rehref_site::diagnostic::display_path;
use rehref_site::plural::counted;
use rehref_site::{EntryKind, Spellings};

/// Prints a warning for each thing that the moves of `plan` may do by mistake.
pub(super) fn warn(plan: &Plan) {
    warn_of_excluded(plan);
    warn_of_unread_markdown(plan);
    warn_of_lost_extensions(plan);
    warn_of_lost_pages(plan);
    warn_of_lost_root(plan);
    warn_of_case(plan);
    anchor_warnings::warn(plan);
}

/// Warns of documents in Markdown that move, but are not read: their links break.
fn warn_of_unread_markdown(plan: &Plan) {
    let moved = plan.moves.files().filter(|(old, _)| is_markdown(old));
    let moved = moved.count();
    if moved > 0 && plan.corpus.selection.markdown.is_none() {
        let files = counted(moved, "file");
        let are = if moved == 1 { "is" } else { "are" };
        terminal::warning(format!(
            "{files} that would move {are} Markdown, and rehref reads no Markdown here, so links from and to them may \
             break; name the generator with --markdown"
        ));
    }
}

/// Warns of documents of which the generator makes no page at their new paths.
fn warn_of_lost_pages(plan: &Plan) {
    let corpus = &plan.corpus;
    let Some(pages) = redirect_pages::sources(corpus) else {
        return;
    };
    let stated = corpus.stated_urls();
    let has_page = |old: &Path, path: &Path| pages.page(path, stated.get(old)).is_some();
    let moved = plan.moves.files().filter(|(old, _)| is_markdown(old));
    let lost: Vec<String> = moved
        .filter(|(old, new)| has_page(old, old) && !has_page(old, new))
        .map(|(_, new)| display_path(new))
        .collect();
    if !lost.is_empty() {
        let program = pages.dialect.row().program;
        let documents = counted(lost.len(), "moved document");
        let named = first_paths(lost.iter().map(String::as_str));
        terminal::warning(format!(
            "{program} makes no page of {documents}, or one whose URL rehref does not know; links to the old pages stay \
             as they are: {named}"
        ));
    }
}

/// Warns if the site's root had an index file and loses it, so that visitors of its URL find nothing.
fn warn_of_lost_root(plan: &Plan) {
    let is_of_root = |path: &Path| !path.as_os_str().as_encoded_bytes().contains(&b'/');
    let corpus = &plan.corpus;
    let old = corpus.files().find(|path| is_of_root(path) && corpus.index_files.has(path));
    let new_path = |path| plan.moves.new_path(path).unwrap_or(path);
    let has_new = || {
        let mut files = corpus.files().map(new_path);
        files.any(|path| is_of_root(path) && plan.new_index_files.has(path))
    };
    let Some(old) = old.filter(|_| !plan.moves.is_empty() && !has_new()) else {
        return;
    };
    let (name, new) = (old.display(), new_path(old).display());
    let advice = if is_of_root(new_path(old)) {
        format!("; if the server serves {new} instead, add --index-files '{name},{new}'")
    } else {
        "; add another index file".to_owned()
    };
    terminal::warning(format!(
        "the root of the site loses its index file, {name}, so a server has no page for the root URL{advice}"
    ));
}

/// Warns of a name that differs from another one of the same directory only in letter case, because of the
/// moves: where file systems ignore case, both are one file or directory.
fn warn_of_case(plan: &Plan) {
    let entries = &plan.corpus.walk.entries;
    // The names that stay or are new, without those of directories that all files leave.
    let mut spellings = Spellings::default();
    let staying = entries
        .iter()
        .filter(|entry| entry.kind != EntryKind::Directory && entry.kind.is_of_site())
        .map(|entry| &*entry.path)
        .filter(|path| plan.moves.new_path(path).is_none());
    for path in staying {
        spellings.add(path);
    }
    let mut new = plan.moves.files();
    if let Some((path, other)) = new.find_map(|(_, new)| spellings.add(new)) {
        let (path, other) = (path.display(), other.display());
        terminal::warning(format!(
            "{path} and {other} differ only in letter case, and are the same on Windows and macOS; write the \
             same letter case in both"
        ));
    }
}

/// Warns of pages that lose their extension: `a.html=news` names a file, `a.html=news/` a directory.
fn warn_of_lost_extensions(plan: &Plan) {
    let is_page = |path: &Path| {
        let extension = path.extension().and_then(|it| it.to_str());
        matches!(extension, Some("html" | "htm" | "xhtml"))
    };
    let moved = |path| Some((path, plan.moves.new_path(path)?));
    let moved = plan.corpus.files().filter_map(moved);
    let lost = moved.filter(|(old, new)| is_page(old) && new.extension().is_none());
    for (old, new) in lost.take(1) {
        let (old, new) = (old.display(), new.display());
        terminal::warning(format!(
            "the new name of {old} is {new}, a file without an extension; to move the file into a directory, \
             write {old}={new}/"
        ));
    }
}

/// Warns of documents whose references do not follow the moves.
fn warn_of_excluded(plan: &Plan) {
    let excluded = excluded_documents(&plan.corpus);
    if excluded > 0 {
        let documents = counted(excluded, "document");
        terminal::warning(format!(
            "--include or --exclude skips {documents}; links to moved files in them will break"
        ));
    }
}

/// The number of documents of `corpus` that `--include` and `--exclude` leave out.
pub(super) fn excluded_documents(corpus: &Corpus) -> usize {
    let is_excluded =
        |path: &&Path| !corpus.selection.has(path) && DocumentKind::of_path(path).is_some();
    corpus.files().filter(is_excluded).count()
}
