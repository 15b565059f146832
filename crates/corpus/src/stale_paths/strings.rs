//! The strings of a script, of data, of markup or of other text that may be paths.
//!
//! No lexer: what stands between two quotes of one kind in one line may be a string, whether the first
//! quote begins it or ends another. Code between two strings is not a path of a file, and a quote in a
//! comment or in a regular expression hides nothing. Strings may hold markup with quotes of its own, in
//! one piece or in several (`'<img src="' + root + 'a.png">'`), so that what stands between two
//! neighbouring quotes of any kind counts, too, and what stands before `${` and after its `}`. Compressed
//! data in a string is searched as well.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use super::markup::{LONGEST, attributes, custom_attributes, query_values};
use super::names::{ids_of_documents, is_name, names_of_pages};
use super::packed::{SHORTEST, unpacked};
use super::scan::each_byte;
use super::words::{folder_of_pattern, words};
use rehref_document::{DocumentKind, SCRIPTS, inline_code};
use rehref_generators::markdown::front_matter;
use rehref_url::{Span, percent_decoded};

/// The kinds of files with strings that scripts treat as paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringSyntax {
    /// JavaScript, and JSON.
    Script,
    /// HTML: the content of `script` elements.
    Html,
    /// XML: attribute values and text.
    Xml,
    /// Any other text: words, since most strings have no quotes.
    Text,
}

/// The extensions of scripts and data.
const SCRIPT_EXTENSIONS: &[&str] =
    &["js", "mjs", "cjs", "json", "ts", "mts", "cts", "jsx", "tsx", "vue", "toml"];

impl StringSyntax {
    /// Returns the syntax of the file at `path`, which is not a document.
    pub(crate) fn of_path(path: &Path) -> StringSyntax {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let is_script = SCRIPT_EXTENSIONS.iter().any(|it| extension.eq_ignore_ascii_case(it));
        if is_script { StringSyntax::Script } else { StringSyntax::Text }
    }

    /// Returns true if strings of this syntax are those of a whole file.
    pub(super) fn is_of_file(self) -> bool {
        matches!(self, StringSyntax::Script | StringSyntax::Text)
    }

    /// Returns the syntax of documents of this kind.
    pub(crate) fn of_document(kind: DocumentKind) -> Option<StringSyntax> {
        match kind {
            DocumentKind::Html => Some(StringSyntax::Html),
            DocumentKind::Xhtml | DocumentKind::Xml => Some(StringSyntax::Xml),
            DocumentKind::WebManifest | DocumentKind::JsonFeed => Some(StringSyntax::Script),
            // Their lines may name more than their references.
            DocumentKind::Lines(_) | DocumentKind::Redirects(_) | DocumentKind::Markdown(_) => {
                Some(StringSyntax::Text)
            }
            _ => None,
        }
    }

