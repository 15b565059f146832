//! The `base` element as bytes: how it goes away, and where a new one comes.

use super::container::{Container, ContainerKind, Syntax};
use super::html::{Namespace, Quote};
use super::reference::BaseOf;
use super::xml::{XmlNamespace, XmlPlace};
use super::{Document, Reference};
use crate::document::Span;

/// How the `href` of a `base` element is taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseRemoval {
    /// This range of the parent's text (of the working bytes at the top) goes: the attribute with
    /// the white space before it, or the whole element where nothing else is on it.
    Bytes(Span),
    /// Without it another `base` element, or another `href` of the same, would begin to count:
    /// the value becomes empty, which means the fallback base URL and lets no other count.
    Value,
}

impl Document<'_> {
    /// Whether `reference` is the `href` of a `base` element of HTML, not an `xml:base`.
    pub fn is_base_element(&self, reference: &Reference) -> bool {
        matches!(reference.base, BaseOf::Fallback(_))
            && self
                .container_of(reference)
                .is_some_and(|container| container.kind.is_base_element())
    }

    /// How the `href` of the `base` element that counts in a scope goes away; `None` where there is
    /// none.
    pub fn base_removal(&self, scope: usize) -> Option<BaseRemoval> {
        let scope_data = self.scopes.get(scope)?;
        let container = self.containers.get(scope_data.base?)?;
        if !container.kind.is_base_element() {
            return None;
        }
        let others = self.references.iter().filter(|reference| {
            reference.base == BaseOf::Fallback(scope) && self.is_base_element(reference)
        });
        if others.count() > 1 {
            return Some(BaseRemoval::Value);
        }
        let source = match container.parent {
            None => self.working_bytes(),
            Some(parent) => self.containers.get(parent)?.text.as_str().as_bytes(),
        };
        // Out of a `noscript` in the head the element throws everything after it.
        let may_go = !is_after_noscript(source.get(..container.span.start)?);
        Some(removal(source, container, may_go).map_or(BaseRemoval::Value, BaseRemoval::Bytes))
    }
}

impl Document<'_> {
    /// The byte of the working bytes where a new `base` element comes: first in the head, behind a
    /// declaration of the charset that is first there, which must stay near the start of the
    /// document. `None` in what is not HTML.
    pub fn base_insertion(&self) -> Option<usize> {
        let head_start = self.head_start?;
        let head = self.working_bytes().get(head_start..)?;
        Some(head_start + charset_declaration(head).unwrap_or(0))
    }
}

/// The end of the `meta` element with a charset that `head` begins with.
fn charset_declaration(head: &[u8]) -> Option<usize> {
    let start = head.iter().position(|b| !b.is_ascii_whitespace())?;
    let rest = head.get(start..)?;
    let end = memchr::memchr(b'>', rest)? + 1;
    let tag = rest.get(..end)?;
    let name = tag.get(..5)?;
    let has_whole_values = [b'"', b'\'']
        .iter()
        .all(|quote| memchr::memchr_iter(*quote, tag).count().is_multiple_of(2));
    let is_declaration = name.eq_ignore_ascii_case(b"<meta")
        && has_whole_values
        && tag
            .windows(b"charset".len())
            .any(|bytes| bytes.eq_ignore_ascii_case(b"charset"));
    is_declaration.then_some(start + end)
}

impl ContainerKind {
    /// Whether it is the `href` of a `base` element of HTML.
    pub fn is_base_element(&self) -> bool {
        match self {
            ContainerKind::Attribute { element, name, .. } => {
                element.namespace == Namespace::Html && element.name == "base" && name == "href"
            }
            ContainerKind::Xml {
                element, attribute, ..
            } => {
                element.namespace == XmlNamespace::Xhtml
                    && element.local == "base"
                    && attribute.as_deref() == Some("href")
            }
            _ => false,
        }
    }
}

/// Whether the last `noscript` tag in `source` is a start tag.
fn is_after_noscript(source: &[u8]) -> bool {
    const NAME: &[u8] = b"noscript";
    memchr::memrchr_iter(b'<', source).find_map(|at| {
        let tag = source.get(at + 1..)?;
        let (is_end, name) = match tag.strip_prefix(b"/") {
            Some(name) => (true, name),
            None => (false, tag),
        };
        let is_noscript = name.get(..NAME.len())?.eq_ignore_ascii_case(NAME);
        is_noscript.then_some(!is_end)
    }) == Some(true)
}

/// What of `source` goes with the value `container`: the attribute, or the element if it `may_go`
/// and has no other attribute. `None` where it is not plain how the tag is written.
fn removal(source: &[u8], container: &Container, may_go: bool) -> Option<Span> {
    const NAME: usize = "href".len();
    let quotes = match container.syntax {
        Syntax::Attribute(Quote::Double | Quote::Single) | Syntax::Xml(XmlPlace::Attribute(_)) => 1,
        Syntax::Attribute(Quote::Unquoted) => 0,
        _ => return None,
    };
    let before = trimmed(source.get(..container.span.start.checked_sub(quotes)?)?);
    let before = trimmed(before.strip_suffix(b"=")?);
    let name_start = before.len().checked_sub(NAME)?;
    let (before, name) = before.split_at_checked(name_start)?;
    if !name.eq_ignore_ascii_case(b"href") {
        return None;
    }
    let before = trimmed(before);
    let end = container.span.end.checked_add(quotes)?;
    let after = source.get(end..)?;
    let rest_of_tag = after.split(|&b| b == b'<').next().unwrap_or_default();
    let is_other_href = rest_of_tag
        .windows(NAME)
        .any(|bytes| bytes.eq_ignore_ascii_case(b"href"));
    if is_other_href {
        return None;
    }
    let attribute = Span::from(before.len()..end);
    if !may_go {
        return Some(attribute);
    }
    let is_xml = matches!(container.syntax, Syntax::Xml(_));
    Some(element(before, after, end, is_xml).unwrap_or(attribute))
}

