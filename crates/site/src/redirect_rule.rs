//! Redirect rules: the URL paths of a site that a server redirects, and their targets.
//!
//! A rule is data. [`crate::redirects`] reads and writes the formats that servers keep rules
//! in; a [`super::FileIndex`] applies them.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Bound;
use std::sync::Arc;

use super::path::encoded;
use super::path_pattern::PathPattern;
use rehref_document::redirects::escape::literal_start;
use rehref_url::percent_decoded;

/// The longest chain of redirects that browsers follow (Fetch Standard, "HTTP-redirect fetch").
pub const REDIRECT_LIMIT: usize = 20;

/// The most bytes of a target. Servers need not read a longer URL (RFC 9110, section 4.1).
const TARGET_BYTES: usize = 8_000;

/// The bytes that all targets of a chain may have together, and the number of further ones per byte of the path
/// that it begins at.
const CHAIN_BYTES: usize = 2_000;
const CHAIN_BYTES_PER_BYTE: usize = 10;

/// The limits of a chain of redirects: the number of redirects that may still follow, and the total length of
/// their targets, because a rule that applies to its own target may double it.
#[derive(Clone, Copy, Debug)]
pub struct RedirectBudget {
    redirects: usize,
    bytes: usize,
}

impl RedirectBudget {
    /// Creates the budget of a chain that begins at `path`.
    pub fn new(path: &str) -> RedirectBudget {
        RedirectBudget {
            redirects: REDIRECT_LIMIT,
            bytes: CHAIN_BYTES.saturating_add(path.len().saturating_mul(CHAIN_BYTES_PER_BYTE)),
        }
    }

    /// Returns the budget after a redirect to the path `to`; `None` if browsers or servers give up. The first
    /// target may have any length.
    #[must_use]
    pub fn after(self, to: &str) -> Option<RedirectBudget> {
        Some(RedirectBudget {
            redirects: self.redirects.checked_sub(1)?,
            bytes: if self.redirects == REDIRECT_LIMIT {
                self.bytes.saturating_sub(to.len())
            } else {
                self.bytes.checked_sub(to.len())?
            },
        })
    }
}

/// One redirect rule of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedirectRule {
    /// The place of the rule, for messages.
    pub place: RulePlace,
    /// The host to which the rule is limited, in lower case, with its port if that is not the scheme's default.
    /// `None` for the site's own host.
    pub host: Option<String>,
    /// The folder to whose paths the rule is limited, from the root of the host, with a slash at its end; empty for all.
    pub below: String,
    /// The paths that the rule matches, from the root of the host.
    pub from: RulePaths,
    /// The target: a path from the root of the host or a URL, with a `:name` for each named segment
    /// and `:splat` for [`PathSegment::Rest`], or `$1` for a group of [`RulePaths::Pattern`].
    pub to: String,
    /// The length of the origin at the start of the target, if that is the origin of the site.
    pub own_origin: usize,
    /// True if the rule applies even if a file exists at the URL.
    pub is_forced: bool,
    /// True if the rule also applies to the URL of a directory whose index file it matches: Apache and nginx look rules up
    /// again for that file.
    pub catches_index: bool,
    /// True if the rule applies only to some visitors, so that links cannot rely on it.
    pub is_conditional: bool,
    /// The status of the response. For 200, the server sends the target itself; for 404 and 410, an error.
    pub status: u16,
}

/// The place of a rule, for messages: `_redirects:4`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulePlace {
    /// The name of the file in reports.
    pub file: Arc<str>,
    /// The line of the target, from 1; if the rule has no target, the line of the rule.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for RulePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// The paths that a rule matches, without the slash at their start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulePaths {
    /// Paths of these segments. A trailing slash is ignored.
    Segments(Vec<PathSegment>),
    /// This path only.
    Exact(String),
    /// This path and everything below it, which is added to the target.
    Prefix(String),
    /// Paths that match a regular expression.
    Pattern(PathPattern),
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
    /// A path that is longer than servers need to read.
    TooLong,
    /// None: the server answers with an error status.
    Error,
}

impl RulePaths {
    /// Returns the only path that the rule matches; `None` if there are several.
    pub fn literal(&self) -> Option<String> {
        match self {
            RulePaths::Segments(segments) => {
                let names = segments.iter().map(|segment| match segment {
                    PathSegment::Literal(name) => Some(name.as_str()),
                    PathSegment::Named(_) | PathSegment::Rest => None,
                });
                Some(names.collect::<Option<Vec<_>>>()?.join("/"))
            }
            RulePaths::Exact(path) => Some(path.clone()),
            RulePaths::Prefix(_) => None,
            RulePaths::Pattern(_) => None,
        }
    }

    /// Returns the shortest path that the rule matches, if that is known.
    pub fn first_path(&self) -> Option<String> {
        match self {
            RulePaths::Prefix(path) => Some(path.clone()),
            _ => self.literal(),
        }
    }

