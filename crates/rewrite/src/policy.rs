//! Policies decide on each reference of a run.
//!
//! All policies but [`Policy::Fix`] follow one rule. A reference resolves to a target;
//! [`SiteMapping`] says where that target is after the run; the reference is then written so that
//! it resolves to that URL against the base URL after the run, in the form that the policy wants.

mod resolved;
mod sources;
mod subject;
#[cfg(test)]
mod tests;
mod viewed_file;
mod writing;

use std::borrow::Cow;

use encoding_rs::UTF_8;

use super::decision::Decision;
use super::targets::{KnownPaths, MappedTarget, SiteMapping};
use rehref_document::SkipReason;
use rehref_document::placeholders::placeholders;
use rehref_document::reference::{PathRule, ServerPath};
use rehref_document::{Fixes, json};
use rehref_site::{Projects, RepositoryUrls, SiteUrl, SiteUrlError};
use rehref_url::traversal::{ParentTraversal, depth, may_go_up};
use rehref_url::{AbsoluteUrl, RelativeForm, TextEdit};
use resolved::Resolved;
pub(super) use resolved::is_same_path;
pub use subject::Subject;
pub(super) use writing::segments_above_root;
use writing::{accepts, write};

/// The message of a reference that is skipped only because of its template markup.
pub const CONTAINS_MARKUP: &str = "contains template markup";

/// The policy of a run for references.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Every reference becomes absolute and keeps its target.
    Absolute {
        /// Every HTML document gets a `base` element with this URL, in place of its own.
        base: Option<AbsoluteUrl>,
        /// The URLs of the repository that documents in Markdown are from; `None` if there are none.
        repository: Option<RepositoryUrls>,
        /// The in-page links of pages after the run.
        in_page_links: InPageLinks,
    },
    /// References into a site get a target form, and follow the site if it moves.
    Site(Box<SitePolicy>),
    /// Only the references that have a fix change.
    Fix(Fixes),
}

