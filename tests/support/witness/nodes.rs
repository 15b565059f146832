//! The walk over two trees, node by node.

use std::fmt::Write as _;
use std::rc::{Rc, Weak};

use html5ever::Attribute;
use markup5ever_rcdom::{Handle, Node, NodeData};

use super::attributes::rule_for;
use super::comparison::{Comparison, Element, Setting};
use super::links::Bases;
use super::rules::{Kind, Rule};
use super::values::{conditional_comment, is_xml_space, pseudo_attribute, split_spaces};
use super::vocabularies::{TextKind, text_kind};

impl Comparison {
    pub(super) fn walk(&mut self, before: &Handle, after: &Handle) {
        let bases = (Rc::clone(&self.before.base), Rc::clone(&self.after.base));
        let mut waiting = vec![(before.clone(), after.clone(), bases)];
        let mut within = Vec::new();
        while let Some((before, after, (base, base_after))) = waiting.pop() {
            let xml = self.setting == Setting::Xml;
            let inner = (
                self.before.enter(&before, &base, xml),
                self.after.enter(&after, &base_after, xml),
            );
            if !self.compare_nodes(&before, &after, &mut within) {
                continue;
            }
            let judged = self.compare_text_of(&before, &after);
            let (children, children_after) = (before.children.borrow(), after.children.borrow());
            if children.len() != children_after.len() {
                let (count, count_after) = (children.len(), children_after.len());
                self.report(&before, &format!("{count} children became {count_after}"));
            }
            let pairs = children.iter().zip(children_after.iter()).rev();
            let pairs = pairs.filter(|(b, a)| !(judged && is_text(b) && is_text(a)));
            waiting.extend(pairs.map(|(b, a)| (b.clone(), a.clone(), inner.clone())));
            waiting.extend(within.drain(..).map(|(b, a)| (b, a, inner.clone())));
        }
    }

    /// Compares the text in an element where it is a language of its own. False: it is not.
    fn compare_text_of(&mut self, before: &Handle, after: &Handle) -> bool {
        let NodeData::Element { name, attrs, .. } = &before.data else { return false };
        let kind =
            text_kind(&Element { node: before, name, attributes: &attrs.borrow() }, self.options);
        let Some(kind) = kind else { return false };
        let (text, text_after) = (text_of(before), text_of(after));
        self.note_carrier(&name.local, "text");
        self.stats.changed += usize::from(text != text_after);
        let bases: Bases = (Rc::clone(&self.before.base), Rc::clone(&self.after.base));
        let result = match kind {
            TextKind::Css => {
                self.stats.embedded += 1;
                self.compare_css(Rule::CSS, &bases, &text, &text_after)
            }
            TextKind::Json(vocabulary) => {
                self.stats.embedded += 1;
                self.compare_json(vocabulary, &bases, &text, &text_after)
            }
            TextKind::Url(rule) => {
                let (url, url_after) =
                    (text.trim_matches(is_xml_space), text_after.trim_matches(is_xml_space));
                if text == text_after && url.is_empty() {
                    Ok(())
                } else {
                    self.compare_lists(rule, &bases, (&text, &[url]), (&text_after, &[url_after]))
                }
            }
            TextKind::Html { demanded } => {
                let mut options = self.options;
                options.absolute &= demanded;
                let texts = (text.as_str(), text_after.as_str());
                self.compare_embedded(before, Setting::Fragment, options, texts);
                Ok(())
            }
        };
        if let Err(problem) = result {
            self.report(before, &format!("the text: {problem}"));
        }
        true
    }

    fn compare_comments(&mut self, node: &Handle, before: &str, after: &str) {
        let parts = conditional_comment(before).zip(conditional_comment(after));
        if !matches!(self.setting, Setting::Xml | Setting::RenderedXml)
            && let Some(((start, html, end), (start_after, html_after, end_after))) = parts
        {
            if (start, end) != (start_after, end_after) {
                self.report(node, "the condition of the comment differs");
            }
            self.compare_embedded(node, Setting::Fragment, self.options, (html, html_after));
        } else if before != after {
            let difference = first_difference(before, after);
            self.report(node, &format!("the comment differs: {difference}"));
        }
    }

