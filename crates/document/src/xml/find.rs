//! Finds the values of a document that hold URLs.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::entities::Entities;
use super::names::{Scopes, split, vocabulary};
use super::table::{self, Subject};
use super::text::pieces;
use super::tokens::{self, Attribute, Tag, Token, lossy};
use super::{
    NotWellFormed, XmlAnchor, XmlBase, XmlFindings, XmlKind, XmlName, XmlNamespace, XmlPlace,
    XmlRelativeTo, XmlValue,
};
use crate::html::raw::Wanted;
use crate::html::{AttributeBase, FurtherAttributes, Namespace};
use crate::html::{attributes, content};
use crate::metadata::Rel;
use rehref_url::Span;

/// Reads `source` from byte `start` on (after a byte order mark). All spans count from the start of
/// `source`, which is in an ASCII-compatible encoding.
///
/// # Errors
/// When the document is not well-formed.
pub fn find(source: &[u8], start: usize, wanted: Wanted) -> Result<XmlFindings, NotWellFormed> {
    let document = source.get(start..).unwrap_or_default();
    let readable = tokens::readable(document);
    let mut finder = Finder {
        source,
        scopes: Scopes::default(),
        open: Vec::new(),
        vocabulary: None,
        is_transformation: false,
        ignores_xml_base: false,
        metadata: wanted.metadata,
        further: wanted.further,
        most_values: wanted.memory / VALUE_BYTES,
        elements: 0,
        findings: XmlFindings::default(),
    };
    tokens::read(source, start, &readable, |token| finder.token(token))?;
    Ok(finder.findings)
}

/// The bytes that a value takes, with its names.
const VALUE_BYTES: usize = size_of::<XmlValue>() + 64;

struct Finder<'s> {
    source: &'s [u8],
    scopes: Scopes<'s>,
    open: Vec<Open<'s>>,
    /// The vocabulary of elements without a namespace; `None` before the root element.
    vocabulary: Option<XmlNamespace>,
    /// The root element is in XSLT's namespace: elements of other vocabularies are templates of the
    /// documents that the transformation makes.
    is_transformation: bool,
    /// The root element is of a vocabulary that browsers render: they ignore `xml:base`.
    ignores_xml_base: bool,
    /// Whether to collect anchors and generators.
    metadata: bool,
    /// The attributes of (X)HTML, SVG and MathML that hold URLs besides those of the table.
    further: FurtherAttributes,
    most_values: usize,
    /// The number of start tags so far, without those in an XHTML `template`.
    elements: usize,
    findings: XmlFindings,
}

/// The name of an element, with its local part in the source.
struct ElementName<'s> {
    namespace: XmlNamespace,
    local: Cow<'s, str>,
}

impl ElementName<'_> {
    fn to_owned(&self) -> XmlName {
        XmlName { namespace: self.namespace, local: self.local.clone().into_owned() }
    }
}

/// An element before its end tag.
struct Open<'s> {
    name: ElementName<'s>,
    /// The prefixes that its tag binds.
    bound: Vec<&'s [u8]>,
    /// Index in [`XmlFindings::bases`] of the `xml:base` in force.
    base: Option<usize>,
    /// It is an XHTML `template`, or inside one.
    in_template: bool,
    /// The kind of its text, and the byte where its content starts; `None` if the text holds no URL.
    text: Option<(XmlKind, usize)>,
}

