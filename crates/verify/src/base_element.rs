//! `base` elements: the `href` of one that gives the base URL may be respelled, or gone with the
//! element. All others are references like any other.

use rehref_document::reference::BaseOf;
use rehref_document::scope::Scope;
use rehref_document::{BaseElement, BaseUrl, Document, Reference};
use rehref_url::Span;

/// Returns the scope whose base URL `reference` gives, as the `href` of a `base` element. `is_replaced`: the rewriting
/// may have replaced an `href` that gives no base URL, too. `bases` are the base URLs of the scopes.
pub(super) fn scope_of(
    document: &Document<'_>,
    reference: &Reference,
    bases: &[BaseUrl],
    is_replaced: bool,
) -> Option<usize> {
    let BaseOf::Fallback(scope) = reference.base else { return None };
    let counts = document.scopes.get(scope)?.base == Some(reference.container);
    let is_used = bases.get(scope)?.element == BaseElement::Used;
    (counts && (is_used || is_replaced) && document.is_base_element(reference)).then_some(scope)
}

/// A `base` element with an `href`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BaseTag {
    /// The container whose text holds the element; `None` for the working bytes. All spans count in
    /// that text.
    pub(super) level: Option<usize>,
    /// The whole element.
    pub(super) element: Span,
    /// The bytes that may differ: the attribute, with the white space before it unless that separates
    /// what remains; for an element that both documents have, only the value.
    pub(super) attribute: Span,
    /// The bytes from the end of the attribute's name to the end of its value.
    assignment: Span,
    /// True if the element has no other attribute, and its removal does not change how the rest is
    /// parsed.
    pub(super) may_go: bool,
}

/// Returns the `base` element whose `href` is `reference`, where the other document has no such element.
pub(super) fn tag_of(document: &Document<'_>, reference: &Reference) -> Option<BaseTag> {
    let container = document.container_of(reference)?;
    let source = match container.parent {
        None => document.working_bytes(),
        Some(parent) => document.containers.get(parent)?.text.as_str().as_bytes(),
    };
    let value = container.span;
    let before = source.get(..value.start)?;
    let scope = match reference.base {
        BaseOf::Fallback(scope) => document.scopes.get(scope),
        _ => None,
    };
    let known = scope.and_then(|it| it.base_tag);
    let is_few = scope.is_some_and(Scope::has_few_bases);
    let candidates = memchr::memrchr_iter(b'<', before).take(CANDIDATES);
    let mut candidates = known.into_iter().chain(candidates);
    let found = candidates.find_map(|start| tag_at(source, start, value, is_few));
    let whole_value = || BaseTag {
        level: None,
        element: value,
        attribute: value,
        assignment: value,
        may_go: false,
    };
    Some(BaseTag { level: container.parent, ..found.unwrap_or_else(whole_value) })
}

/// Returns the `base` element whose `href` is `reference`, where the other document has it with another value.
/// `is_requoted`: the quotes differ.
pub(super) fn kept_tag_of(
    document: &Document<'_>,
    reference: &Reference,
    is_requoted: bool,
) -> Option<BaseTag> {
    let container = document.container_of(reference)?;
    let tag = tag_of(document, reference)?;
    Some(BaseTag {
        attribute: if is_requoted { tag.assignment } else { container.span },
        may_go: false,
        ..tag
    })
}

/// The number of `<` before the `href`, going backwards, that are tried as the start of its tag, after the start
/// that the parser found.
const CANDIDATES: usize = 64;

/// The `base` tag that begins at `start`, if `value` is the value of one of its attributes. `is_few`: the element may
/// go.
fn tag_at(source: &[u8], start: usize, value: Span, is_few: bool) -> Option<BaseTag> {
    let name_end = skip(source, start + 1, |b| !ends_name(b));
    let name = source.get(start + 1..name_end)?;
    let local = name.rsplit(|&b| b == b':').next()?;
    if !local.eq_ignore_ascii_case(b"base") {
        return None;
    }
    let mut at = name_end;
    let mut attribute = None;
    let mut count = 0;
    while let Some(found) = attribute_at(source, at)? {
        count += 1;
        at = found.end;
        if found.value == value {
            let whole = Span::from(found.start..found.end);
            attribute = Some((whole, Span::from(found.name_end..found.end)));
        }
    }
    at = skip(source, at, is_between_attributes);
    at += 1;
    let rest = source.get(at..).unwrap_or_default();
    let element = Span::from(start..at + end_tag(rest, name));
    let (attribute, assignment) = attribute?;
    Some(BaseTag {
        level: None,
        element,
        attribute: with_space(source, attribute),
        assignment,
        may_go: count == 1 && is_few && is_removable(source, element),
    })
}

