//! The `base` element as bytes: removing it, and the place to insert one.

use std::collections::HashMap;

use super::ascii::{find_ignore_case, starts_with_ignore_case};
use super::attribute_removal::attribute_span;
use super::container::{Container, ContainerKind, Syntax};
use super::html::Quote;
use super::html::scanner::attributes::{TagPart, next_part};
use super::reference::BaseOf;
use super::{Document, Reference};
use rehref_url::Span;

/// A way to remove the `href` of a `base` element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseRemoval {
    /// Delete this span of the parent's text (of the working bytes for a container without a
    /// parent): the attribute, with the white space before it where nothing else would run together;
    /// or the whole element, if it has no other attribute and tree construction does not need it.
    Bytes(Span),
    /// Empty the value, so that it means the fallback base URL. Deleting the attribute would let a second
    /// `href` of the same element take effect.
    Value,
}

impl Document<'_> {
    /// Returns true if `reference` is the `href` of a `base` element of HTML, not an `xml:base`.
    pub fn is_base_element(&self, reference: &Reference) -> bool {
        matches!(reference.base, BaseOf::Fallback(_))
            && self
                .container_of(reference)
                .is_some_and(|container| container.kind.is_base_element())
    }

    /// Returns the reference that sets the base URL of each scope that has one: a `base` element, a header, an
    /// `xml:base`.
    pub fn base_references(&self) -> HashMap<usize, &Reference> {
        let scopes = self.scopes.iter().enumerate();
        let scopes = scopes.filter_map(|(scope, data)| Some((data.base?, scope)));
        let scopes: HashMap<usize, usize> = scopes.collect();
        if scopes.is_empty() {
            return HashMap::new();
        }
        let references = self.references.iter().rev();
        let of_scopes = references.filter_map(|it| Some((*scopes.get(&it.container)?, it)));
        of_scopes.collect()
    }

    /// Returns the way to remove `reference`, the `href` of a `base` element; `None` for another reference. If
    /// a scope has many `base` elements, only their attributes are removed.
    pub fn base_removal(&self, reference: &Reference) -> Option<BaseRemoval> {
        let BaseOf::Fallback(scope) = reference.base else { return None };
        let container = self.container_of(reference).filter(|it| it.kind.is_base_element())?;
        let source = self.source_of(container)?;
        let scope = self.scopes.get(scope)?;
        let tag = match scope.base_tag {
            Some(tag) if scope.base == Some(reference.container) => Some(tag),
            _ => sure_tag_start(source.get(..container.span.start)?),
        };
        let span = removal(source, container, tag.filter(|_| scope.has_few_bases()));
        Some(span.map_or(BaseRemoval::Value, BaseRemoval::Bytes))
    }

    /// Returns the offset in the working bytes at which a new `base` element is inserted: first in the head,
    /// but after a declaration of the charset at its start, which must stay near the start of the document.
    /// Returns `None` for a document that is not HTML, and for one without elements and text, because its end
    /// may be within a comment or a doctype.
    pub fn base_insertion(&self) -> Option<usize> {
        let mut head_start = self.head_start?;
        let mut head = self.working_bytes().get(head_start..)?;
        // An XML declaration declares the charset only where it comes first.
        if head.starts_with(b"<?xml") {
            head_start += memchr::memchr(b'>', head)? + 1;
            head = self.working_bytes().get(head_start..)?;
        }
        let is_only_start = head.is_empty() && head_start > 0;
        (!is_only_start).then(|| head_start + charset_declaration(head).unwrap_or(0))
    }
}

/// The end of the `meta` element with a charset that `head` begins with.
fn charset_declaration(head: &[u8]) -> Option<usize> {
    let start = head.iter().position(|b| !b.is_ascii_whitespace())?;
    let (name, rest) = head.get(start..)?.split_at_checked(b"<meta".len())?;
    let tag = rest_of_tag(rest);
    let ends_name = |b: &u8| b.is_ascii_whitespace() || *b == b'/';
    let is_declaration = name.eq_ignore_ascii_case(b"<meta")
        && tag.first().is_some_and(ends_name)
        && rest.get(tag.len()) == Some(&b'>')
        && find_ignore_case(tag, b"charset").is_some();
    is_declaration.then_some(start + name.len() + tag.len() + 1)
}

impl ContainerKind {
    /// Returns true if the container is the `href` of a `base` element of HTML or XHTML.
    pub fn is_base_element(&self) -> bool {
        let attribute = self.attribute();
        attribute.is_some_and(|(element, name)| element.is_html("base") && name == Some("href"))
    }
}

/// The last `<` in `before` if no other tag can hold it, in the name or value of an attribute: white space alone stands
/// between it and the end of a tag.
fn sure_tag_start(before: &[u8]) -> Option<usize> {
    let start = memchr::memrchr(b'<', before)?;
    let outer = before.get(..start)?.trim_ascii_end();
    matches!(outer, [] | [.., b'>']).then_some(start)
}

