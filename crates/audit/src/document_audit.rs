//! Audits one document: its references, and the document as a whole.
//!
//! [`auditor`] holds the state. The other modules are the steps: [`simple`] is the fast path,
//! [`mod@reference`] decides which checks a reference needs, and checks it without its target, [`target`] checks the
//! target, [`other_site`] that of a link to another site, [`fragments`] the fragment, [`integrity`] the digests of files,
//! [`manifest`] the manifest of a book, [`whole`] the document as a whole. [`rows`] makes rows for the audit by joins instead.

mod auditor;
mod fragments;
mod integrity;
mod manifest;
mod other_site;
mod reference;
mod rows;
mod simple;
mod target;
mod whole;

use std::path::Path;

use super::anchors::{AnchorHomes, AnchorMaker, FileAnchors, IMPORTER};
use super::checks::Check;
use super::context::{AuditContext, DocumentFindings};
use super::files::FileNumber;
use super::finding::Finding;
use super::message_parts::PartIndex;
use auditor::DocumentAuditor;
use rehref_corpus::{Role, SourceDocument};
use rehref_document::container::ContainerKind;
use rehref_document::{
    BaseUrl, Document, DocumentError, Metadata, ParseOptions, Reference, is_markdown,
};
use rehref_url::simple::Folders;

impl AuditContext<'_> {
    /// Checks a document. The first pass adds its anchors to the index. In the second pass all anchors are known:
    /// it locates the broken fragments, and the first fragment for each row of the table of fragment shapes.
    /// `homes` are then those of the missing fragments.
    pub(super) fn examine(
        &self,
        source: &SourceDocument<'_>,
        homes: Option<&AnchorHomes>,
    ) -> Result<DocumentFindings, DocumentError> {
        let is_served_anywhere = self.is_served_anywhere(source);
        let (mut document, metadata) = match parse(source, !is_served_anywhere) {
            Err(DocumentError::NotWellFormed { .. }) if self.site.files.renders(source.bytes) => {
                let message =
                    "the generator renders this file before it is XML: its links are not checked";
                let found = Finding::of_file(Check::TemplateMarkup, source.name, message);
                let findings = Vec::from_iter(homes.is_none().then_some(found));
                return Ok(DocumentFindings { findings, ..DocumentFindings::default() });
            }
            parsed => parsed?,
        };
        let own = source.fallback_base;
        let site = self.site.of_document(source.index_key);
        let bases = document.base_urls(own);
        let base = bases.first().and_then(|base| base.url.as_ref());
        // The fast path does not check schemes, as of an `http:` base in a page on disk.
        let base = base.filter(|base| base.scheme() == own.scheme());
        let folders = base.and_then(Folders::of).filter(|_| !is_served_anywhere);
        let is_own = base == Some(own);

        let (included, unread) = self.included(source, &document, &bases);
        let importer = || site.files.is_imported(source.index_key).then(|| IMPORTER.to_owned());
        let maker = site.files.maker_of_anchor(&metadata.makers).or(unread).or_else(importer);
        let of_headings = || {
            let name = site.files.maker_of_heading_ids()?;
            Some(AnchorMaker::of_headings(name, &metadata.anchors))
        };
        let maker = maker.map(AnchorMaker::of_any).or_else(of_headings);
        let evidence = homes.is_none().then(|| self.evidence_of(source, &document)).flatten();
        let mut simple = document.take_simple();
        if homes.is_some() {
            // The second pass is about fragments.
            simple.retain(|value| document.text_of_simple(value).contains('#'));
        }
        let mut auditor = DocumentAuditor::new(self, source, &document, &metadata, homes);
        auditor.included.clone_from(&included);
        auditor.maker.clone_from(&maker);
        if let Some(folders) = folders.filter(|_| is_own) {
            simple.retain(|value| !auditor.simple_value(folders, value));
        }
        let so_far = auditor.out;
        document.put_back(simple);

        let mut auditor = DocumentAuditor::new(self, source, &document, &metadata, homes);
        auditor.out = so_far;
        auditor.included = included;
        auditor.maker = maker;
        let parts = PartIndex::of(&document, &bases);
        for reference in &document.references {
            if homes.is_some() && !document.text_of(reference).contains('#') {
                continue;
            }
            if let Some(folders) = folders
                && auditor.simple_reference(folders, is_own, reference)
            {
                continue;
            }
            let resolved = site.resolve(&document, &bases, &parts, own, reference);
            auditor.reference(&resolved);
            if is_served_anywhere {
                auditor.depth(&resolved);
            }
        }
        if homes.is_some() {
            return Ok(auditor.out);
        }
        auditor.unlisted_files(&bases, &parts);
        auditor.integrity(&bases);
        auditor.whole_document(&bases);
        if auditor.has_anchors() {
            let anchors = FileAnchors::new(
                &metadata.anchors,
                auditor.shapes_of_document(),
                auditor.carries_fragments_to(),
            )
            .including(&auditor.included)
            .made_by(auditor.maker.clone());
            // A crawl may have several captures of a URL. The first capture in the archives counts, not the first that a
            // thread finishes.
            match self.site.archive {
                Some(_) => auditor.out.anchors = Some((auditor.number, anchors)),
                None => self.anchors.set(auditor.number, anchors),
            }
        }
        auditor.report_dropped();
        let mut out = auditor.out;
        out.file = self.number_of(source);
        out.is_headers = source.role == Role::Headers;
        out.targets.sort_unstable();
        out.targets.dedup();
        out.evidence = evidence;
        Ok(out)
    }
}

impl AuditContext<'_> {
    /// The files whose texts are parts of a document, and the name in messages of one that is not in the site.
    fn included(
        &self,
        source: &SourceDocument<'_>,
        document: &Document<'_>,
        bases: &[BaseUrl],
    ) -> (Vec<FileNumber>, Option<String>) {
        let is_part = |reference: &&Reference| {
            let container = document.container_of(reference);
            container.is_some_and(|it| match it.kind {
                ContainerKind::Markdown(row) if row.is_part_of_page() => true,
                ContainerKind::Include(row) => matches!(row.directive, "include" | "exec"),
                _ => it.kind.is_import() && is_markdown(Path::new(document.text_of(reference))),
            })
        };
        let parts = PartIndex::default();
        let (mut included, mut unread) = (Vec::new(), None);
        for reference in document.references.iter().filter(is_part) {
            let own = source.fallback_base;
            let site = self.site.of_document(source.index_key);
            let resolved = site.resolve(document, bases, &parts, own, reference);
            match resolved.place.file().and_then(|file| self.files.number(file)) {
                Some(number) => included.push(number),
                None => unread = Some(format!("the included {}", resolved.text)),
            }
        }
        (included, unread)
    }
}

/// Parses a document with its metadata; `simple` as in [`ParseOptions`].
fn parse<'s>(
    source: &SourceDocument<'s>,
    simple: bool,
) -> Result<(Document<'s>, Metadata), DocumentError> {
    let options = ParseOptions { metadata: true, simple, ..source.options };
    let mut document = source.parse(&options)?;
    let metadata = document.metadata.take().unwrap_or_default();
    Ok((document, metadata))
}
