//! The documents that a generator leaves out of its site.

use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// Patterns of paths, as those of `.gitignore`.
#[derive(Clone, Debug)]
pub struct Excluded {
    lines: Vec<String>,
    rules: Gitignore,
}

impl Excluded {
    /// The patterns in these `lines`; later ones count more. Without those that are none.
    pub fn new(lines: Vec<String>) -> Excluded {
        let mut builder = GitignoreBuilder::new("");
        for line in &lines {
            // The generator reports it.
            let _ = builder.add_line(None, line);
        }
        let rules = builder.build().unwrap_or_else(|_| Gitignore::empty());
        Excluded { lines, rules }
    }

    /// Whether the file at the relative `path` is excluded.
    pub fn has(&self, path: &Path) -> bool {
        !self.lines.is_empty()
            && path.is_relative()
            && self.rules.matched_path_or_any_parents(path, false).is_ignore()
    }
}

impl PartialEq for Excluded {
    fn eq(&self, other: &Excluded) -> bool {
        self.lines == other.lines
    }
}

impl Eq for Excluded {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_exclude_files_and_directories() {
        let lines = [".*", "/a/", "!/a/b.md", "*.txt", "# c.md"].map(str::to_owned);
        let excluded = Excluded::new(lines.into());
        for (path, expected) in [
            ("a/c.md", true),
            ("x/a/c.md", false),
            (".a/b.md", true),
            ("x/.b.md", true),
            ("c/d.txt", true),
            ("c.md", false),
            ("", false),
        ] {
            assert_eq!(excluded.has(Path::new(path)), expected, "{path}");
        }
    }
}
