//! Audits one document: its references, and the document as a whole.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::anchors::{AnchorIndex, FileAnchors, PendingFragment};
use super::checks::Check;
use super::fast_path::SimplePaths;
use super::files::{FileNumber, FileNumbers};
use super::finding::Finding;
use super::fragments::FragmentShapes;
use super::message_parts::PartIndex;
use super::resolved::{Place, Resolved, SiteIndex, location_of};
use super::suggest::Suggestions;
use super::symlinks::DanglingSymlinks;
use super::targets::{self, Confidence};
use super::url_checks::{self, ReferenceContext, UrlFinding};
use crate::diagnostic::Severity;
use crate::document::container::{ContainerKind, Syntax};
use crate::document::html::ValueKind;
use crate::document::reference::Class;
use crate::document::{
    Document, DocumentError, DocumentKind, Metadata, ParseOptions, Positions, Reference, Rel,
    refresh, template_markup,
};
use crate::rewrite::Fix;
use crate::url::simple::Folders;
use crate::url::{AbsoluteUrl, RelativeForm, RelativizeOptions};

/// Which fragments are checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FragmentMode {
    /// Every fragment is checked; those that scripts handle are counted.
    #[default]
    Known,
    /// Every fragment is checked; one without an anchor is broken.
    Strict,
    /// No fragment is checked.
    Off,
}

/// What the checks of every document share: the site, its files and anchors.
#[derive(Debug)]
pub(super) struct AuditContext<'a> {
    pub(super) site: &'a SiteIndex,
    pub(super) site_url: AbsoluteUrl,
    /// Whether the site's URL is known; where not, another stands for it.
    pub(super) is_published: bool,
    pub(super) fragments: FragmentMode,
    pub(super) files: FileNumbers<'a>,
    pub(super) simple: SimplePaths,
    pub(super) symlinks: DanglingSymlinks,
    pub(super) anchors: AnchorIndex,
    pub(super) suggestions: OnceLock<Suggestions>,
    /// Whether to collect the files that each document refers to.
    pub(super) needs_targets: bool,
}

/// A document and where it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'s> {
    /// Its path below the root, for people.
    pub(super) name: &'s str,
    /// What the index of the site calls it.
    pub(super) key: &'s str,
    pub(super) number: FileNumber,
    pub(super) bytes: &'s [u8],
    pub(super) own: &'s AbsoluteUrl,
}

/// How a finding can be fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedFix {
    /// The change.
    pub fix: Fix,
    /// How sure it is that the change is the right one.
    pub confidence: Confidence,
}

/// What was found in a document.
#[derive(Debug, Default)]
pub(super) struct DocumentFindings {
    pub(super) references: usize,
    pub(super) external: usize,
    /// How many findings `data-rehref-ignore` marks and comments cover.
    pub(super) ignored: usize,
    pub(super) findings: Vec<(Finding, Option<ProposedFix>)>,
    /// The fragments whose targets were not read yet, each once.
    pub(super) pending: Vec<PendingFragment>,
    /// The fragments that scripts handle, by the row of the table: how many.
    pub(super) scripted: BTreeMap<FragmentShapes, usize>,
    /// Whether a fragment of another document does not exist.
    pub(super) has_broken_fragments: bool,
    /// The files it refers to, each once.
    pub(super) targets: Vec<FileNumber>,
    /// The page that an immediate refresh redirects to, and the finding if that is a loop.
    pub(super) redirects_to: Option<(FileNumber, Option<Finding>)>,
}

/// A fragment that the second pass did not find in its target.
#[derive(Debug)]
pub(super) struct BrokenFragment {
    pub(super) file: FileNumber,
    pub(super) fragment: String,
    pub(super) finding: Finding,
}

/// The result of the second pass over a document.
#[derive(Debug, Default)]
pub(super) struct LocatedFragments {
    pub(super) broken: Vec<BrokenFragment>,
    /// The first reference that each row of the table serves.
    pub(super) scripted: BTreeMap<FragmentShapes, Finding>,
    /// How many findings `data-rehref-ignore` marks and comments cover.
    pub(super) ignored: usize,
}