    /// `<?xml-stylesheet href="..."?>`: relative to the document, whatever `xml:base` says.
    fn compare_stylesheet_links(&mut self, before: &str, after: &str) -> Result<(), String> {
        self.note_carrier("xml-stylesheet", "href");
        let href = pseudo_attribute(before, "href");
        match href.zip(pseudo_attribute(after, "href")) {
            Some((url, url_after)) => {
                let bases =
                    (Rc::clone(&self.before.document_url), Rc::clone(&self.after.document_url));
                self.compare_lists(Rule::LOCAL, &bases, (before, &[url]), (after, &[url_after]))
            }
            None if before == after => Ok(()),
            None => Err("the processing instruction differs".to_string()),
        }
    }

    /// Compares two nodes without their children. False: not even of one kind, do not go deeper.
    fn compare_nodes(
        &mut self,
        before: &Handle,
        after: &Handle,
        within: &mut Vec<(Handle, Handle)>,
    ) -> bool {
        match (&before.data, &after.data) {
            (NodeData::Document, NodeData::Document) => {}
            (
                NodeData::Doctype { name, public_id, system_id },
                NodeData::Doctype {
                    name: name_after,
                    public_id: public_id_after,
                    system_id: system_id_after,
                },
            ) => {
                if (name, public_id, system_id) != (name_after, public_id_after, system_id_after) {
                    self.report(before, "the doctype differs");
                }
            }
            (NodeData::Text { contents }, NodeData::Text { contents: contents_after }) => {
                if contents != contents_after {
                    let difference = first_difference(&contents.borrow(), &contents_after.borrow());
                    self.report(before, &format!("the text differs: {difference}"));
                }
            }
            (NodeData::Comment { contents }, NodeData::Comment { contents: contents_after }) => {
                self.compare_comments(before, contents, contents_after);
            }
            (
                NodeData::ProcessingInstruction { target, contents },
                NodeData::ProcessingInstruction { target: target_after, contents: contents_after },
            ) => {
                let same = (target, contents) == (target_after, contents_after);
                if &**target == "xml-stylesheet" && target == target_after {
                    if let Err(problem) = self.compare_stylesheet_links(contents, contents_after) {
                        self.report(before, &problem);
                    }
                } else if !same {
                    self.report(before, "the processing instruction differs");
                }
            }
            (
                NodeData::Element { name, attrs, template_contents, .. },
                NodeData::Element {
                    name: name_after,
                    attrs: attrs_after,
                    template_contents: template_contents_after,
                    ..
                },
            ) => {
                if name != name_after {
                    self.report(before, &format!("became {name_after:?}"));
                    return false;
                }
                self.stats.elements += 1;
                self.compare_elements(
                    &Element { node: before, name, attributes: &attrs.borrow() },
                    &Element { node: after, name, attributes: &attrs_after.borrow() },
                );
                match (&*template_contents.borrow(), &*template_contents_after.borrow()) {
                    (Some(inside), Some(inside_after)) => {
                        within.push((inside.clone(), inside_after.clone()));
                    }
                    (None, None) => {}
                    _ => self.report(before, "the template contents differ"),
                }
            }
            _ => {
                self.report(before, &format!("{} became {}", kind_of(before), kind_of(after)));
                return false;
            }
        }
        true
    }

