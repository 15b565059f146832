//! Containers: pieces of text that hold references, and pieces within pieces.
//!
//! An attribute value is a container; so are a `style` element, a quoted URL in it, a `srcdoc`
//! document, and an attribute value in that document. Each container is decoded from a span of its
//! parent (of the working bytes if it has none) and records the syntax of its text there. So
//! [`Document::edits`](super::Document::edits) can raise a change of a reference through any nesting up to the bytes.

use std::fmt::{self, Write};

use encoding_rs::{Encoding, UTF_8};

use super::css::{self, CssSyntax};
use super::document_kind::DocumentKind;
use super::html::{AttributeRow, Element, Quote};
use super::json;
use super::message::transfer::TransferEncoding;
use super::redirects::escape::RuleSyntax;
use super::server_include::IncludeAttribute;
use super::value_rules::{Usage, ValueBase, ValueKind, ValueRules};
use super::xml::{self, XmlPlace};
use rehref_generators::Text;
use rehref_generators::data::{ScalarSyntax, scalar};
use rehref_generators::markdown::{DestinationForm, MarkdownRow, destination, rows};
use rehref_url::{Span, TextEdit, splice_text};

/// A container: a piece of text that contains references or further containers.
#[derive(Clone, Debug)]
pub struct Container {
    /// The index of the enclosing container; `None` if this container is directly in the working bytes of the
    /// document.
    pub parent: Option<usize>,
    /// The span of the raw text, in the parent's decoded text, or in the working bytes without a parent.
    pub span: Span,
    /// The text after decoding by `syntax`.
    pub text: Text,
    pub syntax: Syntax,
    pub kind: ContainerKind,
    /// The encoding of queries in the container's references (URL Standard, "encoding override").
    pub query_encoding: &'static Encoding,
    /// True if the text could be decoded. If not, the container has no references.
    pub is_readable: bool,
}

impl Container {
    /// Returns a readable container, whose queries are in UTF-8.
    pub(super) fn new(
        parent: Option<usize>,
        span: Span,
        text: Text,
        syntax: Syntax,
        kind: ContainerKind,
    ) -> Container {
        let (query_encoding, is_readable) = (UTF_8, true);
        Container { parent, span, text, syntax, kind, query_encoding, is_readable }
    }
}

/// The syntax of a container's raw text, which decides how characters are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Syntax {
    /// No escapes: the content of a `style` element, a comment, a whole file.
    Verbatim,
    /// An HTML attribute value.
    Attribute(Quote),
    /// A URL in CSS.
    Css(CssSyntax),
    /// A string in JSON.
    Json,
    /// An attribute or text in XML.
    Xml(XmlPlace),
    /// The value of a header of a message.
    Header,
    /// A URL in Markdown.
    Markdown(DestinationForm),
    /// A scalar of YAML or TOML.
    Scalar(ScalarSyntax),
    /// One side of a redirect rule.
    Rule(RuleSyntax),
    /// The body of a part of a message, in a transfer encoding.
    Transfer(TransferEncoding),
}

impl Syntax {
    /// Returns true if the text is a file path, which is not percent-encoded as a URL is.
    pub fn is_path(self) -> bool {
        matches!(self, Syntax::Scalar(ScalarSyntax { is_path: true, .. }))
    }
}

/// The kind of a container, which decides its name in messages and the rules for its URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    /// An attribute value of HTML.
    Attribute {
        element: Element,
        /// The row of the attribute, with its name and the rules for its URLs.
        row: &'static AttributeRow,
    },
    /// An attribute value of XML, or the content of an element. In a box, as is a header, since a document has
    /// very many containers, and both are much larger than what most of them are.
    Markup(Box<MarkupContainer>),
    /// The value of a header of a message.
    Header(Box<HeaderContainer>),
    /// The body of the part of a message with this number; of the message itself if it is empty.
    Part(String),
    /// A conditional comment.
    Comment,
    /// A path in a server-side include.
    Include(&'static IncludeAttribute),
    /// A URL in Markdown, or in the navigation of its generator.
    Markdown(&'static MarkdownRow),
    /// A URL in CSS, JSON or a redirect rule.
    Piece,
    /// A URL in a text file whose lines name URLs.
    Line,
    /// A whole file of this kind.
    File(DocumentKind),
}

/// The place of a container in XML, or in the content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkupContainer {
    pub element: Element,
    /// The attribute's name as written; `None` for the content.
    pub attribute: Option<String>,
    pub rules: ValueRules,
}

