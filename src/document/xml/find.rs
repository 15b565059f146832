//! The values of a document that hold URLs.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::entities::{Entities, refers_to_entity};
use super::names::{Scopes, split, vocabulary};
use super::table::{self, Subject, ValuePlace};
use super::text::pieces;
use super::tokens::{self, Attribute, Tag, Token};
use super::{
    NotWellFormed, XmlAnchor, XmlBase, XmlFindings, XmlKind, XmlName, XmlNamespace, XmlPlace,
    XmlRelativeTo, XmlValue,
};
use crate::document::Span;
use crate::document::html::attributes;
use crate::document::html::{AttributeBase, Namespace, Usage};
use crate::document::metadata::Rel;

/// Reads `source` from byte `start` on (behind a byte order mark). All places count from the start
/// of `source`, which is in an ASCII-compatible encoding. With `metadata` anchors and link types are
/// looked for too.
///
/// # Errors
/// When the document is not well-formed.
pub fn find(source: &[u8], start: usize, metadata: bool) -> Result<XmlFindings, NotWellFormed> {
    let document = source.get(start..).unwrap_or_default();
    let readable = tokens::readable(document);
    let mut finder = Finder {
        source,
        entities: Entities::default(),
        scopes: Scopes::default(),
        open: Vec::new(),
        vocabulary: None,
        is_transformation: false,
        metadata,
        elements: 0,
        findings: XmlFindings::default(),
    };
    tokens::read(source, start, &readable, |token| finder.token(token))?;
    Ok(finder.findings)
}

struct Finder<'s> {
    source: &'s [u8],
    entities: Entities<'s>,
    scopes: Scopes<'s>,
    open: Vec<Open<'s>>,
    /// What elements without a namespace are; `None` before the root element.
    vocabulary: Option<XmlNamespace>,
    /// The root element is XSLT's: elements of other vocabularies belong to documents to come.
    is_transformation: bool,
    /// Whether more than URLs is looked for.
    metadata: bool,
    /// How many elements there were.
    elements: usize,
    findings: XmlFindings,
}

/// An element that is open.
struct Open<'s> {
    name: XmlName,
    bound: Vec<&'s [u8]>,
    base: Option<usize>,
    /// It is an XHTML `template`, or in one.
    in_template: bool,
    /// The row for its text, and where its content starts.
    text: Option<(&'static table::Row, usize)>,
}

/// What a row of either table says of a value.
struct Traits {
    kind: XmlKind,
    relative_to: XmlRelativeTo,
    empty_resolves: bool,
    fragment_is_local: bool,
    relative_only: bool,
    rdfa: bool,
    usage: Option<Usage>,
}

impl From<&table::Row> for Traits {
    fn from(row: &table::Row) -> Traits {
        Traits {
            kind: row.kind,
            relative_to: XmlRelativeTo::Base,
            empty_resolves: row.empty_resolves,
            fragment_is_local: row.fragment_is_local,
            relative_only: false,
            rdfa: false,
            usage: Some(Usage::Other),
        }
    }
}

/// Which value it is.
struct ValueAt {
    element: XmlName,
    attribute: Option<String>,
    span: Span,
    place: XmlPlace,
    base: Option<usize>,
    /// It belongs to a document that a transformation makes.
    is_to_come: bool,
    rel: Rel,
}

impl Traits {
    fn value(self, at: ValueAt) -> XmlValue {
        XmlValue {
            element: at.element,
            attribute: at.attribute,
            kind: if at.is_to_come {
                XmlKind::Template
            } else {
                self.kind
            },
            span: at.span,
            place: at.place,
            base: at.base,
            relative_to: self.relative_to,
            empty_resolves: self.empty_resolves,
            fragment_is_local: self.fragment_is_local,
            relative_only: self.relative_only,
            rdfa: self.rdfa,
            usage: self.usage,
            rel: at.rel,
        }
    }
}

/// The text of a value as far as the tables look at it; values with unknown entities are empty.
fn lossy(entities: &Entities<'_>, value: &[u8]) -> String {
    entities.expand(value).unwrap_or_default()
}

