//! The public URL type: resolves and relativizes references.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use encoding_rs::UTF_8;

use rehref_url::{AbsoluteUrl, Components, ParseError, RelativeForm, ResolveError, Standard};

/// An absolute URL, and the standard by which references are resolved against it.
///
/// ```
/// use rehref::{RelativeForm, Url};
///
/// let base: Url = "https://example.org/docs/guide/".parse()?;
/// let target = base.resolve("../images/logo.svg")?;
/// assert_eq!(target.as_str(), "https://example.org/docs/images/logo.svg");
/// let reference = base.relativize(&target, RelativeForm::Root);
/// assert_eq!(reference.as_deref(), Some("/docs/images/logo.svg"));
/// # Ok::<(), rehref::ResolveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url(pub(super) AbsoluteUrl);

impl Url {
    /// Parses an absolute URL. References are resolved against it by the URL Standard, as browsers
    /// do.
    ///
    /// # Errors
    /// Returns an error if `url` is not an absolute URL.
    pub fn parse(url: &str) -> Result<Url, ParseError> {
        Url::parse_with(url, Standard::Whatwg)
    }

    /// Parses an absolute URL by the URL Standard. References are resolved against it by `standard`.
    ///
    /// ```
    /// use rehref::{Standard, Url};
    ///
    /// let base = Url::parse_with("https://example.org/a/b", Standard::Rfc1808)?;
    /// assert_eq!(base.resolve("../../c")?.as_str(), "https://example.org/../c");
    /// # Ok::<(), rehref::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if `url` is not an absolute URL by the URL Standard.
    pub fn parse_with(url: &str, standard: Standard) -> Result<Url, ParseError> {
        Ok(Url(AbsoluteUrl::new(standard, rehref_url::Url::parse(url)?)))
    }

    /// Returns the scheme, in lower case and without its colon.
    ///
    /// ```
    /// let url: rehref::Url = "HTTPS://[::1]:8080/a%20b?c#d".parse()?;
    /// assert_eq!((url.scheme(), url.host(), url.port()), ("https", Some("[::1]"), Some(8080)));
    /// assert_eq!((url.path(), url.query(), url.fragment()), ("/a%20b", Some("c"), Some("d")));
    /// # Ok::<(), rehref::ParseError>(())
    /// ```
    pub fn scheme(&self) -> &str {
        self.components().scheme.unwrap_or_default()
    }

    /// Returns the host: a name, an address of IPv4, or one of IPv6 in brackets. `None` for a URL without one
    /// (`mailto:`).
    pub fn host(&self) -> Option<&str> {
        let host = self.host_and_port()?;
        Some(port_start(host).map_or(host, |at| &host[..at]))
    }

    /// Returns the port, if the URL has one that is not the default of its scheme.
    pub fn port(&self) -> Option<u16> {
        let host = self.host_and_port()?;
        host[port_start(host)? + 1..].parse().ok()
    }

    /// Returns the path, percent-encoded, with its leading slash.
    pub fn path(&self) -> &str {
        self.components().path
    }

    /// Returns the query, percent-encoded and without its question mark; `Some("")` if it is empty.
    pub fn query(&self) -> Option<&str> {
        self.components().query
    }

    /// Returns the same URL with another query, or with one.
    ///
    /// ```
    /// let url: rehref::Url = "https://example.org/a?b#c".parse()?;
    /// assert_eq!(url.with_query("d=e f").as_str(), "https://example.org/a?d=e%20f#c");
    /// # Ok::<(), rehref::ParseError>(())
    /// ```
    #[must_use]
    pub fn with_query(&self, query: &str) -> Url {
        let url = self.as_str();
        let end = url.find(['?', '#']).unwrap_or(url.len());
        let fragment = url.find('#').map_or("", |at| &url[at..]);
        let changed = format!("{}?{}{fragment}", &url[..end], query.replace('#', "%23"));
        // Any text can be a query.
        Url::parse_with(&changed, self.standard()).unwrap_or_else(|_| self.clone())
    }

    /// Returns the fragment, percent-encoded and without its number sign; `Some("")` if it is empty.
    pub fn fragment(&self) -> Option<&str> {
        self.components().fragment
    }

    fn components(&self) -> Components<'_> {
        Components::split(Standard::Whatwg, self.as_str())
    }

    /// Returns the host, with the port if the URL has one that is not the default of its scheme.
    ///
    /// ```
    /// let url: rehref::Url = "https://example.org:8080/docs/".parse()?;
    /// assert_eq!(url.host_and_port(), Some("example.org:8080"));
    /// # Ok::<(), rehref::ParseError>(())
    /// ```
    pub fn host_and_port(&self) -> Option<&str> {
        self.components().host_and_port()
    }

    /// Resolves `reference` with this URL as base. Characters of a query that are not ASCII are
    /// encoded as UTF-8.
    ///
    /// # Errors
    /// Returns an error if the reference is not a URL, or is relative while this URL cannot be a base (`mailto:`).
    pub fn resolve(&self, reference: &str) -> Result<Url, ResolveError> {
        self.0.resolve(reference, UTF_8).map(Url)
    }

    /// Returns the shortest reference of this form that resolves to `target` against this URL; `None` if no such
    /// reference exists, as between two hosts.
    pub fn relativize(&self, target: &Url, form: RelativeForm) -> Option<String> {
        self.0.relativize(&target.0, form)
    }

    /// Returns the standard by which references are resolved against this URL.
    pub fn standard(&self) -> Standard {
        self.0.standard()
    }

    /// Returns the serialized URL.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// The place of the colon before the port of `host`.
fn port_start(host: &str) -> Option<usize> {
    host.rfind(':').filter(|at| !host[*at..].contains(']'))
}

/// The same URL for the crate `url` (feature `url`).
///
/// ```
/// let mut edited = url::Url::try_from(&rehref::Url::parse("https://example.org/a?b")?)?;
/// edited.query_pairs_mut().append_pair("utm_source", "feed");
/// assert_eq!(rehref::Url::try_from(&edited)?.as_str(), "https://example.org/a?b&utm_source=feed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns an error if that crate refuses it, such as for a URL of [another standard](Url::standard).
#[cfg(feature = "url")]
impl TryFrom<&Url> for ::url::Url {
    type Error = ::url::ParseError;

    fn try_from(url: &Url) -> Result<::url::Url, ::url::ParseError> {
        ::url::Url::parse(url.as_str())
    }
}

/// The same URL of the crate `url` (feature `url`).
///
/// # Errors
/// None is known: both crates follow the URL Standard.
#[cfg(feature = "url")]
impl TryFrom<&::url::Url> for Url {
    type Error = ParseError;

    fn try_from(url: &::url::Url) -> Result<Url, ParseError> {
        Url::parse(url.as_str())
    }
}

impl FromStr for Url {
    type Err = ParseError;

    fn from_str(url: &str) -> Result<Url, ParseError> {
        Url::parse(url)
    }
}

impl Hash for Url {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Url {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
