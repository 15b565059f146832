//! Finds the values of a document that hold URLs.

use std::cell::OnceCell;

use super::markup::{self, lossy};
use super::names::{Name, split, vocabulary};
use super::state::{Attribute, Checked, Finder, Open, ill};
use super::table;
use super::text::pieces;
use super::{NotWellFormed, XmlAnchor, XmlBase, XmlFindings, XmlPlace, XmlValue};
use crate::html::raw::Wanted;
use crate::html::scanner::attributes::attributes_from;
use crate::html::{Element, FurtherAttributes, Namespace, Quote, attributes, content};
use crate::metadata::Rel;
use crate::value_rules::{ValueBase, ValueKind, ValueRules};
use rehref_url::Span;

/// Parses `source` from byte `start` on (after a byte order mark), and returns the values that contain URLs.
/// All spans are relative to the start of `source`, which is in an ASCII-compatible encoding.
///
/// # Errors
/// Returns an error if the document is not well-formed.
pub fn find(source: &[u8], start: usize, wanted: Wanted) -> Result<XmlFindings, NotWellFormed> {
    let mut finder = Finder::new(source, wanted);
    markup::read(&mut finder, start)?;
    Ok(finder.findings)
}

impl<'s> Finder<'s> {
    /// Reads the start tag at `span` of an element.
    pub(super) fn element(
        &mut self,
        tag: &'s [u8],
        mut attributes: Vec<Attribute<'s>>,
        span: Span,
        is_empty: bool,
    ) -> Checked<()> {
        // Only a child element matters: an element with one has no text that is a URL.
        if let Some(parent) = self.open.last_mut() {
            parent.text = None;
        }
        let bound = self.bind_prefixes(&attributes)?;
        let name = self.element_name(tag, span.start)?;
        for attribute in &mut attributes {
            attribute.name = self.attribute_name(attribute)?;
        }
        let parent_base = self.open.last().and_then(|parent| parent.base);
        let mut base = parent_base;
        if let Some(own) = attributes.iter().find(|it| it.name.is_xml_base()) {
            if self.ignores_xml_base {
                self.findings.ignored_bases.push(own.span);
            } else {
                base = Some(self.findings.bases.len());
                let value = self.findings.values.len();
                self.findings.bases.push(XmlBase { value, parent: parent_base });
            }
        }
        let decoded = OnceCell::new();
        let (entities, source) = (&self.findings.entities, self.source);
        let other = |wanted: &str| {
            let all: &Vec<(&str, String)> = decoded.get_or_init(|| {
                let own = attributes.iter().filter(|it| it.name.namespace == Namespace::None);
                // Empty for a value with an unknown entity.
                let text = |raw: Span| entities.expand(raw.of(source)).unwrap_or_default();
                own.map(|it| (&*it.name.local, text(it.span))).collect()
            });
            let found = all.iter().find(|(local, _)| *local == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let rel =
            if name.local == "link" { Rel::of(other("rel"), other("hreflang")) } else { Rel::NONE };
        let rel = if self.kept.have(&name.local, other) { rel.with(Rel::KEPT) } else { rel };
        self.findings.has_script |=
            name.local == "script" && content::is_run(name.namespace, &name.local, other("type"));
        let parent_in_template = self.open.last().is_some_and(|parent| parent.in_template);
        if self.metadata && !parent_in_template {
            self.elements += 1;
            let is_html_a = name.is(Namespace::Html, "a");
            self.findings.anchors.extend(anchors(&attributes, is_html_a, self.elements));
        }
        let is_generator = |name: &str| name.eq_ignore_ascii_case("generator");
        if self.metadata
            && name.is(Namespace::Html, "meta")
            && other("name").is_some_and(is_generator)
        {
            self.findings.generators.extend(other("content").map(str::to_owned));
        }
        let parent = self.open.last().map(|parent| &*parent.name.local);
        let span_of = |name: &str| {
            attributes.iter().find(|it| it.name.is(Namespace::None, name)).map(|it| it.span)
        };
        for Attribute { written, name: attribute, span: value, quote } in &attributes {
            let is_base = attribute.is_xml_base();
            if is_base && self.ignores_xml_base {
                continue;
            }
            let Some(rules) = attribute_rules(&name, parent, attribute, &other, self.further)
            else {
                continue;
            };
            let at = self.findings.values.len();
            if is_base && let Some(own) = base.and_then(|at| self.findings.bases.get_mut(at)) {
                own.value = at;
            }
            let rules = self.in_transformation(&name, rules);
            if rules.base == ValueBase::Fallback && rules.kind != ValueKind::Template {
                self.findings.base_element.get_or_insert(at);
                self.findings.base_tag.get_or_insert(span.start);
            }
            self.findings.values.push(XmlValue {
                element: name.to_element(),
                attribute: Some(lossy(written).into_owned()),
                rules,
                span: *value,
                place: XmlPlace::Attribute(*quote),
                base: if is_base { parent_base } else { base },
                beside: rules.beside.and_then(span_of),
                rel,
            });
        }
        if name.is(Namespace::Rss, "item") {
            self.item = self.findings.values.len();
        }
        if is_empty {
            bound.iter().for_each(|prefix| self.scopes.unbind(prefix));
            return Ok(());
        }
        let content = || {
            // Looking for the type decodes all attributes.
            let may_be = content::NAMES.contains(&&*name.local);
            let kind =
                may_be.then(|| content::kind_of(name.namespace, &name.local, other("type")))?;
            // In XHTML, the content of `noframes` is elements.
            kind.filter(|kind| *kind != ValueKind::HtmlFragment)
        };
        let rules = table::find(&name, parent, None, other);
        let rules = rules.or_else(|| content().map(ValueRules::of));
        self.open.push(Open {
            tag,
            start: span.start,
            in_template: name.is(Namespace::Html, "template") || parent_in_template,
            name,
            bound,
            base,
            text: rules.map(|rules| (rules, span.end)),
        });
        Ok(())
    }

    /// The rules of a value of `element`: a template, if it is part of a document that a transformation makes.
    fn in_transformation(&self, element: &Name<'_>, rules: ValueRules) -> ValueRules {
        if self.is_transformation && element.namespace != Namespace::Xslt {
            ValueRules { kind: ValueKind::Template, ..rules }
        } else {
            rules
        }
    }

    /// Binds the prefixes that the tag declares, and returns them.
    fn bind_prefixes(&mut self, attributes: &[Attribute<'s>]) -> Checked<Vec<&'s [u8]>> {
        let mut bound = Vec::new();
        for attribute in attributes {
            let prefix = match split(attribute.written) {
                (b"xmlns", prefix) => prefix,
                ([], b"xmlns") => &[],
                _ => continue,
            };
            let name = self.findings.entities.expand(self.bytes(attribute.span));
            if !prefix.is_empty() && name.as_deref() == Some("") {
                // Namespaces in XML 1.0, section 2.2.
                let message = format!("the namespace of the prefix {} is empty", lossy(prefix));
                return Err(ill(attribute.span.start, message));
            }
            self.scopes.bind(prefix, name.as_deref());
            bound.push(prefix);
        }
        Ok(bound)
    }

    fn namespace(&self, prefix: &[u8], offset: usize) -> Checked<Namespace> {
        let found = self.scopes.namespace(prefix);
        found.ok_or_else(|| ill(offset, format!("the prefix {} is not declared", lossy(prefix))))
    }

    fn element_name(&mut self, tag: &'s [u8], start: usize) -> Checked<Name<'s>> {
        let (prefix, local) = split(tag);
        let mut namespace = self.namespace(prefix, start)?;
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
        Ok(Name { namespace, local: lossy(local) })
    }

    /// An attribute's namespace and local name. A declaration of a prefix gets the namespace
    /// `Other`, in which no table has a row.
    fn attribute_name(&self, attribute: &Attribute<'s>) -> Checked<Name<'s>> {
        let (prefix, local) = split(attribute.written);
        let namespace = match (prefix, local) {
            (b"xmlns", _) | ([], b"xmlns") => Namespace::Other,
            ([], _) => Namespace::None,
            _ => self.namespace(prefix, attribute.span.start)?,
        };
        Ok(Name { namespace, local: lossy(local) })
    }

    /// Reads the end tag of `element`, which starts at `content_end`.
    pub(super) fn close(&mut self, element: Open<'s>, content_end: usize) {
        for prefix in &element.bound {
            self.scopes.unbind(prefix);
        }
        if element.name.is(Namespace::Rss, "item") {
            self.base_of_item();
        }
        let Some((rules, content_start)) = element.text else { return };
        let content = self.bytes(Span::from(content_start..content_end));
        let Some((span, place)) = text_place(content) else { return };
        self.findings.values.push(XmlValue {
            element: element.name.to_element(),
            attribute: None,
            rules: self.in_transformation(&element.name, rules),
            span: span.shifted(content_start),
            place,
            base: element.base,
            beside: None,
            rel: Rel::NONE,
        });
    }

    /// Makes the link of the RSS item that ends here the base of its content, as feed readers do (SimplePie, Miniflux,
    /// NetNewsWire): RSS itself has no base URL. An `xml:base` takes precedence.
    fn base_of_item(&mut self) {
        let values = self.findings.values.get_mut(self.item..).unwrap_or_default();
        let is = |it: &XmlValue, name: &str| {
            it.element.namespace == Namespace::Rss && &*it.element.name == name
        };
        let mut names = ["link", "guid"].into_iter();
        let link = names.find_map(|name| values.iter().position(|it| is(it, name)));
        let Some((at, link)) = link.and_then(|at| Some((at, values.get(at)?))) else { return };
        let base = self.findings.bases.len();
        self.findings.bases.push(XmlBase { value: self.item + at, parent: link.base });
        for value in values {
            let is_content = value.rules.kind == ValueKind::HtmlFragment
                || value.element.namespace.is_rendered();
            if is_content && value.base.is_none() {
                value.base = Some(base);
            }
        }
    }

    /// Reads the data of a processing instruction `xml-stylesheet`.
    pub(super) fn style_sheet(&mut self, data: Span) {
        let mut attributes = attributes_from(self.source, data.start);
        let Some((_, value)) =
            attributes.find(|(name, value)| *name == b"href" && value.is_quoted())
        else {
            return;
        };
        let quote = if value.quote == Quote::Single { b'\'' } else { b'"' };
        self.findings.values.push(XmlValue {
            element: Element { namespace: Namespace::None, name: "?xml-stylesheet".into() },
            attribute: Some("href".to_owned()),
            rules: table::XML_STYLESHEET,
            span: value.span,
            place: XmlPlace::Attribute(quote),
            base: None,
            beside: None,
            rel: Rel::NONE,
        });
    }
}

/// The anchors among the attributes of the `element` of this number.
fn anchors<'t>(
    attributes: &'t [Attribute<'_>],
    is_html_a: bool,
    element: usize,
) -> impl Iterator<Item = XmlAnchor> + 't {
    let attributes = attributes.iter();
    attributes.filter_map(move |it| {
        let is_id = match (it.name.namespace, &*it.name.local) {
            (Namespace::None | Namespace::Xml, "id") => true,
            (Namespace::None, "name") if is_html_a => false,
            _ => return None,
        };
        Some(XmlAnchor { span: it.span, is_id, element })
    })
}

/// The rules of an attribute's value by the tables; `None` if it holds no URL. `parent`: the local name of the
/// element around.
fn attribute_rules<'v>(
    element: &Name<'_>,
    parent: Option<&str>,
    attribute: &Name<'_>,
    other: &impl Fn(&str) -> Option<&'v str>,
    further: FurtherAttributes,
) -> Option<ValueRules> {
    if attribute.is_xml_base() {
        return Some(table::URL_OR_EMPTY);
    }
    let is_xlink = attribute.is(Namespace::XLink, "href");
    let local = match attribute.namespace {
        Namespace::None => &*attribute.local,
        _ if is_xlink => "xlink:href",
        _ if attribute.is(Namespace::Epub, "textref") => "epub:textref",
        _ => return None,
    };
    if !is_xlink && let Some(rules) = table::find(element, parent, Some(local), other) {
        return Some(rules);
    }
    // HTML documents have the elements of these vocabularies too.
    let row = element.namespace.is_rendered().then(|| {
        attributes::find(element.namespace, &element.local, local, other)
            .or_else(|| further.find(element.namespace, &element.local, local))
    });
    // The tables have all elements of these vocabularies on which `xlink:href` is a link.
    let has_table = matches!(element.namespace, Namespace::Svg | Namespace::Html);
    let any_xlink = (is_xlink && !has_table).then_some(table::ANY_XLINK);
    row.flatten().map(|row| row.rules).or(any_xlink)
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
