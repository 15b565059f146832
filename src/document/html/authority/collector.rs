//! From the finished tree back to the source: which attributes and contents count.

use std::collections::HashMap;
use std::rc::Weak;

use html5ever::interface::TreeSink;
use html5ever::{Namespace as AtomNamespace, ns};
use markup5ever_rcdom::{Handle, NodeData};

use super::super::Element;
use super::super::attributes::{self, Namespace, RowBase};
use super::super::content;
use super::super::sink::SourceDom;
use super::{Findings, RawContent, RawValue, SourceAttribute, SourceTag};
use crate::document::Span;
use crate::document::prescan::encoding_of_meta;

/// Walks the finished tree and keeps the attributes that hold URLs.
pub(super) struct Collector<'t> {
    dom: &'t SourceDom,
    tags: &'t [SourceTag],
    findings: Findings,
    /// Where in `findings.values` the value with this span start is.
    seen: HashMap<usize, usize>,
}

impl<'t> Collector<'t> {
    pub(super) fn new(dom: &'t SourceDom, tags: &'t [SourceTag]) -> Collector<'t> {
        Collector {
            dom,
            tags,
            findings: Findings::default(),
            seen: HashMap::new(),
        }
    }

    /// What the walk finds, and `comments`.
    pub(super) fn collect(mut self, comments: Vec<Span>) -> Findings {
        self.findings.comments = comments;
        // A node and whether it is in the document tree (and not in a template's content).
        let mut stack = vec![(self.dom.get_document(), true)];
        while let Some((node, in_document)) = stack.pop() {
            if let NodeData::Element {
                template_contents, ..
            } = &node.data
            {
                self.element(&node, in_document);
                if let Some(contents) = template_contents.borrow().as_ref() {
                    stack.push((contents.clone(), false));
                }
            }
            let children = node.children.borrow();
            stack.extend(
                children
                    .iter()
                    .rev()
                    .map(|child| (child.clone(), in_document)),
            );
        }
        let base_start = self
            .findings
            .base
            .and_then(|at| self.findings.values.get(at))
            .map(|value| value.span.start);
        self.findings.values.sort_by_key(|value| value.span);
        self.findings.contents.sort_by_key(|content| content.span);
        self.findings.base = base_start.and_then(|start| {
            self.findings
                .values
                .iter()
                .position(|value| value.span.start == start)
        });
        self.findings
    }

    fn element(&mut self, node: &Handle, in_document: bool) {
        let dom = self.dom;
        let tags = self.tags;
        dom.with_sources(node, |sources| {
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
            self.attributes(node, in_document, &attributes);
            let content = sources.tag.and_then(|tag| tags.get(tag)?.content);
            if let Some(span) = content {
                self.content(node, span, &attributes);
            }
        });
    }

    fn attributes(&mut self, node: &Handle, in_document: bool, sources: &[&SourceAttribute]) {
        let NodeData::Element { name, .. } = &node.data else {
            return;
        };
        let Some(namespace) = namespace_of(&name.ns) else {
            return;
        };
        let other = |wanted: &str| sources.iter().find(|source| source.name == wanted).copied();
        let value_of = |wanted: &str| other(wanted).map(|source| &*source.value);
        let element = &*name.local;
        if namespace == Namespace::Html
            && element == "meta"
            && self.findings.declared_encoding.is_none()
        {
            self.findings.declared_encoding = encoding_of_meta(
                value_of("charset"),
                value_of("http-equiv"),
                value_of("content"),
            );
        }
        for source in sources {
            let Some(row) = attributes::find(namespace, element, &source.name, value_of) else {
                continue;
            };
            let at = self.findings.values.len();
            if self.seen.insert(source.span.start, at).is_some() {
                continue;
            }
            if row.base == RowBase::Fallback && in_document && self.findings.base.is_none() {
                self.findings.base = Some(at);
                self.findings.base_in_noscript = is_in_noscript(node);
            }
            let codebase = (row.base == RowBase::Codebase)
                .then(|| other("codebase"))
                .flatten()
                .map(|source| source.span);
            self.findings.values.push(RawValue {
                element: Element {
                    namespace,
                    name: element.to_owned(),
                },
                attribute: source.name.clone(),
                row,
                span: source.span,
                quote: source.quote,
                codebase,
            });
        }
    }

    fn content(&mut self, node: &Handle, span: Span, sources: &[&SourceAttribute]) {
        let NodeData::Element { name, .. } = &node.data else {
            return;
        };
        let Some(namespace) = namespace_of(&name.ns) else {
            return;
        };
        let type_ = sources.iter().find(|source| source.name == "type");
        let type_ = type_.map(|source| &*source.value);
        if let Some(kind) = content::kind_of(namespace, &name.local, type_) {
            self.findings.contents.push(RawContent {
                element: Element {
                    namespace,
                    name: name.local.to_string(),
                },
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

fn namespace_of(namespace: &AtomNamespace) -> Option<Namespace> {
    match *namespace {
        ns!(html) => Some(Namespace::Html),
        ns!(svg) => Some(Namespace::Svg),
        ns!(mathml) => Some(Namespace::MathMl),
        _ => None,
    }
}
