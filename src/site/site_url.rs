//! Where a site is: its root directory and the URL that stands for it.

use std::path::{Component, Path};

use super::path::{name_bytes, path_in_url, push_segment};
use crate::url::{ParseError, Url};

/// The URL a site's root directory is published at; it ends with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUrl {
    url: Url,
}

/// The URL of a site where its own is not known and must not matter: its root directory is the root
/// of some server, at a URL that nothing leads to (RFC 2606 section 2).
pub const PLACEHOLDER_URL: &str = "http://rehref.invalid/";

/// Something that was put right and that the user should know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteUrlWarning {
    /// A slash was added to the site's URL.
    #[error("--url names a directory: taken as {0}")]
    SlashAdded(String),
    /// The same, and what was given looks like the URL of a file.
    #[error("--url taken as a directory: {url}; if {name} is a file, give its directory")]
    MaybeFile {
        /// The site's URL now.
        url: String,
        /// The last name in it.
        name: String,
    },
}

/// Schemes that no site can be published at, though a URL of theirs may look hierarchical
/// (`javascript://x/`).
const UNPUBLISHABLE_SCHEMES: &[&str] = &[
    "about",
    "blob",
    "cid",
    "data",
    "javascript",
    "mailto",
    "mid",
    "tel",
    "urn",
    "vbscript",
    "view-source",
];

/// Why a string cannot be the URL of a site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SiteUrlError {
    /// It has no scheme, or is no URL at all.
    #[error("`{input}` is not an absolute URL ({error}); write it like https://example.org/docs/")]
    NotAUrl {
        /// What was given.
        input: String,
        /// What the parser says.
        error: ParseError,
    },
    /// Its scheme names no place where files are.
    #[error(
        "`{input}`: no site can be published at a {scheme}: URL; write a URL like https://example.org/docs/"
    )]
    Unpublishable {
        /// What was given.
        input: String,
        /// Its scheme.
        scheme: String,
    },
    /// It has no hierarchy.
    #[error(
        "`{0}` is not hierarchical, so nothing can be relative to it; write a URL like https://example.org/docs/"
    )]
    NotHierarchical(String),
    /// It has a query or a fragment, which no directory has.
    #[error("`{0}` has a query or a fragment; a site's URL ends with its directory")]
    QueryOrFragment(String),
    /// The path cannot be written as a `file:` URL.
    #[error("the path cannot be written as a file: URL; give --url")]
    NoFileUrl,
}

impl SiteUrl {
    /// The URL for a published site, from what the user wrote as its URL. A missing final
    /// slash is added, with a note.
    ///
    /// # Errors
    /// When it is no hierarchical URL of a directory.
    pub fn parse(input: &str) -> Result<(SiteUrl, Option<SiteUrlWarning>), SiteUrlError> {
        let url = hierarchical_url(input)?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err(SiteUrlError::QueryOrFragment(input.to_owned()));
        }
        if url.path().ends_with('/') {
            return Ok((SiteUrl { url }, None));
        }
        let with_slash = format!("{url}/");
        let url = Url::parse(&with_slash).map_err(|error| SiteUrlError::NotAUrl {
            input: input.to_owned(),
            error,
        })?;
        let name = url.path().trim_end_matches('/').rsplit('/').next();
        let note = match name.filter(|name| name.contains('.')) {
            Some(name) => SiteUrlWarning::MaybeFile {
                url: url.to_string(),
                name: name.to_owned(),
            },
            None => SiteUrlWarning::SlashAdded(url.to_string()),
        };
        Ok((SiteUrl { url }, Some(note)))
    }

    /// The URL of a directory that is published nowhere: its `file:` URL.
    ///
    /// # Errors
    /// When `directory` is not absolute.
    pub fn of_directory(directory: &Path) -> Result<SiteUrl, SiteUrlError> {
        if !directory.is_absolute() {
            return Err(SiteUrlError::NoFileUrl);
        }
        let mut url = "file:///".to_owned();
        for component in directory.components() {
            match component {
                Component::Normal(name) => push_segment(&mut url, &name_bytes(name)),
                // A drive letter.
                Component::Prefix(prefix) => url.push_str(&prefix.as_os_str().to_string_lossy()),
                _ => continue,
            }
            url.push('/');
        }
        match Url::parse(&url) {
            Ok(url) => Ok(SiteUrl { url }),
            Err(_) => Err(SiteUrlError::NoFileUrl),
        }
    }

    /// The site's URL, with its final slash.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// What follows the site's URL in `target`, a serialized URL; `None` where it is not below it.
    /// The site's URL without its final slash is the site's, too.
    pub fn below<'u>(&self, target: &'u str) -> Option<&'u str> {
        let url = self.url.as_str();
        if let Some(rest) = target.strip_prefix(url) {
            return Some(rest);
        }
        let rest = target.strip_prefix(url.strip_suffix('/')?)?;
        matches!(rest.bytes().next(), None | Some(b'?' | b'#')).then_some(rest)
    }

    /// The URL that `target` is below, and what follows its URL; of several the one with the
    /// longest URL, which says most.
    pub fn containing<'l, 'u>(
        site_urls: impl IntoIterator<Item = &'l SiteUrl>,
        target: &'u str,
    ) -> Option<(&'l SiteUrl, &'u str)> {
        site_urls
            .into_iter()
            .filter_map(|site_url| Some((site_url, site_url.below(target)?)))
            .min_by_key(|(_, rest)| rest.len())
    }

    /// The document URL of the file at `relative`, a path below the site's root. All that is not a
    /// path character is percent-encoded, names that are not UTF-8 byte by byte.
    ///
    /// # Errors
    /// When the URL parser does not take it, which no path is known to bring about.
    pub fn document_url(&self, relative: &Path) -> Result<Url, ParseError> {
        Url::parse(&format!("{}{}", self.url, path_in_url(relative)))
    }
}