    /// Calls `found` for every string of `bytes` that may be a path: first those of scripts, in the order of
    /// their ends, then those of attributes that scripts read (`data-`, `hx-`) and of custom elements.
    pub(crate) fn strings<'b>(self, bytes: &'b [u8], mut found: impl FnMut(PathString<'b>)) {
        if self == StringSyntax::Text {
            let may_have_front_matter = [b"---", b"+++"].iter().any(|it| bytes.starts_with(*it));
            if may_have_front_matter && let Ok(text) = std::str::from_utf8(bytes) {
                front_matter::names(text, |span| {
                    let kind = StringKind::Sibling;
                    let string = PathString::new(span, span.of_str(text).into());
                    found(PathString { kind, may_be_reference: true, ..string });
                });
            }
            let mut add = |span: Span| {
                if let Some(text) = self.path_text(bytes, span) {
                    found(PathString { may_be_reference: true, ..PathString::new(span, text) });
                }
            };
            words(bytes, &mut add);
            // A path with a space is in quotes.
            return between_delimiters(bytes, false, |span| {
                if span.of(bytes).contains(&b' ') {
                    add(span);
                }
            });
        }
        let whole = Span::from(0..bytes.len());
        let scripts: Vec<(Span, bool)> = match self {
            StringSyntax::Script | StringSyntax::Xml | StringSyntax::Text => vec![(whole, true)],
            // Only data blocks hold references: import maps, speculation rules, JSON-LD.
            StringSyntax::Html => {
                let scripts = inline_code(bytes, SCRIPTS)
                    .map(|it| (it.content, may_be_data(it.attributes.of(bytes))));
                scripts.chain(attributes(bytes, b"on").map(|handler| (handler, false))).collect()
            }
        };
        for (script, may_be_reference) in scripts {
            between_delimiters(script.of(bytes), self == StringSyntax::Xml, |span| {
                let whole = span.shifted(script.start);
                let is_code = self == StringSyntax::Script;
                let folder = is_code.then(|| folder_of_pattern(bytes, whole)).flatten();
                let span = folder.unwrap_or(whole);
                if let Some(text) = self.path_text(bytes, span) {
                    let kind = folder.map_or(StringKind::Path, |_| StringKind::Folder);
                    let string = PathString::new(span, text);
                    found(PathString { kind, may_be_reference, ..string });
                } else if let Some(unpacked) = unpacked(span.of(bytes)) {
                    between_delimiters(&unpacked, false, |inner| {
                        if let Some(text) = StringSyntax::Script.path_text(&unpacked, inner) {
                            found(PathString::new(span, Cow::Owned(text.into_owned())));
                        }
                    });
                }
            });
        }
        if self == StringSyntax::Script {
            for span in names_of_pages(bytes).chain(ids_of_documents(bytes)) {
                if let Ok(text) = std::str::from_utf8(span.of(bytes)) {
                    let kind = StringKind::Name;
                    found(PathString { kind, ..PathString::new(span, text.into()) });
                }
            }
        }
        if self != StringSyntax::Html {
            return;
        }
        for (page, span) in query_values(bytes) {
            let text = percent_decoded(std::str::from_utf8(span.of(bytes)).unwrap_or_default());
            if let (Ok(page), Ok(text)) =
                (std::str::from_utf8(page.of(bytes)), String::from_utf8(text))
            {
                let is_path = text.len() <= LONGEST
                    && has_letters(text.as_bytes()) == Some(true)
                    && text.contains(['/', '.']);
                if is_path {
                    // A run rewrites it with the link.
                    let before = bytes.get(..span.start).unwrap_or_default();
                    let may_be_reference =
                        page.ends_with("viewer.html") && before.ends_with(b"file=");
                    let string = PathString::new(span, Cow::Owned(text));
                    let kind = StringKind::Query(page);
                    found(PathString { kind, may_be_reference, ..string });
                }
            }
        }
        let of_data = attributes(bytes, b"data-").chain(attributes(bytes, b"hx-"));
        let of_data = of_data.chain(attributes(bytes, b"w3-include-html")).map(|it| (it, true));
        let of_custom = custom_attributes(bytes).map(|it| (it, false));
        for (value, may_be_name) in of_data.chain(of_custom) {
            let is_name = may_be_name && is_name(value.of(bytes));
            let mut add = |span: Span| {
                let name = std::str::from_utf8(span.of(bytes)).ok();
                let name = name.filter(|_| is_name).map(Cow::Borrowed);
                if let Some(text) = name.or_else(|| self.path_text(bytes, span)) {
                    let kind = if is_name { StringKind::Name } else { StringKind::Path };
                    let string = PathString::new(span, text);
                    found(PathString { kind, may_be_reference: true, ..string });
                }
            };
            add(value);
            // A list of URLs, or data.
            words(value.of(bytes), |word| {
                if word.len() < value.len() {
                    add(word.shifted(value.start));
                }
            });
        }
    }

