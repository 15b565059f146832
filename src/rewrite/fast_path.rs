//! Simple references made absolute: what is written before each is one of a few texts for the whole
//! document.

use std::sync::Arc;

use super::bases::DocumentUrls;
use super::policy::Policy;
use super::report::References;
use crate::document::{Document, Edit, SimpleReference, Span};
use crate::url::simple::{Folders, SimpleShape};

/// The texts that make the simple references of a document absolute.
pub(super) struct Prefixes {
    /// The document's URL without its fragment.
    document: Arc<[u8]>,
    /// Its folder, the one above, and so on.
    folders: Vec<Arc<[u8]>>,
}

impl Prefixes {
    /// Those of a document of this URL; `None` where they are not as simple, or `policy` is another.
    pub(super) fn of(own: DocumentUrls<'_>, policy: &Policy) -> Option<Prefixes> {
        let is_absolute = matches!(policy, Policy::Absolute { base: None });
        if !is_absolute || own.before != own.after {
            return None;
        }
        let folders = Folders::of(own.before)?;
        let whole = own.before.as_str();
        let document = whole.split('#').next().unwrap_or(whole);
        if !document.bytes().all(is_expressible) {
            return None;
        }
        let above = (0..).map_while(|steps| folders.above(steps));
        Some(Prefixes {
            document: document.as_bytes().into(),
            folders: above.map(|folder| folder.as_bytes().into()).collect(),
        })
    }

    /// The edits that make the simple values of `document` absolute, in order; they are counted in
    /// `references`. Those that these prefixes do not lead to become ordinary references.
    pub(super) fn edits(
        self,
        document: &mut Document<'_>,
        references: &mut References,
    ) -> Vec<Edit> {
        let mut values = document.take_simple();
        let mut edits = Vec::with_capacity(values.len());
        let mut already_correct = 0;
        values.retain(|value| match self.edit(value) {
            Some(Some(edit)) => {
                edits.push(edit);
                false
            }
            Some(None) => {
                already_correct += 1;
                false
            }
            None => true,
        });
        references.already_correct += already_correct;
        references.rewritten += edits.len();
        references.seen += already_correct + edits.len();
        document.put_back(values);
        edits
    }

    /// `Some(None)` where the value is absolute already.
    fn edit(&self, value: &SimpleReference) -> Option<Option<Edit>> {
        let start = value.span().start;
        let (length, with) = match value.simple {
            SimpleShape::Absolute => return Some(None),
            SimpleShape::Fragment => (0, &self.document),
            SimpleShape::Path(path) => (path.steps_length(), self.folders.get(path.steps)?),
        };
        Some(Some(Edit {
            span: Span {
                start,
                end: start + length,
            },
            replacement: Arc::clone(with),
        }))
    }
}

/// Whether a byte of a URL may stand in any attribute value as it is, and next to anything.
fn is_expressible(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~/:%@!*+,;()?[]".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::ParseOptions;
    use crate::rewrite::document::rewrite;
    use crate::url::{AbsoluteUrl, Standard, Url};
    use proptest::prelude::*;

    const OWN: &[&str] = &[
        "https://h/",
        "https://h/d/e/p.html",
        "https://h/d/e/p.html?x=y&z#f",
        "https://h/it's/p.html",
        "https://h/d//p.html",
        "file:///a/b/p.html",
        "file:///C:/b/p.html",
        "foo:/a/b",
    ];

    const TAGS: &[&str] = &[
        "<a href=",
        "<img src=",
        "<img usemap=",
        "<img srcset=",
        "<link rel=preconnect href=",
        "<meta property=og:url content=",
        "<applet codebase=x code=",
        "<object codebase='../y/' classid=",
        "<svg><use href=",
        "<td style='a:url(x)' background=",
        "<base href=",
        "<iframe srcdoc=",
    ];

    fn html() -> impl Strategy<Value = String> {
        let reference = "(\\.\\./){0,3}[a-z~./]{0,4}(\\?[a-z=&]{0,2})?(#[a-z%2']{0,4})?|https://[a-z.]{1,4}(:1)?/?|&amp;|\\$\\{x\\}|x\"y";
        let tag = (prop::sample::select(TAGS), "[\"' ]?", reference);
        let tag =
            tag.prop_map(|(tag, quote, reference)| format!("{tag}{quote}{reference}{quote}>"));
        prop::collection::vec(tag, 0..8).prop_map(|tags| tags.concat())
    }

    proptest! {
        #[test]
        fn the_short_way_leads_to_the_same(html in html(), own in prop::sample::select(OWN)) {
            let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse(own).unwrap());
            let own = DocumentUrls::unmoved(&own);
            let policy = Policy::absolute();
            let options = ParseOptions::default();
            let both = [Prefixes::of(own, &policy), None]
                .map(|prefixes| rewrite(html.as_bytes(), own, &policy, &options, prefixes).unwrap());
            prop_assert_eq!(&both[0].bytes, &both[1].bytes);
            prop_assert_eq!(&both[0].references, &both[1].references);
            prop_assert_eq!(&both[0].diagnostics, &both[1].diagnostics);
        }
    }
}
