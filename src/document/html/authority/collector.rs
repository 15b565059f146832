//! Collects the values and contents of the elements of the finished tree.

use std::collections::HashMap;
use std::rc::Weak;

use html5ever::interface::TreeSink;
use html5ever::ns;
use markup5ever_rcdom::{Handle, NodeData};

use super::dom::SourceDom;
use super::ignore_marks::IgnoreMarks;
use super::parser::Parser;
use super::tags::{SourceAttribute, SourceTag};
use crate::document::Span;
use crate::document::html::attributes::{self, AttributeBase};
use crate::document::html::content;
use crate::document::html::element::{Element, Namespace};
use crate::document::html::raw::{RawContent, RawDocument, RawValue};
use crate::document::metadata::Rel;
use crate::document::prescan::encoding_of_meta;

/// Walks a tree and keeps the attributes that hold URLs.
pub(super) struct Collector<'t> {
    dom: &'t SourceDom,
    tags: &'t [SourceTag],
    raw: RawDocument,
    /// Indexes in `raw.values` by the start of the value.
    seen: HashMap<usize, usize>,
    comments: &'t [Span],
    metadata: bool,
    /// The ignore marks, if the document has any.
    marks: Option<IgnoreMarks<'t>>,
    /// The length of the source.
    end: usize,
}

impl<'t> Collector<'t> {
    pub(super) fn new(parser: &'t Parser<'_>) -> Collector<'t> {
        let dom = parser.dom();
        Collector {
            dom,
            tags: &parser.tags,
            raw: RawDocument {
                comments: parser.comments.clone(),
                head_start: parser.head_start,
                ..RawDocument::default()
            },
            seen: HashMap::new(),
            comments: &parser.comments,
            metadata: parser.metadata,
            marks: parser.has_marks.then(|| IgnoreMarks::new(dom.budget())),
            end: parser.source.len(),
        }
    }

    /// Walks the tree.
    pub(super) fn collect(mut self) -> RawDocument {
        // Nodes, whether each is in the document tree (not in a template's content), and the ignore
        // mark that covers its parent.
        let mut stack = vec![(self.dom.get_document(), true, None)];
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
            metadata.ignored = marks.parts(self.end);
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
        let place = || self.comments.get(text.parse::<usize>().ok()?);
        if let Some(marks) = &mut self.marks
            && let Some(span) = place()
        {
            marks.add(span.start, mark);
        }
    }

    fn element(&mut self, node: &Handle, in_document: bool, mark: Option<usize>) {
        let dom = self.dom;
        let tags = self.tags;
        dom.with_sources(node, |sources| {
            if let Some(marks) = &mut self.marks {
                let merged = sources.merged.iter().map(|(tag, _)| *tag);
                let all = sources.tag.into_iter().chain(merged);
                for tag in all.filter_map(|tag| tags.get(tag)) {
                    marks.add(tag.start, mark);
                }
            }
            let own = sources.tag.into_iter().filter_map(|tag| tags.get(tag));
            let merged = sources
                .merged
                .iter()
                .filter_map(|(tag, names)| tags.get(*tag).map(|tag| (tag, names)));
            let attributes: Vec<&SourceAttribute> = own
                .flat_map(|tag| &tag.attributes)
                .chain(merged.flat_map(|(tag, names)| {
                    tag.attributes
                        .iter()
                        .filter(move |attribute| names.contains(&attribute.name))
                }))
                .collect();
            let Some(element) = element_of(node) else {
                return;
            };
            self.attributes(node, &element, in_document, &attributes);
            let content = sources.tag.and_then(|tag| tags.get(tag)?.content);
            if let Some(span) = content {
                self.content(element, span, &attributes);
            }
        });
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
        if self.metadata {
            self.metadata(is_html, in_document, sources);
        }
        let rel = if self.metadata && is_html("link") {
            Rel::of(value_of("rel"), value_of("hreflang"))
        } else {
            Rel::NONE
        };
        for source in sources {
            let Element { namespace, name } = element;
            let Some(row) = attributes::find(*namespace, name, &source.name, value_of) else {
                continue;
            };
            let at = self.raw.values.len();
            if self.seen.insert(source.span.start, at).is_some() {
                continue;
            }
            if row.base == AttributeBase::Fallback && in_document && self.raw.base.is_none() {
                self.raw.base = Some(at);
                self.raw.base_in_noscript = is_in_noscript(node);
            }
            let codebase = (row.base == AttributeBase::Codebase)
                .then(|| other("codebase"))
                .flatten()
                .map(|source| source.span);
            self.raw.values.push(RawValue {
                element: element.clone(),
                row,
                span: source.span,
                quote: source.quote,
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
                .map(|source| source.span)
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
    let parent_of = |node: &Handle| {
        let parent = node.parent.take();
        let handle = parent.as_ref().and_then(Weak::upgrade);
        node.parent.set(parent);
        handle
    };
    std::iter::successors(parent_of(node), parent_of).any(|ancestor| {
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
