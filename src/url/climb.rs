//! How far a path goes up: what the standards cut off at the root.

use super::absolute::AbsoluteUrl;
use super::components::Components;
use super::scheme;
use super::segment::{Dots, dots};
use super::style::Shape;

/// The way that a reference takes through the folders of its base URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Climb {
    /// How many steps it goes above the root, where there is nothing.
    pub above_root: usize,
    /// In how many folders below the root it is at its highest.
    pub highest: usize,
}

impl Climb {
    /// The way of `reference` against `base`; `None` where it says a host or names nothing but a
    /// place in the base itself. Escaped dots count as dots, as in the URL Standard.
    pub fn of(base: &AbsoluteUrl, reference: &str) -> Option<Climb> {
        let mut depth = match Shape::of(reference) {
            Shape::Path => folders(base),
            Shape::Root => 0,
            Shape::Absolute | Shape::Scheme | Shape::Document => return None,
        };
        let reference = reference.trim_matches(|c: char| c <= ' ');
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').unwrap_or(path);
        let backslashes = scheme::is_special(base.scheme());
        let mut climb = Climb {
            above_root: 0,
            highest: depth,
        };
        for segment in path.split(|c| c == '/' || c == '\\' && backslashes) {
            match dots(segment) {
                Some(Dots::Single) => {}
                Some(Dots::Double) if depth == 0 => climb.above_root += 1,
                Some(Dots::Double) => depth -= 1,
                None => depth += 1,
            }
            climb.highest = climb.highest.min(depth);
        }
        Some(climb)
    }
}

/// In how many folders below the root the path of `url` ends.
pub fn folders(url: &AbsoluteUrl) -> usize {
    let path = Components::split_rfc3986(url.as_str()).path;
    path.matches('/').count().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::{Standard, Url};

    #[test]
    fn steps_above_the_root_are_counted() {
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
            ("/../g", Some((1, 0))),
            ("/./g", Some((0, 0))),
            ("g?y/../../../x", Some((0, 2))),
            ("g#s/../../../x", Some((0, 2))),
            ("#../../..", None),
            ("//h/../x", None),
            ("http://h/../x", None),
        ] {
            let climb = Climb::of(&base, reference);
            let found = climb.map(|climb| (climb.above_root, climb.highest));
            assert_eq!(found, expected, "{reference}");
        }
    }
}
