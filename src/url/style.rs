//! The shapes of references that relativizing can be asked for.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

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
}

impl From<Style> for Relativize {
    fn from(style: Style) -> Self {
        Self {
            style,
            allow_empty: false,
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
        let error = "shape".parse::<Style>().unwrap_err();
        assert!(error.to_string().ends_with("path, root, scheme, shortest"));
    }
}
