//! Ignore marks: the parts of a document where the author does not want findings.
//!
//! The attribute `data-rehref-ignore` covers its element and everything in it. Its value is a list
//! of check ids, separated by white space or commas; an empty list covers all checks, as does `true`, which React writes
//! for an attribute without a value. The comment
//! `<!-- rehref-ignore -->`, with or without a list after the word, covers the next element and
//! everything in it: the element of the next start tag that creates one.

use rustc_hash::FxHashMap;

use rehref_url::Span;

pub(crate) const ATTRIBUTE: &str = "data-rehref-ignore";

/// The word that a comment begins with.
pub(crate) const MARK: &str = "rehref-ignore";

/// A part of the document in which the author suppresses findings.
///
/// It is exact for the places of findings: start tags with references or `id`s, and comments. It holds
/// those in the marked elements of the tree and ends where the next one outside them starts, so that
/// text and end tags after the element may be in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The span of the ignored part, in working bytes.
    pub span: Span,
    /// The ids of the suppressed checks, as the author wrote them; empty for all.
    pub checks: Vec<Box<str>>,
}

#[cfg(test)]
impl Ignored {
    /// Returns true if this part suppresses a finding of the check with this id at this byte.
    pub fn covers(&self, at: usize, check: &str) -> bool {
        self.span.start <= at
            && at < self.span.end
            && (self.checks.is_empty() || self.checks.iter().any(|id| **id == *check))
    }
}

/// All ignored parts of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredParts {
    #[cfg(test)]
    parts: Vec<Ignored>,
    /// The starts of the parts in which each check is ignored, in order, and where each and those before it have all
    /// ended. Those for all checks have no id.
    of_checks: FxHashMap<Box<str>, Vec<(usize, usize)>>,
}

impl IgnoredParts {
    /// Returns all parts, sorted by their spans.
    #[cfg(test)]
    pub fn iter(&self) -> impl Iterator<Item = &Ignored> {
        self.parts.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.of_checks.is_empty()
    }

    /// Returns the names of checks that the author wrote in marks, each with the start of its first part.
    pub fn checks(&self) -> impl Iterator<Item = (&str, usize)> {
        let of_checks = self.of_checks.iter().filter(|(id, _)| !id.is_empty());
        of_checks.filter_map(|(id, parts)| Some((&**id, parts.first()?.0)))
    }

    /// Returns true if any part suppresses a finding of the check with this id at this byte.
    pub fn cover(&self, at: usize, check: &str) -> bool {
        let covers = |parts: &Vec<(usize, usize)>| {
            let before = parts.partition_point(|(start, _)| *start <= at);
            let last = before.checked_sub(1).and_then(|last| parts.get(last));
            last.is_some_and(|(_, end)| at < *end)
        };
        ["", check].iter().any(|id| self.of_checks.get(*id).is_some_and(covers))
    }
}

impl FromIterator<Ignored> for IgnoredParts {
    fn from_iter<I: IntoIterator<Item = Ignored>>(parts: I) -> IgnoredParts {
        let mut parts: Vec<Ignored> = parts.into_iter().collect();
        parts.sort_by_key(|part| part.span);
        let mut of_checks: FxHashMap<Box<str>, Vec<(usize, usize)>> = FxHashMap::default();
        for Ignored { span, checks } in &parts {
            let all = checks.is_empty().then_some("");
            for id in checks.iter().map(|id| &**id).chain(all) {
                let parts = of_checks.entry(id.into()).or_default();
                let end = parts.last().map_or(0, |(_, end)| *end).max(span.end);
                parts.push((span.start, end));
            }
        }
        IgnoredParts {
            #[cfg(test)]
            parts,
            of_checks,
        }
    }
}

/// Returns the check ids of a list.
pub(crate) fn check_ids(list: &str) -> impl Iterator<Item = &str> {
    let ids = list.split(|c: char| c == ',' || c.is_ascii_whitespace());
    ids.filter(|id| !["", "true"].contains(id))
}

/// Returns the list of a comment that is an ignore mark; `comment` is the text between `<!--` and `-->`.
pub(crate) fn ids_of_comment(comment: &str) -> Option<&str> {
    let list = comment.trim_ascii().strip_prefix(MARK)?;
    // Marks of other tools have a colon there.
    let is_end = |c: char| c.is_ascii_whitespace() || c == ':';
    let is_whole_word = list.is_empty() || list.starts_with(is_end);
    is_whole_word.then(|| list.strip_prefix(':').unwrap_or(list).trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn parts_cover_what_one_of_them_covers(
            spans in proptest::collection::vec((0_usize..30, 0_usize..12, 0..3_usize), 0..12),
        ) {
            let parts = spans.iter().map(|&(start, length, check)| Ignored {
                span: Span::from(start..start + length),
                checks: ["a", "b"].get(check).map(|id| Box::from(*id)).into_iter().collect(),
            });
            let parts: Vec<Ignored> = parts.collect();
            let all: IgnoredParts = parts.iter().cloned().collect();
            for (at, check) in (0..45).flat_map(|at| [(at, "a"), (at, "b"), (at, "c")]) {
                let expected = parts.iter().any(|part| part.covers(at, check));
                proptest::prop_assert_eq!(all.cover(at, check), expected);
            }
        }
    }

    #[test]
    fn an_ignore_mark_lists_checks() {
        for (comment, expected) in [
            ("rehref-ignore", Some(&[][..])),
            (" rehref-ignore\n", Some(&[])),
            (" rehref-ignore a", Some(&["a"])),
            ("\trehref-ignore a, b,,c\n d ", Some(&["a", "b", "c", "d"])),
            (" rehref-ignore: a, b", Some(&["a", "b"])),
            (" rehref-ignored ", None),
            (" rehref-ignore, a", None),
            ("please rehref-ignore", None),
            ("", None),
        ] {
            let found = ids_of_comment(comment).map(|list| check_ids(list).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), expected, "{comment}");
        }
    }
}