/// An attribute of a tag.
struct TagAttribute {
    start: usize,
    name_end: usize,
    /// Without quotes; empty at the end of the name if there is none.
    value: Span,
    end: usize,
}

/// The attribute of a tag that begins at `at` or after white space and slashes; the inner `None` at the end of the
/// tag, the outer where `source` ends within it.
fn attribute_at(source: &[u8], at: usize) -> Option<Option<TagAttribute>> {
    let byte = |at: usize| source.get(at).copied();
    let start = skip(source, at, is_between_attributes);
    if byte(start)? == b'>' {
        return Some(None);
    }
    let name_end = skip(source, start + 1, |b| !ends_name(b) && b != b'=');
    let mut found = TagAttribute { start, name_end, value: Span::at(name_end), end: name_end };
    let equals = skip(source, name_end, |b| b.is_ascii_whitespace());
    if byte(equals)? == b'=' {
        let from = skip(source, equals + 1, |b| b.is_ascii_whitespace());
        (found.value, found.end) = match byte(from)? {
            quote @ (b'"' | b'\'') => {
                let length = memchr::memchr(quote, source.get(from + 1..)?)?;
                (Span::from(from + 1..from + 1 + length), from + 2 + length)
            }
            _ => {
                let end = skip(source, from, |b| !b.is_ascii_whitespace() && b != b'>');
                (Span::from(from..end), end)
            }
        };
    }
    Some(Some(found))
}

/// The end of the run of `wanted` bytes that begins at `from`.
fn skip(source: &[u8], from: usize, wanted: fn(u8) -> bool) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|&&b| wanted(b)).count()
}

fn is_between_attributes(b: u8) -> bool {
    b.is_ascii_whitespace() || b == b'/'
}

/// `attribute` with the white space before it, unless what remains of the tag would be another tag.
fn with_space(source: &[u8], attribute: Span) -> Span {
    let before = source.get(..attribute.start).unwrap_or_default().trim_ascii_end();
    let ends_quoted = matches!(before.last(), Some(b'"' | b'\''));
    let is_separate = match source.get(attribute.end) {
        None | Some(b'>') => true,
        Some(b'/') => ends_quoted,
        Some(byte) => byte.is_ascii_whitespace(),
    };
    let start = if is_separate { before.len() } else { attribute.start };
    Span::from(start..attribute.end)
}

/// Returns whether the text around `element` is parsed the same without it: no text runs together, no
/// doctype or head begins to count, and no line feed becomes the first character of a `pre`.
fn is_removable(source: &[u8], element: Span) -> bool {
    let (Some(before), Some(after)) = (source.get(..element.start), source.get(element.end..))
    else {
        return false;
    };
    let is_separate = before == b"\xEF\xBB\xBF"
        || before.last().is_none_or(|b| *b == b'>' || b.is_ascii_whitespace());
    let starts_line = after.starts_with(b"\n") || after.starts_with(b"\r");
    let tag = memchr::memrchr(b'<', before).and_then(|at| before.get(at..)).unwrap_or_default();
    let tag = tag.to_ascii_lowercase();
    let in_pre = [&b"<pre"[..], b"<listing"].iter().any(|name| tag.starts_with(name));
    let gains_line = in_pre && tag.ends_with(b">") && starts_line;
    is_separate && !gains_line && !is_before_start(before, after)
}