    /// The text of the string at `span` of `bytes` if it may be a path, with its escapes resolved. A path
    /// has a dot or a slash.
    fn path_text(self, bytes: &[u8], span: Span) -> Option<Cow<'_, str>> {
        let raw = span.of(bytes);
        if raw.len() > LONGEST || memchr::memchr2(b'/', b'.', raw).is_none() {
            return None;
        }
        if !has_letters(raw)? {
            let is_value = || is_assigned(bytes.get(..span.start).unwrap_or_default());
            let is_path = match raw {
                b"/" => is_value(),
                // From a page to the root of its site. Other scripts work on paths of any kind.
                _ if self != StringSyntax::Html => false,
                _ => raw.ends_with(b"../") || raw.ends_with(b"..") && is_value(),
            };
            if !is_path {
                return None;
            }
        }
        let text = std::str::from_utf8(raw).ok()?;
        // JSON may escape slashes; nothing else in a path needs an escape.
        let (first, escape, resolved) = match self {
            StringSyntax::Xml => (b'&', "&amp;", "&"),
            // A pattern of a server.
            StringSyntax::Text => (b'\\', "\\.", "."),
            _ => (b'\\', "\\/", "/"),
        };
        Some(match memchr::memchr(first, raw) {
            Some(_) => {
                let mut text = text.replace(escape, resolved);
                // An escape of a program: `\n`.
                if self == StringSyntax::Text
                    && let Some(end) = text.find('\\')
                {
                    text.truncate(end);
                }
                Cow::Owned(text)
            }
            None => Cow::Borrowed(text),
        })
    }
}

/// Whether `text` has others than dots, slashes and question marks; `None` if it has a byte that no path has.
fn has_letters(text: &[u8]) -> Option<bool> {
    const FORBIDDEN: u8 = 1;
    const LETTER: u8 = 2;
    static KINDS: [u8; 256] = {
        let mut kinds = [LETTER; 256];
        let mut byte = 0;
        while byte < 256 {
            match byte as u8 {
                0..b' ' | b'<' | b'>' | b'{' | b'}' | b'|' | b'^' | b'"' | 0x7F => {
                    kinds[byte] = FORBIDDEN;
                }
                b'.' | b'/' | b'?' => kinds[byte] = 0,
                _ => {}
            }
            byte += 1;
        }
        kinds
    };
    let mut all = 0;
    for &byte in text {
        // The table has a kind for each byte.
        all |= KINDS[usize::from(byte)];
        if all & FORBIDDEN != 0 {
            return None;
        }
    }
    Some(all & LETTER != 0)
}

/// A string that may be a path.
pub struct PathString<'b> {
    pub span: Span,
    pub text: Cow<'b, str>,
    pub kind: StringKind<'b>,
    /// True if documents may have references at the place of the string.
    pub may_be_reference: bool,
}

/// The kind of target that a string may name, which its place determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StringKind<'b> {
    /// A file or folder, by its path.
    Path,
    /// The folder at the start of a pattern, not its page.
    Folder,
    /// A file, folder or page, by its name without a path: the whole value of an attribute, an entry of an index.
    Name,
    /// Another document of the folder, by its name without the extension: a value in front matter, for a layout.
    Sibling,
    /// The value in the query of this URL, which is as it is written.
    Query(&'b str),
}

impl<'b> PathString<'b> {
    fn new(span: Span, text: Cow<'b, str>) -> PathString<'b> {
        PathString { span, text, kind: StringKind::Path, may_be_reference: false }
    }

    /// Returns true if code of `bytes` before the string shows that it is not a path: a test for the end of one
    /// (`endsWith("/index.html")`), or a delimiter of highlight.js (`begin:"/"`).
    pub(super) fn is_not_a_path(&self, bytes: &[u8]) -> bool {
        let before = bytes.get(..self.span.start.saturating_sub(1)).unwrap_or_default();
        let before = before.trim_ascii_end();
        let is_after = |code: &&str| before.ends_with(code.as_bytes());
        ["endsWith(", "begin:", "end:"].iter().any(is_after)
    }

    /// Returns true if code of `bytes` joins the string to a folder, whose index file it is: `name + "/index.html"`.
    pub(super) fn is_joined_index(&self, bytes: &[u8]) -> bool {
        let before = bytes.get(..self.span.start.saturating_sub(1)).unwrap_or_default();
        self.text.starts_with("/index.") && before.trim_ascii_end().ends_with(b"+")
    }

    /// Returns the folder in a string of `bytes` to which a script joins the rest of a name: `../img/` of
    /// `"../img/icon-" + n`.
    pub(super) fn joined_folder(&self, bytes: &[u8]) -> Option<PathString<'b>> {
        let after = bytes.get(self.span.end..)?;
        let after_quote = after.get(1..).unwrap_or_default().trim_ascii_start();
        if !after.starts_with(b"${") && !after_quote.starts_with(b"+") {
            return None;
        }
        let (folder, name) = self.text.rsplit_once('/')?;
        let is_start = !name.is_empty() && !name.contains('.') && !folder.is_empty();
        is_start.then(|| PathString { text: Cow::Owned(format!("{folder}/")), ..*self })
    }
}