    /// Returns the path with which all paths that are matched begin, up to a slash.
    pub(super) fn literal_start(&self) -> String {
        match self {
            RulePaths::Segments(segments) => {
                let names = segments.iter().map_while(|segment| match segment {
                    PathSegment::Literal(name) => Some(format!("{name}/")),
                    PathSegment::Named(_) | PathSegment::Rest => None,
                });
                names.collect()
            }
            RulePaths::Exact(path) | RulePaths::Prefix(path) => path.clone(),
            RulePaths::Pattern(pattern) => {
                pattern.folder().map(|it| format!("{it}/")).unwrap_or_default()
            }
        }
    }

    /// The values that `path` puts in place of the names in the target; `None` if it is not matched.
    fn bind<'r>(&'r self, request: &'r RequestPath<'_>) -> Option<Values<'r>> {
        let path = request.path;
        match self {
            RulePaths::Segments(segments) => bind_segments(segments, path),
            RulePaths::Exact(own) => (own == path).then(Values::default),
            RulePaths::Prefix(own) => {
                let rest = path.strip_prefix(own.as_str())?;
                let is_whole = rest.is_empty()
                    || rest.starts_with('/')
                    || own.is_empty()
                    || own.ends_with('/');
                is_whole.then(|| Values { rest, ..Values::default() })
            }
            RulePaths::Pattern(PathPattern(pattern)) => {
                let path = request.decoded();
                // Most rules do not match, and a search for groups begins with memory for them.
                let groups = pattern.is_match(path).then(|| pattern.captures(path))??;
                let group = |at: usize| groups.get(at).map_or(&b""[..], |group| group.as_bytes());
                let names = GROUPS.iter().zip(1..);
                let of_names = names.map(|(name, at)| (*name, String::from_utf8_lossy(group(at))));
                Some(Values { mark: '$', of_names: of_names.collect(), rest: "" })
            }
        }
    }
}

const GROUPS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The values from a path for the names in a target.
#[derive(Debug)]
struct Values<'r> {
    /// The character before a name.
    mark: char,
    of_names: BTreeMap<&'r str, Cow<'r, str>>,
    /// The text after the target.
    rest: &'r str,
}

impl Default for Values<'_> {
    fn default() -> Self {
        Values { mark: ':', of_names: BTreeMap::new(), rest: "" }
    }
}

impl Values<'_> {
    /// `to` with the values in place of the names, which are not looked for in values; `None` if it is longer than
    /// a target can be.
    fn fill(&self, to: &str) -> Option<String> {
        let mut filled = String::new();
        let mut add = |text: &str| {
            let fits = filled.len() + text.len() <= TARGET_BYTES;
            fits.then(|| filled.push_str(text))
        };
        // Even a name whose value is empty takes time.
        let mut pieces = (to.len() <= TARGET_BYTES).then(|| to.split(self.mark))?;
        add(pieces.next()?)?;
        for piece in pieces {
            match self.longest(piece) {
                Some((name, value)) => {
                    add(value)?;
                    add(piece.strip_prefix(name)?)?;
                }
                None => {
                    add(self.mark.encode_utf8(&mut [0; 4]))?;
                    add(piece)?;
                }
            }
        }
        add(self.rest)?;
        Some(filled)
    }

    /// The longest name with which `text` starts, and its value: `:id` is not the start of `:identity`.
    fn longest<'v>(&'v self, text: &str) -> Option<(&'v str, &'v str)> {
        let mut start = text;
        loop {
            // All names from one with which `text` starts to this one start with it.
            let names = (Bound::Unbounded, Bound::Included(start));
            let (name, value) = self.of_names.range::<str, _>(names).next_back()?;
            if text.starts_with(name) {
                return Some((name, value));
            }
            let same = text.chars().zip(name.chars()).take_while(|(a, b)| a == b);
            start = text.get(..same.map(|(c, _)| c.len_utf8()).sum())?;
        }
    }
}

/// A path from the root of the host, without the slash at its start, to which rules are applied.
#[derive(Debug)]
pub(super) struct RequestPath<'p> {
    path: &'p str,
    /// The percent-decoded bytes with the slash, once a rule needs them.
    decoded: OnceCell<Vec<u8>>,
}

impl RequestPath<'_> {
    pub(super) fn new(path: &str) -> RequestPath<'_> {
        RequestPath { path, decoded: OnceCell::new() }
    }

    fn decoded(&self) -> &[u8] {
        let decoded = || [b"/", &*percent_decoded(self.path)].concat();
        self.decoded.get_or_init(decoded)
    }
}