/// Returns true if a doctype or the tag of a head begins `after` that would count if nothing stood between it and
/// `before`.
fn is_before_start(before: &[u8], after: &[u8]) -> bool {
    let is_before_head = begins_with_head(after);
    let is_before_doctype = after_doctype(after_comments(after)).is_some();
    // Most `base` elements end here, without a copy of the text before them: a page may have many.
    if !is_before_head && !is_before_doctype {
        return false;
    }
    let before = before.to_ascii_lowercase();
    let text = before.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&before);
    let rest = after_start(text);
    let starts = after_doctype(rest).map_or(rest, after_start).is_empty();
    let is_first_head = is_before_head && starts && !has_tag(text, b"<head");
    // Any tag before a doctype, also one that is dropped, makes it count for nothing.
    let is_first_doctype = is_before_doctype && after_comments(text).is_empty();
    is_first_head || is_first_doctype
}

/// Returns true if the tag of a head begins the document `source`.
fn begins_with_head(source: &[u8]) -> bool {
    let rest = repeat(after_start(source), |rest| after_doctype(rest).map(after_start));
    // Without its end it is dropped.
    is_tag(rest, b"<head") && tag_end(rest).is_some()
}

fn is_tag(source: &[u8], opener: &[u8]) -> bool {
    let name = source.get(..opener.len());
    let has_name = name.is_some_and(|name| name.eq_ignore_ascii_case(opener));
    has_name && source.get(opener.len()).is_none_or(|&b| ends_name(b))
}

/// The rest of `source` after what comes before text and elements: white space, comments, the tag of `html`, and
/// end tags that browsers drop.
fn after_start(source: &[u8]) -> &[u8] {
    repeat(after_comments(source), |rest| {
        let end = match rest {
            [b'<', b'/', tag @ ..] if !ends_head(tag) => memchr::memchr(b'>', rest),
            _ if is_tag(rest, b"<html") => tag_end(rest),
            _ => None,
        };
        Some(after_comments(rest.get(end? + 1..)?))
    })
}

/// The rest of `source` after white space, comments, and what is parsed as comments.
fn after_comments(source: &[u8]) -> &[u8] {
    repeat(source.trim_ascii_start(), |rest| {
        let end = match rest {
            [b'<', b'!', b'-', b'-', comment @ ..] => {
                memchr::memmem::find(comment, b"-->").map(|at| at + 6)
            }
            [b'<', b'?', ..] => memchr::memchr(b'>', rest),
            [b'<', b'!', ..] if !is_doctype(rest) => memchr::memchr(b'>', rest),
            [b'<', b'/', first, ..] if !first.is_ascii_alphabetic() => memchr::memchr(b'>', rest),
            _ => None,
        };
        Some(rest.get(end? + 1..)?.trim_ascii_start())
    })
}

/// The rest of `source` after `next` was applied as often as it finds a rest.
fn repeat<'s>(source: &'s [u8], next: impl Fn(&'s [u8]) -> Option<&'s [u8]>) -> &'s [u8] {
    std::iter::successors(Some(source), |rest| next(rest)).last().unwrap_or_default()
}

/// Returns true if `source` begins with a doctype, whatever follows its first word (HTML Standard, section 13.2.5.53).
fn is_doctype(source: &[u8]) -> bool {
    let start = source.get(..b"<!doctype".len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(b"<!doctype"))
}

/// The rest of `source` after the doctype that it begins with.
fn after_doctype(source: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b'>', source).filter(|_| is_doctype(source))?;
    source.get(end + 1..)
}

/// The `>` that ends the tag at the start of `source`.
fn tag_end(source: &[u8]) -> Option<usize> {
    let mut at = skip(source, 1, |b| !ends_name(b));
    while let Some(attribute) = attribute_at(source, at)? {
        at = attribute.end;
    }
    Some(skip(source, at, is_between_attributes))
}

