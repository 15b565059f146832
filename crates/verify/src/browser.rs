//! Compares the pages of two trees in a browser: what visitors find before and after.
//!
//! Chromium loads each page of BEFORE and its counterpart in AFTER at their URLs, with the files of
//! the tree as answers and no network. What differs in AFTER is a difference; what is broken in both
//! is not.
//!
//! - `pages` chooses the pages, `answers` is the site's server;
//! - `collected` is what a page says about itself (`collect.js`), [`mod@compare`] compares two pages.

mod answers;
mod collected;
mod compare;
mod pages;
mod screenshots;
mod urls;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use answers::TreeServer;
use compare::{PageComparison, PageSide};
use pages::{OwnUrls, PagePair, choose};
use serde::Serialize;
use urls::UrlMap;

use super::report::{Difference, FileDifferences, Report};
use super::site::ExpectedTargets;
use super::site::SiteFiles;
use super::tree::TreePlan;
use crate::chromium::{Browser, BrowserError, LoadedPage, PageRequest};
use rehref_corpus::{Corpus, Observer};
use rehref_site::Diagnostic;
use rehref_site::Moves;
use rehref_site::{FileIndex, SiteUrl, SiteUrlError};
use rehref_url::AbsoluteUrl;

/// How a browser compares pages.
#[derive(Clone, Debug)]
pub struct BrowserOptions {
    /// The program; `None` for the first known one that is installed.
    pub program: Option<PathBuf>,
    /// The number of pages to open; `None` for all.
    pub pages: Option<usize>,
    /// The folder for pictures of all pages.
    pub screenshots: Option<PathBuf>,
    /// Open the pages of AFTER from disk, as `file:` URLs.
    pub from_disk: bool,
    /// How long a page may take to load.
    pub timeout: Duration,
}

/// Two trees, and where the links of their pages should lead.
pub struct PagesPlan<'p> {
    before: &'p Corpus,
    after: &'p Corpus,
    moves: &'p Moves,
    base: Option<&'p str>,
    /// The files that the servers of the two trees send.
    files_before: FileIndex,
    files_after: FileIndex,
    targets: ExpectedTargets<'p>,
    limit: usize,
}

impl<'p> PagesPlan<'p> {
    /// The pages of the trees of `plan`. What servers send for a URL counts, whether or not `plan`
    /// compares files by it.
    pub fn of(plan: &TreePlan<'p>) -> PagesPlan<'p> {
        let (before, after) = (plan.before.file_index(), plan.after.file_index());
        PagesPlan {
            before: plan.before,
            after: plan.after,
            moves: plan.moves,
            base: plan.base.map(AbsoluteUrl::as_str),
            targets: ExpectedTargets {
                files: Some(SiteFiles::new(before.clone(), after.clone(), plan.moves)),
                same_file: true,
                ..plan.targets
            },
            files_before: before,
            files_after: after,
            limit: plan.limit,
        }
    }
}

/// The number of pages that a browser compared, in reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrowserRun {
    /// Name and version of the browser.
    pub browser: String,
    /// Pages that were opened, in both trees.
    pub opened: usize,
    /// Pages that both trees have.
    pub of: usize,
    /// Opened pages with differences.
    pub different: usize,
}

