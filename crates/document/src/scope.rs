//! Scopes: parts of a document that have a base URL of their own.

use rehref_generators::markdown::PageUrl;
use rehref_url::AbsoluteUrl;

/// A part of a document with a base URL: the document itself, a `srcdoc` document in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The scope whose base URL is the fallback base URL of this one; `None` for the document
    /// itself.
    pub parent: Option<usize>,
    /// The container of the `srcdoc` that holds it.
    pub srcdoc: Option<usize>,
    /// True if the `srcdoc` comes before the `base` element of the parent, which does not count for it.
    pub is_before_base: bool,
    /// The URL of the page that a generator makes of the document, if that is the fallback base URL instead.
    pub page: Option<PageUrl>,
    /// The container of the `href` of the `base` element that counts.
    pub base: Option<usize>,
    /// The byte of the `<` of that element's tag, in the text that the container of the `href` stands in.
    pub base_tag: Option<usize>,
    /// The container of the `href` of the first `base` element in a `noscript`, which browsers that
    /// run scripts ignore.
    pub noscript_base: Option<usize>,
    /// The number of its `base` elements with an `href`.
    pub bases: usize,
    /// True if an element of the document is a script that browsers run.
    pub has_script: bool,
}

impl Scope {
    /// Returns true if its `base` elements are few enough to look at all that stands around each.
    pub fn has_few_bases(&self) -> bool {
        self.bases <= 3
    }

    /// Returns the fallback base URL of this scope, in the scope with the base URL `parent` and the fallback base URL
    /// `outer`. `page`: the URL of the page, if it does not follow from that of the document.
    pub fn fallback(
        &self,
        parent: Option<&AbsoluteUrl>,
        outer: Option<&AbsoluteUrl>,
        page: Option<&AbsoluteUrl>,
    ) -> Option<AbsoluteUrl> {
        let parent = if self.is_before_base { outer } else { parent }?;
        match (self.page, page) {
            (None, _) => Some(parent.clone()),
            (Some(_), Some(page)) => Some(page.clone()),
            (Some(form), None) => form.of_document(parent),
        }
    }
}
