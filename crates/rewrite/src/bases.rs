//! Finds the base URLs of a document's scopes, before and after the run.

use std::borrow::Cow;
use std::collections::BTreeSet;

use encoding_rs::UTF_8;

use super::policy::{BaseChange, Policy, is_same_path};
use rehref_document::message::part;
use rehref_document::reference::{BaseOf, PageLink};
use rehref_document::{
    BaseElement, BaseRemoval, BaseUrl, Document, FetchOption, Reference, ScriptTraits,
};
use rehref_url::{AbsoluteUrl, Standard};

/// A document's own URL, before and after the run.
#[derive(Clone, Copy, Debug)]
pub struct DocumentUrls<'u> {
    /// The URL of the document before the run: its fallback base URL, unless a container has another base URL.
    pub before: &'u AbsoluteUrl,
    /// The URL of the rewritten document.
    pub after: &'u AbsoluteUrl,
    /// The URL of the page that a generator makes of the document before the run; see [`Document::at_page`].
    pub page: Option<&'u AbsoluteUrl>,
    /// The URL of the page that a generator makes of the rewritten document.
    pub page_after: Option<&'u AbsoluteUrl>,
    /// True if servers send the document for URLs at any depth, as an error page.
    pub is_served_anywhere: bool,
    /// The effect of the page's scripts on its links.
    pub scripts: ScriptTraits,
    /// The number of directories between the root of the site and the document; `None` without a site.
    pub depth: Option<usize>,
}

impl<'u> DocumentUrls<'u> {
    /// Returns true if visitors see the document at another URL than its own, so that links relative to its own URL
    /// have other targets.
    pub(super) fn is_shown_elsewhere(&self) -> bool {
        self.is_served_anywhere || self.scripts.has(ScriptTraits::CHANGES_URL)
    }

    /// Returns the URLs of a document that does not move.
    pub fn unmoved(url: &'u AbsoluteUrl) -> DocumentUrls<'u> {
        DocumentUrls {
            before: url,
            after: url,
            page: None,
            page_after: None,
            is_served_anywhere: false,
            scripts: ScriptTraits::NONE,
            depth: None,
        }
    }
}

/// The base URLs of a document, by scope.
pub(super) struct Bases<'p> {
    before: Vec<BaseUrl>,
    after: Vec<After>,
    /// The change to the `base` element of each scope.
    changes: Vec<BaseChange<'p>>,
    policy: &'p Policy,
}

/// The base URL of a scope after the run, and the fallback base URL that its `base` element resolves
/// against; `None` where unknown.
struct After {
    url: Option<AbsoluteUrl>,
    fallback: Option<AbsoluteUrl>,
}

/// A base URL before and after the run; `None` where it is unknown.
type Pair<'b> = (Option<Cow<'b, AbsoluteUrl>>, Option<Cow<'b, AbsoluteUrl>>);

/// The containers and `base` elements that cannot change as the policy says.
#[derive(Clone, Debug, Default)]
pub(super) struct Unwritten {
    /// Links cannot be written without their `base` elements, which stay; they follow a move.
    pub(super) kept: BTreeSet<usize>,
    /// The new values of their `base` elements cannot be written: these stay as they are.
    pub(super) unchanged: BTreeSet<usize>,
    /// The containers whose changed values would not be read as the links that they are.
    pub(super) containers: BTreeSet<usize>,
}

impl Unwritten {
    /// Adds what `other` has. Returns whether there is anything new.
    pub(super) fn extend(&mut self, other: Unwritten) -> bool {
        let length = |it: &Unwritten| it.kept.len() + it.unchanged.len() + it.containers.len();
        let before = length(self);
        self.kept.extend(other.kept);
        self.unchanged.extend(other.unchanged);
        self.containers.extend(other.containers);
        length(self) > before
    }
}

