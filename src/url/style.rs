//! The shapes of references that relativizing can be asked for.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::scheme;

/// The shape of the reference that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Style {
    /// Relative to the directory of the base: never starts with a slash.
    #[default]
    Path,
    /// Relative to the root: starts with one slash.
    Root,
    /// Relative to the scheme: starts with two slashes.
    Scheme,
    /// The shortest of all, which is the target itself if nothing relative leads there.
    Shortest,
}

const STYLES: [(Style, &str); 4] = [
    (Style::Path, "path"),
    (Style::Root, "root"),
    (Style::Scheme, "scheme"),
    (Style::Shortest, "shortest"),
];

/// A name that is none of the styles'.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown style {0:?}; the styles are {names}", names = STYLES.map(|row| row.1).join(", "))]
pub struct UnknownStyle(String);

impl Style {
    /// All styles.
    pub fn all() -> impl Iterator<Item = Self> {
        STYLES.iter().map(|(style, _)| *style)
    }

    /// The name, as `--style` takes it.
    pub fn name(self) -> &'static str {
        STYLES
            .iter()
            .find(|(style, _)| *style == self)
            .map_or("", |(_, name)| name)
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(name: &str) -> Result<Self, UnknownStyle> {
        STYLES
            .iter()
            .find(|(_, own)| own.eq_ignore_ascii_case(name))
            .map(|(style, _)| *style)
            .ok_or_else(|| UnknownStyle(name.to_owned()))
    }
}

/// What kind of reference is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Relativize {
    /// The shape.
    pub style: Style,
    /// Whether the empty reference may be used where it resolves to the target. In many places of
    /// a document it does not mean a URL at all, so the default is that it may not.
    pub allow_empty: bool,
    /// A fragment alone will not do: where it stands it means a place in another document.
    pub more_than_fragment: bool,
}

impl From<Style> for Relativize {
    fn from(style: Style) -> Self {
        Self {
            style,
            allow_empty: false,
            more_than_fragment: false,
        }
    }
}

/// The shape that a reference has: what it is relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Nothing: it has a scheme (`http:x`, which the URL Standard may take for relative, too).
    Absolute,
    /// The scheme: it starts with two slashes.
    Scheme,
    /// The root: it starts with one slash.
    Root,
    /// The directory of the base.
    Path,
    /// The base itself: it is empty, a query or a fragment.
    Document,
}

impl Shape {
    /// The shape of `reference`, white space around it left aside.
    pub fn of(reference: &str) -> Self {
        let reference = reference.trim_matches(|c: char| c <= ' ');
        match reference.as_bytes() {
            _ if scheme::split_1990s(reference).is_some() => Self::Absolute,
            [b'/' | b'\\', b'/' | b'\\', ..] => Self::Scheme,
            [b'/' | b'\\', ..] => Self::Root,
            [] | [b'?' | b'#', ..] => Self::Document,
            _ => Self::Path,
        }
    }

    /// The style that makes references of this shape; `None` for absolute ones.
    pub fn style(self) -> Option<Style> {
        match self {
            Self::Absolute => None,
            Self::Scheme => Some(Style::Scheme),
            Self::Root => Some(Style::Root),
            Self::Path | Self::Document => Some(Style::Path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for style in Style::all() {
            assert_eq!(style.to_string().parse(), Ok(style));
        }
        for (reference, style) in [
            ("HTTP://h/", None),
            ("mailto:x", None),
            ("//h/x", Some(Style::Scheme)),
            (" /x", Some(Style::Root)),
            ("x", Some(Style::Path)),
            ("?x", Some(Style::Path)),
            ("", Some(Style::Path)),
        ] {
            assert_eq!(Shape::of(reference).style(), style, "{reference:?}");
        }
        let error = "shape".parse::<Style>().unwrap_err();
        assert!(error.to_string().ends_with("path, root, scheme, shortest"));
    }
}
