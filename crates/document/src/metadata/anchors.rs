//! Anchors: the names of the places in a document that fragments indicate.

use std::fmt;

use super::fragment;
use crate::TemplateDialects;
use rehref_url::Span;

/// The anchors of a document, without duplicates, sorted by their bytes: one string, and the end of
/// each name in it. Names after the first 4 GiB are dropped.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Anchors {
    names: Box<str>,
    ends: Box<[u32]>,
}

impl Anchors {
    /// Returns the number of anchors.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns all names, sorted by their bytes.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).filter_map(|at| self.name(at))
    }

    /// Returns true if an anchor has exactly this name.
    pub fn contains(&self, name: &str) -> bool {
        let mut range = 0..self.len();
        while !range.is_empty() {
            let middle = range.start + range.len() / 2;
            let Some(found) = self.name(middle) else { return false };
            match found.cmp(name) {
                std::cmp::Ordering::Equal => return true,
                std::cmp::Ordering::Less => range.start = middle + 1,
                std::cmp::Ordering::Greater => range.end = middle,
            }
        }
        false
    }

    /// Returns true if a fragment (the part after `#` of a parsed URL) indicates a part of the document or its
    /// top.
    pub fn indicates(&self, fragment: &str) -> bool {
        fragment::is_top(fragment)
            || fragment::candidates(fragment).any(|name| self.contains(&name))
    }

    /// Returns the name at the index `at` in the sorted order.
    pub fn name(&self, at: usize) -> Option<&str> {
        let start = match at.checked_sub(1) {
            Some(before) => *self.ends.get(before)? as usize,
            None => 0,
        };
        self.names.get(start..*self.ends.get(at)? as usize)
    }
}

impl<S: AsRef<str>> FromIterator<S> for Anchors {
    /// Drops empty names: no fragment indicates them.
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Anchors {
        let mut all: Vec<S> = names.into_iter().collect();
        all.sort_unstable_by(|a, b| a.as_ref().cmp(b.as_ref()));
        all.dedup_by(|a, b| a.as_ref() == b.as_ref());
        let mut names = String::new();
        let mut ends = Vec::with_capacity(all.len());
        let names_in_order = all.iter().map(AsRef::as_ref);
        for name in names_in_order.filter(|name| !name.is_empty()) {
            let Ok(end) = u32::try_from(names.len() + name.len()) else { break };
            names.push_str(name);
            ends.push(end);
        }
        Anchors { names: names.into_boxed_str(), ends: ends.into_boxed_slice() }
    }
}

impl fmt::Debug for Anchors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An `id` that an earlier element already has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateId {
    pub id: String,
    /// The span of the repeated value in the working bytes.
    pub span: Span,
    /// The span of the first element's equal value.
    pub first: Span,
}

/// Returns the second and later occurrences in `ids`, in source order. `ids` is sorted, and equal ids are in source
/// order. Ids with markup of `templates` are not duplicates: each may become something else.
pub(crate) fn duplicates(ids: &[(&str, Span)], templates: TemplateDialects) -> Vec<DuplicateId> {
    let mut found = Vec::new();
    for same in ids.chunk_by(|(one, _), (other, _)| one == other) {
        if let [(id, first), others @ ..] = same
            && !others.is_empty()
            && !templates.is_in(id)
        {
            found.extend(others.iter().map(|(_, span)| DuplicateId {
                id: (*id).to_owned(),
                span: *span,
                first: *first,
            }));
        }
    }
    found.sort_by_key(|duplicate| duplicate.span);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_found() {
        let names = ["b", "a", "", "b", "ä", "a b", "top", "aa", "B"];
        let anchors: Anchors = names.into_iter().collect();
        assert_eq!(anchors.iter().collect::<Vec<_>>(), ["B", "a", "a b", "aa", "b", "top", "ä"]);
        assert_eq!(anchors.len(), 7);
        for name in anchors.iter() {
            assert!(anchors.contains(name), "{name}");
        }
        for name in ["", "A", "ab", "c", "a b ", "aaa", "ba"] {
            assert!(!anchors.contains(name), "{name}");
        }
        let none = Anchors::default();
        assert!(none.iter().next().is_none() && !none.contains("") && !none.contains("a"));
    }

    #[test]
    fn fragments_indicate_anchors_and_the_top() {
        let anchors: Anchors = ["a", "x y", "%41", "grüße"].into_iter().collect();
        for (fragment, expected) in [
            ("", true),
            ("ToP", true),
            ("a", true),
            ("a:~:text=z", true),
            ("x%20y", true),
            ("gr%c3%bc%C3%9Fe", true),
            ("%41", true),
            ("%2541", true),
            ("A", false),
            ("%42", false),
            ("a%20", false),
        ] {
            assert_eq!(anchors.indicates(fragment), expected, "{fragment}");
        }
    }

    #[test]
    fn duplicates_come_with_the_first_occurrence() {
        let at = |start: usize| Span { start, end: start + 1 };
        let ids = ["b", "a", "b", "{{x}}", "a", "b", "{{x}}"];
        let mut ids: Vec<_> = ids.iter().zip(0..).map(|(id, n)| (*id, at(n))).collect();
        ids.sort();
        let found: Vec<_> = duplicates(&ids, TemplateDialects::default())
            .into_iter()
            .map(|duplicate| (duplicate.id, duplicate.span.start, duplicate.first.start))
            .collect();
        let expected = [("b", 2, 0), ("a", 4, 1), ("b", 5, 0)];
        assert_eq!(found, expected.map(|(id, at, first)| (id.to_owned(), at, first)));
    }
}
