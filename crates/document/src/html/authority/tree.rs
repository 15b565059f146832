//! The tree of a document. A node knows its neighbours, so that a change takes the same time wherever it is.
//!
//! Text has no nodes: nothing asks for it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use html5ever::tendril::StrTendril;
use html5ever::{Attribute, QualName};

/// The number of a node in its tree.
pub(super) type NodeNumber = u32;

/// A node of a tree.
pub(super) type Handle = Rc<Node>;

pub(super) struct Node {
    pub(super) number: NodeNumber,
    pub(super) data: NodeData,
    links: Cell<Links>,
}

pub(super) enum NodeData {
    /// The document, or the contents of a template.
    Root,
    /// A comment with this text.
    Comment(StrTendril),
    Element {
        name: QualName,
        attrs: RefCell<Vec<Attribute>>,
        /// The contents of a template.
        contents: Option<Handle>,
        /// Whether it is an `annotation-xml` that holds HTML.
        is_integration_point: bool,
    },
}

#[derive(Clone, Copy, Default)]
struct Links {
    parent: Option<NodeNumber>,
    previous: Option<NodeNumber>,
    next: Option<NodeNumber>,
    first: Option<NodeNumber>,
    last: Option<NodeNumber>,
}

/// All nodes that were ever made: what is removed keeps its number.
pub(super) struct Tree {
    nodes: RefCell<Vec<Handle>>,
    pub(super) document: Handle,
}

impl Tree {
    pub(super) fn new() -> Tree {
        let document = Rc::new(Node {
            number: 0,
            data: NodeData::Root,
            links: Cell::default(),
        });
        Tree {
            nodes: RefCell::new(vec![Rc::clone(&document)]),
            document,
        }
    }

    /// A new node, which is nowhere in the tree.
    pub(super) fn node(&self, data: NodeData) -> Handle {
        let mut nodes = self.nodes.borrow_mut();
        let node = Rc::new(Node {
            number: NodeNumber::try_from(nodes.len()).unwrap_or(NodeNumber::MAX),
            data,
            links: Cell::default(),
        });
        nodes.push(Rc::clone(&node));
        node
    }

    fn at(&self, number: Option<NodeNumber>) -> Option<Handle> {
        self.nodes.borrow().get(number? as usize).cloned()
    }

    fn change(&self, number: Option<NodeNumber>, change: impl FnOnce(&mut Links)) {
        if let Some(node) = self.at(number) {
            let mut links = node.links.get();
            change(&mut links);
            node.links.set(links);
        }
    }

    pub(super) fn parent(&self, node: &Node) -> Option<Handle> {
        self.at(node.links.get().parent)
    }

    /// The children, the last one first.
    pub(super) fn children_reversed(&self, node: &Node) -> impl Iterator<Item = Handle> {
        let last = self.at(node.links.get().last);
        std::iter::successors(last, |it| self.at(it.links.get().previous))
    }

    pub(super) fn append(&self, parent: &Node, child: &Node) {
        self.insert(parent.number, child, None);
    }

    /// Inserts a node before `sibling`, which has a parent.
    pub(super) fn insert_before(&self, sibling: &Node, node: &Node) {
        if let Some(parent) = sibling.links.get().parent {
            self.insert(parent, node, Some(sibling.number));
        }
    }

    /// Moves a node to the children of `parent`, before one of them or to the end.
    fn insert(&self, parent: NodeNumber, node: &Node, next: Option<NodeNumber>) {
        self.remove(node);
        let own = Some(node.number);
        let mut previous = None;
        let mut take = |link: &mut Option<NodeNumber>| previous = std::mem::replace(link, own);
        match next {
            Some(_) => self.change(next, |links| take(&mut links.previous)),
            None => self.change(Some(parent), |links| take(&mut links.last)),
        }
        match previous {
            Some(_) => self.change(previous, |links| links.next = own),
            None => self.change(Some(parent), |links| links.first = own),
        }
        self.change(own, |links| {
            (links.parent, links.previous, links.next) = (Some(parent), previous, next);
        });
    }

    /// Removes a node from its parent.
    pub(super) fn remove(&self, node: &Node) {
        let links = node.links.get();
        if links.parent.is_none() {
            return;
        }
        match links.previous {
            Some(_) => self.change(links.previous, |it| it.next = links.next),
            None => self.change(links.parent, |it| it.first = links.next),
        }
        match links.next {
            Some(_) => self.change(links.next, |it| it.previous = links.previous),
            None => self.change(links.parent, |it| it.last = links.previous),
        }
        node.links.set(Links {
            first: links.first,
            last: links.last,
            ..Links::default()
        });
    }

    /// Moves the first child of `node` to the end of the children of `parent`. Returns whether there was one.
    pub(super) fn move_first_child(&self, node: &Node, parent: &Node) -> bool {
        let child = self.at(node.links.get().first);
        if let Some(child) = &child {
            self.append(parent, child);
        }
        child.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// As a list of children, which are looked for.
        #[test]
        fn children_are_in_order(moves in proptest::collection::vec((0..3u8, 0..6usize, 0..6usize), 0..40)) {
            let tree = Tree::new();
            let parents = [tree.node(NodeData::Root), tree.node(NodeData::Root)];
            let nodes: Vec<Handle> = (0..6).map(|_| tree.node(NodeData::Root)).collect();
            let mut lists: [Vec<NodeNumber>; 2] = Default::default();
            for (kind, one, other) in moves {
                let (node, sibling) = (&nodes[one], &nodes[other]);
                let list = |lists: &[Vec<NodeNumber>; 2]| lists.iter().position(|it| it.contains(&sibling.number));
                let of_sibling = list(&lists);
                match (kind, of_sibling) {
                    (1, Some(at)) if one != other => {
                        lists.iter_mut().for_each(|it| it.retain(|it| *it != node.number));
                        let place = lists[at].iter().position(|it| *it == sibling.number).unwrap();
                        lists[at].insert(place, node.number);
                        tree.insert_before(sibling, node);
                    }
                    (2, _) => {
                        lists.iter_mut().for_each(|it| it.retain(|it| *it != node.number));
                        tree.remove(node);
                    }
                    _ => {
                        lists.iter_mut().for_each(|it| it.retain(|it| *it != node.number));
                        lists[other % 2].push(node.number);
                        tree.append(&parents[other % 2], node);
                    }
                }
                for (parent, list) in parents.iter().zip(&lists) {
                    let found = tree.children_reversed(parent).map(|it| it.number);
                    prop_assert_eq!(&found.collect::<Vec<_>>(), &list.iter().rev().copied().collect::<Vec<_>>());
                    for number in list {
                        let node = nodes.iter().find(|it| it.number == *number).unwrap();
                        prop_assert_eq!(tree.parent(node).map(|it| it.number), Some(parent.number));
                    }
                }
            }
        }
    }
}
