//! The URL of a site, and the URLs of the files below it.

mod mounts;
mod typed;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use mounts::{Mount, Mounts};
pub use typed::{SiteUrlError, hierarchical_url};
use typed::{is_page_name, refuse, refuse_slips};

use super::disk::windows_url_parts;
use super::path::{path_bytes, path_in_url, push_segment, with_slash};
use rehref_document::policy::OriginChange;
use rehref_url::{ParseError, Url};

/// The URL at which a site's root directory is published; it ends with a slash. Directories of the site may
/// have URLs of their own, as in a mirror of several hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteUrl {
    url: Url,
    /// `None` if no directory has a URL of its own.
    mounts: Option<Arc<Mounts<SiteUrl>>>,
}

/// The URL of a site whose real URL is not known: the root of a host that nothing can link to (RFC
/// 2606 section 2).
pub const PLACEHOLDER_URL: &str = "http://rehref.invalid/";

impl From<Url> for SiteUrl {
    fn from(url: Url) -> SiteUrl {
        SiteUrl { url, mounts: None }
    }
}

impl SiteUrl {
    /// Parses the URL of a published site as the user wrote it. Adds a missing final slash, and then also
    /// returns a warning.
    ///
    /// # Errors
    /// Returns an error if `input` is not a hierarchical URL, has a query or a fragment, or is the URL of a page.
    pub fn parse(input: &str) -> Result<(SiteUrl, Option<String>), SiteUrlError> {
        refuse_slips(input)?;
        let url = hierarchical_url(input)?;
        if url.query().is_some() || url.fragment().is_some() {
            return refuse(
                input,
                " has a query or a fragment, but the URL of a site ends with a directory\nhelp: remove the query and the fragment",
            );
        }
        let rest = input.split_once(':').map_or("", |(_, rest)| rest);
        if url.scheme() == "file" && (!rest.starts_with('/') || rest == "//") {
            let problem =
                " does not name a directory\nhelp: write a URL like file:///home/me/site/";
            return refuse(input, problem);
        }
        if url.path().ends_with('/') {
            return Ok((SiteUrl::from(url), None));
        }
        let name = url.path().rsplit('/').next().unwrap_or_default();
        if is_page_name(name)
            && let Ok(folder) = url.resolve(".", encoding_rs::UTF_8)
        {
            let problem =
                format!(" is the URL of a file\nhelp: pass the URL of the site's root, {folder}");
            return refuse(input, problem);
        }
        let url = hierarchical_url(&format!("{url}/"))?;
        let name = url.path().trim_end_matches('/').rsplit('/').next();
        let maybe_file = name
            .filter(|name| name.contains('.'))
            .map(|name| format!("\nhelp: if {name} is a file, pass its directory"));
        let hint = maybe_file.unwrap_or_default();
        let warning = format!("--url names a directory: using {url}{hint}");
        Ok((SiteUrl::from(url), Some(warning)))
    }

    /// Returns the `file:` URL of a directory, for a site that is not published.
    ///
    /// # Errors
    /// Returns an error if `directory` is not absolute.
    pub fn of_directory(directory: &Path) -> Result<SiteUrl, SiteUrlError> {
        if !directory.is_absolute() {
            return Err(SiteUrlError::no_file_url());
        }
        let url = if cfg!(windows) {
            windows_directory_url(&directory.to_string_lossy())
        } else {
            let path = path_bytes(directory);
            let names = path.split(|byte| *byte == b'/');
            Some(directory_url("", names.filter(|name| !name.is_empty())))
        };
        let url = url.and_then(|url| Url::parse(&url).ok());
        url.map(SiteUrl::from).ok_or_else(SiteUrlError::no_file_url)
    }

