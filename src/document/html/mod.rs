//! HTML: which attribute values of a document hold URLs, and where they stand.
//!
//! [`attributes`] is the table of URL attributes, [`authority`] finds them in a document the way a
//! browser's parser does.

pub mod attributes;
pub mod authority;
mod budget;
mod sink;

use std::fmt;

use super::Span;
use super::text::Text;
pub use attributes::{Namespace, Row, RowBase, ValueKind};

/// An attribute value that holds URLs.
#[derive(Clone, Debug)]
pub struct AttributeValue {
    /// The element that has the attribute.
    pub element: Element,
    /// The attribute's name as tokenized (lower case; `xlink:href` with its prefix).
    pub attribute: String,
    /// The row of the table of URL attributes that makes it one.
    pub row: &'static Row,
    /// The value's bytes in the source, without quotes. Empty behind the name for an attribute
    /// without a value.
    pub span: Span,
    /// How it is quoted.
    pub quote: Quote,
    /// The decoded value.
    pub text: Text,
    /// What its references are resolved against.
    pub base: BaseOf,
}

/// An element by its expanded name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The namespace.
    pub namespace: Namespace,
    /// The local name, as the tree builder has it (`img` for the tag `image`).
    pub name: String,
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

/// What the references of a value are resolved against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseOf {
    /// The document base URL.
    Document,
    /// The fallback base URL: for `href` of `base` itself.
    Fallback,
    /// The element's `codebase`, which is itself relative to the document base URL and taken as a
    /// directory.
    Codebase(String),
}
