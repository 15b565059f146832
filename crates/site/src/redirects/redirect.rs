//! A redirect from an old URL to a new one, and what every format needs to write and read some.

use rehref_document::redirects::escape::{escaped_bytes, path_pattern};
use rehref_url::{Url, percent_decoded};

/// The HTTP status of every redirect: moved permanently (RFC 9110 section 15.4.2).
pub(super) const STATUS: u16 = 301;

/// The first line of every file of rules: all formats of rules know this kind of comment.
pub(super) const HEADER: &[u8] = b"# Written by rehref\n";

/// A redirect from an old URL to a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The old URL.
    pub from: Url,
    /// The new URL.
    pub to: Url,
    /// True if all URLs in the old folder redirect to URLs with the same names in the new folder.
    pub is_of_folder: bool,
}

/// Redirects, written in a format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedirectText<'a> {
    /// The content of the file. Bytes, not text: servers compare bytes, and file names need not be
    /// UTF-8.
    pub text: Vec<u8>,
    /// The number of redirects in the text. Equal redirects are written once.
    pub written: usize,
    /// The redirects that the format cannot express, in the order of the input.
    pub unsupported: Vec<UnsupportedRedirect<'a>>,
}

/// A redirect that a format cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedRedirect<'a> {
    /// The redirect that is not written.
    pub redirect: &'a Redirect,
    /// The reason the format cannot express it.
    pub reason: &'static str,
}

/// An [`UnsupportedRedirect::reason`] of several formats.
pub(super) const NO_PATH: &str = "the old URL has no path that a browser could request";
/// An [`UnsupportedRedirect::reason`] of several formats.
pub(super) const OLD_CONTROL: &str =
    "the old path has a control character, which the server or its configuration rejects";

/// The new URL of a redirect in parts, without scheme and authority if they are the old URL's.
pub(super) struct RedirectTo<'a> {
    /// Scheme and authority, or empty.
    pub(super) origin: &'a str,
    pub(super) path: &'a str,
    /// Query and fragment with their delimiters.
    pub(super) query_and_fragment: &'a str,
}

impl RedirectTo<'_> {
    pub(super) fn text(&self) -> String {
        [self.origin, self.path, self.query_and_fragment].concat()
    }
}

impl Redirect {
    /// Creates a redirect of one URL.
    pub fn new(from: Url, to: Url) -> Redirect {
        Redirect { from, to, is_of_folder: false }
    }

    /// Returns true if this is the redirect of a folder, and makes `other` needless.
    pub(super) fn covers(&self, other: &Redirect) -> bool {
        let folder = other.folder_for(self.from.as_str());
        self.is_of_folder && folder == Some(self.to.as_str())
    }

    /// Returns the folder, with its slash, to which everything redirects with this URL, which is below `folder`.
    /// Servers add the slash at the end of a folder in it.
    pub(super) fn folder_for(&self, folder: &str) -> Option<&str> {
        let (below, to) = (self.from.as_str().strip_prefix(folder)?, self.to.as_str());
        let bare = || to.strip_suffix('/')?.strip_suffix(below).filter(|_| !below.is_empty());
        let to = to.strip_suffix(below).filter(|it| it.ends_with('/')).or_else(bare)?;
        to.ends_with('/').then_some(to)
    }

    pub(super) fn new_url(&self) -> RedirectTo<'_> {
        let (origin, path) = (self.to.before_path(), self.to.path());
        // A path that begins with two slashes would be read as an authority.
        let is_unambiguous = path.starts_with('/') && !path.starts_with("//");
        RedirectTo {
            origin: if is_unambiguous && self.from.before_path() == origin { "" } else { origin },
            path,
            query_and_fragment: query_and_fragment(&self.to),
        }
    }

    /// Checks that a server can match the old URL: it has a path, and nothing after the path.
    pub(super) fn check_old_url(&self) -> Result<(), &'static str> {
        if !self.from.path().starts_with('/') {
            Err(NO_PATH)
        } else if !query_and_fragment(&self.from).is_empty() {
            Err(
                "the old URL has a query or a fragment, and rules of this format match the path only",
            )
        } else {
            Ok(())
        }
    }

    /// Returns the regular expression for `old`, the decoded old path, and for everything below that of a folder.
    pub(super) fn pattern(&self, old: &[u8]) -> String {
        let mut pattern = path_pattern(old);
        if self.is_of_folder {
            pattern.pop();
            pattern.push_str("(.*)$");
        }
        pattern
    }

    /// Returns the old path, percent-decoded, as Apache and nginx compare it with a request's.
    pub(super) fn decoded_old_path(&self) -> Result<Vec<u8>, &'static str> {
        let path = self.from.path();
        if path.contains("//") || escaped_bytes(path).any(|byte| byte == b'/') {
            return Err(
                "the old path has %2F or an empty segment, which the server changes before it matches rules",
            );
        }
        Ok(percent_decoded(path))
    }
}

fn query_and_fragment(url: &Url) -> &str {
    url.as_str().get(url.path_range().end..).unwrap_or_default()
}
