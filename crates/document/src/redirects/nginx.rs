//! The configuration of nginx: locations and conditions that return a redirect, and `rewrite`. What holds only in other
//! blocks is conditional.

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

/// A directive, or the header of a block.
struct Directive<'t> {
    text: &'t str,
    words: Vec<Span>,
    /// The headers of the blocks around it, but for `http` and `server`, by their numbers.
    around: Vec<usize>,
    /// The number of the server; 0 without any.
    server: usize,
}

impl<'t> Directive<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.words.get(at).map_or("", |span| span.of_str(self.text))
    }

    fn name(&self) -> &'t str {
        self.word(0)
    }

    fn start(&self) -> usize {
        self.words.first().map_or(0, |span| span.start)
    }
}

/// The directives of `text`, in order.
fn directives(text: &str) -> Vec<Directive<'_>> {
    let mut found: Vec<Directive<'_>> = Vec::new();
    let (mut words, mut blocks) = (Vec::new(), Vec::new());
    let (mut server, mut servers) = (0, 0);
    for token in tokens(text) {
        let mark = token.of_str(text);
        if !matches!(mark, ";" | "{" | "}") || is_quoted(text, token) {
            words.push(token);
            continue;
        }
        if !words.is_empty() {
            let around = blocks.iter().copied().flatten().collect();
            found.push(Directive { text, words: std::mem::take(&mut words), around, server });
        }
        match mark {
            "{" => {
                let number = found.len().saturating_sub(1);
                let name = found.last().map_or("", Directive::name);
                if name == "server" {
                    servers += 1;
                    server = servers;
                }
                let is_other = !matches!(name, "http" | "server");
                blocks.push(is_other.then_some(number));
            }
            "}" => {
                blocks.pop();
                server = if blocks.is_empty() { 0 } else { server };
            }
            _ => {}
        }
    }
    found
}

fn is_quoted(text: &str, token: Span) -> bool {
    text.get(..token.start).is_some_and(|before| before.ends_with(['"', '\'']))
}

/// A directive that redirects, with the paths for which it does.
struct Redirect {
    from: RuleFrom,
    to: Option<Span>,
    status: u16,
    start: usize,
    /// True if it holds for all requests for these paths.
    is_sure: bool,
}

/// Returns the redirects in `all`, each with the number of its directive.
fn redirects(all: &[Directive<'_>]) -> Vec<(usize, Redirect)> {
    let text = all.first().map_or("", |it| it.text);
    let at_root = |it: &&Directive<'_>| it.around.is_empty();
    // Servers that send all requests to another one.
    let leaves = |it: &&Directive<'_>| match it.name() {
        "return" => it.word(1).starts_with('3'),
        "rewrite" => is_for_all(it.word(1)),
        _ => false,
    };
    let others: Vec<usize> =
        all.iter().filter(at_root).filter(leaves).map(|it| it.server).collect();
    let is_single = all.iter().filter(|it| it.name() == "server").count() < 2;
    let found = all.iter().enumerate().filter_map(|(number, it)| {
        let block = it.around.last().and_then(|at| all.get(*at));
        let from_block = block.filter(|_| it.around.len() == 1).and_then(|it| of_block(text, it));
        let (from, to, status) = match (it.name(), from_block) {
            ("return", Some(from)) => {
                let status = it.word(1).parse().ok();
                // `return URL` is a temporary redirect.
                let at = if status.is_some() { 2 } else { 1 };
                (from, it.words.get(at), status.or(it.words.get(1).map(|_| 302))?)
            }
            ("rewrite", from_block) => {
                let status = rewrite_status(it.word(3)).or_else(|| {
                    let is_absolute = it.word(2).contains("://");
                    is_absolute.then_some(302)
                })?;
                let from = match (from_block, is_for_all(it.word(1))) {
                    (Some(from), true) => from,
                    _ => pattern(text, *it.words.get(1)?),
                };
                (from, it.words.get(2), status)
            }
            _ => return None,
        };
        let is_of_block = match block {
            None => true,
            Some(block) => {
                let is_all = it.name() == "return" || is_for_all(it.word(1));
                it.around.len() == 1 && is_all && of_block(text, block).is_some()
            }
        };
        let target = to.map_or("", |to| to.of_str(text));
        let is_of_site = is_single || !others.contains(&it.server);
        let is_sure = is_of_block && is_of_site && !has_variable(target);
        let start = if it.name() == "return" { block?.start() } else { it.start() };
        Some((number, Redirect { from, to: to.copied(), status, start, is_sure }))
    });
    found.collect()
}

/// Returns true if the regular expression matches every path.
fn is_for_all(pattern: &str) -> bool {
    matches!(pattern.trim_matches(['^', '$']), "" | "." | "/" | ".*" | "(.*)" | "/(.*)" | "/.*")
}

/// Returns true if `target` has a variable other than the groups of its pattern.
fn has_variable(target: &str) -> bool {
    let names = target.split('$').skip(1);
    names.into_iter().any(|name| !name.starts_with(|c: char| c.is_ascii_digit()))
}

/// The paths of the block with this header; `None` if it is for more than paths.
fn of_block(text: &str, header: &Directive<'_>) -> Option<RuleFrom> {
    let exact = |at: usize, start: usize| {
        let span = header.words.get(at)?;
        let span = Span::from(span.start + start..span.end);
        Some(RuleFrom::Exact(RuleUrl::new(text, span, RuleEscape::Path)))
    };
    match (header.name(), header.word(1)) {
        ("location", "=") => exact(2, 0),
        ("location", path) if path.starts_with("=/") => exact(1, 1),
        ("if", "($uri" | "(" | "($request_uri") => {
            let at = if header.word(1) == "(" { 3 } else { 2 };
            let words = header.words.get(at + 1)?;
            let value = words.of_str(text);
            let value = value.strip_suffix(')').filter(|it| !it.contains('(')).unwrap_or(value);
            let span = Span::from(words.start..words.start + value.len());
            let is_uri = header.word(at - 1).trim_start_matches('(') == "$uri";
            let is_match = header.word(at) == "~" && is_uri && header.words.len() <= at + 3;
            is_match.then(|| pattern(text, span))
        }
        _ => None,
    }
}

