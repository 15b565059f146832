//! Fast path of `absolute`: a simple relative reference only needs a prefix, and a document has few
//! distinct prefixes.

use std::sync::Arc;

use super::bases::DocumentUrls;
use super::policy::Policy;
use super::reference_counts::ReferenceCounts;
use crate::document::{Document, Edit, SimpleReference};
use crate::url::simple::{Folders, SimpleShape};

/// The prefixes that make the simple references of a document absolute.
pub(super) struct Prefixes {
    /// The document's URL without its fragment.
    document: Arc<[u8]>,
    /// The URL of its folder, of the folder's parent, and so on up to the root.
    folders: Vec<Arc<[u8]>>,
}

impl Prefixes {
    /// The prefixes for a document at `own`. `None` where `policy` is not plain `absolute`, or the
    /// document's URL has characters that an attribute value may not hold unescaped.
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

    /// Returns the edits, in order, that make the simple references of `document` absolute, and adds
    /// them to the counts of `references`. A reference that no prefix fits becomes an ordinary
    /// reference of `document`.
    pub(super) fn edits(
        self,
        document: &mut Document<'_>,
        references: &mut ReferenceCounts,
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

    /// The edit of one reference: `None` where no prefix fits, `Some(None)` where the reference is
    /// already absolute.
    fn edit(&self, value: &SimpleReference) -> Option<Option<Edit>> {
        let start = value.span().start;
        let (length, with) = match value.shape {
            SimpleShape::Absolute => return Some(None),
            SimpleShape::Fragment => (0, &self.document),
            SimpleShape::Path(path) => (path.parents_length(), self.folders.get(path.parents)?),
        };
        Some(Some(Edit::new(start..start + length, Arc::clone(with))))
    }
}

/// Whether a byte of a URL needs no escape in any attribute value, whatever byte precedes or follows it.
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
        fn the_fast_path_writes_what_the_general_path_writes(html in html(), own in prop::sample::select(OWN)) {
            let own = AbsoluteUrl::new(Standard::Whatwg, Url::parse(own).unwrap());
            let own = DocumentUrls::unmoved(&own);
            let policy = Policy::absolute();
            let options = ParseOptions::default();
            let both = [Prefixes::of(own, &policy), None]
                .map(|prefixes| rewrite(html.as_bytes(), own, &policy, &options, prefixes, &|_| None).unwrap());
            prop_assert_eq!(&both[0].bytes, &both[1].bytes);
            prop_assert_eq!(&both[0].references, &both[1].references);
            prop_assert_eq!(&both[0].diagnostics, &both[1].diagnostics);
        }
    }
}
