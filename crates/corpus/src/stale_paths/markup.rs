//! The parts of HTML that may be paths, and that are not references: values of attributes, and of queries.

use rehref_url::Span;

/// The longest string that may be a path, and the longest part of a URL that is read, in bytes.
pub(super) const LONGEST: usize = 1024;

/// Returns the quoted values of the attributes of `html` whose names begin with `start`: scripts read those of
/// `data-`, and those of `on` are scripts.
pub(super) fn attributes<'h>(
    html: &'h [u8],
    start: &'static [u8],
) -> impl Iterator<Item = Span> + 'h {
    memchr::memmem::find_iter(html, start).filter_map(move |at| {
        let before = html.get(at.checked_sub(1)?)?;
        let name = attribute_name(html.get(at..).filter(|_| before.is_ascii_whitespace())?);
        quoted_value(html, at + name.len())
    })
}

/// Returns the quoted values of the attributes of custom elements, but for those that other elements have with the
/// same meaning.
pub(super) fn custom_attributes(html: &[u8]) -> impl Iterator<Item = Span> {
    let is_custom = |at: &usize| {
        let name = attribute_name(html.get(at + 1..).unwrap_or_default());
        name.first().is_some_and(u8::is_ascii_alphabetic) && name.contains(&b'-')
    };
    let is_global = |name: &[u8]| {
        name.starts_with(b"data-")
            || name.starts_with(b"on")
            || [&b"class"[..], b"style"].contains(&name)
    };
    memchr::memchr_iter(b'<', html).filter(is_custom).flat_map(move |tag| {
        let mut at = tag + 1 + attribute_name(html.get(tag + 1..).unwrap_or_default()).len();
        std::iter::from_fn(move || {
            loop {
                let rest = html.get(at..)?;
                at += rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
                let name = attribute_name(html.get(at..)?);
                if name.is_empty() {
                    return None;
                }
                at += name.len();
                if let Some(value) = quoted_value(html, at) {
                    at = value.end + 1;
                    if !is_global(name) {
                        return Some(value);
                    }
                }
            }
        })
    })
}

/// Returns the values in the queries of quoted URLs in `html`, each with the URL before the query.
pub(super) fn query_values(html: &[u8]) -> impl Iterator<Item = (Span, Span)> {
    let is_end = |b: &u8| b.is_ascii_whitespace() || b"\"'<>#".contains(b);
    let mut end = 0;
    memchr::memchr_iter(b'?', html).flat_map(move |at| {
        // A `?` in a query does not begin another one.
        let is_first = at >= end;
        let before = html.get(..at).unwrap_or_default();
        let before = before.get(at.saturating_sub(LONGEST)..).unwrap_or_default();
        let before = before.iter().rev().filter(|_| is_first);
        let length = before.take_while(|b| !is_end(b)).count();
        let rest = html.get(at + 1..).filter(|_| is_first).unwrap_or_default();
        let query = rest.iter().take(LONGEST).take_while(|b| !is_end(b)).count();
        let mut start = at + 1;
        end = end.max(start + query);
        let end = start + query;
        std::iter::from_fn(move || {
            while start < end {
                let part = html.get(start..end)?;
                let length_of_part = memchr::memchr(b'&', part).unwrap_or(part.len());
                let value = memchr::memchr(b'=', part.get(..length_of_part)?);
                let span = value.map(|name| Span::from(start + name + 1..start + length_of_part));
                start += length_of_part + 1;
                if let Some(span) = span {
                    return Some((Span::from(at - length..at), span));
                }
            }
            None
        })
    })
}

/// The name of an element or attribute at the start of `html`.
fn attribute_name(html: &[u8]) -> &[u8] {
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || b"-_.:@".contains(b);
    let length = html.iter().take_while(|b| is_name(b)).count();
    html.get(..length).unwrap_or_default()
}

/// The quoted value of an attribute, whose name ends at `at` of `html`.
fn quoted_value(html: &[u8], at: usize) -> Option<Span> {
    let [b'=', quote @ (b'"' | b'\''), value @ ..] = html.get(at..)? else { return None };
    let start = html.len() - value.len();
    Some(Span::from(start..start + memchr::memchr(*quote, value)?))
}
