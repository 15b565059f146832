//! Paths below the root of a site, as file names and as parts of URLs.

use std::borrow::Cow;
use std::path::{Component, Path};

use crate::url::{Url, percent_decoded};

/// A place in a site: what follows the site's URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePath<'u> {
    /// The path, percent-encoded, without a slash at its start.
    pub path: Cow<'u, str>,
    /// The query with its question mark; empty without one.
    pub query: Cow<'u, str>,
}

/// The path `relative` as it follows a site's URL in the document URLs of its files.
pub fn path_in_url(relative: &Path) -> String {
    let mut path = Vec::new();
    for component in relative.components() {
        if let Component::Normal(name) = component {
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(&name_bytes(name));
        }
    }
    encoded(&path)
}

/// The bytes of a path as they follow a site's URL.
pub(super) fn encoded(path: &[u8]) -> String {
    let is_plain =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'.' | b'_' | b'~');
    if path.iter().all(is_plain) {
        return String::from_utf8_lossy(path).into_owned();
    }
    let mut url = "http://h/".to_owned();
    let start = url.len();
    push_segment(&mut url, path);
    // The parser encodes the rest; paths that were encoded this far always parse.
    match Url::parse(&url) {
        Ok(url) => url.as_str().get(start..).unwrap_or_default().to_owned(),
        Err(_) => url.split_off(start),
    }
}

/// `path` percent-encoded as [`super::SiteUrl::document_url`] does it: what is encoded without need
/// is not, except slashes, which are part of no name.
pub fn normalized_path(path: &str) -> Cow<'_, str> {
    if !path.contains('%') {
        return path.into();
    }
    let has_what_no_name_has = ["%2F", "%2f", "%00"].iter().any(|it| path.contains(it));
    match has_what_no_name_has {
        true => path.into(),
        false => encoded(&percent_decoded(path)).into(),
    }
}

/// The bytes of a file name; where the system has none, its UTF-8 form.
#[cfg(unix)]
pub fn name_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().into()
}

/// The bytes of a file name; where the system has none, its UTF-8 form.
#[cfg(not(unix))]
pub fn name_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    match name.to_string_lossy() {
        Cow::Borrowed(name) => name.as_bytes().into(),
        Cow::Owned(name) => name.into_bytes().into(),
    }
}

/// Appends a file name as a path segment: what the URL parser would take for something else (or
/// strip) is percent-encoded here; the rest is the parser's to encode.
pub(super) fn push_segment(url: &mut String, name: &[u8]) {
    for &b in name {
        match b {
            b'%' | b'?' | b'#' | b'\\' | 0..=b' ' | 0x7F.. => {
                url.push_str(&format!("%{b:02X}"));
            }
            _ => url.push(char::from(b)),
        }
    }
}
