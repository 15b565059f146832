//! The fast path for two documents that differ in nothing but the spelling of references: most documents
//! of a site whose files keep their URLs. It resolves no simple reference, and finds no difference: whatever
//! might be one takes the full comparison.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Deref;

use super::both::Both;
use super::document::comparison::DocumentComparison;
use super::document::options::ComparisonOptions;
use super::meaning::{self, Meaning};
use super::report::ComparedReferences;
use rehref_document::container::{Container, Syntax};
use rehref_document::html::Quote;
use rehref_document::reference::Class;
use rehref_document::{BaseUrl, Constraints, Document, Reference, SimpleReference};
use rehref_url::simple::{Folders, SimpleShape};
use rehref_url::{AbsoluteUrl, Span};

/// Returns the comparison of two `documents`, whose simple references are known, if they have no difference: the bytes
/// around the references are equal, and so are the targets of these. `None` where that may not be all.
pub(super) fn without_differences(
    documents: Both<&Document<'_>>,
    options: &ComparisonOptions<'_>,
) -> Option<DocumentComparison> {
    let Both { before, after } = documents;
    let is_same_charset = before.charset == after.charset;
    let is_plain = is_plain(before) && is_plain(after);
    if !(may_apply(options) && is_same_charset && is_plain) {
        return None;
    }
    let compared = before.simple.len() + before.references.len();
    if compared != after.simple.len() + after.references.len() {
        return None;
    }
    let respelled = respelled(documents, options.before)?;
    let has_markup = |it: &&Reference| it.class == Class::TemplateMarkup;
    Some(DocumentComparison {
        references: ComparedReferences {
            compared,
            respelled,
            unchanged: compared - respelled,
            template_markup: after.references.iter().filter(has_markup).count(),
            ..ComparedReferences::default()
        },
        ..DocumentComparison::default()
    })
}

/// Returns true if [`without_differences`] may answer for documents that are compared in this way.
pub(super) fn may_apply(options: &ComparisonOptions<'_>) -> bool {
    let is_same_place = options.keeps_urls && options.before == options.after;
    let is_served = options.is_served_anywhere || options.on_disk.is_some();
    is_same_place && options.base.is_none() && !is_served
}

/// Returns true if nothing in `document` but its references needs a comparison.
fn is_plain(document: &Document<'_>) -> bool {
    !document.no_url
        && document.transcoded().is_none()
        && document.parts.is_empty()
        && document.fetch_options.is_empty()
        && document.policies.is_empty()
        && document.scopes.iter().all(|scope| scope.base.is_none())
}

/// A reference whose bytes may differ.
#[derive(Clone, Copy)]
enum Value<'d> {
    Simple(&'d SimpleReference),
    /// The whole value of an attribute.
    Whole(&'d Reference),
}

impl<'d> Value<'d> {
    fn constraints(self) -> Constraints {
        match self {
            Value::Simple(reference) => reference.constraints(),
            Value::Whole(reference) => reference.constraints,
        }
    }

    fn text(self, document: &'d Document<'_>) -> &'d str {
        match self {
            Value::Simple(reference) => document.text_of_simple(reference),
            Value::Whole(reference) => document.text_of(reference),
        }
    }

    /// The target in two pieces, in a document whose URL is `own` and lies in `folders`; `None` where there is none. A
    /// simple absolute URL stays as written, although it may lack the slash of its path.
    fn target(
        self,
        document: &'d Document<'_>,
        own: &'d AbsoluteUrl,
        folders: Folders<'d>,
        bases: &impl Deref<Target = Vec<BaseUrl>>,
    ) -> Option<Pieces<'d>> {
        let text = self.text(document);
        let (start, rest) = match self {
            Value::Simple(reference) => match reference.shape {
                SimpleShape::Path(path) => {
                    (folders.above(path.parents)?, text.get(path.parents_length()..)?)
                }
                SimpleShape::Fragment => (own.as_str().split('#').next()?, text),
                SimpleShape::Absolute => ("", text),
            },
            Value::Whole(reference) => {
                return match meaning::of(document, reference, bases, own, false) {
                    Meaning::Target(target) => Some((target.to_string().into(), "")),
                    Meaning::Text(_) => None,
                };
            }
        };
        Some((start.into(), rest))
    }
}

