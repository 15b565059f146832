//! Policies decide on each reference of a run.
//!
//! All policies but [`Policy::Fix`] follow one rule. A reference resolves to a target;
//! [`SiteMapping`] says where that target is after the run; the reference is then written so that
//! it resolves to that URL against the base URL after the run, in the form that the policy wants.

mod subject;
#[cfg(test)]
mod tests;
mod writing;

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::decision::Decision;
use super::targets::{MappedTarget, SiteMapping};
use rehref_document::SkipReason;
use rehref_document::placeholders::placeholders;
use rehref_document::reference::PathRule;
use rehref_document::{Fixes, json};
use rehref_site::{SiteUrl, SiteUrlError};
use rehref_url::{AbsoluteUrl, ReferenceForm, RelativeForm, Standard, TextEdit, scheme};
pub use subject::Subject;
pub(super) use writing::segments_above_root;
use writing::{accepts, write};

/// The policy of a run for references.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Every reference becomes absolute and keeps its target.
    Absolute {
        /// Every HTML document gets a `base` element with this URL, in place of its own.
        base: Option<AbsoluteUrl>,
    },
    /// References into a site get a target form, and follow the site if it moves.
    Site(Box<SitePolicy>),
    /// Only the references that have a fix change.
    Fix(Fixes),
}

/// The policy of a run for references into a site.
#[derive(Clone, Debug)]
pub struct SitePolicy {
    /// The target form of references into the site; `None` keeps the author's choice: relative
    /// references stay relative, absolute ones absolute. External references always keep theirs.
    pub form: Option<RelativeForm>,
    /// The `base` elements after the run.
    pub base_elements: BaseElements,
    /// Maps the targets in the site to their URLs after the run.
    pub mapping: SiteMapping,
}

/// The `base` elements after a run over a site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseElements {
    /// Their `href` follows the site as every reference does.
    Keep,
    /// They lose their `href`, so that all references are relative to the document's own URL.
    Drop,
    /// As [`BaseElements::Drop`], except in documents with scripts. Links that scripts make are
    /// resolved against the base URL, and no rewriting reaches them.
    #[default]
    DropWithoutScripts,
}

impl SitePolicy {
    /// References below `site_url` become relative, in the given target form; `base` elements lose
    /// their `href` in documents without scripts.
    ///
    /// # Errors
    /// When no site can be published at `site_url`.
    pub fn relative(site_url: &str, form: RelativeForm) -> Result<SitePolicy, SiteUrlError> {
        let (site_url, _) = SiteUrl::parse(site_url)?;
        Ok(SitePolicy {
            form: Some(form),
            base_elements: BaseElements::default(),
            mapping: SiteMapping::unmoved(site_url),
        })
    }
}

impl Policy {
    /// Every reference becomes absolute; `base` elements stay.
    pub fn absolute() -> Policy {
        Policy::Absolute { base: None }
    }

    /// The policy for references into a site.
    pub fn site(policy: SitePolicy) -> Policy {
        Policy::Site(Box::new(policy))
    }

    /// The site whose references change; `None` for a policy that is not about a site.
    pub fn mapping(&self) -> Option<&SiteMapping> {
        match self {
            Policy::Site(site) => Some(&site.mapping),
            Policy::Absolute { .. } | Policy::Fix(_) => None,
        }
    }

    /// The base URL that every HTML document gets; `None` where documents keep or lose their own.
    pub fn base_url(&self) -> Option<&AbsoluteUrl> {
        match self {
            Policy::Absolute { base } => base.as_ref(),
            Policy::Site(_) | Policy::Fix(_) => None,
        }
    }

    /// The change to the `href` of `base` elements.
    pub(super) fn base(&self) -> BaseChange<'_> {
        match self {
            Policy::Absolute { base: Some(url) } => BaseChange::Set(url),
            Policy::Site(site) => match site.base_elements {
                BaseElements::Keep => BaseChange::Keep,
                BaseElements::Drop => BaseChange::Drop,
                BaseElements::DropWithoutScripts => BaseChange::DropWithoutScripts,
            },
            Policy::Absolute { base: None } | Policy::Fix(_) => BaseChange::Keep,
        }
    }

    /// The URL of `target` after the run. `is_base`: `target` is the base URL of a document.
    pub fn target_after<'u>(&self, target: &'u AbsoluteUrl, is_base: bool) -> Cow<'u, AbsoluteUrl> {
        match self.map(target, is_base) {
            MappedTarget::External | MappedTarget::Unmoved => Cow::Borrowed(target),
            MappedTarget::Moved(url) => Cow::Owned(AbsoluteUrl::new(target.standard(), url)),
        }
    }

    fn map(&self, target: &AbsoluteUrl, is_base: bool) -> MappedTarget {
        match self.mapping() {
            None => MappedTarget::Unmoved,
            Some(mapping) if is_base => mapping.map_base(target),
            Some(mapping) => mapping.map(target),
        }
    }
}

