//! Collects the values and contents of the elements that tags insert.

use std::borrow::Cow;

use super::attribute_table::RowMatcher;
use super::attributes::{attributes_from, decoded};
use super::names;
use super::reasons::{DeclineReason, Scan};
use super::state::{InsertionMode, Scanner, Tag};
use super::tags::TagKind;
use crate::html::attributes;
use crate::html::content;
use crate::html::element::{Element, Namespace};
use crate::html::raw::{RawContent, RawValue};
use crate::metadata::Rel;
use crate::prescan::encoding_of_meta;
use crate::value_rules::ValueBase;
use rehref_url::Span;

impl<'s> Scanner<'s> {
    fn value(&self, name: &str) -> Option<Cow<'s, str>> {
        self.attribute(name).map(|attribute| decoded(self.bytes(attribute.span), attribute.quote))
    }

    /// Declines where the latest tag has an ignore mark.
    pub(super) fn decline_ignore_mark(&self) -> Scan<()> {
        let marks = &self.attribute_table.ignore_marks;
        let mut numbers = self.tag_attributes.iter().map(|found| found.number);
        if numbers.any(|number| marks.contains(&number)) {
            Err(DeclineReason::IgnoreMark)
        } else {
            Ok(())
        }
    }

    /// Collects from the element that the latest tag inserted.
    pub(super) fn collect(
        &mut self,
        tag: &Tag<'_>,
        namespace: Namespace,
        in_document: bool,
    ) -> Scan<()> {
        let is_html = namespace == Namespace::Html;
        let name = tag.info.html_name;
        if is_html && tag.info.kind == TagKind::Metadata && name == "meta" {
            self.meta()?;
        }
        if tag.info.has_content {
            self.begin_content(tag, namespace);
        }
        if self.metadata {
            if in_document {
                self.anchors(tag, is_html);
            } else if is_html && tag.info.is_formatting() && self.has_anchor() {
                return Err(DeclineReason::AnchorInTemplate);
            }
        }
        let mut rel = None;
        for at in 0..self.tag_attributes.len() {
            let Some(found) = self.tag_attributes.get(at).copied() else { break };
            let rows = self.attribute_table.rows(found.number);
            let Some(row) = rows.iter().find(|row| self.fits(row, tag, namespace)) else {
                continue;
            };
            let row = row.row;
            let in_noscript = self.in_noscript(tag);
            if row.rules.base == ValueBase::Fallback && in_document && !in_noscript {
                self.base(tag.name.start.saturating_sub(1))?;
            }
            let rel = *rel.get_or_insert_with(|| {
                let own = if is_html && name == "link" {
                    Rel::of(self.value("rel").as_deref(), self.value("hreflang").as_deref())
                } else {
                    Rel::NONE
                };
                if self.is_kept(tag, namespace) { own.with(Rel::KEPT) } else { own }
            });
            let beside = row.rules.beside.and_then(|name| self.attribute(name));
            let beside = beside.map(|found| found.span);
            let element = self.element(tag, namespace)?;
            if self.raw.values.len() >= self.most_values {
                return Err(DeclineReason::Memory);
            }
            self.raw.values.push(RawValue {
                element,
                row,
                span: found.span,
                quote: found.quote,
                beside,
                in_document,
                in_noscript,
                rel,
            });
        }
        Ok(())
    }

    fn fits(&self, row: &RowMatcher, tag: &Tag<'_>, namespace: Namespace) -> bool {
        let number = match tag.info.html_name {
            // The tag "image" makes an `img`.
            "img" if namespace == Namespace::Html => self.tag_table.img,
            _ => tag.number,
        };
        row.is_for(namespace, number) && attributes::is_met(row.row.when, |name| self.value(name))
    }

    fn element(&self, tag: &Tag<'_>, namespace: Namespace) -> Scan<Element> {
        let name = match tag.info.name_in(namespace) {
            "" => {
                let name = self.bytes(tag.name);
                if names::is_odd(name) {
                    return Err(DeclineReason::OddName);
                }
                Cow::Owned(String::from_utf8_lossy(name).to_ascii_lowercase())
            }
            known => Cow::Borrowed(known),
        };
        Ok(Element { namespace, name })
    }

    /// Returns true if the links of the latest tag's element stay as written. Selectors may name any attribute.
    fn is_kept(&self, tag: &Tag<'_>, namespace: Namespace) -> bool {
        let value_of = |wanted: &str| {
            let mut all = attributes_from(self.source, tag.name.end);
            let found = all.find(|(name, _)| name.eq_ignore_ascii_case(wanted.as_bytes()));
            found.map(|(_, value)| decoded(value.span.of(self.source), value.quote))
        };
        !self.kept.are_none()
            && self.element(tag, namespace).is_ok_and(|it| self.kept.have(&it.name, value_of))
    }

    /// Returns true if the latest tag has an attribute that makes an anchor.
    fn has_anchor(&self) -> bool {
        let names = [self.attribute_table.id, self.attribute_table.name];
        let mut numbers = self.tag_attributes.iter().map(|found| found.number);
        numbers.any(|number| names.contains(&Some(number)))
    }

    /// Collects the element of the latest tag, in the document tree, if it lacks the URL that it needs.
    #[inline]
    pub(super) fn collect_without_url(&mut self, tag: Span) {
        if self.metadata && attributes::needs_url(self.bytes(tag)) {
            let names = attributes_from(self.source, tag.end).map(|(name, _)| name);
            if attributes::lacks_url(self.bytes(tag), names) {
                self.raw.metadata.without_url.push(tag.start.saturating_sub(1));
            }
        }
    }

    fn anchors(&mut self, tag: &Tag<'_>, is_html: bool) {
        let is_a = is_html && tag.info.html_name == "a";
        let is_map = is_html && self.bytes(tag.name).eq_ignore_ascii_case(b"map");
        for found in &self.tag_attributes {
            if found.span.start == found.span.end {
                continue;
            }
            let number = Some(found.number);
            if number == self.attribute_table.id {
                self.raw.metadata.ids.push(found.span);
            } else if is_a && number == self.attribute_table.name {
                self.raw.metadata.names.push(found.span);
            } else if is_map && number == self.attribute_table.name {
                self.raw.metadata.maps.push(found.span);
            }
        }
    }

    /// Collects a `base` with an `href` in the document tree, whose tag starts at `start`. The caller
    /// pushes its value to `raw.values` next.
    fn base(&mut self, start: usize) -> Scan<()> {
        let is_in_body = self.root == InsertionMode::InBody;
        match self.raw.base {
            Some(_) if self.base_in_body => return Err(DeclineReason::OrderOutsideHead),
            Some(_) => {}
            None => {
                self.base_in_body = is_in_body;
                self.raw.base = Some(self.raw.values.len());
                self.raw.base_tag = Some(start);
            }
        }
        Ok(())
    }

    /// Collects the charset and the generator that a `meta` declares.
    fn meta(&mut self) -> Scan<()> {
        // A table moves an element out of itself, in a template too.
        let may_be_moved = self.root == InsertionMode::InBody || !self.templates.is_empty();
        let charset = self.value("charset");
        let http_equiv = self.value("http-equiv");
        let content = self.value("content");
        let encoding =
            encoding_of_meta(charset.as_deref(), http_equiv.as_deref(), content.as_deref());
        if let Some(encoding) = encoding {
            if self.raw.declared_encoding.is_none() {
                self.raw.declared_encoding = Some(encoding);
                self.encoding_may_be_moved = may_be_moved;
            } else if self.encoding_may_be_moved && self.raw.declared_encoding != Some(encoding) {
                return Err(DeclineReason::OrderOutsideHead);
            }
        }
        if self.metadata
            && let Some(content) = content
            && self.value("name").is_some_and(|name| name.eq_ignore_ascii_case("generator"))
        {
            self.generators_moved += usize::from(may_be_moved);
            if self.generators_moved > 1 {
                return Err(DeclineReason::OrderOutsideHead);
            }
            self.raw.metadata.generators.push(content.into_owned());
        }
        Ok(())
    }

    /// Collects the content of an element if it is a carrier. Without an end tag the content ends with
    /// the source.
    fn begin_content(&mut self, tag: &Tag<'_>, namespace: Namespace) {
        let name = tag.info.name_in(namespace);
        let type_ = self.value("type");
        self.raw.has_script |= content::is_run(namespace, name, type_.as_deref());
        let Some(kind) = content::kind_of(namespace, name, type_.as_deref()) else { return };
        self.content_of = Some(self.raw.contents.len());
        self.raw.contents.push(RawContent {
            element: Element { namespace, name: Cow::Borrowed(name) },
            kind,
            span: Span { start: tag.end.end, end: self.source.len() },
        });
    }
}
