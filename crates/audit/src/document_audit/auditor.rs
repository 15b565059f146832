//! The state of the audit of one document: what its checks read, and the findings so far.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::anchors::{AnchorHomes, AnchorMaker};
use crate::checks::Check;
use crate::context::{AuditContext, DocumentFindings};
use crate::files::FileNumber;
use crate::finding::{Confidence, Finding, ProposedFix, ReferenceFinding};
use crate::fragment_shapes::{FragmentShapes, FragmentTarget};
use crate::site_index::SiteIndex;
use crate::site_index::{ResolvedReference, location_of};
use crate::suggest::AnchorSuggestions;
use crate::targets::MissingTargets;
use rehref_corpus::SourceDocument;
use rehref_document::Fix;
use rehref_document::container::{ContainerKind, Syntax};
use rehref_document::html::ValueKind;
use rehref_document::{Document, DocumentKind, Metadata, Positions, Reference};
use rehref_generators::memory_budget;
use rehref_site::plural::counted;
use rehref_site::{FileIndex, Severity};
use rehref_url::{AbsoluteUrl, ReferenceForm};

/// Attributes whose values are not targets: a base URL, names of things (HTML Standard, "global identifier"; HTML 4, "meta
/// data profiles"; RDFa Core, "about", "resource"), and the names of maps, which have a check of their own.
pub(super) const NOT_LINKS: &[&str] =
    &["about", "codebase", "itemid", "profile", "resource", "usemap"];

/// The bytes that a finding takes, besides its texts, with what reports make of it.
const FINDING: usize = 700;

/// The audit of one document.
pub(super) struct DocumentAuditor<'e> {
    pub(super) context: &'e AuditContext<'e>,
    /// The site as the document sees it.
    pub(super) site: &'e SiteIndex,
    pub(super) source: &'e SourceDocument<'e>,
    /// The document's number in the index; [`FileNumber::MAX`] if no link can lead to it.
    pub(super) number: FileNumber,
    pub(super) document: &'e Document<'e>,
    pub(super) metadata: &'e Metadata,
    /// The URL of the site; for a record of an archive, the root of its host.
    pub(super) site_url: Cow<'e, AbsoluteUrl>,
    pub(super) positions: Positions<'e>,
    /// The anchors of the document, indexed when the first fragment is broken.
    pub(super) ids: OnceCell<AnchorSuggestions<'e>>,
    name: OnceCell<Arc<str>>,
    /// The numbers of the parts of a message, by the scopes of the documents that they are.
    pub(super) parts: OnceCell<HashMap<usize, usize>>,
    /// The containers that give base URLs, collected for the first header.
    bases: OnceCell<HashSet<usize>>,
    /// Whether most paths from the root in data are those of pages.
    pub(super) has_whole_paths: OnceCell<bool>,
    /// The findings about targets that are missing, by their paths.
    pub(super) missing: MissingTargets,
    /// The latest path of a simple reference, with the number of its `../`, and the file there: a page refers to one
    /// file many times in a row.
    pub(super) latest: (usize, String, Option<FileNumber>),
    /// The files that have the missing fragments, in the second pass, which reports only fragments.
    pub(super) homes: Option<&'e AnchorHomes>,
    /// The files whose texts are parts of the document.
    pub(super) included: Vec<FileNumber>,
    /// The plugin, theme or component that may make further anchors in the document.
    pub(super) maker: Option<AnchorMaker>,
    pub(super) out: DocumentFindings,
}

/// The reasons for which a finding in a document of a generator is a warning.
const USED: &str = "the URLs of the pages that use this file decide";
const OF_HOST: &str = "the host may have more than this site";
const OF_MIRROR: &str = "the host may have more than this mirror of it";
const NO_PAGE: &str = "no page is made of this document";
const OWN_PROJECT: &str = "it is of a project of its own, which may be published elsewhere";