/// Why pages cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// The browser fails.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// AFTER has no `file:` URL.
    #[error(transparent)]
    FileUrl(#[from] SiteUrlError),
    /// The site's URL is one that browsers do not request from a server.
    #[error("a browser cannot open pages at {0}; give an http: or https: URL, or omit --browser")]
    Scheme(String),
    /// A picture cannot be written.
    #[error("{}: {source}", .path.display())]
    Screenshot {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Compares the pages of the two trees of `plan`, and adds the differences to `report`.
///
/// # Errors
/// When there is no browser, or the run is interrupted. Errors of single pages are in the report.
pub fn verify_pages(
    plan: &PagesPlan<'_>,
    options: &BrowserOptions,
    observer: &dyn Observer,
    report: &mut Report,
) -> Result<(), PagesError> {
    for site_url in [plan.targets.before, plan.targets.after] {
        if !matches!(site_url.url().scheme(), "http" | "https") {
            return Err(PagesError::Scheme(site_url.url().to_string()));
        }
    }
    let disk = match options.from_disk {
        true => Some(SiteUrl::of_directory(&plan.after.root)?),
        false => None,
    };
    let chosen = choose(plan, options, disk.as_ref());
    let program = Browser::find(options.program.as_deref())?;
    let mut session = Session {
        plan,
        options,
        program: &program,
        before: Side::new(plan, true),
        after: Side::new(plan, false),
        disk: disk.as_ref(),
    };
    observer.start(chosen.pages.len());
    let mut run = BrowserRun {
        browser: session.start()?,
        opened: 0,
        of: chosen.of,
        different: 0,
    };
    let mut different = BTreeSet::new();
    for pair in &chosen.pages {
        match session.compare(pair) {
            Ok(differences) => {
                run.opened += usize::from(pair.visit.is_empty());
                if !differences.is_empty() {
                    different.insert(&pair.path);
                }
                add(report, pair, differences, plan.limit);
            }
            Err((side, PagesError::Browser(error))) if error.is_of_page() => {
                let message = format!("in {side}: {error}");
                let error = Diagnostic::file_error(&*pair.path, message);
                report.errors.push(error);
            }
            Err((_, error)) => return Err(error),
        }
        observer.progress();
    }
    run.different = different.len();
    report.browser = Some(run);
    Ok(())
}

/// Adds the differences of a page to those of its file, as long as `limit` allows.
fn add(report: &mut Report, pair: &PagePair, mut differences: Vec<Difference>, limit: usize) {
    if differences.is_empty() {
        return;
    }
    let shown: usize = report.different.iter().map(|it| it.differences.len()).sum();
    let count = differences.len();
    report.differences += count;
    differences.truncate(limit.saturating_sub(shown));
    let known = report.different.iter_mut().find(|it| it.path == pair.path);
    match known {
        Some(file) => {
            file.count += count;
            file.differences.extend(differences);
        }
        None => report.different.push(FileDifferences {
            path: pair.path.clone(),
            path_before: pair.path_before.clone(),
            count,
            differences,
        }),
    }
}

/// The two sides of a run.
struct Session<'s> {
    plan: &'s PagesPlan<'s>,
    options: &'s BrowserOptions,
    program: &'s Path,
    before: Side<'s>,
    after: Side<'s>,
    /// The `file:` URL of AFTER, if its pages are opened from disk.
    disk: Option<&'s SiteUrl>,
}

/// A tree and its connection to the browser. After a crash it gets a browser of its own.
struct Side<'s> {
    name: &'static str,
    server: TreeServer<'s>,
    browser: Option<Browser>,
}

/// An error of a page, and the tree that has it.
type SideError = (&'static str, PagesError);

impl<'s> Side<'s> {
    fn new(plan: &'s PagesPlan<'s>, is_before: bool) -> Side<'s> {
        let (name, corpus, site_url, files) = match is_before {
            true => (
                "BEFORE",
                plan.before,
                plan.targets.before,
                &plan.files_before,
            ),
            false => ("AFTER", plan.after, plan.targets.after, &plan.files_after),
        };
        Side {
            name,
            server: TreeServer::new(&corpus.root, site_url, plan.targets.also, files),
            browser: None,
        }
    }

    /// Loads a page; a browser that crashes is started once more.
    fn load(&mut self, program: &Path, request: &PageRequest<'_>) -> Result<LoadedPage, SideError> {
        let name = self.name;
        let mut attempt = || {
            let browser = match &mut self.browser {
                Some(browser) => browser,
                None => self.browser.insert(Browser::start(program)?),
            };
            let loaded = browser.load(request, &self.server);
            if loaded.as_ref().is_err_and(BrowserError::ends_browser) {
                self.browser = None;
            }
            loaded
        };
        let loaded = match attempt() {
            Err(error) if error.ends_browser() || matches!(error, BrowserError::PageCrashed) => {
                attempt()
            }
            loaded => loaded,
        };
        loaded.map_err(|error| (name, error.into()))
    }
}

/// The number of times that a page with differences is loaded. Only what differs every time counts: a
/// script that waits for a clock is no difference.
const ATTEMPTS: usize = 3;