/// The elements whose text is the id of a feed's entry, each with a text that only its vocabulary has.
const ENTRY_IDS: [(&[u8], &[u8]); 2] =
    [(b"guid", b"<rss"), (b"id", b"http://www.w3.org/2005/Atom")];

/// How far into a feed its vocabulary is looked for, in bytes: for each of its strings.
const START: usize = 4 << 10;

/// Returns true if the text at `span` of `xml` is the id of a feed's entry.
pub(super) fn is_entry_id(xml: &[u8], span: Span) -> bool {
    let before = xml.get(..span.start).unwrap_or_default().trim_ascii_end();
    let tag = before.strip_suffix(b">").and_then(|tag| {
        let start = memchr::memrchr(b'<', tag)?;
        tag.get(start + 1..)
    });
    let start = xml.get(..START.min(xml.len())).unwrap_or_default();
    let element = tag.and_then(|tag| tag.split(u8::is_ascii_whitespace).next());
    ENTRY_IDS.iter().any(|(name, vocabulary)| {
        element == Some(name) && memchr::memmem::find(start, vocabulary).is_some()
    })
}

/// Returns true if the attributes of a `script` may make it a data block: they have a type other than that of
/// JavaScript.
fn may_be_data(attributes: &[u8]) -> bool {
    const TYPE: &[u8] = b"type";
    const JAVASCRIPT: &[u8] = b"text/javascript";
    let mut starts = memchr::memchr2_iter(b't', b'T', attributes);
    starts.any(|at| {
        let rest = attributes.get(at..).unwrap_or_default();
        let Some((name, value)) = rest.split_at_checked(TYPE.len()) else { return false };
        let is_quote = |b: &u8| matches!(b, b'"' | b'\'');
        let value = match value {
            [b'=', quote, value @ ..] if is_quote(quote) => value.split(|b| b == quote).next(),
            _ => None,
        };
        name.eq_ignore_ascii_case(TYPE)
            && !value.is_some_and(|it| it.eq_ignore_ascii_case(JAVASCRIPT))
    })
}

/// Returns true if the string after `before` is the value of a property or variable: `base: "/"`, `p="/"`.
fn is_assigned(before: &[u8]) -> bool {
    let before = before.get(..before.len().saturating_sub(1)); // the quote
    match before.unwrap_or_default().trim_ascii_end() {
        [.., b'=' | b'!', b'='] => false,
        [.., b':' | b'='] => true,
        _ => false,
    }
}

/// The kind of the delimiters around an expression in a string, `${` and `}`.
const BRACES: usize = 4;

/// Returns true if `byte` begins or ends a string of a script or of XML, or a line, or tells whether a string is a
/// path.
fn is_mark(byte: u8) -> bool {
    let is_quote = (byte == b'"') | (byte == b'\'') | (byte == b'`') | (byte == b'$');
    let is_dot_or_slash = byte | 1 == b'/';
    let is_angle = byte | 2 == b'>';
    let is_brace_or_bar = byte.wrapping_sub(b'{') < 3;
    is_quote | is_dot_or_slash | is_angle | is_brace_or_bar | (byte == b'\n')
}

