//! HTML: which attribute values of a document hold URLs, and where they stand.
//!
//! [`attributes`] is the table of URL attributes, [`content`] that of elements whose content is a
//! carrier. [`authority`] finds them in a document the way a browser's parser does, [`scanner`] the
//! same faster, where it can; [`engine`] asks the one or the other.

pub mod attributes;
pub mod authority;
mod budget;
pub mod content;
pub mod engine;
mod fragment;
pub mod raw;
pub mod scanner;
mod sink;

use std::borrow::Cow;
use std::fmt;

pub use attributes::{AttributeBase, AttributeRow, Namespace, Usage, ValueKind};
pub use content::ContentKind;

/// An element by its expanded name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The namespace.
    pub namespace: Namespace,
    /// The local name, as the tree builder has it (`img` for the tag `image`).
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

/// How an attribute value stands in the source.
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
