//! The policy that makes references absolute.

use encoding_rs::Encoding;

use super::{Decision, Reason};
use crate::document::reference::Class;
use crate::url::{Url, respell};

/// Decides on `reference` as the author wrote it, decoded. `base` is what it is relative to
/// where that is known, `encoding` the document's.
pub fn decide(
    reference: &str,
    class: Class,
    base: Option<&Url>,
    encoding: &'static Encoding,
) -> Decision {
    match class {
        Class::TemplateMarkup => return Decision::LeaveAlone(Reason::TemplateMarkup),
        Class::Empty => return Decision::LeaveAlone(Reason::Empty),
        Class::SameDocument => return Decision::LeaveAlone(Reason::SameDocument),
        Class::RelativeOnly => return Decision::LeaveAlone(Reason::RelativeOnly),
        Class::Ordinary => {}
    }
    let target = match base {
        Some(base) => base.resolve(reference, encoding),
        None => Url::parse_encoded(reference, encoding),
    };
    let target = match target {
        Ok(target) => target,
        Err(error) if error.is_missing_base() => {
            return Decision::LeaveAlone(match base {
                Some(base) => Reason::OpaqueBase(base.to_string()),
                None => Reason::UnknownBase,
            });
        }
        Err(error) => return Decision::LeaveAlone(Reason::BadUrl(error.to_string())),
    };
    // A reference with a scheme may still be relative: `http:x` under an `http:` base.
    if has_scheme(reference)
        && Url::parse_encoded(reference, encoding).is_ok_and(|alone| alone == target)
    {
        return if target.is_opaque() {
            Decision::LeaveAlone(Reason::NotHierarchical)
        } else {
            Decision::Keep
        };
    }
    Decision::Change(respell(reference, &target, encoding))
}

/// Whether the reference could begin with a scheme (URL Standard section 4.4, "scheme state").
fn has_scheme(reference: &str) -> bool {
    let reference = reference.trim_start_matches(|c: char| c <= ' ');
    reference
        .find([':', '/', '?', '#'])
        .is_some_and(|at| at > 0 && reference.as_bytes().get(at) == Some(&b':'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::UTF_8;

    fn absolute(base: &str, reference: &str) -> String {
        let base = Url::parse(base).unwrap();
        match decide(reference, Class::Ordinary, Some(&base), UTF_8) {
            Decision::Keep => "kept".to_owned(),
            Decision::LeaveAlone(reason) => reason.id().to_owned(),
            Decision::Change(respelling) => {
                let mut changed = reference.to_owned();
                changed.replace_range(respelling.replace, &respelling.with);
                changed
            }
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
        assert_eq!(absolute("mailto:x", "y"), "opaque-base");
        assert_eq!(absolute("mailto:x", "#y"), "mailto:x#y");
    }
}