/// A hierarchical URL that the user wrote.
///
/// # Errors
/// When it is none; says what to write.
pub fn hierarchical_url(input: &str) -> Result<Url, SiteUrlError> {
    let url = Url::parse(input).map_err(|error| SiteUrlError::NotAUrl {
        input: input.to_owned(),
        error,
    })?;
    if UNPUBLISHABLE_SCHEMES.contains(&url.scheme()) {
        return Err(SiteUrlError::Unpublishable {
            input: input.to_owned(),
            scheme: url.scheme().to_owned(),
        });
    }
    if url.is_opaque() {
        return Err(SiteUrlError::NotHierarchical(input.to_owned()));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_urls_encode_names() {
        let (site_url, note) = SiteUrl::parse("https://example.org/docs/").unwrap();
        assert_eq!(note, None);
        for (path, expected) in [
            ("index.html", "index.html"),
            ("a b/c.html", "a%20b/c.html"),
            ("100%.html", "100%25.html"),
            ("operator%.html", "operator%25.html"),
            ("operator^.html", "operator%5E.html"),
            ("page?id=3", "page%3Fid=3"),
            ("c#/x.html", "c%23/x.html"),
            ("std::map.html", "std::map.html"),
            ("mailto:x", "mailto:x"),
            ("grüße.html", "gr%C3%BC%C3%9Fe.html"),
            ("a\\b", "a%5Cb"),
            ("%2e%2e/x", "%252e%252e/x"),
            ("a\nb", "a%0Ab"),
            ("a;b&c=d'e(f)[g].html", "a;b&c=d'e(f)[g].html"),
        ] {
            assert_eq!(
                site_url.document_url(Path::new(path)).unwrap().as_str(),
                format!("https://example.org/docs/{expected}")
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_not_utf8() {
        use std::os::unix::ffi::OsStrExt;
        let site_url = SiteUrl::of_directory(Path::new("/srv/my site")).unwrap();
        assert_eq!(site_url.url().as_str(), "file:///srv/my%20site/");
        let name = std::ffi::OsStr::from_bytes(b"gr\xFC\xDFe.html");
        assert_eq!(
            site_url.document_url(Path::new(name)).unwrap().as_str(),
            "file:///srv/my%20site/gr%FC%DFe.html"
        );
    }

    #[test]
    fn the_url_of_a_site() {
        let (site_url, note) = SiteUrl::parse("https://example.org/docs").unwrap();
        assert_eq!(site_url.url().as_str(), "https://example.org/docs/");
        assert_eq!(
            note.unwrap().to_string(),
            "--url names a directory: taken as https://example.org/docs/"
        );
        let (site_url, note) = SiteUrl::parse("https://e.org/docs/index.html").unwrap();
        assert_eq!(site_url.url().as_str(), "https://e.org/docs/index.html/");
        assert_eq!(
            note.unwrap().to_string(),
            "--url taken as a directory: https://e.org/docs/index.html/; if index.html is a file, give \
             its directory"
        );
        for bad in [
            "data:text/html,x/",
            "data://x/",
            "javascript:x",
            "JavaScript://x/",
            "about:blank",
            "about://x/",
            "blob:https://example.org/x",
            "blob://x/",
        ] {
            let error = SiteUrl::parse(bad).unwrap_err().to_string();
            assert!(error.contains("no site can be published at a"), "{error}");
        }
        for bad in [
            "example.org",
            "/docs/",
            "foo:bar",
            "https://example.org/?x",
            "https://example.org/#x",
            "https://[::1",
        ] {
            assert!(SiteUrl::parse(bad).is_err(), "{bad}");
        }
        assert!(SiteUrl::of_directory(Path::new("relative")).is_err());
    }
}
