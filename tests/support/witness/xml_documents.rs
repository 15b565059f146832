//! XML documents: SVG, XHTML, feeds, site maps and the rest.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::comparison::{Comparison, Setting, Side};
use super::encoding::{decode, xml_declaration};
use super::links::Bases;
use super::nodes::first_difference;
use super::values::around;
use super::xml::{Event, EventKind, declared_entities, decode_text, read_events, stylesheet_href};
use super::{HTML_NAMESPACE, MATHML_NAMESPACE, Options, SVG_NAMESPACE, XML_NAMESPACE};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, Namespace, Prefix, QualName};
use markup5ever_rcdom::{Handle, Node, NodeData, RcDom};

/// Compares an XML document before and after a run. One that cannot be read has to be the same.
pub(super) fn walk_xml(
    input: &[u8],
    output: &[u8],
    urls: Bases,
    options: Options,
) -> Result<Option<Comparison>, Vec<String>> {
    let (encoding, mark) = xml_encoding(input);
    if output.len() < mark || output[..mark] != input[..mark] {
        return Err(vec!["the byte order mark is lost".to_string()]);
    }
    let text = decode(&input[mark..], encoding);
    let text_after = decode(&output[mark..], encoding);
    let events = match read_events(&text) {
        Ok(events) => events,
        Err(_) if input == output => return Ok(None),
        Err(problem) => return Err(vec![format!("was touched, though {problem}")]),
    };
    let events_after = match read_events(&text_after) {
        Ok(events) => events,
        Err(problem) => return Err(vec![format!("cannot be read any more: {problem}")]),
    };
    let differences = compare_spellings(&events, &events_after);
    let (dom, dom_after) = (build(&events), build(&events_after));
    let root = root_namespace(&dom);
    let encoding = match root.as_deref() {
        Some(HTML_NAMESPACE | SVG_NAMESPACE) => encoding,
        _ => UTF_8,
    };
    let setting = match root.as_deref() {
        Some(HTML_NAMESPACE | SVG_NAMESPACE | MATHML_NAMESPACE) => Setting::RenderedXml,
        _ => Setting::Xml,
    };
    let mut comparison = Comparison::new(
        Side::new(&dom, &urls.0, encoding),
        Side::new(&dom_after, &urls.1, encoding),
        setting,
        options,
    );
    for difference in differences {
        comparison.report_at(|| "file".to_string(), &difference);
    }
    comparison.compare_trees(&dom, &dom_after);
    Ok(Some(comparison))
}

fn xml_encoding(bytes: &[u8]) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(bytes) {
        return found;
    }
    let encoding = match bytes {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        _ => xml_declaration(bytes).unwrap_or(UTF_8),
    };
    (encoding, 0)
}

/// The same pieces, spelled the same, but for the values that say something else.
fn compare_spellings(events: &[Event], events_after: &[Event]) -> Vec<String> {
    if events.len() != events_after.len() {
        let (count, count_after) = (events.len(), events_after.len());
        return vec![format!("{count} tags and texts became {count_after}")];
    }
    let entities = declared_entities(events);
    let mut differences = Vec::new();
    for (event, event_after) in events.iter().zip(events_after) {
        if event.raw != event_after.raw && !spelled_alike(event, event_after, &entities) {
            let difference = first_difference(event.raw, event_after.raw);
            differences.push(format!("is spelled otherwise: {difference}"));
        }
    }
    differences.truncate(10);
    differences
}

fn spelled_alike(event: &Event, event_after: &Event, entities: &HashMap<&str, &str>) -> bool {
    let says = |raw: &str, in_attribute: bool| decode_text(raw, in_attribute, entities, 0);
    match (&event.kind, &event_after.kind) {
        (
            EventKind::Start { attributes, .. },
            EventKind::Start { attributes: attributes_after, .. },
        ) => {
            let values: Vec<&str> = attributes.iter().map(|(_, value)| *value).collect();
            let values_after: Vec<&str> =
                attributes_after.iter().map(|(_, value)| *value).collect();
            let mut pairs = values.iter().zip(&values_after);
            around(event.raw, &values) == around(event_after.raw, &values_after)
                && pairs.all(|(b, a)| b == a || says(b, true) != says(a, true))
        }
        (EventKind::Text, EventKind::Text) => {
            says(event.raw, false) != says(event_after.raw, false)
        }
        (EventKind::Cdata(_), EventKind::Cdata(_)) => true,
        (EventKind::Instruction { .. }, EventKind::Instruction { .. }) => {
            let href = stylesheet_href(event).zip(stylesheet_href(event_after));
            href.is_some_and(|(href, href_after)| {
                around(event.raw, &[href]) == around(event_after.raw, &[href_after])
            })
        }
        _ => false,
    }
}

