//! Audits a site in any kind of storage.
//!
//! The first pass reads every document: it checks the references and collects the anchors.
//! A fragment whose target has not been read yet becomes a pending fragment. When all anchors are
//! known, only the documents with a broken fragment are read a second time, to find line and column,
//! and the targets of these fragments a third time, to suggest an id.

mod fragments;
mod lost;
mod other_sites;
mod single;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::anchors::{FragmentStatus, PendingFragment, PendingFragments};
use super::checks::Check;
use super::context::{AuditContext, DocumentFindings, FragmentMode, LeavingLinks};
use super::files::{FileNumber, ItemNumber};
use super::finding::{Finding, Unread};
use super::fragment_shapes::FragmentShapes;
use super::graph;
use super::redirects;
use super::site_index::SiteIndex;
use super::symlinks::DanglingSymlinks;
use crate::publication::DocumentEvidence;
use crate::published::Published;
use rehref_corpus::files::Globs;
use rehref_corpus::{Collection, CorpusError};
use rehref_document::DocumentError;
use rehref_generators::data::DataLanguage;
use rehref_generators::markdown::UnreadLink;
use rehref_site::plural::counted;
use rehref_site::{Diagnostic, Severity};

/// An audit to run: the documents, and the options.
#[derive(Debug)]
pub struct Audit<'a> {
    /// The documents to audit.
    pub collection: Collection<'a>,
    /// The index of the site's URLs and files.
    pub site: &'a SiteIndex,
    /// True if the site's URL is known; otherwise `site.site_url` is a placeholder.
    pub is_published: bool,
    /// True if only the files of SITE state its URL, so that the host may have other files, too.
    pub is_url_inferred: bool,
    /// The strictness with which fragments are checked.
    pub fragments: FragmentMode,
    /// The files at which readers enter the site; `None` skips the check orphan.
    pub entries: Option<Globs>,
    /// The numbers of the documents in which the audit looks for the URL of the site.
    pub witnesses: Option<&'a BTreeSet<ItemNumber>>,
    /// The URLs of another tree. The audit reports those that this site lacks.
    pub published: Option<&'a Published>,
    /// Other sites whose files and anchors the audit checks when links lead there. `site` does not contain
    /// their URLs.
    pub others: Vec<OtherSite<'a>>,
}

/// Another site to which links of the audited site may lead.
#[derive(Clone, Debug)]
pub struct OtherSite<'a> {
    /// The documents of the site.
    pub collection: Collection<'a>,
    /// The URLs and the files of the other site.
    pub site: &'a SiteIndex,
    /// True if only the files of the site state its URL.
    pub is_url_inferred: bool,
}

/// The findings and counts of an audit.
#[derive(Debug, Default)]
pub struct AuditOutcome {
    /// The findings, in the order of the documents, then by line and column.
    pub findings: Vec<Finding>,
    /// The number of documents that were read.
    pub documents: usize,
    /// The number of references in these documents.
    pub references: usize,
    /// The number of references with targets outside the site.
    pub external: usize,
    /// For each of [`rehref_corpus::Corpus::unknown_siblings`], the number of references below this URL.
    pub siblings: [usize; 3],
    /// The number of findings that marks in the documents ignore.
    pub ignored: usize,
    /// The numbers of links that the audit does not check, by kind.
    pub unread: BTreeMap<UnreadLink, usize>,
    /// The documents that could not be read: name, and error message.
    pub failures: Vec<Unread>,
    /// Warnings about archives (intact records that were skipped), and about ignore marks without effect.
    pub warnings: Vec<Diagnostic>,
    /// The evidence for the URL of the site in [`Audit::witnesses`].
    pub evidence: Vec<DocumentEvidence>,
}

impl AuditOutcome {
    fn add_siblings(&mut self, other: [usize; 3]) {
        self.siblings.iter_mut().zip(other).for_each(|(sum, count)| *sum += count);
    }

    /// Appends the results in `other`, such as those of the next host of an archive.
    pub fn add(&mut self, other: AuditOutcome) {
        if self.findings.is_empty() {
            // Both would be in memory.
            self.findings = other.findings;
        } else {
            self.findings.extend(other.findings);
        }
        self.documents += other.documents;
        self.references += other.references;
        self.external += other.external;
        self.add_siblings(other.siblings);
        self.ignored += other.ignored;
        for (link, count) in other.unread {
            *self.unread.entry(link).or_default() += count;
        }
        self.failures.extend(other.failures);
        self.warnings.extend(other.warnings);
        self.evidence.extend(other.evidence);
    }
}

