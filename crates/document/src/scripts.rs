//! Scripts: they may make links, which browsers resolve against the base URL of the page, and their
//! code names files.

use super::container::ContainerKind;
use super::reference::BaseOf;
use super::{Document, Reference};
use rehref_url::{Span, scheme};

impl Document<'_> {
    /// Returns for each scope true if scripts run in its document, or in a document within it that may use its
    /// base URL.
    pub fn scopes_with_scripts(&self) -> Vec<bool> {
        if self.has_event_handlers() {
            return vec![true; self.scopes.len()];
        }
        let mut has_scripts = vec![false; self.scopes.len()];
        let scopes = self.scopes.iter().enumerate();
        let scopes = scopes.filter_map(|(at, data)| data.has_script.then_some(at));
        let of_urls = self.references.iter().filter_map(|it| self.scope_of_script_url(it));
        for scope in scopes.chain(of_urls) {
            let mut at = Some(scope);
            // The scopes around one that is known are known.
            while let Some(known) = at.and_then(|at| has_scripts.get_mut(at)).filter(|it| !**it) {
                *known = true;
                at = at.and_then(|at| self.scopes.get(at)?.parent);
            }
        }
        has_scripts
    }

    /// The scope of a `javascript:` URL.
    fn scope_of_script_url(&self, reference: &Reference) -> Option<usize> {
        let (BaseOf::Scope(of) | BaseOf::Fallback(of) | BaseOf::Codebase(of, _)) = reference.base
        else {
            return None;
        };
        let (scheme, _) = scheme::split(self.text_of(reference).trim_ascii_start())?;
        scheme.eq_ignore_ascii_case("javascript").then_some(of)
    }

    /// Returns true if a tag in the document or in a part of the message has an event handler (`onclick`).
    fn has_event_handlers(&self) -> bool {
        let parts = self.containers.iter();
        let parts = parts.filter(|container| matches!(container.kind, ContainerKind::Part(_)));
        let parts = parts.map(|part| part.text.as_str().as_bytes());
        parts.chain([self.working_bytes()]).any(has_event_handler)
    }
}

/// Returns true if a tag in `html` has an event handler: an attribute whose name begins with `on`. Text that
/// looks like one, in the value of another attribute, counts too.
fn has_event_handler(html: &[u8]) -> bool {
    memchr::memchr2_iter(b'o', b'O', html).any(|at| {
        let (before, name) = html.split_at(at);
        let letters = name.iter().take_while(|b| b.is_ascii_alphabetic()).count();
        let is_handler = letters > 3
            && name.get(1).is_some_and(|b| b.eq_ignore_ascii_case(&b'n'))
            && before.last().is_some_and(|b| b.is_ascii_whitespace() || b"/\"'".contains(b))
            && name.get(letters..).unwrap_or_default().trim_ascii_start().starts_with(b"=");
        is_handler && is_in_start_tag(before)
    })
}

/// Returns true if `before` ends within a start tag.
fn is_in_start_tag(before: &[u8]) -> bool {
    let at = memchr::memrchr2(b'<', b'>', before);
    at.and_then(|at| before.get(at..at + 2))
        .is_some_and(|tag| matches!(tag, [b'<', name] if name.is_ascii_alphabetic()))
}

/// The starts of the tags of `script` elements.
pub const SCRIPTS: CodeTags = CodeTags(b"<script", b"</script");
/// The starts of the tags of `style` elements.
pub const STYLES: CodeTags = CodeTags(b"<style", b"</style");

/// A kind of elements with code: the starts of their tags.
#[derive(Clone, Copy)]
pub struct CodeTags(&'static [u8], &'static [u8]);

/// An element with inline code, such as `script`.
pub struct InlineCode {
    /// The span of the attributes in the start tag.
    pub attributes: Span,
    /// The span of the code.
    pub content: Span,
}

/// Finds the inline code in elements of `html`, only by their tags. Also finds text that looks like such a tag
/// in a comment or a longer name.
pub fn inline_code(html: &[u8], kind: CodeTags) -> impl Iterator<Item = InlineCode> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let attributes = next_element(html, at, kind.0)?;
        let start = (attributes.end + 1).min(html.len());
        at = find_tag(html, start, kind.1).unwrap_or(html.len());
        Some(InlineCode { attributes, content: Span::from(start..at) })
    })
}

/// Returns the attributes of the elements of `html` whose tags begin with `start`, as `<link`. What looks like a tag
/// in a comment or a script counts too.
pub(super) fn elements(html: &[u8], start: &[u8]) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let attributes = next_element(html, at, start)?;
        at = attributes.end;
        Some(attributes)
    })
}