/// The range of the element that is nothing but `before` up to its tag's name and `after`, which
/// starts at `end`; `None` where it has other attributes, or where what is around it would run
/// together.
fn element(before: &[u8], after: &[u8], end: usize, is_xml: bool) -> Option<Span> {
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b':' | b'-' | b'_' | b'.');
    let name_length = before.iter().rev().take_while(is_name).count();
    let (rest, name) = before.split_at_checked(before.len() - name_length)?;
    let local = name.rsplit(|&b| b == b':').next()?;
    let is_between = matches!(
        rest,
        [b'<'] | [.., b'>' | b'\t' | b'\n' | b'\r' | b' ', b'<']
    );
    if !local.eq_ignore_ascii_case(b"base") || !is_between {
        return None;
    }
    let start = rest.len() - 1;
    let closed = after.trim_ascii_start();
    let closed = closed.strip_prefix(b"/").unwrap_or(closed);
    let closed = closed.strip_prefix(b">")?;
    let end_tag = [b"</", name, b">"].concat();
    let is_self_closed = !after.trim_ascii_start().starts_with(b">");
    let has_end_tag = closed
        .get(..end_tag.len())
        .is_some_and(|tag| tag.eq_ignore_ascii_case(&end_tag));
    let left = match (is_self_closed, has_end_tag) {
        (false, true) => closed.len() - end_tag.len(),
        (false, false) if is_xml => return None,
        _ => closed.len(),
    };
    Some(Span::from(start..end + after.len() - left))
}

/// `bytes` without the white space and slashes at their end, which may stand between attributes.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let length = bytes
        .iter()
        .rposition(|b| !b.is_ascii_whitespace() && *b != b'/')
        .map_or(0, |last| last + 1);
    bytes.get(..length).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::document::{BaseRemoval, Document, DocumentKind, ParseOptions};

    fn without_base(kind: DocumentKind, source: &str) -> String {
        let options = ParseOptions {
            kind,
            ..ParseOptions::default()
        };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        match document.base_removal(0) {
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
    fn what_goes_with_a_base() {
        for (source, expected) in [
            ("<base href=x>a", "a"),
            ("<head>\n<BASE\n HREF = 'x' />\n<p>", "<head>\n\n<p>"),
            ("<base href=\"x\"></base><p>", "<p>"),
            ("<base href=x target=_top>", "<base target=_top>"),
            ("<base target=_top href=x>", "<base target=_top>"),
            ("<base target='a>b'href='x'/>", "<base target='a>b'/>"),
            ("<base href='x'target=_top>", "<basetarget=_top>"),
            ("<base/href='x'/>a", "a"),
            ("&amp<base href=x>;", "&amp<base>;"),
            ("<<base href=x>a", "<<base>a"),
            ("<base href=x><base href=y>", "value"),
            ("<base href=x href=y>", "value"),
            ("<base href>", "value"),
            (
                "<noscript><base href=x></noscript>",
                "<noscript><base></noscript>",
            ),
            (
                "<noscript></noscript><base href=x>",
                "<noscript></noscript>",
            ),
            ("<template><base href=x></template>", "none"),
            ("<p>", "none"),
        ] {
            assert_eq!(
                without_base(DocumentKind::Html, source),
                expected,
                "{source}"
            );
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
            assert_eq!(
                without_base(DocumentKind::Xhtml, &xhtml(head)),
                xhtml(expected)
            );
        }
        let prefixed =
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:base href='x'></h:base></h:html>";
        assert_eq!(
            without_base(DocumentKind::Xhtml, prefixed),
            "<h:html xmlns:h='http://www.w3.org/1999/xhtml'></h:html>"
        );
    }

    #[test]
    fn where_a_base_comes() {
        for (source, expected) in [
            (
                "<!doctype html><html><head><title>",
                "<!doctype html><html><head>|<title>",
            ),
            (
                "<!-- a --><head >\n<meta charset='x'>\n<p>",
                "<!-- a --><head >\n<meta charset='x'>|\n<p>",
            ),
            (
                "<head><meta name='a>b' charset='x'>",
                "<head>|<meta name='a>b' charset='x'>",
            ),
            ("<head><meta name=x><p>", "<head>|<meta name=x><p>"),
            ("<!doctype html>\n<title>", "<!doctype html>|\n<title>"),
            ("<html><p><head>", "<html>|<p><head>"),
            ("text<head>", "|text<head>"),
            ("\u{FEFF}<p>", "\u{FEFF}|<p>"),
            ("", "|"),
        ] {
            let document = Document::parse(source.as_bytes(), &ParseOptions::default()).unwrap();
            let mut marked = source.to_owned();
            marked.insert(document.base_insertion().unwrap(), '|');
            assert_eq!(marked, expected);
        }
    }
}
