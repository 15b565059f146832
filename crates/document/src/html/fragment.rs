//! Pieces of documents: conditional comments, the content of feeds.

use std::iter;

use super::raw::{RawDocument, TooComplex};
use super::scanner::scan_tag;

/// The tags to put before a fragment that begins with one of the first tags, which the tree builder
/// would ignore otherwise (HTML Standard section 13.2.6.4, the insertion modes of tables and
/// framesets).
#[rustfmt::skip]
const CONTEXTS: &[(&[&str], &str)] = &[
    (&["td", "th"], "<table><tbody><tr>"),
    (&["tr"], "<table><tbody>"),
    (&["caption", "colgroup", "tbody", "tfoot", "thead"], "<table>"),
    (&["col"], "<table><colgroup>"),
    (&["frame", "frameset"], "<frameset>"),
];

/// Calls `find` on a piece of a document that may begin in a table or a frameset. The spans of the
/// result count in `fragment`.
///
/// # Errors
/// Returns an error if `find` fails.
pub(super) fn find_values(
    fragment: &[u8],
    find: impl FnOnce(&[u8]) -> Result<RawDocument, TooComplex>,
) -> Result<RawDocument, TooComplex> {
    let context = first_tag(fragment)
        .and_then(|tag| CONTEXTS.iter().find(|(tags, _)| tags.contains(&&*tag)))
        .map_or("", |(_, context)| context);
    if context.is_empty() {
        return find(fragment);
    }
    let mut raw = find(&[context.as_bytes(), fragment].concat())?;
    let values = raw.values.iter_mut();
    let values = values.flat_map(|value| iter::once(&mut value.span).chain(&mut value.beside));
    let contents = raw.contents.iter_mut().map(|content| &mut content.span);
    let metadata = &mut raw.metadata;
    let ignored = metadata.ignored.iter_mut().map(|ignored| &mut ignored.span);
    let anchors = metadata.ids.iter_mut().chain(&mut metadata.names).chain(&mut metadata.maps);
    let spans = values.chain(contents).chain(&mut raw.comments);
    for span in spans.chain(anchors).chain(ignored) {
        span.start -= context.len();
        span.end -= context.len();
    }
    for at in metadata.without_url.iter_mut().chain(&mut metadata.unclosed_quote) {
        *at -= context.len();
    }
    Ok(raw)
}

/// The name of the first start tag, in lower case.
fn first_tag(fragment: &[u8]) -> Option<String> {
    let mut tags = memchr::memchr_iter(b'<', fragment).filter_map(|at| scan_tag(fragment, at));
    let tag = tags.find(|tag| !tag.is_end)?;
    Some(String::from_utf8_lossy(tag.name.span().of(fragment)).to_ascii_lowercase())
}
