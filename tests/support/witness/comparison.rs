//! One comparison: where its documents stand, what it has found.

use std::rc::Rc;

use encoding_rs::{Encoding, UTF_8};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, ParseOpts, QualName, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use url::Url;

use super::attributes::{first_base_href, is_xml_base};
use super::encoding::query_encoder;
use super::nodes::place_of;
use super::rules::{Queries, RelativeTo};
use super::values::trim;
use super::vocabularies::link_of_item_of_content;
use super::{LinkPair, Options, Stats};

/// More differences than this in one document are only counted.
const MAXIMAL_DIFFERENCES: usize = 40;

/// The kind of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// HTML, a file of its own.
    Page,
    /// HTML in `srcdoc`: its base is the one of the document around it, unless it has its own.
    Srcdoc,
    /// HTML in a comment or a feed: the base is the one around it in any case.
    Fragment,
    Xml,
    /// XML that browsers render, in which they ignore `xml:base`.
    RenderedXml,
}

/// Everything about one of the two documents that decides where its links lead.
pub(super) struct Side {
    pub(super) document_url: Rc<Url>,
    /// The base URL of links: in XML by the `xml:base` of the element in hand.
    pub(super) base: Rc<Url>,
    /// The same for the element around it.
    pub(super) outer_base: Rc<Url>,
    pub(super) encoding: &'static Encoding,
}

impl Side {
    pub(super) fn new(dom: &RcDom, document_url: &Rc<Url>, encoding: &'static Encoding) -> Side {
        let mut side = Side {
            document_url: Rc::clone(document_url),
            base: Rc::clone(document_url),
            outer_base: Rc::clone(document_url),
            encoding,
        };
        let base = first_base_href(dom)
            .and_then(|href| side.resolve(Some(document_url), &href, Queries::OfDocument));
        if let Some(base) = base
            && !matches!(base.scheme(), "data" | "javascript")
        {
            side.base = Rc::new(base);
        }
        side.outer_base = Rc::clone(&side.base);
        side
    }

    /// The same place, for a document without a base of its own.
    pub(super) fn within(&self, encoding: &'static Encoding) -> Side {
        Side {
            document_url: Rc::clone(&self.document_url),
            base: Rc::clone(&self.base),
            outer_base: Rc::clone(&self.base),
            encoding,
        }
    }

    /// Goes to an element in `outer_base`, and gives the base inside of it.
    pub(super) fn enter(&mut self, node: &Handle, outer_base: &Rc<Url>, xml: bool) -> Rc<Url> {
        self.outer_base = Rc::clone(outer_base);
        self.base = Rc::clone(outer_base);
        if xml
            && let NodeData::Element { attrs, .. } = &node.data
            && let Some(attribute) = attrs.borrow().iter().find(|a| is_xml_base(&a.name))
            && let Some(base) =
                self.resolve(Some(outer_base), &attribute.value, Queries::OfDocument)
        {
            self.base = Rc::new(base);
        }
        if xml
            && self.base == self.document_url
            && let Some(link) = link_of_item_of_content(node)
            && let Some(base) = self.resolve(Some(&self.document_url), &link, Queries::OfDocument)
        {
            self.base = Rc::new(base);
        }
        Rc::clone(&self.base)
    }

    /// The Standard's "encoding-parse a URL".
    pub(super) fn resolve(
        &self,
        base: Option<&Url>,
        reference: &str,
        queries: Queries,
    ) -> Option<Url> {
        let output_encoding = match queries {
            Queries::OfDocument => self.encoding.output_encoding(),
            Queries::Utf8 => UTF_8,
        };
        let encode = query_encoder(output_encoding);
        let override_needed = output_encoding != UTF_8 && !reference.is_ascii();
        Url::options()
            .base_url(base)
            .encoding_override(if override_needed { Some(&encode) } else { None })
            .parse(reference)
            .ok()
    }