/// The place of a container in the headers of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderContainer {
    /// The number of the part; empty for the message itself.
    pub part: String,
    pub name: String,
    /// The rules for the URLs in the header; `None` for `Link` (RFC 8288).
    pub rules: Option<ValueRules>,
    /// True if the header is in an HTTP response and states a base URL, which browsers ignore (RFC 7231
    /// appendix B).
    pub is_http_base: bool,
}

impl ContainerKind {
    /// Returns true if the container is a definition in Markdown that no reference uses.
    pub fn is_unused(&self) -> bool {
        matches!(self, ContainerKind::Markdown(row) if row.is_unused)
    }

    /// Returns true if the container is the path of a module that a document imports.
    pub fn is_import(&self) -> bool {
        matches!(self, ContainerKind::Markdown(row) if **row == rows::IMPORT)
    }

    /// Returns the rules for the URLs in the container; `None` if it holds no URLs itself.
    pub fn rules(&self) -> Option<ValueRules> {
        match self {
            ContainerKind::Attribute { row, .. } => Some(row.rules),
            ContainerKind::Include(_) => Some(INCLUDED),
            ContainerKind::Markup(markup) => Some(markup.rules),
            ContainerKind::Markdown(row) => Some(rules_of_markdown(row)),
            ContainerKind::Header(header) => header.rules,
            _ => None,
        }
    }

    /// Returns true if it is a header that gives a base URL by the older standards only.
    pub(super) fn is_http_base(&self) -> bool {
        matches!(self, ContainerKind::Header(header) if header.is_http_base)
    }

    /// Returns true if the container is a style sheet: a file, or the content of a `style` element.
    pub fn is_style_sheet(&self) -> bool {
        match self {
            ContainerKind::File(kind) => *kind == DocumentKind::Css,
            _ => self
                .attribute()
                .is_some_and(|(element, attribute)| element.name == "style" && attribute.is_none()),
        }
    }

    /// Returns the element that it is an attribute or the content of, and the name of the attribute.
    pub(super) fn attribute(&self) -> Option<(&Element, Option<&str>)> {
        match self {
            ContainerKind::Attribute { element, row } => Some((element, Some(row.attribute))),
            ContainerKind::Markup(it) => Some((&it.element, it.attribute.as_deref())),
            _ => None,
        }
    }
}

/// The rules for the paths of server-side includes: the page loads what they name.
const INCLUDED: ValueRules =
    ValueRules::of(ValueKind::Url).usage(Usage::Resource).relative_to(ValueBase::BeforeBase);

/// The rules for the URL in a place of Markdown.
fn rules_of_markdown(row: &MarkdownRow) -> ValueRules {
    let usage = if row.is_image { Usage::Image } else { Usage::Link };
    let rules = ValueRules::of(ValueKind::Url).usage(usage);
    if row.empty_resolves { rules.empty_resolves() } else { rules }
}

/// Returns the span in the working bytes for `span`, which is in the decoded text of the container at `index`.
pub fn span_in(containers: &[Container], index: usize, mut span: Span) -> Span {
    let mut at = Some(index);
    while let Some(container) = at.and_then(|at| containers.get(at)) {
        let source = container.text.source_span(span);
        span = source.shifted(container.span.start);
        at = container.parent;
    }
    span
}