impl<'s> Finder<'s> {
    fn bytes(&self, span: Span) -> &'s [u8] {
        span.of(self.source)
    }

    fn token(&mut self, token: Token<'s>) -> Result<(), NotWellFormed> {
        if self.findings.values.len() > self.most_values {
            self.findings.has_more = true;
            return Ok(());
        }
        match token {
            Token::Start(tag) => self.start_tag(&tag)?,
            Token::End(span) => self.end_tag(span.start),
            Token::Doctype(span) => self.findings.entities = Entities::of_doctype(self.bytes(span)),
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
        let mut names = attributes.iter();
        let own_base = names.find(|((ns, local), _)| (*ns, &**local) == XML_BASE);
        if let Some((_, raw)) = own_base
            && self.ignores_xml_base
        {
            self.findings.ignored_bases.push(raw.span);
        }
        let base = if own_base.is_some() && !self.ignores_xml_base {
            self.findings
                .bases
                .push(XmlBase { value: self.findings.values.len(), parent: parent_base });
            self.findings.bases.len().checked_sub(1)
        } else {
            parent_base
        };

        let decoded = OnceCell::new();
        let (entities, source) = (&self.findings.entities, self.source);
        let other = |wanted: &str| {
            let all: &Vec<(&str, String)> = decoded.get_or_init(|| {
                let own = attributes.iter();
                let own = own.filter(|((namespace, _), _)| *namespace == XmlNamespace::None);
                // Empty for a value with an unknown entity.
                let text = |raw: Span| entities.expand(raw.of(source)).unwrap_or_default();
                own.map(|((_, local), raw)| (&**local, text(raw.span))).collect()
            });
            let found = all.iter().find(|(local, _)| *local == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let rel =
            if name.local == "link" { Rel::of(other("rel"), other("hreflang")) } else { Rel::NONE };
        let namespace = match name.namespace {
            XmlNamespace::Xhtml => Some(Namespace::Html),
            XmlNamespace::Svg => Some(Namespace::Svg),
            _ => None,
        };
        self.findings.has_script |= name.local == "script"
            && namespace
                .is_some_and(|namespace| content::is_run(namespace, &name.local, other("type")));
        let is_html = |local: &str| name.namespace == XmlNamespace::Xhtml && name.local == local;
        let parent_in_template = self.open.last().is_some_and(|parent| parent.in_template);
        if self.metadata && !parent_in_template {
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
            parent: self.open.last().map(|parent| &*parent.name.local),
        };
        let span_of = |name: &str| {
            let name = (XmlNamespace::None, Cow::Borrowed(name));
            let mut attributes = attributes.iter();
            attributes.find(|(found, _)| *found == name).map(|(_, raw)| raw.span)
        };
        for ((namespace, local), raw) in &attributes {
            let is_base = (*namespace, &**local) == XML_BASE;
            if is_base && self.ignores_xml_base {
                continue;
            }
            let found =
                attribute_kind(&subject, *namespace, local, &attributes, &other, self.further);
            let Some((kind, relative_to)) = found else {
                continue;
            };
            let at = self.findings.values.len();
            if is_base && let Some(own) = base.and_then(|at| self.findings.bases.get_mut(at)) {
                own.value = at;
            }
            let is_template = self.is_template(&name);
            if relative_to == XmlRelativeTo::Fallback && name.local == "base" && !is_template {
                self.findings.base_element.get_or_insert(at);
            }
            self.findings.values.push(XmlValue {
                element: name.to_owned(),
                attribute: Some(String::from_utf8_lossy(raw.name).into_owned()),
                kind: if is_template { XmlKind::Template } else { kind },
                span: raw.span,
                place: XmlPlace::Attribute(raw.quote),
                base: if is_base { parent_base } else { base },
                relative_to,
                beside: match kind {
                    XmlKind::References(rules) => rules.beside.and_then(span_of),
                    _ => None,
                },
                rdfa: matches!(kind, XmlKind::References(rules) if rules.brackets_are_names),
                rel,
            });
        }

        if tag.is_empty {
            bound.iter().for_each(|prefix| self.scopes.unbind(prefix));
        } else {
            let text = table::find(&subject, None, other);
            self.open.push(Open {
                in_template: is_html("template") || parent_in_template,
                name,
                bound,
                base,
                text: text.map(|kind| (kind, tag.span.end)),
            });
        }
        Ok(())
    }

    /// Whether the URLs of an element are templates: it is part of a document that a transformation
    /// makes.
    fn is_template(&self, element: &ElementName<'_>) -> bool {
        self.is_transformation && element.namespace != XmlNamespace::Xslt
    }

    /// Binds the prefixes that the tag declares, and returns them.
    fn bind_prefixes(&mut self, tag: &Tag<'s>) -> Result<Vec<&'s [u8]>, NotWellFormed> {
        let mut bound = Vec::new();
        for attribute in &tag.attributes {
            let prefix = match split(attribute.name) {
                (b"xmlns", prefix) => prefix,
                ([], b"xmlns") => &[],
                _ => continue,
            };
            let name = self.findings.entities.expand(self.bytes(attribute.span));
            if !prefix.is_empty() && name.as_deref() == Some("") {
                // Namespaces in XML 1.0, section 2.2.
                let prefix = String::from_utf8_lossy(prefix);
                return Err(NotWellFormed {
                    offset: attribute.span.start,
                    message: format!("the namespace of the prefix {prefix} is empty"),
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
            message: {
                let prefix = String::from_utf8_lossy(prefix);
                format!("the prefix {prefix} is not declared")
            },
        })
    }

    fn element_name(&mut self, tag: &Tag<'s>) -> Result<ElementName<'s>, NotWellFormed> {
        let (prefix, local) = split(tag.name);
        let mut namespace = self.namespace(prefix, tag.span.start)?;
        let without = *self.vocabulary.get_or_insert_with(|| {
            self.is_transformation = namespace == XmlNamespace::Xslt;
            match namespace {
                XmlNamespace::None => vocabulary(local),
                _ => XmlNamespace::None,
            }
        });
        if self.open.is_empty() {
            let root = match namespace {
                XmlNamespace::None => without,
                namespace => namespace,
            };
            self.ignores_xml_base = root.is_rendered();
        }
        if namespace == XmlNamespace::None {
            // `body` of an RSS item is XHTML (Userland's "Weblogs in RSS"), and many feeds leave its
            // namespace out.
            let parent = self.open.last().map(|parent| parent.name.namespace);
            let is_body = without == XmlNamespace::Rss
                && (local == b"body" || parent == Some(XmlNamespace::Xhtml));
            namespace = if is_body { XmlNamespace::Xhtml } else { without };
        }
        Ok(ElementName { namespace, local: lossy(local) })
    }

    /// An attribute's namespace and local name. A declaration of a prefix gets the namespace
    /// `Other`, in which no table has a row.
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
        Ok((namespace, lossy(local)))
    }

    fn end_tag(&mut self, content_end: usize) {
        let Some(element) = self.open.pop() else {
            return;
        };
        for prefix in &element.bound {
            self.scopes.unbind(prefix);
        }
        let Some((kind, content_start)) = element.text else {
            return;
        };
        let content = self.bytes(Span::from(content_start..content_end));
        let Some((span, place)) = text_place(content) else {
            return;
        };
        let is_template = self.is_template(&element.name);
        self.findings.values.push(XmlValue {
            element: element.name.to_owned(),
            attribute: None,
            kind: if is_template { XmlKind::Template } else { kind },
            span: span.shifted(content_start),
            place,
            base: element.base,
            relative_to: XmlRelativeTo::Base,
            beside: None,
            rdfa: false,
            rel: Rel::NONE,
        });
    }

    fn style_sheet(&mut self, data: Span) {
        let Some((span, quote)) = self.pseudo_attribute(data, "href") else {
            return;
        };
        self.findings.values.push(XmlValue {
            element: XmlName { namespace: XmlNamespace::None, local: "?xml-stylesheet".to_owned() },
            attribute: Some("href".to_owned()),
            kind: table::XML_STYLESHEET,
            span,
            place: XmlPlace::Attribute(quote),
            base: None,
            // The parser reads it before any `base` element.
            relative_to: XmlRelativeTo::Fallback,
            beside: None,
            rdfa: false,
            rel: Rel::NONE,
        });
    }

    /// The value of a pseudo-attribute within `data`, and its quote.
    fn pseudo_attribute(&self, data: Span, name: &str) -> Option<(Span, u8)> {
        let mut rest = self.bytes(data);
        loop {
            let equals = memchr::memchr(b'=', rest)?;
            let (found, after) = rest.split_at_checked(equals)?;
            let after = after.get(1..)?.trim_ascii_start();
            let (quote, value) = after.split_first()?;
            if !matches!(quote, b'"' | b'\'') {
                return None;
            }
            let length = memchr::memchr(*quote, value)?;
            if found.trim_ascii() == name.as_bytes() {
                let start = data.end - value.len();
                return Some((Span::from(start..start + length), *quote));
            }
            rest = value.get(length + 1..)?;
        }
    }
}

/// The expanded name of the attribute `xml:base`.
const XML_BASE: (XmlNamespace, &str) = (XmlNamespace::Xml, "base");

/// An attribute's expanded name, and the attribute.
type NamedAttribute<'t, 's> = ((XmlNamespace, Cow<'s, str>), &'t Attribute<'s>);

/// The anchors among the attributes of the `element` of this number.
fn anchors<'t>(
    attributes: &'t [NamedAttribute<'_, '_>],
    is_html_a: bool,
    element: usize,
) -> impl Iterator<Item = XmlAnchor> + 't {
    let attributes = attributes.iter();
    attributes.filter_map(move |((namespace, local), raw)| {
        let is_id = match (namespace, local.as_ref()) {
            (XmlNamespace::None | XmlNamespace::Xml, "id") => true,
            (XmlNamespace::None, "name") if is_html_a => false,
            _ => return None,
        };
        Some(XmlAnchor { span: raw.span, is_id, element })
    })
}

/// The kind of an attribute's value by the tables, and the base of its references; `None` if it holds
/// no URL.
fn attribute_kind<'v>(
    subject: &Subject<'_>,
    namespace: XmlNamespace,
    local: &str,
    attributes: &[NamedAttribute<'_, '_>],
    other: &impl Fn(&str) -> Option<&'v str>,
    further: FurtherAttributes,
) -> Option<(XmlKind, XmlRelativeTo)> {
    if (namespace, local) == XML_BASE {
        return Some((table::URL_OR_EMPTY, XmlRelativeTo::Base));
    }
    if namespace == XmlNamespace::None
        && let Some(kind) = table::find(subject, Some(local), other)
    {
        return Some((kind, XmlRelativeTo::Base));
    }
    let Some(row) = html_row(subject, namespace, local, other, further) else {
        // The tables have all elements of these vocabularies on which `xlink:href` is a link.
        let has_table = matches!(subject.namespace, XmlNamespace::Svg | XmlNamespace::Xhtml);
        let is_xlink = !has_table && (namespace, local) == (XmlNamespace::XLink, "href");
        return is_xlink.then_some((table::ANY_XLINK, XmlRelativeTo::Base));
    };
    let codebase = || {
        let name = (XmlNamespace::None, Cow::Borrowed("codebase"));
        attributes.iter().find(|(found, _)| *found == name)
    };
    let relative_to = match row.base {
        AttributeBase::Document => XmlRelativeTo::Base,
        AttributeBase::Fallback | AttributeBase::BeforeBase => XmlRelativeTo::Fallback,
        AttributeBase::Codebase => {
            codebase().map_or(XmlRelativeTo::Base, |(_, raw)| XmlRelativeTo::Codebase(raw.span))
        }
    };
    Some((XmlKind::References(row.into()), relative_to))
}

/// The row of the HTML table for an attribute of an element that HTML documents have too.
fn html_row<'v>(
    subject: &Subject<'_>,
    namespace: XmlNamespace,
    local: &str,
    other: &impl Fn(&str) -> Option<&'v str>,
    further: FurtherAttributes,
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
        .or_else(|| further.find(element_namespace, subject.local, attribute))
}

/// The span of the text in the `content` of an element without child elements, without the white
/// space around it; `None` for blank text.
fn text_place(content: &[u8]) -> Option<(Span, XmlPlace)> {
    let mut parts = pieces(content).filter(|(span, _)| !span.of(content).trim_ascii().is_empty());
    let (mut span, mut place) = parts.next()?;
    if let Some((last, _)) = parts.last() {
        // Includes the marks of CDATA sections at both ends: without them their contents would be text.
        const OPEN: &[u8] = b"<![CDATA[";
        const CLOSE: &[u8] = b"]]>";
        (span.end, place) = (last.end, XmlPlace::Mixed);
        if content.get(..span.start).is_some_and(|c| c.ends_with(OPEN)) {
            span.start -= OPEN.len();
        }
        let after = content.get(span.end..);
        if after.is_some_and(|c| c.starts_with(CLOSE)) {
            span.end += CLOSE.len();
        }
    }
    let raw = span.of(content);
    let start = span.start + raw.len() - raw.trim_ascii_start().len();
    Some((Span::from(start..start + raw.trim_ascii().len()), place))
}
