//! The rules of VitePress' `rewrites`, which publish documents elsewhere: patterns of `path-to-regexp` 6.

/// A rewrite rule of VitePress: a pattern of the paths of documents, and their new path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    from: Vec<Part>,
    to: Vec<Part>,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// `:name`, a part of a name in the path.
    Name(String),
    /// `:name*` or `(.*)`, any part of the path.
    Rest(String),
}

/// The largest numbers of parts of a rule that is read.
const MOST_RESTS: usize = 2;
const MOST_PARTS: usize = 12;

/// Any text in a path.
const ANY: &str = "(.*)";

impl Rewrite {
    /// Returns the rule `from: to` of a configuration; `None` if it has patterns that are not read.
    pub(super) fn parse(from: &str, to: &str) -> Option<Rewrite> {
        let (from, to) = (parts(from)?, parts(to)?);
        // Each may end anywhere.
        let rests = from.iter().filter(|it| matches!(it, Part::Rest(_))).count();
        (rests <= MOST_RESTS && from.len() <= MOST_PARTS).then_some(Rewrite { from, to })
    }

    /// Returns the new path of the document at `path`; `None` if the rule does not match.
    pub fn apply(&self, path: &str) -> Option<String> {
        let mut values = Vec::new();
        if !matches(&self.from, path, &mut values) {
            return None;
        }
        let value = |name: &String| {
            values.iter().find_map(|(known, value)| (*known == name).then_some(*value))
        };
        let mut new = String::new();
        for part in &self.to {
            new += match part {
                Part::Text(text) => text,
                Part::Name(name) | Part::Rest(name) => value(name)?,
            };
        }
        Some(new)
    }

    /// Returns the directory, with a slash at its end, whose documents the rule publishes at the root.
    pub fn directory_at_root(&self) -> Option<&str> {
        match (self.from.as_slice(), self.to.as_slice()) {
            ([Part::Text(directory), Part::Rest(_)], [Part::Rest(_)]) => Some(directory),
            _ => None,
        }
    }
}

/// The parts of `pattern`; `None` if it has some that are not read.
fn parts(pattern: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = pattern.trim_start_matches('/');
    let mut unnamed = 0;
    while !rest.is_empty() {
        let end = rest.find([':', '(', '{', '*', '?', '+', ')', '}', '\\']).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        if !text.is_empty() {
            parts.push(Part::Text(text.to_owned()));
        }
        rest = after;
        if let Some(after) = rest.strip_prefix(ANY) {
            parts.push(Part::Rest(unnamed.to_string()));
            unnamed += 1;
            rest = after;
        } else if let Some(after) = rest.strip_prefix(':') {
            let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
            let end = after.find(|it| !is_name(it)).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            let name = (!name.is_empty()).then(|| name.to_owned())?;
            let of_rest = [ANY, "*", "+"].iter().find_map(|it| after.strip_prefix(it));
            parts.push(if of_rest.is_some() { Part::Rest(name) } else { Part::Name(name) });
            rest = of_rest.unwrap_or(after);
        } else if !rest.is_empty() {
            return None;
        }
    }
    Some(parts)
}

/// Returns true if `parts` are all of `path`; their values then are in `values`.
fn matches<'p>(parts: &'p [Part], path: &'p str, values: &mut Vec<(&'p String, &'p str)>) -> bool {
    let Some((part, others)) = parts.split_first() else { return path.is_empty() };
    match part {
        Part::Text(text) => {
            path.strip_prefix(text.as_str()).is_some_and(|rest| matches(others, rest, values))
        }
        // The shortest that matches, as in the program.
        Part::Name(name) => {
            let length = path.find('/').unwrap_or(path.len());
            let ends = path.char_indices().skip(1).map(|(at, _)| at).chain([path.len()]);
            ends.take_while(|at| *at <= length).any(|at| ends_at(name, at, others, path, values))
        }
        Part::Rest(name) => {
            let ends = path.char_indices().map(|(at, _)| at).chain([path.len()]);
            let mut ends = ends;
            ends.any(|at| ends_at(name, at, others, path, values))
        }
    }
}

/// Returns true if the value of `name` ends at byte `at` of `path`, and `others` are the rest of it.
fn ends_at<'p>(
    name: &'p String,
    at: usize,
    others: &'p [Part],
    path: &'p str,
    values: &mut Vec<(&'p String, &'p str)>,
) -> bool {
    let Some((value, rest)) =
        path.split_at_checked(at).filter(|(value, _)| !value.is_empty() || others.is_empty())
    else {
        return false;
    };
    values.push((name, value));
    let is_match = matches(others, rest, values);
    if !is_match {
        values.pop();
    }
    is_match
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_those_of_the_program() {
        for (from, to, path, expected) in [
            ("en/:rest*", ":rest*", "en/a/b.md", Some("a/b.md")),
            ("en/:rest*", ":rest*", "fr/a.md", None),
            ("a/:rest*", "b/:rest*", "a/x.md", Some("b/x.md")),
            ("packages/:pkg/src/(.*)", ":pkg/(.*)", "packages/a/src/b/c.md", Some("a/b/c.md")),
            (
                "packages/:pkg/src/:rest(.*)",
                ":pkg/:rest",
                "packages/a/src/b/c.md",
                Some("a/b/c.md"),
            ),
            ("packages/:pkg/src/:page", ":pkg/:page", "packages/a/src/b/c.md", None),
            ("packages/:pkg/src/:page", ":pkg/:page", "packages/a/src/b.md", Some("a/b.md")),
            (":a-:b.md", ":b/:a.md", "x-y-z.md", Some("y-z/x.md")),
            ("a.md", "b/index.md", "a.md", Some("b/index.md")),
            ("a.md", "b.md", "a.md.md", None),
            ("/a/:x", "/b/:x", "a/c.md", Some("b/c.md")),
            ("ä/:x", ":x/ö", "ä/ü", Some("ü/ö")),
        ] {
            let rule = Rewrite::parse(from, to).unwrap();
            assert_eq!(rule.apply(path).as_deref(), expected, "{from} {to} {path}");
        }
        for unread in ["a/:b(x|y)", "{a/}?b", "a\\:b", ":", "(a)"] {
            assert_eq!(Rewrite::parse(unread, "x"), None, "{unread}");
        }
    }

    #[test]
    fn a_directory_is_at_the_root() {
        let directory = |from, to| {
            Rewrite::parse(from, to).and_then(|it| it.directory_at_root().map(str::to_owned))
        };
        assert_eq!(directory("en/:rest*", ":rest*").as_deref(), Some("en/"));
        assert_eq!(directory("en/:rest*", "a/:rest*"), None);
    }
}
