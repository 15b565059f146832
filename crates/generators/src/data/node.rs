//! The nodes of a text of data, and the paths to them.

use std::borrow::Cow;
use std::sync::Arc;

use super::scalar::Quoting;
use rehref_url::Span;

/// A string value in YAML, TOML or JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The span of the value, without the quotes.
    pub span: Span,
    pub quoting: Quoting,
}

impl Scalar {
    /// Returns the span of the value with its quotes, if it is on one line.
    pub fn whole(self) -> Option<Span> {
        let quote = match self.quoting {
            Quoting::YamlPlain => 0,
            Quoting::YamlBlock(_) => return None,
            _ => 1,
        };
        let start = self.span.start.checked_sub(quote)?;
        Some(Span::from(start..self.span.end + quote))
    }
}

/// A step from a value to a value within it: a key or an index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// To the value of the member with this name.
    Member(Arc<str>),
    /// To the item of a list with this number, from 0.
    Item(usize),
}

impl Step {
    /// Returns the name of the member.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Step::Member(name) => Some(name),
            Step::Item(_) => None,
        }
    }

    /// Returns true if it is that to the member `name`.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name() == Some(name)
    }
}

/// A node of YAML, TOML or JSON, as the parser of the language reads it.
pub enum Node<'n> {
    /// The name of the member at the path.
    Name(Span),
    /// A scalar.
    Scalar {
        /// The value.
        value: Cow<'n, str>,
        /// The bytes with the quotes, and for YAML with its tag and anchor.
        whole: Span,
        /// The scalar, if it is a string in one line, or in lines after `|` or `>`.
        string: Option<Scalar>,
    },
    /// The start of a list, whose first bytes are these.
    ListStart(Span),
    /// The end of a list, whose last bytes are these.
    ListEnd(Span),
}

/// The error of a text that is not valid in its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotData {
    /// The offset of the error in the text.
    pub at: usize,
    /// The message of the parser.
    pub message: String,
}

/// The deepest level of values in values. Real texts have only a few.
pub(super) const NESTING: usize = 64;
