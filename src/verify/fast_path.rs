//! The fast path for two documents that differ in nothing but the spelling of simple references: most
//! documents of a site whose files keep their URLs. It resolves no reference, and finds no difference:
//! whatever might be one takes the full comparison.

use super::both::Both;
use super::document::{ComparisonOptions, DocumentComparison};
use super::report::ComparedReferences;
use crate::document::{Document, SimpleReference};
use crate::url::AbsoluteUrl;
use crate::url::simple::{Folders, SimpleShape};

/// The comparison of two `documents`, whose simple references are known, if they have no difference: the
/// bytes around the simple references are equal, and so are the targets of these. `None` where that may not
/// be all.
pub(super) fn without_differences(
    documents: Both<&Document<'_>>,
    options: &ComparisonOptions<'_>,
) -> Option<DocumentComparison> {
    let Both { before, after } = documents;
    let is_same_place = options.keeps_urls && options.before == options.after;
    let is_like_after = options.base.is_none() && !options.is_served_anywhere;
    let is_same_charset = before.charset == after.charset;
    let is_plain = is_plain(before) && is_plain(after);
    if !(is_same_place && is_like_after && is_same_charset && is_plain) {
        return None;
    }
    let respelled = respelled(documents, options.before)?;
    let others = before.references.iter().zip(&after.references);
    let is_same_count = before.references.len() == after.references.len();
    // Between equal bytes, with the same base URL, the same text has the same meaning.
    let mut is_same = others.map(|(old, new)| {
        old.base == new.base && old.class == new.class && before.text_of(old) == after.text_of(new)
    });
    let compared = before.simple.len() + before.references.len();
    (is_same_count && is_same.all(|it| it)).then(|| DocumentComparison {
        references: ComparedReferences {
            compared,
            respelled,
            unchanged: compared - respelled,
            ..ComparedReferences::default()
        },
        ..DocumentComparison::default()
    })
}

/// Whether nothing in `document` but its references needs a comparison.
fn is_plain(document: &Document<'_>) -> bool {
    document.transcoded().is_none()
        && document.parts.is_empty()
        && document.fetch_options.is_empty()
        && document.policies.is_empty()
        && document.scopes.iter().all(|scope| scope.base.is_none())
}

/// The number of simple references that differ; `None` if their targets may, or the bytes around them do.
/// `own` is the URL of both documents.
fn respelled(documents: Both<&Document<'_>>, own: &AbsoluteUrl) -> Option<usize> {
    let simple = documents.map(|document| document.simple.as_slice());
    let bytes = documents.map(Document::working_bytes);
    let folders = Folders::of(own)?;
    let mut rest = bytes;
    let mut respelled = 0;
    if simple.before.len() != simple.after.len() {
        return None;
    }
    for (old, new) in simple.before.iter().zip(simple.after) {
        let references = Both::new(old, new);
        let ends = references.zip(bytes).zip(rest);
        let parts = ends.map(|((reference, bytes), rest)| {
            let span = reference.span();
            let start = span.start.checked_sub(bytes.len() - rest.len())?;
            Some((rest.get(..start)?, bytes.get(span.end..)?))
        });
        let Both { before, after } = parts.flatten()?;
        if before.0 != after.0 || old.attribute() != new.attribute() {
            return None;
        }
        rest = Both::new(before.1, after.1);
        let texts = documents.zip(references);
        let texts = texts.map(|(document, reference)| document.text_of_simple(reference));
        if texts.before == texts.after {
            continue;
        }
        let targets = references.zip(texts);
        let targets = targets.map(|(reference, text)| target(reference, text, own, folders));
        let is_same = targets
            .flatten()
            .is_some_and(|it| is_same(it.before, it.after));
        // A place that needs an absolute URL may have lost it.
        if !is_same || old.constraints().absolute {
            return None;
        }
        respelled += 1;
    }
    (rest.before == rest.after).then_some(respelled)
}

/// A URL in two pieces.
type Pieces<'t> = (&'t str, &'t str);

/// The target of `reference`, with this `text`, in a document at `own`, in these `folders`. That of an
/// absolute URL may be spelled otherwise.
fn target<'t>(
    reference: &SimpleReference,
    text: &'t str,
    own: &'t AbsoluteUrl,
    folders: Folders<'t>,
) -> Option<Pieces<'t>> {
    Some(match reference.shape {
        SimpleShape::Path(path) => (
            folders.above(path.parents)?,
            text.get(path.parents_length()..)?,
        ),
        SimpleShape::Fragment => (own.as_str().split('#').next()?, text),
        SimpleShape::Absolute(_) => ("", text),
    })
}

/// Whether the pieces are those of the same URL.
fn is_same(one: Pieces<'_>, other: Pieces<'_>) -> bool {
    let (short, long) = match one.0.len() <= other.0.len() {
        true => (one, other),
        false => (other, one),
    };
    let more = long.0.strip_prefix(short.0);
    more.and_then(|more| short.1.strip_prefix(more)) == Some(long.1)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(is_same(one, other), expected, "{one:?} {other:?}");
            assert_eq!(is_same(other, one), expected, "{other:?} {one:?}");
        }
    }
}
