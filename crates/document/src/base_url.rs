//! The base URLs of the scopes of a document.

use std::borrow::Cow;
use std::collections::HashSet;

use super::document::Document;
use super::fetch_option::FetchOption;
use super::reference::{BaseOf, Class, Reference};
use super::scope::Scope;
use rehref_url::{AbsoluteUrl, ResolveError, Standard};

/// The base URL of a scope, and the effect of its `base` element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    /// The document base URL (HTML Standard section 2.4.3); `None` if it is unknown.
    pub url: Option<AbsoluteUrl>,
    /// The URL against which references would resolve without a `base` element; `None` if it is unknown.
    pub fallback: Option<AbsoluteUrl>,
    pub element: BaseElement,
}

/// The effect of the first `base` element with an `href`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseElement {
    /// The scope has no such element.
    Absent,
    /// The element gives the base URL.
    Used,
    /// The `href` is not a URL.
    Bad(ResolveError),
    /// The `href` has a scheme that the Standard does not allow there.
    ForbiddenScheme(String),
    /// The `href` holds template markup or an unknown entity: the base URL is unknown.
    Unknown,
}

impl Document<'_> {
    /// Returns the base URL of each scope. `own` is the fallback base URL of the document: its own URL, unless
    /// the document is in a container with another base URL. A document [without a
    /// URL](super::ParseOptions::no_url) has no fallback.
    pub fn base_urls(&self, own: &AbsoluteUrl) -> Vec<BaseUrl> {
        let mut found: Vec<BaseUrl> = Vec::with_capacity(self.scopes.len());
        for scope in &self.scopes {
            let fallback = match scope.parent {
                None => self.fallback(own).cloned(),
                Some(parent) => found.get(parent).and_then(|BaseUrl { url, fallback, .. }| {
                    scope.fallback(url.as_ref(), fallback.as_ref(), self.page.as_ref())
                }),
            };
            found.push(self.base_url(scope, fallback, own));
        }
        found
    }

    /// Returns the fallback base URL of the document at `own`; `None` if the document has no URL.
    pub fn fallback<'u>(&self, own: &'u AbsoluteUrl) -> Option<&'u AbsoluteUrl> {
        (!self.no_url).then_some(own)
    }

    /// The base URL of `scope`. `own` stands for a missing `fallback`, against which only an absolute reference
    /// has a target.
    fn base_url(&self, scope: &Scope, fallback: Option<AbsoluteUrl>, own: &AbsoluteUrl) -> BaseUrl {
        let with = |url, element| BaseUrl { url, fallback: fallback.clone(), element };
        let unchanged = |element| with(fallback.clone(), element);
        let href = scope.base.and_then(|at| self.containers.get(at));
        let is_whatwg = own.standard() == Standard::Whatwg;
        let Some(href) = href.filter(|it| !(is_whatwg && it.kind.is_http_base())) else {
            return unchanged(BaseElement::Absent);
        };
        let text = href.text.as_str();
        let is_known = href.is_readable && !self.templates.is_in(text);
        let assumed = match &fallback {
            Some(known) => Some(known),
            None => Some(own).filter(|_| self.no_url),
        };
        let Some(assumed) = assumed.filter(|_| is_known) else {
            return with(None, BaseElement::Unknown);
        };
        let encoding = href.query_encoding;
        match assumed.resolve(text, encoding) {
            Ok(url) if fallback.is_none() && !assumed.is_absolute_form(text, &url, encoding) => {
                with(None, BaseElement::Unknown)
            }
            Err(error) => unchanged(BaseElement::Bad(error)),
            Ok(url) if matches!(url.scheme(), "data" | "javascript") => {
                unchanged(BaseElement::ForbiddenScheme(url.scheme().to_owned()))
            }
            Ok(url) => with(Some(url), BaseElement::Used),
        }
    }

    /// Returns the containers that set the base URLs of scopes.
    pub fn base_containers(&self) -> HashSet<usize> {
        self.scopes.iter().filter_map(|scope| scope.base).collect()
    }

    /// Returns the URL against which `reference` resolves, given the base URLs of the document's scopes; `None`
    /// if it is unknown.
    pub fn base_of<'b>(
        &self,
        reference: &Reference,
        bases: &'b [BaseUrl],
    ) -> Option<Cow<'b, AbsoluteUrl>> {
        match &reference.base {
            // Applet viewers treat the code base as a directory, with or without a trailing slash.
            BaseOf::Codebase(_, codebase) if !codebase.is_empty() => {
                let url = self.codebase_of(reference, bases)?;
                Some(Cow::Owned(codebase.base(&url)))
            }
            base => of_scope(base, bases).map(Cow::Borrowed),
        }
    }

    /// Returns the URL that `reference` resolves to. Returns `None` if references of its class are not
    /// resolved, or if it is relative and its base URL is unknown. `bases` are the base URLs of the document's
    /// scopes, `own` is the document's own URL.
    pub fn target_of(
        &self,
        reference: &Reference,
        bases: &[BaseUrl],
        own: &AbsoluteUrl,
    ) -> Option<Result<AbsoluteUrl, ResolveError>> {
        if reference.class != Class::Ordinary {
            return None;
        }
        let base = self.base_of(reference, bases);
        self.resolve(reference, base.as_deref(), own)
    }

    /// As [`Document::target_of`], for an ordinary reference whose base URL is `base`.
    pub fn resolve(
        &self,
        reference: &Reference,
        base: Option<&AbsoluteUrl>,
        own: &AbsoluteUrl,
    ) -> Option<Result<AbsoluteUrl, ResolveError>> {
        let text = self.text_of(reference);
        let encoding = self.container_of(reference)?.query_encoding;
        // Without a base URL only an absolute reference has a target, whatever it is resolved against.
        let assumed = base.unwrap_or(own);
        let of_query = assumed.base_of_query(own, text);
        let target = of_query.as_ref().unwrap_or(assumed).resolve(text, encoding);
        match (&target, base) {
            (Ok(target), None) if !assumed.is_absolute_form(text, target, encoding) => None,
            _ => Some(target),
        }
    }

    /// Returns the target of the `codebase` against which `reference` resolves, as it is written; `None`
    /// without a `codebase`, or if its target is unknown.
    pub fn codebase_of(&self, reference: &Reference, bases: &[BaseUrl]) -> Option<AbsoluteUrl> {
        let BaseOf::Codebase(scope, codebase) = &reference.base else { return None };
        if self.templates.is_in(&codebase.url) || codebase.is_empty() {
            return None;
        }
        let encoding = self.container_of(reference)?.query_encoding;
        let base = bases.get(*scope)?.url.as_ref()?;
        base.resolve(&codebase.url, encoding).ok()
    }

    /// Returns the URL of the file to which `option` applies; `None` if it is unknown. `bases` are the base
    /// URLs of the document's scopes.
    pub fn file_of(&self, option: &FetchOption, bases: &[BaseUrl]) -> Option<AbsoluteUrl> {
        let base = of_scope(&option.base, bases)?;
        let encoding = self.containers.get(option.container)?.query_encoding;
        base.resolve(&option.url, encoding).ok()
    }
}

/// The base URL of a scope, or its fallback base URL.
fn of_scope<'b>(base: &BaseOf, bases: &'b [BaseUrl]) -> Option<&'b AbsoluteUrl> {
    match base {
        BaseOf::Scope(scope) | BaseOf::Codebase(scope, _) => bases.get(*scope)?.url.as_ref(),
        BaseOf::Fallback(scope) => bases.get(*scope)?.fallback.as_ref(),
        BaseOf::Unknown => None,
    }
}
