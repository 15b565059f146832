//! The configuration of nginx: locations and conditions that return a redirect, and `rewrite`. What holds only in other
//! blocks is conditional.

use super::apache::{pattern, split_word};
use super::escape::{RuleEscape, starting_with};
use super::rule::{
    FoundRules, NO_EXTENSION, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, UnreadDirective,
    line_of,
};
use crate::Positions;
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
    /// The number of the innermost header around it, but for `http` and `server`.
    block: Option<usize>,
    /// The number of the innermost location around it.
    location: Option<usize>,
    /// True within a condition on something else than the path: it holds for some visitors.
    is_for_some: bool,
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

    fn last(&self) -> &'t str {
        self.words.last().map_or("", |span| span.of_str(self.text))
    }

    fn start(&self) -> usize {
        self.words.first().map_or(0, |span| span.start)
    }
}

/// The directives of a configuration, in order.
struct Configuration<'t> {
    directives: Vec<Directive<'t>>,
    /// The number of servers.
    servers: usize,
}

impl<'t> Configuration<'t> {
    fn of(text: &'t str) -> Configuration<'t> {
        let mut found = Configuration { directives: Vec::new(), servers: 0 };
        let mut words = Vec::new();
        // The header of each open block, if it counts, and the number of the server.
        let mut open: Vec<(Option<usize>, usize)> = Vec::new();
        for token in tokens(text) {
            let Some(mark) = token.mark else {
                words.push(token.span);
                continue;
            };
            if !words.is_empty() {
                let words = std::mem::take(&mut words);
                found.add(text, words, open.last().copied().unwrap_or_default());
            }
            match mark {
                '{' => {
                    let (block, server) = open.last().copied().unwrap_or_default();
                    let number = found.directives.len().checked_sub(1);
                    open.push(match found.directives.last().map(Directive::name) {
                        Some("server") => {
                            found.servers += 1;
                            (block, found.servers)
                        }
                        Some("http") | None => (block, server),
                        Some(_) => (number, server),
                    });
                }
                '}' => drop(open.pop()),
                _ => {}
            }
        }
        found
    }

    fn add(&mut self, text: &'t str, words: Vec<Span>, (block, server): (Option<usize>, usize)) {
        let around = block.and_then(|at| self.directives.get(at));
        let location = match around {
            Some(header) if header.name() == "location" => block,
            header => header.and_then(|it| it.location),
        };
        let is_of_some = |header: &Directive<'_>| {
            header.is_for_some || header.name() == "if" && !is_of_path(header)
        };
        let is_for_some = around.is_some_and(is_of_some);
        self.directives.push(Directive { text, words, block, location, is_for_some, server });
    }

    fn header(&self, number: Option<usize>) -> Option<&Directive<'t>> {
        self.directives.get(number?)
    }

    /// Returns the redirect of each directive, if it is one.
    fn redirects(&self) -> Vec<Option<Redirect>> {
        // Servers that send all requests to another one.
        let mut leaves = vec![false; self.servers + 1];
        for it in self.directives.iter().filter(|it| it.block.is_none()) {
            let is_for_all = match it.name() {
                "return" => status_of_return(it).is_some_and(|(status, _)| status < 400),
                "rewrite" => is_for_all(it.word(1)) && status_of_rewrite(it).is_some(),
                _ => false,
            };
            if let Some(leaves) = leaves.get_mut(it.server).filter(|_| is_for_all) {
                *leaves = true;
            }
        }
        let is_of_site = |it: &Directive<'_>| {
            self.servers < 2 || leaves.get(it.server).is_none_or(|leaves| !leaves)
        };
        let redirect = |it| self.redirect(it, is_of_site(it));
        self.directives.iter().map(redirect).collect()
    }

    fn redirect(&self, it: &Directive<'_>, is_of_site: bool) -> Option<Redirect> {
        let block = self.header(it.block);
        let whole = block.filter(|it| it.block.is_none()).and_then(of_block);
        let is_all_of_block = block.is_none() || whole.is_some();
        let (from, to, status, is_all_of_block) = match it.name() {
            "return" => {
                let (status, to) = status_of_return(it)?;
                (whole?, it.words.get(to), status, true)
            }
            "rewrite" => {
                let status = status_of_rewrite(it)?;
                let is_all = is_for_all(it.word(1));
                let from = match whole.filter(|_| is_all) {
                    Some(from) => from,
                    None => pattern(it.text, *it.words.get(1)?),
                };
                let is_read = is_all_of_block && (is_all || block.is_none());
                (from, it.words.get(2), status, is_read)
            }
            _ => return None,
        };
        let target = to.map_or("", |to| to.of_str(it.text));
        let start = if it.name() == "return" { block?.start() } else { it.start() };
        let is_sure = is_all_of_block && is_of_site && !has_variable(target);
        Some(Redirect { from, to: to.copied(), status, start, is_sure })
    }
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