    /// Returns this URL with directories, given as paths below the root, that have URLs of their own. If a
    /// directory has several URLs, its files get the first.
    #[must_use]
    pub fn with_mounts<P: AsRef<Path>>(
        self,
        mounts: impl IntoIterator<Item = (SiteUrl, P)>,
    ) -> SiteUrl {
        let mount = |(url, folder): (SiteUrl, P)| Mount {
            folder: with_slash(&path_in_url(folder.as_ref())),
            url,
        };
        let mounts: Vec<_> = mounts.into_iter().map(mount).collect();
        SiteUrl {
            mounts: (!mounts.is_empty())
                .then(|| Arc::new(Mounts::new(mounts, |it| it.url.as_str()))),
            ..self
        }
    }

    /// Returns this URL without the URLs of single directories.
    #[must_use]
    pub fn without_mounts(&self) -> SiteUrl {
        SiteUrl::from(self.url.clone())
    }

    /// Returns true if directories have URLs of their own.
    pub fn has_mounts(&self) -> bool {
        self.mounts.is_some()
    }

    /// Returns true if the file at `path`, percent-encoded, is in a directory with a URL of its own.
    pub fn is_mounted(&self, path: &str) -> bool {
        self.mounts.as_ref().is_some_and(|it| it.of_path(path).is_some())
    }

