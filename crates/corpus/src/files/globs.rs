//! Globs that select files of a site by their paths below its root.

use std::collections::BTreeSet;
use std::path::{Path, is_separator};
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// A list of globs; a path matches if one of them does.
///
/// `*` and `?` match within one name, `**` across names. A glob without a slash matches at any
/// depth; `./` or `/` at its start anchors it at the root. A trailing slash is ignored. A glob
/// that matches a directory also matches everything in it. On Windows, a backslash is a slash.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    /// Two patterns for each glob, in order: the path itself, and everything below it. Of globs of the
    /// program itself, compiled when a path may match.
    set: OnceLock<GlobSet>,
    /// The first bytes of names that a glob may match: most paths have none.
    starts: BTreeSet<u8>,
    globs: Vec<String>,
}

/// The error of globs that cannot be used: one is empty or malformed, or the list would take too much memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GlobError(String);

impl GlobError {
    /// Returns the error for a `glob` that the parser refused.
    pub fn malformed(glob: &str, error: &globset::Error) -> GlobError {
        GlobError(format!("{glob}: {}", error.kind()))
    }
}

/// The most globs of a list that are not the path of one file or folder. A compiled glob takes 13 kB.
const MOST_PATTERNS: usize = 4000;

impl Globs {
    /// Compiles globs.
    ///
    /// # Errors
    /// Returns an error if a glob is empty or malformed, or there are too many.
    pub fn new(globs: &[String]) -> Result<Globs, GlobError> {
        let set = compile(globs)?;
        Ok(Globs { set: set.into(), ..Globs::known(globs) })
    }

    /// As [`Globs::new`], for globs that are part of the program. They are compiled at the first path that may
    /// match, because most sites have none.
    pub fn known(globs: &[String]) -> Globs {
        let patterns = globs.iter().flat_map(|glob| patterns(glob)).flatten();
        let starts = patterns.flat_map(|pattern| first_bytes(&pattern)).collect();
        Globs { set: OnceLock::new(), starts, globs: globs.to_vec() }
    }

    fn set(&self) -> &GlobSet {
        self.set.get_or_init(|| compile(&self.globs).unwrap_or_default())
    }

    /// Checks the syntax of a glob.
    ///
    /// # Errors
    /// Returns an error if it is empty or malformed.
    pub fn check(glob: &str) -> Result<(), GlobError> {
        let patterns = patterns(glob)?;
        patterns.iter().try_for_each(|it| build(glob, it).map(drop))
    }

    /// Returns true if a glob matches `path`, below the root.
    pub fn is_match(&self, path: &Path) -> bool {
        self.may_match(path) && self.set().is_match(path)
    }

    /// Returns the globs that match none of `paths`, as the user wrote them.
    pub fn without_match<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Vec<&str> {
        let mut missing: BTreeSet<usize> = (0..self.globs.len()).collect();
        for path in paths {
            if missing.is_empty() {
                break;
            }
            for glob in self.matches(path) {
                missing.remove(&glob);
            }
        }
        missing.into_iter().filter_map(|glob| self.globs.get(glob).map(String::as_str)).collect()
    }

    /// Returns the globs, as written.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.globs.iter().map(String::as_str)
    }

    /// Returns true if a name of `path` begins with one of the bytes with which names begin that a glob matches.
    fn may_match(&self, path: &Path) -> bool {
        let mut is_start = true;
        let mut bytes = path.as_os_str().as_encoded_bytes().iter();
        let is_found = |&byte: &u8| {
            let is_found = is_start && self.starts.contains(&byte);
            is_start = is_separator(char::from(byte));
            is_found
        };
        !self.starts.is_empty() && bytes.any(is_found)
    }

    /// Returns the numbers of the globs that match `path`, below the root; a number may be repeated.
    pub fn matches(&self, path: &Path) -> impl Iterator<Item = usize> {
        let patterns = if self.may_match(path) { self.set().matches(path) } else { Vec::new() };
        patterns.into_iter().map(|pattern| pattern / 2)
    }
}

/// Returns true if a pattern is not just one path.
pub fn has_wildcard(pattern: &str) -> bool {
    pattern.contains(['*', '?', '[', '{']) || cfg!(not(windows)) && pattern.contains('\\')
}

/// Returns true if a pattern is probably a regular expression.
pub fn is_like_regex(pattern: &str) -> bool {
    [".*", ".+", "\\.", "^", "$", "|", "("].iter().any(|it| pattern.contains(it))
}

/// Checks the number of patterns with wildcards in a list.
///
/// # Errors
/// Returns an error if there are so many that they would take far more memory than their text.
pub fn check_count(patterns: usize) -> Result<(), GlobError> {
    if patterns > MOST_PATTERNS {
        return Err(GlobError(format!(
            "lists {patterns} globs with wildcards or without a directory; the limit is {MOST_PATTERNS}\nhelp: replace several globs with a wider one, such as drafts/** or *.bak"
        )));
    }
    Ok(())
}

/// The first bytes of the names that the first name of `pattern` matches.
fn first_bytes(pattern: &str) -> Vec<u8> {
    let name = pattern.strip_prefix("**/").unwrap_or(pattern).as_bytes();
    let bytes = match name {
        [b'[', class @ ..] => bytes_of_class(class),
        [byte, ..] if !b"*?{\\".contains(byte) => Some(vec![*byte]),
        _ => None,
    };
    bytes.unwrap_or_else(|| (0..=u8::MAX).collect())
}