/// Whether two loads have the same difference. Messages that begin with a number count what may differ a
/// little from load to load; then their kind and place decide.
fn lasts(one: &Difference, other: &Difference) -> bool {
    let is_count = |it: &Difference| {
        it.diagnostic
            .message
            .starts_with(|c: char| c.is_ascii_digit())
    };
    let (left, right) = (&one.diagnostic, &other.diagnostic);
    one == other
        || is_count(one)
            && is_count(other)
            && (left.code, &left.location) == (right.code, &right.location)
}

impl Session<'_> {
    /// Starts one browser for both trees; returns its name and version.
    fn start(&mut self) -> Result<String, BrowserError> {
        let browser = Browser::start(self.program)?;
        let version = browser.version().to_owned();
        self.after.browser = Some(browser.another());
        self.before.browser = Some(browser);
        Ok(version)
    }

    /// Compares a page of BEFORE with its counterpart.
    fn compare(&mut self, pair: &PagePair) -> Result<Vec<Difference>, SideError> {
        let differences = self.lasting(pair, None)?;
        match &pair.own {
            own @ Some(_) if !differences.is_empty() => {
                let with_own = self.lasting(pair, own.as_ref())?;
                Ok(if with_own.is_empty() {
                    with_own
                } else {
                    differences
                })
            }
            _ => Ok(differences),
        }
    }

    /// Compares a page several times, for the differences that all loads have. With `own`, the page of
    /// BEFORE is the one at its own URL.
    fn lasting(
        &mut self,
        pair: &PagePair,
        own: Option<&OwnUrls>,
    ) -> Result<Vec<Difference>, SideError> {
        let mut lasting: Option<Vec<Difference>> = None;
        for _ in 0..ATTEMPTS {
            let found = self.compare_once(pair, own)?;
            let differences = match lasting {
                None => found,
                Some(earlier) => {
                    let is_found = |it: &Difference| found.iter().any(|other| lasts(it, other));
                    earlier.into_iter().filter(is_found).collect()
                }
            };
            if differences.is_empty() {
                return Ok(differences);
            }
            lasting = Some(differences);
        }
        Ok(lasting.unwrap_or_default())
    }

    fn compare_once(
        &mut self,
        pair: &PagePair,
        own: Option<&OwnUrls>,
    ) -> Result<Vec<Difference>, SideError> {
        let url_before = own.map_or(&pair.url_before, |own| &own.before);
        let request = |url| PageRequest {
            url,
            collect: collected::SCRIPT,
            picture: self.options.screenshots.is_some(),
            timeout: self.options.timeout,
            cancel: &self.plan.before.cancel,
        };
        let (request_before, request_after) = (request(url_before), request(&pair.url_after));
        let (program, before, after) = (self.program, &mut self.before, &mut self.after);
        let (old, new) = thread::scope(|scope| {
            let old = scope.spawn(move || before.load(program, &request_before));
            let new = after.load(program, &request_after);
            (old.join(), new)
        });
        if self.plan.before.cancel.load(Ordering::Relaxed) {
            return Err(("AFTER", BrowserError::Interrupted.into()));
        }
        let old = old.map_err(|_| ("BEFORE", BrowserError::PageCrashed.into()))??;
        let new = new?;
        let comparison = PageComparison {
            urls: &UrlMap {
                targets: &self.plan.targets,
                disk: self.disk,
                base: self.plan.base,
                answered: own.map(|own| (&*pair.url_after, &*own.after)),
            },
            before: PageSide::of(&old).map_err(|error| ("BEFORE", error.into()))?,
            after: PageSide::of(&new).map_err(|error| ("AFTER", error.into()))?,
        };
        let mut differences = comparison.differences();
        if let Some(folder) = &self.options.screenshots {
            let pictures = (old.picture.as_deref(), new.picture.as_deref());
            let browser = self.after.browser.as_mut();
            differences.extend(screenshots::compare(folder, &pair.name, pictures, browser)?);
        }
        for difference in &mut differences {
            if !pair.visit.is_empty() {
                *difference = std::mem::take(difference).within(&pair.visit);
            }
        }
        Ok(differences)
    }
}
