//! Audits a site in any kind of storage.
//!
//! The first pass reads every document: it checks the references and collects the anchors.
//! A fragment whose target has not been read yet becomes a pending fragment. When all anchors are
//! known, only the documents with a broken fragment are read a second time, to find line and column,
//! and the targets of these fragments a third time, to suggest an id.

mod single;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::OnceLock;

use super::anchors::{AnchorIndex, FragmentStatus};
use super::checks::Check;
use super::context::{
    AuditContext, BrokenFragment, DocumentFindings, Elsewhere, FragmentMode, ItemNumber,
    LocatedFragments,
};
use super::fast_path::SimplePaths;
use super::files::{FileNumber, FileNumbers};
use super::finding::{Confidence, Finding, ProposedFix, Unread};
use super::fragment_shapes::{FragmentShapes, with_fragment};
use super::graph;
use super::pending::PendingFragments;
use super::redirects;
use super::site_index::SiteIndex;
use super::suggest::AnchorSuggestions;
use super::symlinks::DanglingSymlinks;
use super::targets::reference_in_place_of;
use crate::corpus::{Collection, CorpusError, Remark, SiteDigests, SourceDocument};
use crate::diagnostic::Diagnostic;
use crate::document::{Document, DocumentError, ParseOptions};
use crate::plural::counted;
use crate::publication::DocumentEvidence;
use crate::rewrite::Fix;
use crate::site::Globs;
use crate::url::AbsoluteUrl;

/// An audit to run: the documents, and the options.
#[derive(Debug)]
pub struct Audit<'a> {
    /// The documents.
    pub collection: Collection<'a>,
    /// The URLs of the site, and its files.
    pub site: &'a SiteIndex,
    /// Whether the site's URL is known; if not, `site.site_url` is a placeholder.
    pub is_published: bool,
    /// Which fragments are checked.
    pub fragments: FragmentMode,
    /// The files at which readers enter the site; `None` skips the check orphan.
    pub entries: Option<Globs>,
    /// The items that are asked where the site is published.
    pub witnesses: Option<&'a BTreeSet<ItemNumber>>,
}

/// The result of an audit.
#[derive(Debug, Default)]
pub struct AuditOutcome {
    /// The findings, in the order of the documents, then by line and column.
    pub findings: Vec<Finding>,
    /// How many documents were read.
    pub documents: usize,
    /// How many references they have.
    pub references: usize,
    /// How many references point outside the site.
    pub external: usize,
    /// How many findings `data-rehref-ignore` marks and comments cover.
    pub ignored: usize,
    /// The documents that could not be read: name, and error message.
    pub failures: Vec<Unread>,
    /// Warnings about archives: intact records that were skipped.
    pub warnings: Vec<Diagnostic>,
    /// The evidence of the [`Audit::witnesses`].
    pub evidence: Vec<DocumentEvidence>,
}

