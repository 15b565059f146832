//! Reads redirect rules as a server applies them.

use std::sync::Arc;

use crate::document::Positions;
use crate::document::redirects::{RedirectSyntax, RuleFrom, RuleSyntaxError};
use crate::site::{PathPattern, PathSegment, RedirectRule, RulePaths, RulePlace, normalized_path};

/// The rules of `text`, the content of the file `name`, and the lines that are not rules. Regular
/// expressions that rehref cannot read match nothing.
pub fn read(
    syntax: RedirectSyntax,
    name: &str,
    text: &str,
) -> (Vec<RedirectRule>, Vec<RuleSyntaxError>) {
    let list = syntax.rules(text);
    let file: Arc<str> = name.into();
    let mut positions = Positions::new(text.as_bytes());
    let rules = list.rules.into_iter().filter_map(|rule| {
        // The target is what findings are about.
        let at = positions.of(rule.to.as_ref().map_or(rule.start, |to| to.span.start));
        Some(RedirectRule {
            place: RulePlace {
                file: Arc::clone(&file),
                line: at.line,
                column: at.column,
            },
            host: rule.host,
            from: paths(rule.from)?,
            to: rule.to.map(|to| to.text).unwrap_or_default(),
            is_forced: rule.is_forced,
            status: rule.status,
        })
    });
    (rules.collect(), list.errors)
}

fn paths(from: RuleFrom) -> Option<RulePaths> {
    let path = |text: &str| {
        let text = text.strip_prefix('/').unwrap_or(text);
        normalized_path(text).into_owned()
    };
    Some(match from {
        RuleFrom::Wildcards(url) => {
            let path = match url.text.split_once("://") {
                Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
                None => url.text.strip_prefix('/').unwrap_or(&url.text),
            };
            RulePaths::Segments(path.split('/').map(segment).collect())
        }
        RuleFrom::Exact(url) => RulePaths::Exact(path(&url.text)),
        RuleFrom::Prefix(url) => RulePaths::Prefix(path(&url.text)),
        RuleFrom::Pattern(pattern, _) => RulePaths::Pattern(PathPattern::new(&pattern)?),
    })
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

    fn parse(text: &str) -> (Vec<RedirectRule>, Vec<RuleSyntaxError>) {
        read(RedirectSyntax::Netlify, "_redirects", text)
    }

    #[test]
    fn the_first_matching_rule_redirects() {
        let rules = parse(
            "# old names\n/old /new.html 301\n/blog/* /news/:splat\n/:year/:y/x  /a/:year/:y # no\n\n\
             /away https://elsewhere/ 302\n/q id=:id /found/:id 301\n/f /g 200!\n\
             https://H/named /x\n/gone/* /404.html 404\n",
        )
        .0;
        let path = |path: &str| Some(RedirectTarget::Path(path.to_owned()));
        for (from, expected) in [
            ("old", path("new.html")),
            ("old/", path("new.html")),
            ("old/x", None),
            ("blog/a/b", path("news/a/b")),
            ("blog/", path("news/")),
            // A slash at the end is ignored.
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
    fn regular_expressions_match_bytes() {
        let (rules, _) = read(
            RedirectSyntax::Apache,
            ".htaccess",
            "RedirectMatch ^/(.)(.)$ /two/$2\nRedirectMatch ^/[\u{e4}\u{f6}]/(.*)$ /umlaut/$1\n\
             RedirectMatch ^/\u{fc}/(.*)$ /literal/$1\n",
        );
        let path = |path: &str| Some(RedirectTarget::Path(path.to_owned()));
        for (from, expected) in [
            ("ab", path("two/b")),
            // One letter of two bytes.
            ("%C3%A4", path("two/\u{fffd}")),
            ("%C3%A4/%C3%B6", path("umlaut/\u{f6}")),
            ("%C3%BC/x", path("literal/x")),
            ("abc", None),
        ] {
            let found = rules.iter().find_map(|rule| rule.target(from));
            assert_eq!(found, expected, "{from}");
        }
    }

    #[test]
    fn a_regular_expression_takes_little_memory() {
        let rules = |pattern: &str| {
            let text = format!("RedirectMatch {pattern} /x\n");
            read(RedirectSyntax::Apache, ".htaccess", &text).0.len()
        };
        assert_eq!(rules(r"^/(\w{1,60})/(\d{4})/(\d\d)/(.*)\.(html?|php)$"), 1);
        assert_eq!(rules("^/(.{999}){99}$"), 0);
    }

    #[test]
    fn an_error_has_the_line_that_is_not_a_rule() {
        for (text, line) in [("/a\n", 1), ("/a /b\n\nx /y\n", 3)] {
            assert_eq!(parse(text).1[0].line, line, "{text}");
        }
    }
}
