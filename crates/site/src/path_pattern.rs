//! Regular expressions for paths in redirect rules, within a budget of memory.

use std::collections::HashMap;

#[cfg(feature = "disk")]
use regex::bytes::{Regex, RegexBuilder};

#[cfg(not(feature = "disk"))]
use super::no_patterns::Regex;
use super::path::encoded;
use rehref_document::redirects::escape::literal_start;

/// A regular expression for decoded paths with a slash at their start.
#[derive(Clone, Debug)]
pub struct PathPattern(pub(super) Regex);

impl PathPattern {
    /// Compiles a pattern, which matches bytes as servers do. Non-ASCII characters in a class match characters.
    ///
    /// # Errors
    /// Returns an error if rehref cannot read it, or the budget is used up.
    pub fn new(pattern: &str, budget: &mut PatternBudget) -> Result<PathPattern, PatternError> {
        let build = |unicode, limit| compiled(pattern, unicode, limit).map(PathPattern);
        for (limit, memory) in PATTERN_SIZES {
            let built = match build(false, limit) {
                Err(PatternError::Syntax) => build(true, limit),
                built => built,
            };
            match built {
                Ok(pattern) => {
                    budget.take(memory, pattern.folder())?;
                    return Ok(pattern);
                }
                Err(PatternError::TooLarge) => {}
                Err(error) => return Err(error),
            }
        }
        Err(PatternError::TooLarge)
    }

    /// Returns true if the decoded `path` is matched.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        self.0.is_match(path)
    }

    /// Returns the pattern as written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Returns the folder that contains all paths which the pattern matches; `None` if they may be in any
    /// folder.
    pub fn folder(&self) -> Option<String> {
        let (start, _) = literal_start(self.as_str().strip_prefix('^')?);
        let end = start.iter().rposition(|&byte| byte == b'/')?;
        let folder = encoded(start.get(..end)?.strip_prefix(b"/")?);
        (!folder.trim_end_matches('/').is_empty()).then_some(folder)
    }
}

#[cfg(feature = "disk")]
fn compiled(pattern: &str, unicode: bool, limit: usize) -> Result<Regex, PatternError> {
    let mut builder = RegexBuilder::new(pattern);
    let built = builder.unicode(unicode).size_limit(limit).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => PatternError::TooLarge,
        _ => PatternError::Syntax,
    })
}

#[cfg(not(feature = "disk"))]
fn compiled(_: &str, _: bool, _: usize) -> Result<Regex, PatternError> {
    Err(PatternError::Syntax)
}

/// The largest automata of patterns, as the compiler counts their bytes, and the memory that such patterns take
/// with all that a search needs. A pattern that repeats a class a thousand times takes thousands of times its
/// own size.
const PATTERN_SIZES: [(usize, usize); 2] = [(16 << 10, 16 << 10), (256 << 10, 512 << 10)];

/// The remaining memory for the regular expressions of all rules of a site.
#[derive(Clone, Debug)]
pub struct PatternBudget {
    memory: usize,
    /// The number of those for each folder: all are tried for a link into it.
    of_folder: HashMap<Option<String>, usize>,
    is_exceeded: bool,
}

impl Default for PatternBudget {
    fn default() -> PatternBudget {
        PatternBudget {
            memory: MOST_PATTERNS * (16 << 10),
            of_folder: HashMap::new(),
            is_exceeded: false,
        }
    }
}

/// The most patterns of usual size, and those for one folder, or for any.
const MOST_PATTERNS: usize = 4000;
const MOST_OF_FOLDER: usize = 250;

impl PatternBudget {
    fn take(&mut self, memory: usize, folder: Option<String>) -> Result<(), PatternError> {
        let left = self.memory.checked_sub(memory);
        let others = self.of_folder.entry(folder).or_default();
        match left {
            Some(left) if *others < MOST_OF_FOLDER => {
                self.memory = left;
                *others += 1;
                Ok(())
            }
            _ if std::mem::replace(&mut self.is_exceeded, true) => Err(PatternError::StillTooMany),
            _ => Err(PatternError::TooMany),
        }
    }
}

/// The error of a rule whose regular expression cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// The syntax is wrong, or only the server's.
    #[error(
        "rehref cannot read this regular expression (it knows no look-around and no back-references)"
    )]
    Syntax,
    /// The expression would take far more memory than its text.
    #[error("this regular expression would take more than 256 kB")]
    TooLarge,
    /// The first that the budget has no room for.
    #[error(
        "rehref applies at most {MOST_PATTERNS} regular expressions, and {MOST_OF_FOLDER} that begin with the same ^/directory/ or with none; it ignores this rule and later ones"
    )]
    TooMany,
    /// Another one.
    #[error("beyond the limit of regular expressions")]
    StillTooMany,
}

impl PartialEq for PathPattern {
    fn eq(&self, other: &PathPattern) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for PathPattern {}
