//! Copies of a project, in which its generator builds.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::exit::{CliError, usage_error};
use rehref_site::{REPOSITORIES, canonical};

/// Files by which programs mark their directories: of Python, and of caches, as those of compilers.
const MARKS: [&str; 2] = ["pyvenv.cfg", "CACHEDIR.TAG"];

/// Directories in which generators keep what they know of a project at its own path.
const CACHES: [&str; 4] = [".cache", ".docusaurus", ".jekyll-cache", ".vite"];

/// More files are not those of one site.
const MOST_FILES: usize = 100_000;

/// A copy of the project at `root` to make. All paths are canonical.
pub(super) struct Copy<'c> {
    pub(super) root: &'c Path,
    /// The directory of the project that `tree` takes the place of.
    pub(super) site: &'c Path,
    pub(super) tree: &'c Path,
    /// Other directories that the copy is without.
    pub(super) without: Vec<&'c Path>,
    /// Set by a signal.
    pub(super) cancel: &'c AtomicBool,
}

impl Copy<'_> {
    /// Writes the copy to `to`, a directory that does not exist.
    pub(super) fn write(&self, to: &Path) -> Result<(), CliError> {
        let from = if self.site == self.root { self.tree } else { self.root };
        self.directory(from, self.root, to, &mut 0)
    }

    /// Copies the directory `from`, which is `original` in the project.
    fn directory(
        &self,
        from: &Path,
        original: &Path,
        to: &Path,
        files: &mut usize,
    ) -> Result<(), CliError> {
        fs::create_dir(to).map_err(at(to))?;
        for entry in fs::read_dir(from).map_err(at(from))? {
            let entry = entry.map_err(at(from))?;
            if self.cancel.load(Ordering::Relaxed) {
                return Err(CliError::Interrupted);
            }
            *files += 1;
            if *files > MOST_FILES {
                return usage_error(format!(
                    "--build copies the project, but {} has more than {MOST_FILES} files\nhelp: run rehref in the directory of the site's generator",
                    self.root.display()
                ));
            }
            let (name, path) = (entry.file_name(), entry.path());
            let (original, to) = (original.join(&name), to.join(&name));
            let is_left_out = path == self.tree
                || self.without.iter().any(|it| path == *it)
                || REPOSITORIES.iter().chain(&CACHES).any(|it| name == **it);
            let kind = entry.file_type().map_err(at(&path))?;
            if path == self.site {
                self.directory(self.tree, &original, &to, files)?;
            } else if is_left_out {
            } else if is_of_programs(&path) || is_of_programs(&original) {
                let known = if original.is_dir() { original } else { path };
                link_programs(&known, &to).map_err(at(&to))?;
            } else if kind.is_dir() {
                self.directory(&path, &original, &to, files)?;
            } else if kind.is_symlink() {
                self.symlink(&path, &to).map_err(at(&path))?;
            } else if kind.is_file() {
                fs::copy(&path, &to).map_err(at(&path))?;
            }
        }
        // The moved tree may be without what git ignores.
        for entry in fs::read_dir(original).into_iter().flatten().flatten() {
            let (linked, link) = (entry.path(), to.join(entry.file_name()));
            if from != original && is_of_programs(&linked) && !link.exists() {
                link_programs(&linked, &link).map_err(at(&link))?;
            }
        }
        Ok(())
    }

    /// Copies a symbolic link. One that leads out of the project leads to the same file.
    fn symlink(&self, link: &Path, to: &Path) -> io::Result<()> {
        let target = fs::read_link(link)?;
        let is_elsewhere = canonical(link).is_ok_and(|it| !it.starts_with(self.root));
        let folder = link.parent().unwrap_or(self.root);
        symlink(&if is_elsewhere { folder.join(target) } else { target }, to)
    }
}

/// Links from beside a copy to the directory of programs that the project at `root` finds above it.
pub(super) fn link_programs_above(root: &Path, beside: &Path) -> io::Result<()> {
    let mut above = root.ancestors().skip(1).map(|it| it.join("node_modules"));
    match above.find(|it| it.is_dir()) {
        Some(found) => link_programs(&found, &beside.join("node_modules")),
        None => Ok(()),
    }
}

/// Writes a directory `to` that links to what is in the directory `programs`, except for its caches.
fn link_programs(programs: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(programs)? {
        let entry = entry?;
        if !CACHES.iter().any(|it| entry.file_name() == **it) {
            symlink(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// For `map_err`: the file at `path` cannot be read or written.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> CliError {
    CliError::io(path.display().to_string())
}

/// Returns true if `path` is a directory of installed programs or of a cache, which copies link to: it is large, and
/// not a part of the site.
fn is_of_programs(path: &Path) -> bool {
    path.is_dir()
        && (path.ends_with("node_modules") || MARKS.iter().any(|mark| path.join(mark).is_file()))
}

#[cfg(unix)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symlink(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(target, link)
}