/// Audits a collection of documents. `progress` is called for every file of a directory.
///
/// # Errors
/// See [`CorpusError`]; a single document that cannot be read is in [`AuditOutcome::failures`].
pub fn audit(audit: &Audit<'_>, progress: impl Fn() + Sync) -> Result<AuditOutcome, CorpusError> {
    let (site, corpus) = (audit.site, audit.collection.corpus());
    let is_directory = !audit.collection.is_archived();
    let is_single = corpus.selection.single.is_some();
    let mut context = AuditContext {
        is_published: audit.is_published,
        is_url_inferred: audit.is_url_inferred,
        is_single,
        fragments: audit.fragments,
        needs_targets: audit.entries.is_some(),
        witnesses: audit.witnesses,
        others: audit.others.iter().map(OtherSite::context).collect(),
        ..AuditContext::new(site, corpus)
    };
    if is_directory {
        context.symlinks = DanglingSymlinks::new(&corpus.root, &corpus.walk.entries);
        context.paths = context.files.by_path(&site.files);
    }
    let mut run = Run {
        audit,
        context: &context,
        outcome: AuditOutcome::default(),
        items: vec![ItemNumber::MAX; context.files.len()],
        found: Vec::new(),
        scripted: BTreeMap::new(),
        pending: PendingFragments::default(),
        elsewhere: Vec::new(),
        unresolved: BTreeSet::new(),
        redirects: HashMap::new(),
        dead_refreshes: HashMap::new(),
        targets: HashMap::new(),
        leaving: None,
    };
    run.first_pass(progress)?;
    if is_directory {
        run.read_neighbors()?;
    }
    let homes = run.resolve_pending();
    run.drop_fixes_without_fragment();
    run.second_pass(&homes)?;
    run.fragments_elsewhere()?;
    run.refresh_loops();
    if let Some(published) = audit.published {
        run.lost(published);
    }
    run.orphans();
    if is_single {
        run.leaving_links();
    } else if is_directory {
        run.redirect_rules();
    }
    Ok(run.finish(is_single))
}

/// The fragments that belong to one row of the table of fragment shapes.
#[derive(Debug)]
struct Scripted {
    count: usize,
    /// The first item with such a fragment.
    first: ItemNumber,
    /// The finding, without its message: at the first fragment, or if a mark ignores that, about its document. Without
    /// a place until the second pass.
    finding: Finding,
}

struct Run<'a> {
    audit: &'a Audit<'a>,
    context: &'a AuditContext<'a>,
    outcome: AuditOutcome,
    /// The item that holds the document at each file of the index; [`ItemNumber::MAX`] for none.
    items: Vec<ItemNumber>,
    found: Vec<(ItemNumber, Finding)>,
    scripted: BTreeMap<FragmentShapes, Scripted>,
    pending: PendingFragments,
    /// The items with fragments in other sites, and these, as in [`DocumentFindings::elsewhere`].
    elsewhere: Vec<(ItemNumber, (usize, PendingFragment, Finding))>,
    /// The items with fragments that the second pass must locate.
    unresolved: BTreeSet<ItemNumber>,
    /// For each page that redirects immediately, its target, and the finding in case that is a loop.
    redirects: HashMap<FileNumber, (FileNumber, Option<Finding>)>,
    /// The pages that redirect immediately to what does not exist, and the URLs of that.
    dead_refreshes: HashMap<FileNumber, Box<str>>,
    /// The files that each file links to; empty without the check orphan.
    targets: HashMap<FileNumber, Box<[FileNumber]>>,
    /// The links that leave the directory of a single document.
    leaving: Option<(ItemNumber, LeavingLinks)>,
}

