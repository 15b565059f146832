//! Import maps (HTML Standard, section 8.1.5.3, "Import map processing model").

use std::collections::HashMap;

use super::tree::{Node, NotJson, Tree, Value};
use super::url::{Found, JsonRole};
use super::url_like::is_url_like;
use crate::document::Span;

/// "Parse an import map string", "normalize a specifier key" and what these call.
pub(super) fn urls(tree: &Tree) -> Result<Vec<Found>, NotJson> {
    for name in ["imports", "scopes", "integrity"] {
        if let Some((_, node)) = tree.member(0, name) {
            expect_object(node)?;
        }
    }
    if let Some((scopes, _)) = tree.member(0, "scopes") {
        let mut last = HashMap::new();
        for (_, node) in tree.children(scopes) {
            let name = node.key.as_ref().map(|key| tree.decoded(*key));
            last.insert(name, node);
        }
        let wrong = last
            .into_values()
            .filter(|node| expect_object(node).is_err());
        if let Some(node) = wrong.min_by_key(|node| node.span.start) {
            expect_object(node)?;
        }
    }
    let mut found = Vec::new();
    for path in ["imports.*", "scopes.*.*"] {
        for node in nodes(tree, path) {
            found.extend(key(node, JsonRole::SpecifierKey, |key| {
                is_url_like(&tree.decoded(*key))
            }));
            let address = node
                .string()
                .filter(|place| is_url_like(&tree.decoded(*place)));
            found.extend(address.map(|place| Found {
                place,
                role: JsonRole::Address,
            }));
        }
    }
    for node in nodes(tree, "scopes.*") {
        found.extend(key(node, JsonRole::ScopeKey, |_| {
            node.value == Value::Object
        }));
    }
    for node in nodes(tree, "integrity.*") {
        found.extend(key(node, JsonRole::IntegrityKey, |key| {
            node.value == Value::String && is_url_like(&tree.decoded(*key))
        }));
    }
    Ok(found)
}

fn nodes<'t>(tree: &'t Tree, path: &str) -> impl Iterator<Item = &'t Node> {
    tree.at_path(path)
        .into_iter()
        .filter_map(|index| tree.node(index))
}

fn key(node: &Node, role: JsonRole, is_url: impl Fn(&Span) -> bool) -> Option<Found> {
    let place = node.key.filter(is_url)?;
    Some(Found { place, role })
}

fn expect_object(node: &Node) -> Result<(), NotJson> {
    match node.value {
        Value::Object => Ok(()),
        _ => Err(NotJson::Shape {
            at: node.span.start,
        }),
    }
}

#[cfg(test)]
mod tests;
