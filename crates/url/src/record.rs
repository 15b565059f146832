//! The URL record (URL Standard, section 4.1), kept as its serialization.

use crate::Span;
use std::fmt;

/// A URL as the URL Standard parses it.
///
/// It is one string, the serialization, with the offsets of its components, which the string
/// determines. So equality and order are those of the serialization.
///
/// The parser is our own because no crate does what rewriting documents needs: `url` 2.5.8 gets 65 of
/// the 891 cases of the Web Platform Tests wrong, most of them `file:` URLs, which local trees hold.
/// `ada-url` gets none wrong, but needs a C++ compiler and cannot encode a query in the charset of the
/// document.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Url {
    pub(super) serialization: String,
    pub(super) at: Offsets,
}

/// Offsets into a serialization, in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Offsets {
    /// The colon after the scheme.
    pub(super) scheme_end: u32,
    /// The end of the authority; without one, the end of the colon.
    pub(super) authority_end: u32,
    /// The start of the path: `authority_end`, or two more after a `/.`, which keeps a path that begins
    /// with two slashes from being read as an authority.
    pub(super) path_start: u32,
    /// The `?` of the query.
    pub(super) query_start: Option<u32>,
    /// The `#` of the fragment.
    pub(super) fragment_start: Option<u32>,
}

impl Url {
    /// Returns the serialization.
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.serialization
    }

    /// Converts the record into its serialization.
    pub fn into_string(self) -> String {
        self.serialization
    }

    /// Returns the scheme, without its colon.
    pub fn scheme(&self) -> &str {
        self.slice(0, self.at.scheme_end)
    }

    /// Returns true if there is an authority: `//` after the scheme, with a host that may be empty.
    pub fn has_authority(&self) -> bool {
        self.at.authority_end > self.at.scheme_end + 1
    }

    /// Returns true if the path is opaque (`mailto:`, `data:`, ...), so that the URL cannot be a base.
    pub fn is_opaque(&self) -> bool {
        !self.has_authority() && !self.path().starts_with('/')
    }

    /// Returns the path, percent-encoded.
    #[inline]
    pub fn path(&self) -> &str {
        self.serialization.get(self.path_range().range()).unwrap_or_default()
    }

    /// Returns the byte range of the path inside [`Url::as_str`].
    #[inline]
    pub fn path_range(&self) -> Span {
        let end = self.at.query_start.or(self.at.fragment_start);
        Span::from(
            self.at.path_start as usize..end.map_or(self.serialization.len(), |end| end as usize),
        )
    }

    /// Returns the serialization up to the path: scheme, authority, and the `/.` that separates a path with two
    /// leading slashes from an absent authority.
    pub fn before_path(&self) -> &str {
        self.slice(0, self.at.path_start)
    }

    /// Returns the query, without its `?`; `Some("")` if it is empty.
    pub fn query(&self) -> Option<&str> {
        let start = self.at.query_start? as usize + 1;
        let end = self.without_fragment().len();
        self.serialization.get(start..end)
    }

    /// Returns the fragment, without its `#`; `Some("")` if it is empty.
    pub fn fragment(&self) -> Option<&str> {
        let start = self.at.fragment_start? as usize + 1;
        self.serialization.get(start..)
    }

    /// Returns the serialization with fragment excluded (URL Standard, section 4.5).
    pub fn without_fragment(&self) -> &str {
        match self.at.fragment_start {
            Some(end) => self.slice(0, end),
            None => &self.serialization,
        }
    }

    pub(super) fn slice_from(&self, start: usize) -> &str {
        self.serialization.get(start..).unwrap_or_default()
    }

    pub(super) fn slice(&self, start: u32, end: u32) -> &str {
        self.serialization.get(start as usize..end as usize).unwrap_or_default()
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.serialization)
    }
}
