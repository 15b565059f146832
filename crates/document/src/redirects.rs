//! Redirect rules in the files that servers read them from: `_redirects`, Apache's `.htaccess`, the
//! configuration of nginx, and a JSON list.
//!
//! Both sides of a rule are references: when a file moves, or the site, they follow.

mod apache;
pub mod escape;
mod json;
mod netlify;
mod nginx;

use escape::{RuleEscape, RuleSyntax};
use rehref_generators::Text;
use rehref_url::Span;

/// The syntax of a file with redirect rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectSyntax {
    /// `_redirects` of Netlify, Cloudflare Pages and others.
    Netlify,
    /// The directives of Apache's mod_alias.
    Apache,
    /// Locations and rewrites of nginx.
    Nginx,
    /// An array of objects with `from`, `to` and `status`.
    Json,
}

/// A redirect rule as its file has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// The byte of the file where the rule begins.
    pub start: usize,
    /// The old path.
    pub from: RuleFrom,
    /// The path or URL of the host that the rule is for, if it is not for all.
    pub host: Option<String>,
    /// The target; `None` for a rule that answers with an error and has none.
    pub to: Option<RuleUrl>,
    /// The status of the response; 200 if the server sends the target itself.
    pub status: u16,
    /// Whether the rule applies even where a file has the path.
    pub is_forced: bool,
}

/// The paths that a rule matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleFrom {
    /// This path; `*` and `:name` stand for parts of it.
    Wildcards(RuleUrl),
    /// This path only.
    Exact(RuleUrl),
    /// This path and everything below it.
    Prefix(RuleUrl),
    /// The paths that match a regular expression. Its literal beginning, up to a slash, is a
    /// reference.
    Pattern(String, Option<RuleUrl>),
}

impl RuleFrom {
    /// The reference, if the rule has one on this side.
    fn url(&self) -> Option<&RuleUrl> {
        match self {
            RuleFrom::Wildcards(url) | RuleFrom::Exact(url) | RuleFrom::Prefix(url) => Some(url),
            RuleFrom::Pattern(_, url) => url.as_ref(),
        }
    }
}

/// One side of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleUrl {
    /// Its bytes in the file, without quotes.
    pub span: Span,
    /// The URL reference, without the escapes of the file.
    pub text: String,
    /// How it is written in the file.
    pub syntax: RuleSyntax,
}

impl RuleUrl {
    /// The URL at `span` of `source`, decoded as `escape` says.
    fn new(source: &str, span: Span, escape: RuleEscape) -> RuleUrl {
        let byte = |at: Option<usize>| source.as_bytes().get(at?).copied();
        let quote = byte(span.start.checked_sub(1)).filter(|it| matches!(it, b'"' | b'\''));
        RuleUrl {
            text: escape.decode(span.of_str(source)),
            span,
            syntax: RuleSyntax {
                escape,
                quote: quote.filter(|it| byte(Some(span.end)) == Some(*it)),
            },
        }
    }

    /// The text with its map to the source, which is in one piece.
    pub(super) fn mapped(&self, source: &str) -> Text {
        let mut text = Text::default();
        match self.span.of_str(source) == self.text {
            true => text.push_plain(&self.text),
            false => text.push_exception(&self.text, 0..self.span.len()),
        }
        text
    }
}

/// A line of a redirects file that is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct RuleSyntaxError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The missing part of the rule.
    pub message: &'static str,
}

/// The rules of a file, in the order in which the server tries them, and the lines that are not
/// rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleList {
    pub rules: Vec<RuleText>,
    pub errors: Vec<RuleSyntaxError>,
}

impl RedirectSyntax {
    /// The syntax of a file with this content whose name does not tell it. A text that looks like no
    /// other is in the syntax of `_redirects`.
    pub fn of_content(text: &str) -> RedirectSyntax {
        let text = text.trim_start_matches('\u{FEFF}').trim_start();
        let has = |is_rule: fn(&str) -> bool| text.lines().any(|line| is_rule(line.trim_start()));
        match () {
            () if text.starts_with('[') && !text.starts_with("[[") => RedirectSyntax::Json,
            () if text.starts_with('{') => RedirectSyntax::Json,
            () if has(apache::is_rule) => RedirectSyntax::Apache,
            // It has no rule that is read.
            () if has(|line| line.starts_with("Rewrite")) => RedirectSyntax::Apache,
            () if has(nginx::is_rule) => RedirectSyntax::Nginx,
            () => RedirectSyntax::Netlify,
        }
    }

    /// Reads the rules of `text`.
    pub fn rules(self, text: &str) -> RuleList {
        match self {
            RedirectSyntax::Netlify => netlify::rules(text),
            RedirectSyntax::Apache => apache::rules(text),
            RedirectSyntax::Nginx => nginx::rules(text),
            RedirectSyntax::Json => json::rules(text),
        }
    }

    /// The references of `text`, in order.
    pub(super) fn urls(self, text: &str) -> Vec<RuleUrl> {
        let rules = self.rules(text).rules.into_iter();
        let mut urls: Vec<RuleUrl> = rules
            .flat_map(|rule| [rule.from.url().cloned(), rule.to])
            .flatten()
            // Other servers' hosts, and what is not a URL, stay.
            .filter(|url| url.text.starts_with('/') || url.text.contains("://"))
            .collect();
        urls.sort_by_key(|url| url.span);
        urls
    }
}

/// The line of the byte `at` of `text`, from 1.
fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}
