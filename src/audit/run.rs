//! The audit of a whole tree.
//!
//! One pass reads every document: its references are checked, its anchors noted. Fragments whose
//! target was not read yet wait as numbers. Then all anchors are known, and only documents with a
//! fragment that leads nowhere are read a second time, to say where it stands.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::anchors::{AnchorIndex, FragmentStatus, PendingFragment};
use super::checks::Check;
use super::document_audit::{
    AuditContext, BrokenFragment, DocumentFindings, FragmentMode, LocatedFragments, ProposedFix,
    Source,
};
use super::fast_path::SimplePaths;
use super::files::{FileNumber, FileNumbers};
use super::finding::Finding;
use super::fragments::{FragmentShapes, replaced};
use super::graph;
use super::resolved::SiteIndex;
use super::suggest::nearest_name;
use super::symlinks::DanglingSymlinks;
use super::tree::{DocumentTrouble, Tree};
use crate::document::{Document, DocumentError, ParseOptions};
use crate::parallel;
use crate::plural::counted;
use crate::site::Globs;
use crate::url::{AbsoluteUrl, Standard};

/// What an audit is to look at, and how.
#[derive(Debug)]
pub struct Audit<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// What is known of its site.
    pub site: &'a SiteIndex,
    /// Whether the site's URL is known; where not, another stands for it.
    pub is_published: bool,
    /// The standard that references are resolved by.
    pub standard: Standard,
    /// What is done with fragments.
    pub fragments: FragmentMode,
    /// The files that readers enter the site by, where orphans are looked for.
    pub entries: Option<Globs>,
}

/// What an audit found.
#[derive(Debug, Default)]
pub struct Audited {
    /// The findings, by document in the order of the walk, then line and column; with what is to be
    /// done about them, where that is known, and
    /// the URL of the document.
    pub findings: Vec<(Finding, Option<(String, ProposedFix)>)>,
    /// How many documents were read.
    pub documents: usize,
    /// How many references they have.
    pub references: usize,
    /// How many of these lead out of the site.
    pub external: usize,
    /// How many findings ignore marks in documents cover.
    pub ignored: usize,
    /// Documents that could not be looked into, and why.
    pub failures: Vec<(PathBuf, String)>,
}

impl Audited {
    /// Adds what was found elsewhere, behind what was found here.
    pub fn add(&mut self, other: Audited) {
        self.findings.extend(other.findings);
        self.documents += other.documents;
        self.references += other.references;
        self.external += other.external;
        self.ignored += other.ignored;
        self.failures.extend(other.failures);
    }
}

/// Audits a tree. `progress` is called for every file.
///
/// # Errors
/// See [`parallel::Error`]; trouble with single documents is in [`Audited::failures`].
pub fn audit(audit: &Audit<'_>, progress: impl Fn() + Sync) -> Result<Audited, parallel::Error> {
    let site = audit.site;
    let files = FileNumbers::new(&site.files);
    let examiner = AuditContext {
        site,
        site_url: AbsoluteUrl::new(audit.standard, site.site_url.url().clone()),
        is_published: audit.is_published,
        fragments: audit.fragments,
        symlinks: DanglingSymlinks::new(&audit.tree.root, &audit.tree.walk.entries),
        anchors: AnchorIndex::new(files.len()),
        suggestions: OnceLock::new(),
        simple: SimplePaths::new(&site.files, &files),
        needs_targets: audit.entries.is_some(),
        files,
    };
    let mut run = Run {
        audit,
        examiner: &examiner,
        audited: Audited::default(),
        ordinals: HashMap::new(),
        documents: Vec::new(),
        found: Vec::new(),
        scripted: BTreeMap::new(),
        waiting: Vec::new(),
        again: BTreeSet::new(),
        sends_to: HashMap::new(),
        targets: HashMap::new(),
    };
    run.first_pass(progress)?;
    run.join();
    run.second_pass()?;
    run.circles();
    run.orphans();
    Ok(run.finish())
}

/// The place of a document in the order of the walk.
type Ordinal = usize;

/// What is known of the fragments that a row of the table serves.
#[derive(Debug, Default)]
struct Scripted {
    count: usize,
    /// The first document with one.
    first: Ordinal,
    place: Option<Finding>,
}