impl<'e> DocumentAuditor<'e> {
    pub(super) fn new(
        context: &'e AuditContext<'e>,
        source: &'e SourceDocument<'e>,
        document: &'e Document<'e>,
        metadata: &'e Metadata,
        homes: Option<&'e AnchorHomes>,
    ) -> DocumentAuditor<'e> {
        // An archive may hold several hosts; each is a site of its own.
        let host = match context.site.archive {
            Some(_) => source.fallback_base.resolve("/", encoding_rs::UTF_8).ok(),
            None => None,
        };
        DocumentAuditor {
            context,
            site: context.site.of_document(source.index_key),
            source,
            number: context.number_of(source).unwrap_or(FileNumber::MAX),
            document,
            metadata,
            site_url: host.map_or(Cow::Borrowed(&context.site_url), Cow::Owned),
            positions: Positions::new(document.working_bytes()),
            ids: OnceCell::new(),
            name: OnceCell::new(),
            parts: OnceCell::new(),
            bases: OnceCell::new(),
            has_whole_paths: OnceCell::new(),
            missing: MissingTargets::default(),
            latest: Default::default(),
            homes,
            included: Vec::new(),
            maker: None,
            out: DocumentFindings {
                room: memory_budget(source.bytes.len()),
                ..DocumentFindings::default()
            },
        }
    }

    /// Returns the document's name in reports, which all its findings share.
    pub(super) fn name(&self) -> Arc<str> {
        let name = self.name.get_or_init(|| self.source.name.into());
        Arc::clone(name)
    }

    /// Returns the document's own URL.
    pub(super) fn own(&self) -> &'e AbsoluteUrl {
        self.source.fallback_base
    }

    pub(super) fn kind(&self) -> DocumentKind {
        self.source.options.kind
    }

    pub(super) fn is_refresh(&self, reference: &Reference) -> bool {
        let container = self.document.container_of(reference);
        let rules = container.and_then(|container| container.kind.rules());
        rules.is_some_and(|rules| rules.kind == ValueKind::Refresh)
    }

    /// Returns true if the reference is in JSON, where URLs are names: programs compare them whole, with
    /// their fragments.
    pub(super) fn is_data(&self, reference: &Reference) -> bool {
        let container = self.document.container_of(reference);
        container.is_some_and(|container| container.syntax == Syntax::Json)
    }

    /// Returns true if the reference is a link, so that its target has to exist: neither a base URL nor the
    /// name of a thing, nor the start of other URLs.
    pub(super) fn is_link(&self, reference: &Reference) -> bool {
        let container = self.document.container_of(reference);
        // The checks of rules look at both sides together.
        let is_rule = reference.constraints.is_pattern();
        !is_rule
            && !self.document.is_base_element(reference)
            && container.is_none_or(|container| match &container.kind {
                ContainerKind::Attribute { row, .. } => {
                    !row.rules.prefix && !NOT_LINKS.contains(&row.attribute)
                }
                // The header that gives a message its own URL.
                ContainerKind::Header(_) => {
                    let bases = self.bases.get_or_init(|| self.document.base_containers());
                    !bases.contains(&reference.container)
                }
                _ => true,
            })
    }

    /// The kind of target that fragments of this document have.
    fn fragment_target(&self) -> FragmentTarget {
        FragmentTarget::of(self.kind(), self.source.index_key)
    }

    /// Returns true if fragments of this document name elements; in other formats their meaning is unknown.
    pub(super) fn has_anchors(&self) -> bool {
        self.fragment_target() != FragmentTarget::Other
    }

    /// Returns the shapes of fragments that scripts may handle in this document.
    pub(super) fn shapes_of_document(&self) -> FragmentShapes {
        let generators = self.metadata.generators.iter().map(String::as_str);
        let dialect = match self.kind() {
            DocumentKind::Markdown(dialect) => Some(dialect.row().name),
            _ => None,
        };
        let generators = generators.chain(dialect);
        FragmentShapes::of_target(self.fragment_target(), generators)
    }

    /// Returns true if a `data-rehref-ignore` mark or comment covers what `check` finds in the reference.
    pub(super) fn is_ignored(&self, reference: &Reference, check: Check) -> bool {
        !self.metadata.ignored.is_empty() && {
            let at = self.document.span_of(reference).start;
            self.metadata.ignores(at, check.id())
        }
    }

    /// Adds the finding, or counts it if the author ignores it. The second pass would do so again.
    pub(super) fn report(&mut self, resolved: &ResolvedReference<'_>, found: ReferenceFinding) {
        if self.homes.is_some() {
            return;
        }
        match self.finding(resolved, found) {
            Some(finding) => self.push(finding),
            None => self.out.ignored += 1,
        }
    }

    /// Adds the finding about the element or text at byte `at`, whose location has only the names, or counts it if the
    /// author ignores it.
    pub(super) fn report_at(&mut self, at: usize, mut finding: Finding) {
        if self.metadata.ignores(at, finding.check.id()) {
            self.out.ignored += 1;
            return;
        }
        finding.location.position = Some(self.positions.of(at));
        finding.location.path = self.name();
        self.push(finding);
    }

    /// Adds the finding if there is room for it.
    pub(super) fn push(&mut self, finding: Finding) {
        if self.takes_room(&finding) {
            self.out.findings.push(finding);
        }
    }

    /// Takes the room for the finding, or counts it as dropped. Returns true if there was room.
    pub(super) fn takes_room(&mut self, finding: &Finding) -> bool {
        let texts = [&finding.reference, &finding.target, &finding.suggestion, &finding.help];
        let texts = texts.into_iter().flatten().map(|text| text.len());
        let cost = texts.sum::<usize>() + finding.message.len() + FINDING;
        let room = self.out.room.checked_sub(cost);
        self.out.room = room.unwrap_or(self.out.room);
        self.out.dropped += usize::from(room.is_none());
        room.is_some()
    }

    /// Reports that there was no room for some findings.
    pub(super) fn report_dropped(&mut self) {
        if self.out.dropped > 0 {
            let message = format!(
                "{} {} not reported, since the findings would take far more memory than the document",
                counted(self.out.dropped, "finding"),
                if self.out.dropped == 1 { "was" } else { "were" }
            );
            let help = "fix or ignore the reported findings, then run the audit again";
            let finding = Finding::of_file(Check::TooComplex, self.name(), message).with_help(help);
            self.out.findings.push(finding);
        }
    }

    /// Returns the finding with its location; `None` if the author ignores it.
    pub(super) fn finding(
        &mut self,
        resolved: &ResolvedReference<'_>,
        found: ReferenceFinding,
    ) -> Option<Finding> {
        if self.is_ignored(resolved.reference, found.check) {
            return None;
        }
        let found = self.certain(found, resolved);
        let mut location = location_of(self.document, resolved.reference, &mut self.positions);
        location.path = self.name();
        let target = resolved.url();
        let mut finding = Finding::new(found.check, location, found.message);
        finding.severity = found.severity;
        finding.width = self.width_of(resolved.reference);
        finding.reference = Some(resolved.text.into());
        finding.target = target.map(|target| self.shown(target).into());
        finding.suggestion = found.suggestion.map(Box::from);
        finding.help = found.help.map(Box::from);
        let file = found.file.filter(|_| found.confidence == Confidence::Moved);
        let fragment = file.and_then(|file| self.fragment_in(&file, resolved.place.fragment()?));
        let replacement = finding.suggestion.as_ref();
        let replacement = replacement.filter(|_| found.confidence != Confidence::Guess);
        finding.fix = replacement.map(|replacement| {
            Box::new(ProposedFix {
                document: self.source.retrieval_url.to_string(),
                fix: Fix {
                    span: self.document.span_of(resolved.reference),
                    reference: resolved.text.to_owned(),
                    replacement: replacement.to_string(),
                },
                confidence: found.confidence,
                fragment,
            })
        });
        Some(finding)
    }

    /// `found` about a reference, which is a warning at most if visitors do not find the document, or if the host may
    /// have the target. A document of which the generator makes no page is read in the repository: a relative path leads to
    /// a file there.
    fn certain(
        &self,
        found: ReferenceFinding,
        resolved: &ResolvedReference<'_>,
    ) -> ReferenceFinding {
        let text = resolved.text;
        let is_included = self.source.fallback_base != self.source.retrieval_url;
        let (files, own) = (&self.context.site.files, self.source.index_key);
        let name = text.split(['?', '#']).next().and_then(|path| path.rsplit('/').next());
        // A page of a build.
        let has_name = name.is_some_and(|name| name.contains('.') && !name.ends_with(".html"));
        let container = self.document.container_of(resolved.reference);
        // The generator leaves it to browsers.
        let is_of_html =
            matches!(container.map(|it| &it.kind), Some(ContainerKind::Attribute { .. }));
        let has_name = has_name && !is_of_html;
        let form = ReferenceForm::of(text);
        let is_url = match form {
            ReferenceForm::Root => true,
            ReferenceForm::Path => !has_name,
            _ => false,
        };
        let has_host = matches!(form, ReferenceForm::Absolute | ReferenceForm::Scheme);
        let is_used = || {
            let is_part = || files.is_part(own) || files.is_theme_template(own);
            let is_fixed = form == ReferenceForm::Root && is_part();
            found.severity == Severity::Error
                && !has_host
                && !is_fixed
                && !is_included
                && self.is_used_elsewhere()
        };
        let is_url_inferred = || match self.other_site(resolved) {
            Some((_, other)) => other.is_url_inferred,
            None => self.context.is_url_inferred,
        };
        let has_no_page =
            |files: &FileIndex| files.is_unpublished(own) || is_url && files.makes_no_page(own);
        let reason = match found.check {
            Check::BrokenTarget | Check::WrongCase | Check::EscapesRoot if is_used() => USED,
            _ if files.is_complete_list(own) => return found,
            _ if !is_included && has_no_page(files) => {
                if has_no_page(files.of_document(own)) {
                    NO_PAGE
                } else {
                    OWN_PROJECT
                }
            }
            Check::BrokenTarget | Check::BrokenFragment if has_host && is_url_inferred() => {
                if self.site.site_url.has_mounts() { OF_MIRROR } else { OF_HOST }
            }
            _ => return found,
        };
        let message = format!("{}; {reason}", found.message);
        ReferenceFinding { message: message.into(), ..found }.at_most(Severity::Warning)
    }

    /// Returns true if pages at other URLs have the text of the document, which is in HTML, CSS or SVG: a template, or one that the
    /// generator makes a page of.
    fn is_used_elsewhere(&self) -> bool {
        use DocumentKind::{Css, Html, Xhtml, Xml};
        let (files, own) = (&self.context.site.files, self.source.index_key);
        let files = files.of_document(own);
        let has_own_url = |url: String| {
            let index = own.strip_suffix("index.html").unwrap_or(own);
            url == own || url == index
        };
        matches!(self.kind(), Html | Xhtml | Css | Xml)
            && (files.is_unserved(own) || files.url_of_page(own).is_some_and(|it| !has_own_url(it)))
    }

    /// The characters of `reference` in the source; 0 if it is on several lines.
    fn width_of(&self, reference: &Reference) -> u32 {
        let span = self.document.span_of(reference);
        let written = self.document.working_bytes().get(span.start..span.end);
        match std::str::from_utf8(written.unwrap_or_default()) {
            Ok(written) if !written.contains('\n') => {
                u32::try_from(written.chars().count()).unwrap_or_default()
            }
            _ => 0,
        }
    }

    /// Returns a target as reports show it.
    pub(super) fn shown<'t>(&self, target: &'t AbsoluteUrl) -> &'t str {
        self.context.shown(target.as_str(), &self.site_url)
    }
}
