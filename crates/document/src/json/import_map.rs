//! Import maps (HTML Standard, section 8.1.5.3, "Import map processing model").

use std::collections::HashMap;

use super::tree::{Node, NotJson, Tree, Value};
use super::url::{Found, JsonRole};
use super::url_like::is_url_like;
use rehref_url::Span;

/// "Parse an import map string", "normalize a specifier key", and the algorithms that they call.
pub(super) fn urls(tree: &Tree) -> Result<Vec<Found>, NotJson> {
    for name in ["imports", "scopes", "integrity"] {
        if let Some((_, node)) = tree.member(0, name) {
            expect_object(node)?;
        }
    }
    if let Some((scopes, _)) = tree.member(0, "scopes") {
        let mut last = HashMap::new();
        for (_, node) in tree.children(scopes) {
            last.insert(node.key.map(|key| tree.decoded(key)), node);
        }
        let mut last: Vec<&Node> = last.into_values().collect();
        last.sort_by_key(|node| node.span.start);
        last.into_iter().try_for_each(expect_object)?;
    }
    let is_url_like = |place: &Span| is_url_like(&tree.decoded(*place));
    let mut found = Vec::new();
    for path in ["imports.*", "scopes.*.*"] {
        for node in tree.at_path(path) {
            let places = node.key.into_iter().chain(node.string());
            found.extend(places.filter(is_url_like).map(url_like));
        }
    }
    let scopes = tree.at_path("scopes.*").into_iter();
    let scopes = scopes.filter(|node| node.value == Value::Object);
    found.extend(scopes.filter_map(|node| Some((node.key?, JsonRole::Prefix))));
    for node in tree.at_path("integrity.*") {
        if let (Some(key), Some(digests)) = (node.key.filter(is_url_like), node.string()) {
            found.push(url_like(key));
            found.push((digests, JsonRole::Integrity { key }));
        }
    }
    Ok(found)
}

fn url_like(place: Span) -> Found {
    (place, JsonRole::UrlLike)
}

fn expect_object(node: &Node) -> Result<(), NotJson> {
    match node.value {
        Value::Object => Ok(()),
        _ => Err(NotJson::Shape { at: node.span.start }),
    }
}

#[cfg(test)]
mod tests;