struct Run<'a> {
    audit: &'a Audit<'a>,
    examiner: &'a AuditContext<'a>,
    audited: Audited,
    /// The documents by their paths, in the order of the walk.
    documents: Vec<(PathBuf, Option<FileNumber>)>,
    ordinals: HashMap<FileNumber, Ordinal>,
    found: Vec<(Ordinal, Finding, Option<ProposedFix>)>,
    scripted: BTreeMap<FragmentShapes, Scripted>,
    waiting: Vec<(Ordinal, PendingFragment)>,
    /// The documents that are to be read again.
    again: BTreeSet<Ordinal>,
    sends_to: HashMap<FileNumber, (FileNumber, Option<Finding>)>,
    targets: HashMap<FileNumber, Box<[FileNumber]>>,
}

impl Run<'_> {
    fn first_pass(&mut self, progress: impl Fn() + Sync) -> Result<(), parallel::Error> {
        let (audit, examiner) = (self.audit, self.examiner);
        audit.tree.each_document(
            |path, bytes, options| {
                source(audit, examiner, path, bytes, |source| {
                    examiner.examine(source, options)
                })
            },
            progress,
            |path, result| {
                self.examined(path, result);
                Ok(())
            },
        )
    }

    fn examined(
        &mut self,
        path: &Path,
        result: Result<Result<DocumentFindings, Trouble>, DocumentTrouble>,
    ) {
        let ordinal = self.documents.len();
        let number = self.examiner.files.number_of(path);
        self.documents.push((path.to_owned(), number));
        let mut examined = match result {
            Ok(Ok(examined)) => examined,
            Ok(Err(Trouble::Document(DocumentError::Transcoding(error)))) => {
                let document = path.to_string_lossy().into_owned();
                let finding = Finding::of_file(Check::WrongCharset, document, error.to_string());
                return self.found.push((ordinal, finding, None));
            }
            Ok(Err(trouble)) => return self.fail(path, &trouble),
            Err(trouble) => return self.fail(path, &trouble),
        };
        let audited = &mut self.audited;
        audited.documents += 1;
        audited.references += examined.references;
        audited.external += examined.external;
        audited.ignored += examined.ignored;
        let findings = examined.findings.into_iter();
        self.found
            .extend(findings.map(|(finding, fix)| (ordinal, finding, fix)));
        for (rows, count) in examined.scripted {
            self.scripted(rows, count, ordinal);
        }
        examined.waiting.sort_unstable();
        examined.waiting.shrink_to_fit();
        let waiting = examined.waiting.into_iter();
        self.waiting.extend(waiting.map(|wanted| (ordinal, wanted)));
        if examined.has_broken_fragments {
            self.again.insert(ordinal);
        }
        let Some(number) = number else { return };
        self.ordinals.insert(number, ordinal);
        if let Some(to) = examined.sends_to {
            self.sends_to.insert(number, to);
        }
        if self.examiner.needs_targets {
            self.targets.insert(number, examined.targets.into());
        }
    }

    fn fail(&mut self, path: &Path, trouble: &dyn Display) {
        let failures = &mut self.audited.failures;
        failures.push((path.to_owned(), trouble.to_string()));
    }

    fn scripted(&mut self, rows: FragmentShapes, count: usize, ordinal: Ordinal) {
        let scripted = self.scripted.entry(rows).or_insert(Scripted {
            first: ordinal,
            ..Scripted::default()
        });
        scripted.count += count;
        scripted.first = scripted.first.min(ordinal);
    }

    /// Looks for the fragments that waited.
    fn join(&mut self) {
        for (ordinal, wanted) in std::mem::take(&mut self.waiting) {
            match self.examiner.anchors.find(&wanted) {
                FragmentStatus::Anchor | FragmentStatus::Unknown => {}
                FragmentStatus::Redirected => self.scripted(FragmentShapes::REDIRECT, 1, ordinal),
                FragmentStatus::Scripted(rows) => self.scripted(rows, 1, ordinal),
                FragmentStatus::Missing => {
                    self.again.insert(ordinal);
                }
            }
        }
        let firsts = self.scripted.values().map(|scripted| scripted.first);
        self.again.extend(firsts);
    }

    fn second_pass(&mut self) -> Result<(), parallel::Error> {
        let (audit, examiner) = (self.audit, self.examiner);
        let again = std::mem::take(&mut self.again);
        let ordinals: BTreeMap<&Path, Ordinal> = again
            .iter()
            .filter_map(|ordinal| Some((self.documents.get(*ordinal)?.0.as_path(), *ordinal)))
            .collect();
        let paths: Vec<&Path> = ordinals.keys().copied().collect();
        let mut located: Vec<(Ordinal, LocatedFragments)> = Vec::new();
        audit.tree.these_documents(
            &paths,
            |path, bytes, options| {
                source(audit, examiner, path, bytes, |source| {
                    examiner.locate(source, options)
                })
            },
            |path, result| {
                // What went wrong was told the first time.
                if let (Some(ordinal), Ok(Ok(it))) = (ordinals.get(path), result) {
                    located.push((*ordinal, it));
                }
                Ok(())
            },
        )?;
        let mut lost = Vec::new();
        for (ordinal, it) in located {
            self.audited.ignored += it.ignored;
            for (rows, place) in it.scripted {
                if let Some(scripted) = self
                    .scripted
                    .get_mut(&rows)
                    .filter(|scripted| scripted.first == ordinal)
                {
                    scripted.place = Some(place);
                }
            }
            lost.extend(it.lost.into_iter().map(|lost| (ordinal, lost)));
        }
        self.suggest_ids(&mut lost)?;
        let found = lost.into_iter();
        self.found
            .extend(found.map(|(ordinal, lost)| (ordinal, lost.finding, None)));
        Ok(())
    }

    /// Reads the targets of fragments that lead nowhere once more, for the ids that were meant.
    fn suggest_ids(&self, lost: &mut [(Ordinal, BrokenFragment)]) -> Result<(), parallel::Error> {
        let mut wanted: BTreeMap<Ordinal, BTreeMap<&str, Option<String>>> = BTreeMap::new();
        for (_, lost) in lost.iter() {
            if let Some(ordinal) = self.ordinals.get(&lost.file) {
                let fragments = wanted.entry(*ordinal).or_default();
                fragments.insert(&lost.fragment, None);
            }
        }
        let paths: Vec<&Path> = wanted
            .keys()
            .filter_map(|ordinal| self.documents.get(*ordinal))
            .map(|(path, _)| path.as_path())
            .collect();
        let by_path: HashMap<&Path, Vec<&str>> = paths
            .iter()
            .copied()
            .zip(wanted.values().map(|them| them.keys().copied().collect()))
            .collect();
        let mut nearest: HashMap<(FileNumber, String), String> = HashMap::new();
        self.audit.tree.these_documents(
            &paths,
            |path, bytes, options| {
                let fragments = by_path.get(path).map(Vec::as_slice).unwrap_or_default();
                nearest_ids(bytes, options, fragments)
            },
            |path, result| {
                let number = self.examiner.files.number_of(path);
                if let (Some(number), Ok(found)) = (number, result) {
                    let found = found.into_iter();
                    nearest.extend(found.map(|(fragment, id)| ((number, fragment), id)));
                }
                Ok(())
            },
        )?;
        for (_, lost) in lost {
            let key = (lost.file, lost.fragment.clone());
            let id = nearest.get(&key);
            let reference = lost.finding.reference.as_deref();
            lost.finding.suggestion = id.and_then(|id| replaced(reference?, id));
        }
        Ok(())
    }

    /// meta-refresh-loop.
    fn circles(&mut self) {
        let mut pages: Vec<FileNumber> = self.sends_to.keys().copied().collect();
        pages.sort_unstable();
        let circles = graph::cycles(pages, |page| {
            self.sends_to.get(&page).map(|(next, _)| *next)
        });
        for circle in circles {
            let first = circle.iter().filter_map(|page| self.ordinals.get(page));
            let Some(&ordinal) = first.min() else {
                continue;
            };
            let start = circle
                .iter()
                .position(|page| self.ordinals.get(page) == Some(&ordinal));
            let names = circle.iter().cycle().skip(start.unwrap_or(0));
            let names: Vec<&str> = names
                .take(circle.len() + 1)
                .map(|page| self.examiner.files.path(*page))
                .collect();
            let message = match circle.len() {
                1 => "refresh loop: the page redirects to itself immediately".to_owned(),
                _ => format!("refresh loop: {}", names.join(" -> ")),
            };
            let page = start.and_then(|at| circle.get(at));
            match page.and_then(|page| self.sends_to.get(page)) {
                Some((_, Some(place))) => {
                    let finding = Finding {
                        message,
                        ..place.clone()
                    };
                    self.found.push((ordinal, finding, None));
                }
                _ => self.audited.ignored += 1,
            }
        }
    }

    fn name(&self, ordinal: Ordinal) -> String {
        let document = self.documents.get(ordinal);
        document.map_or_else(String::new, |(path, _)| path.to_string_lossy().into_owned())
    }

    /// orphan.
    fn orphans(&mut self) {
        let Some(entries) = &self.audit.entries else {
            return;
        };
        let files = &self.examiner.files;
        let all: Vec<(&Path, FileNumber)> = self
            .audit
            .tree
            .files()
            .filter_map(|path| Some((path, files.number_of(path)?)))
            .collect();
        let starts = all.iter().filter(|(path, _)| entries.is_match(path));
        let reached = graph::reachable(files.len(), starts.map(|(_, number)| *number), |file| {
            self.targets.get(&file).map_or(&[], |targets| targets)
        });
        for (path, number) in all {
            let at = usize::try_from(number).unwrap_or(usize::MAX);
            let is_reached = reached.get(at).copied().unwrap_or(true);
            if !is_reached && !graph::is_conventional(files.path(number)) {
                let message = "no reference leads here from the --entry pages".to_owned();
                let name = path.to_string_lossy().into_owned();
                let ordinal = self.ordinals.get(&number).copied();
                let finding = Finding::of_file(Check::Orphan, name, message);
                let ordinal = ordinal.unwrap_or(Ordinal::MAX);
                self.found.push((ordinal, finding, None));
            }
        }
    }

    fn finish(mut self) -> Audited {
        for (rows, scripted) in std::mem::take(&mut self.scripted) {
            let why = rows.first().map_or("", |row| row.why);
            let count = counted(scripted.count, "fragment");
            // Where the author's ignore mark covers the first place, the document is named.
            let place = scripted.place.unwrap_or_else(|| {
                Finding::of_file(
                    Check::ScriptFragment,
                    self.name(scripted.first),
                    String::new(),
                )
            });
            let message = format!("{count} without an anchor: {why}");
            let finding = Finding { message, ..place };
            self.found.push((scripted.first, finding, None));
        }
        let links = self.examiner.symlinks.findings();
        self.found
            .extend(links.map(|finding| (Ordinal::MAX, finding, None)));
        let mut found = self.found;
        found.sort_by(|(a, one, _), (b, other, _)| {
            let place = |finding: &Finding| (finding.line, finding.column);
            // What is no document comes last, by name.
            let name = |ordinal: Ordinal, finding: &Finding| {
                (ordinal == Ordinal::MAX).then(|| finding.document.clone())
            };
            (a, name(*a, one), place(one)).cmp(&(b, name(*b, other), place(other)))
        });
        let found = found.into_iter();
        self.audited.findings = found
            .map(|(ordinal, finding, fix)| {
                let fix = fix.and_then(|fix| {
                    let (path, _) = self.documents.get(ordinal)?;
                    let url = self.audit.site.site_url.document_url(path).ok()?;
                    Some((url.to_string(), fix))
                });
                (finding, fix)
            })
            .collect();
        self.audited
    }
}

