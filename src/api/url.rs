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
/// # Ok::<(), rehref::error::ResolveError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url(pub(super) AbsoluteUrl);

impl Url {
    /// Parses an absolute URL. References are resolved against it by the URL Standard, as browsers
    /// do.
    ///
    /// # Errors
    /// When `url` is not an absolute URL.
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
    /// # Ok::<(), rehref::error::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// When `url` is not an absolute URL by the URL Standard.
    pub fn parse_with(url: &str, standard: Standard) -> Result<Url, ParseError> {
        Ok(Url(AbsoluteUrl::new(standard, rehref_url::Url::parse(url)?)))
    }

    /// The host, with the port if the URL has one that is not the default of its scheme.
    ///
    /// ```
    /// let url: rehref::Url = "https://example.org:8080/docs/".parse()?;
    /// assert_eq!(url.host_and_port(), Some("example.org:8080"));
    /// # Ok::<(), rehref::error::ParseError>(())
    /// ```
    pub fn host_and_port(&self) -> Option<&str> {
        Components::split(Standard::Whatwg, self.as_str()).host_and_port()
    }

    /// Resolves `reference` with this URL as base. Characters of a query that are not ASCII are
    /// encoded as UTF-8.
    ///
    /// # Errors
    /// When the reference is not a URL, or is relative while this URL cannot be a base (`mailto:`).
    pub fn resolve(&self, reference: &str) -> Result<Url, ResolveError> {
        self.0.resolve(reference, UTF_8).map(Url)
    }

    /// The shortest reference of this form that resolves to `target` against this URL; `None` if no
    /// such reference exists, as between two hosts.
    pub fn relativize(&self, target: &Url, form: RelativeForm) -> Option<String> {
        self.0.relativize(&target.0, form)
    }

    /// The standard by which references are resolved against this URL.
    pub fn standard(&self) -> Standard {
        self.0.standard()
    }

    /// The serialized URL.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
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