impl Run<'_> {
    fn first_pass(&mut self, progress: impl Fn() + Sync) -> Result<(), CorpusError> {
        let (audit, context) = (self.audit, self.context);
        let warnings = audit.collection.each_document(
            None,
            |document| (document.item, context.examine(document, None)),
            progress,
            |name, result| {
                match result {
                    Ok((item, examined)) => self.examined(name, item, examined),
                    Err(error) => self.fail(name, error.to_string()),
                }
                Ok(())
            },
        )?;
        self.outcome.warnings.extend(warnings);
        Ok(())
    }

    fn examined(
        &mut self,
        name: &str,
        item: ItemNumber,
        examined: Result<DocumentFindings, DocumentError>,
    ) {
        let examined = match examined {
            Ok(examined) => examined,
            Err(error) => {
                self.outcome.documents += 1;
                return match Finding::of_malformed(name, &error) {
                    Some(finding) => {
                        let files = &self.context.site.files;
                        let is_beside = files.reads_sources() && !files.is_published(name);
                        // The generator reads its data, and nobody the markup beside the documents.
                        let extension = Path::new(name).extension().and_then(|it| it.to_str());
                        let is_data =
                            extension.is_some_and(|it| DataLanguage::of_extension(it).is_some());
                        let is_unsure = is_beside && !is_data;
                        let most = if is_unsure { Severity::Warning } else { Severity::Error };
                        self.found.push((item, finding.at_most(most)));
                    }
                    None => self.fail(name, error.to_string()),
                };
            }
        };
        if let Some((number, anchors)) = examined.anchors {
            self.context.anchors.set(number, anchors);
        }
        let outcome = &mut self.outcome;
        outcome.documents += usize::from(!examined.is_headers);
        outcome.references += examined.references;
        outcome.external += examined.external;
        outcome.add_siblings(examined.siblings);
        outcome.ignored += examined.ignored;
        for link in examined.unread {
            *outcome.unread.entry(link).or_default() += 1;
        }
        outcome.evidence.extend(examined.evidence);
        outcome.warnings.extend(examined.unknown_marks);
        let mut findings = examined.findings;
        // Leaves little to sort at the end, which would take the memory of half of all findings.
        findings.sort_by_key(|finding| (finding.line(), finding.column()));
        self.found.extend(findings.into_iter().map(|finding| (item, finding)));
        for (rows, count) in examined.scripted {
            self.add_scripted(rows, count, item);
        }
        self.pending.add(item, &examined.pending);
        self.elsewhere.extend(examined.elsewhere.into_iter().map(|it| (item, it)));
        self.leaving = self.leaving.take().or(examined.leaving.map(|links| (item, links)));
        let Some(number) = examined.file else { return };
        if let Some(place) = self.items.get_mut(number as usize) {
            *place = item;
        }
        if let Some(to) = examined.redirects_to {
            self.redirects.insert(number, to);
        }
        self.dead_refreshes.extend(examined.dead_refresh.map(|to| (number, to)));
        if self.context.needs_targets {
            self.targets.insert(number, examined.targets.into());
        }
    }

    /// The item that holds the document at a file; [`ItemNumber::MAX`] for none.
    fn item_of(&self, file: FileNumber) -> ItemNumber {
        self.items.get(file as usize).copied().unwrap_or(ItemNumber::MAX)
    }

    fn fail(&mut self, name: &str, message: String) {
        self.outcome.failures.push(Unread { path: name.to_owned(), message });
    }

    fn add_scripted(&mut self, rows: FragmentShapes, count: usize, item: ItemNumber) {
        let scripted = self.scripted.entry(rows).or_insert_with(|| Scripted {
            count: 0,
            first: item,
            finding: Finding::of_file(Check::ScriptFragment, "", ""),
        });
        scripted.count += count;
        scripted.first = scripted.first.min(item);
    }

    /// Drops the fixes to files that seem to have moved, but lack the fragment of the reference. What is left of the
    /// suggestion is the file.
    fn drop_fixes_without_fragment(&mut self) {
        for (_, finding) in &mut self.found {
            let fragment = finding.fix.as_ref().and_then(|fix| fix.fragment.as_ref());
            let status = fragment.map(|fragment| self.context.anchors.find(fragment));
            if status == Some(FragmentStatus::Missing) {
                finding.fix = None;
                if let Some(suggestion) = finding.suggestion.take() {
                    let file = suggestion.split('#').next().unwrap_or_default();
                    finding.suggestion = Some(file.into());
                }
            }
        }
    }

    /// Reports each cycle of pages that redirect immediately, once.
    fn refresh_loops(&mut self) {
        let mut pages: Vec<FileNumber> = self.redirects.keys().copied().collect();
        pages.sort_unstable();
        let loops = graph::cycles(pages, |page| self.redirects.get(&page).map(|(next, _)| *next));
        for mut pages in loops {
            // The finding is in the first document of the loop.
            let items = pages.iter().map(|page| self.item_of(*page));
            let Some((item, at)) = items.zip(0..).min() else { continue };
            pages.rotate_left(at);
            let path = |page: &FileNumber| self.context.files.path(*page);
            let message = match pages.as_slice() {
                [_] => "refresh loop: the page redirects to itself at once".to_owned(),
                _ => {
                    let paths: Vec<&str> = pages.iter().chain(pages.first()).map(path).collect();
                    format!("refresh loop: {}", paths.join(" -> "))
                }
            };
            let redirect = pages.first().and_then(|page| self.redirects.get(page));
            match redirect.and_then(|(_, finding)| finding.clone()) {
                Some(finding) => self.found.push((item, finding.with_message(message))),
                None => self.outcome.ignored += 1,
            }
        }
    }

    /// Checks the redirect rules.
    fn redirect_rules(&mut self) {
        for finding in redirects::check(&self.audit.site.files) {
            let file = Path::new(&*finding.location.path);
            let number = self.context.files.number_of(file);
            let item = number.map_or(ItemNumber::MAX, |number| self.item_of(number));
            self.found.push((item, finding));
        }
    }

    /// Reports the files that no chain of references reaches from the `--entry` pages.
    fn orphans(&mut self) {
        let Some(entries) = &self.audit.entries else { return };
        let files = &self.context.files;
        let paths = self.audit.collection.files();
        let all: Vec<(&Path, FileNumber)> =
            paths.filter_map(|path| Some((path, files.number_of(path)?))).collect();
        let starts = all.iter().filter(|(path, _)| entries.is_match(path));
        let reached = graph::reachable(starts.map(|(_, number)| *number), |file| {
            self.targets.get(&file).map_or(&[], |targets| targets)
        });
        for (path, number) in all {
            if !reached.contains(&number) && !graph::is_conventional(files.path(number)) {
                let message = "no chain of links from the --entry pages reaches this file";
                let name = path.to_string_lossy().into_owned();
                let finding = Finding::of_file(Check::Orphan, name, message);
                self.found.push((self.item_of(number), finding));
            }
        }
    }

    fn finish(mut self, is_single: bool) -> AuditOutcome {
        for (rows, scripted) in std::mem::take(&mut self.scripted) {
            let why = rows.first().map_or("", |row| row.why);
            let count = counted(scripted.count, "fragment");
            let message = match (rows == FragmentShapes::SPELLING, scripted.count) {
                (true, 1) => format!("{count} is {why}"),
                (true, _) => format!("{count} are {why}"),
                (false, 1) => format!("{count} was not checked: {why}"),
                (false, _) => format!("{count} were not checked: {why}"),
            };
            let finding = scripted.finding.with_message(message);
            self.found.push((scripted.first, finding));
        }
        let links = self.context.symlinks.findings(is_single);
        self.found.extend(links.map(|finding| (ItemNumber::MAX, finding)));
        sort(&mut self.found);
        let found = self.found.into_iter();
        self.outcome.findings = found.map(|(_, finding)| finding).collect();
        self.outcome
    }
}

/// Sorts findings as reports have them. A stable sort of the findings themselves would take the memory of half of them.
fn sort(found: &mut [(ItemNumber, Finding)]) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&at| found.get(at).map(report_order));
    // Moves the findings along the cycles of the permutation.
    for start in 0..order.len() {
        let mut to = start;
        while let Some(from) = order.get_mut(to).map(|from| std::mem::replace(from, to))
            && from != to
            && from != start
        {
            found.swap(to, from);
            to = from;
        }
    }
}

/// The sort key of findings: by document, then by line and column. Findings about files that are not
/// documents come last, by name.
fn report_order(
    (item, finding): &(ItemNumber, Finding),
) -> (ItemNumber, Option<&str>, Option<usize>, Option<usize>) {
    let name = (*item == ItemNumber::MAX).then_some(&*finding.location.path);
    (*item, name, finding.line(), finding.column())
}
