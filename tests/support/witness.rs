//! An independent witness: a second opinion on what a run did to a document.
//!
//! It shares no code with `rehref`. Both documents are parsed with html5ever's own tokenizer and
//! `RcDom` (scripting off), the two trees are walked side by side, and everything that is not a
//! link has to be equal. Links have to lead to the same target; the table of attributes that hold
//! links is a separate one, written from the HTML Standard, its obsolete features and SVG 2.
//!
//! What it does *not* see: bytes that leave no trace in the tree (quotes, letter case of tag names,
//! white space inside tags). That is for a comparison of the bytes outside the edited spans.

// Each test program uses a part of it.
#![allow(dead_code, unreachable_pub)]

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, parse_document};
use markup5ever_rcdom::{Handle, Node, NodeData, RcDom};
use url::Url;

const HTML_NAMESPACE: &str = "http://www.w3.org/1999/xhtml";
const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";
const MATHML_NAMESPACE: &str = "http://www.w3.org/1998/Math/MathML";
const XLINK_NAMESPACE: &str = "http://www.w3.org/1999/xlink";

/// More differences than this in one document are only counted.
const MAXIMAL_DIFFERENCES: usize = 40;

/// What was compared. `changed` counts the URL attributes whose values differ as strings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub elements: usize,
    pub url_attributes: usize,
    pub urls: usize,
    pub changed: usize,
}

impl Stats {
    pub fn add(&mut self, other: Stats) {
        self.elements += other.elements;
        self.url_attributes += other.url_attributes;
        self.urls += other.urls;
        self.changed += other.changed;
    }
}

// ---------------------------------------------------------------------------------------------
// The comparison of one document
// ---------------------------------------------------------------------------------------------

/// Compares a document before and after a run.
///
/// Both are taken to stand at `document_url` and to be in the encoding the input declares. Every
/// link of `output` must lead where it led in `input`; with `absolute` it must also be written as
/// an absolute URL wherever that can be done. Nothing else in the tree may differ.
pub fn compare_documents(
    input: &[u8],
    output: &[u8],
    document_url: &Url,
    absolute: bool,
) -> Result<Stats, Vec<String>> {
    let (encoding, mark) = sniff_encoding(input);
    if output.len() < mark || output[..mark] != input[..mark] {
        return Err(vec!["the byte order mark is lost".to_string()]);
    }
    let before = parse(&decode(&input[mark..], encoding));
    let after = if input == output {
        None
    } else {
        Some(parse(&decode(&output[mark..], encoding)))
    };
    let after = after.as_ref().unwrap_or(&before);
    let document_url = Rc::new(document_url.clone());
    let mut comparison = Comparison {
        before: Side::new(&before, &document_url, encoding),
        after: Side::new(after, &document_url, encoding),
        absolute,
        stats: Stats::default(),
        differences: Vec::new(),
        uncounted: 0,
    };
    if before.quirks_mode.get() != after.quirks_mode.get() {
        comparison.report(&before.document, "the quirks mode differs".to_string());
    }
    comparison.walk(&before.document, &after.document);
    comparison.finish()
}

/// Everything about one of the two documents that decides where its links lead.
struct Side {
    document_url: Rc<Url>,
    base: Rc<Url>,
    encoding: &'static Encoding,
}

impl Side {
    fn new(dom: &RcDom, document_url: &Rc<Url>, encoding: &'static Encoding) -> Side {
        let mut side = Side {
            document_url: Rc::clone(document_url),
            base: Rc::clone(document_url),
            encoding,
        };
        let base = first_base_href(dom).and_then(|href| side.resolve(Some(document_url), &href));
        if let Some(base) = base
            && !matches!(base.scheme(), "data" | "javascript")
        {
            side.base = Rc::new(base);
        }
        side
    }

    /// The Standard's "encoding-parse a URL".
    fn resolve(&self, base: Option<&Url>, reference: &str) -> Option<Url> {
        let output_encoding = self.encoding.output_encoding();
        let encode = query_encoder(output_encoding);
        let override_needed = output_encoding != UTF_8 && !reference.is_ascii();
        Url::options()
            .base_url(base)
            .encoding_override(if override_needed { Some(&encode) } else { None })
            .parse(reference)
            .ok()
    }

    /// What the URLs of this attribute are resolved against.
    fn base_for(&self, relative_to: RelativeTo, element: &Element) -> Rc<Url> {
        match relative_to {
            RelativeTo::Base => Rc::clone(&self.base),
            RelativeTo::Document => Rc::clone(&self.document_url),
            RelativeTo::Codebase => self
                .codebase(element)
                .map_or_else(|| Rc::clone(&self.base), Rc::new),
        }
    }

    /// The `codebase` of an applet or object, taken as a directory.
    fn codebase(&self, element: &Element) -> Option<Url> {
        let value = element.attribute("codebase")?;
        if trim(value).is_empty() {
            return None;
        }
        let mut codebase = self.resolve(Some(&self.base), value)?;
        if codebase.cannot_be_a_base() {
            return None;
        }
        if !codebase.path().ends_with('/') {
            let path = format!("{}/", codebase.path());
            codebase.set_path(&path);
        }
        Some(codebase)
    }
}

struct Element<'a> {
    node: &'a Handle,
    name: &'a QualName,
    attributes: &'a [Attribute],
}

impl Element<'_> {
    /// The value of an attribute in no namespace.
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name.ns.is_empty() && &*attribute.name.local == name)
            .map(|attribute| &*attribute.value)
    }
}

struct Comparison {
    before: Side,
    after: Side,
    absolute: bool,
    stats: Stats,
    differences: Vec<String>,
    uncounted: usize,
}

impl Comparison {
    fn finish(mut self) -> Result<Stats, Vec<String>> {
        if self.differences.is_empty() {
            return Ok(self.stats);
        }
        if self.uncounted > 0 {
            self.differences
                .push(format!("... and {} more", self.uncounted));
        }
        Err(self.differences)
    }

    fn report(&mut self, node: &Handle, what: String) {
        if self.differences.len() < MAXIMAL_DIFFERENCES {
            self.differences.push(format!("{}: {what}", place_of(node)));
        } else {
            self.uncounted += 1;
        }
    }

    fn walk(&mut self, before: &Handle, after: &Handle) {
        let mut waiting = vec![(before.clone(), after.clone())];
        while let Some((before, after)) = waiting.pop() {
            if !self.compare_nodes(&before, &after, &mut waiting) {
                continue;
            }
            let (children_before, children_after) =
                (before.children.borrow(), after.children.borrow());
            if children_before.len() != children_after.len() {
                self.report(
                    &before,
                    format!(
                        "{} children became {}",
                        children_before.len(),
                        children_after.len()
                    ),
                );
            }
            let pairs = children_before.iter().zip(children_after.iter());
            waiting.extend(pairs.rev().map(|(b, a)| (b.clone(), a.clone())));
        }
    }

