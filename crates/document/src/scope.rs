//! Scopes: parts of a document that have a base URL of their own.

use rehref_generators::markdown::PageUrl;
use rehref_url::AbsoluteUrl;

/// A part of a document with its own base URL: the document itself, or a `srcdoc` document in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The scope whose base URL is the fallback base URL of this one; `None` for the document
    /// itself.
    pub parent: Option<usize>,
    /// The container of the `srcdoc` that contains this part.
    pub srcdoc: Option<usize>,
    /// True if the `srcdoc` comes before the `base` element of the enclosing document, which therefore does not
    /// apply to it.
    pub is_before_base: bool,
    /// The URL of the page that a generator makes of the document, if references resolve against it.
    pub page: Option<PageUrl>,
    /// The container of the `href` of the `base` element that counts.
    pub base: Option<usize>,
    /// The offset of the `<` of this element's tag, in the text of the container around the `href`.
    pub base_tag: Option<usize>,
    /// The container of the `href` of the first `base` element in a `noscript`, which browsers that
    /// run scripts ignore.
    pub noscript_base: Option<usize>,
    /// The number of `base` elements with an `href` in the scope.
    pub bases: usize,
    /// True if an element of the document is a script that browsers run.
    pub has_script: bool,
}

impl Scope {
    /// Returns true if the scope has so few `base` elements that examining the text around each is cheap.
    pub fn has_few_bases(&self) -> bool {
        self.bases <= 3
    }

    /// Returns the fallback base URL of this scope. The enclosing scope has the base URL `parent` and the
    /// fallback base URL `outer`. `page` is the URL of the page, if it does not follow from the URL of the
    /// document.
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