/// The span of `source` to delete with the value `container`: the attribute, or the whole element.
/// `None` if the spelling of the tag is not simple enough. `tag`: the start of the element's tag, if the element may go.
fn removal(source: &[u8], container: &Container, tag: Option<usize>) -> Option<Span> {
    if container.syntax == Syntax::Attribute(Quote::NoValue) {
        return None;
    }
    let Span { start, end } = attribute_span(source, container)?;
    let before = source.get(..start)?;
    let after = source.get(end..)?;
    // A second `href` would count instead.
    if find_ignore_case(rest_of_tag(after), b"href").is_some() {
        return None;
    }
    let is_xml = matches!(container.syntax, Syntax::Xml(_));
    let element = tag.and_then(|tag| element(before, tag, after, end, is_xml));
    Some(element.unwrap_or_else(|| attribute(before, after, end)))
}

/// The rest of the tag that `after` begins in, after a value.
fn rest_of_tag(after: &[u8]) -> &[u8] {
    let mut at = 0;
    let end = loop {
        match next_part(after, at) {
            Some(TagPart::Attribute(_, value)) => at = value.after,
            Some(TagPart::End { end, .. }) => break end - 1,
            None => break after.len(),
        }
    };
    after.get(..end).unwrap_or(after)
}

/// The span of the attribute that stands between `before` and `after`, which starts at `end`. The
/// white space before it stays where the text before and after would be read as one name or value.
fn attribute(before: &[u8], after: &[u8], end: usize) -> Span {
    let without_space = before.trim_ascii_end();
    let is_quoted = matches!(without_space.last(), Some(b'"' | b'\''));
    let runs_together = match after.first() {
        None | Some(b'>') => false,
        // A slash belongs to an unquoted value, but not to a quoted one.
        Some(b'/') => !is_quoted,
        Some(byte) => !byte.is_ascii_whitespace(),
    };
    let start = if runs_together { before } else { without_space };
    Span::from(start.len()..end)
}

/// The span of the element with the tag at `start` in `before`, if the tag is its name, one attribute, and the
/// beginning of `after`, which starts at `end`. `None` if it has other attributes, or if the text before and
/// after the element would run together, or tree construction needs the element.
fn element(before: &[u8], start: usize, after: &[u8], end: usize, is_xml: bool) -> Option<Span> {
    let (source_before, tag) = before.split_at_checked(start)?;
    let is_separator = |b: &u8| b.is_ascii_whitespace() || *b == b'/';
    let mut words = tag.strip_prefix(b"<")?.split(is_separator).filter(|word| !word.is_empty());
    let name = words.next().filter(|_| words.next().is_none())?;
    if !name.rsplit(|b| *b == b':').next()?.eq_ignore_ascii_case(b"base") {
        return None;
    }
    if !matches!(source_before, [] | [.., b'>' | b'\t' | b'\n' | b'\r' | b' ']) {
        return None;
    }
    let close = after.trim_ascii_start();
    let is_self_closed = close.starts_with(b"/");
    let rest = close.strip_prefix(b"/").unwrap_or(close).strip_prefix(b">")?;
    let end_tag = [b"</", name, b">"].concat();
    let has_end_tag = starts_with_ignore_case(rest, &end_tag);
    let rest = match (is_self_closed, has_end_tag) {
        (false, true) => rest.get(end_tag.len()..)?,
        (false, false) if is_xml => return None,
        _ => rest,
    };
    if !is_xml && holds_place(source_before, rest) {
        return None;
    }
    Some(Span::from(start..end + after.len() - rest.len()))
}

/// Returns true if the content between `before` and `after` decides how `after` is parsed (HTML Standard
/// section 13.2.6.4), even if it is a `base` without attributes.
fn holds_place(before: &[u8], after: &[u8]) -> bool {
    // A doctype and the tag of a head count only if no element stands before them.
    let is_first = |tag| has_tag(after, tag) && !has_tag(before, tag);
    // A line feed at the start of these is dropped, also after another `base` that goes.
    let drops_line = |tag: &[u8]| matches!(tag, b"pre" | b"listing" | b"base");
    let last_tag = memchr::memrchr(b'<', before).and_then(|at| {
        let tag = before.get(at + 1..)?.strip_suffix(b">")?;
        let end = tag.iter().position(|b| !b.is_ascii_alphanumeric());
        Some(tag.get(..end.unwrap_or(tag.len()))?.to_ascii_lowercase())
    });
    let is_after_pre = last_tag.is_some_and(|tag| drops_line(&tag));
    is_first(b"!doctype")
        || is_first(b"head")
        || is_after_pre && matches!(after.first(), Some(b'\n' | b'\r'))
}