/// The change to the `href` of `base` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseChange<'p> {
    /// The `href` stays, and is rewritten as every reference is.
    Keep,
    /// The `href` stays as with [`BaseChange::Keep`], since scripts may count on it.
    KeepForScripts,
    /// The `href` stays as with [`BaseChange::Keep`], since a link that counts from it can be written for no
    /// other base URL.
    KeepForLinks,
    /// The `href` is removed; all references are relative to the document's own URL.
    Drop,
    /// [`BaseChange::KeepForScripts`] in a document with scripts, else [`BaseChange::Drop`].
    DropWithoutScripts,
    /// Every HTML document gets a `base` element with this URL.
    Set(&'p AbsoluteUrl),
}

/// Replaces a reference that has a fix.
fn decide_fix(fixes: &Fixes, subject: &Subject<'_>) -> Decision {
    let replacement = fixes.replacement(subject.own.as_str(), subject.span, subject.reference);
    replacement.map_or(Decision::AlreadyCorrect, |replacement| {
        Decision::Change(TextEdit::new(0..subject.reference.len(), replacement))
    })
}

impl Policy {
    /// Decides on a reference.
    pub fn decide(&self, subject: &Subject<'_>) -> Decision {
        let moves = || self.mapping().is_some_and(SiteMapping::moves);
        let decision = match self {
            Policy::Fix(fixes) => decide_fix(fixes, subject),
            _ if subject.constraints.redirect_rule && !moves() => {
                return Decision::silent(SkipReason::RedirectRule);
            }
            _ => self.decide_any(subject),
        };
        let constraints = subject.constraints;
        let is_free =
            !constraints.placeholders && !constraints.url_like && constraints.path == PathRule::Any;
        let edit = match decision {
            Decision::Change(edit) if !is_free => edit,
            decision => return decision,
        };
        let changed = edit.apply(subject.reference);
        let problem = if constraints.placeholders
            && placeholders(&changed) != placeholders(subject.reference)
        {
            "would change the placeholders"
        } else if !accepts(constraints.path, &changed) {
            "is not a path that the server can read here"
        } else if constraints.url_like && !json::is_url_like(&changed) {
            "is not a URL in an import map; begin it with `./`"
        } else {
            return Decision::Change(edit);
        };
        let message = format!("{changed} {problem}");
        Decision::reported(SkipReason::Inexpressible, message)
    }

    /// Describes how the base URL of a reference changes whose target is unknown, if the target may
    /// change with it. `known` is the text at its start that is known.
    fn base_change(&self, subject: &Subject<'_>, known: &str) -> Option<String> {
        let (before, after) = (subject.base?, subject.base_after?);
        if before == after {
            return None;
        }
        // Whatever follows `known`, a name stands for it.
        let probe = format!("{known}x");
        let is_same = match (before.resolve(&probe, UTF_8), after.resolve(&probe, UTF_8)) {
            (Ok(old), Ok(new)) => *self.target_after(&old, false) == new,
            (Err(_), Err(_)) => true,
            _ => false,
        };
        (!is_same).then(|| {
            format!(
                "the base URL was {before} and is now {after}, so the link may have a different target; check \
                 the link"
            )
        })
    }