impl<'p> Bases<'p> {
    /// Finds the base URLs of `document`, before and after `policy` is applied, except to the `base` elements
    /// of the scopes `unwritten`.
    pub(super) fn of(
        document: &Document<'_>,
        own: DocumentUrls<'_>,
        policy: &'p Policy,
        unwritten: &Unwritten,
    ) -> Bases<'p> {
        let before = document.base_urls(own.before);
        let mut after: Vec<After> = Vec::with_capacity(before.len());
        let has_used = before.iter().any(|base| base.element == BaseElement::Used);
        let has_scripts = match policy.base() {
            BaseChange::DropWithoutScripts if has_used => document.scopes_with_scripts(),
            _ => Vec::new(),
        };
        let named_by_cid = part::scopes_named_by_cid(&document.parts);
        let mut changes = Vec::with_capacity(before.len());
        for (index, (scope, base)) in document.scopes.iter().zip(&before).enumerate() {
            let fallback = match scope.parent {
                None => document.fallback(own.after).cloned(),
                Some(parent) => after.get(parent).and_then(|After { url, fallback }| {
                    scope.fallback(url.as_ref(), fallback.as_ref(), own.page_after)
                }),
            };
            let container = scope.base.and_then(|at| document.containers.get(at));
            let is_element = container.is_some_and(|it| it.kind.is_base_element());
            let is_inserted = scope.parent.is_none() && document.head_start.is_some();
            let is_used = is_element && base.element == BaseElement::Used;
            let change = match policy.base() {
                BaseChange::Drop if named_by_cid.contains(&index) => BaseChange::Keep,
                BaseChange::DropWithoutScripts
                    if is_used && has_scripts.get(index) == Some(&true) =>
                {
                    BaseChange::KeepForScripts
                }
                BaseChange::Drop | BaseChange::DropWithoutScripts | BaseChange::Set(_)
                    if unwritten.kept.contains(&index) || unwritten.unchanged.contains(&index) =>
                {
                    BaseChange::KeepForLinks
                }
                BaseChange::DropWithoutScripts => BaseChange::Drop,
                change => change,
            };
            let change = match change {
                BaseChange::Drop
                    if is_used && is_other_when_empty(document, index, fallback.as_ref()) =>
                {
                    BaseChange::KeepForLinks
                }
                change => change,
            };
            let is_empty = container.is_some_and(|it| {
                let text = it.text.as_str().trim_ascii();
                // By RFC 1630 a fragment alone resolves to the directory of its base, which is the base itself only
                // for an index page.
                let is_own = |url: &AbsoluteUrl| {
                    let target = url.resolve(text, it.query_encoding);
                    target.is_ok_and(|target| is_same_path(&target, url))
                };
                text.is_empty() || text.starts_with('#') && is_own(own.before) && is_own(own.after)
            });
            let url = match (change, &base.element) {
                (BaseChange::Set(url), BaseElement::Absent) if is_inserted => Some(url.clone()),
                (BaseChange::Set(url), element)
                    if is_element && *element != BaseElement::Absent && may_go(base) =>
                {
                    Some(url.clone())
                }
                (BaseChange::Drop, BaseElement::Used) if is_element && may_go(base) => {
                    fallback.clone()
                }
                // An empty `href`, or one that is a fragment, stays, and means the document's own URL wherever that is.
                (_, BaseElement::Used) if unwritten.unchanged.contains(&index) || is_empty => {
                    container
                        .zip(fallback.as_ref())
                        .and_then(|(it, url)| url.resolve(it.text.as_str(), it.query_encoding).ok())
                }
                (_, BaseElement::Used) => {
                    let url = base.url.as_ref();
                    url.map(|url| policy.target_after(url, is_element).into_owned())
                }
                (_, BaseElement::Unknown) => None,
                (
                    _,
                    BaseElement::Absent | BaseElement::Bad(_) | BaseElement::ForbiddenScheme(_),
                ) => fallback.clone(),
            };
            after.push(After { url, fallback });
            changes.push(change);
        }
        Bases { before, after, changes, policy }
    }

    /// Returns the `base` element of a scope before the run.
    pub(super) fn element(&self, scope: usize) -> Option<&BaseElement> {
        self.before.get(scope).map(|base| &base.element)
    }

    /// Returns the base URL of a scope before the run.
    pub(super) fn before(&self, scope: usize) -> Option<&BaseUrl> {
        self.before.get(scope)
    }

    /// Returns the base URLs of a scope, before and after the run.
    pub(super) fn urls(&self, scope: usize) -> (Option<&AbsoluteUrl>, Option<&AbsoluteUrl>) {
        let before = self.before(scope).and_then(|base| base.url.as_ref());
        (before, self.after.get(scope).and_then(|base| base.url.as_ref()))
    }

    /// Returns the change to the `base` element of a scope.
    pub(super) fn change(&self, scope: usize) -> BaseChange<'p> {
        let may_change = self.before.get(scope).is_some_and(may_go);
        let change = self.changes.get(scope).filter(|_| may_change);
        change.copied().unwrap_or(BaseChange::Keep)
    }

    /// Returns the URL, before the run, of the file that `option` of `document` is about.
    pub(super) fn file_of(
        &self,
        document: &Document<'_>,
        option: &FetchOption,
    ) -> Option<AbsoluteUrl> {
        document.file_of(option, &self.before)
    }

    /// Returns the base URLs of `reference`. `document` is the document that these bases belong to.
    pub(super) fn of_reference<'b>(
        &'b self,
        document: &Document<'_>,
        reference: &Reference,
    ) -> Pair<'b> {
        let before = document.base_of(reference, &self.before);
        let after_of = |scope: &usize| self.after.get(*scope);
        let after = match &reference.base {
            BaseOf::Fallback(scope) => after_of(scope).and_then(|base| base.fallback.as_ref()),
            BaseOf::Unknown => None,
            BaseOf::Codebase(_, codebase) if !codebase.is_empty() => {
                let url = document.codebase_of(reference, &self.before);
                // Of a directory, not of its index file, which may move alone.
                let after = url
                    .map(|it| codebase.base(&self.policy.target_after(&it.as_directory(), true)));
                return (before, after.map(Cow::Owned));
            }
            BaseOf::Scope(scope) | BaseOf::Codebase(scope, _) => {
                after_of(scope).and_then(|base| base.url.as_ref())
            }
        };
        (before, after.map(Cow::Borrowed))
    }

    /// Returns the base URLs of the page, before and after, for a reference that may resolve against it.
    pub(super) fn of_page(
        &self,
        document: &Document<'_>,
        reference: &Reference,
    ) -> Option<(&AbsoluteUrl, &AbsoluteUrl)> {
        if reference.constraints.page_link != Some(PageLink::Name) {
            return None;
        }
        let page = document.scopes.iter().position(|scope| scope.page.is_some())?;
        Some((self.before.get(page)?.url.as_ref()?, self.after.get(page)?.url.as_ref()?))
    }
}

