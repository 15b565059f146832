//! Globs that choose files of a site by their path below its root.

use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Globs, of which one has to match.
///
/// `*` and `?` stay within a name, `**` goes across. A glob without a slash fits at any depth; `./`
/// or `/` at its start ties it to the root, a slash at its end means nothing. One that matches a
/// directory covers everything in it.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    /// Two patterns for each glob: the path itself, and what is below it.
    set: GlobSet,
    given: Vec<String>,
}

/// Why a glob cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobError {
    /// Nothing is left of it.
    #[error("`{0}` is an empty glob, which matches nothing; write one like drafts or *.html")]
    Empty(String),
    /// It is malformed.
    #[error("{glob}: {error}")]
    Malformed {
        /// The glob.
        glob: String,
        /// Why.
        error: globset::ErrorKind,
    },
}

impl Globs {
    /// Reads globs.
    ///
    /// # Errors
    /// When one of them is empty or malformed.
    pub fn new(globs: &[String]) -> Result<Globs, GlobError> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            for pattern in patterns(glob)? {
                set.add(build(glob, &pattern)?);
            }
        }
        Ok(Globs {
            set: set.build().map_err(|error| malformed("", &error))?,
            given: globs.to_vec(),
        })
    }

    /// Whether one of the globs covers the file at `path`, below the root.
    pub fn is_match(&self, path: &Path) -> bool {
        self.set.is_match(path)
    }

    /// The globs that cover none of `paths`, as they were given.
    pub fn without_match<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Vec<&str> {
        let mut missing: Vec<usize> = (0..self.given.len()).collect();
        for path in paths {
            if missing.is_empty() {
                break;
            }
            let matches = self.set.matches(path);
            missing.retain(|glob| !matches.iter().any(|pattern| pattern / 2 == *glob));
        }
        missing
            .iter()
            .filter_map(|&glob| self.given.get(glob).map(String::as_str))
            .collect()
    }
}

fn patterns(glob: &str) -> Result<[String; 2], GlobError> {
    let mut name = glob;
    while let Some(rest) = name.strip_prefix("./").or_else(|| name.strip_prefix('/')) {
        name = rest;
    }
    let is_tied = name.len() < glob.len();
    let name = name.trim_end_matches('/');
    if name.is_empty() {
        return Err(GlobError::Empty(glob.to_owned()));
    }
    let anywhere = if is_tied || name.contains('/') {
        ""
    } else {
        "**/"
    };
    Ok([format!("{anywhere}{name}"), format!("{anywhere}{name}/**")])
}

fn build(glob: &str, pattern: &str) -> Result<Glob, GlobError> {
    GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .map_err(|error| malformed(glob, &error))
}

fn malformed(glob: &str, error: &globset::Error) -> GlobError {
    GlobError::Malformed {
        glob: glob.to_owned(),
        error: error.kind().clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(globs: &[&str]) -> Result<Globs, GlobError> {
        let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
        Globs::new(&globs)
    }

    #[test]
    fn rules() {
        let paths = [
            "a.html",
            "drafts/b.html",
            "drafts/deep/c.html",
            "sub/drafts/d.html",
            "sub/e.html",
            "drafts.html",
        ];
        let all_drafts = &["drafts/b.html", "drafts/deep/c.html", "sub/drafts/d.html"][..];
        let root_drafts = &["drafts/b.html", "drafts/deep/c.html"][..];
        for (glob, expected) in [
            ("drafts", all_drafts),
            ("drafts/", all_drafts),
            ("drafts//", all_drafts),
            ("./drafts", root_drafts),
            ("./drafts/", root_drafts),
            ("/drafts", root_drafts),
            ("drafts/*", root_drafts),
            ("drafts/**", root_drafts),
            ("drafts/*.html", &["drafts/b.html"]),
            ("sub/drafts", &["sub/drafts/d.html"]),
            ("./a.html", &["a.html"]),
            (
                "?.html",
                &[
                    "a.html",
                    "drafts/b.html",
                    "drafts/deep/c.html",
                    "sub/drafts/d.html",
                    "sub/e.html",
                ],
            ),
            ("./?.html", &["a.html"]),
            ("d*s", all_drafts),
            ("**", &paths),
            ("*", &paths),
            ("{a,drafts}.html", &["a.html", "drafts.html"]),
        ] {
            let globs = globs(&[glob]).unwrap();
            let matched: Vec<&str> = paths
                .into_iter()
                .filter(|path| globs.is_match(Path::new(path)))
                .collect();
            assert_eq!(matched, expected, "{glob}");
        }
    }

    #[test]
    fn empty_and_malformed() {
        for empty in ["", "/", "./", ".//", "//"] {
            let error = GlobError::Empty(empty.to_owned());
            assert_eq!(globs(&["x", empty]).unwrap_err(), error);
        }
        let error = globs(&["["]).unwrap_err();
        assert!(matches!(error, GlobError::Malformed { .. }), "{error}");
    }

    #[test]
    fn globs_without_a_match() {
        let globs = globs(&["*.html", "*.htm", "drafts/", "x/y"]).unwrap();
        let paths = ["a.html", "drafts/b.html"].map(Path::new);
        assert_eq!(globs.without_match(paths.into_iter()), ["*.htm", "x/y"]);
        assert!(Globs::default().without_match(paths.into_iter()).is_empty());
        assert!(!Globs::default().is_match(Path::new("a.html")));
    }
}
