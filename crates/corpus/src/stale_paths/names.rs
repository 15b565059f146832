//! Names without a path that may stand for documents: in the search index of Sphinx, in the configuration of Docusaurus, in
//! attributes.

use super::markup::LONGEST;
use rehref_url::Span;

/// The pages at the root of a site in its `searchindex.js`, by which the search of Sphinx links to them: names without an
/// extension.
pub(super) fn names_of_pages(script: &[u8]) -> impl Iterator<Item = Span> {
    const KEY: &[u8] = b"docnames";
    let is_index = script.starts_with(b"Search.setIndex({");
    let key = is_index.then(|| memchr::memmem::find(script, KEY)).flatten();
    let start = key.map_or(script.len(), |key| key + KEY.len());
    let list = script.get(start..).unwrap_or_default().split(|b| *b == b']').next();
    // Every second part is between quotes.
    let mut end = start;
    let parts = list.unwrap_or_default().split(|b| *b == b'"').map(move |part| {
        let span = Span::from(end..end + part.len());
        end = span.end + 1;
        span
    });
    let key_ends_with_quote = usize::from(script.get(start) == Some(&b'"'));
    parts.skip(1 + key_ends_with_quote).step_by(2).filter(|span| is_name(span.of(script)))
}

/// The ids of documents in the root directory of documents that the configuration of Docusaurus names: `docId: 'a'`.
pub(super) fn ids_of_documents(script: &[u8]) -> impl Iterator<Item = Span> {
    const KEY: &[u8] = b"docId";
    memchr::memmem::find_iter(script, KEY).filter_map(|key| {
        let rest = script.get(key + KEY.len()..)?;
        let at = rest.iter().position(|b| !matches!(b, b'"' | b'\'' | b':' | b' '))?;
        let length = rest.get(at..)?.iter().position(|b| matches!(b, b'"' | b'\''))?;
        let span = Span::from(at..at + length).shifted(key + KEY.len());
        is_name(span.of(script)).then_some(span)
    })
}

pub(super) fn is_name(value: &[u8]) -> bool {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"-_.".contains(b) || !b.is_ascii();
    !value.is_empty() && value.len() <= LONGEST && value.iter().all(is_part)
}
