//! The redirect rules of a file, whatever its syntax.

use super::escape::{RuleEscape, RuleSyntax};
use rehref_generators::Text;
use rehref_url::Span;

/// A redirect rule, as it is written in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleText {
    /// The offset in the file at which the rule begins.
    pub start: usize,
    /// The old path, or the pattern of old paths.
    pub from: RuleFrom,
    /// The path or URL of the host to which the rule is limited; `None` if it applies to all hosts.
    pub host: Option<String>,
    /// The target; `None` for a rule that answers with an error and has none.
    pub to: Option<RuleUrl>,
    /// The status of the response; 200 if the server sends the target itself.
    pub status: u16,
    /// True if the rule applies even if a file exists at the path.
    pub is_forced: bool,
    /// True if the rule applies only to some visitors: of a country, with a language or with a role.
    pub is_conditional: bool,
}

impl RuleText {
    /// Returns true if the server sends the target itself, for URLs in folders besides that of the target.
    pub(super) fn is_fallback(&self) -> bool {
        let folder = |url: &RuleUrl| url.text.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let is_sent = self.status == 200 || self.status >= 400;
        let from = self.from.url().filter(|_| is_sent);
        from.zip(self.to.as_ref())
            .is_some_and(|(from, to)| from.text.contains('*') || folder(from) != folder(to))
    }
}

/// The old path of a rule, or the pattern of old paths that it matches.
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
    /// Returns the reference, if the rule has one on this side.
    pub(super) fn url(&self) -> Option<&RuleUrl> {
        match self {
            RuleFrom::Wildcards(url) | RuleFrom::Exact(url) | RuleFrom::Prefix(url) => Some(url),
            RuleFrom::Pattern(_, url) => url.as_ref(),
        }
    }
}

/// The old or the new URL of a rule, with its place in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleUrl {
    /// The span of the URL in the file, without quotes.
    pub span: Span,
    /// The URL reference, without the escapes of the file.
    pub text: String,
    /// The syntax of the rule in the file.
    pub syntax: RuleSyntax,
}

impl RuleUrl {
    /// Returns the URL at `span` of `source`, decoded as `escape` says.
    pub(crate) fn new(source: &str, span: Span, escape: RuleEscape) -> RuleUrl {
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

    /// Returns the text with its map to the source, which is in one piece.
    pub(crate) fn mapped(&self, source: &str) -> Text {
        let mut text = Text::default();
        if self.span.of_str(source) == self.text {
            text.push_plain(&self.text)
        } else {
            text.push_exception(&self.text, 0..self.span.len())
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
    /// A message that names the missing part of the rule.
    pub message: &'static str,
}

/// A function that receives the rules of a file, in the order in which the server tries them, and the malformed
/// lines. It avoids a list, which would use far more memory than the file.
pub type FoundRules<'f> = &'f mut dyn FnMut(Result<RuleText, RuleSyntaxError>);

/// Returns the line of the byte `at` of `text`, from 1.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// The regular expression of the end of paths whose last name has no extension.
pub(super) const NO_EXTENSION: &str = "(^|/)[^/.]+$";

/// A directive that decides which file the server sends, and that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadDirective {
    pub name: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The regular expression of the paths for which the server may have something without a file; `None` if it has nothing.
    pub paths: Option<String>,
    /// True if these paths are relative to the folder of the rules, and not from the root of the host.
    pub is_relative: bool,
    /// The path that it sends for all of these; `None` if it is not fixed.
    pub to: Option<String>,
}
