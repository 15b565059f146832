//! A JSON list of redirects, as `move` writes it for programs.

use super::escape::RuleEscape;
use super::rule::{FoundRules, RuleFrom, RuleSyntaxError, RuleText, RuleUrl, line_of};
use crate::json::{NotJson, Tree, Value};

/// Reads an array of objects with the members `from`, `to` and perhaps `status`. Objects without `from` or `to`
/// are ignored.
pub(super) fn rules(text: &str, found: FoundRules<'_>) {
    let tree = Tree::parse(text).and_then(|tree| match tree.node(0) {
        Some(root) if root.value == Value::Array => Ok(tree),
        _ => Err(NotJson::Shape { at: 0 }),
    });
    let tree = match tree {
        Ok(tree) => tree,
        Err(NotJson::Syntax { at } | NotJson::Shape { at }) => {
            return found(Err(RuleSyntaxError {
                line: line_of(text, at),
                message: "not a JSON list of redirects: an array of objects with from and to",
            }));
        }
    };
    for (index, object) in tree.children(0) {
        let url = |name| {
            let string = tree.member(index, name)?.1.string()?;
            Some(RuleUrl::new(text, string, RuleEscape::Quoted))
        };
        let (Some(from), Some(to)) = (url("from"), url("to")) else { continue };
        let status = tree.member(index, "status");
        let status = status.and_then(|(_, node)| node.span.of_str(text).parse().ok());
        found(Ok(RuleText {
            start: object.span.start,
            from: RuleFrom::Exact(from),
            host: None,
            to: Some(to),
            status: status.unwrap_or(301),
            is_conditional: false,
            is_forced: false,
        }));
    }
}
