//! Finds the values of a document that hold URLs.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::entities::Entities;
use super::names::{Scopes, split, vocabulary};
use super::table::{self, Subject};
use super::text::pieces;
use super::tokens::{self, Attribute, Tag, Token, lossy};
use super::{NotWellFormed, XmlAnchor, XmlBase, XmlFindings, XmlPlace, XmlValue};
use crate::html::raw::Wanted;
use crate::html::{Element, FurtherAttributes, Namespace, attributes, content};
use crate::metadata::Rel;
use crate::value_rules::{ValueBase, ValueKind, ValueRules};
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
    vocabulary: Option<Namespace>,
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
    namespace: Namespace,
    local: Cow<'s, str>,
}

impl ElementName<'_> {
    fn to_owned(&self) -> Element {
        let name = self.local.clone().into_owned().into();
        Element { namespace: self.namespace, name }
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
    /// The rules for its text, and the byte where its content starts; `None` if the text holds no URL.
    text: Option<(ValueRules, usize)>,
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
                let own = own.filter(|((namespace, _), _)| *namespace == Namespace::None);
                // Empty for a value with an unknown entity.
                let text = |raw: Span| entities.expand(raw.of(source)).unwrap_or_default();
                own.map(|((_, local), raw)| (&**local, text(raw.span))).collect()
            });
            let found = all.iter().find(|(local, _)| *local == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let rel =
            if name.local == "link" { Rel::of(other("rel"), other("hreflang")) } else { Rel::NONE };
        self.findings.has_script |=
            name.local == "script" && content::is_run(name.namespace, &name.local, other("type"));
        let is_html = |local: &str| name.namespace == Namespace::Html && name.local == local;
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
            let name = (Namespace::None, Cow::Borrowed(name));
            let mut attributes = attributes.iter();
            attributes.find(|(found, _)| *found == name).map(|(_, raw)| raw.span)
        };
        for ((namespace, local), raw) in &attributes {
            let is_base = (*namespace, &**local) == XML_BASE;
            if is_base && self.ignores_xml_base {
                continue;
            }
            let Some(rules) = attribute_rules(&subject, *namespace, local, &other, self.further)
            else {
                continue;
            };
            let at = self.findings.values.len();
            if is_base && let Some(own) = base.and_then(|at| self.findings.bases.get_mut(at)) {
                own.value = at;
            }
            let is_template = self.is_template(&name);
            if rules.base == ValueBase::Fallback && name.local == "base" && !is_template {
                self.findings.base_element.get_or_insert(at);
            }
            self.findings.values.push(XmlValue {
                element: name.to_owned(),
                attribute: Some(String::from_utf8_lossy(raw.name).into_owned()),
                rules: if is_template { template(rules) } else { rules },
                span: raw.span,
                place: XmlPlace::Attribute(raw.quote),
                base: if is_base { parent_base } else { base },
                beside: rules.beside.and_then(span_of),
                rel,
            });
        }

        if tag.is_empty {
            bound.iter().for_each(|prefix| self.scopes.unbind(prefix));
        } else {
            let content = || content::kind_of(name.namespace, &name.local, other("type"));
            let rules = table::find(&subject, None, other);
            let rules = rules.or_else(|| content().map(ValueRules::of));
            self.open.push(Open {
                in_template: is_html("template") || parent_in_template,
                name,
                bound,
                base,
                text: rules.map(|rules| (rules, tag.span.end)),
            });
        }
        Ok(())
    }

    /// Whether the URLs of an element are templates: it is part of a document that a transformation
    /// makes.
    fn is_template(&self, element: &ElementName<'_>) -> bool {
        self.is_transformation && element.namespace != Namespace::Xslt
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

    fn namespace(&self, prefix: &[u8], offset: usize) -> Result<Namespace, NotWellFormed> {
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
            self.is_transformation = namespace == Namespace::Xslt;
            match namespace {
                Namespace::None => vocabulary(local),
                _ => Namespace::None,
            }
        });
        if self.open.is_empty() {
            let root = match namespace {
                Namespace::None => without,
                namespace => namespace,
            };
            self.ignores_xml_base = root.is_rendered();
        }
        if namespace == Namespace::None {
            // `body` of an RSS item is XHTML (Userland's "Weblogs in RSS"), and many feeds leave its
            // namespace out.
            let parent = self.open.last().map(|parent| parent.name.namespace);
            let is_body =
                without == Namespace::Rss && (local == b"body" || parent == Some(Namespace::Html));
            namespace = if is_body { Namespace::Html } else { without };
        }
        Ok(ElementName { namespace, local: lossy(local) })
    }

    /// An attribute's namespace and local name. A declaration of a prefix gets the namespace
    /// `Other`, in which no table has a row.
    fn attribute_name(
        &self,
        attribute: &Attribute<'s>,
    ) -> Result<(Namespace, Cow<'s, str>), NotWellFormed> {
        let (prefix, local) = split(attribute.name);
        let namespace = match (prefix, local) {
            (b"xmlns", _) | ([], b"xmlns") => Namespace::Other,
            ([], _) => Namespace::None,
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
        let Some((rules, content_start)) = element.text else {
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
            rules: if is_template { template(rules) } else { rules },
            span: span.shifted(content_start),
            place,
            base: element.base,
            beside: None,
            rel: Rel::NONE,
        });
    }

    fn style_sheet(&mut self, data: Span) {
        let Some((span, quote)) = self.pseudo_attribute(data, "href") else {
            return;
        };
        self.findings.values.push(XmlValue {
            element: Element { namespace: Namespace::None, name: "?xml-stylesheet".into() },
            attribute: Some("href".to_owned()),
            rules: table::XML_STYLESHEET,
            span,
            place: XmlPlace::Attribute(quote),
            base: None,
            beside: None,
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
const XML_BASE: (Namespace, &str) = (Namespace::Xml, "base");

/// An attribute's expanded name, and the attribute.
type NamedAttribute<'t, 's> = ((Namespace, Cow<'s, str>), &'t Attribute<'s>);

/// The anchors among the attributes of the `element` of this number.
fn anchors<'t>(
    attributes: &'t [NamedAttribute<'_, '_>],
    is_html_a: bool,
    element: usize,
) -> impl Iterator<Item = XmlAnchor> + 't {
    let attributes = attributes.iter();
    attributes.filter_map(move |((namespace, local), raw)| {
        let is_id = match (namespace, local.as_ref()) {
            (Namespace::None | Namespace::Xml, "id") => true,
            (Namespace::None, "name") if is_html_a => false,
            _ => return None,
        };
        Some(XmlAnchor { span: raw.span, is_id, element })
    })
}

/// The rules of a value in a document that a transformation makes.
fn template(rules: ValueRules) -> ValueRules {
    ValueRules { kind: ValueKind::Template, ..rules }
}

/// The rules of an attribute's value by the tables; `None` if it holds no URL.
fn attribute_rules<'v>(
    subject: &Subject<'_>,
    namespace: Namespace,
    local: &str,
    other: &impl Fn(&str) -> Option<&'v str>,
    further: FurtherAttributes,
) -> Option<ValueRules> {
    if (namespace, local) == XML_BASE {
        return Some(table::URL_OR_EMPTY);
    }
    if namespace == Namespace::None
        && let Some(rules) = table::find(subject, Some(local), other)
    {
        return Some(rules);
    }
    let attribute = match (namespace, local) {
        (Namespace::None, local) => local,
        (Namespace::XLink, "href") => "xlink:href",
        _ => return None,
    };
    // HTML documents have the elements of these vocabularies too.
    let row = subject.namespace.is_rendered().then(|| {
        attributes::find(subject.namespace, subject.local, attribute, other)
            .or_else(|| further.find(subject.namespace, subject.local, attribute))
    });
    // The tables have all elements of these vocabularies on which `xlink:href` is a link.
    let has_table = matches!(subject.namespace, Namespace::Svg | Namespace::Html);
    let is_xlink = !has_table && namespace == Namespace::XLink;
    row.flatten().map(|row| row.rules).or(is_xlink.then_some(table::ANY_XLINK))
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