/// Returns true if the end tag of this name, which begins `tag`, implies the head and its end.
fn ends_head(tag: &[u8]) -> bool {
    let length = tag.iter().take_while(|b| !ends_name(**b)).count();
    let name = tag.get(..length).unwrap_or_default();
    [&b"head"[..], b"body", b"html", b"br"].iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Returns whether `source`, in lower case, holds a tag that begins with `opener`.
fn has_tag(source: &[u8], opener: &[u8]) -> bool {
    memchr::memmem::find_iter(source, opener)
        .any(|at| source.get(at + opener.len()).is_none_or(|&b| ends_name(b)))
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
    let Some((_, after)) = after_name else { return 0 };
    let spaces = after.iter().take_while(|b| b.is_ascii_whitespace()).count();
    if after.get(spaces) == Some(&b'>') { 2 + name.len() + spaces + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_document::{DocumentKind, ParseOptions};

    fn tag(source: &str, kind: DocumentKind) -> (String, String, bool) {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        let reference = &document.references[0];
        assert!(document.is_base_element(reference));
        let tag = tag_of(&document, reference).unwrap();
        let text = |range: Span| range.of_str(source).to_owned();
        (text(tag.element), text(tag.attribute), tag.may_go)
    }

    #[test]
    fn an_element_is_removable_where_nothing_else_begins_the_document() {
        for (before, after, expected) in [
            ("", "<p>", true),
            ("\u{FEFF}", "x", true),
            ("", "<head>", false),
            ("", "<!-- c --><html lang='>'> </p><head>", false),
            ("", "<!doctype html>", false),
            ("", "text<head>", true),
            ("", "<<!doctype html>", true),
            ("\u{FEFF}", "<!doctype html>", false),
            ("<!-- c --> </3>", "<?x><!doctype html>", false),
            ("<html>", "<!doctype html>", true),
            ("", "<html><!doctype html>", true),
            ("</p>", "<!doctype html>", true),
            ("", "</p><!doctype html>", true),
            ("<!doctype html>", "<!doctype html>", true),
            ("<!DOCTYPE&>", "<!doctype>", true),
            ("", "<!doctypehtml>", false),
            ("<html></p>", "<head>", false),
            ("", "<p><head>", true),
            ("", "</body><head>", true),
            ("", "<!><head", true),
            ("", "<head p='>", true),
            ("<!doctype html><meta charset=x>", "<head>", true),
            ("<!doctype html>", "<head>", false),
            ("<!doctype html> <!-- c -->", "<html><head>", false),
        ] {
            let source = format!("{before}<base href=x>{after}");
            let element = Span::from(before.len()..source.len() - after.len());
            assert_eq!(is_removable(source.as_bytes(), element), expected, "{source}");
        }
    }

    #[test]
    fn a_tag_is_found_by_its_href() {
        let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head>";
        let h = "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:head>";
        for (before, element, after, attribute, may_go, kind) in [
            ("<p>", "<base href=x>", "y", " href=x", true, DocumentKind::Html),
            ("", "<BASE HREF='x>y' >", "", " HREF='x>y'", true, DocumentKind::Html),
            ("", "<base\nhref = \"x\"/>", "", "href = \"x\"", true, DocumentKind::Html),
            ("", "<base href>", "", " href", true, DocumentKind::Html),
            ("", "<base href=x target=_top>", "", " href=x", false, DocumentKind::Html),
            ("", "<base title='<base href=x>' href=x>", "", " href=x", false, DocumentKind::Html),
            ("", "<base =' href=x>", "'>", " href=x", false, DocumentKind::Html),
            ("<pre>", "<base href=x>", "\na", " href=x", false, DocumentKind::Html),
            ("", "<base href=x>", "<!DOCTYPE html>", " href=x", false, DocumentKind::Html),
            ("<!doctype html>", "<base href=x>", "<header>", " href=x", true, DocumentKind::Html),
            ("&amp", "<base href=x>", ";", " href=x", false, DocumentKind::Html),
            ("", "<base href='x'target=t>", "", "href='x'", false, DocumentKind::Html),
            ("", "<base id=a/ href=x>", "", " href=x", false, DocumentKind::Html),
            ("", "<base id=a href='x'/>", "", "href='x'", false, DocumentKind::Html),
            (xhtml, "<base href='x'/>", "</head></html>", "href='x'", true, DocumentKind::Xhtml),
            (
                xhtml,
                "<base href='x'></base >",
                "</head></html>",
                " href='x'",
                true,
                DocumentKind::Xhtml,
            ),
            (h, "<h:base href='x'/>", "</h:head></h:html>", "href='x'", true, DocumentKind::Xhtml),
        ] {
            let found = tag(&format!("{before}{element}{after}"), kind);
            let expected = (element.to_owned(), attribute.to_owned(), may_go);
            assert_eq!(found, expected);
        }
    }
}