    /// Returns the URL of the root, with its final slash.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Returns the part of `target`, a serialized URL, after the site's URL; `None` if `target` is outside the site.
    /// The site's URL without its final slash is inside, and so is its URL with several slashes in place of one of its
    /// path, which servers merge.
    pub fn below<'u>(&self, target: &'u str) -> Option<&'u str> {
        let url = self.url.as_str();
        if let Some(rest) = target.strip_prefix(url) {
            return Some(rest);
        }
        match target.strip_prefix(url.strip_suffix('/')?) {
            Some(rest) if matches!(rest.bytes().next(), None | Some(b'?' | b'#')) => Some(rest),
            _ => self.below_merged(target),
        }
    }

    /// The part of `target` after the site's URL, if runs of slashes in its path are one slash each.
    fn below_merged<'u>(&self, target: &'u str) -> Option<&'u str> {
        let url = self.url.as_str();
        let path = url.find("://")? + 3;
        let mut rest = target.get(path..)?;
        if !target.starts_with(url.get(..path)?) {
            return None;
        }
        for name in url.get(path..)?.split_terminator('/') {
            rest = rest.strip_prefix(name)?.strip_prefix('/')?;
            rest = rest.trim_start_matches('/');
        }
        Some(rest)
    }

    /// Returns the URLs that visitors may use for the same site: with `http:` and `https:`, with and without
    /// `www.`.
    pub fn siblings(&self) -> Vec<SiteUrl> {
        let url = self.url.as_str();
        let Some((scheme, rest)) = url.split_once("://") else { return Vec::new() };
        let other_scheme = match scheme {
            "https" => "http",
            "http" => "https",
            _ => return Vec::new(),
        };
        let host = rest.split(['/', ':']).next().unwrap_or_default();
        let other_host = match rest.strip_prefix("www.") {
            Some(without) => Some(without.to_owned()),
            // Not an address, nor the name of a machine.
            None if host.contains(|it: char| it.is_ascii_alphabetic()) && host.contains('.') => {
                Some(format!("www.{rest}"))
            }
            None => None,
        };
        let same_host = [(other_scheme, rest.to_owned())];
        let others = other_host
            .iter()
            .flat_map(|it| [scheme, other_scheme].map(|scheme| (scheme, it.clone())));
        let all = same_host.into_iter().chain(others);
        all.filter_map(|(scheme, rest)| Some(SiteUrl::parse(&format!("{scheme}://{rest}")).ok()?.0))
            .collect()
    }

    /// Returns the site among `site_urls` with the longest URL that `target` begins with, and the rest of
    /// `target` below the root of this site.
    pub fn containing<'l, 'u>(
        site_urls: impl IntoIterator<Item = &'l SiteUrl>,
        target: &'u str,
    ) -> Option<(&'l SiteUrl, Cow<'u, str>)> {
        let urls = site_urls.into_iter().flat_map(|site| {
            let mounts = site.mounts.iter().flat_map(|it| it.of_url(target));
            let mounts = mounts.map(|it| (&it.url, &*it.folder));
            std::iter::once((site, "")).chain(mounts).map(move |(url, folder)| (site, url, folder))
        });
        let below = urls.filter_map(|(site, url, folder)| Some((site, folder, url.below(target)?)));
        let (site, folder, rest) = below.min_by_key(|(_, _, rest)| rest.len())?;
        Some((site, if folder.is_empty() { rest.into() } else { [folder, rest].concat().into() }))
    }

    /// Returns the change of the site's origin in Content Security Policies, if its URL becomes `after`, or if
    /// it is opened `from_disk`. Returns `None` if the origin stays, or is not known.
    pub fn origin_change(&self, after: &SiteUrl, from_disk: bool) -> Option<OriginChange> {
        let origin = |site: &SiteUrl| site.url().before_path().to_owned();
        let before = Some(origin(self)).filter(|_| !self.is_placeholder())?;
        let after = if from_disk { "'self'".to_owned() } else { origin(after) };
        (before != after).then_some(OriginChange { before, after })
    }

    /// Returns true if the URL of the site is not known, so that this is the [`PLACEHOLDER_URL`].
    pub fn is_placeholder(&self) -> bool {
        self.url.as_str() == PLACEHOLDER_URL && !self.has_mounts()
    }

    /// Returns true if the URL is a `file:` URL: no server then sends the files.
    pub fn is_on_disk(&self) -> bool {
        self.url.scheme() == "file"
    }

    /// Returns the URL of the file at `relative`, a path below the site's root. Names are percent-encoded; names that
    /// are not UTF-8, byte by byte. [`super::IndexFiles`] has the document URL.
    ///
    /// # Errors
    /// Returns an error if the URL parser rejects the result. No path is known for which this happens.
    pub fn file_url(&self, relative: &Path) -> Result<Url, ParseError> {
        self.url_below(&path_in_url(relative))
    }

    /// Returns the URL of the folder at `relative`, with a trailing slash.
    ///
    /// # Errors
    /// Returns the errors of [`SiteUrl::file_url`].
    pub fn folder_url(&self, relative: &Path) -> Result<Url, ParseError> {
        let folder = with_slash(&path_in_url(relative));
        self.url_below(&folder)
    }

    /// Returns the site's URL followed by `rest`: a path, perhaps with a query and a fragment.
    ///
    /// # Errors
    /// Returns an error if the URL parser rejects the result.
    pub fn url_below(&self, rest: &str) -> Result<Url, ParseError> {
        if let Some(Mount { folder, url }) = self.mounts.as_ref().and_then(|it| it.of_path(rest)) {
            return url.url_below(rest.get(folder.len()..).unwrap_or_default());
        }
        // A relative reference that begins with a name is resolved faster than a URL is parsed. A colon may
        // end a scheme, and it or a bar may make a drive letter.
        let path_end = memchr::memchr2(b'?', b'#', rest.as_bytes()).unwrap_or(rest.len());
        let path = rest.as_bytes().get(..path_end).unwrap_or_default();
        let is_relative = rest.starts_with(|c: char| c.is_ascii_alphanumeric())
            && memchr::memchr2(b':', b'|', path).is_none();
        if is_relative {
            self.url.resolve(rest, encoding_rs::UTF_8)
        } else {
            Url::parse(&format!("{}{rest}", self.url))
        }
    }
}

/// The `file:` URL of the directory with these names on `host`.
fn directory_url<'n>(host: &str, names: impl Iterator<Item = &'n [u8]>) -> String {
    let mut url = format!("file://{host}/");
    for name in names {
        push_segment(&mut url, name);
        url.push('/');
    }
    url
}