    /// The base URL of this attribute.
    pub(super) fn base_for(&self, relative_to: RelativeTo, element: &Element) -> Rc<Url> {
        match relative_to {
            RelativeTo::Base => Rc::clone(&self.base),
            RelativeTo::OuterBase => Rc::clone(&self.outer_base),
            RelativeTo::Document => Rc::clone(&self.document_url),
            RelativeTo::Codebase => {
                self.codebase(element).map_or_else(|| Rc::clone(&self.base), Rc::new)
            }
        }
    }

    /// The `codebase` of an applet or object, taken as a directory.
    fn codebase(&self, element: &Element) -> Option<Url> {
        let value = element.attribute("codebase")?;
        if trim(value).is_empty() {
            return None;
        }
        let mut codebase = self.resolve(Some(&self.base), value, Queries::OfDocument)?;
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

pub(super) struct Element<'a> {
    pub(super) node: &'a Handle,
    pub(super) name: &'a QualName,
    pub(super) attributes: &'a [Attribute],
}

impl Element<'_> {
    /// The value of an attribute in no namespace.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name.ns.is_empty() && &*attribute.name.local == name)
            .map(|attribute| &*attribute.value)
    }
}

pub(super) struct Comparison {
    pub(super) before: Side,
    pub(super) after: Side,
    pub(super) setting: Setting,
    pub(super) options: Options,
    pub(super) stats: Stats,
    /// With `Options::pairs`: the links, in the order of the walk.
    pub(super) pairs: Vec<LinkPair>,
    /// The carrier of the current links.
    pub(super) carrier: String,
    differences: Vec<String>,
    uncounted: usize,
}

impl Comparison {
    pub(super) fn new(before: Side, after: Side, setting: Setting, options: Options) -> Comparison {
        Comparison {
            before,
            after,
            setting,
            options,
            stats: Stats::default(),
            pairs: Vec::new(),
            carrier: String::new(),
            differences: Vec::new(),
            uncounted: 0,
        }
    }

    pub(super) fn finish(self) -> Result<Stats, Vec<String>> {
        self.finish_with_pairs().map(|(stats, _)| stats)
    }

    pub(super) fn finish_with_pairs(mut self) -> Result<(Stats, Vec<LinkPair>), Vec<String>> {
        if self.differences.is_empty() {
            return Ok((self.stats, self.pairs));
        }
        if self.uncounted > 0 {
            self.differences.push(format!("... and {} more", self.uncounted));
        }
        Err(self.differences)
    }

    pub(super) fn report(&mut self, node: &Handle, what: &str) {
        self.report_at(|| place_of(node), what);
    }

    pub(super) fn report_at(&mut self, place: impl FnOnce() -> String, what: &str) {
        if self.differences.len() < MAXIMAL_DIFFERENCES {
            self.differences.push(format!("{}: {what}", place()));
        } else {
            self.uncounted += 1;
        }
    }

    /// Compares two HTML documents that are values within these ones.
    pub(super) fn compare_embedded(
        &mut self,
        node: &Handle,
        setting: Setting,
        options: Options,
        (before, after): (&str, &str),
    ) {
        self.stats.embedded += 1;
        let (dom, dom_after) = (parse(before, setting), parse(after, setting));
        let (side, side_after) = if setting == Setting::Srcdoc {
            (
                Side::new(&dom, &self.before.base, UTF_8),
                Side::new(&dom_after, &self.after.base, UTF_8),
            )
        } else {
            (self.before.within(self.before.encoding), self.after.within(self.after.encoding))
        };
        let mut inner = Comparison::new(side, side_after, setting, options);
        inner.compare_trees(&dom, &dom_after);
        self.stats.add(inner.stats);
        self.pairs.append(&mut inner.pairs);
        self.uncounted += inner.uncounted;
        for difference in inner.differences {
            self.report(node, &difference);
        }
    }

    pub(super) fn compare_trees(&mut self, before: &RcDom, after: &RcDom) {
        if before.quirks_mode.get() != after.quirks_mode.get() {
            self.report(&before.document, "the quirks mode differs");
        }
        self.walk(&before.document, &after.document);
    }
}

pub(super) fn parse(text: &str, setting: Setting) -> RcDom {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            iframe_srcdoc: setting == Setting::Srcdoc,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    parse_document(RcDom::default(), options).one(text)
}
