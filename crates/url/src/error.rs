//! The errors of parsing and of resolving.

use thiserror::Error;

/// The reason the basic URL parser (URL Standard, section 4.4) returned failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The input has no scheme, and no base URL was given.
    #[error("not an absolute URL")]
    RelativeWithoutBase,
    /// The base URL has an opaque path (`mailto:`, `data:`, ...), and the reference is more than
    /// a fragment.
    #[error(
        "nothing but a fragment can be relative to the base URL, which has no hierarchy (like mailto:)"
    )]
    OpaqueBase,
    /// The URL has no host, although its scheme needs one, or although it has credentials or a port.
    #[error("the host is missing")]
    EmptyHost,
    /// The host is not a valid domain, IP address or opaque host.
    #[error("invalid host: {0}")]
    InvalidHost(#[from] HostError),
    /// The port contains a character that is not a digit, or is greater than 65535.
    #[error("invalid port")]
    InvalidPort,
    /// The serialized URL would be 4 GiB or longer.
    #[error("the URL is too long")]
    TooLong,
}

/// The reason the host parser (URL Standard, section 3.5) returned failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum HostError {
    /// The host starts with `[` and does not end with `]`.
    #[error("\"[\" without \"]\"")]
    UnclosedBracket,
    /// The text between `[` and `]` is not an IPv6 address.
    #[error("not an IPv6 address")]
    Ipv6,
    /// The last label is a number, so the host must be an IPv4 address, but it is not a valid one.
    #[error("not an IPv4 address")]
    Ipv4,
    /// The host contains this forbidden host code point (URL Standard, section 3.1).
    #[error("forbidden character {0:?}")]
    ForbiddenCodePoint(char),
    /// The domain is not valid under IDNA (Unicode Technical Standard 46).
    #[error("not a valid internationalized domain name")]
    Idna,
}

/// The reason a reference has no target.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The URL Standard's parser failed on the base URL.
    #[error("the base URL is not a URL: {0}")]
    Base(ParseError),
    /// The URL Standard's parser failed on the reference.
    #[error(transparent)]
    Reference(#[from] ParseError),
    /// The base URL is not absolute: it has no scheme.
    #[error("the base URL is not absolute")]
    RelativeBase,
    /// The base URL has a scheme without a hierarchy, or no slash after the scheme, so only a fragment can be
    /// relative to it (RFC 1808, section 2.3; RFC 3986, section 4.2).
    #[error("no link can resolve against the base URL, whose scheme is {0}:")]
    OpaqueBase(String),
    /// RFC 1630, "Partial (relative) form": the base URL has no run of exactly as many slashes as
    /// the reference starts with, or a longer run follows each of them.
    #[error(
        "the reference starts with {0} slashes; the base URL has no run of {0} slashes, or has a longer run after it"
    )]
    NoSuchSlashes(usize),
}

impl ResolveError {
    /// Returns true if the error is only in the base URL: with another base URL, the reference may resolve.
    pub fn is_of_base(&self) -> bool {
        match self {
            Self::Reference(ParseError::RelativeWithoutBase | ParseError::OpaqueBase) => true,
            Self::Reference(_) => false,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_at_fault_where_another_base_would_help() {
        for (error, expected) in [
            (ResolveError::Reference(ParseError::RelativeWithoutBase), true),
            (ResolveError::Reference(ParseError::OpaqueBase), true),
            (ResolveError::Reference(ParseError::TooLong), false),
            (ResolveError::Base(ParseError::TooLong), true),
            (ResolveError::RelativeBase, true),
            (ResolveError::NoSuchSlashes(3), true),
        ] {
            assert_eq!(error.is_of_base(), expected, "{error}");
        }
    }
}