    /// Compares two nodes without their children. False: not even of one kind, do not go deeper.
    fn compare_nodes(
        &mut self,
        before: &Handle,
        after: &Handle,
        waiting: &mut Vec<(Handle, Handle)>,
    ) -> bool {
        match (&before.data, &after.data) {
            (NodeData::Document, NodeData::Document) => {}
            (
                NodeData::Doctype {
                    name,
                    public_id,
                    system_id,
                },
                NodeData::Doctype {
                    name: name_after,
                    public_id: public_id_after,
                    system_id: system_id_after,
                },
            ) => {
                if (name, public_id, system_id) != (name_after, public_id_after, system_id_after) {
                    self.report(before, "the doctype differs".to_string());
                }
            }
            (
                NodeData::Text { contents },
                NodeData::Text {
                    contents: contents_after,
                },
            ) => {
                if contents != contents_after {
                    let difference = first_difference(&contents.borrow(), &contents_after.borrow());
                    self.report(before, format!("the text differs: {difference}"));
                }
            }
            (
                NodeData::Comment { contents },
                NodeData::Comment {
                    contents: contents_after,
                },
            ) => {
                if contents != contents_after {
                    let difference = first_difference(contents, contents_after);
                    self.report(before, format!("the comment differs: {difference}"));
                }
            }
            (
                NodeData::ProcessingInstruction { target, contents },
                NodeData::ProcessingInstruction {
                    target: target_after,
                    contents: contents_after,
                },
            ) => {
                if (target, contents) != (target_after, contents_after) {
                    self.report(before, "the processing instruction differs".to_string());
                }
            }
            (
                NodeData::Element {
                    name,
                    attrs,
                    template_contents,
                    ..
                },
                NodeData::Element {
                    name: name_after,
                    attrs: attrs_after,
                    template_contents: template_contents_after,
                    ..
                },
            ) => {
                if name != name_after {
                    self.report(before, format!("became {name_after:?}"));
                    return false;
                }
                self.stats.elements += 1;
                self.compare_elements(
                    &Element {
                        node: before,
                        name,
                        attributes: &attrs.borrow(),
                    },
                    &Element {
                        node: after,
                        name,
                        attributes: &attrs_after.borrow(),
                    },
                );
                match (
                    &*template_contents.borrow(),
                    &*template_contents_after.borrow(),
                ) {
                    (Some(contents), Some(contents_after)) => {
                        waiting.push((contents.clone(), contents_after.clone()));
                    }
                    (None, None) => {}
                    _ => self.report(before, "the template contents differ".to_string()),
                }
            }
            _ => {
                self.report(
                    before,
                    format!("{} became {}", kind_of(before), kind_of(after)),
                );
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
                format!(
                    "the attributes [{}] became [{}]",
                    names(before),
                    names(after)
                ),
            );
            return;
        }
        for (attribute, attribute_after) in before.attributes.iter().zip(after.attributes) {
            let (value, value_after) = (&*attribute.value, &*attribute_after.value);
            let Some(rule) = rule_for(before, &attribute.name) else {
                if value != value_after {
                    self.report_attribute(before, attribute, value_after, "holds no link");
                }
                continue;
            };
            self.stats.url_attributes += 1;
            self.stats.changed += usize::from(value != value_after);
            if let Err(problem) = self.compare_values(before, after, rule, value, value_after) {
                self.report_attribute(before, attribute, value_after, &problem);
            }
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
            format!(
                "{}={:?} -> {after:?}: {problem}",
                &*attribute.name.local, &*attribute.value
            ),
        );
    }

    fn compare_values(
        &mut self,
        element: &Element,
        element_after: &Element,
        rule: Rule,
        value: &str,
        value_after: &str,
    ) -> Result<(), String> {
        if value == value_after && rule.demand == Demand::Optional {
            return Ok(());
        }
        if is_template_markup(value) {
            return if value == value_after {
                Ok(())
            } else {
                Err("template markup was touched".to_string())
            };
        }
        let bases = (
            self.before.base_for(rule.relative_to, element),
            self.after.base_for(rule.relative_to, element_after),
        );
        match rule.kind {
            Kind::Single => self.compare_urls(rule, &bases, value, value_after),
            Kind::SpaceSeparated => self.compare_lists(
                rule,
                &bases,
                (value, &split_spaces(value)),
                (value_after, &split_spaces(value_after)),
            ),
            Kind::CommaSeparated => self.compare_lists(
                rule,
                &bases,
                (value, &split_commas(value)),
                (value_after, &split_commas(value_after)),
            ),
            Kind::Srcset => {
                let candidates = parse_srcset(value);
                let candidates_after = parse_srcset(value_after);
                let descriptors = candidates.iter().map(|(_, descriptors)| descriptors);
                let descriptors_after = candidates_after.iter().map(|(_, descriptors)| descriptors);
                if !descriptors.eq(descriptors_after) {
                    return Err("the descriptors differ".to_string());
                }
                let urls: Vec<&str> = candidates.iter().map(|(url, _)| *url).collect();
                let urls_after: Vec<&str> = candidates_after.iter().map(|(url, _)| *url).collect();
                self.compare_lists(rule, &bases, (value, &urls), (value_after, &urls_after))
            }
            Kind::Refresh => {
                let (refresh, refresh_after) = (parse_refresh(value), parse_refresh(value_after));
                match (refresh, refresh_after) {
                    (Some((time, Some(url))), Some((time_after, Some(url_after)))) => {
                        if time != time_after {
                            return Err("the time differs".to_string());
                        }
                        self.compare_lists(
                            rule,
                            &bases,
                            (value, &[url]),
                            (value_after, &[url_after]),
                        )
                    }
                    _ if value == value_after => Ok(()),
                    _ => Err("one of them is no refresh with a URL".to_string()),
                }
            }
        }
    }

    fn compare_lists(
        &mut self,
        rule: Rule,
        bases: &(Rc<Url>, Rc<Url>),
        (value, urls): (&str, &[&str]),
        (value_after, urls_after): (&str, &[&str]),
    ) -> Result<(), String> {
        if urls.len() != urls_after.len() {
            return Err(format!("{} URLs became {}", urls.len(), urls_after.len()));
        }
        for (url, url_after) in urls.iter().zip(urls_after) {
            self.compare_urls(rule, bases, url, url_after)?;
        }
        let (mut pieces, mut pieces_after) = (around(value, urls), around(value_after, urls_after));
        if rule.kind == Kind::Refresh {
            // A target with a quote in it needs the other quotes, or none.
            for piece in pieces.iter_mut().chain(&mut pieces_after) {
                *piece = piece.trim_matches(['\'', '"']);
            }
        }
        if pieces != pieces_after {
            return Err("what stands around the URLs differs".to_string());
        }
        Ok(())
    }

    fn compare_urls(
        &mut self,
        rule: Rule,
        (base, base_after): &(Rc<Url>, Rc<Url>),
        url: &str,
        url_after: &str,
    ) -> Result<(), String> {
        self.stats.urls += 1;
        let same = url == url_after;
        if url.is_empty() && rule.empty == Empty::Nothing {
            return if same {
                Ok(())
            } else {
                Err("an empty value, which is no link here, was touched".to_string())
            };
        }
        let Some(target) = self.before.resolve(Some(base), url) else {
            return if same {
                Ok(())
            } else {
                Err("what does not parse as a URL was touched".to_string())
            };
        };
        if target.cannot_be_a_base() {
            return if same {
                Ok(())
            } else {
                Err("a URL that is not hierarchical was touched".to_string())
            };
        }
        let may_stay = rule.may_stay(url);
        if same && may_stay {
            return Ok(());
        }
        if same && base == base_after && !self.absolute {
            return Ok(());
        }
        match self.after.resolve(Some(base_after), url_after) {
            None => Err(format!("led to {target}, does not parse now")),
            Some(target_after) if target != target_after => {
                Err(format!("led to {target}, leads to {target_after}"))
            }
            Some(_) if self.absolute && !self.is_absolute(url_after, &target) => {
                Err(format!("is not an absolute URL (target {target})"))
            }
            Some(_) => Ok(()),
        }
    }

