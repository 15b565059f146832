//! Redirect pages: where `move --write-redirects html` writes one, and which old URLs get none.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::advice::Advice;
use super::exit::CliError;
use super::first_paths::first_paths;
use rehref_corpus::Corpus;
use rehref_corpus::output::{NewTree, Original, WriteError};
use rehref_corpus::run::Plan;
use rehref_site::plural::counted;
use rehref_site::redirects::{self, MoveRedirect, MoveRedirects, Redirect};
use rehref_site::{Moves, Pages, path_from_url};
use rehref_url::RelativeForm;

/// Returns true if a page can stand at the path of `file`, and be sent as one.
pub(super) fn can_redirect(file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default();
    ["html", "htm", "xhtml"].iter().any(|it| extension == *it)
}

/// A page that redirects.
pub(super) struct RedirectPage {
    /// The path.
    pub(super) path: PathBuf,
    /// The old path of the file or document.
    file: PathBuf,
    pub(super) html: String,
}

/// The pages for the moves in `found`, and the paths of old URLs that cannot have one. `is_taken`: whether another file
/// has a path after the move. `sources`: the pages that a generator makes of the files.
fn pages<'e>(
    found: &'e MoveRedirects<'e>,
    sources: Option<&Pages>,
    is_taken: impl Fn(&Path) -> bool,
) -> (Vec<RedirectPage>, Vec<&'e str>) {
    let (mut pages, mut others) = (Vec::new(), Vec::new());
    let documents = match sources {
        Some(_) => &*found.pages,
        None => &[],
    };
    for page in documents {
        let path = sources.and_then(|it| it.static_file(&page.old.own_url));
        let path = path.and_then(|path| path_from_url(&path));
        let Some(path) = path.filter(|it| !is_taken(it)) else {
            others.push(page.redirect.from.path());
            continue;
        };
        let form = sources.map(|it| it.form);
        pages.push(RedirectPage {
            path,
            file: page.file.to_owned(),
            html: redirects::stub(&page.relative_from_file(form)),
        });
    }
    let is_document = |file: &Path| documents.iter().any(|it| it.file == file);
    // A page at the path of a file is sent for the other URLs of the file, too.
    for MoveRedirect { file, redirect, .. } in found.redirects.iter().filter(|it| it.is_of_path) {
        if is_document(file) {
            continue;
        }
        // Other files than pages cannot redirect.
        if sources.is_some() || !can_redirect(file) || is_taken(file) {
            others.push(redirect.from.path());
            continue;
        }
        let Redirect { from, to, .. } = redirect;
        let reference = from.relativize(to, RelativeForm::Path);
        pages.push(RedirectPage {
            path: (*file).to_owned(),
            file: (*file).to_owned(),
            html: redirects::stub(reference.as_deref().unwrap_or(to.as_str())),
        });
    }
    (pages, others)
}

/// Returns the pages that would be written for `found`.
pub(super) fn expected(
    corpus: &Corpus,
    moves: &Moves,
    found: &MoveRedirects<'_>,
) -> Vec<RedirectPage> {
    let taken: FxHashSet<PathBuf> = corpus.files().map(|it| moves.counterpart(it)).collect();
    pages(found, sources(corpus, moves), |path| taken.contains(path)).0
}

/// Returns the pages that a generator makes of the files of `corpus`, in the project in which the first file moves.
pub(super) fn sources<'c>(corpus: &'c Corpus, moves: &Moves) -> Option<&'c Pages> {
    let first = moves.files().next().map(|(old, _)| old);
    let server = first.map_or(&corpus.server, |file| corpus.server_of(file));
    server.sources.as_ref()?.pages.as_ref()
}

/// Writes a page at each old path that redirects to the new one, unless another file now has the path.
pub(super) fn write(
    plan: &Plan,
    tree: &dyn NewTree,
    found: &MoveRedirects<'_>,
    advice: &mut Vec<Advice>,
) -> Result<(), CliError> {
    let mut created = BTreeSet::new();
    let is_taken = |path: &Path| fs::symlink_metadata(tree.root().join(path)).is_ok();
    let (pages, others) = pages(found, sources(&plan.corpus, &plan.moves), is_taken);
    let written = pages.len();
    for RedirectPage { path, file, html } in pages {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut missing: Vec<&Path> =
            folder.ancestors().take_while(|folder| !tree.root().join(folder).is_dir()).collect();
        missing.reverse();
        for folder in missing {
            tree.make_directory(&like_folder(plan, folder), folder)?;
            created.insert(folder.to_owned());
        }
        let original = plan.corpus.root.join(&file);
        let metadata = fs::metadata(&original).map_err(WriteError::Read)?;
        let like = Original { path: &original, metadata: &metadata };
        tree.write_file(&path, html.as_bytes().into(), like)?;
    }
    if written > 0 {
        let redirects = counted(written, "redirect");
        advice.push(Advice::Note(format!("{redirects} written to pages at the old paths")));
    }
    // Nothing is written into a folder after it has its mode and times.
    for folder in created.iter().rev() {
        tree.finish_directory(&like_folder(plan, folder), folder)?;
    }
    if !others.is_empty() {
        let urls = counted(others.len(), "old URL");
        let named = first_paths(&others);
        advice.push(Advice::Warning(format!(
            "no redirect from {urls}: only HTML pages can redirect, and only if no other file has the old path; \
             rules of a server, such as --write-redirects netlify, can redirect other files: {named}"
        )));
    }
    Ok(())
}

/// The directory of SITE that a new `folder` is like: itself, or the next one above that exists.
fn like_folder(plan: &Plan, folder: &Path) -> PathBuf {
    let root = &plan.corpus.root;
    let mut folders = folder.ancestors().map(|it| root.join(it));
    let found = folders.find(|it| it.is_dir());
    found.unwrap_or_else(|| root.clone())
}
