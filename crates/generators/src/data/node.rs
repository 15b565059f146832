//! The nodes of a text of data, and the paths to them.

use std::borrow::Cow;
use std::sync::Arc;

use super::scalar::Quoting;
use rehref_url::Span;

/// A string of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The bytes without the quotes.
    pub span: Span,
    pub quoting: Quoting,
}

impl Scalar {
    /// Returns the bytes of the value with its quotes, if it is in one line.
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

/// A step from a value to a value within it.
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

/// A node of a text, as the parser of its language reads it.
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

/// The text is not in its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotData {
    /// The byte of the text where the error is.
    pub at: usize,
    /// The error, in words.
    pub message: String,
}

/// The deepest level of values in values. Real texts have only a few.
pub(super) const NESTING: usize = 64;
