//! The contents of a document.

use crate::container::Container;
use crate::fetch_option::FetchOption;
use crate::message::Part;
use crate::metadata::Metadata;
use crate::reference::Reference;
use crate::scope::Scope;
use crate::simple::SimpleReference;

/// The contents of a document; see the fields of [`Document`](crate::Document) with the
/// same names.
#[derive(Debug, Default)]
pub(crate) struct Extraction {
    pub(crate) containers: Vec<Container>,
    pub(crate) references: Vec<Reference>,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) parts: Vec<Part>,
    pub(crate) simple: Vec<SimpleReference>,
    pub(crate) fetch_options: Vec<FetchOption>,
    pub(crate) policies: Vec<usize>,
    pub(crate) unreadable: Vec<UnreadableContainer>,
    pub(crate) metadata: Option<Metadata>,
}

/// A container that should hold references and holds none, because it is malformed, encrypted or
/// in an unknown encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableContainer {
    /// Index of the container.
    pub container: usize,
    /// The byte of its decoded text where the error is.
    pub at: usize,
    pub message: String,
}