impl<'s> Finder<'s> {
    fn bytes(&self, span: Span) -> &'s [u8] {
        span.of(self.source)
    }

    fn token(&mut self, token: Token<'s>) -> Result<(), NotWellFormed> {
        match token {
            Token::Start(tag) => self.start_tag(&tag)?,
            Token::End(span) => self.end_tag(span.start),
            Token::Doctype(span) => self.entities = Entities::of_doctype(self.bytes(span)),
            Token::Instruction { target, data } => {
                if self.vocabulary.is_none() && self.bytes(target) == b"xml-stylesheet" {
                    self.style_sheet(data);
                }
            }
            Token::Declaration(span) => {
                let found = self.pseudo_attribute(span, "encoding");
                self.findings.declared_encoding = found.map(|(span, _)| span);
            }
        }
        Ok(())
    }

    fn start_tag(&mut self, tag: &Tag<'s>) -> Result<(), NotWellFormed> {
        // Only a child element matters: an element with one has no text that is a URL.
        if let Some(parent) = self.open.last_mut() {
            parent.text = None;
        }
        let bound = self.bind_prefixes(tag)?;
        let name = self.element_name(tag)?;
        let mut attributes = Vec::with_capacity(tag.attributes.len());
        for attribute in &tag.attributes {
            attributes.push((self.attribute_name(attribute)?, attribute));
        }
        let parent_base = self.open.last().and_then(|parent| parent.base);
        let own_base = attributes
            .iter()
            .any(|((namespace, local), _)| is_xml_base(*namespace, local));
        let base = if own_base {
            self.findings.bases.push(XmlBase {
                value: self.findings.values.len(),
                parent: parent_base,
            });
            self.findings.bases.len().checked_sub(1)
        } else {
            parent_base
        };

        let decoded = OnceCell::new();
        let entities = &self.entities;
        let source = self.source;
        let other = |wanted: &str| {
            let all: &Vec<(&str, String)> = decoded.get_or_init(|| {
                let no_namespace = attributes.iter().filter_map(|((namespace, local), raw)| {
                    let value = source.get(raw.span.start..raw.span.end)?;
                    (*namespace == XmlNamespace::None)
                        .then(|| (local.as_ref(), lossy(entities, value)))
                });
                no_namespace.collect()
            });
            all.iter()
                .find(|(local, _)| *local == wanted)
                .map(|(_, value)| value.as_str())
        };
        let rel = if self.metadata && name.local == "link" {
            Rel::of(other("rel"), other("hreflang"))
        } else {
            Rel::NONE
        };
        let is_html = |local: &str| name.namespace == XmlNamespace::Xhtml && name.local == local;
        let in_template =
            is_html("template") || self.open.last().is_some_and(|parent| parent.in_template);
        if self.metadata && !self.open.last().is_some_and(|parent| parent.in_template) {
            self.elements += 1;
            let anchors = anchors(&attributes, is_html("a"), self.elements);
            self.findings.anchors.extend(anchors);
        }
        let is_generator = |name: &str| name.eq_ignore_ascii_case("generator");
        if self.metadata && is_html("meta") && other("name").is_some_and(is_generator) {
            let content = other("content").map(str::to_owned);
            self.findings.generators.extend(content);
        }
        let subject = Subject {
            namespace: name.namespace,
            local: &name.local,
            parent: self.open.last().map(|parent| parent.name.local.as_str()),
        };
        for ((namespace, local), raw) in &attributes {
            let is_base = is_xml_base(*namespace, local);
            let Some(traits) = attribute_traits(&subject, *namespace, local, &attributes, &other)
            else {
                continue;
            };
            let at = self.findings.values.len();
            if is_base && let Some(own) = base.and_then(|at| self.findings.bases.get_mut(at)) {
                own.value = at;
            }
            if self.is_css_without_urls(traits.kind, raw.span) {
                continue;
            }
            let value = traits.value(ValueAt {
                element: name.clone(),
                attribute: Some(String::from_utf8_lossy(raw.name).into_owned()),
                span: raw.span,
                place: XmlPlace::Attribute(raw.quote),
                base: if is_base { parent_base } else { base },
                is_to_come: self.is_transformation && name.namespace != XmlNamespace::Xslt,
                rel,
            });
            if value.relative_to == XmlRelativeTo::Fallback
                && value.element.local == "base"
                && value.kind != XmlKind::Template
                && self.findings.base_element.is_none()
            {
                self.findings.base_element = Some(at);
            }
            self.findings.values.push(value);
        }

        if tag.is_empty {
            for prefix in bound {
                self.scopes.unbind(prefix);
            }
        } else {
            let text = table::find(&subject, &ValuePlace::Text, other);
            self.open.push(Open {
                name,
                bound,
                base,
                in_template,
                text: text.map(|row| (row, tag.span.end)),
            });
        }
        Ok(())
    }

    /// Binds the prefixes that the tag declares.
    fn bind_prefixes(&mut self, tag: &Tag<'s>) -> Result<Vec<&'s [u8]>, NotWellFormed> {
        let mut bound = Vec::new();
        for attribute in &tag.attributes {
            let prefix = match split(attribute.name) {
                (b"xmlns", prefix) => prefix,
                ([], b"xmlns") => &[],
                _ => continue,
            };
            let name = self.entities.expand(self.bytes(attribute.span));
            if !prefix.is_empty() && name.as_deref() == Some("") {
                // Namespaces in XML 1.0, section 2.2.
                return Err(NotWellFormed {
                    offset: attribute.span.start,
                    message: "a prefix bound to no namespace".to_owned(),
                });
            }
            self.scopes.bind(prefix, name.as_deref());
            bound.push(prefix);
        }
        Ok(bound)
    }

    fn namespace(&self, prefix: &[u8], offset: usize) -> Result<XmlNamespace, NotWellFormed> {
        self.scopes.namespace(prefix).ok_or_else(|| NotWellFormed {
            offset,
            message: format!(
                "the prefix {} is not declared",
                String::from_utf8_lossy(prefix)
            ),
        })
    }

    fn element_name(&mut self, tag: &Tag<'s>) -> Result<XmlName, NotWellFormed> {
        let (prefix, local) = split(tag.name);
        let mut namespace = self.namespace(prefix, tag.span.start)?;
        let without = *self.vocabulary.get_or_insert_with(|| {
            self.is_transformation = namespace == XmlNamespace::Xslt;
            match namespace {
                XmlNamespace::None => vocabulary(local),
                _ => XmlNamespace::None,
            }
        });
        if namespace == XmlNamespace::None {
            namespace = without;
        }
        Ok(XmlName {
            namespace,
            local: String::from_utf8_lossy(local).into_owned(),
        })
    }

    /// An attribute's namespace and local name. Declarations of prefixes are in a namespace that
    /// nothing else is in.
    fn attribute_name(
        &self,
        attribute: &Attribute<'s>,
    ) -> Result<(XmlNamespace, Cow<'s, str>), NotWellFormed> {
        let (prefix, local) = split(attribute.name);
        let namespace = match (prefix, local) {
            (b"xmlns", _) | ([], b"xmlns") => XmlNamespace::Other,
            ([], _) => XmlNamespace::None,
            _ => self.namespace(prefix, attribute.span.start)?,
        };
        Ok((namespace, String::from_utf8_lossy(local)))
    }

    fn end_tag(&mut self, content_end: usize) {
        let Some(element) = self.open.pop() else {
            return;
        };
        for prefix in element.bound {
            self.scopes.unbind(prefix);
        }
        let Some((row, content_start)) = element.text else {
            return;
        };
        let content = Span {
            start: content_start,
            end: content_end,
        };
        let Some((span, place)) = text_place(self.bytes(content), content_start) else {
            return;
        };
        self.findings.values.push(Traits::from(row).value(ValueAt {
            is_to_come: self.is_transformation && element.name.namespace != XmlNamespace::Xslt,
            element: element.name,
            attribute: None,
            span,
            place,
            base: element.base,
            rel: Rel::NONE,
        }));
    }

    /// Whether a value consists of entities that the document declares (as Adobe Illustrator writes
    /// styles), and of these is known to hold no URL. Such a value cannot be decoded.
    fn is_css_without_urls(&self, kind: XmlKind, span: Span) -> bool {
        const WITH_URLS: &[&str] = &["url", "src", "image", "import", "\\"];
        let raw = self.bytes(span);
        kind == XmlKind::Css
            && refers_to_entity(raw)
            && self.entities.expand(raw).is_some_and(|text| {
                let text = text.to_ascii_lowercase();
                !WITH_URLS.iter().any(|sign| text.contains(sign))
            })
    }

    fn style_sheet(&mut self, data: Span) {
        let Some((span, quote)) = self.pseudo_attribute(data, "href") else {
            return;
        };
        let traits = Traits {
            // Read before any `base` element can be there.
            relative_to: XmlRelativeTo::Fallback,
            ..Traits::from(table::XML_STYLESHEET)
        };
        self.findings.values.push(traits.value(ValueAt {
            element: XmlName {
                namespace: XmlNamespace::None,
                local: "?xml-stylesheet".to_owned(),
            },
            attribute: Some("href".to_owned()),
            span,
            place: XmlPlace::Attribute(quote),
            base: None,
            is_to_come: false,
            rel: Rel::NONE,
        }));
    }

    /// The value of a pseudo-attribute within `data`, and its quote.
    fn pseudo_attribute(&self, data: Span, name: &str) -> Option<(Span, u8)> {
        let mut rest = self.bytes(data);
        loop {
            let equals = memchr::memchr(b'=', rest)?;
            let (found, behind) = rest.split_at_checked(equals)?;
            let behind = behind.get(1..)?.trim_ascii_start();
            let (quote, value) = behind.split_first()?;
            if !matches!(quote, b'"' | b'\'') {
                return None;
            }
            let length = memchr::memchr(*quote, value)?;
            if found.trim_ascii() == name.as_bytes() {
                let start = data.end - value.len();
                let span = Span {
                    start,
                    end: start + length,
                };
                return Some((span, *quote));
            }
            rest = value.get(length + 1..)?;
        }
    }
}