/// A refresh within so many seconds leaves no time to read.
const AT_ONCE: u64 = 1;

/// Attributes whose values are no links: a base, and names of things (HTML Standard, "global
/// identifier"; HTML 4, "meta data profiles"; RDFa Core, "about", "resource").
const NO_LINKS: &[&str] = &["about", "codebase", "itemid", "profile", "resource"];

impl AuditContext<'_> {
    /// Examines a document, and notes its anchors.
    pub(super) fn examine(
        &self,
        source: Source<'_>,
        options: &ParseOptions,
    ) -> Result<DocumentFindings, DocumentError> {
        let options = ParseOptions {
            simple: true,
            ..*options
        };
        let (mut document, metadata) = parse(source, &options)?;
        let bases = document.base_urls(source.own);
        let base = bases.first().and_then(|base| base.url.as_ref());
        // An `http:` base in a page on disk is for a closer look.
        let base = base.filter(|base| base.scheme() == source.own.scheme());
        let folders = base.and_then(Folders::of);
        let is_own = base == Some(source.own);

        let simple = document.take_simple();
        let mut examination = self.examination(source, &document, &metadata, options.kind);
        let others = examination.simple_references(simple, folders.filter(|_| is_own));
        let so_far = examination.out;
        document.put_back(others);

        let mut examination = self.examination(source, &document, &metadata, options.kind);
        examination.out = so_far;
        let parts = PartIndex::of(&document, &bases);
        for reference in &document.references {
            if let Some(folders) = folders
                && examination.plain_reference(folders, is_own, reference)
            {
                continue;
            }
            let resolved = self
                .site
                .resolve_one(&document, &bases, &parts, source.own, reference);
            examination.reference(&resolved);
        }
        examination.whole_document(&bases);
        // What a fragment means in other formats, nobody here knows.
        if examination.has_anchors() {
            let anchors = FileAnchors::new(
                &examination.metadata.anchors,
                examination.rows(options.kind),
                examination.takes_fragments_to(),
            );
            self.anchors.set(source.number, anchors);
        }
        let mut out = examination.out;
        out.targets.sort_unstable();
        out.targets.dedup();
        Ok(out)
    }

    /// Examines a document again, now that the anchors of all others are known: where the fragments
    /// stand that lead nowhere, and those that scripts serve.
    pub(super) fn locate(
        &self,
        source: Source<'_>,
        options: &ParseOptions,
    ) -> Result<LocatedFragments, DocumentError> {
        let (document, metadata) = parse(source, options)?;
        let bases = document.base_urls(source.own);
        let mut examination = self.examination(source, &document, &metadata, options.kind);
        let mut located = LocatedFragments::default();
        for resolved in self.site.resolve(&document, &bases, source.own) {
            examination.locate(&resolved, &mut located);
        }
        Ok(located)
    }

    fn examination<'e>(
        &'e self,
        source: Source<'e>,
        document: &'e Document<'e>,
        metadata: &'e Metadata,
        kind: DocumentKind,
    ) -> DocumentAuditor<'e> {
        let site_url = match &self.site.archive {
            // An archive may hold several hosts; each is a site of its own.
            Some(_) => source.own.resolve("/", encoding_rs::UTF_8).ok(),
            None => None,
        };
        DocumentAuditor {
            context: self,
            site_url: site_url.map_or(Cow::Borrowed(&self.site_url), Cow::Owned),
            document,
            metadata,
            source,
            kind,
            positions: Positions::new(document.working_bytes()),
            url_findings: Vec::new(),
            path: String::new(),
            out: DocumentFindings::default(),
        }
    }

    fn suggestions(&self) -> &Suggestions {
        self.suggestions
            .get_or_init(|| Suggestions::new(&self.site.files))
    }

    /// A target as people and programs are told: the URL, or where that is not known the path from
    /// the root.
    fn shown(&self, target: &AbsoluteUrl) -> String {
        let whole = target.as_str();
        let site = self.site_url.as_str();
        match whole.strip_prefix(site.trim_end_matches('/')) {
            Some(rest) if !self.is_published => rest.to_owned(),
            _ => whole.to_owned(),
        }
    }
}