fn bind_segments<'r>(segments: &'r [PathSegment], path: &'r str) -> Option<Values<'r>> {
    let mut values = Values::default();
    let mut rest = Some(path);
    for segment in segments {
        if *segment == PathSegment::Rest {
            let splat = rest.unwrap_or_default();
            values.of_names.entry("splat").or_insert(splat.into());
            rest = None;
            break;
        }
        // The slash at the end of a rule is ignored, too.
        if rest.is_none() && *segment == PathSegment::Literal(String::new()) {
            continue;
        }
        let (name, after) = match rest?.split_once('/') {
            Some((name, after)) => (name, Some(after)),
            None => (rest?, None),
        };
        match segment {
            PathSegment::Literal(wanted) if wanted == name => {}
            PathSegment::Named(key) if !name.is_empty() => {
                values.of_names.entry(key).or_insert(name.into());
            }
            _ => return None,
        }
        rest = after;
    }
    // Netlify and Cloudflare Pages ignore a trailing slash.
    rest.is_none_or(str::is_empty).then_some(values)
}

impl RedirectRule {
    /// Returns true if the rule applies at `host`, in lower case, with its port if that is not the
    /// scheme's default.
    pub fn is_for(&self, host: &str) -> bool {
        self.host.as_deref().is_none_or(|own| own == host)
    }

    /// Returns true if the server sends the target itself for every URL, as for an application in one page.
    pub fn is_for_all(&self) -> bool {
        let RulePaths::Segments(from) = &self.from else { return false };
        self.status == 200 && matches!(**from, [PathSegment::Rest])
    }

    /// Returns true if the rule redirects all URLs to another host.
    pub fn leaves_for_all(&self) -> bool {
        let mut paths = ["rehref-any-name", "rehref/any-name.html"].iter();
        paths.all(|it| self.target(it) == Some(RedirectTarget::External))
    }

    /// Returns the target up to the slash before its first placeholder.
    pub fn to_folder(&self) -> &str {
        let ends = ["/:", "/$"].iter().filter_map(|it| self.to.find(it));
        ends.min().and_then(|end| self.to.get(..=end)).unwrap_or(&self.to)
    }

    /// Returns true if browsers see a redirect. False if the server sends the target at the old URL.
    pub fn is_redirect(&self) -> bool {
        (300..400).contains(&self.status)
    }

    /// Returns the target of this rule for `path`, which starts at the root of the host, without the slash at its
    /// start, in the spelling of [`super::normalized_path`]. `None` if the rule does not match.
    pub fn target(&self, path: &str) -> Option<RedirectTarget> {
        self.target_of(&RequestPath::new(path))
    }

    /// As [`RedirectRule::target`], for a path that many rules are tried for.
    pub(super) fn target_of(&self, request: &RequestPath<'_>) -> Option<RedirectTarget> {
        if !request.path.starts_with(&*self.below) {
            return None;
        }
        let mut values = self.from.bind(request)?;
        if self.to.contains(['?', '#']) {
            // What follows the prefix becomes a part of the query or the fragment.
            values.rest = "";
        }
        let Some(to) = self.target_path() else {
            let is_error = self.status >= 400;
            return Some(if is_error { RedirectTarget::Error } else { RedirectTarget::External });
        };
        let Some(filled) = values.fill(to) else { return Some(RedirectTarget::TooLong) };
        if !filled.starts_with('/') {
            return Some(RedirectTarget::External);
        }
        let filled = filled.trim_start_matches('/');
        // The server sends the file at the path itself. No rule removes the slash at the end.
        let is_slash = || {
            let from = self.from.literal();
            from.is_some_and(|it| it.strip_suffix('/') == Some(request.path))
        };
        // With its own origin, it is for another scheme or host, and does not apply at this one.
        let is_kept = !self.is_redirect() || self.own_origin > 0 || is_slash();
        let is_own = filled == request.path && is_kept;
        (!is_own).then(|| RedirectTarget::Path(filled.to_owned()))
    }

    /// Returns the path of the target with its placeholders, if the target is on the same host, and not an
    /// error.
    pub fn target_path(&self) -> Option<&str> {
        let to = self.to.get(self.own_origin..)?.split(['?', '#']).next()?;
        let to = if to.is_empty() && self.own_origin > 0 { "/" } else { to };
        // What a group at the start matches may begin with the slash.
        let is_path = to.starts_with('/') && !to.starts_with("//") || to.starts_with('$');
        (is_path && self.status < 400).then_some(to)
    }

    /// Sets the origins of the site, without the slashes at their ends.
    pub fn set_origins(&mut self, mut origins: impl Iterator<Item = impl AsRef<str>>) {
        let ends = |rest: &str| rest.is_empty() || rest.starts_with(['/', '?', '#']);
        let own = origins.find_map(|it| {
            let start = self.to.get(..it.as_ref().len())?;
            let is_own =
                start.eq_ignore_ascii_case(it.as_ref()) && ends(self.to.get(start.len()..)?);
            is_own.then_some(start.len())
        });
        self.own_origin = own.unwrap_or_default();
    }