fn is_xml_base(namespace: XmlNamespace, local: &str) -> bool {
    namespace == XmlNamespace::Xml && local == "base"
}

type NamedAttribute<'t, 's> = ((XmlNamespace, Cow<'s, str>), &'t Attribute<'s>);

/// What of an element's attributes fragments can name.
fn anchors<'t>(
    attributes: &'t [NamedAttribute<'_, '_>],
    is_html_a: bool,
    element: usize,
) -> impl Iterator<Item = XmlAnchor> + 't {
    attributes
        .iter()
        .filter_map(move |((namespace, local), raw)| {
            let is_id = match (namespace, local.as_ref()) {
                (XmlNamespace::None | XmlNamespace::Xml, "id") => true,
                (XmlNamespace::None, "name") if is_html_a => false,
                _ => return None,
            };
            Some(XmlAnchor {
                span: raw.span,
                place: XmlPlace::Attribute(raw.quote),
                is_id,
                element,
            })
        })
}

/// What the tables say of an attribute.
fn attribute_traits<'v>(
    subject: &Subject<'_>,
    namespace: XmlNamespace,
    local: &str,
    attributes: &[NamedAttribute<'_, '_>],
    other: &impl Fn(&str) -> Option<&'v str>,
) -> Option<Traits> {
    let place = ValuePlace::Attribute(namespace, local);
    if let Some(row) = table::find(subject, &place, other) {
        return Some(Traits::from(row));
    }
    if let Some(row) = html_row(subject, namespace, local, other) {
        let codebase = || {
            attributes
                .iter()
                .find(|((namespace, local), _)| {
                    *namespace == XmlNamespace::None && local == "codebase"
                })
                .map_or(XmlRelativeTo::Base, |(_, raw)| {
                    XmlRelativeTo::Codebase(raw.span)
                })
        };
        return Some(Traits {
            kind: XmlKind::References(row.kind),
            relative_to: match row.base {
                AttributeBase::Document => XmlRelativeTo::Base,
                AttributeBase::Fallback | AttributeBase::BeforeBase => XmlRelativeTo::Fallback,
                AttributeBase::Codebase => codebase(),
            },
            empty_resolves: row.empty_resolves,
            fragment_is_local: row.fragment_is_local,
            relative_only: row.relative_only,
            rdfa: row.rdfa,
            usage: row.usage,
        });
    }
    (table::ANY_XLINK.place == place).then(|| Traits::from(table::ANY_XLINK))
}

