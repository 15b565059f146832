//! Why a string is not a URL.

use thiserror::Error;

/// Why the basic URL parser (URL Standard, section 4.4) returned failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// The input has no scheme and there is no base URL to take one from.
    #[error("a relative reference needs a base URL")]
    RelativeWithoutBase,
    /// The base URL has an opaque path (`mailto:`, `data:`, ...), and the reference is more than
    /// a fragment.
    #[error("the base URL has an opaque path, so only a fragment can be resolved against it")]
    OpaqueBase,
    /// A scheme that needs a host, or an authority with credentials or a port, has none.
    #[error("the host is missing")]
    EmptyHost,
    /// The host is no valid domain, IP address or opaque host.
    #[error("invalid host: {0}")]
    InvalidHost(#[from] HostError),
    /// The port holds something that is not a digit, or is greater than 65535.
    #[error("invalid port")]
    InvalidPort,
    /// The serialized URL would be 4 GiB or longer.
    #[error("the URL is too long")]
    TooLong,
}

/// Why the host parser (URL Standard, section 3.5) returned failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum HostError {
    /// The host starts with `[` and does not end with `]`.
    #[error("\"[\" without \"]\"")]
    UnclosedBracket,
    /// What stands between `[` and `]` is not an IPv6 address.
    #[error("not an IPv6 address")]
    Ipv6,
    /// The last label is a number, so the host must be an IPv4 address, and is not.
    #[error("not an IPv4 address")]
    Ipv4,
    /// The host holds a code point that hosts must not hold.
    #[error("forbidden character {0:?}")]
    ForbiddenCodePoint(char),
    /// The domain is not valid under IDNA (Unicode Technical Standard 46).
    #[error("not a valid internationalized domain name")]
    Idna,
}