impl Container {
    /// Writes the name that [`place_of`] has for it; nothing if it has none.
    fn write_name(&self, place: &mut String) -> fmt::Result {
        match &self.kind {
            ContainerKind::Attribute { element, row } => {
                write!(place, "{element} {}", row.attribute)
            }
            ContainerKind::Markup(markup) => match &markup.attribute {
                Some(attribute) => write!(place, "{} {attribute}", markup.element),
                None => write!(place, "{}", markup.element),
            },
            ContainerKind::Header(header) if header.part.is_empty() => {
                place.write_str(&header.name)
            }
            ContainerKind::Header(header) => {
                write!(place, "part {} > {}", header.part, header.name)
            }
            ContainerKind::Part(part) if part.is_empty() => Ok(()),
            ContainerKind::Part(part) => write!(place, "part {part}"),
            ContainerKind::Comment => place.write_str("conditional comment"),
            ContainerKind::Include(row) => write!(place, "#{} {}", row.directive, row.attribute),
            ContainerKind::Markdown(row) => place.write_str(row.name),
            ContainerKind::Piece => place.write_str(match self.syntax {
                Syntax::Css(_) => "url()",
                Syntax::Rule(_) => "redirect rule",
                _ => "URL",
            }),
            ContainerKind::Line | ContainerKind::File(_) => Ok(()),
        }
    }
}

/// Returns the names of the container at `index` and of those around it, outermost first:
/// `iframe srcdoc > img src`.
pub fn place_of(containers: &[Container], index: usize) -> String {
    let around = |container: &&Container| container.parent.and_then(|at| containers.get(at));
    let names: Vec<&Container> = std::iter::successors(containers.get(index), around).collect();
    let mut place = String::new();
    for container in names.into_iter().rev() {
        let start = place.len();
        if start > 0 {
            place.push_str(" > ");
        }
        // Writing to a string returns no error.
        let named = place.len();
        let _ = container.write_name(&mut place);
        if place.len() == named {
            place.truncate(start);
        }
    }
    place
}

impl Container {
    /// Returns true if every character of `text` can be written in this syntax. No syntax can write NUL, XML
    /// has no control characters, and a CDATA section has no escape for the carriage return. Base URLs may
    /// contain these characters in the older standards.
    pub fn can_hold(&self, text: &str) -> bool {
        let is_writable = |c: char| match self.syntax {
            Syntax::Attribute(_) | Syntax::Css(_) => c != '\0',
            Syntax::Xml(XmlPlace::CData | XmlPlace::Mixed) if c == '\r' => false,
            Syntax::Xml(_) => !c.is_ascii_control() || matches!(c, '\t' | '\n' | '\r' | '\x7F'),
            _ => true,
        };
        match self.syntax {
            Syntax::Markdown(form) => destination::can_hold(text, form),
            Syntax::Scalar(syntax) => scalar::can_hold(text, syntax),
            _ => text.chars().all(is_writable),
        }
    }

