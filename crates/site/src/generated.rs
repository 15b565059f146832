//! The files that a build makes, as the user says.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::excluded::Excluded;

/// The patterns of `--generated`, in the syntax of `.gitignore`, of files that a build makes.
#[derive(Clone, Debug, Default)]
pub struct GeneratedFiles {
    /// The globs as the user gave them, for messages.
    globs: Vec<String>,
    patterns: Excluded,
    /// The patterns that a file had; shared by all copies.
    used: Arc<Mutex<BTreeSet<String>>>,
}

/// Removes leading `../` and `./` from `glob`: in URLs, a file of the directory `../std/` beside SITE has a path that
/// begins with `std/`.
fn in_site(glob: &str) -> &str {
    let glob = glob.trim_start_matches("../");
    glob.strip_prefix("./").unwrap_or(glob)
}

impl GeneratedFiles {
    /// Compiles the patterns `globs`.
    pub fn new(globs: &[String]) -> GeneratedFiles {
        let patterns = globs.iter().map(|glob| in_site(glob).to_owned());
        let patterns = Excluded::new(patterns.collect());
        GeneratedFiles { globs: globs.to_vec(), patterns, used: Arc::default() }
    }

    /// Returns true if there are no patterns.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Returns true if a pattern matches `path`, that of a file or of a directory whose URL has no slash at its end, and
    /// notes that the pattern is used.
    pub fn has(&self, path: &Path) -> bool {
        let Some(pattern) = self.patterns.pattern_of(path, true) else { return false };
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !used.contains(pattern) {
            used.insert(pattern.to_owned());
        }
        true
    }

    /// Returns the patterns that have matched no path so far, as the user wrote them.
    pub fn unused(&self) -> Vec<&str> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let is_unused = |glob: &&str| !glob.starts_with('!') && !used.contains(in_site(glob));
        self.globs.iter().map(String::as_str).filter(is_unused).collect()
    }
}

impl PartialEq for GeneratedFiles {
    fn eq(&self, other: &GeneratedFiles) -> bool {
        self.globs == other.globs
    }
}

impl Eq for GeneratedFiles {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_no_file_had_are_known() {
        let globs = ["../std/", "api/**", "!api/a.html", "x.md"].map(str::to_owned);
        let generated = GeneratedFiles::new(&globs);
        let of_project = generated.clone();
        assert!(of_project.has(Path::new("std/a.html")));
        assert!(of_project.has(Path::new("std")));
        assert!(!of_project.has(Path::new("api/a.html")));
        assert!(!generated.has(Path::new("b.html")));
        assert_eq!(generated.unused(), ["api/**", "x.md"]);
    }
}
