//! Reads redirect rules as a server applies them.

use std::sync::Arc;

use crate::{
    PathPattern, PathSegment, PatternBudget, PatternError, RedirectRule, RulePaths, RulePlace,
    normalized_path,
};
use rehref_document::Positions;
use rehref_document::redirects::{RedirectSyntax, RuleFrom, RuleSyntaxError, UnreadDirective};

/// The rules in a file, in the form in which a server applies them.
#[derive(Clone, Debug, Default)]
pub struct ServerRules {
    pub rules: Vec<RedirectRule>,
    /// The malformed lines.
    pub errors: Vec<RuleSyntaxError>,
    /// The rules whose regular expression cannot be used, with their lines, from 1.
    pub unreadable: Vec<(usize, PatternError)>,
    /// The directives that decide which file the server sends, and that are not read.
    pub unread: Vec<UnreadDirective>,
}

/// Reads the rules of `text`, the content of the file `name`. `patterns` is the budget of all files.
pub fn read(
    syntax: RedirectSyntax,
    name: &str,
    text: &str,
    patterns: &mut PatternBudget,
) -> ServerRules {
    let file: Arc<str> = name.into();
    let mut positions = Positions::new(text.as_bytes());
    let mut read = ServerRules::default();
    syntax.rules(text, &mut |rule| {
        let rule = match rule {
            Ok(rule) => rule,
            Err(error) => return read.errors.push(error),
        };
        // The target is what findings are about.
        let at = positions.of(rule.to.as_ref().map_or(rule.start, |to| to.span.start));
        let from = match paths(rule.from, patterns) {
            Ok(from) => from,
            Err(error) => {
                read.unreadable.push((at.line, error));
                return;
            }
        };
        read.rules.push(RedirectRule {
            place: RulePlace { file: Arc::clone(&file), line: at.line, column: at.column },
            host: rule.host,
            below: String::new(),
            from,
            to: rule.to.map(|to| to.text).unwrap_or_default(),
            own_origin: 0,
            is_forced: rule.is_forced,
            catches_index: matches!(syntax, RedirectSyntax::Apache | RedirectSyntax::Nginx),
            is_conditional: rule.is_conditional,
            status: rule.status,
        });
    });
    read.unread = syntax.unread(text);
    read
}

fn paths(from: RuleFrom, patterns: &mut PatternBudget) -> Result<RulePaths, PatternError> {
    let path = |text: &str| {
        let text = text.strip_prefix('/').unwrap_or(text);
        normalized_path(text).into_owned()
    };
    Ok(match from {
        RuleFrom::Wildcards(url) => {
            let path = match url.text.split_once("://") {
                Some((_, rest)) => rest.split_once('/').map_or("", |(_, path)| path),
                None => url.text.strip_prefix('/').unwrap_or(&url.text),
            };
            RulePaths::Segments(path.split('/').map(segment).collect())
        }
        RuleFrom::Exact(url) => RulePaths::Exact(path(&url.text)),
        RuleFrom::Prefix(url) => RulePaths::Prefix(path(&url.text)),
        RuleFrom::Pattern(pattern, _) => RulePaths::Pattern(PathPattern::new(&pattern, patterns)?),
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
    use crate::RedirectTarget;

    fn read_as(syntax: RedirectSyntax, name: &str, text: &str) -> ServerRules {
        read(syntax, name, text, &mut PatternBudget::default())
    }

    fn parse(text: &str) -> (Vec<RedirectRule>, Vec<RuleSyntaxError>) {
        let read = read_as(RedirectSyntax::Netlify, "_redirects", text);
        (read.rules, read.errors)
    }

    #[test]
    fn the_first_matching_rule_redirects() {
        let rules = parse(
            "# old names\n/old /new.html 301\n/blog/* /news/:splat\n/:year/:y/x  /a/:year/:y # no\n\n\
             /away https://elsewhere/ 302\n/q id=:id /found/:id 301\n/f /g 200!\n\
             https://H/named /x\n/gone/* /404.html 404\n\
             /folder/ /g\n/slash/ /slash\n/i/:b/ /h/:b\n",
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
            ("folder", path("g")),
            ("folder/", path("g")),
            ("slash", None),
            ("i/j", path("h/j")),
            ("nothing", None),
        ] {
            let found = rules.iter().find_map(|rule| rule.target(from));
            assert_eq!(found, expected, "{from}");
        }
        assert_eq!(rules.iter().filter(|rule| rule.is_forced).count(), 1);
        let for_others = rules.iter().filter(|rule| !rule.is_for("x:80")).count();
        assert_eq!((for_others, rules.iter().all(|rule| rule.is_for("h"))), (1, true));
    }

    #[test]
    fn regular_expressions_match_bytes() {
        let read = read_as(
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
            let found = read.rules.iter().find_map(|rule| rule.target(from));
            assert_eq!(found, expected, "{from}");
        }
    }

    #[test]
    fn a_regular_expression_that_cannot_be_used_has_its_line_and_a_reason() {
        for (pattern, expected) in [
            (r"^/(\w{1,60})/(\d{4})/(\d\d)/(.*)\.(html?|php)$", None),
            ("^/[\u{e4}\u{f6}]/(\\w+)$", None),
            ("^/(.{999}){99}$", Some(PatternError::TooLarge)),
            ("^/(?!en/)(.*)$", Some(PatternError::Syntax)),
            (r"^/(.)\1$", Some(PatternError::Syntax)),
            ("^/(", Some(PatternError::Syntax)),
        ] {
            let text = format!("# x\nRedirectMatch {pattern} /x\n");
            let read = read_as(RedirectSyntax::Apache, ".htaccess", &text);
            let expected: Vec<_> = expected.map(|error| (2, error)).into_iter().collect();
            assert_eq!(read.unreadable, expected, "{pattern}");
            assert_eq!(read.rules.len(), 1 - expected.len(), "{pattern}");
        }
    }

    #[test]
    fn regular_expressions_are_limited() {
        let rules = |count: usize, pattern: fn(usize) -> String| {
            let rule = |at| format!("RedirectMatch {} /x\n", pattern(at));
            let text: String = (0..count).map(rule).collect();
            let read = read_as(RedirectSyntax::Apache, ".htaccess", &text);
            let first = read.unreadable.first().copied();
            (read.rules.len(), read.unreadable.len(), first)
        };
        let too_many = |line| Some((line, PatternError::TooMany));
        let of_folder = |at: usize| format!("^/x{at}/(.*)$");
        assert_eq!(rules(4002, of_folder), (4000, 2, too_many(4001)));
        let of_none = |at: usize| format!("x{at}$");
        assert_eq!(rules(252, of_none), (250, 2, too_many(251)));
        let of_one = |at: usize| format!("^/x/{at}(.*)$");
        assert_eq!(rules(251, of_one), (250, 1, too_many(251)));
        // Large ones take the room of many.
        let large = |at: usize| format!("^/x{at}/[a-z]{{900}}$");
        assert_eq!(rules(126, large), (125, 1, too_many(126)));
    }

    #[test]
    fn an_error_has_the_line_that_is_not_a_rule() {
        for (text, line) in [("/a\n", 1), ("/a /b\n\nx /y\n", 3)] {
            assert_eq!(parse(text).1[0].line, line, "{text}");
        }
    }
}
