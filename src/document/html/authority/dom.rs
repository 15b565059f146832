//! An `RcDom` that knows which start tag each element came from.
//!
//! The tree builder inserts an element for a tag, but it also copies elements (when it reconstructs
//! formatting elements, and in the adoption agency algorithm) and merges attributes (of a second
//! `body` tag). Only the element that is inserted while its own tag is processed has the tag's
//! attributes in the source. Copies have the same values and need no place of their own.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, QualName};
use markup5ever_rcdom::{Handle, Node, NodeData, RcDom};

use super::budget::{Budget, DEPTH};

/// A tree, with the start tags that gave each element its attributes.
pub(super) struct SourceDom {
    dom: RcDom,
    /// The start tag that is being processed.
    current: RefCell<Option<CurrentTag>>,
    sources: RefCell<HashMap<*const Node, AttributeSources>>,
    /// Keeps elements alive that were removed from the tree, so that every address in `sources` stays
    /// that of one element.
    kept: RefCell<Vec<Handle>>,
    /// The latest element that may be the current tag's.
    candidate: RefCell<Option<Handle>>,
    /// The latest element.
    latest: RefCell<Option<Handle>>,
    budget: Budget,
}

struct CurrentTag {
    /// The caller's number of the tag.
    number: usize,
    name: String,
    attribute_count: usize,
}

/// The numbers of the tags that gave an element its attributes.
pub(super) struct AttributeSources {
    /// The tag that the element was inserted for.
    pub(super) tag: Option<usize>,
    /// Later tags, and the names of the attributes that each added.
    pub(super) merged: Vec<(usize, Vec<String>)>,
}

impl SourceDom {
    /// An empty tree for a source of so many bytes.
    pub(super) fn new(bytes: usize) -> SourceDom {
        SourceDom {
            dom: RcDom::default(),
            current: RefCell::default(),
            sources: RefCell::default(),
            kept: RefCell::default(),
            candidate: RefCell::default(),
            latest: RefCell::default(),
            budget: Budget::new(bytes),
        }
    }

    /// Starts a tag: called before the tree builder gets it.
    pub(super) fn begin_tag(&self, number: usize, name: &str, attribute_count: usize) {
        *self.current.borrow_mut() = Some(CurrentTag {
            number,
            name: name.to_owned(),
            attribute_count,
        });
    }

    /// Ends the tag that was started: called after the tree builder had it. Returns whether an element
    /// was inserted for the tag.
    pub(super) fn end_tag(&self) -> bool {
        let current = self.current.borrow_mut().take();
        let candidate = self.candidate.borrow_mut().take();
        let (Some(current), Some(element)) = (current, candidate) else {
            return false;
        };
        self.sources.borrow_mut().insert(
            Rc::as_ptr(&element),
            AttributeSources {
                tag: Some(current.number),
                merged: Vec::new(),
            },
        );
        self.kept.borrow_mut().push(element);
        true
    }

    /// The limit on the cost of the tree.
    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Spends the whole budget if the latest element is nested too deep.
    pub(super) fn check_depth(&self) {
        let mut depth = 0;
        let mut node = self.latest.borrow().clone();
        while let Some(current) = node {
            depth += 1;
            if depth > DEPTH {
                self.budget.exceed();
                return;
            }
            let parent = current.parent.take();
            node = parent.as_ref().and_then(Weak::upgrade);
            current.parent.set(parent);
        }
    }

    /// Calls `use_sources` with the sources of an element, if it has any.
    pub(super) fn with_sources<T>(
        &self,
        element: &Handle,
        use_sources: impl FnOnce(&AttributeSources) -> T,
    ) -> Option<T> {
        self.sources
            .borrow()
            .get(&Rc::as_ptr(element))
            .map(use_sources)
    }
}

impl TreeSink for SourceDom {
    type Handle = Handle;
    type Output = Self;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        // The tag `image` inserts `img`; the mixed-case names of SVG come from lower-case tags.
        let is_current = self.current.borrow().as_ref().is_some_and(|tag| {
            tag.attribute_count == attrs.len()
                && ((*name.local).eq_ignore_ascii_case(&tag.name)
                    || &*tag.name == "image" && &*name.local == "img")
        });
        self.budget.element();
        self.budget.steps(attrs.len());
        let element = self.dom.create_element(name, attrs, flags);
        *self.latest.borrow_mut() = Some(element.clone());
        if is_current {
            // A tag's own element comes last, after the reconstructed ones.
            *self.candidate.borrow_mut() = Some(element.clone());
        }
        element
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        if let NodeData::Element { attrs: present, .. } = &target.data {
            // Every name is hashed, and compared below.
            let cost = 8 * present.borrow().len() * (attrs.len() + 1);
            self.budget.steps(cost);
        }
        if let (Some(tag), NodeData::Element { attrs: present, .. }) =
            (self.current.borrow().as_ref(), &target.data)
        {
            let present = present.borrow();
            self.budget
                .steps(present.len().saturating_mul(attrs.len() + 1));
            let missing: Vec<String> = attrs
                .iter()
                .filter(|attr| !present.iter().any(|other| other.name == attr.name))
                .map(|attr| attr.name.local.to_string())
                .collect();
            if !missing.is_empty() {
                let mut sources = self.sources.borrow_mut();
                sources
                    .entry(Rc::as_ptr(target))
                    .or_insert_with(|| AttributeSources {
                        tag: None,
                        merged: Vec::new(),
                    })
                    .merged
                    .push((tag.number, missing));
                self.kept.borrow_mut().push(target.clone());
            }
        }
        self.dom.add_attrs_if_missing(target, attrs);
    }

    // Parse errors are not reported.
    fn parse_error(&self, _: Cow<'static, str>) {}

    // The clone is not an element of the source.
    fn maybe_clone_an_option_into_selectedcontent(&self, _: &Handle) {}

    // Shadow roots are trees of their own. Their content stays template content here.
    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        false
    }

    fn get_document(&self) -> Handle {
        self.dom.get_document()
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.budget.steps(1);
        self.dom.elem_name(target)
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.dom.create_comment(text)
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle {
        self.dom.create_pi(target, data)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        self.dom.append(parent, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        prev_element: &Handle,
        child: NodeOrText<Handle>,
    ) {
        self.dom
            .append_based_on_parent_node(element, prev_element, child);
    }

    fn append_doctype_to_document(&self, name: StrTendril, public: StrTendril, system: StrTendril) {
        self.dom.append_doctype_to_document(name, public, system);
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        self.dom.get_template_contents(target)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.budget.steps(1);
        self.dom.same_node(x, y)
    }

    fn set_quirks_mode(&self, mode: QuirksMode) {
        self.dom.set_quirks_mode(mode);
    }

    fn append_before_sibling(&self, sibling: &Handle, new_node: NodeOrText<Handle>) {
        self.dom.append_before_sibling(sibling, new_node);
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.dom.remove_from_parent(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        self.dom.reparent_children(node, new_parent);
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.dom.is_mathml_annotation_xml_integration_point(target)
    }
}
