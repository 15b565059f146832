//! Redirect rules: the URL paths of a site that a server redirects, and their targets.
//!
//! A rule is data. [`crate::moves::redirects`] reads and writes the formats that servers keep rules
//! in; a [`super::FileIndex`] applies them.

use std::cmp::Reverse;

/// The longest chain of redirects that browsers follow (Fetch Standard, "HTTP-redirect fetch").
pub(super) const REDIRECT_LIMIT: usize = 20;

/// One redirect rule of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectRule {
    /// The host that the rule is limited to, in lower case, with its port if that is not the
    /// scheme's default; `None`: the site's own host.
    pub host: Option<String>,
    /// The path that the rule matches, from the root of the host.
    pub from: Vec<PathSegment>,
    /// The target: a path from the root of the host or a URL, with a `:name` for each named segment
    /// and `:splat` for [`PathSegment::Rest`].
    pub to: String,
    /// Whether the rule applies even where a file matches the URL.
    pub is_forced: bool,
    /// Whether the server answers "not found" or "gone" (status 404 or 410).
    pub is_error: bool,
}

/// One segment of the path that a rule matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment {
    /// This name only, percent-encoded as in document URLs.
    Literal(String),
    /// `:name`: any one segment that is not empty.
    Named(String),
    /// `*`: everything that follows.
    Rest,
}

/// The target of a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectTarget {
    /// A path from the root of the same host, without the slash at its start.
    Path(String),
    /// A URL of another host.
    External,
    /// None: the server answers with an error status.
    Error,
}

impl RedirectRule {
    /// Whether the rule applies at `host`, in lower case, with its port if that is not the
    /// scheme's default.
    pub fn is_for(&self, host: &str) -> bool {
        self.host.as_deref().is_none_or(|own| own == host)
    }

    /// The target of this rule for `path`, which starts at the root of the host, without the slash
    /// at its start, in the spelling of [`super::normalized_path`]. `None` if the rule does not match.
    pub fn target(&self, path: &str) -> Option<RedirectTarget> {
        let mut bound: Vec<(&str, &str)> = Vec::new();
        let mut rest = Some(path);
        for segment in &self.from {
            if *segment == PathSegment::Rest {
                bound.push(("splat", rest.unwrap_or_default()));
                rest = None;
                break;
            }
            let (name, after) = match rest?.split_once('/') {
                Some((name, after)) => (name, Some(after)),
                None => (rest?, None),
            };
            match segment {
                PathSegment::Literal(wanted) if wanted == name => {}
                PathSegment::Named(key) if !name.is_empty() => bound.push((key, name)),
                _ => return None,
            }
            rest = after;
        }
        // Netlify and Cloudflare Pages ignore a trailing slash.
        if !rest.is_none_or(str::is_empty) {
            return None;
        }
        if self.is_error {
            return Some(RedirectTarget::Error);
        }
        if !self.to.starts_with('/') || self.to.starts_with("//") {
            return Some(RedirectTarget::External);
        }
        // The longest name first: otherwise `:id` would replace the start of `:identity`.
        bound.sort_by_key(|(key, _)| Reverse(key.len()));
        let to = self.to.split(['?', '#']).next().unwrap_or_default();
        let filled = bound.iter().fold(to.to_owned(), |to, (key, value)| {
            to.replace(&format!(":{key}"), value)
        });
        Some(RedirectTarget::Path(
            filled.trim_start_matches('/').to_owned(),
        ))
    }
}
