//! Where base URLs come from.

use std::fmt;

use super::super::container::Holder;
use super::super::{BaseElement, BaseUrl, Document};

/// What gave a base URL: the level of the precedence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A `base` element in the content.
    Embedded,
    /// An `xml:base` in the content.
    XmlBase,
    /// A header of the message, or of the part, itself.
    Header(String),
    /// A header of what the part is in: its number, and the name of the header.
    Enclosing(String, String),
    /// Where the document was found.
    Retrieval,
    /// There is none.
    None,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Embedded => f.write_str("embedded base element"),
            Origin::XmlBase => f.write_str("embedded xml:base"),
            Origin::Header(name) => write!(f, "header {name}"),
            Origin::Enclosing(number, name) if number.is_empty() => {
                write!(f, "header {name} of the message")
            }
            Origin::Enclosing(number, name) => write!(f, "header {name} of part {number}"),
            Origin::Retrieval => f.write_str("retrieval URL"),
            Origin::None => f.write_str("none"),
        }
    }
}

impl Document<'_> {
    /// What gave the base URL of a scope, for the part with that number. `bases` are those of the
    /// document.
    pub fn origin_of_base(&self, scope: usize, part: &str, bases: &[BaseUrl]) -> Origin {
        if bases.get(scope).is_none_or(|base| base.url.is_none()) {
            return Origin::None;
        }
        let mut at = Some(scope);
        while let Some(number) = at {
            let data = self.scopes.get(number);
            let is_used = bases
                .get(number)
                .is_some_and(|base| base.element == BaseElement::Used);
            let holder = data
                .filter(|_| is_used)
                .and_then(|scope| self.containers.get(scope.base?))
                .map(|container| &container.holder);
            match holder {
                // Where the server sent its client on to.
                Some(Holder::Header { name, .. }) if name == "Location" => {
                    return Origin::Retrieval;
                }
                Some(Holder::Header {
                    part: own, name, ..
                }) if own == part => {
                    return Origin::Header(name.clone());
                }
                Some(Holder::Header { part, name, .. }) => {
                    return Origin::Enclosing(part.clone(), name.clone());
                }
                Some(holder) if holder.is_base_element() => return Origin::Embedded,
                Some(_) => return Origin::XmlBase,
                None => at = data.and_then(|scope| scope.parent),
            }
        }
        Origin::Retrieval
    }
}
