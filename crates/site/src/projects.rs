//! Values for the projects of generators in a tree, by their folders.

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// A value for each project below a tree, which applies to all files in the folders of the project, except for those
/// of a project within.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Projects<T> {
    /// The numbers of the projects, by their folders, each with a slash at its end.
    numbers: Arc<FxHashMap<Box<str>, usize>>,
    values: Vec<T>,
}

impl<T> Default for Projects<T> {
    fn default() -> Projects<T> {
        Projects { numbers: Arc::default(), values: Vec::new() }
    }
}

impl<T> Projects<T> {
    /// Creates the projects from their folders, each with a slash at its end, and their values.
    pub fn new<F: IntoIterator<Item = String>>(
        projects: impl Iterator<Item = (F, T)>,
    ) -> Projects<T> {
        let (mut numbers, mut values) = (FxHashMap::default(), Vec::new());
        for (folders, value) in projects {
            numbers.extend(folders.into_iter().map(|it| (it.into_boxed_str(), values.len())));
            values.push(value);
        }
        Projects { numbers: Arc::new(numbers), values }
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the values of all projects.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.values.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.values.iter_mut()
    }

    /// Returns the same projects with other values.
    pub fn map<U>(&self, value: impl FnMut(&T) -> U) -> Projects<U> {
        let values = self.values.iter().map(value).collect();
        Projects { numbers: Arc::clone(&self.numbers), values }
    }

    /// Returns the numbers of the projects that have the file at `path` in one of their folders, the innermost first.
    pub(super) fn around(&self, path: &str) -> impl Iterator<Item = usize> {
        let ends = memchr::memrchr_iter(b'/', path.as_bytes()).take_while(|_| !self.is_empty());
        ends.filter_map(|end| self.numbers.get(path.get(..=end)?).copied())
    }

    /// Returns the value of the innermost project that contains `path`.
    pub fn innermost(&self, path: &str) -> Option<&T> {
        self.around(path).next().and_then(|number| self.values.get(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_project_counts() {
        let folders = |it: &[&str]| it.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let projects = [(folders(&["a/", "docs/a/"]), 1), (folders(&["a/b/"]), 2)];
        let projects = Projects::new(projects.into_iter());
        for (path, expected) in [
            ("a/x.md", Some(1)),
            ("a/c/x.md", Some(1)),
            ("docs/a/x.md", Some(1)),
            ("a/b/x.md", Some(2)),
            ("a/b/", Some(2)),
            ("a/b", Some(1)),
            ("ab/x.md", None),
            ("docs/x.md", None),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(projects.innermost(path).copied(), expected, "{path}");
        }
        assert_eq!(projects.map(|it| it * 10).innermost("docs/a/x"), Some(&10));
        assert_eq!(projects.around("a/b/x.md").collect::<Vec<_>>(), [1, 0]);
        assert_eq!(Projects::<u8>::default().innermost("a/b"), None);
    }
}