/// The in-page links (`#x`) of HTML pages whose base URL is their own after [`Policy::Absolute`]. Visitors see such a
/// page at its URL, and its scripts may select elements by these links. Feeds, mail and pages with another base URL get
/// absolute links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InPageLinks {
    /// They stay as written.
    #[default]
    Keep,
    /// They become absolute, for pages that are shown at another URL.
    Absolute,
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
    /// Returns an error if no site can be published at `site_url`.
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
    /// Returns the policy that makes every reference absolute, including in-page links, and keeps `base` elements.
    pub fn absolute() -> Policy {
        let in_page_links = InPageLinks::Absolute;
        Policy::Absolute { base: None, repository: None, in_page_links }
    }

    /// Returns the policy for references into a site.
    pub fn site(policy: SitePolicy) -> Policy {
        Policy::Site(Box::new(policy))
    }

    /// Returns the policies for the documents of the projects of generators in the site.
    pub fn of_projects(&self) -> Projects<Policy> {
        let Policy::Site(site) = self else { return Projects::default() };
        site.mapping.files.projects().map(|files| {
            let mapping = SiteMapping {
                files: files.clone(),
                known: KnownPaths::default(),
                ..site.mapping.clone()
            };
            Policy::site(SitePolicy { mapping, ..(**site).clone() })
        })
    }

    /// Returns the site whose references change; `None` for a policy that is not about a site.
    pub fn mapping(&self) -> Option<&SiteMapping> {
        match self {
            Policy::Site(site) => Some(&site.mapping),
            Policy::Absolute { .. } | Policy::Fix(_) => None,
        }
    }

    /// Returns true if references get another form.
    pub fn changes_form(&self) -> bool {
        match self {
            Policy::Absolute { .. } => true,
            Policy::Site(site) => site.form.is_some(),
            Policy::Fix(_) => false,
        }
    }

    /// Returns true if references that a script compares stay as written. In pages opened from disk they have to lead
    /// there.
    fn keeps_compared(&self) -> bool {
        self.changes_form() && self.mapping().is_none_or(|it| !it.pretty.offline)
    }

    /// Returns the base URL that every HTML document gets; `None` where documents keep or lose their own.
    pub fn base_url(&self) -> Option<&AbsoluteUrl> {
        match self {
            Policy::Absolute { base, .. } => base.as_ref(),
            Policy::Site(_) | Policy::Fix(_) => None,
        }
    }

    /// Returns the in-page links of pages after the run, where references become absolute.
    pub(super) fn in_page_links(&self) -> InPageLinks {
        match self {
            Policy::Absolute { in_page_links, .. } => *in_page_links,
            Policy::Site(_) | Policy::Fix(_) => InPageLinks::Absolute,
        }
    }

    /// Returns the URLs of the repository that documents in Markdown are from.
    pub fn repository(&self) -> Option<&RepositoryUrls> {
        match self {
            Policy::Absolute { repository, .. } => repository.as_ref(),
            Policy::Site(_) | Policy::Fix(_) => None,
        }
    }

    /// Returns the change to the `href` of `base` elements.
    pub(super) fn base(&self) -> BaseChange<'_> {
        match self {
            Policy::Absolute { base: Some(url), .. } => BaseChange::Set(url),
            Policy::Site(site) => match site.base_elements {
                BaseElements::Keep => BaseChange::Keep,
                BaseElements::Drop => BaseChange::Drop,
                BaseElements::DropWithoutScripts => BaseChange::DropWithoutScripts,
            },
            Policy::Absolute { base: None, .. } | Policy::Fix(_) => BaseChange::Keep,
        }
    }

    /// Returns the URL of `target` after the run. `is_folder`: with a slash at its end, `target` is a directory (a
    /// base URL, the start of other URLs).
    pub fn target_after<'u>(
        &self,
        target: &'u AbsoluteUrl,
        is_folder: bool,
    ) -> Cow<'u, AbsoluteUrl> {
        match self.map(target, is_folder) {
            MappedTarget::External | MappedTarget::Unmoved => Cow::Borrowed(target),
            MappedTarget::Moved(url) => Cow::Owned(AbsoluteUrl::new(target.standard(), url)),
        }
    }

    fn map(&self, target: &AbsoluteUrl, is_folder: bool) -> MappedTarget {
        match self.mapping() {
            None => MappedTarget::Unmoved,
            Some(mapping) if is_folder => mapping.map_folder(target),
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
    /// The `href` stays as with [`BaseChange::Keep`], since a link that resolves against it can be written for no
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
            Policy::Fix(_) if subject.is_kept => Decision::silent(SkipReason::Kept),
            Policy::Fix(fixes) => decide_fix(fixes, subject),
            _ if subject.constraints.server_path.is_some() && !moves() => {
                return Decision::silent(SkipReason::RedirectRule);
            }
            // A rule may redirect the old URL of what has moved.
            _ if subject.constraints.is_matched()
                && self.mapping().is_some_and(|it| it.is_done) =>
            {
                return Decision::AlreadyCorrect;
            }
            _ if moves() => self.with_viewed_file(subject, self.decide_any(subject)),
            _ => self.decide_any(subject),
        };
        let constraints = subject.constraints;
        // A server matches paths, and would redirect to the URL of an error page.
        let is_path = subject.has_paths
            && matches!(constraints.server_path, Some(ServerPath::From | ServerPath::Target))
            && !subject.reference.contains("//");
        let is_free = !constraints.placeholders
            && !constraints.url_like
            && !is_path
            && constraints.path == PathRule::Any;
        let edit = match decision {
            Decision::Change(edit) if !is_free => edit,
            decision => return decision,
        };
        let changed = edit.apply(subject.reference);
        let problem = if constraints.placeholders
            && placeholders(&changed) != placeholders(subject.reference)
        {
            "would change the placeholders"
        } else if !accepts(constraints.path, &changed) || is_path && changed.contains("//") {
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

    /// Skips a reference that `--keep-links` keeps, and reports one that then has another target, unless it is absolute and
    /// the site gets another URL: users keep such a link for the old URL.
    fn keep(&self, subject: &Subject<'_>) -> Decision {
        let mapping = self.mapping().filter(|it| it.moves());
        let is_republished = mapping.is_some_and(|it| it.before != it.after);
        let bases = subject.base.zip(subject.base_after);
        let targets = bases.and_then(|(before, after)| {
            let [target, found] =
                [before, after].map(|base| base.resolve(subject.reference, subject.encoding).ok());
            let (target, found) = (target?, found?);
            let is_meant = is_republished
                && before.is_absolute_form(subject.reference, &target, subject.encoding);
            let expected = mapping.map(|_| self.target_after(&target, false).into_owned());
            Some((expected.unwrap_or(target), found)).filter(|_| !is_meant)
        });
        match targets {
            Some((expected, found)) if expected != found => {
                let message = format!(
                    "--keep-links keeps the link, whose target is now {found} instead of {expected}"
                );
                Decision::reported(SkipReason::Kept, message)
            }
            _ => Decision::silent(SkipReason::Kept),
        }
    }

    /// Decides in stages: what is skipped, the target, its URL after the run, and the form of the reference.
    fn decide_any(&self, subject: &Subject<'_>) -> Decision {
        if let Some(decision) = self.skip(subject).or_else(|| self.source_path(subject)) {
            return decision;
        }
        match Resolved::of(subject) {
            Ok(resolved) => self.decide_resolved(&resolved),
            Err(decision) => decision,
        }
    }

    /// Skips a reference that has no target, or that browsers do not follow.
    fn skip(&self, subject: &Subject<'_>) -> Option<Decision> {
        match subject.class.skip_reason() {
            Some(reason @ SkipReason::TemplateMarkup) => {
                let message = match self.base_change(subject, subject.known) {
                    Some(change) => format!("{CONTAINS_MARKUP}; {change}"),
                    None => CONTAINS_MARKUP.to_owned(),
                };
                Some(Decision::reported(reason, message))
            }
            Some(reason @ SkipReason::RelativeOnly) => {
                let change = self.base_change(subject, subject.reference);
                Some(match change {
                    Some(change) => {
                        Decision::reported(reason, format!("is not rewritten; {change}"))
                    }
                    None => Decision::silent(reason),
                })
            }
            Some(reason) => Some(Decision::silent(reason)),
            None if subject.is_kept => Some(self.keep(subject)),
            None if subject.own.standard().is_current_document(subject.reference) => {
                Some(Decision::silent(SkipReason::SameDocument))
            }
            None if subject.is_compared && self.keeps_compared() => {
                Some(Decision::silent(SkipReason::Compared))
            }
            // The server or a generator reads the path, and the visitor never sees it.
            None => (subject.constraints.path != PathRule::Any
                && matches!(self, Policy::Absolute { .. }))
            .then(|| Decision::silent(SkipReason::PathOnly)),
        }
    }

    fn decide_resolved(&self, resolved: &Resolved<'_>) -> Decision {
        let Resolved { subject, target, is_document, .. } = resolved;
        let is_at_own = subject.base == Some(subject.own);
        let stays_own = subject.base_after == Some(subject.own_after);
        let makes_absolute = matches!(self, Policy::Absolute { .. });
        // Visitors see the page at any URL, and stay there. Where Markdown is shown, its headings are.
        let is_shown_anywhere = subject.is_served_anywhere && (makes_absolute || stays_own)
            || subject.is_markdown && makes_absolute;
        let is_in_page = subject.is_page
            && stays_own
            && !subject.constraints.absolute
            && subject.reference.trim_start().starts_with('#')
            && self.in_page_links() == InPageLinks::Keep;
        if (is_shown_anywhere || is_in_page) && *is_document && is_at_own {
            return Decision::silent(SkipReason::SameDocument);
        }
        let names_itself =
            matches!(self, Policy::Site(_)) && *is_document && is_at_own && stays_own;
        // Browsers jump to a fragment of the document itself without loading the document again. A
        // longer reference would make them load it.
        let moves_anchor = self.mapping().is_some_and(|it| it.moves_anchor(target));
        if names_itself && resolved.is_fragment && !moves_anchor {
            return Decision::AlreadyCorrect;
        }
        if self.was_changed(resolved) {
            return Decision::AlreadyCorrect;
        }
        let mapped = if subject.constraints.known_file && resolved.is_outside() {
            // A file beside the site, not one of the site whose path happens to be the same.
            MappedTarget::External
        } else if subject.constraints.server_path.is_some()
            && self.mapping().is_some_and(|it| it.is_source(target))
        {
            MappedTarget::Unmoved
        } else {
            self.map(target, subject.names_folder)
        };
        if let Some(decision) = self.no_file(resolved) {
            return decision;
        }
        // A query alone stays, unless it selects another file. For a page that becomes an index page,
        // its target would be the file, not the folder.
        if names_itself
            && !moves_anchor
            && let (MappedTarget::Moved(url), MappedTarget::Moved(own)) =
                (&mapped, self.map(subject.own, false))
            && url.path() == own.path()
        {
            return Decision::AlreadyCorrect;
        }
        // The programs that read it ask the server, not the disk.
        if resolved.stays_absolute() && self.mapping().is_some_and(|it| it.pretty.offline) {
            return Decision::AlreadyCorrect;
        }
        let Form { wanted, has_form } = self.form(resolved, &mapped);
        let has_form = has_form && !self.leaves_disk(resolved);
        let above_root = subject.base.map_or(0, |it| segments_above_root(it, subject.reference));
        let drops_surplus = above_root > 0 && self.drops_surplus(target, &mapped);
        let moved = match mapped {
            MappedTarget::Moved(url) => {
                let moved = AbsoluteUrl::new(target.standard(), url);
                Some(self.as_written(subject, &moved).unwrap_or(moved))
            }
            // `https:x` is absolute below an `http:` base, but relative below an `https:` one.
            MappedTarget::External | MappedTarget::Unmoved
                if has_form
                    && resolved.is_absolute
                    && (subject.base == subject.base_after
                        || subject.base_after.is_none_or(|base| {
                            base.resolves_to(subject.reference, subject.encoding, target)
                        })) =>
            {
                return Decision::AlreadyCorrect;
            }
            MappedTarget::External | MappedTarget::Unmoved => self.in_repository(resolved),
        };
        let above_root = if drops_surplus { 0 } else { above_root };
        write(subject, moved.as_ref().unwrap_or(target), wanted, has_form, above_root)
    }

    /// Returns true if a link was changed after the files moved, which they did before the run: from the old place of
    /// its document it leads nowhere, or out of the site, and from the new one to a file.
    fn was_changed(&self, resolved: &Resolved<'_>) -> bool {
        let subject = resolved.subject;
        let mapping = self.mapping().filter(|it| it.is_done);
        let (Some(mapping), Some(before), Some(after)) =
            (mapping, subject.base, subject.base_after)
        else {
            return false;
        };
        let leads_nowhere = || {
            segments_above_root(before, subject.reference) > 0
                || !mapping.has_target(&resolved.target)
        };
        let now = || after.resolve(subject.reference, subject.encoding).ok();
        leads_nowhere() && now().is_some_and(|now| mapping.exists_after(&now))
    }

    /// Returns true if a relative link from disk leaves the directory of the site on its way: `../docs/a.html` in a
    /// page of `https://h/docs/`.
    fn leaves_disk(&self, resolved: &Resolved<'_>) -> bool {
        let reference = resolved.subject.reference;
        let mapping = self.mapping().filter(|it| it.pretty.offline && it.captured.is_none());
        let mapping = mapping.filter(|_| may_go_up(reference));
        let (Some(mapping), Some(base)) = (mapping, resolved.subject.base_after) else {
            return false;
        };
        let root = depth(mapping.after.url().as_str());
        ParentTraversal::of(base, reference).is_some_and(|it| it.min_depth < root)
    }

    /// Returns true if a link to `target` loses the `..` segments that escape the root: servers drop them, and from
    /// disk they lead out of SITE. If the URL of SITE is not known, SITE may be below a path of its host; then only a
    /// file at `target` shows where the link leads.
    fn drops_surplus(&self, target: &AbsoluteUrl, mapped: &MappedTarget) -> bool {
        let Policy::Site(site) = self else { return false };
        let mapping = &site.mapping;
        // Above the host of a crawl are other files.
        mapping.captured.is_some()
            || site.form.is_some()
                && *mapped != MappedTarget::External
                && (!mapping.before.is_placeholder() || mapping.has_file(target))
    }

    /// The target that `subject` has after the run without a change, if that is the URL `moved` with repeated slashes,
    /// which servers merge.
    fn as_written(&self, subject: &Subject<'_>, moved: &AbsoluteUrl) -> Option<AbsoluteUrl> {
        // Browsers that open files from disk do not merge slashes.
        let mapping = self.mapping().filter(|it| !it.pretty.offline)?;
        let base = subject.base_after?;
        let reference = Some(subject.reference).filter(|it| it.contains("//"))?;
        let found = base.resolve(reference, subject.encoding).ok()?;
        mapping.is_respelled(&found, moved).then_some(found)
    }

    /// The form of a reference that will lead to the URL of `mapped`.
    fn form(&self, resolved: &Resolved<'_>, mapped: &MappedTarget) -> Form {
        let Resolved { subject, is_absolute, .. } = *resolved;
        let constraints = subject.constraints;
        let written = resolved.shape.relative();
        let Policy::Site(site) = self else {
            return Form { wanted: None, has_form: is_absolute };
        };
        let mut authors = written;
        let mut form = match site.form {
            _ if constraints.server_path.is_some() && constraints.path == PathRule::Any => None,
            _ if constraints.known_file && constraints.path != PathRule::Any => None,
            Some(_) if constraints.path != PathRule::Any => Some(RelativeForm::Path),
            form => form,
        };
        if subject.base_follows_depth
            && constraints.path == PathRule::Any
            && !site.mapping.pretty.offline
        {
            let had_depth =
                subject.base == Some(subject.own) || subject.base_after != Some(subject.own_after);
            let depends_on_depth = authors == Some(RelativeForm::Path) && had_depth;
            let is_root_unknown = site.mapping.before.is_placeholder();
            if depends_on_depth && (is_root_unknown || !subject.is_served_anywhere) {
                // From which root the target counts is not known, or its author counts on the URL that a script sets.
                form = None;
            } else {
                form = form.map(at_any_depth);
                authors = authors.map(at_any_depth);
            }
        }
        let base_after = subject.base_after.filter(|_| constraints.server_path.is_none());
        let is_missing = constraints.path == PathRule::Any
            && site.mapping.is_missing_offline(&resolved.target, base_after);
        // No relative reference leads to another host of the site.
        let is_apart = site.mapping.after.has_mounts()
            && base_after.is_some_and(|base| {
                let target = self.target_after(&resolved.target, false);
                base.relativize(&target, RelativeForm::Root).is_none()
            });
        let (wanted, is_authors) = match form {
            Some(_) if is_apart => (authors, true),
            Some(_) if is_missing || resolved.stays_absolute() => (None, false),
            Some(form) if *mapped != MappedTarget::External => (Some(form), false),
            _ => (authors, true),
        };
        let has_form = is_authors
            || match wanted {
                None => is_absolute,
                // A fragment of the document itself has no form.
                Some(_) => !is_absolute && (written == wanted || resolved.is_fragment),
            };
        Form { wanted, has_form }
    }
}

/// The form in which a policy writes a reference.
struct Form {
    /// `None` for an absolute URL.
    wanted: Option<RelativeForm>,
    /// Whether the author's reference has it.
    has_form: bool,
}

/// The form that has the same target in a document that servers send for URLs at any depth.
fn at_any_depth(form: RelativeForm) -> RelativeForm {
    match form {
        RelativeForm::Path => RelativeForm::Root,
        other => other,
    }
}