    /// Raises changes, in order, one level: to spans of `source`, the parent's text, and escaped.
    pub(super) fn raise(&self, source: &[u8], changes: Vec<TextEdit>) -> Vec<TextEdit> {
        let raw = self.span.of(source);
        let raised: Vec<TextEdit> = match self.syntax {
            // The HTML of a feed, which is not in a page, may have any characters.
            Syntax::Json if matches!(self.kind, ContainerKind::Piece) => {
                let raw = std::str::from_utf8(raw).unwrap_or("");
                let raise = |change: TextEdit| {
                    json::edit(raw, &self.text, change.span, &change.replacement)
                };
                changes.into_iter().map(raise).collect()
            }
            Syntax::Markdown(form) => destination::edits(raw, &self.text, changes, form),
            Syntax::Scalar(syntax) => scalar::edits(raw, &self.text, changes, syntax),
            Syntax::Rule(rule) => {
                let text = splice_text(self.text.as_str(), &changes);
                // A text that cannot be written here has been skipped.
                let written = rule.encode(&text);
                let whole = |written| TextEdit::new(0..raw.len(), written);
                written.map(whole).into_iter().collect()
            }
            // Whole lines are encoded again.
            Syntax::Transfer(encoding) => {
                let carried = |change: TextEdit| TextEdit {
                    span: self.text.carried_span(change.span),
                    ..change
                };
                encoding.encode_edits(raw, changes.into_iter().map(carried).collect())
            }
            syntax => {
                let needs_quotes = self.needs_quotes(&changes);
                let changes = self.text.over_whole_pieces(changes);
                let places = match syntax {
                    Syntax::Xml(XmlPlace::Mixed) => xml::Places::of(raw),
                    _ => xml::Places::default(),
                };
                let raise = |change| self.raise_escaped(raw, change, &places);
                let raised = changes.into_iter().map(raise).collect();
                if needs_quotes { self.with_quotes(raw, raised) } else { raised }
            }
        };
        let in_parent = |change: TextEdit| change.shifted(self.span.start);
        raised.into_iter().map(in_parent).collect()
    }

    /// Returns true if the value has no quotes, but needs them after `changes`.
    fn needs_quotes(&self, changes: &[TextEdit]) -> bool {
        match self.syntax {
            Syntax::Attribute(Quote::NoValue) => true,
            Syntax::Attribute(Quote::Unquoted) => {
                let new = splice_text(self.text.as_str(), changes);
                // Simple parsers read two equals signs as one.
                let is_doubled = changes.first().is_some_and(|change| change.span.start == 0)
                    && new.starts_with('=');
                let mut inserted = changes.iter().flat_map(|change| change.replacement.bytes());
                // After "=" without a value, the next attribute would become the value.
                new.is_empty() || is_doubled || inserted.any(|b| UNQUOTED_FORBIDDEN.contains(&b))
            }
            _ => false,
        }
    }

    /// Raises a change of the text to `raw`, its source bytes. `places`: the CDATA sections of `raw`.
    fn raise_escaped(&self, raw: &[u8], change: TextEdit, places: &xml::Places) -> TextEdit {
        let span = self.text.source_span(change.span);
        let mut replacement = self.escape(&change.replacement, span, places);
        // Without a replacement, an open escape can only absorb the character after the removed text.
        let next = self.text.as_str().as_bytes().get(change.span.end);
        let is_absorbed = !replacement.is_empty()
            || next.is_some_and(|next| {
                next.is_ascii_alphanumeric() || b"=; \t\n\x0C\r".contains(next)
            });
        if is_absorbed && self.text.is_after_open_escape(raw, change.span.start) {
            // A character reference without its semicolon, or a CSS escape without its space,
            // would absorb the text that follows it.
            let closer = match self.syntax {
                Syntax::Css(_) => ' ',
                _ => ';',
            };
            replacement.insert(0, closer);
        }
        TextEdit { span, replacement }
    }

    /// Escapes `with` for the bytes `span` of the raw text. `places`: its CDATA sections.
    fn escape(&self, with: &str, span: Span, places: &xml::Places) -> String {
        match self.syntax {
            Syntax::Attribute(_) if !with.bytes().any(|b| b"&\"'\r".contains(&b)) => {
                with.to_owned()
            }
            Syntax::Attribute(quote) => {
                let mut escaped = String::with_capacity(with.len());
                for c in with.chars() {
                    match c {
                        '&' => escaped.push_str("&amp;"),
                        '"' if quote != Quote::Single => escaped.push_str("&quot;"),
                        '\'' if quote == Quote::Single => escaped.push_str("&#39;"),
                        '\r' => escaped.push_str("&#13;"),
                        c => escaped.push(c),
                    }
                }
                escaped
            }
            Syntax::Css(syntax) => css::escape(with, syntax),
            Syntax::Json => json::escape(with),
            Syntax::Xml(XmlPlace::Mixed) => escape_mixed(with, span, places),
            Syntax::Xml(place) => xml::escape(with, place),
            _ => with.to_owned(),
        }
    }

