//! Simple references: attribute values that are one [simple](rehref_url::simple) reference each, byte
//! for byte. Nearly all references of a site are simple. The fast paths handle them without a
//! container and without resolving them.

use encoding_rs::Encoding;

use super::TemplateDialects;
use super::constraints::Constraints;
use super::container::{Container, ContainerKind, Syntax};
use super::html::raw::RawValue;
use super::html::{Quote, ValueBase, ValueKind};
use super::metadata::Rel;
use super::reference::{BaseOf, Class, Reference};
use rehref_generators::Text;
use rehref_url::Span;
use rehref_url::simple::SimpleShape;

/// A simple reference of a document; its base is the document's own URL.
#[derive(Clone, Debug)]
pub struct SimpleReference {
    pub(super) value: RawValue,
    pub shape: SimpleShape,
}

impl SimpleReference {
    /// Returns the span of the reference in the working bytes.
    pub fn span(&self) -> Span {
        self.value.span
    }

    /// Returns the link types of its `link` element.
    pub fn rel(&self) -> Rel {
        self.value.rel
    }

    pub fn attribute(&self) -> &'static str {
        self.value.row.attribute
    }

    pub fn constraints(&self) -> Constraints {
        Constraints::of_attribute(self.value.row, self.value.rel)
    }

    /// Turns it into an ordinary reference and its container, which gets the index `index`.
    /// `working` are the working bytes of the document, in `encoding`.
    pub(super) fn into_reference(
        self,
        working: &[u8],
        encoding: &'static Encoding,
        index: usize,
    ) -> (Container, Reference) {
        let constraints = self.constraints();
        let value = self.value;
        let text = Text::decode(value.span.of(working), encoding);
        let reference = Reference {
            container: index,
            span: Span::from(0..text.as_str().len()),
            class: Class::Ordinary,
            base: BaseOf::Scope(0),
            constraints,
            rel: value.rel,
        };
        let kind = ContainerKind::Attribute { element: value.element, row: value.row };
        let syntax = Syntax::Attribute(value.quote);
        let container = Container {
            query_encoding: encoding,
            ..Container::new(None, value.span, text, syntax, kind)
        };
        (container, reference)
    }
}

/// The bytes that a value takes, with the reference that is made of it.
pub(super) const VALUE_BYTES: usize = size_of::<RawValue>() + size_of::<SimpleReference>();

/// Returns the shape of the `value` in `source`; `None` if it is not a simple reference, or if it holds markup of
/// `templates`.
pub(super) fn of_value(
    source: &[u8],
    value: &RawValue,
    templates: TemplateDialects,
) -> Option<SimpleShape> {
    let rules = &value.row.rules;
    let is_one_url = rules.kind == ValueKind::Url
        && rules.base == ValueBase::Document
        && !rules.rdfa
        && !rules.relative_only
        && !rules.prefix;
    if !is_one_url || value.quote == Quote::NoValue || value.rel.has(Rel::KEPT) {
        return None;
    }
    let raw = source.get(value.span.start..value.span.end)?;
    let is_template = || std::str::from_utf8(raw).is_ok_and(|text| templates.is_in(text));
    SimpleShape::of_value(raw)
        .filter(|shape| *shape != SimpleShape::Fragment || !rules.fragment_is_local)
        .filter(|_| !templates.may_be_in_simple() || !is_template())
}

#[cfg(test)]
mod tests {
    use crate::container::place_of;
    use crate::{Document, ParseOptions};

    const DOCUMENTS: &[(&str, &[&str])] = &[
        (
            "<a href=a><a href='b c'><a href=\"#d\"><img src=../e usemap=#f srcset='g 1x'>",
            &["a", "#d", "../e"],
        ),
        ("<a href=a><base href=/x/><a href=b>", &[]),
        ("<a href='a&amp;b'><a href=''><a href><a href='{{x}}'>", &[]),
        ("<iframe srcdoc='<a href=a>' src=b></iframe>", &["b"]),
        ("<svg><a href=c /><use href=#d /><use href=e.svg#f /></svg>", &["c", "e.svg#f"]),
        (
            "<script src=_static/doctools.js></script><link rel=preconnect href=a>\
             <link rel=stylesheet href=pygments.css><p id=x><a href=https://b.org/c>",
            &["_static/doctools.js", "a", "pygments.css", "https://b.org/c"],
        ),
        ("<applet codebase=x code=y><object codebase=z classid=q>", &["x", "z"]),
        ("<p about=a resource=b itemid=c><table style='a: url(d)' background=e>", &["c", "e"]),
        ("<meta charset=shift_jis><a href='\u{30bd}'><a href=x>", &["x"]),
    ];

    /// Everything known of the references.
    fn details(document: &Document<'_>) -> Vec<impl PartialEq + std::fmt::Debug> {
        let references = document.references.iter();
        references
            .map(|it| {
                let container = document.container_of(it).unwrap();
                (
                    (document.span_of(it), document.text_of(it).to_owned()),
                    (
                        place_of(&document.containers, it.container),
                        it.class,
                        it.base.clone(),
                        it.constraints,
                        it.rel,
                    ),
                    (container.syntax, container.kind.clone(), container.query_encoding),
                )
            })
            .collect()
    }

    #[test]
    fn a_reference_that_is_put_back_equals_the_ordinary_one() {
        for (html, expected) in DOCUMENTS {
            for rdfa in [false, true] {
                let parse = |simple| {
                    let options =
                        ParseOptions { simple, rdfa, metadata: true, ..ParseOptions::default() };
                    Document::parse(html.as_bytes(), &options).unwrap()
                };
                let mut document = parse(true);
                let ordinary = parse(false);
                assert_eq!(document.metadata, ordinary.metadata, "{html}");
                let simple = document.take_simple();
                let texts: Vec<&str> =
                    simple.iter().map(|simple| document.text_of_simple(simple)).collect();
                assert_eq!(texts, *expected, "{html}");
                document.put_back(simple);
                assert_eq!(details(&document), details(&ordinary), "{html}");
            }
        }
    }
}