/// Returns true if `source` has a tag or declaration of this name.
fn has_tag(source: &[u8], name: &[u8]) -> bool {
    memchr::memchr_iter(b'<', source).any(|at| {
        let rest = source.get(at + 1..).unwrap_or_default();
        let next = rest.get(name.len());
        let ends_name = next.is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'));
        ends_name && starts_with_ignore_case(rest, name)
    })
}

#[cfg(test)]
mod tests {
    use super::rest_of_tag;
    use crate::{BaseRemoval, Document, DocumentKind, ParseOptions, Reference};

    fn without_base(kind: DocumentKind, source: &str) -> String {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        let base = document.scopes[0].base;
        let base = document.references.iter().find(|it| Some(it.container) == base);
        without(&document, source, base)
    }

    fn without(document: &Document<'_>, source: &str, base: Option<&Reference>) -> String {
        match base.and_then(|it| document.base_removal(it)) {
            None => "none".to_owned(),
            Some(BaseRemoval::Value) => "value".to_owned(),
            Some(BaseRemoval::Bytes(range)) => {
                let mut source = source.to_owned();
                source.replace_range(range.range(), "");
                source
            }
        }
    }

    #[test]
    fn a_removed_base_takes_its_element_along_if_nothing_else_is_on_it() {
        for (source, expected) in [
            ("<base href=x>a", "a"),
            ("<head>\n<BASE\n HREF = 'x' />\n<p>", "<head>\n\n<p>"),
            ("<base href=\"x\"></base><p>", "<p>"),
            ("<base href=x target=_top>", "<base target=_top>"),
            ("<base target=_top href=x>", "<base target=_top>"),
            ("<base target='a>b'href='x'/>", "<base target='a>b'/>"),
            ("<base/href='x'/>a", "a"),
            // Nothing runs together.
            ("<base href='x'target=_top>", "<base target=_top>"),
            ("<base/href='x'target=_top>", "<base/target=_top>"),
            ("<base id='a' href=\"x\"target=t>", "<base id='a' target=t>"),
            ("<base id=a/ href=x>", "<base id=a/>"),
            ("<base id=a/ href='x'/>", "<base id=a/ />"),
            ("<base id=a href='x'/>", "<base id=a />"),
            ("<base id=a href=x/>", "<base id=a>"),
            ("<base <base href=x><a>", "<base <base><a>"),
            ("<base id='>' <base href=x><a>", "<base id='>' <base><a>"),
            // A second `href` would count instead.
            ("<base href=x href=y>", "value"),
            ("<base href=x < href>", "value"),
            ("<base href=x a='>' href>", "value"),
            ("<base href=< '='<>'href=y>", "value"),
            // Without the element, the rest would be parsed differently.
            ("<base href=x><!DOCTYPE html><p>", "<base><!DOCTYPE html><p>"),
            ("<!-- a --> <base href=x>\n<!doctype html>", "<!-- a --> <base>\n<!doctype html>"),
            ("<!doctype html><base href=x><header>", "<!doctype html><header>"),
            ("<html><base href=x><head profile=y>", "<html><base><head profile=y>"),
            ("<pre><base href=x>\na", "<pre><base>\na"),
            ("<PRE id=a><base href=x>\r\na", "<PRE id=a><base>\r\na"),
            ("<pre><base href=x>a\n", "<pre>a\n"),
            ("<pre></pre><base href=x>\na", "<pre></pre>\na"),
            ("&amp<base href=x>;", "&amp<base>;"),
            ("<<base href=x>a", "<<base>a"),
            ("<base href=x><base href=y>", "<base href=y>"),
            ("<base href=x><base href=y>\n", "<base href=y>\n"),
            ("<base href=x href=y>", "value"),
            ("<base href>", "value"),
            ("<noscript><base href=x></noscript>", "none"),
            (
                "<noscript><base href=x></noscript><base href=y>",
                "<noscript><base href=x></noscript>",
            ),
            ("<noscript></noscript><base href=x>", "<noscript></noscript>"),
            ("<template><base href=x></template>", "none"),
            ("<p>", "none"),
        ] {
            assert_eq!(without_base(DocumentKind::Html, source), expected, "{source}");
        }
        let xhtml = |head: &str| {
            format!("<html xmlns='http://www.w3.org/1999/xhtml'><head>{head}</head></html>")
        };
        for (head, expected) in [
            ("<base href='x'/>", ""),
            ("<base href='x'></base>", ""),
            ("<base href='x'> </base>", "<base> </base>"),
            ("<base id='i' href='x'/>", "<base id='i'/>"),
        ] {
            assert_eq!(without_base(DocumentKind::Xhtml, &xhtml(head)), xhtml(expected));
        }
        let prefixed =
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:base href='x'></h:base></h:html>";
        assert_eq!(
            without_base(DocumentKind::Xhtml, prefixed),
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'></h:html>"
        );
    }