    /// Whether `url` leads to `target` without any base.
    fn is_absolute(&self, url: &str, target: &Url) -> bool {
        // `https:x` is relative to a base of the same scheme; with the slashes nothing is.
        url.strip_prefix(target.scheme())
            .is_some_and(|rest| rest.starts_with("://"))
            || self.after.resolve(None, url).as_ref() == Some(target)
    }
}

/// Where a node stands, for the messages: `html>body>p[3]`.
fn place_of(node: &Handle) -> String {
    let mut steps = Vec::new();
    let mut current = Rc::clone(node);
    loop {
        let weak = current.parent.take();
        let parent = weak.as_ref().and_then(|weak| weak.upgrade());
        current.parent.set(weak);
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

fn kind_of(node: &Node) -> String {
    match &node.data {
        NodeData::Document => "#document".to_string(),
        NodeData::Doctype { .. } => "#doctype".to_string(),
        NodeData::Text { .. } => "#text".to_string(),
        NodeData::Comment { .. } => "#comment".to_string(),
        NodeData::ProcessingInstruction { .. } => "#instruction".to_string(),
        NodeData::Element { name, .. } => name.local.to_string(),
    }
}

fn first_difference(before: &str, after: &str) -> String {
    let same = before
        .bytes()
        .zip(after.bytes())
        .take_while(|(b, a)| b == a)
        .count();
    let excerpt = |text: &str| -> String {
        let start = (0..=same.saturating_sub(10).min(text.len()))
            .rev()
            .find(|&index| text.is_char_boundary(index))
            .unwrap_or(0);
        text[start..].chars().take(40).collect()
    };
    format!("{:?} -> {:?}", excerpt(before), excerpt(after))
}

// ---------------------------------------------------------------------------------------------
// The table of attributes that hold URLs
// ---------------------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Single,
    SpaceSeparated,
    CommaSeparated,
    Srcset,
    Refresh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RelativeTo {
    /// The document's base URL.
    Base,
    /// The document's own URL: `base` itself.
    Document,
    /// `codebase` of the same element, else the base URL.
    Codebase,
}

/// Whether a run that makes links absolute has to touch the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    /// It has to.
    Always,
    /// It may leave a reference that is only a fragment, or a name, as it is.
    UnlessLocal,
    /// It may leave anything as it is.
    Optional,
}

/// What the empty string means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Empty {
    /// A link to the base URL.
    Link,
    /// No link at all, or one to the document whatever its base: must stay empty.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Rule {
    kind: Kind,
    relative_to: RelativeTo,
    demand: Demand,
    empty: Empty,
}

impl Rule {
    const SINGLE: Rule = Rule {
        kind: Kind::Single,
        relative_to: RelativeTo::Base,
        demand: Demand::Always,
        empty: Empty::Nothing,
    };
    const HYPERLINK: Rule = Rule {
        empty: Empty::Link,
        ..Rule::SINGLE
    };
    const BASE: Rule = Rule {
        relative_to: RelativeTo::Document,
        ..Rule::HYPERLINK
    };
    const LOCAL: Rule = Rule {
        demand: Demand::UnlessLocal,
        ..Rule::SINGLE
    };
    const OPTIONAL: Rule = Rule {
        demand: Demand::Optional,
        empty: Empty::Link,
        ..Rule::SINGLE
    };
    const CODE: Rule = Rule {
        relative_to: RelativeTo::Codebase,
        ..Rule::OPTIONAL
    };
    const CLASSID: Rule = Rule {
        relative_to: RelativeTo::Codebase,
        ..Rule::SINGLE
    };
    const SPACES: Rule = Rule {
        kind: Kind::SpaceSeparated,
        ..Rule::SINGLE
    };
    const ARCHIVE_SPACES: Rule = Rule {
        relative_to: RelativeTo::Codebase,
        ..Rule::SPACES
    };
    const ARCHIVE_COMMAS: Rule = Rule {
        kind: Kind::CommaSeparated,
        relative_to: RelativeTo::Codebase,
        ..Rule::SINGLE
    };
    const SRCSET: Rule = Rule {
        kind: Kind::Srcset,
        ..Rule::SINGLE
    };
    const REFRESH: Rule = Rule {
        kind: Kind::Refresh,
        ..Rule::HYPERLINK
    };

    fn may_stay(self, url: &str) -> bool {
        let trimmed = trim(url);
        trimmed.is_empty()
            || match self.demand {
                Demand::Always => false,
                Demand::UnlessLocal => trimmed.starts_with('#'),
                Demand::Optional => true,
            }
    }
}

/// Attribute, the elements that have it (`*`: any), how it is read. HTML namespace only.
const HTML_ATTRIBUTES: &[(&str, &[&str], Rule)] = &[
    ("href", &["a", "area"], Rule::HYPERLINK),
    ("href", &["link"], Rule::SINGLE),
    ("href", &["base"], Rule::BASE),
    (
        "src",
        &[
            "audio", "bgsound", "embed", "frame", "iframe", "img", "input", "script", "source",
            "track", "video",
        ],
        Rule::SINGLE,
    ),
    ("srcset", &["img", "source"], Rule::SRCSET),
    ("imagesrcset", &["link"], Rule::SRCSET),
    ("poster", &["video"], Rule::SINGLE),
    ("data", &["object"], Rule::SINGLE),
    ("action", &["form"], Rule::SINGLE),
    ("formaction", &["button", "input"], Rule::SINGLE),
    ("cite", &["blockquote", "del", "ins", "q"], Rule::SINGLE),
    ("ping", &["a", "area"], Rule::SPACES),
    (
        "background",
        &["body", "table", "tbody", "td", "tfoot", "th", "thead", "tr"],
        Rule::SINGLE,
    ),
    ("longdesc", &["frame", "iframe", "img"], Rule::SINGLE),
    ("lowsrc", &["img", "input"], Rule::SINGLE),
    ("dynsrc", &["img", "input"], Rule::SINGLE),
    ("manifest", &["html"], Rule::SINGLE),
    ("profile", &["head"], Rule::SPACES),
    ("codebase", &["applet", "object"], Rule::SINGLE),
    ("classid", &["object"], Rule::CLASSID),
    ("archive", &["object"], Rule::ARCHIVE_SPACES),
    ("archive", &["applet"], Rule::ARCHIVE_COMMAS),
    ("code", &["applet", "object"], Rule::CODE),
    ("usemap", &["img", "input", "object"], Rule::LOCAL),
    ("itemid", &["*"], Rule::SINGLE),
    // Old or rare ones: a tool may know them.
    ("action", &["isindex"], Rule::OPTIONAL),
    ("icon", &["command", "menuitem"], Rule::OPTIONAL),
    ("src", &["layer", "ilayer", "portal", "xml"], Rule::OPTIONAL),
    (
        "background",
        &["colgroup", "col", "layer", "ilayer"],
        Rule::OPTIONAL,
    ),
    ("classid", &["applet"], Rule::CODE),
    ("object", &["applet"], Rule::CODE),
];