    fn decide_any(&self, subject: &Subject<'_>) -> Decision {
        let standard = subject.own.standard();
        match subject.class.skip_reason() {
            Some(reason @ SkipReason::TemplateMarkup) => {
                let message = match self.base_change(subject, subject.known) {
                    Some(change) => format!("contains template markup; {change}"),
                    None => "contains template markup".to_owned(),
                };
                return Decision::reported(reason, message);
            }
            Some(reason @ SkipReason::RelativeOnly) => {
                return match self.base_change(subject, subject.reference) {
                    Some(change) => {
                        Decision::reported(reason, format!("is not rewritten; {change}"))
                    }
                    None => Decision::silent(reason),
                };
            }
            Some(reason) => return Decision::silent(reason),
            None if standard.is_current_document(subject.reference) => {
                return Decision::silent(SkipReason::SameDocument);
            }
            None => {}
        }
        // The server or a generator reads the path, and the visitor never sees it.
        if subject.constraints.path != PathRule::Any && matches!(self, Policy::Absolute { .. }) {
            return Decision::silent(SkipReason::PathOnly);
        }
        if let Policy::Site(site) = self
            && subject.constraints.source_path
            && match ReferenceForm::of(subject.reference) {
                ReferenceForm::Root => true,
                ReferenceForm::Path => subject.constraints.of_root,
                _ => false,
            }
        {
            let new = site.mapping.source_path(subject.reference);
            return new.map_or(Decision::AlreadyCorrect, |new| {
                Decision::Change(TextEdit::new(0..subject.reference.len(), new))
            });
        }
        // Without a base URL only an absolute reference has a target, the same against every base.
        let assumed = subject.base.unwrap_or(subject.own);
        let target = match assumed.resolve(subject.reference, subject.encoding) {
            Ok(target) => target,
            Err(error) if error.is_of_base() => {
                let message = format!("nothing can be relative to the base URL {assumed}");
                return Decision::reported(SkipReason::OpaqueBase, message);
            }
            Err(error) => {
                let message = format!("not a URL: {error}");
                return Decision::reported(SkipReason::BadUrl, message);
            }
        };
        let is_absolute = assumed.is_absolute_form(subject.reference, &target, subject.encoding);
        if is_absolute && !target.is_hierarchical() {
            return Decision::silent(SkipReason::NotHierarchical);
        }
        if !is_absolute && subject.base.is_none() {
            return Decision::reported(SkipReason::UnknownBase, "the base URL is unknown");
        }
        let shape = ReferenceForm::of(subject.reference);
        // In the standards before WHATWG's, not everything that looks like a fragment is one: a space may
        // be a path, and `#` may lead to a folder.
        let names_base = |base: &AbsoluteUrl| {
            let target = base.resolve(subject.reference, subject.encoding);
            target.is_ok_and(|target| is_same_path(&target, base))
        };
        let is_document = shape == ReferenceForm::Document
            && (standard == Standard::Whatwg
                || names_base(assumed) && subject.base_after.is_none_or(names_base));
        let is_fragment = is_document && !subject.reference.contains('?');
        // Visitors see the page at any URL, and stay there.
        let is_own = subject.base == Some(subject.own)
            && (matches!(self, Policy::Absolute { .. })
                || subject.base_after == Some(subject.own_after));
        if subject.is_served_anywhere && is_document && is_own {
            return Decision::silent(SkipReason::SameDocument);
        }
        let written = shape.relative();
        let mut authors = written;
        let mut form = match self {
            Policy::Site(_)
                if subject.constraints.path != PathRule::Any && subject.constraints.known_file =>
            {
                None
            }
            Policy::Site(site) if subject.constraints.path != PathRule::Any => {
                site.form.map(|_| RelativeForm::Path)
            }
            Policy::Site(site) if !subject.constraints.redirect_rule => site.form,
            Policy::Site(_) => None,
            Policy::Absolute { .. } | Policy::Fix(_) => None,
        };
        let is_own = matches!(self, Policy::Site(_))
            && is_document
            && subject.base == Some(subject.own)
            && subject.base_after == Some(subject.own_after);
        if let Policy::Site(site) = self
            && subject.base_follows_depth
            && subject.constraints.path == PathRule::Any
            && !site.mapping.pretty.offline
        {
            let had_depth =
                subject.base == Some(subject.own) || subject.base_after != Some(subject.own_after);
            let depends_on_depth = authors == Some(RelativeForm::Path) && had_depth;
            if depends_on_depth && site.mapping.before.is_placeholder() {
                // From which root the target counts is not known.
                form = None;
            } else {
                form = form.map(at_any_depth);
                authors = authors.map(at_any_depth);
            }
        }
        // Browsers jump to a fragment of the document itself without loading the document again. A
        // longer reference would make them load it.
        let moves_anchor = self.mapping().is_some_and(|it| it.moves_anchor(&target));
        if is_own && is_fragment && !moves_anchor {
            return Decision::AlreadyCorrect;
        }
        let is_outside = || segments_above_root(assumed, subject.reference) > 0;
        let mapped = match subject.constraints.known_file && is_outside() {
            // A file beside the site, not one of the site whose path happens to be the same.
            true => MappedTarget::External,
            false => self.map(&target, subject.is_base),
        };
        if subject.constraints.known_file
            && ReferenceForm::of(subject.reference) == ReferenceForm::Path
            && (subject.base != subject.base_after || subject.constraints.from_root)
            && !is_outside()
            && let Policy::Site(site) = self
            && site.mapping.has_no_file(&target)
        {
            let (reference, constraints) = (subject.reference, subject.constraints);
            let from_root = || site.mapping.in_content_roots(reference);
            match constraints.from_root.then(from_root).flatten() {
                Some(Some(new)) => {
                    return Decision::Change(TextEdit::new(0..reference.len(), new));
                }
                Some(None) => return Decision::AlreadyCorrect,
                None if subject.base == subject.base_after => return Decision::AlreadyCorrect,
                None => {}
            }
            let message = "the target is no file of SITE, so the link stays as written";
            return Decision::reported(SkipReason::NoFile, message);
        }
        // A query alone stays, unless it selects another file. For a page that becomes an index page,
        // its target would be the file, not the folder.
        if is_own
            && !moves_anchor
            && let (MappedTarget::Moved(url), MappedTarget::Moved(own)) =
                (&mapped, self.map(subject.own, false))
            && url.path() == own.path()
        {
            return Decision::AlreadyCorrect;
        }
        let is_missing = match self {
            Policy::Site(site) if subject.constraints.path == PathRule::Any => {
                let base = subject.base_after.filter(|_| !subject.constraints.redirect_rule);
                site.mapping.is_missing_offline(&target, base)
            }
            _ => false,
        };
        // `https:x` is relative to an `https:` base, but not for readers that need absolute URLs.
        let has_scheme = || scheme::split(subject.reference.trim_ascii_start()).is_some();
        let has_scheme = is_absolute || subject.constraints.absolute && has_scheme();
        // The form that the policy wants, `None` for an absolute URL, and whether the author chose it.
        let (wanted, is_authors) = match form {
            _ if !matches!(self, Policy::Site(_)) => (None, false),
            Some(_) if subject.constraints.absolute && has_scheme || is_missing => (None, false),
            Some(form) if mapped != MappedTarget::External => (Some(form), false),
            _ => (authors, true),
        };
        let has_form = is_authors
            || match wanted {
                None => is_absolute,
                // A fragment of the document itself has no form.
                Some(_) => !is_absolute && (written == wanted || is_fragment),
            };
        let moved = match mapped {
            MappedTarget::Moved(url) => Some(AbsoluteUrl::new(target.standard(), url)),
            // `https:x` is absolute below an `http:` base, but relative below an `https:` one.
            MappedTarget::External | MappedTarget::Unmoved
                if has_form
                    && is_absolute
                    && (subject.base == subject.base_after
                        || subject.base_after.is_none_or(|base| {
                            base.resolves_to(subject.reference, subject.encoding, &target)
                        })) =>
            {
                return Decision::AlreadyCorrect;
            }
            MappedTarget::External | MappedTarget::Unmoved => None,
        };
        // Above the host of a crawl are other files.
        let is_extracted = self.mapping().is_some_and(|mapping| mapping.captured.is_some());
        let above_root = match subject.base {
            Some(base) if !is_extracted => segments_above_root(base, subject.reference),
            _ => 0,
        };
        let target = moved.as_ref().unwrap_or(&target);
        write(subject, target, wanted, has_form, above_root)
    }
}

/// Whether two URLs differ in their queries and fragments only.
pub(super) fn is_same_path(one: &AbsoluteUrl, other: &AbsoluteUrl) -> bool {
    let path = |url: &AbsoluteUrl| {
        let text = url.as_str();
        text.find(['?', '#']).unwrap_or(text.len())
    };
    one.as_str().get(..path(one)) == other.as_str().get(..path(other))
}

/// The form that has the same target in a document that servers send for URLs at any depth.
fn at_any_depth(form: RelativeForm) -> RelativeForm {
    match form {
        RelativeForm::Path => RelativeForm::Root,
        other => other,
    }
}