/// Why nothing can be said of a document.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("has no URL: {0}")]
    NoUrl(#[from] crate::url::ParseError),
    #[error(transparent)]
    Document(#[from] DocumentError),
}

/// Does `work` on the document at `path`.
fn source<T>(
    audit: &Audit<'_>,
    examiner: &AuditContext<'_>,
    path: &Path,
    bytes: &[u8],
    work: impl FnOnce(Source<'_>) -> Result<T, DocumentError>,
) -> Result<T, Trouble> {
    let own = AbsoluteUrl::new(audit.standard, audit.site.site_url.document_url(path)?);
    let source = Source {
        name: &path.to_string_lossy(),
        // A document that the index does not have cannot be a target either.
        number: examiner.files.number_of(path).unwrap_or(FileNumber::MAX),
        bytes,
        own: &own,
    };
    Ok(work(source)?)
}

/// The ids of a document that are nearest to `fragments`.
fn nearest_ids(bytes: &[u8], options: &ParseOptions, fragments: &[&str]) -> Vec<(String, String)> {
    let options = ParseOptions {
        metadata: true,
        ..*options
    };
    let metadata = Document::parse(bytes, &options)
        .ok()
        .and_then(|it| it.metadata);
    let anchors = metadata.unwrap_or_default().anchors;
    fragments
        .iter()
        .filter_map(|fragment| {
            let id = nearest_name(anchors.iter(), fragment)?;
            Some(((*fragment).to_owned(), id))
        })
        .collect()
}