/// The status of a `return`, and the number of the word that is its target: `return URL` is a temporary redirect.
fn status_of_return(it: &Directive<'_>) -> Option<(u16, usize)> {
    match it.word(1).parse() {
        Ok(status) => Some((status, 2)),
        Err(_) => it.words.get(1).map(|_| (302, 1)),
    }
}

/// The status of a `rewrite` that redirects.
fn status_of_rewrite(it: &Directive<'_>) -> Option<u16> {
    rewrite_status(it.word(3)).or_else(|| it.word(2).contains("://").then_some(302))
}

/// Returns true if the regular expression matches every path.
fn is_for_all(pattern: &str) -> bool {
    let whole = pattern.strip_prefix('^').unwrap_or(pattern);
    let rest = whole.strip_prefix('/').unwrap_or(whole);
    matches!(rest, "" | "." | ".*" | ".*$" | "(.*)" | "(.*)$") || whole == "$"
}

/// Returns true if `target` has a variable other than the groups of its pattern.
fn has_variable(target: &str) -> bool {
    target.split('$').skip(1).any(|name| !name.starts_with(|c: char| c.is_ascii_digit()))
}

/// Returns true if the condition of `header` is about the path.
fn is_of_path(header: &Directive<'_>) -> bool {
    let mut words = header.words.iter().map(|word| word.of_str(header.text));
    words.any(|word| word.contains("uri") || word.contains("filename"))
}

/// The condition of an `if` on the path: whether it is a regular expression, and the value. A parenthesis may follow the
/// value without a space.
fn condition(header: &Directive<'_>) -> Option<(bool, Span)> {
    let at = if header.word(1) == "(" { 2 } else { 1 };
    let variable = header.word(at).trim_start_matches('(');
    let value = *header.words.get(at + 2)?;
    let is_closed = header.words.get(at + 3).is_some();
    let text = value.of_str(header.text);
    let text = text.strip_suffix(')').filter(|_| !is_closed).unwrap_or(text);
    let is_pattern = match header.word(at + 1) {
        "~" => true,
        "=" => false,
        _ => return None,
    };
    let span = Span::from(value.start..value.start + text.len());
    matches!(variable, "$uri" | "$request_uri").then_some((is_pattern, span))
}

/// The paths of the block with this header; `None` if it is for more than paths.
fn of_block(header: &Directive<'_>) -> Option<RuleFrom> {
    let text = header.text;
    let exact = |span: Span| RuleFrom::Exact(RuleUrl::new(text, span, RuleEscape::Path));
    match header.name() {
        "location" if header.word(1) == "=" => header.words.get(2).map(|it| exact(*it)),
        "location" if header.word(1).starts_with("=/") => {
            let span = header.words.get(1)?;
            Some(exact(Span::from(span.start + 1..span.end)))
        }
        "if" => Some(match condition(header)? {
            (true, span) => pattern(text, span),
            (false, span) => exact(span),
        }),
        _ => None,
    }
}

/// Reads the rules of a file.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    for it in Configuration::of(text).redirects().into_iter().flatten() {
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
    if let Some(error) = unclosed(text) {
        found(Err(error));
    }
}