/// A URL in two pieces.
type Pieces<'d> = (Cow<'d, str>, &'d str);

/// Returns true if the pieces are those of the same URL.
fn is_same(one: &Pieces<'_>, other: &Pieces<'_>) -> bool {
    let (short, long) = if one.0.len() <= other.0.len() { (one, other) } else { (other, one) };
    let more = long.0.strip_prefix(&*short.0);
    more.and_then(|more| short.1.strip_prefix(more)) == Some(long.1)
}

/// The number of references whose texts differ; `None` if their targets may, or the bytes around them do.
/// `own` is the URL of both documents.
fn respelled(documents: Both<&Document<'_>>, own: &AbsoluteUrl) -> Option<usize> {
    let values = documents.map(values);
    let bytes = documents.map(Document::working_bytes);
    let folders = Folders::of(own)?;
    let bases = documents.map(|document| LazyCell::new(|| document.base_urls(own)));
    let mut rest = bytes;
    let mut respelled = 0;
    if values.before.len() != values.after.len() || !has_same_others(documents) {
        return None;
    }
    for ((old_span, old), (new_span, new)) in values.before.iter().zip(&values.after) {
        let ends = Both::new(old_span, new_span).zip(bytes.zip(rest));
        let parts = ends.map(|(span, (bytes, rest))| {
            let start = span.start.checked_sub(bytes.len() - rest.len())?;
            let value = bytes.get(span.start..span.end)?;
            Some((rest.get(..start)?, value, bytes.get(span.end..)?))
        });
        let Both { before, after } = parts.flatten()?;
        if before.0 != after.0 {
            return None;
        }
        rest = Both::new(before.2, after.2);
        let is_changed = before.1 != after.1;
        let is_same = if is_changed {
            are_respelled(documents.zip(Both::new(*old, *new)), &bases, own, folders)
        } else {
            are_unchanged(*old, *new)
        };
        if !is_same {
            return None;
        }
        respelled += usize::from(is_changed);
    }
    (rest.before == rest.after).then_some(respelled)
}

/// Returns true if two values with the same bytes have the same meaning.
fn are_unchanged(old: Value<'_>, new: Value<'_>) -> bool {
    match (old, new) {
        (Value::Simple(_), Value::Simple(_)) => true,
        (Value::Whole(old), Value::Whole(new)) => is_same_reading(old, new),
        _ => false,
    }
}

/// Returns true if two values have different texts and the same target, in documents whose URL is `own` and lies in
/// `folders`.
fn are_respelled(
    values: Both<(&Document<'_>, Value<'_>)>,
    bases: &Both<impl Deref<Target = Vec<BaseUrl>>>,
    own: &AbsoluteUrl,
    folders: Folders<'_>,
) -> bool {
    let texts = values.map(|(document, value)| value.text(document));
    let targets = values.zip(Both::new(&bases.before, &bases.after));
    let targets =
        targets.map(|((document, value), bases)| value.target(document, own, folders, bases));
    let needs_absolute = values.before.1.constraints().absolute;
    // A place that needs an absolute URL may have lost it.
    !needs_absolute
        && texts.before != texts.after
        && targets.flatten().is_some_and(|it| is_same(&it.before, &it.after))
}

/// The values of `document` that may differ, with their spans, in order.
fn values<'d>(document: &'d Document<'_>) -> Vec<(Span, Value<'d>)> {
    let simple = document.simple.iter();
    let simple = simple.map(|it| (it.span(), Value::Simple(it)));
    let whole = document.references.iter().filter_map(|reference| {
        let container = whole_value(document, reference)?;
        Some((container.span, Value::Whole(reference)))
    });
    let mut values: Vec<_> = simple.chain(whole).collect();
    values.sort_by_key(|(span, _)| *span);
    values
}

