//! The public URL type: resolves and relativizes references.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use encoding_rs::UTF_8;

use rehref_url::{AbsoluteUrl, Components, ParseError, RelativeForm, ResolveError, Standard};

/// An absolute URL, together with the [`Standard`] by which references resolve against it.
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
    /// Parses an absolute URL. References resolve against it by the URL Standard, as in browsers.
    ///
    /// # Errors
    /// Returns an error if `url` is relative, or not a valid URL.
    pub fn parse(url: &str) -> Result<Url, ParseError> {
        Url::parse_with(url, Standard::Whatwg)
    }

    /// Parses an absolute URL by the URL Standard. References resolve against it by `standard`.
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

    /// Returns the scheme, in lower case and without the colon, such as `https`.
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

    /// Returns the host: a domain in lower case and ASCII, an IPv4 address, or an IPv6 address in brackets.
    /// Returns `None` if the URL has no host (`mailto:`).
    pub fn host(&self) -> Option<&str> {
        let host = self.host_and_port()?;
        Some(port_start(host).map_or(host, |at| &host[..at]))
    }

    /// Returns the port. Returns `None` for the default port of the scheme, such as 443 for `https`.
    pub fn port(&self) -> Option<u16> {
        let host = self.host_and_port()?;
        host[port_start(host)? + 1..].parse().ok()
    }

    /// Returns the percent-encoded path, with its leading slash. For a URL without a hierarchy, such as
    /// `mailto:a@b`, this is the text after the scheme.
    pub fn path(&self) -> &str {
        self.components().path
    }

    /// Returns the percent-encoded query, without the question mark. Returns `None` if the URL has no `?`, and
    /// `Some("")` if nothing follows it.
    pub fn query(&self) -> Option<&str> {
        self.components().query
    }

    /// Returns a copy of this URL with the query `query`, which replaces the present one.
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

    /// Returns the percent-encoded fragment, without the number sign. Returns `None` if the URL has no `#`, and
    /// `Some("")` if nothing follows it.
    pub fn fragment(&self) -> Option<&str> {
        self.components().fragment
    }

    fn components(&self) -> Components<'_> {
        Components::split(Standard::Whatwg, self.as_str())
    }

    /// Returns the host, followed by a colon and the port unless it is the default port of the scheme:
    /// `example.org`, `localhost:8080`. Returns `None` if the URL has no host.
    ///
    /// ```
    /// let url: rehref::Url = "https://example.org:8080/docs/".parse()?;
    /// assert_eq!(url.host_and_port(), Some("example.org:8080"));
    /// # Ok::<(), rehref::ParseError>(())
    /// ```
    pub fn host_and_port(&self) -> Option<&str> {
        self.components().host_and_port()
    }

    /// Resolves `reference` against this URL, and returns the absolute URL. Non-ASCII characters in a query are
    /// encoded as UTF-8.
    ///
    /// # Errors
    /// Returns an error if the reference is not a URL, or if it is relative and this URL cannot be a base
    /// (`mailto:`).
    pub fn resolve(&self, reference: &str) -> Result<Url, ResolveError> {
        self.0.resolve(reference, UTF_8).map(Url)
    }

    /// Returns the shortest reference with the given form that resolves to `target` against this URL. Returns
    /// `None` if no such reference exists, for example between two hosts.
    pub fn relativize(&self, target: &Url, form: RelativeForm) -> Option<String> {
        self.0.relativize(&target.0, form)
    }

    /// Returns the standard by which [`resolve`](Url::resolve) resolves references against this URL.
    pub fn standard(&self) -> Standard {
        self.0.standard()
    }

    /// Returns the whole URL as text, in the form in which the URL Standard serializes it.
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
