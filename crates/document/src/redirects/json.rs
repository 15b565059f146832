//! A JSON list of redirects, as `move` writes it for programs.

use super::escape::RuleEscape;
use super::rule::{FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, line_of};
use crate::json::{NotJson, redirects};

/// Reads an array of objects with the members `from`, `to` and perhaps `status`.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    let redirects = match redirects(text) {
        Ok(redirects) => redirects,
        Err(NotJson::Syntax { at } | NotJson::Shape { at }) => {
            return found(Err(RuleSyntaxError {
                line: line_of(text, at),
                message: "not a JSON list of redirects: an array of objects with from and to",
            }));
        }
    };
    for redirect in redirects {
        let url = |span| RuleUrl::new(text, span, RuleEscape::Quoted);
        found(Ok(RuleText {
            start: redirect.start,
            from: RuleFrom::Exact(url(redirect.from)),
            host: None,
            to: Some(url(redirect.to)),
            status: redirect.status.unwrap_or(301),
            is_forced: false,
        }));
    }
}
