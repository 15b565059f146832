//! The configuration of nginx: locations and conditions that return a redirect, and `rewrite`. All
//! else is ignored.

use super::apache::{end_of_quoted, pattern};
use super::escape::RuleEscape;
use super::rule::{FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, line_of};
use rehref_url::Span;

/// Whether a line is part of such a rule.
pub(super) fn is_rule(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next().unwrap_or_default();
    matches!(word, "location" | "if" | "rewrite" | "server" | "return")
}

/// Reads the rules of a file.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.of_str(text));
    let quoted =
        |at: usize| tokens.get(at).map(|token| RuleUrl::new(text, *token, RuleEscape::Quoted));
    for (at, token) in tokens.iter().enumerate() {
        let (from, status, to) = match token.of_str(text) {
            "location" if word(at + 1) == "=" => {
                let Some((status, to)) = returned(at + 3, &word) else {
                    continue;
                };
                let Some(path) = tokens.get(at + 2) else {
                    continue;
                };
                let path = RuleUrl::new(text, *path, RuleEscape::Path);
                (RuleFrom::Exact(path), status, quoted(to))
            }
            "if" if word(at + 1) == "($uri" && word(at + 2) == "~" && word(at + 4) == ")" => {
                let Some((status, to)) = returned(at + 5, &word) else {
                    continue;
                };
                let Some(path) = tokens.get(at + 3) else {
                    continue;
                };
                (pattern(text, *path), status, quoted(to))
            }
            "rewrite" => {
                let status = match word(at + 3) {
                    "permanent" => 301,
                    "redirect" => 302,
                    _ => continue,
                };
                let Some(path) = tokens.get(at + 1) else {
                    continue;
                };
                (pattern(text, *path), status, quoted(at + 2))
            }
            _ => continue,
        };
        found(Ok(RuleText { start: token.start, from, host: None, to, status, is_forced: true }));
    }
    if let Some(error) = unclosed(text, &tokens) {
        found(Err(error));
    }
}

/// The error about the first block that no brace closes.
fn unclosed(text: &str, tokens: &[Span]) -> Option<RuleSyntaxError> {
    let mut open = Vec::new();
    for token in tokens {
        let before = text.get(..token.start).unwrap_or_default();
        match token.of_str(text) {
            _ if before.ends_with(['"', '\'']) => {}
            "{" => open.push(token.start),
            "}" => drop(open.pop()),
            _ => {}
        }
    }
    open.first()
        .map(|&at| RuleSyntaxError { line: line_of(text, at), message: "no } closes this block" })
}

/// The status of a block at the token `at` that returns, and the token of its URL.
fn returned<'t>(at: usize, word: &impl Fn(usize) -> &'t str) -> Option<(u16, usize)> {
    let is_return = word(at) == "{" && word(at + 1) == "return";
    let status = word(at + 2).parse().ok().filter(|_| is_return)?;
    Some((status, at + 3))
}

/// The tokens of a configuration: words, strings without their quotes, braces and semicolons.
fn tokens(text: &str) -> Vec<Span> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return tokens;
        };
        let (token, after) = match first {
            '#' => ("", rest.split_once('\n').map_or("", |(_, after)| after)),
            '{' | '}' | ';' | ')' => rest.split_at(1),
            '"' | '\'' => {
                let inner = rest.get(1..).unwrap_or_default();
                let end = end_of_quoted(inner, first);
                let after = inner.get(end + 1..).unwrap_or_default();
                (inner.get(..end).unwrap_or_default(), after)
            }
            _ => {
                let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, '{' | ';');
                rest.split_at(rest.find(is_end).unwrap_or(rest.len()))
            }
        };
        if !token.is_empty() {
            tokens.extend(Span::within(text, token));
        }
        rest = after;
    }
}