    #[test]
    fn a_further_base_takes_its_element_along_if_no_other_tag_can_hold_it() {
        for (further, expected) in [
            ("<base href=y>", ""),
            ("<p>\n<base href=y></p>", "<p>\n</p>"),
            ("a <base href=y>", "a <base>"),
            ("<base a <base href=y><p>", "<base a <base><p>"),
            ("<base a= <base href=y><p>", "<base a= <base><p>"),
            ("<base a='>' <base href=y><p>", "<base a='>' <base><p>"),
        ] {
            let source = format!("<base href=x>{further}");
            let document = Document::parse(source.as_bytes(), &ParseOptions::default()).unwrap();
            let found = without(&document, &source, document.references.get(1));
            assert_eq!(found, format!("<base href=x>{expected}"), "{source}");
        }
    }

    #[test]
    fn the_rest_of_a_tag_ends_at_its_end() {
        for (rest, after) in [
            ("", ""),
            ("", ">x"),
            (" a", ">x"),
            ("/a=b", ">x"),
            (" a='>' b", ">x"),
            (" a=b='", ">'>"),
            (" a=b ='", ">'>"),
            (" a\n= \t\">\" /", ">x"),
            (" a=", ">x"),
            (" =a", ">x"),
            (" ='", ">'>"),
            (" a=b/", ">x"),
            (" a/=b", ">"),
            (" a'b", ">'"),
            (" a = b'c d", ">'"),
            (" a", ""),
            (" a='>", ""),
            (" a='b'c='>'", ">"),
        ] {
            let tag = format!("{rest}{after}");
            let found = rest_of_tag(tag.as_bytes());
            assert_eq!(
                found.escape_ascii().to_string(),
                rest.as_bytes().escape_ascii().to_string(),
                "{tag}"
            );
        }
    }

    #[test]
    fn only_base_elements_of_html_and_xhtml_are_base_elements() {
        let message = "Content-Base: http://h/\nContent-Type: text/html\n\n<base href=b><a href=x>";
        for (kind, source, expected) in [
            (DocumentKind::Html, "<base href=b><a href=x>", &["b"][..]),
            (
                DocumentKind::Xml,
                "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='b/'><link href='x'/></feed>",
                &[],
            ),
            (DocumentKind::Message, message, &["b"]),
            (DocumentKind::Html, "<applet codebase=c archive=a>", &[]),
        ] {
            let options = ParseOptions { kind, ..ParseOptions::default() };
            let document = Document::parse(source.as_bytes(), &options).unwrap();
            assert!(document.references.len() > 1);
            let references = document.references.iter();
            let found: Vec<&str> = references
                .filter(|it| document.is_base_element(it))
                .map(|it| document.text_of(it))
                .collect();
            assert_eq!(found, expected, "{source}");
        }
    }

    #[test]
    fn a_base_is_inserted_first_in_the_head() {
        for (source, expected) in [
            ("<!doctype html><html><head><title>", "<!doctype html><html><head>|<title>"),
            (
                "<!-- a --><head >\n<meta charset='x'>\n<p>",
                "<!-- a --><head >\n<meta charset='x'>|\n<p>",
            ),
            ("<head><meta name='a>b' charset='x'>", "<head><meta name='a>b' charset='x'>|"),
            ("<head><meta name=x><p>", "<head>|<meta name=x><p>"),
            ("<!doctype html>\n<title>", "<!doctype html>|\n<title>"),
            ("<html><p><head>", "<html>|<p><head>"),
            ("text<head>", "|text<head>"),
            ("<metacharset><p>", "|<metacharset><p>"),
            // The value goes on.
            ("<head><meta charset\"\"\"=\"><p>", "<head>|<meta charset\"\"\"=\"><p>"),
            ("<?xml encoding='utf8'?><p>", "<?xml encoding='utf8'?>|<p>"),
            ("\u{FEFF}<p>", "\u{FEFF}|<p>"),
            ("", "|"),
            // What is dropped can begin the body, in which a frameset would replace the element.
            ("\0<!doctype html><frameset>", "|\0<!doctype html><frameset>"),
            ("<html>\0<head><frameset>", "<html>|\0<head><frameset>"),
            ("</body><head><frameset>", "|</body><head><frameset>"),
            ("</p><head><frameset>", "</p><head>|<frameset>"),
        ] {
            let document = Document::parse(source.as_bytes(), &ParseOptions::default()).unwrap();
            let mut marked = source.to_owned();
            marked.insert(document.base_insertion().unwrap(), '|');
            assert_eq!(marked, expected);
        }
        // Here it would be a part of the doctype.
        let unfinished = Document::parse(b"<!DOCTYPE", &ParseOptions::default()).unwrap();
        assert_eq!(unfinished.base_insertion(), None);
    }
}
