//! Compares the sites that a generator builds before and after a move.
//!
//! Two readers do the work: the audit finds the links that are broken only after the move, and the verification of two
//! trees finds the links with another target. Templates may order navigation anew: a link with another target counts if
//! a source has it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::built_moves::{BuiltMoves, built_moves};
use super::links::Links;
use super::read_site::{ReadSite, built_corpus};
use super::{BuiltSite, ProjectBuilds};
use crate::cli::advice::{self, is_page};
use crate::cli::audit::print;
use crate::cli::comparison::{SHOWN, differences, tree_plan};
use crate::cli::exit::CliError;
use crate::cli::markdown::published_in;
use crate::cli::progress::{Listing, Progress};
use crate::cli::redirect_rules::RedirectArguments;
use crate::cli::{site_url, terminal};
use rehref_audit::finding::ReportedFile;
use rehref_audit::report::Summary;
use rehref_audit::sources::{SourceTree, locate};
use rehref_audit::{Check, Finding};
use rehref_corpus::Corpus;
use rehref_generators::markdown::PageUrl;
use rehref_site::diagnostic::display_path;
use rehref_site::{Moves, Severity, SiteUrl, path_in_url, with_slash};
use rehref_verify::report::FileDifferences;
use rehref_verify::{Difference, DifferenceKind, Report, TreePlan, verify_tree};

/// The sources of a site before and after a move.
pub(in crate::cli) struct MovedSources<'m> {
    /// The sources before.
    pub(in crate::cli) corpus: &'m Corpus,
    /// SITE as messages show it.
    pub(in crate::cli) shown: &'m Path,
    pub(in crate::cli) moves: &'m Moves,
    /// The tree after the moves, and as messages show it.
    pub(in crate::cli) tree: &'m Path,
    pub(in crate::cli) shown_tree: &'m Path,
    /// The URL of the site after the moves.
    pub(in crate::cli) new_url: &'m SiteUrl,
    pub(in crate::cli) redirects: &'m RedirectArguments,
    /// True if old URLs without a redirect are differences.
    pub(in crate::cli) needs_redirects: bool,
}

