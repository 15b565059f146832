//! Paths of a tree that name the same file or folder as another path: symbolic links whose final
//! target is in the tree, and compressed pages.

use super::path_map::PathMap;

/// The aliases of a tree. All paths are as in a [`super::FileIndex`].
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases(PathMap);

/// A path in which symbolic links are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedPath<'p> {
    /// The path of the same file or folder without symbolic links.
    pub path: String,
    /// The symbolic links in the original path, outermost first: `latest` of `latest/a.html`.
    pub links: Vec<&'p str>,
}

impl Aliases {
    /// Makes `path` an alias of `target`, which goes through no alias.
    pub(super) fn insert(&mut self, path: String, target: String) {
        self.0.insert(path, target);
    }

    /// Returns the path that `path` itself is an alias of.
    pub(super) fn target(&self, path: &str) -> Option<&str> {
        self.0.get(path)
    }

    /// Returns all aliases with their targets, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter()
    }

    /// Replaces the aliases in `path` by their targets, from the outermost in; `None` if it goes
    /// through none.
    pub(super) fn resolve(&self, path: &str) -> Option<ResolvedPath<'_>> {
        if self.0.is_empty() {
            return None;
        }
        self.outermost(path, 0)?;
        let mut links = Vec::new();
        let mut path = path.to_owned();
        // Ends, because a target goes through no alias, and the rest gets shorter.
        let mut checked = 0;
        while let Some((link, target)) = self.outermost(&path, checked) {
            let rest = path.get(link.len()..).unwrap_or_default();
            path = join(target, rest);
            checked = target.len();
            links.push(link);
        }
        Some(ResolvedPath { path, links })
    }

    /// The outermost alias in `path` that is longer than `checked` bytes, and its target.
    fn outermost(&self, path: &str, checked: usize) -> Option<(&str, &str)> {
        let mut links = self.0.above(path);
        links.find(|(link, _)| link.len() > checked)
    }

    /// Returns the inverse of [`Aliases::resolve`]: `file`, whose path goes through no alias, by its path through
    /// `links`, the outermost first. Links that do not lead to the file are left out.
    pub(super) fn spell<'l>(
        &self,
        file: &str,
        links: impl DoubleEndedIterator<Item = &'l str>,
    ) -> String {
        let mut spelled = file.to_owned();
        for link in links.rev() {
            let rest = self.target(link).and_then(|target| match spelled.strip_prefix(target)? {
                rest if target.is_empty() && !rest.is_empty() => Some(format!("/{rest}")),
                rest if rest.is_empty() || rest.starts_with('/') => Some(rest.to_owned()),
                _ => None,
            });
            let Some(rest) = rest else { break };
            spelled = format!("{link}{rest}");
        }
        spelled
    }
}

/// `folder` and `rest`, which begins with a slash or is empty. The root has an empty path.
fn join(folder: &str, rest: &str) -> String {
    if folder.is_empty() {
        rest.trim_start_matches('/').to_owned()
    } else {
        format!("{folder}{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aliases() -> Aliases {
        let mut aliases = Aliases::default();
        for (link, target) in
            [("latest", "v1"), ("v1/en", "common/en"), ("v1/self", "v1"), ("d/root", "")]
        {
            aliases.insert(link.to_owned(), target.to_owned());
        }
        aliases
    }

    #[test]
    fn a_path_through_links_is_resolved_and_spelled_through_them_again() {
        let aliases = aliases();
        for (path, expected, links) in [
            ("latest", "v1", &["latest"][..]),
            ("latest/", "v1/", &["latest"]),
            ("latest/a.html", "v1/a.html", &["latest"]),
            ("latest/en/a", "common/en/a", &["latest", "v1/en"]),
            ("v1/self/self/x", "v1/x", &["v1/self", "v1/self"]),
            ("d/root", "", &["d/root"]),
            ("d/root/x", "x", &["d/root"]),
            ("d/root/latest/x", "v1/x", &["d/root", "latest"]),
        ] {
            let resolved = aliases.resolve(path).unwrap();
            assert_eq!(resolved.path, expected, "{path}");
            assert_eq!(resolved.links, links, "{path}");
            let spelled = aliases.spell(expected, links.iter().copied());
            assert_eq!(spelled, path, "{expected}");
        }
        for path in ["", "v1/a.html", "latest.html", "latestx/a", "d/roots"] {
            assert_eq!(aliases.resolve(path), None, "{path}");
        }
    }

    #[test]
    fn links_that_do_not_lead_to_the_file_are_left_out() {
        let aliases = aliases();
        for (file, links, expected) in [
            ("v2/a", &["latest"][..], "v2/a"),
            ("v10/a", &["latest"], "v10/a"),
            ("v1/a", &["gone"], "v1/a"),
            ("common/de/a", &["latest", "v1/en"], "common/de/a"),
        ] {
            let spelled = aliases.spell(file, links.iter().copied());
            assert_eq!(spelled, expected, "{file}");
        }
    }
}