/// Calls `found` for what stands between two quotes of one kind in one line, and in scripts between two
/// neighbouring quotes of any kind, or a quote and `${`, or its `}` and a quote; in XML also for text between two tags, without the
/// white space around it. Leaves out what is certainly neither a path nor packed data.
fn between_delimiters(bytes: &[u8], is_xml: bool, mut found: impl FnMut(Span)) {
    // The end of the last delimiter of each kind: `"`, `'`, a backtick, `>` of XML, and the `}` of the last `${`.
    let mut last: [Option<usize>; 5] = [None; 5];
    let mut is_in_braces = false;
    let mut last_quote = None;
    // The end of the last byte that every path has, and of the last that no path has.
    let (mut last_needed, mut last_forbidden) = (0, 0);
    each_byte(bytes, is_mark, |at, byte| {
        let (kind, is_end) = match byte {
            b'.' | b'/' => {
                last_needed = at + 1;
                return;
            }
            b'"' => (0, true),
            b'\'' => (1, true),
            b'`' if !is_xml => (2, true),
            b'>' if is_xml => (3, false),
            b'<' if is_xml => (3, true),
            b'$' if !is_xml && bytes.get(at + 1) == Some(&b'{') => (BRACES, true),
            b'\n' => {
                last = [None, None, None, last[3], None];
                is_in_braces = false;
                return;
            }
            b'<' | b'>' | b'{' | b'|' | b'}' => {
                last_forbidden = at + 1;
                let is_end = byte == b'}' && std::mem::take(&mut is_in_braces);
                // With a slash it would be a path from the root of the host, which it need not be.
                if is_end && bytes.get(at + 1) != Some(&b'/') {
                    last[BRACES] = Some(at + 1);
                }
                return;
            }
            _ => return,
        };
        // The quote around a piece of markup may be escaped.
        let neighbour = last_quote.filter(|quote| *quote != kind);
        let neighbour = neighbour.and_then(|quote: usize| last[quote]);
        let of_quote = if kind == BRACES { None } else { last[kind] };
        for start in [of_quote, neighbour, last[BRACES].take()] {
            let may_be_wanted = |start: &usize| {
                let has_needed = last_needed > *start || at - start >= SHORTEST;
                is_end && has_needed && last_forbidden <= *start
            };
            let Some(start) = start.filter(may_be_wanted) else { continue };
            let inner = bytes.get(start..at).unwrap_or_default();
            let trimmed = inner.trim_ascii_start();
            let start = at - trimmed.len();
            let end = trimmed.trim_ascii_end();
            let escapes = end.iter().rev().take_while(|b| **b == b'\\').count();
            found(Span::from(start..start + end.len() - escapes));
        }
        if matches!(byte, b'"' | b'<' | b'>') {
            last_forbidden = at + 1;
        }
        if kind == BRACES {
            is_in_braces = true;
            return;
        }
        if !is_xml {
            last_quote = Some(kind);
        }
        last[kind] = (byte != b'<').then_some(at + 1);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(syntax: StringSyntax, text: &str) -> Vec<String> {
        let mut found = Vec::new();
        syntax.strings(text.as_bytes(), |string| {
            assert_eq!(string.span.of_str(text).is_empty(), string.text.is_empty());
            found.push(string.text.into_owned());
        });
        found
    }

    #[test]
    fn strings_of_scripts_are_found_whatever_stands_between_them() {
        for (text, expected) in [
            (r#"a("x/y.html", 'b.js', `c/d`)"#, &["x/y.html", "b.js", "c/d"][..]),
            ("// it's\nf('a.js')", &["a.js"]),
            ("s.replace(/'/g, ''); t = 'a/b'", &["/g,", "a/b"]),
            (r#"{"location": "guide\/a\/"}"#, &["guide/a/"]),
            (r#"f('<img src="' + root + 'x/y.png" alt="">')"#, &["' + root + 'x/y.png", "x/y.png"]),
            (r#"f("<a href=\"a/b.html\">")"#, &["a/b.html"]),
            (r#"{"text": "<a href=\\\"a/b.html\\\">"}"#, &["a/b.html"]),
            ("'plain' 'a b'  './' '..'", &[]),
            ("'a/\nb'", &[]),
            ("`a/${x}`", &["a/"]),
            ("f(`<img src='../a/${x}'>`)", &["../a/"]),
            ("f(`<a href=\"${root}a/b.html\">`)", &["a/b.html"]),
            ("`${a}/b/c${d}e.html`; x = {y: `${z}`}", &["e.html"]),
            (r#"{"base": "/"}; a.p='/'"#, &["/", "/"]),
            ("a == '/' || a.split('/').join('../')", &[").join("]),
        ] {
            assert_eq!(strings(StringSyntax::Script, text), expected, "{text}");
        }
    }

    #[test]
    fn pages_at_the_root_are_strings_of_the_search_index_of_sphinx() {
        for (text, expected) in [
            (
                r#"Search.setIndex({docnames:["api","a/b","c d"],titles:["faq"]})"#,
                &["a/b", "api"][..],
            ),
            (
                r#"Search.setIndex({"docnames": ["api", "faq"], "terms": {"a": 1}})"#,
                &["api", "faq"],
            ),
            (r#"Search.setIndex({docnames:["api"#, &["api"]),
            ("Search.setIndex({docnames", &[]),
            (r#"f({docnames:["api"]})"#, &[]),
        ] {
            assert_eq!(strings(StringSyntax::Script, text), expected, "{text}");
        }
    }

    #[test]
    fn strings_of_html_are_those_of_its_scripts() {
        let html = "<a href='a/b'><SCRIPT type=x>f('c/d')</SCRIPT><p>'e/f'<script>'g/h'";
        assert_eq!(strings(StringSyntax::Html, html), ["c/d", "g/h"]);
        let html = "<script>let root = '../../', own = './'</script>";
        assert_eq!(strings(StringSyntax::Html, html), ["../../"]);
        let html = "<script type=application/json>{\"base\": \"../..\"}</script><script>x.split('..')</script>";
        assert_eq!(strings(StringSyntax::Html, html), ["../.."]);
    }

    #[test]
    fn strings_of_html_are_those_of_data_attributes() {
        let html = "<a data-root='../' title='a/b' data-x=\"c/d\" xdata-y='e/f' data-z='g h' data-=i \
                    data-crate='j' data-k=''>";
        assert_eq!(strings(StringSyntax::Html, html), ["../", "c/d", "j"]);
    }

    #[test]
    fn ids_of_entries_are_the_texts_of_their_elements() {
        for (xml, expected) in [
            ("<rss><guid>\n §a/b</guid>", true),
            ("<rss><guid isPermaLink='true'>§a/b</guid>", true),
            ("<rss><link>§a/b</link>", false),
            ("<rss><guid a='§a/b'/>", false),
            ("<rss><id>§a/b</id>", false),
            ("<data><guid>§a/b</guid>", false),
            ("<feed xmlns='http://www.w3.org/2005/Atom'><id>§a/b</id>", true),
            ("§a/b", false),
        ] {
            let start = xml.find('§').unwrap();
            let xml = xml.replace('§', "");
            let span = Span::from(start..start + "a/b".len());
            assert_eq!(is_entry_id(xml.as_bytes(), span), expected, "{xml}");
        }
    }

    #[test]
    fn strings_of_yaml_are_words() {
        let yaml = "a: b/c.md\nd:\n  - 'e f/g.md'\n  - h: {i: [j/k, \"l.md\"]}\nm: |\n  n/*.md\n  /o.md\np/q.md: r\n**s/t.md**, !u/v! w.md:12 x.md:3:4. h:80/y </z> <z/> </z/y>\n";
        let expected = [
            "b/c.md", "f/g.md", "j/k", "l.md", "n/", "/o.md", "p/q.md", "s/t.md", "u/v", "w.md",
            "x.md", "h:80/y", "/z/y", "e f/g.md",
        ];
        assert_eq!(strings(StringSyntax::Text, yaml), expected);
    }

    #[test]
    fn strings_of_xml_are_attribute_values_and_text() {
        let xml = "<e url='a/b?x&amp;y'>\n <url>\n  /c/d.html </url><t>a. b</t></e>";
        let expected = ["a/b?x&y", "/c/d.html", "a. b"];
        assert_eq!(strings(StringSyntax::Xml, xml), expected);
    }
}
