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
use compare::{PageComparison, PageSide, UNENDED};
use pages::{PagePair, choose};
use urls::UrlMap;

pub use super::report::BrowserRun;
use super::report::{Difference, DifferenceKind, FileDifferences, Report};
use crate::both::Both;
use crate::chromium::{Browser, BrowserError, LoadedPage, PageRequest};
use crate::expected_targets::{ExpectedTargets, SiteFiles};
use crate::tree::TreePlan;
use rehref_corpus::{Corpus, Observer};
use rehref_site::{Diagnostic, SiteUrl, SiteUrlError};
use rehref_url::AbsoluteUrl;

/// The options of a comparison of pages in a browser.
#[derive(Clone, Debug)]
pub struct BrowserOptions {
    /// The path of the browser; `None` for the first known browser that is installed.
    pub program: Option<PathBuf>,
    /// True if the browser may run without its sandbox, if the system has none.
    pub may_lack_sandbox: bool,
    /// The number of pages to open; `None` for all.
    pub pages: Option<usize>,
    /// The maximum numbers of links and of toggles to click on each page.
    pub clicks: usize,
    /// The folder for screenshots of all pages; `None` for no screenshots.
    pub screenshots: Option<PathBuf>,
    /// True to open the pages of AFTER from disk, as `file:` URLs.
    pub from_disk: bool,
    /// The time limit for loading a page.
    pub timeout: Duration,
}

