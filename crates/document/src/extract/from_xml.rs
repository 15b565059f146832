//! Extraction from XML: values, `xml:base` scopes, and the carriers within.

use std::collections::HashMap;

use encoding_rs::UTF_8;

use super::extractor::{Extractor, Place};
use crate::container::{Container, ContainerKind, MarkupContainer, Syntax};
use crate::html::raw::TooComplex;
use crate::json::JsonKind;
use crate::message::transfer::TransferEncoding;
use crate::scope::Scope;
use crate::value_rules::{ValueBase, ValueKind};
use crate::xml::{XmlFindings, XmlValue};
use rehref_generators::Text;
use rehref_url::Span;

/// The deepest level of relative `xml:base` attributes: each lengthens the URLs below it.
const BASE_NESTING: usize = 256;

impl Extractor {
    pub(super) fn xml(&mut self, place: Place<'_>, mut findings: XmlFindings) {
        if findings.has_more {
            self.budget.exceed();
        }
        let document = place.scope;
        let outer = std::mem::replace(&mut self.entities, std::mem::take(&mut findings.entities));
        // Each `xml:base` is a scope, here with its depth. The one it is relative to comes before it.
        let mut scopes: Vec<(usize, usize)> = Vec::with_capacity(findings.bases.len());
        let mut scope_set_by: HashMap<usize, usize> = HashMap::new();
        for base in &findings.bases {
            let parent = base.parent.and_then(|at| scopes.get(at));
            let (parent, depth) =
                parent.map_or((place.scope, 0), |(parent, depth)| (*parent, depth + 1));
            if depth > BASE_NESTING {
                return self.fail(TooComplex::Tree);
            }
            let scope = self.scope(Scope { parent: Some(parent), ..Scope::default() });
            scope_set_by.insert(base.value, scope);
            scopes.push((scope, depth));
        }
        if let Some(value) = findings.base_element {
            scope_set_by.insert(value, place.scope);
        }
        if let Some(scope) = self.found.scopes.get_mut(document) {
            scope.has_script |= findings.has_script;
            scope.base_tag = findings.base_tag;
        }
        self.xml_metadata(place, &findings);
        for (index, value) in findings.values.into_iter().enumerate() {
            if self.is_over() {
                break;
            }
            if value.rules.rdfa && !self.options.rdfa {
                continue;
            }
            let rel = value.rel;
            let is_base = value.rules.base == ValueBase::Fallback;
            let first = self.found.references.len();
            let scope = value.base.and_then(|at| scopes.get(at));
            let place = Place { scope: scope.map_or(place.scope, |(scope, _)| *scope), ..place };
            let container = self.xml_value(place, document, value);
            if is_base {
                self.collector.base_elements.push((document, container));
            } else {
                self.relate(first, rel);
            }
            let sets_base_of = scope_set_by.get(&index).copied();
            if let Some(scope) = sets_base_of.and_then(|at| self.found.scopes.get_mut(at)) {
                scope.base = Some(container);
            }
        }
        self.entities = outer;
    }

    /// Adds a value in the document whose scope is `document`, and returns its container.
    fn xml_value(&mut self, place: Place<'_>, document: usize, value: XmlValue) -> usize {
        let XmlValue { element, attribute, rules, .. } = value;
        let needs_absolute = !element.namespace.has_relative_urls() || value.rel.names_page();
        let place = Place { needs_absolute, ..place };
        let kind = MarkupContainer { element, attribute, rules };
        let kind = ContainerKind::Markup(Box::new(kind));
        let container = self.container(place, value.span, Syntax::Xml(value.place), kind);
        if rules.kind != ValueKind::Json(JsonKind::JsonLd) || self.options.json_ld {
            self.value(place, document, container, rules, value.beside);
        }
        container
    }

    /// Adds the HTML fragment, in UTF-8, that is the text of a container in base64.
    pub(super) fn base64_fragment(&mut self, container: usize, place: Place<'_>) {
        let encoding = TransferEncoding::Base64Text;
        let encoded = self.text_of(container);
        let decoded = match encoding.decode(encoded.as_bytes()) {
            Ok(decoded) => decoded,
            Err(error) => return self.cannot_read(container, 0, error.to_string()),
        };
        let text = Text::decode_verbatim(&decoded.bytes, UTF_8).carried(decoded.offsets);
        let (span, syntax) = (Span::from(0..encoded.len()), Syntax::Transfer(encoding));
        let kind = ContainerKind::Part(String::new());
        let fragment = self.push(Container {
            query_encoding: place.query_encoding,
            ..Container::new(Some(container), span, text, syntax, kind)
        });
        self.nested(fragment, place, true);
    }
}
