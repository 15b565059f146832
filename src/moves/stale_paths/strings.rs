//! The strings of a script, of data or of markup that may be paths.
//!
//! No lexer: what stands between two quotes of one kind in one line may be a string, whether the first
//! quote begins it or ends another. Code between two strings is no path of a file, and a quote in a
//! comment or in a regular expression hides nothing.

use std::borrow::Cow;
use std::path::Path;

use crate::document::{DocumentKind, Span, script_elements};

/// The longest string that may be a path, in bytes.
const LONGEST: usize = 1024;

/// The kinds of files with strings that scripts treat as paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringSyntax {
    /// JavaScript, and JSON.
    Script,
    /// HTML: the content of `script` elements.
    Html,
    /// XML: attribute values and text.
    Xml,
}

/// Extensions of scripts and data.
const EXTENSIONS: &[&str] = &["js", "mjs", "cjs", "json"];

impl StringSyntax {
    /// The syntax of the file at `path`, which is no document; `None` if it holds no such strings.
    pub(super) fn of_path(path: &Path) -> Option<StringSyntax> {
        let extension = path.extension()?.to_str()?;
        let is_script = EXTENSIONS
            .iter()
            .any(|known| extension.eq_ignore_ascii_case(known));
        is_script.then_some(StringSyntax::Script)
    }

    /// The syntax of documents of this kind.
    pub(super) fn of_document(kind: DocumentKind) -> Option<StringSyntax> {
        match kind {
            DocumentKind::Html => Some(StringSyntax::Html),
            DocumentKind::Xhtml | DocumentKind::Xml => Some(StringSyntax::Xml),
            DocumentKind::WebManifest => Some(StringSyntax::Script),
            _ => None,
        }
    }

    /// Calls `found` for every string of `bytes` that may be a path, with its span, in the order of
    /// their ends.
    pub(super) fn strings<'b>(self, bytes: &'b [u8], mut found: impl FnMut(Span, Cow<'b, str>)) {
        let is_xml = self == StringSyntax::Xml;
        let scripts = match self {
            StringSyntax::Script | StringSyntax::Xml => vec![Span::from(0..bytes.len())],
            StringSyntax::Html => script_elements(bytes).map(|it| it.content).collect(),
        };
        for span in scripts {
            between_delimiters(span.of(bytes), is_xml, |inner| {
                let inner = inner.shifted(span.start);
                if let Some(text) = path_text(inner.of(bytes), is_xml) {
                    found(inner, text);
                }
            });
        }
    }
}

/// Calls `found` for what stands between two quotes of one kind in one line; in XML also for text
/// between two tags, without the white space around it.
fn between_delimiters(bytes: &[u8], is_xml: bool, mut found: impl FnMut(Span)) {
    // The end of the last delimiter of each kind: `"`, `'`, a backtick, and `>` of XML.
    let mut last: [Option<usize>; 4] = [None; 4];
    for (at, byte) in bytes.iter().enumerate() {
        let (kind, is_end) = match byte {
            b'"' => (0, true),
            b'\'' => (1, true),
            b'`' if !is_xml => (2, true),
            b'>' if is_xml => (3, false),
            b'<' if is_xml => (3, true),
            b'\n' => {
                last = [None, None, None, last[3]];
                continue;
            }
            _ => continue,
        };
        if is_end && let Some(start) = last[kind] {
            let inner = bytes.get(start..at).unwrap_or_default();
            let trimmed = inner.trim_ascii_start();
            let start = at - trimmed.len();
            found(Span::from(start..start + trimmed.trim_ascii_end().len()));
        }
        last[kind] = (*byte != b'<').then_some(at + 1);
    }
}

/// The text of a string that may be a path, with its escapes resolved. A path has a dot or a slash, and
/// something else.
fn path_text(raw: &[u8], is_xml: bool) -> Option<Cow<'_, str>> {
    if raw.len() > LONGEST || memchr::memchr2(b'/', b'.', raw).is_none() {
        return None;
    }
    let is_forbidden = |b: &u8| b.is_ascii_control() || b"<>{}|^\"".contains(b);
    if raw.iter().any(is_forbidden) || raw.iter().all(|b| b"./".contains(b)) {
        return None;
    }
    let text = std::str::from_utf8(raw).ok()?;
    if is_xml {
        let has_reference = text.contains("&amp;");
        return Some(match has_reference {
            true => Cow::Owned(text.replace("&amp;", "&")),
            false => Cow::Borrowed(text),
        });
    }
    Some(match text.contains('\\') {
        // JSON may escape slashes; nothing else in a path needs an escape.
        true => Cow::Owned(text.replace("\\/", "/")),
        false => Cow::Borrowed(text),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(syntax: StringSyntax, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        syntax.strings(text.as_bytes(), |span, string| {
            assert_eq!(span.of_str(text).is_empty(), string.is_empty());
            found.push(string.into_owned());
        });
        found
    }

    #[test]
    fn strings_of_scripts_are_found_whatever_stands_between_them() {
        for (text, expected) in [
            (
                r#"a("x/y.html", 'b.js', `c/d`)"#,
                &["x/y.html", "b.js", "c/d"][..],
            ),
            ("// it's\nf('a.js')", &["a.js"]),
            ("s.replace(/'/g, ''); t = 'a/b'", &["/g,", "a/b"]),
            (r#"{"location": "guide\/a\/"}"#, &["guide/a/"]),
            ("'plain' 'a b'  './' '..'", &[]),
            ("'a/\nb'", &[]),
            ("`a/${x}`", &[]),
        ] {
            assert_eq!(strings(StringSyntax::Script, text), expected, "{text}");
        }
    }

    #[test]
    fn strings_of_html_are_those_of_its_scripts() {
        let html = "<a href='a/b'><SCRIPT type=x>f('c/d')</SCRIPT><p>'e/f'<script>'g/h'";
        assert_eq!(strings(StringSyntax::Html, html), ["c/d", "g/h"]);
    }

    #[test]
    fn strings_of_xml_are_attribute_values_and_text() {
        let xml = "<e url='a/b?x&amp;y'>\n <url>\n  /c/d.html </url><t>a. b</t></e>";
        let expected = ["a/b?x&y", "/c/d.html", "a. b"];
        assert_eq!(strings(StringSyntax::Xml, xml), expected);
    }
}