/// The error of a comparison that is not possible.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    /// The browser fails.
    #[error(transparent)]
    Browser(#[from] BrowserError),
    /// AFTER has no `file:` URL.
    #[error(transparent)]
    FileUrl(#[from] SiteUrlError),
    /// The site's URL is one that browsers do not request from a server.
    #[error("a browser cannot open pages at {0}; pass an http: or https: URL, or remove --browser")]
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

/// An error of a page, and the tree that has it.
type SideError = (&'static str, PagesError);

/// Compares the pages of the two trees of `plan`, and adds the differences to `report`.
///
/// # Errors
/// Returns an error if there is no browser, or the run is interrupted. Errors of single pages are in the report.
pub fn verify_pages<'p>(
    plan: &TreePlan<'p>,
    options: &BrowserOptions,
    observer: &dyn Observer,
    report: &mut Report,
) -> Result<(), PagesError> {
    for site_url in [plan.targets.before, plan.targets.after] {
        if !matches!(site_url.url().scheme(), "http" | "https") {
            return Err(PagesError::Scheme(site_url.url().to_string()));
        }
    }
    let disk =
        if options.from_disk { Some(SiteUrl::of_directory(&plan.after.root)?) } else { None };
    let chosen = choose(plan, options.pages, disk.as_ref());
    let [files_before, files_after] = [plan.before, plan.after].map(Corpus::file_index);
    let targets = ExpectedTargets {
        files: Some(SiteFiles::new(files_before.clone(), files_after.clone(), plan.moves)),
        // What servers send for a URL counts, whether or not `plan` compares files by it.
        same_file: true,
        ..plan.targets
    };
    let (also, disk) = (targets.also, disk.as_ref());
    let server = |corpus: &'p Corpus, site_url, disk, files| TreeServer {
        root: &corpus.root,
        site_url,
        also,
        disk,
        files,
        fallback: None,
    };
    let program = Browser::find(options.program.as_deref())?;
    let browser = Browser::start(&program, options.may_lack_sandbox)?;
    let mut run = BrowserRun {
        browser: browser.version.clone(),
        sandbox: browser.has_sandbox,
        opened: 0,
        of: chosen.of,
        different: 0,
        repaired: 0,
    };
    let another = Some(browser.another());
    let mut session = Session {
        plan,
        targets: &targets,
        options,
        program: &program,
        before: Side {
            name: "BEFORE",
            server: server(plan.before, targets.before, None, &files_before),
            browser: Some(browser),
        },
        after: Side {
            name: "AFTER",
            server: server(plan.after, targets.after, disk, &files_after),
            browser: another,
        },
        is_repaired: false,
    };
    observer.start(chosen.pages.len());
    let mut different = BTreeSet::new();
    for pair in &chosen.pages {
        match session.compare(pair) {
            Ok(differences) => {
                run.opened += usize::from(pair.visit.is_empty());
                run.repaired += usize::from(pair.visit.is_empty() && session.is_repaired);
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
    plan: &'s TreePlan<'s>,
    targets: &'s ExpectedTargets<'s>,
    options: &'s BrowserOptions,
    program: &'s Path,
    before: Side<'s>,
    after: Side<'s>,
    /// Whether the last page was broken in BEFORE and is not in AFTER.
    is_repaired: bool,
}

/// A tree and its connection to the browser. After a crash it gets a browser of its own.
struct Side<'s> {
    name: &'static str,
    server: TreeServer<'s>,
    browser: Option<Browser>,
}

impl Side<'_> {
    /// Loads a page; a browser that crashes is started once more.
    fn load(
        &mut self,
        start: impl Fn() -> Result<Browser, BrowserError>,
        request: &PageRequest<'_>,
    ) -> Result<LoadedPage, SideError> {
        let name = self.name;
        let mut attempt = || {
            let browser = match &mut self.browser {
                Some(browser) => browser,
                None => self.browser.insert(start()?),
            };
            let loaded = browser.load(request, &|url| self.server.respond(url));
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
/// script that waits for a clock is not a difference.
const ATTEMPTS: usize = 3;

/// Returns true if two loads have the same difference. Messages that begin with a number count what may differ a
/// little from load to load; then their kind and place decide, but for a style that a script animates: its values differ from
/// load to load. The click at which a page hangs may be another one.
fn lasts(one: &Difference, other: &Difference) -> bool {
    let is_count = |it: &Difference| it.message.starts_with(|c: char| c.is_ascii_digit());
    let is_in_motion = one.kind == DifferenceKind::Style && one.message == other.message;
    one == other
        || one.message == other.message && one.message.starts_with(UNENDED)
        || is_count(one)
            && is_count(other)
            && (one.kind, &one.place) == (other.kind, &other.place)
            && !is_in_motion
}

impl Session<'_> {
    /// Compares a page of BEFORE with its counterpart.
    fn compare(&mut self, pair: &PagePair) -> Result<Vec<Difference>, SideError> {
        let differences = self.lasting(pair, None)?;
        if let own @ Some(_) = pair.own.as_ref()
            && !differences.is_empty()
            && self.lasting(pair, own)?.is_empty()
        {
            return Ok(Vec::new());
        }
        Ok(differences)
    }

    /// Compares a page several times, for the differences that all loads have. A load that does not end in time counts only
    /// if none ends. With `own`, the page of BEFORE is the one at its own URL.
    fn lasting(
        &mut self,
        pair: &PagePair,
        own: Option<&Both<String>>,
    ) -> Result<Vec<Difference>, SideError> {
        let (mut lasting, mut is_unended) = self.compare_once(pair, own)?;
        for _ in 1..ATTEMPTS {
            if lasting.is_empty() {
                break;
            }
            match self.compare_once(pair, own)? {
                (_, true) if !is_unended => {}
                (found, false) if is_unended => (lasting, is_unended) = (found, false),
                (found, _) => lasting.retain(|it| found.iter().any(|other| lasts(it, other))),
            }
        }
        Ok(lasting)
    }

    /// Loads a page of both trees. Returns the differences, and whether the load of AFTER did not end in time.
    fn compare_once(
        &mut self,
        pair: &PagePair,
        own: Option<&Both<String>>,
    ) -> Result<(Vec<Difference>, bool), SideError> {
        let url_before = own.map_or(&pair.url.before, |own| &own.before);
        let request = |url| PageRequest {
            url,
            collect: collected::SCRIPT,
            clicks: self.options.clicks,
            picture: self.options.screenshots.is_some(),
            timeout: self.options.timeout,
            cancel: &self.plan.before.cancel,
        };
        let (request_before, request_after) = (request(url_before), request(&pair.url.after));
        let start = || Browser::start(self.program, self.options.may_lack_sandbox);
        let (before, after) = (&mut self.before, &mut self.after);
        let fallback = |path: &String, url: &String| (url.clone(), path.clone());
        let paths = pair.fallback.as_ref().filter(|_| own.is_none());
        before.server.fallback = paths.map(|it| fallback(&it.before, &pair.url.before));
        after.server.fallback = paths.map(|it| fallback(&it.after, &pair.url.after));
        let (old, new) = thread::scope(|scope| {
            let old = scope.spawn(move || before.load(start, &request_before));
            let new = after.load(start, &request_after);
            (old.join(), new)
        });
        if self.plan.before.cancel.load(Ordering::Relaxed) {
            return Err(("AFTER", BrowserError::Interrupted.into()));
        }
        let old = old.map_err(|_| ("BEFORE", BrowserError::PageCrashed.into()))??;
        let new = new?;
        let timeout = self.options.timeout;
        if old.unended.is_some() {
            return Err(("BEFORE", BrowserError::PageTimeout(timeout.as_secs()).into()));
        }
        let comparison = PageComparison {
            urls: &UrlMap {
                targets: self.targets,
                disk: self.after.server.disk,
                base: self.plan.base.map(AbsoluteUrl::as_str),
                answered: own.map(|own| (&*pair.url.after, &*own.after)),
            },
            before: PageSide::of(&old).map_err(|error| ("BEFORE", error.into()))?,
            after: PageSide::of(&new).map_err(|error| ("AFTER", error.into()))?,
            is_answer: pair.own.is_some() && own.is_none(),
            timeout,
        };
        let mut differences = comparison.differences();
        self.is_repaired = comparison.is_repaired(&differences);
        let is_unended = comparison.is_unended();
        if self.is_repaired {
            return Ok((Vec::new(), is_unended));
        }
        if let Some(folder) = &self.options.screenshots {
            let pictures = (old.picture.as_deref(), new.picture.as_deref());
            let browser = self.after.browser.as_mut();
            differences.extend(screenshots::compare(folder, &pair.name, pictures, browser)?);
        }
        if !pair.visit.is_empty() {
            let visit = |difference: Difference| difference.within(&pair.visit);
            differences = differences.into_iter().map(visit).collect();
        }
        Ok((differences, is_unended))
    }
}