/// Hands to `found` the paths in `text` that the server sends for URLs in several folders: the last of `try_files` and of
/// `error_page`, and that of a `rewrite` that does not redirect.
pub(super) fn fallbacks(text: &str, found: &mut dyn FnMut(RuleUrl)) {
    for it in Configuration::of(text).directives {
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
    let all = Configuration::of(text).directives;
    let prefixes = all.iter().filter(|it| it.name() == "location" && it.word(1) == "^~");
    let paths = prefixes.filter_map(|it| it.words.get(2));
    paths.for_each(|it| found(RuleUrl::new(text, *it, RuleEscape::Path)));
}

/// The directives that decide which file is sent, or that send something else.
#[rustfmt::skip]
const DECIDING: &[&str] = &[
    "return", "rewrite", "try_files", "error_page", "alias", "root", "internal", "proxy_pass",
    "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass",
];

/// Returns the directives in `text` that decide which file is sent, and that are not read.
pub(super) fn unread(text: &str) -> Vec<UnreadDirective> {
    let all = Configuration::of(text);
    let mut lines = Positions::new(text.as_bytes());
    let redirects = all.redirects();
    let found = all.directives.iter().zip(redirects).filter_map(|(it, redirect)| {
        let name = *DECIDING.iter().find(|name| **name == it.name())?;
        let is_read = redirect.is_some_and(|it| it.is_sure) || !decides(&all, it);
        let found = (!is_read).then(|| (name, paths(&all, it)))?;
        let (line, (name, paths)) = (lines.of(it.start()).line, found);
        Some(UnreadDirective { name, line, paths, is_relative: false, to: None })
    });
    found.collect()
}

/// Returns true if `it` decides about paths of the site: it does not only change the scheme or the host, name the directory of
/// the site itself, or the page of an error.
fn decides(all: &Configuration<'_>, it: &Directive<'_>) -> bool {
    let location = all.header(it.location).filter(|it| it.word(1) != "/");
    let keeps_path = |target: &str| target.contains("://") && target.ends_with("$request_uri");
    match it.name() {
        "root" | "alias" => location.is_some(),
        "error_page" => it.words.iter().any(|word| word.of_str(it.text).starts_with('=')),
        "return" => !keeps_path(it.last()) && !it.word(1).starts_with('4'),
        "rewrite" => !keeps_path(it.word(2)),
        _ => true,
    }
}

/// The regular expression of the paths for which `it`, which is not read, may send something without a file.
fn paths(all: &Configuration<'_>, it: &Directive<'_>) -> Option<String> {
    // Who names a location sends requests there.
    let location = all.header(it.location);
    if it.is_for_some || location.is_some_and(|it| it.word(1).starts_with('@')) {
        return None;
    }
    let condition = all.header(it.block).filter(|it| it.name() == "if").and_then(condition);
    let of_condition = condition.map(|(is_pattern, span)| match is_pattern {
        true => span.of_str(it.text).to_owned(),
        false => starting_with(span.of_str(it.text).as_bytes()),
    });
    let of_location = location.and_then(paths_of_location);
    let is_name = |word: &Span| word.of_str(it.text).starts_with("$uri.");
    match it.name() {
        "internal" => None,
        "try_files" if !it.last().starts_with(['/', '@']) => {
            // `$uri.html` is for paths without an extension.
            let start = of_location.filter(|it| it.starts_with('^') && !it.ends_with('$'));
            let paths = start.map_or_else(|| NO_EXTENSION.to_owned(), |it| it + "(.*/)?[^/.]+$");
            it.words.iter().any(is_name).then_some(paths)
        }
        "rewrite" if !is_for_all(it.word(1)) => Some(it.word(1).to_owned()),
        _ => Some(of_condition.or(of_location).unwrap_or_default()),
    }
}

/// The regular expression of the paths of a location.
fn paths_of_location(header: &Directive<'_>) -> Option<String> {
    Some(match header.word(1) {
        "=" => starting_with(header.word(2).as_bytes()) + "$",
        "^~" => starting_with(header.word(2).as_bytes()),
        "~" => header.word(2).to_owned(),
        "~*" => format!("(?i){}", header.word(2)),
        path if path.starts_with("=/") => starting_with(path.get(1..)?.as_bytes()) + "$",
        path if path.starts_with('/') => starting_with(path.as_bytes()),
        _ => return None,
    })
}

fn rewrite_status(flag: &str) -> Option<u16> {
    match flag {
        "permanent" => Some(301),
        "redirect" => Some(302),
        _ => None,
    }
}

/// The error about the first block that no brace closes.
fn unclosed(text: &str) -> Option<RuleSyntaxError> {
    let mut open = Vec::new();
    for token in tokens(text) {
        match token.mark {
            Some('{') => open.push(token.span.start),
            Some('}') => drop(open.pop()),
            _ => {}
        }
    }
    open.first()
        .map(|&at| RuleSyntaxError { line: line_of(text, at), message: "no } closes this block" })
}

/// A word, a string without its quotes, or a mark.
struct Token {
    span: Span,
    /// The mark, `;`, `{` or `}`, that ends a directive.
    mark: Option<char>,
}

/// The tokens of a configuration.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return tokens };
        let mark = Some(first).filter(|it| matches!(it, '{' | '}' | ';'));
        let (token, after) = match first {
            '#' => ("", rest.split_once('\n').map_or("", |(_, after)| after)),
            '{' | '}' | ';' | ')' => rest.split_at(1),
            _ => split_word(rest, |c| c.is_ascii_whitespace() || matches!(c, '{' | ';')),
        };
        if !token.is_empty() {
            tokens.extend(Span::within(text, token).map(|span| Token { span, mark }));
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The certain rules, and the paths that unread directives may answer; `-` for none.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let mut sure = Vec::new();
        rules(text, &mut |rule| {
            let rule = rule.ok().filter(|it| !it.is_conditional);
            sure.extend(rule.map(|it| match it.from {
                RuleFrom::Pattern(pattern, _) => pattern,
                from => from.url().map_or_else(String::new, |it| it.text.clone()),
            }));
        });
        let paths = |it: UnreadDirective| {
            format!("{}:{} {}", it.name, it.line, it.paths.unwrap_or_else(|| "-".to_owned()))
        };
        (sure, unread(text).into_iter().map(paths).collect())
    }

    #[test]
    fn rules_hold_where_their_blocks_do() {
        for (text, sure, unread) in [
            ("location = /a { access_log off; return 301 /b; }", &["/a"][..], &[][..]),
            ("add_header X \"y\";\nlocation =/a { return /b; }", &["/a"], &[]),
            ("log_format m 'a' 'b';\nlocation = '/a' { return 301 '/b'; }", &["/a"], &[]),
            ("rewrite ^/a$ /b permanent;\nrewrite ^/c$ /d last;", &["/a"], &["rewrite:2 ^/c$"]),
            ("location = /a { rewrite ^ /b permanent; }", &["/a"], &[]),
            ("location /a/ { rewrite ^ /b permanent; }", &[], &["rewrite:1 ^/a/"]),
            ("location /a/ {\n proxy_pass http://x; }", &[], &["proxy_pass:2 ^/a/"]),
            ("location @n { proxy_pass http://x; }", &[], &["proxy_pass:1 -"]),
            ("location = /a { return 301 /b$is_args$args; }", &[], &["return:1 ^/a$"]),
            (
                "location / { root /srv; index index.html; try_files $uri =404; }",
                &[],
                &["try_files:1 -"],
            ),
            ("try_files $uri $uri.html =404;", &[], &["try_files:1 (^|/)[^/.]+$"]),
            ("if ($uri ~ ^/(a|b)$) { return 301 /c; }", &["^/(a|b)$"], &[]),
            ("if ( $uri ~ ^/a$ ) { rewrite ^ /c permanent; }", &["/a"], &[]),
            ("if ($uri = /a) { return 301 /c; }", &["/a"], &[]),
            ("if ($scheme = http) { rewrite ^ https://e.org/ permanent; }", &[], &["rewrite:1 -"]),
            (
                "upstream u { server 1.1.1.1; server 2.2.2.2; }\nlocation = /a { return 301 /b; }",
                &["/a"],
                &[],
            ),
            (
                "server { server_name w; return 301 https://e$request_uri; }\nserver { rewrite ^/$ /a permanent; rewrite ^/(.*)$ /i last; location = /b { return 301 /c; } }",
                &["/", "/b"],
                &["rewrite:2 "],
            ),
            ("}} location = /a { return 301 /b; ", &["/a"], &[]),
        ] {
            let found = read(text);
            let found: (Vec<&str>, Vec<&str>) = (
                found.0.iter().map(String::as_str).collect(),
                found.1.iter().map(String::as_str).collect(),
            );
            assert_eq!(found, (sure.to_vec(), unread.to_vec()), "{text}");
        }
    }
}
