//! Values that say how browsers load a file: its digests, its CORS mode.

use super::container::span_in;
use super::html::ValueKind;
use super::{BaseUrl, Document};
use rehref_url::{AbsoluteUrl, Span};

/// A value that says how browsers load a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchOption {
    /// Index of the container of the value.
    pub container: usize,
    pub kind: FetchOptionKind,
    /// The reference to the file, decoded.
    pub url: String,
    /// The scope whose base URL the reference is relative to.
    pub scope: usize,
}

/// The kind of a fetch option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchOptionKind {
    /// Digests of the file (Subresource Integrity).
    Integrity,
    /// The CORS mode.
    Cors,
}

impl FetchOptionKind {
    /// The kind of option that a value is; `None` for other values.
    pub(super) fn of(kind: ValueKind) -> Option<FetchOptionKind> {
        match kind {
            ValueKind::Integrity => Some(FetchOptionKind::Integrity),
            ValueKind::Cors => Some(FetchOptionKind::Cors),
            _ => None,
        }
    }
}

impl Document<'_> {
    /// The URL of the file that `option` is about; `None` if it is unknown. `bases` are the base URLs
    /// of the document's scopes.
    pub fn file_of(&self, option: &FetchOption, bases: &[BaseUrl]) -> Option<AbsoluteUrl> {
        let base = bases.get(option.scope)?.url.as_ref()?;
        let encoding = self.containers.get(option.container)?.query_encoding;
        base.resolve(&option.url, encoding).ok()
    }

    /// The decoded text of an option.
    pub fn text_of_option(&self, option: &FetchOption) -> &str {
        self.text_at(option.container)
    }

    /// The byte of the working bytes at which the container at `index` starts.
    pub fn start_of(&self, index: usize) -> usize {
        span_in(&self.containers, index, Span::at(0)).start
    }

    /// The decoded text of the container at `index`.
    pub fn text_at(&self, index: usize) -> &str {
        let container = self.containers.get(index);
        container.map_or("", |container| container.text.as_str())
    }
}
