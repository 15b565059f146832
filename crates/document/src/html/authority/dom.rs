//! A tree that knows which start tag each element came from.
//!
//! The tree builder inserts an element for a tag, but it also copies elements (when it reconstructs
//! formatting elements, and in the adoption agency algorithm) and merges attributes (of a second
//! `body` tag). Only the element that is inserted while its own tag is processed has the tag's
//! attributes in the source. Copies have the same values and need no place of their own.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::rc::Rc;

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, LocalName, QualName, ns};
use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::{Budget, DEPTH};
use super::tree::{Handle, NodeData, NodeNumber, Tree};

/// A tree, with the start tags that gave each element its attributes.
pub(super) struct SourceDom {
    pub(super) tree: Tree,
    /// The name of nodes that are no elements.
    no_name: QualName,
    /// The start tag that is being processed.
    current: RefCell<Option<CurrentTag>>,
    sources: RefCell<FxHashMap<NodeNumber, AttributeSources>>,
    /// The latest element that may have been created for the current tag.
    candidate: RefCell<Option<Handle>>,
    /// The element that the tree builder created last.
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
#[derive(Default)]
pub(super) struct AttributeSources {
    /// The tag that the element was inserted for.
    tag: Option<usize>,
    /// Later tags, and the names of the attributes that each added.
    merged: Vec<(usize, FxHashSet<String>)>,
}

impl AttributeSources {
    /// All tags in order, and the names of the attributes that each added; `None` if it added all.
    pub(super) fn tags(&self) -> impl Iterator<Item = (usize, Option<&FxHashSet<String>>)> {
        let merged = self.merged.iter();
        let merged = merged.map(|(tag, names)| (*tag, Some(names)));
        self.tag.map(|tag| (tag, None)).into_iter().chain(merged)
    }
}

impl SourceDom {
    /// An empty tree for a source of this many bytes.
    pub(super) fn new(bytes: usize) -> SourceDom {
        SourceDom {
            tree: Tree::new(),
            no_name: QualName::new(None, ns!(), LocalName::default()),
            current: RefCell::default(),
            sources: RefCell::default(),
            candidate: RefCell::default(),
            latest: RefCell::default(),
            budget: Budget::new(bytes),
        }
    }

    /// Starts a tag. The caller calls this before the tree builder processes the tag.
    pub(super) fn begin_tag(&self, number: usize, name: &str, attribute_count: usize) {
        *self.current.borrow_mut() = Some(CurrentTag {
            number,
            name: name.to_owned(),
            attribute_count,
        });
    }

    /// Ends the tag. The caller calls this after the tree builder processed the tag. Returns whether
    /// the tree builder inserted an element for it.
    pub(super) fn end_tag(&self) -> bool {
        let current = self.current.borrow_mut().take();
        let candidate = self.candidate.borrow_mut().take();
        let (Some(current), Some(element)) = (current, candidate) else {
            return false;
        };
        let mut sources = self.sources.borrow_mut();
        sources.entry(element.number).or_default().tag = Some(current.number);
        true
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Spends the whole budget if the latest element is nested deeper than [`DEPTH`].
    pub(super) fn check_depth(&self) {
        let latest = self.latest.borrow().clone();
        let mut around = std::iter::successors(latest, |it| self.tree.parent(it));
        if around.nth(DEPTH).is_some() {
            self.budget.exceed();
        }
    }

    /// The tags that gave an element its attributes; `None` where no tag of interest did.
    pub(super) fn sources(&self, element: &Handle) -> Option<Ref<'_, AttributeSources>> {
        Ref::filter_map(self.sources.borrow(), |all| all.get(&element.number)).ok()
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
        self.budget.element(attrs.len());
        let contents = flags.template.then(|| self.tree.node(NodeData::Root));
        let element = self.tree.node(NodeData::Element {
            name,
            attrs: RefCell::new(attrs),
            contents,
            is_integration_point: flags.mathml_annotation_xml_integration_point,
        });
        *self.latest.borrow_mut() = Some(element.clone());
        if is_current {
            // A tag's own element comes last, after the reconstructed ones.
            *self.candidate.borrow_mut() = Some(element.clone());
        }
        element
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let NodeData::Element { attrs: present, .. } = &target.data else {
            return;
        };
        let mut present = present.borrow_mut();
        self.budget.steps(present.len() * (attrs.len() + 1));
        if self.budget.is_exceeded() {
            return;
        }
        let is_missing = |attr: &Attribute| !present.iter().any(|other| other.name == attr.name);
        let missing: Vec<Attribute> = attrs.into_iter().filter(is_missing).collect();
        if missing.is_empty() {
            return;
        }
        if let Some(tag) = self.current.borrow().as_ref() {
            let names = missing.iter().map(|attr| attr.name.local.to_string());
            let mut sources = self.sources.borrow_mut();
            let sources = sources.entry(target.number).or_default();
            sources.merged.push((tag.number, names.collect()));
        }
        present.extend(missing);
    }

    // Parse errors are not reported.
    fn parse_error(&self, _: Cow<'static, str>) {}

    // The clone is not an element of the source.
    fn maybe_clone_an_option_into_selectedcontent(&self, _: &Handle) {}

    // Shadow roots are trees of their own. Their content stays template content here.
    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        false
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.budget.steps(1);
        match &target.data {
            NodeData::Element { name, .. } => name.expanded(),
            NodeData::Root | NodeData::Comment(_) => self.no_name.expanded(),
        }
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.budget.steps(1);
        Rc::ptr_eq(x, y)
    }

    fn get_document(&self) -> Handle {
        Rc::clone(&self.tree.document)
    }

    fn create_comment(&self, text: StrTendril) -> Handle {
        self.tree.node(NodeData::Comment(text))
    }

    // HTML has none.
    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.tree.node(NodeData::Comment(StrTendril::new()))
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(child) = child {
            self.tree.append(parent, &child);
        }
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        match self.tree.parent(element) {
            Some(_) => self.append_before_sibling(element, child),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn append_before_sibling(&self, sibling: &Handle, new: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(node) = new {
            self.tree.insert_before(sibling, &node);
        }
    }

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match &target.data {
            NodeData::Element {
                contents: Some(contents),
                ..
            } => Rc::clone(contents),
            _ => Rc::clone(target),
        }
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn remove_from_parent(&self, target: &Handle) {
        self.tree.remove(target);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        while self.tree.move_first_child(node, new_parent) {
            self.budget.steps(1);
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        matches!(
            target.data,
            NodeData::Element {
                is_integration_point: true,
                ..
            }
        )
    }
}