/// The bytes of a class without its `[`; `None` if they may be any.
fn bytes_of_class(class: &[u8]) -> Option<Vec<u8>> {
    let end = class.iter().position(|byte| *byte == b']')?;
    let mut class = class.get(..end)?;
    let is_plain = |byte: &u8| byte.is_ascii() && !b"!^\\[".contains(byte);
    if class.is_empty() || !class.iter().all(is_plain) {
        return None;
    }
    let mut bytes = Vec::new();
    while let [first, rest @ ..] = class {
        class = match rest {
            [b'-', last, rest @ ..] => {
                bytes.extend(*first..=*last);
                rest
            }
            _ => {
                bytes.push(*first);
                rest
            }
        };
    }
    Some(bytes)
}

fn compile(globs: &[String]) -> Result<GlobSet, GlobError> {
    let mut set = GlobSetBuilder::new();
    let mut costly = 0;
    for glob in globs {
        let patterns = patterns(glob)?;
        costly += usize::from(patterns.first().is_some_and(|it| has_wildcard(it)));
        for pattern in &patterns {
            set.add(build(glob, pattern)?);
        }
    }
    check_count(costly)?;
    set.build().map_err(|error| GlobError::malformed("", &error))
}

fn patterns(glob: &str) -> Result<[String; 2], GlobError> {
    let slashed = if cfg!(windows) { glob.replace('\\', "/") } else { glob.to_owned() };
    let glob = slashed.as_str();
    let mut name = glob;
    while let Some(rest) = name.strip_prefix("./").or_else(|| name.strip_prefix('/')) {
        name = rest;
    }
    let is_anchored = name.len() < glob.len();
    let name = name.trim_end_matches('/');
    if name.is_empty() {
        return Err(GlobError(format!(
            "`{glob}` is an empty glob, which matches nothing\nhelp: write one like drafts or *.html"
        )));
    }
    let anywhere = if is_anchored || name.contains('/') { "" } else { "**/" };
    Ok([format!("{anywhere}{name}"), format!("{anywhere}{name}/**")])
}

fn build(glob: &str, pattern: &str) -> Result<Glob, GlobError> {
    let built = GlobBuilder::new(pattern).literal_separator(true).build();
    built.map_err(|error| GlobError::malformed(glob, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn globs(globs: &[&str]) -> Result<Globs, GlobError> {
        let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
        Globs::new(&globs)
    }

    #[test]
    fn globs_match_names_at_any_depth_or_paths_from_the_root() {
        let paths = [
            "a.html", "drafts/b.html", "drafts/deep/c.html", "sub/drafts/d.html", "sub/e.html",
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
                    "a.html", "drafts/b.html", "drafts/deep/c.html", "sub/drafts/d.html",
                    "sub/e.html",
                ],
            ),
            ("./?.html", &["a.html"]),
            ("d*s", all_drafts),
            ("**", &paths),
            ("*", &paths),
            ("{a,drafts}.html", &["a.html", "drafts.html"]),
            ("[a-c].html", &["a.html", "drafts/b.html", "drafts/deep/c.html"]),
            ("/[ax-z].html", &["a.html"]),
            ("[!b-z]*.html", &["a.html"]),
            ("[]a].html", &["a.html"]),
        ] {
            let globs = globs(&[glob]).unwrap();
            let matched: Vec<&str> =
                paths.into_iter().filter(|path| globs.is_match(Path::new(path))).collect();
            assert_eq!(matched, expected, "{glob}");
        }
    }

    #[cfg(windows)]
    #[test]
    fn a_backslash_is_a_slash() {
        for glob in [r"drafts\*.html", r".\drafts", r"drafts\b.html", r"\drafts\"] {
            let globs = globs(&[glob]).unwrap();
            assert!(globs.is_match(Path::new("drafts/b.html")), "{glob}");
            assert!(!globs.is_match(Path::new("sub/drafts/b.html")), "{glob}");
        }
    }

    #[test]
    fn an_empty_or_malformed_glob_is_an_error() {
        for empty in ["", "/", "./", ".//", "//"] {
            let error = globs(&["x", empty]).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{empty}` is an empty glob")), "{error}");
        }
        let error = globs(&["["]).unwrap_err();
        assert!(!error.to_string().contains("empty"), "{error}");
    }

    #[test]
    fn lists_of_very_many_patterns_are_an_error() {
        let list = |count: usize, name: fn(usize) -> String| {
            Globs::new(&(0..count).map(name).collect::<Vec<_>>())
        };
        let pattern = |at: usize| format!("dir/x{at}*.html");
        let path = |at: usize| format!("dir/x{at}.html");
        assert_eq!(list(4001, pattern).unwrap_err(), check_count(4001).unwrap_err());
        let globs = list(5000, path).unwrap();
        assert!(globs.is_match(Path::new("dir/x4999.html")));
        assert!(!globs.is_match(Path::new("dir/x5000.html")));
    }

    #[test]
    fn globs_without_a_match_are_listed() {
        let globs = globs(&["*.html", "*.htm", "drafts/", "x/y"]).unwrap();
        let paths = ["a.html", "drafts/b.html"].map(Path::new);
        assert_eq!(globs.without_match(paths.into_iter()), ["*.htm", "x/y"]);
        assert!(Globs::default().without_match(paths.into_iter()).is_empty());
        assert!(!Globs::default().is_match(Path::new("a.html")));
    }
}