/// The row of the table of HTML for an attribute of an element that HTML documents have too.
fn html_row<'v>(
    subject: &Subject<'_>,
    namespace: XmlNamespace,
    local: &str,
    other: &impl Fn(&str) -> Option<&'v str>,
) -> Option<&'static attributes::AttributeRow> {
    let element_namespace = match subject.namespace {
        XmlNamespace::Xhtml => Namespace::Html,
        XmlNamespace::Svg => Namespace::Svg,
        XmlNamespace::MathMl => Namespace::MathMl,
        _ => return None,
    };
    let attribute = match (namespace, local) {
        (XmlNamespace::None, local) => local,
        (XmlNamespace::XLink, "href") => "xlink:href",
        _ => return None,
    };
    attributes::find(element_namespace, subject.local, attribute, other)
}

/// Where the text of an element without child elements stands, given its content and where that
/// starts; `None` where it is blank.
fn text_place(content: &[u8], content_start: usize) -> Option<(Span, XmlPlace)> {
    let bytes = |span: Span| span.of(content);
    let mut parts = pieces(content)
        .map(|(range, place)| {
            let span = Span {
                start: range.start,
                end: range.end,
            };
            (span, place)
        })
        .filter(|(span, _)| !bytes(*span).trim_ascii().is_empty());
    let (first, place) = parts.next()?;
    let (mut span, place) = match parts.last() {
        None => (first, place),
        Some((last, _)) => {
            let span = Span {
                start: first.start,
                end: last.end,
            };
            (span, XmlPlace::Mixed)
        }
    };
    if place == XmlPlace::Mixed {
        // With the marks of CDATA sections at its ends, without which their contents would be text.
        const OPEN: &[u8] = b"<![CDATA[";
        const CLOSE: &[u8] = b"]]>";
        if content.get(..span.start).is_some_and(|c| c.ends_with(OPEN)) {
            span.start -= OPEN.len();
        }
        if content
            .get(span.end..)
            .is_some_and(|c| c.starts_with(CLOSE))
        {
            span.end += CLOSE.len();
        }
    }
    let raw = bytes(span);
    let leading = raw.len() - raw.trim_ascii_start().len();
    let start = content_start + span.start + leading;
    let span = Span {
        start,
        end: start + raw.trim_ascii().len(),
    };
    Some((span, place))
}
