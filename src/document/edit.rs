//! Edits and their application: the only way in which a document changes.

use std::ops::Range;

use super::Span;
use super::html::{AttributeValue, Quote};

/// A span of the source and the bytes that replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that go.
    pub span: Span,
    /// The bytes that come, in the document's charset.
    pub replacement: Vec<u8>,
}

/// Applies `edits`, sorted by span and not overlapping, to `source` in one pass. All bytes outside
/// the spans come out as they are.
///
/// An edit that overlaps the one before it or lies outside the source is a mistake of the caller;
/// it is left out rather than allowed to damage what is around it.
pub fn splice(source: &[u8], edits: &[Edit]) -> Vec<u8> {
    let grown: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
    let mut result = Vec::with_capacity(source.len() + grown);
    let mut done = 0;
    for edit in edits {
        debug_assert!(done <= edit.span.start && edit.span.end <= source.len());
        let Some(untouched) = source.get(done..edit.span.start) else {
            continue;
        };
        if edit.span.end < edit.span.start || edit.span.end > source.len() {
            continue;
        }
        result.extend_from_slice(untouched);
        result.extend_from_slice(&edit.replacement);
        done = edit.span.end;
    }
    result.extend_from_slice(source.get(done..).unwrap_or_default());
    result
}

/// The edits of the source that make `changes` to an attribute value: byte ranges of its decoded
/// text, in order, with the characters that replace them, which must be ASCII.
///
/// All of the value that is not in a range keeps its bytes. What comes in is escaped for where it
/// stands; an unquoted value that now needs quotes gets them.
pub fn edits_of_value(
    source: &[u8],
    value: &AttributeValue,
    changes: &[(Range<usize>, &str)],
) -> Vec<Edit> {
    let place = |range: &Range<usize>| {
        let range = value.text.source_range(range.clone());
        Span {
            start: value.span.start + range.start,
            end: value.span.start + range.end,
        }
    };
    let needs_quotes = match value.quote {
        Quote::Double | Quote::Single => false,
        Quote::NoValue => true,
        Quote::Unquoted => changes
            .iter()
            .any(|(_, with)| with.bytes().any(|b| UNQUOTED_FORBIDDEN.contains(&b))),
    };
    let quote = match value.quote {
        Quote::Single => b'\'',
        _ => b'"',
    };
    if changes.is_empty() {
        return Vec::new();
    }
    let raw = source
        .get(value.span.start..value.span.end)
        .unwrap_or_default();
    let edits: Vec<Edit> = changes
        .iter()
        .map(|(range, with)| {
            let mut replacement = escape(with, quote);
            if value.text.is_after_open_reference(raw, range.start) {
                replacement.insert(0, b';');
            }
            Edit {
                span: place(range),
                replacement,
            }
        })
        .collect();
    if !needs_quotes {
        return edits;
    }
    let mut replacement = Vec::new();
    if value.quote == Quote::NoValue {
        replacement.push(b'=');
    }
    replacement.push(quote);
    let mut kept_from = value.span.start;
    for edit in &edits {
        let kept = source.get(kept_from..edit.span.start).unwrap_or_default();
        replacement.extend(escape_quote(kept, quote));
        replacement.extend_from_slice(&edit.replacement);
        kept_from = edit.span.end;
    }
    let kept = source.get(kept_from..value.span.end).unwrap_or_default();
    replacement.extend(escape_quote(kept, quote));
    replacement.push(quote);
    vec![Edit {
        span: value.span,
        replacement,
    }]
}

/// What an unquoted attribute value must not hold (HTML Standard section 13.1.2.3).
const UNQUOTED_FORBIDDEN: &[u8] = b"\t\n\x0C\r \"'=<>`";

/// `text` as it stands in an attribute value between `quote`s.
fn escape(text: &str, quote: u8) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(text.len());
    for b in text.bytes() {
        if b == b'&' {
            escaped.extend_from_slice(b"&amp;");
        } else {
            escape_quote_byte(b, quote, &mut escaped);
        }
    }
    escaped
}

/// Source bytes that come to stand between quotes: character references stay what they are.
fn escape_quote(source: &[u8], quote: u8) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(source.len());
    for &b in source {
        escape_quote_byte(b, quote, &mut escaped);
    }
    escaped
}

fn escape_quote_byte(b: u8, quote: u8, escaped: &mut Vec<u8>) {
    match b {
        b'"' if quote == b'"' => escaped.extend_from_slice(b"&quot;"),
        b'\'' if quote == b'\'' => escaped.extend_from_slice(b"&#39;"),
        _ => escaped.push(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_replace_insert_and_delete() {
        let edit = |start, end, with: &str| Edit {
            span: Span { start, end },
            replacement: with.into(),
        };
        assert_eq!(splice(b"abcdef", &[]), b"abcdef");
        assert_eq!(
            splice(
                b"abcdef",
                &[
                    edit(0, 0, "<"),
                    edit(1, 3, "XYZ"),
                    edit(4, 5, ""),
                    edit(6, 6, ">")
                ]
            ),
            b"<aXYZdf>"
        );
    }
}
