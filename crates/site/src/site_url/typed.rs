//! The URL of a site as users type it, and what they mistake for one.

use std::ffi::OsStr;
use std::fmt::Display;

use rehref_document::{FileKind, file_kind};
use rehref_url::Url;

/// Schemes that no site can be published at, although their URLs may look hierarchical
/// (`javascript://x/`).
#[rustfmt::skip]
const UNPUBLISHABLE_SCHEMES: &[&str] = &[
    "about", "blob", "cid", "data", "javascript", "mailto", "mid", "tel", "urn", "vbscript",
    "view-source",
];

/// Extensions of programs that print pages.
const PAGE_PROGRAMS: &[&str] = &["asp", "aspx", "cgi", "jsp", "php"];

const WEB_SCHEMES: [&str; 2] = ["http", "https"];

/// The error of a string that cannot be the URL of a site, with a correction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SiteUrlError(String);

impl SiteUrlError {
    pub(super) fn no_file_url() -> SiteUrlError {
        SiteUrlError("the path has no file: URL\nhelp: pass --url".to_owned())
    }
}

/// The error of `input`, which the message `problem` follows.
pub(super) fn refuse<T>(input: &str, problem: impl Display) -> Result<T, SiteUrlError> {
    Err(SiteUrlError(format!("`{input}`{problem}")))
}

/// Returns true if `name`, the last part of a path, is that of a page, and not of a folder like `v1.2`.
pub(super) fn is_page_name(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    let is_program = extension.is_some_and(|extension| PAGE_PROGRAMS.contains(&extension));
    is_program || matches!(file_kind(OsStr::new(name)), FileKind::Document(_))
}

/// Refuses texts that parse as a URL, but are not the URL of a site.
pub(super) fn refuse_slips(input: &str) -> Result<(), SiteUrlError> {
    let refuse = |problem: &str| refuse(input, problem);
    if input.starts_with(['"', '\'', '`', '\u{2018}', '\u{201C}', '\u{201E}', '\u{AB}']) {
        return refuse(
            " begins with a quotation mark that is a part of the value\nhelp: write https://example.org/docs/",
        );
    }
    let is_path = ["./", "../", "~/"].iter().any(|it| input.starts_with(it));
    let (scheme, rest) = input.split_once(':').unwrap_or(("", input));
    let scheme = scheme.to_ascii_lowercase();
    let is_drive = scheme.len() == 1 && rest.starts_with(['/', '\\']);
    if input.starts_with('/') && !input.starts_with("//") {
        return refuse(&format!(
            " is a path\nhelp: write the whole URL, with the host: https://example.org{input}"
        ));
    }
    if is_path || is_drive {
        return refuse(
            " is a path\nhelp: pass the URL at which the site is published, like https://example.org/docs/; a directory for the output is --out DIR",
        );
    }
    let has_letters = scheme.len() > 2 && scheme.bytes().all(|byte| b"htps".contains(&byte));
    if has_letters && scheme.starts_with('h') && !WEB_SCHEMES.contains(&&*scheme) {
        let nearest = if scheme.contains('s') { "https" } else { "http" };
        return refuse(&format!(
            ": no site has the scheme {scheme}:\nhelp: did you mean {nearest}:?"
        ));
    }
    if [",http:", ",https:", " http:", " https:"].iter().any(|next| rest.contains(next)) {
        return refuse(" is more than one URL\nhelp: pass one, and each of the others with --also");
    }
    let after_slashes = rest.trim_start_matches(['/', '\\']);
    if WEB_SCHEMES.contains(&&*scheme) && !rest.starts_with("//") {
        return refuse(&format!(
            ": not a whole URL\nhelp: did you mean {scheme}://{after_slashes}?"
        ));
    }
    let authority = after_slashes.split(['/', '\\', '?', '#']).next();
    let authority = authority.filter(|_| WEB_SCHEMES.contains(&&*scheme));
    let authority = authority.unwrap_or_default();
    if authority.contains('@') {
        return refuse(
            " has a user name, which every link would show\nhelp: remove the part before the @",
        );
    }
    if authority.contains(['*', ',', ';']) || authority.contains("..") {
        return refuse(": not a valid host\nhelp: write a URL like https://example.org/docs/");
    }
    Ok(())
}

/// Parses a URL that the user wrote and that can be a base URL.
///
/// # Errors
/// Returns an error if `input` is not a URL, is opaque, or has a scheme that no site can be published at.
pub fn hierarchical_url(input: &str) -> Result<Url, SiteUrlError> {
    if input.is_empty() {
        let problem = " is empty\nhelp: write a whole URL, like https://example.org/docs/, or check whether a variable is set";
        return refuse(input, problem);
    }
    let Ok(url) = Url::parse(input) else {
        let problem = " is not an absolute URL\nhelp: write it like https://example.org/docs/";
        return refuse(input, problem);
    };
    let scheme = url.scheme();
    if UNPUBLISHABLE_SCHEMES.contains(&scheme) {
        let problem = format!(
            ": no site can be published at a URL with the scheme {scheme}\nhelp: write a URL like https://example.org/docs/"
        );
        return refuse(input, problem);
    }
    if url.is_opaque() {
        // `localhost:8080` is a host with a port.
        let is_port =
            |rest: &str| rest.split('/').next().is_some_and(|it| it.parse::<u16>().is_ok());
        let example = match input.split_once(':') {
            Some((host, rest)) if is_port(rest) => {
                format!("http://{host}:{}/", rest.trim_end_matches('/'))
            }
            _ => "https://example.org/docs/".to_owned(),
        };
        let problem = format!(
            " has no host or directories, so no relative link can resolve against it\nhelp: write a URL like {example}"
        );
        return refuse(input, problem);
    }
    Ok(url)
}
