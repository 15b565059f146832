//! A pattern over whole paths, and what comes in the place of one that matches.

use regex::bytes::{Captures, Regex, RegexBuilder};

/// A regular expression for paths below the root, and the new path.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// The same over bytes, for names that are not UTF-8; `None` where the pattern cannot match
    /// one.
    over_bytes: Option<Regex>,
    replacement: Vec<Part>,
}

/// A piece of a new path.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Literal(Vec<u8>),
    Group(usize),
}

/// Why a pattern or its replacement cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatternError {
    /// The pattern is no regular expression.
    #[error("{0}")]
    Malformed(regex::Error),
    /// The replacement names a group that is not there.
    #[error("`${0}` names no group of the pattern; a dollar sign is written `$$`")]
    NoGroup(String),
    /// It names none, but the name begins like one that is there: `$1_x` is the group `1_x`.
    #[error(
        "`${name}` names no group of the pattern; for the group {group} with text behind it, write \
         `${{{group}}}`"
    )]
    RunsOn {
        /// The name.
        name: String,
        /// The group that is probably meant.
        group: String,
    },
}

impl Pattern {
    /// A pattern that has to match whole paths, and its replacement.
    pub(super) fn new(pattern: &str, replacement: &[u8]) -> Result<Pattern, PatternError> {
        // By itself first: errors show the pattern as it was given.
        Regex::new(pattern).map_err(PatternError::Malformed)?;
        let regex = whole(pattern, true).map_err(PatternError::Malformed)?;
        Ok(Pattern {
            replacement: parts(replacement, &regex)?,
            over_bytes: whole(pattern, false).ok(),
            regex,
        })
    }

    /// The new path for the one at `path`; `None` where the pattern does not match all of it.
    pub(super) fn apply(&self, path: &[u8]) -> Option<Vec<u8>> {
        let captures = self.captures(path)?;
        let mut new = Vec::new();
        for part in &self.replacement {
            new.extend_from_slice(match part {
                Part::Literal(literal) => literal,
                Part::Group(group) => captures.get(*group).map_or(&[][..], |m| m.as_bytes()),
            });
        }
        Some(new)
    }

    fn captures<'p>(&self, path: &'p [u8]) -> Option<Captures<'p>> {
        if std::str::from_utf8(path).is_ok() {
            self.regex.captures(path)
        } else {
            self.over_bytes.as_ref()?.captures(path)
        }
    }
}

fn whole(pattern: &str, unicode: bool) -> Result<Regex, regex::Error> {
    let build = |pattern: String| RegexBuilder::new(&pattern).unicode(unicode).build();
    build(format!(r"\A(?:{pattern})\z"))
        // Under `(?x)` a comment at the end of the pattern would swallow the parenthesis.
        .or_else(|_| build(format!("\\A(?:{pattern}\n)\\z")))
}

/// Cuts a replacement into its parts, by the rules of the regex crate; other than there, a group
/// has to exist.
fn parts(replacement: &[u8], regex: &Regex) -> Result<Vec<Part>, PatternError> {
    let mut parts = Vec::new();
    let mut literal = Vec::new();
    let mut rest = replacement;
    while let Some((&b, after)) = rest.split_first() {
        rest = after;
        if b != b'$' {
            literal.push(b);
        } else if let Some(after) = rest.strip_prefix(b"$") {
            literal.push(b'$');
            rest = after;
        } else if let Some((name, after)) = reference(rest) {
            parts.push(Part::Literal(std::mem::take(&mut literal)));
            parts.push(Part::Group(group(name, regex)?));
            rest = after;
        } else {
            literal.push(b'$');
        }
    }
    parts.push(Part::Literal(literal));
    Ok(parts)
}

/// The name of a group behind a dollar sign, and what follows.
fn reference(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(braced) = rest.strip_prefix(b"{") {
        let end = memchr::memchr(b'}', braced)?;
        return Some((braced.get(..end)?, braced.get(end + 1..)?));
    }
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let end = rest.iter().take_while(|b| is_name(b)).count();
    rest.split_at_checked(end).filter(|_| end > 0)
}

fn group(name: &[u8], regex: &Regex) -> Result<usize, PatternError> {
    let name = String::from_utf8_lossy(name);
    let number = |name: &str| match name.parse::<usize>() {
        Ok(number) => (number < regex.captures_len()).then_some(number),
        Err(_) => regex.capture_names().position(|known| known == Some(name)),
    };
    if let Some(number) = number(&name) {
        return Ok(number);
    }
    let prefixes = name.char_indices().rev().map(|(at, _)| name.split_at(at).0);
    let mut known = prefixes.filter(|prefix| number(prefix).is_some());
    Err(match known.next() {
        Some(group) => PatternError::RunsOn {
            group: group.to_owned(),
            name: name.into_owned(),
        },
        None => PatternError::NoGroup(name.into_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(pattern: &str, replacement: &str, path: &[u8]) -> Option<Vec<u8>> {
        let pattern = Pattern::new(pattern, replacement.as_bytes());
        pattern.unwrap().apply(path)
    }

    #[test]
    fn replacements() {
        for (pattern, replacement, path, new) in [
            (
                r"blog/(\d{4})/(.*)",
                "archive/$1/$2",
                "blog/1999/a/b.html",
                Some("archive/1999/a/b.html"),
            ),
            (r"blog/(\d{4})", "$1", "old/blog/1999", None),
            (r"blog/(\d{4})", "$1", "blog/1999/x", None),
            ("a|ab", "$0!", "ab", Some("ab!")),
            ("(?<n>a)(b)?", "${n}x$2", "a", Some("ax")),
            ("(.*)", "$$1$-${1}_", "a", Some("$1$-a_")),
            ("(.*)", "${1", "a", Some("${1")),
            (r"a\=(b)", "$1", "a=b", Some("b")),
            ("(?x) a (b) # comment", "$1", "ab", Some("b")),
            ("^a$", "b", "a", Some("b")),
            ("ä.", "b", "äö", Some("b")),
        ] {
            let new = new.map(|new| new.as_bytes().to_vec());
            let found = applied(pattern, replacement, path.as_bytes());
            assert_eq!(found, new, "{pattern}={replacement} on {path}");
        }
    }

    #[test]
    fn names_that_are_not_utf8() {
        assert_eq!(
            applied(r"(.*)\.htm", "$1.html", b"\xFC.htm"),
            Some(b"\xFC.html".to_vec())
        );
        assert_eq!(applied("[äö]*", "x", b"\xFC"), None);
    }

    #[test]
    fn errors() {
        for (pattern, replacement, error) in [
            (
                "(a)",
                "$2",
                "`$2` names no group of the pattern; a dollar sign is written `$$`",
            ),
            (
                "(a)",
                "${x}",
                "`$x` names no group of the pattern; a dollar sign is written `$$`",
            ),
            (
                "(a)",
                "$1_b",
                "`$1_b` names no group of the pattern; for the group 1 with text behind it, write \
                 `${1}`",
            ),
        ] {
            let found = Pattern::new(pattern, replacement.as_bytes()).unwrap_err();
            assert_eq!(found.to_string(), error);
        }
        for malformed in ["(", "a)(?:b", "[z-a]", "(?=a)"] {
            assert!(Pattern::new(malformed, b"x").is_err(), "{malformed}");
        }
    }
}
