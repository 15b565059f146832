//! Which source a page may come from: by the path of the page, and by the marks that its generator left.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::key;
use crate::suggest::readable;

/// More sources that a path fits as well tell nothing.
const MOST: usize = 8;

/// The paths of all sources, indexed. Numbers are those of the paths that the index was made of.
#[derive(Debug, Default)]
pub(super) struct SourcePaths {
    /// By the last segment of their names in URLs; empty for the index of the root.
    by_segment: FxHashMap<Box<str>, Vec<usize>>,
    /// The names in URLs, last segment first.
    segments: Vec<Vec<String>>,
    /// By the name of the file.
    by_name: FxHashMap<Box<str>, Vec<usize>>,
}

/// The segments of a path, last first: `guide/install.md`, `guide/install/index.html` and
/// `guide/install/README.md` have the same.
fn segments(path: &str) -> Vec<String> {
    let mut segments: Vec<String> =
        path.rsplit('/').filter(|name| key::is_seen(name)).map(key::segment).collect();
    if segments.first().is_some_and(|last| key::is_index(last)) {
        segments.remove(0);
    }
    segments.retain(|segment| !segment.is_empty());
    segments
}

impl SourcePaths {
    /// Returns the index of `paths`, which have `/` between names.
    pub(super) fn new(paths: impl IntoIterator<Item = impl AsRef<str>>) -> SourcePaths {
        let mut index = SourcePaths::default();
        for (number, path) in paths.into_iter().enumerate() {
            let path = path.as_ref();
            let segments = segments(path);
            let last = segments.first().map_or("", String::as_str);
            let of_segment = index.by_segment.entry(last.into()).or_default();
            of_segment.push(number);
            index.segments.push(segments);
            let name = path.rsplit('/').next().unwrap_or(path);
            index.by_name.entry(name.into()).or_default().push(number);
        }
        index
    }

    /// Returns the sources whose paths have the most in common with that of `page`, from the end on, and no directory
    /// that contradicts it.
    pub(super) fn of_page(&self, page: &str) -> Vec<usize> {
        let page = segments(page);
        let last = page.first().map_or("", String::as_str);
        let candidates = self.by_segment.get(last).into_iter().flatten();
        let candidates = candidates.filter_map(|it| Some((*it, self.segments.get(*it)?)));
        let agrees = |(_, source): &(usize, &Vec<String>)| {
            let [source, page] = [source, &page].map(|it| it.get(1..).unwrap_or_default());
            key::agree(source, page)
        };
        let common = |(_, source): &(usize, &Vec<String>)| {
            let common = source.iter().zip(&page).take_while(|(one, other)| one == other).count();
            // Of several, the one with the fewest other segments: `guide/a.md`, not `fr/guide/a.md`.
            (common, Reverse(source.len()))
        };
        let fitting: Vec<_> = candidates.filter(agrees).collect();
        let best = fitting.iter().map(common).max();
        let best = fitting.iter().filter(|it| Some(common(it)) == best);
        let mut found: Vec<usize> = best.map(|(number, _)| *number).collect();
        if found.len() > MOST {
            found.clear();
        }
        found
    }

    /// Returns the source that `mark` names: the longest path that it ends with.
    pub(super) fn of_mark(&self, mark: &str, paths: &[String]) -> Option<usize> {
        let mark = mark.split(['?', '#']).next().unwrap_or(mark);
        let mark = readable(mark);
        // Sphinx publishes `x.rst` as `_sources/x.rst.txt`.
        [&*mark, mark.strip_suffix(".txt").unwrap_or_default()].into_iter().find_map(|mark| {
            let name = mark.rsplit('/').next()?;
            let named = self.by_name.get(name)?.iter().copied();
            let fitting = named.filter(|number| {
                let path = paths.get(*number).map_or("", String::as_str);
                let before = mark.strip_suffix(path);
                before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
            });
            fitting.max_by_key(|number| paths.get(*number).map_or(0, String::len))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_the_source_of_its_path() {
        let paths = [
            "README.md",
            "guide/index.md",
            "guide/install.md",
            "fr/guide/install.md",
            "_posts/2020-01-02-hello.md",
            "02-more/01-intro.mdx",
            "other/_index.md",
            "other/intro.md",
        ];
        let index = SourcePaths::new(paths);
        for (page, expected) in [
            ("index.html", &["README.md"][..]),
            ("guide/index.html", &["guide/index.md"]),
            ("guide.html", &["guide/index.md"]),
            ("docs/guide/install/index.html", &["guide/install.md"]),
            ("guide/install.html", &["guide/install.md"]),
            ("fr/guide/install.html", &["fr/guide/install.md"]),
            ("2020/01/02/hello.html", &["_posts/2020-01-02-hello.md"]),
            ("more/intro/index.html", &["02-more/01-intro.mdx"]),
            ("intro.html", &["02-more/01-intro.mdx", "other/intro.md"]),
            ("other/index.html", &["other/_index.md"]),
            ("404.html", &[]),
            ("de/guide/install.html", &["guide/install.md"]),
            ("de/intro.html", &[]),
            ("de/other/intro.html", &["other/intro.md"]),
        ] {
            let found: Vec<&str> = index.of_page(page).into_iter().map(|at| paths[at]).collect();
            assert_eq!(found, expected, "{page}");
        }
    }

    #[test]
    fn a_mark_names_its_source() {
        let paths = ["a.md", "docs/a.md", "b c.rst", "x.txt"].map(str::to_owned);
        let index = SourcePaths::new(paths.iter().map(String::as_str));
        for (mark, expected) in [
            ("https://h/o/r/edit/main/docs/a.md", Some("docs/a.md")),
            ("https://h/o/r/edit/main/site/a.md?plain=1", Some("a.md")),
            ("../_sources/b%20c.rst.txt", Some("b c.rst")),
            ("_sources/x.txt", Some("x.txt")),
            ("https://h/edit/main/ba.md", None),
            ("https://h/edit/main/a.mdx", None),
        ] {
            let found = index.of_mark(mark, &paths).map(|at| paths[at].as_str());
            assert_eq!(found, expected, "{mark}");
        }
    }
}