/// SVG elements whose `href` (or `xlink:href`) has to be followed.
const SVG_ELEMENTS: &[&str] = &[
    "a",
    "animate",
    "animateMotion",
    "animateTransform",
    "feImage",
    "image",
    "linearGradient",
    "mpath",
    "pattern",
    "radialGradient",
    "script",
    "set",
    "textPath",
    "use",
];

/// Attributes of MathML and the rest that a tool may or may not know.
const MATHML_ATTRIBUTES: &[&str] = &["href", "src", "altimg", "definitionURL", "cdgroup"];

/// `meta` names and properties whose content has to be followed.
const META_NAMES: &[&str] = &[
    "og:url",
    "og:image",
    "og:image:url",
    "og:audio",
    "og:video",
    "twitter:image",
    "twitter:url",
    "msapplication-tileimage",
];

/// `meta` names and properties whose content a tool may know to be a URL.
const OPTIONAL_META_NAMES: &[&str] = &[
    "og:image:secure_url",
    "og:audio:url",
    "og:audio:secure_url",
    "og:video:url",
    "og:video:secure_url",
    "og:see_also",
    "al:web:url",
    "article:author",
    "article:publisher",
    "thumbnail",
    "twitter:image0",
    "twitter:image1",
    "twitter:image2",
    "twitter:image3",
    "twitter:image:src",
    "twitter:player",
    "twitter:player:stream",
    "msapplication-config",
    "msapplication-square70x70logo",
    "msapplication-square150x150logo",
    "msapplication-square310x310logo",
    "msapplication-starturl",
    "msapplication-wide310x150logo",
];

/// How the attribute is to be read, if it holds URLs.
fn rule_for(element: &Element, name: &QualName) -> Option<Rule> {
    let namespace = &*element.name.ns;
    let (tag, attribute) = (&*element.name.local, &*name.local);
    let xlink = &*name.ns == XLINK_NAMESPACE;
    if !xlink && !name.ns.is_empty() {
        return None;
    }
    match namespace {
        HTML_NAMESPACE if xlink => None,
        HTML_NAMESPACE if tag == "meta" && attribute == "content" => meta_rule(element),
        HTML_NAMESPACE => HTML_ATTRIBUTES
            .iter()
            .find(|(name, elements, _)| {
                *name == attribute && (elements.contains(&tag) || *elements == ["*"])
            })
            .map(|(_, _, rule)| match attribute {
                // Without itemscope it identifies nothing.
                "itemid" if element.attribute("itemscope").is_none() => Rule::OPTIONAL,
                _ => *rule,
            }),
        SVG_NAMESPACE if attribute == "href" => {
            let shadowed = xlink && element.attribute("href").is_some();
            Some(match tag {
                _ if shadowed => Rule::OPTIONAL,
                "a" => Rule::HYPERLINK,
                _ if SVG_ELEMENTS.contains(&tag) => Rule::LOCAL,
                _ => Rule::OPTIONAL,
            })
        }
        MATHML_NAMESPACE if MATHML_ATTRIBUTES.contains(&attribute) => Some(Rule::OPTIONAL),
        _ => None,
    }
}

fn meta_rule(element: &Element) -> Option<Rule> {
    let http_equiv = element.attribute("http-equiv");
    if http_equiv.is_some_and(|value| value.eq_ignore_ascii_case("refresh")) {
        return Some(Rule::REFRESH);
    }
    let names = [element.attribute("property"), element.attribute("name")];
    let any_in = |list: &[&str], split: bool| {
        names.into_iter().flatten().any(|value| {
            let words = if split {
                split_spaces(value)
            } else {
                vec![value]
            };
            words
                .iter()
                .any(|word| list.iter().any(|known| known.eq_ignore_ascii_case(word)))
        })
    };
    if any_in(META_NAMES, false) {
        Some(Rule::SINGLE)
    } else if any_in(META_NAMES, true) || any_in(OPTIONAL_META_NAMES, true) {
        Some(Rule::OPTIONAL)
    } else {
        None
    }
}

/// The `href` of the first `base` that has one, in tree order, outside of templates.
fn first_base_href(dom: &RcDom) -> Option<String> {
    let mut waiting = vec![dom.document.clone()];
    while let Some(node) = waiting.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data
            && &*name.local == "base"
            && &*name.ns == HTML_NAMESPACE
        {
            let attributes = attrs.borrow();
            let element = Element {
                node: &node,
                name,
                attributes: &attributes,
            };
            if let Some(href) = element.attribute("href") {
                return Some(href.to_string());
            }
        }
        waiting.extend(node.children.borrow().iter().rev().cloned());
    }
    None
}

// ---------------------------------------------------------------------------------------------
// The little languages of attribute values
// ---------------------------------------------------------------------------------------------

/// The pieces of `value` before, between and after the URLs, which are slices of it.
fn around<'a>(value: &'a str, urls: &[&str]) -> Vec<&'a str> {
    let mut pieces = Vec::with_capacity(urls.len() + 1);
    let mut end = 0;
    for url in urls {
        let start = url.as_ptr() as usize - value.as_ptr() as usize;
        pieces.push(&value[end..start]);
        end = start + url.len();
    }
    pieces.push(&value[end..]);
    pieces
}

fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

/// As the URL parser trims: C0 controls and spaces.
fn trim(value: &str) -> &str {
    value.trim_matches(|character| character <= ' ')
}

/// Markup of a template language, opened and closed.
fn is_template_markup(value: &str) -> bool {
    [("{{", "}}"), ("{%", "%}"), ("<%", "%>"), ("${", "}")]
        .iter()
        .any(|(open, close)| {
            value
                .find(open)
                .is_some_and(|at| value[at + open.len()..].contains(close))
        })
}

fn split_spaces(value: &str) -> Vec<&str> {
    value
        .split(is_space)
        .filter(|item| !item.is_empty())
        .collect()
}

fn split_commas(value: &str) -> Vec<&str> {
    value
        .split(',')
        .map(|item| item.trim_matches(is_space))
        .filter(|item| !item.is_empty())
        .collect()
}

/// The Standard's "parse a srcset attribute" up to the descriptors' strings: candidates that a
/// browser drops because their descriptors make no sense are here all the same.
fn parse_srcset(value: &str) -> Vec<(&str, Vec<String>)> {
    let mut candidates = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|character| is_space(character) || character == ',');
        if rest.is_empty() {
            return candidates;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        let url = &rest[..end];
        rest = &rest[end..];
        if url.ends_with(',') {
            candidates.push((url.trim_end_matches(','), Vec::new()));
            continue;
        }
        rest = rest.trim_start_matches(is_space);
        let (descriptors, length) = tokenize_descriptors(rest);
        rest = &rest[length..];
        candidates.push((url, descriptors));
    }
}

/// The Standard's descriptor tokenizer; also how many bytes it has consumed.
fn tokenize_descriptors(text: &str) -> (Vec<String>, usize) {
    enum State {
        InDescriptor,
        InParentheses,
        AfterDescriptor,
    }
    let mut state = State::InDescriptor;
    let mut descriptors = Vec::new();
    let mut current = String::new();
    let mut consumed = text.len();
    for (at, character) in text.char_indices() {
        if matches!(state, State::AfterDescriptor) {
            if is_space(character) {
                continue;
            }
            state = State::InDescriptor;
        }
        match state {
            State::InParentheses => {
                current.push(character);
                if character == ')' {
                    state = State::InDescriptor;
                }
            }
            _ if is_space(character) => {
                if !current.is_empty() {
                    descriptors.push(std::mem::take(&mut current));
                    state = State::AfterDescriptor;
                }
            }
            _ if character == ',' => {
                consumed = at + 1;
                break;
            }
            _ => {
                current.push(character);
                if character == '(' {
                    state = State::InParentheses;
                }
            }
        }
    }
    if !current.is_empty() {
        descriptors.push(current);
    }
    (descriptors, consumed)
}

