//! Where the target of a reference is.

use rehref_site::Response;

/// The place of a reference's target: for example a file of the site, a missing file, or outside the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetPlace<'i> {
    /// Unknown: the reference has no target, or one without a hierarchy (`mailto:`).
    Unknown,
    /// Outside the site.
    External,
    /// A part of the same message.
    Part {
        /// The number of the part; `None` if no part has that `Content-ID`.
        part: Option<usize>,
        /// The fragment, without its `#`.
        fragment: Option<String>,
    },
    /// In the site.
    Internal {
        /// The path below the site's URL, percent-encoded as in the target; in an archive the whole
        /// URL.
        path: String,
        /// The server's response for the path; `None` for "not found".
        response: Option<Response<'i>>,
        /// Whether a redirect loop is the reason for "not found".
        is_loop: bool,
        /// The fragment, without its `#`.
        fragment: Option<String>,
    },
}

impl<'i> TargetPlace<'i> {
    /// Returns a place in the site where the server finds nothing.
    pub(super) fn missing(path: &str) -> TargetPlace<'i> {
        let (path, response, fragment) = (path.to_owned(), None, None);
        TargetPlace::Internal { path, response, is_loop: false, fragment }
    }

    /// Returns the response of the site's server.
    pub(super) fn response(&self) -> Option<&Response<'i>> {
        match self {
            TargetPlace::Internal { response, .. } => response.as_ref(),
            _ => None,
        }
    }

    /// Returns true if the target is in the site and every server finds it: a file that only some servers
    /// send, for a URL without its extension, does not count.
    pub(super) fn exists(&self) -> bool {
        let response = self.response();
        response.is_some_and(|response| !matches!(response, Response::Extension(_)))
    }

    /// Returns the path of the file that the site's server sends.
    pub(super) fn file(&self) -> Option<&'i str> {
        self.response().and_then(Response::file)
    }

    /// Returns the same place, where the server finds nothing.
    pub(super) fn without_response(self) -> TargetPlace<'i> {
        match self {
            TargetPlace::Internal { path, is_loop, fragment, .. } => {
                TargetPlace::Internal { path, response: None, is_loop, fragment }
            }
            place => place,
        }
    }

    /// Returns the fragment of a target in the site, without its `#`.
    pub(super) fn fragment(&self) -> Option<&str> {
        match self {
            TargetPlace::Internal { fragment, .. } => fragment.as_deref(),
            _ => None,
        }
    }
}

/// Returns a URL without its fragment, and the fragment without its `#`.
pub(super) fn without_fragment(url: &str) -> (&str, Option<&str>) {
    let split = url.split_once('#');
    split.map_or((url, None), |(whole, fragment)| (whole, Some(fragment)))
}
