//! The context that the audits of all documents share, and the results of each.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::anchors::{AnchorIndex, FileAnchors, PendingFragment};
use super::files::{FileNumber, FileNumbers, ItemNumber};
use super::finding::Finding;
use super::fragment_shapes::FragmentShapes;
use super::site_index::SiteIndex;
use super::suggest::{SuggestionIndex, Suggestions};
use super::symlinks::DanglingSymlinks;
use crate::publication::DocumentEvidence;
use rehref_corpus::ServedAnywhere;
use rehref_corpus::files::work_tree_of;
use rehref_corpus::{Corpus, Role, SiteDigests, SourceDocument};
use rehref_document::Document;
use rehref_generators::markdown::UnreadLink;
use rehref_site::{Diagnostic, SitePaths, SiteUrl};
use rehref_url::AbsoluteUrl;

/// The strictness with which the audit checks fragments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FragmentMode {
    /// Every fragment needs an anchor, except that fragments that scripts handle are only counted.
    #[default]
    Known,
    /// Every fragment needs an anchor.
    Strict,
    /// No fragment is checked.
    Off,
}

/// The site, its files and their anchors: everything that the audits of all documents share.
#[derive(Debug)]
pub(super) struct AuditContext<'a> {
    pub(super) site: &'a SiteIndex,
    pub(super) site_url: AbsoluteUrl,
    /// True if the site's URL is known; if not, `site_url` is a placeholder.
    pub(super) is_published: bool,
    /// True if only the files of SITE state its URL.
    pub(super) is_url_inferred: bool,
    /// True if a single document is audited, and not the site around it.
    pub(super) is_single: bool,
    /// True if the site is a directory of a larger git work tree.
    pub(super) is_part: bool,
    pub(super) fragments: FragmentMode,
    pub(super) files: FileNumbers<'a>,
    /// The files at simple paths that have no finding.
    pub(super) paths: SitePaths<FileNumber>,
    pub(super) symlinks: DanglingSymlinks,
    pub(super) anchors: AnchorIndex,
    /// Other URLs that visitors may take for the same site, and that are not known to be it.
    pub(super) siblings: Vec<SiteUrl>,
    /// The documents that servers send for URLs at any depth.
    pub(super) served_anywhere: &'a ServedAnywhere,
    /// The digests of the files that documents state digests of.
    pub(super) digests: SiteDigests<'a>,
    pub(super) suggestions: SuggestionIndex,
    /// True to collect the files that each document refers to.
    pub(super) needs_targets: bool,
    /// The items that are asked where the site is published.
    pub(super) witnesses: Option<&'a BTreeSet<ItemNumber>>,
    /// The other sites that links are followed to.
    pub(super) others: Vec<AuditContext<'a>>,
}