/// The Standard's "shared declarative refresh steps": the time, and the URL if there is one.
fn parse_refresh(value: &str) -> Option<(&str, Option<&str>)> {
    let input = value.trim_start_matches(is_space);
    let rest = input.trim_start_matches(|character: char| character.is_ascii_digit());
    let time = &input[..input.len() - rest.len()];
    if time.is_empty() && !rest.starts_with('.') {
        return None;
    }
    let rest =
        rest.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.');
    if rest.is_empty() {
        return Some((time, None));
    }
    if !rest.starts_with(|character| is_space(character) || matches!(character, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_start_matches(is_space);
    if rest.is_empty() {
        return Some((time, None));
    }
    let url = match skip_url_equals(rest) {
        Err(NotUrlEquals::OtherWord) => return Some((time, Some(rest))),
        Err(NotUrlEquals::NoWord) => rest,
        Ok(after) => after,
    };
    let quote = url
        .chars()
        .next()
        .filter(|quote| matches!(quote, '\'' | '"'));
    let url = match quote {
        Some(quote) => url[1..].split(quote).next().unwrap_or_default(),
        None => url,
    };
    Some((time, Some(url)))
}

enum NotUrlEquals {
    /// It does not begin with a `u`: look for a quote.
    NoWord,
    /// It begins with a `u`, but is not `url=`: a URL as it stands.
    OtherWord,
}

fn skip_url_equals(text: &str) -> Result<&str, NotUrlEquals> {
    let rest = text.strip_prefix(['u', 'U']).ok_or(NotUrlEquals::NoWord)?;
    rest.strip_prefix(['r', 'R'])
        .and_then(|rest| rest.strip_prefix(['l', 'L']))
        .and_then(|rest| rest.trim_start_matches(is_space).strip_prefix('='))
        .map(|rest| rest.trim_start_matches(is_space))
        .ok_or(NotUrlEquals::OtherWord)
}

/// The closure that the `url` crate wants.
fn query_encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| encode_query(query, encoding)
}

/// The query's bytes for a legacy encoding; what it cannot say becomes `&#N;`, percent-encoded.
fn encode_query<'a>(query: &'a str, encoding: &'static Encoding) -> Cow<'a, [u8]> {
    if query.is_ascii() && encoding.is_ascii_compatible() {
        return Cow::Borrowed(query.as_bytes());
    }
    let mut encoder = encoding.new_encoder();
    let mut bytes = Vec::with_capacity(query.len() * 2);
    let mut buffer = [0; 1024];
    let mut rest = query;
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut buffer, true);
        bytes.extend_from_slice(&buffer[..written]);
        rest = &rest[read..];
        match result {
            encoding_rs::EncoderResult::InputEmpty => return Cow::Owned(bytes),
            encoding_rs::EncoderResult::OutputFull => {}
            encoding_rs::EncoderResult::Unmappable(character) => {
                bytes.extend_from_slice(format!("%26%23{}%3B", u32::from(character)).as_bytes());
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Encodings
// ---------------------------------------------------------------------------------------------

/// The encoding of a document and the length of its byte order mark.
pub fn sniff_encoding(bytes: &[u8]) -> (&'static Encoding, usize) {
    if let Some(found) = Encoding::for_bom(bytes) {
        return found;
    }
    let declared = prescan(bytes).or_else(|| xml_declaration(bytes));
    let encoding = declared.unwrap_or_else(|| {
        if std::str::from_utf8(bytes).is_ok() {
            UTF_8
        } else {
            WINDOWS_1252
        }
    });
    (encoding, 0)
}

fn decode<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    encoding.decode_without_bom_handling(bytes).0
}

/// Encodings that a document may name, but that a `meta` cannot mean.
fn declared_encoding(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        Some(UTF_8)
    } else if encoding == encoding_rs::X_USER_DEFINED || encoding == encoding_rs::REPLACEMENT {
        Some(WINDOWS_1252)
    } else {
        Some(encoding)
    }
}

/// The Standard's prescan, and, where that finds nothing, the `meta` that the tree builder would
/// find further down: there the contents of raw text elements are passed over.
fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    scan_for_meta(&bytes[..bytes.len().min(1024)], &[])
        .or_else(|| scan_for_meta(bytes, RAW_TEXT_ELEMENTS))
}

const RAW_TEXT_ELEMENTS: &[&[u8]] = &[
    b"script",
    b"style",
    b"title",
    b"textarea",
    b"xmp",
    b"iframe",
    b"noembed",
    b"noframes",
];

fn scan_for_meta(bytes: &[u8], passed_over: &[&[u8]]) -> Option<&'static Encoding> {
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|&byte| byte == b'<')?;
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            // The opening hyphens may be the closing ones.
            at += 2 + find(&rest[2..], b"-->")? + 3;
        } else if is_bogus_comment(rest) {
            at += find(rest, b">")? + 1;
        } else if is_tag(rest) {
            let start = at + 1;
            let length = bytes[start..]
                .iter()
                .position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r' | b'>'))?;
            let name = bytes[start..start + length].to_ascii_lowercase();
            let name = name.strip_suffix(b"/").unwrap_or(&name);
            let name = name.split(|&byte| byte == b'/').next().unwrap_or_default();
            at = start + name.len();
            let mut attributes = Vec::new();
            while let Some(attribute) = next_attribute(bytes, &mut at) {
                attributes.push(attribute);
            }
            if at >= bytes.len() {
                // Cut off within the tag.
                return None;
            }
            if name == b"meta"
                && let Some(encoding) = meta_encoding(&attributes)
            {
                return Some(encoding);
            }
            if passed_over.contains(&name) {
                at += find_end_tag(&bytes[at..], name)?;
            }
        } else {
            at += 1;
        }
    }
}

fn is_bogus_comment(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'!' | b'?') => true,
        Some(b'/') => rest.get(2).is_some_and(|byte| !byte.is_ascii_alphabetic()),
        _ => false,
    }
}

