//! The members of a list of redirects.

use super::tree::{NotJson, Tree, Value};
use rehref_url::Span;

/// A redirect of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonRedirect {
    /// The byte where its object begins.
    pub start: usize,
    /// The old path, without quotes.
    pub from: Span,
    /// The new URL, without quotes.
    pub to: Span,
    pub status: Option<u16>,
}

/// The redirects of `text`, an array of objects. Objects without `from` or `to` are left out.
pub fn redirects(text: &str) -> Result<Vec<JsonRedirect>, NotJson> {
    let tree = Tree::parse(text)?;
    let is_array = tree.node(0).is_some_and(|root| root.value == Value::Array);
    if !is_array {
        return Err(NotJson::Shape { at: 0 });
    }
    let members = tree.children(0).filter_map(|(index, object)| {
        let string = |name| tree.member(index, name)?.1.string();
        let status = tree.member(index, "status");
        Some(JsonRedirect {
            start: object.span.start,
            from: string("from")?,
            to: string("to")?,
            status: status.and_then(|(_, node)| node.span.of_str(text).parse().ok()),
        })
    });
    Ok(members.collect())
}