impl MovedSources<'_> {
    /// Builds the tree after the moves, compares the built site with that of `before`, and prints the differences. Returns
    /// a message if there are some.
    pub(in crate::cli) fn compare(
        &self,
        builds: &ProjectBuilds,
        before: &BuiltSite,
    ) -> Result<Option<String>, CliError> {
        let started = Instant::now();
        let after = match builds.build(self.tree, "after")? {
            Ok(after) => after,
            Err(message) => {
                return Ok(Some(format!("{message}; the build before the move did not fail")));
            }
        };
        let sources = self.corpus.server.sources.as_ref();
        let pages = sources.and_then(|it| it.pages.as_ref());
        let mut url = self.corpus.site_url.clone();
        let mut old = built_corpus(self.corpus, &before.root, &url);
        if url.is_placeholder() {
            let stated = pages.and_then(|it| it.stated_site.as_ref());
            if let Some((_, stated)) = site_url::of_built(&old, stated)? {
                url = stated;
                old.publish_at(url.clone());
            }
        }
        let is_moved = self.corpus.site_url != *self.new_url;
        let new =
            built_corpus(self.corpus, &after.root, if is_moved { self.new_url } else { &url });
        let [old, new] =
            [ReadSite::read(old, self.redirects)?, ReadSite::read(new, self.redirects)?];
        let built = built_moves(self.corpus, self.moves, [&old, &new]);
        let moves = &built.moves;
        let message = "the built site has no page of this document";
        let mut different: Vec<_> =
            built.missing.iter().map(|it| file_difference(&display_path(it), message)).collect();
        let plan = TreePlan {
            limit: usize::MAX,
            may_be_extra: true,
            ..tree_plan(&old.corpus, &new.corpus, moves, true)
        };
        let report = Progress::during(Listing::Nothing, |it| verify_tree(&plan, it))?;
        let mut broken = new_findings(&old, &new, &built);
        let trees = [(self.corpus.root.as_path(), self.shown), (self.tree, self.shown_tree)];
        let roots = sources.map_or(&[][..], |it| &it.roots);
        let published = published_in(roots, pages);
        let [old_sources, new_sources] = trees.map(|(root, shown)| {
            let tree = SourceTree::list(root, &shown.to_string_lossy(), Path::new(""));
            tree.published(published.clone())
        });
        locate(&mut broken, &new.corpus, &new_sources);
        let lost = Links {
            plan: &plan,
            sites: [&old, &new],
            unbuilt: &built.unbuilt,
            sources: [&old_sources, &new_sources],
            shown: trees.map(|(_, shown)| with_slash(&display_path(shown))),
            root: &self.corpus.root,
            moves: self.moves,
            broken: &broken,
        };
        let changed = report.different.iter().filter(|it| is_page(Path::new(&it.path)));
        let lost = lost.lost(changed.filter(|it| !is_gone(it)));
        different.extend(lost.of_sources);
        // Visitors know URLs without the extension.
        let is_bare = pages.is_some_and(|it| it.form == PageUrl::Bare);
        let serves = |it: &Path| new.serves(it) || is_bare && new.serves(&it.with_extension(""));
        let gone = report.different.iter().filter(|it| is_gone(it) && !serves(Path::new(&it.path)));
        let message =
            "after the move, the built site has no such page, and no redirect from its URL";
        different.extend(gone.map(|it| file_difference(&it.path, message)));
        let no_redirect = moves.files().filter(|(old, _)| is_page(old) && !serves(old));
        let url = |it: &Path| match page_path(it) {
            path if is_bare => path.trim_end_matches(".html").to_owned(),
            path => path,
        };
        let mut no_redirect: Vec<String> = no_redirect.map(|(old, _)| url(old)).collect();
        if self.needs_redirects {
            let message = "no redirect from this old URL in the built site";
            different.extend(no_redirect.drain(..).map(|it| file_difference(&it, message)));
        }
        let expected: HashSet<PathBuf> =
            old.corpus.files().map(|it| moves.counterpart(it)).collect();
        // At an old path there is a redirect.
        let bare =
            |it: &Path| page_path(&it.with_extension("")).trim_end_matches("/index").to_owned();
        let redirects: HashSet<String> = moves.files().map(|(old, _)| bare(old)).collect();
        let is_new = |it: &&Path| {
            is_page(it) && !expected.contains(*it) && !redirects.contains(&bare(it)) && !old.has(it)
        };
        let new_pages = new.corpus.files().filter(is_new).map(page_path).collect::<Vec<_>>();
        let warnings = new_lines(before, &after, self.moves, roots);
        advice::print(advice::build::warnings(&warnings));
        let count = broken.len() + different.len();
        let summary = Summary {
            documents: new.outcome.documents,
            references: new.outcome.references,
            external: new.outcome.external,
            seconds: None,
            ..Summary::default()
        };
        if !broken.is_empty() {
            let corpora = [(String::new(), &new.corpus)];
            let source = |file: ReportedFile<'_>| print::text_of(file, &corpora);
            terminal::print(print::text(true, &source, &summary, &broken))?;
        }
        let different = Report {
            differences: different.iter().map(|it| it.count).sum(),
            different,
            ..Report::default()
        };
        terminal::print(differences(&different, SHOWN))?;
        let made = advice::build::Made {
            command: &builds.build.command,
            seconds: started.elapsed().as_secs_f64(),
            pages: new.corpus.files().filter(|it| is_page(it)).count(),
            links: report.references.compared - report.references.different,
            moved: moves.files().filter(|(old, _)| is_page(old)).count(),
            others: &most_frequent(lost.others),
            no_redirect: &no_redirect,
            new_pages: &new_pages,
        };
        advice::print(made.advice());
        if count == 0 {
            terminal::summary(&made.verified());
            return Ok(None);
        }
        Ok(Some(made.differs(broken.len(), different.differences)))
    }
}