    /// Returns the folder from which the rule redirects everything to another under its old name: its path, with a
    /// slash, and the other one.
    pub(super) fn of_folder(&self) -> Option<(String, &str)> {
        let (from, to) = match &self.from {
            RulePaths::Segments(segments) => {
                let (last, names) = segments.split_last()?;
                let names = RulePaths::Segments(names.to_vec()).literal()?;
                (
                    format!("{names}/"),
                    self.to.strip_suffix(":splat").filter(|_| *last == PathSegment::Rest)?,
                )
            }
            RulePaths::Pattern(pattern) => {
                let path = pattern.as_str().strip_prefix("^/")?.strip_suffix("(.*)$")?;
                let (literal, end) = literal_start(path);
                let to = self.to.strip_suffix("$1").filter(|_| end == path.len())?;
                (encoded(&literal), to)
            }
            RulePaths::Exact(_) | RulePaths::Prefix(_) => return None,
        };
        let is_folder = from.ends_with('/') && to.ends_with('/') && self.host.is_none();
        is_folder.then_some((from, to))
    }

    /// Returns the target if it is the same for all paths: a path from the root of the host, without the slash at its
    /// start.
    pub fn fixed_target(&self) -> Option<&str> {
        let has_parts = match &self.from {
            RulePaths::Segments(_) | RulePaths::Exact(_) => self.to.contains("/:"),
            RulePaths::Prefix(_) => true,
            RulePaths::Pattern(_) => self.to.contains('$'),
        };
        Some(self.target_path().filter(|_| !has_parts)?.trim_start_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PatternBudget;
    use crate::redirects::read;
    use rehref_document::redirects::RedirectSyntax;

    fn target(syntax: RedirectSyntax, rule: &str, path: &str) -> Option<RedirectTarget> {
        let read = read(syntax, "rules", rule, &mut PatternBudget::default());
        read.rules[0].target(path)
    }

    #[test]
    fn a_value_is_not_replaced_again() {
        use RedirectSyntax::{Apache, Netlify};
        for (syntax, rule, path, expected) in [
            (Netlify, "/:a/:b /:a/:b", ":b/c", ":b/c"),
            (Netlify, "/:a/* /:splat/:a", ":splat/:a", ":a/:splat"),
            (Netlify, "/:id/:identity /:identity-:id:x", "a/b", "b-a:x"),
            (Netlify, "/:é/:éa /:éa:éb", "a/b", "bab"),
            (Netlify, "/:aab/:ab /:aac/:aab/:ab", "1/2", ":aac/1/2"),
            (Netlify, "/:a/:a /:a", "b/c", "b"),
            (Apache, "RedirectMatch ^/(.*)/(.*)$ /$2/$1/$10/$3$", "$2/b", "b/$2/$20/$"),
            (Apache, "Redirect /$1 /:a/$1", "$1/:b", ":a/$1/:b"),
        ] {
            let expected = Some(RedirectTarget::Path(expected.to_owned()));
            assert_eq!(target(syntax, rule, path), expected, "{rule}");
        }
    }

    #[test]
    fn long_targets_are_not_made() {
        use RedirectSyntax::{Apache, Netlify};
        for (syntax, rule, from, to) in [
            (Netlify, "/x/* /y/:splat", "x/", "/y/"),
            (Apache, "Redirect /x /y", "x/", "/y/"),
            (Apache, "RedirectMatch ^/x(.*)$ /y/$1", "x", "/y/"),
            (Netlify, "/:a /y/:b/:a", "", "/y/:b/"),
        ] {
            let value = "a".repeat(TARGET_BYTES - to.len());
            let found = target(syntax, rule, &format!("{from}{value}"));
            let expected = format!("{to}{value}").trim_start_matches('/').to_owned();
            assert_eq!(found, Some(RedirectTarget::Path(expected)), "{rule}");
            let found = target(syntax, rule, &format!("{from}{value}a"));
            assert_eq!(found, Some(RedirectTarget::TooLong), "{rule}");
        }
        let names = ":splat".repeat(TARGET_BYTES);
        let found = target(Netlify, &format!("/x/* /{names}"), "x/");
        assert_eq!(found, Some(RedirectTarget::TooLong));
    }

    #[test]
    fn a_chain_has_a_budget() {
        let count = |from: &str, to: &str| {
            let first = Some(RedirectBudget::new(from));
            std::iter::successors(first, |it| it.after(to)).count() - 1
        };
        let long = "a".repeat(CHAIN_BYTES / 4);
        assert_eq!(count("a", "a"), REDIRECT_LIMIT);
        assert_eq!(count("a", &long), 4);
        assert_eq!(count(&long, &long), 14);
        assert_eq!(count("a", &long.repeat(5)), 1);
    }
}
