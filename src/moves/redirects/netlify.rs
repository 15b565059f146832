//! `_redirects` files, which Netlify, Cloudflare Pages and others read.

use super::escape::push_escaped;
use super::redirect::{Redirect, RuleSyntaxError, STATUS, UnsupportedReason};
use crate::site::{PathSegment, RedirectRule, normalized_path};

/// Netlify advises against longer lists: a deploy might fail.
pub(super) const ADVISED_RULES: usize = 10_000;

/// Characters with a meaning of their own: `*` matches the rest of a path, `:name` one segment.
const WILDCARDS: [(u8, &str); 2] = [(b'*', "%2A"), (b':', "%3A")];

/// Writes a redirect as a line, without its end.
pub(super) fn rule(redirect: &Redirect) -> Result<Vec<u8>, UnsupportedReason> {
    let from = redirect.from.path();
    if from.starts_with("/.netlify") {
        return Err(UnsupportedReason::Reserved);
    }
    let to = redirect.new_url();
    let mut line = Vec::new();
    push_escaped(&mut line, from.as_bytes(), &WILDCARDS);
    line.push(b' ');
    line.extend_from_slice(to.origin.as_bytes());
    for part in [to.path, to.query_and_fragment] {
        push_escaped(&mut line, part.as_bytes(), &WILDCARDS);
    }
    line.extend_from_slice(format!(" {STATUS}").as_bytes());
    Ok(line)
}

/// Reads the rules of a file: one per line, `/from [query conditions] /to [status]`. `*` at the end
/// of `/from` matches the rest of the path, `:name` one segment; `/to` uses them as `:splat` and
/// `:name`. Conditions after the status (country, language) are ignored.
///
/// # Errors
/// At the first line that is not a rule.
pub(super) fn parse(text: &str) -> Result<Vec<RedirectRule>, RuleSyntaxError> {
    let mut rules = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split(" #").next().unwrap_or(line).trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let error = |message| RuleSyntaxError {
            line: number + 1,
            message,
        };
        let mut fields = line.split_ascii_whitespace();
        let from = fields.next().unwrap_or_default();
        let is_query_condition =
            |field: &&str| !field.starts_with('/') && field.contains('=') && !field.contains(':');
        let mut fields = fields.skip_while(is_query_condition);
        let Some(to) = fields.next() else {
            return Err(error("a rule has two parts: the path and its target"));
        };
        let Some((host, path)) = split_host(from) else {
            return Err(error("a rule begins with the path that it matches: /old"));
        };
        let status = fields.next().unwrap_or_default();
        rules.push(RedirectRule {
            host: host.map(str::to_ascii_lowercase),
            from: path.split('/').map(segment).collect(),
            to: to.to_owned(),
            is_forced: status.ends_with('!'),
            is_error: status.starts_with('4'),
        });
    }
    Ok(rules)
}

/// Splits the old path or URL of a rule into its host, if it has one, and the path without the
/// slash at its start.
fn split_host(from: &str) -> Option<(Option<&str>, &str)> {
    let (host, path) = match from.split_once("://") {
        Some((_, rest)) => {
            let (host, path) = rest.split_at(rest.find('/')?);
            (Some(host), path)
        }
        None => (None, from),
    };
    Some((host, path.strip_prefix('/')?))
}

fn segment(text: &str) -> PathSegment {
    match text.strip_prefix(':') {
        Some(name) if !name.is_empty() => PathSegment::Named(name.to_owned()),
        _ if text == "*" => PathSegment::Rest,
        _ => PathSegment::Literal(normalized_path(text).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::RedirectTarget;

    #[test]
    fn the_first_matching_rule_redirects() {
        let rules = parse(
            "# old names\n/old /new.html 301\n/blog/* /news/:splat\n/:year/:y/x  /a/:year/:y # no\n\n\
             /away https://elsewhere/ 302\n/q id=:id /found/:id 301\n/f /g 200!\n\
             https://H/named /x\n/gone/* /404.html 404\n",
        )
        .unwrap();
        let path = |path: &str| Some(RedirectTarget::Path(path.to_owned()));
        for (from, expected) in [
            ("old", path("new.html")),
            ("old/", path("new.html")),
            ("old/x", None),
            ("blog/a/b", path("news/a/b")),
            ("blog/", path("news/")),
            // The server ignores a trailing slash.
            ("blog", path("news/")),
            ("2024/5/x", path("a/2024/5")),
            ("away", Some(RedirectTarget::External)),
            ("f", path("g")),
            ("named", path("x")),
            ("gone/x", Some(RedirectTarget::Error)),
            ("nothing", None),
        ] {
            let found = rules.iter().find_map(|rule| rule.target(from));
            assert_eq!(found, expected, "{from}");
        }
        assert_eq!(rules.iter().filter(|rule| rule.is_forced).count(), 1);
        let for_others = rules.iter().filter(|rule| !rule.is_for("x:80")).count();
        assert_eq!(
            (for_others, rules.iter().all(|rule| rule.is_for("h"))),
            (1, true)
        );
    }

    #[test]
    fn an_error_has_the_line_that_is_not_a_rule() {
        for (text, line) in [("/a\n", 1), ("/a /b\n\nx /y\n", 3)] {
            assert_eq!(parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