    fn compare_elements(&mut self, before: &Element, after: &Element) {
        let names_before = before.attributes.iter().map(|attribute| &attribute.name);
        let names_after = after.attributes.iter().map(|attribute| &attribute.name);
        if !names_before.eq(names_after) {
            let names = |element: &Element| -> String {
                let names = element.attributes.iter().map(|a| &*a.name.local);
                names.collect::<Vec<_>>().join(" ")
            };
            self.report(
                before.node,
                &format!("the attributes [{}] became [{}]", names(before), names(after)),
            );
            return;
        }
        for (attribute, attribute_after) in before.attributes.iter().zip(after.attributes) {
            let (value, value_after) = (&*attribute.value, &*attribute_after.value);
            let Some(rule) = rule_for(before, &attribute.name, value, self.setting, self.options)
            else {
                if value != value_after {
                    self.report_attribute(before, attribute, value_after, "holds no link");
                }
                continue;
            };
            let is_refresh = rule.kind == Kind::Refresh;
            let name = match &*attribute.name.local {
                _ if is_refresh => "refresh",
                "href" if names_page(before) => "page",
                name => name,
            };
            self.note_carrier(&before.name.local, name);
            self.stats.url_attributes += 1;
            self.stats.changed += usize::from(value != value_after);
            if let Err(problem) = self.compare_values(before, after, rule, value, value_after) {
                self.report_attribute(before, attribute, value_after, &problem);
            }
        }
    }

    fn note_carrier(&mut self, element: &str, attribute: &str) {
        if self.options.pairs {
            self.carrier = format!("{element} {attribute}");
        }
    }

    fn report_attribute(
        &mut self,
        element: &Element,
        attribute: &Attribute,
        after: &str,
        problem: &str,
    ) {
        self.report(
            element.node,
            &format!("{}={:?} -> {after:?}: {problem}", &*attribute.name.local, &*attribute.value),
        );
    }
}

/// Where a node stands, for the messages: `html>body>p[3]`.
pub(super) fn place_of(node: &Handle) -> String {
    let mut steps = Vec::new();
    let mut current = Rc::clone(node);
    loop {
        let parent = parent_of(&current);
        let mut step = kind_of(&current);
        if let Some(parent) = &parent {
            let children = parent.children.borrow();
            let alike = children.iter().filter(|child| kind_of(child) == step);
            let before = alike.take_while(|child| !Rc::ptr_eq(child, &current));
            let index = before.count();
            if index > 0 {
                let _ = write!(step, "[{}]", index + 1);
            }
        }
        steps.push(step);
        match parent {
            Some(parent) if steps.len() < 40 && !matches!(parent.data, NodeData::Document) => {
                current = parent;
            }
            _ => break,
        }
    }
    steps.reverse();
    steps.join(">")
}

pub(super) fn kind_of(node: &Node) -> String {
    match &node.data {
        NodeData::Document => "#document".to_string(),
        NodeData::Doctype { .. } => "#doctype".to_string(),
        NodeData::Text { .. } => "#text".to_string(),
        NodeData::Comment { .. } => "#comment".to_string(),
        NodeData::ProcessingInstruction { .. } => "#instruction".to_string(),
        NodeData::Element { name, .. } => name.local.to_string(),
    }
}

pub(super) fn first_difference(before: &str, after: &str) -> String {
    let same = before.bytes().zip(after.bytes()).take_while(|(b, a)| b == a).count();
    let excerpt = |text: &str| -> String {
        let start = (0..=same.saturating_sub(10).min(text.len()))
            .rev()
            .find(|&index| text.is_char_boundary(index))
            .unwrap_or(0);
        text[start..].chars().take(40).collect()
    };
    format!("{:?} -> {:?}", excerpt(before), excerpt(after))
}

pub(super) fn parent_of(node: &Handle) -> Option<Handle> {
    let parent = node.parent.take();
    let found = parent.as_ref().and_then(Weak::upgrade);
    node.parent.set(parent);
    found
}

fn is_text(node: &Handle) -> bool {
    matches!(node.data, NodeData::Text { .. })
}

/// The text right in an element, without that of the elements in it.
pub(super) fn text_of(node: &Handle) -> String {
    let mut text = String::new();
    for child in node.children.borrow().iter() {
        if let NodeData::Text { contents } = &child.data {
            text.push_str(&contents.borrow());
        }
    }
    text
}

/// Whether search engines read the link: it names the page itself, or the page in another language.
fn names_page(element: &Element) -> bool {
    let rel = split_spaces(element.attribute("rel").unwrap_or_default());
    let has = |word: &str| rel.iter().any(|it| it.eq_ignore_ascii_case(word));
    let has_language = element.attribute("hreflang").is_some();
    &*element.name.local == "link" && (has("canonical") || has("alternate") && has_language)
}