    /// Adds to `changes` of `raw`, an attribute value without quotes, the edits that quote it.
    fn with_quotes(&self, raw: &[u8], changes: Vec<TextEdit>) -> Vec<TextEdit> {
        let opener = match self.syntax {
            Syntax::Attribute(Quote::NoValue) => "=\"",
            _ => "\"",
        };
        let mut quoted = vec![TextEdit::new(0..0, opener)];
        let mut kept_from = 0;
        let end = TextEdit::new(raw.len()..raw.len(), "\"");
        for change in changes.into_iter().chain([end]) {
            let kept = raw.get(kept_from..change.span.start).unwrap_or_default();
            let quotes = memchr::memchr_iter(b'"', kept).map(|at| kept_from + at);
            quoted.extend(quotes.map(|at| TextEdit::new(at..at + 1, "&quot;")));
            kept_from = change.span.end;
            // One edit for a whole value: a document may have very many.
            match quoted.last_mut() {
                Some(last) if last.span.end == change.span.start => {
                    last.span.end = change.span.end;
                    last.replacement += &change.replacement;
                }
                _ => quoted.push(change),
            }
        }
        quoted
    }
}

/// Escapes `with` for the bytes `span` of text that is partly in CDATA sections. A span over the edge
/// of a section deletes the edge, which is written again: before the last character, so that it stays
/// inside the URL.
fn escape_mixed(with: &str, span: Span, places: &xml::Places) -> String {
    if let Some(place) = places.at(span) {
        return xml::escape(with, place);
    }
    let place_at = |at: usize| places.at(Span::at(at)).unwrap_or(XmlPlace::Text);
    let (first, last) = (place_at(span.start), place_at(span.end));
    let edge = match (first, last) {
        (XmlPlace::CData, XmlPlace::Text) => "]]>",
        (XmlPlace::Text, XmlPlace::CData) => "<![CDATA[",
        _ => "",
    };
    let at = with.char_indices().next_back().map_or(0, |(at, _)| at);
    let (start, end) = if at > 0 { with.split_at(at) } else { (with, "") };
    xml::escape(start, first) + edge + &xml::escape(end, last)
}