/// Reads the rules of a file.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    for (_, it) in redirects(&directives(text)) {
        found(Ok(RuleText {
            start: it.start,
            from: it.from,
            host: None,
            to: it.to.map(|to| RuleUrl::new(text, to, RuleEscape::Quoted)),
            status: it.status,
            is_forced: true,
            is_conditional: !it.is_sure,
        }));
    }
    if let Some(error) = unclosed(text, &tokens(text)) {
        found(Err(error));
    }
}

/// Hands to `found` the paths in `text` that the server sends for URLs in several folders: the last of `try_files` and of
/// `error_page`, and that of a `rewrite` that does not redirect.
pub(super) fn fallbacks(text: &str, found: &mut dyn FnMut(RuleUrl)) {
    for it in directives(text) {
        let target = match it.name() {
            "try_files" | "error_page" => it.words.last(),
            "rewrite" if rewrite_status(it.word(3)).is_none() => it.words.get(2),
            _ => None,
        };
        let path = target.filter(|it| it.of_str(text).starts_with('/'));
        path.into_iter().for_each(|it| found(RuleUrl::new(text, *it, RuleEscape::Quoted)));
    }
}

/// Hands to `found` the paths in `text` for all URLs below which a location is, before its rules: `location ^~ /old/`.
pub(super) fn prefixes(text: &str, found: &mut dyn FnMut(RuleUrl)) {
    let all = directives(text);
    let prefixes = all.iter().filter(|it| it.name() == "location" && it.word(1) == "^~");
    let paths = prefixes.filter_map(|it| it.words.get(2));
    paths.for_each(|it| found(RuleUrl::new(text, *it, RuleEscape::Path)));
}

/// The directives that decide which file is sent, or that send something else.
const DECIDING: &[&str] = &[
    "return", "rewrite", "try_files", "error_page", "alias", "root", "internal", "proxy_pass",
    "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass",
];

/// Returns the directives in `text` that decide which file is sent, and that are not read.
pub(super) fn unread(text: &str) -> Vec<UnreadDirective> {
    let all = directives(text);
    let read: Vec<usize> =
        redirects(&all).into_iter().filter(|it| it.1.is_sure).map(|(number, _)| number).collect();
    let found = all.iter().enumerate().filter_map(|(number, it)| {
        let name = *DECIDING.iter().find(|name| **name == it.name())?;
        let last = it.words.last().map_or("", |last| last.of_str(text));
        let location = it.around.iter().rev().filter_map(|at| all.get(*at));
        let location = location.filter(|it| it.name() == "location").find_map(paths_of);
        let is_read = match name {
            _ if read.contains(&number) => true,
            // The directory of the site itself, and the page of an error.
            "root" | "alias" => location.is_none(),
            "error_page" => !it.words.iter().any(|word| word.of_str(text).starts_with('=')),
            // It only changes the scheme or the host.
            "return" | "rewrite" => {
                let target = if name == "return" { last } else { it.word(2) };
                target.ends_with("$request_uri") && target.contains("://$")
                    || target.contains("://") && target.ends_with("$request_uri")
                    || name == "return" && it.word(1).starts_with('4')
            }
            _ => false,
        };
        // A condition on something else than the path holds for some visitors.
        let is_of_path = |header: &Directive<'_>| {
            header
                .words
                .iter()
                .any(|word| ["uri", "filename"].iter().any(|name| word.of_str(text).contains(name)))
        };
        let mut around = it.around.iter().filter_map(|at| all.get(*at));
        let is_for_some = around.any(|header| header.name() == "if" && !is_of_path(header));
        let paths = match name {
            _ if is_for_some => None,
            "internal" => None,
            // `$uri.html` is for paths without an extension.
            "try_files" if !last.starts_with(['/', '@']) => {
                let is_name = |word: &Span| word.of_str(text).starts_with("$uri.");
                it.words.iter().any(is_name).then(|| NO_EXTENSION.to_owned())
            }
            "rewrite" if location.is_none() || !is_for_all(it.word(1)) => {
                Some(it.word(1).to_owned())
            }
            _ => Some(location.unwrap_or_default()),
        };
        let to = (name == "try_files" && last.starts_with('/')).then(|| last.to_owned());
        let line = line_of(text, it.start());
        (!is_read).then_some(UnreadDirective { name, line, paths, to })
    });
    found.collect()
}

/// The regular expression of paths whose last name has no extension.
pub(super) const NO_EXTENSION: &str = "(^|/)[^/.]+$";

/// The regular expression of the paths of a location.
fn paths_of(header: &Directive<'_>) -> Option<String> {
    Some(match header.word(1) {
        "=" => starting_with(header.word(2)) + "$",
        "^~" => starting_with(header.word(2)),
        "~" => header.word(2).to_owned(),
        "~*" => format!("(?i){}", header.word(2)),
        path if path.starts_with('/') => starting_with(path),
        _ => return None,
    })
}

/// The regular expression of paths that start with `path`.
pub(super) fn starting_with(path: &str) -> String {
    let is_special = |c: char| ".+*?()|[]{}^$\\".contains(c);
    let escaped = path.chars().flat_map(|c| is_special(c).then_some('\\').into_iter().chain([c]));
    format!("^{}", escaped.collect::<String>())
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