fn root_namespace(dom: &RcDom) -> Option<String> {
    let children = dom.document.children.borrow();
    children.iter().find_map(|node| match &node.data {
        NodeData::Element { name, .. } => Some(name.ns.to_string()),
        _ => None,
    })
}

/// The tree. The doctype is not in it: that is compared as it is spelled.
fn build(events: &[Event]) -> RcDom {
    let dom = RcDom::default();
    let entities = declared_entities(events);
    let root_scope = HashMap::from([("xml".to_string(), XML_NAMESPACE.to_string())]);
    let mut open = vec![(Rc::clone(&dom.document), Rc::new(root_scope))];
    for event in events {
        let (parent, scope) = open.last().expect("the document stays").clone();
        match &event.kind {
            EventKind::Start { name, attributes, empty } => {
                let attributes: Vec<(&str, String)> = attributes
                    .iter()
                    .map(|(name, value)| (*name, decode_text(value, true, &entities, 0)))
                    .collect();
                let scope = inner_scope(&scope, &attributes);
                let node = Node::new(NodeData::Element {
                    name: qualified(name, true, &scope),
                    attrs: RefCell::new(
                        attributes
                            .iter()
                            .map(|(name, value)| Attribute {
                                name: qualified(name, false, &scope),
                                value: StrTendril::from(value.as_str()),
                            })
                            .collect(),
                    ),
                    template_contents: RefCell::new(None),
                    mathml_annotation_xml_integration_point: false,
                });
                append(&parent, &node);
                if !empty {
                    open.push((node, scope));
                }
            }
            EventKind::End { .. } => {
                open.pop();
            }
            EventKind::Text => append_text(&parent, &decode_text(event.raw, false, &entities, 0)),
            EventKind::Cdata(contents) => append_text(&parent, &contents.replace("\r\n", "\n")),
            EventKind::Comment(contents) => append(
                &parent,
                &Node::new(NodeData::Comment { contents: StrTendril::from(*contents) }),
            ),
            EventKind::Instruction { target, contents } => append(
                &parent,
                &Node::new(NodeData::ProcessingInstruction {
                    target: StrTendril::from(*target),
                    contents: StrTendril::from(*contents),
                }),
            ),
            EventKind::Doctype => {}
        }
    }
    dom
}

fn append(parent: &Handle, node: &Handle) {
    node.parent.set(Some(Rc::downgrade(parent)));
    parent.children.borrow_mut().push(Rc::clone(node));
}

fn append_text(parent: &Handle, text: &str) {
    if let Some(last) = parent.children.borrow().last()
        && let NodeData::Text { contents } = &last.data
    {
        contents.borrow_mut().push_slice(text);
        return;
    }
    let contents = RefCell::new(StrTendril::from(text));
    append(parent, &Node::new(NodeData::Text { contents }));
}

type Scope = Rc<HashMap<String, String>>;

fn inner_scope(scope: &Scope, attributes: &[(&str, String)]) -> Scope {
    let mut inner = Rc::clone(scope);
    for (name, value) in attributes {
        let prefix = match name.strip_prefix("xmlns") {
            Some("") => "",
            Some(rest) => match rest.strip_prefix(':') {
                Some(prefix) => prefix,
                None => continue,
            },
            None => continue,
        };
        Rc::make_mut(&mut inner).insert(prefix.to_string(), value.clone());
    }
    inner
}

fn qualified(name: &str, is_element: bool, scope: &HashMap<String, String>) -> QualName {
    let (prefix, local) = match name.split_once(':') {
        Some((prefix, local)) => (Some(prefix), local),
        None => (None, name),
    };
    let namespace = match prefix {
        // Declarations are no links.
        _ if name == "xmlns" || prefix == Some("xmlns") => Some("http://www.w3.org/2000/xmlns/"),
        None if !is_element => None,
        _ => scope.get(prefix.unwrap_or_default()).map(String::as_str),
    };
    // A prefix that nobody declares stands for itself.
    let namespace = namespace.or(prefix).unwrap_or_default();
    QualName::new(prefix.map(Prefix::from), Namespace::from(namespace), LocalName::from(local))
}
