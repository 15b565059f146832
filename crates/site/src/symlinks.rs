//! Where the symbolic links of a tree lead.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashMap;

use super::disk::canonical;

/// Follows the symbolic links of a tree. It resolves each folder once, because in a tree of several languages
/// or versions, thousands of links lead to a few folders.
#[derive(Debug)]
pub struct SymlinkResolver<'r> {
    root: &'r Path,
    /// The canonical paths of folders, or why there is none.
    folders: FxHashMap<PathBuf, Result<PathBuf, UnknownTarget>>,
}

/// The final target of a symbolic link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalTarget {
    /// The canonical path of the target.
    pub path: PathBuf,
    pub is_folder: bool,
}

/// The reason why the final target of a symbolic link is unknown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownTarget(String);

impl From<io::Error> for UnknownTarget {
    fn from(error: io::Error) -> UnknownTarget {
        let missing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        let is_missing = missing.contains(&error.kind()) || leads_to_itself(&error);
        UnknownTarget(if is_missing {
            "does not exist".to_owned()
        } else {
            format!("cannot be read: {error}")
        })
    }
}

#[cfg(all(
    feature = "disk",
    any(target_os = "linux", target_os = "android", target_vendor = "apple")
))]
fn leads_to_itself(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

#[cfg(not(all(
    feature = "disk",
    any(target_os = "linux", target_os = "android", target_vendor = "apple")
)))]
fn leads_to_itself(_: &io::Error) -> bool {
    false
}

impl<'r> SymlinkResolver<'r> {
    /// Creates a resolver for the tree at `root`, a canonical path.
    pub fn new(root: &'r Path) -> SymlinkResolver<'r> {
        SymlinkResolver { root, folders: FxHashMap::default() }
    }

    /// Returns the final target of the symbolic link at `link`, a path below the root that goes through no other link.
    ///
    /// # Errors
    /// Returns an error if it does not exist or cannot be read.
    pub fn target(&mut self, link: &Path) -> Result<FinalTarget, UnknownTarget> {
        let link = self.root.join(link);
        let parent = link.parent().unwrap_or(self.root);
        let target = parent.join(fs::read_link(&link)?);
        if let Some(Component::Normal(name)) = target.components().next_back()
            && let Some(folder) = target.parent()
        {
            let path = self.folder(folder)?.join(name);
            let metadata = fs::symlink_metadata(&path)?;
            if !metadata.is_symlink() {
                let is_folder = metadata.is_dir();
                return Ok(FinalTarget { path, is_folder });
            }
        }
        let path = canonical(&link)?;
        let is_folder = path.is_dir();
        Ok(FinalTarget { path, is_folder })
    }

    /// The canonical path of a folder.
    fn folder(&mut self, folder: &Path) -> Result<PathBuf, UnknownTarget> {
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let path = canonical(folder).map_err(UnknownTarget::from);
        self.folders.insert(folder.to_owned(), path.clone());
        path
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn targets_are_those_of_the_operating_system() {
        let directory = tempfile::tempdir().unwrap();
        let outside = directory.path().canonicalize().unwrap();
        let root = outside.join("site");
        fs::create_dir_all(root.join("a/b/c")).unwrap();
        fs::write(root.join("a/b/page.html"), "").unwrap();
        fs::write(root.join("file"), "").unwrap();
        fs::write(outside.join("out.html"), "").unwrap();
        let absolute = root.join("a/b");
        for (link, target) in [
            ("a/to-file", Path::new("../file")),
            ("a/to-page", Path::new("b/page.html")),
            ("a/to-page2", Path::new("./b/c/../page.html")),
            ("a/to-folder", Path::new("b/")),
            ("a/to-dot", Path::new("b/.")),
            ("a/to-dots", Path::new("b/..")),
            ("a/to-link", Path::new("to-page")),
            ("a/through-link", Path::new("to-folder/c/../page.html")),
            ("a/through-file", Path::new("to-file/x")),
            ("a/absolute", &absolute),
            ("a/outside", Path::new("../../out.html")),
            ("a/root", Path::new("/")),
            ("a/self", Path::new("self")),
            ("a/missing", Path::new("../no")),
            ("a/missing-folder", Path::new("no/../b")),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        let mut resolver = SymlinkResolver::new(&root);
        for entry in fs::read_dir(root.join("a")).unwrap() {
            let path = entry.unwrap().path();
            if !path.is_symlink() {
                continue;
            }
            let expected =
                path.canonicalize().map(|path| FinalTarget { is_folder: path.is_dir(), path });
            let expected = expected.map_err(|_| UnknownTarget("does not exist".to_owned()));
            let found = resolver.target(path.strip_prefix(&root).unwrap());
            assert_eq!(found, expected, "{}", path.display());
        }
    }
}
