//! `defaults` in the configuration of Jekyll: front matter of the documents at a path, or of a type.

use std::iter;

use crate::data::Step;
use crate::markdown::dialect::MarkdownDialect;
use crate::markdown::stated_url::{StatedUrl, url_key};

/// An entry of `defaults`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Defaults {
    /// The number of the entry; one for a directory that moves has it for each place.
    number: usize,
    /// How the paths of the documents start; a pattern if it has a star.
    path: String,
    /// `pages`, `posts`, `drafts`, or the label of a collection.
    kind: Option<String>,
    values: StatedUrl,
}

/// The older names of types.
const OLD_KINDS: &[(&str, &str)] = &[("page", "pages"), ("post", "posts"), ("draft", "drafts")];

impl Defaults {
    /// Gives the entry the `value` at `path` in it.
    pub(super) fn set(&mut self, path: &[Step], value: &str) {
        match path {
            [scope, key] if scope.is("scope") && key.is("path") => value.clone_into(&mut self.path),
            [scope, key] if scope.is("scope") && key.is("type") => {
                let known = OLD_KINDS.iter().find(|(old, _)| *old == value);
                self.kind = Some(known.map_or(value, |(_, new)| new).to_owned());
            }
            [values, rest @ ..] if values.is("values") => {
                if let Some((key, _)) = url_key(MarkdownDialect::JEKYLL.row(), rest) {
                    self.values.push(key, value);
                }
            }
            _ => {}
        }
    }

    pub(super) fn new(number: usize) -> Defaults {
        Defaults { number, ..Defaults::default() }
    }

    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Returns the same entry for the place to which its own directory moves, if `follow` returns one.
    pub(super) fn moved(&self, follow: &dyn Fn(&str) -> Option<String>) -> Option<Defaults> {
        let path = follow(self.path.trim_matches('/'))?;
        Some(Defaults { path, ..self.clone() })
    }

    pub(super) fn applies(&self, path: &str, kind: &str) -> bool {
        let own = self.path.strip_prefix('/').unwrap_or(&self.path);
        self.kind.as_deref().is_none_or(|it| it == kind)
            && match own.contains('*') {
                true => starts_with_pattern(path.as_bytes(), own.as_bytes()),
                false => path.starts_with(own),
            }
    }

    /// Returns true if these count before those of `other`, which come earlier.
    fn has_precedence(&self, other: &Defaults) -> bool {
        let key = |it: &Defaults| (it.path.len(), it.kind.is_some());
        key(self) >= key(other)
    }
}

/// Returns the values that the front matter of the document at `path`, of this `kind`, has with `defaults`. `stated`:
/// its own values.
pub(super) fn with_defaults(
    defaults: &[Defaults],
    path: &str,
    kind: &str,
    stated: Option<&StatedUrl>,
) -> StatedUrl {
    let mut values = StatedUrl::default();
    let mut last: Option<&Defaults> = None;
    for entry in defaults.iter().filter(|it| it.applies(path, kind)) {
        values = if last.is_none_or(|last| entry.has_precedence(last)) {
            last = Some(entry);
            entry.values.over(&values)
        } else {
            values.over(&entry.values)
        };
    }
    stated.map_or_else(|| values.clone(), |stated| stated.over(&values))
}

/// Returns true if a directory or file at the start of `path` matches `pattern`, in which `*` stands for any
/// characters but slashes, and `**` for any.
fn starts_with_pattern(path: &[u8], pattern: &[u8]) -> bool {
    // Whether the pattern so far matches the start of `path` with each length.
    let mut reached = vec![true];
    reached.resize(path.len() + 1, false);
    let mut rest = pattern;
    while let Some((first, after)) = rest.split_first() {
        let crosses = rest.starts_with(b"**");
        rest = rest.strip_prefix(b"**/").or(rest.strip_prefix(b"**")).unwrap_or(after);
        reached = if *first == b'*' {
            let mut is_open = false;
            let last = iter::once(None).chain(path.iter().map(Some));
            let ends = last.zip(reached).map(|(last, is_reached)| {
                is_open &= crosses || last != Some(&b'/');
                is_open |= is_reached;
                is_open
            });
            ends.collect()
        } else {
            let goes_on =
                path.iter().zip(reached).map(|(byte, is_reached)| is_reached && byte == first);
            iter::once(false).chain(goes_on).collect()
        };
    }
    let is_end = path.iter().map(|byte| *byte == b'/').chain([true]);
    reached.into_iter().zip(is_end).any(|(is_reached, is_end)| is_reached && is_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::published::UrlKey;

    #[test]
    fn a_pattern_matches_the_start_of_a_path() {
        for (pattern, path, expected) in [
            ("a/*/c.md", "a/b/c.md", true),
            ("a/*", "a/b/c.md", true),
            ("a/*.md", "a/b/c.md", false),
            ("a/**/c.md", "a/b/d/c.md", true),
            ("a/**/c.md", "a/c.md", true),
            ("*/b", "a/bc", false),
        ] {
            let found = starts_with_pattern(path.as_bytes(), pattern.as_bytes());
            assert_eq!(found, expected, "{pattern} {path}");
        }
    }

    #[test]
    fn the_longer_path_counts_and_front_matter_before_all() {
        let entry = |path: &str, kind: Option<&str>, url: &str| Defaults {
            number: 0,
            path: path.to_owned(),
            kind: kind.map(str::to_owned),
            values: {
                let mut values = StatedUrl::default();
                values.push(UrlKey::Permalink, url);
                values
            },
        };
        let defaults = [
            entry("a/b", None, "/1/"),
            entry("a", Some("pages"), "/2/"),
            entry("", None, "/3/"),
            entry("a/b", Some("pages"), "/4/"),
        ];
        for (path, kind, expected) in [
            ("a/b/c.md", "pages", "/4/"),
            ("a/b/c.md", "posts", "/1/"),
            ("a/c.md", "pages", "/2/"),
            ("a/c.md", "posts", "/3/"),
        ] {
            let found = with_defaults(&defaults, path, kind, None);
            assert_eq!(found.get(UrlKey::Permalink), Some(expected), "{path} {kind}");
        }
        let own = entry("", None, "/own/").values;
        let found = with_defaults(&defaults, "a/b/c.md", "pages", Some(&own));
        assert_eq!(found.get(UrlKey::Permalink), Some("/own/"));
    }
}