fn is_tag(rest: &[u8]) -> bool {
    let letter = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
    rest.get(letter).is_some_and(u8::is_ascii_alphabetic)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

fn find_end_tag(bytes: &[u8], name: &[u8]) -> Option<usize> {
    bytes
        .windows(name.len() + 2)
        .position(|window| window.starts_with(b"</") && window[2..].eq_ignore_ascii_case(name))
}

/// The Standard's "get an attribute": name (in lowercase) and value.
fn next_attribute(bytes: &[u8], at: &mut usize) -> Option<(Vec<u8>, Vec<u8>)> {
    fn space(byte: u8) -> bool {
        matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
    }
    let peek = |at: usize| bytes.get(at).copied();
    while peek(*at).is_some_and(|byte| space(byte) || byte == b'/') {
        *at += 1;
    }
    if matches!(peek(*at), None | Some(b'>')) {
        return None;
    }
    let mut name = Vec::new();
    while let Some(byte) = peek(*at) {
        if (byte == b'=' && !name.is_empty()) || space(byte) || matches!(byte, b'/' | b'>') {
            break;
        }
        name.push(byte.to_ascii_lowercase());
        *at += 1;
    }
    while peek(*at).is_some_and(space) {
        *at += 1;
    }
    if peek(*at) != Some(b'=') {
        return Some((name, Vec::new()));
    }
    *at += 1;
    while peek(*at).is_some_and(space) {
        *at += 1;
    }
    let start = *at;
    if let Some(quote @ (b'"' | b'\'')) = peek(start) {
        let length = bytes[start + 1..].iter().position(|&byte| byte == quote);
        let length = length.unwrap_or(bytes.len() - start - 1);
        *at = (start + length + 2).min(bytes.len());
        return Some((name, bytes[start + 1..start + 1 + length].to_vec()));
    }
    while peek(*at).is_some_and(|byte| !space(byte) && byte != b'>') {
        *at += 1;
    }
    Some((name, bytes[start..*at].to_vec()))
}

fn meta_encoding(attributes: &[(Vec<u8>, Vec<u8>)]) -> Option<&'static Encoding> {
    let value = |name: &[u8]| {
        attributes
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_slice())
    };
    if let Some(charset) = value(b"charset") {
        return declared_encoding(charset);
    }
    let pragma = value(b"http-equiv")?;
    if !pragma.eq_ignore_ascii_case(b"content-type") {
        return None;
    }
    declared_encoding(charset_of_content(value(b"content")?)?)
}

/// The Standard's "extracting a character encoding from a meta element".
fn charset_of_content(content: &[u8]) -> Option<&[u8]> {
    let mut rest = content;
    loop {
        let at = rest
            .windows(7)
            .position(|window| window.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = after.trim_ascii_start();
            break;
        }
    }
    match rest.first()? {
        quote @ (b'"' | b'\'') => rest[1..].split(|byte| byte == quote).next(),
        _ => rest
            .split(|byte| byte.is_ascii_whitespace() || *byte == b';')
            .next(),
    }
}

fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let declaration = &rest[..find(rest, b">")?];
    let rest = declaration[find(declaration, b"encoding")? + 8..].trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let quote = rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    declared_encoding(rest[1..].split(|byte| byte == quote).next()?)
}

fn parse(text: &str) -> RcDom {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    parse_document(RcDom::default(), options).one(text)
}

// ---------------------------------------------------------------------------------------------
// Whole trees
// ---------------------------------------------------------------------------------------------

/// The URL of a file of the site. `site_url` is a directory, with or without its final slash.
///
/// Percent-encoded are the URL Standard's path percent-encode set, `%` and `\`.
pub fn document_url(site_url: &Url, relative_path: &Path) -> Url {
    let mut url = site_url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let mut spelled = url.as_str().trim_end_matches('/').to_string();
    for component in relative_path.components() {
        if let Component::Normal(name) = component {
            spelled.push('/');
            for &byte in file_name_bytes(name).iter() {
                match byte {
                    b'%' | b'\\' | b'"' | b'#' | b'<' | b'>' | b'?' | b'^' | b'`' | b'{' | b'}' => {
                        let _ = write!(spelled, "%{byte:02X}");
                    }
                    b'!'..=b'~' => spelled.push(char::from(byte)),
                    _ => {
                        let _ = write!(spelled, "%{byte:02X}");
                    }
                }
            }
        }
    }
    Url::parse(&spelled).expect("a hierarchical site URL and encoded segments make a URL")
}

#[cfg(unix)]
fn file_name_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    Cow::Borrowed(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
fn file_name_bytes(name: &std::ffi::OsStr) -> Cow<'_, [u8]> {
    Cow::Owned(name.to_string_lossy().into_owned().into_bytes())
}

/// What a file of the input is expected to have become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// A document: compared link by link.
    Document,
    /// Anything else, or a document that the run reported to have kept: the same bytes.
    SameBytes,
}

/// What `compare_trees` found. No failures: the output is what it should be.
#[derive(Debug, Default)]
pub struct TreeComparison {
    pub documents: usize,
    pub other_files: usize,
    pub symbolic_links: usize,
    pub stats: Stats,
    /// One line each, beginning with the path inside the tree.
    pub failures: Vec<String>,
}

/// Compares the tree `input` with what a run made of it in `output`, file by file: the same names,
/// the same symbolic links, documents compared by `compare_documents`, all else the same bytes.
pub fn compare_trees(
    input: &Path,
    output: &Path,
    site_url: &Url,
    absolute: bool,
    expectation: &(dyn Fn(&Path, &[u8]) -> Expectation + Sync),
) -> TreeComparison {
    let mut comparison = TreeComparison::default();
    let paths = paths_of(input);
    let paths_after = paths_of(output);
    for missing in paths
        .iter()
        .filter(|p| paths_after.binary_search(p).is_err())
    {
        comparison
            .failures
            .push(format!("{}: missing", missing.display()));
    }
    for extra in paths_after
        .iter()
        .filter(|p| paths.binary_search(p).is_err())
    {
        comparison
            .failures
            .push(format!("{}: not in the input", extra.display()));
    }
    let next = AtomicUsize::new(0);
    let shared = Mutex::new(comparison);
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut found = TreeComparison::default();
                    compare_files(
                        (input, output, path),
                        site_url,
                        absolute,
                        expectation,
                        &mut found,
                    );
                    let mut all = shared.lock().expect("no comparison panics");
                    all.documents += found.documents;
                    all.other_files += found.other_files;
                    all.symbolic_links += found.symbolic_links;
                    all.stats.add(found.stats);
                    all.failures.append(&mut found.failures);
                }
            });
        }
    });
    let mut comparison = shared.into_inner().expect("no comparison panics");
    comparison.failures.sort();
    comparison
}

fn paths_of(root: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = walkdir::WalkDir::new(root)
        .min_depth(1)
        .into_iter()
        .map(|entry| {
            let entry = entry.expect("the tree can be read");
            entry
                .path()
                .strip_prefix(root)
                .expect("entries are below the root")
                .to_path_buf()
        })
        .collect();
    paths.sort();
    paths
}

