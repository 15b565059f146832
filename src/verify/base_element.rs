//! `base` elements: their `href` may be added, removed and changed, because the targets of references
//! show its effect.

use crate::document::{Document, Reference, Span};

/// A `base` element with an `href`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BaseTag {
    /// The container whose text holds the element; `None` for the working bytes. All spans count in
    /// that text.
    pub(super) level: Option<usize>,
    /// The whole element.
    pub(super) element: Span,
    /// The attribute and the white space before it.
    pub(super) attribute: Span,
    /// True if the element has no other attribute.
    pub(super) is_bare: bool,
}

/// The `base` element whose `href` is `reference`.
pub(super) fn tag_of(document: &Document<'_>, reference: &Reference) -> Option<BaseTag> {
    let container = document.container_of(reference)?;
    let source = match container.parent {
        None => document.working_bytes(),
        Some(parent) => document.containers.get(parent)?.text.as_str().as_bytes(),
    };
    let value = container.span;
    let before = source.get(..value.start)?;
    let found = memchr::memrchr_iter(b'<', before)
        .take(CANDIDATES)
        .find_map(|start| tag_at(source, start, value));
    let whole_value = || BaseTag {
        level: None,
        element: value,
        attribute: value,
        is_bare: false,
    };
    Some(BaseTag {
        level: container.parent,
        ..found.unwrap_or_else(whole_value)
    })
}

/// The number of `<` before the `href`, going backwards, that are tried as the start of its tag.
const CANDIDATES: usize = 64;

/// The `base` tag that begins at `start`, if `value` is the value of one of its attributes.
fn tag_at(source: &[u8], start: usize, value: Span) -> Option<BaseTag> {
    let byte = |at: usize| source.get(at).copied();
    let skip = |from: usize, wanted: fn(u8) -> bool| {
        let rest = source.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|&&b| wanted(b)).count()
    };
    let name_end = skip(start + 1, |b| !ends_name(b));
    let name = source.get(start + 1..name_end)?;
    let local = name.rsplit(|&b| b == b':').next()?;
    if !local.eq_ignore_ascii_case(b"base") {
        return None;
    }
    let mut at = name_end;
    let mut attribute = None;
    let mut count = 0;
    loop {
        let before_name = at;
        at = skip(at, |b| b.is_ascii_whitespace() || b == b'/');
        match byte(at)? {
            b'>' => break,
            _ => at = skip(at + 1, |b| !ends_name(b) && b != b'='),
        }
        let mut found = Span::at(at);
        let equals = skip(at, |b| b.is_ascii_whitespace());
        if byte(equals)? == b'=' {
            let from = skip(equals + 1, |b| b.is_ascii_whitespace());
            (found, at) = match byte(from)? {
                quote @ (b'"' | b'\'') => {
                    let length = memchr::memchr(quote, source.get(from + 1..)?)?;
                    (Span::from(from + 1..from + 1 + length), from + 2 + length)
                }
                _ => {
                    let end = skip(from, |b| !b.is_ascii_whitespace() && b != b'>');
                    (Span::from(from..end), end)
                }
            };
        }
        count += 1;
        if found == value {
            attribute = Some(Span::from(before_name..at));
        }
    }
    at += 1;
    let rest = source.get(at..).unwrap_or_default();
    Some(BaseTag {
        level: None,
        element: Span::from(start..at + end_tag(rest, name)),
        attribute: attribute?,
        is_bare: count == 1,
    })
}

fn ends_name(b: u8) -> bool {
    b.is_ascii_whitespace() || matches!(b, b'/' | b'>')
}

/// The length of the end tag of `name` that `rest` begins with; 0 without one.
fn end_tag(rest: &[u8], name: &[u8]) -> usize {
    let after_name = rest
        .strip_prefix(b"</")
        .and_then(|rest| rest.split_at_checked(name.len()))
        .filter(|(found, _)| found.eq_ignore_ascii_case(name));
    let Some((_, after)) = after_name else {
        return 0;
    };
    let spaces = after.iter().take_while(|b| b.is_ascii_whitespace()).count();
    if after.get(spaces) == Some(&b'>') {
        2 + name.len() + spaces + 1
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{DocumentKind, ParseOptions};

    fn tag(source: &str, kind: DocumentKind) -> (String, String, bool) {
        let options = ParseOptions {
            kind,
            ..ParseOptions::default()
        };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        let reference = &document.references[0];
        assert!(document.is_base_element(reference));
        let tag = tag_of(&document, reference).unwrap();
        let text = |range: Span| range.of_str(source).to_owned();
        (text(tag.element), text(tag.attribute), tag.is_bare)
    }

    #[test]
    fn a_tag_is_found_by_its_href() {
        let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head>";
        let h = "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head>";
        for (before, element, after, attribute, is_bare, kind) in [
            (
                "<p>",
                "<base href=x>",
                "y",
                " href=x",
                true,
                DocumentKind::Html,
            ),
            (
                "",
                "<BASE HREF='x>y' >",
                "",
                " HREF='x>y'",
                true,
                DocumentKind::Html,
            ),
            (
                "",
                "<base\nhref = \"x\"/>",
                "",
                "\nhref = \"x\"",
                true,
                DocumentKind::Html,
            ),
            ("", "<base href>", "", " href", true, DocumentKind::Html),
            (
                "",
                "<base href=x target=_top>",
                "",
                " href=x",
                false,
                DocumentKind::Html,
            ),
            (
                "",
                "<base title='<base href=x>' href=x>",
                "",
                " href=x",
                false,
                DocumentKind::Html,
            ),
            (
                xhtml,
                "<base href='x'/>",
                "</head></html>",
                " href='x'",
                true,
                DocumentKind::Xhtml,
            ),
            (
                xhtml,
                "<base href='x'></base >",
                "</head></html>",
                " href='x'",
                true,
                DocumentKind::Xhtml,
            ),
            (
                h,
                "<h:base href='x'/>",
                "</h:head></h:html>",
                " href='x'",
                true,
                DocumentKind::Xhtml,
            ),
        ] {
            let found = tag(&format!("{before}{element}{after}"), kind);
            let expected = (element.to_owned(), attribute.to_owned(), is_bare);
            assert_eq!(found, expected);
        }
    }
}
