//! Paths below the root of a site: as file names, and as parts of URLs.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use super::file_name::HERE;
use rehref_url::simple::is_path;
use rehref_url::{Url, percent_decoded};

/// The part of a URL after the site's URL, without a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SitePath<'u> {
    /// The path, percent-encoded, without a slash at its start.
    pub path: Cow<'u, str>,
    /// The query with its question mark; empty if there is none.
    pub query: Cow<'u, str>,
}

impl<'u> SitePath<'u> {
    /// Splits `rest`, the part of a URL after the site's URL, into the site path and the fragment, which begins
    /// with `#` or is empty.
    pub fn split(rest: &'u str) -> (SitePath<'u>, &'u str) {
        let (rest, fragment) = split_before(rest, b'#');
        let (path, query) = split_before(rest, b'?');
        (SitePath { path: path.into(), query: query.into() }, fragment)
    }

    /// Returns a copy with another path and the same query.
    pub fn with_path(&self, path: impl Into<String>) -> SitePath<'static> {
        SitePath { path: Cow::Owned(path.into()), query: Cow::Owned(self.query.to_string()) }
    }

    /// Creates the site path `path` without a query.
    pub fn without_query(path: &str) -> SitePath<'static> {
        SitePath { path: Cow::Owned(path.to_owned()), query: Cow::Borrowed("") }
    }
}

fn split_before(text: &str, mark: u8) -> (&str, &str) {
    let end = memchr::memchr(mark, text.as_bytes());
    end.and_then(|end| text.split_at_checked(end)).unwrap_or((text, ""))
}

/// Returns the path, below the root, of the folder whose URL has this `path`; `None` if the URL is not one of a
/// folder, because it does not end with a slash.
pub(super) fn as_folder(path: &str) -> Option<&str> {
    path.strip_suffix('/').or(path.is_empty().then_some(""))
}

/// Returns the path of a folder as its URL has it: with a trailing slash, except for the root.
pub fn with_slash(folder: &str) -> String {
    let slash = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{slash}")
}

/// `path`, percent-encoded as in URLs, as the path of a file.
pub(crate) fn decoded_path(path: &str) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&percent_decoded(path)).into_owned())
}

/// Returns the part of a file's document URL after the site's URL. `relative` is the file's path below the site's
/// root.
pub fn path_in_url(relative: &Path) -> String {
    // Most paths are written in URLs as they are.
    ordinary(relative).map_or_else(|| encoded(&path_bytes(relative)), str::to_owned)
}

/// `relative` if it has only ordinary names, with slashes between them.
fn ordinary(relative: &Path) -> Option<&str> {
    relative.to_str().filter(|path| is_path(path) && !path.ends_with('/'))
}

/// Returns the bytes of a path below the root, with `/` between its names on every system.
pub fn path_bytes(relative: &Path) -> Vec<u8> {
    // To take a path apart costs more.
    if let Some(path) = ordinary(relative) {
        return path.into();
    }
    let mut bytes = Vec::with_capacity(relative.as_os_str().len());
    for component in relative.components() {
        if let Component::Normal(name) = component {
            if !bytes.is_empty() {
                bytes.push(b'/');
            }
            bytes.extend_from_slice(&name_bytes(name));
        }
    }
    bytes
}

/// Returns `path`, percent-encoded as in document URLs, in lower case.
pub(super) fn lower_case(path: &str) -> String {
    match path.contains('%') {
        true => encoded(String::from_utf8_lossy(&percent_decoded(path)).to_lowercase().as_bytes()),
        false => path.to_lowercase(),
    }
}

/// Returns a path, with slashes between its names, percent-encoded as in document URLs.
pub(super) fn encoded(path: &[u8]) -> String {
    let is_unescaped =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'-' | b'.' | b'_' | b'~');
    if path.iter().all(is_unescaped) {
        return String::from_utf8_lossy(path).into_owned();
    }
    let mut url = "http://h/".to_owned();
    let start = url.len();
    push_segment(&mut url, path);
    // The URL parser encodes the rest. What `push_segment` leaves always parses.
    match Url::parse(&url) {
        Ok(url) => url.as_str().get(start..).unwrap_or_default().to_owned(),
        Err(_) => url.split_off(start),
    }
}

/// Returns `path`, which may be percent-encoded in any way, in the form of document URLs: characters that need
/// no encoding have none, and all others have one. (The standards before WHATWG's encode nothing when they
/// resolve a reference.) A path with an encoded slash or zero byte stays unchanged, because no file name can
/// contain those.
pub fn normalized_path(path: &str) -> Cow<'_, str> {
    if path.bytes().all(|b| IS_NORMAL[usize::from(b)]) {
        return path.into();
    }
    let is_not_a_file_name = ["%2F", "%2f", "%00"].iter().any(|it| path.contains(it));
    if is_not_a_file_name { path.into() } else { encoded(&percent_decoded(path)).into() }
}

/// Whether a byte of a path is as it is in document URLs: a URL parser does not encode it (URL Standard,
/// "path percent-encode set"; a question mark or number sign is not part of a path), and it is no `%`.
const IS_NORMAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        let is_delimiter =
            matches!(byte, b'"' | b'#' | b'<' | b'>' | b'?' | b'\\' | b'^' | b'`' | b'{' | b'}');
        table[byte as usize] = !is_delimiter && byte != b'%';
        byte += 1;
    }
    table
};

/// `path`, below the root, with runs of slashes as one slash.
pub(super) fn with_merged_slashes(path: Cow<'_, str>) -> Cow<'_, str> {
    if !path.starts_with('/') && memchr::memmem::find(path.as_bytes(), b"//").is_none() {
        return path;
    }
    let mut merged = String::with_capacity(path.len());
    for name in path.split_inclusive('/').filter(|name| *name != "/") {
        merged.push_str(name);
    }
    merged.into()
}

/// Returns the bytes of a file name; on systems whose names are not bytes, its UTF-8 form.
#[cfg(unix)]
pub fn name_bytes(name: &OsStr) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().into()
}

/// Returns the bytes of a file name; on systems whose names are not bytes, its UTF-8 form.
#[cfg(not(unix))]
pub fn name_bytes(name: &OsStr) -> Cow<'_, [u8]> {
    match name.to_string_lossy() {
        Cow::Borrowed(name) => name.as_bytes().into(),
        Cow::Owned(name) => name.into_bytes().into(),
    }
}

/// Returns the path below the root of the file whose URL has `path`, percent-encoded, after the site's URL; `None` for
/// one that no file can have here.
pub fn path_from_url(path: &str) -> Option<PathBuf> {
    let bytes = percent_decoded(path);
    let path = PathBuf::from(os_string(bytes)?);
    let is_name = |name: &OsStr| HERE.problem(&name_bytes(name)).is_none();
    let is_below = |component| matches!(component, Component::Normal(name) if is_name(name));
    path.components().all(is_below).then_some(path)
}

/// Returns the file name with these bytes; `None` if this system cannot hold it. The opposite of [`name_bytes`].
#[cfg(unix)]
pub fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

/// Returns the file name with these bytes; `None` if this system cannot hold it. The opposite of [`name_bytes`].
#[cfg(not(unix))]
pub fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// Appends a file name to `url` as a path segment. Percent-encodes the bytes that the URL parser
/// would strip or treat as a delimiter, and leaves the rest to the parser.
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
