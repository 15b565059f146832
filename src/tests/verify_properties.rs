//! Properties over generated documents.

use proptest::prelude::*;

use crate::fuzzing::documents::{Surroundings, keeps_targets_and_bytes};
use crate::fuzzing::pieces;
use rehref_document::{Document, DocumentError, DocumentKind, ParseOptions};
use rehref_rewrite::Policy;
use rehref_url::{AbsoluteUrl, Standard, TextEdit, Url};
use rehref_verify::document::{ComparisonOptions, DocumentComparison, verify_document};

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(pieces::DOCUMENT), 0..24)
        .prop_map(|pieces| pieces.concat())
}

const OWN: &str = "http://h/d/p.html?q";

fn url() -> AbsoluteUrl {
    let url = Url::parse(OWN).unwrap();
    AbsoluteUrl::new(Standard::Whatwg, url)
}

fn options(kind: DocumentKind) -> ParseOptions {
    ParseOptions { kind, ..ParseOptions::default() }
}

/// The comparison of two documents, which is the same with the fast path and without it.
fn verify(
    before: &[u8],
    after: &[u8],
    kind: DocumentKind,
) -> Result<DocumentComparison, DocumentError> {
    let url = url();
    let options = ComparisonOptions::unmoved(options(kind), [&url, &url]);
    let general = ComparisonOptions { keeps_urls: false, ..options };
    let found = verify_document(before, after, &options);
    assert_eq!(found, verify_document(before, after, &general));
    found
}

const KINDS: &[DocumentKind] = &[DocumentKind::Html, DocumentKind::Css];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn an_absolute_document_has_no_differences(
        soup in soup(),
        kind in prop::sample::select(KINDS),
        utf16 in any::<bool>(),
    ) {
        let before: Vec<u8> = if utf16 {
            let units = std::iter::once(0xFEFF).chain(soup.encode_utf16());
            units.flat_map(u16::to_le_bytes).collect()
        } else {
            soup.into_bytes()
        };
        let around = Surroundings::new(kind, OWN);
        keeps_targets_and_bytes(&before, &around, &Policy::absolute());
    }

    #[test]
    fn a_damaged_byte_is_a_difference(
        soup in soup(),
        kind in prop::sample::select(KINDS),
        at in any::<prop::sample::Index>(),
        with in prop::sample::select(&b"\"'<>=&; \nxa/#"[..]),
    ) {
        let before = soup.as_bytes();
        let Ok(document) = Document::parse(before, &options(kind)) else { return Ok(()) };
        let at = at.index(before.len().max(1));
        let is_reference = document.references.iter().any(|reference| {
            let span = document.span_of(reference);
            (span.start..span.end).contains(&at)
        });
        if is_reference || before.get(at).is_none_or(|&byte| byte == with) {
            return Ok(());
        }
        let mut after = before.to_vec();
        after[at] = with;
        let verified = verify(before, &after, kind).unwrap();
        prop_assert!(verified.count > 0, "{}", String::from_utf8_lossy(&after));
    }

    #[test]
    fn a_reference_with_another_target_is_a_difference(
        soup in soup(),
        kind in prop::sample::select(KINDS),
        which in any::<prop::sample::Index>(),
    ) {
        let before = soup.as_bytes();
        let Ok(document) = Document::parse(before, &options(kind)) else { return Ok(()) };
        if document.references.is_empty() {
            return Ok(());
        }
        let reference = &document.references[which.index(document.references.len())];
        let mut changes = vec![Vec::new(); document.containers.len()];
        let end = reference.span.end;
        changes[reference.container].push(TextEdit::new(end..end, "Q"));
        let edits = document.edits(changes);
        let after = document.with_edits(&edits).unwrap();
        let verified = verify(before, &after, kind).unwrap();
        prop_assert!(verified.count > 0, "{}", String::from_utf8_lossy(&after));
    }
}