impl<'a> AuditContext<'a> {
    /// Returns the context of a published site, without the tables that only directories have.
    pub(super) fn new(site: &'a SiteIndex, corpus: &'a Corpus) -> AuditContext<'a> {
        let files = FileNumbers::new(site);
        AuditContext {
            site,
            site_url: AbsoluteUrl::new(corpus.standard, site.site_url.url().clone()),
            is_published: true,
            is_url_inferred: false,
            is_single: false,
            is_part: work_tree_of(&corpus.root).is_some_and(|it| it != corpus.root),
            fragments: FragmentMode::Known,
            paths: SitePaths::default(),
            symlinks: DanglingSymlinks::default(),
            anchors: AnchorIndex::new(files.len()),
            siblings: corpus.unknown_siblings(),
            served_anywhere: &corpus.served_anywhere,
            digests: SiteDigests::new(corpus),
            suggestions: SuggestionIndex::without(corpus.selection.unread.clone()),
            needs_targets: false,
            witnesses: None,
            others: Vec::new(),
            files,
        }
    }

    /// Returns the other site that `url` belongs to, and its number.
    pub(super) fn other_site(&self, url: &str) -> Option<(usize, &AuditContext<'a>)> {
        let others = self.others.iter().enumerate();
        let others = others.filter_map(|it| Some((it.1.site.below(url)?.len(), it)));
        others.min_by_key(|(rest, _)| *rest).map(|(_, it)| it)
    }

    /// Returns the number of a document; `None` if no link can lead to it.
    pub(super) fn number_of(&self, document: &SourceDocument<'_>) -> Option<FileNumber> {
        let number = self.files.number(document.index_key);
        number.filter(|_| document.role == Role::Content)
    }

    /// Returns true if servers send a document for URLs at any depth.
    pub(super) fn is_served_anywhere(&self, document: &SourceDocument<'_>) -> bool {
        let path = Path::new(document.name);
        self.site.archive.is_none() && self.served_anywhere.has(path, path)
    }

    /// Returns the evidence in a document of where the site is published, if it is asked.
    pub(super) fn evidence_of(
        &self,
        source: &SourceDocument<'_>,
        document: &Document<'_>,
    ) -> Option<DocumentEvidence> {
        let is_asked = self.witnesses.is_some_and(|items| items.contains(&source.item));
        is_asked.then(|| DocumentEvidence::of_parsed(source, document, &self.site.site_url))
    }

    /// `target`, a URL, as reports show it: its path if the URL of its site, `site_url`, is unknown.
    pub(super) fn shown<'t>(&self, target: &'t str, site_url: &AbsoluteUrl) -> &'t str {
        let path = target.strip_prefix(site_url.as_str().trim_end_matches('/'));
        path.filter(|_| !self.is_published).unwrap_or(target)
    }

    pub(super) fn suggestions(&self) -> Suggestions<'_> {
        Suggestions { files: &self.files, index: &self.suggestions }
    }
}

/// The number of links that leave the directory of a document, and the finding about the first, which stands for all.
pub(super) type LeavingLinks = (usize, Finding);

/// The result of a pass over a document.
#[derive(Debug, Default)]
pub(super) struct DocumentFindings {
    /// The number in the index; `None` if no link can lead to it.
    pub(super) file: Option<FileNumber>,
    /// True if it is not a document of the site, but the headers of one.
    pub(super) is_headers: bool,
    pub(super) references: usize,
    /// The number of references with targets outside the site.
    pub(super) external: usize,
    /// The number of these references below each of [`AuditContext::siblings`].
    pub(super) siblings: [usize; 3],
    /// The number of findings that `data-rehref-ignore` marks and comments cover.
    pub(super) ignored: usize,
    /// The links that are not read.
    pub(super) unread: Vec<UnreadLink>,
    pub(super) findings: Vec<Finding>,
    /// Warnings about ignore marks that name no check.
    pub(super) unknown_marks: Vec<Diagnostic>,
    /// The bytes that further findings may take.
    pub(super) room: usize,
    /// How many findings the memory budget of the document has no room for.
    pub(super) dropped: usize,
    /// The fragments whose targets have not been read yet, or lack them; the second pass locates the latter.
    pub(super) pending: Vec<PendingFragment>,
    /// The anchors of a document in an archive, for the index.
    pub(super) anchors: Option<(FileNumber, FileAnchors)>,
    /// How many fragments scripts handle, by the row of the table of fragment shapes.
    pub(super) scripted: BTreeMap<FragmentShapes, usize>,
    /// The files that it refers to, sorted, each once.
    pub(super) targets: Vec<FileNumber>,
    /// The page that an immediate refresh redirects to, and the finding in case that is a loop;
    /// `None` for the finding if the author ignores it.
    pub(super) redirects_to: Option<(FileNumber, Option<Finding>)>,
    /// The target of an immediate refresh that does not exist.
    pub(super) dead_refresh: Option<Box<str>>,
    /// The links that leave the directory of a single document.
    pub(super) leaving: Option<LeavingLinks>,
    /// The evidence of where the site is published, if it is asked.
    pub(super) evidence: Option<DocumentEvidence>,
    /// The fragments in other sites, with the numbers of these, and the findings in case that nothing there has them.
    pub(super) elsewhere: Vec<(usize, PendingFragment, Finding)>,
    /// Of the second pass: the fragments that their targets lack, each with the number of the target.
    pub(super) broken: Vec<(FileNumber, Finding)>,
    /// Of the second pass: the first reference for each row of the table of fragment shapes.
    pub(super) first_scripted: BTreeMap<FragmentShapes, Finding>,
}
