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
mod error;
mod options;
mod pages;
mod plan;
mod screenshots;
mod urls;

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::thread;

use answers::TreeServer;
use compare::{PageComparison, PageSide};
pub use error::PagesError;
use error::SideError;
pub use options::BrowserOptions;
use pages::{OwnUrls, PagePair, choose};
pub use plan::PagesPlan;
use urls::UrlMap;

pub use super::report::BrowserRun;
use super::report::{Difference, FileDifferences, Report};
use crate::chromium::{Browser, BrowserError, LoadedPage, PageRequest};
use rehref_corpus::Observer;
use rehref_site::Diagnostic;
use rehref_site::SiteUrl;

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
    let disk =
        if options.from_disk { Some(SiteUrl::of_directory(&plan.after.root)?) } else { None };
    let chosen = choose(plan, options, disk.as_ref());
    let program = Browser::find(options.program.as_deref())?;
    let start = || Browser::start(&program, options.may_lack_sandbox);
    let mut session = Session {
        plan,
        options,
        start: &start,
        before: Side::new(plan, true, None),
        after: Side::new(plan, false, disk.as_ref()),
        disk: disk.as_ref(),
    };
    observer.start(chosen.pages.len());
    let (browser, sandbox) = session.start()?;
    let mut run = BrowserRun { browser, sandbox, opened: 0, of: chosen.of, different: 0 };
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
    start: &'s StartBrowser<'s>,
    before: Side<'s>,
    after: Side<'s>,
    /// The `file:` URL of AFTER, if its pages are opened from disk.
    disk: Option<&'s SiteUrl>,
}

type StartBrowser<'s> = dyn Fn() -> Result<Browser, BrowserError> + Sync + 's;

/// A tree and its connection to the browser. After a crash it gets a browser of its own.
struct Side<'s> {
    name: &'static str,
    server: TreeServer<'s>,
    browser: Option<Browser>,
}

impl<'s> Side<'s> {
    /// `disk`: the `file:` URL of the tree, if its pages are opened from disk.
    fn new(plan: &'s PagesPlan<'s>, is_before: bool, disk: Option<&'s SiteUrl>) -> Side<'s> {
        let (name, corpus, site_url, files) = if is_before {
            ("BEFORE", plan.before, plan.targets.before, &plan.files_before)
        } else {
            ("AFTER", plan.after, plan.targets.after, &plan.files_after)
        };
        Side {
            name,
            server: TreeServer {
                root: &corpus.root,
                site_url,
                also: plan.targets.also,
                disk,
                files,
            },
            browser: None,
        }
    }

    /// Loads a page; a browser that crashes is started once more.
    fn load(
        &mut self,
        start: &StartBrowser<'_>,
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
/// script that waits for a clock is no difference.
const ATTEMPTS: usize = 3;

/// Whether two loads have the same difference. Messages that begin with a number count what may differ a
/// little from load to load; then their kind and place decide.
fn lasts(one: &Difference, other: &Difference) -> bool {
    let is_count =
        |it: &Difference| it.diagnostic.message.starts_with(|c: char| c.is_ascii_digit());
    let (left, right) = (&one.diagnostic, &other.diagnostic);
    one == other
        || is_count(one)
            && is_count(other)
            && (left.code, &left.location) == (right.code, &right.location)
}

impl Session<'_> {
    /// Starts one browser for both trees; returns its name and version, and whether it has a sandbox.
    fn start(&mut self) -> Result<(String, bool), BrowserError> {
        let browser = (self.start)()?;
        let started = (browser.version().to_owned(), browser.has_sandbox());
        self.after.browser = Some(browser.another());
        self.before.browser = Some(browser);
        Ok(started)
    }

    /// Compares a page of BEFORE with its counterpart.
    fn compare(&mut self, pair: &PagePair) -> Result<Vec<Difference>, SideError> {
        let differences = self.lasting(pair, None)?;
        match &pair.own {
            own @ Some(_) if !differences.is_empty() => {
                let with_own = self.lasting(pair, own.as_ref())?;
                Ok(if with_own.is_empty() { with_own } else { differences })
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
        let (start, before, after) = (self.start, &mut self.before, &mut self.after);
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
