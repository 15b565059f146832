//! What is kept of an element.

use std::borrow::Cow;

use super::attributes::{Found, KnownRow, decoded};
use super::modes::Mode;
use super::tags::Kind;
use super::{DeclineReason, Scanner, Tag, is_same, names};
use crate::document::Span;
use crate::document::facts::Rel;
use crate::document::html::Element;
use crate::document::html::attributes::{self, AttributeBase, Namespace};
use crate::document::html::content;
use crate::document::html::raw::{RawContent, RawValue};
use crate::document::prescan::encoding_of_meta;

impl<'s> Scanner<'s> {
    /// The latest tag's attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Found> {
        self.found
            .iter()
            .find(|found| self.attributes.names.name(found.attribute) == Some(name))
    }

    fn value(&self, name: &str) -> Option<Cow<'s, str>> {
        self.attribute(name)
            .map(|found| decoded(self.name(found.span), found.quote))
    }

    /// Declines where the latest tag has an ignore mark.
    pub(super) fn look_for_marks(&self) -> Result<(), DeclineReason> {
        let mark = self.attributes.mark;
        if self.found.iter().any(|found| Some(found.attribute) == mark) {
            return Err(DeclineReason::IgnoreMark);
        }
        Ok(())
    }

    /// Keeps what is of interest of the element that the latest tag made.
    pub(super) fn record(
        &mut self,
        tag: &Tag<'_>,
        namespace: Namespace,
        in_document: bool,
    ) -> Result<(), DeclineReason> {
        let is_html = namespace == Namespace::Html;
        let name = tag.known.html;
        if is_html && tag.known.kind == Kind::Metadata && name == "meta" {
            self.meta()?;
        }
        if tag.known.has_content {
            self.begin_content(tag, namespace);
        }
        if self.facts && in_document {
            self.anchors(is_html && name == "a");
        }
        let mut rel = None;
        for at in 0..self.found.len() {
            let Some(found) = self.found.get(at).copied() else {
                break;
            };
            let rows = self.attributes.rows(found.attribute);
            let Some(row) = rows.iter().find(|row| self.fits(row, tag, namespace)) else {
                continue;
            };
            let row = row.row;
            if row.base == AttributeBase::Fallback && in_document {
                self.base()?;
            }
            let rel = *rel.get_or_insert_with(|| {
                if self.facts && is_html && name == "link" {
                    Rel::of(
                        self.value("rel").as_deref(),
                        self.value("hreflang").as_deref(),
                    )
                } else {
                    Rel::NONE
                }
            });
            let codebase = (row.base == AttributeBase::Codebase)
                .then(|| self.attribute("codebase"))
                .flatten()
                .map(|found| found.span);
            let element = self.element(tag, namespace)?;
            self.raw.values.push(RawValue {
                element,
                row,
                span: found.span,
                quote: found.quote,
                codebase,
                in_document,
                rel,
            });
        }
        Ok(())
    }

    fn fits(&self, row: &KnownRow, tag: &Tag<'_>, namespace: Namespace) -> bool {
        let number = match tag.known.html {
            // The tag "image" makes an `img`.
            "img" if namespace == Namespace::Html => self.tags.img,
            _ => tag.number,
        };
        row.is_for(namespace, number) && attributes::is_met(row.row.when, |name| self.value(name))
    }

    fn element(&self, tag: &Tag<'_>, namespace: Namespace) -> Result<Element, DeclineReason> {
        let name = match tag.known.name_in(namespace) {
            "" => {
                let name = self.name(tag.name);
                if names::is_odd(name) {
                    return Err(DeclineReason::OddName);
                }
                Cow::Owned(String::from_utf8_lossy(name).to_ascii_lowercase())
            }
            known => Cow::Borrowed(known),
        };
        Ok(Element { namespace, name })
    }

    fn anchors(&mut self, is_a: bool) {
        for found in &self.found {
            if found.span.start == found.span.end {
                continue;
            }
            let attribute = Some(found.attribute);
            if attribute == self.attributes.id {
                self.raw.facts.ids.push(found.span);
            } else if is_a && attribute == self.attributes.name {
                self.raw.facts.names.push(found.span);
            }
        }
    }

    /// Notes a `base` with an `href` in the document tree, which comes next in `raw.values`.
    fn base(&mut self) -> Result<(), DeclineReason> {
        let is_in_body = self.root == Mode::InBody;
        if self.raw.base.is_some() {
            return if self.base_in_body {
                Err(DeclineReason::OrderOutsideHead)
            } else {
                Ok(())
            };
        }
        if is_in_body && self.seen_noscript {
            return Err(DeclineReason::BaseAndNoscript);
        }
        self.base_in_body = is_in_body;
        self.raw.base = Some(self.raw.values.len());
        Ok(())
    }

    /// Notes the charset and the generator that a `meta` declares.
    fn meta(&mut self) -> Result<(), DeclineReason> {
        // In a template too a table puts what stands in it elsewhere.
        let may_be_moved = self.root == Mode::InBody || !self.templates.is_empty();
        let charset = self.value("charset");
        let http_equiv = self.value("http-equiv");
        let content = self.value("content");
        let encoding = encoding_of_meta(
            charset.as_deref(),
            http_equiv.as_deref(),
            content.as_deref(),
        );
        if let Some(encoding) = encoding {
            if self.raw.declared_encoding.is_none() {
                self.raw.declared_encoding = Some(encoding);
                self.encoding_may_be_moved = may_be_moved;
            } else if self.encoding_may_be_moved && !is_same(self.raw.declared_encoding, encoding) {
                return Err(DeclineReason::OrderOutsideHead);
            }
        }
        if self.facts
            && let Some(content) = content
            && self
                .value("name")
                .is_some_and(|name| name.eq_ignore_ascii_case("generator"))
        {
            self.generators_moved += usize::from(may_be_moved);
            if self.generators_moved > 1 {
                return Err(DeclineReason::OrderOutsideHead);
            }
            self.raw.facts.generators.push(content.into_owned());
        }
        Ok(())
    }

    /// Notes the content of an element that is a carrier, up to the end of the source for now.
    fn begin_content(&mut self, tag: &Tag<'_>, namespace: Namespace) {
        let name = tag.known.name_in(namespace);
        let type_ = self.value("type");
        let Some(kind) = content::kind_of(namespace, name, type_.as_deref()) else {
            return;
        };
        self.content_of = Some(self.raw.contents.len());
        self.raw.contents.push(RawContent {
            element: Element {
                namespace,
                name: Cow::Borrowed(name),
            },
            kind,
            span: Span {
                start: tag.end.end,
                end: self.source.len(),
            },
        });
    }
}
