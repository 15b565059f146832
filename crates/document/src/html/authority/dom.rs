//! An `RcDom` that knows which start tag each element came from.
//!
//! The tree builder inserts an element for a tag, but it also copies elements (when it reconstructs
//! formatting elements, and in the adoption agency algorithm) and merges attributes (of a second
//! `body` tag). Only the element that is inserted while its own tag is processed has the tag's
//! attributes in the source. Copies have the same values and need no place of their own.

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
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
    merged: Vec<(usize, Vec<String>)>,
}

impl AttributeSources {
    /// Returns all tags in order, and the names of the attributes that each added; `None` if it added all.
    pub(super) fn tags(&self) -> impl Iterator<Item = (usize, Option<&[String]>)> {
        let merged = self.merged.iter();
        let merged = merged.map(|(tag, names)| (*tag, Some(names.as_slice())));
        self.tag.map(|tag| (tag, None)).into_iter().chain(merged)
    }
}

impl SourceDom {
    /// Returns an empty tree for a source of this many bytes.
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

    /// Starts a tag. The caller calls this before the tree builder processes the tag.
    pub(super) fn begin_tag(&self, number: usize, name: &str, attribute_count: usize) {
        *self.current.borrow_mut() =
            Some(CurrentTag { number, name: name.to_owned(), attribute_count });
    }

    /// Ends the tag. The caller calls this after the tree builder processed the tag. Returns whether
    /// the tree builder inserted an element for it.
    pub(super) fn end_tag(&self) -> bool {
        let current = self.current.borrow_mut().take();
        let candidate = self.candidate.borrow_mut().take();
        let (Some(current), Some(element)) = (current, candidate) else { return false };
        let mut sources = self.sources.borrow_mut();
        sources.entry(Rc::as_ptr(&element)).or_default().tag = Some(current.number);
        self.kept.borrow_mut().push(element);
        true
    }

    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Spends the whole budget if the latest element is nested deeper than [`DEPTH`].
    pub(super) fn check_depth(&self) {
        let latest = self.latest.borrow().clone();
        if std::iter::successors(latest, parent).nth(DEPTH).is_some() {
            self.budget.exceed();
        }
    }

    /// Returns the tags that gave an element its attributes; `None` where no tag of interest did.
    pub(super) fn sources(&self, element: &Handle) -> Option<Ref<'_, AttributeSources>> {
        Ref::filter_map(self.sources.borrow(), |all| all.get(&Rc::as_ptr(element))).ok()
    }
}

pub(super) fn parent(node: &Handle) -> Option<Handle> {
    let parent = node.parent.take();
    let handle = parent.as_ref().and_then(Weak::upgrade);
    node.parent.set(parent);
    handle
}

/// The parent of a node, and its place among the children. Searches from the end: what the tree builder moves in front
/// of a table, or out of an element, is there.
fn parent_and_place(node: &Handle) -> Option<(Handle, usize)> {
    let parent = parent(node)?;
    let is_node = |child: &Handle| Rc::ptr_eq(child, node);
    let place = parent.children.borrow().iter().rposition(is_node)?;
    Some((parent, place))
}

/// Defines methods that only call the same method of the `RcDom`.
macro_rules! delegate {
    ($(fn $method:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $method(&self, $($argument: $type),*) -> $result {
            self.dom.$method($($argument),*)
        }
    )*};
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
            let present = present.borrow();
            let pairs = present.len() * (attrs.len() + 1);
            // Every name is hashed, and compared below.
            self.budget.steps(8 * pairs);
            if let Some(tag) = self.current.borrow().as_ref() {
                self.budget.steps(pairs);
                let missing: Vec<String> = attrs
                    .iter()
                    .filter(|attr| !present.iter().any(|other| other.name == attr.name))
                    .map(|attr| attr.name.local.to_string())
                    .collect();
                if !missing.is_empty() {
                    let mut sources = self.sources.borrow_mut();
                    let sources = sources.entry(Rc::as_ptr(target)).or_default();
                    sources.merged.push((tag.number, missing));
                    self.kept.borrow_mut().push(target.clone());
                }
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

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.budget.steps(1);
        self.dom.elem_name(target)
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.budget.steps(1);
        self.dom.same_node(x, y)
    }

    // The `RcDom` searches all children from the first, so that many such changes would take quadratic time.

    fn append_before_sibling(&self, sibling: &Handle, new: NodeOrText<Handle>) {
        if let NodeOrText::AppendNode(node) = &new {
            self.remove_from_parent(node);
        }
        let Some((parent, place)) = parent_and_place(sibling) else { return };
        let node = match new {
            NodeOrText::AppendNode(node) => node,
            NodeOrText::AppendText(text) => {
                let children = parent.children.borrow();
                let previous = place.checked_sub(1).and_then(|at| children.get(at));
                if let Some(NodeData::Text { contents }) = previous.map(|it| &it.data) {
                    contents.borrow_mut().push_tendril(&text);
                    return;
                }
                let contents = RefCell::new(text);
                Node::new(NodeData::Text { contents })
            }
        };
        node.parent.set(Some(Rc::downgrade(&parent)));
        let mut children = parent.children.borrow_mut();
        self.budget.steps(children.len() - place);
        children.insert(place, node);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Handle,
        previous: &Handle,
        child: NodeOrText<Handle>,
    ) {
        match parent(element) {
            Some(_) => self.append_before_sibling(element, child),
            None => self.append(previous, child),
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        if let Some((parent, place)) = parent_and_place(target) {
            let mut children = parent.children.borrow_mut();
            self.budget.steps(children.len() - place);
            children.remove(place);
            target.parent.set(None);
        }
    }

    delegate! {
        fn get_document() -> Handle;
        fn create_comment(text: StrTendril) -> Handle;
        fn create_pi(target: StrTendril, data: StrTendril) -> Handle;
        fn append(parent: &Handle, child: NodeOrText<Handle>) -> ();
        fn append_doctype_to_document(
            name: StrTendril, public: StrTendril, system: StrTendril) -> ();
        fn get_template_contents(target: &Handle) -> Handle;
        fn set_quirks_mode(mode: QuirksMode) -> ();
        fn reparent_children(node: &Handle, new_parent: &Handle) -> ();
        fn is_mathml_annotation_xml_integration_point(target: &Handle) -> bool;
    }
}