/// The `file:` URL of an absolute path of Windows; `None` if it is neither on a drive nor on a share.
fn windows_directory_url(path: &str) -> Option<String> {
    let (host, names) = windows_url_parts(path)?;
    Some(directory_url(host, names.map(str::as_bytes)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    #[test]
    fn urls_of_files_encode_names() {
        let (site_url, warning) = SiteUrl::parse("https://example.org/docs/").unwrap();
        assert_eq!(warning, None);
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
            ("a\\b", if cfg!(windows) { "a/b" } else { "a%5Cb" }),
            ("%2e%2e/x", "%252e%252e/x"),
            ("a\nb", "a%0Ab"),
            ("a;b&c=d'e(f)[g].html", "a;b&c=d'e(f)[g].html"),
        ] {
            assert_eq!(
                site_url.file_url(Path::new(path)).unwrap().as_str(),
                format!("https://example.org/docs/{expected}")
            );
        }
    }

    proptest! {
        #[test]
        fn urls_below_a_site_are_those_of_the_parser(
            site in select(vec!["https://h/", "https://h:8080/a/b/", "file:///", "file:///a/", "foo://h/a/"]),
            rest in "[a-zC%2/.|: -]{0,6}(\\?[a-z:%/ ]{0,3})?(#[a-z:%/ ]{0,3})?",
        ) {
            let (site_url, _) = SiteUrl::parse(site).unwrap();
            let expected = Url::parse(&format!("{site}{rest}"));
            prop_assert_eq!(site_url.url_below(&rest), expected);
        }
    }

    #[test]
    fn urls_of_directories_of_windows_have_a_drive_or_a_host() {
        for (path, expected) in [
            (r"C:\", Some("file:///C:/")),
            (r"\\?\C:\my site\a#b", Some("file:///C:/my%20site/a%23b/")),
            (r"\\server\share\grün", Some("file://server/share/gr%C3%BCn/")),
            (r"\\?\UNC\server\share", Some("file://server/share/")),
            (r"\\?\Volume{b75e2c83}\a", None),
            ("relative", None),
        ] {
            let url = windows_directory_url(path).map(|url| Url::parse(&url).unwrap());
            let shown = url.as_ref().map(Url::as_str);
            assert_eq!(shown, expected, "{path}");
            if let Some(url) = url {
                let page = SiteUrl::from(url).file_url(Path::new("a b/x.html")).unwrap();
                assert_eq!(
                    page.as_str().strip_prefix(expected.unwrap_or_default()),
                    Some("a%20b/x.html")
                );
            }
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
            site_url.file_url(Path::new(name)).unwrap().as_str(),
            "file:///srv/my%20site/gr%FC%DFe.html"
        );
    }

    #[test]
    fn several_slashes_in_the_url_of_the_site_are_one() {
        for (site, target, expected) in [
            ("https://e.org/a/b/", "https://e.org//a/b/c", Some("c")),
            ("https://e.org/a/b/", "https://e.org/a///b//c//d", Some("c//d")),
            ("https://e.org/a/b/", "https://e.org/a/b//c", Some("/c")),
            ("https://e.org/a/b/", "https://e.org//a/bc", None),
            ("https://e.org/a/b/", "https://e.org//a", None),
            ("https://e.org/a/b/", "https://e.orgs//a/b/c", None),
            ("https://e.org/a/b/", "http://e.org//a/b/c", None),
            ("file:///a/", "file:////a/c", Some("c")),
        ] {
            let site_url = SiteUrl::parse(site).unwrap().0;
            assert_eq!(site_url.below(target), expected, "{target}");
        }
    }

    #[test]
    fn the_url_of_a_site_is_a_hierarchical_url_of_a_directory() {
        let (site_url, warning) = SiteUrl::parse("https://example.org/docs").unwrap();
        assert_eq!(site_url.url().as_str(), "https://example.org/docs/");
        assert_eq!(
            warning.unwrap().to_string(),
            "--url names a directory: using https://example.org/docs/"
        );
        let (site_url, warning) = SiteUrl::parse("https://e.org/docs/v1.2").unwrap();
        assert_eq!(site_url.url().as_str(), "https://e.org/docs/v1.2/");
        assert_eq!(
            warning.unwrap().to_string(),
            "--url names a directory: using https://e.org/docs/v1.2/\nhelp: if v1.2 is a file, pass its directory"
        );
        for page in ["index.html", "index.php", "index.html.en", "sitemap.xml"] {
            let error = SiteUrl::parse(&format!("https://e.org/docs/{page}")).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!(
                    "`https://e.org/docs/{page}` is the URL of a file\nhelp: pass the URL of the site's root, https://e.org/docs/"
                )
            );
        }
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
        for (slip, said) in [
            ("C:/site", "is a path"),
            ("htps://e.org/", "did you mean https:?"),
            ("htpp://e.org/", "did you mean http:?"),
            ("https://a.org/,https://b.org/", "--also"),
            ("https://me:secret@e.org/", "remove the part before the @"),
            ("https://*.e.org/", "not a valid host"),
            ("https://e..org/", "not a valid host"),
        ] {
            let error = SiteUrl::parse(slip).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        for url in ["ftp://e.org/", "gopher://e.org/a@b/", "https://e.org/@me/a..b/"] {
            assert!(SiteUrl::parse(url).is_ok(), "{url}");
        }
        for bad in [
            "example.org", "/docs/", "foo:bar", "https://example.org/?x", "https://example.org/#x",
            "https://[::1", "file:", "file:x",
        ] {
            assert!(SiteUrl::parse(bad).is_err(), "{bad}");
        }
        assert!(SiteUrl::of_directory(Path::new("relative")).is_err());
    }

    #[test]
    fn the_same_site_by_other_schemes_and_names() {
        for (url, expected) in [
            (
                "https://e.org/d/",
                &["http://e.org/d/", "https://www.e.org/d/", "http://www.e.org/d/"][..],
            ),
            ("http://www.e.org/", &["https://www.e.org/", "http://e.org/", "https://e.org/"]),
            ("http://localhost:8000/", &["https://localhost:8000/"]),
            ("https://127.0.0.1/", &["http://127.0.0.1/"]),
            ("file:///a/", &[]),
        ] {
            let (url, _) = SiteUrl::parse(url).unwrap();
            let found: Vec<_> = url.siblings().iter().map(|it| it.url().to_string()).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn directories_at_urls_of_their_own_are_below_these() {
        let url = |text: &str| SiteUrl::parse(text).unwrap().0;
        let site = url("https://h/").with_mounts([
            (url("https://b/"), "b c"),
            (url("http://b/"), "b c"),
            (url("https://h/d/"), "e"),
            (url("https://b/q/"), "b c/p"),
            (url("file:///f/"), "f/g"),
        ]);
        for (target, path) in [
            ("https://h/x", Some("x")),
            ("https://b/x?q", Some("b%20c/x?q")),
            ("http://b", Some("b%20c/")),
            ("https://h/d/x", Some("e/x")),
            ("https://h/d", Some("e/")),
            ("https://h//d//x", Some("e/x")),
            ("https://b?q", Some("b%20c/?q")),
            ("https://b#q:/", Some("b%20c/#q:/")),
            ("https://b/q/x", Some("b%20c/p/x")),
            ("https://bc/x", None),
            ("file:///f/x", Some("f/g/x")),
            ("", None),
            ("https://c/x", None),
        ] {
            let found = SiteUrl::containing([&site], target).map(|(_, path)| path.into_owned());
            assert_eq!(found.as_deref(), path, "{target}");
        }
        for (path, expected) in [
            ("b c/x.html", "https://b/x.html"),
            ("e/y", "https://h/d/y"),
            ("b", "https://h/b"),
            ("b c/p/x", "https://b/p/x"),
            ("f/g/x/y", "file:///f/x/y"),
            ("f/x", "https://h/f/x"),
        ] {
            assert_eq!(site.file_url(Path::new(path)).unwrap().as_str(), expected);
        }
        assert_eq!(site.folder_url(Path::new("b c")).unwrap().as_str(), "https://b/");
    }
}
