//! Collects the values and contents of the elements of the finished tree.

use std::collections::{HashMap, HashSet};

use html5ever::interface::TreeSink;
use html5ever::ns;
use markup5ever_rcdom::{Handle, NodeData};

use super::ignore_marks::IgnoreMarks;
use super::parser::Parser;
use super::tags::SourceAttribute;
use crate::html::attributes;
use crate::html::content;
use crate::html::element::{Element, Namespace};
use crate::html::raw::{RawContent, RawDocument, RawValue, TooComplex, Wanted};
use crate::metadata::Rel;
use crate::prescan::encoding_of_meta;
use crate::value_rules::ValueBase;
use rehref_url::Span;

/// An element with the attributes that it has from the source.
struct SourceElement<'t> {
    element: Element,
    /// The byte of the `<` of its first tag.
    start: usize,
    attributes: Vec<&'t SourceAttribute>,
    /// Whether the element is in the document tree, not in the content of a template.
    in_document: bool,
    /// Whether its tag stands in a `noscript`.
    in_noscript: bool,
}

impl<'t> SourceElement<'t> {
    fn attribute(&self, name: &str) -> Option<&'t SourceAttribute> {
        let mut attributes = self.attributes.iter().copied();
        attributes.find(|attribute| attribute.name == name)
    }

    fn value(&self, name: &str) -> Option<&'t str> {
        self.attribute(name).map(|attribute| &*attribute.value)
    }
}

/// Walks a tree and keeps the attributes that hold URLs.
pub(super) struct Collector<'t> {
    parser: &'t Parser<'t>,
    wanted: Wanted,
    raw: RawDocument,
    /// The starts of the values in `raw`.
    seen: HashSet<usize>,
    /// The ignore marks, if the document has any.
    marks: Option<IgnoreMarks<'t>>,
    repeated: Repeated,
}

/// The anchors of formatting elements in templates that may be inserted again in the document tree: the
/// end tag of a template clears the list of active formatting elements only up to the last marker, which
/// may be that of a caption in it (HTML Standard section 13.2.6.4.4).
#[derive(Default)]
struct Repeated {
    /// The first place of each value of an `id` in a template.
    in_templates: HashMap<String, Span>,
    /// The `id`s of the elements in the document tree that no tag inserted.
    inserted: Vec<String>,
}