impl AuditOutcome {
    /// Appends the results of another collection.
    pub fn add(&mut self, other: AuditOutcome) {
        match self.findings.is_empty() {
            // Both would be in memory.
            true => self.findings = other.findings,
            false => self.findings.extend(other.findings),
        }
        self.documents += other.documents;
        self.references += other.references;
        self.external += other.external;
        self.ignored += other.ignored;
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
    let files = FileNumbers::new(site);
    let context = AuditContext {
        site,
        site_url: AbsoluteUrl::new(corpus.standard, site.site_url.url().clone()),
        is_published: audit.is_published,
        fragments: audit.fragments,
        symlinks: match is_directory {
            true => DanglingSymlinks::new(&corpus.root, &corpus.walk.entries),
            false => DanglingSymlinks::default(),
        },
        anchors: AnchorIndex::new(files.len()),
        served_anywhere: &corpus.served_anywhere,
        digests: SiteDigests::new(corpus),
        suggestions: OnceLock::new(),
        simple: match is_directory {
            true => SimplePaths::new(&site.files, &files),
            false => SimplePaths::default(),
        },
        needs_targets: audit.entries.is_some(),
        witnesses: audit.witnesses,
        files,
    };
    let mut run = Run {
        audit,
        context: &context,
        outcome: AuditOutcome::default(),
        items: vec![ItemNumber::MAX; context.files.len()],
        found: Vec::new(),
        scripted: BTreeMap::new(),
        pending: PendingFragments::default(),
        unresolved: BTreeSet::new(),
        redirects: HashMap::new(),
        targets: HashMap::new(),
    };
    let is_single = corpus.selection.single.is_some();
    run.first_pass(progress)?;
    if is_single {
        run.read_neighbors()?;
    }
    run.resolve_pending();
    run.drop_fixes_without_fragment();
    run.second_pass()?;
    run.refresh_loops();
    run.orphans();
    if is_single {
        run.leaving_links()?;
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
    /// The name of the document in the first item; empty until the second pass.
    name: String,
    /// A finding at the first fragment; `None` until the second pass, or if a mark ignores it.
    place: Option<Finding>,
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
    /// The items with fragments that the second pass must locate.
    unresolved: BTreeSet<ItemNumber>,
    /// For each page that redirects immediately, its target, and the finding in case that is a loop.
    redirects: HashMap<FileNumber, (FileNumber, Option<Finding>)>,
    /// The files that each file links to; empty without the check orphan.
    targets: HashMap<FileNumber, Box<[FileNumber]>>,
}

impl Run<'_> {
    fn first_pass(&mut self, progress: impl Fn() + Sync) -> Result<(), CorpusError> {
        let (audit, context) = (self.audit, self.context);
        let remarks = audit.collection.each_document(
            None,
            |document| (document.item, context.examine(document)),
            progress,
            |name, result| {
                match result {
                    Ok((item, examined)) => self.examined(name, item, examined),
                    Err(error) => self.fail(name, error.to_string()),
                }
                Ok(())
            },
        )?;
        let remarks = remarks.into_iter().map(|it| {
            let Remark { code, message, .. } = it.remark;
            Diagnostic::warning(it.archive, code, message)
        });
        self.outcome.warnings.extend(remarks);
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
                    Some(finding) => self.found.push((item, finding)),
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
        outcome.ignored += examined.ignored;
        outcome.evidence.extend(examined.evidence);
        let mut findings = examined.findings;
        // Leaves little to sort at the end, which would take the memory of half of all findings.
        findings.sort_by_key(|finding| (finding.line(), finding.column()));
        self.found
            .extend(findings.into_iter().map(|finding| (item, finding)));
        for (rows, count) in examined.scripted {
            self.add_scripted(rows, count, item);
        }
        self.pending.add(item, &examined.pending);
        if examined.has_broken_fragments {
            self.unresolved.insert(item);
        }
        let Some(number) = examined.file else { return };
        if let Some(place) = self.items.get_mut(number as usize) {
            *place = item;
        }
        if let Some(to) = examined.redirects_to {
            self.redirects.insert(number, to);
        }
        if self.context.needs_targets {
            self.targets.insert(number, examined.targets.into());
        }
    }

    /// The item that holds the document at a file.
    fn item_of(&self, file: FileNumber) -> Option<ItemNumber> {
        let item = self.items.get(file as usize).copied();
        item.filter(|item| *item != ItemNumber::MAX)
    }

    fn fail(&mut self, name: &str, message: String) {
        self.outcome.failures.push(Unread {
            path: name.to_owned(),
            message,
        });
    }

    fn add_scripted(&mut self, rows: FragmentShapes, count: usize, item: ItemNumber) {
        let scripted = self.scripted.entry(rows).or_insert_with(|| Scripted {
            count: 0,
            first: item,
            name: String::new(),
            place: None,
        });
        scripted.count += count;
        scripted.first = scripted.first.min(item);
    }

    /// Looks the pending fragments up, when all anchors are known.
    fn resolve_pending(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        pending.resolve(&self.context.anchors, |item, status| match status {
            FragmentStatus::Anchor | FragmentStatus::Unknown => {}
            FragmentStatus::Scripted(rows) => self.add_scripted(rows, 1, item),
            FragmentStatus::Missing => {
                self.unresolved.insert(item);
            }
        });
        let firsts = self.scripted.values().map(|scripted| scripted.first);
        self.unresolved.extend(firsts);
    }

    /// Drops the fixes to files that seem to have moved, but lack the fragment of the reference. What is left of the
    /// suggestion is the file.
    fn drop_fixes_without_fragment(&mut self) {
        for (_, finding) in &mut self.found {
            let fragment = finding.fix.as_ref().and_then(|fix| fix.fragment.as_ref());
            let status = fragment.map(|fragment| self.context.anchors.find(fragment));
            if status == Some(FragmentStatus::Missing) {
                finding.fix = None;
                if let Some(suggestion) = &mut finding.suggestion {
                    suggestion.truncate(suggestion.find('#').unwrap_or(suggestion.len()));
                }
            }
        }
    }

    fn second_pass(&mut self) -> Result<(), CorpusError> {
        let (audit, context) = (self.audit, self.context);
        let unresolved = std::mem::take(&mut self.unresolved);
        let mut broken: Vec<BrokenFragment> = Vec::new();
        audit.collection.each_document(
            Some(&unresolved),
            |document| (document.item, context.locate(document)),
            || {},
            |name, result| {
                // The first pass reported the errors.
                if let Ok((item, Ok(located))) = result {
                    broken.extend(self.located(name, item, located));
                }
                Ok(())
            },
        )?;
        self.suggest_files(&mut broken);
        self.suggest_ids(&mut broken)?;
        let found = broken.into_iter().map(|it| (it.item, it.finding));
        self.found.extend(found);
        Ok(())
    }

    fn located(
        &mut self,
        name: &str,
        item: ItemNumber,
        located: LocatedFragments,
    ) -> Vec<BrokenFragment> {
        self.outcome.ignored += located.ignored;
        let firsts = self.scripted.values_mut();
        for scripted in firsts.filter(|scripted| scripted.first == item) {
            name.clone_into(&mut scripted.name);
        }
        for (rows, place) in located.scripted {
            let scripted = self.scripted.get_mut(&rows);
            if let Some(scripted) = scripted.filter(|scripted| scripted.first == item) {
                scripted.place = Some(place);
            }
        }
        located.broken
    }

    /// Suggests the only other file that has the id of a broken fragment: the section may have gone there.
    fn suggest_files(&self, broken: &mut [BrokenFragment]) {
        let wanted = broken.iter().filter_map(|it| it.elsewhere.as_ref());
        let homes = self.context.anchors.homes(wanted.map(|it| &it.wanted));
        for broken in broken {
            let finding = &mut broken.finding;
            let (Some(elsewhere), Some(text)) =
                (broken.elsewhere.take(), finding.reference.clone())
            else {
                continue;
            };
            let Elsewhere {
                wanted,
                base,
                target,
                document,
                span,
            } = elsewhere;
            let path = homes.only(&wanted).map(|it| self.context.files.path(it));
            let Some(path) = path else { continue };
            let site = self.audit.site;
            let Some(replacement) = reference_in_place_of(site, &base, &target, &text, path) else {
                continue;
            };
            finding.message =
                format!("no element with this id in the target; only {path} has it").into();
            finding.suggestion = Some(replacement.clone());
            finding.fix = Some(Box::new(ProposedFix {
                document,
                fix: Fix {
                    span,
                    reference: text,
                    replacement,
                },
                confidence: Confidence::Moved,
                fragment: None,
            }));
        }
    }

    /// Reads the targets of broken fragments again, and suggests the nearest ids.
    fn suggest_ids(&self, broken: &mut [BrokenFragment]) -> Result<(), CorpusError> {
        let mut wanted: BTreeMap<ItemNumber, BTreeSet<&str>> = BTreeMap::new();
        for broken in broken.iter() {
            if let Some(item) = self.item_of(broken.file) {
                wanted.entry(item).or_default().insert(&broken.fragment);
            }
        }
        let mut nearest: HashMap<(FileNumber, String), String> = HashMap::new();
        self.audit.collection.each_document(
            Some(&wanted.keys().copied().collect()),
            |document| {
                let file = self.context.number_of(document)?;
                let fragments = wanted.get(&document.item)?;
                Some((file, nearest_ids(document, fragments)))
            },
            || {},
            |_, result| {
                if let Ok(Some((file, found))) = result {
                    let found = found.into_iter();
                    nearest.extend(found.map(|(fragment, id)| ((file, fragment), id)));
                }
                Ok(())
            },
        )?;
        for broken in broken {
            let id = nearest.get(&(broken.file, broken.fragment.clone()));
            if broken.finding.fix.is_some() {
                continue;
            }
            let reference = broken.finding.reference.as_deref();
            broken.finding.suggestion = id.and_then(|id| with_fragment(reference?, id));
        }
        Ok(())
    }

    /// Reports each cycle of pages that redirect immediately, once.
    fn refresh_loops(&mut self) {
        let mut pages: Vec<FileNumber> = self.redirects.keys().copied().collect();
        pages.sort_unstable();
        let loops = graph::cycles(pages, |page| {
            self.redirects.get(&page).map(|(next, _)| *next)
        });
        for mut pages in loops {
            // The finding is in the first document of the loop.
            let items = pages.iter().map(|page| self.item_of(*page)).enumerate();
            let first = items.filter_map(|(at, item)| Some((item?, at))).min();
            let Some((item, at)) = first else { continue };
            pages.rotate_left(at);
            let path = |page: &FileNumber| self.context.files.path(*page);
            let message = match pages.as_slice() {
                [_] => "refresh loop: the page redirects to itself immediately".to_owned(),
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
            let item = number.and_then(|number| self.item_of(number));
            self.found.push((item.unwrap_or(ItemNumber::MAX), finding));
        }
    }

    /// Reports the files that no chain of references reaches from the `--entry` pages.
    fn orphans(&mut self) {
        let Some(entries) = &self.audit.entries else {
            return;
        };
        let files = &self.context.files;
        let paths = self.audit.collection.files();
        let all: Vec<(&Path, FileNumber)> = paths
            .filter_map(|path| Some((path, files.number_of(path)?)))
            .collect();
        let starts = all.iter().filter(|(path, _)| entries.is_match(path));
        let reached = graph::reachable(starts.map(|(_, number)| *number), |file| {
            self.targets.get(&file).map_or(&[], |targets| targets)
        });
        for (path, number) in all {
            if !reached.contains(&number) && !graph::is_conventional(files.path(number)) {
                let message =
                    "no chain of links from the --entry pages reaches this file".to_owned();
                let name = path.to_string_lossy().into_owned();
                let item = self.item_of(number);
                let finding = Finding::of_file(Check::Orphan, name, message);
                self.found.push((item.unwrap_or(ItemNumber::MAX), finding));
            }
        }
    }

    fn finish(mut self, is_single: bool) -> AuditOutcome {
        for (rows, scripted) in std::mem::take(&mut self.scripted) {
            let why = rows.first().map_or("", |row| row.why);
            let count = counted(scripted.count, "fragment");
            // If a mark ignores the first fragment, the finding names only the document.
            let place = scripted.place.unwrap_or_else(|| {
                Finding::of_file(Check::ScriptFragment, scripted.name, String::new())
            });
            let message = format!("{count} not checked: {why}");
            let finding = place.with_message(message);
            self.found.push((scripted.first, finding));
        }
        let links = self.context.symlinks.findings(is_single);
        self.found
            .extend(links.map(|finding| (ItemNumber::MAX, finding)));
        self.found
            .sort_by(|one, other| report_order(one).cmp(&report_order(other)));
        let found = self.found.into_iter();
        self.outcome.findings = found.map(|(_, finding)| finding).collect();
        self.outcome
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

/// The pairs of each of `fragments` and the nearest id of a document, if one is near.
fn nearest_ids(document: &SourceDocument<'_>, fragments: &BTreeSet<&str>) -> Vec<(String, String)> {
    let options = ParseOptions {
        metadata: true,
        simple: true,
        ..document.options
    };
    let metadata = Document::parse(document.bytes, &options)
        .ok()
        .and_then(|it| it.metadata);
    let anchors = metadata.unwrap_or_default().anchors;
    let suggestions = AnchorSuggestions::new(&anchors);
    fragments
        .iter()
        .filter_map(|fragment| {
            let id = suggestions.nearest(fragment)?;
            Some(((*fragment).to_owned(), id.to_owned()))
        })
        .collect()
}
