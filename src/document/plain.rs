//! Plain values: attribute values that are a [plain](crate::url::plain) reference each, byte for
//! byte. Nearly all references of a site are such, and what becomes of one can be told without
//! taking it apart.

use super::container::{Container, Form, Holder};
use super::facts::Rel;
use super::html::findings::RawValue;
use super::html::{Quote, RowBase, ValueKind};
use super::reference::{BaseOf, Class, Demands, Reference};
use super::text::Text;
use super::{Document, Span};
use crate::document::html::attributes::Row;
use crate::url::plain::Plain;

/// A plain value of a document, which is relative to the document's own URL.
#[derive(Clone, Debug)]
pub struct PlainValue {
    pub(super) value: RawValue,
    /// What its reference is.
    pub plain: Plain,
}

impl PlainValue {
    /// Where the reference stands in the working bytes.
    pub fn span(&self) -> Span {
        self.value.span
    }

    /// The name of the attribute.
    pub fn attribute(&self) -> &'static str {
        self.value.row.attribute
    }
}

/// What the `value` is, which stands in `source`, if it is a plain one.
pub(super) fn of_value(source: &[u8], value: &RawValue) -> Option<Plain> {
    let is_for_all = is_one_url(value.row) && value.codebase.is_none() && value.rel == Rel::NONE;
    if !is_for_all || value.quote == Quote::NoValue {
        return None;
    }
    let raw = source.get(value.span.start..value.span.end)?;
    let reference = std::str::from_utf8(raw).ok()?;
    // It may begin a character reference.
    if memchr::memchr(b'&', raw).is_some() {
        return None;
    }
    Plain::of(reference).filter(|plain| *plain != Plain::Fragment || !value.row.fragment_is_local)
}

fn is_one_url(row: &Row) -> bool {
    row.kind == ValueKind::Url && row.base == RowBase::Document && !row.rdfa && !row.relative_only
}

impl<'a> Document<'a> {
    /// The text of a plain value.
    pub fn text_of_plain(&self, plain: &PlainValue) -> &str {
        let Span { start, end } = plain.span();
        let raw = self.working_bytes().get(start..end).unwrap_or_default();
        std::str::from_utf8(raw).unwrap_or("")
    }

    /// The plain values, to be looked at by themselves: from now on the document has them no more.
    pub fn take_plain(&mut self) -> Vec<PlainValue> {
        std::mem::take(&mut self.plain)
    }

    /// Makes ordinary references of these plain values of the document.
    pub fn put_back(&mut self, plain: impl IntoIterator<Item = PlainValue>) {
        let before = self.references.len();
        for PlainValue { value, .. } in plain {
            let Span { start, end } = value.span;
            let raw = self.working_bytes().get(start..end).unwrap_or_default();
            let text = Text::decode(raw, self.charset.encoding);
            self.references.push(Reference {
                container: self.containers.len(),
                range: 0..text.as_str().len(),
                class: Class::Ordinary,
                base: BaseOf::Scope(0),
                demands: Demands::of_attribute(value.row),
                rel: value.rel,
            });
            self.containers.push(Container {
                parent: None,
                span: value.span,
                text,
                form: Form::Attribute(value.quote),
                holder: Holder::Attribute {
                    element: value.element,
                    name: value.row.attribute.to_owned(),
                    traits: value.row.into(),
                },
                query_encoding: self.charset.encoding,
                is_readable: true,
            });
        }
        if self.references.len() > before {
            self.sort_references();
        }
    }
}