/// The bytes that an unquoted attribute value must not hold (HTML Standard section 13.1.2.3), but for the equals sign,
/// which parsers read as a part of the value (section 13.2.5.38).
const UNQUOTED_FORBIDDEN: &[u8] = b"\t\n\x0C\r \"'<>`";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, ParseOptions};
    use rehref_url::splice;

    fn parse(kind: DocumentKind, source: &str) -> Document<'_> {
        let options = ParseOptions { kind, ..ParseOptions::default() };
        Document::parse(source.as_bytes(), &options).unwrap()
    }

    fn sitemap(location: &str) -> String {
        let namespace = "http://www.sitemaps.org/schemas/sitemap/0.9";
        format!("<urlset xmlns='{namespace}'><url><loc>{location}</loc></url></urlset>")
    }

    #[test]
    fn replacements_are_escaped_for_their_place() {
        let (html, css, xml) = (DocumentKind::Html, DocumentKind::Css, DocumentKind::Xml);
        let mixed = sitemap("http://h/<![CDATA[a&b]]>c");
        for (kind, source, old, new, expected) in [
            (html, "<a href=\"xy\">", "x", "\"'&\r", "<a href=\"&quot;'&amp;&#13;y\">"),
            (html, "<a href='xy'>", "x", "\"'&", "<a href='\"&#39;&amp;y'>"),
            (html, "<a href=xy>", "x", "\"", "<a href=\"&quot;y\">"),
            (html, "<a href='&amp/x'>", "/x", "y", "<a href='&amp;y'>"),
            (html, "<a href='&#97x'>", "x", "0", "<a href='&#97;0'>"),
            (html, "<a href='&#97;x'>", "x", "0", "<a href='&#97;0'>"),
            (html, "<p style='b:url(\\61x)'>", "x", "b", "<p style='b:url(\\61 b)'>"),
            (css, "a{b:url(\\61x)}", "x", "b", "a{b:url(\\61 b)}"),
            (css, "a{b:url(\\61 x)}", "x", "b", "a{b:url(\\61 b)}"),
            (css, "a{b:url(\\000061x)}", "x", "b", "a{b:url(\\000061b)}"),
            (css, "a{b:url(\\gx)}", "x", "b", "a{b:url(\\gb)}"),
            (xml, &mixed, "h/a", "i/&<", &sitemap("http://i/&amp;<![CDATA[<&b]]>c")),
            (xml, &mixed, "a", "&<", &sitemap("http://h/<![CDATA[&<&b]]>c")),
            (xml, &mixed, "bc", "&", &sitemap("http://h/<![CDATA[a&&]]>")),
            (xml, &mixed, "bc", "&&", &sitemap("http://h/<![CDATA[a&&]]>&amp;")),
            (xml, &mixed, "c", "&", &sitemap("http://h/<![CDATA[a&b]]>&amp;")),
        ] {
            let document = parse(kind, source);
            let container = document.references[0].container;
            let text = document.containers[container].text.as_str();
            let start = text.find(old).unwrap();
            let mut changes = vec![Vec::new(); document.containers.len()];
            changes[container].push(TextEdit::new(start..start + old.len(), new));
            let edits = document.edits(changes);
            let edited = splice(document.working_bytes(), &edits);
            assert_eq!(String::from_utf8_lossy(&edited), expected, "{source}");
            // The text is read as it was written.
            let expected = format!("{}{new}{}", &text[..start], &text[start + old.len()..]);
            let edited = String::from_utf8(edited).unwrap();
            let document = parse(kind, &edited);
            assert_eq!(document.containers[container].text.as_str(), expected);
        }
    }

    #[test]
    fn characters_that_a_place_cannot_hold() {
        use crate::lines::LineSyntax;
        let all = "\0\u{1}\t\n\r\u{1F}\u{7F}";
        let cdata = sitemap("<![CDATA[http://h/]]>");
        let mixed = sitemap("http://h/<![CDATA[x]]>");
        for (kind, source, expected) in [
            (DocumentKind::Html, "<a href=x>", "\0"),
            (DocumentKind::Css, "a{b:url(x)}", "\0"),
            (DocumentKind::Lines(LineSyntax::Robots), "Sitemap: x", ""),
            (DocumentKind::Xml, &sitemap("http://h/"), "\0\u{1}\u{1F}"),
            (DocumentKind::Xml, &cdata, "\0\u{1}\r\u{1F}"),
            (DocumentKind::Xml, &mixed, "\0\u{1}\r\u{1F}"),
        ] {
            let document = parse(kind, source);
            let container = &document.containers[document.references[0].container];
            let mut refused = all.to_owned();
            refused.retain(|c| !container.can_hold(&format!("a{c}")));
            assert_eq!(refused, expected, "{source}");
        }
    }

    #[test]
    fn all_changes_of_a_text_are_visited_in_order() {
        let source = "<style>a{b:url(x) url(y)}</style>";
        let document = parse(DocumentKind::Html, source);
        let mut changes = vec![Vec::new(); document.containers.len()];
        for reference in &document.references {
            changes[reference.container].push(TextEdit::new(0..1, "zz"));
        }
        let mut visited = Vec::new();
        document.visit_changes(changes, |container, changes| {
            let edited = splice(container.text.as_str().as_bytes(), changes);
            visited.push(String::from_utf8(edited).unwrap());
        });
        assert_eq!(visited, ["zz", "zz", "a{b:url(zz) url(zz)}"]);
    }
}
