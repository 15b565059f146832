//! Decides which checks a reference needs, and checks it without its target.

use super::auditor::DocumentAuditor;
use crate::checks::Check;
use crate::finding::ReferenceFinding;
use crate::site_index::ResolvedReference;
use crate::target_place::TargetPlace;
use crate::url_checks::{self, ReferenceContext};
use rehref_document::container::ContainerKind;
use rehref_document::reference::Class;
use rehref_document::{DocumentKind, placeholders, refresh};
use rehref_generators::data::DataLanguage;
use rehref_generators::markdown::{self, UnreadLink, rows};
use rehref_site::{Response, Severity};
use rehref_url::traversal::{ParentTraversal, depth, may_go_up};
use rehref_url::{AbsoluteUrl, ReferenceForm, RelativeForm, scheme};

/// On a link of a document that readers see in its repository, of which the site is a part.
const PART_OF_REPOSITORY: &str = "the link leads to another part of the repository, outside the audited site, so it was not checked";

/// A refresh within fewer seconds is immediate: it leaves no time to read.
const IMMEDIATE: u64 = 1;

impl DocumentAuditor<'_> {
    /// Counts a link to `target`, outside of the site, if it leads to another URL of the same host.
    pub(super) fn add_sibling(&mut self, target: &str) {
        let siblings = self.context.siblings.iter().zip(&mut self.out.siblings);
        for (sibling, count) in siblings {
            *count += usize::from(sibling.below(target).is_some());
        }
    }

    pub(super) fn reference(&mut self, resolved: &ResolvedReference<'_>) {
        let reference = resolved.reference;
        self.out.references += 1;
        match resolved.place {
            TargetPlace::External => {
                if self.other_site(resolved).is_none() {
                    self.out.external += 1;
                }
                if let Some(Ok(target)) = &resolved.target {
                    self.add_sibling(target.as_str());
                }
                self.add_leaving(resolved);
            }
            TargetPlace::Internal { .. } => self.add_target(resolved),
            TargetPlace::Unknown if self.is_immediate_refresh(resolved) => {
                self.add_target(resolved)
            }
            TargetPlace::Unknown | TargetPlace::Part { .. } => {}
        }
        // The second pass is about the fragments of other references.
        let is_located = self.homes.is_some();
        if reference.rel.is_hint() || is_located && self.fragment_to_check(resolved).is_none() {
            return;
        }
        let is_relative = || {
            let form = ReferenceForm::of(resolved.text);
            !matches!(form, ReferenceForm::Root | ReferenceForm::Absolute)
                || resolved.text.starts_with('\\')
        };
        let is_of_page = !reference.constraints.of_root && is_relative();
        let is_markup = reference.class == Class::TemplateMarkup;
        if is_of_page && !is_markup && self.context.site.files.is_part(self.source.index_key) {
            return;
        }
        match reference.class {
            Class::Ordinary | Class::SameDocument if self.is_map(resolved) => {
                return self.map(resolved);
            }
            Class::TemplateMarkup if self.is_pattern(resolved) => return,
            Class::TemplateMarkup => {
                let message = "the link contains template markup that nothing rendered";
                let found = ReferenceFinding::new(Check::TemplateMarkup, message);
                return self.report(resolved, found);
            }
            Class::RelativeOnly if !reference.constraints.is_name() => return,
            Class::RelativeOnly => {
                self.check_target(resolved);
                return;
            }
            Class::SameDocument => return self.same_document(resolved),
            Class::Ordinary | Class::Empty => {}
        }
        if reference.constraints.placeholders {
            if !placeholders::is_in_path(resolved.text) {
                self.check_target(resolved);
            }
            return;
        }
        if reference.constraints.unsure {
            let container = self.document.container_of(reference);
            let is_unused = container.is_some_and(|it| it.kind.is_unused());
            if resolved.place.file().is_some() && !is_unused {
                self.check_fragment(resolved);
            }
            if resolved.place.file().is_none() {
                self.document_id(resolved);
                self.unread_data(resolved);
            }
            let is_module = container.is_some_and(|it| it.kind.is_import());
            if let (true, TargetPlace::Internal { path, response: None, .. }) =
                (is_module, &resolved.place)
                && !self.site.files.has_module(path, resolved.text)
            {
                let message =
                    format!("no module is at `{path}`, but a bundler may find it elsewhere");
                let found = ReferenceFinding::new(Check::BrokenTarget, message);
                self.report(resolved, found.at_most(Severity::Warning));
            }
            return;
        }
        if let Some(found) = self.forgotten_path(resolved) {
            return self.report(resolved, found);
        }
        if resolved.is_file_outside(self.document.container_of(reference)) {
            self.out.external += 1;
            let message = format!(
                "the path `{}` leads outside the audited site, so it was not checked",
                resolved.text
            );
            let found = ReferenceFinding::new(Check::EscapesRoot, message);
            return self.report(resolved, found.at_most(Severity::Note));
        }
        if self.is_page_of_host(resolved) {
            return;
        }
        let container = self.document.container_of(reference);
        // The path of a file may have any characters.
        let is_path =
            container.is_some_and(|it| it.syntax.is_path()) || reference.constraints.is_wiki();
        // What a build makes may be there; a link that is not what it seems to be is still a mistake.
        let is_misread = !is_path && self.check_url(resolved);
        if self.is_generated(resolved) {
            return;
        }
        // The checks of rules look at the paths of both sides together.
        let is_rule = reference.constraints.is_pattern()
            && matches!(self.kind(), DocumentKind::Redirects(_))
            && !has_parts_of_path(resolved.text);
        let is_found = is_rule
            || !is_misread
                && self.is_link(reference)
                && (is_located || self.check_target(resolved));
        if is_found {
            self.check_fragment(resolved);
        }
    }

    /// Returns true if the user says that a build makes the missing target.
    fn is_generated(&self, resolved: &ResolvedReference<'_>) -> bool {
        match &resolved.place {
            TargetPlace::Internal { path, response: Some(Response::Unread), .. } => {
                self.context.site.files.is_generated(path)
            }
            _ => false,
        }
    }

    /// Returns true if the reference is one of Markdown in a repository to a page that its host has above the files:
    /// `../../issues`.
    fn is_page_of_host(&self, resolved: &ResolvedReference<'_>) -> bool {
        let (true, true, Some(Ok(target)), Some(base)) = (
            self.is_in_repository(),
            may_go_up(resolved.text),
            &resolved.target,
            resolved.base.as_deref(),
        ) else {
            return false;
        };
        let site = self.site_url.as_str();
        let levels = ParentTraversal::of(base, resolved.text)
            .map_or(0, |it| it.above_root + depth(site).saturating_sub(it.min_depth));
        // The owner and the repository come first in a URL.
        let names = if self.context.is_published { 2 } else { 0 };
        let path = target.as_str().splitn(4 + names, '/').nth(3 + names).unwrap_or_default();
        markdown::is_page_of_host(levels, path)
    }

    /// Returns true if readers of the document are in a repository on a host of code.
    fn is_in_repository(&self) -> bool {
        matches!(self.kind(), DocumentKind::Markdown(it) if it.row().is_repository)
    }

    /// Reports an id in a sidebar that no document of its directory has. A script may use other strings.
    fn document_id(&mut self, resolved: &ResolvedReference<'_>) {
        let DocumentKind::Navigation(kind) = self.kind() else { return };
        let is_id = resolved.reference.constraints.roots_first;
        let own = self.site.site_url.below(self.own().as_str()).unwrap_or_default();
        if is_id && let Some(folder) = self.site.files.folder_of_sidebar(own) {
            let message = format!("no document has the id `{}`", resolved.text);
            let found = ReferenceFinding::new(Check::BrokenTarget, message);
            let is_script = kind.language() == DataLanguage::JavaScript;
            // No pages are made of the documents of an excluded directory.
            let is_unsure = is_script || folder.content.is_excluded;
            let most = if is_unsure { Severity::Warning } else { Severity::Error };
            self.report(resolved, found.at_most(most));
        }
    }

    /// Reports a path from the root in data, if nothing has it; counts it where a template may complete the paths.
    fn unread_data(&mut self, resolved: &ResolvedReference<'_>) {
        let is_missing = matches!(resolved.place, TargetPlace::Internal { response: None, .. });
        let is_path = ReferenceForm::of(resolved.text) == ReferenceForm::Root;
        if !is_missing || !is_path || !matches!(self.kind(), DocumentKind::Navigation(_)) {
            return;
        }
        if self.has_whole_paths() {
            let message =
                format!("no page is at `{}`, but a template may complete it", resolved.text);
            let found = ReferenceFinding::new(Check::BrokenTarget, message);
            return self.report(resolved, found.at_most(Severity::Warning));
        }
        let folder = self.source.name.split('/').next().unwrap_or_default();
        self.out.unread.push(UnreadLink::Parameter(folder.to_owned()));
    }

    /// Returns true if most paths from the root in this document lead to something.
    fn has_whole_paths(&self) -> bool {
        *self.has_whole_paths.get_or_init(|| {
            let texts = self.document.references.iter().map(|it| self.document.text_of(it));
            let paths = texts.filter(|it| ReferenceForm::of(it) == ReferenceForm::Root);
            let found = paths.map(|path| {
                let url = self.own().resolve(path, encoding_rs::UTF_8);
                url.is_ok_and(|url| self.site.place(&url).response().is_some())
            });
            let (found, missing): (Vec<bool>, Vec<bool>) = found.partition(|it| *it);
            found.len() > missing.len()
        })
    }

    /// The finding about a path from the root of the host that lacks the path of the site's URL: SITE has its file.
    fn forgotten_path(&self, resolved: &ResolvedReference<'_>) -> Option<ReferenceFinding> {
        let path = resolved.text.strip_prefix('/').filter(|path| !path.starts_with('/'))?;
        let site = self.site.site_url.url();
        let is_outside = matches!(resolved.place, TargetPlace::External);
        let host = site.as_str().strip_suffix(site.path()).filter(|_| is_outside)?;
        let target = resolved.url()?.as_str().strip_prefix(host)?;
        if !self.context.is_published || !target.starts_with('/') {
            return None;
        }
        let url = self.site.site_url.url_below(path).ok()?;
        let place = self.site.place(&AbsoluteUrl::new(self.own().standard(), url));
        // Hosts have front pages of their own, and translations of a page have its path.
        let is_front = path.starts_with(['?', '#']) || path.is_empty();
        let is_here = match place.file() {
            Some(file) => file != self.source.index_key,
            // A page that a generator makes of no document.
            None => self.site.files.reads_sources() && place.response().is_some(),
        };
        if is_front || !is_here {
            return None;
        }
        let root = site.path();
        let message = match self.site.files.pages().map(|pages| pages.dialect.row().program) {
            Some(program) => format!(
                "the link leaves the site at `{root}`, unless a plugin or a template adds that path: {program} does not add it"
            ),
            None => format!("the link leaves the site at `{root}`, but the file is in the site"),
        };
        let found = ReferenceFinding::new(Check::EscapesRoot, message);
        Some(found.at_most(Severity::Warning).suggest(Some(format!("{root}{path}"))))
    }

    /// Returns true if the reference is a pattern of its format, not of a template language (XSLT).
    fn is_pattern(&self, resolved: &ResolvedReference<'_>) -> bool {
        let container = self.document.container_of(resolved.reference);
        container.is_some_and(|container| matches!(container.kind, ContainerKind::Markup(_)))
            && !self.document.templates.is_in(resolved.text)
    }

    /// Adds the target to the files that the document refers to, and to its redirects.
    fn add_target(&mut self, resolved: &ResolvedReference<'_>) {
        let is_redirect = self.is_immediate_refresh(resolved);
        if !self.context.needs_targets && !is_redirect {
            return;
        }
        let file = resolved.place.file();
        let number = match resolved.reference.class {
            // It reloads the page.
            Class::SameDocument if is_redirect => self.context.number_of(self.source),
            _ => file.and_then(|file| self.context.files.number(file)),
        };
        let Some(number) = number else {
            let is_missing = matches!(resolved.place, TargetPlace::Internal { response: None, .. });
            if is_redirect && is_missing && self.out.dead_refresh.is_none() {
                self.out.dead_refresh = resolved.url().map(|it| self.shown(it).into());
            }
            return;
        };
        if is_redirect && self.out.redirects_to.is_none() {
            let found = ReferenceFinding::new(Check::MetaRefreshLoop, "");
            self.out.redirects_to = Some((number, self.finding(resolved, found)));
        }
        if self.context.needs_targets && self.is_link(resolved.reference) {
            self.out.targets.push(number);
        }
    }

    /// Counts a link of a single document to another directory of its host, or of its disk.
    fn add_leaving(&mut self, resolved: &ResolvedReference<'_>) {
        let (Some(Ok(target)), true) = (&resolved.target, self.context.is_single) else { return };
        let root = self.site.site_url.url();
        let host = root.as_str().strip_suffix(root.path()).unwrap_or_default();
        let is_on_host = target.as_str().strip_prefix(host).is_some_and(|it| it.starts_with('/'));
        // An author who names the host means another part of it.
        let text = resolved.text.trim_ascii_start();
        let is_relative = scheme::split(text).is_none() && !text.starts_with("//");
        let is_ignored = self.is_ignored(resolved.reference, Check::EscapesRoot);
        if !is_on_host || !is_relative || is_ignored {
            return;
        }
        match &mut self.out.leaving {
            Some((count, _)) => *count += 1,
            None => {
                let found = ReferenceFinding::new(Check::EscapesRoot, "").at_most(Severity::Note);
                self.out.leaving = self.finding(resolved, found).map(|first| (1, first));
            }
        }
    }

    pub(super) fn is_immediate_refresh(&self, resolved: &ResolvedReference<'_>) -> bool {
        let container = self.document.container_of(resolved.reference);
        let container = container.filter(|_| self.is_refresh(resolved.reference));
        container.is_some_and(|container| {
            container.parent.is_none()
                && refresh::seconds(container.text.as_str()).is_some_and(|time| time < IMMEDIATE)
        })
    }

    /// Checks the reference without its target. Returns whether browsers read it differently than
    /// the author meant it, so that a check of its target would say nothing.
    pub(super) fn check_url(&mut self, resolved: &ResolvedReference<'_>) -> bool {
        let own = self.own();
        let target = match &resolved.target {
            Some(target) => target.as_ref(),
            None if resolved.reference.class == Class::Empty => Ok(own),
            None => return false,
        };
        let is_generated = self.is_generated(resolved);
        let target_exists = !is_generated
            && matches!(
                resolved.place,
                TargetPlace::Internal { response: Some(_), .. }
                    | TargetPlace::Part { part: Some(_), .. }
            );
        let target_is_missing =
            is_generated || matches!(resolved.place, TargetPlace::Internal { response: None, .. });
        let base = resolved.base.as_deref();
        let site = &*self.site_url;
        if target.is_ok() && url_checks::is_plain(resolved.text, base, own, site, target_exists) {
            return false;
        }
        let container = self.document.container_of(resolved.reference);
        // A generator makes no page of it.
        let files = &self.context.site.files;
        let is_beside = files.pages().is_some_and(|it| it.dialect.row().has_bundles)
            && !files.is_published(self.source.index_key);
        let is_part_of_pages =
            files.pages().is_some() && !files.is_published(self.source.index_key);
        // A hook of a theme that is not read may count from the file or from its page.
        let has_unknown_base = base == Some(own)
            && matches!(self.kind(), DocumentKind::Markdown(it) if it.row().has_bundles);
        let found = url_checks::check(&ReferenceContext {
            reference: resolved.text,
            class: resolved.reference.class,
            usage: &|| self.document.usage_of(resolved.reference),
            is_metadata: matches!(
                container.map(|it| &it.kind),
                Some(ContainerKind::Attribute { row, .. }) if row.is_metadata()
            ),
            base,
            own,
            site: &self.site_url,
            is_published: self.context.is_published && !is_beside,
            target,
            target_exists,
            target_is_missing,
            encoding: container.map_or(encoding_rs::UTF_8, |it| it.query_encoding),
        });
        let is_misread = found.iter().any(|finding| {
            finding.check == Check::SchemeLookalike || finding.severity == Severity::Error
        });
        let kind = container.map(|it| &it.kind);
        let is_in_text = matches!(kind, Some(ContainerKind::Markdown(row)) if **row == rows::BARE);
        for mut finding in found {
            if finding.check == Check::EscapesRoot
                && self.context.is_part
                && self.is_in_repository()
            {
                finding = ReferenceFinding::new(Check::EscapesRoot, PART_OF_REPOSITORY);
                finding = finding.at_most(Severity::Warning);
            }
            // A part of pages in other directories.
            if finding.check == Check::EscapesRoot && (is_part_of_pages || has_unknown_base) {
                finding = finding.at_most(Severity::Warning);
            }
            // Not all generators make a link of it.
            if is_in_text {
                finding = finding.at_most(Severity::Warning);
            }
            if finding.at > 0 {
                let before = resolved.text.get(..finding.at).unwrap_or_default();
                let number = before.chars().count() + 1;
                let place = format!(" (at character {number})");
                finding.message.to_mut().push_str(&place);
            }
            // The link is checked in the other site.
            let is_checked = finding.check == Check::EscapesRoot
                && finding.severity < Severity::Error
                && self.other_site(resolved).is_some();
            let is_left = is_generated && finding.check != Check::SchemeLookalike;
            if !is_checked && !is_left {
                self.report(resolved, finding);
            }
        }
        is_misread || resolved.reference.class == Class::Empty
    }

    /// The check depth-dependent.
    pub(super) fn depth(&mut self, resolved: &ResolvedReference<'_>) {
        let depends_on_depth = resolved.reference.class == Class::Ordinary
            && resolved.base.as_deref() == Some(self.own())
            && ReferenceForm::of(resolved.text) == ReferenceForm::Path;
        if let Some(Ok(target)) = &resolved.target
            && depends_on_depth
            && target.is_hierarchical()
        {
            let from_root = target.relativize(target, RelativeForm::Root);
            let from_root = from_root.unwrap_or_else(|| target.as_str().to_owned());
            let message = "servers serve this page at any depth, and the relative link has a different target \
                           at each depth";
            let found = ReferenceFinding::new(Check::DepthDependent, message)
                .help(format!("write the link from the root of the host: {from_root}"));
            self.report(resolved, found);
        }
    }
}

/// Returns true if the target of a redirect rule has parts of the old path in it: `/new/:splat`, `/new/$1`.
fn has_parts_of_path(target: &str) -> bool {
    let (_, path) = target.split_once("://").unwrap_or_default();
    let path = if path.is_empty() { target } else { path };
    path.contains([':', '$', '*'])
}