/// The attribute value in the working bytes that `reference` is; `None` if it is another one.
fn whole_value<'d>(document: &'d Document<'_>, reference: &Reference) -> Option<&'d Container> {
    let container = document.container_of(reference)?;
    let is_quoted = matches!(container.syntax, Syntax::Attribute(Quote::Single | Quote::Double));
    let is_whole = reference.span == Span::from(0..container.text.as_str().len());
    (container.parent.is_none() && is_quoted && is_whole).then_some(container)
}

/// Returns true if the references within equal bytes are the same.
fn has_same_others(documents: Both<&Document<'_>>) -> bool {
    let others = documents.map(|document| {
        let is_other = |it: &&Reference| whole_value(document, it).is_none();
        document.references.iter().filter(is_other).collect::<Vec<_>>()
    });
    let mut pairs = others.before.iter().zip(&others.after);
    let is_same = |(old, new): (&&Reference, &&Reference)| {
        let text = documents.before.text_of(old);
        is_same_reading(old, new) && text == documents.after.text_of(new)
    };
    others.before.len() == others.after.len() && pairs.all(is_same)
}

/// Returns true if two references with the same text have the same meaning in documents at the same place.
fn is_same_reading(old: &Reference, new: &Reference) -> bool {
    old.base == new.base && old.class == new.class
}

#[cfg(test)]
mod tests {
    use super::*;
    use rehref_document::ParseOptions;
    use rehref_url::{Standard, Url};

    /// So that the properties of the comparison compare two paths, and not the general path with itself.
    #[test]
    fn respelled_references_need_no_full_comparison() {
        let url = Url::parse("https://h/d/p.html").unwrap();
        let own = AbsoluteUrl::new(Standard::Whatwg, url);
        let parse = ParseOptions { simple: true, ..ParseOptions::default() };
        let options = ComparisonOptions::unmoved(parse, [&own, &own]);
        let before = "<a href=x#y>a</a><a href='#z'><img src=\"./b?c&amp;d\"><p style='e:url(f)'><a href='mailto:g'>";
        for (old, new, expected) in [
            ("", "", Some(0)),
            ("=x#y", "=https://h/d/x#y", Some(1)),
            ("'#z'", "'https://h/d/p.html#z'", Some(1)),
            ("./b", "https://h/d/b", Some(1)),
            ("./b", "b", Some(1)),
            ("=x#y", "=https://h/x#y", None),
            ("=x#y", "='https://h/d/x#y'", None),
            ("./b", "c", None),
            ("url(f)", "url(https://h/d/f)", None),
            ("mailto:g", "mailto:h", None),
            (">a<", ">b<", None),
        ] {
            let after = before.replacen(old, new, 1);
            let sides = Both::new(before, after.as_str());
            let sides = sides.map(|it| Document::parse(it.as_bytes(), &options.parse).unwrap());
            let documents = Both::new(&sides.before, &sides.after);
            let found = without_differences(documents, &options);
            let found = found.map(|it| (it.references.compared, it.references.respelled));
            assert_eq!(found, expected.map(|respelled| (5, respelled)), "{after}");
        }
    }

    #[test]
    fn the_same_url_may_be_cut_anywhere() {
        for (one, other, expected) in [
            (("https://h/", "a"), ("", "https://h/a"), true),
            (("https://h/", "a"), ("https://h/a", ""), true),
            (("https://h/", "a"), ("https://h/", "a"), true),
            (("https://h/", "a"), ("https://h/", "ab"), false),
            (("https://h/", "a"), ("https://i/", "a"), false),
            (("https://h/", "a"), ("", "https://h/"), false),
        ] {
            let [one, other] = [one, other].map(|(start, rest)| (start.into(), rest));
            assert_eq!(is_same(&one, &other), expected, "{one:?} {other:?}");
            assert_eq!(is_same(&other, &one), expected, "{other:?} {one:?}");
        }
    }
}
