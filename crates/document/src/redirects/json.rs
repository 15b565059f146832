//! A JSON list of redirects, as `move` writes it for programs.

use super::escape::RuleEscape;
use super::rule::{RuleFrom, RuleList, RuleSyntaxError, RuleText, RuleUrl, line_of};
use crate::json::{NotJson, redirects};

/// Reads an array of objects with the members `from`, `to` and perhaps `status`.
pub(super) fn rules(text: &str) -> RuleList {
    let mut list = RuleList::default();
    let found = match redirects(text) {
        Ok(found) => found,
        Err(NotJson::Syntax { at } | NotJson::Shape { at }) => {
            list.errors.push(RuleSyntaxError {
                line: line_of(text, at),
                message: "not a JSON list of redirects: an array of objects with from and to",
            });
            return list;
        }
    };
    for found in found {
        let url = |span| RuleUrl::new(text, span, RuleEscape::Quoted);
        list.rules.push(RuleText {
            start: found.start,
            from: RuleFrom::Exact(url(found.from)),
            host: None,
            to: Some(url(found.to)),
            status: found.status.unwrap_or(301),
            is_forced: false,
        });
    }
    list
}