/// Returns true if a `base` element of `scope` can only get an empty `href`, and that does not mean `fallback`, as in
/// the oldest standards, where it means its directory; or `scope` has further elements, one of which may count then.
fn is_other_when_empty(
    document: &Document<'_>,
    scope: usize,
    fallback: Option<&AbsoluteUrl>,
) -> bool {
    let is_same = |url: &AbsoluteUrl| {
        url.standard() == Standard::Whatwg || url.resolve("", UTF_8).as_ref() == Ok(url)
    };
    let has_others = document.scopes.get(scope).is_some_and(|it| it.bases > 1);
    let mut elements = document
        .references
        .iter()
        .filter(|it| it.base == BaseOf::Fallback(scope) && document.is_base_element(it));
    (has_others || !fallback.is_none_or(is_same))
        && elements.any(|it| !matches!(document.base_removal(it), Some(BaseRemoval::Bytes(_))))
}

/// Returns true if another base URL may replace `base`. If `base` is unknown or nothing resolves against it
/// (`mailto:`), relative references have no target, and another base URL would give them one.
fn may_go(base: &BaseUrl) -> bool {
    let resolves = |url: &AbsoluteUrl| url.resolve("x", UTF_8).is_ok();
    match base.element {
        BaseElement::Unknown => false,
        _ => base.url.as_ref().is_none_or(resolves),
    }
}
