//! The policy that makes references absolute.

use encoding_rs::Encoding;

use super::{Decision, Reason};
use crate::document::reference::Class;
use crate::url::AbsoluteUrl;

/// Decides on `reference` as the author wrote it, decoded. `base` is what it is relative to where
/// that is known, `own` the document's own URL, `encoding` the document's.
pub fn decide(
    reference: &str,
    class: Class,
    base: Option<&AbsoluteUrl>,
    own: &AbsoluteUrl,
    encoding: &'static Encoding,
) -> Decision {
    match class {
        Class::TemplateMarkup => return Decision::LeaveAlone(Reason::TemplateMarkup),
        Class::Empty => return Decision::LeaveAlone(Reason::Empty),
        Class::SameDocument => return Decision::LeaveAlone(Reason::SameDocument),
        Class::RelativeOnly => return Decision::LeaveAlone(Reason::RelativeOnly),
        Class::Ordinary if own.standard().is_current_document(reference) => {
            return Decision::LeaveAlone(Reason::SameDocument);
        }
        Class::Ordinary => {}
    }
    // Where the base is not known, only what needs none can be told.
    let assumed = base.unwrap_or(own);
    let target = match assumed.resolve(reference, encoding) {
        Ok(target) => target,
        Err(error) if error.is_of_base() => {
            return Decision::LeaveAlone(Reason::OpaqueBase(assumed.to_string()));
        }
        Err(error) => return Decision::LeaveAlone(Reason::BadUrl(error.to_string())),
    };
    if assumed.is_absolute_form(reference, &target, encoding) {
        return if target.is_hierarchical() {
            Decision::Keep
        } else {
            Decision::LeaveAlone(Reason::NotHierarchical)
        };
    }
    match base {
        Some(base) => Decision::Change(base.respell(reference, target.as_str(), encoding)),
        None => Decision::LeaveAlone(Reason::UnknownBase),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::{Standard, Url};
    use encoding_rs::UTF_8;

    fn absolute(base: &str, reference: &str) -> String {
        absolute_by(Standard::Whatwg, base, reference)
    }

    fn absolute_by(standard: Standard, base: &str, reference: &str) -> String {
        let base = AbsoluteUrl::new(standard, Url::parse(base).unwrap());
        match decide(reference, Class::Ordinary, Some(&base), &base, UTF_8) {
            Decision::Keep => "kept".to_owned(),
            Decision::LeaveAlone(reason) => reason.id().to_owned(),
            Decision::Change(respelling) => respelling.apply(reference),
        }
    }

    #[test]
    fn decisions() {
        let base = "http://h/d/p.html";
        for (reference, expected) in [
            ("x", "http://h/d/x"),
            ("#f", "http://h/d/p.html#f"),
            ("", "http://h/d/p.html"),
            ("http://other", "kept"),
            ("HTTP://Other/a b", "kept"),
            (" https://other/ ", "kept"),
            ("ht\ntp://other", "kept"),
            ("http:x", "http://h/d/x"),
            ("https:x", "kept"),
            ("//other", "http://other"),
            ("mailto:a@b", "not-hierarchical"),
            ("javascript:void(0)", "not-hierarchical"),
            ("data:,x", "not-hierarchical"),
            ("tel:+1", "not-hierarchical"),
            ("C:\\x", "not-hierarchical"),
            ("http://[::1", "bad-url"),
            ("//a b", "bad-url"),
            ("./a:b", "http://h/d/a:b"),
            ("file:///x", "kept"),
        ] {
            assert_eq!(absolute(base, reference), expected, "{reference:?}");
        }
        for (standard, reference, expected) in [
            (Standard::Rfc1808, "../../g", "http://h/../g"),
            (Standard::Rfc3986, "../../../g", "http://h/g"),
            (Standard::UrlDraft1996, "#f", "same-document"),
            (Standard::UrlDraft1996, "", "same-document"),
            (Standard::Rfc1808, "http:x", "not-hierarchical"),
            (Standard::Rfc1808, "http://x", "kept"),
            (Standard::Rfc1808, "mailto:x", "not-hierarchical"),
            (Standard::Rfc1630, "///g", "opaque-base"),
        ] {
            assert_eq!(
                absolute_by(standard, base, reference),
                expected,
                "{standard} {reference}"
            );
        }
        assert_eq!(absolute("mailto:x", "y"), "opaque-base");
        assert_eq!(absolute("mailto:x", "#y"), "mailto:x#y");
    }
}