fn parse<'s>(
    source: Source<'s>,
    options: &ParseOptions,
) -> Result<(Document<'s>, Metadata), DocumentError> {
    let options = ParseOptions {
        metadata: true,
        ..*options
    };
    let mut document = Document::parse(source.bytes, &options)?;
    let metadata = document.metadata.take().unwrap_or_default();
    Ok((document, metadata))
}

/// A document that is being examined.
struct DocumentAuditor<'e> {
    context: &'e AuditContext<'e>,
    site_url: Cow<'e, AbsoluteUrl>,
    document: &'e Document<'e>,
    metadata: &'e Metadata,
    source: Source<'e>,
    kind: DocumentKind,
    positions: Positions<'e>,
    /// Used again for each reference.
    url_findings: Vec<UrlFinding>,
    /// The same.
    path: String,
    out: DocumentFindings,
}

impl DocumentAuditor<'_> {
    fn reference(&mut self, resolved: &Resolved<'_>) {
        let reference = resolved.reference;
        self.out.references += 1;
        match resolved.place {
            Place::Outside => self.out.external += 1,
            Place::Inside { .. } => self.refers(resolved),
            Place::Nowhere | Place::Part { .. } => {}
        }
        if simple::is_hint(reference.rel) {
            return;
        }
        match reference.class {
            // What makes URLs by the rules of its format (OpenSearch, XSLT) is no markup.
            Class::TemplateMarkup if self.is_made_by_rule(resolved) => return,
            Class::TemplateMarkup => {
                let message = "unrendered template markup".to_owned();
                return self.report(resolved, Check::TemplateMarkup, None, message, None);
            }
            Class::RelativeOnly => return,
            Class::SameDocument => return self.same_document(resolved),
            Class::Ordinary | Class::Empty => {}
        }
        let is_read_otherwise = self.by_itself(resolved);
        if self.is_no_link(resolved.reference) || is_read_otherwise {
            return;
        }
        if self.target(resolved) {
            self.fragment(resolved);
        }
    }

    fn is_refresh(&self, reference: &Reference) -> bool {
        let container = self.document.container_of(reference);
        let rules = container.and_then(|container| container.kind.rules());
        rules.is_some_and(|rules| rules.kind == ValueKind::Refresh)
    }

    /// Whether it stands in JSON, where URLs with a fragment name things, whole for all readers.
    fn is_data(&self, reference: &Reference) -> bool {
        let container = self.document.container_of(reference);
        container.is_some_and(|container| container.syntax == Syntax::Json)
    }

    /// Whether the format itself says that this stands for many URLs.
    fn is_made_by_rule(&self, resolved: &Resolved<'_>) -> bool {
        let container = self.document.container_of(resolved.reference);
        container.is_some_and(|container| matches!(container.kind, ContainerKind::Xml { .. }))
            && !template_markup::is_in(resolved.text)
    }

    /// Whether the reference is no link: others are relative to it, or it is the name of a thing,
    /// which need not be a place.
    fn is_no_link(&self, reference: &Reference) -> bool {
        let container = self.document.container_of(reference);
        self.document.is_base_element(reference)
            || container.is_some_and(|container| match &container.kind {
                ContainerKind::Attribute { name, .. } => NO_LINKS.contains(&name.as_str()),
                // What gives a message its own URL.
                ContainerKind::Header { .. } => self.document.is_base_of_scope(reference.container),
                _ => false,
            })
    }

    /// Notes where the reference leads.
    fn refers(&mut self, resolved: &Resolved<'_>) {
        let Place::Inside {
            served: Some(served),
            ..
        } = &resolved.place
        else {
            return;
        };
        let is_refresh = self.is_refresh_at_once(resolved);
        if !self.context.needs_targets && !is_refresh {
            return;
        }
        let file = served.file();
        let Some(number) = file.and_then(|file| self.context.files.number(file)) else {
            return;
        };
        if is_refresh && self.out.redirects_to.is_none() {
            let found = self.finding(resolved, Check::MetaRefreshLoop, None, String::new(), None);
            self.out.redirects_to = Some((number, found.map(|(finding, _)| finding)));
        }
        if self.context.needs_targets && !self.is_no_link(resolved.reference) {
            self.out.targets.push(number);
        }
    }

    fn is_refresh_at_once(&self, resolved: &Resolved<'_>) -> bool {
        let container = self.document.container_of(resolved.reference);
        let container = container.filter(|_| self.is_refresh(resolved.reference));
        container.is_some_and(|container| {
            container.parent.is_none()
                && refresh::seconds(container.text.as_str()).is_some_and(|time| time < AT_ONCE)
        })
    }

    /// What can be said of the reference by itself. Whether it is read otherwise than it looks, so
    /// that nothing is to be said of its target.
    fn by_itself(&mut self, resolved: &Resolved<'_>) -> bool {
        let target = match &resolved.target {
            Some(Ok(target)) => Ok(target),
            Some(Err(error)) => Err(error),
            None if resolved.reference.class == Class::Empty => Ok(self.source.own),
            None => return false,
        };
        let target_exists = matches!(
            resolved.place,
            Place::Inside {
                served: Some(_),
                ..
            } | Place::Part { part: Some(_), .. }
        );
        let base = resolved.base.as_deref();
        let own = self.source.own;
        if target.is_ok() && url_checks::is_plain(resolved.text, base, own, target_exists) {
            return false;
        }
        let encoding = self
            .document
            .container_of(resolved.reference)
            .map_or(encoding_rs::UTF_8, |container| container.query_encoding);
        let mut found = std::mem::take(&mut self.url_findings);
        let usage = || url_checks::usage(self.document, resolved.reference);
        let subject = ReferenceContext {
            reference: resolved.text,
            class: resolved.reference.class,
            usage: &usage,
            base,
            own,
            site: &self.site_url,
            is_published: self.context.is_published,
            target,
            target_exists,
            encoding,
        };
        url_checks::check(&subject, &mut found);
        let is_read_otherwise = found.iter().any(|finding| {
            finding.check == Check::SchemeLookalike || finding.severity == Severity::Error
        });
        for finding in found.drain(..) {
            let mut message = finding.message;
            if let Some(at) = finding.at.filter(|at| *at > 0) {
                let before = resolved.text.get(..at).unwrap_or_default();
                let number = before.chars().count() + 1;
                message = format!("{message} (at character {number})");
            }
            self.report(
                resolved,
                finding.check,
                Some(finding.severity),
                message,
                finding.suggestion.map(|with| (with, Confidence::Guess)),
            );
        }
        self.url_findings = found;
        is_read_otherwise || resolved.reference.class == Class::Empty
    }

    /// Looks whether anything is where the reference leads; where not, its fragment is not looked
    /// for.
    fn target(&mut self, resolved: &Resolved<'_>) -> bool {
        if let Place::Part { part, fragment } = &resolved.place {
            self.part(resolved, *part, fragment.as_deref());
            return false;
        }
        let Place::Inside { path, served, .. } = &resolved.place else {
            return false;
        };
        let context = self.context;
        // Where the link is a file of the tree, its own finding says that it leads out.
        let path_there = served.as_ref().and_then(|served| served.file());
        if context.symlinks.count(path_there.unwrap_or(path)) {
            return path_there.is_some();
        }
        let names_this_page = self.names_this_page(resolved);
        if names_this_page && path_there.is_some() {
            return true;
        }
        let suggestions = || context.suggestions();
        if let Some(problem) = targets::check(context.site, &suggestions, self.source.own, resolved)
        {
            let suggestion = problem.suggestion.map(|with| (with, problem.confidence));
            self.report(resolved, problem.check, None, problem.message, suggestion);
            return problem.check != Check::BrokenTarget;
        }
        self.self_link(resolved);
        true
    }

    /// Whether it is the page's own published URL, or a translation's: absolute, and perhaps clean.
    fn names_this_page(&self, resolved: &Resolved<'_>) -> bool {
        let rel = resolved.reference.rel;
        rel.has(Rel::CANONICAL) || rel.has(Rel::ALTERNATE) && rel.has(Rel::HREFLANG)
    }

    /// absolute-self-link.
    fn self_link(&mut self, resolved: &Resolved<'_>) {
        let reference = resolved.reference;
        // Feeds are read elsewhere.
        let is_feed = self.kind == DocumentKind::Xml && !self.has_anchors();
        let has_to_be_absolute = is_feed
            || self.is_data(reference)
            || reference.constraints.absolute
            || reference.rel.has(Rel::ALTERNATE)
            || reference.rel.has(Rel::CANONICAL)
            || reference.rel.has(Rel::SELF);
        // Programs that save a page with its parts make its URLs absolute.
        let is_saved = !self.document.parts.is_empty();
        if !self.context.is_published || has_to_be_absolute || is_saved {
            return;
        }
        let (Some(base), Some(Ok(target))) = (resolved.base.as_deref(), &resolved.target) else {
            return;
        };
        // Most references are seen to be relative at a glance.
        let text = resolved.text.trim_ascii_start();
        let may_be = text.contains("//") || text.contains('\\');
        let own = self.source.own;
        if may_be
            && (text.starts_with("//") || own.is_absolute_form(text, target, encoding_rs::UTF_8))
        {
            let message = "an absolute URL into the same site".to_owned();
            // By its first URL, where the reference has another of the site's.
            let relative = targets::in_site(self.context.site, resolved).and_then(|url| {
                base.relativize(&url, RelativizeOptions::from(RelativeForm::Shortest))
            });
            // An archive may hold several hosts; each is a site of its own.
            let is_same_host = |with: &String| !with.starts_with("//");
            if self.context.site.archive.is_some() && !relative.as_ref().is_some_and(is_same_host) {
                return;
            }
            let suggestion = relative.map(|with| (with, Confidence::Guess));
            self.report(resolved, Check::AbsoluteSelfLink, None, message, suggestion);
        }
    }

    fn report(
        &mut self,
        resolved: &Resolved<'_>,
        check: Check,
        severity: Option<Severity>,
        message: String,
        suggestion: Option<(String, Confidence)>,
    ) {
        match self.finding(resolved, check, severity, message, suggestion) {
            Some(found) => self.out.findings.push(found),
            None => self.out.ignored += 1,
        }
    }

    /// Whether the author does not want to hear of what the check finds in the reference.
    fn is_ignored(&self, reference: &Reference, check: Check) -> bool {
        !self.metadata.ignored.is_empty() && {
            let at = self.document.span_of(reference).start;
            self.metadata.ignores(at, check.id())
        }
    }

    /// The finding, unless the author does not want to hear of it.
    fn finding(
        &mut self,
        resolved: &Resolved<'_>,
        check: Check,
        severity: Option<Severity>,
        message: String,
        suggestion: Option<(String, Confidence)>,
    ) -> Option<(Finding, Option<ProposedFix>)> {
        if self.is_ignored(resolved.reference, check) {
            return None;
        }
        let span = self.document.span_of(resolved.reference);
        let mut location = location_of(self.document, resolved.reference, &mut self.positions);
        self.source.name.clone_into(&mut location.path);
        let target = resolved.target.as_ref().and_then(|it| it.as_ref().ok());
        let fix = suggestion
            .as_ref()
            .filter(|(_, repair)| *repair != Confidence::Guess)
            .map(|(replacement, repair)| ProposedFix {
                fix: Fix {
                    span,
                    reference: resolved.text.to_owned(),
                    replacement: replacement.clone(),
                },
                confidence: *repair,
            });
        let mut finding = Finding::new(check, location, message);
        finding.severity = severity.unwrap_or(finding.severity);
        finding.reference = Some(resolved.text.to_owned());
        finding.target = target.map(|target| self.context.shown(target));
        finding.suggestion = suggestion.map(|(with, _)| with);
        Some((finding, fix))
    }
}

mod fragments;
mod simple;
mod whole;