/// Returns true if `code` holds `sign`, and not as the end of a longer name.
pub(super) fn is_called(code: &[u8], sign: &[u8]) -> bool {
    memchr::memmem::find_iter(code, sign).any(|at| {
        let before = at.checked_sub(1).and_then(|before| code.get(before));
        before.is_none_or(|b| !b.is_ascii_alphanumeric() && !matches!(b, b'_' | b'$'))
    })
}

/// The bytes after `start` up to the end of the first tag from `at` on that begins with it.
fn next_element(html: &[u8], at: usize, start: &[u8]) -> Option<Span> {
    let name_end = find_tag(html, at, start)? + start.len();
    let rest = html.get(name_end..).unwrap_or_default();
    let end = memchr::memchr(b'>', rest).map_or(html.len(), |end| name_end + end);
    Some(Span::from(name_end..end))
}

/// The number of bytes that [`find_tag`] compares before it looks at the results: the compiler makes vector
/// instructions of a loop without an early exit.
const BLOCK: usize = 1024;

/// Finds the first place from `at` on of `tag`, in lower case, in any letter case.
fn find_tag(html: &[u8], mut at: usize, tag: &[u8]) -> Option<usize> {
    let [_, second, third, ..] = *tag else { return None };
    let (second, third) = (second | 0x20, third | 0x20);
    let is_tag = |start: &usize| {
        let here = html.get(*start..start + tag.len());
        here.is_some_and(|here| here.eq_ignore_ascii_case(tag))
    };
    while at < html.len() {
        let end = html.len().min(at + BLOCK);
        let rest = html.get(at..).unwrap_or_default();
        let first = rest.get(..end - at).unwrap_or_default();
        let next = rest.get(1..).unwrap_or_default();
        let next_but_one = rest.get(2..).unwrap_or_default();
        let mut is_found = 0;
        for ((a, b), c) in first.iter().zip(next).zip(next_but_one) {
            is_found |= u8::from((*a == b'<') & (*b | 0x20 == second) & (*c | 0x20 == third));
        }
        if is_found != 0 {
            let mut starts = memchr::memchr_iter(b'<', first).map(|it| at + it);
            if let Some(start) = starts.find(is_tag) {
                return Some(start);
            }
        }
        at = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::find_tag;
    use crate::{Document, DocumentKind, ParseOptions};

    fn has_scripts(kind: DocumentKind, source: &str, scope: usize) -> bool {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        let document = Document::parse(source.as_bytes(), &options).unwrap();
        document.scopes_with_scripts()[scope]
    }

    #[test]
    fn scripts_are_elements_handlers_and_urls() {
        for (source, expected) in [
            ("<script src=a.js></script>", true),
            ("<script type=module>x()</script>", true),
            ("<svg><script>x()</script></svg>", true),
            ("<p onclick=x()>", true),
            ("<body\nOnLoad = 'x()'>", true),
            ("<a href=' JavaScript:x()'>", true),
            ("<iframe srcdoc='<script>x()</script>'></iframe>", true),
            ("<p>", false),
            ("<p>click on this = that", false),
            ("<p on=x one=y>", false),
            ("<script type=application/ld+json>{}</script>", false),
            ("<!-- <script>x()</script> --><textarea><script></textarea>", false),
            ("<!--[if IE]><script src=a.js></script><![endif]-->", false),
        ] {
            assert_eq!(has_scripts(DocumentKind::Html, source, 0), expected, "{source}");
        }
        let xhtml =
            |content: &str| format!("<html xmlns='http://www.w3.org/1999/xhtml'>{content}</html>");
        let kind = DocumentKind::Xhtml;
        assert!(has_scripts(kind, &xhtml("<script src='x'/>"), 0));
        assert!(!has_scripts(kind, &xhtml("<p/>"), 0));
    }

    #[test]
    fn the_documents_around_a_script_do_not_run_it() {
        let source = "<iframe srcdoc='<p>'></iframe><script>x()</script>";
        assert!(!has_scripts(DocumentKind::Html, source, 1));
    }

    proptest! {
        #[test]
        fn tags_are_found_where_they_begin_first(
            pieces in proptest::collection::vec(select(vec![
                "<script", "<SCRIPT", "<Scr", "<s", "</script", "</SCRIPT>", "<link", "<LI", "<?XML-stylesheet",
                ">", "<", "a", "scriptscript",
                "0123456789012345678901234567890123456789012345678901234567890123456789",
            ]), 0..60),
            at in 0..300_usize,
        ) {
            let html = pieces.concat();
            for tag in ["<script", "</script", "<link", "<?xml-stylesheet"] {
                let lower = html.to_ascii_lowercase();
                let expected = lower.get(at..).and_then(|rest| Some(at + rest.find(tag)?));
                prop_assert_eq!(find_tag(html.as_bytes(), at, tag.as_bytes()), expected);
            }
        }
    }
}
