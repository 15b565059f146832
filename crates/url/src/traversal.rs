//! Parent traversal: how far the `..` segments of a reference go up, and whether they escape the
//! root. Under every standard the result of resolving no longer shows that.

use super::absolute::AbsoluteUrl;
use super::components::Components;
use super::form::ReferenceForm;
use super::scheme;
use super::segment::{DotSegment, dot_segment};

/// The way of a reference through the folders of its base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParentTraversal {
    /// The number of `..` segments that escape the root. Resolving drops them (RFC 3986, section
    /// 5.2.4; URL Standard, "shorten a URL's path").
    pub above_root: usize,
    /// The smallest depth, as a number of folders below the root, that the reference reaches on its way.
    pub min_depth: usize,
}

impl ParentTraversal {
    /// Returns the traversal of `reference` against `base`; `None` if the reference has a scheme or a host, or only a
    /// query or a fragment. `%2e` counts as a dot, as in the URL Standard.
    pub fn of(base: &AbsoluteUrl, reference: &str) -> Option<ParentTraversal> {
        let mut depth = match ReferenceForm::of(reference) {
            ReferenceForm::Path => self::depth(base.as_str()),
            ReferenceForm::Root => 0,
            ReferenceForm::Absolute | ReferenceForm::Scheme | ReferenceForm::Document => {
                return None;
            }
        };
        let reference = reference.trim_matches(|c: char| c <= ' ');
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').unwrap_or(path);
        let backslashes = scheme::is_special(base.scheme());
        let mut traversal = ParentTraversal { above_root: 0, min_depth: depth };
        for segment in path.split(|c| c == '/' || c == '\\' && backslashes) {
            match dot_segment(segment) {
                Some(DotSegment::Single) => {}
                Some(DotSegment::Double) if depth == 0 => traversal.above_root += 1,
                Some(DotSegment::Double) => depth -= 1,
                None => depth += 1,
            }
            traversal.min_depth = traversal.min_depth.min(depth);
        }
        Some(traversal)
    }
}

/// Returns true if `reference` may have a `..` segment. Most references have none, and no `%2e` for a dot.
pub fn may_go_up(reference: &str) -> bool {
    reference.contains("..") || reference.contains("%2")
}

/// Returns the number of folders in the path of `url`.
pub fn depth(url: &str) -> usize {
    let path = Components::split_rfc3986(url).path;
    let slashes = memchr::memchr_iter(b'/', path.as_bytes());
    slashes.count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Standard, Url};

    #[test]
    fn segments_that_escape_the_root_are_counted() {
        let base = Url::parse("http://a/b/c/d;p?q/r/s").unwrap();
        let base = AbsoluteUrl::new(Standard::Whatwg, base);
        for (reference, expected) in [
            ("g", Some((0, 2))),
            ("../g", Some((0, 1))),
            ("../../g", Some((0, 0))),
            ("../../../g", Some((1, 0))),
            ("../../../../g", Some((2, 0))),
            ("%2e%2E/..\\../g", Some((1, 0))),
            ("x/../../g", Some((0, 1))),
            ("../../x/../../g", Some((1, 0))),
            ("../x/y/%2e%2e/..", Some((0, 1))),
            ("../../../x/y", Some((1, 0))),
            ("../x/..y/..", Some((0, 1))),
            ("/../g", Some((1, 0))),
            ("/./g", Some((0, 0))),
            ("g?y/../../../x", Some((0, 2))),
            ("g#s/../../../x", Some((0, 2))),
            ("#../../..", None),
            ("//h/../x", None),
            ("http://h/../x", None),
        ] {
            let traversal = ParentTraversal::of(&base, reference);
            let found = traversal.map(|it| (it.above_root, it.min_depth));
            assert_eq!(found, expected, "{reference}");
        }
    }
}