fn compare_files(
    (input, output, path): (&Path, &Path, &Path),
    site_url: &Url,
    absolute: bool,
    expectation: &(dyn Fn(&Path, &[u8]) -> Expectation + Sync),
    found: &mut TreeComparison,
) {
    let (before, after) = (input.join(path), output.join(path));
    let mut fail = |problem: String| {
        found
            .failures
            .push(format!("{}: {problem}", path.display()))
    };
    let (Ok(kind), Ok(kind_after)) = (fs::symlink_metadata(&before), fs::symlink_metadata(&after))
    else {
        // Missing ones are reported already.
        return;
    };
    if kind.file_type() != kind_after.file_type() {
        fail("not of the same type".to_string());
    } else if kind.is_symlink() {
        found.symbolic_links += 1;
        if fs::read_link(&before).ok() != fs::read_link(&after).ok() {
            fail("the symbolic link leads elsewhere".to_string());
        }
    } else if kind.is_file() {
        let (Ok(bytes), Ok(bytes_after)) = (fs::read(&before), fs::read(&after)) else {
            fail("cannot be read".to_string());
            return;
        };
        if expectation(path, &bytes) == Expectation::SameBytes {
            found.other_files += 1;
            if bytes != bytes_after {
                fail("the bytes differ".to_string());
            }
            return;
        }
        found.documents += 1;
        let url = document_url(site_url, path);
        match compare_documents(&bytes, &bytes_after, &url, absolute) {
            Ok(stats) => found.stats.add(stats),
            Err(differences) => {
                for difference in differences {
                    fail(difference);
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Does the witness itself see what it should?
// ---------------------------------------------------------------------------------------------

mod tests {
    use super::*;

    const PAGE_URL: &str = "https://example.org/docs/a/page.html";

    fn compare(input: &str, output: &str, absolute: bool) -> Result<Stats, Vec<String>> {
        let url = Url::parse(PAGE_URL).unwrap();
        compare_documents(input.as_bytes(), output.as_bytes(), &url, absolute)
    }

    /// Passes as the result of `absolute`.
    #[track_caller]
    fn accepts(input: &str, output: &str) {
        if let Err(differences) = compare(input, output, true) {
            panic!("{input}\n{output}\n{differences:#?}");
        }
    }

    /// Fails with a message that holds `message`.
    #[track_caller]
    fn rejects(input: &str, output: &str, message: &str) {
        match compare(input, output, true) {
            Ok(stats) => panic!("accepted, {stats:?}: {input}\n{output}"),
            Err(differences) => assert!(
                differences.iter().any(|line| line.contains(message)),
                "{differences:#?}"
            ),
        }
    }

    #[test]
    fn counts_what_it_compares() {
        let input = "<title>t</title><a href=x ping='u v'>x</a><img srcset='a 1x, b 2x' alt=n>";
        let output = "<title>t</title><a href=https://example.org/docs/a/x \
            ping='https://example.org/docs/a/u https://example.org/docs/a/v'>x</a><img \
            srcset='https://example.org/docs/a/a 1x, https://example.org/docs/a/b 2x' alt=n>";
        let stats = compare(input, output, true).unwrap();
        let expected = Stats {
            elements: 6,
            url_attributes: 3,
            urls: 5,
            changed: 3,
        };
        assert_eq!(stats, expected);
    }

    #[test]
    fn sees_what_is_not_a_link() {
        let input = "<!DOCTYPE html><p class=a id=b>text<!--c--></p><a href='/x' title=t>x</a>";
        let good = "<!DOCTYPE html><p class=a id=b>text<!--c--></p>\
            <a href='https://example.org/x' title=t>x</a>";
        accepts(input, good);
        let spoiled = [
            ("class=a", "class=A", "class="),
            ("title=t", "title='t '", "title="),
            ("text<", "test<", "the text differs"),
            ("text<", "<", "children became"),
            ("<!--c-->", "<!--C-->", "the comment differs"),
            ("<!DOCTYPE html>", "<!DOCTYPE htm>", "the doctype differs"),
            ("<!DOCTYPE html>", "", "quirks mode"),
            (" id=b", "", "the attributes [class id] became [class]"),
            ("class=a id=b", "id=b class=a", "became [id class]"),
            (" title=t", " title=t rel=x", "the attributes"),
            ("<p ", "<pre ", "became"),
            (" href='https://example.org/x'", "", "the attributes"),
            ("</a>", "</a><br>", "children became"),
        ];
        for (from, to, message) in spoiled {
            assert!(good.contains(from), "{from}");
            rejects(input, &good.replacen(from, to, 1), message);
        }
    }

    #[test]
    fn sees_what_scripts_styles_and_templates_hold() {
        for html in [
            "<script>a='x'</script>",
            "<style>x{background:url(x)}</style>",
            "<template><p title=x>x</template>",
            "<noscript><p title=x>x</noscript>",
            "<textarea>x</textarea>",
            "<svg><title>x</title></svg>",
            "<iframe srcdoc=x></iframe>",
        ] {
            accepts(html, html);
            rejects(html, &html.replace('x', "y"), "");
        }
        rejects("<template><a href=x>", "<template><a href=x>", "absolute");
    }

    #[test]
    fn sees_a_changed_target() {
        accepts("<a href=x>", "<a href=https://example.org/docs/a/x>");
        accepts("<a href=x>", "<a href=HTTPS://EXAMPLE.org:443/docs/./a/x>");
        accepts(
            "<a href=x?ä>",
            "<a href=https://example.org/docs/a/x?%C3%A4>",
        );
        accepts(
            "<a href='\n x\n '>",
            "<a href=https://example.org/docs/a/x>",
        );
        rejects(
            "<a href=x>",
            "<a href=https://example.org/docs/x>",
            "led to",
        );
        rejects(
            "<a href=x>",
            "<a href=https://example.org/docs/a/x/>",
            "led to",
        );
        rejects(
            "<a href=x#y>",
            "<a href=https://example.org/docs/a/x>",
            "led to",
        );
        rejects("<a href=x>", "<a href=https://[>", "does not parse");
        rejects("<a href=x>", "<a href=x>", "not an absolute URL");
        rejects("<a href=x>", "<a href=https:x>", "not an absolute URL");
        rejects(
            "<a href=x>",
            "<a href=//example.org/docs/a/x>",
            "not an absolute",
        );
        rejects("<a href='#x'>", "<a href='#x'>", "not an absolute URL");
        assert!(compare("<a href=x>", "<a href=/docs/a/x>", false).is_ok());
        assert!(compare("<a href=x>", "<a href=/docs/x>", false).is_err());
    }

    #[test]
    fn sees_what_should_have_been_left_alone() {
        for value in [
            "mailto:a@example.org",
            "tel:1",
            "javascript:x",
            " data:,x",
            "http://[::1",
            "{{ page.url }}",
            "x/${y}",
            "<% x %>",
            "unknown:x",
        ] {
            let input = format!("<a href='{value}'>");
            accepts(&input, &input);
            rejects(&input, "<a href='https://example.org/docs/a/x'>", "touched");
        }
        for input in ["<img src=''>", "<form action=''>", "<link href>"] {
            accepts(input, input);
            let output = input.replace("''", PAGE_URL).replace("href", "href=/");
            rejects(input, &output, "empty");
        }
        accepts("<a href=''>", "<a href=''>");
        accepts(
            "<a href=''>",
            "<a href='https://example.org/docs/a/page.html'>",
        );
        rejects("<a href=''>", "<a href='https://example.org/'>", "led to");
    }

    #[test]
    fn finds_the_base() {
        let absolute = |base: &str| format!("{base}<a href=https://example.org/docs/x>");
        accepts(
            "<base target=y><base href=' ../ '><a href=x>",
            &absolute("<base target=y><base href=https://example.org/docs/>"),
        );
        rejects(
            "<base href=../><a href=x>",
            &absolute("<base href=https://example.org/>"),
            "base: href",
        );
        rejects("<base href=../>", "<base href=../>", "absolute");
        // Each of these does not count, and hides the one after it or leaves it in force.
        for (base, hides) in [
            ("<base href='data:/,x'>", true),
            ("<base href='javascript:x'>", true),
            ("<base href='//test:test'>", true),
            ("<template><base href=/y/></template>", false),
            ("<svg><base href='https://example.org/y/'/></svg>", false),
        ] {
            let base = base.replace("/y/", "https://example.org/y/");
            let second = "<base href=https://example.org/docs/>";
            let target = if hides { "a/x" } else { "x" };
            let input = format!("{base}{second}<a href=x>");
            let output = format!("{base}{second}<a href=https://example.org/docs/{target}>");
            accepts(&input, &output);
            let wrong = format!("{base}{second}<a href=https://example.org/docs/z/x>");
            rejects(&input, &wrong, "led to");
        }
        // The base may be taken away when the links do not need it any more.
        rejects(
            "<base href=../><a href=x>",
            &absolute("<base>"),
            "the attributes",
        );
    }

    #[test]
    fn reads_lists() {
        let input = "<img srcset='a,b 1x, data:,c 2x,d (x, y) 3w ,, e'>";
        let good = "<img srcset='https://example.org/docs/a/a,b 1x, data:,c 2x,\
            https://example.org/docs/a/d (x, y) 3w ,, https://example.org/docs/a/e'>";
        accepts(input, good);
        rejects(input, &good.replace("1x", "1.0x"), "descriptors");
        rejects(input, &good.replace(" 2x", ""), "descriptors");
        rejects(input, &good.replace("(x, y)", "(x,y)"), "descriptors");
        rejects(input, &good.replace("a,b", "b,a"), "led to");
        rejects(input, &good.replace("data:,c", "data:,d"), "touched");
        rejects(
            input,
            &good.replace(", https://example.org/docs/a/e", ""),
            "",
        );
        rejects(input, &good.replace("3w ,,", "3w,"), "around the URLs");
        let input = "<applet codebase=c archive='a.jar, b.jar' code=X.class></applet>";
        let good = "<applet codebase=https://example.org/docs/a/c archive='https://example.org/\
            docs/a/c/a.jar, https://example.org/docs/a/c/b.jar' code=X.class></applet>";
        accepts(input, good);
        rejects(input, &good.replace("c/b.jar", "b.jar"), "led to");
        rejects(input, &good.replace(", ", ","), "around the URLs");
        let input = "<object archive='a\nb'></object>";
        let good = "<object archive='https://example.org/docs/a/a\n\
            https://example.org/docs/a/b'></object>";
        accepts(input, good);
        rejects(input, &good.replace('\n', " "), "around the URLs");
    }

    #[test]
    fn reads_refreshes_and_metas() {
        let refresh = |content: &str| format!("<meta http-equiv=Refresh content=\"{content}\">");
        let target = "https://example.org/docs/a/x";
        let refreshes = ["5; url=x", "5;URL='x'", "5, x", "5 'x' y", "5;url = 'x"];
        for content in refreshes {
            let good = refresh(&content.replace('x', target));
            accepts(&refresh(content), &good);
            rejects(&refresh(content), &good.replace("\"5", "\"6"), "time");
            rejects(&refresh(content), &good.replace("/x", "/z"), "led to");
            rejects(&refresh(content), &good.replace("\"5", "\"5 "), "around");
        }
        let good = refresh("5; url=https://example.org/docs/a/x");
        accepts(&refresh("5; url='x'"), &good);
        for content in ["5", "5;", "x", "", "5; url=javascript:x", "5x; url=y"] {
            accepts(&refresh(content), &refresh(content));
            rejects(&refresh(content), &good, "");
        }
        for name in ["property=og:image", "name=TWITTER:image"] {
            let meta = |content: &str| format!("<meta {name} content='{content}'>");
            accepts(&meta("x"), &meta("https://example.org/docs/a/x"));
            rejects(&meta("x"), &meta("x"), "absolute");
            rejects(&meta("x"), &meta("https://example.org/x"), "led to");
        }
        rejects(
            "<meta name=description content=x>",
            "<meta name=description content=https://example.org/docs/a/x>",
            "holds no link",
        );
    }

    #[test]
    fn knows_svg() {
        let input = "<svg><a xlink:href='#x'></a><use href='#x'/><use xlink:href='y#x'/></svg>";
        let output = "<svg><a xlink:href='https://example.org/docs/a/page.html#x'></a>\
            <use href='#x'/><use xlink:href='https://example.org/docs/a/y#x'/></svg>";
        accepts(input, output);
        rejects(input, &output.replace("/y#", "/z#"), "led to");
        rejects(input, &output.replace("href='#x'/", "href='#z'/"), "led to");
        rejects(input, input, "absolute");
    }

    #[test]
    fn knows_encodings() {
        let url = Url::parse(PAGE_URL).unwrap();
        let both = |input: &[u8], output: &[u8]| compare_documents(input, output, &url, true);
        let page = |charset: &str, href: &[u8]| -> Vec<u8> {
            let start = format!("<meta charset={charset}><a href=\"");
            [start.as_bytes(), href, b"\">"].concat()
        };
        let absolute = |rest: &str| [b"https://example.org/docs/a/", rest.as_bytes()].concat();
        for (charset, rest) in [
            ("windows-1252", "%C3%A4?%E4"),
            ("windows-1251", "%D0%B4?%E4"),
            ("euc-kr", "%EF%BF%BD?%26%2365533%3B"),
        ] {
            let input = page(charset, b"\xE4?\xE4");
            assert!(both(&input, &page(charset, &absolute(rest))).is_ok());
            let wrong = page(charset, &absolute("%C3%A4?%C3%A4"));
            assert!(both(&input, &wrong).is_err());
        }
        // Far down, and behind a script that only talks of it.
        let far = format!(
            "<script>{}'<meta charset=koi8-r>'</script>",
            " ".repeat(1100)
        );
        let far = [far.as_bytes(), &page("windows-1252", b"")].concat();
        assert_eq!(sniff_encoding(&far).0, WINDOWS_1252);
        assert_eq!(sniff_encoding(b"<!--><meta charset=big5>").0.name(), "Big5");
        assert_eq!(sniff_encoding(b"\xE4").0, WINDOWS_1252);
        assert_eq!(sniff_encoding(b"\xC3\xA4").0, UTF_8);
        assert_eq!(sniff_encoding(b"\xFF\xFEx\0"), (UTF_16LE, 2));
        let old = b"<META HTTP-EQUIV=content-type CONTENT='text/html; charset=shift_jis'>";
        assert_eq!(sniff_encoding(old).0.name(), "Shift_JIS");

        let utf_16 = |text: &str| -> Vec<u8> {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            [0xFF, 0xFE].into_iter().chain(units).collect()
        };
        let output = utf_16("<a href='https://example.org/docs/a/ä?ä'>");
        assert!(both(&utf_16("<a href='ä?ä'>"), &output).is_ok());
        assert!(both(&utf_16("<a href='ä?o'>"), &output).is_err());
        assert!(both(&utf_16("<a href='ä?ä'>"), &output[2..]).is_err());
    }

    #[test]
    fn maps_files_to_urls() {
        let site = Url::parse("https://example.org/docs").unwrap();
        for (path, expected) in [
            ("index.html", "index.html"),
            ("a b/c%d.html", "a%20b/c%25d.html"),
            ("page.php?id=3", "page.php%3Fid=3"),
            ("c:d#e.html", "c:d%23e.html"),
            ("grüße.html", "gr%C3%BC%C3%9Fe.html"),
            ("(a)&'b'[c]+d~e,f.html", "(a)&'b'[c]+d~e,f.html"),
            ("%2e%2e/x", "%252e%252e/x"),
        ] {
            let url = document_url(&site, Path::new(path));
            assert_eq!(url.as_str(), format!("https://example.org/docs/{expected}"));
        }
    }
}
