//! The git repository that the copy of a project is in: it has the commits of the original, but an index, references
//! and objects of its own, so that no command can change those of the user.

use std::fs;
use std::io;
use std::path::Path;

use rehref_corpus::files::git_directory;

/// The files and directories of a work tree that are copied.
const OF_WORK_TREE: [&str; 2] = ["HEAD", "index"];

/// The same of the repository, which several work trees may share.
const OF_REPOSITORY: [&str; 5] = ["config", "packed-refs", "shallow", "refs", "reftable"];

/// Writes a repository for the work tree `copy`, with the commits of that of `work_tree`. Does nothing if git has no
/// objects there.
pub(super) fn write(work_tree: &Path, copy: &Path) -> io::Result<()> {
    let Some(own) = git_directory(work_tree) else { return Ok(()) };
    let shared = match fs::read_to_string(own.join("commondir")) {
        Ok(name) => own.join(name.trim_end()),
        Err(_) => own.clone(),
    };
    let objects = shared.join("objects");
    if !objects.is_dir() {
        return Ok(());
    }
    let to = copy.join(".git");
    fs::create_dir_all(to.join("objects/info"))?;
    fs::write(to.join("objects/info/alternates"), format!("{}\n", objects.display()))?;
    fs::create_dir_all(to.join("refs"))?;
    for (from, names) in [(&own, &OF_WORK_TREE[..]), (&shared, &OF_REPOSITORY)] {
        for name in names {
            copy_all(&from.join(name), &to.join(name))?;
        }
    }
    // That of a submodule names its work tree.
    let config = fs::read_to_string(to.join("config")).unwrap_or_default();
    let quoted = copy.display().to_string().replace('\\', r"\\").replace('"', r#"\""#);
    fs::write(to.join("config"), format!("{config}\n[core]\n\tworktree = \"{quoted}\"\n"))
}

/// Copies a file, or a directory with all files, if it exists.
fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_all(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if from.is_file() {
        fs::copy(from, to)?;
    }
    Ok(())
}
