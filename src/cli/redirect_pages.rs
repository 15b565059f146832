//! Redirect pages: where `move --write-redirects html` writes one, and which old URLs get none.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::exit::CliError;
use super::summary::first_paths;
use super::terminal;
use crate::moves::redirects::{self, MoveRedirect, Redirect};
use crate::output::{NewTree, Original, WriteError};
use crate::plural::counted;
use crate::rewrite::Plan;
use crate::url::RelativeForm;

/// Whether a page can stand at the path of `file`, and be sent as one.
pub(super) fn is_page(file: &Path) -> bool {
    let extension = file.extension().unwrap_or_default();
    ["html", "htm", "xhtml"].iter().any(|it| extension == *it)
}

/// The pages that redirect from the old paths of files.
pub(super) struct RedirectPages<'e> {
    /// The old path of a file, the path of its folder, and the page.
    pub(super) pages: Vec<(&'e Path, &'e Path, String)>,
    /// The old paths in URLs of files that cannot have a page.
    others: Vec<&'e str>,
}

/// The pages for `moved`; `is_taken` tells whether another file now has a path.
pub(super) fn pages<'e>(
    moved: &'e [MoveRedirect<'e>],
    is_taken: impl Fn(&Path) -> bool,
) -> RedirectPages<'e> {
    let (mut pages, mut others) = (Vec::new(), Vec::new());
    // A page at the path of a file is sent for the other URLs of the file, too.
    for MoveRedirect { file, redirect, .. } in moved.iter().filter(|it| it.is_of_path) {
        // Other files than pages cannot redirect.
        if !is_page(file) || is_taken(file) {
            others.push(redirect.from.path());
            continue;
        }
        let Redirect { from, to } = redirect;
        let reference = from.relativize(to, RelativeForm::Path);
        let page = redirects::stub(reference.as_deref().unwrap_or(to.as_str()));
        let folder = file.parent().unwrap_or(Path::new(""));
        pages.push((*file, folder, page));
    }
    RedirectPages { pages, others }
}

/// Writes a page at each old path that redirects to the new one, unless another file now has the path.
pub(super) fn write(
    plan: &Plan,
    tree: &dyn NewTree,
    moved: &[MoveRedirect<'_>],
) -> Result<(), CliError> {
    let mut written = 0;
    let mut created = BTreeSet::new();
    let is_taken = |path: &Path| fs::symlink_metadata(tree.root().join(path)).is_ok();
    let RedirectPages { pages, others } = pages(moved, is_taken);
    for (file, folder, page) in pages {
        let mut missing: Vec<&Path> = folder
            .ancestors()
            .take_while(|folder| !tree.root().join(folder).is_dir())
            .collect();
        missing.reverse();
        for folder in missing {
            tree.make_directory(&plan.corpus.root.join(folder), folder)?;
            created.insert(folder);
        }
        let path = plan.corpus.root.join(file);
        let metadata = fs::metadata(&path).map_err(WriteError::Read)?;
        let like = Original {
            path: &path,
            metadata: &metadata,
        };
        tree.write_file(file, page.as_bytes().into(), like)?;
        written += 1;
    }
    if written > 0 {
        let redirects = counted(written, "redirect");
        terminal::note(format!("{redirects} written to pages at the old paths"));
    }
    // Nothing is written into a folder after it has its mode and times.
    for folder in created.iter().rev() {
        let from = plan.corpus.root.join(folder);
        tree.finish_directory(&from, folder)?;
    }
    if !others.is_empty() {
        let urls = counted(others.len(), "old URL");
        let named = first_paths(others.into_iter());
        terminal::warning(format!(
            "no redirect from {urls}: only HTML pages can redirect, and only if no other file has the old path; \
             rules of a server, such as --write-redirects netlify, can redirect other files: {named}"
        ));
    }
    Ok(())
}
