//! Adds the metadata of a document in each language to that found so far.

use super::extractor::{Extractor, Place};
use crate::container::{Container, span_in};
use crate::html::raw::RawMetadata;
use crate::metadata::{Ignored, Rel, generator, ignored_markdown};
use crate::xml::{self, XmlFindings, XmlPlace};
use rehref_generators::Text;
use rehref_generators::markdown::MarkdownFindings;
use rehref_url::Span;

impl Extractor {
    /// Adds the metadata of the HTML document in `place`.
    pub(super) fn html_metadata(&mut self, place: Place<'_>, raw: RawMetadata, comments: &[Span]) {
        let containers = &self.found.containers;
        let ignored = raw
            .ignored
            .into_iter()
            .map(|ignored| Ignored { span: outer(containers, place, ignored.span), ..ignored });
        self.collector.ignored.extend(ignored);
        if !place.is_document {
            return;
        }
        let decoded = |span: Span| Text::decode(span.of(place.source), place.encoding);
        self.collector.ids_at.reserve(raw.ids.len());
        for span in raw.ids {
            let outer = outer(&self.found.containers, place, span);
            self.collector.id(decoded(span).as_str(), outer);
        }
        let names = raw.names.iter().map(|span| decoded(*span).into_string());
        self.collector.names.extend(names);
        let maps = raw.maps.iter().map(|span| decoded(*span).into_string());
        self.collector.found.maps.extend(maps);
        let outer = |at: usize| outer(&self.found.containers, place, Span::at(at)).start;
        self.collector.found.without_url.extend(raw.without_url.into_iter().map(outer));
        self.collector.found.unclosed_quote = raw.unclosed_quote.map(outer);
        self.collector.found.generators = raw.generators;
        for span in comments {
            let raw = span.of(place.source);
            let content = raw.strip_prefix(b"<!--").unwrap_or_default();
            // All signs are ASCII.
            let found = std::str::from_utf8(content.get(..LONGEST_SIGN).unwrap_or(content));
            self.collector.sign(found.ok().and_then(generator::of_comment));
        }
    }

    /// Adds the metadata of a document in Markdown, besides that of its HTML.
    pub(super) fn markdown_metadata(&mut self, source: &[u8], findings: MarkdownFindings) {
        let names = findings.anchors.into_iter().map(|(name, _)| name);
        self.collector.names.extend(names);
        self.collector.found.undefined_references = findings.undefined;
        self.collector.found.unused_definitions = findings.unused;
        self.collector.found.unread = findings.unread;
        let html = findings.html.as_deref().unwrap_or_default();
        self.collector.ignored.extend(ignored_markdown(source, html));
    }

    /// Adds the metadata of an XML document.
    pub(super) fn xml_metadata(&mut self, place: Place<'_>, findings: &XmlFindings) {
        self.collector.found.generators.clone_from(&findings.generators);
        let ignored = findings.ignored_bases.iter();
        let ignored = ignored.map(|span| outer(&self.found.containers, place, *span));
        self.collector.found.ignored_xml_bases.extend(ignored);
        let mut last = None;
        for anchor in &findings.anchors {
            let raw = anchor.span.of(place.source);
            let Ok(text) =
                xml::decode(raw, XmlPlace::Attribute(b'"'), place.encoding, &self.entities)
            else {
                continue;
            };
            let name = text.into_string();
            if !anchor.is_id {
                self.collector.names.push(name);
                continue;
            }
            // `id` and `xml:id` of one element are often the same.
            let this = (anchor.element, name);
            if !this.1.is_empty() && last.as_ref() != Some(&this) {
                let span = outer(&self.found.containers, place, anchor.span);
                self.collector.id(&this.1, span);
            }
            last = Some(this);
        }
    }

    /// Sets the link types of the references from index `first` on.
    pub(super) fn relate(&mut self, first: usize, rel: Rel) {
        if rel != Rel::NONE {
            let new = self.found.references.iter_mut().skip(first);
            new.for_each(|reference| reference.rel = rel);
        }
    }
}

/// The number of bytes of a comment to search for signs of a generator.
const LONGEST_SIGN: usize = 64;

/// Maps a span of the text of `place` to working bytes.
pub(super) fn outer(containers: &[Container], place: Place<'_>, span: Span) -> Span {
    match place.parent {
        None => span,
        Some(parent) => span_in(containers, parent, span),
    }
}
