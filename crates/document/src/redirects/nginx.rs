//! The configuration of nginx: locations and conditions that return a redirect, and `rewrite`. All
//! else is ignored.

use super::apache::{pattern, split_word};
use super::escape::RuleEscape;
use super::rule::{
    FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, UnreadDirective, line_of,
};
use rehref_url::Span;

/// Returns true if a line is part of such a rule.
pub(super) fn is_rule(line: &str) -> bool {
    let word = line.split_ascii_whitespace().next().unwrap_or_default();
    matches!(word, "location" | "if" | "rewrite" | "server" | "return")
}

/// Reads the rules of a file.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.of_str(text));
    for (at, token) in tokens.iter().enumerate() {
        // The tokens of the path and of the target.
        let (from, returned) = match token.of_str(text) {
            "location" if word(at + 1) == "=" => (at + 2, returned(at + 3, &word)),
            "if" if word(at + 1) == "($uri" && word(at + 2) == "~" && word(at + 4) == ")" => {
                (at + 3, returned(at + 5, &word))
            }
            "rewrite" => (at + 1, rewrite_status(word(at + 3)).map(|status| (status, at + 2))),
            _ => continue,
        };
        let (Some(from), Some((status, to))) = (tokens.get(from), returned) else { continue };
        let from = match token.of_str(text) {
            "location" => RuleFrom::Exact(RuleUrl::new(text, *from, RuleEscape::Path)),
            _ => pattern(text, *from),
        };
        let to = tokens.get(to).map(|to| RuleUrl::new(text, *to, RuleEscape::Quoted));
        found(Ok(RuleText {
            start: token.start,
            from,
            host: None,
            to,
            status,
            is_forced: true,
            is_conditional: false,
        }));
    }
    if let Some(error) = unclosed(text, &tokens) {
        found(Err(error));
    }
}

/// Hands to `found` the paths in `text` that the server sends for URLs in several folders: the last of `try_files` and of
/// `error_page`, and that of a `rewrite` that does not redirect.
pub(super) fn fallbacks(text: &str, found: &mut dyn FnMut(RuleUrl)) {
    let tokens = tokens(text);
    for directive in tokens.split(|token| matches!(token.of_str(text), ";" | "{" | "}")) {
        let word = |at: usize| directive.get(at).map_or("", |token| token.of_str(text));
        let target = match word(0) {
            "try_files" | "error_page" => directive.last(),
            "rewrite" if rewrite_status(word(3)).is_none() => directive.get(2),
            _ => None,
        };
        let path = target.filter(|it| it.of_str(text).starts_with('/'));
        path.into_iter().for_each(|it| found(RuleUrl::new(text, *it, RuleEscape::Quoted)));
    }
}

/// Hands to `found` the paths in `text` for all URLs below which a location is, before its rules: `location ^~ /old/`.
pub(super) fn prefixes(text: &str, found: &mut dyn FnMut(RuleUrl)) {
    let tokens = tokens(text);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.of_str(text));
    let is_prefix = |at: &usize| word(*at) == "location" && word(at + 1) == "^~";
    let paths = (0..tokens.len()).filter(is_prefix).filter_map(|at| tokens.get(at + 2));
    paths.for_each(|it| found(RuleUrl::new(text, *it, RuleEscape::Path)));
}

/// Returns the directives in `text` that decide which file is sent, and that are not read.
pub(super) fn unread(text: &str) -> Vec<UnreadDirective> {
    const NAMES: [&str; 4] = ["try_files", "rewrite", "alias", "internal"];
    let tokens = tokens(text);
    let directives = tokens.split(|token| matches!(token.of_str(text), ";" | "{" | "}"));
    let found = directives.filter_map(|directive| {
        let word = |at: usize| directive.get(at).map_or("", |token| token.of_str(text));
        let name = *NAMES.iter().find(|it| **it == word(0))?;
        let is_read = name == "rewrite" && rewrite_status(word(3)).is_some();
        let start = directive.first().filter(|_| !is_read)?.start;
        let last = directive.last().map_or("", |token| token.of_str(text));
        let paths = match name {
            "rewrite" => Some(word(1).to_owned()),
            "try_files" => last.starts_with(['/', '@']).then(String::new),
            _ => None,
        };
        let to = (name == "try_files" && last.starts_with('/')).then(|| last.to_owned());
        Some(UnreadDirective { name, line: line_of(text, start), paths, to })
    });
    found.collect()
}

fn rewrite_status(flag: &str) -> Option<u16> {
    match flag {
        "permanent" => Some(301),
        "redirect" => Some(302),
        _ => None,
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
        let Some(first) = rest.chars().next() else { return tokens };
        let (token, after) = match first {
            '#' => ("", rest.split_once('\n').map_or("", |(_, after)| after)),
            '{' | '}' | ';' | ')' => rest.split_at(1),
            _ => split_word(rest, |c| c.is_ascii_whitespace() || matches!(c, '{' | ';')),
        };
        if !token.is_empty() {
            tokens.extend(Span::within(text, token));
        }
        rest = after;
    }
}
