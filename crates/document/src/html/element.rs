//! Elements and quotes, as both engines return them.

use std::borrow::Cow;
use std::fmt;

/// The namespace of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// An element by its expanded name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub namespace: Namespace,
    /// The local name in the tree (`img` for the tag `image`).
    pub name: Cow<'static, str>,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.namespace {
            Namespace::Html => f.write_str(&self.name),
            Namespace::Svg => write!(f, "svg:{}", self.name),
            Namespace::MathMl => write!(f, "math:{}", self.name),
        }
    }
}

/// The quotes around an attribute value in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quote {
    /// `name="value"`
    Double,
    /// `name='value'`
    Single,
    /// `name=value`
    Unquoted,
    /// `name`: no value and no equals sign.
    NoValue,
}