impl<'t> Collector<'t> {
    pub(super) fn new(parser: &'t Parser<'t>, wanted: Wanted) -> Collector<'t> {
        let budget = parser.dom().budget();
        Collector {
            parser,
            raw: RawDocument {
                comments: parser.comments.clone(),
                head_start: parser.head_start,
                ..RawDocument::default()
            },
            wanted,
            seen: HashSet::new(),
            marks: parser.has_marks.then(|| IgnoreMarks::new(budget, wanted.further)),
            repeated: Repeated::default(),
        }
    }

    /// Walks the tree, and collects `most` values at most.
    ///
    /// # Errors
    /// Returns an error if it has more.
    pub(super) fn collect(mut self, most: usize) -> Result<RawDocument, TooComplex> {
        // Nodes, whether each is in the document tree (not in a template's content), and the ignore
        // mark that covers its parent.
        let mut stack = vec![(self.parser.dom().get_document(), true, None)];
        while let Some((node, in_document, outer)) = stack.pop() {
            let mut mark = outer;
            match &node.data {
                NodeData::Element { attrs, template_contents, .. } => {
                    if let Some(marks) = &mut self.marks {
                        mark = marks.enter(outer, &attrs.borrow());
                    }
                    self.element(&node, in_document, mark);
                    if self.raw.values.len() > most {
                        return Err(TooComplex::Memory);
                    }
                    if let Some(contents) = template_contents.borrow().as_ref() {
                        stack.push((contents.clone(), false, mark));
                    }
                }
                NodeData::Comment { contents } => self.comment(contents, mark),
                _ => {}
            }
            let children = node.children.borrow();
            let children = children.iter().rev();
            stack.extend(children.map(|child| (child.clone(), in_document, mark)));
        }
        self.add_repeated();
        self.sort();
        Ok(self.raw)
    }

    /// Adds the `id`s that are in the document tree only on elements inserted again.
    fn add_repeated(&mut self) {
        let Repeated { in_templates, inserted } = &mut self.repeated;
        let places = inserted.iter().filter_map(|id| in_templates.remove(id));
        self.raw.metadata.ids.extend(places);
    }

    /// Sorts all from tree order into source order.
    fn sort(&mut self) {
        let metadata = &mut self.raw.metadata;
        metadata.ids.sort();
        metadata.names.sort();
        metadata.maps.sort();
        metadata.without_url.sort_unstable();
        metadata.unclosed_quote = self.parser.unclosed_quote;
        if let Some(marks) = self.marks.take() {
            metadata.ignored = marks.parts(self.parser.source.len());
        }
        let values = &mut self.raw.values;
        let base = self.raw.base.and_then(|at| values.get(at));
        let base = base.map(|value| value.span);
        values.sort_by_key(|value| value.span);
        self.raw.base = base.and_then(|base| values.iter().position(|value| value.span == base));
        self.raw.contents.sort_by_key(|content| content.span);
    }

    /// Adds a comment, whose text in the tree is its number, to the ignore marks.
    fn comment(&mut self, text: &str, mark: Option<usize>) {
        if let Some(marks) = &mut self.marks
            && let Ok(number) = text.parse::<usize>()
            && let Some(span) = self.parser.comments.get(number)
        {
            marks.add(span.start, mark);
        }
    }

    fn element(&mut self, node: &Handle, in_document: bool, mark: Option<usize>) {
        let parser = self.parser;
        let Some(sources) = parser.dom().sources(node) else {
            if parser.metadata && in_document {
                self.repeated.inserted.extend(id_of(node));
            }
            return;
        };
        let mut attributes: Vec<&SourceAttribute> = Vec::new();
        let mut content = None;
        let mut start = None;
        let mut in_noscript = false;
        for (tag, added) in sources.tags() {
            let Some(tag) = parser.tags.get(tag) else { continue };
            if let Some(marks) = &mut self.marks {
                marks.add(tag.start, mark);
            }
            in_noscript |= tag.in_noscript;
            start.get_or_insert(tag.start);
            let is_added =
                |own: &&SourceAttribute| added.is_none_or(|names| names.contains(&own.name));
            attributes.extend(tag.attributes.iter().filter(is_added));
            // Only `html` and `body` merge attributes, and neither has a content.
            content = content.or(tag.content);
        }
        let Some(element) = element_of(node) else { return };
        let element = SourceElement {
            element,
            start: start.unwrap_or_default(),
            attributes,
            in_document,
            in_noscript,
        };
        self.values(&element);
        if element.element.is_html("meta") && self.raw.declared_encoding.is_none() {
            self.raw.declared_encoding = encoding_of_meta(
                element.value("charset"),
                element.value("http-equiv"),
                element.value("content"),
            );
        }
        if parser.metadata {
            self.metadata(&element);
        }
        let type_ = element.value("type");
        let element = element.element;
        self.raw.has_script |= content::is_run(element.namespace, &element.name, type_);
        if let Some(span) = content
            && let Some(kind) = content::kind_of(element.namespace, &element.name, type_)
        {
            self.raw.contents.push(RawContent { element, kind, span });
        }
    }

    fn values(&mut self, element: &SourceElement<'_>) {
        let source = self.parser.source;
        let rel = if element.element.is_html("link") {
            Rel::of(element.value("rel"), element.value("hreflang"))
        } else {
            Rel::NONE
        };
        let is_kept = self.wanted.kept.have(&element.element.name, |name| element.value(name));
        let rel = if is_kept { rel.with(Rel::KEPT) } else { rel };
        for attribute in &element.attributes {
            let Element { namespace, name } = &element.element;
            let value_of = |name: &str| element.value(name);
            let row = attributes::find(*namespace, name, &attribute.name, value_of);
            let row = row.or_else(|| self.wanted.further.find(*namespace, name, &attribute.name));
            let Some(row) = row else { continue };
            let (span, quote) = attribute.place(source);
            if !self.seen.insert(span.start) {
                continue;
            }
            let (in_document, in_noscript) = (element.in_document, element.in_noscript);
            let may_count = row.rules.base == ValueBase::Fallback && in_document && !in_noscript;
            if may_count && self.raw.base.is_none() {
                self.raw.base = Some(self.raw.values.len());
                self.raw.base_tag = Some(element.start);
            }
            let beside = row.rules.beside.and_then(|name| element.attribute(name));
            let beside = beside.map(|attribute| attribute.place(source).0);
            self.raw.values.push(RawValue {
                element: element.element.clone(),
                row,
                span,
                quote,
                beside,
                in_document,
                in_noscript,
                rel,
            });
        }
    }

    /// Collects the anchors and the generator of an element.
    fn metadata(&mut self, element: &SourceElement<'_>) {
        let metadata = &mut self.raw.metadata;
        if element.element.is_html("meta")
            && let (Some(name), Some(content)) = (element.value("name"), element.value("content"))
            && name.eq_ignore_ascii_case("generator")
        {
            metadata.generators.push(content.to_owned());
        }
        let place_of = |name: &str| {
            let attribute = element.attribute(name)?;
            (!attribute.value.is_empty()).then(|| attribute.place(self.parser.source).0)
        };
        if !element.in_document {
            if let (Some(id), Some(place)) = (element.attribute("id"), place_of("id")) {
                let in_templates = &mut self.repeated.in_templates;
                in_templates.entry(id.value.to_string()).or_insert(place);
            }
            return;
        }
        metadata.ids.extend(place_of("id"));
        if element.element.is_html("map") {
            metadata.maps.extend(place_of("name"));
        }
        let names = element.attributes.iter().map(|it| it.name.as_bytes());
        // Nobody writes `image` for `img`.
        let tag = self.parser.source.get(element.start..).unwrap_or_default();
        let is_image = tag.get(..6).is_some_and(|it| it.eq_ignore_ascii_case(b"<image"));
        if element.element.namespace == Namespace::Html
            && !is_image
            && attributes::lacks_url(element.element.name.as_bytes(), names)
        {
            metadata.without_url.push(element.start);
        }
        if element.element.is_html("a") {
            metadata.names.extend(place_of("name"));
        }
    }
}

/// The `id` of an element, if it has one.
fn id_of(node: &Handle) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else { return None };
    let attrs = attrs.borrow();
    let id = attrs.iter().find(|attr| &*attr.name.local == "id")?;
    Some(id.value.to_string())
}

/// The element of a node; `None` for other nodes, and for namespaces without URL attributes.
fn element_of(node: &Handle) -> Option<Element> {
    let NodeData::Element { name, .. } = &node.data else { return None };
    let namespace = match name.ns {
        ns!(html) => Namespace::Html,
        ns!(svg) => Namespace::Svg,
        ns!(mathml) => Namespace::MathMl,
        _ => return None,
    };
    Some(Element { namespace, name: name.local.to_string().into() })
}
