//! The sources of base URLs.

use std::fmt;

use super::container::ContainerKind;
use super::{BaseElement, BaseUrl, Document};

/// The source of a base URL, such as a `base` element or a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseUrlSource {
    /// A `base` element in the content.
    Embedded,
    /// An `xml:base` in the content.
    XmlBase,
    /// A header of the message or of the part itself, by name.
    Header(String),
    /// A header of an enclosing part, by the part's number and the header's name.
    Enclosing(String, String),
    /// The URL at which the document was found.
    Retrieval,
    /// No base URL.
    None,
}

impl fmt::Display for BaseUrlSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BaseUrlSource::Embedded => f.write_str("embedded base element"),
            BaseUrlSource::XmlBase => f.write_str("embedded xml:base"),
            BaseUrlSource::Header(name) => write!(f, "header {name}"),
            BaseUrlSource::Enclosing(number, name) if number.is_empty() => {
                write!(f, "header {name} of the message")
            }
            BaseUrlSource::Enclosing(number, name) => write!(f, "header {name} of part {number}"),
            BaseUrlSource::Retrieval => f.write_str("retrieval URL"),
            BaseUrlSource::None => f.write_str("none"),
        }
    }
}

impl Document<'_> {
    /// Returns the source of the base URL of a scope, for messages about the part with the number `part`.
    /// `bases` are the base URLs of the document's scopes.
    pub fn source_of_base(&self, scope: usize, part: &str, bases: &[BaseUrl]) -> BaseUrlSource {
        if bases.get(scope).is_none_or(|base| base.url.is_none()) {
            return BaseUrlSource::None;
        }
        let around = |at: &usize| self.scopes.get(*at)?.parent;
        let mut scopes = std::iter::successors(Some(scope), around);
        let base = scopes.find_map(|at| {
            let is_used = bases.get(at)?.element == BaseElement::Used;
            self.containers.get(self.scopes.get(at)?.base.filter(|_| is_used)?)
        });
        match base.map(|container| &container.kind) {
            None => BaseUrlSource::Retrieval,
            // A redirect: the client retrieved the document there.
            Some(ContainerKind::Header(header)) if header.name == "Location" => {
                BaseUrlSource::Retrieval
            }
            Some(ContainerKind::Header(header)) if header.part == part => {
                BaseUrlSource::Header(header.name.clone())
            }
            Some(ContainerKind::Header(header)) => {
                BaseUrlSource::Enclosing(header.part.clone(), header.name.clone())
            }
            Some(kind) if kind.is_base_element() => BaseUrlSource::Embedded,
            Some(_) => BaseUrlSource::XmlBase,
        }
    }
}
