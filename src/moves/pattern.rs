//! Patterns: a regular expression for whole paths, and the replacement that makes the new path.

use regex::bytes::{Regex, RegexBuilder};

/// A regular expression for paths below the root, and its replacement.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    regex: Regex,
    /// The same expression without Unicode, for names that are not UTF-8; `None` if the pattern needs Unicode,
    /// and so cannot match such a name.
    over_bytes: Option<Regex>,
    /// The replacement, all groups of which exist.
    replacement: Vec<u8>,
}

impl Pattern {
    /// Compiles a pattern, which must match whole paths, and its replacement.
    ///
    /// # Errors
    /// Returns an error if the pattern is not a regular expression, or lacks a group of the replacement.
    pub(super) fn new(pattern: &str, replacement: &[u8]) -> Result<Pattern, String> {
        // Without the anchors first, so that an error shows the pattern as the user wrote it.
        let regex = Regex::new(pattern).and_then(|_| anchored(pattern, true));
        let regex =
            regex.map_err(|error| format!("not a regular expression: {}", reason(&error)))?;
        check_groups(replacement, &regex)?;
        Ok(Pattern {
            replacement: replacement.to_owned(),
            over_bytes: anchored(pattern, false).ok(),
            regex,
        })
    }

    /// Returns true if the pattern has groups, and the replacement none.
    pub(super) fn drops_groups(&self) -> bool {
        self.regex.captures_len() > 1 && !self.replacement.contains(&b'$')
    }

    /// Returns the new path of `path`; `None` if the pattern does not match the whole of it.
    pub(super) fn apply(&self, path: &[u8]) -> Option<Vec<u8>> {
        let regex = match std::str::from_utf8(path) {
            Ok(_) => &self.regex,
            Err(_) => self.over_bytes.as_ref()?,
        };
        let mut new = Vec::new();
        regex.captures(path)?.expand(&self.replacement, &mut new);
        Some(new)
    }
}

/// The reason in an error of the regex crate, on one line. The lines above it draw the pattern, four
/// characters to the right, and a caret below the fault.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let mut lines = text.lines().rev();
    let reason = lines.next().unwrap_or_default();
    let reason = reason.trim_start_matches("error: ");
    let caret = lines.next().filter(|line| line.trim_start().starts_with('^'));
    match caret.and_then(|line| line.find('^')?.checked_sub(3)) {
        Some(character) => format!("{reason}, at character {character}"),
        None => reason.to_owned(),
    }
}

fn anchored(pattern: &str, unicode: bool) -> Result<Regex, regex::Error> {
    let build = |pattern: String| RegexBuilder::new(&pattern).unicode(unicode).build();
    build(format!(r"\A(?:{pattern})\z"))
        // Under `(?x)` a comment at the end of the pattern would swallow the parenthesis.
        .or_else(|_| build(format!("\\A(?:{pattern}\n)\\z")))
}

/// Checks that all groups exist that `replacement` refers to by the rules of the regex crate, which
/// would replace an unknown group with nothing.
fn check_groups(replacement: &[u8], regex: &Regex) -> Result<(), String> {
    let mut rest = replacement;
    while let Some((&b, after)) = rest.split_first() {
        rest = after;
        if b != b'$' {
            continue;
        }
        if let Some(after) = rest.strip_prefix(b"$") {
            rest = after;
        } else if let Some((name, after)) = group_name(rest) {
            check_group(name, regex)?;
            rest = after;
        }
    }
    Ok(())
}

/// The name of the group after a dollar sign, and the text after it.
fn group_name(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(braced) = rest.strip_prefix(b"{") {
        let end = memchr::memchr(b'}', braced)?;
        return Some((braced.get(..end)?, braced.get(end + 1..)?));
    }
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let end = rest.iter().take_while(|b| is_name(b)).count();
    rest.split_at_checked(end).filter(|_| end > 0)
}

fn check_group(name: &[u8], regex: &Regex) -> Result<(), String> {
    let name = String::from_utf8_lossy(name);
    let exists = |name: &str| match name.parse::<usize>() {
        Ok(number) => number < regex.captures_len(),
        Err(_) => regex.capture_names().any(|known| known == Some(name)),
    };
    if exists(&name) {
        return Ok(());
    }
    let mut prefixes = name.char_indices().rev().map(|(at, _)| name.split_at(at).0);
    Err(match prefixes.find(|prefix| exists(prefix)) {
        // `$1_x` means the group `1_x`.
        Some(group) => format!(
            "the pattern has no group `${name}`\nhelp: write `${{{group}}}` for the group {group} with text after it"
        ),
        None => format!("the pattern has no group `${name}`\nhelp: write a dollar sign as `$$`"),
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
    fn a_whole_path_that_matches_is_replaced() {
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
    fn a_pattern_without_unicode_matches_names_that_are_not_utf8() {
        assert_eq!(applied(r"(.*)\.htm", "$1.html", b"\xFC.htm"), Some(b"\xFC.html".to_vec()));
        assert_eq!(applied("[äö]*", "x", b"\xFC"), None);
    }

    #[test]
    fn an_unknown_group_and_a_malformed_pattern_are_errors() {
        for (pattern, replacement, error) in [
            ("(a)", "$2", "the pattern has no group `$2`\nhelp: write a dollar sign as `$$`"),
            ("(a)", "${x}", "the pattern has no group `$x`\nhelp: write a dollar sign as `$$`"),
            (
                "(a)",
                "$1_b",
                "the pattern has no group `$1_b`\nhelp: write `${1}` for the group 1 with text after it",
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
