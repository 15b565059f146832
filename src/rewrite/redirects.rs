//! Redirects from old URLs to new ones, in the words of what serves a site.
//!
//! [`text`] writes a whole file of them, [`stub`] the page that stands at an old URL where a server
//! cannot be told anything. What a format has no words for is reported, never written wrongly.

mod apache;
mod escape;
mod moved;
mod netlify;
mod nginx;
mod stub;

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde::Serialize;
use thiserror::Error;

use crate::url::{Url, percent_decoded};

pub use moved::{OldUrls, of_move};
pub use netlify::ADVISED_RULES as NETLIFY_ADVISED_RULES;
pub use stub::stub;

/// The status of every redirect: moved for good.
const STATUS: u16 = 301;

const HEADER: &[u8] = b"# Written by rehref move\n";

/// What redirects are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectFormat {
    /// A `_redirects` file, which Netlify and others read.
    Netlify,
    /// `.htaccess` or a piece of the server's configuration.
    Apache,
    /// A piece of configuration for a `server` block.
    Nginx,
    /// A page at each old URL, see [`stub`].
    Html,
    /// A list for programs.
    Json,
}

/// One old URL and where it leads now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The old URL.
    pub from: Url,
    /// The new URL.
    pub to: Url,
}

/// The redirects as a format writes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redirects<'a> {
    /// The text of the file. Bytes, because servers compare with bytes and names need not be UTF-8.
    pub text: Vec<u8>,
    /// The redirects that are not in it, in the order they came.
    pub inexpressible: Vec<Inexpressible<'a>>,
}

/// A redirect that a format cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inexpressible<'a> {
    /// The redirect.
    pub redirect: &'a Redirect,
    /// What is in the way.
    pub why: Obstacle,
}

/// Why a format cannot express a redirect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum Obstacle {
    /// The old URL is opaque.
    #[error("the old URL has no path that a server can be asked for")]
    NoPath,
    /// The old URL has a query or a fragment.
    #[error("the old URL has a query or a fragment, and rules of this format go by the path only")]
    OldQuery,
    /// The old path has characters that the server or its configuration does not take.
    #[error("the old path has a control character, which the server or its configuration rejects")]
    OldControl,
    /// The old path has slashes that the server does not see as they are written.
    #[error(
        "the old path has %2F or an empty segment, which the server changes before it compares"
    )]
    OldSlash,
    /// The old path is the host's own.
    #[error("Netlify accepts no rules for paths that begin with /.netlify")]
    Reserved,
    /// Another redirect from the same path, to another URL, came first.
    #[error("another redirect from the same path, to another URL, comes before it")]
    Twice,
    /// The new path has escapes that the server would lose.
    #[error("the new path has %2F, %3F, %23 or a control character, which Apache cannot be given")]
    NewPath,
    /// The new URL has an authority that the server would spoil.
    #[error("the new URL has a user name or an IPv6 address, which Apache would change")]
    NewAuthority,
    /// A path is longer than the server reads.
    #[error("a path is longer than nginx reads from its configuration")]
    TooLong,
}

/// Where a redirect leads, as it is written: without scheme and authority where they stay.
struct Target<'a> {
    /// Scheme and authority, or nothing.
    before_path: &'a str,
    path: &'a str,
    /// Query and fragment with their marks.
    after_path: &'a str,
}

impl Redirect {
    fn target(&self) -> Target<'_> {
        let (before_path, path) = (self.to.before_path(), self.to.path());
        // A path with two slashes in front would be read as an authority.
        let is_enough = path.starts_with('/') && !path.starts_with("//");
        Target {
            before_path: if is_enough && self.from.before_path() == before_path {
                ""
            } else {
                before_path
            },
            path,
            after_path: after_path(&self.to),
        }
    }
}

fn after_path(url: &Url) -> &str {
    url.as_str().get(url.path_range().end..).unwrap_or_default()
}

/// Writes `redirects` as a file in `format`. What `format` cannot express is left out and listed;
/// of redirects that are the same the first is written. For [`RedirectFormat::Html`], which is no
/// single file, the result is empty.
pub fn text(format: RedirectFormat, redirects: &[Redirect]) -> Redirects<'_> {
    match format {
        RedirectFormat::Netlify => rules(redirects, netlify::rule),
        RedirectFormat::Apache => rules(redirects, apache::rule),
        RedirectFormat::Nginx => rules(redirects, nginx::rule),
        RedirectFormat::Html => Redirects::default(),
        RedirectFormat::Json => json(redirects),
    }
}

/// A redirect as one line, without its end.
type Rule = fn(&Redirect) -> Result<Vec<u8>, Obstacle>;

fn rules(redirects: &[Redirect], rule: Rule) -> Redirects<'_> {
    let mut result = Redirects {
        text: HEADER.to_vec(),
        inexpressible: Vec::new(),
    };
    // A server compares decoded paths; nginx does not start when it finds one twice.
    let mut seen: HashMap<Vec<u8>, &Url> = HashMap::with_capacity(redirects.len());
    for redirect in redirects {
        let line = match seen.entry(percent_decoded(redirect.from.path())) {
            Entry::Occupied(first) if **first.get() == redirect.to => continue,
            Entry::Occupied(_) => Err(Obstacle::Twice),
            Entry::Vacant(free) => old_path(&redirect.from)
                .and_then(|()| rule(redirect))
                .inspect(|_| {
                    free.insert(&redirect.to);
                }),
        };
        match line {
            Ok(line) => {
                result.text.extend_from_slice(&line);
                result.text.push(b'\n');
            }
            Err(why) => result.inexpressible.push(Inexpressible { redirect, why }),
        }
    }
    result
}

/// What every server needs of an old URL.
fn old_path(from: &Url) -> Result<(), Obstacle> {
    if !from.path().starts_with('/') {
        Err(Obstacle::NoPath)
    } else if !after_path(from).is_empty() {
        Err(Obstacle::OldQuery)
    } else {
        Ok(())
    }
}

/// That the server compares with the old path as it is decoded here.
fn old_path_as_compared(from: &Url) -> Result<Vec<u8>, Obstacle> {
    let path = from.path();
    if path.contains("//") || escape::escaped(path).any(|byte| byte == b'/') {
        return Err(Obstacle::OldSlash);
    }
    Ok(percent_decoded(path))
}

#[derive(Serialize)]
struct JsonRedirect<'a> {
    from: &'a str,
    to: &'a str,
    status: u16,
}

/// One object a line, so that long lists can be searched and compared line by line.
fn json(redirects: &[Redirect]) -> Redirects<'_> {
    let mut text = b"[".to_vec();
    let mut inexpressible = Vec::new();
    let mut before = "\n";
    for redirect in redirects {
        let (from, target) = (&redirect.from, redirect.target());
        let to = [target.before_path, target.path, target.after_path].concat();
        let object = from
            .as_str()
            .get(from.path_range().start..)
            .filter(|_| from.path().starts_with('/'))
            .and_then(|from| {
                let status = STATUS;
                let to = &to;
                serde_json::to_vec(&JsonRedirect { from, to, status }).ok()
            });
        let Some(object) = object else {
            let why = Obstacle::NoPath;
            inexpressible.push(Inexpressible { redirect, why });
            continue;
        };
        text.extend_from_slice(before.as_bytes());
        text.extend_from_slice(&object);
        before = ",\n";
    }
    text.extend_from_slice(if before == "\n" { b"]\n" } else { b"\n]\n" });
    Redirects {
        text,
        inexpressible,
    }
}

#[cfg(test)]
mod tests;
