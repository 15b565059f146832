//! Collects the values and contents of the elements of the finished tree.

use std::collections::HashSet;

use html5ever::interface::TreeSink;
use html5ever::ns;
use markup5ever_rcdom::{Handle, NodeData};

use super::dom::parent;
use super::ignore_marks::IgnoreMarks;
use super::parser::Parser;
use super::tags::SourceAttribute;
use crate::document::Span;
use crate::document::html::attributes::{self, AttributeBase};
use crate::document::html::content;
use crate::document::html::element::{Element, Namespace};
use crate::document::html::raw::{RawContent, RawDocument, RawValue};
use crate::document::metadata::Rel;
use crate::document::prescan::encoding_of_meta;

/// Walks a tree and keeps the attributes that hold URLs.
pub(super) struct Collector<'t> {
    parser: &'t Parser<'t>,
    raw: RawDocument,
    /// The starts of the values in `raw`.
    seen: HashSet<usize>,
    /// The ignore marks, if the document has any.
    marks: Option<IgnoreMarks<'t>>,
}

impl<'t> Collector<'t> {
    pub(super) fn new(parser: &'t Parser<'t>) -> Collector<'t> {
        let budget = parser.dom().budget();
        Collector {
            parser,
            raw: RawDocument {
                comments: parser.comments.clone(),
                head_start: parser.head_start,
                ..RawDocument::default()
            },
            seen: HashSet::new(),
            marks: parser.has_marks.then(|| IgnoreMarks::new(budget)),
        }
    }

    /// Walks the tree.
    pub(super) fn collect(mut self) -> RawDocument {
        // Nodes, whether each is in the document tree (not in a template's content), and the ignore
        // mark that covers its parent.
        let mut stack = vec![(self.parser.dom().get_document(), true, None)];
        while let Some((node, in_document, outer)) = stack.pop() {
            let mut mark = outer;
            match &node.data {
                NodeData::Element {
                    attrs,
                    template_contents,
                    ..
                } => {
                    if let Some(marks) = &mut self.marks {
                        mark = marks.enter(outer, &attrs.borrow());
                    }
                    self.element(&node, in_document, mark);
                    if let Some(contents) = template_contents.borrow().as_ref() {
                        stack.push((contents.clone(), false, mark));
                    }
                }
                NodeData::Comment { contents } => self.comment(contents, mark),
                _ => {}
            }
            let children = node.children.borrow();
            stack.extend(
                children
                    .iter()
                    .rev()
                    .map(|child| (child.clone(), in_document, mark)),
            );
        }
        self.sort();
        self.raw
    }

    /// Sorts all from tree order into source order.
    fn sort(&mut self) {
        let metadata = &mut self.raw.metadata;
        metadata.ids.sort();
        metadata.names.sort();
        if let Some(marks) = self.marks.take() {
            metadata.ignored = marks.parts(self.parser.source.len());
        }
        let base_start = self
            .raw
            .base
            .and_then(|at| self.raw.values.get(at))
            .map(|value| value.span.start);
        self.raw.values.sort_by_key(|value| value.span);
        self.raw.contents.sort_by_key(|content| content.span);
        self.raw.base = base_start.and_then(|start| {
            self.raw
                .values
                .iter()
                .position(|value| value.span.start == start)
        });
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
            return;
        };
        let mut attributes: Vec<&SourceAttribute> = Vec::new();
        let mut content = None;
        for (tag, added) in sources.tags() {
            let Some(tag) = parser.tags.get(tag) else {
                continue;
            };
            if let Some(marks) = &mut self.marks {
                marks.add(tag.start, mark);
            }
            let own = tag.attributes.iter();
            attributes
                .extend(own.filter(|own| added.is_none_or(|names| names.contains(&own.name))));
            // Only `html` and `body` merge attributes, and neither has a content.
            content = content.or(tag.content);
        }
        let Some(element) = element_of(node) else {
            return;
        };
        self.attributes(node, &element, in_document, &attributes);
        if let Some(span) = content {
            self.content(element, span, &attributes);
        }
    }

    fn attributes(
        &mut self,
        node: &Handle,
        element: &Element,
        in_document: bool,
        sources: &[&SourceAttribute],
    ) {
        let is_html = |name: &str| element.namespace == Namespace::Html && element.name == name;
        let other = |wanted: &str| sources.iter().find(|source| source.name == wanted).copied();
        let value_of = |wanted: &str| other(wanted).map(|source| &*source.value);
        if is_html("meta") && self.raw.declared_encoding.is_none() {
            self.raw.declared_encoding = encoding_of_meta(
                value_of("charset"),
                value_of("http-equiv"),
                value_of("content"),
            );
        }
        if self.parser.metadata {
            self.metadata(is_html, in_document, sources);
        }
        let rel = if self.parser.metadata && is_html("link") {
            Rel::of(value_of("rel"), value_of("hreflang"))
        } else {
            Rel::NONE
        };
        for source in sources {
            let Element { namespace, name } = element;
            let Some(row) = attributes::find(*namespace, name, &source.name, value_of) else {
                continue;
            };
            let (span, quote) = source.place(self.parser.source);
            if !self.seen.insert(span.start) {
                continue;
            }
            if row.base == AttributeBase::Fallback && in_document && self.raw.base.is_none() {
                self.raw.base = Some(self.raw.values.len());
                self.raw.base_in_noscript = is_in_noscript(node);
            }
            let codebase = (row.base == AttributeBase::Codebase)
                .then(|| other("codebase"))
                .flatten()
                .map(|source| source.place(self.parser.source).0);
            self.raw.values.push(RawValue {
                element: element.clone(),
                row,
                span,
                quote,
                codebase,
                in_document,
                rel,
            });
        }
    }

    /// Collects the anchors and the generator of an element.
    fn metadata(
        &mut self,
        is_html: impl Fn(&str) -> bool,
        in_document: bool,
        sources: &[&SourceAttribute],
    ) {
        let metadata = &mut self.raw.metadata;
        let other = |wanted: &str| sources.iter().find(|source| source.name == wanted);
        if is_html("meta")
            && other("name").is_some_and(|name| name.value.eq_ignore_ascii_case("generator"))
            && let Some(content) = other("content")
        {
            metadata.generators.push(content.value.to_string());
        }
        if !in_document {
            return;
        }
        let place_of = |name: &str| {
            other(name)
                .filter(|source| !source.value.is_empty())
                .map(|source| source.place(self.parser.source).0)
        };
        metadata.ids.extend(place_of("id"));
        if is_html("a") {
            metadata.names.extend(place_of("name"));
        }
    }

    fn content(&mut self, element: Element, span: Span, sources: &[&SourceAttribute]) {
        let type_ = sources.iter().find(|source| source.name == "type");
        let type_ = type_.map(|source| &*source.value);
        if let Some(kind) = content::kind_of(element.namespace, &element.name, type_) {
            self.raw.contents.push(RawContent {
                element,
                kind,
                span,
            });
        }
    }
}

fn is_in_noscript(node: &Handle) -> bool {
    std::iter::successors(parent(node), parent).any(|ancestor| {
        matches!(&ancestor.data, NodeData::Element { name, .. }
            if name.ns == ns!(html) && &*name.local == "noscript")
    })
}

/// The element of a node; `None` for other nodes, and for namespaces without URL attributes.
fn element_of(node: &Handle) -> Option<Element> {
    let NodeData::Element { name, .. } = &node.data else {
        return None;
    };
    let namespace = match name.ns {
        ns!(html) => Namespace::Html,
        ns!(svg) => Namespace::Svg,
        ns!(mathml) => Namespace::MathMl,
        _ => return None,
    };
    Some(Element {
        namespace,
        name: name.local.to_string().into(),
    })
}