/// The errors of the audit in `new` that `old` does not have: at the new places, and with the new targets, of what was
/// broken before.
fn new_findings(old: &ReadSite, new: &ReadSite, built: &BuiltMoves) -> Vec<Finding> {
    let moved_target = |url: &str| match old.file(url) {
        Some(file) => Some(path_in_url(&built.moves.counterpart(&file))),
        None => built.unbuilt.get(url.trim_end_matches('/')).cloned(),
    };
    let key = |finding: &Finding, path: &Path, target: Option<String>| {
        let written = finding.target.as_deref().or(finding.reference.as_deref());
        let written = written.unwrap_or_default();
        let (path_of, fragment) = written.split_at(written.find('#').unwrap_or(written.len()));
        // The root of the site has no name, and its host is none.
        let path_of = new.corpus.site_url.below(path_of).unwrap_or(path_of);
        // A URL that a page states of itself, but wrongly, changes with it.
        let own = &*finding.location.path;
        let around = path_of.strip_suffix(own).filter(|it| it.ends_with('/'));
        let is_own = around.is_some_and(|it| !it.trim_matches('/').is_empty());
        let target = target.as_deref().unwrap_or(if is_own { "" } else { path_of });
        let target = target.strip_suffix("index.html").unwrap_or(target).trim_end_matches('/');
        let name = target.strip_suffix(".html").unwrap_or(target).rsplit('/').next();
        (finding.check, path.to_owned(), format!("{}{fragment}", name.unwrap_or_default()))
    };
    let mut known: HashMap<(Check, PathBuf, String), usize> = HashMap::new();
    for finding in &old.outcome.findings {
        let path = built.moves.counterpart(Path::new(&*finding.location.path));
        let url = finding.target.as_deref().unwrap_or_default();
        let url = url.split('#').next().unwrap_or_default();
        let url = old.corpus.site_url.below(url).or(url.strip_prefix('/'));
        *known.entry(key(finding, &path, url.and_then(moved_target))).or_default() += 1;
    }
    let errors = new.outcome.findings.iter().filter(|it| it.severity == Severity::Error);
    let mut is_new = |finding: &&Finding| {
        let known = known.get_mut(&key(finding, Path::new(&*finding.location.path), None));
        !known.is_some_and(take)
    };
    errors.filter(&mut is_new).cloned().collect()
}

/// The keys of `counts`, those with the largest counts first.
fn most_frequent(counts: HashMap<String, usize>) -> Vec<(String, usize)> {
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    counts
}

/// Takes one of the things that are `left`; `false` if none is.
fn take(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}

/// The path of the URL of the page `file`.
fn page_path(file: &Path) -> String {
    let path = display_path(file);
    format!("/{}", path.strip_suffix("index.html").unwrap_or(&path))
}

/// Returns true if `file` is a page that the site does not have after the move.
fn is_gone(file: &FileDifferences) -> bool {
    let is_missing = file.differences.iter().any(|it| it.kind == DifferenceKind::MissingFile);
    is_missing && is_page(Path::new(&file.path))
}

fn file_difference(path: &str, message: &'static str) -> FileDifferences {
    let difference = Difference::of_file(DifferenceKind::MissingFile, message);
    FileDifferences {
        path: path.to_owned(),
        path_before: None,
        count: 1,
        differences: vec![difference],
    }
}

/// The lines that the generator printed only after the move: neither with the old paths of what moved, nor with other
/// numbers. Generators name files by their paths below `roots`.
fn new_lines<'l>(
    before: &BuiltSite,
    after: &'l BuiltSite,
    moves: &Moves,
    roots: &[String],
) -> Vec<&'l str> {
    let without_numbers = |line: &str| line.replace(|c: char| c.is_ascii_digit(), "");
    let mut known: HashMap<String, usize> = HashMap::new();
    for line in before.ran.notable() {
        *known.entry(without_numbers(line)).or_default() += 1;
    }
    let shown = |path: &Path| {
        let path = display_path(path);
        let below = roots.iter().find_map(|root| path.strip_prefix(root.as_str()));
        below.unwrap_or(&path).to_owned()
    };
    let both = moves.files().chain(moves.folders());
    let mut moved: Vec<(String, String)> =
        both.map(|(old, new)| (shown(old), shown(new))).collect();
    moved.sort_by_key(|(_, new)| Reverse(new.len()));
    let mut is_new = |line: &&str| {
        let moved = moved.iter().find(|(_, new)| line.contains(new.as_str()));
        let at_old_path = moved.map(|(old, new)| line.replace(new, old));
        let line = at_old_path.as_deref().unwrap_or(line);
        !known.get_mut(&without_numbers(line)).is_some_and(take)
    };
    after.ran.notable().into_iter().filter(&mut is_new).collect()
}
